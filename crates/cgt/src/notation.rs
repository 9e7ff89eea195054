//! Reads and writes games in the usual notation.
//!
//! | written | the game |
//! |---|---|
//! | `3`, `-3/4`, `1.5` | numbers; a denominator is a power of two |
//! | `*`, `*2` | nimbers |
//! | `^`, `^2`, `v`, `v2` | multiples of up, {0\|*}, and of down; `^^` is `^2` |
//! | `1^2*3` | the sum of a number, ups and a nimber, without spaces |
//! | `{0,*\|1}` | by options; `{\|}` has none |
//! | `{3\|-1\|\|-7}` | two bars bind less than one, three less than two: {{3\|-1}\|-7} |
//! | `+-5`, `±5`, `+-{3\|1}` | {G\|-G} |
//!
//! So `2*3` is 2 + *3, and not 6; `-3^` is -3 + ^, and not -(3^), as a sign belongs to its number. A written game
//! reads back as the same game.

use crate::{Dyadic, Form, GameError, Games, Side};
use std::fmt;

/// The most bars written side by side; deeper games use braces.
const BARS_MAX: usize = 3;

/// Why a text is not a game: the problem, and its character position, counted from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotationError {
    /// The character position.
    pub column: usize,
    /// The problem there.
    pub problem: String,
}

impl fmt::Display for NotationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}", self.problem, self.column)
    }
}

impl std::error::Error for NotationError {}

impl Games {
    /// Reads a game.
    pub fn read(&mut self, text: &str) -> Result<Form, NotationError> {
        let mut reader = Reader::new(text);
        let form = reader.game(self)?;
        reader.expect_end()?;
        Ok(form)
    }

    /// Writes a game.
    pub fn written(&mut self, form: Form) -> Result<String, GameError> {
        let (text, bars) = self.within_braces(form, 0)?;
        Ok(if bars == 0 { text } else { format!("{{{text}}}") })
    }

    /// The text within the braces, and the longest row of bars in it; 0 if it needs no braces.
    fn within_braces(&mut self, form: Form, depth: usize) -> Result<(String, usize), GameError> {
        if let Some((number, ups, nimber)) = self.as_number_up_star(form) {
            return Ok((plain_text(number, ups, nimber), 0));
        }
        if depth >= Form::BRACES_MAX {
            return Err(GameError::Text);
        }
        let sides = [self.options(form, Side::Left)?, self.options(form, Side::Right)?];
        if let ([left], [right]) = (&sides[0][..], &sides[1][..])
            && self.negative(*left)? == *right
            && self.as_number_up_star(*left).is_some()
        {
            return Ok((format!("+-{}", self.within_braces(*left, depth + 1)?.0), 0));
        }
        let mut texts = [String::new(), String::new()];
        let mut bars = 0;
        for (text, options) in texts.iter_mut().zip(&sides) {
            let mut written = Vec::with_capacity(options.len());
            for &option in options.iter() {
                let (inner, inner_bars) = self.within_braces(option, depth + 1)?;
                if options.len() == 1 && inner_bars < BARS_MAX {
                    bars = bars.max(inner_bars);
                    written.push(inner);
                } else {
                    written.push(if inner_bars == 0 { inner } else { format!("{{{inner}}}") });
                }
            }
            // The order must not depend on which games were made before.
            written.sort_by(|one, other| (one.len(), one).cmp(&(other.len(), other)));
            *text = written.join(",");
        }
        let text = texts.join(&"|".repeat(bars + 1));
        if text.len() > Form::TEXT_MAX { Err(GameError::Text) } else { Ok((text, bars + 1)) }
    }
}

/// A number, ups and a nimber.
fn plain_text(number: Dyadic, ups: i32, nimber: u16) -> String {
    let ups_text = match (ups.signum(), ups.unsigned_abs()) {
        (0, _) => String::new(),
        (1, 1) => "^".into(),
        (1, count) => format!("^{count}"),
        (_, 1) => "v".into(),
        (_, count) => format!("v{count}"),
    };
    let nimber_text = match nimber {
        0 => String::new(),
        1 => "*".into(),
        _ => format!("*{nimber}"),
    };
    let is_alone = ups == 0 && nimber == 0;
    let number_text = if number == Dyadic::ZERO && !is_alone { String::new() } else { number.to_string() };
    number_text + &ups_text + &nimber_text
}

/// Reads games from a text, left to right.
pub(crate) struct Reader {
    characters: Vec<char>,
    at: usize,
    braces: usize,
}

impl Reader {
    pub fn new(text: &str) -> Reader {
        Reader { characters: text.chars().collect(), at: 0, braces: 0 }
    }

    /// The character `ahead` places after the next one.
    pub fn peek(&self, ahead: usize) -> Option<char> {
        self.characters.get(self.at + ahead).copied()
    }

    pub fn skip_spaces(&mut self) {
        while self.peek(0).is_some_and(char::is_whitespace) {
            self.at += 1;
        }
    }

    /// Skips spaces, then takes this text if it stands here.
    pub fn take(&mut self, text: &str) -> bool {
        self.skip_spaces();
        let stands = text.chars().enumerate().all(|(index, letter)| self.peek(index) == Some(letter));
        if stands {
            self.at += text.chars().count();
        }
        stands
    }

    /// Takes characters while `holds` is true.
    pub fn take_while(&mut self, holds: impl Fn(char) -> bool) -> String {
        let start = self.at;
        while self.peek(0).is_some_and(&holds) {
            self.at += 1;
        }
        self.characters[start..self.at].iter().collect()
    }

    /// The column of the next character.
    pub fn column(&mut self) -> usize {
        self.skip_spaces();
        self.at + 1
    }

    /// Goes back to an earlier column.
    pub fn back_to(&mut self, column: usize) {
        self.at = column - 1;
    }

    /// The error that something else was expected here.
    pub fn expected(&mut self, what: &str) -> NotationError {
        let column = self.column();
        let found = self.peek(0).map_or("the end".into(), |found| format!("\"{found}\""));
        NotationError { column, problem: format!("expected {what}, found {found}") }
    }

    pub fn expect(&mut self, text: &str) -> Result<(), NotationError> {
        if self.take(text) { Ok(()) } else { Err(self.expected(&format!("\"{text}\""))) }
    }

    pub fn expect_end(&mut self) -> Result<(), NotationError> {
        self.skip_spaces();
        if self.peek(0).is_none() { Ok(()) } else { Err(self.expected("the end")) }
    }

    pub fn expect_end_of_expression(&mut self) -> Result<(), NotationError> {
        self.expect_end().map_err(|_| self.expected("an operator or the end"))
    }

    /// One game, without operators.
    pub fn game(&mut self, games: &mut Games) -> Result<Form, NotationError> {
        let column = self.column();
        if self.peek(0) == Some('{') {
            return self.in_braces(games);
        }
        if self.take("+-") || self.take("±") {
            let left = if self.peek(0) == Some('{') { self.in_braces(games)? } else { self.plain(games)? };
            return games
                .negative(left)
                .and_then(|right| games.from_options(&[left], &[right]))
                .map_err(at(column));
        }
        self.plain(games)
    }

    /// {..}: lists of options between bars. The longest row of bars splits the whole.
    fn in_braces(&mut self, games: &mut Games) -> Result<Form, NotationError> {
        let column = self.column();
        self.expect("{")?;
        self.braces += 1;
        if self.braces > Form::BRACES_MAX {
            return Err(NotationError {
                column,
                problem: format!("more than {} braces in each other", Form::BRACES_MAX),
            });
        }
        let mut lists = vec![self.list(games)?];
        let mut bars: Vec<(usize, usize)> = Vec::new();
        while !self.take("}") {
            let column = self.column();
            let count = self.take_while(|letter| letter == '|').len();
            if count == 0 {
                return Err(self.expected("\"|\", \",\" or \"}\""));
            }
            bars.push((count, column));
            lists.push(self.list(games)?);
        }
        if bars.is_empty() {
            self.back_to(self.at);
            return Err(self.expected("\"|\""));
        }
        self.braces -= 1;
        parted(games, &lists, &bars, column)
    }

    /// Options separated by commas; there may be none.
    fn list(&mut self, games: &mut Games) -> Result<Vec<Form>, NotationError> {
        self.skip_spaces();
        let mut options = Vec::new();
        if matches!(self.peek(0), Some('|' | '}')) {
            return Ok(options);
        }
        options.push(self.game(games)?);
        while self.take(",") {
            options.push(self.game(games)?);
        }
        Ok(options)
    }

    /// A number, ups and a nimber. At least one must be present.
    fn plain(&mut self, games: &mut Games) -> Result<Form, NotationError> {
        let column = self.column();
        let number = self.number()?;
        let ups = self.ups()?;
        // A star before a bracket is a multiplication.
        let nimber = if self.peek(0) == Some('*') && self.peek(1) != Some('(') {
            self.at += 1;
            if self.peek(0).is_some_and(|letter| letter.is_ascii_digit()) {
                self.whole(u16::MAX.into())? as u16
            } else {
                1
            }
        } else {
            0
        };
        if column == self.column() {
            return Err(self.expected("a game"));
        }
        games.number_up_star(number.unwrap_or(Dyadic::ZERO), ups, nimber).map_err(at(column))
    }

    /// Reads `3`, `-3/4` or `1.5`, if a number stands here.
    pub fn number(&mut self) -> Result<Option<Dyadic>, NotationError> {
        let column = self.column();
        let is_negative = self.take("-");
        if !self.peek(0).is_some_and(|letter| letter.is_ascii_digit()) {
            return if is_negative { Err(self.expected("a number after \"-\"")) } else { Ok(None) };
        }
        let whole = self.whole(i128::MAX as u128)? as i128;
        let next_is_digit = self.peek(1).is_some_and(|letter| letter.is_ascii_digit());
        let size = match self.peek(0) {
            Some('/') => {
                self.at += 1;
                let column = self.column();
                let denominator = self.whole(u128::MAX)?;
                if denominator.count_ones() != 1 {
                    let problem = format!("expected a power of two below \"/\", found {denominator}");
                    return Err(NotationError { column, problem });
                }
                Dyadic::new(whole, denominator.trailing_zeros())
            }
            Some('.') if next_is_digit => {
                self.at += 1;
                let digits = self.take_while(|letter| letter.is_ascii_digit());
                return self.decimal(column, is_negative, whole, &digits).map(Some);
            }
            _ => Dyadic::new(whole, 0),
        };
        let size = size.map_err(|overflow| at(column)(overflow.into()))?;
        Ok(Some(if is_negative { -size } else { size }))
    }

    /// The dyadic number with these decimal digits. With n digits it must be a multiple of 1/2^n; otherwise it is not
    /// dyadic.
    fn decimal(
        &self,
        column: usize,
        is_negative: bool,
        whole: i128,
        digits: &str,
    ) -> Result<Dyadic, NotationError> {
        let digits = digits.trim_end_matches('0');
        let exponent = digits.len() as u32;
        let problem = |problem: String| NotationError { column, problem };
        let overflow = || at(column)(GameError::Number);
        // digits / 10^n = (digits / 5^n) / 2^n
        let (tail, fives) = match (digits.parse::<i128>(), 5i128.checked_pow(exponent)) {
            _ if digits.is_empty() => (0, 1),
            (Ok(tail), Some(fives)) => (tail, fives),
            _ => return Err(overflow()),
        };
        if tail % fives != 0 {
            return Err(problem(format!(
                "expected halves, quarters, eighths and so on, found {whole}.{digits}"
            )));
        }
        let fraction = Dyadic::new(tail / fives, exponent).map_err(|_| overflow())?;
        let size = Dyadic::new(whole, 0).and_then(|whole| whole.plus(fraction)).map_err(|_| overflow())?;
        Ok(if is_negative { -size } else { size })
    }

    /// Reads `^`, `^2`, `^^`, `v`, ..., or nothing, and returns the number of ups.
    fn ups(&mut self) -> Result<i32, NotationError> {
        let Some(arrow) = self.peek(0).filter(|&letter| letter == '^' || letter == 'v') else { return Ok(0) };
        let column = self.column();
        let arrows = self.take_while(|letter| letter == arrow).len();
        let has_count = arrows == 1 && self.peek(0).is_some_and(|letter| letter.is_ascii_digit());
        let count = if has_count { self.whole(i32::MAX as u128)? } else { arrows as u128 };
        let count = i32::try_from(count).map_err(|_| at(column)(GameError::Ups))?;
        Ok(if arrow == '^' { count } else { -count })
    }

    /// A whole number from 0 to `largest`.
    pub fn whole(&mut self, largest: u128) -> Result<u128, NotationError> {
        let column = self.column();
        let digits = self.take_while(|letter| letter.is_ascii_digit());
        if digits.is_empty() {
            return Err(self.expected("a whole number"));
        }
        let problem = format!("expected a whole number up to {largest}");
        digits.parse().ok().filter(|&number| number <= largest).ok_or(NotationError { column, problem })
    }
}

/// The game of lists with bars between them. There is one more list than bars.
fn parted(
    games: &mut Games,
    lists: &[Vec<Form>],
    bars: &[(usize, usize)],
    column: usize,
) -> Result<Form, NotationError> {
    let most = bars.iter().map(|&(count, _)| count).max().unwrap_or(0);
    let mut widest = bars.iter().enumerate().filter(|(_, (count, _))| *count == most);
    let middle = widest.next().map_or(0, |(index, _)| index);
    if let Some((_, &(_, column))) = widest.next() {
        let problem = format!("a second \"{}\" in the same braces", "|".repeat(most));
        return Err(NotationError { column, problem });
    }
    let mut side = |lists: &[Vec<Form>], bars: &[(usize, usize)]| match lists {
        [options] => Ok(options.clone()),
        _ => parted(games, lists, bars, column).map(|option| vec![option]),
    };
    let lefts = side(&lists[..=middle], &bars[..middle])?;
    let rights = side(&lists[middle + 1..], &bars[middle + 1..])?;
    games.from_options(&lefts, &rights).map_err(at(column))
}

/// Turns a game's error into one with its column.
pub(crate) fn at(column: usize) -> impl Fn(GameError) -> NotationError {
    move |error| NotationError { column, problem: error.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(text: &str, expect: &str) {
        let games = &mut Games::new();
        let written = games.read(text).map_err(|error| error.to_string());
        let written = written.map(|form| games.written(form).unwrap());
        assert_eq!(written.as_deref().unwrap_or_else(|error| error), expect, "{text}");
    }

    #[test]
    fn read_and_written() {
        for text in [
            "0",
            "-3/4",
            "3/2",
            "*",
            "*2",
            "^",
            "v",
            "^2",
            "^*",
            "v3*2",
            "1^*",
            "-3^",
            "2*3",
            "-1/2v2",
            "+-5",
            "+-1/2",
            "{3|-1}",
            "{3|-1||-7}",
            "{0||0|-2}",
            "{2|||1|0||-1}",
            "+-1*",
            "{1*|-1}",
            "{4|+-1,{2|-3}}",
        ] {
            check(text, text);
        }
        check(&format!("1/{}", 1u128 << 127), &format!("1/{}", 1u128 << 127));
        for (text, expect) in [
            ("{|}", "0"),
            ("{0,*|1}", "1/2"),
            ("{ 0 , * | 0 }", "^*"),
            ("{0|*}", "^"),
            ("^^", "^2"),
            ("1.5", "3/2"),
            ("-0.125", "-1/8"),
            ("±5", "+-5"),
            ("{5|-5}", "+-5"),
            ("{1|}", "2"),
            ("{{3|-1}|-7}", "{3|-1||-7}"),
            ("+-{3|1}", "{3|1||-1|-3}"),
            ("{3|-1|||-7}", "{3|-1||-7}"),
            ("1000000000000", "1000000000000"),
            ("0^", "^"),
            ("4/8", "1/2"),
        ] {
            check(text, expect);
        }
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, expect) in [
            ("", "expected a game, found the end at 1"),
            ("{3|-1", "expected \"|\", \",\" or \"}\", found the end at 6"),
            ("{3}", "expected \"|\", found \"}\" at 3"),
            ("{3|x}", "expected a game, found \"x\" at 4"),
            ("1/3", "expected a power of two below \"/\", found 3 at 3"),
            ("0.3", "expected halves, quarters, eighths and so on, found 0.3 at 1"),
            ("{1|2|3}", "a second \"|\" in the same braces at 5"),
            ("-", "expected a number after \"-\", found the end at 2"),
            ("*70000", "expected a whole number up to 65535 at 2"),
            ("^2147483648", "expected a whole number up to 2147483647 at 2"),
            ("1 2", "expected the end, found \"2\" at 3"),
            ("{1,|2}", "expected a game, found \"|\" at 4"),
            ("3/", "expected a whole number, found the end at 3"),
        ] {
            check(text, expect);
        }
        check(&"{".repeat(1_000_000), "more than 100 braces in each other at 101");
        check(&"9".repeat(50), &format!("expected a whole number up to {} at 1", i128::MAX));
    }

    /// Games whose options are games, a few levels deep.
    fn game() -> impl Strategy<Value = String> {
        let leaf = prop::sample::select(vec!["0", "1", "-2", "1/2", "*", "^", "v*2", "3", "+-1"]);
        leaf.prop_map(String::from).prop_recursive(4, 24, 3, |inner| {
            let list = || prop::collection::vec(inner.clone(), 1..3).prop_map(|options| options.join(","));
            (list(), list()).prop_map(|(lefts, rights)| format!("{{{lefts}|{rights}}}"))
        })
    }

    proptest! {
        /// A written game reads back as the same game, and other `Games` write it the same way.
        #[test]
        fn written_games_are_read(text in game(), other in game()) {
            let games = &mut Games::new();
            games.read(&other).unwrap();
            let form = games.read(&text).unwrap();
            let written = games.written(form).unwrap();
            prop_assert_eq!(games.read(&written).unwrap(), form);
            let fresh = &mut Games::new();
            let form = fresh.read(&text).unwrap();
            prop_assert_eq!(fresh.written(form).unwrap(), written);
        }

        #[test]
        fn no_text_is_too_much(text in "[0-9{}|,*^v+.±/ -]{0,24}") {
            let _ = Games::new().read(&text);
        }
    }
}
