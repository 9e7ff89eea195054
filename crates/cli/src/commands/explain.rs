//! `aji explain`: the four phases of each simulation, in words.

use super::{Position, counted, outcome_of, state};
use crate::output::{labelled, print, table, text_table, width_or, wrapped};
use crate::{numbers, progress, stop};
use aji_catalog::thousands;
use aji_catalog::{
    AgentName, Explanation, STEPS_MAX, Session, ToldArm, ToldChoice, ToldSimulation, Workbench,
};
use aji_search::{Expansion, Player};
use anyhow::Result;
use clap::Args;
use serde::Serialize;

/// Show what happens in each simulation of a search
#[derive(Args)]
#[command(after_help = "Examples:
  aji explain tic-tac-toe
  aji explain connect-four --moves \"d d\" --skip 500 --steps 3
  aji explain tic-tac-toe --position \"x.o/.x./..o x\" --agent \"uct c=0.7\" --json

Select goes down the tree: UCB1 to the highest bound, mean + c sqrt(ln n / pulls); PUCT to the highest score, mean +
c prior sqrt(n) / (1 + pulls). Expand adds the actions of the leaf; simulate plays on at random; back up averages the
result into the path. Means are from the view of the player who acts. The simulations are the same as those of `aji search` with the same agent.")]
pub struct Options {
    #[command(flatten)]
    position: Position,

    /// The position to start from, in the game's one-line notation
    #[arg(long = "position", value_name = "TEXT")]
    from: Option<String>,

    /// Simulations to show
    #[arg(long, value_name = "N", default_value_t = 12, value_parser = numbers::count(1..=STEPS_MAX))]
    steps: u64,

    /// Simulations to run first, without showing them
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = numbers::count(0..=SKIP_MAX))]
    skip: u64,

    /// Who searches; its simulations= and time= are ignored
    #[arg(long, value_name = "NAME", default_value = "uct")]
    agent: String,

    /// One JSON object: {game, agent, position, simulations, arms}
    #[arg(long)]
    json: bool,
}

/// The most simulations that can be skipped: no more than a minute's wait.
const SKIP_MAX: u64 = 10_000_000;

#[derive(Serialize)]
struct Told<'a> {
    game: &'a str,
    agent: String,
    position: String,
    #[serde(flatten)]
    explanation: &'a Explanation,
}

/// Runs the simulations and prints what happened.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let agent = workbench.agent_name(&options.agent)?;
    let mut session = options.position.open(workbench, options.from.as_deref())?;
    let searching = stop::searching(session.stop_handle());
    let explanation = session.explain(&agent, options.skip, options.steps)?;
    drop(searching);
    if stop::is_asked() {
        let skipped = explanation.simulations.first().map_or(options.skip, |told| u64::from(told.number) - 1);
        let all = thousands(options.skip);
        progress::note(&format!("interrupted: {} of {all} simulations were skipped", thousands(skipped)));
    }
    let (game, position) = (session.name(), session.text());
    print(&if options.json {
        let told = Told { game, agent: agent.to_string(), position, explanation: &explanation };
        serde_json::to_string(&told)? + "\n"
    } else {
        text(session.as_ref(), &agent, &explanation)
    })
}

fn text(session: &dyn Session, agent: &AgentName, explanation: &Explanation) -> String {
    let head = wrapped(&format!("{}, {agent}", session.name()), text_width());
    let mut text = format!("{head}\n{}\n{}\n", session.board(), state(session));
    let mut rest = &explanation.simulations[..];
    while let Some(first) = rest.first() {
        // The first simulation is shown in full. The first tries that follow are all alike.
        let alike = rest.iter().take_while(|told| told.number > 1 && is_first_try(told)).count();
        text.push('\n');
        text += &if alike > 1 { first_tries(session, &rest[..alike]) } else { in_full(session, first) };
        rest = &rest[alike.max(1)..];
    }
    // Other rules may leave actions untried for as long as they like.
    let tries_all = agent.search().is_some_and(|search| search.root_rule().about().tries_all_first);
    text + &root(explanation, tries_all)
}

/// True for a simulation that only tries one of the root's actions for the first time.
fn is_first_try(told: &ToldSimulation) -> bool {
    matches!(&told.path[..], [choice] if choice.before().pulls == 0)
}

/// First tries of the root's actions, a line each.
fn first_tries(session: &dyn Session, tries: &[ToldSimulation]) -> String {
    let (first, last) = (tries[0].number, tries[tries.len() - 1].number);
    let rows = tries.iter().map(|told| {
        let choice = &told.path[0];
        let moves = match &told.playout {
            Some(moves) if moves.is_empty() => "ends the game".into(),
            Some(moves) => counted(moves.len() as u64, "random move"),
            None if told.playout_share == Some(0.0) => "valued by the network".into(),
            None => "moves not told".into(),
        };
        let mean = format!("mean {:.2}", choice.mean_after);
        vec![format!("  {:>4}", told.number), choice.action.clone(), moves, ending(session, told), mean]
    });
    let heading =
        format!("simulations {first} to {last}: other actions of the root are tried for the first time");
    wrapped(&heading, text_width()) + &text_table(rows)
}

/// A simulation, a paragraph a phase, with the board where the playout starts.
fn in_full(session: &dyn Session, told: &ToldSimulation) -> String {
    let is_opened = matches!(told.expansion, Expansion::Opened(_)) && told.playout_share.is_none();
    let (selected, tried) = told.path.split_at(told.path.len() - usize::from(is_opened));
    let mut text = format!("simulation {}\n", told.number);
    for (depth, choice) in selected.iter().enumerate() {
        text += &entry(if depth == 0 { "select" } else { "" }, &selection(choice));
    }
    text += &entry("expand", &expansion(told.expansion, tried));
    text += &told.board.lines().map(|line| format!("{:INDENT$}{line}\n", "")).collect::<String>();
    text += &entry("simulate", &playout(session, told));
    text + &entry("back up", &back_up(session, told))
}

/// How many of the best other actions a selection shows.
const OTHERS_MAX: usize = 3;

/// Which action was taken, and why.
fn selection(choice: &ToldChoice) -> String {
    let ToldChoice { player, action, arms, .. } = choice;
    if player == "chance" {
        return format!("chance draws {action} (of {} outcomes)", arms.len());
    }
    if player.ends_with(" (predicted)") {
        return format!("{player} takes {action}");
    }
    let before = choice.before();
    // PUCT scores an untried action as it does others.
    let is_scored =
        choice.rule.as_ref().is_some_and(|rule| rule.rule.starts_with("puct")) && before.score.is_some();
    if before.mean.is_none() && !is_scored {
        return format!("{player} takes {action}, {}", among_untried(choice));
    }
    if arms.len() == 1 {
        return format!("{player} takes {action}, the only action");
    }
    let named = |name: &str, number: Option<f32>| match number {
        Some(number) => format!(", {name} {number:.2}"),
        None => String::new(),
    };
    let prior = before.prior.map_or(String::new(), |prior| format!(", prior {}", digits(prior)));
    let numbers =
        named("mean", before.mean) + &prior + &named("bound", before.bound) + &named("score", before.score);
    let equals = arms.iter().filter(|arm| arm.bound.is_some() && arm.bound == before.bound).count();
    let equals = if equals > 1 { format!(", first of {equals} equals") } else { String::new() };
    let pulls = times(before.pulls, "pull");
    // Rules that compare no number say how they choose.
    let how = match before.bound.or(before.score) {
        Some(_) => String::new(),
        None => before.filled.iter().map(|line| format!("; {}", line.trim_end_matches('.'))).collect(),
    };
    format!("{player} takes {action} ({pulls}{numbers}{equals}); {}{how}", others(choice))
}

fn others(choice: &ToldChoice) -> String {
    let number = |arm: &ToldArm| arm.score.or(arm.bound).or(arm.mean);
    let look = |arm: &ToldArm| number(arm).unwrap_or(f32::NEG_INFINITY);
    let mut others: Vec<&ToldArm> = choice.arms.iter().filter(|arm| arm.action != choice.action).collect();
    others.sort_by(|a, b| look(b).total_cmp(&look(a)));
    let shown = others.iter().take(OTHERS_MAX).map(|arm| match number(arm) {
        Some(number) => format!("{} {number:.2}", arm.action),
        None => format!("{} untried", arm.action),
    });
    let more = if others.len() > OTHERS_MAX { ", ..." } else { "" };
    format!("others: {}{more}", shown.collect::<Vec<_>>().join(", "))
}

/// The place of an action among the untried ones.
fn among_untried(choice: &ToldChoice) -> String {
    let is_untried = |arm: &&ToldArm| arm.pulls == 0;
    if let Some(prior) = choice.before().prior {
        let others: Vec<&ToldArm> = choice.arms.iter().filter(is_untried).collect();
        let is_highest = others.iter().all(|arm| arm.prior.unwrap_or(0.0) <= prior);
        let why = match (choice.has_noise, is_highest) {
            (true, _) => "which its prior and the noise chose",
            (false, true) => "which has the highest prior",
            (false, false) => "which the rule chose by its prior",
        };
        return format!("untried (prior {}), {why} of {} untried", digits(prior), others.len());
    }
    let before = choice.arms[..choice.chosen].iter().filter(is_untried).count();
    match choice.arms.iter().filter(is_untried).count() {
        1 => "the last untried action".into(),
        untried if before == 0 => format!("the first of {untried} untried actions"),
        untried => format!("one of {untried} untried actions"),
    }
}

fn expansion(expansion: Expansion, tried: &[ToldChoice]) -> String {
    match (expansion, tried) {
        (Expansion::Opened(count), [choice, ..]) => {
            let ToldChoice { player, action, .. } = choice;
            let visit = if choice.visits == 1 { "for the second time" } else { "again" };
            let actions = times(count as u32, "action");
            format!("visited {visit}, the position gets its {actions}; {player} tries {action} first")
        }
        (Expansion::Opened(count), []) => {
            format!("the position gets its {}, with priors", times(count as u32, "action"))
        }
        (Expansion::FirstVisit, _) => "not yet: a position gets its actions on its second visit".into(),
        (Expansion::Over, _) => "nothing: the game is over".into(),
        (Expansion::Deepest, _) => "nothing: the tree may not grow deeper".into(),
        (Expansion::Full, _) => "nothing: the memory is full".into(),
        (Expansion::Proven, _) => "nothing: its value is proven".into(),
    }
}

/// A playout shows no more moves than this.
const MOVES_MAX: usize = 24;

/// Why a playout's moves end before the playout.
const FORBIDDEN: &str = " and on, by a move that the rules forbid and the playout does not check";

fn playout(session: &dyn Session, told: &ToldSimulation) -> String {
    let ending = ending(session, told);
    let played = match &told.playout {
        Some(moves) if moves.is_empty() && !told.is_forbidden_next => format!("nothing to play: {ending}"),
        Some(moves) => {
            let shown = moves[..moves.len().min(MOVES_MAX)].join(" ");
            let more = moves.len().saturating_sub(MOVES_MAX);
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            let more = if told.is_forbidden_next { more + FORBIDDEN } else { more };
            format!("{shown}{more}: {ending}")
        }
        None if told.playout_share == Some(0.0) => ending,
        None => format!("the evaluation does not tell its moves: {ending}"),
    };
    match told.playout_share {
        Some(share) if share > 0.0 && share < 1.0 => {
            format!(
                "{played}; that counts {}, and the network's value {}",
                digits(share),
                digits(1.0 - share)
            )
        }
        _ => played,
    }
}

/// How the simulation ended.
fn ending(session: &dyn Session, told: &ToldSimulation) -> String {
    match (&told.payoff, told.playout_share) {
        (Some(payoff), _) => outcome_of(session, payoff),
        (None, Some(share)) if share > 0.0 => "its result is in the worth below".into(),
        (None, Some(_)) => "the network values it".into(),
        (None, None) => "the proven value is backed up".into(),
    }
}

/// The worth, and the actions of the path whose means change, from the leaf up.
fn back_up(session: &dyn Session, told: &ToldSimulation) -> String {
    let reward = |(player, reward): (usize, &f32)| {
        format!("{} to {}", (reward * 1000.0).round() / 1000.0, session.player_name(player as Player))
    };
    let rewards: Vec<String> = told.rewards.iter().enumerate().map(reward).collect();
    let mut same = 0;
    let mut learned: Vec<String> = Vec::new();
    for choice in told.path.iter().rev() {
        let (was, is) =
            (choice.before().mean.map(|mean| format!("{mean:.2}")), format!("{:.2}", choice.mean_after));
        if was.as_ref() == Some(&is) {
            same += 1;
            continue;
        }
        let was = was.map_or(String::new(), |was| format!("{was} -> "));
        learned.push(format!("{} {was}{is} ({})", choice.action, times(choice.pulls_after, "pull")));
    }
    let learned = learned.join(", ");
    let colon = if learned.is_empty() { "" } else { ": " };
    let stay = match same {
        0 => String::new(),
        1 => "; 1 other mean stays as it was".into(),
        same => format!("; {same} other means stay as they were"),
    };
    format!("worth {}{colon}{learned}{stay}{}", rewards.join(", "), solved(told))
}

/// What the solver has learned of the path's actions, from the leaf up.
fn solved(told: &ToldSimulation) -> String {
    let changed = |choice: &&ToldChoice| choice.bounds_after != choice.before().bounds;
    let learned = told.path.iter().rev().filter(changed).filter_map(|choice| {
        let [low, high] = choice.bounds_after?;
        Some(match low == high {
            true => format!("{} is proven, {low:.2}", choice.action),
            false => format!("{} is worth {low:.2} to {high:.2}", choice.action),
        })
    });
    let learned: Vec<String> = learned.collect();
    if learned.is_empty() { String::new() } else { format!("; solver: {}", learned.join(", ")) }
}

/// The digits of a share that matter: two decimals, and for small ones two digits.
fn digits(share: f32) -> String {
    let decimals = match share {
        share if share >= 0.095 || share <= 0.0 => 2,
        share if share >= 0.0095 => 3,
        share if share >= 0.00095 => 4,
        _ => return format!("{share:.1e}"),
    };
    format!("{share:.decimals$}")
}

/// The table shows no more actions than this.
const ROWS_MAX: usize = 20;

/// The root's arms after the last simulation. `tries_all`: the rule tries all of them before it returns to one.
fn root(explanation: &Explanation, tries_all: bool) -> String {
    let last = explanation.simulations.last().map_or(0, |told| told.number);
    let mut arms: Vec<&ToldArm> = explanation.arms.iter().collect();
    arms.sort_by_key(|arm| std::cmp::Reverse(arm.pulls));
    let untried = arms.iter().filter(|arm| arm.pulls == 0).count();
    arms.truncate(ROWS_MAX.min(arms.len() - untried));
    let number = |number: Option<f32>| number.map_or("-".into(), |number| format!("{number:.2}"));
    let shown_as = |name: &str, found: Option<f32>| match found {
        Some(prior) if name == "prior" => digits(prior),
        found => number(found),
    };
    type Number = fn(&ToldArm) -> Option<f32>;
    let further: [(&str, Number); 3] =
        [("prior", |arm| arm.prior), ("bound", |arm| arm.bound), ("score", |arm| arm.score)];
    let shown = further.into_iter().filter(|(_, of)| arms.iter().any(|arm| of(arm).is_some()));
    let (names, columns): (Vec<&str>, Vec<Number>) = shown.unzip();
    let row = |arm: &&ToldArm| {
        let mut row = vec![arm.action.clone(), thousands(arm.pulls.into()), number(arm.mean)];
        row.extend(names.iter().zip(&columns).map(|(name, of)| shown_as(name, of(arm))));
        row
    };
    let head = &[&["action", "pulls", "mean"][..], &names].concat();
    let mut text = format!("\nthe root after {}\n\n", times(last, "simulation"));
    text += &table(head, arms.iter().map(row));
    let more = explanation.arms.len() - untried - arms.len();
    if more > 0 {
        text += &format!(" ... and {more} more\n");
    }
    if untried > 0 {
        let all = explanation.arms.len();
        let is_first_sweep = tries_all && (last as usize) < all;
        let hint = if is_first_sweep { format!("; try --skip {all}") } else { String::new() };
        text += &format!(" ... and {untried} untried{hint}\n");
    }
    text
}

fn times(count: u32, what: &str) -> String {
    format!("{} {what}{}", thousands(count.into()), if count == 1 { "" } else { "s" })
}

/// The column in which the text of a phase begins.
const INDENT: usize = 12;

/// The longest line, in any terminal.
const WIDTH_MAX: usize = 100;

fn text_width() -> usize {
    width_or(WIDTH_MAX).min(WIDTH_MAX)
}

/// A phase and its text, wrapped.
fn entry(label: &str, text: &str) -> String {
    labelled(&format!("  {label:<0$}", INDENT - 2), text, text_width())
}
