//! Rounds in which fewer and fewer arms are pulled, derived from the counts alone. Nothing is stored between pulls,
//! so a search can leave a node of a tree and come back.
//!
//! In a round each surviving arm is pulled up to a target. An arm belongs to the round if its pulls are above the
//! last round's target and at most this round's. The free places go, one by one, to the best arms that completed the
//! round before. Those do not change until they are pulled, so the choice is the same as at the start of the round.
//! Arms with more pulls than the target (from a tree that was kept) take places by rank like all others, but need no
//! pulls. Proven arms are out: nothing more can be learned of them, and their places go to the next best.

use crate::View;

/// One round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Round {
    /// How many arms stay in.
    pub survivors: usize,
    /// The last round's target: pulls of each arm, counted from the beginning; 0 in the first round.
    pub before: u32,
    /// This round's target.
    pub target: u32,
}

/// The arms that are not proven.
fn unproven(view: &View) -> impl Iterator<Item = usize> {
    (0..view.means.len()).filter(|&index| view.spreads[index] > 0.0)
}

/// Whether a round is over: all of its survivors have reached the target.
fn is_done(view: &View, round: Round) -> bool {
    let done = unproven(view).filter(|&index| view.pulls[index] >= round.target).count();
    done >= round.survivors.min(unproven(view).count())
}

/// The current round of a choice, where `round` describes each of `rounds` rounds. After the last one its best arm
/// gets all pulls.
pub(crate) fn current_round(view: &View, rounds: usize, round: impl Fn(usize) -> Round) -> Round {
    // Binary search for the first round that is not done. Of rounds with equal targets, the first counts.
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

/// The arm to pull in a round that is not done. A higher `rank` is better.
pub(crate) fn next_of_round(view: &View, round: Round, rank: impl Fn(usize) -> f64) -> usize {
    let mut confirmed = 0;
    // The least pulled of the arms in the round, and the best of those that wait for a place.
    let (mut least, mut best): (Option<usize>, Option<(f64, usize)>) = (None, None);
    for index in unproven(view) {
        let pulls = view.pulls[index];
        if pulls > round.before && pulls <= round.target {
            confirmed += 1;
            // The largest spread, because the spread also counts pending pulls.
            let is_less = least.is_none_or(|least| view.spreads[index] > view.spreads[least]);
            least = if is_less && pulls < round.target { Some(index) } else { least };
        } else if pulls == round.before {
            let rank = rank(index);
            best = if best.is_none_or(|best| rank > best.0) { Some((rank, index)) } else { best };
        }
    }
    let is_over = |index: &usize| view.pulls[*index] > round.target;
    if let Some((highest, index)) = best {
        let ahead = unproven(view).filter(is_over).filter(|&other| rank(other) > highest).count();
        if confirmed + ahead < round.survivors {
            return index;
        }
    }
    // If no arm is left to pull, take any that can still teach something.
    least.or(best.map(|(_, index)| index)).unwrap_or_else(|| least_known(view))
}

/// How long the arm to pull may [rest](crate::Select::rest): from its first pull in the round to the end of the round.
/// So the statistics at the start of the round decide which arms survive, and every round ends with the same counts.
/// `budget` defines the rounds; when it is spent, other rounds may begin.
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

    /// The textbook's rounds: every survivor is pulled in turn up to the target, then only the best go on. Returns
    /// the arms in the order of their pulls. The last survivor gets the rest.
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
                // Within a round the first turn goes by rank, and the others to the least pulled, by index among
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

    /// Rewards by arm and turn, the same for every caller.
    pub(crate) fn payer(seed: u64, count: usize) -> impl FnMut(usize) -> f32 {
        let mut rng = Rng::seeded(seed);
        let mut arms: Vec<(f32, Rng)> = (0..count).map(|_| (rng.unit(), rng.fork())).collect();
        move |arm| {
            let (odds, rng) = &mut arms[arm];
            if rng.unit() < *odds { 1.0 } else { 0.0 }
        }
    }

    /// The pulled arms, sorted, at the end of each textbook round, and of all pulls if all rounds are done.
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

    /// Proven arms take no place and end no round: the two best of the others are pulled up to the target.
    #[test]
    fn proven_arms_leave_their_places_to_others() {
        let check = |pulls: [u32; 5], expect: usize| {
            let means = [0.0, 0.0, 0.2, 0.6, 0.4];
            let arms: Arms = pulls.into_iter().zip(means).map(|(pulls, mean)| Arm { pulls, mean }).collect();
            let mut spreads = arms.view().spreads.to_vec();
            spreads[..2].fill(0.0);
            let view = View { spreads: &spreads, ..arms.view() };
            let rounds = [(5, 4), (2, 8)];
            let round = |index: usize| Round {
                survivors: rounds[index].0,
                before: if index == 0 { 0 } else { rounds[index - 1].1 },
                target: rounds[index].1,
            };
            let round = current_round(&view, rounds.len(), round);
            assert_eq!(next_of_round(&view, round, |index| view.means[index].into()), expect, "{pulls:?}");
        };
        check([1, 1, 4, 4, 3], 4);
        check([1, 1, 4, 4, 4], 3);
        check([9, 1, 4, 8, 4], 4);
        check([9, 1, 4, 8, 8], 3);
        check([1, 1, 4, 9, 8], 3);
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

    /// An arm with 90 pulls from a tree that was kept takes a place if it is better, and needs no pulls.
    #[test]
    fn arms_with_more_pulls_take_their_place_by_rank() {
        let round = Round { survivors: 2, before: 4, target: 8 };
        assert_eq!(next(&[(4, 0.5), (90, 0.6), (4, 0.25), (4, 0.75)], round), 3);
        assert_eq!(next(&[(4, 0.5), (90, 0.6), (4, 0.25), (5, 0.75)], round), 3);
        assert_eq!(next(&[(4, 0.5), (90, 0.3), (4, 0.25), (5, 0.75)], round), 0);
    }
}
