//! Several searches of one position, each with its own tree, seed and thread, made into one report.
//!
//! Searches that [share](crate::Settings::share) meet now and then ([`Exchange`]), and each then knows the statistics of
//! all at the top of its tree. Others share nothing, and their root arms are added up in the end. Both happen in a fixed
//! order. So if the budget counts simulations, the same seed and number of threads give the same report, bit for bit.

use crate::Evaluate;
use crate::exchange::{Exchange, Seat};
use crate::{
    Agent, Arm, ArmReport, Budget, Game, Progress, Recommend, Report, Search, Select, Settings, Simulation,
    StopHandle, Stopped, Top, Tree, Utility, Watch,
};
use std::panic::resume_unwind;
use std::time::Duration;

/// The most threads of one agent.
pub const THREADS_MAX: usize = 256;

/// Searches side by side.
pub struct RootParallel<G: Game> {
    agents: Vec<Box<dyn Agent<G> + Send>>,
    recommend: Recommend,
    utility: Utility,
    /// Whether the searches share what they learn.
    shares: bool,
    stop: StopHandle,
}

impl<G: Game<Action: Send> + PartialEq + Send + 'static> RootParallel<G> {
    /// Copies of a search that has not begun, one per thread, at most [`THREADS_MAX`]. They divide its memory cap, and
    /// each gets a seed of its own. They share what they learn if its [settings](crate::Settings::share) say so.
    pub fn new<S, E>(search: Search<G, S, E>, threads: usize) -> RootParallel<G>
    where
        S: Select + Clone + Send + 'static,
        E: Evaluate<G> + Clone + Send + 'static,
    {
        let Settings { recommend, utility, share, .. } = search.engine.settings;
        let boxed = |search| -> Box<dyn Agent<G> + Send> { Box::new(search) };
        RootParallel::of(
            search.split(threads.clamp(1, THREADS_MAX)).into_iter().map(boxed).collect(),
            recommend,
            utility,
        )
        .sharing(share)
    }
}

impl<G: Game> RootParallel<G> {
    /// These agents, at least one, each with a seed and memory of its own.
    pub fn of(
        agents: Vec<Box<dyn Agent<G> + Send>>,
        recommend: Recommend,
        utility: Utility,
    ) -> RootParallel<G> {
        RootParallel { agents, recommend, utility, shares: false, stop: StopHandle::default() }
    }

    /// Whether they share what they learn, for searches whose [settings](crate::Settings::share) say so.
    pub fn sharing(self, shares: bool) -> RootParallel<G> {
        RootParallel { shares: shares && self.agents.len() > 1, ..self }
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// The report of searches that have shared everything in the end: that of the first, with the counters of all.
    /// `ended_alone` says which threads ended by themselves, and not because another one had.
    fn shared(reports: &[Report<G::Action>], ended_alone: &[bool]) -> Report<G::Action> {
        let first = &reports[0];
        let ended = reports.iter().zip(ended_alone).find(|(_, alone)| **alone);
        let stopped = match ended {
            _ if first.proven.is_some() => Stopped::Solved,
            Some((report, _)) => report.stopped,
            None => first.stopped,
        };
        Report { stopped, ..counted(reports, first.clone()) }
    }

    /// The merged report of all trees. Every search reports the same actions in the same order.
    fn merged(&self, reports: &[Report<G::Action>]) -> Report<G::Action> {
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
        let merged = Report {
            lines: told.map_or(Vec::new(), |told| told.lines.clone()),
            best: best.map(|index| arms[index].action),
            value: best.map(|index| arms[index].mean),
            proven: proven.and_then(|report| report.proven),
            line: told.map_or_else(
                || best.map(|index| arms[index].action).into_iter().collect(),
                |told| told.line.clone(),
            ),
            stopped: if proven.is_some() { Stopped::Solved } else { stopped },
            arms,
            ..reports[0].clone()
        };
        counted(reports, merged)
    }

    fn recommended(&self, arms: &[ArmReport<G::Action>]) -> Option<usize> {
        let arm = |arm: &ArmReport<G::Action>| Arm { pulls: arm.pulls, mean: arm.mean };
        let imagined = self.utility.imagined(arms.iter().map(arm));
        let rank = |report| self.recommend.rank(arm(report), report.prior.unwrap_or(1.0), imagined);
        let ranks = arms.iter().map(rank).enumerate();
        ranks.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(index, _)| index)
    }
}

/// A report with the counters of all threads.
fn counted<A>(reports: &[Report<A>], report: Report<A>) -> Report<A> {
    let sum = |count: fn(&Report<A>) -> usize| reports.iter().map(count).sum();
    let sum_of_many = |count: fn(&Report<A>) -> u64| reports.iter().map(count).sum();
    Report {
        simulations: sum_of_many(|report| report.simulations),
        nodes: sum(|report| report.nodes),
        bytes: sum(|report| report.bytes),
        left_out: sum_of_many(|report| report.left_out),
        recycled: sum_of_many(|report| report.recycled),
        time: reports.iter().map(|report| report.time).max().unwrap_or_default(),
        ..report
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
    own: Other<'a>,
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

    fn learned(&mut self) -> Option<Top> {
        self.first.learned()
    }

    fn absorb(&mut self, own: &Top, all: &Top) {
        self.first.absorb(own, all);
    }
}

impl Watch for First<'_> {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        if !self.watch.look(&mut AsFar { first: progress, threads: self.threads }) {
            self.own.stop.stop();
        }
        self.own.look(progress)
    }

    fn next_look(&self) -> Option<u64> {
        self.own.next_look()
    }

    fn ended(&mut self, progress: &mut dyn Progress) {
        self.own.ended(progress);
    }
}

/// Every thread reacts to stops, and meets the others if they share.
struct Other<'a> {
    stop: &'a StopHandle,
    seat: Option<Seat<'a>>,
}

impl Watch for Other<'_> {
    fn look(&mut self, progress: &mut dyn Progress) -> bool {
        !self.stop.is_stopped() && self.seat.as_mut().is_none_or(|seat| seat.look(progress))
    }

    fn next_look(&self) -> Option<u64> {
        self.seat.as_ref().map(Seat::next_look)
    }

    fn ended(&mut self, progress: &mut dyn Progress) {
        if let Some(seat) = &mut self.seat {
            seat.ended(progress);
        }
    }
}

impl Other<'_> {
    /// Whether the thread has shared everything in the end; then, whether it ended by itself.
    fn shared(&self) -> Option<bool> {
        self.seat.as_ref().and_then(Seat::shared)
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
        let exchange = self.shares.then(|| Exchange::new(self.agents.len()));
        let other =
            |number: usize| Other { stop, seat: exchange.as_ref().map(|exchange| exchange.seat(number)) };
        let (first, others) = self.agents.split_at_mut(1);
        let (reports, shared): (Vec<_>, Vec<_>) = std::thread::scope(|scope| {
            let mut running = Vec::new();
            for (number, agent) in (1..).zip(others) {
                let (budget, mut other) = (share(number as u64), other(number));
                running.push(scope.spawn(move || (agent.think(game, budget, &mut other), other.shared())));
            }
            let mut watch = First { watch, threads, own: other(0) };
            let own = first[0].think(game, share(0), &mut watch);
            let own = (own, watch.own.shared());
            drop(watch);
            let others =
                running.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic)));
            [own].into_iter().chain(others).unzip()
        });
        self.stop.rearm();
        match shared.into_iter().collect::<Option<Vec<bool>>>() {
            Some(ended_alone) => Self::shared(&reports, &ended_alone),
            None => self.merged(&reports),
        }
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
