//! Duels of a study: who attacked whom, and how it ended.

use super::GAME;
use crate::shared::{measured, measured_mean};
use aji_catalog::Workbench;
use aji_lab::duel::{Duel, DuelCounts, Duels};
use aji_lab::mistakes::POSITION_SETS;
use aji_lab::report::{Cell, Claim, Measured, Statement};
use aji_lab::statistics::paired;
use aji_lab::{Error, Lab};

/// The games of one attacker against one victim.
pub(super) struct Played {
    pub(super) attacker: String,
    pub(super) victim: String,
    duels: Vec<Duel>,
}

/// The positions of the hard lists, in which the player to act is not lost: so a win of the other proves a mistake.
pub(super) fn hard_positions() -> Vec<String> {
    let lists = POSITION_SETS.iter().filter(|set| set.game == GAME);
    lists.flat_map(|set| set.positions()).map(|judged| judged.position).collect()
}

/// Those of them with fifteen plies or more.
pub(super) fn middle_positions() -> Vec<String> {
    let lists = POSITION_SETS.iter().filter(|set| set.name == "connect-four-middle");
    lists.flat_map(|set| set.positions()).map(|judged| judged.position).collect()
}

impl Played {
    /// Plays games from the empty board, or from these positions, with the attacker second. `name` is unique in the
    /// report.
    pub(super) fn new(
        lab: &Lab,
        name: &str,
        (attacker, victim): (&str, &str),
        starts: Vec<String>,
        games: u64,
    ) -> Result<Played, Error> {
        Played::in_game(lab, name, GAME, (attacker, victim), starts, games)
    }

    /// The same with the attacker first.
    pub(super) fn first(
        lab: &Lab,
        name: &str,
        agents: (&str, &str),
        starts: Vec<String>,
        games: u64,
    ) -> Result<Played, Error> {
        Played::of(
            lab,
            agents,
            Played::duels_in(GAME, agents, games)?.attacker_first().from(starts).named(name),
        )
    }

    /// Games in another game, with the attacker second.
    pub(super) fn in_game(
        lab: &Lab,
        name: &str,
        game: &str,
        agents: (&str, &str),
        starts: Vec<String>,
        games: u64,
    ) -> Result<Played, Error> {
        Played::of(lab, agents, Played::duels_in(game, agents, games)?.from(starts).named(name))
    }

    fn duels_in(game: &str, (attacker, victim): (&str, &str), games: u64) -> Result<Duels, Error> {
        Duels::new(&Workbench::new(), game, attacker.parse()?, victim.parse()?, games)
    }

    fn of(lab: &Lab, (attacker, victim): (&str, &str), duels: Duels) -> Result<Played, Error> {
        Ok(Played { attacker: attacker.into(), victim: victim.into(), duels: lab.run(&duels)? })
    }

    /// All games.
    pub(super) fn duels(&self) -> &[Duel] {
        &self.duels
    }

    pub(super) fn counts(&self) -> DuelCounts {
        DuelCounts::of(self.duels.iter())
    }

    /// The share of games that the attacker wins, for claims.
    pub(super) fn share(&self) -> Measured {
        let counts = self.counts();
        measured(counts.share(), counts.interval(), counts.games())
    }

    /// The games that the attacker won.
    pub(super) fn lost_by_victim(&self) -> impl Iterator<Item = &Duel> {
        self.duels.iter().filter(|duel| duel.payoff > 0.0)
    }

    fn wins(&self) -> Vec<f64> {
        self.duels.iter().map(|duel| f64::from(u8::from(duel.payoff > 0.0))).collect()
    }

    /// How much more often this attacker wins than another one, game by game.
    pub(super) fn above(&self, other: &Played) -> Measured {
        measured_mean(&paired(&self.wins(), &other.wins()).expect("two games or more").difference)
    }

    /// The claim that this attacker wins more often than another one.
    pub(super) fn wins_more(&self, other: &Played, what: &str, said: &str) -> Claim {
        Claim::greater(Statement::new(what, said), self.above(other), 0.0)
    }

    /// Cells of a table: wins, draws, losses, the share of wins and its interval.
    pub(super) fn cells(&self) -> [Cell; 5] {
        let counts = self.counts();
        [
            counts.wins.into(),
            counts.draws.into(),
            counts.losses.into(),
            Cell::number(counts.share(), 3),
            format!("{}", counts.interval()).into(),
        ]
    }
}
