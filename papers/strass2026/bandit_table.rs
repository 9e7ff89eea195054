//! The lecture's bandit ("UCB1 for Multi-Armed Bandits: Example"): nine plays of three arms.

use super::C;
use super::index_table::agrees;
use aji_lab::report::{Cell, Claim, Section, Statement, Table, Verdict};
use aji_lab::{Error, Lab};
use aji_search::bandit::{Arms, Ucb1};
use aji_search::{Rng, Select};

const ARMS: usize = 3;

/// The reward of each play, and the arm that the lecture plays, from 1.
const PLAYS: [(f32, usize); 9] =
    [(0.3, 1), (0.0, 2), (1.0, 3), (0.0, 3), (0.3, 1), (0.5, 2), (1.0, 3), (0.0, 3), (0.3, 1)];

/// The printed indices after plays 3 to 8.
const PRINTED: [[&str; ARMS]; 6] = [
    ["1.78", "1.48", "2.48"],
    ["1.97", "1.67", "1.68"],
    ["1.57", "1.79", "1.77"],
    ["1.64", "1.59", "1.84"],
    ["1.69", "1.64", "1.81"],
    ["1.74", "1.69", "1.52"],
];

pub(super) fn run(_: &Lab) -> Result<Section, Error> {
    let columns = [
        "plays",
        "index 1",
        "printed 1",
        "index 2",
        "printed 2",
        "index 3",
        "printed 3",
        "next",
        "printed next",
        "reward",
    ];
    let mut table = Table::new("The lecture's bandit play by play", &columns).with_note(
        "Each row has the number of plays so far, the indices then, the arm that UCB1 plays next, and its reward.",
    );
    let (mut rule, mut rng, mut arms) = (Ucb1 { c: C }, Rng::seeded(0), Arms::new(ARMS));
    let (mut indices, mut choices) = (0, 0);
    for (plays, (reward, expected)) in PLAYS.into_iter().enumerate() {
        let chosen = rule.select(&arms.view(), &mut rng);
        choices += usize::from(chosen + 1 == expected);
        let mut row = vec![plays.into()];
        let printed_row = plays.checked_sub(ARMS).map(|row| PRINTED[row]);
        for arm in 0..ARMS {
            let printed = printed_row.map(|row| row[arm]);
            let bound = f64::from(rule.bound(&arms.view(), arm));
            indices += usize::from(printed.is_some_and(|printed| agrees(bound, printed)));
            row.push(printed.map_or("".into(), |_| Cell::number(bound, 4)));
            row.push(printed.unwrap_or_default().into());
        }
        row.extend([(chosen + 1).into(), expected.into(), Cell::number(reward.into(), 1)]);
        table.push(row);
        // The lecture's rewards belong to its arms, so those are played even if ours differ.
        arms.add(expected - 1, reward);
    }
    Ok(Section {
        title: "The bandit table".into(),
        prose: vec![
            "Three arms, each played once and then as UCB1 says. Rewards are the lecture's; the choices are \
             made by the rule that searches use (`Ucb1::select`)."
                .into(),
        ],
        tables: vec![table],
        claims: vec![claim(indices, choices)],
        ..Section::default()
    })
}

fn claim(indices: usize, choices: usize) -> Claim {
    let (all_indices, all_choices) = (PRINTED.len() * ARMS, PLAYS.len());
    let holds = indices == all_indices && choices == all_choices;
    Claim::decided(
        Statement::new(
            "UCB1 indices and choices of the bandit example",
            "18 indices to two decimals; arms 1 2 3 3 1 2 3 3 1",
        ),
        format!("{indices} of {all_indices} indices and {choices} of {all_choices} choices agree").into(),
        if holds { Verdict::Holds } else { Verdict::Fails },
        "holds when every index is the same to two decimals and every choice is the same; fails otherwise; \
         exact, no error",
    )
}
