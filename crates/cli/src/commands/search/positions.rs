//! Many positions, one per line: searched in parallel, and printed as JSON lines in the order of the input.

use super::Options;
use crate::commands::Unfinished;
use crate::output::print;
use crate::stop;
use aji_catalog::{AgentName, Found, Searched, Workbench};
use anyhow::{Context, Result, anyhow, bail};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, mpsc};
use std::thread;

/// Where the positions come from.
#[derive(Clone, Copy)]
pub enum Input<'a> {
    Standard,
    File(&'a str),
}

impl<'a> Input<'a> {
    /// The input that a `--position` stands for; none if it is a position itself.
    pub fn of(text: &'a str) -> Option<Input<'a>> {
        match text {
            "-" => Some(Input::Standard),
            _ => text.strip_prefix('@').map(Input::File),
        }
    }

    fn open(self) -> Result<Box<dyn BufRead + Send>> {
        match self {
            Input::Standard => Ok(Box::new(BufReader::new(std::io::stdin()))),
            Input::File(path) => {
                let file = File::open(path).with_context(|| format!("--position @{path}"))?;
                Ok(Box::new(BufReader::new(file)))
            }
        }
    }
}

#[derive(Serialize)]
struct FoundOnLine<'a> {
    input_line: u64,
    #[serde(flatten)]
    found: Found<'a>,
}

#[derive(Serialize)]
struct FailedOnLine<'a> {
    input_line: u64,
    position: &'a str,
    error: String,
}

/// Lines that are read one by one, by any thread.
struct Lines {
    input: Box<dyn BufRead + Send>,
    /// The number of the last line that was read.
    number: u64,
    /// How many positions were given out.
    given: u64,
}

/// A line of the input: its place among the positions, its number in the input, and its text.
struct Line {
    place: u64,
    number: u64,
    text: String,
}

impl Lines {
    /// The next line that is not empty.
    fn next(&mut self) -> Result<Option<Line>> {
        loop {
            let mut bytes = Vec::new();
            self.number += 1;
            if self.input.read_until(b'\n', &mut bytes).context("--position: cannot read on")? == 0 {
                return Ok(None);
            }
            let text = String::from_utf8_lossy(&bytes).trim().to_string();
            if !text.is_empty() {
                self.given += 1;
                return Ok(Some(Line { place: self.given - 1, number: self.number, text }));
            }
        }
    }
}

/// The answer to a line: its place, its JSON, and whether it was searched.
type Answer = (u64, String, bool);

/// Searches every position.
pub fn run(options: &Options, workbench: &Workbench, agent: &AgentName, input: Input) -> Result<()> {
    let given = [("tree", &options.tree), ("save", &options.save), ("load", &options.load)];
    if let Some((option, _)) = given.into_iter().find(|(_, path)| path.is_some()) {
        bail!("--{option}: works with one position, and --position gives many");
    }
    // A wrong game or agent would fail on every line, so it is refused before the first.
    options.position.open_start(workbench)?.accepts(agent)?;
    let lines = Mutex::new(Lines { input: input.open()?, number: 0, given: 0 });
    let cores = || thread::available_parallelism().map_or(1, usize::from);
    let threads = options.threads.map_or_else(cores, |threads| threads as usize);
    let over = AtomicBool::new(false);
    let (send, answers) = mpsc::channel();
    thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|_| {
                let send = send.clone();
                scope.spawn(|| work((options, workbench), agent, &lines, &over, send))
            })
            .collect();
        drop(send);
        let printed = print_in_order(&answers);
        over.store(true, Ordering::Relaxed);
        drop(answers);
        let read = workers
            .into_iter()
            .try_for_each(|worker| worker.join().unwrap_or_else(|_| Err(anyhow!("a search panicked"))));
        let failed = printed?;
        read?;
        match failed {
            0 => Ok(()),
            _ => {
                let all = lines.lock().unwrap_or_else(PoisonError::into_inner).given;
                Err(Unfinished(format!("{failed} of {all} positions could not be searched")).into())
            }
        }
    })
}

/// Takes lines and searches them, until the input ends, the reader has gone, or Ctrl-C.
fn work(
    (options, workbench): (&Options, &Workbench),
    agent: &AgentName,
    lines: &Mutex<Lines>,
    over: &AtomicBool,
    answers: mpsc::Sender<Answer>,
) -> Result<()> {
    while !over.load(Ordering::Relaxed) && !stop::is_asked() {
        let Some(line) = lines.lock().unwrap_or_else(PoisonError::into_inner).next()? else { break };
        let searched = searched((options, workbench), agent, &line);
        let is_searched = searched.is_ok();
        let text = searched.or_else(|error| {
            let error = format!("{error:#}");
            serde_json::to_string(&FailedOnLine { input_line: line.number, position: &line.text, error })
        })?;
        if answers.send((line.place, text, is_searched)).is_err() {
            break;
        }
    }
    Ok(())
}

fn searched((options, workbench): (&Options, &Workbench), agent: &AgentName, line: &Line) -> Result<String> {
    let mut session = options.position.open(workbench, Some(&line.text))?;
    let has_own_rules =
        options.agent.is_none() && session.name() != options.position.game.checked(workbench)?;
    let own = if has_own_rules { Some(workbench.agent_for(session.name())?) } else { None };
    let agent = own.as_ref().unwrap_or(agent);
    let _searching = stop::searching(session.stop_handle());
    let report = session.think(agent, &mut ()).map_err(|error| anyhow!("{error}"))?;
    let searched = Searched::new(session.as_ref(), agent);
    let found = searched.found(&report);
    Ok(serde_json::to_string(&FoundOnLine { input_line: line.number, found })?)
}

/// Prints answers by their places. Returns how many positions could not be searched.
fn print_in_order(answers: &mpsc::Receiver<Answer>) -> Result<u64> {
    let (mut waiting, mut next, mut failed) = (BTreeMap::new(), 0, 0);
    for (place, text, is_searched) in answers {
        failed += u64::from(!is_searched);
        waiting.insert(place, text);
        while let Some(text) = waiting.remove(&next) {
            print(&(text + "\n"))?;
            next += 1;
        }
    }
    Ok(failed)
}
