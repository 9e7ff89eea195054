//! A position and the moves played since. It gives the moves that set up a program's board, and the errors if a
//! program disagrees about what is legal.

use aji_games::{Go, GoMove, GoRules, Ko};
use aji_search::{Game, Named, Player};

/// A position, and the moves played since.
pub(crate) struct Record<const STRIDE: usize, const CELLS: usize> {
    pub(crate) start: Go<STRIDE, CELLS>,
    pub(crate) moves: Vec<(Player, GoMove)>,
    pub(crate) now: Go<STRIDE, CELLS>,
}

impl<const STRIDE: usize, const CELLS: usize> Record<STRIDE, CELLS> {
    /// A record that begins at this position.
    pub(crate) fn new(start: &Go<STRIDE, CELLS>) -> Self {
        Record { start: start.clone(), moves: Vec::new(), now: start.clone() }
    }

    /// Adds a legal move.
    pub(crate) fn play(&mut self, action: GoMove) {
        self.moves.push((self.now.mover(), action));
        self.now.play(action);
    }

    /// Checks a move that the program wants to play: it must be legal by our rules, and one that our agents may choose.
    pub(crate) fn checked(&self, action: GoMove) -> Result<GoMove, String> {
        let (now, name) = (&self.now, Go::<STRIDE, CELLS>::point_name(action));
        let player = now.player_name(now.mover());
        if !now.is_legal(action) {
            let rules = rules_told(now.rules());
            let why = self.why_illegal(action);
            return Err(format!(
                "disagreement on legality: it plays {name} for {player}, which is not legal by our rules ({rules}): {why}{}",
                self.shown(self.moves.len())
            ));
        }
        let mut listed = Vec::new();
        now.actions(&mut listed);
        if !listed.contains(&action) {
            return Err(format!("it plays {name} for {player}, an eye of its own; play with eyes=fill"));
        }
        Ok(action)
    }

    /// The error if the program refuses the move with this index.
    pub(crate) fn refused(&self, index: usize, why: &str) -> String {
        let (player, action) = self.moves[index];
        let name = Go::<STRIDE, CELLS>::point_name(action);
        let (player, rules) = (self.start.player_name(player), rules_told(self.start.rules()));
        let why = why.replace('\n', " ");
        format!(
            "disagreement on legality: it refuses {name} of {player}, which is legal by our rules ({rules}): it said \"? {why}\"{}",
            self.shown(index)
        )
    }

    /// Why our rules forbid a move.
    fn why_illegal(&self, action: GoMove) -> &'static str {
        let now = &self.now;
        let (column, row) = Go::<STRIDE, CELLS>::column_and_row(action).unwrap_or_default();
        let rules = GoRules { ko: Ko::Simple, ..now.rules() };
        let without_past = Go::<STRIDE, CELLS>::with_stones(now.size(), rules, stones(now), now.mover());
        if now.stone(column, row).player().is_some() {
            "there is a stone"
        } else if now.ko() == Some(action) {
            "it takes back a ko"
        } else if without_past.is_ok_and(|here| here.is_legal(action)) {
            "it makes an earlier position again"
        } else {
            "it is suicide"
        }
    }

    /// Draws the position after this many moves, and lists the moves that led there.
    fn shown(&self, plies: usize) -> String {
        let (before, mut position) = (&self.moves[..plies], self.start.clone());
        before.iter().for_each(|&(_, action)| position.play(action));
        let names: Vec<String> =
            before.iter().map(|&(_, action)| Go::<STRIDE, CELLS>::point_name(action)).collect();
        format!(
            "\n{}{} to move; position \"{}\"; from \"{}\" by the moves: {}",
            position.board(),
            position.player_name(position.mover()),
            position.text(),
            self.start.text(),
            if names.is_empty() { "none".into() } else { names.join(" ") }
        )
    }
}

/// The rules about legal moves, in the words of the game's options.
fn rules_told(rules: GoRules) -> String {
    let ko = match rules.ko {
        Ko::Simple => "simple",
        Ko::Positional => "positional",
        Ko::Situational => "situational",
    };
    format!("ko={ko} suicide={}", if rules.suicide { "on" } else { "off" })
}

/// The stones of a position, row by row.
fn stones<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>) -> Vec<(GoMove, Player)> {
    let places = (0..go.size()).flat_map(|row| (0..go.size()).map(move |column| (column, row)));
    let stone = |(column, row)| Some((go.point(column, row)?, go.stone(column, row).player()?));
    places.filter_map(stone).collect()
}

/// Moves that lead to a position from the empty board. The stones of a legal position capture nothing, in whatever
/// order they are played. After a ko, the stone that took it comes last, so that the program knows of the ko. A pass
/// just made comes last too.
pub(crate) fn way_to<const STRIDE: usize, const CELLS: usize>(
    go: &Go<STRIDE, CELLS>,
) -> Vec<(Player, GoMove)> {
    let (mover, other) = (go.mover(), 1 - go.mover());
    let placed = |stones: Vec<(GoMove, Player)>| stones.into_iter().map(|(point, player)| (player, point));
    if let Some(ko) = go.ko() {
        for (taker, _) in stones(go).into_iter().filter(|&(_, player)| player == other) {
            let mut before: Vec<_> = stones(go).into_iter().filter(|&(point, _)| point != taker).collect();
            before.push((ko, mover));
            let after = Go::<STRIDE, CELLS>::with_stones(go.size(), go.rules(), before.clone(), other);
            let is_it = after.is_ok_and(|mut after| {
                after.is_legal(taker) && {
                    after.play(taker);
                    after == *go
                }
            });
            if is_it {
                return placed(before).chain([(other, taker)]).collect();
            }
        }
    }
    let passes = std::iter::repeat_n((other, GoMove::PASS), go.passes().into());
    placed(stones(go)).chain(passes).collect()
}
