// A property of the SGF reader that holds for any bytes. The fuzzer and an ordinary test of the games call it.

use aji_games::{GoRecord, GoRules, Ko, LargeGo};
use aji_search::Named;

/// No text causes a panic, errors have one line, and a game that was read is written and read back the same.
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
