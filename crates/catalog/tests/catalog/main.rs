//! All tests of the catalog are one program: it compiles every game for every search, and once is enough.

mod agent_names;
mod analysis;
mod bandit_names;
mod goldens;
mod guides;
mod names;
mod networks;
mod program_names;
mod programs;
mod proofs;
mod referee;
mod strongest;
mod threads;
mod traps;
mod units;
mod workbench;
