//! The rules of Go against GNU Go: random games that both play, over the Go Text Protocol.
//!
//! At some positions the test asks GNU Go for the legal moves of the player to move, the stones on the board, and the
//! captures of each player. All must be the same as ours. At the end of a game it compares scores.
//!
//! GNU Go's `final_score` first removes dead stones, which our area does not. So the game goes on until neither player
//! has anything left but eyes. Then our area must equal a count of the stones, in which each empty point goes to the
//! only colour next to it. If each chain also has two eyes of its own, GNU Go cannot call it dead, and its
//! `final_score` must be equal too.

use aji_games::{Go, GoMove, GoRules, Ko, Stone};
use aji_search::{Game, Named, Player, Rng, Turn};
use std::collections::{BTreeSet, HashSet};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// The program and both ends of its pipe. Many commands are written before the first answer is read.
struct GnuGo {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
}

impl GnuGo {
    fn open(rules: GoRules) -> GnuGo {
        let ko = match rules.ko {
            Ko::Simple => "--simple-ko",
            Ko::Positional => "--positional-superko",
            Ko::Situational => "--situational-superko",
        };
        let suicide = if rules.suicide { "--allow-all-suicide" } else { "--forbid-suicide" };
        let told = std::env::var_os("AJI_GNUGO");
        // Debian's folder of games is not on every PATH.
        let places = told.into_iter().chain(["gnugo".into(), "/usr/games/gnugo".into()]);
        let child = places.into_iter().find_map(|place| {
            let mut command = Command::new(place);
            command.args(["--mode", "gtp", "--chinese-rules", "--level", "0", ko, suicide]);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().ok()
        });
        let mut child = child.expect("GNU Go is not here: run ./check, which installs it");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("an output"));
        GnuGo { child, input, output: BufReader::new(output) }
    }

    /// Sends these commands, and returns the answers in order.
    fn ask(&mut self, commands: &[String]) -> Vec<String> {
        let mut input = self.input.take().expect("an input");
        let text = commands.join("\n") + "\n";
        // Answers can fill the pipe before all commands are written, so another thread writes.
        std::thread::scope(|scope| {
            let writer = scope.spawn(move || {
                input.write_all(text.as_bytes()).and_then(|()| input.flush()).expect("GNU Go listens");
                input
            });
            let answers = commands.iter().map(|command| self.answer(command)).collect();
            self.input = Some(writer.join().expect("written"));
            answers
        })
    }

    fn answer(&mut self, command: &str) -> String {
        let mut answer = String::new();
        loop {
            let mut line = String::new();
            let length = self.output.read_line(&mut line).expect("an answer");
            assert!(length > 0, "GNU Go ended at {command}");
            if line.trim().is_empty() && !answer.is_empty() {
                let said = answer.strip_prefix('=').unwrap_or_else(|| panic!("{command}: {answer}"));
                return said.trim().to_owned();
            }
            answer += line.trim_start();
        }
    }
}

impl Drop for GnuGo {
    fn drop(&mut self) {
        self.input = None;
        let _ = self.child.wait();
    }
}

/// The expected answer to a command.
enum Expect {
    Nothing,
    /// Exactly these points. Points of the second set may be in the answer or not.
    Points(BTreeSet<String>, BTreeSet<String>),
    Text(String),
}

/// The commands and expected answers of one game.
#[derive(Default)]
struct Script {
    commands: Vec<String>,
    expect: Vec<Expect>,
    /// Points that superko alone forbids.
    repeats: usize,
}

impl Script {
    fn tell(&mut self, command: String) {
        self.ask(command, Expect::Nothing);
    }

    fn ask(&mut self, command: String, expect: Expect) {
        self.commands.push(command);
        self.expect.push(expect);
    }

    /// Asks about the position. GNU Go counts the stones of a suicide as captures by the other player; we do not.
    fn ask_position<const STRIDE: usize, const CELLS: usize>(
        &mut self,
        go: &Go<STRIDE, CELLS>,
        suicides: [usize; 2],
    ) {
        let points = all_points(go);
        let (apart, points_asked): (Vec<_>, Vec<_>) = points.iter().partition(|point| is_apart(go, **point));
        let legal = points_asked.iter().filter(|point| go.is_legal(**point));
        let expect = Expect::Points(names::<STRIDE, CELLS>(legal), names::<STRIDE, CELLS>(apart.iter()));
        self.ask(format!("all_legal {}", COLOURS[usize::from(go.mover())]), expect);
        for (player, colour) in COLOURS.into_iter().enumerate() {
            let stones = points.iter().filter(|point| stone(go, **point) == Stone::of(player as u8));
            self.ask(
                format!("list_stones {colour}"),
                Expect::Points(names::<STRIDE, CELLS>(stones), BTreeSet::new()),
            );
            let captures = usize::from(go.captures()[player]) + suicides[1 - player];
            self.ask(format!("captures {colour}"), Expect::Text(captures.to_string()));
        }
    }
}

const COLOURS: [&str; 2] = ["black", "white"];

fn all_points<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>) -> Vec<GoMove> {
    let size = go.size();
    (0..size * size).map(|at| go.point(at % size, at / size).expect("a point")).collect()
}

fn stone<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, point: GoMove) -> Stone {
    let (column, row) = Go::<STRIDE, CELLS>::column_and_row(point).expect("a point");
    go.stone(column, row)
}

fn stones<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, player: Player) -> usize {
    all_points(go).into_iter().filter(|point| stone(go, *point) == Stone::of(player)).count()
}

fn names<'a, const STRIDE: usize, const CELLS: usize>(
    points: impl Iterator<Item = &'a GoMove>,
) -> BTreeSet<String> {
    points.map(|point| Go::<STRIDE, CELLS>::point_name(*point)).collect()
}

fn neighbours<const STRIDE: usize, const CELLS: usize>(
    go: &Go<STRIDE, CELLS>,
    point: GoMove,
) -> impl Iterator<Item = GoMove> {
    let (column, row) = Go::<STRIDE, CELLS>::column_and_row(point).expect("a point");
    let near =
        [(column.wrapping_sub(1), row), (column + 1, row), (column, row.wrapping_sub(1)), (column, row + 1)];
    near.into_iter().filter_map(|(column, row)| go.point(column, row))
}

/// Whether a stone played there takes itself off.
fn is_suicide<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, point: GoMove) -> bool {
    let mut after = go.clone();
    after.advance(point);
    stone(&after, point) == Stone::Empty
}

/// Superko forbids a suicide that repeats a position. A single stone's suicide repeats the current one. GNU Go does not
/// detect this.
fn is_apart<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, point: GoMove) -> bool {
    go.rules().suicide
        && go.rules().ko != Ko::Simple
        && stone(go, point) == Stone::Empty
        && is_suicide(go, point)
}

/// The only colour next to an empty point.
fn owner<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, point: GoMove) -> Option<Stone> {
    let mut near = neighbours(go, point).map(|near| stone(go, near));
    let first = near.next()?;
    near.all(|other| other == first).then_some(first).filter(|stone| stone.player().is_some())
}

/// Black's points minus White's; `None` unless each empty point is next to one colour only.
fn counted<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>) -> Option<i32> {
    all_points(go)
        .into_iter()
        .map(|point| match stone(go, point) {
            Stone::Empty => owner(go, point),
            stone => Some(stone),
        })
        .map(|owner| owner.map(|stone| if stone == Stone::Black { 1 } else { -1 }))
        .sum()
}

/// Whether each chain has two empty points next to it that touch no other chain: such a chain cannot be taken.
fn all_alive<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>) -> bool {
    let mut seen = HashSet::new();
    all_points(go).into_iter().filter(|point| stone(go, *point) != Stone::Empty).all(|point| {
        let chain = chain(go, point);
        let fresh = seen.insert(chain.iter().map(|point| Go::<STRIDE, CELLS>::point_name(*point)).min());
        let eyes = || {
            let near: HashSet<GoMove> = chain.iter().flat_map(|point| neighbours(go, *point)).collect();
            let empty = near.into_iter().filter(|point| stone(go, *point) == Stone::Empty);
            empty.filter(|eye| neighbours(go, *eye).all(|near| chain.contains(&near))).count()
        };
        !fresh || eyes() >= 2
    })
}

fn chain<const STRIDE: usize, const CELLS: usize>(go: &Go<STRIDE, CELLS>, point: GoMove) -> HashSet<GoMove> {
    let (mut chain, mut waiting) = (HashSet::from([point]), vec![point]);
    while let Some(next) = waiting.pop() {
        for near in neighbours(go, next) {
            if stone(go, near) == stone(go, point) && chain.insert(near) {
                waiting.push(near);
            }
        }
    }
    chain
}

/// A random game with at most two passes in a row. It first plays any legal moves, and later spares eyes, so that it ends.
fn script<const STRIDE: usize, const CELLS: usize>(
    rng: &mut Rng,
    sizes: &[usize],
    rules: GoRules,
) -> (Script, Go<STRIDE, CELLS>) {
    let size = sizes[rng.below(sizes.len())];
    let (mut go, mut plain) = (
        Go::<STRIDE, CELLS>::new(size, rules),
        Go::<STRIDE, CELLS>::new(size, GoRules { ko: Ko::Simple, ..rules }),
    );
    let mut script = Script::default();
    script.tell(format!("boardsize {size}"));
    script.tell("clear_board".into());
    script.tell(format!("komi {}", rules.komi()));
    let wild = rng.below(2 * size * size);
    let (mut actions, mut suicides) = (Vec::new(), [0; 2]);
    for ply in 0..PLIES_MAX {
        actions.clear();
        if ply < wild {
            go.actions(&mut actions)
        } else {
            go.playout_actions(&mut actions)
        };
        if go.turn() == Turn::Over || actions.is_empty() {
            break;
        }
        let is_repeat = |point: &&GoMove| plain.is_legal(**point) && !go.is_legal(**point);
        let repeats = all_points(&go);
        let repeats = repeats.iter().filter(is_repeat).filter(|point| !is_apart(&go, **point));
        let repeats = repeats.count();
        if repeats > 0 || rng.below(10) == 0 {
            script.ask_position(&go, suicides);
            script.repeats += repeats;
        }
        // The pass is the last action. It is rare while there are others.
        let others = (actions.len() - 1).max(usize::from(rng.below(30) == 0) * actions.len()).max(1);
        let action = actions[rng.below(if ply < wild { others } else { actions.len() })];
        script.tell(format!(
            "play {} {}",
            COLOURS[usize::from(go.mover())],
            Go::<STRIDE, CELLS>::point_name(action)
        ));
        let (mover, before) = (go.mover(), stones(&go, go.mover()));
        go.play(action);
        plain.play(action);
        suicides[usize::from(mover)] += (before + usize::from(action != GoMove::PASS)) - stones(&go, mover);
    }
    script.ask_position(&go, suicides);
    (script, go)
}

/// The number of moves that GNU Go stores for superko.
const PLIES_MAX: usize = 450;

/// On smaller boards GNU Go calls chains with two eyes dead.
const SCORED_SIZE_MIN: usize = 4;

/// How many comparisons of each kind were made.
#[derive(Default, Debug)]
struct Counts {
    positions: usize,
    repeats: usize,
    areas: usize,
    scores: usize,
}

fn compare<const STRIDE: usize, const CELLS: usize>(games: usize, sizes: &[usize], rules: GoRules) -> Counts {
    let (mut gnugo, mut rng, mut counts) = (GnuGo::open(rules), Rng::seeded(games as u64), Counts::default());
    for _ in 0..games {
        let (mut script, go) = script::<STRIDE, CELLS>(&mut rng, sizes, rules);
        counts.repeats += script.repeats;
        let over = go.turn() == Turn::Over;
        if let Some(area) = counted(&go).filter(|_| over) {
            assert_eq!(area, i32::from(go.area()), "{}", go.board());
            counts.areas += 1;
            if go.size() >= SCORED_SIZE_MIN && all_alive(&go) {
                let margin = go.score();
                let winner = if margin > 0.0 { "B" } else { "W" };
                script.ask("final_score".into(), Expect::Text(format!("{winner}+{:.1}", margin.abs())));
                counts.scores += 1;
            }
        }
        let answers = gnugo.ask(&script.commands);
        for (at, (answer, expect)) in answers.iter().zip(&script.expect).enumerate() {
            let command = &script.commands[at];
            let told = || script.commands[..at].join(", ");
            match expect {
                Expect::Nothing => {}
                Expect::Text(expect) => assert_eq!(answer, expect, "{command} after {}", told()),
                Expect::Points(expect, apart) => {
                    let found = answer.split_whitespace().map(str::to_owned);
                    let found: BTreeSet<String> = found.filter(|name| !apart.contains(name)).collect();
                    assert_eq!(&found, expect, "{command} after {}", told());
                    counts.positions += usize::from(command.starts_with("all_legal"));
                }
            }
        }
    }
    counts
}

const SMALL: [usize; 11] = [5, 5, 6, 7, 7, 8, 9, 9, 2, 3, 4];
const LARGE: [usize; 4] = [10, 11, 13, 19];

#[test]
fn gnu_go_agrees() {
    let counts = compare::<10, 111>(1_000, &SMALL, GoRules { ko: Ko::Simple, ..GoRules::default() });
    println!("{counts:?}");
    assert!(counts.positions >= 5_000 && counts.areas >= 500 && counts.scores >= 100, "{counts:?}");
}

/// The same with the other type of board.
#[test]
fn gnu_go_agrees_on_large_boards() {
    let counts = compare::<26, 703>(40, &LARGE, GoRules::default());
    println!("{counts:?}");
    assert!(counts.positions >= 500, "{counts:?}");
}

#[test]
fn gnu_go_agrees_on_other_rules() {
    for (ko, suicide) in [
        (Ko::Simple, true),
        (Ko::Positional, false),
        (Ko::Positional, true),
        (Ko::Situational, false),
        (Ko::Situational, true),
    ] {
        let counts = compare::<10, 111>(150, &SMALL, GoRules { ko, suicide, ..GoRules::default() });
        println!("{ko:?} {suicide} {counts:?}");
        assert!(counts.positions >= 500 && (counts.repeats > 0) == (ko != Ko::Simple), "{counts:?}");
    }
}
