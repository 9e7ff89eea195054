//! The map of a traveller: vertices, and roads between them.

use crate::bits::indices;
use crate::delaunay::{Point, delaunay};
use aji_search::Rng;

/// The price of the taxi, as a multiple of the shortest way.
const TAXI_TIMES: u32 = 5;

/// Points have whole coordinates below this, so that the triangulation is exact.
const GRID: i64 = 1 << 20;

/// The side of the map, in the unit of lengths.
const SIDE: f64 = 100.0;

/// The length of a way that does not exist.
const NO_WAY: u32 = u32::MAX;

/// A road between two vertices, `from` below `to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Road {
    pub(super) from: u8,
    pub(super) to: u8,
    pub(super) length: u32,
    /// The probability of being blocked.
    pub(super) blocked: f32,
}

impl Road {
    pub(super) fn other_end(&self, vertex: u8) -> u8 {
        self.from ^ self.to ^ vertex
    }
}

/// The parts of a trip that do not change. The first vertex is the start, the last the goal. Roads are sorted by
/// their ends.
#[derive(Debug, PartialEq)]
pub(super) struct Map {
    pub(super) roads: Vec<Road>,
    /// The roads at each vertex, as bits.
    pub(super) at: Vec<u64>,
    /// The shortest way from the start to each vertex, if all roads were open.
    pub(super) distances: Vec<u32>,
    pub(super) taxi: u32,
}

impl Map {
    pub(super) fn new(vertices: usize, mut roads: Vec<Road>) -> Map {
        roads.sort_by_key(|road| (road.from, road.to));
        debug_assert!(roads.len() <= 64 && roads.iter().all(|road| road.from < road.to && road.length > 0));
        let mut at = vec![0; vertices];
        for (index, road) in roads.iter().enumerate() {
            at[road.from as usize] |= 1 << index;
            at[road.to as usize] |= 1 << index;
        }
        let mut map = Map { roads, at, distances: Vec::new(), taxi: 0 };
        map.distances = map.walks(0, u64::MAX, 0);
        map.taxi = TAXI_TIMES * map.distances[vertices - 1];
        map
    }

    /// A map drawn by a seed.
    pub(super) fn drawn(vertices: usize, seed: u64, blocked: f32) -> Map {
        let mut rng = Rng::seeded(seed);
        let mut coordinate = || rng.below(GRID as usize) as i64;
        let mut points: Vec<Point> = (0..vertices).map(|_| (coordinate(), coordinate())).collect();
        points.sort_unstable();
        let mut road = |(from, to): (usize, usize)| {
            let (east, north) = (points[to].0 - points[from].0, points[to].1 - points[from].1);
            let length = ((east * east + north * north) as f64).sqrt() * SIDE / GRID as f64;
            // All are drawn, so that a map has the same roads for every bound.
            let odds = rng.unit() * blocked;
            let blocked = if from == 0 { 0.0 } else { odds };
            Road { from: from as u8, to: to as u8, length: (length.round() as u32).max(1), blocked }
        };
        let mut edges = delaunay(&points);
        edges.retain(|&edge| edge != (0, vertices - 1));
        let roads = edges.into_iter().map(&mut road).collect();
        Map::new(vertices, roads)
    }

    pub(super) fn goal(&self) -> u8 {
        (self.at.len() - 1) as u8
    }

    pub(super) fn legs_max(&self) -> u32 {
        let vertices = self.at.len() as u32;
        vertices * (vertices - 1) / 2
    }

    pub(super) fn longest(&self) -> u32 {
        self.roads.iter().map(|road| road.length).max().unwrap_or(0)
    }

    /// The shortest ways over these roads from a vertex to all others (Dijkstra). No way leads through a vertex of
    /// `ends`, given as bits.
    pub(super) fn walks(&self, from: u8, roads: u64, ends: u32) -> Vec<u32> {
        let mut lengths = vec![NO_WAY; self.at.len()];
        lengths[from as usize] = 0;
        let mut left: Vec<u8> = (0..=self.goal()).collect();
        while let Some(place) = (0..left.len()).min_by_key(|&place| lengths[left[place] as usize]) {
            let vertex = left.swap_remove(place);
            let length = lengths[vertex as usize];
            if length == NO_WAY {
                break;
            }
            if ends >> vertex & 1 == 1 {
                continue;
            }
            for index in indices(self.at[vertex as usize] & roads & self.all()) {
                let road = &self.roads[index as usize];
                let end = &mut lengths[road.other_end(vertex) as usize];
                *end = (*end).min(length + road.length);
            }
        }
        lengths
    }

    /// All roads, as bits.
    pub(super) fn all(&self) -> u64 {
        self.at.iter().fold(0, |all, roads| all | roads)
    }
}
