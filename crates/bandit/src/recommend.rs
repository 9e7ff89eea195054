//! Which arm to choose once the pulls are spent.

use crate::logarithm::ln_real;
use crate::policy::PRIOR_MIN;
use crate::{Arm, View};

/// The rule of the final choice. A search asks it once a move, so it is plain data and not a trait.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Recommend {
    /// The most pulled arm; of equals the one of higher mean. Right for rules that pull the best arm most, like UCB1.
    /// Where arms have priors, equals go by Gumbel search's final choice: the highest ln prior + (50 + pulls) mean.
    #[default]
    MostPulls,
    /// The tried arm of highest mean; of equals the more pulled.
    HighestMean,
    /// The highest mean after one imagined win and one imagined loss, (s + 1) / (n + 2). Right for rules that spread
    /// their pulls to tell the best two apart.
    PosteriorMean,
}

/// The pulls that Gumbel search adds before it weighs means against priors.
const VISITS_IMAGINED: f64 = 50.0;

impl Recommend {
    /// The index of the recommended arm, the first of equals; `None` without arms.
    pub fn recommend(self, view: &View) -> Option<usize> {
        let rank = |(index, arm)| (index, self.rank(arm, view.prior_of(index), 0.5));
        let ranks = view.arms().enumerate().map(rank);
        ranks.reduce(|best, next| if next.1 > best.1 { next } else { best }).map(|(index, _)| index)
    }

    /// The sort key of an arm: the first number decides, then the second. Where arms have no priors, `prior` is 1 for
    /// all.
    ///
    /// The posterior mean includes two imagined pulls that pay `imagined` each. For wins and losses that is 0.5. Scores
    /// may fill only a small part of 0..=1. There `imagined` must be the mean of all pulls, because 0.5 would make a
    /// rarely pulled arm look far better than the others.
    pub fn rank(self, arm: Arm, prior: f32, imagined: f64) -> (f64, f64) {
        let (pulls, mean) = (f64::from(arm.pulls), f64::from(arm.mean));
        match self {
            Recommend::MostPulls => {
                (pulls, ln_real(f64::from(prior).max(PRIOR_MIN)) + (VISITS_IMAGINED + pulls) * mean)
            }
            Recommend::HighestMean if arm.pulls == 0 => (-1.0, 0.0),
            Recommend::HighestMean => (mean, pulls),
            Recommend::PosteriorMean => ((arm.sum() + 2.0 * imagined) / (pulls + 2.0), pulls),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Arms;

    #[test]
    fn each_rule_by_hand() {
        let check = |rule: Recommend, arms: &[(u32, f32)], expect| {
            let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect();
            assert_eq!(rule.recommend(&arms.view()), expect, "{rule:?} of {arms:?}");
        };
        let arms = [(60, 0.5), (2, 1.0), (60, 0.6), (0, 0.0), (30, 0.8)];
        check(Recommend::MostPulls, &arms, Some(2));
        check(Recommend::HighestMean, &arms, Some(1));
        // 3/4 for the lucky arm, 25/32 = .781 for the steady one.
        check(Recommend::PosteriorMean, &arms, Some(4));
        check(Recommend::MostPulls, &[(0, 0.0); 2], Some(0));
        // ln .2 + 60 * .5 = 28.39, ln .79 + 60 * .47 = 27.96, and ln .79 + 60 * .49 = 29.16.
        let by_prior = |mean, expect| {
            let arms = [(10, 0.5), (10, mean), (9, 1.0)].map(|(pulls, mean)| Arm { pulls, mean });
            let arms: Arms = arms.into_iter().collect();
            let view = View { prior: &[0.2, 0.79, 0.01], ..arms.view() };
            assert_eq!(Recommend::MostPulls.recommend(&view), Some(expect), "{mean}");
        };
        by_prior(0.47, 0);
        by_prior(0.49, 1);
        check(Recommend::HighestMean, &[(0, 0.0), (1, 0.0)], Some(1));
        check(Recommend::PosteriorMean, &[], None);
    }

    /// 59 and 18 pulls of scores near 0.0003 of the range: an imagined win and loss would give the second arm 0.05.
    #[test]
    fn small_scores_are_ranked_around_their_mean() {
        let [more, fewer] = [(59, 0.000_30), (18, 0.000_28)].map(|(pulls, mean)| Arm { pulls, mean });
        let rank = |arm| Recommend::PosteriorMean.rank(arm, 1.0, 0.000_295);
        assert!(rank(more) > rank(fewer), "{:?} {:?}", rank(more), rank(fewer));
        let rank = |arm| Recommend::PosteriorMean.rank(arm, 1.0, 0.5);
        assert!(rank(more) < rank(fewer));
    }
}
