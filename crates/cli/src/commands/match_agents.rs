//! `aji match`: two agents against each other, in pairs of games.

use super::GameName;
use super::contest::{self, Games, Played, elo, of_range, time};
use crate::output::text_table;
use crate::stop;
use crate::trials::Trials;
use aji_catalog::{Method, Workbench, thousands};
use aji_lab::Ending;
use aji_lab::contest::{Contest, ContestKind, Meeting, SPRT_ERROR, Tally, ToldMatch};
use aji_lab::statistics::{Decision, Sprt, Verdict};
use aji_search::bandit::decimal_number;
use anyhow::{Result, anyhow, bail};
use clap::Args;

/// Play two agents against each other: score, Elo and confidence intervals
#[derive(Args)]
#[command(
    name = "match",
    after_help = "Games come in pairs: the same opening and seeds, with the sides swapped. In a game of one player both agents get the same
start and the same random numbers, and the higher payoff wins the pair. Intervals are at 95%, over pairs. With three or
four players games come in rounds: a alone against b's, once in every seat, then b alone against a's. The score of a is
the share of b's that it finishes ahead of.

Examples:
  aji match connect-four --a \"uct c=0.7\" --b \"uct\" --games 400
  aji match othello --a \"uct solver=on\" --b \"uct\" --games 2000 --sprt 0,20 --journal solver.jsonl
  aji match hex --a \"uct time=100ms\" --b \"flat time=100ms\" --games 50 --openings 4 --json
  aji match go --a uct --b \"gtp: gnugo --mode gtp --chinese-rules --capture-all-dead --positional-superko\" --games 20"
)]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// The first agent
    #[arg(long, value_name = "NAME")]
    a: String,

    /// The second agent
    #[arg(long, value_name = "NAME")]
    b: String,

    #[command(flatten)]
    games: Games,

    /// Stop as soon as a sequential test decides (5% error on each side) whether a is ELO0 or ELO1 above b
    #[arg(long, value_name = "ELO0,ELO1", value_parser = sprt, allow_hyphen_values = true)]
    sprt: Option<Sprt>,

    /// Give b the simulations that a has spent over the moves so far: if a stops early, both still spend the same on
    /// average
    #[arg(long)]
    equal_samples: bool,

    #[command(flatten)]
    trials: Trials,

    /// One JSON object
    #[arg(long)]
    json: bool,
}

fn sprt(text: &str) -> Result<Sprt, String> {
    let expected = || "expected two differences in Elo, the lower first, such as 0,20".to_string();
    let (low, high) = text.split_once(',').ok_or_else(expected)?;
    let read = |text: &str| decimal_number(text.trim()).ok_or_else(expected);
    Sprt::new(read(low)?, read(high)?, SPRT_ERROR, SPRT_ERROR).ok_or_else(expected)
}

pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let game = options.game.checked(workbench)?;
    let agents = vec![workbench.agent_name(&options.a)?, workbench.agent_name(&options.b)?];
    let players = workbench.session(&game)?.players();
    if players > 2 && options.sprt.is_some() {
        bail!("--sprt: the test is for games of one or two players, and {game} has {players}");
    }
    let rounds = options.games.rounds(players)?;
    let workbench = &workbench.clone().stopped_by(stop::flag());
    let contest = Contest::on(workbench, &game, agents, vec![(0, 1)], rounds)?;
    let contest = options.games.opened(contest)?.named(ContestKind::Match.word());
    let contest = if options.equal_samples { contest.equal_samples()? } else { contest };
    let contest = match options.sprt {
        Some(sprt) => contest.sprt(sprt),
        None => contest,
    };
    let Some(played) = options.games.play(&contest, &options.trials, &option_of)? else { return Ok(()) };
    let meeting = played
        .course
        .tallies()
        .first()
        .and_then(Tally::meeting)
        .ok_or_else(|| anyhow!("interrupted before a pair of games ended"))?;
    let decision = options.sprt.map(|sprt| sprt.of_pairs(meeting.pairs));
    let text = match (options.sprt, decision) {
        _ if options.json => json_of(&contest, &played, &meeting)?.to_string() + "\n",
        (Some(sprt), Some(decision)) => told(&contest, &meeting, &played) + &decision_told(sprt, decision),
        _ => told(&contest, &meeting, &played),
    };
    played.print(&text)
}

/// The option that a parameter of a match comes from.
fn option_of(parameter: &str) -> Option<String> {
    match parameter {
        "agents[0]" => Some("--a".into()),
        "agents[1]" => Some("--b".into()),
        other => contest::option_of(other),
    }
}

fn json_of(contest: &Contest, played: &Played, meeting: &Meeting) -> Result<serde_json::Value> {
    let restarts = [contest.restarts(0), contest.restarts(1)];
    let told = ToldMatch { restarts, ..ToldMatch::new(&contest.plan(), played.extent(contest), meeting) };
    Ok(serde_json::to_value(told)?)
}

fn told(contest: &Contest, meeting: &Meeting, played: &Played) -> String {
    let score = &meeting.score;
    let agent = |number: usize| contest.agents()[number].to_string();
    let per_move = |number: usize| {
        let simulations = thousands(meeting.simulations[number].round() as u64);
        let carried = match meeting.carried[number].round() as u64 {
            0 => String::new(),
            carried => format!(" and {} reused", thousands(carried)),
        };
        let time = time(contest.time_of_move(number));
        if matches!(contest.agents()[number].method, Method::Program(_) | Method::Random) {
            return time.trim_start_matches(", ").to_string();
        }
        let unit = match contest.agents()[number].method {
            Method::Exact | Method::AlphaBeta(_) => "positions",
            _ => "simulations",
        };
        format!("{simulations} {unit}{carried}{time}")
    };
    let mut rows = vec![
        vec!["a".into(), agent(0)],
        vec!["b".into(), agent(1)],
        vec!["a wins".into(), thousands(meeting.games.wins)],
        vec!["b wins".into(), thousands(meeting.games.losses)],
        vec!["draws".into(), thousands(meeting.games.draws)],
        vec![
            "score of a".into(),
            format!("{:.3}  {}", score.score, of_range(&score.interval, |s| format!("{s:.3}"))),
        ],
        vec!["Elo".into(), format!("{}  {}", elo(score.elo), of_range(&score.elo_interval, elo))],
        vec!["margin".into(), margin(meeting)],
        vec!["a, per move".into(), per_move(0)],
        vec!["b, per move".into(), per_move(1)],
        vec!["plies".into(), format!("{:.1} per game", meeting.plies)],
        vec!["duplicates".into(), duplicates(contest, meeting)],
    ];
    if meeting.resigned != [0; 2] {
        let [a, b] = meeting.resigned.map(thousands);
        rows.push(vec!["resigned".into(), format!("{a} games by a, {b} by b; each counts as a margin of 1")]);
    }
    if [0, 1].iter().any(|&number| contest.restarts(number) > 0) {
        let [a, b] = [0, 1].map(|number| thousands(contest.restarts(number)));
        rows.push(vec!["restarts".into(), format!("{a} of a's program, {b} of b's, in this run")]);
    }
    let ended = if played.ending == Ending::Enough { ", ended by the test" } else { "" };
    let head = format!("{}, {}{ended}\n\n", contest.game(), played.told_games());
    head + &text_table(rows) + &contest::ranks_note(contest)
}

fn margin(meeting: &Meeting) -> String {
    let margin = &meeting.margin;
    let error = if margin.error.is_finite() {
        format!(" ± {:.3} (standard error)", margin.error)
    } else {
        String::new()
    };
    format!("{:.3}{error} per game", margin.value)
}

fn duplicates(contest: &Contest, meeting: &Meeting) -> String {
    match meeting.duplicates {
        0 => "none".into(),
        some => {
            let hint = if contest.players() > 1 { "; a larger --openings prevents this" } else { "" };
            let (some, games) = (thousands(some), thousands(meeting.score.games));
            format!("{some} of {games} games repeat an earlier game{hint}")
        }
    }
}

fn decision_told(sprt: Sprt, decision: Decision) -> String {
    let (bounds, [low, high]) = (sprt.bounds(), sprt.hypotheses());
    let verdict = match decision.verdict {
        Verdict::AcceptH1 => format!("a difference of {high} Elo fits these games better than {low}"),
        Verdict::AcceptH0 => format!("a difference of {low} Elo fits these games better than {high}"),
        Verdict::Undecided => "not decided by these games".into(),
    };
    let ratio = decision.log_likelihood_ratio;
    format!(
        "\n{verdict} (log-likelihood ratio {ratio:.2}, decided at {:.2} and {:.2})\n",
        bounds.low, bounds.high
    )
}
