//! A user's own games and agents work everywhere the built-in ones do.

use aji_catalog::{Error, Own, Session, Workbench};
use aji_search::{
    Agent, Budget, Game, Hashed, Keyed, Named, Payoff, Player, Report, Rng, Search, Turn, Watch,
};

/// Take one to three stones; who takes the last one wins. It implements only `Clone` and `Game`.
#[derive(Clone)]
struct Stones {
    left: usize,
    mover: Player,
}

impl Game for Stones {
    type Action = usize;

    fn turn(&self) -> Turn {
        if self.left == 0 { Turn::Over } else { Turn::Player(self.mover) }
    }

    fn actions(&self, out: &mut Vec<usize>) {
        out.extend(1..=self.left.min(3));
    }

    fn play(&mut self, taken: usize) {
        *self = Stones { left: self.left - taken, mover: 1 - self.mover };
    }

    fn payoff(&self) -> Payoff {
        Payoff::win(1 - self.mover)
    }
}

impl Hashed for Stones {
    fn hash(&self) -> u64 {
        Rng::seeded(2 * self.left as u64 + u64::from(self.mover)).bits()
    }
}

impl Keyed for Stones {
    fn key_count(&self) -> usize {
        4
    }

    fn key(&self, taken: usize) -> usize {
        taken
    }
}

impl Named for Stones {
    fn action_name(&self, taken: usize) -> String {
        format!("take{taken}")
    }

    fn text(&self) -> String {
        format!("{} {}", self.left, self.mover)
    }

    fn read(&self, text: &str) -> Result<Stones, String> {
        let numbers: Vec<usize> = text.split(' ').filter_map(|word| word.parse().ok()).collect();
        match numbers[..] {
            [left, mover @ (0 | 1)] => Ok(Stones { left, mover: mover as Player }),
            _ => Err(format!("\"{text}\": expected the stones and the mover, such as \"5 0\"")),
        }
    }

    fn board(&self) -> String {
        "o".repeat(self.left) + "\n"
    }
}

/// Always the first action of the list.
struct First;

impl<G: Game> Agent<G> for First {
    fn think(&mut self, game: &G, budget: Budget, watch: &mut dyn Watch) -> Report<G::Action> {
        let mut report = Search::new(game.clone()).run(Budget::simulations(10));
        let mut actions = Vec::new();
        game.actions(&mut actions);
        report.best = actions.first().copied();
        let _ = (budget, watch);
        report
    }

    fn played(&mut self, _action: G::Action) {}
}

fn start(options: &mut aji_catalog::Options) -> Result<Stones, Error> {
    Ok(Stones { left: options.count("stones", 1..=50)?.unwrap_or(9), mover: 0 })
}

fn workbench() -> Workbench {
    Workbench::new()
        .game("plain", start)
        .about("take one to three stones", "stones=1..50 (9)")
        .game("stones", |options| Ok(Own::new(start(options)?).named().hashed().keyed()))
        .agent("first", "the first action", |options, _, _| {
            options.switch("bold")?;
            Ok(Box::new(First))
        })
        .agent_of::<Stones, _>("stony", "the first action, in stones", |_, _| Ok(First))
}

fn think(session: &mut dyn Session, agent: &str) -> Result<String, String> {
    let agent = workbench().agent_name(agent).map_err(|error| error.to_string())?;
    session.think(&agent, &mut ()).map(|report| report.best.unwrap()).map_err(|error| error.to_string())
}

/// The game, an agent, and the action it should choose or a part of its message.
#[track_caller]
fn check(game: &str, agent: &str, expect: &str) {
    let found = think(workbench().session(game).unwrap().as_mut(), agent).unwrap_or_else(|error| error);
    assert!(found.contains(expect) && !found.contains('\n'), "{game}, {agent}: {found}");
}

#[test]
fn a_game_without_further_traits_is_searched() {
    // With nine stones the best move is to take one, the first action of the list.
    for agent in
        ["uct simulations=3000", "uct solver=on", "alphabeta depth=9", "flat threads=2 simulations=20000"]
    {
        check("plain", agent, "0");
    }
    check("plain stones=7", "uct simulations=3000", "2");
}

#[test]
fn positions_without_names_are_lists_of_moves() {
    let mut session = workbench().session("plain").unwrap();
    assert_eq!((session.actions().join(" "), session.text()), ("0 1 2".into(), "start".into()));
    assert_eq!(session.perft(3), Some(27));
    session.play("0").unwrap();
    session.play("2").unwrap();
    assert_eq!((session.text(), session.board()), ("0,2".into(), "moves 0,2\n".into()));
    session.set_position("2,1,0").unwrap();
    assert_eq!((session.text(), session.actions().len()), ("2,1,0".into(), 3));
    // Three stones are left, and the second player takes them all.
    assert_eq!(think(session.as_mut(), "uct simulations=500"), Ok("2".into()));
    assert_eq!(session.tree(&["2"], 1, 3).map(|node| node.action), Some(Some("2".into())));
    let error = session.set_position("2,1,7").unwrap_err().to_string();
    assert_eq!(error, "plain: position \"2,1,7\": move 3 is \"7\": expected the place of an action, 0 to 2");
    let error = session.set_position("2,2,2,0").unwrap_err().to_string();
    assert!(error.ends_with("move 4 is \"0\": expected nothing, as the game is over"), "{error}");
    assert_eq!(session.check_laws(1), Ok(vec!["Game"]));
    let stones = workbench().session("stones").unwrap();
    assert_eq!(stones.check_laws(1), Ok(vec!["Game", "Named", "Keyed"]));
}

/// A search that follows the game keeps its tree, even if positions cannot be compared.
#[test]
fn trees_are_kept_without_equality() {
    for game in ["plain", "stones"] {
        let workbench = workbench();
        let (mut session, agent) =
            (workbench.session(game).unwrap(), workbench.agent_name("uct simulations=1000").unwrap());
        let best = session.think(&agent, &mut ()).unwrap().best.unwrap();
        session.play(&best).unwrap();
        let kept: u32 = session.think(&agent, &mut ()).unwrap().arms.iter().map(|arm| arm.pulls).sum();
        assert!(kept > 1_200, "{game}: {kept}");
        session.undo();
        let anew: u32 = session.think(&agent, &mut ()).unwrap().arms.iter().map(|arm| arm.pulls).sum();
        assert_eq!(anew, 1_000, "{game}");
    }
}

#[test]
fn what_needs_a_trait_says_which() {
    check(
        "plain",
        "exact",
        "exact needs the trait Hashed, which recognises positions, and this game lacks it",
    );
    check("plain", "uct transpositions=on", "transpositions=on needs the trait Hashed");
    check("plain", "rave", "rave needs the trait Keyed, which gives actions keys");
    check("plain", "uct playout=mast", "declare it by Own::keyed");
    check("plain", "uct learn=ride", "learn= needs the trait Keyed");
    check("plain", "uct playout=epsilon", "needs a heuristic");
    for agent in ["exact", "uct transpositions=on", "rave c=0.5", "uct playout=mast", "uct learn=ride"] {
        check("stones", agent, "take1");
    }
}

#[test]
fn agents_join_by_a_word() {
    check("stones", "first", "take1");
    check("stones", "stony seed=4", "take1");
    check("hex size=3", "first", "a1");
    check("hex size=3", "stony", "agent stony: it does not play this game");
    check("stones", "first bold=on", "take1");
    check("stones", "first bold=yes", "agent first: bold=yes: expected on or off");
    check("stones", "first depth=3", "unknown option of agent first: \"depth\"");
    check("stones", "firts", "unknown agent \"firts\"; did you mean first?");
    let name = workbench().agent_name("first bold=on simulations=20 seed=3").unwrap();
    assert_eq!(name.to_string(), "first bold=on simulations=20 seed=3");
    assert_eq!(workbench().agent_name(&name.to_string()), Ok(name.clone()));
    let error = aji_catalog::session("hex").unwrap().accepts(&name).unwrap_err().to_string();
    assert_eq!(error, "agent first: this session knows no such agent; open it by its workbench");
}

#[test]
fn own_games_are_listed_and_named() {
    let (workbench, listed) = (workbench(), workbench().games());
    let own = listed.iter().find(|game| game.word == "plain").unwrap();
    assert_eq!(
        (own.summary.as_str(), own.options.as_str()),
        ("take one to three stones", "stones=1..50 (9)")
    );
    assert!(listed.iter().any(|game| game.word == "hex"));
    assert!(workbench.agents().iter().any(|agent| agent.word == "first"));
    let error = |name: &str| workbench.session(name).err().unwrap().to_string();
    assert!(error("plian").contains("did you mean plain?"), "{}", error("plian"));
    assert_eq!(error("plain stones=99"), "game plain: stones=99: expected a whole number from 1 to 50");
    assert_eq!(error("plain size=9"), "unknown option of game plain: \"size\"; known: stones");
    assert_eq!(workbench.session("stones  stones=4").unwrap().name(), "stones stones=4");
}

/// A user's game replaces the built-in one of the same word, and any thread may open it.
#[test]
fn a_workbench_is_shared_between_threads() {
    let workbench = workbench().game("hex", start);
    let texts: Vec<String> = std::thread::scope(|scope| {
        let open = || workbench.session("hex").unwrap().text();
        [scope.spawn(open), scope.spawn(open)].map(|thread| thread.join().unwrap()).into()
    });
    assert_eq!(texts, ["start", "start"]);
}
