//! What an agent learns of Heap-Go: the order of its actions, beside their temperatures.

use crate::error::unknown;
use crate::games::heap_go;
use crate::session::Table;
use crate::thinker;
use crate::words::Words;
use crate::{AgentName, Error};
use aji_cgt::Dyadic;
use aji_games::HeapGo;
use aji_search::{Keyed, Named};

/// An action of Heap-Go: to move in a heap that has so many counters.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedAction {
    /// The heap, from 1.
    pub heap: usize,
    /// Its counters.
    pub counters: usize,
    /// The weight of the top one.
    pub top_weight: u32,
    /// The temperature of the heap as it is then.
    pub temperature: Dyadic,
}

/// An order of all actions of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedOrder {
    /// The actions, the best first.
    pub actions: Vec<LearnedAction>,
    /// The simulations that it took.
    pub simulations: u64,
}

/// How far an order agrees with that of the temperatures, over pairs of actions in different heaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchRate {
    /// Pairs of different temperatures, the hotter first.
    pub matched: u64,
    /// Pairs of different temperatures.
    pub pairs: u64,
    /// Pairs of equal temperatures.
    pub ties: u64,
}

impl MatchRate {
    /// The share of pairs in the order of their temperatures, of those that have one; none without any.
    pub fn excluding_ties(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.matched as f64 / self.pairs as f64)
    }

    /// The same of all pairs, where a tie is no match.
    pub fn strict(&self) -> Option<f64> {
        (self.pairs + self.ties > 0).then(|| self.matched as f64 / (self.pairs + self.ties) as f64)
    }
}

impl LearnedOrder {
    /// How far it agrees with the temperatures.
    pub fn match_rate(&self) -> MatchRate {
        let mut rate = MatchRate::default();
        for (place, earlier) in self.actions.iter().enumerate() {
            for later in self.actions[place + 1..].iter().filter(|later| later.heap != earlier.heap) {
                if earlier.temperature == later.temperature {
                    rate.ties += 1;
                } else {
                    rate.pairs += 1;
                    rate.matched += u64::from(earlier.temperature > later.temperature);
                }
            }
        }
        rate
    }

    /// The same actions by their top counters' weight, the heaviest first: what can be known without a search.
    pub fn by_top_weight(&self) -> LearnedOrder {
        let mut actions = self.actions.clone();
        actions.sort_by_key(|action| (std::cmp::Reverse(action.top_weight), action.heap, action.counters));
        LearnedOrder { actions, simulations: 0 }
    }
}

/// Lets an agent think about a game of Heap-Go, `heap-go heaps=5 counters=5 seed=7`, from its start or a position of it, and
/// returns the order that it has learned.
pub fn study_order(game: &str, position: Option<&str>, agent: &AgentName) -> Result<LearnedOrder, Error> {
    let mut words = Words::parse("game", game)?;
    if words.name != "heap-go" {
        return Err(unknown("game whose temperatures are known", words.name, &["heap-go"]));
    }
    let mut start = heap_go(&mut words)?;
    words.finish()?;
    if let Some(position) = position {
        start = start.read(position).map_err(|error| Error::new(format!("heap-go: position {error}")))?;
    }
    let lore = Table::new(game.to_string(), start.clone()).summed().into_lore();
    let mut thinker = thinker::agent(agent, game, &start, &lore)?;
    let report = thinker.think(&start, agent.budget(), &mut |_, _| {});
    let order = thinker.order().ok_or_else(|| {
        Error::new(format!(
            "agent {agent} learns no order: give a search with playout=maxi or learn=ride, or divide"
        ))
    })?;
    let actions = temperatures(&start)?;
    let actions = order.keys().iter().filter_map(|&key| actions[key as usize].clone()).collect();
    Ok(LearnedOrder { actions, simulations: report.simulations })
}

/// All actions by their keys; none of those that cannot come any more.
fn temperatures(game: &HeapGo) -> Result<Vec<Option<LearnedAction>>, Error> {
    let mut actions = vec![None; game.key_count()];
    for (number, heap) in game.heaps().enumerate() {
        let graphs = heap
            .thermographs()
            .map_err(|overflow| Error::new(format!("heap {} has no temperatures: {overflow}", number + 1)))?;
        for (counters, graph) in graphs.iter().enumerate().skip(1) {
            actions[game.key_of(number, counters)] = Some(LearnedAction {
                heap: number + 1,
                counters,
                top_weight: heap.counters()[counters - 1].weight,
                temperature: graph.temperature(),
            });
        }
    }
    Ok(actions)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn action(heap: usize, counters: usize, temperature: i32) -> LearnedAction {
        LearnedAction { heap, counters, top_weight: 1, temperature: Dyadic::from(temperature) }
    }

    #[test]
    fn pairs_by_hand() {
        let actions = vec![action(1, 2, 5), action(2, 1, 7), action(1, 1, 7), action(3, 1, 2)];
        let rate = LearnedOrder { actions, simulations: 0 }.match_rate();
        // 5 before 7 is wrong; 7 and 7 tie; 5, 7 and 7 before 2 are right; 5 and 7 of one heap do not count.
        assert_eq!(rate, MatchRate { matched: 3, pairs: 4, ties: 1 });
        assert_eq!((rate.excluding_ties(), rate.strict()), (Some(0.75), Some(0.6)));
    }

    #[test]
    fn agents_learn_what_is_hot() {
        let rate = |agent: &str| {
            let agent: AgentName = agent.parse().expect("an agent");
            let mut total = MatchRate::default();
            for seed in 1..=10 {
                let game = format!("heap-go heaps=4 counters=4 seed={seed}");
                let rate = study_order(&game, None, &agent).expect("an order").match_rate();
                (total.matched, total.pairs) = (total.matched + rate.matched, total.pairs + rate.pairs);
            }
            total.excluding_ties().expect("pairs")
        };
        // Over 70 to 90 of 100 games' pairs match; ten games stray by a few.
        assert!(rate("uct c=15 unit=points playout=maxi simulations=2000") > 0.75);
        assert!(rate("uct c=15 unit=points learn=ride read=squares simulations=2000") > 0.75);
        assert!(rate("uct c=15 unit=points playout=potential simulations=2000") > 0.72);
        assert!(rate("divide simulations=2000") > 0.8);
    }

    /// The same seed, the same order.
    #[test]
    fn orders_by_seed() {
        let order = |agent: &str| {
            let agent: AgentName = agent.parse().expect("an agent");
            let order = study_order("heap-go heaps=3 counters=2 seed=7", None, &agent).expect("an order");
            order.actions.iter().map(|action| action.heap * 10 + action.counters).collect::<Vec<_>>()
        };
        let by_ride = order("uct c=15 unit=points playout=maxi simulations=200");
        assert_eq!(by_ride, RIDE_GOLDEN);
        assert_eq!(order("uct c=15 unit=points playout=maxi simulations=200"), by_ride);
        assert_eq!(order("uct c=15 unit=points playout=potential simulations=200"), POTENTIAL_GOLDEN);
        assert_eq!(order("uct c=15 unit=points playout=maxi learn=rave simulations=200"), AMAF_GOLDEN);
        assert_eq!(order("divide simulations=200"), DIVIDE_GOLDEN);
        assert_eq!(order("divide simulations=200 threads=3"), DIVIDE_GOLDEN);
    }

    /// Heap and counters, two digits an action.
    const RIDE_GOLDEN: [usize; 6] = [22, 12, 21, 32, 11, 31];
    const POTENTIAL_GOLDEN: [usize; 6] = [22, 12, 21, 11, 32, 31];
    const AMAF_GOLDEN: [usize; 6] = [22, 21, 12, 11, 32, 31];
    const DIVIDE_GOLDEN: [usize; 6] = [12, 32, 22, 21, 11, 31];

    #[test]
    fn what_cannot_be_learned_is_said() {
        let error = |game: &str, agent: &str| {
            study_order(game, None, &agent.parse().expect("an agent")).expect_err("a mistake").to_string()
        };
        assert!(error("heap-go", "uct").contains("learns no order: give a search with playout=maxi"));
        assert!(error("hex", "uct playout=maxi").contains("known: heap-go"));
        assert!(error("heap-go heaps=x", "uct playout=maxi").contains("heaps=x: expected"));
    }
}
