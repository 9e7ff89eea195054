//! Several searches of one position, each with a tree, a seed and a thread of its own, read off together.
//!
//! The threads share nothing while they search, and their trees are read in a fixed order, so the same seed and number
//! of threads give the same report, bit for bit, wherever a budget counts simulations. The trees are as deep as the
//! budget of one thread makes them; what is gained is certainty about the root.

use crate::{
    Agent, Arm, ArmReport, Budget, Evaluate, Game, Report, Search, Select, Simulation, StopHandle, Stopped,
    Tree,
};
use std::time::Duration;

/// The most threads of one agent.
pub const THREADS_MAX: usize = 256;

/// Searches side by side.
pub struct RootParallel<G: Game, S, E> {
    searches: Vec<Search<G, S, E>>,
    stop: StopHandle,
}

impl<G: Game, S: Select + Clone, E: Evaluate<G> + Clone> RootParallel<G, S, E> {
    /// So many copies of a search that has not begun, at most [`THREADS_MAX`]. They share its memory cap, and each gets a
    /// seed from it.
    pub fn new(search: Search<G, S, E>, threads: usize) -> RootParallel<G, S, E> {
        RootParallel { searches: search.split(threads.clamp(1, THREADS_MAX)), stop: StopHandle::default() }
    }
}

impl<G: Game, S: Select, E: Evaluate<G>> RootParallel<G, S, E> {
    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// What all trees say together. Every search reports the same actions in the same order.
    fn merged(&self, reports: Vec<Report<G::Action>>) -> Report<G::Action> {
        let stopped = if reports.iter().any(|report| report.stopped == Stopped::Handle) {
            Stopped::Handle
        } else {
            reports[0].stopped
        };
        let arms: Vec<ArmReport<G::Action>> =
            (0..reports.iter().map(|report| report.arms.len()).min().unwrap_or(0))
                .map(|index| merged_arm(reports.iter().map(|report| &report.arms[index])))
                .collect();
        let proven = reports.iter().find(|report| report.proven.is_some());
        let best = match proven {
            Some(report) => report.arms.iter().position(|arm| Some(arm.action) == report.best),
            None if reports.iter().any(|report| report.best.is_none()) => None,
            None => self.recommended(&arms),
        };
        // The line of whichever tree has seen most of it.
        let told = best.and_then(|index| {
            let saw = |report: &&Report<G::Action>| report.best == Some(arms[index].action);
            let pulls = |report: &Report<G::Action>| report.arms[index].pulls;
            reports
                .iter()
                .filter(saw)
                .reduce(|most, next| if pulls(next) > pulls(most) { next } else { most })
        });
        Report {
            best: best.map(|index| arms[index].action),
            value: best.map(|index| arms[index].mean),
            proven: proven.and_then(|report| report.proven),
            line: told.map_or_else(
                || best.map(|index| arms[index].action).into_iter().collect(),
                |told| told.line.clone(),
            ),
            simulations: reports.iter().map(|report| report.simulations).sum(),
            nodes: reports.iter().map(|report| report.nodes).sum(),
            bytes: reports.iter().map(|report| report.bytes).sum(),
            left_out: reports.iter().map(|report| report.left_out).sum(),
            recycled: reports.iter().map(|report| report.recycled).sum(),
            time: reports.iter().map(|report| report.time).max().unwrap_or_default(),
            stopped: if proven.is_some() { Stopped::Solved } else { stopped },
            arms,
        }
    }

    fn recommended(&self, arms: &[ArmReport<G::Action>]) -> Option<usize> {
        let recommend = self.searches[0].recommendation();
        let ranks =
            arms.iter().map(|arm| recommend.rank(Arm { pulls: arm.pulls, mean: arm.mean })).enumerate();
        ranks.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(index, _)| index)
    }
}

/// One arm from those of several trees: pulls add up, means are weighed by them, errors are those of independent means.
fn merged_arm<'a, A: Copy + 'a>(arms: impl Iterator<Item = &'a ArmReport<A>> + Clone) -> ArmReport<A> {
    let pulls: u64 = arms.clone().map(|arm| u64::from(arm.pulls)).sum();
    let weigh = |arm: &ArmReport<A>| f64::from(arm.pulls) / pulls.max(1) as f64;
    let proven = arms.clone().find_map(|arm| arm.proven);
    let mean: f64 = arms.clone().map(|arm| weigh(arm) * f64::from(arm.mean)).sum();
    let tried = arms.clone().filter(|arm| arm.pulls > 0);
    let square = |error: f64| error * error;
    let error = tried.map(|arm| Some(square(weigh(arm) * f64::from(arm.error?)))).sum::<Option<f64>>();
    ArmReport {
        action: arms.clone().next().expect("an arm of the first tree").action,
        pulls: u32::try_from(pulls).unwrap_or(u32::MAX),
        mean: proven.unwrap_or(mean as f32),
        error: error.filter(|_| pulls > 1).map(|square| square.sqrt() as f32),
        proven,
    }
}

impl<G, S, E> Agent<G> for RootParallel<G, S, E>
where
    G: Game<Action: Send> + PartialEq + Send + Sync,
    S: Select + Send,
    E: Evaluate<G> + Send,
{
    /// `watch` hears of the first thread, as if all were as far.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn FnMut(u64, Duration)) -> Report<G::Action> {
        let threads = self.searches.len() as u64;
        let handles: Vec<StopHandle> = self.searches.iter().map(Search::stop_handle).collect();
        let stop = self.stop.clone();
        let share = |number: u64| Budget {
            simulations: budget.simulations.map(|all| all / threads + u64::from(number < all % threads)),
            ..budget
        };
        let (first, others) = self.searches.split_at_mut(1);
        let reports = std::thread::scope(|scope| {
            let mut running = Vec::new();
            for (number, search) in (1..).zip(others) {
                let budget = share(number);
                running.push(scope.spawn(move || search.think(game, budget, &mut |_, _| {})));
            }
            let mut watch_all = |simulations: u64, elapsed: Duration| {
                if stop.is_stopped() {
                    handles.iter().for_each(StopHandle::stop);
                }
                watch(simulations * threads, elapsed);
            };
            let own = first[0].think(game, share(0), &mut watch_all);
            let others =
                running.into_iter().map(|thread| thread.join().expect("a search that does not panic"));
            [own].into_iter().chain(others).collect::<Vec<_>>()
        });
        if stop.is_stopped() {
            stop.rearm();
            handles.iter().for_each(StopHandle::rearm);
        }
        self.merged(reports)
    }

    fn played(&mut self, action: G::Action) {
        self.searches.iter_mut().for_each(|search| search.advance(action));
    }

    /// The first thread's search tells.
    fn step(&mut self, game: &G) -> Option<Simulation<G::Action>> {
        Agent::step(&mut self.searches[0], game)
    }

    /// The first thread's tree.
    fn tree(&self) -> Option<&Tree<G::Action>> {
        self.searches[0].tree()
    }
}
