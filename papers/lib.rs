//! The papers that aji reproduces, one folder each: experiments, and verdicts on the paper's claims.
//!
//! A paper is a list of studies. A study runs its experiments in a [`Lab`] and returns a section of the report.

pub mod gleave2023;
pub mod kao2013;
mod shared;
pub mod silver2018;
pub mod strass2026;
pub mod tolpin2012;
mod trap_moves;

use aji_catalog::unknown;
use aji_lab::report::Section;
use aji_lab::{Error, Lab};

/// A paper, and how it is reproduced.
pub struct Paper {
    /// Its name on the command line, and its folder.
    pub name: &'static str,
    /// Its title.
    pub title: &'static str,
    /// The authors, and where and when it appeared.
    pub authors: &'static str,
    /// Its parts, in the order of the report.
    pub studies: &'static [Study],
}

/// One part of a paper.
pub struct Study {
    /// Its name. Its journals start with it.
    pub name: &'static str,
    /// About how many seconds of one core it takes, in quick and in full.
    pub seconds: (f64, f64),
    /// Runs it. Its claims name neither the paper nor the command.
    pub run: fn(&Lab) -> Result<Section, Error>,
}

impl Study {
    /// Runs it as a part of a paper.
    pub fn measure(&self, paper: &Paper, lab: &Lab) -> Result<Section, Error> {
        let quick = lab.scale.pick(" --quick", "");
        let command = format!("aji reproduce {} --study {}{quick}", paper.name, self.name);
        let section = (self.run)(lab)?;
        let claims = section.claims.into_iter().map(|claim| claim.of_paper(paper.name, &command)).collect();
        Ok(Section { claims, ..section })
    }
}

/// All papers.
pub const PAPERS: &[Paper] =
    &[strass2026::PAPER, kao2013::PAPER, tolpin2012::PAPER, silver2018::PAPER, gleave2023::PAPER];

/// The papers with this name on the command line: one, or all of them.
pub fn find(word: &str) -> Result<&'static [Paper], Error> {
    if word == "all" {
        return Ok(PAPERS);
    }
    let found = PAPERS.iter().position(|paper| paper.name == word);
    let known: Vec<&str> = PAPERS.iter().map(|paper| paper.name).chain(["all"]).collect();
    found.map(|at| &PAPERS[at..=at]).ok_or_else(|| unknown("paper", word, &known).into())
}
