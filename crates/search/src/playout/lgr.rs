//! Last good reply (Drake, The last-good-reply policy for Monte-Carlo Go, 2009) with forgetting (Baier & Drake, The
//! power of forgetting, 2010): LGRF-1. A reply to another player's last action is repeated as long as it wins.
//!
//! The first action of a playout is random, since a playout does not know what led to its start.

use super::recorded;
use crate::learn::{Played, Trace};
use crate::{Evaluate, Keyed, Leaf, Payoff, Player};
use aji_bandit::Rng;

/// Plays the last good reply, or a random action if there is none.
#[derive(Clone, Debug, Default)]
pub struct Lgr {
    keys: usize,
    /// By the replying player and the key replied to: the reply's key plus 1, or 0 for none.
    replies: Vec<u32>,
    /// Payoffs above this count as wins.
    middle: f32,
}

impl Lgr {
    /// Nothing learned yet.
    pub fn new() -> Lgr {
        Lgr::default()
    }

    /// The key of this player's reply to an action with this key.
    pub fn reply(&self, player: Player, to: usize) -> Option<usize> {
        let reply = *self.replies.get(usize::from(player) * self.keys + to)?;
        reply.checked_sub(1).map(|key| key as usize)
    }

    /// Starts to learn, unless it already has for the same numbers of keys and players.
    fn begin<G: Keyed>(&mut self, game: &G) {
        let (keys, players) = (game.key_count(), game.players());
        if (self.keys, self.replies.len()) != (keys, keys * players) {
            (self.keys, self.replies) = (keys, vec![0; keys * players]);
            let (low, high) = game.payoff_range();
            self.middle = 0.5 * (low + high);
        }
    }
}

impl Lgr {
    fn playout<G: Keyed>(&mut self, leaf: &mut Leaf<G>, rng: &mut Rng) -> Payoff {
        self.begin(&leaf.game);
        recorded::playout(leaf, rng, |Leaf { game, scratch, played, .. }, player, rng| {
            let last = played.last().filter(|last| last.player != player);
            let reply = last.and_then(|last| self.reply(player, last.key as usize));
            let legal = reply.and_then(|reply| {
                scratch.clear();
                game.playout_actions(scratch);
                scratch.iter().copied().find(|&action| game.key(action) == reply)
            });
            legal.unwrap_or_else(|| game.random_action(rng, scratch))
        })
    }
}

impl<G: Keyed> Evaluate<G> for Lgr {
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
        game.key_count() * game.players() * size_of::<u32>()
    }

    fn learn(&mut self, trace: &Trace) {
        // Nothing is known before the first playout.
        if self.keys == 0 {
            return;
        }
        let mut last: Option<Played> = None;
        for played in trace.plays() {
            let Played { key, player } = played;
            let to = last.replace(played).filter(|last| last.player != player);
            let Some(Played { key: to, .. }) = to else { continue };
            let reply = &mut self.replies[usize::from(player) * self.keys + to as usize];
            let paid = trace.payoff.of(player);
            if paid > self.middle {
                *reply = key + 1;
            } else if paid < self.middle && *reply == key + 1 {
                *reply = 0;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::toys::Echo;
    use crate::{Budget, Report, Search};

    fn searched(seed: u64, simulations: u64) -> (Lgr, Report<u8>) {
        // With an odd number of rounds, one of the players wins.
        let mut search = Search::new(Echo::new(7)).evaluate(Lgr::new()).seed(seed);
        let report = search.run(Budget::simulations(simulations));
        (search.evaluation().clone(), report)
    }

    /// The right answer to a number is the same number. A wrong answer to one of three numbers may stay, as it wins
    /// together with right ones.
    #[test]
    fn right_answers_are_learned() {
        let (mut lgr, _) = searched(1, 5_000);
        let (mut leaf, mut rng) = (Leaf::new(Echo::new(7)), Rng::seeded(2));
        let (mut right, mut random) = (0, 0);
        for _ in 0..500 {
            let share = |played: &[Played]| {
                let pairs = played.as_chunks::<2>().0;
                pairs
                    .iter()
                    .filter(|[said, answer]| said.key + u32::from(Echo::NUMBERS) == answer.key)
                    .count()
            };
            leaf.game = Echo::new(7);
            lgr.playout(&mut leaf, &mut rng);
            right += share(&leaf.played);
            leaf.game = Echo::new(7);
            recorded::random(&mut leaf, &mut rng);
            random += share(&leaf.played);
        }
        assert!(right > 2_200 && (1_000..1_350).contains(&random), "{right}, {random} of 3,500");
    }

    /// A player forgets a reply that loses.
    #[test]
    fn losing_replies_are_forgotten() {
        let mut search = Search::new(Echo::new(1)).evaluate(Lgr::new()).seed(1);
        for _ in 0..200 {
            let told = search.step().expect("a simulation");
            let lgr = search.evaluation();
            let actions: Vec<u8> = told.path.iter().map(|choice| choice.action()).collect();
            if let [said, answer] = actions[..] {
                let (to, reply) = (usize::from(said), usize::from(answer + Echo::NUMBERS));
                assert_eq!(lgr.reply(1, to) == Some(reply), said == answer);
            }
        }
        assert!((0..3).any(|number| search.evaluation().reply(1, number) == Some(number + 3)));
    }

    #[test]
    fn the_same_seed_gives_the_same_search() {
        assert_eq!(searched(3, 500).1.arms, searched(3, 500).1.arms);
        assert_ne!(searched(3, 500).1.arms, searched(4, 500).1.arms);
    }
}
