//! The lecture's reading of AlphaZero: a network as the policy of playouts, beside a network that values leaves.

use super::{GAME, OPENING_PLIES, UCT};
use crate::shared::{left_out, measured_score, meeting_cells};
use aji_catalog::{AgentName, thousands};
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

/// The network evaluations of a playout from the first positions of a game: one a move.
const LOOKS_OF_PLAYOUT: u64 = 20;

/// The agents: a label, and the name without the simulations.
const NAMES: [(&str, &str); 3] = [
    ("UCT, network playouts", "uct c=0.5 playout=net"),
    ("UCT, uniform playouts", UCT),
    ("PUCT, network values", "alphazero"),
];
const NETWORK_PLAYOUTS: usize = 0;

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let own = lab.scale.pick(8, 32);
    let pairs = lab.scale.pick(4, 100);
    let budgets = [own, own, own * LOOKS_OF_PLAYOUT];
    let agent = |(number, (_, name)): (usize, &(&str, &str))| {
        Ok(format!("{name} simulations={}", budgets[number]).parse::<AgentName>()?)
    };
    let agents = NAMES.iter().enumerate().map(agent).collect::<Result<Vec<_>, Error>>()?;
    let contest = Contest::new(GAME, agents, vec![(0, 1), (2, 0)], pairs)?
        .openings(OPENING_PLIES)?
        .named("silver2018-playout_policy");
    let records = lab.run(&contest)?;
    let meeting = |pairing: usize| {
        Meeting::new(records.iter().filter(|record| record.pairing == pairing)).expect("pairs were played")
    };
    let meetings = [([NETWORK_PLAYOUTS, 1], meeting(0)), ([2, NETWORK_PLAYOUTS], meeting(1))];
    let columns = [
        "agent",
        "simulations",
        "against",
        "simulations",
        "won",
        "drawn",
        "lost",
        "score",
        "95% interval",
        "Elo",
    ];
    let mut table = Table::new("A network in playouts and as a value", &columns)
        .with_note("Scores are those of the first agent; intervals by pairs of games.");
    for (agents, meeting) in &meetings {
        let who = agents.iter().flat_map(|&agent| [NAMES[agent].0.into(), thousands(budgets[agent]).into()]);
        let mut row: Vec<Cell> = who.collect();
        row.extend(meeting_cells(meeting));
        table.push(row);
    }
    let said = "AlphaZero learns a playout policy from self-play using neural networks (the lecture on MCTS)";
    let claim = |what: &str, meeting: &Meeting| {
        Claim::greater(Statement::new(what, said), measured_score(&meeting.score), 0.5)
    };
    Ok(Section {
        title: "A playout policy or a value".into(),
        prose: vec![format!(
            "The lecture says that AlphaZero learns a playout policy. Here UCT draws its playouts from the network's policy \
             (`playout=net`), {} simulations a move, against the same with uniform playouts, and against PUCT with the network's \
             values. A playout evaluates the network once a move, about {LOOKS_OF_PLAYOUT} times, so PUCT has {LOOKS_OF_PLAYOUT} \
             simulations for each playout. {pairs} pairs of games from balanced openings of {OPENING_PLIES} random plies.",
            thousands(own)
        )],
        tables: vec![table],
        claims: vec![
            claim("5. A learned policy makes better playouts, at equal simulations", &meetings[0].1),
            claim(
                "6. The network's value beats its policy in playouts, at equal numbers of network evaluations",
                &meetings[1].1,
            ),
        ],
        left_out: left_out(lab, "8 simulations a move instead of 32, 4 pairs of games instead of 100."),
        ..Section::default()
    })
}
