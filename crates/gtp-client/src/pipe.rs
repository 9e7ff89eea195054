//! A running program at the other end of a pipe. A command goes in as one line; the answer comes out as lines up to an
//! empty one.
//!
//! Every command has a deadline. A program that misses it, ends, or violates the protocol is unusable: the owner
//! drops the pipe, which kills the program.

use crate::Program;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The longest line that a program may print, in bytes.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// The most lines that an answer may have.
const ANSWER_LINES_MAX: usize = 10_000;

/// How many of the last lines of standard error are kept.
const ERROR_LINES: usize = 5;

/// How many characters of a line an error message shows.
const SHOWN_MAX: usize = 200;

/// How long to wait for the standard error and the exit status of a program that has closed its output.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// The answer to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The text after `=`.
    Done(String),
    /// The text after `?`, which gives the reason.
    Refused(String),
}

/// A running program.
pub(crate) struct Pipe {
    child: Child,
    input: ChildStdin,
    output: Receiver<Line>,
    errors: Errors,
    timeout: Duration,
}

/// A line of the program's standard output.
enum Line {
    Whole(String),
    TooLong,
}

impl Line {
    fn whole(self) -> Option<String> {
        match self {
            Line::Whole(line) => Some(line),
            Line::TooLong => None,
        }
    }
}

/// The program's standard error.
struct Errors {
    last: Arc<Mutex<VecDeque<String>>>,
    /// Disconnects when the program has closed its standard error.
    ended: Receiver<()>,
}

impl Pipe {
    /// Starts a program. The error says why it does not start.
    pub(crate) fn start(program: &Program) -> Result<Pipe, String> {
        let mut command = Command::new(&program.path);
        command.args(&program.arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        // Ctrl-C in a terminal is for aji, which finishes the games that are being played. A process group of its own
        // keeps the signal from the program.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("it does not start: {error}"))?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("it has no pipes".into());
        };
        // The queue is bounded, so a program that prints more than it was asked for has to wait.
        let (sender, lines) = sync_channel(64);
        thread::spawn(move || read_lines(BufReader::new(output), |line| sender.send(line).is_ok()));
        Ok(Pipe { child, input, output: lines, errors: Errors::of(errors), timeout: program.timeout })
    }

    /// Sends a command and waits for the answer. An error says what went wrong. After it, the pipe cannot be used
    /// again.
    pub(crate) fn ask(&mut self, command: &str) -> Result<Answer, String> {
        // If the program has ended, reading the answer fails too, and that error says how it ended.
        let _ = self.input.write_all(format!("{command}\n").as_bytes());
        self.answer().map_err(|wrong| format!("{command}: {wrong}{}", self.errors.told()))
    }

    fn answer(&mut self) -> Result<Answer, String> {
        let deadline = Instant::now() + self.timeout;
        let mut first = self.line(deadline)?;
        while first.is_empty() {
            first = self.line(deadline)?;
        }
        let is_done = first.starts_with('=');
        if !is_done && !first.starts_with('?') {
            return Err(format!("expected = or ?, it said \"{}\"", shown(&first)));
        }
        let mut text = first[1..].trim_start_matches(|digit: char| digit.is_ascii_digit()).trim().to_string();
        for _ in 0..ANSWER_LINES_MAX {
            let line = self.line(deadline)?;
            if line.is_empty() {
                return Ok(if is_done { Answer::Done(text) } else { Answer::Refused(text) });
            }
            text = text + "\n" + &line;
        }
        Err(format!("an answer of more than {ANSWER_LINES_MAX} lines"))
    }

    fn line(&mut self, deadline: Instant) -> Result<String, String> {
        match self.output.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Line::Whole(line)) => Ok(line),
            Ok(Line::TooLong) => Err(format!("a line of more than {LINE_BYTES_MAX} bytes")),
            Err(RecvTimeoutError::Timeout) => Err(format!("no answer within {:?}", self.timeout)),
            Err(RecvTimeoutError::Disconnected) => Err(self.ending()),
        }
    }

    /// How the program ended, after it closed its output.
    fn ending(&mut self) -> String {
        let deadline = Instant::now() + LAST_WORDS;
        let _ = self.errors.ended.recv_timeout(LAST_WORDS);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("it has ended ({status})"),
                // A program closes its pipes a moment before it ends.
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return "it has closed its output".into(),
            }
        }
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        // Killing fails if the program has ended by itself, which is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Errors {
    /// Reads a program's standard error on a thread of its own, so that the program never blocks on it.
    fn of(from: impl Read + Send + 'static) -> Errors {
        let (last, (sender, ended)) = (Arc::new(Mutex::new(VecDeque::new())), sync_channel(0));
        let kept = Arc::clone(&last);
        thread::spawn(move || {
            read_lines(BufReader::new(from), |line| {
                let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
                kept.extend(line.whole().filter(|line| !line.is_empty()));
                if kept.len() > ERROR_LINES {
                    kept.pop_front();
                }
                true
            });
            drop(sender);
        });
        Errors { last, ended }
    }

    /// The last lines joined into one, to append to an error. Empty if there are none.
    fn told(&self) -> String {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<String> = last.iter().map(|line| shown(line)).collect();
        if lines.is_empty() { String::new() } else { format!("; on standard error: {}", lines.join(" | ")) }
    }
}

/// A line as an error message shows it: shortened, without control characters.
fn shown(line: &str) -> String {
    let mut text: String = line.chars().filter(|letter| !letter.is_control()).take(SHOWN_MAX).collect();
    if text.len() < line.len() && line.chars().count() > SHOWN_MAX {
        text += "...";
    }
    text
}

/// Reads lines until the input ends or `hear` returns false.
fn read_lines(mut from: impl BufRead, mut hear: impl FnMut(Line) -> bool) {
    loop {
        let mut line = Vec::new();
        let read = from.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut line);
        if !matches!(read, Ok(1..)) {
            return;
        }
        let is_cut = line.len() as u64 == LINE_BYTES_MAX && !line.ends_with(b"\n");
        let text = || String::from_utf8_lossy(&line).trim_end().to_string();
        if !hear(if is_cut { Line::TooLong } else { Line::Whole(text()) }) {
            return;
        }
    }
}
