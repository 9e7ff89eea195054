//! Searches against a fixed victim, compared with exact best responses.

use aji_catalog::{AgentName, ModelName, Session, VictimName, session};
use aji_search::{Named, Turn};
use std::collections::HashMap;

fn agent(text: &str) -> AgentName {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// The victim's reply: a new session, so that nothing is left of earlier positions.
fn best(game: &str, position: &str, agent: &AgentName) -> String {
    let mut session = session(game).unwrap();
    session.set_position(position).unwrap();
    session.think(agent, &mut ()).unwrap().best.unwrap()
}

/// The best result of player 0 against a victim that plays the moves of `reply`, by plain recursion.
fn best_response(session: &mut dyn Session, reply: &mut dyn FnMut(&str) -> String) -> f32 {
    let mut most = f32::NEG_INFINITY;
    for action in session.actions() {
        session.play(&action).unwrap();
        let mut plies = 1;
        if session.turn() == Turn::Player(1) {
            let reply = reply(&session.text());
            session.play(&reply).unwrap();
            plies += 1;
        }
        let value = match session.payoff() {
            Some(payoff) => payoff.of(0),
            None => best_response(session, reply),
        };
        most = most.max(value);
        (0..plies).for_each(|_| assert!(session.undo()));
    }
    most
}

/// With model=r the victim is a function of the position, for every seed. A search finds the value of the exact solution,
/// and one of its best actions.
#[test]
fn r_finds_the_best_response_in_tic_tac_toe() {
    for seed in 1..=4 {
        let name = format!("uct simulations=12 seed={seed}");
        let exact = agent(&format!("exact victim=({name})"));
        let attack = agent(&format!("amcts victim=({name}) model=r c=0.7 simulations=4000"));
        let mut game = session("tic-tac-toe").unwrap();
        let solved = game.think(&exact, &mut ()).unwrap();
        let value = solved.value.unwrap();
        assert!(solved.proven.is_some() && [0.0, 0.5, 1.0].contains(&value), "{value}");
        let found = game.think(&attack, &mut ()).unwrap();
        let chosen = solved.arms.iter().find(|arm| Some(&arm.action) == found.best.as_ref()).unwrap();
        assert_eq!(chosen.mean, value, "seed {seed}: {:?}", found.best);
        assert!((found.value.unwrap() - value).abs() < 0.1, "seed {seed}: {:?} and {value}", found.value);
    }
}

/// A victim without randomness: alpha-beta. Plain recursion, `exact victim=` and the search agree.
#[test]
fn a_victim_without_chance_is_beaten_as_recursion_says() {
    for depth in [1, 2] {
        let name = format!("alphabeta depth={depth}");
        let victim = agent(&name);
        let mut known: HashMap<String, String> = HashMap::new();
        let mut reply = |text: &str| {
            known.entry(text.into()).or_insert_with(|| best("tic-tac-toe", text, &victim)).clone()
        };
        let mut game = session("tic-tac-toe").unwrap();
        let value = (best_response(&mut *game, &mut reply) + 1.0) / 2.0;
        let solved = game.think(&agent(&format!("exact victim=({name})")), &mut ()).unwrap();
        assert_eq!(solved.value, Some(value), "depth {depth}");
        let found =
            game.think(&agent(&format!("amcts victim=({name}) model=r simulations=6000")), &mut ()).unwrap();
        assert!((found.value.unwrap() - value).abs() < 0.1, "depth {depth}: {:?}, {value}", found.value);
    }
}

/// Against a random victim, S is the odds of one in each: exact values are expectations.
#[test]
fn a_random_victim_has_equal_odds() {
    // The cells a1, b2 and c1 are free. With c1, x threatens a1 and b2; with a1 or b2 it has one threat, which o stops in
    // half of all games.
    let mut game = session("tic-tac-toe").unwrap();
    game.set_position("xoo/o.x/.x. x").unwrap();
    let solved = game.think(&agent("exact victim=(random) model=s"), &mut ()).unwrap();
    let values: HashMap<&str, f32> = solved.arms.iter().map(|arm| (&*arm.action, arm.mean)).collect();
    assert_eq!(values, HashMap::from([("a1", 0.75), ("b2", 0.75), ("c1", 1.0)]));
}

#[test]
fn networks_are_victims_and_attackers() {
    let mut game = session("connect-four").unwrap();
    for name in [
        "amcts victim=(alphazero simulations=8) by=alphazero simulations=40",
        "amcts victim=(alphazero simulations=8) model=s++ simulations=40",
        "amcts victim=(alphazero simulations=8) model=r by=gumbel simulations=20",
        "amcts victim=(uct simulations=50) model=r replies=3 wave=4 simulations=30",
        "amcts victim=(rave simulations=50) look=10 cutoff=8 simulations=30",
        "amcts victim=(alphabeta depth=2) playout=net(temperature=1) simulations=10",
        "amcts victim=(exact memory=10MB) lambda=0.5 simulations=4",
    ] {
        let (first, second) = (agent(name), agent(name));
        assert_eq!(first.to_string(), name);
        if name.contains("exact") {
            continue;
        }
        let found = game.think(&first, &mut ()).unwrap();
        assert!(found.best.is_some() && found.simulations >= 4, "{name}");
        // A new session gives the same report.
        let again = session("connect-four").unwrap().think(&second, &mut ()).unwrap();
        assert_eq!((found.best, found.value), (again.best, again.value), "{name}");
    }
}

/// The attacker keeps its tree from move to move, whichever reply comes, and plays either side.
#[test]
fn a_whole_game_is_played() {
    let (victim, attacker) = (
        agent("uct simulations=30 seed=9"),
        agent("amcts victim=(uct simulations=30) model=r simulations=100"),
    );
    for side in [0, 1] {
        let mut game = session("tic-tac-toe").unwrap();
        while let Turn::Player(player) = game.turn() {
            let mover = if player == side { &attacker } else { &victim };
            let best = game.think(mover, &mut ()).unwrap().best.unwrap();
            game.play(&best).unwrap();
        }
        assert!(game.payoff().unwrap().of(side) >= 0.0, "side {side}");
    }
}

fn check_error(game: &str, name: &str, expect: &str) {
    let found = match name.parse::<AgentName>() {
        Ok(agent) => session(game).unwrap().accepts(&agent).err().map(|error| error.to_string()),
        Err(error) => Some(error.to_string()),
    };
    let found = found.unwrap_or_else(|| panic!("{name} plays {game}"));
    assert!(found.contains(expect), "{name}: {found}");
}

#[test]
fn errors_say_what_would_be_right() {
    check_error("tic-tac-toe", "amcts", "it needs a victim, as in amcts victim=(uct simulations=1000)");
    check_error("tic-tac-toe", "amcts victim=uct", "expected an agent's name in parentheses");
    check_error("tic-tac-toe", "amcts victim=(uct", "expected an agent's name in parentheses");
    check_error("tic-tac-toe", "amcts victim=()", "the name of the agent is empty");
    check_error("tic-tac-toe", "amcts victim=(utc)", "did you mean uct?");
    check_error("tic-tac-toe", "amcts victim=(uct time=1s)", "give simulations= in place of time=");
    check_error("tic-tac-toe", "amcts victim=(uct threads=2)", "give it one thread");
    check_error("tic-tac-toe", "amcts victim=(amcts victim=(uct))", "an attacker cannot be a victim");
    check_error("go size=5", "amcts victim=(gtp: gnugo)", "a program cannot be asked");
    check_error("tic-tac-toe", "amcts victim=(uct) model=q", "expected s or s++ or r");
    check_error("tic-tac-toe", "amcts victim=(uct) model=s++", "averages the policy of a network");
    check_error("tic-tac-toe", "amcts victim=(uct) model=r look=5", "look= belongs to model=s");
    check_error("tic-tac-toe", "amcts victim=(uct) replies=5", "replies= belongs to model=r");
    check_error("tic-tac-toe", "amcts victim=(uct) by=rave", "expected uct or flat or alphazero or gumbel");
    check_error("tic-tac-toe", "amcts victim=(uct) solver=on", "does not work with solver=on");
    check_error("tic-tac-toe", "amcts victim=(uct) playout=mast", "does not work with learners");
    check_error(
        "go size=5",
        "amcts victim=(uct) playout=atari",
        "takes the playouts uniform, epsilon and net",
    );
    check_error("pig", "amcts victim=(uct)", "not a game of two players without chance");
    check_error("tic-tac-toe", "amcts victim=(divide)", "it plays only sums");
    check_error("tic-tac-toe", "exact victim=(uct) depth=3", "unknown option of agent exact");
}

/// A victim's move depends on the position and the seed alone, and it is the move of the agent itself.
#[test]
fn a_victim_plays_by_position_and_seed() {
    let game = session("tic-tac-toe").unwrap();
    let name = VictimName::new(agent("uct simulations=12"), ModelName::Policy).unwrap();
    let victim = game.victim(&name, 10_000_000).unwrap();
    assert!(victim.network().is_none());
    let mut moves = Vec::new();
    for seed in 1..=20 {
        let played = victim.play(game.position(), seed);
        assert_eq!(played, victim.clone().play(game.position(), seed));
        let own = agent(&format!("uct simulations=12 seed={seed}"));
        let best = session("tic-tac-toe").unwrap().think(&own, &mut ()).unwrap().best;
        assert_eq!(Some(game.position().action_name(played)), best, "seed {seed}");
        moves.push(played);
    }
    moves.sort_unstable();
    moves.dedup();
    assert!(moves.len() > 1, "{moves:?}");
    let net = VictimName::new(agent("alphazero simulations=2"), ModelName::Policy).unwrap();
    assert!(game.victim(&net, 10_000_000).unwrap().network().is_some());
}

#[test]
fn unfit_victims_are_refused() {
    let check = |name: &str, expect: &str| {
        let error = VictimName::new(agent(name), ModelName::Policy).unwrap_err().to_string();
        assert_eq!(error, format!("victim {name}: {expect}"));
    };
    check("uct time=1s", "its replies must not depend on the clock: give simulations= in place of time=");
    check("gtp: gnugo", "a program cannot be asked about positions out of order; use one of aji's agents");
    let name = VictimName::new(agent("random"), ModelName::Policy).unwrap();
    let refused = |game: &str| session(game).unwrap().victim(&name, 1 << 20).err().unwrap().to_string();
    assert_eq!(refused("pig"), "victim=: pig is not a game of two players without chance");
}
