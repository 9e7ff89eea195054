//! The rules of the games against an independent referee: random games and counts of sequences from OpenSpiel, made by
//! `referee/generate.py` and stored beside it.

use aji_catalog::{Session, session};

/// Larger counts are left to the long test of `aji perft`.
const COUNT_MAX: u64 = 6_000_000;

/// Replays one line: `moves | numbers of legal actions | signs of the payoffs`.
fn replay(session: &mut dyn Session, line: &str) {
    let mut parts = line.split('|').map(|part| part.split_whitespace());
    let (moves, counts, signs) = (parts.next().unwrap(), parts.next().unwrap(), parts.next().unwrap());
    let mut plies = 0;
    for (name, count) in moves.zip(counts) {
        assert_eq!(session.actions().len().to_string(), count, "{}: before {name} in {line}", session.name());
        session.play(name).unwrap_or_else(|error| panic!("{}: {error} in {line}", session.name()));
        plies += 1;
    }
    let payoff = session.payoff().unwrap_or_else(|| panic!("{}: not over after {line}", session.name()));
    for (found, expect) in payoff.0.into_iter().zip(signs) {
        let expect: f32 = expect.parse().expect("a sign");
        assert_eq!(found.partial_cmp(&0.0), expect.partial_cmp(&0.0), "{}: {line}", session.name());
    }
    (0..plies).for_each(|_| assert!(session.undo()));
}

fn check(data: &str) {
    let name = data.lines().find_map(|line| line.strip_prefix("# game: ")).expect("the game's name");
    let mut session = session(name).unwrap_or_else(|error| panic!("{error}"));
    let mut games = 0;
    for line in data.lines().filter(|line| !line.starts_with('#')) {
        if let Some(counts) = line.strip_prefix("perft ") {
            for (length, count) in counts.split_whitespace().enumerate() {
                let count: u64 = count.parse().expect("a count");
                if count <= COUNT_MAX {
                    assert_eq!(
                        session.perft(length + 1),
                        Some(count),
                        "{name}: sequences of {} actions",
                        length + 1
                    );
                }
            }
        } else {
            replay(session.as_mut(), line);
            games += 1;
        }
    }
    assert!(games >= 40, "{name}: {games} games");
}

macro_rules! referee {
    ($($test:ident: $file:literal),* $(,)?) => {
        $(#[test]
        fn $test() {
            check(include_str!(concat!("referee/", $file, ".txt")));
        })*
    };
}

referee! {
    tic_tac_toe: "tic-tac-toe",
    connect_four: "connect-four",
    othello: "othello",
    breakthrough: "breakthrough",
    hex_3: "hex-3",
    hex_5: "hex-5",
    hex_11: "hex-11",
    go_5: "go-5",
    go_5_komi: "go-5-komi",
    go_7: "go-7",
    go_9: "go-9",
    go_11: "go-11",
    mnk_4_3_3: "mnk-4-3-3",
    mnk_4_5_3: "mnk-4-5-3",
    mnk_5_4_4: "mnk-5-4-4",
    mnk_7_6_5: "mnk-7-6-5",
    nim: "nim-3-4-5",
    nim_misere: "nim-3-4-5-misere",
    clobber_3_4: "clobber-3-4",
    clobber_8_5: "clobber-8-5",
    clobber_8_8: "clobber-8-8",
}
