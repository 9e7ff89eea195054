//! A game in progress, with the game's type hidden.

use crate::action_text::{find, game_over};
use crate::analysis::{Looks, Stoppable, named_report};
use crate::error::wrong_position;
use crate::explanation::Teller;
use crate::maker::{MakeAgents, Maker};
use crate::saved_tag::SavedTag;
use crate::thinker;
use crate::workbench::Added;
use crate::{
    Actions, AgentName, Error, Explanation, Method, Request, SEARCHES, STEPS_MAX, SearchGraph, Snapshot,
    ToldNode, TreeNode, Unit, Victim, VictimName,
};
use aji_net::design::check_shape;
use aji_search::laws::Broken;
use aji_search::learn::Order;
use aji_search::{
    AnyAgent, AnyGame, Budget, Encoded, Game, Named, Payoff, Playable, Player, Report, Rng, StopHandle,
    Stopped, Turn, Watch, check_encoding, check_symmetries, laws,
};
use std::collections::BTreeSet;
use std::io::{self, Read, Write};
use std::sync::Arc;

/// A game in progress: text in, text out.
pub trait Session: Send {
    /// The game's name, with its options. A position that brings its own rules, such as the komi of a record of Go, changes
    /// those options.
    fn name(&self) -> &str;

    /// Who acts.
    fn turn(&self) -> Turn;

    /// The number of players.
    fn players(&self) -> usize;

    /// What a player is called.
    fn player_name(&self, player: Player) -> String;

    /// The names of the legal actions.
    fn actions(&self) -> Vec<String>;

    /// The position in one line.
    fn text(&self) -> String;

    /// The board, several lines.
    fn board(&self) -> String;

    /// The position itself, its type hidden.
    fn position(&self) -> &AnyGame;

    /// What each player got, once the game is over.
    fn payoff(&self) -> Option<Payoff>;

    /// Starts over at a position given in text.
    fn set_position(&mut self, text: &str) -> Result<(), Error>;

    /// Plays an action given by its name, or by a part of it that no other action's name begins or ends with.
    /// Returns the whole name.
    fn play(&mut self, action: &str) -> Result<String, Error>;

    /// If chance is to act, draws an outcome by its probability and plays it. Returns its name.
    fn draw_chance(&mut self, rng: &mut Rng) -> Option<String>;

    /// The player to act gives up: the game is over, and the other has won. In games of two players.
    fn resign(&mut self) -> Result<(), Error>;

    /// Who has given up.
    fn resigned(&self) -> Option<Player>;

    /// Takes back the last action, or a resignation. False at the start.
    fn undo(&mut self) -> bool;

    /// Lets an agent think about the position. An agent of the same name that has followed the game keeps its tree,
    /// unless its name says `reuse=off`. The report has a best action, unless the agent resigns
    /// ([`Stopped::Resigned`]). The caller then ends the game by [`resign`](Session::resign).
    fn think(&mut self, agent: &AgentName, watch: &mut dyn Watch) -> Result<Report<String>, Error>;

    /// The same with snapshots, and with only the actions that the request allows. The session calls `look` with a
    /// [`Snapshot`] at the requested rate; `look` returns whether to go on. There is no call after the last simulation,
    /// since the report follows.
    ///
    /// Actions are left out of this search alone. The next search that allows the same actions keeps the tree, and so
    /// does the search after any action that is played.
    fn analyse(
        &mut self,
        request: &Request,
        look: &mut dyn FnMut(&mut Snapshot) -> bool,
    ) -> Result<Report<String>, Error>;

    /// A handle that stops the agent that thinks here, from any thread. Within about a millisecond it returns what it
    /// has found.
    ///
    /// If no agent is thinking, the next one stops as soon as it starts: a search after a simulation or two, exact play
    /// without a result. [`StopHandle::rearm`] takes that back. An agent that never checks the handle, such as a
    /// program, is not stopped.
    fn stop_handle(&self) -> StopHandle;

    /// The order of actions that the last agent has learned, by their keys, if it learns one.
    fn order(&self) -> Option<&Order>;

    /// How often the session had to restart the program of its agent.
    fn restarts(&self) -> u64;

    /// The payoffs that rewards of 0 and 1 stand for in this agent's reports on this position, if it plays for points.
    /// None if it plays for the win, and in games that only pay 1 for a win.
    fn points(&self, agent: &AgentName) -> Option<(f32, f32)>;

    /// Whether the game has its own solver, which `exact` uses: it proves positions that are too many to visit.
    fn is_self_solving(&self) -> bool;

    /// An error if an agent cannot play this game.
    fn accepts(&self, agent: &AgentName) -> Result<(), Error>;

    /// An agent as the fixed opponent of an attacker with this much memory.
    fn victim(&self, victim: &VictimName, memory: usize) -> Result<Victim, Error>;

    /// Explains each of `steps` simulations, at most [`STEPS_MAX`], after `skip` others. The agent must be a search;
    /// its `simulations=` and `time=` are ignored.
    fn explain(&mut self, agent: &AgentName, skip: u64, steps: u64) -> Result<Explanation, Error>;

    /// The tree of the last search from here, below the node that these actions lead to: to this depth (at most
    /// [`TREE_DEPTH_MAX`](crate::TREE_DEPTH_MAX)), with at most `top` actions per node. None without a search, from an
    /// agent that grows no tree, and if an action of the path is unknown or was never tried.
    fn tree(&self, path: &[&str], depth: usize, top: usize) -> Option<TreeNode>;

    /// What the last search from here knows at the node that these actions lead to, with the bounds of its rule. None
    /// where [`tree`](Session::tree) gives none, and where the tree ends.
    fn node(&self, path: &[&str]) -> Option<ToldNode>;

    /// The graph of the last search from here, which `transpositions=on` grows: to this depth (at most
    /// [`TREE_DEPTH_MAX`](crate::TREE_DEPTH_MAX)), with at most `top` actions per node. None from an agent that grows
    /// no graph.
    fn graph(&self, depth: usize, top: usize) -> Option<SearchGraph>;

    /// An error if the searches of this agent cannot be saved and loaded.
    fn can_save(&self, agent: &AgentName) -> Result<(), Error>;

    /// Writes the search of the last [`think`](Session::think), for [`load`](Session::load). If there is none, the
    /// error has the kind `Unsupported`.
    fn save(&self, out: &mut dyn Write) -> io::Result<()>;

    /// Loads a search that the same agent saved at this position; its simulations, time and memory may differ. The next
    /// [`think`](Session::think) continues it. Returns its simulations.
    fn load(&mut self, agent: &AgentName, from: &mut dyn Read) -> Result<u64, Error>;

    /// The number of action sequences of exactly this length. None if [`stop_handle`](Session::stop_handle) stops it.
    fn perft(&self, length: usize) -> Option<u64>;

    /// Plays random playouts from here, for timing. Returns the sum of the payoffs of player 0, who moves first.
    fn playouts(&self, count: u64, seed: u64) -> f32;

    /// Checks the laws that every game obeys, and those of the traits that this one has. Returns the traits that were checked.
    fn check_laws(&self, seed: u64) -> Result<Vec<&'static str>, Broken>;
}

/// Random games in which the laws of encodings and symmetries are checked.
const ENCODED_GAMES: u64 = 5;

/// A session of one game.
pub(crate) struct OpenSession {
    /// The name by which the game was opened.
    opened_as: String,
    name: String,
    start: AnyGame,
    position: AnyGame,
    past: Vec<AnyGame>,
    resigned: Option<Player>,
    maker: Arc<dyn MakeAgents>,
    added: Added,
    thinker: Option<(AgentName, AnyAgent)>,
    stop: StopHandle,
}

impl OpenSession {
    /// A game from its start, and what makes its agents.
    pub(crate) fn open<G: Playable>(name: String, start: G, maker: Maker<G>) -> Box<OpenSession> {
        let (start, maker) = (maker.hide(start), Arc::new(maker));
        let position = start.clone();
        let (past, stop, added) = (Vec::new(), StopHandle::default(), Added::default());
        Box::new(OpenSession {
            opened_as: name.clone(),
            name,
            start,
            position,
            past,
            resigned: None,
            maker,
            added,
            thinker: None,
            stop,
        })
    }

    /// The same with agents and networks that were added to a workbench.
    pub(crate) fn with_added(mut self: Box<Self>, added: Added) -> Box<dyn Session> {
        self.added = added;
        self
    }

    fn advance(&mut self, action: u16) -> String {
        let name = self.position.action_name(action);
        if let Some((_, thinker)) = &mut self.thinker {
            thinker.played(action);
        }
        self.past.push(self.position.clone());
        self.position.play(action);
        name
    }

    fn turn_here(&self) -> Turn {
        if self.resigned.is_some() { Turn::Over } else { self.position.turn() }
    }

    fn legal(&self) -> Vec<u16> {
        let mut actions = Vec::new();
        if self.resigned.is_none() {
            self.position.actions(&mut actions);
        }
        actions
    }

    fn find(&self, text: &str) -> Result<u16, Error> {
        if self.resigned.is_some() { Err(game_over(text)) } else { find(&self.position, text) }
    }

    /// The agent that thinks here: the one that has followed the game if it has this name, or a new one. It searches
    /// only the allowed actions.
    fn thinker(&mut self, agent: &AgentName, allowed: Option<&[u16]>) -> Result<AnyAgent, Error> {
        if self.turn_here() == Turn::Chance {
            return Err(Error::new(format!("{}: chance is to act, there is nothing to choose", self.name)));
        }
        if self.turn_here() == Turn::Over {
            return Err(Error::new(format!("{}: the game is over, there is nothing to search", self.name)));
        }
        let kept = self.thinker.take().filter(|(name, _)| name.is_same_but_budget(agent) && name.reuses());
        let mut thinker = match kept {
            Some((_, thinker)) => thinker,
            None => thinker::agent(agent, &self.name, &self.position, &self.maker, &self.added)?,
        };
        if thinker.allow(&self.position, allowed) {
            return Ok(thinker);
        }
        Err(Error::new(format!(
            "agent {agent} cannot leave actions out; searches such as uct and flat can, without transpositions=on"
        )))
    }

    /// The places of the actions that a search may choose from; none for all.
    fn allowed(&self, actions: &Actions) -> Result<Option<Vec<u16>>, Error> {
        let named = |names: &[String]| names.iter().map(|name| self.find(name)).collect::<Result<_, _>>();
        let legal = self.legal();
        let allowed: BTreeSet<u16> = match actions {
            Actions::All => return Ok(None),
            Actions::Only(names) => named(names)?,
            Actions::Except(names) => {
                let excluded: BTreeSet<u16> = named(names)?;
                legal.iter().copied().filter(|action| !excluded.contains(action)).collect()
            }
        };
        match allowed.len() {
            // The agent itself reports a position without actions.
            all if all == legal.len() => Ok(None),
            0 => Err(Error::new("no action is left to search: allow at least one")),
            _ => Ok(Some(allowed.into_iter().collect())),
        }
    }

    /// Lets an agent think about the allowed actions, until it is done or is stopped.
    fn think_of(
        &mut self,
        agent: &AgentName,
        allowed: Option<&[u16]>,
        watch: &mut dyn Watch,
    ) -> Result<Report<String>, Error> {
        let stopped = || Error::new(format!("{agent}: stopped with the run"));
        if self.added.is_stopped() {
            return Err(stopped());
        }
        let mut thinker = self.thinker(agent, allowed)?;
        let (stop, added) = (&self.stop, &self.added);
        let report = thinker.think(&self.position, agent.budget(), &mut Stoppable { watch, stop, added });
        self.stop.rearm();
        if self.added.is_stopped() {
            return Err(stopped());
        }
        if report.best.is_none() && report.stopped != Stopped::Resigned {
            let nothing_found = || self.nothing_found(agent, &report, &thinker);
            let failed = |why| Error::new(format!("{agent}: {why}"));
            return Err(thinker.failure().map_or_else(nothing_found, failed));
        }
        self.thinker = Some((agent.clone(), thinker));
        Ok(named_report(&self.position, report))
    }

    fn nothing_found(&self, agent: &AgentName, report: &Report<u16>, thinker: &AnyAgent) -> Error {
        thinker::nothing_found(agent, &self.name, &self.position, report, thinker.memory_min(&self.position))
    }
}

impl Session for OpenSession {
    fn position(&self) -> &AnyGame {
        &self.position
    }

    fn name(&self) -> &str {
        &self.name
    }

    fn turn(&self) -> Turn {
        self.turn_here()
    }

    fn players(&self) -> usize {
        self.position.players()
    }

    fn player_name(&self, player: Player) -> String {
        self.position.player_name(player)
    }

    fn actions(&self) -> Vec<String> {
        self.legal().into_iter().map(|action| self.position.action_name(action)).collect()
    }

    fn text(&self) -> String {
        self.position.text()
    }

    fn board(&self) -> String {
        self.position.board()
    }

    fn payoff(&self) -> Option<Payoff> {
        let won = self.resigned.map(|player| Payoff::win(1 - player));
        won.or_else(|| (self.turn() == Turn::Over).then(|| self.position.payoff()))
    }

    fn set_position(&mut self, text: &str) -> Result<(), Error> {
        let wrong = |why: String| wrong_position(&self.name, text, &why);
        self.position = self.start.read(text).map_err(wrong)?;
        self.name = with_rules(&self.opened_as, &self.start.unseen(), &self.position.unseen());
        self.past.clear();
        self.resigned = None;
        self.thinker = None;
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<String, Error> {
        let action = self.find(text)?;
        Ok(self.advance(action))
    }

    fn draw_chance(&mut self, rng: &mut Rng) -> Option<String> {
        let is_due = self.turn() == Turn::Chance;
        is_due.then(|| self.advance(self.position.random_action(rng, &mut Vec::new())))
    }

    fn resign(&mut self) -> Result<(), Error> {
        match self.turn() {
            Turn::Player(player) if self.players() == 2 => {
                self.resigned = Some(player);
                Ok(())
            }
            Turn::Over => Err(Error::new(format!("{}: the game is over, nobody can resign", self.name))),
            _ => {
                Err(Error::new(format!("{}: only a player to move against one other can resign", self.name)))
            }
        }
    }

    fn resigned(&self) -> Option<Player> {
        self.resigned
    }

    fn undo(&mut self) -> bool {
        // An agent can follow a game only forwards.
        self.thinker = None;
        if self.resigned.take().is_some() {
            return true;
        }
        self.past.pop().map(|position| self.position = position).is_some()
    }

    fn think(&mut self, agent: &AgentName, watch: &mut dyn Watch) -> Result<Report<String>, Error> {
        self.think_of(agent, None, watch)
    }

    fn analyse(
        &mut self,
        request: &Request,
        look: &mut dyn FnMut(&mut Snapshot) -> bool,
    ) -> Result<Report<String>, Error> {
        let allowed = self.allowed(&request.actions)?;
        let position = self.position.clone();
        let mut looks = Looks::new(&position, request, look);
        self.think_of(&request.agent, allowed.as_deref(), &mut looks)
    }

    fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    fn order(&self) -> Option<&Order> {
        self.thinker.as_ref().and_then(|(_, thinker)| thinker.order())
    }

    fn restarts(&self) -> u64 {
        self.thinker.as_ref().map_or(0, |(_, thinker)| thinker.restarts())
    }

    fn points(&self, agent: &AgentName) -> Option<(f32, f32)> {
        let unit = |unit| unit == Unit::Points;
        let is_for_points = agent.search().is_none_or(|search| search.unit.map_or(self.players() == 1, unit));
        let position = &self.position;
        (is_for_points && position.pays_points()).then(|| position.payoff_range())
    }

    fn is_self_solving(&self) -> bool {
        self.maker.is_self_solving()
    }

    fn accepts(&self, agent: &AgentName) -> Result<(), Error> {
        thinker::agent(agent, &self.opened_as, &self.start, &self.maker, &self.added).map(|_| ())
    }

    fn victim(&self, victim: &VictimName, memory: usize) -> Result<Victim, Error> {
        Victim::new(victim, memory, (&self.opened_as, &self.start), (&self.maker, &self.added))
    }

    fn explain(&mut self, agent: &AgentName, skip: u64, steps: u64) -> Result<Explanation, Error> {
        let none = || Error::new(format!("agent {agent} has no simulations to explain; {SEARCHES} have"));
        let search = agent.search().ok_or_else(none)?;
        if search.transpositions {
            return Err(Error::new(
                "transpositions=on: only simulations of a tree can be explained; leave it out",
            ));
        }
        if !(1..=STEPS_MAX).contains(&steps) {
            return Err(Error::new(format!("{steps} steps: expected a whole number from 1 to {STEPS_MAX}")));
        }
        let mut thinker = self.thinker(agent, None)?;
        let mut watch = Stoppable { watch: &mut (), stop: &self.stop, added: &self.added };
        let report = thinker.think(&self.position, Budget::simulations(skip), &mut watch);
        self.stop.rearm();
        if report.stopped == Stopped::Nothing {
            return Err(self.nothing_found(agent, &report, &thinker));
        }
        let teller = Teller { root: &self.position, search };
        let rules = teller.rules();
        let simulations: Vec<_> = (0..steps)
            .map_while(|_| thinker.step(&self.position))
            .map(|told| teller.simulation(&told))
            .collect();
        let arms = thinker.tree().map_or(Vec::new(), |tree| teller.arms(tree));
        self.thinker = Some((agent.clone(), thinker));
        Ok(Explanation { rules, simulations, arms })
    }

    fn tree(&self, path: &[&str], depth: usize, top: usize) -> Option<TreeNode> {
        let (_, thinker) = self.thinker.as_ref()?;
        TreeNode::below(thinker.tree()?, &self.position, path, depth, top)
    }

    fn node(&self, path: &[&str]) -> Option<ToldNode> {
        let (name, thinker) = self.thinker.as_ref()?;
        let left = name.budget().simulations.map(|_| 0);
        ToldNode::at(thinker.tree()?, (&self.position, name.search()?), left, path)
    }

    fn graph(&self, depth: usize, top: usize) -> Option<SearchGraph> {
        let (_, thinker) = self.thinker.as_ref()?;
        SearchGraph::new(thinker.graph()?, &self.position, depth, top)
    }

    fn can_save(&self, agent: &AgentName) -> Result<(), Error> {
        let Method::Search(search) = &agent.method else {
            return Err(Error::new(format!("agent {agent} has no search to save; {SEARCHES} have")));
        };
        if search.transpositions {
            return Err(Error::new("transpositions=on: only a tree can be saved and loaded; leave it out"));
        }
        if search.learns() {
            return Err(Error::new("learned data cannot be saved and loaded: leave learn= out"));
        }
        if search.threads > 1 {
            let threads = search.threads;
            return Err(Error::new(format!(
                "threads={threads}: only the search of one thread can be saved and loaded"
            )));
        }
        if !agent.reuses() {
            return Err(Error::new(
                "reuse=off begins every search anew; without it, one can be saved and loaded",
            ));
        }
        Ok(())
    }

    fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        let written = self.thinker.as_ref().and_then(|(agent, thinker)| {
            thinker.save(&SavedTag::new(&self.name, &self.position, agent).to_string(), out)
        });
        written
            .unwrap_or_else(|| Err(io::Error::new(io::ErrorKind::Unsupported, "there is no search to save")))
    }

    fn load(&mut self, agent: &AgentName, from: &mut dyn Read) -> Result<u64, Error> {
        self.can_save(agent)?;
        let mut thinker = self.thinker(agent, None)?;
        let tag = SavedTag::new(&self.name, &self.position, agent);
        let loaded = thinker.load(&self.position, &tag.to_string(), from);
        loaded.unwrap_or(Ok(())).map_err(|error| tag.refusal(&error))?;
        let simulations = thinker.tree().map_or(0, |tree| tree.pulls().into());
        self.thinker = Some((agent.clone(), thinker));
        Ok(simulations)
    }

    fn perft(&self, length: usize) -> Option<u64> {
        let count = perft(&self.position, length, &self.stop);
        self.stop.rearm();
        count
    }

    fn playouts(&self, count: u64, seed: u64) -> f32 {
        self.position.sum_of_playouts(count, &mut Rng::seeded(seed))
    }

    fn check_laws(&self, seed: u64) -> Result<Vec<&'static str>, Broken> {
        let (start, has, mut checked) = (&self.start, self.start.has(), vec!["Game"]);
        laws::game(start, seed)?;
        if has.compared {
            laws::compared(start, seed)?;
            checked.push("PartialEq");
        }
        if has.named {
            if has.compared {
                laws::named(start, seed)?
            } else {
                laws::text(start, seed)?
            }
            checked.push("Named");
        }
        if has.hashed && has.compared {
            laws::hashed(start, seed)?;
            checked.push("Hashed");
        }
        if has.keyed {
            laws::keyed(start, seed)?;
            checked.push("Keyed");
        }
        // A shape too large for networks may also be too large to check.
        if has.encoded && check_shape(&start.shape()).is_ok() {
            (0..ENCODED_GAMES).try_for_each(|game| check_encoding(start, seed.wrapping_add(game)))?;
            checked.push("Encoded");
            if has.symmetric {
                (0..ENCODED_GAMES).try_for_each(|game| check_symmetries(start, seed.wrapping_add(game)))?;
                checked.push("Symmetric");
            }
        }
        Ok(checked)
    }
}

/// A game's name with those rules of a position that differ from the rules of its start.
fn with_rules(name: &str, start: &str, position: &str) -> String {
    let key = |option: &str| option.split('=').next().map(str::to_string);
    let changed: Vec<&str> =
        position.split(' ').filter(|option| !start.split(' ').any(|same| same == *option)).collect();
    let is_kept = |word: &&str| changed.iter().all(|option| key(option) != key(word));
    let kept = name.split(' ').filter(is_kept);
    kept.chain(changed.iter().copied()).collect::<Vec<_>>().join(" ")
}

/// Walks all sequences of this length without recursion. The last actions are counted, not played.
fn perft(start: &AnyGame, length: usize, stop: &StopHandle) -> Option<u64> {
    let mut count = 0u64;
    let mut waiting = vec![(start.clone(), 0)];
    let mut actions = Vec::new();
    while let Some((position, depth)) = waiting.pop() {
        if stop.is_stopped() {
            return None;
        }
        if depth == length {
            count += 1;
            continue;
        }
        actions.clear();
        position.actions(&mut actions);
        if depth + 1 == length {
            count += actions.len() as u64;
            continue;
        }
        for &action in &actions {
            let mut after = position.clone();
            after.play(action);
            waiting.push((after, depth + 1));
        }
    }
    Some(count)
}

#[cfg(test)]
mod tests {
    /// Player 0 takes the only stone and wins every game.
    #[test]
    fn playouts_sum_what_player_0_gets() {
        let session = crate::session("nim heaps=1").expect("a game");
        assert_eq!(session.playouts(5, 1), 5.0);
    }
}
