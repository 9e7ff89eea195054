//! Exact values of small games that can come back to a position, by sweeps over all positions until nothing changes
//! (Bellman 1957; in place, as Gauss and Seidel would).
//!
//! Payoffs come at the end only, so what a game pays that never ends has to be said here: to player 0 the lowest payoff
//! there is. Every position that is not over starts at that. For one player, or two whose payoffs have a constant sum,
//! the value after k sweeps is at least what best play gets within k plies, it never falls, and it never passes the true
//! value, to which it rises. From a start above it could hang there, since a position that can come back to itself
//! confirms whatever value it is given.
//!
//! With more players, or another sum, each player takes what is best for it, as in [`MaxN`](super::MaxN), and a game that
//! never ends pays the lowest to all. What comes out once nothing changes is an equilibrium; that the sweeps settle is
//! not certain, and after `SWEEPS_MAX_EACH` they are given up.
//!
//! The tolerance is on the last sweep's changes. The error can be larger, by the more the slower the values settle.

use super::memo::{Memo, entry_bytes, owned_bytes, vector_bytes};
use super::pace::Pace;
use super::{Solution, Solved};
use crate::{Budget, Game, Hashed, PLAYERS_MAX, StopHandle, Stopped, Turn, Watch};

/// The most sweeps.
pub const SWEEPS_MAX: usize = 1_000_000;

/// The most sweeps where each player has values of its own.
const SWEEPS_MAX_EACH: usize = 10_000;

/// The cap on memory where none is given: 1 GB.
const MEMORY_DEFAULT: usize = 1_000_000_000;

/// The tolerance where none is given, as a share of the range of payoffs.
const TOLERANCE_DEFAULT: f64 = 1e-13;

/// Solves games by value iteration.
pub struct ValueIteration<G: Game> {
    key: fn(&G) -> u64,
    memory: usize,
    tolerance: f64,
    stop: StopHandle,
}

/// All positions that can be reached, by number in the order found, and what leads where.
struct Graph<G: Game> {
    numbers: Memo<u32>,
    turns: Vec<Turn>,
    /// Values a position: 1 where player 0's says it all, or one for each player.
    width: usize,
    values: Vec<f64>,
    /// Where each position's edges start.
    starts: Vec<usize>,
    targets: Vec<u32>,
    /// The odds of chance; 0 for players' actions.
    odds: Vec<f64>,
    /// Positions whose actions are not listed yet, from the one numbered `turns.len()` on.
    waiting: std::collections::VecDeque<G>,
    /// The bytes that they own elsewhere.
    owned: usize,
}

/// Bytes of a position beside its place in the map and while it waits, and of an edge. Vectors double as they grow, and
/// hold the old beside the new while they do.
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
    /// The cap on memory in bytes, which limits how many positions there can be.
    pub fn memory(self, bytes: usize) -> Self {
        ValueIteration { memory: bytes, ..self }
    }

    /// Values that change by no more than this share of the range of payoffs in a sweep have settled.
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
    /// The number of a position, which is a new one if it was never met.
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

    /// What an edge leads to is worth to a player, or to player 0 where that says it all.
    fn worth(&self, edge: usize, player: usize) -> f64 {
        self.values[self.targets[edge] as usize * self.width + player]
    }

    /// Values every position anew, the last found first, since ends are found late. Returns the largest change; none
    /// when the budget is spent.
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

    /// The edge that a player takes, and keeps in mind as its choice.
    fn choice(&self, number: usize, player: usize, choice: &mut u32) -> Option<usize> {
        let edges = self.edges(number);
        let first = edges.start;
        // Where one value says it all, the second player wants it low.
        let (column, wants_low) = if self.width == 1 { (0, player == 1) } else { (player, false) };
        let gain = |edge| if wants_low { -self.worth(edge, column) } else { self.worth(edge, column) };
        let best = edges.reduce(|best, next| if gain(next) > gain(best) { next } else { best })?;
        // An action that leads back here is worth what this position was, so it may look as good as the one that gave
        // the value. Only that one is proof against going round for ever. A player who wants the value low may go round.
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
