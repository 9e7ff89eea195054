//! Analyses: snapshots of a running search, actions that are left out, and stopping.

use aji_catalog::{AgentName, Request, Snapshot, ToldArm, TreeNode, session};
use aji_search::bandit::AnyRule;
use aji_search::{Report, Stopped};
use std::time::{Duration, Instant};

fn agent(name: &str) -> AgentName {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn request(name: &str) -> Request {
    Request::new(agent(name)).every(Duration::ZERO)
}

fn actions(report: &Report<String>) -> Vec<&str> {
    report.arms.iter().map(|arm| arm.action.as_str()).collect()
}

/// A report without its time.
fn timeless(report: Report<String>) -> Report<String> {
    Report { time: Duration::ZERO, stopped: Stopped::Nothing, ..report }
}

#[test]
fn errors_are_one_clear_line() {
    let check = |game: &str, request: Request, expect: &str| {
        let mut session = session(game).expect("a game");
        let error = session.analyse(&request, &mut |_| true).expect_err(expect).to_string();
        assert_eq!(error, expect);
        assert!(session.think(&request.agent, &mut ()).is_ok(), "the session goes on: {expect}");
    };
    let uct = || request("uct simulations=50");
    check("connect-four", uct().except(["x"]), "move \"x\" is not legal here; legal: a b c d e f g");
    check("connect-four", uct().only(["d", "9"]), "move \"9\" is not legal here; legal: a b c d e f g");
    check("tic-tac-toe", uct().only(["1"]), "move \"1\" is ambiguous: it could be a1 b1 c1");
    let none = "no action is left to search: allow at least one";
    check("connect-four", uct().only([""; 0]), none);
    check("connect-four", uct().except(["a", "b", "c", "d", "e", "f", "g"]), none);
    for name in ["exact", "random", "alphabeta depth=2", "uct simulations=50 transpositions=on"] {
        let expect = format!(
            "agent {} cannot leave actions out; searches such as uct and flat can, without transpositions=on",
            agent(name)
        );
        check("tic-tac-toe", request(name).except(["b2"]), &expect);
        let all = request(name).except([""; 0]);
        assert!(session("tic-tac-toe").expect("a game").analyse(&all, &mut |_| true).is_ok(), "{name}");
    }
}

#[test]
fn snapshots_are_those_of_shorter_runs() {
    for name in
        ["uct simulations=3000 seed=5", "uct root=halving simulations=3000 time=1h", "uct wave=8 solver=on"]
    {
        let mut seen = Vec::new();
        let mut look = |snapshot: &mut Snapshot| {
            let (report, tree) = (snapshot.report().expect("a report"), snapshot.tree(&[], 3, 3));
            assert_eq!((report.simulations, report.best.is_some()), (snapshot.simulations(), true));
            seen.push((report, tree.expect("a tree")));
            seen.len() < 8
        };
        let mut whole = session("connect-four").expect("a game");
        let stopped = whole.analyse(&request(name), &mut look).expect("a report").stopped;
        assert_eq!((stopped, seen.len()), (Stopped::Handle, 8), "{name}");
        // Halving depends on the simulations left, and a wave may exceed its budget, so these two are not compared.
        if name.starts_with("uct simulations") {
            for (report, tree) in seen {
                let mut shorter = session("connect-four").expect("a game");
                let name = format!("uct seed=5 simulations={}", report.simulations);
                let expect = shorter.think(&agent(&name), &mut ()).expect("a report");
                assert_eq!(timeless(report), timeless(expect));
                assert_eq!(Some(tree), shorter.tree(&[], 3, 3));
            }
        }
    }
}

#[test]
fn looks_come_as_often_as_they_were_asked_for() {
    let mut session = session("connect-four").expect("a game");
    let interval = Duration::from_millis(30);
    let mut times = Vec::new();
    let mut look = |snapshot: &mut Snapshot| {
        times.push(snapshot.time());
        times.len() < 4
    };
    session.analyse(&request("uct simulations=1000000000").every(interval), &mut look).expect("a report");
    assert_eq!(times.len(), 4);
    assert!(times[0] >= interval, "{times:?}");
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= interval), "{times:?}");

    let mut seen = false;
    let mut look = |_: &mut Snapshot| {
        seen = true;
        true
    };
    let rare = request("uct simulations=20000").every(Duration::from_secs(3600));
    session.analyse(&rare, &mut look).expect("a report");
    assert!(!seen, "the search ends long before the first look is due");
}

/// The part of a tree that these actions lead to.
fn part<'a>(tree: &'a TreeNode, path: &[&str]) -> &'a TreeNode {
    path.iter().fold(tree, |node, &name| {
        let is_wanted = |child: &&TreeNode| child.action.as_deref() == Some(name);
        node.children.iter().find(is_wanted).expect("a child")
    })
}

#[test]
fn trees_below_any_node() {
    let mut session = session("tic-tac-toe").expect("a game");
    session.play("b2").expect("a move");
    let paths: [&[&str]; 4] = [&[], &["a1"], &["a1", "c3"], &["A1", "c3", "b1"]];
    let mut seen = Vec::new();
    let mut look = |snapshot: &mut Snapshot| {
        if snapshot.simulations() < 5_000 {
            return true;
        }
        seen = paths.map(|path| snapshot.tree(path, 2, 9)).to_vec();
        assert_eq!(snapshot.tree(&["b2"], 2, 9), None, "it is taken");
        assert_eq!(snapshot.tree(&["a1", "a1"], 2, 9), None);
        false
    };
    session.analyse(&request("uct simulations=1000000").except(["c2"]), &mut look).expect("a report");
    let whole = session.tree(&[], 5, 9).expect("a tree");
    assert!(whole.children.iter().all(|child| child.action.as_deref() != Some("c2")));
    assert_eq!((session.tree(&["c2"], 1, 9), whole.children.len()), (None, 7));
    for (path, seen) in paths.into_iter().zip(seen) {
        assert_eq!(seen, session.tree(path, 2, 9), "{path:?}");
        let names: Vec<String> = path.iter().map(|name| name.to_lowercase()).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let depth = 5 - path.len();
        assert_eq!(session.tree(path, depth, 9).as_ref(), Some(part(&whole, &names)), "{path:?}");
    }
}

#[test]
fn excluded_actions_are_never_searched() {
    let games = [("connect-four", ["b", "d"]), ("go size=5", ["C3", "pass"]), ("pig", ["hold", "hold"])];
    for (game, excluded) in games {
        for name in ["uct simulations=400", "uct simulations=400 threads=2", "rave simulations=400 carry=on"]
        {
            let mut session = session(game).expect("a game");
            if session.accepts(&agent(name)).is_err() {
                continue;
            }
            let all = session.actions();
            let wanted: Vec<&str> =
                all.iter().map(String::as_str).filter(|action| !excluded.contains(action)).collect();
            let mut look = |snapshot: &mut Snapshot| {
                assert_eq!(actions(&snapshot.report().expect("a report")), wanted, "{game}, {name}");
                true
            };
            let present: Vec<&str> =
                excluded.into_iter().filter(|name| all.iter().any(|action| action == name)).collect();
            let report = session.analyse(&request(name).except(present), &mut look).expect("a report");
            assert_eq!(actions(&report), wanted, "{game}, {name}");
            let only = request(name).only(wanted.iter().copied());
            let again = session.analyse(&only, &mut |_| true).expect("a report");
            let pulls = |report: &Report<String>| report.arms.iter().map(|arm| arm.pulls).sum::<u32>();
            assert!(pulls(&again) > pulls(&report), "the tree is kept: {game}, {name}");
            let best = again.best.expect("an action");
            let after = session.tree(&[&best], 0, 0).expect("a node").pulls;
            session.play(&best).expect("legal");
            assert_eq!(session.tree(&[], 0, 0).expect("a tree").pulls, after, "{game}, {name}");
        }
    }
}

/// Actions are left out of one search only, and a search of some actions cannot be saved.
#[test]
fn actions_are_left_out_of_one_search_only() {
    let mut session = session("connect-four").expect("a game");
    let uct = request("uct simulations=200");
    session.analyse(&uct.clone().only(["a", "g"]), &mut |_| true).expect("a report");
    let error = session.save(&mut Vec::new()).expect_err("some actions only").to_string();
    assert_eq!(error, "a search of some actions only cannot be saved; allow all of them");
    assert_eq!(session.think(&uct.agent, &mut ()).expect("a report").arms.len(), 7);
    assert!(session.save(&mut Vec::new()).is_ok());
    session.analyse(&uct.clone().only(["a", "g"]), &mut |_| true).expect("a report");
    assert_eq!(session.explain(&uct.agent, 10, 1).expect("a simulation").arms.len(), 7);
}

/// The search divides a constant in points by the range of the payoffs; so does the formula.
#[test]
fn a_constant_in_points_is_told_for_rewards() {
    let mut session = session("heap-go").expect("a game");
    let agent = agent("uct unit=points c=15");
    let (low, high) = session.points(&agent).expect("points");
    let told = session.explain(&agent, 200, 1).expect("a simulation");
    let c = 15.0 / (high - low);
    let [root, _] = &told.rules;
    assert!(root.rule.starts_with("ucb1(c=0.0"), "{root:?}");
    let choice = &told.simulations[0].path[0];
    let arm = choice.before();
    let bound = arm.mean.expect("a mean") + c * ((choice.visits as f32).ln() / arm.pulls as f32).sqrt();
    assert!((arm.bound.expect("a bound") - bound).abs() < 1e-5, "{arm:?}: {bound}");
    assert_eq!(&session.node(&[]).expect("a root").rule, root);
}

#[test]
fn rules_tell_their_formulas() {
    let formula = |name: &str| {
        let mut session = session("connect-four").expect("a game");
        let told = session.explain(&agent(name), 100, 1).expect("a simulation");
        let arm = told.simulations[0].path[0].before().clone();
        (told.rules[0].formula, arm.bound.is_some())
    };
    assert_eq!(formula("uct"), ("mean + c · √(ln n / nᵢ)", true));
    assert_eq!(formula("uct root=ucb_sqrt(c=0.3)"), ("mean + √(c · √n / nᵢ)", true));
    assert!(formula("rave").0.contains("AMAF mean"));
    assert!(formula("uct root=ucb_tuned").0.contains("variance"));
    assert!(formula("uct root=gumbel").0.contains("Gumbel number"));
    assert_eq!(formula("uct root=uniform"), ("", false));
}

/// The number at the end of a filled formula is the bound or the score that is told, at every node of explained
/// simulations and of the tree; and the rule took the action with the highest.
#[test]
fn filled_formulas_end_in_the_number_that_is_told() {
    let check = |told: &ToldArm, name: &str| {
        let number = told.bound.or(told.score);
        let last = told.filled.last().and_then(|line| line.rsplit(" = ").next()).unwrap_or("");
        if let (Some(number), None) = (number, told.bounds) {
            let shown: f32 = last.parse().unwrap_or_else(|_| panic!("{name}: {told:?}"));
            let digits = 0.0006 + 0.006 * if number.abs() < 0.1 { number.abs() } else { 0.0 };
            assert!((shown - number).abs() <= digits, "{name}: {told:?}");
        }
        u32::from(number.is_some())
    };
    let mut compared = 0;
    for rule in AnyRule::all() {
        let word = rule.about().word;
        for name in [format!("uct root={word} below={word}"), format!("rave root={word} near=2 ref=30")] {
            let mut session = session("connect-four").expect("a game");
            let told = session.explain(&agent(&name), 200, 100).expect("simulations");
            let mut numbers = 0;
            let choices = told.simulations.iter().flat_map(|simulation| simulation.path.iter().enumerate());
            for (depth, choice) in choices {
                assert!(!choice.before().filled.is_empty(), "{name}: {choice:?}");
                numbers += check(choice.before(), &name);
                let number = |arm: &ToldArm| arm.bound.or(arm.score);
                let all: Option<Vec<f32>> = choice.arms.iter().map(number).collect();
                // The root keeps a choice for a while. Equal arms of `voi` are drawn, and `rave` has turns.
                let is_by_number = depth > 0 && !["voi", "rave"].contains(&word) && !name.starts_with("rave");
                if let (Some(all), Some(taken), true) = (all, number(choice.before()), is_by_number) {
                    let highest = all.iter().copied().fold(f32::NEG_INFINITY, f32::max);
                    assert!(taken >= highest - 1e-3 * highest.abs() - 1e-6, "{name}: {choice:?}");
                    compared += 1;
                }
            }
            let node = session.node(&[]).expect("a root");
            numbers += node.arms.iter().map(|arm| check(arm, &name)).sum::<u32>();
            let below = session.node(&["d"]).expect("a node");
            numbers += below.arms.iter().map(|arm| check(arm, &name)).sum::<u32>();
            let is_random_root = word == "gumbel";
            assert_eq!(numbers > 0, !rule.about().formula.is_empty() || name.starts_with("rave"), "{name}");
            assert!(is_random_root || node.arms.iter().all(|arm| !arm.filled.is_empty()), "{name}");
        }
    }
    assert!(compared > 500, "{compared}");
}

/// A tree tells the same numbers as an explanation of the next simulation.
#[test]
fn trees_tell_what_the_next_choice_sees() {
    for name in
        ["uct root=ucb_tuned", "uct c=0.7", "rave", "uct root=kl_ucb", "gumbel", "alphazero", "uct root=ocba"]
    {
        let mut session = session("connect-four").expect("a game");
        session.explain(&agent(name), 150, 1).expect("a simulation");
        let node = session.node(&[]).expect("a root");
        let told = session.explain(&agent(name), 0, 1).expect("a simulation");
        let choice = &told.simulations[0].path[0];
        assert_eq!((node.visits, &node.player), (choice.visits, &choice.player), "{name}");
        let taken = &node.arms[choice.chosen];
        assert_eq!((taken.bound, taken.score), (choice.before().bound, choice.before().score), "{name}");
        // Only the tree knows how many pulls are left, by which Gumbel search plans its rounds.
        assert!(name == "gumbel" || taken == choice.before(), "{name}: {taken:?}");
    }
}

#[test]
fn what_the_solver_learns_is_told() {
    let mut session = session("nim heaps=3,5,7").expect("a game");
    session.set_position("1,1,2 1").expect("a position");
    let told = session.explain(&agent("uct solver=on"), 0, 100).expect("simulations");
    let choices = || told.simulations.iter().flat_map(|simulation| &simulation.path);
    let proven = choices().filter(|choice| choice.before().bounds.is_none() && choice.bounds_after.is_some());
    for choice in proven.clone() {
        let [low, high] = choice.bounds_after.expect("bounds");
        assert!((0.0..=1.0).contains(&low) && low <= high && high <= 1.0, "{choice:?}");
        assert!(low < high || choice.mean_after == low, "{choice:?}");
    }
    assert!(proven.count() > 3);
    // A proven action is not explored.
    let known = choices()
        .flat_map(|choice| &choice.arms)
        .filter(|arm| arm.bounds.is_some_and(|[low, high]| low == high));
    assert!(known.clone().count() > 0);
    assert!(known.clone().all(|arm| arm.bound == arm.mean && arm.mean == arm.bounds.map(|[low, _]| low)));
    let plain = session.explain(&agent("uct"), 0, 100).expect("simulations");
    assert!(plain.simulations.iter().flat_map(|told| &told.path).all(|choice| choice.bounds_after.is_none()));
}

#[test]
fn a_session_on_another_thread_is_stopped() {
    for name in ["uct time=1h", "uct threads=2 time=1h", "alphabeta time=1h"] {
        let mut session = session("othello").expect("a game");
        let stop = session.stop_handle();
        let started = Instant::now();
        let (tell, told) = std::sync::mpsc::channel();
        let request = request(name);
        let thinking = std::thread::spawn(move || {
            let mut look = |snapshot: &mut Snapshot| {
                let _ = tell.send(snapshot.simulations());
                true
            };
            session.analyse(&request, &mut look).map(|report| (report, session))
        });
        told.recv().expect("it thinks");
        stop.stop();
        let (report, mut session) = thinking.join().expect("no panic").expect("a report");
        assert_eq!(report.stopped, Stopped::Handle, "{name}");
        assert!(started.elapsed() < Duration::from_secs(600), "{name}");
        let again = session.think(&agent("uct simulations=500"), &mut ()).expect("a report");
        assert_eq!((again.stopped, stop.is_stopped()), (Stopped::Simulations, false), "{name}");
    }
}

/// A handle that was stopped before the search stops it at once, unless it is rearmed.
#[test]
fn stopped_before_it_starts() {
    let mut session = session("connect-four").expect("a game");
    let stop = session.stop_handle();
    stop.stop();
    let report = session.think(&agent("uct time=1h"), &mut ()).expect("a report");
    assert_eq!((report.stopped, report.best.is_some()), (Stopped::Handle, true));
    assert!(report.simulations < 10, "{}", report.simulations);
    stop.stop();
    let error = session.think(&agent("exact"), &mut ()).expect_err("nothing is solved at once").to_string();
    assert!(!error.contains('\n') && error.starts_with("exact: "), "{error}");
    stop.stop();
    stop.rearm();
    let report = session.think(&agent("uct simulations=500"), &mut ()).expect("a report");
    assert_eq!(report.stopped, Stopped::Simulations);
}
