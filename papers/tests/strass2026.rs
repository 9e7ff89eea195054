//! The lecture's numbers, and that a study does not depend on threads.

use aji_lab::report::{Section, Verdict};
use aji_lab::{Lab, Runner, Scale};
use aji_papers::strass2026::PAPER;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

fn section(study: &str, threads: usize) -> Section {
    let stop = AtomicBool::new(false);
    let runner = Runner { threads, seed: 1, ..Runner::default() };
    let lab = Lab { runner, scale: Scale::Quick, journals: None, progress: &(), stop: &stop };
    let study = PAPER.studies.iter().find(|other| other.name == study).expect("a study of the paper");
    (study.run)(&lab).unwrap_or_else(|error| panic!("{}: {error}", study.name))
}

/// The cells of some columns of a section's first table, row by row.
fn cells(section: &Section, columns: &[&str]) -> Vec<Vec<String>> {
    let table = &section.tables[0];
    let place = |name: &&str| table.columns.iter().position(|column| column == name).expect("a column");
    let places: Vec<usize> = columns.iter().map(place).collect();
    table.rows.iter().map(|row| places.iter().map(|&place| row[place].to_text()).collect()).collect()
}

#[test]
fn index_table_of_the_lecture() {
    let section = section("index_table", 1);
    assert_eq!(cells(&section, &["index"]).concat(), ["1.100192", "1.057598", "1.009397"]);
    assert_eq!(section.claims[0].verdict, Verdict::Holds, "{:?}", section.claims);
}

#[test]
fn bandit_table_of_the_lecture() {
    let section = section("bandit_table", 1);
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
fn threads_change_nothing() {
    let section = |threads| (section("regret", threads), section("traps", threads));
    let (regret, traps) = section(1);
    assert_eq!((regret.clone(), traps.clone()), section(2));
    for claim in regret.claims.into_iter().chain(traps.claims) {
        assert!(claim.rule.to_lowercase().contains("holds when") && claim.error.is_some(), "{claim:?}");
        assert_eq!(
            (claim.paper.as_str(), claim.command.as_str()),
            ("strass2026", "aji reproduce strass2026 --quick")
        );
    }
}

#[test]
fn studies_have_names_of_their_own() {
    let names: HashSet<&str> = PAPER.studies.iter().map(|study| study.name).collect();
    assert_eq!(names.len(), PAPER.studies.len());
    assert!(PAPER.studies.iter().all(|study| study.seconds.0 <= study.seconds.1));
}
