//! Fig. 2's design in our games: VOI at the root and UCT below, against plain UCT, by samples per move. Once with the
//! constant of the theory, as in the paper, and once with the constant tuned for the game.

use super::boards::{BOARDS, Board, MEETING_COLUMNS, OPENING_PLIES, Pairing, meet, push};
use crate::shared::{equal_strength, left_out, measured_score, point, with_parts};
use aji_catalog::thousands;
use aji_lab::contest::Meeting;
use aji_lab::report::{Axis, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::{Error, Lab};

/// The constants of both agents below the root, and of UCT at the root.
const CONSTANTS: [&str; 2] = ["√2", "tuned"];
const THEORY: f32 = std::f32::consts::SQRT_2;

struct Met {
    board: &'static Board,
    constant: usize,
    samples: u64,
    meeting: Meeting,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let samples: &[u64] = lab.scale.pick(&[300], &[1000, 3000, 10_000]);
    let pairs = lab.scale.pick(10, 100);
    let mut met = Vec::new();
    for board in BOARDS {
        for (constant, c) in [THEORY, board.tuned].into_iter().enumerate() {
            let pairing = |&samples: &u64| Pairing {
                board,
                a: format!("uct c={c} root=voi simulations={samples}"),
                b: format!("uct c={c} simulations={samples}"),
                equal_samples: false,
                first_pair: 0,
            };
            let pairings: Vec<Pairing> = samples.iter().map(pairing).collect();
            let name = format!("voi-{}-{constant}", board.game.replace([' ', '='], "-"));
            let meetings = meet(lab, &name, &pairings, pairs)?;
            met.extend(samples.iter().zip(meetings).map(|(&samples, meeting)| Met {
                board,
                constant,
                samples,
                meeting,
            }));
        }
    }
    let claims = (0..CONSTANTS.len()).map(|constant| wins_most(&met, constant)).collect();
    Ok(Section {
        title: "VOI at the root against UCT".into(),
        prose: vec![
            format!(
                "Fig. 2 is of 9x9 Go. Its design here, in {}: VOI (equation 4) decides at the root, UCB1 below; \
                 the opponent is UCB1 everywhere, with the same constant. {} pairs of games each, from \
                 balanced openings of {OPENING_PLIES} random plies with the sides swapped. Both keep their \
                 trees from move to move.",
                BOARDS.iter().map(|board| board.label).collect::<Vec<_>>().join(", "),
                thousands(pairs)
            ),
            format!(
                "The tuned constants are {}, by `aji tune` at 1,000 simulations a move.",
                BOARDS
                    .iter()
                    .map(|board| format!("{} in {}", board.tuned, board.label))
                    .collect::<Vec<_>>()
                    .join(", ")
            ),
        ],
        tables: vec![table(&met)],
        figures: (0..CONSTANTS.len()).map(|constant| figure(&met, constant)).collect(),
        claims,
        left_out: left_out(
            lab,
            "300 samples a move instead of 1,000 to 10,000, 10 pairs of games instead of 100.",
        ),
        ..Section::default()
    })
}

fn table(met: &[Met]) -> Table {
    let columns = [&["game", "constant", "samples"][..], &MEETING_COLUMNS[..]].concat();
    let mut table = Table::new("VOI at the root against UCT", &columns)
        .with_note("Scores are those of VOI; intervals by pairs of games.");
    for Met { board, constant, samples, meeting } in met {
        let who = vec![board.label.into(), CONSTANTS[*constant].into(), thousands(*samples).into()];
        push(&mut table, who, meeting);
    }
    table
}

fn figure(met: &[Met], constant: usize) -> Figure {
    let of = |board: &'static Board| {
        let rows = met.iter().filter(move |row| row.constant == constant && row.board.game == board.game);
        rows.map(|row| point(row.samples as f64, row.meeting.score.score, row.meeting.score.interval))
    };
    let samples: Vec<f64> = met.iter().map(|row| row.samples as f64).collect();
    let series = BOARDS.iter().map(|board| Series::line(board.label, of(board).collect()));
    Figure {
        name: format!("tolpin2012-voi-{}", ["theory", "tuned"][constant]),
        title: format!("VOI at the root against UCT, c = {}", CONSTANTS[constant]),
        caption: "Score of VOI by samples a move, with 95% intervals. One half is equal strength.".into(),
        x: Axis::log("samples a move"),
        y: Axis::linear("score of VOI"),
        series: series.chain([equal_strength(&samples)]).collect(),
    }
}

/// The claim that VOI wins more, in every game and at every number of samples.
fn wins_most(met: &[Met], constant: usize) -> Claim {
    let said = "for most numbers of samples per node, VOI outperforms UCT (5.2)";
    let part = |row: &Met| {
        let score = measured_score(&row.meeting.score);
        let what = format!("{} {}:", row.board.label, thousands(row.samples));
        Claim::greater(Statement::new(&what, said), score, 0.5)
    };
    let parts: Vec<Claim> = met.iter().filter(|row| row.constant == constant).map(part).collect();
    let number = ["3a", "3b"][constant];
    let what = format!("{number}. VOI at the root outperforms UCT with c = {}", CONSTANTS[constant]);
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    with_parts(whole, &parts, "score of VOI", "above 0.5")
}
