//! Points and positions as text.
//!
//! A point is a column letter, without I, and a row from the bottom: `D4`. A position is its rows from the top, `x`
//! for black, `o` for white and `.` for an empty point, then who moves. The point of a ko that must not be taken back
//! may follow, and that the opponent has just passed: `.x.../x.xo./.xo../...../..... o ko=B4 passed`.
//!
//! Rows may also stand on separate lines, with spaces between points and with the coordinates that
//! [`board`](Named::board) draws. There, `#` or `X` is black, `O` is white and `+` is an empty point. A text that
//! begins with a parenthesis is a game in the Smart Game Format, and its last position is read.

use super::board::{Board, NOWHERE, Stone};
use super::{Go, GoMove, GoPoint, GoRecord};
use crate::grid::PIECES;
use aji_search::{Named, Player};

/// The letters of the columns.
const LETTERS: &[u8; 25] = b"ABCDEFGHJKLMNOPQRSTUVWXYZ";

/// The name of a point of a board of up to 25 by 25.
pub fn go_point_name((column, row): GoPoint) -> String {
    format!("{}{}", char::from(LETTERS[column]), row + 1)
}

/// The point with this name, in upper or lower case, on a board of this size.
pub fn read_go_point(name: &str, size: usize) -> Option<GoPoint> {
    let mut rest = name.chars();
    let letter = rest.next()?.to_ascii_uppercase();
    let column = LETTERS.iter().position(|&known| char::from(known) == letter)?;
    let digits = rest.as_str();
    let is_number = digits.bytes().all(|digit| digit.is_ascii_digit());
    let row = digits.parse::<usize>().ok().filter(|_| is_number)?.checked_sub(1)?;
    (column < size && row < size).then_some((column, row))
}

impl<const STRIDE: usize, const CELLS: usize> Go<STRIDE, CELLS> {
    /// The name of a move.
    pub fn point_name(point: GoMove) -> String {
        match Self::column_and_row(point) {
            Some(point) => go_point_name(point),
            None => "pass".into(),
        }
    }

    /// The move with this name, in upper or lower case. None outside the board.
    pub fn read_point(&self, name: &str) -> Option<GoMove> {
        if name.eq_ignore_ascii_case("pass") {
            return Some(GoMove::PASS);
        }
        let (column, row) = read_go_point(name, self.size())?;
        self.point(column, row)
    }

    /// Reads rows from the top. Returns the stones, or an error that names a wrong character.
    fn read_rows(&self, rows: &[&str]) -> Result<Vec<(GoMove, Player)>, String> {
        let size = self.size();
        if rows.len() != size {
            return Err(format!("expected {size} rows, separated by / or on lines, found {}", rows.len()));
        }
        let mut stones = Vec::new();
        for (row, text) in (0..size).rev().zip(rows) {
            let is_margin = |text: char| text.is_ascii_digit() || text.is_whitespace();
            let points: Vec<char> =
                text.trim_matches(is_margin).chars().filter(|text| *text != ' ').collect();
            if points.len() != size {
                let found = points.len();
                return Err(format!("row {} \"{text}\": expected {size} points, found {found}", row + 1));
            }
            for (column, &found) in points.iter().enumerate() {
                let point = GoMove::at(Board::<STRIDE, CELLS>::cell(column, row));
                match found {
                    'x' | 'X' | '#' => stones.push((point, 0)),
                    'o' | 'O' => stones.push((point, 1)),
                    '.' | '+' | ',' => {}
                    _ => {
                        let name = Self::point_name(point);
                        return Err(format!(
                            "row {} \"{text}\": expected x, o or . at {name}, found {found}",
                            row + 1
                        ));
                    }
                }
            }
        }
        Ok(stones)
    }

    /// The last position of a game in the Smart Game Format, by the current rules, but with its own komi.
    fn read_record(&self, text: &str) -> Result<Self, String> {
        let record = GoRecord::read(text)?;
        if record.size != self.size() {
            let (found, size) = (record.size, self.size());
            return Err(format!(
                "sgf: size {found}: expected {size}, the board at hand, or a game of size={found}"
            ));
        }
        record.position(self.rules)
    }

    /// Reads what follows the rows: who moves, a ko, a pass.
    fn read_rest(&mut self, words: &[&str]) -> Result<(), String> {
        for word in words {
            match word.split_once('=') {
                Some(("ko", name)) => {
                    let is_empty = |point: &GoMove| self.board.stone(point.cell()) == Stone::Empty;
                    let point = self.read_point(name).filter(is_empty);
                    let point =
                        point.ok_or_else(|| format!("\"{word}\": expected an empty point, such as ko=D4"))?;
                    self.board.set_ko(point.cell());
                }
                None if *word == "passed" => self.passes = (self.passes + 1).min(2),
                _ => return Err(format!("\"{word}\": expected who moves (x or o), ko=POINT or passed")),
            }
        }
        Ok(())
    }
}

/// Whether a line of a diagram consists of column letters.
fn is_heading(line: &str) -> bool {
    line.trim_start().starts_with(['A', 'a'])
}

fn mover(word: &str) -> Option<Player> {
    match word {
        "x" | "X" | "#" | "black" => Some(0),
        "o" | "O" | "white" => Some(1),
        _ => None,
    }
}

impl<const STRIDE: usize, const CELLS: usize> Named for Go<STRIDE, CELLS> {
    fn action_name(&self, action: GoMove) -> String {
        Self::point_name(action)
    }

    fn text(&self) -> String {
        let rows: Vec<String> = (0..self.size())
            .rev()
            .map(|row| (0..self.size()).map(|column| piece(self.stone(column, row))).collect())
            .collect();
        let mut text = format!("{} {}", rows.join("/"), PIECES[self.mover as usize]);
        if self.board.ko() != NOWHERE {
            text += &format!(" ko={}", Self::point_name(GoMove::at(self.board.ko())));
        }
        text += &" passed".repeat(self.passes.into());
        text
    }

    fn read(&self, text: &str) -> Result<Self, String> {
        if text.trim_start().starts_with('(') {
            return self.read_record(text);
        }
        let lines: Vec<&str> = text.trim().lines().filter(|line| !line.trim().is_empty()).collect();
        let (rows, words): (Vec<&str>, Vec<&str>) = match lines[..] {
            [line] => {
                let mut words = line.split_whitespace();
                (words.next().unwrap_or("").split('/').collect(), words.collect())
            }
            _ => {
                let lines: Vec<&str> = lines.into_iter().filter(|line| !is_heading(line)).collect();
                let (rows, rest) = lines.split_at(lines.len().min(self.size()));
                (rows.to_vec(), rest.iter().flat_map(|line| line.split_whitespace()).collect())
            }
        };
        let stones = self.read_rows(&rows)?;
        let named = words.first().and_then(|word| mover(word));
        let mut go = Self::with_stones(self.size(), self.rules, stones, named.unwrap_or(0))?;
        go.read_rest(&words[usize::from(named.is_some())..])?;
        Ok(go)
    }

    fn board(&self) -> String {
        let letters: String =
            LETTERS[..self.size()].iter().map(|&letter| format!(" {}", char::from(letter))).collect();
        let mut lines = format!("   {letters}\n");
        for row in (0..self.size()).rev() {
            let points: String =
                (0..self.size()).map(|column| format!(" {}", piece(self.stone(column, row)))).collect();
            lines += &format!("{:>3}{points} {}\n", row + 1, row + 1);
        }
        lines + &format!("   {letters}\n")
    }

    fn player_name(&self, player: Player) -> String {
        if player == 0 { "black (x)".into() } else { "white (o)".into() }
    }
}

fn piece(stone: Stone) -> char {
    stone.player().map_or('.', |player| PIECES[player as usize])
}
