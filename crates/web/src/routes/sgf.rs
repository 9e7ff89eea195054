//! Games of Go in the Smart Game Format, in and out.

use crate::failure::Failure;
use crate::limits::SGF_MAX;
use crate::place::Place;
use crate::request::{Asked, Told};
use crate::server::Shared;
use aji_catalog::{Session, Workbench};
use aji_games::{Go, GoRecord, GoStep, LargeGo, SmallGo, go_point_name};
use aji_search::{Player, Turn};
use axum::Router;
use axum::extract::State;
use axum::routing::post;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new().route("/sgf/read", post(read)).route("/sgf/write", post(write))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    sgf: String,
}

async fn read(State(shared): State<Arc<Shared>>, Asked(file): Asked<File>) -> Result<Told<Place>, Failure> {
    shared.work(move |shared| read_game(&shared.workbench, &file.sgf)).await.map(Told)
}

/// The game of a file: its board, the stones that it puts before the first move, and its moves.
fn read_game(workbench: &Workbench, sgf: &str) -> Result<Place, Failure> {
    if sgf.len() > SGF_MAX {
        return Err(Failure::too_long("bytes of the file", sgf.len(), SGF_MAX));
    }
    let record = GoRecord::read(sgf).map_err(Failure::wrong)?;
    let komi = record.komi.map_or(String::new(), |komi| format!(" komi={komi}"));
    let game = format!("go size={}{komi}", record.size);
    let mut session = workbench.session(&game)?;
    let start = set_up(&record, session.as_mut())?;
    let mut moves = Vec::new();
    for (number, (player, point)) in (1..).zip(record.moves()) {
        if session.turn() != Turn::Player(player) {
            let why =
                format!("sgf: move {number}: the players must take turns, and nobody moves after two passes");
            return Err(Failure::wrong(why));
        }
        let name = point.map_or("pass".into(), go_point_name);
        moves.push(
            session.play(&name).map_err(|error| Failure::wrong(format!("sgf: move {number}: {error}")))?,
        );
    }
    Ok(Place { game, start, moves, resigned: false })
}

/// Puts the stones that stand before the first move. Returns the position if it is not the empty board.
fn set_up(record: &GoRecord, session: &mut dyn Session) -> Result<Option<String>, Failure> {
    let is_move = |step: &GoStep| matches!(step, GoStep::Move(..));
    let first = record.steps.iter().position(is_move).unwrap_or(record.steps.len());
    let (before, after) = record.steps.split_at(first);
    if !after.iter().all(is_move) {
        return Err(Failure::wrong(
            "sgf: stones are put between moves; expected all of them before the first move",
        ));
    }
    let mut steps = before.to_vec();
    let first_mover = record.moves().next().map(|(player, _)| player);
    steps.extend(first_mover.map(GoStep::Turn));
    if steps.is_empty() || (before.is_empty() && first_mover == Some(0)) {
        return Ok(None);
    }
    session.set_position(&GoRecord { steps, ..record.clone() }.write())?;
    Ok(Some(session.text()))
}

/// A game as a file.
#[derive(Serialize)]
struct Written {
    sgf: String,
}

async fn write(
    State(shared): State<Arc<Shared>>,
    Asked(place): Asked<Place>,
) -> Result<Told<Written>, Failure> {
    let written = shared.work(move |shared| Ok(Written { sgf: write_game(&shared.workbench, &place)? }));
    written.await.map(Told)
}

fn write_game(workbench: &Workbench, place: &Place) -> Result<String, Failure> {
    // The whole game first: its moves are legal then.
    let end = place.open(workbench)?;
    let start = Place { moves: Vec::new(), resigned: false, ..place.clone() }.open(workbench)?;
    let position = start.position();
    let record = if let Some(go) = position.as_game::<SmallGo>() {
        record_of(go, &place.moves)
    } else if let Some(go) = position.as_game::<LargeGo>() {
        record_of(go, &place.moves)
    } else {
        return Err(Failure::wrong(format!("{}: only games of go are saved as SGF", place.game)));
    };
    let result = end.resigned().map(|loser: Player| ["W+R", "B+R"][usize::from(loser.min(1))]);
    Ok(GoRecord { result: result.unwrap_or_default().into(), ..record }.write())
}

fn record_of<const STRIDE: usize, const CELLS: usize>(
    start: &Go<STRIDE, CELLS>,
    moves: &[String],
) -> GoRecord {
    let points: Vec<_> = moves.iter().filter_map(|name| start.read_point(name)).collect();
    GoRecord::of(start, &points)
}
