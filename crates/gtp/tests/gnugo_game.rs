//! Whole games against GNU Go: both programs agree on every move and, if they agree on dead stones, on the score.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::mpsc::{Receiver, Sender, channel};

/// Where GNU Go is, unless `AJI_GNUGO` says: where Debian installs it, or on the PATH.
const PLACES: [&str; 2] = ["/usr/games/gnugo", "gnugo"];

/// More plies than any sane game of nine by nine has.
const PLIES_MAX: usize = 400;

/// A program that answers GTP commands.
trait Program {
    fn ask(&mut self, command: &str) -> Result<String, String>;
}

struct GnuGo {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl GnuGo {
    fn start() -> GnuGo {
        let spawn = |place: &str| {
            Command::new(place)
                .args([
                    "--mode",
                    "gtp",
                    "--level",
                    "0",
                    "--chinese-rules",
                    "--positional-superko",
                    "--seed",
                    "1",
                ])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .spawn()
                .ok()
        };
        let told = std::env::var("AJI_GNUGO");
        let mut child = (told.iter().map(String::as_str).chain(PLACES))
            .find_map(spawn)
            .expect("gnugo is not installed: apt-get install gnugo (./check does that)");
        let (input, output) = (child.stdin.take().expect("a pipe"), child.stdout.take().expect("a pipe"));
        GnuGo { child, input, output: BufReader::new(output) }
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program for GnuGo {
    fn ask(&mut self, command: &str) -> Result<String, String> {
        writeln!(self.input, "{command}").and_then(|()| self.input.flush()).expect("gnugo listens");
        let mut lines = self.output.by_ref().lines().map(|line| line.expect("gnugo answers"));
        answer(&mut lines)
    }
}

/// The engine, on a thread of its own.
struct Engine {
    input: Sender<Vec<u8>>,
    output: Receiver<Vec<u8>>,
}

struct Incoming(Receiver<Vec<u8>>);

impl std::io::Read for Incoming {
    fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
        let Ok(bytes) = self.0.recv() else { return Ok(0) };
        room[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

struct Outgoing(Sender<Vec<u8>>);

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        let _ = self.0.send(bytes.to_vec());
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

impl Engine {
    fn start() -> Engine {
        let ((input, incoming), (outgoing, output)) = (channel(), channel());
        std::thread::spawn(move || {
            let agent = "rave playout=atari simulations=400 memory=50MB".parse().expect("an agent");
            let options = aji_gtp::Options { agent: Some(agent), ..aji_gtp::Options::default() };
            aji_gtp::serve(Incoming(incoming), Outgoing(outgoing), &options)
        });
        Engine { input, output }
    }
}

impl Program for Engine {
    fn ask(&mut self, command: &str) -> Result<String, String> {
        self.input.send(format!("{command}\n").into_bytes()).expect("the engine listens");
        // An answer is written at once.
        let text = String::from_utf8(self.output.recv().expect("the engine answers")).expect("text");
        answer(&mut text.lines().map(str::to_string))
    }
}

/// Reads up to the blank line.
fn answer(lines: &mut impl Iterator<Item = String>) -> Result<String, String> {
    let lines: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
    let text = lines.join("\n");
    let (sign, rest) = text.split_at_checked(1).expect("an answer");
    let rest = rest.trim().to_string();
    if sign == "=" { Ok(rest) } else { Err(rest) }
}

fn vertices(answer: &str) -> Vec<String> {
    let mut names: Vec<String> = answer.split_whitespace().map(str::to_uppercase).collect();
    names.sort();
    names
}

/// Points of black less those of white.
fn points(score: &str) -> f32 {
    match score.split_once('+') {
        Some(("B", points)) => points.parse().expect("points"),
        Some(("W", points)) => -points.parse::<f32>().expect("points"),
        _ => 0.0,
    }
}

/// Both agree on the stones, the captures, and what each player may play.
fn compare(ours: &mut Engine, theirs: &mut GnuGo) {
    for question in ["list_stones b", "list_stones w", "all_legal b", "all_legal w"] {
        let answers =
            [ours.ask(question), theirs.ask(question)].map(|answer| vertices(&answer.expect("a list")));
        let board = theirs.ask("showboard").expect("a board");
        assert_eq!(answers[0], answers[1], "{question}, ours and GNU Go's, of\n{board}");
    }
    for question in ["captures b", "captures w"] {
        assert_eq!(ours.ask(question), theirs.ask(question), "{question}");
    }
}

/// Plays to the end and returns the number of plies. aji has this colour.
fn play(ours: &mut Engine, theirs: &mut GnuGo, our_colour: &str) -> usize {
    let mut passes = 0;
    for ply in 0..PLIES_MAX {
        let colour = ["b", "w"][ply % 2];
        let (mover, other): (&mut dyn Program, &mut dyn Program) =
            if colour == our_colour { (ours, theirs) } else { (theirs, ours) };
        let played = mover.ask(&format!("genmove {colour}")).expect("a move");
        if played.eq_ignore_ascii_case("resign") {
            return ply;
        }
        let heard = other.ask(&format!("play {colour} {played}"));
        assert_eq!(heard, Ok(String::new()), "ply {ply}, {colour} {played}");
        passes = if played.eq_ignore_ascii_case("pass") { passes + 1 } else { 0 };
        if passes == 2 {
            return ply;
        }
        if ply % 4 == 0 {
            compare(ours, theirs);
        }
    }
    panic!("no end after {PLIES_MAX} plies:\n{}", theirs.ask("showboard").expect("a board"));
}

#[test]
fn whole_games_against_gnu_go() {
    for our_colour in ["b", "w"] {
        check_game(our_colour);
    }
}

fn check_game(our_colour: &str) {
    let (mut ours, mut theirs) = (Engine::start(), GnuGo::start());
    for command in ["boardsize 9", "clear_board", "komi 7.5"] {
        ours.ask(command).expect(command);
        theirs.ask(command).expect(command);
    }
    let plies = play(&mut ours, &mut theirs, our_colour);
    assert!(plies > 20, "a game, not {plies} plies");
    compare(&mut ours, &mut theirs);
    let [ours_say, theirs_say] =
        [ours.ask("final_score"), theirs.ask("final_score")].map(|score| score.expect("a score"));
    let dead = [ours.ask("final_status_list dead"), theirs.ask("final_status_list dead")]
        .map(|list| list.expect("a list"));
    let board = theirs.ask("showboard").expect("a board");
    if vertices(&dead[0]) == vertices(&dead[1]) {
        assert_eq!(points(&ours_say), points(&theirs_say), "the score of\n{board}");
    } else {
        println!(
            "dead stones, ours: {}; GNU Go's: {}; scores {ours_say} and {theirs_say} of\n{board}",
            dead[0], dead[1]
        );
    }
}

/// The points of a fixed handicap are the standard's, which GNU Go follows.
#[test]
fn handicaps_as_gnu_go_places_them() {
    let (mut ours, mut theirs) = (Engine::start(), GnuGo::start());
    // On 12 lines the standard has the third one, and GNU Go the fourth.
    for size in [7, 8, 9, 10, 11, 13, 15, 18, 19] {
        for stones in 0..=10 {
            let place = |program: &mut dyn Program| {
                program.ask(&format!("boardsize {size}")).expect("a size");
                program.ask("clear_board").expect("an empty board");
                program.ask(&format!("fixed_handicap {stones}")).map(|list| vertices(&list)).ok()
            };
            assert_eq!(place(&mut ours), place(&mut theirs), "{stones} stones on {size} by {size}");
        }
    }
}
