//! Studies: thermographs of boards by hand, and orders that agents learn.

use aji_catalog::AgentName;
use aji_cgt::{Dyadic, GameLimits};
use aji_lab::Error;
use aji_lab::study::{
    LearnedAction, LearnedOrder, MatchRate, STATE_ROWS_MAX, STATES_MAX, study_board_states, study_boards,
    study_expression_states, study_order,
};
use std::sync::atomic::Ordering;

fn action(heap: usize, counters: usize, temperature: i32) -> LearnedAction {
    LearnedAction { heap, counters, top_weight: 1, temperature: Dyadic::from(temperature) }
}

#[test]
fn pairs_by_hand() {
    let actions = vec![action(1, 2, 5), action(2, 1, 7), action(1, 1, 7), action(3, 1, 2)];
    let rate = LearnedOrder { actions, simulations: 0 }.match_rate();
    // 5 before 7 is wrong; 7 and 7 tie; 5, 7 and 7 before 2 are right; 5 and 7 of one heap do not count.
    assert_eq!(rate, MatchRate { matched: 3, pairs: 4, ties: 1 });
    assert_eq!((rate.excluding_ties(), rate.strict()), (Some(0.75), Some(0.6)));
}

#[test]
fn agents_learn_what_is_hot() {
    let rate = |agent: &str| {
        let agent: AgentName = agent.parse().expect("an agent");
        let mut total = MatchRate::default();
        for seed in 1..=10 {
            let game = format!("heap-go heaps=4 counters=4 seed={seed}");
            let rate = study_order(&game, None, &agent, &mut ()).expect("an order").match_rate();
            (total.matched, total.pairs) = (total.matched + rate.matched, total.pairs + rate.pairs);
        }
        total.excluding_ties().expect("pairs")
    };
    // Over 100 games, 70 to 90 percent of the pairs match. Ten games differ from that by a few percent.
    assert!(rate("uct c=15 unit=points playout=maxi simulations=2000") > 0.75);
    assert!(rate("uct c=15 unit=points learn=ride read=squares simulations=2000") > 0.75);
    assert!(rate("uct c=15 unit=points playout=potential simulations=2000") > 0.72);
    assert!(rate("divide simulations=2000") > 0.8);
}

/// The same seed gives the same order.
#[test]
fn orders_by_seed() {
    let order = |agent: &str| {
        let agent: AgentName = agent.parse().expect("an agent");
        let order =
            study_order("heap-go heaps=3 counters=2 seed=7", None, &agent, &mut ()).expect("an order");
        order.actions.iter().map(|action| action.heap * 10 + action.counters).collect::<Vec<_>>()
    };
    let by_ride = order("uct c=15 unit=points playout=maxi simulations=200");
    assert_eq!(by_ride, RIDE_GOLDEN);
    assert_eq!(order("uct c=15 unit=points playout=maxi simulations=200"), by_ride);
    assert_eq!(order("uct c=15 unit=points playout=potential simulations=200"), POTENTIAL_GOLDEN);
    assert_eq!(order("uct c=15 unit=points playout=maxi learn=rave simulations=200"), AMAF_GOLDEN);
    assert_eq!(order("divide simulations=200"), DIVIDE_GOLDEN);
    assert_eq!(order("divide simulations=200 threads=3"), DIVIDE_GOLDEN);
}

/// Heap and counters, two digits an action.
const RIDE_GOLDEN: [usize; 6] = [22, 12, 21, 32, 11, 31];
const POTENTIAL_GOLDEN: [usize; 6] = [22, 12, 21, 11, 32, 31];
const AMAF_GOLDEN: [usize; 6] = [22, 21, 12, 11, 32, 31];
const DIVIDE_GOLDEN: [usize; 6] = [12, 32, 22, 21, 11, 31];

/// Only actions that can still occur are in the order of a position. Heaps need not be those of the game.
#[test]
fn orders_of_positions() {
    let actions = |position: &str| {
        let agent = "uct c=15 unit=points playout=maxi simulations=100".parse().expect("an agent");
        let order = study_order("heap-go start=R3B5/B2R7", Some(position), &agent, &mut ());
        let mut actions: Vec<_> = order?.actions.iter().map(|a| (a.heap, a.counters, a.top_weight)).collect();
        actions.sort_unstable();
        Ok::<_, Error>(actions)
    };
    assert_eq!(actions("B5/B2R7 +3 R"), Ok(vec![(1, 1, 5), (2, 1, 7), (2, 2, 2)]));
    assert_eq!(actions("-/R4R9"), Ok(vec![(2, 1, 9), (2, 2, 4)]));
    let error = actions("B5/X2").unwrap_err().to_string();
    assert!(
        error.starts_with("heap-go start=R3B5/B2R7: position \"B5/X2\": heap 2 \"X2\": expected R or B"),
        "{error}"
    );
}

#[test]
fn wrong_games_and_agents_are_refused() {
    let error = |game: &str, agent: &str| {
        let agent = agent.parse().expect("an agent");
        study_order(game, None, &agent, &mut ()).expect_err("a mistake").to_string()
    };
    assert!(error("heap-go", "uct").contains("learns no order: give a search with playout=maxi"));
    assert!(error("hex", "uct playout=maxi").contains("known: heap-go"));
    assert!(error("heap-go heaps=x", "uct playout=maxi").contains("heaps=x: expected"));
}

#[test]
fn boards_by_hand() {
    let check = |game: &str, boards: &str, form: &str, mean: &str, temperature: &str| {
        let study = study_boards(game, boards, GameLimits::default()).expect(boards);
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

/// Every reachable state of small boards, played out without sums: its value is that of the board alone, equal values
/// stand in one row, and the hottest come first.
#[test]
fn states_are_those_that_play_reaches() {
    let limits = GameLimits::default;
    for (game, board) in [
        ("domineering", ".../..#"),
        ("clobber", "xox/oxo"),
        ("toads-and-frogs", "TT.FF"),
        ("clobber", "xo+xox"),
    ] {
        let found = study_board_states(game, board, limits()).expect(board);
        assert!(found.is_whole && found.left_out == 0, "{game} {board}: {found:?}");
        let temperatures = found.rows.iter().map(|row| row.study.thermograph.temperature());
        assert!(temperatures.is_sorted_by(|hot, cold| hot >= cold), "{game} {board}");
        let mut forms: Vec<String> = found.rows.iter().map(|row| row.study.form.clone()).collect();
        for row in &found.rows {
            assert_eq!(study_boards(game, &row.state, limits()).expect(&row.state).form, row.study.form);
        }
        forms.sort();
        forms.dedup();
        assert_eq!(forms.len(), found.rows.len(), "{game} {board}: each value once");
    }
    // A domino of Left leaves a column, and one of Right a row.
    let found = study_board_states("domineering", "../..", limits()).expect("a board");
    let rows: Vec<(&str, usize, &str)> =
        found.rows.iter().map(|row| (&row.state[..], row.states, &row.study.form[..])).collect();
    assert_eq!(rows, [("../..", 1, "+-1"), ("./.", 1, "1"), ("..", 1, "-1")]);
}

#[test]
fn states_of_expressions_are_their_followers() {
    let found =
        study_expression_states("{3|-1||-7}", GameLimits::default()).expect("a game").expect("a game");
    let rows: Vec<(&str, String)> = found
        .rows
        .iter()
        .map(|row| (&row.state[..], row.study.thermograph.temperature().to_string()))
        .collect();
    assert_eq!(rows[..2], [("{3|-1||-7}", "4".to_string()), ("{3|-1}", "2".to_string())]);
    assert!(rows.iter().any(|(state, _)| *state == "-7") && found.is_whole);
    assert!(study_expression_states("^ ? *", GameLimits::default()).expect("a relation").is_none());
    // A number has one follower after the other: rows and states have limits.
    let many = study_expression_states("100000", GameLimits::default()).expect("a number").expect("a game");
    assert_eq!(
        (many.rows.len(), many.left_out, many.is_whole),
        (STATE_ROWS_MAX, STATES_MAX - STATE_ROWS_MAX, false)
    );
}

#[test]
fn a_board_too_large_ends_at_the_limit_of_memory() {
    let limits = GameLimits { bytes: 20_000_000, ..GameLimits::default() };
    let board = "xoxo/oxox/xoxo/oxox/xoxo";
    let error = study_boards("clobber", board, limits.clone()).expect_err("too large").to_string();
    assert!(error.contains("its games need more than 20 MB of memory"), "{error}");
    limits.stop.store(true, Ordering::Relaxed);
    let error = study_boards("clobber", board, limits).expect_err("stopped").to_string();
    assert!(error.contains("stopped before its end"), "{error}");
}

#[test]
fn wrong_boards_are_refused() {
    let error =
        |game, boards| study_boards(game, boards, GameLimits::default()).expect_err("a mistake").to_string();
    assert!(error("domino", "..").contains("domineering"));
    assert!(error("domineering", "x").starts_with("domineering: "));
}
