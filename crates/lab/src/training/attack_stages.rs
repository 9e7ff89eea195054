//! The stages of an attack. The victim grows stronger from stage to stage: first its checkpoints, each as a bare
//! network, then its own network with more and more simulations (Wang, Gleave et al. 2023).

use crate::statistics::{GameCounts, Interval, wilson};
use aji_catalog::{AgentName, Method, thousands};
use std::collections::VecDeque;
use std::path::Path;

/// The share of wins that ends a stage against a checkpoint.
const CHECKPOINT_GOAL: f64 = 0.5;

/// The share of wins that ends a stage against a victim with few simulations.
const GOAL: f64 = 0.75;

/// The share of wins that ends a stage from [`MANY_SIMULATIONS`] on.
const GOAL_OF_MANY: f64 = 0.9;

/// Stages with this many simulations and more have the higher goal.
const MANY_SIMULATIONS: u64 = 512;

/// The level of the intervals of win rates.
const LEVEL: f64 = 0.95;

/// A stage: the victim, and when the next stage follows.
#[derive(Clone, Debug, PartialEq)]
pub struct AttackStage {
    /// What tables call it.
    pub name: String,
    /// The victim.
    pub victim: AgentName,
    /// The share of wins that ends the stage; none for the last stage, which never ends.
    pub goal: Option<f64>,
}

/// The stages against a victim. The files are those of its checkpoints, in order.
pub(super) fn stages<'a>(victim: &AgentName, files: impl Iterator<Item = &'a Path>) -> Vec<AttackStage> {
    let mut stages: Vec<AttackStage> = files.map(|file| of_checkpoint(victim, file)).collect();
    let most = match victim.method {
        Method::Search(_) => victim.budget().simulations.unwrap_or(1),
        _ => 1,
    };
    // The last checkpoint is a bare network too.
    let first = if stages.is_empty() { 1 } else { 2 };
    let doubled = std::iter::successors(Some(first), |simulations: &u64| simulations.checked_mul(2));
    stages.extend(doubled.take_while(|&simulations| simulations < most).map(|simulations| AttackStage {
        name: format!("simulations={simulations}"),
        victim: AgentName { simulations: Some(simulations), ..victim.clone() },
        goal: Some(if simulations < MANY_SIMULATIONS { GOAL } else { GOAL_OF_MANY }),
    }));
    stages.push(AttackStage { name: victim.to_string(), victim: victim.clone(), goal: None });
    stages
}

/// The stage against a checkpoint.
fn of_checkpoint(victim: &AgentName, file: &Path) -> AttackStage {
    let mut victim = AgentName { simulations: Some(1), ..victim.clone() };
    if let Method::Search(search) = &mut victim.method {
        search.net = Some(file.display().to_string());
    }
    let name = file.file_stem().unwrap_or_default().to_string_lossy();
    AttackStage { name: format!("checkpoint {name}"), victim, goal: Some(CHECKPOINT_GOAL) }
}

/// The results of a stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StageScore {
    /// All its games, as the attacker sees them.
    pub all: GameCounts,
    /// The last ones, by which the stage is judged.
    pub last: GameCounts,
    /// Whether the next stage has begun.
    pub is_passed: bool,
}

impl StageScore {
    /// The attacker's share of wins in the last games, with its interval at 95%. None without games.
    pub fn win_rate(&self) -> Option<(f64, Interval)> {
        let games = self.last.games();
        let interval = wilson(self.last.wins, games, LEVEL)?;
        (games > 0).then(|| (self.last.wins as f64 / games as f64, interval))
    }

    /// The same in a few words.
    pub fn told(&self) -> String {
        match self.win_rate() {
            Some((rate, Interval { low, high })) => format!(
                "{:.1}% wins ({:.1} to {:.1}) of the last {} games",
                100.0 * rate,
                100.0 * low,
                100.0 * high,
                thousands(self.last.games())
            ),
            None => "no games yet".into(),
        }
    }
}

/// The results of the stages that have begun, by those of the iterations. A stage is judged by its last iterations that
/// together have at least `stage_games` games.
pub(super) fn scores(
    goals: &[Option<f64>],
    stage_games: u64,
    iterations: impl Iterator<Item = GameCounts>,
) -> Vec<StageScore> {
    let (mut scores, mut last) = (vec![StageScore::default()], VecDeque::new());
    for counts in iterations {
        let stage = scores.len() - 1;
        let score = &mut scores[stage];
        last.push_back(counts);
        while last.len() > 1 && games(&last) - last[0].games() >= stage_games {
            last.pop_front();
        }
        score.all = sum([score.all, counts]);
        score.last = sum(last.iter().copied());
        let (games, wins) = (score.last.games(), score.last.wins as f64);
        let goal = goals.get(stage).copied().flatten();
        if games >= stage_games && goal.is_some_and(|goal| wins >= goal * games as f64) {
            score.is_passed = true;
            scores.push(StageScore::default());
            last.clear();
        }
    }
    scores
}

fn games(counts: &VecDeque<GameCounts>) -> u64 {
    counts.iter().map(GameCounts::games).sum()
}

fn sum(counts: impl IntoIterator<Item = GameCounts>) -> GameCounts {
    counts.into_iter().fold(GameCounts::default(), |sum, one| GameCounts {
        wins: sum.wins + one.wins,
        draws: sum.draws + one.draws,
        losses: sum.losses + one.losses,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stages_of(victim: &str, files: &[&str]) -> Vec<(String, String, Option<f64>)> {
        let victim = victim.parse().unwrap();
        let all = stages(&victim, files.iter().map(Path::new));
        all.into_iter().map(|stage| (stage.name, stage.victim.to_string(), stage.goal)).collect()
    }

    #[test]
    fn simulations_double_up_to_the_victims() {
        let found = stages_of("uct c=0.5 simulations=1000", &[]);
        let goals: Vec<f64> = found.iter().filter_map(|stage| stage.2).collect();
        assert_eq!(goals, [0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.75, 0.9]);
        assert_eq!(found[0].1, "uct c=0.5 simulations=1");
        assert_eq!(found[9].1, "uct c=0.5 simulations=512");
        let whole = "uct c=0.5 simulations=1000".to_string();
        assert_eq!(found[10], (whole.clone(), whole, None));
        assert_eq!(stages_of("random", &[]), [("random".to_string(), "random".to_string(), None)]);
        assert_eq!(stages_of("alphabeta depth=4", &[]).len(), 1);
        assert_eq!(stages_of("uct simulations=1", &[]).len(), 1);
        let powers = stages_of("uct simulations=4", &[]);
        assert_eq!(
            powers.iter().map(|stage| &*stage.0).collect::<Vec<_>>()[..2],
            ["simulations=1", "simulations=2"]
        );
        assert_eq!(powers.len(), 3);
    }

    #[test]
    fn checkpoints_come_first() {
        let found = stages_of("alphazero simulations=4", &["a b/000020.safetensors", "x/000040.safetensors"]);
        let told: Vec<(&str, &str)> = found.iter().map(|stage| (&*stage.0, &*stage.1)).collect();
        assert_eq!(
            told,
            [
                ("checkpoint 000020", "alphazero net=a b/000020.safetensors simulations=1"),
                ("checkpoint 000040", "alphazero net=x/000040.safetensors simulations=1"),
                ("simulations=2", "alphazero simulations=2"),
                ("alphazero simulations=4", "alphazero simulations=4"),
            ]
        );
        assert_eq!(
            found.iter().map(|stage| stage.2).collect::<Vec<_>>(),
            [Some(0.5), Some(0.5), Some(0.75), None]
        );
    }

    fn counts(wins: u64, draws: u64, losses: u64) -> GameCounts {
        GameCounts { wins, draws, losses }
    }

    /// By hand: stages of 20 games in iterations of 10, with goals of 50%, 75% and none.
    #[test]
    fn stages_end_by_their_last_games() {
        let goals = [Some(0.5), Some(0.75), None];
        let played = [
            counts(10, 0, 0), // too few games
            counts(0, 1, 9),  // 10 of 20: passed
            counts(9, 0, 1),  // a new stage forgets the last one
            counts(5, 0, 5),  // 14 of 20: 70%
            counts(9, 1, 0),  // 14 of the last 20
            counts(6, 4, 0),  // 15 of the last 20: passed
            counts(10, 0, 0),
            counts(10, 0, 0),
            counts(3, 0, 7), // the last stage never ends
        ];
        let after = |iterations: usize| scores(&goals, 20, played[..iterations].iter().copied());
        assert_eq!(after(0), [StageScore::default()]);
        assert_eq!(after(1).len(), 1);
        let first = StageScore { all: counts(10, 1, 9), last: counts(10, 1, 9), is_passed: true };
        assert_eq!(after(2), [first, StageScore::default()]);
        assert_eq!(
            after(5)[1],
            StageScore { all: counts(23, 1, 6), last: counts(14, 1, 5), is_passed: false }
        );
        assert_eq!(after(6).len(), 3);
        assert_eq!(
            after(6)[1],
            StageScore { all: counts(29, 5, 6), last: counts(15, 5, 0), is_passed: true }
        );
        let last = after(9)[2];
        assert_eq!(last, StageScore { all: counts(23, 0, 7), last: counts(13, 0, 7), is_passed: false });
        // Wilson's interval of 13 of 20.
        assert_eq!(last.told(), "65.0% wins (43.3 to 81.9) of the last 20 games");
        assert_eq!(StageScore::default().told(), "no games yet");
    }

    /// Iterations that are larger than a stage's games count whole.
    #[test]
    fn large_iterations_count_whole() {
        let found = scores(&[Some(0.75), None], 100, [counts(150, 0, 50)].into_iter());
        assert_eq!((found[0].last.games(), found[0].is_passed), (200, true));
    }
}
