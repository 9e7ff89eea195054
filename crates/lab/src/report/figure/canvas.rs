//! Shapes and words on a sheet, through plotters.
//!
//! Lengths are in pixels of the finished figure. plotters rounds to whole units, so the sheet is `FINENESS` times as
//! large inside; this also makes the bytes independent of the last digits of a logarithm.

use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Units of the drawing per pixel.
const FINENESS: f64 = 10.0;
/// plotters writes font sizes divided by this.
const FONT_DIVISOR: f64 = 1.24;

/// Why drawing cannot fail.
const IN_MEMORY: &str = "drawing to memory";

/// A place on the sheet, from the upper left corner.
pub(super) type Place = (f64, f64);

/// Which end of a text stands at its place.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

/// A sheet to draw on.
pub(super) struct Canvas<'a> {
    area: DrawingArea<SVGBackend<'a>, Shift>,
}

impl Canvas<'_> {
    /// Draws on a white sheet and gives the SVG, beginning with its first child.
    pub(super) fn paint(width: f64, height: f64, draw: impl FnOnce(&Canvas<'_>)) -> String {
        let mut svg = String::new();
        let size = (units(width) as u32, units(height) as u32);
        let canvas = Canvas { area: SVGBackend::with_string(&mut svg, size).into_drawing_area() };
        canvas.area.fill(&WHITE).expect(IN_MEMORY);
        draw(&canvas);
        canvas.area.present().expect(IN_MEMORY);
        drop(canvas);
        let start = svg.find(">\n").expect("plotters opens with an svg element") + 2;
        svg.split_off(start)
    }

    /// The `viewBox` of a sheet.
    pub(super) fn view_box(width: f64, height: f64) -> String {
        format!("0 0 {} {}", units(width), units(height))
    }

    /// An open line through the places.
    pub(super) fn line(&self, places: &[Place], color: RGBColor, width: f64) {
        let places: Vec<(i32, i32)> = places.iter().copied().map(rounded).collect();
        self.area.draw(&PathElement::new(places, color.stroke_width(units(width) as u32))).expect(IN_MEMORY);
    }

    /// A filled shape with these corners.
    pub(super) fn fill(&self, places: &[Place], color: RGBColor, opacity: f64) {
        let places: Vec<(i32, i32)> = places.iter().copied().map(rounded).collect();
        self.area.draw(&Polygon::new(places, color.mix(opacity).filled())).expect(IN_MEMORY);
    }

    /// A filled circle.
    pub(super) fn disc(&self, center: Place, radius: f64, color: RGBColor) {
        self.area.draw(&Circle::new(rounded(center), units(radius), color.filled())).expect(IN_MEMORY);
    }

    /// One line of words, its middle at the height of the place.
    pub(super) fn text(
        &self,
        text: &str,
        place: Place,
        anchor: Anchor,
        font: (f64, FontStyle),
        color: RGBColor,
    ) {
        let horizontal = match anchor {
            Anchor::Start => HPos::Left,
            Anchor::Middle => HPos::Center,
            Anchor::End => HPos::Right,
        };
        let (size, style) = font;
        let style = FontDesc::new(FontFamily::SansSerif, size * FINENESS * FONT_DIVISOR, style)
            .color(&color)
            .pos(Pos::new(horizontal, VPos::Center));
        self.area.draw(&Text::new(text, rounded(place), style)).expect(IN_MEMORY);
    }
}

fn units(length: f64) -> i32 {
    (length * FINENESS).round() as i32
}

fn rounded((x, y): Place) -> (i32, i32) {
    (units(x), units(y))
}
