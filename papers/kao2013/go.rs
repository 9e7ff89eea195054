//! Beyond the paper: incentive learning and RAVE in Go, at equal simulations and at equal time.
//!
//! Time is by stated costs, as in `players.rs`.

use super::statement;
use crate::shared::{left_out, measured, meeting_cells, with_parts};
use aji::catalog::{AgentName, thousands};
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Cell, Claim, Section, Table};
use aji_lab::{Error, Lab};

/// A board, with what a simulation of each method costs in such of plain UCT, as measured over whole games with 2,000
/// simulations a move.
struct Played {
    label: &'static str,
    game: &'static str,
    costs: [f64; METHODS.len()],
}

const BOARDS: [Played; 2] = [
    Played { label: "7x7", game: "go size=7 komi=9.5 eyes=keep", costs: [1.3, 1.25, 1.15] },
    Played { label: "9x9", game: "go size=9 komi=7.5 eyes=keep", costs: [1.3, 1.5, 1.45] },
];

/// What meets plain UCT.
const METHODS: [(&str, &str); 3] = [
    ("RAVE", "rave"),
    ("MAXI by RIDE", "uct playout=maxi"),
    ("MAXI by RAVE's order", "uct playout=maxi learn=rave"),
];
const PLAIN: &str = "uct";

/// Random plies that each pair of games begins with.
const OPENING_PLIES: usize = 4;

const EQUAL: [&str; 2] = ["simulations", "time"];

/// What a method came to on one board, at equal simulations and at equal time.
struct Met {
    board: &'static Played,
    method: usize,
    simulations: [u64; 2],
    meetings: [Meeting; 2],
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let simulations = lab.scale.pick(60, 2000);
    let pairs = lab.scale.pick(2, 100);
    let mut met = Vec::new();
    for board in &BOARDS {
        for method in 0..METHODS.len() {
            met.push(meet(lab, board, method, simulations, pairs)?);
        }
    }
    Ok(Section {
        title: "Beyond the paper: Go".into(),
        prose: vec![format!(
            "Each method against `{PLAIN}` on 7x7 and 9x9, {} simulations a move, {pairs} pairs of games from balanced \
             openings of {OPENING_PLIES} random plies; area scoring, own eyes are not filled. RAVE mixes what all moves as \
             first say into the values of the tree, with light playouts. MAXI plays on by the order of incentives that \
             RIDE learns, or by the order of what all moves as first say; a key is a point and a colour. At equal time \
             {PLAIN} has as many simulations as cost the same by the costs stated in `go.rs`.",
            thousands(simulations)
        )],
        tables: vec![table(&met)],
        claims: (0..EQUAL.len()).map(|equal| stronger(lab, &met, equal)).collect(),
        left_out: left_out(lab, "60 simulations a move instead of 2,000, 2 pairs of games instead of 100."),
        ..Section::default()
    })
}

fn meet(lab: &Lab, board: &'static Played, method: usize, own: u64, pairs: u64) -> Result<Met, Error> {
    let simulations = [own, (own as f64 * board.costs[method]).round() as u64];
    let mut agents: Vec<AgentName> = vec![format!("{} simulations={own}", METHODS[method].1).parse()?];
    for simulations in simulations {
        agents.push(format!("{PLAIN} simulations={simulations}").parse()?);
    }
    let contest = Contest::new(board.game, agents, vec![(0, 1), (0, 2)], pairs)?
        .openings(OPENING_PLIES)?
        .named(&format!("kao2013-go-{}-{method}", board.label));
    let records = lab.run(&contest)?;
    let meeting = |pairing: usize| {
        Meeting::new(records.iter().filter(move |record| record.pairing == pairing))
            .expect("pairs were played")
    };
    Ok(Met { board, method, simulations, meetings: [meeting(0), meeting(1)] })
}

fn table(met: &[Met]) -> Table {
    let columns = [
        "board",
        "method",
        "equal",
        "simulations of UCT",
        "won",
        "drawn",
        "lost",
        "score",
        "95% interval",
        "Elo",
    ];
    let mut table = Table::new("RAVE and MAXI against UCT in Go", &columns)
        .with_note("Scores are those of the method; intervals by pairs of games.");
    for Met { board, method, simulations, meetings } in met {
        for equal in 0..EQUAL.len() {
            let mut row: Vec<Cell> = vec![
                board.label.into(),
                METHODS[*method].0.into(),
                EQUAL[equal].into(),
                thousands(simulations[equal]).into(),
            ];
            row.extend(meeting_cells(&meetings[equal]));
            table.push(row);
        }
    }
    table
}

fn stronger(lab: &Lab, met: &[Met], equal: usize) -> Claim {
    let said = "can be applied to general state spaces; further studies are needed (VI)";
    let part = |met: &Met| {
        let score = &met.meetings[equal].score;
        let what = format!("{}, {}", met.board.label, METHODS[met.method].0);
        Claim::greater(statement(lab, &what, said), measured(score.score, score.interval), 0.5)
    };
    let parts: Vec<Claim> = met.iter().map(part).collect();
    let number = ["11a", "11b"][equal];
    let what = format!("{number}. RAVE and MAXI make UCT stronger in Go, at equal {}", EQUAL[equal]);
    let whole = Claim::all_of(statement(lab, &what, said), &parts);
    with_parts(whole, &parts, "score of the method", "above 0.5")
}
