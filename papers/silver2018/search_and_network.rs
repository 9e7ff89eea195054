//! Search with the network against the network alone: mistakes on hard positions, by simulations.

use super::GAME;
use crate::shared::{left_out, measured_mean, point, with_parts};
use aji_catalog::{Workbench, thousands};
use aji_lab::mistakes::{Answer, Mistakes, POSITION_SETS, Share, Source, Tally};
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::statistics::paired;
use aji_lab::{Error, Lab};

/// The simulations of the bare network.
const BARE: u64 = 1;

/// The answers to the positions of one list with one number of simulations.
struct Judged {
    list: &'static str,
    simulations: u64,
    answers: Vec<Answer>,
}

impl Judged {
    fn share(&self) -> Share {
        Tally::of(self.answers.iter()).share().expect("positions were judged")
    }

    fn mistakes(&self) -> Vec<f64> {
        self.answers.iter().map(|answer| f64::from(u8::from(answer.is_mistake()))).collect()
    }
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let budgets: &[u64] = lab.scale.pick(&[BARE, 32], &[BARE, 8, 32, 128, 600]);
    let positions = lab.scale.pick(40, 500);
    let mut judged = Vec::new();
    for set in POSITION_SETS.iter().filter(|set| set.game == GAME) {
        for &simulations in budgets {
            let listed = set.positions().into_iter().take(positions).collect();
            let agent = format!("alphazero simulations={simulations}").parse()?;
            let name = format!("silver2018-search_and_network-{}-{simulations}", set.name);
            let (workbench, judge) = (Workbench::new(), "exact".parse()?);
            let mistakes =
                Mistakes::new(&workbench, GAME, Some(agent), judge, Source::Listed(listed))?.named(&name);
            judged.push(Judged { list: set.name, simulations, answers: lab.run(&mistakes)? });
        }
    }
    Ok(Section {
        title: "Search and the bare network".into(),
        prose: vec![format!(
            "PUCT with the network that ships, on two lists of {} hard positions of Connect Four: neither side can win at \
             once, the mover is not lost, and at most three moves keep the outcome. A mistake is a move that turns a win into \
             a draw or a loss, or a draw into a loss, by exact play. With one simulation the network plays its own policy.",
            thousands(positions as u64)
        )],
        tables: vec![table(&judged)],
        figures: vec![figure(&judged)],
        claims: vec![
            fewer(
                &judged,
                (BARE, budgets[budgets.len() - 1]),
                "1. Search improves on the bare network",
                "the search's policy is stronger than the network's own, which is what self-play learns from",
            ),
            fewer(
                &judged,
                (budgets[budgets.len() - 2], budgets[budgets.len() - 1]),
                "2. More simulations make fewer mistakes",
                "playing strength grows with thinking time",
            ),
        ],
        left_out: left_out(
            lab,
            "40 positions of each list instead of 500, and 32 simulations instead of up to 600.",
        ),
        ..Section::default()
    })
}

fn table(judged: &[Judged]) -> Table {
    let columns = ["positions", "simulations", "mistakes", "share", "95% interval"];
    let mut table =
        Table::new("Mistakes by simulations", &columns).with_note("Wilson's intervals over the positions.");
    for row in judged {
        let share = row.share();
        let mistakes = row.answers.iter().filter(|answer| answer.is_mistake()).count() as u64;
        let cells: Vec<Cell> = vec![
            row.list.into(),
            thousands(row.simulations).into(),
            mistakes.into(),
            Cell::number(share.share, 3),
            format!("{}", share.interval).into(),
        ];
        table.push(cells);
    }
    table
}

fn figure(judged: &[Judged]) -> Figure {
    let line = |list: &'static str| {
        let rows = judged.iter().filter(|row| row.list == list);
        let points = rows.map(|row| {
            let (share, simulations) = (row.share(), row.simulations as f64);
            point(simulations, share.share, share.interval)
        });
        Series::line(list, points.collect())
    };
    let lists = POSITION_SETS.iter().filter(|set| set.game == GAME).map(|set| set.name);
    Figure {
        name: "silver2018-mistakes".into(),
        title: "Mistakes of the network by simulations".into(),
        caption: "Share of hard positions of Connect Four in which the move makes the outcome worse, with 95% intervals.".into(),
        x: Axis::log("simulations a move"),
        y: Axis::linear("share of mistakes"),
        series: lists.map(line).collect(),
    }
}

/// The claim that the second number of simulations makes fewer mistakes than the first, by differences in each position.
fn fewer(judged: &[Judged], (few, many): (u64, u64), what: &str, said: &str) -> Claim {
    let of = |list: &str, simulations: u64| {
        let found = judged.iter().find(|row| row.list == list && row.simulations == simulations);
        found.map(Judged::mistakes).unwrap_or_default()
    };
    let lists = POSITION_SETS.iter().filter(|set| set.game == GAME).map(|set| set.name);
    let part = |list: &'static str| {
        let compared = paired(&of(list, many), &of(list, few)).expect("two positions or more");
        Claim::less(Statement::new(list, said), measured_mean(&compared.difference), 0.0)
    };
    let parts: Vec<Claim> = lists.map(part).collect();
    let what = format!("{what} ({} simulations against {})", thousands(many), thousands(few));
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    with_parts(whole, &parts, "difference of the shares of mistakes, position by position", "below 0")
}
