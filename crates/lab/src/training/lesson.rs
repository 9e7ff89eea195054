//! The games that networks can learn.

use crate::Error;
use aji_catalog::Session;
use aji_search::Game;
use aji_train::{Learnable, Lesson};
use std::sync::Arc;

/// The game of a session, if a network can learn it.
pub fn lesson(session: &dyn Session) -> Result<Arc<dyn Learnable>, Error> {
    check(session)?;
    let game = session.position().clone();
    let is_symmetric = game.has().symmetric;
    Ok(if is_symmetric { Arc::new(Lesson::symmetric(game)) } else { Arc::new(Lesson::plain(game)) })
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
