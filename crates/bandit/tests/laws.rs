//! What holds for every rule, whatever it is shown.

use aji_bandit::{
    Allowance, Arm, Arms, Blinkered, Block, Bound, Epsilon, Gumbel, Halving, KlUcb, KnowledgeGradient, Ocba,
    Puct, Rave, Recommend, Rejects, Rng, Sample, Select, Thompson, Ties, TopTwo, Ucb1, UcbSqrt, UcbTuned,
    Uniform, View, Voi, untried_words,
};
use proptest::prelude::*;
use proptest::test_runner::TestCaseResult;

/// Runs a check on every rule that tries each arm once before any other thing.
macro_rules! for_rules_that_sweep {
    ($check:ident $(, $more:expr)*) => {
        $check(Ucb1::default() $(, $more)*)?;
        $check(UcbTuned $(, $more)*)?;
        $check(UcbSqrt::default() $(, $more)*)?;
        $check(Epsilon::default() $(, $more)*)?;
        $check(Uniform $(, $more)*)?;
        $check(Ocba $(, $more)*)?;
        $check(KlUcb::default() $(, $more)*)?;
        $check(KlUcb { c: 3.0 } $(, $more)*)?;
        $check(Halving::default() $(, $more)*)?;
        $check(Halving { budget: Allowance::Anytime } $(, $more)*)?;
        $check(Rejects::default() $(, $more)*)?;
        $check(Rejects::new(Allowance::Anytime) $(, $more)*)?;
        for bound in [Bound::Simple, Bound::Phi] {
            for ties in [Ties::Random, Ties::Most, Ties::First] {
                $check(Voi { bound, ties, stop: 1e-6 } $(, $more)*)?;
            }
        }
    };
}

/// Runs a check on every rule.
macro_rules! for_rules {
    ($check:ident $(, $more:expr)*) => {
        for_rules_that_sweep!($check $(, $more)*);
        $check(Puct::default() $(, $more)*)?;
        $check(Rave::default() $(, $more)*)?;
        $check(Thompson::default() $(, $more)*)?;
        $check(Thompson { sample: Sample::Normal } $(, $more)*)?;
        $check(TopTwo::default() $(, $more)*)?;
        $check(TopTwo { beta: 0.0, sample: Sample::Normal } $(, $more)*)?;
        $check(KnowledgeGradient $(, $more)*)?;
        $check(Blinkered::default() $(, $more)*)?;
        $check(Gumbel::default() $(, $more)*)?;
        $check(Gumbel::new(1, 0.0, 0.0) $(, $more)*)?;
    };
}

/// An arm in any state that a search leaves it in.
#[derive(Clone, Copy, Debug)]
struct State {
    arm: Arm,
    settled: bool,
    square: f32,
}

fn state() -> impl Strategy<Value = State> {
    let pulls = prop_oneof![3 => 1u32..50, 1 => Just(0), 1 => 1_000_000u32..=1_000_000_000];
    let mean = prop_oneof![Just(0.0f32), Just(1.0), Just(0.5), 0f32..=1.0];
    (pulls, mean, 0..8, 0f32..=1.0).prop_map(|(pulls, mean, kind, share)| {
        let mean = if pulls == 0 && kind > 0 { 0.0 } else { mean };
        State { arm: Arm { pulls, mean }, settled: kind == 0, square: mean * (mean + share * (1.0 - mean)) }
    })
}

fn words_of(states: &[State]) -> Vec<u32> {
    let mut words: Vec<u32> = untried_words(states.len()).collect();
    let mut block = Block::new(&mut words);
    for (index, state) in states.iter().enumerate() {
        block.set(index, state.arm);
        if state.settled {
            block.settle(index, state.arm.mean);
        }
    }
    words
}

/// One rule on one view: an arm that is there, and the same one when asked again alike.
fn check<R: Select + Copy + std::fmt::Debug>(rule: R, view: &View, seed: u64) -> TestCaseResult {
    let select = || {
        let (mut rule, mut rng) = (rule, Rng::seeded(seed));
        [(); 3].map(|_| rule.select(view, &mut rng))
    };
    let chosen = select();
    prop_assert!(chosen.iter().all(|&chosen| chosen < view.means.len()), "{:?} chose {:?}", rule, chosen);
    prop_assert_eq!(chosen, select(), "{:?}", rule);
    rule.enough(view);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn an_arm_is_chosen_whatever_is_shown(
        states in prop::collection::vec(state(), 1..40), seed: u64, with_squares: bool, depth in 0u32..2,
        left in prop_oneof![Just(None), Just(Some(0)), Just(Some(1)), Just(Some(u32::MAX)), (0u32..5_000).prop_map(Some)],
    ) {
        let words = words_of(&states);
        let total = states.iter().fold(0u32, |total, state| total.saturating_add(state.arm.pulls));
        let squares: Vec<f32> = states.iter().map(|state| state.square).collect();
        let squares = if with_squares { squares.as_slice() } else { &[] };
        let view = View { squares, left, depth, ..View::new(&words, total) };
        for_rules!(check, &view, seed);
    }

    #[test]
    fn every_arm_is_tried_first(
        count in 1usize..40, seed: u64, left in prop_oneof![Just(None), (40u32..2_000).prop_map(Some)],
    ) {
        fn sweep<R: Select + std::fmt::Debug>(
            mut rule: R, count: usize, seed: u64, left: Option<u32>,
        ) -> TestCaseResult {
            let (mut arms, mut rng) = (Arms::new(count), Rng::seeded(seed));
            for expect in 0..count {
                let left = left.map(|left| left - expect as u32);
                let chosen = rule.select(&View { left, ..arms.view() }, &mut rng);
                prop_assert_eq!(chosen, expect, "{:?}", rule);
                let reward = if rng.unit() < 0.5 { 1.0 } else { 0.0 };
                arms.add(chosen, reward);
            }
            Ok(())
        }
        for_rules_that_sweep!(sweep, count, seed, left);
    }
}

/// After one sweep of 32 arms with uniform means, the arm that is recommended by mean has won (unless none has), so its
/// own mean is drawn by the density 2 x: 2/3 is expected. The best of 32 has 32/33.
#[test]
fn regret_of_one_sweep_is_the_closed_form() -> TestCaseResult {
    fn regret<R: Select + Copy + std::fmt::Debug>(mut rule: R) -> TestCaseResult {
        const REPEATS: u32 = 20_000;
        let (mut sum, mut squares) = (0.0, 0.0);
        for seed in 0..REPEATS {
            let mut rng = Rng::seeded(u64::from(seed));
            let odds: Vec<f32> = (0..32).map(|_| rng.unit()).collect();
            let mut arms = Arms::new(32);
            for left in (1..=32).rev() {
                let chosen = rule.select(&View { left: Some(left), ..arms.view() }, &mut rng);
                arms.add(chosen, if rng.unit() < odds[chosen] { 1.0 } else { 0.0 });
            }
            let best = odds.iter().copied().fold(0.0, f32::max);
            let chosen = Recommend::HighestMean.recommend(&arms.view()).expect("there are arms");
            let regret = f64::from(best - odds[chosen]);
            (sum, squares) = (sum + regret, squares + regret * regret);
        }
        let mean = sum / f64::from(REPEATS);
        let error = ((squares / f64::from(REPEATS) - mean * mean) / f64::from(REPEATS)).sqrt();
        let expect = 32.0 / 33.0 - 2.0 / 3.0;
        prop_assert!(
            (mean - expect).abs() < 4.0 * error,
            "{:?}: {} is not {} within 4 x {}",
            rule,
            mean,
            expect,
            error
        );
        Ok(())
    }
    for_rules_that_sweep!(regret);
    Ok(())
}
