//! Searches of games with chance approach their exact solutions.

use aji::bandit::{Split, Ucb1, Uniform, View};
use aji::exact::{Solver, ValueIteration, Values};
use aji::games::{CanadianTraveller, Pig, Sailing, Tack};
use aji::{Agent, Budget, Game, Hashed, Multistage, Named, Rng, Search, Select, Stopped, Turn, Utility};
use std::collections::HashMap;

/// The payoff of a one-player game that a long search expects.
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
    // Exploration costs, so a search expects a little less than optimal play gets, and more only by sampling error.
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

/// All reachable positions, and where each action leads, with its probability if chance acts.
struct Positions<G> {
    index: HashMap<u64, usize>,
    positions: Vec<G>,
    next: Vec<Vec<(usize, f64)>>,
}

impl<G: Hashed> Positions<G> {
    fn from(start: &G) -> Positions<G> {
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
                let by_chance = position.turn() == Turn::Chance;
                edges.push((at, if by_chance { position.weight(action).into() } else { 0.0 }));
            }
            next.push(edges);
        }
        Positions { index, positions, next }
    }

    /// Each player's value in every position, by sweeps: chance by its probabilities, and players by `choose` over the
    /// values of their actions. A simple version for the test.
    fn values(&self, choose: impl Fn(usize, &[Values]) -> Values) -> Vec<Values> {
        let (mut values, mut before) = (vec![[0.0; 4]; self.positions.len()], Vec::new());
        while values != before {
            before.clone_from(&values);
            for at in (0..self.positions.len()).rev() {
                let below: Vec<Values> = self.next[at].iter().map(|&(to, _)| values[to]).collect();
                values[at] = match self.positions[at].turn() {
                    Turn::Over => self.positions[at].payoff().0.map(f64::from),
                    Turn::Chance => {
                        let total: f64 = self.next[at].iter().map(|(_, weight)| weight).sum();
                        let weighed = self.next[at].iter().zip(&below);
                        weighed.fold([0.0; 4], |sum, (&(_, weight), values)| {
                            std::array::from_fn(|player| sum[player] + values[player] * weight / total)
                        })
                    }
                    Turn::Player(player) => choose(usize::from(player), &below),
                };
            }
        }
        values
    }
}

/// Each player takes its best action.
fn best(player: usize, below: &[Values]) -> Values {
    below.iter().copied().max_by(|a, b| a[player].total_cmp(&b[player])).unwrap_or_default()
}

/// Each player takes a random action.
fn any(_: usize, below: &[Values]) -> Values {
    std::array::from_fn(|player| below.iter().map(|values| values[player]).sum::<f64>() / below.len() as f64)
}

/// Pure Monte Carlo estimates the value of random play. Over many positions, the reported standard errors are right:
/// the squared distances from the true values, in standard errors, average 1.
fn check_errors<G: Hashed + Named>(start: &G) {
    let reached = Positions::from(start);
    let values = reached.values(any);
    let (low, high) = start.payoff_range();
    let rule = Split::new(Uniform, Uniform);
    let (mut squares, mut count) = (0.0, 0);
    let stride = reached.positions.len().div_ceil(40);
    for (number, game) in reached.positions.iter().enumerate().step_by(stride) {
        let Turn::Player(player) = game.turn() else { continue };
        let search = Search::new(game.clone()).utility(Utility::score(game)).select(rule).depth(1);
        let report = search.seed(number as u64).run(Budget::simulations(20_000));
        for (arm, &(to, _)) in report.arms.iter().zip(&reached.next[number]) {
            let expect = (values[to][usize::from(player)] - f64::from(low)) / f64::from(high - low);
            let (off, error) = (f64::from(arm.mean) - expect, f64::from(arm.error.expect("an error")));
            if error < 1e-6 {
                assert!(off.abs() < 1e-6, "{}: {} ± {error}, not {expect}", game.text(), arm.mean);
                continue;
            }
            assert!(off.abs() < 4.5 * error, "{}: {} ± {error}, not {expect}", game.text(), arm.mean);
            squares += (off / error).powi(2);
            count += 1;
        }
    }
    let (mean, spread) = (squares / f64::from(count), (2.0 / f64::from(count)).sqrt());
    assert!((mean - 1.0).abs() < 4.0 * spread, "squares average {mean} over {count} estimates");
    assert!(count > 20, "{count} estimates");
}

#[test]
fn estimates_are_as_good_as_they_say() {
    check_errors(&Pig::new(2, 15));
    check_errors(&Pig::new(3, 10));
    check_errors(&Pig::new(4, 10));
    check_errors(&Sailing::new(3, 0));
    check_errors(&CanadianTraveller::new(5, 2, 1.0));
}

/// The payoff of an agent in a one-player game, over many plays: the mean and its standard error.
fn played<G: Game>(start: &G, plays: u64, mut choose: impl FnMut(&G, u64) -> G::Action) -> (f64, f64) {
    let mut payoffs = Vec::new();
    for seed in 0..plays {
        let (mut game, mut rng, mut scratch) = (start.clone(), Rng::seeded(seed), Vec::new());
        while game.turn() != Turn::Over {
            let action = match game.turn() {
                Turn::Chance => game.random_action(&mut rng, &mut scratch),
                _ => choose(&game, seed),
            };
            game.play(action);
        }
        payoffs.push(f64::from(game.payoff().of(0)));
    }
    let mean = payoffs.iter().sum::<f64>() / plays as f64;
    let squares: f64 = payoffs.iter().map(|payoff| (payoff - mean).powi(2)).sum();
    (mean, (squares / (plays * (plays - 1)) as f64).sqrt())
}

/// The search, and exact play if the game is small enough, get within three standard errors of the value of value
/// iteration.
#[track_caller]
fn check_play<G: Hashed + 'static>(start: &G, optimal: f64, is_small: bool) {
    let check = |who: &str, (mean, error): (f64, f64)| {
        assert!((mean - optimal).abs() <= 3.0 * error + 1e-5, "{who}: {mean} ± {error}, not {optimal}");
    };
    if is_small {
        let (mut solver, mut known) = (Solver::new(1 << 28), HashMap::new());
        let exact = |game: &G, _| {
            let think = || solver.think(game, Budget::default(), &mut ()).best.expect("an action");
            *known.entry(game.hash()).or_insert_with(think)
        };
        check("exact", played(start, 2_000, exact));
    }
    let searched = |game: &G, seed| {
        let search = Search::new(game.clone()).utility(Utility::score(game)).select(Ucb1 { c: 1.0 });
        search.seed(seed).run(Budget::simulations(10_000)).best.expect("an action")
    };
    check("searched", played(start, 100, searched));
}

#[test]
fn play_costs_what_is_optimal() {
    for (size, wind) in [(2, 0), (3, 0), (4, 6)] {
        let expect = Sailing::optimal_costs(size).of(0, 0, wind, Tack::None);
        check_play(&Sailing::new(size, wind), -expect, size < 3);
    }
    for (vertices, seed) in [(4, 1), (5, 2), (6, 3)] {
        let trip = CanadianTraveller::new(vertices, seed, 1.0);
        check_play(&trip, -trip.optimal_cost(), vertices < 6);
    }
}

/// In Pig with this many players, at every turn total, the search rolls and holds like max-n wherever it matters, and
/// expects the same value.
fn check_pig(players: usize, goal: usize) {
    let start = Pig::new(players, goal);
    let reached = Positions::from(&start);
    let values = reached.values(best);
    let solved = ValueIteration::new().solve(&start, Budget::default(), &mut ()).solved();
    let solved = solved.filter(|solved| solved.exact).expect("values that settle");
    for (found, expect) in solved.values.iter().zip(values[0]) {
        assert!((found - expect).abs() < 1e-9, "{players} players: {:?}, not {:?}", solved.values, values[0]);
    }
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
                values[reached.index[&after.hash()]][0]
            })
            .collect();
        let report =
            Search::new(game).select(Ucb1 { c: 0.7 }).seed(total as u64).run(Budget::simulations(100_000));
        let first = (0..actions.len()).max_by(|&a, &b| exact[a].total_cmp(&exact[b])).expect("an action");
        let gap = exact[first] - exact.iter().copied().fold(f64::INFINITY, f64::min);
        if gap > 0.08 {
            assert_eq!(
                report.best,
                Some(actions[first]),
                "{players} players at {total}: {exact:?}, {report:?}"
            );
        }
        // From the payoffs of the winner and of each loser back to the probability of winning.
        let lost = -1.0 / (players as f64 - 1.0);
        let odds = (exact[first] - lost) / (1.0 - lost);
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
        let report = agent(stages).think(&trip, Budget::default(), &mut ());
        assert_eq!(report.arms.iter().map(|arm| arm.pulls).sum::<u32>(), 24);
        assert!(report.best.is_some() && report.simulations <= 24u64.pow(stages));
        f64::from(low + report.value.expect("a value") * (high - low))
    };
    // Random sailing beyond the last stage is slow, so more stages give a higher value, but never above optimal play.
    let (near, far, optimal) = (expects(1), expects(3), -costs.of(0, 0, 3, Tack::None));
    assert!(near < far && far < optimal, "{near} with one stage, {far} with three, {optimal} at best");
    // A budget ends it early.
    let report = agent(3).think(&trip, Budget::simulations(50), &mut ());
    assert_eq!((report.simulations, report.stopped), (50, Stopped::Simulations));
}

/// UCB1 that stops after this many pulls.
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
    for (content, simulations) in [(700, 704), (10_000, 10_190)] {
        let mut search = Search::new(Sailing::new(3, 0)).select(Content(content));
        let report = search.run(Budget::simulations(100_000));
        assert_eq!((report.stopped, report.simulations), (Stopped::Enough, simulations));
    }
}

/// The published solution of Pig (Neller & Presser 2004): with 100 to win and nobody ahead, the first player rolls up to
/// a total of 20, holds at 21, and wins with probability 0.5306. `cargo test --release -p aji --test searches chance -- --ignored`
#[test]
#[ignore = "takes a minute"]
fn the_threshold_of_pig() {
    let exact = |total: usize| {
        let game = Pig::new(2, 100).read(&format!("0,0 {total} 1")).unwrap_or_else(|error| panic!("{error}"));
        let report = Solver::new(6 << 30).think(&game, Budget::default(), &mut ());
        let best = report.best.map(|action| game.action_name(action));
        (best.unwrap_or_default(), report.proven.unwrap_or_default())
    };
    assert_eq!((exact(20).0.as_str(), exact(21).0.as_str()), ("roll", "hold"));
    let odds = exact(0).1;
    assert!((odds - 0.5306).abs() < 1e-4, "{odds}");
}
