//! AMAF, all moves as first (Brügmann 1993): the average result of the simulations in which an action was played at
//! all.
//!
//! For every action and player it is the average outcome to player 0, in the game's unit. It covers all simulations
//! in which that player played the action, in the tree or in the playout, early or late. It makes no comparison: an
//! action that is played in good company looks good. For two players.

use super::{Learner, Order, Played, Stamps, Trace};
use crate::Player;
use aji_bandit::Rng;

/// Which AMAF value determines the order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reading {
    /// The outcomes of both players' plays together.
    Pooled,
    /// The outcomes of player 0's plays.
    Mover,
    /// The outcomes of player 0's plays minus those of player 1's: the gain from being the one who plays it.
    Difference,
}

/// The sum and the number of some outcomes.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
struct Outcomes {
    sum: f64,
    count: u32,
}

impl Outcomes {
    fn add(&mut self, outcome: f64) {
        self.sum += outcome;
        self.count += 1;
    }

    fn mean(self) -> Option<f32> {
        (self.count > 0).then(|| (self.sum / f64::from(self.count)) as f32)
    }
}

/// Learns AMAF values and an order by them.
#[derive(Clone, Debug)]
pub struct Amaf {
    reading: Reading,
    every: Option<u32>,
    /// By key and player.
    outcomes: Vec<[Outcomes; 2]>,
    /// Over all simulations.
    all: Outcomes,
    seen: Stamps,
    worth: Vec<f32>,
    order: Order,
}

impl Amaf {
    /// Nothing learned yet. Sorts the keys every `every` simulations; by default, every n simulations for n keys.
    pub fn new(reading: Reading, every: Option<u32>) -> Amaf {
        let (outcomes, all, seen) = (Vec::new(), Outcomes::default(), Stamps::default());
        let (worth, order) = (Vec::new(), Order::default());
        Amaf { reading, every, outcomes, all, seen, worth, order }
    }

    /// The mean outcome to player 0 of the simulations in which this player played this key; none without such
    /// simulations.
    pub fn mean(&self, key: usize, player: Player) -> Option<f32> {
        self.outcomes[key][usize::from(player)].mean()
    }

    /// The number of simulations in which this player played this key.
    pub fn count(&self, key: usize, player: Player) -> u32 {
        self.outcomes[key][usize::from(player)].count
    }

    /// The value that determines the order. A key never played counts as the average simulation.
    pub fn worth(&self, key: usize) -> f32 {
        let unknown = self.all.mean().unwrap_or(0.0);
        let mean = |outcomes: Outcomes| outcomes.mean().unwrap_or(unknown);
        let [first, second] = self.outcomes[key];
        match self.reading {
            Reading::Pooled => {
                mean(Outcomes { sum: first.sum + second.sum, count: first.count + second.count })
            }
            Reading::Mover => mean(first),
            Reading::Difference => mean(first) - mean(second),
        }
    }

    fn sort(&mut self) {
        let mut worth = std::mem::take(&mut self.worth);
        worth.clear();
        worth.extend((0..self.order.len()).map(|key| self.worth(key)));
        self.order.sort_by_worth(&worth);
        self.worth = worth;
    }
}

impl Learner for Amaf {
    fn hears_playouts(&self) -> bool {
        true
    }

    fn begin(&mut self, keys: usize, rng: &mut Rng) {
        self.outcomes = vec![Default::default(); keys];
        self.all = Outcomes::default();
        self.seen = Stamps::new(2 * keys);
        self.order = Order::random(keys, rng);
    }

    fn learn(&mut self, trace: &Trace) {
        let outcome = f64::from(trace.payoff.of(0));
        let Amaf { outcomes, seen, .. } = self;
        seen.begin();
        for Played { key, player } in trace.plays() {
            let (key, player) = (key as usize, usize::from(player));
            debug_assert!(player < 2, "AMAF is for two players");
            if seen.is_first(2 * key + player) {
                outcomes[key][player].add(outcome);
            }
        }
        self.all.add(outcome);
        let every = self.every.unwrap_or(self.order.len() as u32);
        if self.all.count.is_multiple_of(every.max(1)) {
            self.sort();
        }
    }

    fn order(&self) -> &Order {
        &self.order
    }

    fn bytes(&self, keys: usize) -> usize {
        let of_key = size_of::<[Outcomes; 2]>() + size_of::<f32>();
        keys * (Order::KEY_BYTES + of_key) + Stamps::bytes(2 * keys)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::learn::{Advice, Learning, ReadOut, Repair, Ride};
    use crate::toys::{Sweets, TwoWays};
    use crate::{Budget, Game, Keyed, Payoff, Search, Turn, Utility};
    use aji_bandit::Uniform;

    const SWEETS: &[f32] = &[1.0, 5.0, 2.0, 4.0, 3.0];

    fn learned<G: Keyed, L: Learner>(game: G, learner: L, simulations: u64) -> Learning<L>
    where
        Learning<L>: Clone,
    {
        let search = Search::new(game.clone()).select(Uniform).utility(Utility::score(&game));
        let mut search = search.evaluate(Learning::new(learner, Advice::None)).seed(1);
        search.run(Budget::simulations(simulations));
        search.evaluation().clone()
    }

    /// Simulations recorded one by one give the same means.
    #[test]
    fn means_are_those_of_simulations() {
        let game = Sweets::new(SWEETS);
        let learning = Learning::new(Amaf::new(Reading::Mover, None), Advice::None);
        let mut search = Search::new(game).evaluate(learning).seed(1);
        // The first simulation also draws an order, so its moves cannot be replayed.
        search.step();
        let first = search.evaluation().learner();
        let start = |key, player| (first.mean(key, player).unwrap_or(0.0), first.count(key, player));
        let mut sums: Vec<_> = (0..5).map(|key| [start(key, 0), start(key, 1)]).collect();
        for _ in 1..200 {
            let told = search.step().expect("a simulation");
            let playout = told.playout.expect("random moves");
            let actions = told.path.iter().map(|choice| choice.action()).chain(playout);
            let Some(Payoff([outcome, ..])) = told.payoff else { panic!("no payoff") };
            let mut game = game;
            for sweet in actions {
                let Turn::Player(player) = game.turn() else { panic!("no player") };
                let (sum, count) = &mut sums[usize::from(sweet)][usize::from(player)];
                (*sum, *count) = (*sum + outcome, *count + 1);
                game.play(sweet);
            }
        }
        let amaf = search.evaluation().learner();
        for (key, sums) in sums.into_iter().enumerate() {
            for (player, (sum, count)) in (0..).zip(sums) {
                assert_eq!(amaf.count(key, player), count);
                let mean = amaf.mean(key, player).expect("it was played");
                assert!((mean - sum / count as f32).abs() < 1e-4);
            }
            // One of the players takes each sweet.
            assert_eq!(amaf.count(key, 0) + amaf.count(key, 1), 200);
        }
    }

    /// For either player, sweets are in order of their worth; pooled, they have no worth.
    #[test]
    fn readings_differ() {
        let order = |reading| {
            let learning = learned(Sweets::new(SWEETS), Amaf::new(reading, None), 4_000);
            learning.learner().order().keys().to_vec()
        };
        assert_eq!(order(Reading::Mover), [1, 3, 4, 2, 0]);
        assert_eq!(order(Reading::Difference), [1, 3, 4, 2, 0]);
        let learning = learned(Sweets::new(SWEETS), Amaf::new(Reading::Pooled, None), 4_000);
        let worth = learning.learner().worth(0);
        assert!((1..5).all(|key| (learning.learner().worth(key) - worth).abs() < 1e-3));
    }

    /// As in Fig. 1 of Kao et al. 2013: good company makes an action look good, although the other is better beside
    /// it.
    #[test]
    fn company_misleads_amaf_and_not_ride() {
        let (flashy, solid) = (usize::from(TwoWays::FLASHY), usize::from(TwoWays::SOLID));
        for reading in [Reading::Pooled, Reading::Mover, Reading::Difference] {
            let learning = learned(TwoWays::new(), Amaf::new(reading, None), 1_000);
            let order = learning.learner().order();
            assert!(order.rank(flashy) < order.rank(solid), "{reading:?}");
        }
        let amaf = learned(TwoWays::new(), Amaf::new(Reading::Mover, None), 1_000);
        assert_eq!(amaf.learner().mean(flashy, 0), Some(5.0));
        assert!(amaf.learner().mean(solid, 0).expect("it was played") < 4.0);
        assert_eq!(amaf.learner().mean(usize::from(TwoWays::OTHER), 0), Some(0.0));
        let ride = learned(TwoWays::new(), Ride::new(Repair::ByKeys, ReadOut::List), 1_000);
        assert!(ride.learner().order().rank(solid) < ride.learner().order().rank(flashy));
        // One point, in a range of 12.
        assert!((ride.learner().differences().of(solid, flashy) - 1.0 / 12.0).abs() < 1e-3);
    }
}
