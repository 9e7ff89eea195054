//! Experiments as pure trials, and what is made of them: journals, statistics, matches, reports.

pub mod report;
pub mod statistics;
