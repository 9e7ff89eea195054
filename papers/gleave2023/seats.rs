//! The attacker in both seats, against its victim, others and perfect play.

use super::played::{Played, middle_positions};
use super::{GAME, model_r, network, ordinary, uct};
use crate::shared::left_out;
use aji_catalog::thousands;
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

/// Perfect play. It solves positions of fifteen plies and more in a fraction of a second.
const PERFECT: &str = "exact memory=500MB";

/// What the paper says of its attack against others.
const SAID: &str = "the attacker loses to players that its victim beats, even to human amateurs";

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let (simulations, few) = lab.scale.pick((8, 10), (16, 20));
    let starts: Vec<String> = middle_positions().into_iter().step_by(lab.scale.pick(50, 2)).collect();
    let count = starts.len() as u64;
    let victim = network(simulations);
    let attacker = model_r(&victim, few);
    // At the cost of the model, if no reply is kept.
    let equal = ordinary(few + few * simulations);
    let first = |word: &str, agents: (&str, &str)| {
        Played::first(lab, &format!("gleave2023-seats-first-{word}"), agents, starts.clone(), count)
    };
    let second = |word: &str, agents: (&str, &str)| {
        Played::new(lab, &format!("gleave2023-seats-second-{word}"), agents, starts.clone(), count)
    };
    let attacks = [
        first("victim", (&attacker, &victim))?,
        first("uct", (&attacker, &uct(lab.scale.pick(200, 3_000))))?,
        first("alphabeta", (&attacker, &format!("alphabeta depth={}", lab.scale.pick(4, 8))))?,
    ];
    let equal = first("equal", (&equal, &victim))?;
    let perfect = [first("perfect", (&attacker, PERFECT))?, first("victim-perfect", (&victim, PERFECT))?];
    let other_seat =
        [second("perfect", (&attacker, PERFECT))?, second("victim-perfect", (&victim, PERFECT))?];
    let mut table = Table::new("The attacker in both seats", &["seat", "player", "opponent", "won", "drawn", "lost", "share of wins", "95% interval"])
        .with_note("Wilson's intervals. Who moves first is not lost at the start of any game, so the second player cannot win against perfect play.");
    let rows = attacks.iter().chain([&equal]).chain(&perfect).map(|played| ("first", played));
    for (seat, played) in rows.chain(other_seat.iter().map(|played| ("second", played))) {
        let mut row: Vec<Cell> =
            vec![seat.into(), played.attacker.as_str().into(), played.victim.as_str().into()];
        row.extend(played.cells());
        table.push(row);
    }
    let boards = empty_board(lab, few)?;
    Ok(Section {
        title: "Both seats, and perfect play".into(),
        prose: vec![
            format!(
                "The attacker `{attacker}`, which models its victim, and others play from {} hard positions of 15 to 22 plies, in \
                 which the player to act is not lost. First: it moves first. `{PERFECT}` plays perfectly.",
                thousands(count)
            ),
            format!(
                "From the empty board of {GAME} the attackers move first against `{}`, {} games each. There the first player wins \
                 with best play.",
                boards[0].victim,
                boards[0].counts().games()
            ),
        ],
        tables: vec![table, first_from_the_empty_board(&boards)],
        claims: vec![
            attacks[0].wins_more(
                &equal,
                "19. As the first player the attacker wins more often than the same network without a model, at no less time",
                "the attack wins by the victim's weakness, not by playing well",
            ),
            Claim::less(
                Statement::new("20. Against perfect play the attacker wins less often than its victim does", SAID),
                perfect[0].above(&perfect[1]),
                0.0,
            ),
        ],
        left_out: left_out(lab, "10 positions instead of 250, and weaker victims and opponents."),
        ..Section::default()
    })
}

/// Attackers that move first from the empty board.
fn empty_board(lab: &Lab, few: u64) -> Result<Vec<Played>, Error> {
    let (simulations, games) = lab.scale.pick((200, 6), (10_000, 100));
    let victim = uct(simulations);
    let attackers = [
        ("r", model_r(&victim, few)),
        ("ordinary", ordinary(lab.scale.pick(20, 100))),
        ("itself", victim.clone()),
    ];
    let play = |(word, attacker): &(&str, String)| {
        Played::first(lab, &format!("gleave2023-seats-empty-{word}"), (attacker, &victim), Vec::new(), games)
    };
    attackers.iter().map(play).collect()
}

fn first_from_the_empty_board(boards: &[Played]) -> Table {
    let columns = ["attacker", "won", "drawn", "lost", "share of wins", "95% interval"];
    let mut table = Table::new("Attackers that move first from the empty board", &columns)
        .with_note("Wilson's intervals.");
    for played in boards {
        let mut row: Vec<Cell> = vec![played.attacker.as_str().into()];
        row.extend(played.cells());
        table.push(row);
    }
    table
}
