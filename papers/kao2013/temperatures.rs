//! Beyond the paper: temperatures discovered by search. Its last section asks for better ways to learn incentives; a
//! difference of outcomes under alternating play is not a temperature, and learners of such differences stop at about 90%
//! of the pairs. A search of each part beside a stack of coupons finds the temperature itself.

use super::heap_games::{Met, Pairing, play};
use super::match_rates::{Learned, Learner, Size, cell, figure, measure, settings, tables};
use super::{FIVE, MAXI, measured};
use crate::shared::left_out;
use aji_catalog::thousands;
use aji_cgt::{Graphs, Side};
use aji_games::{Board, Clobber, Domineering, Sum, Summed};
use aji_lab::report::{Claim, Section, Statement, Table};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Experiment, Lab, Trial};
use aji_search::Rng;
use aji_search::learn::Coupons;

/// Plays the hottest action, so that all simulations go into temperatures.
const COUPONS: Learner = ("coupons", "coupons ahead=off");

const OTHERS: [Learner; 2] =
    [("MAXI", MAXI), ("all moves as first", "uct c=15 unit=points playout=maxi learn=rave")];

/// A size with its simulations, and the rate to reach.
struct Target {
    name: &'static str,
    size: Size,
    games: (u64, u64),
    simulations: u64,
    rate: f64,
    /// The best of other learners that the rate was set by.
    before: &'static str,
}

const TARGETS: [Target; 4] = [
    Target {
        name: "coupons-5x5",
        size: FIVE,
        games: (20, 200),
        simulations: 1_000,
        rate: 93.0,
        before: "88.9",
    },
    Target {
        name: "coupons-10x10",
        size: Size::new(10, 10),
        games: (4, 100),
        simulations: 10_000,
        rate: 95.0,
        before: "89.9",
    },
    Target {
        name: "coupons-172x10",
        size: Size::new(172, 10),
        games: (0, 10),
        simulations: 1_000_000,
        rate: 97.0,
        before: "90.8",
    },
    Target {
        name: "coupons-361x3",
        size: Size::new(361, 3),
        games: (0, 10),
        simulations: 1_000_000,
        rate: 97.0,
        before: "92.4",
    },
];

/// The regions of a sum of boards.
const REGIONS: usize = 8;

/// The cells of the largest region that is kept: exact temperatures of larger ones take long.
const CELLS_MAX: u32 = 16;

/// The simulations for each region.
const REGION_SIMULATIONS: u64 = 10_000;

/// The points that the player may lose to exact play in two games, and the simulations of a move.
const LOSS: (f64, u64) = (0.3, 1_000);

/// Others that the player meets with as many simulations.
const PLAYERS: [(&str, &str); 6] = [
    ("exact", "exact"),
    ("thermostrat, exact thermographs", "thermo"),
    ("sentestrat, exact thermographs", "sentestrat"),
    ("MAXI", MAXI),
    ("all moves as first", "uct c=15 unit=points playout=maxi learn=rave"),
    ("UCT, random playouts", "uct c=15 unit=points"),
];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[u64] = lab.scale.pick(&[300, 1_000], &[100, 300, 1_000, 3_000, 10_000]);
    let games = lab.scale.pick(TARGETS[0].games.0, TARGETS[0].games.1);
    let learners = [&[COUPONS][..], &OTHERS].concat();
    let at_five = measure(lab, "coupons-learners", &settings(FIVE, &learners, budgets), games)?;
    let mut all = tables(&format!("Temperatures from search at {FIVE}"), &at_five);
    let mut claims = Vec::new();
    for target in &TARGETS {
        let games = lab.scale.pick(target.games.0, target.games.1);
        if games > 0 {
            let learned =
                measure(lab, target.name, &settings(target.size, &[COUPONS], &[target.simulations]), games)?;
            claims.extend(learned.iter().map(|learned| target.reached(learned)));
            all.extend(
                tables(&format!("Temperatures from search at {}", target.size), &learned).into_iter().take(1),
            );
        }
    }
    let sums = lab.scale.pick(4, 100);
    let regions = lab.run(&Regions { sums })?;
    let boards: Vec<Boards> = GAMES.iter().zip(regions.chunks(sums as usize)).map(Boards::of).collect();
    all.push(Boards::table(&boards));
    claims.extend(boards.iter().filter_map(Boards::claim));
    let positions = lab.scale.pick(10, 200);
    let (most, simulations) = LOSS;
    let pairing = |(_, other): &(&str, &str)| {
        let budget =
            if other.starts_with("uct") { format!(" simulations={simulations}") } else { String::new() };
        Pairing { a: format!("coupons simulations={simulations}"), b: format!("{other}{budget}"), positions }
    };
    let pairings: Vec<Pairing> = PLAYERS.iter().map(pairing).collect();
    let met = play(lab, "coupons-players", FIVE, &pairings)?;
    all.push(meetings(&met));
    let lost = met[0].mean(|sum| sum);
    let what = format!(
        "12g. With {} simulations a move `coupons` loses less than {most} points in two games to exact play",
        thousands(simulations)
    );
    claims.push(Claim::greater(
        Statement::new(&what, "the measure of claim 7; MAXI loses 1.64"),
        measured(&lost),
        -most,
    ));
    Ok(Section {
        title: "Beyond the paper: temperatures discovered by search".into(),
        prose: vec![
            "`coupons` searches each part alone, beside a stack of coupons of falling values. A player takes the top coupon \
             or moves in the part. The temperature is the value of the coupon at which moving begins. The search finds the \
             range of the coupons itself: a first stack reaches as far as a few random plays differ, and each further stack \
             reaches a little beyond the hottest position found, with twice as many coupons. It knows the rules and what \
             moves pay, and nothing of thermographs."
                .into(),
            "The parts are small, so most searches come to exact values for their stack, and the positions of one part share \
             what is found. That is why the rates are so high. What is left are temperatures closer together than two \
             coupons."
                .into(),
            format!(
                "As a player `coupons` spends at most half of the simulations on temperatures. With the rest it looks ahead by \
                 alpha-beta, and values the end of each line by the game from there in which both sides take the hottest \
                 action; each line is a simulation. The constants were chosen on games of 4x4, 5x5 with other seeds, 6x6, and \
                 boards of 4x4 cells. Boards here are regions of random 6x6 boards with at most {CELLS_MAX} cells, {REGIONS} in a \
                 sum."
            ),
        ],
        tables: all,
        figures: vec![figure("coupons", "Match rate at 5x5: temperatures from search, and other learners", &at_five)],
        claims,
        left_out: left_out(
            lab,
            "1,000 simulations at most at 5x5 instead of 10,000, 20 games instead of 200, no 172x10 and 361x3, 4 sums of boards \
             instead of 100, and 10 positions a pairing instead of 200.",
        ),
        ..Section::default()
    })
}

impl Target {
    fn reached(&self, learned: &Learned) -> Claim {
        let letter = TARGETS
            .iter()
            .position(|target| target.name == self.name)
            .map_or('a', |place| (b'a' + place as u8) as char);
        let what = format!(
            "12{letter}. Temperatures from search match more than {}% at {} with {} simulations in all",
            self.rate,
            self.size,
            thousands(self.simulations)
        );
        let said = format!(
            "better incentive learning (VI); the best of the other learners reaches {}%",
            self.before
        );
        Claim::greater(Statement::new(&what, &said), measured(&learned.rate()), self.rate)
    }
}

/// The games of boards, and how likely each sign is, as a list to draw from.
const GAMES: [(&str, &[char]); 2] =
    [("Domineering", &['.', '.', '.', '#', '#']), ("Clobber", &['x', 'x', 'o', 'o', '.'])];

/// Sums of regions of random boards. The record is the pairs of regions with different temperatures, those in the right
/// order, and the regions that were solved.
struct Regions {
    sums: u64,
}

impl Experiment for Regions {
    type Record = [u64; 3];

    fn name(&self) -> String {
        "kao2013-coupons-regions".into()
    }

    fn parameters(&self) -> serde_json::Value {
        let games = GAMES.map(|(name, signs)| (name, signs.iter().collect::<String>()));
        serde_json::json!({
            "sums": self.sums, "games": games, "regions": REGIONS, "cells": CELLS_MAX, "simulations": REGION_SIMULATIONS
        })
    }

    fn trials(&self) -> u64 {
        self.sums * GAMES.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<[u64; 3], Error> {
        let (game, round) = ((trial.id / self.sums) as usize, Trial { id: trial.id % self.sums, ..trial });
        let mut rng = Rng::seeded(round.seed_of("boards"));
        match game {
            0 => compare::<Domineering>(GAMES[0].1, &mut rng),
            _ => compare::<Clobber>(GAMES[1].1, &mut rng),
        }
    }
}

/// Regions of random boards whose temperatures are learned, and compared with the exact ones.
fn compare<B: Board>(signs: &[char], rng: &mut Rng) -> Result<[u64; 3], Error> {
    let mut regions: Vec<B> = Vec::new();
    while regions.len() < REGIONS {
        let mut row = || (0..6).map(|_| signs[rng.below(signs.len())]).collect::<String>();
        let rows: Vec<String> = (0..6).map(|_| row()).collect();
        let board = Sum::<B>::of_text(&rows.join("/"), Side::Left).map_err(Error::new)?;
        let small = board.parts().into_iter().filter(|part| part.size().cells().count_ones() <= CELLS_MAX);
        regions.extend(small.take(REGIONS - regions.len()));
    }
    let sum = Sum::new(&regions, Side::Left);
    let coupons = Coupons { levels: 32, bytes: 256 << 20, threads: 1 };
    let heats = coupons.learn(&sum, REGIONS as u64 * REGION_SIMULATIONS, rng);
    let mut graphs = <Sum<B> as Summed>::Graphs::default();
    let mut both = Vec::new();
    for (region, (_, heat)) in regions.iter().zip(&heats) {
        let graph = graphs.graph(region).map_err(|error| Error::new(error.to_string()))?;
        both.push((graph.temperature(), heat.temperature));
    }
    let mut found = [0, 0, heats.iter().filter(|(_, heat)| heat.is_exact).count() as u64];
    for (place, one) in both.iter().enumerate() {
        for other in both[..place].iter().filter(|other| other.0 != one.0) {
            found[0] += 1;
            found[1] += u64::from((one.0 > other.0) == (one.1 > other.1));
        }
    }
    Ok(found)
}

/// The result for a game of boards.
struct Boards {
    name: &'static str,
    /// The percentage of pairs in the right order; none without two sums that have pairs.
    rate: Option<Estimate>,
    solved: f64,
    pairs: u64,
}

impl Boards {
    fn of(((name, _), records): (&(&'static str, &[char]), &[[u64; 3]])) -> Boards {
        let rates: Vec<f64> = records
            .iter()
            .filter(|[pairs, ..]| *pairs > 0)
            .map(|[pairs, good, _]| 100.0 * *good as f64 / *pairs as f64)
            .collect();
        let solved: u64 = records.iter().map(|[.., solved]| solved).sum();
        Boards {
            name,
            rate: estimate(&rates),
            solved: 100.0 * solved as f64 / (records.len() * REGIONS) as f64,
            pairs: records.iter().map(|[pairs, ..]| pairs).sum(),
        }
    }

    fn table(boards: &[Boards]) -> Table {
        let mut table = Table::new(
            "Regions of random boards",
            &["game", "pairs", "in the right order (%)", "regions solved (%)"],
        )
        .with_note("Pairs of regions of a sum with different temperatures; mean over sums with half its 95% interval.");
        for board in boards {
            let rate = board.rate.as_ref().map_or("".into(), |rate| cell(rate, 1));
            let solved = aji_lab::report::Cell::number(board.solved, 1);
            table.push(vec![board.name.into(), thousands(board.pairs).into(), rate, solved]);
        }
        table
    }

    fn claim(&self) -> Option<Claim> {
        let letter = if self.name == GAMES[0].0 { 'e' } else { 'f' };
        let what = format!(
            "12{letter}. In {} at least 95% of the pairs of regions stand in the order of their temperatures, with {} \
             simulations each",
            self.name,
            thousands(REGION_SIMULATIONS)
        );
        let statement = Statement::new(&what, "not tried there; the number is ours");
        Some(Claim::greater(statement, measured(self.rate.as_ref()?), 95.0))
    }
}

fn meetings(met: &[Met]) -> Table {
    let columns = ["opponent", "won", "tied", "lost", "points ahead"];
    let title = format!("`coupons` with {} simulations a move against others at {FIVE}", thousands(LOSS.1));
    let mut table = Table::new(title, &columns).with_note(
        "Points ahead: the mean sum of the scores of both games of a position, with half its 95% interval.",
    );
    for ((label, _), met) in PLAYERS.iter().zip(met) {
        let [won, tied, lost] = met.counts();
        table.push(vec![
            (*label).into(),
            won.into(),
            tied.into(),
            lost.into(),
            cell(&met.mean(|sum| sum), 2),
        ]);
    }
    table
}
