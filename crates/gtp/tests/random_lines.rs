//! Random lines: every command gets exactly one well-formed answer, and nothing panics or hangs.

use aji_gtp::exercise;
use proptest::prelude::*;
use std::fs;
use std::path::Path;

const WORDS: &[&str] = &[
    "protocol_version",
    "name",
    "version",
    "known_command",
    "list_commands",
    "boardsize",
    "clear_board",
    "komi",
    "fixed_handicap",
    "place_free_handicap",
    "set_free_handicap",
    "play",
    "play",
    "play",
    "genmove",
    "genmove",
    "reg_genmove",
    "undo",
    "time_settings",
    "time_left",
    "final_score",
    "final_status_list",
    "showboard",
    "loadsgf",
    "printsgf",
    "list_stones",
    "captures",
    "all_legal",
    "is_legal",
    "kgs-time_settings",
    "kgs-genmove_cleanup",
    "gogui-analyze_commands",
    "aji-win_rates",
    "aji-visits",
    "aji-owners",
    "lz-analyze",
    "lz-genmove_analyze",
    "kata-analyze",
    "kata-genmove_analyze",
];

const ARGUMENTS: &[&str] = &[
    "b",
    "w",
    "black",
    "White",
    "a1",
    "b2",
    "C3",
    "d4",
    "E5",
    "e1",
    "a5",
    "t19",
    "z25",
    "i5",
    "pass",
    "resign",
    "0",
    "1",
    "2",
    "3",
    "5",
    "7",
    "9",
    "13",
    "19",
    "25",
    "26",
    "-1",
    "0.01",
    "6.5",
    "1e999",
    "nan",
    "true",
    "dead",
    "alive",
    "seki",
    "none",
    "absolute",
    "byoyomi",
    "canadian",
    "ownership",
    "avoid",
    "allow",
    "interval",
    "maxmoves",
    "#",
    "99999999999999999999999",
    "/dev/zero",
    ".",
    "",
];

/// A few cases, or the number in `PROPTEST_CASES`.
fn config() -> ProptestConfig {
    let asked = std::env::var_os("PROPTEST_CASES").is_some();
    if asked { ProptestConfig::default() } else { ProptestConfig::with_cases(48) }
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let arguments = prop::collection::vec(prop::sample::select(ARGUMENTS), 0..5);
    let command = (prop::option::of(any::<u32>()), prop::sample::select(WORDS), arguments).prop_map(
        |(id, name, arguments)| {
            let id = id.map_or(String::new(), |id| format!("{id} "));
            format!("{id}{name} {}", arguments.join(" ")).into_bytes()
        },
    );
    // Lines that a real client would send, so that games make progress.
    let colours = prop::sample::select(&["b", "w"][..]);
    let sensible = (colours, 0..5usize, 1..6usize).prop_map(|(colour, column, row)| {
        format!("play {colour} {}{row}", ["a", "b", "c", "d", "e"][column]).into_bytes()
    });
    let garbage = prop::collection::vec(any::<u8>().prop_filter("no newline", |byte| *byte != b'\n'), 0..40);
    prop_oneof![5 => command, 3 => sensible, 1 => garbage]
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn any_lines_are_answered(
        lines in prop::collection::vec(line(), 0..40),
        end in prop::sample::select(&["\n", "\r\n", ""][..]),
    ) {
        let mut input = lines.join(&b'\n');
        input.extend(end.bytes());
        exercise(&input);
    }
}

/// The corpus of the fuzzer.
#[test]
fn seeds_are_answered() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/gtp");
    let seeds: Vec<_> =
        fs::read_dir(folder).expect("the corpus").map(|entry| entry.expect("a seed").path()).collect();
    assert!(seeds.len() >= 5, "{seeds:?}");
    for seed in seeds {
        exercise(&fs::read(&seed).expect("a seed"));
    }
}

#[test]
fn long_lines_are_refused() {
    let mut input = b"name\n".to_vec();
    input.extend(vec![b'x'; 100_000]);
    input.extend(b"\n5 name\n");
    exercise(&input);
}
