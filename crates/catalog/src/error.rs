//! The error of a text that cannot be used.

use std::fmt;

/// One line that says what was wrong, where, and what would be right. Only if a program disagrees about the legal
/// moves, the board follows on further lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Error {
    message: String,
    /// What would be right, where that depends on who asks.
    advice: Option<String>,
}

impl Error {
    /// An error with this message.
    pub fn new(message: impl Into<String>) -> Error {
        Error { message: message.into(), advice: None }
    }

    /// The same with this advice, in place of any that it has.
    pub(crate) fn advise(self, advice: impl Into<String>) -> Error {
        Error { advice: Some(advice.into()), ..self }
    }

    /// The same with this advice, if it has some.
    pub fn advise_instead(self, advice: &str) -> Error {
        Error { advice: self.advice.map(|_| advice.into()), ..self }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)?;
        self.advice.as_ref().map_or(Ok(()), |advice| write!(f, "; {advice}"))
    }
}

impl std::error::Error for Error {}

/// Words that begin with the same letters, this many, look alike.
const BEGINNING: usize = 3;

/// The known word that looks most like this one, unless none does.
pub fn nearest<'a>(word: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let distance = |known: &str| strsim::damerau_levenshtein(word, known);
    let is_close = |known: &str| distance(known) <= (known.len() / 3).max(1);
    let begins = |known: &str| word.get(..BEGINNING).is_some_and(|beginning| known.starts_with(beginning));
    let near = known.into_iter().filter(|known| is_close(known) || begins(known));
    near.min_by_key(|known| (!is_close(known), distance(known)))
}

/// Errors quote no position that is longer than this, such as a record of a game.
const QUOTED_MAX: usize = 100;

/// The error for the text of a position, which the game cannot read for this reason.
pub(crate) fn wrong_position(game: &str, text: &str, why: &str) -> Error {
    let is_long = text.len() > QUOTED_MAX || text.contains('\n');
    Error::new(match why.starts_with('"') {
        true => format!("{game}: position {why}"),
        false if is_long => format!("{game}: position: {why}"),
        false => format!("{game}: position \"{text}\": {why}"),
    })
}

/// "unknown agent "utc"; did you mean uct? known: flat, random, uct".
pub fn unknown(what: &str, word: &str, known: &[&str]) -> Error {
    let hint =
        nearest(word, known.iter().copied()).map_or(String::new(), |near| format!("; did you mean {near}?"));
    Error::new(
        format!("unknown {what} \"{word}\"{hint} known: {}", known.join(", "))
            .replace("\" known", "\"; known"),
    )
}
