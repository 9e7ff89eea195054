//! Games between agents, in pairs: the same opening and the same seeds, with the sides swapped.
//!
//! A [`Contest`] is an experiment; its trial is a pair of games between two of its agents. Every pairing plays the
//! same openings. A match is a contest with one pairing, a tournament one with all pairings. In a game of one player,
//! both agents of a pair get the same start and the same luck. The one with the higher payoff wins both games of the
//! pair.
//!
//! In a game of three or four players a trial is a round. The first agent takes one seat and the second agent the
//! others, in every rotation; then the two change roles. So each agent sits in each seat equally often. Points go by
//! ranks ([`PairRecord::points`]), and every interval takes a round as one observation. If one player wins and all
//! others lose alike, the losers tie. An agent that always wins then scores less than 1 (7/8 with three players, 5/6
//! with four), and Elo differences are not those of two players.
//!
//! An agent with a clock (`time=`) or an external program (`gtp:`) does not play the same game twice, so its records
//! differ from run to run; the parameters say so (`repeatable`). A game that an agent resigns is the other's win.

mod course;
mod kept_games;
mod meeting;
mod opening;
mod pair_record;
mod plan;
mod saved_game;
mod standings;
mod table;
mod tally;
mod told;
mod tuning;
mod tuning_grid;

pub use course::{Course, CoursePoint};
pub use meeting::Meeting;
pub use opening::{OPENING_TRIES, OPENING_WIDTH};
pub use pair_record::{GameRecord, PairRecord};
pub use plan::{ContestKind, Plan};
pub use saved_game::{SavedGame, saved_games};
pub use standings::Standings;
pub use table::games_csv;
pub use tally::Tally;
pub use told::{Extent, ToldMatch, ToldTournament, ToldTuning};
pub use tuning::{TUNING_POINTS_MAX, Tuning, TuningRange};
pub use tuning_grid::{Tuned, TuningGrid};

use crate::statistics::{PairCounts, Sprt, Verdict};
use crate::{Error, Experiment, JournalWriter, Trial};
use aji_catalog::{AgentName, Method, Session, Workbench};
use aji_search::{Rng, Turn};
use kept_games::KeptGames;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// A longer game is an error.
pub const GAME_PLIES_MAX: usize = 1_000_000;

/// The standard number of games between two agents, before it is rounded up to whole rounds.
pub const GAMES_DEFAULT: u64 = 100;

/// The share of wrong decisions that the test of a match may make on either side.
pub const SPRT_ERROR: f64 = 0.05;

/// Agents that play each other.
pub struct Contest {
    name: String,
    workbench: Workbench,
    game: String,
    players: usize,
    agents: Vec<AgentName>,
    pairings: Vec<(usize, usize)>,
    rounds: u64,
    first_round: u64,
    opening_plies: usize,
    sprt: Option<Sprt>,
    equal_samples: bool,
    grid: Option<TuningGrid>,
    clocks: Vec<Clock>,
    kept: OnceLock<KeptGames>,
}

/// The time of an agent's moves in this run, and how often its program was restarted. This is reported beside the
/// records, never in them.
#[derive(Default)]
struct Clock {
    moves: AtomicU64,
    nanoseconds: AtomicU64,
    restarts: AtomicU64,
}

/// An agent at the board. Each has its own session, in which its search follows the game.
struct Seat<'a> {
    agent: usize,
    name: AgentName,
    session: Box<dyn Session>,
    clock: &'a Clock,
    moves: u64,
    simulations: u64,
    carried: u64,
}

impl Contest {
    /// Two agents in this many pairs of games.
    pub fn of_two(game: &str, a: AgentName, b: AgentName, pairs: u64) -> Result<Contest, Error> {
        Contest::new(game, vec![a, b], vec![(0, 1)], pairs)
    }

    /// Everyone against everyone, this many pairs of games each.
    pub fn round_robin(game: &str, agents: Vec<AgentName>, pairs: u64) -> Result<Contest, Error> {
        let pairings = Contest::all_pairings(agents.len());
        Contest::new(game, agents, pairings, pairs)
    }

    /// Everyone against everyone, by number.
    pub fn all_pairings(agents: usize) -> Vec<(usize, usize)> {
        (0..agents).flat_map(|a| (a + 1..agents).map(move |b| (a, b))).collect()
    }

    /// These pairings of agents, by index, each in this many rounds of a pair of games. Checks that every agent can
    /// play the game, which is one of ours.
    pub fn new(
        game: &str,
        agents: Vec<AgentName>,
        pairings: Vec<(usize, usize)>,
        rounds: u64,
    ) -> Result<Contest, Error> {
        Contest::on(&Workbench::new(), game, agents, pairings, rounds)
    }

    /// The same for a game and agents of a workbench.
    pub fn on(
        workbench: &Workbench,
        game: &str,
        agents: Vec<AgentName>,
        pairings: Vec<(usize, usize)>,
        rounds: u64,
    ) -> Result<Contest, Error> {
        let session = workbench.session(game)?;
        let players = session.players();
        if agents.len() < 2 || pairings.is_empty() || rounds == 0 {
            return Err(Error::new("a contest needs two agents and a pair of games at the least"));
        }
        let valid = |&(a, b): &(usize, usize)| a != b && a < agents.len() && b < agents.len();
        if let Some((a, b)) = pairings.iter().find(|pairing| !valid(pairing)) {
            return Err(Error::new(format!("agents {a} and {b} of {} cannot meet", agents.len())));
        }
        for agent in &agents {
            session.accepts(agent)?;
        }
        let clocks = agents.iter().map(|_| Clock::default()).collect();
        let game = session.name().to_string();
        let name = "contest".to_string();
        Ok(Contest {
            name,
            workbench: workbench.clone(),
            game,
            players,
            agents,
            pairings,
            rounds,
            first_round: 0,
            opening_plies: 0,
            sprt: None,
            equal_samples: false,
            grid: None,
            clocks,
            kept: OnceLock::new(),
        })
    }

    /// Starts each pair with this many random plies that leave the game balanced.
    pub fn openings(self, plies: usize) -> Result<Contest, Error> {
        if self.players == 1 && plies > 0 {
            return Err(Error::new(format!(
                "{}: a game of one player has no openings to balance",
                self.game
            )));
        }
        Ok(Contest { opening_plies: plies, ..self })
    }

    /// Ends a match as soon as this test has decided, by [`decided`](Contest::decided).
    pub fn sprt(self, sprt: Sprt) -> Contest {
        Contest { sprt: Some(sprt), ..self }
    }

    /// Gives the second agent of each pairing the simulations that the first has spent so far in the game. If the
    /// first stops early or continues longer, both still spend the same on average.
    pub fn equal_samples(self) -> Result<Contest, Error> {
        if self.players != 2 {
            return Err(Error::new(format!(
                "{}: samples are equalised in games of two players; it has {}",
                self.game, self.players
            )));
        }
        let is_program = |agent: &&AgentName| matches!(agent.method, Method::Program(_));
        if let Some(name) = self.agents.iter().find(is_program) {
            return Err(Error::new(format!(
                "{name}: a program does not report its samples, so they cannot be equalised"
            )));
        }
        let counted = |&(_, b): &(usize, usize)| self.agents[b].budget().simulations.is_some();
        if let Some(&(_, b)) = self.pairings.iter().find(|pairing| !counted(pairing)) {
            let name = &self.agents[b];
            return Err(Error::new(format!("{name}: to equalise samples it needs simulations=")));
        }
        Ok(Contest { equal_samples: true, ..self })
    }

    /// Numbers the rounds from this one on. Openings and seeds depend on the number. So a contest that continues
    /// where another ended plays different games.
    pub fn first_round(self, first_round: u64) -> Contest {
        Contest { first_round, ..self }
    }

    /// Names the experiment.
    pub fn named(self, name: &str) -> Contest {
        Contest { name: name.into(), ..self }
    }

    /// The agents but the last differ in the values of an option.
    pub(crate) fn tuning(self, grid: TuningGrid) -> Contest {
        Contest { grid: Some(grid), ..self }.named(ContestKind::Tuning.word())
    }

    /// What its journal says of it.
    pub fn plan(&self) -> Plan {
        Plan {
            game: self.game.clone(),
            agents: self.agents.iter().map(AgentName::to_string).collect(),
            pairings: self.pairings.clone(),
            opening_plies: self.opening_plies,
            sprt: self.sprt,
            equal_samples: self.equal_samples,
            first_round: self.first_round,
            repeatable: self.is_repeatable(),
            option: self.grid.as_ref().map(|grid| grid.option.clone()),
            values: self.grid.as_ref().map(|grid| grid.labels.clone()),
        }
    }

    /// Keeps the finished games of unfinished rounds in a file beside this journal, and takes those of a run that was
    /// killed from there.
    pub fn keep_games(&self, journal: &JournalWriter) -> Result<(), Error> {
        let kept = KeptGames::beside(journal.journal())?;
        self.kept.get_or_init(|| kept);
        Ok(())
    }

    /// Removes that file, once the journal has every round.
    pub fn forget_games(&self) {
        if let Some(kept) = self.kept.get() {
            kept.remove();
        }
    }

    /// Begins to count its rounds.
    pub fn course(&self) -> Course {
        Course::new(&self.plan(), self.rounds)
    }

    /// The standard number of random plies that open a game of this many players.
    pub fn opening_plies_default(players: usize) -> usize {
        if players == 1 { 0 } else { 2 }
    }

    /// The game, with its options.
    pub fn game(&self) -> &str {
        &self.game
    }

    /// The number of players of the game.
    pub fn players(&self) -> usize {
        self.players
    }

    /// The games of a round between two agents, in a game of this many players.
    pub fn round_games(players: usize) -> u64 {
        if players <= 2 { 2 } else { 2 * players as u64 }
    }

    /// The score of an agent that wins every game of this many players, if one player wins and all others lose alike.
    /// The losers tie, so the agent's other seats get only half points: 1 with two players, 7/8 with three, 5/6 with
    /// four.
    pub fn score_of_winner(players: usize) -> f64 {
        if players <= 2 {
            return 1.0;
        }
        let own = (players - 1) as f64;
        let (alone, among_own) = (1.0, (1.0 + 0.5 * (own - 1.0)) / own);
        (alone + among_own) / 2.0
    }

    /// Who plays.
    pub fn agents(&self) -> &[AgentName] {
        &self.agents
    }

    /// The pairings, by index of the agents.
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// Whether a test may end it early.
    pub fn has_test(&self) -> bool {
        self.sprt.is_some()
    }

    /// Whether the test has decided after these pairs. Never without a test.
    pub fn decided(&self, records: &[PairRecord]) -> bool {
        self.sprt.is_some_and(|sprt| {
            let points: Vec<f64> = records.iter().map(|record| record.points().iter().sum()).collect();
            let counts = PairCounts::of_points(&points).unwrap_or_default();
            sprt.of_pairs(counts).verdict != Verdict::Undecided
        })
    }

    /// The mean wall time of an agent's moves in this run; none before its first move.
    pub fn time_of_move(&self, agent: usize) -> Option<Duration> {
        let clock = self.clocks.get(agent)?;
        let mean = clock.nanoseconds.load(Ordering::Relaxed).checked_div(clock.moves.load(Ordering::Relaxed));
        mean.map(Duration::from_nanos)
    }

    /// How often an agent's programs were restarted in this run.
    pub fn restarts(&self, agent: usize) -> u64 {
        self.clocks.get(agent).map_or(0, |clock| clock.restarts.load(Ordering::Relaxed))
    }

    /// Whether the same seed gives the same games: no agent has a clock or is an external program.
    pub fn is_repeatable(&self) -> bool {
        let repeats = |agent: &AgentName| agent.time.is_none() && !matches!(agent.method, Method::Program(_));
        self.agents.iter().all(repeats)
    }

    /// The pairing of a trial, and its round.
    fn place(&self, trial: u64) -> (usize, u64) {
        let pairings = self.pairings.len() as u64;
        ((trial % pairings) as usize, self.first_round + trial / pairings)
    }

    /// Seats agents at a new board, and plays the opening.
    fn seat(&self, agents: &[usize], round: Trial, opening: &[String]) -> Result<Vec<Seat<'_>>, Error> {
        let seat = |(seat, &agent): (usize, &usize)| {
            let mut session = self.workbench.session(&self.game)?;
            for action in opening {
                session.play(action)?;
            }
            let mut name = self.agents[agent].clone();
            name.seed = round.seed_of(&format!("agent {agent} of seed {}", name.seed));
            if self.players > 2 {
                // An agent may sit in several seats, and should not play the same moves in them.
                name.seed = round.seed_of(&format!("agent {agent} of seed {} in seat {seat}", name.seed));
            }
            Ok(Seat {
                agent,
                name,
                session,
                clock: &self.clocks[agent],
                moves: 0,
                simulations: 0,
                carried: 0,
            })
        };
        agents.iter().enumerate().map(seat).collect()
    }

    /// The simulations of the follower's next move. They bring its total to the leader's over the same number of
    /// moves. Moves that the leader has not made yet count as the follower's own budget.
    fn allowance(&self, leader: &Seat, follower: &Seat) -> u64 {
        let own = self.agents[follower.agent].budget().simulations.unwrap_or(0);
        let ahead = (follower.moves + 1).saturating_sub(leader.moves);
        (leader.simulations + ahead * own).saturating_sub(follower.simulations).max(1)
    }

    /// Plays one game. The first agent begins; the follower is the one whose samples are equalised.
    fn play(
        &self,
        agents: &[usize],
        follower: usize,
        round: Trial,
        opening: &[String],
    ) -> Result<GameRecord, Error> {
        let mut seats = self.seat(agents, round, opening)?;
        let mut luck = Rng::seeded(round.seed_of("luck"));
        let mut moves = Vec::new();
        let payoff = loop {
            if moves.len() > GAME_PLIES_MAX {
                return Err(Error::new(format!("{}: no end after {GAME_PLIES_MAX} plies", self.game)));
            }
            let mover = match seats[0].session.turn() {
                Turn::Over => break seats[0].session.payoff().unwrap_or_default(),
                Turn::Chance => None,
                Turn::Player(player) => Some(usize::from(player)),
            };
            let chosen = match mover {
                Some(player) => {
                    if self.equal_samples && seats[player].agent == follower {
                        let allowed = self.allowance(&seats[1 - player], &seats[player]);
                        seats[player].name.simulations = Some(allowed);
                    }
                    seats[player].choose()?
                }
                None => seats[0].session.draw_chance(&mut luck),
            };
            let Some(action) = chosen else {
                for seat in &mut seats {
                    seat.session.resign()?;
                }
                continue;
            };
            // If chance acted, the first board has already played it.
            for seat in seats.iter_mut().skip(usize::from(mover.is_none())) {
                seat.session.play(&action)?;
            }
            moves.push(action);
        };
        let count = |count: fn(&Seat) -> u64| seats.iter().map(count).collect();
        Ok(GameRecord {
            agents: agents.to_vec(),
            payoffs: (0..agents.len()).map(|seat| f64::from(payoff.of(seat as u8))).collect(),
            choices: count(|seat| seat.moves),
            simulations: count(|seat| seat.simulations),
            carried: count(|seat| seat.carried),
            moves,
            resigned: seats[0].session.resigned().map(usize::from),
        })
    }
}

impl Seat<'_> {
    /// The action, or none if the agent resigns.
    fn choose(&mut self) -> Result<Option<String>, Error> {
        let restarts = self.session.restarts();
        let report = self.session.think(&self.name, &mut ())?;
        self.clock.restarts.fetch_add(self.session.restarts().saturating_sub(restarts), Ordering::Relaxed);
        self.moves += 1;
        self.simulations += report.simulations;
        let pulls: u64 = report.arms.iter().map(|arm| u64::from(arm.pulls)).sum();
        self.carried += pulls.saturating_sub(report.simulations);
        self.clock.moves.fetch_add(1, Ordering::Relaxed);
        self.clock.nanoseconds.fetch_add(report.time.as_nanos() as u64, Ordering::Relaxed);
        Ok(report.best)
    }
}

impl Experiment for Contest {
    type Record = PairRecord;

    fn name(&self) -> String {
        self.name.clone()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::to_value(self.plan()).expect("text and finite numbers")
    }

    fn trials(&self) -> u64 {
        self.rounds * self.pairings.len() as u64
    }

    fn is_stoppable(&self) -> bool {
        self.workbench.is_stoppable()
    }

    fn run(&self, trial: Trial) -> Result<PairRecord, Error> {
        let (pairing, round) = self.place(trial.id);
        let (a, b) = self.pairings[pairing];
        let round = Trial { id: round, seed: trial.seed };
        let opening =
            opening::balanced(&self.workbench, &self.game, self.opening_plies, round.seed_of("opening"))?;
        let lineups = lineups(self.players, a, b);
        let last = lineups.len() - 1;
        let play = |(number, seats): (usize, Vec<usize>)| {
            if let Some(game) = self.kept.get().and_then(|kept| kept.game(trial.id, number)) {
                return Ok(game);
            }
            let game = self.play(&seats, b, round, &opening)?;
            // The round's record follows its last game. A stopped agent may have spoilt the game.
            if let Some(kept) = self.kept.get().filter(|_| number < last && !self.workbench.is_stopped()) {
                kept.keep(trial.id, number, &game)?;
            }
            Ok(game)
        };
        let games = lineups.into_iter().enumerate().map(play).collect::<Result<_, Error>>()?;
        Ok(PairRecord { pairing, opening, games })
    }
}

/// Who sits where in each game of a round between a and b.
fn lineups(players: usize, a: usize, b: usize) -> Vec<Vec<usize>> {
    if players == 1 {
        return vec![vec![a], vec![b]];
    }
    let rotations = |one: usize, others: usize| {
        (0..players)
            .map(move |place| (0..players).map(|seat| if seat == place { one } else { others }).collect())
    };
    // With two players, the rotations of both agents are the same.
    rotations(a, b).chain(rotations(b, a).filter(|_| players > 2)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_sits_everywhere_equally_often() {
        assert_eq!(lineups(1, 3, 5), [[3], [5]]);
        assert_eq!(lineups(2, 3, 5), [[3, 5], [5, 3]]);
        assert_eq!(lineups(3, 3, 5)[..4], [[3, 5, 5], [5, 3, 5], [5, 5, 3], [5, 3, 3]]);
        for players in 1..=4 {
            let lineups = lineups(players, 3, 5);
            assert_eq!(lineups.len() as u64, Contest::round_games(players));
            for seat in 0..players {
                let own = lineups.iter().filter(|lineup| lineup[seat] == 3).count();
                assert_eq!(2 * own, lineups.len(), "seat {seat} of {players}");
            }
        }
    }
}
