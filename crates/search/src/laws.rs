//! Laws that every game obeys.
