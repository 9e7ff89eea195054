//! `aji thermo`: exact mean, temperature and stops of a heap or a board, and its thermograph as a picture.

use crate::output::{print, table, text_table};
use crate::output_file::OutputFile;
use crate::thermograph_svg::svg;
use aji_cgt::{Dyadic, GameLimits, Thermograph};
use aji_lab::study::{BoardStudy, HeapState, study_boards, study_heap};
use anyhow::Result;
use clap::Args;
use std::path::PathBuf;

/// The letters of a heap that are shown in the table.
const SHOWN_MAX: usize = 40;

/// Compute exact means, temperatures and stops of a heap or a board
#[derive(Args)]
#[command(after_help = "Examples:
  aji thermo B3R5B5
  aji thermo B6B1R4B7R3 --svg heap.svg
  aji thermo --game domineering .../... --svg board.svg
  aji thermo --game clobber xo+oxo/xox --json

A heap of Heap-Go is its counters, the top one first: R or B, and a weight. Left takes counters from the top down to
the first red one, Right down to the first blue one. Rows of a board are separated by /, from the top, and boards by +.
The picture has the temperature upwards and Left's side on the left.")]
pub struct Options {
    /// The heap, the top counter first, such as B3R5B5; with --game, the board
    position: String,

    /// Read a board of domineering, clobber or toads-and-frogs instead of a heap
    #[arg(long)]
    game: Option<String>,

    /// Draw the thermograph to a file
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// One JSON object with exact numbers. For a heap: {heap, states: [{counters, mean, temperature, left_stop,
    /// right_stop}]}; for a board: {game, position, form, outcome, mean, temperature, left_stop, right_stop}
    #[arg(long)]
    json: bool,
}

/// Prints every state of a heap, from the whole heap down to one counter, or the numbers of a board.
pub fn run(options: &Options) -> Result<()> {
    let (position, file) = (&options.position, OutputFile::open_svg("--svg", options.svg.as_ref())?);
    let (drawn, text) = match &options.game {
        None => {
            let states = study_heap(position)?;
            let whole = states.first();
            let drawn = whole.map(|whole| draw(file, &shortened(&whole.heap), &whole.thermograph));
            (drawn.unwrap_or(Ok(())), if options.json { heap_json(&states) } else { heap_text(&states) })
        }
        Some(game) => {
            let study = study_boards(game, position, GameLimits::default())?;
            let drawn = draw(file, position, &study.thermograph);
            (drawn, if options.json { board_json(game, position, &study) } else { board_text(&study) })
        }
    };
    let printed = print(&text);
    drawn.and(printed)
}

fn draw(file: Option<OutputFile>, what: &str, graph: &Thermograph) -> Result<()> {
    file.map_or(Ok(()), |file| file.write(&svg(&format!("thermograph of {what}"), graph)))
}

fn heap_text(states: &[HeapState]) -> String {
    let row = |state: &HeapState| {
        let counters = state.counters.to_string();
        let numbers = numbers(&state.thermograph, state.stops).map(|(_, number)| number.to_string());
        [shortened(&state.heap), counters].into_iter().chain(numbers).collect()
    };
    table(&["heap", "counters", "mean", "temperature", "left stop", "right stop"], states.iter().map(row))
}

/// The top of a long heap.
fn shortened(heap: &str) -> String {
    match heap.get(..SHOWN_MAX) {
        Some(top) if heap.len() > SHOWN_MAX => format!("{top}..."),
        _ => heap.to_string(),
    }
}

fn board_text(study: &BoardStudy) -> String {
    let numbers = numbers(&study.thermograph, study.stops);
    let numbers = numbers.map(|(name, number)| vec![name.replace('_', " "), number.to_string()]);
    let words = [("form", study.form.clone()), ("outcome", study.outcome.to_string())];
    text_table(words.map(|(name, word)| vec![name.to_string(), word]).into_iter().chain(numbers))
}

/// The numbers of a thermograph, by their names in the JSON.
fn numbers(graph: &Thermograph, (left, right): (Dyadic, Dyadic)) -> [(&'static str, Dyadic); 4] {
    let (mean, temperature) = (graph.mean(), graph.temperature());
    [("mean", mean), ("temperature", temperature), ("left_stop", left), ("right_stop", right)]
}

/// Written by hand, since the numbers are exact and may have more digits than a float.
fn numbers_json(graph: &Thermograph, stops: (Dyadic, Dyadic)) -> String {
    numbers(graph, stops).map(|(name, number)| format!("\"{name}\":{number:#}")).join(",")
}

fn heap_json(states: &[HeapState]) -> String {
    let heap = states.first().map_or("", |whole| &whole.heap);
    let state = |state: &HeapState| {
        format!("{{\"counters\":{},{}}}", state.counters, numbers_json(&state.thermograph, state.stops))
    };
    let states: Vec<String> = states.iter().map(state).collect();
    format!("{{\"heap\":\"{heap}\",\"states\":[{}]}}\n", states.join(","))
}

fn board_json(game: &str, position: &str, study: &BoardStudy) -> String {
    let text = |text: &str| serde_json::Value::from(text).to_string();
    let words = [
        ("game", text(game)),
        ("position", text(position)),
        ("form", text(&study.form)),
        ("outcome", text(&study.outcome.to_string())),
    ];
    let words = words.map(|(name, word)| format!("\"{name}\":{word}")).join(",");
    format!("{{{words},{}}}\n", numbers_json(&study.thermograph, study.stops))
}
