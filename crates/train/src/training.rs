//! The training loop: play games with the averaged network, learn from the window, write a checkpoint.
//!
//! Everything goes by counts of games and steps, never by the clock. Random numbers depend on the number of a game or
//! of a step. So a run that is killed at any moment and resumed ends with the same bytes as an uninterrupted one, on
//! any number of threads.

use crate::checkpoint::{self, Checkpoint, Progress};
use crate::clock::Stopwatch;
use crate::elsewhere::{self, Wanted};
use crate::error::Error;
use crate::folder::Folder;
use crate::games_file::{self, Heading};
use crate::images::Images;
use crate::journal::{Iteration, Journal};
use crate::play::{Counter, Learnable, PlayGames};
use crate::record::{Counts, GameRecord};
use crate::run::{RUN_FILE, Run};
use crate::self_play::{CACHE_BYTES, rng_of};
use crate::settings::Plan;
use crate::window::{Block, Window};
use aji_net::optimizer::Optimizer;
use aji_net::{Description, Gradient, Loss, Network, Sample};
use aji_search::Shape;
use serde_json::Value;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// The averaged network of the last checkpoint.
pub const NETWORK: &str = "network.safetensors";

/// The kind of a step's random numbers.
const STEPS: u64 = 2;

/// How often self-play reports its progress.
const TOLD_EVERY: Duration = Duration::from_millis(100);

/// The progress of an iteration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    /// Games played, and all games of the iteration.
    Playing(u64, u64),
    /// Steps made, and all steps of the iteration.
    Learning(u64, u64),
}

/// A training under way.
pub struct Training {
    folder: Folder,
    run: Run,
    plan: Plan,
    commit: String,
    /// The games and steps of the network that the run started from.
    start: (u64, u64),
    shape: Shape,
    images: Images,
    network: Network,
    optimizer: Optimizer,
    gradient: Gradient,
    window: Window,
    /// The iterations in the window, each with the checksum of its games.
    sums: Vec<(u64, u64)>,
    progress: Progress,
    journal: Journal,
    game: Arc<dyn Learnable>,
    players: Vec<Box<dyn PlayGames>>,
}

impl Training {
    /// Starts a run in a folder, or resumes the one that is there. `commit` names the program in the network's file.
    pub fn open(folder: Folder, run: Run, game: Arc<dyn Learnable>, commit: &str) -> Result<Training, Error> {
        let (plan, shape) = (run.plan()?, game.shape());
        let (mut network, start) = run.first_network(&folder, shape)?;
        let mut optimizer = Optimizer::new(&network, plan.settings.optimizer());
        match Run::find(&folder)? {
            Some(found) if found == run => {}
            Some(_) => return Err(Error::new("the folder holds a run with other settings")),
            None => folder.write(RUN_FILE, &run.to_bytes())?,
        }
        let (mut progress, mut window) = (Progress::default(), Vec::new());
        if let Some(bytes) = folder.read(checkpoint::NAME)? {
            let path = folder.path(checkpoint::NAME);
            let wrong = |what: String| Error::new(format!("{}: {what}", path.display()));
            let found = Checkpoint::from_bytes(run.number(), &bytes).map_err(wrong)?;
            (progress, window) = (found.progress.clone(), found.window.clone());
            found.restore(&mut network, &mut optimizer).map_err(wrong)?;
        }
        let mut journal = Journal::read(&folder)?;
        journal.keep_until(progress.iterations, &folder)?;
        let mut training = Training {
            gradient: Gradient::new(&network, plan.settings.batch as usize),
            images: if plan.settings.symmetries { game.images() } else { Images::default() },
            commit: commit.into(),
            start: (start.games, start.steps),
            window: Window::default(),
            sums: Vec::new(),
            players: Vec::new(),
            folder,
            run,
            plan,
            shape,
            network,
            optimizer,
            progress,
            journal,
            game,
        };
        for (iteration, sum) in window {
            training.restore_block(iteration, sum)?;
        }
        if training.progress.iterations > 0 {
            training.publish()?;
        }
        training.tidy();
        Ok(training)
    }

    fn restore_block(&mut self, iteration: u64, sum: u64) -> Result<(), Error> {
        let name = games_file::name_of(iteration);
        let wrong = |what: &str| Error::new(format!("{}: {what}", self.folder.path(&name).display()));
        let bytes =
            self.folder.read(&name)?.ok_or_else(|| wrong("the checkpoint needs it, and it is gone"))?;
        let (heading, block) = games_file::from_bytes(&bytes, &self.shape).map_err(|what| wrong(&what))?;
        if heading.iteration != iteration || crate::folder::checksum(block.bytes()) != sum {
            return Err(wrong("these are not the games that the checkpoint knows"));
        }
        self.sums.push((iteration, sum));
        // All of them were in the window when the checkpoint was written.
        self.window.add(block, u64::MAX, usize::MAX);
        Ok(())
    }

    /// The counters so far.
    pub fn progress(&self) -> &Progress {
        &self.progress
    }

    /// The run.
    pub fn run(&self) -> &Run {
        &self.run
    }

    /// The journal so far.
    pub fn journal(&self) -> &Journal {
        &self.journal
    }

    /// The folder.
    pub fn folder(&self) -> &Folder {
        &self.folder
    }

    /// Goes on with another game of the same shape, such as one against another opponent.
    pub fn set_game(&mut self, game: Arc<dyn Learnable>) {
        debug_assert_eq!(self.shape, game.shape(), "a game of another shape");
        self.game = game;
        self.players.clear();
    }

    /// The averaged network, which plays the games.
    pub fn averaged(&self) -> Network {
        let mut network = self.network.clone();
        network.set_parameters(self.optimizer.average());
        network
    }

    /// Records the result of a gate for the last finished iteration. It does not affect what is learned.
    pub fn note_gate(&mut self, found: Value) -> Result<(), Error> {
        self.journal.add_gate(self.progress.iterations, found, &self.folder)
    }

    /// The games that the next iteration needs. They may be played elsewhere, and [provided](Training::provide) before it
    /// begins; otherwise it plays them itself.
    pub fn wanted(&self) -> Result<Wanted, Error> {
        Ok(Wanted {
            iteration: self.progress.iterations + 1,
            first: self.progress.games,
            games: self.plan.settings.games.into(),
            network: self.averaged_file(&self.progress)?,
        })
    }

    /// Takes the games of the next iteration, in parts that [`play_part`](crate::play_part) made, in any order. All of them
    /// must be there, each once.
    pub fn provide(&mut self, parts: &[Vec<u8>]) -> Result<(), Error> {
        let (iteration, run) = (self.progress.iterations + 1, self.run.number());
        let network = checkpoint::sum_of(self.averaged().parameters());
        let mut records = Vec::new();
        for (number, part) in parts.iter().enumerate() {
            let wrong = |what: String| Error::new(format!("part {number} of the games: {what}"));
            records.extend(elsewhere::read_part(part, run, network).map_err(wrong)?);
        }
        records.sort_unstable_by_key(|record| record.number);
        let numbers = self.progress.games..self.progress.games + u64::from(self.plan.settings.games);
        if !records.iter().map(|record| record.number).eq(numbers.clone()) {
            let (found, first, last) = (records.len(), numbers.start, numbers.end - 1);
            return Err(Error::new(format!(
                "{found} games were provided, expected each of {first} to {last} once"
            )));
        }
        let mut heading = Heading { run, iteration, network, counts: Counts::default() };
        let mut bytes = Vec::new();
        for record in records {
            heading.counts += record.counts;
            bytes.extend(record.bytes);
        }
        if Block::new(iteration, bytes.clone(), &self.shape).is_none() {
            return Err(Error::new("the games that were provided are not of this game"));
        }
        self.folder.write(&games_file::name_of(iteration), &games_file::to_bytes(&heading, &bytes))
    }

    /// Runs one iteration on this many threads. None if `stop` was set meanwhile. Then the iteration counts as not
    /// begun, and the training must be opened again.
    pub fn iterate(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
    ) -> Result<Option<Iteration>, Error> {
        let watch = Stopwatch::start();
        let Some(mut line) = self.play(threads, stop, told)? else { return Ok(None) };
        line.play_seconds = if line.looks > 0 { watch.seconds() } else { 0.0 };
        if !self.learn(threads, stop, told, &mut line) {
            return Ok(None);
        }
        line.train_seconds = watch.seconds() - line.play_seconds;
        let before = self.journal.iterations.last();
        line.seconds = before.map_or(0.0, |line| line.seconds) + watch.seconds();
        line.cpu_seconds = before.map_or(0.0, |line| line.cpu_seconds) + watch.cpu_seconds(threads);
        self.progress.iterations += 1;
        (line.iteration, line.games) = (self.progress.iterations, self.progress.games);
        (line.samples, line.steps) = (self.progress.samples, self.progress.steps);
        // The line comes first. A line without its checkpoint is dropped when the run resumes, but a checkpoint without
        // its line would stay.
        self.journal.add(line.clone(), &self.folder)?;
        let (network, optimizer) = (&self.network, &self.optimizer);
        let bytes = checkpoint::to_bytes(self.run.number(), &self.progress, &self.sums, network, optimizer);
        self.folder.write(checkpoint::NAME, &bytes)?;
        self.publish()?;
        self.tidy();
        Ok(Some(line))
    }

    /// Adds the games of the next iteration to the window: plays them, or reads them if they were already played.
    fn play(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
    ) -> Result<Option<Iteration>, Error> {
        let iteration = self.progress.iterations + 1;
        let network = Arc::new(self.averaged());
        let sum = checkpoint::sum_of(network.parameters());
        let mut heading =
            Heading { run: self.run.number(), iteration, network: sum, counts: Counts::default() };
        let mut line = Iteration::default();
        let block = match self.found_games(&heading)? {
            Some((found, block)) => {
                heading = found;
                block
            }
            None => {
                let before = self.looks();
                let Some(records) = self.play_games(&network, threads, stop, told) else { return Ok(None) };
                let after = self.looks();
                (line.looks, line.remembered) = (after.0 - before.0, after.1 - before.1);
                let mut bytes = Vec::new();
                for record in records {
                    heading.counts += record.counts;
                    bytes.extend(record.bytes);
                }
                self.folder
                    .write(&games_file::name_of(iteration), &games_file::to_bytes(&heading, &bytes))?;
                let too_many = || Error::new("the games of an iteration are too many: choose games= smaller");
                Block::new(iteration, bytes, &self.shape).ok_or_else(too_many)?
            }
        };
        line.counts = heading.counts;
        self.progress.games += heading.counts.games;
        self.progress.plies += heading.counts.plies;
        self.progress.samples += block.len() as u64;
        self.sums.push((iteration, crate::folder::checksum(block.bytes())));
        let samples = self.plan.settings.window_at(self.progress.samples);
        line.is_window_short = self.window.add(block, samples, window_bytes(self.run.memory));
        let first = self.window.iterations().next().unwrap_or(iteration);
        self.sums.retain(|&(iteration, _)| iteration >= first);
        line.window = self.window.samples();
        Ok(Some(line))
    }

    /// The games of an iteration that was interrupted after they were written.
    fn found_games(&self, expected: &Heading) -> Result<Option<(Heading, Block)>, Error> {
        let Some(bytes) = self.folder.read(&games_file::name_of(expected.iteration))? else {
            return Ok(None);
        };
        // If the file is torn or of another network, the games are played again.
        let found = games_file::from_bytes(&bytes, &self.shape).ok();
        let is_ours = |heading: &Heading| {
            let Heading { run, iteration, network, .. } = *heading;
            (run, iteration, network) == (expected.run, expected.iteration, expected.network)
        };
        Ok(found.filter(|(heading, _)| is_ours(heading)))
    }

    fn looks(&self) -> (u64, u64) {
        let sum = |sum: (u64, u64), one: (u64, u64)| (sum.0 + one.0, sum.1 + one.1);
        self.players.iter().map(|player| player.looks()).fold((0, 0), sum)
    }

    /// Plays the games of an iteration, in order of their numbers. None if stopped.
    fn play_games(
        &mut self,
        network: &Arc<Network>,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
    ) -> Option<Vec<GameRecord>> {
        let games = u64::from(self.plan.settings.games);
        while self.players.len() < threads.max(1) {
            let cache_bytes = cache_bytes(self.run.memory, threads.max(1));
            self.players.push(self.game.player(&self.plan, cache_bytes));
        }
        let counter = Counter::new(self.progress.games, games, stop);
        let mut records: Vec<GameRecord> = std::thread::scope(|scope| {
            let counter = &counter;
            let players = self.players.iter_mut().take(threads.max(1));
            let workers: Vec<_> =
                players.map(|player| scope.spawn(move || player.play(network, counter))).collect();
            while workers.iter().any(|worker| !worker.is_finished()) {
                told(Stage::Playing(counter.finished(), games));
                std::thread::park_timeout(TOLD_EVERY.min(Duration::from_millis(2 + 2 * counter.finished())));
            }
            workers.into_iter().flat_map(|worker| worker.join().unwrap_or_default()).collect()
        });
        records.sort_unstable_by_key(|record| record.number);
        (records.len() as u64 == games).then_some(records)
    }

    /// The training steps of an iteration. False if stopped.
    fn learn(
        &mut self,
        threads: usize,
        stop: &AtomicBool,
        told: &mut dyn FnMut(Stage),
        line: &mut Iteration,
    ) -> bool {
        let settings = &self.plan.settings;
        let (first, last) = (self.progress.steps, settings.steps_at(self.progress.samples));
        let mut batch = vec![Sample::default(); settings.batch as usize];
        let (mut sum, mut length) = (Loss::default(), 0.0);
        for step in first..last {
            if stop.load(Ordering::Relaxed) {
                return false;
            }
            told(Stage::Learning(step - first, last - first));
            let mut rng = rng_of(self.plan.seed, STEPS, step);
            for sample in &mut batch {
                self.window.draw(&self.shape, &mut rng, sample);
                self.images.turn(sample, &mut rng);
            }
            let samples: Vec<&Sample> = batch.iter().collect();
            let (gradient, loss) = self.gradient.of(&self.network, &samples, threads);
            line.rate = settings.rate_at(step);
            length += f64::from(self.optimizer.step(&mut self.network, gradient, line.rate));
            sum.policy += loss.policy;
            sum.value += loss.value;
            sum.entropy += loss.entropy;
        }
        let steps = (last - first).max(1) as f64;
        (line.policy_loss, line.value_loss) = (sum.policy / steps, sum.value / steps);
        (line.entropy, line.gradient) = (sum.entropy / steps, length / steps);
        self.progress.steps = last;
        true
    }

    /// The file of the averaged network.
    fn averaged_file(&self, progress: &Progress) -> Result<Vec<u8>, Error> {
        let (game, seed, commit) = (self.run.game.clone(), self.run.seed, self.commit.clone());
        let (games, steps) = (self.start.0 + progress.games, self.start.1 + progress.steps);
        Ok(self.averaged().to_bytes(&Description { game, steps, games, seed, commit })?)
    }

    /// Writes the averaged network. Also keeps a copy at the iterations that the settings ask for.
    fn publish(&self) -> Result<(), Error> {
        let iterations = self.progress.iterations;
        let bytes = self.averaged_file(&self.progress)?;
        self.folder.write(NETWORK, &bytes)?;
        match iterations.is_multiple_of(self.plan.settings.keep.into()) {
            true => self.folder.write(&network_name(iterations), &bytes),
            false => Ok(()),
        }
    }

    /// Removes games that have left the window, and unfinished files.
    fn tidy(&self) {
        let is_kept = |name: &str| {
            let Some(number) = name.strip_suffix(".games").and_then(|number| number.parse::<u64>().ok())
            else {
                return false;
            };
            number > self.progress.iterations || self.sums.iter().any(|&(iteration, _)| iteration == number)
        };
        for name in self.folder.names("games").iter().filter(|name| !is_kept(name)) {
            self.folder.remove(&format!("games/{name}"));
        }
    }
}

/// The file name of a kept network.
pub fn network_name(iteration: u64) -> String {
    format!("networks/{iteration:06}.safetensors")
}

/// The bytes of a thread's cache: its part of a quarter of the cap. Results do not depend on it.
pub(crate) fn cache_bytes(memory: u64, threads: usize) -> usize {
    usize::try_from(memory / 4 / threads as u64).unwrap_or(usize::MAX).min(CACHE_BYTES)
}

/// The memory of the window: half of the cap. The last quarter is for networks and trees.
fn window_bytes(memory: u64) -> usize {
    usize::try_from(memory / 2).unwrap_or(usize::MAX)
}
