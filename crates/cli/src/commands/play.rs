//! `aji play`: a game against an agent, in the terminal or through a pipe.

use super::{agent_or_strongest, outcome, state, think, worth};
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
    /// The game, with its options
    game: String,

    /// Whom to play against [default: the strongest agent known for the game; 20,000 simulations if it is a search]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

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

/// The simulations of a move where nobody says who plays.
const SIMULATIONS_DEFAULT: u64 = 20_000;

fn agent_of(options: &Options) -> Result<AgentName> {
    let agent = agent_or_strongest(options.agent.as_deref(), &options.game)?;
    let is_default = options.agent.is_none() && matches!(agent.method, Method::Search(_));
    let simulations = if is_default { Some(SIMULATIONS_DEFAULT) } else { agent.simulations };
    Ok(AgentName { simulations, ..agent })
}

/// Plays until the game is over or the input ends.
pub fn run(options: &Options) -> Result<()> {
    let agent = agent_of(options)?;
    let mut game = Game {
        session: session(&options.game)?,
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
        let value = self.worth(report.value).map(|worth| format!("worth {worth} to it"));
        let searched = matches!(self.agent.method, Method::Search(_));
        let simulations = searched.then(|| format!("{} simulations", report.simulations));
        let known: Vec<String> = simulations.into_iter().chain(value).collect();
        let how = if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) };
        print(&format!("{mover}: {name}{how}\n\n{}\n", self.session.board()))
    }

    /// What a reward of the agent's report is worth.
    fn worth(&self, reward: Option<f32>) -> Option<String> {
        reward.map(|reward| worth(self.session.as_ref(), &self.agent, reward))
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
        let value = self.worth(report.value).map_or(String::new(), |worth| format!(", worth {worth} to you"));
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
