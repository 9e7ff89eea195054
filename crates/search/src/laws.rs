//! Laws that every game obeys, checked along random games. Run them on your own:
//!
//! ```
//! # use aji_search::{laws, Game, Payoff, Player, Turn};
//! # #[derive(Clone)]
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
//! An error says which law was broken, after which moves, and what would be right. The same seed walks the same games.
//! [`game`] needs only [`Game`]; the other functions check the laws of further traits.
//!
//! A panic of the game counts as a broken law. The checks do not detect a game whose own [`Game::playout`] never
//! returns.

use crate::playout::PLAYOUT_PLIES_MAX;
use crate::{ACTIONS_MAX, Game, Hashed, Keyed, Named, PLAYERS_MAX, Payoff, Turn};
use aji_bandit::Rng;
use std::any::Any;
use std::fmt::{self, Debug};
use std::panic::{AssertUnwindSafe, catch_unwind};

/// How many random games are checked.
pub const GAMES: usize = 30;

/// The most plies of a game at which positions are checked. After that, a game is only played on, to see that it ends.
const PLIES_MAX: usize = 2_000;

/// The tolerance for sums of payoffs.
const ROUNDING: f32 = 1e-3;

/// The most moves that a message shows.
const MOVES_SHOWN_MAX: usize = 40;

/// A law that a game broke.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// Which law.
    pub law: &'static str,
    /// The moves from the start to the position, by their places in [`Game::actions`].
    pub moves: Vec<usize>,
    /// What was found, and what would be right.
    pub found: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Broken { law, moves, found } = self;
        write!(f, "law of {law}, ")?;
        if moves.is_empty() {
            return write!(f, "at the start: {found}");
        }
        let shown: Vec<String> = moves.iter().take(MOVES_SHOWN_MAX).map(usize::to_string).collect();
        let more = if moves.len() > MOVES_SHOWN_MAX { " ..." } else { "" };
        write!(f, "ply {} after moves {}{more} by place: {found}", moves.len(), shown.join(" "))
    }
}

impl std::error::Error for Broken {}

/// A broken law and what was found, without the moves that led there.
type Fault = (&'static str, String);

/// The laws of [`Game`]. Positions have actions, which are distinct and always the same. Games end, and no action
/// follows the end. Payoffs keep to their range and sum. The odds of chance are valid. Random play is legal.
pub fn game<G: Game>(start: &G, seed: u64) -> Result<(), Broken> {
    let players = start.players();
    let (low, high) = start.payoff_range();
    let at_start = |(law, found)| Broken { law, moves: Vec::new(), found };
    law("players", (1..=PLAYERS_MAX).contains(&players), || {
        format!("players() is {players}: it should be 1 to {PLAYERS_MAX}")
    })
    .map_err(at_start)?;
    law("payoffs", low < high && low.is_finite() && high.is_finite(), || {
        format!("payoff_range() is {low} to {high}: it should be two finite numbers, the lower first")
    })
    .map_err(at_start)?;
    walk(start, seed, |position, actions, _| {
        law("players", position.players() == players, || {
            format!("players() has become {}: it should stay {players}", position.players())
        })?;
        position_laws(position, actions)
    })?;
    // Playouts run ahead of the walk. So they start only after the walks have found nothing.
    walk(start, seed, |position, actions, rng| match position.turn() {
        Turn::Over => Ok(()),
        _ => random_play(position, actions, rng),
    })
}

/// The law of `PartialEq`: a clone is equal, and stays equal after the same action.
pub fn compared<G: Game + PartialEq + Debug>(start: &G, seed: u64) -> Result<(), Broken> {
    walk(start, seed, |position, actions, _| {
        let twin = position.clone();
        law("equality", twin == *position, || {
            format!("a clone differs: {twin:?} and {position:?} should be equal")
        })?;
        for (index, &action) in actions.iter().enumerate() {
            let (mut after, mut twin) = (position.clone(), position.clone());
            after.play(action);
            twin.play(action);
            law("equality", after == twin, || {
                format!("action {index} leads a clone elsewhere: {after:?} and {twin:?} should be equal")
            })?;
        }
        Ok(())
    })
}

/// The law of [`Keyed`]: every key is below the count.
pub fn keyed<G: Keyed>(start: &G, seed: u64) -> Result<(), Broken> {
    walk(start, seed, |position, actions, _| {
        let count = position.key_count();
        law("keys", count == start.key_count(), || {
            format!("key_count() has changed to {count}: it should stay {}", start.key_count())
        })?;
        let beyond = actions.iter().map(|&action| position.key(action)).find(|&key| key >= count);
        law("keys", beyond.is_none(), || format!("key {} is not below {count}", beyond.unwrap_or(0)))
    })
}

/// The laws of [`Hashed`], along random games: equal positions have equal hashes, and positions with the same whole
/// hash are equal. Equal positions may differ in their whole hash, if their history forbids different actions.
pub fn hashed<G: Hashed + PartialEq + Debug>(start: &G, seed: u64) -> Result<(), Broken> {
    let mut seen: Vec<(u64, G)> = Vec::new();
    walk(start, seed, |position, _, _| {
        let hash = position.whole_hash();
        if let Some((_, other)) = seen.iter().find(|(other, _)| *other == hash) {
            return law("hashes", other == position, || {
                format!(
                    "{other:?} and {position:?} have the same hash: different positions should differ in it"
                )
            });
        }
        let twin = seen.iter().find(|(_, other)| other == position);
        law("hashes", twin.is_none_or(|(_, twin)| twin.hash() == position.hash()), || {
            format!("{position:?} has two hashes: equal positions should have one")
        })?;
        seen.push((hash, position.clone()));
        Ok(())
    })
}

/// The laws of [`Named`]: reading a position's text gives the same position, and names are distinct and have no spaces.
pub fn named<G: Named + PartialEq + Debug>(start: &G, seed: u64) -> Result<(), Broken> {
    text(start, seed)?;
    walk(start, seed, |position, _, _| {
        let text = position.text();
        let back = read(start, &text)?;
        law("names", back == *position, || format!("{text:?} is read as {back:?}, not as {position:?}"))
    })
}

/// The laws of [`Named`] that need no comparison of positions: reading a text gives a position with the same text and
/// the same player to act.
pub fn text<G: Named>(start: &G, seed: u64) -> Result<(), Broken> {
    walk(start, seed, |position, actions, _| {
        let text = position.text();
        law("names", !text.contains('\n'), || format!("the text {text:?} should be one line"))?;
        law("names", position.board().ends_with('\n'), || "the board should end in a newline".into())?;
        let mut names: Vec<String> = actions.iter().map(|&action| position.action_name(action)).collect();
        let back = read(start, &text)?;
        law("names", back.text() == text && back.turn() == position.turn(), || {
            let (turn, turn_back) = (position.turn(), back.turn());
            format!("{text:?} with {turn:?} to act is read as {:?} with {turn_back:?}", back.text())
        })?;
        let bad = names.iter().find(|name| name.is_empty() || name.contains(char::is_whitespace));
        law("names", bad.is_none(), || {
            format!(
                "an action is called {:?}: a name should have letters and no spaces",
                bad.map_or("", |name| name)
            )
        })?;
        names.sort_unstable();
        let twins = names.windows(2).find(|pair| pair[0] == pair[1]);
        law("names", twins.is_none(), || {
            format!(
                "two actions are called {:?}: each should have its own name",
                twins.map_or("", |pair| &pair[0])
            )
        })
    })
}

fn read<G: Named>(start: &G, text: &str) -> Result<G, Fault> {
    start
        .read(text)
        .map_err(|error| ("names", format!("read() should understand {text:?}, but says: {error}")))
}

fn law(name: &'static str, kept: bool, broken: impl FnOnce() -> String) -> Result<(), Fault> {
    if kept { Ok(()) } else { Err((name, broken())) }
}

/// Calls `check` on every position of some random games, with its actions. Games must end, and positions that are not
/// over must have actions.
fn walk<G: Game>(
    start: &G,
    seed: u64,
    mut check: impl FnMut(&G, &[G::Action], &mut Rng) -> Result<(), Fault>,
) -> Result<(), Broken> {
    let mut rng = Rng::seeded(seed);
    for _ in 0..GAMES {
        let mut moves = Vec::new();
        let walked = catch_unwind(AssertUnwindSafe(|| walk_game(start, &mut rng, &mut moves, &mut check)));
        let fault = match walked {
            Ok(Ok(())) => continue,
            Ok(Err(fault)) => fault,
            Err(panic) => ("no panics", format!("the game panics: {}", message(&*panic))),
        };
        let (law, found) = fault;
        return Err(Broken { law, moves, found });
    }
    Ok(())
}

/// The message of a panic.
fn message(panic: &dyn Any) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a message")
}

/// Plays one random game. `moves` holds the moves so far.
fn walk_game<G: Game>(
    start: &G,
    rng: &mut Rng,
    moves: &mut Vec<usize>,
    check: &mut impl FnMut(&G, &[G::Action], &mut Rng) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let (mut position, mut actions) = (start.clone(), Vec::new());
    for _ in 0..PLIES_MAX {
        actions.clear();
        position.actions(&mut actions);
        check(&position, &actions, rng)?;
        if position.turn() == Turn::Over {
            return Ok(());
        }
        law("actions", !actions.is_empty(), || {
            "the game is not over, but there are no actions: list one, or answer Turn::Over".into()
        })?;
        let place = rng.below(actions.len());
        position.play(actions[place]);
        moves.push(place);
    }
    for _ in 0..PLAYOUT_PLIES_MAX {
        if position.turn() == Turn::Over {
            return Ok(());
        }
        let action = position.random_action(rng, &mut actions);
        position.play(action);
    }
    Err((
        "ends",
        format!(
            "a playout from here does not end in {PLAYOUT_PLIES_MAX} plies: Turn::Over should come sooner"
        ),
    ))
}

/// The laws of one position.
fn position_laws<G: Game>(position: &G, actions: &[G::Action]) -> Result<(), Fault> {
    let mut again = Vec::new();
    position.clone().actions(&mut again);
    law("actions", again == actions, || {
        "a clone has other actions, or in another order: they should always be the same".into()
    })?;
    match position.turn() {
        Turn::Over => return end(position, actions),
        Turn::Chance => {
            law("chance", position.has_chance(), || {
                "chance is to act, but has_chance() is false: it should be true".into()
            })?;
            weights(position, actions)?;
        }
        Turn::Player(player) => law("players", usize::from(player) < position.players(), || {
            let players = position.players();
            format!("player {player} is to act, of {players}: players are numbered 0 to {}", players - 1)
        })?,
    }
    law("actions", actions.len() <= ACTIONS_MAX, || {
        format!("there are {} actions: at most {ACTIONS_MAX} are allowed", actions.len())
    })?;
    for (index, action) in actions.iter().enumerate() {
        let twin = actions[index + 1..].iter().position(|other| other == action);
        law("actions", twin.is_none(), || {
            format!(
                "actions {index} and {} are equal: each should be listed once",
                index + 1 + twin.unwrap_or(0)
            )
        })?;
    }
    Ok(())
}

fn end<G: Game>(position: &G, actions: &[G::Action]) -> Result<(), Fault> {
    law("actions", actions.is_empty(), || {
        format!("the game is over, but there are {} actions: there should be none", actions.len())
    })?;
    payoff(position, &position.payoff())
}

fn payoff<G: Game>(position: &G, payoff: &Payoff) -> Result<(), Fault> {
    let (players, others) = payoff.0.split_at(position.players());
    let (low, high) = position.payoff_range();
    law("payoffs", players.iter().all(|points| (low..=high).contains(points)), || {
        format!("the players get {players:?}: payoff_range() says {low} to {high}")
    })?;
    law("payoffs", others.iter().all(|&points| points == 0.0), || {
        format!("{payoff:?} pays players that are not there: theirs should be 0")
    })?;
    let (sum, declared) = (players.iter().sum::<f32>(), position.payoff_sum());
    law("payoffs", declared.is_none_or(|declared| (sum - declared).abs() < ROUNDING), || {
        format!("{players:?} sums to {sum}: payoff_sum() says {}", declared.unwrap_or(0.0))
    })
}

fn weights<G: Game>(position: &G, outcomes: &[G::Action]) -> Result<(), Fault> {
    let weights: Vec<f32> = outcomes.iter().map(|&outcome| position.weight(outcome)).collect();
    let sound = weights.iter().all(|weight| weight.is_finite() && *weight >= 0.0);
    law("chance", sound, || {
        format!("weight() gives the odds {weights:?}: none should be negative, infinite or no number")
    })?;
    law("chance", outcomes.is_empty() || weights.iter().sum::<f32>() > 0.0, || {
        format!("weight() gives the odds {weights:?}, which sum to nothing: one at least should be positive")
    })
}

/// Random actions are legal, and a whole playout's payoff is valid.
fn random_play<G: Game>(position: &G, actions: &[G::Action], rng: &mut Rng) -> Result<(), Fault> {
    let mut scratch = Vec::new();
    let legal = (0..4).all(|_| actions.contains(&position.random_action(rng, &mut scratch)));
    law("playouts", legal, || "random_action() is not among the actions: it should be one of them".into())?;
    let paid = position.clone().playout(rng, &mut scratch);
    payoff(position, &paid).map_err(|(law, found)| (law, format!("after playout(): {found}")))
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
                1 if self.fault.starts_with("odds") => Turn::Chance,
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
            match self.fault {
                "endless" => self.ply = 1 - self.ply,
                "panic" if self.ply == 1 => panic!("out of order"),
                _ => self.ply += 1,
            }
        }

        fn has_chance(&self) -> bool {
            self.fault != "odds undeclared"
        }

        fn payoff_range(&self) -> (f32, f32) {
            if self.fault == "no range" { (1.0, -1.0) } else { (-1.0, 1.0) }
        }

        fn weight(&self, outcome: u8) -> f32 {
            match self.fault {
                "odds none" => 0.0,
                "odds negative" => f32::from(outcome) - 1.5,
                _ => 1.0,
            }
        }

        fn payoff(&self) -> Payoff {
            match self.fault {
                "sum" => Payoff([1.0, 1.0, 0.0, 0.0]),
                "range" => Payoff::margin(3.0),
                "absent" => Payoff([1.0, -1.0, 1.0, 0.0]),
                "nan" => Payoff([f32::NAN, 0.0, 0.0, 0.0]),
                _ => Payoff::DRAW,
            }
        }

        fn playout_actions(&self, out: &mut Vec<u8>) {
            self.actions(out);
            out.iter_mut().filter(|_| self.fault == "random").for_each(|action| *action = 9);
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

    /// A game of one ply, whose two ends are equal but have different hashes.
    #[derive(Clone, Debug)]
    struct Twins(u64);

    impl PartialEq for Twins {
        fn eq(&self, other: &Twins) -> bool {
            (self.0 == 0) == (other.0 == 0)
        }
    }

    impl Game for Twins {
        type Action = u64;

        fn turn(&self) -> Turn {
            if self.0 == 0 { Turn::Player(0) } else { Turn::Over }
        }

        fn actions(&self, out: &mut Vec<u64>) {
            out.extend([1, 2].iter().filter(|_| self.0 == 0));
        }

        fn play(&mut self, action: u64) {
            self.0 = action;
        }

        fn payoff(&self) -> Payoff {
            Payoff::DRAW
        }
    }

    impl Hashed for Twins {
        fn hash(&self) -> u64 {
            self.0
        }
    }

    /// The whole message, or "sound" if no law is broken.
    fn found(fault: &'static str) -> String {
        game(&Faulty { fault, ply: 0 }, 1).map_or_else(|broken| broken.to_string(), |()| "sound".into())
    }

    #[test]
    fn each_fault_is_found() {
        let check = |fault, expect: &str| assert!(found(fault).contains(expect), "{fault}: {}", found(fault));
        assert_eq!(found(""), "sound");
        check("player", "player 2 is to act, of 2: players are numbered 0 to 1");
        check("twice", "actions 0 and 2 are equal");
        check("after", "the game is over, but there are 1 actions");
        check("sum", "sums to 2: payoff_sum() says 0");
        check("range", "the players get [3.0, -3.0]: payoff_range() says -1 to 1");
        check("no range", "payoff_range() is 1 to -1");
        check("nan", "the players get [NaN, 0.0]: payoff_range() says -1 to 1");
        check("absent", "players that are not there");
        check("random", "random_action()");
        check("odds undeclared", "has_chance() is false");
        check("odds none", "weight() gives the odds [0.0, 0.0], which sum to nothing");
        check("odds negative", "weight() gives the odds [-0.5, 0.5]: none should be negative");
        check("endless", "does not end in 100000 plies");
        check("panic", "the game panics: out of order");
    }

    #[test]
    fn a_message_says_where() {
        let none = found("none");
        assert!(none.starts_with("law of actions, ply 1 after moves "), "{none}");
        assert!(none.ends_with("there are no actions: list one, or answer Turn::Over"), "{none}");
        assert!(found("no range").starts_with("law of payoffs, at the start: "));
        assert!(found("endless").len() < 300, "{}", found("endless"));
    }

    #[test]
    fn other_traits_have_laws_of_their_own() {
        let sound = Faulty { fault: "", ply: 0 };
        assert_eq!(compared(&sound, 1), Ok(()));
        assert!(keyed(&sound, 1).unwrap_err().found.contains("key 2 is not below 2"));
        assert!(hashed(&sound, 1).unwrap_err().found.contains("have the same hash"));
        assert!(hashed(&Twins(0), 1).unwrap_err().found.contains("has two hashes"));
        // A walk does not panic if a position that is not over has no actions.
        let none = Faulty { fault: "none", ply: 0 };
        assert_eq!(compared(&none, 1).unwrap_err().law, "actions");
    }
}
