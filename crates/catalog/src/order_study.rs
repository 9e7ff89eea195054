//! What an agent learns of Heap-Go: the order of its actions, beside their temperatures.

use crate::error::unknown;
use crate::games::{heap_go, session};
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
    let mut session = session(game)?;
    if let Some(position) = position {
        session.set_position(position)?;
    }
    let report = session.think(agent, &mut ())?;
    let order = session.order().ok_or_else(|| {
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
