//! A figure as plain values: series of points over two axes. The module `draw` draws it.

mod canvas;
mod draw;
mod looks;
mod scale;

use scale::Scale;

/// One axis.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Axis {
    /// The quantity and its unit.
    pub label: String,
    /// True for a logarithmic axis, which cannot show numbers of zero or less.
    pub log: bool,
}

impl Axis {
    /// A linear axis.
    pub fn linear(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: false }
    }

    /// A logarithmic axis.
    pub fn log(label: impl Into<String>) -> Axis {
        Axis { label: label.into(), log: true }
    }
}

/// A point and the ends of its interval; if both are `y`, there is no error bar.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Its place on the x axis.
    pub x: f64,
    /// The value there.
    pub y: f64,
    /// The lower end of the interval of `y`.
    pub low: f64,
    /// The upper end of the interval of `y`.
    pub high: f64,
}

impl Point {
    /// A point without an error.
    pub fn new(x: f64, y: f64) -> Point {
        Point { x, y, low: y, high: y }
    }

    /// A point with half the width of its interval.
    pub fn with_error(x: f64, y: f64, error: f64) -> Point {
        Point { x, y, low: y - error, high: y + error }
    }

    fn has_error(&self) -> bool {
        self.low.abs() <= scale::VALUE_MAX && self.high.abs() <= scale::VALUE_MAX && self.low < self.high
    }
}

/// How a series is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Style {
    /// Measurements in order: a line with a marker at each point.
    #[default]
    Line,
    /// A bound or a theory: a dashed line without markers.
    Dashed,
    /// Measurements that no line joins: markers only.
    Dots,
    /// A range of x, from the least to the greatest of its points: a shaded strip as high as the plot.
    Span,
}

/// Points under one name.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// The name in the legend.
    pub name: String,
    /// The points, in the order in which a line joins them.
    pub points: Vec<Point>,
    /// How they are drawn.
    pub style: Style,
}

impl Series {
    /// A series of measurements, joined by a line.
    pub fn line(name: impl Into<String>, points: Vec<Point>) -> Series {
        Series { name: name.into(), points, style: Style::Line }
    }

    /// A bound or a theory.
    pub fn dashed(name: impl Into<String>, points: Vec<Point>) -> Series {
        Series { name: name.into(), points, style: Style::Dashed }
    }

    /// A range of x. Its points also need a `y`: any value within the range of the other series.
    pub fn span(name: impl Into<String>, (low, high): (f64, f64), y: f64) -> Series {
        Series {
            name: name.into(),
            points: vec![Point::new(low, y), Point::new(high, y)],
            style: Style::Span,
        }
    }

    /// A series of measurements that no line joins.
    pub fn dots(name: impl Into<String>, points: Vec<Point>) -> Series {
        Series { name: name.into(), points, style: Style::Dots }
    }
}

/// Series over two axes. The drawing leaves out points that are not finite, or not positive on a logarithmic axis,
/// and the caption counts them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figure {
    /// A short name; its file is named after it.
    pub name: String,
    /// The title above the figure.
    pub title: String,
    /// An explanation for the reader.
    pub caption: String,
    /// The horizontal axis.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The series.
    pub series: Vec<Series>,
}

impl Figure {
    /// The figure as a file of SVG: the same bytes for the same figure.
    pub fn to_svg(&self) -> String {
        draw::draw(self)
    }

    /// The caption, with the numbers of points left out and the reasons.
    pub fn full_caption(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let is_finite =
            |point: &Point| point.x.abs() <= scale::VALUE_MAX && point.y.abs() <= scale::VALUE_MAX;
        let infinite = points().filter(|point| !is_finite(point)).count();
        let nonpositive = points().filter(|point| is_finite(point) && !self.fits(point)).count();
        let mut sentences = vec![self.caption.clone()];
        if nonpositive > 0 {
            sentences
                .push(format!("Left out, zero or less on a logarithmic axis: {}.", counted(nonpositive)));
        }
        if infinite > 0 {
            sentences.push(format!("Left out, not a finite number: {}.", counted(infinite)));
        }
        sentences.retain(|sentence| !sentence.is_empty());
        sentences.join(" ")
    }

    fn fits(&self, point: &Point) -> bool {
        Scale::fits(&self.x, point.x) && Scale::fits(&self.y, point.y)
    }
}

fn counted(points: usize) -> String {
    if points == 1 { "1 point".to_string() } else { format!("{points} points") }
}
