//! The games that networks can learn.

use crate::Error;
use aji_catalog::Session;
use aji_search::{AnyGame, Game};
use aji_train::{Learnable, Lesson, Partner};
use std::sync::Arc;

/// The game of a session, if a network can learn it.
pub fn lesson(session: &dyn Session) -> Result<Arc<dyn Learnable>, Error> {
    Ok(Arc::new(lesson_with(session, None)?))
}

/// The same with a partner, who moves in some games.
pub(super) fn lesson_with(
    session: &dyn Session,
    partner: Option<Arc<dyn Partner<AnyGame>>>,
) -> Result<Lesson<AnyGame>, Error> {
    check(session)?;
    let game = session.position().clone();
    let is_symmetric = game.has().symmetric;
    let lesson = if is_symmetric { Lesson::symmetric(game) } else { Lesson::plain(game) };
    Ok(match partner {
        Some(partner) => lesson.with_partner(partner),
        None => lesson,
    })
}

/// An error if networks cannot learn the game of a session.
pub(super) fn check(session: &dyn Session) -> Result<(), Error> {
    let (game, name) = (session.position(), session.name());
    let has = game.has();
    if !has.encoded || !has.hashed {
        return Err(Error::new(format!(
            "{name}: networks cannot learn this game, as it has no encoding; connect-four has one"
        )));
    }
    if game.has_chance() || game.players() != 2 {
        return Err(Error::new(format!("{name}: networks learn games of two players without chance")));
    }
    Ok(())
}
