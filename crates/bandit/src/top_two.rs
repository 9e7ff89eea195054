//! Top-two Thompson sampling (Russo, Simple Bayesian algorithms for best-arm identification, 2016). With probability
//! beta, pull the arm that is best by drawn values. Otherwise draw again until another arm is best, and pull that
//! one. Thompson sampling alone would pull the best arm nearly always, and learn too little of its rivals.
//!
//! Once one arm stands out, that would take many draws. So the rule draws again only once. If the same arm is best
//! again, it takes the challenger of T3C (Shang et al., Fixed-confidence guarantees for Bayesian best-arm
//! identification, 2020): the arm with the least transportation cost. With normal posteriors of means m and variances
//! v, that is the arm with the least (m_best - m) / sqrt(v_best + v), which is the likeliest to be better. T3C's
//! challenger alone, without the second draw, explores too little with few pulls.

use crate::filled::belief;
use crate::posterior::Posterior;
use crate::thompson::{SAMPLES, Sample};
use crate::{About, Filled, Number, Recommend, Rng, Rule, SHARES, Select, View, VisitSettings, Word};

/// Top-two Thompson sampling. There is no first sweep.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TopTwo {
    /// The probability of pulling the best arm by drawn values.
    pub beta: f32,
    /// How values are drawn.
    pub sample: Sample,
}

impl Default for TopTwo {
    fn default() -> TopTwo {
        TopTwo { beta: 0.5, sample: Sample::Beta }
    }
}

/// The unproven arm that is likeliest to be better than this one.
fn likeliest(view: &View, best: usize) -> Option<usize> {
    let leader = Posterior::of(view, best);
    let (mean, variance) = (leader.mean(), leader.variance());
    let mut least = (f64::INFINITY, None);
    for index in (0..view.means.len()).filter(|&index| index != best) {
        let rival = Posterior::of(view, index);
        let behind = mean - rival.mean();
        // Squared, with its sign.
        let cost = behind * behind.abs() / (variance + rival.variance());
        least = if !rival.proven && cost < least.0 { (cost, Some(index)) } else { least };
    }
    least.1
}

impl Rule for TopTwo {
    const ABOUT: About = About {
        tries_all_first: false,
        ..About::new("toptwo", "top-two Thompson sampling", Recommend::PosteriorMean)
    };

    fn settings(&mut self, visit: &mut VisitSettings) {
        visit(
            "beta",
            "the probability of pulling the best arm by drawn values",
            &mut Number(&mut self.beta, SHARES),
        );
        visit("sample", "the posterior from which values are drawn", &mut Word(&mut self.sample, SAMPLES));
    }

    fn fill(&self, view: &View, index: usize) -> Filled {
        let (beta, belief) = (self.beta, belief(view, index));
        Filled::words(format!(
            "With probability β = {beta} the highest of one drawn value an action, else its challenger; this one's value is from {belief}."
        ))
    }
}

impl Select for TopTwo {
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        let best = self.sample.best(view, rng);
        // A proven arm teaches nothing: its rival is next.
        let is_proven = view.spreads[best] == 0.0;
        if view.means.len() == 1 || (!is_proven && rng.unit() < self.beta) {
            return best;
        }
        let challenger = self.sample.best(view, rng);
        if challenger == best { likeliest(view, best).unwrap_or(best) } else { challenger }
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
    use crate::{Arm, Arms, Block};

    /// The best arm is nearly certain, so it gets a share beta of the pulls, and its rival the rest.
    #[test]
    fn the_rest_goes_to_the_rival() {
        let arms: Arms = [(400, 0.5), (400, 0.9), (400, 0.8)]
            .map(|(pulls, mean)| Arm { pulls, mean })
            .into_iter()
            .collect();
        let (mut rule, mut rng) = (TopTwo { beta: 0.7, ..TopTwo::default() }, Rng::seeded(4));
        let mut counts = [0; 3];
        (0..10_000).for_each(|_| counts[rule.select(&arms.view(), &mut rng)] += 1);
        assert!((6_800..7_200).contains(&counts[1]) && counts[0] == 0, "{counts:?}");
    }

    /// Distances behind the best arm (.9 of 100 pulls), with an imagined win and loss: the arm with .7 of 100 has .2 /
    /// sqrt(.0022 + .0009) = 3.6, and the arm with .5 of 2 has .4 / sqrt(.05 + .0009) = 1.8. A proven arm is no rival.
    #[test]
    fn likeliest_by_hand() {
        let mut words: Vec<u32> = crate::untried_words(4).collect();
        let mut block = Block::new(&mut words);
        for (index, (pulls, mean)) in [(100, 0.7), (100, 0.9), (2, 0.5), (9, 0.89)].into_iter().enumerate() {
            block.set(index, Arm { pulls, mean });
        }
        block.prove(3, 0.89);
        assert_eq!(likeliest(&View::new(&words, 211), 1), Some(2));
    }

    #[test]
    fn one_arm_is_pulled() {
        assert_eq!(TopTwo::default().select(&Arms::new(1).view(), &mut Rng::seeded(4)), 0);
    }
}
