//! Beyond the paper: incentive learning and RAVE in Go.

use super::against_plain::{OPENING_PLIES, PLAIN, Trial, meet, stronger, table};
use crate::shared::left_out;
use aji_catalog::thousands;
use aji_lab::report::Section;
use aji_lab::{Error, Lab};

/// The boards, with the cost of each method, measured with 2,000 simulations per move.
const BOARDS: [(&str, &str, [f64; METHODS.len()]); 2] = [
    ("7x7", "go size=7 komi=9.5 eyes=keep", [1.35, 1.4, 1.35]),
    ("9x9", "go size=9 komi=7.5 eyes=keep", [1.35, 1.5, 1.55]),
];

const METHODS: [(&str, &str); 3] = [
    ("RAVE", "rave"),
    ("MAXI by RIDE", "uct playout=maxi"),
    ("MAXI by RAVE's order", "uct playout=maxi learn=rave"),
];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let simulations = lab.scale.pick(60, 2000);
    let pairs = lab.scale.pick(2, 100);
    let trials = BOARDS.into_iter().flat_map(|(board, game, costs)| {
        METHODS.into_iter().zip(costs).map(move |((label, method), cost)| Trial {
            who: vec![board, label],
            game,
            method,
            cost,
        })
    });
    let met = meet(lab, "go", trials, simulations, pairs)?;
    Ok(Section {
        title: "Beyond the paper: Go".into(),
        prose: vec![format!(
            "Each method against `{PLAIN}` on 7x7 and 9x9, {} simulations a move, {pairs} pairs of games \
             from balanced \
             openings of {OPENING_PLIES} random plies; area scoring, own eyes are not filled. RAVE mixes \
             all-moves-as-first means into the values of the tree, with light playouts. The playouts of \
             MAXI follow the order of incentives that RIDE learns, or the order of the all-moves-as-first \
             means; a key is a point and a colour. At equal time {PLAIN} gets more simulations, by the \
             costs stated in `go.rs`.",
            thousands(simulations)
        )],
        tables: vec![table("RAVE and MAXI against UCT in Go", &["board", "method"], &met)],
        claims: stronger("11", "RAVE and MAXI make UCT stronger in Go", &met),
        left_out: left_out(lab, "60 simulations a move instead of 2,000, 2 pairs of games instead of 100."),
        ..Section::default()
    })
}
