//! A rule's formula with the numbers of one arm in its place, for people. No search reads it.

use crate::View;
use crate::posterior::Posterior;

/// What a rule says of one arm.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Filled {
    /// Equations with the arm's numbers. The last one gives the number that the rule compares. A rule that compares no
    /// number says in one line how it chooses.
    pub lines: Vec<String>,
    /// The number that the rule compares; infinite for an arm that comes first. None if the rule compares none, or if
    /// it depends on something that the view does not show.
    pub number: Option<f64>,
}

impl Filled {
    /// An equation for the number that the rule compares. `what` is its left side, and `terms` a sum of numbers.
    pub(crate) fn equation(what: &str, terms: &str, number: f64) -> Filled {
        Filled { lines: vec![format!("{what} = {terms} = {}", shown(number))], number: Some(number) }
    }

    /// A rule that compares no number.
    pub(crate) fn words(line: String) -> Filled {
        Filled { lines: vec![line], number: None }
    }

    /// The same after another line.
    pub(crate) fn after(mut self, line: String) -> Filled {
        self.lines.insert(0, line);
        self
    }

    /// A mean and the width of its bound.
    pub(crate) fn bound(mean: f32, width: &str, bound: f64) -> Filled {
        let mean = f64::from(mean);
        let terms = format!("{0} + {width} = {0} + {1}", shown(mean), shown(bound - mean));
        Filled::equation("bound", &terms, bound)
    }
}

/// A number for people: three decimals, or three digits if it is small.
pub(crate) fn shown(number: f64) -> String {
    const LEAST: f64 = 1e-4;
    let size = number.abs();
    if size == 0.0 || !number.is_finite() {
        return number.to_string();
    }
    if !(LEAST..1e9).contains(&size) {
        return format!("{number:.2e}");
    }
    let mut decimals = 3;
    let mut least = 0.1;
    while size < least {
        (decimals, least) = (decimals + 1, least / 10.0);
    }
    format!("{number:.decimals$}")
}

/// A setting as its user wrote it, unless it is long.
pub(crate) fn setting(number: f32) -> String {
    const LENGTH_MAX: usize = 6;
    Some(number.to_string()).filter(|text| text.len() <= LENGTH_MAX).unwrap_or_else(|| shown(number.into()))
}

/// The belief in an arm's value, in words.
pub(crate) fn belief(view: &View, index: usize) -> String {
    let posterior = Posterior::of(view, index);
    let (wins, losses) = (shown(posterior.wins), shown(posterior.losses));
    let (mean, deviation) = (shown(posterior.mean()), shown(posterior.variance().sqrt()));
    format!("Beta({wins}, {losses}), with mean {mean} and deviation {deviation}")
}

/// The round of a rule that pulls fewer and fewer arms, in words.
pub(crate) fn round_in_words(view: &View, round: crate::elimination::Round, budget: u64) -> String {
    let spent = format!("{} of {budget} pulls are spent", view.total);
    if round.survivors == 1 {
        return format!("{spent}: the best arm gets all that are left");
    }
    let (survivors, target) = (round.survivors, round.target);
    format!(
        "{spent}: in this round the best {survivors} of {} arms get up to {target} pulls each",
        view.means.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::gain::ln_gain;
    use crate::{AnyRule, Arm, Arms, Rng, Select};

    /// Reads the arithmetic of formulas. None if the text has symbols.
    struct Reader<'a>(&'a str);

    impl Reader<'_> {
        fn value(text: &str) -> Option<f64> {
            let mut reader = Reader(text);
            let value = reader.sum()?;
            reader.0.trim().is_empty().then_some(value)
        }

        fn takes(&mut self, word: &str) -> bool {
            let rest = self.0.trim_start().strip_prefix(word);
            self.0 = rest.unwrap_or(self.0);
            rest.is_some()
        }

        fn sum(&mut self) -> Option<f64> {
            let mut sum = self.product()?;
            loop {
                if self.takes("+") {
                    sum += self.product()?;
                } else if self.takes("- ") {
                    sum -= self.product()?;
                } else {
                    return Some(sum);
                }
            }
        }

        fn product(&mut self) -> Option<f64> {
            let mut product = self.factor()?;
            loop {
                if self.takes("·") {
                    product *= self.factor()?;
                } else if self.takes("/") {
                    product /= self.factor()?;
                } else {
                    return Some(product);
                }
            }
        }

        fn factor(&mut self) -> Option<f64> {
            let value = if self.takes("-") {
                -self.factor()?
            } else if self.takes("√") {
                self.factor()?.sqrt()
            } else if self.takes("ln ") {
                self.factor()?.ln()
            } else if self.takes("exp(") {
                self.until(")")?.exp()
            } else if self.takes("f(") {
                ln_gain(-self.until(")")?).exp()
            } else if self.takes("|") {
                self.until("|")?.abs()
            } else if self.takes("min(") {
                self.until(",")?.min(self.until(")")?)
            } else if self.takes("d(") {
                let (p, q) = (self.until(",")?, self.until(")")?);
                p * (p / q).ln() + (1.0 - p) * ((1.0 - p) / (1.0 - q)).ln()
            } else if self.takes("(") {
                self.until(")")?
            } else {
                self.number()?
            };
            Some(if self.takes("²") { value * value } else { value })
        }

        fn until(&mut self, end: &str) -> Option<f64> {
            let value = self.sum()?;
            self.takes(end).then_some(value)
        }

        fn number(&mut self) -> Option<f64> {
            let text = self.0.trim_start();
            let is_part = |(at, c): (usize, char)| {
                c.is_ascii_digit()
                    || c == '.'
                    || (at > 0 && c == 'e')
                    || (text[..at].ends_with('e') && c == '-')
            };
            let end = text.char_indices().find(|&found| !is_part(found)).map_or(text.len(), |(at, _)| at);
            self.0 = &text[end..];
            text[..end].parse().ok()
        }
    }

    #[test]
    fn arithmetic_is_read() {
        let check = |text: &str, expect: f64| {
            let found = Reader::value(text).unwrap_or_else(|| panic!("{text} is not read"));
            assert!((found - expect).abs() < 1e-9, "{text}: {found}");
        };
        check("0.5 + 2 · √(4 / 16) - -1", 2.5);
        check("(1 - 0.25) · 2² / min(1/4, 3) + |1 - 3|", 14.0);
        check("ln 2 + exp(-1) + 2.50e-3", std::f64::consts::LN_2 + (-1f64).exp() + 0.0025);
        assert_eq!(Reader::value("g + 1"), None);
    }

    /// Parts of an equation have rounded numbers. Differences lose digits, and so do exponentials if they are small.
    fn agree(a: f64, b: f64, is_difference: bool) -> bool {
        let size = a.abs().max(b.abs());
        let share = if size > 0.1 { 0.06 } else { 0.4 };
        (a - b).abs() <= share * size + if is_difference { 0.002 } else { 1e-9 }
    }

    /// Everything that rules read of five arms.
    struct Known {
        arms: Arms,
        squares: Vec<f32>,
        amaf: Vec<Arm>,
        prior: Vec<f32>,
        left: Option<u32>,
        depth: u32,
    }

    impl Known {
        fn random(rng: &mut Rng, untried: bool) -> Known {
            let arm = |rng: &mut Rng| Arm { pulls: 1 + rng.below(40) as u32, mean: 0.1 + 0.7 * rng.unit() };
            let mut arms: Vec<Arm> = (0..5).map(|_| arm(rng)).collect();
            if untried {
                arms[3] = Arm { pulls: 0, mean: 0.0 };
            }
            let squares = arms.iter().map(|arm| arm.mean * (arm.mean + (1.0 - arm.mean) * rng.unit()));
            let squares = squares.collect();
            let left = (rng.below(2) == 0).then_some(50);
            let amaf = (0..5).map(|_| arm(rng)).collect();
            let prior = vec![0.1, 0.3, 0.05, 0.35, 0.2];
            Known { arms: arms.into_iter().collect(), squares, amaf, prior, left, depth: rng.below(2) as u32 }
        }

        fn view(&self) -> View<'_> {
            let Known { squares, amaf, prior, left, depth, .. } = self;
            let view = View { squares, amaf, prior, left: *left, depth: *depth, ..self.arms.view() };
            View { total: view.total + 1, ..view }
        }
    }

    /// Every rule with its default settings, and with others.
    fn rules() -> Vec<AnyRule> {
        let texts = ["0.7", "2", "phi", "left", "anytime", "normal", "0.2"];
        let mut rules = AnyRule::all();
        for rule in AnyRule::all() {
            for text in texts {
                let mut other = rule;
                other.settings(&mut |_, _, setting| drop(setting.read(text)));
                rules.push(other);
            }
        }
        let hand_picked = crate::Schedule::HandPicked { k: 30.0 };
        rules.push(crate::Rave { schedule: hand_picked, c: 0.3, every: 0 }.into());
        rules.push(crate::Gumbel::new(3, 2.0, 0.3).without_noise().into());
        rules
    }

    /// What stands left and right of each sign in an equation has the same value, and the last number is the one that
    /// the rule compares.
    #[test]
    fn equations_hold() {
        let mut rng = Rng::seeded(1);
        for round in 0..60 {
            let known = Known::random(&mut rng, round % 3 == 0);
            let view = known.view();
            for rule in rules() {
                for index in 0..view.means.len() {
                    let Filled { lines, number } = rule.fill(&view, index);
                    let mut parts = 0;
                    for line in &lines {
                        let values: Vec<f64> = line.split(" = ").filter_map(Reader::value).collect();
                        parts += values.len().saturating_sub(1);
                        assert!(
                            values.windows(2).all(|pair| agree(pair[0], pair[1], line.contains(" - "))),
                            "{rule}: {line}: {values:?}"
                        );
                    }
                    assert!(!lines.is_empty(), "{rule} says nothing");
                    let Some(number) = number.filter(|number| number.is_finite()) else { continue };
                    assert!(parts > 0, "{rule}: {lines:?} have no numbers");
                    let last = lines.last().and_then(|line| line.rsplit(" = ").next());
                    assert_eq!(last, Some(shown(number).as_str()), "{rule}: {lines:?}");
                }
            }
        }
    }

    /// The rule takes the arm of the highest number.
    #[test]
    fn the_number_is_the_one_that_is_compared() {
        let mut rng = Rng::seeded(2);
        let mut compared = std::collections::BTreeSet::new();
        for round in 0..200 {
            let known = Known::random(&mut rng, round % 3 == 0);
            let view = known.view();
            for mut rule in rules() {
                let word = rule.about().word;
                let numbers: Vec<_> =
                    (0..view.means.len()).map(|index| rule.fill(&view, index).number).collect();
                assert_eq!(
                    rule.about().formula.is_empty(),
                    numbers.contains(&None) && word != "gumbel",
                    "{rule}"
                );
                let by_turn = rule.fill(&view, 0).lines.iter().any(|line| line.starts_with("Next is"));
                let by_rounds = word == "gumbel" && view.depth == 0;
                let Some(numbers) = numbers.into_iter().collect::<Option<Vec<f64>>>() else { continue };
                if by_turn || by_rounds {
                    continue;
                }
                let highest = numbers.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let chosen = numbers[rule.select(&view, &mut Rng::seeded(3))];
                let is_highest = chosen == highest || highest - chosen < 1e-6 + 1e-3 * highest.abs();
                assert!(is_highest, "{rule}: {chosen} of {numbers:?}");
                compared.insert(word);
            }
        }
        assert_eq!(
            compared.len(),
            AnyRule::all().iter().filter(|rule| !rule.about().formula.is_empty()).count()
        );
    }

    #[test]
    fn numbers_are_short() {
        let check = |number: f64, expect: &str| assert_eq!(shown(number), expect);
        check(0.0, "0");
        check(1.0 / 3.0, "0.333");
        check(-12.3456, "-12.346");
        check(0.012345, "0.0123");
        check(0.000_012_345, "1.23e-5");
    }
}
