//! Evaluates expressions in games: `{3|-1} + +-5 > *`.
//!
//! - Games, and numbers among them, are written in the usual notation and reduced to canonical form.
//! - `G + H`, `G - H`, `-G`, `(G)`; `3.G` and `3*(G)` are three copies. `2*3` without a bracket is the game 2 + *3.
//! - `G > H`, `<`, `>=`, `<=`, `=`, and `||` or `<>` for confused, are true or false; `G ? H` says which of them
//!   holds.
//! - Functions: see [`FUNCTIONS`].
//!
//! A sign right before a number belongs to it: `-3^` is -3 + ^, and `-(3^)` is -3 + v.

use crate::notation::{NotationError, Reader, at};
use crate::{Dyadic, Form, GameError, GameLimits, Games, Outcome, Relation, Side};
use std::fmt;

/// The functions of expressions, and what they return.
pub const FUNCTIONS: [(&str, &str); 11] = [
    ("canon(G)", "the canonical form"),
    ("mean(G)", "what it is worth on average in a sum of many"),
    ("temp(G)", "the temperature, how much a move is worth"),
    ("cool(G, t)", "every move taxed by t; the mean above the temperature"),
    ("heat(G, t)", "every move paid for by t"),
    ("left_stop(G)", "what Left gets if he moves first"),
    ("right_stop(G)", "what Left gets if Right moves first"),
    ("birthday(G)", "the moves in its longest line of play"),
    ("outcome(G)", "who wins"),
    ("left_incentives(G)", "GL - G for each left option GL"),
    ("right_incentives(G)", "G - GR for each right option GR"),
];

/// The deepest nesting of brackets, functions and signs.
const NESTING_MAX: usize = 100;

/// The value of an expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A game that is a number.
    Number(Dyadic),
    /// Any other game, in canonical form.
    Game(String),
    /// Several games, in canonical form.
    Games(Vec<String>),
    /// How two games compare.
    Relation(Relation),
    /// Whether the comparison is true.
    Truth(bool),
    /// Who wins a game.
    Outcome(Outcome),
}

impl Value {
    /// The kind of value, in one word.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Number(_) => "number",
            Value::Game(_) => "game",
            Value::Games(_) => "games",
            Value::Relation(_) => "relation",
            Value::Truth(_) => "truth",
            Value::Outcome(_) => "outcome",
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Game(game) => f.write_str(game),
            Value::Games(games) if games.is_empty() => f.write_str("none"),
            Value::Games(games) => f.write_str(&games.join(", ")),
            Value::Relation(relation) => write!(f, "{relation}"),
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Outcome(outcome) => write!(f, "{outcome}"),
        }
    }
}

/// Evaluates an expression.
pub fn evaluate(text: &str) -> Result<Value, NotationError> {
    evaluate_within(text, GameLimits::default())
}

/// Evaluates an expression within limits.
pub fn evaluate_within(text: &str, limits: GameLimits) -> Result<Value, NotationError> {
    let mut evaluator = Evaluator { games: Games::within(limits), reader: Reader::new(text), nesting: 0 };
    let found = evaluator.comparison()?;
    evaluator.reader.expect_end_of_expression()?;
    Ok(match found {
        Found::Value(value) => value,
        Found::Game(form) => match evaluator.games.as_number(form) {
            Some(number) => Value::Number(number),
            None => Value::Game(evaluator.games.written(form).map_err(at(1))?),
        },
    })
}

/// A game that operators can use, or a final value.
enum Found {
    Game(Form),
    Value(Value),
}

/// Reads and evaluates in one pass.
struct Evaluator {
    games: Games,
    reader: Reader,
    nesting: usize,
}

impl Evaluator {
    /// A sum, or a comparison of two.
    fn comparison(&mut self) -> Result<Found, NotationError> {
        let column = self.reader.column();
        let found = self.sum()?;
        // A longer sign stands before its prefixes.
        let signs = [">=", "<=", "<>", "==", ">", "<", "=", "||", "?"];
        let Some(sign) = signs.into_iter().find(|sign| self.reader.take(sign)) else { return Ok(found) };
        let left = self.game(found, column)?;
        let right = self.sum_of_games()?;
        let relation = self.games.relation(left, right).map_err(at(column))?;
        Ok(Found::Value(match sign {
            "?" => Value::Relation(relation),
            ">=" => Value::Truth(relation.is_at_least()),
            "<=" => Value::Truth(relation.is_at_most()),
            ">" => Value::Truth(relation == Relation::Greater),
            "<" => Value::Truth(relation == Relation::Less),
            "=" | "==" => Value::Truth(relation == Relation::Equal),
            _ => Value::Truth(relation == Relation::Confused),
        }))
    }

    /// Terms with `+` and `-` between them.
    fn sum(&mut self) -> Result<Found, NotationError> {
        let mut column = self.reader.column();
        let mut found = self.term()?;
        loop {
            let is_plus = self.reader.take("+");
            if !is_plus && !self.reader.take("-") {
                return Ok(found);
            }
            let sum = self.game(found, column)?;
            column = self.reader.column();
            let term = self.term()?;
            let term = self.game(term, column)?;
            let sum = if is_plus { self.games.plus(sum, term) } else { self.games.minus(sum, term) };
            found = Found::Game(sum.map_err(at(column))?);
        }
    }

    fn sum_of_games(&mut self) -> Result<Form, NotationError> {
        let column = self.reader.column();
        let found = self.sum()?;
        self.game(found, column)
    }

    /// An atom, with or without a sign or a count before it.
    fn term(&mut self) -> Result<Found, NotationError> {
        let column = self.reader.column();
        self.nesting += 1;
        if self.nesting > NESTING_MAX {
            let problem = format!("more than {NESTING_MAX} brackets and signs in each other");
            return Err(NotationError { column, problem });
        }
        let is_digit = |letter: Option<char>| letter.is_some_and(|letter| letter.is_ascii_digit());
        let found = if let Some(count) = self.count()? {
            let column = self.reader.column();
            let found = self.atom()?;
            let form = self.game(found, column)?;
            Found::Game(self.games.times(form, count).map_err(at(column))?)
        } else if self.reader.peek(0) == Some('-') && !is_digit(self.reader.peek(1)) {
            self.reader.take("-");
            let column = self.reader.column();
            let found = self.term()?;
            let form = self.game(found, column)?;
            Found::Game(self.games.negative(form).map_err(at(column))?)
        } else {
            self.atom()?
        };
        self.nesting -= 1;
        Ok(found)
    }

    /// Reads `3.` or the `3*` of `3*(`, if it stands here.
    fn count(&mut self) -> Result<Option<i128>, NotationError> {
        let column = self.reader.column();
        let is_negative = self.reader.take("-");
        let is_digit = |letter: char| letter.is_ascii_digit();
        if self.reader.peek(0).is_some_and(is_digit) {
            let count = self.reader.whole(i128::MAX as u128)? as i128;
            let is_count = match (self.reader.peek(0), self.reader.peek(1)) {
                (Some('.'), next) => !next.is_some_and(is_digit),
                (Some('*'), next) => next == Some('('),
                _ => false,
            };
            if is_count {
                let _ = self.reader.take(".") || self.reader.take("*");
                return Ok(Some(if is_negative { -count } else { count }));
            }
        }
        self.reader.back_to(column);
        Ok(None)
    }

    /// A bracket, a function, or a game.
    fn atom(&mut self) -> Result<Found, NotationError> {
        let column = self.reader.column();
        if self.reader.take("(") {
            let found = self.sum()?;
            self.reader.expect(")")?;
            return Ok(found);
        }
        let name = self.reader.take_while(|letter| letter.is_ascii_alphabetic() || letter == '_');
        if name.is_empty() || name.chars().all(|letter| letter == 'v') {
            self.reader.back_to(column);
            return self.reader.game(&mut self.games).map(Found::Game);
        }
        self.function(&name, column)
    }

    /// A function whose name was already read.
    fn function(&mut self, name: &str, column: usize) -> Result<Found, NotationError> {
        let is_known = FUNCTIONS.iter().any(|(usage, _)| usage.split('(').next() == Some(name));
        if !is_known {
            let names: Vec<&str> =
                FUNCTIONS.iter().filter_map(|(usage, _)| usage.split('(').next()).collect();
            let problem = format!("expected a game or one of {}, found \"{name}\"", names.join(", "));
            return Err(NotationError { column, problem });
        }
        self.reader.expect("(")?;
        let form = self.sum_of_games()?;
        let mut number = (Dyadic::ZERO, column);
        if matches!(name, "cool" | "heat") {
            number = self.second_number()?;
        }
        self.reader.expect(")")?;
        let wrong = |error: GameError| match error {
            GameError::BelowZero(_) => at(number.1)(error),
            _ => at(column)(error),
        };
        self.applied(name, form, number.0).map_err(wrong)
    }

    /// `, t`: a number and its column.
    fn second_number(&mut self) -> Result<(Dyadic, usize), NotationError> {
        self.reader.expect(",")?;
        let column = self.reader.column();
        let form = self.sum_of_games()?;
        let problem = "expected a number".to_string();
        let number = self.games.as_number(form).ok_or(NotationError { column, problem })?;
        Ok((number, column))
    }

    /// Applies a function to a game, and to a number if it takes one.
    fn applied(&mut self, name: &str, form: Form, number: Dyadic) -> Result<Found, GameError> {
        let games = &mut self.games;
        let number = match name {
            "cool" => return games.cool(form, number).map(Found::Game),
            "heat" => return games.heat(form, number).map(Found::Game),
            "outcome" => return Ok(Found::Value(Value::Outcome(games.outcome(form)?))),
            "left_incentives" => return self.incentives(form, Side::Left),
            "right_incentives" => return self.incentives(form, Side::Right),
            "mean" => games.mean(form)?,
            "temp" => games.temperature(form)?,
            "left_stop" => games.left_stop(form),
            "right_stop" => games.right_stop(form),
            "birthday" => {
                let birthday = i128::try_from(games.birthday(form)?).map_err(|_| GameError::Number)?;
                Dyadic::new(birthday, 0)?
            }
            _ => return Ok(Found::Game(form)),
        };
        games.number(number).map(Found::Game)
    }

    /// Each incentive once, sorted as written.
    fn incentives(&mut self, form: Form, side: Side) -> Result<Found, GameError> {
        let incentives = self.games.incentives(form, side)?;
        let written = incentives.into_iter().map(|incentive| self.games.written(incentive));
        let mut written = written.collect::<Result<Vec<_>, _>>()?;
        written.sort();
        written.dedup();
        Ok(Found::Value(Value::Games(written)))
    }

    /// The game in `found`, or an error if it is another value.
    fn game(&self, found: Found, column: usize) -> Result<Form, NotationError> {
        match found {
            Found::Game(form) => Ok(form),
            Found::Value(value) => {
                let what = match value {
                    Value::Games(_) => "a list of games",
                    _ => "an outcome",
                };
                Err(NotationError { column, problem: format!("expected a game, found {what}") })
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expect: &str) {
        let found = evaluate(text).map_or_else(|error| error.to_string(), |value| value.to_string());
        assert_eq!(found, expect, "{text}");
    }

    #[test]
    fn sums_and_comparisons() {
        for (text, expect) in [
            ("{3|-1} + +-5 > *", "false"),
            ("{3|-1} + +-5 ? *", "||"),
            ("{3|-1} + +-5", "{8|4||-2|-6}"),
            ("+-1 + +-1", "0"),
            ("*2+*3 = *", "true"),
            ("^ > 0", "true"),
            ("^ || *", "true"),
            ("^ <> *", "true"),
            ("^2 ? *", ">"),
            ("1/2 + 1/2 - 1", "0"),
            ("-^", "v"),
            ("-3^", "-3^"),
            ("-(3^)", "-3v"),
            ("3.^", "^3"),
            ("-2.^", "v2"),
            ("3*(^)", "^3"),
            ("2*3", "2*3"),
            ("2.(1.5)", "3"),
            ("3.{1|-1||-3} = {1|-1||-3} + {1|-1||-3} + {1|-1||-3}", "true"),
            ("1 - -3", "4"),
            ("1+-5", "-4"),
            ("--*", "*"),
            ("vv - v", "v"),
            ("(1 + *) + (2 - *)", "3"),
            ("1 >= 1", "true"),
            ("1 <= *", "false"),
            ("{1|0} == {1|0}", "true"),
            ("100000000000000000000.{1|-1}", "0"),
        ] {
            check(text, expect);
        }
    }

    #[test]
    fn functions() {
        for (text, expect) in [
            ("canon({0,*|1})", "1/2"),
            ("mean({3|-1||-7})", "-3"),
            ("temp({3|-1||-7})", "4"),
            ("left_stop({3|-1||-7})", "-1"),
            ("right_stop({3|-1||-7})", "-7"),
            ("cool(+-1, 1)", "*"),
            ("cool(+-1, 1/2)", "+-1/2"),
            ("cool({3|-1}, 5)", "1"),
            ("heat(*, 1)", "+-1"),
            ("cool(+-5, temp(+-5))", "*"),
            ("birthday(^)", "2"),
            ("outcome(*)", "first wins"),
            ("outcome(0)", "second wins"),
            ("outcome({0||0|-2})", "left wins"),
            ("outcome(v)", "right wins"),
            ("left_incentives(+-1)", "{2|0}"),
            ("right_incentives({3|-1})", "{4|0}"),
            ("right_incentives(2)", "none"),
            ("mean(+-1) + 1", "1"),
        ] {
            check(text, expect);
        }
    }

    #[test]
    fn mistakes_are_placed() {
        for (text, expect) in [
            ("", "expected a game, found the end at 1"),
            ("1 +", "expected a game, found the end at 4"),
            ("1 2", "expected an operator or the end, found \"2\" at 3"),
            ("2 *3", "expected an operator or the end, found \"*\" at 3"),
            ("(1", "expected \")\", found the end at 3"),
            ("cool(1)", "expected \",\", found \")\" at 7"),
            ("cool(1, *)", "expected a number at 9"),
            ("cool(+-1, -1)", "expected a number from 0 up, found -1 at 11"),
            ("outcome(*) + 1", "expected a game, found an outcome at 1"),
            ("1 < 2 < 3", "expected an operator or the end, found \"<\" at 7"),
            ("3.^2147483647", "a game has more than 2147483647 ups at 3"),
        ] {
            check(text, expect);
        }
        let names = "canon, mean, temp, cool, heat, left_stop, right_stop, birthday, outcome, left_incentives, right_incentives";
        check("1 + men(2)", &format!("expected a game or one of {names}, found \"men\" at 5"));
        check("*65535 + {0||0|-2}", "a game takes more than 16777216 steps at 10");
        check(&"(".repeat(100_000), "more than 100 brackets and signs in each other at 101");
        check(&"-".repeat(100_000), "more than 100 brackets and signs in each other at 101");
    }
}
