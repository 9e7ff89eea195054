//! Beyond the paper: playouts that follow an order learned in another way, against MAXI.
//!
//! AMAF (all moves as first), read as Left's outcome minus Right's, compares no two actions. Yet from few simulations
//! it makes a better order than RIDE does (Fig. 5). Here playouts follow it.

use super::heap_games::{Met, Pairing, play};
use super::match_rates::cell;
use super::{FIVE, MAXI, measured, part_at};
use crate::shared::{left_out, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

/// Playouts by other learners. A simulation of each costs at most 1.05 of MAXI's (`players.rs`). The first costs
/// less, so at equal simulations it has less time.
const LEARNERS: [(&str, &str); 2] = [
    ("all moves as first", "uct c=15 unit=points playout=maxi learn=rave"),
    ("online potentials", "uct c=15 unit=points playout=potential"),
];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[(u64, u64)] =
        lab.scale.pick(&[(100, 200), (1000, 60)], &[(100, 1000), (1000, 1000), (10_000, 400)]);
    let mut pairings = Vec::new();
    for (_, agent) in LEARNERS {
        pairings.extend(budgets.iter().map(|&(simulations, positions)| Pairing {
            a: format!("{agent} simulations={simulations}"),
            b: format!("{MAXI} simulations={simulations}"),
            positions,
        }));
    }
    let met = play(lab, "better-playouts", FIVE, &pairings)?;
    let rounds: Vec<(&str, &[Met])> =
        LEARNERS.iter().map(|learner| learner.0).zip(met.chunks(budgets.len())).collect();
    Ok(Section {
        title: "Beyond the paper: playouts that beat MAXI".into(),
        prose: vec![format!(
            "Players whose playouts follow the order of another learner, against `{MAXI}` at {FIVE}: two games a \
             position with the sides swapped, and the sum of the scores decides. `{}` takes, for every \
             action, the result of Left when Left played it anywhere in a simulation, less the result of \
             Left when Right played it. Its simulations take nine tenths of the time of those of MAXI.",
            LEARNERS[0].1
        )],
        tables: vec![table(budgets, &rounds)],
        claims: rounds.iter().map(|(label, met)| beats(label, budgets, met)).collect(),
        left_out: left_out(lab, "100 and 1,000 simulations a move on 200 and 60 positions, and not 10,000."),
        ..Section::default()
    })
}

fn table(budgets: &[(u64, u64)], rounds: &[(&str, &[Met])]) -> Table {
    let columns = ["learner", "simulations a move", "positions", "won", "tied", "lost", "won - lost (%)"];
    let mut table = Table::new("Other learners' playouts against MAXI", &columns)
        .with_note("With half of its 95% interval over positions.");
    for (label, met) in rounds {
        for (&(simulations, positions), met) in budgets.iter().zip(*met) {
            let [won, tied, lost] = met.counts();
            let sign = |sum: f64| if sum == 0.0 { 0.0 } else { 100.0 * sum.signum() };
            table.push(vec![
                (*label).into(),
                thousands(simulations).into(),
                thousands(positions).into(),
                won.into(),
                tied.into(),
                lost.into(),
                cell(&met.mean(sign), 1),
            ]);
        }
    }
    table
}

/// The claim that a learner's playouts win more than MAXI's, at every number of simulations.
fn beats(label: &str, budgets: &[(u64, u64)], met: &[Met]) -> Claim {
    let said = "the measure is ours";
    let part = |(&(simulations, _), met): (&(u64, u64), &Met)| {
        Claim::greater(part_at(simulations, said), measured(&met.lead()), 0.0)
    };
    let parts: Vec<Claim> = budgets.iter().zip(met).map(part).collect();
    let what = format!("10. Playouts by {label} beat MAXI at every number of simulations");
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    with_parts(whole, &parts, "share of positions won less the share lost", "above 0")
}
