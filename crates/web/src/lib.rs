//! The workbench in the browser: a server for this machine, and the page that it carries.
//!
//! The page shows and asks; the server opens games, lets agents think, and tells what they have found. There is no
//! algorithm here: games and agents are those of a [`Workbench`](aji_catalog::Workbench), studies those of the lab.
//!
//! - The page holds the state: game, moves, agents and seed stand in its address, and every request brings what it needs.
//! - Only searches live in the server (`live`). They run on threads of their own, and the page follows them by
//!   server-sent events.
//! - A contest (`lab`) belongs to the server: it goes on without a page, and its journal is all that is kept of it.
//! - A study, such as rules on bandits, lives only as long as its request, whose answer is a stream of events.
//! - Every limit has a name ([`limits`]), and every bad request gets `{"error": ...}` with one line.
//!
//! ```
//! use aji_catalog::Workbench;
//! use aji_web::{Options, Server};
//!
//! let server = Server::bind(Workbench::new(), Options { port: 0, ..Options::default() })?;
//! println!("the workbench is at {}", server.url());
//! // Here it ends at once; `aji serve` ends it by Ctrl-C.
//! server.run(|| true)?;
//! # Ok::<(), std::io::Error>(())
//! ```

mod background;
mod connections;
mod exercise;
mod failure;
mod guard;
mod guest;
mod lab;
pub mod limits;
mod live;
mod page;
mod place;
mod request;
mod routes;
mod searches;
mod server;
mod study;
mod view;

pub use connections::Patience;
pub use exercise::exercise;
pub use lab::LabOptions;
pub use server::{Options, Server};
