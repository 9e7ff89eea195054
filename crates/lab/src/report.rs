//! What an experiment shows: tables, figures, claims, and the page that holds them.
