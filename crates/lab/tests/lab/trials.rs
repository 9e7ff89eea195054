//! The finished journal has the same bytes for any number of threads, any interruption, and any split into shards.

use crate::common::{Folder, SEED, Walk, Walked, expected, message, read, run, runner, shard};
use aji_lab::{Ending, Error, Experiment, Journal, Progress, Runner, Trial, merge};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

const WALK: Walk = Walk { trials: 40, steps: 9 };

#[test]
fn any_number_of_threads() {
    let folder = Folder::new();
    for threads in [1, 2, 4, 64, 0] {
        let path = folder.file(&format!("{threads}.jsonl"));
        let outcome = run(&runner(threads), &WALK, &path).unwrap();
        assert_eq!(read(&path), expected(&WALK), "{threads} threads");
        let in_memory = runner(threads).run(&WALK, None, &(), &AtomicBool::new(false)).unwrap();
        assert_eq!(in_memory, outcome, "{threads} threads");
        let trial = |id| (id, WALK.run(Trial { id, seed: SEED }).unwrap());
        assert_eq!(outcome.records, (0..WALK.trials).map(trial).collect::<Vec<_>>());
        assert_eq!(Journal::read(&path).unwrap().records::<Walked>().unwrap(), outcome.records);
    }
    assert!(folder.names().iter().all(|name| name.ends_with(".jsonl")), "{:?}", folder.names());
}

/// A walk whose even trials end only after the odd ones that follow them. Needs two threads.
struct Crossed(Vec<AtomicBool>);

impl Crossed {
    fn new() -> Crossed {
        Crossed((0..WALK.trials).map(|_| AtomicBool::new(false)).collect())
    }
}

impl Experiment for Crossed {
    type Record = Walked;

    fn name(&self) -> String {
        WALK.name()
    }

    fn parameters(&self) -> serde_json::Value {
        WALK.parameters()
    }

    fn trials(&self) -> u64 {
        WALK.trials
    }

    fn run(&self, trial: Trial) -> Result<Walked, Error> {
        self.0[trial.id as usize].store(true, Ordering::Relaxed);
        while !self.0[trial.id as usize | 1].load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        // The other is there but not recorded yet: it is only likely to be before this one.
        if trial.id.is_multiple_of(2) {
            (0..100).for_each(|_| std::thread::yield_now());
        }
        WALK.run(trial)
    }
}

#[test]
fn trials_that_end_out_of_order() {
    let folder = Folder::new();
    for threads in [2, 4] {
        let path = folder.file(&format!("{threads}.jsonl"));
        let stop = AtomicBool::new(false);
        let outcome = runner(threads).run(&Crossed::new(), Some(&path), &(), &stop).unwrap();
        assert!(outcome.records.iter().map(|(trial, _)| *trial).eq(0..WALK.trials));
        assert_eq!(read(&path), expected(&WALK), "{threads} threads");
    }
}

#[test]
fn no_trials_and_one() {
    let folder = Folder::new();
    for trials in [0, 1] {
        let walk = Walk { trials, ..WALK };
        let path = folder.file(&format!("{trials}.jsonl"));
        assert_eq!(run(&runner(2), &walk, &path).unwrap().records.len() as u64, trials);
        assert_eq!(read(&path), expected(&walk));
    }
}

#[test]
fn a_finished_run_does_nothing() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    let first = run(&runner(2), &WALK, &path).unwrap();
    let before = fs::metadata(&path).unwrap().modified().unwrap();
    let counter = Counter::default();
    let again = runner(2).run(&WALK, Some(&path), &counter, &AtomicBool::new(false)).unwrap();
    assert_eq!(again, first);
    assert_eq!(counter.told(), ["begun 40/40"]);
    assert_eq!(fs::metadata(&path).unwrap().modified().unwrap(), before);
}

#[test]
fn shards_in_any_order() {
    let folder = Folder::new();
    for count in [1, 3, 50] {
        let text = |index| format!("{index}/{count}");
        let paths: Vec<_> = (1..=count).map(|index| folder.file(&format!("{index}-{count}.jsonl"))).collect();
        for (index, path) in (1..).zip(&paths) {
            let outcome = run(&shard(&text(index), 2), &WALK, path).unwrap();
            assert!(outcome.records.iter().all(|(trial, _)| trial % count == index - 1));
        }
        for turned in 0..paths.len().min(3) {
            for reversed in [false, true] {
                let mut paths = paths.clone();
                paths.rotate_left(turned);
                if reversed {
                    paths.reverse();
                }
                let out = folder.file("whole.jsonl");
                let report = merge(&paths, &out).unwrap();
                assert_eq!(report.to_string().lines().count(), 1, "{report}");
                assert_eq!(read(&out), expected(&WALK), "{count} shards");
            }
        }
    }
}

#[test]
fn one_shards_journal_goes_on_with_the_next() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    for text in ["2/3", "1/3", "3/3"] {
        run(&shard(text, 2), &WALK, &path).unwrap();
    }
    assert_eq!(read(&path), expected(&WALK));
}

/// Sets a flag once so many trials are recorded, and takes notes.
#[derive(Default)]
struct Counter {
    stop: AtomicBool,
    left: AtomicU64,
    notes: Mutex<Vec<String>>,
}

impl Counter {
    fn stopping_after(trials: u64) -> Counter {
        Counter { left: AtomicU64::new(trials), ..Counter::default() }
    }

    fn told(&self) -> Vec<String> {
        self.notes.lock().unwrap().clone()
    }
}

impl Progress for Counter {
    fn begun(&self, done: u64, of: u64) {
        self.noted(&format!("begun {done}/{of}"));
    }

    fn recorded(&self, _trial: u64, done: u64, of: u64) {
        self.noted(&format!("{done}/{of}"));
        if self.left.fetch_sub(1, Ordering::Relaxed) == 1 {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn noted(&self, line: &str) {
        self.notes.lock().unwrap().push(line.into());
    }
}

#[test]
fn interrupted_anywhere() {
    let folder = Folder::in_memory();
    for threads in [1, 3] {
        for after in 1..=WALK.trials {
            let path = folder.file(&format!("{threads}-{after}.jsonl"));
            let counter = Counter::stopping_after(after);
            let outcome = runner(threads).run(&WALK, Some(&path), &counter, &counter.stop).unwrap();
            let done = outcome.records.len() as u64;
            // Those in flight may be recorded too.
            assert!((after..after + threads as u64).contains(&done), "{done} after {after}");
            let ending = if done == WALK.trials { Ending::Complete } else { Ending::Stopped };
            assert_eq!(outcome.ending, ending);
            assert_eq!(Journal::read(&path).unwrap().len() as u64, done);
            run(&runner(2), &WALK, &path).unwrap();
            assert_eq!(read(&path), expected(&WALK), "{threads} threads, stopped after {after}");
        }
    }
}

#[test]
fn interrupted_again_and_again() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    for rest in (1..=WALK.trials).rev() {
        let counter = Counter::stopping_after(1);
        let outcome = runner(1).run(&WALK, Some(&path), &counter, &counter.stop).unwrap();
        let done = WALK.trials - rest;
        assert_eq!(counter.told(), [format!("begun {done}/40"), format!("{}/40", done + 1)]);
        assert_eq!(outcome.is_finished(), rest == 1);
    }
    assert_eq!(read(&path), expected(&WALK));
}

#[test]
fn stopped_before_it_began() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    let outcome = runner(2).run(&WALK, Some(&path), &(), &AtomicBool::new(true)).unwrap();
    assert_eq!((outcome.records.len(), outcome.ending), (0, Ending::Stopped));
    run(&runner(2), &WALK, &path).unwrap();
    assert_eq!(read(&path), expected(&WALK));
}

/// A walk that never comes home from a trial on.
struct Hanging {
    walk: Walk,
    from: u64,
}

impl Experiment for Hanging {
    type Record = Walked;

    fn name(&self) -> String {
        self.walk.name()
    }

    fn parameters(&self) -> serde_json::Value {
        self.walk.parameters()
    }

    fn trials(&self) -> u64 {
        self.walk.trials()
    }

    fn run(&self, trial: Trial) -> Result<Walked, Error> {
        if trial.id < self.from {
            return self.walk.run(trial);
        }
        loop {
            std::thread::park();
        }
    }
}

const LONG: Walk = Walk { trials: 3000, steps: 300 };

/// The process that is killed: it does nothing unless the tests below start it.
#[test]
#[ignore = "started by the tests that kill it"]
fn victim() {
    let Ok(path) = std::env::var("AJI_LAB_VICTIM") else { return };
    let from = std::env::var("AJI_LAB_HANG_FROM").unwrap().parse().unwrap();
    let experiment = Hanging { walk: LONG, from };
    let outcome = runner(2).run(&experiment, Some(Path::new(&path)), &(), &AtomicBool::new(false));
    assert!(outcome.unwrap().is_finished());
}

/// Starts the victim and kills it once its journal is long enough. Whether it was alive until then.
fn kill(path: &Path, hang_from: u64, enough: impl Fn(&[u8]) -> bool) -> bool {
    let mut victim = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "trials::victim", "--ignored", "--nocapture"])
        .env("AJI_LAB_VICTIM", path)
        .env("AJI_LAB_HANG_FROM", hang_from.to_string())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while !fs::read(path).is_ok_and(|bytes| enough(&bytes)) {
        if let Some(status) = victim.try_wait().unwrap() {
            assert!(status.success(), "the victim failed by itself");
            break;
        }
        std::thread::yield_now();
    }
    let alive = victim.try_wait().unwrap().is_none();
    // The signal 9 of Unix.
    victim.kill().unwrap();
    victim.wait().unwrap();
    alive
}

#[test]
fn killed_in_the_middle_of_a_trial() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    for hang_from in [20, 21, 700] {
        let lines = |bytes: &[u8]| bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        assert!(kill(&path, hang_from, |bytes| lines(bytes) == 1 + hang_from));
        assert_eq!(Journal::read(&path).unwrap().missing().to_string(), format!("{hang_from}-2999"));
    }
    run(&runner(2), &LONG, &path).unwrap();
    assert_eq!(read(&path), expected(&LONG));
}

#[test]
fn killed_at_any_moment() {
    let folder = Folder::new();
    let expect = expected(&LONG);
    let mut alive = 0;
    for part in 1..10 {
        let path = folder.file(&format!("{part}.jsonl"));
        // Twice, so that a resumed run is killed too.
        for kills in [1, 2] {
            let length = expect.len() * part * kills / 20;
            alive += usize::from(kill(&path, u64::MAX, |bytes| bytes.len() >= length));
        }
        run(&runner(2), &LONG, &path).unwrap();
        assert!(read(&path) == expect, "killed at {part} of 10");
    }
    assert!(alive > 0, "every victim was done before it was killed");
    assert!(folder.names().iter().all(|name| name.ends_with(".jsonl")), "{:?}", folder.names());
}

/// Enough once the sum of the ends is below a bound.
fn below(bound: i64) -> impl FnMut(&[Walked]) -> bool + Send {
    move |records| records.iter().map(|record| record.end).sum::<i64>() < bound
}

fn run_until(runner: &Runner, path: &Path, bound: i64) -> (Ending, u64) {
    let stop = AtomicBool::new(false);
    let outcome = runner.run_until(&WALK, Some(path), &(), &stop, &mut below(bound)).unwrap();
    assert!(outcome.records.iter().map(|(trial, _)| *trial).eq(0..outcome.records.len() as u64));
    (outcome.ending, outcome.records.len() as u64)
}

/// How many trials are enough, by the plainest loop there is.
fn trials_until(bound: i64) -> u64 {
    let records: Vec<Walked> =
        (0..WALK.trials).map(|id| WALK.run(Trial { id, seed: SEED }).unwrap()).collect();
    (1..=records.len()).find(|&length| below(bound)(&records[..length])).unwrap_or(records.len()) as u64
}

#[test]
fn enough_is_enough_for_any_number_of_threads() {
    let folder = Folder::in_memory();
    for bound in [100, -5, -50, -10_000] {
        let expect = trials_until(bound);
        let text: String = expected(&WALK).split_inclusive('\n').take(1 + expect as usize).collect();
        let ending = if bound == -10_000 { Ending::Complete } else { Ending::Enough };
        for threads in [1, 2, 4, 40] {
            let path = folder.file(&format!("{bound}-{threads}.jsonl"));
            assert_eq!(run_until(&runner(threads), &path, bound), (ending, expect), "{threads} threads");
            assert_eq!(read(&path), text, "{bound} with {threads} threads");
            assert_eq!(run_until(&runner(threads), &path, bound), (ending, expect), "again");
            assert_eq!(read(&path), text, "again, {bound} with {threads} threads");
        }
        // A journal that holds more than enough, the last trial first.
        let whole = expected(&WALK);
        let (header, records) = whole.split_once('\n').unwrap();
        let records: String = records.split_inclusive('\n').rev().collect();
        let path = folder.with("whole.jsonl", format!("{header}\n{records}"));
        assert_eq!(run_until(&runner(2), &path, bound), (ending, expect), "from a whole journal");
        assert_eq!(read(&path), text, "{bound} from a whole journal");
        for after in 1..=expect {
            let path = folder.file(&format!("{bound}-after-{after}.jsonl"));
            let counter = Counter::stopping_after(after);
            // Stopped without being asked what is enough: some journals hold more than that.
            runner(3).run(&WALK, Some(&path), &counter, &counter.stop).unwrap();
            assert_eq!(run_until(&runner(2), &path, bound), (ending, expect), "stopped after {after}");
            assert_eq!(read(&path), text, "{bound}, stopped after {after}");
        }
    }
}

#[test]
fn each_prefix_is_asked_about_once() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    let lines: Vec<String> = expected(&WALK).split_inclusive('\n').map(str::to_string).collect();
    fs::write(&path, lines[0].clone() + &lines[5] + &lines[1] + &lines[2]).unwrap();
    let mut asked = Vec::new();
    let mut enough = |records: &[Walked]| {
        asked.push(records.len());
        records.len() == 30
    };
    runner(4).run_until(&WALK, Some(&path), &(), &AtomicBool::new(false), &mut enough).unwrap();
    assert_eq!(asked, (1..=30).collect::<Vec<_>>());
}

#[test]
fn a_run_until_enough_is_not_divided() {
    let folder = Folder::new();
    let stop = AtomicBool::new(false);
    let result = shard("2/3", 1).run_until(&WALK, None, &(), &stop, &mut |_| true);
    let expect = "shard 2/3: a run that may stop early cannot be split so; run it whole, or in ranges of trials such as 0..100";
    assert_eq!(message(result, &folder), expect);
}

#[test]
fn a_run_until_enough_is_divided_into_ranges() {
    let folder = Folder::in_memory();
    let whole = expected(&WALK);
    let lines: Vec<&str> = whole.split_inclusive('\n').collect();
    for range in ["0..7", "7..20", "20..1000"] {
        let path = folder.file(&format!("{range}.jsonl"));
        run(&shard(range, 3), &WALK, &path).unwrap();
        let (first, end) = range.split_once("..").unwrap();
        let (first, end): (usize, usize) = (first.parse().unwrap(), end.parse().unwrap());
        let own = &lines[1 + first..lines.len().min(1 + end)];
        assert_eq!(read(&path), lines[0].to_string() + &own.concat(), "{range}");
    }
    for bound in [100, -5, -10_000] {
        let expect = trials_until(bound);
        for end in [1, 4, 20, WALK.trials] {
            // Later ranges are there already, and say nothing before their turn.
            let path = folder.with(&format!("{bound}-{end}.jsonl"), whole.clone());
            let found = run_until(&shard(&format!("0..{end}"), 2), &path, bound).0;
            let is_enough = expect <= end && bound > -10_000;
            assert_eq!(found == Ending::Enough, is_enough, "{bound} in the first {end}");
            let left = if is_enough { lines[..=expect as usize].concat() } else { whole.clone() };
            assert_eq!(read(&path), left, "{bound} in the first {end}");
        }
    }
}

/// Trials that go wrong, each in its own way.
struct Faulty(fn(u64) -> Result<f64, Error>);

impl Experiment for Faulty {
    type Record = f64;

    fn name(&self) -> String {
        "faulty".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::Value::Null
    }

    fn trials(&self) -> u64 {
        30
    }

    fn run(&self, trial: Trial) -> Result<f64, Error> {
        (self.0)(trial.id)
    }
}

#[test]
fn a_failing_trial_is_named() {
    let check = |run: fn(u64) -> Result<f64, Error>, expect: &str| {
        for threads in [1, 2, 4] {
            let folder = Folder::new();
            let path = folder.file("faulty.jsonl");
            let result = runner(threads).run(&Faulty(run), Some(&path), &(), &AtomicBool::new(false));
            assert_eq!(message(result, &folder), expect, "{threads} threads");
            // What ended well is kept, and the same trial fails again.
            let kept: Vec<u64> = Journal::read(&path).unwrap().trials().collect();
            assert!((0..17).all(|trial| kept.contains(&trial)), "{threads} threads");
            let result = runner(threads).run(&Faulty(run), Some(&path), &(), &AtomicBool::new(false));
            assert_eq!(message(result, &folder), expect, "{threads} threads, again");
        }
    };
    let fail = |id| if id >= 17 { Err(Error::new("no opening")) } else { Ok(0.0) };
    check(fail, "trial 17: no opening");
    check(
        |id| if id >= 17 { panic!("out of {}\nluck", "all") } else { Ok(0.5) },
        "trial 17 panicked: out of all",
    );
    let unreadable = "trial 17: its record cannot be read back: invalid type: null, expected f64, at column 4 \
                      (a number that is not finite is written as null)";
    check(|id| Ok(if id >= 17 { f64::NAN } else { 1.0 }), unreadable);
    check(|id| Ok(if id >= 17 { f64::INFINITY } else { 1.0 }), unreadable);
}

#[test]
fn a_failure_beyond_enough_does_not_count() {
    // Trial 16 ends after trial 17 has failed, where there are threads for both.
    static HAS_FAILED: AtomicBool = AtomicBool::new(false);
    let faulty = Faulty(|id| {
        while id == 16 && !HAS_FAILED.load(Ordering::Relaxed) {
            std::thread::yield_now();
        }
        HAS_FAILED.fetch_or(id == 17, Ordering::Relaxed);
        if id >= 17 { Err(Error::new("no opening")) } else { Ok(0.0) }
    });
    for threads in [1, 2, 4] {
        let run_until = |length: usize| {
            HAS_FAILED.store(threads == 1, Ordering::Relaxed);
            let stop = AtomicBool::new(false);
            runner(threads).run_until(&faulty, None, &(), &stop, &mut |records| records.len() == length)
        };
        assert_eq!(run_until(17).unwrap().records.len(), 17, "{threads} threads");
        assert_eq!(run_until(18).unwrap_err().to_string(), "trial 17: no opening", "{threads} threads");
    }
}

/// Any numbers at all.
struct Numbers(Vec<f64>);

impl Experiment for Numbers {
    type Record = (f64, f32);

    fn name(&self) -> String {
        "numbers".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!(self.0)
    }

    fn trials(&self) -> u64 {
        self.0.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<(f64, f32), Error> {
        let number = self.0[trial.id as usize];
        let single = number as f32;
        Ok((number, if single.is_finite() { single } else { 0.0 }))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn numbers_come_back_exactly(
        numbers in prop::collection::vec(any::<u64>().prop_map(f64::from_bits), 1..40),
    ) {
        let numbers: Vec<f64> = numbers.into_iter().filter(|number| number.is_finite()).collect();
        let folder = Folder::in_memory();
        let path = folder.file("numbers.jsonl");
        let experiment = Numbers(numbers.clone());
        let stop = AtomicBool::new(false);
        for _ in 0..2 {
            let outcome = runner(1).run(&experiment, Some(&path), &(), &stop).unwrap();
            for ((number, single), expect) in outcome.values().zip(&numbers) {
                prop_assert_eq!(number.to_bits(), expect.to_bits());
                let expect = *expect as f32;
                prop_assert_eq!(single.to_bits(), if expect.is_finite() { expect } else { 0.0 }.to_bits());
            }
        }
    }

    #[test]
    fn lines_in_any_order_doubled_and_torn(
        order in prop::collection::vec(0..12usize, 0..20),
        cut in 0..400usize,
        threads in 1..4usize,
    ) {
        let walk = Walk { trials: 12, steps: 5 };
        let text = expected(&walk);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let mut left: String = order.iter().map(|&trial| lines[1 + trial]).collect();
        left.truncate(left.len().saturating_sub(cut));
        let folder = Folder::in_memory();
        let path = folder.with("walk.jsonl", lines[0].to_string() + &left);
        run(&runner(threads), &walk, &path).unwrap();
        prop_assert_eq!(read(&path), text);
    }

    #[test]
    fn parts_that_overlap_join_to_the_whole(owners in prop::collection::vec(1..8u8, 12)) {
        let walk = Walk { trials: 12, steps: 5 };
        let text = expected(&walk);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let folder = Folder::in_memory();
        // Each trial stands in the parts whose bit its number has.
        let part = |bit: u8| {
            let own = (0..12).rev().filter(|&trial| owners[trial] >> bit & 1 == 1);
            let own: String = own.map(|trial| lines[1 + trial]).collect();
            folder.with(&format!("{bit}.jsonl"), lines[0].to_string() + &own)
        };
        let parts = [part(0), part(1), part(2)];
        let out = folder.file("whole.jsonl");
        let report = merge(&parts, &out).unwrap();
        prop_assert_eq!(read(&out), text);
        let doubled = owners.iter().filter(|owners| owners.count_ones() > 1).count() as u64;
        prop_assert_eq!((report.records, report.doubled.count(), report.missing.count()), (12, doubled, 0));
    }
}
