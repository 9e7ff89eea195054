//! How series are told apart: by colour, and in grey by the shape of markers and dashes.

use super::canvas::{Canvas, Place};
use plotters::style::RGBColor;

/// The colours of Okabe and Ito that can be seen on white, which is all but yellow.
const COLORS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(0, 0, 0),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
];

/// Half the width of a marker, in pixels.
const RADIUS: f64 = 5.0;

/// Lengths of ink and gap in turn, in pixels.
const DASHES: [&[f64]; 4] = [&[10.0, 5.0], &[2.5, 4.0], &[12.0, 4.0, 2.5, 4.0], &[5.0, 3.0]];

const WHITE: RGBColor = RGBColor(255, 255, 255);

/// The colour of a series by its number.
pub(super) fn color(series: usize) -> RGBColor {
    COLORS[series % COLORS.len()]
}

/// Draws the marker of a series by its number. There are eight shapes to seven colours, so pairs repeat late.
pub(super) fn marker(canvas: &Canvas<'_>, series: usize, (x, y): Place) {
    let color = color(series);
    let corners = |steps: &[(f64, f64)]| -> Vec<Place> {
        steps.iter().map(|&(right, down)| (x + right * RADIUS, y + down * RADIUS)).collect()
    };
    let square = [(-0.85, -0.85), (0.85, -0.85), (0.85, 0.85), (-0.85, 0.85)];
    let small = square.map(|(right, down)| (right * 0.55, down * 0.55));
    match series % 8 {
        0 => canvas.disc((x, y), RADIUS, color),
        1 => canvas.fill(&corners(&square), color, 1.0),
        2 => canvas.fill(&corners(&[(0.0, -1.2), (1.15, 0.85), (-1.15, 0.85)]), color, 1.0),
        3 => canvas.fill(&corners(&[(0.0, -1.3), (1.3, 0.0), (0.0, 1.3), (-1.3, 0.0)]), color, 1.0),
        4 => {
            canvas.disc((x, y), RADIUS, color);
            canvas.disc((x, y), RADIUS * 0.6, WHITE);
        }
        5 => canvas.fill(&corners(&[(0.0, 1.2), (1.15, -0.85), (-1.15, -0.85)]), color, 1.0),
        6 => {
            canvas.fill(&corners(&square), color, 1.0);
            canvas.fill(&corners(&small), WHITE, 1.0);
        }
        _ => {
            canvas.line(&corners(&[(-1.0, -1.0), (1.0, 1.0)]), color, 2.6);
            canvas.line(&corners(&[(-1.0, 1.0), (1.0, -1.0)]), color, 2.6);
        }
    }
}

/// The pieces of a line that are inked in the pattern of this number.
pub(super) fn dashes(pattern: usize, places: &[Place]) -> Vec<Vec<Place>> {
    let pattern = DASHES[pattern % DASHES.len()];
    let mut pieces = Vec::new();
    let mut piece: Vec<Place> = places.first().copied().into_iter().collect();
    let (mut index, mut left) = (0, pattern[0]);
    for pair in places.windows(2) {
        let [(mut x, mut y), (end_x, end_y)] = [pair[0], pair[1]];
        loop {
            let length = (end_x - x).hypot(end_y - y);
            if length <= left {
                left -= length;
                piece.push((end_x, end_y));
                break;
            }
            (x, y) = (x + (end_x - x) * left / length, y + (end_y - y) * left / length);
            piece.push((x, y));
            let finished = std::mem::replace(&mut piece, vec![(x, y)]);
            pieces.extend((index % 2 == 0).then_some(finished));
            index += 1;
            left = pattern[index % pattern.len()];
        }
    }
    pieces.extend((index % 2 == 0 && piece.len() > 1).then_some(piece));
    pieces
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dashes_have_the_lengths_of_their_pattern() {
        let pieces = dashes(0, &[(0.0, 0.0), (12.0, 0.0), (12.0, 10.0)]);
        assert_eq!(pieces, [vec![(0.0, 0.0), (10.0, 0.0)], vec![(12.0, 3.0), (12.0, 10.0)]]);
        assert!(dashes(0, &[]).is_empty() && dashes(1, &[(1.0, 1.0)]).is_empty());
    }

    #[test]
    fn the_first_56_looks_differ() {
        let mut looks: Vec<(usize, usize)> =
            (0..56).map(|series| (series % COLORS.len(), series % 8)).collect();
        looks.sort_unstable();
        looks.dedup();
        assert_eq!(looks.len(), 56);
    }
}
