//! What a paper says, what was measured, and by which rule the two agree.
//!
//! A rule is applied by the constructor that states it, so that the verdict and the words of the rule cannot differ.

use super::escape;
use serde::{Deserialize, Serialize};
use std::fmt;

/// Whether a claim is borne out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Measured as said.
    Holds,
    /// Measured otherwise.
    Fails,
    /// In part, or too uncertain to tell.
    Partly,
}

impl fmt::Display for Verdict {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(match self {
            Verdict::Holds => "holds",
            Verdict::Fails => "fails",
            Verdict::Partly => "partly",
        })
    }
}

/// A number where there is one, words otherwise; in JSON the same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Quantity {
    /// A finite number.
    Number(f64),
    /// Words.
    Text(String),
}

impl From<f64> for Quantity {
    /// What is not finite becomes words, because JSON has no such numbers.
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
}

impl Measured {
    /// An estimate and the ends of its interval.
    pub fn between(value: f64, low: f64, high: f64) -> Measured {
        Measured { value, low, high }
    }

    /// An estimate and half the width of its interval.
    pub fn with_error(value: f64, error: f64) -> Measured {
        Measured::between(value, value - error, value + error)
    }

    /// A value without uncertainty.
    pub fn exact(value: f64) -> Measured {
        Measured::between(value, value, value)
    }

    /// The longer half of the interval; none where the value is exact.
    pub fn error(&self) -> Option<f64> {
        let error = (self.high - self.value).max(self.value - self.low);
        (error != 0.0).then_some(error)
    }

    fn is_number(&self) -> bool {
        !(self.value.is_nan() || self.low.is_nan() || self.high.is_nan())
    }
}

/// What a paper says, before anything is measured.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Statement {
    /// What is claimed, in a few words.
    pub claim: String,
    /// The paper's own number or words, and where they stand in it.
    pub said: String,
}

impl Statement {
    /// What is claimed, and how the paper says it.
    pub fn new(claim: impl Into<String>, said: impl Into<String>) -> Statement {
        Statement { claim: claim.into(), said: said.into() }
    }
}

/// A statement and what became of it: one entry of `claims.json`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// The short name of the paper.
    pub paper: String,
    /// What is claimed, in a few words.
    pub claim: String,
    /// The paper's own number or words.
    pub said: String,
    /// What was measured.
    pub measured: Quantity,
    /// Half the width of its 95% interval, where there is one.
    pub error: Option<Quantity>,
    /// Whether the two agree.
    pub verdict: Verdict,
    /// The rule by which that was decided.
    pub rule: String,
    /// The command that measures it again.
    pub command: String,
}

impl Claim {
    /// Holds when the whole interval lies above the threshold, fails when it lies wholly below, else partly.
    pub fn greater(statement: Statement, measured: Measured, threshold: f64) -> Claim {
        let rule = format!(
            "holds when the whole 95% interval lies above {threshold}, fails when it lies wholly below, partly otherwise"
        );
        let verdict = decide(measured.low > threshold, measured.high < threshold);
        Claim::of_measured(statement, measured, verdict, rule)
    }

    /// Holds when the whole interval lies below the threshold, fails when it lies wholly above, else partly.
    pub fn less(statement: Statement, measured: Measured, threshold: f64) -> Claim {
        let rule = format!(
            "holds when the whole 95% interval lies below {threshold}, fails when it lies wholly above, partly otherwise"
        );
        let verdict = decide(measured.high < threshold, measured.low > threshold);
        Claim::of_measured(statement, measured, verdict, rule)
    }

    /// Holds when the whole interval lies within the tolerance of what is expected, ends included; fails when it
    /// lies wholly outside; else partly.
    pub fn within(statement: Statement, measured: Measured, expected: f64, tolerance: f64) -> Claim {
        let rule = format!(
            "holds when the whole 95% interval lies within {expected} ± {tolerance}, fails when it lies wholly outside, \
             partly otherwise"
        );
        let (low, high) = (expected - tolerance, expected + tolerance);
        let is_inside = measured.low >= low && measured.high <= high;
        let verdict = decide(is_inside, measured.high < low || measured.low > high);
        Claim::of_measured(statement, measured, verdict, rule)
    }

    /// Holds when every part holds, fails when every part fails, else partly. Of no parts at all nothing is
    /// shown, which fails.
    pub fn all_of(statement: Statement, parts: &[Claim]) -> Claim {
        let holding = parts.iter().filter(|part| part.verdict == Verdict::Holds).count();
        let failing = parts.iter().filter(|part| part.verdict == Verdict::Fails).count();
        let verdict =
            if failing == parts.len() { Verdict::Fails } else { decide(holding == parts.len(), false) };
        let listed: Vec<String> = parts.iter().map(|part| format!("{}: {}", part.claim, part.rule)).collect();
        let rule = format!(
            "holds when every part holds, fails when every part fails, partly otherwise; the parts: {}",
            if listed.is_empty() { "none".to_string() } else { listed.join("; ") }
        );
        let measured = format!("{holding} of {} parts hold", parts.len());
        Claim::decided(statement, measured.into(), verdict, rule)
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
        Claim { paper, claim, said, measured, error: None, verdict, rule: rule.into(), command }
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
        // What is not a number bears nothing out.
        let (verdict, rule) = if measured.is_number() {
            (verdict, rule)
        } else {
            (Verdict::Fails, rule + "; what is not a number fails")
        };
        let error = measured.error().map(Quantity::from);
        Claim { error, ..Claim::decided(statement, measured.value.into(), verdict, rule) }
    }

    /// What was measured, as it is shown: rounded to two digits of its error.
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
        format!("| {} | **{}** | {rule} | {command} |\n", cells.join(" | "), self.verdict)
    }
}

/// Claims as a table of HTML, the verdicts worded and coloured. With each comes the anchor of what shows it.
pub(super) fn to_html(claims: &[(&Claim, &str)]) -> String {
    let mut html = String::from("<div class=\"wide\"><table class=\"claims\">\n<thead><tr>");
    for head in ["Verdict", "Claim", "The paper says", "Measured", "Decided how"] {
        html += &format!("<th scope=\"col\">{head}</th>");
    }
    html += "</tr></thead>\n<tbody>\n";
    for (claim, anchor) in claims {
        let [text, said, measured, rule] =
            [&claim.claim, &claim.said, &claim.shown(), &claim.rule].map(|text| escape::html_prose(text));
        let verdict = claim.verdict;
        html += &format!("<tr><td><span class=\"verdict {verdict}\">{verdict}</span></td>");
        html += &format!("<td><a href=\"#{anchor}\">{text}</a></td><td class=\"said\">{said}</td>");
        html += &format!("<td class=\"measured\">{measured}</td><td class=\"rule\">{rule}");
        if !claim.command.is_empty() {
            html += &format!("<br><code>{}</code>", escape::html(&claim.command));
        }
        html += "</td></tr>\n";
    }
    html + "</tbody>\n</table></div>\n"
}

/// Claims as a table of Markdown.
pub(super) fn to_markdown(claims: &[&Claim]) -> String {
    let head = "| claim | the paper says | measured | verdict | decided how | command |\n";
    let rows: String = claims.iter().map(|claim| claim.to_markdown_row()).collect();
    format!("{head}| --- | --- | --- | --- | --- | --- |\n{rows}")
}

fn decide(holds: bool, fails: bool) -> Verdict {
    match (holds, fails) {
        (true, _) => Verdict::Holds,
        (_, true) => Verdict::Fails,
        _ => Verdict::Partly,
    }
}

/// A number rounded to where the digits of `measure` end; with an exponent where it is far from one.
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

/// A number without the zeros that its decimals end in.
fn without_zeros(text: String) -> String {
    if text.contains('e') || !text.contains('.') {
        return text;
    }
    text.trim_end_matches('0').trim_end_matches('.').to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use Verdict::{Fails, Holds, Partly};

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
        check(0.5, 0.6, Partly, Partly);
        check(0.4, 0.6, Partly, Partly);
        check(0.4, 0.5, Partly, Partly);
        check(0.4, 0.49, Fails, Holds);
        check(0.5, 0.5, Partly, Partly);
        check(f64::NAN, 0.6, Fails, Fails);
        check(f64::NEG_INFINITY, f64::INFINITY, Fails, Fails);
    }

    #[test]
    fn within_at_its_edges() {
        let check = |low: f64, high: f64, expect: Verdict| {
            let measured = Measured::between((low + high) / 2.0, low, high);
            assert_eq!(Claim::within(statement(), measured, 1.0, 0.25).verdict, expect, "{low} {high}");
        };
        check(0.75, 1.25, Holds);
        check(0.7, 1.25, Partly);
        check(0.75, 1.3, Partly);
        check(0.5, 1.5, Partly);
        check(0.5, 0.75, Partly);
        check(0.5, 0.7, Fails);
        check(1.3, 1.4, Fails);
        let exact = Claim::within(statement(), Measured::exact(7.0), 7.0, 0.0);
        assert_eq!((exact.verdict, exact.error), (Holds, None));
    }

    #[test]
    fn all_of_counts_its_parts() {
        let part = |verdict| Claim::decided(statement(), 1.0.into(), verdict, "r");
        let check = |verdicts: &[Verdict], expect: Verdict, measured: &str| {
            let parts: Vec<Claim> = verdicts.iter().map(|&verdict| part(verdict)).collect();
            let whole = Claim::all_of(statement(), &parts);
            assert_eq!((whole.verdict, whole.measured), (expect, measured.into()));
        };
        check(&[Holds, Holds], Holds, "2 of 2 parts hold");
        check(&[Holds, Partly], Partly, "1 of 2 parts hold");
        check(&[Holds, Fails], Partly, "1 of 2 parts hold");
        check(&[Partly, Fails], Partly, "0 of 2 parts hold");
        check(&[Fails, Fails], Fails, "0 of 2 parts hold");
        check(&[], Fails, "0 of 0 parts hold");
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
