//! What an experiment shows: tables, figures, claims, and the page that holds them.
//!
//! All of these are plain values; each says how it reads as text, CSV, HTML, Markdown or SVG. The same values give
//! the same bytes: machine, time and version stand in the [`Foot`] of a page and nowhere else. Only
//! [`Page::write`] touches files.

mod claim;
mod escape;
mod figure;
mod file_name;
mod page;
mod section;
mod table;
mod write;

pub use claim::{Claim, Measured, Quantity, Statement, Verdict};
pub use figure::{Axis, Figure, Point, Series, Style};
pub use page::{Foot, Page, Paper};
pub use section::Section;
pub use table::{Cell, Table};
pub use write::WriteError;
