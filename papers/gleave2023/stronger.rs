//! Victims with more simulations: the network with 64 to 1,024, and UCT with 30,000.

use super::played::{Played, hard_positions};
use super::{NETWORK_COST, model_s, network, ordinary, uct};
use crate::shared::{left_out, with_parts};
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::{Error, Lab, Scale};

/// A victim, the attackers' simulations, and from one of how many hard positions it is attacked.
struct Victim {
    name: String,
    simulations: u64,
    one_in: usize,
}

fn victims(scale: Scale) -> Vec<Victim> {
    let of = |name: String, simulations: u64, one_in: usize| Victim { name, simulations, one_in };
    let of_network = |simulations: u64, one_in: usize| of(network(simulations), simulations, one_in);
    match scale {
        Scale::Quick => vec![of_network(16, 100), of(uct(500), 4, 100)],
        Scale::Full => vec![
            of_network(64, 4),
            of_network(256, 8),
            of_network(1_024, 16),
            of(uct(30_000), 30_000 / NETWORK_COST, 8),
        ],
    }
}

/// The games against one victim.
struct Against {
    model: Played,
    ordinary: Played,
    /// The victim in the attacker's seat, if it is not the ordinary attacker too.
    itself: Option<Played>,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let mut all = Vec::new();
    for (number, victim) in victims(lab.scale).into_iter().enumerate() {
        let starts: Vec<String> = hard_positions().into_iter().step_by(victim.one_in).collect();
        let (count, name) = (starts.len() as u64, &victim.name);
        let play = |role: &str, attacker: &str| {
            let experiment = format!("gleave2023-stronger-{number}-{role}");
            Played::new(lab, &experiment, (attacker, name), starts.clone(), count)
        };
        let is_network = *name == network(victim.simulations);
        all.push(Against {
            model: play("model", &model_s(name, victim.simulations))?,
            ordinary: play("ordinary", &ordinary(victim.simulations))?,
            itself: if is_network { None } else { Some(play("itself", name)?) },
        });
    }
    let columns = ["victim", "attacker", "won", "drawn", "lost", "share of wins", "95% interval"];
    let mut table =
        Table::new("Wins against victims that search more", &columns).with_note("Wilson's intervals.");
    for played in
        all.iter().flat_map(|against| [&against.model, &against.ordinary].into_iter().chain(&against.itself))
    {
        let mut row: Vec<Cell> = vec![played.victim.as_str().into(), played.attacker.as_str().into()];
        row.extend(played.cells());
        table.push(row);
    }
    let said = "the attack wins by the victim's weakness, not by playing well";
    let part = |against: &Against| against.model.wins_more(&against.ordinary, &against.model.victim, said);
    let parts: Vec<Claim> = all.iter().map(part).collect();
    let what = "21. Against victims that search more a model wins more often than the same network without one, at equal simulations";
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    Ok(Section {
        title: "Victims that search more".into(),
        prose: vec![
            "Victims move first in hard positions in which they are not lost. The attacker has the network that ships and as many \
             simulations as its victim, or as many as take the time of UCT's. It predicts the victim by its policy, or by a short \
             search (the model s), or has no model. The more a victim searches, the fewer games there are: all together take about five minutes of one core."
                .into(),
        ],
        tables: vec![table],
        claims: vec![with_parts(whole, &parts, "difference of the shares of wins, position by position", "above 0")],
        left_out: left_out(lab, "two weak victims, and 10 positions instead of 63 to 250."),
        ..Section::default()
    })
}
