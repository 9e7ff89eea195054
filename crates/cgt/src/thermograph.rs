//! Thermographs: how the stops of a game change as every move is taxed by t.
//!
//! The left wall at t is what Left gets when he moves first and both stop as soon as the tax makes moving worthless.
//! The right wall is what he gets when Right moves first. A move by Left leads to the best right wall of Left's
//! options, less t (the left scaffold). A move by Right leads to the least left wall of Right's options, plus t. As t
//! rises the scaffolds come closer. They meet at the **temperature**, and their value there is the **mean**; above
//! stands a mast.
//!
//! Walls are piecewise linear. Left walls have slopes 0 and -1, right walls 0 and +1, so all corners are dyadic and
//! everything is exact. Walls begin at t = -1, the temperature of whole numbers.

use crate::{Dyadic, Overflow};
use std::cmp::Ordering;
use std::slice::from_ref;

/// The tax at which walls begin.
const BASE: i32 = -1;

/// One side of a thermograph: a piecewise linear function of the tax, constant above its last corner.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wall {
    /// (tax, value), by rising tax from -1, no three on a line.
    corners: Vec<(Dyadic, Dyadic)>,
}

impl Wall {
    /// A mast at this value.
    fn mast(value: Dyadic) -> Wall {
        Wall { corners: vec![(BASE.into(), value)] }
    }

    /// Its corners as (tax, value), by rising tax. The value is constant above the last.
    pub fn corners(&self) -> &[(Dyadic, Dyadic)] {
        &self.corners
    }

    /// Its value at a tax of at least -1.
    pub fn at(&self, tax: Dyadic) -> Result<Dyadic, Overflow> {
        let above = self.corners.partition_point(|&(corner, _)| corner <= tax);
        let (start, value) = self.corners[above.max(1) - 1];
        match self.corners.get(above) {
            None => Ok(value),
            Some(&(_, next)) if next == value => Ok(value),
            Some(&(_, next)) if next > value => value.plus(tax.minus(start)?),
            Some(_) => value.minus(tax.minus(start)?),
        }
    }

    /// The wall of the same game with `gain` added to it.
    pub fn plus(&self, gain: Dyadic) -> Result<Wall, Overflow> {
        self.map(|_, value| value.plus(gain))
    }

    /// Replaces the value of each corner.
    fn map(&self, value_of: impl Fn(Dyadic, Dyadic) -> Result<Dyadic, Overflow>) -> Result<Wall, Overflow> {
        let corner = |&(tax, value): &(Dyadic, Dyadic)| Ok((tax, value_of(tax, value)?));
        Ok(Wall { corners: self.corners.iter().map(corner).collect::<Result<_, _>>()? })
    }

    /// The wall reflected: what Right gets.
    fn negated(&self) -> Wall {
        Wall { corners: self.corners.iter().map(|&(tax, value)| (tax, -value)).collect() }
    }

    /// The taxes at which either wall has a corner.
    fn taxes(&self, other: &Wall) -> Vec<Dyadic> {
        let mut taxes: Vec<Dyadic> = self.corners.iter().chain(&other.corners).map(|&(tax, _)| tax).collect();
        taxes.sort_unstable();
        taxes.dedup();
        taxes
    }

    /// The larger of two walls at every tax. Their slopes differ by at most one, so the crossing is easy to find.
    fn max(&self, other: &Wall) -> Result<Wall, Overflow> {
        let mut corners = Vec::new();
        let mut before: Option<(Dyadic, Dyadic)> = None;
        for tax in self.taxes(other) {
            let (own, others) = (self.at(tax)?, other.at(tax)?);
            let ahead = own.minus(others)?;
            if let Some((start, was)) = before
                && (was > Dyadic::ZERO && ahead < Dyadic::ZERO || was < Dyadic::ZERO && ahead > Dyadic::ZERO)
            {
                let cross = start.plus(was.max(-was))?;
                corners.push((cross, self.at(cross)?));
            }
            corners.push((tax, own.max(others)));
            before = Some((tax, ahead));
        }
        Ok(Wall::of(corners))
    }

    /// The wall with these corners. Some may lie on one line.
    fn of(all: Vec<(Dyadic, Dyadic)>) -> Wall {
        let mut corners: Vec<(Dyadic, Dyadic)> = Vec::with_capacity(all.len());
        for corner in all {
            while let [.., first, second] = corners[..]
                && slope(first, second) == slope(second, corner)
            {
                corners.pop();
            }
            corners.push(corner);
        }
        // The value is constant above the last corner, so a constant end needs no corner.
        while let [.., first, second] = corners[..]
            && first.1 == second.1
        {
            corners.pop();
        }
        Wall { corners }
    }

    /// The corners below a tax, and one at it, on a line or not.
    fn up_to(&self, tax: Dyadic) -> Result<Wall, Overflow> {
        let mut corners: Vec<_> = self.corners.iter().copied().filter(|&(corner, _)| corner < tax).collect();
        corners.push((tax, self.at(tax)?));
        Ok(Wall { corners })
    }
}

/// The direction of a wall between two corners: its slope is -1, 0 or 1.
fn slope(from: (Dyadic, Dyadic), to: (Dyadic, Dyadic)) -> Ordering {
    to.1.cmp(&from.1)
}

/// A thermograph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thermograph {
    left: Wall,
    right: Wall,
    temperature: Dyadic,
}

impl Thermograph {
    /// The thermograph of a number. With a denominator of 2^k its temperature is -1/2^k.
    pub fn number(number: Dyadic) -> Result<Thermograph, Overflow> {
        if number.is_integer() {
            return Ok(Thermograph::score(number));
        }
        // The options of a fraction are the ends of the interval whose halving reaches it.
        let mut low = Dyadic::new(number.floor(), 0)?;
        let mut high = low.plus(Dyadic::ONE)?;
        let mut graphs = [Thermograph::score(low), Thermograph::score(high)];
        loop {
            let middle = low.plus(high)?.half()?;
            let [below, above] = &graphs;
            let graph = Thermograph::of_options(from_ref(&below.right), from_ref(&above.left))?;
            match middle.cmp(&number) {
                Ordering::Equal => return Ok(graph),
                Ordering::Less => (low, graphs[0]) = (middle, graph),
                Ordering::Greater => (high, graphs[1]) = (middle, graph),
            }
        }
    }

    /// The score at the end of a game: a mast from the lowest tax up.
    pub fn score(score: Dyadic) -> Thermograph {
        let mast = Wall::mast(score);
        Thermograph { left: mast.clone(), right: mast, temperature: BASE.into() }
    }

    /// The thermograph of a game, from the right walls of its left options and the left walls of its right options.
    /// If one side has no option, or the scaffolds never meet, it is that of the simplest number that fits.
    pub fn of_options(lefts: &[Wall], rights: &[Wall]) -> Result<Thermograph, Overflow> {
        let best = |walls: &[Wall]| -> Result<Option<Wall>, Overflow> {
            let Some((first, others)) = walls.split_first() else { return Ok(None) };
            others.iter().try_fold(first.clone(), |best, wall| best.max(wall)).map(Some)
        };
        let lefts = best(lefts)?;
        let rights = best(&rights.iter().map(Wall::negated).collect::<Vec<_>>())?.map(|wall| wall.negated());
        if let (Some(left), Some(right)) = (&lefts, &rights)
            && let Some(found) = Thermograph::between(left, right)?
        {
            return Ok(found);
        }
        let stop = |wall: Option<Wall>| wall.map(|wall| wall.at(Dyadic::ZERO)).transpose();
        let number = Dyadic::simplest_between(stop(lefts)?, stop(rights)?)?.unwrap_or(Dyadic::ZERO);
        Thermograph::number(number)
    }

    /// The thermograph from the best walls of both sides' options, before the tax. `None` if the left
    /// scaffold is below the right one even at the lowest tax.
    fn between(left: &Wall, right: &Wall) -> Result<Option<Thermograph>, Overflow> {
        // How far the left scaffold is above the right one.
        let apart = |tax: Dyadic| left.at(tax)?.minus(tax)?.minus(right.at(tax)?.plus(tax)?);
        let mut below: Option<(Dyadic, Dyadic)> = None;
        let mut meeting = None;
        for tax in left.taxes(right) {
            let gap = apart(tax)?;
            if gap <= Dyadic::ZERO {
                meeting = Some((tax, gap));
                break;
            }
            below = Some((tax, gap));
        }
        let temperature = match (below, meeting) {
            (None, Some((_, gap))) if gap < Dyadic::ZERO => return Ok(None),
            (_, Some((tax, gap))) if gap == Dyadic::ZERO => tax,
            // Between two corners the gap closes by one or by two, above the last by two.
            (Some((start, gap)), Some((tax, end))) => {
                let is_steep = gap.minus(end)? == tax.minus(start)?.times(2)?;
                start.plus(if is_steep { gap.half()? } else { gap })?
            }
            (Some((start, gap)), None) => start.plus(gap.half()?)?,
            (None, _) => return Ok(None),
        };
        // The walls, bent by the tax. A scaffold has its corners where the wall it comes from has them.
        let left = left.up_to(temperature)?.map(|tax, value| value.minus(tax))?;
        let right = right.up_to(temperature)?.map(|tax, value| value.plus(tax))?;
        Ok(Some(Thermograph { left: Wall::of(left.corners), right: Wall::of(right.corners), temperature }))
    }

    /// What Left gets when he moves first, as a function of the tax.
    pub fn left(&self) -> &Wall {
        &self.left
    }

    /// What Left gets when Right moves first, as a function of the tax.
    pub fn right(&self) -> &Wall {
        &self.right
    }

    /// The tax from which it does not matter who moves first. Below 0 for numbers.
    pub fn temperature(&self) -> Dyadic {
        self.temperature
    }

    /// The average value of the game in a sum of many copies.
    pub fn mean(&self) -> Dyadic {
        self.left.corners.last().map_or(Dyadic::ZERO, |&(_, value)| value)
    }

    /// What Left gets when he moves first and there is no tax.
    pub fn left_stop(&self) -> Result<Dyadic, Overflow> {
        self.left.at(Dyadic::ZERO)
    }

    /// What Left gets when Right moves first and there is no tax.
    pub fn right_stop(&self) -> Result<Dyadic, Overflow> {
        self.right.at(Dyadic::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(numerator: i128, exponent: u32) -> Dyadic {
        Dyadic::new(numerator, exponent).expect("a number that fits")
    }

    fn game(left: &Thermograph, right: &Thermograph) -> Thermograph {
        Thermograph::of_options(from_ref(&left.right), from_ref(&right.left)).expect("numbers that fit")
    }

    fn whole(value: i128) -> Thermograph {
        Thermograph::number(number(value, 0)).expect("a number that fits")
    }

    #[test]
    fn numbers_are_cold() {
        for (value, temperature) in [
            (number(3, 0), number(-1, 0)),
            (number(1, 1), number(-1, 1)),
            (number(-5, 3), number(-1, 3)),
            (number(0x5555_5555_5555_5555_5555, 80), number(-1, 80)),
        ] {
            let graph = Thermograph::number(value).expect("a number that fits");
            assert_eq!((graph.mean(), graph.temperature()), (value, temperature));
            assert_eq!((graph.left_stop(), graph.right_stop()), (Ok(value), Ok(value)));
        }
    }

    /// A switch {a|b} has mean (a + b)/2 and temperature (a - b)/2.
    #[test]
    fn switches() {
        for (high, low) in [(5, -5), (3, -1), (7, 2), (0, 0)] {
            let graph = game(&whole(high), &whole(low));
            assert_eq!(
                (graph.mean(), graph.temperature()),
                (number(high + low, 1), number(high - low, 1)),
                "{high} {low}"
            );
            assert_eq!((graph.left_stop(), graph.right_stop()), (Ok(number(high, 0)), Ok(number(low, 0))));
        }
    }

    /// {3|-1||-7}: the left option is a switch of temperature 2, above which it counts as its mean, 1.
    #[test]
    fn a_threat() {
        let graph = game(&game(&whole(3), &whole(-1)), &whole(-7));
        assert_eq!((graph.mean(), graph.temperature()), (number(-3, 0), number(4, 0)));
        assert_eq!((graph.left_stop(), graph.right_stop()), (Ok(number(-1, 0)), Ok(number(-7, 0))));
        // Up to tax 2 Right has to answer, and the left wall is vertical.
        assert_eq!(graph.left().at(number(2, 0)), Ok(number(-1, 0)));
        assert_eq!(graph.left().at(number(3, 0)), Ok(number(-2, 0)));
    }

    #[test]
    fn one_side_without_options_is_a_number() {
        let zero = Thermograph::of_options(&[], &[]).expect("a number that fits");
        assert_eq!(zero, whole(0));
        let graph = Thermograph::of_options(&[whole(2).right], &[]).expect("a number that fits");
        assert_eq!(graph, whole(3));
        assert_eq!(game(&whole(0), &whole(5)), whole(1));
        assert_eq!(game(&whole(0), &whole(1)), Thermograph::number(number(1, 1)).expect("it fits"));
    }

    /// The best of several options counts, a different one at each tax.
    #[test]
    fn the_best_option_changes_with_the_tax() {
        let hot = game(&whole(10), &whole(-2));
        let graph = Thermograph::of_options(&[whole(1).right, hot.right.clone()], &[whole(-9).left])
            .expect("numbers that fit");
        // Up to tax 3 the sure point is better than the hot option's right wall, -2 + t.
        assert_eq!(graph.left().at(number(1, 0)), Ok(number(0, 0)));
        assert_eq!(graph.left().at(number(3, 0)), Ok(number(-2, 0)));
        assert_eq!(graph.left().at(number(5, 0)), Ok(number(-2, 0)));
        assert_eq!(graph.mean(), graph.right().at(graph.temperature()).expect("it fits"));
    }
}
