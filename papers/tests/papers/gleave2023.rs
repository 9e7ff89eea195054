use super::threads_change_nothing;
use aji_papers::gleave2023::PAPER;

#[test]
fn studies_on_any_threads() {
    let section = threads_change_nothing(&PAPER, "others");
    assert_eq!(section.claims.len(), 1);
    assert!(section.claims[0].claim.starts_with("8."), "{:?}", section.claims);
}
