use super::threads_change_nothing;
use aji_papers::gleave2023::PAPER;

#[test]
fn studies_on_any_threads() {
    let section = threads_change_nothing(&PAPER, "others");
    assert_eq!(section.claims.len(), 1);
    assert!(section.claims[0].claim.starts_with("8."), "{:?}", section.claims);
}

#[test]
fn blunders_are_found_and_cures_are_asked() {
    let section = threads_change_nothing(&PAPER, "tricks");
    assert_eq!((section.tables.len(), section.figures.len(), section.claims.len()), (2, 1, 2));
    assert_eq!(section.tables[1].rows.len(), 6, "three cures, each with two budgets");
}

#[test]
fn cures_are_attacked_again() {
    let section = threads_change_nothing(&PAPER, "cures");
    assert_eq!((section.tables[0].rows.len(), section.tables[1].rows.len()), (3, 2));
    let numbers: Vec<&str> = section.claims.iter().map(|claim| &claim.claim[..3]).collect();
    assert_eq!(numbers, ["11.", "12.", "13.", "14."]);
}

#[test]
fn other_victims_are_attacked() {
    let section = threads_change_nothing(&PAPER, "victims");
    assert_eq!((section.tables[0].rows.len(), section.claims.len()), (3, 2));
}
