//! Which games and agents there are.

use crate::failure::Failure;
use crate::limits::GAME_MAX;
use crate::request::{Asked, Told};
use crate::server::Shared;
use aji_catalog::{Listed, guide};
use axum::Router;
use axum::extract::State;
use axum::routing::{get, post};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/catalog", get(catalog)).route("/game", post(game))
}

/// All games and agents.
#[derive(Serialize)]
struct Catalog {
    version: &'static str,
    games: Vec<GameEntry>,
    agents: Vec<AgentEntry>,
    /// The most threads of a search.
    threads: usize,
    /// The memory of all searches together, in bytes.
    memory: u64,
}

#[derive(Serialize)]
struct GameEntry {
    word: String,
    summary: String,
    /// The rules in plain words; none for games that were added.
    rules: Option<&'static str>,
    options: Vec<GameOption>,
}

/// An option of a game.
#[derive(Serialize)]
struct GameOption {
    key: &'static str,
    what: &'static str,
    takes: &'static str,
}

#[derive(Serialize)]
struct AgentEntry {
    word: String,
    summary: String,
}

async fn catalog(State(shared): State<Arc<Shared>>) -> Told<Catalog> {
    let game = |listed: Listed| {
        let known = guide(&listed.word).filter(|_| !shared.workbench.is_added(&listed.word));
        let options = known.map_or(&[][..], |guide| guide.options);
        GameEntry {
            rules: known.map(|guide| guide.rules),
            options: options.iter().map(|&(key, what, takes)| GameOption { key, what, takes }).collect(),
            word: listed.word,
            summary: listed.summary,
        }
    };
    let agent = |listed: Listed| AgentEntry { word: listed.word, summary: listed.summary };
    // The page starts no programs.
    let agents = shared.workbench.agents().into_iter().filter(|listed| !listed.word.starts_with("gtp:"));
    Told(Catalog {
        version: env!("CARGO_PKG_VERSION"),
        games: shared.workbench.games().into_iter().map(game).collect(),
        agents: agents.map(agent).collect(),
        threads: shared.options.threads,
        memory: shared.options.memory,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichGame {
    game: String,
}

/// A game by its name.
#[derive(Serialize)]
struct GameFound {
    game: String,
    /// The strongest agent known for it.
    agent: String,
    players: usize,
}

async fn game(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichGame>,
) -> Result<Told<GameFound>, Failure> {
    if asked.game.len() > GAME_MAX {
        return Err(Failure::too_long("bytes of the game's name", asked.game.len(), GAME_MAX));
    }
    let found = shared.work(move |shared| {
        let session = shared.workbench.session(&asked.game)?;
        let agent = shared.workbench.agent_for(&asked.game)?;
        Ok(GameFound { game: session.name().into(), agent: agent.to_string(), players: session.players() })
    });
    found.await.map(Told)
}
