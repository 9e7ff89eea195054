//! Checks that a paper's studies do not depend on threads, and that claims name their rule and command. One file per
//! paper.

mod gleave2023;
mod kao2013;
mod results;
mod silver2018;
mod strass2026;
mod tolpin2012;

use aji_lab::report::{Claim, Section, Verdict};
use aji_lab::{Lab, Runner, Scale};
use aji_papers::{PAPERS, Paper};
use std::collections::HashSet;
use std::sync::atomic::AtomicBool;

/// A small run of a study.
fn section(paper: &Paper, study: &str, threads: usize) -> Section {
    let stop = AtomicBool::new(false);
    let runner = Runner { threads, seed: 1, ..Runner::default() };
    let lab = Lab { runner, scale: Scale::Quick, journals: None, progress: &(), stop: &stop };
    let study = paper.studies.iter().find(|other| other.name == study).expect("a study of the paper");
    study.measure(paper, &lab).unwrap_or_else(|error| panic!("{}: {error}", study.name))
}

/// A study gives the same result on one thread and on two, and its claims name their rule and their command.
fn threads_change_nothing(paper: &Paper, study: &str) -> Section {
    let found = section(paper, study, 1);
    assert_eq!(found, section(paper, study, 2));
    for claim in &found.claims {
        assert!(claim.rule.to_lowercase().contains("holds when"), "{claim:?}");
        let command = format!("aji reproduce {} --study {study} --quick", paper.name);
        assert_eq!((claim.paper.as_str(), &claim.command), (paper.name, &command));
        // What is open says what would decide it, and what is partly so has parts of both kinds.
        assert_eq!(claim.needs.is_some(), claim.verdict == Verdict::Open, "{claim:?}");
        if claim.verdict == Verdict::Partly && !claim.parts.is_empty() {
            let has = |verdict| claim.parts.iter().any(|part| part.verdict == verdict);
            assert!(has(Verdict::Holds) && has(Verdict::Fails), "{claim:?}");
        }
    }
    found
}

/// The results in the repository can be read, whatever claims have gained since.
#[test]
fn committed_claims_are_read() {
    for paper in PAPERS {
        let path = format!("{}/{}/results/claims.json", env!("CARGO_MANIFEST_DIR"), paper.name);
        let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
        let claims: Vec<Claim> =
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(claims.len() > 5 && claims.iter().all(|claim| claim.paper == paper.name), "{path}");
    }
}

/// The verdict on the claim of this number.
fn verdict(section: &Section, number: &str) -> Verdict {
    let claim = section.claims.iter().find(|claim| claim.claim.starts_with(number));
    claim.unwrap_or_else(|| panic!("no claim {number}")).verdict
}

#[test]
fn studies_have_names_of_their_own() {
    for paper in PAPERS {
        let names: HashSet<&str> = paper.studies.iter().map(|study| study.name).collect();
        assert_eq!(names.len(), paper.studies.len());
        assert!(paper.studies.iter().all(|study| study.seconds.0 <= study.seconds.1));
    }
}
