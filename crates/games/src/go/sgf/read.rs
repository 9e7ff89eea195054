//! Reads records with a tolerant parser. That parser knows no line numbers and drops its trees by recursion. So the
//! first game is cut out of the text before: this step reports the line of a mistake, and limits the depth.

use super::{GoRecord, GoStep};
use crate::GoRules;
use crate::go::board::Stone;
use aji_search::Player;
use sgf_parse::go::{Move, Point, Prop};
use sgf_parse::{Color, GameTree, SgfProp, SimpleText};
use std::collections::HashSet;

impl GoRecord {
    /// Reads the main line of the first game of a text. The top of the module says what is not read.
    pub fn read(text: &str) -> Result<GoRecord, String> {
        let game = first_game(text)?;
        let trees = sgf_parse::parse(&game).map_err(|error| {
            format!("sgf: {}: expected (;GM[1]SZ[19];B[dd]...)", error.to_string().to_lowercase())
        })?;
        let Some(GameTree::GoGame(root)) = trees.first() else {
            return Err("sgf: a game other than Go: expected GM[1]".into());
        };
        let mut record = GoRecord::new(size(&root.properties)?);
        for node in root.main_variation() {
            for property in &node.properties {
                record.add(property)?;
            }
        }
        record.steps = GoRecord::in_order(&record.steps);
        Ok(record)
    }

    fn add(&mut self, property: &Prop) -> Result<(), String> {
        match property {
            Prop::B(to) => self.add_move(0, to)?,
            Prop::W(to) => self.add_move(1, to)?,
            Prop::AB(points) => self.put(Stone::Black, points)?,
            Prop::AW(points) => self.put(Stone::White, points)?,
            Prop::AE(points) => self.put(Stone::Empty, points)?,
            Prop::PL(colour) => self.steps.push(GoStep::Turn(player(*colour))),
            Prop::KM(points) => self.komi = Some(komi(*points)?),
            Prop::HA(stones) => self.handicap = handicap(*stones)?,
            Prop::PB(name) => self.players[0] = line(name),
            Prop::PW(name) => self.players[1] = line(name),
            Prop::RE(result) => self.result = line(result),
            Prop::RU(rules) => self.rules = line(rules),
            Prop::Invalid(identifier, values) => self.add_mended(identifier, values)?,
            _ => {}
        }
        Ok(())
    }

    /// Parses a property again that the parser did not understand, with tolerated mistakes removed.
    fn add_mended(&mut self, identifier: &str, values: &[String]) -> Result<(), String> {
        let found = shown(&values.join("]["));
        let mut values: Vec<String> = values.iter().map(|value| value.split_whitespace().collect()).collect();
        let expected = match identifier {
            "B" | "W" => "one point, such as dd, or nothing for a pass",
            "AB" | "AW" | "AE" => {
                values.retain(|value| !value.is_empty());
                "points, such as dd, or corners of a rectangle, such as aa:cc"
            }
            "PL" => {
                values.iter_mut().for_each(|value| *value = colour_word(value).into());
                "B or W"
            }
            "KM" => {
                values.iter_mut().for_each(|value| *value = value.replace(',', "."));
                "a number of points, such as 6.5"
            }
            // No handicap, or one stone, which is black's first move.
            "HA" if matches!(values.first().map(String::as_str), Some("0" | "1")) => return Ok(()),
            "HA" => "a number of stones",
            "PB" | "PW" | "RE" | "RU" => "one text",
            _ => return Ok(()),
        };
        if values.iter().all(String::is_empty) && !matches!(identifier, "B" | "W") {
            return Ok(());
        }
        match Prop::new(identifier.into(), values) {
            Prop::Invalid(..) => {
                Err(format!("sgf: {}{identifier}[{found}]: expected {expected}", self.after()))
            }
            property => self.add(&property),
        }
    }

    fn add_move(&mut self, player: Player, to: &Move) -> Result<(), String> {
        let pass = Point { x: 19, y: 19 };
        let point = match *to {
            Move::Pass => None,
            Move::Move(point) if lower(point) == pass && self.size <= Self::TT_PASSES_MAX => None,
            Move::Move(point) => Some(self.point(point)?),
        };
        self.steps.push(GoStep::Move(player, point));
        Ok(())
    }

    fn put(&mut self, stone: Stone, points: &HashSet<Point>) -> Result<(), String> {
        // Sorted, so that of several mistakes the same one is always reported.
        let mut points: Vec<&Point> = points.iter().collect();
        points.sort_by_key(|point| (point.y, point.x));
        for point in points {
            let point = self.point(*point)?;
            self.steps.push(GoStep::Put(stone, point));
        }
        Ok(())
    }

    /// A point of the board, given by its column from the left and its row from the top.
    fn point(&self, point: Point) -> Result<(usize, usize), String> {
        let Point { x, y } = lower(point);
        let (column, row, size) = (usize::from(x), usize::from(y), self.size);
        if column >= size || row >= size {
            let name = [x, y].map(|at| char::from(b'a' + at.min(25))).iter().collect::<String>();
            let last = char::from(b'a' + size as u8 - 1);
            return Err(format!(
                "sgf: {}[{name}]: expected a point of the {size}x{size} board, aa to {last}{last}",
                self.after()
            ));
        }
        Ok((column, size - 1 - row))
    }

    /// The place of the reader, for messages.
    fn after(&self) -> String {
        match self.moves().count() {
            0 => String::new(),
            moves => format!("after move {moves}: "),
        }
    }
}

/// Capitals belong to larger boards than we read, so they can only mean small letters.
fn lower(point: Point) -> Point {
    Point { x: point.x % 26, y: point.y % 26 }
}

fn player(colour: Color) -> Player {
    if colour == Color::Black { 0 } else { 1 }
}

fn colour_word(word: &str) -> &'static str {
    match word.to_lowercase().as_str() {
        "b" | "black" | "1" => "B",
        "w" | "white" | "2" => "W",
        _ => "?",
    }
}

/// A text on one line. The parser has removed its escapes.
fn line(text: &SimpleText) -> String {
    text.text.replace("\r\n", " ").replace("\n\r", " ").replace(char::is_whitespace, " ").trim().into()
}

/// An excerpt of a wrong text, for messages.
fn shown(text: &str) -> String {
    const SHOWN_MAX: usize = 40;
    let start: String = text.chars().filter(|found| !found.is_control()).take(SHOWN_MAX).collect();
    if start.len() < text.len() { start + "..." } else { start }
}

fn komi(points: f64) -> Result<f64, String> {
    let most = GoRules::KOMI_MAX;
    let sound = GoRules::is_komi(points).then_some(points);
    sound.ok_or_else(|| format!("sgf: KM[{points}]: expected a komi of at most {most} points"))
}

fn handicap(stones: i64) -> Result<u16, String> {
    let most = (GoRecord::SIZE_MAX * GoRecord::SIZE_MAX) as u16;
    let known = u16::try_from(stones).ok().filter(|stones| *stones <= most);
    known.ok_or_else(|| format!("sgf: HA[{stones}]: expected at most {most} stones"))
}

/// The side of the board, 19 if not given.
fn size(root: &[Prop]) -> Result<usize, String> {
    let (least, most) = (GoRecord::SIZE_MIN, GoRecord::SIZE_MAX);
    let wrong = |found: String| Err(format!("sgf: SZ[{found}]: expected a square board, {least} to {most}"));
    let told = root.iter().find(|property| property.identifier() == "SZ");
    let told = match told {
        Some(Prop::Invalid(identifier, values)) => {
            let values = values.iter().map(|value| value.split_whitespace().collect()).collect();
            Some(Prop::new(identifier.clone(), values))
        }
        told => told.cloned(),
    };
    match told {
        None => Ok(19),
        Some(Prop::SZ((columns, rows))) => {
            let size = usize::from(columns);
            if columns == rows && (least..=most).contains(&size) {
                Ok(size)
            } else if columns == rows {
                wrong(columns.to_string())
            } else {
                wrong(format!("{columns}:{rows}"))
            }
        }
        Some(Prop::Invalid(_, values)) => wrong(shown(&values.join("]["))),
        Some(_) => wrong(String::new()),
    }
}

/// The text of the first game alone, without line breaks that a backslash cancels.
fn first_game(text: &str) -> Result<String, String> {
    let start = text.match_indices('(').map(|(at, _)| at).find(|at| {
        text[at + 1..].trim_start().starts_with(';') //
    });
    let start = start.ok_or("sgf: no game: expected (;GM[1]SZ[19];B[dd]...)")?;
    let mut game = Cut { lines: 1 + line_ends(&text[..start]), ..Cut::default() };
    let mut rest = text[start..].chars().peekable();
    while let Some(found) = rest.next() {
        game.lines += usize::from(found == '\n');
        if found == '\\' {
            let Some(next) = rest.next() else { break };
            match next {
                '\n' | '\r' => {
                    let other = if next == '\n' { '\r' } else { '\n' };
                    let pair = rest.next_if_eq(&other).is_some();
                    game.lines += usize::from(next == '\n' || pair);
                }
                _ => game.text.extend(['\\', next]),
            }
            continue;
        }
        game.text.push(found);
        if game.structure(found)? {
            return Ok(game.text);
        }
    }
    if let Some(line) = game.value {
        return Err(format!("sgf: line {line}: a value is not closed: expected ]"));
    }
    game.text.extend(game.above.iter().map(|_| ')'));
    Ok(game.text)
}

fn line_ends(text: &str) -> usize {
    text.matches('\n').count()
}

/// The state of cutting out a game.
#[derive(Default)]
struct Cut {
    text: String,
    lines: usize,
    /// The line in which a value was opened.
    value: Option<usize>,
    /// The depth of nodes at each open parenthesis.
    above: Vec<usize>,
    depth: usize,
}

impl Cut {
    /// Reads one more character, and returns whether the game ends with it.
    fn structure(&mut self, found: char) -> Result<bool, String> {
        match (self.value, found) {
            (Some(_), ']') => self.value = None,
            (Some(_), _) => {}
            (None, '[') => self.value = Some(self.lines),
            (None, '(') => self.above.push(self.depth),
            (None, ')') => self.depth = self.above.pop().unwrap_or(0),
            (None, ';') => self.depth += 1,
            _ => {}
        }
        if self.depth > GoRecord::NODES_MAX {
            return Err(format!("sgf: line {}: expected at most {} nodes", self.lines, GoRecord::NODES_MAX));
        }
        Ok(self.above.is_empty())
    }
}
