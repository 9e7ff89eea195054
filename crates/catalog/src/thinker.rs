//! From an agent's name to the agent, for a game of known type.

use crate::agent_name::{AgentName, AlphaBetaName, Expert, Method};
use crate::learner_name::{LearnerName, ReadName};
use crate::playout_name::PlayoutName;
use crate::search_name::{SearchName, Unit};
use crate::units::{show_bytes, thousands};
use crate::{Error, ProgramName};
use aji_games::{AtariSteps, Strategy, Summed, ThermoPlayer};
use aji_search::bandit::{AnyRule, Select, Steady, Ucb1};
use aji_search::exact::AlphaBeta;
use aji_search::learn::{
    Advice, Amaf, Bouzy, Division, Learning, Order, Potentials, ReadOut, Reading, Repair, Ride, Trace,
};
use aji_search::playout::{Cutoff, Epsilon, Lgr, Mast, Recorded, Uniform};
use aji_search::{
    Agent, Carry, Evaluate, Extras, Game, Hashed, Keyed, Leaf, Multistage, OVERHEAD_BYTES, PLAYOUT_PLIES_MAX,
    Payoff, Playout, Random, Report, Rng, RootParallel, Search, Split, Stopped, Tree, Utility,
    overhead_bytes,
};

/// What every game of the catalog is.
pub(crate) trait Playable:
    Hashed<Action: Send + Sync> + Keyed + PartialEq + Send + Sync + 'static
{
}

impl<G: Hashed<Action: Send + Sync> + Keyed + PartialEq + Send + Sync + 'static> Playable for G {}

/// A game's heuristic, if it has one.
pub(crate) type Estimate<G> = Option<fn(&G) -> Payoff>;

/// Playouts of Go that look after these things.
pub(crate) type AtariPlayout<G> = fn(AtariSteps, &mut Leaf<G>, &mut Rng) -> Payoff;

/// The players that know this kind of game, by what they are.
pub(crate) type Experts<G> = fn(Expert) -> Option<Box<dyn Agent<G>>>;

/// What the catalog has for a game beside its rules.
#[derive(Clone, Copy)]
pub(crate) struct Lore<G: Game> {
    pub(crate) estimate: Estimate<G>,
    /// Playouts that look after what is in danger, and are recorded.
    pub(crate) atari: Option<AtariPlayout<G>>,
    pub(crate) experts: Experts<G>,
    /// What learns it by divide and conquer, with this seed, if it has parts.
    pub(crate) divided: Option<Divide<G>>,
    /// What solves it, with this cap on memory.
    pub(crate) solver: fn(usize) -> Box<dyn Agent<G>>,
    /// Plain UCT made for this game alone, for games whose moves take nanoseconds: the search that serves all agents asks
    /// which rule and which playout at every step. Each takes a while to build.
    pub(crate) plain: Option<Plain<G>>,
    /// Other programs, if they play it.
    pub(crate) program: Option<Program<G>>,
}

/// A program of this name as an agent.
pub(crate) type Program<G> = fn(&ProgramName) -> Result<Box<dyn Agent<G>>, Error>;

/// Divide and conquer in a game, with this seed.
type Divide<G> = fn(Division, u64) -> Box<dyn Agent<G>>;

type Plain<G> = fn(Search<G>, Ucb1, &SearchName) -> Box<dyn Agent<G>>;

/// Plain UCT of one game.
pub(crate) fn plain<G: Playable>(search: Search<G>, rule: Ucb1, name: &SearchName) -> Box<dyn Agent<G>> {
    let search = search.select(rule);
    if name.transpositions { Box::new(search.transpositions()) } else { on_threads(search, name.threads) }
}

/// The agent of this name. `title` is what the game is called.
pub(crate) fn agent<G>(
    name: &AgentName,
    title: &str,
    game: &G,
    lore: &Lore<G>,
) -> Result<Box<dyn Agent<G>>, Error>
where
    G: Playable,
{
    match &name.method {
        Method::Random => Ok(Box::new(Random(Rng::seeded(name.seed)))),
        Method::Search(search_name) => {
            let agent = search(name, search_name, game, lore)?;
            Ok(if search_name.carry { Box::new(Carry::new(agent)) } else { agent })
        }
        Method::AlphaBeta(alpha_beta_name) => {
            Ok(Box::new(alpha_beta(name, alpha_beta_name, title, game, lore.estimate)?))
        }
        &Method::Multistage { .. } if game.players() != 1 => {
            let players = game.players();
            Err(Error::new(format!("ams: {title} has {players} players; it plays decision problems of one")))
        }
        &Method::Multistage { samples, stages } => Ok(Box::new(Multistage {
            samples,
            stages,
            c: std::f32::consts::SQRT_2,
            utility: Utility::score(game),
            rng: Rng::seeded(name.seed),
        })),
        &Method::Divide(division) => {
            let divided = lore.divided.ok_or_else(|| {
                Error::new(format!(
                    "{name}: it plays sums of games, and {title} is none; use uct playout=maxi"
                ))
            })?;
            Ok(divided(division, name.seed))
        }
        Method::Exact => Ok((lore.solver)(memory(name))),
        &Method::Expert(expert) => (lore.experts)(expert).ok_or_else(|| {
            let plays = Expert::KNOWN.iter().find(|known| known.1 == expert).map_or("", |known| known.2);
            Error::new(format!("{name}: it plays {plays}, and {title} is none; use uct"))
        }),
        Method::Program(program_name) => {
            let none = || Error::new(format!("{name}: it plays go, and {title} is none; use uct"));
            lore.program.ok_or_else(none)?(program_name)
        }
    }
}

/// Those who play any sum by its parts' thermographs.
pub(crate) fn thermo_player<G: Summed + 'static>(expert: Expert) -> Option<Box<dyn Agent<G>>> {
    let strategy = match expert {
        Expert::Thermo => Strategy::Thermo,
        Expert::Sentestrat => Strategy::Sente,
        Expert::TopWeight => return None,
    };
    Some(Box::new(ThermoPlayer::new(strategy)))
}

fn memory(name: &AgentName) -> usize {
    usize::try_from(name.memory).unwrap_or(usize::MAX)
}

fn alpha_beta<G: Hashed>(
    name: &AgentName,
    parts: &AlphaBetaName,
    title: &str,
    game: &G,
    estimate: Estimate<G>,
) -> Result<AlphaBeta<G>, Error> {
    let refused = |why: &str| {
        Err(Error::new(format!(
            "alphabeta: {title} {why}; it plays two-player zero-sum games without chance"
        )))
    };
    if game.has_chance() {
        return refused("has chance");
    } else if game.players() != 2 {
        return refused(&format!(
            "has {} player{}",
            game.players(),
            if game.players() == 1 { "" } else { "s" }
        ));
    } else if game.payoff_sum() != Some(0.0) {
        return refused("is not zero-sum");
    } else if parts.eval == Some(true) && estimate.is_none() {
        return Err(Error::new(format!("alphabeta: eval=on needs a heuristic, and {title} has none")));
    }
    let search = AlphaBeta::new()
        .depth(name.alpha_beta_depth(parts))
        .table(memory(name).saturating_sub(OVERHEAD_BYTES));
    Ok(match estimate.filter(|_| parts.eval != Some(false)) {
        Some(estimate) => search.estimate(estimate),
        None => search,
    })
}

/// Why a report has no action.
pub(crate) fn nothing_found<G: Playable>(
    name: &AgentName,
    title: &str,
    game: &G,
    report: &Report<G::Action>,
) -> Error {
    let (given, positions) = (show_bytes(name.memory), thousands(report.nodes as u64));
    let instead = if game.has_chance() || game.players() != 2 { "uct" } else { "alphabeta depth=8" };
    Error::new(match report.stopped {
        Stopped::TooLarge if matches!(name.method, Method::Expert(_)) => {
            format!("{name}: a part of {title} is too large for its thermograph; use uct, or smaller boards")
        }
        Stopped::TooLarge => format!(
            "exact: {title} has more than {positions} positions from here, the limit by memory={given}; \
             give more, or use {instead}"
        ),
        Stopped::Endless => format!(
            "exact: {title} can go on for ever, and the values of its {positions} positions do not settle; use {instead}"
        ),
        Stopped::Time | Stopped::Simulations | Stopped::Handle => {
            format!("{name}: the budget ended after {positions} positions of {title}, before it was solved")
        }
        _ => {
            let least = memory_min(name, game).div_ceil(1000);
            format!("memory={given} is too small: this position needs {least}kB")
        }
    })
}

/// A Monte Carlo search.
fn search<G>(
    name: &AgentName,
    search_name: &SearchName,
    game: &G,
    lore: &Lore<G>,
) -> Result<Box<dyn Agent<G>>, Error>
where
    G: Playable,
{
    // One player has nobody to win against.
    let suitable = if game.players() == 1 { Unit::Points } else { Unit::Win };
    let search = Search::new(game.clone())
        .seed(name.seed)
        .memory(memory(name))
        .depth(search_name.depth)
        .solver(search_name.solver)
        .wave(search_name.wave)
        .recycle(search_name.recycle)
        .recommend(search_name.recommendation())
        .utility(match search_name.unit.unwrap_or(suitable) {
            Unit::Win => Utility::Win,
            Unit::Points => Utility::score(game),
        });
    let playout = AnyPlayout::new(search_name, lore.estimate, lore.atari)?;
    let (low, high) = game.payoff_range();
    let [root, below] = search_name.rules(high - low);
    if let (AnyRule::Ucb1(rule), AnyPlayout::Uniform, Some(plain)) = (below, &playout, lore.plain)
        && root == below
    {
        return Ok(plain(search, rule, search_name));
    }
    // A rule of the whole tree is asked everywhere, and does not rest at the root alone.
    let root = Steady::new(root, if root == below { 0 } else { search_name.steady });
    let search = search.select(Split { root, below, near: search_name.near }).evaluate(playout);
    let search = if search_name.wants_amaf() { search.amaf(search_name.reference) } else { search };
    Ok(if search_name.transpositions {
        Box::new(search.transpositions())
    } else {
        on_threads(search, search_name.threads)
    })
}

/// The search on so many threads, each with a tree of its own.
fn on_threads<G, S, E>(search: Search<G, S, E>, threads: usize) -> Box<dyn Agent<G>>
where
    G: Playable,
    S: Select + Clone + Send + 'static,
    E: Evaluate<G> + Clone + Send + 'static,
{
    if threads == 1 { Box::new(search) } else { Box::new(RootParallel::new(search, threads)) }
}

/// The smallest memory that this agent needs for this position.
pub(crate) fn memory_min<G: Playable>(name: &AgentName, game: &G) -> usize {
    let Method::Search(search_name) = &name.method else { return 0 };
    if search_name.transpositions {
        return Search::new(game.clone()).utility(Utility::score(game)).transpositions().memory_min();
    }
    let extras = Extras {
        squares: search_name.root_rule().wants_squares() || search_name.below_rule().wants_squares(),
        bounds: search_name.solver,
        keys: search_name.learns(),
        amaf: search_name.wants_amaf(),
    };
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let learner =
        AnyPlayout::new(search_name, None, None).map_or(0, |playout| Playout::bytes(&playout, game));
    overhead_bytes(search_name.wave) + learner + actions.len() * Tree::<G::Action>::edge_bytes(extras)
}

/// Any of the playouts.
#[derive(Clone)]
enum AnyPlayout<G: Game> {
    Uniform,
    Atari(AtariSteps, AtariPlayout<G>),
    Cutoff(Cutoff<G>),
    Epsilon(Epsilon<G>),
    Ride(Learning<Ride>),
    Potential(Learning<Potentials>),
    Amaf(Learning<Amaf>),
    Bouzy(Learning<Bouzy>),
    Mast(Mast),
    Lgr(Lgr),
    Recorded,
}

impl<G: Game> AnyPlayout<G> {
    fn new(
        name: &SearchName,
        estimate: Estimate<G>,
        atari: Option<AtariPlayout<G>>,
    ) -> Result<AnyPlayout<G>, Error> {
        let missing = |word: &str| Error::new(format!("{word} needs a heuristic, and this game has none"));
        let guess = |word| estimate.ok_or_else(|| missing(word));
        let advice = if name.playout == PlayoutName::Maxi { Advice::First } else { Advice::None };
        match name.learn {
            Some(LearnerName::Ride) => {
                let repair = match name.repair {
                    None => Repair::ByKeys,
                    Some(0) => Repair::Always,
                    Some(every) => Repair::Every(every),
                };
                let read_out = if let Some(ReadName::Ride(read)) = name.read { read } else { ReadOut::List };
                return Ok(AnyPlayout::Ride(Learning::new(Ride::new(repair, read_out), advice)));
            }
            Some(LearnerName::Potential) => {
                return Ok(AnyPlayout::Potential(Learning::new(Potentials::new(name.repair), advice)));
            }
            Some(LearnerName::Amaf) => {
                let reading =
                    if let Some(ReadName::Amaf(read)) = name.read { read } else { Reading::Difference };
                return Ok(AnyPlayout::Amaf(Learning::new(Amaf::new(reading, name.repair), advice)));
            }
            Some(LearnerName::Bouzy) => {
                let bouzy = Bouzy::new(Bouzy::CONSTANT, Bouzy::STEP, name.repair);
                return Ok(AnyPlayout::Bouzy(Learning::new(bouzy, advice)));
            }
            None => {}
        }
        Ok(match (name.playout, name.cutoff) {
            (PlayoutName::Mast(preference), _) => AnyPlayout::Mast(Mast::new(preference)),
            (PlayoutName::Lgr, _) => AnyPlayout::Lgr(Lgr::new()),
            (PlayoutName::Atari(steps), None) => AnyPlayout::Atari(
                steps,
                atari.ok_or_else(|| Error::new("playout=atari plays go, and this game is none"))?,
            ),
            (PlayoutName::Atari(_), Some(_)) => {
                return Err(Error::new("playout=atari plays to the end: leave cutoff= out"));
            }
            (PlayoutName::Uniform, None) if name.wants_amaf() => AnyPlayout::Recorded,
            (PlayoutName::Epsilon(epsilon), cutoff) => {
                let plies = cutoff.unwrap_or(PLAYOUT_PLIES_MAX);
                AnyPlayout::Epsilon(Epsilon { epsilon, plies, estimate: guess("playout=epsilon")? })
            }
            (PlayoutName::Maxi, _) | (PlayoutName::Uniform, None) => AnyPlayout::Uniform,
            (PlayoutName::Uniform, Some(plies)) if name.eval => {
                AnyPlayout::Cutoff(Cutoff { plies, estimate: guess("eval=on")? })
            }
            (PlayoutName::Uniform, Some(plies)) => AnyPlayout::Cutoff(Cutoff::draw(plies)),
        })
    }
}

impl<G: Keyed> Playout<G> for AnyPlayout<G> {
    fn learns(&self) -> bool {
        !matches!(
            self,
            AnyPlayout::Uniform
                | AnyPlayout::Atari(..)
                | AnyPlayout::Cutoff(_)
                | AnyPlayout::Epsilon(_)
                | AnyPlayout::Recorded
        )
    }

    fn playout(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        match self {
            AnyPlayout::Uniform => Uniform.playout(leaf, rng),
            AnyPlayout::Atari(steps, playout) => playout(*steps, leaf, rng),
            AnyPlayout::Cutoff(playout) => playout.playout(leaf, rng),
            AnyPlayout::Epsilon(playout) => playout.playout(leaf, rng),
            AnyPlayout::Ride(playout) => playout.playout(leaf, rng),
            AnyPlayout::Potential(playout) => playout.playout(leaf, rng),
            AnyPlayout::Amaf(playout) => playout.playout(leaf, rng),
            AnyPlayout::Bouzy(playout) => playout.playout(leaf, rng),
            AnyPlayout::Mast(playout) => playout.playout(leaf, rng),
            AnyPlayout::Lgr(playout) => playout.playout(leaf, rng),
            AnyPlayout::Recorded => Recorded.playout(leaf, rng),
        }
    }

    fn playouts(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        match self {
            AnyPlayout::Uniform => Uniform.playouts(leaves, rng),
            AnyPlayout::Cutoff(playout) => playout.playouts(leaves, rng),
            AnyPlayout::Epsilon(playout) => playout.playouts(leaves, rng),
            learning => {
                for leaf in leaves {
                    leaf.payoff = learning.playout(leaf, rng);
                }
            }
        }
    }

    fn key(&self, game: &G, action: G::Action) -> u32 {
        game.key(action) as u32
    }

    fn learn(&mut self, trace: &Trace<G::Action>) {
        match self {
            AnyPlayout::Ride(playout) => Playout::<G>::learn(playout, trace),
            AnyPlayout::Potential(playout) => Playout::<G>::learn(playout, trace),
            AnyPlayout::Amaf(playout) => Playout::<G>::learn(playout, trace),
            AnyPlayout::Bouzy(playout) => Playout::<G>::learn(playout, trace),
            AnyPlayout::Mast(playout) => Playout::<G>::learn(playout, trace),
            AnyPlayout::Lgr(playout) => Playout::<G>::learn(playout, trace),
            _ => {}
        }
    }

    fn bytes(&self, game: &G) -> usize {
        match self {
            AnyPlayout::Ride(playout) => Playout::bytes(playout, game),
            AnyPlayout::Potential(playout) => Playout::bytes(playout, game),
            AnyPlayout::Amaf(playout) => Playout::bytes(playout, game),
            AnyPlayout::Bouzy(playout) => Playout::bytes(playout, game),
            AnyPlayout::Mast(playout) => Playout::bytes(playout, game),
            AnyPlayout::Lgr(playout) => Playout::bytes(playout, game),
            _ => 0,
        }
    }

    fn order(&self) -> Option<&Order> {
        match self {
            AnyPlayout::Ride(playout) => Playout::<G>::order(playout),
            AnyPlayout::Potential(playout) => Playout::<G>::order(playout),
            AnyPlayout::Amaf(playout) => Playout::<G>::order(playout),
            AnyPlayout::Bouzy(playout) => Playout::<G>::order(playout),
            _ => None,
        }
    }
}
