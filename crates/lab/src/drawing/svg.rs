//! The SVG of a tree.
//!
//! It reads from left to right, one column per level. Every node without children has its own row; the others stand
//! at the height of their first child, the most simulated one. So the principal line runs straight along the top, and
//! no two texts overlap.

use super::cut::{Drawn, Rest};
use super::{COLOURS, GREY, colour, line_width, mean, players, share};
use aji_catalog::TreeNode;
use aji_catalog::thousands;
use std::fmt::Write;

/// The most rows of a picture. If there are more, the least simulated nodes join the rest of their parents.
const ROWS_MAX: usize = 40;

const MARGIN: f32 = 20.0;
const ROW: f32 = 28.0;
const BOX_HEIGHT: f32 = 22.0;
/// Room for lines between two columns.
const GAP: f32 = 64.0;
/// The width of a character at the size of the text, with some to spare.
const CHARACTER: f32 = 8.0;
/// The same for the title, and for the legend.
const TITLE_CHARACTER: f32 = 11.5;
const LEGEND_CHARACTER: f32 = 6.8;
/// The height of the legend's first line, and the distance between its lines.
const LEGEND_TOP: f32 = 51.0;
const LEGEND_LINE: f32 = 19.0;
/// Between the texts of a box.
const PADDING: f32 = 11.0;
/// A square of a player's colour, and the room beside it.
const SWATCH: f32 = 17.0;

/// The first line where nodes have priors.
const WITH_PRIORS: &str =
    "Box: action, mean to the player who takes it (tinted part), p and prior, simulations.";

/// How a picture is to be read.
const LEGEND: [&str; 3] = [
    "Box: action, mean to the player who takes it (tinted part), simulations.",
    "Line: share of simulations. Dashed box: all other actions and their share.",
    "Double frame and =: proven. Thick frame and triangle: the chosen move.",
];

/// Where the first row begins.
const HEAD: f32 = LEGEND_TOP + LEGEND.len() as f32 * LEGEND_LINE + 12.0;

/// The texts of a node's box: its action, its mean and its simulations.
struct Label {
    action: String,
    mean: String,
    pulls: String,
}

impl Label {
    fn new(node: &TreeNode) -> Label {
        let action = node.action.clone().unwrap_or("root".into());
        Label { action, mean: mean(node), pulls: thousands(node.pulls.into()) }
    }
}

/// The columns of a level, in pixels: where its boxes begin, and how wide each text is.
#[derive(Clone, Copy, Default)]
struct Level {
    x: f32,
    action: f32,
    mean: f32,
    pulls: f32,
    rest: f32,
}

impl Level {
    fn widen(&mut self, label: &Label) {
        let wide = |old: f32, text: &str| old.max(length(text) * CHARACTER);
        self.action = wide(self.action, &label.action);
        self.mean = wide(self.mean, &label.mean);
        self.pulls = wide(self.pulls, &label.pulls);
    }

    fn box_width(&self) -> f32 {
        let texts =
            PADDING + [self.action, self.mean, self.pulls].iter().map(|part| part + PADDING).sum::<f32>();
        texts.max(self.rest)
    }
}

struct Svg<'a> {
    legend: [&'static str; 3],
    players: Vec<&'a str>,
    best: Option<&'a str>,
    levels: Vec<Level>,
    rows: usize,
    lines: String,
    boxes: String,
}

/// The tree as a picture, with the chosen move marked.
pub fn svg(tree: &TreeNode, title: &str, best: Option<&str>) -> String {
    let drawn = Drawn::within(tree, ROWS_MAX);
    let mut levels = Vec::new();
    measure(&drawn, 0, &mut levels);
    let mut x = MARGIN;
    for level in &mut levels {
        level.x = x;
        x += level.box_width() + GAP;
    }
    let (players, lines, boxes) = (players(tree), String::new(), String::new());
    let [plain, lines_and_rest, marks] = LEGEND;
    let has_priors = tree.children.iter().any(|child| child.prior.is_some());
    let legend = [if has_priors { WITH_PRIORS } else { plain }, lines_and_rest, marks];
    let mut svg = Svg { legend, players, best, levels, rows: 0, lines, boxes };
    svg.node(&drawn, 0);
    let width = (x - GAP + MARGIN).max(svg.head_width(title));
    let height = HEAD + svg.rows as f32 * ROW + MARGIN;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{}{}{}</svg>\n",
        svg.legend(title),
        svg.lines,
        svg.boxes
    )
}

fn measure(drawn: &Drawn, depth: usize, levels: &mut Vec<Level>) {
    if levels.len() < depth + 2 {
        levels.resize(depth + 1 + usize::from(!drawn.children.is_empty()), Level::default());
    }
    levels[depth].widen(&Label::new(drawn.node));
    if let Some(rest) = drawn.rest {
        let width = length(&rest.to_string()) * CHARACTER + 2.0 * PADDING;
        levels[depth + 1].rest = levels[depth + 1].rest.max(width);
    }
    drawn.children.iter().for_each(|child| measure(child, depth + 1, levels));
}

impl Svg<'_> {
    /// Draws a node and all below it, and returns the height at which it stands.
    fn node(&mut self, drawn: &Drawn, depth: usize) -> f32 {
        let y = self.height_of(self.rows);
        if drawn.children.is_empty() {
            self.rows += 1;
        }
        for child in &drawn.children {
            let child_y = self.node(child, depth + 1);
            let colour = colour(&self.players, child.node);
            self.line(depth, (y, child_y), (line_width(share(drawn.node, child.node)), colour));
        }
        if let Some(rest) = drawn.rest {
            let rest_y = self.height_of(self.rows);
            self.rows += 1;
            self.line(depth, (y, rest_y), (line_width(rest.share), GREY));
            self.draw_rest(rest, depth + 1, rest_y);
        }
        self.draw_box(drawn.node, depth, y);
        y
    }

    fn height_of(&self, row: usize) -> f32 {
        HEAD + (row as f32 + 0.5) * ROW
    }

    fn line(&mut self, depth: usize, (from_y, to_y): (f32, f32), (width, colour): (f32, &str)) {
        let level = &self.levels[depth];
        let (from, to) = (level.x + level.box_width(), self.levels[depth + 1].x);
        let bend = to - GAP / 2.0;
        let _ = writeln!(
            self.lines,
            "<path d=\"M{from:.1} {from_y:.1} C{bend:.1} {from_y:.1} {bend:.1} {to_y:.1} {to:.1} {to_y:.1}\" \
             fill=\"none\" stroke=\"{colour}\" stroke-opacity=\"0.55\" stroke-width=\"{width:.1}\"/>"
        );
    }

    /// The box of a node. The tinted part is as wide as the mean is high.
    fn draw_box(&mut self, node: &TreeNode, depth: usize, y: f32) {
        let (level, label, colour) = (self.levels[depth], Label::new(node), colour(&self.players, node));
        let (x, width) = (level.x, level.box_width());
        let is_chosen = depth == 1 && node.action.as_deref() == self.best;
        let tint = width * node.mean.unwrap_or(0.0).clamp(0.0, 1.0);
        let frame = if is_chosen { 4.0 } else { 1.5 };
        self.boxes += &shape((x, y), (width, BOX_HEIGHT), "fill=\"white\"");
        self.boxes += &shape((x, y), (tint, BOX_HEIGHT), &format!("fill=\"{colour}\" fill-opacity=\"0.22\""));
        let outline = |frame: f32| format!("fill=\"none\" stroke=\"{colour}\" stroke-width=\"{frame}\"");
        self.boxes += &shape((x, y), (width, BOX_HEIGHT), &outline(frame));
        if node.proven {
            let room = 2.0 * (frame / 2.0 + 2.0);
            self.boxes += &shape((x + room / 2.0, y), (width - room, BOX_HEIGHT - room), &outline(1.2));
        }
        if is_chosen {
            let (back, tip) = (x - 17.0, x - 4.0);
            let (above, below) = (y - 8.0, y + 8.0);
            let _ = writeln!(
                self.boxes,
                "<path class=\"chosen\" d=\"M{back:.1} {above:.1} L{tip:.1} {y:.1} L{back:.1} {below:.1} Z\" fill=\"#222222\"/>"
            );
        }
        let mean_end = x + PADDING + level.action + PADDING + level.mean;
        let base = y + 4.5;
        self.boxes += &text(x + PADDING, base, "font-weight=\"bold\"", &label.action);
        self.boxes += &text(mean_end, base, "text-anchor=\"end\"", &label.mean);
        self.boxes += &text(x + width - PADDING, base, "text-anchor=\"end\" fill=\"#555555\"", &label.pulls);
    }

    /// The box of all other actions of a node.
    fn draw_rest(&mut self, rest: Rest, depth: usize, y: f32) {
        let level = self.levels[depth];
        let dashed =
            format!("fill=\"white\" stroke=\"{GREY}\" stroke-width=\"1.2\" stroke-dasharray=\"4 3\"");
        self.boxes += &shape((level.x, y), (level.box_width(), BOX_HEIGHT), &dashed);
        self.boxes += &text(level.x + PADDING, y + 4.5, "fill=\"#555555\"", &rest.to_string());
    }

    /// The title, the players, and lines that say how to read the picture.
    fn legend(&self, title: &str) -> String {
        let mut legend = text(MARGIN, 26.0, "font-size=\"16\" font-weight=\"bold\"", title);
        for (number, line) in self.legend.iter().enumerate() {
            let y = LEGEND_TOP + number as f32 * LEGEND_LINE;
            legend += &text(MARGIN, y, "font-size=\"12\" fill=\"#555555\"", line);
        }
        for (place, player) in self.players.iter().enumerate() {
            let (x, colour) = (self.player_start(title, place), COLOURS[place % COLOURS.len()]);
            let _ = writeln!(
                legend,
                "<rect x=\"{x:.1}\" y=\"15\" width=\"12\" height=\"12\" fill=\"{colour}\"/>"
            );
            legend += &text(x + SWATCH, 25.5, "", player);
        }
        legend
    }

    /// Where the player of this number stands, to the right of the title.
    fn player_start(&self, title: &str, player: usize) -> f32 {
        let width = |player: &&str| SWATCH + length(player) * CHARACTER + PADDING;
        let start = MARGIN + length(title) * TITLE_CHARACTER + PADDING;
        start + self.players[..player].iter().map(width).sum::<f32>()
    }

    /// The room that title and legend take.
    fn head_width(&self, title: &str) -> f32 {
        let longest = self.legend.map(length).into_iter().fold(0.0, f32::max);
        let legend = MARGIN + longest * LEGEND_CHARACTER;
        legend.max(self.player_start(title, self.players.len())) + MARGIN
    }
}

fn length(text: &str) -> f32 {
    text.chars().count() as f32
}

/// A rectangle whose left side has its middle at a place.
fn shape((x, y): (f32, f32), (width, height): (f32, f32), paint: &str) -> String {
    let top = y - height / 2.0;
    format!("<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" {paint}/>\n")
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

#[cfg(test)]
mod tests {
    use super::super::cut::tests::node;
    use super::*;

    #[test]
    fn the_chosen_move_is_marked_and_the_proven_one_has_two_frames() {
        let marks = |best: Option<&str>, proven: bool| {
            let below = vec![node("a", 10, vec![])];
            let first = TreeNode { proven, ..node("a", 60, below) };
            let picture = svg(&node("", 100, vec![first, node("b", 40, vec![])]), "t", best);
            let count = |what: &str| picture.matches(what).count();
            (count("class=\"chosen\""), count("<rect"), count(">=0.50<"))
        };
        let (chosen, plain, equal) = marks(Some("a"), false);
        // The move of the same name further down is another one.
        assert_eq!((chosen, equal), (1, 0));
        assert_eq!(marks(Some("a"), true), (1, plain + 1, 1));
        assert_eq!(marks(None, false), (0, plain, 0));
        assert_eq!(marks(Some("z"), false), (0, plain, 0));
    }

    #[test]
    fn height_is_bounded() {
        let height = |children: u32| {
            let children = (0..children).map(|k| node(&format!("m{k}"), 1_000 - k, vec![])).collect();
            let picture = svg(&node("", 900_000, children), "t", None);
            let height = picture.split("height=\"").nth(1).and_then(|rest| rest.split('"').next());
            height.expect("a height").parse::<f32>().expect("a number")
        };
        assert_eq!(height(5), HEAD + 5.0 * ROW + MARGIN);
        assert_eq!(height(900), height(41));
    }
}
