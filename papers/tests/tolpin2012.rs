//! That the paper's studies do not depend on threads, and say what they claim.

use aji_lab::report::{Section, Verdict};
use aji_lab::{Lab, Runner, Scale};
use aji_papers::tolpin2012::PAPER;
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
    let stopping = section("stopping", 1);
    assert_eq!(stopping, section("stopping", 2));
    for claim in &stopping.claims {
        assert!(claim.rule.contains("the claim holds when every part holds"), "{claim:?}");
        assert_eq!(
            (claim.paper.as_str(), claim.command.as_str()),
            ("tolpin2012", "aji reproduce tolpin2012 --quick")
        );
    }
}

/// What is far beyond the noise of some hundred bandits.
#[test]
fn voi_finds_the_best_arm() {
    let section = section("best_arm", 2);
    let verdict = |number: &str| {
        let claim = section.claims.iter().find(|claim| claim.claim.starts_with(number));
        claim.unwrap_or_else(|| panic!("no claim {number}")).verdict
    };
    assert_ne!(verdict("1a."), Verdict::Fails, "{:?}", section.claims);
    assert_ne!(verdict("1b."), Verdict::Fails, "{:?}", section.claims);
    assert_ne!(verdict("2b."), Verdict::Fails, "{:?}", section.claims);
    assert_eq!(section.tables[0].columns, ["rule", "32", "64", "128", "256", "512", "1,024"]);
}

#[test]
fn studies_have_names_of_their_own() {
    let names: HashSet<&str> = PAPER.studies.iter().map(|study| study.name).collect();
    assert_eq!(names.len(), PAPER.studies.len());
    assert!(PAPER.studies.iter().all(|study| study.seconds.0 <= study.seconds.1));
}
