//! Claims in HTML: at a glance in the contents, as questions at the head of a section, and as verdicts at its end.

use super::{Claim, Part, Verdict, escape};

/// A claim and the anchor of its verdict.
pub(super) type Anchored<'a> = (&'a Claim, &'a str);

/// The word of a verdict in its colour.
fn word(verdict: Verdict) -> String {
    format!("<span class=\"verdict {verdict}\">{verdict}</span>")
}

/// How many claims have each verdict, and what each verdict means.
pub(super) fn tally(claims: &[&Claim]) -> String {
    let mut html = String::from("<dl class=\"tally\">\n");
    for verdict in Verdict::ALL {
        let count = claims.iter().filter(|claim| claim.verdict == verdict).count();
        html += &format!(
            "<dt><b>{count}</b> {}</dt><dd>{}</dd>\n",
            word(verdict),
            escape::html(verdict.meaning())
        );
    }
    html + "</dl>\n"
}

/// Each claim with its verdict, as links.
pub(super) fn at_a_glance(claims: &[Anchored<'_>]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    list(claims, "glance", |(claim, anchor)| {
        let text = escape::html_prose(&claim.claim);
        format!("{} <a href=\"#{anchor}\">{text}</a>", word(claim.verdict))
    })
}

/// The claims, and how the paper says them. If claims in a row quote the same words, only the first shows them.
pub(super) fn asked(claims: &[Anchored<'_>]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let mut before = "";
    let items = list(claims, "asked", |(claim, _)| {
        let text = escape::html_prose(&claim.claim);
        let said = if claim.said == before { String::new() } else { escape::html_prose(&claim.said) };
        before = &claim.said;
        if said.is_empty() {
            text
        } else {
            format!("{text}<br><span class=\"said\">The paper says: {said}</span>")
        }
    });
    format!("<h4>What was asked</h4>\n{items}")
}

/// The verdicts of a section, each with the measurement, the rule, and the command that measures it again.
pub(super) fn verdicts(claims: &[Anchored<'_>]) -> String {
    if claims.is_empty() {
        return String::new();
    }
    let all: String = claims.iter().map(|(claim, anchor)| decided(claim, anchor)).collect();
    format!("<h4>{}</h4>\n{all}", if claims.len() == 1 { "Verdict" } else { "Verdicts" })
}

fn decided(claim: &Claim, anchor: &str) -> String {
    let text = escape::html_prose(&claim.claim);
    let mut html = format!(
        "<div class=\"claim\" id=\"{anchor}\">\n<p class=\"decided\">{} {text}</p>\n<dl>\n",
        word(claim.verdict)
    );
    let mut fact = |name: &str, value: &str| {
        if !value.is_empty() {
            html += &format!("<dt>{name}</dt><dd>{value}</dd>\n");
        }
    };
    if claim.parts.is_empty() {
        fact("Measured", &escape::html_prose(&claim.shown()));
        fact("To decide it", &escape::html(claim.needs.as_deref().unwrap_or_default()));
    } else {
        fact("Measured", &parts(&claim.parts));
    }
    fact("Rule", &escape::html_prose(&claim.rule));
    let command = escape::html(&claim.command);
    fact("Reproduce", &if command.is_empty() { command } else { format!("<code>{command}</code>") });
    html + "</dl>\n</div>\n"
}

/// The parts of a claim, each with its own verdict and, where it is open, the trials that would decide it.
fn parts(parts: &[Part]) -> String {
    list(parts, "parts", |part| {
        let [name, measured] = [&part.name, &part.measured].map(|text| escape::html_prose(text));
        let needs = part.needs.as_ref().map_or(String::new(), |needs| {
            format!(" <span class=\"needs\">To decide it: {}.</span>", escape::html(needs))
        });
        format!("{} {name}: <b>{measured}</b>{needs}", word(part.verdict))
    })
}

fn list<T>(items: &[T], class: &str, mut item: impl FnMut(&T) -> String) -> String {
    let items: String = items.iter().map(|each| format!("<li>{}</li>\n", item(each))).collect();
    format!("<ul class=\"{class}\">\n{items}</ul>\n")
}
