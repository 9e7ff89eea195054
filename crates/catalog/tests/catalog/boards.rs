//! Boards and their thermographs.

use aji_catalog::study_boards;

#[test]
fn boards_by_hand() {
    let check = |game: &str, boards: &str, form: &str, mean: &str, temperature: &str| {
        let study = study_boards(game, boards).expect(boards);
        let graph = &study.thermograph;
        assert_eq!(
            (&study.form[..], &graph.mean().to_string()[..], &graph.temperature().to_string()[..]),
            (form, mean, temperature),
            "{boards}"
        );
    };
    check("domineering", "../..", "+-1", "0", "1");
    check("domineering", "../..+../..", "0", "0", "-1");
    check("domineering", "../../..", "{1/2|-2}", "-3/4", "5/4");
    check("clobber", "xo", "*", "0", "0");
}

#[test]
fn what_cannot_be_studied_is_said() {
    let error = |game, boards| study_boards(game, boards).expect_err("a mistake").to_string();
    assert!(error("domino", "..").contains("domineering"));
    assert!(error("domineering", "x").starts_with("domineering: "));
}
