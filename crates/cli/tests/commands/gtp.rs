//! `aji gtp` as a Go program runs it, over pipes.

use crate::shell::{command, printed, refused};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

struct Engine {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Engine {
    fn start(arguments: &[&str]) -> Engine {
        let mut child = command(&["gtp"])
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("aji starts");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        Engine { child, input, output: BufReader::new(output) }
    }

    fn send(&mut self, text: &str) {
        self.input.write_all(text.as_bytes()).and_then(|()| self.input.flush()).expect("aji listens");
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.output.read_line(&mut line).expect("aji answers");
        line.trim_end().into()
    }

    /// An answer in one piece, without its blank line.
    fn ask(&mut self, command: &str) -> String {
        self.send(&format!("{command}\n"));
        let lines: Vec<String> =
            std::iter::repeat_with(|| self.line()).take_while(|line| !line.is_empty()).collect();
        lines.join("\n")
    }

    /// Waits for the end. Standard error must be empty.
    fn end(self) {
        assert_eq!(self.noted(), "");
    }

    /// Waits for the end. Returns the standard error.
    fn noted(self) -> String {
        drop(self.input);
        let output = self.child.wait_with_output().expect("aji ends");
        assert!(output.status.success());
        String::from_utf8(output.stderr).expect("text")
    }
}

/// Another board may have another strongest agent. A line says so.
#[test]
fn a_change_of_the_agent_is_noted() {
    let mut engine = Engine::start(&[]);
    for command in ["boardsize 7", "komi 7.5", "komi 6.5", "boardsize 9"] {
        assert_eq!(engine.ask(command), "=", "{command}");
    }
    let noted = engine.noted();
    let lines: Vec<&str> = noted.lines().collect();
    assert_eq!(lines.len(), 2, "{noted}");
    assert!(
        lines[0].starts_with("go size=7 komi=7.5") && lines[0].contains(": alphazero plays from here"),
        "{noted}"
    );
    assert!(lines[1].starts_with("go size=7 komi=6.5") && lines[1].contains("not alphazero"), "{noted}");
}

/// Programs set the size after the start, so an agent that plays on another board may start.
#[test]
fn an_agent_waits_for_its_board() {
    let mut engine = Engine::start(&["--agent", "alphazero simulations=4"]);
    let refusal = engine.ask("genmove b");
    assert!(refusal.starts_with("? alphazero: no network ships for go size=9"), "{refusal}");
    assert_eq!(engine.ask("boardsize 7"), "=");
    assert!(engine.ask("genmove b").starts_with("= "));
    assert_eq!(engine.ask("komi 0.5"), "=");
    let refusal = engine.ask("genmove w");
    assert!(
        refusal.contains("learned go size=7 with komi=7.5") && refusal.contains("has komi=0.5"),
        "{refusal}"
    );
    let noted = engine.noted();
    assert!(noted.lines().count() == 1 && noted.contains("waiting for another board"), "{noted}");
    refused(&["gtp", "--agent", "thermo"], "it plays only sums");
    refused(&["gtp", "--agent", "alphazero net=none.safetensors"], "no such file");
}

#[test]
fn a_session_over_pipes() {
    let mut engine =
        Engine::start(&["--agent", "uct below=rave simulations=100", "--size", "7", "--komi", "-3.5"]);
    assert_eq!(engine.ask("1 name"), "=1 aji");
    assert_eq!(engine.ask("known_command lz-analyze"), "= true");
    assert!(engine.ask("showboard").contains("komi -3.5"));
    assert_eq!(engine.ask("play b d4"), "=");
    assert_eq!(engine.ask("play w d4"), "? illegal move");
    let answer = engine.ask("2 genmove w");
    let vertex = answer.strip_prefix("=2 ").expect("a move");
    assert_eq!(engine.ask("list_stones w"), format!("= {vertex}"));
    assert_eq!(engine.ask("undo"), "=");
    assert_eq!(engine.ask("list_stones w"), "=");
    engine.send("3 lz-analyze 5\n");
    assert_eq!(engine.line(), "=3");
    assert!(engine.line().starts_with("info move "));
    let rest = engine.ask("4 komi 7");
    assert!(rest.lines().all(|line| line.starts_with("info move ")), "the analysis ends: {rest}");
    assert_eq!(engine.line(), "=4");
    assert_eq!(engine.line(), "");
    assert!(engine.ask("printsgf").starts_with("= (;FF[4]"));
    assert_eq!(engine.ask("quit"), "=");
    engine.end();
}

#[test]
fn the_end_of_the_input_is_the_end() {
    let mut engine = Engine::start(&["--ponder", "--resign", "0.1"]);
    assert_eq!(engine.ask("protocol_version"), "= 2");
    engine.end();
}

#[test]
fn bad_options_are_one_line() {
    let check = |arguments: &[&str], expect: &str| refused(&[&["gtp"], arguments].concat(), expect);
    check(&["--agent", "utc"], "unknown agent \"utc\"; did you mean uct?");
    check(&["--agent", "thermo"], "it plays only sums of games");
    check(&["--size", "26"], "size 26: expected 2 to 25");
    check(&["--size", "x"], "invalid value 'x'");
    check(&["--komi", "nan"], "expected a number such as 7.5");
    check(&["--resign", "2"], "expected a win rate from 0 to 0.5");
    check(&["--board", "9"], "unexpected argument");
}

#[test]
fn help_has_examples() {
    let text = printed(&["gtp", "--help"]);
    assert!(text.contains("Examples:") && text.contains("--resign") && text.contains("Sabaki"), "{text}");
}
