//! Fig. 5: RIDE against RAVE, both under the RAND default policy at 5x5.
//!
//! RAVE learns the mean outcome of an action whenever it is played later. There are several ways to turn these means
//! into one order of actions for both players. Each is a line of [`READINGS`].

use super::match_rates::{Learned, Learner, figure, measure, settings, tables};
use super::{FIVE, RAND, measured, part_at};
use crate::shared::{left_out, with_parts};
use aji_lab::report::{Claim, Section, Statement};
use aji_lab::statistics::paired;
use aji_lab::{Error, Lab};

/// RIDE, the reference for the others.
const RIDE: Learner = ("RIDE", RAND);

/// What RIDE is compared with, all under the RAND default policy: the readings of RAVE, and Bouzy & Chaslot's
/// pairwise learning.
const READINGS: &[Learner] = &[
    ("RAVE, both players' plays", "uct c=15 unit=points learn=rave read=pooled"),
    ("RAVE, Left's plays", "uct c=15 unit=points learn=rave read=mover"),
    ("RAVE, Left's less Right's", "uct c=15 unit=points learn=rave read=difference"),
    ("Bouzy & Chaslot", "uct c=15 unit=points learn=bouzy"),
];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[u64] =
        lab.scale.pick(&[100, 1000, 10_000], &[100, 300, 1000, 3000, 10_000, 30_000, 100_000]);
    let games = lab.scale.pick(30, 200);
    let learners: Vec<Learner> = [RIDE].into_iter().chain(READINGS.iter().copied()).collect();
    let learned = measure(lab, "rave", &settings(FIVE, &learners, budgets), games)?;
    let (ride, others) = learned.split_at(budgets.len());
    Ok(Section {
        title: "Fig. 5: RIDE and RAVE".into(),
        prose: vec![format!(
            "Orders learned by RIDE and by other learners of action values, in the same search with random \
             playouts (`{RAND}` and the like), in {games} games of {FIVE}. The paper does not say how to \
             read one order for both players from the values of RAVE. The claim depends on that, so each \
             reading has a row."
        )],
        tables: tables("Fig. 5", &learned),
        figures: vec![figure("rave", "Match rate at 5x5 under RAND, by learner", &learned)],
        claims: READINGS.iter().map(|reading| far_above(ride, others, reading.0)).collect(),
        left_out: left_out(lab, "10,000 simulations at most instead of 100,000, 30 games instead of 200."),
        ..Section::default()
    })
}

/// The claim that RIDE learns more than another learner, at every number of simulations.
fn far_above(ride: &[Learned], others: &[Learned], label: &str) -> Claim {
    let said = "the match rate of incentive learning is far above the one of RAVE (V, Fig. 5)";
    let others: Vec<&Learned> = others.iter().filter(|other| other.setting.learner.0 == label).collect();
    let part = |(ride, other): (&Learned, &&Learned)| {
        let lead = paired(&ride.by_game(), &other.by_game()).expect("two games or more").difference;
        Claim::greater(part_at(ride.setting.simulations, said), measured(&lead), 0.0)
    };
    let parts: Vec<Claim> = ride.iter().zip(&others).map(part).collect();
    let what = format!("3. RIDE learns more than {label}, at every number of simulations");
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    let measure = "match rate of RIDE less that of the other, game by game, in percent";
    with_parts(whole, &parts, measure, "above 0")
}

#[cfg(test)]
mod tests {
    use super::super::match_rates::distinct;
    use super::*;

    #[test]
    fn labels_differ() {
        let labels = distinct([RIDE].iter().chain(READINGS).map(|learner| learner.0));
        assert_eq!(labels.len(), READINGS.len() + 1);
    }
}
