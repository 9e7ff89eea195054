//! Many positions searched together, so that each call of an evaluation gets the leaves of all of them.

use crate::analysis::named_report;
use crate::{AgentName, Error};
use aji_search::bandit::Steady;
use aji_search::{AnyGame, Evaluate, Game, ManySearches, Named, Report, Rng, Search, Settings, Split, Turn};

/// Lets an agent such as `alphazero` think about many positions of one game. Each is
/// searched as if it were alone, and the evaluation, which has a policy, gets the leaves of all positions at a time. The
/// searches share the agent's memory.
pub fn search_together<E: Evaluate<AnyGame>>(
    positions: &[&AnyGame],
    agent: &AgentName,
    evaluation: E,
) -> Result<Vec<Report<String>>, Error> {
    let not_fit = |why: &str| Error::new(format!("{agent}: {why}"));
    let search = agent.search().filter(|search| search.network_word().is_some());
    let search =
        search.ok_or_else(|| not_fit("many positions are searched together by alphazero and gumbel"))?;
    let simulations = agent.budget().simulations.filter(|_| agent.time.is_none());
    let simulations = simulations
        .ok_or_else(|| not_fit("many positions need simulations=, the same for each, and no time="))?;
    let plain = [
        (search.wave > 1, "wave="),
        (search.threads > 1, "threads="),
        (search.transpositions, "transpositions=on"),
        (search.symmetries, "symmetries=on"),
        (search.lambda != 0.0, "lambda="),
    ];
    if let Some((_, word)) = plain.into_iter().find(|(is_given, _)| *is_given) {
        return Err(not_fit(&format!(
            "many positions are searched one leaf each at a time; leave {word} out"
        )));
    }
    if let Some(game) = positions.iter().find(|game| !matches!(game.turn(), Turn::Player(_))) {
        return Err(not_fit(&format!("nobody is to move in {}", game.text())));
    }
    let memory = agent.memory_bytes() / positions.len().max(1);
    let search_of = |game: &&AnyGame| {
        let game = *game;
        let (low, high) = game.payoff_range();
        let [root, below] = search.rules(high - low);
        let root = Steady::new(root, if root == below { 0 } else { search.steady });
        let rule = Split { root, below, near: search.near };
        let settings = Settings { utility: search.utility(game), ..search.search_settings(memory) };
        Search::of(game.clone(), rule, aji_search::playout::Uniform)
            .settings(settings)
            .rng(Rng::seeded(agent.seed))
    };
    let mut searches =
        ManySearches::new(positions.iter().map(search_of), evaluation, Rng::seeded(agent.seed));
    let reports = searches.run(simulations);
    let named = |(report, game): (Report<u16>, &&AnyGame)| named_report(game, report);
    let reports: Vec<Report<String>> = reports.into_iter().zip(positions).map(named).collect();
    match reports.iter().any(|report| report.best.is_none()) {
        true => Err(not_fit("its memory= is too small for so many positions")),
        false => Ok(reports),
    }
}
