//! The traps of `docs/traps.md`: plain UCT walks into them, the solver does not. All were found by `aji traps`.

use aji_catalog::session;

fn choice(game: &str, position: &str, agent: &str) -> String {
    let mut session = session(game).unwrap_or_else(|error| panic!("{error}"));
    session.set_position(position).unwrap_or_else(|error| panic!("{error}"));
    let agent = agent.parse().unwrap_or_else(|error| panic!("{error}"));
    let report = session.think(&agent, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    report.best.expect("a move")
}

/// The value of a move to the player who makes it, proven.
fn value(game: &str, position: &str, action: &str) -> f32 {
    let mut session = session(game).unwrap_or_else(|error| panic!("{error}"));
    session.set_position(position).unwrap_or_else(|error| panic!("{error}"));
    session.play(action).unwrap_or_else(|error| panic!("{error}"));
    let judge = "uct solver=on simulations=2M".parse().expect("an agent");
    let report = session.think(&judge, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    1.0 - report.proven.expect("a proof")
}

fn check(game: &str, position: &str, blunder: &str, answer: &str) {
    assert_eq!(choice(game, position, "uct simulations=10000"), blunder, "{game}: plain UCT in {position}");
    assert_eq!(
        choice(game, position, "uct solver=on simulations=10000"),
        answer,
        "{game}: the solver in {position}"
    );
    assert_eq!(value(game, position, blunder), 0.0, "{game}: {blunder} in {position}");
    assert_eq!(value(game, position, answer), 1.0, "{game}: {answer} in {position}");
}

#[test]
fn plain_search_falls_into_them() {
    check("hex size=5", "..x.o/...../....o/ooxx./..x.. x", "c3", "d2");
    check("hex size=5", "x.x../xox.o/...../..oxo/x..o. o", "a4", "b3");
    check("nim heaps=3,5,7", "2,5,4 1", "1:2", "1:1");
    check("connect-four", ".o.o.../.oox.../xoxx.o./xxxo.x./ooox.o./xxxoxox o", "c", "f");
    check(
        "breakthrough",
        "o...oo.o/o...o.../o...oox./..oo.o../..x.xx.o/.oo..x.x/xxx.x..x/....x... x",
        "g6g7",
        "g6h7",
    );
    check("mnk m=5 n=5 k=4", "...../..o../.x.../.x.../.o... x", "b5", "c3");
}
