//! Records as SGF files, which [`GoRecord`] reads and writes.

use crate::record::Record;
use crate::vertex::Vertex;
use aji_games::{GoRecord, GoRules, GoStep, Stone};
use aji_search::Player;

/// A file longer than this is none of a game.
pub(crate) const FILE_BYTES_MAX: u64 = 1 << 20;

/// A record as a file. A komi that is not of points and halves is left out.
pub(crate) fn write(record: &Record) -> String {
    let mut file = GoRecord::new(record.size());
    let (halves, most) = (2.0 * record.komi(), f64::from(GoRules::KOMI_HALVES_MAX));
    file.komi_halves = (halves.fract() == 0.0 && halves.abs() <= most).then_some(halves as i16);
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

/// Reads a file, with its moves before this one only, counted from 1. None of what is no game of Go, and of a game in which stones
/// are put between moves.
pub(crate) fn read(text: &str, before: usize, komi: f64) -> Option<Record> {
    let file = GoRecord::read(text).ok()?;
    let komi = file.komi_halves.map_or(komi, |halves| f64::from(halves) / 2.0);
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
        Record::with_handicap(file.size, komi, &setup.iter().map(|stone| stone.0).collect::<Vec<_>>()).ok()?
    } else {
        Record::with_setup(file.size, komi, setup, first).ok()?
    };
    for step in moves.iter().take(before.saturating_sub(1)) {
        let &GoStep::Move(player, point) = step else { return None };
        let vertex = point.map_or(Vertex::Pass, |(column, row)| Vertex::Point(column, row));
        if !record.play(player, vertex) {
            return None;
        }
    }
    Some(record)
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
        assert!(!write(&record).contains("KM"));
    }

    #[test]
    fn what_is_no_game() {
        let check = |text: &str| assert!(read(text, usize::MAX, 7.5).is_none(), "{text}");
        check("");
        check("(;SZ[99])");
        check("(;SZ[9:13])");
        check("(;GM[2])");
        check("(;SZ[9];B[aa];W[aa])");
        check("(;SZ[9];B[zz])");
        check("(;SZ[9];B[aa];AB[cc];W[dd])");
        check("]");
    }
}
