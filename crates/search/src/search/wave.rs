//! Waves: many simulations go down the tree in lockstep, their leaves are valued together, and all are backed up.
//!
//! A descent waits for memory at every level. In a wave the others work meanwhile: each asks for what it will read next
//! and lets the next one go on. An edge that a descent takes counts as pulled at once, for the others of the wave to see:
//! its spread, 1/sqrt(pulls), becomes about that of one pull more. Nothing else is touched, and backing up sets the spread by the
//! true pulls, so after a wave each pull is counted once and no trace of this is left.
//!
//! The means that a wave descends by are those from before it, so a wave of many is a little less informed than as many
//! simulations one by one. `docs/parallel.md` has the price in strength.

use super::{Search, Step, draw_outcome};
use crate::tree::Node;
use crate::{DEPTH_MAX, Evaluate, Game, Leaf, PLAYERS_MAX, Select, Tree, Turn};

/// The most simulations of a wave.
pub const WAVE_MAX: usize = 1024;

/// The descents of a wave. All have their room from the start.
pub(super) struct Wave<G: Game> {
    flights: Vec<Flight>,
    /// Each flight's position, in the same order.
    leaves: Vec<Leaf<G>>,
}

/// One descent.
struct Flight {
    path: Vec<Step>,
    node: Node,
    /// The pulls of the edge taken last.
    pulls: u32,
    /// Whether its next choice is its last.
    is_expanding: bool,
    /// Whether the game is over where it landed.
    is_over: bool,
    /// What it is known to pay, where nothing needs to be valued.
    rewards: Option<[f32; PLAYERS_MAX]>,
}

impl<G: Game> Wave<G> {
    pub(super) fn new(width: usize, root: &G) -> Wave<G> {
        let flight = |_| Flight {
            path: Vec::with_capacity(DEPTH_MAX),
            node: Node::default(),
            pulls: 0,
            is_expanding: false,
            is_over: false,
            rewards: None,
        };
        Wave { flights: (0..width).map(flight).collect(), leaves: vec![Leaf::new(root.clone()); width] }
    }
}

impl<G: Game, S: Select, E: Evaluate<G>> Search<G, S, E> {
    /// So many simulations at once, at most as many as the wave is wide.
    pub(super) fn wave_of<const SOLVER: bool>(
        &mut self,
        tree: &mut Tree<G::Action>,
        wave: &mut Wave<G>,
        width: usize,
        left: Option<u32>,
        sum: f32,
    ) {
        let (flights, leaves) = (&mut wave.flights[..width], &mut wave.leaves[..width]);
        self.take_off(tree, flights, leaves);
        // Those in the air come first.
        let mut flying = width;
        while flying > 0 {
            for (flight, leaf) in flights[..flying].iter_mut().zip(&leaves[..flying]) {
                self.turn_off(tree, flight, leaf, left);
            }
            let mut next = 0;
            while next < flying {
                if self.follow::<SOLVER>(tree, &mut flights[next], &mut leaves[next], sum) {
                    next += 1;
                } else {
                    flying -= 1;
                    flights.swap(next, flying);
                    leaves.swap(next, flying);
                }
            }
        }
        self.value(flights, leaves);
        for (flight, leaf) in flights.iter_mut().zip(&*leaves) {
            let rewards = flight.rewards.unwrap_or_else(|| self.state.utility.rewards(&leaf.payoff));
            // Backing up and proving go along the search's own path.
            std::mem::swap(&mut self.state.path, &mut flight.path);
            self.back_up::<SOLVER>(tree, rewards);
            if SOLVER && flight.is_over {
                self.prove(tree, rewards[0], sum);
            }
            std::mem::swap(&mut self.state.path, &mut flight.path);
        }
    }

    fn take_off(&mut self, tree: &Tree<G::Action>, flights: &mut [Flight], leaves: &mut [Leaf<G>]) {
        for (flight, leaf) in flights.iter_mut().zip(leaves) {
            leaf.game.clone_from(&self.state.root);
            flight.path.clear();
            flight.node = tree.root();
            (flight.is_expanding, flight.is_over, flight.rewards) = (false, false, None);
        }
    }

    /// Chooses an edge, leaves the mark of a pull on it for the others to see, and asks for what it leads to.
    #[inline(always)]
    fn turn_off(
        &mut self,
        tree: &mut Tree<G::Action>,
        flight: &mut Flight,
        leaf: &Leaf<G>,
        left: Option<u32>,
    ) {
        let (turn, depth) = (leaf.game.turn(), flight.path.len() as u32);
        let known = (depth, if depth == 0 { left } else { None });
        let rng = &mut self.state.rng;
        let (player, (edge, pulls)) = match turn {
            Turn::Player(player) => {
                (player, tree.choose_virtually(flight.node, known, |view| self.select.select(view, rng)))
            }
            _ => {
                let index = draw_outcome(tree, flight.node, &leaf.game, rng);
                (0, tree.choose_virtually(flight.node, known, |_| index))
            }
        };
        flight.pulls = pulls;
        flight.path.push(Step { edge, player, by_chance: turn == Turn::Chance });
    }

    /// Plays the chosen edge's action and stands in the node below, which it expands if it is a leaf. False where it lands.
    #[inline(always)]
    fn follow<const SOLVER: bool>(
        &mut self,
        tree: &mut Tree<G::Action>,
        flight: &mut Flight,
        leaf: &mut Leaf<G>,
        sum: f32,
    ) -> bool {
        let Some(&Step { edge, .. }) = flight.path.last() else { return false };
        let (action, node) = tree.follow(edge, flight.pulls);
        leaf.game.play(action);
        flight.node = node;
        if SOLVER
            && tree.is_settled(edge)
            && let Some(value) = tree.bounds(edge).value()
        {
            flight.rewards = Some([value, sum - value, 0.0, 0.0]);
            return false;
        }
        if flight.is_expanding {
            return false;
        }
        if node.is_leaf() {
            return self.expand_below(tree, flight, leaf);
        }
        tree.ask_for(node);
        true
    }

    /// Gives the leaf that a flight has come to its edges, on its second visit. False where it stays a leaf.
    fn expand_below(&self, tree: &mut Tree<G::Action>, flight: &mut Flight, leaf: &mut Leaf<G>) -> bool {
        let Some(&Step { edge, .. }) = flight.path.last() else { return false };
        let stays =
            flight.node.pulls == 0 || flight.path.len() >= self.state.depth || leaf.game.turn() == Turn::Over;
        if stays {
            return false;
        }
        leaf.scratch.clear();
        leaf.game.actions(&mut leaf.scratch);
        if !tree.open(edge, &leaf.scratch) {
            return false;
        }
        flight.node = tree.below(edge);
        flight.is_expanding = true;
        true
    }

    /// Values all leaves together, but for those whose worth is known.
    fn value(&mut self, flights: &mut [Flight], leaves: &mut [Leaf<G>]) {
        let mut open = flights.len();
        let mut next = 0;
        // What is known is moved to the back.
        while next < open {
            let is_over = flights[next].rewards.is_none() && leaves[next].game.turn() == Turn::Over;
            if is_over {
                leaves[next].payoff = leaves[next].game.payoff();
                flights[next].is_over = true;
            }
            if is_over || flights[next].rewards.is_some() {
                open -= 1;
                leaves.swap(next, open);
                flights.swap(next, open);
            } else {
                next += 1;
            }
        }
        if open > 0 {
            self.evaluate.evaluate(&mut leaves[..open], &mut self.state.rng);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Budget, Edge, Payoff, Player, Utility};
    use proptest::prelude::*;

    /// Take one to three stones; who takes the last wins. With `luck`, a coin is tossed after each move, and on heads one
    /// more stone goes.
    #[derive(Clone, Debug, PartialEq)]
    struct Stones {
        left: u8,
        mover: Player,
        luck: bool,
        tossing: bool,
    }

    impl Game for Stones {
        type Action = u8;

        fn turn(&self) -> Turn {
            match self {
                Stones { left: 0, .. } => Turn::Over,
                Stones { tossing: true, .. } => Turn::Chance,
                Stones { mover, .. } => Turn::Player(*mover),
            }
        }

        fn actions(&self, out: &mut Vec<u8>) {
            match self.turn() {
                Turn::Over => {}
                Turn::Chance => out.extend([0, 1]),
                Turn::Player(_) => out.extend(1..=self.left.min(3)),
            }
        }

        fn play(&mut self, stones: u8) {
            self.left -= stones;
            if !self.tossing {
                self.mover = 1 - self.mover;
            }
            self.tossing = self.luck && !self.tossing;
        }

        fn payoff(&self) -> Payoff {
            Payoff::margin(if self.mover == 1 { 1.0 } else { -1.0 })
        }

        fn has_chance(&self) -> bool {
            self.luck
        }
    }

    /// Every pull is counted once, spreads are those of the pulls, means within bounds.
    fn check_sums(tree: &Tree<u8>, node: Node, through: u32) {
        let view = tree.view(node, 0, None);
        let below: u32 = view.pulls.iter().sum();
        assert!(below <= through, "{below} pulls below {through}");
        for (index, edge) in node.edges().enumerate() {
            let (pulls, spread) = (view.pulls[index], view.spreads[index]);
            let settled = spread == 0.0 && tree.bounds(edge).value().is_some();
            let expect = if pulls == 0 { f32::INFINITY } else { 1.0 / (pulls as f32).sqrt() };
            assert!(settled || spread == expect, "{pulls} pulls leave a spread of {spread}");
            assert!((0.0..=1.0).contains(&view.means[index]));
            let next = tree.below(edge);
            if !next.is_leaf() {
                check_sums(tree, next, pulls);
            }
        }
    }

    proptest! {
        #[test]
        fn a_wave_leaves_no_trace(
            stones in 1u8..30, luck: bool, solver: bool, width in 2usize..40, simulations in 1u64..2_000, seed: u64,
        ) {
            let game = Stones { left: stones, mover: 0, luck, tossing: false };
            let mut search = Search::new(game).wave(width).solver(solver).seed(seed).memory(1 << 26);
            let report = search.run(Budget::simulations(simulations));
            let pulls: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
            prop_assert_eq!(u64::from(pulls), report.simulations);
            prop_assert!(report.simulations == simulations || report.proven.is_some());
            let tree = search.tree().expect("a tree");
            check_sums(tree, tree.root(), tree.pulls());
        }
    }

    /// The whole tree of a wave is the same for the same seed, and a wave of one is no wave.
    #[test]
    fn the_same_seed_gives_the_same_tree() {
        let game = Stones { left: 21, mover: 0, luck: true, tossing: false };
        let run = |width: usize| {
            let mut search = Search::new(game.clone()).utility(Utility::Win).wave(width).seed(3);
            search.run(Budget::simulations(5_000));
            let tree = search.tree().expect("a tree");
            let arms = |edge: Edge| {
                (tree.arm(edge), tree.edges_below(edge).map(|edge| tree.arm(edge)).collect::<Vec<_>>())
            };
            tree.root_edges().map(arms).collect::<Vec<_>>()
        };
        assert_eq!(run(8), run(8));
        let mut plain = Search::new(game.clone()).seed(3);
        plain.run(Budget::simulations(5_000));
        let pulls = |arms: &[_]| {
            arms.iter().map(|(arm, _): &(aji_bandit::Arm, Vec<_>)| arm.pulls).collect::<Vec<_>>()
        };
        let expect: Vec<u32> = plain
            .tree()
            .map_or(Vec::new(), |tree| tree.root_edges().map(|edge| tree.arm(edge).pulls).collect());
        assert_eq!(pulls(&run(1)), expect);
        assert_ne!(run(8), run(1));
    }
}
