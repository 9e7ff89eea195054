//! That the paper's studies do not depend on threads, and say what they claim.

use aji_lab::report::{Section, Verdict};
use aji_lab::{Lab, Runner, Scale};
use aji_papers::kao2013::PAPER;
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

fn section(study: &str, threads: usize) -> Section {
    let stop = AtomicBool::new(false);
    let runner = Runner { threads, seed: 1, ..Runner::default() };
    let lab = Lab { runner, scale: Scale::Quick, journals: None, progress: &(), stop: &stop };
    let study = PAPER.studies.iter().find(|other| other.name == study).expect("a study of the paper");
    (study.run)(&lab).unwrap_or_else(|error| panic!("{}: {error}", study.name))
}

#[test]
fn threads_change_nothing() {
    let policies = section("default_policies", 1);
    assert_eq!(policies, section("default_policies", 2));
    let numbers: Vec<&str> = policies.claims.iter().map(|claim| &claim.claim[..3]).collect();
    assert_eq!(numbers, ["2a.", "2b."]);
    for claim in &policies.claims {
        assert!(claim.rule.contains("the claim holds when every part holds"), "{claim:?}");
        assert_eq!(
            (claim.paper.as_str(), claim.command.as_str()),
            ("kao2013", "aji reproduce kao2013 --quick")
        );
    }
}

#[test]
fn orders_are_learned() {
    let section = section("table_one", 2);
    let verdict = |number: &str| {
        let claim = section.claims.iter().find(|claim| claim.claim.starts_with(number));
        claim.unwrap_or_else(|| panic!("no claim {number}")).verdict
    };
    // Rates fall by about eight percent with each doubling of the actions: thirty games show that.
    assert_eq!(verdict("1d."), Verdict::Holds, "{:?}", section.claims);
    assert!(
        ["1a.", "1b.", "1c."].iter().all(|number| verdict(number) != Verdict::Fails),
        "{:?}",
        section.claims
    );
    let heads = ["size", "learner", "100", "1,000", "10,000", "top weight"];
    assert_eq!(section.tables[0].columns, heads);
}

#[test]
fn studies_have_names_of_their_own() {
    let names: HashSet<&str> = PAPER.studies.iter().map(|study| study.name).collect();
    assert_eq!(names.len(), PAPER.studies.len());
    assert!(PAPER.studies.iter().all(|study| study.seconds.0 <= study.seconds.1));
}
