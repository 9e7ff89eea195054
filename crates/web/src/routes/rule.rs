//! What a rule of sampling makes of some arms: the bounds of UCB1, and the arm that is chosen.

use crate::failure::Failure;
use crate::limits::{AGENT_MAX, ARMS_MAX};
use crate::request::{Asked, Told};
use crate::server::Shared;
use aji_catalog::read_rule;
use aji_search::bandit::{AnyRule, Arms};
use aji_search::{Arm, Rng, Select};
use axum::Router;
use axum::routing::post;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/rule", post(ask))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Question {
    /// The rule with its settings: `ucb1(c=1.4)`.
    rule: String,
    arms: Vec<Known>,
}

/// What is known of an arm.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Known {
    pulls: u32,
    /// The mean of its rewards, 0 to 1.
    mean: f32,
}

#[derive(Serialize)]
struct Choice {
    /// The rule's whole name.
    rule: String,
    /// The upper confidence bound of each arm, if the rule is UCB1; none of an arm without pulls, where it is infinite.
    bounds: Vec<Option<f32>>,
    /// Which arm the rule pulls next.
    choice: usize,
}

async fn ask(Asked(asked): Asked<Question>) -> Result<Told<Choice>, Failure> {
    if asked.rule.len() > AGENT_MAX {
        return Err(Failure::too_long("bytes of the rule's name", asked.rule.len(), AGENT_MAX));
    }
    if !(1..=ARMS_MAX).contains(&asked.arms.len()) {
        return Err(Failure::wrong(format!("{} arms: expected 1 to {ARMS_MAX}", asked.arms.len())));
    }
    if let Some(wrong) = asked.arms.iter().find(|arm| !(0.0..=1.0).contains(&arm.mean)) {
        return Err(Failure::wrong(format!("mean {}: expected 0 to 1", wrong.mean)));
    }
    if asked.arms.iter().try_fold(0u32, |sum, arm| sum.checked_add(arm.pulls)).is_none() {
        return Err(Failure::wrong(format!("pulls: expected at most {} of all arms", u32::MAX)));
    }
    let mut rule = read_rule(&asked.rule)?;
    let arms: Arms = asked.arms.iter().map(|&Known { pulls, mean }| Arm { pulls, mean }).collect();
    let bound = |index| match rule {
        AnyRule::Ucb1(ucb1) => Some(ucb1.bound(&arms.view(), index)).filter(|bound| bound.is_finite()),
        _ => None,
    };
    let bounds = (0..asked.arms.len()).map(bound).collect();
    let choice = rule.select(&arms.view(), &mut Rng::seeded(0));
    Ok(Told(Choice { rule: rule.to_string(), bounds, choice }))
}
