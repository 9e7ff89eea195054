//! The tests of the lab, as one program: each program more is linked anew.

mod common;
mod contest;
mod cures;
mod disks;
mod journals;
mod report;
mod statistics;
mod studies;
mod trainings;
mod trials;
