//! The whole report: contents with all verdicts at the top, then the papers; at the foot, where and when it was made.

use super::file_name::Names;
use super::section::{FileNames, SectionAnchors};
use super::{Claim, Section, claim, claim_html, escape};

const CSS: &str = include_str!("page.css");

/// One paper and its measurements.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Paper {
    /// Its title.
    pub title: String,
    /// Who wrote it, where and when.
    pub authors: String,
    /// The measurements, part by part.
    pub sections: Vec<Section>,
}

impl Paper {
    /// The claims of all sections, in order.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> + Clone {
        self.sections.iter().flat_map(|section| &section.claims)
    }

    fn authors_html(&self) -> String {
        if self.authors.is_empty() {
            return String::new();
        }
        format!("<p class=\"authors\">{}</p>\n", escape::html(&self.authors))
    }

    /// The paper as Markdown, for the folder into which a page of this one paper is written.
    pub fn to_markdown(&self) -> String {
        self.to_markdown_among(&mut FileNames::default())
    }

    /// The same, on a page with other papers whose files already have names.
    fn to_markdown_among(&self, names: &mut FileNames) -> String {
        let mut markdown = format!("# {}\n", escape::markdown(&self.title));
        if !self.authors.is_empty() {
            markdown += &format!("\n{}\n", escape::markdown(&self.authors));
        }
        let claims: Vec<&Claim> = self.claims().collect();
        if !claims.is_empty() {
            markdown += &format!("\n{}", claim::to_markdown(&claims));
        }
        for section in &self.sections {
            markdown += &format!("\n{}", section.to_markdown(names));
        }
        markdown
    }
}

/// Where, when and how a report was made. Only this part may differ from run to run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Foot {
    /// The processor, its cores, the system.
    pub machine: String,
    /// The version of the program.
    pub version: String,
    /// The commit it was built from.
    pub commit: String,
    /// The seed of all random numbers.
    pub seed: u64,
    /// When it was made and how long it took.
    pub time: String,
    /// The command that makes it again.
    pub command: String,
    /// True for a short run, whose numbers are rougher than the full one's.
    pub quick: bool,
}

/// The anchor of a paper, and those of its sections.
type Anchors = (String, Vec<SectionAnchors>);

/// One page with all its papers.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Page {
    /// The title of the page; for a single paper it can be the paper's own.
    pub title: String,
    /// The papers, in order.
    pub papers: Vec<Paper>,
    /// Where and when it was made.
    pub foot: Foot,
}

impl Page {
    /// A page of one paper, under its title.
    pub fn of_paper(paper: Paper, foot: Foot) -> Page {
        Page { title: paper.title.clone(), papers: vec![paper], foot }
    }

    /// The claims of all papers, in order.
    pub fn claims(&self) -> impl Iterator<Item = &Claim> + Clone {
        self.papers.iter().flat_map(Paper::claims)
    }

    /// The claims as a list in JSON.
    pub fn claims_json(&self) -> String {
        let claims: Vec<&Claim> = self.claims().collect();
        serde_json::to_string_pretty(&claims).expect("claims are plain values") + "\n"
    }

    /// The papers as Markdown, for the folder into which the page is written. It names neither the machine nor the
    /// time.
    pub fn to_markdown(&self) -> String {
        let mut names = FileNames::default();
        let papers: Vec<String> =
            self.papers.iter().map(|paper| paper.to_markdown_among(&mut names)).collect();
        papers.join("\n")
    }

    /// The page as one file, which needs no other file and no network access.
    pub fn to_html(&self) -> String {
        let title = escape::html(&self.title);
        let mut html =
            String::from("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n");
        html += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
        html += "<meta name=\"color-scheme\" content=\"light dark\">\n";
        html += &format!("<title>{title}</title>\n<style>\n{CSS}</style>\n</head>\n<body>\n<main>\n");
        html += &format!("<header>\n<h1>{}</h1>\n", escape::html_prose(&self.title));
        if let Some(paper) = self.only_paper() {
            html += &paper.authors_html();
        }
        if self.foot.quick {
            html += "<p class=\"quick\"><strong>Quick run.</strong> Numbers are rougher than those of the full run.</p>\n";
        }
        html += "</header>\n";
        let anchors = self.anchors();
        html += &self.contents_html(&anchors);
        let mut names = FileNames::default();
        for (paper, (anchor, section_anchors)) in self.papers.iter().zip(&anchors) {
            html += &format!("<article id=\"{anchor}\">\n");
            if self.only_paper().is_none() {
                html += &format!("<h2>{}</h2>\n{}", escape::html_prose(&paper.title), paper.authors_html());
            }
            for (section, anchors) in paper.sections.iter().zip(section_anchors) {
                html += &section.to_html(anchors, &mut names);
            }
            html += "</article>\n";
        }
        html + &self.foot.to_html() + "</main>\n</body>\n</html>\n"
    }

    /// The paper whose title is the title of the page.
    fn only_paper(&self) -> Option<&Paper> {
        self.papers.first().filter(|paper| self.papers.len() == 1 && paper.title == self.title)
    }

    /// The contents, with every verdict and a link to its section.
    fn contents_html(&self, anchors: &[Anchors]) -> String {
        let claims: Vec<&Claim> = self.claims().collect();
        let mut html = String::from("<nav aria-label=\"Contents\">\n<h2>Verdicts at a glance</h2>\n");
        if !claims.is_empty() {
            html += &claim_html::tally(&claims);
        }
        for (paper, (anchor, section_anchors)) in self.papers.iter().zip(anchors) {
            html += &format!("<h3><a href=\"#{anchor}\">{}</a></h3>\n", escape::html_prose(&paper.title));
            html += "<div class=\"contents\">\n";
            for (section, anchors) in paper.sections.iter().zip(section_anchors) {
                let title = escape::html_prose(&section.title);
                html += &format!("<div>\n<p><a href=\"#{}\">{title}</a></p>\n", anchors.section);
                let claims = section.claims.iter().zip(anchors.claims.iter().map(String::as_str));
                html += &claim_html::at_a_glance(&claims.collect::<Vec<_>>());
                html += "</div>\n";
            }
            html += "</div>\n";
        }
        html + "</nav>\n"
    }

    fn anchors(&self) -> Vec<Anchors> {
        let mut names = Names::default();
        let mut anchors = Vec::with_capacity(self.papers.len());
        for paper in &self.papers {
            let anchor = names.fresh(&paper.title);
            let sections =
                paper.sections.iter().map(|section| SectionAnchors::of(section, &mut names)).collect();
            anchors.push((anchor, sections));
        }
        anchors
    }
}

impl Foot {
    fn to_html(&self) -> String {
        let mut html = String::from("<footer>\n<h2>How this was made</h2>\n<dl>\n");
        let mut add = |name: &str, text: &str| {
            if !text.is_empty() {
                html += &format!("<dt>{name}</dt><dd>{}</dd>\n", escape::html_prose(text));
            }
        };
        let command = if self.command.is_empty() { String::new() } else { format!("`{}`", self.command) };
        add("Command", &command);
        add("Seed", &self.seed.to_string());
        add("Run", if self.quick { "quick" } else { "full" });
        add("Version", &self.version);
        add("Commit", &self.commit);
        add("Machine", &self.machine);
        add("Time", &self.time);
        html + "</dl>\n</footer>\n"
    }
}
