//! Games of Go as files: written by hand, random games written and read, exchanged with sgfmill, and fuzzed texts.

use aji_games::{GoRecord, GoRules, GoStep, Ko, LargeGo, SmallGo, Stone, go_point_name};
use aji_search::{Game, Named, Player, Rng};
use proptest::prelude::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../../../fuzz/entries/sgf.rs"]
mod entry;

fn simple() -> GoRules {
    GoRules { ko: Ko::Simple, ..GoRules::default() }
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sgf")
}

fn file(name: &str) -> GoRecord {
    let text = fs::read_to_string(folder().join(name)).expect(name);
    GoRecord::read(&text).unwrap_or_else(|error| panic!("{name}: {error}"))
}

/// The last position of a file with a small board.
fn last(name: &str) -> String {
    file(name).position::<10, 111>(simple()).unwrap().text()
}

#[test]
fn comments_and_variations_are_passed_over() {
    let record = file("nine-with-variations.sgf");
    assert_eq!((record.size, record.komi, record.moves().count()), (9, Some(7.0), 18));
    assert_eq!((record.players, record.result.as_str()), (["Hana".into(), "Otto".into()], "B+2"));
    assert_eq!(
        last("nine-with-variations.sgf"),
        "........./........./........./....x.xx./...xxooo./...xo..../...xo..../.xxoo..../..oo..... x"
    );
}

#[test]
fn handicap_and_stones_that_are_put_later() {
    let record = file("handicap.sgf");
    assert_eq!((record.size, record.handicap, record.komi), (13, 4, Some(0.5)));
    assert_eq!(record.steps[..2], [GoStep::Put(Stone::Black, (3, 3)), GoStep::Put(Stone::Black, (9, 3))]);
    assert_eq!(record.steps[4..6], [GoStep::Turn(1), GoStep::Move(1, Some((2, 3)))]);
    // A pass is an empty value or tt.
    let passes: Vec<Player> =
        record.moves().filter(|(_, point)| point.is_none()).map(|(player, _)| player).collect();
    assert_eq!(passes, [0, 0]);
    let go: LargeGo = record.position(simple()).unwrap();
    assert_eq!((go.stone(8, 10), go.stone(7, 10)), (Stone::White, Stone::White));
    assert_eq!(go.mover(), 1);
}

#[test]
fn a_problem_has_its_first_player() {
    let record = file("problem.sgf");
    assert_eq!((record.size, record.komi, record.moves().count()), (19, None, 3));
    let stones =
        |stone| record.steps.iter().filter(|step| matches!(step, GoStep::Put(s, _) if *s == stone)).count();
    assert_eq!((stones(Stone::Black), stones(Stone::White)), (6, 8));
    assert_eq!(record.moves().next(), Some((0, Some((2, 0)))));
}

#[test]
fn headers_of_servers_and_programs() {
    let record = file("server-like.sgf");
    assert_eq!((record.komi, record.handicap, record.result.as_str()), (Some(6.5), 0, "W+6.50"));
    assert_eq!((record.moves().count(), record.rules.as_str()), (17, "Japanese"));
    let go: SmallGo = record.position(simple()).unwrap();
    assert_eq!(go.passes(), 2);
    let record = file("gui-like.sgf");
    assert_eq!((record.size, record.komi, record.players[1].as_str()), (5, Some(7.5), "aji"));
    assert!(record.position::<10, 111>(simple()).is_ok());
}

#[test]
fn texts_are_escaped_and_lines_end_any_way() {
    let record = file("escapes.sgf");
    assert_eq!(record.players, ["A]b [1k]", "back\\slash and a soft break"]);
    assert_eq!((record.rules.as_str(), record.komi), ("with:colon", Some(-3.5)));
    assert_eq!((record.size, record.moves().count()), (7, 3));
    let record = file("crlf.sgf");
    assert_eq!((record.players[0].as_str(), record.moves().count()), ("carriage return", 6));
    assert_eq!(last("crlf.sgf"), "...../.xo../.xo../.xo../..... x");
}

#[test]
fn older_files_are_read() {
    let record = file("old.sgf");
    assert_eq!((record.size, record.komi, record.moves().count()), (5, Some(5.5), 7));
    assert_eq!(record.players, ["First", "Second"]);
}

#[test]
fn much_is_forgiven() {
    let check = |text: &str, expect: &str| {
        let go: SmallGo = GoRecord::read(text)
            .and_then(|record| record.position(simple()))
            .unwrap_or_else(|e| panic!("{text}: {e}"));
        assert_eq!(go.text(), expect, "{text}");
    };
    check("(;SZ[3];B[BB];W[TT];B[ a\na ];PL[Black]", "x../.x./... x");
    check("(;SZ[3:3]AB[aa:ba]AW[][cc]HA[2];AE[aa])", ".x./.../..o o");
    check("\u{feff} \n(;SZ[ 3 ]KM[]PL[w])", ".../.../... o");
    check("(;SZ[3];B[bb]W[aa];W[ab])", "o../ox./... x");
    check("(;SZ[3];B[bb]C[name [2k]: unescaped];W[aa])", "o../.x./... x");
    // Later stones on a point replace earlier ones.
    check("(;SZ[3]AB[aa]AW[aa];AB[bb];AE[bb])", "o../.../... x");
    assert_eq!(GoRecord::read("(;SZ[9]KM[3.75])").unwrap().komi, Some(3.75));
    assert_eq!(GoRecord::read("(;B[aa])").unwrap().size, 19);
    assert_eq!(GoRecord::read("(;SZ[20];B[tt])").unwrap().moves().next(), Some((0, Some((19, 0)))));
}

#[test]
fn errors_say_what_would_be_right() {
    let check = |text: &str, expect: &str| {
        let found = GoRecord::read(text).and_then(|record| record.position::<26, 703>(simple()));
        assert_eq!(found.err().as_deref(), Some(expect), "{text}");
    };
    check("", "sgf: no game: expected (;GM[1]SZ[19];B[dd]...)");
    check("(;GM[2])", "sgf: a game other than Go: expected GM[1]");
    check("(;SZ[26])", "sgf: SZ[26]: expected a square board, 2 to 25");
    check("(;SZ[1])", "sgf: SZ[1]: expected a square board, 2 to 25");
    check("(;SZ[9:13])", "sgf: SZ[9:13]: expected a square board, 2 to 25");
    check("(;SZ[big])", "sgf: SZ[big]: expected a square board, 2 to 25");
    check("(;SZ[9];B[aa]\n;W[bb]C[open\n)", "sgf: line 2: a value is not closed: expected ]");
    check("(;SZ[9];B[aa];W[jj])", "sgf: after move 1: [jj]: expected a point of the 9x9 board, aa to ii");
    check("(;SZ[9];B[D4])", "sgf: B[D4]: expected one point, such as dd, or nothing for a pass");
    check("(;SZ[9]KM[much])", "sgf: KM[much]: expected a number of points, such as 6.5");
    check("(;SZ[9]KM[1e9])", "sgf: KM[1000000000]: expected a komi of at most 1000 points");
    check("(;SZ[9]PL[red])", "sgf: PL[red]: expected B or W");
    check("(;SZ[9];B[aa];W[aa])", "sgf: move 2, white A9: expected an empty point, found a stone");
    check("(;SZ[9]AB[ab][ba];W[aa])", "sgf: move 1, white A9: expected a liberty, as suicide is off");
    check(
        "(;SZ[5]AB[ba][ab][bc][bb]AW[ca][db][cc]AE[bb]AB[cb];W[bb];B[cb])",
        "sgf: move 2, black C4: a ko is not taken back at once",
    );
    check("(;SZ[2]AB[aa]AW[ab][ba])", "sgf: stones put after move 0: the stone at A2 has no liberty");
    let deep = "(".to_owned() + &";".repeat(GoRecord::NODES_MAX + 1);
    check(&deep, "sgf: line 1: expected at most 10000 nodes");
    assert!(GoRecord::read(&deep[..=GoRecord::NODES_MAX]).is_ok());
}

#[test]
fn a_position_is_read_from_a_game() {
    let go = SmallGo::new(5, GoRules { komi_halves: 3, ..simple() });
    let read = go.read("(;SZ[5]KM[7.5];B[cc];W[cd])").unwrap();
    let rules = GoRules { komi_halves: 15, ..simple() };
    assert_eq!((read.text().as_str(), read.rules()), ("...../...../..x../..o../..... x", rules));
    assert_eq!(go.read("(;SZ[5];B[cc])").unwrap().rules(), go.rules());
    assert_eq!(
        go.read("(;SZ[9])"),
        Err("sgf: size 9: expected 5, the board at hand, or a game of size=9".into())
    );
    let superko = LargeGo::new(19, GoRules::default());
    let text = fs::read_to_string(folder().join("problem.sgf")).unwrap();
    assert_eq!(superko.read(&text).unwrap().mover(), 1);
}

/// Also if the player to move is set among them.
#[test]
fn stones_between_moves_are_put_at_once() {
    let mut record = GoRecord::new(2);
    record.steps = vec![
        GoStep::Put(Stone::White, (1, 1)),
        GoStep::Put(Stone::Black, (0, 1)),
        GoStep::Put(Stone::White, (0, 0)),
        GoStep::Turn(1),
        GoStep::Put(Stone::Empty, (0, 0)),
    ];
    assert_eq!(record.position::<10, 111>(simple()).unwrap().text(), "xo/.. o");
}

/// Files may continue after a game is over, so the counts of passes and captures can reach their limits.
#[test]
fn long_records_are_replayed() {
    let passes = GoRecord::read(&("(;SZ[5]".to_owned() + &";B[];W[]".repeat(300) + ")")).unwrap();
    assert_eq!(passes.position::<10, 111>(simple()).unwrap().passes(), u8::MAX);
    // Black takes 624 stones again and again.
    let take = ";AW[aa:yx][ay:xy]AE[yy];B[yy]";
    let record = GoRecord::read(&("(;SZ[25]".to_owned() + &take.repeat(120) + ")")).unwrap();
    assert_eq!(record.position::<26, 703>(simple()).unwrap().captures(), [u16::MAX, 0]);
}

/// A random game, and the position at its end.
fn random_game(rng: &mut Rng, size: usize) -> (GoRecord, LargeGo) {
    let start = LargeGo::new(size, GoRules { komi_halves: rng.below(60) as i16 - 20, ..simple() });
    let (mut go, mut actions, mut moves) = (start.clone(), Vec::new(), Vec::new());
    for _ in 0..rng.below(2 * size * size) {
        actions.clear();
        go.actions(&mut actions);
        let Some(&action) = actions.get(rng.below(actions.len().max(1))) else { break };
        go.advance(action);
        moves.push(action);
    }
    (GoRecord::of(&start, &moves), go)
}

#[test]
fn games_that_are_written_end_where_they_did() {
    let mut rng = Rng::seeded(7);
    for number in 0..200 {
        let (record, go) = random_game(&mut rng, 2 + number % 24);
        let read = GoRecord::read(&record.write()).unwrap();
        assert_eq!(read, record);
        assert_eq!(read.position(go.rules()), Ok(go.clone()));
        assert!(record.write().lines().all(|line| line.len() <= 78));
        // A record that starts from the final position.
        let again = GoRecord::of(&go, &[]).position::<26, 703>(go.rules()).unwrap();
        assert_eq!((again.board(), again.mover()), (go.board(), go.mover()));
    }
}

/// The text that the Python script writes about a game, made from our board.
fn told(record: &GoRecord) -> String {
    let go: LargeGo = record.position(simple()).unwrap();
    let komi = record.komi.map_or("-".into(), |komi| GoRules::halves(komi).to_string());
    let [black, white] = &record.players;
    let mut lines = format!(
        "size {}\nkomi {komi}\nhandicap {}\nblack {black}\nwhite {white}\nresult {}\nrules {}\n",
        record.size, record.handicap, record.result, record.rules
    );
    for (player, point) in record.moves() {
        let name = point.map_or("pass".into(), go_point_name);
        lines += &format!("{} {name}\n", ["b", "w"][usize::from(player)]);
    }
    let rows = go.text().split(' ').next().unwrap().replace('/', "\n");
    lines + &format!("{rows}\narea {}\n", go.area())
}

/// sgfmill reads our games as we do, and we read them the same after sgfmill has rewritten them. We read sgfmill's own
/// games as it does.
#[test]
fn sgfmill_agrees() {
    const GAMES: usize = 150;
    let Some(python) = std::env::var_os("AJI_PYTHON") else {
        panic!("AJI_PYTHON is not set: run ./check, which makes a Python with sgfmill (or set it to one)");
    };
    let room = Path::new(env!("CARGO_TARGET_TMPDIR")).join("sgfmill");
    let _ = fs::remove_dir_all(&room);
    fs::create_dir_all(&room).unwrap();
    let mut rng = Rng::seeded(11);
    let mut records: Vec<(String, GoRecord)> = (0..GAMES)
        .map(|number| (format!("ours-{number}"), random_game(&mut rng, 2 + number % 24).0))
        .collect();
    for name in FILES {
        records.push((format!("written-{name}"), file(&format!("{name}.sgf"))));
    }
    records.iter().for_each(|(name, record)| {
        fs::write(room.join(name).with_extension("sgf"), record.write()).unwrap();
    });
    // The hand-written files as they are, except the one with which sgfmill is stricter.
    for name in FILES.iter().filter(|name| **name != "old") {
        fs::copy(folder().join(name).with_extension("sgf"), room.join(name).with_extension("sgf")).unwrap();
        records.push(((*name).into(), file(&format!("{name}.sgf"))));
    }
    let mut script = Command::new(python);
    script.arg(folder().join("check_with_sgfmill.py")).arg(&room).args([GAMES.to_string().as_str(), "5"]);
    let output = script.output().expect("AJI_PYTHON runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let read = |name: &str| fs::read_to_string(room.join(name)).expect(name);
    for (name, record) in &records {
        assert_eq!(read(&format!("{name}.told")), told(record), "{name}");
        let again = GoRecord::read(&read(&format!("{name}.again.sgf"))).unwrap();
        assert_eq!(&again, record, "{name}");
    }
    for number in 0..GAMES {
        let record = GoRecord::read(&read(&format!("own-{number}.sgf"))).unwrap();
        assert_eq!(read(&format!("own-{number}.told")), told(&record), "own-{number}");
    }
}

const FILES: [&str; 8] =
    ["nine-with-variations", "handicap", "problem", "server-like", "gui-like", "escapes", "crlf", "old"];

/// The fuzzer's corpus, and mutations of it by a seeded generator.
#[test]
fn whatever_is_read() {
    const MUTATIONS: usize = 3_000;
    let corpus = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/corpus/sgf");
    let mut paths: Vec<PathBuf> = fs::read_dir(corpus).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    let texts: Vec<Vec<u8>> = paths.iter().map(|path| fs::read(path).unwrap()).collect();
    assert!(texts.len() >= 8);
    texts.iter().for_each(|text| entry::check(text));
    let mut rng = Rng::seeded(1);
    for _ in 0..MUTATIONS {
        let mut text = texts[rng.below(texts.len())].clone();
        for _ in 0..1 + rng.below(6) {
            mutate(&mut text, &texts, &mut rng);
        }
        entry::check(&text);
    }
}

fn mutate(text: &mut Vec<u8>, texts: &[Vec<u8>], rng: &mut Rng) {
    const WORDS: [&str; 14] =
        ["(", ")", ";", "[", "]", "\\", "AB[", "PL[W]", ";B[aa]", "SZ[2]", "tt", ":", "\r\n", "KM[-1.5]"];
    if text.is_empty() {
        text.push(b'(');
    }
    let at = rng.below(text.len());
    let end = (at + rng.below(20)).min(text.len());
    match rng.below(5) {
        0 => text[at] = rng.below(128) as u8,
        1 => drop(text.drain(at..end)),
        2 => drop(text.splice(at..at, WORDS[rng.below(WORDS.len())].bytes())),
        3 => {
            let copy = text[at..end].to_vec();
            drop(text.splice(at..at, copy));
        }
        _ => {
            let other = &texts[rng.below(texts.len())];
            let from = rng.below(other.len());
            let part = &other[from..(from + rng.below(40)).min(other.len())];
            drop(text.splice(at..end, part.iter().copied()));
        }
    }
}

fn step(size: usize) -> impl Strategy<Value = GoStep> {
    let point = (0..size, 0..size);
    let stone = prop_oneof![Just(Stone::Black), Just(Stone::White), Just(Stone::Empty)];
    prop_oneof![
        4 => (0..2 as Player, proptest::option::weighted(0.9, point.clone()))
            .prop_map(|(player, point)| GoStep::Move(player, point)),
        2 => (stone, point).prop_map(|(stone, point)| GoStep::Put(stone, point)),
        1 => (0..2 as Player).prop_map(GoStep::Turn),
    ]
}

prop_compose! {
    fn record()(size in 2usize..=25)(
        size in Just(size),
        komi in proptest::option::of((-4_000i16..=4_000).prop_map(|quarters| f64::from(quarters) / 4.0)),
        handicap in prop_oneof![Just(0u16), 2u16..10],
        players in ["[^\\s\\x00]{0,12}", "[\\]\\[\\\\:;()a ]{0,12}"],
        (result, rules) in ("[BW]\\+[0-9R]", "[A-Z\\]\\\\]{0,8}"),
        steps in proptest::collection::vec(step(size), 0..60),
    ) -> GoRecord {
        let players = players.map(|name| name.trim().to_owned());
        GoRecord { size, komi, handicap, players, result, rules, steps }
    }
}

proptest! {
    /// Steps in one node have no order, so the first reading puts them into one.
    #[test]
    fn what_is_written_is_read(record in record()) {
        let read = GoRecord::read(&record.write()).unwrap();
        prop_assert_eq!(&GoRecord::read(&read.write()).unwrap(), &read);
        prop_assert!(read.moves().eq(record.moves()));
        let plain = |record: &GoRecord| GoRecord { steps: Vec::new(), ..record.clone() };
        prop_assert_eq!(plain(&read), plain(&record));
        prop_assert_eq!(read.position::<26, 703>(simple()), record.position::<26, 703>(simple()));
    }

    #[test]
    fn no_text_is_a_panic(text in "[()\\[\\];:\\\\ABWSZKMHPLEacst0-9. \n]{0,200}") {
        entry::check(format!("(;{text}").as_bytes());
    }
}
