//! A program that speaks GTP, the Go Text Protocol (Farnebäck, version 2 draft 2, 2002), at the other end of a pipe: a command
//! goes in as a line, the answer comes out up to an empty line.
//!
//! Every command has a deadline. A program that lets it pass, ends, or says what is no answer is of no more use: the pipe is
//! dropped, and the program killed with it.

use crate::program_name::ProgramName;
use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// The most bytes of a line that are read as one.
const LINE_BYTES_MAX: u64 = 64 * 1024;

/// The most lines of an answer.
const ANSWER_LINES_MAX: usize = 10_000;

/// The lines of standard error that are kept, the last ones.
const ERROR_LINES: usize = 5;

/// The most characters of a line that a message shows.
const SHOWN_MAX: usize = 200;

/// How long the last words of a program that has ended are waited for.
const LAST_WORDS: Duration = Duration::from_millis(200);

/// What a program said to a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// `=`, and what follows.
    Done(String),
    /// `?`, and why.
    Refused(String),
}

/// A running program.
pub(crate) struct GtpPipe {
    child: Child,
    input: ChildStdin,
    output: Receiver<Line>,
    errors: Errors,
    timeout: Duration,
}

/// What the program wrote to its standard output.
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

/// What the program wrote to its standard error.
struct Errors {
    last: Arc<Mutex<VecDeque<String>>>,
    /// Hangs up when there is no more.
    ended: Receiver<()>,
}

impl GtpPipe {
    /// Starts the program found at this path. An error says why it does not start.
    pub(crate) fn start(program: &ProgramName, path: &Path) -> Result<GtpPipe, String> {
        let mut command = Command::new(path);
        command
            .args(&program.command[1..])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // Ctrl-C in a terminal is for aji, which lets games in flight end: the program must not hear of it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(|error| format!("it does not start: {error}"))?;
        let (Some(input), Some(output), Some(errors)) =
            (child.stdin.take(), child.stdout.take(), child.stderr.take())
        else {
            return Err("it has no pipes".into());
        };
        // A program that says more than is asked for waits: the room for its lines is limited.
        let (sender, lines) = sync_channel(64);
        thread::spawn(move || read_lines(BufReader::new(output), |line| sender.send(line).is_ok()));
        Ok(GtpPipe { child, input, output: lines, errors: Errors::of(errors), timeout: program.timeout })
    }

    /// Sends a command and waits for the answer. An error says what went wrong instead; the pipe is broken then.
    pub(crate) fn ask(&mut self, command: &str) -> Result<Answer, String> {
        // If it has ended, that shows when its answer is read, and how.
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
            Err(RecvTimeoutError::Timeout) => {
                Err(format!("no answer within {}", crate::units::show_time(self.timeout)))
            }
            Err(RecvTimeoutError::Disconnected) => Err(self.ending()),
        }
    }

    /// How the program ended, whose output has.
    fn ending(&mut self) -> String {
        let deadline = Instant::now() + LAST_WORDS;
        let _ = self.errors.ended.recv_timeout(LAST_WORDS);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return format!("it has ended ({status})"),
                // Its pipes close a moment before it is gone.
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(5)),
                _ => return "it has closed its output".into(),
            }
        }
    }
}

impl Drop for GtpPipe {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Errors {
    /// Listens to a program's standard error, so that it never waits for a reader.
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

    /// The last lines, in one.
    fn told(&self) -> String {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let lines: Vec<String> = last.iter().map(|line| shown(line)).collect();
        if lines.is_empty() { String::new() } else { format!("; on standard error: {}", lines.join(" | ")) }
    }
}

/// A line as a message shows it.
fn shown(line: &str) -> String {
    let mut text: String = line.chars().filter(|letter| !letter.is_control()).take(SHOWN_MAX).collect();
    if text.len() < line.len() && line.chars().count() > SHOWN_MAX {
        text += "...";
    }
    text
}

/// Reads lines until they end, or `hear` has heard enough and says so by false.
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
