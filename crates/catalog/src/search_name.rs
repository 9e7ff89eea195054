//! Monte Carlo searches by name: `uct c=0.7 root=epsilon playout=maxi`. A part of an agent's name.

use crate::Error;
use crate::learner_name::{LEARNERS, LearnerName, READS, ReadName};
use crate::playout_name::{PlayoutName, PlayoutSetting};
use crate::rule_name::RuleSetting;
use crate::units::{Expected, SWITCH};
use crate::words::Words;
use aji_search::bandit::{
    AnyRule, CONSTANTS, Count, Gumbel, Number, Puct, Rave, Recommend, SHARES, Setting, Steady, Ucb1, Uniform,
    VisitSettings, Word,
};
use aji_search::learn::{ReadOut, Reading};
use aji_search::{DEPTH_MAX, Game, PLAYOUT_PLIES_MAX, Rng, Settings, THREADS_MAX, Utility, WAVE_MAX};
use std::fmt;

/// The agents that are Monte Carlo searches, for messages.
pub const SEARCHES: &str = "uct, rave, flat, alphazero and gumbel";

/// The parts of a Monte Carlo search. [`settings`](SearchName::settings) says what each does.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchName {
    /// The preset it was named by.
    pub preset: Preset,
    /// `c=`, if it is not the constant of the preset.
    pub c: Option<f32>,
    /// `below=`, if it is not the rule of the preset.
    pub below: Option<AnyRule>,
    /// `root=`, if it is not the rule of the rest of the tree.
    pub root: Option<AnyRule>,
    /// `depth=`
    pub depth: usize,
    /// `playout=`
    pub playout: PlayoutName,
    /// `net=`, if it is not the network that ships for the game.
    pub net: Option<String>,
    /// `symmetries=`
    pub symmetries: bool,
    /// `lambda=`
    pub lambda: f32,
    /// `learn=`
    pub learn: Option<LearnerName>,
    /// `repair=`, if it is not the learner's default.
    pub repair: Option<u32>,
    /// `read=`, if it is not the learner's default.
    pub read: Option<ReadName>,
    /// `ref=`
    pub reference: u32,
    /// `cutoff=`
    pub cutoff: Option<u32>,
    /// `eval=`
    pub eval: bool,
    /// `recommend=`, if it is not the default of the root's rule.
    pub recommend: Option<Recommend>,
    /// `unit=`, if it is not the game's default: points for one player, the win for more.
    pub unit: Option<Unit>,
    /// `solver=`
    pub solver: bool,
    /// `reuse=`
    pub reuse: bool,
    /// `carry=`
    pub carry: bool,
    /// `near=`
    pub near: u32,
    /// `steady=`
    pub steady: u32,
    /// `wave=`
    pub wave: usize,
    /// `full=recycle`
    pub recycle: bool,
    /// `transpositions=`
    pub transpositions: bool,
    /// `threads=`
    pub threads: usize,
    /// `share=`
    pub share: bool,
    /// `lines=`
    pub lines: usize,
}

/// The most principal lines of a report.
pub const LINES_MAX: usize = 100;

/// The first word of a search's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Preset {
    /// UCB1 in the whole tree.
    Uct,
    /// MC-RAVE in the whole tree.
    Rave,
    /// Pure Monte Carlo: every action in turn, no tree.
    Flat,
    /// PUCT in the whole tree, with a network.
    AlphaZero,
    /// Gumbel search in the whole tree, with a network.
    Gumbel,
}

const PRESETS: [(&str, Preset); 5] = [
    ("uct", Preset::Uct),
    ("rave", Preset::Rave),
    ("flat", Preset::Flat),
    ("alphazero", Preset::AlphaZero),
    ("gumbel", Preset::Gumbel),
];

impl Preset {
    pub(crate) fn of_word(word: &str) -> Option<Preset> {
        PRESETS.into_iter().find(|known| known.0 == word).map(|known| known.1)
    }

    /// All presets, each with its word.
    pub(crate) fn all() -> [(&'static str, Preset); 5] {
        PRESETS
    }

    pub(crate) fn word(self) -> &'static str {
        PRESETS.into_iter().find(|known| known.1 == self).map_or("", |known| known.0)
    }

    /// The default rule of the tree.
    fn rule(self) -> AnyRule {
        match self {
            Preset::Rave => Rave::default().into(),
            Preset::Uct | Preset::Flat => Ucb1::default().into(),
            Preset::AlphaZero => Puct::default().into(),
            Preset::Gumbel => Gumbel::default().without_noise().into(),
        }
    }

    /// The same with this constant, `c=`; none if the rule has no such constant.
    fn rule_with(self, c: f32) -> Option<AnyRule> {
        match self {
            Preset::Rave => Some(Rave { c, ..Rave::default() }.into()),
            Preset::Uct | Preset::Flat => Some(Ucb1 { c }.into()),
            Preset::AlphaZero => Some(Puct { c, ..Puct::default() }.into()),
            Preset::Gumbel => None,
        }
    }

    /// Whether a network guides and values it.
    fn has_network(self) -> bool {
        matches!(self, Preset::AlphaZero | Preset::Gumbel)
    }
}

/// A setting that is the path of a file, without spaces; none if it is not given.
struct FilePath<'a>(&'a mut Option<String>);

impl Setting for FilePath<'_> {
    fn takes(&self) -> Expected {
        "the path of a file, without spaces".into()
    }

    fn read(&mut self, text: &str) -> Result<(), Expected> {
        let path = Some(text.to_string()).filter(|path| !path.is_empty());
        *self.0 = Some(path.ok_or_else(|| self.takes())?);
        Ok(())
    }

    fn show(&self) -> Option<String> {
        self.0.clone()
    }

    fn example(&self, rng: &mut Rng) -> String {
        ["net.safetensors", "runs/a=1/net", "../x"][rng.below(3)].into()
    }
}

/// What is maximised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// `win`
    Win,
    /// `points`
    Points,
}

const UNITS: &[(&str, Unit)] = &[("win", Unit::Win), ("points", Unit::Points)];

const FULL: &[(&str, bool)] = &[("leave", false), ("recycle", true)];

pub(crate) const RECOMMENDATIONS: &[(&str, Recommend)] = &[
    ("pulls", Recommend::MostPulls),
    ("mean", Recommend::HighestMean),
    ("posterior", Recommend::PosteriorMean),
];

impl SearchName {
    pub(crate) fn preset(preset: Preset) -> SearchName {
        SearchName {
            preset,
            c: None,
            below: None,
            root: (preset == Preset::Flat).then_some(AnyRule::Uniform(Uniform)),
            depth: if preset == Preset::Flat { 1 } else { DEPTH_MAX },
            playout: PlayoutName::Uniform,
            net: None,
            symmetries: false,
            lambda: if preset.has_network() { 0.0 } else { 1.0 },
            learn: None,
            repair: None,
            read: None,
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
            share: true,
            lines: 1,
        }
    }

    /// The table of settings. Names are read and printed in this order, and `aji list` shows it. `playout` precedes `learn`, because it
    /// may bring a learner that `learn` replaces.
    #[rustfmt::skip]
    pub fn settings(&mut self, visit: &mut VisitSettings) {
        visit("c", "the constant of the preset's rule; with unit=points, in points", &mut Number(&mut self.c, CONSTANTS));
        visit("below", "the rule of the tree, in place of the preset's", &mut RuleSetting(&mut self.below));
        visit("root", "the rule at the root, in place of the tree's", &mut RuleSetting(&mut self.root));
        visit("depth", "the depth to which the tree grows", &mut Count(&mut self.depth, 1..=DEPTH_MAX));
        visit("playout", "how playouts choose", &mut PlayoutSetting { playout: &mut self.playout, learn: &mut self.learn });
        visit("net", "the file of a network, in place of the one that ships for the game", &mut FilePath(&mut self.net));
        visit("symmetries", "the network evaluates all symmetric images of a position, and the search uses their mean", &mut Word(&mut self.symmetries, SWITCH));
        visit("lambda", "the playout's share of a leaf's value; the rest is the network's (0 for alphazero and gumbel, else 1)", &mut Number(&mut self.lambda, SHARES));
        visit("learn", "what the search learns about actions across positions", &mut Word(&mut self.learn, LEARNERS));
        visit("repair", "the learner repairs its order after this many simulations; 0: after every comparison", &mut Count(&mut self.repair, 0..=u32::MAX));
        visit("read", "how the learner's order is read; the last three with learn=rave", &mut Word(&mut self.read, READS));
        visit("ref", "with the rule rave: nodes of fewer visits use the counts of a node above (GRAVE)", &mut Count(&mut self.reference, 0..=u32::MAX));
        visit("cutoff", "the most plies of a playout", &mut Count(&mut self.cutoff, 0..=PLAYOUT_PLIES_MAX));
        visit("eval", "the game's heuristic evaluates cut playouts; off: they count as draws", &mut Word(&mut self.eval, SWITCH));
        visit("recommend", "how the move is chosen in the end", &mut Word(&mut self.recommend, RECOMMENDATIONS));
        visit("unit", "what is maximised", &mut Word(&mut self.unit, UNITS));
        visit("solver", "proves outcomes where it can", &mut Word(&mut self.solver, SWITCH));
        visit("reuse", "keeps the tree from move to move", &mut Word(&mut self.reuse, SWITCH));
        visit("carry", "saves simulations that a move did not need for later moves", &mut Word(&mut self.carry, SWITCH));
        visit("near", "how many levels of the tree, from the root down, use root=", &mut Count(&mut self.near, 1..=DEPTH_MAX as u32));
        visit("steady", "root= reuses its choice until that arm's pulls have grown by 1/steady; 0: chooses at every pull", &mut Count(&mut self.steady, 0..=u32::MAX));
        visit("wave", "the batch: simulations that go down the tree together", &mut Count(&mut self.wave, 1..=WAVE_MAX));
        visit("full", "when memory is full, the tree stays as it is or frees its least visited half", &mut Word(&mut self.recycle, FULL));
        visit("transpositions", "positions reached by different ways share a node", &mut Word(&mut self.transpositions, SWITCH));
        visit("threads", "threads, each with a tree of its own", &mut Count(&mut self.threads, 1..=THREADS_MAX));
        visit("share", "threads share the statistics of the most visited nodes", &mut Word(&mut self.share, SWITCH));
        visit("lines", "how many principal lines a report has", &mut Count(&mut self.lines, 1..=LINES_MAX));
    }

    /// What the search maximises in this game.
    pub(crate) fn utility(&self, game: &impl Game) -> Utility {
        match self.unit {
            None => Utility::suitable(game),
            Some(Unit::Win) => Utility::Win,
            Some(Unit::Points) => Utility::score(game),
        }
    }

    /// The settings of a search of this name within this much memory, without its utility.
    pub(crate) fn search_settings(&self, memory: usize) -> Settings {
        Settings {
            recommend: self.recommendation(),
            memory,
            depth: self.depth,
            solver: self.solver,
            wave: self.wave,
            recycle: self.recycle,
            lines: self.lines,
            share: self.share && self.threads > 1,
            ..Settings::default()
        }
    }

    /// The keys of all settings, each with what it takes and what it does.
    pub fn known_settings() -> Vec<(&'static str, String, &'static str)> {
        let mut known = Vec::new();
        SearchName::preset(Preset::Uct)
            .settings(&mut |key, summary, setting| known.push((key, setting.takes(), summary)));
        known
    }

    /// The settings that have a value, each with its key.
    fn shown(&self) -> Vec<(&'static str, String)> {
        let mut shown = Vec::new();
        self.clone().settings(&mut |key, _, setting| shown.extend(setting.show().map(|value| (key, value))));
        shown
    }

    /// The rule at the root.
    pub fn root_rule(&self) -> AnyRule {
        self.root.unwrap_or_else(|| self.below_rule())
    }

    /// The rule below the root. Where `c=` is in points, its constant depends on the game: see `rules`.
    pub fn below_rule(&self) -> AnyRule {
        let by_constant = self.c.filter(|_| !self.is_in_points()).and_then(|c| self.preset.rule_with(c));
        self.below.or(by_constant).unwrap_or_else(|| self.preset.rule())
    }

    /// The rules at the root and below it, for payoffs that lie this far apart.
    pub(crate) fn rules(&self, range: f32) -> [AnyRule; 2] {
        let in_points = self.c.filter(|_| self.is_in_points() && range > 0.0);
        let below = in_points.map_or_else(|| self.below_rule(), |c| Ucb1 { c: c / range }.into());
        [self.root.unwrap_or(below), below]
    }

    /// Whether `c=` is in points.
    fn is_in_points(&self) -> bool {
        self.unit == Some(Unit::Points) && matches!(self.preset, Preset::Uct | Preset::Flat)
    }

    /// How the action to play is chosen in the end.
    pub fn recommendation(&self) -> Recommend {
        self.recommend.unwrap_or_else(|| self.root_rule().about().recommend)
    }

    pub(crate) fn parse(preset: Preset, words: &mut Words) -> Result<SearchName, Error> {
        if words.gives("c") && words.gives("below") {
            return Err(Error::new(
                "c= is the constant of the usual rule; with below= give it there, as in below=ucb_sqrt(c=0.3)",
            ));
        }
        let mut search = SearchName::preset(preset);
        let mut read = Ok(());
        search.settings(&mut |key, _, setting| {
            if read.is_ok() {
                read = words.set(key, setting);
            }
        });
        read?;
        search.normalise();
        search.refusal().map_or(Ok(search), Err)
    }

    /// Makes equal searches have equal names: `c=` for UCB1 and PUCT unless it would be in points, `below=` for other
    /// rules, and nothing for defaults.
    fn normalise(&mut self) {
        match (self.preset, self.below) {
            (Preset::Rave, _) => {
                self.below = Some(self.below_rule());
                self.c = None;
            }
            (Preset::Uct | Preset::Flat, Some(AnyRule::Ucb1(rule))) if !self.is_in_points() => {
                (self.below, self.c) = (None, Some(rule.c));
            }
            (Preset::AlphaZero, Some(AnyRule::Puct(rule))) if rule.untried == Puct::default().untried => {
                (self.below, self.c) = (None, Some(rule.c));
            }
            _ => {}
        }
        let standard = self.preset.rule();
        self.below = self.below.filter(|rule| *rule != standard);
        self.c = self.c.filter(|&c| self.is_in_points() || self.preset.rule_with(c) != Some(standard));
        let is_default =
            |read| matches!(read, ReadName::Ride(ReadOut::List) | ReadName::Amaf(Reading::Difference));
        let is_taken = |read| self.learn.is_some_and(|learn| learn.takes(read));
        self.read = self.read.filter(|&read| !is_default(read) || !is_taken(read));
    }

    /// The error of options that do not work together.
    fn refusal(&self) -> Option<Error> {
        let plain = matches!(self.playout, PlayoutName::Uniform | PlayoutName::Maxi);
        let unheard = self.learn.is_some() || matches!(self.playout, PlayoutName::Epsilon(_));
        let refusals = [
            (
                self.preset == Preset::Gumbel && self.c.is_some(),
                "gumbel has no constant c=: give below=puct(c=1.25), or below=gumbel(c_scale=1)",
            ),
            (
                self.network_word().is_none() && (self.net.is_some() || self.symmetries),
                "net= and symmetries= need a search with a network: alphazero, gumbel, playout=net or lambda= below 1",
            ),
            (
                self.network_word().is_some() && (self.learns() || self.wants_amaf()),
                "a network does not work with learning or the rule rave: leave one of them out",
            ),
            (
                self.unit == Some(Unit::Points) && self.lambda < 1.0,
                "unit=points does not work with the values of a network, which are chances of winning: leave unit= out, \
                 or give lambda=1",
            ),
            (
                self.lambda == 0.0 && (self.playout != PlayoutName::Uniform || self.cutoff.is_some()),
                "with lambda=0 there are no playouts: give lambda=, or leave playout= and cutoff= out",
            ),
            (
                matches!(self.playout, PlayoutName::Net(_)) && self.cutoff.is_some(),
                "playout=net plays to the end: leave cutoff= out",
            ),
            (
                self.learn.is_none() && (self.repair.is_some() || self.read.is_some()),
                "repair= and read= belong to a learner: give learn=ride with them",
            ),
            (self.eval && self.cutoff.is_none(), "eval=on evaluates cut playouts: give cutoff=PLIES with it"),
            (
                self.cutoff.is_some() && (self.learns() || self.wants_amaf()),
                "searches that learn play to the end: leave cutoff= out",
            ),
            (
                self.carry && !self.reuse,
                "carry=on saves simulations for later moves, which reuse=off would drop: leave reuse=off out",
            ),
            (
                self.near > 1 && self.root.is_none(),
                "near= says how far down the root's rule goes: give root= with it",
            ),
            (
                self.reference > 0 && !self.wants_amaf(),
                "ref= belongs to the rule rave: give below=rave with it",
            ),
            (
                self.learn.is_some() && !plain,
                "learn= works with playout=maxi or uniform; mast and lgr learn for themselves",
            ),
            (
                self.wants_amaf() && unheard,
                "the rule rave works with the playouts uniform, atari, mast and lgr: leave the other out",
            ),
        ];
        if let Some((_, refusal)) = refusals.into_iter().find(|(applies, _)| *applies) {
            return Some(Error::new(refusal));
        }
        if let (Some(learn), Some(read)) = (self.learn, self.read)
            && let Some(refusal) = learn.refusal(read)
        {
            return Some(refusal);
        }
        let clash = self.beside_transpositions().filter(|_| self.transpositions);
        let clash = clash.map(|other| ("transpositions=on", other));
        let other = self.beside_learning().filter(|_| self.learns() || self.wants_amaf());
        let (one, other) = clash.or(other.map(|other| ("learning", other)))?;
        Some(Error::new(format!("{one} does not work with {other}: leave one of them out")))
    }

    /// The word that asks for a network, if one does.
    pub(crate) fn network_word(&self) -> Option<&'static str> {
        match (self.preset, self.playout) {
            (Preset::AlphaZero | Preset::Gumbel, _) => Some(self.preset.word()),
            (_, PlayoutName::Net(_)) => Some("playout=net"),
            _ => (self.lambda < 1.0).then_some("lambda="),
        }
    }

    /// Whether a network values leaves and gives priors.
    pub(crate) fn has_policy(&self) -> bool {
        self.preset.has_network() || self.lambda < 1.0
    }

    /// Whether it learns about actions across positions.
    pub(crate) fn learns(&self) -> bool {
        self.learn.is_some() || matches!(self.playout, PlayoutName::Mast(_) | PlayoutName::Lgr)
    }

    /// Whether one of its rules reads all-moves-as-first statistics.
    pub(crate) fn wants_amaf(&self) -> bool {
        self.below_rule().wants_amaf() || self.root_rule().wants_amaf()
    }

    /// The first given option that learning does not allow: it needs simulations one by one from a tree.
    fn beside_learning(&self) -> Option<&'static str> {
        let options = [(self.transpositions, "transpositions=on"), (self.wave > 1, "wave=")];
        options.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }

    /// The first given option that a graph does not support.
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

/// The preset, and the options that differ from it.
impl fmt::Display for SearchName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.preset.word())?;
        self.show_options(f)
    }
}

impl SearchName {
    /// Writes the options that differ from the preset.
    pub(crate) fn show_options(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let standard = SearchName::preset(self.preset).shown();
        let mut differing = self.shown().into_iter().filter(|setting| !standard.contains(setting));
        differing.try_for_each(|(key, value)| write!(f, " {key}={value}"))
    }
}
