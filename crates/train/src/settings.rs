//! The settings of a training, as options with keys. One table serves to read, print, explain and compare them.

use crate::search_plan::SearchPlan;
use aji_bandit::{Count, Number, SHARES, VisitSettings, Word};
use aji_net::optimizer;

/// On or off.
pub(crate) const SWITCH: &[(&str, bool)] = &[("on", true), ("off", false)];

/// The most games of an iteration.
pub const ITERATION_GAMES_MAX: u32 = 100_000;

/// The most samples of a batch.
pub const BATCH_MAX: u32 = 4_096;

/// The most samples of the replay window.
pub const WINDOW_MAX: u64 = 100_000_000;

/// The most plies of a game of self-play; a longer one counts as a draw.
pub const PLIES_MAX: u32 = 5_000;

/// How a network is trained, apart from the game, the network's design and the search of self-play.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// `games=`
    pub games: u32,
    /// `reuse=`
    pub reuse: f32,
    /// `batch=`
    pub batch: u32,
    /// `rate=`
    pub rate: f32,
    /// `rate_end=`
    pub rate_end: f32,
    /// `rate_steps=`
    pub rate_steps: u64,
    /// `warmup=`
    pub warmup: u64,
    /// `decay=`
    pub decay: f32,
    /// `clip=`
    pub clip: f32,
    /// `averaging=`
    pub averaging: f32,
    /// `window=`
    pub window: u64,
    /// `window_start=`
    pub window_start: u64,
    /// `window_share=`
    pub window_share: f32,
    /// `openings=`
    pub openings: f32,
    /// `opening_plies=`
    pub opening_plies: u32,
    /// `sampled=`
    pub sampled: u32,
    /// `mix=`
    pub mix: f32,
    /// `surprise=`
    pub surprise: f32,
    /// `full=`
    pub full: f32,
    /// `fast=`
    pub fast: u32,
    /// `resign=`
    pub resign: f32,
    /// `resign_check=`
    pub resign_check: f32,
    /// `symmetries=`
    pub symmetries: bool,
    /// `pruning=`
    pub pruning: bool,
    /// `plies=`
    pub plies: u32,
    /// `keep=`
    pub keep: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            games: 256,
            reuse: 4.0,
            batch: 256,
            rate: 0.002,
            rate_end: 0.0002,
            rate_steps: 50_000,
            warmup: 100,
            decay: 1e-4,
            clip: 5.0,
            averaging: 0.999,
            window: 500_000,
            window_start: 20_000,
            window_share: 0.5,
            openings: 0.6,
            opening_plies: 8,
            sampled: 0,
            mix: 0.25,
            surprise: 0.5,
            full: 1.0,
            fast: 8,
            resign: 0.0,
            resign_check: 0.1,
            symmetries: true,
            pruning: true,
            plies: 1_000,
            keep: 20,
        }
    }
}

impl Settings {
    /// Visits all options. A line here suffices to read, print and explain an option.
    pub fn options(&mut self, visit: &mut VisitSettings) {
        let positive = f32::MIN_POSITIVE;
        visit(
            "games",
            "games of self-play per iteration",
            &mut Count(&mut self.games, 1..=ITERATION_GAMES_MAX),
        );
        visit(
            "reuse",
            "how often training uses a sample, on average",
            &mut Number(&mut self.reuse, 0.01..=100.0),
        );
        visit("batch", "samples per training step", &mut Count(&mut self.batch, 1..=BATCH_MAX));
        visit("rate", "learning rate at the start", &mut Number(&mut self.rate, positive..=1.0));
        visit("rate_end", "learning rate at the end", &mut Number(&mut self.rate_end, positive..=1.0));
        visit(
            "rate_steps",
            "steps in which the learning rate goes from rate to rate_end",
            &mut Count(&mut self.rate_steps, 1..=u64::MAX),
        );
        visit(
            "warmup",
            "steps in which the learning rate rises from 0",
            &mut Count(&mut self.warmup, 0..=u64::MAX),
        );
        visit("decay", "weight decay", &mut Number(&mut self.decay, SHARES));
        visit(
            "clip",
            "longest gradient; a longer one is scaled down",
            &mut Number(&mut self.clip, positive..=1e9),
        );
        visit(
            "averaging",
            "share of the averaged weights that a step keeps",
            &mut Number(&mut self.averaging, SHARES),
        );
        visit(
            "window",
            "the most samples in the replay window",
            &mut Count(&mut self.window, 1..=WINDOW_MAX),
        );
        visit(
            "window_start",
            "samples that the window may always hold",
            &mut Count(&mut self.window_start, 1..=WINDOW_MAX),
        );
        visit(
            "window_share",
            "share of all samples so far that the window may hold",
            &mut Number(&mut self.window_share, SHARES),
        );
        visit(
            "openings",
            "share of games that begin with random plies",
            &mut Number(&mut self.openings, SHARES),
        );
        visit(
            "opening_plies",
            "the most random plies of an opening",
            &mut Count(&mut self.opening_plies, 1..=PLIES_MAX),
        );
        visit(
            "sampled",
            "plies in which the move is drawn from the search's policy",
            &mut Count(&mut self.sampled, 0..=PLIES_MAX),
        );
        visit(
            "mix",
            "share of the search's value in the target value; the rest is the game's result",
            &mut Number(&mut self.mix, SHARES),
        );
        visit(
            "surprise",
            "share of a sample's weight that follows how much the search changed the policy",
            &mut Number(&mut self.surprise, SHARES),
        );
        visit(
            "full",
            "share of moves with a full search; only these are learned from",
            &mut Number(&mut self.full, 0.01..=1.0),
        );
        visit("fast", "simulations of the other moves", &mut Count(&mut self.fast, 1..=1_000_000));
        visit(
            "resign",
            "value below which a player resigns; 0: never",
            &mut Number(&mut self.resign, 0.0..=0.5),
        );
        visit(
            "resign_check",
            "share of games in which nobody resigns, to count wrong resignations",
            &mut Number(&mut self.resign_check, SHARES),
        );
        visit(
            "symmetries",
            "whether samples are rotated and mirrored",
            &mut Word(&mut self.symmetries, SWITCH),
        );
        visit(
            "pruning",
            "whether visits that only noise explains are removed from the target policy (alphazero)",
            &mut Word(&mut self.pruning, SWITCH),
        );
        visit(
            "plies",
            "longest game; a longer one counts as a draw",
            &mut Count(&mut self.plies, 1..=PLIES_MAX),
        );
        visit(
            "keep",
            "iterations from one kept network to the next",
            &mut Count(&mut self.keep, 1..=u32::MAX),
        );
    }

    /// The defaults, changed by a text such as `batch=128 rate=0.001`. An error says what is wrong.
    pub fn parse(text: &str) -> Result<Settings, String> {
        let mut settings = Settings::default();
        read_words("option", text.split_whitespace(), |visit| settings.options(visit))?;
        match settings.window_start > settings.window {
            true => Err(format!(
                "window_start={}: expected at most window={}",
                settings.window_start, settings.window
            )),
            false => Ok(settings),
        }
    }

    /// Every option with its value.
    pub fn values(&self) -> Vec<(&'static str, String)> {
        let mut values = Vec::new();
        self.clone().options(&mut |key, _, setting| values.push((key, setting.show().unwrap_or_default())));
        values
    }

    /// The learning rate of a step: it rises in the warm-up, then falls linearly, then stays.
    pub fn rate_at(&self, step: u64) -> f32 {
        let share = (step as f64 / self.rate_steps as f64).min(1.0) as f32;
        let rate = self.rate + share * (self.rate_end - self.rate);
        let risen = if step < self.warmup { (step + 1) as f32 / (self.warmup + 1) as f32 } else { 1.0 };
        rate * risen
    }

    /// How many samples the window may hold after this many samples in total.
    pub fn window_at(&self, samples: u64) -> u64 {
        let share = (samples as f64 * f64::from(self.window_share)) as u64;
        share.clamp(self.window_start.min(self.window), self.window)
    }

    /// How many training steps to make in total after this many samples.
    pub fn steps_at(&self, samples: u64) -> u64 {
        (samples as f64 * f64::from(self.reuse) / f64::from(self.batch)) as u64
    }

    pub(crate) fn optimizer(&self) -> optimizer::Settings {
        optimizer::Settings {
            decay: self.decay,
            clip: self.clip,
            averaging: self.averaging,
            ..optimizer::Settings::default()
        }
    }
}

/// Everything that determines what a training learns. The number of threads is not part of it.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// How self-play searches.
    pub search: SearchPlan,
    /// The options.
    pub settings: Settings,
    /// The seed of everything random.
    pub seed: u64,
}

/// Reads words of the form `key=value` into the settings that `visit_all` shows.
pub(crate) fn read_words<'a>(
    what: &str,
    words: impl Iterator<Item = &'a str>,
    mut visit_all: impl FnMut(&mut VisitSettings),
) -> Result<(), String> {
    for word in words {
        let (key, value) = word.split_once('=').unwrap_or((word, ""));
        let (mut known, mut result) = (Vec::new(), None);
        visit_all(&mut |name, _, setting| {
            known.push(name);
            if name == key {
                result = Some(setting.read(value));
            }
        });
        match result {
            Some(Ok(())) => {}
            Some(Err(expected)) => return Err(format!("{key}={value}: expected {expected}")),
            None => return Err(format!("unknown {what} \"{key}\": expected one of {}", known.join(", "))),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_and_shown() {
        let settings = Settings::parse("batch=128 symmetries=off rate=0.01 window=1M").unwrap();
        assert_eq!((settings.batch, settings.symmetries, settings.window), (128, false, 1_000_000));
        let text: Vec<String> =
            settings.values().iter().map(|(key, value)| format!("{key}={value}")).collect();
        assert_eq!(Settings::parse(&text.join(" ")).unwrap(), settings);
        let check = |text: &str, expect: &str| assert_eq!(Settings::parse(text).unwrap_err(), expect);
        check("batch=0", "batch=0: expected a whole number from 1 to 4096");
        check("mix=2", "mix=2: expected a number from 0 to 1");
        check("symmetries=yes", "symmetries=yes: expected on or off");
        check("window=100", "window_start=20000: expected at most window=100");
        assert!(
            Settings::parse("speed=9")
                .unwrap_err()
                .starts_with("unknown option \"speed\": expected one of games, ")
        );
    }

    #[test]
    fn rates_windows_and_steps() {
        let settings = Settings::parse("rate=0.1 rate_end=0.01 rate_steps=1000 warmup=9").unwrap();
        assert!((settings.rate_at(0) - 0.01).abs() < 1e-6);
        assert!((settings.rate_at(500) - 0.055).abs() < 1e-6);
        assert!((settings.rate_at(5_000) - 0.01).abs() < 1e-6);
        let settings = Settings::default();
        assert_eq!([0, 100_000, 2_000_000].map(|all| settings.window_at(all)), [20_000, 50_000, 500_000]);
        assert_eq!([0, 63, 64, 6_400].map(|all| settings.steps_at(all)), [0, 0, 1, 100]);
    }
}
