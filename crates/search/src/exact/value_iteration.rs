//! Exact values of small games that can return to a position, by sweeps over all positions until nothing changes
//! (Bellman 1957). Values are updated in place, as in the Gauss-Seidel method.
//!
//! Payoffs come only at the end, so a game that never ends needs a payoff by definition: player 0 gets the lowest
//! possible one. Every position that is not over starts at that value. Take one player, or two whose payoffs have a
//! constant sum. Then the value after k sweeps is at least what best play gets within k plies. It never falls, and it
//! rises to the true value without passing it. From a higher start it could stay too high, since a position that can
//! return to itself confirms whatever value it has.
//!
//! With more players, or another sum, each player takes the action that is best for it, as in [`MaxN`](super::MaxN). A
//! game that never ends then pays the lowest payoff to all. Values that no longer change are an equilibrium. The sweeps
//! may not settle; the solver gives up after `SWEEPS_MAX_EACH`.
//!
//! The tolerance limits the changes of the last sweep. The error can be larger, the more so the slower the values
//! settle.

use super::memo::{Memo, entry_bytes, owned_bytes, vector_bytes};
use super::pace::Pace;
use super::{Solution, Solved};
use crate::{Budget, Game, Hashed, PLAYERS_MAX, StopHandle, Stopped, Turn, Watch};

/// The most sweeps.
pub const SWEEPS_MAX: usize = 1_000_000;

/// The most sweeps if each player has values of its own.
const SWEEPS_MAX_EACH: usize = 10_000;

/// The default cap on memory: 1 GB.
const MEMORY_DEFAULT: usize = 1_000_000_000;

/// The default tolerance, as a share of the range of payoffs.
const TOLERANCE_DEFAULT: f64 = 1e-13;

/// Solves games by value iteration.
pub struct ValueIteration<G: Game> {
    key: fn(&G) -> u64,
    memory: usize,
    tolerance: f64,
    stop: StopHandle,
}

/// All positions that can be reached, numbered in the order found, and their edges.
struct Graph<G: Game> {
    numbers: Memo<u32>,
    turns: Vec<Turn>,
    /// The number of values of a position: 1 if player 0's determines the others', or one for each player.
    width: usize,
    values: Vec<f64>,
    /// Where each position's edges start.
    starts: Vec<usize>,
    targets: Vec<u32>,
    /// The odds of chance; 0 for players' actions.
    odds: Vec<f64>,
    /// Positions whose actions are not listed yet, from the one numbered `turns.len()` on.
    waiting: std::collections::VecDeque<G>,
    /// The bytes that these positions own elsewhere.
    owned: usize,
}

/// The most bytes of a position (beside its entry in the map and its place in the queue), of a value and of an edge.
/// Vectors double as they grow, and hold the old elements beside the new room.
const POSITION_BYTES: usize = 3 * (size_of::<Turn>() + size_of::<usize>());
const VALUE_BYTES: usize = 3 * size_of::<f64>();
const EDGE_BYTES: usize = 3 * (size_of::<u32>() + size_of::<f64>());

impl<G: Hashed> ValueIteration<G> {
    /// With the default cap on memory and tolerance.
    pub fn new() -> ValueIteration<G> {
        let stop = StopHandle::default();
        ValueIteration { key: G::whole_hash, memory: MEMORY_DEFAULT, tolerance: TOLERANCE_DEFAULT, stop }
    }
}

impl<G: Hashed> Default for ValueIteration<G> {
    fn default() -> Self {
        ValueIteration::new()
    }
}

impl<G: Game> ValueIteration<G> {
    /// The cap on memory in bytes, which limits the number of positions.
    pub fn memory(self, bytes: usize) -> Self {
        ValueIteration { memory: bytes, ..self }
    }

    /// Values have settled when no value changes in a sweep by more than this share of the range of payoffs.
    pub fn tolerance(self, tolerance: f64) -> Self {
        ValueIteration { tolerance, ..self }
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Uses this handle.
    pub(super) fn stopped_by(self, stop: StopHandle) -> Self {
        ValueIteration { stop, ..self }
    }

    /// The values of a position and of all its actions.
    pub fn solve(&self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Solution<G::Action> {
        let mut pace = Pace::new(budget, self.stop.clone(), watch);
        self.solve_paced(game, &mut pace)
    }

    pub(super) fn solve_paced(&self, game: &G, pace: &mut Pace) -> Solution<G::Action> {
        let mut graph = match self.explore(game, pace) {
            Ok(graph) => graph,
            Err(unsolved) => return unsolved,
        };
        let positions = graph.turns.len();
        let (low, high) = game.payoff_range();
        let tolerance = self.tolerance * f64::from(high - low);
        let mut choices = vec![0; positions];
        let mut exact = false;
        for _ in 0..if graph.width == 1 { SWEEPS_MAX } else { SWEEPS_MAX_EACH } {
            let Some(change) = graph.sweep(&mut choices, pace) else {
                return Solution::Stopped { positions, why: pace.stopped.unwrap_or(Stopped::Nothing) };
            };
            exact = change <= tolerance;
            if exact {
                break;
            }
        }
        Solution::Solved(Solved { exact, ..self.solved(game, &graph, &choices) })
    }

    /// Finds all positions, each once.
    fn explore(&self, game: &G, pace: &mut Pace) -> Result<Graph<G>, Solution<G::Action>> {
        let mut graph = Graph {
            numbers: Memo::default(),
            turns: Vec::new(),
            width: if is_told_by_the_first(game) { 1 } else { game.players() },
            values: Vec::new(),
            starts: vec![0],
            targets: Vec::new(),
            odds: Vec::new(),
            waiting: std::collections::VecDeque::new(),
            owned: 0,
        };
        let low = f64::from(game.payoff_range().0);
        graph.number((self.key)(game), game);
        let mut actions = Vec::new();
        while let Some(position) = graph.waiting.pop_front() {
            let positions = graph.numbers.len();
            graph.owned -= owned_bytes(&position);
            if !pace.step() {
                let why = pace.stopped.unwrap_or(Stopped::Nothing);
                return Err(Solution::Stopped { positions, why });
            }
            if graph.bytes() > self.memory || positions > u32::MAX as usize / 2 {
                return Err(Solution::TooLarge { positions });
            }
            let turn = position.turn();
            graph.turns.push(turn);
            let payoff = (turn == Turn::Over).then(|| position.payoff());
            let value = |player| payoff.map_or(low, |payoff| f64::from(payoff.0[player]));
            graph.values.extend((0..graph.width).map(value));
            actions.clear();
            position.actions(&mut actions);
            let weight = |action| f64::from(position.weight(action).max(0.0));
            let all: f64 = actions.iter().map(|&action| weight(action)).sum();
            for &action in &actions {
                let mut after = position.clone();
                after.play(action);
                let target = graph.number((self.key)(&after), &after);
                graph.targets.push(target);
                graph.odds.push(if turn == Turn::Chance { weight(action) / all } else { 0.0 });
            }
            graph.starts.push(graph.targets.len());
        }
        Ok(graph)
    }

    fn solved(&self, game: &G, graph: &Graph<G>, choices: &[u32]) -> Solved<G::Action> {
        let values = |number: usize| {
            let mut values = [0.0; PLAYERS_MAX];
            values[..graph.width].copy_from_slice(&graph.values[number * graph.width..][..graph.width]);
            if game.players() == 2 && graph.width == 1 {
                values[1] = f64::from(game.payoff_sum().unwrap_or(0.0)) - values[0];
            }
            values
        };
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let targets = graph.edges(0).map(|edge| graph.targets[edge] as usize);
        let best = matches!(game.turn(), Turn::Player(_)).then(|| actions[choices[0] as usize]);
        Solved {
            best,
            values: values(0),
            actions: actions.into_iter().zip(targets.map(values)).collect(),
            line: best.into_iter().collect(),
            positions: graph.turns.len(),
            bytes: graph.bytes(),
            exact: true,
        }
    }
}

impl<G: Game> Graph<G> {
    /// The number of a position; a new one if the position is new.
    fn number(&mut self, key: u64, position: &G) -> u32 {
        let next = self.numbers.len() as u32;
        *self.numbers.entry(key).or_insert_with(|| {
            let position = position.clone();
            self.owned += owned_bytes(&position);
            self.waiting.push_back(position);
            next
        })
    }

    fn bytes(&self) -> usize {
        self.numbers.len() * (entry_bytes::<u32>() + POSITION_BYTES + self.width * VALUE_BYTES)
            + vector_bytes::<G>(self.waiting.len(), self.waiting.capacity())
            + self.owned
            + self.targets.len() * EDGE_BYTES
    }

    fn edges(&self, number: usize) -> std::ops::Range<usize> {
        self.starts[number]..self.starts[number + 1]
    }

    /// The value of an edge's target to a player, or to player 0 if the width is 1.
    fn worth(&self, edge: usize, player: usize) -> f64 {
        self.values[self.targets[edge] as usize * self.width + player]
    }

    /// Updates the values of every position, the last found first, since ends are found late. Returns the largest
    /// change; `None` if the budget ran out.
    fn sweep(&mut self, choices: &mut [u32], pace: &mut Pace) -> Option<f64> {
        let mut change: f64 = 0.0;
        for number in (0..self.turns.len()).rev() {
            if !pace.step() {
                return None;
            }
            let edges = self.edges(number);
            let chosen = match self.turns[number] {
                Turn::Over => continue,
                Turn::Chance => None,
                Turn::Player(player) => {
                    Some(self.choice(number, usize::from(player), &mut choices[number])?)
                }
            };
            for player in 0..self.width {
                let value = match chosen {
                    Some(edge) => self.worth(edge, player),
                    None => edges.clone().map(|edge| self.odds[edge] * self.worth(edge, player)).sum(),
                };
                let before = &mut self.values[number * self.width + player];
                change = change.max((value - *before).abs());
                *before = value;
            }
        }
        Some(change)
    }

    /// The edge that a player takes. `choice` stores it for the next sweep.
    fn choice(&self, number: usize, player: usize, choice: &mut u32) -> Option<usize> {
        let edges = self.edges(number);
        let first = edges.start;
        // With a single value, the second player wants it low.
        let (column, wants_low) = if self.width == 1 { (0, player == 1) } else { (player, false) };
        let gain = |edge| if wants_low { -self.worth(edge, column) } else { self.worth(edge, column) };
        let best = edges.reduce(|best, next| if gain(next) > gain(best) { next } else { best })?;
        // An action that leads back here has this position's old value, so it may look as good as the action that gave
        // that value. Only the latter ends the game, so it is kept unless another is better. A player who wants the
        // value low may go round forever.
        if wants_low || gain(best) > gain(first + *choice as usize) {
            *choice = (best - first) as u32;
        }
        Some(first + *choice as usize)
    }
}

/// True for games of one player, or of two with a constant sum.
fn is_told_by_the_first<G: Game>(game: &G) -> bool {
    game.players() == 1 || (game.players() == 2 && game.payoff_sum().is_some())
}
