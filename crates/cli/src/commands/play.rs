//! `aji play`: a game against an agent, in the terminal or through a pipe.

pub mod record;

use super::{agent_or_strongest, counted, outcome, state, think, worth};
use crate::output::{print, width, wrapped};
use crate::stop;
use aji_catalog::{AgentName, Session, Workbench, guide};
use aji_search::{Rng, Turn};
use anyhow::{Result, bail};
use clap::Args;
use record::Record;
use std::io::{BufRead, IsTerminal};
use std::path::{Path, PathBuf};

/// Play against an agent
#[derive(Args)]
#[command(
    after_help = "Type moves as the board names them, or: rules, moves, undo, hint, save FILE, load FILE, resign, help, quit.
Ctrl-C while the agent thinks makes it answer with what it has found; at the prompt it ends the game. Through a pipe, a line that is not a move ends the game with an error.

Examples:
  aji play connect-four
  aji play hex size=7 --agent \"uct time=3s\" --agent-first
  aji play connect-four --position \"......./......./......./...x.../...ox../..xoo.. x\"
  aji play hex size=7 --save game.json
  aji play --load game.json
  printf 'd\\nd\\nresign\\n' | aji play connect-four"
)]
pub struct Options {
    /// The game, with its options: `connect-four`, `hex size=5`; may be left out with --load
    #[arg(required_unless_present = "load")]
    game: Vec<String>,

    /// Whom to play against [default: the strongest agent known for the game; 20,000 simulations if it is a search]
    #[arg(long, value_name = "NAME")]
    agent: Option<String>,

    /// The agent makes the first move; in a one-player game, all moves
    #[arg(long, alias = "first")]
    agent_first: bool,

    /// The position to start from, in the game's one-line notation
    #[arg(long, value_name = "TEXT", conflicts_with = "load")]
    position: Option<String>,

    /// Save the game to a file after every move
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,

    /// Continue a saved game, against the same agent
    #[arg(long, value_name = "FILE")]
    load: Option<PathBuf>,
}

const HELP: &str = "a move as the board names it, or
  rules      the rules of the game, and how moves are written
  moves      list the legal moves
  undo       take back your last move and the answer
  hint       ask the agent what it would play for you
  save FILE  save the game to a file
  load FILE  continue a saved game
  resign     give up
  quit       leave
";

/// A game between a person and an agent.
struct Game<'a> {
    workbench: &'a Workbench,
    session: Box<dyn Session>,
    record: Record,
    /// Where every move is saved.
    file: Option<PathBuf>,
    agent: AgentName,
    person: u8,
    /// Draws for chance, by the agent's seed.
    rng: Rng,
    /// True if a person types: there is a prompt, and a mistake does not end the program.
    on_terminal: bool,
}

/// What to do after a line of input.
enum Next {
    Ask,
    Go,
    Leave,
}

/// The simulations of a move of the default agent.
const SIMULATIONS_DEFAULT: u64 = 20_000;

fn agent_of(options: &Options, workbench: &Workbench, game: &str) -> Result<AgentName> {
    let agent = agent_or_strongest(workbench, options.agent.as_deref(), game)?;
    let is_default = options.agent.is_none() && agent.search().is_some();
    let simulations = if is_default { Some(SIMULATIONS_DEFAULT) } else { agent.simulations };
    Ok(AgentName { simulations, ..agent })
}

/// Plays until the game is over or the input ends.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let mut game = Game::new(options, workbench)?;
    game.keep()?;
    print(&game.introduction())?;
    let mut lines = std::io::stdin().lock().lines();
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

impl Game<'_> {
    fn new<'a>(options: &Options, workbench: &'a Workbench) -> Result<Game<'a>> {
        let asked = options.game.join(" ");
        let (session, mut record) = match &options.load {
            Some(path) => Record::load(workbench, "--load ", path)?,
            None => {
                let record = Record::new(&asked, options.position.clone());
                (record.open(workbench)?, record)
            }
        };
        if options.load.is_some() && !asked.is_empty() && session.name() != workbench.session(&asked)?.name()
        {
            bail!("--load: a game of {}, not of {asked}; leave the game out", session.name());
        }
        let saved = record.agent.as_deref().filter(|_| options.agent.is_none());
        let agent = match saved {
            Some(name) => workbench.agent_name(name)?,
            None => agent_of(options, workbench, session.name())?,
        };
        session.accepts(&agent)?;
        let person = u8::from(options.agent_first || record.agent_first);
        record.against(&agent, person);
        Ok(Game {
            workbench,
            session,
            record,
            file: options.save.clone(),
            // A separate stream: the agent must not see the random numbers that chance will use.
            rng: Rng::seeded(agent.seed).fork(),
            agent,
            person,
            on_terminal: std::io::stdin().is_terminal(),
        })
    }

    /// Who plays whom, the rules, and the board.
    fn introduction(&self) -> String {
        let (name, agent) = (self.session.name(), &self.agent);
        let person = usize::from(self.person);
        let who = match self.session.players() {
            1 if person == 0 => format!("{name}; {agent} gives hints"),
            players if person < players => {
                format!("{name} against {agent}; you are {}", self.session.player_name(self.person))
            }
            _ => format!("{name}; {agent} plays alone"),
        };
        let head = wrapped(&format!("{who}; type help for help"), width());
        format!("{head}\n{}\n{}\n", self.rules(), self.session.board())
    }

    /// The rules in lines of the terminal's width.
    fn rules(&self) -> String {
        let word = self.session.name().split(' ').next().unwrap_or_default();
        guide(word).map_or(String::new(), |guide| wrapped(guide.rules, width()))
    }

    /// The agent moves.
    fn answer(&mut self) -> Result<()> {
        let mover = match self.session.turn() {
            Turn::Player(player) => self.session.player_name(player).to_string(),
            Turn::Chance | Turn::Over => String::new(),
        };
        let report = think(self.session.as_mut(), &self.agent)?;
        stop::forget();
        let Some(best) = report.best else {
            return self.session.resign().map_err(Into::into);
        };
        let name = self.play(&best)?;
        let value = self.worth(report.value).map(|worth| format!("worth {worth} to {mover}"));
        let searched = self.agent.search().is_some();
        let simulations = searched.then(|| counted(report.simulations, "simulation"));
        let known: Vec<String> = simulations.into_iter().chain(value).collect();
        let how = if known.is_empty() { String::new() } else { format!(" ({})", known.join(", ")) };
        print(&format!("{mover} plays {name}{how}\n\n{}\n", self.session.board()))
    }

    /// The reward of the agent's report as text.
    fn worth(&self, reward: Option<f32>) -> Option<String> {
        reward.map(|reward| worth(self.session.as_ref(), &self.agent, reward))
    }

    /// Chance moves.
    fn draw(&mut self) -> Result<()> {
        let name = self.session.draw_chance(&mut self.rng).unwrap_or_default();
        self.record.moves.push(name.clone());
        self.keep()?;
        print(&format!("chance: {name}\n\n{}\n", self.session.board()))
    }

    /// Plays a move and records it.
    fn play(&mut self, name: &str) -> Result<String> {
        let name = self.session.play(name)?;
        self.record.moves.push(name.clone());
        self.keep()?;
        Ok(name)
    }

    /// Saves the game if `--save` asks for it.
    fn keep(&self) -> Result<()> {
        self.file.as_deref().map_or(Ok(()), |path| self.record.save("--save ", path))
    }

    fn obey(&mut self, line: &str) -> Result<Next> {
        if let Some((word @ ("save" | "load"), path)) = line.split_once(char::is_whitespace) {
            return if word == "save" {
                self.save(Path::new(path.trim()))
            } else {
                self.load(Path::new(path.trim()))
            };
        }
        match line {
            "" => Ok(Next::Ask),
            "help" | "?" => print(&format!("{}\n{HELP}", self.rules())).map(|()| Next::Ask),
            "rules" => print(&self.rules()).map(|()| Next::Ask),
            "moves" => print(&wrapped(&self.session.actions().join(" "), width())).map(|()| Next::Ask),
            "hint" => self.hint().map(|()| Next::Ask),
            "undo" => self.undo().map(|()| Next::Go),
            "save" | "load" => bail!("{line} needs the name of a file, as in {line} game.json"),
            "quit" | "exit" => Ok(Next::Leave),
            "resign" => {
                print(&format!("{} resigns\n", self.session.player_name(self.person)))?;
                Ok(Next::Leave)
            }
            name => {
                let name = self.play(name)?;
                let player = self.session.player_name(self.person);
                print(&format!("{player}: {name}\n\n{}\n", self.session.board()))?;
                Ok(Next::Go)
            }
        }
    }

    fn save(&self, path: &Path) -> Result<Next> {
        self.record.save("", path)?;
        print(&format!("saved to {}\n", path.display()))?;
        Ok(Next::Ask)
    }

    fn load(&mut self, path: &Path) -> Result<Next> {
        let (session, record) = Record::load(self.workbench, "", path)?;
        let saved = record.agent.as_deref().map(|name| self.workbench.agent_name(name)).transpose()?;
        let agent = saved.unwrap_or_else(|| self.agent.clone());
        session.accepts(&agent)?;
        (self.session, self.record, self.agent) = (session, record, agent);
        if self.record.agent.is_some() {
            self.person = u8::from(self.record.agent_first);
        }
        self.record.against(&self.agent, self.person);
        self.keep()?;
        print(&format!("{} from {}\n\n{}\n", self.session.name(), path.display(), self.session.board()))?;
        Ok(Next::Go)
    }

    /// What the agent would play here. Ctrl-C ends its thinking, not the game.
    fn hint(&mut self) -> Result<()> {
        let report = think(self.session.as_mut(), &self.agent)?;
        stop::forget();
        let best = report.best.unwrap_or_else(|| "resign".into());
        let value = self.worth(report.value).map_or(String::new(), |worth| format!(", worth {worth} to you"));
        print(&format!("{best}{value}\n"))
    }

    /// Back to where the person last moved.
    fn undo(&mut self) -> Result<()> {
        let mut undone = false;
        while self.session.undo() {
            undone = true;
            self.record.moves.pop();
            if self.session.turn() == Turn::Player(self.person) {
                break;
            }
        }
        self.keep()?;
        print(&if undone { self.session.board() + "\n" } else { "there is nothing to undo\n".into() })
    }
}
