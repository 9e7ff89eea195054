//! Checks a command of `aji`: its options by the parser itself, games and agents by the catalog.

use crate::Cli;
use aji_catalog::{AgentName, BanditName, Session, session};
use aji_cgt::GameLimits;
use aji_lab::study::{study_boards, study_heap};
use aji_train::{Run, Wishes};
use clap::error::ErrorKind;
use clap::{ArgMatches, Command, CommandFactory};

/// All commands.
pub fn all() -> Command {
    Cli::command()
}

pub fn is_subcommand(word: &str) -> bool {
    all().find_subcommand(word).is_some()
}

/// Checks a command with its arguments. Within a sentence (`is_shown` is false) some may be missing.
pub fn check(arguments: &[String], is_shown: bool) -> Result<(), String> {
    if arguments.iter().any(|word| word.starts_with('[')) {
        return check_mention(&arguments.join(" "));
    }
    // "aji" alone is the project's name, and before a "=" it is the library in a manifest.
    let Some(last) = arguments.last().filter(|_| arguments[0] != "=") else { return Ok(()) };
    let words = ["aji".to_string()].into_iter().chain(arguments.iter().cloned());
    let error = match all().try_get_matches_from(words) {
        Ok(matches) => {
            return matches.subcommand().map_or(Ok(()), |(name, matches)| check_values(name, matches));
        }
        Err(error) => error,
    };
    let lacks_value = error.kind() == ErrorKind::InvalidValue && last.starts_with("--");
    match error.kind() {
        ErrorKind::DisplayHelp => Ok(()),
        ErrorKind::MissingRequiredArgument if !is_shown => check_mention(&arguments.join(" ")),
        _ if lacks_value && !is_shown => check_mention(&arguments.join(" ")),
        _ => Err(crate::commands::usage(&error, Some(&arguments[0])).to_string()),
    }
}

/// Checks a command with placeholders, such as `search GAME [--agent NAME]`: it exists, and has these options.
pub fn check_mention(text: &str) -> Result<(), String> {
    let mut words = text.split(|letter: char| letter.is_whitespace() || "[]".contains(letter));
    let name = words.next().unwrap_or_default();
    let all = all();
    let command = all.find_subcommand(name).ok_or_else(|| format!("no subcommand {name}"))?;
    let has = |option: &str| command.get_arguments().any(|argument| argument.get_long() == Some(option));
    match words.filter_map(|word| word.strip_prefix("--")).find(|option| !has(option)) {
        Some(option) => Err(format!("aji {name} has no option --{option}")),
        None => Ok(()),
    }
}

/// An agent's name, where N stands for any number.
pub fn agent(text: &str) -> Result<AgentName, String> {
    text.replace("=N", "=1000").parse().map_err(|error: aji_catalog::Error| error.to_string())
}

/// A word that stands for any game, paper or text.
fn is_placeholder(text: &str) -> bool {
    text.starts_with("your_")
        || text.starts_with("$(")
        || text.chars().all(|letter| letter.is_ascii_uppercase())
}

/// Arguments that name agents.
const AGENTS: [&str; 6] = ["agent", "a", "b", "prey", "witness", "judge"];

fn check_values(command: &str, matches: &ArgMatches) -> Result<(), String> {
    let values = |id: &str| {
        let values = matches.try_get_many::<String>(id).ok().flatten();
        values.map(|values| values.cloned().collect::<Vec<_>>()).unwrap_or_default()
    };
    let text = |id: &str| {
        let words = values(id).join(" ");
        (!words.is_empty() && !is_placeholder(&words)).then_some(words)
    };
    let wrong = |error: aji_catalog::Error| error.to_string();
    let game = match command {
        "gtp" => Some("go".to_string()),
        "thermo" => return check_thermo(text("game"), &text("position").unwrap_or_default()),
        _ => text("game"),
    };
    let mut session = game.map(|game| session(&game)).transpose().map_err(wrong)?;
    if ["train", "attack"].contains(&command) {
        return check_training(&text, session.as_deref());
    }
    for name in AGENTS.into_iter().flat_map(values).filter(|name| !is_placeholder(name)) {
        let agent = agent(&name)?;
        // Checking a program would start it, and another command makes the file of a network.
        let is_elsewhere = name.starts_with("gtp") || name.contains("net=");
        let session = session.as_ref().filter(|_| !is_elsewhere);
        session.map_or(Ok(()), |session| session.accepts(&agent)).map_err(wrong)?;
    }
    if let (Some(session), true) = (&mut session, ["search", "explain", "perft"].contains(&command)) {
        set_up(session.as_mut(), text("from"), text("moves")).map_err(wrong)?;
    }
    match command {
        "bandit" => {
            text("rules").map_or(Ok(()), |rules| BanditName::read_all(&rules).map(|_| ())).map_err(wrong)
        }
        "bench" => check_games(&text("games").unwrap_or_default()).map_err(wrong),
        "cgt" => aji_cgt::evaluate(&text("expression").unwrap_or_default())
            .map(|_| ())
            .map_err(|error| error.to_string()),
        "reproduce" => check_studies(&text("paper").unwrap_or("all".into()), matches),
        _ => Ok(()),
    }
}

/// Checks a training or an attack: its network, its search, its options and its opponents. Its `--agent` is not the name of an agent that plays.
fn check_training(
    text: &dyn Fn(&str) -> Option<String>,
    session: Option<&dyn Session>,
) -> Result<(), String> {
    let game = session.map_or("a run", |session| session.name()).to_string();
    let wishes = Wishes {
        game: Some(game),
        net: text("net"),
        agent: text("agent"),
        options: text("with"),
        ..Wishes::default()
    };
    let mut opponents = ["gate", "victim"].into_iter().filter_map(text).filter(|name| name != "none");
    opponents.try_for_each(|name| agent(&name).map(|_| ()))?;
    Run::new(&wishes).map(|_| ()).map_err(|error| error.to_string())
}

fn set_up(
    session: &mut dyn Session,
    position: Option<String>,
    moves: Option<String>,
) -> Result<(), aji_catalog::Error> {
    position.map_or(Ok(()), |position| session.set_position(&position))?;
    moves
        .iter()
        .flat_map(|moves| moves.split_whitespace())
        .try_for_each(|action| session.play(action).map(|_| ()))
}

fn check_thermo(game: Option<String>, position: &str) -> Result<(), String> {
    if position.is_empty() {
        return Ok(());
    }
    let studied = match game {
        Some(game) => study_boards(&game, position, GameLimits::default()).map(|_| ()),
        None => study_heap(position).map(|_| ()),
    };
    studied.map_err(|error| error.to_string())
}

fn check_games(list: &str) -> Result<(), aji_catalog::Error> {
    list.split(", ").filter(|game| !game.is_empty()).try_for_each(|game| session(game).map(|_| ()))
}

fn check_studies(paper: &str, matches: &ArgMatches) -> Result<(), String> {
    let papers = aji_papers::find(paper).map_err(|error| error.to_string())?;
    let studies: Vec<&str> = papers.iter().flat_map(|paper| paper.studies).map(|study| study.name).collect();
    let mut asked = matches.get_many::<String>("study").into_iter().flatten();
    match asked.find(|name| !studies.contains(&name.as_str())) {
        Some(name) => Err(format!("{paper} has no study {name}")),
        None => Ok(()),
    }
}
