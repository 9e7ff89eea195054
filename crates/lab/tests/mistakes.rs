//! Mistakes by exact values: the lists that come with the lab, and games of every kind of solver.

use aji_catalog::Workbench;
use aji_lab::mistakes::{Draw, Judged, Kind, Mistakes, PositionSet, Source, Tally};
use aji_lab::{Experiment, Runner, Trial};
use std::sync::atomic::AtomicBool;

fn set(name: &str) -> &'static PositionSet {
    PositionSet::named(name).expect(name)
}

fn plies(judged: &Judged) -> usize {
    judged.position.split(' ').next().map_or(0, |board| board.matches(['x', 'o']).count())
}

/// What a list's header says holds of all its positions.
fn check_set(name: &str, (from, to): (usize, usize)) {
    let positions = set(name).positions();
    assert_eq!((positions.len(), set(name).lines().lines().count()), (500, 500));
    for judged in &positions {
        assert!((from..=to).contains(&plies(judged)), "{judged:?}");
        assert!(judged.outcome() >= 0 && (1..=3).contains(&judged.keeping()), "{judged:?}");
    }
}

/// Drawing the positions of these trials again gives the lines of the list.
fn check_again(name: &str, plies: (usize, usize), trials: &[u64]) {
    let workbench = Workbench::new();
    let judge = workbench.agent_name("exact").expect("ours");
    let source = Source::Drawn(Draw { kind: Kind::Hard, plies }, 500);
    let mistakes = Mistakes::new(&workbench, set(name).game, None, judge, source).expect("a game for it");
    for &id in trials {
        let again = mistakes.run(Trial { id, seed: 1 }).expect("solved").judged;
        assert_eq!(again, set(name).positions()[id as usize], "trial {id}");
    }
}

#[test]
fn lists_are_what_they_say() {
    check_set("connect-four-early", (9, 13));
    check_set("connect-four-middle", (15, 22));
}

#[test]
fn lists_are_drawn_again() {
    check_again("connect-four-middle", (15, 22), &[0, 1, 2, 250, 498, 499]);
    check_again("connect-four-early", (9, 13), &EARLY_AND_QUICK);
}

/// Trials that are solved in a second.
const EARLY_AND_QUICK: [u64; 2] = [0, 1];

/// Every kind of solver can judge: exact play errs nowhere, and random moves do.
#[test]
fn games_of_every_solver() {
    let check = |game: &str, plies: (usize, usize), count: u64| {
        let workbench = Workbench::new();
        let tally = |agent: &str| {
            let (agent, judge) = (workbench.agent_name(agent).expect(agent), workbench.agent_name("exact"));
            let source = Source::Drawn(Draw { kind: Kind::Random, plies }, count);
            let mistakes = Mistakes::new(&workbench, game, Some(agent), judge.expect("ours"), source);
            let mistakes = mistakes.unwrap_or_else(|error| panic!("{game}: {error}"));
            let runner = Runner { seed: 2, ..Runner::default() };
            let outcome = runner.run(&mistakes, None, &(), &AtomicBool::new(false));
            Tally::of(outcome.unwrap_or_else(|error| panic!("{game}: {error}")).values())
        };
        let (exact, random) = (tally("exact"), tally("random"));
        assert_eq!((exact.positions, exact.mistakes()), (count, 0), "{game}");
        assert_eq!(exact.points_lost.map(|lost| lost.value), Some(0.0), "{game}");
        // Heaps may be won by whatever is played; points are lost in every game.
        assert!(random.mistakes() > 0 || game.starts_with("heap-go"), "{game}");
        assert!(random.points_lost.is_some_and(|lost| lost.value > 0.0), "{game}");
        assert_eq!(random.could_err, exact.could_err, "{game}");
    };
    check("tic-tac-toe", (0, 6), 30);
    check("connect-four", (28, 36), 30);
    check("othello size=4", (0, 6), 20);
    check("othello size=6", (26, 30), 10);
    check("hex size=3", (0, 4), 20);
    check("nim heaps=3,4,5", (0, 4), 30);
    check("go size=2 komi=0.5 ko=simple", (0, 4), 30);
    check("domineering rows=4 columns=4", (0, 3), 20);
    check("heap-go heaps=4 counters=3", (0, 4), 20);
}
