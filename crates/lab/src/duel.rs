//! Games of one agent against another in fixed seats, from given positions. An attack is measured this way: the
//! attacker always has the same seat, and a position that is lost for it in theory makes every win a proof that its
//! victim erred.

mod line_tree;
mod lines;

pub use line_tree::{LineBox, LineTree};
pub use lines::{CommonLine, common_lines};

use crate::contest::GAME_PLIES_MAX;
use crate::statistics::{Interval, wilson};
use crate::{Error, Experiment, Trial};
use aji_catalog::{AgentName, Workbench};
use aji_search::Turn;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::HashSet;

/// The level of every interval.
const LEVEL: f64 = 0.95;

/// Games of an attacker against a victim. Each is a trial.
pub struct Duels {
    workbench: Workbench,
    name: String,
    game: String,
    starts: Vec<String>,
    attacker: AgentName,
    victim: AgentName,
    is_attacker_first: bool,
    games: u64,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Duel {
    /// The number of its start in the list; 0 if there is no list.
    pub start: usize,
    /// The moves from there.
    pub moves: Vec<String>,
    /// The attacker's payoff.
    pub payoff: f64,
    /// The simulations of the attacker, or the positions that it visited.
    pub attacker_simulations: u64,
    /// Those of the victim.
    pub victim_simulations: u64,
}

impl Duels {
    /// Games from the start of the game. The victim acts first.
    pub fn new(
        workbench: &Workbench,
        game: &str,
        attacker: AgentName,
        victim: AgentName,
        games: u64,
    ) -> Result<Duels, Error> {
        let session = workbench.session(game)?;
        if session.players() != 2 {
            return Err(Error::new(format!(
                "{game}: a duel has two players, this game {}",
                session.players()
            )));
        }
        for agent in [&attacker, &victim] {
            session.accepts(agent)?;
        }
        let (workbench, game, name) = (workbench.clone(), session.name().into(), "duels".into());
        let (starts, is_attacker_first) = (Vec::new(), false);
        Ok(Duels { workbench, name, game, starts, attacker, victim, is_attacker_first, games })
    }

    /// Lets the attacker act first.
    pub fn attacker_first(self) -> Duels {
        Duels { is_attacker_first: true, ..self }
    }

    /// Begins game after game at the next of these positions.
    pub fn from(self, starts: Vec<String>) -> Duels {
        Duels { starts, ..self }
    }

    /// Names the experiment.
    pub fn named(self, name: &str) -> Duels {
        Duels { name: name.into(), ..self }
    }
}

/// The results of some duels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DuelCounts {
    /// Wins of the attacker.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Wins of the victim.
    pub losses: u64,
    /// Games with the same start and moves as an earlier one.
    pub duplicates: u64,
    /// The attacker's simulations of all games.
    pub attacker_simulations: u64,
    /// The victim's.
    pub victim_simulations: u64,
    /// The moves of all games.
    pub plies: u64,
}

impl DuelCounts {
    /// Counts games.
    pub fn of<'a>(duels: impl Iterator<Item = &'a Duel>) -> DuelCounts {
        let (mut counts, mut seen) = (DuelCounts::NONE, HashSet::new());
        for duel in duels {
            counts.wins += u64::from(duel.payoff > 0.0);
            counts.draws += u64::from(duel.payoff == 0.0);
            counts.losses += u64::from(duel.payoff < 0.0);
            counts.duplicates += u64::from(!seen.insert((duel.start, &duel.moves)));
            counts.attacker_simulations += duel.attacker_simulations;
            counts.victim_simulations += duel.victim_simulations;
            counts.plies += duel.moves.len() as u64;
        }
        counts
    }

    const NONE: DuelCounts = DuelCounts {
        wins: 0,
        draws: 0,
        losses: 0,
        duplicates: 0,
        attacker_simulations: 0,
        victim_simulations: 0,
        plies: 0,
    };

    /// The games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// The share of games that the attacker wins.
    pub fn share(&self) -> f64 {
        self.wins as f64 / self.games().max(1) as f64
    }

    /// Wilson's interval of that share.
    pub fn interval(&self) -> Interval {
        wilson(self.wins, self.games(), LEVEL).unwrap_or(Interval { low: 0.0, high: 1.0 })
    }
}

impl Experiment for Duels {
    type Record = Duel;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> Value {
        json!({
            "game": self.game,
            "attacker": self.attacker.to_string(),
            "victim": self.victim.to_string(),
            "attacker_first": self.is_attacker_first,
            "starts": self.starts,
        })
    }

    fn trials(&self) -> u64 {
        self.games
    }

    fn is_stoppable(&self) -> bool {
        self.workbench.is_stoppable()
    }

    fn run(&self, trial: Trial) -> Result<Duel, Error> {
        let start = trial.id as usize % self.starts.len().max(1);
        let agents = [("victim", &self.victim), ("attacker", &self.attacker)];
        // Each has a session of its own, in which its search follows the game.
        let mut seats = Vec::new();
        for (role, agent) in agents {
            let mut session = self.workbench.session(&self.game)?;
            if let Some(position) = self.starts.get(start) {
                session.set_position(position)?;
            }
            seats.push((session, AgentName { seed: trial.seed_of(role), ..agent.clone() }, 0));
        }
        let Turn::Player(mover) = seats[0].0.turn() else {
            return Err(Error::new(format!(
                "{}: no player is to act at the start of game {start}",
                self.game
            )));
        };
        let victim = if self.is_attacker_first { 1 - mover } else { mover };
        let mut moves = Vec::new();
        while let Turn::Player(player) = seats[0].0.turn() {
            if moves.len() > GAME_PLIES_MAX {
                return Err(Error::new(format!("{}: no end after {GAME_PLIES_MAX} plies", self.game)));
            }
            let (session, agent, simulations) = &mut seats[usize::from(player != victim)];
            let report = session.think(agent, &mut ())?;
            let best = report.best.ok_or_else(|| Error::new(format!("{agent} resigned")))?;
            *simulations += report.simulations;
            for (session, ..) in &mut seats {
                session.play(&best)?;
            }
            moves.push(best);
        }
        let payoff = seats[0].0.payoff().unwrap_or_default().of(1 - victim);
        let [victim_simulations, attacker_simulations] = [0, 1].map(|seat: usize| seats[seat].2);
        Ok(Duel { start, moves, payoff: payoff.into(), attacker_simulations, victim_simulations })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(super) fn duel(moves: &str, payoff: f64) -> Duel {
        let moves = moves.split_whitespace().map(String::from).collect();
        Duel { start: 0, moves, payoff, attacker_simulations: 10, victim_simulations: 20 }
    }

    #[test]
    fn counts_by_hand() {
        let duels = [duel("a b", 1.0), duel("a b", 1.0), duel("a c", 0.0), duel("a d", -1.0)];
        let counts = DuelCounts::of(duels.iter());
        assert_eq!((counts.wins, counts.draws, counts.losses, counts.duplicates), (2, 1, 1, 1));
        assert_eq!((counts.games(), counts.share(), counts.plies), (4, 0.5, 8));
        assert_eq!((counts.attacker_simulations, counts.victim_simulations), (40, 80));
        let interval = counts.interval();
        assert!(
            interval.low > 0.14 && interval.low < 0.16 && (interval.low + interval.high - 1.0).abs() < 1e-9
        );
    }

    /// A perfect victim that moves first in Tic-Tac-Toe never loses, and a perfect attacker beats a random one.
    #[test]
    fn seats_are_fixed() {
        let (bench, stop) = (Workbench::new(), std::sync::atomic::AtomicBool::new(false));
        let played = |attacker: &str, victim: &str, attacker_first: bool| {
            let agents = [attacker, victim].map(|name| bench.agent_name(name).unwrap());
            let [attacker, victim] = agents;
            let duels = Duels::new(&bench, "tic-tac-toe", attacker, victim, 20).unwrap();
            let duels = if attacker_first { duels.attacker_first() } else { duels };
            let outcome = crate::Runner::default().run(&duels, None, &(), &stop).unwrap();
            let games: Vec<Duel> = outcome.values().cloned().collect();
            DuelCounts::of(games.iter())
        };
        assert_eq!(played("random", "exact", false).wins, 0);
        let first = played("exact", "random", true);
        assert!(first.losses == 0 && first.wins >= 15, "{first:?}");
        assert_eq!(played("exact", "exact", false).draws, 20);
    }

    #[test]
    fn games_begin_where_they_should() {
        let bench = Workbench::new();
        let agent = || bench.agent_name("exact").unwrap();
        let starts = vec!["xx./oo./... x".to_string(), "xx./oo./x.. o".to_string()];
        let duels = Duels::new(&bench, "tic-tac-toe", agent(), agent(), 3).unwrap().from(starts);
        let run = |id| duels.run(Trial { id, seed: 1 }).unwrap();
        // The player to act wins at once, and that is the victim.
        assert_eq!((run(0).start, run(1).start, run(2).start), (0, 1, 0));
        assert!((0..3).all(|id| run(id).payoff == -1.0 && run(id).moves.len() == 1));
        assert_eq!(duels.attacker_first().run(Trial { id: 0, seed: 1 }).unwrap().payoff, 1.0);
    }
}
