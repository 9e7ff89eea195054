//! Positions studied without a match: the thermographs of heaps and boards, and the order of actions an agent learns.

mod boards;
mod heap;
mod order;

pub use boards::{BoardStudy, study_boards};
pub use heap::{HeapState, study_heap};
pub use order::{LearnedAction, LearnedOrder, MatchRate, study_order};
