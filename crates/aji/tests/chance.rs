//! Searches of games with chance come near to their exact solutions.

use aji::bandit::{Ucb1, View};
use aji::exact::Solver;
use aji::games::{CanadianTraveller, Pig, Sailing, Tack};
use aji::{Agent, Budget, Game, Hashed, Multistage, Named, Rng, Search, Select, Stopped, Turn, Utility};
use std::collections::HashMap;

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

/// Max-n by iteration: what each player gets in every position that can be reached, each choosing for itself, chance by
/// its weights. Written for the test, over any game that is small enough.
fn max_n<G: Hashed>(start: &G) -> (HashMap<u64, usize>, Vec<[f64; 4]>) {
    let (mut index, mut positions) = (HashMap::from([(start.hash(), 0)]), vec![start.clone()]);
    let mut next: Vec<Vec<(usize, f64)>> = Vec::new();
    while next.len() < positions.len() {
        let position = positions[next.len()].clone();
        let mut actions = Vec::new();
        position.actions(&mut actions);
        let mut edges = Vec::new();
        for action in actions {
            let mut after = position.clone();
            after.play(action);
            let at = *index.entry(after.hash()).or_insert_with(|| {
                positions.push(after.clone());
                positions.len() - 1
            });
            edges.push((at, f64::from(position.weight(action))));
        }
        next.push(edges);
    }
    let mut values: Vec<[f64; 4]> = positions.iter().map(|_| [0.0; 4]).collect();
    for _ in 0..150 {
        for at in (0..positions.len()).rev() {
            values[at] = match positions[at].turn() {
                Turn::Over => positions[at].payoff().0.map(f64::from),
                Turn::Chance => {
                    let total: f64 = next[at].iter().map(|(_, weight)| weight).sum();
                    let part = |player| {
                        next[at].iter().map(|&(to, weight)| values[to][player] * weight).sum::<f64>()
                    };
                    std::array::from_fn(|player| part(player) / total)
                }
                Turn::Player(player) => {
                    let worth = |&(to, _): &(usize, f64)| values[to][usize::from(player)];
                    let best = next[at].iter().max_by(|a, b| worth(a).total_cmp(&worth(b)));
                    best.map_or([0.0; 4], |&(to, _)| values[to])
                }
            };
        }
    }
    (index, values)
}

/// At every turn total of a Pig with so many players, the search rolls and holds as max-n does wherever it matters, and
/// expects what max-n says.
fn check_pig(players: usize, goal: usize) {
    let start = Pig::new(players, goal);
    let (index, values) = max_n(&start);
    let scores = vec!["0"; players].join(",");
    for total in (0..goal).filter(|&total| total != 1) {
        let game = start.read(&format!("{scores} {total} 1")).unwrap_or_else(|error| panic!("{error}"));
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let exact: Vec<f64> = actions
            .iter()
            .map(|&action| {
                let mut after = game;
                after.play(action);
                values[index[&after.hash()]][0]
            })
            .collect();
        let report =
            Search::new(game).select(Ucb1 { c: 0.7 }).seed(total as u64).run(Budget::simulations(100_000));
        let best = (0..actions.len()).max_by(|&a, &b| exact[a].total_cmp(&exact[b])).expect("an action");
        let gap = exact[best] - exact.iter().copied().fold(f64::INFINITY, f64::min);
        if gap > 0.08 {
            assert_eq!(
                report.best,
                Some(actions[best]),
                "{players} players at {total}: {exact:?}, {report:?}"
            );
        }
        // What the winner and each loser get, back to the odds of winning.
        let lost = -1.0 / (players as f64 - 1.0);
        let odds = (exact[best] - lost) / (1.0 - lost);
        let found = f64::from(report.value.expect("a value"));
        assert!((found - odds).abs() < 0.06, "{players} players at {total}: {found} is not {odds}");
    }
}

#[test]
fn pig_for_two_three_and_four() {
    check_pig(2, 15);
    check_pig(3, 11);
    check_pig(4, 10);
}

/// Multistage sampling with one stage is pure Monte Carlo with UCB1; with more it sees further than the next step.
#[test]
fn multistage_sampling() {
    let trip = Sailing::new(3, 3);
    let costs = Sailing::optimal_costs(3);
    let agent = |stages| Multistage {
        samples: 24,
        stages,
        c: std::f32::consts::SQRT_2,
        utility: Utility::score(&trip),
        rng: Rng::seeded(5),
    };
    let (low, high) = trip.payoff_range();
    let expects = |stages| {
        let report = agent(stages).think(&trip, Budget::default(), &mut |_, _| {});
        assert_eq!(report.arms.iter().map(|arm| arm.pulls).sum::<u32>(), 24);
        assert!(report.best.is_some() && report.simulations <= 24u64.pow(stages));
        f64::from(low + report.value.expect("a value") * (high - low))
    };
    // Random sailing beyond the last stage is slow, so further sight expects more; never more than the best play gets.
    let (near, far, optimal) = (expects(1), expects(3), -costs.of(0, 0, 3, Tack::None));
    assert!(near < far && far < optimal, "{near} with one stage, {far} with three, {optimal} at best");
    // A budget ends it early.
    let report = agent(3).think(&trip, Budget::simulations(50), &mut |_, _| {});
    assert_eq!((report.simulations, report.stopped), (50, Stopped::Simulations));
}

/// UCB1 that has seen enough after so many pulls.
struct Content(u32);

impl Select for Content {
    fn select(&mut self, view: &View, rng: &mut Rng) -> usize {
        Ucb1::default().select(view, rng)
    }

    fn enough(&self, view: &View) -> bool {
        view.total >= self.0
    }
}

#[test]
fn a_rule_may_stop_early() {
    let report = Search::new(Sailing::new(3, 0)).select(Content(700)).run(Budget::simulations(100_000));
    assert_eq!(report.stopped, Stopped::Enough);
    assert!((700..10_000).contains(&report.simulations), "{}", report.simulations);
}

/// The published solution of Pig (Neller & Presser 2004): with 100 to win and nobody ahead, the first player rolls up to
/// a total of 20, holds at 21, and wins with probability 0.5306.
#[test]
fn the_threshold_of_pig() {
    let exact = |total: usize| {
        let game = Pig::new(2, 100).read(&format!("0,0 {total} 1")).unwrap_or_else(|error| panic!("{error}"));
        let report = Solver::new(6 << 30).think(&game, Budget::default(), &mut |_, _| {});
        let best = report.best.map(|action| game.action_name(action));
        (best.unwrap_or_default(), report.proven.unwrap_or_default())
    };
    assert_eq!((exact(20).0.as_str(), exact(21).0.as_str()), ("roll", "hold"));
    let odds = exact(0).1;
    assert!((odds - 0.5306).abs() < 1e-4, "{odds}");
}
