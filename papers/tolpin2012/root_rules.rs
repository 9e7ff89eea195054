//! Beyond the paper: every rule at the root, and some further down or everywhere, against UCT with a tuned constant,
//! at equal samples.
//!
//! The best of many rules looks better than it is. So all rules are tried first, and the best one in each game plays
//! again, with other openings and other seeds. Only that second match is judged.

use super::boards::{BOARDS, Board, MEETING_COLUMNS, OPENING_PLIES, Pairing, meet, push};
use crate::shared::{left_out, measured_score, with_parts};
use aji_catalog::thousands;
use aji_lab::contest::Meeting;
use aji_lab::report::{Claim, Section, Statement, Table};
use aji_lab::{Error, Lab};

/// The rules tried: a label, and the part of the agent's name beside `c=`. Each line adds a rule.
const RULES: &[(&str, &str)] = &[
    ("VOI", "root=voi"),
    ("VOI by phi", "root=voi(bound=phi)"),
    ("sequential halving", "root=halving"),
    ("sequential halving, 3 levels", "root=halving near=3"),
    ("successive rejects", "root=rejects"),
    ("Thompson", "root=thompson"),
    ("top-two Thompson", "root=toptwo"),
    ("OCBA", "root=ocba"),
    ("knowledge gradient", "root=kg"),
    ("blinkered", "root=blinkered"),
    ("square-root UCB", "root=ucb_sqrt"),
    ("epsilon-greedy", "root=epsilon"),
    ("UCB1-Tuned", "root=ucb_tuned"),
    ("KL-UCB", "root=kl_ucb"),
    ("Gumbel", "root=gumbel"),
];

/// The same rule in the whole tree. These have no constant to tune.
const EVERYWHERE: &[(&str, &str)] = &[
    ("VOI everywhere", "below=voi"),
    ("Thompson everywhere", "below=thompson(sample=normal)"),
    ("UCB1-Tuned everywhere", "below=ucb_tuned"),
    ("KL-UCB everywhere", "below=kl_ucb"),
];

struct Met {
    board: &'static Board,
    label: &'static str,
    meeting: Meeting,
}

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let samples = lab.scale.pick(100, 1000);
    let (pairs, again) = lab.scale.pick((3, 6), (60, 300));
    let mut met = Vec::new();
    let mut confirmed = Vec::new();
    for board in BOARDS {
        let word = board.game.replace([' ', '='], "-");
        let agents: Vec<(&str, String)> = agents(board).collect();
        let pairing = |(_, agent): &(&str, String), first_pair: u64| Pairing {
            board,
            a: format!("{agent} simulations={samples}"),
            b: format!("uct c={} simulations={samples}", board.tuned),
            equal_samples: false,
            first_pair,
        };
        let pairings: Vec<Pairing> = agents.iter().map(|agent| pairing(agent, 0)).collect();
        let tried = meet(lab, &format!("root-{word}"), &pairings, pairs)?;
        let score = |meeting: &Meeting| meeting.score.score;
        let best =
            (0..tried.len()).max_by(|&one, &other| score(&tried[one]).total_cmp(&score(&tried[other])));
        let best = &agents[best.expect("rules")];
        let name = format!("root-{word}-again-{}", file_word(best.0));
        let mut second = meet(lab, &name, &[pairing(best, pairs)], again)?;
        confirmed.push(Met { board, label: best.0, meeting: second.remove(0) });
        met.extend(agents.iter().zip(tried).map(|((label, _), meeting)| Met { board, label, meeting }));
    }
    Ok(Section {
        title: "Beyond the paper: other rules at the root".into(),
        prose: vec![format!(
            "Each rule decides at the root, with UCB1 and the tuned constant below it, or it decides \
             everywhere. The opponent is UCT with the tuned constant. {} samples a move, {} pairs of games from \
             balanced openings of {OPENING_PLIES} random plies. The rule with the highest score in a game \
             then played {} new pairs. Only these are judged, because the best of {} rules looks better than it is.",
            thousands(samples),
            thousands(pairs),
            thousands(again),
            RULES.len() + EVERYWHERE.len()
        )],
        tables: vec![
            table("Rules against UCT with its constant tuned", &met),
            table("The best of each game, again", &confirmed),
        ],
        claims: vec![beats_tuned(&confirmed)],
        left_out: left_out(
            lab,
            "100 samples a move instead of 1,000, 3 and 6 pairs of games instead of 60 and 300.",
        ),
        ..Section::default()
    })
}

fn agents(board: &Board) -> impl Iterator<Item = (&'static str, String)> {
    let tuned = board.tuned;
    let at_the_root = RULES.iter().map(move |(label, words)| (*label, format!("uct c={tuned} {words}")));
    at_the_root.chain(EVERYWHERE.iter().map(|(label, words)| (*label, format!("uct {words}"))))
}

fn file_word(label: &str) -> String {
    label.to_lowercase().replace([' ', ','], "-")
}

fn table(title: &str, met: &[Met]) -> Table {
    let columns = [&["game", "rule"][..], &MEETING_COLUMNS[..]].concat();
    let mut table =
        Table::new(title, &columns).with_note("Scores are those of the rule; intervals by pairs of games.");
    for Met { board, label, meeting } in met {
        push(&mut table, vec![board.label.into(), (*label).into()], meeting);
    }
    table
}

/// The claim that some rule beats UCT with a tuned constant in two of the games.
fn beats_tuned(confirmed: &[Met]) -> Claim {
    let said = "the measure is ours; the paper has no tuned constant";
    let part = |row: &Met| {
        let score = measured_score(&row.meeting.score);
        let what = format!("{}, {}:", row.board.label, row.label);
        Claim::greater(Statement::new(&what, said), score, 0.5)
    };
    let parts: Vec<Claim> = confirmed.iter().map(part).collect();
    let what = "4. In each game some rule at the root beats UCT with its constant tuned";
    let whole = Claim::all_of(Statement::new(what, said), &parts);
    with_parts(
        whole,
        &parts,
        "score, in new games, of the rule that did best in the first round",
        "above 0.5",
    )
}
