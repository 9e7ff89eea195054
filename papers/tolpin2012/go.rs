//! Fig. 2 itself: 9x9 Go, VOI at the root against plain UCT, by samples per move. VOI plays as it is, and with early
//! stopping and samples carried over, at equal samples on average. Both use the constant of the theory, and the tuned
//! one.

use super::boards::{Board, MEETING_COLUMNS, Pairing, meet, push};
use crate::shared::{equal_strength, left_out, measured_score, point, with_parts};
use aji_catalog::thousands;
use aji_lab::contest::Meeting;
use aji_lab::report::{Axis, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::{Error, Lab};

/// Own eyes are not filled, as in every Go program that uses playouts.
const NINE: &Board = &Board { label: "Go 9x9", game: "go size=9 komi=7.5 eyes=keep", tuned: 0.22 };

/// The constants of both agents below the root, and of UCT at the root.
const CONSTANTS: [(&str, f32); 2] = [("√2", std::f32::consts::SQRT_2), ("tuned", NINE.tuned)];

/// The rule at the root, and whether the samples it saves carry over.
const WAYS: [(&str, &str); 2] =
    [("VOI", "root=voi"), ("VOI, stops early and carries over", "root=voi(stop=1e-6) carry=on")];

/// The pairs of games of each cell in the full run, which then takes about three hours on two cores.
const PAIRS: u64 = 50;

struct Met {
    constant: usize,
    way: usize,
    samples: u64,
    meeting: Meeting,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let samples: &[u64] = lab.scale.pick(&[100], &[5000, 7000, 10_000, 15_000]);
    let pairs = lab.scale.pick(2, PAIRS);
    let mut met = Vec::new();
    for (constant, (_, c)) in CONSTANTS.into_iter().enumerate() {
        for (way, (_, root)) in WAYS.into_iter().enumerate() {
            let pairing = |&samples: &u64| Pairing {
                board: NINE,
                a: format!("uct c={c} {root} simulations={samples}"),
                b: format!("uct c={c} simulations={samples}"),
                equal_samples: true,
                first_pair: 0,
            };
            let pairings: Vec<Pairing> = samples.iter().map(pairing).collect();
            let meetings = meet(lab, &format!("go-{constant}-{way}"), &pairings, pairs)?;
            met.extend(samples.iter().zip(meetings).map(|(&samples, meeting)| Met {
                constant,
                way,
                samples,
                meeting,
            }));
        }
    }
    Ok(Section {
        title: "Fig. 2: 9x9 Go".into(),
        prose: vec![format!(
            "VOI (equation 4) decides at the root, and UCB1 below it. The opponent is UCB1 everywhere. Both \
             have the same constant: the theory's, or the tuned {}. Light playouts, komi 7.5, area scoring, positional superko; own eyes are \
             not filled. {} pairs of games each from balanced openings of 4 random plies with the sides swapped. UCT gets the samples that VOI has spent so far in the game, on average. Both keep their trees. The paper played more \
             games; it does not say how it chose its constant.",
            NINE.tuned,
            thousands(pairs)
        )],
        tables: vec![table(&met)],
        figures: vec![figure(&met)],
        claims: (0..CONSTANTS.len()).map(|constant| wins_most(&met, constant)).collect(),
        left_out: left_out(lab, "100 samples a move instead of 5,000 to 15,000, 2 pairs of games a cell."),
        ..Section::default()
    })
}

fn table(met: &[Met]) -> Table {
    let columns = [&["constant", "root", "samples", "spent"][..], &MEETING_COLUMNS[..]].concat();
    let mut table = Table::new("VOI at the root against UCT in 9x9 Go", &columns).with_note(
        "Scores are those of VOI; intervals by pairs of games. Spent: the samples that VOI used a move, on average.",
    );
    for Met { constant, way, samples, meeting } in met {
        let spent = thousands(meeting.simulations[0].round() as u64);
        let who = vec![
            CONSTANTS[*constant].0.into(),
            WAYS[*way].0.into(),
            thousands(*samples).into(),
            spent.into(),
        ];
        push(&mut table, who, meeting);
    }
    table
}

fn figure(met: &[Met]) -> Figure {
    let of = |constant, way| {
        let rows = met.iter().filter(move |row| (row.constant, row.way) == (constant, way));
        rows.map(|row| point(row.samples as f64, row.meeting.score.score, row.meeting.score.interval))
            .collect()
    };
    let cells = (0..CONSTANTS.len()).flat_map(|constant| (0..WAYS.len()).map(move |way| (constant, way)));
    let line = |(constant, way): (usize, usize)| {
        Series::line(format!("{}, c = {}", WAYS[way].0, CONSTANTS[constant].0), of(constant, way))
    };
    let samples: Vec<f64> = met.iter().map(|row| row.samples as f64).collect();
    Figure {
        name: "tolpin2012-go".into(),
        title: "Fig. 2: VOI at the root against UCT in 9x9 Go".into(),
        caption: "Score of VOI by samples a move, with 95% intervals. One half is equal strength.".into(),
        x: Axis::log("samples a move"),
        y: Axis::linear("score of VOI"),
        series: cells.map(line).chain([equal_strength(&samples)]).collect(),
    }
}

/// The claim that VOI wins more, at every number of samples.
fn wins_most(met: &[Met], constant: usize) -> Claim {
    let said = "for most numbers of samples per node, VOI outperforms UCT (5.2)";
    let part = |row: &Met| {
        let score = measured_score(&row.meeting.score);
        let what = format!("{} {}:", WAYS[row.way].0, thousands(row.samples));
        Claim::greater(Statement::new(&what, said), score, 0.5)
    };
    let parts: Vec<Claim> = met.iter().filter(|row| row.constant == constant).map(part).collect();
    let number = ["3d", "3e"][constant];
    let what = format!(
        "{number}. VOI at the root outperforms UCT in 9x9 Go with c = {}, at equal samples",
        CONSTANTS[constant].0
    );
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    with_parts(whole, &parts, "score of VOI", "above 0.5")
}
