//! The record of a round of games between two agents.

use serde::{Deserialize, Serialize};

/// A round of games: the same opening, and every seat for every agent. With one or two players it is a pair of games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PairRecord {
    /// The index of the contest's pairing.
    pub pairing: usize,
    /// The moves that all games began with.
    pub opening: Vec<String>,
    /// The games. In the first one, the pairing's first agent begins.
    pub games: Vec<GameRecord>,
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
        self.games.first().and_then(|game| game.agents.first()).copied().unwrap_or(0)
    }

    /// How far the first agent was ahead in each game: half of the difference between the two agents' mean payoffs.
    /// In a zero-sum game of two players this is its payoff. In a game of one player it is the whole difference,
    /// which stands for both games.
    pub fn margins(&self) -> Vec<f64> {
        if let [first, second] = &self.games[..]
            && let ([own], [other]) = (&first.payoffs[..], &second.payoffs[..])
        {
            return vec![own - other; 2];
        }
        let mean = |payoffs: Vec<f64>| payoffs.iter().sum::<f64>() / payoffs.len().max(1) as f64;
        let margin = |game: &GameRecord| {
            let [own, others] = game.sides(self.a());
            (mean(own) - mean(others)) / 2.0
        };
        self.games.iter().map(margin).collect()
    }

    /// The points of the first agent in each game, by ranks: the share of the other agent's seats that it is ahead
    /// of, where a tie counts half. With two players this is 1 for a win and a half for a draw.
    pub fn points(&self) -> Vec<f64> {
        if self.games.iter().all(|game| game.agents.len() <= 2) {
            return self.margins().into_iter().map(|margin| points_of(margin, 0.0)).collect();
        }
        let points = |game: &GameRecord| {
            let [own, others] = game.sides(self.a());
            let duels = own.iter().flat_map(|&own| others.iter().map(move |&other| points_of(own, other)));
            duels.clone().sum::<f64>() / duels.count().max(1) as f64
        };
        self.games.iter().map(points).collect()
    }

    /// The mean of the points.
    pub fn score(&self) -> f64 {
        self.points().iter().sum::<f64>() / self.games.len().max(1) as f64
    }
}

impl GameRecord {
    /// The payoffs in an agent's seats, and those in the other agent's.
    fn sides(&self, agent: usize) -> [Vec<f64>; 2] {
        let seats = || self.agents.iter().zip(&self.payoffs);
        [true, false].map(|is_own| {
            seats().filter(|&(&other, _)| (other == agent) == is_own).map(|(_, &payoff)| payoff).collect()
        })
    }
}

/// 1 if the first payoff is higher, a half for a tie.
fn points_of(own: f64, other: f64) -> f64 {
    match own {
        own if own > other => 1.0,
        own if own < other => 0.0,
        _ => 0.5,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(agents: &[usize], payoffs: &[f64]) -> GameRecord {
        let (agents, payoffs, none) = (agents.to_vec(), payoffs.to_vec(), Vec::new);
        GameRecord {
            agents,
            payoffs,
            choices: none(),
            simulations: none(),
            carried: none(),
            moves: Vec::new(),
            resigned: None,
        }
    }

    #[track_caller]
    fn check(games: &[GameRecord], points: &[f64], margins: &[f64]) {
        let record = PairRecord { pairing: 0, opening: Vec::new(), games: games.to_vec() };
        assert_eq!((&record.points()[..], &record.margins()[..]), (points, margins));
    }

    #[test]
    fn points_go_by_rank() {
        check(&[game(&[4, 7], &[3.0, -3.0]), game(&[7, 4], &[1.0, -1.0])], &[1.0, 0.0], &[3.0, -1.0]);
        check(&[game(&[4], &[5.0]), game(&[7], &[6.0])], &[0.0, 0.0], &[-1.0, -1.0]);
        // One against two: second of three, then last of all by a tie.
        let three = [game(&[4, 7, 7], &[0.0, 1.0, -1.0]), game(&[7, 4, 7], &[1.0, -1.0, -1.0])];
        check(&three, &[0.5, 0.25], &[0.0, -0.5]);
        // Two against one: the single other agent beats one of them.
        check(&[game(&[4, 4, 7], &[2.0, -1.0, 0.0])], &[0.5], &[0.25]);
        check(&[], &[], &[]);
    }

    /// The score of an agent that always wins, from whole rounds of games that it wins.
    #[test]
    fn who_always_wins_scores_less_than_one() {
        for (players, expect) in [(2, 1.0), (3, 7.0 / 8.0), (4, 5.0 / 6.0)] {
            let games = (0..2 * players).map(|number| {
                // One seat of agent 4, then one of agent 7; the first seat of agent 4 wins.
                let (single, rest) = if number < players { (4, 7) } else { (7, 4) };
                let agents: Vec<usize> =
                    (0..players).map(|seat| if seat == number % players { single } else { rest }).collect();
                let winner = agents.iter().position(|&agent| agent == 4).expect("a seat");
                let payoffs: Vec<f64> =
                    (0..players).map(|seat| if seat == winner { 1.0 } else { -1.0 }).collect();
                game(&agents, &payoffs)
            });
            let record = PairRecord { pairing: 0, opening: Vec::new(), games: games.collect() };
            assert!((record.score() - expect).abs() < 1e-12, "{players} players: {}", record.score());
            let stated = crate::contest::Contest::score_of_winner(players);
            assert!((stated - expect).abs() < 1e-12, "{players} players: {stated}");
        }
    }
}
