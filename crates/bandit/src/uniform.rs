//! Every arm in turn: the sampling of pure Monte Carlo search.

use crate::{About, Filled, Recommend, Rng, Rule, Select, View};

/// Round robin: the arm with the fewest pulls, the first of them on a tie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uniform;

impl Rule for Uniform {
    const ABOUT: About = About::new("uniform", "round robin", Recommend::HighestMean);

    fn fill(&self, view: &View, _index: usize) -> Filled {
        let fewest = view.pulls.iter().min().unwrap_or(&0);
        Filled::words(format!("Takes the first action with the fewest visits, {fewest}."))
    }
}

impl Select for Uniform {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        let fewest = view.pulls.iter().enumerate().min_by_key(|(_, pulls)| **pulls);
        fewest.map_or(0, |(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arms;

    #[test]
    fn goes_round() {
        let (mut arms, mut rng) = (Arms::new(3), Rng::seeded(0));
        for pull in 0..9 {
            let chosen = Uniform.select(&arms.view(), &mut rng);
            assert_eq!(chosen, pull % 3);
            arms.add(chosen, 0.5);
        }
    }
}
