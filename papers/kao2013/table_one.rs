//! Table I: the match rate under the MAXI default policy, by size of the game and simulations.

use super::match_rates::{Learned, Size, distinct, figure_of_sizes, measure, settings, tables};
use super::{MAXI, measured, part_at};
use crate::shared::{left_out, with_parts};
use aji_catalog::thousands;
use aji_lab::report::{Claim, Section, Statement};
use aji_lab::statistics::{Estimate, estimate};
use aji_lab::{Error, Lab};

/// The sizes of the full run; the quick run has the first two and the last.
const SIZES: [Size; 5] =
    [Size::new(3, 3), Size::new(5, 5), Size::new(7, 7), Size::new(9, 9), Size::new(10, 10)];

/// Our reading of the paper's "very small number of simulations".
const FEW: u64 = 1000;

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let sizes = lab.scale.pick(vec![SIZES[0], SIZES[1], SIZES[4]], SIZES.to_vec());
    let budgets: &[u64] = lab.scale.pick(&[100, 1000, 10_000], &[100, 1000, 10_000, 100_000, 1_000_000]);
    let games = lab.scale.pick(30, 100);
    let of_size = |&size: &Size| settings(size, &[("MAXI", MAXI)], budgets);
    let learned = measure(lab, "table-one", &sizes.iter().flat_map(of_size).collect::<Vec<_>>(), games)?;
    Ok(Section {
        title: "Table I: what is learned, by size and simulations".into(),
        prose: vec![
            format!(
                "In {games} random games of each size (m heaps of n counters, weights 1 to 10, colours by \
                 a coin) UCT with the MAXI default policy learns the order of all actions: `{MAXI}`. A \
                 pair of actions in different heaps matches when the hotter one stands first; temperatures \
                 are exact, by thermographs."
            ),
            "The paper reports rates over all pairs as one sample (its \"25,000 samples\"). Pairs of one \
             game are not independent, so errors here are over games. The paper does not say how it counts \
             ties, about one pair in twenty. We show both counts, and claims use the one without ties."
                .into(),
        ],
        tables: tables("Table I", &learned),
        figures: vec![figure_of_sizes("table-one", "Match rate under MAXI, by size", &learned)],
        claims: vec![quickly(&learned), nearly(&learned), small(&learned), falls(&learned)],
        left_out: left_out(
            lab,
            "three sizes instead of five, 30 games instead of 100, 10,000 simulations at most instead of \
             1,000,000.",
        ),
        ..Section::default()
    })
}

/// The results with this many simulations, by size.
fn at(learned: &[Learned], simulations: u64) -> Vec<&Learned> {
    learned.iter().filter(|learned| learned.setting.simulations == simulations).collect()
}

fn most(learned: &[Learned]) -> u64 {
    learned.iter().map(|learned| learned.setting.simulations).max().unwrap_or(0)
}

/// The claim that the rate of every size lies above a threshold.
fn above(learned: &[&Learned], threshold: f64, what: &str, said: &str) -> Claim {
    let part = |learned: &&Learned| {
        Claim::greater(
            Statement::new(learned.setting.size.to_string(), said),
            measured(&learned.rate()),
            threshold,
        )
    };
    let parts: Vec<Claim> = learned.iter().map(part).collect();
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    with_parts(whole, &parts, "match rate of each size, in percent", &format!("above {threshold}"))
}

fn quickly(learned: &[Learned]) -> Claim {
    let what = format!("1a. The match rate is above 60% after few simulations ({})", thousands(FEW));
    let said =
        "Even with a very small number of simulations, the average match rate quickly runs above 60% (V)";
    above(&at(learned, FEW), 60.0, &what, said)
}

fn nearly(learned: &[Learned]) -> Claim {
    let most = most(learned);
    let what =
        format!("1b. It almost reaches 90% (we ask for more than 85%) at {} simulations", thousands(most));
    let said = "increases as the number of simulations increases and almost reaches 90% (V)";
    above(&at(learned, most), 85.0, &what, said)
}

fn small(learned: &[Learned]) -> Claim {
    let most = most(learned);
    let said = "never reaches 100%, even if a game tree is completely explored (3x3), [but is] above 89% (V)";
    let smallest = at(learned, most)[0];
    let rate = measured(&smallest.rate());
    let size = smallest.setting.size;
    let parts = [
        Claim::greater(Statement::new("above 89", said), rate, 89.0),
        Claim::less(Statement::new("below 100", said), rate, 100.0),
    ];
    let what = format!("1c. At {size} it is above 89% and below 100%, at {} simulations", thousands(most));
    let whole = Claim::all_of(Statement::new(&what, said), &parts);
    let strict = smallest.mean(|rates| rates.strict).value;
    let shown = format!("{}; strict {strict:.1}", parts[0].shown());
    Claim { measured: shown.into(), ..whole }
}

fn falls(learned: &[Learned]) -> Claim {
    let said = "decreases as the action space size increases, under a fixed number of simulations (V)";
    let part = |&budget: &u64| {
        let slope = slope_by_size(&at(learned, budget));
        Claim::less(part_at(budget, said), measured(&slope), 0.0)
    };
    let parts: Vec<Claim> =
        distinct(learned.iter().map(|learned| learned.setting.simulations)).iter().map(part).collect();
    let whole = Claim::all_of(
        Statement::new("1d. It falls with the size of the game, at every number of simulations", said),
        &parts,
    );
    let measure = "percent by which the match rate changes with each doubling of the actions, by the line \
                   of least squares, for each number of simulations";
    with_parts(whole, &parts, measure, "below 0")
}

/// How the rate changes with log2 of the number of actions. Each game number has its own slope over the sizes, and
/// the error is over these.
fn slope_by_size(learned: &[&Learned]) -> Estimate {
    let logs: Vec<f64> =
        learned.iter().map(|learned| (learned.setting.size.actions() as f64).log2()).collect();
    let centre = logs.iter().sum::<f64>() / logs.len() as f64;
    let squares: f64 = logs.iter().map(|log| (log - centre).powi(2)).sum();
    let rates: Vec<Vec<f64>> = learned.iter().map(|learned| learned.by_game()).collect();
    let slope = |game: usize| {
        logs.iter().zip(&rates).map(|(log, rates)| (log - centre) * rates[game]).sum::<f64>() / squares
    };
    estimate(&(0..rates[0].len()).map(slope).collect::<Vec<f64>>()).expect("two games or more")
}
