//! A share of an experiment's trials, for one of several machines.

use crate::Error;
use std::fmt;
use std::str::FromStr;

/// Every so many trials, or a range of them.
///
/// Written `1/3`, `2/3`, `3/3`: every third trial, where shards count from 1. Or `100..200`: the trials from 100 to 199, which
/// count from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shard {
    first: u64,
    step: u64,
    /// All of its trials are below.
    end: u64,
}

impl Shard {
    /// All trials.
    pub const WHOLE: Shard = Shard { first: 0, step: 1, end: u64::MAX };

    /// Shard `index`, from 0, of `count`: the ids whose remainder modulo `count` is `index`.
    pub fn new(index: u64, count: u64) -> Result<Shard, Error> {
        if index >= count {
            return Err(Error::new(format!("shard {index} of {count}: shards count from 0 below {count}")));
        }
        Ok(Shard { first: index, step: count, end: u64::MAX })
    }

    /// The trials from `first` on, below `end`.
    pub fn range(first: u64, end: u64) -> Result<Shard, Error> {
        if first > end {
            return Err(Error::new(format!("shard \"{first}..{end}\": it ends before it begins")));
        }
        Ok(Shard { first, step: 1, end })
    }

    /// The shard given by a cluster's environment, if any. `lookup` reads the environment, for example
    /// `|name| std::env::var(name).ok()`.
    ///
    /// - A Slurm job array sets `SLURM_ARRAY_TASK_ID`, `_COUNT`, `_MIN`, `_MAX` and `_STEP`, so `--array=0-7`,
    ///   `--array=1-8` and `--array=10-80:10` all give eight shards. Without `_MIN` tasks count from 0. Tasks at uneven
    ///   distances are refused. To repeat some tasks, name the shard instead, because the count is then that of the new
    ///   array.
    /// - An indexed job of Kubernetes sets `JOB_COMPLETION_INDEX`, from 0, but not the number of shards. Put
    ///   `JOB_COMPLETIONS` in the container's `env`, with the number of `spec.completions`.
    pub fn from_environment(lookup: impl Fn(&str) -> Option<String>) -> Result<Option<Shard>, Error> {
        let slurm = slurm(&lookup)?;
        let kubernetes = kubernetes(&lookup)?;
        if slurm.is_some() && kubernetes.is_some() {
            return Err(Error::new(
                "both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set; unset one, or name the shard",
            ));
        }
        Ok(slurm.or(kubernetes))
    }

    /// Whether it contains all trials.
    pub fn is_whole(&self) -> bool {
        *self == Shard::WHOLE
    }

    /// Whether it contains the first trials without a gap.
    pub fn is_prefix(&self) -> bool {
        self.first == 0 && self.step == 1
    }

    /// Whether it is a range of trials.
    pub fn is_range(&self) -> bool {
        self.end < u64::MAX
    }

    /// How many of an experiment's trials it contains.
    pub fn size(&self, trials: u64) -> u64 {
        trials.min(self.end).saturating_sub(self.first).div_ceil(self.step)
    }

    /// The id of its trial at this position, from 0.
    pub fn trial(&self, position: u64) -> u64 {
        self.first + position * self.step
    }

    /// The position of a trial, if the shard contains it.
    pub fn position(&self, trial: u64) -> Option<u64> {
        let after = trial.checked_sub(self.first).filter(|_| trial < self.end)?;
        after.is_multiple_of(self.step).then(|| after / self.step)
    }
}

impl Default for Shard {
    fn default() -> Shard {
        Shard::WHOLE
    }
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Shard, Error> {
        let range = text.split_once("..");
        if let Some((first, end)) = range.and_then(|(first, end)| Some((digits(first)?, digits(end)?))) {
            return Shard::range(first, end);
        }
        let numbers = text.split_once('/');
        let numbers = numbers.and_then(|(index, count)| Some((digits(index)?, digits(count)?)));
        match numbers {
            Some((index, count)) if 0 < index && index <= count => Shard::new(index - 1, count),
            Some((0, count)) if count > 0 => Err(Error::new(format!(
                "shard \"{text}\": shards count from 1, so 1/{count} to {count}/{count}"
            ))),
            Some((index, count)) => {
                Err(Error::new(format!("shard \"{text}\": there is no shard {index} of {count}")))
            }
            None => Err(Error::new(format!(
                "shard \"{text}\": expected two numbers such as 1/3, or a range of trials such as 100..200"
            ))),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.is_range() {
            true => write!(f, "{}..{}", self.first, self.end),
            false => write!(f, "{}/{}", self.first + 1, self.step),
        }
    }
}

fn slurm(lookup: &impl Fn(&str) -> Option<String>) -> Result<Option<Shard>, Error> {
    let Some(task) = number(lookup, "SLURM_ARRAY_TASK_ID")? else { return Ok(None) };
    let missing =
        || Error::new("SLURM_ARRAY_TASK_ID is set but SLURM_ARRAY_TASK_COUNT is not; name the shard");
    let count = number(lookup, "SLURM_ARRAY_TASK_COUNT")?.ok_or_else(missing)?;
    let first = number(lookup, "SLURM_ARRAY_TASK_MIN")?.unwrap_or(0);
    let step = number(lookup, "SLURM_ARRAY_TASK_STEP")?.unwrap_or(1);
    let last = number(lookup, "SLURM_ARRAY_TASK_MAX")?;
    let uneven = || {
        Error::new(format!(
            "Slurm's task {task} of {count} from {first} by {step}: not at even distances; name the shard"
        ))
    };
    let spanned = count.checked_sub(1).and_then(|steps| steps.checked_mul(step)?.checked_add(first));
    let steps = task.checked_sub(first).filter(|_| step > 0).ok_or_else(uneven)?;
    let even = steps % step == 0 && steps / step < count && (last.is_none() || last == spanned);
    if even { Shard::new(steps / step, count).map(Some) } else { Err(uneven()) }
}

fn kubernetes(lookup: &impl Fn(&str) -> Option<String>) -> Result<Option<Shard>, Error> {
    let Some(index) = number(lookup, "JOB_COMPLETION_INDEX")? else { return Ok(None) };
    let Some(count) = number(lookup, "JOB_COMPLETIONS")? else {
        return Err(Error::new(
            "JOB_COMPLETION_INDEX is set but JOB_COMPLETIONS is not; set it to the job's spec.completions",
        ));
    };
    if index >= count {
        return Err(Error::new(format!(
            "JOB_COMPLETION_INDEX {index}: not below JOB_COMPLETIONS {count}; set that to the job's spec.completions"
        )));
    }
    Shard::new(index, count).map(Some)
}

fn number(lookup: &impl Fn(&str) -> Option<String>, name: &str) -> Result<Option<u64>, Error> {
    let Some(text) = lookup(name) else { return Ok(None) };
    let expected = || Error::new(format!("{name} \"{text}\": expected a number from 0"));
    digits(&text).ok_or_else(expected).map(Some)
}

/// Stricter than `parse`, which accepts a sign.
fn digits(text: &str) -> Option<u64> {
    text.bytes().all(|byte| byte.is_ascii_digit()).then(|| text.parse().ok())?
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(result: Result<impl ToString, Error>) -> String {
        result.map_or_else(|error| error.to_string(), |shard| shard.to_string())
    }

    #[test]
    fn text_counts_from_one() {
        let check = |text: &str, expect: &str| assert_eq!(told(text.parse::<Shard>()), expect, "{text}");
        check("1/1", "1/1");
        check("3/3", "3/3");
        check("0..0", "0..0");
        check("100..200", "100..200");
        check("200..100", "shard \"200..100\": it ends before it begins");
        check("0/3", "shard \"0/3\": shards count from 1, so 1/3 to 3/3");
        check("4/3", "shard \"4/3\": there is no shard 4 of 3");
        check("0/0", "shard \"0/0\": there is no shard 0 of 0");
        for text in [
            "",
            "1",
            "/",
            "1/",
            "/3",
            "a/b",
            "-1/3",
            "+1/3",
            "1/3/3",
            " 1/3",
            "1/99999999999999999999",
            "..",
            "1..",
            "-1..2",
            "1...2",
        ] {
            let expected = "expected two numbers such as 1/3, or a range of trials such as 100..200";
            check(text, &format!("shard \"{text}\": {expected}"));
        }
    }

    #[test]
    fn environments() {
        let check = |variables: &str, expect: &str| {
            let pairs: Vec<_> =
                variables.split_whitespace().filter_map(|pair| pair.split_once('=')).collect();
            let lookup = |name: &str| {
                let name = name.trim_start_matches("SLURM_ARRAY_TASK_");
                pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| value.to_string())
            };
            let shard = Shard::from_environment(lookup);
            assert_eq!(
                told(shard.map(|shard| shard.map_or("none".into(), |s| s.to_string()))),
                expect,
                "{variables}"
            );
        };
        check("", "none");
        check("ID=0 COUNT=8 MIN=0", "1/8");
        check("ID=7 COUNT=8 MIN=0 MAX=7 STEP=1", "8/8");
        check("ID=8 COUNT=8 MIN=1 MAX=8 STEP=1", "8/8");
        check("ID=70 COUNT=8 MIN=10 MAX=80 STEP=10", "7/8");
        check("ID=5 COUNT=1 MIN=5 MAX=5 STEP=1", "1/1");
        check("ID=1", "SLURM_ARRAY_TASK_ID is set but SLURM_ARRAY_TASK_COUNT is not; name the shard");
        check("ID=1 COUNT=3", "2/3");
        check("ID=x COUNT=3 MIN=0", "SLURM_ARRAY_TASK_ID \"x\": expected a number from 0");
        check("ID= COUNT=3 MIN=0", "SLURM_ARRAY_TASK_ID \"\": expected a number from 0");
        let uneven = "not at even distances; name the shard";
        check("ID=3 COUNT=3 MIN=0", &format!("Slurm's task 3 of 3 from 0 by 1: {uneven}"));
        check("ID=0 COUNT=3 MIN=1", &format!("Slurm's task 0 of 3 from 1 by 1: {uneven}"));
        check("ID=3 COUNT=3 MIN=1 MAX=8 STEP=1", &format!("Slurm's task 3 of 3 from 1 by 1: {uneven}"));
        check("ID=1 COUNT=3 MIN=1 STEP=0", &format!("Slurm's task 1 of 3 from 1 by 0: {uneven}"));
        check("ID=0 COUNT=0 MIN=0", &format!("Slurm's task 0 of 0 from 0 by 1: {uneven}"));
        let both = "both SLURM_ARRAY_TASK_ID and JOB_COMPLETION_INDEX are set; unset one, or name the shard";
        check("ID=0 COUNT=8 MIN=0 JOB_COMPLETION_INDEX=0 JOB_COMPLETIONS=3", both);
    }

    #[test]
    fn kubernetes_needs_its_count() {
        let check = |index: &str, count: Option<&str>, expect: &str| {
            let lookup = |name: &str| match name {
                "JOB_COMPLETION_INDEX" => Some(index.to_string()),
                "JOB_COMPLETIONS" => count.map(str::to_string),
                _ => None,
            };
            let shard = Shard::from_environment(lookup).map(|shard| shard.unwrap());
            assert_eq!(told(shard), expect, "{index} {count:?}");
        };
        let hint = "set it to the job's spec.completions";
        check("0", Some("3"), "1/3");
        check("2", Some("3"), "3/3");
        check(
            "3",
            Some("3"),
            "JOB_COMPLETION_INDEX 3: not below JOB_COMPLETIONS 3; set that to the job's spec.completions",
        );
        check("0", None, &format!("JOB_COMPLETION_INDEX is set but JOB_COMPLETIONS is not; {hint}"));
        check("0", Some("many"), "JOB_COMPLETIONS \"many\": expected a number from 0");
    }

    #[test]
    fn shards_share_out_every_trial() {
        for (trials, count) in [(0, 1), (1, 3), (10, 3), (12, 3), (5, 7)] {
            let mut seen = vec![0; trials as usize];
            for shard in (0..count).map(|index| Shard::new(index, count).unwrap()) {
                for position in 0..shard.size(trials) {
                    let trial = shard.trial(position);
                    assert_eq!(shard.position(trial), Some(position));
                    seen[trial as usize] += 1;
                }
            }
            assert!(seen.iter().all(|&times| times == 1), "{trials} over {count}: {seen:?}");
        }
    }

    #[test]
    fn ranges_contain_their_trials() {
        for (first, end, trials) in [(0, 0, 9), (0, 4, 9), (4, 9, 9), (7, 20, 9), (9, 20, 9), (3, 5, 0)] {
            let shard = Shard::range(first, end).unwrap();
            let expect: Vec<u64> = (first..end).filter(|&trial| trial < trials).collect();
            let found: Vec<u64> = (0..shard.size(trials)).map(|position| shard.trial(position)).collect();
            assert_eq!(found, expect, "{shard} of {trials}");
            for trial in 0..trials {
                let place = expect.iter().position(|&other| other == trial).map(|place| place as u64);
                assert_eq!(shard.position(trial), place, "{trial} of {shard}");
            }
            assert_eq!((shard.is_prefix(), shard.is_whole()), (first == 0, false), "{shard}");
        }
        assert!(Shard::WHOLE.is_whole() && Shard::WHOLE.is_prefix() && !Shard::WHOLE.is_range());
        assert!(!Shard::new(0, 2).unwrap().is_prefix());
    }
}
