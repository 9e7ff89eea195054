//! Sampling rules by name: `ucb1(c=0.7)`, `uniform`. As a value it is also the rule itself.

use crate::Error;
use crate::error::unknown;
use crate::units::{Expected, number};
use crate::words::Words;
use aji_search::Rng;
use aji_search::bandit::{
    Epsilon, Puct, Rave, Recommend, Schedule, Select, Ucb1, UcbSqrt, UcbTuned, Uniform, View,
};
use std::fmt;
use std::str::FromStr;

/// Any of the sampling rules.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum RuleName {
    /// `ucb1(c=1.4)`
    Ucb1(Ucb1),
    /// `ucb_tuned`
    UcbTuned(UcbTuned),
    /// `ucb_sqrt(c=0.3)`
    UcbSqrt(UcbSqrt),
    /// `epsilon(epsilon=0.5)`
    Epsilon(Epsilon),
    /// `uniform`
    Uniform(Uniform),
    /// `puct(c=1.25,untried=0.5)`
    Puct(Puct),
    /// `rave(c=0,bias=0.1)` or `rave(c=0,k=300)`
    Rave(Rave),
}

/// The largest exploration constant that makes any sense; beyond it a rule is uniform.
pub(crate) const CONSTANT_MAX: f32 = 1e6;

impl RuleName {
    /// The words of all rules, with what they are.
    pub const KNOWN: [(&str, &str); 7] = [
        ("ucb1", "upper confidence bound with ln n: c"),
        ("ucb_tuned", "UCB1-Tuned: the bound follows the variance"),
        ("ucb_sqrt", "upper confidence bound with sqrt n: c"),
        ("epsilon", "epsilon-greedy: epsilon"),
        ("uniform", "round robin"),
        ("puct", "AlphaZero's rule; all priors alike: c, untried"),
        ("rave", "means mixed with those of all moves as first: c, and bias or k"),
    ];

    /// How the rule's pulls are best read in the end.
    pub fn recommend(&self) -> Recommend {
        match self {
            RuleName::Ucb1(_)
            | RuleName::UcbTuned(_)
            | RuleName::UcbSqrt(_)
            | RuleName::Puct(_)
            | RuleName::Rave(_) => Recommend::MostPulls,
            RuleName::Epsilon(_) | RuleName::Uniform(_) => Recommend::HighestMean,
        }
    }
}

impl RuleName {
    /// Whether it reads what all moves as first say.
    pub fn wants_amaf(&self) -> bool {
        matches!(self, RuleName::Rave(_))
    }
}

fn rave(words: &mut Words) -> Result<Rave, Error> {
    let standard = Rave::default();
    let c = words.take("c", constant)?.unwrap_or(standard.c);
    let bias = words.take("bias", |text| number(text, 0.0, 1.0))?;
    let k = words.take("k", |text| number(text, 1.0, 1e9))?;
    let schedule = match (bias, k) {
        (None, None) => standard.schedule,
        (Some(bias), None) => Schedule::MinimumError { bias },
        (None, Some(k)) => Schedule::HandPicked { k },
        (Some(_), Some(_)) => return Err(Error::new("rule rave: bias= and k= are two schedules: give one")),
    };
    Ok(Rave { c, schedule })
}

/// A constant of exploration.
pub(crate) fn constant(text: &str) -> Result<f32, Expected> {
    number(text, 0.0, CONSTANT_MAX)
}

impl FromStr for RuleName {
    type Err = Error;

    fn from_str(text: &str) -> Result<RuleName, Error> {
        RuleName::from_words(Words::parse_nested("rule", text)?)
    }
}

impl RuleName {
    pub(crate) fn from_words(mut words: Words) -> Result<RuleName, Error> {
        let unit = |text: &str| number(text, 0.0, 1.0);
        let rule = match words.name {
            "ucb1" => RuleName::Ucb1(Ucb1 { c: words.take("c", constant)?.unwrap_or(Ucb1::default().c) }),
            "ucb_tuned" => RuleName::UcbTuned(UcbTuned),
            "ucb_sqrt" => {
                RuleName::UcbSqrt(UcbSqrt { c: words.take("c", constant)?.unwrap_or(UcbSqrt::default().c) })
            }
            "epsilon" => {
                let epsilon = words.take("epsilon", unit)?.unwrap_or(Epsilon::default().epsilon);
                RuleName::Epsilon(Epsilon { epsilon })
            }
            "uniform" => RuleName::Uniform(Uniform),
            "puct" => {
                let standard = Puct::default();
                let c = words.take("c", constant)?.unwrap_or(standard.c);
                let untried = words.take("untried", unit)?.unwrap_or(standard.untried);
                RuleName::Puct(Puct { c, untried })
            }
            "rave" => RuleName::Rave(rave(&mut words)?),
            other => return Err(unknown("rule", other, &RuleName::KNOWN.map(|(word, _)| word))),
        };
        words.finish()?;
        Ok(rule)
    }
}

impl fmt::Display for RuleName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RuleName::Ucb1(Ucb1 { c }) => write!(f, "ucb1(c={c})"),
            RuleName::UcbTuned(_) => write!(f, "ucb_tuned"),
            RuleName::UcbSqrt(UcbSqrt { c }) => write!(f, "ucb_sqrt(c={c})"),
            RuleName::Epsilon(Epsilon { epsilon }) => write!(f, "epsilon(epsilon={epsilon})"),
            RuleName::Uniform(_) => write!(f, "uniform"),
            RuleName::Puct(Puct { c, untried }) => write!(f, "puct(c={c},untried={untried})"),
            RuleName::Rave(Rave { c, schedule: Schedule::MinimumError { bias } }) => {
                write!(f, "rave(c={c},bias={bias})")
            }
            RuleName::Rave(Rave { c, schedule: Schedule::HandPicked { k } }) => {
                write!(f, "rave(c={c},k={k})")
            }
        }
    }
}

impl Select for RuleName {
    const WANTS_AMAF: bool = true;

    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        match self {
            RuleName::Ucb1(rule) => rule.select(view, rng),
            RuleName::UcbTuned(rule) => rule.select(view, rng),
            RuleName::UcbSqrt(rule) => rule.select(view, rng),
            RuleName::Epsilon(rule) => rule.select(view, rng),
            RuleName::Uniform(rule) => rule.select(view, rng),
            RuleName::Puct(rule) => rule.select(view, rng),
            RuleName::Rave(rule) => rule.select(view, rng),
        }
    }

    fn select_ahead(&mut self, view: &View, picks: &mut [u16]) -> bool {
        match self {
            RuleName::Ucb1(rule) => rule.select_ahead(view, picks),
            _ => false,
        }
    }

    fn wants_squares(&self) -> bool {
        matches!(self, RuleName::UcbTuned(_))
    }
}
