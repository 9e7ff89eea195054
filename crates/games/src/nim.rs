//! Nim. There are heaps of objects, and two to four players who move in turn. A move takes any number of objects, at
//! least one, from one heap. In normal play the player who takes the last object wins: +1, and each of the others
//! loses an equal share of it, so -1 among two players and -1/3 among four. In misère play the player who takes the
//! last object loses: -1, and each of the others wins an equal share of it.
//!
//! Actions are written heap:take, the heaps numbered from 1: `2:3` takes three objects from the second heap. A
//! position is written as the heaps, separated by commas, and the number of the player who moves: `3,4,5 1`.

use crate::bits::mix_all;
use aji_search::{ACTIONS_MAX, Game, Hashed, Keyed, Named, PLAYERS_MAX, Payoff, Player, Rng, Turn};
use std::ops::RangeInclusive;

const HEAPS_MAX: usize = Nim::HEAPS_MAX;
const HEAP_MAX: usize = Nim::HEAP_MAX as usize;

// The number of actions is the number of objects.
const _: () = assert!(HEAPS_MAX * HEAP_MAX <= ACTIONS_MAX);

/// The most objects of a heap that are drawn.
const DRAWN_MAX: usize = 60;

/// A move: how many objects to take from which heap, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NimAction {
    /// The heap, from 0.
    pub heap: u8,
    /// How many objects, from 1.
    pub take: u16,
}

/// A position of Nim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nim {
    /// Heaps beyond `heap_count` stay empty.
    heaps: [u16; HEAPS_MAX],
    objects: u16,
    heap_count: u8,
    players: u8,
    mover: Player,
    misere: bool,
}

impl Nim {
    /// The possible numbers of players.
    pub const PLAYERS: RangeInclusive<usize> = 2..=PLAYERS_MAX;

    /// The most heaps.
    pub const HEAPS_MAX: usize = 16;

    /// The most objects in a heap.
    pub const HEAP_MAX: u16 = 1_000;

    /// The start of a game with these heaps and this many players, the first to move. They must pass
    /// [`check`](Nim::check).
    pub fn new(heaps: &[u16], players: usize, misere: bool) -> Nim {
        debug_assert_eq!(Nim::check(heaps, players), Ok(()));
        let mut nim = Nim {
            heaps: [0; HEAPS_MAX],
            objects: heaps.iter().sum(),
            heap_count: heaps.len() as u8,
            players: players as u8,
            mover: 0,
            misere,
        };
        nim.heaps[..heaps.len()].copy_from_slice(heaps);
        nim
    }

    /// Reports what is wrong with the heaps and the players of a new game, if anything.
    pub fn check(heaps: &[u16], players: usize) -> Result<(), String> {
        if !Nim::PLAYERS.contains(&players) {
            return Err(format!("{players} players: expected 2 to {PLAYERS_MAX}"));
        }
        if !(1..=HEAPS_MAX).contains(&heaps.len()) {
            return Err(format!("{} heaps: expected 1 to {HEAPS_MAX}", heaps.len()));
        }
        if let Some(heap) = heaps.iter().position(|&objects| objects > Nim::HEAP_MAX) {
            let (number, objects) = (heap + 1, heaps[heap]);
            return Err(format!("heap {number} has {objects} objects: expected at most {HEAP_MAX}"));
        }
        if heaps.iter().all(|&objects| objects == 0) {
            return Err("all heaps are empty: expected an object to take".to_string());
        }
        Ok(())
    }

    fn heaps(&self) -> &[u16] {
        &self.heaps[..self.heap_count.into()]
    }

    /// What each of the others gets for every point of the player who takes the last object.
    fn share(&self) -> f32 {
        -1.0 / f32::from(self.players - 1)
    }
}

/// The objects of one heap, as written.
fn read_heap(text: &str, number: usize) -> Result<u16, String> {
    let objects = text.parse().ok().filter(|&objects| objects <= Nim::HEAP_MAX);
    objects.ok_or_else(|| format!("heap {number} \"{text}\": expected a number of objects, 0 to {HEAP_MAX}"))
}

impl Game for Nim {
    type Action = NimAction;

    #[inline]
    fn turn(&self) -> Turn {
        if self.objects == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn actions(&self, out: &mut Vec<NimAction>) {
        for (heap, &objects) in (0..).zip(self.heaps()) {
            out.extend((1..=objects).map(|take| NimAction { heap, take }));
        }
    }

    #[inline]
    fn play(&mut self, action: NimAction) {
        let heap = &mut self.heaps[action.heap as usize];
        debug_assert!((1..=*heap).contains(&action.take), "{action:?} from a heap of {heap}");
        *heap -= action.take;
        self.objects -= action.take;
        self.mover = (self.mover + 1) % self.players;
    }

    fn payoff(&self) -> Payoff {
        let last = (self.mover + self.players - 1) % self.players;
        let points = if self.misere { -1.0 } else { 1.0 };
        let mut payoff = Payoff::default();
        payoff.0[..self.players.into()].fill(points * self.share());
        payoff.0[last as usize] = points;
        payoff
    }

    fn players(&self) -> usize {
        self.players.into()
    }

    fn payoff_range(&self) -> (f32, f32) {
        if self.misere { (-1.0, -self.share()) } else { (self.share(), 1.0) }
    }

    /// Picks a random object, and takes it with all that are before it in its heap.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<NimAction>) -> NimAction {
        let mut object = rng.below(self.objects.into()) as u16;
        let mut heap = 0;
        while object >= self.heaps[heap] {
            object -= self.heaps[heap];
            heap += 1;
        }
        NimAction { heap: heap as u8, take: object + 1 }
    }
}

impl Keyed for Nim {
    fn key_count(&self) -> usize {
        self.heaps().len() * HEAP_MAX
    }

    /// The heap, and what is left of it.
    fn key(&self, action: NimAction) -> usize {
        let heap = action.heap as usize;
        heap * HEAP_MAX + usize::from(self.heaps[heap] - action.take)
    }
}

impl Hashed for Nim {
    fn hash(&self) -> u64 {
        let numbers = self.heaps().iter().copied().chain([self.mover.into()]);
        mix_all(numbers.map(u64::from))
    }
}

impl Named for Nim {
    fn action_name(&self, action: NimAction) -> String {
        format!("{}:{}", action.heap + 1, action.take)
    }

    fn text(&self) -> String {
        let heaps: Vec<String> = self.heaps().iter().map(u16::to_string).collect();
        format!("{} {}", heaps.join(","), self.mover + 1)
    }

    /// Reads any heaps, if their number is that of this game.
    fn read(&self, text: &str) -> Result<Nim, String> {
        let mut words = text.split_whitespace();
        let (Some(heaps), Some(mover), None) = (words.next(), words.next(), words.next()) else {
            return Err(format!("\"{text}\": expected the heaps, a space, and the number of who moves"));
        };
        let count = heaps.split(',').count();
        if count != self.heaps().len() {
            let expected = self.heaps().len();
            return Err(format!("\"{heaps}\": expected {expected} heaps separated by commas, found {count}"));
        }
        let mut nim = Nim { objects: 0, ..*self };
        for (heap, objects) in heaps.split(',').enumerate() {
            nim.heaps[heap] = read_heap(objects, heap + 1)?;
            nim.objects += nim.heaps[heap];
        }
        let number = mover.parse().ok().filter(|number| (1..=self.players).contains(number));
        let Some(number) = number else {
            return Err(format!("\"{mover}\": expected 1 to {} for who moves", self.players));
        };
        nim.mover = number - 1;
        Ok(nim)
    }

    fn board(&self) -> String {
        let mut lines = String::new();
        for (number, &objects) in (1..).zip(self.heaps()) {
            let drawn = "*".repeat(DRAWN_MAX.min(objects.into()));
            let rest = if usize::from(objects) > DRAWN_MAX { " ..." } else { "" };
            let line = format!("{number:>3}: {objects:>4}  {drawn}{rest}");
            lines += line.trim_end();
            lines.push('\n');
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether the mover of a two-player game can win, by full search.
    fn can_win(nim: &Nim) -> bool {
        if nim.objects == 0 {
            return nim.payoff().of(nim.mover) > 0.0;
        }
        let mut actions = Vec::new();
        nim.actions(&mut actions);
        actions.into_iter().any(|action| {
            let mut next = *nim;
            next.play(action);
            !can_win(&next)
        })
    }

    #[test]
    fn the_sum_without_carry_says_who_wins() {
        for heaps in (0..5u16).flat_map(|a| (0..5).flat_map(move |b| (1..5).map(move |c| [a, b, c]))) {
            let sum = heaps[0] ^ heaps[1] ^ heaps[2];
            assert_eq!(can_win(&Nim::new(&heaps, 2, false)), sum != 0, "{heaps:?}");
            // Misère is the same except at the end, when all heaps are single objects.
            let singles = heaps.iter().all(|&heap| heap <= 1);
            assert_eq!(can_win(&Nim::new(&heaps, 2, true)), (sum != 0) != singles, "{heaps:?} misère");
        }
    }

    #[test]
    fn who_takes_the_last_is_paid() {
        let check = |players: usize, misere: bool, expect: [f32; 4]| {
            let mut nim = Nim::new(&[1, 1], players, misere);
            let (low, high) = nim.payoff_range();
            nim.play(NimAction { heap: 0, take: 1 });
            assert_eq!(nim.turn(), Turn::Player(1));
            nim.play(NimAction { heap: 1, take: 1 });
            assert_eq!((nim.turn(), nim.payoff()), (Turn::Over, Payoff(expect)));
            assert!(expect.iter().sum::<f32>().abs() < 1e-6);
            let paid = &expect[..players];
            assert!(paid.contains(&low) && paid.contains(&high));
            assert!(paid.iter().all(|points| (low..=high).contains(points)));
        };
        check(2, false, [-1.0, 1.0, 0.0, 0.0]);
        check(2, true, [1.0, -1.0, 0.0, 0.0]);
        check(3, false, [-0.5, 1.0, -0.5, 0.0]);
        check(3, true, [0.5, -1.0, 0.5, 0.0]);
        check(4, false, [-1.0 / 3.0, 1.0, -1.0 / 3.0, -1.0 / 3.0]);
        check(4, true, [1.0 / 3.0, -1.0, 1.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn games_can_be_written_down() {
        let mut rng = Rng::seeded(1);
        for players in 2..=4 {
            let mut nim = Nim::new(&[7, 0, 1_000, 12], players, false);
            let mut mover = 0;
            while nim.turn() != Turn::Over {
                assert_eq!(nim.turn(), Turn::Player(mover));
                assert_eq!(nim.read(&nim.text()), Ok(nim));
                nim.play(nim.random_action(&mut rng, &mut Vec::new()));
                mover = (mover + 1) % players as Player;
            }
            assert_eq!(nim.read(&nim.text()), Ok(nim));
        }
    }

    #[test]
    fn random_actions_are_the_actions_alike() {
        let mut rng = Rng::seeded(2);
        let nim = Nim::new(&[3, 0, 5, 2], 2, false);
        let mut actions = Vec::new();
        nim.actions(&mut actions);
        assert_eq!(actions.len(), 10);
        let mut counts = [0; 10];
        for _ in 0..10_000 {
            let drawn = nim.random_action(&mut rng, &mut Vec::new());
            counts[actions.iter().position(|&action| action == drawn).unwrap()] += 1;
        }
        // Each count has a standard deviation of 30.
        assert!(counts.iter().all(|count| (880..1_120).contains(count)), "{counts:?}");
    }

    #[test]
    fn keys_are_what_is_left() {
        let nim = Nim::new(&[3, 1_000], 2, false);
        let check = |heap, take, expect| assert_eq!(nim.key(NimAction { heap, take }), expect);
        check(0, 3, 0);
        check(0, 1, 2);
        check(1, 1_000, 1_000);
        check(1, 1, 1_999);
        assert_eq!(nim.key_count(), 2_000);
    }

    #[test]
    fn heaps_are_drawn() {
        let nim = Nim::new(&[3, 0, 61], 3, false);
        assert_eq!(nim.board(), format!("  1:    3  ***\n  2:    0\n  3:   61  {} ...\n", "*".repeat(60)));
        assert_eq!(nim.action_name(NimAction { heap: 2, take: 17 }), "3:17");
        assert_eq!(nim.text(), "3,0,61 1");
    }

    #[test]
    fn bad_starts_are_refused() {
        let check = |heaps: &[u16], players: usize, expect: &str| {
            assert_eq!(Nim::check(heaps, players).err().unwrap_or_default(), expect);
        };
        check(&[1], 1, "1 players: expected 2 to 4");
        check(&[1], 5, "5 players: expected 2 to 4");
        check(&[], 2, "0 heaps: expected 1 to 16");
        check(&[1; 17], 2, "17 heaps: expected 1 to 16");
        check(&[1, 1_001], 2, "heap 2 has 1001 objects: expected at most 1000");
        check(&[0, 0], 2, "all heaps are empty: expected an object to take");
        check(&[1_000; 16], 4, "");
    }

    #[test]
    fn bad_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Nim::new(&[3, 4, 5], 3, false).read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "expected the heaps, a space, and the number of who moves");
        check("3,4,5", "expected the heaps");
        check("3,4,5 1 2", "expected the heaps");
        check("3,4 1", "\"3,4\": expected 3 heaps separated by commas, found 2");
        check("3,x,5 1", "heap 2 \"x\": expected a number of objects, 0 to 1000");
        check("3,4,1001 1", "heap 3 \"1001\": expected a number of objects");
        check("3,,5 1", "heap 2 \"\": expected a number");
        check("3,4,5 4", "\"4\": expected 1 to 3 for who moves");
        check("3,4,5 0", "\"0\": expected 1 to 3 for who moves");
    }
}
