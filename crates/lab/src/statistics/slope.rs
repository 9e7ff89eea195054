//! The least-squares line, and the power law as a line between logarithms.
//!
//! For points (x, y): slope = S_xy / S_xx. The error of the slope is sqrt(r / S_xx), and that of the intercept is
//! sqrt(r (1/n + mean(x)^2 / S_xx)). Here r = sum of squared residuals / (n - 2) (Draper & Smith 1998, sections 1.2 and
//! 1.4).

use serde::Serialize;

use super::mean::{Estimate, mean};

/// A line through points.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Line {
    /// The change of y per unit of x.
    pub slope: Estimate,
    /// The y at x = 0.
    pub intercept: Estimate,
}

impl Line {
    /// The y of the line at this x.
    pub fn at(&self, x: f64) -> f64 {
        self.intercept.value + self.slope.value * x
    }
}

/// The least-squares line through points (x, y), with errors of n - 2 degrees of freedom. None with fewer than three
/// points, if one is not finite, or if all have the same x.
pub fn line(points: &[(f64, f64)]) -> Option<Line> {
    if points.len() < 3 || !points.iter().all(|(x, y)| x.is_finite() && y.is_finite()) {
        return None;
    }
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    let (mean_x, mean_y) = (mean(&xs)?, mean(&ys)?);
    let square_x: f64 = xs.iter().map(|x| (x - mean_x).powi(2)).sum();
    if square_x == 0.0 || xs.iter().all(|x| *x == xs[0]) {
        return None;
    }
    let product: f64 = points.iter().map(|(x, y)| (x - mean_x) * (y - mean_y)).sum();
    let slope = product / square_x;
    // Residuals, and not S_yy - S_xy^2 / S_xx, which cancels if the points lie on a line.
    let residual = |(x, y): &(f64, f64)| (y - mean_y) - slope * (x - mean_x);
    let count = points.len() as f64;
    let scatter = points.iter().map(|point| residual(point).powi(2)).sum::<f64>() / (count - 2.0);
    let estimate = |value, variance: f64| Estimate {
        value,
        error: variance.sqrt(),
        degrees: Some(points.len() as u64 - 2),
    };
    Some(Line {
        slope: estimate(slope, scatter / square_x),
        intercept: estimate(mean_y - slope * mean_x, scatter * (1.0 / count + mean_x * mean_x / square_x)),
    })
}

/// The line through (ln x, ln y). Its slope is the exponent of a power law, its intercept the logarithm of the
/// factor. None if [`line()`] is, or if an x or a y is not positive. Such a point has no logarithm, and leaving it
/// out would bend the line.
pub fn log_log_line(points: &[(f64, f64)]) -> Option<Line> {
    if !points.iter().all(|&(x, y)| x > 0.0 && y > 0.0) {
        return None;
    }
    let logarithms: Vec<(f64, f64)> = points.iter().map(|(x, y)| (x.ln(), y.ln())).collect();
    line(&logarithms)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_on_a_line() {
        let found = line(&[(0.0, 1.0), (1.0, 3.0), (2.0, 5.0), (4.0, 9.0)]).unwrap();
        assert_eq!((found.slope.value, found.slope.error), (2.0, 0.0));
        assert_eq!((found.intercept.value, found.at(10.0)), (1.0, 21.0));
        assert_eq!(found.slope.degrees, Some(2));
    }

    #[test]
    fn a_power_law() {
        let points: Vec<(f64, f64)> = (1..10).map(|n| (f64::from(n), 3.0 / f64::from(n).sqrt())).collect();
        let found = log_log_line(&points).unwrap();
        assert!((found.slope.value + 0.5).abs() < 1e-14, "{}", found.slope);
        assert!((found.intercept.value - 3f64.ln()).abs() < 1e-14, "{}", found.intercept);
    }

    #[test]
    fn what_has_no_answer_says_so() {
        assert_eq!(line(&[(0.0, 1.0), (1.0, 3.0)]), None);
        assert_eq!(line(&[(0.1, 1.0), (0.1, 3.0), (0.1, 4.0)]), None);
        assert_eq!(line(&[(0.0, 1.0), (1.0, f64::NAN), (2.0, 4.0)]), None);
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            assert_eq!(log_log_line(&[(1.0, 1.0), (2.0, bad), (3.0, 4.0), (4.0, 4.0)]), None);
            assert_eq!(log_log_line(&[(1.0, 1.0), (bad, 2.0), (3.0, 4.0), (4.0, 4.0)]), None);
        }
    }
}
