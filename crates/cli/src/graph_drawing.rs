//! Search graphs as pictures: text for graphviz, and an SVG of our own.
//!
//! The SVG has a column a level. A position is one box, whatever number of actions leads to it; each action is a line with its
//! name. A position that several actions lead to has a thick frame.

use aji_catalog::{SearchGraph, Way, thousands};
use std::fmt::Write;

/// The colours of those who act: Okabe and Ito's, which colour-blind people can tell apart.
const COLOURS: [&str; 5] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7F7F7F"];

const MARGIN: f32 = 20.0;
const HEAD: f32 = 70.0;
const ROW: f32 = 34.0;
const BOX_WIDTH: f32 = 92.0;
const BOX_HEIGHT: f32 = 24.0;
/// Room for lines and their names between two columns.
const GAP: f32 = 170.0;
/// The least width of the picture: that of its legend.
const WIDTH_MIN: f32 = 860.0;

const LEGEND: &str = "box: a position and its simulations, +n actions not shown; line: an action with its mean to who takes it; \
    thick frame: several actions lead there";

/// Who acts, each once, in the order of the colours.
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

/// The width of a line: by its share of the simulations of the position where it starts.
fn line_width(graph: &SearchGraph, way: &Way) -> f32 {
    1.0 + 7.0 * (way.pulls as f32 / graph.nodes[way.from].visits.max(1) as f32).min(1.0)
}

/// What a box says.
fn label(graph: &SearchGraph, number: usize) -> String {
    let node = &graph.nodes[number];
    let more = if node.left_out > 0 { format!(" +{}", node.left_out) } else { String::new() };
    format!("{}{more}", thousands(node.visits.into()))
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
        let (label, tip) = (quoted(&label(graph, number)), quoted(&node.position));
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

/// Where each box stands: its left edge, and the height of its middle. Every level is centred.
fn places(graph: &SearchGraph) -> Vec<(f32, f32)> {
    let levels = graph.nodes.iter().map(|node| node.level + 1).max().unwrap_or(1);
    let mut counts = vec![0usize; levels];
    let rows: Vec<usize> = graph
        .nodes
        .iter()
        .map(|node| {
            counts[node.level] += 1;
            counts[node.level] - 1
        })
        .collect();
    let tallest = counts.iter().copied().max().unwrap_or(1);
    let place = |(number, node): (usize, &aji_catalog::PositionNode)| {
        let above = (tallest - counts[node.level]) as f32 / 2.0;
        let x = MARGIN + node.level as f32 * (BOX_WIDTH + GAP);
        (x, HEAD + (above + rows[number] as f32 + 0.5) * ROW)
    };
    graph.nodes.iter().enumerate().map(place).collect()
}

/// The graph as a picture.
pub fn svg(graph: &SearchGraph, title: &str) -> String {
    let (players, places) = (players(graph), places(graph));
    let end = |get: fn(&(f32, f32)) -> f32| places.iter().map(get).fold(0.0, f32::max);
    let width = (end(|place| place.0) + BOX_WIDTH + MARGIN).max(WIDTH_MIN);
    let height = end(|place| place.1) + ROW / 2.0 + MARGIN;
    let lines: String =
        graph.ways.iter().map(|way| line(graph, way, &places, colour(&players, way))).collect();
    let boxes: String = (0..graph.nodes.len()).map(|number| box_of(graph, number, places[number])).collect();
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}{lines}{boxes}</svg>\n",
        legend(title, &players)
    )
}

/// A line from one box to another, with the action and its mean near its end.
fn line(graph: &SearchGraph, way: &Way, places: &[(f32, f32)], colour: &str) -> String {
    let ((from_x, from_y), (to_x, to_y)) = (places[way.from], places[way.to]);
    let (from_x, middle) = (from_x + BOX_WIDTH, GAP / 2.0);
    let width = line_width(graph, way);
    let path = format!(
        "<path d=\"M{from_x:.1} {from_y:.1} C{:.1} {from_y:.1} {:.1} {to_y:.1} {to_x:.1} {to_y:.1}\" fill=\"none\" \
         stroke=\"{colour}\" stroke-opacity=\"0.5\" stroke-width=\"{width:.1}\"/>\n",
        from_x + middle,
        to_x - middle
    );
    // The names of lines that end at one box stand one after the other along their lines.
    let before =
        graph.ways.iter().take_while(|other| *other != way).filter(|other| other.to == way.to).count();
    let share = (0.72 - 0.2 * before as f32).max(0.2);
    let (x, y) = bezier(share, [from_x, from_x + middle, to_x - middle, to_x], [from_y, from_y, to_y, to_y]);
    let name = format!("{} {:.2}", way.action, way.mean);
    path + &text(x, y - 2.0, "font-size=\"11\" text-anchor=\"middle\"", &name)
}

/// The point of a cubic curve at this share of its way.
fn bezier(share: f32, x: [f32; 4], y: [f32; 4]) -> (f32, f32) {
    let rest = 1.0 - share;
    let weights =
        [rest * rest * rest, 3.0 * rest * rest * share, 3.0 * rest * share * share, share * share * share];
    let at = |points: [f32; 4]| points.iter().zip(weights).map(|(point, weight)| point * weight).sum();
    (at(x), at(y))
}

fn box_of(graph: &SearchGraph, number: usize, (x, y): (f32, f32)) -> String {
    let frame = if is_shared(graph, number) { 3.0 } else { 1.2 };
    let shape = format!(
        "<rect x=\"{x:.1}\" y=\"{:.1}\" width=\"{BOX_WIDTH}\" height=\"{BOX_HEIGHT}\" rx=\"4\" fill=\"white\" \
         stroke=\"#333333\" stroke-width=\"{frame}\"/>\n",
        y - BOX_HEIGHT / 2.0
    );
    shape + &text(x + BOX_WIDTH / 2.0, y + 4.5, "text-anchor=\"middle\"", &label(graph, number))
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
