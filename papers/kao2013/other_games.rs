//! Beyond the paper: MAXI playouts against uniform ones in other games, at equal simulations and at equal
//! time.
//!
//! Time is by stated costs, as in `players.rs`.

use super::statement;
use crate::shared::{left_out, measured, meeting_cells, with_parts};
use aji::catalog::{AgentName, thousands};
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Cell, Claim, Section, Table};
use aji_lab::{Error, Lab};

/// A game, with what a simulation with MAXI playouts costs in such with uniform ones, as measured over
/// whole games with 3,000 simulations a move.
struct Played {
    label: &'static str,
    game: &'static str,
    cost: f64,
}

const GAMES: &[Played] = &[
    Played { label: "Domineering 8x8", game: "domineering", cost: 6.0 },
    Played {
        label: "Domineering, four of 4x4",
        game: "sum game=domineering \
               boards=..../..../..../....+..../..../..../....+..../..../..../....+..../..../..../....",
        cost: 20.0,
    },
    Played { label: "Clobber 6x6", game: "clobber rows=6 columns=6", cost: 5.5 },
    Played { label: "Connect Four", game: "connect-four", cost: 3.0 },
    Played { label: "Hex 5x5", game: "hex size=5", cost: 6.0 },
];

/// Both search for wins with UCB1 and differ in their playouts only.
const MAXI: &str = "uct playout=maxi";
const UNIFORM: &str = "uct";

/// Random plies that each pair of games begins with.
const OPENING_PLIES: usize = 4;

/// What MAXI came to in one game, at equal simulations and at equal time.
struct Met {
    game: &'static Played,
    simulations: [u64; 2],
    meetings: [Meeting; 2],
}

const EQUAL: [&str; 2] = ["simulations", "time"];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let maxi = lab.scale.pick(300, 3000);
    let pairs = lab.scale.pick(12, 100);
    let met: Vec<Met> =
        GAMES.iter().map(|game| meet(lab, game, maxi, pairs)).collect::<Result<_, Error>>()?;
    Ok(Section {
        title: "Beyond the paper: other games".into(),
        prose: vec![format!(
            "`{MAXI}` against `{UNIFORM}`, {} simulations a move of MAXI, {pairs} pairs of games from \
             balanced openings of {OPENING_PLIES} random plies. An action of Domineering or Clobber is a \
             move on a board in a place, of Connect Four a column at a height, of Hex a cell. At equal \
             time the uniform player has as many simulations as cost the same by the costs stated in \
             `other_games.rs`. The learned order is repaired after as many simulations as a game has keys \
             of actions: 25 in Hex, 42 in Connect Four, 256 for each board of Domineering and Clobber.",
            thousands(maxi)
        )],
        tables: vec![table(&met)],
        claims: (0..EQUAL.len()).map(|equal| stronger(lab, &met, equal)).collect(),
        left_out: left_out(lab, "300 simulations a move instead of 3,000, 12 pairs of games instead of 100."),
        ..Section::default()
    })
}

fn meet(lab: &Lab, game: &'static Played, maxi: u64, pairs: u64) -> Result<Met, Error> {
    let simulations = [maxi, (maxi as f64 * game.cost).round() as u64];
    let mut agents: Vec<AgentName> = vec![format!("{MAXI} simulations={maxi}").parse()?];
    for simulations in simulations {
        agents.push(format!("{UNIFORM} simulations={simulations}").parse()?);
    }
    let name = format!("kao2013-other-games-{}", game.label.to_lowercase().replace([' ', ','], "-"));
    let contest =
        Contest::new(game.game, agents, vec![(0, 1), (0, 2)], pairs)?.openings(OPENING_PLIES)?.named(&name);
    let records = lab.run(&contest)?;
    let meeting = |pairing: usize| {
        Meeting::new(records.iter().filter(move |record| record.pairing == pairing))
            .expect("pairs were played")
    };
    Ok(Met { game, simulations, meetings: [meeting(0), meeting(1)] })
}

fn table(met: &[Met]) -> Table {
    let columns = [
        "game",
        "equal",
        "uniform simulations",
        "won",
        "drawn",
        "lost",
        "score of MAXI",
        "95% interval",
        "Elo",
    ];
    let mut table = Table::new("MAXI against uniform playouts", &columns)
        .with_note("Intervals by pairs of games. An Elo of ±inf is that of a score of 0 or 1.");
    for Met { game, simulations, meetings } in met {
        for equal in 0..EQUAL.len() {
            let mut row: Vec<Cell> =
                vec![game.label.into(), EQUAL[equal].into(), thousands(simulations[equal]).into()];
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
        Claim::greater(statement(lab, met.game.label, said), measured(score.score, score.interval), 0.5)
    };
    let parts: Vec<Claim> = met.iter().map(part).collect();
    let number = ["8a", "8b"][equal];
    let what = format!("{number}. MAXI playouts make UCT stronger in other games, at equal {}", EQUAL[equal]);
    let whole = Claim::all_of(statement(lab, &what, said), &parts);
    with_parts(whole, &parts, "score of MAXI in each game", "above 0.5")
}
