//! The agent that asks a program for its moves.
//!
//! The player sends the stones of a position once, and then the moves, so that the program knows which of them took a
//! ko. The program cannot know what else the position's history forbids. The player restarts a program that dies,
//! hangs or answers nonsense, once per position. If the program and aji disagree about what is legal, nobody can tell
//! who is right, so the player fails.

use crate::Program;
use crate::pipe::{Answer, Pipe};
use crate::record::{Record, way_to};
use aji_games::{Go, GoMove};
use aji_search::{Agent, Budget, Named, Player, Report, Stopped, Watch};
use std::time::{Duration, Instant};

/// An agent that asks a program for its moves. It starts the program when it first has to think.
pub struct GtpPlayer<const STRIDE: usize, const CELLS: usize> {
    program: Program,
    pipe: Option<Pipe>,
    record: Option<Record<STRIDE, CELLS>>,
    /// How many moves of the record the program has on its board. `None` before the board is set up.
    told: Option<usize>,
    /// The last move of `genmove`, until somebody plays a move. The program has made it on its own board already.
    generated: Option<GoMove>,
    restarts: u64,
    failure: Option<String>,
}

/// A program's reply.
enum Reply {
    Move(GoMove),
    Resign,
}

/// Why there is no reply.
enum Trouble {
    /// The program has failed. A new process may do better.
    Broken(String),
    /// The program and aji disagree, and a new process would too.
    Final(String),
}

impl<const STRIDE: usize, const CELLS: usize> GtpPlayer<STRIDE, CELLS> {
    /// An agent that asks this program.
    pub fn new(program: Program) -> Self {
        GtpPlayer {
            program,
            pipe: None,
            record: None,
            told: None,
            generated: None,
            restarts: 0,
            failure: None,
        }
    }

    /// Moves to this position. Starts a new record unless the current one leads here.
    fn face(&mut self, game: &Go<STRIDE, CELLS>) {
        if self.record.as_ref().is_none_or(|record| record.now != *game) {
            self.record = Some(Record::new(game));
            self.told = None;
        }
        // The generated move was not played, but the program still has it on its board.
        if self.generated.take().is_some() {
            self.told = None;
        }
    }

    /// Asks for a reply, and once more from a new process if the first attempt breaks.
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

    /// Brings the program's board up to date and asks for a move.
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

    /// Starts the program if it does not run, and sends it the stones of a position.
    fn set_up(&mut self, start: &Go<STRIDE, CELLS>) -> Result<(), Trouble> {
        if self.pipe.is_none() {
            self.pipe = Some(Pipe::start(&self.program).map_err(Trouble::Broken)?);
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

    /// Sends a command. Drops the pipe if that fails.
    fn ask(&mut self, command: &str) -> Result<Answer, Trouble> {
        let pipe = self.pipe.as_mut().ok_or_else(|| Trouble::Broken("it does not run".into()))?;
        let answer = pipe.ask(command);
        if answer.is_err() {
            self.pipe = None;
        }
        answer.map_err(Trouble::Broken)
    }
}

impl<const STRIDE: usize, const CELLS: usize> Agent<Go<STRIDE, CELLS>> for GtpPlayer<STRIDE, CELLS> {
    fn think(&mut self, game: &Go<STRIDE, CELLS>, _budget: Budget, _watch: &mut dyn Watch) -> Report<GoMove> {
        let started = Instant::now();
        self.failure = None;
        self.face(game);
        let Some(record) = self.record.take() else { return Report::chosen(None, Duration::ZERO) };
        let reply = self.reply(&record);
        self.record = Some(record);
        let time = started.elapsed();
        match reply {
            Ok(Reply::Move(action)) => Report::chosen(Some(action), time),
            Ok(Reply::Resign) => Report { stopped: Stopped::Resigned, ..Report::chosen(None, time) },
            Err(why) => {
                self.failure = Some(why);
                Report::chosen(None, time)
            }
        }
    }

    fn played(&mut self, action: GoMove) {
        let Some(record) = &mut self.record else { return };
        record.play(action);
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

/// What GTP calls the players.
const COLOURS: [&str; 2] = ["black", "white"];

fn play<const STRIDE: usize, const CELLS: usize>(player: Player, action: GoMove) -> String {
    format!("play {} {}", COLOURS[player as usize], Go::<STRIDE, CELLS>::point_name(action))
}
