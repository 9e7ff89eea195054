//! Every choice is the same to the last bit on every CPU: with the instructions of x86-64-v3, if this CPU has them, and
//! without.
//!
//! This file has a single test, because pretending to be another CPU affects the whole process.

use aji_bandit::{AnyRule, Arm, Block, Pending, Rng, Select, View, reward_some, untried_words};

/// Arms in all states that a search leaves them in, with few distinct numbers so that ties are frequent.
struct Case {
    words: Vec<u32>,
    squares: Vec<f32>,
    amaf: Vec<Arm>,
    total: u32,
    left: Option<u32>,
    depth: u32,
}

fn case(seed: u64) -> Case {
    let mut rng = Rng::seeded(seed);
    let count = 1 + rng.below([10, 40, 400][seed as usize % 3]);
    let pulls_max = [3, 50, 1_000_000_000][rng.below(3)];
    let steps = [2, 8, 1_000][rng.below(3)];
    // The last ones are untried.
    let tried = if rng.below(2) == 0 { count } else { rng.below(count + 1) };
    let mut arm = |is_tried: bool| {
        let pulls = if is_tried { 1 + rng.below(pulls_max) as u32 } else { 0 };
        Arm { pulls, mean: if is_tried { rng.below(steps + 1) as f32 / steps as f32 } else { 0.0 } }
    };
    let mut words: Vec<u32> = untried_words(count).collect();
    let mut block = Block::new(&mut words);
    (0..count).for_each(|index| block.set(index, arm(index < tried)));
    let amaf = (0..count).map(|index| arm(index % 3 > 0)).collect();
    for index in 0..count {
        if rng.below(20) == 0 {
            block.prove(index, rng.below(3) as f32 / 2.0);
        }
    }
    let view = View::new(&words, 0);
    let squares = view.means.iter().map(|mean| mean * (mean + rng.unit() * (1.0 - mean))).collect();
    let total = view.pulls.iter().fold(0u32, |total, &pulls| total.saturating_add(pulls));
    let left = if rng.below(2) == 0 { None } else { Some(rng.below(5_000) as u32) };
    Case { words, squares, amaf, total, left, depth: rng.below(2) as u32 }
}

/// The results of every rule and of [`reward_some`] on a case.
fn answers(case: &Case, seed: u64) -> Vec<u64> {
    let mut rng = Rng::seeded(seed);
    let mut answers = Vec::new();
    let view = View {
        squares: &case.squares,
        left: case.left,
        depth: case.depth,
        ..View::new(&case.words, case.total)
    };
    let all = AnyRule::all();
    let varied: Vec<AnyRule> = all.iter().map(|rule| rule.with_examples(&mut rng)).collect();
    for mut rule in all.into_iter().chain(varied) {
        for amaf in [&[], case.amaf.as_slice()] {
            answers.push(rule.select(&View { amaf, ..view }, &mut rng) as u64);
        }
        let mut picks = vec![u16::MAX; 1 + rng.below(20)];
        answers.push(rule.select_ahead(&view, &mut Pending::default(), &mut picks).into());
        answers.extend(picks.into_iter().map(u64::from));
    }
    let mut arms = case.amaf.clone();
    let made = rng.bits() | rng.bits();
    reward_some(&mut arms, [0.0, 0.5, 1.0][rng.below(3)], |index| made >> (index * 7 % 64) & 1 == 1);
    answers.extend(arms.iter().flat_map(|arm| [u64::from(arm.pulls), arm.mean.to_bits().into()]));
    answers
}

#[test]
fn every_cpu_chooses_the_same() {
    for seed in 0..3_000 {
        let case = case(seed);
        let [here, portable] = [false, true].map(|pretend| {
            aji_cpu::pretend_baseline(pretend);
            answers(&case, seed)
        });
        assert_eq!(here, portable, "seed {seed}");
    }
}
