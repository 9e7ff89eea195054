//! Disks that are full, failing, or not for us to write: a clear line, and nothing lost.

use crate::common::{Folder, Walk, Walked, expected, message, read, run, runner, shard};
use aji_lab::{Error, JournalWriter, Outcome, Shard};
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::Command;
use std::sync::atomic::AtomicBool;

const WALK: Walk = Walk { trials: 6, steps: 3 };

/// Takes so many bytes, then no more.
struct Failing {
    out: Box<dyn Write + Send>,
    left: usize,
}

impl Write for Failing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.left == 0 {
            return Err(io::Error::other("Disk on fire"));
        }
        let taken = self.out.write(&bytes[..bytes.len().min(self.left)])?;
        self.left -= taken;
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}

fn run_through(
    walk: &Walk,
    path: &Path,
    threads: usize,
    wrap: impl FnOnce(Box<dyn Write + Send>) -> Box<dyn Write + Send>,
) -> Result<Outcome<Walked>, Error> {
    let runner = runner(threads);
    let journal = JournalWriter::open(path, runner.header(walk), Shard::WHOLE)?.through(wrap);
    runner.run_on(walk, Some(journal), &(), &AtomicBool::new(false), &mut |_| false)
}

#[test]
fn a_writer_that_fails_at_every_byte() {
    let folder = Folder::in_memory();
    let path = folder.file("walk.jsonl");
    for left in 0..expected(&WALK).len() {
        let threads = 1 + left % 2;
        let _ = fs::remove_file(&path);
        let result = run_through(&WALK, &path, threads, |out| Box::new(Failing { out, left }));
        let text = read(&path);
        assert_eq!(text.len(), left, "nothing is taken back, nothing follows a torn line");
        let done = text.matches('\n').count().saturating_sub(1);
        let expect = format!("(after {done} of 6 trials; run again to go on)");
        assert_eq!(message(result, &folder), format!("cannot write walk.jsonl: disk on fire {expect}"));
        // It fails on, a line later, and is then run on a sound disk.
        let again = run_through(&WALK, &path, threads, |out| Box::new(Failing { out, left: 100 }));
        assert!(again.is_err() || read(&path) == expected(&WALK));
        run(&runner(threads), &WALK, &path).unwrap();
        assert_eq!(read(&path), expected(&WALK), "failed after {left} bytes");
    }
}

#[test]
fn a_failure_counts_the_trials_of_its_shard() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    run(&shard("1/2", 1), &WALK, &path).unwrap();
    let runner = shard("2/2", 1);
    // Room for one more record of about 90 bytes.
    let wrap = |out| Box::new(Failing { out, left: 130 }) as Box<dyn Write + Send>;
    let journal = JournalWriter::open(&path, runner.header(&WALK), runner.shard).unwrap().through(wrap);
    let result = runner.run_on(&WALK, Some(journal), &(), &AtomicBool::new(false), &mut |_| false);
    let expect = "cannot write walk.jsonl: disk on fire (after 1 of 3 trials; run again to go on)";
    assert_eq!(message(result, &folder), expect);
}

#[cfg(target_os = "linux")]
#[test]
fn a_device_without_space() {
    let folder = Folder::new();
    let path = folder.file("walk.jsonl");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let expect = "cannot write walk.jsonl: no space left on device (after 0 of 6 trials; run again to go on)";
    assert_eq!(message(run_through(&WALK, &path, 1, |_| Box::new(full)), &folder), expect);
    run(&runner(1), &WALK, &path).unwrap();
    assert_eq!(read(&path), expected(&WALK));
}

/// A small disk in memory, where the system lets us have one.
struct SmallDisk(Folder);

impl SmallDisk {
    fn new(kibibytes: u32) -> Option<SmallDisk> {
        let disk = SmallDisk(Folder::new());
        disk.mount(&format!("size={kibibytes}k")).then_some(disk)
    }

    fn grow(&self) {
        assert!(self.mount("remount,size=4m"));
    }

    fn mount(&self, options: &str) -> bool {
        let mount =
            Command::new("mount").args(["-t", "tmpfs", "-o", options, "none"]).arg(&self.0.0).output();
        mount.is_ok_and(|output| output.status.success())
    }
}

impl Drop for SmallDisk {
    fn drop(&mut self) {
        let _ = Command::new("umount").arg(&self.0.0).output();
    }
}

#[test]
fn a_full_disk() {
    // Journals of some 25 kB: on the small disks they do not fit, on the larger ones they do, but not twice.
    let walk = Walk { trials: 200, steps: 10 };
    let (mut stuck, mut unsorted) = (0, 0);
    for kibibytes in (4..72).step_by(4) {
        let Some(disk) = SmallDisk::new(kibibytes) else { return };
        // Trial 5 comes first, so that there is something to put in order.
        let text = expected(&walk);
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        let path = disk.0.with("walk.jsonl", lines[0].to_string() + lines[6]);
        if let Err(error) = run(&runner(2), &walk, &path) {
            let message = error.to_string();
            let finishing = message.contains("run again to put it in order");
            let expect = if finishing { "every trial is in" } else { " of 200 trials; run again to go on)" };
            assert!(message.contains(": no space left on device (") && message.contains(expect), "{message}");
            assert_eq!(disk.0.names(), ["walk.jsonl"]);
            *(if finishing { &mut unsorted } else { &mut stuck }) += 1;
            disk.grow();
            run(&runner(2), &walk, &path).unwrap();
        }
        assert_eq!(read(&path), text, "{kibibytes} KiB");
    }
    assert!(stuck > 0 && unsorted > 0, "{stuck} full while running, {unsorted} when finishing");
}

#[test]
fn places_that_cannot_be_written() {
    let folder = Folder::new();
    let file = folder.with("file", "text");
    let check =
        |path: &Path, expect: &str| assert_eq!(message(run(&runner(1), &WALK, path), &folder), expect);
    check(&file.join("walk.jsonl"), "cannot open file/walk.jsonl: not a directory");
    check(&folder.file("none/walk.jsonl"), "cannot open none/walk.jsonl: no such file or directory");
    let place = folder.0.parent().unwrap();
    let expect = format!("{}: not a file that a journal can be kept in", place.display());
    check(place, &expect);
    #[cfg(target_os = "linux")]
    check(Path::new("/dev/full"), "/dev/full: not a file that a journal can be kept in");
    let part = folder.with("part.jsonl", expected(&WALK));
    let text = message(aji_lab::merge(&[&part], &file.join("out.jsonl")), &folder);
    assert_eq!(text, "cannot write file/out.jsonl.partial: not a directory");
    assert_eq!(read(&file), "text");
}
