//! Best play in a sum without the form of the sum, which can be far larger than the forms of its parts.
//!
//! The mover moves in one part. Play stops when only numbers are left: nobody has reason to move in a number while
//! there is anything else. A search finds the result. It caches each sum without its numbers and without parts that
//! cancel each other. Three facts keep the search small (Siegel, chapters II.5 and II.6):
//!
//! - Every part has its mean subtracted. If Left moves first, a sum then stops at 0 or above, and at most at the
//!   temperature of its hottest part.
//! - A move can be left out if another move's incentive is at least as good.
//! - The hottest part is the one to try first.

use super::{Form, GameError, Games};
use crate::quick_map::QuickMap;
use crate::{Dyadic, Overflow, Side};

/// The result of best play in a sum. More is better for Left.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Ending {
    /// The number at which play stops.
    pub stop: Dyadic,
    /// Whether Right is to move there.
    pub left_was_last: bool,
}

impl Ending {
    /// Whether Left wins if the player who cannot move loses.
    pub fn left_wins(self) -> bool {
        self.stop > Dyadic::ZERO || self.stop == Dyadic::ZERO && self.left_was_last
    }

    fn plus(self, number: Dyadic) -> Result<Ending, Overflow> {
        Ok(Ending { stop: self.stop.plus(number)?, ..self })
    }

    fn better(self, other: Ending, side: Side) -> Ending {
        if side == Side::Left { self.max(other) } else { self.min(other) }
    }
}

/// The least and the greatest possible result.
type Range = [Ending; 2];

/// A part of a sum: a form of mean 0, and the mean that was subtracted.
#[derive(Clone, Copy, Debug)]
struct Part {
    form: Form,
    mean: Dyadic,
}

/// A move in a part of mean 0.
#[derive(Clone, Copy, Debug)]
struct PartMove {
    from: Form,
    to: Form,
}

/// Which moves a search tries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Tries {
    /// All moves: to compare incentives.
    All,
    /// Only moves with the best incentives.
    Best,
}

/// Plays sums of games from one [`Games`], and caches the results.
pub struct SumPlay {
    /// Bounds of sums, by their parts (sorted by id) and by who moves first.
    known: QuickMap<(Box<[Form]>, Side), Range>,
    parts: QuickMap<Form, Part>,
    /// Whether a move is at least as good for a side as another, wherever both are possible.
    as_good: QuickMap<(Side, [Form; 4]), bool>,
    sums_max: usize,
    plies: u32,
}

impl SumPlay {
    /// An empty cache of at most this many sums.
    pub fn up_to(sums_max: usize) -> SumPlay {
        let (known, parts, as_good) = (QuickMap::default(), QuickMap::default(), QuickMap::default());
        SumPlay { known, parts, as_good, sums_max, plies: 0 }
    }

    /// Changes the limit.
    pub fn limit(&mut self, sums_max: usize) {
        self.sums_max = sums_max;
    }

    /// The number of cached sums.
    pub fn sums(&self) -> usize {
        self.known.len()
    }

    /// The result of best play when `first` moves first. After [`GameError::Positions`] it can continue with a higher
    /// limit: the cache keeps what was found.
    pub fn ending(&mut self, games: &mut Games, sum: &[Form], first: Side) -> Result<Ending, GameError> {
        let (mut parts, mut total) = (Vec::with_capacity(sum.len()), Dyadic::ZERO);
        for &form in sum {
            total = total.plus(self.add(games, &mut parts, form)?)?;
        }
        self.plies = 0;
        let range = range_of(games, &parts, first)?;
        Ok(self.search(games, &parts, first, range, Tries::Best)?.plus(total)?)
    }

    /// The result of play if it is within the window; otherwise a bound of it on the same side of the window.
    fn search(
        &mut self,
        games: &mut Games,
        parts: &[Form],
        side: Side,
        mut window: Range,
        tries: Tries,
    ) -> Result<Ending, GameError> {
        if parts.is_empty() {
            return Ok(Ending { stop: Dyadic::ZERO, left_was_last: side == Side::Right });
        }
        let key = (Box::from(parts), side);
        let mut range = match self.known.get(&key) {
            Some(&range) => range,
            None => range_of(games, parts, side)?,
        };
        if range[0] == range[1] || range[0] >= window[1] {
            return Ok(range[0]);
        } else if range[1] <= window[0] {
            return Ok(range[1]);
        }
        window = [window[0].max(range[0]), window[1].min(range[1])];
        let [low, high] = window;
        self.plies += 1;
        if self.plies > Form::DEPTH_MAX {
            return Err(GameError::Depth);
        }
        let mut best: Option<Ending> = None;
        for PartMove { from, to } in self.steps(games, parts, side, tries)? {
            let mut after = parts.to_vec();
            after.remove(after.partition_point(|&part| part < from));
            let gain = self.add(games, &mut after, to)?;
            let inner = [window[0].plus(-gain)?, window[1].plus(-gain)?];
            let found = self.search(games, &after, side.other(), inner, tries)?.plus(gain)?;
            let so_far = best.map_or(found, |best| best.better(found, side));
            best = Some(so_far);
            match side {
                Side::Left => window[0] = window[0].max(so_far),
                Side::Right => window[1] = window[1].min(so_far),
            }
            if window[0] >= window[1] {
                break;
            }
        }
        self.plies -= 1;
        // In a game that is not a number both sides have moves.
        let found = best.unwrap_or(range[0]);
        if found < high {
            range[1] = found;
        }
        if found > low {
            range[0] = found;
        }
        if self.known.len() >= self.sums_max {
            return Err(GameError::Positions(self.sums_max));
        }
        self.known.insert(key, range);
        Ok(found)
    }

    /// Adds a form without its mean to the parts, and returns the mean.
    fn add(&mut self, games: &mut Games, parts: &mut Vec<Form>, form: Form) -> Result<Dyadic, GameError> {
        let part = match self.parts.get(&form) {
            Some(&part) => part,
            None => {
                let mean = games.mean(form)?;
                let number = games.number(mean)?;
                let part = Part { form: games.minus(form, number)?, mean };
                self.parts.insert(form, part);
                part
            }
        };
        if part.form == Form::ZERO {
            return Ok(part.mean);
        }
        let opposite = games.negative(part.form)?;
        match parts.binary_search(&opposite) {
            Ok(place) => {
                parts.remove(place);
            }
            Err(_) => parts.insert(parts.partition_point(|&other| other < part.form), part.form),
        }
        Ok(part.mean)
    }

    /// The moves of a side that are worth a try, those in the hottest parts first.
    fn steps(
        &mut self,
        games: &mut Games,
        parts: &[Form],
        side: Side,
        tries: Tries,
    ) -> Result<Vec<PartMove>, GameError> {
        let mut steps: Vec<PartMove> = Vec::new();
        let mut last = None;
        for &from in parts.iter().filter(|&&part| last.replace(part) != Some(part)) {
            'options: for &to in games.options(from, side)?.iter() {
                let step = PartMove { from, to };
                let mut place = 0;
                while tries == Tries::Best && place < steps.len() {
                    if self.is_as_good(games, side, steps[place], step)? {
                        continue 'options;
                    }
                    if self.is_as_good(games, side, step, steps[place])? {
                        steps.swap_remove(place);
                    } else {
                        place += 1;
                    }
                }
                steps.push(step);
            }
        }
        let mut hot = Vec::with_capacity(steps.len());
        for step in steps {
            hot.push((games.temperature(step.from)?, step));
        }
        hot.sort_by_key(|&(temperature, step)| (std::cmp::Reverse(temperature), step.from, step.to));
        Ok(hot.into_iter().map(|(_, step)| step).collect())
    }

    /// Whether the incentive of a move is at least that of another. For Left's moves from G to GL and from H to HL:
    /// whether GL - G >= HL - H.
    fn is_as_good(
        &mut self,
        games: &mut Games,
        side: Side,
        step: PartMove,
        other: PartMove,
    ) -> Result<bool, GameError> {
        let key = (side, [step.from, step.to, other.from, other.to]);
        if let Some(&known) = self.as_good.get(&key) {
            return Ok(known);
        }
        let (mut parts, mut total) = (Vec::with_capacity(4), Dyadic::ZERO);
        let taken = [games.negative(other.to)?, games.negative(step.from)?];
        for form in [step.to, other.from].into_iter().chain(taken) {
            total = total.plus(self.add(games, &mut parts, form)?)?;
        }
        // True if the side wins the difference when the other side moves first.
        let [lost, won] = [false, true].map(|left_was_last| Ending { stop: -total, left_was_last });
        let left_wins = self.search(games, &parts, side.other(), [lost, won], Tries::All)? >= won;
        let found = left_wins == (side == Side::Left);
        self.as_good.insert(key, found);
        Ok(found)
    }
}

/// The least and the greatest possible result of parts of mean 0.
fn range_of(games: &mut Games, parts: &[Form], first: Side) -> Result<Range, GameError> {
    let mut hottest = Dyadic::ZERO;
    for &part in parts {
        hottest = hottest.max(games.temperature(part)?);
    }
    let [low, high] = match first {
        Side::Left => [Dyadic::ZERO, hottest],
        Side::Right => [-hottest, Dyadic::ZERO],
    };
    Ok([Ending { stop: low, left_was_last: false }, Ending { stop: high, left_was_last: true }])
}
