//! Attackers that move second from the empty board. The first player wins with best play, so each win proves a mistake.

use super::played::Played;
use super::{NETWORK_COST, model_r, model_s, ordinary, uct};
use crate::shared::left_out;
use aji_catalog::thousands;
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

/// What the paper says of its attack.
const SAID: &str =
    "an attacker trained against a frozen victim wins nearly always, though it plays badly against others";

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let (simulations, games) = lab.scale.pick((200, 20), (10_000, 1_000));
    let (few, some) = lab.scale.pick((10, 20), (20, 100));
    let victim = uct(simulations);
    // A search of the victim for each simulation with the model r, in simulations of the network, if none is cached.
    let equal = (few + few * simulations / NETWORK_COST).min(some);
    let attackers = [
        ("r", model_r(&victim, few)),
        ("s", model_s(&victim, some)),
        ("equal", ordinary(equal)),
        ("itself", victim.clone()),
        ("random", "random".into()),
    ];
    let mut all = Vec::new();
    for (word, attacker) in &attackers {
        let name = format!("gleave2023-empty_board-{word}");
        all.push(Played::new(lab, &name, (attacker, &victim), Vec::new(), games)?);
    }
    let columns = ["attacker", "won", "drawn", "lost", "share of wins", "95% interval"];
    let mut table = Table::new("Attackers that move second", &columns).with_note("Wilson's intervals.");
    for played in &all {
        let mut row: Vec<Cell> = vec![played.attacker.as_str().into()];
        row.extend(played.cells());
        table.push(row);
    }
    let [r, s, equal_cost, itself, _] = &all[..] else { return Err(Error::new("five attackers")) };
    let at_least = |number: u64, what: &str, played: &Played, share: f64| {
        let what = format!("{number}. {what} wins at least {:.0}% as the second player", 100.0 * share);
        Claim::greater(Statement::new(what, SAID), played.share(), share)
    };
    Ok(Section {
        title: "From the empty board".into(),
        prose: vec![format!(
            "The victim is `{victim}` and moves first, {} games for each attacker with other seeds each. In theory the first \
             player wins. The attackers `amcts` model the victim and value positions by the network that ships; `{}` has the \
             same network, no model of the victim, and no more time than the model r.",
            thousands(games),
            equal_cost.attacker
        )],
        tables: vec![table],
        claims: vec![
            at_least(1, "The model r", r, 0.8),
            at_least(2, "The model s", s, 0.6),
            r.wins_more(itself, "3. The model r wins more often than the victim against itself", SAID),
            r.wins_more(
                equal_cost,
                "4. The model r wins more often than the same network without a model, at no more time",
                SAID,
            ),
        ],
        left_out: left_out(
            lab,
            "a victim of 200 simulations instead of 10,000, and 20 games instead of 1,000.",
        ),
        ..Section::default()
    })
}
