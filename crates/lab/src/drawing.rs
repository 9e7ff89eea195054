//! Search trees as pictures: text for graphviz, and an SVG of our own.
//!
//! The SVG reads from left to right, a column a level. Every node without children has a row of its own and the others
//! stand at the height of their first child, the most simulated one, so the line that the search believes in runs
//! straight along the top and no two texts meet.

use aji_catalog::TreeNode;
use aji_catalog::thousands;
use std::fmt::Write;

/// The colours of those who act: Okabe and Ito's, which colour-blind people can tell apart.
const COLOURS: [&str; 5] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7F7F7F"];

/// The widest line of an edge, for all of a node's simulations, and the thinnest.
const LINE_WIDTHS: (f32, f32) = (9.0, 1.0);

/// Who acts in a tree, each once, in the order in which they appear: the order of the colours.
fn players(tree: &TreeNode) -> Vec<&str> {
    let mut found = Vec::new();
    let mut waiting = vec![tree];
    while let Some(node) = waiting.pop() {
        found.extend(node.player.as_deref().filter(|player| !found.contains(player)));
        waiting.extend(node.children.iter().rev());
    }
    found
}

fn colour(players: &[&str], node: &TreeNode) -> &'static str {
    let place = players.iter().position(|&player| node.player.as_deref() == Some(player));
    place.map_or("#333333", |place| COLOURS[place % COLOURS.len()])
}

/// The width of the line to a child: by its share of its parent's simulations.
fn line_width(parent: &TreeNode, child: &TreeNode) -> f32 {
    let share = child.pulls as f32 / parent.pulls.max(1) as f32;
    LINE_WIDTHS.1 + (LINE_WIDTHS.0 - LINE_WIDTHS.1) * share.min(1.0)
}

fn left_out(node: &TreeNode) -> String {
    if node.left_out > 0 && !node.children.is_empty() { format!("+{}", node.left_out) } else { String::new() }
}

/// The tree for graphviz: `dot -Tsvg tree.dot`.
pub fn dot(tree: &TreeNode, title: &str) -> String {
    let players = players(tree);
    let mut text = format!(
        "digraph tree {{\n  label={};\n  rankdir=LR;\n  node [shape=box, style=rounded];\n",
        quoted(title)
    );
    let mut waiting = vec![(tree, None)];
    let mut number = 0;
    while let Some((node, parent)) = waiting.pop() {
        let mean = node.mean.map_or(String::new(), |mean| format!(" {mean:.3}"));
        let label = format!(
            "{}{mean}\n{} {}",
            node.action.as_deref().unwrap_or("root"),
            thousands(node.pulls.into()),
            left_out(node)
        );
        let colour = colour(&players, node);
        let _ = writeln!(text, "  n{number} [label={}, color=\"{colour}\"];", quoted(label.trim_end()));
        if let Some((parent_number, parent)) = parent {
            let width = line_width(parent, node);
            let _ =
                writeln!(text, "  n{parent_number} -> n{number} [penwidth={width:.1}, color=\"{colour}\"];");
        }
        waiting.extend(node.children.iter().rev().map(|child| (child, Some((number, node)))));
        number += 1;
    }
    text + "}\n"
}

/// A text between quotes, as graphviz reads it.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}

const MARGIN: f32 = 20.0;
const HEAD: f32 = 70.0;
const ROW: f32 = 28.0;
const BOX_HEIGHT: f32 = 22.0;
/// Room for lines between two columns.
const GAP: f32 = 64.0;
/// The width of a character at the size of the text, with some to spare.
const CHARACTER: f32 = 8.0;
/// The same for the title, and for the legend.
const TITLE_CHARACTER: f32 = 11.5;
const LEGEND_CHARACTER: f32 = 6.8;

/// How a picture is to be read.
const LEGEND: &str =
    "box: action, mean to who takes it (tinted part), simulations; line: share of simulations; +n: not shown";

/// The texts of a node's box: what leads there, its worth, its simulations, and how many actions are left out.
struct Label {
    action: String,
    mean: String,
    pulls: String,
    left_out: String,
}

impl Label {
    fn new(node: &TreeNode) -> Label {
        Label {
            action: node.action.clone().unwrap_or("root".into()),
            mean: node.mean.map_or(String::new(), |mean| format!("{mean:.2}")),
            pulls: thousands(node.pulls.into()),
            left_out: left_out(node),
        }
    }
}

/// The columns of a level, in pixels: where its boxes begin, and where within them each text stands.
#[derive(Clone, Copy, Default)]
struct Level {
    x: f32,
    action: f32,
    mean: f32,
    pulls: f32,
    left_out: f32,
}

impl Level {
    fn widen(&mut self, label: &Label) {
        let wide = |old: f32, text: &str| old.max(length(text) * CHARACTER);
        self.action = wide(self.action, &label.action);
        self.mean = wide(self.mean, &label.mean);
        self.pulls = wide(self.pulls, &label.pulls);
        self.left_out = wide(self.left_out, &label.left_out);
    }

    fn box_width(&self) -> f32 {
        PADDING + [self.action, self.mean, self.pulls].iter().map(|part| part + PADDING).sum::<f32>()
    }
}

/// Between the texts of a box.
const PADDING: f32 = 11.0;
/// A square of a player's colour, and the room beside it.
const SWATCH: f32 = 17.0;

struct Svg<'a> {
    players: Vec<&'a str>,
    levels: Vec<Level>,
    rows: usize,
    lines: String,
    boxes: String,
}

/// The tree as a picture.
pub fn svg(tree: &TreeNode, title: &str) -> String {
    let mut levels = Vec::new();
    measure(tree, 0, &mut levels);
    let mut x = MARGIN;
    for level in &mut levels {
        level.x = x;
        x += level.box_width() + level.left_out + GAP;
    }
    let mut svg = Svg { players: players(tree), levels, rows: 0, lines: String::new(), boxes: String::new() };
    svg.node(tree, 0);
    let (width, height) =
        ((x - GAP + MARGIN).max(svg.head_width(title)), HEAD + svg.rows as f32 * ROW + MARGIN);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}{}{}</svg>\n",
        svg.legend(title),
        svg.lines,
        svg.boxes
    )
}

fn measure(node: &TreeNode, depth: usize, levels: &mut Vec<Level>) {
    if levels.len() == depth {
        levels.push(Level::default());
    }
    levels[depth].widen(&Label::new(node));
    node.children.iter().for_each(|child| measure(child, depth + 1, levels));
}

impl Svg<'_> {
    /// Draws a node and all below it, and returns the height at which it stands.
    fn node(&mut self, node: &TreeNode, depth: usize) -> f32 {
        let row = self.rows;
        if node.children.is_empty() {
            self.rows += 1;
        }
        let y = HEAD + (row as f32 + 0.5) * ROW;
        for child in &node.children {
            let child_y = self.node(child, depth + 1);
            self.line(node, child, depth, (y, child_y));
        }
        self.draw_box(node, depth, y);
        y
    }

    fn line(&mut self, parent: &TreeNode, child: &TreeNode, depth: usize, (from_y, to_y): (f32, f32)) {
        let level = &self.levels[depth];
        let (from, to) = (level.x + level.box_width(), self.levels[depth + 1].x);
        let bend = to - GAP / 2.0;
        let (width, colour) = (line_width(parent, child), colour(&self.players, child));
        let _ = writeln!(
            self.lines,
            "<path d=\"M{from:.1} {from_y:.1} H{:.1} C{bend:.1} {from_y:.1} {bend:.1} {to_y:.1} {to:.1} {to_y:.1}\" \
             fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.55\" stroke-width=\"{width:.1}\"/>",
            to - GAP
        );
    }

    /// The box of a node, as far tinted as its mean is high.
    fn draw_box(&mut self, node: &TreeNode, depth: usize, y: f32) {
        let (level, label, colour) = (self.levels[depth], Label::new(node), colour(&self.players, node));
        let (x, width, top) = (level.x, level.box_width(), y - BOX_HEIGHT / 2.0);
        let tint = width * node.mean.unwrap_or(0.0);
        let shape = |width: f32, paint: &str| {
            format!(
                "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{BOX_HEIGHT}\" {paint}/>\n"
            )
        };
        self.boxes += &shape(width, "fill=\"white\"");
        self.boxes += &shape(tint, &format!("fill=\"{colour}\" fill-opacity=\"0.22\""));
        self.boxes += &shape(width, &format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\""));
        let mean_end = x + PADDING + level.action + PADDING + level.mean;
        let base = y + 4.5;
        self.boxes += &text(x + PADDING, base, "font-weight=\"bold\"", &label.action);
        self.boxes += &text(mean_end, base, "text-anchor=\"end\"", &label.mean);
        self.boxes += &text(x + width - PADDING, base, "text-anchor=\"end\" fill=\"#555555\"", &label.pulls);
        let beside = "font-size=\"11\" fill=\"#777777\"";
        self.boxes += &text(x + width + 4.0, y + BOX_HEIGHT / 2.0 + 4.0, beside, &label.left_out);
    }

    /// The title, and a line that says how to read the picture.
    fn legend(&self, title: &str) -> String {
        let mut legend = text(MARGIN, 26.0, "font-size=\"16\" font-weight=\"bold\"", title);
        for (place, player) in self.players.iter().enumerate() {
            let (x, colour) = (self.legend_start(place), COLOURS[place % COLOURS.len()]);
            let _ = writeln!(
                legend,
                "<rect x=\"{x:.1}\" y=\"41\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"
            );
            legend += &text(x + SWATCH, 51.5, "", player);
        }
        let start = self.legend_start(self.players.len());
        legend + &text(start, 51.5, "font-size=\"12\" fill=\"#555555\"", LEGEND)
    }

    /// Where the legend goes on after so many players.
    fn legend_start(&self, players: usize) -> f32 {
        let width = |player: &&str| SWATCH + length(player) * CHARACTER + PADDING;
        MARGIN + self.players[..players].iter().map(width).sum::<f32>()
    }

    /// The room that title and legend take.
    fn head_width(&self, title: &str) -> f32 {
        let legend = self.legend_start(self.players.len()) + length(LEGEND) * LEGEND_CHARACTER;
        legend.max(MARGIN + length(title) * TITLE_CHARACTER) + MARGIN
    }
}

fn length(text: &str) -> f32 {
    text.chars().count() as f32
}

/// A line of text; nothing for none.
fn text(x: f32, y: f32, style: &str, text: &str) -> String {
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    let style = if style.is_empty() { String::new() } else { format!(" {style}") };
    if text.is_empty() {
        return String::new();
    }
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\"{style}>{escaped}</text>\n")
}
