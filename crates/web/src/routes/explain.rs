//! Simulations explained step by step.

use crate::background;
use crate::failure::Failure;
use crate::guest::guest;
use crate::limits::{EXPLAIN_MAX, EXPLAIN_MEMORY, EXPLAINED_MAX, SKIP_MAX};
use crate::place::Place;
use crate::request::{Asked, Told};
use crate::server::Shared;
use aji_catalog::{AgentName, Explanation, Session, StopHandle};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/explain", post(explain))
}

/// Which simulations to explain.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichSimulations {
    place: Place,
    agent: String,
    /// The simulations before the first that is explained.
    #[serde(default)]
    skip: u64,
    steps: u64,
}

/// Explained simulations.
#[derive(Serialize)]
struct Explained {
    /// The whole name of the agent.
    agent: String,
    #[serde(flatten)]
    explanation: Explanation,
}

async fn explain(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichSimulations>,
) -> Result<Told<Explained>, Failure> {
    let WhichSimulations { skip, steps, .. } = asked;
    if skip > SKIP_MAX || !(1..=EXPLAINED_MAX).contains(&steps) {
        let most = format!("expected at most {SKIP_MAX} before, and 1 to {EXPLAINED_MAX} explained");
        return Err(Failure::wrong(format!("simulations {skip} and {steps}: {most}")));
    }
    let (session, agent) = shared.work(move |shared| opened(shared, &asked)).await?;
    // A client that goes away, or that has waited for too long, stops the search.
    let stop = StopAtEnd(session.stop_handle());
    let explained = shared.work(move |shared| explained(shared, session, agent, skip, steps));
    let late = |_| {
        let most = EXPLAIN_MAX.as_secs();
        let message =
            format!("{skip} simulations of this game take longer than {most} s; ask for earlier ones");
        Failure::new(StatusCode::REQUEST_TIMEOUT, message)
    };
    let explained = tokio::time::timeout(EXPLAIN_MAX, explained).await.map_err(late)?;
    drop(stop);
    explained.map(Told)
}

/// Stops a search when nobody waits for it.
struct StopAtEnd(StopHandle);

impl Drop for StopAtEnd {
    fn drop(&mut self) {
        self.0.stop();
    }
}

fn opened(shared: &Shared, asked: &WhichSimulations) -> Result<(Box<dyn Session>, AgentName), Failure> {
    let agent = guest(&shared.workbench, &asked.agent, shared.options.threads)?;
    let memory = agent.memory.min(EXPLAIN_MEMORY);
    Ok((asked.place.open(&shared.workbench)?, AgentName { memory, ..agent }))
}

fn explained(
    shared: &Shared,
    mut session: Box<dyn Session>,
    agent: AgentName,
    skip: u64,
    steps: u64,
) -> Result<Explained, Failure> {
    let _memory = shared.searches.lend(agent.memory)?;
    let explanation = background::run(|| session.explain(&agent, skip, steps))?;
    Ok(Explained { agent: agent.to_string(), explanation })
}
