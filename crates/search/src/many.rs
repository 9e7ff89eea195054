//! Many searches of one type that step together, so that one call evaluates all their leaves. A network then gets
//! full batches, while each game is searched as if it were alone.
//!
//! In each step every search descends to a leaf of its own. One call evaluates all leaves, and every search backs up
//! its own. Each search has its own random numbers; only the evaluation's are shared. So the results depend on each
//! other only through an evaluation that is random or learns.

use crate::budget::Meter;
use crate::engine::Engine;
use crate::kernel::{GameKernel, Reached};
use crate::{Budget, Evaluate, Game, Leaf, Report, Rng, Search, Select, Stopped, Tree};
use aji_bandit::PULLS_MAX;

/// Searches that share one evaluation.
pub struct ManySearches<G: Game, S, E> {
    searches: Vec<Quiet<G, S>>,
    evaluate: E,
    rng: Rng,
    /// The leaves of a step, and the index of the search that owns each.
    leaves: Vec<Leaf<G>>,
    owners: Vec<usize>,
}

/// A placeholder in a search whose leaves are evaluated elsewhere.
#[derive(Clone, Copy, Debug)]
pub struct NoEvaluation {
    has_policy: bool,
    values_chance: bool,
}

impl<G: Game> Evaluate<G> for NoEvaluation {
    fn has_policy(&self) -> bool {
        self.has_policy
    }

    fn values_chance(&self) -> bool {
        self.values_chance
    }

    /// Never called: the leaves are evaluated together.
    fn evaluate(&mut self, _leaves: &mut [Leaf<G>], _rng: &mut Rng) {}
}

impl<G: Game, S: Select, E: Evaluate<G>> ManySearches<G, S, E> {
    /// These searches with one evaluation for all, which replaces their own. `rng` is for the evaluation.
    pub fn new<F: Evaluate<G>>(
        searches: impl IntoIterator<Item = Search<G, S, F>>,
        evaluate: E,
        rng: Rng,
    ) -> ManySearches<G, S, E> {
        let (has_policy, values_chance) = (evaluate.has_policy(), evaluate.values_chance());
        let stand_in = NoEvaluation { has_policy, values_chance };
        let searches = searches.into_iter().map(|search| search.evaluate(stand_in)).collect();
        ManySearches { searches, evaluate, rng, leaves: Vec::new(), owners: Vec::new() }
    }

    /// The searches.
    pub fn searches(&self) -> &[Search<G, S, NoEvaluation>] {
        &self.searches
    }

    /// One of the searches, to play an action in it or to reset it.
    pub fn search(&mut self, number: usize) -> &mut Search<G, S, NoEvaluation> {
        &mut self.searches[number]
    }

    /// The evaluation of the leaves.
    pub fn evaluation(&self) -> &E {
        &self.evaluate
    }

    /// The evaluation of the leaves, to change it.
    pub fn evaluation_mut(&mut self) -> &mut E {
        &mut self.evaluate
    }

    /// Runs this many simulations in each search that has something to search, and returns the reports in order. A
    /// search with a proven root stops early.
    pub fn run(&mut self, simulations: u64) -> Vec<Report<G::Action>> {
        let all: Vec<(usize, u64)> = (0..self.searches.len()).map(|number| (number, simulations)).collect();
        self.run_some(&all)
    }

    /// The same for some of the searches only: each by its number, in ascending order, with its own simulations. The
    /// others stay as they are and have no report.
    pub fn run_some(&mut self, wanted: &[(usize, u64)]) -> Vec<Report<G::Action>> {
        let mut runs: Vec<Run> = self.searches.iter().map(|_| Run::of(0)).collect();
        for &(number, simulations) in wanted {
            runs[number] = Run::new(&mut self.searches[number], simulations);
        }
        // Roots that were just opened need their priors.
        let numbers = wanted.iter().map(|&(number, _)| number);
        let is_new = |&number: &usize| {
            let engine = &self.searches[number].engine;
            runs[number].stopped != Stopped::Nothing && engine.has_policy && engine.root_is_new
        };
        let wanting = numbers.clone().filter(is_new).collect();
        self.value(wanting, |_| true, conclude_root);
        for number in numbers {
            add_noise(&mut self.searches[number]);
        }
        while runs.iter().any(|run| run.left > 0) {
            self.step(&mut runs);
        }
        let report = |&(number, _): &(usize, u64)| {
            std::mem::replace(&mut runs[number], Run::of(0)).end(&mut self.searches[number])
        };
        wanted.iter().map(report).collect()
    }

    /// Runs one simulation in each search that has some left.
    fn step(&mut self, runs: &mut [Run]) {
        let busy: Vec<usize> = (0..runs.len()).filter(|&number| runs[number].left > 0).collect();
        for &number in &busy {
            let run = &mut runs[number];
            self.searches[number].engine.left = u32::try_from(run.left).ok();
            run.meter.spend(1);
            run.left -= 1;
        }
        self.value(busy.clone(), reach, conclude);
        for number in busy {
            if self.searches[number].engine.root_bounds.value().is_some() {
                (runs[number].left, runs[number].stopped) = (0, Stopped::Solved);
            }
        }
    }

    /// Sends these searches to a leaf, evaluates the leaves of those that reached one, and hands the results back.
    fn value(
        &mut self,
        numbers: Vec<usize>,
        mut reach: impl FnMut(&mut Quiet<G, S>) -> bool,
        mut conclude: impl FnMut(&mut Quiet<G, S>),
    ) {
        self.owners.clear();
        for number in numbers {
            let search = &mut self.searches[number];
            if !reach(search) {
                continue;
            }
            let place = self.owners.len();
            if place == self.leaves.len() {
                self.leaves.push(Leaf::new(search.kernel.root.clone()));
            }
            std::mem::swap(search.kernel.leaf_mut(), &mut self.leaves[place]);
            self.owners.push(number);
        }
        let leaves = &mut self.leaves[..self.owners.len()];
        if !leaves.is_empty() {
            self.evaluate.evaluate(leaves, &mut self.rng);
        }
        for (place, &number) in self.owners.iter().enumerate() {
            let search = &mut self.searches[number];
            std::mem::swap(search.kernel.leaf_mut(), &mut self.leaves[place]);
            conclude(search);
        }
    }
}

/// A search whose leaves are evaluated elsewhere.
type Quiet<G, S> = Search<G, S, NoEvaluation>;

/// The first half of a simulation. True if it reached a leaf to evaluate; otherwise the simulation is complete.
fn reach<G: Game, S: Select>(search: &mut Quiet<G, S>) -> bool {
    with_tree(search, |kernel, engine, tree| {
        if engine.settings.recycle && tree.wants_recycling() {
            tree.recycle();
        }
        let reached = kernel.reach::<false>(engine, tree, engine.left);
        if reached != Reached::Leaf {
            kernel.conclude::<false>(engine, tree, reached);
        }
        reached == Reached::Leaf
    })
    .unwrap_or(false)
}

/// The second half of a simulation.
fn conclude<G: Game, S: Select>(search: &mut Quiet<G, S>) {
    with_tree(search, |kernel, engine, tree| kernel.conclude::<false>(engine, tree, Reached::Leaf));
}

fn conclude_root<G: Game, S: Select>(search: &mut Quiet<G, S>) {
    with_tree(search, |kernel, engine, tree| kernel.conclude_root(engine, tree));
}

fn add_noise<G: Game, S: Select>(search: &mut Quiet<G, S>) {
    with_tree(search, |_, engine, tree| engine.add_noise(tree));
}

/// Does something with a search that has a tree.
fn with_tree<G: Game, S: Select, R>(
    search: &mut Quiet<G, S>,
    work: impl FnOnce(&mut GameKernel<G, S, NoEvaluation>, &mut Engine, &mut Tree) -> R,
) -> Option<R> {
    let mut tree = search.engine.tree.take()?;
    let result = work(&mut search.kernel, &mut search.engine, &mut tree);
    search.engine.tree = Some(tree);
    Some(result)
}

/// The progress of one search.
struct Run {
    /// Began with the run.
    meter: Meter,
    left: u64,
    stopped: Stopped,
}

impl Run {
    fn of(simulations: u64) -> Run {
        let meter = Meter::new(Budget::simulations(simulations));
        Run { meter, left: 0, stopped: Stopped::Nothing }
    }

    /// Opens the root, if there is anything to search.
    fn new<G: Game, S: Select>(search: &mut Quiet<G, S>, simulations: u64) -> Run {
        let mut run = Run::of(simulations);
        let Search { engine, kernel } = search;
        let Some(tree) = engine.planted(kernel, Budget::simulations(simulations)) else {
            return run;
        };
        let room = u64::from(PULLS_MAX - tree.pulls());
        engine.tree = Some(tree);
        if engine.root_bounds.value().is_some() {
            run.stopped = Stopped::Solved;
            return run;
        }
        run.left = simulations.min(room);
        run.stopped = if room < simulations { Stopped::PullsMax } else { Stopped::Simulations };
        run
    }

    fn end<G: Game, S: Select>(self, search: &mut Quiet<G, S>) -> Report<G::Action> {
        let Search { engine, kernel } = search;
        let report = engine.report(kernel, engine.tree.as_ref(), &self.meter, self.stopped);
        report.with_actions(&search.kernel.root)
    }
}
