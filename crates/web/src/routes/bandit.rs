//! Rules on bandits, whose pulls and regrets the page watches growing.

use crate::failure::{Failure, within};
use crate::limits::{
    ALL_ARMS_MAX, ALL_PULLS_MAX, ARMS_MAX, BANDIT_MEMORY, PACE_MAX, PULLS_MAX, REPEATS_MAX, RULES_MAX,
    STUDIED_MAX, TELL_EVERY,
};
use crate::request::{Asked, Told};
use crate::server::Shared;
use crate::study::{Events, Reader, stream};
use aji_catalog::BanditName;
use aji_lab::bandit::{KnownArm, Means, Problem, Race, RacePoint, Rewards, race_points};
use aji_search::bandit::AnyRule;
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/bandit", post(race)).route("/bandit/rules", get(rules))
}

/// A rule that can be chosen.
#[derive(Serialize)]
struct ListedRule {
    /// Its name with its default settings.
    name: String,
    what: &'static str,
}

async fn rules() -> Told<Vec<ListedRule>> {
    let listed = |rule: AnyRule| ListedRule { name: rule.to_string(), what: rule.about().summary };
    Told(AnyRule::all().into_iter().map(listed).collect())
}

/// Which rules on which bandits.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichRace {
    /// The rules with their settings, separated by commas.
    rules: String,
    /// The means of the arms: `uniform`, `beta:A,B`, or a list.
    means: String,
    /// How many arms; not needed with a list.
    #[serde(default)]
    arms: Option<usize>,
    /// `bernoulli`, `beta` or `gauss`.
    #[serde(default = "rewards_default")]
    rewards: String,
    /// The pulls of each rule on each bandit.
    pulls: u32,
    /// How many bandits.
    #[serde(default = "repeats_default")]
    repeats: u64,
    #[serde(default)]
    seed: u64,
    /// Points up to this many pulls are not told, since the page has them.
    #[serde(default)]
    after: u32,
    /// Where to stop; none for the end.
    #[serde(default)]
    until: Option<u32>,
    /// Milliseconds to wait at each point of the curves.
    #[serde(default)]
    pace: u64,
}

fn rewards_default() -> String {
    "bernoulli".into()
}

fn repeats_default() -> u64 {
    1
}

/// The first event: how the request was understood.
#[derive(Serialize)]
struct Begun {
    /// The whole names of the rules.
    rules: Vec<String>,
    /// The true means of the first bandit.
    means: Vec<f64>,
}

/// An event: further points of the curves, and the first bandit at the last of them.
#[derive(Serialize)]
struct News<'a> {
    points: &'a [PointAt],
    pulls: u32,
    known: Vec<KnownArms>,
}

#[derive(Serialize)]
struct PointAt {
    pulls: u32,
    /// By rule.
    regrets: Vec<RacePoint>,
}

/// What a rule knows of the first bandit.
#[derive(Serialize)]
struct KnownArms {
    arms: Vec<KnownArm>,
    recommended: usize,
}

/// The last event.
#[derive(Serialize)]
struct Done {
    pulls: u32,
    /// Whether the whole budget was spent.
    whole: bool,
}

async fn race(State(shared): State<Arc<Shared>>, Asked(asked): Asked<WhichRace>) -> Result<Events, Failure> {
    let (problem, rules) = asked.checked()?;
    // Checks what the lab checks, without drawing the bandits.
    Race::new(problem.clone(), rules.clone(), asked.pulls, 1, asked.seed)?;
    stream(&shared, BANDIT_MEMORY, move |reader| {
        if let Ok(race) = Race::new(problem, rules, asked.pulls, asked.repeats, asked.seed) {
            asked.run(race, reader);
        }
    })
}

impl WhichRace {
    /// The bandits and the rules, if they are within the limits.
    fn checked(&self) -> Result<(Problem, Vec<BanditName>), Failure> {
        for (what, text) in [("rules", &self.rules), ("means", &self.means), ("rewards", &self.rewards)] {
            if text.len() > STUDIED_MAX {
                return Err(Failure::too_long(&format!("bytes of the {what}"), text.len(), STUDIED_MAX));
            }
        }
        let rules = BanditName::read_all(&self.rules)?;
        let means: Means = self.means.parse().map_err(|error| Failure::wrong(format!("means: {error}")))?;
        let rewards: Rewards =
            self.rewards.parse().map_err(|error| Failure::wrong(format!("rewards: {error}")))?;
        let listed = if let Means::List(means) = &means { Some(means.len()) } else { None };
        let arms = self.arms.or(listed).unwrap_or(0);
        within("arms", arms as u64, 2, ARMS_MAX as u64)?;
        within("rules", rules.len() as u64, 1, RULES_MAX as u64)?;
        within("pulls", self.pulls.into(), 1, PULLS_MAX.into())?;
        within("repeats", self.repeats, 1, REPEATS_MAX)?;
        within("pace", self.pace, 0, PACE_MAX)?;
        let runs = self.repeats * rules.len() as u64;
        within("pulls of all rules and repeats", runs * u64::from(self.pulls), 1, ALL_PULLS_MAX)?;
        within("arms of all rules and repeats", runs * arms as u64, 1, ALL_ARMS_MAX)?;
        Ok((Problem { arms, means, rewards }, rules))
    }

    /// Runs the race as far as it is asked for, and tells the reader.
    fn run(&self, mut race: Race, reader: &Reader) {
        let rules = race.rules().iter().map(BanditName::to_string).collect();
        if !reader.tell("begun", &Begun { rules, means: race.means().to_vec() }) {
            return;
        }
        let until = self.until.unwrap_or(self.pulls).min(self.pulls);
        let stops = race_points(self.pulls).into_iter().filter(|&at| at < until).chain([until]);
        let mut points = Vec::new();
        let mut told = Instant::now();
        for at in stops {
            if !race.advance(at, &|| reader.is_over()) {
                return;
            }
            if at <= self.after && at < until {
                continue;
            }
            points.push(PointAt { pulls: at, regrets: race.points() });
            if !reader.wait(Duration::from_millis(self.pace)) {
                return;
            }
            if told.elapsed() >= TELL_EVERY || at == until {
                if !reader.tell("points", &News::of(&points, &race)) {
                    return;
                }
                points.clear();
                told = Instant::now();
            }
        }
        reader.tell("done", &Done { pulls: until, whole: until == self.pulls });
    }
}

impl News<'_> {
    fn of<'a>(points: &'a [PointAt], race: &Race) -> News<'a> {
        let known = race.known().into_iter().map(|(arms, recommended)| KnownArms { arms, recommended });
        News { points, pulls: race.pulls(), known: known.collect() }
    }
}
