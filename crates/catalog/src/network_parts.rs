//! The parts of a search that ask a network. They work on type-erased games and are compiled once: compared with an
//! evaluation by a network, type erasure costs nothing.

use crate::maker::Evaluation;
use crate::playout_name::PlayoutName;
use crate::search_name::SearchName;
use aji_net::{Encoding, MixedEvaluation, Network, NetworkEvaluation, NetworkPlayout};
use aji_search::{Abilities, AnyEvaluation, AnyGame, Game, HiddenLeaves, Playable, Utility};
use std::sync::Arc;

/// The cache of network evaluations gets one byte in this many of a search's memory.
const CACHE_SHARE: usize = 8;

/// The most memory of that cache. Memory that is never touched costs nothing.
const CACHE_BYTES_MAX: usize = 64 << 20;

/// The most symmetric images of a position that a network evaluates.
const IMAGES_MAX: usize = 8;

/// What values the leaves of a search that asks for a network.
#[derive(Clone)]
pub(crate) enum Judge {
    Network(Arc<Network>),
    /// An evaluation that was added to a workbench.
    Own(Arc<MakeEvaluation>),
}

/// Makes an evaluation for one search.
pub(crate) type MakeEvaluation = dyn Fn() -> AnyEvaluation + Send + Sync;

impl Judge {
    /// The network, if it is one.
    pub(crate) fn network(&self) -> Option<&Arc<Network>> {
        match self {
            Judge::Network(network) => Some(network),
            Judge::Own(_) => None,
        }
    }
}

/// What a search asks of its evaluation.
pub(crate) struct Request<'a> {
    pub(crate) name: &'a SearchName,
    pub(crate) judge: Option<&'a Judge>,
    /// The most bytes of the whole search.
    pub(crate) memory: usize,
    pub(crate) utility: Utility,
}

impl Request<'_> {
    /// Values and priors by the network or by the user's evaluation. None without either.
    pub(crate) fn values(&self) -> Option<AnyEvaluation> {
        match self.judge? {
            Judge::Network(_) => Some(Box::new(self.network()?)),
            Judge::Own(make) => Some(make()),
        }
    }

    /// Playouts by the network. None without a network.
    pub(crate) fn playout(&self, temperature: f32) -> Option<AnyEvaluation> {
        Some(Box::new(NetworkPlayout::new(self.network()?, temperature)))
    }

    fn network(&self) -> Option<NetworkEvaluation<AnyGame>> {
        let Request { name, judge, memory, .. } = self;
        // A search that asks its network for values and for playouts has two caches.
        let caches = 1 + usize::from(name.has_policy() && matches!(name.playout, PlayoutName::Net(_)));
        let cache = (memory / CACHE_SHARE).min(CACHE_BYTES_MAX) / caches;
        let images = if name.symmetries { IMAGES_MAX } else { 1 };
        let evaluation = NetworkEvaluation::new((*judge)?.network()?.clone(), Encoding::symmetric(), cache);
        Some(evaluation.room(name.wave * images).averaging(name.symmetries))
    }
}

/// Adapts a network's evaluations to a game's own type. These are function pointers, so that only games with an
/// encoding compile them.
pub(crate) struct NetworkParts<G: Game> {
    /// Lets an evaluation of type-erased games evaluate this game's leaves.
    pub(crate) reveal: fn(AnyEvaluation, Abilities<G>) -> Evaluation<G>,
    /// Mixes the values of a network with the results of playouts, which get the given share.
    pub(crate) mix: fn(Evaluation<G>, Evaluation<G>, f32, Utility) -> Evaluation<G>,
}

impl<G: Playable> NetworkParts<G> {
    pub(crate) fn new() -> NetworkParts<G> {
        NetworkParts {
            reveal: |evaluation, abilities| Box::new(HiddenLeaves::new(evaluation, abilities)),
            mix: |values, playout, lambda, utility| {
                Box::new(MixedEvaluation::new(values, playout, lambda, utility))
            },
        }
    }
}
