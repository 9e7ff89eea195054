//! Other victims and other games: searches without a network, attacked with a network from the same random positions.

use super::played::Played;
use crate::shared::{left_out, random_position, with_parts};
use aji_catalog::session;
use aji_lab::report::{Cell, Claim, Section, Statement, Table};
use aji_lab::{Error, Lab, Trial};
use aji_search::Named;

/// A victim in its game.
struct Victim {
    game: &'static str,
    /// The random plies before the games.
    plies: std::ops::Range<usize>,
    name: &'static str,
    /// Its simulations, if it has any.
    simulations: Option<u64>,
}

const fn victim(
    game: &'static str,
    plies: std::ops::Range<usize>,
    name: &'static str,
    simulations: Option<u64>,
) -> Victim {
    Victim { game, plies, name, simulations }
}

/// The victims of the full run. The quick run has the first, with few simulations.
const VICTIMS: [Victim; 6] = [
    victim("connect-four", 0..7, "rave", Some(1_000)),
    victim("connect-four", 0..7, "uct c=0.5 solver=on", Some(1_000)),
    victim("connect-four", 0..7, "alphabeta depth=6", None),
    victim("othello size=6", 2..9, "uct", Some(1_000)),
    victim("hex size=7", 0..5, "rave", Some(1_000)),
    victim("go size=7", 0..5, "uct", Some(100)),
];

/// The simulations of a victim in the quick run.
const QUICK_SIMULATIONS: u64 = 100;

impl Victim {
    fn agent(&self, lab: &Lab) -> String {
        match self.simulations {
            Some(full) => format!("{} simulations={}", self.name, lab.scale.pick(QUICK_SIMULATIONS, full)),
            None => self.name.into(),
        }
    }

    /// Positions after random plies, with a player to act.
    fn starts(&self, count: u64) -> Result<Vec<String>, Error> {
        let start = session(self.game)?;
        let position = |id| {
            let rng = &mut Trial { id, seed: 1 }.rng();
            random_position(start.position(), self.plies.clone(), rng).text()
        };
        Ok((0..count).map(position).collect())
    }
}

/// The games of three attackers against one victim.
struct Against {
    game: &'static str,
    model: Played,
    ordinary: Played,
    itself: Played,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let (games, simulations) = lab.scale.pick((10, 8), (1_000, 16));
    let victims = lab.scale.pick(&VICTIMS[..1], &VICTIMS[..]);
    let mut all = Vec::new();
    for (number, victim) in victims.iter().enumerate() {
        let (name, starts) = (victim.agent(lab), victim.starts(games)?);
        let play = |role: &str, attacker: &str| {
            let experiment = format!("gleave2023-victims-{number}-{role}");
            Played::in_game(lab, &experiment, victim.game, (attacker, &name), starts.clone(), games)
        };
        all.push(Against {
            game: victim.game,
            model: play("model", &super::model_s(&name, simulations))?,
            ordinary: play("ordinary", &super::ordinary(simulations))?,
            itself: play("itself", &name)?,
        });
    }
    let columns = ["game", "victim", "attacker", "won", "drawn", "lost", "share of wins", "95% interval"];
    let mut table = Table::new("Wins against other victims", &columns).with_note("Wilson's intervals.");
    for against in &all {
        for played in [&against.model, &against.ordinary, &against.itself] {
            let mut row: Vec<Cell> =
                vec![against.game.into(), played.victim.as_str().into(), played.attacker.as_str().into()];
            row.extend(played.cells());
            table.push(row);
        }
    }
    let said = "the attack works against other victims of the same kind of search";
    let claim = |what: &str, of: fn(&Against) -> (&Played, &Played)| {
        let part = |against: &Against| {
            let (first, second) = of(against);
            first.wins_more(second, &format!("{}: {}", against.game, first.victim), said)
        };
        let parts: Vec<Claim> = all.iter().map(part).collect();
        let whole = Claim::all_of(Statement::new(what, said), &parts);
        with_parts(whole, &parts, "difference of the shares of wins, position by position", "above 0")
    };
    Ok(Section {
        title: "Other victims, other games".into(),
        prose: vec![format!(
            "Victims without a network, from {games} random positions each; the victim is the player to act. The attacker has the \
             network that ships for the board and {simulations} simulations, with the victim's policy as its model (the model s), and \
             without a model. Beside them: the victim itself in the attacker's seat."
        )],
        tables: vec![table],
        claims: vec![
            claim("15. The model s wins more often than the victim against itself", |one| {
                (&one.model, &one.itself)
            }),
            claim(
                "16. The model s wins more often than the same network without a model, at equal simulations",
                |one| (&one.model, &one.ordinary),
            ),
        ],
        left_out: left_out(
            lab,
            "one victim of six, with 100 simulations, and 10 positions instead of 1,000.",
        ),
        ..Section::default()
    })
}
