//! Divide and conquer (Kao et al. 2013, section VI). The gain of an action does not depend on the other parts of a sum.
//! So the search learns small groups of parts one by one, regroups the parts, and merges the results.
//!
//! Each round deals the parts into groups. If groups are pairs, every part meets every other once over the rounds. A
//! [`WholePath`] search of its own learns each group, on several threads, and adds to the same D.

use super::{Differences, Order, ReadOut, WholePath, least_squares, linear_ordering};
use crate::{Hashed, Keyed};
use aji_bandit::Rng;
use std::thread;

/// A game made of independent parts.
pub trait Divisible: Keyed + Hashed {
    /// The parts that still have actions.
    fn live_parts(&self) -> Vec<usize>;

    /// Some of these parts as a separate game, and the key here of each of its keys.
    fn group(&self, parts: &[usize]) -> (Self, Vec<u32>);

    /// Gives the turn to the other player, as after a move elsewhere, also where the player to move has none.
    fn pass(&mut self);

    /// Takes another form of this position, if one form serves for many: without cells that nobody can use, or with its
    /// pieces in a fixed order. True if the keys of actions may have changed.
    fn simplify(&mut self) -> bool {
        false
    }
}

/// How a sum is divided.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Division {
    /// The parts in a group.
    pub group: usize,
    /// How often the parts are dealt. By default, so often that each group gets about [`GROUP_SIMULATIONS`], but at
    /// most until every part has met every other.
    pub rounds: Option<usize>,
    /// The exploration constant, in the unit of payoffs.
    pub c: f32,
    /// How the order is derived from D.
    pub read_out: ReadOut,
    /// How many threads learn groups at the same time. The result does not depend on it.
    pub threads: usize,
}

/// The simulations per group if the number of rounds is not given.
pub const GROUP_SIMULATIONS: u64 = 100;

/// Sweeps of the final least-squares fit.
const SWEEPS: usize = 60;

/// The number of groups learned before the results are merged.
const BATCH: usize = 256;

/// A group to learn.
struct Job<G> {
    game: G,
    keys: Vec<u32>,
    simulations: u64,
    rng: Rng,
}

impl<G: Divisible> Job<G> {
    fn learn(&mut self, c: f32) -> Differences {
        let mut differences = Differences::new(self.game.key_count());
        let mut search = WholePath::new(self.game.clone(), c);
        for _ in 0..self.simulations {
            search.simulate(&mut differences, &mut self.rng);
        }
        differences
    }
}

impl Division {
    /// Spends this many simulations in total, and adds the results to D.
    pub fn learn<G>(&self, game: &G, simulations: u64, differences: &mut Differences, rng: &mut Rng)
    where
        G: Divisible + Send,
    {
        let groups = self.deal(game.live_parts(), simulations, rng);
        let count = groups.len() as u64;
        let share = |number: u64| simulations * (number + 1) / count - simulations * number / count;
        for (batch, groups) in groups.chunks(BATCH).enumerate() {
            let job = |(number, group): (usize, &Vec<usize>)| {
                let (game, keys) = game.group(group);
                Job { game, keys, simulations: share((batch * BATCH + number) as u64), rng: rng.fork() }
            };
            let mut jobs: Vec<Job<G>> = groups.iter().enumerate().map(job).collect();
            let slice = jobs.len().div_ceil(self.threads.max(1));
            let learned: Vec<Vec<Differences>> = thread::scope(|scope| {
                let learn = |jobs: &mut [Job<G>]| jobs.iter_mut().map(|job| job.learn(self.c)).collect();
                let workers: Vec<_> =
                    jobs.chunks_mut(slice).map(|jobs| scope.spawn(move || learn(jobs))).collect();
                workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
            });
            for (job, found) in jobs.iter().zip(learned.iter().flatten()) {
                differences.merge_group(found, &job.keys);
            }
        }
    }

    /// The order derived from D.
    pub fn order(&self, differences: &Differences, rng: &mut Rng) -> Order {
        let keys = differences.keys();
        let mut potentials = vec![0.0; keys];
        least_squares(differences, &mut potentials, SWEEPS);
        let mut order = Order::random(keys, rng);
        order.sort_by_worth(&potentials);
        if self.read_out == ReadOut::List {
            linear_ordering::search(&mut order, differences, SWEEPS);
        }
        order
    }

    /// All groups of all rounds, round after round.
    fn deal(&self, mut parts: Vec<usize>, simulations: u64, rng: &mut Rng) -> Vec<Vec<usize>> {
        if parts.is_empty() {
            return Vec::new();
        }
        shuffle(&mut parts, rng);
        let (count, group) = (parts.len(), self.group.clamp(1, parts.len()));
        let most = match group {
            _ if group == count => 1,
            // With an odd number, one part is left over each round.
            2 => count - 1 + count % 2,
            _ => (count - 1).div_ceil(group.max(2) - 1),
        };
        let affordable = simulations / (GROUP_SIMULATIONS * count.div_ceil(group) as u64);
        let rounds = self.rounds.unwrap_or((affordable as usize).clamp(1, most));
        let mut groups = Vec::new();
        for _ in 0..rounds {
            if group == 2 {
                groups.extend(pairs(&parts));
                // Round-robin: all parts rotate; with an even number the first stays. After all rounds every part has
                // met every other.
                parts[1 - count % 2..].rotate_right(1);
            } else {
                groups.extend(parts.chunks(group).map(<[usize]>::to_vec));
                shuffle(&mut parts, rng);
            }
        }
        groups
    }
}

/// Pairs the first with the last, the second with the last but one, and so on. A part in the middle is left over.
fn pairs(parts: &[usize]) -> impl Iterator<Item = Vec<usize>> {
    let half = parts.len() / 2;
    parts[..half].iter().zip(parts.iter().rev()).map(|(&one, &other)| vec![one, other])
}

fn shuffle(parts: &mut [usize], rng: &mut Rng) {
    for last in (1..parts.len()).rev() {
        parts.swap(last, rng.below(last + 1));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn division(group: usize) -> Division {
        Division { group, rounds: None, c: 1.0, read_out: ReadOut::List, threads: 1 }
    }

    /// With enough simulations all parts meet each other; in pairs, exactly once.
    #[test]
    fn pairs_meet_once() {
        let mut rng = Rng::seeded(1);
        for count in 2..12 {
            let groups = division(2).deal((10..10 + count).collect(), u64::MAX, &mut rng);
            let met: HashSet<[usize; 2]> =
                groups.iter().map(|pair| [pair[0].min(pair[1]), pair[0].max(pair[1])]).collect();
            assert_eq!((met.len(), groups.len()), (count * (count - 1) / 2, count * (count - 1) / 2));
        }
    }

    #[test]
    fn groups_hold_every_part_each_round() {
        let mut rng = Rng::seeded(2);
        let groups = division(3).deal((0..7).collect(), 600, &mut rng);
        assert_eq!(groups.iter().map(Vec::len).collect::<Vec<_>>(), [3, 3, 1, 3, 3, 1]);
        let mut first: Vec<usize> = groups[..3].concat();
        first.sort_unstable();
        assert_eq!(first, [0, 1, 2, 3, 4, 5, 6]);
        assert_eq!(division(9).deal((0..7).collect(), 600, &mut rng).len(), 1);
        assert_eq!(division(2).deal(vec![], 600, &mut rng), Vec::<Vec<usize>>::new());
        assert_eq!(division(2).deal(vec![4], 600, &mut rng), [[4]]);
    }
}
