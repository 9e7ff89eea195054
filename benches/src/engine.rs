//! The engines under test, behind one call.

use crate::contest::{Contest, Tools};
use crate::peers;
use aji_search::bandit::Ucb1;
use aji_search::{Budget, Leaf, Report, Search};
use clap::ValueEnum;
use serde::{Deserialize, Serialize};
use std::hint::black_box;

/// Leaves that are played out together, as in a search with waves.
const LEAVES: usize = 8;

/// aji, its peers, and the upper limits of both: playouts without a tree, one by one and in lanes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    Aji,
    AjiSolver,
    AjiWave,
    AjiTranspositions,
    Raw,
    RawLanes,
    Arbor,
    Mcts,
    Treant,
    Minimax,
    BoardGame,
}

/// The settings of every engine's search.
#[derive(Clone, Copy, Debug, clap::Args)]
pub struct Settings {
    /// Simulations of one search.
    #[arg(long)]
    pub simulations: u64,
    /// The seed, if the engine takes one.
    #[arg(long)]
    pub seed: u64,
    /// The c of mean + c sqrt(ln n / n_i) with rewards in 0..=1.
    #[arg(long)]
    pub exploration: f32,
}

/// What a search reports about itself.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Answer {
    /// Simulations through the root.
    pub simulations: u64,
    /// The root was solved, so the solver needed fewer simulations than requested.
    pub solved: bool,
    /// Plays made to look at children during an expansion, not on the way down.
    pub plays_to_expand: u64,
    /// Bytes of the tree, if the engine reports them.
    pub bytes: Option<usize>,
}

impl Engine {
    pub fn name(self) -> &'static str {
        match self {
            Engine::Aji => "aji",
            Engine::AjiSolver => "aji solver=on",
            Engine::AjiWave => "aji wave=8",
            Engine::AjiTranspositions => "aji transpositions=on",
            Engine::Raw => "raw playouts",
            Engine::RawLanes => "raw playouts in lanes",
            Engine::Arbor => "arbor 0.2",
            Engine::Mcts => "mcts 0.3",
            Engine::Treant => "treant 0.4",
            Engine::Minimax => "minimax 0.6",
            Engine::BoardGame => "board-game 0.8",
        }
    }

    pub fn is_peer(self) -> bool {
        use Engine::{Aji, AjiSolver, AjiTranspositions, AjiWave, Raw, RawLanes};
        !matches!(self, Aji | AjiSolver | AjiWave | AjiTranspositions | Raw | RawLanes)
    }

    /// True for engines that prove wins and losses in the tree, and end a simulation at a proven node without a
    /// playout. The peers cannot turn this off.
    pub fn has_solver(self) -> bool {
        matches!(self, Engine::AjiSolver | Engine::Minimax | Engine::BoardGame)
    }

    /// One whole search, from a position to an answer, on one thread. It allocates its memory and frees it.
    pub fn search<G: Contest>(self, root: G, settings: Settings) -> Answer {
        match self {
            Engine::Aji => aji(root, settings, |search| search),
            Engine::AjiSolver => aji(root, settings, |search| search.solver(true)),
            Engine::AjiWave => aji(root, settings, |search| search.wave(8)),
            Engine::AjiTranspositions => {
                let search = Search::new(root).select(Ucb1 { c: settings.exploration }).seed(settings.seed);
                answer(search.transpositions().run(Budget::simulations(settings.simulations)))
            }
            Engine::Raw => raw(root, settings),
            Engine::RawLanes => raw_lanes(root, settings),
            Engine::Arbor => peers::arbor::search(root, settings),
            Engine::Mcts => peers::mcts::search(root, settings),
            Engine::Treant => peers::treant::search(root, settings),
            Engine::Minimax => peers::minimax::search(root, settings),
            Engine::BoardGame => peers::board_game::search(root, settings),
        }
    }
}

fn aji<G: Contest>(root: G, settings: Settings, change: impl FnOnce(Search<G>) -> Search<G>) -> Answer {
    let search = Search::new(root).select(Ucb1 { c: settings.exploration }).seed(settings.seed);
    let mut search = change(search);
    answer(search.run(Budget::simulations(settings.simulations)))
}

fn answer<A>(report: Report<A>) -> Answer {
    black_box(&report.best);
    assert_eq!(report.left_out, 0, "the tree reached its cap, so the rest of the search did other work");
    Answer {
        simulations: report.arms.iter().map(|arm| u64::from(arm.pulls)).sum(),
        bytes: Some(report.bytes),
        solved: report.proven.is_some(),
        ..Answer::default()
    }
}

fn raw<G: Contest>(root: G, settings: Settings) -> Answer {
    let mut tools = Tools { rng: aji_search::Rng::seeded(settings.seed), ..Tools::default() };
    for _ in 0..settings.simulations {
        let mut game = black_box(root);
        black_box(game.playout(&mut tools.rng, &mut tools.scratch));
    }
    Answer { simulations: settings.simulations, ..Answer::default() }
}

fn raw_lanes<G: Contest>(root: G, settings: Settings) -> Answer {
    let mut rng = aji_search::Rng::seeded(settings.seed);
    let mut leaves = vec![Leaf::new(root); LEAVES];
    let mut left = settings.simulations as usize;
    while left > 0 {
        let leaves = &mut leaves[..left.min(LEAVES)];
        leaves.iter_mut().for_each(|leaf| leaf.game = black_box(root));
        G::playouts(leaves, &mut rng);
        black_box(leaves.iter().map(|leaf| leaf.payoff.of(0)).sum::<f32>());
        left -= leaves.len();
    }
    Answer { simulations: settings.simulations, ..Answer::default() }
}
