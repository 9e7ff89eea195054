//! Paired games: the same on any threads, fair to both sides, and told as they were.

use crate::common::Folder;
use aji_catalog::{AgentName, Workbench};
use aji_games::ConnectFour;
use aji_lab::contest::{
    Contest, ContestKind, Meeting, PairRecord, Plan, SavedGame, Standings, Tuning, saved_games,
};
use aji_lab::statistics::Sprt;
use aji_lab::{Ending, Header, Journal, JournalWriter, Runner};
use aji_search::Random;
use std::sync::atomic::{AtomicBool, Ordering};

fn agent(name: &str) -> AgentName {
    name.parse().unwrap_or_else(|error| panic!("{name}: {error}"))
}

fn contest(game: &str, a: &str, b: &str, pairs: u64) -> Contest {
    Contest::of_two(game, agent(a), agent(b), pairs).unwrap_or_else(|error| panic!("{error}"))
}

fn played(contest: &Contest, threads: usize) -> Vec<(u64, PairRecord)> {
    let runner = Runner { threads, seed: 5, ..Runner::default() };
    let enough = &mut |records: &[PairRecord]| contest.decided(records);
    let outcome = runner.run_until(contest, None, &(), &AtomicBool::new(false), enough);
    outcome.unwrap_or_else(|error| panic!("{error}")).records
}

fn meeting(contest: &Contest) -> Meeting {
    let records = played(contest, 2);
    Meeting::new(records.iter().map(|(_, record)| record)).expect("games")
}

#[test]
fn threads_change_nothing() {
    for game in ["connect-four", "pig goal=20", "sailing size=3"] {
        let plies = if game.starts_with("sailing") { 0 } else { 3 };
        let contest = contest(game, "uct simulations=60", "uct c=0.3 simulations=30", 6).openings(plies);
        let contest = contest.unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(played(&contest, 1), played(&contest, 3), "{game}");
    }
}

/// Both games of a pair begin alike, with the sides swapped, and the openings differ from pair to pair.
#[test]
fn pairs_are_fair() {
    let contest = contest("connect-four", "uct simulations=50", "random", 8).openings(4).unwrap();
    let records = played(&contest, 2);
    for (_, record) in &records {
        assert_eq!(record.opening.len(), 4);
        assert_eq!([&record.games[0].agents, &record.games[1].agents], [&[0, 1], &[1, 0]]);
        for game in &record.games {
            assert_eq!(game.choices.iter().sum::<u64>(), game.moves.len() as u64);
            assert_eq!(game.payoffs.iter().sum::<f64>(), 0.0);
        }
    }
    let openings: std::collections::HashSet<_> = records.iter().map(|(_, record)| &record.opening).collect();
    assert!(openings.len() > 5, "{openings:?}");
}

/// A contest that begins at a later round plays what a longer one plays there.
#[test]
fn rounds_go_on() {
    let all = contest("connect-four", "uct simulations=30", "random", 6).openings(2).unwrap();
    let rest = contest("connect-four", "uct simulations=30", "random", 2).openings(2).unwrap().first_round(4);
    let (all, rest) = (played(&all, 2), played(&rest, 1));
    assert!(all[4..].iter().map(|(_, record)| record).eq(rest.iter().map(|(_, record)| record)));
}

/// A solver stops as soon as the game is proven. Whoever is to follow it spends as much in as many moves.
#[test]
fn samples_are_equalised() {
    let contest = contest("tic-tac-toe", "uct solver=on simulations=2000", "uct simulations=2000", 5);
    let contest = contest.equal_samples().unwrap();
    let [mut leader, mut follower, mut follower_moves] = [0; 3];
    for (_, record) in &played(&contest, 2) {
        for game in &record.games {
            let at = |agent| game.agents.iter().position(|&other| other == agent).unwrap();
            let (a, b) = (at(0), at(1));
            (leader, follower) = (leader + game.simulations[a], follower + game.simulations[b]);
            follower_moves += game.choices[b];
            // Who begins may be a move ahead, and every move takes one simulation at the least.
            assert!(game.simulations[b] <= game.simulations[a] + 2_010, "{game:?}");
        }
    }
    assert!(follower < 1_500 * follower_moves, "{follower} simulations in {follower_moves} moves");
    assert!(follower.abs_diff(leader) <= 2_000 * 10, "{leader} {follower}");
    let alone = Contest::of_two("sailing size=3", agent("uct"), agent("flat"), 1).unwrap();
    assert!(alone.equal_samples().is_err());
}

/// The same agent on both sides scores a half within its interval; a better one scores above.
#[test]
fn scores_are_believable() {
    let same = meeting(&contest("tic-tac-toe", "random", "random", 300));
    assert!(same.score.interval.contains(0.5) && same.score.interval.width() < 0.15, "{same:?}");
    let better = meeting(&contest("tic-tac-toe", "uct simulations=200", "random", 40));
    assert!(
        better.score.interval.low > 0.8 && better.margin.value > 0.6 && better.margin.value <= 1.0,
        "{better:?}"
    );
    assert_eq!(better.games.games(), 80);
    let points = better.games.wins as f64 + better.games.draws as f64 / 2.0;
    assert!((points / 80.0 - better.score.score).abs() < 1e-12, "{better:?}");
    // A kept tree does not count into the simulations of a move.
    assert_eq!(better.simulations, [200.0, 0.0]);
    assert!(better.carried[0] > 3.0 && better.carried[1] == 0.0, "{better:?}");
    let forgetful = meeting(&contest("tic-tac-toe", "uct simulations=200 reuse=off", "random", 4));
    assert_eq!((forgetful.simulations, forgetful.carried), ([200.0, 0.0], [0.0, 0.0]));
}

/// Who gets more on the same trip has won it.
#[test]
fn one_player_plays_against_the_other() {
    let meeting = meeting(&contest("sailing size=3", "uct c=0.3 simulations=500", "random", 20));
    assert!(meeting.score.interval.low > 0.5 && meeting.margin.value > 0.0, "{meeting:?}");
    assert_eq!(meeting.pairs.0[1] + meeting.pairs.0[3], 0, "one comparison a pair");
    let same = contest("sailing size=2", "exact", "exact", 4);
    let records = played(&same, 1);
    assert!(records.iter().all(|(_, record)| record.games[0].moves == record.games[1].moves));
}

/// Agents without chance play the same pair over and over, which is said.
#[test]
fn duplicates_are_counted() {
    let contest = contest("connect-four", "alphabeta depth=2", "alphabeta depth=3", 5);
    assert_eq!(meeting(&contest).duplicates, 8);
    let opened = contest.openings(4).unwrap();
    assert_eq!(meeting(&opened).duplicates, 0);
}

#[test]
fn a_decided_test_ends_a_match() {
    let sprt = Sprt::new(0.0, 100.0, 0.05, 0.05).unwrap();
    let match_of = |threads| {
        let contest = contest("tic-tac-toe", "uct simulations=100", "random", 1_000).sprt(sprt);
        let runner = Runner { threads, seed: 5, ..Runner::default() };
        let enough = &mut |records: &[PairRecord]| contest.decided(records);
        runner.run_until(&contest, None, &(), &AtomicBool::new(false), enough).unwrap()
    };
    let outcome = match_of(2);
    assert_eq!(outcome.ending, Ending::Enough);
    assert!(outcome.records.len() < 100, "{}", outcome.records.len());
    assert_eq!(outcome, match_of(1));
}

#[test]
fn tournaments_rank() {
    let agents = ["random", "uct simulations=200", "uct simulations=10"].map(agent).to_vec();
    let contest = Contest::round_robin("tic-tac-toe", agents, 20).unwrap();
    let records: Vec<PairRecord> = played(&contest, 2).into_iter().map(|(_, record)| record).collect();
    let standings = Standings::new(&contest, &records).unwrap();
    assert_eq!(standings.order, [1, 2, 0]);
    assert_eq!((standings.games.clone(), standings.points.iter().sum::<f64>()), (vec![80; 3], 120.0));
    let sum: f64 = standings.ratings.iter().map(|rating| rating.value).sum();
    assert!(sum.abs() < 1e-6 && standings.meetings.iter().all(Option::is_some), "{standings:?}");
    assert!(Standings::new(&contest, &[]).is_err());
}

/// With next to no simulations, more of them are better: the best is found at that end.
#[test]
fn tuning_finds_the_better_end() {
    let range = "simulations=2..64".parse().unwrap();
    let tuning =
        Tuning::new(&Workbench::new(), "tic-tac-toe", &agent("uct simulations=10"), range, 4, 60).unwrap();
    assert_eq!(tuning.values, [2.0, 6.0, 20.0, 64.0]);
    let records: Vec<PairRecord> = played(&tuning.contest, 2).into_iter().map(|(_, record)| record).collect();
    let tuned = tuning.tuned(&records, 1).unwrap();
    let scores: Vec<f64> = tuned.meetings.iter().map(|meeting| meeting.score.score).collect();
    assert!(scores[0] < 0.5 && scores[3] > 0.5 && tuned.best >= 2, "{scores:?}");
    let (best, interval) = (tuning.values[tuned.best], tuned.best_interval);
    assert!(interval.contains(best) && interval.low >= 20.0, "{tuned:?}");
}

/// Where all values play alike, or few games are played, any of them may be the best.
#[test]
fn tuning_is_not_sure_of_what_ties_or_of_little() {
    let interval = |name: &str, option: &str, rounds| {
        let tuning =
            Tuning::new(&Workbench::new(), "tic-tac-toe", &agent(name), option.parse().unwrap(), 3, rounds)
                .unwrap();
        let records: Vec<PairRecord> =
            played(&tuning.contest, 2).into_iter().map(|(_, record)| record).collect();
        let interval = tuning.tuned(&records, 1).unwrap().best_interval;
        (interval.low, interval.high)
    };
    assert_eq!(interval("alphabeta", "depth=9,10,11", 10), (9.0, 11.0));
    assert_eq!(interval("uct", "simulations=2,20,64", 9), (2.0, 64.0));
}

#[test]
fn saved_games_can_be_played_again() {
    let contest = contest("pig goal=15", "uct simulations=30", "random", 3).openings(2).unwrap();
    let saved = saved_games(&contest, 5, &played(&contest, 1));
    assert_eq!(saved.len(), 6);
    for game in &saved {
        assert_eq!(SavedGame::read(&game.line()), Ok(game.clone()));
        let mut boards = 0;
        game.replay(&Workbench::new(), &mut |_, _| boards += 1).unwrap();
        assert_eq!(boards, game.moves.len() + 1);
    }
    let check = |change: fn(&mut SavedGame), expect: &str| {
        let mut game = saved[0].clone();
        change(&mut game);
        let error = game.replay(&Workbench::new(), &mut |_, _| {}).unwrap_err().to_string();
        assert!(error.contains(expect) && !error.contains('\n'), "{error}");
    };
    check(|game| game.moves[1] = "fly".into(), "move 2: move \"fly\" is not legal here");
    check(|game| drop(game.moves.pop()), "the moves end before the game does");
    check(|game| game.payoffs.reverse(), "as the line says");
    check(|game| game.game = "chess".into(), "unknown game");
    assert!(SavedGame::read("{}").unwrap_err().to_string().contains("missing field"));
}

/// Of three and four players, every agent has every seat equally often, and who plays better scores more than half.
#[test]
fn three_and_four_players_meet() {
    for (game, players) in [("nim players=3 heaps=2,3,1", 3), ("pig players=4 goal=15", 4)] {
        let contest = contest(game, "uct simulations=150", "random", 12);
        let records = played(&contest, 2);
        assert_eq!(records, played(&contest, 1), "{game}");
        for (_, record) in &records {
            assert_eq!(record.games.len(), 2 * players);
            for seat in 0..players {
                let own = record.games.iter().filter(|game| game.agents[seat] == 0).count();
                assert_eq!(own, players, "seat {seat}");
            }
        }
        let meeting = Meeting::new(records.iter().map(|(_, record)| record)).expect("games");
        assert_eq!((meeting.rounds, meeting.score.games), (12, 24 * players as u64));
        assert!(meeting.score.interval.low > 0.5, "{game}: {:?}", meeting.score);
        for game in saved_games(&contest, 5, &records) {
            game.replay(&Workbench::new(), &mut |_, _| {}).unwrap();
        }
    }
}

/// The same agent twice is worth a half, whatever a seat is worth: the rotations cancel it.
#[test]
fn seats_cancel_of_three_players() {
    let contest = contest("nim players=3 heaps=1,1,1,1", "random", "random seed=2", 40);
    let meeting = meeting(&contest);
    // Every game has four plies, and the first of three players takes the last.
    assert_eq!(meeting.score.score, 0.5);
}

/// A game and an agent of a workbench meet ours, on any thread.
#[test]
fn own_games_and_agents_meet() {
    let workbench =
        Workbench::new()
            .game("short", |_| Ok(ConnectFour::new()))
            .agent("any", "any action", |_, rng, _| Ok(Box::new(Random(rng))));
    let agents = ["uct simulations=60", "any seed=3"].map(|name| workbench.agent_name(name).unwrap());
    let contest = Contest::on(&workbench, "short", agents.into(), vec![(0, 1)], 10).unwrap();
    let contest = contest.openings(2).unwrap();
    assert_eq!(played(&contest, 1), played(&contest, 3));
    assert!(meeting(&contest).score.score > 0.8);
    assert!(Contest::of_two("short", agent("uct"), agent("random"), 1).is_err());
}

#[test]
fn what_cannot_be_played_is_refused() {
    let check = |game: &str, a: &str, b: &str, expect: &str| {
        let error = Contest::of_two(game, agent(a), agent(b), 1).err().map(|error| error.to_string());
        assert!(error.as_ref().is_some_and(|error| error.contains(expect)), "{error:?}");
    };
    check("pig", "alphabeta", "random", "has chance");
    check("chess", "uct", "random", "unknown game");
    check("hex", "uct cutoff=3 eval=on", "random", "needs a heuristic");
    let none = Contest::of_two("hex", agent("uct"), agent("random"), 0).err();
    assert!(none.is_some_and(|error| error.to_string().contains("a pair of games")));
    let sailing = contest("sailing size=3", "uct", "random", 1).openings(2).err();
    assert!(sailing.is_some_and(|error| error.to_string().contains("no openings to balance")));
    let long = contest("tic-tac-toe", "random", "random", 1).openings(9).unwrap();
    let runner = Runner::default();
    let error = runner.run(&long, None, &(), &AtomicBool::new(false)).unwrap_err().to_string();
    assert!(error.contains("left a choice; give fewer plies, or none: --openings 0"), "{error}");
}

/// Counted game by game, a match has the same course in one run and in two, and ends where its test decides.
#[test]
fn a_course_is_counted_round_by_round() {
    // Close hypotheses: rounds that end between the order to stop and the stop must not decide the test.
    let test = Sprt::new(0.0, 40.0, 0.05, 0.05).unwrap();
    let contest = contest("tic-tac-toe", "uct simulations=30", "random", 120).sprt(test).named("match");
    let folder = Folder::new();
    let path = folder.file("match.jsonl");
    let runner = Runner { threads: 2, seed: 7, ..Runner::default() };
    let open = || JournalWriter::open(&path, runner.header(&contest), runner.shard).unwrap();
    let run = |most: u64, threads: usize, stop: &AtomicBool| {
        let mut course = contest.course();
        let runner = Runner { threads, ..runner.clone() };
        let ending = runner.run_each(&contest, Some(open()), &(), stop, &mut |trial, record| {
            if trial == course.rounds() {
                course.add(record);
            }
            if course.rounds() == most {
                stop.store(true, Ordering::Relaxed);
            }
            course.is_decided()
        });
        (ending.unwrap(), course)
    };
    let (ending, part) = run(4, 1, &AtomicBool::new(false));
    assert_eq!(ending, Ending::Stopped);
    let (ending, course) = run(u64::MAX, 2, &AtomicBool::new(false));
    assert_eq!(ending, Ending::Enough);
    assert!(course.is_decided() && (20..120).contains(&course.rounds()), "{course:?}");
    assert_eq!(part.points()[..4], course.points()[..4]);
    let last = *course.points().last().unwrap();
    let journal = Journal::read(&path).unwrap();
    let records: Vec<PairRecord> = journal.records().unwrap().into_iter().map(|(_, record)| record).collect();
    let meeting = Meeting::new(records.iter()).unwrap();
    assert_eq!(
        (last.games, last.score, last.interval),
        (meeting.score.games, meeting.score.score, meeting.score.interval)
    );
    assert_eq!(course.decision(), Some(test.of_pairs(meeting.pairs)));
    assert!(contest.decided(&records) && !contest.decided(&records[..records.len() - 1]));
    // The journal says enough to play on.
    let (kind, plan, rounds) = Plan::of_header(&journal.header).unwrap();
    assert_eq!((kind, rounds), (ContestKind::Match, 120));
    let again = plan.contest(&Workbench::new(), kind, rounds).unwrap();
    assert_eq!(runner.header(&again), journal.header);
}

#[test]
fn a_tuning_is_known_by_its_journal() {
    let header = |option: &str| {
        let tuning = Tuning::new(
            &Workbench::new(),
            "nim",
            &agent("uct simulations=10"),
            option.parse().unwrap(),
            3,
            5,
        );
        Runner::default().header(&tuning.unwrap().openings(1).unwrap().contest)
    };
    for option in ["simulations=2..64", "root=ucb1,voi", "c=0.5,1"] {
        let header = header(option);
        let (kind, plan, rounds) = Plan::of_header(&header).unwrap();
        assert_eq!((kind, rounds), (ContestKind::Tuning, 5));
        let grid = plan.grid().unwrap();
        assert_eq!(
            (grid.is_smooth, grid.option == "root"),
            (!option.starts_with("root"), option.starts_with("root"))
        );
        let again = plan.contest(&Workbench::new(), kind, rounds).unwrap();
        assert_eq!(Runner::default().header(&again), header);
    }
    let check = |change: fn(&mut Header), expect: &str| {
        let mut header = header("c=0.5,1");
        change(&mut header);
        let told = Plan::of_header(&header).and_then(|(kind, plan, rounds)| {
            plan.contest(&Workbench::new(), kind, rounds).map(|contest| contest.agents().len())
        });
        let error = told.unwrap_err().to_string();
        assert!(error.contains(expect), "{error}");
    };
    check(|header| header.experiment = "dice".into(), "a journal of dice; expected one of a match");
    check(|header| header.experiment = "match".into(), "do not fit");
    check(|header| header.trials = 3, "do not fit");
    check(|header| header.parameters["values"] = serde_json::json!(["1"]), "do not fit");
    check(|header| header.parameters["pairings"][0] = serde_json::json!([0, 9]), "do not fit");
    check(|header| header.parameters["colour"] = 1.into(), "unknown field `colour`");
    check(|header| header.parameters["agents"][0] = "uct   c=0.5".into(), "names of the game and its agents");
    check(|header| header.parameters["agents"][0] = "uct q=1".into(), "unknown option");
}
