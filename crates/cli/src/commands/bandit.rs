//! `aji bandit`: compares rules on bandits by their regret, without a tree.

use super::counted;
use crate::numbers;
use crate::output::{print, table};
use crate::output_file::OutputFile;
use crate::progress::{self, Bar};
use crate::stop;
use crate::trials::Trials;
use aji_catalog::{BanditName, thousands};
use aji_lab::Ending;
use aji_lab::bandit::{BUDGET_MAX, BanditStudy, BanditTally, Means, Problem, Rewards, RuleRegret};
use aji_lab::report::{Axis, Figure, Point, Series};
use aji_lab::statistics::Estimate;
use aji_search::bandit::whole_number;
use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;
use std::fmt::{self, Display, Formatter};
use std::path::PathBuf;

/// Compare rules on random bandits by their simple and cumulative regret
#[derive(Args)]
#[command(after_help = "Examples:
  aji bandit --rules \"ucb1 c=1.41421356, voi\" --arms 32 --budgets 32,64,..,1024 --repeats 10000
  aji bandit --rules \"voi, voi ties=first, voi recommend=pulls\" --svg voi.svg
  aji bandit --rules \"halving, rejects\" --arms 3 --means 0.5,0.45,0.3 --rewards beta --json

Every rule plays the same bandits and gets the same rewards: pull number k of an arm pays the same to all. Each budget is
a separate run, and rules know the budget from the start. The simple regret is the mean of the best arm less that of the
recommended arm; the cumulative regret sums this difference over all pulls. Errors are standard errors over the repeats.
`aji list rules` shows all rules; recommend=pulls|mean|posterior says which arm a rule recommends in the end.")]
pub struct Options {
    /// The rules, separated by commas
    #[arg(long, value_name = "RULES", default_value = "ucb1, voi")]
    rules: String,

    /// How many arms [default: 32, or the length of the list in --means]
    #[arg(long, value_name = "K", value_parser = numbers::any)]
    arms: Option<u64>,

    /// The pulls of each run: a list, in which .. continues by the same factor or step
    #[arg(long, value_name = "LIST", default_value = "32,64,..,1024", value_parser = budgets)]
    budgets: Budgets,

    /// How many bandits
    #[arg(long, value_name = "N", default_value_t = 10_000, value_parser = numbers::count(2..=100_000_000))]
    repeats: u64,

    /// The means of the arms: drawn from uniform or beta:A,B, or a list
    #[arg(long, default_value = "uniform")]
    means: Means,

    /// The reward of a pull: bernoulli (0 or 1), beta (Beta(4m, 4(1-m)) for a mean of m), gauss (standard deviation
    /// 1/4, cut off evenly)
    #[arg(long, default_value = "bernoulli")]
    rewards: Rewards,

    #[command(flatten)]
    trials: Trials,

    /// Draw the simple regret by budget to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// A list of JSON objects: {rule, budget, simple_regret, error, cumulative_regret, cumulative_error, recommendation, bandits, planned_bandits, interrupted}
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Debug, PartialEq)]
struct Budgets(Vec<u32>);

/// The most budgets in a list.
const BUDGETS_MAX: usize = 100;

fn budgets(text: &str) -> Result<Budgets, String> {
    let number = |text: &str| {
        let found = whole_number(text).and_then(|number| u32::try_from(number).ok());
        let found = found.filter(|budget| (1..=BUDGET_MAX).contains(budget));
        found.ok_or_else(|| format!("\"{text}\": expected a number of pulls from 1 to {BUDGET_MAX}"))
    };
    let mut budgets: Vec<u32> = Vec::new();
    let mut words = text.split(',').map(str::trim);
    while let Some(word) = words.next() {
        if word != ".." {
            budgets.push(number(word)?);
            continue;
        }
        let expected = || "expected .. between two numbers and the last, such as 32,64,..,1024".to_string();
        let last = number(words.next().ok_or_else(expected)?)?;
        let &[.., before, from] = &budgets[..] else { return Err(expected()) };
        budgets.extend(progression(before, from, last).ok_or_else(|| {
            format!("{before},{from},..,{last}: expected equal steps or factors that reach {last}, in at most {BUDGETS_MAX} budgets")
        })?);
    }
    if budgets.len() > BUDGETS_MAX {
        return Err(format!("{} budgets: expected {BUDGETS_MAX} at most", budgets.len()));
    }
    Ok(Budgets(budgets))
}

/// Continues two numbers up to the last one: by their factor if it is whole and reaches the last, else by their step.
fn progression(before: u32, from: u32, last: u32) -> Option<Vec<u32>> {
    let up_to_last = |next: &dyn Fn(u64) -> u64| {
        let numbers = std::iter::successors(Some(u64::from(from)), |&number| Some(next(number))).skip(1);
        let found: Vec<u32> = numbers
            .take(BUDGETS_MAX)
            .take_while(|&number| number <= last.into())
            .map(|number| number as u32)
            .collect();
        (found.last() == Some(&last)).then_some(found)
    };
    if from <= before {
        return None;
    }
    let (factor, step) = (u64::from(from / before), u64::from(from - before));
    let by_factor = from.is_multiple_of(before).then(|| up_to_last(&|number| number * factor)).flatten();
    by_factor.or_else(|| up_to_last(&|number| number + step))
}

#[derive(Serialize)]
struct Told {
    rule: String,
    budget: u32,
    simple_regret: f64,
    error: f64,
    cumulative_regret: f64,
    cumulative_error: f64,
    recommendation: &'static str,
    bandits: u64,
    planned_bandits: u64,
    interrupted: bool,
}

/// Runs the study and prints the regrets.
pub fn run(options: &Options) -> Result<()> {
    let study = study(options)?;
    options.trials.check_journal(&study, &option_of, &|trials| format!("--repeats {trials}"))?;
    let file = OutputFile::open_svg("--svg", options.svg.as_ref())?;
    let runner = options.trials.runner()?;
    let bar = Bar::new("bandits");
    let mut tally = BanditTally::default();
    let journal = runner.journal(&study, options.trials.journal())?;
    let ending = runner.run_each(&study, journal, &bar, stop::flag(), &mut |_, record| {
        tally.add(record);
        false
    })?;
    drop(bar);
    let played = Played {
        bandits: tally.bandits(),
        planned: study.repeats,
        is_interrupted: ending == Ending::Stopped,
    };
    if played.is_interrupted {
        let hint = if options.trials.journal().is_some() { "; the same command continues" } else { "" };
        progress::note(&format!("{played}{hint}"));
    }
    let regrets = tally.summary(&study).ok_or_else(|| match played.is_interrupted {
        true => anyhow!("interrupted before two bandits ended"),
        false => anyhow!("expected two bandits or more in this shard"),
    })?;
    let drawn = file.map_or(Ok(()), |file| file.write(&figure(&study, &regrets, &played).to_svg()));
    let printed =
        print(&if options.json { json(&study, &regrets, &played)? } else { text(&study, &regrets, &played) });
    drawn.and(printed)
}

/// The bandits that were played.
struct Played {
    bandits: u64,
    planned: u64,
    is_interrupted: bool,
}

/// "10,000 bandits", or "interrupted after 120 of 10,000 bandits".
impl Display for Played {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let bandits = thousands(self.bandits);
        match self.is_interrupted {
            true => write!(f, "interrupted after {bandits} of {} bandits", thousands(self.planned)),
            false => write!(f, "{}", counted(self.bandits, "bandit")),
        }
    }
}

/// The option that a parameter of the study comes from.
fn option_of(parameter: &str) -> Option<String> {
    let option = match parameter.split('[').next()? {
        "rules" => "--rules",
        "budgets" => "--budgets",
        "problem" => "--arms, --means or --rewards",
        _ => return None,
    };
    Some(option.into())
}

fn study(options: &Options) -> Result<BanditStudy> {
    let listed = if let Means::List(means) = &options.means { Some(means.len()) } else { None };
    let arms = options.arms.map(|arms| arms as usize).or(listed).unwrap_or(32);
    let study = BanditStudy {
        name: "bandit".into(),
        problem: Problem { arms, means: options.means.clone(), rewards: options.rewards },
        rules: BanditName::read_all(&options.rules)?,
        budgets: options.budgets.0.clone(),
        repeats: options.repeats,
    };
    study.check()?;
    Ok(study)
}

fn json(study: &BanditStudy, regrets: &[RuleRegret], played: &Played) -> Result<String> {
    let told = |regret: &RuleRegret| {
        let name = study.rules[regret.rule];
        Told {
            rule: name.to_string(),
            budget: regret.budget,
            simple_regret: regret.simple.value,
            error: regret.simple.error,
            cumulative_regret: regret.cumulative.value,
            cumulative_error: regret.cumulative.error,
            recommendation: name.recommendation(),
            bandits: played.bandits,
            planned_bandits: played.planned,
            interrupted: played.is_interrupted,
        }
    };
    Ok(serde_json::to_string(&regrets.iter().map(told).collect::<Vec<_>>())? + "\n")
}

fn text(study: &BanditStudy, regrets: &[RuleRegret], played: &Played) -> String {
    format!(
        "{}, {played}; ± is the standard error\n\nsimple regret\n{}\ncumulative regret\n{}",
        counted(study.problem.arms as u64, "arm"),
        regret_table(study, regrets, |regret| regret.simple),
        regret_table(study, regrets, |regret| regret.cumulative)
    )
}

/// One regret by rule and budget. The columns are the rules or the budgets, whichever are fewer, so that most tables
/// fit a terminal.
fn regret_table(study: &BanditStudy, regrets: &[RuleRegret], of: fn(&RuleRegret) -> Estimate) -> String {
    let rules: Vec<String> = study.rules.iter().map(BanditName::to_string).collect();
    let budgets: Vec<String> = study.budgets.iter().map(|&budget| thousands(budget.into())).collect();
    let cell = |rule: usize, budget: usize| of(&regrets[rule * budgets.len() + budget]).to_string();
    let rules_are_columns = rules.len() < budgets.len();
    let of_pulls: Vec<String> = study.budgets.iter().map(|&budget| counted(budget.into(), "pull")).collect();
    let (first, columns, rows) =
        if rules_are_columns { ("pulls", &rules, &budgets) } else { ("rule", &of_pulls, &rules) };
    let row = |(place, name): (usize, &String)| {
        let cells = (0..columns.len()).map(|column| match rules_are_columns {
            true => cell(column, place),
            false => cell(place, column),
        });
        [name.clone()].into_iter().chain(cells).collect::<Vec<_>>()
    };
    let head: Vec<&str> = [first].into_iter().chain(columns.iter().map(String::as_str)).collect();
    table(&head, rows.iter().enumerate().map(row))
}

fn figure(study: &BanditStudy, regrets: &[RuleRegret], played: &Played) -> Figure {
    let point = |regret: &RuleRegret| {
        let simple = regret.simple;
        let interval = simple.interval(0.95);
        let (low, high) =
            interval.map_or((simple.value, simple.value), |interval| (interval.low, interval.high));
        Point { x: regret.budget.into(), y: simple.value, low, high }
    };
    let series = study.rules.iter().enumerate().map(|(rule, name)| {
        let points = regrets.iter().filter(|regret| regret.rule == rule).map(point).collect();
        Series::line(name.to_string(), points)
    });
    Figure {
        name: "bandit".into(),
        title: format!("Simple regret, {} arms", study.problem.arms),
        caption: format!("Means over {} bandits with 95% intervals.", thousands(played.bandits)),
        x: Axis::log("pulls"),
        y: Axis::log("simple regret"),
        series: series.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn budgets_are_read() {
        let read = |text: &str| budgets(text).map(|budgets| budgets.0);
        assert_eq!(read("32,64,..,1024").unwrap(), [32, 64, 128, 256, 512, 1024]);
        assert_eq!(read("10, 20,..,50, 100").unwrap(), [10, 20, 30, 40, 50, 100]);
        assert_eq!(read("7").unwrap(), [7]);
        for (text, expect) in [
            ("", "\"\": expected a number of pulls from 1 to 100000000"),
            ("0", "\"0\": expected a number of pulls from 1 to 100000000"),
            ("32,..,64", "expected .. between two numbers and the last, such as 32,64,..,1024"),
            ("32,64,..", "expected .. between two numbers and the last, such as 32,64,..,1024"),
            (
                "32,64,..,1000",
                "32,64,..,1000: expected equal steps or factors that reach 1000, in at most 100 budgets",
            ),
            (
                "64,32,..,1",
                "64,32,..,1: expected equal steps or factors that reach 1, in at most 100 budgets",
            ),
        ] {
            assert_eq!(read(text).unwrap_err(), expect);
        }
    }
}
