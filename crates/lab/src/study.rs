//! Positions studied without a match: the thermographs of heaps and boards, and the order of actions an agent learns.

mod boards;
mod expression;
mod heap;
mod incentives;
mod order;
mod states;

pub use boards::{BoardStudy, study_board_states, study_boards};
pub use expression::{ExpressionStudy, study_expression, study_expression_states};
pub use heap::{HeapState, study_heap};
pub use incentives::{IncentiveLearning, LearnedPair};
pub use order::{LearnedAction, LearnedOrder, MatchRate, study_order};
pub use states::{ReachedState, ReachedStates, STATE_ROWS_MAX, STATES_MAX};
