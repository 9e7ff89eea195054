use super::threads_change_nothing;
use aji_catalog::session;
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

/// A line of the table is what it says: the victim plays its moves whatever its seed, and loses.
#[test]
fn lines_can_be_played() {
    let section = threads_change_nothing(&PAPER, "lines");
    assert_eq!((section.tables.len(), section.pictures.len(), section.claims.len()), (3, 1, 2));
    for table in &section.tables {
        assert!(table.rows.iter().all(|row| row.len() == table.columns.len()), "{table:?}");
    }
    let rows = &section.tables[0].rows;
    assert!(!rows.is_empty());
    for row in rows {
        let (mut session, moves) = (session("connect-four").unwrap(), row[0].to_text());
        for (ply, action) in moves.split(' ').enumerate() {
            if ply % 2 == 0 {
                let victim = "alphazero reuse=off simulations=1 seed=9".parse().unwrap();
                assert_eq!(session.think(&victim, &mut ()).unwrap().best.as_deref(), Some(action), "{moves}");
            }
            session.play(action).unwrap();
        }
        assert_eq!(session.payoff().expect("a finished game").of(1), 1.0, "{moves}");
    }
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

/// Each cure has a row for each of its budgets, and each trap a row of its own.
#[test]
fn traps_are_shown_to_cures() {
    let section = threads_change_nothing(&PAPER, "traps");
    let rows: Vec<usize> = section.tables.iter().map(|table| table.rows.len()).collect();
    assert_eq!((rows, section.figures.len(), section.claims.len()), (vec![2 * 2 + 2, 4], 1, 2));
    // With 3,000 simulations the solver sees more of them than plain UCT.
    let seen = |row: usize| -> f64 { section.tables[0].rows[row][3].to_text().parse().unwrap() };
    assert!(seen(3) > seen(1) && seen(1) < 1.0, "{} {}", seen(3), seen(1));
}

/// The player to act is not lost, so the second player does not win against perfect play.
#[test]
fn nobody_beats_perfect_play() {
    let section = threads_change_nothing(&PAPER, "seats");
    let rows = &section.tables[0].rows;
    let against_perfect: Vec<_> = rows
        .iter()
        .filter(|row| row[0].to_text() == "second" && row[2].to_text().starts_with("exact"))
        .collect();
    assert!(
        against_perfect.len() == 2 && against_perfect.iter().all(|row| row[3].to_text() == "0"),
        "{rows:?}"
    );
    assert_eq!((rows.len(), section.tables[1].rows.len(), section.claims.len()), (8, 3, 2));
}

#[test]
fn victims_that_search_more_are_attacked() {
    let section = threads_change_nothing(&PAPER, "stronger");
    assert_eq!((section.tables[0].rows.len(), section.claims.len()), (5, 1));
}
