//! Means, intervals, tests and ratings, from their formulas.
