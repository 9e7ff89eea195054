use super::{threads_change_nothing, verdict};
use aji_lab::report::Verdict;
use aji_papers::silver2018::PAPER;

#[test]
fn studies_on_any_threads() {
    let numbers = |study: &str| {
        let section = threads_change_nothing(&PAPER, study);
        section.claims.iter().map(|claim| claim.claim[..2].to_string()).collect::<Vec<_>>()
    };
    assert_eq!(numbers("search_and_network"), ["1.", "2."]);
    assert_eq!(numbers("playout_policy"), ["5.", "6."]);
    assert_eq!(numbers("training"), ["7.", "8."]);
}

/// The network is far stronger than UCT with as few simulations.
#[test]
fn the_network_beats_uct() {
    let section = threads_change_nothing(&PAPER, "against_uct");
    assert_eq!(verdict(&section, "3."), Verdict::Holds, "{:?}", section.claims);
}
