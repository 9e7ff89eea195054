//! Searches of games with chance come near to their exact solutions.

use aji::bandit::Ucb1;
use aji::games::{CanadianTraveller, Sailing, Tack};
use aji::{Budget, Game, Search, Utility};

/// What a long search expects the game to pay to its one player.
fn searched<G: Game>(game: &G) -> f64 {
    let utility = Utility::score(game);
    let mut search = Search::new(game.clone()).utility(utility).select(Ucb1 { c: 1.0 }).seed(1);
    let report = search.run(Budget::simulations(300_000));
    let best = report.arms.iter().max_by_key(|arm| arm.pulls).expect("a game that is not over");
    let (low, high) = game.payoff_range();
    f64::from(low + best.mean * (high - low))
}

#[track_caller]
fn near(found: f64, expect: f64) {
    // Exploring costs, so a search expects a little less than the best play gets; never more, but for luck.
    let share = found / expect;
    assert!((0.99..1.15).contains(&share), "{found}, not {expect}");
}

#[test]
fn sailing() {
    for (size, wind) in [(2, 0), (3, 0), (3, 3), (4, 6)] {
        let expect = Sailing::optimal_costs(size).of(0, 0, wind, Tack::None);
        near(-searched(&Sailing::new(size, wind)), expect);
    }
}

#[test]
fn canadian_traveller() {
    for (vertices, seed) in [(4, 1), (5, 2), (6, 3)] {
        let trip = CanadianTraveller::new(vertices, seed, 1.0);
        near(-searched(&trip), trip.optimal_cost());
    }
}
