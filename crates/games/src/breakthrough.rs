//! Breakthrough. Eight by eight cells; each player begins with sixteen pieces on the two nearest rows, x below and o
//! above. The players take turns. A move takes a piece one cell forward, straight or diagonally, onto an empty cell.
//! Only a diagonal move may also capture: it may go onto an opponent's piece, which leaves the board. The first
//! player to reach the farthest row, or to capture all opposing pieces, wins. x begins.
//!
//! There is always a move: no own piece stands before a player's foremost piece, so it can move diagonally, whether
//! the cell is empty or the opponent's. So there are no draws either.
//!
//! Actions are the two cells of a move, `a2a3`.

mod encoding;

use crate::abreast::{self, Course};
use crate::bits::{indices, mix, nth_bit_or_none};
use crate::cpu::Cpu;
use crate::grid::{self, Grid, PIECES};
use aji_cpu::dispatch;
use aji_search::{Game, Hashed, Heuristic, Keyed, Leaf, Named, Payoff, Player, Rng, Turn};

const SIDE: usize = 8;
const CELLS: usize = SIDE * SIDE;
const PIECES_MAX: usize = 2 * SIDE;
const FIRST_COLUMN: u64 = 0x0101_0101_0101_0101;
const LAST_COLUMN: u64 = FIRST_COLUMN << (SIDE - 1);
const HOME_ROW: u64 = 0xFF;
const FAR_ROW: u64 = HOME_ROW << (CELLS - SIDE);
/// How far up the board a move goes: straight, to the left, to the right.
const STEPS: [u32; 3] = [8, 7, 9];
/// The worth of a piece by its row, for its owner.
const WORTH: [f32; SIDE] = [11.0, 10.0, 10.5, 12.0, 15.0, 20.0, 30.0, 100.0];

/// A position of Breakthrough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakthrough {
    /// The pieces of the mover, and of the other player, with rows counted from the mover's side: the mover always
    /// moves up.
    own: u64,
    other: u64,
    mover: Player,
}

/// A move in Breakthrough: the cells it leaves and enters, by row from the bottom and then column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BreakthroughMove {
    from: u8,
    to: u8,
}

/// The cells that a piece of the mover can enter, by the three [`STEPS`].
#[inline(always)]
fn targets(own: u64, other: u64) -> [u64; 3] {
    [
        own << STEPS[0] & !(own | other),
        (own & !FIRST_COLUMN) << STEPS[1] & !own,
        (own & !LAST_COLUMN) << STEPS[2] & !own,
    ]
}

/// One of the moves to these targets, each with the same probability, as the bits of the cells it leaves and enters.
#[inline(always)]
fn random_move(cpu: impl Cpu, targets: [u64; 3], rng: &mut Rng) -> (u64, u64) {
    let [straight, left, right] = targets;
    let (straights, lefts) = (straight.count_ones(), left.count_ones());
    let n = rng.below((straights + lefts + right.count_ones()) as usize) as u32;
    // The n-th of all moves is the n-th of one of the three kinds, and none of the others. There n is too high, or
    // negative (not below -32) and wraps to 32 or more; 16 pieces have at most 16 targets. Three lookups cost less
    // than a branch that cannot be predicted.
    let nth = |targets: u64, n: u32| nth_bit_or_none(cpu, targets, n % u64::BITS);
    let straight = nth(straight, n);
    let left = nth(left, n.wrapping_sub(straights));
    let right = nth(right, n.wrapping_sub(straights + lefts));
    (straight >> STEPS[0] | left >> STEPS[1] | right >> STEPS[2], straight | left | right)
}

impl Breakthrough {
    /// Sixteen pieces on either side.
    pub fn new() -> Breakthrough {
        let own = HOME_ROW | HOME_ROW << SIDE;
        Breakthrough { own, other: own.swap_bytes(), mover: 0 }
    }

    /// Converts a cell to the mover's view, or back: rows are reversed if o moves.
    #[inline(always)]
    fn turned(&self, cell: u8) -> u8 {
        cell ^ (self.mover * (CELLS - SIDE) as u8)
    }

    /// Whether the last mover has won.
    #[inline(always)]
    fn lost(&self) -> bool {
        self.other & HOME_ROW != 0 || self.own == 0
    }

    fn piece(&self, column: usize, row: usize) -> Option<Player> {
        let bit = 1 << self.turned((row * SIDE + column) as u8);
        let stands = |pieces: u64, player| (pieces & bit != 0).then_some(player);
        stands(self.own, self.mover).or(stands(self.other, 1 - self.mover))
    }
}

impl Breakthrough {
    /// One of the moves by this CPU's instructions, as the bits of the cells it leaves and enters.
    #[inline(always)]
    fn random_move_by(cpu: impl Cpu, game: &Breakthrough, rng: &mut Rng) -> (u64, u64) {
        random_move(cpu, targets(game.own, game.other), rng)
    }

    /// A whole playout by this CPU's instructions.
    #[inline(always)]
    fn playout_by(cpu: impl Cpu, game: &Breakthrough, rng: &mut Rng) -> Payoff {
        if game.lost() {
            return game.payoff();
        }
        let (mut own, mut other, mut mover) = (game.own, game.other, game.mover);
        loop {
            let (from, to) = random_move(cpu, targets(own, other), rng);
            let (mine, theirs) = (own ^ from ^ to, other & !to);
            if to & FAR_ROW != 0 || theirs == 0 {
                return Payoff::win(mover);
            }
            (own, other, mover) = (theirs.swap_bytes(), mine.swap_bytes(), 1 - mover);
        }
    }

    /// Playouts in turns by this CPU's instructions.
    #[inline(always)]
    fn playouts_by<C: Cpu>(cpu: C, leaves: &mut [Leaf<Breakthrough>], rng: &mut Rng) {
        abreast::playouts::<Breakthrough, Underway<C>, C>(cpu, leaves, rng);
    }

    dispatch! { fn a_move, a_move_v3(game: &Breakthrough, rng: &mut Rng) -> (u64, u64) = Self::random_move_by }

    dispatch! { fn playout_here, playout_v3(game: &Breakthrough, rng: &mut Rng) -> Payoff = Self::playout_by }

    dispatch! { fn playouts_here, playouts_v3(leaves: &mut [Leaf<Breakthrough>], rng: &mut Rng) = Self::playouts_by }
}

/// The state of a playout.
#[derive(Clone, Copy)]
struct Underway<C> {
    cpu: C,
    game: Breakthrough,
}

impl Default for Breakthrough {
    fn default() -> Breakthrough {
        Breakthrough::new()
    }
}

impl Game for Breakthrough {
    type Action = BreakthroughMove;

    #[inline(always)]
    fn turn(&self) -> Turn {
        if self.lost() { Turn::Over } else { Turn::Player(self.mover) }
    }

    #[inline]
    fn actions(&self, out: &mut Vec<BreakthroughMove>) {
        if self.lost() {
            return;
        }
        for (targets, step) in targets(self.own, self.other).into_iter().zip(STEPS) {
            out.extend(indices(targets).map(|to| {
                let from = to - step as u8;
                BreakthroughMove { from: self.turned(from), to: self.turned(to) }
            }));
        }
    }

    #[inline(always)]
    fn play(&mut self, action: BreakthroughMove) {
        let (from, to) = (1 << self.turned(action.from), 1 << self.turned(action.to));
        debug_assert!(self.own & from != 0, "the mover has no piece on cell {}", action.from);
        debug_assert!(self.own & to == 0, "the mover has a piece on cell {}", action.to);
        let (own, other) = (self.own ^ from ^ to, self.other & !to);
        *self = Breakthrough { own: other.swap_bytes(), other: own.swap_bytes(), mover: 1 - self.mover };
    }

    #[inline(always)]
    fn payoff(&self) -> Payoff {
        Payoff::win(1 - self.mover)
    }

    #[inline(always)]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<BreakthroughMove>) -> BreakthroughMove {
        let (from, to) = Breakthrough::a_move(self, rng);
        let cell = |bit: u64| self.turned(bit.trailing_zeros() as u8);
        BreakthroughMove { from: cell(from), to: cell(to) }
    }

    #[inline(always)]
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<BreakthroughMove>) -> Payoff {
        Breakthrough::playout_here(self, rng)
    }

    #[inline]
    fn playouts(leaves: &mut [Leaf<Breakthrough>], rng: &mut Rng) {
        Breakthrough::playouts_here(leaves, rng);
    }
}

impl<C: Cpu> Course<Breakthrough, C> for Underway<C> {
    #[inline(always)]
    fn new(cpu: C, game: &Breakthrough) -> Underway<C> {
        Underway { cpu, game: *game }
    }

    #[inline(always)]
    fn step(&mut self, rng: &mut Rng) -> bool {
        let Breakthrough { own, other, mover } = self.game;
        let (from, to) = random_move(self.cpu, targets(own, other), rng);
        let (mine, theirs) = (own ^ from ^ to, other & !to);
        self.game = Breakthrough { own: theirs.swap_bytes(), other: mine.swap_bytes(), mover: 1 - mover };
        (to & FAR_ROW != 0) | (theirs == 0)
    }

    #[inline(always)]
    fn result(&self) -> Payoff {
        self.game.payoff()
    }
}

impl Keyed for Breakthrough {
    fn key_count(&self) -> usize {
        2 * CELLS * STEPS.len()
    }

    /// The player, the cell that the piece leaves, and its direction among the three.
    fn key(&self, action: BreakthroughMove) -> usize {
        let step = self.turned(action.to) - self.turned(action.from);
        let cell = usize::from(self.mover) * CELLS + usize::from(action.from);
        cell * STEPS.len() + usize::from(step) - 7
    }
}

impl Hashed for Breakthrough {
    fn hash(&self) -> u64 {
        // The same view with the other player to move is another position: all bits differ.
        mix(mix(self.own) ^ self.other) ^ u64::from(self.mover).wrapping_neg()
    }
}

impl Heuristic for Breakthrough {
    /// Adds up the pieces, which are worth more the farther they are. A lead of four pieces counts as half sure of
    /// the win.
    fn estimate(&self) -> Payoff {
        Breakthrough::estimate_here(self)
    }
}

impl Breakthrough {
    #[inline(always)]
    fn estimate_by<C>(_cpu: C, game: &Breakthrough) -> Payoff {
        let worth = |pieces: u64| -> f32 {
            let row =
                |(row, worth): (usize, f32)| worth * (pieces >> (row * SIDE) & HOME_ROW).count_ones() as f32;
            WORTH.into_iter().enumerate().map(row).sum()
        };
        let lead = worth(game.own) - worth(game.other.swap_bytes());
        let margin = lead / (lead.abs() + 40.0);
        Payoff::margin(if game.mover == 0 { margin } else { -margin })
    }

    dispatch! { fn estimate_here, estimate_v3(game: &Breakthrough) -> Payoff = Self::estimate_by }
}

impl Named for Breakthrough {
    fn action_name(&self, action: BreakthroughMove) -> String {
        let name = |cell: u8| grid::cell_name(usize::from(cell) % SIDE, usize::from(cell) / SIDE);
        name(action.from) + &name(action.to)
    }

    fn text(&self) -> String {
        grid::text(SIDE, SIDE, self.mover, |column, row| self.piece(column, row))
    }

    fn read(&self, text: &str) -> Result<Breakthrough, String> {
        let grid = Grid::read(text, SIDE, SIDE)?;
        let mover = grid.mover;
        for player in 0..2 {
            let (count, piece) = (grid.count(player), PIECES[usize::from(player)]);
            if count > PIECES_MAX {
                return Err(format!("{piece} has {count} pieces: at most {PIECES_MAX} can be"));
            }
        }
        let view = |player| if mover == 0 { grid.bits(player) } else { grid.bits(player).swap_bytes() };
        let (own, other) = (view(mover), view(1 - mover));
        let (piece, opponent) = (PIECES[usize::from(mover)], PIECES[usize::from(1 - mover)]);
        if own & FAR_ROW != 0 {
            return Err(format!(
                "{piece} has reached the farthest row already, so {piece} cannot be to move"
            ));
        }
        if other == 0 {
            return Err(format!("{opponent} has no pieces left, so {piece} has won and cannot be to move"));
        }
        if (other & HOME_ROW).count_ones() > 1 {
            return Err(format!("{opponent} has reached the farthest row twice, but the first time wins"));
        }
        Ok(Breakthrough { own, other, mover })
    }

    fn board(&self) -> String {
        grid::board(SIDE, SIDE, |column, row| self.piece(column, row))
    }

    fn player_name(&self, player: Player) -> String {
        PIECES[player as usize].to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The rules, cell by cell.
    #[derive(Clone)]
    struct Slow {
        cells: [Option<Player>; CELLS],
        mover: Player,
    }

    impl Slow {
        fn new(game: &Breakthrough) -> Slow {
            let cells = std::array::from_fn(|cell| game.piece(cell % SIDE, cell / SIDE));
            Slow { cells, mover: game.mover }
        }

        /// The cell that a step leads to, if the mover's piece on `from` can take it.
        fn target(&self, from: usize, right: i32) -> Option<usize> {
            let up = if self.mover == 0 { 1 } else { -1 };
            let (column, row) = (from as i32 % 8 + right, from as i32 / 8 + up);
            if self.cells[from] != Some(self.mover) || !(0..8).contains(&column) || !(0..8).contains(&row) {
                return None;
            }
            let to = (row * 8 + column) as usize;
            let free = if right == 0 { self.cells[to].is_none() } else { self.cells[to] != Some(self.mover) };
            free.then_some(to)
        }
    }

    impl Game for Slow {
        type Action = BreakthroughMove;

        fn turn(&self) -> Turn {
            let has = |cells: std::ops::Range<usize>, player| self.cells[cells].contains(&Some(player));
            let over = has(56..64, 0) || has(0..8, 1) || !has(0..64, 0) || !has(0..64, 1);
            if over { Turn::Over } else { Turn::Player(self.mover) }
        }

        /// In the game's own order: by direction, and then by the cell from the mover's side.
        fn actions(&self, out: &mut Vec<BreakthroughMove>) {
            for right in [0, -1, 1] {
                for cell in 0..CELLS {
                    let from = if self.mover == 0 { cell } else { cell ^ 56 };
                    let to = self.target(from, right);
                    out.extend(to.map(|to| BreakthroughMove { from: from as u8, to: to as u8 }));
                }
            }
        }

        fn play(&mut self, action: BreakthroughMove) {
            self.cells[usize::from(action.to)] = self.cells[usize::from(action.from)].take();
            self.mover = 1 - self.mover;
        }

        fn payoff(&self) -> Payoff {
            Payoff::win(1 - self.mover)
        }
    }

    fn read(text: &str) -> Breakthrough {
        Breakthrough::new().read(text).unwrap()
    }

    fn actions<G: Game>(game: &G) -> Vec<G::Action> {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        actions
    }

    /// The number of ways to play this many plies.
    fn ways<G: Game>(game: &G, plies: u32) -> u64 {
        if plies == 0 {
            return 1;
        }
        let after = |action| {
            let mut next = game.clone();
            next.play(action);
            ways(&next, plies - 1)
        };
        actions(game).into_iter().map(after).sum()
    }

    #[test]
    fn counts_are_those_of_the_rules() {
        let game = Breakthrough::new();
        assert_eq!((ways(&game, 1), ways(&game, 2)), (22, 22 * 22));
        for plies in 3..=4 {
            assert_eq!(ways(&game, plies), ways(&Slow::new(&game), plies), "{plies} plies");
        }
    }

    #[test]
    fn games_go_as_by_the_rules() {
        let mut rng = Rng::seeded(1);
        for _ in 0..300 {
            let mut game = Breakthrough::new();
            let mut slow = Slow::new(&game);
            while game.turn() != Turn::Over {
                assert_eq!(game.turn(), slow.turn());
                assert_eq!(actions(&game), actions(&slow), "{}", game.text());
                assert!(!actions(&game).is_empty(), "{}", game.text());
                let action = game.random_action(&mut rng, &mut Vec::new());
                game.play(action);
                slow.play(action);
                assert_eq!(
                    game.text(),
                    grid::text(8, 8, slow.mover, |column, row| slow.cells[row * 8 + column])
                );
                assert_eq!(read(&game.text()), game);
            }
            assert_eq!((slow.turn(), slow.payoff()), (Turn::Over, game.payoff()));
            assert!(actions(&game).is_empty());
        }
    }

    /// The same random numbers give the same game: the fast playout draws as the plain one does.
    #[test]
    fn playouts_are_those_of_the_rules() {
        let check = |game: &Breakthrough, seed: u64| {
            let slow = Slow::new(game).playout(&mut Rng::seeded(seed), &mut Vec::new());
            assert_eq!(
                game.clone().playout(&mut Rng::seeded(seed), &mut Vec::new()),
                slow,
                "{}",
                game.text()
            );
        };
        // Two pieces that may capture one another, which is rare in random games.
        let few = read("......../......../.o....../......../x......./......../......../........ x");
        let mut rng = Rng::seeded(2);
        for seed in 0..300 {
            check(&few, seed);
            let mut game = Breakthrough::new();
            for _ in 0..seed % 64 {
                if game.turn() != Turn::Over {
                    game.play(game.random_action(&mut rng, &mut Vec::new()));
                }
            }
            check(&game, seed);
        }
    }

    #[test]
    fn random_actions_are_even() {
        let game = Breakthrough::new();
        let mut rng = Rng::seeded(3);
        let mut counts = vec![0u32; game.key_count()];
        (0..44_000).for_each(|_| counts[game.key(game.random_action(&mut rng, &mut Vec::new()))] += 1);
        // Each count has a standard deviation of 44.
        for action in actions(&game) {
            let count = counts[game.key(action)];
            assert!((1_820..2_180).contains(&count), "{}: {count}", game.action_name(action));
        }
    }

    #[test]
    fn keys_are_distinct() {
        let mut rng = Rng::seeded(4);
        let mut names = vec![None; Breakthrough::new().key_count()];
        for _ in 0..1_000 {
            let mut game = Breakthrough::new();
            while let Turn::Player(mover) = game.turn() {
                let action = game.random_action(&mut rng, &mut Vec::new());
                let name = (mover, game.action_name(action));
                assert_eq!(names[game.key(action)].get_or_insert(name.clone()), &name);
                game.play(action);
            }
        }
        // 22 moves lead from each of seven rows, for either player.
        assert_eq!(names.iter().flatten().count(), 2 * 7 * 22);
    }

    #[test]
    fn a_game_ends_at_the_farthest_row_or_without_pieces() {
        let check = |text: &str, name: &str, winner: Option<Player>| {
            let mut game = read(text);
            let action = actions(&game).into_iter().find(|&action| game.action_name(action) == name);
            game.play(action.unwrap_or_else(|| panic!("{text}: {name} is not a move")));
            assert_eq!(
                (game.turn() == Turn::Over).then(|| game.payoff()),
                winner.map(Payoff::win),
                "{text} {name}"
            );
            assert_eq!(read(&game.text()), game);
        };
        check("......../x......./......../......../......../......../.......o/........ x", "a7a8", Some(0));
        check("......../x......./......../......../......../......../.......o/........ o", "h2h1", Some(1));
        check("......../x......./......../......../......../......../.......o/........ o", "h2g1", Some(1));
        check("......../......../x......./......../......../......../o......./........ x", "a6b7", None);
        check("......../......../......../.o....../x......./......../......../........ x", "a4b5", Some(0));
        check("......../......../......../.o....../x......./......../......../........ o", "b5a4", Some(1));
    }

    #[test]
    fn straight_moves_do_not_capture_and_edges_do_not_join() {
        let check = |text: &str, expect: &[&str]| {
            let game = read(text);
            let names: Vec<String> =
                actions(&game).into_iter().map(|action| game.action_name(action)).collect();
            assert_eq!(names, expect, "{text}");
        };
        check("......../......../......../......../o......o/x......x/......../........ x", &["h3g4", "a3b4"]);
        check("......../......../......../......../o......o/x......x/......../........ o", &["h4g3", "a4b3"]);
        check("......../......../......../......../.oo...../.x....../......../........ x", &["b3a4", "b3c4"]);
        // An own piece is in the way.
        let expect = ["a4a5", "c4c5", "b4a5", "c4b5", "a4b5", "b4c5", "c4d5"];
        check("......../......../......../.o....../xxx...../.x....../......../........ x", &expect);
    }

    #[test]
    fn the_better_move_by_estimate_beats_a_random_one() {
        let mut rng = Rng::seeded(5);
        let mut wins = 0;
        for round in 0..100 {
            let thinker = round % 2;
            let mut game = Breakthrough::new();
            while let Turn::Player(mover) = game.turn() {
                let worth = |&action: &BreakthroughMove| {
                    let mut next = game;
                    next.play(action);
                    let payoff = if next.lost() { next.payoff() } else { next.estimate() };
                    assert!(payoff.of(0).abs() <= 1.0);
                    payoff.of(thinker)
                };
                let best =
                    || actions(&game).into_iter().max_by(|a, b| worth(a).total_cmp(&worth(b))).unwrap();
                let action =
                    if mover == thinker { best() } else { game.random_action(&mut rng, &mut Vec::new()) };
                game.play(action);
            }
            wins += u32::from(game.payoff().of(thinker) > 0.0);
        }
        assert!(wins > 90, "{wins} of 100");
    }

    #[test]
    fn impossible_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Breakthrough::new().read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check(
            "......../oooooooo/......../......../......../xxxxxxxx/xxxxxxxx/x....... x",
            "x has 17 pieces: at most 16",
        );
        check("x......./o......./......../......../......../......../......../........ x", "x has reached");
        check("x......./......../......../......../......../......../......../.......o o", "o has reached");
        check(
            "x.x...../o......./......../......../......../......../......../........ o",
            "reached the farthest row twice",
        );
        check(
            "......../......../x......./......../......../......../......../........ x",
            "o has no pieces left, so x",
        );
        check(
            "......../......../......../......../......../......../......../........ o",
            "x has no pieces left, so o",
        );
        check("......../......../...z..../......../......../......../......../........ x", "at d6, found z");
    }
}
