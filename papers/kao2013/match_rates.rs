//! How well learned orders agree with temperatures, over random games of Heap-Go: the measure of the paper's Table I
//! and Figs. 4 and 5.
//!
//! Rates are percentages of pairs of actions in different heaps. They leave out ties, which are pairs of equal
//! temperatures; strict rates count a tie as a miss. Errors are over games, because the pairs of one game are not
//! independent. A game has the same counters, and its agents the same seed, for every learner and budget.

use super::interval;
use crate::shared::{LEVEL, point};
use aji_catalog::{AgentName, thousands};
use aji_lab::report::{Axis, Cell, Figure, Point, Series, Table};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::study::study_order;
use aji_lab::{Error, Experiment, Lab, Trial};
use serde::{Deserialize, Serialize};
use std::fmt;

/// The size of random games: the number of heaps, and of counters in each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub(super) struct Size {
    pub(super) heaps: usize,
    pub(super) counters: usize,
}

impl Size {
    pub(super) const fn new(heaps: usize, counters: usize) -> Size {
        Size { heaps, counters }
    }

    /// The number of actions.
    pub(super) fn actions(&self) -> usize {
        self.heaps * self.counters
    }

    /// The name of a random game of this size, with weights from 1 to 10 as in the paper.
    pub(super) fn game(&self, seed: u64) -> String {
        format!("heap-go heaps={} counters={} seed={seed}", self.heaps, self.counters)
    }
}

impl fmt::Display for Size {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}x{}", self.heaps, self.counters)
    }
}

/// A learner: its label in the report, and its agent without the simulations.
pub(super) type Learner = (&'static str, &'static str);

/// A learner with a budget, in games of a size.
#[derive(Clone, Copy, Debug, Serialize)]
pub(super) struct Setting {
    pub(super) size: Size,
    pub(super) learner: Learner,
    pub(super) simulations: u64,
}

/// Every learner with every budget, in games of a size.
pub(super) fn settings(size: Size, learners: &[Learner], budgets: &[u64]) -> Vec<Setting> {
    let of = |&learner| budgets.iter().map(move |&simulations| Setting { size, learner, simulations });
    learners.iter().flat_map(of).collect()
}

/// The rates of one game, in percent.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(super) struct Rates {
    pub(super) excluding: f64,
    pub(super) strict: f64,
    /// The rates of the order by top weights, which takes no search.
    pub(super) top_weight: f64,
    pub(super) top_weight_strict: f64,
}

struct MatchRates<'a> {
    name: &'static str,
    settings: &'a [Setting],
    games: u64,
}

impl Experiment for MatchRates<'_> {
    type Record = Rates;

    fn name(&self) -> String {
        format!("kao2013-{}", self.name)
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "settings": self.settings, "games": self.games })
    }

    fn trials(&self) -> u64 {
        self.settings.len() as u64 * self.games
    }

    fn run(&self, trial: Trial) -> Result<Rates, Error> {
        let Setting { size, learner, simulations } = self.settings[(trial.id / self.games) as usize];
        let round = Trial { id: trial.id % self.games, ..trial };
        let agent: AgentName =
            format!("{} simulations={simulations} seed={}", learner.1, round.seed_of("agent")).parse()?;
        let order = study_order(&size.game(round.seed_of("game")), None, &agent, &mut ())?;
        let (learned, top_weight) = (order.match_rate(), order.by_top_weight().match_rate());
        // A game without a pair to order has nothing to get wrong.
        let percent = |rate: Option<f64>| 100.0 * rate.unwrap_or(1.0);
        Ok(Rates {
            excluding: percent(learned.excluding_ties()),
            strict: percent(learned.strict()),
            top_weight: percent(top_weight.excluding_ties()),
            top_weight_strict: percent(top_weight.strict()),
        })
    }
}

/// The result of a setting, game by game.
pub(super) struct Learned {
    pub(super) setting: Setting,
    rates: Vec<Rates>,
}

/// Runs every setting on this many games.
pub(super) fn measure(
    lab: &Lab,
    name: &'static str,
    settings: &[Setting],
    games: u64,
) -> Result<Vec<Learned>, Error> {
    let records = lab.run(&MatchRates { name, settings, games })?;
    let learned = |(&setting, rates): (&Setting, &[Rates])| Learned { setting, rates: rates.to_vec() };
    Ok(settings.iter().zip(records.chunks(games as usize)).map(learned).collect())
}

impl Learned {
    /// The match rates by game, without ties.
    pub(super) fn by_game(&self) -> Vec<f64> {
        self.rates.iter().map(|rates| rates.excluding).collect()
    }

    /// The mean of a function over games.
    pub(super) fn mean(&self, of: impl Fn(&Rates) -> f64) -> Estimate {
        estimate(&self.rates.iter().map(of).collect::<Vec<f64>>()).expect("two games or more")
    }

    /// The match rate without ties.
    pub(super) fn rate(&self) -> Estimate {
        self.mean(|rates| rates.excluding)
    }

    /// The point in a figure by simulations.
    fn point(&self) -> Point {
        let rate = self.rate();
        point(self.setting.simulations as f64, rate.value, interval(&rate))
    }
}

/// The distinct values, in the order of their first appearance.
pub(super) fn distinct<T: PartialEq>(values: impl Iterator<Item = T>) -> Vec<T> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}

/// The cell of a mean with half its 95% interval.
pub(super) fn cell(mean: &Estimate, decimals: usize) -> Cell {
    Cell::estimate(mean.value, interval(mean).width() / 2.0, decimals)
}

/// A row for every size and learner, a column for every budget: rates without ties, then strict rates.
pub(super) fn tables(title: &str, learned: &[Learned]) -> Vec<Table> {
    let games = learned.first().map_or(0, |first| first.rates.len());
    let note = format!(
        "Percent of pairs in different heaps, mean over {games} games with half its {:.0}% interval over \
         games. Top weight: the order by the weight of the top counter, no search.",
        100.0 * LEVEL
    );
    let without = [|rates: &Rates| rates.excluding, |rates: &Rates| rates.top_weight];
    let strict = [|rates: &Rates| rates.strict, |rates: &Rates| rates.top_weight_strict];
    vec![
        table(&format!("{title}: match rate without ties"), learned, without).with_note(note),
        table(&format!("{title}: strict match rate, a tie is a miss"), learned, strict),
    ]
}

/// `of` reads the learned rate and that of top weights.
fn table(title: &str, learned: &[Learned], of: [fn(&Rates) -> f64; 2]) -> Table {
    let budgets = distinct(learned.iter().map(|learned| learned.setting.simulations));
    let heads = budgets.iter().map(|&budget| thousands(budget));
    let columns: Vec<String> =
        ["size", "learner"].map(String::from).into_iter().chain(heads).chain(["top weight".into()]).collect();
    let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
    let mut table = Table::new(title, &columns);
    for (size, label) in
        distinct(learned.iter().map(|learned| (learned.setting.size, learned.setting.learner.0)))
    {
        let row: Vec<&Learned> = learned
            .iter()
            .filter(|learned| learned.setting.size == size && learned.setting.learner.0 == label)
            .collect();
        let at = |budget: &u64| {
            let found = row.iter().find(|learned| learned.setting.simulations == *budget);
            found.map_or("".into(), |learned| cell(&learned.mean(of[0]), 1))
        };
        let mut cells = vec![size.to_string().into(), label.into()];
        cells.extend(budgets.iter().map(at));
        cells.push(cell(&row[0].mean(of[1]), 1));
        table.push(cells);
    }
    table
}

/// Match rates by simulations, with a line for each learner and one for top weights; all of one size.
pub(super) fn figure(name: &str, title: &str, learned: &[Learned]) -> Figure {
    let line = |label: &'static str| {
        let points = learned.iter().filter(|learned| learned.setting.learner.0 == label).map(Learned::point);
        Series::line(label, points.collect())
    };
    let labels = distinct(learned.iter().map(|learned| learned.setting.learner.0));
    rates_figure(name, title, labels.into_iter().map(line).chain(top_weight(learned)).collect())
}

/// The same with a line for each size, all of one learner.
pub(super) fn figure_of_sizes(name: &str, title: &str, learned: &[Learned]) -> Figure {
    let line = |size: Size| {
        let points = learned.iter().filter(|learned| learned.setting.size == size).map(Learned::point);
        Series::line(size.to_string(), points.collect())
    };
    let sizes = distinct(learned.iter().map(|learned| learned.setting.size));
    rates_figure(name, title, sizes.into_iter().map(line).collect())
}

fn rates_figure(name: &str, title: &str, series: Vec<Series>) -> Figure {
    Figure {
        name: format!("kao2013-{name}"),
        title: title.into(),
        caption:
            "Percent of pairs of actions in different heaps that stand in the order of their temperatures, \
             ties left out; mean over games with 95% intervals."
                .into(),
        x: Axis::log("simulations"),
        y: Axis::linear("match rate (%)"),
        series,
    }
}

/// The rate of top weights, from the smallest budget to the largest.
fn top_weight(learned: &[Learned]) -> Option<Series> {
    let rate = learned.first()?.mean(|rates| rates.top_weight).value;
    let budgets = || learned.iter().map(|learned| learned.setting.simulations);
    let ends = [budgets().min()?, budgets().max()?];
    Some(Series::dashed("top weight", ends.map(|end| Point::new(end as f64, rate)).into()))
}
