//! The contest that the page asks for.

use crate::failure::{Failure, within};
use crate::guest::guest;
use crate::limits::{
    AGENTS_MAX, CONTEST_AGENT_MEMORY, CONTEST_ALL_GAMES_MAX, CONTEST_GAMES_MAX, CONTEST_OPENINGS_MAX,
    GAME_MAX, STUDIED_MAX,
};
use aji_catalog::{AgentName, Method, Workbench};
use aji_lab::contest::{
    Contest, ContestKind, GAMES_DEFAULT, Plan, SPRT_ERROR, TUNING_POINTS_MAX, Tuning, TuningRange,
};
use aji_lab::statistics::Sprt;
use serde::Deserialize;

/// The values of a range that are tried, unless the page says how many.
const POINTS_DEFAULT: usize = 8;

/// What to play, with the options of the commands.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct WhichContest {
    /// What it is for.
    pub kind: ContestKind,
    /// The name of its journal; none for a new one.
    #[serde(default)]
    pub name: Option<String>,
    /// The game, with its options.
    pub game: String,
    /// The agents: two of a match, two or more of a tournament, and the one that is tuned.
    agents: Vec<String>,
    /// The option to tune and its values, such as `c=0.1..2`.
    #[serde(default)]
    vary: Option<String>,
    /// How many values of a range.
    #[serde(default)]
    points: Option<usize>,
    /// Games between two agents.
    #[serde(default)]
    games: Option<u64>,
    /// Random plies that each round begins with.
    #[serde(default)]
    openings: Option<usize>,
    /// The two differences in Elo that the test of a match decides between.
    #[serde(default)]
    sprt: Option<[f64; 2]>,
    /// Gives the second agent of a match the simulations of the first.
    #[serde(default)]
    equal_samples: bool,
    #[serde(default = "seed_default")]
    pub seed: u64,
}

fn seed_default() -> u64 {
    1
}

impl WhichContest {
    /// The contest, if it is within the limits.
    pub fn contest(&self, workbench: &Workbench, threads: usize) -> Result<Contest, Failure> {
        if self.game.len() > GAME_MAX {
            return Err(Failure::too_long("bytes of the game's name", self.game.len(), GAME_MAX));
        }
        let (least, most) = match self.kind {
            ContestKind::Match => (2, 2),
            ContestKind::Tournament => (2, AGENTS_MAX),
            ContestKind::Tuning => (1, 1),
        };
        within("agents", self.agents.len() as u64, least, most as u64)?;
        let named = |name: &String| guest(workbench, name, threads).map(|agent| frugal(agent, name));
        let agents = self.agents.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        let players = workbench.session(&self.game)?.players();
        let rounds = self.rounds(players)?;
        let plies = self.openings.unwrap_or(Contest::opening_plies_default(players));
        within("openings", plies as u64, 0, CONTEST_OPENINGS_MAX)?;
        if self.kind != ContestKind::Match && (self.sprt.is_some() || self.equal_samples) {
            let kind = self.kind.word();
            return Err(Failure::wrong(format!("sprt and equal_samples are for a match, not for a {kind}")));
        }
        let contest = match self.kind {
            ContestKind::Tuning => self.tuning(workbench, agents, rounds, threads)?,
            kind => {
                let pairings = Contest::all_pairings(agents.len());
                Contest::on(workbench, &self.game, agents, pairings, rounds)?.named(kind.word())
            }
        };
        let games = rounds * Contest::round_games(players) * contest.pairings().len() as u64;
        within("games of all agents", games, 1, CONTEST_ALL_GAMES_MAX)?;
        let contest = contest.openings(plies)?;
        let contest = if self.equal_samples { contest.equal_samples()? } else { contest };
        match self.sprt {
            None => Ok(contest),
            Some(_) if players > 2 => Err(Failure::wrong(format!(
                "sprt: the test is for games of one or two players, and {} has {players}",
                self.game
            ))),
            Some([elo0, elo1]) => {
                let expected = || {
                    Failure::wrong("sprt: expected two differences in Elo, the lower first, such as 0, 20")
                };
                let test = Sprt::new(elo0, elo1, SPRT_ERROR, SPRT_ERROR).ok_or_else(expected)?;
                Ok(contest.sprt(test))
            }
        }
    }

    /// The rounds of games between two agents.
    fn rounds(&self, players: usize) -> Result<u64, Failure> {
        let round = Contest::round_games(players);
        let games = self.games.unwrap_or(GAMES_DEFAULT.next_multiple_of(round));
        within("games", games, 1, CONTEST_GAMES_MAX)?;
        match games.is_multiple_of(round) {
            true => Ok(games / round),
            false => Err(Failure::wrong(format!(
                "games: {games} found; a round of {players} players has {round} games, so expected a multiple of it, such as {}",
                games.next_multiple_of(round)
            ))),
        }
    }

    fn tuning(
        &self,
        workbench: &Workbench,
        agents: Vec<AgentName>,
        rounds: u64,
        threads: usize,
    ) -> Result<Contest, Failure> {
        let expected = "vary: expected an option and its values, such as c=0.1..2";
        let vary = self.vary.as_deref().ok_or_else(|| Failure::wrong(expected))?;
        if vary.len() > STUDIED_MAX {
            return Err(Failure::too_long("bytes of vary", vary.len(), STUDIED_MAX));
        }
        let range: TuningRange = vary.parse().map_err(|error| Failure::wrong(format!("vary: {error}")))?;
        let points = self.points.unwrap_or(POINTS_DEFAULT);
        within("points", points as u64, 3, TUNING_POINTS_MAX as u64)?;
        let agent = agents.first().ok_or_else(|| Failure::wrong("agents: 0 found, expected 1"))?;
        // An option such as net= could name a file, so every agent is checked before one is asked whether it plays.
        let (_, varied) = range.agents(workbench, agent, points)?;
        for agent in &varied {
            guest(workbench, &agent.to_string(), threads)?;
        }
        Ok(Tuning::new(workbench, &self.game, agent, range, points, rounds)?.contest)
    }
}

/// An agent that keeps to less memory than it does alone, unless its name says how much: several games run at a time.
fn frugal(agent: AgentName, name: &str) -> AgentName {
    let says = name.split_whitespace().any(|word| word.starts_with("memory="));
    match agent.method {
        Method::Random => agent,
        _ if says => agent,
        _ => AgentName { memory: CONTEST_AGENT_MEMORY, ..agent },
    }
}

/// The contest of a journal, if the page may play it.
pub fn of_journal(
    plan: &Plan,
    kind: ContestKind,
    rounds: u64,
    workbench: &Workbench,
    threads: usize,
) -> Result<Contest, Failure> {
    for name in &plan.agents {
        guest(workbench, name, threads)?;
    }
    Ok(plan.contest(workbench, kind, rounds)?)
}

/// The memory of one round of games, in bytes: each seat has a search of its own.
pub fn memory_of_round(contest: &Contest) -> u64 {
    let memory = |agent: usize| match &contest.agents()[agent] {
        agent if agent.method == Method::Random => 0,
        agent => agent.memory,
    };
    let more = contest.players().saturating_sub(2) as u64;
    let of_pairing = |&(a, b): &(usize, usize)| {
        let seats = memory(a).max(memory(b)).saturating_mul(more);
        memory(a).saturating_add(memory(b)).saturating_add(seats)
    };
    contest.pairings().iter().map(of_pairing).max().unwrap_or(0)
}

/// The most threads of one of its agents.
pub fn threads_of(contest: &Contest) -> usize {
    let threads = |agent: &AgentName| agent.search().map_or(1, |search| search.threads);
    contest.agents().iter().map(threads).max().unwrap_or(1)
}
