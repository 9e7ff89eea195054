//! Evaluations with a policy, for tests only.

use aji::{Evaluate, Game, Hashed, Leaf, Payoff, Report, Rng, Stopped, Turn, ValueKind};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::time::Duration;

/// The actions of a position.
pub fn actions_of<G: Game>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
}

/// A report without its time.
pub fn timeless<A>(report: Report<A>) -> Report<A> {
    Report { time: Duration::ZERO, ..report }
}

/// The same without why the run stopped.
pub fn found<A>(report: Report<A>) -> Report<A> {
    Report { stopped: Stopped::Nothing, ..timeless(report) }
}

/// An evaluation with a policy. It draws both from the hash of the position. The values of both players add up to a constant.
#[derive(Clone, Copy, Debug)]
pub struct Drawn {
    pub kind: ValueKind,
    pub salt: u64,
}

impl Drawn {
    pub const ALL: [Drawn; 3] = [
        Drawn { kind: ValueKind::Result, salt: 1 },
        Drawn { kind: ValueKind::Expected, salt: 2 },
        Drawn { kind: ValueKind::Reward, salt: 3 },
    ];

    pub fn payoff<G: Hashed>(&self, game: &G) -> Payoff {
        let value = Rng::seeded(game.hash() ^ self.salt).unit();
        match self.kind {
            ValueKind::Reward => Payoff([value, 1.0 - value, 0.0, 0.0]),
            _ => Payoff::margin(2.0 * value - 1.0),
        }
    }

    /// Uneven weights with an arbitrary sum.
    pub fn weights<G: Hashed>(&self, game: &G) -> Vec<f32> {
        let mut rng = Rng::seeded(game.hash() ^ self.salt << 8);
        let scale = 1.0 + 50.0 * rng.unit();
        (0..actions_of(game).len()).map(|_| scale * rng.unit() * rng.unit()).collect()
    }

    /// The weights divided by their sum.
    pub fn priors<G: Hashed>(&self, game: &G) -> Vec<f32> {
        let weights = self.weights(game);
        let mut sum = 0.0;
        for weight in &weights {
            sum += weight;
        }
        weights.iter().map(|weight| weight / sum).collect()
    }
}

impl<G: Hashed> Evaluate<G> for Drawn {
    fn has_policy(&self) -> bool {
        true
    }

    fn is_random(&self) -> bool {
        false
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], _rng: &mut Rng) {
        for leaf in leaves {
            (leaf.payoff, leaf.kind, leaf.policy) =
                (self.payoff(&leaf.game), self.kind, self.weights(&leaf.game));
        }
    }
}

/// The same value for every position, with a policy from a function or without any.
pub struct Constant<G> {
    pub payoff: Payoff,
    pub kind: ValueKind,
    pub policy: Option<fn(&G) -> Vec<f32>>,
}

impl<G> Constant<G> {
    pub fn new(payoff: Payoff, kind: ValueKind) -> Constant<G> {
        Constant { payoff, kind, policy: None }
    }

    pub fn with_policy(self, policy: fn(&G) -> Vec<f32>) -> Constant<G> {
        Constant { policy: Some(policy), ..self }
    }
}

impl<G: Game> Evaluate<G> for Constant<G> {
    fn has_policy(&self) -> bool {
        self.policy.is_some()
    }

    fn is_random(&self) -> bool {
        false
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], _rng: &mut Rng) {
        for leaf in leaves {
            (leaf.payoff, leaf.kind) = (self.payoff, self.kind);
            if let Some(policy) = self.policy {
                leaf.policy = policy(&leaf.game);
            }
        }
    }
}

/// The leaves of every call of an evaluation, as they were before the evaluation saw them.
pub type Asked<G> = Rc<RefCell<Vec<Vec<Leaf<G>>>>>;

/// Records the leaves that another evaluation is asked about.
pub struct Recording<G: Game, E> {
    evaluation: E,
    asked: Asked<G>,
}

impl<G: Game, E> Recording<G, E> {
    /// The evaluation, and where it records.
    pub fn new(evaluation: E) -> (Recording<G, E>, Asked<G>) {
        let asked = Asked::default();
        (Recording { evaluation, asked: asked.clone() }, asked)
    }
}

/// The positions of all leaves, in the order of the calls.
pub fn positions<G: Game>(asked: &Asked<G>) -> Vec<G> {
    asked.borrow().iter().flatten().map(|leaf| leaf.game.clone()).collect()
}

impl<G: Game, E: Evaluate<G>> Evaluate<G> for Recording<G, E> {
    fn has_policy(&self) -> bool {
        self.evaluation.has_policy()
    }

    fn is_random(&self) -> bool {
        self.evaluation.is_random()
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        self.asked.borrow_mut().push(leaves.to_vec());
        self.evaluation.evaluate(leaves, rng);
    }
}

/// A game that remembers the path to its position. All clones share a count of calls of `payoff` at the end of the
/// game.
#[derive(Clone, Debug)]
pub struct Pathed<G: Game> {
    pub game: G,
    pub path: Vec<G::Action>,
    pub ends: Rc<Cell<u64>>,
}

impl<G: Game> Pathed<G> {
    pub fn new(game: G) -> Pathed<G> {
        Pathed { game, path: Vec::new(), ends: Rc::default() }
    }
}

impl<G: Game> Game for Pathed<G> {
    type Action = G::Action;

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn actions(&self, out: &mut Vec<G::Action>) {
        self.game.actions(out);
    }

    fn play(&mut self, action: G::Action) {
        self.game.play(action);
        self.path.push(action);
    }

    fn payoff(&self) -> Payoff {
        self.ends.set(self.ends.get() + 1);
        self.game.payoff()
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.game.payoff_range()
    }

    fn payoff_sum(&self) -> Option<f32> {
        self.game.payoff_sum()
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn weight(&self, outcome: G::Action) -> f32 {
        self.game.weight(outcome)
    }
}

impl<G: Hashed> Hashed for Pathed<G> {
    fn hash(&self) -> u64 {
        self.game.hash()
    }
}
