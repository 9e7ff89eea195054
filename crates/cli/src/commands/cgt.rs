//! `aji cgt`: evaluates expressions in combinatorial games.

use crate::output::print;
use aji_cgt::evaluate;
use anyhow::{Result, anyhow};
use clap::Args;
use serde::Serialize;

/// Evaluate combinatorial games: sums, canonical forms, comparisons, temperatures
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub struct Options {
    /// The expression, as one argument: "{3|-1} + +-5 > *"
    #[arg(allow_hyphen_values = true)]
    expression: String,

    /// One JSON object: {expression, kind, value}
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "Examples:
  aji cgt \"{3|-1||-7} + *2\"             the canonical form
  aji cgt \"{3|-1} + +-5 > *\"            true or false; also < >= <= = and || for confused
  aji cgt \"^ ? *\"                       which of > < = || it is
  aji cgt \"temp({3|-1||-7})\"
  aji cgt \"left_incentives({3|-1})\"

Games: 3  -3/4  1.5  *  *2  ^ (up)  ^2  v (down)  1^*  +-5  {0,*|1}  {3|-1||-7}, where || binds less than |.
Operators: G + H, G - H, -G, (G), 3.G or 3*(G) for three copies. 2*3 is the game 2 + *3, and -3^ is -3 + ^.
Functions: canon, mean, temp, cool(G, t), heat(G, t), left_stop, right_stop, birthday, outcome, left_incentives,
right_incentives.";

#[derive(Serialize)]
struct Answer<'a> {
    expression: &'a str,
    kind: &'static str,
    value: String,
}

/// Prints the value of the expression.
pub fn run(options: &Options) -> Result<()> {
    let expression = &options.expression;
    let value = evaluate(expression).map_err(|error| anyhow!("cgt: \"{expression}\": {error}"))?;
    let text = if options.json {
        serde_json::to_string(&Answer { expression, kind: value.kind(), value: value.to_string() })?
    } else {
        value.to_string()
    };
    print(&(text + "\n"))
}
