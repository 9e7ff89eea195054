//! Self-play: many games of one network in lockstep, so that batches are full.
//!
//! A game has its own random numbers, derived from its number, and every move is a new search. So its bytes depend only
//! on the network, the plan and its number, and not on the games beside it, the cache or the threads.

use crate::play::{Counter, Partner, PlayGames};
use crate::record::{COPIES_MAX, Counts, GameRecord, Position};
use crate::settings::Plan;
use aji_bandit::AnyRule;
use aji_net::math::ln;
use aji_net::{Encoding, Network, NetworkEvaluation};
use aji_search::{
    Game, ManySearches, PLAYERS_MAX, Payoff, Player, Report, Rng, Search, Shape, Turn, Utility,
};
use std::sync::Arc;

/// The games that a thread plays at once.
pub const LOCKSTEP: usize = 128;

/// The most bytes of a thread's cache of evaluations.
pub const CACHE_BYTES: usize = 32 << 20;

/// How often an opening is drawn again if its game is over; after that the game begins at its start.
const OPENING_TRIES: usize = 32;

/// How many moves in a row must be hopeless before a player resigns.
const HOPELESS_MOVES: u32 = 2;

/// The random numbers of one item (`number`) of one kind (`what`), independent of all others.
pub(crate) fn rng_of(seed: u64, what: u64, number: u64) -> Rng {
    let mut rng = Rng::seeded(seed ^ what.wrapping_mul(0x9E37_79B9_7F4A_7C15));
    Rng::seeded(rng.bits() ^ number.wrapping_mul(0xD1B5_4A32_D192_ED03))
}

/// The kind of a game's random numbers.
const GAMES: u64 = 1;

/// Plays games of type `G`.
pub(crate) struct SelfPlay<G: Game> {
    start: G,
    shape: Shape,
    encoding: Encoding<G>,
    partner: Option<Arc<dyn Partner<G>>>,
    plan: Plan,
    cache_bytes: usize,
    utility: Utility,
    searches: Option<Searches<G>>,
    actions: Vec<G::Action>,
    wanted: Vec<(usize, u64)>,
}

type Searches<G> = ManySearches<G, AnyRule, NetworkEvaluation<G>>;

/// A game under way.
struct Underway<G> {
    number: u64,
    game: G,
    rng: Rng,
    /// Plies of search so far.
    plies: u32,
    /// Whether the current move gets the full number of simulations.
    is_full: bool,
    moves: Vec<Move>,
    /// For each player, how many moves in a row were hopeless.
    hopeless: [u32; PLAYERS_MAX],
    /// Whether players may resign.
    resigns: bool,
    /// Who resigned, or would have.
    given_up: Option<Player>,
    counts: Counts,
}

/// A move to learn from.
struct Move {
    position: Position,
    player: Player,
    /// The search's value.
    found: f32,
    proven: Option<f32>,
    /// How much the search changed the policy: the divergence of the target from the prior.
    surprise: f64,
}

impl<G: Game<Action: Send> + Send> PlayGames for SelfPlay<G> {
    fn play(&mut self, network: &Arc<Network>, counter: &Counter) -> Vec<GameRecord> {
        let mut searches = self.searches_with(network);
        let mut slots: Vec<Option<Underway<G>>> = Vec::new();
        for number in 0..LOCKSTEP {
            slots.push(self.begin_next(counter, &mut searches, number));
        }
        let mut records = Vec::new();
        while slots.iter().any(Option::is_some) && !counter.is_stopped() {
            let wanted = self.send_searches(&mut slots, &mut searches);
            let reports = searches.run_some(&wanted);
            for (&(number, _), report) in wanted.iter().zip(&reports) {
                // A partner may think for a long time.
                if counter.is_stopped() {
                    break;
                }
                let Some(game) = &mut slots[number] else { continue };
                if self.advance(game, report) {
                    let game = slots[number].take();
                    records.extend(game.map(|game| self.finish(game)));
                    counter.finish_game();
                    slots[number] = self.begin_next(counter, &mut searches, number);
                }
            }
            self.wanted = wanted;
        }
        self.searches = Some(searches);
        records
    }

    fn looks(&self) -> (u64, u64) {
        self.searches.as_ref().map_or((0, 0), |searches| searches.evaluation().looks())
    }
}

impl<G: Game> SelfPlay<G> {
    pub(crate) fn new(
        start: G,
        shape: Shape,
        encoding: Encoding<G>,
        plan: Plan,
        cache_bytes: usize,
    ) -> SelfPlay<G> {
        let utility = Utility::suitable(&start);
        SelfPlay {
            start,
            shape,
            encoding,
            partner: None,
            plan,
            cache_bytes,
            utility,
            searches: None,
            actions: Vec::new(),
            wanted: Vec::new(),
        }
    }

    /// The same player, whose games have this partner.
    pub(crate) fn with_partner(self, partner: Option<Arc<dyn Partner<G>>>) -> SelfPlay<G> {
        SelfPlay { partner, ..self }
    }

    /// The searches, with this network.
    fn searches_with(&mut self, network: &Arc<Network>) -> Searches<G> {
        if let Some(mut searches) = self.searches.take() {
            searches.evaluation_mut().set_network(network.clone());
            return searches;
        }
        let evaluation = NetworkEvaluation::new(network.clone(), self.encoding.clone(), self.cache_bytes);
        let search = &self.plan.search;
        let each = |_| {
            let each = Search::of(self.start.clone(), search.rule, aji_search::playout::Uniform);
            let each =
                each.utility(self.utility).solver(search.solver).recommend(search.rule.about().recommend);
            match search.noise {
                Some(noise) => each.noise(noise),
                None => each,
            }
            .memory(self.tree_bytes())
        };
        ManySearches::new((0..LOCKSTEP).map(each), evaluation, Rng::seeded(0))
    }

    /// The bytes of a tree in which every simulation opens a node with all actions. Memory that is not touched costs
    /// nothing.
    fn tree_bytes(&self) -> usize {
        const EDGE_BYTES_MAX: usize = 128;
        let simulations = self.plan.search.simulations.max(self.plan.settings.fast) as usize;
        // A simulation that reaches a position of chance opens the position after it too.
        let simulations = if self.start.has_chance() { 2 * simulations } else { simulations };
        (simulations + 2) * self.shape.actions * EDGE_BYTES_MAX + (1 << 20)
    }

    /// Begins the next game, if there is one.
    fn begin_next(
        &mut self,
        counter: &Counter,
        searches: &mut Searches<G>,
        slot: usize,
    ) -> Option<Underway<G>> {
        let number = counter.next_game()?;
        let settings = &self.plan.settings;
        let mut rng = rng_of(self.plan.seed, GAMES, number);
        searches.search(slot).set_rng(rng.fork());
        let plies =
            if rng.unit() < settings.openings { 1 + rng.below(settings.opening_plies as usize) } else { 0 };
        let resigns = rng.unit() >= settings.resign_check;
        let mut game = self.start.clone();
        for _ in 0..OPENING_TRIES {
            let mut opening = self.start.clone();
            self.play_on(&mut opening, (number, plies), &mut rng);
            if opening.turn() != Turn::Over {
                game = opening;
                break;
            }
        }
        Some(Underway {
            number,
            game,
            rng,
            plies: 0,
            is_full: true,
            moves: Vec::new(),
            hopeless: [0; PLAYERS_MAX],
            resigns,
            given_up: None,
            counts: Counts { games: 1, ..Counts::default() },
        })
    }

    /// Plays this many random actions in the game of this number, and what chance and the partner do until the network is
    /// to act.
    fn play_on(&mut self, game: &mut G, (number, plies): (u64, usize), rng: &mut Rng) {
        let mut played = 0;
        while game.turn() != Turn::Over {
            let turn = game.turn();
            let is_random = turn != Turn::Chance && played < plies;
            let partner = self.partner.as_ref().filter(|partner| !is_random && partner.acts(turn, number));
            let action = match partner {
                Some(partner) => partner.act(game, rng.bits()),
                None if is_random || turn == Turn::Chance => game.random_action(rng, &mut self.actions),
                None => return,
            };
            played += usize::from(is_random);
            game.play(action);
        }
    }

    /// Sets every search to the position of its game. Returns the simulations for each.
    fn send_searches(
        &mut self,
        slots: &mut [Option<Underway<G>>],
        searches: &mut Searches<G>,
    ) -> Vec<(usize, u64)> {
        let (settings, simulations) = (&self.plan.settings, self.plan.search.simulations);
        let mut wanted = std::mem::take(&mut self.wanted);
        wanted.clear();
        for (number, slot) in slots.iter_mut().enumerate() {
            let Some(game) = slot else { continue };
            game.is_full = settings.full >= 1.0 || game.rng.unit() < settings.full;
            searches.search(number).reset(game.game.clone());
            wanted.push((number, if game.is_full { simulations } else { settings.fast }.into()));
        }
        wanted
    }

    /// Records a search for learning, and plays its move. True if the game is over.
    fn advance(&mut self, slot: &mut Underway<G>, report: &Report<G::Action>) -> bool {
        let Turn::Player(player) = slot.game.turn() else { return true };
        let settings = &self.plan.settings;
        let policy = self.plan.search.target(report, settings.pruning);
        let found = mean_of(report);
        if slot.is_full {
            slot.moves.push(self.learn(slot, player, report, &policy, found));
        }
        let drawn = (slot.plies < settings.sampled).then(|| draw(&policy, slot.rng.unit()));
        let action = match drawn {
            Some(place) => report.arms.get(place).map(|arm| arm.action),
            None => report.best,
        };
        let Some(action) = action else { return true };
        slot.plies += 1;
        slot.counts.plies += 1;
        if self.gives_up(slot, player, found) {
            return true;
        }
        slot.game.play(action);
        self.play_on(&mut slot.game, (slot.number, 0), &mut slot.rng);
        slot.game.turn() == Turn::Over || slot.plies >= self.plan.settings.plies
    }

    fn learn(
        &self,
        slot: &Underway<G>,
        player: Player,
        report: &Report<G::Action>,
        policy: &[f32],
        found: f32,
    ) -> Move {
        let mut features = Vec::new();
        (self.encoding.features)(&slot.game, &mut features);
        features.sort_unstable();
        let index = |action| (self.encoding.action_index)(&slot.game, action) as u16;
        let mut shares: Vec<(u16, f32)> =
            report.arms.iter().zip(policy).map(|(arm, &share)| (index(arm.action), share)).collect();
        shares.sort_unstable_by_key(|&(action, _)| action);
        let divergence = |(arm, &share): (&aji_search::ArmReport<G::Action>, &f32)| {
            let (share, prior) = (f64::from(share), f64::from(arm.prior.unwrap_or(1.0)).max(1e-12));
            if share > 0.0 { share * (ln(share) - ln(prior)) } else { 0.0 }
        };
        Move {
            position: Position { features, policy: shares, value: 0.0, copies: 1 },
            player,
            found,
            proven: report.proven,
            surprise: report.arms.iter().zip(policy).map(divergence).sum::<f64>().max(0.0),
        }
    }

    /// Whether the player resigns. In a game without resigning, records who would have resigned.
    fn gives_up(&self, slot: &mut Underway<G>, player: Player, found: f32) -> bool {
        let hopeless = &mut slot.hopeless[usize::from(player)];
        *hopeless = if found < self.plan.settings.resign { *hopeless + 1 } else { 0 };
        if *hopeless < HOPELESS_MOVES || slot.given_up.is_some() {
            return false;
        }
        slot.given_up = Some(player);
        slot.resigns
    }

    /// The record of a game that is over.
    fn finish(&self, mut slot: Underway<G>) -> GameRecord {
        let is_resigned = slot.game.turn() != Turn::Over && slot.resigns && slot.given_up.is_some();
        let payoff = match slot.game.turn() {
            Turn::Over => slot.game.payoff(),
            _ if is_resigned => Payoff::win(1 - slot.given_up.unwrap_or(0).min(1)),
            _ => Payoff::DRAW,
        };
        let rewards = self.utility.rewards(&payoff);
        let counts = &mut slot.counts;
        counts.first_wins += u64::from(rewards[0] > 0.5);
        counts.draws += u64::from(rewards[0] == 0.5);
        counts.resigned += u64::from(is_resigned);
        if let (Some(player), false) = (slot.given_up, slot.resigns) {
            counts.checked += 1;
            counts.wrongly += u64::from(rewards[usize::from(player)] > 0.0);
        }
        let (mut bytes, settings) = (Vec::new(), &self.plan.settings);
        let surprise =
            slot.moves.iter().map(|one| one.surprise).sum::<f64>() / slot.moves.len().max(1) as f64;
        for one in &mut slot.moves {
            let result = rewards[usize::from(one.player)];
            let mixed = (1.0 - settings.mix) * result + settings.mix * one.found;
            one.position.value = one.proven.unwrap_or(mixed).clamp(0.0, 1.0);
            let relative = if surprise > 0.0 { one.surprise / surprise } else { 1.0 };
            let weight = 1.0 + f64::from(settings.surprise) * (relative - 1.0);
            let copies = (weight + f64::from(slot.rng.unit())) as u64;
            one.position.copies = copies.min(COPIES_MAX.into()) as u8;
            counts.positions += 1;
            counts.proven += u64::from(one.proven.is_some());
            let shares = one.position.policy.iter().map(|&(_, share)| f64::from(share));
            counts.entropy -= shares.filter(|&share| share > 0.0).map(|share| share * ln(share)).sum::<f64>();
            one.position.write(&mut bytes);
        }
        GameRecord { number: slot.number, bytes, counts: slot.counts }
    }
}

/// The mean reward of all simulations, or the evaluation's value if there was none.
fn mean_of<A>(report: &Report<A>) -> f32 {
    let (mut sum, mut pulls) = (0.0, 0.0);
    for arm in &report.arms {
        sum += f64::from(arm.pulls) * f64::from(arm.mean);
        pulls += f64::from(arm.pulls);
    }
    if pulls > 0.0 { (sum / pulls) as f32 } else { report.evaluation.unwrap_or(0.5) }
}

/// The place in a policy on which a number in 0..1 falls.
fn draw(policy: &[f32], mut number: f32) -> usize {
    for (place, share) in policy.iter().enumerate() {
        number -= share;
        if number < 0.0 {
            return place;
        }
    }
    // Rounding may leave a little over after the last share.
    policy.iter().rposition(|&share| share > 0.0).unwrap_or(0)
}
