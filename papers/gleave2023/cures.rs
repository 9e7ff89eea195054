//! Whether a victim that learns from an attack is safe: attacks and cures in turns, a fresh attack after each cure.

use super::GAME;
use super::played::hard_positions;
use crate::shared::{LEVEL, left_out, measured_mean, with_parts};
use aji_catalog::{SHIPPED, thousands};
use aji_lab::report::{Cell, Claim, Measured, Section, Statement, Table};
use aji_lab::statistics::{estimate, paired};
use aji_lab::training::{AttackerMet, Chain, Cures, Learning};
use aji_lab::{Error, Lab};

/// The most that the paper's attack cost, as a share of its victim's training.
const COST: f64 = 0.14;

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let scratch = std::env::temp_dir().join(format!("aji-gleave2023-cures-{}", std::process::id()));
    let start = SHIPPED.iter().find(|(word, _)| *word == GAME).map(|(_, bytes)| bytes.to_vec());
    let (games, per_iteration) = lab.scale.pick((16, 16), (1_024, 128));
    let learning = |options: &str| Learning {
        agent: format!("gumbel simulations={}", lab.scale.pick(4, 32)),
        options: format!("games={per_iteration} window_start=20000 rate=0.001 rate_end=0.0003 {options}"),
        games,
    };
    let cures = Cures {
        name: "gleave2023-cures".into(),
        game: GAME.into(),
        start: start.ok_or_else(|| Error::new("no network ships for this game"))?,
        victim_simulations: lab.scale.pick(2, 16),
        attacker_simulations: lab.scale.pick(4, 32),
        attack: learning("openings=0.5 opening_plies=10"),
        cure: learning("openings=0.9 opening_plies=20 mix=0.5"),
        rounds: 1,
        chains: 2,
        starts: hard_positions().into_iter().step_by(lab.scale.pick(100, 2)).collect(),
        positions: lab.scale.pick(10, 500),
        folder: lab.journals.clone().unwrap_or_else(|| scratch.clone()),
        stop: lab.stop,
    };
    let chains = lab.run(&cures);
    // Only an empty folder is removed.
    let _ = std::fs::remove_dir(&scratch);
    let study = Study { chains: chains?, rounds: cures.rounds };
    Ok(Section {
        title: "Does a victim that learns from the attack hold?".into(),
        prose: vec![
            format!(
                "The victim is the network that ships, with {} simulations, and moves first. An attacker starts from the same network \
                 and learns in {} games against it, which begin with up to ten random plies in half of the games. Then the victim \
                 learns in as many games, half of them against that attacker, and a fresh attacker learns to beat it; cures: {}. \
                 {} chains with seeds of their own.",
                cures.victim_simulations,
                thousands(games),
                cures.rounds,
                cures.chains,
            ),
            format!(
                "In duels an attacker has {} simulations and predicts the victim by its policy (the model s). Each duel is one game \
                 from each of {} hard positions in which the victim is not lost.",
                cures.attacker_simulations,
                thousands(cures.starts.len() as u64),
            ),
        ],
        tables: vec![study.duels(), study.victims()],
        claims: vec![study.beats(), study.holds(), study.fresh(), study.cheap()],
        left_out: left_out(lab, "networks that hardly learn, and 10 positions instead of 500."),
        ..Section::default()
    })
}

struct Study {
    chains: Vec<Chain>,
    rounds: usize,
}

/// An attacker, by the victim that it was trained on.
type Attacker = Option<usize>;

impl Study {
    /// The duels of an attacker with a victim, of all chains.
    fn met(&self, attacker: Attacker, victim: usize) -> impl Iterator<Item = &AttackerMet> {
        let all = self.chains.iter().flat_map(|chain| &chain.met);
        all.filter(move |met| (met.attacker, met.victim) == (attacker, victim))
    }

    /// The share of wins in each position, over the chains; empty if they did not meet.
    fn wins(&self, attacker: Attacker, victim: usize) -> Vec<f64> {
        let mut shares = Vec::new();
        for met in self.met(attacker, victim) {
            shares.resize(met.outcomes.len(), 0.0);
            for (share, won) in shares.iter_mut().zip(met.wins()) {
                *share += f64::from(u8::from(won)) / self.chains.len() as f64;
            }
        }
        shares
    }

    /// The share of wins of one attacker less that of another, position by position.
    fn difference(&self, one: (Attacker, usize), other: (Attacker, usize)) -> Measured {
        let found = paired(&self.wins(one.0, one.1), &self.wins(other.0, other.1));
        measured_mean(&found.expect("two positions or more").difference)
    }

    fn duels(&self) -> Table {
        let mut columns = vec!["attacker trained on".to_string()];
        columns.extend((0..=self.rounds).map(|victim| format!("against {}", named(victim))));
        let columns: Vec<&str> = columns.iter().map(String::as_str).collect();
        let mut table = Table::new("Share of games that the attacker wins", &columns)
            .with_note("Means over positions and chains, with 95% intervals over positions. \"Nobody\" is the network that all attackers start from.");
        for attacker in std::iter::once(None).chain((0..=self.rounds).map(Some)) {
            let mut row: Vec<Cell> = vec![attacker.map_or("nobody".into(), named).into()];
            row.extend((0..=self.rounds).map(|victim| match estimate(&self.wins(attacker, victim)) {
                Some(share) => {
                    format!("{:.3} ({})", share.value, share.interval(LEVEL).expect("a level")).into()
                }
                None => Cell::from(""),
            }));
            table.push(row);
        }
        table
    }

    fn victims(&self) -> Table {
        let columns = ["victim", "mistakes", "attack: games", "simulations", "wins at the end"];
        let mut table = Table::new("The victims, and the attacks on them", &columns)
            .with_note("Shares of mistakes in the hard positions, and of wins in the last 1,000 games of the attack: means over chains with standard errors.");
        for victim in 0..=self.rounds {
            let attacks = || self.chains.iter().map(|chain| &chain.attacks[victim]);
            let mean = |sum: u64| thousands(sum / self.chains.len() as u64);
            let shares: Vec<f64> = self.chains.iter().map(|chain| erred(chain, victim)).collect();
            let mistakes = estimate(&shares).expect("two chains");
            let wins: Vec<f64> = attacks().map(|attack| attack.wins).collect();
            let wins = estimate(&wins).expect("two chains");
            table.push(vec![
                named(victim).into(),
                Cell::estimate(mistakes.value, mistakes.error, 3),
                mean(attacks().map(|attack| attack.games).sum()).into(),
                mean(attacks().map(|attack| attack.simulations).sum()).into(),
                Cell::estimate(wins.value, wins.error, 3),
            ]);
        }
        table
    }

    fn beats(&self) -> Claim {
        let said = "an attacker that is trained on the victim wins nearly always";
        Claim::greater(
            Statement::new(
                "11. An attacker that learned on the victim wins more often than the same network before",
                said,
            ),
            self.difference((Some(0), 0), (None, 0)),
            0.0,
        )
    }

    /// The claim of several parts, one a cure.
    fn over_cures(&self, what: &str, said: &str, of: impl Fn(usize) -> (Measured, bool)) -> Claim {
        let part = |victim: usize| {
            let (measured, is_greater) = of(victim);
            let statement = Statement::new(named(victim), said);
            match is_greater {
                true => Claim::greater(statement, measured, 0.0),
                false => Claim::less(statement, measured, 0.0),
            }
        };
        let parts: Vec<Claim> = (1..=self.rounds).map(part).collect();
        let whole = Claim::all_of(Statement::new(what, said), &parts);
        let wanted = if of(1).1 { "above 0" } else { "below 0" };
        with_parts(whole, &parts, "difference of the shares of wins, position by position", wanted)
    }

    fn holds(&self) -> Claim {
        self.over_cures(
            "12. A cured victim loses less often to the attacker that it learned from",
            "a victim retrained on the attack holds the old attacker to 1 to 13%",
            |victim| (self.difference((Some(victim - 1), victim), (Some(victim - 1), victim - 1)), false),
        )
    }

    fn fresh(&self) -> Claim {
        self.over_cures(
            "13. A fresh attacker beats the cured victim more often than the old one does",
            "a fresh attacker reaches 69 to 99% against the retrained victim",
            |victim| (self.difference((Some(victim), victim), (Some(victim - 1), victim)), true),
        )
    }

    /// The cost of the first attack, as a share of the simulations of the victim's training.
    fn cheap(&self) -> Claim {
        let costs: Vec<f64> =
            self.chains.iter().map(|chain| chain.attacks[0].simulations as f64 / TRAINING).collect();
        let cost = estimate(&costs).expect("two chains");
        let said = "the attack cost less than 14% of the victim's training";
        Claim::less(
            Statement::new("14. The attack costs at most 14% of the victim's training, in simulations", said),
            measured_mean(&cost),
            COST,
        )
    }
}

/// The simulations of self-play of the network that ships: about 20 moves a game, 110,592 games with 32 simulations a move
/// and 161,280 with 64 (docs/networks.md).
const TRAINING: f64 = 20.0 * (110_592.0 * 32.0 + 161_280.0 * 64.0);

fn named(victim: usize) -> String {
    match victim {
        0 => "the victim".into(),
        1 => "after 1 cure".into(),
        _ => format!("after {victim} cures"),
    }
}

/// The share of hard positions in which a victim errs.
fn erred(chain: &Chain, victim: usize) -> f64 {
    let found = &chain.mistakes[victim];
    let positions: u64 = found.iter().map(|erred| erred.positions).sum();
    found.iter().map(|erred| erred.mistakes).sum::<u64>() as f64 / positions.max(1) as f64
}
