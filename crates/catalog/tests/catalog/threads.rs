//! Sessions on threads: a session may be made on one thread, think on another, and return.

use aji_catalog::{AgentName, Session, session};
use aji_search::{Report, Stopped, Watch};
use std::sync::mpsc;
use std::time::Duration;

const fn assert_send<T: Send + ?Sized>() {}

/// Checked at compile time.
const _: () = {
    assert_send::<dyn Session>();
    assert_send::<Box<dyn Session>>();
};

fn open(game: &str) -> Box<dyn Session> {
    session(game).unwrap_or_else(|error| panic!("{error}"))
}

fn agent(name: &str) -> AgentName {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// Thinks, plays the best move, and returns the report without its time.
fn think_and_play(session: &mut dyn Session, agent: &AgentName) -> Report<String> {
    let report = session.think(agent, &mut ()).unwrap_or_else(|error| panic!("{error}"));
    session.play(report.best.as_ref().expect("a move")).unwrap_or_else(|error| panic!("{error}"));
    Report { time: Duration::ZERO, ..report }
}

/// A session finds the same on another thread, and brings its tree back.
#[test]
fn a_session_thinks_on_another_thread() {
    for (game, name) in [
        ("connect-four", "uct simulations=3000 memory=20MB seed=3"),
        ("connect-four", "uct simulations=3000 memory=20MB seed=3 threads=2 wave=8"),
        ("hex size=5", "uct simulations=2000 memory=20MB transpositions=on"),
        ("go size=5", "uct playout=mast simulations=300 memory=20MB"),
        ("connect-four", "alphabeta depth=5"),
        ("nim heaps=2,3,4", "exact"),
    ] {
        let agent = agent(name);
        let mut here = open(game);
        let expect = [think_and_play(&mut *here, &agent), think_and_play(&mut *here, &agent)];
        let mut there = open(game);
        let thread = std::thread::spawn({
            let agent = agent.clone();
            move || {
                let report = think_and_play(&mut *there, &agent);
                (there, report)
            }
        });
        let (mut back, first) = thread.join().expect("a session that does not panic");
        let second = think_and_play(&mut *back, &agent);
        assert_eq!([first, second], expect, "{name} at {game}");
        assert_eq!(
            (back.text(), back.tree(&[], 2, 9)),
            (here.text(), here.tree(&[], 2, 9)),
            "{name} at {game}"
        );
    }
}

/// Tells another thread that the search is running, and stops it when that thread asks.
struct Remote {
    started: Option<mpsc::Sender<u64>>,
    stop: mpsc::Receiver<()>,
}

impl Watch for Remote {
    fn look(&mut self, progress: &mut dyn aji_search::Progress) -> bool {
        if let Some(started) = self.started.take() {
            started.send(progress.simulations()).expect("somebody who waits");
        }
        self.stop.try_recv().is_err()
    }
}

/// A search without a limit goes on in one thread until another one ends it.
#[test]
fn a_session_is_stopped_from_another_thread() {
    let (started, has_started) = mpsc::channel();
    let (stop, asked_to_stop) = mpsc::channel();
    let mut session = open("connect-four");
    let thread = std::thread::spawn(move || {
        let mut watch = Remote { started: Some(started), stop: asked_to_stop };
        let agent = agent("uct simulations=1000000000 memory=20MB");
        let report = session.think(&agent, &mut watch).unwrap_or_else(|error| panic!("{error}"));
        (session, report)
    });
    let simulations = has_started.recv().expect("a search under way");
    stop.send(()).expect("a search that listens");
    let (mut session, report) = thread.join().expect("a session that does not panic");
    assert_eq!(report.stopped, Stopped::Handle);
    assert!(report.simulations >= simulations && report.best.is_some());
    // The search continues from there.
    let kept = session.tree(&[], 1, 0).map_or(0, |root| root.pulls);
    assert_eq!(u64::from(kept), report.simulations);
    let more = session.think(&agent("uct simulations=500 memory=20MB"), &mut ()).expect("a move");
    let pulls: u64 = more.arms.iter().map(|arm| u64::from(arm.pulls)).sum();
    assert_eq!(pulls, report.simulations + 500);
}
