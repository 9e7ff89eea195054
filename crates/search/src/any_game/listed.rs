//! A game behind an interface that hides its type: the position, its actions and its optional traits.

use super::{Has, Playable, step};
use crate::{Abilities, Game, Payoff, Player, Rng, Shape, Turn};
use std::any::Any;
use std::fmt;
use std::sync::Arc;

/// A position with its actions, listed once per position.
#[derive(Clone)]
pub(super) struct Listed<G: Game> {
    pub(super) game: G,
    actions: Vec<G::Action>,
    pub(super) abilities: Abilities<G>,
    /// A hash of the moves so far. It identifies the position if the game has no hash or no equality of its own.
    pub(super) path: u64,
    /// The moves so far, where the game has no names.
    unnamed: Option<Moves<G>>,
}

/// The start of a game without names, and the places of the moves since.
#[derive(Clone)]
struct Moves<G> {
    start: Arc<G>,
    places: Vec<u16>,
}

/// The text of a game without names before its first move.
const START: &str = "start";

/// The questions that a game answers without showing its type.
pub(super) trait Hidden: Any + fmt::Debug + Send + Sync {
    fn boxed(&self) -> Box<dyn Hidden>;
    /// Becomes a copy of the other, which must be of the same type.
    fn copy_from(&mut self, other: &dyn Hidden) -> bool;
    fn is_same(&self, other: &dyn Hidden) -> bool;
    fn game(&self) -> &dyn Any;
    fn turn(&self) -> Turn;
    fn count(&self) -> usize;
    fn play(&mut self, index: usize);
    fn payoff(&self) -> Payoff;
    fn players(&self) -> usize;
    fn payoff_range(&self) -> (f32, f32);
    fn pays_points(&self) -> bool;
    fn payoff_sum(&self) -> Option<f32>;
    fn has_chance(&self) -> bool;
    fn bytes(&self) -> usize;
    fn weight(&self, index: usize) -> f32;
    fn random_action(&self, rng: &mut Rng) -> usize;
    fn playout_actions(&self, out: &mut Vec<u16>);
    fn playout(&mut self, rng: &mut Rng) -> Payoff;
    fn sum_of_playouts(&self, count: u64, rng: &mut Rng) -> f32;
    fn estimate(&self) -> Option<Payoff>;
    fn has(&self) -> Has;
    fn path(&self) -> u64;
    fn key_count(&self) -> usize;
    fn key(&self, index: usize) -> usize;
    fn hash(&self) -> u64;
    fn so_far(&self) -> Option<Payoff>;
    fn whole_hash(&self) -> u64;
    fn action_name(&self, index: usize) -> String;
    fn text(&self) -> String;
    fn read(&self, text: &str) -> Result<Box<dyn Hidden>, String>;
    fn board(&self) -> String;
    fn player_name(&self, player: Player) -> String;
    fn shape(&self) -> Shape;
    fn features(&self, out: &mut Vec<u32>);
    fn action_index(&self, index: usize) -> usize;
    fn unseen(&self) -> String;
    fn symmetries(&self) -> usize;
    fn cell_image(&self, symmetry: usize, cell: usize) -> usize;
    fn index_image(&self, symmetry: usize, number: usize) -> usize;
}

impl<G: Playable> Listed<G> {
    pub(super) fn new(game: G, abilities: Abilities<G>) -> Listed<G> {
        let unnamed =
            abilities.named.is_none().then(|| Moves { start: Arc::new(game.clone()), places: Vec::new() });
        let mut listed = Listed { game, actions: Vec::new(), abilities, path: 0, unnamed };
        listed.list();
        listed
    }

    /// The position after the moves at these places, separated by commas, from the start of the game.
    fn replay(&self, start: &G, text: &str) -> Result<Listed<G>, String> {
        let mut position = Listed::new(start.clone(), self.abilities);
        for (ply, word) in text.split(',').enumerate().filter(|_| text != START) {
            let (count, place) = (position.actions.len(), word.trim().parse::<usize>().ok());
            let Some(place) = place.filter(|&place| place < count) else {
                let right = match count {
                    0 => "nothing, as the game is over".into(),
                    _ => format!("the place of an action, 0 to {}", count - 1),
                };
                return Err(format!("\"{text}\": move {} is \"{word}\": expected {right}", ply + 1));
            };
            position.play(place);
        }
        Ok(position)
    }

    fn list(&mut self) {
        self.actions.clear();
        self.game.actions(&mut self.actions);
    }
}

impl<G: Playable> fmt::Debug for Listed<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.abilities.compared {
            Some(compared) => (compared.debug)(&self.game, f),
            None => f.write_str(&self.text()),
        }
    }
}

impl<G: Playable> Hidden for Listed<G> {
    fn boxed(&self) -> Box<dyn Hidden> {
        Box::new(self.clone())
    }

    fn copy_from(&mut self, other: &dyn Hidden) -> bool {
        let Some(other) = (other as &dyn Any).downcast_ref::<Listed<G>>() else { return false };
        self.game.clone_from(&other.game);
        self.actions.clone_from(&other.actions);
        self.abilities = other.abilities;
        self.path = other.path;
        self.unnamed.clone_from(&other.unnamed);
        true
    }

    fn is_same(&self, other: &dyn Hidden) -> bool {
        other.game().downcast_ref::<G>().is_some_and(|game| match self.abilities.compared {
            Some(compared) => (compared.is_same)(game, &self.game),
            None => other.path() == self.path,
        })
    }

    fn game(&self) -> &dyn Any {
        &self.game
    }

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn count(&self) -> usize {
        self.actions.len()
    }

    fn play(&mut self, index: usize) {
        self.game.play(self.actions[index]);
        self.path = step(self.path, index as u16);
        if let Some(moves) = &mut self.unnamed {
            moves.places.push(index as u16);
        }
        self.list();
    }

    fn payoff(&self) -> Payoff {
        self.game.payoff()
    }

    fn players(&self) -> usize {
        self.game.players()
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.game.payoff_range()
    }

    fn pays_points(&self) -> bool {
        self.game.pays_points()
    }

    fn payoff_sum(&self) -> Option<f32> {
        self.game.payoff_sum()
    }

    fn has_chance(&self) -> bool {
        self.game.has_chance()
    }

    fn bytes(&self) -> usize {
        let own = size_of::<Listed<G>>() - size_of::<G>();
        own + self.game.bytes() + self.actions.capacity() * size_of::<G::Action>()
    }

    fn weight(&self, index: usize) -> f32 {
        self.game.weight(self.actions[index])
    }

    fn random_action(&self, rng: &mut Rng) -> usize {
        let action = self.game.random_action(rng, &mut Vec::new());
        self.actions.iter().position(|&other| other == action).unwrap_or(0)
    }

    fn playout_actions(&self, out: &mut Vec<u16>) {
        let mut chosen = Vec::new();
        self.game.playout_actions(&mut chosen);
        let place = |action: &G::Action| self.actions.iter().position(|other| other == action);
        out.extend(chosen.iter().filter_map(place).map(|index| index as u16));
    }

    fn playout(&mut self, rng: &mut Rng) -> Payoff {
        self.game.playout(rng, &mut self.actions)
    }

    fn estimate(&self) -> Option<Payoff> {
        self.abilities.estimate.map(|estimate| estimate(&self.game))
    }

    fn has(&self) -> Has {
        let Abilities { compared, named, hashed, keyed, encoded, symmetric, .. } = &self.abilities;
        Has {
            compared: compared.is_some(),
            named: named.is_some(),
            hashed: hashed.is_some(),
            keyed: keyed.is_some(),
            encoded: encoded.is_some(),
            symmetric: symmetric.is_some(),
        }
    }

    fn path(&self) -> u64 {
        self.path
    }

    fn sum_of_playouts(&self, count: u64, rng: &mut Rng) -> f32 {
        let (mut game, mut scratch, mut sum) = (self.game.clone(), Vec::new(), 0.0);
        for _ in 0..count {
            game.clone_from(&self.game);
            sum += game.playout(rng, &mut scratch).of(0);
        }
        sum
    }

    fn key_count(&self) -> usize {
        self.abilities.keyed.map_or(1, |keys| (keys.key_count)(&self.game))
    }

    fn key(&self, index: usize) -> usize {
        self.abilities.keyed.map_or(0, |keys| (keys.key)(&self.game, self.actions[index]))
    }

    fn hash(&self) -> u64 {
        self.abilities.hashed.map_or(self.path, |hashes| (hashes.hash)(&self.game))
    }

    fn so_far(&self) -> Option<Payoff> {
        self.abilities.hashed.and_then(|hashes| (hashes.so_far)(&self.game))
    }

    fn whole_hash(&self) -> u64 {
        self.abilities.hashed.map_or(self.path, |hashes| (hashes.whole_hash)(&self.game))
    }

    fn action_name(&self, index: usize) -> String {
        let names = self.abilities.named;
        names.map_or_else(|| index.to_string(), |names| (names.action_name)(&self.game, self.actions[index]))
    }

    fn text(&self) -> String {
        match (&self.abilities.named, &self.unnamed) {
            (Some(names), _) => (names.text)(&self.game),
            (None, Some(moves)) if !moves.places.is_empty() => {
                moves.places.iter().map(u16::to_string).collect::<Vec<_>>().join(",")
            }
            _ => START.into(),
        }
    }

    fn read(&self, text: &str) -> Result<Box<dyn Hidden>, String> {
        let position = match (&self.abilities.named, &self.unnamed) {
            (Some(names), _) => {
                let mut position = Listed::new((names.read)(&self.game, text)?, self.abilities);
                position.path = text.bytes().fold(0, |path, byte| step(path, byte.into()));
                position
            }
            (None, Some(moves)) => self.replay(&moves.start, text)?,
            (None, None) => self.replay(&self.game, text)?,
        };
        Ok(Box::new(position))
    }

    fn board(&self) -> String {
        match self.abilities.named {
            Some(names) => (names.board)(&self.game),
            None => format!("moves {}\n", self.text()),
        }
    }

    fn player_name(&self, player: Player) -> String {
        match self.abilities.named {
            Some(names) => (names.player_name)(&self.game, player),
            None => format!("player {}", player + 1),
        }
    }

    fn shape(&self) -> Shape {
        self.abilities.encoded.map_or(Shape::EMPTY, |encoded| (encoded.shape)(&self.game))
    }

    fn features(&self, out: &mut Vec<u32>) {
        if let Some(encoded) = self.abilities.encoded {
            (encoded.features)(&self.game, out);
        }
    }

    fn action_index(&self, index: usize) -> usize {
        self.abilities
            .encoded
            .map_or(index, |encoded| (encoded.action_index)(&self.game, self.actions[index]))
    }

    fn unseen(&self) -> String {
        self.abilities.encoded.map_or(String::new(), |encoded| (encoded.unseen)(&self.game))
    }

    fn symmetries(&self) -> usize {
        self.abilities.symmetric.map_or(1, |images| (images.symmetries)(&self.game))
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        self.abilities.symmetric.map_or(cell, |images| (images.cell_image)(&self.game, symmetry, cell))
    }

    fn index_image(&self, symmetry: usize, number: usize) -> usize {
        self.abilities.symmetric.map_or(number, |images| (images.index_image)(&self.game, symmetry, number))
    }
}
