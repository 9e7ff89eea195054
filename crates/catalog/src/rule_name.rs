//! Sampling rules by name: `ucb1(c=0.7)`, `uniform`. As a value it is also the rule itself.

use crate::Error;
use crate::error::unknown;
use crate::units::{Expected, choice, count, number};
use crate::words::Words;
use aji_search::Rng;
use aji_search::bandit::{
    Allowance, Blinkered, Bound, Epsilon, Gumbel, Halving, Horizon, KlUcb, KnowledgeGradient, Ocba, Puct,
    Rave, Recommend, Rejects, Sample, Schedule, Select, Thompson, Ties, TopTwo, Ucb1, UcbSqrt, UcbTuned,
    Uniform, View, Voi,
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
    /// `voi(bound=simple,ties=random,stop=0)`
    Voi(Voi),
    /// `halving(budget=fixed)`
    Halving(Halving),
    /// `rejects(budget=fixed)`
    Rejects(Rejects),
    /// `thompson(sample=beta)`
    Thompson(Thompson),
    /// `toptwo(beta=0.5,sample=beta)`
    TopTwo(TopTwo),
    /// `ocba`
    Ocba(Ocba),
    /// `kg`
    KnowledgeGradient(KnowledgeGradient),
    /// `blinkered(horizon=longer)`
    Blinkered(Blinkered),
    /// `kl_ucb(c=0)`
    KlUcb(KlUcb),
    /// `gumbel(considered=16,c_visit=50,c_scale=1)`
    Gumbel(Gumbel),
}

/// The largest exploration constant that makes any sense; beyond it a rule is uniform.
pub(crate) const CONSTANT_MAX: f32 = 1e6;

impl RuleName {
    /// The words of all rules, with what they are.
    pub const KNOWN: [(&str, &str); 17] = [
        ("ucb1", "upper confidence bound with ln n: c"),
        ("ucb_tuned", "UCB1-Tuned: the bound follows the variance"),
        ("ucb_sqrt", "upper confidence bound with sqrt n: c"),
        ("epsilon", "epsilon-greedy: epsilon"),
        ("uniform", "round robin"),
        ("puct", "AlphaZero's rule; all priors alike: c, untried"),
        ("rave", "means mixed with those of all moves as first: c, and bias or k"),
        ("voi", "value of information: bound (simple, phi), ties (random, most, first), stop"),
        ("halving", "Sequential Halving: budget (fixed, anytime)"),
        ("rejects", "Successive Rejects: budget (fixed, anytime)"),
        ("thompson", "Thompson sampling: sample (beta, normal)"),
        ("toptwo", "top-two Thompson sampling: beta, sample (beta, normal)"),
        ("ocba", "optimal computing budget allocation"),
        ("kg", "knowledge gradient: what one pull more would gain"),
        ("blinkered", "what many pulls of one arm would gain: horizon (longer, left)"),
        ("kl_ucb", "upper confidence bound of wins and losses: c"),
        ("gumbel", "Gumbel search; all priors alike: considered, c_visit, c_scale"),
    ];

    /// How the rule's pulls are best read in the end.
    pub fn recommend(&self) -> Recommend {
        match self {
            RuleName::Ucb1(_)
            | RuleName::UcbTuned(_)
            | RuleName::UcbSqrt(_)
            | RuleName::Puct(_)
            | RuleName::Rave(_)
            | RuleName::KlUcb(_)
            | RuleName::Gumbel(_) => Recommend::MostPulls,
            RuleName::Epsilon(_) | RuleName::Uniform(_) => Recommend::HighestMean,
            // Rules that tell the best two apart pull both. Of halving and rejects the last arm is also the most pulled, but only when
            // their rounds are over, and an arm dismissed by bad luck may be better after all.
            RuleName::Voi(_)
            | RuleName::Halving(_)
            | RuleName::Rejects(_)
            | RuleName::Thompson(_)
            | RuleName::TopTwo(_)
            | RuleName::Ocba(_)
            | RuleName::KnowledgeGradient(_)
            | RuleName::Blinkered(_) => Recommend::PosteriorMean,
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

fn voi(words: &mut Words) -> Result<Voi, Error> {
    let bound = words.take("bound", |text| choice(text, &BOUNDS))?.unwrap_or_default();
    let ties = words.take("ties", |text| choice(text, &TIES))?.unwrap_or_default();
    let stop = words.take("stop", |text| number(text, 0.0, 1.0))?.unwrap_or_default();
    Ok(Voi { bound, ties, stop })
}

fn gumbel(words: &mut Words) -> Result<Gumbel, Error> {
    let standard = Gumbel::default();
    let considered = words
        .take("considered", |text| count(text, 1, aji_search::ACTIONS_MAX as u64))?
        .map(|count| count as u32);
    let c_visit = words.take("c_visit", constant)?.unwrap_or(standard.c_visit);
    let c_scale = words.take("c_scale", constant)?.unwrap_or(standard.c_scale);
    Ok(Gumbel::new(considered.unwrap_or(standard.considered), c_visit, c_scale))
}

fn top_two(words: &mut Words) -> Result<TopTwo, Error> {
    let beta = words.take("beta", |text| number(text, 0.0, 1.0))?.unwrap_or(TopTwo::default().beta);
    Ok(TopTwo { beta, sample: sample(words)? })
}

fn sample(words: &mut Words) -> Result<Sample, Error> {
    Ok(words.take("sample", |text| choice(text, &SAMPLES))?.unwrap_or_default())
}

fn allowance(words: &mut Words) -> Result<Allowance, Error> {
    Ok(words.take("budget", |text| choice(text, &ALLOWANCES))?.unwrap_or_default())
}

const BOUNDS: [(&str, Bound); 2] = [("simple", Bound::Simple), ("phi", Bound::Phi)];
const TIES: [(&str, Ties); 3] = [("random", Ties::Random), ("most", Ties::Most), ("first", Ties::First)];
const SAMPLES: [(&str, Sample); 2] = [("beta", Sample::Beta), ("normal", Sample::Normal)];
const HORIZONS: [(&str, Horizon); 2] = [("longer", Horizon::Longer), ("left", Horizon::Left)];
const ALLOWANCES: [(&str, Allowance); 2] = [("fixed", Allowance::Fixed), ("anytime", Allowance::Anytime)];

/// The word that stands for it.
fn word_of<T: PartialEq>(choice: &T, known: &[(&'static str, T)]) -> &'static str {
    known.iter().find(|(_, other)| other == choice).map_or("", |(word, _)| word)
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
            "voi" => RuleName::Voi(voi(&mut words)?),
            "halving" => RuleName::Halving(Halving { budget: allowance(&mut words)? }),
            "rejects" => RuleName::Rejects(Rejects::new(allowance(&mut words)?)),
            "thompson" => RuleName::Thompson(Thompson { sample: sample(&mut words)? }),
            "toptwo" => RuleName::TopTwo(top_two(&mut words)?),
            "ocba" => RuleName::Ocba(Ocba),
            "kg" => RuleName::KnowledgeGradient(KnowledgeGradient),
            "blinkered" => {
                let horizon = words.take("horizon", |text| choice(text, &HORIZONS))?.unwrap_or_default();
                RuleName::Blinkered(Blinkered { horizon })
            }
            "kl_ucb" => {
                RuleName::KlUcb(KlUcb { c: words.take("c", constant)?.unwrap_or(KlUcb::default().c) })
            }
            "gumbel" => RuleName::Gumbel(gumbel(&mut words)?),
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
            RuleName::Voi(Voi { bound, ties, stop }) => {
                let usual = Voi::default();
                let bound = unusual("bound", word_of(bound, &BOUNDS), word_of(&usual.bound, &BOUNDS));
                let ties = unusual("ties", word_of(ties, &TIES), word_of(&usual.ties, &TIES));
                write_rule(f, "voi", [bound, ties, unusual("stop", stop, &usual.stop)])
            }
            RuleName::Halving(rule) => write_rule(f, "halving", [unusual_budget(rule.budget)]),
            RuleName::Rejects(rule) => write_rule(f, "rejects", [unusual_budget(rule.budget)]),
            RuleName::Thompson(rule) => write_rule(f, "thompson", [unusual_sample(rule.sample)]),
            RuleName::TopTwo(TopTwo { beta, sample }) => {
                let beta = unusual("beta", beta, &TopTwo::default().beta);
                write_rule(f, "toptwo", [beta, unusual_sample(*sample)])
            }
            RuleName::Ocba(_) => write!(f, "ocba"),
            RuleName::KnowledgeGradient(_) => write!(f, "kg"),
            RuleName::Blinkered(rule) => {
                let usual = word_of(&Horizon::default(), &HORIZONS);
                write_rule(f, "blinkered", [unusual("horizon", word_of(&rule.horizon, &HORIZONS), usual)])
            }
            RuleName::KlUcb(KlUcb { c }) => write_rule(f, "kl_ucb", [unusual("c", c, &KlUcb::default().c)]),
            RuleName::Gumbel(Gumbel { considered, c_visit, c_scale, .. }) => {
                let usual = Gumbel::default();
                let considered = unusual("considered", considered, &usual.considered);
                let visit = unusual("c_visit", c_visit, &usual.c_visit);
                write_rule(f, "gumbel", [considered, visit, unusual("c_scale", c_scale, &usual.c_scale)])
            }
        }
    }
}

/// An option, if it is not as usual.
fn unusual<T: fmt::Display + PartialEq + ?Sized>(key: &str, value: &T, usual: &T) -> Option<String> {
    (value != usual).then(|| format!("{key}={value}"))
}

fn unusual_budget(budget: Allowance) -> Option<String> {
    unusual("budget", word_of(&budget, &ALLOWANCES), word_of(&Allowance::default(), &ALLOWANCES))
}

fn unusual_sample(sample: Sample) -> Option<String> {
    unusual("sample", word_of(&sample, &SAMPLES), word_of(&Sample::default(), &SAMPLES))
}

/// A rule's word with the options that are not as usual.
fn write_rule<const N: usize>(
    f: &mut fmt::Formatter<'_>,
    word: &str,
    options: [Option<String>; N],
) -> fmt::Result {
    let options = options.into_iter().flatten().collect::<Vec<_>>().join(",");
    if options.is_empty() { f.write_str(word) } else { write!(f, "{word}({options})") }
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
            RuleName::Voi(rule) => rule.select(view, rng),
            RuleName::Halving(rule) => rule.select(view, rng),
            RuleName::Rejects(rule) => rule.select(view, rng),
            RuleName::Thompson(rule) => rule.select(view, rng),
            RuleName::TopTwo(rule) => rule.select(view, rng),
            RuleName::Ocba(rule) => rule.select(view, rng),
            RuleName::KnowledgeGradient(rule) => rule.select(view, rng),
            RuleName::Blinkered(rule) => rule.select(view, rng),
            RuleName::KlUcb(rule) => rule.select(view, rng),
            RuleName::Gumbel(rule) => rule.select(view, rng),
        }
    }

    fn select_ahead(&mut self, view: &View, picks: &mut [u16]) -> bool {
        match self {
            RuleName::Ucb1(rule) => rule.select_ahead(view, picks),
            _ => false,
        }
    }

    fn enough(&self, view: &View) -> bool {
        matches!(self, RuleName::Voi(rule) if rule.enough(view))
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        match self {
            RuleName::Ucb1(rule) => rule.rest(view, arm, share),
            RuleName::UcbTuned(rule) => rule.rest(view, arm, share),
            RuleName::UcbSqrt(rule) => rule.rest(view, arm, share),
            RuleName::Epsilon(rule) => rule.rest(view, arm, share),
            RuleName::Uniform(rule) => rule.rest(view, arm, share),
            RuleName::Puct(rule) => rule.rest(view, arm, share),
            RuleName::Rave(rule) => rule.rest(view, arm, share),
            RuleName::Voi(rule) => rule.rest(view, arm, share),
            RuleName::Halving(rule) => rule.rest(view, arm, share),
            RuleName::Rejects(rule) => rule.rest(view, arm, share),
            RuleName::Thompson(rule) => rule.rest(view, arm, share),
            RuleName::TopTwo(rule) => rule.rest(view, arm, share),
            RuleName::Ocba(rule) => rule.rest(view, arm, share),
            RuleName::KnowledgeGradient(rule) => rule.rest(view, arm, share),
            RuleName::Blinkered(rule) => rule.rest(view, arm, share),
            RuleName::KlUcb(rule) => rule.rest(view, arm, share),
            RuleName::Gumbel(rule) => rule.rest(view, arm, share),
        }
    }

    fn wants_squares(&self) -> bool {
        matches!(self, RuleName::UcbTuned(_) | RuleName::Ocba(_))
    }
}
