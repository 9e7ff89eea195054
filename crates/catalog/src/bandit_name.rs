//! A rule for bandits without a tree, and how it recommends an arm: `ucb1 c=0.5`, `voi ties=first recommend=pulls`.

use crate::Error;
use crate::rule_name::rule_of_words;
use crate::search_name::RECOMMENDATIONS;
use crate::units::choice;
use crate::words::Words;
use aji_search::Recommend;
use aji_search::bandit::AnyRule;
use std::fmt;
use std::str::FromStr;

/// A rule with its recommendation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BanditName {
    /// Chooses the arm to pull next.
    pub rule: AnyRule,
    /// Chooses the arm to recommend in the end.
    pub recommend: Recommend,
}

impl BanditName {
    /// The word of its recommendation.
    pub fn recommendation(&self) -> &'static str {
        RECOMMENDATIONS.iter().find(|(_, other)| *other == self.recommend).map_or("", |(word, _)| word)
    }

    /// Reads a list of them, separated by commas.
    pub fn read_all(text: &str) -> Result<Vec<BanditName>, Error> {
        let mut depth = 0;
        let is_comma = |letter: char| {
            match letter {
                '(' => depth += 1,
                ')' => depth -= 1,
                _ => {}
            }
            letter == ',' && depth == 0
        };
        text.split(is_comma).map(|name| name.trim().parse()).collect()
    }
}

impl FromStr for BanditName {
    type Err = Error;

    fn from_str(text: &str) -> Result<BanditName, Error> {
        let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        let mut words = if first.contains('(') {
            let mut words = Words::parse_nested("rule", first)?;
            words.also(rest.split_whitespace())?;
            words
        } else {
            Words::parse("rule", text)?
        };
        let recommend = words.take("recommend", |text| choice(text, RECOMMENDATIONS))?;
        let rule = rule_of_words(words)?;
        Ok(BanditName { rule, recommend: recommend.unwrap_or_else(|| rule.about().recommend) })
    }
}

impl fmt::Display for BanditName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.rule)?;
        if self.recommend == self.rule.about().recommend {
            return Ok(());
        }
        write!(f, " recommend={}", self.recommendation())
    }
}
