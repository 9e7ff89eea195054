//! The trait of games that every engine here can search, and the playouts that all engines share.

use aji_search::{Game, Hashed, Payoff, Player, Rng, Turn};
use std::fmt::Debug;
use std::sync::atomic::{AtomicU64, Ordering};

/// The random generator and the scratch memory of playouts. Most peers cannot store them, so each thread has one per
/// game.
pub struct Tools<A> {
    pub rng: Rng,
    pub scratch: Vec<A>,
}

impl<A> Default for Tools<A> {
    fn default() -> Tools<A> {
        Tools { rng: Rng::seeded(0), scratch: Vec::new() }
    }
}

/// A zero-sum game without chance, in which two players alternate, one action each. (minimax and board-game assume
/// alternation.) [`contests!`](crate::contests) implements it.
pub trait Contest:
    Hashed<Action: Debug + Send + Sync> + Copy + Debug + PartialEq + Send + Sync + 'static
{
    /// Works with this thread's tools. `work` must not call this again.
    fn with_tools<R>(work: impl FnOnce(&mut Tools<Self::Action>) -> R) -> R;
}

/// Implements [`Contest`] for games.
#[macro_export]
macro_rules! contests {
    ($($game:ty),* $(,)?) => {
        $(impl $crate::contest::Contest for $game {
            #[inline(always)]
            fn with_tools<R>(
                work: impl FnOnce(&mut $crate::contest::Tools<<$game as aji_search::Game>::Action>) -> R,
            ) -> R {
                thread_local! {
                    static TOOLS: std::cell::RefCell<
                        $crate::contest::Tools<<$game as aji_search::Game>::Action>,
                    > = std::cell::RefCell::default();
                }
                TOOLS.with_borrow_mut(work)
            }
        })*
    };
}

/// Seeds this thread's playouts.
pub fn seed_playouts<G: Contest>(seed: u64) {
    G::with_tools(|tools| tools.rng = Rng::seeded(seed));
}

/// The game's own whole playout from this position, which every peer uses instead of its own.
#[inline(always)]
pub fn playout<G: Contest>(game: &G) -> Payoff {
    G::with_tools(|tools| {
        let mut game = *game;
        game.playout(&mut tools.rng, &mut tools.scratch)
    })
}

/// The actions of a position, none when the game is over.
#[inline(always)]
pub fn actions<G: Contest>(game: &G) -> Vec<G::Action> {
    let mut actions = Vec::new();
    if game.turn() != Turn::Over {
        game.actions(&mut actions);
    }
    actions
}

/// Who acts. When the game is over it is player 0, and peers get the result from that side.
#[inline(always)]
pub fn mover<G: Contest>(game: &G) -> Player {
    match game.turn() {
        Turn::Player(player) => player,
        _ => 0,
    }
}

/// 1 for a win of this player, 0 for a draw, -1 for a loss.
#[inline(always)]
pub fn sign(payoff: Payoff, player: Player) -> i32 {
    let points = payoff.of(player);
    i32::from(points > 0.0) - i32::from(points < 0.0)
}

/// A game that counts the plays inside the tree, for runs that are not timed. Playouts do not call [`Game::play`] of
/// this type. Only one search may run at a time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Counted<G>(pub G);

static PLAYS: AtomicU64 = AtomicU64::new(0);

/// The plays counted since the last call.
pub fn take_plays() -> u64 {
    PLAYS.swap(0, Ordering::Relaxed)
}

impl<G: Contest> Game for Counted<G> {
    type Action = G::Action;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self, out: &mut Vec<G::Action>) {
        self.0.actions(out);
    }

    fn play(&mut self, action: G::Action) {
        PLAYS.fetch_add(1, Ordering::Relaxed);
        self.0.play(action);
    }

    fn payoff(&self) -> Payoff {
        self.0.payoff()
    }

    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Payoff {
        self.0.playout(rng, scratch)
    }
}

impl<G: Contest> Hashed for Counted<G> {
    fn hash(&self) -> u64 {
        self.0.hash()
    }
}

impl<G: Contest> Contest for Counted<G> {
    fn with_tools<R>(work: impl FnOnce(&mut Tools<G::Action>) -> R) -> R {
        G::with_tools(work)
    }
}

/// A game without transpositions: its hash depends on the path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Remembered<G> {
    game: G,
    way: u64,
}

impl<G: Contest> Remembered<G> {
    pub fn new(game: G) -> Remembered<G> {
        Remembered { game, way: 0 }
    }
}

impl<G: Contest> Game for Remembered<G> {
    type Action = G::Action;

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn actions(&self, out: &mut Vec<G::Action>) {
        self.game.actions(out);
    }

    #[inline(always)]
    fn play(&mut self, action: G::Action) {
        self.game.play(action);
        // Multiplying by an odd factor is reversible, so no part of the path is lost.
        self.way = (self.way ^ self.game.hash()).wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(29);
    }

    fn payoff(&self) -> Payoff {
        self.game.payoff()
    }

    fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<G::Action>) -> Payoff {
        self.game.playout(rng, scratch)
    }
}

impl<G: Contest> Hashed for Remembered<G> {
    fn hash(&self) -> u64 {
        self.way
    }
}

impl<G: Contest> Contest for Remembered<G> {
    fn with_tools<R>(work: impl FnOnce(&mut Tools<G::Action>) -> R) -> R {
        G::with_tools(work)
    }
}
