//! The games of a contest as a table for R, pandas and spreadsheets: one row per game, plain values in every column.

use super::{GameRecord, PairRecord};
use crate::{Error, Journal};
use serde::Deserialize;

/// The parameters of a contest that a row needs beside its record.
#[derive(Deserialize)]
struct Parameters {
    game: String,
    agents: Vec<String>,
    pairings: Vec<(usize, usize)>,
}

const COLUMNS: [&str; 20] = [
    "trial",
    "number",
    "game",
    "a",
    "b",
    "first",
    "opening",
    "opening_plies",
    "plies",
    "score_a",
    "margin_a",
    "payoff_a",
    "payoff_b",
    "resigned",
    "choices_a",
    "choices_b",
    "simulations_a",
    "simulations_b",
    "reused_a",
    "reused_b",
];

/// The games of a contest's journal as CSV; none if the journal is of another experiment. `trial` is the pair of
/// games and `number` the game in it, 1 or 2. `first` and `resigned` are `a` or `b`. `score_a` is 1 for a win of a and
/// 0.5 for a draw; `margin_a` is how far a was ahead. A cell without a value is empty. Records hold no times.
pub fn games_csv(journal: &Journal) -> Result<Option<String>, Error> {
    let Ok(parameters) = serde_json::from_value::<Parameters>(journal.header.parameters.clone()) else {
        return Ok(None);
    };
    let mut writer = csv::WriterBuilder::new().from_writer(Vec::new());
    let unwritten = |error: csv::Error| Error::new(format!("CSV: {error}"));
    writer.write_record(COLUMNS).map_err(unwritten)?;
    for (trial, record) in journal.records::<PairRecord>()? {
        for (number, game) in record.games.iter().enumerate() {
            let row = row(&parameters, trial, &record, number, game).ok_or_else(|| {
                Error::new(format!("trial {trial}: a pairing or an agent that is not in line 1"))
            })?;
            writer.write_record(row).map_err(unwritten)?;
        }
    }
    let bytes = writer.into_inner().map_err(|error| Error::new(format!("CSV: {error}")))?;
    Ok(Some(String::from_utf8(bytes).expect("cells are text")))
}

fn row(
    parameters: &Parameters,
    trial: u64,
    record: &PairRecord,
    number: usize,
    game: &GameRecord,
) -> Option<[String; 20]> {
    let &(a, b) = parameters.pairings.get(record.pairing)?;
    let letter = |agent: usize| if agent == a { "a" } else { "b" }.to_string();
    let seat = |agent: usize| game.agents.iter().position(|&other| other == agent);
    let of = |agent: usize, values: &dyn Fn(usize) -> Option<String>| {
        seat(agent).and_then(values).unwrap_or_default()
    };
    let payoff = |seat: usize| game.payoffs.get(seat).map(f64::to_string);
    let count = |counts: &Vec<u64>, agent: usize| of(agent, &|seat| counts.get(seat).map(u64::to_string));
    let resigned = game.resigned.and_then(|seat| game.agents.get(seat));
    Some([
        trial.to_string(),
        (number + 1).to_string(),
        parameters.game.clone(),
        parameters.agents.get(a)?.clone(),
        parameters.agents.get(b)?.clone(),
        letter(*game.agents.first()?),
        record.opening.join(" "),
        record.opening.len().to_string(),
        (record.opening.len() + game.moves.len()).to_string(),
        record.points()[number].to_string(),
        record.margins()[number].to_string(),
        of(a, &payoff),
        of(b, &payoff),
        resigned.map_or(String::new(), |&agent| letter(agent)),
        count(&game.choices, a),
        count(&game.choices, b),
        count(&game.simulations, a),
        count(&game.simulations, b),
        count(&game.carried, a),
        count(&game.carried, b),
    ])
}
