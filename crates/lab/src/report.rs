//! The report of an experiment: tables, figures, claims, and the page that holds them.
//!
//! All of these are plain values; each converts itself to text, CSV, HTML, Markdown or SVG. The same values give the
//! same bytes: machine, time and version appear only in the [`Foot`] of a page. Only [`Page::write`] touches files.
//!
//! ```
//! use aji_lab::report::{Cell, Claim, Measured, Statement, Table, Verdict};
//!
//! let mut table = Table::new("Win rates", &["agent", "games", "win rate"]);
//! table.push(vec!["uct".into(), 400u32.into(), Cell::estimate(0.5123, 0.0129, 3)]);
//! assert!(table.to_text().contains("0.512 ± 0.013"));
//!
//! let statement = Statement::new("UCT beats flat search", "figure 2");
//! let claim = Claim::greater(statement, Measured::with_error(0.61, 0.02), 0.5);
//! assert_eq!(claim.verdict, Verdict::Holds);
//! ```

mod claim;
mod claim_html;
mod escape;
mod figure;
mod file_name;
mod page;
mod section;
mod table;
mod verdict;
mod write;

pub use claim::{Claim, Measured, Part, Quantity, Statement};
pub use figure::{Axis, Figure, Point, Series, Style};
pub use page::{Foot, Page, Paper};
pub use section::{Picture, Section};
pub use table::{Cell, Table};
pub use verdict::Verdict;
pub use write::WriteError;
