//! The commands: one table, used to list, recognise and run them.

use crate::analysis::{self, Analysis, Dialect};
use crate::clock::{Clock, TimeSystem, seconds};
use crate::engine::Engine;
use crate::handicap;
use crate::passing::Aim;
use crate::position::{SIZE_MAX, SIZE_MIN};
use crate::protocol::Answer;
use crate::record::Record;
use crate::sgf;
use crate::status::{Status, final_score};
use crate::vertex::{Vertex, listed, read_colour};
use aji_games::GoRules;
use aji_search::Player;
use std::fs;

/// How a command is run.
#[derive(Clone, Copy)]
pub(crate) enum Run {
    /// Answers at once.
    Answer(fn(&mut Engine, &[&str]) -> Answer),
    /// Answers line by line, until more input arrives.
    Analyse(Dialect),
    /// Answers line by line, and ends with a move.
    Move(Dialect),
    /// Ends the conversation.
    Quit,
}

/// All commands.
const COMMANDS: &[(&str, Run)] = &[
    ("protocol_version", Run::Answer(|_, _| Ok("2".into()))),
    ("name", Run::Answer(|_, _| Ok("aji".into()))),
    ("version", Run::Answer(|_, _| Ok(env!("CARGO_PKG_VERSION").into()))),
    ("known_command", Run::Answer(known_command)),
    ("list_commands", Run::Answer(list_commands)),
    ("quit", Run::Quit),
    ("boardsize", Run::Answer(boardsize)),
    ("clear_board", Run::Answer(clear_board)),
    ("komi", Run::Answer(komi)),
    ("fixed_handicap", Run::Answer(fixed_handicap)),
    ("place_free_handicap", Run::Answer(place_free_handicap)),
    ("set_free_handicap", Run::Answer(set_free_handicap)),
    ("play", Run::Answer(play)),
    ("genmove", Run::Answer(|engine, words| genmove(engine, words, Aim::Win))),
    ("reg_genmove", Run::Answer(reg_genmove)),
    ("undo", Run::Answer(undo)),
    ("time_settings", Run::Answer(time_settings)),
    ("time_left", Run::Answer(time_left)),
    ("final_score", Run::Answer(|engine, _| Ok(final_score(engine.position(), engine.record().komi())))),
    ("final_status_list", Run::Answer(final_status_list)),
    ("showboard", Run::Answer(showboard)),
    ("loadsgf", Run::Answer(loadsgf)),
    ("printsgf", Run::Answer(printsgf)),
    ("list_stones", Run::Answer(|engine, words| Ok(listed(engine.position().stones_of(colour(words, 0)?))))),
    ("captures", Run::Answer(captures)),
    ("all_legal", Run::Answer(|engine, words| Ok(listed(engine.position().legal(colour(words, 0)?))))),
    ("is_legal", Run::Answer(is_legal)),
    ("kgs-time_settings", Run::Answer(kgs_time_settings)),
    ("kgs-genmove_cleanup", Run::Answer(|engine, words| genmove(engine, words, Aim::CleanUp))),
    ("gogui-analyze_commands", Run::Answer(|_, _| Ok(analysis::GOGUI_COMMANDS.into()))),
    ("aji-win_rates", Run::Answer(win_rates)),
    ("aji-visits", Run::Answer(visits)),
    ("aji-owners", Run::Answer(|engine, _| Ok(analysis::owners(&engine.ending(), engine.record().size())))),
    ("lz-analyze", Run::Analyse(Dialect::Leela)),
    ("lz-genmove_analyze", Run::Move(Dialect::Leela)),
    ("kata-analyze", Run::Analyse(Dialect::Kata)),
    ("kata-genmove_analyze", Run::Move(Dialect::Kata)),
];

/// The command with this name.
pub(crate) fn find(name: &str) -> Option<Run> {
    COMMANDS.iter().find(|command| command.0 == name).map(|command| command.1)
}

/// The analysis that these arguments ask for.
pub(crate) fn analysis(engine: &Engine, dialect: Dialect, words: &[&str]) -> Result<Analysis, String> {
    Analysis::parse(dialect, words, engine.position()).ok_or_else(syntax_error)
}

fn syntax_error() -> String {
    "syntax error".into()
}

/// An argument, counted from 0.
fn word<'a>(words: &[&'a str], index: usize) -> Result<&'a str, String> {
    words.get(index).copied().ok_or_else(syntax_error)
}

fn colour(words: &[&str], index: usize) -> Result<Player, String> {
    read_colour(word(words, index)?).ok_or_else(|| "invalid color".into())
}

fn vertex(engine: &Engine, words: &[&str], index: usize) -> Result<Vertex, String> {
    Vertex::read(word(words, index)?, engine.record().size()).ok_or_else(|| "invalid vertex".into())
}

fn number(words: &[&str], index: usize) -> Result<usize, String> {
    word(words, index)?.parse().map_err(|_| syntax_error())
}

fn told(error: impl ToString) -> String {
    error.to_string()
}

fn done<T>(_: T) -> String {
    String::new()
}

fn known_command(_: &mut Engine, words: &[&str]) -> Answer {
    Ok(find(word(words, 0)?).is_some().to_string())
}

fn list_commands(_: &mut Engine, _: &[&str]) -> Answer {
    Ok(COMMANDS.iter().map(|command| command.0).collect::<Vec<_>>().join("\n"))
}

fn boardsize(engine: &mut Engine, words: &[&str]) -> Answer {
    // A number too large to parse is still a size.
    let is_number = |word: &str| word.bytes().all(|digit| digit.is_ascii_digit());
    let size =
        word(words, 0).and_then(|word| if is_number(word) { Ok(word) } else { Err(syntax_error()) })?;
    let size = size.parse().ok().filter(|size| (SIZE_MIN..=SIZE_MAX).contains(size));
    let size = size.ok_or("unacceptable size")?;
    let komi = engine.record().komi();
    engine.set_record(Record::new(size, komi)).map(done).map_err(told)
}

fn clear_board(engine: &mut Engine, _: &[&str]) -> Answer {
    let record = Record::new(engine.record().size(), engine.record().komi());
    engine.set_record(record).map(done).map_err(told)
}

fn komi(engine: &mut Engine, words: &[&str]) -> Answer {
    let komi = word(words, 0)?.parse::<f64>().map_err(|_| syntax_error())?;
    if !GoRules::is_komi(komi) {
        return Err("unacceptable komi".into());
    }
    engine.set_komi(komi).map(done).map_err(told)
}

/// Puts handicap stones on an empty board, and lists them.
fn handicap(engine: &mut Engine, stones: Option<Vec<Vertex>>, otherwise: &str) -> Answer {
    if !engine.position().is_empty() {
        return Err("board not empty".into());
    }
    let stones = stones.ok_or(otherwise)?;
    let record = Record::with_handicap(engine.record().size(), engine.record().komi(), &stones);
    let record = record.map_err(|_| otherwise.to_string())?;
    engine.set_record(record).map_err(told)?;
    Ok(listed(stones))
}

fn fixed_handicap(engine: &mut Engine, words: &[&str]) -> Answer {
    let stones = handicap::fixed(engine.record().size(), number(words, 0)?);
    handicap(engine, stones, "invalid number of stones")
}

fn place_free_handicap(engine: &mut Engine, words: &[&str]) -> Answer {
    let stones = handicap::free(engine.record().size(), number(words, 0)?);
    handicap(engine, stones, "invalid number of stones")
}

fn set_free_handicap(engine: &mut Engine, words: &[&str]) -> Answer {
    let size = engine.record().size();
    let stones: Option<Vec<Vertex>> = words.iter().map(|word| Vertex::read(word, size)).collect();
    let stones = stones.filter(|stones| handicap::is_sound(size, stones));
    handicap(engine, stones, "bad vertex list").map(done)
}

fn play(engine: &mut Engine, words: &[&str]) -> Answer {
    let player = colour(words, 0)?;
    let vertex = vertex(engine, words, 1)?;
    if engine.play(player, vertex) { Ok(String::new()) } else { Err("illegal move".into()) }
}

fn genmove(engine: &mut Engine, words: &[&str], aim: Aim) -> Answer {
    let player = colour(words, 0)?;
    let decision = engine.move_for(player, aim, None);
    decision.map(|decision| decision.to_string()).map_err(told)
}

fn reg_genmove(engine: &mut Engine, words: &[&str]) -> Answer {
    let player = colour(words, 0)?;
    let vertex = engine.choose(player, Aim::Win, None);
    vertex.map(|vertex| vertex.to_string()).map_err(told)
}

fn undo(engine: &mut Engine, _: &[&str]) -> Answer {
    if engine.undo() { Ok(String::new()) } else { Err("cannot undo".into()) }
}

fn time_settings(engine: &mut Engine, words: &[&str]) -> Answer {
    let time = |index| word(words, index).and_then(|word| seconds(word).ok_or_else(syntax_error));
    let (main, period) = (time(0)?, time(1)?);
    let stones = word(words, 2)?.parse().map_err(|_| syntax_error())?;
    engine.clock = Clock::new(TimeSystem::standard(main, period, stones));
    Ok(String::new())
}

fn kgs_time_settings(engine: &mut Engine, words: &[&str]) -> Answer {
    engine.clock = Clock::new(TimeSystem::kgs(words).ok_or_else(syntax_error)?);
    Ok(String::new())
}

fn time_left(engine: &mut Engine, words: &[&str]) -> Answer {
    let player = colour(words, 0)?;
    let left = seconds(word(words, 1)?).ok_or_else(syntax_error)?;
    let stones = word(words, 2)?.parse().map_err(|_| syntax_error())?;
    engine.clock.set(player.into(), left, stones);
    Ok(String::new())
}

fn final_status_list(engine: &mut Engine, words: &[&str]) -> Answer {
    let status = match word(words, 0)? {
        "alive" => Status::Alive,
        "seki" => Status::Seki,
        "dead" => Status::Dead,
        _ => return Err(syntax_error()),
    };
    let ending = engine.ending();
    let chains: Vec<String> = ending.stones(status).map(|(chain, _)| listed(chain.iter().copied())).collect();
    Ok(chains.join("\n"))
}

fn showboard(engine: &mut Engine, _: &[&str]) -> Answer {
    let [black, white] = engine.position().captures();
    let mover = if engine.position().mover() == 0 { "black (x)" } else { "white (o)" };
    let komi = engine.record().komi();
    Ok(format!(
        "\n{}{mover} to move, komi {komi}, black has taken {black}, white {white}",
        engine.position().board()
    ))
}

fn loadsgf(engine: &mut Engine, words: &[&str]) -> Answer {
    let path = word(words, 0)?;
    let before = if words.len() > 1 { number(words, 1)? } else { usize::MAX };
    let text = if engine.has_files { game_text(path) } else { Err("files are not read here".into()) };
    let record = text.and_then(|text| sgf::read(&text, before, engine.record().komi()));
    let record = record.map_err(|why| format!("cannot load file: {}", why.replace('\n', " ")))?;
    engine.set_record(record).map(done).map_err(told)
}

/// The content of a file, or why it cannot be read.
fn game_text(path: &str) -> Result<String, String> {
    let found = fs::metadata(path).map_err(|error| error.to_string())?;
    // Devices and pipes may be endless.
    if !found.is_file() {
        return Err("not a file".into());
    }
    if found.len() > sgf::FILE_BYTES_MAX {
        return Err(format!("longer than {} bytes", sgf::FILE_BYTES_MAX));
    }
    let text = fs::read(path).map_err(|error| error.to_string())?;
    Ok(String::from_utf8_lossy(&text).into_owned())
}

fn printsgf(engine: &mut Engine, words: &[&str]) -> Answer {
    let text = sgf::write(engine.record());
    let Some(path) = words.first() else { return Ok(text) };
    let written = if engine.has_files { fs::write(path, text).ok() } else { None };
    written.map(done).ok_or_else(|| "cannot write file".into())
}

fn captures(engine: &mut Engine, words: &[&str]) -> Answer {
    Ok(engine.position().captures()[usize::from(colour(words, 0)?)].to_string())
}

fn is_legal(engine: &mut Engine, words: &[&str]) -> Answer {
    let (player, vertex) = (colour(words, 0)?, vertex(engine, words, 1)?);
    Ok(u8::from(engine.position().is_legal(player, vertex)).to_string())
}

fn win_rates(engine: &mut Engine, _: &[&str]) -> Answer {
    let size = engine.record().size();
    let (player, report) = engine.last_report().map_err(told)?;
    Ok(analysis::win_rates(*player, report, size))
}

fn visits(engine: &mut Engine, _: &[&str]) -> Answer {
    let size = engine.record().size();
    let (_, report) = engine.last_report().map_err(told)?;
    Ok(analysis::visits(report, size))
}
