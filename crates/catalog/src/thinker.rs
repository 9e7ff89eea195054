//! Makes the agent of a name.

use crate::Error;
use crate::agent_name::{AgentName, AlphaBetaName, Expert, Method};
use crate::maker::{MakeAgents, Means};
use crate::network_parts::Judge;
use crate::own::Missing;
use crate::search_name::SearchName;
use crate::units::{show_bytes, thousands};
use crate::victim::{attacker, memory_with_victim, responder};
use crate::workbench::Added;
use aji_search::exact::AlphaBeta;
use aji_search::{
    AnyAgent, AnyGame, Carry, Game, Multistage, OVERHEAD_BYTES, Payoff, Random, Report, Rng, RootParallel,
    Stopped, Utility,
};
use std::sync::Arc;

/// The agent of this name. `title` is what the game is called.
pub(crate) fn agent(
    name: &AgentName,
    title: &str,
    game: &AnyGame,
    maker: &Arc<dyn MakeAgents>,
    added: &Added,
) -> Result<AnyAgent, Error> {
    match &name.method {
        Method::Random => Ok(Box::new(Random(Rng::seeded(name.seed)))),
        Method::Search(search_name) => {
            let judge = added.judge(search_name, (title, game), &**maker)?;
            let agent = search(name, search_name, game, (&**maker, judge))?;
            Ok(if search_name.carry { Box::new(Carry::new(agent)) } else { agent })
        }
        Method::AlphaBeta(parts) => {
            check_alpha_beta(parts, title, game)?;
            Ok(Box::new(alpha_beta(name, parts, game)))
        }
        &Method::Multistage { .. } if game.players() != 1 => {
            let players = game.players();
            Err(Error::new(format!(
                "ams: {title} has {players} players; it plays decision problems of one player"
            )))
        }
        &Method::Multistage { samples, stages } => Ok(Box::new(Multistage {
            samples,
            stages,
            c: std::f32::consts::SQRT_2,
            utility: Utility::score(game),
            rng: Rng::seeded(name.seed),
        })),
        &Method::Divide(division) => maker.divide(division, name.seed).ok_or_else(|| {
            Error::new(format!("{name}: it plays only sums of games, not {title}; use uct playout=maxi"))
        }),
        &Method::Coupons(coupons) => maker
            .coupons(coupons, name.memory_bytes(), name.seed)
            .ok_or_else(|| Error::new(format!("{name}: it plays only sums of games, not {title}; use uct"))),
        Method::Exact if !game.has().hashed => Err(maker.missing("exact", Missing::Hashed)),
        Method::Exact => Ok(maker.solver(name.memory_bytes())),
        Method::Response(victim) => responder(name, victim, (title, game), (maker, added)),
        Method::Attack(attack) => attacker(name, attack, (title, game), (maker, added)),
        &Method::Expert(expert) => maker.expert(expert).ok_or_else(|| {
            let plays = Expert::KNOWN.iter().find(|known| known.1 == expert).map_or("", |known| known.2);
            Error::new(format!("{name}: it plays only {plays}, not {title}; use uct"))
        }),
        Method::Program(program) => maker
            .program(program)
            .unwrap_or_else(|| Err(Error::new(format!("{name}: it plays only go, not {title}; use uct")))),
        Method::Own(own) => added.agents.make(own, name.seed, game),
    }
}

/// A Monte Carlo search on the threads of its name, each with a tree of its own.
pub(crate) fn search(
    name: &AgentName,
    search_name: &SearchName,
    game: &AnyGame,
    (maker, judge): (&dyn MakeAgents, Option<Judge>),
) -> Result<AnyAgent, Error> {
    let (mut rng, memory, threads) = (Rng::seeded(name.seed), name.memory_bytes(), search_name.threads);
    if threads == 1 {
        return maker.search(search_name, game, Means { rng, memory, judge });
    }
    let agents = (0..threads).map(|_| {
        let means = Means { rng: rng.fork(), memory: memory / threads, judge: judge.clone() };
        maker.search(search_name, game, means)
    });
    let (recommend, utility) = (search_name.recommendation(), search_name.utility(game));
    let agents = RootParallel::of(agents.collect::<Result<_, _>>()?, recommend, utility);
    Ok(Box::new(agents.sharing(search_name.share)))
}

/// Alpha-beta, with the game's heuristic if it has one and `eval=` is not off.
fn alpha_beta(name: &AgentName, parts: &AlphaBetaName, game: &AnyGame) -> AlphaBeta<AnyGame> {
    let search = AlphaBeta::new()
        .depth(name.alpha_beta_depth(parts))
        .table(name.memory_bytes().saturating_sub(OVERHEAD_BYTES));
    match game.estimate() {
        Some(_) if parts.eval != Some(false) => {
            search.estimate(|game: &AnyGame| game.estimate().unwrap_or(Payoff::DRAW))
        }
        _ => search,
    }
}

/// An error if alpha-beta cannot play the game.
fn check_alpha_beta(parts: &AlphaBetaName, title: &str, game: &AnyGame) -> Result<(), Error> {
    let why = match game.players() {
        _ if game.has_chance() => "has chance".into(),
        1 => "has 1 player".into(),
        2 if game.payoff_sum() != Some(0.0) => "is not zero-sum".into(),
        2 if parts.eval == Some(true) && game.estimate().is_none() => {
            return Err(Error::new(format!("alphabeta: eval=on needs a heuristic, and {title} has none")));
        }
        2 => return Ok(()),
        players => format!("has {players} players"),
    };
    Err(Error::new(format!("alphabeta: {title} {why}; it plays two-player zero-sum games without chance")))
}

/// The error for a report without an action. `memory_min` is the least memory that the agent needs.
pub(crate) fn nothing_found(
    name: &AgentName,
    title: &str,
    game: &AnyGame,
    report: &Report<u16>,
    memory_min: usize,
) -> Error {
    let (given, positions) = (show_bytes(name.memory), thousands(report.nodes as u64));
    let instead = if game.has_chance() || game.players() != 2 { "uct" } else { "alphabeta depth=8" };
    Error::new(match report.stopped {
        Stopped::TooLarge if matches!(name.method, Method::Expert(_)) => {
            format!("{name}: a part of {title} is too large for its thermograph; use uct, or smaller boards")
        }
        Stopped::TooLarge => {
            let limit = format!(
                "exact: {title} has more than {positions} positions from here, the limit by memory={given}"
            );
            return Error::new(limit).advise(format!("give more, or use {instead}"));
        }
        Stopped::Endless => format!(
            "exact: {title} can go on for ever, and the values of its {positions} positions do not settle; use {instead}"
        ),
        Stopped::Handle => {
            format!("{name}: stopped after {positions} positions of {title}, before it was solved")
        }
        Stopped::Time | Stopped::Simulations => {
            format!("{name}: the budget ended after {positions} positions of {title}, before it was solved")
        }
        _ => {
            let whole =
                if let Method::Attack(_) = name.method { memory_with_victim(memory_min) } else { memory_min };
            let least = whole.div_ceil(1000);
            format!("memory={given} is too small: this position needs {least}kB")
        }
    })
}
