//! A game against an opponent whose play is known (Wang, Gleave et al. 2023). The opponent's positions belong to chance:
//! its policy gives the odds of each reply. So every search and solver of games with chance finds what is best against
//! this opponent, and not against the best one.
//!
//! A search asks the opponent once for each of its positions that enters the tree. Playouts do not ask it, except for
//! the first reply.

use crate::game::draw;
use crate::{
    Agent, Budget, Encoded, Evaluate, Game, Hashed, Leaf, Payoff, Player, Report, Rng, Shape, Simulation,
    Symmetric, Tree, Turn, ValueKind, Watch,
};
use std::fmt::{self, Debug};
use std::sync::{Arc, Mutex, PoisonError};

/// A player whose play is known.
pub trait Opponent<G: Game>: Send {
    /// The actions that it may play in a position, each with its odds on any scale. The answer depends on the position
    /// alone.
    fn replies(&mut self, game: &G) -> Replies<G>;
}

/// Actions with their odds.
pub type Replies<G> = Arc<[(<G as Game>::Action, f32)]>;

/// An opponent that all copies of a position share.
pub struct SharedOpponent<G: Game>(Arc<Mutex<dyn Opponent<G>>>);

impl<G: Game> SharedOpponent<G> {
    /// Shares an opponent.
    pub fn new(opponent: impl Opponent<G> + 'static) -> SharedOpponent<G> {
        SharedOpponent(Arc::new(Mutex::new(opponent)))
    }

    fn replies(&self, game: &G) -> Replies<G> {
        // An opponent that has panicked leaves no half answers behind.
        self.0.lock().unwrap_or_else(PoisonError::into_inner).replies(game)
    }
}

impl<G: Game> Clone for SharedOpponent<G> {
    fn clone(&self) -> SharedOpponent<G> {
        SharedOpponent(self.0.clone())
    }
}

/// A position of a game of two players as one of them sees it who knows how the other plays.
pub struct Versus<G: Game> {
    game: G,
    player: Player,
    opponent: SharedOpponent<G>,
    /// What the opponent may play, where it is to act.
    replies: Option<Replies<G>>,
}

impl<G: Game> Versus<G> {
    /// The position as this player sees it.
    pub fn new(game: G, player: Player, opponent: SharedOpponent<G>) -> Versus<G> {
        let mut versus = Versus { game, player, opponent, replies: None };
        versus.ask();
        versus
    }

    /// The position itself.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Whether the opponent is to act.
    fn is_opponents(&self) -> bool {
        matches!(self.game.turn(), Turn::Player(player) if player != self.player)
    }

    /// Asks the opponent if it is to act.
    fn ask(&mut self) {
        self.replies = self.is_opponents().then(|| self.opponent.replies(&self.game));
    }

    /// The position after the opponent's reply, if it is to act.
    fn after_reply(&self, rng: &mut Rng) -> G {
        let mut game = self.game.clone();
        if let Some(replies) = &self.replies {
            game.play(replies[draw(replies.iter().map(|&(_, odds)| odds), rng)].0);
        }
        game
    }
}

impl<G: Game> Clone for Versus<G> {
    fn clone(&self) -> Versus<G> {
        Versus {
            game: self.game.clone(),
            player: self.player,
            opponent: self.opponent.clone(),
            replies: self.replies.clone(),
        }
    }

    fn clone_from(&mut self, other: &Versus<G>) {
        self.game.clone_from(&other.game);
        self.player = other.player;
        self.replies.clone_from(&other.replies);
        if !Arc::ptr_eq(&self.opponent.0, &other.opponent.0) {
            self.opponent = other.opponent.clone();
        }
    }
}

/// The same position, seen by the same player. Opponents are not compared.
impl<G: Game + PartialEq> PartialEq for Versus<G> {
    fn eq(&self, other: &Versus<G>) -> bool {
        self.player == other.player && self.game == other.game
    }
}

impl<G: Game + Debug> Debug for Versus<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} as player {} sees it", self.game, self.player)
    }
}

impl<G: Game> Game for Versus<G> {
    type Action = G::Action;

    fn turn(&self) -> Turn {
        if self.replies.is_some() { Turn::Chance } else { self.game.turn() }
    }

    fn actions(&self, out: &mut Vec<G::Action>) {
        self.game.actions(out);
    }

    fn play(&mut self, action: G::Action) {
        self.game.play(action);
        self.ask();
    }

    fn payoff(&self) -> Payoff {
        self.game.payoff()
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.game.payoff_range()
    }

    fn pays_points(&self) -> bool {
        self.game.pays_points()
    }

    fn payoff_sum(&self) -> Option<f32> {
        self.game.payoff_sum()
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn bytes(&self) -> usize {
        size_of::<Versus<G>>() + self.game.bytes()
    }

    fn weight(&self, outcome: G::Action) -> f32 {
        let Some(replies) = &self.replies else { return self.game.weight(outcome) };
        replies.iter().find(|(action, _)| *action == outcome).map_or(0.0, |&(_, odds)| odds)
    }

    fn playout_actions(&self, out: &mut Vec<G::Action>) {
        match self.replies {
            Some(_) => self.game.actions(out),
            None => self.game.playout_actions(out),
        }
    }

    /// The opponent draws its first reply by its odds. After that both players play as in the game's own playouts.
    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Payoff {
        self.after_reply(rng).playout(rng, scratch)
    }
}

impl<G: Hashed> Hashed for Versus<G> {
    fn hash(&self) -> u64 {
        self.game.hash()
    }

    fn so_far(&self) -> Option<Payoff> {
        self.game.so_far()
    }

    fn whole_hash(&self) -> u64 {
        self.game.whole_hash()
    }
}

impl<G: Encoded> Encoded for Versus<G> {
    fn shape(&self) -> Shape {
        self.game.shape()
    }

    fn features(&self, out: &mut Vec<u32>) {
        self.game.features(out);
    }

    fn action_index(&self, action: G::Action) -> usize {
        self.game.action_index(action)
    }

    fn unseen(&self) -> String {
        self.game.unseen()
    }
}

impl<G: Symmetric> Symmetric for Versus<G> {
    fn symmetries(&self) -> usize {
        self.game.symmetries()
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        self.game.cell_image(symmetry, cell)
    }

    fn index_image(&self, symmetry: usize, index: usize) -> usize {
        self.game.index_image(symmetry, index)
    }
}

/// Lets an evaluation of the game itself value positions against an opponent. It values only positions of the player:
/// where the opponent is to act, it gets the position after a reply that is drawn by its odds.
pub struct VersusLeaves<G: Game> {
    evaluation: Box<dyn Evaluate<G> + Send>,
    /// Copies of the leaves, and the number of the leaf that each is of.
    copies: Vec<Leaf<G>>,
    owners: Vec<usize>,
}

impl<G: Game> VersusLeaves<G> {
    /// Asks this evaluation. The search does not report simulations to an evaluation that
    /// [learns](Evaluate::learns).
    pub fn new(evaluation: Box<dyn Evaluate<G> + Send>) -> VersusLeaves<G> {
        VersusLeaves { evaluation, copies: Vec::new(), owners: Vec::new() }
    }
}

impl<G: Game> Evaluate<Versus<G>> for VersusLeaves<G> {
    fn has_policy(&self) -> bool {
        self.evaluation.has_policy()
    }

    fn values_chance(&self) -> bool {
        false
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<Versus<G>>], rng: &mut Rng) {
        self.copies.clear();
        self.owners.clear();
        for (number, leaf) in leaves.iter_mut().enumerate() {
            let mut copy = Leaf::new(leaf.game.after_reply(rng));
            if copy.game.turn() == Turn::Over {
                (leaf.payoff, leaf.kind) = (copy.game.payoff(), ValueKind::Result);
                continue;
            }
            if self.evaluation.has_policy() {
                copy.game.actions(&mut copy.actions);
            }
            self.copies.push(copy);
            self.owners.push(number);
        }
        self.evaluation.evaluate(&mut self.copies, rng);
        for (copy, &number) in self.copies.iter_mut().zip(&self.owners) {
            let leaf = &mut leaves[number];
            (leaf.payoff, leaf.kind) = (copy.payoff, copy.kind);
            leaf.policy.clear();
            // After a reply the policy is of another position.
            if leaf.game.replies.is_none() {
                std::mem::swap(&mut leaf.policy, &mut copy.policy);
            }
        }
    }

    fn bytes(&self, game: &Versus<G>) -> usize {
        self.evaluation.bytes(&game.game)
    }
}

/// An agent that knows how its opponent plays. It takes the side of the player who is to act when it thinks.
pub struct Against<G: Game> {
    agent: Box<dyn Agent<Versus<G>> + Send>,
    opponent: SharedOpponent<G>,
}

impl<G: Game> Against<G> {
    /// This agent against this opponent.
    pub fn new(agent: Box<dyn Agent<Versus<G>> + Send>, opponent: SharedOpponent<G>) -> Against<G> {
        Against { agent, opponent }
    }

    /// The position as its player to act sees it. Nobody asks about the positions of chance or of a finished game.
    fn seen(&self, game: &G) -> Versus<G> {
        let player = if let Turn::Player(player) = game.turn() { player } else { 0 };
        Versus::new(game.clone(), player, self.opponent.clone())
    }
}

impl<G: Game> Agent<G> for Against<G> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let position = self.seen(game);
        self.agent.think(&position, budget, watch)
    }

    fn played(&mut self, action: G::Action) {
        self.agent.played(action);
    }

    fn allow(&mut self, game: &G, allowed: Option<&[u16]>) -> bool {
        let position = self.seen(game);
        self.agent.allow(&position, allowed)
    }

    fn step(&mut self, game: &G) -> Option<Simulation<G::Action>> {
        let position = self.seen(game);
        self.agent.step(&position)
    }

    fn tree(&self) -> Option<&Tree> {
        self.agent.tree()
    }

    fn memory_min(&self, game: &G) -> usize {
        self.agent.memory_min(&self.seen(game))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::Solver;
    use crate::playout::Uniform;
    use crate::{Search, Utility, laws, overhead_bytes};
    use aji_bandit::{Puct, Ucb1};

    /// Take one or two stones; whoever takes the last one wins.
    #[derive(Clone, Debug, PartialEq)]
    struct Stones(u8, Player);

    impl Game for Stones {
        type Action = u8;

        fn turn(&self) -> Turn {
            if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
        }

        fn actions(&self, out: &mut Vec<u8>) {
            out.extend(1..=self.0.min(2));
        }

        fn play(&mut self, taken: u8) {
            *self = Stones(self.0 - taken, 1 - self.1);
        }

        fn payoff(&self) -> Payoff {
            Payoff::win(1 - self.1)
        }
    }

    impl Hashed for Stones {
        fn hash(&self) -> u64 {
            u64::from(self.0) * 2 + u64::from(self.1)
        }
    }

    /// A table: for each number of stones, the odds of taking one and two; the last row for more. It counts how often it is asked.
    struct Table(&'static [(f32, f32)], Arc<Mutex<u32>>);

    impl Opponent<Stones> for Table {
        fn replies(&mut self, game: &Stones) -> Replies<Stones> {
            *self.1.lock().unwrap() += 1;
            let (one, two) = self.0[usize::from(game.0).min(self.0.len() - 1)];
            [(1, one), (2, two)].into_iter().take(usize::from(game.0.min(2))).collect()
        }
    }

    /// Takes one stone of 2 in a quarter of all games, and one of 3 in three quarters.
    const ODDS: &[(f32, f32)] = &[(1.0, 0.0), (1.0, 0.0), (1.0, 3.0), (3.0, 1.0), (0.0, 1.0), (1.0, 1.0)];

    fn table(odds: &'static [(f32, f32)]) -> (SharedOpponent<Stones>, Arc<Mutex<u32>>) {
        let asked = Arc::new(Mutex::new(0));
        (SharedOpponent::new(Table(odds, asked.clone())), asked)
    }

    fn start(stones: u8) -> Versus<Stones> {
        Versus::new(Stones(stones, 0), 0, table(ODDS).0)
    }

    /// By hand. Two stones or one: win. Left with one, the opponent wins. Left with 2, it takes both in 3 of 4 games,
    /// else we win: 1/4. Left with 3, it leaves 2 or 1: we win. So from 5 stones, taking two wins always; from 4,
    /// taking one wins always and taking two wins a quarter; from 3, taking one wins 1/4 and taking two loses.
    #[test]
    fn a_table_has_the_expectation_by_hand() {
        let values = |stones: u8| {
            let report = Solver::new(1 << 20).think(&start(stones), Budget::default(), &mut ());
            report.arms.iter().map(|arm| arm.mean).collect::<Vec<f32>>()
        };
        assert_eq!(values(5)[1], 1.0);
        assert_eq!(values(4), [1.0, 0.25]);
        assert_eq!(values(3), [0.25, 0.0]);
        // Left with 4, it takes two: we win. Left with 5, it leaves 4 or 3: 1 and 1/4.
        assert_eq!(values(6), [0.625, 1.0]);
    }

    #[test]
    fn a_search_finds_the_expectation() {
        for stones in 3..=6 {
            let exact = Solver::new(1 << 20).think(&start(stones), Budget::default(), &mut ());
            let mut search =
                Search::of(start(stones), Ucb1 { c: 0.5 }, Uniform).utility(Utility::Win).seed(3);
            let report = search.run(Budget::simulations(20_000));
            let of_best = exact.arms.iter().find(|arm| Some(arm.action) == report.best);
            assert_eq!(of_best.map(|arm| arm.mean), exact.value, "{stones} stones");
            let (value, truth) = (report.value.unwrap(), exact.value.unwrap());
            assert!((value - truth).abs() < 0.02, "{stones} stones: {value}, exactly {truth}");
        }
    }

    /// A value of 1/2 for every position, with equal priors. It refuses to look at positions of player 1.
    struct Blank;

    impl Evaluate<Stones> for Blank {
        fn has_policy(&self) -> bool {
            true
        }

        fn is_random(&self) -> bool {
            false
        }

        fn evaluate(&mut self, leaves: &mut [Leaf<Stones>], _rng: &mut Rng) {
            for leaf in leaves {
                assert_eq!(leaf.game.1, 0, "a position of the opponent");
                (leaf.payoff, leaf.kind) = (Payoff::DRAW, ValueKind::Expected);
                leaf.policy = vec![1.0; leaf.actions.len()];
            }
        }
    }

    /// Simulations go on from the opponent's positions, so an evaluation sees the player's alone; also in a full tree.
    #[test]
    fn an_evaluation_sees_no_position_of_the_opponent() {
        for wave in [1, 4] {
            for memory in [1 << 20, overhead_bytes(wave) + 300] {
                let leaves = VersusLeaves::new(Box::new(Blank));
                let search = Search::of(start(6), Puct::default(), leaves).memory(memory).wave(wave);
                let report = search.utility(Utility::Win).run(Budget::simulations(2_000));
                assert_eq!(report.best, Some(2), "{memory} bytes, wave of {wave}");
                assert!(memory < 1 << 20 || report.value.unwrap() > 0.95, "{:?}", report.value);
            }
        }
    }

    /// Each position of the opponent is asked about once a visit at most; playouts ask for none beside the leaf's.
    #[test]
    fn playouts_do_not_ask() {
        let (opponent, asked) = table(ODDS);
        let mut game = Versus::new(Stones(20, 0), 0, opponent);
        game.play(1);
        let before = *asked.lock().unwrap();
        game.playout(&mut Rng::seeded(1), &mut Vec::new());
        assert_eq!((before, *asked.lock().unwrap()), (1, 1));
    }

    #[test]
    fn an_agent_sees_both_sides() {
        let opponent = table(ODDS).0;
        let mut agent = Against::new(Box::new(Solver::new(1 << 20)), opponent);
        for player in [0, 1] {
            let report = agent.think(&Stones(4, player), Budget::default(), &mut ());
            assert_eq!((report.best, report.value), (Some(1), Some(1.0)));
        }
    }

    #[test]
    fn it_is_a_game_like_others() {
        for seed in 0..20 {
            assert_eq!(laws::game(&start(9), seed), Ok(()));
            assert_eq!(laws::hashed(&start(9), seed), Ok(()));
        }
    }
}
