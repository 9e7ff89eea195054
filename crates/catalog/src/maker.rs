//! Makes the agents of a game. This part of the catalog knows the game's type and is compiled once per game, so it only
//! puts parts together.

use crate::agent_name::Expert;
use crate::learner_name::{CouponsName, LearnerName, ReadName};
use crate::network_parts::{Judge, NetworkParts, Request};
use crate::own::Missing;
use crate::playout_name::PlayoutName;
use crate::search_name::SearchName;
use crate::{Error, ProgramName};
use aji_games::{OwnSolver, SelfSolving, Strategy, SumSolver, Summed, ThermoPlayer};
use aji_search::bandit::{AnyRule, Steady};
use aji_search::exact::{Fallback, Solver};
use aji_search::learn::{
    Advice, Amaf, Bouzy, CouponPlayer, Coupons, DividePlayer, Divisible, Division, Learner, Learning,
    Potentials, ReadOut, Reading, Repair, Ride,
};
use aji_search::playout::{Cutoff, Epsilon, Lgr, Mast, Recorded, Uniform};
use aji_search::{
    Abilities, AnyAgent, AnyGame, Encoded, Evaluate, Game, Hashed, Keyed, Named, PLAYOUT_PLIES_MAX, Payoff,
    Playable, Rng, Search, Settings, Split, Symmetric, hide_agent, hide_graph_search, hide_search,
};
use std::fmt::Debug;

/// Makes agents for positions of one game.
pub(crate) trait MakeAgents: Send + Sync {
    /// A Monte Carlo search on one thread.
    fn search(&self, name: &SearchName, game: &AnyGame, means: Means) -> Result<AnyAgent, Error>;

    /// The error of an agent, or of its option, that needs what the game lacks.
    fn missing(&self, word: &str, what: Missing) -> Error;

    /// Whether an evaluation can value the game's leaves.
    fn is_valued(&self) -> bool;

    /// A solver of the game with this memory cap.
    fn solver(&self, memory: usize) -> AnyAgent;

    /// Whether the game has its own solver.
    fn is_self_solving(&self) -> bool;

    /// This expert, if it plays this kind of game.
    fn expert(&self, expert: Expert) -> Option<AnyAgent>;

    /// Divide and conquer with this seed, if the game has parts.
    fn divide(&self, division: Division, seed: u64) -> Option<AnyAgent>;

    /// A player by temperatures that it discovers, if the game has parts, with this memory and seed.
    fn coupons(&self, name: CouponsName, memory: usize, seed: u64) -> Option<AnyAgent>;

    /// A program, if programs play the game.
    fn program(&self, name: &ProgramName) -> Option<Result<AnyAgent, Error>>;
}

/// What a search needs beside its name.
pub(crate) struct Means {
    pub(crate) rng: Rng,
    /// The most bytes.
    pub(crate) memory: usize,
    /// The network that the name asks for, made for the game's shape, or an evaluation in its place.
    pub(crate) judge: Option<Judge>,
}

/// An evaluation of leaves.
pub(crate) type Evaluation<G> = Box<dyn Evaluate<G> + Send>;

/// Makes the agents of a game of type `G`.
pub(crate) struct Maker<G: Game> {
    abilities: Abilities<G>,
    /// The heuristic of the game's own type, for evaluations of leaves.
    estimate: Option<fn(&G) -> Payoff>,
    /// The parts that need keys of actions.
    keyed: Option<KeyedParts<G>>,
    /// The parts that need a network.
    networks: Option<NetworkParts<G>>,
    /// Search of a graph, which needs hashes.
    graph: Option<fn(AnySearch<G>) -> AnyAgent>,
    /// Playouts that this game alone has.
    playouts: fn(&PlayoutName) -> Option<Evaluation<G>>,
    experts: fn(Expert) -> Option<AnyAgent>,
    divide: fn(Division, u64) -> Option<AnyAgent>,
    coupons: fn(CouponsName, usize, u64) -> Option<AnyAgent>,
    solver: fn(usize) -> AnyAgent,
    is_self_solving: bool,
    /// UCT with uniform playouts compiled for this game alone, for games whose moves take nanoseconds: the general
    /// search looks up its rule and its playout at every step. Each such search adds build time.
    fast: Option<Fast<G>>,
    program: Option<MakeProgram>,
    /// The words for what an agent needs and the game lacks.
    lacks: fn(Missing) -> String,
}

type Fast<G> = fn(Search<G>) -> AnyAgent;

/// The search that serves all rules and evaluations.
type AnySearch<G> = Search<G, Split<Steady<AnyRule>, AnyRule>, Evaluation<G>>;

/// The parts of a search that read keys of actions.
struct KeyedParts<G: Game> {
    evaluation: fn(&SearchName) -> Option<Evaluation<G>>,
    amaf: fn(AnySearch<G>, u32) -> AnySearch<G>,
}

type MakeProgram = fn(&ProgramName) -> Result<AnyAgent, Error>;

impl<G: Playable> Maker<G> {
    /// For a game that has every trait.
    pub(crate) fn new() -> Maker<G>
    where
        G: Hashed + Keyed + Named + PartialEq + Debug,
    {
        Maker::plain().compared().named().hashed().keyed()
    }

    /// For a game with no trait but `Game`.
    pub(crate) fn plain() -> Maker<G> {
        Maker {
            abilities: Abilities::none(),
            estimate: None,
            keyed: None,
            networks: None,
            graph: None,
            playouts: |_| None,
            experts: |_| None,
            divide: |_, _| None,
            coupons: |_, _, _| None,
            solver: |memory| Box::new(Solver::<AnyGame>::new(memory)),
            is_self_solving: false,
            fast: None,
            program: None,
            lacks: Missing::in_rust,
        }
    }

    /// The same with a heuristic.
    pub(crate) fn estimate(self, estimate: fn(&G) -> Payoff) -> Maker<G> {
        let solver = |memory| -> AnyAgent {
            let by_estimate = |game: &AnyGame| game.estimate().unwrap_or(Payoff::DRAW);
            Box::new(Solver::new(memory).estimate(by_estimate))
        };
        Maker { estimate: Some(estimate), abilities: self.abilities.estimate(estimate), solver, ..self }
    }

    /// The same for a game with its own solver.
    pub(crate) fn self_solving(self) -> Maker<G>
    where
        G: SelfSolving,
    {
        Maker {
            solver: |memory| or_by_positions(memory, hide_agent::<G>(Box::new(OwnSolver::new(memory)))),
            is_self_solving: true,
            ..self
        }
    }

    /// The same for a game whose positions can be compared and shown.
    pub(crate) fn compared(self) -> Maker<G>
    where
        G: PartialEq + Debug,
    {
        Maker { abilities: self.abilities.compared(), ..self }
    }

    /// The same for a game with text for positions and actions.
    pub(crate) fn named(self) -> Maker<G>
    where
        G: Named,
    {
        Maker { abilities: self.abilities.named(), ..self }
    }

    /// The same for a game whose positions have hashes.
    pub(crate) fn hashed(self) -> Maker<G>
    where
        G: Hashed,
    {
        let graph = |search: AnySearch<G>| hide_graph_search(search.transpositions());
        Maker { abilities: self.abilities.hashed(), graph: Some(graph), ..self }
    }

    /// The same for a game whose actions have keys.
    pub(crate) fn keyed(self) -> Maker<G>
    where
        G: Keyed,
    {
        let parts = KeyedParts { evaluation: keyed_evaluation::<G>, amaf: AnySearch::<G>::amaf };
        Maker { abilities: self.abilities.keyed(), keyed: Some(parts), ..self }
    }

    /// The same for a game that networks can evaluate.
    pub(crate) fn encoded(self) -> Maker<G>
    where
        G: Encoded + Hashed,
    {
        // The cache of a network finds positions by their hashes.
        let abilities = self.abilities.hashed().encoded();
        Maker { abilities, networks: Some(NetworkParts::new()), ..self }
    }

    /// The same for a game whose leaves may be valued by a user's evaluation, which needs no encoding.
    pub(crate) fn valued(self) -> Maker<G> {
        Maker { networks: Some(NetworkParts::new()), ..self }
    }

    /// The same for a game whose board has symmetries.
    pub(crate) fn symmetric(self) -> Maker<G>
    where
        G: Symmetric + Hashed,
    {
        let maker = self.encoded();
        Maker { abilities: maker.abilities.symmetric(), ..maker }
    }

    /// The same with playouts that this game alone has.
    pub(crate) fn playouts(self, playouts: fn(&PlayoutName) -> Option<Evaluation<G>>) -> Maker<G> {
        Maker { playouts, ..self }
    }

    /// The same for a sum, which can be solved part by part, with the experts for sums.
    pub(crate) fn summed(self) -> Maker<G>
    where
        G: Summed + Divisible + PartialEq + Send + 'static,
    {
        Maker {
            divide: |division, seed| Some(hide_agent::<G>(Box::new(DividePlayer::new(division, seed)))),
            coupons: |name, memory, seed| Some(hide_agent::<G>(Box::new(coupon_player(name, memory, seed)))),
            solver: |memory| or_by_positions(memory, hide_agent::<G>(Box::new(SumSolver::new(memory)))),
            experts: thermo_player::<G>,
            ..self
        }
    }

    /// The same with the experts for this kind of game.
    pub(crate) fn experts(self, experts: fn(Expert) -> Option<AnyAgent>) -> Maker<G> {
        Maker { experts, ..self }
    }

    /// The same, with programs that play it.
    pub(crate) fn programs(self, program: MakeProgram) -> Maker<G> {
        Maker { program: Some(program), ..self }
    }

    /// The same with other words for what it lacks.
    pub(crate) fn lacks(self, words: fn(Missing) -> String) -> Maker<G> {
        Maker { lacks: words, ..self }
    }

    /// The same with a search made for this game alone.
    pub(crate) fn fast(self) -> Maker<G> {
        Maker { fast: Some(hide_search), ..self }
    }

    /// A position without its type.
    pub(crate) fn hide(&self, game: G) -> AnyGame {
        AnyGame::with(game, self.abilities)
    }

    /// The evaluation of leaves; none for uniform playouts.
    fn evaluation(&self, request: &Request) -> Result<Option<Evaluation<G>>, Error> {
        let playout = self.playout(request)?;
        let Some(parts) = self.networks.as_ref().filter(|_| request.name.has_policy()) else {
            return Ok(playout);
        };
        let values = request.values().map(|values| (parts.reveal)(values, self.abilities));
        Ok(match (values, request.name.lambda) {
            (Some(values), lambda) if lambda != 0.0 => {
                let playout = playout.unwrap_or_else(|| Box::new(Uniform));
                Some((parts.mix)(values, playout, lambda, request.utility))
            }
            (values, _) => values,
        })
    }

    /// How playouts value leaves; none for uniform ones.
    fn playout(&self, request: &Request) -> Result<Option<Evaluation<G>>, Error> {
        let name = request.name;
        match (needs_keys(name), &self.keyed) {
            (Some(word), None) => return Err(self.missing(word, Missing::Keyed)),
            (Some(_), Some(parts)) => {
                if let Some(evaluation) = (parts.evaluation)(name) {
                    return Ok(Some(evaluation));
                }
            }
            (None, _) => {}
        }
        let guess = |word: &str| {
            let missing = || Error::new(format!("{word} needs a heuristic, and this game has none"));
            self.estimate.ok_or_else(missing)
        };
        Ok(Some(match (name.playout, name.cutoff) {
            (PlayoutName::Atari(_), Some(_)) => {
                return Err(Error::new("playout=atari plays to the end: leave cutoff= out"));
            }
            (PlayoutName::Atari(_), None) => {
                let none = || Error::new("playout=atari plays only go, not this game");
                (self.playouts)(&name.playout).ok_or_else(none)?
            }
            (PlayoutName::Net(temperature), _) => {
                let playout = self.networks.as_ref().zip(request.playout(temperature));
                let (parts, playout) =
                    playout.ok_or_else(|| Error::new("playout=net: this game has no network"))?;
                (parts.reveal)(playout, self.abilities)
            }
            (PlayoutName::Epsilon(epsilon), cutoff) => {
                let plies = cutoff.unwrap_or(PLAYOUT_PLIES_MAX);
                Box::new(Epsilon { epsilon, plies, estimate: guess("playout=epsilon")? })
            }
            // These need keys, and `keyed_evaluation` has made them above.
            (PlayoutName::Mast(_) | PlayoutName::Lgr | PlayoutName::Maxi, _)
            | (PlayoutName::Uniform, None) => return Ok(None),
            (PlayoutName::Uniform, Some(plies)) if name.eval => {
                Box::new(Cutoff { plies, estimate: Some(guess("eval=on")?) })
            }
            (PlayoutName::Uniform, Some(plies)) => Box::new(Cutoff::draw(plies)),
        }))
    }
}

/// Tries a special solver first, and solves position by position if that fails.
fn or_by_positions(memory: usize, special: AnyAgent) -> AnyAgent {
    Box::new(Fallback::new(special, Box::new(Solver::<AnyGame>::new(memory))))
}

/// A session's position in the game's own type.
fn own<G: Playable>(game: &AnyGame) -> &G {
    game.as_game().expect("a maker of the game's own type")
}

/// The word of a search's name that asks for keys of actions, if one does.
fn needs_keys(name: &SearchName) -> Option<&'static str> {
    match name.playout {
        _ if name.learn.is_some() => Some("learn="),
        PlayoutName::Mast(_) => Some("playout=mast"),
        PlayoutName::Lgr => Some("playout=lgr"),
        _ => name.wants_amaf().then_some("rave"),
    }
}

/// The evaluation of a name that needs keys of actions; none if only the tree needs them.
fn keyed_evaluation<G: Playable + Keyed>(name: &SearchName) -> Option<Evaluation<G>> {
    Some(match (name.learn, name.playout) {
        (Some(learner), playout) => {
            let advice = if playout == PlayoutName::Maxi { Advice::First } else { Advice::None };
            Box::new(Learning::new(learner_of(learner, name), advice))
        }
        (None, PlayoutName::Mast(preference)) => Box::new(Mast::new(preference)),
        (None, PlayoutName::Lgr) => Box::new(Lgr::new()),
        (None, PlayoutName::Uniform) if name.cutoff.is_none() && name.wants_amaf() => Box::new(Recorded),
        _ => return None,
    })
}

/// Half of the memory is for looking ahead, the rest for the searches of parts.
fn coupon_player<G>(name: CouponsName, memory: usize, seed: u64) -> CouponPlayer<G>
where
    G: Divisible + PartialEq + Send,
{
    let coupons = Coupons { levels: name.levels, bytes: memory / 2 / name.threads, threads: name.threads };
    CouponPlayer::new(coupons, name.ahead.then_some(memory / 2), seed)
}

fn learner_of(learner: LearnerName, name: &SearchName) -> Box<dyn Learner + Send> {
    match learner {
        LearnerName::Ride => {
            let repair = match name.repair {
                None => Repair::ByKeys,
                Some(0) => Repair::Always,
                Some(every) => Repair::Every(every),
            };
            let read_out = if let Some(ReadName::Ride(read)) = name.read { read } else { ReadOut::List };
            Box::new(Ride::new(repair, read_out))
        }
        LearnerName::Potential => Box::new(Potentials::new(name.repair)),
        LearnerName::Amaf => {
            let reading = if let Some(ReadName::Amaf(read)) = name.read { read } else { Reading::Difference };
            Box::new(Amaf::new(reading, name.repair))
        }
        LearnerName::Bouzy => Box::new(Bouzy::new(Bouzy::CONSTANT, Bouzy::STEP, name.repair)),
    }
}

/// The experts that play any sum by its parts' thermographs.
pub(crate) fn thermo_player<G: Playable + Summed>(expert: Expert) -> Option<AnyAgent> {
    let strategy = match expert {
        Expert::Thermo => Strategy::Thermo,
        Expert::Sentestrat => Strategy::Sente,
        Expert::TopWeight => return None,
    };
    Some(hide_agent::<G>(Box::new(ThermoPlayer::new(strategy))))
}

impl<G: Playable> MakeAgents for Maker<G> {
    fn search(&self, name: &SearchName, game: &AnyGame, means: Means) -> Result<AnyAgent, Error> {
        let Means { rng, memory, judge } = means;
        let game = own::<G>(game);
        let utility = name.utility(game);
        let evaluation = self.evaluation(&Request { name, judge: judge.as_ref(), memory, utility })?;
        let (low, high) = game.payoff_range();
        let settings = Settings { utility, ..name.search_settings(memory) };
        let [root, below] = name.rules(high - low);
        if let (AnyRule::Ucb1(rule), None, Some(fast)) = (below, &evaluation, self.fast)
            && root == below
            && !name.transpositions
        {
            return Ok(fast(Search::of(game.clone(), rule, Uniform).settings(settings).rng(rng)));
        }
        // `steady` applies only to a root with a rule of its own.
        let root = Steady::new(root, if root == below { 0 } else { name.steady });
        let rule = Split { root, below, near: name.near };
        let evaluation = evaluation.unwrap_or_else(|| Box::new(Uniform));
        let search = Search::of(game.clone(), rule, evaluation).settings(settings).rng(rng);
        let search = match &self.keyed {
            Some(parts) if name.wants_amaf() => (parts.amaf)(search, name.reference),
            _ => search,
        };
        match self.graph {
            Some(graph) if name.transpositions => Ok(graph(search)),
            None if name.transpositions => Err(self.missing("transpositions=on", Missing::Hashed)),
            _ => Ok(hide_search(search)),
        }
    }

    fn missing(&self, word: &str, what: Missing) -> Error {
        Error::new(format!("{word} needs {}", (self.lacks)(what)))
    }

    fn is_valued(&self) -> bool {
        self.networks.is_some()
    }

    fn solver(&self, memory: usize) -> AnyAgent {
        (self.solver)(memory)
    }

    fn is_self_solving(&self) -> bool {
        self.is_self_solving
    }

    fn expert(&self, expert: Expert) -> Option<AnyAgent> {
        (self.experts)(expert)
    }

    fn divide(&self, division: Division, seed: u64) -> Option<AnyAgent> {
        (self.divide)(division, seed)
    }

    fn coupons(&self, name: CouponsName, memory: usize, seed: u64) -> Option<AnyAgent> {
        (self.coupons)(name, memory, seed)
    }

    fn program(&self, name: &ProgramName) -> Option<Result<AnyAgent, Error>> {
        self.program.map(|program| program(name))
    }
}
