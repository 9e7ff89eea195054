//! What is kept of a pair of games.

use serde::{Deserialize, Serialize};

/// A pair of games: the same opening, the sides swapped.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// Which of the contest's pairings played it.
    pub pairing: usize,
    /// The moves that both games began with.
    pub opening: Vec<String>,
    /// In the first, the pairing's first agent begins.
    pub games: [GameRecord; 2],
}

/// A game. What it has of each agent is in the order in which they sit.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Who played, by number in the contest; the first began.
    pub agents: Vec<usize>,
    /// What each got.
    pub payoffs: Vec<f64>,
    /// How often each chose.
    pub choices: Vec<u64>,
    /// The simulations each spent, or positions visited.
    pub simulations: Vec<u64>,
    /// The simulations that each one's trees came with from the move before, on top of those, over all its choices.
    pub carried: Vec<u64>,
    /// All moves after the opening, chance's too.
    pub moves: Vec<String>,
    /// Who gave up, by seat: a loss by 1, whatever the game would have paid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resigned: Option<usize>,
}

impl PairRecord {
    /// The pairing's first agent.
    pub fn a(&self) -> usize {
        self.games[0].agents[0]
    }

    /// By how much the first agent was ahead in each game: half of the difference, which is its payoff where the sum is
    /// zero. Where each played alone, the whole difference, which stands for both.
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
