//! The order of actions that an agent learns in Heap-Go, compared with the temperatures of the heaps.

use crate::Error;
use aji_catalog::{AgentName, Session, session, unknown};
use aji_cgt::Dyadic;
use aji_games::HeapGo;
use aji_search::{Keyed, Named, Watch};

/// An action of Heap-Go: a move in a heap that has this many counters.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedAction {
    /// The number of the heap, from 1.
    pub heap: usize,
    /// Its counters.
    pub counters: usize,
    /// The weight of the top counter.
    pub top_weight: u32,
    /// The temperature of the heap with these counters.
    pub temperature: Dyadic,
}

/// An order of all actions of a game.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnedOrder {
    /// The actions, the best first.
    pub actions: Vec<LearnedAction>,
    /// The simulations that the agent spent to learn it.
    pub simulations: u64,
}

/// How well an order agrees with the temperatures, over pairs of actions in different heaps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MatchRate {
    /// Pairs of different temperatures with the hotter action first.
    pub matched: u64,
    /// Pairs of different temperatures.
    pub pairs: u64,
    /// Pairs of equal temperatures.
    pub ties: u64,
}

impl MatchRate {
    /// The share of matched pairs among those of different temperatures. `None` if there are no such pairs.
    pub fn excluding_ties(&self) -> Option<f64> {
        (self.pairs > 0).then(|| self.matched as f64 / self.pairs as f64)
    }

    /// The share of matched pairs among all pairs: a tie counts as a miss. `None` if there are no pairs.
    pub fn strict(&self) -> Option<f64> {
        (self.pairs + self.ties > 0).then(|| self.matched as f64 / (self.pairs + self.ties) as f64)
    }
}

impl LearnedOrder {
    /// Compares the order with the temperatures.
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

    /// The same actions by the weight of their top counters, the heaviest first. This order takes no search.
    pub fn by_top_weight(&self) -> LearnedOrder {
        let mut actions = self.actions.clone();
        actions.sort_by_key(|action| (std::cmp::Reverse(action.top_weight), action.heap, action.counters));
        LearnedOrder { actions, simulations: 0 }
    }
}

/// Lets an agent think about a game of Heap-Go such as `heap-go heaps=5 counters=5 seed=7`, and returns the order it
/// has learned. The agent thinks about the start of the game, or about the given position. The watch may stop it.
pub fn study_order(
    game: &str,
    position: Option<&str>,
    agent: &AgentName,
    watch: &mut dyn Watch,
) -> Result<LearnedOrder, Error> {
    let mut session = heap_go_session(game)?;
    let mut heaps = heap_go(session.as_ref())?;
    if let Some(position) = position {
        session.set_position(position)?;
        heaps = heaps.read(position).map_err(Error::new)?;
    }
    let unlearned = || {
        Error::new(format!(
            "agent {agent} learns no order: give a search with playout=maxi or learn=ride, or divide"
        ))
    };
    // A network never learns here, so it is not asked for.
    if agent.has_policy() {
        return Err(unlearned());
    }
    let report = session.think(agent, watch)?;
    let order = session.order().ok_or_else(unlearned)?;
    let actions = temperatures(&heaps)?;
    let actions = order.keys().iter().filter_map(|&key| actions[key as usize].clone()).collect();
    Ok(LearnedOrder { actions, simulations: report.simulations })
}

/// Opens a game of Heap-Go. Refuses other games.
fn heap_go_session(game: &str) -> Result<Box<dyn Session>, Error> {
    match game.split_whitespace().next() {
        Some(word) if word != "heap-go" => {
            Err(unknown("game with known temperatures", word, &["heap-go"]).into())
        }
        _ => Ok(session(game)?),
    }
}

/// The game of a session at its start. The heaps of the text are the same, so their keys are too.
fn heap_go(session: &dyn Session) -> Result<HeapGo, Error> {
    let text = session.text();
    let heaps = text.split_whitespace().next().unwrap_or_default();
    HeapGo::read_heaps(heaps).map(HeapGo::new).map_err(|error| Error::new(format!("heap-go: {error}")))
}

/// All actions by their keys. `None` for those that can no longer occur in this position.
pub(super) fn temperatures(game: &HeapGo) -> Result<Vec<Option<LearnedAction>>, Error> {
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
