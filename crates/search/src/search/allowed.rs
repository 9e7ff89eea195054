//! Searches of only some actions.

use crate::playout::{Recorded, Uniform};
use crate::toys::Sweets;
use crate::{Agent, Budget, Evaluate, Game, Keyed, Leaf, Payoff, Rng, RootParallel, Search, Select, Turn};
use aji_bandit::{Puct, Rave, Ucb1, UcbTuned};
use proptest::prelude::*;

const SWEETS: &[f32] = &[1.0, 5.0, 2.0, 4.0, 3.0, 7.0, 2.5];

/// A game in which the first player to move has only the actions in `first`, a set of bits.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Only {
    game: Sweets,
    first: Option<u32>,
}

impl Only {
    fn new(first: u32) -> Only {
        Only { game: Sweets::new(SWEETS), first: Some(first) }
    }
}

impl Game for Only {
    type Action = u8;

    fn turn(&self) -> Turn {
        self.game.turn()
    }

    fn actions(&self, out: &mut Vec<u8>) {
        self.game.actions(out);
        out.retain(|sweet| self.first.is_none_or(|first| first >> sweet & 1 == 1));
    }

    fn play(&mut self, sweet: u8) {
        self.first = None;
        self.game.play(sweet);
    }

    fn payoff(&self) -> Payoff {
        self.game.payoff()
    }

    fn payoff_range(&self) -> (f32, f32) {
        self.game.payoff_range()
    }
}

impl Keyed for Only {
    fn key_count(&self) -> usize {
        self.game.key_count()
    }

    fn key(&self, sweet: u8) -> usize {
        self.game.key(sweet)
    }
}

/// A random value, and a policy that prefers later sweets.
#[derive(Clone, Copy)]
struct Later;

impl<G: Game<Action = u8>> Evaluate<G> for Later {
    fn has_policy(&self) -> bool {
        true
    }

    fn evaluate(&mut self, leaves: &mut [Leaf<G>], rng: &mut Rng) {
        for leaf in leaves {
            leaf.payoff = if rng.below(2) == 0 { Payoff::win(0) } else { Payoff::win(1) };
            leaf.policy.extend(leaf.actions.iter().map(|&sweet| 1.0 + f32::from(sweet)));
        }
    }
}

/// Makes a search from one with the standard parts.
type Make<G, S, E> = fn(Search<G>) -> Search<G, S, E>;

/// A search of some actions equals a search of a game without the others: at the root, and after a move.
fn check<S: Select, E: Evaluate<Sweets> + Evaluate<Only>>(
    make: (Make<Sweets, S, E>, Make<Only, S, E>),
    (first, seed, simulations): (u32, u64, u64),
) -> Result<(), TestCaseError> {
    let mut some = make.0(Search::new(Sweets::new(SWEETS)).seed(seed));
    let mut only = make.1(Search::new(Only::new(first)).seed(seed));
    some.allow_where(|sweet| first >> sweet & 1 == 1);
    for simulations in [simulations, 1, simulations] {
        let (report, expect) =
            (some.run(Budget::simulations(simulations)), only.run(Budget::simulations(simulations)));
        prop_assert_eq!(&report.arms, &expect.arms);
        prop_assert_eq!((report.best, report.lines), (expect.best, expect.lines));
        prop_assert_eq!((report.proven, report.nodes), (expect.proven, expect.nodes));
        prop_assert!(report.arms.iter().all(|arm| first >> arm.action & 1 == 1));
    }
    let best = only.run(Budget::simulations(0)).best.expect("an action");
    prop_assert_eq!(some.step(), only.step());
    some.advance(best);
    only.advance(best);
    let budget = Budget::simulations(simulations);
    let (report, expect) = (some.run(budget), only.run(budget));
    prop_assert_eq!((report.arms, report.lines), (expect.arms, expect.lines));
    prop_assert_eq!(some.step(), only.step());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn as_in_a_game_without_the_others(first in 1u32..128, seed: u64, simulations in 1u64..600) {
        let case = (first, seed, simulations);
        check((|search| search, |search| search), case)?;
        check((|search| search.solver(true), |search| search.solver(true)), case)?;
        check((|search| search.wave(4), |search| search.wave(4)), case)?;
        check((|search| search.select(UcbTuned), |search| search.select(UcbTuned)), case)?;
        const BYTES: usize = crate::OVERHEAD_BYTES + 2_000;
        check((|search| search.memory(BYTES).recycle(true), |search| search.memory(BYTES).recycle(true)), case)?;
        check(
            (
                |search| search.select(Rave::default()).evaluate(Recorded).amaf(5),
                |search| search.select(Rave::default()).evaluate(Recorded).amaf(5),
            ),
            case,
        )?;
        check(
            (
                |search| search.select(Puct::default()).evaluate(Later),
                |search| search.select(Puct::default()).evaluate(Later),
            ),
            case,
        )?;
    }
}

fn search() -> Search<Sweets, Ucb1, Uniform> {
    Search::new(Sweets::new(SWEETS)).seed(3)
}

/// The tree is kept while the same actions are allowed. Listing all actions is no restriction.
#[test]
fn another_choice_of_actions_begins_anew() {
    let mut search = search();
    let mut pulls = |allowed: Option<&[u16]>| {
        search.allow(allowed);
        let report = search.run(Budget::simulations(100));
        (report.arms.len(), report.arms.iter().map(|arm| arm.pulls).sum::<u32>())
    };
    assert_eq!(pulls(Some(&[4, 2])), (2, 100));
    assert_eq!(pulls(Some(&[2, 4, 4, 99])), (2, 200));
    assert_eq!(pulls(Some(&[2, 5])), (2, 100));
    assert_eq!(pulls(None), (7, 100));
    assert_eq!(pulls(Some(&[0, 1, 2, 3, 4, 5, 6])), (7, 200));
}

/// An action that was not allowed can still be played. The tree is then empty.
#[test]
fn moves_that_were_left_out_can_be_played() {
    let mut search = search();
    search.allow(Some(&[4, 2]));
    search.run(Budget::simulations(100));
    search.advance(5);
    let report = search.run(Budget::simulations(100));
    assert_eq!((report.arms.len(), report.arms.iter().map(|arm| arm.pulls).sum::<u32>()), (6, 100));
}

#[test]
fn without_actions_there_is_nothing_to_search() {
    let mut search = search();
    search.allow(Some(&[]));
    let report = search.run(Budget::simulations(100));
    assert_eq!((report.best, report.simulations, report.arms.len()), (None, 0, 0));
    assert!(search.step().is_none());
    search.allow(None);
    assert!(search.run(Budget::simulations(100)).best.is_some());
}

/// In a saved file the root's edges cover all actions.
#[test]
fn some_actions_are_not_saved() {
    let mut search = search();
    search.run(Budget::simulations(50));
    let mut all = Vec::new();
    search.save("tag", &mut all).expect("a search of all actions");
    search.allow(Some(&[1]));
    search.run(Budget::simulations(50));
    let error = search.save("tag", Vec::new()).expect_err("a search of one action");
    assert_eq!(error.kind(), std::io::ErrorKind::Unsupported);
    search.load("tag", &all[..]).expect("it was saved");
    assert_eq!(search.run(Budget::simulations(50)).arms.len(), 7);
}

/// All threads leave out the same actions, and so does an agent that moves to another position.
#[test]
fn agents_leave_actions_out() {
    let game = Sweets::new(SWEETS);
    let mut threads = RootParallel::new(search(), 3);
    assert!(threads.allow(&game, Some(&[0, 3])));
    let report = threads.think(&game, Budget::simulations(300), &mut ());
    assert_eq!(report.arms.iter().map(|arm| arm.action).collect::<Vec<_>>(), [0, 3]);
    let mut after = game;
    after.play(0);
    assert!(threads.allow(&after, Some(&[0])), "the first that is left");
    assert_eq!(threads.think(&after, Budget::simulations(300), &mut ()).best, Some(1));
}
