//! Gain per pull with optimal stopping: a knowledge gradient that looks several pulls ahead. Imagine that one arm is
//! pulled until going on is not worth the price of a pull. The highest price at which it is pulled at all is its
//! index, and the arm with the highest index is pulled. Gittins indices (1979) price arms so for discounted rewards; here
//! only the last choice counts, as in Frazier and Powell (Paradoxes in learning and the marginal value of information,
//! 2010), who divide the gain of a fixed number of pulls by that number.
//!
//! The belief in an arm is Beta: its wins and losses plus one imagined win and one imagined loss. Let M be the highest
//! mean of the others. Once the arm's mean is m, stopping gains max(m, M) less what the choice is worth now. The
//! values of stopping and going on are computed backwards over all numbers of wins in the next `ahead` pulls.
//!
//! When arms have many pulls, so few more hardly ever change the choice. So the index is at least the gain of N pulls
//! divided by N, for some larger N up to the pulls that are left, with a normal change of the mean as in
//! [`Blinkered`](crate::Blinkered).

use crate::filled::{belief, shown};
use crate::gain::{GainTable, most_to_gain};
use crate::logarithm::{exp_real, ln_real};
use crate::posterior::Posterior;
use crate::{About, Count, Filled, Recommend, Rng, Rule, Select, View, VisitSettings};

/// The rule. There is no first sweep. Recommend by the posterior mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stopping {
    /// The pulls after which an arm is left at the latest.
    pub ahead: u32,
}

impl Stopping {
    /// The most pulls to look ahead.
    pub const AHEAD_MAX: u32 = 64;
}

impl Default for Stopping {
    fn default() -> Stopping {
        Stopping { ahead: 16 }
    }
}

/// Prices below this are not told apart by looking ahead.
const PRICE_MIN: f64 = 1e-12;

/// The logarithm of the least rate.
const LN_RATE_MIN: f64 = -700.0;

/// An index is found to this ratio.
const PRECISION: f64 = 1.0005;

impl Rule for Stopping {
    const ABOUT: About = About {
        tries_all_first: false,
        formula: "the highest gain / pulls of all ways to pull the arm and stop; gain is what the best mean of the beliefs rises by, pulls how many there are, both expected",
        ..About::new(
            "stopping",
            "what an arm gains per pull if it is left as soon as it is not worth more",
            Recommend::PosteriorMean,
        )
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "ahead",
            "the pulls after which an arm is left at the latest",
            &mut Count(&mut self.ahead, 1..=Stopping::AHEAD_MAX),
        );
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let others = (0..view.means.len()).filter(|&other| other != index);
        let rival = others.map(|other| Posterior::of(view, other).mean()).fold(f64::NEG_INFINITY, f64::max);
        let candidate = Candidate { posterior: Posterior::of(view, index), rival };
        if rival == f64::NEG_INFINITY || candidate.posterior.proven {
            return Filled::words("Pulls of it teach nothing that could change the choice.".into());
        }
        let left = view.left.unwrap_or(view.total).max(1);
        let (ln_rate, many) = candidate.ln_rate(&GainTable::get(), self.ahead, left);
        let rate = exp_real(ln_rate.max(LN_RATE_MIN));
        let ahead = self.ahead.min(left) as usize;
        let price = candidate.index(rate.max(PRICE_MIN), ahead, &mut [0.0; Stopping::AHEAD_MAX as usize + 1]);
        let (gain, pulls, how) = match price {
            Some(price) => {
                let (gain, pulls) = candidate.expected(price, ahead);
                (
                    gain,
                    pulls,
                    format!(
                        "pulled up to {ahead} times, and left as soon as it is not worth {}",
                        shown(price)
                    ),
                )
            }
            None => (rate * many, many, format!("pulled {many} times")),
        };
        Filled::equation("index", &format!("{} / {}", shown(gain), shown(pulls)), gain / pulls)
            .after(format!("The best other mean is {}; the arm is {how}.", shown(rival)))
            .after(belief(view, index))
    }
}

/// An arm, and what the choice would be without it.
#[derive(Clone, Copy)]
struct Candidate {
    posterior: Posterior,
    rival: f64,
}

impl Candidate {
    /// Whether the arm is worth a pull at this price, if it may be pulled so many times. `values` holds the values of
    /// all numbers of wins after a number of pulls.
    fn is_worth(
        self,
        price: f64,
        pulls: usize,
        values: &mut [f64; Stopping::AHEAD_MAX as usize + 1],
    ) -> bool {
        let (wins, count) = (self.posterior.wins, self.posterior.count());
        let now = self.posterior.mean().max(self.rival);
        for pulled in (1..=pulls).rev() {
            for won in 0..=pulled {
                let mean = (wins + won as f64) / (count + pulled as f64);
                let stop = mean.max(self.rival) - now;
                let go_on = mean * values[(won + 1).min(pulls)] + (1.0 - mean) * values[won] - price;
                values[won] = if pulled == pulls { stop } else { stop.max(go_on) };
            }
        }
        let mean = self.posterior.mean();
        mean * values[1] + (1.0 - mean) * values[0] > price
    }

    /// The highest price at which the arm is worth a pull, if it is more than this price.
    fn index(
        self,
        above: f64,
        pulls: usize,
        values: &mut [f64; Stopping::AHEAD_MAX as usize + 1],
    ) -> Option<f64> {
        if !self.is_worth(above, pulls, values) {
            return None;
        }
        // No pull gains more than the difference between the best and the worst.
        let (mut low, mut high) = (above, 1.0);
        while high > PRECISION * low {
            let price = (low * high).sqrt();
            if self.is_worth(price, pulls, values) {
                low = price;
            } else {
                high = price;
            }
        }
        Some(low)
    }

    /// The expected gain, and the expected number of pulls, if the arm is left as soon as it is not worth the price.
    fn expected(self, price: f64, pulls: usize) -> (f64, f64) {
        let (wins, count) = (self.posterior.wins, self.posterior.count());
        let now = self.posterior.mean().max(self.rival);
        let mut values = vec![(0.0, 0.0); pulls + 1];
        for pulled in (0..=pulls).rev() {
            for won in 0..=pulled {
                let mean = (wins + won as f64) / (count + pulled as f64);
                let stop = mean.max(self.rival) - now;
                let (good, bad) = (values[(won + 1).min(pulls)], values[won]);
                let gain = mean * good.0 + (1.0 - mean) * bad.0;
                let more = 1.0 + mean * good.1 + (1.0 - mean) * bad.1;
                let goes_on = pulled == 0 || pulled < pulls && gain - price * more > stop;
                values[won] = if goes_on { (gain, more) } else { (stop, 0.0) };
            }
        }
        values[0]
    }

    /// The logarithm of the most that N further pulls gain per pull, over some N from half of `ahead` to `left`, and that
    /// N.
    fn ln_rate(self, table: &GainTable, ahead: u32, left: u32) -> (f64, f64) {
        let mut pulls = f64::from(ahead) / 2.0;
        let mut best = (f64::NEG_INFINITY, pulls);
        while pulls <= f64::from(left) {
            let variance = self.posterior.variance_of_next_mean(pulls);
            if variance > 0.0 {
                let rate =
                    table.ln_worth(variance, (self.posterior.mean() - self.rival).abs()) - ln_real(pulls);
                best = if rate > best.0 { (rate, pulls) } else { best };
            }
            pulls *= 1.5;
        }
        best
    }
}

impl Select for Stopping {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        let left = view.left.unwrap_or(view.total).max(1);
        let (mut best, mut second) = ((f64::NEG_INFINITY, 0), f64::NEG_INFINITY);
        for index in 0..view.means.len() {
            let mean = Posterior::of(view, index).mean();
            if mean > best.0 {
                (best, second) = ((mean, index), best.0);
            } else {
                second = second.max(mean);
            }
        }
        let candidate = |index| {
            let rival = if index == best.1 { second } else { best.0 };
            Candidate { posterior: Posterior::of(view, index), rival }
        };
        let table = GainTable::get();
        let mut chosen = (f64::NEG_INFINITY, None);
        for index in (0..view.means.len()).filter(|&index| !candidate(index).posterior.proven) {
            let (rate, _) = candidate(index).ln_rate(&table, self.ahead, left);
            if rate > chosen.0 {
                chosen = (rate, Some(index));
            }
        }
        // One look ahead tells whether an arm is worth more than the best so far.
        let mut price = exp_real(chosen.0.max(LN_RATE_MIN)).max(PRICE_MIN);
        let mut values = [0.0; Stopping::AHEAD_MAX as usize + 1];
        let pulls = self.ahead.min(left) as usize;
        for index in (0..view.means.len()).filter(|&index| !candidate(index).posterior.proven) {
            if let Some(found) = candidate(index).index(price, pulls, &mut values) {
                (price, chosen.1) = (found, Some(index));
            }
        }
        chosen.1.unwrap_or_else(|| most_to_gain(view, 1.0))
    }

    fn rest(&self, view: &View, arm: usize, share: u32) -> u32 {
        view.pulls[arm] / share
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    fn candidate(wins: f64, losses: f64, rival: f64) -> Candidate {
        Candidate { posterior: Posterior { wins, losses, proven: false }, rival }
    }

    fn index(candidate: Candidate, pulls: usize) -> f64 {
        candidate.index(PRICE_MIN, pulls, &mut [0.0; Stopping::AHEAD_MAX as usize + 1]).unwrap_or(0.0)
    }

    /// One pull of Beta(1, 1) beside a mean of 0.6 moves the mean to 2/3 with chance 1/2: it gains 1/30.
    #[test]
    fn one_pull_by_hand() {
        let found = index(candidate(1.0, 1.0, 0.6), 1);
        assert!((found * 30.0 - 1.0).abs() < 0.02, "{found}");
        // Beside 0.7 a single pull changes nothing; two pulls gain (3/4 - 0.7) with chance 1/3. The second pull comes
        // only after a win: 1.5 pulls.
        assert_eq!(index(candidate(1.0, 1.0, 0.7), 1), 0.0);
        let found = index(candidate(1.0, 1.0, 0.7), 2);
        assert!((found * 90.0 - 1.0).abs() < 0.02, "{found}");
    }

    /// All ways to stop, one by one: whether to go on after each number of pulls and wins.
    #[test]
    fn the_index_is_the_best_way_to_stop() {
        /// The expected gain and the expected pulls, if the bits of `goes` say where to go on.
        fn play(one: Candidate, goes: u32, (pulled, won): (usize, usize), most: usize) -> (f64, f64) {
            let mean = (one.posterior.wins + won as f64) / (one.posterior.count() + pulled as f64);
            let bit = pulled * (pulled + 1) / 2 + won;
            if pulled == most || pulled > 0 && goes & (1 << (bit - 1)) == 0 {
                return (mean.max(one.rival) - one.posterior.mean().max(one.rival), 0.0);
            }
            let after = |won| play(one, goes, (pulled + 1, won), most);
            let (good, bad) = (after(won + 1), after(won));
            (mean * good.0 + (1.0 - mean) * bad.0, 1.0 + mean * good.1 + (1.0 - mean) * bad.1)
        }
        for (wins, losses, rival) in
            [(1.0, 1.0, 0.7), (2.0, 1.0, 0.75), (3.0, 2.0, 0.5), (1.5, 3.0, 0.6), (5.0, 1.0, 0.8)]
        {
            let one = candidate(wins, losses, rival);
            let most = 4;
            let rate = |goes| {
                let (gain, pulls) = play(one, goes, (0, 0), most);
                gain / pulls
            };
            let expect = (0..1 << 9).map(rate).fold(0.0, f64::max);
            let found = index(one, most);
            assert!((found / expect - 1.0).abs() < 0.02, "{wins} {losses} {rival}: {found} is not {expect}");
        }
    }

    #[test]
    fn many_pulls_are_told_apart() {
        let arms: Arms = [(4_000, 0.5), (4_000, 0.495), (40_000, 0.2), (9_000, 0.3)]
            .map(|(pulls, mean)| Arm { pulls, mean })
            .into_iter()
            .collect();
        let view = View { left: Some(10_000), ..arms.view() };
        assert!(Stopping::default().select(&view, &mut Rng::seeded(0)) < 2);
    }
}
