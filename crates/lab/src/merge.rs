//! Joins the journals of shards, or of any parts of a run, into one.

use crate::journal::{line_of, same};
use crate::journal_writer::{Locked, replace};
use crate::places::Place;
use crate::{Error, Journal, Ranges};
use std::collections::BTreeSet;
use std::fmt;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The result of joining journals.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MergeReport {
    /// The number of journals joined.
    pub journals: usize,
    /// The number of trials of the whole experiment.
    pub trials: u64,
    /// The number of trials that have a record now.
    pub records: u64,
    /// The trials without a record.
    pub missing: Ranges,
    /// The trials that had more than one record, all the same.
    pub doubled: Ranges,
    /// The journals whose torn last line was ignored.
    pub torn: Vec<PathBuf>,
}

impl fmt::Display for MergeReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let MergeReport { journals, trials, records, missing, doubled, torn } = self;
        let plural = if *journals == 1 { "" } else { "s" };
        write!(f, "joined {journals} journal{plural}: {records} of {trials} trials")?;
        if !missing.is_empty() {
            write!(f, "\nmissing {} of {trials}: {missing}", missing.count())?;
        }
        if !doubled.is_empty() {
            write!(f, "\nduplicates, with the same record: {doubled}")?;
        }
        torn.iter()
            .try_for_each(|path| write!(f, "\n{}: the last line was torn and is left out", path.display()))
    }
}

/// Joins journals with the same header into one at `out`, by id. If no trial is missing, the bytes are those of the
/// finished journal of an undivided run. `out` appears complete or not at all, and may be one of the journals. It is
/// refused if it holds records that they do not.
///
/// Records are read when they are written, so the journals may be larger than the memory.
pub fn merge<P: AsRef<Path>>(paths: &[P], out: &Path) -> Result<MergeReport, Error> {
    let (first, rest) = paths.split_first().ok_or_else(|| Error::new("no journals to join"))?;
    let mut journals = vec![Journal::read(first.as_ref())?];
    for path in rest {
        let part = Journal::read(path.as_ref())?;
        let (here, there) = (part.path.display(), journals[0].path.display());
        if let Some(difference) = part.header.whole_difference(&journals[0].header) {
            return Err(Error::new(format!(
                "{here}: a journal of {difference} as {there}; join those of one run"
            )));
        }
        journals.push(part);
    }
    let joined = Joined::of(&journals)?;
    let _locked = keeps_everything(&joined, out)?;
    let header = &journals[0].header;
    replace(out, &mut |file| {
        file.write_all(header.line().as_bytes())?;
        joined.kept.iter().try_for_each(|(journal, place)| {
            let text = journals[*journal as usize].places.text(place)?;
            file.write_all(line_of(place.trial, &text).as_bytes())
        })
    })
    .map_err(|(at, error)| Error::file("write", &at, &error))?;
    Ok(MergeReport {
        journals: paths.len(),
        trials: header.trials,
        records: joined.kept.len() as u64,
        missing: Ranges::missing(joined.kept.iter().map(|(_, place)| place.trial), header.trials),
        doubled: joined.doubled,
        torn: journals.iter().filter(|journal| journal.torn).map(|journal| journal.path.clone()).collect(),
    })
}

/// The records of several journals, by trial.
struct Joined<'a> {
    journals: &'a [Journal],
    /// The number of a journal, and the place of a record in it.
    kept: Vec<(u32, Place)>,
    doubled: Ranges,
}

impl Joined<'_> {
    fn of(journals: &[Journal]) -> Result<Joined<'_>, Error> {
        let mut doubled: BTreeSet<u64> = journals
            .iter()
            .flat_map(|journal| journal.doubled.iter())
            .flat_map(|(first, last)| first..=last)
            .collect();
        let size = journals.iter().map(Journal::len).sum();
        let mut kept: Vec<(u32, Place)> = Vec::with_capacity(size);
        for (number, journal) in (0..).zip(journals) {
            kept.extend(journal.places.iter().map(|&place| (number, place)));
        }
        kept.sort_unstable_by_key(|(journal, place)| (place.trial, *journal));
        let mut wrong = None;
        kept.dedup_by(|(journal, other), (first, place)| {
            let is_double = other.trial == place.trial;
            if is_double && wrong.is_none() {
                doubled.insert(other.trial);
                wrong = differ(journals, (*first, place), (*journal, other)).transpose();
            }
            is_double
        });
        if let Some(wrong) = wrong {
            return Err(wrong.unwrap_or_else(|error| error));
        }
        let mut ranges = Ranges::default();
        doubled.into_iter().for_each(|trial| ranges.push(trial));
        Ok(Joined { journals, kept, doubled: ranges })
    }

    /// The record of a trial.
    fn text(&self, trial: u64) -> Result<Option<String>, Error> {
        let at = self.kept.binary_search_by_key(&trial, |(_, place)| place.trial).ok();
        let text = |(journal, place): &(u32, Place)| self.journals[*journal as usize].text(place);
        at.and_then(|at| self.kept.get(at)).map(text).transpose()
    }
}

/// What is wrong with two records of a trial, if they differ.
fn differ(
    journals: &[Journal],
    (first, place): (u32, &Place),
    (journal, other): (u32, &Place),
) -> Result<Option<Error>, Error> {
    let (before, here) = (&journals[first as usize], &journals[journal as usize]);
    if same(&before.text(place)?, &here.text(other)?) {
        return Ok(None);
    }
    let (path, line, trial) = (here.path.display(), other.line, other.trial);
    Ok(Some(Error::new(format!(
        "{path}: line {line}: trial {trial} with another record than in a journal before it"
    ))))
}

/// Fails if overwriting `out` would lose records or disturb a run. Returns the lock of the existing file.
fn keeps_everything(joined: &Joined, out: &Path) -> Result<Option<Locked>, Error> {
    let Ok(file) = File::open(out) else { return Ok(None) };
    let is_empty = file.metadata().is_ok_and(|found| found.len() == 0);
    let locked = Locked::new(file, out)?;
    if is_empty {
        return Ok(Some(locked));
    }
    let lost = |why: &str| {
        let out = out.display();
        Error::new(format!("{out}: {why}; name another file, join it with the others, or delete it"))
    };
    let old = Journal::read(out).map_err(|_| lost("there already, and not a journal"))?;
    if let Some(difference) = old.header.whole_difference(&joined.journals[0].header) {
        return Err(lost(&format!("a journal of {difference}")));
    }
    for entry in old.entries() {
        let (trial, entry) = entry?;
        if !joined.text(trial)?.is_some_and(|new| same(&new, &entry.record)) {
            return Err(lost("holds records that the journals do not"));
        }
    }
    Ok(Some(locked))
}
