//! The commands as a shell calls them: right, empty, wrong.

mod attack;
mod contests;
mod duel;
mod experiments;
mod explain;
mod general;
mod gtp;
mod interrupted;
mod mistakes;
mod newcomer;
mod play;
mod programs;
mod saved;
mod search;
#[cfg(feature = "web")]
mod serve;
mod shell;
mod shown;
mod sums;
mod train;
mod trees;
