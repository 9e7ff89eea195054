//! What the commands that play games between agents share.

use super::counted;
use crate::output::{print, width, wrapped};
use crate::output_file::OutputFile;
use crate::progress::{self, Bar};
use crate::trials::Trials;
use crate::{numbers, stop};
use aji_catalog::{AgentName, thousands};
use aji_lab::contest::{Contest, Course, Extent, GAMES_DEFAULT, PairRecord, SavedGame};
use aji_lab::statistics::Interval;
use aji_lab::{Ending, Experiment};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;
use std::time::Duration;

/// The number of games, their openings, and the file to save them to.
#[derive(Args)]
pub struct Games {
    /// Games between two agents, in whole rounds: 2 games, 6 with three players, 8 with four [default: 100, rounded up]
    #[arg(long, value_name = "N", value_parser = numbers::count(1..=1_000_000_000))]
    games: Option<u64>,

    /// Begin each pair of games with K random plies that leave the game balanced [default: 2; 0 for one player]
    #[arg(long, value_name = "K", value_parser = numbers::count(0..=1_000))]
    openings: Option<u64>,

    /// Save the games to a file, one line each; `aji replay` shows them
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
}

/// The outcome of a contest.
pub struct Played {
    /// What its games add up to.
    pub course: Course,
    /// Why it ended.
    pub ending: Ending,
    /// The games that were asked for.
    pub planned: u64,
    /// The games of a round.
    round: u64,
    /// Whether saving the games succeeded. Ok if nobody asked for it.
    saved: Result<()>,
}

impl Played {
    /// Whether Ctrl-C ended it.
    pub fn is_interrupted(&self) -> bool {
        self.ending == Ending::Stopped
    }

    /// The games that were played.
    pub fn games(&self) -> u64 {
        self.round * self.course.rounds()
    }

    /// "60 games in pairs", "60 games in rounds of 6", or "interrupted after 12 of 60 games".
    pub fn told_games(&self) -> String {
        let games = thousands(self.games());
        match self.is_interrupted() {
            true => format!("interrupted after {games} of {}", counted(self.planned, "game")),
            false => format!("{} {}", counted(self.games(), "game"), grouping(self.round)),
        }
    }

    /// How much of the contest was played.
    pub fn extent(&self, contest: &Contest) -> Extent {
        let (players, planned_games) = (contest.players(), self.planned);
        Extent { players, planned_games, is_interrupted: self.is_interrupted() }
    }

    /// Prints the result, then returns the error of a file that could not be written.
    pub fn print(self, text: &str) -> Result<()> {
        let printed = print(text);
        self.saved.and(printed)
    }
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

    /// The plies of an opening, in a game of this many players.
    pub fn opening_plies(&self, players: usize) -> usize {
        self.openings.map_or_else(|| Contest::opening_plies_default(players), |plies| plies as usize)
    }

    /// The contest with its openings.
    pub fn opened(&self, contest: Contest) -> Result<Contest> {
        let plies = self.opening_plies(contest.players());
        Ok(contest.openings(plies)?)
    }

    /// Plays a contest with a progress bar, and saves its games if `--save` asks for it. None if this run played only a
    /// shard: its games are in the journal. `option` maps a parameter of the contest to its option.
    pub fn play(
        &self,
        contest: &Contest,
        trials: &Trials,
        option: &dyn Fn(&str) -> Option<String>,
    ) -> Result<Option<Played>> {
        let round = Contest::round_games(contest.players());
        let count = |trials: u64| format!("--games {}", round * trials / contest.pairings().len() as u64);
        trials.check_journal(contest, option, &count)?;
        let file = OutputFile::open_if("--save", self.save.as_ref())?;
        let mut lines = file.is_some().then(String::new);
        let (plan, seed) = (contest.plan(), trials.seed());
        let mut save = |trial: u64, record: &PairRecord| {
            let Some(lines) = &mut lines else { return };
            for game in &record.games {
                *lines += &(SavedGame::of(&plan, seed, trial, record, game).line() + "\n");
            }
        };
        let Some((course, ending)) = play(contest, trials, &mut save)? else { return Ok(None) };
        let saved = file.map_or(Ok(()), |file| file.write(&lines.unwrap_or_default()));
        Ok(Some(Played { course, ending, planned: round * contest.trials(), round, saved }))
    }
}

/// The option that a parameter of every contest comes from.
pub fn option_of(parameter: &str) -> Option<String> {
    let option = match parameter {
        "game" => "the game",
        "opening_plies" => "--openings",
        "sprt" => "--sprt",
        "equal_samples" => "--equal-samples",
        _ => return None,
    };
    Some(option.into())
}

/// Plays a contest, with a progress bar, and counts its games; `save` sees each round. None if this run played only a shard.
fn play(
    contest: &Contest,
    trials: &Trials,
    save: &mut (dyn FnMut(u64, &PairRecord) + Send),
) -> Result<Option<(Course, Ending)>> {
    let runner = trials.runner()?;
    // A range of later trials runs without the test, which is for whoever has the trials before them.
    let is_tested = contest.has_test() && runner.shard.is_prefix();
    if contest.has_test() && !runner.shard.is_range() {
        runner.check_prefix()?;
    }
    if !contest.is_repeatable() {
        progress::note(
            "an agent plays by the clock or is another program, so the same command may give other games next time",
        );
    }
    if let Some(cost) = contest.agents().iter().find_map(AgentName::cost) {
        progress::note(&cost);
    }
    let bar = Bar::new(rounds_word(contest.players()));
    let journal = runner.journal(contest, trials.journal())?;
    journal.as_ref().map_or(Ok(()), |journal| contest.keep_games(journal))?;
    let mut course = contest.course();
    let ending = runner.run_each(contest, journal, &bar, stop::flag(), &mut |trial, record| {
        course.add(record);
        save(trial, record);
        is_tested && course.is_decided()
    })?;
    drop(bar);
    if ending != Ending::Stopped {
        contest.forget_games();
    }
    if !runner.shard.is_whole() {
        if ending == Ending::Enough {
            let told = rounds_told(contest.players(), course.rounds());
            print(&format!("the test has decided after {told}; the journal ends there\n"))?;
        }
        progress::note(&format!(
            "shard {}: {} in its journal; join the shards with aji merge, then give the result as --journal",
            runner.shard,
            rounds_told(contest.players(), course.rounds())
        ));
        return Ok(None);
    }
    if ending == Ending::Stopped {
        let hint = if trials.journal().is_some() { "; the same command continues" } else { "" };
        let round = Contest::round_games(contest.players());
        let (games, planned) = (round * course.rounds(), round * contest.trials());
        progress::note(&format!(
            "interrupted after {} of {} games{hint}",
            thousands(games),
            thousands(planned)
        ));
    }
    Ok(Some((course, ending)))
}

/// What the trials of a contest are called.
fn rounds_word(players: usize) -> &'static str {
    if players <= 2 { "pairs of games" } else { "rounds of games" }
}

/// "1 pair of games", "20 rounds of games".
fn rounds_told(players: usize, count: u64) -> String {
    counted(count, if players <= 2 { "pair" } else { "round" }) + " of games"
}

/// How games come: "in pairs", "in rounds of 6".
fn grouping(round: u64) -> String {
    match round {
        2 => "in pairs".into(),
        games => format!("in rounds of {games}"),
    }
}

/// The note below a table that says what scores and Elo mean with three or four players. Empty with fewer.
pub fn ranks_note(contest: &Contest) -> String {
    let players = contest.players();
    if players <= 2 {
        return String::new();
    }
    let note = format!(
        "Scores of {players} players go by rank. Where one wins and the others lose alike, the losers tie: an agent that wins every \
         game scores {:.3}, not 1. Elo is not that of two players.",
        Contest::score_of_winner(players)
    );
    format!("\n{}", wrapped(&note, width()))
}

/// "(95%: 0.48 to 0.64)".
pub fn of_range(interval: &Interval, show: impl Fn(f64) -> String) -> String {
    format!("(95%: {} to {})", show(interval.low), show(interval.high))
}

/// A difference in Elo, which may be infinite.
pub fn elo(value: f64) -> String {
    if value.is_finite() {
        format!("{value:+.0}")
    } else {
        (if value > 0.0 { "+inf" } else { "-inf" }).into()
    }
}

/// ", 1.52 ms"; empty if the time is unknown.
pub fn time(time: Option<Duration>) -> String {
    let show = |time: Duration| match time.as_secs_f64() {
        seconds if seconds >= 1.0 => format!(", {seconds:.2} s"),
        seconds => format!(", {:.2} ms", seconds * 1e3),
    };
    time.map_or(String::new(), show)
}
