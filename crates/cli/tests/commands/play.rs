//! `aji play`, through a pipe.

use crate::shell::{answered, printed, with_input};

#[test]
fn a_whole_game_through_a_pipe() {
    let agent = "random seed=3";
    let text = answered(&["play", "tic-tac-toe", "--agent", agent], "help\nmoves\na1\nundo\nhint\nresign\n");
    assert!(
        text.contains("list the legal moves") && text.contains("a1 b1 c1") && text.contains("x resigns"),
        "{text}"
    );
    let text = printed(&["play", "nim heaps=1", "--first"]);
    assert!(text.contains("player 1: 1:1") || text.contains("player 1 to move: 1:1"), "{text}");
    assert!(text.contains("player 1 wins"), "{text}");
    let text = answered(&["play", "nim heaps=2", "--agent", "uct simulations=100"], "1:2\n");
    assert!(text.contains("player 1 wins"), "{text}");
    let text = answered(&["play", "connect-four", "--agent", "uct simulations=50"], "d\n");
    assert!(text.contains("the input has ended"), "{text}");
}

/// The program draws for chance, between the moves of both sides.
#[test]
fn a_game_of_chance_through_a_pipe() {
    let agent = "uct simulations=100";
    let text = answered(&["play", "pig goal=10", "--agent", agent], &"roll\nhold\n".repeat(200));
    let drawn = text.lines().filter(|line| line.starts_with("chance: ")).count();
    assert!(drawn > 3 && text.contains("player 1: roll") && text.contains(" wins\n"), "{text}");
    let text = answered(&["play", "2048 seed=3", "--agent", agent], "undo\nhint\nmoves\n");
    assert!(text.contains("there is nothing to undo"), "{text}");
    let text = printed(&["play", "sailing size=3", "--agent", agent, "--first"]);
    assert!(text.contains("chance: ") && text.contains("sailor gets -"), "{text}");
}

/// A mistake in a script of moves is not passed over.
#[test]
fn a_bad_move_in_a_pipe_ends_the_game() {
    let output = with_input(&["play", "tic-tac-toe", "--agent", "random"], "a1\nz9\n");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("move \"z9\" is not legal here"), "{error}");
}
