//! A game as it was played: its start and every move since, so that moves can be taken back.

use crate::position::Position;
use crate::vertex::Vertex;
use aji_games::GoRules;
use aji_search::Player;

/// A game in progress, with its history.
#[derive(Clone)]
pub(crate) struct Record {
    /// Komi as it was given, which need not be in halves.
    komi: f64,
    /// Stones placed before the first move, and the player who then moves.
    setup: Vec<(Vertex, Player)>,
    first: Player,
    /// How many of them are handicap stones.
    handicap: usize,
    moves: Vec<(Player, Vertex)>,
    position: Position,
}

impl Record {
    /// An empty board.
    pub(crate) fn new(size: usize, komi: f64) -> Record {
        Record::with_setup(size, komi, Vec::new(), 0).expect("no stone lacks a liberty")
    }

    /// Stones placed before the first move. An error says which one cannot stand there.
    pub(crate) fn with_setup(
        size: usize,
        komi: f64,
        setup: Vec<(Vertex, Player)>,
        first: Player,
    ) -> Result<Record, String> {
        let position = Position::new(size, GoRules::halves(komi), &setup, first)?;
        Ok(Record { komi, setup, first, handicap: 0, moves: Vec::new(), position })
    }

    /// Black stones on an empty board. White moves next.
    pub(crate) fn with_handicap(size: usize, komi: f64, stones: &[Vertex]) -> Result<Record, String> {
        let setup = stones.iter().map(|&vertex| (vertex, 0)).collect();
        Ok(Record { handicap: stones.len(), ..Record::with_setup(size, komi, setup, 1)? })
    }

    pub(crate) fn position(&self) -> &Position {
        &self.position
    }

    pub(crate) fn size(&self) -> usize {
        self.position.size()
    }

    pub(crate) fn komi(&self) -> f64 {
        self.komi
    }

    pub(crate) fn set_komi(&mut self, komi: f64) {
        self.komi = komi;
        self.position.set_komi(GoRules::halves(komi));
    }

    /// Komi as the search uses it, in half points.
    pub(crate) fn komi_halves(&self) -> i16 {
        GoRules::halves(self.komi)
    }

    pub(crate) fn setup(&self) -> &[(Vertex, Player)] {
        &self.setup
    }

    /// The player to move at the start.
    pub(crate) fn first(&self) -> Player {
        self.first
    }

    /// The number of handicap stones; 0 without a handicap.
    pub(crate) fn handicap(&self) -> usize {
        self.handicap
    }

    /// The moves with their players.
    pub(crate) fn moves(&self) -> &[(Player, Vertex)] {
        &self.moves
    }

    /// Plays for either player, in turn or not. False if the move is not legal.
    pub(crate) fn play(&mut self, player: Player, vertex: Vertex) -> bool {
        let is_legal = self.position.is_legal(player, vertex);
        if is_legal {
            self.position.play(player, vertex);
            self.moves.push((player, vertex));
        }
        is_legal
    }

    /// Takes back the last move. False if there is none.
    pub(crate) fn undo(&mut self) -> bool {
        let undone = self.moves.pop().is_some();
        if undone {
            self.position = self.start();
            self.moves.iter().for_each(|&(player, vertex)| self.position.play(player, vertex));
        }
        undone
    }

    /// The position before the first move.
    pub(crate) fn start(&self) -> Position {
        Position::new(self.size(), GoRules::halves(self.komi), &self.setup, self.first)
            .expect("it was made once")
    }

    /// Whether the players have alternated since the start.
    pub(crate) fn is_in_turn(&self) -> bool {
        self.moves.iter().enumerate().all(|(ply, &(player, _))| usize::from(player ^ self.first) == ply % 2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_taken_back() {
        let mut record = Record::new(5, 7.5);
        let point = Vertex::Point;
        for (player, vertex) in [(0, point(0, 1)), (1, point(0, 0)), (1, point(4, 4)), (0, point(1, 0))] {
            assert!(record.play(player, vertex));
        }
        assert_eq!((record.position().captures(), record.is_in_turn()), ([1, 0], false));
        assert!(!record.play(1, point(4, 4)), "a stone is there");
        assert!(record.undo());
        assert_eq!(record.position().owner(0, 0), Some(1));
        assert_eq!(record.position().captures(), [0, 0]);
        assert!(record.undo() && record.is_in_turn() && record.undo() && record.undo() && !record.undo());
    }
}
