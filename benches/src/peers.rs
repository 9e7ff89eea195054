//! The peers from crates.io, one adapter per file, each in the configuration that suits it best: one thread, no
//! transposition table, the game's own playout instead of the peer's, expansion on the second visit as in aji.
//!
//! All engines explore alike. With rewards in 0..=1 and the bonus c sqrt(ln n / n_i), c = 1.4 everywhere. If a peer's
//! formula differs, its file says how its constant is converted. Every run prints the mean depth to check this: a
//! shallower tree is a cheaper one. On Connect Four all agree to 5% at 100,000 simulations, and those without a solver
//! at three million. At ten million the depth varies by chance: with four seeds aji alone went from 11.7 to 14.4 plies.

pub mod arbor;
pub mod board_game;
pub mod mcts;
pub mod minimax;
pub mod treant;
