//! Every encoding keeps the promises of `Encoded`, and every symmetry those of `Symmetric`.

use aji_games::{Breakthrough, ConnectFour, GoRules, HeapGo, Hex, LargeGo, Mnk, Othello, SmallGo, TicTacToe};
use aji_search::{Encoded, Game, Payoff, Shape, Symmetric, Turn, check_encoding, check_symmetries};

fn check<G: Symmetric>(start: G) {
    for seed in 0..30 {
        check_encoding(&start, seed).unwrap();
        check_symmetries(&start, seed).unwrap();
    }
}

#[test]
fn encodings_keep_their_promises() {
    check(TicTacToe::new());
    check(Mnk::new(5, 4, 3));
    check(Mnk::new(6, 6, 4));
    check(ConnectFour::new());
    Othello::SIZES.into_iter().filter_map(Othello::sized).for_each(check);
    check(Hex::new(5));
    check(Hex::new(11));
    check(Breakthrough::new());
    check(SmallGo::new(5, GoRules::default()));
    check(SmallGo::new(9, GoRules::default()));
    check(LargeGo::new(13, GoRules::default()));
    for seed in 0..30 {
        check_encoding(&HeapGo::random(6, 8, 1..=12, seed), seed).unwrap();
    }
}

#[test]
fn connect_four_has_84_features() {
    let shape = ConnectFour::new().shape();
    assert_eq!((shape.features(), shape.actions), (84, 7));
}

/// Tic-Tac-Toe with a wrong encoding: five action numbers, given by a function, and symmetries that do not move
/// actions.
#[derive(Clone)]
struct Wrong(TicTacToe, fn(usize) -> usize);

impl Game for Wrong {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.0.turn()
    }

    fn actions(&self, out: &mut Vec<u8>) {
        self.0.actions(out);
    }

    fn play(&mut self, action: u8) {
        self.0.play(action);
    }

    fn payoff(&self) -> Payoff {
        self.0.payoff()
    }
}

impl Encoded for Wrong {
    fn shape(&self) -> Shape {
        Shape { actions: 5, ..self.0.shape() }
    }

    fn features(&self, out: &mut Vec<u32>) {
        self.0.features(out);
    }

    fn action_index(&self, action: u8) -> usize {
        (self.1)(action.into())
    }
}

impl Symmetric for Wrong {
    fn symmetries(&self) -> usize {
        2
    }

    fn cell_image(&self, symmetry: usize, cell: usize) -> usize {
        self.0.cell_image(symmetry, cell)
    }

    fn index_image(&self, _symmetry: usize, index: usize) -> usize {
        index
    }
}

#[test]
fn wrong_encodings_are_found() {
    let error = check_encoding(&Wrong(TicTacToe::new(), |cell| cell), 1).unwrap_err().to_string();
    assert!(error.contains("expected one below 5"), "{error}");
    let error = check_encoding(&Wrong(TicTacToe::new(), |cell| cell / 2), 1).unwrap_err().to_string();
    assert!(error.contains("two actions have number 0"), "{error}");
    let error = check_symmetries(&Wrong(TicTacToe::new(), |cell| cell), 1).unwrap_err().to_string();
    assert!(error.contains("symmetry 1"), "{error}");
}
