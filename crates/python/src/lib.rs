//! The extension module `aji._native` of the Python package `aji`.
//!
//! It is a shell: games and agents are those of the catalog, commands those of the command line. Results cross as JSON of
//! the same types as `--json`; the modules in `python/aji` make objects of them. Work runs on threads of its own without
//! Python's lock, and Ctrl-C reaches it.

mod bench;
mod evaluation;
mod failure;
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
    use super::failure::Error;
    #[pymodule_export]
    use super::session::PySession;
    #[pymodule_export]
    use super::thinking::Thinking;
    #[pymodule_export]
    use super::training::{Trainer, play_games};

    use super::*;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        aji_cli::embedded::set_quiet(true);
        let origin = aji_cli::embedded::origin();
        module.add("VERSION", origin.version)?;
        module.add("COMMIT", origin.commit)
    }
}
