//! All tests of the catalog are one program, so that every game is compiled for every search only once.

mod agent_names;
mod analysis;
mod attacks;

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
