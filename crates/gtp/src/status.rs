//! Dead stones and the score, from the owner of each point at the end of many light playouts.

use crate::position::Position;
use crate::vertex::Vertex;
use aji_search::{Player, Rng};

/// Playouts per answer.
const PLAYOUTS: usize = 400;

/// A fixed seed, so that the same position gives the same answer.
const SEED: u64 = 1;

/// A chain is alive if its points belong to its player by more than this, and dead if they belong to the other by
/// more.
const SURE: f32 = 0.3;

/// A point that belongs to a player by more than this is settled.
const SETTLED: f32 = 0.9;

/// The fate of stones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Status {
    Alive,
    /// Neither: both players own them about equally often.
    Seki,
    Dead,
}

/// An estimate of how a position ends.
pub(crate) struct Ending {
    /// The owner of each point, from 1 for black to -1 for white.
    owners: Vec<f32>,
    size: usize,
    /// Each chain of stones: its player, its stones and its status.
    chains: Vec<(Player, Vec<Vertex>, Status)>,
}

impl Ending {
    pub(crate) fn of(position: &Position) -> Ending {
        let owners = position.owners(PLAYOUTS, &mut Rng::seeded(SEED));
        let size = position.size();
        let with_status = |(player, points): (Player, Vec<(usize, usize)>)| {
            let sum: f32 = points.iter().map(|(column, row)| owners[row * size + column]).sum();
            let mean = sum / points.len() as f32 * if player == 0 { 1.0 } else { -1.0 };
            let status = match mean {
                mean if mean > SURE => Status::Alive,
                mean if mean < -SURE => Status::Dead,
                _ => Status::Seki,
            };
            (player, points.into_iter().map(|(column, row)| Vertex::Point(column, row)).collect(), status)
        };
        let chains = chains(position).into_iter().map(with_status).collect();
        Ending { owners, size, chains }
    }

    /// The owner of each point, by row from the bottom and then column, from 1 for black to -1 for white.
    pub(crate) fn owners(&self) -> &[f32] {
        &self.owners
    }

    /// Whether the owner of a point is still open.
    pub(crate) fn is_open(&self, column: usize, row: usize) -> bool {
        self.owners[row * self.size + column].abs() < SETTLED
    }

    /// Whether no point is open.
    pub(crate) fn is_settled(&self) -> bool {
        self.owners.iter().all(|owner| owner.abs() >= SETTLED)
    }

    /// The stones with this status, chain by chain.
    pub(crate) fn stones(&self, status: Status) -> impl Iterator<Item = (&[Vertex], Player)> {
        let chains = self.chains.iter().filter(move |chain| chain.2 == status);
        chains.map(|(player, stones, _)| (stones.as_slice(), *player))
    }

    /// Whether a stone there would take a liberty from dead stones of the other player.
    pub(crate) fn is_next_to_dead(&self, vertex: Vertex, player: Player) -> bool {
        let Vertex::Point(column, row) = vertex else { return false };
        let theirs = self.stones(Status::Dead).filter(|(_, owner)| *owner != player);
        let is_near = |stone: &Vertex| match *stone {
            Vertex::Point(other, line) => column.abs_diff(other) + row.abs_diff(line) == 1,
            Vertex::Pass => false,
        };
        theirs.flat_map(|(chain, _)| chain).any(is_near)
    }

    /// Black's area minus white's, without komi, once dead stones are removed.
    pub(crate) fn area(&self, position: &Position) -> i16 {
        let is_dead = |stone: &Vertex| self.stones(Status::Dead).any(|(chain, _)| chain.contains(stone));
        let left: Vec<_> = position.stones().into_iter().filter(|(stone, _)| !is_dead(stone)).collect();
        let cleared = Position::new(self.size, 0, &left, 0);
        // Removing stones takes no liberty from others.
        cleared.map_or_else(|_| position.area(), |cleared| cleared.area())
    }
}

/// The score of a position once dead stones are removed, with komi as it was given.
pub(crate) fn final_score(position: &Position, komi: f64) -> String {
    written(f64::from(Ending::of(position).area(position)) - komi)
}

/// A score in the protocol's form, from black's points minus white's.
fn written(score: f64) -> String {
    match score {
        score if score > 0.0 => format!("B+{score}"),
        score if score < 0.0 => format!("W+{}", -score),
        _ => "0".into(),
    }
}

/// The chains of stones, each with its player.
fn chains(position: &Position) -> Vec<(Player, Vec<(usize, usize)>)> {
    let size = position.size();
    let mut is_seen = vec![false; size * size];
    let mut chains = Vec::new();
    for (column, row) in position.points() {
        let Some(player) = position.owner(column, row) else { continue };
        if std::mem::replace(&mut is_seen[row * size + column], true) {
            continue;
        }
        let mut chain = vec![(column, row)];
        let mut next = 0;
        while let Some(&(column, row)) = chain.get(next) {
            let near = [
                (column.wrapping_sub(1), row),
                (column + 1, row),
                (column, row.wrapping_sub(1)),
                (column, row + 1),
            ];
            for (column, row) in near {
                if position.owner(column, row) == Some(player)
                    && !std::mem::replace(&mut is_seen[row * size + column], true)
                {
                    chain.push((column, row));
                }
            }
            next += 1;
        }
        chains.push((player, chain));
    }
    chains
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vertex::listed;

    fn position(rows: &[&str]) -> Position {
        let size = rows.len();
        let mut stones = Vec::new();
        for (row, text) in rows.iter().rev().enumerate() {
            for (column, piece) in text.chars().enumerate() {
                match piece {
                    'x' => stones.push((Vertex::Point(column, row), 0)),
                    'o' => stones.push((Vertex::Point(column, row), 1)),
                    _ => {}
                }
            }
        }
        Position::new(size, 0, &stones, 0).expect("a position")
    }

    #[test]
    fn dead_stones_are_taken_off() {
        let rows = ["o.x.o..", "..x.ooo", "xxx.o..", "...xooo", "xxxxo..", "..x.ooo", "..x.o.."];
        let position = position(&rows);
        let ending = Ending::of(&position);
        let dead: Vec<Vertex> = ending.stones(Status::Dead).flat_map(|(chain, _)| chain.to_vec()).collect();
        assert_eq!(listed(dead), "A7");
        // D7 D6 D5, D2 and D1 touch both colours. White has the three columns to the right.
        assert_eq!(position.area(), 19 - 22);
        assert_eq!(ending.area(&position), 23 - 21);
    }

    #[test]
    fn an_empty_board_is_open() {
        let ending = Ending::of(&position(&["....."; 5]));
        assert!(!ending.is_settled() && ending.is_open(2, 2));
        assert_eq!(ending.stones(Status::Alive).count(), 0);
    }

    #[test]
    fn scores_are_written() {
        let check = |score, expect| assert_eq!(written(score), expect);
        check(3.5, "B+3.5");
        check(-12.0, "W+12");
        check(0.0, "0");
        check(-0.25, "W+0.25");
    }
}
