//! What happened in some simulations, with names of actions and players: plain data for printing.

use crate::SearchName;
use crate::tree_node::node_at;
use aji_search::bandit::{AnyRule, ln};
use aji_search::{AnyGame, Arm, Choice, Edge, Expansion, Game, Named, Player, Simulation, Tree, Turn};
use serde::{Serialize, Serializer};

/// The most simulations of one explanation.
pub const STEPS_MAX: u64 = 1_000;

/// Some simulations in a row, and what was known after the last.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Explanation {
    /// The rules at the root and below it.
    pub rules: [ToldRule; 2],
    /// The simulations.
    pub simulations: Vec<ToldSimulation>,
    /// The root's actions after the last of them, in the game's order.
    pub arms: Vec<ToldArm>,
}

/// A rule, as its formula is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldRule {
    /// Its name, with its settings.
    pub rule: String,
    /// Its formula in symbols; none if it has none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub formula: &'static str,
    /// The constant of the formula, if the rule is UCB1, PUCT or that of the square root.
    pub c: Option<f32>,
}

impl ToldRule {
    fn new(rule: &AnyRule) -> ToldRule {
        let c = match rule {
            AnyRule::Ucb1(ucb1) => Some(ucb1.c),
            AnyRule::UcbSqrt(sqrt) => Some(sqrt.c),
            AnyRule::Puct(puct) => Some(puct.c),
            _ => None,
        };
        ToldRule { rule: rule.to_string(), formula: rule.about().formula, c }
    }
}

/// The rules of a search at the root and below it, in a game.
fn rules_of(search: &SearchName, game: &AnyGame) -> [AnyRule; 2] {
    let (low, high) = game.payoff_range();
    search.rules(high - low)
}

/// What happened in one simulation.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldSimulation {
    /// Its number, from 1 at the first simulation of the tree.
    pub number: u32,
    /// The choices from the root down.
    pub path: Vec<ToldChoice>,
    /// What happened at the leaf. If it was expanded, the last choice of the path is its first action, unless a network
    /// valued it.
    #[serde(serialize_with = "expansion_word")]
    pub expansion: Expansion,
    /// The position after the path, in one line.
    pub position: String,
    /// The same as a board.
    #[serde(skip)]
    pub board: String,
    /// The moves of the playout; none if it is not played move by move.
    pub playout: Option<Vec<String>>,
    /// Whether a network valued the leaf, alone or together with a playout.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub by_network: bool,
    /// The playout's share of the leaf's value, if a network guides the search.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub playout_share: Option<f32>,
    /// What each player got in the playout or at the end of the game, in the game's unit, if that is known.
    pub payoff: Option<Vec<f32>>,
    /// The reward of each player, in 0..=1.
    pub rewards: Vec<f32>,
}

/// One choice on the way down, and what was known when it was made.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldChoice {
    /// Who chose: a player's name, `chance`, or the name of a victim with `(predicted)` behind it.
    pub player: String,
    /// The action taken.
    pub action: String,
    /// The simulations through the node before this one.
    pub visits: u32,
    /// Which of the arms was taken.
    pub chosen: usize,
    /// All actions as they were before, in the game's order.
    pub arms: Vec<ToldArm>,
    /// Whether the rule adds noise to the priors.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub has_noise: bool,
    /// The pulls of the action taken after this simulation.
    pub pulls_after: u32,
    /// Its mean then.
    pub mean_after: f32,
    /// The solver's bounds of its value then, as those of [`ToldArm`].
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds_after: Option<[f32; 2]>,
}

impl ToldChoice {
    /// The action taken, as it was before.
    pub fn before(&self) -> &ToldArm {
        &self.arms[self.chosen]
    }
}

/// What is known at one node of a tree, and the rule that chooses there.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldNode {
    /// Who chooses here: a player's name, `chance`, or the name of a victim with `(predicted)` behind it.
    pub player: String,
    /// The simulations through the node.
    pub visits: u32,
    /// The rule.
    #[serde(flatten)]
    pub rule: ToldRule,
    /// All actions, in the game's order.
    pub arms: Vec<ToldArm>,
}

impl ToldNode {
    /// The node that these actions lead to from the position of a search. None if an action is unknown or was never
    /// tried, and where the tree ends.
    pub(crate) fn at(tree: &Tree, root: &AnyGame, search: &SearchName, path: &[&str]) -> Option<ToldNode> {
        let (position, edges) = node_at(tree, root, path)?;
        if edges.is_empty() {
            return None;
        }
        let rule = rules_of(search, root)[usize::from(!path.is_empty())];
        let visits = edges.iter().map(|&(edge, _)| tree.arm(edge).pulls).sum();
        let arm = |&(edge, prior): &(Edge, Option<f32>)| {
            let action = position.action_name(tree.place(edge) as u16);
            let bounds = tree.proven(edge).map(|_| [tree.arm(edge).mean; 2]);
            ToldArm::new(action, tree.arm(edge), prior, visits, bounds, &rule)
        };
        let arms = edges.iter().map(arm).collect();
        let rule = ToldRule::new(&rule);
        Some(ToldNode { player: chooser(&position, position.turn()), visits, rule, arms })
    }
}

/// What is known of one action.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldArm {
    /// The action.
    pub action: String,
    /// Simulations through it.
    pub pulls: u32,
    /// Their average reward to the player who acts; none while untried.
    pub mean: Option<f32>,
    /// Its prior, if the evaluation makes any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prior: Option<f32>,
    /// The solver's bounds of its value to the player who acts: equal if it is proven, none if nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bounds: Option<[f32; 2]>,
    /// The upper confidence bound, if the rule is UCB1 or that of the square root and the action has been tried.
    pub bound: Option<f32>,
    /// The score, if the rule is PUCT.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
}

impl ToldArm {
    fn new(
        action: String,
        arm: Arm,
        prior: Option<f32>,
        visits: u32,
        bounds: Option<[f32; 2]>,
        rule: &AnyRule,
    ) -> ToldArm {
        let tried = arm.pulls > 0;
        let (n, pulls) = (f64::from(visits), f64::from(arm.pulls));
        let width = match rule {
            // Rules do not explore a proven action.
            _ if bounds.is_some_and(|[low, high]| low == high) => Some(0.0),
            AnyRule::Ucb1(ucb1) => Some(f64::from(ucb1.c) * (ln(visits.into()) / pulls).sqrt()),
            AnyRule::UcbSqrt(sqrt) => Some((f64::from(sqrt.c) * n.sqrt() / pulls).sqrt()),
            _ => None,
        };
        let bound = width.filter(|_| tried).map(|width| arm.mean + width as f32);
        let score = match (rule, prior) {
            (AnyRule::Puct(puct), Some(prior)) => Some(puct.score(arm, prior, visits)),
            _ => None,
        };
        ToldArm { action, pulls: arm.pulls, mean: tried.then_some(arm.mean), prior, bounds, bound, score }
    }
}

fn expansion_word<S: Serializer>(expansion: &Expansion, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(match expansion {
        Expansion::Opened(_) => "opened",
        Expansion::FirstVisit => "first_visit",
        Expansion::Over => "over",
        Expansion::Deepest => "deepest",
        Expansion::Full => "full",
        Expansion::Proven => "proven",
    })
}

/// Translates simulations from one position to names.
pub(crate) struct Teller<'a> {
    pub(crate) root: &'a AnyGame,
    pub(crate) search: &'a SearchName,
}

impl Teller<'_> {
    /// A simulation with names. Each action is named in the position it is played in.
    pub(crate) fn simulation(&self, told: &Simulation<u16>) -> ToldSimulation {
        let rules = rules_of(self.search, self.root);
        let mut position = self.root.clone();
        let mut path = Vec::new();
        for (depth, choice) in told.path.iter().enumerate() {
            let rule = rules[depth.min(1)];
            path.push(told_choice(&position, choice, &rule));
            position.play(choice.action());
        }
        let (text, board) = (position.text(), position.board());
        let name = |&action: &u16| {
            let name = position.action_name(action);
            position.play(action);
            name
        };
        let players = self.root.players();
        let is_known = matches!(told.expansion, Expansion::Over | Expansion::Proven);
        let lambda = self.search.lambda;
        let playout_share = (self.search.has_policy() && !is_known).then_some(lambda);
        let played = told.playout.as_ref().filter(|_| playout_share != Some(0.0));
        let playout: Option<Vec<String>> = played.map(|moves| moves.iter().map(name).collect());
        let payoff = match (playout_share, &playout) {
            (None, _) => told.payoff,
            // What a network shares in is no payoff, but the playout has one.
            (Some(_), Some(_)) if position.turn() == Turn::Over => Some(position.payoff()),
            (Some(_), _) => None,
        };
        ToldSimulation {
            number: told.path.first().map_or(0, |choice| choice.visits) + 1,
            path,
            expansion: told.expansion,
            position: text,
            board,
            playout,
            by_network: playout_share.is_some_and(|share| share < 1.0),
            playout_share,
            payoff: payoff.map(|payoff| payoff.0[..players].to_vec()),
            rewards: told.rewards[..players].to_vec(),
        }
    }

    /// The rules at the root and below it.
    pub(crate) fn rules(&self) -> [ToldRule; 2] {
        rules_of(self.search, self.root).map(|rule| ToldRule::new(&rule))
    }

    /// The root's actions as they stand in the tree.
    pub(crate) fn arms(&self, tree: &Tree) -> Vec<ToldArm> {
        let [rule, _] = rules_of(self.search, self.root);
        let name = |edge: Edge| self.root.action_name(tree.place(edge) as u16);
        let prior = |index| tree.root_priors().get(index).copied();
        let arm = |(index, edge)| {
            let bounds = tree.proven(edge).map(|_| [tree.arm(edge).mean; 2]);
            ToldArm::new(name(edge), tree.arm(edge), prior(index), tree.pulls(), bounds, &rule)
        };
        tree.root_edges().enumerate().map(arm).collect()
    }
}

fn told_choice(position: &AnyGame, choice: &Choice<u16>, rule: &AnyRule) -> ToldChoice {
    let name = |action| position.action_name(action);
    let arm = |(index, &(action, arm)): (usize, &(u16, Arm))| {
        let bounds = choice.bounds.get(index).copied().flatten();
        ToldArm::new(name(action), arm, choice.priors.get(index).copied(), choice.visits, bounds, rule)
    };
    ToldChoice {
        player: chooser(position, choice.turn),
        action: name(choice.action()),
        visits: choice.visits,
        chosen: choice.chosen,
        arms: choice.arms.iter().enumerate().map(arm).collect(),
        has_noise: matches!(rule, AnyRule::Gumbel(gumbel) if gumbel.noise > 0.0),
        pulls_after: choice.after.pulls,
        mean_after: choice.after.mean,
        bounds_after: choice.bounds_after,
    }
}

/// The name of whoever acts. Where the search leaves a player's choice to chance, it predicts that player.
pub(crate) fn chooser(position: &AnyGame, turn: Turn) -> String {
    let name = |player: Player| position.player_name(player);
    match (turn, position.turn()) {
        (Turn::Player(player), _) => name(player),
        (_, Turn::Player(player)) => format!("{} (predicted)", name(player)),
        _ => "chance".into(),
    }
}
