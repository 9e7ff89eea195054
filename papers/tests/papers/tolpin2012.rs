use super::{section, threads_change_nothing, verdict};
use aji_lab::report::Verdict;
use aji_papers::tolpin2012::PAPER;

#[test]
fn stopping_on_any_threads() {
    threads_change_nothing(&PAPER, "stopping");
}

/// Claims far beyond the noise of a hundred bandits.
#[test]
fn voi_finds_the_best_arm() {
    let section = section(&PAPER, "best_arm", 2);
    for number in ["1a.", "1b.", "2b."] {
        assert_ne!(verdict(&section, number), Verdict::Fails, "{:?}", section.claims);
    }
    assert_eq!(section.tables[0].columns, ["rule", "32", "64", "128", "256", "512", "1,024"]);
}
