//! Every limit of the server, by name. `docs/limits.md` lists them.

use std::time::Duration;

/// Connections at the same time, with or without a request.
pub const CONNECTIONS_MAX: usize = 512;

/// Connections past the last place that are told so at the same time. More are closed without an answer.
pub const REFUSED_MAX: usize = 32;

/// The time in which such a connection must have asked and read.
pub const REFUSED_TIME_MAX: Duration = Duration::from_secs(1);

/// The time for the head of a request, and for the next request on the same connection.
pub const HEAD_TIME_MAX: Duration = Duration::from_secs(20);

/// The time for the body of a request.
pub const BODY_TIME_MAX: Duration = Duration::from_secs(20);

/// A client that reads nothing of its answer for so long is left.
pub const STALLED_MAX: Duration = Duration::from_secs(20);

/// The bytes of the head of a request.
pub const HEAD_MAX: usize = 16 * 1024;

/// The bytes of an answer that wait in the server until the client reads.
pub const WRITTEN_MAX: usize = 64 * 1024;

/// The bytes of an answer that wait in the system. Linux takes twice as many.
pub const SEND_BUFFER: u32 = 128 * 1024;

/// The bytes of a request's body.
pub const BODY_MAX: usize = 256 * 1024;

/// The bytes of a game's name with its options.
pub const GAME_MAX: usize = 16 * 1024;

/// The bytes of an agent's name with its options.
pub const AGENT_MAX: usize = 1_000;

/// The bytes of a position that a game starts from.
pub const POSITION_MAX: usize = 64 * 1024;

/// The moves of a game.
pub const MOVES_MAX: usize = 10_000;

/// The bytes of a move's name.
pub const MOVE_MAX: usize = 100;

/// The bytes of a position that the page shows.
pub const SHOWN_MAX: usize = 256 * 1024;

/// The bytes of an SGF file.
pub const SGF_MAX: usize = 128 * 1024;

/// Positions that are read at the same time.
pub const READERS_MAX: usize = 8;

/// Searches that the server keeps, running or not.
pub const KEPT_MAX: usize = 64;

/// Searches that run at the same time.
pub const RUNNING_MAX: usize = 16;

/// The least memory of a search, in bytes.
pub const SHARE_MIN: u64 = 8_000_000;

/// A search gets this part of the memory that is free when it begins.
pub const SHARE: u64 = 8;

/// The time of one run of a search.
pub const RUN_MAX: Duration = Duration::from_secs(30 * 60);

/// A run that nobody has watched for so long is stopped.
pub const UNWATCHED_MAX: Duration = Duration::from_secs(3);

/// A search that nobody has asked for in so long is dropped.
pub const IDLE_MAX: Duration = Duration::from_secs(15 * 60);

/// The least and the greatest time between two snapshots, in milliseconds.
pub const INTERVAL_MS: std::ops::RangeInclusive<u64> = 50..=5_000;

/// Watchers of all searches together.
pub const WATCHERS_MAX: usize = 256;

/// Simulations that are explained at a time.
pub const EXPLAINED_MAX: u64 = 100;

/// Simulations that may run before the first that is explained.
pub const SKIP_MAX: u64 = 1_000_000;

/// The memory of a search that is explained, in bytes.
pub const EXPLAIN_MEMORY: u64 = 32_000_000;

/// The time for a search that is explained.
pub const EXPLAIN_MAX: Duration = Duration::from_secs(20);

/// Arms that a rule is asked about.
pub const ARMS_MAX: usize = 100;

/// Opened nodes of a tree that snapshots show.
pub const OPENED_MAX: usize = 200;

/// Children of a node that snapshots show.
pub const TOP_MAX: usize = 30;

/// Levels of a tree that snapshots show below each opened node.
pub const LEVELS_MAX: usize = 6;

/// Nodes of a tree in one snapshot.
pub const NODES_MAX: usize = 4_000;

/// Studies that run at the same time.
pub const STUDIES_MAX: usize = 4;

/// The time of a study.
pub const STUDY_MAX: Duration = Duration::from_secs(10 * 60);

/// The time between two events of a study: at least this long.
pub const TELL_EVERY: Duration = Duration::from_millis(60);

/// The longest wait of a study at each point of a curve, in milliseconds, so that one can watch it.
pub const PACE_MAX: u64 = 1_000;

/// The bytes of a list of rules, of means, of an expression, a board or a sum of heaps.
pub const STUDIED_MAX: usize = 2_000;

/// Rules on bandits at a time.
pub const RULES_MAX: usize = 6;

/// Bandits of a study.
pub const REPEATS_MAX: u64 = 10_000;

/// Pulls of a rule on a bandit.
pub const PULLS_MAX: u32 = 1_000_000;

/// Pulls of all rules on all bandits of a study.
pub const ALL_PULLS_MAX: u64 = 100_000_000;

/// Arms of all rules on all bandits of a study.
pub const ALL_ARMS_MAX: u64 = 500_000;

/// The memory of a study of bandits, in bytes.
pub const BANDIT_MEMORY: u64 = 60_000_000;

/// Counters of a heap that is studied.
pub const COUNTERS_MAX: usize = 100;

/// Cells of boards that are studied exactly.
pub const CELLS_MAX: usize = 20;

/// The most memory of an exact study of boards or of an expression, in bytes.
pub const EXACT_MEMORY: u64 = 100_000_000;

/// Actions of a sum of heaps whose order is learned.
pub const LEARNED_MAX: usize = 60;

/// Simulations from which an order is learned.
pub const LEARNED_SIMULATIONS_MAX: u64 = 10_000_000;

/// The memory for learning an order, in bytes.
pub const LEARN_MEMORY: u64 = 60_000_000;

/// The bytes of a value that is shown.
pub const VALUE_MAX: usize = 20_000;

/// The bytes of a state in a table of states.
pub const STATE_BYTES_MAX: usize = 200;

/// Contests that are played at the same time.
pub const CONTESTS_MAX: usize = 2;

/// A contest gets at most this part of the memory of all searches.
pub const CONTEST_SHARE: u64 = 3;

/// The letters of a contest's name.
pub const RUN_NAME_MAX: usize = 80;

/// Agents of a tournament.
pub const AGENTS_MAX: usize = 16;

/// Games between two agents of a contest.
pub const CONTEST_GAMES_MAX: u64 = 20_000;

/// Games of all agents of a contest.
pub const CONTEST_ALL_GAMES_MAX: u64 = 50_000;

/// Random plies that open a game of a contest.
pub const CONTEST_OPENINGS_MAX: u64 = 100;

/// The memory of an agent in a contest whose name does not say `memory=`, in bytes.
pub const CONTEST_AGENT_MEMORY: u64 = 16_000_000;

/// The bytes of a journal that the page plays or shows.
pub const JOURNAL_MAX: u64 = 16_000_000;

/// The memory for a journal of that size, in bytes: its lines, and at its end those in order and those of the file.
pub const JOURNAL_MEMORY: u64 = 4 * JOURNAL_MAX;

/// Journals that the page lists.
pub const JOURNALS_SHOWN_MAX: usize = 300;

/// The bytes of journals that one list reads. Journals that have not changed are not read again.
pub const JOURNALS_READ_MAX: u64 = 4 * JOURNAL_MAX;

/// Rounds of games that the page lists at a time.
pub const ROUNDS_SHOWN_MAX: u64 = 100;

/// The time between two events of a contest: at least this long.
pub const LAB_TELL_EVERY: Duration = Duration::from_millis(250);

/// Reports that the page lists.
pub const REPORTS_MAX: usize = 100;

/// The bytes of a report.
pub const REPORT_MAX: u64 = 8_000_000;
