//! Journals that are torn, damaged, of another run, or in use; and joining them.

use crate::common::{Folder, Walk, Walked, expected, message, read, run, runner, shard};
use aji_lab::{Error, Experiment, Journal, JournalWriter, Origin, Outcome, Runner, Shard, merge};
use std::fs;
use std::path::Path;
use std::sync::atomic::AtomicBool;

const WALK: Walk = Walk { trials: 6, steps: 3 };

/// The lines of the finished journal, each with its newline.
fn lines() -> Vec<String> {
    expected(&WALK).split_inclusive('\n').map(str::to_string).collect()
}

/// The whole journal as a run leaves it before it is put in order.
fn unsorted() -> String {
    let lines = lines();
    [0, 2, 1, 5, 6, 3, 4].map(|index| lines[index].as_str()).concat()
}

#[test]
fn torn_at_every_byte() {
    let folder = Folder::in_memory();
    let text = unsorted();
    let path = folder.file("walk.jsonl");
    for length in 0..=text.len() {
        fs::write(&path, &text[..length]).unwrap();
        run(&runner(1), &WALK, &path).unwrap();
        assert_eq!(read(&path), expected(&WALK), "torn after {length} bytes");
    }
}

#[test]
fn a_last_line_that_is_no_json_is_torn() {
    let folder = Folder::new();
    let lines = lines();
    let whole = lines[..3].concat();
    let first = lines[0].trim_end();
    let torn: [&[u8]; 6] =
        [b"\n", b"\0\0\0\0\n", b"\xff\xfe\n", b"{\"trial\":2,\"reco\n", b"{\"trial\":2,\"x\":\n", b"\0"];
    for torn in torn {
        let path = folder.with("walk.jsonl", [whole.as_bytes(), torn].concat());
        let journal = Journal::read(&path).unwrap();
        assert_eq!((journal.torn, journal.len()), (true, 2), "{torn:?}");
        assert_eq!(fs::read(&path).unwrap(), [whole.as_bytes(), torn].concat(), "reading changes nothing");
        run(&runner(1), &WALK, &path).unwrap();
        assert_eq!(read(&path), expected(&WALK), "{torn:?}");
    }
    for header in ["{\n", "{\"journal\":\"aji\",\"format\":1,\"exp\n", first] {
        let path = folder.with("walk.jsonl", header);
        let alone = "walk.jsonl: a journal without a whole first line; run it again, or delete it";
        assert_eq!(message(Journal::read(&path), &folder), alone);
        run(&runner(1), &WALK, &path).unwrap();
        assert_eq!(read(&path), expected(&WALK), "{header}");
    }
}

#[test]
fn a_torn_line_is_cut_off_before_anything_follows() {
    let folder = Folder::new();
    let sound = lines()[..3].concat();
    let path = folder.with("walk.jsonl", format!("{sound}{{\"trial\":2,\"record\":{}", "9".repeat(5000)));
    runner(1).run(&WALK, Some(&path), &(), &AtomicBool::new(true)).unwrap();
    assert_eq!(read(&path), sound);
}

/// Such a file is refused with this message and stays as it is.
fn refused(text: impl AsRef<[u8]>, expect: &str) {
    let folder = Folder::new();
    let path = folder.with("walk.jsonl", &text);
    assert_eq!(message(run(&runner(2), &WALK, &path), &folder), expect);
    assert_eq!(fs::read(&path).unwrap(), text.as_ref(), "the file was changed: {expect}");
}

#[test]
fn damaged_journals() {
    let lines = lines();
    let with = |line: &str| [&lines[0], line, "\n", &lines[1]].concat();
    let damaged = |line: &str, cause: &str| {
        refused(with(line), &format!("walk.jsonl: line 2: {cause}; nothing was changed"));
    };
    damaged("", "EOF while parsing a value");
    damaged("garbage", "expected value, at column 1");
    damaged("{\"trial\":1,\"rec", "EOF while parsing a string, at column 15");
    damaged("{\"trial\":1}", "missing field `record`, at column 11");
    damaged("{\"record\":1}", "missing field `trial`, at column 12");
    damaged("{\"trial\":-1,\"record\":1}", "invalid value: integer `-1`, expected u64, at column 11");
    damaged("{\"trial\":\"1\",\"record\":1}", "invalid type: string \"1\", expected u64, at column 12");
    damaged(
        "{\"trial\":1,\"record\":1,\"more\":2}",
        "unknown field `more`, expected `trial` or `record`, at column 28",
    );
    damaged("{\"trial\":6,\"record\":1}", "trial 6 of an experiment with 6 trials, counted from 0");
    // What is JSON is not torn, even if it is last.
    let last = [&lines[0], "{\"trial\":99,\"record\":1}\n"].concat();
    refused(
        last,
        "walk.jsonl: line 2: trial 99 of an experiment with 6 trials, counted from 0; nothing was changed",
    );
    let unfit = [&lines[0], &lines[1], "{\"trial\":1,\"record\":{\"steps\":[]}}\n"].concat();
    refused(
        unfit,
        "walk.jsonl: line 3: the record of trial 1 does not fit: missing field `mean`, at column 12",
    );
    // A torn end does not hide damage before it, nor is it cut off.
    let both = [&lines[0], "garbage\n", &lines[1], "{\"tri"].concat();
    refused(both, "walk.jsonl: line 2: expected value, at column 1; nothing was changed");
}

#[test]
fn doubles() {
    let lines = lines();
    let folder = Folder::new();
    let path = folder.with("walk.jsonl", [0, 2, 1, 2, 2].map(|index| lines[index].as_str()).concat());
    assert_eq!(Journal::read(&path).unwrap().doubled.to_string(), "1");
    run(&runner(1), &WALK, &path).unwrap();
    assert_eq!(read(&path), expected(&WALK));
    let other = lines[2].replacen("\"trial\":1", "\"trial\":0", 1);
    let expect = "walk.jsonl: line 3: trial 0 with another record than on line 2; nothing was changed";
    refused([&lines[0], &lines[1], &other].map(String::as_str).concat(), expect);
}

#[test]
fn files_that_are_no_journals() {
    let begin = "walk.jsonl: not a journal: line 1 should begin {\"journal\":\"aji\",\"format\":1,";
    for text in
        ["my notes", "my notes\n", "[]\n", "{\"a\":1}\n", "\0", "{\"journal\":\"sea\",\"format\":1}\n"]
    {
        refused(text, begin);
    }
    refused(b"\xff\xfe\xfd", begin);
    refused(
        "{\"journal\":\"aji\",\"format\":2,\"more\":1}\n",
        "walk.jsonl: a journal of format 2; this program reads format 1",
    );
    refused(
        "{\"journal\":\"aji\",\"format\":1}\n",
        "walk.jsonl: line 1: missing field `experiment`, at column 28",
    );
    // Torn, but with lines after it: not for us to repair.
    refused(format!("{{\"journal\":\"aji\",\n{}", lines()[1]), begin);
}

#[test]
fn journals_of_another_run() {
    let check = |there: (&Runner, &Walk), here: (&Runner, &Walk), expect: &str| {
        let folder = Folder::new();
        let path = folder.file("walk.jsonl");
        run(there.0, there.1, &path).unwrap();
        let before = read(&path);
        let hint = "name another file, or delete this one";
        let expect = format!("walk.jsonl: a journal of {expect}; {hint}");
        assert_eq!(message(run(here.0, here.1, &path), &folder), expect);
        assert_eq!(read(&path), before);
    };
    let plain = runner(1);
    let origin = |version: &str, commit: &str| Runner {
        origin: Origin { version: version.into(), commit: commit.into() },
        ..runner(1)
    };
    check((&plain, &WALK), (&plain, &Walk { steps: 4, ..WALK }), "parameter steps 3, not parameter steps 4");
    check((&plain, &WALK), (&Runner { seed: 8, ..runner(1) }, &WALK), "seed 7, not seed 8");
    check((&plain, &WALK), (&origin("2.0", "abc"), &WALK), "version 1.0, not version 2.0");
    check((&plain, &WALK), (&origin("1.0", "def"), &WALK), "commit abc, not commit def");
    check((&plain, &WALK), (&origin("1.0", ""), &WALK), "commit abc, not commit unknown");
}

/// A journal of fewer trials is gone on with: finished, stopped or torn, it ends as the run of all trials does.
#[test]
fn journals_grow() {
    let more = Walk { trials: 15, ..WALK };
    let all = expected(&more);
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    run(&runner(1), &WALK, &path).unwrap();
    run(&runner(2), &more, &path).unwrap();
    assert_eq!(read(&path), all);
    // Killed after the new header and some trials beyond the old ones, in any order, the last one torn.
    let (head, grown) = (expected(&WALK), all.lines().next().unwrap());
    let lines: Vec<&str> = all.lines().collect();
    let begun = format!("{head}{grown}\n{}\n{}\n{}", lines[12], lines[9], &lines[10][..20]);
    std::fs::write(&path, begun).unwrap();
    run(&runner(2), &more, &path).unwrap();
    assert_eq!(read(&path), all);
    // A torn header at the end is a torn line.
    std::fs::write(&path, format!("{head}{}", &grown[..40])).unwrap();
    run(&runner(1), &more, &path).unwrap();
    assert_eq!(read(&path), all);
    let error = message(run(&runner(1), &WALK, &path), &folder);
    assert_eq!(error, "walk.jsonl: a journal of 15 trials, not 6; ask for 15 or more, or name another file");
    let foreign = grown.replace("\"seed\":7", "\"seed\":8");
    std::fs::write(&path, format!("{head}{foreign}\n")).unwrap();
    let error = message(run(&runner(1), &more, &path), &folder);
    assert!(error.contains("line 8: a header of seed 8, not seed 7 as on line 1"), "{error}");
}

/// The same trials under another name and other parameters.
struct Renamed(&'static str, serde_json::Value);

impl Experiment for Renamed {
    type Record = Walked;

    fn name(&self) -> String {
        self.0.into()
    }

    fn parameters(&self) -> serde_json::Value {
        self.1.clone()
    }

    fn trials(&self) -> u64 {
        WALK.trials
    }

    fn run(&self, trial: aji_lab::Trial) -> Result<Walked, Error> {
        WALK.run(trial)
    }
}

#[test]
fn the_parameter_that_differs_is_named() {
    let run = |experiment: &Renamed, path: &Path| -> Result<Outcome<Walked>, Error> {
        runner(1).run(experiment, Some(path), &(), &AtomicBool::new(false))
    };
    let check = |there: serde_json::Value, here: serde_json::Value, expect: &str| {
        let folder = Folder::new();
        let path = folder.file("walk.jsonl");
        run(&Renamed("walk", there), &path).unwrap();
        let text = message(run(&Renamed("walk", here), &path), &folder);
        assert_eq!(text, format!("walk.jsonl: a journal of {expect}; name another file, or delete this one"));
    };
    use serde_json::json;
    check(json!({ "a": 1, "b": 2 }), json!({ "a": 1 }), "parameter b 2, not parameter b nothing");
    check(json!({ "a": 1 }), json!({ "a": 1, "b": "x" }), "parameter b nothing, not parameter b \"x\"");
    check(json!({ "a": [1, 2] }), json!({ "a": [1, 3] }), "parameter a[1] 2, not parameter a[1] 3");
    check(json!({ "a": 0.1 }), json!({ "a": 0.2 }), "parameter a 0.1, not parameter a 0.2");
    check(json!(null), json!({ "a": 1 }), "parameters null, not parameters {\"a\":1}");
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    run(&Renamed("walk", json!(0.1)), &path).unwrap();
    run(&Renamed("walk", json!(0.1)), &path).unwrap();
    let text = message(run(&Renamed("swim", json!(0.1)), &path), &folder);
    assert!(text.starts_with("walk.jsonl: a journal of experiment walk, not experiment swim;"), "{text}");
}

#[test]
fn one_process_a_journal() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    let held = JournalWriter::open(&path, runner(1).header(&WALK), Shard::WHOLE).unwrap();
    let expect = "walk.jsonl: in use by another process; wait for it, or name another file";
    assert_eq!(message(run(&runner(1), &WALK, &path), &folder), expect);
    let part = folder.with("part.jsonl", expected(&WALK));
    assert_eq!(message(merge(&[&part], &path), &folder), expect);
    drop(held);
    run(&runner(1), &WALK, &path).unwrap();
    assert_eq!(read(&path), expected(&WALK));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = Folder::new();
    let (path, link) = (folder.file("walk.jsonl"), folder.file("link.jsonl"));
    fs::write(&path, "").unwrap();
    std::os::unix::fs::symlink(&path, &link).unwrap();
    run(&runner(1), &WALK, &link).unwrap();
    assert_eq!(read(&path), expected(&WALK));
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
}

#[test]
fn joining_tells_what_is_missing_and_double() {
    let lines = lines();
    let folder = Folder::new();
    let left = folder.with("left.jsonl", [0, 5, 2].map(|index| lines[index].as_str()).concat());
    let right = folder.with("right.jsonl", [0, 2, 6].map(|index| lines[index].as_str()).concat() + "{\"tr");
    let out = folder.file("whole.jsonl");
    let report = merge(&[&left, &right], &out).unwrap();
    let text = report.to_string().replace(&format!("{}/", folder.0.display()), "");
    let expect = "joined 2 journals: 3 of 6 trials\nmissing 3 of 6: 0, 2-3\nduplicates, with the same record: 1\n\
                  right.jsonl: the last line was torn and is left out";
    assert_eq!(text, expect);
    assert_eq!(read(&out), [0, 2, 5, 6].map(|index| lines[index].as_str()).concat());
    // What was joined is a journal to go on with.
    run(&runner(1), &WALK, &out).unwrap();
    assert_eq!(read(&out), expected(&WALK));
}

#[test]
fn what_cannot_be_joined() {
    let lines = lines();
    let folder = Folder::new();
    let none: [&Path; 0] = [];
    let out = folder.file("out.jsonl");
    assert_eq!(message(merge(&none, &out), &folder), "no journals to join");
    let missing = message(merge(&[folder.file("none.jsonl")], &out), &folder);
    assert_eq!(missing, "cannot read none.jsonl: no such file or directory");
    let part = folder.with("part.jsonl", [0, 1].map(|index| lines[index].as_str()).concat());
    let other = lines[2].replacen("\"trial\":1", "\"trial\":0", 1);
    let differing = folder.with("differing.jsonl", lines[0].clone() + &other);
    let text = message(merge(&[&part, &differing], &out), &folder);
    assert_eq!(text, "differing.jsonl: line 2: trial 0 with another record than in a journal before it");
    let seeded = folder.with("seeded.jsonl", lines[0].replace("\"seed\":7", "\"seed\":8"));
    let text = message(merge(&[&part, &seeded], &out), &folder);
    assert_eq!(text, "seeded.jsonl: a journal of seed 8, not seed 7 as part.jsonl; join those of one run");
    assert!(!out.exists());
}

#[test]
fn joining_loses_nothing() {
    let lines = lines();
    let folder = Folder::new();
    let pick = |picked: &[usize]| picked.iter().map(|&index| lines[index].as_str()).collect::<String>();
    let part = folder.with("part.jsonl", pick(&[0, 1, 2]));
    let hint = "name another file, join it with the others, or delete it";
    let check = |text: String, expect: &str| {
        let out = folder.with("out.jsonl", &text);
        assert_eq!(message(merge(&[&part], &out), &folder), format!("out.jsonl: {expect}; {hint}"));
        assert_eq!(read(&out), text);
    };
    check("my notes\n".into(), "there already, and not a journal");
    check(pick(&[0, 3]), "holds records that the journals do not");
    check(lines[0].replace("\"seed\":7", "\"seed\":8"), "a journal of seed 8, not seed 7");
    for text in [String::new(), pick(&[0]), pick(&[0, 2])] {
        let out = folder.with("out.jsonl", text);
        merge(&[&part], &out).unwrap();
        assert_eq!(read(&out), pick(&[0, 1, 2]));
    }
    // The result may be one of the parts.
    let out = folder.with("out.jsonl", pick(&[0, 6]));
    merge(&[&part, &out], &out).unwrap();
    assert_eq!(read(&out), pick(&[0, 1, 2, 6]));
}

#[test]
fn a_journal_of_unknown_records() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    run(&shard("1/3", 1), &WALK, &path).unwrap();
    let journal = Journal::read(&path).unwrap();
    assert_eq!((journal.header.experiment.as_str(), journal.header.trials), ("walk", 6));
    assert_eq!(journal.missing().to_string(), "1-2, 4-5");
    let records = journal.records::<Walked>().unwrap();
    assert_eq!(records.iter().map(|(trial, _)| *trial).collect::<Vec<_>>(), [0, 3]);
    for (trial, record) in &records {
        let entry = journal.entry(*trial).unwrap().unwrap();
        assert_eq!(serde_json::from_str::<Walked>(&entry.record).unwrap().end, record.end);
    }
    assert!(journal.entry(1).unwrap().is_none());
    let csv = journal.csv().unwrap();
    assert_eq!(csv.lines().next(), Some("trial,steps,mean,end,first_up,note"));
    assert_eq!(csv, aji_lab::export_csv(&records).unwrap());
}
