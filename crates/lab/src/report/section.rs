//! One part of a paper's report: prose, tables, figures, claims.

use super::escape;
use super::file_name::Names;
use super::{Claim, Figure, Table};

/// What one experiment of a paper shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// What it is about.
    pub title: String,
    /// Paragraphs; words between backticks are set as code.
    pub prose: Vec<String>,
    /// The tables, in order.
    pub tables: Vec<Table>,
    /// The figures, in order.
    pub figures: Vec<Figure>,
    /// What is said of the paper's claims.
    pub claims: Vec<Claim>,
    /// What of the paper was not done, and why.
    pub left_out: Option<String>,
}

impl Section {
    /// The section under its anchor. Names of files are asked for in the order in which the files are written.
    pub(super) fn to_html(&self, anchor: &str, names: &mut FileNames) -> String {
        let mut html = format!("<section id=\"{anchor}\">\n<h3>{}</h3>\n", escape::html_prose(&self.title));
        for paragraph in &self.prose {
            html += &format!("<p>{}</p>\n", escape::html_prose(paragraph));
        }
        for figure in &self.figures {
            let name = names.figure(figure);
            let caption = escape::html_prose(&figure.full_caption());
            html += &format!("<figure>\n{}<figcaption>{caption} ", figure.to_svg());
            html +=
                &format!("<a class=\"file\" href=\"figures/{name}.svg\">SVG</a></figcaption>\n</figure>\n");
        }
        for table in &self.tables {
            let name = names.table(table);
            html += &table.to_html();
            html += &format!("<p class=\"note\"><a class=\"file\" href=\"tables/{name}.csv\">CSV</a></p>\n");
        }
        if let Some(left_out) = &self.left_out {
            html += &format!(
                "<p class=\"left-out\"><strong>Left out.</strong> {}</p>\n",
                escape::html_prose(left_out)
            );
        }
        html + "</section>\n"
    }

    /// The section as Markdown, for the folder into which its page is written.
    pub(super) fn to_markdown(&self, names: &mut FileNames) -> String {
        let mut parts = vec![format!("## {}", escape::markdown(&self.title))];
        parts.extend(self.prose.iter().map(|paragraph| escape::markdown(paragraph)));
        for figure in &self.figures {
            let (title, name) = (escape::markdown(&figure.title), names.figure(figure));
            parts.push(format!("![{title}](figures/{name}.svg)"));
            parts.push(escape::markdown(&figure.full_caption()));
        }
        parts.extend(self.tables.iter().map(|table| table.to_markdown().trim_end().to_string()));
        parts.extend(
            self.left_out.iter().map(|left_out| format!("**Left out.** {}", escape::markdown(left_out))),
        );
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n") + "\n"
    }
}

/// The names of the files of a page. Asked in the same order, it answers the same.
#[derive(Default)]
pub(super) struct FileNames {
    figures: Names,
    tables: Names,
}

impl FileNames {
    /// A name for a figure, without its ending.
    pub(super) fn figure(&mut self, figure: &Figure) -> String {
        self.figures.fresh(if figure.name.is_empty() { &figure.title } else { &figure.name })
    }

    /// A name for a table, without its ending.
    pub(super) fn table(&mut self, table: &Table) -> String {
        self.tables.fresh(&table.title)
    }
}
