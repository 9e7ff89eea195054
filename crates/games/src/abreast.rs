//! Plays several playouts in turns, one ply of each. A ply waits for the one before it, and leaves the CPU idle
//! meanwhile; plies of other games fill that time.

use aji_search::{Game, Leaf, Payoff, Rng, Turn};

/// The number of games played in turns. More were no faster.
const LANES: usize = 4;

/// The state of a game during a playout.
pub(crate) trait Course<G, C>: Copy {
    /// The start of a playout from this position, with this CPU's instructions.
    fn new(cpu: C, game: &G) -> Self;

    /// Plays a random action, after a pass if one is forced. Returns true if the game is over. A game may notice that
    /// one step late; no step follows.
    fn step(&mut self, rng: &mut Rng) -> bool;

    /// Each player's payoff. Called only when the game is over.
    fn result(&self) -> Payoff;
}

/// A game, and the index of the leaf where it began.
#[derive(Clone, Copy)]
struct Lane<U> {
    course: U,
    leaf: usize,
}

/// A lane for the next leaf whose game is not over. Leaves before it get their payoff.
#[inline(always)]
fn begin<G: Game, U: Course<G, C>, C>(cpu: C, leaves: &mut [Leaf<G>], next: &mut usize) -> Option<Lane<U>> {
    while let Some(leaf) = leaves.get_mut(*next) {
        *next += 1;
        if leaf.game.turn() != Turn::Over {
            return Some(Lane { course: U::new(cpu, &leaf.game), leaf: *next - 1 });
        }
        leaf.payoff = leaf.game.payoff();
    }
    None
}

/// Records the payoff of a finished game, and puts the next leaf into its lane. Returns false if there is none.
///
/// Inlined, so that it is compiled for the CPU at hand.
#[inline(always)]
fn finish<G: Game, U: Course<G, C>, C>(
    cpu: C,
    lane: &mut Lane<U>,
    leaves: &mut [Leaf<G>],
    next: &mut usize,
) -> bool {
    leaves[lane.leaf].payoff = lane.course.result();
    begin(cpu, leaves, next).inspect(|begun| *lane = *begun).is_some()
}

/// A playout from each leaf.
#[inline(always)]
pub(crate) fn playouts<G: Game, U: Course<G, C>, C: Copy>(cpu: C, leaves: &mut [Leaf<G>], rng: &mut Rng) {
    let mut next = 0;
    let Some(first) = begin::<G, U, C>(cpu, leaves, &mut next) else { return };
    let (mut lanes, mut busy) = ([first; LANES], 1);
    while busy < LANES
        && let Some(lane) = begin(cpu, leaves, &mut next)
    {
        lanes[busy] = lane;
        busy += 1;
    }
    // A copy of the generator stays in registers.
    let mut numbers = rng.clone();
    while busy > 0 {
        // From the last to the first: a lane that replaces a finished one has already had its turn.
        for index in (0..busy).rev() {
            let over = lanes[index].course.step(&mut numbers);
            if over && !finish(cpu, &mut lanes[index], leaves, &mut next) {
                busy -= 1;
                lanes[index] = lanes[busy];
            }
        }
    }
    *rng = numbers;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Breakthrough, Othello, TicTacToe};

    /// A game played by its rules, with each action looked up in the list. `LATE` if it notices the end of the game
    /// only in the step after the last action.
    #[derive(Clone, Copy)]
    struct Plain<G, const LATE: bool>(G);

    impl<G: Game + Copy, const LATE: bool> Course<G, ()> for Plain<G, LATE> {
        fn new(_: (), game: &G) -> Self {
            Plain(*game)
        }

        fn step(&mut self, rng: &mut Rng) -> bool {
            let Plain(game) = self;
            while game.turn() != Turn::Over {
                let mut actions = Vec::new();
                game.actions(&mut actions);
                let before = rng.clone();
                let action = game.random_action(rng, &mut Vec::new());
                assert!(actions.contains(&action));
                game.play(action);
                // A pass takes no random number, and the next action belongs to the same step.
                if before != *rng {
                    return !LATE && game.turn() == Turn::Over;
                }
            }
            true
        }

        fn result(&self) -> Payoff {
            self.0.payoff()
        }
    }

    /// Positions of random games, finished or not.
    fn leaves<G: Game + Copy>(root: G, count: usize, rng: &mut Rng) -> Vec<Leaf<G>> {
        let mut leaf = |_| {
            let mut game = root;
            for _ in 0..rng.below(70) {
                if game.turn() != Turn::Over {
                    game.play(game.random_action(rng, &mut Vec::new()));
                }
            }
            Leaf { payoff: Payoff([f32::NAN; 4]), ..Leaf::new(game) }
        };
        (0..count).map(&mut leaf).collect()
    }

    /// The same random numbers give the same games as by the rules.
    fn check<G: Game + Copy, const LATE: bool>(root: G) {
        let mut rng = Rng::seeded(1);
        for round in 0..500 {
            let mut leaves = leaves(root, round % 40, &mut rng);
            let mut plain = leaves.clone();
            let mut same = rng.clone();
            G::playouts(&mut leaves, &mut rng);
            playouts::<G, Plain<G, LATE>, ()>((), &mut plain, &mut same);
            let payoffs = |leaves: &[Leaf<G>]| leaves.iter().map(|leaf| leaf.payoff).collect::<Vec<_>>();
            assert_eq!(payoffs(&leaves), payoffs(&plain));
            assert!(rng == same);
        }
    }

    #[test]
    fn courses_go_as_by_the_rules() {
        check::<Othello, true>(Othello::new());
        check::<Breakthrough, false>(Breakthrough::new());
    }

    /// If all leaves but one are over, that one is played as if it were alone.
    #[test]
    fn one_game_is_played_as_by_itself() {
        let mut rng = Rng::seeded(2);
        let mut over = TicTacToe::new();
        while over.turn() != Turn::Over {
            over.play(over.random_action(&mut rng, &mut Vec::new()));
        }
        for seed in 0..100 {
            let mut leaves = vec![Leaf::new(over); 20];
            leaves[seed as usize % 20] = Leaf::new(TicTacToe::new());
            playouts::<TicTacToe, Plain<TicTacToe, false>, ()>((), &mut leaves, &mut Rng::seeded(seed));
            for (index, leaf) in leaves.iter().enumerate() {
                let alone = |mut game: TicTacToe| game.playout(&mut Rng::seeded(seed), &mut Vec::new());
                assert_eq!(
                    leaf.payoff,
                    if index == seed as usize % 20 { alone(TicTacToe::new()) } else { over.payoff() }
                );
            }
        }
    }
}
