//! Measures one search, and all engines side by side.

use crate::contest::take_plays;
use crate::engine::{Answer, Engine, Settings};
use crate::games::{Field, Goals};
use cpu_time::ProcessTime;
use serde::{Deserialize, Serialize};
use std::process::{Command, Stdio};

/// The measurements of one search.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Measured {
    pub answer: Answer,
    /// CPU time of the process.
    pub seconds: f64,
    /// Plies below the root, on average; 0 unless they were counted.
    pub depth: f64,
    /// The peak growth of the process. Known only for a process that has done nothing else.
    pub resident: Option<u64>,
}

impl Measured {
    fn seconds_each(&self) -> f64 {
        self.seconds / self.answer.simulations as f64
    }
}

/// One search to run. A separate process gets it as arguments.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Errand {
    #[arg(long)]
    pub engine: Engine,
    #[command(flatten)]
    pub settings: Settings,
    /// Count plays in the tree; the time then has no meaning.
    #[arg(long)]
    pub counted: bool,
}

impl Errand {
    /// Runs the search here. Panics unless it made the requested simulations, since its time would not count.
    pub fn run(self, field: &Field) -> Measured {
        let search = if self.counted { &field.search_counted } else { &field.search };
        take_plays();
        let before = resident();
        let started = ProcessTime::now();
        let answer = search(self.engine, self.settings);
        let seconds = started.elapsed().as_secs_f64();
        let (asked, done) = (self.settings.simulations, answer.simulations);
        assert!(
            done == asked || answer.solved && (1..asked).contains(&done),
            "{} on {}: {done} simulations through the root, not {asked}",
            self.engine.name(),
            field.name,
        );
        let plays = take_plays().saturating_sub(answer.plays_to_expand);
        let resident =
            resident().zip(before).map(|(after, before)| after.peak.saturating_sub(before.current));
        Measured { answer, seconds, depth: plays as f64 / done as f64, resident }
    }

    /// Runs the search in a separate process. The error says what killed it. If the search did not make the requested
    /// simulations, that process panics, and this one too.
    fn run_apart(self, field: &Field) -> Result<Measured, String> {
        let program = std::env::current_exe().map_err(|error| error.to_string())?;
        let engine = serde_json::to_value(self.engine).expect("a name");
        let mut command = Command::new(program);
        command.args(["alone", "--game", field.name, "--engine", engine.as_str().expect("a name")]);
        let Settings { simulations, seed, exploration } = self.settings;
        command.args(["--simulations", &simulations.to_string(), "--seed", &seed.to_string()]);
        command.args(["--exploration", &exploration.to_string()]);
        command.args(self.counted.then_some("--counted"));
        let output = command.stderr(Stdio::inherit()).output().map_err(|error| error.to_string())?;
        if output.status.code().is_none() {
            return Err(format!("did not survive ({})", output.status));
        }
        assert!(output.status.success(), "{} on {}: {}", self.engine.name(), field.name, output.status);
        serde_json::from_slice(&output.stdout).map_err(|error| error.to_string())
    }
}

struct Resident {
    current: u64,
    peak: u64,
}

/// The memory of this process, if the system reports it (Linux).
fn resident() -> Option<Resident> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let bytes = |key: &str| -> Option<u64> {
        let line = status.lines().find_map(|line| line.strip_prefix(key))?;
        Some(line.trim().strip_suffix(" kB")?.trim().parse::<u64>().ok()? * 1024)
    };
    Some(Resident { current: bytes("VmRSS:")?, peak: bytes("VmHWM:")? })
}

/// An engine's results on one field.
#[derive(Clone, Debug, Serialize)]
pub struct Row {
    pub engine: Engine,
    /// Simulations per second, the median of all rounds.
    pub rate: f64,
    /// aji's speed as a multiple of this engine's, the median of all rounds.
    pub aji_is_faster: f64,
    /// Plies below the root, on average.
    pub depth: f64,
    /// The simulations after which a solver had proven the root.
    pub solved_after: Option<u64>,
    /// Bytes of the tree per simulation, as the engine reports them.
    pub bytes: Option<f64>,
    /// Growth of the process per simulation, in bytes.
    pub resident: Option<f64>,
}

/// All engines on one field.
#[derive(Clone, Debug, Serialize)]
pub struct Outcome {
    pub game: &'static str,
    pub simulations: u64,
    pub exploration: f32,
    pub rounds: u64,
    pub rows: Vec<Row>,
    pub goals: Vec<Goals>,
    pub solvers_count: bool,
}

impl Outcome {
    pub fn row(&self, engine: Engine) -> Option<&Row> {
        self.rows.iter().find(|row| row.engine == engine)
    }

    /// The fastest peer that counts here.
    pub fn best_peer(&self) -> Option<&Row> {
        let counts = |row: &&Row| row.engine.is_peer() && (self.solvers_count || !row.engine.has_solver());
        self.rows.iter().filter(counts).max_by(|one, other| one.rate.total_cmp(&other.rate))
    }
}

/// The engine's searches: one that counts plays, then one in every round.
struct Record {
    engine: Engine,
    counted: Measured,
    rounds: Vec<Measured>,
}

/// Measures the engines in turns, round after round, so that a busy machine affects all of them. The first engine
/// changes from round to round. The searches that count plays come first, as a warm-up.
pub fn measure(field: &Field, engines: &[Engine], settings: Settings, rounds: u64) -> Outcome {
    eprintln!("{}, {} simulations", field.name, settings.simulations);
    let run = |engine: Engine, round: u64, counted: bool| -> Option<Measured> {
        let errand =
            Errand { engine, settings: Settings { seed: settings.seed + round, ..settings }, counted };
        let result = if field.large {
            errand.run_apart(field)
        } else {
            Ok(Measured { resident: None, ..errand.run(field) })
        };
        result.inspect_err(|error| eprintln!("  {} {error}", engine.name())).ok()
    };
    let count = |&engine: &Engine| {
        eprintln!("  {}", engine.name());
        run(engine, 0, true).map(|counted| Record { engine, counted, rounds: Vec::new() })
    };
    let mut records: Vec<Record> = engines.iter().filter_map(count).collect();
    for round in 1..=rounds {
        eprint!("\r  round {round} of {rounds}");
        records.rotate_left(1);
        for record in &mut records {
            record.rounds.extend(run(record.engine, round, false));
        }
        // Ratios are taken within a round, so an engine that fails in one is dropped.
        records.retain(|record| record.rounds.len() as u64 == round);
    }
    eprintln!();
    let aji =
        records.iter().find(|record| record.engine == Engine::Aji).expect("aji takes part in every round");
    let mut rows: Vec<Row> = records.iter().map(|record| row(record, aji)).collect();
    rows.sort_by_key(|row| engines.iter().position(|&engine| engine == row.engine));
    Outcome {
        game: field.name,
        simulations: settings.simulations,
        exploration: settings.exploration,
        rounds,
        rows,
        goals: field.goals.clone(),
        solvers_count: field.solvers_count,
    }
}

fn row(record: &Record, aji: &Record) -> Row {
    let over_rounds = |value: &dyn Fn(&Measured) -> Option<f64>| {
        record.rounds.iter().map(value).collect::<Option<Vec<f64>>>().map(median)
    };
    let each = |value: u64, measured: &Measured| value as f64 / measured.answer.simulations as f64;
    let ratios =
        record.rounds.iter().zip(&aji.rounds).map(|(one, aji)| one.seconds_each() / aji.seconds_each());
    Row {
        engine: record.engine,
        rate: median(record.rounds.iter().map(|measured| 1.0 / measured.seconds_each()).collect()),
        aji_is_faster: median(ratios.collect()),
        depth: record.counted.depth,
        solved_after: record.counted.answer.solved.then_some(record.counted.answer.simulations),
        bytes: over_rounds(&|one| one.answer.bytes.map(|bytes| each(bytes as u64, one))),
        resident: over_rounds(&|one| one.resident.map(|bytes| each(bytes, one))),
    }
}

/// The median of one or more values.
pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    let middle = values.len() / 2;
    if values.len() % 2 == 1 { values[middle] } else { (values[middle - 1] + values[middle]) / 2.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_by_hand() {
        assert_eq!(median(vec![3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(vec![4.0, 1.0, 3.0, 2.0]), 2.5);
    }
}
