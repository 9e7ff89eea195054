//! A file for a search tree: its form is told by its ending, and that it can be written is known before the search.

use aji_catalog::TreeNode;
use aji_lab::drawing::{dot, svg};
use anyhow::{Context, Result, bail};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The most nodes that graphviz is given; beyond, nobody sees anything. JSON has no such limit, and the SVG has rows of its own.
const DRAWN_MAX: usize = 5_000;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Form {
    Json,
    Dot,
    Svg,
}

/// A file that waits for its tree.
pub struct TreeFile {
    path: PathBuf,
    form: Form,
    file: File,
    is_new: bool,
}

impl TreeFile {
    /// Opens the file, and leaves what it holds until there is a tree to write.
    pub fn open(path: &Path) -> Result<TreeFile> {
        let ending = path.extension().map(|ending| ending.to_ascii_lowercase());
        let form = match ending.as_ref().and_then(|ending| ending.to_str()) {
            Some("json") => Form::Json,
            Some("dot") => Form::Dot,
            Some("svg") => Form::Svg,
            _ => bail!("--tree {}: expected a name that ends in .json, .dot or .svg", path.display()),
        };
        let is_new = !path.exists();
        let file = OpenOptions::new().write(true).create(true).truncate(false).open(path);
        let file = file.map_err(|error| anyhow::anyhow!("--tree {}: {error}", path.display()))?;
        Ok(TreeFile { path: path.into(), form, file, is_new })
    }

    /// Removes the file if it was made here: there will be no tree.
    pub fn abandon(self) {
        if self.is_new {
            // The error that led here is the one to tell.
            let _ = std::fs::remove_file(self.path);
        }
    }

    /// Writes the tree in place of what the file held. Pictures mark the best action.
    pub fn write(mut self, tree: &TreeNode, title: &str, best: Option<&str>) -> Result<()> {
        let text = match self.form {
            Form::Json => Ok(serde_json::to_string(tree)? + "\n"),
            Form::Dot => self.drawn(tree).map(|()| dot(tree, title, best)),
            Form::Svg => Ok(svg(tree, title, best)),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => {
                self.abandon();
                return Err(error);
            }
        };
        let path = self.path.display();
        let written = self.file.set_len(0).and_then(|()| self.file.write_all(text.as_bytes()));
        written.with_context(|| format!("--tree {path}: cannot be written"))
    }

    /// Whether the tree is small enough to be drawn.
    fn drawn(&self, tree: &TreeNode) -> Result<()> {
        let (count, path) = (tree.count(), self.path.display());
        if count > DRAWN_MAX {
            bail!(
                "--tree {path}: {count} nodes are more than the {DRAWN_MAX} that are drawn; lower --depth or --top"
            );
        }
        Ok(())
    }
}
