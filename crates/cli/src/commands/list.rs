//! `aji list`: what there is.

use crate::output::{print, text_table};
use aji_catalog::{PlayoutName, SearchName, Workbench, known_rules};
use aji_papers::PAPERS;
use anyhow::Result;

/// Prints games, agents, their options, rules, playouts and papers, one line each.
pub fn run(workbench: &Workbench) -> Result<()> {
    let games = workbench.games().into_iter().map(|game| vec![game.word, game.summary, game.options]);
    let agents = workbench.agents().into_iter().map(|agent| vec![agent.word, agent.summary]);
    let known = |known: &[(&str, &str)]| {
        text_table(known.iter().map(|(word, summary)| vec![word.to_string(), summary.to_string()]))
    };
    let options = SearchName::known_settings()
        .into_iter()
        .map(|(key, takes, summary)| vec![key.into(), summary.into(), takes]);
    let papers = PAPERS.iter().map(|paper| vec![paper.name.into(), paper.title.into(), paper.authors.into()]);
    print(&format!(
        "games\n{}\n\
         agents (all but gtp take simulations=, time=, memory= and seed=: uct time=2s memory=1GB seed=7)\n{}\n\
         options of uct, rave and flat\n{}\n\
         rules for root= and below=\n{}\n\
         playouts for playout=\n{}\n\
         papers for aji reproduce\n{}",
        text_table(games),
        text_table(agents),
        text_table(options),
        text_table(known_rules().into_iter().map(|(word, summary)| vec![word.into(), summary])),
        known(&PlayoutName::KNOWN),
        text_table(papers)
    ))
}
