//! The lines by which an attacker wins most often.

use super::Duel;
use serde::Serialize;
use std::collections::BTreeMap;

/// A way that several games went.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CommonLine {
    /// The number of the start in the list.
    pub start: usize,
    /// The moves that the games share.
    pub moves: Vec<String>,
    /// How many games the attacker won after them.
    pub wins: u64,
    /// How many games began with them.
    pub games: u64,
}

/// The most frequent winning lines, at most `most` of them. Each follows the most frequent moves of the won games, as long
/// as more than half of the games that came so far go on with the same move.
pub fn common_lines(duels: &[&Duel], most: usize) -> Vec<CommonLine> {
    let mut won: Vec<&Duel> = duels.iter().copied().filter(|duel| duel.payoff > 0.0).collect();
    let mut lines = Vec::new();
    while lines.len() < most && !won.is_empty() {
        let line = longest_shared(&won);
        let follows = |duel: &&Duel| duel.start == line.0 && duel.moves.starts_with(&line.1);
        let wins = won.iter().filter(|duel| follows(duel)).count() as u64;
        let games = duels.iter().filter(|duel| follows(duel)).count() as u64;
        won.retain(|duel| !follows(duel));
        lines.push(CommonLine { start: line.0, moves: line.1, wins, games });
    }
    lines
}

/// The most frequent start of these games, then move after move the most frequent one while most games share it.
fn longest_shared(won: &[&Duel]) -> (usize, Vec<String>) {
    let start = most_frequent(won.iter().map(|duel| duel.start)).map_or(0, |(start, _)| start);
    let mut here: Vec<&Duel> = won.iter().copied().filter(|duel| duel.start == start).collect();
    let mut moves: Vec<String> = Vec::new();
    loop {
        let next = most_frequent(here.iter().filter_map(|duel| duel.moves.get(moves.len())));
        match next {
            Some((action, count)) if moves.is_empty() || 2 * count > here.len() => {
                moves.push(action.clone());
                here.retain(|duel| duel.moves.starts_with(&moves));
            }
            _ => return (start, moves),
        }
    }
}

/// The most frequent item and how often it comes; the smallest of equally frequent ones.
pub(super) fn most_frequent<T: Ord>(items: impl Iterator<Item = T>) -> Option<(T, usize)> {
    let mut counts = BTreeMap::new();
    for item in items {
        *counts.entry(item).or_insert(0_usize) += 1;
    }
    let most = counts.values().copied().max()?;
    counts.into_iter().find(|&(_, count)| count == most)
}

#[cfg(test)]
mod tests {
    use super::super::tests::duel;
    use super::*;

    /// Three of four won games begin with a b; two of these go on with c d. The line that two share ends where they part.
    #[test]
    fn lines_by_hand() {
        let duels = [
            duel("a b c d e", 1.0),
            duel("a b c d f", 1.0),
            duel("a b x y", 1.0),
            duel("q r", 1.0),
            duel("a b c z", -1.0),
        ];
        let found = common_lines(&duels.iter().collect::<Vec<_>>(), 5);
        let told: Vec<(String, u64, u64)> =
            found.iter().map(|line| (line.moves.join(" "), line.wins, line.games)).collect();
        let expect = [("a b c d", 2, 2), ("a b x y", 1, 1), ("q r", 1, 1)];
        let expect = expect.map(|(moves, wins, games)| (moves.to_string(), wins, games));
        assert_eq!(told, expect);
        assert_eq!(common_lines(&[&duel("a", -1.0)], 3), []);
    }
}
