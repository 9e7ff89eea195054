//! Whether an attack is a weakness of its victim or strength of the attacker: the same attacker against others.

use super::played::{Played, hard_positions};
use super::{model_r, network, uct};
use crate::shared::{left_out, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let (simulations, few) = lab.scale.pick((8, 10), (16, 20));
    let starts: Vec<String> = hard_positions().into_iter().step_by(lab.scale.pick(50, 1)).collect();
    let victim = network(simulations);
    let attacker = model_r(&victim, few);
    let others = [
        ("itself", victim.clone()),
        ("stronger", network(4 * simulations)),
        ("uct", uct(lab.scale.pick(200, 3_000))),
        ("alphabeta", format!("alphabeta depth={}", lab.scale.pick(4, 8))),
    ];
    let mut all = Vec::new();
    for (word, opponent) in &others {
        let name = format!("gleave2023-others-{word}");
        all.push(Played::new(lab, &name, (&attacker, opponent), starts.clone(), starts.len() as u64)?);
    }
    let columns = ["opponent", "won", "drawn", "lost", "share of wins", "95% interval"];
    let mut table = Table::new("The attacker against others", &columns).with_note("Wilson's intervals.");
    for played in &all {
        let mut row: Vec<Cell> = vec![played.victim.as_str().into()];
        row.extend(played.cells());
        table.push(row);
    }
    let said = "the attacker loses to players that its victim beats; transfer to other victims is rare";
    let parts: Vec<Claim> =
        all[1..].iter().map(|other| all[0].wins_more(other, &other.victim, said)).collect();
    let whole = Claim::all_of(
        Statement::new("8. The attacker wins more often against its victim than against others", said),
        &parts,
    );
    Ok(Section {
        title: "A weakness, or strength?".into(),
        prose: vec![format!(
            "The attacker `{attacker}` plays its victim and other opponents from the same {} hard positions. It takes all of \
             them for its victim.",
            thousands(starts.len() as u64)
        )],
        tables: vec![table],
        claims: vec![with_parts(
            whole,
            &parts,
            "share of wins against the victim less that against the other, position by position",
            "above 0",
        )],
        left_out: left_out(
            lab,
            "20 positions instead of 1,000, and a victim of 8 simulations instead of 16.",
        ),
        ..Section::default()
    })
}
