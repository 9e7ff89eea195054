//! The traps of `docs/traps.md`, and the proven values of moves in them.

use aji_catalog::{AgentName, session};
use aji_lab::{Error, Experiment, Trial};
use aji_search::Turn;
use serde::Serialize;
use serde_json::{Value, json};

/// Game, position, and the move that wins.
pub(crate) const TRAPS: [(&str, &str, &str); 6] = [
    ("hex size=5", "..x.o/...../....o/ooxx./..x.. x", "d2"),
    ("hex size=5", "x.x../xox.o/...../..oxo/x..o. o", "b3"),
    ("nim heaps=3,5,7", "2,5,4 1", "1:1"),
    ("connect-four", ".o.o.../.oox.../xoxx.o./xxxo.x./ooox.o./xxxoxox o", "f"),
    ("breakthrough", "o...oo.o/o...o.../o...oox./..oo.o../..x.xx.o/.oo..x.x/xxx.x..x/....x... x", "g6h7"),
    ("mnk m=5 n=5 k=4", "...../..o../.x.../.x.../.o... x", "c3"),
];

/// A move in a position, and the agent that proves its value.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub(crate) struct MoveIn {
    pub(crate) game: String,
    pub(crate) position: String,
    pub(crate) action: String,
    pub(crate) judge: String,
}

/// The value of each of these moves.
pub(crate) struct MoveValues {
    pub(crate) name: String,
    pub(crate) moves: Vec<MoveIn>,
}

impl Experiment for MoveValues {
    /// The value of the move to the player who makes it, if it is proven: 0 is a loss, a half a draw, 1 a win.
    type Record = Option<f32>;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> Value {
        json!({ "moves": self.moves })
    }

    fn trials(&self) -> u64 {
        self.moves.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<Option<f32>, Error> {
        let MoveIn { game, position, action, judge } = &self.moves[trial.id as usize];
        let judge: AgentName = judge.parse()?;
        let mut session = session(game)?;
        session.set_position(position)?;
        let mover = session.turn();
        session.play(action)?;
        if let (Some(payoff), Turn::Player(player)) = (session.payoff(), mover) {
            return Ok(Some(0.5 + 0.5 * payoff.of(player)));
        }
        let proven = session.think(&AgentName { seed: trial.own_seed(), ..judge }, &mut ())?.proven;
        Ok(proven.map(|value| if session.turn() == mover { value } else { 1.0 - value }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// d keeps the draw and a loses in the first position; in the second d wins at once and a loses.
    #[test]
    fn values_by_hand() {
        let check = |position: &str, action: &str, judge: &str, expect: Option<f32>| {
            let moves = vec![MoveIn {
                game: "connect-four".into(),
                position: position.into(),
                action: action.into(),
                judge: judge.into(),
            }];
            let values = MoveValues { name: "values".into(), moves };
            assert_eq!(values.run(Trial { id: 0, seed: 1 }).unwrap(), expect, "{action} in {position}");
        };
        let drawn = "......./....o.o/....x.o/....x.x/oox.o.o/xxooxxx x";
        check(drawn, "d", "exact", Some(0.5));
        check(drawn, "a", "exact", Some(0.0));
        check("......./......./......./......./ooo..../xxx.... x", "d", "exact", Some(1.0));
        check("......./......./......./......./ooo..../xxx.... x", "a", "uct simulations=10", None);
    }
}
