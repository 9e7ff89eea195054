//! Finds the action that a text names.

use crate::Error;
use aji_search::{AnyGame, Game, Named, Turn};

/// A message lists no more actions than this.
const LISTED_MAX: usize = 24;

/// The action of this name, or the only action whose name begins or ends with it.
pub(crate) fn find(position: &AnyGame, text: &str) -> Result<u16, Error> {
    let mut legal = Vec::new();
    position.actions(&mut legal);
    let names: Vec<String> = legal.iter().map(|&action| position.action_name(action)).collect();
    let wanted = text.to_lowercase();
    if let Some(exact) = names.iter().position(|name| name.to_lowercase() == wanted) {
        return Ok(legal[exact]);
    }
    let is_part = |name: &String| {
        let name = name.to_lowercase();
        !wanted.is_empty() && (name.starts_with(&wanted) || name.ends_with(&wanted))
    };
    let parts: Vec<usize> = (0..names.len()).filter(|&index| is_part(&names[index])).collect();
    let listed = |indices: &[usize]| {
        let shown: Vec<&str> = indices.iter().take(LISTED_MAX).map(|&index| names[index].as_str()).collect();
        shown.join(" ") + if indices.len() > LISTED_MAX { " ..." } else { "" }
    };
    match parts[..] {
        [only] => Ok(legal[only]),
        [] if position.turn() == Turn::Over => Err(game_over(text)),
        [] => {
            let all: Vec<usize> = (0..names.len()).collect();
            Err(Error::new(format!("move \"{text}\" is not legal here; legal: {}", listed(&all))))
        }
        _ => Err(Error::new(format!("move \"{text}\" is ambiguous: it could be {}", listed(&parts)))),
    }
}

/// The error for a move after the end of the game.
pub(crate) fn game_over(text: &str) -> Error {
    Error::new(format!("move \"{text}\": the game is over"))
}
