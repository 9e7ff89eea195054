//! A player of sums that discovers the temperatures of the parts, and plays by them. It looks ahead by alpha-beta, tries
//! hot actions first, and values a position by the game from there in which both sides always take the hottest action.

use super::coupons::{Coupons, PartHeat, mover_of, order_of};
use super::{Divisible, Order};
use crate::exact::{AlphaBeta, MoveOrder};
use crate::playout::OrderedRoom;
use crate::watch::Counted;
use crate::{Agent, Budget, Game, Report, Stopped, Watch};
use aji_bandit::Rng;
use std::cell::RefCell;
use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// At most one in this many of the simulations or of the time of a move goes into temperatures.
const LEARNING: u32 = 2;

/// The simulations for a new part, if only the time is limited.
const PART_SIMULATIONS: u64 = 10_000;

/// Learns at every move about the parts that it has not met, and remembers the others.
pub struct CouponPlayer<G: Game> {
    coupons: Coupons,
    /// The bytes of the table for looking ahead; none if it only plays the hottest action.
    table: Option<usize>,
    rng: Rng,
    /// What was discovered, by the hashes of parts alone with the first player to move. Different parts may have the
    /// same hash.
    known: HashMap<u64, Vec<(G, PartHeat)>>,
    remembered: usize,
    order: Option<Order>,
    /// The order by which it looks ahead.
    guide: Arc<Mutex<Order>>,
    /// Made at the first move. Its table stays from move to move, though the order changes a little.
    ahead: Option<AlphaBeta<G>>,
}

impl<G: Divisible + PartialEq + Send> CouponPlayer<G> {
    /// The most parts that are remembered.
    pub const PARTS_MAX: usize = 100_000;

    /// Nothing discovered yet. `table` is the bytes for positions met in looking ahead. Without it the player does not look
    /// ahead: it plays the hottest action, and all simulations go into temperatures.
    pub fn new(coupons: Coupons, table: Option<usize>, seed: u64) -> CouponPlayer<G> {
        let rng = Rng::seeded(seed);
        CouponPlayer {
            coupons,
            table,
            rng,
            known: HashMap::new(),
            remembered: 0,
            order: None,
            guide: Arc::default(),
            ahead: None,
        }
    }

    /// Discovers the temperatures of the parts that are new, and derives the order of all actions. Returns the
    /// simulations.
    fn learn(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> u64 {
        let started = Instant::now();
        let parts: Vec<(usize, G)> =
            game.live_parts().into_iter().map(|part| (part, alone(game, part))).collect();
        let unknown = |(number, part): &(usize, G)| {
            let known = self.recall(part);
            known.is_none_or(PartHeat::is_open).then(|| (*number, known.cloned()))
        };
        let open: Vec<(usize, Option<PartHeat>)> = parts.iter().filter_map(unknown).collect();
        // The clock is read after as many parts as there are threads.
        let group = if budget.time.is_some() { self.coupons.threads.max(1) } else { open.len().max(1) };
        let learning = if self.table.is_some() { LEARNING } else { 1 };
        let share = budget.simulations.map_or(PART_SIMULATIONS, |simulations| {
            simulations / u64::from(learning) / open.len().max(1) as u64
        });
        let mut spent = 0;
        for some in open.chunks(group) {
            let simulations = share * some.len() as u64;
            let learned = self.coupons.learn_parts(game, some, simulations, &mut self.rng);
            for ((number, _), heat) in some.iter().zip(learned) {
                spent += heat.simulations;
                let part = parts.iter().find(|part| part.0 == *number);
                part.into_iter().for_each(|(_, part)| self.remember(part, heat.clone()));
            }
            let elapsed = started.elapsed();
            let is_late = budget.time.is_some_and(|time| elapsed >= time / learning);
            if is_late || !watch.look(&mut Counted { simulations: spent, time: elapsed }) {
                break;
            }
        }
        let heat = |(number, part): &(usize, G)| Some((*number, self.recall(part)?.clone()));
        let heats: Vec<(usize, PartHeat)> = parts.iter().filter_map(heat).collect();
        self.order = Some(order_of(game, &heats, &mut self.rng));
        spent
    }

    /// What was discovered about a part.
    fn recall(&self, part: &G) -> Option<&PartHeat> {
        self.known.get(&part.hash())?.iter().find(|(known, _)| known == part).map(|(_, heat)| heat)
    }

    fn remember(&mut self, part: &G, heat: PartHeat) {
        if self.remembered >= Self::PARTS_MAX {
            self.known.clear();
            self.remembered = 0;
        }
        let same = self.known.entry(part.hash()).or_default();
        match same.iter_mut().find(|(known, _)| known == part) {
            Some((_, known)) => *known = heat,
            None => {
                same.push((part.clone(), heat));
                self.remembered += 1;
            }
        }
    }

    /// A search that looks ahead by the guide: it orders actions, and games that follow it value the ends of lines.
    fn look_ahead(&self, table: usize) -> AlphaBeta<G>
    where
        G: 'static,
    {
        let [ranks, order] = [Arc::clone(&self.guide), Arc::clone(&self.guide)];
        let score = move |game: &G, action: G::Action| -(locked(&ranks).rank(game.key(action)) as f32);
        let room = RefCell::new((OrderedRoom::default(), Rng::seeded(0)));
        let estimate = move |game: &G| {
            let (room, rng) = &mut *room.borrow_mut();
            game.clone().ordered_playout(&locked(&order), room, rng, &mut Vec::new(), |_| {})
        };
        let search = AlphaBeta::new().estimate(estimate).order(MoveOrder::By(Box::new(score)));
        search.counting_lines().table(table)
    }
}

fn locked(order: &Mutex<Order>) -> MutexGuard<'_, Order> {
    order.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A part alone, with the first player to move.
fn alone<G: Divisible>(game: &G, part: usize) -> G {
    let (mut part, _) = game.group(&[part]);
    if mover_of(game) != 0 {
        part.pass();
    }
    part
}

impl<G: Divisible + PartialEq + Send + 'static> Agent<G> for CouponPlayer<G> {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let started = Instant::now();
        let learning = self.learn(game, budget, watch);
        let order = self.order.clone().unwrap_or_default();
        let Some(table) = self.table else {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            let best = actions.into_iter().min_by_key(|&action| order.rank(game.key(action)));
            return Report {
                simulations: learning,
                stopped: Stopped::Simulations,
                ..Report::chosen(best, started.elapsed())
            };
        };
        let rest = Budget {
            simulations: budget.simulations.map(|simulations| simulations.saturating_sub(learning).max(1)),
            time: budget.time.map(|time| time.saturating_sub(started.elapsed())),
        };
        *locked(&self.guide) = order;
        let mut ahead = self.ahead.take().unwrap_or_else(|| self.look_ahead(table));
        let report = ahead.think(game, rest, watch);
        self.ahead = Some(ahead);
        Report { simulations: report.simulations + learning, time: started.elapsed(), ..report }
    }

    fn played(&mut self, _action: G::Action) {}

    fn order(&self) -> Option<&Order> {
        self.order.as_ref()
    }
}
