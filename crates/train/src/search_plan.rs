//! The search of self-play, by name: `gumbel simulations=32`, `alphazero simulations=100 c=1.5`.

use crate::settings::{SWITCH, read_words};
use aji_bandit::{AnyRule, CONSTANTS, Count, Dirichlet, Gumbel, Number, Puct, SHARES, VisitSettings, Word};
use aji_search::Report;
use std::fmt;
use std::str::FromStr;

/// The most simulations of a move.
pub const SIMULATIONS_MAX: u32 = 1_000_000;

/// A rule and the settings of its search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SearchPlan {
    /// Gumbel search or PUCT.
    pub rule: AnyRule,
    /// Simulations per move.
    pub simulations: u32,
    /// Noise on the root's priors, for PUCT.
    pub noise: Option<Dirichlet>,
    /// Whether the search proves what it can.
    pub solver: bool,
}

/// How many actions Gumbel search considers at the root, as in its paper.
const CONSIDERED_DEFAULT: u32 = 16;

/// `c_visit` of Gumbel search, as in its paper.
const VISITS_DEFAULT: f32 = 50.0;

/// The default `c_scale` of Gumbel search. With 1, the target policy puts nearly everything on the action that a few
/// simulations of a young network liked best, and Tic-Tac-Toe takes three times the games.
const SCALE_DEFAULT: f32 = 0.2;

impl Default for SearchPlan {
    fn default() -> SearchPlan {
        let rule = Gumbel::new(CONSIDERED_DEFAULT, VISITS_DEFAULT, SCALE_DEFAULT);
        SearchPlan { rule: rule.into(), simulations: 32, noise: None, solver: true }
    }
}

impl SearchPlan {
    /// The first words of a name, with their descriptions.
    pub const KNOWN: [(&str, &str); 2] = [
        ("gumbel", "Gumbel search: learns its improved policy"),
        ("alphazero", "PUCT with noise: learns its visits"),
    ];

    /// Visits all options.
    pub fn options(&mut self, visit: &mut VisitSettings) {
        visit("simulations", "simulations per move", &mut Count(&mut self.simulations, 1..=SIMULATIONS_MAX));
        self.rule.settings(visit);
        if let Some(noise) = &mut self.noise {
            visit(
                "alpha",
                "the evenness of the Dirichlet noise on the root's priors",
                &mut Number(&mut noise.alpha, CONSTANTS),
            );
            visit("noise", "the share of noise in the root's priors", &mut Number(&mut noise.share, SHARES));
        }
        visit(
            "solver",
            "whether the search proves outcomes where it can",
            &mut Word(&mut self.solver, SWITCH),
        );
    }

    /// The target policy from a report, for each arm. With `prunes`, leaves out visits that only noise explains.
    pub(crate) fn target<A>(&self, report: &Report<A>, prunes: bool) -> Vec<f32> {
        match self.rule {
            AnyRule::Gumbel(rule) => report.improved_policy(rule.c_visit, rule.c_scale),
            AnyRule::Puct(rule) if prunes => pruned_shares(report, rule),
            _ => report.visit_policy(1.0),
        }
    }
}

/// The shares of the visits that PUCT would have made without noise (Wu 2019, policy target pruning). An arm loses
/// visits as long as its score stays below the most visited arm's. An arm that would keep one visit loses it.
fn pruned_shares<A>(report: &Report<A>, rule: Puct) -> Vec<f32> {
    let total: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
    let width = rule.c * (total.max(1) as f32).sqrt();
    let score = |mean: f32, prior: f32, pulls: u32| mean + width * prior / (1.0 + pulls as f32);
    let Some(best) = report.arms.iter().max_by_key(|arm| arm.pulls) else { return Vec::new() };
    let goal = score(best.mean, best.prior.unwrap_or(0.0), best.pulls);
    let kept = |arm: &aji_search::ArmReport<A>| {
        let prior = arm.prior.unwrap_or(0.0);
        if arm.pulls == best.pulls || arm.pulls == 0 {
            return arm.pulls;
        }
        let least = (0..arm.pulls).find(|&pulls| score(arm.mean, prior, pulls) < goal).unwrap_or(arm.pulls);
        if least <= 1 { 0 } else { least }
    };
    let pulls: Vec<u32> = report.arms.iter().map(kept).collect();
    aji_bandit::visit_shares(&pulls, 1.0)
}

impl FromStr for SearchPlan {
    type Err = String;

    fn from_str(text: &str) -> Result<SearchPlan, String> {
        let mut words = text.split_whitespace();
        let word = words.next().unwrap_or_default();
        let mut plan = match word {
            "gumbel" => SearchPlan::default(),
            "alphazero" => SearchPlan {
                rule: Puct::default().into(),
                noise: Some(Dirichlet::default()),
                simulations: 100,
                ..SearchPlan::default()
            },
            _ => {
                return Err(format!(
                    "self-play by \"{text}\": expected gumbel or alphazero first, found \"{word}\""
                ));
            }
        };
        read_words(&format!("option of {word}"), words, |visit| plan.options(visit))?;
        Ok(plan)
    }
}

impl fmt::Display for SearchPlan {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        out.write_str(if self.noise.is_some() { "alphazero" } else { "gumbel" })?;
        let mut words = String::new();
        { *self }.options(&mut |key, _, setting| {
            words.push_str(&format!(" {key}={}", setting.show().unwrap_or_default()));
        });
        out.write_str(&words)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_search::ArmReport;
    use std::time::Duration;

    #[test]
    fn names_are_read_and_written() {
        for name in
            ["gumbel simulations=16 solver=off", "alphazero c=2 alpha=0.5 noise=0", "alphazero", "gumbel"]
        {
            let plan: SearchPlan = name.parse().unwrap();
            assert_eq!(plan.to_string().parse(), Ok(plan));
        }
        let check = |text: &str, expect: &str| {
            let error = text.parse::<SearchPlan>().unwrap_err();
            assert!(error.contains(expect), "{error}");
        };
        check("", "expected gumbel or alphazero first");
        check("uct c=1", "found \"uct\"");
        check(
            "gumbel alpha=1",
            "unknown option of gumbel \"alpha\": expected one of simulations, considered",
        );
        check("gumbel simulations=0", "simulations=0: expected a whole number from 1 to 1000000");
    }

    /// The second arm keeps only the visits that PUCT would have made. The third arm has its one visit from noise, and
    /// loses it.
    #[test]
    fn visits_from_noise_are_pruned() {
        let arm = |pulls, mean, prior| ArmReport { prior: Some(prior), ..ArmReport::new((), pulls, mean) };
        let mut report = Report::chosen(Some(()), Duration::ZERO);
        report.arms = vec![arm(11, 0.6, 0.6), arm(4, 0.2, 0.3), arm(1, 0.0, 0.1)];
        // The goal is 0.6 + 1.25 x 4 x 0.6 / 12 = 0.85. With n visits the second arm has 0.2 + 1.5 / (1 + n): below
        // it from n = 2 on (0.7). The third has 0.5 without any visit.
        let found = SearchPlan::from_str("alphazero").unwrap().target(&report, true);
        let expect = [11.0 / 13.0, 2.0 / 13.0, 0.0];
        assert!(found.iter().zip(expect).all(|(a, b)| (a - b).abs() < 1e-6), "{found:?}");
    }
}
