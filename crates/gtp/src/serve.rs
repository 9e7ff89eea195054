//! The conversation: lines in, answers out. A separate thread reads, so that the engine can think while it waits for
//! input.

use crate::Options;
use crate::analysis::{Analysis, Dialect, FOLLOWED_PLIES, Follow};
use crate::commands::{self, Run};
use crate::engine::{Engine, Listener};
use crate::passing::Aim;
use crate::protocol::{Answer, LINE_MAX, Request, parse, response, stream_opening};
use crate::record::Record;
use aji_catalog::Snapshot;
use aji_search::Report;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::time::{Duration, Instant};

/// How many lines are read ahead.
const LINES_AHEAD: usize = 64;

/// The first line of an analysis comes early, so that there is something to see.
const FIRST_LINE: Duration = Duration::from_millis(40);

/// Answers every command until `quit` or the end of the input. An error of kind `InvalidInput` says which option is
/// wrong.
pub fn serve(input: impl Read + Send + 'static, output: impl Write, options: &Options) -> io::Result<()> {
    options.check().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let engine = Engine::new(options).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let (sender, lines) = sync_channel(LINES_AHEAD);
    // The thread ends with its input, or when the receiver is gone.
    std::thread::spawn(move || hand_over(BufReader::new(input), &sender));
    Conversation { engine, lines, waiting: None, output }.run()
}

/// A line of input, or the fact that it was too long.
type Line = Result<Vec<u8>, TooLong>;

struct TooLong;

fn hand_over(mut input: impl BufRead, lines: &SyncSender<Line>) {
    // An unreadable input counts as its end.
    while let Ok(Some(line)) = next_line(&mut input) {
        if lines.send(line).is_err() {
            return;
        }
    }
}

/// The next line. None at the end of the input.
fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut line = Vec::new();
    input.by_ref().take(LINE_MAX as u64).read_until(b'\n', &mut line)?;
    if line.is_empty() {
        return Ok(None);
    }
    if line.last() == Some(&b'\n') || line.len() < LINE_MAX {
        return Ok(Some(Ok(line)));
    }
    skip_line(input)?;
    Ok(Some(Err(TooLong)))
}

/// Skips the rest of a line.
fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let room = input.fill_buf()?;
        let (length, end) = (room.len(), room.iter().position(|&byte| byte == b'\n'));
        input.consume(end.map_or(length, |end| end + 1));
        if length == 0 || end.is_some() {
            return Ok(());
        }
    }
}

/// An engine and its controller.
struct Conversation<W> {
    engine: Engine,
    lines: Receiver<Line>,
    /// A line that arrived while the engine was busy.
    waiting: Option<Line>,
    output: W,
}

impl<W: Write> Conversation<W> {
    fn run(&mut self) -> io::Result<()> {
        while let Some(line) = self.next() {
            let Ok(line) = line else {
                self.send(&response("", &Err("line too long".into())))?;
                continue;
            };
            let Some(request) = parse(&line) else { continue };
            let words: Vec<&str> = request.arguments.iter().map(String::as_str).collect();
            match commands::find(&request.name) {
                None => self.answer(&request, Err("unknown command".into()))?,
                Some(Run::Answer(run)) => {
                    let answer = run(&mut self.engine, &words);
                    self.answer(&request, answer)?;
                }
                Some(Run::Quit) => return self.answer(&request, Ok(String::new())),
                Some(Run::Analyse(dialect)) => self.analyse(&request, dialect, &words)?,
                Some(Run::Move(dialect)) => self.analyse_a_move(&request, dialect, &words)?,
            }
        }
        Ok(())
    }

    /// The next line. None at the end of the input. The engine may ponder until it arrives.
    fn next(&mut self) -> Option<Line> {
        if let Some(line) = self.waiting.take() {
            return Some(line);
        }
        let Conversation { engine, lines, waiting, .. } = self;
        engine.ponder(&mut || !has_come(lines, waiting));
        self.waiting.take().or_else(|| self.lines.recv().ok())
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    fn answer(&mut self, request: &Request, answer: Answer) -> io::Result<()> {
        self.send(&response(&request.id, &answer))
    }

    /// Thinks and reports until the next line arrives, or the input ends.
    fn analyse(&mut self, request: &Request, dialect: Dialect, words: &[&str]) -> io::Result<()> {
        let analysis = match commands::analysis(&self.engine, dialect, words) {
            Ok(analysis) => analysis,
            Err(error) => return self.answer(request, Err(error)),
        };
        let avoided = analysis.avoided(self.engine.position());
        let Conversation { engine, lines, waiting, output } = self;
        let mut stream = Stream::new(output, request, &analysis);
        let mut look = |record: &Record, snapshot: &mut Snapshot| {
            if snapshot.time() < FIRST_LINE.min(analysis.interval) {
                return true;
            }
            if stream.is_due() {
                let Some(report) = snapshot.report().filter(has_pulls) else { return false };
                stream.tell(record, &report, &|action| snapshot.tree(&[action], FOLLOWED_PLIES, 1));
            }
            stream.sent.is_ok() && !has_come(lines, waiting)
        };
        let found = engine.analyse(analysis.player, &avoided, &mut look);
        let is_open = stream.is_open();
        std::mem::replace(&mut stream.sent, Ok(()))?;
        let report = match found {
            Ok(report) if has_pulls(&report) => report,
            _ if is_open => return self.send("\n"),
            Ok(_) => return self.answer(request, Err("the agent has no simulations to report".into())),
            Err(error) => return self.answer(request, Err(error.to_string())),
        };
        // A search that ended by itself is reported until the next command.
        loop {
            if stream.is_due() {
                stream.tell(engine.record(), &report, &|action| engine.follow(action));
                std::mem::replace(&mut stream.sent, Ok(()))?;
            }
            if is_interrupted(lines, waiting, stream.rest()) {
                return self.send("\n");
            }
        }
    }

    /// Reports while the engine thinks about a move, and then sends the move.
    fn analyse_a_move(&mut self, request: &Request, dialect: Dialect, words: &[&str]) -> io::Result<()> {
        let analysis = match commands::analysis(&self.engine, dialect, words) {
            Ok(analysis) => analysis,
            Err(error) => return self.answer(request, Err(error)),
        };
        let avoided = analysis.avoided(self.engine.position());
        let mut stream = Stream::new(&mut self.output, request, &analysis);
        let mut tell = |record: &Record, report: &Report<String>, follow: &Follow| {
            stream.tell(record, report, follow);
        };
        let listener = Listener { interval: analysis.interval, avoided: &avoided, tell: &mut tell };
        let decision = self.engine.move_for(analysis.player, Aim::Win, Some(listener));
        let is_open = stream.is_open();
        stream.sent?;
        match decision {
            Ok(decision) if is_open => self.send(&format!("play {decision}\n\n")),
            Ok(decision) => self.send(&format!("{}play {decision}\n\n", stream_opening(&request.id))),
            Err(_) if is_open => self.send("\n"),
            Err(error) => self.answer(request, Err(error.to_string())),
        }
    }
}

/// The lines of an analysis.
struct Stream<'a, W> {
    output: &'a mut W,
    analysis: &'a Analysis,
    /// The text before the first line.
    opening: String,
    /// When the last line was sent.
    told: Option<Instant>,
    sent: io::Result<()>,
}

impl<'a, W: Write> Stream<'a, W> {
    fn new(output: &'a mut W, request: &Request, analysis: &'a Analysis) -> Stream<'a, W> {
        let opening = stream_opening(&request.id);
        Stream { output, analysis, opening, told: None, sent: Ok(()) }
    }

    fn is_open(&self) -> bool {
        self.told.is_some()
    }

    /// The time until the next line.
    fn rest(&self) -> Duration {
        let elapsed = self.told.map_or(Duration::MAX, |told| told.elapsed());
        self.analysis.interval.saturating_sub(elapsed)
    }

    fn is_due(&self) -> bool {
        self.rest() == Duration::ZERO
    }

    /// Sends a line with the result, unless it is empty. Keeps an error in `sent`.
    fn tell(&mut self, record: &Record, report: &Report<String>, follow: &Follow) {
        let opening = if self.is_open() { "" } else { &self.opening };
        let line = self.analysis.line(record, report, follow);
        let end = if line.is_empty() { "" } else { "\n" };
        let text = format!("{opening}{line}{end}");
        self.told = Some(Instant::now());
        if self.sent.is_ok() {
            self.sent = self.output.write_all(text.as_bytes()).and_then(|()| self.output.flush());
        }
    }
}

/// Whether a search has anything to report.
fn has_pulls(report: &Report<String>) -> bool {
    report.arms.iter().any(|arm| arm.pulls > 0)
}

/// Whether a line has arrived, or the input has ended.
fn has_come(lines: &Receiver<Line>, waiting: &mut Option<Line>) -> bool {
    is_interrupted(lines, waiting, Duration::ZERO)
}

/// The same, waiting up to this long.
fn is_interrupted(lines: &Receiver<Line>, waiting: &mut Option<Line>, wait: Duration) -> bool {
    if waiting.is_some() {
        return true;
    }
    match lines.recv_timeout(wait) {
        Ok(line) => {
            *waiting = Some(line);
            true
        }
        Err(RecvTimeoutError::Disconnected) => true,
        Err(RecvTimeoutError::Timeout) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_passed_over() {
        let mut input = vec![b'x'; 3 * LINE_MAX];
        input.extend(b"\nname\nversion");
        let mut input = BufReader::new(&input[..]);
        assert!(matches!(next_line(&mut input), Ok(Some(Err(TooLong)))));
        assert!(matches!(next_line(&mut input), Ok(Some(Ok(line))) if line == b"name\n"));
        assert!(matches!(next_line(&mut input), Ok(Some(Ok(line))) if line == b"version"));
        assert!(matches!(next_line(&mut input), Ok(None)));
    }
}
