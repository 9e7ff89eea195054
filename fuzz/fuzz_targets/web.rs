//! Sends any bytes as requests to the workbench in the browser: each gets a proper answer or an error in one line, and
//! nothing panics. `cargo fuzz run web`, on a stable compiler `cargo fuzz run -s none web`.

#![no_main]

libfuzzer_sys::fuzz_target!(|input: &[u8]| aji_web::exercise(input));
