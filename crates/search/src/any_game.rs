//! A game whose type is hidden. It is a [`Game`] like any other; an action is its place in the list of the game's own
//! actions.
//!
//! Code that is not hot (sessions, solvers of small games, reports) works on this type and is compiled once, not for
//! every game. Searches know the game's own type: an agent gets it from [`AnyGame::as_game`].

mod listed;

use crate::{Abilities, Encoded, Game, Hashed, Keyed, Named, Payoff, Player, Rng, Shape, Symmetric, Turn};
use listed::{Hidden, Listed};
use std::any::Any;
use std::fmt;

/// The requirements on a game whose type is to be hidden. Its [`Abilities`] list its optional traits.
pub trait Playable: Game<Action: Send + Sync> + Send + Sync + 'static {}

impl<G> Playable for G where G: Game<Action: Send + Sync> + Send + Sync + 'static {}

/// A game whose type is hidden. An action is the place of the game's own action in [`Game::actions`].
pub struct AnyGame(Box<dyn Hidden>);

/// Which traits a hidden game has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Has {
    /// `PartialEq` and `Debug`.
    pub compared: bool,
    /// [`Named`].
    pub named: bool,
    /// [`Hashed`].
    pub hashed: bool,
    /// [`Keyed`].
    pub keyed: bool,
    /// [`Encoded`]. Without it a hidden game has the empty shape.
    pub encoded: bool,
    /// [`Symmetric`]. Without it a hidden game has the identity alone.
    pub symmetric: bool,
}

/// The hash of a path with one more move.
pub(crate) fn step(path: u64, place: u16) -> u64 {
    let mixed = (path.rotate_left(23) ^ (u64::from(place) + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^ (mixed >> 32)
}

impl AnyGame {
    /// Hides the type of a game that has every trait.
    pub fn new<G: Playable + Hashed + Keyed + Named + PartialEq + fmt::Debug>(game: G) -> AnyGame {
        AnyGame::with(game, Abilities::all())
    }

    /// Hides the type of a game with these abilities. Without names, an action's name is its place in the list, and a
    /// position's text is the places of the moves that led there.
    pub fn with<G: Playable>(game: G, abilities: Abilities<G>) -> AnyGame {
        AnyGame(Box::new(Listed::new(game, abilities)))
    }

    /// Which traits the game has.
    pub fn has(&self) -> Has {
        self.0.has()
    }

    /// A hash of the moves that led here.
    pub(crate) fn path(&self) -> u64 {
        self.0.path()
    }

    /// Whether an agent is at this position, if its root is `root` and it has followed the moves with hash `path`.
    pub(crate) fn is_at<G: Playable>(&self, root: &G, path: u64) -> bool {
        let listed = (&*self.0 as &dyn Any).downcast_ref::<Listed<G>>();
        listed.is_some_and(|listed| match listed.abilities.compared {
            Some(compared) => (compared.is_same)(&listed.game, root),
            None => listed.path == path,
        })
    }

    /// The heuristic's estimate of the payoff, if there is a heuristic.
    pub fn estimate(&self) -> Option<Payoff> {
        self.0.estimate()
    }

    /// Plays this many playouts from here, to measure how long they take. Returns the sum of player 0's payoffs.
    pub fn sum_of_playouts(&self, count: u64, rng: &mut Rng) -> f32 {
        self.0.sum_of_playouts(count, rng)
    }

    /// The game itself, if it is of this type.
    pub fn as_game<G: Playable>(&self) -> Option<&G> {
        self.0.game().downcast_ref()
    }
}

impl Clone for AnyGame {
    fn clone(&self) -> AnyGame {
        AnyGame(self.0.boxed())
    }

    fn clone_from(&mut self, other: &AnyGame) {
        if !self.0.copy_from(&*other.0) {
            *self = other.clone();
        }
    }
}

impl fmt::Debug for AnyGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl PartialEq for AnyGame {
    fn eq(&self, other: &AnyGame) -> bool {
        self.0.is_same(&*other.0)
    }
}

impl Game for AnyGame {
    type Action = u16;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self, out: &mut Vec<u16>) {
        out.extend(0..self.0.count() as u16);
    }

    fn play(&mut self, action: u16) {
        self.0.play(action.into());
    }

    fn payoff(&self) -> Payoff {
        self.0.payoff()
    }

    fn players(&self) -> usize {
        self.0.players()
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.0.payoff_range()
    }

    fn pays_points(&self) -> bool {
        self.0.pays_points()
    }

    fn payoff_sum(&self) -> Option<f32> {
        self.0.payoff_sum()
    }

    fn has_chance(&self) -> bool {
        self.0.has_chance()
    }

    fn bytes(&self) -> usize {
        size_of::<AnyGame>() + self.0.bytes()
    }

    fn weight(&self, outcome: u16) -> f32 {
        self.0.weight(outcome.into())
    }

    fn random_action(&self, rng: &mut Rng, _scratch: &mut Vec<u16>) -> u16 {
        self.0.random_action(rng) as u16
    }

    fn playout_actions(&self, out: &mut Vec<u16>) {
        self.0.playout_actions(out);
    }

    fn playout(&mut self, rng: &mut Rng, _scratch: &mut Vec<u16>) -> Payoff {
        self.0.playout(rng)
    }
}

impl Keyed for AnyGame {
    fn key_count(&self) -> usize {
        self.0.key_count()
    }

    fn key(&self, action: u16) -> usize {
        self.0.key(action.into())
    }
}

impl Hashed for AnyGame {
    fn hash(&self) -> u64 {
        self.0.hash()
    }

    fn so_far(&self) -> Option<Payoff> {
        self.0.so_far()
    }

    fn whole_hash(&self) -> u64 {
        self.0.whole_hash()
    }
}

impl Encoded for AnyGame {
    fn shape(&self) -> Shape {
        self.0.shape()
    }

    fn features(&self, out: &mut Vec<u32>) {
        self.0.features(out);
    }

    fn action_index(&self, action: u16) -> usize {
        self.0.action_index(action.into())
    }

    fn unseen(&self) -> String {
        self.0.unseen()
    }
}

impl Symmetric for AnyGame {
    fn symmetries(&self) -> usize {
        self.0.symmetries()
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        self.0.cell_image(symmetry, cell)
    }

    fn index_image(&self, symmetry: usize, index: usize) -> usize {
        self.0.index_image(symmetry, index)
    }
}

impl Named for AnyGame {
    fn action_name(&self, action: u16) -> String {
        self.0.action_name(action.into())
    }

    fn text(&self) -> String {
        self.0.text()
    }

    fn read(&self, text: &str) -> Result<AnyGame, String> {
        self.0.read(text).map(AnyGame)
    }

    fn board(&self) -> String {
        self.0.board()
    }

    fn player_name(&self, player: Player) -> String {
        self.0.player_name(player)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws;
    use crate::learn::{Order, Played};
    use crate::playout::OrderedRoom;

    /// Two players bet on a coin in turn, and a third one watches for a fee. `KIND` makes types that differ in
    /// nothing else. This game overrides every default of the traits.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Bets<const KIND: u8> {
        left: u8,
        stake: Option<u8>,
        margin: i16,
        mover: Player,
    }

    const FEE: f32 = 3.0;
    const LOST: u8 = 1;
    const WON: u8 = 2;

    impl<const KIND: u8> Bets<KIND> {
        fn new(left: u8) -> Bets<KIND> {
            Bets { left, stake: None, margin: 0, mover: 0 }
        }
    }

    impl<const KIND: u8> Game for Bets<KIND> {
        type Action = u8;

        fn turn(&self) -> Turn {
            match self {
                Bets { left: 0, .. } => Turn::Over,
                Bets { stake: Some(_), .. } => Turn::Chance,
                _ => Turn::Player(self.mover),
            }
        }

        fn actions(&self, out: &mut Vec<u8>) {
            match self.turn() {
                Turn::Over => {}
                Turn::Chance => out.extend([LOST, WON]),
                Turn::Player(_) => out.extend([30, 10, 20].iter().filter(|&&stake| stake <= 10 * self.left)),
            }
        }

        fn play(&mut self, action: u8) {
            let Some(stake) = self.stake.take() else {
                self.stake = Some(action);
                return;
            };
            let gain =
                if (action == WON) == (self.mover == 0) { i16::from(stake) } else { -i16::from(stake) };
            *self = Bets { left: self.left - 1, margin: self.margin + gain, mover: 1 - self.mover, ..*self };
        }

        fn payoff(&self) -> Payoff {
            Payoff([f32::from(self.margin), -f32::from(self.margin), FEE, 0.0])
        }

        fn players(&self) -> usize {
            3
        }

        fn payoff_range(&self) -> (f32, f32) {
            (-300.0, 300.0)
        }

        fn payoff_sum(&self) -> Option<f32> {
            Some(FEE)
        }

        fn has_chance(&self) -> bool {
            true
        }

        fn bytes(&self) -> usize {
            1000
        }

        fn weight(&self, outcome: u8) -> f32 {
            if outcome == WON { 0.7 } else { 0.3 }
        }

        fn playout_actions(&self, out: &mut Vec<u8>) {
            self.actions(out);
            out.retain(|&action| action != 30);
        }

        fn playout(&mut self, rng: &mut Rng, scratch: &mut Vec<u8>) -> Payoff {
            rng.bits();
            while self.turn() != Turn::Over {
                let action = self.random_action(rng, scratch);
                self.play(action);
            }
            self.payoff()
        }
    }

    impl<const KIND: u8> Keyed for Bets<KIND> {
        fn key_count(&self) -> usize {
            4
        }

        fn key(&self, action: u8) -> usize {
            usize::from(action / 10)
        }
    }

    impl<const KIND: u8> Hashed for Bets<KIND> {
        fn hash(&self) -> u64 {
            let stake = self.stake.map_or(0, u64::from);
            Rng::seeded(u64::from(self.left) << 16 | stake << 8 | u64::from(self.mover)).bits()
        }

        fn so_far(&self) -> Option<Payoff> {
            Some(Payoff::margin(self.margin.into()))
        }

        fn whole_hash(&self) -> u64 {
            self.hash() ^ (self.margin as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15)
        }
    }

    impl<const KIND: u8> Named for Bets<KIND> {
        fn action_name(&self, action: u8) -> String {
            format!("{}{action}", if self.stake.is_some() { "coin" } else { "stake" })
        }

        fn text(&self) -> String {
            format!("{} {} {} {}", self.left, self.stake.unwrap_or(0), self.margin, self.mover)
        }

        fn read(&self, text: &str) -> Result<Self, String> {
            let numbers: Vec<i16> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
            let &[left, stake, margin, mover] = &numbers[..] else { return Err(format!("{text}: no bets")) };
            let stake = (stake > 0).then_some(stake as u8);
            Ok(Bets { left: left as u8, stake, margin, mover: mover as u8 })
        }

        fn board(&self) -> String {
            format!("left {}\nmargin {}\n", self.left, self.margin)
        }

        fn player_name(&self, player: Player) -> String {
            ["Ann", "Bob", "Cy"][usize::from(player)].into()
        }
    }

    /// The payoff of a playout, its record, and the random state after it.
    type Playout = (Payoff, Vec<Played>, Rng);

    fn recorded<G: Keyed>(game: &G, seed: u64) -> Playout {
        let (mut rng, mut played) = (Rng::seeded(seed), Vec::new());
        let payoff = game.clone().recorded_playout(&mut rng, &mut Vec::new(), |action| played.push(action));
        (payoff, played, rng)
    }

    fn ordered<G: Keyed>(game: &G, order: &Order, seed: u64) -> Playout {
        let (mut rng, mut played, mut room) = (Rng::seeded(seed), Vec::new(), OrderedRoom::default());
        let tell = |action| played.push(action);
        let payoff = game.clone().ordered_playout(order, &mut room, &mut rng, &mut Vec::new(), tell);
        (payoff, played, rng)
    }

    /// The payoff of a playout, the name of a random action, and the random state after both.
    fn random<G: Named>(game: &G, seed: u64) -> (Payoff, String, Rng) {
        let (mut rng, mut scratch) = (Rng::seeded(seed), Vec::new());
        let payoff = game.clone().playout(&mut rng, &mut scratch);
        let name = match game.turn() {
            Turn::Over => String::new(),
            _ => game.action_name(game.random_action(&mut rng, &mut scratch)),
        };
        (payoff, name, rng)
    }

    /// Both games give the same answers about a position.
    fn assert_same(any: &AnyGame, game: &Bets<0>, seed: u64) {
        let (mut actions, mut places) = (Vec::new(), Vec::new());
        game.actions(&mut actions);
        any.actions(&mut places);
        assert_eq!(places, (0..actions.len() as u16).collect::<Vec<u16>>());
        assert_eq!((any.turn(), any.payoff(), any.players()), (game.turn(), game.payoff(), game.players()));
        assert_eq!((any.payoff_range(), any.payoff_sum()), (game.payoff_range(), game.payoff_sum()));
        assert_eq!(any.pays_points(), game.pays_points());
        assert_eq!((any.has_chance(), any.key_count()), (game.has_chance(), game.key_count()));
        for (&place, &action) in places.iter().zip(&actions) {
            assert_eq!((any.weight(place), any.key(place)), (game.weight(action), game.key(action)));
            assert_eq!(any.action_name(place), game.action_name(action));
        }
        assert!(any.bytes() >= game.bytes() + size_of_val(any) + actions.len());
        let (mut chosen, mut chosen_places) = (Vec::new(), Vec::new());
        game.playout_actions(&mut chosen);
        any.playout_actions(&mut chosen_places);
        assert_eq!(
            chosen_places.iter().map(|&place| actions[usize::from(place)]).collect::<Vec<_>>(),
            chosen
        );
        assert_eq!((any.hash(), any.so_far()), (game.hash(), game.so_far()));
        assert_eq!(any.whole_hash(), game.whole_hash());
        assert_eq!((any.text(), any.board()), (game.text(), game.board()));
        assert_eq!(any.player_name(2), game.player_name(2));
        assert_eq!((format!("{any:?}"), any.as_game()), (format!("{game:?}"), Some(game)));
        assert_eq!(any.as_game::<Bets<1>>(), None);
        assert_eq!(random(any, seed), random(game, seed));
        assert_eq!(recorded(any, seed), recorded(game, seed));
        let order = Order::random(4, &mut Rng::seeded(seed));
        assert_eq!(ordered(any, &order, seed), ordered(game, &order, seed));
        let (mut rng, mut sum, mut position) = (Rng::seeded(seed), 0.0, *game);
        for _ in 0..5 {
            position.clone_from(game);
            sum += position.playout(&mut rng, &mut Vec::new()).of(0);
        }
        assert_eq!(any.sum_of_playouts(5, &mut Rng::seeded(seed)), sum);
    }

    #[test]
    fn a_hidden_game_plays_like_itself() {
        for seed in 0..40 {
            let mut game = Bets::<0>::new(1 + (seed % 6) as u8);
            let (start, mut any) = (AnyGame::new(game), AnyGame::new(game));
            let mut rng = Rng::seeded(seed);
            loop {
                assert_same(&any, &game, seed);
                let read = start.read(&any.text()).expect("its own text");
                assert_eq!(read, any);
                assert_same(&read, &game, seed);
                if game.turn() == Turn::Over {
                    break;
                }
                let mut actions = Vec::new();
                game.actions(&mut actions);
                let place = rng.below(actions.len());
                game.play(actions[place]);
                any.play(place as u16);
            }
        }
        assert_eq!(AnyGame::new(Bets::<0>::new(3)).read("what").err().as_deref(), Some("what: no bets"));
    }

    #[test]
    fn a_hidden_game_obeys_the_laws() {
        let game = AnyGame::new(Bets::<0>::new(5));
        assert_eq!(laws::game(&game, 1), Ok(()));
        assert_eq!(laws::keyed(&game, 2), Ok(()));
        assert_eq!(laws::hashed(&game, 3), Ok(()));
        assert_eq!(laws::named(&game, 4), Ok(()));
    }

    /// Also copies over a position that a playout left in an arbitrary state, and over a game of another type.
    #[test]
    fn copies_are_equal() {
        let mut game = Bets::<0>::new(4);
        game.play(10);
        game.play(WON);
        let any = AnyGame::new(game);
        let played = {
            let mut played = AnyGame::new(Bets::<0>::new(6));
            played.playout(&mut Rng::seeded(1), &mut Vec::new());
            played
        };
        for mut other in [
            AnyGame::new(Bets::<0>::new(4)),
            AnyGame::new(Bets::<0>::new(0)),
            played,
            AnyGame::new(Bets::<1>::new(4)),
            AnyGame::new(Bets { stake: Some(10), ..Bets::<1>::new(2) }),
        ] {
            assert_ne!(other, any);
            other.clone_from(&any);
            assert_eq!(other, any);
            assert_eq!(any, other);
            assert_same(&other, &game, 1);
            // A copy is independent.
            other.play(0);
            assert!(other != any && any == AnyGame::new(game));
        }
        assert_same(&any.clone(), &game, 2);
    }

    #[test]
    fn games_of_different_types_are_different() {
        let (one, other) = (AnyGame::new(Bets::<0>::new(2)), AnyGame::new(Bets::<1>::new(2)));
        assert_eq!(one.text(), other.text());
        assert_ne!(one, other);
        assert_ne!(other, one);
        assert!(one == one.clone() && other == other.clone());
    }
}
