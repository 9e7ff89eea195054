//! The design of a network, by name: `conv channels=32 blocks=3`, `perceptron hidden=256,128`.

use aji_search::Shape;
use std::fmt;
use std::str::FromStr;

/// The most channels of a convolution, and the largest width of a hidden layer.
pub const WIDTH_MAX: usize = 1024;

/// The most residual blocks.
pub const BLOCKS_MAX: usize = 64;

/// The most rows, and the most columns, of a board.
pub const SIDE_MAX: usize = 32;

/// The most planes.
pub const PLANES_MAX: usize = 256;

/// The most action numbers.
pub const ACTIONS_MAX: usize = 1 << 14;

/// The trunk of a network. Both have a head for the policy and one for the value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Design {
    /// A convolution of the input, and residual blocks of two convolutions each, all three by three.
    Conv {
        /// The channels of every convolution: a multiple of 8.
        channels: usize,
        /// The residual blocks.
        blocks: usize,
    },
    /// Two fully connected hidden layers over the features that are on.
    Perceptron {
        /// The widths of these layers, multiples of 8.
        hidden: [usize; 2],
    },
}

impl Default for Design {
    fn default() -> Design {
        Design::Conv { channels: 32, blocks: 3 }
    }
}

impl fmt::Display for Design {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Design::Conv { channels, blocks } => write!(out, "conv channels={channels} blocks={blocks}"),
            Design::Perceptron { hidden: [first, second] } => {
                write!(out, "perceptron hidden={first},{second}")
            }
        }
    }
}

impl FromStr for Design {
    type Err = String;

    fn from_str(text: &str) -> Result<Design, String> {
        let mut words = text.split_whitespace();
        let kind = words.next().unwrap_or_default();
        let mut design = match kind {
            "conv" => Design::default(),
            "perceptron" => Design::Perceptron { hidden: [256, 128] },
            _ => {
                return Err(format!(
                    "network \"{text}\": expected conv or perceptron first, found \"{kind}\""
                ));
            }
        };
        for word in words {
            let (key, value) = word.split_once('=').unwrap_or((word, ""));
            match (&mut design, key) {
                (Design::Conv { channels, .. }, "channels") => *channels = width(key, value)?,
                (Design::Conv { blocks, .. }, "blocks") => *blocks = number(key, value, 0, BLOCKS_MAX)?,
                (Design::Perceptron { hidden }, "hidden") => {
                    let (first, second) = value.split_once(',').ok_or_else(|| {
                        format!("hidden={value}: expected two numbers, as in hidden=256,128")
                    })?;
                    *hidden = [width(key, first)?, width(key, second)?];
                }
                (Design::Conv { .. }, _) => {
                    return Err(format!("network conv: \"{word}\": expected channels= or blocks="));
                }
                (Design::Perceptron { .. }, _) => {
                    return Err(format!("network perceptron: \"{word}\": expected hidden="));
                }
            }
        }
        Ok(design)
    }
}

fn number(key: &str, value: &str, least: usize, most: usize) -> Result<usize, String> {
    let expected = || format!("{key}={value}: expected a number from {least} to {most}");
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(expected)
}

fn width(key: &str, value: &str) -> Result<usize, String> {
    let width = number(key, value, 8, WIDTH_MAX)?;
    if width.is_multiple_of(8) { Ok(width) } else { Err(format!("{key}={value}: expected a multiple of 8")) }
}

/// Says what is wrong with a shape if its network would be too large or empty.
pub fn check_shape(shape: &Shape) -> Result<(), String> {
    let check = |what: &str, number: usize, most: usize| match number {
        0 => Err(format!("a network needs {what}: expected 1 to {most}")),
        _ if number > most => Err(format!("{number} {what}: expected at most {most}")),
        _ => Ok(()),
    };
    check("planes", shape.planes, PLANES_MAX)?;
    check("rows", shape.rows, SIDE_MAX)?;
    check("columns", shape.columns, SIDE_MAX)?;
    check("actions", shape.actions, ACTIONS_MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_and_written() {
        for name in ["conv channels=48 blocks=4", "conv channels=8 blocks=0", "perceptron hidden=256,128"] {
            assert_eq!(name.parse::<Design>().unwrap().to_string(), name);
        }
        assert_eq!("conv".parse::<Design>().unwrap(), Design::default());
        let check = |text: &str, expect: &str| {
            let error = text.parse::<Design>().unwrap_err();
            assert!(error.contains(expect), "{error}");
        };
        check("", "expected conv or perceptron");
        check("conv channels=9", "channels=9: expected a multiple of 8");
        check("conv channels=2000", "expected a number from 8 to 1024");
        check("conv blocks=x", "blocks=x: expected a number from 0 to 64");
        check("conv hidden=8,8", "expected channels= or blocks=");
        check("perceptron hidden=8", "expected two numbers");
    }
}
