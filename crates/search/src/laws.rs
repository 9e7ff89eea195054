//! Laws that every game obeys, checked along random games. Run them on your own:
//!
//! ```
//! # use aji_search::{laws, Game, Payoff, Player, Turn};
//! # #[derive(Clone, Debug, PartialEq)]
//! # struct Stones(u32, Player);
//! # impl Game for Stones {
//! #     type Action = u32;
//! #     fn turn(&self) -> Turn {
//! #         if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
//! #     }
//! #     fn actions(&self, out: &mut Vec<u32>) {
//! #         out.extend(1..=self.0.min(3))
//! #     }
//! #     fn play(&mut self, taken: u32) {
//! #         *self = Stones(self.0 - taken, 1 - self.1)
//! #     }
//! #     fn payoff(&self) -> Payoff {
//! #         Payoff::win(1 - self.1)
//! #     }
//! # }
//! assert_eq!(laws::game(&Stones(10, 0), 7), Ok(()));
//! ```
//!
//! An error says which law was broken, and where: the same seed walks the same games.

use crate::{ACTIONS_MAX, Game, Hashed, Keyed, Named, PLAYERS_MAX, Payoff, Turn};
use aji_bandit::Rng;
use std::fmt::Debug;

/// Random games that are walked.
const GAMES: usize = 30;

/// A walk goes no further than this.
const PLIES_MAX: usize = 2_000;

/// What is forgiven in sums of payoffs.
const ROUNDING: f32 = 1e-3;

/// The laws of [`Game`]: actions are there, distinct and playable, and always the same; nothing follows the end;
/// payoffs keep to their range and sum; clones are equal and go on equally.
pub fn game<G: Game + PartialEq + Debug>(start: &G, seed: u64) -> Result<(), String> {
    law((1..=PLAYERS_MAX).contains(&start.players()), || {
        format!("players() is {}, which is not in 1..={PLAYERS_MAX}", start.players())
    })?;
    walk(start, seed, |position, actions, rng| {
        same_actions_again(position, actions)?;
        match position.turn() {
            Turn::Over => return end(position, actions),
            Turn::Chance => {
                law(position.has_chance(), || "chance is to act, but has_chance() is false".into())?;
                weights(position, actions)?;
            }
            Turn::Player(player) => law(usize::from(player) < position.players(), || {
                format!("player {player} is to act, of {}", position.players())
            })?,
        }
        law(!actions.is_empty(), || "the game is not over, but there are no actions".into())?;
        law(actions.len() <= ACTIONS_MAX, || format!("{} actions, more than {ACTIONS_MAX}", actions.len()))?;
        for (index, action) in actions.iter().enumerate() {
            let again = actions[index + 1..].iter().position(|other| other == action);
            law(again.is_none(), || {
                format!("actions {index} and {} are equal", index + 1 + again.unwrap_or(0))
            })?;
            let (mut after, mut twin) = (position.clone(), position.clone());
            after.play(*action);
            twin.play(*action);
            law(after == twin, || format!("action {index} leads a clone elsewhere: {after:?} and {twin:?}"))?;
        }
        random_play(position, actions, rng)
    })
}

/// The law of [`Keyed`]: every key is below the count.
pub fn keyed<G: Keyed>(start: &G, seed: u64) -> Result<(), String> {
    walk(start, seed, |position, actions, _| {
        let count = position.key_count();
        law(count == start.key_count(), || format!("key_count() has changed to {count}"))?;
        let beyond = actions.iter().map(|&action| position.key(action)).find(|&key| key >= count);
        law(beyond.is_none(), || format!("key {} is not below {count}", beyond.unwrap_or(0)))
    })
}

/// The law of [`Hashed`]: along random games, equal positions have equal hashes, and different ones different, both with
/// what the players have so far.
pub fn hashed<G: Hashed + PartialEq + Debug>(start: &G, seed: u64) -> Result<(), String> {
    let mut seen: Vec<(u64, G)> = Vec::new();
    walk(start, seed, |position, _, _| {
        let hash = position.whole_hash();
        if let Some((_, other)) = seen.iter().find(|(other, _)| *other == hash) {
            return law(other == position, || format!("{other:?} and {position:?} have the same hash"));
        }
        let twin = seen.iter().find(|(_, other)| other == position);
        law(twin.is_none(), || format!("{position:?} has two hashes"))?;
        seen.push((hash, position.clone()));
        Ok(())
    })
}

/// The laws of [`Named`]: positions survive the way through text, names are distinct and free of spaces.
pub fn named<G: Named + PartialEq + Debug>(start: &G, seed: u64) -> Result<(), String> {
    walk(start, seed, |position, actions, _| {
        let text = position.text();
        law(!text.contains('\n'), || format!("the text has more than one line: {text:?}"))?;
        let back = start.read(&text).map_err(|error| format!("{text:?} is not understood: {error}"))?;
        law(back == *position, || format!("{text:?} is read as {back:?}, not as {position:?}"))?;
        law(position.board().ends_with('\n'), || "the board does not end in a newline".into())?;
        let mut names: Vec<String> = actions.iter().map(|&action| position.action_name(action)).collect();
        let bad = names.iter().find(|name| name.is_empty() || name.contains(char::is_whitespace));
        law(bad.is_none(), || format!("{bad:?} is no name for an action"))?;
        names.sort_unstable();
        let twins = names.windows(2).find(|pair| pair[0] == pair[1]);
        law(twins.is_none(), || format!("two actions are called {twins:?}"))
    })
}

fn law(kept: bool, broken: impl FnOnce() -> String) -> Result<(), String> {
    if kept { Ok(()) } else { Err(broken()) }
}

/// Calls `check` on every position of some random games, with its actions.
fn walk<G: Game>(
    start: &G,
    seed: u64,
    mut check: impl FnMut(&G, &[G::Action], &mut Rng) -> Result<(), String>,
) -> Result<(), String> {
    let mut rng = Rng::seeded(seed);
    let mut actions = Vec::new();
    for game in 1..=GAMES {
        let mut position = start.clone();
        for ply in 0..PLIES_MAX {
            actions.clear();
            position.actions(&mut actions);
            check(&position, &actions, &mut rng)
                .map_err(|error| format!("game {game}, ply {ply}: {error}"))?;
            if position.turn() == Turn::Over {
                break;
            }
            position.play(actions[rng.below(actions.len())]);
        }
    }
    Ok(())
}

fn same_actions_again<G: Game + PartialEq + Debug>(
    position: &G,
    actions: &[G::Action],
) -> Result<(), String> {
    let (twin, mut again) = (position.clone(), Vec::new());
    law(twin == *position, || format!("a clone differs: {twin:?} and {position:?}"))?;
    twin.actions(&mut again);
    law(again == actions, || "a clone has other actions, or in another order".into())
}

fn end<G: Game>(position: &G, actions: &[G::Action]) -> Result<(), String> {
    law(actions.is_empty(), || format!("the game is over, but there are {} actions", actions.len()))?;
    payoff(position, &position.payoff())
}

fn payoff<G: Game>(position: &G, payoff: &Payoff) -> Result<(), String> {
    let (players, others) = payoff.0.split_at(position.players());
    let (low, high) = position.payoff_range();
    law(players.iter().all(|points| (low..=high).contains(points)), || {
        format!("a payoff of {payoff:?} is not in {low}..={high}")
    })?;
    law(others.iter().all(|&points| points == 0.0), || {
        format!("{payoff:?} pays players that are not there")
    })?;
    let (sum, declared) = (players.iter().sum::<f32>(), position.payoff_sum());
    law(declared.is_none_or(|declared| (sum - declared).abs() < ROUNDING), || {
        format!("{payoff:?} sums to {sum}, not to {declared:?}")
    })
}

fn weights<G: Game>(position: &G, outcomes: &[G::Action]) -> Result<(), String> {
    let weights: Vec<f32> = outcomes.iter().map(|&outcome| position.weight(outcome)).collect();
    let sound = weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
    law(sound && weights.iter().sum::<f32>() > 0.0, || format!("odds of {weights:?}"))
}

/// Random actions are legal, and a whole playout pays what it may.
fn random_play<G: Game>(position: &G, actions: &[G::Action], rng: &mut Rng) -> Result<(), String> {
    let mut scratch = Vec::new();
    let legal = (0..4).all(|_| actions.contains(&position.random_action(rng, &mut scratch)));
    law(legal, || "random_action() is not among the actions".into())?;
    let paid = position.clone().playout(rng, &mut scratch);
    payoff(position, &paid).map_err(|error| format!("after playout(): {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game of two plies that breaks one law at a time.
    #[derive(Clone, Debug, PartialEq)]
    struct Faulty {
        fault: &'static str,
        ply: u8,
    }

    impl Game for Faulty {
        type Action = u8;

        fn turn(&self) -> Turn {
            match self.ply {
                2 => Turn::Over,
                1 if self.fault == "player" => Turn::Player(2),
                _ => Turn::Player(self.ply),
            }
        }

        fn actions(&self, out: &mut Vec<u8>) {
            match (self.fault, self.ply) {
                ("none", 1) | ("", 2) => {}
                ("twice", _) => out.extend([1, 2, 1]),
                ("after", 2) => out.push(1),
                (_, 2) => {}
                _ => out.extend([1, 2]),
            }
        }

        fn play(&mut self, _action: u8) {
            self.ply += 1;
        }

        fn payoff(&self) -> Payoff {
            match self.fault {
                "sum" => Payoff([1.0, 1.0, 0.0, 0.0]),
                "range" => Payoff::margin(3.0),
                "absent" => Payoff([1.0, -1.0, 1.0, 0.0]),
                _ => Payoff::DRAW,
            }
        }

        fn random_action(&self, _rng: &mut Rng, _scratch: &mut Vec<u8>) -> u8 {
            if self.fault == "random" { 9 } else { 1 }
        }
    }

    impl Keyed for Faulty {
        fn key_count(&self) -> usize {
            2
        }

        fn key(&self, action: u8) -> usize {
            action.into()
        }
    }

    impl Hashed for Faulty {
        fn hash(&self) -> u64 {
            1
        }
    }

    #[test]
    fn each_fault_is_found() {
        let check = |fault, expect: &str| {
            let found = game(&Faulty { fault, ply: 0 }, 1).err().unwrap_or_default();
            assert!(found.contains(expect), "{fault}: {found:?}");
        };
        assert_eq!(game(&Faulty { fault: "", ply: 0 }, 1), Ok(()));
        check("player", "player 2 is to act, of 2");
        check("none", "ply 1: the game is not over, but there are no actions");
        check("twice", "actions 0 and 2 are equal");
        check("after", "the game is over, but there are 1 actions");
        check("sum", "sums to 2");
        check("range", "is not in -1..=1");
        check("absent", "players that are not there");
        check("random", "random_action()");
        let sound = Faulty { fault: "", ply: 0 };
        assert!(keyed(&sound, 1).unwrap_err().contains("key 2 is not below 2"));
        assert!(hashed(&sound, 1).unwrap_err().contains("have the same hash"));
    }
}
