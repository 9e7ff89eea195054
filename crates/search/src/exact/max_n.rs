//! Exact values of games of one to four players, with or without chance, by looking at every continuation. At each
//! position the player who acts takes the action that is best for it (Luckhardt and Irani 1986, "An algorithmic
//! solution of N-person games"), and chance is averaged. The same code is expectimax for one player with chance, and
//! minimax for two with a sum of zero.
//!
//! Among actions of equal value to the player who acts, it takes the first. With three players or more, the others'
//! values can depend on that.
//!
//! If positions have hashes, each is valued once. Games that can return to a position need
//! [`ValueIteration`](super::ValueIteration) instead. The current path is a vector of frames, so memory alone limits
//! the length of a game.

use super::memo::{Memo, entry_bytes, owned_bytes, vector_bytes};
use super::pace::Pace;
use super::{Solution, Solved, Values};
use crate::{Budget, Game, Hashed, PLAYERS_MAX, Payoff, StopHandle, Stopped, Turn, Watch};

/// The default cap on memory: 1 GB.
const MEMORY_DEFAULT: usize = 1_000_000_000;

/// Solves games.
pub struct MaxN<G: Game> {
    recall: Option<Recall<G>>,
    memory: usize,
    depth: Option<usize>,
    estimate: super::Estimate<G>,
    stop: StopHandle,
}

/// How positions are identified. The stored values and the hash leave out each player's score so far, so that a
/// position is valued once, whatever was paid before it.
struct Recall<G> {
    hash: fn(&G) -> u64,
    so_far: fn(&G) -> Values,
    /// The hash that includes the scores so far.
    whole_hash: fn(&G) -> u64,
}

impl<G> Clone for Recall<G> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G> Copy for Recall<G> {}

/// A position on the current path.
struct Frame<G> {
    position: G,
    turn: Turn,
    key: u64,
    /// The values of the best action so far; at chance, the weighted sum so far.
    values: Values,
    weights: f64,
    best: usize,
    first: usize,
    count: usize,
    tried: usize,
}

/// The values of a position; `None` while the position is on the current path.
type Known = Option<Values>;

/// The current path, and the stored values.
struct Walk<G: Game> {
    frames: Vec<Frame<G>>,
    actions: Vec<G::Action>,
    /// A buffer for listing actions.
    listed: Vec<G::Action>,
    memo: Memo<Known>,
    positions: usize,
    /// The bytes that the positions on the path own elsewhere.
    owned: usize,
    exact: bool,
}

/// The result of reaching a position: its values, a new frame, or a position that is already on the path.
enum Met {
    Value(Values),
    Opened,
    Again,
}

impl<G: Game> MaxN<G> {
    /// For any game, without stored positions: right for trees.
    pub fn new() -> MaxN<G> {
        let (memory, stop) = (MEMORY_DEFAULT, StopHandle::default());
        MaxN { recall: None, memory, depth: None, estimate: None, stop }
    }

    /// The cap on memory in bytes, which limits how many positions can be stored.
    pub fn memory(self, bytes: usize) -> Self {
        MaxN { memory: bytes, ..self }
    }

    /// Looks at most this many plies ahead. The heuristic values the positions there. Without one they count as 0 for
    /// everyone, whatever was paid before.
    pub fn depth(self, plies: usize, estimate: Option<fn(&G) -> Payoff>) -> Self {
        let whole =
            |recall: Recall<G>| Recall { hash: recall.whole_hash, so_far: |_| Values::default(), ..recall };
        MaxN { depth: Some(plies), estimate, recall: self.recall.map(whole), ..self }
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Uses this handle.
    pub(super) fn stopped_by(self, stop: StopHandle) -> Self {
        MaxN { stop, ..self }
    }

    /// The values of a position and of all its actions.
    pub fn solve(&self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Solution<G::Action> {
        let mut pace = Pace::new(budget, self.stop.clone(), watch);
        self.solve_paced(game, &mut pace)
    }

    pub(super) fn solve_paced(&self, game: &G, pace: &mut Pace) -> Solution<G::Action> {
        let mut walk = Walk {
            frames: Vec::new(),
            actions: Vec::new(),
            listed: Vec::new(),
            memo: Memo::default(),
            positions: 0,
            owned: 0,
            exact: true,
        };
        if let Met::Value(values) = self.meet(game.clone(), &mut walk) {
            let (bytes, Walk { positions, exact, .. }) = (self.bytes(&walk), walk);
            let (actions, line) = (Vec::new(), Vec::new());
            return Solution::Solved(Solved { best: None, values, actions, line, positions, bytes, exact });
        }
        let mut actions: Vec<(G::Action, Values)> = Vec::new();
        loop {
            let positions = walk.positions;
            if self.bytes(&walk) > self.memory {
                return Solution::TooLarge { positions };
            }
            let top = walk.frames.last_mut().expect("the root stays");
            let values = if top.tried < top.count {
                if !pace.step() {
                    return Solution::Stopped { positions, why: pace.stopped.unwrap_or(Stopped::Nothing) };
                }
                let mut after = top.position.clone();
                after.play(walk.actions[top.first + top.tried]);
                match self.meet(after, &mut walk) {
                    Met::Value(values) => values,
                    Met::Opened => continue,
                    Met::Again => return Solution::Endless { positions },
                }
            } else if walk.frames.len() > 1 {
                walk.close(self.recall)
            } else {
                break;
            };
            if walk.frames.len() == 1 {
                actions.push((walk.actions[walk.frames[0].tried], values));
            }
            walk.back_up(values);
        }
        let best = walk.frames[0].best;
        let best = matches!(game.turn(), Turn::Player(_)).then(|| actions[best].0);
        let values = walk.close(self.recall);
        let line = self.line(game, best, &walk.memo);
        let (bytes, Walk { positions, exact, .. }) = (self.bytes(&walk), walk);
        Solution::Solved(Solved { best, values, actions, line, positions, bytes, exact })
    }

    fn bytes(&self, walk: &Walk<G>) -> usize {
        let Walk { frames, actions, .. } = walk;
        let way = vector_bytes::<Frame<G>>(frames.len(), frames.capacity())
            + vector_bytes::<G::Action>(actions.len(), actions.capacity());
        way + walk.owned + walk.memo.len() * entry_bytes::<Known>()
    }

    /// The key of a position. With a depth limit, it includes the plies that remain from there.
    fn key(&self, position: &G, plies: usize) -> u64 {
        let left = self.depth.map_or(0, |depth| (depth - plies) as u64);
        self.recall.map_or(0, |recall| (recall.hash)(position) ^ left.wrapping_mul(0xD6E8_FEB8_6659_FD93))
    }

    fn meet(&self, position: G, walk: &mut Walk<G>) -> Met {
        let turn = position.turn();
        if turn == Turn::Over {
            return Met::Value(position.payoff().0.map(f64::from));
        }
        if self.depth.is_some_and(|depth| walk.frames.len() >= depth) {
            walk.exact = false;
            let payoff = self.estimate.map_or(Payoff::DRAW, |estimate| estimate(&position));
            return Met::Value(payoff.0.map(f64::from));
        }
        let key = self.key(&position, walk.frames.len());
        if let Some(recall) = self.recall {
            match walk.memo.get(&key) {
                Some(Some(values)) => return Met::Value(sum(*values, (recall.so_far)(&position))),
                Some(None) => return Met::Again,
                None => walk.memo.insert(key, None),
            };
        }
        walk.positions += 1;
        walk.open(position, turn, key);
        Met::Opened
    }

    /// The best action, and the best ones after it while players act and the values are stored.
    fn line(&self, game: &G, best: Option<G::Action>, memo: &Memo<Known>) -> Vec<G::Action> {
        let (mut line, mut next) = (Vec::new(), best);
        let (mut position, mut actions) = (game.clone(), Vec::new());
        while let Some(action) = next {
            line.push(action);
            position.play(action);
            actions.clear();
            let Turn::Player(player) = position.turn() else { break };
            if self.depth.is_some_and(|depth| line.len() >= depth) {
                break;
            }
            position.actions(&mut actions);
            let worth = |&action: &G::Action| {
                let mut after = position.clone();
                after.play(action);
                if after.turn() == Turn::Over {
                    return Some(after.payoff().0.map(f64::from)[usize::from(player)]);
                }
                let is_cut = self.depth.is_some_and(|depth| line.len() + 1 >= depth);
                let known = if is_cut { None } else { *memo.get(&self.key(&after, line.len() + 1))? };
                let so_far = self.recall.map_or(Values::default(), |recall| (recall.so_far)(&after));
                known.map(|values| sum(values, so_far)[usize::from(player)])
            };
            let worths: Option<Vec<f64>> = actions.iter().map(worth).collect();
            next = worths.map(|worths| actions[first_highest(&worths)]);
        }
        line
    }
}

impl<G: Hashed> MaxN<G> {
    /// For games whose positions have hashes: each position is valued once.
    pub fn hashed() -> MaxN<G> {
        let so_far = |game: &G| game.so_far().unwrap_or_default().0.map(f64::from);
        let hash = |game: &G| if game.so_far().is_some() { game.hash() } else { game.whole_hash() };
        MaxN { recall: Some(Recall { hash, so_far, whole_hash: G::whole_hash }), ..MaxN::new() }
    }

    /// At least this many positions fit under a cap of `memory` bytes, in a game that is not very long.
    pub fn positions_max(memory: usize) -> usize {
        memory / entry_bytes::<Known>()
    }
}

impl<G: Game> Default for MaxN<G> {
    fn default() -> Self {
        MaxN::new()
    }
}

impl<G: Game> Walk<G> {
    fn open(&mut self, position: G, turn: Turn, key: u64) {
        let first = self.actions.len();
        self.listed.clear();
        position.actions(&mut self.listed);
        // What chance never draws has no part in a value.
        if turn == Turn::Chance && self.listed.iter().any(|&outcome| position.weight(outcome) > 0.0) {
            self.listed.retain(|&outcome| position.weight(outcome) > 0.0);
        }
        let count = self.listed.len();
        self.actions.extend_from_slice(&self.listed);
        let start = if turn == Turn::Chance { 0.0 } else { f64::NEG_INFINITY };
        let values = [start; PLAYERS_MAX];
        self.owned += owned_bytes(&position);
        self.frames.push(Frame {
            position,
            turn,
            key,
            values,
            weights: 0.0,
            best: 0,
            first,
            count,
            tried: 0,
        });
    }

    /// Gives the top frame the values of the action it tried last.
    fn back_up(&mut self, values: Values) {
        let frame = self.frames.last_mut().expect("a frame to tell");
        match frame.turn {
            Turn::Player(player) => {
                let player = usize::from(player);
                if values[player] > frame.values[player] {
                    (frame.values, frame.best) = (values, frame.tried);
                }
            }
            _ => {
                let weight = frame.position.weight(self.actions[frame.first + frame.tried]);
                let weight = f64::from(weight.max(0.0));
                frame.weights += weight;
                frame.values.iter_mut().zip(values).for_each(|(sum, value)| *sum += weight * value);
            }
        }
        frame.tried += 1;
    }

    /// Pops the top frame, stores its values and returns them.
    fn close(&mut self, recall: Option<Recall<G>>) -> Values {
        let mut frame = self.frames.pop().expect("a frame to close");
        self.owned -= owned_bytes(&frame.position);
        self.actions.truncate(frame.first);
        if frame.turn == Turn::Chance {
            frame.values = frame.values.map(|sum| sum / frame.weights);
        }
        if let Some(recall) = recall {
            let to_go = sum(frame.values, (recall.so_far)(&frame.position).map(|points| -points));
            self.memo.insert(frame.key, Some(to_go));
        }
        frame.values
    }
}

/// The sum of both, player by player.
fn sum(values: Values, others: Values) -> Values {
    std::array::from_fn(|player| values[player] + others[player])
}

/// The place of the highest value, the first of equals.
fn first_highest(values: &[f64]) -> usize {
    (1..values.len()).fold(0, |best, next| if values[next] > values[best] { next } else { best })
}
