//! Positions: what a game looks like after some moves.

use crate::failure::Failure;
use crate::place::{Place, Shown};
use crate::request::{Asked, Told};
use crate::server::Shared;
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use serde::Deserialize;
use std::sync::Arc;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/position", post(position))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichPosition {
    place: Place,
    /// The seed of chance, if it is to move until a player acts.
    #[serde(default)]
    luck: Option<u64>,
}

async fn position(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichPosition>,
) -> Result<Told<Shown>, Failure> {
    shared.work(move |shared| asked.place.show(&shared.workbench, asked.luck)).await.map(Told)
}
