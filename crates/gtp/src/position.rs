//! A position of Go on a board of any size: the two board types as one.

use crate::vertex::Vertex;
use aji_games::{Go, GoMove, GoRules, LargeGo, SmallGo, Stone};
use aji_search::{Named, Player, Rng};

/// The smallest board.
pub(crate) const SIZE_MIN: usize = SmallGo::SIZE_MIN;

/// The largest board, of this engine and of the protocol.
pub(crate) const SIZE_MAX: usize = LargeGo::SIZE_MAX;

/// A position on a board of any size.
#[derive(Clone)]
pub(crate) enum Position {
    Small(Box<SmallGo>),
    Large(Box<LargeGo>),
}

/// Runs the same code on either board.
macro_rules! with {
    ($position:expr, $go:ident => $body:expr) => {
        match $position {
            Position::Small($go) => $body,
            Position::Large($go) => $body,
        }
    };
}

impl Position {
    /// These stones, with this player to move. An error says which stone cannot stand there.
    pub(crate) fn new(
        size: usize,
        komi_halves: i16,
        stones: &[(Vertex, Player)],
        mover: Player,
    ) -> Result<Position, String> {
        let rules = GoRules { komi_halves, ..GoRules::default() };
        if size <= SmallGo::SIZE_MAX {
            with_stones(SmallGo::new(size, rules), stones, mover).map(|go| Position::Small(Box::new(go)))
        } else {
            with_stones(LargeGo::new(size, rules), stones, mover).map(|go| Position::Large(Box::new(go)))
        }
    }

    pub(crate) fn size(&self) -> usize {
        with!(self, go => go.size())
    }

    /// Who is to move.
    pub(crate) fn mover(&self) -> Player {
        with!(self, go => go.mover())
    }

    /// The number of consecutive passes.
    pub(crate) fn passes(&self) -> u8 {
        with!(self, go => go.passes())
    }

    /// The stones that each player has captured.
    pub(crate) fn captures(&self) -> [u16; 2] {
        with!(self, go => go.captures())
    }

    /// Sets white's compensation for moving second.
    pub(crate) fn set_komi(&mut self, halves: i16) {
        with!(self, go => go.set_komi(halves));
    }

    /// The owner of the stone there.
    pub(crate) fn owner(&self, column: usize, row: usize) -> Option<Player> {
        self.stone(column, row).player()
    }

    pub(crate) fn stone(&self, column: usize, row: usize) -> Stone {
        with!(self, go => go.stone(column, row))
    }

    /// All points, by row from the bottom and then column.
    pub(crate) fn points(&self) -> impl Iterator<Item = (usize, usize)> + use<> {
        let size = self.size();
        (0..size * size).map(move |index| (index % size, index / size))
    }

    /// A player's stones.
    pub(crate) fn stones_of(&self, player: Player) -> Vec<Vertex> {
        let is_theirs = |&(column, row): &(usize, usize)| self.owner(column, row) == Some(player);
        self.points().filter(is_theirs).map(|(column, row)| Vertex::Point(column, row)).collect()
    }

    /// All stones.
    pub(crate) fn stones(&self) -> Vec<(Vertex, Player)> {
        let stone = |(column, row)| Some((Vertex::Point(column, row), self.owner(column, row)?));
        self.points().filter_map(stone).collect()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.points().all(|(column, row)| self.owner(column, row).is_none())
    }

    pub(crate) fn empty_points(&self) -> usize {
        self.points().filter(|&(column, row)| self.owner(column, row).is_none()).count()
    }

    /// Whether this player may play there, in turn or not.
    pub(crate) fn is_legal(&self, player: Player, vertex: Vertex) -> bool {
        with!(self, go => {
            if go.mover() == player {
                return found(go, vertex).is_some_and(|point| go.is_legal(point));
            }
            let mut turned = go.clone();
            turned.set_mover(player);
            found(&turned, vertex).is_some_and(|point| turned.is_legal(point))
        })
    }

    /// Plays a legal move, in turn or not.
    pub(crate) fn play(&mut self, player: Player, vertex: Vertex) {
        with!(self, go => {
            go.set_mover(player);
            if let Some(point) = found(go, vertex) {
                go.advance(point);
            }
        });
    }

    /// All legal moves of a player except a pass.
    pub(crate) fn legal(&self, player: Player) -> Vec<Vertex> {
        let mut turned = self.clone();
        with!(&mut turned, go => go.set_mover(player));
        let vertices = self.points().map(|(column, row)| Vertex::Point(column, row));
        vertices.filter(|&vertex| turned.is_legal(player, vertex)).collect()
    }

    /// Black's area minus white's, without komi.
    pub(crate) fn area(&self) -> i16 {
        with!(self, go => go.area())
    }

    /// Black's area minus white's, minus komi.
    pub(crate) fn score(&self) -> f32 {
        with!(self, go => go.score())
    }

    /// The expected final owner of each point, by playouts, from 1 for black to -1 for white.
    pub(crate) fn owners(&self, playouts: usize, rng: &mut Rng) -> Vec<f32> {
        with!(self, go => go.owners(playouts, rng))
    }

    /// The same after alternating moves, starting with this player. An illegal move ends them.
    pub(crate) fn owners_after(&self, player: Player, moves: &[&str], playouts: usize) -> Vec<f32> {
        let mut position = self.clone();
        let players = [player, 1 - player].into_iter().cycle();
        for (player, name) in players.zip(moves) {
            let vertex = Vertex::read(name, position.size());
            let Some(vertex) = vertex.filter(|&vertex| position.is_legal(player, vertex)) else { break };
            position.play(player, vertex);
        }
        position.owners(playouts, &mut Rng::seeded(0))
    }

    /// The position in one line for a search with this player to move. After two passes, or out of turn, the text
    /// leaves out the passes.
    pub(crate) fn text_for(&self, player: Player) -> String {
        let counts = self.mover() == player && self.passes() < 2;
        let mut turned = self.clone();
        with!(&mut turned, go => go.set_mover(player));
        let text = with!(&turned, go => go.text());
        if counts { text } else { text.trim_end_matches(" passed").into() }
    }

    /// The board on several lines.
    pub(crate) fn board(&self) -> String {
        with!(self, go => go.board())
    }
}

fn with_stones<const STRIDE: usize, const CELLS: usize>(
    empty: Go<STRIDE, CELLS>,
    stones: &[(Vertex, Player)],
    mover: Player,
) -> Result<Go<STRIDE, CELLS>, String> {
    let stones = stones.iter().filter_map(|&(vertex, player)| Some((found(&empty, vertex)?, player)));
    Go::with_stones(empty.size(), empty.rules(), stones, mover)
}

/// The move of a vertex. None outside the board.
fn found<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, vertex: Vertex) -> Option<GoMove> {
    match vertex {
        Vertex::Pass => Some(GoMove::PASS),
        Vertex::Point(column, row) => go.point(column, row),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_are_guessed_after_the_moves_to_come() {
        let position = Position::new(5, 15, &[], 0).expect("an empty board");
        let lead = |moves: &[&str]| position.owners_after(0, moves, 400).iter().sum::<f32>();
        let [before, after, answered] =
            [&[][..], &["C3", "pass", "B2", "pass", "D4"], &["C3", "junk", "B2"]].map(lead);
        assert!(after > before + 5.0, "{before} and {after}");
        assert_eq!(answered, lead(&["C3"]), "what is no move ends the line");
        assert!(position.is_empty());
    }
}
