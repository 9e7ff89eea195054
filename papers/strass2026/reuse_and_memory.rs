//! The lecture's `get-tree-below`, which keeps the tree, and its remark that expansion stops once memory is full
//! ("Algorithm", "MCTS with UCT: Remarks").
//!
//! Reuse: a UCT that keeps its tree plays one that starts again at every move, in pairs of games. Both have the same
//! simulations per move; simulations carried over come on top. Memory: UCT with a cap plays UCT without, and searches
//! of random positions show what the cap leaves out.

use super::{
    C, LEVEL, ROOMY, equal_strength, left_out, measured_score, point, random_position, session_at, think_on,
};
use aji_catalog::{AgentName, show_bytes};
use aji_games::ConnectFour;
use aji_lab::contest::{Contest, Meeting, PairRecord};
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table, Verdict};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Experiment, Lab, Trial};
use serde::{Deserialize, Serialize};

const GAMES: [&str; 3] = ["connect-four", "othello", "breakthrough"];

/// Random plies before a pair of games.
const OPENING_PLIES: usize = 4;

/// The result of keeping the tree in one game at one budget.
struct Kept {
    game: &'static str,
    budget: u64,
    meeting: Meeting,
    /// The simulations carried over to a move, as a share of the budget, by pair.
    carried: Estimate,
}

/// UCT that keeps its tree against UCT that does not, in each game at each budget.
fn reuse(lab: &Lab, budgets: &[u64], pairs: u64) -> Result<Vec<Kept>, Error> {
    let mut all = Vec::new();
    for game in GAMES {
        let mut agents: Vec<AgentName> = Vec::new();
        for budget in budgets {
            agents.push(format!("uct simulations={budget}").parse()?);
            agents.push(format!("uct simulations={budget} reuse=off").parse()?);
        }
        let pairings = (0..budgets.len()).map(|number| (2 * number, 2 * number + 1)).collect();
        let contest = Contest::new(game, agents, pairings, pairs)?
            .openings(OPENING_PLIES)?
            .named(&format!("strass2026-reuse-{game}"));
        let records = lab.run(&contest)?;
        for (pairing, &budget) in budgets.iter().enumerate() {
            let of_pairing = || records.iter().filter(move |record| record.pairing == pairing);
            let shares: Vec<f64> = of_pairing().map(|record| carried(record, budget)).collect();
            let meeting = Meeting::new(of_pairing()).expect("pairs were played");
            let carried = estimate(&shares).expect("pairs were played");
            all.push(Kept { game, budget, meeting, carried });
        }
    }
    Ok(all)
}

/// The simulations that the agent with a kept tree carried over to a move of a pair, as a share of the budget.
fn carried(record: &PairRecord, budget: u64) -> f64 {
    let (mut carried, mut choices) = (0, 0);
    for game in &record.games {
        let seat = game.agents.iter().position(|&agent| agent == record.a()).expect("it plays every game");
        carried += game.carried[seat];
        choices += game.choices[seat];
    }
    carried as f64 / (choices.max(1) * budget) as f64
}

/// Caps on memory. The search needs 64 KiB beside its tree, so the smallest leaves room for a few hundred edges.
const CAPS: [u64; 4] = [70_000, 100_000, 200_000, 1_000_000];

/// The game that measures caps.
const CAPPED_GAME: &str = "connect-four";

/// Searches of random positions under each cap, and without one.
struct Capped {
    budget: u64,
    positions: u64,
}

/// The result of a search under a cap.
#[derive(Clone, Copy, Serialize, Deserialize)]
struct Grown {
    simulations: u64,
    nodes: usize,
    bytes: usize,
    left_out: u64,
}

impl Experiment for Capped {
    /// By cap, the last one without.
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
        let mut session = session_at(CAPPED_GAME, &position)?;
        let uct = AgentName { seed: trial.seed_of("search"), ..format!("uct c={C}").parse()? };
        let mut search = |memory: u64| {
            // Another cap is another agent, so each search starts again.
            let report = think_on(&mut *session, &AgentName { memory, ..uct.clone() }, self.budget)?;
            let (simulations, nodes, bytes) = (report.simulations, report.nodes, report.bytes);
            Ok(Grown { simulations, nodes, bytes, left_out: report.left_out })
        };
        CAPS.into_iter().chain([ROOMY]).map(&mut search).collect()
    }
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets = lab.scale.pick(vec![100, 1000], vec![100, 300, 1000, 3000]);
    let pairs = lab.scale.pick(40, 300);
    let kept = reuse(lab, &budgets, pairs)?;
    let capped = Capped { budget: lab.scale.pick(3000, 10_000), positions: lab.scale.pick(50, 500) };
    let searches = lab.run(&capped)?;
    let matches = matches(lab, capped.budget, lab.scale.pick(40, 300))?;
    Ok(Section {
        title: "Keeping the tree, and running out of memory".into(),
        prose: vec![
            format!(
                "Reuse. UCT that keeps the tree below the move played meets UCT that begins a new tree at \
                 each move (`reuse=off`), {pairs} pairs of games for each game and budget, from balanced openings \
                 of {OPENING_PLIES} random plies. Both spend the whole budget; simulations carried over \
                 come on top of it.",
            ),
            format!(
                "Memory. UCT searches {CAPPED_GAME} with {} simulations a move, under caps that it fills. When \
                 memory is full, the search goes on without expansion, as the lecture says. 64 KiB of every \
                 cap are not for the tree.",
                aji_catalog::thousands(capped.budget)
            ),
        ],
        tables: vec![reuse_table(&kept, pairs), memory_table(&capped, &searches, &matches)],
        figures: vec![carried_figure(&kept), memory_figure(&matches)],
        claims: vec![
            stronger(&kept, *budgets.last().expect("there are budgets")),
            goes_on(&capped, &searches),
        ],
        left_out: left_out(
            lab,
            "100 and 1,000 simulations instead of four budgets up to 3,000 and 40 pairs instead of 300 for \
             reuse; for memory 3,000 simulations instead of 10,000, 50 positions instead of 500 and 40 pairs \
             instead of 300.",
        ),
        ..Section::default()
    })
}

fn reuse_table(kept: &[Kept], pairs: u64) -> Table {
    let columns =
        ["game", "simulations", "carried / budget", "pairs", "score of keeping", "95% interval", "Elo"];
    let mut table = Table::new("Keeping the tree", &columns).with_note(
        "Carried: simulations that the tree came with, mean over all moves (the first has none), 95% interval \
         by pairs.",
    );
    for Kept { game, budget, meeting, carried } in kept {
        let width = carried.interval(LEVEL).map_or(0.0, |interval| interval.width());
        table.push(vec![
            (*game).into(),
            (*budget).into(),
            Cell::estimate(carried.value, width / 2.0, 3),
            pairs.into(),
            Cell::number(meeting.score.score, 3),
            format!("{}", meeting.score.interval).into(),
            Cell::number(meeting.score.elo, 0),
        ]);
    }
    table
}

fn carried_figure(kept: &[Kept]) -> Figure {
    let point_of =
        |kept: &Kept| Some(point(kept.budget as f64, kept.carried.value, kept.carried.interval(LEVEL)?));
    let series = |game: &'static str| {
        Series::line(game, kept.iter().filter(|kept| kept.game == game).filter_map(point_of).collect())
    };
    Figure {
        name: "strass2026-reuse".into(),
        title: "Simulations carried over by keeping the tree".into(),
        caption: "As a share of the simulations that a move spends, mean over all moves, with 95% intervals."
            .into(),
        x: Axis::log("simulations a move"),
        y: Axis::linear("carried over / budget"),
        series: GAMES.map(series).into(),
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
        aji_catalog::thousands(capped.budget)
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
            "Score against UCT with 1 GB and the same simulations, with 95% intervals. One half is equal \
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

fn stronger(kept: &[Kept], budget: u64) -> Claim {
    let said = "tree := get-tree-below(s) (Algorithm); the lecture does not say that this makes play \
                stronger, which is our measure of it";
    let part = |kept: &Kept| {
        let score = &kept.meeting.score;
        Claim::greater(Statement::new(kept.game, said), measured_score(score), 0.5)
    };
    let parts: Vec<Claim> = kept.iter().filter(|kept| kept.budget == budget).map(part).collect();
    let what = format!(
        "Keeping the tree makes UCT stronger at equal simulations ({} a move)",
        aji_catalog::thousands(budget)
    );
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    super::with_parts(whole, &parts, "score of keeping in each game", "above 0.5")
}

fn goes_on(capped: &Capped, searches: &[Vec<Grown>]) -> Claim {
    let under_caps = || searches.iter().flat_map(|search| search[..CAPS.len()].iter().zip(CAPS));
    let full = under_caps().filter(|(search, _)| search.left_out > 0).count();
    let kept = under_caps()
        .filter(|(search, cap)| search.simulations == capped.budget && search.bytes as u64 <= *cap)
        .count();
    let all = under_caps().count();
    let statement = Statement::new(
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
