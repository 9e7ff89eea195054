//! One rule that plays one bandit, pull by pull.

use super::Rewards;
use crate::Trial;
use aji_catalog::BanditName;
use aji_search::bandit::{AnyRule, Arms, View};
use aji_search::{Rng, Select};
use serde::Serialize;

/// A rule with what it knows of the arms. Each arm has its own generator of rewards, so that pull number k of an arm
/// pays every rule the same.
#[derive(Clone, Debug)]
pub(super) struct Play {
    name: BanditName,
    rng: Rng,
    streams: Vec<Rng>,
    arms: Arms,
    squares: Vec<f32>,
    /// The mean of the best arm.
    best: f64,
    /// The regret of all pulls so far.
    cumulative: f64,
}

/// What a rule knows of an arm.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct KnownArm {
    /// The pulls so far.
    pub pulls: u32,
    /// The average reward; 0 while untried.
    pub average: f32,
    /// The standard error of the average; none before two pulls.
    pub error: Option<f32>,
    /// The upper confidence bound that the rule compares, if the rule is UCB1 or KL-UCB and the arm was tried.
    pub bound: Option<f64>,
}

impl Play {
    /// No pulls yet, on a bandit with these means.
    pub fn new(name: BanditName, means: &[f64], trial: Trial) -> Play {
        let arms = means.len();
        let rewards = trial.seed_of("rewards");
        Play {
            name,
            rng: Rng::seeded(trial.seed_of("rule")),
            streams: (0..arms as u64).map(|arm| Rng::seeded(rewards.wrapping_add(arm))).collect(),
            arms: Arms::new(arms),
            squares: vec![0.0; arms],
            best: means.iter().copied().fold(0.0, f64::max),
            cumulative: 0.0,
        }
    }

    /// Pulls an arm. `left` counts this pull and those after it.
    pub fn pull(&mut self, means: &[f64], rewards: Rewards, left: u32) {
        let view = View { left: Some(left), squares: &self.squares, ..self.arms.view() };
        let chosen = self.name.rule.select(&view, &mut self.rng);
        let reward = rewards.draw(means[chosen], &mut self.streams[chosen]);
        self.arms.add(chosen, reward);
        let pulls = self.arms.view().pulls[chosen] as f32;
        self.squares[chosen] += (reward * reward - self.squares[chosen]) / pulls;
        self.cumulative += self.best - means[chosen];
    }

    /// The arm that it recommends now.
    pub fn recommended(&self) -> usize {
        self.name.recommend.recommend(&self.arms.view()).unwrap_or(0)
    }

    /// The simple regret, by the arm recommended now, and the cumulative regret, by all pulls.
    pub fn regrets(&self, means: &[f64]) -> [f64; 2] {
        [self.best - means[self.recommended()], self.cumulative]
    }

    /// What it knows of each arm.
    pub fn known(&self) -> Vec<KnownArm> {
        let view = View { squares: &self.squares, ..self.arms.view() };
        let known = |(index, arm): (usize, aji_search::Arm)| {
            let variance = (self.squares[index] - arm.mean * arm.mean).max(0.0);
            let bound = match self.name.rule {
                AnyRule::Ucb1(rule) => Some(f64::from(rule.bound(&view, index))),
                AnyRule::KlUcb(rule) => Some(rule.bound(&view, index)),
                _ => None,
            };
            KnownArm {
                pulls: arm.pulls,
                average: arm.mean,
                error: (arm.pulls > 1).then(|| (variance / (arm.pulls - 1) as f32).sqrt()),
                bound: bound.filter(|bound| bound.is_finite()),
            }
        };
        view.arms().enumerate().map(known).collect()
    }
}
