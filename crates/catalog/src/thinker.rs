//! From an agent's name to the agent, for a game of known type.

use crate::agent_name::{AgentName, Method, PlayoutName, SearchName, Unit};
use crate::{Error, RuleName};
use aji_search::bandit::Select;
use aji_search::playout::{Cutoff, Epsilon, Uniform};
use aji_search::{
    Agent, Extras, Game, Leaf, OVERHEAD_BYTES, PLAYOUT_PLIES_MAX, Payoff, Playout, Random, Rng, Search,
    Split, Tree, Utility,
};

/// A game's heuristic, if it has one.
pub(crate) type Estimate<G> = Option<fn(&G) -> Payoff>;

/// The agent of this name. The plain UCT that most searches are gets code of its own; all others share one.
pub(crate) fn agent<G>(name: &AgentName, game: &G, estimate: Estimate<G>) -> Result<Box<dyn Agent<G>>, Error>
where
    G: Game + PartialEq + 'static,
{
    let search_name = match &name.method {
        Method::Random => return Ok(Box::new(Random(Rng::seeded(name.seed)))),
        Method::Search(search_name) => search_name,
    };
    // One player has nobody to win against.
    let suitable = if game.players() == 1 { Unit::Points } else { Unit::Win };
    let search = Search::new(game.clone())
        .seed(name.seed)
        .memory(usize::try_from(name.memory).unwrap_or(usize::MAX))
        .depth(search_name.depth)
        .solver(search_name.solver)
        .recommend(search_name.recommendation())
        .utility(match search_name.unit.unwrap_or(suitable) {
            Unit::Win => Utility::Win,
            Unit::Points => Utility::score(game),
        });
    let playout = AnyPlayout::new(search_name, estimate)?;
    Ok(match (search_name.root_rule(), search_name.below, playout) {
        (RuleName::Ucb1(root), RuleName::Ucb1(below), AnyPlayout::Uniform) if root == below => {
            Box::new(search.select(below))
        }
        (root, below, playout) => Box::new(search.select(Split { root, below }).evaluate(playout)),
    })
}

/// The smallest memory that this agent needs for this position.
pub(crate) fn memory_min<G: Game>(name: &AgentName, game: &G) -> usize {
    let Method::Search(search_name) = &name.method else { return 0 };
    let extras = Extras {
        squares: search_name.root_rule().wants_squares() || search_name.below.wants_squares(),
        bounds: search_name.solver,
    };
    let mut actions = Vec::new();
    game.actions(&mut actions);
    OVERHEAD_BYTES + actions.len() * Tree::<G::Action>::edge_bytes(extras)
}

/// Any of the playouts.
enum AnyPlayout<G> {
    Uniform,
    Cutoff(Cutoff<G>),
    Epsilon(Epsilon<G>),
}

impl<G: Game> AnyPlayout<G> {
    fn new(name: &SearchName, estimate: Estimate<G>) -> Result<AnyPlayout<G>, Error> {
        let missing = |word: &str| Error::new(format!("{word} needs a heuristic, and this game has none"));
        let guess = |word| estimate.ok_or_else(|| missing(word));
        Ok(match (name.playout, name.cutoff) {
            (PlayoutName::Epsilon(epsilon), cutoff) => {
                let plies = cutoff.unwrap_or(PLAYOUT_PLIES_MAX);
                AnyPlayout::Epsilon(Epsilon { epsilon, plies, estimate: guess("playout=epsilon")? })
            }
            (PlayoutName::Uniform, None) => AnyPlayout::Uniform,
            (PlayoutName::Uniform, Some(plies)) if name.eval => {
                AnyPlayout::Cutoff(Cutoff { plies, estimate: guess("eval=on")? })
            }
            (PlayoutName::Uniform, Some(plies)) => AnyPlayout::Cutoff(Cutoff::draw(plies)),
        })
    }
}

impl<G: Game> Playout<G> for AnyPlayout<G> {
    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        match self {
            AnyPlayout::Uniform => Uniform.playout(leaf, rng),
            AnyPlayout::Cutoff(playout) => playout.playout(leaf, rng),
            AnyPlayout::Epsilon(playout) => playout.playout(leaf, rng),
        }
    }
}
