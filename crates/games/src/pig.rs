//! Pig. Two to four players take turns with one die. The player to act rolls or holds. A roll of 2 to 6 is added to
//! the turn's total, and the same player acts again; a 1 loses the total, and the next player acts. Holding adds the
//! total to the player's score, and the next player acts. The first player whose score is at least the goal wins: +1,
//! and each of the others loses an equal share of it, so -1 among two players and -1/3 among four.
//!
//! A player must hold to win. A player with enough to win can only hold, since a roll could only lose it; so a total
//! stays small. Holding nothing is allowed: it passes.
//!
//! Actions are `roll` and `hold`, those of chance `1` to `6`. A position is written as the scores, separated by
//! commas, the turn's total, and the number of the player who acts: `12,30 5 1`. While the die rolls, `roll` follows.

use crate::bits::mix_all;
use aji_search::{Game, Hashed, Keyed, Named, PLAYERS_MAX, PLAYOUT_PLIES_MAX, Payoff, Player, Rng, Turn};
use std::ops::RangeInclusive;

/// The faces of the die.
const FACES: u8 = 6;

/// An action of a player, or of the die.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PigAction {
    /// The player rolls the die.
    Roll,
    /// The player ends the turn, and keeps its total.
    Hold,
    /// The die shows this face, from 1 to 6.
    Face(u8),
}

/// A position of Pig.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pig {
    /// Scores beyond `players` stay 0.
    scores: [u8; PLAYERS_MAX],
    goal: u8,
    players: u8,
    /// Who acts; once the game is over, who won.
    mover: Player,
    total: u8,
    rolling: bool,
}

// A score below the goal and a total that exceeds it by a last roll must fit.
const _: () = assert!(*Pig::GOALS.end() + FACES as usize <= u8::MAX as usize);

impl Pig {
    /// The possible numbers of players.
    pub const PLAYERS: RangeInclusive<usize> = 2..=PLAYERS_MAX;

    /// The possible goals.
    pub const GOALS: RangeInclusive<usize> = 10..=200;

    /// The start of a game with this many players and this goal.
    pub fn new(players: usize, goal: usize) -> Pig {
        debug_assert!(Pig::PLAYERS.contains(&players) && Pig::GOALS.contains(&goal));
        Pig {
            scores: [0; PLAYERS_MAX],
            goal: goal as u8,
            players: players as u8,
            mover: 0,
            total: 0,
            rolling: false,
        }
    }

    fn scores(&self) -> &[u8] {
        &self.scores[..self.players.into()]
    }

    /// The mover's score after holding.
    fn in_reach(&self) -> u8 {
        // A position from a text may hold more than fits; the reader then rejects it.
        self.scores[self.mover as usize].saturating_add(self.total)
    }

    fn is_won(&self) -> bool {
        self.scores[self.mover as usize] >= self.goal
    }

    fn pass(&mut self) {
        self.total = 0;
        self.mover = (self.mover + 1) % self.players;
    }

    fn hold(&mut self) {
        self.scores[self.mover as usize] += self.total;
        if self.is_won() {
            self.total = 0;
        } else {
            self.pass();
        }
    }

    fn show(&mut self, face: u8) {
        self.rolling = false;
        if face == 1 {
            self.pass();
        } else {
            self.total += face;
        }
    }

    /// Reports a part of the position that no game can lead to, if there is one.
    fn check(&self) -> Result<(), String> {
        let highest = self.goal + FACES - 1;
        // Points come in rolls of 2 to 6, whose sums are all numbers but 1.
        if let Some(player) = self.scores().iter().position(|&score| score == 1 || score > highest) {
            let (number, score) = (player + 1, self.scores[player]);
            return Err(format!("score {number} is {score}: expected 0, or 2 to {highest}"));
        }
        if self.total == 1 || self.in_reach() > highest {
            let most = highest.saturating_sub(self.scores[self.mover as usize]);
            return Err(format!("a total of {}: expected 0, or 2 to {most}", self.total));
        }
        let has_won = |&player: &usize| self.scores[player] >= self.goal;
        let mut others = (0..self.scores().len()).filter(|&player| player != usize::from(self.mover));
        if let Some(winner) = others.find(has_won) {
            let number = winner + 1;
            return Err(format!("player {number} has won: expected {number} for who acts"));
        }
        if self.is_won() && self.total > 0 {
            return Err(format!("a total of {} after the end: expected 0", self.total));
        }
        if self.rolling && self.in_reach() >= self.goal {
            return Err(format!("a roll with {} in reach: expected a hold", self.in_reach()));
        }
        Ok(())
    }
}

impl Game for Pig {
    type Action = PigAction;

    #[inline]
    fn turn(&self) -> Turn {
        if self.rolling {
            Turn::Chance
        } else if self.is_won() {
            Turn::Over
        } else {
            Turn::Player(self.mover)
        }
    }

    fn actions(&self, out: &mut Vec<PigAction>) {
        match self.turn() {
            Turn::Over => {}
            Turn::Chance => out.extend((1..=FACES).map(PigAction::Face)),
            Turn::Player(_) if self.in_reach() >= self.goal => out.push(PigAction::Hold),
            Turn::Player(_) => out.extend([PigAction::Roll, PigAction::Hold]),
        }
    }

    #[inline]
    fn play(&mut self, action: PigAction) {
        debug_assert_eq!(self.rolling, matches!(action, PigAction::Face(_)), "{action:?} in {self:?}");
        match action {
            PigAction::Roll => self.rolling = true,
            PigAction::Hold => self.hold(),
            PigAction::Face(face) => self.show(face),
        }
    }

    fn has_chance(&self) -> bool {
        true
    }

    fn payoff(&self) -> Payoff {
        let mut payoff = Payoff::default();
        payoff.0[..self.players.into()].fill(self.payoff_range().0);
        payoff.0[self.mover as usize] = 1.0;
        payoff
    }

    fn players(&self) -> usize {
        self.players.into()
    }

    fn payoff_range(&self) -> (f32, f32) {
        (-1.0 / f32::from(self.players - 1), 1.0)
    }

    /// The same as listing the actions, without the list.
    #[inline]
    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<PigAction>) -> PigAction {
        if self.rolling {
            PigAction::Face(1 + rng.below(FACES.into()) as u8)
        } else if self.in_reach() >= self.goal || rng.below(2) == 0 {
            PigAction::Hold
        } else {
            PigAction::Roll
        }
    }

    /// Plays a whole turn at a time: a coin says whether to roll, and the die follows immediately.
    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<PigAction>) -> Payoff {
        for _ in 0..PLAYOUT_PLIES_MAX {
            if self.is_won() {
                return self.payoff();
            }
            if self.rolling || self.in_reach() < self.goal && rng.below(2) == 1 {
                self.show(1 + rng.below(FACES.into()) as u8);
            } else {
                self.hold();
            }
        }
        Payoff::DRAW
    }
}

impl Keyed for Pig {
    fn key_count(&self) -> usize {
        2 + usize::from(FACES)
    }

    fn key(&self, action: PigAction) -> usize {
        match action {
            PigAction::Roll => 0,
            PigAction::Hold => 1,
            PigAction::Face(face) => 1 + usize::from(face),
        }
    }
}

impl Hashed for Pig {
    fn hash(&self) -> u64 {
        let rest = [self.total, self.mover, self.rolling.into()];
        mix_all(self.scores().iter().copied().chain(rest).map(u64::from))
    }
}

impl Named for Pig {
    fn action_name(&self, action: PigAction) -> String {
        match action {
            PigAction::Roll => "roll".into(),
            PigAction::Hold => "hold".into(),
            PigAction::Face(face) => face.to_string(),
        }
    }

    fn text(&self) -> String {
        let scores: Vec<String> = self.scores().iter().map(u8::to_string).collect();
        let rolling = if self.rolling { " roll" } else { "" };
        format!("{} {} {}{rolling}", scores.join(","), self.total, self.mover + 1)
    }

    fn read(&self, text: &str) -> Result<Pig, String> {
        let words: Vec<&str> = text.split_whitespace().collect();
        let (scores, total, mover, rolling) = match words[..] {
            [scores, total, mover] => (scores, total, mover, false),
            [scores, total, mover, "roll"] => (scores, total, mover, true),
            _ => return Err(format!("\"{text}\": expected the scores, the total, who acts, and maybe roll")),
        };
        let count = scores.split(',').count();
        if count != self.scores().len() {
            let expected = self.players;
            return Err(format!(
                "\"{scores}\": expected {expected} scores separated by commas, found {count}"
            ));
        }
        let points = |text: &str| {
            let most = self.goal + FACES - 1;
            let found = text.parse().ok().filter(|&points: &u8| points <= most);
            found.ok_or_else(|| format!("\"{text}\": expected points, 0 to {most}"))
        };
        let mut pig = Pig { total: points(total)?, rolling, ..*self };
        for (score, text) in pig.scores.iter_mut().zip(scores.split(',')) {
            *score = points(text)?;
        }
        let number = mover.parse().ok().filter(|number| (1..=self.players).contains(number));
        let Some(number) = number else {
            return Err(format!("\"{mover}\": expected 1 to {} for who acts", self.players));
        };
        pig.mover = number - 1;
        pig.check().map_err(|error| format!("\"{text}\": {error}"))?;
        Ok(pig)
    }

    fn board(&self) -> String {
        let mut lines = String::new();
        for (player, score) in (0..).zip(self.scores()) {
            let turn = if player == self.mover { format!(" + {}", self.total) } else { String::new() };
            lines += &format!("{}: {score:>3} of {}{turn}\n", self.player_name(player), self.goal);
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use PigAction::{Face, Hold, Roll};

    fn after(players: usize, goal: usize, actions: &[PigAction]) -> Pig {
        let mut pig = Pig::new(players, goal);
        for &action in actions {
            let mut legal = Vec::new();
            pig.actions(&mut legal);
            assert!(legal.contains(&action), "{action:?} in {pig:?}");
            pig.play(action);
        }
        pig
    }

    #[test]
    fn turns_by_hand() {
        let check = |actions: &[PigAction], expect: &str| {
            assert_eq!(after(3, 10, actions).text(), expect, "{actions:?}");
        };
        check(&[], "0,0,0 0 1");
        check(&[Roll], "0,0,0 0 1 roll");
        check(&[Roll, Face(1)], "0,0,0 0 2");
        check(&[Roll, Face(6)], "0,0,0 6 1");
        check(&[Roll, Face(6), Roll, Face(1)], "0,0,0 0 2");
        check(&[Roll, Face(6), Hold], "6,0,0 0 2");
        check(&[Hold, Hold, Roll, Face(2), Hold, Roll], "0,0,2 0 1 roll");
        check(&[Roll, Face(6), Roll, Face(4), Hold], "10,0,0 0 1");
    }

    #[test]
    fn who_can_win_can_only_hold() {
        let mut actions = Vec::new();
        after(2, 10, &[Roll, Face(6), Roll, Face(4)]).actions(&mut actions);
        assert_eq!(actions, [Hold]);
        actions.clear();
        after(2, 10, &[Roll, Face(6), Roll, Face(3)]).actions(&mut actions);
        assert_eq!(actions, [Roll, Hold]);
    }

    #[test]
    fn the_winner_is_paid() {
        let check = |players: usize, expect: [f32; 4]| {
            let won = after(players, 10, &[Hold, Roll, Face(5), Roll, Face(6), Hold]);
            assert_eq!((won.turn(), won.payoff()), (Turn::Over, Payoff(expect)));
            assert_eq!(won.payoff_range(), (expect[0], 1.0));
        };
        check(2, [-1.0, 1.0, 0.0, 0.0]);
        check(3, [-0.5, 1.0, -0.5, 0.0]);
        check(4, [-1.0 / 3.0, 1.0, -1.0 / 3.0, -1.0 / 3.0]);
    }

    /// The fast playout pays like the plain one. With a goal of 10, the player who begins wins more often.
    #[test]
    fn playouts_are_those_of_random_actions() {
        const PLAYOUTS: u32 = 20_000;
        for start in ["0,0 0 1", "0,0 4 2 roll", "4,7 3 1"] {
            let start = Pig::new(2, 10).read(start).unwrap();
            let (mut rng, mut scratch) = (Rng::seeded(1), Vec::new());
            let mut plain = |_| {
                let mut pig = start;
                while pig.turn() != Turn::Over {
                    scratch.clear();
                    pig.actions(&mut scratch);
                    pig.play(scratch[rng.below(scratch.len())]);
                }
                u32::from(pig.mover == 0)
            };
            let slow: u32 = (0..PLAYOUTS).map(&mut plain).sum();
            let mut rng = Rng::seeded(2);
            let mut quick = |_| u32::from({ start }.playout(&mut rng, &mut Vec::new()).of(0) > 0.0);
            let fast: u32 = (0..PLAYOUTS).map(&mut quick).sum();
            // The difference has a standard deviation of at most 100.
            assert!(slow.abs_diff(fast) < 400, "{start:?}: {slow} and {fast}");
        }
    }

    #[test]
    fn the_die_is_fair() {
        let rolling = after(2, 100, &[Roll]);
        let mut faces = Vec::new();
        rolling.actions(&mut faces);
        assert_eq!(faces, [1, 2, 3, 4, 5, 6].map(Face));
        assert!(faces.iter().all(|&face| rolling.weight(face) == rolling.weight(Face(1))));
        let (mut rng, mut counts) = (Rng::seeded(3), [0; 6]);
        for _ in 0..6_000 {
            let drawn = rolling.random_action(&mut rng, &mut Vec::new());
            counts[faces.iter().position(|&face| face == drawn).unwrap()] += 1;
        }
        // Each count has a standard deviation of 29.
        assert!(counts.iter().all(|count| (880..1_120).contains(count)), "{counts:?}");
    }

    #[test]
    fn scores_are_drawn() {
        let pig = after(2, 50, &[Roll, Face(5), Hold, Roll, Face(3)]);
        assert_eq!(pig.board(), "player 1:   5 of 50\nplayer 2:   0 of 50 + 3\n");
    }

    #[test]
    fn bad_positions_are_refused() {
        let check = |text: &str, expect: &str| {
            let error = Pig::new(2, 20).read(text).unwrap_err();
            assert!(error.contains(expect), "{text}: {error}");
        };
        check("", "expected the scores, the total, who acts, and maybe roll");
        check("3,4 0 1 hold", "expected the scores");
        check("3,4,5 0 1", "expected 2 scores separated by commas, found 3");
        check("3,x 0 1", "\"x\": expected points, 0 to 25");
        check("3,26 0 1", "\"26\": expected points, 0 to 25");
        check("3,4 0 3", "\"3\": expected 1 to 2 for who acts");
        check("3,1 0 1", "score 2 is 1: expected 0, or 2 to 25");
        check("3,4 1 1", "a total of 1: expected 0, or 2 to 22");
        check("3,4 23 1", "a total of 23: expected 0, or 2 to 22");
        check("3,20 0 1", "player 2 has won: expected 2 for who acts");
        check("20,21 0 1", "player 2 has won");
        check("20,3 5 1", "a total of 5 after the end: expected 0");
        check("12,3 8 1 roll", "a roll with 20 in reach: expected a hold");
        check("20,3 0 1 roll", "a roll with 20 in reach");
    }
}
