//! MAST, the move-average sampling technique (Finnsson & Björnsson, Simulation-based approach to general game
//! playing, 2008): playouts that prefer actions with a high average payoff, wherever in a simulation they were
//! played.

use super::recorded;
use crate::game::draw;
use crate::learn::{Played, Trace};
use crate::{Evaluate, Keyed, Leaf, Payoff, Player, Utility};
use aji_bandit::Rng;

/// How strongly the averages decide. They are in 0..=1, over the game's range of payoffs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Preference {
    /// Gibbs sampling with weights exp(average / temperature).
    Softmax {
        /// Low is greedy, high is random.
        temperature: f32,
    },
    /// The highest average, with random ties.
    Greedy {
        /// The share of random actions.
        epsilon: f32,
    },
}

/// The average payoff of an action to a player.
#[derive(Clone, Copy, Debug)]
struct Average {
    mean: f32,
    count: u32,
}

/// Actions never played count as the best possible, so that they are tried.
const UNPLAYED: Average = Average { mean: 1.0, count: 0 };

/// The smallest step towards a new payoff. So plays more than this many ago fade, as they were in other positions.
const STEP_MIN: f32 = 1.0 / 512.0;

/// Plays by the averages that it learns.
#[derive(Clone, Debug)]
pub struct Mast {
    preference: Preference,
    keys: usize,
    /// By player and key.
    averages: Vec<Average>,
    /// The weights of softmax, by player and key.
    odds: Vec<f32>,
    /// Converts payoffs to 0..=1.
    utility: Utility,
}

impl Mast {
    /// Nothing learned yet.
    pub fn new(preference: Preference) -> Mast {
        Mast { preference, keys: 0, averages: Vec::new(), odds: Vec::new(), utility: Utility::Win }
    }

    /// The average payoff when this player played this, from 0 for the lowest to 1 for the highest; none if never
    /// played.
    pub fn average(&self, key: usize, player: Player) -> Option<f32> {
        let average = self.averages.get(index(self.keys, key, player))?;
        (average.count > 0).then_some(average.mean)
    }

    /// Starts to learn, unless it already has for the same numbers of keys and players.
    fn begin<G: Keyed>(&mut self, game: &G) {
        let (keys, players) = (game.key_count(), game.players());
        if (self.keys, self.averages.len()) != (keys, keys * players) {
            self.keys = keys;
            self.utility = Utility::score(game);
            self.averages = vec![UNPLAYED; keys * players];
            self.odds = vec![1.0; keys * players];
        }
    }
}

#[inline(always)]
fn index(keys: usize, key: usize, player: Player) -> usize {
    usize::from(player) * keys + key
}

impl Mast {
    fn playout<G: Keyed>(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        self.begin(&leaf.game);
        let Mast { keys, averages, odds, .. } = self;
        match self.preference {
            Preference::Softmax { .. } => recorded::playout(leaf, rng, |leaf, player, rng| {
                let Leaf { game, scratch, .. } = leaf;
                scratch.clear();
                game.playout_actions(scratch);
                let odds = &odds[index(*keys, 0, player)..][..*keys];
                scratch[draw(scratch.iter().map(|&action| odds[game.key(action)]), rng)]
            }),
            Preference::Greedy { epsilon } => recorded::playout(leaf, rng, |leaf, player, rng| {
                if rng.unit() < epsilon {
                    return leaf.game.random_action(rng, &mut leaf.scratch);
                }
                best(leaf, &averages[index(*keys, 0, player)..][..*keys], rng)
            }),
        }
    }
}

impl<G: Keyed> Evaluate<G> for Mast {
    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = self.playout(leaf, rng);
        }
    }

    fn learns(&self) -> bool {
        true
    }

    fn key(&self, game: &G, action: G::Action) -> u32 {
        game.key(action) as u32
    }

    fn bytes(&self, game: &G) -> usize {
        game.key_count() * game.players() * (size_of::<Average>() + size_of::<f32>())
    }

    fn learn(&mut self, trace: &Trace) {
        // Nothing is known before the first playout.
        if self.keys == 0 {
            return;
        }
        let paid = self.utility.rewards(trace.payoff);
        for Played { key, player } in trace.plays() {
            let index = index(self.keys, key as usize, player);
            let average = &mut self.averages[index];
            average.count += 1;
            let step = (1.0 / average.count as f32).max(STEP_MIN);
            average.mean += step * (paid[usize::from(player)] - average.mean);
            if let Preference::Softmax { temperature } = self.preference {
                // At most 1, the weight of actions never played, and never 0.
                self.odds[index] = exp((average.mean - 1.0) / temperature).max(f32::MIN_POSITIVE);
            }
        }
    }
}

/// The exponential of a number that is at most 0, with the same bits on every machine. The system's function differs.
fn exp(x: f32) -> f32 {
    const HALVINGS: u32 = 16;
    // Below this the result is less than any f32.
    let small = f64::from(x.max(-150.0)) / f64::from(1u32 << HALVINGS);
    let start = 1.0 + small * (1.0 + small / 2.0 * (1.0 + small / 3.0 * (1.0 + small / 4.0)));
    (0..HALVINGS).fold(start, |root, _| root * root) as f32
}

/// The action with the highest average, with random ties.
#[inline(always)]
fn best<G: Keyed>(leaf: &mut Leaf<G>, averages: &[Average], rng: &mut Rng) -> G::Action {
    let Leaf { game, scratch, .. } = leaf;
    scratch.clear();
    game.playout_actions(scratch);
    let (mut best, mut highest, mut equals) = (scratch[0], f32::NEG_INFINITY, 0);
    for &action in scratch.iter() {
        let mean = averages[game.key(action)].mean;
        equals = if mean > highest { 1 } else { equals + usize::from(mean == highest) };
        if mean > highest || (mean == highest && rng.below(equals) == 0) {
            (best, highest) = (action, mean);
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::Sweets;
    use crate::{Budget, Report, Search};

    const SWEETS: &[f32] = &[1.0, 5.0, 2.0, 4.0, 3.0];
    const SOFTMAX: Preference = Preference::Softmax { temperature: 0.05 };
    const GREEDY: Preference = Preference::Greedy { epsilon: 0.2 };

    fn searched(preference: Preference, seed: u64) -> (Mast, Report<u8>) {
        let game = Sweets::new(SWEETS);
        let search = Search::new(game).utility(Utility::score(&game)).depth(1).seed(seed);
        let mut search = search.evaluate(Mast::new(preference));
        let report = search.run(Budget::simulations(3_000));
        (search.evaluation().clone(), report)
    }

    /// How often playouts take each sweet first.
    fn first_takes(mast: &mut Mast) -> [u32; 5] {
        let (mut leaf, mut rng) = (Leaf::new(Sweets::new(SWEETS)), Rng::seeded(9));
        let mut takes = [0; 5];
        for _ in 0..2_000 {
            leaf.game = Sweets::new(SWEETS);
            mast.playout(&mut leaf, &mut rng);
            takes[leaf.played[0].key as usize] += 1;
        }
        takes
    }

    #[test]
    fn what_pays_is_played() {
        for preference in [SOFTMAX, GREEDY] {
            let mut mast = searched(preference, 1).0;
            for player in [0, 1] {
                let average = |key| mast.average(key, player).expect("it was played");
                assert!(average(1) > average(4) && average(4) > average(0), "{mast:?}");
            }
            let takes = first_takes(&mut mast);
            assert!([0, 2, 3, 4].iter().all(|&other| 2 * takes[1] > 3 * takes[other]), "{takes:?}");
        }
    }

    #[test]
    fn exponentials() {
        for x in [0.0, -1e-6, -0.3, -1.0, -10.0, -80.0] {
            let (found, expect) = (exp(x), f64::from(x).exp() as f32);
            assert!((found - expect).abs() <= 1e-6 * expect, "exp({x}) is not {found}");
        }
        assert_eq!((exp(-200.0), exp(f32::NEG_INFINITY)), (0.0, 0.0));
    }

    /// Actions with equal averages, as before any learning, are played equally often.
    #[test]
    fn equals_are_played_alike() {
        for preference in [SOFTMAX, Preference::Greedy { epsilon: 0.0 }] {
            let takes = first_takes(&mut Mast::new(preference));
            // A fifth of 2,000 each, with a standard deviation of 18.
            assert!(takes.iter().all(|&takes| takes.abs_diff(400) < 90), "{takes:?}");
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_search() {
        for preference in [SOFTMAX, GREEDY] {
            assert_eq!(searched(preference, 3).1.arms, searched(preference, 3).1.arms);
            assert_ne!(searched(preference, 3).1.arms, searched(preference, 4).1.arms);
        }
    }
}
