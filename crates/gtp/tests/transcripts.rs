//! Stored conversations: the input of a controller (`NAME.gtp`), and the answers of the engine (`NAME.out`). Seed and
//! simulations are fixed, so the answers are the same everywhere. `AJI_BLESS=1` writes them anew.

use aji_gtp::{Options, serve};
use std::fs;
use std::path::Path;

#[test]
fn transcripts_are_answered_as_written_down() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    // The paths of SGF files are relative to this folder.
    std::env::set_current_dir(&folder).expect("the folder of transcripts");
    let mut names: Vec<_> = fs::read_dir(&folder)
        .expect("the folder of transcripts")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "gtp"))
        .collect();
    names.sort();
    assert!(names.len() >= 8, "{names:?}");
    for name in names {
        let input = fs::read(&name).expect("a transcript");
        let agent = "uct below=rave simulations=50 seed=3 memory=50MB".parse().expect("an agent");
        let options = Options { agent: Some(agent), ..Options::default() };
        let mut output = Vec::new();
        serve(std::io::Cursor::new(input), &mut output, &options).expect("it ends");
        let output = String::from_utf8(output).expect("text");
        let expected = name.with_extension("out");
        if std::env::var_os("AJI_BLESS").is_some() {
            fs::write(&expected, &output).expect("written");
        }
        let expect = fs::read_to_string(&expected).unwrap_or_default();
        assert_eq!(output, expect, "{}", name.display());
    }
}
