//! Monte Carlo tree search of one part of a sum in an enriched environment (Berlekamp 1996, "The economist's view of
//! combinatorial games"). Beside the part lies a stack of coupons of falling values. A player moves in the part or
//! takes the top coupon, so a move must gain as much as the coupon is worth. Müller, Enzenberger and Schaeffer (2004,
//! "Temperature discovery search") search such a sum by alpha-beta, and so find the temperature of the part: the value
//! of the coupon at which moving in the part begins.
//!
//! Positions that are reached in several ways are one node, and every position of a simulation becomes a node.
//! Estimates are of the points still to come. A node whose actions are all known exactly is exact too, so small parts
//! are solved.

use super::Divisible;
use aji_bandit::{Rng, ln};
use std::collections::HashMap;

/// No node yet.
const NONE: u32 = u32::MAX;

/// A move is better than a coupon by at least this share of the difference between two coupons. Who takes the last
/// coupon makes a smaller difference.
const LEAD: f32 = 0.1;

/// The most levels of a stack.
pub const LEVELS_MAX: usize = 64;

/// An action in a position, as a coupon or in the part.
#[derive(Clone, Copy)]
struct Way {
    /// Where it begins.
    from: u32,
    /// The node behind it.
    to: u32,
    /// The position behind it and its level.
    key: (u64, u16),
    /// The points that it pays.
    gain: f32,
    /// The next way to the same node.
    sibling: u32,
}

/// A position: what is left of the part and of the stack, and who is to move.
struct Node {
    first: u32,
    count: u16,
    /// Whether its first way takes a coupon.
    has_coupon: bool,
    /// Whether the player to move can move in the part.
    can_move: bool,
    is_exact: bool,
    visits: u32,
    /// The points still to come, for the player to move.
    worth: f32,
    /// One of the ways that lead here.
    parent: u32,
}

/// The bytes of a node and its entry in the table.
const NODE_BYTES: usize = size_of::<Node>() + 2 * size_of::<((u64, u16), u32)>();

/// A position of the part that offers actions whose keys appear nowhere before it.
struct Place {
    /// The hashes with the first player and with the second to move.
    hashes: [u64; 2],
    /// These keys, with the player and the place of the action.
    keys: Vec<(usize, u8, u16)>,
}

/// What was found about a position of the part.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Heat {
    /// The value of the coupon at which moving begins; `None` if moving is better than all coupons.
    pub(super) temperature: Option<f32>,
    /// What the position is worth to the first player at this temperature.
    pub(super) mean: f32,
}

/// A search of one part with a stack of coupons.
pub(super) struct Enriched<G: Divisible> {
    root: G,
    /// The player to move at the root.
    mover: u8,
    /// The value of the top coupon. The others fall evenly to 0.
    top: f32,
    levels: usize,
    /// What the coupons from a level on are worth to the player who takes the first of them.
    alone: Vec<f32>,
    nodes: Vec<Node>,
    ways: Vec<Way>,
    known: HashMap<(u64, u16), u32>,
    places: Vec<Place>,
    has_key: Vec<bool>,
    /// The most bytes of nodes and ways.
    bytes: usize,
    /// Whether the position of the simulation has the form of the root, and so its keys.
    has_own_keys: bool,
    /// The ways of a simulation.
    path: Vec<u32>,
    actions: Vec<G::Action>,
}

impl<G: Divisible> Enriched<G> {
    /// A search of a part, in which `mover` is to move, with this many coupons of at most `top` points, in a number of
    /// bytes.
    pub(super) fn new(root: G, mover: u8, top: f32, levels: usize, bytes: usize) -> Enriched<G> {
        let levels = levels.clamp(1, LEVELS_MAX);
        let mut alone = vec![0.0; levels + 1];
        for level in (0..levels).rev() {
            alone[level] = coupon(top, levels, level) - alone[level + 1];
        }
        Enriched {
            has_key: vec![false; root.key_count()],
            root,
            mover,
            top,
            levels,
            alone,
            nodes: Vec::new(),
            ways: Vec::new(),
            known: HashMap::new(),
            places: Vec::new(),
            bytes,
            has_own_keys: true,
            path: Vec::new(),
            actions: Vec::new(),
        }
    }

    /// Runs simulations in which both players begin in turn, until the values for both are exact. Returns how many
    /// there were.
    pub(super) fn run(&mut self, simulations: u64, rng: &mut Rng) -> u64 {
        for spent in 0..simulations {
            if self.is_exact() {
                return spent;
            }
            self.simulate(spent % 2 == 1, rng);
        }
        simulations
    }

    /// Whether both players' values at the root are exact.
    pub(super) fn is_exact(&mut self) -> bool {
        let hashes = hashes_of(&mut self.root, self.mover);
        hashes
            .iter()
            .all(|hash| self.known.get(&(*hash, 0)).is_some_and(|&node| self.nodes[node as usize].is_exact))
    }

    /// One simulation. `passes`: the player who is not to move at the root begins.
    fn simulate(&mut self, passes: bool, rng: &mut Rng) {
        let mut game = self.root.clone();
        let mut mover = self.mover;
        if passes {
            game.pass();
            mover = 1 - mover;
        }
        self.path.clear();
        self.has_own_keys = true;
        let mut level = 0;
        let key = (game.hash(), level);
        let mut node = self.known.get(&key).copied().or_else(|| self.open(&mut game, level, mover));
        while let Some(here) = node.filter(|&here| !self.nodes[here as usize].is_exact) {
            let way = self.choose(here, rng);
            self.path.push(way);
            self.take(&mut game, way, &mut level);
            mover = 1 - mover;
            node = match self.ways[way as usize].to {
                // It may have been met by another way meanwhile.
                NONE => match self.known.get(&self.ways[way as usize].key) {
                    Some(&known) => Some(known),
                    None => self.open(&mut game, level, mover),
                },
                to => Some(to),
            };
            if let Some(below) = node {
                self.link(way, below);
            }
        }
        // Without room for a node, the rest of the part counts as nothing.
        let worth = node.map_or(self.alone[usize::from(level)], |node| self.nodes[node as usize].worth);
        self.back_up(worth);
    }

    /// Lets a way lead to a node.
    fn link(&mut self, way: u32, to: u32) {
        let place = &mut self.ways[way as usize];
        if place.to == NONE {
            place.to = to;
            place.sibling = std::mem::replace(&mut self.nodes[to as usize].parent, way);
        }
    }

    /// The ways of a node.
    fn ways_of(&self, node: u32) -> &[Way] {
        let Node { first, count, .. } = self.nodes[node as usize];
        &self.ways[first as usize..first as usize + usize::from(count)]
    }

    /// The best worth among the exact ways of a node, and whether all are exact.
    fn exact_worth(&self, node: u32) -> (f32, bool) {
        let (mut best, mut are_exact) = (f32::NEG_INFINITY, true);
        for way in self.ways_of(node) {
            match self.nodes.get(way.to as usize) {
                Some(below) if below.is_exact => best = best.max(way.gain - below.worth),
                _ => are_exact = false,
            }
        }
        (best, are_exact)
    }

    /// Adds a simulation to the nodes on its path, from the last to the first.
    fn back_up(&mut self, mut worth: f32) {
        while let Some(way) = self.path.pop() {
            let Way { from, gain, .. } = self.ways[way as usize];
            let (best, are_exact) = self.exact_worth(from);
            let node = &mut self.nodes[from as usize];
            // The player would rather have taken an action that is known to be better.
            worth = (gain - worth).max(best);
            node.visits += 1;
            if !node.is_exact {
                node.worth += (worth - node.worth) / node.visits as f32;
            }
            if are_exact {
                self.settle(from, best);
            }
            let node = &self.nodes[from as usize];
            worth = if node.is_exact { node.worth } else { worth };
        }
    }

    /// Makes a node exact, and all nodes above it that it was the last to wait for.
    fn settle(&mut self, node: u32, worth: f32) {
        let mut settled = vec![(node, worth)];
        while let Some((node, worth)) = settled.pop() {
            let node = &mut self.nodes[node as usize];
            if node.is_exact {
                continue;
            }
            (node.is_exact, node.worth) = (true, worth);
            let mut parent = node.parent;
            while let Some(&Way { from, sibling, .. }) = self.ways.get(parent as usize) {
                if let (best, true) = self.exact_worth(from) {
                    settled.push((from, best));
                }
                parent = sibling;
            }
        }
    }

    /// The way to go from a node: untried ones at random, then by UCB1, with half the top coupon as the unit. Exact
    /// ways need no more visits.
    fn choose(&self, node: u32, rng: &mut Rng) -> u32 {
        let Node { first, visits, .. } = self.nodes[node as usize];
        let ways = self.ways_of(node);
        let untried = ways.iter().filter(|way| way.to == NONE).count();
        if untried > 0 {
            let drawn = rng.below(untried);
            let place = ways.iter().enumerate().filter(|(_, way)| way.to == NONE).nth(drawn);
            return first + place.map_or(0, |(place, _)| place as u32);
        }
        let log = ln(u64::from(visits.max(1))) as f32;
        let bound = |way: &Way| {
            let below = &self.nodes[way.to as usize];
            let spread = (log / below.visits.max(1) as f32).sqrt();
            way.gain - below.worth + 0.5 * self.top * spread
        };
        let open = ways.iter().enumerate().filter(|(_, way)| !self.nodes[way.to as usize].is_exact);
        let best = open.max_by(|one, other| bound(one.1).total_cmp(&bound(other.1)));
        first + best.map_or(0, |(place, _)| place as u32)
    }

    /// Takes a way: a coupon, a move in the part, or neither if there is none.
    fn take(&mut self, game: &mut G, way: u32, level: &mut u16) {
        let Way { from, key, .. } = self.ways[way as usize];
        let Node { has_coupon, can_move, first, .. } = self.nodes[from as usize];
        *level = key.1;
        if has_coupon && way == first || !can_move {
            return game.pass();
        }
        self.actions.clear();
        game.actions(&mut self.actions);
        game.play(self.actions[(way - first - u32::from(has_coupon)) as usize]);
        self.has_own_keys &= !game.simplify();
    }

    /// Makes a node for a position, with its ways; `None` if there is no room.
    fn open(&mut self, game: &mut G, level: u16, mover: u8) -> Option<u32> {
        if self.nodes.len() * NODE_BYTES + self.ways.len() * size_of::<Way>() >= self.bytes {
            return None;
        }
        let mut actions = std::mem::take(&mut self.actions);
        actions.clear();
        game.actions(&mut actions);
        let (can_move, hash) = (!actions.is_empty(), game.hash());
        game.pass();
        let passed = game.hash();
        let is_over = !can_move && {
            game.actions(&mut actions);
            actions.is_empty()
        };
        game.pass();
        let (first, node) = (self.ways.len() as u32, self.nodes.len() as u32);
        let has_coupon = !is_over && usize::from(level) < self.levels;
        let mut offer = |key, gain| {
            self.ways.push(Way { from: node, to: NONE, key, gain, sibling: NONE });
        };
        if has_coupon {
            offer((passed, level + 1), coupon(self.top, self.levels, level.into()));
        } else if !can_move && !is_over {
            offer((passed, level), 0.0);
        }
        for &action in actions.iter().filter(|_| can_move) {
            let mut after = game.clone();
            after.play(action);
            let gain = gain(game, &after, mover);
            after.simplify();
            offer((after.hash(), level), gain);
        }
        self.actions = actions;
        self.nodes.push(Node {
            first,
            count: (self.ways.len() as u32 - first) as u16,
            has_coupon,
            can_move,
            is_exact: is_over,
            visits: 0,
            worth: if is_over { self.alone[usize::from(level)] } else { 0.0 },
            parent: NONE,
        });
        self.known.insert((hash, level), node);
        for way in first..self.ways.len() as u32 {
            if let Some(&known) = self.known.get(&self.ways[way as usize].key) {
                self.link(way, known);
            }
        }
        if let (best, true) = self.exact_worth(node)
            && !is_over
        {
            self.settle(node, best);
        }
        if self.has_own_keys {
            self.note(game, mover);
        }
        Some(node)
    }

    /// Notes a position that offers actions with new keys.
    fn note(&mut self, game: &mut G, mover: u8) {
        let mut keys = Vec::new();
        for player in [mover, 1 - mover] {
            self.actions.clear();
            game.actions(&mut self.actions);
            for (place, &action) in self.actions.iter().enumerate() {
                let key = game.key(action);
                if !self.has_key[key] {
                    keys.push((key, player, place as u16));
                }
            }
            game.pass();
        }
        if !keys.is_empty() {
            keys.iter().for_each(|(key, ..)| self.has_key[*key] = true);
            self.places.push(Place { hashes: hashes_of(game, mover), keys });
        }
    }

    /// The node of a position with a player to move.
    fn at(&self, hashes: [u64; 2], level: usize, player: u8) -> Option<&Node> {
        self.known.get(&(hashes[usize::from(player)], level as u16)).map(|&node| &self.nodes[node as usize])
    }

    /// What a way is worth to the player who takes it, once it was taken.
    fn worth_of(&self, node: &Node, way: usize) -> Option<f32> {
        let way = self.ways[node.first as usize + way];
        let below = self.nodes.get(way.to as usize)?;
        (below.is_exact || below.visits > 0).then_some(way.gain - below.worth)
    }

    /// The best worth of a move in the part.
    fn best_move(&self, node: &Node) -> Option<f32> {
        let from = usize::from(node.has_coupon);
        let moves = if node.can_move { from..usize::from(node.count) } else { 0..0 };
        moves.filter_map(|way| self.worth_of(node, way)).reduce(f32::max)
    }

    /// By how much a move in the part is better than a coupon, on average over both players, at a level.
    fn lead(&self, hashes: [u64; 2], level: usize) -> Option<f32> {
        let lead = |player| {
            let node = self.at(hashes, level, player)?;
            Some(self.best_move(node)? - self.worth_of(node, 0)?)
        };
        match [0, 1].map(lead) {
            [Some(one), Some(other)] => Some((one + other) / 2.0),
            [one, other] => one.or(other),
        }
    }

    /// What was found about a position. The coupon at which both are equal lies between the last that is better than a
    /// move and the next.
    fn heat(&self, hashes: [u64; 2]) -> Heat {
        let value = |level| coupon(self.top, self.levels, level);
        let mut above: Option<(f32, f32)> = None;
        let mut found = (Some(0.0), self.levels - 1);
        for level in 0..self.levels {
            let Some(lead) = self.lead(hashes, level) else { continue };
            if lead > LEAD * self.top / self.levels as f32 {
                let between = |(from, behind): (f32, f32)| {
                    value(level) + (from - value(level)) * lead / (lead - behind)
                };
                found = (above.map(between), level);
                break;
            }
            above = Some((value(level), lead));
        }
        let (temperature, level) = found;
        let worth = |player| {
            // The coupons alone are worth the same to both.
            let levels =
                (0..=level).rev().find_map(|level| self.at(hashes, level, player).map(|node| (level, node)));
            levels.map_or(0.0, |(level, node)| node.worth - self.alone[level])
        };
        Heat { temperature, mean: (worth(0) - worth(1)) / 2.0 }
    }

    /// The points that a move pays as such.
    pub(super) fn points_of_a_move(&self) -> f32 {
        if self.root.so_far().is_none() { 1.0 } else { 0.0 }
    }

    /// What was found about the part.
    pub(super) fn root_heat(&mut self) -> Heat {
        let hashes = hashes_of(&mut self.root, self.mover);
        self.heat(hashes)
    }

    /// The keys of all actions that were met, and the coupon that each is worth. An action that is worse than another
    /// of the same position is worth less than the position's temperature, by the difference. `None` for actions that
    /// are better than all coupons.
    pub(super) fn keys(&self) -> Vec<(usize, Option<f32>)> {
        let mut found = Vec::new();
        for place in &self.places {
            let temperature = self.heat(place.hashes).temperature;
            let level = temperature.map_or(0, |heat| {
                let levels = 0..self.levels;
                levels.rev().find(|&level| coupon(self.top, self.levels, level) >= heat).unwrap_or(0)
            });
            for &(key, player, action) in &place.keys {
                let loss = self.at(place.hashes, level, player).and_then(|node| {
                    let own = self.worth_of(node, usize::from(action) + usize::from(node.has_coupon))?;
                    Some(self.best_move(node)? - own)
                });
                found.push((key, temperature.map(|heat| heat - loss.unwrap_or(heat))));
            }
        }
        found
    }
}

/// The value of the coupon at a level.
fn coupon(top: f32, levels: usize, level: usize) -> f32 {
    top * (levels - level) as f32 / levels as f32
}

/// What a move pays the player who makes it. Where the last move wins, a move is worth a point.
pub(super) fn gain<G: Divisible>(before: &G, after: &G, mover: u8) -> f32 {
    match (before.so_far(), after.so_far()) {
        (Some(before), Some(after)) => after.of(mover) - before.of(mover),
        _ => 1.0,
    }
}

/// The hashes of a position with the first player and with the second to move.
fn hashes_of<G: Divisible>(game: &mut G, mover: u8) -> [u64; 2] {
    let own = game.hash();
    game.pass();
    let other = game.hash();
    game.pass();
    if mover == 0 { [own, other] } else { [other, own] }
}
