//! Laws that every rule obeys, whatever arms it sees.

use aji_bandit::{AnyRule, Arm, Arms, Block, Pending, Recommend, Rng, Select, View, untried_words};
use proptest::prelude::*;
use std::collections::BTreeSet;

/// Every rule, with its default settings and with random ones.
fn rules(seed: u64) -> Vec<AnyRule> {
    let mut rng = Rng::seeded(seed);
    let all = AnyRule::all();
    all.iter().copied().chain(all.iter().map(|rule| rule.with_examples(&mut rng))).collect()
}

/// Those that pull every arm once before anything else.
fn rules_that_try_all_first(seed: u64) -> Vec<AnyRule> {
    rules(seed).into_iter().filter(|rule| rule.about().tries_all_first).collect()
}

/// An arm in any state that a search leaves it in.
#[derive(Clone, Copy, Debug)]
struct State {
    arm: Arm,
    proven: bool,
    square: f32,
}

fn state() -> impl Strategy<Value = State> {
    let pulls = prop_oneof![3 => 1u32..50, 1 => Just(0), 1 => 1_000_000u32..=1_000_000_000];
    let mean = prop_oneof![Just(0.0f32), Just(1.0), Just(0.5), 0f32..=1.0];
    (pulls, mean, 0..8, 0f32..=1.0).prop_map(|(pulls, mean, kind, share)| {
        let mean = if pulls == 0 && kind > 0 { 0.0 } else { mean };
        State { arm: Arm { pulls, mean }, proven: kind == 0, square: mean * (mean + share * (1.0 - mean)) }
    })
}

fn words_of(states: &[State]) -> Vec<u32> {
    let mut words: Vec<u32> = untried_words(states.len()).collect();
    let mut block = Block::new(&mut words);
    for (index, state) in states.iter().enumerate() {
        block.set(index, state.arm);
        if state.proven {
            block.prove(index, state.arm.mean);
        }
    }
    words
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
        for rule in rules(seed) {
            // The rule chooses the same arms when it is asked again with the same seed.
            let select = || {
                let (mut rule, mut rng) = (rule, Rng::seeded(seed));
                [(); 3].map(|_| rule.select(&view, &mut rng))
            };
            let chosen = select();
            prop_assert!(chosen.iter().all(|&chosen| chosen < states.len()), "{} chose {:?}", rule, chosen);
            prop_assert_eq!(chosen, select(), "{}", rule);
            rule.enough(&view);
        }
    }

    #[test]
    fn every_arm_is_tried_first(
        count in 1usize..40, seed: u64, left in prop_oneof![Just(None), (40u32..2_000).prop_map(Some)],
    ) {
        for mut rule in rules_that_try_all_first(seed) {
            let (mut arms, mut rng) = (Arms::new(count), Rng::seeded(seed));
            for expect in 0..count {
                let left = left.map(|left| left - expect as u32);
                let chosen = rule.select(&View { left, ..arms.view() }, &mut rng);
                prop_assert_eq!(chosen, expect, "{}", rule);
                let reward = if rng.unit() < 0.5 { 1.0 } else { 0.0 };
                arms.add(chosen, reward);
            }
        }
    }

    #[test]
    fn settings_read_what_they_show(seed: u64) {
        for rule in rules(seed) {
            let (mut again, mut keys) = (rule, BTreeSet::new());
            again.settings(&mut |key, _, setting| {
                assert!(keys.insert(key), "{rule} has {key} twice");
                let shown = setting.show();
                assert_eq!(shown.as_ref().map(|text| setting.read(text)), shown.as_ref().map(|_| Ok(())), "{rule}");
                assert_eq!(setting.show(), shown);
                assert_eq!(setting.read("?"), Err(setting.takes()));
            });
            prop_assert_eq!(again, rule);
            let alternatives = rule.about().alternatives.map_or(Vec::new(), |(_, keys)| keys.to_vec());
            prop_assert!(alternatives.iter().all(|key| keys.contains(key)), "{}", rule);
        }
    }
}

#[test]
fn words_are_told_apart() {
    for rule in AnyRule::all() {
        assert_eq!(AnyRule::of_word(rule.about().word), Some(rule));
    }
}

/// How many arms of a fresh choice a rule tries. Gumbel search considers only some at the root. PUCT with next to no
/// exploration has no reason to leave the first.
fn tries(rule: &AnyRule, arms: usize, depth: u32) -> usize {
    match rule {
        AnyRule::Gumbel(gumbel) if depth == 0 => arms.min(gumbel.considered as usize),
        AnyRule::Puct(puct) if puct.c < 1e-3 => 1,
        _ => arms,
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// A wave at a fresh choice pulls a different arm each time.
    #[test]
    fn waves_spread(
        arms in 1usize..70, share in 0f64..=1.0, seed: u64, depth in 0u32..2,
        left in prop_oneof![Just(None), (0u32..5_000).prop_map(Some)],
    ) {
        let words: Vec<u32> = untried_words(arms).collect();
        let view = View { left, depth, ..View::new(&words, 0) };
        for mut rule in rules(seed) {
            let width = 1 + (share * (tries(&rule, arms, depth) - 1) as f64) as usize;
            let mut picks = vec![0; width];
            Pending::default().select(&mut rule, &view, &mut Rng::seeded(seed), &mut picks);
            let different: BTreeSet<u16> = picks.iter().copied().collect();
            prop_assert_eq!(different.len(), width, "{:?} takes {:?}", rule, picks);
        }
    }

    /// If all rewards are equal, waves make the same pulls as the rule does one after another. The number of arms is a
    /// multiple of the wave's width, so that whole waves make up the first sweep of UCB1. Within a wave UCB1 assumes
    /// that its untried arms pay nothing.
    #[test]
    fn waves_count_as_one_after_another(waves in 1usize..5, width in 1usize..9, times in 1usize..5, depth in 0u32..2) {
        for rule in AnyRule::all() {
            if rule.draws_lots(&Arms::new(1).view()) || rule.about().word == "epsilon" {
                continue;
            }
            let arms = width * times;
            let [mut together, mut in_turn] = [Arms::new(arms), Arms::new(arms)];
            let (mut rule_in_turn, mut rule) = (rule, rule);
            let [mut rng_in_turn, mut rng] = [Rng::seeded(7), Rng::seeded(7)];
            for _ in 0..times * waves {
                let mut picks = vec![0; width];
                let view = View { depth, ..together.view() };
                Pending::default().select(&mut rule, &view, &mut rng, &mut picks);
                picks.iter().for_each(|&pick| together.add(pick.into(), 0.5));
                for _ in 0..width {
                    let chosen = rule_in_turn.select(&View { depth, ..in_turn.view() }, &mut rng_in_turn);
                    in_turn.add(chosen, 0.5);
                }
            }
            prop_assert_eq!(together.view().pulls, in_turn.view().pulls, "{:?}", rule);
        }
    }
}

/// After one sweep of 32 arms with uniform means, the arm recommended by mean has won (unless none has). So the density
/// of its true mean is 2 x, and 2/3 is expected. The best of 32 has 32/33.
#[test]
fn regret_of_one_sweep_is_the_closed_form() {
    const REPEATS: u32 = 20_000;
    for mut rule in rules_that_try_all_first(1) {
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
        assert!((mean - expect).abs() < 4.0 * error, "{rule}: {mean} is not {expect} within 4 x {error}");
    }
}
