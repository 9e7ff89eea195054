//! Writes the fourth version of the format, in UTF-8.

use super::{GoPoint, GoRecord, GoStep};
use crate::go::board::Stone;

/// The longest line, as far as texts allow.
const LINE_MAX: usize = 78;

/// The property that puts a stone, or takes one off.
const PUT: [(&str, Stone); 3] = [("AB", Stone::Black), ("AW", Stone::White), ("AE", Stone::Empty)];

impl GoRecord {
    /// The record as a file.
    pub fn write(&self) -> String {
        let mut file = Lines::default();
        file.add(&format!("(;FF[4]GM[1]CA[UTF-8]AP[aji:{}]SZ[{}]", env!("CARGO_PKG_VERSION"), self.size));
        if let Some(komi) = self.komi {
            file.add(&format!("KM[{komi}]"));
        }
        if self.handicap >= 2 {
            file.add(&format!("HA[{}]", self.handicap));
        }
        let texts =
            [("PB", &self.players[0]), ("PW", &self.players[1]), ("RE", &self.result), ("RU", &self.rules)];
        for (identifier, text) in texts {
            if !text.is_empty() {
                file.add(&format!("{identifier}[{}]", escaped(text)));
            }
        }
        let steps = Self::in_order(&self.steps);
        let is_move = |step: &GoStep| matches!(step, GoStep::Move(..));
        for (node, steps) in steps.chunk_by(|step, next| !is_move(step) && !is_move(next)).enumerate() {
            if let GoStep::Move(player, point) = steps[0] {
                let point = point.map_or(String::new(), |point| self.letters(point));
                file.add(&format!(";{}[{point}]", ["B", "W"][usize::from(player)]));
            } else {
                // Stones put before the first move belong to the root.
                file.add(if node == 0 { "" } else { ";" });
                self.write_setup(steps, &mut file);
            }
        }
        file.add(")");
        file.text + "\n"
    }

    fn write_setup(&self, steps: &[GoStep], file: &mut Lines) {
        for (identifier, stone) in PUT {
            let mut identifier = identifier;
            for step in steps {
                match *step {
                    GoStep::Put(found, point) if found == stone => {
                        file.add(&format!("{identifier}[{}]", self.letters(point)));
                        identifier = "";
                    }
                    _ => {}
                }
            }
        }
        if let Some(GoStep::Turn(player)) = steps.last() {
            file.add(&format!("PL[{}]", ["B", "W"][usize::from(*player)]));
        }
    }

    fn letters(&self, (column, row): GoPoint) -> String {
        let from_top = (self.size - 1).saturating_sub(row);
        [column, from_top].iter().map(|&at| char::from(b'a' + at.min(25) as u8)).collect()
    }
}

/// A text on one line, with the characters escaped that would end it.
fn escaped(text: &str) -> String {
    text.replace("\r\n", " ").replace(char::is_whitespace, " ").replace('\\', "\\\\").replace(']', "\\]")
}

/// Text with line breaks between its parts.
#[derive(Default)]
struct Lines {
    text: String,
    /// The characters on the last line.
    filled: usize,
}

impl Lines {
    fn add(&mut self, part: &str) {
        let length = part.chars().count();
        if self.filled > 0 && self.filled + length > LINE_MAX {
            self.text.push('\n');
            self.filled = 0;
        }
        self.text += part;
        self.filled += length;
    }
}
