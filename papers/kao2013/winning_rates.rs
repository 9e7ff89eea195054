//! Fig. 6: players with the MAXI and with the RAND default policy against each other, at 5x5.

use super::heap_games::{Met, Pairing, play};
use super::match_rates::cell;
use super::{FIVE, MAXI, measured, part_at};
use crate::shared::{LEVEL, left_out, point, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Axis, Cell, Claim, Figure, Section, Series, Statement, Table};
use aji_lab::statistics::{paired, wilson};
use aji_lab::{Error, Lab};

/// The RAND default policy without learning, since a player would not follow the learned order.
const PLAIN: &str = "uct c=15 unit=points";

/// MAXI should win above this number of simulations per move.
const FEW: u64 = 100;

/// The players' result with one number of simulations per move.
struct Round {
    simulations: u64,
    met: Met,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    // The paper plays 1,000 positions at every budget; the largest plays fewer.
    let budgets: &[(u64, u64)] = lab
        .scale
        .pick(&[(100, 200), (1000, 100)], &[(100, 1000), (1000, 1000), (10_000, 1000), (100_000, 200)]);
    let agent = |words: &str, simulations: u64| format!("{words} simulations={simulations}");
    let pairing = |&(simulations, positions): &(u64, u64)| Pairing {
        a: agent(MAXI, simulations),
        b: agent(PLAIN, simulations),
        positions,
    };
    let met = play(lab, "winning-rates", FIVE, &budgets.iter().map(pairing).collect::<Vec<_>>())?;
    let rounds: Vec<Round> =
        budgets.iter().zip(met).map(|(&(simulations, _), met)| Round { simulations, met }).collect();
    Ok(Section {
        title: "Fig. 6: MAXI and RAND as players".into(),
        prose: vec![format!(
            "Players with the two default policies, `{MAXI}` and `{PLAIN}`, play random positions of \
             {FIVE} against each other: two games a position with the sides swapped, and the sum of the \
             scores decides. Both keep their trees from move to move. Best play of both sides would tie \
             every position."
        )],
        tables: vec![table(&rounds)],
        figures: vec![figure(&rounds)],
        claims: vec![wins_more(&rounds), ties_rise(&rounds)],
        left_out: left_out(
            lab,
            "100 and 1,000 simulations a move instead of up to 100,000; 200 and 100 positions instead of \
             1,000.",
        ),
        ..Section::default()
    })
}

fn table(rounds: &[Round]) -> Table {
    let columns = [
        "simulations a move",
        "positions",
        "MAXI wins",
        "ties",
        "RAND wins",
        "MAXI wins (%)",
        "ties (%)",
        "RAND wins (%)",
        "MAXI ahead by (points)",
    ];
    let mut table = Table::new("MAXI against RAND as players", &columns)
        .with_note("Ahead: the mean sum of both games' scores, with half its 95% interval.");
    for Round { simulations, met } in rounds {
        let (counts, positions) = (met.counts(), met.sums.len());
        let mut row: Vec<Cell> = vec![thousands(*simulations).into(), positions.into()];
        row.extend(counts.map(Cell::from));
        row.extend(counts.map(|count| Cell::number(100.0 * count as f64 / positions as f64, 1)));
        row.push(cell(&met.mean(|sum| sum), 2));
        table.push(row);
    }
    table
}

fn figure(rounds: &[Round]) -> Figure {
    let series = |(place, name): (usize, &str)| {
        let points = rounds.iter().map(|round| {
            let (count, positions) = (round.met.counts()[place] as u64, round.met.sums.len() as u64);
            let share = wilson(count, positions, LEVEL).expect("counts").map(|rate| 100.0 * rate);
            point(round.simulations as f64, 100.0 * count as f64 / positions as f64, share)
        });
        Series::line(name, points.collect())
    };
    Figure {
        name: "kao2013-winning-rates".into(),
        title: "MAXI against RAND as players at 5x5".into(),
        caption: "Percent of positions, each of them two games with the sides swapped, with Wilson \
                  intervals of 95%."
            .into(),
        x: Axis::log("simulations a move"),
        y: Axis::linear("positions (%)"),
        series: ["MAXI wins", "ties", "RAND wins"].into_iter().enumerate().map(series).collect(),
    }
}

fn wins_more(rounds: &[Round]) -> Claim {
    let said = "MAXI has a higher winning rate than RAND when the number of simulations is more than 100 \
                (V, Fig. 6)";
    let part =
        |round: &Round| Claim::greater(part_at(round.simulations, said), measured(&round.met.lead()), 0.0);
    let parts: Vec<Claim> = rounds.iter().filter(|round| round.simulations > FEW).map(part).collect();
    let what = "4a. MAXI wins more than RAND above 100 simulations a move";
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    let measure =
        "share of positions that MAXI wins less the share that it loses, for each number of simulations";
    with_parts(whole, &parts, measure, "above 0")
}

fn ties_rise(rounds: &[Round]) -> Claim {
    let said = "the percentage of ties also increases as the number of simulations increases (V, Fig. 6)";
    let part = |pair: &[Round]| {
        let [fewer, more] = pair else { unreachable!("windows of two") };
        let positions = fewer.met.sums.len().min(more.met.sums.len());
        let ties = |round: &Round| -> Vec<f64> {
            round.met.sums[..positions].iter().map(|&sum| if sum == 0.0 { 1.0 } else { 0.0 }).collect()
        };
        let rise = paired(&ties(more), &ties(fewer)).expect("two positions or more").difference;
        let step = format!("{} to {}:", thousands(fewer.simulations), thousands(more.simulations));
        Claim::greater(Statement::new(&step, said), measured(&rise), 0.0)
    };
    let parts: Vec<Claim> = rounds.windows(2).map(part).collect();
    let whole =
        Claim::all_of(Statement::new("4b. Ties become more frequent with more simulations", said), &parts);
    let measure = "change of the share of tied positions from one number of simulations to the next, \
                   position by position";
    with_parts(whole, &parts, measure, "above 0")
}
