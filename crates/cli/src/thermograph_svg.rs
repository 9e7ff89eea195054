//! A thermograph as a picture, the usual way: temperature upwards, and larger values, Left's side, on the left.

use aji_cgt::{Thermograph, Wall};
use std::fmt::Write;

/// The colours of Left's wall, of Right's, and of the mast.
const COLOURS: [&str; 3] = ["#0072B2", "#D55E00", "#333333"];

/// The picture without its margins, in pixels.
const SIZE: (f64, f64) = (460.0, 380.0);
const MARGINS: (f64, f64) = (60.0, 50.0);

/// The shown height of the mast, as a share of the height below it.
const MAST: f64 = 0.25;

/// About how many lines of the grid there are along each axis.
const LINES: f64 = 8.0;

/// Where values and temperatures are drawn.
struct Frame {
    values: (f64, f64),
    taxes: (f64, f64),
}

impl Frame {
    fn of(graph: &Thermograph) -> Frame {
        let top = graph.temperature().to_f64();
        let bottom = top.min(0.0);
        let points = || [graph.left(), graph.right()].into_iter().flat_map(|wall| line_of(wall, bottom, top));
        let low = points().map(|(_, value)| value).fold(f64::INFINITY, f64::min);
        let high = points().map(|(_, value)| value).fold(f64::NEG_INFINITY, f64::max);
        // The thermograph of a number has no width.
        let room = if high > low { 0.05 * (high - low) } else { 1.0 };
        let height = if top > bottom { top - bottom } else { 1.0 };
        Frame { values: (low - room, high + room), taxes: (bottom, top + MAST * height) }
    }

    fn x(&self, value: f64) -> f64 {
        MARGINS.0 + SIZE.0 * (self.values.1 - value) / (self.values.1 - self.values.0)
    }

    fn y(&self, tax: f64) -> f64 {
        MARGINS.1 + SIZE.1 * (self.taxes.1 - tax) / (self.taxes.1 - self.taxes.0)
    }
}

/// The line of a wall from one tax up to another: both ends and the corners between them. A [`Wall`] has no corner at the
/// upper end of an upright last piece, so this function adds it. The line is one point if both taxes are equal.
fn line_of(wall: &Wall, from: f64, to: f64) -> Vec<(f64, f64)> {
    let all: Vec<(f64, f64)> =
        wall.corners().iter().map(|&(tax, value)| (tax.to_f64(), value.to_f64())).collect();
    let at = |tax: f64| {
        let above = all.partition_point(|corner| corner.0 <= tax).max(1);
        let (start, end) = (all[above - 1], all.get(above).copied().unwrap_or(all[above - 1]));
        let share = if end.0 > start.0 { (tax - start.0) / (end.0 - start.0) } else { 0.0 };
        (tax, start.1 + share * (end.1 - start.1))
    };
    let between = all.iter().copied().filter(|corner| corner.0 > from && corner.0 < to);
    let end = (to > from).then(|| at(to));
    std::iter::once(at(from)).chain(between).chain(end).collect()
}

/// A round distance between the grid lines of a range.
fn step(range: f64) -> f64 {
    let rough = range / LINES;
    let power = 10f64.powf(rough.log10().floor());
    [1.0, 2.0, 5.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|&step| step >= rough)
        .unwrap_or(10.0 * power)
}

/// The grid lines of a range: the place and the label of each.
fn multiples((low, high): (f64, f64)) -> impl Iterator<Item = (f64, String)> {
    let step = step(high - low);
    let decimals = (-step.log10().floor()).max(0.0) as usize;
    let first = (low / step).ceil() as i64;
    let line = move |number: i64| (number as f64 * step, format!("{:.decimals$}", number as f64 * step));
    (first..).map(line).take_while(move |&(place, _)| place <= high + 1e-9)
}

/// The picture.
pub fn svg(title: &str, graph: &Thermograph) -> String {
    let frame = Frame::of(graph);
    let (width, height) = (SIZE.0 + 2.0 * MARGINS.0, SIZE.1 + 2.0 * MARGINS.1);
    let (right, bottom) = (MARGINS.0 + SIZE.0, MARGINS.1 + SIZE.1);
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"13\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
    );
    // Writing to a string does not fail.
    let mut line = |piece: std::fmt::Arguments| {
        let _ = writeln!(text, "{piece}");
    };
    line(format_args!(
        "<text x=\"{:.1}\" y=\"24\" text-anchor=\"middle\" font-size=\"15\">{title}</text>",
        width / 2.0
    ));
    for (value, label) in multiples(frame.values) {
        let x = frame.x(value);
        line(format_args!(
            "<line x1=\"{x:.1}\" y1=\"{:.1}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#E5E5E5\"/>",
            MARGINS.1
        ));
        line(format_args!(
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{label}</text>",
            bottom + 18.0
        ));
    }
    for (tax, label) in multiples(frame.taxes) {
        let y = frame.y(tax);
        line(format_args!(
            "<line x1=\"{:.1}\" y1=\"{y:.1}\" x2=\"{right:.1}\" y2=\"{y:.1}\" stroke=\"#E5E5E5\"/>",
            MARGINS.0
        ));
        line(format_args!(
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
            MARGINS.0 - 8.0,
            y + 4.0
        ));
    }
    let path = |points: &[(f64, f64)]| {
        let place = |&(tax, value): &(f64, f64)| format!("{:.1},{:.1}", frame.x(value), frame.y(tax));
        points.iter().map(place).collect::<Vec<_>>().join(" ")
    };
    let (mean, temperature) = (graph.mean().to_f64(), graph.temperature().to_f64());
    let [left_wall, right_wall] =
        [graph.left(), graph.right()].map(|wall| line_of(wall, frame.taxes.0, temperature));
    let mast = vec![(temperature, mean), (frame.taxes.1, mean)];
    for (points, colour) in [left_wall, right_wall, mast].iter().zip(COLOURS) {
        line(format_args!(
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2.5\" stroke-linejoin=\"round\"/>",
            path(points)
        ));
    }
    let (x, y) = (frame.x(mean), frame.y(temperature));
    line(format_args!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"4\" fill=\"{}\"/>", COLOURS[2]));
    // The text goes to the side with more room.
    let (anchor, x) = if x < width / 2.0 { ("start", x + 10.0) } else { ("end", x - 10.0) };
    line(format_args!(
        "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\">mean {}, temperature {}</text>",
        y - 8.0,
        graph.mean(),
        graph.temperature()
    ));
    line(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" fill=\"{}\">Left first</text>",
        MARGINS.0,
        bottom + 38.0,
        COLOURS[0]
    ));
    line(format_args!(
        "<text x=\"{right:.1}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"{}\">Right first</text>",
        bottom + 38.0,
        COLOURS[1]
    ));
    line(format_args!(
        "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">value to Left</text>",
        width / 2.0,
        bottom + 38.0
    ));
    line(format_args!("<text x=\"{:.1}\" y=\"{:.1}\">temperature</text>", 8.0, MARGINS.1 - 10.0));
    text + "</svg>\n"
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_cgt::Dyadic;

    /// Left's wall stands left of Right's, the mast on top. A number has only a mast.
    #[test]
    fn left_is_left() {
        let number = |value: i32| Thermograph::score(Dyadic::from(value));
        let options = |left: &Thermograph, right: &Thermograph| {
            Thermograph::of_options(std::slice::from_ref(left.right()), std::slice::from_ref(right.left()))
        };
        let switch = options(&number(5), &number(-3)).expect("it fits");
        let frame = Frame::of(&switch);
        assert!(frame.x(5.0) < frame.x(1.0) && frame.x(1.0) < frame.x(-3.0) && frame.y(4.0) < frame.y(0.0));
        assert_eq!(line_of(switch.left(), 0.0, 4.0), [(0.0, 5.0), (4.0, 1.0)]);
        let picture = svg("{5|-3}", &switch);
        assert!(picture.contains("mean 1, temperature 4") && picture.matches("<polyline").count() == 3);
        assert!(!svg("7", &number(7)).contains("NaN"));
        let labels = |range| multiples(range).map(|(_, label)| label).collect::<Vec<_>>();
        assert_eq!(labels((0.0, 1.25)), ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0", "1.2"]);
        assert_eq!(labels((-4.0, 7.0)), ["-4", "-2", "0", "2", "4", "6"]);
    }

    /// The points of the picture's lines: Left's wall, Right's wall, the mast.
    fn lines(picture: &str) -> Vec<Vec<(f64, f64)>> {
        let point = |text: &str| {
            let (x, y) = text.split_once(',').expect("x,y");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        };
        let lines = picture.split("<polyline points=\"").skip(1);
        lines.map(|rest| rest.split('"').next().expect("points").split(' ').map(point).collect()).collect()
    }

    /// Right's wall of this heap bends at temperature 2 and stands upright from there to the mast at 6.
    #[test]
    fn an_upright_wall_is_drawn_up_to_the_mast() {
        let states = aji_lab::study::study_heap("R3B5R7B2").expect("a heap");
        let graph = &states[0].thermograph;
        assert_eq!(line_of(graph.right(), 0.0, 6.0), [(0.0, -3.0), (2.0, -1.0), (6.0, -1.0)]);
        let frame = Frame::of(graph);
        let drawn = &lines(&svg("", graph))[1];
        let place = |tax, value| (frame.x(value), frame.y(tax));
        for (&(x, y), (expect_x, expect_y)) in
            drawn.iter().zip([place(0.0, -3.0), place(2.0, -1.0), place(6.0, -1.0)])
        {
            assert!((x - expect_x).abs() < 0.1 && (y - expect_y).abs() < 0.1, "{drawn:?}");
        }
        assert_eq!(drawn.len(), 3);
    }

    /// Both walls begin on the ground and end at the foot of the mast, in every state of some heaps and in boards.
    #[test]
    fn walls_reach_from_the_ground_to_the_mast() {
        let heaps = ["R3B5R7B2", "B3B5B7R2", "B6B1R4B7R3", "R1B1R1B1R1B1", "B2R9B9R2B1R8", "R5"];
        let heaps = heaps.iter().flat_map(|heap| aji_lab::study::study_heap(heap).expect("a heap"));
        let boards = ["../../..", "..../....", "..", "..+./."].into_iter();
        let boards = boards.map(|board| {
            aji_lab::study::study_boards("domineering", board, aji_cgt::GameLimits::default())
                .expect("a board")
        });
        let graphs = heaps.map(|state| state.thermograph).chain(boards.map(|study| study.thermograph));
        for graph in graphs {
            let picture = svg("", &graph);
            let [left, right, mast] = &lines(&picture)[..] else { panic!("three lines in {picture}") };
            let ground = left[0].1;
            assert_eq!(
                (right[0].1, left.last(), right.last()),
                (ground, mast.first(), mast.first()),
                "{picture}"
            );
        }
    }
}
