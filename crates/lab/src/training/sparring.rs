//! Self-play in which a share of the games is against a frozen opponent. So a network learns to meet an attacker that has
//! beaten it (adversarial training; Tseng et al. 2024).
//!
//! The opponent sits in one seat of these games. The network learns from its own positions only, and its searches do not
//! know the opponent: they expect the network's own play from both sides.

use super::attack_rules::{Seat, checksum, victim};
use super::lesson::{check, lesson_with};
use crate::Error;
use aji_catalog::{AgentName, Session, Victim, Workbench};
use aji_search::{AnyGame, Game, Turn};
use aji_train::{Folder, Learnable, Partner};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The name of the file.
pub const SPARRING_FILE: &str = "opponent.json";

/// The version of the file.
const FORMAT: u32 = 1;

/// The share of games against the opponent.
pub const SPARRING_SHARE_DEFAULT: f64 = 0.5;

/// Games are dealt in rounds of this many, so that the share holds in every iteration.
const ROUND: u64 = 100;

/// A request for an opponent. Fields that are `None` are as in the existing run, or have their defaults.
#[derive(Clone, Debug, Default)]
pub struct SparringWishes {
    /// The opponent.
    pub opponent: Option<AgentName>,
    /// The opponent's seat: the second one by default.
    pub seat: Option<Seat>,
    /// The share of games against it.
    pub share: Option<f64>,
}

/// The opponent of a run, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sparring {
    format: u32,
    /// The opponent's name.
    pub opponent: String,
    /// The checksum of its network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub network: Option<String>,
    /// Its seat.
    pub seat: Seat,
    /// The share of games against it, in 0..=1.
    pub share: f64,
}

impl Sparring {
    /// The opponent of a new run; none if none is asked for. An error says what is wrong with the request.
    pub fn new(session: &dyn Session, wishes: &SparringWishes) -> Result<Option<Sparring>, Error> {
        let Some(agent) = &wishes.opponent else {
            return match (wishes.seat, wishes.share) {
                (None, None) => Ok(None),
                _ => Err(Error::new(
                    "a seat or a share needs an opponent, as in --opponent \"uct simulations=100\"",
                )),
            };
        };
        check(session)?;
        Ok(Some(Sparring {
            format: FORMAT,
            opponent: agent.to_string(),
            network: checksum(session, agent)?,
            seat: wishes.seat.unwrap_or(Seat::Second),
            share: wishes.share.unwrap_or(SPARRING_SHARE_DEFAULT),
        }))
    }

    /// The opponent in a folder, if there is one.
    pub fn find(folder: &Folder) -> Result<Option<Sparring>, Error> {
        let Some(bytes) = folder.read(SPARRING_FILE)? else { return Ok(None) };
        let wrong = |what: String| Error::new(format!("{}: {what}", folder.path(SPARRING_FILE).display()));
        let found: Sparring =
            serde_json::from_slice(&bytes).map_err(|error| wrong(format!("not an opponent: {error}")))?;
        match found.format == FORMAT {
            true => Ok(Some(found)),
            false => Err(wrong(format!("format {}: expected {FORMAT}", found.format))),
        }
    }

    /// An error if the request differs from this opponent, or if its network has changed since the run began.
    pub fn check(
        &self,
        workbench: &Workbench,
        session: &dyn Session,
        wishes: &SparringWishes,
    ) -> Result<(), Error> {
        let differs = |what: &str, own: &str, other: &str| {
            Err(Error::new(format!(
                "this run has {what} {own}, not {other}; leave it out to go on, or choose another folder by --out"
            )))
        };
        if let Some(other) =
            wishes.opponent.as_ref().map(AgentName::to_string).filter(|one| *one != self.opponent)
        {
            return differs("the opponent", &self.opponent, &other);
        }
        if let Some(seat) = wishes.seat.filter(|&seat| seat != self.seat) {
            return differs("the opponent's seat", self.seat.word(), seat.word());
        }
        if let Some(share) = wishes.share.filter(|&share| share != self.share) {
            return differs("the opponent's share", &self.share.to_string(), &share.to_string());
        }
        if checksum(session, &workbench.agent_name(&self.opponent)?)? != self.network {
            let opponent = &self.opponent;
            return Err(Error::new(format!(
                "{opponent}: its network has changed since the run began; restore it, or begin anew"
            )));
        }
        Ok(())
    }

    /// The game of a session with this opponent. `memory` is that of the run.
    pub fn lesson(
        &self,
        workbench: &Workbench,
        session: &dyn Session,
        memory: u64,
    ) -> Result<Arc<dyn Learnable>, Error> {
        let agent = workbench.agent_name(&self.opponent)?;
        let partner = Opponent {
            agent: victim(session, &agent, memory)?,
            turn: Turn::Player(self.seat.player()),
            games: (self.share * ROUND as f64).round() as u64,
        };
        Ok(Arc::new(lesson_with(session, Some(Arc::new(partner)))?))
    }

    /// The file of the opponent.
    pub fn to_bytes(&self) -> Vec<u8> {
        (serde_json::to_string_pretty(self).unwrap_or_default() + "\n").into_bytes()
    }
}

/// The opponent itself.
struct Opponent {
    agent: Victim,
    /// The turn at which it acts.
    turn: Turn,
    /// How many games of each round it plays.
    games: u64,
}

/// Whether the opponent plays the game of this number, if it plays this many of each round. Its games are spread evenly.
fn is_sparring(number: u64, games: u64) -> bool {
    let place = number % ROUND;
    place * games / ROUND != (place + 1) * games / ROUND
}

impl Partner<AnyGame> for Opponent {
    fn acts(&self, turn: Turn, number: u64) -> bool {
        turn == self.turn && is_sparring(number, self.games)
    }

    fn act(&self, game: &AnyGame, seed: u64) -> <AnyGame as Game>::Action {
        self.agent.play(game, seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_train::{NETWORK, Run, Training, Wishes};
    use std::path::PathBuf;
    use std::sync::atomic::AtomicBool;

    #[test]
    fn games_are_spread_evenly() {
        let played = |games: u64, from: u64, to: u64| (from..to).filter(|&n| is_sparring(n, games)).count();
        assert_eq!([0, 1, 25, 50, 100].map(|games| played(games, 0, 1_000)), [0, 10, 250, 500, 1_000]);
        assert_eq!((played(50, 0, 8), played(25, 40, 48)), (4, 2));
    }

    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let path = std::env::temp_dir().join(format!("aji-sparring-{name}-{}", std::process::id()));
            let _ = std::fs::remove_dir_all(&path);
            Place(path)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    fn trained(place: &Place, share: Option<f64>, iterations: &[usize]) -> (Vec<u8>, u64, u64) {
        let workbench = Workbench::new();
        let session = workbench.session("tic-tac-toe").unwrap();
        let opponent = share.map(|_| "exact".parse().unwrap());
        let wishes = SparringWishes { opponent, seat: Some(Seat::First).filter(|_| share.is_some()), share };
        let sparring = Sparring::new(&*session, &wishes).unwrap();
        let wishes = Wishes {
            game: Some("tic-tac-toe".into()),
            net: Some("conv channels=8 blocks=1".into()),
            agent: Some("gumbel simulations=4".into()),
            options: Some("games=40 batch=16 openings=0".into()),
            against: sparring.as_ref().map(Sparring::to_bytes),
            ..Wishes::default()
        };
        let run = Run::new(&wishes).unwrap();
        for &threads in iterations {
            let game = match &sparring {
                Some(sparring) => sparring.lesson(&workbench, &*session, run.memory).unwrap(),
                None => super::super::lesson(&*session).unwrap(),
            };
            let folder = Folder::open(&place.0).unwrap();
            let mut training = Training::open(folder, run.clone(), game, "").unwrap();
            training.iterate(threads, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap();
        }
        let journal = aji_train::Journal::read(&Folder::read_only(&place.0)).unwrap();
        let sum = |of: fn(&aji_train::Counts) -> u64| {
            journal.iterations.iter().map(|line| of(&line.counts)).sum::<u64>()
        };
        (std::fs::read(place.0.join(NETWORK)).unwrap(), sum(|counts| counts.positions), sum(|one| one.games))
    }

    /// Threads and interruptions change nothing. Against an opponent in every game there are half as many positions to
    /// learn from.
    #[test]
    fn a_network_learns_against_an_opponent() {
        let places = ["one", "two", "all", "none"].map(Place::new);
        let one = trained(&places[0], Some(0.5), &[1, 1]);
        assert!(one == trained(&places[1], Some(0.5), &[2, 1]), "threads change the network");
        let all = trained(&places[2], Some(1.0), &[2, 2]);
        let none = trained(&places[3], None, &[2, 2]);
        assert_eq!((all.2, none.2), (80, 80));
        // The opponent moves first: five of nine plies at most, and at least three of five.
        assert!(all.1 <= 4 * 80 && none.1 >= 5 * 80, "{} and {}", all.1, none.1);
        assert!(all.1 < one.1 && one.1 < none.1, "{} {} {}", all.1, one.1, none.1);
    }

    #[test]
    fn another_opponent_is_refused() {
        let workbench = Workbench::new();
        let session = workbench.session("tic-tac-toe").unwrap();
        let asked = |opponent: &str, seat, share| SparringWishes {
            opponent: (!opponent.is_empty()).then(|| opponent.parse().unwrap()),
            seat,
            share,
        };
        let sparring = Sparring::new(&*session, &asked("random", None, None)).unwrap().unwrap();
        assert_eq!((sparring.seat, sparring.share), (Seat::Second, SPARRING_SHARE_DEFAULT));
        let check = |wishes: SparringWishes, expect: &str| {
            let error = sparring.check(&workbench, &*session, &wishes).unwrap_err().to_string();
            assert!(error.contains(expect), "{error}");
        };
        check(asked("exact", None, None), "the opponent random, not exact");
        check(asked("", Some(Seat::First), None), "the opponent's seat second, not first");
        check(asked("random", None, Some(0.25)), "the opponent's share 0.5, not 0.25");
        sparring.check(&workbench, &*session, &asked("random", None, Some(0.5))).unwrap();
        let error = Sparring::new(&*session, &asked("", Some(Seat::First), None)).unwrap_err().to_string();
        assert!(error.contains("needs an opponent"), "{error}");
        assert!(Sparring::new(&*session, &asked("", None, None)).unwrap().is_none());
    }
}
