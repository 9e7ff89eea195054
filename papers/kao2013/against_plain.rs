//! Methods against plain UCT in games that the paper does not have, at equal simulations and at equal time.
//!
//! Time is given by stated costs, as in `players.rs`.

use crate::shared::{measured_score, meeting_cells, with_parts};
use aji_catalog::{AgentName, thousands};
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Cell, Claim, Statement, Table};
use aji_lab::{Error, Lab};

/// The opponent of the methods.
pub(super) const PLAIN: &str = "uct";

/// Random plies at the start of each pair of games.
pub(super) const OPENING_PLIES: usize = 4;

/// One method in one game.
pub(super) struct Trial {
    /// The game, and the method if there are several.
    pub(super) who: Vec<&'static str>,
    pub(super) game: &'static str,
    pub(super) method: &'static str,
    /// The cost of one simulation of the method, in simulations of plain UCT, measured over whole games.
    pub(super) cost: f64,
}

/// The result, at equal simulations and at equal time.
pub(super) struct Met {
    who: Vec<&'static str>,
    simulations: [u64; 2],
    meetings: [Meeting; 2],
}

const EQUAL: [&str; 2] = ["simulations", "time"];

/// Plays the trials of a study, with this many simulations per move of the method and this many pairs of games each.
pub(super) fn meet(
    lab: &Lab,
    study: &str,
    trials: impl IntoIterator<Item = Trial>,
    own: u64,
    pairs: u64,
) -> Result<Vec<Met>, Error> {
    let play = |Trial { who, game, method, cost }: Trial| {
        let simulations = [own, (own as f64 * cost).round() as u64];
        let mut agents: Vec<AgentName> = vec![format!("{method} simulations={own}").parse()?];
        for simulations in simulations {
            agents.push(format!("{PLAIN} simulations={simulations}").parse()?);
        }
        let is_word = |text: char| text.is_ascii_alphanumeric();
        let name =
            format!("kao2013-{study}-{}", who.join("-").to_lowercase().replace(|text| !is_word(text), "-"));
        let contest =
            Contest::new(game, agents, vec![(0, 1), (0, 2)], pairs)?.openings(OPENING_PLIES)?.named(&name);
        let records = lab.run(&contest)?;
        let meeting = |pairing: usize| {
            Meeting::new(records.iter().filter(move |record| record.pairing == pairing))
                .expect("pairs were played")
        };
        Ok(Met { who, simulations, meetings: [meeting(0), meeting(1)] })
    };
    trials.into_iter().map(play).collect()
}

/// Two rows for each trial. `who` are the headings of the columns that name a trial.
pub(super) fn table(title: &str, who: &[&str], met: &[Met]) -> Table {
    let rest = ["equal", "simulations of UCT", "won", "drawn", "lost", "score", "95% interval", "Elo"];
    let mut table = Table::new(title, &[who, &rest].concat()).with_note(
        "Scores are those of the method; intervals by pairs of games. An Elo of ±inf is that of a score of 0 or 1.",
    );
    for Met { who, simulations, meetings } in met {
        for equal in 0..EQUAL.len() {
            let mut row: Vec<Cell> = who.iter().map(|&who| who.into()).collect();
            row.extend([EQUAL[equal].into(), thousands(simulations[equal]).into()]);
            row.extend(meeting_cells(&meetings[equal]));
            table.push(row);
        }
    }
    table
}

/// The claim that the methods are stronger than plain UCT: at equal simulations, and at equal time.
pub(super) fn stronger(number: &str, what: &str, met: &[Met]) -> Vec<Claim> {
    let said = "can be applied to general state spaces; further studies are needed (VI)";
    let claim = |equal: usize| {
        let part = |met: &Met| {
            let score = measured_score(&met.meetings[equal].score);
            Claim::greater(Statement::new(met.who.join(", "), said), score, 0.5)
        };
        let parts: Vec<Claim> = met.iter().map(part).collect();
        let letter = ["a", "b"][equal];
        let what = format!("{number}{letter}. {what}, at equal {}", EQUAL[equal]);
        let whole = Claim::all_of(Statement::new(&what, said), &parts);
        with_parts(whole, &parts, "score against plain UCT", "above 0.5")
    };
    (0..EQUAL.len()).map(claim).collect()
}
