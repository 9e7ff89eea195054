//! `aji play`: a game against an agent, in the terminal or through a pipe.

use super::{GameName, outcome, state, think};
use crate::output::print;
use aji_catalog::{AgentName, Method, Session, session};
use aji_search::{Rng, Turn};
use anyhow::Result;
use clap::Args;
use std::io::{BufRead, IsTerminal};

/// Play against an agent
#[derive(Args)]
#[command(after_help = "Type moves as the board names them, or: moves, undo, hint, resign, help, quit.

Examples:
  aji play connect-four
  aji play \"hex size=7\" --agent \"uct time=3s\" --first
  printf 'd\\nd\\nresign\\n' | aji play connect-four")]
pub struct Options {
    #[command(flatten)]
    game: GameName,

    /// Whom to play against
    #[arg(long, value_name = "NAME", default_value = "uct simulations=20000")]
    agent: String,

    /// The agent makes the first move; in a game for one, all moves
    #[arg(long)]
    first: bool,
}

const HELP: &str = "a move as the board names it, or
  moves    list the legal moves
  undo     take back your last move and the answer
  hint     ask the agent what it would play for you
  resign   give up
  quit     leave
";

/// Who sits at the keyboard.
struct Game {
    session: Box<dyn Session>,
    agent: AgentName,
    person: u8,
    /// Draws for chance, by the agent's seed.
    rng: Rng,
    /// True where a person types: mistakes are forgiven, and there is a prompt.
    on_terminal: bool,
}

/// What follows a line of input.
enum Next {
    Ask,
    Go,
    Leave,
}

/// Plays until the game is over or the input ends.
pub fn run(options: &Options) -> Result<()> {
    let agent: AgentName = options.agent.parse()?;
    let mut game = Game {
        session: session(&options.game.to_string())?,
        // A stream of its own: the agent must not think with the numbers that are going to be drawn.
        rng: Rng::seeded(agent.seed).fork(),
        agent,
        person: u8::from(options.first),
        on_terminal: std::io::stdin().is_terminal(),
    };
    let mut lines = std::io::stdin().lock().lines();
    print(&format!(
        "{} against {}; type help for help\n\n{}\n",
        game.session.name(),
        game.agent,
        game.session.board()
    ))?;
    loop {
        match game.session.turn() {
            Turn::Over => return print(&format!("{}\n", outcome(game.session.as_ref()))),
            Turn::Player(player) if player == game.person => {}
            Turn::Player(_) => {
                game.answer()?;
                continue;
            }
            Turn::Chance => {
                game.draw()?;
                continue;
            }
        }
        loop {
            if game.on_terminal {
                print(&format!("{}> ", state(game.session.as_ref())))?;
            }
            let Some(line) = lines.next().transpose()? else {
                return print("the input has ended\n");
            };
            match game.obey(line.trim()) {
                Ok(Next::Ask) => {}
                Ok(Next::Go) => break,
                Ok(Next::Leave) => return Ok(()),
                Err(error) if game.on_terminal => print(&format!("{error}\n"))?,
                Err(error) => return Err(error),
            }
        }
    }
}

impl Game {
    /// The agent moves.
    fn answer(&mut self) -> Result<()> {
        let mover = state(self.session.as_ref());
        let report = think(self.session.as_mut(), &self.agent)?;
        let Some(best) = report.best else {
            return self.session.resign().map_err(Into::into);
        };
        let name = self.session.play(&best)?;
        let value = report.value.map_or(String::new(), |value| format!(", worth {value:.2} to it"));
        let how = match self.agent.method {
            Method::Program(_) => String::new(),
            _ => format!(" ({} simulations{value})", report.simulations),
        };
        print(&format!("{mover}: {name}{how}\n\n{}\n", self.session.board()))
    }

    /// Chance moves.
    fn draw(&mut self) -> Result<()> {
        let name = self.session.draw_chance(&mut self.rng).unwrap_or_default();
        print(&format!("chance: {name}\n\n{}\n", self.session.board()))
    }

    fn obey(&mut self, line: &str) -> Result<Next> {
        match line {
            "" => Ok(Next::Ask),
            "help" | "?" => print(HELP).map(|()| Next::Ask),
            "moves" => print(&format!("{}\n", self.session.actions().join(" "))).map(|()| Next::Ask),
            "hint" => self.hint().map(|()| Next::Ask),
            "undo" => self.undo().map(|()| Next::Go),
            "quit" | "exit" => Ok(Next::Leave),
            "resign" => {
                print(&format!("{} resigns\n", self.session.player_name(self.person)))?;
                Ok(Next::Leave)
            }
            name => {
                let name = self.session.play(name)?;
                let player = self.session.player_name(self.person);
                print(&format!("{player}: {name}\n\n{}\n", self.session.board()))?;
                Ok(Next::Go)
            }
        }
    }

    fn hint(&mut self) -> Result<()> {
        let report = think(self.session.as_mut(), &self.agent)?;
        let best = report.best.unwrap_or_else(|| "resign".into());
        let value = report.value.map_or(String::new(), |value| format!(", worth {value:.2} to you"));
        print(&format!("{best}{value}\n"))
    }

    /// Back to where the person last moved.
    fn undo(&mut self) -> Result<()> {
        let mut undone = false;
        while self.session.undo() {
            undone = true;
            if self.session.turn() == Turn::Player(self.person) {
                break;
            }
        }
        print(&if undone { self.session.board() + "\n" } else { "there is nothing to undo\n".into() })
    }
}
