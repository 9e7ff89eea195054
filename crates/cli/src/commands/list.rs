//! `aji list`: what there is.

use crate::output::{print, text_table};
use aji_catalog::{AgentName, GAMES, RuleName};
use aji_papers::PAPERS;
use anyhow::Result;

/// Prints games, agents, rules and papers, one line each.
pub fn run() -> Result<()> {
    let games = GAMES.iter().map(|game| vec![game.word.into(), game.summary.into(), game.options.into()]);
    let agents = AgentName::KNOWN.iter().map(|(word, summary)| vec![word.to_string(), summary.to_string()]);
    let rules = RuleName::KNOWN.iter().map(|(word, summary)| vec![word.to_string(), summary.to_string()]);
    let papers = PAPERS.iter().map(|paper| vec![paper.name.into(), paper.title.into(), paper.authors.into()]);
    print(&format!(
        "games\n{}\nagents (all but gtp with simulations=10000 time=2s memory=1GB seed=1)\n{}\nrules for root= and below=\n{}\n\
         papers for aji reproduce\n{}",
        text_table(games),
        text_table(agents),
        text_table(rules),
        text_table(papers)
    ))
}
