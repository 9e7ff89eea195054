//! Lines by which a person can beat the victim, the moves by which it loses, and the least changes that set it right.

use super::blunders::{Blunder, Blunders};
use super::played::{Played, middle_positions};
use super::repairs::Repairs;
use super::{GAME, model_r, network};
use crate::shared::{LEVEL, counted, left_out, measured};
use aji_catalog::{AgentName, Workbench, session};
use aji_lab::drawing::lines_svg;
use aji_lab::duel::{Duel, LineTree};
use aji_lab::mistakes::{ChangedCell, Changes};
use aji_lab::report::{Cell, Claim, Picture, Section, Statement, Table};
use aji_lab::statistics::wilson;
use aji_lab::{Error, Lab};

/// How many lines and how many blunders are shown.
const SHOWN: usize = 5;

/// Changes are looked for in positions of this many pieces and more. Each takes the exact values of many positions, which
/// take minutes with fewer pieces.
const CHANGED_FROM: usize = 12;

pub(super) fn run(lab: &Lab) -> Result<Section, Error> {
    let (simulations, searched, few, forced) = lab.scale.pick((1, 40, 10, 1), (16, 400, 20, 2));
    let victim = network(simulations);
    // UCB1 looks at the replies that the network, and so the victim, misjudges.
    let attacker = format!(
        "amcts victim=({victim}) model=r by=alphazero below=ucb1(c=0.3) root=ucb1(c=0.3) simulations={searched}"
    );
    let openings = openings(&victim, forced)?;
    let starts = openings.iter().map(|moves| after(moves)).collect::<Result<Vec<_>, Error>>()?;
    let count = openings.len();
    let played = Played::new(lab, "gleave2023-lines-games", (&attacker, &victim), starts, count as u64)?;
    let whole = |duel: &Duel| Duel {
        start: 0,
        moves: [&openings[duel.start][..], &duel.moves].concat(),
        ..duel.clone()
    };
    let games: Vec<Duel> = played.duels().iter().map(whole).collect();
    let tree = LineTree::of(&Workbench::new(), GAME, &[], &games.iter().collect::<Vec<_>>())?;
    let won: Vec<Duel> = games.into_iter().filter(|game| game.payoff > 0.0).collect();
    let empty = after(&[])?;
    let lines = won.iter().map(|game| (empty.clone(), game.moves.clone())).collect();
    let found = blunders(lab, "gleave2023-lines-blunders", &victim, lines)?;
    let mut lost: Vec<(Duel, Blunder)> =
        won.into_iter().zip(found).filter_map(|(game, found)| Some((game, found?))).collect();
    // A person learns the shortest line first.
    lost.sort_by_key(|(game, _)| game.moves.len());
    let hard = hard_blunders(lab, &victim, &model_r(&victim, few))?;
    let of_lines: Vec<Blunder> = lost.iter().map(|(_, blunder)| blunder.clone()).collect();
    let changed = [
        changed(lab, "gleave2023-lines-changes", &victim, &of_lines)?,
        changed(lab, "gleave2023-lines-hard-changes", &victim, &hard)?,
    ];
    let study = Study { victim, lost, changed };
    Ok(Section {
        title: "How does a person beat it?".into(),
        prose: study.prose(&attacker, (count, forced), played.counts().wins),
        tables: vec![study.lines(), study.changes(), study.sizes()],
        pictures: tree.iter().map(|tree| study.picture(tree)).collect(),
        claims: vec![beaten(&played), study.one_piece()],
        left_out: left_out(
            lab,
            "7 openings instead of 49, 10 hard positions instead of 500, and a victim of one simulation instead of 16.",
        ),
        ..Section::default()
    })
}

/// The position after these moves from the start.
fn after(moves: &[String]) -> Result<String, Error> {
    let mut session = session(GAME)?;
    for action in moves {
        session.play(action)?;
    }
    Ok(session.text())
}

/// The beginnings of games in which the victim moves first and its opponent plays this many moves, one for each choice of
/// theirs. The victim draws no random numbers, so its own moves are known.
fn openings(victim: &str, forced: usize) -> Result<Vec<Vec<String>>, Error> {
    let (mut session, victim): (_, AgentName) = (session(GAME)?, victim.parse()?);
    let mut all = vec![Vec::new()];
    for _ in 0..forced {
        let mut longer = Vec::new();
        for moves in &all {
            session.set_position(&after(moves)?)?;
            let best = session.think(&victim, &mut ())?.best;
            let reply = best.ok_or_else(|| Error::new(format!("{victim} resigned")))?;
            session.play(&reply)?;
            let answers = session.actions();
            longer.extend(answers.into_iter().map(|answer| [&moves[..], &[reply.clone(), answer]].concat()));
        }
        all = longer;
    }
    Ok(all)
}

/// The blunder of each of these lost games, if it has one.
fn blunders(
    lab: &Lab,
    name: &str,
    victim: &str,
    games: Vec<(String, Vec<String>)>,
) -> Result<Vec<Option<Blunder>>, Error> {
    lab.run(&Blunders { name: name.into(), victim: victim.into(), cures: Vec::new(), games })
}

/// The victim's blunders in games from hard positions, as in the study of tricks.
fn hard_blunders(lab: &Lab, victim: &str, attacker: &str) -> Result<Vec<Blunder>, Error> {
    let starts: Vec<String> = middle_positions().into_iter().step_by(lab.scale.pick(50, 1)).collect();
    let count = starts.len() as u64;
    let played = Played::new(lab, "gleave2023-lines-hard-games", (attacker, victim), starts.clone(), count)?;
    let games =
        played.lost_by_victim().map(|duel| (starts[duel.start].clone(), duel.moves.clone())).collect();
    let found = blunders(lab, "gleave2023-lines-hard-blunders", victim, games)?;
    Ok(found.into_iter().flatten().collect())
}

/// Each position of enough pieces once, with the least change that sets the victim right.
fn changed(lab: &Lab, name: &str, victim: &str, blunders: &[Blunder]) -> Result<Changed, Error> {
    let pieces = |blunder: &Blunder| {
        let rows = blunder.judged.position.split(' ').next().unwrap_or_default();
        rows.chars().filter(|cell| "xo".contains(*cell)).count()
    };
    let mut distinct: Vec<Blunder> = Vec::new();
    for blunder in blunders.iter().filter(|blunder| pieces(blunder) >= CHANGED_FROM) {
        if !distinct.iter().any(|other| other.judged.position == blunder.judged.position) {
            distinct.push(blunder.clone());
        }
    }
    let wrong = distinct.iter().map(|blunder| (blunder.judged.clone(), blunder.chosen.clone())).collect();
    let repairs = Repairs { name: name.into(), victim: victim.into(), wrong };
    Ok(distinct.into_iter().zip(lab.run(&repairs)?).collect())
}

/// The claim that the attacker wins as the second player.
fn beaten(played: &Played) -> Claim {
    let said = "an attacker trained against a frozen victim wins nearly always";
    let what = "17. The attacker wins more than half of the openings as the second player";
    Claim::greater(Statement::new(what, said), played.share(), 0.5)
}

/// Blunders, each with the changes that set the victim right.
type Changed = Vec<(Blunder, Changes)>;

struct Study {
    victim: String,
    /// The games that the victim lost from the empty board, the shortest first, with its blunder in each.
    lost: Vec<(Duel, Blunder)>,
    /// The blunders of these games, and those from hard positions.
    changed: [Changed; 2],
}

/// How many of these blunders one piece sets right.
fn by_one_piece(changed: &Changed) -> u64 {
    changed.iter().filter(|(_, changes)| changes.pieces() == 1 && changes.last().right > 0).count() as u64
}

impl Study {
    fn prose(&self, attacker: &str, (openings, forced): (usize, usize), won: u64) -> Vec<String> {
        let moves = if forced == 1 { "first move" } else { "first two moves" };
        let mut prose = vec![format!(
            "The victim `{}` moves first from the empty board, where the first player wins with best play. It draws no random \
             numbers, so a line that beats it beats it always. The attacker `{attacker}` plays on after each choice of its \
             {moves} and won {}.",
            self.victim,
            counted(won, openings as u64),
        )];
        if let Some((game, blunder)) = self.lost.first() {
            let (number, chosen) = (blunder.ply / 2 + 1, &blunder.chosen);
            prose.push(format!(
                "To win yourself: `aji play {GAME} --agent \"{}\" --agent-first`. It begins; answer with the second, the fourth, \
                 and every other move of a line of the table. The shortest is `{}`. There the victim's move {number}, {chosen}, loses.",
                self.victim,
                game.moves.join(" "),
            ));
        }
        prose
    }

    fn picture(&self, tree: &LineTree) -> Picture {
        Picture {
            name: "gleave2023-lines".into(),
            title: "Lines that beat the victim".into(),
            caption: "Won games from the empty board, where their lines part; the victim is x. A move is shown if one won game in \
                      20 goes on with it."
                .into(),
            svg: lines_svg(tree, &format!("Lines that beat {}", self.victim)),
        }
    }

    /// The shortest lines.
    fn lines(&self) -> Table {
        let columns = ["line", "plies", "the victim's losing move", "its value of the position"];
        let note = "The victim's moves are the first, the third and so on. The losing move is the last that turns a position that \
                    is not lost into a lost one, by exact values.";
        let mut table = Table::new("The shortest lines that beat the victim", &columns).with_note(note);
        for (game, blunder) in self.lost.iter().take(SHOWN) {
            table.push(vec![
                game.moves.join(" ").into(),
                game.moves.len().into(),
                format!("{}: {}", blunder.ply + 1, blunder.chosen).into(),
                Cell::number(blunder.value, 3),
            ]);
        }
        table
    }

    /// The least changes that set the victim right, where it was most wrong.
    fn changes(&self) -> Table {
        let columns = [
            "position",
            "the victim's move",
            "its value of it",
            "moves that do not lose",
            "least change",
            "its move then",
            "changes that set it right",
        ];
        let note = format!(
            "In the games from the empty board. A change keeps the position legal, its player to act and its outcome by best play, \
             and the victim's move stays wrong. It moves, adds or removes one piece, or two if one does not suffice; the last column \
             counts all changes of that size. Positions of {CHANGED_FROM} pieces and more, each once."
        );
        let mut table =
            Table::new("The least changes that set the victim right, where it was most wrong", &columns)
                .with_note(note);
        let mut found: Vec<&(Blunder, Changes)> = self.changed[0].iter().collect();
        found.sort_by(|a, b| b.0.value.total_cmp(&a.0.value));
        for (blunder, changes) in found.into_iter().take(SHOWN) {
            let first = changes.first.as_ref();
            table.push(vec![
                blunder.judged.position.as_str().into(),
                blunder.chosen.as_str().into(),
                Cell::number(blunder.value, 3),
                blunder.right().join(" ").into(),
                first.map_or("none of two pieces".into(), |change| told(&change.cells)).into(),
                first.map_or("", |change| change.chosen.as_str()).into(),
                counted(changes.last().right, changes.last().legal).into(),
            ]);
        }
        table
    }

    /// How small the changes are.
    fn sizes(&self) -> Table {
        let columns = [
            "blunders in games from",
            "positions",
            "one piece",
            "two",
            "neither",
            "share by one",
            "95% interval",
            "changes of one piece",
        ];
        let mut table = Table::new("How small a change sets the victim right", &columns)
            .with_note(
                "Wilson's intervals. The last column counts those of all changes of one piece that set the victim right. The \
                 games from hard positions are those of the study of tricks.",
            );
        for (name, changed) in ["the empty board", "hard positions"].into_iter().zip(&self.changed) {
            let (all, one) = (changed.len() as u64, by_one_piece(changed));
            let right = changed.iter().filter(|(_, changes)| changes.first.is_some()).count() as u64;
            let of_one =
                changed.iter().map(|(_, changes)| changes.by_pieces.first().copied().unwrap_or_default());
            let (set_right, tried) =
                of_one.fold((0, 0), |sum, found| (sum.0 + found.right, sum.1 + found.legal));
            table.push(vec![
                name.into(),
                all.into(),
                one.into(),
                (right - one).into(),
                (all - right).into(),
                Cell::number(one as f64 / all as f64, 3),
                format!("{}", wilson(one, all, LEVEL).expect("a part of all")).into(),
                counted(set_right, tried).into(),
            ]);
        }
        table
    }

    /// The claim that the blunders hang on single pieces.
    fn one_piece(&self) -> Claim {
        let all = self.changed.iter().map(|changed| changed.len() as u64).sum();
        let right = self.changed.iter().map(by_one_piece).sum::<u64>();
        let interval = wilson(right, all, LEVEL).expect("a part of all");
        Claim::greater(
            Statement::new(
                "18. One piece elsewhere sets the victim right in more than half of its blunders",
                "the victim misjudges one systematic kind of position",
            ),
            measured(right as f64 / all.max(1) as f64, interval, all),
            0.5,
        )
    }
}

/// A change in words, with cells named by column and row from the bottom.
fn told(cells: &[ChangedCell]) -> String {
    let name = |cell: &ChangedCell| format!("{}{}", char::from(b'a' + cell.column as u8), cell.row + 1);
    if let [one, other] = cells {
        let (from, to) = if one.after == '.' { (one, other) } else { (other, one) };
        if (from.after, to.before) == ('.', '.') && from.before == to.after {
            return format!("{} from {} to {}", from.before, name(from), name(to));
        }
    }
    let each = |cell: &ChangedCell| match (cell.before, cell.after) {
        ('.', after) => format!("{after} to {}", name(cell)),
        (before, '.') => format!("no {before} on {}", name(cell)),
        (before, after) => format!("{after} for {before} on {}", name(cell)),
    };
    cells.iter().map(each).collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_in_words() {
        let cell =
            |column: usize, row: usize, before: char, after: char| ChangedCell { column, row, before, after };
        let check = |cells: &[ChangedCell], expect: &str| assert_eq!(told(cells), expect);
        check(&[cell(0, 1, 'x', '.'), cell(2, 0, '.', 'x')], "x from a2 to c1");
        check(&[cell(0, 1, '.', 'x'), cell(2, 0, 'x', '.')], "x from c1 to a2");
        check(&[cell(0, 1, '.', 'x'), cell(2, 0, 'o', '.')], "x to a2, no o on c1");
        check(&[cell(0, 1, 'o', 'x'), cell(2, 0, 'x', 'o')], "x for o on a2, o for x on c1");
        check(&[cell(6, 5, '.', 'o')], "o to g6");
    }

    /// Every line is one that the victim follows, and that it loses.
    #[test]
    fn openings_are_those_of_the_victim() {
        let victim = network(1);
        let all = openings(&victim, 2).unwrap();
        assert_eq!(all.len(), 49);
        let (mut session, victim): (_, AgentName) = (session(GAME).unwrap(), victim.parse().unwrap());
        let mut seeded = |moves: &[String], seed: u64| {
            session.set_position(&after(moves).unwrap()).unwrap();
            session.think(&AgentName { seed, ..victim.clone() }, &mut ()).unwrap().best.unwrap()
        };
        for moves in all.iter().step_by(8) {
            assert_eq!(moves.len(), 4);
            assert_eq!((seeded(&[], 1), seeded(&moves[..2], 2)), (moves[0].clone(), moves[2].clone()));
        }
    }
}
