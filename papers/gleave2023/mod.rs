//! Adversarial policies (Wang, Gleave et al. 2023) on a small scale: searches that model one fixed victim, in Connect
//! Four.
//!
//! Each study is one file. The networks are those that ship; `docs/attack.md` explains the attack.

mod blunders;
mod budgets;
mod cures;
mod empty_board;
mod lines;
mod others;
mod played;
mod reachable;
mod repairs;
mod seats;
mod stronger;
mod traps;
mod tricks;
mod victims;

use crate::{Paper, Study};

/// The paper and its studies.
pub const PAPER: Paper = Paper {
    name: "gleave2023",
    title: "Adversarial policies beat superhuman Go AIs",
    authors: "Tony T. Wang, Adam Gleave, Tom Tseng and others, International Conference on Machine Learning, 2023",
    studies: &[
        Study { name: "empty_board", seconds: (4.0, 1_900.0), run: empty_board::run },
        Study { name: "budgets", seconds: (6.0, 2_200.0), run: budgets::run },
        Study { name: "cures", seconds: (4.0, 1_800.0), run: cures::run },
        Study { name: "tricks", seconds: (4.0, 400.0), run: tricks::run },
        Study { name: "lines", seconds: (2.0, 300.0), run: lines::run },
        Study { name: "others", seconds: (3.0, 1_200.0), run: others::run },
        Study { name: "victims", seconds: (2.0, 2_000.0), run: victims::run },
        Study { name: "seats", seconds: (2.0, 300.0), run: seats::run },
        Study { name: "stronger", seconds: (1.0, 300.0), run: stronger::run },
        Study { name: "traps", seconds: (0.2, 150.0), run: traps::run },
    ],
};

/// The game of all studies.
const GAME: &str = "connect-four";

/// The time of one simulation of PUCT with the network, in simulations of UCT: as in `silver2018`.
const NETWORK_COST: u64 = 188;

/// A victim without a network.
fn uct(simulations: u64) -> String {
    format!("uct c=0.5 simulations={simulations}")
}

/// A victim with the network that ships. It begins every move anew, as the attacker's model of it does.
fn network(simulations: u64) -> String {
    format!("alphazero reuse=off simulations={simulations}")
}

/// The attacker with the victim's whole search in its positions, once in each.
fn model_r(victim: &str, simulations: u64) -> String {
    format!("amcts victim=({victim}) model=r by=alphazero simulations={simulations}")
}

/// The attacker with the victim's policy, or with a short search by it.
fn model_s(victim: &str, simulations: u64) -> String {
    format!("amcts victim=({victim}) by=alphazero simulations={simulations}")
}

/// The network that ships, without a model of anybody.
fn ordinary(simulations: u64) -> String {
    format!("alphazero simulations={simulations}")
}
