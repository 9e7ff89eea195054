//! What makes the agents of a game: the part of the catalog that knows the game's type. It is compiled for every game, so it
//! only puts parts together.

use crate::agent_name::Expert;
use crate::learner_name::{LearnerName, ReadName};
use crate::playout_name::PlayoutName;
use crate::search_name::{SearchName, Unit};
use crate::{Error, ProgramName};
use aji_games::{OwnSolver, SelfSolving, Strategy, SumSolver, Summed, ThermoPlayer};
use aji_search::bandit::{AnyRule, Select, Steady};
use aji_search::exact::Solver;
use aji_search::learn::{
    Advice, Amaf, Bouzy, DividePlayer, Divisible, Division, Learner, Learning, Potentials, ReadOut, Reading,
    Repair, Ride,
};
use aji_search::playout::{Cutoff, Epsilon, Lgr, Mast, Recorded, Uniform};
use aji_search::{
    AnyAgent, AnyGame, Evaluate, Game, PLAYOUT_PLIES_MAX, Payoff, Playable, Rng, Search, Settings, Split,
    Utility, hide_agent, hide_graph_search, hide_search,
};

/// Makes agents for positions of one game.
pub(crate) trait MakeAgents: Send + Sync {
    /// A Monte Carlo search on one thread, with these random numbers and this much memory.
    fn search(&self, name: &SearchName, game: &AnyGame, rng: Rng, memory: usize) -> Result<AnyAgent, Error>;

    /// What solves the game with this cap on memory.
    fn solver(&self, memory: usize) -> AnyAgent;

    /// A player that knows this kind of game, if it is one for it.
    fn expert(&self, expert: Expert) -> Option<AnyAgent>;

    /// Divide and conquer with this seed, if the game has parts.
    fn divide(&self, division: Division, seed: u64) -> Option<AnyAgent>;

    /// A program, if programs play the game.
    fn program(&self, name: &ProgramName) -> Option<Result<AnyAgent, Error>>;
}

/// An evaluation of leaves.
pub(crate) type Evaluation<G> = Box<dyn Evaluate<G> + Send>;

/// Makes the agents of a game of type `G`.
pub(crate) struct Maker<G: Game> {
    estimate: Option<fn(&G) -> Payoff>,
    /// Playouts that this game alone has.
    playouts: fn(&PlayoutName) -> Option<Evaluation<G>>,
    experts: fn(Expert) -> Option<AnyAgent>,
    divide: fn(Division, u64) -> Option<AnyAgent>,
    solver: fn(usize) -> AnyAgent,
    /// UCT with uniform playouts compiled for this game alone, for games whose moves take nanoseconds: the search that serves all
    /// agents asks which rule and which playout at every step. Each takes a while to build.
    fast: Option<Fast<G>>,
    program: Option<MakeProgram>,
}

type Fast<G> = fn(Search<G>) -> AnyAgent;

type MakeProgram = fn(&ProgramName) -> Result<AnyAgent, Error>;

impl<G: Playable> Maker<G> {
    /// For a game of which nothing more is known.
    pub(crate) fn new() -> Maker<G> {
        Maker {
            estimate: None,
            playouts: |_| None,
            experts: |_| None,
            divide: |_, _| None,
            solver: |memory| Box::new(Solver::<AnyGame>::new(memory)),
            fast: None,
            program: None,
        }
    }

    /// The same with a heuristic.
    pub(crate) fn estimate(self, estimate: fn(&G) -> Payoff) -> Maker<G> {
        let solver = |memory| -> AnyAgent {
            let by_estimate = |game: &AnyGame| game.estimate().unwrap_or(Payoff::DRAW);
            Box::new(Solver::new(memory).estimate(by_estimate))
        };
        Maker { estimate: Some(estimate), solver, ..self }
    }

    /// The same for a game that knows its own way to its solution.
    pub(crate) fn self_solving(self) -> Maker<G>
    where
        G: SelfSolving,
    {
        Maker { solver: |memory| hide_agent::<G>(Box::new(OwnSolver::new(memory))), ..self }
    }

    /// The same with playouts that this game alone has.
    pub(crate) fn playouts(self, playouts: fn(&PlayoutName) -> Option<Evaluation<G>>) -> Maker<G> {
        Maker { playouts, ..self }
    }

    /// The same for a sum of parts, which can be solved by those; with players that know such games.
    pub(crate) fn summed(self) -> Maker<G>
    where
        G: Summed + Divisible,
    {
        Maker {
            divide: |division, seed| Some(hide_agent::<G>(Box::new(DividePlayer::new(division, seed)))),
            solver: |memory| hide_agent::<G>(Box::new(SumSolver::new(memory))),
            experts: thermo_player::<G>,
            ..self
        }
    }

    /// The same with players that know this kind of game.
    pub(crate) fn experts(self, experts: fn(Expert) -> Option<AnyAgent>) -> Maker<G> {
        Maker { experts, ..self }
    }

    /// The same, with programs that play it.
    pub(crate) fn programs(self, program: MakeProgram) -> Maker<G> {
        Maker { program: Some(program), ..self }
    }

    /// The same with a search made for this game alone.
    pub(crate) fn fast(self) -> Maker<G> {
        Maker { fast: Some(hide_search), ..self }
    }

    /// A position without its type, and with the heuristic.
    pub(crate) fn hide(&self, game: G) -> AnyGame {
        match self.estimate {
            Some(estimate) => AnyGame::with_estimate(game, estimate),
            None => AnyGame::new(game),
        }
    }

    /// The evaluation of leaves; none for uniform playouts.
    fn evaluation(&self, name: &SearchName) -> Result<Option<Evaluation<G>>, Error> {
        if let Some(learner) = name.learn {
            let advice = if name.playout == PlayoutName::Maxi { Advice::First } else { Advice::None };
            return Ok(Some(Box::new(Learning::new(learner_of(learner, name), advice))));
        }
        let guess = |word: &str| {
            let missing = || Error::new(format!("{word} needs a heuristic, and this game has none"));
            self.estimate.ok_or_else(missing)
        };
        Ok(Some(match (name.playout, name.cutoff) {
            (PlayoutName::Mast(preference), _) => Box::new(Mast::new(preference)),
            (PlayoutName::Lgr, _) => Box::new(Lgr::new()),
            (PlayoutName::Atari(_), Some(_)) => {
                return Err(Error::new("playout=atari plays to the end: leave cutoff= out"));
            }
            (PlayoutName::Atari(_), None) => {
                let none = || Error::new("playout=atari plays go, and this game is none");
                (self.playouts)(&name.playout).ok_or_else(none)?
            }
            (PlayoutName::Epsilon(epsilon), cutoff) => {
                let plies = cutoff.unwrap_or(PLAYOUT_PLIES_MAX);
                Box::new(Epsilon { epsilon, plies, estimate: guess("playout=epsilon")? })
            }
            (PlayoutName::Uniform, None) if name.wants_amaf() => Box::new(Recorded),
            (PlayoutName::Maxi, _) | (PlayoutName::Uniform, None) => return Ok(None),
            (PlayoutName::Uniform, Some(plies)) if name.eval => {
                Box::new(Cutoff { plies, estimate: Some(guess("eval=on")?) })
            }
            (PlayoutName::Uniform, Some(plies)) => Box::new(Cutoff::draw(plies)),
        }))
    }
}

/// The game itself of a session's position.
fn own<G: Playable>(game: &AnyGame) -> &G {
    game.as_game().expect("a maker of the game's own type")
}

fn hidden<G, S, E>(search: Search<G, S, E>, name: &SearchName) -> AnyAgent
where
    G: Playable,
    S: Select + Send + 'static,
    E: Evaluate<G> + Send + 'static,
{
    if name.transpositions { hide_graph_search(search.transpositions()) } else { hide_search(search) }
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

/// Those who play any sum by its parts' thermographs.
pub(crate) fn thermo_player<G: Playable + Summed>(expert: Expert) -> Option<AnyAgent> {
    let strategy = match expert {
        Expert::Thermo => Strategy::Thermo,
        Expert::Sentestrat => Strategy::Sente,
        Expert::TopWeight => return None,
    };
    Some(hide_agent::<G>(Box::new(ThermoPlayer::new(strategy))))
}

impl<G: Playable> MakeAgents for Maker<G> {
    fn search(&self, name: &SearchName, game: &AnyGame, rng: Rng, memory: usize) -> Result<AnyAgent, Error> {
        let evaluation = self.evaluation(name)?;
        let game = own::<G>(game);
        let utility = match name.unit {
            None => Utility::suitable(game),
            Some(Unit::Win) => Utility::Win,
            Some(Unit::Points) => Utility::score(game),
        };
        let (low, high) = game.payoff_range();
        let settings = Settings { utility, ..name.search_settings(memory) };
        let [root, below] = name.rules(high - low);
        if let (AnyRule::Ucb1(rule), None, Some(fast)) = (below, &evaluation, self.fast)
            && root == below
            && !name.transpositions
        {
            return Ok(fast(Search::of(game.clone(), rule, Uniform).settings(settings).rng(rng)));
        }
        // A rule of the whole tree is asked everywhere, and does not rest at the root alone.
        let root = Steady::new(root, if root == below { 0 } else { name.steady });
        let rule = Split { root, below, near: name.near };
        let evaluation = evaluation.unwrap_or_else(|| Box::new(Uniform));
        let search = Search::of(game.clone(), rule, evaluation).settings(settings).rng(rng);
        Ok(hidden(if name.wants_amaf() { search.amaf(name.reference) } else { search }, name))
    }

    fn solver(&self, memory: usize) -> AnyAgent {
        (self.solver)(memory)
    }

    fn expert(&self, expert: Expert) -> Option<AnyAgent> {
        (self.experts)(expert)
    }

    fn divide(&self, division: Division, seed: u64) -> Option<AnyAgent> {
        (self.divide)(division, seed)
    }

    fn program(&self, name: &ProgramName) -> Option<Result<AnyAgent, Error>> {
        self.program.map(|program| program(name))
    }
}
