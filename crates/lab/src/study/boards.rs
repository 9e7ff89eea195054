//! Boards of Domineering, Clobber or Toads and Frogs: the canonical form and the thermograph of their sum.

use crate::Error;
use aji_catalog::unknown;
use aji_cgt::{Dyadic, GameError, Games, Outcome, Side, Thermograph, form_of};
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
}

type Study = fn(&str) -> Result<BoardStudy, String>;

/// The games whose boards can be studied, by their names in the catalog.
const STUDIES: [(&str, Study); 3] = [
    ("domineering", study::<Domineering>),
    ("clobber", study::<Clobber>),
    ("toads-and-frogs", study::<ToadsAndFrogs>),
];

/// Studies a board such as `../..`, or several joined by `+`.
pub fn study_boards(game: &str, boards: &str) -> Result<BoardStudy, Error> {
    let Some((_, study)) = STUDIES.iter().find(|(word, _)| *word == game) else {
        return Err(unknown("game to study", game, &STUDIES.map(|(word, _)| word)).into());
    };
    study(boards).map_err(|error| Error::new(format!("{game}: {error}")))
}

fn study<B: Board>(boards: &str) -> Result<BoardStudy, String> {
    let sum = Sum::<B>::of_text(boards, Side::Left)?;
    studied(&sum.parts()).map_err(|error| format!("\"{boards}\": {error}"))
}

fn studied<B: Board>(boards: &[B]) -> Result<BoardStudy, GameError> {
    let mut games = Games::new();
    let mut total = games.number(Dyadic::ZERO)?;
    for board in boards {
        let form = form_of(&mut games, board)?;
        total = games.plus(total, form)?;
    }
    Ok(BoardStudy {
        form: games.written(total)?,
        outcome: games.outcome(total)?,
        stops: (games.left_stop(total), games.right_stop(total)),
        thermograph: Thermograph::clone(&*games.thermograph(total)?),
    })
}
