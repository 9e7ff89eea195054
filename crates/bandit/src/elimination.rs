//! Rounds in which fewer and fewer arms are pulled, read off the counts alone: nothing is remembered between pulls, so
//! a node of a tree can be left and come back to.
//!
//! In a round each surviving arm is pulled up to a target. Whoever has more pulls than the round before asked for, and
//! no more than this one does, was chosen for this round. The places that are still free go to the best of the arms
//! that did all of the round before, one by one; those do not change until they are pulled, so the choice is that of
//! the round's beginning. Arms that have more pulls than the round asks for (they came with a tree that was kept), and
//! proven ones, take their place by rank as all others do, but need no pulls.

use crate::View;

/// One round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// How many arms are pulled.
    pub survivors: usize,
    /// What the round before asked for: pulls of each arm, counted from the beginning; 0 in the first round.
    pub before: u32,
    /// What this one asks for.
    pub target: u32,
}

/// The pulls of an arm. A proven one needs no more.
fn pulls(view: &View, index: usize) -> u32 {
    if view.spreads[index] == 0.0 { u32::MAX } else { view.pulls[index] }
}

/// Whether enough arms did all that a round asks for.
fn is_done(view: &View, round: Round) -> bool {
    let done = (0..view.means.len()).filter(|&index| pulls(view, index) >= round.target).count();
    done >= round.survivors
}

/// The round that a choice is in, where `round` tells of each of so many rounds. After the last one the best arm of that
/// goes on.
pub(crate) fn current_round(view: &View, rounds: usize, round: impl Fn(usize) -> Round) -> Round {
    // The first round that is not done, by halving: those before it are. Of rounds that ask for the same, the first
    // tells.
    let (mut low, mut high) = (0, rounds);
    while low < high {
        let middle = (low + high) / 2;
        let target = round(middle).target;
        let first = (low..middle).rev().take_while(|&index| round(index).target == target).last();
        let done = is_done(view, round(first.unwrap_or(middle)));
        (low, high) = if done { (middle + 1, high) } else { (low, middle) };
    }
    let before = if low == 0 { 0 } else { round(low - 1).target };
    let last = Round { survivors: 1, before, target: u32::MAX };
    if low < rounds { round(low) } else { last }
}

/// The arm to pull in a round that is not done, where a higher `rank` is better.
pub(crate) fn next_of_round(view: &View, round: Round, rank: impl Fn(usize) -> f64) -> usize {
    let mut confirmed = 0;
    // Of the confirmed, the least pulled; of those that wait for a place, the best.
    let (mut least, mut best): (Option<usize>, Option<(f64, usize)>) = (None, None);
    for index in 0..view.means.len() {
        let pulls = pulls(view, index);
        if pulls > round.before && pulls <= round.target && pulls < u32::MAX {
            confirmed += 1;
            // The largest spread, as it also tells of pulls that have not paid yet.
            let is_less = least.is_none_or(|least| view.spreads[index] > view.spreads[least]);
            least = if is_less && pulls < round.target { Some(index) } else { least };
        } else if pulls == round.before {
            let rank = rank(index);
            best = if best.is_none_or(|best| rank > best.0) { Some((rank, index)) } else { best };
        }
    }
    let is_over = |index: usize| {
        let pulls = pulls(view, index);
        pulls > round.target || pulls == u32::MAX
    };
    if let Some((highest, index)) = best {
        let ahead = (0..view.means.len()).filter(|&other| is_over(other) && rank(other) > highest).count();
        if confirmed + ahead < round.survivors {
            return index;
        }
    }
    // Where there is no one left to pull, anyone will do that can still tell something.
    least.or(best.map(|(_, index)| index)).unwrap_or_else(|| least_known(view))
}

/// How long the arm to pull in a round may [rest](crate::Select::rest): once it has its place, and up to the round's end. So
/// places are given by what is known at the round's beginning, and every round ends with the same counts. `budget` is what
/// the rounds were made of; where it ends, others may begin.
pub(crate) fn rest_of_round(view: &View, round: Round, arm: usize, share: u32, budget: u64) -> u32 {
    let pulls = view.pulls[arm];
    if pulls <= round.before || pulls >= round.target {
        return 0;
    }
    let left = budget.saturating_sub(u64::from(view.total) + 1);
    (pulls / share).min(round.target - pulls - 1).min(left.min(u32::MAX.into()) as u32)
}

fn least_known(view: &View) -> usize {
    let less =
        |least: usize, next: usize| if view.spreads[next] > view.spreads[least] { next } else { least };
    (0..view.means.len()).reduce(less).unwrap_or(0)
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::{Arm, Arms, Rng, Select};

    /// A textbook's rounds: every survivor pulled in turn up to the target, then only the best go on. Returns the arms
    /// in the order of their pulls. The last survivor gets what is left.
    pub(crate) fn textbook(
        arms: usize,
        rounds: &[(usize, u32)],
        mut pay: impl FnMut(usize) -> f32,
        budget: u32,
    ) -> Vec<usize> {
        let (mut survivors, mut pulled): (Vec<usize>, Vec<usize>) = ((0..arms).collect(), Vec::new());
        let mut known = vec![Arm { pulls: 0, mean: 0.0 }; arms];
        for &(places, target) in rounds.iter().chain(&[(1, u32::MAX)]) {
            survivors.sort_by(|&a, &b| known[b].mean.total_cmp(&known[a].mean).then(a.cmp(&b)));
            survivors.truncate(places);
            let done = known[survivors[0]].pulls;
            for turn in done..target {
                // Within a round the first turn goes by rank and the others by index: the least pulled, the first of
                // equals.
                if turn == done + 1 {
                    survivors.sort();
                }
                for &arm in &survivors {
                    if pulled.len() == budget as usize {
                        return pulled;
                    }
                    pulled.push(arm);
                    let Arm { pulls, mean } = known[arm];
                    known[arm] = Arm { pulls: pulls + 1, mean: crate::next_mean(mean, pay(arm), pulls + 1) };
                }
            }
        }
        pulled
    }

    /// A rule's pulls on the same arms.
    pub(crate) fn pulls_of(
        rule: &mut impl Select,
        count: usize,
        mut pay: impl FnMut(usize) -> f32,
        budget: u32,
    ) -> Vec<usize> {
        let (mut arms, mut rng) = (Arms::new(count), Rng::seeded(0));
        (0..budget)
            .map(|spent| {
                let view = View { left: Some(budget - spent), ..arms.view() };
                let chosen = rule.select(&view, &mut rng);
                arms.add(chosen, pay(chosen));
                chosen
            })
            .collect()
    }

    /// Rewards by arm and turn, alike for all who ask.
    pub(crate) fn payer(seed: u64, count: usize) -> impl FnMut(usize) -> f32 {
        let mut rng = Rng::seeded(seed);
        let mut arms: Vec<(f32, Rng)> = (0..count).map(|_| (rng.unit(), rng.fork())).collect();
        move |arm| {
            let (odds, rng) = &mut arms[arm];
            if rng.unit() < *odds { 1.0 } else { 0.0 }
        }
    }

    /// The arms that were pulled, sorted, at the end of each of a textbook's rounds, and of all pulls where all rounds were done.
    pub(crate) fn at_round_ends(rounds: &[(usize, u32)], pulled: &[usize]) -> Vec<Vec<usize>> {
        let (mut spent, mut before, mut ends) = (0, 0, Vec::new());
        for &(places, target) in rounds {
            (spent, before) = (spent + places * (target - before) as usize, target);
            ends.push(spent);
        }
        if pulled.len() >= spent {
            ends.push(pulled.len());
        }
        let ended = ends.into_iter().filter(|&end| end <= pulled.len());
        ended
            .map(|end| pulled[..end].to_vec())
            .map(|mut arms| {
                arms.sort();
                arms
            })
            .collect()
    }

    fn next(arms: &[(u32, f32)], round: Round) -> usize {
        let arms: Arms = arms.iter().map(|&(pulls, mean)| Arm { pulls, mean }).collect();
        let view = arms.view();
        next_of_round(&view, round, |index| view.means[index].into())
    }

    #[test]
    fn places_go_to_the_best_and_then_pulls_to_the_least_pulled() {
        let round = Round { survivors: 2, before: 4, target: 8 };
        assert_eq!(next(&[(4, 0.5), (4, 0.75), (4, 0.25), (4, 0.75)], round), 1);
        assert_eq!(next(&[(4, 0.5), (5, 0.6), (4, 0.25), (4, 0.75)], round), 3);
        assert_eq!(next(&[(4, 0.9), (6, 0.6), (4, 0.25), (5, 0.75)], round), 3);
        assert_eq!(next(&[(4, 0.9), (8, 0.6), (4, 0.25), (5, 0.75)], round), 3);
    }

    /// An arm of 90 pulls from a tree that was kept takes a place if it is better, and needs no pulls.
    #[test]
    fn arms_with_more_pulls_take_their_place_by_rank() {
        let round = Round { survivors: 2, before: 4, target: 8 };
        assert_eq!(next(&[(4, 0.5), (90, 0.6), (4, 0.25), (4, 0.75)], round), 3);
        assert_eq!(next(&[(4, 0.5), (90, 0.6), (4, 0.25), (5, 0.75)], round), 3);
        assert_eq!(next(&[(4, 0.5), (90, 0.3), (4, 0.25), (5, 0.75)], round), 0);
    }
}
