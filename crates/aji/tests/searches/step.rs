//! Steps make the same simulations as a run, and report each of them.

use crate::common::Wild;
use aji::bandit::{AnyRule, Epsilon, Puct, Rave, Select, Ucb1, UcbSqrt, UcbTuned, Uniform};
use aji::games::{
    AtariSteps, Breakthrough, ConnectFour, Game2048, GoRules, HeapGo, Hex, Ko, Nim, Othello, Pig, SmallGo,
    TicTacToe,
};
use aji::playout::{self, Cutoff, Lgr, Mast, Preference, Recorded};
use aji::{Arm, Budget, Edge, Evaluate, Expansion, Game, Payoff, Rng, Search, Simulation, Split, Turn};
use std::fmt::Debug;

const BUDGETS: [u64; 6] = [1, 2, 9, 60, 500, 2_000];

/// An edge: its place in its node, its action, its pulls, and the bits of its mean.
type Known<A> = (usize, Option<A>, u32, u32);

/// Every edge of a tree, in the order of a walk.
fn edges<G: Game, S: Select, E: Evaluate<G>>(search: &Search<G, S, E>) -> Vec<Known<G::Action>> {
    let tree = search.tree().expect("a tree");
    let mut found = Vec::new();
    let mut waiting: Vec<Edge> = tree.root_edges().collect();
    while let Some(edge) = waiting.pop() {
        let Arm { pulls, mean } = tree.arm(edge);
        found.push((edge.index(), search.action(edge), pulls, mean.to_bits()));
        waiting.extend(tree.edges_below(edge));
    }
    found
}

/// Two equal searches: one runs, the other steps.
fn check<G, S, E>(make: &dyn Fn() -> Search<G, S, E>)
where
    G: Game<Action: Debug>,
    S: Select,
    E: Evaluate<G>,
{
    let mut stepping = make();
    let mut steps = 0;
    for budget in BUDGETS {
        let mut running = make();
        running.run(Budget::simulations(budget));
        while steps < budget {
            let told = stepping.step().expect("a simulation");
            consistent(&told, stepping.root().clone());
            steps += 1;
        }
        let (run, told) = (running.tree().expect("a tree"), stepping.tree().expect("a tree"));
        assert_eq!(run.pulls(), told.pulls());
        assert_eq!(edges(&running), edges(&stepping), "after {budget} simulations");
        // Random numbers and the root's squares are in the same state, so both continue alike.
        let (more, after_steps) =
            (running.run(Budget::simulations(7)), stepped(make, budget).run(Budget::simulations(7)));
        assert_eq!(more.arms, after_steps.arms);
    }
}

/// A search that has made this many steps.
fn stepped<G: Game, S: Select, E: Evaluate<G>>(
    make: &dyn Fn() -> Search<G, S, E>,
    steps: u64,
) -> Search<G, S, E> {
    let mut search = make();
    (0..steps).for_each(|_| assert!(search.step().is_some()));
    search
}

/// The plies of cut playouts.
const CUT: u32 = 6;

/// The report of a simulation is consistent: its moves are legal, and the final position has its payoff.
fn consistent<G: Game<Action: Debug>>(told: &aji::Simulation<G::Action>, mut game: G) {
    for choice in &told.path {
        assert_eq!(choice.turn, game.turn());
        let mut actions = Vec::new();
        game.actions(&mut actions);
        assert_eq!(choice.arms.iter().map(|&(action, _)| action).collect::<Vec<_>>(), actions);
        assert_eq!(choice.after.pulls, choice.before().pulls + 1);
        if let Turn::Player(player) = choice.turn {
            let reward = told.rewards[player as usize];
            let step = (reward - choice.before().mean) / choice.after.pulls as f32;
            assert!((choice.before().mean + step - choice.after.mean).abs() < 1e-5, "{choice:?}");
        }
        game.play(choice.action());
    }
    if let Expansion::Opened(count) = told.expansion {
        assert_eq!(told.path.last().map(|choice| choice.arms.len()), Some(count));
    }
    let Some(moves) = &told.playout else { return };
    for &action in moves {
        let mut actions = Vec::new();
        game.actions(&mut actions);
        assert!(actions.contains(&action), "{action:?} is not among {actions:?}");
        game.play(action);
    }
    if game.turn() == Turn::Over {
        assert_eq!(Some(game.payoff()), told.payoff);
    } else {
        // A cut playout has no final position to compare with.
        assert_eq!((moves.len(), told.payoff), (CUT as usize, Some(Payoff::DRAW)));
    }
}

/// One type of search serves all rules and evaluations here, as each type takes a second to compile for each game.
fn check_rules<G: Game<Action: Debug> + 'static>(game: G) {
    let search = || Search::new(game.clone()).seed(11).memory(32 << 20);
    check(&search);
    let by = |root: AnyRule, below: AnyRule, depth: usize, cutoff: Option<u32>| {
        let evaluation: Box<dyn Evaluate<G>> = match cutoff {
            Some(plies) => Box::new(Cutoff::draw(plies)),
            None => Box::new(playout::Uniform),
        };
        search().select(Split::new(root, below)).depth(depth).evaluate(evaluation)
    };
    let (tuned, ucb1) = (AnyRule::from(UcbTuned), AnyRule::from(Ucb1::default()));
    check(&|| by(tuned, tuned, usize::MAX, None));
    check(&|| by(Epsilon { epsilon: 0.3 }.into(), UcbSqrt { c: 0.4 }.into(), usize::MAX, None));
    check(&|| by(Uniform.into(), Puct::default().into(), 3, None));
    check(&|| by(ucb1, ucb1, usize::MAX, Some(CUT)));
    // A cap that is soon reached.
    let cap = search().memory_min() + 2_000;
    check(&|| search().memory(cap));
}

#[test]
fn steps_are_runs_in_tic_tac_toe() {
    check_rules(TicTacToe::new());
}

#[test]
fn steps_are_runs_in_connect_four() {
    check_rules(ConnectFour::new());
}

#[test]
fn steps_are_runs_in_othello() {
    check_rules(Othello::new());
}

#[test]
fn steps_are_runs_in_hex() {
    check_rules(Hex::new(5));
}

#[test]
fn steps_are_runs_in_breakthrough() {
    check_rules(Breakthrough::new());
}

#[test]
fn steps_are_runs_in_nim() {
    check_rules(Nim::new(&[3, 4, 5], 2, false));
    check_rules(Nim::new(&[2, 6], 3, true));
}

#[test]
fn steps_are_runs_with_a_solver() {
    // On this small board much is proven early, but not the root.
    check(&|| Search::new(Hex::new(4)).solver(true).seed(3));
    // To the end: once the root is proven, there is no further step. On the way, simulations reach proven draws.
    let make = || Search::new(TicTacToe::new()).solver(true).seed(3);
    let (mut running, mut stepping) = (make(), make());
    let report = running.run(Budget::simulations(1_000_000));
    let told: Vec<_> = std::iter::from_fn(|| stepping.step()).collect();
    assert_eq!((told.len() as u64, report.proven), (report.simulations, Some(0.5)));
    assert!(told.iter().any(|told| told.expansion == Expansion::Proven && told.payoff.is_none()));
    assert_eq!(edges(&running), edges(&stepping));
}

#[test]
fn steps_are_runs_in_games_drawn_at_random() {
    (0..5).map(|seed| Wild::new(seed, 12, 6)).filter(|game| game.turn() != Turn::Over).for_each(check_rules);
}

/// The first simulations on the empty board: nine first tries in order, then the best of them for the second time.
#[test]
fn the_first_simulations_by_hand() {
    let mut search = Search::new(TicTacToe::new()).select(Ucb1 { c: 1.4 }).seed(3);
    let mut means = Vec::new();
    for cell in 0..9u8 {
        let told = search.step().expect("a simulation");
        let [choice] = &told.path[..] else { panic!("{told:?}") };
        assert_eq!((choice.turn, choice.visits, choice.chosen), (Turn::Player(0), cell.into(), cell.into()));
        assert_eq!((choice.action(), choice.before()), (cell, Arm { pulls: 0, mean: 0.0 }));
        assert_eq!((told.expansion, choice.after.pulls), (Expansion::FirstVisit, 1));
        let reward = 0.5 + 0.5 * told.payoff.expect("a playout").of(0);
        assert_eq!((choice.after.mean, told.rewards[..2].to_vec()), (reward, vec![reward, 1.0 - reward]));
        let moves = told.playout.expect("tic-tac-toe is played out move by move");
        assert!((4..=8).contains(&moves.len()) && !moves.contains(&cell), "{moves:?}");
        means.push(reward);
    }
    // All arms have one pull, so the bound is highest where the mean is, and the first of equals is taken.
    let highest = means.iter().copied().fold(0.0, f32::max);
    let best = means.iter().position(|&mean| mean == highest).expect("nine means");
    let told = search.step().expect("a simulation");
    let [first, second] = &told.path[..] else { panic!("{told:?}") };
    assert_eq!((first.chosen, first.visits, first.before().pulls), (best, 9, 1));
    assert_eq!(told.expansion, Expansion::Opened(8));
    assert_eq!((second.turn, second.chosen, second.visits), (Turn::Player(1), 0, 1));
    assert_eq!((first.after.pulls, second.after.pulls), (2, 1));
    assert_eq!(second.after.mean, told.rewards[1]);
}

/// Checks a game's own playouts, move by move, from positions of random games; and that steps tell them.
fn check_told<G: Game>(start: G) {
    let mut rng = Rng::seeded(1);
    for _ in 0..50 {
        let mut game = start.clone();
        while game.turn() != Turn::Over {
            let (mut again, mut actions) = (rng.clone(), Vec::new());
            let payoff = game.clone().playout(&mut rng, &mut Vec::new());
            let mut replayed = game.clone();
            for action in game.playout_moves(&mut again).expect("moves") {
                actions.clear();
                replayed.actions(&mut actions);
                assert!(actions.contains(&action));
                replayed.play(action);
            }
            assert_eq!((replayed.turn(), replayed.payoff(), again), (Turn::Over, payoff, rng.clone()));
            game.play(game.random_action(&mut rng, &mut actions));
        }
    }
    let mut search = Search::new(start);
    assert!((0..200).all(|_| search.step().expect("a simulation").playout.is_some()));
}

/// Hex stores no more words than its board needs.
#[test]
fn playouts_of_hex_have_the_same_moves_on_every_board() {
    [2, 8, 9, 11, 12, 14].into_iter().for_each(|size| check_told(Hex::new(size)));
}

#[test]
fn playouts_are_told_by_moves_where_there_are_moves() {
    let mut connect_four = Search::new(ConnectFour::new());
    assert!((0..50).all(|_| connect_four.step().expect("a simulation").playout.is_some()));
    check_told(Hex::new(7));
    check_told(HeapGo::random(5, 5, 1..=10, 1));
    check_told(Game2048::new(1));
    let simple = GoRules { ko: Ko::Simple, ..GoRules::default() };
    check_told(SmallGo::new(7, simple));
    let mut cut = Search::new(Othello::new()).evaluate(Cutoff::draw(3));
    let moves = |told: Simulation<_>| told.playout.expect("moves").len();
    assert!((0..50).all(|_| moves(cut.step().expect("a simulation")) == 3));
}

/// Playouts of Go know only the simple ko, so by stricter rules a few have a move that is forbidden. They are told up to
/// that move.
#[test]
fn playouts_are_told_up_to_a_forbidden_move() {
    let mut search = Search::new(SmallGo::new(7, GoRules::default()));
    let mut forbidden = 0;
    for _ in 0..1_000 {
        let told = search.step().expect("a simulation");
        let (mut position, mut actions) = (SmallGo::new(7, GoRules::default()), Vec::new());
        let path = told.path.iter().map(|choice| choice.action());
        for action in path.chain(told.playout.expect("moves")) {
            actions.clear();
            position.actions(&mut actions);
            assert!(actions.contains(&action));
            position.play(action);
        }
        forbidden += usize::from(told.is_forbidden_next);
        assert!(told.is_forbidden_next || Some(position.payoff()) == told.payoff);
        assert!(told.is_forbidden_next || position.turn() == Turn::Over);
    }
    assert!((1..100).contains(&forbidden), "{forbidden}");
}

/// Whatever makes the moves: records, averages, replies, a heuristic, or the steps of Go.
#[test]
fn playouts_of_all_kinds_are_told() {
    fn check<G: Game + PartialEq, S: Select, E: Evaluate<G>>(mut search: Search<G, S, E>) {
        for _ in 0..200 {
            let root = search.root().clone();
            let told = search.step().expect("a simulation");
            let mut position = root;
            let path = told.path.iter().map(|choice| choice.action());
            path.chain(told.playout.expect("moves")).for_each(|action| position.play(action));
            assert!(told.is_forbidden_next || Some(position.payoff()) == told.payoff);
        }
    }
    let go = || Search::new(SmallGo::new(7, GoRules { ko: Ko::Simple, ..GoRules::default() }));
    check(go().select(Rave::default()).amaf(0).evaluate(Recorded));
    check(go().select(Rave::default()).amaf(20).evaluate(AtariSteps::default()));
    check(go().evaluate(AtariSteps::default()));
    check(Search::new(Hex::new(5)).select(Rave::default()).amaf(0).evaluate(Recorded));
    check(Search::new(ConnectFour::new()).evaluate(Mast::new(Preference::Softmax { temperature: 0.2 })));
    check(Search::new(ConnectFour::new()).evaluate(Lgr::new()));
    check(Search::new(Pig::new(2, 20)).evaluate(Mast::new(Preference::Greedy { epsilon: 0.3 })));
    check(Search::new(Othello::new()).evaluate(playout::Epsilon::heuristic(0.2)));
}

#[test]
fn what_becomes_of_a_leaf() {
    let expansions = |mut search: Search<TicTacToe>, steps: usize| -> Vec<Expansion> {
        (0..steps).map(|_| search.step().expect("a simulation").expansion).collect()
    };
    // One empty cell: the game ends with it.
    let mut last = TicTacToe::new();
    [0, 1, 2, 3, 5, 4, 6, 8].into_iter().for_each(|cell| last.play(cell));
    assert_eq!(expansions(Search::new(last), 3), [Expansion::Over; 3]);
    let deepest = expansions(Search::new(TicTacToe::new()).depth(1), 20);
    assert!(deepest[9..].iter().all(|&expansion| expansion == Expansion::Deepest), "{deepest:?}");
    let search = Search::new(TicTacToe::new());
    let cap = search.memory_min();
    let full = expansions(search.memory(cap), 20);
    assert!(full[9..].iter().all(|&expansion| expansion == Expansion::Full), "{full:?}");
}

#[test]
fn nothing_to_search_is_no_step() {
    let mut won = ConnectFour::new();
    [0, 1, 0, 1, 0, 1, 0].into_iter().for_each(|column| won.play(column));
    assert_eq!(Search::new(won).step(), None);
    assert_eq!(Search::new(ConnectFour::new()).memory(10).step(), None);
}

/// A die of two faces, thrown after each of three guesses: the player who guessed right more often than not wins.
#[derive(Clone, Debug)]
struct Guesses {
    plies: u8,
    guess: u8,
    right: u8,
}

impl Game for Guesses {
    type Action = u8;

    fn turn(&self) -> Turn {
        match self.plies {
            6 => Turn::Over,
            plies if plies % 2 == 0 => Turn::Player(0),
            _ => Turn::Chance,
        }
    }

    fn actions(&self, out: &mut Vec<u8>) {
        if self.turn() != Turn::Over {
            out.extend([0, 1]);
        }
    }

    fn play(&mut self, face: u8) {
        if self.turn() == Turn::Chance {
            self.right += u8::from(face == self.guess);
        } else {
            self.guess = face;
        }
        self.plies += 1;
    }

    fn payoff(&self) -> Payoff {
        Payoff([if self.right > 1 { 1.0 } else { -1.0 }, 0.0, 0.0, 0.0])
    }

    fn players(&self) -> usize {
        1
    }

    fn payoff_sum(&self) -> Option<f32> {
        None
    }

    fn weight(&self, face: u8) -> f32 {
        [1.0, 3.0][face as usize]
    }
}

#[test]
fn chance_is_told_as_chance() {
    let start = Guesses { plies: 0, guess: 0, right: 0 };
    check_rules(start.clone());
    let mut search = Search::new(start);
    let turns: Vec<Turn> = (0..500)
        .map(|_| search.step().expect("a simulation"))
        .max_by_key(|told| told.path.len())
        .map(|told| told.path.iter().map(|choice| choice.turn).collect())
        .expect("500 simulations");
    assert_eq!(turns, [Turn::Player(0), Turn::Chance].repeat(3));
}
