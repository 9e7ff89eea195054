//! Analyses continue until more input arrives.

use aji_gtp::{Options, serve};
use std::io::{self, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

/// Bytes from another thread.
struct Incoming(Receiver<Vec<u8>>);

impl Read for Incoming {
    fn read(&mut self, room: &mut [u8]) -> io::Result<usize> {
        let Ok(bytes) = self.0.recv() else { return Ok(0) };
        room[..bytes.len()].copy_from_slice(&bytes);
        Ok(bytes.len())
    }
}

/// Lines to another thread.
struct Outgoing(Sender<String>, String);

impl Write for Outgoing {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.1 += std::str::from_utf8(bytes).expect("text");
        while let Some(end) = self.1.find('\n') {
            let line: String = self.1.drain(..=end).collect();
            let _ = self.0.send(line.trim_end().into());
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

struct Controller {
    to_engine: Option<Sender<Vec<u8>>>,
    from_engine: Receiver<String>,
    engine: Option<std::thread::JoinHandle<io::Result<()>>>,
}

impl Controller {
    fn new(agent: &str, ponder: bool) -> Controller {
        let ((to_engine, incoming), (outgoing, from_engine)) = (channel(), channel());
        let options = Options { agent: Some(agent.parse().expect("an agent")), ponder, ..Options::default() };
        let engine = std::thread::spawn(move || {
            serve(Incoming(incoming), Outgoing(outgoing, String::new()), &options)
        });
        Controller { to_engine: Some(to_engine), from_engine, engine: Some(engine) }
    }

    fn send(&self, text: &str) {
        self.to_engine.as_ref().expect("open").send(text.as_bytes().to_vec()).expect("it listens");
    }

    fn line(&self) -> String {
        self.from_engine.recv_timeout(Duration::from_secs(60)).expect("a line in time")
    }

    /// Lines up to the blank one.
    fn answer(&self) -> Vec<String> {
        std::iter::repeat_with(|| self.line()).take_while(|line| !line.is_empty()).collect()
    }

    /// Ends the input, and the engine with it.
    fn close(mut self) {
        self.to_engine = None;
        self.engine.take().expect("an engine").join().expect("no panic").expect("no error");
    }
}

const AGENT: &str = "uct below=rave memory=50MB";

#[test]
fn leela_lines_until_the_next_command() {
    let controller = Controller::new(AGENT, false);
    controller.send("boardsize 5\n7 lz-analyze w 2\n");
    assert_eq!(controller.answer(), ["="]);
    assert_eq!(controller.line(), "=7");
    for _ in 0..3 {
        let line = controller.line();
        let words: Vec<&str> = line.split(' ').collect();
        assert_eq!((words[0], words[1], words[3], words[5]), ("info", "move", "visits", "winrate"), "{line}");
        assert!(words[6].parse::<u32>().expect("a number") <= 10_000, "{line}");
        assert!(line.contains(" order 0 pv "), "{line}");
    }
    controller.send("8 name\n");
    assert!(controller.answer().iter().all(|line| line.starts_with("info ")));
    assert_eq!(controller.answer(), ["=8 aji"]);
    controller.close();
}

#[test]
fn kata_lines_with_owners() {
    let controller = Controller::new(AGENT, false);
    controller.send("boardsize 5\nkata-analyze b 2 ownership true rootInfo true maxmoves 2\n");
    controller.answer();
    assert_eq!(controller.line(), "=");
    let line = controller.line();
    assert_eq!(line.matches("info move").count(), 2, "{line}");
    let owners = line.split_once(" ownership ").expect("owners").1;
    assert_eq!(owners.split(' ').count(), 25, "{line}");
    assert!(line.contains(" rootInfo visits ") && line.contains(" scoreLead "), "{line}");
    // A blank line ends it too.
    controller.send("\nversion\n");
    controller.answer();
    assert_eq!(controller.answer().len(), 1);
    controller.close();
}

/// The moves in a line, sorted by name.
fn told(line: &str) -> Vec<&str> {
    let mut told: Vec<&str> =
        line.split("info move ").skip(1).filter_map(|info| info.split(' ').next()).collect();
    told.sort_unstable();
    told
}

#[test]
fn moves_are_avoided_and_allowed() {
    let controller = Controller::new(AGENT, false);
    controller.send("boardsize 5\nplay b c3\n");
    controller.answer();
    controller.answer();
    let line_of = |command: &str| {
        controller.send(&format!("{command}\n"));
        assert_eq!(controller.line(), "=");
        let line = controller.line();
        controller.send("name\n");
        controller.answer();
        assert_eq!(controller.answer(), ["= aji"]);
        line
    };
    // An occupied point is never a move, whether it is allowed or avoided.
    assert_eq!(told(&line_of("lz-analyze w 5 allow w c3,a1,B2 1")), ["A1", "B2"]);
    let line = line_of("kata-analyze w 5 avoid w c3,a1,B2,pass 1 avoid w c2 9");
    assert!(["A1", "B2", "C2", "C3", "pass"].iter().all(|name| !told(&line).contains(name)), "{line}");
    assert!(!told(&line).is_empty(), "{line}");
    controller.close();
}

#[test]
fn moves_with_lines() {
    let controller = Controller::new("uct below=rave simulations=2000 memory=50MB", false);
    controller.send("boardsize 5\nlz-genmove_analyze b 1\nlist_stones b\n");
    controller.answer();
    let answer = controller.answer();
    assert_eq!(answer[0], "=");
    let played = answer.last().expect("a move").strip_prefix("play ").expect("a move");
    assert!(answer[1..answer.len() - 1].iter().all(|line| line.starts_with("info ")), "{answer:?}");
    assert_eq!(controller.answer(), [format!("= {played}")]);
    controller.close();
}

#[test]
fn an_engine_that_ponders_listens() {
    let controller = Controller::new("uct below=rave simulations=200 memory=50MB", true);
    controller.send("boardsize 5\ngenmove b\n");
    controller.answer();
    controller.answer();
    std::thread::sleep(Duration::from_millis(200));
    controller.send("play w a1\ngenmove b\nquit\n");
    assert_eq!(controller.answer(), ["="]);
    assert_eq!(controller.answer().len(), 1);
    controller.answer();
    controller.close();
}

#[test]
fn the_end_of_the_input_ends_an_analysis() {
    let controller = Controller::new(AGENT, false);
    controller.send("lz-analyze 1\n");
    controller.line();
    controller.close();
}
