//! The extension module `aji._native` of the Python package `aji`.
//!
//! It is a shell: games and agents are those of the catalog, commands those of the command line. Results cross as JSON of
//! the same types as `--json`; the modules in `python/aji` make objects of them. Work runs on threads of its own without
//! Python's lock, and Ctrl-C reaches it.
//!
//! The types of Python in `python/aji/_native.pyi` are made from this crate, as CONTRIBUTING.md says.

mod bench;
mod evaluation;
mod failure;
mod function;
mod game;
mod hash;
mod kind;
mod patience;
mod session;
mod state;
mod thinking;
mod training;

use pyo3::prelude::*;

/// The native part of aji.
#[pymodule]
mod _native {
    #[pymodule_export]
    use super::bench::{Bench, main, set_quiet};
    #[pymodule_export]
    use super::session::PySession;
    #[pymodule_export]
    use super::thinking::Thinking;
    #[pymodule_export]
    use super::training::{Trainer, play_games};

    use super::*;

    /// The version of aji.
    #[pymodule_export]
    const VERSION: &str = aji_cli::embedded::VERSION;

    /// The commit that this was built from. That of changed sources has a `+` in it.
    #[pymodule_export]
    const COMMIT: &str = aji_cli::embedded::COMMIT;

    #[pymodule_init]
    fn init() -> PyResult<()> {
        aji_cli::embedded::set_quiet(true);
        Ok(())
    }
}
