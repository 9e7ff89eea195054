//! The options of agents, rules and playouts, each with what it does and what it takes: for lists and help.

use crate::attack_name::{AttackName, BY_OPTION, VICTIM_OPTIONS};
use crate::search_name::Preset;
use crate::{AgentName, PlayoutName, SearchName};
use aji_search::bandit::AnyRule;

/// An option that a name can give.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownOption {
    /// Its key, which stands before `=`.
    pub key: &'static str,
    /// What it does.
    pub summary: String,
    /// The values it takes, with the default in parentheses.
    pub takes: String,
}

fn known(key: &'static str, summary: &str, takes: &str) -> KnownOption {
    KnownOption { key, summary: summary.into(), takes: takes.into() }
}

/// The options that every agent takes, except another program.
fn shared() -> Vec<KnownOption> {
    vec![
        known("simulations", "the most simulations per move; for exact, positions", "a number such as 20k"),
        known("time", "the most time per move", "a time such as 500ms, 2s or 1min"),
        known("memory", "the most memory", "bytes such as 512MB or 2GB (1GB)"),
        known("seed", "the seed of all random numbers", "a whole number (1)"),
    ]
}

/// The options of a Monte Carlo search.
fn search_options() -> Vec<KnownOption> {
    let settings = SearchName::known_settings().into_iter();
    settings.map(|(key, takes, summary)| known(key, summary, &takes)).collect()
}

/// The options that name a victim, with this default model.
fn victim_options(model: &str) -> Vec<KnownOption> {
    let option = |&(key, takes, summary): &(&'static str, &str, &str)| match key {
        "model" => known(key, summary, &format!("{takes} ({model})")),
        "replies" => known(key, summary, &format!("{takes} (1)")),
        _ => known(key, summary, takes),
    };
    VICTIM_OPTIONS.iter().map(option).collect()
}

impl AgentName {
    /// The options of the agent of this word; none if the word is unknown.
    pub fn known_options(word: &str) -> Option<Vec<KnownOption>> {
        let own = match word {
            "alphabeta" => vec![
                known("depth", "the plies to look ahead", "a number (6, or what the budget allows)"),
                known(
                    "eval",
                    "the game's heuristic evaluates positions at that depth; off: they count as draws",
                    "on or off",
                ),
            ],
            "ams" => vec![
                known("samples", "samples per stage", "a number (16)"),
                known("stages", "stages to look ahead", "a number (3)"),
            ],
            "divide" => vec![
                known("group", "parts of the sum that are learned together", "a number (2)"),
                known("rounds", "rounds of groups", "a number"),
                known("c", "the constant of exploration, in points", "a number (15)"),
                known("read", "how the order is derived from what was learned", "list or squares (squares)"),
                known("threads", "threads that learn", "a number (1)"),
            ],
            "coupons" => vec![
                known("levels", "the most coupons beside a part", "a number (32)"),
                known("ahead", "looks ahead; off: plays the hottest action", "on or off (on)"),
                known("threads", "threads that search parts", "a number (1)"),
            ],
            "exact" => victim_options("r"),
            "amcts" => {
                let (key, takes, summary) = BY_OPTION;
                let mut options = victim_options("s");
                options.push(known(key, summary, &format!("{takes} (uct)")));
                options.extend(search_options().into_iter().filter(|option| AttackName::takes(option.key)));
                options
            }
            "gtp" => {
                return Some(vec![known(
                    "timeout",
                    "the most time per answer: gtp(timeout=30s): COMMAND",
                    "a time",
                )]);
            }
            word if Preset::of_word(word).is_some() => search_options(),
            word if AgentName::KNOWN.iter().any(|agent| agent.0 == word) => Vec::new(),
            _ => return None,
        };
        Some(own.into_iter().chain(shared()).collect())
    }
}

impl PlayoutName {
    /// The options of the playout of this word; none if the word is unknown.
    pub fn known_options(word: &str) -> Option<Vec<KnownOption>> {
        let is_known = PlayoutName::KNOWN.iter().any(|playout| playout.0 == word);
        is_known.then(|| match word {
            "atari" => vec![
                known("answers", "answers moves that put own stones in danger", "on or off (on)"),
                known("shapes", "plays by small patterns around the last move", "on or off (on)"),
                known("care", "leaves out moves that put own stones in danger", "on or off (on)"),
            ],
            "mast" => vec![
                known(
                    "temperature",
                    "of the softmax over averages; low is greedy, high is random",
                    "a number from 0.001 to 1000 (0.2)",
                ),
                known(
                    "epsilon",
                    "instead of temperature: the share of random actions; the others are the best",
                    "a number from 0 to 1",
                ),
            ],
            "net" => vec![known(
                "temperature",
                "of the policy; low is greedy, high is random, 1 is the network's own policy",
                "a number from 0.001 to 1000 (1)",
            )],
            "epsilon" => {
                vec![known("epsilon", "the share of random actions", "a number from 0 to 1 (0.1)")]
            }
            _ => Vec::new(),
        })
    }
}

/// The options of the rule of this word; none if the word is unknown.
pub fn known_rule_options(word: &str) -> Option<Vec<KnownOption>> {
    let mut rule = AnyRule::of_word(word)?;
    let mut options = Vec::new();
    rule.settings(&mut |key, summary, setting| {
        let standard = setting.show().map_or(String::new(), |value| format!(" ({value})"));
        options.push(KnownOption { key, summary: summary.into(), takes: setting.takes() + &standard });
    });
    Some(options)
}
