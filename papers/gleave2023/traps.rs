//! Single moves that turn the game: how many simulations each cure needs to see the traps.
//!
//! The traps are those of `docs/traps.md`, and those that a hunt finds in Connect Four. They were found because plain UCT
//! with 10,000 simulations errs there, so they show what cures it, not how common traps are.

use super::GAME;
use crate::shared::{LEVEL, left_out, measured_mean, point};
use crate::trap_moves::{MoveIn, MoveValues, TRAPS};
use aji_catalog::{AgentName, session, thousands};
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::statistics::{Interval, median_ranks, paired, wilson_of_rate};
use aji_lab::traps::{Attempt, TrapHunt};
use aji_lab::{Error, Experiment, Lab, Trial};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// A position in which one move is better than the one that plain UCT plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Trap {
    game: String,
    position: String,
    /// What the best known move is worth to the player who makes it.
    worth: f32,
}

/// An agent that may see the traps.
struct Cure {
    name: &'static str,
    agent: &'static str,
    /// Whether it has a network, which ships for Connect Four alone, and so draws no random numbers.
    has_network: bool,
}

const CURES: [Cure; 4] = [
    Cure { name: "plain UCT", agent: "uct", has_network: false },
    Cure { name: "UCT with the solver", agent: "uct solver=on", has_network: false },
    Cure { name: "network", agent: "alphazero reuse=off", has_network: true },
    Cure { name: "network with the solver", agent: "alphazero reuse=off solver=on", has_network: true },
];
const PLAIN: usize = 0;
const SOLVER: usize = 1;

/// The hunt for traps. A trial is an attempt.
struct Hunt {
    tries: u64,
}

impl Hunt {
    fn hunt() -> Result<TrapHunt, Error> {
        Ok(TrapHunt {
            prey: "uct simulations=10000".parse()?,
            witness: "uct solver=on simulations=10000".parse()?,
            judge: "exact memory=500MB".parse()?,
            plies: (8, 24),
            seed: 1,
        })
    }
}

impl Experiment for Hunt {
    type Record = Option<Trap>;

    fn name(&self) -> String {
        "gleave2023-traps-hunt".into()
    }

    fn parameters(&self) -> Value {
        json!({ "game": GAME, "tries": self.tries })
    }

    fn trials(&self) -> u64 {
        self.tries
    }

    fn run(&self, trial: Trial) -> Result<Option<Trap>, Error> {
        let (mut session, stop) = (session(GAME)?, std::sync::atomic::AtomicBool::new(false));
        let start = session.text();
        let attempt = Hunt::hunt()?.attempt(session.as_mut(), &start, trial.id, &stop)?;
        let Attempt::Trap(found) = attempt else { return Ok(None) };
        Ok(Some(Trap { game: GAME.into(), position: found.position, worth: found.answer_value }))
    }
}

/// A question to a cure.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Asked {
    trap: usize,
    cure: usize,
    simulations: u64,
    seed: u64,
}

/// What the cures choose.
struct Choices<'a> {
    traps: &'a [Trap],
    asked: Vec<Asked>,
}

impl Experiment for Choices<'_> {
    /// The move chosen.
    type Record = String;

    fn name(&self) -> String {
        "gleave2023-traps-choices".into()
    }

    fn parameters(&self) -> Value {
        let asked =
            |asked: &Asked| json!([asked.trap, CURES[asked.cure].agent, asked.simulations, asked.seed]);
        json!({ "traps": self.traps, "asked": self.asked.iter().map(asked).collect::<Vec<_>>() })
    }

    fn trials(&self) -> u64 {
        self.asked.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<String, Error> {
        let Asked { trap, cure, simulations, .. } = self.asked[trial.id as usize];
        let Trap { game, position, .. } = &self.traps[trap];
        let agent: AgentName = CURES[cure].agent.parse()?;
        let agent = AgentName { seed: trial.own_seed(), simulations: Some(simulations), ..agent };
        let mut session = session(game)?;
        session.set_position(position)?;
        session.think(&agent, &mut ())?.best.ok_or_else(|| Error::new(format!("{agent} found no move")))
    }
}

/// How much is asked.
struct Plan {
    tries: u64,
    uct: &'static [u64],
    network: &'static [u64],
    seeds: u64,
    judge: u64,
}

impl Plan {
    fn budgets(&self, cure: usize) -> &'static [u64] {
        if CURES[cure].has_network { self.network } else { self.uct }
    }

    fn seeds(&self, cure: usize) -> u64 {
        if CURES[cure].has_network { 1 } else { self.seeds }
    }
}

const FULL: Plan = Plan {
    tries: 1_000,
    uct: &[100, 300, 1_000, 3_000, 10_000, 30_000, 100_000],
    network: &[4, 16, 64, 256, 1_024],
    seeds: 20,
    judge: 2_000_000,
};

const QUICK: Plan = Plan { tries: 0, uct: &[300, 3_000], network: &[16], seeds: 6, judge: 300_000 };

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let plan = lab.scale.pick(QUICK, FULL);
    let known = lab.scale.pick(4, TRAPS.len());
    let trap = |&(game, position, _): &(&str, &str, &str)| Trap {
        game: game.into(),
        position: position.into(),
        worth: 1.0,
    };
    let mut traps: Vec<Trap> = TRAPS[..known].iter().map(trap).collect();
    traps.extend(lab.run(&Hunt { tries: plan.tries })?.into_iter().flatten());
    let mut asked = Vec::new();
    for (cure, how) in CURES.iter().enumerate() {
        for (number, _) in traps.iter().enumerate().filter(|(_, trap)| !how.has_network || trap.game == GAME)
        {
            for &simulations in plan.budgets(cure) {
                asked.extend((0..plan.seeds(cure)).map(|seed| Asked {
                    trap: number,
                    cure,
                    simulations,
                    seed,
                }));
            }
        }
    }
    let choices = Choices { traps: &traps, asked };
    let chosen = lab.run(&choices)?;
    let seen = seen(lab, &choices, &chosen, plan.judge)?;
    let study = Study { traps: &traps, asked: &choices.asked, seen, plan: &plan };
    Ok(Section {
        title: "Single moves that turn the game".into(),
        prose: vec![format!(
            "Traps are positions in which plain UCT with 10,000 simulations plays a move that is proven worse than another: {known} of \
             `docs/traps.md`, and {} that a hunt found in {} random positions of Connect Four. A cure sees a trap if its move is proven to \
             be worth the most, by exact play in Connect Four and by a solver with {} simulations elsewhere. UCT is asked with {} seeds \
             each; the network ships for Connect Four only and draws no random numbers. No network trained against an attacker is kept, \
             so none is asked.",
            traps.len() - known,
            thousands(plan.tries),
            thousands(plan.judge),
            plan.seeds,
        )],
        tables: vec![study.shares(), study.needs()],
        figures: vec![study.figure()],
        claims: vec![study.solver_helps(), study.search_helps()],
        left_out: left_out(
            lab,
            "four traps of `docs/traps.md` and no hunt, 6 seeds instead of 20, and fewer simulations.",
        ),
        ..Section::default()
    })
}

/// Which of the choices see their traps.
fn seen(lab: &Lab, choices: &Choices, chosen: &[String], judge: u64) -> Result<Vec<bool>, Error> {
    let asked = |(asked, action): (&Asked, &String)| {
        let Trap { game, position, .. } = choices.traps[asked.trap].clone();
        let judge = if game == GAME {
            "exact memory=500MB".into()
        } else {
            format!("uct solver=on simulations={judge}")
        };
        MoveIn { game, position, action: action.clone(), judge }
    };
    let moves: Vec<MoveIn> = choices.asked.iter().zip(chosen).map(asked).collect();
    let distinct: BTreeSet<MoveIn> = moves.iter().cloned().collect();
    let judged = MoveValues { name: "gleave2023-traps-values".into(), moves: distinct.into_iter().collect() };
    let values = lab.run(&judged)?;
    let value = |asked: &MoveIn| values[judged.moves.binary_search(asked).expect("every choice is judged")];
    let is_seen = |(asked, choice): (&Asked, &MoveIn)| {
        value(choice).is_some_and(|value| value >= choices.traps[asked.trap].worth)
    };
    Ok(choices.asked.iter().zip(&moves).map(is_seen).collect())
}

struct Study<'a> {
    traps: &'a [Trap],
    asked: &'a [Asked],
    seen: Vec<bool>,
    plan: &'a Plan,
}

impl Study<'_> {
    /// The share of seeds with which a cure sees a trap.
    fn share(&self, trap: usize, cure: usize, simulations: u64) -> Option<f64> {
        let is_so = |asked: &Asked| (asked.trap, asked.cure, asked.simulations) == (trap, cure, simulations);
        let of = || self.asked.iter().zip(&self.seen).filter(|(asked, _)| is_so(asked));
        let (seen, all) = (of().filter(|(_, seen)| **seen).count(), of().count());
        (all > 0).then(|| seen as f64 / all as f64)
    }

    /// The shares of all traps that the cure is asked about, or of those of Connect Four.
    fn all_shares(&self, cure: usize, simulations: u64, game: Option<&str>) -> Vec<f64> {
        let wanted = |number: &usize| game.is_none_or(|game| self.traps[*number].game == game);
        (0..self.traps.len()).filter(wanted).filter_map(|trap| self.share(trap, cure, simulations)).collect()
    }

    fn shares(&self) -> Table {
        let columns = ["cure", "simulations", "traps", "share seen", "95% interval"];
        let note = "Means over traps, and Wilson's intervals with the traps as trials. The networks are asked about Connect Four alone.";
        let mut table = Table::new("Traps seen by each cure", &columns).with_note(note);
        for (cure, how) in CURES.iter().enumerate() {
            for &simulations in self.plan.budgets(cure) {
                let shares = self.all_shares(cure, simulations, None);
                let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
                let shown = interval(&shares).map_or(String::new(), |interval| interval.to_string());
                table.push(vec![
                    how.name.into(),
                    thousands(simulations).into(),
                    shares.len().into(),
                    Cell::number(mean, 3),
                    shown.into(),
                ]);
            }
        }
        table
    }

    /// The least budget from which on a cure sees a trap with a seed, as a place in its budgets; their count if it sees it at none.
    fn needed(&self, trap: usize, cure: usize, seed: u64) -> Option<usize> {
        let budgets = self.plan.budgets(cure);
        let sees = |simulations: u64| {
            let place = self.asked.iter().position(|asked| *asked == Asked { trap, cure, simulations, seed });
            place.map(|place| self.seen[place])
        };
        let all: Option<Vec<bool>> = budgets.iter().map(|&simulations| sees(simulations)).collect();
        Some(all?.iter().rposition(|seen| !seen).map_or(0, |last| last + 1))
    }

    /// The simulations that a cure needs in a trap: the median over seeds, with its interval if there are enough seeds.
    fn told_need(&self, trap: usize, cure: usize) -> String {
        let budgets = self.plan.budgets(cure);
        let mut needed: Vec<usize> =
            (0..self.plan.seeds(cure)).filter_map(|seed| self.needed(trap, cure, seed)).collect();
        needed.sort_unstable();
        let told = |place: usize| match budgets.get(place) {
            Some(&simulations) => thousands(simulations),
            None => format!(">{}", thousands(budgets[budgets.len() - 1])),
        };
        let Some(&median) = needed.get(needed.len().saturating_sub(1) / 2) else { return String::new() };
        match median_ranks(needed.len() as u64, LEVEL) {
            Some((low, high)) => {
                let [low, high] = [low, high].map(|rank| told(needed[rank as usize - 1]));
                format!("{} ({low} to {high})", told(median))
            }
            None => told(median),
        }
    }

    fn needs(&self) -> Table {
        let mut columns = vec!["game", "position"];
        columns.extend(CURES.iter().map(|cure| cure.name));
        let note = "The least simulations of those tried from which on the cure sees the trap: the lower median over seeds, and the \
                    interval of the median by the sign test; > is more than the most tried. A network has one answer and no interval.";
        let mut table = Table::new("Simulations needed to see each trap", &columns).with_note(note);
        for (number, trap) in self.traps.iter().enumerate() {
            let mut row: Vec<Cell> = vec![trap.game.as_str().into(), trap.position.as_str().into()];
            row.extend((0..CURES.len()).map(|cure| self.told_need(number, cure).into()));
            table.push(row);
        }
        table
    }

    fn figure(&self) -> Figure {
        let line = |(cure, how): (usize, &Cure)| {
            let points = self.plan.budgets(cure).iter().map(|&simulations| {
                let shares = self.all_shares(cure, simulations, Some(GAME));
                let mean = shares.iter().sum::<f64>() / shares.len().max(1) as f64;
                point(
                    simulations as f64,
                    mean,
                    interval(&shares).unwrap_or(Interval { low: mean, high: mean }),
                )
            });
            Series::line(how.name, points.collect())
        };
        Figure {
            name: "gleave2023-traps".into(),
            title: "Traps of Connect Four seen by cures".into(),
            caption: "Mean share of traps seen, with 95% intervals over traps.".into(),
            x: Axis::log("simulations"),
            y: Axis::linear("share seen"),
            series: CURES.iter().enumerate().map(line).collect(),
        }
    }

    fn solver_helps(&self) -> Claim {
        let mean = |cure: usize, trap: usize| {
            let shares = self.plan.uct.iter().filter_map(|&simulations| self.share(trap, cure, simulations));
            shares.sum::<f64>() / self.plan.uct.len() as f64
        };
        let [solver, plain] = [SOLVER, PLAIN]
            .map(|cure| -> Vec<f64> { (0..self.traps.len()).map(|trap| mean(cure, trap)).collect() });
        let found = paired(&solver, &plain).expect("two traps or more").difference;
        Claim::greater(
            Statement::new("22. With the solver UCT sees the traps more often, over all budgets", SAID),
            measured_mean(&found),
            0.0,
        )
    }

    fn search_helps(&self) -> Claim {
        let budgets = self.plan.uct;
        let (most, fewer) = (budgets[budgets.len() - 1], budgets[budgets.len().saturating_sub(3)]);
        let [most_shares, fewer_shares] =
            [most, fewer].map(|simulations| self.all_shares(PLAIN, simulations, None));
        let found = paired(&most_shares, &fewer_shares).expect("two traps or more").difference;
        let (most, fewer) = (thousands(most), thousands(fewer));
        let what =
            format!("23. Plain UCT sees the traps more often with {most} simulations than with {fewer}");
        Claim::greater(Statement::new(what, SAID), measured_mean(&found), 0.0)
    }
}

const SAID: &str = "if single moves turn the game, MCTS might fail to consider them";

/// Wilson's interval of a mean share with the traps as trials. It is too wide rather than too narrow: shares of seeds vary less than
/// single answers of the same mean. None without traps.
fn interval(shares: &[f64]) -> Option<Interval> {
    let count = shares.len() as f64;
    if shares.is_empty() { None } else { wilson_of_rate(shares.iter().sum::<f64>() / count, count, LEVEL) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_lab::statistics::wilson;

    /// Two traps, plain UCT with two budgets and six seeds: the second trap is seen with 3,000 simulations by five of them.
    #[test]
    fn needs_by_hand() {
        let trap = |position: &str| Trap { game: GAME.into(), position: position.into(), worth: 1.0 };
        let traps = [trap("one"), trap("two")];
        let (mut asked, mut seen) = (Vec::new(), Vec::new());
        for (number, _) in traps.iter().enumerate() {
            for &simulations in QUICK.uct {
                for seed in 0..QUICK.seeds {
                    asked.push(Asked { trap: number, cure: PLAIN, simulations, seed });
                    seen.push(number == 0 || (simulations == 3_000 && seed != 4));
                }
            }
        }
        let study = Study { traps: &traps, asked: &asked, seen, plan: &QUICK };
        assert_eq!(study.told_need(0, PLAIN), "300 (300 to 300)");
        assert_eq!(study.told_need(1, PLAIN), "3,000 (3,000 to >3,000)");
        assert_eq!(study.told_need(1, SOLVER), "", "nobody was asked");
        assert_eq!((study.share(1, PLAIN, 300), study.share(1, PLAIN, 3_000)), (Some(0.0), Some(5.0 / 6.0)));
        assert_eq!(study.all_shares(PLAIN, 300, Some("hex")), Vec::<f64>::new());
        assert_eq!(interval(&[0.25, 0.75]), wilson(1, 2, LEVEL));
        assert_eq!(interval(&[]), None);
    }
}
