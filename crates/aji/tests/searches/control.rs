//! Budgets, stop handles, seeds.

use aji::games::{ConnectFour, Hex, Othello, Sailing};
use aji::playout::{Cutoff, Epsilon, given_up};
use aji::{Budget, Game, Payoff, Player, Report, Search, Stopped, Turn, Utility};
use std::time::{Duration, Instant};

/// The report without its time.
fn without_time<A>(report: Report<A>) -> Report<A> {
    Report { time: Duration::ZERO, ..report }
}

#[test]
fn the_same_seed_gives_the_same_report() {
    let run = |seed| without_time(Search::new(Othello::new()).seed(seed).run(Budget::simulations(3_000)));
    assert_eq!(run(5), run(5));
    assert_ne!(run(5).arms, run(6).arms);
    // Two runs of half the budget are one run of the whole.
    let mut halves = Search::new(Othello::new()).seed(5);
    halves.run(Budget::simulations(1_500));
    assert_eq!(halves.run(Budget::simulations(1_500)).arms, run(5).arms);
}

#[test]
fn whichever_limit_comes_first() {
    let mut search = Search::new(ConnectFour::new());
    let report = search.run(Budget::simulations(1_234).or_time(Duration::from_secs(600)));
    assert_eq!((report.simulations, report.stopped), (1_234, Stopped::Simulations));
    let report = search.run(Budget::simulations(u64::MAX).or_time(Duration::from_millis(30)));
    assert_eq!(report.stopped, Stopped::Time);
    assert!(report.time >= Duration::from_millis(30) && report.simulations > 0);
}

#[test]
fn a_handle_stops_a_search_without_limits() {
    let mut search = Search::new(Hex::new(11));
    let handle = search.stop_handle();
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(30));
        handle.stop();
    });
    let report = search.run(Budget::default());
    stopper.join().expect("the stopper stops");
    assert_eq!(report.stopped, Stopped::Handle);
    // The handle is ready for the next run.
    assert_eq!(search.run(Budget::simulations(10)).stopped, Stopped::Simulations);
}

#[test]
fn a_finished_game_has_no_action() {
    let mut game = ConnectFour::new();
    [0, 1, 0, 1, 0, 1, 0].into_iter().for_each(|column| game.play(column));
    let report = Search::new(game).run(Budget::simulations(100));
    assert_eq!((report.best, report.stopped, report.arms.len()), (None, Stopped::Nothing, 0));
}

/// A walk that never ends: the player may step left or right for ever.
#[derive(Clone)]
struct Endless(i32, Player);

impl Game for Endless {
    type Action = i32;

    fn turn(&self) -> Turn {
        Turn::Player(self.1)
    }

    fn actions(&self, out: &mut Vec<i32>) {
        out.extend([-1, 1]);
    }

    fn play(&mut self, step: i32) {
        *self = Endless(self.0 + step, 1 - self.1);
    }

    fn payoff(&self) -> Payoff {
        unreachable!("the game is never over")
    }
}

/// With a cut-off and a heuristic the search sees where the walk leads; without them, it still returns.
#[test]
fn games_without_an_end_are_cut_off() {
    let estimate = |game: &Endless| Payoff::margin(game.0 as f32 / 40.0);
    let search = Search::new(Endless(0, 0)).utility(Utility::Score { low: -1.0, high: 1.0 });
    let report =
        search.evaluate(Cutoff { plies: 10, estimate: Some(estimate) }).run(Budget::simulations(4_000));
    assert_eq!(report.best, Some(1), "player 0 wants to go right: {report:?}");
    let report = Search::new(Endless(0, 0)).evaluate(Cutoff::draw(10)).run(Budget::simulations(500));
    assert!(report.arms.iter().all(|arm| arm.mean == 0.5));
    let report = Search::new(Endless(0, 0)).run(Budget::simulations(3));
    assert_eq!(report.value, Some(0.5), "an endless playout is a draw");
}

/// If every payoff is a cost, a trip that is cut off has the worst payoff, not a payoff of 0.
#[test]
fn giving_up_is_no_bargain() {
    let trip = Sailing::new(5, 0);
    let low = trip.payoff_range().0;
    assert_eq!(given_up(&trip).of(0), low);
    let search = Search::new(trip).utility(Utility::score(&Sailing::new(5, 0)));
    let report = search.evaluate(Cutoff::draw(1)).run(Budget::simulations(300));
    assert!(report.value.is_some_and(|value| value < 0.1), "{report:?}");
}

/// A search of one player maximises points unless it is told otherwise, and one of two players wins.
#[test]
fn one_player_plays_for_points() {
    let trip = Sailing::new(4, 0);
    let think = |search: Search<Sailing>| search.seed(2).run(Budget::simulations(500)).arms;
    let points = think(Search::new(trip).utility(Utility::score(&trip)));
    assert_eq!(think(Search::new(trip)), points);
    assert_ne!(think(Search::new(trip).utility(Utility::Win)), points);
}

/// Greedy playouts see what uniform ones miss: discs are worth more at the end of the game.
#[test]
fn epsilon_playouts_run_on_a_heuristic() {
    let mut search = Search::new(Othello::new()).evaluate(Epsilon::heuristic(0.2)).seed(1);
    let started = Instant::now();
    let report = search.run(Budget::simulations(200));
    assert_eq!(report.arms.iter().map(|arm| arm.pulls).sum::<u32>(), 200);
    assert!(report.time <= started.elapsed());
    let again =
        Search::new(Othello::new()).evaluate(Epsilon::heuristic(0.2)).seed(1).run(Budget::simulations(200));
    assert_eq!(report.arms, again.arms);
}
