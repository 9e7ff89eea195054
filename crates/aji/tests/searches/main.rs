//! Searches on real games. All tests are one program, so that games and searches are compiled once.

mod alpha_beta;
mod chance;
mod common;
mod control;
mod exact;
mod laws;
mod many;
mod parallel;
mod perfect_values;
mod policy;
mod reuse;
mod saved;
mod solver;
mod step;
mod strength;
mod textbook;
mod transpositions;
mod watch;
