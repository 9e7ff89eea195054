//! The games by name. A new game is one entry here.

use crate::maker::{Evaluation, Maker, thermo_player};
use crate::playout_name::PlayoutName;
use crate::session::OpenSession;
use crate::strongest::{OnBoard, Strongest};
use crate::units::{Expected, choice, count, number, switch};
use crate::words::Words;
use crate::{Error, Expert};
use aji_cgt::Side;
use aji_games::{
    Board, Breakthrough, CanadianTraveller, Clobber, ConnectFour, Domineering, Game2048, Go, GoRules, Heap,
    HeapGo, Hex, Ko, LargeGo, Mnk, Nim, Othello, Pig, Sailing, Size, SmallGo, Sum, TicTacToe, ToadsAndFrogs,
    TopWeight,
};
use aji_gtp_client::GtpPlayer;
use aji_search::bandit::decimal_number;
use aji_search::{Heuristic, hide_agent};
use std::ops::RangeInclusive;

/// Opens a game of this whole name, taking its options out of the words.
type Open = fn(String, &mut Words) -> Result<Box<OpenSession>, Error>;

/// A game that can be asked for by name.
pub struct Entry {
    /// Its name.
    pub word: &'static str,
    /// What it is, in a few words.
    pub summary: &'static str,
    /// Its options, if it has any.
    pub options: &'static str,
    /// Its default agent.
    pub strongest: Strongest,
    pub(crate) open: Open,
}

/// All games.
pub static GAMES: &[Entry] = &[
    Entry {
        word: "tic-tac-toe",
        summary: "three in a row on three by three",
        options: "",
        strongest: Strongest {
            agent: "uct",
            shown_by: "`aji search tic-tac-toe --agent exact` solves it: no agent plays better",
            solved_within: 50_000,
            boards: &[],
        },
        open: |name, _| Ok(OpenSession::open(name, TicTacToe::new(), Maker::new().symmetric().fast())),
    },
    Entry {
        word: "mnk",
        summary: "k in a row on m columns by n rows; gomoku is m=15 n=15 k=5",
        options: "m=1..19 n=1..19 k=1..19",
        strongest: Strongest {
            agent: "rave",
            shown_by: "`aji search mnk --agent exact` solves three in a row; for larger boards, at equal time: `aji \
                match \"mnk m=15 n=15 k=5\" --a \"rave simulations=400\" --b \"uct simulations=800\" --games \
                60`: 0.933 (0.843 to 0.973); neither ref= nor solver=on nor playout=mast beat it",
            solved_within: 200_000,
            boards: &[],
        },
        open: |name, words| {
            let [m, n, k] = [("m", 3), ("n", 3), ("k", 3)].map(|(key, standard)| {
                words.take(key, |text| within(text, Mnk::SIDES)).map(|side| side.unwrap_or(standard))
            });
            Ok(OpenSession::open(name, Mnk::new(m?, n?, k?), Maker::new().symmetric()))
        },
    },
    Entry {
        word: "connect-four",
        summary: "four in a row, pieces fall",
        options: "",
        strongest: Strongest {
            agent: "alphazero",
            shown_by: "`aji match connect-four --a \"alphazero time=50ms\" --b \"uct c=0.5 time=50ms\" --games 400 \
                --openings 4`: 0.876 (0.843 to 0.903), and `aji match connect-four --a \"alphazero time=50ms\" --b \
                \"alphabeta time=50ms\" --games 100 --openings 4`: 0.900 (0.835 to 0.941); `aji match \
                connect-four --a \"uct c=0.5 simulations=10000\" --b \"uct simulations=10000\"`: 0.710 (0.620 to 0.786)",
            solved_within: 0,
            boards: &[],
        },
        open: |name, _| {
            Ok(OpenSession::open(
                name,
                ConnectFour::new(),
                Maker::new().symmetric().estimate(ConnectFour::estimate).fast().self_solving(),
            ))
        },
    },
    Entry {
        word: "othello",
        summary: "enclose to flip, most discs win",
        options: "size=4|6|8 (8)",
        strongest: Strongest {
            agent: "alphabeta",
            shown_by: "`aji match othello --a alphabeta --b \"uct simulations=10000\" --games 60`: 0.967 (0.886 \
                to 0.991), in less time",
            solved_within: 0,
            boards: &[OnBoard {
                game: "othello size=6",
                agent: "alphazero",
                shown_by: "`aji match othello size=6 --a \"alphazero time=50ms\" --b \"alphabeta time=50ms\" --games 200 \
                    --openings 6`: 0.562 (0.524 to 0.600)",
            }],
        },
        open: |name, words| {
            let sizes = [("4", 4), ("6", 6), ("8", 8)];
            let size = words.take("size", |text| choice(text, &sizes))?.unwrap_or(8);
            let start = Othello::sized(size).unwrap_or_default();
            Ok(OpenSession::open(name, start, Maker::new().symmetric().estimate(Othello::estimate).fast()))
        },
    },
    Entry {
        word: "hex",
        summary: "join your two edges",
        options: "size=2..19 (11)",
        strongest: Strongest {
            agent: "rave",
            shown_by: "`aji match hex --a \"rave simulations=1000\" --b \"uct simulations=1000\" --games 40`: 1.000 \
                (0.839 to 1.000)",
            solved_within: 200_000,
            boards: &[OnBoard {
                game: "hex size=7",
                agent: "alphazero",
                shown_by: "`aji match hex size=7 --a \"alphazero time=50ms\" --b \"rave time=50ms\" --games 100`: 0.990 \
                    (0.945 to 0.998)",
            }],
        },
        open: |name, words| {
            let size = words.take("size", |text| within(text, Hex::SIZES))?.unwrap_or(11);
            Ok(OpenSession::open(name, Hex::new(size), Maker::new().symmetric().fast()))
        },
    },
    Entry {
        word: "go",
        summary: "surround the larger area",
        options: "size=2..25 (9) komi=7.5 ko=positional|situational|simple suicide=off eyes=fill, or keep: own eyes are not filled",
        strongest: Strongest {
            agent: "rave playout=atari",
            shown_by: "`aji match go --a \"rave playout=atari simulations=500\" --b \"uct simulations=500\" --games \
                20`: 1.000 (0.722 to 1.000); against GNU Go see docs/go.md",
            solved_within: 0,
            boards: &[OnBoard {
                game: "go size=7",
                agent: "alphazero",
                shown_by: "`aji match go size=7 --a \"alphazero time=50ms\" --b \"rave playout=atari time=50ms\" --games \
                    100`: 0.630 (0.567 to 0.689)",
            }],
        },
        open: |name, words| {
            let size = words.take("size", |text| within(text, GO_SIZES))?.unwrap_or(9);
            let rules = go_rules(words)?;
            Ok(if size <= SmallGo::SIZE_MAX {
                OpenSession::open(name, SmallGo::new(size, rules), go_maker())
            } else {
                OpenSession::open(name, LargeGo::new(size, rules), go_maker())
            })
        },
    },
    Entry {
        word: "breakthrough",
        summary: "first across the board",
        options: "",
        strongest: Strongest {
            agent: "alphabeta depth=5",
            shown_by: "`aji match breakthrough --a \"alphabeta depth=5\" --b \"uct simulations=10000\"`: 0.990 \
                (0.945 to 0.998), in the same time",
            solved_within: 0,
            boards: &[],
        },
        open: |name, _| {
            Ok(OpenSession::open(
                name,
                Breakthrough::new(),
                Maker::new().symmetric().estimate(Breakthrough::estimate).fast(),
            ))
        },
    },
    Entry {
        word: "nim",
        summary: "take from one heap; the last to take wins, or loses if misere",
        options: "heaps=3,4,5 players=2..4 misere=off",
        strongest: Strongest {
            agent: "uct",
            shown_by: "`aji search nim --agent exact` solves it; for larger heaps none known beats plain \
                uct: `aji match \"nim heaps=20,21,22,23,24\" --a \"uct solver=on\" --b uct --games 40`: \
                0.550 (0.395 to 0.696)",
            solved_within: 200_000,
            boards: &[],
        },
        open: |name, words| {
            let heaps = words.take("heaps", heaps)?.unwrap_or_else(|| vec![3, 4, 5]);
            let players = words.take("players", |text| within(text, Nim::PLAYERS))?.unwrap_or(2);
            let misere = words.take("misere", switch)?.unwrap_or(false);
            Nim::check(&heaps, players).map_err(|error| Error::new(format!("game nim: {error}")))?;
            Ok(OpenSession::open(name, Nim::new(&heaps, players, misere), Maker::new()))
        },
    },
    Entry {
        word: "heap-go",
        summary: "take counters from heaps for points: Left down to a red one, Right down to a blue one",
        options: "heaps=1..1000 (5) counters=1..1000 (5) weights=1..10 seed=1, or start=R3B5/B2R7, top counters first",
        strongest: Strongest {
            agent: "sentestrat",
            shown_by: "`aji search heap-go --agent exact` solves it; for larger games: `aji match \"heap-go \
                heaps=20 counters=10\" --a sentestrat --b \"uct simulations=1000\" --games 60`: 1.000 \
                (0.886 to 1.000)",
            solved_within: 200_000,
            boards: &[],
        },
        open: |name, words| {
            let maker = Maker::new().encoded().fast().summed().experts(|expert| match expert {
                Expert::TopWeight => Some(hide_agent::<HeapGo>(Box::new(TopWeight))),
                expert => thermo_player::<HeapGo>(expert),
            });
            Ok(OpenSession::open(name, heap_go(words)?, maker))
        },
    },
    Entry {
        word: "domineering",
        summary: "lay dominoes, Left upright and Right across; a player who cannot move loses",
        options: "rows=1..8 (8) columns=1..8 (8) first=left",
        strongest: Strongest {
            agent: "rave",
            shown_by: "at equal time: `aji match domineering --a \"rave simulations=500\" --b \"uct \
                simulations=1300\" --games 200`: 0.710 (0.644 to 0.768)",
            solved_within: 200_000,
            boards: &[],
        },
        open: |name, words| {
            let board = Domineering::new(size(words)?);
            Ok(OpenSession::open(name, Sum::new(&[board], first(words)?), Maker::new().summed()))
        },
    },
    Entry {
        word: "clobber",
        summary: "take a neighbouring stone with yours, Left x and Right o; a player who cannot move loses",
        options: "rows=1..8 (8) columns=1..8 (8) first=left",
        strongest: Strongest {
            agent: "uct c=0.35 solver=on",
            shown_by: "at equal time: `aji match clobber --a \"uct c=0.35 solver=on simulations=1000\" --b \"uct \
                simulations=1000\" --games 200`: 0.655 (0.591 to 0.714), and against `rave simulations=500` \
                0.640 (0.576 to 0.700)",
            solved_within: 200_000,
            boards: &[],
        },
        open: |name, words| {
            let board = Clobber::new(size(words)?);
            Ok(OpenSession::open(name, Sum::new(&[board], first(words)?), Maker::new().summed()))
        },
    },
    Entry {
        word: "toads-and-frogs",
        summary: "step ahead or jump over one, Left toads and Right frogs; a player who cannot move loses",
        options: "rows=1..8 (1) toads=0..8 (3) gap=0..8 (2) frogs=0..8 (3) first=left",
        strongest: Strongest {
            agent: "uct",
            shown_by: "`aji search toads-and-frogs --agent exact` solves it, with any number of rows, toads and \
                frogs: no agent plays better",
            solved_within: 200_000,
            boards: &[],
        },
        open: |name, words| {
            let rows = words.take("rows", |text| within(text, Size::SIDES))?.unwrap_or(1);
            let [toads, gap, frogs] = [("toads", 3), ("gap", 2), ("frogs", 3)].map(|(key, standard)| {
                words.take(key, |text| within(text, 0..=8)).map(|cells| cells.unwrap_or(standard))
            });
            let board = strips(rows, toads?, gap?, frogs?)?;
            Ok(OpenSession::open(name, Sum::new(&[board], first(words)?), Maker::new().summed()))
        },
    },
    Entry {
        word: "sum",
        summary: "boards of one game at once; rows are separated by / and boards by +",
        options: "game=domineering|clobber|toads-and-frogs boards=../..+.../... first=left",
        strongest: Strongest {
            agent: "uct c=0.35 solver=on",
            shown_by: "`aji search sum --agent exact` solves it; for larger boards, at equal time: `aji match \"sum \
                boards=...../...../...../...../.....+...../...../...../...../.....\" --a \"uct c=0.35 solver=on \
                simulations=1500\" --b \"uct simulations=1300\" --games 400`: 0.593 (0.561 to 0.623), \
                but against `rave simulations=500`, which takes a fifth more time, 0.455 (0.416 to 0.495); in \
                Clobber `aji match \"sum game=clobber boards=xoxo/oxox/xoxo/oxox+xoxo/oxox/xoxo/oxox\" --a \"uct \
                c=0.35 solver=on simulations=1150\" --b \"uct simulations=1000\" --games 200`: 0.575 (0.504 \
                to 0.643)",
            solved_within: 200_000,
            boards: &[],
        },
        open: |name, words| {
            let (open, standard) =
                words.take("game", |text| choice(text, &SUMMANDS))?.unwrap_or(SUMMANDS[0].1);
            let boards = words.take("boards", Ok)?.unwrap_or(standard);
            open(name, boards, first(words)?)
        },
    },
    Entry {
        word: "pig",
        summary: "roll the die and hold in time; the first to the goal wins",
        options: "players=2..4 goal=10..200 (100)",
        strongest: Strongest {
            agent: "uct",
            shown_by: "exact takes half a minute, and none of the other agents known beats plain uct: `aji match pig \
                --a \"uct c=0.5 simulations=1000\" --b \"uct simulations=1000\" --games 200`: 0.545 (0.476 \
                to 0.612)",
            solved_within: 0,
            boards: &[],
        },
        open: |name, words| {
            let players = words.take("players", |text| within(text, Pig::PLAYERS))?.unwrap_or(2);
            let goal = words.take("goal", |text| within(text, Pig::GOALS))?.unwrap_or(100);
            Ok(OpenSession::open(name, Pig::new(players, goal), Maker::new()))
        },
    },
    Entry {
        word: "sailing",
        summary: "across a lake in few minutes while the wind turns; one player",
        options: "size=2..40 (5) wind=0..7",
        strongest: Strongest {
            agent: "uct c=300 playout=mast(temperature=0.02) unit=points",
            shown_by: "`aji search sailing --agent exact` solves it; for larger lakes: `aji match \"sailing \
                size=10\" --a \"uct c=300 playout=mast(temperature=0.02) unit=points simulations=1000\" --b \"uct \
                simulations=1000\" --games 100`: 0.740 (0.603 to 0.842), in half the time, and against `uct \
                c=100 unit=points simulations=1000` 0.800 (0.668 to 0.888)",
            solved_within: 20_000_000,
            boards: &[],
        },
        open: |name, words| {
            let size = words.take("size", |text| within(text, Sailing::SIZES))?.unwrap_or(5);
            let wind = words.take("wind", |text| within(text, Sailing::WINDS))?.unwrap_or(0);
            Ok(OpenSession::open(name, Sailing::new(size, wind), Maker::new().self_solving()))
        },
    },
    Entry {
        word: "2048",
        summary: "slide and merge tiles for a high score; one player",
        options: "seed=1",
        strongest: Strongest {
            agent: "uct",
            shown_by: "none tried beats plain uct in equal time: `aji match 2048 --a \"uct c=5000 unit=points \
                simulations=150\" --b \"uct simulations=150\" --games 400`: 0.495 (0.426 to 0.564), and with \
                root=halving recommend=mean beside it 0.535 (0.466 to 0.603); also tried were c from 1000 to \
                100000, flat, ucb_tuned, root=kg, ocba, rejects, toptwo and voi, mast and lgr playouts, depth=1, \
                transpositions",
            solved_within: 0,
            boards: &[],
        },
        open: |name, words| {
            let seed = words.take("seed", |text| count(text, 0, u64::MAX))?.unwrap_or(1);
            Ok(OpenSession::open(name, Game2048::new(seed), Maker::new()))
        },
    },
    Entry {
        word: "canadian-traveller",
        summary: "a short way over roads that may be blocked; one player",
        options: "vertices=3..20 (8) seed=1 blocked=0..1 (0.5)",
        strongest: Strongest {
            agent: "uct c=100 cutoff=0 eval=on unit=points",
            shown_by: "`aji search canadian-traveller --agent exact` solves it; for larger maps: `aji match \
                \"canadian-traveller vertices=20\" --a \"uct c=100 cutoff=0 eval=on unit=points \
                simulations=1000\" --b \"uct simulations=1000\"`: 1.000 (0.929 to 1.000)",
            solved_within: 1_000_000,
            boards: &[],
        },
        open: |name, words| {
            let vertices = words.take("vertices", |text| within(text, CanadianTraveller::VERTICES))?;
            let seed = words.take("seed", |text| count(text, 0, u64::MAX))?.unwrap_or(1);
            let blocked = words.take("blocked", |text| number(text, 0.0, 1.0))?.unwrap_or(0.5);
            let start = CanadianTraveller::new(vertices.unwrap_or(8), seed, blocked);
            let maker = Maker::new().estimate(CanadianTraveller::estimate).self_solving();
            Ok(OpenSession::open(name, start, maker))
        },
    },
];

const GO_SIZES: RangeInclusive<usize> = SmallGo::SIZE_MIN..=LargeGo::SIZE_MAX;

fn go_maker<const STRIDE: usize, const CELLS: usize>() -> Maker<Go<STRIDE, CELLS>> {
    let playouts = |name: &PlayoutName| -> Option<Evaluation<Go<STRIDE, CELLS>>> {
        let PlayoutName::Atari(steps) = *name else { return None };
        Some(Box::new(steps))
    };
    Maker::new().symmetric().playouts(playouts).programs(|name| {
        let player = GtpPlayer::<STRIDE, CELLS>::new(name.program()?);
        Ok(hide_agent::<Go<STRIDE, CELLS>>(Box::new(player)))
    })
}

/// The rules of a game of Go, as its options say.
fn go_rules(words: &mut Words) -> Result<GoRules, Error> {
    let standard = GoRules::default();
    let kos = [("positional", Ko::Positional), ("situational", Ko::Situational), ("simple", Ko::Simple)];
    Ok(GoRules {
        komi_halves: words.take("komi", komi)?.unwrap_or(standard.komi_halves),
        ko: words.take("ko", |text| choice(text, &kos))?.unwrap_or(standard.ko),
        suicide: words.take("suicide", switch)?.unwrap_or(standard.suicide),
        fills_eyes: words
            .take("eyes", |text| choice(text, &[("fill", true), ("keep", false)]))?
            .unwrap_or(standard.fills_eyes),
    })
}

/// Komi in half points.
fn komi(text: &str) -> Result<i16, Expected> {
    let most = f64::from(GoRules::KOMI_HALVES_MAX) / 2.0;
    let halves = decimal_number::<f64>(text).map(|points| 2.0 * points);
    let is_sound = |halves: &f64| halves.fract() == 0.0 && halves.abs() <= 2.0 * most;
    halves
        .filter(is_sound)
        .map(|halves| halves as i16)
        .ok_or_else(|| format!("points and halves such as 7.5, from -{most} to {most}"))
}

/// The start of a game of Heap-Go, as its options say.
fn heap_go(words: &mut Words) -> Result<HeapGo, Error> {
    let start = words.take("start", |text| {
        HeapGo::read_heaps(text).map_err(|error| format!("heaps such as R3B5/B2R7, but {error}"))
    })?;
    let heaps = words.take("heaps", |text| within(text, HeapGo::HEAPS))?;
    let counters = words.take("counters", |text| within(text, HeapGo::COUNTERS))?;
    let weights = words.take("weights", weights)?;
    let seed = words.take("seed", |text| count(text, 0, u64::MAX))?;
    if let Some(start) = start {
        if heaps.is_some() || counters.is_some() || weights.is_some() || seed.is_some() {
            return Err(Error::new("game heap-go: start= gives all heaps; leave out the other options"));
        }
        return Ok(HeapGo::new(start));
    }
    let (heaps, counters) = (heaps.unwrap_or(5), counters.unwrap_or(5));
    let weights = weights.unwrap_or(1..=10);
    let most = heaps as u64 * counters as u64 * u64::from(*weights.end());
    if most > HeapGo::TOTAL_MAX.into() {
        let limit = HeapGo::TOTAL_MAX;
        return Err(Error::new(format!(
            "game heap-go: all counters may weigh {most}: expected at most {limit}; take fewer or lighter ones"
        )));
    }
    Ok(HeapGo::random(heaps, counters, weights, seed.unwrap_or(1)))
}

fn within(text: &str, range: RangeInclusive<usize>) -> Result<usize, Expected> {
    count(text, *range.start() as u64, *range.end() as u64).map(|number| number as usize)
}

/// A range of weights: `1..10`, both ends in it.
fn weights(text: &str) -> Result<RangeInclusive<u32>, Expected> {
    let most = Heap::WEIGHT_MAX;
    let expected = || format!("weights such as 1..10, from 1 to {most}");
    let (low, high) = text.split_once("..").ok_or_else(expected)?;
    let weight = |text: &str| count(text, 1, most.into()).ok().map(|weight| weight as u32);
    let (low, high) = weight(low).zip(weight(high)).filter(|(low, high)| low <= high).ok_or_else(expected)?;
    Ok(low..=high)
}

fn heaps(text: &str) -> Result<Vec<u16>, Expected> {
    let expected =
        || format!("sizes of heaps, separated by commas, each at most {}, such as 3,4,5", Nim::HEAP_MAX);
    let size = |text| count(text, 0, u16::MAX.into()).map(|size| size as u16).map_err(|_| expected());
    text.split(',').map(size).collect()
}

/// Opens a sum of the boards of a text.
type OpenSum = fn(String, &str, Side) -> Result<Box<OpenSession>, Error>;

/// The games whose boards can be summed, each with default boards.
const SUMMANDS: [(&str, (OpenSum, &str)); 3] = [
    ("domineering", (open_sum::<Domineering>, "../..+.../...")),
    ("clobber", (open_sum::<Clobber>, "xox/oxo+xxo+xo")),
    ("toads-and-frogs", (open_sum::<ToadsAndFrogs>, "TT.FF+T..F+TTT..FF")),
];

fn open_sum<B: Board + Send + Sync + 'static>(
    name: String,
    boards: &str,
    first: Side,
) -> Result<Box<OpenSession>, Error> {
    let sum = Sum::<B>::of_text(boards, first).map_err(|error| Error::new(format!("game sum: {error}")))?;
    Ok(OpenSession::open(name, sum, Maker::new().summed()))
}

fn size(words: &mut Words) -> Result<Size, Error> {
    let side = |found: Option<usize>| found.unwrap_or(*Size::SIDES.end());
    let rows = side(words.take("rows", |text| within(text, Size::SIDES))?);
    Ok(Size::new(rows, side(words.take("columns", |text| within(text, Size::SIDES))?)))
}

/// Who moves first.
fn first(words: &mut Words) -> Result<Side, Error> {
    let side = |text| choice(text, &[("left", Side::Left), ("right", Side::Right)]);
    Ok(words.take("first", side)?.unwrap_or(Side::Left))
}

fn strips(rows: usize, toads: usize, gap: usize, frogs: usize) -> Result<ToadsAndFrogs, Error> {
    let cells = toads + gap + frogs;
    if !Size::SIDES.contains(&cells) {
        return Err(Error::new(format!(
            "game toads-and-frogs: toads={toads} gap={gap} frogs={frogs} make {cells} cells a row: expected 1 to {}",
            Size::SIDES.end()
        )));
    }
    Ok(ToadsAndFrogs::new(rows, toads, gap, frogs))
}
