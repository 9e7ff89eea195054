//! Every arm in turn: the sampling of pure Monte Carlo search.

use crate::{Rng, Select, View};

/// Round robin: the arm with the fewest pulls, the first of them on a tie.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Uniform;

impl Select for Uniform {
    fn select(&mut self, view: &View, _rng: &mut Rng) -> usize {
        let fewest = view.arms.iter().enumerate().min_by_key(|(_, arm)| arm.pulls());
        fewest.map_or(0, |(index, _)| index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arm;

    #[test]
    fn goes_round() {
        let (mut arms, mut rng) = ([Arm::UNTRIED; 3], Rng::seeded(0));
        for pulls in 0..9 {
            let chosen = Uniform.select(&View::new(&arms, pulls), &mut rng);
            assert_eq!(chosen, pulls as usize % 3);
            arms[chosen].add(0.5);
        }
    }
}
