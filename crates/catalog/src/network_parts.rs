//! The parts of a search that ask a network. They are compiled for each game that a network can look at.

use crate::maker::Evaluation;
use crate::playout_name::PlayoutName;
use crate::search_name::SearchName;
use aji_net::{Encoding, MixedEvaluation, Network, NetworkEvaluation, NetworkPlayout};
use aji_search::playout::Uniform;
use aji_search::{Game, Playable, Utility};
use std::sync::Arc;

/// The share of a search's memory that remembers what a network said: one in this many bytes.
const CACHE_SHARE: usize = 8;

/// The most memory for that. Memory that is never touched costs nothing.
const CACHE_BYTES_MAX: usize = 64 << 20;

/// The most images of a position that a network looks at.
const IMAGES_MAX: usize = 8;

/// What an evaluation is made from.
pub(crate) struct Request<'a> {
    pub(crate) name: &'a SearchName,
    pub(crate) network: Option<&'a Arc<Network>>,
    /// The most bytes of the whole search.
    pub(crate) memory: usize,
    pub(crate) utility: Utility,
}

/// How a game looks to networks, and what makes evaluations of it. Functions, so that only games with an encoding
/// compile them.
pub(crate) struct NetworkParts<G: Game> {
    encoding: Encoding<G>,
    values: MakeValues<G>,
    playout: MakePlayout<G>,
}

type MakeValues<G> = fn(NetworkEvaluation<G>, Option<Evaluation<G>>, &Request) -> Evaluation<G>;

type MakePlayout<G> = fn(NetworkEvaluation<G>, f32) -> Evaluation<G>;

impl<G: Playable> NetworkParts<G> {
    pub(crate) fn new(encoding: Encoding<G>) -> NetworkParts<G> {
        let values: MakeValues<G> = |network, playout, request| match request.name.lambda {
            0.0 => Box::new(network),
            lambda => {
                let playout = playout.unwrap_or_else(|| Box::new(Uniform));
                Box::new(MixedEvaluation::new(network, playout, lambda, request.utility))
            }
        };
        NetworkParts { encoding, values, playout: |network, at| Box::new(NetworkPlayout::new(network, at)) }
    }

    /// Values and priors by the network, mixed with this playout, or uniform ones, where the name says so. None without a network.
    pub(crate) fn values(&self, request: &Request, playout: Option<Evaluation<G>>) -> Option<Evaluation<G>> {
        let network = self.network(request)?;
        Some((self.values)(network, playout, request))
    }

    /// Playouts by the network.
    pub(crate) fn playout(&self, request: &Request, temperature: f32) -> Option<Evaluation<G>> {
        Some((self.playout)(self.network(request)?, temperature))
    }

    fn network(&self, request: &Request) -> Option<NetworkEvaluation<G>> {
        let Request { name, network, memory, .. } = request;
        // A search that asks its network for values and for playouts has two caches.
        let caches = 1 + usize::from(name.has_policy() && matches!(name.playout, PlayoutName::Net(_)));
        let cache = (memory / CACHE_SHARE).min(CACHE_BYTES_MAX) / caches;
        let images = if name.symmetries { IMAGES_MAX } else { 1 };
        let evaluation = NetworkEvaluation::new((*network)?.clone(), self.encoding.clone(), cache);
        Some(evaluation.room(name.wave * images).averaging(name.symmetries))
    }
}
