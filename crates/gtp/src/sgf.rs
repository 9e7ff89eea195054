//! Records as SGF files, which [`GoRecord`] reads and writes.

use crate::record::Record;
use crate::vertex::Vertex;
use aji_games::{GoRecord, GoStep, Stone};
use aji_search::Player;

/// A longer file is not read as a game.
pub(crate) const FILE_BYTES_MAX: u64 = 1 << 20;

/// A record as a file.
pub(crate) fn write(record: &Record) -> String {
    let mut file = GoRecord::new(record.size());
    file.komi = Some(record.komi());
    file.handicap = record.handicap() as u16;
    let stones = record.setup().iter().filter_map(|&(vertex, player)| match vertex {
        Vertex::Point(column, row) => Some(GoStep::Put(Stone::of(player), (column, row))),
        Vertex::Pass => None,
    });
    file.steps.extend(stones);
    if record.first() == 1 {
        file.steps.push(GoStep::Turn(1));
    }
    file.steps.extend(record.moves().iter().map(|&(player, vertex)| match vertex {
        Vertex::Point(column, row) => GoStep::Move(player, Some((column, row))),
        Vertex::Pass => GoStep::Move(player, None),
    }));
    file.write()
}

/// Reads a file, up to but not including this move, counted from 1. An error says what is not a game of Go, or that
/// stones are placed between moves.
pub(crate) fn read(text: &str, before: usize, komi: f64) -> Result<Record, String> {
    let file = GoRecord::read(text)?;
    let komi = file.komi.unwrap_or(komi);
    let is_move = |step: &GoStep| matches!(step, GoStep::Move(..));
    let begun = file.steps.iter().position(is_move).unwrap_or(file.steps.len());
    let (before_moves, moves) = file.steps.split_at(begun);
    let (mut setup, mut turn): (Vec<(Vertex, Player)>, _) = (Vec::new(), None);
    for step in before_moves {
        match *step {
            GoStep::Put(stone, (column, row)) => {
                setup.retain(|&(vertex, _)| vertex != Vertex::Point(column, row));
                setup.extend(stone.player().map(|player| (Vertex::Point(column, row), player)));
            }
            GoStep::Turn(player) => turn = Some(player),
            GoStep::Move(..) => {}
        }
    }
    let handicap = usize::from(file.handicap);
    let first = turn.or(file.moves().next().map(|(player, _)| player)).unwrap_or((handicap > 0).into());
    let is_handicap = handicap > 0 && setup.len() == handicap && setup.iter().all(|stone| stone.1 == 0);
    let mut record = if is_handicap && first == 1 {
        Record::with_handicap(file.size, komi, &setup.iter().map(|stone| stone.0).collect::<Vec<_>>())?
    } else {
        Record::with_setup(file.size, komi, setup, first)?
    };
    for (number, step) in (1..).zip(moves.iter().take(before.saturating_sub(1))) {
        let &GoStep::Move(player, point) = step else {
            return Err(format!("stones are put after move {}", number - 1));
        };
        let vertex = point.map_or(Vertex::Pass, |(column, row)| Vertex::Point(column, row));
        if !record.play(player, vertex) {
            return Err(format!("move {number}, {vertex}: not legal"));
        }
    }
    Ok(record)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut record =
            Record::with_handicap(9, 0.5, &[Vertex::Point(2, 2), Vertex::Point(6, 6)]).expect("two stones");
        assert!(
            record.play(1, Vertex::Point(4, 4))
                && record.play(0, Vertex::Pass)
                && record.play(1, Vertex::Point(0, 8))
        );
        let text = write(&record);
        let joined = text.replace('\n', "");
        assert!(joined.ends_with("SZ[9]KM[0.5]HA[2]AB[cg][gc]PL[W];W[ee];B[];W[aa])"), "{text}");
        let again = read(&text, usize::MAX, 7.5).expect("a game");
        assert_eq!(write(&again), text);
        assert_eq!(read(&text, 2, 7.5).expect("a game").moves().len(), 1);
        assert_eq!(read(&text, 0, 7.5).expect("a game").moves().len(), 0);
        record.set_komi(6.75);
        assert_eq!(read(&write(&record), usize::MAX, 7.5).expect("a game").komi(), 6.75);
    }

    #[test]
    fn what_is_no_game() {
        let check = |text: &str, expect: &str| {
            let error = read(text, usize::MAX, 7.5).err().unwrap_or_else(|| panic!("{text} is read"));
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "sgf");
        check("(;SZ[99])", "99");
        check("(;SZ[9:13])", "9:13");
        check("(;GM[2])", "a game other than Go");
        check("(;SZ[9];B[aa];W[aa])", "move 2, A9: not legal");
        check("(;SZ[9];B[zz])", "zz");
        check("(;SZ[9];B[aa];AB[cc];W[dd])", "stones are put after move 1");
        check("]", "sgf");
    }
}
