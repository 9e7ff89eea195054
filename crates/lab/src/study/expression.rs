//! An expression in games: its value, and if that is a game, all that is known of it.

use super::BoardStudy;
use super::boards::study_form;
use super::states::{ReachedStates, states_of_form};
use crate::Error;
use aji_cgt::{Form, GameLimits, Games, Value, evaluate_within};

/// The value of an expression.
#[derive(Clone, Debug)]
pub struct ExpressionStudy {
    /// The value, such as a game, a relation or an outcome.
    pub value: Value,
    /// More about it, if it is a game.
    pub game: Option<BoardStudy>,
}

/// Studies an expression such as `{3|-1||-7} + *2` or `^ ? *`, within these limits.
pub fn study_expression(text: &str, limits: GameLimits) -> Result<ExpressionStudy, Error> {
    let (value, form) = evaluated(text, limits)?;
    let study = |(mut games, form): (Games, Form)| study_form(&mut games, form);
    let game = form.map(study).transpose().map_err(|error| wrong(text, &error))?;
    Ok(ExpressionStudy { value, game })
}

/// The states that play can reach from the value of an expression; none if it is no game.
pub fn study_expression_states(text: &str, limits: GameLimits) -> Result<Option<ReachedStates>, Error> {
    let (_, form) = evaluated(text, limits)?;
    let states = |(mut games, form): (Games, Form)| states_of_form(&mut games, form);
    form.map(states).transpose().map_err(|error| wrong(text, &error))
}

/// The value of an expression, and its form if it is a game.
fn evaluated(text: &str, limits: GameLimits) -> Result<(Value, Option<(Games, Form)>), Error> {
    let value = evaluate_within(text, limits.clone()).map_err(|error| wrong(text, &error))?;
    let mut games = Games::within(limits);
    let form = match &value {
        Value::Number(number) => Some(games.number(*number).map_err(|error| wrong(text, &error))?),
        Value::Game(game) => Some(games.read(game).map_err(|error| wrong(text, &error))?),
        _ => None,
    };
    Ok((value, form.map(|form| (games, form))))
}

fn wrong(text: &str, error: &dyn std::fmt::Display) -> Error {
    Error::new(format!("\"{text}\": {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_every_kind() {
        let study = |text: &str| study_expression(text, GameLimits::default()).expect(text);
        let game = study("{3|-1||-7}").game.expect("a game");
        assert_eq!((game.thermograph.mean().to_string(), game.form.as_str()), ("-3".into(), "{3|-1||-7}"));
        let switch = study("{3|-1}").game.expect("a game");
        assert_eq!(switch.incentives.expect("small"), [["{4|0}"], ["{4|0}"]]);
        assert_eq!(study("1/2 + 1/2").game.expect("a number").form, "1");
        let compared = study("^ ? *");
        assert_eq!((compared.value.to_string(), compared.game.is_none()), ("||".into(), true));
        let error = study_expression("1 +", GameLimits::default()).expect_err("cut off").to_string();
        assert_eq!(error, "\"1 +\": expected a game, found the end at 4");
    }
}
