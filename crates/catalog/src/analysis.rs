//! Snapshots of an agent while it thinks: the request for them, and what they show. Used by
//! [`Session::analyse`](crate::Session::analyse).

use crate::workbench::Added;
use crate::{AgentName, ToldNode, TreeNode};
use aji_search::{AnyGame, Game, Named, Progress, Report, StopHandle, Watch};
use std::time::Duration;

/// The default time between snapshots.
const INTERVAL_DEFAULT: Duration = Duration::from_millis(100);

/// Which actions of the position are searched. Names are read as [`Session::play`](crate::Session::play) reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum Actions {
    /// All of them.
    #[default]
    All,
    /// Only these.
    Only(Vec<String>),
    /// All but these.
    Except(Vec<String>),
}

/// An analysis: the agent, the actions, and how often the caller gets a snapshot.
///
/// ```
/// use aji_catalog::{Request, session};
/// use std::time::Duration;
///
/// let mut session = session("connect-four")?;
/// let request = Request::new("uct simulations=20000".parse()?).except(["d"]).every(Duration::from_millis(5));
/// let report = session.analyse(&request, &mut |snapshot| {
///     let replies = snapshot.tree(&["c"], 1, 3);
///     println!("{} simulations: {replies:?}", snapshot.simulations());
///     true
/// })?;
/// assert_eq!(report.arms.len(), 6);
/// # Ok::<(), aji_catalog::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Who thinks, and for how long.
    pub agent: AgentName,
    /// The actions it may choose from.
    pub actions: Actions,
    /// The time from the end of one snapshot to the next, and before the first.
    pub interval: Duration,
}

impl Request {
    /// All actions, and ten snapshots per second.
    pub fn new(agent: AgentName) -> Request {
        Request { agent, actions: Actions::All, interval: INTERVAL_DEFAULT }
    }

    /// The same with only these actions.
    pub fn only<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Request {
        Request { actions: Actions::Only(names.into_iter().map(N::into).collect()), ..self }
    }

    /// The same without these actions.
    pub fn except<N: Into<String>>(self, names: impl IntoIterator<Item = N>) -> Request {
        Request { actions: Actions::Except(names.into_iter().map(N::into).collect()), ..self }
    }

    /// The same with this time between snapshots. An agent gives at most about a thousand snapshots per second.
    pub fn every(self, interval: Duration) -> Request {
        Request { interval, ..self }
    }
}

/// The state of a thinking agent at this moment. The agent waits meanwhile. Each method computes its part on demand.
pub struct Snapshot<'a> {
    progress: &'a mut dyn Progress,
    position: &'a AnyGame,
    agent: &'a AgentName,
}

impl Snapshot<'_> {
    /// The simulations so far; of exact play, positions visited.
    pub fn simulations(&self) -> u64 {
        self.progress.simulations()
    }

    /// The time so far.
    pub fn time(&self) -> Duration {
        self.progress.time()
    }

    /// The report of the search if it ended now; its [`stopped`](Report::stopped) has no meaning. None from an agent
    /// that knows nothing before it is done. With several threads this is the report of the first thread.
    pub fn report(&mut self) -> Option<Report<String>> {
        Some(named_report(self.position, self.progress.report()?))
    }

    /// The tree so far below the node that these actions lead to, as [`Session::tree`](crate::Session::tree) gives it.
    pub fn tree(&self, path: &[&str], depth: usize, top: usize) -> Option<TreeNode> {
        TreeNode::below(self.progress.tree()?, self.position, path, depth, top)
    }

    /// What is known so far at the node that these actions lead to, as [`Session::node`](crate::Session::node) gives it.
    pub fn node(&self, path: &[&str]) -> Option<ToldNode> {
        let spent = self.progress.simulations();
        let left = self.agent.budget().simulations.map(|all| all.saturating_sub(spent));
        ToldNode::at(self.progress.tree()?, (self.position, self.agent.search()?), left, path)
    }
}

/// Calls the caller's function with a snapshot whenever one is due.
pub(crate) struct Looks<'a> {
    position: &'a AnyGame,
    agent: &'a AgentName,
    interval: Duration,
    /// When the next snapshot is due.
    due: Duration,
    look: &'a mut dyn FnMut(&mut Snapshot) -> bool,
}

impl<'a> Looks<'a> {
    pub(crate) fn new(
        position: &'a AnyGame,
        request: &'a Request,
        look: &'a mut dyn FnMut(&mut Snapshot) -> bool,
    ) -> Looks<'a> {
        let Request { agent, interval, .. } = request;
        Looks { position, agent, interval: *interval, due: *interval, look }
    }
}

impl Watch for Looks<'_> {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        if progress.time() < self.due {
            return true;
        }
        let goes_on = (self.look)(&mut Snapshot { progress, position: self.position, agent: self.agent });
        self.due = progress.time().saturating_add(self.interval);
        goes_on
    }
}

/// Forwards to another watcher until the handle or the workbench stops the agent.
pub(crate) struct Stoppable<'a> {
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) stop: &'a StopHandle,
    pub(crate) added: &'a Added,
}

impl Watch for Stoppable<'_> {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        !self.stop.is_stopped() && !self.added.is_stopped() && self.watch.look(progress)
    }
}

/// A report with names for actions. Each action of a line is named in the position it is played in.
pub(crate) fn named_report(position: &AnyGame, report: Report<u16>) -> Report<String> {
    let path = |line: Vec<u16>| {
        let mut position = position.clone();
        let step = |action| {
            let name = position.action_name(action);
            position.play(action);
            name
        };
        line.into_iter().map(step).collect()
    };
    report.map(|action| position.action_name(action), path)
}
