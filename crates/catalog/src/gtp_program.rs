//! Any program that speaks GTP as an agent in Go.
//!
//! It is told the position by its stones once, and from there on by the moves, so that it knows which of them took a ko. What the
//! position's past forbids beyond that it cannot know. A program that dies, hangs or talks nonsense is started anew once for a
//! position. What only one side holds to be legal ends the game with an error: there is no telling who is right.

use crate::Error;
use crate::gtp_pipe::{Answer, GtpPipe};
use crate::program_name::ProgramName;
use aji_games::{Go, GoMove, GoRules, Ko};
use aji_search::{Agent, Budget, Game, Named, Player, Report, Stopped, Watch};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// A program at the board.
pub(crate) struct GtpProgram<const STRIDE: usize, const CELLS: usize> {
    name: ProgramName,
    path: PathBuf,
    pipe: Option<GtpPipe>,
    record: Option<Record<STRIDE, CELLS>>,
    /// How many moves of the record the program's board has; none before it is set up.
    told: Option<usize>,
    /// The move that the program has made on its own board, on top of those, and of which nobody has said that it was played.
    generated: Option<GoMove>,
    restarts: u64,
    failure: Option<String>,
}

/// A position, and the moves played since.
struct Record<const STRIDE: usize, const CELLS: usize> {
    start: Go<STRIDE, CELLS>,
    moves: Vec<(Player, GoMove)>,
    now: Go<STRIDE, CELLS>,
}

/// What a program wants to do.
enum Reply {
    Move(GoMove),
    Resign,
}

/// Why there is no reply.
enum Trouble {
    /// The program is gone, or must go; another may do better.
    Broken(String),
    /// The program and aji cannot go on from here.
    Final(String),
}

/// The agent of this name. An error if there is no such program; it is started when it has to think.
pub(crate) fn gtp_program<const STRIDE: usize, const CELLS: usize>(
    name: &ProgramName,
) -> Result<Box<dyn Agent<Go<STRIDE, CELLS>> + Send>, Error> {
    Ok(Box::new(GtpProgram::<STRIDE, CELLS>::new(name)?))
}

impl<const STRIDE: usize, const CELLS: usize> GtpProgram<STRIDE, CELLS> {
    fn new(name: &ProgramName) -> Result<Self, Error> {
        Ok(GtpProgram {
            path: name.find()?,
            name: name.clone(),
            pipe: None,
            record: None,
            told: None,
            generated: None,
            restarts: 0,
            failure: None,
        })
    }

    /// Turns to this position: the record goes on if it has come here.
    fn face(&mut self, game: &Go<STRIDE, CELLS>) {
        if self.record.as_ref().is_none_or(|record| record.now != *game) {
            self.record = Some(Record { start: game.clone(), moves: Vec::new(), now: game.clone() });
            self.told = None;
        }
        // A move that was not played is still on the program's board.
        if self.generated.take().is_some() {
            self.told = None;
        }
    }

    /// A reply, from a second program if the first fails.
    fn reply(&mut self, record: &Record<STRIDE, CELLS>) -> Result<Reply, String> {
        let second = match self.attempt(record) {
            Ok(reply) => return Ok(reply),
            Err(Trouble::Final(why)) => return Err(why),
            Err(Trouble::Broken(_)) => {
                self.restarts += 1;
                self.attempt(record)
            }
        };
        second.map_err(|trouble| match trouble {
            Trouble::Final(why) => why,
            Trouble::Broken(why) => {
                format!("it failed twice at the position \"{}\": {why}", record.now.text())
            }
        })
    }

    fn attempt(&mut self, record: &Record<STRIDE, CELLS>) -> Result<Reply, Trouble> {
        if self.told.is_none() || self.pipe.is_none() {
            self.set_up(&record.start)?;
        }
        for index in self.told.unwrap_or(0)..record.moves.len() {
            let (player, action) = record.moves[index];
            if let Answer::Refused(why) = self.ask(&play::<STRIDE, CELLS>(player, action))? {
                return Err(Trouble::Final(record.refused(index, &why)));
            }
            self.told = Some(index + 1);
        }
        let command = format!("genmove {}", COLOURS[record.now.mover() as usize]);
        let wrong = match self.ask(&command)? {
            Answer::Done(text) if text.eq_ignore_ascii_case("resign") => return Ok(Reply::Resign),
            Answer::Done(text) => match record.now.read_point(&text) {
                Some(action) => {
                    self.generated = Some(action);
                    return record.checked(action).map(Reply::Move).map_err(Trouble::Final);
                }
                None => format!("expected a point of the board, pass or resign, it said \"{text}\""),
            },
            Answer::Refused(why) => format!("it said \"? {why}\""),
        };
        self.pipe = None;
        Err(Trouble::Broken(format!("{command}: {}", wrong.replace('\n', " "))))
    }

    /// Starts the program if it does not run, and tells it the stones of a position.
    fn set_up(&mut self, start: &Go<STRIDE, CELLS>) -> Result<(), Trouble> {
        if self.pipe.is_none() {
            self.pipe = Some(GtpPipe::start(&self.name, &self.path).map_err(Trouble::Broken)?);
        }
        let mut commands = vec![format!("boardsize {}", start.size()), "clear_board".into()];
        commands.push(format!("komi {}", start.rules().komi()));
        commands
            .extend(way_to(start).into_iter().map(|(player, action)| play::<STRIDE, CELLS>(player, action)));
        for command in commands {
            if let Answer::Refused(why) = self.ask(&command)? {
                let why = why.replace('\n', " ");
                return Err(Trouble::Final(format!("it cannot be set up: {command}: it said \"? {why}\"")));
            }
        }
        self.told = Some(0);
        Ok(())
    }

    /// Asks the program, which is not used any more if it fails.
    fn ask(&mut self, command: &str) -> Result<Answer, Trouble> {
        let pipe = self.pipe.as_mut().ok_or_else(|| Trouble::Broken("it does not run".into()))?;
        let answer = pipe.ask(command);
        if answer.is_err() {
            self.pipe = None;
        }
        answer.map_err(Trouble::Broken)
    }
}

impl<const STRIDE: usize, const CELLS: usize> Agent<Go<STRIDE, CELLS>> for GtpProgram<STRIDE, CELLS> {
    fn think(&mut self, game: &Go<STRIDE, CELLS>, _budget: Budget, _watch: &mut dyn Watch) -> Report<GoMove> {
        let started = Instant::now();
        self.failure = None;
        self.face(game);
        let Some(record) = self.record.take() else { return Report::chosen(game, None, Duration::ZERO) };
        let reply = self.reply(&record);
        self.record = Some(record);
        let time = started.elapsed();
        match reply {
            Ok(Reply::Move(action)) => Report::chosen(game, Some(action), time),
            Ok(Reply::Resign) => Report { stopped: Stopped::Resigned, ..Report::chosen(game, None, time) },
            Err(why) => {
                self.failure = Some(format!("{}: {why}", self.name));
                Report::chosen(game, None, time)
            }
        }
    }

    fn played(&mut self, action: GoMove) {
        let Some(record) = &mut self.record else { return };
        record.moves.push((record.now.mover(), action));
        record.now.play(action);
        match self.generated.take() {
            Some(own) if own == action => self.told = Some(record.moves.len()),
            Some(_) => self.told = None,
            None => {}
        }
    }

    fn failure(&self) -> Option<String> {
        self.failure.clone()
    }

    fn restarts(&self) -> u64 {
        self.restarts
    }
}

impl<const STRIDE: usize, const CELLS: usize> Record<STRIDE, CELLS> {
    /// A move of the program's, if it is legal by our rules and listed.
    fn checked(&self, action: GoMove) -> Result<GoMove, String> {
        let (now, name) = (&self.now, Go::<STRIDE, CELLS>::point_name(action));
        let player = now.player_name(now.mover());
        if !now.is_legal(action) {
            let rules = rules_told(now.rules());
            let why = self.why_illegal(action);
            return Err(format!(
                "disagreement on legality: it plays {name} for {player}, which is not legal by our rules ({rules}): {why}{}",
                self.shown(self.moves.len())
            ));
        }
        let mut listed = Vec::new();
        now.actions(&mut listed);
        if !listed.contains(&action) {
            return Err(format!("it plays {name} for {player}, an eye of its own; play with eyes=fill"));
        }
        Ok(action)
    }

    /// The program refuses the move of this number.
    fn refused(&self, index: usize, why: &str) -> String {
        let (player, action) = self.moves[index];
        let name = Go::<STRIDE, CELLS>::point_name(action);
        let (player, rules) = (self.start.player_name(player), rules_told(self.start.rules()));
        let why = why.replace('\n', " ");
        format!(
            "disagreement on legality: it refuses {name} of {player}, which is legal by our rules ({rules}): it said \"? {why}\"{}",
            self.shown(index)
        )
    }

    fn why_illegal(&self, action: GoMove) -> &'static str {
        let now = &self.now;
        let (column, row) = Go::<STRIDE, CELLS>::column_and_row(action).unwrap_or_default();
        let rules = GoRules { ko: Ko::Simple, ..now.rules() };
        let without_past = Go::<STRIDE, CELLS>::with_stones(now.size(), rules, stones(now), now.mover());
        if now.stone(column, row).player().is_some() {
            "there is a stone"
        } else if now.ko() == Some(action) {
            "it takes back a ko"
        } else if without_past.is_ok_and(|here| here.is_legal(action)) {
            "it makes an earlier position again"
        } else {
            "it is suicide"
        }
    }

    /// The position after so many moves, on lines of its own, and how it came about.
    fn shown(&self, plies: usize) -> String {
        let (before, mut position) = (&self.moves[..plies], self.start.clone());
        before.iter().for_each(|&(_, action)| position.play(action));
        let names: Vec<String> =
            before.iter().map(|&(_, action)| Go::<STRIDE, CELLS>::point_name(action)).collect();
        format!(
            "\n{}{} to move; position \"{}\"; from \"{}\" by the moves: {}",
            position.board(),
            position.player_name(position.mover()),
            position.text(),
            self.start.text(),
            if names.is_empty() { "none".into() } else { names.join(" ") }
        )
    }
}

/// What GTP calls the players.
const COLOURS: [&str; 2] = ["black", "white"];

fn play<const STRIDE: usize, const CELLS: usize>(player: Player, action: GoMove) -> String {
    format!("play {} {}", COLOURS[player as usize], Go::<STRIDE, CELLS>::point_name(action))
}

fn rules_told(rules: GoRules) -> String {
    let ko = match rules.ko {
        Ko::Simple => "simple",
        Ko::Positional => "positional",
        Ko::Situational => "situational",
    };
    format!("ko={ko} suicide={}", if rules.suicide { "on" } else { "off" })
}

/// The stones of a position, row by row.
fn stones<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>) -> Vec<(GoMove, Player)> {
    let places = (0..go.size()).flat_map(|row| (0..go.size()).map(move |column| (column, row)));
    let stone = |(column, row)| Some((go.point(column, row)?, go.stone(column, row).player()?));
    places.filter_map(stone).collect()
}

/// Moves that lead to a position from the empty board. One after another the stones of a position take nothing. Where there is a
/// ko, the stone that took it comes last, so that the program knows; a pass just made comes last too.
fn way_to<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>) -> Vec<(Player, GoMove)> {
    let (mover, other) = (go.mover(), 1 - go.mover());
    let placed = |stones: Vec<(GoMove, Player)>| stones.into_iter().map(|(point, player)| (player, point));
    if let Some(ko) = go.ko() {
        for (taker, _) in stones(go).into_iter().filter(|&(_, player)| player == other) {
            let mut before: Vec<_> = stones(go).into_iter().filter(|&(point, _)| point != taker).collect();
            before.push((ko, mover));
            let after = Go::<STRIDE, CELLS>::with_stones(go.size(), go.rules(), before.clone(), other);
            let is_it = after.is_ok_and(|mut after| {
                after.is_legal(taker) && {
                    after.play(taker);
                    after == *go
                }
            });
            if is_it {
                return placed(before).chain([(other, taker)]).collect();
            }
        }
    }
    let passes = std::iter::repeat_n((other, GoMove::PASS), go.passes().into());
    placed(stones(go)).chain(passes).collect()
}
