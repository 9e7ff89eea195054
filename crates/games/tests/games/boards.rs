//! Domineering, Clobber, Toads and Frogs, and sums of them, compared with plain rules on letters, full search and
//! published results.

use aji_cgt::{Position, Side};
use aji_games::{Board, Clobber, Domineering, Size, Sum, ToadsAndFrogs};
use aji_search::{Game, Hashed, Named, Rng};
use std::collections::HashMap;

/// A board as letters, the top row first.
type Letters = Vec<Vec<char>>;

/// The plain rules: all boards that a side can move to.
type Rules = fn(&Letters, Side) -> Vec<Letters>;

fn letters(text: &str) -> Letters {
    text.split('/').map(|row| row.chars().collect()).collect()
}

fn text_of(letters: &Letters) -> String {
    letters.iter().map(|row| row.iter().collect()).collect::<Vec<String>>().join("/")
}

fn text<B: Board>(board: &B) -> String {
    Sum::new(&[*board], Side::Left).text().replace(" Left", "")
}

fn read<B: Board>(text: &str) -> B {
    Sum::of_text(text, Side::Left).unwrap().boards()[0]
}

/// All pairs of a cell and the one this far down and to the right of it.
fn pairs(letters: &Letters, down: isize, right: isize) -> Vec<[(usize, usize); 2]> {
    let (rows, columns) = (letters.len() as isize, letters[0].len() as isize);
    let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
    cells
        .map(|(row, column)| [(row, column), (row + down, column + right)])
        .filter(|[_, (row, column)]| (0..rows).contains(row) && (0..columns).contains(column))
        .map(|pair| pair.map(|(row, column)| (row as usize, column as usize)))
        .collect()
}

/// Replaces the letters of two cells, if they are the expected ones.
fn rewrite(letters: &Letters, pair: [(usize, usize); 2], from: [char; 2], to: [char; 2]) -> Option<Letters> {
    let mut after = letters.clone();
    let matches = pair.iter().zip(from).all(|(&(row, column), letter)| letters[row][column] == letter);
    pair.iter().zip(to).for_each(|(&(row, column), letter)| after[row][column] = letter);
    matches.then_some(after)
}

fn domineering(letters: &Letters, side: Side) -> Vec<Letters> {
    let (down, right) = if side == Side::Left { (1, 0) } else { (0, 1) };
    let pairs = pairs(letters, down, right);
    pairs.into_iter().filter_map(|pair| rewrite(letters, pair, ['.', '.'], ['#', '#'])).collect()
}

fn clobber(letters: &Letters, side: Side) -> Vec<Letters> {
    let [own, other] = if side == Side::Left { ['x', 'o'] } else { ['o', 'x'] };
    let ways = [(0, 1), (0, -1), (1, 0), (-1, 0)];
    let pairs = ways.into_iter().flat_map(|(down, right)| pairs(letters, down, right));
    pairs.filter_map(|pair| rewrite(letters, pair, [own, other], ['.', own])).collect()
}

fn toads_and_frogs(letters: &Letters, side: Side) -> Vec<Letters> {
    let (own, other, way) = if side == Side::Left { ('T', 'F', 1) } else { ('F', 'T', -1) };
    let jumped = |pair: &[(usize, usize); 2]| letters[pair[0].0][(pair[0].1 + pair[1].1) / 2] == other;
    let steps = pairs(letters, 0, way);
    let jumps = pairs(letters, 0, 2 * way).into_iter().filter(jumped);
    steps.into_iter().chain(jumps).filter_map(|pair| rewrite(letters, pair, [own, '.'], ['.', own])).collect()
}

fn random_board<B: Board>(most: usize, rng: &mut Rng) -> B {
    let signs = [B::SIGNS, &['.', '.']].concat();
    let (rows, columns) = (1 + rng.below(most), 1 + rng.below(most));
    let mut row = || (0..columns).map(|_| signs[rng.below(signs.len())]).collect::<String>();
    read(&(0..rows).map(|_| row()).collect::<Vec<_>>().join("/"))
}

fn check_moves<B: Board>(rules: Rules) {
    let mut rng = Rng::seeded(1);
    for _ in 0..500 {
        let board: B = random_board(8, &mut rng);
        for side in Side::BOTH {
            let mut found: Vec<String> = board.moves(side).iter().map(|to| text(&to.to)).collect();
            let mut expect: Vec<String> = rules(&letters(&text(&board)), side).iter().map(text_of).collect();
            found.sort_unstable();
            expect.sort_unstable();
            assert_eq!(found, expect, "{}", text(&board));
            assert!(board.moves(side).iter().all(|to| to.gain == 0));
        }
    }
}

#[test]
fn moves_are_as_by_plain_rules() {
    check_moves::<Domineering>(domineering);
    check_moves::<Clobber>(clobber);
    check_moves::<ToadsAndFrogs>(toads_and_frogs);
}

/// The number of sequences of this many moves on boards of letters.
fn plain_count(boards: &[Letters], side: Side, length: usize, rules: Rules) -> u64 {
    if length == 0 {
        return 1;
    }
    let mut count = 0;
    for place in 0..boards.len() {
        for after in rules(&boards[place], side) {
            let mut boards = boards.to_vec();
            boards[place] = after;
            count += plain_count(&boards, side.other(), length - 1, rules);
        }
    }
    count
}

fn count<G: Game>(game: &G, length: usize) -> u64 {
    if length == 0 {
        return 1;
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let after = |action| {
        let mut after = game.clone();
        after.play(action);
        count(&after, length - 1)
    };
    actions.into_iter().map(after).sum()
}

fn check_counts<B: Board>(boards: &[B], length: usize, rules: Rules) {
    let plain: Vec<Letters> = boards.iter().map(|board| letters(&text(board))).collect();
    for first in Side::BOTH {
        for length in 1..=length {
            let expect = plain_count(&plain, first, length, rules);
            assert_eq!(count(&Sum::new(boards, first), length), expect, "{boards:?}, {length} moves");
        }
    }
}

#[test]
fn sequences_are_as_many_as_by_plain_rules() {
    check_counts(&[Domineering::new(Size::new(8, 8))], 2, domineering);
    check_counts(&[Domineering::new(Size::new(4, 3))], 6, domineering);
    check_counts(&["../..", ".../#..", "..."].map(read::<Domineering>), 5, domineering);
    check_counts(&[Clobber::new(Size::new(8, 8))], 2, clobber);
    check_counts(&[Clobber::new(Size::new(3, 3))], 4, clobber);
    check_counts(&["xo", "xox/o.x", "ox"].map(read::<Clobber>), 5, clobber);
    check_counts(&[ToadsAndFrogs::new(3, 2, 2, 2)], 5, toads_and_frogs);
    check_counts(&["T.F", "TT.FF", "TF."].map(read::<ToadsAndFrogs>), 8, toads_and_frogs);
}

/// Whether the player to move wins, by full search.
fn wins<G: Hashed>(game: &G, known: &mut HashMap<u64, bool>) -> bool {
    if let Some(&won) = known.get(&game.hash()) {
        return won;
    }
    let mut actions = Vec::new();
    game.actions(&mut actions);
    let won = actions.into_iter().any(|action| {
        let mut after = game.clone();
        after.play(action);
        !wins(&after, known)
    });
    known.insert(game.hash(), won);
    won
}

/// Who wins a sum: `Left` or `Right` whoever begins, or the player who moves `first` or `second`.
fn outcome<B: Board>(boards: &[B]) -> &'static str {
    let mut known = HashMap::new();
    match Side::BOTH.map(|first| wins(&Sum::new(boards, first), &mut known)) {
        [true, true] => "first",
        [false, false] => "second",
        [true, false] => "Left",
        [false, true] => "Right",
    }
}

/// Replacing a board by its parts does not change the winner, whatever board is beside it.
fn check_parts<B: Board>(most: usize, boards: usize) {
    let mut rng = Rng::seeded(2);
    let mut in_parts = 0;
    for _ in 0..boards {
        let (board, beside): (B, B) = (random_board(most, &mut rng), random_board(2, &mut rng));
        let parts = board.parts();
        in_parts += usize::from(parts.len() > 1);
        assert!(parts.iter().all(|part| part.parts() == [*part]), "{} comes apart again", text(&board));
        let apart = [&parts[..], &[beside]].concat();
        let names: Vec<String> = parts.iter().map(text).collect();
        assert_eq!(outcome(&[board, beside]), outcome(&apart), "{} as {names:?}", text(&board));
    }
    assert!(in_parts > boards / 20, "{in_parts} of {boards} had parts");
}

#[test]
fn a_board_is_the_sum_of_its_parts() {
    check_parts::<Domineering>(5, 1_000);
    check_parts::<Clobber>(5, 1_000);
    check_parts::<ToadsAndFrogs>(5, 500);
}

/// Parts of the same shape are equal wherever they were on the board.
#[test]
fn parts_do_not_tell_where_they_were() {
    let check = |text: &str| {
        let parts = read::<Domineering>(text).parts();
        assert_eq!(parts, read::<Domineering>("../.#").parts(), "{text}");
    };
    check("####/#..#/#.##");
    check("##../##.#");
    check(".###/#..#/#.##");
}

/// Published winners. The first player wins on two by two (Lachmann, Moore, Rapaport: Who wins Domineering on
/// rectangular boards?), the second on five by five (Conway: On numbers and games). On a single line only one player
/// can move.
#[test]
fn domineering_winners() {
    let check = |rows: usize, columns: usize, expect: &str| {
        assert_eq!(outcome(&[Domineering::new(Size::new(rows, columns))]), expect, "{rows} by {columns}");
    };
    check(1, 1, "second");
    check(2, 2, "first");
    check(5, 5, "second");
    for length in 2..=8 {
        check(1, length, "Right");
        check(length, 1, "Left");
    }
}

/// Turning the board swaps the players.
#[test]
fn domineering_is_the_same_on_its_side() {
    for (rows, columns) in [(2, 3), (2, 4), (2, 5), (2, 6), (3, 3), (3, 4), (3, 5), (4, 4)] {
        let [one, other] = [(rows, columns), (columns, rows)]
            .map(|(rows, columns)| outcome(&[Domineering::new(Size::new(rows, columns))]));
        let turned = match one {
            "Left" => "Right",
            "Right" => "Left",
            same => same,
        };
        assert_eq!(other, turned, "{rows} by {columns}");
    }
}

/// The first player wins on a line of alternating colours and even length, except on six stones (conjectured by Albert,
/// Grossman, Nowakowski and Wolfe, and proved by Chen and others).
#[test]
fn clobber_winners() {
    for pairs in 1..=4 {
        let line = Clobber::new(Size::new(1, 2 * pairs));
        assert_eq!(outcome(&[line]), if pairs == 3 { "second" } else { "first" }, "{}", text(&line));
    }
}

/// The values of Winning Ways: 0, 0, star, star, and up.
#[test]
fn toads_and_frogs_winners() {
    let check =
        |text: &str, expect: &str| assert_eq!(outcome(&[read::<ToadsAndFrogs>(text)]), expect, "{text}");
    check("TFTF.", "second");
    check("TF.TF", "second");
    check("TFT.F", "first");
    check("TT.FF", "first");
    check("T.TFF", "Left");
}

/// A board and its copy with the colours swapped cancel out: the second player copies every move.
#[test]
fn opposites_cancel_out() {
    let mut rng = Rng::seeded(3);
    for _ in 0..100 {
        let board: Clobber = random_board(3, &mut rng);
        let opposite = text(&board).replace('x', "q").replace('o', "x").replace('q', "o");
        assert_eq!(outcome(&[board, read(&opposite)]), "second", "{opposite}");
    }
}
