//! Adaptive multistage sampling (Chang, Fu, Hu & Marcus 2005), which put UCB1 into the sampling of finite-horizon
//! decision problems a year before UCT.
//!
//! Every stage tries each action once and spends the rest of its samples by UCB1. **Each sample draws a next state
//! and estimates it by the same procedure, one stage shorter**. The value of a state is the average over its samples,
//! which tends to the best action as samples grow. The work is samples to the power of stages. There is no tree to
//! remember anything, which is what UCT changed.
//!
//! For one player. Beyond the last stage a random playout estimates the rest.

use crate::budget::Meter;
use crate::watch::Counted;
use crate::{
    Agent, ArmReport, Budget, Game, Payoff, Recommend, Report, Rng, Select, Stopped, Turn, Utility, Watch,
};
use aji_bandit::{Arms, Ucb1};

/// The most stages. Samples to the power of this is already too slow.
pub const STAGES_MAX: u32 = 16;

/// An agent that samples in stages.
#[derive(Clone, Debug)]
pub struct Multistage {
    /// Samples per state and stage; at least one per action.
    pub samples: u32,
    /// The number of decisions to look ahead, at most [`STAGES_MAX`].
    pub stages: u32,
    /// The exploration constant; the paper's is sqrt(2).
    pub c: f32,
    /// What the agent maximises.
    pub utility: Utility,
    /// The source of randomness.
    pub rng: Rng,
}

/// One evaluation under way.
struct Sampling<'a> {
    settings: &'a mut Multistage,
    playouts: u64,
}

impl Sampling<'_> {
    /// The value of a state with this many stages to go. The recursion is as deep as the stages.
    fn value<G: Game>(&mut self, game: &G, stages: u32) -> f32 {
        let game = self.after_chance(game.clone());
        if game.turn() == Turn::Over {
            return self.reward(&game.payoff());
        }
        if stages == 0 {
            self.playouts += 1;
            let payoff = game.clone().playout(&mut self.settings.rng, &mut Vec::new());
            return self.reward(&payoff);
        }
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut arms = Arms::new(actions.len());
        for _ in 0..self.settings.samples.max(actions.len() as u32) {
            self.sample(&game, &actions, &mut arms, stages);
        }
        let view = arms.view();
        (view.arms().map(|arm| arm.sum()).sum::<f64>() / f64::from(view.total)) as f32
    }

    /// One sample of a state: an action by UCB1, and the value of what follows.
    fn sample<G: Game>(&mut self, game: &G, actions: &[G::Action], arms: &mut Arms, stages: u32) {
        let chosen = Ucb1 { c: self.settings.c }.select(&arms.view(), &mut self.settings.rng);
        let mut after = game.clone();
        after.play(actions[chosen]);
        let value = self.value(&after, stages - 1);
        arms.add(chosen, value);
    }

    fn after_chance<G: Game>(&mut self, mut game: G) -> G {
        let mut scratch = Vec::new();
        while game.turn() == Turn::Chance {
            game.play(game.random_action(&mut self.settings.rng, &mut scratch));
        }
        game
    }

    fn reward(&self, payoff: &Payoff) -> f32 {
        self.settings.utility.rewards(payoff)[0]
    }
}

impl<G: Game> Agent<G> for Multistage {
    /// Samples the root until the stage's samples or the budget are spent. The budget counts playouts as simulations.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let mut meter = Meter::new(budget);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        if !matches!(game.turn(), Turn::Player(_)) {
            return Report::empty(&meter, Stopped::Nothing);
        }
        let (samples, stages) = (self.samples.max(actions.len() as u32), self.stages.clamp(1, STAGES_MAX));
        let mut arms = Arms::new(actions.len());
        let mut sampling = Sampling { settings: self, playouts: 0 };
        let mut stopped = Stopped::Enough;
        for _ in 0..samples {
            sampling.sample(game, &actions, &mut arms, stages);
            let playouts = std::mem::take(&mut sampling.playouts);
            meter.spend(playouts.min(meter.left().unwrap_or(u64::MAX)));
            let mut counted = Counted { simulations: meter.spent(), time: meter.elapsed() };
            if !watch.look(&mut counted) {
                stopped = Stopped::Handle;
                break;
            }
            if let Err(spent) = meter.next_batch() {
                stopped = spent;
                break;
            }
        }
        let view = arms.view();
        let best = Recommend::HighestMean.recommend(&view);
        let arm = |(&action, arm): (&G::Action, aji_bandit::Arm)| ArmReport::new(action, arm.pulls, arm.mean);
        Report {
            best: best.map(|index| actions[index]),
            value: best.map(|index| view.means[index]),
            arms: actions.iter().zip(view.arms()).map(arm).collect(),
            line: best.map(|index| actions[index]).into_iter().collect(),
            ..Report::empty(&meter, stopped)
        }
    }

    fn played(&mut self, _action: G::Action) {}
}
