//! The lecture's example of UCB1 in a tree ("UCT: Example"): a node with 98 playouts and three children.

use super::C;
use aji_lab::report::{Cell, Claim, Section, Statement, Table, Verdict};
use aji_lab::{Error, Lab};
use aji_search::bandit::{Arms, Ucb1};
use aji_search::{Arm, Rng, Select};

/// The utility, playouts and printed index of each child.
const CHILDREN: [(f32, u32, &str); 3] = [(60.0, 79, "1.1"), (1.0, 10, "1.06"), (0.0, 9, "1")];

pub(super) fn run(_: &Lab) -> Result<Section, Error> {
    let arms: Arms =
        CHILDREN.iter().map(|&(utility, pulls, _)| Arm { pulls, mean: utility / pulls as f32 }).collect();
    let mut rule = Ucb1 { c: C };
    let mut table = Table::new(
        "UCB1 indices of the lecture's tree",
        &["child", "U/N", "average", "index", "printed", "agrees"],
    )
    .with_note(
        "Parent 98 playouts, c = √2. A printed index agrees if ours is the same to the printed decimals.",
    );
    let mut agreeing = 0;
    for (index, &(utility, pulls, printed)) in CHILDREN.iter().enumerate() {
        let bound = f64::from(rule.bound(&arms.view(), index));
        let agrees = agrees(bound, printed);
        agreeing += usize::from(agrees);
        table.push(vec![
            format!("n{}", index + 1).into(),
            format!("{utility}/{pulls}").into(),
            Cell::number(f64::from(arms.view().means[index]), 6),
            Cell::number(bound, 6),
            printed.into(),
            if agrees { "yes" } else { "no" }.into(),
        ]);
    }
    let chosen = rule.select(&arms.view(), &mut Rng::seeded(0));
    let holds = agreeing == CHILDREN.len() && chosen == 0;
    let statement =
        Statement::new("UCB1 indices of the tree example", "1.1, 1.06, 1; the search goes on with n1");
    let claim = Claim::decided(
        statement,
        format!("{agreeing} of {} indices agree; goes on with n{}", CHILDREN.len(), chosen + 1).into(),
        if holds { Verdict::Holds } else { Verdict::Fails },
        "holds when every index is the same to the printed decimals and n1 is selected; fails otherwise; \
         exact, no error",
    );
    Ok(Section {
        title: "The index table".into(),
        prose: vec![
            "A node with 98 playouts has children with 60 of 79, 1 of 10 and 0 of 9 points. The indices are \
             those that the search itself compares (`Ucb1::bound`), in its single precision."
                .into(),
        ],
        tables: vec![table],
        claims: vec![claim],
        ..Section::default()
    })
}

/// Whether a number, rounded to the decimals of a printed one, reads the same.
pub(super) fn agrees(value: f64, printed: &str) -> bool {
    let decimals = printed.split_once('.').map_or(0, |(_, decimals)| decimals.len());
    format!("{value:.decimals$}") == printed
}
