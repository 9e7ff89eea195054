//! Proofs are true: every agent that proves, against the full solution of many small positions.

use aji_catalog::{Session, session};
use aji_games::{
    CanadianTraveller, Clobber, ConnectFour, Domineering, HeapGo, Hex, Mnk, Nim, Othello, Pig, Sailing, Sum,
    TicTacToe,
};
use aji_search::exact::{MaxN, Solved, ValueIteration};
use aji_search::{Budget, Game, Hashed, Named, Payoff, Report, Rng, Turn, Utility};

/// Agents that prove, each with whether it proves scores rather than wins.
const PROVERS: [(&str, bool); 10] = [
    ("exact", true),
    ("alphabeta depth=1", true),
    ("alphabeta depth=2", true),
    ("alphabeta depth=3 eval=off", true),
    ("alphabeta simulations=200", true),
    ("alphabeta depth=5 memory=100kB", true),
    ("uct solver=on simulations=60", false),
    ("uct solver=on unit=points simulations=2000", true),
    ("rave solver=on simulations=300", false),
    ("uct solver=on threads=2 simulations=600", false),
];

/// How many arms were proven, and how many positions.
#[derive(Default)]
struct Proofs {
    arms: usize,
    roots: usize,
}

/// Checks every prover on random small positions of a game.
fn check<G: Hashed + Named>(name: &str, start: &G, is_small: impl Fn(&G) -> bool, count: usize) {
    let (mut rng, mut checked) = (Rng::seeded(5), 0);
    let mut proofs: [Proofs; PROVERS.len()] = Default::default();
    while checked < count {
        let mut game = start.clone();
        while game.turn() != Turn::Over && !(is_small(&game) && matches!(game.turn(), Turn::Player(_))) {
            game.play(game.random_action(&mut rng, &mut Vec::new()));
        }
        if game.turn() == Turn::Over {
            continue;
        }
        checked += 1;
        let solved = solution(&game);
        for ((agent, in_points), proofs) in PROVERS.into_iter().zip(&mut proofs) {
            // Agents that do not play the game or find nothing are skipped.
            let Some(report) = thought(name, &game.text(), agent) else { continue };
            let points = in_points || game.players() == 1;
            let utility = if points { Utility::score(&game) } else { Utility::Win };
            check_report(&game, &report, &solved, utility, proofs);
        }
    }
    assert!(proofs[0].roots == checked, "{name}: exact solves all");
    assert!(
        proofs.iter().skip(1).any(|proofs| proofs.arms > 0) || start.has_chance(),
        "{name}: others prove, too"
    );
}

fn solution<G: Hashed>(game: &G) -> Solved<G::Action> {
    let ahead = MaxN::hashed().solve(game, Budget::default(), &mut ()).solved();
    let solved = ahead.or_else(|| ValueIteration::new().solve(game, Budget::default(), &mut ()).solved());
    solved.expect("a small game")
}

fn thought(game: &str, position: &str, agent: &str) -> Option<Report<String>> {
    let mut session = session(game).unwrap_or_else(|error| panic!("{error}"));
    session.set_position(position).unwrap_or_else(|error| panic!("{error}"));
    let agent = agent.parse().unwrap_or_else(|error| panic!("{error}"));
    session.accepts(&agent).ok()?;
    Some(session.think(&agent, &mut ()).unwrap_or_else(|error| panic!("{game} {position}: {error}")))
}

fn check_report<G: Named>(
    game: &G,
    report: &Report<String>,
    solved: &Solved<G::Action>,
    utility: Utility,
    proofs: &mut Proofs,
) {
    let Turn::Player(player) = game.turn() else { panic!("a player acts") };
    let reward =
        |values: &[f64; 4]| utility.rewards(&Payoff(values.map(|value| value as f32)))[usize::from(player)];
    for arm in &report.arms {
        let Some(proven) = arm.proven else { continue };
        let named = solved.actions.iter().find(|(action, _)| game.action_name(*action) == arm.action);
        let expect = reward(&named.expect("a legal action").1);
        let told = || format!("{} {}: {} of {report:?}", game.text(), arm.action, expect);
        assert!((proven - expect).abs() < 1e-4 && (arm.mean - expect).abs() < 1e-4, "{}", told());
        proofs.arms += 1;
    }
    if let Some(proven) = report.proven {
        let expect = reward(&solved.values);
        assert!((proven - expect).abs() < 1e-4, "{}: {expect}, not {report:?}", game.text());
        proofs.roots += 1;
    }
}

fn empty<G: Named>(game: &G) -> usize {
    game.text().matches('.').count()
}

#[test]
fn games_with_a_heuristic() {
    check("connect-four", &ConnectFour::new(), |game| empty(game) <= 12, 60);
    check("othello", &Othello::new(), |game| empty(game) <= 7, 30);
}

#[test]
fn games_without() {
    check("tic-tac-toe", &TicTacToe::new(), |game| empty(game) <= 7, 30);
    check("mnk m=4 n=4 k=3", &Mnk::new(4, 4, 3), |game| empty(game) <= 9, 30);
    check("hex size=4", &Hex::new(4), |game| empty(game) <= 9, 30);
    check("nim heaps=1,2,3", &Nim::new(&[1, 2, 3], 2, false), |_| true, 1);
}

/// Alpha-beta once reported every action as proven if one was: c loses here.
#[test]
fn a_guess_beside_a_proof_is_none() {
    let mut session = session("connect-four").unwrap_or_else(|error| panic!("{error}"));
    for action in "f e d d d d c g f a b".split(' ') {
        session.play(action).unwrap_or_else(|error| panic!("{error}"));
    }
    let agent = "alphabeta simulations=1M".parse().unwrap_or_else(|error| panic!("{error}"));
    let report = session.think(&agent, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!((report.best.as_deref(), report.proven), (Some("b"), Some(1.0)));
    let proven = |action| report.arms.iter().find(|arm| arm.action == action).and_then(|arm| arm.proven);
    assert_eq!((proven("b"), proven("c")), (Some(1.0), None));
}

/// `exact` uses alpha-beta if a game has too many positions to visit all.
#[test]
fn exact_solves_what_alpha_beta_does() {
    let mut session = session("connect-four").unwrap_or_else(|error| panic!("{error}"));
    for action in "d d d d d c c e e f f b b a a c".split(' ') {
        session.play(action).unwrap_or_else(|error| panic!("{error}"));
    }
    let agent = "exact memory=50MB".parse().unwrap_or_else(|error| panic!("{error}"));
    let report = session.think(&agent, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(report.proven, Some(1.0));
    let best = report.arms.iter().find(|arm| Some(&arm.action) == report.best.as_ref());
    assert_eq!(best.and_then(|arm| arm.proven), Some(1.0));
    assert!(report.bytes > 0 && report.bytes <= 50_000_000 && !report.arms.is_empty());
    assert!(report.arms.iter().all(|arm| arm.proven.is_some()));
}

/// With only c = 0, RAVE kept choosing the draw; now it finds the win in a few hundred simulations.
#[test]
fn rave_does_not_lock_in() {
    let mut session = session("connect-four").unwrap_or_else(|error| panic!("{error}"));
    for column in "7574351513437646536627543374245122671".bytes() {
        let action = char::from(b'a' + column - b'1').to_string();
        session.play(&action).unwrap_or_else(|error| panic!("{error}"));
    }
    let best = |session: &mut dyn Session, agent: &str| {
        let agent = agent.parse().unwrap_or_else(|error| panic!("{error}"));
        session.think(&agent, &mut ()).unwrap_or_else(|error| panic!("{error}")).best
    };
    assert_eq!(best(&mut *session, "rave below=rave(every=0) simulations=5000").as_deref(), Some("a"));
    assert_eq!(best(&mut *session, "rave simulations=5000").as_deref(), Some("f"));
}

/// Errors of a search in late positions of Connect Four: choices that give away value.
fn errors(agent: &str) -> usize {
    let (mut rng, mut checked, mut errors) = (Rng::seeded(8), 0, 0);
    while checked < 300 {
        let mut game = ConnectFour::new();
        while game.turn() != Turn::Over && empty(&game) > 10 {
            game.play(game.random_action(&mut rng, &mut Vec::new()));
        }
        let Turn::Player(player) = game.turn() else { continue };
        checked += 1;
        let solved = solution(&game);
        let best = thought("connect-four", &game.text(), agent).and_then(|report| report.best);
        let chosen = solved.actions.iter().find(|(action, _)| Some(game.action_name(*action)) == best);
        let value = chosen.expect("a legal action").1[usize::from(player)];
        errors += usize::from(value < solved.values[usize::from(player)]);
    }
    errors
}

#[test]
fn rave_errs_rarely_in_easy_endgames() {
    let (before, after) =
        (errors("rave below=rave(every=0) simulations=5000"), errors("rave simulations=5000"));
    assert!(before >= 3 && 4 * after <= before, "{before} before, {after} after of 300");
}

#[test]
fn sums() {
    let heaps = HeapGo::random(4, 3, 1..=10, 7);
    let name = "heap-go heaps=4 counters=3 seed=7";
    check(name, &heaps, |_| true, 1);
    check(name, &heaps, |game| game.text().matches('/').count() < 4, 10);
    let boards = Sum::<Domineering>::of_text("../..+.../...", aji_cgt::Side::Left).expect("boards");
    check("sum game=domineering boards=../..+.../...", &boards, |_| true, 1);
    let boards = Sum::<Clobber>::of_text("xoxo/oxox", aji_cgt::Side::Left).expect("boards");
    check("sum game=clobber boards=xoxo/oxox", &boards, |_| true, 1);
}

#[test]
fn games_of_chance() {
    check("sailing size=2", &Sailing::new(2, 0), |_| true, 1);
    check("canadian-traveller vertices=4 seed=2", &CanadianTraveller::new(4, 2, 0.5), |_| true, 1);
    check("pig goal=10", &Pig::new(2, 10), |_| true, 1);
}
