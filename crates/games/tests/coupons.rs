//! Temperatures discovered by search, against exact thermographs and exact play.

use aji_cgt::{Graphs, Side};
use aji_games::{Board, Clobber, Domineering, HeapGo, Sum, SumSolver, Summed, ToadsAndFrogs};
use aji_search::learn::{CouponPlayer, Coupons, Divisible, PartHeat, order_of};
use aji_search::{Agent, Budget, Game, Keyed, Rng, Turn};

const COUPONS: Coupons = Coupons { levels: 32, bytes: 64 << 20, threads: 1 };

/// What was learned of each part, and its exact temperature and mean.
fn learned<G>(game: &G, simulations: u64) -> Vec<(PartHeat, f64, f64)>
where
    G: Divisible + Summed + Send,
{
    let parts = game.parts();
    let heats = COUPONS.learn(game, simulations, &mut Rng::seeded(1));
    assert_eq!(heats.iter().map(|heat| heat.0).collect::<Vec<_>>(), (0..parts.len()).collect::<Vec<_>>());
    let mut graphs = G::Graphs::default();
    let exact = |((_, heat), part): ((usize, PartHeat), &G::Part)| {
        let graph = graphs.graph(part).expect("a small part");
        (heat, graph.temperature().to_f64(), graph.mean().to_f64())
    };
    heats.into_iter().zip(&parts).map(exact).collect()
}

/// Every heap is solved, so its temperature lies within a coupon of the exact one.
#[test]
fn temperatures_of_heaps() {
    for seed in 0..20 {
        let game = HeapGo::random(4, 6, 1..=10, seed);
        for (heat, temperature, mean) in learned(&game, 20_000) {
            assert!(heat.is_exact && !heat.is_open(), "{seed}: {heat:?}");
            let off = (f64::from(heat.temperature) - temperature).abs();
            assert!(off < 0.5, "{seed}: {} for {temperature}", heat.temperature);
            assert!((f64::from(heat.mean) - mean).abs() < 0.5, "{seed}: {} for {mean}", heat.mean);
        }
    }
}

/// Numbers, switches and infinitesimals, whose temperatures are known.
#[test]
fn temperatures_of_boards_by_hand() {
    fn check<B: Board>(text: &str, temperature: f32, mean: f32) {
        let sum = Sum::<B>::of_text(text, Side::Left).expect(text);
        let heats = COUPONS.learn(&sum, 5_000, &mut Rng::seeded(2));
        let [(0, heat)] = &heats[..] else { panic!("{text}: {heats:?}") };
        assert!(heat.is_exact, "{text}");
        assert!((heat.temperature - temperature).abs() < 0.1, "{text}: {heat:?}");
        assert!((heat.mean - mean).abs() < 0.1, "{text}: {heat:?}");
    }
    check::<Domineering>("./.", -1.0, 1.0);
    check::<Domineering>("..", -1.0, -1.0);
    check::<Domineering>("../..", 1.0, 0.0);
    check::<Domineering>("../.#", 0.0, 0.0);
    check::<Clobber>("xo", 0.0, 0.0);
    check::<Clobber>("xxo", 0.0, 0.0);
    check::<ToadsAndFrogs>("T.F", 0.0, 0.0);
}

/// Random regions against thermographs.
#[test]
fn temperatures_of_boards() {
    fn check<B: Board>(signs: &[char], bound: f64) {
        let mut rng = Rng::seeded(3);
        let mut regions: Vec<B> = Vec::new();
        while regions.len() < 12 {
            let mut row = || (0..3).map(|_| signs[rng.below(signs.len())]).collect::<String>();
            let text = [row(), row(), row()].join("/");
            let sum = Sum::<B>::of_text(&text, Side::Left).expect(&text);
            let room = 12 - regions.len();
            regions.extend(sum.parts().into_iter().take(room));
        }
        let sum = Sum::new(&regions, Side::Left);
        for (heat, temperature, _) in learned(&sum, 12 * 5_000) {
            let off = (f64::from(heat.temperature) - temperature).abs();
            assert!(off < bound, "{} for {temperature}: {heat:?}", heat.temperature);
        }
    }
    check::<Domineering>(&['.', '.', '.', '#'], 0.2);
    check::<Clobber>(&['x', 'o', '.'], 0.2);
}

/// The share of pairs of actions in different heaps that stand in the order of their temperatures, without ties.
fn matched(game: &HeapGo, simulations: u64) -> f64 {
    let mut rng = Rng::seeded(4);
    let heats = COUPONS.learn(game, simulations, &mut rng);
    assert!(heats.iter().map(|(_, heat)| heat.simulations).sum::<u64>() <= simulations);
    let order = order_of(game, &heats, &mut rng);
    let temperatures = game.heaps().enumerate().flat_map(|(heap, counters)| {
        let graphs = counters.thermographs().expect("a small heap");
        graphs.into_iter().skip(1).map(move |graph| (heap, graph.temperature()))
    });
    let actions: Vec<_> = temperatures.collect();
    assert_eq!(actions.len(), game.key_count());
    let (mut good, mut pairs) = (0, 0);
    for (place, &earlier) in order.keys().iter().enumerate() {
        for &later in &order.keys()[place + 1..] {
            let [one, other] = [earlier, later].map(|key| actions[key as usize]);
            if one.0 != other.0 && one.1 != other.1 {
                pairs += 1;
                good += usize::from(one.1 > other.1);
            }
        }
    }
    good as f64 / pairs as f64
}

/// Far above what learners of differences reach with these simulations (`papers/kao2013`: 89%).
#[test]
fn orders_of_heaps() {
    let games = 20;
    let rates = (0..games).map(|seed| matched(&HeapGo::random(6, 4, 1..=10, seed), 1_000));
    let mean = rates.sum::<f64>() / games as f64;
    assert!(mean > 0.95, "{mean}");
}

/// The points that the player loses to exact play in two games.
fn lost(start: &HeapGo, simulations: u64) -> f32 {
    let mut exact = SumSolver::new(64 << 20);
    let mut play = |mut game: HeapGo, own: Option<u8>| {
        let mut player = CouponPlayer::new(COUPONS, Some(1 << 20), 5);
        while let Turn::Player(mover) = game.turn() {
            let report = match own {
                Some(own) if own == mover => {
                    let report = player.think(&game, Budget::simulations(simulations), &mut ());
                    // The first look at every action comes whatever the budget.
                    assert!(report.simulations <= simulations + 25, "{}", report.simulations);
                    report
                }
                _ => exact.think(&game, Budget::default(), &mut ()),
            };
            game.play(report.best.expect("an action"));
        }
        game.payoff().of(0)
    };
    let best = play(start.clone(), None);
    (best - play(start.clone(), Some(0))) + (play(start.clone(), Some(1)) - best)
}

#[test]
fn the_player_is_close_to_exact_play() {
    let losses: Vec<f32> = (0..20).map(|seed| lost(&HeapGo::random(4, 4, 1..=10, seed), 1_000)).collect();
    assert!(losses.iter().all(|&loss| loss >= 0.0), "{losses:?}");
    assert!(losses.iter().sum::<f32>() / 20.0 < 0.3, "{losses:?}");
}

#[test]
fn threads_change_nothing() {
    let game = HeapGo::random(7, 5, 1..=10, 6);
    let learn = |threads| Coupons { threads, ..COUPONS }.learn(&game, 1_500, &mut Rng::seeded(7));
    assert_eq!(learn(1), learn(3));
}

/// Without room for the whole search, estimates remain.
#[test]
fn little_memory_is_enough() {
    let sum = Sum::<Domineering>::of_text("...../...../...../.....", Side::Right).expect("a board");
    let heats = Coupons { bytes: 50_000, ..COUPONS }.learn(&sum, 3_000, &mut Rng::seeded(8));
    assert!(!heats[0].1.is_exact && heats[0].1.temperature.is_finite(), "{heats:?}");
    let mut player = CouponPlayer::new(Coupons { bytes: 50_000, ..COUPONS }, None, 9);
    let report = player.think(&sum, Budget::simulations(500), &mut ());
    let mut actions = Vec::new();
    sum.actions(&mut actions);
    assert!(actions.contains(&report.best.expect("an action")) && report.simulations <= 500);
}
