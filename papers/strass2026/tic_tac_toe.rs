//! The lecture's task ("Action Points"): a program that plays Tic-Tac-Toe by Monte Carlo tree search.
//!
//! There are two experiments. In games, UCT meets random play and perfect play, which picks randomly among its best
//! moves. It plays from the start, on both sides, and keeps its tree. In positions, it chooses once, without a kept
//! tree, in every reachable position that is not lost already. A choice that loses the position is a losing move. A
//! program without losing moves cannot lose from any of these positions, whoever plays against it.

use super::{C, LEVEL, ROOMY, counted, left_out, measured, point};
use aji_games::TicTacToe;
use aji_lab::report::{Axis, Cell, Claim, Figure, Point, Section, Series, Statement, Table, Verdict};
use aji_lab::statistics::{GameCounts, clopper_pearson, wilson};
use aji_lab::{Error, Experiment, Lab, Trial};
use aji_search::bandit::Ucb1;
use aji_search::{Budget, Game, Hashed, Player, Rng, Search, Turn};
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// Simulations per move.
const BUDGETS: [u64; 7] = [10, 30, 100, 300, 1000, 3000, 10_000];

/// The budget that counts as modest: milliseconds per move.
const MODEST: u64 = 10_000;

/// Games per trial and side.
const GAMES_A_SIDE: u64 = 10;

type Action = <TicTacToe as Game>::Action;

/// The value of every reachable position to the player who moves: -1, 0 or 1.
struct Solution {
    values: HashMap<u64, i8>,
    /// All reachable positions with a player to move, in the order of a walk.
    live: Vec<TicTacToe>,
}

impl Solution {
    fn new() -> Solution {
        let mut solution = Solution { values: HashMap::new(), live: Vec::new() };
        solution.solve(&TicTacToe::new());
        solution
    }

    /// The value to the player who moves; for a finished game, to the player who would move.
    fn solve(&mut self, position: &TicTacToe) -> i8 {
        if let Some(&value) = self.values.get(&position.hash()) {
            return value;
        }
        let value = match position.turn() {
            Turn::Over => -loser_value(position),
            _ => {
                self.live.push(*position);
                let values =
                    actions(position).into_iter().map(|action| -self.solve(&after(position, action)));
                values.max().expect("a live position has actions")
            }
        };
        self.values.insert(position.hash(), value);
        value
    }

    fn value(&self, position: &TicTacToe) -> i8 {
        self.values[&position.hash()]
    }

    /// The value of an action to the player who takes it.
    fn value_after(&self, position: &TicTacToe, action: Action) -> i8 {
        -self.value(&after(position, action))
    }

    /// One of the best actions, with equal probability.
    fn best(&self, position: &TicTacToe, rng: &mut Rng) -> Action {
        let value = self.value(position);
        let mut best = actions(position);
        best.retain(|&action| self.value_after(position, action) == value);
        best[rng.below(best.len())]
    }
}

/// 1 if the last move has won, 0 for a draw.
fn loser_value(finished: &TicTacToe) -> i8 {
    finished.payoff().of(0).abs() as i8
}

fn actions(position: &TicTacToe) -> Vec<Action> {
    let mut actions = Vec::new();
    position.actions(&mut actions);
    actions
}

fn after(position: &TicTacToe, action: Action) -> TicTacToe {
    let mut after = *position;
    after.play(action);
    after
}

fn uct(position: TicTacToe, seed: u64) -> Search<TicTacToe> {
    Search::new(position).select(Ucb1 { c: C }).memory(ROOMY as usize).seed(seed)
}

/// UCT's opponents.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
enum Opponent {
    Perfect,
    Random,
}

const OPPONENTS: [Opponent; 2] = [Opponent::Perfect, Opponent::Random];

struct Games<'a> {
    solution: &'a Solution,
    batches: u64,
}

impl Games<'_> {
    /// The opponent and the budget of a trial.
    fn setting(&self, id: u64) -> (Opponent, u64) {
        let setting = (id / self.batches) as usize;
        (OPPONENTS[setting / BUDGETS.len()], BUDGETS[setting % BUDGETS.len()])
    }

    /// UCT's result in a game on this side: -1, 0 or 1.
    fn game(&self, opponent: Opponent, budget: u64, side: Player, rng: &mut Rng) -> i8 {
        let mut search = uct(TicTacToe::new(), rng.bits());
        loop {
            let position = *search.root();
            let action = match position.turn() {
                Turn::Over => return position.payoff().of(side) as i8,
                Turn::Player(player) if player == side => {
                    search.run(Budget::simulations(budget)).best.expect("a live position has a best action")
                }
                _ if opponent == Opponent::Perfect => self.solution.best(&position, rng),
                _ => position.random_action(rng, &mut Vec::new()),
            };
            search.advance(action);
        }
    }
}

impl Experiment for Games<'_> {
    /// UCT's results, as the first player and as the second.
    type Record = [GameCounts; 2];

    fn name(&self) -> String {
        "strass2026-tic-tac-toe-games".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({
            "opponents": OPPONENTS, "budgets": BUDGETS, "batches": self.batches, "games": GAMES_A_SIDE, "c": C
        })
    }

    fn trials(&self) -> u64 {
        self.batches * (OPPONENTS.len() * BUDGETS.len()) as u64
    }

    fn run(&self, trial: Trial) -> Result<[GameCounts; 2], Error> {
        let ((opponent, budget), mut rng) = (self.setting(trial.id), trial.rng());
        let mut counts = [GameCounts::default(); 2];
        for side in 0..2u8 {
            for _ in 0..GAMES_A_SIDE {
                let count = &mut counts[side as usize];
                match self.game(opponent, budget, side as Player, &mut rng) {
                    1 => count.wins += 1,
                    0 => count.draws += 1,
                    _ => count.losses += 1,
                }
            }
        }
        Ok(counts)
    }
}

/// Choices in every reachable position that is not lost.
#[derive(Clone, Copy, Default, Serialize, Deserialize)]
struct Choices {
    positions: u64,
    /// Choices that lose the position.
    losing: u64,
    /// Choices that turn a won position into a draw.
    drawing: u64,
}

struct Positions<'a> {
    solution: &'a Solution,
    repeats: u64,
}

impl Experiment for Positions<'_> {
    type Record = Choices;

    fn name(&self) -> String {
        "strass2026-tic-tac-toe-positions".into()
    }

    fn parameters(&self) -> serde_json::Value {
        serde_json::json!({ "budgets": BUDGETS, "repeats": self.repeats, "c": C })
    }

    fn trials(&self) -> u64 {
        self.repeats * BUDGETS.len() as u64
    }

    fn run(&self, trial: Trial) -> Result<Choices, Error> {
        // The longest trials come first, so that no thread is left with one at the end.
        let budget = BUDGETS[BUDGETS.len() - 1 - (trial.id / self.repeats) as usize];
        let (mut rng, mut choices) = (trial.rng(), Choices::default());
        let mut search = uct(TicTacToe::new(), rng.bits());
        for &position in self.solution.live.iter().filter(|position| self.solution.value(position) >= 0) {
            search.reset(position);
            let chosen =
                search.run(Budget::simulations(budget)).best.expect("a live position has a best action");
            let (before, after) =
                (self.solution.value(&position), self.solution.value_after(&position, chosen));
            choices.positions += 1;
            choices.losing += u64::from(after < 0);
            choices.drawing += u64::from(before > 0 && after == 0);
        }
        Ok(choices)
    }
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let solution = Solution::new();
    let games = Games { solution: &solution, batches: lab.scale.pick(10, 100) };
    let positions = Positions { solution: &solution, repeats: lab.scale.pick(2, 40) };
    let met = summed_games(&games, &lab.run(&games)?);
    let chosen = summed_choices(&positions, &lab.run(&positions)?);
    let open = solution.live.iter().filter(|position| solution.value(position) >= 0).count();
    Ok(Section {
        title: "Tic-Tac-Toe by Monte Carlo tree search".into(),
        prose: vec![
            format!(
                "UCT with c = √2 and uniform playouts. In games it keeps its tree from move to move and \
                 plays both sides. Perfect play chooses at random among equally good moves, because a fixed \
                 choice would repeat one game. Each row has {} games.",
                aji_catalog::thousands(games.batches * GAMES_A_SIDE)
            ),
            format!(
                "Then it chooses a move in each of the {open} reachable positions that are not lost \
                 already, of {} that are not over, {} times with different seeds. Intervals are those of \
                 Clopper and Pearson. The choices are independent but not equally hard; where none of n \
                 loses, the interval is a safe bound on the average chance.",
                solution.live.len(),
                positions.repeats
            ),
        ],
        tables: vec![games_table(&met), positions_table(&chosen)],
        figures: vec![games_figure(&met), positions_figure(&chosen)],
        claims: vec![claim_of_games(&met), claim_of_positions(&chosen)],
        left_out: left_out(
            lab,
            "100 games a row instead of 1,000, and each position twice instead of 40 times.",
        ),
        ..Section::default()
    })
}

/// The games against one opponent, with one budget and side.
struct Met {
    opponent: Opponent,
    budget: u64,
    side: usize,
    counts: GameCounts,
}

fn summed_games(games: &Games, records: &[[GameCounts; 2]]) -> Vec<Met> {
    let mut met: Vec<Met> = Vec::new();
    for opponent in OPPONENTS {
        for side in 0..2 {
            met.extend(BUDGETS.map(|budget| Met { opponent, budget, side, counts: GameCounts::default() }));
        }
    }
    for (id, record) in records.iter().enumerate() {
        let (opponent, budget) = games.setting(id as u64);
        for row in met.iter_mut().filter(|row| row.opponent == opponent && row.budget == budget) {
            row.counts.wins += record[row.side].wins;
            row.counts.draws += record[row.side].draws;
            row.counts.losses += record[row.side].losses;
        }
    }
    met
}

fn summed_choices(positions: &Positions, records: &[Choices]) -> Vec<(u64, Choices)> {
    let sum = |choices: &[Choices]| Choices {
        positions: choices.iter().map(|choices| choices.positions).sum(),
        losing: choices.iter().map(|choices| choices.losing).sum(),
        drawing: choices.iter().map(|choices| choices.drawing).sum(),
    };
    let sums = records.chunks(positions.repeats as usize).map(sum);
    let mut chosen: Vec<_> = BUDGETS.into_iter().rev().zip(sums).collect();
    chosen.reverse();
    chosen
}

fn side_name(side: usize) -> &'static str {
    ["first", "second"][side]
}

fn games_table(met: &[Met]) -> Table {
    let columns =
        ["opponent", "UCT plays", "simulations", "won", "drawn", "lost", "loss rate", "95% interval"];
    let mut table = Table::new("Tic-Tac-Toe from the start", &columns).with_note("Wilson intervals.");
    for row in met {
        let (counts, games) = (row.counts, row.counts.games());
        let interval = wilson(counts.losses, games, LEVEL).expect("counts");
        table.push(vec![
            format!("{:?}", row.opponent).to_lowercase().into(),
            side_name(row.side).into(),
            row.budget.into(),
            counts.wins.into(),
            counts.draws.into(),
            counts.losses.into(),
            Cell::number(counts.losses as f64 / games as f64, 4),
            format!("{interval:.4}").into(),
        ]);
    }
    table
}

fn positions_table(chosen: &[(u64, Choices)]) -> Table {
    let columns = ["simulations", "choices", "losing", "win to draw", "losing rate", "95% interval"];
    let mut table = Table::new("Tic-Tac-Toe from every reachable position", &columns)
        .with_note("Losing: the position was not lost, and is after the choice. Clopper-Pearson intervals.");
    for (budget, choices) in chosen {
        let interval = clopper_pearson(choices.losing, choices.positions, LEVEL).expect("counts");
        table.push(vec![
            (*budget).into(),
            choices.positions.into(),
            choices.losing.into(),
            choices.drawing.into(),
            Cell::number(choices.losing as f64 / choices.positions as f64, 6),
            format!("{interval:.6}").into(),
        ]);
    }
    table
}

fn games_figure(met: &[Met]) -> Figure {
    let series = |opponent: Opponent, side: usize| {
        let rows = met.iter().filter(|row| row.opponent == opponent && row.side == side);
        let points = rows.map(|row| {
            let (losses, games) = (row.counts.losses, row.counts.games());
            point(
                row.budget as f64,
                losses as f64 / games as f64,
                wilson(losses, games, LEVEL).expect("counts"),
            )
        });
        let name =
            format!("{:?} opponent, UCT {}", opponent, side_name(side)).to_lowercase().replace("uct", "UCT");
        Series::line(name, points.collect())
    };
    Figure {
        name: "strass2026-tic-tac-toe-games".into(),
        title: "Tic-Tac-Toe: games lost by UCT".into(),
        caption: "Loss rate from the start, by simulations a move, with Wilson intervals of 95%.".into(),
        x: Axis::log("simulations a move"),
        y: Axis::linear("loss rate"),
        series: OPPONENTS
            .into_iter()
            .flat_map(|opponent| [series(opponent, 0), series(opponent, 1)])
            .collect(),
    }
}

fn positions_figure(chosen: &[(u64, Choices)]) -> Figure {
    let interval =
        |choices: &Choices| clopper_pearson(choices.losing, choices.positions, LEVEL).expect("counts");
    let rate = |(budget, choices): &(u64, Choices)| {
        point(*budget as f64, choices.losing as f64 / choices.positions as f64, interval(choices))
    };
    let upper = |(budget, choices): &(u64, Choices)| Point::new(*budget as f64, interval(choices).high);
    Figure {
        name: "strass2026-tic-tac-toe-positions".into(),
        title: "Tic-Tac-Toe: losing moves of UCT".into(),
        caption:
            "Share of losing moves over all reachable positions that are not lost, with Clopper-Pearson \
             intervals of 95%. Where there was none, only the upper end of the interval has a place on the \
             axis."
                .into(),
        x: Axis::log("simulations a move"),
        y: Axis::log("share of losing moves"),
        series: vec![
            Series::line("all reachable positions", chosen.iter().map(rate).collect()),
            Series::dashed("upper end of the interval", chosen.iter().map(upper).collect()),
        ],
    }
}

fn claim_of_games(met: &[Met]) -> Claim {
    let modest = || met.iter().filter(|row| row.budget == MODEST);
    let losses = modest().map(|row| row.counts.losses).sum();
    let games = modest().map(|row| row.counts.games()).sum();
    never("Tic-Tac-Toe from the start: games lost", losses, games)
}

fn claim_of_positions(chosen: &[(u64, Choices)]) -> Claim {
    let (_, choices) = chosen.iter().find(|(budget, _)| *budget == MODEST).expect("a budget of the list");
    never("Tic-Tac-Toe from any reachable position: losing moves", choices.losing, choices.positions)
}

/// A claim that something never happens at the modest budget.
fn never(what: &str, count: u64, of: u64) -> Claim {
    let interval = clopper_pearson(count, of, LEVEL).expect("counts");
    let budget = aji_catalog::thousands(MODEST);
    let measured = measured(count as f64 / of as f64, interval, of);
    let statement = Statement::new(
        format!("{what} at {budget} simulations a move: {}", counted(count, of)),
        "Implement a MCTS-based program for playing Tic-Tac-Toe (Action Points); that it never loses is our \
         measure of it",
    );
    let verdict = if count == 0 { Verdict::Holds } else { Verdict::Fails };
    let rule = "holds when there is none, fails otherwise; the error is the upper end of the 95% interval of \
                Clopper and Pearson";
    Claim::decided(statement, measured.value.into(), verdict, rule).with_error(measured.high - measured.value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solution_of_the_whole_game() {
        let solution = Solution::new();
        assert_eq!(solution.value(&TicTacToe::new()), 0);
        // 5478 reachable positions, 958 of them finished: known counts of the game.
        assert_eq!((solution.values.len(), solution.live.len()), (5478, 4520));
    }
}
