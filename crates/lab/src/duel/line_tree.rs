//! The games that an attacker won from one position, as a tree with boards: where its lines part, and how often it takes
//! each of them.

use super::Duel;
use super::lines::most_frequent;
use crate::Error;
use aji_catalog::{Session, Workbench};
use serde::Serialize;
use std::collections::BTreeMap;

/// A move is in the tree if at least one won game in this many goes on with it.
const LEAST_SHARE: u64 = 20;

/// The won games from the position from which most were won.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineTree {
    /// The number of that position in the list of starts; 0 if there is no list.
    pub start: usize,
    /// The first moves, which most of the games share.
    pub root: LineBox,
}

/// Moves that many games share, from where the lines part to where they part again.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct LineBox {
    /// The moves.
    pub moves: Vec<String>,
    /// How many games were won that begin with all moves up to here.
    pub wins: u64,
    /// How many games begin with them.
    pub games: u64,
    /// The position after them.
    pub position: String,
    /// Its board.
    pub board: String,
    /// The ways on, the most frequent first. Rare ones are left out.
    pub below: Vec<LineBox>,
}

impl LineTree {
    /// The tree of these games. None if the attacker won none.
    pub fn of(
        workbench: &Workbench,
        game: &str,
        starts: &[String],
        duels: &[&Duel],
    ) -> Result<Option<LineTree>, Error> {
        let won = || duels.iter().filter(|duel| duel.payoff > 0.0);
        let Some((start, most)) = most_frequent(won().map(|duel| duel.start)) else { return Ok(None) };
        let mut session = workbench.session(game)?;
        if let Some(position) = starts.get(start) {
            session.set_position(position)?;
        }
        let here: Vec<&Duel> = duels.iter().copied().filter(|duel| duel.start == start).collect();
        let least = (most as u64).div_ceil(LEAST_SHARE);
        let root = grow(session.as_mut(), &here, &mut Vec::new(), least)?;
        Ok(Some(LineTree { start, root }))
    }
}

impl LineBox {
    /// How many boxes there are from here on.
    pub fn count(&self) -> usize {
        1 + self.below.iter().map(LineBox::count).sum::<usize>()
    }

    /// The lines that end in the boxes without a way on, each with its whole moves.
    pub fn lines(&self) -> Vec<(Vec<String>, &LineBox)> {
        if self.below.is_empty() {
            return vec![(self.moves.clone(), self)];
        }
        let below = self.below.iter().flat_map(LineBox::lines);
        below.map(|(moves, last)| ([&self.moves[..], &moves].concat(), last)).collect()
    }
}

/// The games among these that were won, by the move that they play after `ply` moves.
fn ways<'a>(games: &[&'a Duel], ply: usize) -> BTreeMap<&'a String, u64> {
    let mut ways = BTreeMap::new();
    for action in games.iter().filter(|duel| duel.payoff > 0.0).filter_map(|duel| duel.moves.get(ply)) {
        *ways.entry(action).or_insert(0) += 1;
    }
    ways
}

fn wins(games: &[&Duel]) -> u64 {
    games.iter().filter(|duel| duel.payoff > 0.0).count() as u64
}

/// The box of the games that share the moves of `path`, with all below it. The session stands at the end of `path`, and
/// comes back to it.
fn grow(
    session: &mut dyn Session,
    games: &[&Duel],
    path: &mut Vec<String>,
    least: u64,
) -> Result<LineBox, Error> {
    let (begin, won, mut here) = (path.len(), wins(games), games.to_vec());
    let ways_on = loop {
        let mut ways: Vec<(&String, u64)> =
            ways(&here, path.len()).into_iter().filter(|way| way.1 >= least).collect();
        // The stable sort leaves equally frequent moves in their order.
        ways.sort_by_key(|way| std::cmp::Reverse(way.1));
        // A box ends where lines part, and where half of its games have gone other ways.
        let [(action, wins)] = ways[..] else { break ways };
        if 2 * wins < won {
            break ways;
        }
        session.play(action)?;
        path.push(action.clone());
        here.retain(|duel| duel.moves.get(path.len() - 1) == path.last());
    };
    let (position, board) = (session.text(), session.board());
    let mut below = Vec::new();
    for (action, _) in ways_on {
        let ply = path.len();
        let follow: Vec<&Duel> =
            here.iter().copied().filter(|duel| duel.moves.get(ply) == Some(action)).collect();
        session.play(action)?;
        path.push(action.clone());
        let mut next = grow(session, &follow, path, least)?;
        next.moves.insert(0, action.clone());
        below.push(next);
        path.pop();
        session.undo();
    }
    let (moves, wins, games) = (path[begin..].to_vec(), wins(&here), here.len() as u64);
    for _ in path.drain(begin..) {
        session.undo();
    }
    Ok(LineBox { moves, wins, games, position, board, below })
}

#[cfg(test)]
mod tests {
    use super::super::tests::duel;
    use super::*;

    fn tree(starts: &[&str], duels: &[Duel]) -> Option<LineTree> {
        let starts: Vec<String> = starts.iter().map(|start| start.to_string()).collect();
        let duels: Vec<&Duel> = duels.iter().collect();
        LineTree::of(&Workbench::new(), "connect-four", &starts, &duels).unwrap()
    }

    /// `moves wins/games` of each box, indented by depth.
    fn told(node: &LineBox, depth: usize) -> Vec<String> {
        let own = format!("{}{} {}/{}", "  ".repeat(depth), node.moves.join(""), node.wins, node.games);
        let below = node.below.iter().flat_map(|next| told(next, depth + 1));
        std::iter::once(own).chain(below).collect()
    }

    #[test]
    fn a_tree_by_hand() {
        let duels = [
            duel("d c d e", 1.0),
            duel("d c d e", 1.0),
            duel("d c a b", 1.0),
            duel("d c a b", -1.0),
            duel("d f g g", 0.0),
        ];
        let found = tree(&[], &duels).unwrap();
        assert_eq!(told(&found.root, 0), ["dc 3/4", "  de 2/2", "  ab 1/2"]);
        assert_eq!((found.start, found.root.count()), (0, 3));
        assert_eq!(found.root.position, "......./......./......./......./......./..ox... x");
        assert_eq!(found.root.below[1].position, "......./......./......./......./......./xoox... x");
        assert!(found.root.board.contains("1 . . o x . . ."), "{}", found.root.board);
        let lines: Vec<(String, u64)> =
            found.root.lines().into_iter().map(|(moves, last)| (moves.join(""), last.wins)).collect();
        assert_eq!(lines, [("dcde".to_string(), 2), ("dcab".to_string(), 1)]);
    }

    /// Two of 42 won games are fewer than one in 20.
    #[test]
    fn rare_moves_are_left_out() {
        let games = |line: &str, count: usize| vec![duel(line, 1.0); count];
        let common = [games("a b c", 20), games("a d e", 20)].concat();
        let rare = tree(&[], &[common.clone(), games("a f g", 2)].concat()).unwrap();
        assert_eq!(told(&rare.root, 0), ["a 42/42", "  bc 20/20", "  de 20/20"]);
        let kept = tree(&[], &[common, games("a f g", 3)].concat()).unwrap();
        assert_eq!(told(&kept.root, 0)[3], "  fg 3/3");
        // The only way on that is frequent leads less than half of the games.
        let rest = "abdefg".chars().flat_map(|column| games(&format!("a {column} b"), 3));
        let mixed: Vec<Duel> = rest.chain(games("a c d", 17)).chain(games("e e", 40)).collect();
        let found = tree(&[], &mixed).unwrap();
        assert_eq!(told(&found.root, 0), [" 75/75", "  ee 40/40", "  a 35/35", "    cd 17/17"]);
    }

    /// The start from which most games were won is shown; without a won game there is no tree.
    #[test]
    fn one_start_is_shown() {
        let at = |start: usize, moves: &str, payoff: f64| Duel { start, ..duel(moves, payoff) };
        let starts = [
            "......./......./......./......./......./...x... o",
            "......./......./......./......./......./x...... o",
        ];
        let duels = [at(0, "a", 1.0), at(1, "b", 1.0), at(1, "b", 1.0), at(0, "a", -1.0), at(0, "a", -1.0)];
        let found = tree(&starts, &duels).unwrap();
        assert_eq!((found.start, told(&found.root, 0)), (1, vec!["b 2/2".to_string()]));
        assert_eq!(found.root.position, "......./......./......./......./......./xo..... x");
        assert_eq!(tree(&starts, &[at(0, "a", -1.0)]), None);
    }
}
