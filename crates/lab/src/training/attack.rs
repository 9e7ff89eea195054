//! An attack: a training against a frozen victim (Wang, Gleave et al. 2023). The attacker's searches predict the victim
//! by its policy; in the games the victim itself replies, by its whole search. The attacker learns from its own
//! positions only. The victim grows stronger from [stage](AttackStage) to stage.
//!
//! The stage is a function of the journal, so a resumed attack needs no other state.

use super::attack_rules::{ATTACK_FILE, AttackRules, victim};
use super::attack_stages::{AttackStage, StageScore, scores};
use super::lesson::check;
use super::trainings::simulations_of;
use crate::Error;
use crate::report::{Cell, Table};
use crate::statistics::GameCounts;
use aji_catalog::{Session, Victim, Workbench};
use aji_search::{AnyGame, Encoded, Game, Player, Shape, Turn, Versus};
use aji_train::{
    Counts, Folder, Images, Iteration, JOURNAL, Journal, Learnable, Lesson, Partner, Plan, PlayGames, Run,
    Stage, Training,
};
use serde_json::{Value, json};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An attack under way.
pub struct Attack {
    session: Box<dyn Session>,
    rules: AttackRules,
    stages: Vec<AttackStage>,
    training: Training,
    /// The number of the stage that the training is set to.
    entered: usize,
}

impl Attack {
    /// Starts an attack in a folder, or resumes the one that is there. `commit` names the program in the network's
    /// file. The run must name the rules as what it is [against](aji_train::Wishes::against).
    pub fn open(
        workbench: &Workbench,
        session: Box<dyn Session>,
        rules: AttackRules,
        (folder, run): (Folder, Run),
        commit: &str,
    ) -> Result<Attack, Error> {
        check(&*session)?;
        let stages = rules.stages(workbench)?;
        let game = against(&*session, &rules, &stages[0], run.memory)?;
        if Run::find(&folder)?.is_none() {
            folder.write(ATTACK_FILE, &rules.to_bytes())?;
        }
        let training = Training::open(folder, run, game, commit)?;
        let (lines, iterations) = (&training.journal().iterations, training.progress().iterations);
        if !lines.iter().map(|line| line.iteration).eq(1..=iterations) {
            return Err(Error::new(format!(
                "{}: iterations are missing, and they decide the stage; expected {iterations}",
                training.folder().path(JOURNAL).display()
            )));
        }
        Ok(Attack { session, rules, stages, training, entered: 0 })
    }

    /// The training.
    pub fn training(&self) -> &Training {
        &self.training
    }

    /// The settings.
    pub fn rules(&self) -> &AttackRules {
        &self.rules
    }

    /// All stages.
    pub fn stages(&self) -> &[AttackStage] {
        &self.stages
    }

    /// The results of the stages that have begun. The last one is the current stage.
    pub fn scores(&self) -> Vec<StageScore> {
        let goals: Vec<Option<f64>> = self.stages.iter().map(|stage| stage.goal).collect();
        let player = self.rules.seat.player();
        let lines = self.training.journal().iterations.iter();
        scores(&goals, self.rules.stage_games, lines.map(|line| counts_of(&line.counts, player)))
    }

    /// Plays and learns once, against the victim of the current stage. None if `stop` was set.
    pub fn iterate(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
    ) -> Result<Option<Iteration>, Error> {
        let current = self.scores().len() - 1;
        if current != self.entered {
            let memory = self.training.run().memory;
            self.training.set_game(against(&*self.session, &self.rules, &self.stages[current], memory)?);
            self.entered = current;
        }
        Ok(self.training.iterate(threads, stop, told)?)
    }

    /// The simulations of the attacker's own searches so far. Each needs one evaluation of its network.
    pub fn simulations(&self) -> Result<u64, Error> {
        Ok(simulations_of(self.training.journal(), &self.training.run().plan()?))
    }

    /// The simulations of the victim's training, if its folder is known and has a journal.
    pub fn victim_simulations(&self) -> Option<u64> {
        let folder = Folder::read_only(self.rules.folder.as_deref()?);
        let plan = Run::find(&folder).ok()??.plan().ok()?;
        Some(simulations_of(&Journal::read(&folder).ok()?, &plan)).filter(|&simulations| simulations > 0)
    }

    /// The current stage, in one line.
    pub fn told(&self) -> String {
        let scores = self.scores();
        // A stage that has just begun says nothing yet.
        let shown = scores.iter().rposition(|score| score.all.games() > 0).unwrap_or(0);
        let passed = if scores[shown].is_passed { ", passed" } else { "" };
        let (number, all, name) = (shown + 1, self.stages.len(), &self.stages[shown].name);
        format!("stage {number} of {all}, {name}: {}{passed}", scores[shown].told())
    }

    /// The results of all stages that have begun.
    pub fn table(&self) -> Table {
        let columns = ["stage", "victim", "goal", "games", "wins", "draws", "win rate", "95%", "of the last"];
        let mut table = Table::new("", &columns);
        for (number, (score, stage)) in self.scores().iter().zip(&self.stages).enumerate() {
            let rate = score.win_rate();
            table.push(vec![
                (number + 1).into(),
                stage.name.as_str().into(),
                stage.goal.map_or("".into(), |goal| format!("{:.0}%", 100.0 * goal)).into(),
                score.all.games().into(),
                score.all.wins.into(),
                score.all.draws.into(),
                rate.map_or(Cell::from(""), |(rate, _)| Cell::number(rate, 3)),
                rate.map_or(String::new(), |(_, one)| format!("{:.3} to {:.3}", one.low, one.high)).into(),
                score.last.games().into(),
            ]);
        }
        table
    }

    /// All results.
    pub fn to_json(&self) -> Result<Value, Error> {
        let scores = self.scores();
        let stage = |(score, stage): (&StageScore, &AttackStage)| {
            let rate = score.win_rate();
            json!({
                "stage": stage.name, "victim": stage.victim.to_string(), "goal": stage.goal,
                "games": score.all.games(), "wins": score.all.wins, "draws": score.all.draws,
                "last_games": score.last.games(), "last_wins": score.last.wins,
                "last_draws": score.last.draws, "win_rate": rate.map(|rate| rate.0),
                "low": rate.map(|rate| rate.1.low), "high": rate.map(|rate| rate.1.high),
                "passed": score.is_passed,
            })
        };
        let simulations = self.simulations()?;
        let of_victim = self.victim_simulations();
        Ok(json!({
            "victim": self.rules.victim, "seat": self.rules.seat,
            "stages_passed": scores.len() - 1, "stages_in_all": self.stages.len(),
            "stages": scores.iter().zip(&self.stages).map(stage).collect::<Vec<Value>>(),
            "simulations": simulations, "victim_simulations": of_victim,
            "share_of_victim": of_victim.map(|all| simulations as f64 / all as f64),
        }))
    }
}

/// The games of an iteration, as this player sees them.
fn counts_of(counts: &Counts, player: Player) -> GameCounts {
    let (first, draws) = (counts.first_wins, counts.draws);
    let second = counts.games.saturating_sub(first + draws);
    match player {
        0 => GameCounts { wins: first, draws, losses: second },
        _ => GameCounts { wins: second, draws, losses: first },
    }
}

/// The game against the victim of a stage.
fn against(
    session: &dyn Session,
    rules: &AttackRules,
    stage: &AttackStage,
    memory: u64,
) -> Result<Arc<dyn Learnable>, Error> {
    let (start, player) = (session.position().clone(), rules.seat.player());
    let victim = Arc::new(Frozen(victim(session, &stage.victim, memory)?));
    Ok(Arc::new(Against { start, player, victim }))
}

/// A game against a victim. Each thread has its own model of the victim.
struct Against {
    start: AnyGame,
    player: Player,
    victim: Arc<Frozen>,
}

impl Against {
    fn lesson(&self) -> Lesson<Versus<AnyGame>> {
        let start = Versus::new(self.start.clone(), self.player, self.victim.0.opponent());
        let is_symmetric = self.start.has().symmetric;
        let lesson = if is_symmetric { Lesson::symmetric(start) } else { Lesson::plain(start) };
        lesson.with_partner(self.victim.clone())
    }
}

impl Learnable for Against {
    fn shape(&self) -> Shape {
        self.start.shape()
    }

    fn images(&self) -> Images {
        self.lesson().images()
    }

    fn player(&self, plan: &Plan, cache_bytes: usize) -> Box<dyn PlayGames> {
        self.lesson().player(plan, cache_bytes)
    }
}

/// The victim itself, which moves in the games.
struct Frozen(Victim);

impl Partner<Versus<AnyGame>> for Frozen {
    fn acts(&self, turn: Turn, _: u64) -> bool {
        turn == Turn::Chance
    }

    fn act(&self, game: &Versus<AnyGame>, seed: u64) -> <AnyGame as Game>::Action {
        self.0.play(game.game(), seed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::training::{ATTACK_OPTIONS, AttackWishes, Seat};
    use aji_train::{NETWORK, Wishes};
    use std::fs;
    use std::path::{Path, PathBuf};
    use std::sync::atomic::Ordering;

    /// A temporary folder of one test.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Place {
            let path = std::env::temp_dir().join(format!("aji-attack-{name}-{}", std::process::id()));
            let _ = fs::remove_dir_all(&path);
            Place(path)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = fs::remove_dir_all(&self.0);
        }
    }

    fn open(path: &Path, victim: &str, seat: Seat, stage_games: u64) -> Result<Attack, Error> {
        let (workbench, victim) = (Workbench::new(), Some(victim.parse().unwrap()));
        let session = workbench.session("tic-tac-toe")?;
        let asked = AttackWishes {
            victim,
            seat: Some(seat),
            stage_games: Some(stage_games),
            ..AttackWishes::default()
        };
        let rules = AttackRules::new(&*session, &asked)?;
        let run = Run::new(&Wishes {
            game: Some("tic-tac-toe".into()),
            net: Some("conv channels=8 blocks=1".into()),
            agent: Some("gumbel simulations=6".into()),
            options: Some(format!("{ATTACK_OPTIONS} games=50 batch=32 rate=0.005 averaging=0.99")),
            against: Some(rules.to_bytes()),
            ..Wishes::default()
        })?;
        Attack::open(&workbench, session, rules, (Folder::open(path)?, run), "test")
    }

    fn train(attack: &mut Attack, iterations: u64, threads: usize) {
        while attack.training().progress().iterations < iterations {
            attack.iterate(threads, &AtomicBool::new(false), &mut |_| {}).unwrap().unwrap();
        }
    }

    fn learned(path: &Path) -> [Vec<u8>; 3] {
        [NETWORK, "checkpoint", ATTACK_FILE].map(|name| fs::read(path.join(name)).unwrap())
    }

    /// In both seats the attacker wins more often than at first. Nobody need lose Tic-Tac-Toe, so wins are mistakes.
    #[test]
    fn an_attacker_learns_to_win() {
        for (victim, seat) in [("random", Seat::Second), ("uct simulations=5", Seat::First)] {
            let place = Place::new(&format!("learns-{}", seat.word()));
            let mut attack = open(&place.0, victim, seat, 1_000_000).unwrap();
            // Without a curriculum: the last stage alone, which the training has not entered yet.
            attack.stages.drain(..attack.stages.len() - 1);
            attack.entered = usize::MAX;
            train(&mut attack, 24, 2);
            let lines = &attack.training().journal().iterations;
            let wins = |lines: &[Iteration]| -> u64 {
                lines.iter().map(|line| counts_of(&line.counts, seat.player()).wins).sum()
            };
            let (first, last) = (wins(&lines[..4]), wins(&lines[20..]));
            println!("{victim}: {first} of 200 wins at first, {last} at last");
            assert!(last > first + 20, "{victim}: {first} of 200 wins at first, {last} at last");
            let positions: u64 = lines.iter().map(|line| line.counts.positions).sum();
            assert_eq!(attack.simulations().unwrap(), 6 * positions);
            assert_eq!(attack.victim_simulations(), None);
        }
    }

    /// Stages pass on the way, and neither kills nor threads change a byte.
    #[test]
    fn interruptions_and_threads_change_nothing() {
        let (whole, torn) = (Place::new("whole"), Place::new("torn"));
        let start = |place: &Place| open(&place.0, "uct simulations=3", Seat::First, 100).unwrap();
        train(&mut start(&whole), 8, 1);
        for moment in [1, 2, 20, 3, 25] {
            let (stop, mut calls, mut attack) = (AtomicBool::new(false), 0, start(&torn));
            while attack.training().progress().iterations < 8 {
                let mut told = |_: Stage| {
                    calls += 1;
                    stop.fetch_or(calls == moment, Ordering::Relaxed);
                };
                if attack.iterate(2, &stop, &mut told).unwrap().is_none() {
                    break;
                }
            }
        }
        train(&mut start(&torn), 8, 2);
        assert!(learned(&whole.0) == learned(&torn.0));
        let attack = start(&whole);
        let scores = attack.scores();
        assert!(scores.len() > 1, "no stage was passed: {scores:?}");
        assert_eq!(scores.iter().map(|score| score.all.games()).sum::<u64>(), 400);
        assert_eq!(attack.table().rows.len(), scores.len());
        let found = attack.to_json().unwrap();
        assert_eq!((&found["stages_in_all"], &found["seat"]), (&3.into(), &"first".into()));
        assert_eq!(found["stages"][0]["passed"], true);
        assert!(attack.told().starts_with(&format!("stage {} of 3, ", scores.len())), "{}", attack.told());
    }

    #[test]
    fn missing_lines_and_other_rules_are_refused() {
        let place = Place::new("refused");
        train(&mut open(&place.0, "random", Seat::First, 100).unwrap(), 2, 1);
        let error = open(&place.0, "random", Seat::Second, 100).err().unwrap().to_string();
        assert_eq!(error, "the folder holds a run with other settings");
        let journal = place.0.join(JOURNAL);
        let lines = fs::read_to_string(&journal).unwrap();
        fs::write(&journal, lines.lines().nth(1).unwrap()).unwrap();
        let error = open(&place.0, "random", Seat::First, 100).err().unwrap().to_string();
        assert!(error.ends_with("iterations are missing, and they decide the stage; expected 2"), "{error}");
    }
}
