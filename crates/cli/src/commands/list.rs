//! `aji list`: lists games, agents, rules, playouts, networks and papers, and explains one of them.

use super::counted;
use crate::output::{definitions, print, width, wrapped};
use aji_catalog::{
    AgentName, GAMES, KnownNetwork, KnownOption, Method, OnBoard, PlayoutName, SEARCHES, SearchName,
    Strongest, Workbench, guide, known_rule_options, known_rules, nearest, thousands, unknown,
};
use aji_papers::PAPERS;
use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

/// List games, agents, sampling rules, playouts, networks and papers, or explain one of them
#[derive(Args)]
#[command(after_help = "Examples:
  aji list
  aji list hex
  aji list games hex
  aji list games othello size=6
  aji list networks
  aji list agents uct
  aji list rules voi --json")]
pub struct Options {
    /// The kind to list: games, agents, rules, playouts, networks or papers; or the one to explain
    kind: Option<String>,

    /// The one to explain. A game may have options: its board and its default agent are then shown
    #[arg(requires = "kind")]
    name: Vec<String>,

    /// One JSON value: an object of all kinds, a list of one kind, or one thing
    #[arg(long)]
    json: bool,
}

/// What can be listed.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Games,
    Agents,
    Rules,
    Playouts,
    Networks,
    Papers,
}

/// A thing with a name.
#[derive(Clone, Serialize)]
struct Thing {
    name: String,
    summary: String,
    /// The rules of a game; the authors of a paper.
    #[serde(skip_serializing_if = "Option::is_none")]
    about: Option<String>,
    options: Vec<Listed>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    studies: Vec<&'static str>,
    /// The default agent of a game.
    #[serde(skip_serializing_if = "Option::is_none")]
    agent: Option<String>,
    /// Whether `exact` plays instead if it solves the start at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact_if_small: Option<bool>,
    /// The evidence that no other known agent is stronger.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown_by: Option<&'static str>,
    /// The boards on which another agent is stronger.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    boards: Vec<&'static OnBoard>,
    /// The start of a game with options.
    #[serde(skip_serializing_if = "Option::is_none")]
    board: Option<String>,
    /// What is known of a network.
    #[serde(skip_serializing_if = "Option::is_none")]
    network: Option<KnownNetwork>,
}

impl Thing {
    /// Whether this is its name, without what follows a colon. The word of its game names a network too.
    fn is_named(&self, name: &str) -> bool {
        let word = self.name.split(' ').next().filter(|_| self.network.is_some());
        self.name.split(':').next() == Some(name) || word == Some(name)
    }
}

#[derive(Clone, Serialize)]
struct Listed {
    name: String,
    summary: String,
    takes: String,
}

impl Listed {
    fn new(option: KnownOption) -> Listed {
        Listed { name: option.key.into(), summary: option.summary, takes: option.takes }
    }
}

impl Kind {
    const ALL: [Kind; 6] =
        [Kind::Games, Kind::Agents, Kind::Rules, Kind::Playouts, Kind::Networks, Kind::Papers];

    /// The singular, for messages.
    fn word(self) -> &'static str {
        match self {
            Kind::Games => "game",
            Kind::Agents => "agent",
            Kind::Rules => "rule",
            Kind::Playouts => "playout",
            Kind::Networks => "network",
            Kind::Papers => "paper",
        }
    }

    /// The word on the command line.
    fn plural(self) -> String {
        format!("{}s", self.word())
    }

    fn heading(self) -> &'static str {
        match self {
            Kind::Games => "games",
            Kind::Agents => "agents",
            Kind::Rules => "rules for root= and below=",
            Kind::Playouts => "playouts for playout=",
            Kind::Networks => "networks that ship, for alphazero and gumbel",
            Kind::Papers => "papers for aji reproduce",
        }
    }

    fn things(self, workbench: &Workbench) -> Vec<Thing> {
        match self {
            Kind::Games => workbench.games().iter().map(|game| game_of(workbench, game)).collect(),
            Kind::Agents => {
                workbench.agents().iter().map(|known| agent(&known.word, &known.summary)).collect()
            }
            Kind::Rules => known_rules().into_iter().map(|(name, summary)| rule(name, summary)).collect(),
            Kind::Playouts => {
                PlayoutName::KNOWN.iter().map(|&(name, summary)| playout(name, summary)).collect()
            }
            Kind::Networks => {
                workbench.networks().into_iter().map(|known| network(workbench, known)).collect()
            }
            Kind::Papers => PAPERS.iter().map(paper).collect(),
        }
    }
}

fn thing(name: &str, summary: &str, options: Option<Vec<KnownOption>>) -> Thing {
    let options = options.unwrap_or_default().into_iter().map(Listed::new).collect();
    let (name, summary) = (name.into(), summary.into());
    let (agent, exact_if_small, shown_by) = (None, None, None);
    let (studies, boards) = (Vec::new(), Vec::new());
    let (about, board, network) = (None, None, None);
    Thing { name, summary, about, options, studies, agent, exact_if_small, shown_by, boards, board, network }
}

/// The entry of the game with this word, unless a game of that word was added.
fn strongest_of(workbench: &Workbench, word: &str) -> Option<&'static Strongest> {
    let entry = GAMES.iter().find(|entry| entry.word == word && !workbench.is_added(word));
    entry.map(|entry| &entry.strongest)
}

/// A network, with the match of its board as the evidence of its strength.
fn network(workbench: &Workbench, known: KnownNetwork) -> Thing {
    let KnownNetwork { game, design, parameters, bytes, games, steps, .. } = &known;
    let summary = format!(
        "{design}: {} parameters, {} kB, learned from {} in {}",
        thousands(*parameters as u64),
        thousands(bytes.div_ceil(1000) as u64),
        counted(*games, "game"),
        counted(*steps, "step")
    );
    let strongest = strongest_of(workbench, game.split(' ').next().unwrap_or_default());
    let board = workbench.session(game).ok().and_then(|session| strongest?.board_of(session.as_ref()));
    let is_default = |strongest: &&Strongest| strongest.agent == "alphazero";
    let whole = strongest.filter(is_default).map(|strongest| strongest.shown_by);
    let shown_by = board.map(|board| board.shown_by).or(whole);
    Thing { shown_by, network: Some(known.clone()), ..thing(game, &summary, None) }
}

/// A game with options: its start, and the agent of its board.
fn game_with_options(workbench: &Workbench, name: &str) -> Result<Thing> {
    let session = workbench.session(name)?;
    let word = name.split_whitespace().next().unwrap_or_default();
    let games = workbench.games();
    let Some(game) = games.iter().find(|game| game.word == word) else { bail!("{name}: it is in no list") };
    let (plain, agent) = (game_of(workbench, game), workbench.agent_for(name)?);
    let board = strongest_of(workbench, word).and_then(|strongest| strongest.board_of(session.as_ref()));
    let shown_by = match (agent.method == Method::Exact, board) {
        (true, _) => Some("it solves the start at once: no agent plays better"),
        (false, Some(board)) => Some(board.shown_by),
        (false, None) => plain.shown_by,
    };
    Ok(Thing {
        name: session.name().into(),
        board: Some(session.board()),
        agent: Some(agent.to_string()),
        exact_if_small: None,
        shown_by,
        boards: Vec::new(),
        ..plain
    })
}

fn game_of(workbench: &Workbench, game: &aji_catalog::Listed) -> Thing {
    let (name, summary) = (game.word.as_str(), game.summary.as_str());
    if workbench.is_added(name) {
        return Thing { options: options_in(&game.options), ..thing(name, summary, None) };
    }
    let guide = guide(name);
    let option = |&(key, summary, takes): &(&str, &str, &str)| Listed {
        name: key.into(),
        summary: summary.into(),
        takes: takes.into(),
    };
    let strongest = strongest_of(workbench, name);
    Thing {
        agent: strongest.map(|strongest| strongest.agent.into()),
        exact_if_small: strongest.map(|strongest| strongest.solved_within > 0),
        shown_by: strongest.map(|strongest| strongest.shown_by),
        boards: strongest.map_or(Vec::new(), |strongest| strongest.boards.iter().collect()),
        about: guide.map(|guide| guide.rules.into()),
        options: guide.map_or(Vec::new(), |guide| guide.options.iter().map(option).collect()),
        ..thing(name, summary, None)
    }
}

/// The options of a game that was added, from a text such as `stones=1..100 (10) first=x or o`: a word with = begins one.
fn options_in(text: &str) -> Vec<Listed> {
    let mut options: Vec<Listed> = Vec::new();
    for word in text.split_whitespace() {
        match (word.split_once('='), options.last_mut()) {
            (Some((name, takes)), _) => {
                options.push(Listed { name: name.into(), summary: String::new(), takes: takes.into() })
            }
            (None, Some(last)) => last.takes += &format!(" {word}"),
            (None, None) => {
                options.push(Listed { name: String::new(), summary: String::new(), takes: word.into() })
            }
        }
    }
    options
}

fn agent(name: &str, summary: &str) -> Thing {
    let word = name.split(':').next().unwrap_or(name);
    thing(name, summary, AgentName::known_options(word))
}

fn rule(name: &str, summary: String) -> Thing {
    thing(name, &summary, known_rule_options(name))
}

fn playout(name: &str, summary: &str) -> Thing {
    thing(name, summary, PlayoutName::known_options(name))
}

fn paper(paper: &aji_papers::Paper) -> Thing {
    let studies = paper.studies.iter().map(|study| study.name).collect();
    Thing { about: Some(paper.authors.into()), studies, ..thing(paper.name, paper.title, None) }
}

/// Lists everything, one kind, or one thing.
pub fn run(options: &Options, workbench: &Workbench) -> Result<()> {
    let width = width();
    let Some(word) = &options.kind else {
        let all = Kind::ALL.map(|kind| (kind, kind.things(workbench)));
        return print(&if options.json { all_json(&all)? } else { all_text(&all, width) });
    };
    let Some(kind) = Kind::ALL.into_iter().find(|kind| kind.plural() == *word) else {
        return explain(options, workbench, word);
    };
    let (things, name) = (kind.things(workbench), options.name.join(" "));
    if name.is_empty() {
        return print(&if options.json {
            serde_json::to_string(&things)? + "\n"
        } else {
            section(kind, &things, width)
        });
    }
    let with_options = match kind {
        Kind::Games if name.contains(' ') => Some(game_with_options(workbench, &name)?),
        _ => None,
    };
    let Some(thing) = with_options.as_ref().or_else(|| things.iter().find(|thing| thing.is_named(&name)))
    else {
        let known: Vec<&str> = things.iter().filter_map(|thing| thing.name.split(':').next()).collect();
        return Err(unknown(kind.word(), &name, &known).into());
    };
    print(&if options.json { serde_json::to_string(thing)? + "\n" } else { in_full(thing, width) })
}

/// Explains everything of this name, which is of any kind.
fn explain(options: &Options, workbench: &Workbench, name: &str) -> Result<()> {
    let all = Kind::ALL.into_iter().filter(|kind| *kind != Kind::Networks);
    let all: Vec<Thing> = all.flat_map(|kind| kind.things(workbench)).collect();
    let whole = format!("{name} {}", options.name.join(" "));
    let is_game = |word: &str| workbench.games().iter().any(|game| game.word == word);
    let things: Vec<Thing> = match whole.trim().split_once(' ') {
        Some((word, more)) if is_game(word) && more.contains('=') => {
            vec![game_with_options(workbench, whole.trim())?]
        }
        Some(_) => Vec::new(),
        None => all.iter().filter(|thing| thing.is_named(name)).cloned().collect(),
    };
    if things.is_empty() {
        let kinds = Kind::ALL.map(Kind::plural);
        let kinds: Vec<&str> = kinds.iter().map(String::as_str).collect();
        let words = all.iter().filter_map(|thing| thing.name.split(':').next());
        let near = nearest(name, kinds.iter().copied().chain(words)).filter(|near| *near != name);
        let hint = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
        bail!(
            "unknown kind \"{name}\"{} known: {}; or give the name of one thing, such as hex",
            if hint.is_empty() { ";" } else { hint.as_str() },
            kinds.join(", ")
        );
    }
    print(&if !options.json {
        things.iter().map(|thing| in_full(thing, width())).collect::<Vec<_>>().join("\n")
    } else if let [thing] = &things[..] {
        serde_json::to_string(thing)? + "\n"
    } else {
        serde_json::to_string(&things)? + "\n"
    })
}

fn all_json(all: &[(Kind, Vec<Thing>)]) -> Result<String> {
    let lists = all.iter().map(|(kind, things)| Ok((kind.plural(), serde_json::to_value(things)?)));
    let lists: serde_json::Map<String, serde_json::Value> = lists.collect::<Result<_>>()?;
    Ok(serde_json::Value::Object(lists).to_string() + "\n")
}

fn all_text(all: &[(Kind, Vec<Thing>)], width: usize) -> String {
    let sections: Vec<String> = all.iter().map(|(kind, things)| section(*kind, things, width)).collect();
    let more = "`aji list games hex` explains one of them: its rules and its options. Likewise agents, rules, playouts, networks, papers.";
    sections.join("\n") + "\n" + &wrapped(more, width)
}

fn section(kind: Kind, things: &[Thing], width: usize) -> String {
    let entry = |thing: &Thing| {
        let studies = match kind {
            Kind::Papers => format!("; studies: {}", thing.studies.join(", ")),
            _ => String::new(),
        };
        (thing.name.clone(), thing.summary.clone() + &studies)
    };
    let entries: Vec<_> = things.iter().map(entry).collect();
    let text = wrapped(kind.heading(), width) + &definitions(&entries, width);
    if kind == Kind::Agents { text + "\n" + &search_options(width) } else { text }
}

/// The options that most agents share, once.
fn search_options(width: usize) -> String {
    let entry =
        |(key, takes, summary): (&str, String, &str)| (key.to_string(), format!("{summary}: {takes}"));
    let entries: Vec<_> = SearchName::known_settings().into_iter().map(entry).collect();
    let budgets = "All agents but gtp take simulations=, time=, memory= and seed=, as in uct time=2s memory=1GB seed=7.";
    let heading = wrapped(&format!("options of {SEARCHES}"), width);
    format!("{}\n{heading}{}", wrapped(budgets, width), definitions(&entries, width))
}

/// A thing with its rules, its options and its default agent.
fn in_full(thing: &Thing, width: usize) -> String {
    let mut text = wrapped(&format!("{}: {}", thing.name, thing.summary), width);
    if let Some(about) = &thing.about {
        text += &format!("\n{}", wrapped(about, width));
    }
    if !thing.options.is_empty() {
        let entry = |option: &Listed| {
            let colon = if option.summary.is_empty() { "" } else { ": " };
            let equals = if option.name.is_empty() { "" } else { "=" };
            (format!("{}{equals}", option.name), format!("{}{colon}{}", option.summary, option.takes))
        };
        let entries: Vec<_> = thing.options.iter().map(entry).collect();
        text += &format!("\noptions\n{}", definitions(&entries, width));
    }
    if let Some(board) = &thing.board {
        text += &format!("\n{board}");
    }
    if let Some(network) = &thing.network {
        let [rows, columns] = network.board;
        let trained = format!("board: {rows}x{columns}; seed of the training: {}", network.seed);
        text += &format!("\n{}", wrapped(&trained, width));
        let score = thing.shown_by.map_or(String::new(), |shown_by| format!("what it scores: {shown_by}"));
        text += &wrapped(&score, width);
    }
    if let (Some(agent), Some(shown_by)) = (&thing.agent, thing.shown_by) {
        let exact = match thing.exact_if_small {
            Some(true) => ", or exact where it solves the start at once",
            _ => "",
        };
        text += &format!("\n{}", wrapped(&format!("default agent: {agent}{exact}"), width));
        text += &wrapped(&format!("because: {shown_by}"), width);
    }
    for OnBoard { game, agent, shown_by } in &thing.boards {
        text += &format!("\n{}", wrapped(&format!("default agent of {game}: {agent}"), width));
        text += &wrapped(&format!("because: {shown_by}"), width);
    }
    if !thing.studies.is_empty() {
        text += &format!("\nstudies\n{}", wrapped(&thing.studies.join(" "), width));
    }
    text
}
