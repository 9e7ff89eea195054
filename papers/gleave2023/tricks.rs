//! What the trick is: the moves by which the victim loses, what it thought of them, and which cures see them.

use super::blunders::{Blunder, Blunders};
use super::played::{Played, middle_positions};
use super::{model_r, network};
use crate::shared::{LEVEL, counted, left_out, measured, point, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::statistics::{Interval, wilson};
use aji_lab::{Error, Lab};

/// How many positions are shown.
const SHOWN: usize = 5;

/// A victim that thinks its position is worth more than this does not know that it is lost.
const CONFIDENT: f64 = 0.5;

/// The cures: each adds a word to the victim's name.
const CURES: [(&str, &str); 3] =
    [("more search", ""), ("and the solver", " solver=on"), ("and symmetric images", " symmetries=on")];

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let (simulations, few) = lab.scale.pick((8, 10), (16, 20));
    let factors: &[u64] = lab.scale.pick(&[1, 4], &[1, 2, 4, 16, 64]);
    // Exact values of early positions take seconds each.
    let starts: Vec<String> = middle_positions().into_iter().step_by(lab.scale.pick(25, 1)).collect();
    let victim = network(simulations);
    let attacker = model_r(&victim, few);
    let played = Played::new(
        lab,
        "gleave2023-tricks-games",
        (&attacker, &victim),
        starts.clone(),
        starts.len() as u64,
    )?;
    let cure = |word: &str, factor: u64| format!("{}{word}", network(factor * simulations));
    let cures = CURES.iter().flat_map(|(_, word)| factors.iter().map(|&factor| cure(word, factor))).collect();
    let games =
        played.lost_by_victim().map(|duel| (starts[duel.start].clone(), duel.moves.clone())).collect();
    let blunders =
        Blunders { name: "gleave2023-tricks-blunders".into(), victim: victim.clone(), cures, games };
    let found: Vec<Blunder> = lab.run(&blunders)?.into_iter().flatten().collect();
    let study = Study { found, factors, simulations };
    let confident = study.found.iter().filter(|blunder| blunder.value > CONFIDENT).count() as u64;
    let said = "the victim is confident of a position in which it is about to lose";
    let knows = Claim::greater(
        Statement::new("9. In most of its blunders the victim thinks that it is ahead", said),
        measured(share(confident, study.count()), interval(confident, study.count()), study.count()),
        0.5,
    );
    Ok(Section {
        title: "What is the trick?".into(),
        prose: vec![
            format!(
                "`{attacker}` won {} games from hard positions. In each of them we look, by exact values, for the last move by which \
                 the victim turned a position that was not lost into a lost one: its blunder. In {} of them the victim's own search \
                 thought its position worth more than {CONFIDENT}.",
                counted(played.counts().wins, played.counts().games()),
                counted(confident, study.count()),
            ),
            format!(
                "To play one yourself: `aji play {} --position \"POSITION\" --agent \"{victim}\"`, with a position of the table.",
                super::GAME
            ),
        ],
        tables: vec![study.blunders(), study.cures()],
        figures: vec![study.figure()],
        claims: vec![knows, study.search_cures()],
        left_out: left_out(lab, "20 positions instead of 500, and a victim of 8 simulations instead of 16."),
        ..Section::default()
    })
}

fn share(part: u64, of: u64) -> f64 {
    part as f64 / of.max(1) as f64
}

fn interval(part: u64, of: u64) -> Interval {
    wilson(part, of, LEVEL).unwrap_or(Interval { low: 0.0, high: 1.0 })
}

struct Study<'a> {
    found: Vec<Blunder>,
    factors: &'a [u64],
    simulations: u64,
}

impl Study<'_> {
    fn count(&self) -> u64 {
        self.found.len() as u64
    }

    /// How many blunders a cure avoids with this many times the simulations, by their numbers.
    fn cured(&self, cure: usize, factor: usize) -> u64 {
        let place = cure * self.factors.len() + factor;
        self.found.iter().filter(|blunder| blunder.cured[place]).count() as u64
    }

    /// The blunders in which the victim was most wrong.
    fn blunders(&self) -> Table {
        let columns = ["position", "the victim's move", "its value of it", "moves that do not lose"];
        let note = "The truth of the victim's move is 0 in each: a loss.";
        let mut table = Table::new("Where the victim was most wrong", &columns).with_note(note);
        let mut found: Vec<&Blunder> = self.found.iter().collect();
        found.sort_by(|a, b| b.value.total_cmp(&a.value));
        for blunder in found.into_iter().take(SHOWN) {
            table.push(vec![
                blunder.judged.position.as_str().into(),
                blunder.chosen.as_str().into(),
                Cell::number(blunder.value, 3),
                blunder.right().join(" ").into(),
            ]);
        }
        table
    }

    fn cures(&self) -> Table {
        let columns = ["cure", "simulations", "blunders avoided", "share", "95% interval"];
        let mut table = Table::new("Blunders that a cure avoids", &columns)
            .with_note("Each cure is asked for a move in the positions of the blunders. Wilson's intervals.");
        for (cure, (name, _)) in CURES.iter().enumerate() {
            for (factor, times) in self.factors.iter().enumerate() {
                let cured = self.cured(cure, factor);
                table.push(vec![
                    (*name).into(),
                    thousands(times * self.simulations).into(),
                    counted(cured, self.count()).into(),
                    Cell::number(share(cured, self.count()), 3),
                    format!("{}", interval(cured, self.count())).into(),
                ]);
            }
        }
        table
    }

    fn figure(&self) -> Figure {
        let line = |(cure, (name, _)): (usize, &(&str, &str))| {
            let points = self.factors.iter().enumerate().map(|(factor, times)| {
                let cured = self.cured(cure, factor);
                let (share, interval) = (share(cured, self.count()), interval(cured, self.count()));
                point((times * self.simulations) as f64, share, interval)
            });
            Series::line(*name, points.collect())
        };
        Figure {
            name: "gleave2023-cures".into(),
            title: "Blunders avoided by cures".into(),
            caption:
                "Share of the victim's blunders that it avoids with more simulations, with 95% intervals."
                    .into(),
            x: Axis::log("simulations"),
            y: Axis::linear("share avoided"),
            series: CURES.iter().enumerate().map(line).collect(),
        }
    }

    /// The claim that more search does not remove the blunders.
    fn search_cures(&self) -> Claim {
        let said = "more search lowers the rate and does not remove it";
        let last = self.factors.len() - 1;
        let times = self.factors[last];
        let part = |(cure, (name, _)): (usize, &(&str, &str))| {
            let cured = self.cured(cure, last);
            let found = measured(share(cured, self.count()), interval(cured, self.count()), self.count());
            Claim::less(Statement::new(*name, said), found, 0.95)
        };
        let parts: Vec<Claim> = CURES.iter().enumerate().map(part).collect();
        let what = format!("10. {times} times the simulations leave at least one blunder in 20");
        let whole = Claim::all_of(Statement::new(&what, said), &parts);
        with_parts(whole, &parts, "share of blunders avoided", "below 0.95")
    }
}
