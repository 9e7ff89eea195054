//! The Delaunay triangulation of few points, by its definition.

/// A point with whole coordinates, at most about a million from any other in each.
pub(crate) type Point = (i64, i64);

/// The edges of the Delaunay triangulation: the sides of all triangles whose circle has no other point inside. Simple
/// and exact, for few points. If four points lie on one circle, both diagonals count.
pub(crate) fn delaunay(points: &[Point]) -> Vec<(usize, usize)> {
    let mut edges = Vec::new();
    for third in 0..points.len() {
        for second in 0..third {
            for first in 0..second {
                let corners = [first, second, third].map(|index| points[index]);
                if turn(corners) != 0 && !points.iter().any(|&point| is_inside(corners, point)) {
                    edges.extend([(first, second), (first, third), (second, third)]);
                }
            }
        }
    }
    edges.sort_unstable();
    edges.dedup();
    edges
}

/// Positive if the corners of a triangle run counter-clockwise, 0 if they lie on a line.
fn turn([a, b, c]: [Point; 3]) -> i64 {
    (b.0 - a.0) * (c.1 - a.1) - (b.1 - a.1) * (c.0 - a.0)
}

/// Whether a point lies inside the circle through three others.
fn is_inside(corners: [Point; 3], point: Point) -> bool {
    let [a, b, c] = corners.map(|corner| {
        let (east, north) = (i128::from(corner.0 - point.0), i128::from(corner.1 - point.1));
        (east, north, east * east + north * north)
    });
    let determinant =
        a.0 * (b.1 * c.2 - b.2 * c.1) - a.1 * (b.0 * c.2 - b.2 * c.0) + a.2 * (b.0 * c.1 - b.1 * c.0);
    determinant * i128::from(turn(corners).signum()) > 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_search::Rng;

    /// No two edges cross, and their number is that of a triangulation: 3n - 3 less the edges of the hull.
    #[test]
    fn edges_are_a_triangulation() {
        for seed in 0..30 {
            let mut rng = Rng::seeded(seed);
            let mut coordinate = || rng.below(1_000) as i64;
            let points: Vec<Point> = (0..12).map(|_| (coordinate(), coordinate())).collect();
            let edges = delaunay(&points);
            let side = |from: usize, to: usize, point: usize| {
                turn([points[from], points[to], points[point]]).signum()
            };
            for (index, &(a, b)) in edges.iter().enumerate() {
                for &(c, d) in &edges[..index] {
                    let crossing = side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0;
                    assert!(!crossing, "{seed}: {a}-{b} and {c}-{d}");
                }
            }
            let on_hull = |&(a, b): &(usize, usize)| {
                let sides = (0..12).map(|point| side(a, b, point));
                sides.clone().all(|side| side >= 0) || sides.clone().all(|side| side <= 0)
            };
            let hull = edges.iter().filter(|edge| on_hull(edge)).count();
            assert_eq!(edges.len(), 3 * 12 - 3 - hull, "{seed}");
        }
        // The shorter of the two diagonals of a kite.
        let kite = [(0, 0), (5, 2), (5, -2), (10, 0)];
        assert_eq!(delaunay(&kite), [(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)]);
    }
}
