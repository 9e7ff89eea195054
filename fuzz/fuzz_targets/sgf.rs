//! Reads any bytes as a game in the Smart Game Format: `cargo fuzz run sgf`, on a stable compiler `cargo fuzz run -s
//! none sgf`.
#![no_main]

#[path = "../entries/sgf.rs"]
mod sgf;

libfuzzer_sys::fuzz_target!(|data: &[u8]| sgf::check(data));
