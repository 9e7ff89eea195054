//! AlphaZero (Silver et al. 2018) on a small scale. The studies measure how well a network learned from self-play
//! plays Connect Four, by exact values and by games against UCT.
//!
//! Each study is one file. Those on play use the network that ships for Connect Four; `docs/networks.md` says how it
//! was trained. The study of training makes its own networks.

mod against_uct;
mod playout_policy;
mod search_and_network;
mod training;

use crate::{Paper, Study};

/// The paper.
pub const PAPER: Paper = Paper {
    name: "silver2018",
    title: "A general reinforcement learning algorithm that masters chess, shogi, and Go through self-play",
    authors: "David Silver, Thomas Hubert, Julian Schrittwieser and others, Science 362(6419), 2018, pages 1140-1144",
    studies: &[
        Study { name: "search_and_network", seconds: (4.0, 240.0), run: search_and_network::run },
        Study { name: "against_uct", seconds: (4.0, 400.0), run: against_uct::run },
        Study { name: "playout_policy", seconds: (6.0, 600.0), run: playout_policy::run },
        Study { name: "training", seconds: (10.0, 3_600.0), run: training::run },
    ],
};

const GAME: &str = "connect-four";

/// The opponent: UCT with the constant that was tuned for the game.
const UCT: &str = "uct c=0.5";

/// Random plies at the start of each pair of games.
const OPENING_PLIES: usize = 4;

/// The time of one simulation of PUCT with the network, in simulations of [`UCT`]. In 60 games on an idle machine, 100
/// simulations of PUCT took 3.35 ms a move, and 10,000 of UCT took 1.78 ms.
const NETWORK_COST: u64 = 188;
