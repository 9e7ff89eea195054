//! Trees as pictures: search trees as text for graphviz and as an SVG of our own, and lines of games with their boards.

mod cut;
mod lines;
mod svg;

use aji_catalog::TreeNode;
use aji_catalog::thousands;
use cut::Drawn;
pub use lines::lines_svg;
use std::fmt::Write;
pub use svg::svg;

/// The colours of the players: Okabe and Ito's, which colour-blind people can tell apart.
const COLOURS: [&str; 5] = ["#0072B2", "#D55E00", "#009E73", "#CC79A7", "#7F7F7F"];

/// The colour of boxes that represent several nodes.
const GREY: &str = "#7F7F7F";

/// The widest line of an edge, for all of a node's simulations, and the thinnest.
const LINE_WIDTHS: (f32, f32) = (9.0, 1.0);

/// The players of a tree in the order in which they first appear, which is the order of the colours.
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

/// The width of the line to a node, by its share of its parent's simulations.
fn line_width(share: f32) -> f32 {
    LINE_WIDTHS.1 + (LINE_WIDTHS.0 - LINE_WIDTHS.1) * share.clamp(0.0, 1.0)
}

/// A child's share of its parent's simulations.
fn share(parent: &TreeNode, child: &TreeNode) -> f32 {
    child.pulls as f32 / parent.pulls.max(1) as f32
}

/// A mean as a box shows it: `=` before a proven one, and the prior behind it if there is one.
fn mean(node: &TreeNode) -> String {
    let sign = if node.proven { "=" } else { "" };
    let prior = node.prior.map_or(String::new(), |prior| format!(" p{prior:.2}"));
    node.mean.map_or(String::new(), |mean| format!("{sign}{mean:.2}{prior}"))
}

/// The tree for graphviz: `dot -Tsvg tree.dot`. A proven node has two frames, the chosen move a thick one.
pub fn dot(tree: &TreeNode, title: &str, best: Option<&str>) -> String {
    let whole = Drawn::whole(tree);
    let players = players(tree);
    let mut text = format!(
        "digraph tree {{\n  label={};\n  rankdir=LR;\n  node [shape=box, style=rounded];\n",
        quoted(title)
    );
    let mut waiting = vec![(&whole, None)];
    let mut number = 0;
    while let Some((drawn, parent)) = waiting.pop() {
        let (node, own) = (drawn.node, number);
        let action = node.action.as_deref().unwrap_or("root");
        let label = format!("{action} {}\n{}", mean(node), thousands(node.pulls.into()));
        let colour = colour(&players, node);
        let is_chosen = parent.is_some_and(|(parent, _)| parent == 0) && node.action.as_deref() == best;
        let marks = [(node.proven, ", peripheries=2"), (is_chosen, ", penwidth=3")];
        let marks: String = marks.iter().filter(|(is_so, _)| *is_so).map(|(_, mark)| *mark).collect();
        let _ = writeln!(text, "  n{own} [label={}, color=\"{colour}\"{marks}];", quoted(&label));
        if let Some((parent, width)) = parent {
            let _ = writeln!(text, "  n{parent} -> n{own} [penwidth={width:.1}, color=\"{colour}\"];");
        }
        number += 1;
        if let Some(rest) = drawn.rest {
            let label = quoted(&rest.to_string());
            let _ = writeln!(text, "  n{number} [label={label}, color=\"{GREY}\", style=dashed];");
            let width = line_width(rest.share);
            let _ = writeln!(
                text,
                "  n{own} -> n{number} [penwidth={width:.1}, color=\"{GREY}\", style=dashed];"
            );
            number += 1;
        }
        let below = drawn.children.iter().rev();
        waiting.extend(below.map(|child| (child, Some((own, line_width(share(node, child.node)))))));
    }
    text + "}\n"
}

/// A text between quotes, as graphviz reads it.
fn quoted(text: &str) -> String {
    let escaped = text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n");
    format!("\"{escaped}\"")
}
