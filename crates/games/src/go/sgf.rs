//! Games of Go in the Smart Game Format.
//!
//! The reader takes the main line of the first game of a file: the first variation everywhere. It reads the size,
//! komi, handicap, players, result and rules, stones that are put or taken off (`AB`, `AW`, `AE`, in any node), who
//! moves (`PL`), and the moves. It tolerates:
//!
//! - text before the game, missing parentheses at the end, any line ends, and spaces around values;
//! - the long property names of older files, `tt` for a pass up to 19 by 19, and points in capitals;
//! - a black and a white move in one node.
//!
//! It does not read comments, marks, clocks, other variations, games other than Go, or points as `D4`. Boards must be
//! square and at most 25 wide. Bytes must be UTF-8: the caller converts other encodings. Handicap stones are those
//! that the file puts; the reader never guesses them from their number.

mod read;
mod write;

use super::board::Stone;
use super::{Go, GoMove, GoRules, Ko};
use aji_search::Player;

/// A column and a row, both from 0, rows from the bottom.
pub type GoPoint = (usize, usize);

/// One change that a record makes to a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GoStep {
    /// Puts a stone on a point, or empties it.
    Put(Stone, GoPoint),
    /// Sets who is to move.
    Turn(Player),
    /// A stone of this player's, or a pass. Players need not alternate.
    Move(Player, Option<GoPoint>),
}

/// A game of Go as stored in files.
///
/// ```
/// use aji_games::{GoRecord, GoRules, SmallGo};
/// use aji_search::Named;
///
/// let record = GoRecord::read("(;GM[1]SZ[5]KM[0.5];B[cc];W[cd](;B[dd];W[bd])(;B[bd]))").unwrap();
/// assert_eq!((record.size, record.komi, record.moves().count()), (5, Some(0.5), 4));
/// let position: SmallGo = record.position(GoRules::default()).unwrap();
/// assert_eq!(position.text(), "...../...../..x../.oox./..... x");
/// assert_eq!(GoRecord::read(&record.write()), Ok(record));
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct GoRecord {
    /// The side of the board.
    pub size: usize,
    /// The points that white gets for moving second, if given.
    pub komi: Option<f64>,
    /// The number of handicap stones; the stones themselves are in the steps.
    pub handicap: u16,
    /// The names of black and white, empty if not given.
    pub players: [String; 2],
    /// The result as written: `B+3.5`, `W+R`, `0`; empty if not given.
    pub result: String,
    /// The rules as written: `Chinese`, `Japanese`, ...; empty if not given.
    pub rules: String,
    /// The steps from an empty board. Stones put between two moves are put all at once.
    pub steps: Vec<GoStep>,
}

impl GoRecord {
    /// The smallest board.
    pub const SIZE_MIN: usize = 2;

    /// The largest board.
    pub const SIZE_MAX: usize = 25;

    /// The largest board on which `tt` is a pass.
    const TT_PASSES_MAX: usize = 19;

    /// The most nodes from the start of a game to the end of a variation.
    pub const NODES_MAX: usize = 10_000;

    /// An empty board without other information.
    pub fn new(size: usize) -> GoRecord {
        GoRecord {
            size: size.clamp(Self::SIZE_MIN, Self::SIZE_MAX),
            komi: None,
            handicap: 0,
            players: Default::default(),
            result: String::new(),
            rules: String::new(),
            steps: Vec::new(),
        }
    }

    /// A game that starts from a position. It does not record the history that matters to the rules: a ko, or a pass
    /// just made.
    pub fn of<const STRIDE: usize, const CELLS: usize>(
        start: &Go<STRIDE, CELLS>,
        moves: &[GoMove],
    ) -> GoRecord {
        let mut record = GoRecord::new(start.size());
        record.komi = Some(start.rules().komi().into());
        record.rules = rules_name(start.rules()).into();
        let points = (0..start.size()).flat_map(|row| (0..start.size()).map(move |column| (column, row)));
        let stones = points.map(|(column, row)| (start.stone(column, row), (column, row)));
        let stones = stones.filter(|(stone, _)| stone.player().is_some());
        record.steps.extend(stones.map(|(stone, point)| GoStep::Put(stone, point)));
        if !record.steps.is_empty() || start.mover() != 0 {
            record.steps.push(GoStep::Turn(start.mover()));
        }
        for (ply, &point) in moves.iter().enumerate() {
            let player = (usize::from(start.mover()) + ply) % 2;
            record.steps.push(GoStep::Move(player as Player, Go::<STRIDE, CELLS>::column_and_row(point)));
        }
        record
    }

    /// The moves, including passes, each with its player.
    pub fn moves(&self) -> impl Iterator<Item = (Player, Option<GoPoint>)> {
        self.steps.iter().filter_map(|step| match *step {
            GoStep::Move(player, point) => Some((player, point)),
            _ => None,
        })
    }

    /// The position at the end, by these rules, with the record's komi if given. The rules in the record are ignored.
    /// The past starts again after stones are put. An error names an illegal move and its number.
    pub fn position<const STRIDE: usize, const CELLS: usize>(
        &self,
        rules: GoRules,
    ) -> Result<Go<STRIDE, CELLS>, String> {
        let largest = Go::<STRIDE, CELLS>::SIZE_MAX;
        if !(Self::SIZE_MIN..=largest).contains(&self.size) {
            return Err(format!(
                "sgf: size {}: expected one from {} to {largest}",
                self.size,
                Self::SIZE_MIN
            ));
        }
        let komi_halves = self.komi.map_or(rules.komi_halves, GoRules::halves);
        let mut go = Go::new(self.size, GoRules { komi_halves, ..rules });
        go.set_mover(if self.handicap >= 2 { 1 } else { 0 });
        let mut number = 0;
        let steps = Self::in_order(&self.steps);
        for steps in steps.chunk_by(|step, next| is_put(step) && is_put(next)) {
            match steps[0] {
                GoStep::Put(..) => go = put(&go, steps, number)?,
                GoStep::Turn(player) => go.set_mover(player),
                GoStep::Move(player, point) => {
                    number += 1;
                    go.set_mover(player);
                    let action = point.map_or(Some(GoMove::PASS), |(column, row)| go.point(column, row));
                    let action = action.ok_or_else(|| format!("sgf: move {number}: not on the board"))?;
                    if !go.is_legal(action) {
                        let (who, name) = (["black", "white"][usize::from(player)], Self::name(point));
                        return Err(format!("sgf: move {number}, {who} {name}: {}", why(&go, action)));
                    }
                    go.advance(action);
                }
            }
        }
        Ok(go)
    }

    fn name(point: Option<GoPoint>) -> String {
        point.map_or("pass".into(), super::notation::go_point_name)
    }

    /// The steps in writing order. Of stones put one after another, it keeps the last on each point, by row and
    /// column; then comes who moves.
    fn in_order(steps: &[GoStep]) -> Vec<GoStep> {
        let is_move = |step: &GoStep| matches!(step, GoStep::Move(..));
        let mut ordered = Vec::with_capacity(steps.len());
        for steps in steps.chunk_by(|step, next| !is_move(step) && !is_move(next)) {
            let mut last = std::collections::BTreeMap::new();
            for &step in steps {
                last.insert(
                    match step {
                        GoStep::Put(_, (column, row)) => Some((row, column)),
                        _ => None,
                    },
                    step,
                );
            }
            let turn = last.remove(&None);
            ordered.extend(last.into_values().chain(turn));
        }
        ordered
    }
}

fn is_put(step: &GoStep) -> bool {
    matches!(step, GoStep::Put(..))
}

/// Puts stones on a position all at once, after this many moves.
fn put<const STRIDE: usize, const CELLS: usize>(
    go: &Go<STRIDE, CELLS>,
    steps: &[GoStep],
    number: usize,
) -> Result<Go<STRIDE, CELLS>, String> {
    let size = go.size();
    let mut stones = vec![Stone::Empty; size * size];
    for (at, stone) in stones.iter_mut().enumerate() {
        *stone = go.stone(at % size, at / size);
    }
    for step in steps {
        if let GoStep::Put(stone, (column, row)) = *step {
            if column >= size || row >= size {
                return Err(format!("sgf: stones put after move {number}: not on the board"));
            }
            stones[row * size + column] = stone;
        }
    }
    let stones = stones
        .iter()
        .enumerate()
        .filter_map(|(at, stone)| Some((go.point(at % size, at / size).expect("a point"), stone.player()?)));
    let mut after = Go::with_stones(size, go.rules(), stones, go.mover())
        .map_err(|error| format!("sgf: stones put after move {number}: {error}"))?;
    after.captures = go.captures;
    Ok(after)
}

/// Why a move is illegal.
fn why<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, point: GoMove) -> &'static str {
    if go.board.stone(point.cell()) != Stone::Empty {
        "expected an empty point, found a stone"
    } else if !go.rules.suicide && !go.board.breathes(point.cell(), Stone::of(go.mover)) {
        "expected a liberty, as suicide is off"
    } else if go.rules.ko == Ko::Simple {
        "a ko is not taken back at once"
    } else {
        "a position must not come again; with ko=simple it may"
    }
}

/// The common name of rules with area scoring.
fn rules_name(rules: GoRules) -> &'static str {
    match (rules.ko, rules.suicide) {
        (Ko::Simple | Ko::Positional, false) => "Chinese",
        (Ko::Positional, true) => "Tromp-Taylor",
        (Ko::Situational, false) => "AGA",
        (Ko::Situational, true) => "NZ",
        (Ko::Simple, true) => "",
    }
}
