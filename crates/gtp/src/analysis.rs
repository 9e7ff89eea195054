//! What a search has found, for people: the lines that Lizzie and Sabaki read during a search, and GoGui's maps.

use crate::position::Position;
use crate::record::Record;
use crate::status::Ending;
use crate::vertex::{Vertex, read_colour};
use aji_catalog::TreeNode;
use aji_search::{ArmReport, Player, Report};
use std::time::Duration;

/// The default time between lines.
const INTERVAL: Duration = Duration::from_secs(1);

/// Longer intervals are read as this.
const INTERVAL_MAX: f64 = 3_600.0;

/// How many moves are followed further, and how far.
const FOLLOWED: usize = 10;
pub(crate) const FOLLOWED_PLIES: usize = 3;

/// Playouts that estimate the score, after the best line and after those of other moves.
const PLAYOUTS: usize = 400;
const PLAYOUTS_OF_OTHERS: usize = 50;

/// The format of the lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    /// Leela Zero: integers, with 10000 for a sure win.
    Leela,
    /// KataGo: shares and points.
    Kata,
}

/// What to report, and how often.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Analysis {
    pub(crate) player: Player,
    pub(crate) interval: Duration,
    dialect: Dialect,
    moves_max: usize,
    has_owners: bool,
    has_root: bool,
    /// If not empty, only `allowed` is searched; `avoided` never is.
    allowed: Vec<Vertex>,
    avoided: Vec<Vertex>,
}

impl Analysis {
    /// Parses the arguments: a colour, an interval in hundredths of a second, and pairs of a word and a value. None
    /// if there is anything else.
    pub(crate) fn parse(dialect: Dialect, words: &[&str], position: &Position) -> Option<Analysis> {
        let mut analysis = Analysis {
            player: position.mover(),
            interval: INTERVAL,
            dialect,
            moves_max: usize::MAX,
            has_owners: false,
            has_root: false,
            allowed: Vec::new(),
            avoided: Vec::new(),
        };
        let mut words = words.iter().copied();
        while let Some(word) = words.next() {
            if let Some(player) = read_colour(word) {
                analysis.player = player;
            } else if let Some(interval) = hundredths(word) {
                analysis.interval = interval;
            } else {
                match word {
                    "interval" => analysis.interval = hundredths(words.next()?)?,
                    "maxmoves" => analysis.moves_max = words.next()?.parse().ok()?,
                    "minmoves" => drop(words.next()?.parse::<usize>().ok()?),
                    "ownership" => analysis.has_owners = switch(words.next()?)?,
                    "rootInfo" => analysis.has_root = switch(words.next()?)?,
                    "movesOwnership"
                    | "ownershipStdev"
                    | "movesOwnershipStdev"
                    | "pvVisits"
                    | "pvEdgeVisits" => drop(switch(words.next()?)?),
                    "allow" | "avoid" => {
                        let player = read_colour(words.next()?)?;
                        let named = words.next()?.split(',').map(|name| Vertex::read(name, position.size()));
                        let vertices = named.collect::<Option<Vec<Vertex>>>()?;
                        words.next()?.parse::<usize>().ok()?;
                        if player == analysis.player {
                            let list =
                                if word == "allow" { &mut analysis.allowed } else { &mut analysis.avoided };
                            list.extend(vertices);
                        }
                    }
                    _ => return None,
                }
            }
        }
        Some(analysis)
    }

    /// The points to leave out of the search, by row from the bottom and then column.
    pub(crate) fn avoided(&self, position: &Position) -> Vec<Vertex> {
        let is_avoided = |vertex: &Vertex| {
            self.avoided.contains(vertex) || !self.allowed.is_empty() && !self.allowed.contains(vertex)
        };
        position.points().map(|(column, row)| Vertex::Point(column, row)).filter(is_avoided).collect()
    }

    /// One line with everything found: a report, and what follows its moves.
    pub(crate) fn line(&self, record: &Record, report: &Report<String>, follow: &Follow) -> String {
        let (size, position) = (record.size(), record.position());
        let is_told = |arm: &&ArmReport<String>| {
            let vertex = Vertex::read(&arm.action, size);
            let is_among = |list: &[Vertex]| vertex.is_some_and(|vertex| list.contains(&vertex));
            arm.pulls > 0 && (self.allowed.is_empty() || is_among(&self.allowed)) && !is_among(&self.avoided)
        };
        let mut arms: Vec<&ArmReport<String>> = report.arms.iter().filter(is_told).collect();
        let is_best = |arm: &ArmReport<String>| Some(&arm.action) == report.best.as_ref();
        arms.sort_by_key(|arm| std::cmp::Reverse((is_best(arm), arm.pulls)));
        arms.truncate(self.moves_max);
        let is_kata = self.dialect == Dialect::Kata;
        let best: Vec<&str> = report.line.iter().map(String::as_str).collect();
        let owners = if is_kata { position.owners_after(self.player, &best, PLAYOUTS) } else { Vec::new() };
        let lead = self.lead(record, &owners);
        let all: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
        let mut told: Vec<String> = Vec::new();
        for (order, arm) in arms.iter().enumerate() {
            let followed = if order < FOLLOWED { follow(&arm.action) } else { None };
            let line = match &followed {
                _ if is_best(arm) && best.len() > 1 => best.clone(),
                Some(node) => line(node),
                None => vec![arm.action.as_str()],
            };
            let lead = if is_kata && !is_best(arm) && order < FOLLOWED {
                self.lead(record, &position.owners_after(self.player, &line, PLAYOUTS_OF_OTHERS))
            } else {
                lead
            };
            told.push(self.info(arm, all, order, lead) + " pv " + &line.join(" "));
        }
        if self.has_root && is_kata {
            let value = report.value.unwrap_or(0.5);
            told.push(format!(
                "rootInfo visits {all} winrate {value:.6} scoreLead {lead:.2} scoreMean {lead:.2}"
            ));
        }
        if self.has_owners && is_kata {
            told.push(self.ownership(&owners, size));
        }
        told.join(" ")
    }

    /// The statistics of a move, without its line.
    fn info(&self, arm: &ArmReport<String>, all: u32, order: usize, lead: f32) -> String {
        let (action, pulls, mean) = (&arm.action, arm.pulls, arm.mean);
        let prior = arm.prior.unwrap_or(pulls as f32 / all.max(1) as f32);
        let low = (mean - 1.96 * arm.error.unwrap_or(0.5)).clamp(0.0, 1.0);
        match self.dialect {
            Dialect::Leela => {
                let whole = |share: f32| (10_000.0 * share).round() as u32;
                let (mean, prior, low) = (whole(mean), whole(prior), whole(low));
                format!(
                    "info move {action} visits {pulls} winrate {mean} prior {prior} lcb {low} order {order}"
                )
            }
            Dialect::Kata => {
                let utility = 2.0 * mean - 1.0;
                format!(
                    "info move {action} visits {pulls} utility {utility:.6} winrate {mean:.6} scoreMean {lead:.2} \
                     scoreLead {lead:.2} scoreSelfplay {lead:.2} prior {prior:.6} lcb {low:.6} \
                     utilityLcb {:.6} order {order}",
                    2.0 * low - 1.0
                )
            }
        }
    }

    /// The player's lead, given the expected owner of each point.
    fn lead(&self, record: &Record, owners: &[f32]) -> f32 {
        let score = owners.iter().sum::<f32>() - record.komi() as f32;
        if self.player == 0 { score } else { -score }
    }

    /// The expected owner of each point, by rows from the top; 1 is the player.
    fn ownership(&self, owners: &[f32], size: usize) -> String {
        let sign = if self.player == 0 { 1.0 } else { -1.0 };
        let points = owners.chunks(size).rev().flatten();
        let told: Vec<String> = points.map(|owner| format!("{:.3}", sign * owner)).collect();
        format!("ownership {}", told.join(" "))
    }
}

/// Finds the node of a move and, below it, the most simulated moves after it.
pub(crate) type Follow<'a> = dyn Fn(&str) -> Option<TreeNode> + 'a;

/// A move, and the most simulated ones after it.
fn line(node: &TreeNode) -> Vec<&str> {
    let nodes = std::iter::successors(Some(node), |node| node.children.first());
    nodes.map(|node| node.action.as_deref().unwrap_or("pass")).collect()
}

fn hundredths(word: &str) -> Option<Duration> {
    let seconds = word.parse::<f64>().ok().filter(|hundredths| *hundredths >= 0.0)? / 100.0;
    Some(Duration::from_secs_f64(seconds.clamp(0.01, INTERVAL_MAX)))
}

fn switch(word: &str) -> Option<bool> {
    match word {
        "true" | "1" | "on" => Some(true),
        "false" | "0" | "off" => Some(false),
        _ => None,
    }
}

/// GoGui's list of what it may show: the type, the title and the command.
pub(crate) const GOGUI_COMMANDS: &str = "sboard/Win Rates/aji-win_rates
dboard/Visits/aji-visits
dboard/Owners/aji-owners";

/// The value of each move to black, in hundredths.
pub(crate) fn win_rates(player: Player, report: &Report<String>, size: usize) -> String {
    let worth = |mean: f32| if player == 0 { mean } else { 1.0 - mean };
    let shown = |arm: &ArmReport<String>| format!("{:.0}", 100.0 * worth(arm.mean));
    map(report, size, "\"\"", shown)
}

/// The visits of each move, as a share of the most visited one.
pub(crate) fn visits(report: &Report<String>, size: usize) -> String {
    let most = report.arms.iter().map(|arm| arm.pulls).max().unwrap_or(0).max(1);
    map(report, size, "0", |arm| format!("{:.3}", f64::from(arm.pulls) / f64::from(most)))
}

/// The expected final owner of each point; 1 is black.
pub(crate) fn owners(ending: &Ending, size: usize) -> String {
    rows(size, |column, row| format!("{:.2}", ending.owners()[row * size + column]))
}

/// Shows something for each move at its point, and `none` at the others.
fn map(
    report: &Report<String>,
    size: usize,
    none: &str,
    shown: impl Fn(&ArmReport<String>) -> String,
) -> String {
    let mut told = vec![String::from(none); size * size];
    for arm in report.arms.iter().filter(|arm| arm.pulls > 0) {
        if let Some(Vertex::Point(column, row)) = Vertex::read(&arm.action, size) {
            told[row * size + column] = shown(arm);
        }
    }
    rows(size, |column, row| told[row * size + column].clone())
}

/// Rows from the top.
fn rows(size: usize, point: impl Fn(usize, usize) -> String) -> String {
    let row = |row: usize| (0..size).map(|column| point(column, row)).collect::<Vec<_>>().join(" ");
    (0..size).rev().map(row).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_of_analyses() {
        let position = Position::new(9, 15, &[], 0).expect("an empty board");
        let parse = |text: &str| {
            let words: Vec<&str> = text.split_whitespace().collect();
            Analysis::parse(Dialect::Kata, &words, &position)
        };
        let check = |text: &str, player, hundredths: u64| {
            let analysis = parse(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!(
                (analysis.player, analysis.interval),
                (player, Duration::from_millis(10 * hundredths)),
                "{text}"
            );
        };
        check("", 0, 100);
        check("50", 0, 50);
        check("w 10", 1, 10);
        check("B interval 20", 0, 20);
        check("0", 0, 1);
        check("white 50 ownership true maxmoves 5 rootInfo true pvVisits false", 1, 50);
        check("b 50 avoid b Q4,D4 1 allow w D4 1".replace("Q4", "E4").as_str(), 0, 50);
        for text in
            ["x", "50 ownership", "ownership maybe", "maxmoves", "avoid b", "avoid b Z99 1", "NaN", "-1"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
    }
}
