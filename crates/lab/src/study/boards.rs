//! Boards of Domineering, Clobber or Toads and Frogs: the canonical form and the thermograph of their sum.

use crate::Error;
use aji_catalog::unknown;
use aji_cgt::{Dyadic, Form, Forms, GameError, GameLimits, Games, Outcome, Side, Thermograph};
use aji_games::{Board, Clobber, Domineering, Sum, Summed, ToadsAndFrogs};

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

type Study = fn(&str, GameLimits) -> Result<BoardStudy, String>;

/// The games whose boards can be studied, by their names in the catalog.
const STUDIES: [(&str, Study); 3] = [
    ("domineering", study::<Domineering>),
    ("clobber", study::<Clobber>),
    ("toads-and-frogs", study::<ToadsAndFrogs>),
];

/// Studies a board such as `../..`, or several joined by `+`, within these limits.
pub fn study_boards(game: &str, boards: &str, limits: GameLimits) -> Result<BoardStudy, Error> {
    let Some((_, study)) = STUDIES.iter().find(|(word, _)| *word == game) else {
        return Err(unknown("game to study", game, &STUDIES.map(|(word, _)| word)).into());
    };
    study(boards, limits).map_err(|error| Error::new(format!("{game}: {error}")))
}

fn study<B: Board>(boards: &str, limits: GameLimits) -> Result<BoardStudy, String> {
    let sum = Sum::<B>::of_text(boards, Side::Left)?;
    studied(&sum.parts(), limits).map_err(|error| format!("\"{boards}\": {error}"))
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
