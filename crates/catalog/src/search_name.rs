//! Monte Carlo searches by name: `uct c=0.7 root=epsilon playout=maxi`. A part of an agent's name.

use crate::Error;
use crate::learner_name::LearnerName;
use crate::playout_name::{PlayoutName, read_playout};
use crate::rule_name::read_rule;
use crate::units::{choice, constant, count, switch};
use crate::words::Words;
use aji_search::bandit::{AnyRule, Rave, Recommend, Steady, Ucb1, Uniform};
use aji_search::{DEPTH_MAX, PLAYOUT_PLIES_MAX, THREADS_MAX, WAVE_MAX};
use std::fmt;

/// The parts of a Monte Carlo search.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchName {
    /// The preset it was named by.
    pub preset: Preset,
    /// `root=`, where it is not the rule of the rest.
    pub root: Option<AnyRule>,
    /// `below=`, or `c=` for the preset's own.
    pub below: AnyRule,
    /// `c=` where `unit=points` is given too: the constant of UCB1 in points.
    pub c_in_points: Option<f32>,
    /// `depth=`, the deepest the tree grows.
    pub depth: usize,
    /// `playout=`
    pub playout: PlayoutName,
    /// `learn=`
    pub learn: Option<LearnerName>,
    /// `ref=`: with the rule `rave`, the visits below which a node is shown what one above knows: GRAVE.
    pub reference: u32,
    /// `cutoff=`, the most plies of a playout.
    pub cutoff: Option<u32>,
    /// `eval=on`: a cut playout is valued by the game's heuristic, not as a draw.
    pub eval: bool,
    /// `recommend=`, where it is not what suits the root's rule.
    pub recommend: Option<Recommend>,
    /// `unit=`, where it is not what suits the game: points for one player, the win for more.
    pub unit: Option<Unit>,
    /// `solver=on`: proves what can be proven.
    pub solver: bool,
    /// `reuse=off`: begins every move with an empty tree.
    pub reuse: bool,
    /// `carry=on`: simulations that a move did not need are kept for the next ones of the game.
    pub carry: bool,
    /// `near=`: the root's rule also rules so many steps below it, less one.
    pub near: u32,
    /// `steady=`: a root's own rule is asked again when its arm has one pull in so many more; 0 for every pull.
    pub steady: u32,
    /// `wave=`, the simulations that go down the tree together.
    pub wave: usize,
    /// `full=recycle`: a full tree frees its least visited half.
    pub recycle: bool,
    /// `transpositions=on`: positions reached by different ways share a node.
    pub transpositions: bool,
    /// `threads=`: each has a tree of its own, and all trees are read off together.
    pub threads: usize,
}

/// The first word of a search's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// UCB1 in the whole tree.
    Uct,
    /// MC-RAVE in the whole tree.
    Rave,
    /// Pure Monte Carlo: every action in turn, no tree.
    Flat,
}

/// What is maximised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `win`
    Win,
    /// `points`
    Points,
}

const UNITS: [(&str, Unit); 2] = [("win", Unit::Win), ("points", Unit::Points)];

const FULL: [(&str, bool); 2] = [("leave", false), ("recycle", true)];

pub(crate) const RECOMMENDATIONS: [(&str, Recommend); 3] = [
    ("pulls", Recommend::MostPulls),
    ("mean", Recommend::HighestMean),
    ("posterior", Recommend::PosteriorMean),
];

impl SearchName {
    pub(crate) fn preset(preset: Preset) -> SearchName {
        SearchName {
            preset,
            root: (preset == Preset::Flat).then_some(AnyRule::Uniform(Uniform)),
            below: match preset {
                Preset::Rave => AnyRule::Rave(Rave::default()),
                Preset::Uct | Preset::Flat => AnyRule::Ucb1(Ucb1::default()),
            },
            c_in_points: None,
            depth: if preset == Preset::Flat { 1 } else { DEPTH_MAX },
            playout: PlayoutName::Uniform,
            learn: None,
            reference: 0,
            cutoff: None,
            eval: false,
            recommend: None,
            unit: None,
            solver: false,
            reuse: true,
            carry: false,
            near: 1,
            steady: Steady::<AnyRule>::SHARE,
            wave: 1,
            recycle: false,
            transpositions: false,
            threads: 1,
        }
    }

    /// The rule at the root.
    pub fn root_rule(&self) -> AnyRule {
        self.root.unwrap_or(self.below)
    }

    /// The rules at the root and below it, for payoffs that lie so far apart.
    pub(crate) fn rules(&self, range: f32) -> [AnyRule; 2] {
        let in_points = self.c_in_points.filter(|_| range > 0.0);
        let below = in_points.map_or(self.below, |c| AnyRule::Ucb1(Ucb1 { c: c / range }));
        [self.root.unwrap_or(below), below]
    }

    /// How the action to play is chosen in the end.
    pub fn recommendation(&self) -> Recommend {
        self.recommend.unwrap_or_else(|| self.root_rule().about().recommend)
    }

    pub(crate) fn parse(preset: Preset, words: &mut Words) -> Result<SearchName, Error> {
        let standard = SearchName::preset(preset);
        let rule = |text: &str| read_rule(text).map_err(|error| format!("a rule, but {error}"));
        let c = words.take("c", constant)?;
        let below = words.take("below", rule)?;
        if c.is_some() && below.is_some() {
            return Err(Error::new(
                "c= is the constant of the usual rule; with below= give it there, as in below=ucb_sqrt(c=0.3)",
            ));
        }
        let unit = words.take("unit", |text| choice(text, &UNITS))?;
        let c_in_points = c.filter(|_| unit == Some(Unit::Points) && preset != Preset::Rave);
        let with_c = c.filter(|_| c_in_points.is_none()).map(|c| match preset {
            Preset::Rave => AnyRule::Rave(Rave { c, ..Rave::default() }),
            Preset::Uct | Preset::Flat => AnyRule::Ucb1(Ucb1 { c }),
        });
        let (playout, taught) = words.take("playout", read_playout)?.unwrap_or((standard.playout, None));
        let learn = LearnerName::parse(words, taught)?;
        let search = SearchName {
            preset,
            root: words.take("root", rule)?.or(standard.root),
            below: below.or(with_c).unwrap_or(standard.below),
            c_in_points,
            depth: words
                .take("depth", |text| count(text, 1, DEPTH_MAX as u64))?
                .map_or(standard.depth, |n| n as usize),
            playout,
            learn,
            reference: words.take("ref", |text| count(text, 0, u32::MAX.into()))?.unwrap_or(0) as u32,
            cutoff: words
                .take("cutoff", |text| count(text, 0, PLAYOUT_PLIES_MAX.into()))?
                .map(|plies| plies as u32),
            eval: words.take("eval", switch)?.unwrap_or(standard.eval),
            recommend: words.take("recommend", |text| choice(text, &RECOMMENDATIONS))?,
            unit,
            solver: words.take("solver", switch)?.unwrap_or(standard.solver),
            reuse: words.take("reuse", switch)?.unwrap_or(standard.reuse),
            carry: words.take("carry", switch)?.unwrap_or(standard.carry),
            near: words
                .take("near", |text| count(text, 1, DEPTH_MAX as u64))?
                .map_or(standard.near, |n| n as u32),
            steady: words
                .take("steady", |text| count(text, 0, u32::MAX.into()))?
                .map_or(standard.steady, |n| n as u32),
            wave: words
                .take("wave", |text| count(text, 1, WAVE_MAX as u64))?
                .map_or(standard.wave, |width| width as usize),
            recycle: words.take("full", |text| choice(text, &FULL))?.unwrap_or(standard.recycle),
            transpositions: words.take("transpositions", switch)?.unwrap_or(standard.transpositions),
            threads: words
                .take("threads", |text| count(text, 1, THREADS_MAX as u64))?
                .map_or(standard.threads, |threads| threads as usize),
        };
        if search.eval && search.cutoff.is_none() {
            return Err(Error::new("eval=on values cut playouts: give cutoff=PLIES with it"));
        }
        if search.cutoff.is_some() && (search.learns() || search.wants_amaf()) {
            return Err(Error::new("what learns plays to the end: leave cutoff= out"));
        }
        if search.carry && !search.reuse {
            return Err(Error::new("carry=on keeps what one move leaves for the next: leave reuse=off out"));
        }
        if search.near > 1 && search.root.is_none() {
            return Err(Error::new("near= says how far down the root's rule goes: give root= with it"));
        }
        if search.reference > 0 && !search.wants_amaf() {
            return Err(Error::new("ref= belongs to the rule rave: give below=rave with it"));
        }
        let plain = matches!(search.playout, PlayoutName::Uniform | PlayoutName::Maxi);
        if search.learn.is_some() && !plain {
            return Err(Error::new(
                "learn= goes with playout=maxi or uniform; mast and lgr learn for themselves",
            ));
        }
        if search.wants_amaf()
            && (search.learn.is_some() || matches!(search.playout, PlayoutName::Epsilon(_)))
        {
            return Err(Error::new(
                "the rule rave hears playouts of uniform, atari, mast and lgr: leave the other out",
            ));
        }
        let clash = search.beside_transpositions().filter(|_| search.transpositions);
        let clash = clash.map(|other| ("transpositions=on", other));
        let other = search.beside_learning().filter(|_| search.learns() || search.wants_amaf());
        clash.or(other.map(|other| ("learning", other))).map_or(Ok(search), |(one, other)| {
            Err(Error::new(format!("{one} does not work with {other}: leave one of them out")))
        })
    }

    /// Whether it learns of actions across positions.
    pub(crate) fn learns(&self) -> bool {
        self.learn.is_some() || matches!(self.playout, PlayoutName::Mast(_) | PlayoutName::Lgr)
    }

    /// Whether a rule of it reads what all moves as first say.
    pub(crate) fn wants_amaf(&self) -> bool {
        self.below.wants_amaf() || self.root_rule().wants_amaf()
    }

    /// The first option given in which simulations do not come one by one from a tree.
    fn beside_learning(&self) -> Option<&'static str> {
        let options = [(self.transpositions, "transpositions=on"), (self.wave > 1, "wave=")];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// The first option given that a graph does not know.
    fn beside_transpositions(&self) -> Option<&'static str> {
        let options = [
            (self.solver, "solver=on"),
            (self.wave > 1, "wave="),
            (self.recycle, "full=recycle"),
            (self.threads > 1, "threads="),
        ];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }
}

impl fmt::Display for SearchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standard = SearchName::preset(self.preset);
        f.write_str(match self.preset {
            Preset::Uct => "uct",
            Preset::Rave => "rave",
            Preset::Flat => "flat",
        })?;
        match self.below {
            // With unit=points c= would be in points.
            AnyRule::Ucb1(Ucb1 { c })
                if self.below != standard.below
                    && self.unit != Some(Unit::Points)
                    && self.preset != Preset::Rave =>
            {
                write!(f, " c={c}")?;
            }
            rule if rule != standard.below => write!(f, " below={rule}")?,
            _ => {}
        }
        if let Some(c) = self.c_in_points {
            write!(f, " c={c}")?;
        }
        if let Some(root) = self.root.filter(|_| self.root != standard.root) {
            write!(f, " root={root}")?;
        }
        if self.depth != standard.depth {
            write!(f, " depth={}", self.depth)?;
        }
        if self.playout != standard.playout {
            write!(f, " playout={}", self.playout)?;
        }
        if let Some(learner) = self.learn {
            write!(f, " learn={learner}")?;
        }
        if self.reference > 0 {
            write!(f, " ref={}", self.reference)?;
        }
        if let Some(cutoff) = self.cutoff {
            write!(f, " cutoff={cutoff}{}", if self.eval { " eval=on" } else { "" })?;
        }
        if let Some((word, _)) = RECOMMENDATIONS.iter().find(|(_, rule)| Some(*rule) == self.recommend) {
            write!(f, " recommend={word}")?;
        }
        if let Some((word, _)) = UNITS.iter().find(|(_, unit)| Some(*unit) == self.unit) {
            write!(f, " unit={word}")?;
        }
        f.write_str(if self.solver { " solver=on" } else { "" })?;
        f.write_str(if self.reuse { "" } else { " reuse=off" })?;
        f.write_str(if self.carry { " carry=on" } else { "" })?;
        if self.near > 1 {
            write!(f, " near={}", self.near)?;
        }
        if self.steady != standard.steady {
            write!(f, " steady={}", self.steady)?;
        }
        if self.wave > 1 {
            write!(f, " wave={}", self.wave)?;
        }
        f.write_str(if self.recycle { " full=recycle" } else { "" })?;
        f.write_str(if self.transpositions { " transpositions=on" } else { "" })?;
        if self.threads > 1 { write!(f, " threads={}", self.threads) } else { Ok(()) }
    }
}
