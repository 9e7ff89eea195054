//! The lecture's methods against each other: pure Monte Carlo search, UCT, and alpha-beta, which is Shannon's type A.
//!
//! Pairs of games start from the same balanced random opening, with the sides swapped. All agents have the same
//! number of simulations per move. For alpha-beta, simulations are positions visited.

use super::{equal_strength, left_out, measured_score, point};
use crate::shared::meeting_cells;
use aji_catalog::AgentName;
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::{Error, Lab};

const GAMES: [&str; 3] = ["connect-four", "othello", "breakthrough"];

/// UCT's opponents, and what they are.
const OPPONENTS: [(&str, &str); 3] = [
    ("flat", "pure Monte Carlo"),
    ("alphabeta eval=on", "alpha-beta, heuristic"),
    ("alphabeta eval=off", "alpha-beta, no heuristic"),
];
const FLAT: usize = 0;
const NO_HEURISTIC: usize = 2;

/// Random plies at the start of each pair.
const OPENING_PLIES: usize = 6;

/// The memory of every agent.
const MEMORY: &str = "64MB";

/// UCT's result against one opponent.
struct Met {
    game: &'static str,
    opponent: usize,
    budget: u64,
    meeting: Meeting,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[u64] = lab.scale.pick(&[100, 1000], &[100, 300, 1000, 3000]);
    let pairs = lab.scale.pick(50, 200);
    let mut met = Vec::new();
    for game in GAMES {
        for &budget in budgets {
            met.extend(meetings(lab, game, budget, pairs)?);
        }
    }
    Ok(Section {
        title: "Pure Monte Carlo, UCT and alpha-beta".into(),
        prose: vec![
            format!(
                "UCT with c = 1.4 against the other methods, {pairs} pairs of games each: the same opening \
                 of {OPENING_PLIES} random plies that a short search finds balanced, with the sides swapped. \
                 All have the same simulations a move and {MEMORY} of memory; UCT keeps its tree."
            ),
            "A simulation of UCT plays a game to its end; one of alpha-beta is a position visited. So equal \
             numbers are not equal time: alpha-beta takes less. We play no games by the clock, because they would differ from run to run. The heuristics are aji's: open lines, mobility and corners, \
             advancement."
                .into(),
        ],
        tables: vec![table(&met)],
        figures: GAMES.iter().map(|game| figure(game, &met)).collect(),
        claims: vec![
            beats(
                &met,
                FLAT,
                "UCT beats pure Monte Carlo search at equal simulations",
                "UCT is an effective selection policy (Summary)",
            ),
            beats(
                &met,
                NO_HEURISTIC,
                "UCT needs no heuristic: it beats alpha-beta without one, with a simulation for each \
                 position that alpha-beta visits",
                "MCTS does not require hand-crafted heuristic evaluation functions (MCTS with UCT: Remarks)",
            ),
        ],
        left_out: left_out(
            lab,
            "100 and 1,000 simulations instead of four budgets up to 3,000, 50 pairs instead of 200.",
        ),
        ..Section::default()
    })
}

fn meetings(lab: &Lab, game: &'static str, budget: u64, pairs: u64) -> Result<Vec<Met>, Error> {
    let agent = |word: &str| Ok(format!("{word} simulations={budget} memory={MEMORY}").parse::<AgentName>()?);
    let agents = std::iter::once("uct").chain(OPPONENTS.map(|(word, _)| word));
    let agents: Vec<AgentName> = agents.map(agent).collect::<Result<_, Error>>()?;
    let pairings = (0..OPPONENTS.len()).map(|opponent| (0, opponent + 1)).collect();
    let contest = Contest::new(game, agents, pairings, pairs)?
        .openings(OPENING_PLIES)?
        .named(&format!("strass2026-methods-{game}-{budget}"));
    let records = lab.run(&contest)?;
    let met = |opponent: usize| {
        let meeting = Meeting::new(records.iter().filter(|record| record.pairing == opponent));
        Met { game, opponent, budget, meeting: meeting.expect("pairs were played") }
    };
    Ok((0..OPPONENTS.len()).map(met).collect())
}

fn table(met: &[Met]) -> Table {
    let columns =
        ["game", "simulations", "opponent", "won", "drawn", "lost", "score of UCT", "95% interval", "Elo"];
    let mut table = Table::new("UCT against the other methods", &columns)
        .with_note("Intervals by pairs of games. An Elo of ±inf is that of a score of 0 or 1.");
    for Met { game, opponent, budget, meeting } in met {
        let mut row: Vec<Cell> = vec![(*game).into(), (*budget).into(), OPPONENTS[*opponent].1.into()];
        row.extend(meeting_cells(meeting));
        table.push(row);
    }
    table
}

fn figure(game: &str, met: &[Met]) -> Figure {
    let series = |opponent: usize| {
        let rows = met.iter().filter(|row| row.game == game && row.opponent == opponent);
        let points =
            rows.map(|row| point(row.budget as f64, row.meeting.score.score, row.meeting.score.interval));
        Series::line(OPPONENTS[opponent].1, points.collect())
    };
    let budgets: Vec<f64> = met.iter().map(|row| row.budget as f64).collect();
    Figure {
        name: format!("strass2026-methods-{game}"),
        title: format!("Score of UCT in {game}, by opponent"),
        caption: format!(
            "Score of UCT in {game} against each method with the same number of simulations (positions, for \
             alpha-beta) a move, with 95% intervals. One half is equal strength."
        ),
        x: Axis::log("simulations a move"),
        y: Axis::linear("score of UCT"),
        series: (0..OPPONENTS.len()).map(series).chain([equal_strength(&budgets)]).collect(),
    }
}

/// The claim that UCT beats an opponent in every game, at the largest budget.
fn beats(met: &[Met], opponent: usize, what: &str, said: &str) -> Claim {
    let largest = met.iter().map(|row| row.budget).max().unwrap_or(0);
    let rows = met.iter().filter(|row| row.opponent == opponent && row.budget == largest);
    let part = |row: &Met| {
        let score = measured_score(&row.meeting.score);
        Claim::greater(Statement::new(row.game, said), score, 0.5)
    };
    let parts: Vec<Claim> = rows.map(part).collect();
    let whole = Claim::all_of(
        Statement::new(format!("{what} ({} a move)", aji_catalog::thousands(largest)), said),
        &parts,
    );
    super::with_parts(whole, &parts, "score of UCT in each game", "above 0.5")
}
