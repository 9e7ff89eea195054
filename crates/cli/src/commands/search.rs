//! `aji search`: analyses one position or many.

mod positions;

use super::{Position, agent_or_strongest, counted, points, state, think, worth};
use crate::output::{labelled, print, table, width_or, wrapped};
use crate::saved_file::{SavedFile, load};
use crate::tree_file::{About, TreeFile};
use crate::{numbers, progress};
use aji_catalog::{
    AgentName, Found, SEARCHES, Searched, Session, TREE_DEPTH_MAX, Workbench, show_bytes, stopped_word,
    thousands,
};
use aji_search::{ACTIONS_MAX, ArmReport, Line, Report, Stopped};
use anyhow::{Result, bail};
use clap::Args;
use std::path::PathBuf;

/// Analyse a position
#[derive(Args)]
#[command(after_help = "Examples:
  aji search connect-four
  aji search connect-four --moves \"d d c\" --agent \"uct c=0.7 simulations=100k\"
  aji search tic-tac-toe --position \"x.o/.x./..o x\" --json
  aji search connect-four --moves \"d d d d d c c c c a\" --agent \"uct solver=on\" --tree tree.svg --depth 4 --top 3
  printf '%s\\n' 'x.o/.x./..o x' '.../.x./... o' | aji search tic-tac-toe --position -
  aji search connect-four --agent \"uct time=60s\" --save search.aji
  aji search connect-four --agent \"uct time=60s\" --load search.aji --save search.aji

With --position - (standard input) or --position @FILE each line is a position. They are searched in parallel, and each
gives a line of JSON in the order of the input. A line that cannot be searched gives {input_line, position, error}; the
others are still searched, and the exit code is 1.

Ctrl-C ends the search and shows what it has found; the exit code is 130.")]
pub struct Options {
    #[command(flatten)]
    position: Position,

    /// The position to start from, in the game's one-line notation; or many, one per line: - for standard input, @FILE
    /// for a file
    #[arg(long = "position", value_name = "TEXT")]
    from: Option<String>,

    /// How many positions are searched at a time, if there are many [default: one per core]; the results do not depend
    /// on it
    #[arg(long, value_name = "N", requires = "from", value_parser = numbers::count(1..=THREADS_MAX))]
    threads: Option<u64>,

    /// The agent [default: the strongest known for the game]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// One JSON object
    #[arg(long)]
    json: bool,

    /// Also write the upper part of the tree, or of the graph of transpositions=on, to a file: .json, .dot (graphviz) or .svg
    #[arg(long, value_name = "FILE")]
    tree: Option<PathBuf>,

    /// Levels of the tree in the file
    #[arg(long, value_name = "D", default_value_t = 3, requires = "tree",
          value_parser = numbers::count(1..=TREE_DEPTH_MAX as u64))]
    depth: u64,

    /// How many actions of each position the file shows, the most simulated first
    #[arg(long, value_name = "K", default_value_t = 5, requires = "tree",
          value_parser = numbers::count(1..=TOP_MAX))]
    top: u64,

    /// Save the search to a file, to continue it later
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Continue a saved search of the same game, position and agent, as if it had never stopped
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
}

/// The most actions a position shows in a tree file: all that it can have.
const TOP_MAX: u64 = ACTIONS_MAX as u64;

/// The most searches at a time.
const THREADS_MAX: u64 = 256;

/// The agent that was asked for, or the strongest one known for the game; with `--tree`, one that grows a tree.
fn agent_of(options: &Options, workbench: &Workbench, game: &str) -> Result<AgentName> {
    let agent = agent_or_strongest(workbench, options.agent.as_deref(), game)?;
    let wants_tree = options.tree.is_some() || options.save.is_some() || options.load.is_some();
    let is_unfit = options.agent.is_none() && wants_tree && agent.search().is_none();
    if is_unfit {
        let fit = AgentName::default();
        progress::note(&format!(
            "{agent}, the strongest agent known here, grows no tree: {fit} searches instead"
        ));
        return Ok(fit);
    }
    Ok(agent)
}

/// Searches and prints what was found.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    if let Some(input) = options.from.as_deref().and_then(positions::Input::of) {
        let agent = agent_of(options, workbench, &options.position.game.checked(workbench)?)?;
        return positions::run(options, workbench, &agent, input);
    }
    // The position may change the rules, and with them the agent.
    let mut session = options.position.open(workbench, options.from.as_deref())?;
    let agent = agent_of(options, workbench, session.name())?;
    if options.tree.is_some() && agent.search().is_none() {
        bail!("--tree: agent {agent} grows no tree; {SEARCHES} do");
    }
    if let Some((word, Err(error))) = [("save", &options.save), ("load", &options.load)]
        .into_iter()
        .find(|(_, path)| path.is_some())
        .map(|(word, _)| (word, session.can_save(&agent)))
    {
        bail!("--{word}: {error}");
    }
    let loaded = options.load.as_deref().map(|path| load(path, session.as_mut(), &agent)).transpose()?;
    let saved = options.save.as_deref().map(SavedFile::open).transpose()?;
    let file = options.tree.as_deref().map(TreeFile::open).transpose()?;
    let report = think(session.as_mut(), &agent)?;
    // Even if the tree cannot be written, the result is printed.
    let tree = file.as_ref().map(|file| format!("the tree is in {}\n", file.path().display()));
    let written = file.map_or(Ok(()), |file| write_tree(file, session.as_ref(), options, (&agent, &report)));
    let saved = saved.map_or(Ok(()), |saved| saved.write(session.as_ref()));
    let printed = print(&if options.json {
        json(session.as_ref(), &agent, &report, loaded)? + "\n"
    } else {
        let told = tree.filter(|_| written.is_ok()).unwrap_or_default();
        text(session.as_ref(), &agent, &report, loaded) + &told
    });
    written.and(saved).and(printed)
}

fn write_tree(
    file: TreeFile,
    session: &dyn Session,
    options: &Options,
    (agent, report): (&AgentName, &Report<String>),
) -> Result<()> {
    let (depth, top) = (options.depth as usize, options.top as usize);
    let (game, position, evaluation) = (session.name().to_string(), session.text(), report.evaluation);
    let about = About { game, agent: agent.to_string(), position, evaluation };
    match (session.tree(&[], depth, top), session.graph(depth, top)) {
        (Some(tree), _) => file.write(&tree, &about, report.best.as_deref()),
        (None, Some(graph)) => file.write_graph(&graph, &about),
        (None, None) => bail!("--tree: agent {agent} has grown no tree"),
    }
}

fn json(
    session: &dyn Session,
    agent: &AgentName,
    report: &Report<String>,
    loaded: Option<u64>,
) -> Result<String> {
    let searched = Searched::new(session, agent);
    Ok(serde_json::to_string(&Found { loaded, ..searched.found(report) })?)
}

/// The table shows no more actions than this.
const ROWS_MAX: usize = 20;

fn text(session: &dyn Session, agent: &AgentName, report: &Report<String>, loaded: Option<u64>) -> String {
    let mut text = format!("{}, {agent}\n\n{}\n{}", session.name(), session.board(), state(session));
    if let (Some(best), Some(value)) = (&report.best, report.value) {
        let proven = if report.proven.is_some() { ", proven" } else { "" };
        text += &format!("; best: {best}, worth {}{proven}", worth(session, agent, value));
    } else if let Some(best) = &report.best {
        text += &format!("; best: {best}");
    } else if report.stopped == Stopped::Resigned {
        text += "; it resigns";
    }
    text += "\n\n";
    if report.arms.is_empty() {
        return text + &format!("in {:.3} s\n", report.time.as_secs_f64());
    }
    text += &arms_table(session.points(agent), report);
    if report.arms.len() > ROWS_MAX {
        text += &format!(" ... and {} more\n", report.arms.len() - ROWS_MAX);
    }
    text + &lines(session, agent, report) + &spent(agent, report, loaded)
}

/// Whether the arms have values without pulls, as those of exact play do.
fn is_valued(report: &Report<String>) -> bool {
    report.value.is_some() && report.arms.iter().all(|arm| arm.pulls == 0)
}

/// The arms, the most pulled first. If `range` says which payoffs 0 and 1 stand for, rewards are shown in points.
fn arms_table(range: Option<(f32, f32)>, report: &Report<String>) -> String {
    let is_valued = is_valued(report);
    let mut arms: Vec<_> = report.arms.iter().collect();
    let prior_of = |arm: &ArmReport<String>| arm.prior.unwrap_or(0.0);
    arms.sort_by(|a, b| {
        b.pulls.cmp(&a.pulls).then(b.mean.total_cmp(&a.mean)).then(prior_of(b).total_cmp(&prior_of(a)))
    });
    let has_priors = arms.iter().any(|arm| arm.prior.is_some());
    let (mean_of, error_of): (&dyn Fn(f32) -> String, &dyn Fn(f32) -> String) = match range {
        Some((low, high)) => (&move |mean| points(low + mean * (high - low), high - low), &move |error| {
            points(error * (high - low), high - low)
        }),
        None => (&|mean| format!("{mean:.4}"), &|error| format!("{error:.4}")),
    };
    let rows = arms.iter().take(ROWS_MAX).map(|arm| {
        let mean = if arm.pulls == 0 && !is_valued { "-".into() } else { mean_of(arm.mean) };
        let error = match (arm.proven, arm.error) {
            (Some(_), _) => "proven".into(),
            (None, Some(error)) => error_of(error),
            (None, None) => "-".into(),
        };
        let mut row = vec![arm.action.clone()];
        if has_priors {
            row.push(arm.prior.map_or("-".into(), |prior| format!("{prior:.4}")));
        }
        if !is_valued {
            row.push(thousands(arm.pulls.into()));
        }
        row.extend([mean, error]);
        row
    });
    let mut columns = vec!["action"];
    columns.extend(has_priors.then_some("prior"));
    columns.extend((!is_valued).then_some("pulls"));
    columns.push(match (range, is_valued) {
        (Some(_), _) => "points",
        (None, true) => "value",
        (None, false) => "mean",
    });
    columns.push("error");
    table(&columns, rows)
}

fn lines(session: &dyn Session, agent: &AgentName, report: &Report<String>) -> String {
    match &report.lines[..] {
        [] | [_] => format!("\n{}", labelled("line: ", &report.line.join(" "), width_or(usize::MAX))),
        lines => {
            let line = |line: &Line<String>| {
                let (pulls, actions) = (thousands(line.pulls.into()), line.actions.join(" "));
                let text = format!("{} by {pulls}: {actions}", worth(session, agent, line.value));
                labelled("line: ", &text, width_or(usize::MAX))
            };
            "\n".to_string() + &lines.iter().map(line).collect::<String>()
        }
    }
}

/// The simulations, time and memory of the search, and why it stopped.
fn spent(agent: &AgentName, report: &Report<String>, loaded: Option<u64>) -> String {
    let seconds = report.time.as_secs_f64();
    let unit = if is_valued(report) { "position" } else { "simulation" };
    let ended = ended(report.stopped);
    let spent = match (report.simulations, report.nodes) {
        // Some solvers count nothing.
        (0, 0) => format!("{ended} in {seconds:.3} s"),
        (simulations, nodes) => format!(
            "{} in {seconds:.3} s ({}/s), {} in {}; {ended}",
            counted(simulations, unit),
            thousands((simulations as f64 / seconds.max(1e-9)) as u64),
            counted(nodes as u64, "node"),
            memory(report.bytes),
        ),
    };
    let width = width_or(usize::MAX);
    let mut text = wrapped(&spent, width);
    if let Some(loaded) = loaded {
        text += &wrapped(&format!("on top of {} that were loaded", counted(loaded, "simulation")), width);
    }
    if report.left_out > 0 {
        let full = format!(
            "memory={} was full: {} positions were not expanded, the search went on without",
            show_bytes(agent.memory),
            thousands(report.left_out)
        );
        text += &wrapped(&full, width);
    }
    text
}

/// Why the search stopped, for people.
fn ended(why: Stopped) -> String {
    match why {
        Stopped::Solved | Stopped::Handle | Stopped::Resigned => stopped_word(why).into(),
        Stopped::Enough => "stopped early, since more would hardly change the choice".into(),
        Stopped::PullsMax => "stopped since an action has the most pulls that can be counted".into(),
        _ => format!("stopped by {}", stopped_word(why)),
    }
}

/// Bytes in kB or MB.
fn memory(bytes: usize) -> String {
    if bytes < 100_000 {
        format!("{:.1} kB", bytes as f64 / 1e3)
    } else {
        format!("{:.1} MB", bytes as f64 / 1e6)
    }
}
