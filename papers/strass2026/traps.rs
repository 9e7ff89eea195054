//! The lecture's warning ("Example: Attackability"): a single move that turns the game may not be considered.
//!
//! The positions are those of `docs/traps.md`, found by `aji traps`. Plain UCT and UCT with the solver choose in
//! each, over many seeds. Then a judge proves the value of every choice that occurred. A choice is a blunder if it is
//! proven to lose. A choice that the judge cannot prove does not count as a blunder.

use super::{LEVEL, counted, left_out, measured};
use crate::trap_moves::{MoveIn, MoveValues, TRAPS};
use aji_catalog::{AgentName, session};
use aji_lab::report::{Axis, Cell, Claim, Figure, Point, Section, Series, Statement, Table};
use aji_lab::statistics::clopper_pearson;
use aji_lab::{Error, Experiment, Lab, Trial};
use std::collections::BTreeSet;

/// Plain UCT, the same with the solver, and plain with ten times the simulations.
const AGENTS: [&str; 3] =
    ["uct simulations=10000", "uct solver=on simulations=10000", "uct simulations=100000"];
const PLAIN: usize = 0;
const SOLVER: usize = 1;

struct Choices {
    agents: usize,
    seeds: u64,
}

impl Choices {
    /// The agent and the trap of a trial.
    fn setting(&self, id: u64) -> (usize, usize) {
        let setting = (id / self.seeds) as usize;
        (setting / TRAPS.len(), setting % TRAPS.len())
    }
}

impl Experiment for Choices {
    /// The move chosen.
    type Record = String;

    fn name(&self) -> String {
        "strass2026-traps".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "traps": TRAPS, "agents": AGENTS[..self.agents], "seeds": self.seeds })
    }

    fn trials(&self) -> u64 {
        self.seeds * (self.agents * TRAPS.len()) as u64
    }

    fn run(&self, trial: Trial) -> Result<String, Error> {
        let (agent, trap) = self.setting(trial.id);
        let (game, position, _) = TRAPS[trap];
        let agent = AgentName { seed: trial.own_seed(), ..AGENTS[agent].parse()? };
        let mut session = session(game)?;
        session.set_position(position)?;
        session.think(&agent, &mut ())?.best.ok_or_else(|| Error::new(format!("{agent} found no move")))
    }
}

/// The choices of an agent in a trap.
struct Fate {
    agent: usize,
    trap: usize,
    blunders: u64,
    answers: u64,
    unproven: u64,
    seeds: u64,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let choices = Choices { agents: lab.scale.pick(2, 3), seeds: lab.scale.pick(50, 400) };
    let chosen = lab.run(&choices)?;
    let trap_and_move = |(id, chosen): (usize, &String)| (choices.setting(id as u64).1, chosen.clone());
    let moves: BTreeSet<(usize, String)> = chosen.iter().enumerate().map(trap_and_move).collect();
    let simulations = lab.scale.pick(300_000, 2_000_000);
    let moves: Vec<(usize, String)> = moves.into_iter().collect();
    let judged = |(trap, action): &(usize, String)| {
        let ((game, position, _), action) = (TRAPS[*trap], action.clone());
        let judge = format!("uct solver=on simulations={simulations}");
        MoveIn { game: game.into(), position: position.into(), action, judge }
    };
    let judgements =
        MoveValues { name: "strass2026-trap-judgements".into(), moves: moves.iter().map(judged).collect() };
    let values = lab.run(&judgements)?;
    let value_of = |trap: usize, chosen: &str| {
        let index = moves.iter().position(|(at, name)| *at == trap && name == chosen);
        values[index.expect("every choice is judged")]
    };
    let fates = fates(&choices, &chosen, &value_of);
    Ok(Section {
        title: "Traps: a single move that turns the game".into(),
        prose: vec![
            format!(
                "The lecture warns that Monte Carlo tree search might not consider a single move that turns \
                 the game. A random search (`docs/traps.md`) found six positions in which plain UCT errs. \
                 Agents choose in each of them with {} seeds. This shows how reliably UCT errs there and \
                 what cures it, not how common traps are.",
                choices.seeds
            ),
            format!(
                "A blunder is a choice that is proven to lose, by a solver with {} simulations. Every \
                 position has a move that wins.",
                aji_catalog::thousands(simulations)
            ),
        ],
        tables: vec![table(&fates)],
        figures: vec![figure(&fates)],
        claims: vec![warning(&fates), cure(&fates)],
        left_out: left_out(
            lab,
            "50 seeds instead of 400, plain UCT with 100,000 simulations, and a judge of 300,000 simulations \
             instead of 2,000,000.",
        ),
        ..Section::default()
    })
}

fn fates(choices: &Choices, chosen: &[String], value_of: &dyn Fn(usize, &str) -> Option<f32>) -> Vec<Fate> {
    let fate = |(setting, chosen): (usize, &[String])| {
        let (agent, trap) = choices.setting(setting as u64 * choices.seeds);
        let values: Vec<Option<f32>> = chosen.iter().map(|chosen| value_of(trap, chosen)).collect();
        Fate {
            agent,
            trap,
            blunders: values.iter().filter(|value| **value == Some(0.0)).count() as u64,
            answers: values.iter().filter(|value| **value == Some(1.0)).count() as u64,
            unproven: values.iter().filter(|value| value.is_none()).count() as u64,
            seeds: chosen.len() as u64,
        }
    };
    chosen.chunks(choices.seeds as usize).enumerate().map(fate).collect()
}

fn trap_name(trap: usize) -> String {
    let (game, ..) = TRAPS[trap];
    let word = game.split(' ').next().unwrap_or(game);
    let earlier = TRAPS[..trap].iter().filter(|(other, ..)| *other == game).count();
    let is_alone = TRAPS.iter().filter(|(other, ..)| *other == game).count() == 1;
    if is_alone { word.to_string() } else { format!("{word} {}", earlier + 1) }
}

fn table(fates: &[Fate]) -> Table {
    let columns = ["trap", "agent", "blunders", "wins", "unproven", "seeds", "blunder rate", "95% interval"];
    let positions: Vec<String> = TRAPS
        .iter()
        .enumerate()
        .map(|(trap, (game, position, answer))| {
            format!("{}: `{game}`, `{position}`, {answer} wins", trap_name(trap))
        })
        .collect();
    let mut table = Table::new("Choices in traps", &columns)
        .with_note(format!("Clopper-Pearson intervals. The positions: {}.", positions.join("; ")));
    for trap in 0..TRAPS.len() {
        for fate in fates.iter().filter(|fate| fate.trap == trap) {
            let interval = clopper_pearson(fate.blunders, fate.seeds, LEVEL).expect("counts");
            table.push(vec![
                trap_name(trap).into(),
                AGENTS[fate.agent].into(),
                fate.blunders.into(),
                fate.answers.into(),
                fate.unproven.into(),
                fate.seeds.into(),
                Cell::number(fate.blunders as f64 / fate.seeds as f64, 3),
                format!("{interval}").into(),
            ]);
        }
    }
    table
}

fn figure(fates: &[Fate]) -> Figure {
    let agents: BTreeSet<usize> = fates.iter().map(|fate| fate.agent).collect();
    let series = |agent: usize| {
        let points = fates.iter().filter(|fate| fate.agent == agent).map(|fate| {
            let interval = clopper_pearson(fate.blunders, fate.seeds, LEVEL).expect("counts");
            // Side by side, so that error bars do not cover each other.
            let x = (fate.trap + 1) as f64 + 0.15 * (agent as f64 - 1.0);
            Point { x, y: fate.blunders as f64 / fate.seeds as f64, low: interval.low, high: interval.high }
        });
        Series::dots(AGENTS[agent], points.collect())
    };
    let names: Vec<String> =
        (0..TRAPS.len()).map(|trap| format!("{} {}", trap + 1, trap_name(trap))).collect();
    Figure {
        name: "strass2026-traps".into(),
        title: "Moves that lose, chosen in traps".into(),
        caption: format!(
            "Share of seeds that choose a losing move, with Clopper-Pearson intervals of 95%. {}.",
            names.join(", ")
        ),
        x: Axis::linear("trap"),
        y: Axis::linear("blunder rate"),
        series: agents.into_iter().map(series).collect(),
    }
}

const SAID: &str = "If there are single moves that can turn the game, MCTS might fail to consider those \
                    moves (Attackability)";

/// The blunders of an agent over all traps.
fn total(fates: &[Fate], agent: usize) -> (u64, u64) {
    let of_agent = || fates.iter().filter(|fate| fate.agent == agent);
    (of_agent().map(|fate| fate.blunders).sum(), of_agent().map(|fate| fate.seeds).sum())
}

fn warning(fates: &[Fate]) -> Claim {
    let worst = fates.iter().filter(|fate| fate.agent == PLAIN).max_by_key(|fate| fate.blunders);
    let Fate { trap, blunders, seeds, .. } = *worst.expect("there are traps");
    let what = format!(
        "Plain UCT walks into a trap more often than not ({}): {}",
        trap_name(trap),
        counted(blunders, seeds)
    );
    let interval = clopper_pearson(blunders, seeds, LEVEL).expect("counts");
    Claim::greater(
        Statement::new(&what, SAID),
        measured(blunders as f64 / seeds as f64, interval, seeds),
        0.5,
    )
}

fn cure(fates: &[Fate]) -> Claim {
    let ((plain, _), (solver, seeds)) = (total(fates, PLAIN), total(fates, SOLVER));
    let what = format!(
        "With the solver the same budget avoids the traps: {} choices lose in all traps, {plain} without",
        counted(solver, seeds)
    );
    let interval = clopper_pearson(solver, seeds, LEVEL).expect("counts");
    let said = "the lecture names no cure; ours is the solver of `docs/traps.md`";
    Claim::less(Statement::new(&what, said), measured(solver as f64 / seeds as f64, interval, seeds), SELDOM)
}

/// The highest share of blunders in a trap that counts as cured.
const SELDOM: f64 = 0.05;
