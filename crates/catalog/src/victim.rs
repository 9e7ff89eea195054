//! An agent as an opponent whose play is known: what it would play in any position. Each answer comes from a new search
//! whose seed depends on the position alone, so that it does not depend on the order of questions.

use crate::attack_name::{AttackName, ModelName, VictimName};
use crate::maker::MakeAgents;
use crate::network_parts::{Judge, Request};
use crate::own::Missing;
use crate::playout_name::PlayoutName;
use crate::search_name::SearchName;
use crate::thinker;
use crate::workbench::Added;
use crate::{AgentName, Error, Method};
use aji_net::{MixedEvaluation, Network};
use aji_search::bandit::Steady;
use aji_search::exact::Solver;
use aji_search::playout::{Cutoff, Epsilon, Uniform};
use aji_search::{
    Against, Agent, AnyAgent, AnyEvaluation, AnyGame, Budget, Evaluate, Game, Hashed, Leaf, Opponent,
    PLAYOUT_PLIES_MAX, Payoff, Replies, Report, Rng, Search, Settings, SharedOpponent, Split, Turn, Utility,
    Versus, VersusLeaves,
};
use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The replies of a victim get one byte in this many of an attacker's memory; so do the victim's searches.
const REPLIES_SHARE: usize = 4;

/// The bytes of a stored answer without its replies.
const ANSWER_BYTES: usize = 64;

/// An agent that plays against an attacker. It answers every position with a new search.
#[derive(Clone)]
pub struct Victim {
    agent: AgentName,
    model: VictimName,
    /// The most bytes of the answers that a model keeps.
    room: usize,
    title: String,
    maker: Arc<dyn MakeAgents>,
    added: Added,
    /// Read once, for all its searches.
    judge: Option<Judge>,
    /// Agents that have moved, for later moves: a new one takes longer than a short search.
    idle: Arc<Mutex<Vec<AnyAgent>>>,
}

/// What an attacker knows of its victim: how likely each reply is.
struct Model {
    victim: Victim,
    /// The victim's network, where its policy is the answer. It gives the priors of a search without the search.
    policy: Option<AnyEvaluation>,
    /// The agent of the last search, which may serve for the next one.
    agent: Option<AnyAgent>,
    /// The answers so far, by the positions' hashes, and their bytes.
    known: HashMap<u64, Replies<AnyGame>>,
    bytes: usize,
}

impl Victim {
    /// The victim of this name. `memory` is the attacker's: the victim's model gets a part of it.
    pub(crate) fn new(
        name: &VictimName,
        memory: usize,
        (title, game): (&str, &AnyGame),
        (maker, added): (&Arc<dyn MakeAgents>, &Added),
    ) -> Result<Victim, Error> {
        if game.players() != 2 || game.has_chance() {
            return Err(Error::new(format!("victim=: {title} is not a game of two players without chance")));
        }
        if !game.has().hashed {
            return Err(maker.missing("victim=", Missing::Hashed));
        }
        let mut model = name.clone();
        let limit = (memory / REPLIES_SHARE) as u64;
        model.agent.memory = model.agent.memory.min(limit);
        if let (ModelName::AveragedPolicy, Method::Search(search)) = (model.model, &mut model.agent.method) {
            search.symmetries = true;
        }
        // Also says why the victim does not play this game.
        thinker::agent(&model.agent, title, game, maker, added)?;
        let judge = match &model.agent.method {
            Method::Search(search) => added.judge(search, (title, game), &**maker)?,
            _ => None,
        };
        let (title, maker, added) = (title.into(), maker.clone(), added.clone());
        let (agent, room) = ((*name.agent).clone(), memory / REPLIES_SHARE);
        Ok(Victim { agent, model, room, title, maker, added, judge, idle: Arc::default() })
    }

    /// The network that it plays with.
    pub fn network(&self) -> Option<&Network> {
        self.judge.as_ref()?.network().map(|network| &**network)
    }

    /// A model of it for one attacker, which keeps the answers so far.
    pub fn opponent(&self) -> SharedOpponent<AnyGame> {
        let (victim, policy) = (self.clone(), self.policy());
        SharedOpponent::new(Model { victim, policy, agent: None, known: HashMap::new(), bytes: 0 })
    }

    /// The policy of its network, if the model is that alone.
    fn policy(&self) -> Option<AnyEvaluation> {
        let VictimName { agent, model, .. } = &self.model;
        let search = agent.search().filter(|_| agent.has_policy() && self.model.looks() == 1)?;
        let (judge, memory) = (self.judge.as_ref(), agent.memory_bytes());
        let request = Request { name: search, judge, memory, utility: Utility::Win };
        request.values().filter(|_| *model != ModelName::Search)
    }

    /// Its move in a position, by a new search with this seed. Where it finds none, it plays any action.
    pub fn play(&self, game: &AnyGame, seed: u64) -> u16 {
        let idle = || self.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let kept = idle().pop().and_then(|mut agent| agent.renew(seed).then_some(agent));
        let mut agent = kept.unwrap_or_else(|| self.made(&self.agent, game, seed));
        let found = agent.think(game, self.agent.budget(), &mut ()).best;
        idle().push(agent);
        found.unwrap_or_else(|| game.random_action(&mut Rng::seeded(seed), &mut Vec::new()))
    }

    /// A new agent of this name, which is the victim's with some memory.
    fn made(&self, agent: &AgentName, game: &AnyGame, seed: u64) -> AnyAgent {
        let name = AgentName { seed, ..agent.clone() };
        let made = match &name.method {
            Method::Search(search) => {
                thinker::search(&name, search, game, (&*self.maker, self.judge.clone()))
            }
            _ => thinker::agent(&name, &self.title, game, &self.maker, &self.added),
        };
        // `new` has made the same agent before, with another seed.
        made.expect("an agent that plays the game")
    }
}

impl Model {
    /// One search of a position, by its number. Its seed depends on the position alone.
    fn look(&mut self, game: &AnyGame, hash: u64, number: u64, budget: Budget) -> Report<u16> {
        let victim = &self.victim;
        let seed = (victim.agent.seed ^ hash).wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let kept = self.agent.take().and_then(|mut agent| agent.renew(seed).then_some(agent));
        let mut agent = kept.unwrap_or_else(|| victim.made(&victim.model.agent, game, seed));
        let report = agent.think(game, budget, &mut ());
        self.agent = Some(agent);
        report
    }

    /// The odds of each action; 0 for all if the victim plays at random or finds no move.
    fn odds(&mut self, game: &AnyGame, hash: u64, count: usize) -> Vec<f32> {
        let VictimName { agent, model, replies, .. } = &self.victim.model;
        let (model, replies, budget, mut odds) = (*model, *replies, agent.budget(), vec![0.0; count]);
        if let (Method::Random, ModelName::Policy) = (&agent.method, model) {
            return odds;
        }
        if model == ModelName::Search {
            for number in 0..replies {
                let best = self.look(game, hash, number, budget).best;
                best.into_iter().for_each(|action| odds[usize::from(action)] += 1.0);
            }
            return odds;
        }
        let looks = self.victim.model.looks();
        let most = budget.simulations.unwrap_or(looks).min(looks);
        let report = self.look(game, hash, 0, Budget { simulations: Some(most), ..budget });
        for arm in &report.arms {
            odds[usize::from(arm.action)] = arm.pulls as f32;
        }
        if let (true, Some(best)) = (odds.iter().all(|&odds| odds == 0.0), report.best) {
            odds[usize::from(best)] = 1.0;
        }
        odds
    }
}

impl Opponent<AnyGame> for Model {
    fn replies(&mut self, game: &AnyGame) -> Replies<AnyGame> {
        let hash = game.whole_hash();
        if let Some(replies) = self.known.get(&hash) {
            return replies.clone();
        }
        let mut actions = Vec::new();
        game.actions(&mut actions);
        let mut odds = match &mut self.policy {
            Some(policy) => {
                let mut leaf = Leaf::new(game.clone());
                leaf.actions.clone_from(&actions);
                policy.evaluate(std::slice::from_mut(&mut leaf), &mut Rng::seeded(hash));
                leaf.policy
            }
            None => self.odds(game, hash, actions.len()),
        };
        if odds.iter().all(|&odds| odds == 0.0) {
            odds.fill(1.0);
        }
        let replies: Replies<AnyGame> = actions.into_iter().zip(odds).collect();
        let bytes = ANSWER_BYTES + size_of_val(&*replies);
        if self.bytes + bytes > self.victim.room {
            self.known.clear();
            self.bytes = 0;
        }
        self.bytes += bytes;
        self.known.insert(hash, replies.clone());
        replies
    }
}

/// The memory of an attack whose own search has this much.
pub(crate) fn memory_with_victim(own: usize) -> usize {
    own * REPLIES_SHARE / (REPLIES_SHARE - 2)
}

/// The search of an attack.
pub(crate) fn attacker(
    name: &AgentName,
    attack: &AttackName,
    (title, game): (&str, &AnyGame),
    (maker, added): (&Arc<dyn MakeAgents>, &Added),
) -> Result<AnyAgent, Error> {
    let (search, memory) = (&attack.search, name.memory_bytes());
    let victim = Victim::new(&attack.victim, memory, (title, game), (maker, added))?;
    let judge = added.judge(search, (title, game), &**maker)?;
    let memory = memory - 2 * (memory / REPLIES_SHARE);
    let utility = search.utility(game);
    let request = Request { name: search, judge: judge.as_ref(), memory, utility };
    let evaluation: Box<dyn Evaluate<Versus<AnyGame>> + Send> = match evaluation(&request, game)? {
        Some(evaluation) => Box::new(VersusLeaves::new(evaluation)),
        None => Box::new(Uniform),
    };
    let (low, high) = game.payoff_range();
    let [root, below] = search.rules(high - low);
    let root = Steady::new(root, if root == below { 0 } else { search.steady });
    let rule = Split { root, below, near: search.near };
    let (opponent, player) = (victim.opponent(), player_of(game));
    let start = Versus::new(game.clone(), player, opponent.clone());
    let settings = Settings { utility, ..search.search_settings(memory) };
    let found = Search::of(start, rule, evaluation).settings(settings).rng(Rng::seeded(name.seed));
    Ok(Box::new(Against::new(Box::new(found), opponent)))
}

/// The best response to a victim, by exact values.
pub(crate) fn responder(
    name: &AgentName,
    victim: &VictimName,
    (title, game): (&str, &AnyGame),
    (maker, added): (&Arc<dyn MakeAgents>, &Added),
) -> Result<AnyAgent, Error> {
    let memory = name.memory_bytes();
    let victim = Victim::new(victim, memory, (title, game), (maker, added))?;
    let solver: Box<dyn Agent<Versus<AnyGame>> + Send> =
        Box::new(Solver::new(memory - 2 * (memory / REPLIES_SHARE)));
    Ok(Box::new(Against::new(solver, victim.opponent())))
}

/// The player to act.
fn player_of(game: &AnyGame) -> u8 {
    if let Turn::Player(player) = game.turn() { player } else { 0 }
}

/// How the attacker's search values leaves; none for uniform playouts.
fn evaluation(request: &Request, game: &AnyGame) -> Result<Option<AnyEvaluation>, Error> {
    let playout = playout(request.name, request, game)?;
    Ok(match request.values().filter(|_| request.name.has_policy()) {
        Some(values) if request.name.lambda != 0.0 => {
            let playout = playout.unwrap_or_else(|| Box::new(Uniform));
            Some(Box::new(MixedEvaluation::new(values, playout, request.name.lambda, request.utility)))
        }
        Some(values) => Some(values),
        None => playout,
    })
}

fn playout(name: &SearchName, request: &Request, game: &AnyGame) -> Result<Option<AnyEvaluation>, Error> {
    let estimate = |game: &AnyGame| game.estimate().unwrap_or(Payoff::DRAW);
    let needs = |word: &str| match game.estimate() {
        Some(_) => Ok(()),
        None => Err(Error::new(format!("{word} needs a heuristic, and this game has none"))),
    };
    Ok(Some(match (name.playout, name.cutoff) {
        (PlayoutName::Net(temperature), _) => {
            request.playout(temperature).ok_or_else(|| Error::new("playout=net: this game has no network"))?
        }
        (PlayoutName::Epsilon(epsilon), cutoff) => {
            needs("playout=epsilon")?;
            Box::new(Epsilon { epsilon, plies: cutoff.unwrap_or(PLAYOUT_PLIES_MAX), estimate })
        }
        (PlayoutName::Uniform, None) => return Ok(None),
        (PlayoutName::Uniform, Some(plies)) if name.eval => {
            needs("eval=on")?;
            Box::new(Cutoff { plies, estimate: Some(estimate) })
        }
        (PlayoutName::Uniform, Some(plies)) => Box::new(Cutoff::draw(plies)),
        _ => return Err(Error::new("amcts takes the playouts uniform, epsilon and net")),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session;

    /// An agent that has moved before plays as a new one.
    #[test]
    fn moves_depend_on_the_position_and_the_seed_alone() {
        let mut game = session("connect-four").unwrap();
        let victim = |game: &dyn crate::Session, agent: &str| {
            let name = VictimName::new(agent.parse().unwrap(), ModelName::Policy).unwrap();
            game.victim(&name, 10_000_000).unwrap()
        };
        for agent in ["uct simulations=30", "alphazero simulations=4", "uct transpositions=on simulations=30"]
        {
            let busy = victim(&*game, agent);
            for (seed, action) in (1..).zip(["d", "d", "c", "e", "c", "d"]) {
                let new = victim(&*game, agent).play(game.position(), seed);
                assert_eq!(busy.play(game.position(), seed), new, "{agent}, seed {seed}");
                game.play(action).unwrap();
            }
            while game.undo() {}
        }
    }

    /// The policy that a model asks the network for is that of a search with one simulation.
    #[test]
    fn a_bare_network_answers_as_its_search() {
        let mut game = session("connect-four").unwrap();
        for action in ["d", "d", "c", "e"] {
            for (model, options) in [(ModelName::Policy, ""), (ModelName::AveragedPolicy, "symmetries=on")] {
                let name = VictimName::new("alphazero simulations=8".parse().unwrap(), model).unwrap();
                let opponent = game.victim(&name, 10_000_000).unwrap().opponent();
                let replies = Versus::new(game.position().clone(), 1 - player_of(game.position()), opponent);
                let one = format!("alphazero {options} simulations=1").parse().unwrap();
                for (action, arm) in (0..).zip(game.think(&one, &mut ()).unwrap().arms) {
                    let (odds, prior) = (replies.weight(action), arm.prior.unwrap());
                    assert!((odds - prior).abs() < 1e-6, "{}: {odds}, and {prior} by a search", arm.action);
                }
            }
            game.play(action).unwrap();
        }
        let searched = VictimName::new("uct simulations=8".parse().unwrap(), ModelName::Policy).unwrap();
        assert!(game.victim(&searched, 10_000_000).unwrap().policy().is_none());
    }
}
