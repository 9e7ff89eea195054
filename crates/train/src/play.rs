//! Self-play behind an interface that hides the game's type, for the training loop.

use crate::images::Images;
use crate::record::GameRecord;
use crate::self_play::SelfPlay;
use crate::settings::Plan;
use aji_net::{Encoding, Network};
use aji_search::{Encoded, Game, Hashed, Shape, Symmetric, Turn};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

/// A game that a network can learn.
pub trait Learnable: Send + Sync {
    /// The sizes of a network's input and output for it.
    fn shape(&self) -> Shape;

    /// Its symmetries.
    fn images(&self) -> Images;

    /// A player that plays games by this plan, with a cache of this many bytes. Each thread has one.
    fn player(&self, plan: &Plan, cache_bytes: usize) -> Box<dyn PlayGames>;
}

/// Plays games of self-play on one thread.
pub trait PlayGames: Send {
    /// Plays games with a network until there are no more, or until the counter says to stop. Returns the finished
    /// ones, in any order. A game depends only on the network, the plan and its number.
    fn play(&mut self, network: &Arc<Network>, counter: &Counter) -> Vec<GameRecord>;

    /// How many positions the network has evaluated so far, and how many the cache has answered.
    fn looks(&self) -> (u64, u64);
}

/// Acts in games of self-play in place of chance or of the network, such as the frozen opponent of an attack. Nothing is
/// learned from its moves.
pub trait Partner<G: Game>: Send + Sync {
    /// Whether it acts at this turn in the game of this number.
    fn acts(&self, turn: Turn, number: u64) -> bool;

    /// Its action. It depends on the position and the seed alone.
    fn act(&self, game: &G, seed: u64) -> G::Action;
}

/// Hands out game numbers to threads.
#[derive(Debug)]
pub struct Counter<'a> {
    next: AtomicU64,
    end: u64,
    finished: AtomicU64,
    stop: &'a AtomicBool,
}

impl<'a> Counter<'a> {
    /// Hands out this many games, from number `first` on.
    pub fn new(first: u64, games: u64, stop: &'a AtomicBool) -> Counter<'a> {
        Counter { next: AtomicU64::new(first), end: first + games, finished: AtomicU64::new(0), stop }
    }

    /// The number of the next game.
    pub fn next_game(&self) -> Option<u64> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        (number < self.end).then_some(number)
    }

    /// Counts a finished game.
    pub fn finish_game(&self) {
        self.finished.fetch_add(1, Ordering::Relaxed);
    }

    /// Games that were finished.
    pub fn finished(&self) -> u64 {
        self.finished.load(Ordering::Relaxed)
    }

    /// Whether to stop immediately.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }
}

/// A game of type `G` that a network can learn, from one start.
pub struct Lesson<G: Game> {
    start: G,
    shape: Shape,
    encoding: Encoding<G>,
    partner: Option<Arc<dyn Partner<G>>>,
}

impl<G: Encoded + Hashed> Lesson<G> {
    /// A game without symmetries.
    pub fn plain(start: G) -> Lesson<G> {
        Lesson::new(start.clone(), start.shape(), Encoding::plain())
    }

    /// A game with symmetries.
    pub fn symmetric(start: G) -> Lesson<G>
    where
        G: Symmetric,
    {
        Lesson::new(start.clone(), start.shape(), Encoding::symmetric())
    }
}

impl<G: Game> Lesson<G> {
    /// A game with this shape and encoding.
    pub fn new(start: G, shape: Shape, encoding: Encoding<G>) -> Lesson<G> {
        Lesson { start, shape, encoding, partner: None }
    }

    /// The same game with a partner. Searches know nothing of it: they draw chance by the game's own odds.
    pub fn with_partner(self, partner: Arc<dyn Partner<G>>) -> Lesson<G> {
        Lesson { partner: Some(partner), ..self }
    }
}

impl<G: Game<Action: Send> + Send + Sync + 'static> Learnable for Lesson<G> {
    fn shape(&self) -> Shape {
        self.shape
    }

    fn images(&self) -> Images {
        Images::of(&self.start, &self.shape, &self.encoding)
    }

    fn player(&self, plan: &Plan, cache_bytes: usize) -> Box<dyn PlayGames> {
        let (start, encoding) = (self.start.clone(), self.encoding.clone());
        let player = SelfPlay::new(start, self.shape, encoding, plan.clone(), cache_bytes);
        Box::new(player.with_partner(self.partner.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::read_position;
    use aji_games::TicTacToe;
    use aji_net::{Design, Sample};
    use aji_search::{Opponent, Player, Replies, SharedOpponent, Versus};
    use std::sync::Mutex;

    type Position = Versus<TicTacToe>;

    /// An opponent that a search believes to play any action with equal odds.
    struct Even;

    impl Opponent<TicTacToe> for Even {
        fn replies(&mut self, game: &TicTacToe) -> Replies<TicTacToe> {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            actions.into_iter().map(|action| (action, 1.0)).collect()
        }
    }

    /// Plays the first free cell, and keeps the questions.
    #[derive(Default)]
    struct FirstCell(Mutex<Vec<(TicTacToe, u64)>>);

    impl Partner<Position> for FirstCell {
        fn acts(&self, turn: Turn, _: u64) -> bool {
            turn == Turn::Chance
        }

        fn act(&self, game: &Position, seed: u64) -> <TicTacToe as Game>::Action {
            assert_eq!(game.turn(), Turn::Chance);
            self.0.lock().unwrap().push((*game.game(), seed));
            let mut actions = Vec::new();
            game.actions(&mut actions);
            actions[0]
        }
    }

    fn lesson(player: Player) -> Lesson<Position> {
        Lesson::symmetric(Versus::new(TicTacToe::new(), player, SharedOpponent::new(Even)))
    }

    /// The records of the first games.
    fn play(lesson: &Lesson<Position>, games: u64) -> Vec<GameRecord> {
        let search = "gumbel simulations=8".parse().unwrap();
        let settings = crate::Settings::parse("openings=0").unwrap();
        let network = Network::new(lesson.shape(), Design::Conv { channels: 4, blocks: 1 }, 1).unwrap();
        let (plan, stop) = (Plan { search, settings, seed: 3 }, AtomicBool::new(false));
        let counter = Counter::new(0, games, &stop);
        let mut records = lesson.player(&plan, 1 << 16).play(&Arc::new(network), &counter);
        records.sort_by_key(|record| record.number);
        records
    }

    /// The number of legal actions in each sample of a game.
    fn free_cells(record: &GameRecord, shape: &Shape) -> Vec<usize> {
        let (mut bytes, mut sample, mut found) = (&record.bytes[..], Sample::default(), Vec::new());
        while !bytes.is_empty() {
            read_position(&mut bytes, shape, &mut sample).expect("a position");
            found.push(sample.actions.len());
        }
        found
    }

    /// A partner that acts for chance is asked at its own positions only, before the first move if it begins. The
    /// samples are those of the other player. Nine cells are free at the start.
    #[test]
    fn an_opponent_acts_and_is_not_learned_from() {
        for player in [0, 1] {
            let first_cell = Arc::new(FirstCell::default());
            let lesson = lesson(player).with_partner(first_cell.clone());
            let records = play(&lesson, 40);
            let asked = first_cell.0.lock().unwrap();
            assert!(asked.iter().all(|(game, _)| game.turn() == Turn::Player(1 - player)));
            let begun = asked.iter().filter(|(game, _)| *game == TicTacToe::new()).count();
            assert_eq!(begun, if player == 1 { 40 } else { 0 });
            let mut seeds: Vec<u64> = asked.iter().map(|&(_, seed)| seed).collect();
            seeds.sort_unstable();
            seeds.dedup();
            assert_eq!(seeds.len(), asked.len(), "every question has its own seed");
            for record in &records {
                let free = free_cells(record, &lesson.shape());
                let own: Vec<usize> = (0..free.len()).map(|ply| 9 - usize::from(player) - 2 * ply).collect();
                assert_eq!(free, own);
                assert_eq!(record.counts.plies, free.len() as u64);
            }
        }
    }

    /// A game depends on its number alone, also with an opponent. The opponent makes a difference.
    #[test]
    fn games_against_an_opponent_do_not_depend_on_each_other() {
        let with_opponent = || lesson(1).with_partner(Arc::new(FirstCell::default()));
        let many = play(&with_opponent(), 150);
        assert_eq!(play(&with_opponent(), 7), many[..7]);
        assert_ne!(play(&lesson(1), 7), many[..7]);
    }
}
