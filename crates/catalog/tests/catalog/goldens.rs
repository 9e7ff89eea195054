//! Reports of agents, compared bit for bit with stored ones: every game, every rule and every option of an agent's
//! name.
//!
//! Each agent thinks, plays its move, and thinks again after the next player's or chance's move, so that reused trees
//! are tested too. An intended change shows in the diff of `goldens/reports.txt`, which `AJI_WRITE_GOLDENS=1 cargo test
//! -p aji-catalog --test catalog goldens` writes anew.

use crate::networks::network;
use aji_catalog::{AgentName, Session, TreeNode, session};
use aji_search::{Report, Rng, Turn};
use std::fmt::Write;
use std::path::PathBuf;

/// A digest of numbers (FNV-1a, by words).
struct Digest(u64);

impl Digest {
    fn new() -> Digest {
        Digest(0xCBF2_9CE4_8422_2325)
    }

    fn add(&mut self, number: u64) {
        self.0 = (self.0 ^ number).wrapping_mul(0x0000_0100_0000_01B3).rotate_left(17);
    }

    fn add_text(&mut self, text: &str) {
        text.bytes().for_each(|byte| self.add(byte.into()));
        self.add(u64::MAX);
    }

    fn add_float(&mut self, number: Option<f32>) {
        self.add(number.map_or(u64::MAX, |number| number.to_bits().into()));
    }
}

fn digest_arms(report: &Report<String>) -> u64 {
    let mut digest = Digest::new();
    for arm in &report.arms {
        digest.add_text(&arm.action);
        digest.add(arm.pulls.into());
        digest.add_float(Some(arm.mean));
        digest.add_float(arm.error);
        digest.add_float(arm.proven);
        if arm.prior.is_some() {
            digest.add_float(arm.prior);
        }
    }
    digest.0
}

fn digest_tree(digest: &mut Digest, node: &TreeNode) {
    digest.add_text(node.action.as_deref().unwrap_or(""));
    digest.add(node.pulls.into());
    digest.add_float(node.mean);
    digest.add(node.left_out as u64);
    node.children.iter().for_each(|child| digest_tree(digest, child));
}

/// A report in one line, without its time.
fn line(report: &Report<String>, session: &dyn Session) -> String {
    let tree = session.tree(&[], 4, 1_000).map(|tree| {
        let mut digest = Digest::new();
        digest_tree(&mut digest, &tree);
        digest.0
    });
    let number = |number: Option<f32>| number.map_or("-".into(), |number| format!("{number:?}"));
    let pulls: Vec<String> = report.arms.iter().take(12).map(|arm| arm.pulls.to_string()).collect();
    format!(
        "{} {} proven {} nodes {} bytes {} simulations {} left out {} recycled {} {:?} line {} pulls {} arms {:016x} tree {}",
        report.best.as_deref().unwrap_or("-"),
        number(report.value),
        number(report.proven),
        report.nodes,
        report.bytes,
        report.simulations,
        report.left_out,
        report.recycled,
        report.stopped,
        report.line.join(","),
        pulls.join(","),
        digest_arms(report),
        tree.map_or("-".into(), |tree| format!("{tree:016x}")),
    )
}

/// Two reports of an agent, with the moves between them.
fn played(game: &str, agent: &str) -> Result<String, aji_catalog::Error> {
    let (mut session, agent): (_, AgentName) = (session(game)?, agent.parse()?);
    let (mut text, mut rng) = (String::new(), Rng::seeded(1));
    for _ in 0..2 {
        while session.draw_chance(&mut rng).is_some() {}
        if session.turn() == Turn::Over {
            break;
        }
        let report = session.think(&agent, &mut ())?;
        writeln!(text, "    {}", line(&report, &*session)).expect("text grows");
        if let Some(best) = report.best {
            session.play(&best)?;
        }
        while session.draw_chance(&mut rng).is_some() {}
        // The answer: any action of the next player.
        let actions = session.actions();
        if matches!(session.turn(), Turn::Player(_)) {
            session.play(&actions[actions.len() / 2])?;
        }
    }
    Ok(text)
}

fn folder() -> PathBuf {
    [env!("CARGO_MANIFEST_DIR"), "tests", "catalog", "goldens"].iter().collect()
}

/// The reports of some cases, each under its line.
fn reports(cases: &[&str]) -> String {
    let mut text = String::new();
    for case in cases {
        let (game, agent) = case.split_once(" | ").expect("a case is: game | agent");
        let found = played(game, agent).unwrap_or_else(|error| format!("    {error}\n"));
        write!(text, "{case}\n{found}").expect("text grows");
    }
    text
}

/// The networks of the cases: files beside them, generated from seeds.
const NETWORKS: [(&str, &str, &str); 2] = [
    ("tic-tac-toe", "conv channels=8 blocks=1", "tic-tac-toe.safetensors"),
    ("connect-four", "perceptron hidden=16,8", "connect-four.safetensors"),
];

#[test]
fn networks_are_the_same_bit_for_bit() {
    for (game, design, file) in NETWORKS {
        let (made, path) = (network(game, design), folder().join(file));
        if std::env::var_os("AJI_WRITE_GOLDENS").is_some() {
            std::fs::write(&path, &made).expect("a network can be written");
        }
        assert!(std::fs::read(&path).expect("a network") == made, "{file} is not what its seed makes");
    }
}

#[test]
fn reports_are_the_same_bit_for_bit() {
    networks_are_the_same_bit_for_bit();
    let cases = std::fs::read_to_string(folder().join("cases.txt")).expect("cases.txt");
    let cases: Vec<&str> = cases.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(cases.len() >= 80);
    let (front, back) = cases.split_at(cases.len() / 2);
    let found = std::thread::scope(|scope| {
        let front = scope.spawn(|| reports(front));
        let back = reports(back);
        front.join().expect("no panic") + &back
    });
    let path = folder().join("reports.txt");
    if std::env::var_os("AJI_WRITE_GOLDENS").is_some() {
        std::fs::write(&path, &found).expect("reports.txt can be written");
    }
    let stored = std::fs::read_to_string(&path).expect("reports.txt");
    let mut case = "";
    for (stored, found) in stored.lines().zip(found.lines()) {
        case = if stored.starts_with(' ') { case } else { stored };
        assert_eq!(stored, found, "{case}");
    }
    assert_eq!(stored.lines().count(), found.lines().count());
}
