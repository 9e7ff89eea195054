//! Positions that every Go program must know, and games on which the board agrees with one that counts afresh at
//! every move.

use super::cells::Cell;
use super::*;
use aji_search::exact::{MaxN, Solution};
use aji_search::{Budget, Named, Rng, laws};
use proptest::prelude::*;

fn simple() -> GoRules {
    GoRules { ko: Ko::Simple, ..GoRules::default() }
}

/// The position of a text, with the size of its first row.
fn read(text: &str, rules: GoRules) -> SmallGo {
    let size = text.split(['/', ' ']).next().unwrap().len();
    SmallGo::new(size, rules).read(text).unwrap()
}

fn play(go: &mut SmallGo, moves: &str) {
    for name in moves.split_whitespace() {
        assert!(is_legal(go, name), "{name} in\n{}", go.board());
        go.play(go.read_point(name).unwrap());
    }
}

fn is_legal(go: &SmallGo, name: &str) -> bool {
    go.is_legal(go.read_point(name).unwrap())
}

fn rows(go: &SmallGo) -> String {
    go.text().split(' ').next().unwrap().to_owned()
}

#[test]
fn chains_without_liberties_are_taken() {
    let mut go = read(".ox../oxxo./.oo../...../..... o", simple());
    play(&mut go, "D5");
    assert_eq!((rows(&go), go.captures()), (".o.o./o..o./.oo../...../.....".into(), [0, 3]));
}

#[test]
fn two_chains_are_taken_at_once() {
    let mut go = read("o.ox./xoxx./.x.../...../..... x", simple());
    // B5 takes A5 and C5; B4 has no liberty left either and goes with them.
    play(&mut go, "B5");
    assert_eq!((rows(&go), go.captures()), (".x.x./x.xx./.x.../...../.....".into(), [3, 0]));
}

#[test]
fn a_ko_is_not_taken_back_at_once() {
    let mut go = read(".xo../x.xo./.xo../...../..... o", simple());
    play(&mut go, "B4");
    assert_eq!(go.captures(), [0, 1]);
    assert!(go.text().ends_with("x ko=C4"), "{}", go.text());
    assert!(!is_legal(&go, "C4"));
    play(&mut go, "E1 E2");
    assert!(is_legal(&go, "C4"));
    play(&mut go, "C4");
    assert!(!is_legal(&go, "B4"));
}

/// On two by two black gives three stones, and could then repeat the position after white's first move.
#[test]
fn superko_forbids_what_has_been() {
    for (ko, expect) in [(Ko::Simple, true), (Ko::Positional, false), (Ko::Situational, true)] {
        let mut go = SmallGo::new(2, GoRules { ko, ..GoRules::default() });
        play(&mut go, "A1 B1 B2 pass A2 B1");
        assert_eq!((rows(&go), go.captures()), ("../.o".into(), [1, 3]));
        assert_eq!(is_legal(&go, "A1"), expect, "{ko:?}");
        assert!(is_legal(&go, "A2"));
    }
    // With the same player to move.
    for (ko, expect) in [(Ko::Simple, true), (Ko::Positional, false), (Ko::Situational, false)] {
        let mut go = read(".xo../x.xo./.xo../...../..... o", GoRules { ko, ..GoRules::default() });
        play(&mut go, "B4 pass pass");
        assert_eq!(is_legal(&go, "C4"), expect, "{ko:?}");
    }
}

#[test]
fn a_snapback() {
    // Black gives a stone at B5, white takes it, and loses three.
    let mut go = read("o.x../oox../xxx../...../..... x", simple());
    assert!(is_legal(&go, "B5"));
    play(&mut go, "B5");
    assert_eq!(rows(&go), ".xx../..x../xxx../...../.....");
}

#[test]
fn suicide_of_many_stones() {
    let text = ".xo../xxo../ooo../...../..... x";
    let go = read(text, simple());
    assert!(!is_legal(&go, "A5"));
    let mut go = read(text, GoRules { suicide: true, ..GoRules::default() });
    play(&mut go, "A5");
    assert_eq!((rows(&go), go.captures()), ("..o../..o../ooo../...../.....".into(), [0, 0]));
}

/// A single stone that takes itself off leaves the position unchanged, with the opponent to move.
#[test]
fn suicide_of_one_stone_is_a_repetition() {
    for (ko, expect) in [(Ko::Simple, true), (Ko::Positional, false), (Ko::Situational, true)] {
        let rules = GoRules { ko, suicide: true, ..GoRules::default() };
        let mut go = read(".o.../o..../...../...../..... x", rules);
        assert_eq!(is_legal(&go, "A5"), expect, "{ko:?}");
        // After two passes the position has occurred with either player to move.
        play(&mut go, "pass pass");
        assert_eq!(is_legal(&go, "A5"), ko == Ko::Simple, "{ko:?}");
    }
}

#[test]
fn eyes_are_not_filled_in_playouts() {
    let colour = |go: &SmallGo, name: &str| {
        let cell = go.read_point(name).unwrap().cell();
        [Stone::Black, Stone::White].map(|colour| go.board.is_eye(cell, colour))
    };
    let go = read(".x.x./xxxx./..x.x/.xxxx/xo.ox x", simple());
    assert_eq!(colour(&go, "A5"), [true, false]);
    assert_eq!(colour(&go, "C5"), [true, false]);
    assert_eq!(colour(&go, "D3"), [true, false]);
    assert_eq!(colour(&go, "E5"), [false, false]);
    // One opposing stone at a diagonal is allowed inside, not at the edge.
    assert_eq!(colour(&read("...../.oxx./.x.x./..x../..... x", simple()), "C3"), [true, false]);
    assert_eq!(colour(&read("...../.oxo./.x.x./..x../..... x", simple()), "C3"), [false, false]);
    assert_eq!(colour(&read("x.x../.x.../...../...../..... x", simple()), "B5"), [true, false]);
    assert_eq!(colour(&read("x.x../.xo../...../...../..... x", simple()), "B5"), [false, false]);
}

/// Each has an eye. A player who plays at C2, the last liberty that they share, is taken. So both live, and C2 is
/// nobody's.
#[test]
fn seki_is_nobodys() {
    let go = read("......./......./......./xxxxxxx/oooooox/xx.o.ox/.xoooxx x", simple());
    assert_eq!(go.area(), 24);
    let mut black = go.clone();
    play(&mut black, "C2 A1");
    assert_eq!(black.captures(), [0, 4]);
    let mut white = go.clone();
    play(&mut white, "pass C2 E2");
    assert_eq!(white.captures(), [12, 0]);
}

#[test]
fn areas_by_hand() {
    let check = |text: &str, expect: i16| assert_eq!(read(text, simple()).area(), expect, "{text}");
    check("...../...../...../...../..... x", 0);
    check("...../...../..x../...../..... x", 25);
    check(".x.o./.x.o./.x.o./.x.o./.x.o. x", 0);
    check(".xo../.xo../.xo../.xo../.xo.. x", 10 - 15);
    check(".x.../xx.../...../...oo/...o. x", 4 - 4);
    let go = read(".xo../.xo../.xo../.xo../.xo.. x", simple());
    assert_eq!((go.score(), go.payoff()), (-12.5, Payoff::margin(-12.5)));
}

#[test]
fn names_and_diagrams() {
    let go = LargeGo::new(19, GoRules::default());
    for name in ["A1", "H8", "J9", "T19", "pass"] {
        assert_eq!(go.action_name(go.read_point(&name.to_lowercase()).unwrap()), name);
    }
    for wrong in ["", "I5", "U1", "A0", "A20", "5A", "A+1", "A1x", "é1", "A99999999999999999999"] {
        assert_eq!(go.read_point(wrong), None, "{wrong}");
    }
    let mut go = SmallGo::new(5, simple());
    play(&mut go, "C3 B2 D2 pass");
    assert_eq!(go.read(&go.text()).as_ref(), Ok(&go));
    let mut drawn = go.read(&(go.board() + "x passed")).unwrap();
    assert_eq!(drawn, go);
    play(&mut drawn, "pass");
    assert_eq!(drawn.turn(), Turn::Over);
    let error = |text: &str| go.read(text).unwrap_err();
    assert!(error("").contains("expected 5 rows"), "{}", error(""));
    assert!(error("...../...../..... x").contains("found 3"));
    assert!(
        error("...../...../...../...../...q. x")
            .contains("row 1 \"...q.\": expected x, o or . at D1, found q")
    );
    assert!(error("x..../..../...../...../..... x").contains("row 4 \"....\": expected 5 points, found 4"));
    assert!(error("xo.../o..../...../...../..... x").contains("the stone at A5 has no liberty"));
    assert!(error("...../...../...../...../..... z").contains("\"z\": expected who moves"));
    assert!(error("x..../...../...../...../..... x ko=A5").contains("expected an empty point"));
}

#[test]
fn laws_hold() {
    for rules in
        [GoRules::default(), simple(), GoRules { suicide: true, fills_eyes: false, ..GoRules::default() }]
    {
        for size in [2, 3, 5] {
            let go = SmallGo::new(size, rules);
            laws::game(&go, 1).and_then(|()| laws::keyed(&go, 1)).unwrap();
            laws::named(&go, 1).unwrap();
        }
    }
    laws::hashed(&SmallGo::new(5, simple()), 1).unwrap();
}

/// Every allowed point has the same probability, whatever stands around it.
#[test]
fn light_playouts_draw_evenly() {
    let go = read(".xo.x/x.xo./.xo../o...x/.ox.. x", simple());
    let mut allowed = Vec::new();
    go.playout_actions(&mut allowed);
    assert!(allowed.len() > 4 && allowed.len() < go.board.empties().len(), "{allowed:?}");
    let (mut rng, mut board, mut counts) = (Rng::seeded(5), go.board, [0u32; 111]);
    const DRAWS: u32 = 40_000;
    for _ in 0..DRAWS {
        counts[board.draw(Stone::Black, &mut rng).unwrap()] += 1;
    }
    let expect = f64::from(DRAWS) / allowed.len() as f64;
    for (cell, &count) in counts.iter().enumerate() {
        let expect = if allowed.contains(&GoMove::at(cell)) { expect } else { 0.0 };
        assert!((f64::from(count) - expect).abs() <= 5.0 * expect.sqrt(), "{cell}: {count} and {expect}");
    }
}

/// Payoffs have the same distribution as with actions one by one.
#[test]
fn light_playouts_are_those_by_actions() {
    let start = SmallGo::new(3, GoRules { komi_halves: 0, ..simple() });
    let (mut rng, mut scratch) = (Rng::seeded(3), Vec::new());
    let mut means = [0.0f64; 2];
    const GAMES: usize = 20_000;
    for _ in 0..GAMES {
        means[0] += f64::from(start.clone().playout(&mut rng, &mut scratch).of(0));
        let mut go = start.clone();
        let mut plies = go.playout_plies();
        while go.turn() != Turn::Over && plies > 0 {
            let action = go.random_action(&mut rng, &mut scratch);
            go.play(action);
            plies -= 1;
        }
        means[1] += f64::from(go.payoff().of(0));
    }
    // Payoffs spread by up to 9 points.
    let [fast, slow] = means.map(|sum| sum / GAMES as f64);
    assert!((fast - slow).abs() < 5.0 * 9.0 * (2.0 / GAMES as f64).sqrt(), "{fast} and {slow}");
}

/// Late in games on 2x2, a solver with a cache of positions agrees with one without. A solver that merged positions
/// of different pasts did not.
#[test]
fn exact_play_knows_the_past() {
    let (mut rng, mut compared) = (Rng::seeded(1), 0);
    for _ in 0..300 {
        let mut go = SmallGo::new(2, GoRules { komi_halves: 1, ..GoRules::default() });
        for _ in 0..12 + rng.below(12) {
            let mut points = Vec::new();
            go.actions(&mut points);
            // Passes end games, so play them only if nothing else is left.
            let Some(count) = points.len().checked_sub(1) else { break };
            go.play(points[rng.below(count.max(1))]);
        }
        let solve = |solver: MaxN<SmallGo>| match solver.solve(&go, Budget::simulations(20_000), &mut ()) {
            Solution::Solved(solved) => Some((solved.values, solved.actions)),
            _ => None,
        };
        if let Some(plain) = solve(MaxN::new()) {
            assert_eq!(solve(MaxN::hashed()), Some(plain), "{}", go.text());
            compared += 1;
        }
    }
    assert!(compared > 20, "{compared}");
}

/// A set of cells.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Set<const WORDS: usize>([u64; WORDS]);

impl<const WORDS: usize> Set<WORDS> {
    fn of(cells: impl Iterator<Item = Cell>) -> Self {
        let mut set = Set([0; WORDS]);
        cells.for_each(|cell| set.0[cell / 64] |= 1 << (cell % 64));
        set
    }

    fn has(&self, cell: Cell) -> bool {
        self.0[cell / 64] >> (cell % 64) & 1 != 0
    }

    fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    fn first(&self) -> Option<Cell> {
        let word = self.0.iter().position(|&word| word != 0)?;
        Some(word * 64 + self.0[word].trailing_zeros() as usize)
    }

    fn and(self, other: Self) -> Self {
        Set(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    fn or(self, other: Self) -> Self {
        Set(std::array::from_fn(|word| self.0[word] | other.0[word]))
    }

    /// The cells `by` ahead of these, and `by` behind them.
    fn moved(self, by: usize) -> Self {
        let word = |word: usize| self.0.get(word).copied().unwrap_or(0);
        Set(std::array::from_fn(|at| {
            let ahead = word(at) << by | word(at.wrapping_sub(1)) >> (64 - by);
            let behind = word(at) >> by | word(at + 1) << (64 - by);
            ahead | behind
        }))
    }
}

/// A board that stores only where stones are, as sets of cells, and computes the rest when asked.
struct Plain<const STRIDE: usize, const WORDS: usize> {
    stones: [Set<WORDS>; 2],
    empty: Set<WORDS>,
}

impl<const STRIDE: usize, const WORDS: usize> Plain<STRIDE, WORDS> {
    fn of<const CELLS: usize>(board: &Board<STRIDE, CELLS>) -> Self {
        let set = |stone| Set::of(board.points().filter(|&cell| board.stone(cell) == stone));
        Plain { stones: [set(Stone::Black), set(Stone::White)], empty: set(Stone::Empty) }
    }

    /// The chain of a stone, and its liberties.
    fn chain(&self, cell: Cell) -> (Set<WORDS>, Set<WORDS>) {
        let stones = self.stones.into_iter().find(|stones| stones.has(cell)).expect("a stone");
        let mut chain = Set::of(std::iter::once(cell));
        loop {
            let around = chain.moved(1).or(chain.moved(STRIDE));
            let more = chain.or(around.and(stones));
            if more == chain {
                return (chain, around.and(self.empty));
            }
            chain = more;
        }
    }

    fn liberties(&self, cell: Cell) -> u32 {
        self.chain(cell).1.count()
    }
}

/// Checks chains, liberties, eyes, counts and the hash against the stones alone.
fn check_board<const STRIDE: usize, const CELLS: usize, const WORDS: usize>(go: &Go<STRIDE, CELLS>) {
    let (board, plain) = (&go.board, Plain::<STRIDE, WORDS>::of(&go.board));
    assert_eq!(Set::of(board.empties()), plain.empty);
    assert_eq!(board.empties().len() as u32, plain.empty.count());
    assert_eq!(board.hash(), go.stones_hash);
    for (colour, stones) in [Stone::Black, Stone::White].into_iter().zip(plain.stones) {
        assert_eq!(u32::from(board.count(colour)), stones.count());
    }
    for cell in board.points().filter(|&cell| board.stone(cell) != Stone::Empty) {
        let (chain, liberties) = plain.chain(cell);
        assert_eq!(Set::of(board.chain(cell)), chain);
        assert_eq!(u32::from(board.length(cell)), chain.count());
        assert!(chain.has(board.head(cell)) && liberties.count() != 0);
        assert!(board.chain(cell).all(|other| board.head(other) == board.head(cell)));
        let only = liberties.first().filter(|_| liberties.count() == 1);
        assert_eq!(board.liberties(cell).only(), only);
    }
    for cell in board.empties() {
        for colour in [Stone::Black, Stone::White] {
            let near = Board::<STRIDE, CELLS>::neighbours(cell).map(|near| (near, board.stone(near)));
            let breathes = near.iter().any(|&(near, stone)| match stone {
                Stone::Empty => true,
                Stone::Wall => false,
                own if own == colour => plain.liberties(near) > 1,
                _ => plain.liberties(near) == 1,
            });
            assert_eq!(board.breathes(cell, colour), breathes);
            let surrounded = near.iter().all(|&(_, stone)| stone == colour || stone == Stone::Wall);
            let diagonals = Board::<STRIDE, CELLS>::diagonals(cell).map(|near| board.stone(near));
            let bad = diagonals.iter().filter(|&&stone| stone == colour.other()).count();
            let safe = bad < if diagonals.contains(&Stone::Wall) { 1 } else { 2 };
            assert_eq!(board.is_eye(cell, colour), surrounded && safe);
            let mut after = *board;
            assert_eq!(after.put::<true>(cell, colour), board.hash_change(cell, colour));
            let takes = after.count(colour.other()) < board.count(colour.other());
            let is_short = !breathes || Plain::<STRIDE, WORDS>::of(&after).liberties(cell) == 1;
            assert_eq!(board.is_self_atari(cell, colour), is_short && !takes);
        }
    }
}

/// A random game in which one ply in `one_of`, by chance, checks everything afresh.
fn check_game<const STRIDE: usize, const CELLS: usize, const WORDS: usize>(
    size: usize,
    one_of: usize,
    rng: &mut Rng,
) {
    let rules = GoRules { suicide: rng.below(2) == 0, fills_eyes: rng.below(4) == 0, ..simple() };
    let (mut go, mut actions) = (Go::<STRIDE, CELLS>::new(size, rules), Vec::new());
    for _ in 0..3 * size * size {
        actions.clear();
        go.actions(&mut actions);
        let Some(count) = actions.len().checked_sub(1) else { break };
        // Passes are rare while there is another move.
        let passes = count == 0 || rng.below(50) == 0;
        go.play(if passes { GoMove::PASS } else { actions[rng.below(count)] });
        if rng.below(one_of) == 0 {
            check_board::<STRIDE, CELLS, WORDS>(&go);
        }
    }
}

/// A playout in which points are settled early. One ply in `one_of`, by chance, checks three things. All settled points
/// are eyes that nobody may play on. The other empty points are in the list. The area is that of the stones.
fn check_playout<const STRIDE: usize, const CELLS: usize>(size: usize, one_of: usize, rng: &mut Rng) {
    let (mut board, mut passes) = (Board::<STRIDE, CELLS>::new(size), 0);
    for ply in 0..3 * size * size {
        let colour = Stone::of((ply % 2) as u8);
        if let Some(cell) = board.draw(colour, rng) {
            board.put::<false>(cell, colour);
            passes = 0;
        } else {
            passes += 1;
        }
        if passes == 2 {
            break;
        }
        let empty = board.empties().len();
        if empty > 0 {
            board.settle(board.empty_at(rng.below(empty)));
        }
        if rng.below(one_of) == 0 {
            let is_empty = |&cell: &Cell| board.has(cell, Stone::Empty);
            let is_playable =
                |cell| [Stone::Black, Stone::White].map(|colour| board.is_allowed(cell, colour));
            let (aside, rest): (Vec<Cell>, Vec<Cell>) =
                board.points().filter(is_empty).partition(|&cell| board.is_settled(cell));
            assert!(aside.iter().all(|&cell| is_playable(cell) == [false; 2]));
            assert_eq!(aside.len(), usize::from(board.settled));
            let mut listed: Vec<Cell> = board.empties().collect();
            listed.sort_unstable();
            assert_eq!(listed, rest);
            let stones =
                board.points().filter_map(|cell| Some((GoMove::at(cell), board.stone(cell).player()?)));
            let fresh =
                Go::<STRIDE, CELLS>::with_stones(size, simple(), stones, 0).expect("all have liberties");
            assert_eq!(board.area(), fresh.area());
        }
    }
    if passes == 2 {
        assert_eq!(board.area_of_single_points(), board.area());
    }
}

/// Random games and playouts, most of them on small boards, where each has more events.
fn check_games(games: u64, one_of: usize) {
    let mut rng = Rng::seeded(games);
    for game in 0..games {
        check_game::<10, 111, 2>(2 + rng.below(8), one_of, &mut rng);
        check_playout::<10, 111>(2 + rng.below(8), one_of, &mut rng);
        if game % 100 == 0 {
            check_game::<26, 703, 11>(2 + rng.below(24), 10 * one_of, &mut rng);
            check_playout::<26, 703>(2 + rng.below(24), 10 * one_of, &mut rng);
        }
    }
}

#[test]
fn boards_agree_with_what_is_counted_anew() {
    check_games(3_000, 10);
}

/// `cargo test --release -p aji-games million -- --ignored`
#[test]
#[ignore = "the long one: a million games in some minutes"]
fn boards_agree_in_a_million_games() {
    check_games(1_000_000, 20);
}

proptest! {
    /// No text makes the readers panic.
    #[test]
    fn no_text_is_a_panic(text in "[xoXO.#+/ \n0-9a-zA-Z=]{0,120}", size in 2usize..6) {
        let _ = SmallGo::new(size, simple()).read(&text);
        let _ = SmallGo::new(size, simple()).read_point(&text);
    }
}
