//! Games as SGF files: the root's size, komi, handicap and stones, and the main line.
//!
//! It reads `SZ KM HA PL AB AW B W` and passes over the rest. Of variations only the first of each is read.

use crate::position::{SIZE_MAX, SIZE_MIN};
use crate::record::Record;
use crate::vertex::Vertex;
use aji_search::Player;

/// A file longer than this is none of a game.
pub(crate) const FILE_BYTES_MAX: u64 = 1 << 20;

/// A record as a file.
pub(crate) fn write(record: &Record) -> String {
    let size = record.size();
    let mut text = format!("(;FF[4]CA[UTF-8]GM[1]AP[aji]SZ[{size}]KM[{}]", record.komi());
    if record.handicap() > 0 {
        text += &format!("HA[{}]", record.handicap());
    }
    for (player, property) in [(0, "AB"), (1, "AW")] {
        let stones: String = (record.setup().iter())
            .filter(|stone| stone.1 == player)
            .map(|stone| format!("[{}]", point(stone.0, size)))
            .collect();
        if !stones.is_empty() {
            text += &format!("{property}{stones}");
        }
    }
    if record.first() == 1 {
        text += "PL[W]";
    }
    for (ply, &(player, vertex)) in record.moves().iter().enumerate() {
        let line = if ply % 10 == 0 { "\n" } else { "" };
        text += &format!("{line};{}[{}]", if player == 0 { "B" } else { "W" }, point(vertex, size));
    }
    text + ")\n"
}

/// Reads a file, with its moves before this one only, counted from 1. None of what is no game of Go.
pub(crate) fn read(text: &str, before: usize, komi: f64) -> Option<Record> {
    let nodes = main_line(text)?;
    let (root, rest) = nodes.split_first()?;
    let value =
        |name: &str| root.iter().find(|property| property.0 == name).and_then(|property| property.1.first());
    if value("GM").is_some_and(|game| game != "1") {
        return None;
    }
    let size = value("SZ").map_or(Some(19), |size| size.parse().ok())?;
    if !(SIZE_MIN..=SIZE_MAX).contains(&size) {
        return None;
    }
    let komi =
        value("KM").map_or(Some(komi), |komi| komi.parse().ok()).filter(|komi: &f64| komi.is_finite())?;
    let mut setup = Vec::new();
    for (name, values) in root {
        let Some(player) = ["AB", "AW"].iter().position(|known| known == name) else { continue };
        for value in values {
            setup.extend(rectangle(value, size)?.into_iter().map(|vertex| (vertex, player as Player)));
        }
    }
    let handicap = value("HA").and_then(|stones| stones.parse::<usize>().ok()).unwrap_or(0);
    let moves: Vec<(Player, Vertex)> = moves(root, size)?.into_iter().chain(moves_of(rest, size)?).collect();
    let first = match (value("PL").map(String::as_str), moves.first()) {
        (Some("W" | "w" | "white" | "2"), _) => 1,
        (Some("B" | "b" | "black" | "1"), _) => 0,
        (_, Some(&(player, _))) => player,
        _ => Player::from(handicap > 0),
    };
    let is_handicap = handicap > 0 && setup.len() == handicap && setup.iter().all(|stone| stone.1 == 0);
    let mut record = if is_handicap && first == 1 {
        Record::with_handicap(size, komi, &setup.iter().map(|stone| stone.0).collect::<Vec<_>>()).ok()?
    } else {
        Record::with_setup(size, komi, setup, first).ok()?
    };
    let wanted = before.saturating_sub(1);
    moves.into_iter().take(wanted).all(|(player, vertex)| record.play(player, vertex)).then_some(record)
}

/// A property with its values.
type Property = (String, Vec<String>);

/// The nodes of the first game's main line, each with its properties.
fn main_line(text: &str) -> Option<Vec<Vec<Property>>> {
    let mut nodes: Vec<Vec<Property>> = Vec::new();
    let mut letters = text.chars().peekable();
    let mut is_open = false;
    while let Some(letter) = letters.next() {
        match letter {
            '(' => is_open = true,
            // The end of the first variation is the end of the main line.
            ')' if is_open => return Some(nodes),
            ';' if is_open => nodes.push(Vec::new()),
            'A'..='Z' | 'a'..='z' if !nodes.is_empty() => {
                let mut name = String::from(letter);
                while let Some(letter) = letters.next_if(char::is_ascii_alphabetic) {
                    name.push(letter);
                }
                // Old files have small letters in between, which do not count.
                name.retain(|letter| letter.is_ascii_uppercase());
                nodes.last_mut()?.push((name, Vec::new()));
            }
            '[' => {
                let value = value(&mut letters)?;
                nodes.last_mut()?.last_mut()?.1.push(value);
            }
            _ => {}
        }
    }
    None
}

/// What stands between brackets, the first of which has been read.
fn value(letters: &mut impl Iterator<Item = char>) -> Option<String> {
    let mut value = String::new();
    loop {
        match letters.next()? {
            ']' => return Some(value.trim().into()),
            '\\' => value.push(letters.next()?),
            letter => value.push(letter),
        }
    }
}

fn moves_of(nodes: &[Vec<Property>], size: usize) -> Option<Vec<(Player, Vertex)>> {
    let moves: Option<Vec<Vec<_>>> = nodes.iter().map(|node| moves(node, size)).collect();
    Some(moves?.concat())
}

/// The moves of a node, one or none.
fn moves(node: &[Property], size: usize) -> Option<Vec<(Player, Vertex)>> {
    let known = |property: &Property| ["B", "W"].iter().position(|name| *name == property.0);
    let played = node.iter().filter_map(|property| Some((known(property)? as Player, property)));
    played.map(|(player, (_, values))| Some((player, vertex(values.first()?, size)?))).collect()
}

/// Points of a value: one, or all of a rectangle by two corners.
fn rectangle(value: &str, size: usize) -> Option<Vec<Vertex>> {
    let (from, to) = value.split_once(':').unwrap_or((value, value));
    let (Vertex::Point(left, top), Vertex::Point(right, bottom)) = (vertex(from, size)?, vertex(to, size)?)
    else {
        return None;
    };
    let rows = bottom.min(top)..=bottom.max(top);
    Some(
        rows.flat_map(|row| {
            (left.min(right)..=left.max(right)).map(move |column| Vertex::Point(column, row))
        })
        .collect(),
    )
}

/// The vertex of two letters, columns from the left and rows from the top.
fn vertex(value: &str, size: usize) -> Option<Vertex> {
    let number = |letter: u8| letter.is_ascii_lowercase().then(|| usize::from(letter - b'a'));
    match *value.as_bytes() {
        [] => Some(Vertex::Pass),
        [b't', b't'] if size <= 19 => Some(Vertex::Pass),
        [column, row] => {
            let (column, row) = (number(column)?, number(row)?);
            (column < size && row < size).then(|| Vertex::Point(column, size - 1 - row))
        }
        _ => None,
    }
}

fn point(vertex: Vertex, size: usize) -> String {
    match vertex {
        Vertex::Pass => String::new(),
        Vertex::Point(column, row) => {
            let letter = |index: usize| char::from(b'a' + index as u8);
            format!("{}{}", letter(column), letter(size - 1 - row))
        }
    }
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
        assert_eq!(text, "(;FF[4]CA[UTF-8]GM[1]AP[aji]SZ[9]KM[0.5]HA[2]AB[cg][gc]PL[W]\n;W[ee];B[];W[aa])\n");
        let again = read(&text, usize::MAX, 7.5).expect("a game");
        assert_eq!(write(&again), text);
        assert_eq!(read(&text, 2, 7.5).expect("a game").moves().len(), 1);
        assert_eq!(read(&text, 0, 7.5).expect("a game").moves().len(), 0);
    }

    #[test]
    fn files_of_others() {
        let check = |text: &str, expect: &str| {
            assert_eq!(
                read(text, usize::MAX, 7.5).map(|record| write(&record)).as_deref(),
                Some(expect),
                "{text}"
            );
        };
        let head = "(;FF[4]CA[UTF-8]GM[1]AP[aji]";
        check("(;SZ[9])", &format!("{head}SZ[9]KM[7.5])\n"));
        check("junk (;GM[1]SiZe[9]C[a \\] b];B[tt])", &format!("{head}SZ[9]KM[7.5]\n;B[])\n"));
        check(
            "(;SZ[5]KoMi[0]AB[aa:ba]AW[ee](;W[cc]C[first \\](;](;B[dd])(;B[ab]))(;W[ac]))",
            &format!("{head}SZ[5]KM[0]AB[aa][ba]AW[ee]PL[W]\n;W[cc];B[dd])\n"),
        );
    }

    #[test]
    fn what_is_no_game() {
        let check = |text: &str| assert!(read(text, usize::MAX, 7.5).is_none(), "{text}");
        check("");
        check("(;SZ[9]");
        check("(;SZ[99])");
        check("(;SZ[9:13])");
        check("(;GM[2])");
        check("(;KM[nan])");
        check("(;SZ[9];B[aa];W[aa])");
        check("(;SZ[9];B[zz])");
        check("(;SZ[9]AB[aa][aa])");
        check("]");
    }
}
