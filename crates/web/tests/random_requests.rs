//! Hostile requests: the fuzzer's corpus, and mutations of it by a seeded generator.

use aji_search::Rng;
use aji_web::exercise;
use std::fs;
use std::path::Path;

/// Few, as each may begin searches; `AJI_MUTATIONS` asks for more.
const MUTATIONS: usize = 1_500;

/// Parts of requests that reach deeper than random bytes.
const WORDS: [&str; 40] = [
    "{",
    "}",
    "[",
    "]",
    "\"",
    ",",
    ":",
    "null",
    "-1",
    "1e999",
    "18446744073709551616",
    "\\u0000",
    "\n",
    "\n\n",
    "\n===\n",
    "GET ",
    "POST ",
    "/api/",
    "../",
    "%ff",
    "%2f",
    "?token=",
    "\r",
    "\u{fe0f}",
    "true",
    "0",
    "[[]]",
    "hex size=3",
    "go size=5",
    "sum",
    "uct",
    "exact",
    "alphabeta",
    "random",
    " threads=2",
    " simulations=3",
    " memory=9MB",
    " transpositions=on",
    "content-type: application/json",
    "searches",
];

fn corpus() -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/web");
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn seeds_are_answered() {
    let seeds = corpus();
    assert!(seeds.len() >= 8);
    seeds.iter().for_each(|seed| exercise(seed));
}

#[test]
fn mutated_requests_are_answered() {
    let seeds = corpus();
    let asked = std::env::var("AJI_MUTATIONS").ok().and_then(|count| count.parse().ok());
    let mut rng = Rng::seeded(1);
    for _ in 0..asked.unwrap_or(MUTATIONS) {
        let mut input = seeds[rng.below(seeds.len())].clone();
        for _ in 0..1 + rng.below(4) {
            mutate(&mut input, &seeds, &mut rng);
        }
        exercise(&input);
    }
}

fn mutate(input: &mut Vec<u8>, seeds: &[Vec<u8>], rng: &mut Rng) {
    if input.is_empty() {
        input.extend(b"GET /");
    }
    let at = rng.below(input.len());
    let end = (at + rng.below(20)).min(input.len());
    match rng.below(5) {
        0 => input[at] = rng.below(256) as u8,
        1 => drop(input.drain(at..end)),
        2 => drop(input.splice(at..at, WORDS[rng.below(WORDS.len())].bytes())),
        3 => {
            let copy = input[at..end].to_vec();
            drop(input.splice(at..at, copy));
        }
        _ => {
            let other = &seeds[rng.below(seeds.len())];
            let from = rng.below(other.len());
            let part = &other[from..(from + rng.below(60)).min(other.len())];
            drop(input.splice(at..end, part.iter().copied()));
        }
    }
}
