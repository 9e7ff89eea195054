//! One part of a paper's report: prose, tables, figures, claims.

use super::claim_html::{self, Anchored};
use super::file_name::Names;
use super::{Claim, Figure, Table, escape};

/// A picture that is no figure over two axes, such as a tree of boards.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Picture {
    /// A short name; its file is named after it.
    pub name: String,
    /// The title.
    pub title: String,
    /// An explanation for the reader.
    pub caption: String,
    /// The picture as SVG.
    pub svg: String,
}

/// The results of one experiment of a paper.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Section {
    /// Its title.
    pub title: String,
    /// Paragraphs; words between backticks are set as code.
    pub prose: Vec<String>,
    /// The tables, in order.
    pub tables: Vec<Table>,
    /// The figures, in order.
    pub figures: Vec<Figure>,
    /// The pictures, in order.
    pub pictures: Vec<Picture>,
    /// The paper's claims with their verdicts.
    pub claims: Vec<Claim>,
    /// The parts of the paper that were not done, and why.
    pub left_out: Option<String>,
}

impl Section {
    /// The section with its anchors: questions, figures, tables, verdicts. It asks for the names of files in the
    /// order in which the files are written.
    pub(super) fn to_html(&self, anchors: &SectionAnchors, names: &mut FileNames) -> String {
        let title = escape::html_prose(&self.title);
        let claims: Vec<Anchored> =
            self.claims.iter().zip(anchors.claims.iter().map(String::as_str)).collect();
        let mut html = format!("<section id=\"{}\">\n<h3>{title}</h3>\n", anchors.section);
        for paragraph in &self.prose {
            html += &format!("<p>{}</p>\n", escape::html_prose(paragraph));
        }
        html += &claim_html::asked(&claims);
        html += &self.figures_html(names);
        for picture in &self.pictures {
            let (name, caption) = (names.picture(picture), escape::html_prose(&picture.caption));
            html += &format!(
                "<div class=\"wide\">\n<figure class=\"picture\">\n{}<figcaption>{caption} ",
                picture.svg
            );
            html += &format!(
                "<a class=\"file\" href=\"figures/{name}.svg\">SVG</a></figcaption>\n</figure>\n</div>\n"
            );
        }
        for table in &self.tables {
            let name = names.table(table);
            html += &table.to_html();
            html += &format!("<p class=\"note\"><a class=\"file\" href=\"tables/{name}.csv\">CSV</a></p>\n");
        }
        html += &claim_html::verdicts(&claims);
        if let Some(left_out) = &self.left_out {
            html += &format!(
                "<p class=\"left-out\"><strong>Left out.</strong> {}</p>\n",
                escape::html_prose(left_out)
            );
        }
        html + "</section>\n"
    }

    fn figures_html(&self, names: &mut FileNames) -> String {
        if self.figures.is_empty() {
            return String::new();
        }
        let mut html = String::from("<div class=\"figures\">\n");
        for figure in &self.figures {
            let name = names.figure(figure);
            let caption = escape::html_prose(&figure.full_caption());
            html += &format!("<figure>\n{}<figcaption>{caption} ", figure.to_svg());
            html +=
                &format!("<a class=\"file\" href=\"figures/{name}.svg\">SVG</a></figcaption>\n</figure>\n");
        }
        html + "</div>\n"
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
        for picture in &self.pictures {
            let (title, name) = (escape::markdown(&picture.title), names.picture(picture));
            parts.push(format!("![{title}](figures/{name}.svg)"));
            parts.push(escape::markdown(&picture.caption));
        }
        parts.extend(self.tables.iter().map(|table| table.to_markdown().trim_end().to_string()));
        parts.extend(
            self.left_out.iter().map(|left_out| format!("**Left out.** {}", escape::markdown(left_out))),
        );
        parts.retain(|part| !part.is_empty());
        parts.join("\n\n") + "\n"
    }
}

/// The anchors of a section and of its verdicts.
pub(super) struct SectionAnchors {
    /// The section's own.
    pub(super) section: String,
    /// Those of its claims, in order.
    pub(super) claims: Vec<String>,
}

impl SectionAnchors {
    /// Anchors that no other part of the page has.
    pub(super) fn of(section: &Section, names: &mut Names) -> SectionAnchors {
        let claim = |number: usize| format!("{} claim {number}", section.title);
        SectionAnchors {
            section: names.fresh(&section.title),
            claims: (1..=section.claims.len()).map(|number| names.fresh(&claim(number))).collect(),
        }
    }
}

/// The names of the files of a page. The same calls in the same order give the same names.
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

    /// A name for a picture, without its ending. Pictures follow the figures of their section.
    pub(super) fn picture(&mut self, picture: &Picture) -> String {
        self.figures.fresh(if picture.name.is_empty() { &picture.title } else { &picture.name })
    }

    /// A name for a table, without its ending.
    pub(super) fn table(&mut self, table: &Table) -> String {
        self.tables.fresh(&table.title)
    }
}
