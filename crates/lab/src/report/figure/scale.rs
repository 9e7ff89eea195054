//! From values to places on an axis, and the ticks of the axis.

use super::Axis;

/// Values beyond this are left out, so that widths of ranges do not overflow.
pub(super) const VALUE_MAX: f64 = 1e300;
/// Sizes below this count as zero, so that steps between ticks do not vanish.
const VALUE_MIN: f64 = 1e-300;
/// The most steps between the ticks of a linear axis.
const STEPS: f64 = 8.0;
/// The most ticks with labels.
const TICKS_MAX: usize = 8;
/// How far the axis reaches beyond the data, as a part of their range.
const PADDING: f64 = 0.04;

/// A value of the axis and its label.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tick {
    pub(super) value: f64,
    pub(super) label: String,
}

/// The range of an axis, in values or in their decimal logarithms.
#[derive(Clone, Copy, Debug)]
pub(super) struct Scale {
    log: bool,
    low: f64,
    high: f64,
}

impl Scale {
    /// True for a value that has a place on the axis.
    pub(super) fn fits(axis: &Axis, value: f64) -> bool {
        value.abs() <= VALUE_MAX && (!axis.log || value >= VALUE_MIN)
    }

    /// The scale that contains the values; values that do not fit are ignored.
    pub(super) fn over(axis: &Axis, values: impl Iterator<Item = f64>) -> Scale {
        let places = values.filter(|&value| Scale::fits(axis, value));
        let places = places.map(|value| if axis.log { value.log10() } else { value });
        let (mut low, mut high) = places
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), place| (low.min(place), high.max(place)));
        if low > high {
            (low, high) = (0.0, 1.0);
        }
        let size = low.abs().max(high.abs());
        // Values that differ only by rounding would have ticks with equal labels.
        let padding = if high - low > (1e-9 * size).max(VALUE_MIN) {
            (high - low) * PADDING
        } else if axis.log {
            0.5
        } else if size <= VALUE_MIN {
            1.0
        } else {
            size / 10.0
        };
        let is_positive = low >= 0.0 && !axis.log;
        let is_negative = high <= 0.0 && !axis.log && low < 0.0;
        low = if is_positive { (low - padding).max(0.0) } else { low - padding };
        high = if is_negative { (high + padding).min(0.0) } else { high + padding };
        Scale { log: axis.log, low, high }
    }

    /// The place of a value: 0 at the low end of the axis, 1 at the high end. A value beyond an end is put at that
    /// end.
    pub(super) fn place(&self, value: f64) -> f64 {
        let value = if !self.log {
            value
        } else if value > 0.0 {
            value.log10()
        } else {
            self.low
        };
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// The ticks with labels, from the low end.
    pub(super) fn ticks(&self) -> Vec<Tick> {
        if self.log { self.log_ticks() } else { linear_ticks(self.low, self.high) }
    }

    /// The ticks without labels of a logarithmic axis.
    pub(super) fn minor_ticks(&self) -> Vec<f64> {
        if self.log && self.high - self.low <= 6.0 {
            self.multiples(&[2, 3, 4, 5, 6, 7, 8, 9], 1)
        } else {
            Vec::new()
        }
    }

    fn log_ticks(&self) -> Vec<Tick> {
        let decades = self.multiples(&[1], 1).len();
        let every = decades.div_ceil(TICKS_MAX).max(1) as i32;
        let mut values = self.multiples(&[1], every);
        if values.len() < 3 {
            values = self.multiples(&[1, 2, 5], 1);
        }
        if values.len() < 3 {
            return linear_ticks(10f64.powf(self.low), 10f64.powf(self.high));
        }
        values.into_iter().map(|value| Tick { value, label: short(value) }).collect()
    }

    /// The multiples of each power of ten on the axis, or of those whose exponent divides by `every`.
    fn multiples(&self, factors: &[u32], every: i32) -> Vec<f64> {
        let exponents = self.low.floor() as i32..=self.high.ceil() as i32;
        let powers = exponents.filter(|exponent| exponent.rem_euclid(every) == 0);
        let values = powers.flat_map(|exponent| factors.iter().map(move |factor| decimal(*factor, exponent)));
        values.filter(|value| (self.low..=self.high).contains(&value.log10())).collect()
    }
}

/// `factor · 10^exponent`, rounded once.
fn decimal(factor: u32, exponent: i32) -> f64 {
    format!("{factor}e{exponent}").parse().expect("a decimal number")
}

/// Ticks at multiples of 1, 2 or 5 times a power of ten.
fn linear_ticks(low: f64, high: f64) -> Vec<Tick> {
    let rough = (high - low) / STEPS;
    let exponent = rough.log10().floor() as i32;
    let factor = [1, 2, 5].into_iter().find(|&factor| decimal(factor, exponent) >= rough * 0.999);
    let (factor, exponent) = factor.map_or((1, exponent + 1), |factor| (factor, exponent));
    let step = decimal(factor, exponent);
    let indices = (low / step - 1e-9).ceil() as i64..=(high / step + 1e-9).floor() as i64;
    let size = low.abs().max(high.abs());
    indices
        .map(|index| {
            let value = index as f64 * step;
            Tick { value, label: linear_label(value, size, exponent) }
        })
        .collect()
}

/// The label of a multiple of `10^exponent` on an axis whose largest value is `size`.
fn linear_label(value: f64, size: f64, exponent: i32) -> String {
    if value == 0.0 {
        return "0".to_string();
    }
    if size >= 1e15 || exponent < -6 {
        let digits = (value.abs().log10().floor() as i32 - exponent).clamp(0, 15);
        return minus(format!("{value:.*e}", digits as usize));
    }
    let (unit, suffix) = if size < 1e4 { (0, "") } else { unit(size) };
    let decimals = (unit - exponent).max(0) as usize;
    minus(format!("{:.*}{suffix}", decimals, value / decimal(1, unit)))
}

/// A label of a logarithmic axis: 0.01, 1, 20, 1k, 10k, 1M.
fn short(value: f64) -> String {
    if !(1e-4..1e15).contains(&value) {
        return minus(format!("{value:e}"));
    }
    let (unit, suffix) = unit(value);
    format!("{}{suffix}", value / decimal(1, unit))
}

/// The exponent and the letter of the unit for a size.
fn unit(size: f64) -> (i32, &'static str) {
    let units = [(12, "T"), (9, "G"), (6, "M"), (3, "k")];
    units.into_iter().find(|&(exponent, _)| size >= decimal(1, exponent)).unwrap_or((0, ""))
}

fn minus(label: String) -> String {
    label.replace('-', "\u{2212}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(log: bool, values: &[f64], expect: &str) {
        let axis = Axis { label: String::new(), log };
        let scale = Scale::over(&axis, values.iter().copied());
        let labels: Vec<String> = scale.ticks().into_iter().map(|tick| tick.label).collect();
        assert_eq!(labels.join(" "), expect, "{values:?}");
    }

    #[test]
    fn linear_ticks_are_round() {
        check(false, &[0.0, 1.0], "0 0.2 0.4 0.6 0.8 1.0");
        check(false, &[-3.0, 4.0], "−3 −2 −1 0 1 2 3 4");
        check(false, &[0.0, 60_000.0], "0 10k 20k 30k 40k 50k 60k");
        check(false, &[0.0, 2_500_000.0], "0 0.5M 1.0M 1.5M 2.0M 2.5M");
        check(false, &[0.512, 0.518], "0.512 0.513 0.514 0.515 0.516 0.517 0.518");
        check(false, &[1e-9, 5e-9], "1e−9 2e−9 3e−9 4e−9 5e−9");
    }

    #[test]
    fn log_ticks_are_readable() {
        check(true, &[100.0, 1e6], "100 1k 10k 100k 1M");
        check(true, &[1.0, 30.0], "1 2 5 10 20");
        check(true, &[0.001, 1.0], "0.001 0.01 0.1 1");
        check(true, &[1e-12, 1e12], "1e−12 1e−8 0.0001 1 10k 100M 1T");
        check(true, &[100.0, 130.0], "100 105 110 115 120 125 130");
    }

    #[test]
    fn odd_ranges_have_ticks() {
        for values in [&[][..], &[0.0], &[7.0], &[-1e300, 1e300], &[5e-324], &[1.0, 1.0 + 1e-16], &[f64::NAN]]
        {
            for log in [false, true] {
                let axis = Axis { label: String::new(), log };
                let scale = Scale::over(&axis, values.iter().copied());
                let count = scale.ticks().len();
                assert!((1..=12).contains(&count), "{values:?} {log}: {count}");
            }
        }
    }

    #[test]
    fn places_stay_on_the_axis() {
        let scale = Scale::over(&Axis { label: String::new(), log: true }, [1.0, 100.0].into_iter());
        assert_eq!(scale.place(0.0), 0.0);
        assert_eq!(scale.place(1e9), 1.0);
        assert!((scale.place(10.0) - 0.5).abs() < 1e-12);
    }
}
