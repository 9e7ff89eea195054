//! Several searches of one position, each with its own tree, seed and thread, merged into one report.
//!
//! The threads share nothing while they search, and their trees are read in a fixed order. So if the budget counts
//! simulations, the same seed and number of threads give the same report, bit for bit. The trees are only as deep as
//! one thread's budget makes them; the gain is certainty about the root.

use crate::Evaluate;
use crate::{
    Agent, Arm, ArmReport, Budget, Game, Progress, Recommend, Report, Search, Select, Simulation, StopHandle,
    Stopped, Tree, Utility, Watch,
};
use std::time::Duration;

/// The most threads of one agent.
pub const THREADS_MAX: usize = 256;

/// Searches side by side.
pub struct RootParallel<G: Game> {
    agents: Vec<Box<dyn Agent<G> + Send>>,
    recommend: Recommend,
    utility: Utility,
    stop: StopHandle,
}

impl<G: Game<Action: Send> + PartialEq + Send + 'static> RootParallel<G> {
    /// Copies of a search that has not begun, one per thread, at most [`THREADS_MAX`]. They share its memory cap, and
    /// each gets a seed of its own.
    pub fn new<S, E>(search: Search<G, S, E>, threads: usize) -> RootParallel<G>
    where
        S: Select + Clone + Send + 'static,
        E: Evaluate<G> + Clone + Send + 'static,
    {
        let (recommend, utility) = (search.engine.settings.recommend, search.engine.settings.utility);
        let boxed = |search| -> Box<dyn Agent<G> + Send> { Box::new(search) };
        RootParallel::of(
            search.split(threads.clamp(1, THREADS_MAX)).into_iter().map(boxed).collect(),
            recommend,
            utility,
        )
    }
}

impl<G: Game> RootParallel<G> {
    /// These agents, at least one, each with a seed and memory of its own.
    pub fn of(
        agents: Vec<Box<dyn Agent<G> + Send>>,
        recommend: Recommend,
        utility: Utility,
    ) -> RootParallel<G> {
        RootParallel { agents, recommend, utility, stop: StopHandle::default() }
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// The merged report of all trees. Every search reports the same actions in the same order.
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
        // The line from the tree with the most simulations of the best action.
        let told = best.and_then(|index| {
            let saw = |report: &&Report<G::Action>| report.best == Some(arms[index].action);
            let pulls = |report: &Report<G::Action>| report.arms[index].pulls;
            reports
                .iter()
                .filter(saw)
                .reduce(|most, next| if pulls(next) > pulls(most) { next } else { most })
        });
        Report {
            lines: told.map_or(Vec::new(), |told| told.lines.clone()),
            evaluation: reports[0].evaluation,
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
        let arm = |arm: &ArmReport<G::Action>| Arm { pulls: arm.pulls, mean: arm.mean };
        let imagined = self.utility.imagined(arms.iter().map(arm));
        let rank = |report| self.recommend.rank(arm(report), report.prior.unwrap_or(1.0), imagined);
        let ranks = arms.iter().map(rank).enumerate();
        ranks.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(index, _)| index)
    }
}

/// Merges one arm of several trees: adds the pulls, weights the means by them, and treats the means as independent
/// for the error.
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
        prior: arms.clone().next().and_then(|arm| arm.prior),
    }
}

/// Forwards the first thread's progress as if all threads had done the same, and reacts to stops.
struct First<'a> {
    watch: &'a mut dyn Watch,
    threads: u64,
    stop: &'a StopHandle,
}

/// The first thread's progress, as if all threads had done the same.
struct AsFar<'a> {
    first: &'a mut dyn Progress,
    threads: u64,
}

impl Progress for AsFar<'_> {
    fn simulations(&self) -> u64 {
        self.first.simulations() * self.threads
    }

    fn time(&self) -> Duration {
        self.first.time()
    }

    fn report(&mut self) -> Option<Report<u16>> {
        self.first.report()
    }

    fn tree(&self) -> Option<&Tree> {
        self.first.tree()
    }
}

impl Watch for First<'_> {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        if !self.watch.look(&mut AsFar { first: progress, threads: self.threads }) {
            self.stop.stop();
        }
        !self.stop.is_stopped()
    }
}

/// The other threads only react to stops.
struct Other<'a>(&'a StopHandle);

impl Watch for Other<'_> {
    fn look(&mut self, _progress: &mut dyn Progress) -> bool {
        !self.0.is_stopped()
    }
}

impl<G: Game<Action: Send> + Sync> Agent<G> for RootParallel<G> {
    /// `watch` sees the first thread, as if all threads had done the same.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let threads = self.agents.len() as u64;
        let share = |number: u64| Budget {
            simulations: budget.simulations.map(|all| all / threads + u64::from(number < all % threads)),
            ..budget
        };
        let stop = &self.stop;
        let (first, others) = self.agents.split_at_mut(1);
        let reports = std::thread::scope(|scope| {
            let mut running = Vec::new();
            for (number, agent) in (1..).zip(others) {
                let budget = share(number);
                running.push(scope.spawn(move || agent.think(game, budget, &mut Other(stop))));
            }
            let own = first[0].think(game, share(0), &mut First { watch, threads, stop });
            let others =
                running.into_iter().map(|thread| thread.join().expect("a search that does not panic"));
            [own].into_iter().chain(others).collect::<Vec<_>>()
        });
        self.stop.rearm();
        self.merged(reports)
    }

    fn played(&mut self, action: G::Action) {
        self.agents.iter_mut().for_each(|agent| agent.played(action));
    }

    fn allow(&mut self, game: &G, allowed: Option<&[u16]>) -> bool {
        self.agents.iter_mut().all(|agent| agent.allow(game, allowed))
    }

    /// Steps the first thread's search.
    fn step(&mut self, game: &G) -> Option<Simulation<G::Action>> {
        self.agents[0].step(game)
    }

    fn memory_min(&self, game: &G) -> usize {
        self.agents.iter().map(|agent| agent.memory_min(game)).sum()
    }

    /// The first thread's tree.
    fn tree(&self) -> Option<&Tree> {
        self.agents[0].tree()
    }
}
