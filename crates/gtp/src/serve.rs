//! The conversation: lines in, answers out. A thread of its own reads, so that the engine can think while it listens.

use crate::Options;
use crate::analysis::{Analysis, Dialect};
use crate::commands::{self, Run};
use crate::engine::{Engine, SLICE};
use crate::passing::Aim;
use crate::protocol::{Answer, LINE_MAX, Request, parse, response, stream_opening};
use aji_search::Report;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TryRecvError, sync_channel};
use std::time::{Duration, Instant};

/// Lines that are read ahead.
const LINES_AHEAD: usize = 64;

/// Answers every command that comes in, until `quit` or the end of the input. An error of kind `InvalidInput` says which
/// option is wrong.
pub fn serve(input: impl Read + Send + 'static, output: impl Write, options: &Options) -> io::Result<()> {
    options.check().map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let engine = Engine::new(options).map_err(|error| io::Error::new(io::ErrorKind::InvalidInput, error))?;
    let (sender, lines) = sync_channel(LINES_AHEAD);
    // It ends with its input, or when nobody listens any more.
    std::thread::spawn(move || hand_over(BufReader::new(input), &sender));
    Conversation { engine, lines, waiting: None, output }.run()
}

/// A line of input, or that it was too long to be one.
type Line = Result<Vec<u8>, TooLong>;

struct TooLong;

fn hand_over(mut input: impl BufRead, lines: &SyncSender<Line>) {
    // What cannot be read is the end of it.
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

/// Passes over the rest of a line.
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

/// An engine and who talks to it.
struct Conversation<W> {
    engine: Engine,
    lines: Receiver<Line>,
    /// A line that has come in while the engine was busy.
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

    /// The next line. None at the end of the input. The engine may think until it comes.
    fn next(&mut self) -> Option<Line> {
        if let Some(line) = self.waiting.take() {
            return Some(line);
        }
        loop {
            match self.lines.try_recv() {
                Ok(line) => return Some(line),
                Err(TryRecvError::Disconnected) => return None,
                Err(TryRecvError::Empty) if self.engine.ponder_slice() => {}
                Err(TryRecvError::Empty) => return self.lines.recv().ok(),
            }
        }
    }

    fn send(&mut self, text: &str) -> io::Result<()> {
        self.output.write_all(text.as_bytes())?;
        self.output.flush()
    }

    fn answer(&mut self, request: &Request, answer: Answer) -> io::Result<()> {
        self.send(&response(&request.id, &answer))
    }

    /// Thinks and tells until the next line comes in, or the input ends.
    fn analyse(&mut self, request: &Request, dialect: Dialect, words: &[&str]) -> io::Result<()> {
        let analysis = match commands::analysis(&self.engine, dialect, words) {
            Ok(analysis) => analysis,
            Err(error) => return self.answer(request, Err(error)),
        };
        self.engine.bar(analysis.barred(self.engine.position()));
        let done = self.analyse_as(request, &analysis);
        self.engine.bar(Vec::new());
        done
    }

    fn analyse_as(&mut self, request: &Request, analysis: &Analysis) -> io::Result<()> {
        let slice = SLICE.min(analysis.interval);
        let mut report = match self.engine.think_slice(analysis.player, slice) {
            Ok(report) => report,
            Err(error) => return self.answer(request, Err(error.to_string())),
        };
        if report.arms.iter().all(|arm| arm.pulls == 0) {
            return self.answer(request, Err("the agent has no simulations to tell of".into()));
        }
        self.send(&stream_opening(&request.id))?;
        let mut told = Instant::now();
        // The first line comes early, so that there is something to see.
        self.tell(analysis, &report)?;
        while !self.is_interrupted(slice.saturating_sub(report.time)) {
            let Ok(next) = self.engine.think_slice(analysis.player, slice) else { break };
            report = next;
            if told.elapsed() >= analysis.interval {
                told = Instant::now();
                self.tell(analysis, &report)?;
            }
        }
        self.send("\n")
    }

    fn tell(&mut self, analysis: &Analysis, report: &Report<String>) -> io::Result<()> {
        let line = analysis.line(&self.engine, report);
        if line.is_empty() { Ok(()) } else { self.send(&format!("{line}\n")) }
    }

    /// Whether a line has come in, or the input has ended. Waits so long for it.
    fn is_interrupted(&mut self, wait: Duration) -> bool {
        match self.lines.recv_timeout(wait) {
            Ok(line) => {
                self.waiting = Some(line);
                true
            }
            Err(RecvTimeoutError::Disconnected) => true,
            Err(RecvTimeoutError::Timeout) => false,
        }
    }

    /// Tells what is found while the engine thinks for a move, and then the move.
    fn analyse_a_move(&mut self, request: &Request, dialect: Dialect, words: &[&str]) -> io::Result<()> {
        let analysis = match commands::analysis(&self.engine, dialect, words) {
            Ok(analysis) => analysis,
            Err(error) => return self.answer(request, Err(error)),
        };
        let (output, mut sent) = (&mut self.output, Ok(()));
        let mut is_open = false;
        let mut tell = |engine: &Engine, report: &Report<String>| {
            let opening = if is_open { String::new() } else { stream_opening(&request.id) };
            is_open = true;
            let line = analysis.line(engine, report);
            let end = if line.is_empty() { "" } else { "\n" };
            let text = format!("{opening}{line}{end}");
            if sent.is_ok() {
                sent = output.write_all(text.as_bytes()).and_then(|()| output.flush());
            }
        };
        self.engine.bar(analysis.barred(self.engine.position()));
        let decision = self.engine.move_for(analysis.player, Aim::Win, Some(analysis.interval), &mut tell);
        self.engine.bar(Vec::new());
        sent?;
        match decision {
            Ok(decision) if is_open => self.send(&format!("play {decision}\n\n")),
            Ok(decision) => self.send(&format!("{}play {decision}\n\n", stream_opening(&request.id))),
            Err(_) if is_open => self.send("\n"),
            Err(error) => self.answer(request, Err(error.to_string())),
        }
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
