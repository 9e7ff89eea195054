//! Playouts of several positions in turns, a ply of each. A ply waits for the one before it, and a CPU that has nothing
//! else to do waits with it; plies of other games fill that time.

use aji_search::{Game, Leaf, Payoff, Rng, Turn};

/// How many games are played in turns.
const LANES: usize = 8;

/// A game under way in a playout.
pub(crate) trait Course<G>: Copy {
    /// Where a playout from this position begins.
    fn new(game: &G) -> Self;

    /// Plays a random action, or what follows it, too. True if the game is over; it is not called again then.
    fn step(&mut self, rng: &mut Rng) -> bool;

    /// What each player gets. Asked only when the game is over.
    fn result(&self) -> Payoff;
}

/// A game, and the index of the leaf where it began.
#[derive(Clone, Copy)]
struct Lane<C> {
    course: C,
    leaf: usize,
}

/// A lane for the next leaf whose game is not over; those before it get their payoff.
#[inline(always)]
fn begin<G: Game, C: Course<G>>(leaves: &mut [Leaf<G>], next: &mut usize) -> Option<Lane<C>> {
    while let Some(leaf) = leaves.get_mut(*next) {
        *next += 1;
        if leaf.game.turn() != Turn::Over {
            return Some(Lane { course: C::new(&leaf.game), leaf: *next - 1 });
        }
        leaf.payoff = leaf.game.payoff();
    }
    None
}

/// Notes the payoff of a game that is over, and puts the next into its lane, if there is one.
#[cold]
#[inline(never)]
fn finish<G: Game, C: Course<G>>(lane: &mut Lane<C>, leaves: &mut [Leaf<G>], next: &mut usize) -> bool {
    leaves[lane.leaf].payoff = lane.course.result();
    begin(leaves, next).inspect(|begun| *lane = *begun).is_some()
}

/// A playout from each leaf.
#[inline(always)]
pub(crate) fn playouts<G: Game, C: Course<G>>(leaves: &mut [Leaf<G>], rng: &mut Rng) {
    let mut next = 0;
    let Some(first) = begin::<G, C>(leaves, &mut next) else { return };
    let (mut lanes, mut busy) = ([first; LANES], 1);
    while busy < LANES
        && let Some(lane) = begin(leaves, &mut next)
    {
        lanes[busy] = lane;
        busy += 1;
    }
    // A copy of the generator stays in registers.
    let mut numbers = rng.clone();
    while busy > 0 {
        // From the last, so that the lane that takes the place of one that is done has had its turn.
        for index in (0..busy).rev() {
            let over = lanes[index].course.step(&mut numbers);
            if over && !finish(&mut lanes[index], leaves, &mut next) {
                busy -= 1;
                lanes[index] = lanes[busy];
            }
        }
    }
    *rng = numbers;
}
