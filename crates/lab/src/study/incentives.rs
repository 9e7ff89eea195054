//! Incentive learning on a sum of heaps, step by step: the order of all actions so far, and the differences between
//! pairs of actions from which it comes. [`study_order`](super::study_order) asks any agent for its order at the end.

use super::order::temperatures;
use super::{LearnedAction, LearnedOrder};
use crate::Error;
use aji_games::HeapGo;
use aji_search::bandit::Ucb1;
use aji_search::learn::{Advice, Learner, Learning, ReadOut, Repair, Ride};
use aji_search::{Budget, Game, Search, Utility};

/// UCT with RIDE, whose playouts follow the learned order.
pub struct IncentiveLearning {
    search: Search<HeapGo, Ucb1, Learning<Ride>>,
    /// By key.
    actions: Vec<Option<LearnedAction>>,
    /// The points between the worst and the best end of the game.
    range: f32,
    simulations: u64,
}

/// How two actions compare.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LearnedPair {
    /// By how many points the first was better, on average over the positions that offer both.
    pub difference: f32,
    /// How often they were compared.
    pub count: u32,
}

impl IncentiveLearning {
    /// Nothing learned yet of heaps such as `R3B5/B2R7`. `c` is the exploration constant in points, and `memory` that of
    /// the tree in bytes.
    pub fn new(heaps: &str, c: f32, seed: u64, memory: usize) -> Result<IncentiveLearning, Error> {
        let heaps = HeapGo::read_heaps(heaps).map_err(|error| Error::new(format!("heap-go: {error}")))?;
        let game = HeapGo::new(heaps);
        let actions = temperatures(&game)?;
        if actions.len() < 2 {
            return Err(Error::new("heap-go: one action has no order: give more heaps or counters"));
        }
        let (low, high) = game.payoff_range();
        let range = high - low;
        let utility = Utility::score(&game);
        let learning = Learning::new(Ride::new(Repair::ByKeys, ReadOut::List), Advice::First);
        let search = Search::of(game, Ucb1 { c: c / range }, learning).utility(utility);
        let search = search.memory(memory).seed(seed);
        Ok(IncentiveLearning { search, actions, range, simulations: 0 })
    }

    /// Runs further simulations, and returns how many there were in all.
    pub fn learn(&mut self, simulations: u64) -> u64 {
        self.simulations += self.search.run(Budget::simulations(simulations)).simulations;
        self.simulations
    }

    /// The order learned so far.
    pub fn order(&self) -> LearnedOrder {
        let keys = self.search.evaluation().learner().order().keys();
        let actions = keys.iter().filter_map(|&key| self.actions[key as usize].clone()).collect();
        LearnedOrder { actions, simulations: self.simulations }
    }

    /// All pairs of actions, row by row in the learned order.
    pub fn pairs(&self) -> Vec<Vec<LearnedPair>> {
        let learner = self.search.evaluation().learner();
        let (keys, differences) = (learner.order().keys(), learner.differences());
        let pair = |one: u32, other: u32| LearnedPair {
            difference: self.range * differences.of(one as usize, other as usize),
            count: differences.count(one as usize, other as usize),
        };
        keys.iter().map(|&one| keys.iter().map(|&other| pair(one, other)).collect()).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::study_order;

    const HEAPS: &str = "R3B5R7/B9R2B4/R1B1R6";

    /// In instalments it learns what the agent of this name learns at once.
    #[test]
    fn it_learns_as_the_agent_does() {
        let mut learning = IncentiveLearning::new(HEAPS, 15.0, 3, 100_000_000).expect("heaps");
        assert!((0..10).all(|step| learning.learn(200) == 200 * (step + 1)));
        let found = learning.order();
        assert_eq!((found.simulations, found.actions.len()), (2_000, 9));
        let agent = "uct c=15 unit=points playout=maxi simulations=2000 seed=3".parse().expect("an agent");
        let expect = study_order("heap-go", Some(HEAPS), &agent, &mut ()).expect("an order");
        let [found_rate, expect_rate] =
            [&found, &expect].map(|order| order.match_rate().excluding_ties().expect("pairs"));
        assert!(found_rate > 0.7 && (found_rate - expect_rate).abs() < 0.25, "{found_rate} {expect_rate}");
        let pairs = learning.pairs();
        for (row, one) in pairs.iter().enumerate() {
            for (column, pair) in one.iter().enumerate() {
                assert_eq!(pair.difference, -pairs[column][row].difference);
                assert_eq!(pair.count, pairs[column][row].count);
            }
        }
    }

    #[test]
    fn mistakes_are_named() {
        let error =
            |heaps: &str| IncentiveLearning::new(heaps, 1.0, 1, 1 << 20).err().expect(heaps).to_string();
        assert!(error("R3X5").contains("expected R or B"), "{}", error("R3X5"));
        assert!(error("R3").contains("one action has no order"));
    }
}
