//! `aji play`, through a pipe.

use crate::shell::{Folder, answered, printed, refused, with_input};

#[test]
fn a_whole_game_through_a_pipe() {
    let agent = "random seed=3";
    let text = answered(&["play", "tic-tac-toe", "--agent", agent], "help\nmoves\na1\nundo\nhint\nresign\n");
    assert!(
        text.contains("list the legal moves") && text.contains("a1 b1 c1") && text.contains("x resigns"),
        "{text}"
    );
    let text = printed(&["play", "nim heaps=1", "--agent-first"]);
    assert!(text.contains("player 1 plays 1:1"), "{text}");
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
    assert!(text.starts_with("2048 seed=3; uct simulations=100 gives hints; type help for help\n"), "{text}");
    let text = printed(&["play", "sailing size=3", "--agent", agent, "--first"]);
    assert!(
        text.contains("chance: ")
            && text.contains("sailor gets -")
            && text.lines().last().is_some_and(|line| line.len() < "sailor gets -1000.00".len()),
        "{text}"
    );
}

/// A game may begin at a position, which a saved game keeps.
#[test]
fn a_game_from_a_position() {
    let folder = Folder::new("play/position");
    let kept = folder.file("kept.json");
    let words = ["play", "tic-tac-toe", "--agent", "exact", "--position", "x.x/oo./... x", "--save", &kept];
    let text = answered(&words, "undo\nc2\nquit\n");
    assert!(text.contains("there is nothing to undo"), "{text}");
    let text = answered(&["play", "--load", &kept], "quit\n");
    assert!(text.contains("3 x . x") && text.contains("2 o o x"), "{text}");
    refused(&["play", "tic-tac-toe", "--position", "x.x"], "tic-tac-toe");
}

/// The rules say the goal, who owns what, and how moves are written.
#[test]
fn the_rules_are_told() {
    let check = |game: &str, expect: &str| {
        let text = answered(&["play", game, "--agent", "random"], "rules\nhelp\nquit\n");
        let text = text.replace('\n', " ");
        assert_eq!(text.matches(expect).count(), 3, "{game}: {text}");
        assert!(text.contains("you are ") && text.contains("save FILE"), "{text}");
    };
    check("hex size=5", "x owns the top and the bottom edge");
    check("breakthrough", "x begins at the bottom and moves up");
    check("domineering", "Left's dominoes stand upright");
}

/// A game is saved and loaded, by option and by command, with the moves of chance.
#[test]
fn games_are_saved_and_loaded() {
    let folder = Folder::new("play/saved");
    let (kept, copy) = (folder.file("kept.json"), folder.file("copy.json"));
    let words = ["play", "pig", "goal=30", "--agent", "random seed=2", "--save", &kept];
    answered(&words, &format!("roll\nsave {copy}\nhold\n"));
    let (kept_text, copy_text) = (folder.read("kept.json"), folder.read("copy.json"));
    assert!(copy_text.starts_with("{\"game\":\"pig goal=30\",\"moves\":[\"roll\","), "{copy_text}");
    assert!(kept_text.len() > copy_text.len(), "{kept_text}");
    let board = |text: &str| text.lines().rfind(|line| line.starts_with("player 1: ")).map(str::to_string);
    let first = answered(&["play", "--load", &copy, "--agent", "random"], "quit\n");
    let again = answered(&["play", "pig goal=30", "--agent", "random"], &format!("load {copy}\nquit\n"));
    assert!(board(&first).is_some() && board(&first) == board(&again), "{first}{again}");
    // Moves that were taken back are not in the file.
    let words = ["play", "tic-tac-toe", "--agent", "random", "--save", &kept];
    answered(&words, "a1\nundo\nquit\n");
    let expect = "{\"game\":\"tic-tac-toe\",\"moves\":[],\"agent\":\"random\"}\n";
    assert_eq!(folder.read("kept.json"), expect);
    // The opponent and its seat are those of the saved game, unless others are asked for.
    let words = ["play", "tic-tac-toe", "--agent", "alphabeta depth=3", "--agent-first", "--save", &kept];
    answered(&words, "quit\n");
    let told = answered(&["play", "--load", &kept], "quit\n");
    assert!(told.starts_with("tic-tac-toe against alphabeta depth=3; you are o;"), "{told}");
    let told = answered(&["play", "--load", &kept, "--agent", "random"], "quit\n");
    assert!(told.starts_with("tic-tac-toe against random; you are o;"), "{told}");
    folder.write("old.json", "{\"game\":\"tic-tac-toe\",\"moves\":[\"a1\"]}");
    let told = answered(&["play", "--load", &folder.file("old.json")], "quit\n");
    assert!(told.starts_with("tic-tac-toe against exact; you are x;"), "{told}");
    refused(&["play", "hex", "--load", &copy], "--load: a game of pig goal=30, not of hex");
    folder.write("bad.json", "{\"game\":\"hex size=3\",\"moves\":[\"a1\",\"z9\"]}");
    refused(&["play", "--load", &folder.file("bad.json")], "move 2: move \"z9\" is not legal here");
    folder.write("bad.json", "hello");
    refused(&["play", "--load", &folder.file("bad.json")], "not a saved game");
    let output = with_input(&["play", "tic-tac-toe"], "save\n");
    assert!(String::from_utf8_lossy(&output.stderr).contains("save needs the name of a file"));
}

/// A mistake in a script of moves is an error.
#[test]
fn a_bad_move_in_a_pipe_ends_the_game() {
    let output = with_input(&["play", "tic-tac-toe", "--agent", "random"], "a1\nz9\n");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((output.status.code(), error.lines().count()), (Some(2), 1), "{error}");
    assert!(error.contains("move \"z9\" is not legal here"), "{error}");
}
