//! AMAF statistics in the tree, tested on Hex, where every cell has one key throughout the game.

use aji_games::Hex;
use aji_search::bandit::{Rave, Schedule, Select, Ucb1};
use aji_search::playout::Recorded;
use aji_search::{Arm, Budget, Edge, Evaluate, Game, Search, Turn};
use std::collections::HashMap;

/// For each position in the tree, given by the moves to it, and for each cell: the number of simulations in which the
/// mover played the cell there or later. Also the sum of their rewards.
type Counts = HashMap<Vec<u16>, HashMap<u16, (u32, f32)>>;

fn rave(size: usize, visits_min: u32) -> Search<Hex, Rave, Recorded> {
    Search::new(Hex::new(size)).select(Rave::default()).amaf(visits_min).evaluate(Recorded)
}

/// Runs simulations, and counts from their records.
fn counted(search: &mut Search<Hex, Rave, Recorded>, simulations: usize) -> Counts {
    let mut counts = Counts::new();
    for _ in 0..simulations {
        let told = search.step().expect("a simulation");
        let path: Vec<u16> = told.path.iter().map(|choice| choice.action()).collect();
        let whole = [path.clone(), told.playout.expect("random moves")].concat();
        for (depth, choice) in told.path.iter().enumerate() {
            let Turn::Player(player) = choice.turn else { panic!("no player chose") };
            let counts = counts.entry(path[..depth].to_vec()).or_default();
            // Players take turns, and no cell is taken twice.
            for &cell in whole[depth..].iter().step_by(2) {
                let (pulls, sum) = counts.entry(cell).or_default();
                (*pulls, *sum) = (*pulls + 1, *sum + told.rewards[usize::from(player)]);
            }
        }
    }
    counts
}

/// Calls `call` for every edge of the tree, with the moves to its node and its action.
fn visit(
    search: &Search<Hex, Rave, Recorded>,
    edges: Vec<Edge>,
    way: &mut Vec<u16>,
    call: &mut impl FnMut(&[u16], Edge, u16),
) {
    let tree = search.tree().expect("a tree");
    for edge in edges {
        let action = search.action(edge).expect("an edge of the tree");
        call(way, edge, action);
        way.push(action);
        visit(search, tree.edges_below(edge).collect(), way, call);
        way.pop();
    }
}

/// Compares all edges with the counts. `root` is the moves to the root. Returns the number of edges.
fn check(search: &Search<Hex, Rave, Recorded>, counts: &Counts, root: &[u16]) -> usize {
    let tree = search.tree().expect("a tree");
    let mut edges = 0;
    visit(search, tree.root_edges().collect(), &mut root.to_vec(), &mut |way, edge, action| {
        let amaf = tree.amaf(edge).expect("it is kept");
        let count = counts.get(way).and_then(|counts| counts.get(&action));
        let (pulls, sum) = count.copied().unwrap_or_default();
        assert_eq!(amaf.pulls, pulls, "{way:?} {action}");
        assert!((amaf.mean * pulls as f32 - sum).abs() < 1e-2, "{way:?}: {amaf:?} of {sum}");
        edges += 1;
    });
    edges
}

#[test]
fn counts_are_those_of_simulations() {
    for visits_min in [0, 20] {
        let mut search = rave(5, visits_min).seed(1);
        let counts = counted(&mut search, 1_500);
        assert!(check(&search, &counts, &[]) > 5_000);
        // Advancing keeps the AMAF statistics of the edges it keeps.
        let best = search.run(Budget::simulations(0)).best.expect("an action");
        search.advance(best);
        assert!(check(&search, &counts, &[best]) > 200);
    }
}

/// A run makes the same tree as single steps.
#[test]
fn steps_make_a_run() {
    let (mut run, mut steps) = (rave(5, 10).seed(2), rave(5, 10).seed(2));
    run.run(Budget::simulations(800));
    let counts = counted(&mut steps, 800);
    check(&run, &counts, &[]);
}

/// An edge's AMAF pulls are at least its own pulls, even after edges were freed and moved.
#[test]
fn recycling_keeps_edges_and_counts_together() {
    let mut search = rave(6, 0).memory((64 << 10) + 300_000).recycle(true).seed(3);
    let report = search.run(Budget::simulations(20_000));
    assert!(report.recycled > 0);
    let tree = search.tree().expect("a tree");
    visit(&search, tree.root_edges().collect(), &mut Vec::new(), &mut |way, edge, _| {
        let (Arm { pulls, .. }, amaf) = (tree.arm(edge), tree.amaf(edge).expect("it is kept"));
        assert!(amaf.pulls >= pulls && (0.0..=1.0).contains(&amaf.mean), "{way:?}: {amaf:?}, {pulls} pulls");
    });
}

#[test]
fn saved_searches_go_on() {
    let mut whole = rave(5, 5).seed(4);
    whole.run(Budget::simulations(500));
    let mut bytes = Vec::new();
    whole.save("hex", &mut bytes).expect("written");
    let mut loaded = rave(5, 5).seed(9);
    loaded.load("hex", &bytes[..]).expect("read");
    let arms = [&mut whole, &mut loaded].map(|search| search.run(Budget::simulations(500)).arms);
    assert_eq!(arms[0], arms[1]);
    let mut plain = Search::new(Hex::new(5));
    assert!(plain.load("hex", &bytes[..]).is_err());
}

const SIZE: usize = 7;

/// True if the first search wins a game against the second. Each starts a new search at every move.
fn wins<S: Select, T: Select, E: Evaluate<Hex>, F: Evaluate<Hex>>(
    one: &mut Search<Hex, S, E>,
    other: &mut Search<Hex, T, F>,
    one_begins: bool,
    simulations: u64,
) -> bool {
    let (mut game, mut ones_turn) = (Hex::new(SIZE), one_begins);
    while game.turn() != Turn::Over {
        one.reset(game);
        other.reset(game);
        let budget = Budget::simulations(simulations);
        let best = if ones_turn { one.run(budget).best } else { other.run(budget).best };
        game.play(best.expect("an action"));
        ones_turn = !ones_turn;
    }
    // The player who made the last move has won.
    !ones_turn
}

/// `cargo test -p aji-games --test games rave -- --ignored --nocapture` plays RAVE and GRAVE against UCT.
#[test]
#[ignore = "plays for a minute"]
fn rave_beats_uct_at_hex() {
    let (games, simulations) = (200, 1_000);
    for (c, schedule, visits_min) in [
        (0.0, Schedule::MinimumError { bias: 0.1 }, 0),
        (0.0, Schedule::HandPicked { k: 300.0 }, 0),
        (0.0, Schedule::MinimumError { bias: 0.1 }, 50),
    ] {
        let mut rave = rave(SIZE, visits_min).select(Rave { c, schedule, ..Rave::default() }).seed(1);
        let mut uct = Search::new(Hex::new(SIZE)).select(Ucb1 { c: 0.4 }).seed(2);
        let won = (0..games).filter(|game| wins(&mut rave, &mut uct, game % 2 == 0, simulations)).count();
        println!("c={c} {schedule:?} visits_min={visits_min}: {won} of {games} against UCT");
        assert!(won * 10 > games * 6);
    }
}
