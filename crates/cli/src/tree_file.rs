//! A file for a search tree. Its ending says the format. It is opened before the search, so that an error comes early.

use crate::graph_drawing;
use crate::output_file::OutputFile;
use aji_catalog::{SearchGraph, TreeNode};
use aji_lab::drawing::{dot, svg};
use anyhow::{Result, bail};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The most nodes of a drawing; more would not be readable. JSON and the SVG of a tree have no such limit.
const DRAWN_MAX: usize = 5_000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Json,
    Dot,
    Svg,
}

/// Which search grew the tree.
#[derive(Serialize)]
pub struct About {
    pub game: String,
    pub agent: String,
    pub position: String,
    /// The network's own value of the position, if the agent has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub evaluation: Option<f32>,
}

impl About {
    fn title(&self) -> String {
        format!("{}, {}", self.game, self.agent)
    }
}

/// A tree or a graph in a JSON file.
#[derive(Serialize)]
struct Told<'a, T> {
    #[serde(flatten)]
    about: &'a About,
    #[serde(flatten)]
    drawn: &'a T,
}

/// A file for a tree.
pub struct TreeFile {
    path: PathBuf,
    form: Form,
    file: OutputFile,
}

impl TreeFile {
    /// Opens the file. Its contents stay until there is a tree to write.
    pub fn open(path: &Path) -> Result<TreeFile> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let form = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("json") => Form::Json,
            Some("dot") => Form::Dot,
            Some("svg") => Form::Svg,
            _ => bail!("--tree {}: expected a name that ends in .json, .dot or .svg", path.display()),
        };
        Ok(TreeFile { path: path.into(), form, file: OutputFile::open("--tree", path)? })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Replaces the contents of the file by the tree. Pictures mark the best action.
    pub fn write(self, tree: &TreeNode, about: &About, best: Option<&str>) -> Result<()> {
        let title = &about.title();
        let text = match self.form {
            Form::Json => serde_json::to_string(&Told { about, drawn: tree })? + "\n",
            Form::Dot => self.drawn(tree.count()).map(|()| dot(tree, title, best))?,
            Form::Svg => svg(tree, title, best),
        };
        self.file.write(&text)
    }

    /// Replaces the contents of the file by a graph.
    pub fn write_graph(self, graph: &SearchGraph, about: &About) -> Result<()> {
        let (count, title) = (graph.nodes.len(), &about.title());
        let text = match self.form {
            Form::Json => serde_json::to_string(&Told { about, drawn: graph })? + "\n",
            Form::Dot => self.drawn(count).map(|()| graph_drawing::dot(graph, title))?,
            Form::Svg => self.drawn(count).map(|()| graph_drawing::svg(graph, title))?,
        };
        self.file.write(&text)
    }

    /// Refuses more nodes than can be drawn.
    fn drawn(&self, count: usize) -> Result<()> {
        let path = self.path.display();
        if count > DRAWN_MAX {
            bail!(
                "--tree {path}: {count} nodes are more than the {DRAWN_MAX} that are drawn; lower --depth or --top"
            );
        }
        Ok(())
    }
}
