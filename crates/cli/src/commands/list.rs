//! `aji list`: lists games, agents, rules, playouts and papers, and explains the options of one of them.

use crate::output::{definitions, print, width, wrapped};
use aji_catalog::{
    AgentName, GAMES, KnownOption, OnBoard, PlayoutName, SEARCHES, SearchName, Workbench, guide,
    known_rule_options, known_rules, unknown,
};
use aji_papers::PAPERS;
use anyhow::{Result, bail};
use clap::Args;
use serde::Serialize;

/// List games, agents, sampling rules, playouts and papers, or explain one of them
#[derive(Args)]
#[command(after_help = "Examples:
  aji list
  aji list hex
  aji list games hex
  aji list agents uct
  aji list rules voi --json")]
pub struct Options {
    /// The kind to list: games, agents, rules, playouts or papers; or the one to explain
    kind: Option<String>,

    /// The one to explain, with its options
    #[arg(requires = "kind")]
    name: Option<String>,

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
    Papers,
}

/// A thing with a name.
#[derive(Serialize)]
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
    agent: Option<&'static str>,
    /// Whether `exact` plays instead if it solves the start at once.
    #[serde(skip_serializing_if = "Option::is_none")]
    exact_if_small: Option<bool>,
    /// The evidence that no other known agent is stronger.
    #[serde(skip_serializing_if = "Option::is_none")]
    shown_by: Option<&'static str>,
    /// The boards on which another agent is stronger.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    boards: Vec<&'static OnBoard>,
}

impl Thing {
    /// Whether this is its name, without what follows a colon.
    fn is_named(&self, name: &str) -> bool {
        self.name.split(':').next() == Some(name)
    }
}

#[derive(Serialize)]
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
    const ALL: [Kind; 5] = [Kind::Games, Kind::Agents, Kind::Rules, Kind::Playouts, Kind::Papers];

    /// The singular, for messages.
    fn word(self) -> &'static str {
        match self {
            Kind::Games => "game",
            Kind::Agents => "agent",
            Kind::Rules => "rule",
            Kind::Playouts => "playout",
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
            Kind::Papers => PAPERS.iter().map(paper).collect(),
        }
    }
}

fn thing(name: &str, summary: &str, options: Option<Vec<KnownOption>>) -> Thing {
    let options = options.unwrap_or_default().into_iter().map(Listed::new).collect();
    let (name, summary) = (name.into(), summary.into());
    let (agent, exact_if_small, shown_by) = (None, None, None);
    let (studies, boards) = (Vec::new(), Vec::new());
    Thing { name, summary, about: None, options, studies, agent, exact_if_small, shown_by, boards }
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
    let strongest = GAMES.iter().find(|entry| entry.word == name).map(|entry| &entry.strongest);
    Thing {
        agent: strongest.map(|strongest| strongest.agent),
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
    let things = kind.things(workbench);
    let Some(name) = &options.name else {
        return print(&if options.json {
            serde_json::to_string(&things)? + "\n"
        } else {
            section(kind, &things, width)
        });
    };
    let Some(thing) = things.iter().find(|thing| thing.is_named(name)) else {
        let known: Vec<&str> = things.iter().filter_map(|thing| thing.name.split(':').next()).collect();
        return Err(unknown(kind.word(), name, &known).into());
    };
    print(&if options.json { serde_json::to_string(thing)? + "\n" } else { in_full(thing, width) })
}

/// Explains everything of this name, which is of any kind.
fn explain(options: &Options, workbench: &Workbench, name: &str) -> Result<()> {
    let things: Vec<Thing> = Kind::ALL
        .into_iter()
        .flat_map(|kind| kind.things(workbench))
        .filter(|thing| thing.is_named(name) && options.name.is_none())
        .collect();
    if things.is_empty() {
        let kinds = Kind::ALL.map(Kind::plural);
        let error = unknown("kind", name, &kinds.each_ref().map(String::as_str));
        bail!("{error}; or give the name of one thing, such as hex");
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
    let more = "`aji list games hex` explains one of them: its rules and its options. Likewise agents, rules, playouts, papers.";
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
    if let (Some(agent), Some(shown_by)) = (thing.agent, thing.shown_by) {
        let exact = match thing.exact_if_small {
            Some(true) => ", or exact where it solves the start at once",
            _ => "",
        };
        text += &format!("\n{}", wrapped(&format!("default agent: {agent}{exact}"), width));
        text += &wrapped(&format!("because: {shown_by}"), width);
    }
    for OnBoard { games, agent, shown_by } in &thing.boards {
        text += &format!("\n{}", wrapped(&format!("{}: {agent}", games.join(", ")), width));
        text += &wrapped(&format!("because: {shown_by}"), width);
    }
    if !thing.studies.is_empty() {
        text += &format!("\nstudies\n{}", wrapped(&thing.studies.join(" "), width));
    }
    text
}
