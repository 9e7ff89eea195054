//! Boards of Domineering, Clobber or Toads and Frogs: the canonical form and the thermograph of their sum.

use super::states::{ReachedStates, states_of_positions};
use crate::Error;
use aji_catalog::unknown;
use aji_cgt::{Dyadic, Form, Forms, GameError, GameLimits, Games, Outcome, Side, Thermograph};
use aji_games::{Board, Clobber, Domineering, Sum, Summed, ToadsAndFrogs, board_text};

/// The value of a sum of boards.
#[derive(Clone, Debug)]
pub struct BoardStudy {
    /// The canonical form as text.
    pub form: String,
    /// Who wins.
    pub outcome: Outcome,
    /// The left stop and the right stop: what Left gets when Left moves first, and when Right does.
    pub stops: (Dyadic, Dyadic),
    /// The thermograph.
    pub thermograph: Thermograph,
    /// The undominated incentives of Left and of Right, as text: what a move gains, as a game. None if they are too
    /// large.
    pub incentives: Option<[Vec<String>; 2]>,
}

/// The studies of a game's boards.
struct Studies {
    /// Its name in the catalog.
    word: &'static str,
    value: fn(&str, GameLimits) -> Result<BoardStudy, String>,
    states: fn(&str, GameLimits) -> Result<ReachedStates, String>,
}

impl Studies {
    const fn new<B: Board>(word: &'static str) -> Studies {
        Studies { word, value: study::<B>, states: study_states::<B> }
    }
}

/// The games whose boards can be studied.
const STUDIES: [Studies; 3] = [
    Studies::new::<Domineering>("domineering"),
    Studies::new::<Clobber>("clobber"),
    Studies::new::<ToadsAndFrogs>("toads-and-frogs"),
];

/// Studies a board such as `../..`, or several joined by `+`, within these limits.
pub fn study_boards(game: &str, boards: &str, limits: GameLimits) -> Result<BoardStudy, Error> {
    (studies(game)?.value)(boards, limits).map_err(|error| Error::new(format!("{game}: {error}")))
}

/// The states that play can reach from such boards.
pub fn study_board_states(game: &str, boards: &str, limits: GameLimits) -> Result<ReachedStates, Error> {
    (studies(game)?.states)(boards, limits).map_err(|error| Error::new(format!("{game}: {error}")))
}

fn studies(game: &str) -> Result<&'static Studies, Error> {
    let found = STUDIES.iter().find(|studies| studies.word == game);
    found
        .ok_or_else(|| unknown("game to study", game, &STUDIES.each_ref().map(|studies| studies.word)).into())
}

fn study<B: Board>(boards: &str, limits: GameLimits) -> Result<BoardStudy, String> {
    let sum = Sum::<B>::of_text(boards, Side::Left)?;
    studied(&sum.parts(), limits).map_err(|error| format!("\"{boards}\": {error}"))
}

fn study_states<B: Board>(boards: &str, limits: GameLimits) -> Result<ReachedStates, String> {
    let sum = Sum::<B>::of_text(boards, Side::Left)?;
    let (mut games, mut forms) = (Games::within(limits), Forms::default());
    states_of_positions(&mut games, &mut forms, &sum.parts(), board_text)
        .map_err(|error| format!("\"{boards}\": {error}"))
}

fn studied<B: Board>(boards: &[B], limits: GameLimits) -> Result<BoardStudy, GameError> {
    let (mut games, mut forms) = (Games::within(limits), Forms::default());
    let mut total = games.number(Dyadic::ZERO)?;
    for board in boards {
        let form = forms.of(&mut games, board)?;
        total = games.plus(total, form)?;
    }
    study_form(&mut games, total)
}

/// The value of a game.
pub(super) fn study_form(games: &mut Games, form: Form) -> Result<BoardStudy, GameError> {
    Ok(BoardStudy {
        form: games.written(form)?,
        outcome: games.outcome(form)?,
        stops: (games.left_stop(form), games.right_stop(form)),
        thermograph: Thermograph::clone(&*games.thermograph(form)?),
        incentives: incentives(games, form).ok(),
    })
}

fn incentives(games: &mut Games, form: Form) -> Result<[Vec<String>; 2], GameError> {
    let mut of = |side| -> Result<Vec<String>, GameError> {
        games.best_incentives(form, side)?.into_iter().map(|incentive| games.written(incentive)).collect()
    };
    Ok([of(Side::Left)?, of(Side::Right)?])
}
