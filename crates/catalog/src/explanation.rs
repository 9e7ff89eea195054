//! What happened in some simulations, with names of actions and players: plain data for printing.

use crate::SearchName;
use crate::seen::Seen;
use crate::tree_node::{WithPrior, node_at};
use aji_search::bandit::{AnyRule, Filled};
use aji_search::{AnyGame, Arm, Choice, Expansion, Game, Named, Player, Simulation, Tree, Turn};
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

/// A rule, as it is told.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToldRule {
    /// Its name, with its settings.
    pub rule: String,
    /// Its formula in symbols; none if it has none.
    #[serde(skip_serializing_if = "str::is_empty")]
    pub formula: &'static str,
}

impl ToldRule {
    fn new(rule: &AnyRule) -> ToldRule {
        ToldRule { rule: rule.to_string(), formula: rule.about().formula }
    }
}

/// The rules of a search near the root and below, in a game.
fn rules_of(search: &SearchName, game: &AnyGame) -> [AnyRule; 2] {
    let (low, high) = game.payoff_range();
    search.rules(high - low)
}

/// The rule that chooses this many steps below the root.
fn rule_at(search: &SearchName, game: &AnyGame, depth: usize) -> AnyRule {
    rules_of(search, game)[usize::from(depth >= search.near as usize)]
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
    /// The moves of the playout; none if the evaluation does not tell them.
    pub playout: Option<Vec<String>>,
    /// Whether the playout went on with a move that the rules forbid. Its moves end before that.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_forbidden_next: bool,
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
    /// The rule that chose; none where chance did.
    #[serde(flatten)]
    pub rule: Option<ToldRule>,
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
    /// The node that these actions lead to from the position of a search that has this many simulations left, if that
    /// is known. None if an action is unknown or was never tried, and where the tree ends.
    pub(crate) fn at(
        tree: &Tree,
        (root, search): (&AnyGame, &SearchName),
        left: Option<u64>,
        path: &[&str],
    ) -> Option<ToldNode> {
        let (position, edges, above) = node_at(tree, root, path)?;
        if edges.is_empty() {
            return None;
        }
        let (rule, turn) = (rule_at(search, root, path.len()), position.turn());
        let left = left.filter(|_| path.is_empty()).map(|left| u32::try_from(left).unwrap_or(u32::MAX));
        let seen = Seen::at(tree, (root, search), &edges, (above, turn, path.len())).with(left);
        let arm = |(&(edge, prior), mut filled): (&WithPrior, Filled)| {
            let (action, arm) = (position.action_name(tree.place(edge) as u16), tree.arm(edge));
            let bounds = tree.proven(edge).map(|_| [arm.mean; 2]);
            if let Some(why) = unseen(&rule, search, path.len(), (seen.total, arm.pulls)) {
                filled = Filled { lines: vec![why.into()], number: None };
            }
            ToldArm::new(action, arm, prior, bounds).filled(&rule, filled)
        };
        let arms = edges.iter().zip(seen.filled(&rule)).map(arm).collect();
        let rule = ToldRule::new(&rule);
        Some(ToldNode { player: chooser(&position, turn), visits: seen.total, rule, arms })
    }
}

/// Why a tree does not show all that a rule sees of an action, if it does not. `visits` are those of the node, and `pulls`
/// those of the action.
fn unseen(
    rule: &AnyRule,
    search: &SearchName,
    depth: usize,
    (visits, pulls): (u32, u32),
) -> Option<&'static str> {
    match rule {
        AnyRule::Rave(_) if depth > 0 && visits < search.reference => Some(
            "With few visits the rule reads the AMAF counts of a node above, which only the search knows.",
        ),
        AnyRule::Gumbel(_) if depth == 0 && search.has_policy() && pulls == 0 => {
            Some("The rule assumes the evaluation of the position here, which only the search knows.")
        }
        _ => None,
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
    /// The upper confidence bound that the rule compares, if it does and the action has been tried.
    pub bound: Option<f32>,
    /// The number that the rule compares, if it is no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<f32>,
    /// The rule's formula with the numbers of the action, or how the rule chooses. Of an explained simulation only the
    /// action taken has it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub filled: Vec<String>,
}

impl ToldArm {
    fn new(action: String, arm: Arm, prior: Option<f32>, bounds: Option<[f32; 2]>) -> ToldArm {
        let mean = (arm.pulls > 0).then_some(arm.mean);
        let (bound, score, filled) = (None, None, Vec::new());
        ToldArm { action, pulls: arm.pulls, mean, prior, bounds, bound, score, filled }
    }

    /// The same with what the rule says of it.
    fn filled(self, rule: &AnyRule, Filled { lines, number }: Filled) -> ToldArm {
        let number = number.map(|number| number as f32).filter(|number| number.is_finite());
        let (bound, score) = if rule.about().is_bound { (number, None) } else { (None, number) };
        ToldArm { bound, score, filled: lines, ..self }
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
        let mut position = self.root.clone();
        let mut path = Vec::new();
        for (depth, choice) in told.path.iter().enumerate() {
            path.push(told_choice(&position, choice, (rule_at(self.search, self.root, depth), depth)));
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
            is_forbidden_next: told.is_forbidden_next,
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
        ToldNode::at(tree, (self.root, self.search), None, &[]).map_or(Vec::new(), |node| node.arms)
    }
}

fn told_choice(position: &AnyGame, choice: &Choice<u16>, (rule, depth): (AnyRule, usize)) -> ToldChoice {
    let name = |action| position.action_name(action);
    let by_rule = matches!(choice.turn, Turn::Player(_));
    let filled = Seen::by(choice, depth).filled(&rule);
    let arm = |((index, &(action, arm)), mut filled): ((usize, &(u16, Arm)), Filled)| {
        let bounds = choice.bounds.get(index).copied().flatten();
        let told = ToldArm::new(name(action), arm, choice.priors.get(index).copied(), bounds);
        if index != choice.chosen {
            filled.lines.clear();
        }
        if by_rule { told.filled(&rule, filled) } else { told }
    };
    ToldChoice {
        player: chooser(position, choice.turn),
        action: name(choice.action()),
        rule: by_rule.then(|| ToldRule::new(&rule)),
        visits: choice.visits,
        chosen: choice.chosen,
        arms: choice.arms.iter().enumerate().zip(filled).map(arm).collect(),
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
