//! Temperatures discovered by search: each part of a sum is searched with a stack of coupons ([`enriched`](super::enriched)),
//! whose range the search finds by itself.
//!
//! The first stack has few coupons, and reaches as far as random play of the part differs. Each further stack reaches a
//! little beyond the hottest position found, and has twice as many coupons, as long as the search of a stack comes to
//! exact values and the simulations are likely to do for the next. A stack that is too large for exact values gets all
//! simulations that are left.
//!
//! Where the last move wins, every move counts a point, and temperatures are one lower than those of the points: those of
//! combinatorial game theory.

use super::enriched::{Enriched, Heat, LEVELS_MAX, gain};
use super::{Divisible, Order};
use crate::Turn;
use aji_bandit::Rng;
use std::thread;

/// The coupons of the first stack.
const LEVELS_FIRST: usize = 4;

/// Random plays of a part, before the first stack.
const PLAYS: u64 = 4;

/// How far a stack reaches beyond the hottest position found.
const BEYOND: f32 = 1.25;

/// The first stack gets at most one in this many of the simulations.
const SHARE: u64 = 4;

/// A stack of twice as many coupons takes about so many times the simulations.
const GROWTH: f32 = 2.2;

/// How temperatures are discovered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Coupons {
    /// The most coupons of a stack, up to [`LEVELS_MAX`].
    pub levels: usize,
    /// The most bytes of a part's search.
    pub bytes: usize,
    /// How many threads search parts at the same time. The result does not depend on it.
    pub threads: usize,
}

/// What was discovered about a part.
#[derive(Clone, Debug, PartialEq)]
pub struct PartHeat {
    /// The temperature.
    pub temperature: f32,
    /// What the part is worth to the first player, on average.
    pub mean: f32,
    /// Whether the search came to exact values for a stack. The temperature still lies between two of its coupons.
    pub is_exact: bool,
    /// The simulations.
    pub simulations: u64,
    /// The keys, in the part alone, of the actions that were met, and the coupon that each is worth.
    pub keys: Vec<(u32, f32)>,
    /// The stack that would tell more; none if this was the last.
    next: Option<Stack>,
}

/// A stack of coupons to search with.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stack {
    top: f32,
    levels: usize,
    /// The simulations that are likely to do for exact values; none if they are out of reach.
    needs: Option<u64>,
}

impl PartHeat {
    /// Whether more simulations may tell more.
    pub fn is_open(&self) -> bool {
        self.next.is_some()
    }
}

impl Coupons {
    /// Learns all live parts of a sum in this many simulations at most. Each part is given with its number.
    pub fn learn<G: Divisible + Send>(
        &self,
        game: &G,
        simulations: u64,
        rng: &mut Rng,
    ) -> Vec<(usize, PartHeat)> {
        let parts: Vec<(usize, Option<PartHeat>)> =
            game.live_parts().into_iter().map(|part| (part, None)).collect();
        let learned = self.learn_parts(game, &parts, simulations, rng);
        parts.iter().map(|part| part.0).zip(learned).collect()
    }

    /// The same for some parts, each with what is known of it. What is found comes in their order, with the simulations of
    /// this call.
    pub fn learn_parts<G: Divisible + Send>(
        &self,
        game: &G,
        parts: &[(usize, Option<PartHeat>)],
        simulations: u64,
        rng: &mut Rng,
    ) -> Vec<PartHeat> {
        let (count, mover) = (parts.len() as u64, mover_of(game));
        let job = |(number, (part, known)): (u64, &(usize, Option<PartHeat>))| Job {
            part: game.group(&[*part]).0,
            mover,
            known: known.clone(),
            simulations: simulations * (number + 1) / count - simulations * number / count,
            rng: rng.fork(),
        };
        let mut jobs: Vec<Job<G>> = (0..).zip(parts).map(job).collect();
        let slice = jobs.len().div_ceil(self.threads.max(1)).max(1);
        let learned: Vec<Vec<PartHeat>> = thread::scope(|scope| {
            let learn = |jobs: &mut [Job<G>]| jobs.iter_mut().map(|job| self.learn_part(job)).collect();
            let workers: Vec<_> =
                jobs.chunks_mut(slice).map(|jobs| scope.spawn(move || learn(jobs))).collect();
            workers.into_iter().filter_map(|worker| worker.join().ok()).collect()
        });
        learned.into_iter().flatten().collect()
    }

    fn learn_part<G: Divisible>(&self, job: &mut Job<G>) -> PartHeat {
        let mut left = job.simulations;
        let mut found = job.known.take().unwrap_or_else(|| {
            left = left.saturating_sub(PLAYS);
            let top = reach(&job.part, job.mover, &mut job.rng);
            let first =
                Stack { top, levels: LEVELS_FIRST.min(self.levels), needs: Some(left.div_ceil(SHARE)) };
            PartHeat {
                temperature: 0.0,
                mean: 0.0,
                is_exact: false,
                simulations: 0,
                keys: Vec::new(),
                next: Some(first),
            }
        });
        while let Some(stack) = found.next.filter(|_| left > 0) {
            // The exact values of a smaller stack are better than estimates for a larger one.
            if found.is_exact && stack.needs.is_none_or(|needs| needs > left) {
                break;
            }
            let mut search = Enriched::new(job.part.clone(), job.mover, stack.top, stack.levels, self.bytes);
            // Some stacks take twice as many as expected.
            let most = stack.needs.map_or(left, |needs| left.min(2 * needs));
            let spent = search.run(most, &mut job.rng);
            left -= spent;
            self.read(&mut found, &mut search, stack, spent);
        }
        PartHeat { simulations: job.simulations - left, ..found }
    }

    /// Reads what a search has found, and what would be next.
    fn read<G: Divisible>(&self, found: &mut PartHeat, search: &mut Enriched<G>, stack: Stack, spent: u64) {
        let (heat, is_exact, met) = (search.root_heat(), search.is_exact(), search.keys());
        let mut all = met.iter().map(|(_, heat)| *heat).chain([heat.temperature]);
        let hottest = all.try_fold(0.0, |most: f32, heat| heat.map(|heat| most.max(heat)));
        if is_exact || !found.is_exact {
            let shift = search.points_of_a_move();
            let Heat { temperature, mean } = heat;
            found.temperature = temperature.unwrap_or(stack.top) - shift;
            (found.mean, found.is_exact) = (mean, is_exact);
            let worth = |(key, heat): (usize, Option<f32>)| (key as u32, heat.unwrap_or(stack.top) - shift);
            found.keys = met.into_iter().map(worth).collect();
        }
        let levels = (2 * stack.levels).min(self.levels);
        found.next = match hottest {
            // The stack was too low.
            None => Some(Stack { top: 2.0 * stack.top, needs: is_exact.then_some(spent.max(1)), ..stack }),
            // It was the last.
            Some(_) if !is_exact && stack.needs.is_none() || is_exact && levels == stack.levels => None,
            Some(hottest) => {
                let top = (BEYOND * hottest).max(stack.top / LEVELS_MAX as f32);
                let needs = is_exact.then_some((GROWTH * spent as f32) as u64 + 1);
                Some(Stack { top, levels, needs })
            }
        };
    }
}

/// A part to learn.
struct Job<G> {
    part: G,
    /// The player to move in it.
    mover: u8,
    known: Option<PartHeat>,
    simulations: u64,
    rng: Rng,
}

/// All keys of a sum in the order of what they are worth, the hottest first. Keys that were not met come last.
pub fn order_of<G: Divisible>(game: &G, heats: &[(usize, PartHeat)], rng: &mut Rng) -> Order {
    let mut worth = vec![f32::NEG_INFINITY; game.key_count()];
    for (part, heat) in heats {
        let (_, keys) = game.group(&[*part]);
        for &(key, heat) in &heat.keys {
            let worth = &mut worth[keys[key as usize] as usize];
            *worth = worth.max(heat);
        }
    }
    let mut order = Order::random(game.key_count(), rng);
    order.sort_by_worth(&worth);
    order
}

/// The player to move; the first if the game is over.
pub(super) fn mover_of<G: Divisible>(game: &G) -> u8 {
    match game.turn() {
        Turn::Player(player) => player,
        _ => 0,
    }
}

/// Half of the difference between the best and the worst result of a few random plays: no coupon of more is taken last.
fn reach<G: Divisible>(part: &G, mover: u8, rng: &mut Rng) -> f32 {
    let (mut low, mut high, mut most) = (f32::INFINITY, f32::NEG_INFINITY, 0.0f32);
    let mut actions = Vec::new();
    for play in 0..PLAYS {
        let mut game = part.clone();
        let mut player = mover;
        if play % 2 == 1 {
            game.pass();
            player = 1 - player;
        }
        let (mut result, mut passes) = (0.0, 0);
        while passes < 2 {
            actions.clear();
            game.actions(&mut actions);
            if actions.is_empty() {
                passes += 1;
                game.pass();
            } else {
                passes = 0;
                let before = game.clone();
                game.play(actions[rng.below(actions.len())]);
                let gain = gain(&before, &game, player);
                result += if player == 0 { gain } else { -gain };
                most = most.max(gain.abs());
            }
            player = 1 - player;
        }
        (low, high) = (low.min(result), high.max(result));
    }
    ((high - low) / 2.0).max(most).max(f32::MIN_POSITIVE)
}
