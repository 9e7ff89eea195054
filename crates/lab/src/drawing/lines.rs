//! The SVG of the lines by which an attacker wins.
//!
//! It reads from left to right. A box has the moves since the box before it, how many of the games with these moves were
//! won, and the board after them. A box stands at the height of its first way on, the most frequent one.

use super::line_width;
use crate::duel::{LineBox, LineTree};
use aji_catalog::thousands;
use std::fmt::Write;

const MARGIN: f32 = 20.0;
/// Where the first row begins, below the title and the legend.
const HEAD: f32 = 70.0;
/// A character of a board, and a line of text.
const CHARACTER: f32 = 7.3;
const LINE: f32 = 15.0;
/// Within a box, between two columns of boxes, and between two rows of them.
const PADDING: f32 = 8.0;
const GAP: f32 = 46.0;
const ROW_GAP: f32 = 14.0;
/// The moves of a box are broken into lines of this many characters, or of the board's if that is wider.
const MOVES_WIDTH: usize = 24;
/// A character of the title.
const TITLE_CHARACTER: f32 = 11.5;

const LEGEND: &str = "Box: moves, won games of all games that begin so, board. Line: share of won games. Rare ways are left out.";
/// The width of the legend.
const LEGEND_WIDTH: f32 = 700.0;

/// The texts of a box.
struct Texts {
    moves: Vec<String>,
    counts: String,
    board: Vec<String>,
}

impl Texts {
    fn of(node: &LineBox) -> Texts {
        let board: Vec<String> = node.board.lines().map(|line| line.trim_end().to_string()).collect();
        let widest = board.iter().map(|line| line.chars().count()).fold(MOVES_WIDTH, usize::max);
        let mut moves = vec![String::new()];
        for action in &node.moves {
            let last = moves.last_mut().expect("a line");
            if !last.is_empty() && last.chars().count() + 1 + action.chars().count() > widest {
                moves.push(action.clone());
            } else {
                *last += if last.is_empty() { "" } else { " " };
                *last += action;
            }
        }
        moves.retain(|line| !line.is_empty());
        let counts = format!("{} of {} won", thousands(node.wins), thousands(node.games));
        Texts { moves, counts, board }
    }

    fn width(&self) -> f32 {
        let all = self.moves.iter().chain([&self.counts]).chain(&self.board);
        let widest = all.map(|line| line.chars().count()).max().unwrap_or(0);
        widest as f32 * CHARACTER + 2.0 * PADDING
    }

    fn height(&self) -> f32 {
        (self.moves.len() + 1 + self.board.len()) as f32 * LINE + 2.0 * PADDING
    }
}

/// The picture while it grows.
struct Picture {
    /// The widths of the columns.
    widths: Vec<f32>,
    /// The height below which nothing is drawn yet.
    bottom: f32,
    lines: String,
    boxes: String,
}

/// The lines as a picture.
pub fn lines_svg(tree: &LineTree, title: &str) -> String {
    let mut picture =
        Picture { widths: Vec::new(), bottom: HEAD, lines: String::new(), boxes: String::new() };
    picture.measure(&tree.root, 0);
    picture.draw(&tree.root, 0);
    let columns: f32 = picture.widths.iter().map(|width| width + GAP).sum::<f32>() - GAP;
    let title_width = title.chars().count() as f32 * TITLE_CHARACTER;
    let width = columns.max(title_width).max(LEGEND_WIDTH) + 2.0 * MARGIN;
    let height = picture.bottom - ROW_GAP + MARGIN;
    let head = text(MARGIN, 26.0, "font-size=\"16\" font-weight=\"bold\"", title)
        + &text(MARGIN, 50.0, "font-size=\"12\" fill=\"#555555\"", LEGEND);
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" \
         font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n{head}{}{}</svg>\n",
        picture.lines, picture.boxes
    )
}

impl Picture {
    fn measure(&mut self, node: &LineBox, depth: usize) {
        if self.widths.len() <= depth {
            self.widths.resize(depth + 1, 0.0);
        }
        self.widths[depth] = self.widths[depth].max(Texts::of(node).width());
        node.below.iter().for_each(|next| self.measure(next, depth + 1));
    }

    /// Draws a box and all below it. Returns the height of the middle of the box.
    fn draw(&mut self, node: &LineBox, depth: usize) -> f32 {
        let (texts, top) = (Texts::of(node), self.bottom);
        let x = MARGIN + self.widths[..depth].iter().map(|width| width + GAP).sum::<f32>();
        let (width, height) = (self.widths[depth], texts.height());
        let middle = top + height / 2.0;
        for next in &node.below {
            let to = self.draw(next, depth + 1);
            let (start, end) = (x + width, x + width + GAP);
            let (bend, share) = (start + GAP / 2.0, next.wins as f32 / node.wins.max(1) as f32);
            let _ = writeln!(
                self.lines,
                "<path d=\"M{start:.1} {middle:.1} C{bend:.1} {middle:.1} {bend:.1} {to:.1} {end:.1} {to:.1}\" \
                 fill=\"none\" stroke=\"#0072B2\" stroke-opacity=\"0.55\" stroke-width=\"{:.1}\"/>",
                line_width(share)
            );
        }
        self.bottom = self.bottom.max(top + height + ROW_GAP);
        let _ = writeln!(
            self.boxes,
            "<rect x=\"{x:.1}\" y=\"{top:.1}\" width=\"{width:.1}\" height=\"{height:.1}\" rx=\"4\" \
             fill=\"white\" stroke=\"#333333\"/>"
        );
        let mut base = top + PADDING;
        let mono = "font-family=\"DejaVu Sans Mono, Consolas, monospace\" xml:space=\"preserve\"";
        let bold = format!("{mono} font-weight=\"bold\"");
        let moves = texts.moves.iter().map(|line| (bold.as_str(), line));
        let rest = std::iter::once(&texts.counts).chain(&texts.board).map(|line| (mono, line));
        for (style, line) in moves.chain(rest) {
            base += LINE;
            self.boxes += &text(x + PADDING, base - 3.0, style, line);
        }
        middle
    }
}

/// A line of text; nothing for none.
fn text(x: f32, y: f32, style: &str, text: &str) -> String {
    if text.is_empty() {
        return String::new();
    }
    let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
    format!("<text x=\"{x:.1}\" y=\"{y:.1}\" {style}>{escaped}</text>\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn node(moves: &str, wins: u64, below: Vec<LineBox>) -> LineBox {
        let moves = moves.split_whitespace().map(String::from).collect();
        let (position, board) = (String::new(), "2 . x\n1 o <\n  a b\n".to_string());
        LineBox { moves, wins, games: wins + 1_000, position, board, below }
    }

    /// The value of an attribute in each element of this kind, in the order of the text.
    fn numbers(svg: &str, element: &str, attribute: &str) -> Vec<f32> {
        let tag = format!("<{element}");
        let tags = svg.split(&tag).skip(1);
        let value = |tag: &str| {
            tag.split('>').next()?.split(&format!(" {attribute}=\"")).nth(1)?.split('"').next()?.parse().ok()
        };
        tags.filter_map(value).collect()
    }

    #[test]
    fn boxes_do_not_overlap_and_have_their_texts() {
        let below = vec![node("a b", 6, vec![]), node("c", 3, vec![])];
        let tree = LineTree { start: 0, root: node("d", 9, below) };
        let svg = lines_svg(&tree, "a & b");
        for expect in ["a &amp; b", "9 of 1,009 won", ">a b<", "1 o &lt;"] {
            assert!(svg.contains(expect), "{expect} in {svg}");
        }
        // The last box drawn is the root; the first rectangle is the background.
        let (x, y) = (numbers(&svg, "rect", "x"), numbers(&svg, "rect", "y"));
        let heights = numbers(&svg, "rect", "height");
        assert_eq!((x.len(), svg.matches("<path").count()), (3, 2));
        assert!(x[0] == x[1] && x[2] < x[0] && y[2] == y[0], "{x:?} {y:?}");
        assert!(y[0] + heights[0] < y[1], "{y:?} {heights:?}");
        let whole = numbers(&svg, "svg", "height")[0];
        assert!(y[1] + heights[1] < whole, "{whole}");
    }

    #[test]
    fn long_lines_are_broken() {
        let texts = Texts::of(&node(&"abc ".repeat(20), 1, vec![]));
        assert!(texts.moves.iter().all(|line| line.len() <= MOVES_WIDTH), "{:?}", texts.moves);
        assert_eq!(texts.moves.join(" "), "abc ".repeat(20).trim_end());
        assert_eq!(Texts::of(&node("", 1, vec![])).moves, Vec::<String>::new());
    }
}
