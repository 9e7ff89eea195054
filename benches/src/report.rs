//! Results as tables.

use crate::engine::Engine;
use crate::games::Goals;
use crate::measure::{Outcome, Row};
use comfy_table::{CellAlignment, Table, presets};

/// Every engine on one field.
pub fn engines(outcome: &Outcome) -> String {
    let mut table = table(&[
        "engine",
        "simulations/s",
        "ns each",
        "aji is x as fast",
        "mean depth",
        "tree bytes",
        "grown bytes",
    ]);
    for row in &outcome.rows {
        let solver = if row.engine.has_solver() { " *" } else { "" };
        let depth = Some(row.depth).filter(|&depth| depth > 0.0);
        table.add_row([
            format!("{}{solver}", row.engine.name()),
            format!("{:.0}", row.rate),
            format!("{:.1}", 1e9 / row.rate),
            format!("{:.2}", row.aji_is_faster),
            or_dash(depth, 2),
            or_dash(row.bytes, 1),
            or_dash(row.resident, 1),
        ]);
    }
    let mut text = format!(
        "{}, {} simulations, c = {}, medians of {}\n\n",
        outcome.game, outcome.simulations, outcome.exploration, outcome.rounds
    );
    text += &format!("{table}\n");
    if outcome.rows.iter().any(|row| row.engine.has_solver()) {
        text += "\n* has a solver: proven nodes are not played out again\n";
    }
    for row in &outcome.rows {
        if let Some(simulations) = row.solved_after {
            text += &format!("  {} had proven the root after {simulations} simulations\n", row.engine.name());
        }
    }
    text
}

/// aji's results beside its goals. If the goals are not in force, there are no marks.
pub fn goals(outcomes: &[Outcome], in_force: bool) -> String {
    let mut table = table(&[
        "game",
        "simulations",
        "engine",
        "best peer",
        "x best peer",
        "goal",
        "% of raw",
        "goal",
        "bytes each",
        "goal",
        "mark",
    ]);
    for (outcome, goals) in outcomes.iter().flat_map(|all| all.goals.iter().map(move |goals| (all, goals))) {
        let Some(reached) = Reached::of(outcome, goals) else { continue };
        let best = outcome.best_peer().map_or("none", |row| row.engine.name());
        table.add_row([
            outcome.game.to_string(),
            outcome.simulations.to_string(),
            goals.engine.name().to_string(),
            best.to_string(),
            or_dash(reached.over_best, 2),
            format!(">= {:.2}", goals.over_best),
            or_dash(reached.of_raw.map(|share| 100.0 * share), 1),
            goals.of_raw.map_or("-".into(), |share| format!(">= {:.0}", 100.0 * share)),
            or_dash(reached.bytes, 1),
            goals.bytes.map_or("-".into(), |bytes| format!("<= {bytes:.0}")),
            if !in_force {
                "-"
            } else if reached.all(goals) {
                "PASS"
            } else {
                "short"
            }
            .to_string(),
        ]);
    }
    format!("{table}\n")
}

/// aji's results.
struct Reached {
    over_best: Option<f64>,
    of_raw: Option<f64>,
    /// The larger of the bytes that the engine reports and the growth of the process.
    bytes: Option<f64>,
}

impl Reached {
    fn of(outcome: &Outcome, goals: &Goals) -> Option<Reached> {
        let own = outcome.row(goals.engine)?;
        let over = |row: &Row| row.aji_is_faster / own.aji_is_faster;
        let larger = |row: &Row| Some(row.bytes?.max(row.resident?));
        Some(Reached {
            over_best: outcome.best_peer().map(over),
            of_raw: outcome.row(Engine::Raw).map(over),
            bytes: goals.bytes.and_then(|_| larger(own)),
        })
    }

    fn all(&self, goals: &Goals) -> bool {
        self.over_best.is_some_and(|found| found >= goals.over_best)
            && goals.of_raw.is_none_or(|share| self.of_raw.is_some_and(|found| found >= share))
            && goals.bytes.is_none_or(|bytes| self.bytes.is_some_and(|found| found <= bytes))
    }
}

pub fn table(header: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_style(presets::ASCII_MARKDOWN).set_header(header.iter().copied());
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

fn or_dash(value: Option<f64>, decimals: usize) -> String {
    value.map_or("-".into(), |value| format!("{value:.decimals$}"))
}
