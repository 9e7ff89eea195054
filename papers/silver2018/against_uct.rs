//! The network from self-play against UCT, at equal simulations and at equal time.

use super::{GAME, NETWORK_COST, OPENING_PLIES, UCT};
use crate::shared::{left_out, measured_score, meeting_cells};
use aji_catalog::thousands;
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

const EQUAL: [&str; 2] = ["simulations", "time"];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let own = lab.scale.pick(16, 100);
    let pairs = lab.scale.pick(4, 200);
    let budgets = [own, own * NETWORK_COST];
    let agents = [format!("alphazero simulations={own}")]
        .into_iter()
        .chain(budgets.iter().map(|simulations| format!("{UCT} simulations={simulations}")));
    let agents = agents.map(|name| name.parse()).collect::<Result<Vec<_>, _>>()?;
    let contest = Contest::new(GAME, agents, vec![(0, 1), (0, 2)], pairs)?
        .openings(OPENING_PLIES)?
        .named("silver2018-against_uct");
    let records = lab.run(&contest)?;
    let meeting = |pairing: usize| {
        Meeting::new(records.iter().filter(|record| record.pairing == pairing)).expect("pairs were played")
    };
    let meetings = [meeting(0), meeting(1)];
    let columns = ["equal", "simulations of UCT", "won", "drawn", "lost", "score", "95% interval", "Elo"];
    let mut table = Table::new("PUCT with the network against UCT", &columns)
        .with_note("Scores are those of the network; intervals by pairs of games.");
    for (equal, meeting) in meetings.iter().enumerate() {
        let mut row: Vec<Cell> = vec![EQUAL[equal].into(), thousands(budgets[equal]).into()];
        row.extend(meeting_cells(meeting));
        table.push(row);
    }
    Ok(Section {
        title: "Learned from nothing, against UCT".into(),
        prose: vec![format!(
            "PUCT with the network that ships and {} simulations a move against `{UCT}`, {pairs} pairs of games from balanced \
             openings of {OPENING_PLIES} random plies. At equal time UCT has {NETWORK_COST} simulations for each of PUCT's; \
             `mod.rs` says how this cost was measured.",
            thousands(own)
        )],
        tables: vec![table],
        claims: (0..EQUAL.len()).map(|equal| stronger(equal, &meetings[equal])).collect(),
        left_out: left_out(lab, "16 simulations a move instead of 100, 4 pairs of games instead of 200."),
        ..Section::default()
    })
}

fn stronger(equal: usize, meeting: &Meeting) -> Claim {
    let what = format!(
        "{}. A network learned from self-play alone beats UCT in Connect Four, at equal {}",
        3 + equal,
        EQUAL[equal]
    );
    let said = "a network that learns from self-play alone, by the rules of the game and nothing else, beats strong programs";
    Claim::greater(Statement::new(&what, said), measured_score(&meeting.score), 0.5)
}
