//! Agents with networks: their files, their moves, and the errors of wrong names.

use aji_catalog::{AgentName, Error, SHIPPED, SHIPPED_BYTES_MAX, Session, Workbench, session};
use aji_net::{Description, Design, Network};
use aji_search::{AnyGame, Encoded, Game, Named, Player, Report, Rng, Turn};
use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

/// A small network with random parameters for a game of this name.
pub fn network(game: &str, design: &str) -> Vec<u8> {
    let shape = session(game).expect("a game").position().shape();
    let design: Design = design.parse().expect("a design");
    let mut network = Network::new(shape, design, 1).expect("a network");
    let (mut rng, mut parameters) = (Rng::seeded(2), network.parameters().to_vec());
    network.used_parameters().into_iter().for_each(|index| parameters[index] += 0.6 * (rng.unit() - 0.5));
    network.set_parameters(&parameters);
    let description = Description { game: game.into(), ..Description::default() };
    network.to_bytes(&description).expect("a file")
}

const SMALL: &str = "conv channels=8 blocks=1";

/// A file that no other test uses.
fn file(name: &str, bytes: &[u8]) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("a file can be written");
    let path = path.to_str().expect("a path");
    assert!(!path.contains(' '), "{path}: names of agents have no spaces within");
    path.into()
}

fn with_network(game: &str) -> Workbench {
    let word = game.split(' ').next().expect("a word");
    Workbench::new().network(word, network(game, SMALL)).expect("a network")
}

fn think(session: &mut dyn Session, agent: &str) -> Result<Report<String>, Error> {
    let agent: AgentName = agent.parse()?;
    let report = session.think(&agent, &mut ())?;
    Ok(Report { time: Duration::ZERO, ..report })
}

/// The agent's report at the start of a game that has a network.
fn found(game: &str, agent: &str) -> Report<String> {
    let mut session = with_network(game).session(game).expect("a game");
    think(session.as_mut(), agent).unwrap_or_else(|error| panic!("{agent}: {error}"))
}

const GAMES: [&str; 9] = [
    "tic-tac-toe",
    "mnk m=4 n=3 k=3",
    "connect-four",
    "othello",
    "hex size=4",
    "breakthrough",
    "go size=5",
    "go size=11",
    "heap-go",
];

#[test]
fn one_simulation_is_the_bare_network() {
    for game in GAMES {
        for agent in ["alphazero", "gumbel", "alphazero symmetries=on", "gumbel seed=9", "alphazero wave=8"] {
            let agent = format!("{agent} simulations=1");
            let mut session = with_network(game).session(game).expect("a game");
            let mut rng = Rng::seeded(3);
            for _ in 0..4 {
                if session.turn() == Turn::Over {
                    break;
                }
                let report = think(session.as_mut(), &agent).expect("a report");
                let prior = |action: &str| {
                    report.arms.iter().find(|arm| arm.action == action).and_then(|arm| arm.prior)
                };
                let highest = report.arms.iter().filter_map(|arm| arm.prior).fold(0.0, f32::max);
                let best = report.best.clone().expect("a move");
                assert_eq!(prior(&best), Some(highest), "{game}, {agent}");
                let sum: f32 = report.arms.iter().filter_map(|arm| arm.prior).sum();
                assert!((sum - 1.0).abs() < 1e-4 && report.evaluation.is_some(), "{game}: {sum}");
                session.play(&best).expect("a legal move");
                let actions = session.actions();
                if !actions.is_empty() {
                    session.play(&actions[rng.below(actions.len())]).expect("a legal move");
                }
            }
        }
    }
}

/// Every option of a search works with a network, or is refused by name.
#[test]
fn every_option_works_with_a_network() {
    let agents = [
        "alphazero simulations=200",
        "alphazero simulations=200 solver=on",
        "alphazero simulations=200 wave=8",
        "alphazero simulations=200 wave=8 solver=on symmetries=on",
        "alphazero simulations=200 threads=2",
        "alphazero simulations=200 transpositions=on",
        "alphazero simulations=200 root=voi",
        "alphazero simulations=200 c=2 memory=2MB",
        "alphazero simulations=200 full=recycle memory=500kB",
        "alphazero simulations=50 lambda=0.5",
        "alphazero simulations=50 lambda=0.5 playout=net wave=4",
        "alphazero simulations=50 lambda=1",
        "gumbel simulations=32",
        "gumbel simulations=100 below=puct lines=2",
        "gumbel simulations=40 root=gumbel threads=2",
        "uct simulations=40 playout=net",
        "uct simulations=40 playout=net(temperature=0.5) wave=8",
        "uct simulations=100 lambda=0 below=puct",
        "flat simulations=50 lambda=0.3",
    ];
    for agent in agents {
        let first = found("connect-four", agent);
        assert_eq!(found("connect-four", agent), first, "{agent}: the same seed, the same report");
        let has_priors = !agent.starts_with("uct simulations=40");
        assert!(first.arms.iter().all(|arm| arm.prior.is_some() == has_priors), "{agent}");
        let name: AgentName = agent.parse().expect("a name");
        assert_eq!(first.simulations, name.simulations.expect("given"), "{agent}");
    }
}

/// An explained simulation is an ordinary one, and waves of one are a search without waves.
#[test]
fn told_simulations_are_the_same() {
    let game = "connect-four";
    let agent: AgentName = "alphazero simulations=60 solver=on".parse().expect("a name");
    let mut told = with_network(game).session(game).expect("a game");
    let explanation = told.explain(&agent, 0, 60).expect("told");
    let found = found(game, "alphazero simulations=60 solver=on wave=1");
    let arms: Vec<_> = found.arms.iter().map(|arm| (arm.action.clone(), arm.pulls)).collect();
    let told: Vec<_> = explanation.arms.iter().map(|arm| (arm.action.clone(), arm.pulls)).collect();
    assert_eq!(told, arms);
    assert!(explanation.simulations.iter().all(|simulation| simulation.playout.as_deref() != Some(&[])
        || simulation.expansion == aji_search::Expansion::Over
        || simulation.expansion == aji_search::Expansion::Proven));
}

/// The baseline instructions of every CPU give the same bits.
#[test]
fn the_cpu_changes_nothing() {
    for agent in
        ["alphazero simulations=100 wave=4 symmetries=on", "gumbel simulations=64 lambda=0.5 playout=net"]
    {
        let first = found("tic-tac-toe", agent);
        aji_cpu::pretend_baseline(true);
        let baseline = found("tic-tac-toe", agent);
        aji_cpu::pretend_baseline(false);
        assert_eq!(first, baseline, "{agent}");
    }
}

/// The cache changes nothing: a search with next to no memory for it finds the same tree.
#[test]
fn the_cache_changes_nothing() {
    let small = found("connect-four", "alphazero simulations=300 memory=1MB");
    let large = found("connect-four", "alphazero simulations=300 memory=200MB");
    assert_eq!(small, large);
}

/// Once the solver proves the root, an untrained network plays as well as exact search. PUCT always proves it; Gumbel
/// search, which drops arms for good, not always.
#[test]
fn a_proof_is_worth_more_than_a_network() {
    let workbench = with_network("tic-tac-toe");
    let mut rng = Rng::seeded(5);
    let mut proven = 0;
    for _ in 0..25 {
        let mut session = workbench.session("tic-tac-toe").expect("a game");
        for _ in 0..2 + rng.below(4) {
            let actions = session.actions();
            if !actions.is_empty() {
                session.play(&actions[rng.below(actions.len())]).expect("legal");
            }
        }
        if session.turn() == Turn::Over {
            continue;
        }
        let text = session.text();
        let mut exact = workbench.session("tic-tac-toe").expect("a game");
        exact.set_position(&text).expect("a position");
        let solution = think(exact.as_mut(), "exact").expect("solved");
        for agent in ["alphazero solver=on simulations=30k", "gumbel solver=on simulations=30k wave=4"] {
            let mut session = workbench.session("tic-tac-toe").expect("a game");
            session.set_position(&text).expect("a position");
            let report = think(session.as_mut(), agent).expect("a report");
            if report.proven.is_none() && agent.starts_with("gumbel") {
                continue;
            }
            assert_eq!(report.proven, solution.value, "{text}: {agent}");
            let best = report.best.expect("a move");
            let worth = solution.arms.iter().find(|arm| arm.action == best).map(|arm| arm.mean);
            assert_eq!(worth, solution.value, "{text}: {agent} plays {best}");
            proven += 1;
        }
    }
    assert!(proven > 25, "{proven}");
}

#[test]
fn files_are_read_and_refused_in_one_line() {
    let game = "connect-four";
    let bytes = network(game, SMALL);
    let path = file("right.safetensors", &bytes);
    let mut by_file = session(game).expect("a game");
    let report = think(by_file.as_mut(), &format!("alphazero net={path} simulations=20")).expect("a report");
    assert_eq!(report, found(game, "alphazero simulations=20"));
    let check = |game: &str, path: &str, expect: &str| {
        let mut session = session(game).expect("a game");
        for agent in ["alphazero", "gumbel", "uct playout=net"] {
            let name = format!("{agent} net={path} simulations=5");
            let error = think(session.as_mut(), &name).map(|_| ()).unwrap_err().to_string();
            assert!(error.contains(expect) && error.contains(path) && !error.contains('\n'), "{error}");
            let accepted = session.accepts(&name.parse().expect("a name")).unwrap_err().to_string();
            assert_eq!(accepted, error);
        }
    };
    let folder = env!("CARGO_TARGET_TMPDIR");
    check(game, &format!("{folder}/none.safetensors"), "No such file");
    check(game, folder, "irectory");
    check(game, &file("torn.safetensors", &bytes[..bytes.len() / 2]), "no safetensors file");
    check(game, &file("empty.safetensors", b""), "no safetensors file");
    check(game, &file("text.safetensors", b"a network, honestly\n"), "no safetensors file");
    check("hex size=4", &path, "it plays connect-four, expected a network for hex size=4");
    let hex = file("hex.safetensors", &network("hex size=5", SMALL));
    check("hex size=4", &hex, "on 5x5 and 25 actions of hex size=5, expected");
    assert!(think(session("hex size=5").expect("a game").as_mut(), &format!("gumbel net={hex}")).is_ok());
}

#[test]
fn a_game_without_a_network_says_how_to_get_one() {
    let check = |game: &str, agent: &str, expect: &str| {
        let mut session = with_network("hex size=5").session(game).expect("a game");
        let error = think(session.as_mut(), agent).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expect) && !error.contains('\n'), "{error}");
    };
    check("hex size=4", "alphazero", "alphazero: no network ships for hex size=4 (only for hex size=5");
    check("hex size=4", "gumbel", "train one: aji train \"hex size=4\" --out DIR");
    check("hex size=4", "uct lambda=0.5", "lambda=: no network ships");
    check(
        "nim",
        "alphazero",
        "alphazero: networks cannot play nim, as it has no encoding; take another agent, such as uct",
    );
    check("pig", "uct playout=net", "playout=net: networks cannot play pig");
    let wrong = Workbench::new().network("hex", b"no".to_vec()).map(|_| ()).unwrap_err();
    assert!(wrong.to_string().contains("network of hex: no safetensors file"), "{wrong}");
}

/// A network does not see the rules that it learned by, so it plays by no others.
#[test]
fn networks_play_only_by_the_rules_they_learned() {
    let check = |game: &str, position: Option<&str>, agent: &str, expect: Option<&str>| {
        let mut session = session(game).expect("a game");
        position.into_iter().for_each(|text| session.set_position(text).expect("a position"));
        match (think(session.as_mut(), agent), expect) {
            (Ok(_), None) => {}
            (Err(error), Some(expect)) => {
                let error = error.to_string();
                assert!(error.contains(expect) && !error.contains('\n'), "{error}");
            }
            (found, _) => panic!("{game}, {agent}: {:?}", found.map(|report| report.best)),
        }
    };
    for agent in ["alphazero simulations=4", "gumbel simulations=4", "uct playout=net simulations=2"] {
        check("go size=7", None, agent, None);
        check("go size=7 komi=7.50 eyes=keep", None, agent, None);
        check("go size=7 komi=6.5", None, agent, Some("learned go size=7 with komi=7.5"));
        check("go size=7 komi=6.5", None, agent, Some("go size=7 komi=6.5 has komi=6.5"));
        check("go size=7 ko=simple", None, agent, Some("has ko=simple"));
        let record = |komi: &str| format!("(;GM[1]SZ[7]KM[{komi}];B[dd])");
        check("go size=7", Some(&record("7.5")), agent, None);
        check("go size=7", Some(&record("0.5")), agent, Some("go size=7 komi=0.5 has komi=0.5"));
        check("go size=7 komi=0.5", Some(&record("7.5")), agent, None);
    }
    let three = file("three.safetensors", &network("mnk m=4 n=4 k=3", SMALL));
    check("mnk m=4 n=4 k=3", None, &format!("alphazero simulations=4 net={three}"), None);
    check("mnk m=4 n=4 k=4", None, &format!("alphazero net={three}"), Some("with k=3"));
}

/// A position that brings its own komi changes the name of the game, by which its text reads back as it was.
#[test]
fn a_position_may_change_the_name_of_its_game() {
    let check = |game: &str, komi: &str, expect: &str| {
        let mut first = session(game).expect("a game");
        first.set_position(&format!("(;GM[1]SZ[5]KM[{komi}];B[cc])")).expect("a record");
        assert_eq!(first.name(), expect);
        let mut second = session(first.name()).expect("a game");
        second.set_position(&first.text()).expect("a position");
        assert_eq!(second.position(), first.position());
        first.set_position("...../...../...../...../..... x").expect("a position");
        assert_eq!(first.name(), game, "the rules of the game again");
    };
    check("go size=5", "0.5", "go size=5 komi=0.5");
    check("go size=5", "7.5", "go size=5");
    check("go komi=3 size=5", "6.5", "go size=5 komi=6.5");
}

/// The shipped networks are small, can be read, and play their games.
#[test]
fn networks_that_ship_play_their_games() {
    for (word, bytes) in SHIPPED {
        assert!(bytes.len() <= SHIPPED_BYTES_MAX, "{word}: {} bytes", bytes.len());
        let (network, says) = Network::from_bytes(bytes).expect("a network");
        let mut session = session(&says.game).expect("its game");
        assert_eq!(says.game.split(' ').next(), Some(*word));
        assert_eq!(session.position().shape(), network.shape());
        assert!(think(session.as_mut(), "gumbel simulations=4").is_ok());
    }
}

/// The outcome for the player to act, by full search.
fn outcome(game: &AnyGame) -> i8 {
    let Turn::Player(player) = game.turn() else { unreachable!("the game is not over") };
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions.into_iter().map(|action| after(game, action, player)).max().expect("an action")
}

/// The outcome for this player after an action.
fn after(game: &AnyGame, action: u16, player: Player) -> i8 {
    let mut next = game.clone();
    next.play(action);
    if next.turn() == Turn::Over { next.payoff().of(player) as i8 } else { -outcome(&next) }
}

/// The network of Tic-Tac-Toe errs in no position of the game, without any search.
#[test]
fn the_network_of_tic_tac_toe_is_perfect() {
    let mut session = session("tic-tac-toe").expect("a game");
    let (mut waiting, mut seen) = (vec![session.position().clone()], HashSet::new());
    while let Some(game) = waiting.pop() {
        let Turn::Player(player) = game.turn() else { continue };
        if !seen.insert(game.text()) {
            continue;
        }
        session.set_position(&game.text()).expect("a position");
        let best =
            think(session.as_mut(), "alphazero simulations=1").expect("a report").best.expect("a move");
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let chosen = actions.iter().find(|&&action| game.action_name(action) == best);
        let chosen = *chosen.expect("one of the actions");
        assert_eq!(after(&game, chosen, player), outcome(&game), "{best} in {}", game.text());
        waiting.extend(actions.into_iter().map(|action| {
            let mut next = game.clone();
            next.play(action);
            next
        }));
    }
    assert_eq!(seen.len(), 4_520, "positions in which somebody moves");
}

/// A saved search continues as if it had never stopped.
#[test]
fn searches_with_networks_are_saved() {
    let workbench = with_network("connect-four");
    let (half, whole): (AgentName, AgentName) = (
        "alphazero simulations=150".parse().expect("a name"),
        "alphazero simulations=300".parse().expect("a name"),
    );
    let mut at_once = workbench.session("connect-four").expect("a game");
    at_once.think(&half, &mut ()).expect("a report");
    let expect = at_once.think(&half, &mut ()).expect("a report");
    let mut first = workbench.session("connect-four").expect("a game");
    first.think(&half, &mut ()).expect("a report");
    let mut saved = Vec::new();
    first.save(&mut saved).expect("saved");
    let mut second = workbench.session("connect-four").expect("a game");
    assert_eq!(second.load(&half, &mut &saved[..]), Ok(150));
    let report = second.think(&half, &mut ()).expect("a report");
    assert_eq!(report.arms, expect.arms);
    assert_eq!(
        report.arms.iter().map(|arm| arm.pulls).sum::<u32>() as u64,
        whole.simulations.expect("given")
    );
}
