//! What the commands that play games between agents share.

use crate::progress::{self, Bar};
use crate::stop;
use crate::trials::Trials;
use aji_lab::contest::{Contest, PairRecord, saved_games};
use aji_lab::statistics::Interval;
use aji_lab::{Ending, Outcome};
use anyhow::{Context, Result, bail};
use clap::Args;
use std::fs;
use std::path::PathBuf;
use std::time::Duration;

/// The random plies that a game of two players begins with, where none are given.
const OPENING_PLIES_DEFAULT: u64 = 2;

/// The games of two agents, where none are given.
const GAMES_DEFAULT: u64 = 100;

/// How many games, from where, and where to.
#[derive(Args)]
pub struct Games {
    /// Games of two agents, in whole rounds: 2 games, or 6 of three players and 8 of four [default: 100, or the next above]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000_000))]
    games: Option<u64>,

    /// Begin each pair with K random plies that leave the game balanced [default: 2; 0 for one player]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u64).range(0..=1_000))]
    openings: Option<u64>,

    /// Save the games to a file, one line each; `aji replay` shows them
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

impl Games {
    /// The rounds of games between two agents, in a game of this many players.
    pub fn rounds(&self, players: usize) -> Result<u64> {
        let round = Contest::round_games(players);
        let games = self.games.unwrap_or(GAMES_DEFAULT.next_multiple_of(round));
        let next = games.next_multiple_of(round);
        match round {
            _ if next == games => Ok(games / round),
            2 => bail!("--games {games}: games come in pairs, so give an even number, such as {next}"),
            _ => bail!(
                "--games {games}: a round of {players} players has {round} games, so give a multiple of it, such as {next}"
            ),
        }
    }

    /// The plies of an opening, in a game of so many players.
    pub fn opening_plies(&self, players: usize) -> usize {
        let standard = if players == 1 { 0 } else { OPENING_PLIES_DEFAULT };
        self.openings.unwrap_or(standard) as usize
    }

    /// The contest with its openings.
    pub fn opened(&self, contest: Contest) -> Result<Contest> {
        let plies = self.opening_plies(contest.players());
        Ok(contest.openings(plies)?)
    }

    /// Saves the games, if that was asked for.
    pub fn save(&self, contest: &Contest, seed: u64, records: &[(u64, PairRecord)]) -> Result<()> {
        let Some(path) = &self.save else { return Ok(()) };
        let lines: String =
            saved_games(contest, seed, records).iter().map(|game| game.line() + "\n").collect();
        fs::write(path, lines).with_context(|| format!("cannot write {}", path.display()))
    }
}

/// Plays a contest, with a bar. None if only a shard of it was played: its games are in the journal.
pub fn play(contest: &Contest, trials: &Trials, until_decided: bool) -> Result<Option<Outcome<PairRecord>>> {
    let runner = trials.runner()?;
    if !contest.is_repeatable() {
        progress::note(
            "an agent plays by the clock or is another program, so the same command may give other games next time",
        );
    }
    let bar = Bar::new(rounds_word(contest.players()));
    let outcome = if until_decided {
        let enough = &mut |records: &[PairRecord]| contest.decided(records);
        runner.run_until(contest, trials.journal(), &bar, stop::flag(), enough)?
    } else {
        runner.run(contest, trials.journal(), &bar, stop::flag())?
    };
    drop(bar);
    if runner.shard.count() > 1 {
        progress::note(&format!(
            "shard {}: {} {} in its journal; join the shards with aji merge, then give the result as --journal",
            runner.shard,
            outcome.records.len(),
            rounds_word(contest.players())
        ));
        return Ok(None);
    }
    if outcome.ending == Ending::Stopped {
        let hint = if trials.journal().is_some() { "; the same command goes on" } else { "" };
        let rounds = rounds_word(contest.players());
        progress::note(&format!("stopped after {} {rounds}{hint}", outcome.records.len()));
    }
    Ok(Some(outcome))
}

/// What the trials of a contest are called.
fn rounds_word(players: usize) -> &'static str {
    if players <= 2 { "pairs of games" } else { "rounds of games" }
}

/// How the games of a contest come: "in pairs", "in rounds of 6".
pub fn grouping(contest: &Contest) -> String {
    match Contest::round_games(contest.players()) {
        2 => "in pairs".into(),
        games => format!("in rounds of {games}"),
    }
}

/// "(95%: 0.48 to 0.64)".
pub fn of_range(interval: &Interval, show: impl Fn(f64) -> String) -> String {
    format!("(95%: {} to {})", show(interval.low), show(interval.high))
}

/// A difference in Elo, which may be without end.
pub fn elo(value: f64) -> String {
    if value.is_finite() {
        format!("{value:+.0}")
    } else {
        (if value > 0.0 { "+inf" } else { "-inf" }).into()
    }
}

/// ", 1.52 ms", if it is known.
pub fn time(time: Option<Duration>) -> String {
    let show = |time: Duration| match time.as_secs_f64() {
        seconds if seconds >= 1.0 => format!(", {seconds:.2} s"),
        seconds => format!(", {:.2} ms", seconds * 1e3),
    };
    time.map_or(String::new(), show)
}
