//! Beyond the paper: MAXI playouts against uniform ones in other games.

use super::against_plain::{OPENING_PLIES, PLAIN, Trial, meet, stronger, table};
use crate::shared::left_out;
use aji_catalog::thousands;
use aji_lab::report::Section;
use aji_lab::{Error, Lab};

/// The games, with the cost of a simulation with MAXI playouts, measured with 3,000 simulations per move.
const GAMES: [(&str, &str, f64); 5] = [
    ("Domineering 8x8", "domineering", 6.0),
    (
        "Domineering, four of 4x4",
        "sum game=domineering \
         boards=..../..../..../....+..../..../..../....+..../..../..../....+..../..../..../....",
        20.0,
    ),
    ("Clobber 6x6", "clobber rows=6 columns=6", 5.5),
    ("Connect Four", "connect-four", 3.0),
    ("Hex 5x5", "hex size=5", 6.0),
];

/// Searches for wins with UCB1 like plain UCT, and differs only in its playouts.
const MAXI: &str = "uct playout=maxi";

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let maxi = lab.scale.pick(300, 3000);
    let pairs = lab.scale.pick(12, 100);
    let trial = |(label, game, cost)| Trial { who: vec![label], game, method: MAXI, cost };
    let met = meet(lab, "other-games", GAMES.map(trial), maxi, pairs)?;
    Ok(Section {
        title: "Beyond the paper: other games".into(),
        prose: vec![format!(
            "`{MAXI}` with {} simulations a move against `{PLAIN}`, {pairs} pairs of games from \
             balanced openings of {OPENING_PLIES} random plies. The key of an action is its board and cells \
             in Domineering and Clobber, its column and height in Connect Four, its cell in Hex. At equal \
             time the uniform player gets more simulations, by the costs stated in `other_games.rs`. The \
             learner repairs its order after each round of one simulation per key: 25 in Hex, 42 in \
             Connect Four, 256 for each board of Domineering and Clobber.",
            thousands(maxi)
        )],
        tables: vec![table("MAXI against uniform playouts", &["game"], &met)],
        claims: stronger("8", "MAXI playouts make UCT stronger in other games", &met),
        left_out: left_out(lab, "300 simulations a move instead of 3,000, 12 pairs of games instead of 100."),
        ..Section::default()
    })
}
