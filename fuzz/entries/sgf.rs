// What holds of any bytes that are read as a game. The fuzzer calls it, and so does an ordinary test of the games.

use aji_games::{GoRecord, GoRules, Ko, LargeGo};
use aji_search::Named;

/// No text is a panic, errors have one line, and what was read is what is written.
pub fn check(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let record = match GoRecord::read(text) {
        Ok(record) => record,
        Err(error) => {
            assert!(error.starts_with("sgf: ") && !error.contains('\n'), "{error:?}");
            return;
        }
    };
    assert_eq!(GoRecord::read(&record.write()).as_ref(), Ok(&record));
    let rules = GoRules { ko: Ko::Simple, ..GoRules::default() };
    match record.position(rules) {
        Ok(position) => {
            let position: LargeGo = position;
            let again: LargeGo = GoRecord::of(&position, &[]).position(rules).expect("a position");
            assert_eq!(again.board(), position.board());
            assert_eq!(again.mover(), position.mover());
        }
        Err(error) => assert!(error.starts_with("sgf: ") && !error.contains('\n'), "{error:?}"),
    }
}
