//! Beyond the paper: other orders from the same differences, and potentials that need no table of pairs.
//!
//! Under RAND the playouts do not follow the order, so all read-outs of RIDE see the same differences.

use super::match_rates::{Learned, Learner, figure, measure, settings, tables};
use super::{FIVE, MAXI, RAND, measured, part_at};
use crate::shared::{left_out, with_parts};
use aji_lab::report::{Claim, Section, Statement};
use aji_lab::statistics::paired;
use aji_lab::{Error, Lab};

/// Orders learned under MAXI, which follows them. The first is the reference for the others.
const FOLLOWED: [Learner; 5] = [
    ("MAXI, list", MAXI),
    ("MAXI, list by the paper's updates", "uct c=15 unit=points playout=maxi repair=0"),
    ("MAXI, least squares", "uct c=15 unit=points playout=maxi read=squares"),
    ("MAXI, online potentials", "uct c=15 unit=points playout=potential"),
    ("MAXI, all moves as first", "uct c=15 unit=points playout=maxi learn=rave"),
];

/// The same under RAND.
const UNFOLLOWED: [Learner; 3] = [
    ("RAND, list", RAND),
    ("RAND, least squares", "uct c=15 unit=points learn=ride read=squares"),
    ("RAND, online potentials", "uct c=15 unit=points learn=potential"),
];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[u64] =
        lab.scale.pick(&[100, 1000, 10_000], &[100, 300, 1000, 3000, 10_000, 30_000, 100_000]);
    let games = lab.scale.pick(30, 200);
    let learners = [&FOLLOWED[..], &UNFOLLOWED[..]].concat();
    let learned = measure(lab, "read-outs", &settings(FIVE, &learners, budgets), games)?;
    let (followed, unfollowed) = learned.split_at(FOLLOWED.len() * budgets.len());
    let compare = |number: &str, label: &'static str, base: &[Learned], threshold: f64, what: &str| {
        let what = format!("{number} {what}");
        lead(&base[..budgets.len()], &of(base, label), threshold, &what)
    };
    Ok(Section {
        title: "Beyond the paper: other ways to read the order".into(),
        prose: vec![
            format!(
                "The list is the paper's: an order of least cost, updated as the differences change. Here \
                 the learner repairs the whole list now and then; the paper's update at every change has a row of its own. Least squares fits a number to each action, so that differences of numbers come close to the learned differences, weighted by counts; then it sorts. Online potentials learn such numbers directly: their memory grows with the actions, not with their pairs. \
                 {games} games of {FIVE}."
            ),
            "Under RAND the list and least squares see the same differences. Under MAXI they do not, \
             because the playouts follow the order that was read."
                .into(),
        ],
        tables: tables("Read-outs", &learned),
        figures: vec![
            figure("read-outs-maxi", "Match rate at 5x5 under MAXI, by read-out", followed),
            figure("read-outs-rand", "Match rate at 5x5 under RAND, by read-out", unfollowed),
        ],
        claims: vec![
            compare("5a.", "MAXI, least squares", followed, 0.0, "Least squares beats the list under MAXI"),
            compare(
                "5b.",
                "RAND, least squares",
                unfollowed,
                0.0,
                "Least squares beats the list on the same differences",
            ),
            compare(
                "5c.",
                "MAXI, online potentials",
                followed,
                -MARGIN,
                "Online potentials, in linear memory, come within 2% of the list",
            ),
            compare(
                "5d.",
                "MAXI, list by the paper's updates",
                followed,
                -MARGIN,
                "The paper's updates at every change come within 2% of the repaired list",
            ),
        ],
        left_out: left_out(lab, "10,000 simulations at most instead of 100,000, 30 games instead of 200."),
        ..Section::default()
    })
}

/// How far below the list still counts as a little, in percent.
const MARGIN: f64 = 2.0;

fn of<'a>(learned: &'a [Learned], label: &str) -> Vec<&'a Learned> {
    learned.iter().filter(|learned| learned.setting.learner.0 == label).collect()
}

/// The claim that a read-out is ahead of the list by more than a threshold, at every number of simulations.
fn lead(list: &[Learned], other: &[&Learned], threshold: f64, what: &str) -> Claim {
    let said = "not in the paper; ours";
    let part = |(list, other): (&Learned, &&Learned)| {
        let lead = paired(&other.by_game(), &list.by_game()).expect("two games or more").difference;
        Claim::greater(part_at(list.setting.simulations, said), measured(&lead), threshold)
    };
    let parts: Vec<Claim> = list.iter().zip(other).map(part).collect();
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    let measure =
        "match rate less that of the list, game by game, in percent, for each number of simulations";
    with_parts(whole, &parts, measure, &format!("above {threshold}"))
}
