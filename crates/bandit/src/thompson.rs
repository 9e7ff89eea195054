//! Thompson sampling (Thompson 1933): draw a value for every arm from its posterior, and pull the arm with the highest.
//! The posterior includes one imagined win and one imagined loss: Beta(1 + s, 1 + n - s). There is no first sweep: an
//! untried arm draws uniformly from 0..1.

use crate::draw::{beta, normal};
use crate::filled::belief;
use crate::posterior::Posterior;
use crate::{About, Filled, Recommend, Rng, Rule, Select, View, VisitSettings, Word};

/// How values are drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sample {
    /// From the Beta distribution.
    #[default]
    Beta,
    /// From the normal distribution of the same mean and variance, which is faster.
    Normal,
}

pub(crate) const SAMPLES: &[(&str, Sample)] = &[("beta", Sample::Beta), ("normal", Sample::Normal)];

impl Sample {
    /// Draws a value for an arm from its posterior. A proven arm has its own value.
    fn draw(self, view: &View, index: usize, rng: &mut Rng) -> f64 {
        let posterior = Posterior::of(view, index);
        match self {
            _ if posterior.proven => posterior.mean(),
            Sample::Beta => beta(posterior.wins, posterior.losses, rng),
            Sample::Normal => posterior.mean() + posterior.variance().sqrt() * normal(rng),
        }
    }

    /// The best arm by newly drawn values.
    pub(crate) fn best(self, view: &View, rng: &mut Rng) -> usize {
        let mut best = (f64::NEG_INFINITY, 0);
        for index in 0..view.means.len() {
            let value = self.draw(view, index, rng);
            best = if value > best.0 { (value, index) } else { best };
        }
        best.1
    }
}

/// Thompson sampling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thompson {
    /// How values are drawn.
    pub sample: Sample,
}

impl Rule for Thompson {
    const ABOUT: About = About {
        tries_all_first: false,
        ..About::new("thompson", "Thompson sampling", Recommend::PosteriorMean)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit("sample", "the posterior from which values are drawn", &mut Word(&mut self.sample, SAMPLES));
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        Filled::words(format!(
            "Takes the highest of one drawn value an action, this one's from {}.",
            belief(view, index)
        ))
    }
}

impl Select for Thompson {
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        self.sample.best(view, rng)
    }

    fn draws_lots(&self, _view: &View) -> bool {
        true
    }

    /// Equally long for every arm: a longer rest for much pulled arms would give them more than their random share.
    fn rest(&self, view: &View, _arm: usize, share: u32) -> u32 {
        view.total / share / view.means.len() as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Arm, Arms};

    /// Beta(2, 1) is above Beta(1, 1) with probability 2/3: the density 2x, times x, from 0 to 1.
    #[test]
    fn pulls_by_the_chance_to_be_best() {
        let arms: Arms = [Arm { pulls: 1, mean: 1.0 }, Arm { pulls: 0, mean: 0.0 }].into_iter().collect();
        let mut rng = Rng::seeded(2);
        let first = (0..30_000).filter(|_| Thompson::default().select(&arms.view(), &mut rng) == 0).count();
        // The standard deviation is 82.
        assert!((19_600..20_400).contains(&first), "{first}");
    }

    /// 90 wins in 200 against 110: the first arm is better with the probability of a normal number above 2.0.
    #[test]
    fn normal_values_are_nearly_beta_values() {
        let arms: Arms =
            [Arm { pulls: 200, mean: 0.45 }, Arm { pulls: 200, mean: 0.55 }].into_iter().collect();
        let count = |sample| {
            let mut rng = Rng::seeded(2);
            (0..30_000).filter(|_| Thompson { sample }.select(&arms.view(), &mut rng) == 0).count()
        };
        let counts = [Sample::Beta, Sample::Normal].map(count);
        assert!(counts.iter().all(|count| (580..800).contains(count)), "{counts:?}");
    }
}
