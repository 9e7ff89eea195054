//! Looking on while an agent thinks: what is asked for, and what can be seen. [`Session::analyse`](crate::Session::analyse) puts
//! them together.

use crate::{AgentName, TreeNode};
use aji_search::{AnyGame, Game, Named, Progress, Report, StopHandle, Watch};
use std::time::Duration;

/// The time between looks, if nobody says.
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

/// What is to be analysed, and how often somebody looks.
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
    /// The time from the end of one look to the next, and before the first.
    pub interval: Duration,
}

impl Request {
    /// All actions, and ten looks a second.
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

    /// The same with this time between looks. An agent can be seen about a thousand times a second, so looks never come faster.
    pub fn every(self, interval: Duration) -> Request {
        Request { interval, ..self }
    }
}

/// An agent that is thinking, as it stands at this moment. It waits while it is looked at. Nothing is computed but what is asked
/// for.
pub struct Snapshot<'a> {
    progress: &'a mut dyn Progress,
    position: &'a AnyGame,
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

    /// What the search would report if it ended now; [`stopped`](Report::stopped) means nothing. None from an agent that knows
    /// nothing before it is done. Of a search on several threads this is the first thread's report.
    pub fn report(&mut self) -> Option<Report<String>> {
        Some(named_report(self.position, self.progress.report()?))
    }

    /// The tree so far below the node that these actions lead to, as [`Session::tree`](crate::Session::tree) gives it.
    pub fn tree(&self, path: &[&str], depth: usize, top: usize) -> Option<TreeNode> {
        TreeNode::below(self.progress.tree()?, self.position, path, depth, top)
    }
}

/// Shows somebody a snapshot whenever it is time.
pub(crate) struct Looks<'a> {
    position: &'a AnyGame,
    interval: Duration,
    /// When the next look is due.
    due: Duration,
    look: &'a mut dyn FnMut(&mut Snapshot) -> bool,
}

impl<'a> Looks<'a> {
    pub(crate) fn new(
        position: &'a AnyGame,
        interval: Duration,
        look: &'a mut dyn FnMut(&mut Snapshot) -> bool,
    ) -> Looks<'a> {
        Looks { position, interval, due: interval, look }
    }
}

impl Watch for Looks<'_> {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        if progress.time() < self.due {
            return true;
        }
        let goes_on = (self.look)(&mut Snapshot { progress, position: self.position });
        self.due = progress.time().saturating_add(self.interval);
        goes_on
    }
}

/// Passes looks on until a handle is pulled.
pub(crate) struct Stoppable<'a> {
    pub(crate) watch: &'a mut dyn Watch,
    pub(crate) stop: &'a StopHandle,
}

impl Watch for Stoppable<'_> {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        !self.stop.is_stopped() && self.watch.look(progress)
    }
}

/// A report with names for actions. Those of a line are named in the positions they are played in.
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
