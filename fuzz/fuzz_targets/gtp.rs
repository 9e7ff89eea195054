//! Sends any bytes to the Go engine: each command gets one answer, and nothing panics.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| aji_gtp::exercise(input));
