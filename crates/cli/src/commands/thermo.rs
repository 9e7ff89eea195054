//! `aji thermo`: what a heap is worth, state by state, and its thermograph as a picture.

use crate::output::{print, table};
use crate::thermograph_svg::svg;
use aji_catalog::{HeapState, study_heap};
use anyhow::{Context, Result};
use clap::Args;
use std::fmt::Write;
use std::path::PathBuf;

/// Means, temperatures and stops of a heap of Heap-Go, exactly
#[derive(Args)]
#[command(after_help = "Examples:
  aji thermo B3R5B5
  aji thermo B6B1R4B7R3 --svg heap.svg
  aji thermo R3B5 --json

A heap is its counters, the top one first: R or B, and a weight. Left takes counters from the top down to the first
red one, Right down to the first blue one. The picture has the temperature upwards and Left's side on the left.")]
pub struct Options {
    /// The heap, the top counter first: B3R5B5
    heap: String,

    /// Draw the thermograph of the whole heap
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,

    /// One JSON object: {heap, states: [{counters, mean, temperature, left_stop, right_stop}]}, numbers exact
    #[arg(long)]
    json: bool,
}

/// Prints every state, from the whole heap down to one counter.
pub fn run(options: &Options) -> Result<()> {
    let states = study_heap(&options.heap)?;
    if let (Some(file), Some(whole)) = (&options.svg, states.first()) {
        let title = format!("thermograph of {}", whole.heap);
        std::fs::write(file, svg(&title, &whole.thermograph)).with_context(|| file.display().to_string())?;
    }
    print(&if options.json { json(&states) } else { text(&states) })
}

fn text(states: &[HeapState]) -> String {
    let row = |state: &HeapState| {
        let graph = &state.thermograph;
        vec![
            state.heap.clone(),
            state.counters.to_string(),
            graph.mean().to_string(),
            graph.temperature().to_string(),
            state.stops.0.to_string(),
            state.stops.1.to_string(),
        ]
    };
    table(&["heap", "counters", "mean", "temperature", "left stop", "right stop"], states.iter().map(row))
}

/// By hand, since the numbers are exact and may have more digits than a float.
fn json(states: &[HeapState]) -> String {
    let heap = states.first().map_or("", |whole| &whole.heap);
    let mut text = format!("{{\"heap\":\"{heap}\",\"states\":[");
    for (place, state) in states.iter().enumerate() {
        let (graph, comma) = (&state.thermograph, if place == 0 { "" } else { "," });
        // Writing to a string does not fail.
        let _ = write!(
            text,
            "{comma}{{\"counters\":{},\"mean\":{:#},\"temperature\":{:#},\"left_stop\":{:#},\"right_stop\":{:#}}}",
            state.counters,
            graph.mean(),
            graph.temperature(),
            state.stops.0,
            state.stops.1
        );
    }
    text + "]}\n"
}
