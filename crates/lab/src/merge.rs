//! Joins the journals of shards, or of any parts of a run, into one.

use crate::journal::same;
use crate::journal_writer::{Locked, replace};
use crate::{Error, Journal, Ranges};
use std::collections::BTreeSet;
use std::collections::btree_map::Entry as Place;
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
pub fn merge<P: AsRef<Path>>(paths: &[P], out: &Path) -> Result<MergeReport, Error> {
    let (first, rest) = paths.split_first().ok_or_else(|| Error::new("no journals to join"))?;
    let mut whole = Journal::read(first.as_ref())?;
    let mut doubled: BTreeSet<u64> = whole.doubled.iter().flat_map(|(first, last)| first..=last).collect();
    let mut torn: Vec<PathBuf> = whole.torn.then(|| whole.path.clone()).into_iter().collect();
    for path in rest {
        let part = Journal::read(path.as_ref())?;
        doubled.extend(part.doubled.iter().flat_map(|(first, last)| first..=last));
        torn.extend(part.torn.then(|| part.path.clone()));
        doubled.extend(join(&mut whole, part)?);
    }
    let _locked = keeps_everything(&whole, out)?;
    replace(out, whole.finished_text().as_bytes())
        .map_err(|(at, error)| Error::file("write", &at, &error))?;
    let mut double_ranges = Ranges::default();
    doubled.into_iter().for_each(|trial| double_ranges.push(trial));
    Ok(MergeReport {
        journals: paths.len(),
        trials: whole.header.trials,
        records: whole.entries.len() as u64,
        missing: whole.missing(),
        doubled: double_ranges,
        torn,
    })
}

/// Adds a journal's records to another's. Returns the trials that were already there.
fn join(whole: &mut Journal, part: Journal) -> Result<Vec<u64>, Error> {
    let (here, there) = (part.path.display(), whole.path.display());
    if let Some(difference) = part.header.whole_difference(&whole.header) {
        return Err(Error::new(format!(
            "{here}: a journal of {difference} as {there}; join those of one run"
        )));
    }
    let mut doubled = Vec::new();
    for (trial, entry) in part.entries {
        match whole.entries.entry(trial) {
            Place::Vacant(place) => drop(place.insert(entry)),
            Place::Occupied(place) if same(&place.get().record, &entry.record) => doubled.push(trial),
            Place::Occupied(_) => {
                let line = entry.line;
                return Err(Error::new(format!(
                    "{here}: line {line}: trial {trial} with another record than in a journal before it"
                )));
            }
        }
    }
    Ok(doubled)
}

/// Fails if overwriting `out` would lose records or disturb a run. Returns the lock of the existing file.
fn keeps_everything(whole: &Journal, out: &Path) -> Result<Option<Locked>, Error> {
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
    if let Some(difference) = old.header.whole_difference(&whole.header) {
        return Err(lost(&format!("a journal of {difference}")));
    }
    let kept = |(trial, entry): (&u64, &crate::Entry)| {
        whole.entries.get(trial).is_some_and(|new| same(&new.record, &entry.record))
    };
    if old.entries.iter().all(kept) {
        Ok(Some(locked))
    } else {
        Err(lost("holds records that the journals do not"))
    }
}
