//! The curves of one or several trainings, by games and by CPU-hours, and the ratings of their networks.

use super::gate::{Erred, Judged};
use crate::Error;
use crate::report::{Axis, Cell, Figure, Paper, Point, Section, Series, Table};
use crate::statistics::{Estimate, ratings};
use aji_train::{Folder, Iteration, Journal, Run};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// The most points of a line: more are thinned out.
const POINTS_MAX: usize = 200;

/// The runs of a page.
#[derive(Debug)]
pub struct Curves {
    runs: Vec<Told>,
}

/// A run, read from its files.
#[derive(Debug)]
struct Told {
    name: String,
    run: Run,
    journal: Journal,
    gates: Vec<(u64, Judged)>,
}

/// The quantities of an iteration that have a figure.
type Quantity = (&'static str, &'static str, fn(&Iteration) -> f64);

const QUANTITIES: [Quantity; 5] = [
    ("policy-loss", "loss of the policy", |line| line.policy_loss),
    ("value-loss", "loss of the value", |line| line.value_loss),
    ("entropy", "entropy of the network's policy", |line| line.entropy),
    ("target-entropy", "entropy of the policy to learn", Iteration::target_entropy),
    ("plies", "plies of a game", |line| line.counts.plies as f64 / line.counts.games.max(1) as f64),
];

/// The horizontal axes of the figures.
type Along = (&'static str, &'static str, fn(&Iteration) -> f64);

const ALONG: [Along; 2] =
    [("games", "games", |line| line.games as f64), ("hours", "CPU-hours", |line| line.cpu_seconds / 3600.0)];

impl Curves {
    /// Reads the runs of these folders. A run need not be finished.
    pub fn read(folders: &[PathBuf]) -> Result<Curves, Error> {
        let runs = folders.iter().map(|folder| Told::read(folder)).collect::<Result<_, _>>()?;
        Ok(Curves { runs })
    }

    /// The seed of the first run.
    pub fn seed(&self) -> u64 {
        self.runs.first().map_or(0, |told| told.run.seed)
    }

    /// The page.
    pub fn paper(&self) -> Paper {
        let games: Vec<&str> = self.runs.iter().map(|told| told.run.game.as_str()).collect();
        let losses = Section {
            title: "Learning".into(),
            prose: vec!["Losses are cross-entropies minus their least possible value: 0 is perfect.".into()],
            tables: vec![self.summary()],
            figures: QUANTITIES
                .iter()
                .flat_map(|quantity| ALONG.iter().map(|along| self.figure(quantity, along)))
                .collect(),
            ..Section::default()
        };
        let mut sections = vec![losses];
        if self.runs.iter().any(|told| !told.gates.is_empty()) {
            sections.push(self.strength());
        }
        sections.push(Section {
            title: "Settings".into(),
            tables: vec![self.settings()],
            ..Section::default()
        });
        let mut games = games;
        games.dedup();
        Paper { title: format!("Training of {}", games.join(", ")), authors: String::new(), sections }
    }

    fn figure(&self, (name, what, value): &Quantity, (key, unit, place): &Along) -> Figure {
        let series = self.runs.iter().map(|told| {
            let lines = &told.journal.iterations;
            let step = lines.len().div_ceil(POINTS_MAX).max(1);
            let points = lines.iter().skip(lines.len().saturating_sub(1) % step).step_by(step);
            Series::line(&told.name, points.map(|line| Point::new(place(line), value(line))).collect())
        });
        Figure {
            name: format!("{name}-by-{key}"),
            title: format!("{what}, by {unit}"),
            caption: String::new(),
            x: Axis::linear(*unit),
            y: Axis::linear(*what),
            series: series.collect(),
        }
    }

    /// The results of the gates: scores against the agent, and the ratings of all networks.
    fn strength(&self) -> Section {
        let mut figures = Vec::new();
        for (key, unit, place) in &ALONG {
            let scores = self.runs.iter().flat_map(|told| told.scores(*place));
            figures.push(Figure {
                name: format!("score-by-{key}"),
                title: format!("score in gates, by {unit}"),
                caption: "Against the agent of the gate, with 95% intervals.".into(),
                x: Axis::linear(*unit),
                y: Axis::linear("score"),
                series: scores.collect(),
            });
            let ladders = self.runs.iter().flat_map(|told| told.ladder(*place));
            figures.push(Figure {
                name: format!("rating-by-{key}"),
                title: format!("rating, by {unit}"),
                caption:
                    "Elo above the agent of the gate, with 95% intervals, by all matches of a run's gates."
                        .into(),
                x: Axis::linear(*unit),
                y: Axis::linear("Elo"),
                series: ladders.collect(),
            });
        }
        let mut tables = Vec::new();
        if self.runs.iter().any(|told| told.gates.iter().any(|gate| !gate.1.mistakes.is_empty())) {
            figures.extend(ALONG.iter().map(|along| self.mistakes_figure(along)));
            tables.push(self.mistakes());
        }
        let mut table =
            Table::new("Gates", &["run", "iteration", "games of training", "opponent", "score", "95%"]);
        for told in &self.runs {
            for (iteration, judged) in &told.gates {
                let games = told.line(*iteration).map_or(0, |line| line.games);
                for met in &judged.matches {
                    table.push(vec![
                        told.name.as_str().into(),
                        (*iteration).into(),
                        games.into(),
                        met.opponent.as_str().into(),
                        Cell::number(met.score(), 3),
                        format!("{:.3} to {:.3}", met.low, met.high).as_str().into(),
                    ]);
                }
            }
        }
        tables.insert(0, table);
        Section { title: "Strength".into(), tables, figures, ..Section::default() }
    }

    fn mistakes_figure(&self, (key, unit, place): &Along) -> Figure {
        Figure {
            name: format!("mistakes-by-{key}"),
            title: format!("mistakes by exact values, by {unit}"),
            caption: "Shares of positions in which the move makes the outcome worse, with 95% intervals; in \
                      brackets the simulations a move, where 1 is the bare network."
                .into(),
            x: Axis::linear(*unit),
            y: Axis::linear("share of mistakes"),
            series: self.runs.iter().flat_map(|told| told.mistakes(*place)).collect(),
        }
    }

    fn mistakes(&self) -> Table {
        let columns =
            ["run", "iteration", "games of training", "positions", "simulations", "mistakes", "95%"];
        let mut table = Table::new("Mistakes", &columns);
        for told in &self.runs {
            for (iteration, judged) in &told.gates {
                let games = told.line(*iteration).map_or(0, |line| line.games);
                for erred in &judged.mistakes {
                    table.push(vec![
                        told.name.as_str().into(),
                        (*iteration).into(),
                        games.into(),
                        erred.list.as_str().into(),
                        erred.simulations.into(),
                        Cell::number(erred.share(), 3),
                        format!("{:.3} to {:.3}", erred.low, erred.high).as_str().into(),
                    ]);
                }
            }
        }
        table
    }

    /// A summary of every run.
    fn summary(&self) -> Table {
        let columns = [
            "run",
            "game",
            "iterations",
            "games",
            "samples",
            "steps",
            "CPU-hours",
            "games/s",
            "policy",
            "value",
            "cached",
        ];
        let mut table = Table::new("Runs", &columns).with_note(
            "games/s: of self-play alone, by the clock. policy, value: losses of the last iteration. cached: share of evaluations from the cache.",
        );
        for told in &self.runs {
            let none = Iteration::default();
            let last = told.journal.iterations.last().unwrap_or(&none);
            let (games, seconds) = told.self_play();
            table.push(vec![
                told.name.as_str().into(),
                told.run.game.as_str().into(),
                last.iteration.into(),
                last.games.into(),
                last.samples.into(),
                last.steps.into(),
                Cell::number(last.cpu_seconds / 3600.0, 3),
                Cell::number(games / seconds.max(1e-9), 1),
                Cell::number(last.policy_loss, 4),
                Cell::number(last.value_loss, 4),
                Cell::number(last.cached_share(), 3),
            ]);
        }
        table
    }

    fn settings(&self) -> Table {
        let names: Vec<&str> = self.runs.iter().map(|told| told.name.as_str()).collect();
        let mut table = Table::new("Settings", &[&["setting"], &names[..]].concat());
        let mut row = |key: &str, value: &dyn Fn(&Run) -> String| {
            let values = self.runs.iter().map(|told| value(&told.run).as_str().into());
            table.push([key.into()].into_iter().chain(values).collect());
        };
        row("game", &|run| run.game.clone());
        row("net", &|run| run.net.clone());
        row("agent", &|run| run.agent.clone());
        row("seed", &|run| run.seed.to_string());
        row("memory", &|run| run.memory.to_string());
        for (key, _) in aji_train::Settings::default().values() {
            row(key, &|run| run.options.get(key).cloned().unwrap_or_default());
        }
        table
    }

    /// The summary as text.
    pub fn to_text(&self) -> String {
        self.summary().to_text()
    }

    /// The runs for machines.
    pub fn to_json(&self) -> Value {
        let run = |told: &Told| {
            json!({
                "run": told.name, "settings": told.run, "last": told.journal.iterations.last(),
                "gates": told.gates.iter().map(|(iteration, judged)| json!({"iteration": iteration, "found": judged})).collect::<Vec<_>>(),
            })
        };
        json!({ "runs": self.runs.iter().map(run).collect::<Vec<_>>() })
    }
}

impl Told {
    fn read(path: &Path) -> Result<Told, Error> {
        let folder = Folder::read_only(path);
        let wrong = |error: aji_train::Error| Error::new(error.to_string());
        let run = Run::find(&folder).map_err(wrong)?;
        let run = run.ok_or_else(|| Error::new(format!("{}: no training is here", path.display())))?;
        let journal = Journal::read(&folder).map_err(wrong)?;
        let gates = journal.gates.iter().filter_map(|(iteration, found)| {
            serde_json::from_value(found.clone()).ok().map(|judged| (*iteration, judged))
        });
        let gates = gates.collect();
        Ok(Told { name: path.display().to_string(), run, journal, gates })
    }

    fn line(&self, iteration: u64) -> Option<&Iteration> {
        self.journal.iterations.iter().find(|line| line.iteration == iteration)
    }

    /// Games of self-play and their seconds, without games that were found on the disk.
    fn self_play(&self) -> (f64, f64) {
        let played = self.journal.iterations.iter().filter(|line| line.play_seconds > 0.0);
        played.fold((0.0, 0.0), |(games, seconds), line| {
            (games + line.counts.games as f64, seconds + line.play_seconds)
        })
    }

    /// The scores against agents, a series for each.
    fn scores(&self, place: fn(&Iteration) -> f64) -> Vec<Series> {
        self.series(place, |judged| {
            let agents = judged.matches.iter().filter(|met| met.iteration.is_none());
            agents.map(|met| (met.opponent.clone(), [met.score(), met.low, met.high])).collect()
        })
    }

    /// The shares of mistakes, a series for each list of positions and number of simulations.
    fn mistakes(&self, place: fn(&Iteration) -> f64) -> Vec<Series> {
        self.series(place, |judged| {
            let name = |erred: &Erred| format!("{} ({})", erred.list, erred.simulations);
            let shares = judged.mistakes.iter();
            shares.map(|erred| (name(erred), [erred.share(), erred.low, erred.high])).collect()
        })
    }

    /// Series of gate results: a name, and a value with the ends of its interval.
    fn series(
        &self,
        place: fn(&Iteration) -> f64,
        found: impl Fn(&Judged) -> Vec<(String, [f64; 3])>,
    ) -> Vec<Series> {
        let mut series: Vec<Series> = Vec::new();
        for (iteration, judged) in &self.gates {
            let Some(line) = self.line(*iteration) else { continue };
            for (name, [y, low, high]) in found(judged) {
                let (name, point) =
                    (format!("{}: {name}", self.name), Point { x: place(line), y, low, high });
                match series.iter_mut().find(|one| one.name == name) {
                    Some(one) => one.points.push(point),
                    None => series.push(Series::line(name, vec![point])),
                }
            }
        }
        series
    }

    /// The ratings of all networks, above the first agent that they met.
    fn ladder(&self, place: fn(&Iteration) -> f64) -> Option<Series> {
        let mut players: Vec<String> = Vec::new();
        let mut number = |name: String| {
            players.iter().position(|known| *known == name).unwrap_or_else(|| {
                players.push(name);
                players.len() - 1
            })
        };
        let mut matches = Vec::new();
        for (iteration, judged) in &self.gates {
            for met in &judged.matches {
                let (b, a) = (number(met.opponent.clone()), number(format!("iteration {iteration}")));
                matches.push((a, b, met.points, met.games as f64 - met.points));
            }
        }
        let mut table = vec![vec![0.0; players.len()]; players.len()];
        for (a, b, won, lost) in matches {
            table[a][b] += won;
            table[b][a] += lost;
        }
        let rated = ratings(&table)?;
        let point = |(iteration, _): &(u64, Judged)| {
            let number = players.iter().position(|name| *name == format!("iteration {iteration}"))?;
            let Estimate { value, error, .. } = rated.difference(number, 0)?;
            Some(Point::with_error(place(self.line(*iteration)?), value, 1.96 * error))
        };
        Some(Series::line(&self.name, self.gates.iter().filter_map(point).collect()))
    }
}
