//! The lecture's numbers.

use super::{section, threads_change_nothing};
use aji_lab::report::{Section, Verdict};
use aji_papers::strass2026::PAPER;

/// The cells of some columns of a section's first table, row by row.
fn cells(section: &Section, columns: &[&str]) -> Vec<Vec<String>> {
    let table = &section.tables[0];
    let place = |name: &&str| table.columns.iter().position(|column| column == name).expect("a column");
    let places: Vec<usize> = columns.iter().map(place).collect();
    table.rows.iter().map(|row| places.iter().map(|&place| row[place].to_text()).collect()).collect()
}

#[test]
fn index_table_of_the_lecture() {
    let section = section(&PAPER, "index_table", 1);
    assert_eq!(cells(&section, &["index"]).concat(), ["1.100192", "1.057598", "1.009397"]);
    assert_eq!(section.claims[0].verdict, Verdict::Holds, "{:?}", section.claims);
}

#[test]
fn bandit_table_of_the_lecture() {
    let section = section(&PAPER, "bandit_table", 1);
    let printed = [
        ["1.78", "1.48", "2.48"],
        ["1.97", "1.67", "1.68"],
        ["1.57", "1.79", "1.77"],
        ["1.64", "1.59", "1.84"],
        ["1.69", "1.64", "1.81"],
        ["1.74", "1.69", "1.52"],
    ];
    let found = cells(&section, &["index 1", "index 2", "index 3"]);
    for (found, printed) in found[3..].iter().flatten().zip(printed.iter().flatten()) {
        let (found, printed): (f64, f64) =
            (found.parse().expect("a number"), printed.parse().expect("a number"));
        assert!((found - printed).abs() < 0.00501, "{found} is not {printed}");
    }
    assert_eq!(cells(&section, &["next"]).concat(), ["1", "2", "3", "3", "1", "2", "3", "3", "1"]);
    assert_eq!(section.claims[0].verdict, Verdict::Holds, "{:?}", section.claims);
}

#[test]
fn regret_and_traps_on_any_threads() {
    for study in ["regret", "traps"] {
        let section = threads_change_nothing(&PAPER, study);
        assert!(section.claims.iter().all(|claim| claim.error.is_some()), "{:?}", section.claims);
    }
}
