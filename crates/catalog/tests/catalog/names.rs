//! Names of agents and games: a printed name reads back the same, and a wrong one gives an error of one line.

use aji_catalog::{AgentName, GAMES, Method, read_rule, session};
use aji_games::Sailing;
use aji_search::bandit::AnyRule;
use aji_search::{Budget, Rng, Search, Stopped, Utility};
use proptest::prelude::*;

/// The name of any rule that works with every other option, with random settings in either order.
fn rule() -> impl Strategy<Value = String> {
    let rules: Vec<AnyRule> = AnyRule::all().into_iter().filter(|rule| !rule.wants_amaf()).collect();
    any::<u64>().prop_map(move |seed| {
        let mut rng = Rng::seeded(seed);
        let mut rule = rules[rng.below(rules.len())].with_examples(&mut rng);
        let mut pairs = Vec::new();
        rule.settings(&mut |key, _, setting| {
            pairs.extend(setting.show().map(|value| format!("{key}={value}")))
        });
        if rng.below(2) == 0 {
            pairs.reverse();
        }
        let word = rule.about().word;
        if pairs.is_empty() { word.to_string() } else { format!("{word}({})", pairs.join(",")) }
    })
}

fn pair() -> impl Strategy<Value = String> {
    prop_oneof![
        rule().prop_map(|rule| format!("root={rule}")),
        rule().prop_map(|rule| format!("below={rule}")),
        (1u32..4096).prop_map(|depth| format!("depth={depth}")),
        (0f32..1.0).prop_map(|epsilon| format!("playout=epsilon(epsilon={epsilon})")),
        (0u32..1000).prop_map(|plies| format!("cutoff={plies}")),
        prop_oneof!["pulls", "mean", "posterior"].prop_map(|word| format!("recommend={word}")),
        prop_oneof!["win", "points"].prop_map(|word| format!("unit={word}")),
        prop_oneof!["on", "off"].prop_map(|word| format!("solver={word}")),
        (1u64..).prop_map(|count| format!("simulations={count}")),
        (1u64..1_000_000).prop_map(|time| format!("time={time}ms")),
        (1u64..10_000).prop_map(|memory| format!("memory={memory}MB")),
        any::<u64>().prop_map(|seed| format!("seed={seed}")),
    ]
}

/// The options of a search with a network.
fn network_pair() -> impl Strategy<Value = String> {
    prop_oneof![
        rule().prop_map(|rule| format!("root={rule}")),
        rule().prop_map(|rule| format!("below={rule}")),
        "[./a-z=]{1,9}".prop_map(|path| format!("net={path}")),
        prop_oneof!["on", "off"].prop_map(|word| format!("symmetries={word}")),
        (0.01f32..=1.0).prop_map(|lambda| format!("lambda={lambda}")),
        (1usize..64).prop_map(|wave| format!("wave={wave}")),
        (1u64..).prop_map(|count| format!("simulations={count}")),
    ]
}

/// The options of alpha-beta, and those of every agent.
fn exact_pair(depth: bool) -> impl Strategy<Value = String> {
    let own = prop_oneof![
        (1u32..16_383).prop_map(|depth| format!("depth={depth}")),
        prop_oneof!["on", "off"].prop_map(|word| format!("eval={word}")),
    ];
    let common = prop_oneof![
        (1u64..).prop_map(|count| format!("simulations={count}")),
        (1u64..1_000_000).prop_map(|time| format!("time={time}ms")),
        (1u64..10_000).prop_map(|memory| format!("memory={memory}MB")),
        any::<u64>().prop_map(|seed| format!("seed={seed}")),
    ];
    (own, common, any::<bool>())
        .prop_map(move |(own, common, is_own)| if depth && is_own { own } else { common })
}

/// A preset and some pairs, each key at most once, in any order.
fn agent() -> impl Strategy<Value = String> {
    let agents = prop_oneof![
        (prop_oneof!["uct", "flat"], prop::collection::vec(pair(), 0..8)),
        (prop_oneof!["alphazero", "gumbel", "uct playout=net"], prop::collection::vec(network_pair(), 0..6)),
        (Just("alphabeta".to_string()), prop::collection::vec(exact_pair(true), 0..6)),
        (Just("exact".to_string()), prop::collection::vec(exact_pair(false), 0..4)),
    ];
    agents.prop_map(|(preset, pairs)| {
        let mut words = vec![preset];
        let mut keys = Vec::new();
        for pair in pairs {
            let key = pair.split('=').next().map(String::from);
            if !keys.contains(&key) {
                keys.push(key);
                words.push(pair);
            }
        }
        words.join(" ")
    })
}

proptest! {
    #[test]
    fn agents_print_and_read_back(text in agent()) {
        let agent: AgentName = text.parse().map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        let printed = agent.to_string();
        let back = printed.parse::<AgentName>();
        prop_assert_eq!(back.as_ref().map(AgentName::to_string), Ok(printed));
        prop_assert_eq!(back, Ok(agent));
    }

    #[test]
    fn commands_of_programs_print_and_read_back(program in "[./a-z]\\PC{0,6}", more in prop::collection::vec("\\PC{0,9}|['\"\\\\# ]{0,3}", 0..4), timeout in 1u64..100_000) {
        let mut words = vec![program];
        words.extend(more);
        let command = shlex::try_join(words.iter().map(String::as_str)).expect("no zeros");
        let text = format!("gtp(timeout={timeout}ms): {command}");
        let agent: AgentName = text.parse().map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
        prop_assert!(matches!(&agent.method, Method::Program(program) if program.command == words));
        prop_assert_eq!(agent.to_string().parse::<AgentName>(), Ok(agent));
    }

    #[test]
    fn nonsense_is_an_error_of_one_line(text in "\\PC{0,40}", junk in "[a-z=(),.0-9 -]{0,30}") {
        for agent in [text.clone(), format!("uct {junk}"), format!("uct root={junk}"), format!("flat playout={junk}"), format!("alphazero {junk}"), format!("gumbel net={junk}"), format!("alphabeta {junk}"), format!("exact {junk}"), format!("gtp{junk}"), format!("gtp: {text}")] {
            if let Err(error) = agent.parse::<AgentName>() {
                prop_assert_eq!(error.to_string().lines().count(), 1);
            }
        }
        for game in [text, format!("hex {junk}"), format!("nim heaps={junk}"), format!("mnk m={junk}"), format!("sum boards={junk}")] {
            if let Err(error) = session(&game) {
                prop_assert_eq!(error.to_string().lines().count(), 1);
            }
        }
    }

    #[test]
    fn positions_and_moves_never_panic(text in "[xo./ 0-9,pc-]{0,90}", name in "\\PC{0,6}") {
        for entry in GAMES {
            let mut session = session(entry.word).expect("a game of the catalog");
            if session.set_position(&text).is_ok() {
                let back = session.text();
                prop_assert!(session.set_position(&back).is_ok(), "{}: {} became {}", entry.word, text, back);
            }
            let _ = session.play(&name);
        }
    }
}

#[test]
fn every_rule_is_read_as_it_is_printed() {
    let mut rng = Rng::seeded(4);
    for rule in AnyRule::all() {
        assert_eq!(read_rule(rule.about().word), Ok(rule));
        for _ in 0..50 {
            let rule = rule.with_examples(&mut rng);
            assert_eq!(read_rule(&rule.to_string()), Ok(rule), "{rule}");
        }
    }
}

/// Every setting of a search alone. It may need another one, but it accepts the values that it lists.
#[test]
fn every_setting_of_a_search_is_read_and_printed() {
    let mut rng = Rng::seeded(5);
    for preset in ["uct", "rave", "flat"] {
        let agent: AgentName = preset.parse().expect("an agent");
        let Method::Search(mut search) = agent.method else { panic!("{preset} is a search") };
        search.settings(&mut |key, _, setting| {
            for _ in 0..20 {
                let text = format!("{preset} {key}={}", setting.example(&mut rng));
                match text.parse::<AgentName>() {
                    Ok(agent) => assert_eq!(agent.to_string().parse(), Ok(agent), "{text}"),
                    Err(error) => assert!(!error.to_string().contains("expected"), "{text}: {error}"),
                }
            }
        });
    }
}

/// Positions one edit away from a real one: refused, or sound enough to play on.
#[test]
fn broken_positions_are_refused_or_playable() {
    let mut rng = Rng::seeded(6);
    for entry in GAMES {
        let mut session = session(entry.word).expect("a game of the catalog");
        for _ in 0..300 {
            while !session.actions().is_empty() && rng.below(12) > 0 {
                let actions = session.actions();
                session.play(&actions[rng.below(actions.len())]).expect("a legal action");
            }
            let mut text: Vec<char> = session.text().chars().collect();
            let at = rng.below(text.len());
            text[at] = ['x', 'o', '.', '/', ' ', '1', '9', ','][rng.below(8)];
            if session.set_position(&text.iter().collect::<String>()).is_ok() {
                session.playouts(3, 1);
            }
            while session.undo() {}
        }
    }
}

#[test]
fn the_laws_hold_for_every_game_of_the_catalog() {
    for entry in GAMES {
        let session = session(entry.word).expect("a game of the catalog");
        let mut all = vec!["Game", "PartialEq", "Named", "Hashed", "Keyed"];
        let boards = ["tic-tac-toe", "mnk", "connect-four", "othello", "hex", "go", "breakthrough"];
        if boards.contains(&entry.word) {
            all.extend(["Encoded", "Symmetric"]);
        }
        if entry.word == "heap-go" {
            all.push("Encoded");
        }
        assert_eq!(session.check_laws(7), Ok(all), "{}", entry.word);
    }
}

#[test]
fn games_are_named_in_errors() {
    let check = |name: &str, expect: &str| {
        let error = session(name).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expect), "{name}: {error}");
    };
    check("", "the name of the game is empty");
    check("conect-four", "unknown game \"conect-four\"; did you mean connect-four?");
    check("chess", "unknown game \"chess\"; known: tic-tac-toe, mnk,");
    check("hex size=20", "game hex: size=20: expected a whole number from 2 to 19");
    check("hex sise=5", "unknown option of game hex: \"sise\"; did you mean size?");
    check("othello size=5", "game othello: size=5: expected 4 or 6 or 8");
    check("breakthrough size=6", "game breakthrough takes no options, found \"size=6\"");
    check("nim heaps=", "expected sizes of heaps, separated by commas");
    check("nim heaps=0,0", "all heaps are empty");
    check("nim heaps=2000", "heap 1 has 2000 objects: expected at most 1000");
    check("nim misere=yes", "expected on or off");
    check("domineering rows=9", "game domineering: rows=9: expected a whole number from 1 to 8");
    check("clobber colums=3", "unknown option of game clobber: \"colums\"; did you mean columns?");
    check("clobber first=x", "game clobber: first=x: expected left or right");
    check(
        "toads-and-frogs toads=4 gap=3",
        "game toads-and-frogs: toads=4 gap=3 frogs=3 make 10 cells a row: expected 1 to 8",
    );
    check("toads-and-frogs toads=0 gap=0 frogs=0", "make 0 cells a row: expected 1 to 8");
    check("sum game=go", "game sum: game=go: expected domineering or clobber or toads-and-frogs");
    check("sum boards=../..+.x", "game sum: board 2: row 1 \".x\": expected # or . at b1, found x");
    check(
        "sum game=clobber boards=x/oo",
        "game sum: row 1 \"oo\": expected 1 cells as in the row on top, found 2",
    );
    check("sum boards=", "game sum: row 1 \"\": expected 1 to 8 cells, found 0");
    check("pig goal=5", "game pig: goal=5: expected a whole number from 10 to 200");
    check("pig players=5", "expected a whole number from 2 to 4");
    check("sailing wind=8", "expected a whole number from 0 to 7");
    check("sailing size=1", "expected a whole number from 2 to 40");
    check("2048 seed=x", "game 2048: seed=x: expected a whole number from 0");
    check("canadian-traveller vertices=2", "expected a whole number from 3 to 20");
    check("canadian-traveller blocked=2", "blocked=2: expected a number from 0 to 1");
}

/// Options of games take numbers as people write them. A comma separates the heaps of Nim.
#[test]
fn numbers_of_games_as_people_write_them() {
    for (game, plain) in [
        ("nim heaps=1e1,2_0,0.03k", "nim heaps=10,20,30"),
        ("go komi=65e-1", "go komi=6.5"),
        ("heap-go heaps=1e1 counters=1_0 weights=1e0..1k", "heap-go heaps=10 counters=10 weights=1..1000"),
        ("hex size=1e1", "hex size=10"),
        ("2048 seed=1,000,000", "2048 seed=1000000"),
        ("canadian-traveller blocked=.25", "canadian-traveller blocked=0.25"),
    ] {
        let text = |name: &str| session(name).unwrap_or_else(|error| panic!("{name}: {error}")).text();
        assert_eq!(text(game), text(plain), "{game}");
    }
}

/// The library's search and the catalog's use the same utility for one player, and find the same.
#[test]
fn the_search_of_the_library_is_that_of_the_catalog() {
    let mut library = Search::new(Sailing::new(3, 0)).seed(1);
    let found = library.run(Budget::simulations(500));
    let mut session = session("sailing size=3").expect("a game of the catalog");
    let agent = "uct simulations=500 seed=1".parse().expect("an agent");
    let report = session.think(&agent, &mut ()).expect("a report");
    let of_library: Vec<(u32, f32)> = found.arms.iter().map(|arm| (arm.pulls, arm.mean)).collect();
    let of_catalog: Vec<(u32, f32)> = report.arms.iter().map(|arm| (arm.pulls, arm.mean)).collect();
    assert_eq!(of_library, of_catalog);
    let mut for_wins = Search::new(Sailing::new(3, 0)).seed(1).utility(Utility::Win);
    assert_eq!(for_wins.run(Budget::simulations(500)).value, Some(0.0), "minutes are never won");
    assert!(found.value > Some(0.3));
}

/// Scores of 2048 take up a thousandth of their range. A prior of one win and one loss made the least pulled move the
/// best by far. A prior of two pulls with the root's mean does not.
#[test]
fn small_scores_are_recommended_by_their_means() {
    let searches =
        ["root=halving", "root=kg", "root=halving threads=2", "recommend=posterior transpositions=on"];
    for search in searches {
        let mut session = session("2048").expect("a game of the catalog");
        let agent = format!("uct c=5000 {search} unit=points simulations=400");
        let report = session.think(&agent.parse().expect("an agent"), &mut ()).expect("a report");
        let sum = |pulls: u32, mean: f32| f64::from(pulls) * f64::from(mean);
        let all: f64 = report.arms.iter().map(|arm| sum(arm.pulls, arm.mean)).sum();
        let pulls: u32 = report.arms.iter().map(|arm| arm.pulls).sum();
        let imagined = all / f64::from(pulls);
        let rank = |pulls: u32, mean: f32| (sum(pulls, mean) + 2.0 * imagined) / (f64::from(pulls) + 2.0);
        let best = report.arms.iter().max_by(|a, b| rank(a.pulls, a.mean).total_cmp(&rank(b.pulls, b.mean)));
        assert_eq!(report.best, best.map(|arm| arm.action.clone()), "{agent}: {:?}", report.arms);
        let least = report.arms.iter().min_by_key(|arm| arm.pulls).expect("an arm");
        assert_ne!(report.best.as_ref(), Some(&least.action), "{agent}: {:?}", report.arms);
    }
}

/// Sailing has no wins, so only points tell its actions apart.
#[test]
fn one_player_plays_for_points() {
    let value = |agent: &str| {
        let mut session = session("sailing size=3").expect("a game of the catalog");
        let agent = agent.parse().expect("an agent");
        session.think(&agent, &mut ()).expect("a report").value.expect("a value")
    };
    assert_eq!(value("uct"), value("uct unit=points"));
    assert!(value("uct") > 0.3);
    assert_eq!(value("uct unit=win"), 0.0);
}

#[test]
fn chance_is_drawn_where_it_is_due() {
    let mut session = session("pig").expect("a game of the catalog");
    let mut rng = Rng::seeded(1);
    assert_eq!(session.draw_chance(&mut rng), None);
    let mut faces = std::collections::BTreeSet::new();
    for _ in 0..100 {
        session.play("roll").expect("a legal action");
        faces.extend(session.draw_chance(&mut rng));
        assert!(session.undo() && session.undo());
    }
    assert_eq!(faces.into_iter().collect::<Vec<_>>().join(""), "123456");
}

#[test]
fn sums_are_played_board_by_board() {
    let mut session =
        session("sum game=toads-and-frogs boards=T.F+TT.FF first=right").expect("a game of the catalog");
    assert_eq!(session.text(), "T.F + TT.FF Right");
    assert_eq!(session.actions(), ["1:c1-b1", "2:d1-c1"]);
    assert_eq!(session.play("c1-b1"), Ok("1:c1-b1".into()));
    assert_eq!((session.text().as_str(), session.player_name(1).as_str()), ("TF. + TT.FF Left", "Right"));
    let error = session.set_position("T.F Left").unwrap_err().to_string();
    assert!(error.ends_with("position \"T.F\": expected 2 boards separated by +, found 1"), "{error}");
    assert_eq!(session.set_position("... + ..F.. left"), Ok(()));
    assert_eq!(session.payoff().map(|payoff| payoff.of(1)), Some(1.0));
}

#[test]
fn moves_can_be_shortened_if_they_stay_clear() {
    let mut session = session("breakthrough").expect("a game of the catalog");
    let error = session.play("b3").unwrap_err().to_string();
    assert!(error.contains("ambiguous: it could be") && error.contains("a2b3"), "{error}");
    assert_eq!(session.play("A2A3"), Ok("a2a3".into()));
    assert!(session.play("a9").unwrap_err().to_string().contains("is not legal here; legal: "));
}

/// An agent that does not suit a game says why, in one line, and what it plays.
#[test]
fn agents_that_do_not_suit_a_game_say_so() {
    let check = |game: &str, agent: &str, expect: &str| {
        let mut session = session(game).expect("a game of the catalog");
        let agent: AgentName = agent.parse().expect("an agent");
        let error = session.think(&agent, &mut ()).map(|_| ()).unwrap_err().to_string();
        assert!(error.contains(expect) && !error.contains('\n'), "{game}, {agent}: {error}");
    };
    check(
        "nim players=3",
        "alphabeta",
        "alphabeta: nim players=3 has 3 players; it plays two-player zero-sum games without chance",
    );
    check("hex", "alphabeta eval=on", "alphabeta: eval=on needs a heuristic, and hex has none");
    check("domineering", "thermo", "thermo: a part of domineering is too large for its thermograph");
    check("othello", "exact memory=1MB", "exact: othello has more than ");
    check("othello", "exact memory=1MB", "the limit by memory=1MB; give more, or use alphabeta depth=8");
    check("connect-four", "exact simulations=50", "exact simulations=50: the budget ended after ");
}

#[test]
fn exact_play_through_a_session() {
    let think = |game: &str, agent: &str| {
        let mut session = session(game).expect("a game of the catalog");
        session.think(&agent.parse().expect("an agent"), &mut ()).expect("a report")
    };
    let report = think("tic-tac-toe", "exact");
    assert_eq!((report.value, report.stopped, report.line.len()), (Some(0.5), Stopped::Solved, 9));
    let report = think("nim heaps=3,4,5 players=3", "exact");
    assert_eq!((report.arms.len(), report.stopped), (12, Stopped::Solved));
    let report = think("mnk m=4 n=3 k=3", "alphabeta depth=12");
    assert_eq!((report.value, report.stopped), (Some(1.0), Stopped::Solved));
    // The second player wins these two, whether Left or Right begins.
    for first in ["left", "right"] {
        let report = think(&format!("domineering rows=5 columns=5 first={first}"), "alphabeta depth=25");
        assert_eq!((report.value, report.stopped), (Some(0.0), Stopped::Solved), "{first}");
        let report = think(&format!("sum game=clobber boards=xoxoxo first={first}"), "exact");
        assert_eq!((report.value, report.stopped), (Some(0.0), Stopped::Solved), "{first}");
    }
    let report = think("toads-and-frogs toads=2 gap=1 frogs=2", "exact");
    assert_eq!((report.value, report.line.join(" ")), (Some(1.0), "b1-c1 d1-b1 c1-d1 e1-c1 d1-e1".into()));
    let report = think("othello", "alphabeta depth=4 memory=1MB");
    assert_eq!((report.stopped, report.line.len()), (Stopped::Depth, 4));
    assert!(report.bytes <= 1_000_000 && report.simulations > 100);
    assert!(
        think("hex size=4", "alphabeta eval=off depth=3 memory=1kB").best.is_some(),
        "a table of no size"
    );
}

/// Sequential Halving keeps its rounds in a search too: with 1,000 pulls of seven arms, each arm gets 47, then 83, then
/// 166.
#[test]
fn halving_keeps_its_rounds_at_the_root() {
    let agent: AgentName = "uct root=halving simulations=1000 reuse=off".parse().expect("an agent");
    let report = session("connect-four").expect("a game").think(&agent, &mut ()).expect("a report");
    let mut pulls: Vec<u32> = report.arms.iter().map(|arm| arm.pulls).collect();
    pulls.sort_unstable();
    assert_eq!(pulls[..5], [47, 47, 47, 130, 130], "{pulls:?}");
}
