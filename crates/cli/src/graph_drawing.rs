//! Search graphs as pictures: text for graphviz, and an SVG of our own.
//!
//! The SVG has one column per level. Each position is one box and each action one line. If several actions lead to a
//! position, its box has a thick frame.

use aji_catalog::{SearchGraph, Way, thousands};
use std::fmt::Write;

/// The colours of players and chance: Okabe and Ito's, which colour-blind people can tell apart.
const COLOURS: [&str; 5] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7F7F7F"];

const MARGIN: f32 = 20.0;
const HEAD: f32 = 70.0;
const ROW: f32 = 32.0;
const BOX_HEIGHT: f32 = 24.0;
/// Room for lines between two columns.
const GAP: f32 = 90.0;
/// The width of a character, and the room beside the text of a box.
const CHARACTER: f32 = 8.0;
const PADDING: f32 = 8.0;
/// The least width of the picture: that of its legend.
const WIDTH_MIN: f32 = 920.0;

const LEGEND: &str = "box: the actions that lead there, their mean to who takes them, simulations, +n actions not shown; thick \
    frame: several actions lead there";

/// Those who act (players and chance), each once, in the order of the colours.
fn players(graph: &SearchGraph) -> Vec<&str> {
    let mut found = Vec::new();
    for way in &graph.ways {
        if !found.contains(&way.player.as_str()) {
            found.push(way.player.as_str());
        }
    }
    found
}

fn colour(players: &[&str], way: &Way) -> &'static str {
    let place = players.iter().position(|&player| player == way.player).unwrap_or(0);
    COLOURS[place % COLOURS.len()]
}

/// The width of a line, which grows with its share of the simulations of the position where it starts.
fn line_width(graph: &SearchGraph, way: &Way) -> f32 {
    1.0 + 7.0 * (way.pulls as f32 / graph.nodes[way.from].visits.max(1) as f32).min(1.0)
}

/// The most actions that a box names.
const NAMED_MAX: usize = 3;

/// The text of a box: the actions that lead there, their mean, the simulations, and how many actions are not shown.
fn label(graph: &SearchGraph, number: usize) -> String {
    let node = &graph.nodes[number];
    let ways = graph.ways.iter().filter(|way| way.to == number);
    let mut names: Vec<&str> = Vec::new();
    for way in ways.clone() {
        if !names.contains(&way.action.as_str()) {
            names.push(&way.action);
        }
    }
    let more = if names.len() > NAMED_MAX { "/.." } else { "" };
    names.truncate(NAMED_MAX);
    let mean = ways.max_by_key(|way| way.pulls).map_or("root".into(), |way| format!("{:.2}", way.mean));
    let left_out = if node.left_out > 0 { format!("+{}", node.left_out) } else { String::new() };
    let text = format!("{}{more} {mean} {} {left_out}", names.join("/"), thousands(node.visits.into()));
    text.trim().to_string()
}

fn is_shared(graph: &SearchGraph, number: usize) -> bool {
    graph.ways.iter().filter(|way| way.to == number).count() > 1
}

/// The graph for graphviz: `dot -Tsvg graph.dot`.
pub fn dot(graph: &SearchGraph, title: &str) -> String {
    let players = players(graph);
    let quoted = |text: &str| format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""));
    let mut text = format!(
        "digraph graph_of_positions {{\n  label={};\n  rankdir=LR;\n  node [shape=box, style=rounded];\n",
        quoted(title)
    );
    for (number, node) in graph.nodes.iter().enumerate() {
        let simulations = thousands(node.visits.into());
        let (label, tip) = (quoted(&simulations), quoted(&node.position));
        let width = if is_shared(graph, number) { 3 } else { 1 };
        let _ = writeln!(text, "  n{number} [label={label}, tooltip={tip}, penwidth={width}];");
    }
    for way in &graph.ways {
        let name = quoted(&format!("{} {:.3}", way.action, way.mean));
        let (width, colour) = (line_width(graph, way), colour(&players, way));
        let _ = writeln!(
            text,
            "  n{} -> n{} [label={name}, penwidth={width:.1}, color=\"{colour}\"];",
            way.from, way.to
        );
    }
    text + "}\n"
}

/// A box: its left edge, its width, and the height of its middle.
#[derive(Clone, Copy)]
struct Place {
    x: f32,
    width: f32,
    y: f32,
}

/// Where each box stands. The boxes of a level are as wide as the longest text, and centred.
fn places(graph: &SearchGraph) -> Vec<Place> {
    let levels = graph.nodes.iter().map(|node| node.level + 1).max().unwrap_or(1);
    let (mut widths, mut counts, mut rows) = (vec![0.0f32; levels], vec![0usize; levels], Vec::new());
    for (number, node) in graph.nodes.iter().enumerate() {
        let length = label(graph, number).chars().count() as f32;
        widths[node.level] = widths[node.level].max(length * CHARACTER + 2.0 * PADDING);
        rows.push(counts[node.level]);
        counts[node.level] += 1;
    }
    let tallest = counts.iter().copied().max().unwrap_or(1);
    let place = |(node, row): (&aji_catalog::PositionNode, usize)| {
        let above = (tallest - counts[node.level]) as f32 / 2.0;
        let x = MARGIN + widths[..node.level].iter().map(|width| width + GAP).sum::<f32>();
        Place { x, width: widths[node.level], y: HEAD + (above + row as f32 + 0.5) * ROW }
    };
    graph.nodes.iter().zip(rows).map(place).collect()
}

/// The graph as a picture.
pub fn svg(graph: &SearchGraph, title: &str) -> String {
    let (players, places) = (players(graph), places(graph));
    let right = places.iter().map(|place| place.x + place.width).fold(0.0, f32::max);
    let bottom = places.iter().map(|place| place.y).fold(0.0, f32::max);
    let (width, height) = ((right + MARGIN).max(WIDTH_MIN), bottom + ROW / 2.0 + MARGIN);
    let lines: String = graph
        .ways
        .iter()
        .map(|way| line(places[way.from], places[way.to], line_width(graph, way), colour(&players, way)))
        .collect();
    let boxes: String = (0..graph.nodes.len()).map(|number| box_of(graph, number, places[number])).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}{lines}{boxes}</svg>\n",
        legend(title, &players)
    )
}

/// A line from one box to another.
fn line(from: Place, to: Place, width: f32, colour: &str) -> String {
    let (start, bend) = (from.x + from.width, GAP / 2.0);
    format!(
        "<path d=\"M{start:.1} {:.1} C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}\" fill=\"none\" stroke=\"{colour}\" \
         stroke-opacity=\"0.5\" stroke-width=\"{width:.1}\"/>\n",
        from.y,
        start + bend,
        from.y,
        to.x - bend,
        to.y,
        to.x,
        to.y
    )
}

fn box_of(graph: &SearchGraph, number: usize, Place { x, width, y }: Place) -> String {
    let frame = if is_shared(graph, number) { 3.0 } else { 1.2 };
    let shape = format!(
        "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{width:.1}\" height=\"{BOX_HEIGHT}\" rx=\"4\" fill=\"white\" \
         stroke=\"#333333\" stroke-width=\"{frame}\"/>\n",
        y - BOX_HEIGHT / 2.0
    );
    shape + &text(x + width / 2.0, y + 4.5, "text-anchor=\"middle\"", &label(graph, number))
}

fn legend(title: &str, players: &[&str]) -> String {
    let mut legend = text(MARGIN, 26.0, "font-size=\"16\" font-weight=\"bold\"", title);
    let mut x = MARGIN;
    for (place, player) in players.iter().enumerate() {
        let colour = COLOURS[place % COLOURS.len()];
        let _ =
            writeln!(legend, "<rect x=\"{x:.1}\" y=\"41\" width=\"12\" height=\"12\" fill=\"{colour}\"/>");
        legend += &text(x + 17.0, 51.5, "", player);
        x += 28.0 + 8.0 * player.chars().count() as f32;
    }
    legend + &text(x, 51.5, "font-size=\"11\" fill=\"#555555\"", LEGEND)
}

fn text(x: f32, y: f32, style: &str, text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let style = if style.is_empty() { String::new() } else { format!(" {style}") };
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{style}>{escaped}</text>\n")
}
