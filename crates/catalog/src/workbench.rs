//! All games and agents with names: the built-in ones, and those that a user adds.

use crate::error::unknown;
use crate::maker::MakeAgents;
use crate::network_parts::{Judge, MakeEvaluation};
use crate::networks::Networks;
use crate::own::{IntoOwn, Missing};
use crate::own_agent::{OwnAgent, OwnAgents};
use crate::search_name::SearchName;
use crate::session::OpenSession;
use crate::words::Words;
use crate::{AgentName, Error, GAMES, KnownNetwork, Session};
use aji_search::{Agent, AnyAgent, AnyEvaluation, AnyGame, Encoded, Playable, Rng, hide_agent};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Games and agents by name. The default holds the built-in ones. Those that you add work everywhere the built-in ones
/// do.
///
/// A clone is cheap and shares its contents. Any thread may open sessions.
///
/// ```
/// use aji_catalog::Workbench;
/// use aji_search::{Game, Payoff, Player, Turn};
///
/// #[derive(Clone)]
/// struct Stones(u32, Player);
///
/// impl Game for Stones {
///     type Action = u32;
///     fn turn(&self) -> Turn {
///         if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
///     }
///     fn actions(&self, out: &mut Vec<u32>) {
///         out.extend(1..=self.0.min(3))
///     }
///     fn play(&mut self, taken: u32) {
///         *self = Stones(self.0 - taken, 1 - self.1)
///     }
///     fn payoff(&self) -> Payoff {
///         Payoff::win(1 - self.1)
///     }
/// }
///
/// let workbench = Workbench::new().game("stones", |options| {
///     Ok(Stones(options.count("stones", 1..=100)?.unwrap_or(10) as u32, 0))
/// });
/// let mut session = workbench.session("stones stones=9")?;
/// let report = session.think(&workbench.agent_name("uct simulations=2000")?, &mut ())?;
/// // It takes one stone, whose place in the list is 0.
/// assert_eq!(report.best.as_deref(), Some("0"));
/// # Ok::<(), aji_catalog::Error>(())
/// ```
#[derive(Clone, Default)]
pub struct Workbench {
    added: Added,
}

/// What was added to a workbench. Its sessions share it.
#[derive(Clone, Default)]
pub(crate) struct Added {
    games: Vec<Arc<OwnGame>>,
    pub(crate) agents: OwnAgents,
    pub(crate) networks: Networks,
    /// Evaluations, each with its word.
    evaluations: Vec<(String, Arc<MakeEvaluation>)>,
    /// Once it says yes, agents stop and no other begins.
    stop: Option<Arc<Stops>>,
}

/// Opens a game of this whole name by its options.
type Open = dyn Fn(String, &mut Words) -> Result<Box<OpenSession>, Error> + Send + Sync;

/// Whether agents should stop.
type Stops = dyn Fn() -> bool + Send + Sync;

/// A game that was added.
struct OwnGame {
    word: String,
    summary: String,
    options: String,
    open: Arc<Open>,
}

/// What a list says of a game or an agent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Its word.
    pub word: String,
    /// What it is, in a few words.
    pub summary: String,
    /// Its options, if it has any.
    pub options: String,
}

impl Workbench {
    /// The built-in games and agents.
    pub fn new() -> Workbench {
        Workbench::default()
    }

    /// Adds a game, which `open` makes from its options. It replaces a game with the same word. The word has no spaces.
    ///
    /// `open` returns the game itself, or [`Own::new`](crate::Own::new) of it with the traits that it has beside `Game`.
    pub fn game<G: IntoOwn>(
        mut self,
        word: &str,
        open: impl Fn(&mut Words) -> Result<G, Error> + Send + Sync + 'static,
    ) -> Workbench {
        let open = move |name: String, words: &mut Words| {
            let own = open(words)?.into_own();
            Ok(OpenSession::open(name, own.game, own.maker))
        };
        self.added.games.retain(|game| game.word != word);
        let (word, summary, options) = (word.into(), String::new(), String::new());
        self.added.games.push(Arc::new(OwnGame { word, summary, options, open: Arc::new(open) }));
        self
    }

    /// Describes the game added last, and its options, for lists.
    pub fn about(mut self, summary: &str, options: &str) -> Workbench {
        if let Some(last) = self.added.games.pop() {
            let (word, open) = (last.word.clone(), last.open.clone());
            self.added.games.push(Arc::new(OwnGame {
                word,
                summary: summary.into(),
                options: options.into(),
                open,
            }));
        }
        self
    }

    /// Adds an agent for any game. `make` gets its options, a random generator with its seed, and a position of the
    /// game. It replaces an agent with the same word. Options that every agent has, such as `simulations=`, become the
    /// budget of each move.
    pub fn agent(
        mut self,
        word: &str,
        summary: &str,
        make: impl Fn(&mut Words, Rng, &AnyGame) -> Result<AnyAgent, Error> + Send + Sync + 'static,
    ) -> Workbench {
        let make = move |words: &mut Words, seed: u64, game: &AnyGame| make(words, Rng::seeded(seed), game);
        self.added.agents.add(OwnAgent { word: word.into(), summary: summary.into(), make: Box::new(make) });
        self
    }

    /// Adds an agent for games of type `G` only. In other games it is refused.
    pub fn agent_of<G: Playable, A: Agent<G> + Send + 'static>(
        self,
        word: &str,
        summary: &str,
        make: impl Fn(&mut Words, Rng) -> Result<A, Error> + Send + Sync + 'static,
    ) -> Workbench {
        let title = word.to_string();
        self.agent(word, summary, move |words, rng, game| {
            if game.as_game::<G>().is_none() {
                return Err(Error::new(format!("agent {title}: it does not play this game; use uct")));
            }
            Ok(hide_agent::<G>(Box::new(make(words, rng)?)))
        })
    }

    /// Adds a network, given as the content of its file, for games of this word and of the network's shape. `alphazero`
    /// and `gumbel` use it if their name gives no `net=`. If several have the same shape and rules, the last one
    /// counts.
    pub fn network(mut self, game: &str, file: Vec<u8>) -> Result<Workbench, Error> {
        self.added.networks.add(game, file)?;
        Ok(self)
    }

    /// Adds an evaluation of leaves, such as a network of your own in another framework. `alphazero` and `gumbel` use it
    /// with `net=WORD`, for any game that is encoded or declared as [`valued`](crate::Own::valued). `make` makes it for one
    /// search. It replaces an evaluation with the same word.
    pub fn evaluation(
        mut self,
        word: &str,
        make: impl Fn() -> AnyEvaluation + Send + Sync + 'static,
    ) -> Workbench {
        self.added.evaluations.retain(|(other, _)| other != word);
        self.added.evaluations.push((word.into(), Arc::new(make)));
        self
    }

    /// Once the flag is set, the agents in sessions of this workbench stop within about a millisecond, and thinking is an
    /// error. This ends what a run of trials has begun.
    pub fn stopped_by(self, flag: &'static AtomicBool) -> Workbench {
        self.stopped_when(move || flag.load(Ordering::Relaxed))
    }

    /// The same, once this says yes. It is asked often, and from any thread.
    pub fn stopped_when(mut self, is_over: impl Fn() -> bool + Send + Sync + 'static) -> Workbench {
        self.added.stop = Some(Arc::new(is_over));
        self
    }

    /// Whether a [flag](Workbench::stopped_by) stops its agents.
    pub fn is_stoppable(&self) -> bool {
        self.added.stop.is_some()
    }

    /// Whether its agents are to stop now. What they play from now on is unsound.
    pub fn is_stopped(&self) -> bool {
        self.added.is_stopped()
    }

    /// Opens a game by its name: `connect-four`, `hex size=5`.
    pub fn session(&self, name: &str) -> Result<Box<dyn Session>, Error> {
        Ok(self.added.open(name)?.with_added(self.added.clone()))
    }

    /// All networks: those that were added, the last one first, then those that ship.
    pub fn networks(&self) -> Vec<KnownNetwork> {
        self.added.networks.known()
    }

    /// The file of the network that `alphazero` uses in a game without `net=`.
    pub fn network_file(&self, game: &str) -> Result<Vec<u8>, Error> {
        let session = self.session(game)?;
        let file =
            self.added.networks.file(session.name(), session.position(), &|name| self.added.rules(name));
        file.map(<[u8]>::to_vec).ok_or_else(|| {
            let games: Vec<String> = self.networks().into_iter().map(|known| known.game).collect();
            Error::new(format!(
                "no network ships for {}; there are networks of {}",
                session.name(),
                games.join(", ")
            ))
        })
    }

    /// Whether the game of this word was added.
    pub fn is_added(&self, word: &str) -> bool {
        self.added.has_game(word)
    }

    /// The strongest agent known for a game, by the game's name. Games that were added are played by the standard search.
    pub fn agent_for(&self, game: &str) -> Result<AgentName, Error> {
        let mut session = self.session(game)?;
        let word = game.split_whitespace().next().unwrap_or_default();
        match GAMES.iter().find(|entry| entry.word == word && !self.is_added(word)) {
            Some(entry) => entry.strongest.agent_in(session.as_mut()),
            None => Ok(AgentName::default()),
        }
    }

    /// Reads the name of an agent: one that was added, or a built-in one.
    pub fn agent_name(&self, text: &str) -> Result<AgentName, Error> {
        AgentName::read(text, &self.added.agents).map_err(|error| {
            let Some(word) = text.split_whitespace().next() else { return error };
            let is_ours = AgentName::KNOWN.iter().any(|(known, _)| known.split(':').next() == Some(word));
            if is_ours || self.added.agents.iter().next().is_none() {
                return error;
            }
            let own = self.added.agents.iter().map(|agent| agent.word.as_str());
            let known: Vec<&str> = AgentName::KNOWN.iter().map(|(word, _)| *word).chain(own).collect();
            unknown("agent", word, &known)
        })
    }

    /// All games: the built-in ones, then those that were added.
    pub fn games(&self) -> Vec<Listed> {
        let ours = GAMES.iter().filter(|entry| !self.is_added(entry.word)).map(|entry| Listed {
            word: entry.word.into(),
            summary: entry.summary.into(),
            options: entry.options.into(),
        });
        let own = self.added.games.iter().map(|game| Listed {
            word: game.word.clone(),
            summary: game.summary.clone(),
            options: game.options.clone(),
        });
        ours.chain(own).collect()
    }

    /// All agents: the built-in ones, then those that were added.
    pub fn agents(&self) -> Vec<Listed> {
        let ours = AgentName::KNOWN.iter().map(|(word, summary)| (word.to_string(), summary.to_string()));
        let own = self.added.agents.iter().map(|agent| (agent.word.clone(), agent.summary.clone()));
        let listed = |(word, summary)| Listed { word, summary, options: String::new() };
        ours.chain(own).map(listed).collect()
    }
}

impl Added {
    /// Whether the agents are to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.stop.as_ref().is_some_and(|is_over| is_over())
    }

    /// Whether the game of this word was added.
    fn has_game(&self, word: &str) -> bool {
        self.games.iter().any(|game| game.word == word)
    }

    /// Opens a game, without what was added beside it.
    fn open(&self, name: &str) -> Result<Box<OpenSession>, Error> {
        let mut words = Words::parse("game", name)?;
        let whole = name.split_whitespace().collect::<Vec<_>>().join(" ");
        let own = self.games.iter().find(|game| game.word == words.name);
        let ours = GAMES.iter().find(|entry| entry.word == words.name);
        let session = match (own, ours) {
            (Some(game), _) => (game.open)(whole, &mut words)?,
            (None, Some(entry)) => (entry.open)(whole, &mut words)?,
            (None, None) => {
                let ours = GAMES.iter().map(|entry| entry.word);
                let known: Vec<&str> = ours.chain(self.games.iter().map(|game| game.word.as_str())).collect();
                return Err(unknown("game", words.name, &known));
            }
        };
        words.finish()?;
        Ok(session)
    }

    /// The evaluation or the network that a search asks for, if it asks for one. A network fits the position and its rules.
    pub(crate) fn judge(
        &self,
        name: &SearchName,
        (title, game): (&str, &AnyGame),
        maker: &dyn MakeAgents,
    ) -> Result<Option<Judge>, Error> {
        let Some(word) = name.network_word() else { return Ok(None) };
        let own = self.evaluations.iter().find(|(word, _)| name.net.as_ref() == Some(word));
        let can_play = if own.is_some() { maker.is_valued() } else { game.has().encoded };
        if !can_play {
            let is_added = title.split(' ').next().is_some_and(|word| self.has_game(word));
            return Err(match is_added {
                true => maker.missing(word, Missing::Encoded),
                false => Error::new(format!(
                    "{word}: networks cannot play {title}, as it has no encoding; take another agent, such as uct"
                )),
            });
        }
        if let Some((_, make)) = own {
            return Ok(Some(Judge::Own(make.clone())));
        }
        let network = self.networks.asked_for(name, title, game, &|name| self.rules(name))?;
        Ok(network.map(Judge::Network))
    }

    /// The rules of a game by its name that its encoding does not show.
    fn rules(&self, game: &str) -> Option<String> {
        self.open(game).ok().map(|found| found.position().unseen())
    }
}

/// Opens a built-in game by its name: `connect-four`, `hex size=5`.
pub fn session(name: &str) -> Result<Box<dyn Session>, Error> {
    Workbench::new().session(name)
}
