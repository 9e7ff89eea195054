//! Whether more search cures a victim: attackers against victims of several budgets, from hard positions.

use super::played::{Played, hard_positions};
use super::{NETWORK_COST, model_r, network, ordinary, uct};
use crate::shared::{left_out, point, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::{Error, Lab};

/// The most simulations of the network without a model: it needs no more to win as often.
const ORDINARY_MOST: u64 = 300;

/// The attackers of a victim.
struct Against {
    simulations: u64,
    model: Played,
    equal: Played,
    itself: Played,
}

/// The victim with this many simulations.
type VictimOf = fn(u64) -> String;

/// The victims of one kind, by their simulations.
struct Kind {
    word: &'static str,
    victims: Vec<Against>,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let few = lab.scale.pick(10, 20);
    let starts: Vec<String> = hard_positions().into_iter().step_by(lab.scale.pick(50, 1)).collect();
    let budgets: [(&str, VictimOf, &[u64]); 2] = [
        ("uct", uct, lab.scale.pick(&[50, 200], &[100, 1_000, 10_000])),
        ("network", network, lab.scale.pick(&[1, 8], &[1, 4, 16])),
    ];
    let mut kinds = Vec::new();
    for (word, victim_of, simulations) in budgets {
        let mut victims = Vec::new();
        for &simulations in simulations {
            let victim = victim_of(simulations);
            let play = |role: &str, attacker: &str| {
                let name = format!("gleave2023-budgets-{word}-{simulations}-{role}");
                Played::new(lab, &name, (attacker, &victim), starts.clone(), starts.len() as u64)
            };
            let searched = if word == "uct" { simulations / NETWORK_COST } else { simulations };
            victims.push(Against {
                simulations,
                model: play("model", &model_r(&victim, few))?,
                equal: play("equal", &ordinary((few + few * searched).min(ORDINARY_MOST)))?,
                itself: play("itself", &victim)?,
            });
        }
        kinds.push(Kind { word, victims });
    }
    Ok(Section {
        title: "Does more search cure it?".into(),
        prose: vec![format!(
            "Victims of several budgets move first in {} hard positions in which they are not lost, so a win of the attacker \
             proves a mistake. The attacker knows the victim's whole search (the model r, {few} simulations). Beside it: the same \
             network without a model at the same time or less, and the victim itself in the attacker's seat.",
            thousands(starts.len() as u64)
        )],
        tables: vec![table(&kinds)],
        figures: vec![figure(&kinds)],
        claims: vec![
            over_victims(
                &kinds,
                "5. A model of the victim wins more often than the victim against itself",
                |against| (&against.model, &against.itself),
            ),
            over_victims(
                &kinds,
                "6. A model of the victim wins more often than the same network without one, at no more time",
                |against| (&against.model, &against.equal),
            ),
            more_search(&kinds),
        ],
        left_out: left_out(lab, "20 positions instead of 1,000, and victims of at most 200 simulations."),
        ..Section::default()
    })
}

fn table(kinds: &[Kind]) -> Table {
    let columns = ["victim", "attacker", "won", "drawn", "lost", "share of wins", "95% interval"];
    let mut table = Table::new("Wins by the victim's budget", &columns).with_note("Wilson's intervals.");
    for against in kinds.iter().flat_map(|kind| &kind.victims) {
        for played in [&against.model, &against.equal, &against.itself] {
            let mut row: Vec<Cell> = vec![played.victim.as_str().into(), played.attacker.as_str().into()];
            row.extend(played.cells());
            table.push(row);
        }
    }
    table
}

fn figure(kinds: &[Kind]) -> Figure {
    type Of = fn(&Against) -> &Played;
    let attackers: [(&str, Of); 3] = [
        ("model of the victim", |against| &against.model),
        ("no model, no more time", |against| &against.equal),
        ("the victim itself", |against| &against.itself),
    ];
    let line = |kind: &Kind, name: &str, of: Of| {
        let points = kind.victims.iter().map(|against| {
            let counts = of(against).counts();
            point(against.simulations as f64, counts.share(), counts.interval())
        });
        Series::line(format!("{}: {name}", kind.word), points.collect())
    };
    let series = kinds.iter().flat_map(|kind| attackers.map(|(name, of)| line(kind, name, of)));
    Figure {
        name: "gleave2023-budgets".into(),
        title: "Wins of attackers by the victim's simulations".into(),
        caption: "Share of hard positions of Connect Four that the attacker wins, with 95% intervals.".into(),
        x: Axis::log("simulations of the victim"),
        y: Axis::linear("share of wins"),
        series: series.collect(),
    }
}

/// The claim that the first of two attackers wins more often than the second, against every victim.
fn over_victims(kinds: &[Kind], what: &str, of: fn(&Against) -> (&Played, &Played)) -> Claim {
    let said = "the attack wins by the victim's weakness, not by playing well";
    let part = |against: &Against| {
        let (first, second) = of(against);
        first.wins_more(second, &first.victim, said)
    };
    let parts: Vec<Claim> = kinds.iter().flat_map(|kind| &kind.victims).map(part).collect();
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    with_parts(whole, &parts, "difference of the shares of wins, position by position", "above 0")
}

/// The claim that an attacker wins less often against the victim's largest budget than against its smallest.
fn more_search(kinds: &[Kind]) -> Claim {
    let said = "more search lowers the rate of the attacker's wins and does not remove it";
    let part = |kind: &Kind| {
        let [few, .., many] = &kind.victims[..] else { return None };
        let what =
            format!("{} {} against {}", kind.word, thousands(many.simulations), thousands(few.simulations));
        Some(Claim::less(Statement::new(what, said), many.model.above(&few.model), 0.0))
    };
    let parts: Vec<Claim> = kinds.iter().filter_map(part).collect();
    let whole = Claim::all_of(
        Statement::new("7. More search of the victim lowers the attacker's wins", said),
        &parts,
    );
    with_parts(whole, &parts, "difference of the shares of wins, position by position", "below 0")
}
