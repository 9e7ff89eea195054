//! When to pass: turns a search's recommendation into a move that helps to end the game.
//!
//! A search that wins anyway fills its own area, and one that loses anyway throws stones away. Both should pass
//! instead. On the other hand, a search may pass while points remain that do not change who wins.

use crate::position::Position;
use crate::status::{Ending, Status};
use crate::vertex::Vertex;
use aji_search::{Player, Report};

/// The most winning chance that a move may cost to be played instead of a pass.
const COST_MAX: f32 = 0.03;

/// A search that is surer than this of a win, or of a loss, has nothing more to find.
const SURE: f32 = 0.9;

/// The player's aim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Aim {
    /// To win.
    Win,
    /// To win, and to capture dead stones before the end.
    CleanUp,
}

/// Whether a pass wins: the other player has passed, and this one is ahead on the board.
pub(crate) fn ends_well(position: &Position, player: Player) -> bool {
    position.passes() == 1 && position.mover() == player && is_ahead(position, player)
}

fn is_ahead(position: &Position, player: Player) -> bool {
    if player == 0 { position.score() > 0.0 } else { position.score() < 0.0 }
}

/// A move that may be played.
#[derive(Clone, Copy)]
struct Candidate {
    vertex: Vertex,
    pulls: u32,
    mean: f32,
    /// The upper end of the mean's interval.
    high: f32,
}

/// The move to play, given a search's report.
pub(crate) fn choose(report: &Report<String>, position: &Position, player: Player, aim: Aim) -> Vertex {
    let candidates = candidates(report, position, player);
    let Some(&best) = candidates.first() else { return Vertex::Pass };
    let value = report.value.unwrap_or(0.5);
    let is_open_game = position.passes() == 0 && (1.0 - SURE..=SURE).contains(&value);
    if best.vertex != Vertex::Pass && aim == Aim::Win && is_open_game {
        return best.vertex;
    }
    let ending = Ending::of(position);
    let others = || candidates.iter().filter(|candidate| candidate.vertex != Vertex::Pass);
    let has_dead = ending.stones(Status::Dead).any(|(_, owner)| owner != player);
    if has_dead && (aim == Aim::CleanUp || wins_without_dead(&ending, position, player)) {
        // Playouts capture dead stones sooner or later, so the search sees no hurry.
        let takes = |candidate: &&Candidate| {
            candidate.high >= value - COST_MAX && ending.is_next_to_dead(candidate.vertex, player)
        };
        let taking = others().find(takes);
        let any = others().next().filter(|_| aim == Aim::CleanUp);
        if let Some(candidate) = taking.or(any) {
            return candidate.vertex;
        }
    }
    if best.vertex == Vertex::Pass {
        let is_open = |candidate: &&Candidate| match candidate.vertex {
            Vertex::Point(column, row) => ending.is_open(column, row),
            Vertex::Pass => false,
        };
        let is_free = |candidate: &&Candidate| candidate.pulls > 0 && candidate.mean >= value - COST_MAX;
        return others().filter(is_open).find(is_free).map_or(Vertex::Pass, |candidate| candidate.vertex);
    }
    let is_over =
        ending.is_settled() && (aim == Aim::CleanUp || is_decided(&ending, position, player, value));
    if is_over { Vertex::Pass } else { best.vertex }
}

/// Whether the other player has passed, and the player wins only once dead stones are captured.
fn wins_without_dead(ending: &Ending, position: &Position, player: Player) -> bool {
    let score = final_points(ending, position);
    let wins = if player == 0 { score > 0.0 } else { score < 0.0 };
    position.passes() == 1 && position.mover() == player && wins && !is_ahead(position, player)
}

/// Black's points minus white's, once dead stones are removed.
fn final_points(ending: &Ending, position: &Position) -> f32 {
    let komi = f32::from(position.area()) - position.score();
    f32::from(ending.area(position)) - komi
}

/// Whether both the search and the board say that the game is decided.
fn is_decided(ending: &Ending, position: &Position, player: Player, value: f32) -> bool {
    let score = final_points(ending, position);
    let loses = if player == 0 { score < 0.0 } else { score > 0.0 };
    (value > SURE && is_ahead(position, player)) || (value < 1.0 - SURE && loses)
}

/// The legal moves of a report: the recommended one first, then by pulls. The search does not know all that the
/// history forbids.
fn candidates(report: &Report<String>, position: &Position, player: Player) -> Vec<Candidate> {
    let mut candidates: Vec<(bool, Candidate)> = report
        .arms
        .iter()
        .filter_map(|arm| {
            let vertex = Vertex::read(&arm.action, position.size())?;
            let is_best = Some(&arm.action) == report.best.as_ref();
            let high = arm.mean + 2.0 * arm.error.unwrap_or(0.5);
            position
                .is_legal(player, vertex)
                .then_some((is_best, Candidate { vertex, pulls: arm.pulls, mean: arm.mean, high }))
        })
        .collect();
    candidates.sort_by_key(|(is_best, candidate)| std::cmp::Reverse((*is_best, candidate.pulls)));
    candidates.into_iter().map(|(_, candidate)| candidate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_search::{ArmReport, Stopped};
    use std::time::Duration;

    /// A report of these arms; the first is recommended.
    fn report(arms: &[(&str, u32, f32)]) -> Report<String> {
        let arm = |&(action, pulls, mean): &(&str, u32, f32)| ArmReport::new(action.to_string(), pulls, mean);
        Report {
            best: Some(arms[0].0.into()),
            value: Some(arms[0].2),
            proven: None,
            arms: arms.iter().map(arm).collect(),
            line: Vec::new(),
            lines: Vec::new(),
            evaluation: None,
            simulations: 100,
            nodes: 0,
            bytes: 0,
            left_out: 0,
            recycled: 0,
            time: Duration::ZERO,
            stopped: Stopped::Simulations,
        }
    }

    /// Black has the left three columns and white the other two, with two eyes each; E3 is open if `open`.
    fn divided(open: bool) -> Position {
        let rows: [&str; 5] = if open {
            ["x.xo.", "xxxoo", "x.x.o", "xxxoo", "xxxo."]
        } else {
            ["x.xo.", "xxxoo", "x.xoo", "xxxoo", "xxxo."]
        };
        let mut stones = Vec::new();
        for (row, text) in rows.iter().rev().enumerate() {
            for (column, piece) in text.chars().enumerate() {
                if piece != '.' {
                    stones.push((Vertex::Point(column, row), Player::from(piece == 'o')));
                }
            }
        }
        Position::new(5, 1, &stones, 0).expect("a position")
    }

    #[test]
    fn a_win_on_the_board_ends_the_game() {
        let mut position = divided(false);
        assert!(!ends_well(&position, 0), "nobody has passed");
        position.play(1, Vertex::Pass);
        assert!(ends_well(&position, 0) && !ends_well(&position, 1));
        position.set_komi(20);
        assert!(!ends_well(&position, 0), "white is ahead");
    }

    #[test]
    fn dead_stones_are_taken_where_they_matter() {
        // White's stone at B5 makes the corner neutral, and puts white ahead on the board.
        let rows = [".ox..", "..x.x", "xxxxx", "ooooo", ".oo.o"];
        let mut stones = Vec::new();
        for (row, text) in rows.iter().rev().enumerate() {
            for (column, piece) in text.chars().enumerate().filter(|(_, piece)| *piece != '.') {
                stones.push((Vertex::Point(column, row), Player::from(piece == 'o')));
            }
        }
        let mut position = Position::new(5, 7, &stones, 0).expect("a position");
        let arms = [("D5", 50, 0.95), ("D4", 40, 0.95), ("B4", 30, 0.94), ("A5", 20, -0.5), ("pass", 1, 0.0)];
        let check = |position: &Position, aim, expect: &str| {
            assert_eq!(choose(&report(&arms), position, 0, aim).to_string(), expect);
        };
        check(&position, Aim::CleanUp, "B4");
        check(&position, Aim::Win, "D5");
        position.play(1, Vertex::Pass);
        check(&position, Aim::Win, "B4");
    }

    #[test]
    fn points_that_are_open_are_filled() {
        let check = |open, arms: &[(&str, u32, f32)], aim, expect: &str| {
            assert_eq!(choose(&report(arms), &divided(open), 0, aim).to_string(), expect, "{arms:?}");
        };
        check(true, &[("pass", 50, 0.95), ("D3", 40, 0.95)], Aim::Win, "D3");
        check(true, &[("pass", 50, 0.95), ("D3", 40, 0.5)], Aim::Win, "pass");
        check(true, &[("pass", 50, 0.95), ("B5", 45, 0.95), ("D3", 40, 0.95)], Aim::Win, "D3");
        check(false, &[("pass", 50, 0.95), ("B5", 40, 0.95)], Aim::Win, "pass");
        // Nothing is open, and both the search and the board are decided.
        check(false, &[("B5", 50, 0.95), ("pass", 40, 0.9)], Aim::Win, "pass");
        check(false, &[("B5", 50, 0.5), ("pass", 40, 0.4)], Aim::Win, "B5");
        check(false, &[("D3", 50, 0.5), ("B3", 40, 0.4)], Aim::Win, "B3");
        check(false, &[("D3", 50, 0.5)], Aim::Win, "pass");
    }
}
