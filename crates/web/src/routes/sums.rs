//! Sums of games: exact values of heaps, boards and expressions, and the order that incentive learning reaches.

use crate::background;
use crate::failure::Failure;
use crate::limits::{
    CELLS_MAX, COUNTERS_MAX, EXACT_MEMORY, LEARN_MEMORY, LEARNED_MAX, LEARNED_SIMULATIONS_MAX,
    STATE_BYTES_MAX, STUDIED_MAX, STUDIES_MAX, STUDY_MAX, TELL_EVERY, VALUE_MAX,
};
use crate::request::{Asked, Told};
use crate::server::Shared;
use crate::study::{Events, Reader, stream};
use aji_cgt::{Dyadic, GameLimits, Thermograph, Value, Wall};
use aji_lab::study::{
    BoardStudy, HeapState, IncentiveLearning, LearnedOrder, ReachedStates, study_board_states, study_boards,
    study_expression, study_expression_states, study_heap,
};
use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::post;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tokio::time::timeout;

pub fn routes() -> Router<Arc<Shared>> {
    Router::new()
        .route("/sums/heap", post(heap))
        .route("/sums/board", post(board))
        .route("/sums/board/states", post(board_states))
        .route("/sums/expression", post(expression))
        .route("/sums/expression/states", post(expression_states))
        .route("/sums/learn", post(learn))
}

/// An exact number: as text, and as the nearest float.
#[derive(Serialize)]
struct Number {
    text: String,
    value: f64,
}

impl From<Dyadic> for Number {
    fn from(number: Dyadic) -> Number {
        Number { text: number.to_string(), value: number.to_f64() }
    }
}

/// A thermograph: the corners of both walls as (tax, value), from the ground up.
#[derive(Serialize)]
struct Graph {
    left: Vec<(f64, f64)>,
    right: Vec<(f64, f64)>,
    mean: Number,
    temperature: Number,
    left_stop: Number,
    right_stop: Number,
}

impl Graph {
    fn new(graph: &Thermograph, (left, right): (Dyadic, Dyadic)) -> Graph {
        let corners =
            |wall: &Wall| wall.corners().iter().map(|&(tax, value)| (tax.to_f64(), value.to_f64())).collect();
        Graph {
            left: corners(graph.left()),
            right: corners(graph.right()),
            mean: graph.mean().into(),
            temperature: graph.temperature().into(),
            left_stop: left.into(),
            right_stop: right.into(),
        }
    }
}

/// A heap, the top counter first.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichHeap {
    heap: String,
}

/// A state of a heap.
#[derive(Serialize)]
struct ToldState {
    heap: String,
    counters: usize,
    /// What the moves of Left and Right gain for the mover, in means.
    gains: [Number; 2],
    graph: Graph,
}

async fn heap(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichHeap>,
) -> Result<Told<Vec<ToldState>>, Failure> {
    let text = shortened("the heap", asked.heap)?;
    let counters = text.chars().filter(char::is_ascii_alphabetic).count();
    if counters > COUNTERS_MAX {
        return Err(Failure::too_long("counters of the heap", counters, COUNTERS_MAX));
    }
    let told = |state: HeapState| ToldState {
        gains: state.gains.map(Number::from),
        graph: Graph::new(&state.thermograph, state.stops),
        heap: state.heap,
        counters: state.counters,
    };
    shared.work(move |_| Ok(study_heap(&text)?.into_iter().map(told).collect())).await.map(Told)
}

/// A text without the space around it, if it is not too long.
fn shortened(what: &str, text: String) -> Result<String, Failure> {
    match text.len() <= STUDIED_MAX {
        true => Ok(text.trim().into()),
        false => Err(Failure::too_long(&format!("bytes of {what}"), text.len(), STUDIED_MAX)),
    }
}

/// A board, or several joined by `+`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichBoard {
    /// domineering, clobber or toads-and-frogs.
    game: String,
    board: String,
}

/// The value of a game.
#[derive(Serialize)]
struct ToldGame {
    form: String,
    outcome: String,
    /// The undominated incentives of Left and Right; none if they are too large.
    incentives: Option<[Vec<String>; 2]>,
    graph: Graph,
}

impl ToldGame {
    fn new(study: BoardStudy) -> Result<ToldGame, Failure> {
        if study.form.len() > VALUE_MAX {
            return Err(Failure::too_long("bytes of the canonical form", study.form.len(), VALUE_MAX));
        }
        let bytes = |lists: &[Vec<String>; 2]| lists.iter().flatten().map(String::len).sum::<usize>();
        Ok(ToldGame {
            form: study.form,
            outcome: study.outcome.to_string(),
            incentives: study.incentives.filter(|lists| bytes(lists) <= VALUE_MAX),
            graph: Graph::new(&study.thermograph, study.stops),
        })
    }
}

impl WhichBoard {
    /// The game and the board, if they are within the limits.
    fn checked(self) -> Result<(String, String), Failure> {
        let (game, board) = (shortened("the game's name", self.game)?, shortened("the board", self.board)?);
        let cells = board.chars().filter(|letter| !"/+".contains(*letter)).count();
        if cells > CELLS_MAX {
            return Err(Failure::too_long("cells of the board", cells, CELLS_MAX));
        }
        Ok((game, board))
    }
}

/// Some states that play can reach.
#[derive(Serialize)]
struct ToldStates {
    rows: Vec<ToldReached>,
    /// Further values that are not among the rows.
    left_out: usize,
    /// Whether all states were looked at.
    is_whole: bool,
}

/// A state, and the others of the same value.
#[derive(Serialize)]
struct ToldReached {
    state: String,
    states: usize,
    #[serde(flatten)]
    game: ToldGame,
}

impl ToldStates {
    /// States whose text is too long are left out.
    fn new(found: ReachedStates) -> ToldStates {
        let all = found.rows.len();
        let short = found.rows.into_iter().filter(|row| row.state.len() <= STATE_BYTES_MAX);
        let rows: Vec<ToldReached> = short
            .filter_map(|row| {
                let game = ToldGame::new(row.study).ok()?;
                Some(ToldReached { state: row.state, states: row.states, game })
            })
            .collect();
        ToldStates { left_out: found.left_out + all - rows.len(), is_whole: found.is_whole, rows }
    }
}

async fn board_states(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichBoard>,
) -> Result<Told<ToldStates>, Failure> {
    let (game, board) = asked.checked()?;
    exact(&shared, move |limits| Ok(ToldStates::new(study_board_states(&game, &board, limits)?))).await
}

/// None if the expression's value is no game.
async fn expression_states(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichExpression>,
) -> Result<Told<Option<ToldStates>>, Failure> {
    let text = shortened("the expression", asked.expression)?;
    exact(&shared, move |limits| Ok(study_expression_states(&text, limits)?.map(ToldStates::new))).await
}

async fn board(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichBoard>,
) -> Result<Told<ToldGame>, Failure> {
    let (game, board) = asked.checked()?;
    exact(&shared, move |limits| ToldGame::new(study_boards(&game, &board, limits)?)).await
}

/// An expression in games.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichExpression {
    expression: String,
}

#[derive(Serialize)]
struct ToldValue {
    /// number, game, games, relation, truth or outcome.
    kind: &'static str,
    value: String,
    /// More about it, if it is a game.
    game: Option<ToldGame>,
}

async fn expression(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichExpression>,
) -> Result<Told<ToldValue>, Failure> {
    let text = shortened("the expression", asked.expression)?;
    exact(&shared, move |limits| {
        let study = study_expression(&text, limits)?;
        let (kind, value) = (Value::kind(&study.value), study.value.to_string());
        if value.len() > VALUE_MAX {
            return Err(Failure::too_long("bytes of the value", value.len(), VALUE_MAX));
        }
        Ok(ToldValue { kind, value, game: study.game.map(ToldGame::new).transpose()? })
    })
    .await
}

/// Stops a computation when nobody waits for it.
struct StopAtEnd(Arc<AtomicBool>);

impl Drop for StopAtEnd {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// Computes a value that may take minutes. It ends when the client leaves.
async fn exact<T: Send + 'static>(
    shared: &Arc<Shared>,
    work: impl FnOnce(GameLimits) -> Result<T, Failure> + Send + 'static,
) -> Result<Told<T>, Failure> {
    let full = |_| Failure::full(format!("{STUDIES_MAX} studies run, the most at a time; stop one first"));
    let place = shared.studies.clone().try_acquire_owned().map_err(full)?;
    // Studies at the same time fit into the memory together, however small it is.
    let bytes = EXACT_MEMORY.min(shared.options.memory / STUDIES_MAX as u64);
    let limits = GameLimits { bytes: bytes as usize, ..GameLimits::default() };
    let _stop = StopAtEnd(limits.stop.clone());
    let worked = shared.work(move |shared| {
        let _place = place;
        let _memory = shared.searches.lend(bytes)?;
        background::run(|| work(limits))
    });
    let late = |_| {
        let most = STUDY_MAX.as_secs() / 60;
        Failure::new(
            StatusCode::REQUEST_TIMEOUT,
            format!("this takes longer than {most} minutes; try a smaller game"),
        )
    };
    timeout(STUDY_MAX, worked).await.map_err(late)?.map(Told)
}

/// Of which heaps to learn an order, and how.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WhichOrder {
    /// Heaps, separated by `/`.
    heaps: String,
    /// The exploration constant in points.
    #[serde(default = "c_default")]
    c: f32,
    #[serde(default)]
    seed: u64,
    simulations: u64,
    /// Orders after fewer simulations are not told.
    #[serde(default)]
    after: u64,
    /// Milliseconds to wait between two orders.
    #[serde(default)]
    pace: u64,
}

fn c_default() -> f32 {
    15.0
}

/// An event: the order learned so far.
#[derive(Serialize)]
struct ToldOrder {
    simulations: u64,
    /// The best first.
    actions: Vec<ToldAction>,
    matched: u64,
    pairs: u64,
    ties: u64,
    /// By how many points the action of the row is better than that of the column, in the learned order; none for
    /// pairs that were never compared.
    differences: Vec<Vec<Option<f32>>>,
}

#[derive(Serialize)]
struct ToldAction {
    heap: usize,
    counters: usize,
    top_weight: u32,
    temperature: Number,
}

async fn learn(
    State(shared): State<Arc<Shared>>,
    Asked(asked): Asked<WhichOrder>,
) -> Result<Events, Failure> {
    let heaps = shortened("the heaps", asked.heaps.clone())?;
    let actions = heaps.chars().filter(char::is_ascii_alphabetic).count();
    if actions > LEARNED_MAX {
        return Err(Failure::too_long("counters of all heaps", actions, LEARNED_MAX));
    }
    if !(1..=LEARNED_SIMULATIONS_MAX).contains(&asked.simulations) {
        let message =
            format!("simulations: {} found, expected 1 to {LEARNED_SIMULATIONS_MAX}", asked.simulations);
        return Err(Failure::wrong(message));
    }
    if !(asked.c.is_finite() && (0.0..=1e6).contains(&asked.c)) {
        return Err(Failure::wrong(format!("c: {} found, expected 0 to 1000000 points", asked.c)));
    }
    if asked.pace > crate::limits::PACE_MAX {
        let most = crate::limits::PACE_MAX;
        return Err(Failure::wrong(format!("pace: {} found, expected 0 to {most}", asked.pace)));
    }
    // The tree gets the memory; the differences of so few actions need little beside it.
    let learning = IncentiveLearning::new(&heaps, asked.c, asked.seed, LEARN_MEMORY as usize)?;
    stream(&shared, LEARN_MEMORY, move |reader| learned(&asked, learning, reader))
}

/// Simulations at first between two orders. The number grows with what was learned.
const STEP: u64 = 10;

/// The most simulations between two looks at the reader.
const STEP_MAX: u64 = 2_000;

/// Learns, and tells the reader.
fn learned(asked: &WhichOrder, mut learning: IncentiveLearning, reader: &Reader) {
    let (mut done, mut told) = (0, Instant::now());
    while done < asked.simulations {
        let step = (done / 10).clamp(STEP, STEP_MAX).min(asked.simulations - done);
        let before = done;
        done = learning.learn(step);
        // A search that has nothing left to learn stands still.
        let is_last = done >= asked.simulations || done == before;
        if reader.is_over() {
            return;
        }
        let is_new = done > asked.after;
        if is_new && !is_last && !reader.wait(Duration::from_millis(asked.pace)) {
            return;
        }
        if is_last || is_new && told.elapsed() >= TELL_EVERY {
            told = Instant::now();
            if !reader.tell("order", &ToldOrder::of(&learning)) {
                return;
            }
        }
        if is_last {
            break;
        }
    }
    reader.tell("done", &serde_json::json!({ "simulations": done }));
}

impl ToldOrder {
    fn of(learning: &IncentiveLearning) -> ToldOrder {
        let LearnedOrder { actions, simulations } = learning.order();
        let rate = learning.order().match_rate();
        let pairs = learning.pairs();
        let row = |row: &Vec<aji_lab::study::LearnedPair>| {
            row.iter().map(|pair| (pair.count > 0).then_some(pair.difference)).collect()
        };
        ToldOrder {
            simulations,
            matched: rate.matched,
            pairs: rate.pairs,
            ties: rate.ties,
            differences: pairs.iter().map(row).collect(),
            actions: actions
                .into_iter()
                .map(|action| ToldAction {
                    heap: action.heap,
                    counters: action.counters,
                    top_weight: action.top_weight,
                    temperature: action.temperature.into(),
                })
                .collect(),
        }
    }
}
