//! Who wins a position of Connect Four under best play: a search over bitboards with a table.
//!
//! A question asks whether the mover of a position reaches a goal: a win, or at least a draw. The opponent has the
//! opposite goal. Two questions give the value of a position. Together they visit far fewer positions than a search for
//! the distance to the end. The search never plays into an immediate loss, and it first tries the moves that leave the
//! mover the most cells at which a piece would win. Mirror images share an entry of the table.
//!
//! It finds no distances: all wins have the same value.

use super::table::Table;
use super::{BOARD, BOTTOM, COLUMNS, ConnectFour, HEIGHT, ROWS, four_in_a_row};
use crate::own_solver::{Limits, SelfSolving};
use aji_search::{Game, OVERHEAD_BYTES, Stopped, Turn};

/// The number of positions searched between two checks of the clock.
const INSTALMENT: u64 = 1 << 14;

/// The search uses mirror images up to this many pieces. Later, few positions meet their image.
const MIRRORED_PLIES_MAX: u32 = 24;

/// With more empty cells than this, the search looks up the positions after all moves before it searches any.
const LOOKED_UP_EMPTY: u32 = 16;

/// The bits of the first column, with the one that stays empty.
const COLUMN: u64 = (1 << HEIGHT) - 1;

/// The cells of the second, fourth and sixth row.
const UPPER_ROWS: u64 = BOTTOM * 0b10_1010;

/// The goal of the mover.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// At least a draw.
    Draw,
    /// A win.
    Win,
}

impl Goal {
    /// The goal of the opponent, which is to prevent this one.
    fn opposite(self) -> Goal {
        match self {
            Goal::Draw => Goal::Win,
            Goal::Win => Goal::Draw,
        }
    }
}

/// The pieces of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pieces {
    /// Those of the player to move.
    own: u64,
    /// Those of both players.
    all: u64,
}

impl Pieces {
    /// The position after a piece on this cell.
    #[inline(always)]
    fn after(self, cell: u64) -> Pieces {
        Pieces { own: self.own ^ self.all, all: self.all | cell }
    }

    /// The moves after which the opponent cannot win at once. The mover cannot win at once.
    #[inline(always)]
    fn safe_moves(self) -> u64 {
        safe(landings(self.all), winning_cells(self.own ^ self.all, self.all))
    }

    /// The key of the position: the smaller of its own and that of its mirror image. It has 49 bits and is not 0.
    #[inline(always)]
    fn key(self) -> u64 {
        let key = self.own + self.all + BOTTOM;
        if self.all.count_ones() > MIRRORED_PLIES_MAX { key } else { key.min(mirrored(key)) }
    }
}

/// The cells into which a piece can fall.
#[inline(always)]
fn landings(all: u64) -> u64 {
    (all + BOTTOM) & BOARD
}

/// The landings that do not lose at once, if the opponent wins at the cells of `threats`. The mover must take a landing
/// that is a threat, and must not put a piece directly below one.
#[inline(always)]
fn safe(landings: u64, threats: u64) -> u64 {
    let moves = match landings & threats {
        0 => landings,
        one if one & (one - 1) == 0 => one,
        _ => 0,
    };
    moves & !(threats >> 1)
}

/// The columns in the opposite order.
#[inline(always)]
fn mirrored(key: u64) -> u64 {
    let mut image = 0;
    for column in 0..COLUMNS {
        image |= (key >> (column * HEIGHT) & COLUMN) << ((COLUMNS - 1 - column) * HEIGHT);
    }
    image
}

/// The empty cells at which one more piece would make four in a row.
#[inline(always)]
fn winning_cells(pieces: u64, all: u64) -> u64 {
    let mut cells = (pieces << 1) & (pieces << 2) & (pieces << 3);
    for step in [HEIGHT - 1, HEIGHT, HEIGHT + 1] {
        let before = (pieces << step) & (pieces << (2 * step));
        let behind = (pieces >> step) & (pieces >> (2 * step));
        cells |= before & ((pieces << (3 * step)) | (pieces >> step));
        cells |= behind & ((pieces >> (3 * step)) | (pieces << step));
    }
    cells & BOARD & !all
}

/// Whether the empty cells alone decide that the mover does or does not reach the goal.
#[inline(always)]
fn decided(Pieces { own, all }: Pieces, goal: Goal) -> Option<bool> {
    let (other, empty) = (own ^ all, BOARD & !all);
    match goal {
        Goal::Win if !four_in_a_row(own | empty) => return Some(false),
        Goal::Draw if !four_in_a_row(other | empty) => return Some(true),
        _ => {}
    }
    // If every column has an even number of empty cells, the opponent can answer each move in the same column. Then
    // the mover gets the lower cell of each pair and the opponent the upper.
    let is_paired = landings(all) & UPPER_ROWS == 0;
    if is_paired && !four_in_a_row(own | (empty & !UPPER_ROWS)) {
        let is_lost = goal == Goal::Win || four_in_a_row(other | (empty & UPPER_ROWS));
        return is_lost.then_some(false);
    }
    None
}

/// The moves with the most winning cells first; among equals, those of the middle columns. Zeros stand behind the
/// last. None if a move leaves the opponent no safe reply.
#[inline(always)]
fn ordered(pieces: Pieces, moves: u64) -> Option<[u64; COLUMNS]> {
    const FROM_THE_MIDDLE: [usize; COLUMNS] = [3, 2, 4, 1, 5, 0, 6];
    let (mut cells, mut worths, mut count) = ([0; COLUMNS], [0; COLUMNS], 0);
    for column in FROM_THE_MIDDLE {
        let cell = moves & (((1 << ROWS) - 1) << (column * HEIGHT));
        if cell == 0 {
            continue;
        }
        let (own, all) = (pieces.own | cell, pieces.all | cell);
        let threats = winning_cells(own, all);
        if safe(landings(all), threats) == 0 {
            return None;
        }
        let (worth, mut place) = (threats.count_ones(), count);
        while place > 0 && worths[place - 1] < worth {
            (cells[place], worths[place]) = (cells[place - 1], worths[place - 1]);
            place -= 1;
        }
        (cells[place], worths[place]) = (cell, worth);
        count += 1;
    }
    Some(cells)
}

/// A search of positions that stores its answers.
struct Search<'a, 'b> {
    table: &'a mut Table,
    limits: &'a mut Limits<'b>,
    /// Positions visited since the last check of the limits.
    visited: u64,
}

impl Search<'_, '_> {
    /// The value of a position to the mover: 1, 0 or -1. The game must not be over.
    fn worth(&mut self, pieces: Pieces) -> Result<i8, Stopped> {
        if winning_cells(pieces.own, pieces.all) & landings(pieces.all) != 0 {
            return Ok(1);
        }
        Ok(match self.reaches(pieces, Goal::Draw)? {
            false => -1,
            true if self.reaches(pieces, Goal::Win)? => 1,
            true => 0,
        })
    }

    /// Whether the mover reaches the goal. The game must not be over, and the mover must not be able to win at once.
    fn reaches(&mut self, pieces: Pieces, goal: Goal) -> Result<bool, Stopped> {
        self.count()?;
        let moves = pieces.safe_moves();
        let empty = BOARD & !pieces.all;
        // With one cell left, the safe move is the last; with two, no move wins after a safe one.
        if moves == 0 || empty.count_ones() <= 2 {
            return Ok(moves != 0 && goal == Goal::Draw);
        }
        if let Some(answer) = decided(pieces, goal) {
            return Ok(answer);
        }
        let key = pieces.key();
        let known = self.table.answers(key);
        if let Some(answer) = known.to(goal) {
            return Ok(answer);
        }
        let Some(moves) = ordered(pieces, moves) else { return Ok(true) };
        let before = self.table.stored();
        let is_reached = self.is_any_good(pieces, goal, moves)?;
        let work = self.table.stored() - before;
        self.table.store(key, known.with(goal, is_reached), work);
        Ok(is_reached)
    }

    /// Whether one of the moves reaches the goal.
    #[inline(always)]
    fn is_any_good(&mut self, pieces: Pieces, goal: Goal, moves: [u64; COLUMNS]) -> Result<bool, Stopped> {
        let opposite = goal.opposite();
        let moves = moves.into_iter().take_while(|&cell| cell != 0);
        if (BOARD & !pieces.all).count_ones() > LOOKED_UP_EMPTY {
            let after = |cell| self.table.answers(pieces.after(cell).key());
            if moves.clone().any(|cell| after(cell).to(opposite) == Some(false)) {
                return Ok(true);
            }
        }
        for cell in moves {
            if !self.reaches(pieces.after(cell), opposite)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    #[inline(always)]
    fn count(&mut self) -> Result<(), Stopped> {
        self.visited += 1;
        if self.visited == INSTALMENT {
            self.visited = 0;
            (self.limits.go_on)(INSTALMENT)?;
        }
        Ok(())
    }
}

/// The answers that the solver of Connect Four knows.
#[derive(Default)]
pub struct KnownFours(Option<Table>);

impl SelfSolving for ConnectFour {
    type Known = KnownFours;

    /// Given the time, it always finds an answer: a table with less memory only forgets more.
    fn best_payoff(&self, known: &mut KnownFours, limits: &mut Limits) -> Result<f64, Stopped> {
        let Turn::Player(mover) = self.turn() else { return Ok(self.payoff().of(0).into()) };
        let table = known.0.get_or_insert_with(|| {
            // Leaves room for the agent and its report.
            Table::new(limits.memory.saturating_sub(OVERHEAD_BYTES))
        });
        let mut search = Search { table, limits, visited: 0 };
        let worth = search.worth(Pieces { own: self.own, all: self.own | self.other })?;
        let rest = search.visited;
        (limits.go_on)(rest)?;
        Ok(f64::from(if mover == 0 { worth } else { -worth }))
    }

    fn size(known: &KnownFours) -> (usize, usize) {
        known.0.as_ref().map_or((0, 0), |table| (table.len(), table.bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::OwnSolver;
    use aji_search::exact::MaxN;
    use aji_search::{Agent, Budget, Rng};

    /// Plays columns, which count from 1.
    fn played(columns: &str) -> ConnectFour {
        let mut game = ConnectFour::new();
        columns.bytes().for_each(|digit| game.play(digit - b'1'));
        game
    }

    /// A position after this many random plies; none if the game ends before.
    fn random(plies: usize, rng: &mut Rng) -> Option<ConnectFour> {
        let mut game = ConnectFour::new();
        for _ in 0..plies {
            if game.turn() == Turn::Over {
                return None;
            }
            game.play(game.random_action(rng, &mut Vec::new()));
        }
        (game.turn() != Turn::Over).then_some(game)
    }

    fn best_payoff(game: &ConnectFour, known: &mut KnownFours, memory: usize) -> f64 {
        game.best_payoff(known, &mut Limits { memory, go_on: &mut |_| Ok(()) }).expect("no limit of time")
    }

    /// Among several winning moves, the solver plays one that wins at once.
    #[test]
    fn a_win_at_once_comes_first() {
        let mut game = played("415162");
        let report = OwnSolver::new(10_000_000).think(&game, Budget::simulations(u64::MAX), &mut ());
        game.play(report.best.expect("a move"));
        assert_eq!((game.turn(), report.line.len()), (Turn::Over, 1));
    }

    /// The values agree with another program's. A table of 64 kB, which forgets most, gives the same values.
    #[test]
    fn known_worths() {
        let (mut known, mut small, mut checked) = (KnownFours::default(), KnownFours::default(), 0);
        for line in include_str!("worths.txt").lines().filter(|line| !line.starts_with('#')) {
            let (columns, worth) = line.split_once(' ').expect(line);
            let (game, worth) = (played(columns), worth.parse::<f64>().expect(line));
            let expect = if game.mover() == 0 { worth } else { -worth };
            assert_eq!(best_payoff(&game, &mut known, 100_000_000), expect, "{line}");
            if columns.len() >= 20 {
                assert_eq!(best_payoff(&game, &mut small, 64_000), expect, "{line}");
            }
            checked += 1;
        }
        assert!(checked >= 100);
        assert!(ConnectFour::size(&small).1 <= 64_000);
        assert!(ConnectFour::size(&known).1 <= 100_000_000);
    }

    /// The values of all actions, the best action and the line agree with full search.
    #[test]
    fn late_positions_as_by_full_search() {
        let (mut rng, mut solver, mut checked) = (Rng::seeded(3), OwnSolver::new(10_000_000), 0);
        while checked < 200 {
            let Some(game) = random(28 + checked % 14, &mut rng) else { continue };
            let expect =
                MaxN::hashed().solve(&game, Budget::default(), &mut ()).solved().expect("few positions");
            let report = solver.think(&game, Budget::default(), &mut ());
            assert_eq!(report.stopped, Stopped::Solved);
            let mover = usize::from(game.mover());
            let reward = |values: [f64; 4]| (0.5 + 0.5 * values[mover]) as f32;
            let best = expect.actions.iter().find(|action| Some(action.0) == report.best);
            assert_eq!(best.map(|action| reward(action.1)), Some(reward(expect.values)));
            assert_eq!(report.proven, Some(reward(expect.values)));
            let arms: Vec<_> = report.arms.iter().map(|arm| (arm.action, arm.proven)).collect();
            let actions: Vec<_> =
                expect.actions.iter().map(|&(action, values)| (action, Some(reward(values)))).collect();
            assert_eq!(arms, actions);
            let mut end = game;
            report.line.iter().for_each(|&action| end.play(action));
            assert_eq!(end.turn(), Turn::Over);
            assert_eq!(f64::from(end.payoff().of(0)), expect.values[0]);
            checked += 1;
        }
    }

    #[test]
    fn winning_cells_as_by_trying() {
        let mut rng = Rng::seeded(5);
        for plies in (0..400).map(|number| number % 40) {
            let Some(game) = random(plies, &mut rng) else { continue };
            let all = game.own | game.other;
            let wins = |cell: &u64| BOARD & !all & cell != 0 && four_in_a_row(game.own | cell);
            let expect = (0..64).map(|bit| 1 << bit).filter(wins).fold(0, |cells, cell| cells | cell);
            assert_eq!(winning_cells(game.own, all), expect);
        }
    }

    #[test]
    fn the_budget_is_kept() {
        let report = OwnSolver::new(1_000_000).think(&ConnectFour::new(), Budget::simulations(1), &mut ());
        assert_eq!((report.stopped, report.best), (Stopped::Simulations, None));
    }
}
