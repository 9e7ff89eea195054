//! A claim of a paper, the measurement, and the rule that decides whether the two agree. The constructor that applies
//! a rule also writes it in words, so that the verdict and the words cannot differ.

use super::verdict::trials_needed;
use super::{Verdict, escape};
use serde::{Deserialize, Serialize};
use std::fmt;

/// A number if there is one, words otherwise; the same in JSON.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Quantity {
    /// A finite number.
    Number(f64),
    /// Words.
    Text(String),
}

impl From<f64> for Quantity {
    /// A number that is not finite becomes words, because JSON has no such numbers.
    fn from(value: f64) -> Quantity {
        if value.is_finite() { Quantity::Number(value) } else { Quantity::Text(value.to_string()) }
    }
}

impl From<&str> for Quantity {
    fn from(text: &str) -> Quantity {
        Quantity::Text(text.to_string())
    }
}

impl From<String> for Quantity {
    fn from(text: String) -> Quantity {
        Quantity::Text(text)
    }
}

impl fmt::Display for Quantity {
    /// Numbers to four significant digits.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Quantity::Number(value) => formatter.write_str(&without_zeros(rounded(*value, *value, 4))),
            Quantity::Text(text) => formatter.write_str(text),
        }
    }
}

/// A value with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// The estimate.
    pub value: f64,
    /// The lower end of its interval.
    pub low: f64,
    /// The upper end of its interval.
    pub high: f64,
    /// The number of its trials, if known.
    pub trials: Option<u64>,
}

impl Measured {
    /// An estimate and the ends of its interval.
    pub fn between(value: f64, low: f64, high: f64) -> Measured {
        Measured { value, low, high, trials: None }
    }

    /// The same estimate, with the number of trials that it comes from.
    pub fn over(self, trials: u64) -> Measured {
        Measured { trials: Some(trials), ..self }
    }

    /// An estimate and half the width of its interval.
    pub fn with_error(value: f64, error: f64) -> Measured {
        Measured::between(value, value - error, value + error)
    }

    /// A value without uncertainty.
    pub fn exact(value: f64) -> Measured {
        Measured::between(value, value, value)
    }

    /// The longer half of the interval; none if the value is exact.
    pub fn error(&self) -> Option<f64> {
        let error = (self.high - self.value).max(self.value - self.low);
        (error != 0.0).then_some(error)
    }

    pub(super) fn is_number(&self) -> bool {
        !(self.value.is_nan() || self.low.is_nan() || self.high.is_nan())
    }
}

/// A claim of a paper, before any measurement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What is claimed, in a few words.
    pub claim: String,
    /// The paper's own number or words, and where in the paper they are.
    pub said: String,
}

impl Statement {
    /// A statement with this claim and the paper's own words.
    pub fn new(claim: impl Into<String>, said: impl Into<String>) -> Statement {
        Statement { claim: claim.into(), said: said.into() }
    }
}

/// A statement and its verdict: one entry of `claims.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The short name of the paper.
    pub paper: String,
    /// What is claimed, in a few words.
    pub claim: String,
    /// The paper's own number or words.
    pub said: String,
    /// The measurement.
    pub measured: Quantity,
    /// Half the width of its 95% interval, if there is one.
    pub error: Option<Quantity>,
    /// Whether the two agree.
    pub verdict: Verdict,
    /// The rule that decided the verdict.
    pub rule: String,
    /// The command that measures it again.
    pub command: String,
    /// The number of trials that would decide an open claim, by its error and its distance to the threshold.
    #[serde(default)]
    pub needs: Option<String>,
    /// The parts of a claim that has several.
    #[serde(default)]
    pub parts: Vec<Part>,
}

/// One part of a claim, such as one game or one budget.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Part {
    /// Its name among the parts.
    pub name: String,
    /// The measurement, with its error.
    pub measured: String,
    /// The verdict on this part alone.
    pub verdict: Verdict,
    /// The number of trials that would decide it, if it is open.
    pub needs: Option<String>,
}

impl Claim {
    /// Holds when the whole interval lies above the threshold, fails when it lies wholly below, else open.
    pub fn greater(statement: Statement, measured: Measured, threshold: f64) -> Claim {
        let rule = format!(
            "holds when the whole 95% interval lies above {threshold}, fails when it lies wholly below, open otherwise"
        );
        let (holds, fails) = (measured.low > threshold, measured.high < threshold);
        let verdict = Verdict::of_interval(&measured, holds, fails);
        Claim::of_measured(statement, measured, verdict, rule).with_needs(&measured, &[threshold])
    }

    /// Holds when the whole interval lies below the threshold, fails when it lies wholly above, else open.
    pub fn less(statement: Statement, measured: Measured, threshold: f64) -> Claim {
        let rule = format!(
            "holds when the whole 95% interval lies below {threshold}, fails when it lies wholly above, open otherwise"
        );
        let (holds, fails) = (measured.high < threshold, measured.low > threshold);
        let verdict = Verdict::of_interval(&measured, holds, fails);
        Claim::of_measured(statement, measured, verdict, rule).with_needs(&measured, &[threshold])
    }

    /// Holds when the whole interval lies within the tolerance of what is expected, ends included; fails when it
    /// lies wholly outside; else open.
    pub fn within(statement: Statement, measured: Measured, expected: f64, tolerance: f64) -> Claim {
        let rule = format!(
            "holds when the whole 95% interval lies within {expected} ± {tolerance}, fails when it lies wholly outside, \
             open otherwise"
        );
        let (low, high) = (expected - tolerance, expected + tolerance);
        let holds = measured.low >= low && measured.high <= high;
        let verdict = Verdict::of_interval(&measured, holds, measured.high < low || measured.low > high);
        Claim::of_measured(statement, measured, verdict, rule).with_needs(&measured, &[low, high])
    }

    /// A claim whose verdict follows from those on its parts: [`Verdict::of_parts`].
    pub fn all_of(statement: Statement, parts: &[Claim]) -> Claim {
        let verdicts: Vec<Verdict> = parts.iter().map(|part| part.verdict).collect();
        let verdict = Verdict::of_parts(&verdicts);
        let holding = verdicts.iter().filter(|&&part| part == Verdict::Holds).count();
        let listed: Vec<String> = parts.iter().map(|part| format!("{}: {}", part.claim, part.rule)).collect();
        let listed = if listed.is_empty() { "none".to_string() } else { listed.join("; ") };
        let rule = format!("{}; the parts: {listed}", Verdict::OF_PARTS);
        let measured = format!("{holding} of {} parts hold", parts.len());
        let undecided = parts.iter().filter(|part| part.verdict == Verdict::Open);
        let needs: Vec<String> = undecided
            .filter_map(|part| part.needs.as_ref().map(|needs| format!("{} {needs}", part.part_name())))
            .collect();
        let needs = (verdict == Verdict::Open && !needs.is_empty()).then(|| needs.join("; "));
        let parts = parts.iter().map(Claim::as_part).collect();
        Claim { parts, needs, ..Claim::decided(statement, measured.into(), verdict, rule) }
    }

    /// The name of this claim as a part of another.
    fn part_name(&self) -> String {
        format!("{}:", self.claim.trim_end_matches(':'))
    }

    fn as_part(&self) -> Part {
        Part {
            name: self.claim.trim_end_matches(':').to_string(),
            measured: self.shown(),
            verdict: self.verdict,
            needs: self.needs.clone(),
        }
    }

    /// A claim decided by a rule of the caller's own, which the caller states.
    pub fn decided(
        statement: Statement,
        measured: Quantity,
        verdict: Verdict,
        rule: impl Into<String>,
    ) -> Claim {
        let Statement { claim, said } = statement;
        let (paper, command) = Default::default();
        let (rule, parts) = (rule.into(), Vec::new());
        Claim { paper, claim, said, measured, error: None, verdict, rule, command, needs: None, parts }
    }

    /// The same claim, of this paper, with the command that measures it again.
    pub fn of_paper(self, paper: impl Into<String>, command: impl Into<String>) -> Claim {
        Claim { paper: paper.into(), command: command.into(), ..self }
    }

    /// The same claim, with the error of what was measured.
    pub fn with_error(self, error: impl Into<Quantity>) -> Claim {
        Claim { error: Some(error.into()), ..self }
    }

    fn of_measured(statement: Statement, measured: Measured, verdict: Verdict, rule: String) -> Claim {
        let rule =
            if measured.is_number() { rule } else { rule + "; a value that is not a number decides nothing" };
        let error = measured.error().map(Quantity::from);
        Claim { error, ..Claim::decided(statement, measured.value.into(), verdict, rule) }
    }

    /// The same claim, and if it is open the trials that would take the interval off these thresholds.
    pub fn with_needs(self, measured: &Measured, thresholds: &[f64]) -> Claim {
        let needs = (self.verdict == Verdict::Open).then(|| trials_needed(measured, thresholds));
        Claim { needs, ..self }
    }

    /// The measurement as text, rounded to two digits of its error.
    pub fn shown(&self) -> String {
        match (&self.measured, &self.error) {
            (Quantity::Number(value), Some(Quantity::Number(error))) if *error != 0.0 => {
                format!("{} ± {}", rounded(*value, *error, 2), rounded(*error, *error, 2))
            }
            (measured, Some(Quantity::Text(error))) => format!("{measured} ± {error}"),
            (measured, _) => measured.to_string(),
        }
    }

    /// The claim as a row of Markdown: claim, said, measured, verdict, rule, command.
    fn to_markdown_row(&self) -> String {
        let cells = [&self.claim, &self.said, &self.shown()].map(|text| escape::markdown(text));
        let [rule, command] = [escape::markdown(&self.rule), escape::markdown_code(&self.command)];
        let needs = self
            .needs
            .as_ref()
            .map_or(String::new(), |needs| format!("; to decide: {}", escape::markdown(needs)));
        format!("| {} | **{}**{needs} | {rule} | {command} |\n", cells.join(" | "), self.verdict)
    }
}

/// Claims as a table of Markdown.
pub(super) fn to_markdown(claims: &[&Claim]) -> String {
    let head = "| claim | the paper says | measured | verdict | decided how | command |\n";
    let rows: String = claims.iter().map(|claim| claim.to_markdown_row()).collect();
    format!("{head}| --- | --- | --- | --- | --- | --- |\n{rows}")
}

/// A number rounded to this many digits of `measure`; in scientific notation if it is far from 1.
fn rounded(value: f64, measure: f64, digits: i32) -> String {
    if !value.is_finite() || !measure.is_finite() || measure == 0.0 {
        return value.to_string();
    }
    let decimals = digits - 1 - measure.abs().log10().floor() as i32;
    if value != 0.0 && (value.abs() >= 1e9 || decimals > 9) {
        return format!("{value:.*e}", (digits - 1) as usize);
    }
    format!("{value:.*}", decimals.max(0) as usize)
}

/// A number without trailing zeros in its decimals.
fn without_zeros(text: String) -> String {
    if text.contains('e') || !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Fails, Holds, Open};

    fn statement() -> Statement {
        Statement::new("c", "s")
    }

    #[test]
    fn greater_and_less_at_their_edges() {
        let check = |low: f64, high: f64, above: Verdict, below: Verdict| {
            let measured = Measured::between((low + high) / 2.0, low, high);
            assert_eq!(Claim::greater(statement(), measured, 0.5).verdict, above, "{low} {high}");
            assert_eq!(Claim::less(statement(), measured, 0.5).verdict, below, "{low} {high}");
        };
        check(0.51, 0.6, Holds, Fails);
        check(0.5, 0.6, Open, Open);
        check(0.4, 0.6, Open, Open);
        check(0.4, 0.5, Open, Open);
        check(0.4, 0.49, Fails, Holds);
        check(0.5, 0.5, Open, Open);
        check(f64::NAN, 0.6, Open, Open);
        check(f64::NEG_INFINITY, f64::INFINITY, Open, Open);
    }

    #[test]
    fn within_at_its_edges() {
        let check = |low: f64, high: f64, expect: Verdict| {
            let measured = Measured::between((low + high) / 2.0, low, high);
            assert_eq!(Claim::within(statement(), measured, 1.0, 0.25).verdict, expect, "{low} {high}");
        };
        check(0.75, 1.25, Holds);
        check(0.7, 1.25, Open);
        check(0.75, 1.3, Open);
        check(0.5, 1.5, Open);
        check(0.5, 0.75, Open);
        check(0.5, 0.7, Fails);
        check(1.3, 1.4, Fails);
        let exact = Claim::within(statement(), Measured::exact(7.0), 7.0, 0.0);
        assert_eq!((exact.verdict, exact.error), (Holds, None));
    }

    #[test]
    fn all_of_shows_its_parts_and_what_the_open_ones_need() {
        let part = |name: &str, value: f64| {
            Claim::greater(Statement::new(name, "s"), Measured::with_error(value, 0.04).over(400), 0.5)
        };
        let whole = Claim::all_of(statement(), &[part("hex:", 0.6), part("go", 0.52)]);
        assert_eq!((whole.verdict, whole.measured), (Open, "1 of 2 parts hold".into()));
        assert_eq!(whole.needs.as_deref(), Some("go: about 1,600 trials, where 400 were made"));
        let shown: Vec<(&str, &str, Verdict)> =
            whole.parts.iter().map(|part| (&*part.name, &*part.measured, part.verdict)).collect();
        assert_eq!(shown, [("hex", "0.600 ± 0.040", Holds), ("go", "0.520 ± 0.040", Open)]);
        // A claim that is decided needs nothing, whatever its parts do.
        let mixed = Claim::all_of(statement(), &[part("hex", 0.6), part("go", 0.52), part("nim", 0.3)]);
        assert_eq!((mixed.verdict, mixed.needs), (Verdict::Partly, None));
        let none = Claim::all_of(statement(), &[]);
        assert_eq!((none.verdict, none.needs), (Open, None));
    }

    #[test]
    fn rules_state_their_numbers() {
        let claim = Claim::within(statement(), Measured::with_error(0.61, 0.02), 0.6, 0.05);
        assert!(claim.rule.contains("0.6 ± 0.05"), "{}", claim.rule);
        assert_eq!(claim.shown(), "0.610 ± 0.020");
    }

    #[test]
    fn numbers_are_shown_to_the_digits_they_have() {
        let check = |value: f64, expect: &str| assert_eq!(Quantity::from(value).to_string(), expect);
        check(0.123456, "0.1235");
        check(12345.678, "12346");
        check(1000.0, "1000");
        check(0.03, "0.03");
        check(3.0, "3");
        check(0.0, "0");
        check(-1.5e12, "-1.500e12");
        check(1e-12, "1.000e-12");
        check(f64::NAN, "NaN");
    }
}
