//! Beyond the paper: divide and conquer, which its last section proposes but does not try, up to sizes comparable to
//! 19x19 Go.

use super::match_rates::{Learned, Learner, Size, figure, measure, settings, tables};
use super::{MAXI, measured};
use crate::shared::{left_out, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Claim, Section, Statement};
use aji_lab::statistics::paired;
use aji_lab::{Error, Lab};

/// Learners of the whole game at once.
const DIRECT: [Learner; 2] =
    [("direct, list", MAXI), ("direct, least squares", "uct c=15 unit=points playout=maxi read=squares")];

/// Learners of two heaps at a time, which regroup and merge the results.
const DIVIDED: [Learner; 2] =
    [("divided, list", "divide group=2 read=list"), ("divided, least squares", "divide group=2")];

/// The size of the claim on divide and conquer, with its simulations and the rate to reach.
const TARGET: (Size, u64, f64) = (Size::new(10, 10), 10_000, 88.0);

/// A size, its games, and the budgets of direct and of divided learners.
struct Part {
    name: &'static str,
    size: Size,
    games: u64,
    direct: &'static [u64],
    divided: &'static [u64],
}

const QUICK: [Part; 2] = [
    Part {
        name: "division-10x10",
        size: TARGET.0,
        games: 20,
        direct: &[1000, 10_000],
        divided: &[1000, 10_000],
    },
    Part {
        name: "division-361x3",
        size: Size::new(361, 3),
        games: 2,
        direct: &[3000],
        divided: &[3000, 30_000],
    },
];

const FULL: [Part; 3] = [
    Part {
        name: "division-10x10",
        size: TARGET.0,
        games: 100,
        direct: &[1000, 10_000, 100_000],
        divided: &[1000, 10_000, 100_000],
    },
    Part {
        name: "division-172x10",
        size: Size::new(172, 10),
        games: 10,
        direct: &[10_000, 100_000],
        divided: &[10_000, 100_000, 1_000_000],
    },
    Part {
        name: "division-361x3",
        size: Size::new(361, 3),
        games: 10,
        direct: &[10_000, 100_000],
        divided: &[10_000, 100_000, 1_000_000],
    },
];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let parts: &[Part] = lab.scale.pick(&QUICK, &FULL);
    let (mut tables_of_all, mut figures, mut more) = (Vec::new(), Vec::new(), Vec::new());
    let mut target = None;
    for part in parts {
        let direct = settings(part.size, &DIRECT, part.direct);
        let divided = settings(part.size, &DIVIDED, part.divided);
        let learned = measure(lab, part.name, &[direct, divided].concat(), part.games)?;
        let title = format!("{}, {} games", part.size, part.games);
        tables_of_all.extend(tables(&title, &learned));
        figures.push(figure(part.name, &format!("Divide and conquer at {}", part.size), &learned));
        more.push(lead(part, &learned));
        if part.size == TARGET.0 {
            target = find(&learned, DIVIDED[1].0, TARGET.1).map(reaches);
        }
    }
    let said = "opens a door for further research into more efficient incentive learning algorithms (VI)";
    let what = "6b. Dividing learns more than the whole game at once, at equal simulations";
    let whole = Claim::all_of(Statement::new(what, said), &more);
    let measure = "match rate of the divided less that of the direct learner by least squares, game by \
                   game, in percent, at the largest number of simulations that both had";
    Ok(Section {
        title: "Beyond the paper: divide and conquer".into(),
        prose: vec![
            "The incentive of an action does not depend on the other heaps. So `divide group=2` learns two \
             heaps at a time, each pair in a search of its own, then regroups the heaps. It reads the order \
             from the differences of all searches together. Simulations are those of all groups. A \
             simulation of two heaps is shorter than one of the whole game, so equal simulations take less time."
                .into(),
            "172x10 and 361x3 have about as many positions as 19x19 Go, says the paper. Searches of groups \
             share what they find between positions (transpositions) and keep whole simulated paths, which \
             direct learning does not."
                .into(),
        ],
        tables: tables_of_all,
        figures,
        claims: target.into_iter().chain([with_parts(whole, &more, measure, "above 0")]).collect(),
        left_out: left_out(
            lab,
            "172x10 is missing, 20 games of 10x10 instead of 100 and 2 of 361x3 instead of 10, with up to \
             10,000 simulations instead of 100,000 and 1,000,000.",
        ),
        ..Section::default()
    })
}

fn find<'a>(learned: &'a [Learned], label: &str, simulations: u64) -> Option<&'a Learned> {
    learned
        .iter()
        .find(|learned| learned.setting.learner.0 == label && learned.setting.simulations == simulations)
}

fn reaches(divided: &Learned) -> Claim {
    let (size, simulations, rate) = TARGET;
    let what = format!(
        "6a. Divide and conquer matches more than {rate}% at {size} with {} simulations in all",
        thousands(simulations)
    );
    Claim::greater(
        Statement::new(&what, "proposed without numbers (VI); the number is ours"),
        measured(&divided.rate()),
        rate,
    )
}

/// By how much the divided learner is ahead at the largest budget of both.
fn lead(part: &Part, learned: &[Learned]) -> Claim {
    let budget =
        part.direct.iter().copied().filter(|budget| part.divided.contains(budget)).max().unwrap_or(0);
    let rates = |label| find(learned, label, budget).map(Learned::by_game).unwrap_or_default();
    let lead = paired(&rates(DIVIDED[1].0), &rates(DIRECT[1].0)).expect("two games or more").difference;
    let name = format!("{} at {}:", part.size, thousands(budget));
    Claim::greater(Statement::new(&name, ""), measured(&lead), 0.0)
}
