//! What pays in training: networks from nothing, each to the same cost, judged by their mistakes at several stages.

use super::GAME;
use crate::shared::{LEVEL, left_out, measured_mean, point, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::statistics::{Estimate, estimate, paired};
use aji_lab::training::{Trained, Trainings, Variant};
use aji_lab::{Error, Lab};

/// The simulations of the bare network.
const BARE: u64 = 1;

/// The simulations of a move with search.
const SEARCH: u64 = 64;

/// The options of the training that the others differ from.
const BASE: [(&str, &str); 3] = [("openings", "0.9"), ("opening_plies", "20"), ("mix", "0.5")];

const GUMBEL: &str = "gumbel simulations=32";
const PUCT: &str = "alphazero simulations=32";

/// How a training differs from the first.
struct Change {
    name: &'static str,
    /// A technique that the first training has and this one has not, or the other way round.
    technique: Option<(&'static str, Has)>,
    agent: &'static str,
    options: &'static [(&'static str, &'static str)],
}

/// Whether a training has the technique in question.
#[derive(Clone, Copy, PartialEq)]
enum Has {
    With,
    Without,
}
use Has::{With, Without};

const fn change(
    name: &'static str,
    technique: Option<(&'static str, Has)>,
    agent: &'static str,
    options: &'static [(&'static str, &'static str)],
) -> Change {
    Change { name, technique, agent, options }
}

const FEW: &str = "8 simulations a move";
const MANY: &str = "128 simulations a move";

#[rustfmt::skip]
const CHANGES: [Change; 16] = [
    change("as shipped", None, GUMBEL, &[]),
    change("no random openings", Some(("random openings", Without)), GUMBEL, &[("openings", "0")]),
    change("no symmetric images", Some(("symmetric images", Without)), GUMBEL, &[("symmetries", "off")]),
    change("values from results only", Some(("values mixed with the search's", Without)), GUMBEL, &[("mix", "0")]),
    change("no surprise weights", Some(("surprise weights", Without)), GUMBEL, &[("surprise", "0")]),
    change("no proofs in self-play", Some(("exact values where proven", Without)), "gumbel simulations=32 solver=off", &[]),
    change("no averaged weights", Some(("averaged weights", Without)), GUMBEL, &[("averaging", "0")]),
    change("window of all samples", Some(("a window of recent games", Without)), GUMBEL, &[("window_share", "1")]),
    change("playout-cap randomisation", Some(("playout-cap randomisation", With)), GUMBEL, &[("full", "0.25"), ("fast", "8")]),
    change("resignation", Some(("resignation", With)), GUMBEL, &[("resign", "0.05")]),
    change("PUCT with noise", Some(("Gumbel search", Without)), PUCT, &[]),
    change("PUCT, targets not pruned", None, PUCT, &[("pruning", "off")]),
    change("random openings of at most 8 plies", None, GUMBEL, &[("opening_plies", "8")]),
    change("values from the search only", None, GUMBEL, &[("mix", "1")]),
    change(FEW, None, "gumbel simulations=8", &[]),
    change(MANY, None, "gumbel simulations=128", &[]),
];

/// The changes of the quick run, by number.
const QUICK: [usize; 2] = [0, 1];

impl Change {
    fn variant(&self, quick: &str) -> Variant {
        let is_kept = |key: &str| self.options.iter().all(|(other, _)| *other != key);
        let options = BASE.iter().filter(|(key, _)| is_kept(key)).chain(self.options);
        let words: Vec<String> = options.map(|(key, value)| format!("{key}={value}")).collect();
        Variant {
            name: self.name.into(),
            agent: self.agent.into(),
            options: format!("{} {quick}", words.join(" ")).trim().into(),
        }
    }
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let changes: Vec<&Change> =
        lab.scale.pick(QUICK.iter().map(|&number| &CHANGES[number]).collect(), CHANGES.iter().collect());
    let quick = lab.scale.pick("games=32 window_start=1000", "");
    let scratch = std::env::temp_dir().join(format!("aji-silver2018-training-{}", std::process::id()));
    let trainings = Trainings {
        name: "silver2018-training".into(),
        game: GAME.into(),
        net: lab.scale.pick("conv channels=8 blocks=1", "conv channels=32 blocks=3").into(),
        variants: changes.iter().map(|change| change.variant(quick)).collect(),
        seeds: lab.scale.pick(2, 3),
        stages: lab.scale.pick(vec![20_000, 80_000], vec![125_000, 250_000, 500_000, 1_000_000]),
        simulations: vec![BARE, SEARCH],
        positions: lab.scale.pick(40, 500),
        folder: lab.journals.clone().unwrap_or_else(|| scratch.clone()),
        stop: lab.stop,
    };
    let records = lab.run(&trainings);
    // Only an empty folder is removed.
    let _ = std::fs::remove_dir(&scratch);
    let study = Study { records: records?, changes, stages: trainings.stages.clone() };
    Ok(Section {
        title: "What pays in training".into(),
        prose: vec![format!(
            "Each training begins with a random network of Connect Four ({}) and ends when it has cost {} evaluations of the \
             network: simulations of self-play, plus three for every use of a sample. Every way to train runs with {} seeds. The \
             first is that of the network that ships, Gumbel search with 32 simulations; the others change one thing. Networks are \
             judged by their mistakes in the hard positions of the other studies, bare and by PUCT with {SEARCH} simulations.",
            trainings.net,
            thousands(study.last()),
            trainings.seeds,
        )],
        tables: vec![study.table()],
        figures: vec![study.figure()],
        claims: study.claims(),
        left_out: left_out(
            lab,
            "two ways to train instead of 16, two seeds instead of three, a network of 8 channels and one block, trainings of \
             a few seconds, and 40 positions of each list instead of 500.",
        ),
        ..Section::default()
    })
}

struct Study<'a> {
    records: Vec<Trained>,
    changes: Vec<&'a Change>,
    stages: Vec<u64>,
}

impl Study<'_> {
    fn last(&self) -> u64 {
        self.stages.last().copied().unwrap_or_default()
    }

    /// The shares of mistakes at a stage, one per seed.
    fn shares(&self, variant: usize, stage: usize, simulations: u64) -> Vec<f64> {
        let own = self.records.iter().filter(|trained| trained.variant == variant);
        own.map(|trained| trained.stages[stage].share(simulations)).collect()
    }

    /// The shares at the end.
    fn ends(&self, variant: usize, simulations: u64) -> Vec<f64> {
        self.shares(variant, self.stages.len() - 1, simulations)
    }

    /// The share of mistakes at the end less that of another training, by seeds.
    fn difference(&self, variant: usize, other: usize) -> Estimate {
        let found = paired(&self.ends(variant, SEARCH), &self.ends(other, SEARCH));
        found.expect("two seeds or more").difference
    }

    fn number(&self, name: &str) -> Option<usize> {
        self.changes.iter().position(|change| change.name == name)
    }

    fn table(&self) -> Table {
        let columns = ["training", "games", "steps", "bare", "with search", "less the first", "95% interval"];
        let mut table = Table::new("Mistakes at the end of training", &columns).with_note(
            "Shares of mistakes, means over seeds with standard errors; differences with search, by seeds, with Student's intervals.",
        );
        for (number, change) in self.changes.iter().enumerate() {
            let own: Vec<&Trained> =
                self.records.iter().filter(|trained| trained.variant == number).collect();
            let mean = |of: fn(&aji_lab::training::Judgement) -> u64| {
                let sum: u64 = own.iter().filter_map(|trained| trained.stages.last()).map(of).sum();
                thousands(sum / own.len().max(1) as u64)
            };
            let share = |simulations: u64| {
                let mean = estimate(&self.ends(number, simulations)).expect("two seeds or more");
                Cell::estimate(mean.value, mean.error, 3)
            };
            let mut row: Vec<Cell> = vec![
                change.name.into(),
                mean(|judged| judged.games).into(),
                mean(|judged| judged.steps).into(),
                share(BARE),
                share(SEARCH),
            ];
            row.extend(match number {
                0 => ["".into(), "".into()],
                _ => {
                    let difference = self.difference(number, 0);
                    let interval = difference.interval(LEVEL).expect("a level");
                    [Cell::number(difference.value, 3), format!("{interval}").into()]
                }
            });
            table.push(row);
        }
        table
    }

    fn figure(&self) -> Figure {
        let line = |name: &str, variant: usize, simulations: u64| {
            let points = (0..self.stages.len()).map(|stage| {
                let mean = estimate(&self.shares(variant, stage, simulations)).expect("two seeds or more");
                point(self.stages[stage] as f64, mean.value, mean.interval(LEVEL).expect("a level"))
            });
            Series::line(name, points.collect())
        };
        let searched = format!("with {SEARCH} simulations");
        Figure {
            name: "silver2018-training".into(),
            title: "Mistakes in the course of training".into(),
            caption: "The training of the network that ships: share of mistakes over both lists, means over seeds with 95% intervals.".into(),
            x: Axis::log("cost in network evaluations"),
            y: Axis::linear("share of mistakes"),
            series: vec![line("bare network", 0, BARE), line(&searched, 0, SEARCH)],
        }
    }

    fn claims(&self) -> Vec<Claim> {
        let mut claims = vec![self.at_every_stage(), self.techniques()];
        claims.extend(self.more_simulations());
        claims
    }

    fn at_every_stage(&self) -> Claim {
        let said = "the search's policy is stronger than the network's own throughout training";
        let part = |stage: usize| {
            let compared = paired(&self.shares(0, stage, SEARCH), &self.shares(0, stage, BARE));
            let what = format!("after {} evaluations", thousands(self.stages[stage]));
            let difference = compared.expect("two seeds or more").difference;
            Claim::less(Statement::new(what, said), measured_mean(&difference), 0.0)
        };
        let parts: Vec<Claim> = (0..self.stages.len()).map(part).collect();
        let whole = Claim::all_of(
            Statement::new("7. Search improves on the bare network at every stage of training", said),
            &parts,
        );
        with_parts(whole, &parts, "difference of the shares of mistakes, by seeds", "below 0")
    }

    fn techniques(&self) -> Claim {
        let said = "techniques of AlphaZero, Gumbel AlphaZero and KataGo: each makes training more efficient";
        let part = |(number, change): (usize, &&Change)| {
            let (technique, has) = change.technique?;
            let (with, without) = if has == With { (number, 0) } else { (0, number) };
            let difference = self.difference(with, without);
            Some(Claim::less(Statement::new(technique, said), measured_mean(&difference), 0.0))
        };
        let parts: Vec<Claim> = self.changes.iter().enumerate().filter_map(part).collect();
        let whole = Claim::all_of(Statement::new("8. Each technique pays, at equal cost", said), &parts);
        with_parts(
            whole,
            &parts,
            "share of mistakes with the technique less that without it, by seeds",
            "below 0",
        )
    }

    /// None in a quick run, which does not train with other numbers of simulations.
    fn more_simulations(&self) -> Option<Claim> {
        let said = "more simulations a move make better targets";
        let (few, many) = (self.number(FEW)?, self.number(MANY)?);
        let part = |what: &str, more: usize, less: usize| {
            Claim::less(Statement::new(what, said), measured_mean(&self.difference(more, less)), 0.0)
        };
        let parts = [part("32 against 8", 0, few), part("128 against 32", many, 0)];
        let whole = Claim::all_of(
            Statement::new(
                "9. More simulations a move in self-play make better networks, at equal cost",
                said,
            ),
            &parts,
        );
        Some(with_parts(whole, &parts, "difference of the shares of mistakes, by seeds", "below 0"))
    }
}
