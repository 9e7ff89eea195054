use super::{section, threads_change_nothing, verdict};
use aji_lab::report::Verdict;
use aji_papers::kao2013::PAPER;

#[test]
fn policies_on_any_threads() {
    let policies = threads_change_nothing(&PAPER, "default_policies");
    let numbers: Vec<&str> = policies.claims.iter().map(|claim| &claim.claim[..3]).collect();
    assert_eq!(numbers, ["2a.", "2b."]);
}

#[test]
fn orders_are_learned() {
    let section = section(&PAPER, "table_one", 2);
    // Rates fall by about eight percent with each doubling of the actions. Thirty games show that.
    assert_eq!(verdict(&section, "1d."), Verdict::Holds, "{:?}", section.claims);
    for number in ["1a.", "1b.", "1c."] {
        assert_ne!(verdict(&section, number), Verdict::Fails, "{:?}", section.claims);
    }
    let heads = ["size", "learner", "100", "1,000", "10,000", "top weight"];
    assert_eq!(section.tables[0].columns, heads);
}
