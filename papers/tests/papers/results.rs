//! The committed results were made before a claim could be open. Which of them are, by the rule of today, follows from the intervals
//! in their `claims.json`, and stands on top of their pages.

use aji_lab::report::{Claim, Verdict};
use std::fs;
use std::path::Path;

/// The claims of a page that are called partly so there, each with the verdict of today on its parts.
fn judged_again(page: &str) -> Vec<(String, Verdict)> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(page).join("claims.json");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let claims: Vec<Claim> = serde_json::from_str(&text).unwrap_or_else(|error| panic!("{page}: {error}"));
    let partly = claims.into_iter().filter(|claim| claim.verdict == Verdict::Partly);
    partly.map(|claim| (claim.claim.clone(), Verdict::of_parts(&parts(&claim)))).collect()
}

/// The verdicts on the parts of a claim, by the intervals that it lists: `0.5 ± 0.1`, or `3.1 (2.2 to 6.2)`.
fn parts(claim: &Claim) -> Vec<Verdict> {
    let measured = claim.measured.to_string();
    let rule = &claim.rule;
    if claim.claim.starts_with("1c. At 3x3") {
        // Two thresholds for one value: it lies below 100, and 89 is in its interval.
        assert!(measured.starts_with("89.2 ± 1.7"), "{measured}");
        return vec![Verdict::Open, Verdict::Holds];
    }
    if rule.contains("5 to 20") {
        return measured.split("), ").map(|part| of_range(part, 5.0, 20.0)).collect();
    }
    let after = |word: &str| rule.split_once(word).map(|(_, rest)| leading_number(rest));
    let (threshold, sign) = match (after("interval lies above "), after("interval lies below ")) {
        (Some(threshold), _) => (threshold, 1.0),
        (None, Some(threshold)) => (threshold, -1.0),
        _ => panic!("a rule of another kind: {rule}"),
    };
    let ends: Vec<&str> = measured.split(" ± ").collect();
    let values = ends.windows(2).map(|pair| (last_number(pair[0]), leading_number(pair[1])));
    values
        .map(|(value, error)| match sign * (value - threshold) {
            distance if distance > error => Verdict::Holds,
            distance if distance < -error => Verdict::Fails,
            _ => Verdict::Open,
        })
        .collect()
}

/// `10,000: 3.1 (2.2 to 6.2`, in which `more` has no end: whether the interval lies within the ends.
fn of_range(part: &str, low: f64, high: f64) -> Verdict {
    let (_, range) = part.split_once('(').expect("an interval");
    let (from, to) = range.trim_end_matches(')').split_once(" to ").expect("two ends");
    let to = if to == "more" { f64::INFINITY } else { leading_number(to) };
    match leading_number(from) {
        from if from >= low && to <= high => Verdict::Holds,
        from if to < low || from > high => Verdict::Fails,
        _ => Verdict::Open,
    }
}

fn leading_number(text: &str) -> f64 {
    let is_part = |letter: char| letter.is_ascii_digit() || ".-".contains(letter);
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let number = text[..end].trim_end_matches('.');
    number.parse().unwrap_or_else(|_| panic!("a number in front of {text}"))
}

fn last_number(text: &str) -> f64 {
    leading_number(text.rsplit(' ').next().unwrap_or(text))
}

/// The words by which the top of a page names each of its open claims.
fn check(page: &str, open: &[(&str, &str)]) {
    let found = judged_again(page);
    let is_open: Vec<&str> =
        found.iter().filter(|claim| claim.1 == Verdict::Open).map(|claim| claim.0.as_str()).collect();
    assert_eq!(is_open.len(), open.len(), "{page}: {found:?}");
    assert!(found.iter().all(|claim| [Verdict::Open, Verdict::Partly].contains(&claim.1)), "{found:?}");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(page);
    for file in ["results.md", "index.html"] {
        let text = fs::read_to_string(folder.join(file)).expect("a page").replace("\\_", "_");
        let note = text.lines().find(|line| line.contains("This page was made before"));
        for (beginning, words) in open {
            assert!(is_open.iter().any(|claim| claim.starts_with(beginning)), "{page}: {beginning}");
            assert!(note.is_some_and(|note| note.contains(words)), "{page}/{file}: {words}");
        }
    }
}

#[test]
fn pages_say_which_claims_are_open_today() {
    let kao = ["1c", "2a", "2b", "5a", "8a", "10"].map(|number| (number, number));
    check("kao2013/results", &kao);
    check("kao2013/results/go", &[]);
    check("strass2026/results", &[("Keeping the tree", "Keeping the tree makes UCT stronger")]);
    let tolpin = [
        ("2a.", "2a"),
        ("3a.", "3a"),
        ("3c.", "3c"),
        ("4.", "4"),
        ("5. ucb_sqrt", "5 of ucb_sqrt"),
        ("5. halving", "5 of halving"),
        ("5. kg", "5 of kg"),
    ];
    check("tolpin2012/results", &tolpin);
    check("tolpin2012/results/go", &[("3e.", "claim 3e")]);
}
