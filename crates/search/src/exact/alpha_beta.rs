//! Alpha-beta search (Knuth and Moore 1975, "An analysis of alpha-beta pruning"): finds the value of a position by
//! looking ahead, and skips lines that cannot change it. It searches deeper and deeper until the budget or the depth is
//! spent.
//!
//! For games of two players whose payoffs sum to zero. The players need not take turns. It does not handle chance: a
//! position where chance acts is valued like one at the depth limit, by the heuristic, or as 0 for both.
//!
//! Values are payoffs to the player who acts, in the game's own unit. The current path is a vector of frames, not the
//! program's stack, so no game is too deep for it, up to [`DEPTH_MAX`].

use super::pace::Pace;
use super::table::{Bound, DEPTH_MAX, Record, TranspositionTable};
use crate::{
    Agent, ArmReport, Budget, Game, Hashed, Payoff, Player, Report, StopHandle, Stopped, Turn, Utility, Watch,
};
use std::time::Duration;

/// The longest line that is reported. Every ply of the current path stores a line.
pub const LINE_MAX: usize = 256;

/// Scores an action in a position.
pub type Score<G> = Box<dyn Fn(&G, <G as Game>::Action) -> f32 + Send>;

/// Estimates the payoff of a position.
type Estimator<G> = Box<dyn Fn(&G) -> Payoff + Send>;

/// The order in which actions are tried, after the table's best action. A better order prunes more; the value is the
/// same.
#[derive(Default)]
pub enum MoveOrder<G: Game> {
    /// As the game lists them.
    #[default]
    Listed,
    /// By the heuristic's estimate of the position after the action, if there is a heuristic.
    Estimate,
    /// By this score for the player who acts, highest first.
    By(Score<G>),
}

/// The result of alpha-beta.
#[derive(Clone, Debug, PartialEq)]
pub struct Found<A> {
    /// The best action; none when there is nothing to choose.
    pub best: Option<A>,
    /// Its value to the player who acts.
    pub value: f32,
    /// Every action in the game's order, with its value. `None` if the search knows only that it is no better than
    /// another.
    pub values: Vec<(A, Option<Worth>)>,
    /// The best play for both, as far as the search stored it, up to [`LINE_MAX`].
    pub line: Vec<A>,
    /// The depth that was searched in full.
    pub depth: usize,
    /// Positions visited.
    pub nodes: u64,
    /// True if the value depends on neither the depth limit nor the heuristic.
    pub exact: bool,
    /// Why the search went no deeper.
    pub stopped: Stopped,
    /// Wall time.
    pub time: Duration,
}

/// Alpha-beta search. Beside its table it needs memory for the current path: a position, its actions and a line for
/// each ply. As an [`Agent`] it keeps its table from move to move, so all moves must be of one variant of a game.
pub struct AlphaBeta<G: Game> {
    depth: usize,
    deepening: bool,
    every_value: bool,
    /// Whether a simulation is a line with its end, and not a position.
    counts_lines: bool,
    /// The ends of lines so far.
    ends: u64,
    estimate: Option<Estimator<G>>,
    order: MoveOrder<G>,
    key: Option<fn(&G) -> u64>,
    table: Option<TranspositionTable>,
    stop: StopHandle,
    frames: Vec<Frame<G>>,
    choices: Vec<Choice<G::Action>>,
    /// A buffer for listing actions.
    listed: Vec<G::Action>,
    /// The best line of each frame.
    lines: Vec<Vec<G::Action>>,
    /// Unused positions, for reuse: a position of [`AnyGame`](crate::AnyGame) is costly to allocate.
    spare: Vec<G>,
}

/// An action in the order it will be tried.
#[derive(Clone, Copy)]
struct Choice<A> {
    action: A,
    /// Its place in the game's list of actions.
    index: u16,
    score: f32,
}

/// The parameters for searching a position.
struct Look {
    key: u64,
    depth: usize,
    alpha: f32,
    beta: f32,
    /// The action to try first.
    first: Option<u16>,
}

/// A position on the current path.
struct Frame<G> {
    position: G,
    player: Player,
    key: u64,
    /// Plies to look ahead from here.
    depth: usize,
    /// The window: alpha is what this player can already get, beta is the most that the other player will allow.
    alpha: f32,
    beta: f32,
    /// The initial alpha.
    floor: f32,
    best: f32,
    best_index: u16,
    /// Whether all values so far are complete, and whether a value that caused a cutoff is.
    all_complete: bool,
    cut_complete: bool,
    /// Where the frame's choices begin, how many there are, and how many have been tried.
    first: usize,
    count: usize,
    tried: usize,
}

/// The value of a position to the player whose action led there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Worth {
    /// The value.
    pub value: f32,
    /// True if the value depends on neither the depth limit nor the heuristic.
    pub complete: bool,
}

/// The result at the root of searching to one depth.
struct Depth<A> {
    value: f32,
    best: u16,
    complete: bool,
    values: Vec<Option<Worth>>,
    line: Vec<A>,
}

impl<G: Game> AlphaBeta<G> {
    /// Without a depth limit below [`DEPTH_MAX`], a heuristic or a table.
    pub fn new() -> AlphaBeta<G> {
        AlphaBeta {
            depth: DEPTH_MAX,
            deepening: true,
            every_value: false,
            counts_lines: false,
            ends: 0,
            estimate: None,
            order: MoveOrder::Listed,
            key: None,
            table: None,
            stop: StopHandle::default(),
            frames: Vec::new(),
            choices: Vec::new(),
            listed: Vec::new(),
            lines: Vec::new(),
            spare: Vec::new(),
        }
    }

    /// The most plies to look ahead, 1 to [`DEPTH_MAX`].
    pub fn depth(self, depth: usize) -> Self {
        AlphaBeta { depth: depth.clamp(1, DEPTH_MAX), ..self }
    }

    /// A heuristic for positions at the depth limit and for ordering actions. It must be zero-sum like the game.
    pub fn estimate(self, estimate: impl Fn(&G) -> Payoff + Send + 'static) -> Self {
        AlphaBeta { estimate: Some(Box::new(estimate)), order: MoveOrder::Estimate, ..self }
    }

    /// Another order of actions.
    pub fn order(self, order: MoveOrder<G>) -> Self {
        AlphaBeta { order, ..self }
    }

    /// Whether to search depth 1, then 2, and so on. Otherwise the search goes from depth 1 directly to the full depth.
    pub fn deepening(self, deepening: bool) -> Self {
        AlphaBeta { deepening, ..self }
    }

    /// Finds the value of every action at the root, not only of the best one. This takes longer.
    pub fn every_value(self) -> Self {
        AlphaBeta { every_value: true, ..self }
    }

    /// Counts lines as simulations, not positions: each end that is estimated, or at which the game is over. For
    /// estimates that cost as much as a playout.
    pub fn counting_lines(self) -> Self {
        AlphaBeta { counts_lines: true, ..self }
    }

    /// A handle that stops a run from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stop.clone()
    }

    /// Uses this handle.
    pub(super) fn stopped_by(self, stop: StopHandle) -> Self {
        AlphaBeta { stop, ..self }
    }

    /// How many positions the table can hold.
    pub(super) fn table_room(&self) -> usize {
        self.table.as_ref().map_or(0, TranspositionTable::room)
    }

    /// Bytes of the table in use.
    pub fn table_bytes(&self) -> usize {
        self.table.as_ref().map_or(0, TranspositionTable::bytes)
    }

    /// Searches a position. It always completes depth 1, whatever the budget. The budget counts positions as
    /// simulations.
    pub fn run(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Found<G::Action> {
        let mut pace = Pace::new(budget, self.stop.clone(), watch);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut found = Found {
            best: None,
            value: 0.0,
            values: Vec::new(),
            line: Vec::new(),
            depth: 0,
            nodes: 0,
            exact: false,
            stopped: Stopped::Nothing,
            time: Duration::ZERO,
        };
        let Turn::Player(_) = game.turn() else { return found };
        let mut first = None;
        found.stopped = loop {
            let depth = if self.deepening || found.depth == 0 { found.depth + 1 } else { self.depth };
            let Some(searched) = self.search_depth(game, depth, first, &mut pace) else {
                break pace.stopped.unwrap_or(Stopped::Nothing);
            };
            first = Some(searched.best);
            found.best = Some(actions[usize::from(searched.best)]);
            // Adding 0 turns -0 into 0.
            found.value = searched.value + 0.0;
            found.values = actions.iter().copied().zip(searched.values).collect();
            (found.depth, found.exact, found.line) = (depth, searched.complete, searched.line);
            if found.exact {
                break Stopped::Solved;
            } else if depth == self.depth {
                break Stopped::Depth;
            }
        };
        self.extend_line(game, &mut found);
        (found.nodes, found.time) = (pace.visited(), pace.meter.elapsed());
        found
    }

    /// Searches the root to one depth, starting with the action `first`. `None` if the budget ran out.
    fn search_depth(
        &mut self,
        game: &G,
        depth: usize,
        first: Option<u16>,
        pace: &mut Pace,
    ) -> Option<Depth<G::Action>> {
        let Turn::Player(player) = game.turn() else { return None };
        self.frames.clear();
        self.choices.clear();
        let key = self.key.map_or(0, |key| key(game));
        let (alpha, beta) = game.payoff_range();
        self.open(game.clone(), player, Look { key, depth, alpha, beta, first });
        let mut values = vec![None; self.choices.len()];
        loop {
            let top = self.frames.len() - 1;
            let goes_on = self.frames[top].best < self.frames[top].beta || (top == 0 && self.every_value);
            if goes_on && self.frames[top].tried < self.frames[top].count {
                let before = self.ends;
                let worth = if self.counts_lines {
                    let worth = self.descend();
                    if self.ends > before && !self.counts(depth, pace) {
                        return None;
                    }
                    worth
                } else if self.counts(depth, pace) {
                    self.descend()
                } else {
                    return None;
                };
                if let Some(worth) = worth {
                    self.lines[top + 1].clear();
                    self.back_up(worth, &mut values);
                }
            } else if top == 0 {
                break;
            } else {
                let worth = self.close();
                self.back_up(worth, &mut values);
            }
        }
        let line = self.lines[0].clone();
        let root = self.store_top();
        Some(Depth { value: root.value, best: root.best, complete: root.complete, values, line })
    }

    /// Counts a simulation. False when the budget is spent. Depth 1 always completes, so that there is always an action
    /// to recommend.
    fn counts(&self, depth: usize, pace: &mut Pace) -> bool {
        if depth == 1 {
            pace.count();
            return true;
        }
        pace.step()
    }

    /// Tries the next action of the top frame. Returns its value if that is known immediately; otherwise pushes a new
    /// frame.
    fn descend(&mut self) -> Option<Worth> {
        let frame = self.frames.last_mut().expect("a frame to descend from");
        let choice = self.choices[frame.first + frame.tried];
        frame.tried += 1;
        let (above, depth) = (frame.player, frame.depth - 1);
        let mut position = copied(&frame.position, &mut self.spare);
        position.play(choice.action);
        let player = match position.turn() {
            Turn::Player(player) if depth > 0 => player,
            turn => {
                self.ends += 1;
                let worth = match turn {
                    Turn::Over => Worth { value: position.payoff().of(above), complete: true },
                    _ => {
                        let value =
                            self.estimate.as_ref().map_or(0.0, |estimate| estimate(&position).of(above));
                        Worth { value, complete: false }
                    }
                };
                self.spare.push(position);
                return Some(worth);
            }
        };
        // The window changes sides with the player. If the same player acts again, it stays.
        let (alpha, beta) =
            if player == above { (frame.alpha, frame.beta) } else { (-frame.beta, -frame.alpha) };
        let key = self.key.map_or(0, |key| key(&position));
        let record = self.table.as_ref().and_then(|table| table.find(key));
        if let Some((record, value)) =
            record.and_then(|record| Some((record, record.answer(depth, alpha, beta)?)))
        {
            let value = if player == above { value } else { -value };
            self.spare.push(position);
            return Some(Worth { value, complete: record.complete });
        }
        let first = record.map(|record| record.best);
        self.open(position, player, Look { key, depth, alpha, beta, first });
        None
    }

    /// Pushes a frame, with its actions in the order they will be tried.
    fn open(&mut self, position: G, player: Player, look: Look) {
        let (start, top) = (self.choices.len(), self.frames.len());
        self.listed.clear();
        position.actions(&mut self.listed);
        let listed = (0..).zip(self.listed.iter().copied()).map(|(index, action)| Choice {
            action,
            index,
            score: 0.0,
        });
        self.choices.extend(listed);
        let choices = &mut self.choices[start..];
        // One ply above the limit, ordering the actions would cost as much as trying them.
        if look.depth > 1 {
            sort(choices, (&position, player), &self.order, &self.estimate, &mut self.spare);
        }
        if let Some(at) = choices.iter().position(|choice| Some(choice.index) == look.first) {
            choices[..=at].rotate_right(1);
        }
        self.lines.resize_with(self.lines.len().max(top + 2), Vec::new);
        self.lines[top].clear();
        self.frames.push(Frame {
            position,
            player,
            key: look.key,
            depth: look.depth,
            alpha: look.alpha,
            beta: look.beta,
            floor: look.alpha,
            best: f32::NEG_INFINITY,
            best_index: choices[0].index,
            all_complete: true,
            cut_complete: false,
            first: start,
            count: choices.len(),
            tried: 0,
        });
    }

    /// Gives the top frame the value of the action it tried last.
    fn back_up(&mut self, worth: Worth, values: &mut [Option<Worth>]) {
        let top = self.frames.len() - 1;
        let frame = &mut self.frames[top];
        let choice = self.choices[frame.first + frame.tried - 1];
        // If all values are wanted, the root continues after a win. A complete win is better than one by the heuristic.
        let is_first_sure_cut = worth.value >= frame.beta && worth.complete && !frame.cut_complete;
        frame.all_complete &= worth.complete;
        frame.cut_complete |= is_first_sure_cut;
        // A value above alpha is exact. So is one at or below the initial alpha, because no payoff is lower.
        if top == 0 && (worth.value > frame.alpha || worth.value <= frame.floor) {
            values[usize::from(choice.index)] = Some(Worth { value: worth.value + 0.0, ..worth });
        }
        if worth.value > frame.best || is_first_sure_cut {
            (frame.best, frame.best_index) = (worth.value, choice.index);
            if top > 0 || !self.every_value {
                frame.alpha = frame.alpha.max(worth.value);
            }
            let (above, below) = self.lines.split_at_mut(top + 1);
            above[top].clear();
            above[top].push(choice.action);
            above[top].extend(below[0].iter().copied().take(LINE_MAX - 1));
        }
    }

    /// Pops the top frame, and returns its value to the frame below it.
    fn close(&mut self) -> Worth {
        let record = self.store_top();
        let closed = self.frames.pop().expect("a frame to close");
        self.choices.truncate(closed.first);
        self.spare.push(closed.position);
        let same = self.frames.last().is_some_and(|above| above.player == closed.player);
        let value = if same { record.value } else { -record.value };
        Worth { value, complete: record.complete }
    }

    /// The result of the top frame, which is also stored in the table.
    fn store_top(&mut self) -> Record {
        let frame = self.frames.last().expect("a frame to remember");
        let is_cut = frame.best >= frame.beta;
        let bound = if is_cut {
            Bound::AtLeast
        } else if frame.best <= frame.floor {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let complete = if is_cut { frame.cut_complete } else { frame.all_complete };
        let (value, best, depth) = (frame.best, frame.best_index, frame.depth);
        let record = Record { value, bound, best, depth, complete };
        if let Some(table) = &mut self.table {
            table.store(frame.key, record);
        }
        record
    }

    /// Extends a line that ended where the table knew the value. The table gives the rest, as long as its values are
    /// exact and equal to the value found.
    fn extend_line(&self, game: &G, found: &mut Found<G::Action>) {
        let (Some(table), Some(key)) = (&self.table, self.key) else { return };
        let Turn::Player(root) = game.turn() else { return };
        let (low, high) = game.payoff_range();
        let mut position = game.clone();
        found.line.iter().for_each(|&action| position.play(action));
        let mut actions = Vec::new();
        let plies_max = if found.exact { LINE_MAX } else { found.depth.min(LINE_MAX) };
        while let Turn::Player(player) = position.turn() {
            let expected = if player == root { found.value } else { -found.value };
            let Some(record) = table.find(key(&position)).filter(|_| found.line.len() < plies_max) else {
                return;
            };
            let is_sure = record.bound == Bound::Exact || record.value <= low || record.value >= high;
            if !is_sure || record.value != expected || (found.exact && !record.complete) {
                return;
            }
            actions.clear();
            position.actions(&mut actions);
            let Some(&action) = actions.get(usize::from(record.best)) else { return };
            found.line.push(action);
            position.play(action);
        }
    }
}

impl<G: Hashed> AlphaBeta<G> {
    /// Stores positions in a table of at most this many bytes; has no table if they do not hold a single bucket.
    pub fn table(self, bytes: usize) -> Self {
        AlphaBeta { key: Some(G::whole_hash), table: TranspositionTable::with_cap(bytes), ..self }
    }
}

impl<G: Game> Default for AlphaBeta<G> {
    fn default() -> Self {
        AlphaBeta::new()
    }
}

/// A copy of a position, which reuses a spare one if there is one.
#[inline(always)]
fn copied<G: Game>(position: &G, spare: &mut Vec<G>) -> G {
    match spare.pop() {
        Some(mut copy) => {
            copy.clone_from(position);
            copy
        }
        None => position.clone(),
    }
}

/// Sorts choices, best first. Equal ones keep their order.
fn sort<G: Game>(
    choices: &mut [Choice<G::Action>],
    (position, player): (&G, Player),
    order: &MoveOrder<G>,
    estimate: &Option<Estimator<G>>,
    spare: &mut Vec<G>,
) {
    let mut after = |action: G::Action, estimate: &Estimator<G>| {
        let mut after = copied(position, spare);
        after.play(action);
        let payoff = if after.turn() == Turn::Over { after.payoff() } else { estimate(&after) };
        spare.push(after);
        payoff.of(player)
    };
    match (order, estimate) {
        (MoveOrder::By(score), _) => {
            choices.iter_mut().for_each(|choice| choice.score = score(position, choice.action));
        }
        (MoveOrder::Estimate, Some(estimate)) => {
            choices.iter_mut().for_each(|choice| choice.score = after(choice.action, estimate));
        }
        _ => return,
    }
    choices.sort_by(|a, b| b.score.total_cmp(&a.score));
}

impl<G: Game> Agent<G> for AlphaBeta<G> {
    /// Reports values as rewards, scaled by the game's range of payoffs.
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let found = self.run(game, budget, watch);
        let (utility, player) =
            (Utility::score(game), if let Turn::Player(player) = game.turn() { player } else { 0 });
        let reward = |value: f32| {
            let mut payoff = Payoff::default();
            payoff.0[usize::from(player)] = value;
            utility.rewards(&payoff)[usize::from(player)]
        };
        let arm = |(action, worth): (G::Action, Option<Worth>)| {
            let Worth { value, complete } = worth?;
            let mean = reward(value);
            Some(ArmReport { proven: complete.then_some(mean), ..ArmReport::new(action, 0, mean) })
        };
        Report {
            lines: Vec::new(),
            evaluation: None,
            proven: found.best.filter(|_| found.exact).map(|_| reward(found.value)),
            best: found.best,
            value: found.best.map(|_| reward(found.value)),
            arms: found.values.into_iter().filter_map(arm).collect(),
            line: found.line,
            simulations: found.nodes,
            nodes: self.table.as_ref().map_or(0, TranspositionTable::used),
            bytes: self.table_bytes(),
            left_out: 0,
            recycled: 0,
            time: found.time,
            stopped: found.stopped,
        }
    }

    fn played(&mut self, _action: G::Action) {}
}
