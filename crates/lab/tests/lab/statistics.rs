//! The statistics against numbers that nobody here computed: scipy's, made by `reference/generate.py` and stored beside
//! it, and published ones. And the sequential test against matches of known strength.

use aji_lab::statistics::distribution::{normal_reach, student_reach, student_two_sided};
use aji_lab::statistics::{
    Bootstrap, Estimate, GameCounts, Interval, Line, PairCounts, Score, Sprt, Verdict, clopper_pearson,
    cluster_estimate, elo, estimate, expected_score, line, log_log_line, mean, paired, ratings, variance,
    wilson,
};
use aji_search::Rng;
use serde_json::Value;

/// Relative difference allowed to a number of scipy's.
const TOLERANCE: f64 = 1e-9;

/// Absolute difference allowed where the number is 0 or next to it.
const NEXT_TO_ZERO: f64 = 1e-15;

fn reference(section: &str) -> Value {
    let text = include_str!("../reference/statistics.json");
    let mut all: Value = serde_json::from_str(text).expect("the reference is JSON");
    all[section].take()
}

/// A number; infinite ones are stored as words.
fn number(value: &Value) -> f64 {
    match value {
        Value::String(word) => word.parse().expect("inf or -inf"),
        value => value.as_f64().unwrap_or_else(|| panic!("{value} is not a number")),
    }
}

fn numbers(value: &Value) -> Vec<f64> {
    rows(value).iter().map(number).collect()
}

fn rows(value: &Value) -> &Vec<Value> {
    value.as_array().unwrap_or_else(|| panic!("{value} is not a list"))
}

fn counts<const COUNT: usize>(value: &Value) -> [u64; COUNT] {
    std::array::from_fn(|outcome| value[outcome].as_u64().expect("a count"))
}

fn close(found: f64, expect: f64, relative: f64, absolute: f64) -> bool {
    found == expect || (found - expect).abs() <= relative * expect.abs() + absolute
}

fn check(found: f64, expect: &Value, case: &str) {
    let expect = number(expect);
    assert!(close(found, expect, TOLERANCE, NEXT_TO_ZERO), "{case}: {found} is not {expect}");
}

/// Against a printed number, whose last digit is rounded.
fn check_printed(found: f64, expect: f64, decimals: i32) {
    let half = 0.5 * 10f64.powi(-decimals) + 1e-12;
    assert!((found - expect).abs() <= half, "{found} is not {expect}");
}

#[test]
fn distributions_of_scipy() {
    let reference = reference("distributions");
    for row in rows(&reference["normal_reach"]) {
        check(normal_reach(number(&row[0])).unwrap(), &row[1], &format!("normal reach {row}"));
    }
    for row in rows(&reference["student_reach"]) {
        let found = student_reach(number(&row[0]), number(&row[1])).unwrap();
        check(found, &row[2], &format!("Student reach {row}"));
    }
    for row in rows(&reference["student_two_sided"]) {
        let (t, degrees) = (number(&row[0]), number(&row[1]));
        check(student_two_sided(t, degrees), &row[2], &format!("Student area {row}"));
    }
}

#[test]
fn proportions_of_scipy() {
    for row in rows(&reference("proportions")) {
        let [successes, trials] = counts(row);
        let level = number(&row[2]);
        let (score, exact) = (wilson(successes, trials, level), clopper_pearson(successes, trials, level));
        let (score, exact) = (score.unwrap(), exact.unwrap());
        for (found, expect) in [score.low, score.high, exact.low, exact.high].into_iter().zip(3..) {
            check(found, &row[expect], &format!("proportion {row}, entry {expect}"));
        }
    }
}

/// Newcombe 1998, "Two-sided confidence intervals for the single proportion", table I: methods 3 and 5.
#[test]
fn proportions_of_newcombe() {
    let table = [
        (81, 263, [0.2553, 0.3662], [0.2527, 0.3676]),
        (15, 148, [0.0624, 0.1605], [0.0578, 0.1617]),
        (0, 20, [0.0, 0.1611], [0.0, 0.1684]),
        (1, 29, [0.0061, 0.1718], [0.0009, 0.1776]),
    ];
    for (successes, trials, score, exact) in table {
        let found = wilson(successes, trials, 0.95).unwrap();
        check_printed(found.low, score[0], 4);
        check_printed(found.high, score[1], 4);
        let found = clopper_pearson(successes, trials, 0.95).unwrap();
        check_printed(found.low, exact[0], 4);
        check_printed(found.high, exact[1], 4);
    }
}

#[test]
fn means_of_numpy() {
    for row in rows(&reference("means")) {
        let values = numbers(&row["values"]);
        let (found, case) = (estimate(&values).unwrap(), format!("mean of {} values", values.len()));
        let interval = found.interval(0.95).unwrap();
        check(mean(&values).unwrap(), &row["mean"], &case);
        check(variance(&values).unwrap(), &row["variance"], &case);
        check(found.error, &row["error"], &case);
        check(interval.low, &row["low"], &case);
        check(interval.high, &row["high"], &case);
    }
}

#[test]
fn clusters_of_numpy() {
    for row in rows(&reference("clusters")) {
        let keys = rows(&row["keys"]).iter().map(|key| key.as_u64().expect("a key"));
        let found = cluster_estimate(keys.zip(numbers(&row["values"]))).unwrap();
        check(found.value, &row["mean"], "cluster mean");
        check(found.error, &row["error"], "cluster error");
    }
}

#[test]
fn paired_differences_of_scipy() {
    for row in rows(&reference("paired")) {
        let found = paired(&numbers(&row["a"]), &numbers(&row["b"])).unwrap();
        let interval = found.difference.interval(0.9).unwrap();
        check(found.difference.value, &row["difference"], "mean difference");
        check(found.t, &row["t"], "t");
        check(found.p, &row["p"], "p");
        check(interval.low, &row["low"], "low end");
        check(interval.high, &row["high"], "high end");
    }
}

/// Student 1908, "The probable error of a mean": hours of sleep gained by two drugs. t and p as R prints them in the
/// example of `t.test`.
#[test]
fn sleep_of_student() {
    let first = [0.7, -1.6, -0.2, -1.2, -0.1, 3.4, 3.7, 0.8, 0.0, 2.0];
    let second = [1.9, 0.8, 1.1, 0.1, -0.1, 4.4, 5.5, 1.6, 4.6, 3.4];
    let found = paired(&first, &second).unwrap();
    check_printed(found.difference.value, -1.58, 2);
    check_printed(found.t, -4.0621, 4);
    check_printed(found.p, 0.002833, 6);
    let interval = found.difference.interval(0.95).unwrap();
    check_printed(interval.low, -2.4598858, 7);
    check_printed(interval.high, -0.7001142, 7);
}

fn check_line(found: &Line, expect: &Value) {
    let interval = found.slope.interval(0.95).unwrap();
    check(found.slope.value, &expect["slope"], "slope");
    check(found.slope.error, &expect["error"], "error of the slope");
    check(found.intercept.value, &expect["intercept"], "intercept");
    check(found.intercept.error, &expect["intercept_error"], "error of the intercept");
    check(interval.low, &expect["low"], "low end");
    check(interval.high, &expect["high"], "high end");
}

#[test]
fn lines_of_scipy() {
    for row in rows(&reference("lines")) {
        let points: Vec<(f64, f64)> = numbers(&row["x"]).into_iter().zip(numbers(&row["y"])).collect();
        check_line(&line(&points).unwrap(), &row["line"]);
        check_line(&log_log_line(&points).unwrap(), &row["log_log"]);
    }
}

/// The data set Norris of the NIST Statistical Reference Datasets, with its certified values.
#[test]
fn line_certified_by_nist() {
    #[rustfmt::skip]
    let points = [
        (0.2, 0.1), (337.4, 338.8), (118.2, 118.1), (884.6, 888.0), (10.1, 9.2), (226.5, 228.1), (666.3, 668.5),
        (996.3, 998.5), (448.6, 449.1), (777.0, 778.9), (558.2, 559.2), (0.4, 0.3), (0.6, 0.1), (775.5, 778.1),
        (666.9, 668.8), (338.0, 339.3), (447.5, 448.9), (11.6, 10.8), (556.0, 557.7), (228.1, 228.3),
        (995.8, 998.0), (887.6, 888.8), (120.2, 119.6), (0.3, 0.3), (0.3, 0.6), (556.8, 557.6), (339.1, 339.3),
        (887.2, 888.0), (999.0, 998.5), (779.0, 778.9), (11.1, 10.2), (118.3, 117.6), (229.2, 228.9),
        (669.1, 668.4), (448.9, 449.2), (0.5, 0.2),
    ];
    let found = line(&points).unwrap();
    for (found, expect) in [
        (found.slope.value, 1.00211681802045),
        (found.slope.error, 0.429796848199937e-3),
        (found.intercept.value, -0.262323073774029),
        (found.intercept.error, 0.232818234301152),
    ] {
        assert!(close(found, expect, 1e-12, 0.0), "{found} is not {expect}");
    }
}

#[test]
fn scores_of_numpy() {
    let reference = reference("scores");
    for row in rows(&reference["elo"]) {
        // The numbers' own rounding, times 400, near a score of a half.
        assert!(close(elo(number(&row[0])), number(&row[1]), TOLERANCE, 1e-12), "Elo {row}");
    }
    for row in rows(&reference["expected"]) {
        check(expected_score(number(&row[0])), &row[1], &format!("expected score {row}"));
    }
    for row in rows(&reference["pairs"]) {
        let found = Score::of_pairs(PairCounts(counts(&row["counts"])), number(&row["level"]));
        check_score(&found.unwrap(), row);
    }
    for row in rows(&reference["games"]) {
        let [wins, draws, losses] = counts(&row["counts"]);
        let found = Score::of_games(GameCounts { wins, draws, losses }, number(&row["level"]));
        check_score(&found.unwrap(), row);
    }
}

fn check_score(found: &Score, row: &Value) {
    let numbers = [
        found.score,
        found.error,
        found.effective_games,
        found.interval.low,
        found.interval.high,
        found.elo,
        found.elo_interval.low,
        found.elo_interval.high,
    ];
    for (entry, found) in numbers.into_iter().enumerate() {
        check(found, &row["expect"][entry], &format!("score {row}, entry {entry}"));
    }
}

/// The dual's root next to a pole has fewer digits, in scipy as here: 1e-8 and not 1e-9 where nothing of an outcome was
/// seen.
#[test]
fn likelihood_ratios_of_scipy() {
    for row in rows(&reference("ratios")) {
        let test = Sprt::new(number(&row["elo0"]), number(&row["elo1"]), 0.05, 0.05).unwrap();
        let decision = match row["kind"].as_str() {
            Some("pairs") => test.of_pairs(PairCounts(counts(&row["counts"]))),
            _ => {
                let [wins, draws, losses] = counts(&row["counts"]);
                test.of_games(GameCounts { wins, draws, losses })
            }
        };
        let (found, expect) = (decision.log_likelihood_ratio, number(&row["ratio"]));
        let seen = rows(&row["counts"]).iter().all(|count| count.as_u64() != Some(0));
        let tolerance = if seen { TOLERANCE } else { 1e-8 };
        assert!(close(found, expect, tolerance, 1e-10), "{row}: {found} is not {expect}");
    }
}

#[test]
fn tournaments_of_scipy() {
    for row in rows(&reference("tournaments")) {
        let points: Vec<Vec<f64>> = rows(&row["points"]).iter().map(numbers).collect();
        let found = ratings(&points).unwrap();
        for (player, estimate) in found.players.iter().enumerate() {
            let expect = number(&row["elo"][player]);
            assert!(close(estimate.value, expect, TOLERANCE, 1e-9), "{} is not {expect}", estimate.value);
            check(estimate.error, &row["error"][player], "error of a rating");
        }
        check(found.difference(0, 1).unwrap().error, &row["difference_error"], "error of a difference");
    }
}

/// The American League East of 1987: Agresti, "Categorical Data Analysis" (2002), table 10.11, to more digits by Turner &
/// Firth, "Bradley-Terry Models in R: The BradleyTerry2 Package" (2012), "Order effect". Abilities above Baltimore's, and
/// their errors. The prior is drowned by counting each game a thousand times, which makes errors sqrt(1000) times as small.
#[test]
fn baseball_of_agresti() {
    let wins = [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ];
    let printed = [
        (1.5814, 0.3433),
        (1.4364, 0.3396),
        (1.2945, 0.3367),
        (1.2476, 0.3359),
        (1.1077, 0.3339),
        (0.6839, 0.3319),
    ];
    let points: Vec<Vec<f64>> = wins.iter().map(|row| row.map(|won| f64::from(won) * 1e3).to_vec()).collect();
    let found = ratings(&points).unwrap();
    let natural = 10f64.ln() / 400.0;
    for (player, (ability, error)) in printed.into_iter().enumerate() {
        let difference = found.difference(player, 6).unwrap();
        // The prior moves the fourth digit by one at most.
        assert!(close(difference.value * natural, ability, 0.0, 1.5e-4), "{difference} is not {ability}");
        assert!(
            close(difference.error * natural * 1e3f64.sqrt(), error, 0.0, 1.5e-4),
            "{difference}, {error}"
        );
    }
}

/// Ends of intervals by resampling agree as far as chance lets them: at 20,000 resamples an end of level 0.9 moves by
/// about half a percent of the width, and five times that is allowed.
#[test]
fn bootstraps_of_scipy() {
    let reference = reference("bootstraps");
    let values = numbers(&reference["values"]);
    let bootstrap = Bootstrap { resamples: 20_000, level: number(&reference["level"]) };
    let mean_of = |values: &[f64]| mean(values).unwrap_or(f64::NAN);
    let deviation_of = |values: &[f64]| variance(values).unwrap_or(f64::NAN).sqrt();
    let rng = &mut Rng::seeded(1);
    for (name, found) in [
        ("mean_percentile", bootstrap.percentile(&values, mean_of, rng)),
        ("mean_bca", bootstrap.bca(&values, mean_of, rng)),
        ("deviation_percentile", bootstrap.percentile(&values, deviation_of, rng)),
        ("deviation_bca", bootstrap.bca(&values, deviation_of, rng)),
    ] {
        let (found, expect) = (found.unwrap(), numbers(&reference[name]));
        let allowed = 0.025 * (expect[1] - expect[0]);
        assert!(close(found.low, expect[0], 0.0, allowed), "{name}: {found} is not {expect:?}");
        assert!(close(found.high, expect[1], 0.0, allowed), "{name}: {found} is not {expect:?}");
    }
}

/// A number in 0..1 with 53 random bits.
fn unit(rng: &mut Rng) -> f64 {
    (rng.bits() >> 11) as f64 / (1u64 << 53) as f64
}

/// What games between two players are like.
struct Model {
    /// The part of games that nobody wins.
    draws: f64,
    /// How much score a start gives one side at the expense of the other. Each player has that side once in a pair, so
    /// what one game gives the other takes.
    favour: f64,
}

/// A third of the games is drawn, and starts matter.
const LIVELY: Model = Model { draws: 1.0 / 3.0, favour: 0.2 };

/// Starts decide nearly every game, so that nearly every pair is split.
const SPLIT: Model = Model { draws: 0.0, favour: 0.36 };

impl Model {
    /// The points of one game of this expected score.
    fn play(&self, expected: f64, rng: &mut Rng) -> f64 {
        // A draw takes as much from the wins as from the losses, so that the expected score stays.
        match unit(rng) {
            drawn if drawn < self.draws => 0.5,
            drawn if drawn < self.draws + expected - self.draws / 2.0 => 1.0,
            _ => 0.0,
        }
    }

    /// The points of a pair at this difference in Elo.
    fn play_pair(&self, difference: f64, rng: &mut Rng) -> f64 {
        let favour = if rng.below(2) == 0 { self.favour } else { -self.favour };
        let expected = expected_score(difference);
        self.play(expected + favour, rng) + self.play(expected - favour, rng)
    }

    /// How a match at this difference in Elo ends, and after how many pairs.
    fn run(&self, test: &Sprt, difference: f64, rng: &mut Rng) -> (Verdict, u64) {
        const PAIRS_MAX: u64 = 100_000;
        let mut counts = PairCounts::default();
        while counts.pairs() < PAIRS_MAX {
            assert!(counts.add(self.play_pair(difference, rng)));
            let verdict = test.of_pairs(counts).verdict;
            if verdict != Verdict::Undecided {
                return (verdict, counts.pairs());
            }
        }
        (Verdict::Undecided, PAIRS_MAX)
    }
}

/// Matches between players of known strength: as many wrong verdicts as promised, within three binomial errors and the
/// given excess, and not so few that the test would waste games.
fn check_errors(model: &Model, elo1: f64, excess: f64) {
    const RUNS: u64 = 2_000;
    let (elo0, alpha, beta) = (0.0, 0.05, 0.1);
    let test = Sprt::new(elo0, elo1, alpha, beta).unwrap();
    let rng = &mut Rng::seeded(1);
    for (truth, wrong, right, promised) in [
        (elo0, Verdict::AcceptH1, Verdict::AcceptH0, alpha),
        (elo1, Verdict::AcceptH0, Verdict::AcceptH1, beta),
    ] {
        let ends: Vec<(Verdict, u64)> = (0..RUNS).map(|_| model.run(&test, truth, rng)).collect();
        let count = |verdict| ends.iter().filter(|(end, _)| *end == verdict).count() as f64;
        assert_eq!(count(wrong) + count(right), RUNS as f64, "every match ends");
        let rate = count(wrong) / RUNS as f64;
        let error = (promised * (1.0 - promised) / RUNS as f64).sqrt();
        let pairs = ends.iter().map(|(_, pairs)| pairs).sum::<u64>() as f64 / RUNS as f64;
        println!("{elo1} against {elo0}, truth {truth}: {rate} wrong, {promised} promised; {pairs:.0} pairs");
        assert!(rate <= promised + 3.0 * error + excess, "truth {truth}: {rate} wrong, {promised} promised");
        assert!(rate >= promised / 4.0, "truth {truth}: {rate} wrong, {promised} promised");
    }
}

#[test]
fn sequential_tests_err_as_promised() {
    check_errors(&LIVELY, 40.0, 0.0);
    check_errors(&LIVELY, 80.0, 0.0);
}

/// Twenty pairs, most of them alike, are far from the limit of many: 12% of wrong verdicts where 10% were promised.
#[test]
fn short_sequential_tests_err_little_more() {
    check_errors(&SPLIT, 100.0, 0.02);
}

/// Intervals of a score cover the truth as often as their level says, within three binomial errors and a percent for
/// what is only right in the limit.
#[test]
fn intervals_of_scores_cover_the_truth() {
    const MATCHES: u64 = 4_000;
    let rng = &mut Rng::seeded(2);
    for (difference, pairs) in [(0.0, 50), (60.0, 200)] {
        let covered = (0..MATCHES).filter(|_| {
            let points: Vec<f64> = (0..pairs).map(|_| LIVELY.play_pair(difference, rng)).collect();
            let found: Interval = Score::of_pair_points(&points, 0.95).unwrap().elo_interval;
            found.contains(difference)
        });
        let rate = covered.count() as f64 / MATCHES as f64;
        let error = (0.95f64 * 0.05 / MATCHES as f64).sqrt();
        println!("Elo {difference}, {pairs} pairs: {rate} covered");
        assert!((rate - 0.95).abs() < 0.01 + 3.0 * error, "Elo {difference}, {pairs} pairs: {rate} covered");
    }
}

/// Student's interval of five values covers the truth as its level says; the normal one would not.
#[test]
fn small_samples_take_student() {
    const SAMPLES: u64 = 20_000;
    let rng = &mut Rng::seeded(3);
    let mut covered = [0.0; 2];
    for _ in 0..SAMPLES {
        // The sum of twelve uniform numbers, less 6, is normal enough.
        let values: Vec<f64> = (0..5).map(|_| (0..12).map(|_| unit(rng)).sum::<f64>() - 6.0).collect();
        let student = estimate(&values).unwrap();
        let normal = Estimate { degrees: None, ..student };
        for (covered, estimate) in covered.iter_mut().zip([student, normal]) {
            *covered += f64::from(u8::from(estimate.interval(0.95).unwrap().contains(0.0))) / SAMPLES as f64;
        }
    }
    // Three binomial errors of 0.95.
    assert!((covered[0] - 0.95).abs() < 0.005, "{covered:?}");
    assert!(covered[1] < 0.9, "{covered:?}");
}
