//! Beyond the paper: MAXI as a player against others at 5x5, at equal simulations and at equal time.
//!
//! The run does not measure time, because games by the clock are not repeatable. Each agent has a stated cost per
//! simulation, relative to MAXI's. At equal time its simulations are MAXI's divided by that cost.

use super::heap_games::{Met, Pairing, play};
use super::match_rates::cell;
use super::{FIVE, MAXI, measured};
use crate::shared::left_out;
use aji_catalog::thousands;
use aji_lab::report::{Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

/// An opponent of MAXI.
struct Player {
    label: &'static str,
    /// Its agent, without the simulations.
    agent: &'static str,
    /// The cost of one of its simulations relative to MAXI's, measured over whole games of 5x5 with 3,000 simulations
    /// per move; none for an agent without simulations.
    cost: Option<f64>,
}

const PLAYERS: &[Player] = &[
    Player { label: "RAND, no learning", agent: "uct c=15 unit=points", cost: Some(0.65) },
    Player { label: "RAND, list", agent: "uct c=15 unit=points learn=ride", cost: Some(1.0) },
    Player {
        label: "MAXI, least squares",
        agent: "uct c=15 unit=points playout=maxi read=squares",
        cost: Some(1.0),
    },
    Player {
        label: "MAXI, online potentials",
        agent: "uct c=15 unit=points playout=potential",
        cost: Some(1.05),
    },
    Player { label: "MAST", agent: "uct c=15 unit=points playout=mast(temperature=0.05)", cost: Some(1.25) },
    Player { label: "last good reply", agent: "uct c=15 unit=points playout=lgr", cost: Some(1.0) },
    Player { label: "divide and conquer", agent: "divide group=2", cost: Some(1.1) },
    Player { label: "top weight", agent: "topweight", cost: None },
    Player { label: "thermostrat", agent: "thermo", cost: None },
    Player { label: "sentestrat", agent: "sentestrat", cost: None },
    Player { label: "exact", agent: "exact", cost: None },
];

/// A player and the simulations of both; none for a player without simulations.
struct Meeting {
    player: &'static Player,
    maxi: u64,
    other: Option<u64>,
}

impl Meeting {
    fn pairing(&self, positions: u64) -> Pairing {
        let budget = self.other.map_or(String::new(), |simulations| format!(" simulations={simulations}"));
        let b = format!("{}{budget}", self.player.agent);
        Pairing { a: format!("{MAXI} simulations={}", self.maxi), b, positions }
    }
}

/// Every player at equal simulations and, if that differs, at equal time.
fn meetings(maxi: u64) -> Vec<Meeting> {
    let of = |player: &'static Player| {
        let equal_time = player.cost.map(|cost| (maxi as f64 / cost).round() as u64);
        let others = [player.cost.map(|_| maxi), equal_time];
        let others = if others[0] == others[1] { &others[..1] } else { &others[..] };
        others.iter().map(|&other| Meeting { player, maxi, other }).collect::<Vec<_>>()
    };
    PLAYERS.iter().flat_map(of).collect()
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[u64] = lab.scale.pick(&[1000], &[1000, 10_000]);
    let positions = lab.scale.pick(20, 100);
    let meetings: Vec<Meeting> = budgets.iter().flat_map(|&budget| meetings(budget)).collect();
    let pairings: Vec<Pairing> = meetings.iter().map(|meeting| meeting.pairing(positions)).collect();
    let met: Vec<(Meeting, Met)> = meetings.into_iter().zip(play(lab, "players", FIVE, &pairings)?).collect();
    Ok(Section {
        title: "Beyond the paper: MAXI against other players".into(),
        prose: vec![
            format!(
                "`{MAXI}` plays {positions} positions of {FIVE} against each, two games a position with \
                 the sides swapped; the sum of the scores decides. Thermostrat and sentestrat move by \
                 exact thermographs of the heaps, top weight by the weight of the top counters, exact by \
                 the solution of the game."
            ),
            "Some agents meet MAXI twice at the same budget of MAXI. The second meeting is at equal time: \
             `players.rs` states what a simulation of each agent costs, and its simulations are scaled by \
             that. These costs were measured once, so the games are the same in every run."
                .into(),
        ],
        tables: vec![table(&met)],
        claims: budgets.iter().map(|&budget| not_beaten(&met, budget)).collect(),
        left_out: left_out(lab, "only 1,000 simulations a move and not 10,000, 20 positions instead of 100."),
        ..Section::default()
    })
}

fn table(met: &[(Meeting, Met)]) -> Table {
    let columns = [
        "opponent",
        "simulations of MAXI",
        "of the opponent",
        "won",
        "tied",
        "lost",
        "won - lost (%)",
        "points ahead",
    ];
    let mut table = Table::new("MAXI against other players", &columns).with_note(
        "Points ahead: the mean sum of the scores of both games of a position. Halves of 95% intervals \
         over positions.",
    );
    for (Meeting { player, maxi, other }, met) in met {
        let [won, tied, lost] = met.counts();
        let sign = |sum: f64| if sum == 0.0 { 0.0 } else { 100.0 * sum.signum() };
        table.push(vec![
            player.label.into(),
            thousands(*maxi).into(),
            other.map_or(String::new(), thousands).into(),
            won.into(),
            tied.into(),
            lost.into(),
            cell(&met.mean(sign), 1),
            cell(&met.mean(|sum| sum), 2),
        ]);
    }
    table
}

/// How far MAXI is from best play: what it loses to the solution of the game.
fn not_beaten(met: &[(Meeting, Met)], budget: u64) -> Claim {
    let exact = met.iter().find(|(meeting, _)| meeting.maxi == budget && meeting.player.agent == "exact");
    let lead = exact.expect("it is among the players").1.mean(|sum| sum);
    let what = format!(
        "7. MAXI at {} simulations a move loses less than a point in two games to exact play",
        thousands(budget)
    );
    let said = "the policy gets closer to thermostrategy (V); the measure is ours";
    Claim::greater(Statement::new(&what, said), measured(&lead), -1.0)
}
