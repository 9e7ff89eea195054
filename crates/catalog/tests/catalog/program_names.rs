//! Names of programs: how they print, and the errors of wrong ones.

use aji_catalog::ProgramName;

#[test]
fn names_are_read_and_printed() {
    let check = |text: &str, printed: &str, words: &[&str]| {
        let name: ProgramName = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(name.to_string(), printed);
        assert_eq!(name.command, words);
        assert_eq!(printed.parse(), Ok(name));
    };
    check("gtp: gnugo --mode gtp", "gtp: gnugo --mode gtp", &["gnugo", "--mode", "gtp"]);
    check("gtp:gnugo  --level=0", "gtp: gnugo --level=0", &["gnugo", "--level=0"]);
    check("gtp(timeout=60s): x", "gtp: x", &["x"]);
    check("gtp(timeout=1500ms): ./a:b", "gtp(timeout=1.5s): ./a:b", &["./a:b"]);
    check("gtp: sh -c \"a 'b' c\"", r"gtp: sh -c 'a '\''b'\'' c'", &["sh", "-c", "a 'b' c"]);
    check(r"gtp: a\ b '' '#c'", "gtp: 'a b' '' '#c'", &["a b", "", "#c"]);
}

#[test]
fn errors_say_what_would_be_right() {
    let check = |text: &str, expect: &str| {
        let error = text.parse::<ProgramName>().unwrap_err().to_string();
        assert!(error.contains(expect) && !error.contains('\n'), "{text}: {error}");
    };
    check("gtp gnugo", "expected a colon and a command");
    check("gtp:", "expected a command after the colon, such as gtp: gnugo");
    check("gtp: ''", "expected a command after the colon");
    check("gtp: gnugo 'a", "\"gnugo 'a\": a quote is not closed");
    check("gtp: gnugo\n--mode", "without control characters");
    check("gtp(timeout=x): gnugo", "agent gtp: timeout=x: expected a time such as 2s");
    check("gtp(seed=1): gnugo", "unknown option of agent gtp: \"seed\"");
    check("gtp(timeout=1s: gnugo", "expected ) at the end");
}
