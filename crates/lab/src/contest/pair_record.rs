//! The record of a pair of games.

use serde::{Deserialize, Serialize};

/// A pair of games: the same opening, with the sides swapped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The index of the contest's pairing.
    pub pairing: usize,
    /// The moves that both games start with.
    pub opening: Vec<String>,
    /// The pairing's first agent begins the first game.
    pub games: [GameRecord; 2],
}

/// A game. Its lists are in the order of the seats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The agents by index in the contest; the first one began.
    pub agents: Vec<usize>,
    /// Each agent's payoff.
    pub payoffs: Vec<f64>,
    /// How many choices each agent made.
    pub choices: Vec<u64>,
    /// The simulations that each agent spent, or positions visited.
    pub simulations: Vec<u64>,
    /// The simulations that each agent's trees inherited from the move before, summed over its choices.
    pub carried: Vec<u64>,
    /// All moves after the opening, including those of chance.
    pub moves: Vec<String>,
    /// The seat that resigned: a loss by 1, whatever the game would have paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<usize>,
}

impl PairRecord {
    /// The pairing's first agent.
    pub fn a(&self) -> usize {
        self.games[0].agents[0]
    }

    /// By how much the first agent was ahead in each game: half of the difference, which is its payoff in a zero-sum
    /// game. If each played alone, it is the whole difference, for both games.
    pub fn margins(&self) -> [f64; 2] {
        let [first, second] = &self.games;
        if first.agents.len() == 1 {
            let margin = first.payoffs[0] - second.payoffs[0];
            return [margin, margin];
        }
        [(first.payoffs[0] - first.payoffs[1]) / 2.0, (second.payoffs[1] - second.payoffs[0]) / 2.0]
    }

    /// The points of the first agent in each game: 1 for a win, a half for a draw.
    pub fn points(&self) -> [f64; 2] {
        self.margins().map(|margin| match margin {
            margin if margin > 0.0 => 1.0,
            margin if margin < 0.0 => 0.0,
            _ => 0.5,
        })
    }
}
