//! 2048, after G. Cirulli (2014). One player slides tiles on four by four cells. A move (up, down, left or right)
//! slides all tiles as far as they go. Two equal tiles that meet become one of their sum, once in a move, those
//! nearest the edge first. The score grows by the sum. A move must change the board. Then a new tile appears on a
//! random empty cell: a 2 with odds of nine to one, else a 4. The game begins with two such tiles, and ends when no
//! move changes the board; making a 2048 does not end it. The payoff is the score.
//!
//! One rule is ours: two tiles of 32768 do not merge, so that a cell fits in four bits and a board in a word.
//!
//! Actions are `up`, `down`, `left`, `right`. Those of chance are a cell and its tile, `b3=4`; columns are letters
//! and rows are numbered from below. A position is written row by row from the top, cells separated by commas and
//! rows by slashes, then the score: `2,.,.,./.,.,.,./.,.,4,./.,.,.,. 0`. While a tile is due, `tile` follows.

use crate::bits::{a_random_bit, indices, mix_all};
use aji_search::{Game, Hashed, Keyed, Named, Payoff, Player, Rng, Turn};
use std::sync::LazyLock;

const SIDE: usize = 4;
const CELLS: usize = SIDE * SIDE;

/// The largest tile, as a power of two.
const POWER_MAX: u64 = 15;

/// No game has a higher score.
///
/// Call a tile of 2^k worth (k - 1) 2^k. A merger adds the same amount to the score and to the worth of the board,
/// and new tiles only add worth. So the score is at most the worth of the board. Also, for every t from 2,
/// at most 18 - t tiles are 2^t or more. For t = 2 these are the cells. A merger into 2^t takes two tiles of 2^(t-1)
/// from the at most 19 - t that are 2^(t-1) or more. So at most 17 - t others are 2^t or more, and with the new one
/// at most 18 - t. The worthiest such board has three of 32768 and one each of 16384, 8192 and so on down to 4.
const SCORE_MAX: u32 = {
    let (mut score, mut power) = (0, 2);
    while power <= POWER_MAX {
        score += worth(power) * if power == POWER_MAX { 3 } else { 1 };
        power += 1;
    }
    score
};

/// The odds of a new 2 and of a new 4 on an empty cell.
const ODDS: [f32; 2] = [9.0, 1.0];

/// The four ways to slide.
const MOVES: [(&str, Game2048Action); 4] = [
    ("up", Game2048Action::Up),
    ("down", Game2048Action::Down),
    ("left", Game2048Action::Left),
    ("right", Game2048Action::Right),
];

/// A move, or a new tile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Game2048Action {
    /// All tiles slide up.
    Up,
    /// All tiles slide down.
    Down,
    /// All tiles slide left.
    Left,
    /// All tiles slide right.
    Right,
    /// A tile appears.
    Tile {
        /// The cell, counted from the upper left, row by row.
        cell: u8,
        /// 1 for a 2, 2 for a 4.
        power: u8,
    },
}

/// A position of 2048.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Game2048 {
    /// Powers of two, four bits a cell, from the upper left cell in the lowest bits; 0 is an empty cell.
    cells: u64,
    score: u32,
    /// A tile is due.
    is_due: bool,
}

/// The result of sliding a row.
#[derive(Clone, Copy, Default)]
struct Slid {
    left: u16,
    right: u16,
    score: u32,
}

static ROWS: LazyLock<Vec<Slid>> = LazyLock::new(|| {
    let slid = |row: u16| {
        let (left, score) = slide(row);
        Slid { left, right: reversed(slide(reversed(row)).0), score }
    };
    (0..=u16::MAX).map(slid).collect()
});

/// The score that a tile has brought if it was merged from twos only.
const fn worth(power: u64) -> u32 {
    (power as u32 - 1) << power
}

fn reversed(row: u16) -> u16 {
    row >> 12 | row >> 4 & 0x00F0 | row << 4 & 0x0F00 | row << 12
}

/// Slides a row towards its first cell, which is in the lowest bits, and returns the score.
fn slide(row: u16) -> (u16, u32) {
    let (mut slid, mut place, mut waiting, mut score) = (0, 0, 0, 0);
    for cell in 0..SIDE {
        let power = row >> (4 * cell) & 0xF;
        if power == 0 {
            continue;
        }
        if power == waiting && u64::from(power) < POWER_MAX {
            slid += 1 << (4 * (place - 1));
            score += 2 << power;
            waiting = 0;
        } else {
            slid |= power << (4 * place);
            place += 1;
            waiting = power;
        }
    }
    (slid, score)
}

/// The board mirrored at the diagonal from the upper left.
#[inline]
fn transposed(cells: u64) -> u64 {
    // Swap cells within blocks of two by two, then the blocks.
    let inner = cells & 0xF0F0_0F0F_F0F0_0F0F
        | (cells & 0x0000_F0F0_0000_F0F0) << 12
        | cells >> 12 & 0x0000_F0F0_0000_F0F0;
    inner & 0xFF00_FF00_00FF_00FF
        | (inner & 0x0000_0000_FF00_FF00) << 24
        | inner >> 24 & 0x0000_0000_FF00_FF00
}

/// The lowest bit of each cell that is empty.
#[inline]
fn empty(cells: u64) -> u64 {
    let pairs = cells | cells >> 1;
    !(pairs | pairs >> 2) & 0x1111_1111_1111_1111
}

impl Game2048 {
    /// The start of a game, its two tiles placed by a seed.
    pub fn new(seed: u64) -> Game2048 {
        let mut game = Game2048 { cells: 0, score: 0, is_due: true };
        let mut rng = Rng::seeded(seed);
        for _ in 0..2 {
            game.is_due = true;
            game.play(game.random_tile(&mut rng));
        }
        game
    }

    fn power(&self, cell: usize) -> u64 {
        self.cells >> (4 * cell) & 0xF
    }

    /// The board after a move, and the score of the move. The board does not change if the move is illegal.
    #[inline]
    fn moved(&self, action: Game2048Action) -> (u64, u32) {
        use Game2048Action::{Down, Right, Up};
        let is_upright = matches!(action, Up | Down);
        let is_back = matches!(action, Down | Right);
        let cells = if is_upright { transposed(self.cells) } else { self.cells };
        let (mut slid, mut score) = (0, 0);
        for row in 0..SIDE {
            let found = ROWS[usize::from((cells >> (16 * row)) as u16)];
            slid |= u64::from(if is_back { found.right } else { found.left }) << (16 * row);
            score += found.score;
        }
        (if is_upright { transposed(slid) } else { slid }, score)
    }

    fn moves(&self) -> impl Iterator<Item = Game2048Action> {
        MOVES.into_iter().map(|(_, action)| action).filter(|&action| self.moved(action).0 != self.cells)
    }

    #[inline]
    fn random_tile(&self, rng: &mut Rng) -> Game2048Action {
        let cell = (a_random_bit(empty(self.cells), rng).trailing_zeros() / 4) as u8;
        Game2048Action::Tile { cell, power: if rng.below(10) == 0 { 2 } else { 1 } }
    }

    /// Reports a part of the position that no game can lead to, if there is one.
    fn check(&self) -> Result<(), String> {
        let powers = || (0..CELLS).map(|cell| self.power(cell)).filter(|&power| power > 0);
        if self.cells == 0 {
            return Err("no tiles: expected at least one".to_string());
        }
        for power in 2..=POWER_MAX {
            let (count, most) = (powers().filter(|&other| other >= power).count() as u64, 18 - power);
            if count > most {
                let tile = 1 << power;
                return Err(format!("{count} tiles of {tile} or more: expected at most {most}"));
            }
        }
        let most: u32 = powers().map(worth).sum();
        if self.score > most {
            return Err(format!("a score of {}: expected at most {most} with these tiles", self.score));
        }
        if self.is_due && empty(self.cells) == 0 {
            return Err("a tile is due: expected an empty cell".to_string());
        }
        Ok(())
    }
}

/// The power of a tile as written.
fn read_tile(text: &str) -> Result<u64, String> {
    if text == "." {
        return Ok(0);
    }
    let power = (1..=POWER_MAX).find(|&power| text == (1 << power).to_string());
    power.ok_or_else(|| format!("\"{text}\": expected . or a tile, 2 4 8 and so on to {}", 1 << POWER_MAX))
}

impl Game for Game2048 {
    type Action = Game2048Action;

    #[inline]
    fn turn(&self) -> Turn {
        if self.is_due {
            Turn::Chance
        } else if empty(self.cells) != 0 || self.moves().next().is_some() {
            Turn::Player(0)
        } else {
            Turn::Over
        }
    }

    fn actions(&self, out: &mut Vec<Game2048Action>) {
        if !self.is_due {
            return out.extend(self.moves());
        }
        for bit in indices(empty(self.cells)) {
            out.extend([1, 2].map(|power| Game2048Action::Tile { cell: bit / 4, power }));
        }
    }

    #[inline]
    fn play(&mut self, action: Game2048Action) {
        debug_assert_eq!(self.is_due, matches!(action, Game2048Action::Tile { .. }), "{action:?}, {self:?}");
        if let Game2048Action::Tile { cell, power } = action {
            debug_assert_eq!(self.power(cell.into()), 0, "{action:?} on {self:?}");
            self.cells |= u64::from(power) << (4 * cell);
            self.is_due = false;
        } else {
            let (cells, score) = self.moved(action);
            debug_assert!(cells != self.cells, "{action:?} changes nothing in {self:?}");
            *self = Game2048 { cells, score: self.score + score, is_due: true };
        }
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn payoff(&self) -> Payoff {
        Payoff([self.score as f32, 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    fn payoff_range(&self) -> (f32, f32) {
        (0.0, SCORE_MAX as f32)
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }

    fn weight(&self, outcome: Game2048Action) -> f32 {
        match outcome {
            Game2048Action::Tile { power, .. } => ODDS[usize::from(power) - 1],
            _ => 0.0,
        }
    }

    /// Tries random moves until one changes the board, so that all legal moves have the same probability.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<Game2048Action>) -> Game2048Action {
        if self.is_due {
            return self.random_tile(rng);
        }
        loop {
            let (_, action) = MOVES[rng.below(MOVES.len())];
            if self.moved(action).0 != self.cells {
                return action;
            }
        }
    }

    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<Game2048Action>) -> Payoff {
        self.play_out(rng, |_| {})
    }

    fn playout_moves(&self, rng: &mut Rng) -> Option<Vec<Game2048Action>> {
        let mut moves = Vec::new();
        self.clone().play_out(rng, |action| moves.push(action));
        Some(moves)
    }
}

impl Game2048 {
    /// Random moves to the end, told to `played`: they are tried in random order. Moves that change nothing are skipped,
    /// and the game ends when all are.
    #[inline(always)]
    fn play_out(&mut self, rng: &mut Rng, mut played: impl FnMut(Game2048Action)) -> Payoff {
        loop {
            if self.is_due {
                let tile = self.random_tile(rng);
                self.play(tile);
                played(tile);
            }
            let mut left = MOVES;
            let mut count = left.len();
            let found = loop {
                if count == 0 {
                    return self.payoff();
                }
                let index = rng.below(count);
                let (cells, score) = self.moved(left[index].1);
                if cells != self.cells {
                    played(left[index].1);
                    break (cells, score);
                }
                count -= 1;
                left.swap(index, count);
            };
            *self = Game2048 { cells: found.0, score: self.score + found.1, is_due: true };
        }
    }
}

impl Keyed for Game2048 {
    fn key_count(&self) -> usize {
        MOVES.len() + 2 * CELLS
    }

    fn key(&self, action: Game2048Action) -> usize {
        match action {
            Game2048Action::Up => 0,
            Game2048Action::Down => 1,
            Game2048Action::Left => 2,
            Game2048Action::Right => 3,
            Game2048Action::Tile { cell, power } => 3 + usize::from(power) + 2 * usize::from(cell),
        }
    }
}

impl Hashed for Game2048 {
    fn hash(&self) -> u64 {
        mix_all([self.cells, u64::from(self.score) << 1 | u64::from(self.is_due)])
    }
}

impl Named for Game2048 {
    fn action_name(&self, action: Game2048Action) -> String {
        if let Game2048Action::Tile { cell, power } = action {
            let (column, row) = (usize::from(cell) % SIDE, SIDE - 1 - usize::from(cell) / SIDE);
            return format!("{}={}", crate::grid::cell_name(column, row), 1 << power);
        }
        MOVES.iter().find(|(_, other)| *other == action).map_or("", |(name, _)| *name).to_string()
    }

    fn text(&self) -> String {
        let tile = |cell| match self.power(cell) {
            0 => ".".to_string(),
            power => (1 << power).to_string(),
        };
        let row = |row| (row * SIDE..(row + 1) * SIDE).map(tile).collect::<Vec<_>>().join(",");
        let rows = (0..SIDE).map(row).collect::<Vec<_>>().join("/");
        format!("{rows} {}{}", self.score, if self.is_due { " tile" } else { "" })
    }

    fn read(&self, text: &str) -> Result<Game2048, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (board, score, is_due) = match words[..] {
            [board, score] => (board, score, false),
            [board, score, "tile"] => (board, score, true),
            _ => return Err(format!("\"{text}\": expected the rows, the score, and maybe tile")),
        };
        let rows: Vec<Vec<&str>> = board.split('/').map(|row| row.split(',').collect()).collect();
        if rows.len() != SIDE || rows.iter().any(|row| row.len() != SIDE) {
            return Err(format!("\"{board}\": expected {SIDE} rows by slashes, each {SIDE} cells by commas"));
        }
        let score = score.parse().map_err(|_| format!("\"{score}\": expected the score, a whole number"))?;
        let mut game = Game2048 { cells: 0, score, is_due };
        for (cell, tile) in rows.into_iter().flatten().enumerate() {
            game.cells |= read_tile(tile)? << (4 * cell);
        }
        game.check().map_err(|error| format!("\"{text}\": {error}"))?;
        Ok(game)
    }

    fn board(&self) -> String {
        let tile = |cell| match self.power(cell) {
            0 => format!("{:>6}", "."),
            power => format!("{:>6}", 1 << power),
        };
        let row = |row| (row * SIDE..(row + 1) * SIDE).map(tile).collect::<String>() + "\n";
        (0..SIDE).map(row).collect::<String>() + &format!("score {}\n", self.score)
    }

    fn player_name(&self, _player: Player) -> String {
        "player".to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_search::Rng;
    use proptest::prelude::*;

    const EMPTY: &str = ".,.,.,./.,.,.,./.,.,.,./.,.,.,. 0";

    fn read(text: &str) -> Game2048 {
        Game2048::new(1).read(text).unwrap()
    }

    /// A row slid to the left and its score, tile by tile, as the rules say.
    fn slide_plainly(row: [u32; SIDE]) -> ([u32; SIDE], u32) {
        let mut tiles: Vec<u32> = row.into_iter().filter(|&tile| tile > 0).collect();
        let (mut index, mut score) = (0, 0);
        while index + 1 < tiles.len() {
            if tiles[index] == tiles[index + 1] && tiles[index] < 1 << POWER_MAX {
                tiles[index] *= 2;
                score += tiles.remove(index + 1) * 2;
            }
            index += 1;
        }
        tiles.resize(SIDE, 0);
        (tiles.try_into().unwrap(), score)
    }

    /// The whole board after a move: reads the cells of each line from the edge it slides to, and writes them back.
    fn move_plainly(tiles: [u32; CELLS], action: Game2048Action) -> ([u32; CELLS], u32) {
        let (mut moved, mut score) = ([0; CELLS], 0);
        for line in 0..SIDE {
            let cells = [0, 1, 2, 3].map(|place| match action {
                Game2048Action::Up => place * SIDE + line,
                Game2048Action::Down => (SIDE - 1 - place) * SIDE + line,
                Game2048Action::Left => line * SIDE + place,
                _ => line * SIDE + SIDE - 1 - place,
            });
            let (slid, points) = slide_plainly(cells.map(|cell| tiles[cell]));
            cells.into_iter().zip(slid).for_each(|(cell, tile)| moved[cell] = tile);
            score += points;
        }
        (moved, score)
    }

    fn tiles(cells: u64) -> [u32; CELLS] {
        std::array::from_fn(|cell| match cells >> (4 * cell) & 0xF {
            0 => 0,
            power => 1 << power,
        })
    }

    proptest! {
        #[test]
        fn moves_are_those_of_the_plain_rules(cells: u64, thin: u64, same: bool) {
            // With few different tiles, equal ones meet more often.
            let cells = if same { cells & thin & 0x3333_3333_3333_3333 } else { cells };
            let game = Game2048 { cells, score: 0, is_due: false };
            for (name, action) in MOVES {
                let (moved, score) = game.moved(action);
                prop_assert_eq!((tiles(moved), score), move_plainly(tiles(cells), action), "{}", name);
            }
            let free = indices(empty(cells)).map(|bit| usize::from(bit / 4));
            prop_assert!(free.eq((0..CELLS).filter(|&cell| tiles(cells)[cell] == 0)));
        }
    }

    #[test]
    fn moves_by_hand() {
        let check = |action: Game2048Action, from: &str, expect: &str| {
            let mut game = read(from);
            game.play(action);
            assert_eq!(game.text(), expect, "{action:?} of {from}");
        };
        let from = "2,2,2,2/4,2,2,./.,8,.,8/.,.,.,4 10";
        check(Game2048Action::Left, from, "4,4,.,./4,4,.,./16,.,.,./4,.,.,. 38 tile");
        check(Game2048Action::Right, from, ".,.,4,4/.,.,4,4/.,.,.,16/.,.,.,4 38 tile");
        check(Game2048Action::Up, from, "2,4,4,2/4,8,.,8/.,.,.,4/.,.,.,. 18 tile");
        check(Game2048Action::Down, from, ".,.,.,./.,.,.,2/2,4,.,8/4,8,4,4 18 tile");
        let large = "32768,32768,.,./.,.,.,./.,.,.,./.,.,.,. 0";
        check(Game2048Action::Right, large, ".,.,32768,32768/.,.,.,./.,.,.,./.,.,.,. 0 tile");
    }

    #[test]
    fn moves_must_change_the_board() {
        let check = |text: &str, expect: &str| {
            let (game, mut actions) = (read(text), Vec::new());
            game.actions(&mut actions);
            let names: Vec<String> = actions.iter().map(|&action| game.action_name(action)).collect();
            assert_eq!(names.join(" "), expect, "{text}");
            assert_eq!(game.turn() == Turn::Over, expect.is_empty());
        };
        check("2,.,.,./.,.,.,./.,.,.,./.,.,.,. 0", "down right");
        check("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,2 0", "");
        check("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,4 0", "up down left right");
        check("2,4,2,4/2,8,4,2/4,2,8,4/8,4,2,8 0", "up down");
        check("2,4,2,4/4,2,4,2/2,4,2,4/4,2,4,. 0 tile", "d1=2 d1=4");
    }

    #[test]
    fn a_two_is_nine_times_as_likely() {
        let due = read(".,4,2,4/4,2,4,2/2,4,2,4/4,2,4,. 0 tile");
        let (mut rng, mut outcomes) = (Rng::seeded(1), Vec::new());
        due.actions(&mut outcomes);
        let weights: Vec<f32> = outcomes.iter().map(|&outcome| due.weight(outcome)).collect();
        assert_eq!(weights, [9.0, 1.0, 9.0, 1.0]);
        let mut counts = [0; 4];
        for _ in 0..20_000 {
            let drawn = due.random_action(&mut rng, &mut Vec::new());
            counts[outcomes.iter().position(|&outcome| outcome == drawn).unwrap()] += 1;
        }
        // The counts have standard deviations of 70 and 31.
        let near = |(count, expect): (i32, i32)| (count - expect).abs() < 280;
        assert!(counts.into_iter().zip([9_000, 1_000, 9_000, 1_000]).all(near), "{counts:?}");
    }

    /// The score of random moves drawn from the list of all.
    fn play_plainly(mut game: Game2048, rng: &mut Rng) -> f32 {
        let mut actions = Vec::new();
        while game.turn() != Turn::Over {
            actions.clear();
            game.actions(&mut actions);
            let any = actions[rng.below(actions.len())];
            game.play(if game.is_due { game.random_tile(rng) } else { any });
        }
        game.payoff().of(0)
    }

    /// The fast playout scores like the plain one.
    #[test]
    fn playouts_are_those_of_random_actions() {
        const PLAYOUTS: usize = 3_000;
        let mut means = [0.0; 2];
        let (mut rng, mut scratch) = (Rng::seeded(3), Vec::new());
        for playout in 0..2 * PLAYOUTS {
            let mut game = read("2,4,8,16/16,8,4,2/2,4,8,16/16,8,.,. 0");
            let score = if playout % 2 == 0 {
                game.playout(&mut rng, &mut scratch).of(0)
            } else {
                play_plainly(game, &mut rng)
            };
            means[playout % 2] += f64::from(score) / PLAYOUTS as f64;
        }
        // Each mean has a standard deviation of less than 2%.
        assert!((means[0] / means[1] - 1.0).abs() < 0.1, "{means:?}");
    }

    #[test]
    fn the_highest_score_is_that_of_the_worthiest_board() {
        let powers = [15, 15, 15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2];
        assert_eq!(SCORE_MAX, powers.into_iter().map(worth).sum());
        assert_eq!(SCORE_MAX, 1_769_476);
        let row = |powers: &[u64]| {
            powers.iter().map(|power| (1 << power).to_string()).collect::<Vec<_>>().join(",")
        };
        let text = powers.chunks(4).map(row).collect::<Vec<_>>().join("/");
        assert!(Game2048::new(1).read(&format!("{text} {SCORE_MAX}")).is_ok());
        assert!(Game2048::new(1).read(&format!("{text} {}", SCORE_MAX + 1)).is_err());
    }

    #[test]
    fn starts_have_two_tiles() {
        let starts: Vec<Game2048> = (0..50).map(Game2048::new).collect();
        for start in &starts {
            assert_eq!(
                (empty(start.cells).count_ones(), start.score, start.turn()),
                (14, 0, Turn::Player(0))
            );
        }
        assert!(starts.iter().any(|start| start.text().contains('4')));
        assert!(starts.iter().any(|start| start.cells != starts[0].cells));
        assert_eq!(Game2048::new(7), Game2048::new(7));
    }

    #[test]
    fn tiles_are_drawn() {
        let board = read("2,.,.,1024/.,.,.,./.,.,.,./.,16,.,. 60").board();
        let rows = ["     2     .     .  1024", "     .     .     .     .", "     .     .     .     ."];
        assert_eq!(board, format!("{}\n     .    16     .     .\nscore 60\n", rows.join("\n")));
    }

    #[test]
    fn bad_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Game2048::new(1).read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "expected the rows, the score, and maybe tile");
        check(&format!("{EMPTY} two"), "expected the rows");
        check("2,.,.,./.,.,.,./.,.,.,. 0", "expected 4 rows by slashes, each 4 cells by commas");
        check("2,.,./.,.,.,./.,.,.,./.,.,.,. 0", "expected 4 rows");
        check("3,.,.,./.,.,.,./.,.,.,./.,.,.,. 0", "\"3\": expected . or a tile, 2 4 8 and so on to 32768");
        check("65536,.,.,./.,.,.,./.,.,.,./.,.,.,. 0", "\"65536\": expected . or a tile");
        check("4,.,.,./.,.,.,./.,.,.,./.,.,.,. 5", "a score of 5: expected at most 4 with these tiles");
        check("4,.,.,./.,.,.,./.,.,.,./.,.,.,. x", "\"x\": expected the score");
        check("4,2,4,2/2,4,2,4/4,2,4,2/2,4,2,4 0 tile", "a tile is due: expected an empty cell");
        let fours = "32768,32768,32768,32768/.,.,.,./.,.,.,./.,.,.,. 0";
        check(fours, "4 tiles of 32768 or more: expected at most 3");
        check(EMPTY, "no tiles");
    }
}
