//! A position of a game as the page names it, and as the server shows it. The page holds the whole game, so that the
//! server keeps nothing between two requests.

use crate::failure::Failure;
use crate::limits::{GAME_MAX, MOVE_MAX, MOVES_MAX, POSITION_MAX, SHOWN_MAX};
use aji_catalog::{Session, Workbench};
use aji_search::{Player, Rng, Turn};
use serde::{Deserialize, Serialize};

/// A game, where it starts, and the moves played.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    /// The game, with its options.
    pub game: String,
    /// The position it starts from, in one line; none for the game's own start.
    #[serde(default)]
    pub start: Option<String>,
    /// The moves so far, including those of chance.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Whether the player to move after them has given up.
    #[serde(default)]
    pub resigned: bool,
}

impl Place {
    /// An error if a part is longer than allowed.
    fn check(&self) -> Result<(), Failure> {
        let within = |what: &str, found: usize, most: usize| match found <= most {
            true => Ok(()),
            false => Err(Failure::too_long(what, found, most)),
        };
        within("bytes of the game's name", self.game.len(), GAME_MAX)?;
        within("bytes of the position", self.start.as_deref().map_or(0, str::len), POSITION_MAX)?;
        within("moves", self.moves.len(), MOVES_MAX)?;
        self.moves.iter().try_for_each(|name| within("bytes of a move", name.len(), MOVE_MAX))
    }

    /// Opens the game, and plays the moves.
    pub fn open(&self, workbench: &Workbench) -> Result<Box<dyn Session>, Failure> {
        self.open_named(workbench).map(|(session, _)| session)
    }

    /// The same, with the whole names of the moves.
    fn open_named(&self, workbench: &Workbench) -> Result<(Box<dyn Session>, Vec<Played>), Failure> {
        self.check()?;
        let mut session = workbench.session(&self.game)?;
        if let Some(start) = &self.start {
            session.set_position(start)?;
        }
        let mut moves = Vec::with_capacity(self.moves.len());
        for (index, name) in self.moves.iter().enumerate() {
            let wrong = |error| Failure::wrong(format!("{}: move {}: {error}", self.game, index + 1));
            let by = mover(session.as_ref());
            moves.push(Played { action: session.play(name).map_err(wrong)?, by });
        }
        if self.resigned {
            session.resign()?;
        }
        Ok((session, moves))
    }

    /// The position, for the page. If `luck` gives a seed, chance moves first, until a player is to act.
    pub fn show(&self, workbench: &Workbench, luck: Option<u64>) -> Result<Shown, Failure> {
        let (mut session, mut moves) = self.open_named(workbench)?;
        if let Some(seed) = luck {
            while moves.len() < MOVES_MAX {
                match session.draw_chance(&mut luck_of(seed, moves.len())) {
                    Some(action) => moves.push(Played { action, by: None }),
                    None => break,
                }
            }
        }
        Shown::new(session.as_ref(), self.start.clone(), moves)
    }
}

/// The random numbers of one move of chance: the seed and the number of moves decide them, so a link has them too.
fn luck_of(seed: u64, moves: usize) -> Rng {
    Rng::seeded(seed.wrapping_mul(MOVES_MAX as u64 + 1).wrapping_add(moves as u64))
}

/// The player to act, unless it is chance.
fn mover(session: &dyn Session) -> Option<Player> {
    match session.turn() {
        Turn::Player(player) => Some(player),
        Turn::Chance | Turn::Over => None,
    }
}

/// A move that was played.
#[derive(Debug, Serialize)]
pub struct Played {
    /// Its whole name.
    action: String,
    /// The player who made it; none for chance.
    by: Option<Player>,
}

/// A position, for the page.
#[derive(Debug, Serialize)]
pub struct Shown {
    game: String,
    start: Option<String>,
    moves: Vec<Played>,
    /// The position in one line.
    text: String,
    /// The position as text of several lines.
    board: String,
    /// `player`, `chance` or `over`.
    turn: &'static str,
    /// The player to act.
    player: Option<Player>,
    /// What the players are called.
    players: Vec<String>,
    /// The legal actions.
    actions: Vec<String>,
    /// What each player got, once the game is over.
    payoff: Option<Vec<f32>>,
    /// Who has given up.
    resigned: Option<Player>,
}

impl Shown {
    fn new(session: &dyn Session, start: Option<String>, moves: Vec<Played>) -> Result<Shown, Failure> {
        let turn = match session.turn() {
            Turn::Player(_) => "player",
            Turn::Chance => "chance",
            Turn::Over => "over",
        };
        let players = session.players();
        let (text, board) = (session.text(), session.board());
        if text.len().max(board.len()) > SHOWN_MAX {
            let most = format!("a page shows at most {SHOWN_MAX} bytes of text; choose a smaller game");
            return Err(Failure::wrong(format!("{}: the position is too large: {most}", session.name())));
        }
        Ok(Shown {
            game: session.name().into(),
            start,
            moves,
            text,
            board,
            turn,
            player: mover(session),
            players: (0..players).map(|player| session.player_name(player as Player)).collect(),
            actions: session.actions(),
            payoff: session.payoff().map(|payoff| payoff.0[..players].to_vec()),
            resigned: session.resigned(),
        })
    }
}
