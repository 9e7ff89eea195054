//! Short games {L|R} in canonical form (Conway, On Numbers and Games; Siegel, Combinatorial Game Theory, chapter II).
//!
//! [`Games`] owns every game, each once and in canonical form: without dominated options, and with reversible ones
//! bypassed. Games that no third game can tell apart are equal, and equal games have the same canonical form. So a
//! [`Form`] is an index into the arena, and two games are equal when their indices are. Numbers, nimbers and
//! multiples of up have no tree; they are stored as numbers.
//!
//! Games with loops and the atomic weight are not implemented.

mod canonical;
mod incentive;
mod limits;
mod of_position;
mod order;
mod plain;
mod sum;
mod sum_play;
mod tax;

pub use limits::GameLimits;
use limits::bytes_of_options;
pub use of_position::{Forms, form_of};
pub use order::{Outcome, Relation};
use plain::Plain;
pub use sum_play::{Ending, SumPlay};

use crate::quick_map::QuickMap;
use crate::{Dyadic, GameError, Side, Thermograph};
use std::sync::Arc;

/// A game in canonical form. Only the [`Games`] that made it knows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Form(u32);

impl Form {
    /// 0, the game without moves.
    pub const ZERO: Form = Form(0);

    /// The deepest recursion of a computation. Even in builds without optimisation it fits a thread's usual stack of 2
    /// MB.
    pub const DEPTH_MAX: u32 = 500;

    /// The most steps of one operation.
    pub const STEPS_MAX: u32 = 1 << 24;

    /// The most games stored.
    pub const COUNT_MAX: usize = 1 << 21;

    /// The most bytes of all games, unless [`GameLimits`] say otherwise.
    pub const BYTES_MAX: usize = 1_000_000_000;

    /// The most one-piece positions studied for one form.
    pub const POSITIONS_MAX: usize = 1 << 23;

    /// The deepest nesting of braces in a written game.
    pub const BRACES_MAX: usize = 100;

    /// The most characters of a written game.
    pub const TEXT_MAX: usize = 1 << 16;
}

/// The most results cached of each kind. A cache that grows past this is cleared.
const KNOWN_MAX: usize = 1 << 22;

/// The shape of a game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Shape {
    /// The sum of a number, ups and a nimber.
    Plain(Plain),
    /// Any other game: Left's options, then Right's, each sorted by id.
    Options([Arc<[Form]>; 2]),
}

/// A stored game.
struct Kept {
    shape: Shape,
    /// What Left gets if he moves first, and if Right does.
    stops: [Dyadic; 2],
    /// The options of a plain game, computed when first needed.
    options: Option<[Arc<[Form]>; 2]>,
}

/// All games made so far, each once, with cached results about them.
pub struct Games {
    kept: Vec<Kept>,
    ids: QuickMap<Shape, Form>,
    negatives: QuickMap<Form, Form>,
    sums: QuickMap<(Form, Form), Form>,
    at_least: QuickMap<(Form, Form), bool>,
    thermographs: QuickMap<Form, Arc<Thermograph>>,
    birthdays: QuickMap<Form, u128>,
    depth: u32,
    steps: u32,
    limits: GameLimits,
    /// Steps since the last look at the limits.
    unlooked: u32,
    /// About the bytes of lists of options, and of walls.
    lists: usize,
    /// About the bytes of what a computation keeps beside the games.
    beside: usize,
}

impl Default for Games {
    fn default() -> Games {
        Games::new()
    }
}

impl Games {
    /// An arena that contains only 0.
    pub fn new() -> Games {
        Games::within(GameLimits::default())
    }

    /// The same with these limits.
    pub fn within(limits: GameLimits) -> Games {
        let zero = Shape::Plain(Plain::number(Dyadic::ZERO));
        let kept = Kept { shape: zero.clone(), stops: [Dyadic::ZERO; 2], options: None };
        Games {
            kept: vec![kept],
            ids: [(zero, Form::ZERO)].into_iter().collect(),
            negatives: QuickMap::default(),
            sums: QuickMap::default(),
            at_least: QuickMap::default(),
            thermographs: QuickMap::default(),
            birthdays: QuickMap::default(),
            depth: 0,
            steps: 0,
            limits,
            unlooked: 0,
            lists: 0,
            beside: 0,
        }
    }

    /// How many games there are.
    pub fn count(&self) -> usize {
        self.kept.len()
    }

    /// A number.
    pub fn number(&mut self, number: Dyadic) -> Result<Form, GameError> {
        if number == Dyadic::ZERO {
            return Ok(Form::ZERO);
        }
        self.keep_plain(Plain::number(number))
    }

    /// *k, in which both sides can move to all smaller nimbers.
    pub fn nimber(&mut self, nimber: u16) -> Result<Form, GameError> {
        self.keep_plain(Plain { number: Dyadic::ZERO, ups: 0, nimber })
    }

    /// The multiple n.^ of up, {0|*}. A negative n means down.
    pub fn up(&mut self, ups: i32) -> Result<Form, GameError> {
        self.number_up_star(Dyadic::ZERO, ups, 0)
    }

    /// x + n.^ + *k.
    pub fn number_up_star(&mut self, number: Dyadic, ups: i32, nimber: u16) -> Result<Form, GameError> {
        if ups == i32::MIN {
            return Err(GameError::Ups);
        }
        self.keep_plain(Plain { number, ups, nimber })
    }

    /// {left|right} of two numbers: the mover gets his own. It is a number if Left's is smaller.
    pub fn switch(&mut self, left: Dyadic, right: Dyadic) -> Result<Form, GameError> {
        let (left, right) = (self.number(left)?, self.number(right)?);
        self.from_options(&[left], &[right])
    }

    /// Its number, if it is one.
    pub fn as_number(&self, form: Form) -> Option<Dyadic> {
        self.plain(form).filter(|plain| plain.is_number()).map(|plain| plain.number)
    }

    /// Its number, ups and nimber, if it is a sum of them.
    pub fn as_number_up_star(&self, form: Form) -> Option<(Dyadic, i32, u16)> {
        self.plain(form).map(|plain| (plain.number, plain.ups, plain.nimber))
    }

    /// The canonical options of one side.
    pub fn options(&mut self, form: Form, side: Side) -> Result<Arc<[Form]>, GameError> {
        let side = side as usize;
        match &self.kept[form.0 as usize] {
            Kept { shape: Shape::Options(options), .. } | Kept { options: Some(options), .. } => {
                Ok(options[side].clone())
            }
            Kept { shape: Shape::Plain(plain), .. } => {
                let plain = *plain;
                let mut keep_all = |side| -> Result<Arc<[Form]>, GameError> {
                    plain.options(side)?.into_iter().map(|option| self.keep_plain(option)).collect()
                };
                let options = [keep_all(Side::Left)?, keep_all(Side::Right)?];
                self.lists += bytes_of_options(&options);
                Ok(self.kept[form.0 as usize].options.insert(options)[side].clone())
            }
        }
    }

    /// What Left gets if he moves first.
    pub fn left_stop(&self, form: Form) -> Dyadic {
        self.stop(form, Side::Left)
    }

    /// What Left gets if Right moves first.
    pub fn right_stop(&self, form: Form) -> Dyadic {
        self.stop(form, Side::Right)
    }

    /// What Left gets if `first` moves first, and both stop at a number.
    pub fn stop(&self, form: Form, first: Side) -> Dyadic {
        self.kept[form.0 as usize].stops[first as usize]
    }

    /// The moves in the longest line of play of the canonical form.
    pub fn birthday(&mut self, form: Form) -> Result<u128, GameError> {
        if let Some(plain) = self.plain(form) {
            return Ok(plain.birthday());
        }
        if let Some(&known) = self.birthdays.get(&form) {
            return Ok(known);
        }
        let birthday = self.deeper(|games| {
            let mut latest = 0;
            for side in Side::BOTH {
                for &option in games.options(form, side)?.iter() {
                    latest = latest.max(games.birthday(option)?);
                }
            }
            Ok(latest + 1)
        })?;
        remember(&mut self.birthdays, form, birthday);
        Ok(birthday)
    }

    /// Its number, ups and nimber, if it is a sum of them.
    fn plain(&self, form: Form) -> Option<Plain> {
        match &self.kept[form.0 as usize].shape {
            Shape::Plain(plain) => Some(*plain),
            Shape::Options(_) => None,
        }
    }

    /// The form of a plain game.
    fn keep_plain(&mut self, plain: Plain) -> Result<Form, GameError> {
        self.keep(Shape::Plain(plain), [plain.number; 2])
    }

    /// The form with these canonical options. They must not be those of a number.
    fn keep_options(&mut self, mut options: [Vec<Form>; 2]) -> Result<Form, GameError> {
        let plain =
            |options: &[Form]| options.iter().map(|&option| self.plain(option)).collect::<Option<Vec<_>>>();
        if let (Some(lefts), Some(rights)) = (plain(&options[0]), plain(&options[1]))
            && let Some(found) = Plain::of_options(&lefts, &rights)
        {
            return self.keep_plain(found);
        }
        options.iter_mut().for_each(canonical::keep_each_once);
        let left = options[0].iter().map(|&option| self.right_stop(option)).max();
        let right = options[1].iter().map(|&option| self.left_stop(option)).min();
        let stops = [left.unwrap_or(Dyadic::ZERO), right.unwrap_or(Dyadic::ZERO)];
        self.keep(Shape::Options(options.map(Arc::from)), stops)
    }

    /// The form of a shape: an existing one, or a new one.
    fn keep(&mut self, shape: Shape, stops: [Dyadic; 2]) -> Result<Form, GameError> {
        if let Some(&form) = self.ids.get(&shape) {
            return Ok(form);
        }
        if self.kept.len() >= Form::COUNT_MAX {
            return Err(GameError::Forms);
        }
        if let Shape::Options(options) = &shape {
            self.lists += bytes_of_options(options);
        }
        let form = Form(self.kept.len() as u32);
        self.kept.push(Kept { shape: shape.clone(), stops, options: None });
        self.ids.insert(shape, form);
        Ok(form)
    }

    /// Counts a step. The outermost operation starts the count.
    fn step(&mut self) -> Result<(), GameError> {
        self.steps = if self.depth == 0 { 1 } else { self.steps + 1 };
        if self.steps > Form::STEPS_MAX { Err(GameError::Steps) } else { self.look() }
    }

    /// Runs `work` one level deeper, within the limits.
    fn deeper<T>(&mut self, work: impl FnOnce(&mut Games) -> Result<T, GameError>) -> Result<T, GameError> {
        self.step()?;
        if self.depth >= Form::DEPTH_MAX {
            return Err(GameError::Depth);
        }
        self.depth += 1;
        let done = work(self);
        self.depth -= 1;
        done
    }
}

/// Caches a result. Clears the cache first if it is full.
fn remember<K: Eq + std::hash::Hash, V>(known: &mut QuickMap<K, V>, key: K, value: V) {
    if known.len() >= KNOWN_MAX {
        *known = QuickMap::default();
    }
    known.insert(key, value);
}
