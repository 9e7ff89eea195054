//! The lecture's `get-tree-below`, which keeps the tree, and its remark that expansion is left out once
//! memory is full ("Algorithm", "MCTS with UCT: Remarks").
//!
//! Reuse: a UCT that keeps its tree plays one that begins anew at every move, in pairs of games from the same
//! opening with the sides swapped; both have the same simulations a move, and what is carried over comes on
//! top. Memory: UCT with a cap plays UCT without, and searches of random positions tell what the cap leaves
//! out.

use super::{C, LEVEL, ROOMY, equal_strength, left_out, measured, point, random_position, statement};
use aji::bandit::Ucb1;
use aji::catalog::{AgentName, show_bytes};
use aji::games::{Breakthrough, ConnectFour, Othello};
use aji::{Budget, Game, Search, Turn};
use aji_lab::contest::{Contest, Meeting};
use aji_lab::report::{Axis, Cell, Claim, Figure, Point, Section, Series, Table, Verdict};
use aji_lab::statistics::{Score, cluster_estimate, estimate};
use aji_lab::{Error, Experiment, Lab, Trial};
use serde::{Deserialize, Serialize};

const GAMES: [&str; 3] = ["connect-four", "othello", "breakthrough"];

/// Random plies before a pair of games.
const OPENING_PLIES: usize = 4;

/// A move of the agent that keeps its tree.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Kept {
    /// Which of its moves, from 1; the first has nothing to keep.
    number: usize,
    /// Simulations that the tree came with.
    carried: u32,
}

/// A pair of games.
#[derive(Clone, Serialize, Deserialize)]
struct Pair {
    /// What the agent that keeps its tree got in both together: 0 to 2.
    points: f64,
    kept: Vec<Kept>,
}

struct Reuse {
    budgets: Vec<u64>,
    pairs: u64,
}

impl Reuse {
    /// The game and the budget of a trial.
    fn setting(&self, id: u64) -> (usize, u64) {
        let setting = (id / self.pairs) as usize;
        (setting % GAMES.len(), self.budgets[setting / GAMES.len()])
    }

    fn pair<G: Game>(&self, start: G, budget: u64, trial: Trial) -> Pair {
        let mut rng = trial.rng();
        let opening = random_position(&start, OPENING_PLIES..OPENING_PLIES + 1, &mut rng);
        let uct = |part: &str| {
            Search::new(opening.clone()).select(Ucb1 { c: C }).memory(ROOMY).seed(trial.seed_of(part))
        };
        let mut pair = Pair { points: 0.0, kept: Vec::new() };
        for side in 0..2 {
            let (mut keeper, mut forgetter) = (uct("keeper"), uct("forgetter"));
            let mut moves = 0;
            let payoff = loop {
                let action = match keeper.root().turn() {
                    Turn::Over => break keeper.root().payoff(),
                    Turn::Player(player) if player == side => {
                        moves += 1;
                        let carried = keeper.tree().map_or(0, |tree| tree.pulls());
                        pair.kept.push(Kept { number: moves, carried });
                        keeper.run(Budget::simulations(budget)).best
                    }
                    _ => {
                        forgetter.reset(keeper.root().clone());
                        forgetter.run(Budget::simulations(budget)).best
                    }
                };
                keeper.advance(action.expect("a live position has a best action"));
            };
            pair.points += points(payoff.of(side));
        }
        pair
    }
}

/// A win is a point, a draw half of one.
fn points(payoff: f32) -> f64 {
    match payoff {
        payoff if payoff > 0.0 => 1.0,
        payoff if payoff < 0.0 => 0.0,
        _ => 0.5,
    }
}

impl Experiment for Reuse {
    type Record = Pair;

    fn name(&self) -> String {
        "strass2026-reuse".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({
            "games": GAMES, "budgets": self.budgets, "pairs": self.pairs, "opening_plies": OPENING_PLIES, "c": C
        })
    }

    fn trials(&self) -> u64 {
        self.pairs * (GAMES.len() * self.budgets.len()) as u64
    }

    fn run(&self, trial: Trial) -> Result<Pair, Error> {
        let (game, budget) = self.setting(trial.id);
        Ok(match game {
            0 => self.pair(ConnectFour::new(), budget, trial),
            1 => self.pair(Othello::new(), budget, trial),
            _ => self.pair(Breakthrough::new(), budget, trial),
        })
    }
}

/// Caps on memory. The search needs 64 KiB beside its tree, so the smallest leaves room for some hundred
/// edges.
const CAPS: [u64; 4] = [70_000, 100_000, 200_000, 1_000_000];

/// The game in which caps are measured.
const CAPPED_GAME: &str = "connect-four";

/// Searches of random positions under each cap, and under none.
struct Capped {
    budget: u64,
    positions: u64,
}

/// What a search under a cap came to.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Grown {
    simulations: u64,
    nodes: usize,
    bytes: usize,
    left_out: u64,
}

impl Experiment for Capped {
    /// By cap, the last without.
    type Record = Vec<Grown>;

    fn name(&self) -> String {
        "strass2026-memory".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({
            "game": CAPPED_GAME, "caps": CAPS, "budget": self.budget, "positions": self.positions, "c": C
        })
    }

    fn trials(&self) -> u64 {
        self.positions
    }

    fn run(&self, trial: Trial) -> Result<Vec<Grown>, Error> {
        let position = random_position(&ConnectFour::new(), 0..20, &mut trial.rng());
        let search = |cap: usize| {
            let search =
                Search::new(position).select(Ucb1 { c: C }).memory(cap).seed(trial.seed_of("search"));
            let report = { search }.run(Budget::simulations(self.budget));
            let (simulations, nodes, bytes) = (report.simulations, report.nodes, report.bytes);
            Grown { simulations, nodes, bytes, left_out: report.left_out }
        };
        Ok(CAPS.iter().map(|&cap| cap as usize).chain([ROOMY]).map(search).collect())
    }
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let reuse = Reuse {
        budgets: lab.scale.pick(vec![100, 1000], vec![100, 300, 1000, 3000]),
        pairs: lab.scale.pick(40, 300),
    };
    let pairs = lab.run(&reuse)?;
    let capped = Capped { budget: lab.scale.pick(3000, 10_000), positions: lab.scale.pick(50, 500) };
    let searches = lab.run(&capped)?;
    let matches = matches(lab, capped.budget, lab.scale.pick(40, 300))?;
    Ok(Section {
        title: "Keeping the tree, and running out of memory".into(),
        prose: vec![
            format!(
                "Reuse. UCT that keeps the tree below what was played meets UCT that begins anew at each \
                 move, {} pairs of games for each game and budget, from openings of {OPENING_PLIES} random \
                 plies. What is carried over comes on top of the budget, which both spend in full.",
                reuse.pairs
            ),
            format!(
                "Memory. UCT with {} simulations a move in {CAPPED_GAME} under caps that it fills. Then \
                 expansion is left out and the rest goes on, as the lecture says. Of every cap, 64 KiB are \
                 not for the tree.",
                aji::catalog::thousands(capped.budget)
            ),
        ],
        tables: vec![reuse_table(&reuse, &pairs), memory_table(&capped, &searches, &matches)],
        figures: vec![carried_figure(&reuse, &pairs), memory_figure(&matches)],
        claims: vec![stronger(lab, &reuse, &pairs), goes_on(lab, &capped, &searches)],
        left_out: left_out(
            lab,
            "100 and 1,000 simulations instead of four budgets up to 3,000 and 40 pairs instead of 300 for \
             reuse; for memory 3,000 simulations instead of 10,000, 50 positions instead of 500 and 40 pairs \
             instead of 300.",
        ),
    })
}

/// The pairs of one game and budget.
fn of_setting<'a>(
    reuse: &'a Reuse,
    pairs: &'a [Pair],
    game: usize,
    budget: u64,
) -> impl Iterator<Item = &'a Pair> {
    let is_wanted = move |id: usize| reuse.setting(id as u64) == (game, budget);
    pairs.iter().enumerate().filter(move |(id, _)| is_wanted(*id)).map(|(_, pair)| pair)
}

fn score(reuse: &Reuse, pairs: &[Pair], game: usize, budget: u64) -> Score {
    let points: Vec<f64> = of_setting(reuse, pairs, game, budget).map(|pair| pair.points).collect();
    Score::of_pair_points(&points, LEVEL).expect("pairs were played")
}

/// What is carried over, as a share of the budget: by pair, for the moves that this picks.
fn carried(
    reuse: &Reuse,
    pairs: &[Pair],
    (game, budget): (usize, u64),
    pick: impl Fn(usize) -> bool,
) -> Vec<(usize, f64)> {
    let mut shares = Vec::new();
    for (index, pair) in of_setting(reuse, pairs, game, budget).enumerate() {
        let picked = pair.kept.iter().filter(|kept| pick(kept.number));
        shares.extend(picked.map(|kept| (index, f64::from(kept.carried) / budget as f64)));
    }
    shares
}

fn reuse_table(reuse: &Reuse, pairs: &[Pair]) -> Table {
    let columns =
        ["game", "simulations", "carried / budget", "pairs", "score of keeping", "95% interval", "Elo"];
    let mut table = Table::new("Keeping the tree", &columns).with_note(
        "Carried: simulations that the tree came with, mean over all moves but the first, 95% interval by \
         pairs.",
    );
    for (game, name) in GAMES.into_iter().enumerate() {
        for &budget in &reuse.budgets {
            let share = cluster_estimate(carried(reuse, pairs, (game, budget), |number| number > 1));
            let share = share.map_or(Cell::from(""), |share| {
                let interval = share.interval(LEVEL).expect("a level");
                Cell::estimate(share.value, interval.width() / 2.0, 3)
            });
            let score = score(reuse, pairs, game, budget);
            table.push(vec![
                name.into(),
                budget.into(),
                share,
                reuse.pairs.into(),
                Cell::number(score.score, 3),
                format!("{}", score.interval).into(),
                Cell::number(score.elo, 0),
            ]);
        }
    }
    table
}

/// What is carried over at each move, at the largest budget. Moves that few games come to are not shown.
fn carried_figure(reuse: &Reuse, pairs: &[Pair]) -> Figure {
    let budget = *reuse.budgets.last().expect("there are budgets");
    let series = |game: usize| {
        let last =
            of_setting(reuse, pairs, game, budget).flat_map(|pair| &pair.kept).map(|kept| kept.number).max();
        let point_of = |number: usize| {
            let shares = carried(reuse, pairs, (game, budget), |other| other == number);
            let share =
                cluster_estimate(shares.iter().copied()).filter(|_| shares.len() as u64 >= reuse.pairs)?;
            Some(point(number as f64, share.value, share.interval(LEVEL)?))
        };
        Series::line(
            GAMES[game],
            (2..=last.unwrap_or(0)).step_by(2).filter_map(point_of).collect::<Vec<Point>>(),
        )
    };
    Figure {
        name: "strass2026-reuse".into(),
        title: "Simulations carried over by keeping the tree".into(),
        caption: format!(
            "As a share of the {} simulations that a move spends, at every second move of the agent, with \
             95% intervals. Moves that fewer than half of the games come to are not shown.",
            aji::catalog::thousands(budget)
        ),
        x: Axis::linear("move of the agent"),
        y: Axis::linear("carried over / budget"),
        series: (0..GAMES.len()).map(series).collect(),
    }
}

/// UCT under each cap against UCT without.
fn matches(lab: &Lab, budget: u64, pairs: u64) -> Result<Vec<Meeting>, Error> {
    let agent = |memory: &str| Ok(format!("uct simulations={budget} memory={memory}").parse::<AgentName>()?);
    let names = CAPS.iter().map(|&cap| show_bytes(cap)).chain(["1GB".to_string()]);
    let agents: Vec<AgentName> = names.map(|name| agent(&name)).collect::<Result<_, Error>>()?;
    let pairings = (0..CAPS.len()).map(|capped| (capped, CAPS.len())).collect();
    let contest = Contest::new(CAPPED_GAME, agents, pairings, pairs)?
        .openings(OPENING_PLIES)?
        .named("strass2026-memory-games");
    let records = lab.run(&contest)?;
    let meeting = |capped: usize| Meeting::new(records.iter().filter(|record| record.pairing == capped));
    Ok((0..CAPS.len()).map(|capped| meeting(capped).expect("pairs were played")).collect())
}

fn memory_table(capped: &Capped, searches: &[Vec<Grown>], matches: &[Meeting]) -> Table {
    let columns =
        ["cap", "edges", "bytes of the tree", "expansions left out", "score", "95% interval", "Elo"];
    let mut table = Table::new("Running out of memory", &columns).with_note(format!(
        "Edges, bytes and expansions left out: means over {} random positions of {CAPPED_GAME}, {} \
         simulations each, 95% intervals. Score: against UCT with 1 GB, by pairs of games.",
        capped.positions,
        aji::catalog::thousands(capped.budget)
    ));
    let mean = |cap: usize, of: &dyn Fn(&Grown) -> f64| {
        let values: Vec<f64> = searches.iter().map(|search| of(&search[cap])).collect();
        let estimate = estimate(&values).expect("there are positions");
        Cell::estimate(estimate.value, estimate.interval(LEVEL).expect("a level").width() / 2.0, 0)
    };
    for cap in 0..=CAPS.len() {
        let mut row = vec![
            CAPS.get(cap).map_or("none".to_string(), |&cap| show_bytes(cap)).into(),
            mean(cap, &|search| search.nodes as f64),
            mean(cap, &|search| search.bytes as f64),
            mean(cap, &|search| search.left_out as f64),
        ];
        if let Some(Meeting { score, .. }) = matches.get(cap) {
            row.extend([
                Cell::number(score.score, 3),
                format!("{}", score.interval).into(),
                Cell::number(score.elo, 0),
            ]);
        }
        table.push(row);
    }
    table
}

fn memory_figure(matches: &[Meeting]) -> Figure {
    let point_of = |(cap, meeting): (&u64, &Meeting)| {
        point(*cap as f64 / 1000.0, meeting.score.score, meeting.score.interval)
    };
    Figure {
        name: "strass2026-memory".into(),
        title: "Strength under a cap on memory".into(),
        caption:
            "Score against UCT with 1 GB and as many simulations, with 95% intervals. One half is equal \
             strength."
                .into(),
        x: Axis::log("cap (kB)"),
        y: Axis::linear("score"),
        series: vec![
            Series::line(CAPPED_GAME, CAPS.iter().zip(matches).map(point_of).collect()),
            equal_strength(&CAPS.map(|cap| cap as f64 / 1000.0)),
        ],
    }
}

fn stronger(lab: &Lab, reuse: &Reuse, pairs: &[Pair]) -> Claim {
    let budget = *reuse.budgets.last().expect("there are budgets");
    let said = "tree := get-tree-below(s) (Algorithm); that it makes play stronger is not said, and is our \
                measure of it";
    let part = |game: usize| {
        let score = score(reuse, pairs, game, budget);
        Claim::greater(statement(lab, GAMES[game], said), measured(score.score, score.interval), 0.5)
    };
    let parts: Vec<Claim> = (0..GAMES.len()).map(part).collect();
    let what = format!(
        "Keeping the tree makes UCT stronger at equal simulations ({} a move)",
        aji::catalog::thousands(budget)
    );
    let whole = Claim::all_of(statement(lab, &what, said), &parts);
    super::with_parts(whole, &parts, "score of keeping in each game", "above 0.5")
}

fn goes_on(lab: &Lab, capped: &Capped, searches: &[Vec<Grown>]) -> Claim {
    let under_caps = || searches.iter().flat_map(|search| search[..CAPS.len()].iter().zip(CAPS));
    let full = under_caps().filter(|(search, _)| search.left_out > 0).count();
    let kept = under_caps()
        .filter(|(search, cap)| search.simulations == capped.budget && search.bytes as u64 <= *cap)
        .count();
    let all = under_caps().count();
    let statement = statement(
        lab,
        "Once memory is full expansion is left out, and the search goes on within its cap",
        "at some point expansion is omitted (but selection, simulation, and backpropagation are continued) \
         (Remarks)",
    );
    let verdict = if kept == all && full > 0 { Verdict::Holds } else { Verdict::Fails };
    Claim::decided(
        statement,
        format!(
            "{kept} of {all} searches spent all simulations within their cap; {full} of them left out \
             expansions"
        )
        .into(),
        verdict,
        "holds when every search under a cap spends all its simulations and stays within it, and some were \
         full; fails otherwise; exact, no error",
    )
}
