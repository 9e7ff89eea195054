//! Draws a figure, from top to bottom: title, legend, the name of the y axis, the plot, the name of the x axis.
//!
//! The legend stands above the plot and may have several rows, so that it never hides data and takes no width.

use super::canvas::{Anchor, Canvas, Place};
use super::looks;
use super::scale::{Scale, Tick};
use super::{Figure, Point, Series, Style};
use crate::report::escape;
use plotters::style::{FontStyle, RGBColor};

/// Narrow, so that on a telephone the words are still large enough to read.
const WIDTH: f64 = 520.0;
const PLOT_HEIGHT: f64 = 290.0;
const MARGIN: f64 = 16.0;
const RIGHT_MARGIN: f64 = 30.0;
const LINE_HEIGHT: f64 = 24.0;
const FONT: f64 = 16.0;
const TITLE_FONT: f64 = 18.0;
/// The width of a letter as a part of its font's size, on the safe side for most sans-serif fonts.
const LETTER: f64 = 0.6;
/// The sample of a line in the legend.
const SAMPLE: f64 = 44.0;
/// Between the labels of the upward axis and the axis.
const TICK_GAP: f64 = 14.0;
/// Between title, legend and the name of the upward axis.
const BLOCK_GAP: f64 = 7.0;
const LEGEND_GAP: f64 = 22.0;
/// From this many points on, intervals are drawn as a band, and not every point has a marker.
const CROWD: usize = 41;
/// The approximate number of markers across the plot if there are many points.
const MARKERS_MAX: usize = 14;
/// Half the width of the caps of an error bar.
const CAP: f64 = 4.5;

const INK: RGBColor = RGBColor(34, 34, 34);
const AXIS: RGBColor = RGBColor(110, 110, 110);
const GRID: RGBColor = RGBColor(228, 228, 228);

/// The figure as SVG.
pub(super) fn draw(figure: &Figure) -> String {
    let layout = Layout::of(figure);
    let height = layout.bottom + 2.0 * LINE_HEIGHT + MARGIN;
    let shapes = Canvas::paint(WIDTH, height, |canvas| {
        draw_words(canvas, figure, &layout);
        draw_axes(canvas, &layout);
        let mut order: Vec<usize> = (0..figure.series.len()).collect();
        // Ranges are drawn below theory, and theory below measurements.
        order.sort_by_key(|&index| match figure.series[index].style {
            Style::Span => 0,
            Style::Dashed => 1,
            Style::Line | Style::Dots => 2,
        });
        for index in order {
            draw_series(canvas, figure, &layout, index);
        }
        if !figure.series.iter().flat_map(|series| &series.points).any(|point| figure.fits(point)) {
            let middle = ((layout.left + layout.right) / 2.0, (layout.top + layout.bottom) / 2.0);
            canvas.text("no points to draw", middle, Anchor::Middle, (FONT, FontStyle::Normal), AXIS);
        }
    });
    let title = escape::html(&figure.title);
    let caption = escape::html(&figure.full_caption());
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{height}\" viewBox=\"{}\" role=\"img\" \
         aria-label=\"{title}\" stroke-linejoin=\"round\">\n<title>{title}</title>\n<desc>{caption}</desc>\n{shapes}",
        Canvas::view_box(WIDTH, height)
    )
}

/// The positions of all parts.
struct Layout {
    x: Scale,
    y: Scale,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
    title: Vec<String>,
    /// The rows of the legend: the index of each series and the x where it begins.
    legend: Vec<Vec<(usize, f64)>>,
    left: f64,
    right: f64,
    top: f64,
    bottom: f64,
}

impl Layout {
    fn of(figure: &Figure) -> Layout {
        let points =
            || figure.series.iter().flat_map(|series| &series.points).filter(|point| figure.fits(point));
        let x = Scale::over(&figure.x, points().map(|point| point.x));
        let y = Scale::over(&figure.y, points().flat_map(heights));
        let (x_ticks, y_ticks) = (x.ticks(), y.ticks());
        let widest = y_ticks.iter().map(|tick| width(&tick.label, FONT)).fold(0.0, f64::max);
        let title = wrapped(&figure.title, WIDTH - 2.0 * MARGIN);
        let legend = legend_rows(&figure.series);
        let rows = title.len() + legend.len() + usize::from(!figure.y.label.is_empty());
        let top = MARGIN + rows as f64 * LINE_HEIGHT + 2.0 * BLOCK_GAP + 8.0;
        let left = MARGIN + widest + TICK_GAP;
        let right = WIDTH - RIGHT_MARGIN;
        Layout { x, y, x_ticks, y_ticks, title, legend, left, right, top, bottom: top + PLOT_HEIGHT }
    }

    fn across(&self, x: f64) -> f64 {
        self.left + self.x.place(x) * (self.right - self.left)
    }

    fn down(&self, y: f64) -> f64 {
        self.bottom - self.y.place(y) * (self.bottom - self.top)
    }

    fn place(&self, point: &Point) -> Place {
        (self.across(point.x), self.down(point.y))
    }
}

/// The heights a point needs on its axis.
fn heights(point: &Point) -> impl Iterator<Item = f64> + use<> {
    let ends = if point.has_error() { [point.low, point.high] } else { [point.y; 2] };
    ends.into_iter().chain([point.y])
}

fn draw_words(canvas: &Canvas<'_>, figure: &Figure, layout: &Layout) {
    let mut y = MARGIN + LINE_HEIGHT / 2.0;
    for line in &layout.title {
        canvas.text(line, (MARGIN, y), Anchor::Start, (TITLE_FONT, FontStyle::Bold), INK);
        y += LINE_HEIGHT;
    }
    y += BLOCK_GAP / 2.0;
    for row in &layout.legend {
        for &(index, x) in row {
            draw_sample(canvas, figure, index, (x, y));
            let room = WIDTH - MARGIN - (x + SAMPLE + 8.0);
            let name = cut(&figure.series[index].name, FONT, room);
            canvas.text(&name, (x + SAMPLE + 8.0, y), Anchor::Start, (FONT, FontStyle::Normal), INK);
        }
        y += LINE_HEIGHT;
    }
    y += BLOCK_GAP * 1.5;
    let font = (FONT, FontStyle::Normal);
    let label = cut(&figure.y.label, FONT, WIDTH - 2.0 * MARGIN);
    canvas.text(&label, (MARGIN, y), Anchor::Start, font, INK);
    let label = cut(&figure.x.label, FONT, layout.right - layout.left);
    let below = layout.bottom + 1.75 * LINE_HEIGHT;
    canvas.text(&label, ((layout.left + layout.right) / 2.0, below), Anchor::Middle, font, INK);
}

/// A series as the legend shows it.
fn draw_sample(canvas: &Canvas<'_>, figure: &Figure, index: usize, (x, y): Place) {
    let ends = [(x, y), (x + SAMPLE, y)];
    match figure.series[index].style {
        Style::Line => canvas.line(&ends, looks::color(index), 2.2),
        Style::Dashed => draw_dashes(canvas, figure, index, &ends),
        Style::Dots => {}
        Style::Span => draw_strip(canvas, index, (x, x + SAMPLE), (y - FONT / 2.0, y + FONT / 2.0)),
    }
    if has_markers(&figure.series[index]) {
        looks::marker(canvas, index, (x + SAMPLE / 2.0, y));
    }
}

/// True for measurements: theory and ranges have no markers.
fn has_markers(series: &Series) -> bool {
    matches!(series.style, Style::Line | Style::Dots)
}

/// A shaded rectangle with its sides inked, so that a range of one value is seen too.
fn draw_strip(canvas: &Canvas<'_>, index: usize, (left, right): (f64, f64), (top, bottom): (f64, f64)) {
    let color = looks::color(index);
    canvas.fill(&[(left, top), (right, top), (right, bottom), (left, bottom)], color, 0.15);
    for x in [left, right] {
        canvas.line(&[(x, top), (x, bottom)], color, 1.0);
    }
}

fn draw_axes(canvas: &Canvas<'_>, layout: &Layout) {
    let Layout { left, right, top, bottom, .. } = *layout;
    let font = (FONT, FontStyle::Normal);
    for tick in &layout.y_ticks {
        let y = layout.down(tick.value);
        canvas.line(&[(left, y), (right, y)], GRID, 1.0);
        canvas.text(&tick.label, (left - TICK_GAP / 1.5, y), Anchor::End, font, INK);
    }
    let mut free_from = f64::NEG_INFINITY;
    for tick in &layout.x_ticks {
        let x = layout.across(tick.value);
        canvas.line(&[(x, top), (x, bottom)], GRID, 1.0);
        canvas.line(&[(x, bottom), (x, bottom + 6.0)], AXIS, 1.2);
        // A label that would touch the one before it is left out.
        let half = width(&tick.label, FONT) / 2.0;
        if x - half >= free_from {
            canvas.text(&tick.label, (x, bottom + 0.7 * LINE_HEIGHT), Anchor::Middle, font, INK);
            free_from = x + half + FONT / 2.0;
        }
    }
    for value in layout.x.minor_ticks() {
        let x = layout.across(value);
        canvas.line(&[(x, bottom), (x, bottom + 3.5)], AXIS, 1.0);
    }
    for value in layout.y.minor_ticks() {
        let y = layout.down(value);
        canvas.line(&[(left - 3.5, y), (left, y)], AXIS, 1.0);
    }
    canvas.line(&[(left, top), (left, bottom), (right, bottom)], AXIS, 1.2);
}

fn draw_series(canvas: &Canvas<'_>, figure: &Figure, layout: &Layout, index: usize) {
    let series = &figure.series[index];
    let color = looks::color(index);
    let drawn: Vec<&Point> = series.points.iter().filter(|point| figure.fits(point)).collect();
    if series.style == Style::Span {
        let places = || drawn.iter().map(|point| layout.across(point.x));
        let (left, right) = (places().fold(f64::MAX, f64::min), places().fold(f64::MIN, f64::max));
        if left <= right {
            draw_strip(canvas, index, (left, right), (layout.top, layout.bottom));
        }
        return;
    }
    let is_crowded = drawn.len() >= CROWD && series.style != Style::Dots;
    // A point left out breaks the line: nothing was measured between its neighbours.
    for run in series.points.split(|point| !figure.fits(point)) {
        let places: Vec<Place> = run.iter().map(|point| layout.place(point)).collect();
        if is_crowded {
            draw_band(canvas, layout, run, color);
        }
        match series.style {
            Style::Line if places.len() > 1 => canvas.line(&places, color, 2.2),
            Style::Dashed if places.len() > 1 => draw_dashes(canvas, figure, index, &places),
            Style::Dashed => places.iter().for_each(|&place| looks::marker(canvas, index, place)),
            Style::Line | Style::Dots | Style::Span => {}
        }
    }
    if !is_crowded {
        drawn
            .iter()
            .filter(|point| point.has_error())
            .for_each(|point| draw_bar(canvas, layout, point, color));
    }
    if has_markers(series) {
        draw_markers(canvas, layout, index, &drawn, is_crowded);
    }
}

/// The markers of a series. If it has many points, only markers far enough apart are drawn.
fn draw_markers(canvas: &Canvas<'_>, layout: &Layout, index: usize, points: &[&Point], is_crowded: bool) {
    let apart = if is_crowded { (layout.right - layout.left) / MARKERS_MAX as f64 } else { 0.0 };
    let mut last: Option<Place> = None;
    for place in points.iter().map(|point| layout.place(point)) {
        if last.is_none_or(|last| (place.0 - last.0).hypot(place.1 - last.1) >= apart) {
            looks::marker(canvas, index, place);
            last = Some(place);
        }
    }
}

fn draw_dashes(canvas: &Canvas<'_>, figure: &Figure, index: usize, places: &[Place]) {
    let before = &figure.series[..index];
    let pattern = before.iter().filter(|series| series.style == Style::Dashed).count();
    for piece in looks::dashes(pattern, places) {
        canvas.line(&piece, looks::color(index), 2.2);
    }
}

/// An error bar with its caps, in one stroke. An end below a logarithmic axis runs to the axis and has no cap.
fn draw_bar(canvas: &Canvas<'_>, layout: &Layout, point: &Point, color: RGBColor) {
    let (x, low, high) = (layout.across(point.x), layout.down(point.low), layout.down(point.high));
    let mut stroke = vec![(x - CAP, high), (x + CAP, high), (x, high), (x, low)];
    if low < layout.bottom {
        stroke.extend([(x - CAP, low), (x + CAP, low)]);
    }
    canvas.line(&stroke, color, 1.4);
}

/// The intervals of many points as one shape.
fn draw_band(canvas: &Canvas<'_>, layout: &Layout, run: &[Point], color: RGBColor) {
    if !run.iter().any(Point::has_error) {
        return;
    }
    let end = |point: &Point, end: f64| {
        (layout.across(point.x), layout.down(if point.has_error() { end } else { point.y }))
    };
    let above = run.iter().map(|point| end(point, point.high));
    let below = run.iter().rev().map(|point| end(point, point.low));
    canvas.fill(&above.chain(below).collect::<Vec<_>>(), color, 0.2);
}

fn legend_rows(series: &[Series]) -> Vec<Vec<(usize, f64)>> {
    let mut rows: Vec<Vec<(usize, f64)>> = Vec::new();
    let mut x = f64::INFINITY;
    for (index, series) in series.iter().enumerate() {
        let needed = SAMPLE + 8.0 + width(&series.name, FONT);
        if x + needed > WIDTH - MARGIN {
            rows.push(Vec::new());
            x = MARGIN;
        }
        rows.last_mut().expect("the first series opens a row").push((index, x));
        x += needed + LEGEND_GAP;
    }
    rows
}

/// About how wide a text is.
fn width(text: &str, font: f64) -> f64 {
    text.chars().count() as f64 * font * LETTER
}

/// The title, wrapped into lines.
fn wrapped(text: &str, room: f64) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(line, TITLE_FONT) + width(word, TITLE_FONT) + TITLE_FONT <= room => {
                *line += " ";
                *line += word;
            }
            _ => lines.push(word.to_string()),
        }
    }
    lines.iter().map(|line| cut(line, TITLE_FONT, room)).collect()
}

/// The text, cut to the room there is. Line breaks become blanks.
fn cut(text: &str, font: f64, room: f64) -> String {
    let text = escape::printable(text).replace(['\n', '\t'], " ");
    if width(&text, font) <= room {
        return text;
    }
    let letters = (room / (font * LETTER)).floor().max(1.0) as usize;
    text.chars().take(letters - 1).chain(['…']).collect()
}
