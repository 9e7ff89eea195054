//! Early stopping, and samples carried over to later moves. In the authors' longer draft, most of the gain in Go
//! comes from them. This measures what each adds, against UCT at equal samples on average.

use super::boards::{BOARDS, Board, MEETING_COLUMNS, OPENING_PLIES, Pairing, meet, push};
use crate::shared::{left_out, measured_score, with_parts};
use aji_catalog::thousands;
use aji_lab::contest::Meeting;
use aji_lab::report::{Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

/// A search stops below this value of information, as in the draft.
const STOP: &str = "1e-6";

/// The variants: a label, the rule at the root, and whether saved samples carry over.
const WAYS: [(&str, &str, &str); 3] = [
    ("VOI", "root=voi", ""),
    ("stops early", "root=voi(stop=1e-6)", ""),
    ("stops early, carries over", "root=voi(stop=1e-6)", " carry=on"),
];
const CARRIES: usize = 2;

struct Met {
    board: &'static Board,
    way: usize,
    meeting: Meeting,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let samples = lab.scale.pick(300, 1000);
    let pairs = lab.scale.pick(8, 200);
    let mut met = Vec::new();
    for board in BOARDS {
        let c = board.tuned;
        let pairing = |(_, root, carry): &(&str, &str, &str)| Pairing {
            board,
            a: format!("uct c={c} {root}{carry} simulations={samples}"),
            b: format!("uct c={c} simulations={samples}"),
            equal_samples: true,
            first_pair: 0,
        };
        let name = format!("stopping-{}", board.game.replace([' ', '='], "-"));
        let meetings = meet(lab, &name, &WAYS.iter().map(pairing).collect::<Vec<_>>(), pairs)?;
        met.extend(meetings.into_iter().enumerate().map(|(way, meeting)| Met { board, way, meeting }));
    }
    Ok(Section {
        title: "Early stopping and samples carried over".into(),
        prose: vec![format!(
            "VOI at the root and UCB1 with the tuned constant below. A search stops once no arm's bound is above \
             {STOP}; with `carry=on` later moves get the samples that were saved. The opponent is UCT with the same constant. It gets the samples that VOI has spent so far in the game, so both spend the same on average: without carrying at most {} a move. {} pairs of games from balanced openings of \
             {OPENING_PLIES} random plies.",
            thousands(samples),
            thousands(pairs)
        )],
        tables: vec![table(&met)],
        claims: vec![carrying_wins(&met)],
        left_out: left_out(lab, "300 samples a move instead of 1,000, 8 pairs of games instead of 200."),
        ..Section::default()
    })
}

fn table(met: &[Met]) -> Table {
    let columns = [&["game", "VOI", "samples a move"][..], &MEETING_COLUMNS[..]].concat();
    let mut table = Table::new("What stopping and carrying add, against UCT", &columns).with_note(
        "Samples are those of VOI, on average; scores are those of VOI; intervals by pairs of games.",
    );
    for Met { board, way, meeting } in met {
        let samples = thousands(meeting.simulations[0].round() as u64);
        push(&mut table, vec![board.label.into(), WAYS[*way].0.into(), samples.into()], meeting);
    }
    table
}

fn carrying_wins(met: &[Met]) -> Claim {
    let said =
        "a time allocation mode ensuring that both policies use the same average number of samples (5.2)";
    let part = |row: &Met| {
        let score = measured_score(&row.meeting.score);
        Claim::greater(Statement::new(row.board.label, said), score, 0.5)
    };
    let parts: Vec<Claim> = met.iter().filter(|row| row.way == CARRIES).map(part).collect();
    let what =
        "3c. VOI that stops early and carries samples over beats UCT at equal samples, both with c tuned";
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    with_parts(whole, &parts, "score of VOI", "above 0.5")
}
