//! The peers from crates.io, one adapter a file, each in the configuration that suits it best: one thread, no
//! transposition table, the game's own playout instead of the peer's, expansion on the second visit as in aji.
//!
//! Exploration is matched. With rewards in 0..=1 and the bonus c sqrt(ln n / n_i), c = 1.4 everywhere; the file of a
//! peer whose formula differs says what that makes of its constant. The mean depth that every run prints shows
//! whether it worked: a shallower tree is a cheaper one. On Connect Four all agree to 5% at 100,000 simulations, and
//! those without a solver at three million. At ten million the depth is a matter of luck: in four seeds aji alone went
//! from 11.7 to 14.4 plies.

pub mod arbor;
pub mod board_game;
pub mod mcts;
pub mod minimax;
pub mod treant;
