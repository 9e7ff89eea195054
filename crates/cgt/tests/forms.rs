//! Canonical forms against the definitions: trees of options, compared by brute force.

use aji_cgt::{Dyadic, Form, GameError, Games, Outcome, Relation, Side, Thermograph};
use proptest::prelude::*;

/// A game as a tree, in no particular form.
#[derive(Clone, Debug)]
struct Tree([Vec<Tree>; 2]);

impl Tree {
    /// The definition: G >= H unless some right option of G is <= H, or G is <= some left option of H.
    fn at_least(&self, other: &Tree) -> bool {
        !self.0[1].iter().any(|right| other.at_least(right))
            && !other.0[0].iter().any(|left| left.at_least(self))
    }

    fn relation(&self, other: &Tree) -> Relation {
        match (self.at_least(other), other.at_least(self)) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Greater,
            (false, true) => Relation::Less,
            (false, false) => Relation::Confused,
        }
    }

    fn plus(&self, other: &Tree) -> Tree {
        Tree([0, 1].map(|side| {
            let own = self.0[side].iter().map(|option| option.plus(other));
            own.chain(other.0[side].iter().map(|option| self.plus(option))).collect()
        }))
    }

    fn negative(&self) -> Tree {
        Tree([1, 0].map(|side| self.0[side].iter().map(Tree::negative).collect()))
    }

    fn form(&self, games: &mut Games) -> Form {
        let [lefts, rights] =
            [0, 1].map(|side| self.0[side].iter().map(|option| option.form(games)).collect::<Vec<_>>());
        games.from_options(&lefts, &rights).unwrap()
    }

    fn of_form(games: &mut Games, form: Form) -> Tree {
        Tree(Side::BOTH.map(|side| {
            let options = games.options(form, side).unwrap();
            options.iter().map(|&option| Tree::of_form(games, option)).collect()
        }))
    }

    /// True if some subposition equals a number although both sides can move in it.
    fn has_disguised_number(&self, games: &mut Games) -> bool {
        let form = self.form(games);
        let is_disguised =
            self.0.iter().all(|options| !options.is_empty()) && games.as_number(form).is_some();
        is_disguised || self.0.iter().flatten().any(|option| option.has_disguised_number(games))
    }

    fn birthday(&self) -> u128 {
        self.0.iter().flatten().map(|option| option.birthday() + 1).max().unwrap_or(0)
    }

    fn size(&self) -> usize {
        1 + self.0.iter().flatten().map(Tree::size).sum::<usize>()
    }

    fn thermograph(&self) -> Thermograph {
        let graphs = [0, 1].map(|side| self.0[side].iter().map(Tree::thermograph).collect::<Vec<_>>());
        let lefts: Vec<_> = graphs[0].iter().map(|graph| graph.right().clone()).collect();
        let rights: Vec<_> = graphs[1].iter().map(|graph| graph.left().clone()).collect();
        Thermograph::of_options(&lefts, &rights).unwrap()
    }
}

fn whole(value: i32) -> Tree {
    let before = |value: i32| vec![whole(value)];
    match value {
        0 => Tree([vec![], vec![]]),
        1.. => Tree([before(value - 1), vec![]]),
        _ => Tree([vec![], before(value + 1)]),
    }
}

/// Trees up to three moves deep, above whole numbers.
fn tree() -> impl Strategy<Value = Tree> {
    (-2..=2).prop_map(whole).prop_recursive(3, 16, 2, |inner| {
        [prop::collection::vec(inner.clone(), 0..3), prop::collection::vec(inner, 0..3)].prop_map(Tree)
    })
}

/// Hot trees: both sides have moves.
fn hot() -> impl Strategy<Value = Tree> {
    (-3..=3).prop_map(whole).prop_recursive(2, 8, 2, |inner| {
        [prop::collection::vec(inner.clone(), 1..3), prop::collection::vec(inner, 1..3)].prop_map(Tree)
    })
}

fn number(numerator: i128, exponent: u32) -> Dyadic {
    Dyadic::new(numerator, exponent).unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn the_order_is_the_definition(a in tree(), b in tree()) {
        let games = &mut Games::new();
        let (g, h) = (a.form(games), b.form(games));
        let relation = games.relation(g, h).unwrap();
        prop_assert_eq!(relation, a.relation(&b));
        prop_assert_eq!(g == h, relation == Relation::Equal);
    }

    /// The form equals the tree, is no larger, and its own canonical form is itself.
    #[test]
    fn canonical_forms(a in tree()) {
        let games = &mut Games::new();
        let form = a.form(games);
        let canonical = Tree::of_form(games, form);
        prop_assert_eq!(canonical.relation(&a), Relation::Equal);
        prop_assert!(canonical.size() <= a.size());
        prop_assert_eq!(canonical.form(games), form);
        prop_assert_eq!(games.birthday(form).unwrap(), canonical.birthday());
        prop_assert!(canonical.birthday() <= a.birthday());
    }

    /// No option is dominated or reversible, by definition.
    #[test]
    fn nothing_can_be_left_out(a in tree()) {
        let games = &mut Games::new();
        let form = a.form(games);
        let Tree([lefts, rights]) = Tree::of_form(games, form);
        for (index, left) in lefts.iter().enumerate() {
            prop_assert!(!lefts.iter().enumerate().any(|(other, tree)| other != index && tree.at_least(left)));
            prop_assert!(!left.0[1].iter().any(|answer| a.at_least(answer)));
        }
        for (index, right) in rights.iter().enumerate() {
            prop_assert!(!rights.iter().enumerate().any(|(other, tree)| other != index && right.at_least(tree)));
            prop_assert!(!right.0[0].iter().any(|answer| answer.at_least(&a)));
        }
    }

    #[test]
    fn sums_are_sums_of_trees(a in hot(), b in hot()) {
        let games = &mut Games::new();
        let (g, h) = (a.form(games), b.form(games));
        prop_assert_eq!(games.plus(g, h).unwrap(), a.plus(&b).form(games));
        prop_assert_eq!(games.negative(g).unwrap(), a.negative().form(games));
    }

    #[test]
    fn a_group_in_partial_order(a in tree(), b in tree(), c in tree()) {
        let games = &mut Games::new();
        let (g, h, k) = (a.form(games), b.form(games), c.form(games));
        let sum = games.plus(g, h).unwrap();
        prop_assert_eq!(sum, games.plus(h, g).unwrap());
        let (first, second) = (games.plus(sum, k).unwrap(), games.plus(h, k).unwrap());
        prop_assert_eq!(first, games.plus(g, second).unwrap());
        prop_assert_eq!(games.minus(sum, h).unwrap(), g);
        // Adding k keeps the order, and so does the difference with 0.
        let shifted = games.plus(g, k).unwrap();
        let relation = games.relation(g, h).unwrap();
        prop_assert_eq!(games.relation(shifted, second).unwrap(), relation);
        let difference = games.minus(g, h).unwrap();
        prop_assert_eq!(games.relation(difference, Form::ZERO).unwrap(), relation);
        if games.at_least(g, h).unwrap() && games.at_least(h, k).unwrap() {
            prop_assert!(games.at_least(g, k).unwrap());
        }
    }

    /// Means add, temperatures do not rise, and the left stop of n copies stays within a move of n means.
    #[test]
    fn means_and_temperatures(a in hot(), b in hot()) {
        let games = &mut Games::new();
        let (g, h) = (a.form(games), b.form(games));
        let sum = games.plus(g, h).unwrap();
        let mean = games.mean(g).unwrap().plus(games.mean(h).unwrap()).unwrap();
        prop_assert_eq!(games.mean(sum).unwrap(), mean);
        let temperature = games.temperature(g).unwrap().max(games.temperature(h).unwrap());
        prop_assert!(games.temperature(sum).unwrap() <= temperature);
        for count in 1..5 {
            let copies = games.times(g, count).unwrap();
            let (stop, mean) = (games.left_stop(copies), games.mean(g).unwrap().times(count).unwrap());
            let heat = games.temperature(g).unwrap().max(Dyadic::ZERO);
            prop_assert!(mean <= stop && stop <= mean.plus(heat).unwrap());
        }
    }

    /// From tax 0 on the walls are those of the tree, unless it has a number in disguise. Walls cannot tell * from 0,
    /// so they cannot tell which number is the simplest that fits.
    #[test]
    fn thermographs_are_those_of_the_options(a in hot()) {
        let games = &mut Games::new();
        let form = a.form(games);
        let (graph, direct) = (games.thermograph(form).unwrap(), a.thermograph());
        for tax in if a.has_disguised_number(games) { 0..0 } else { 0..16 } {
            let tax = number(tax, 2);
            prop_assert_eq!(graph.left().at(tax), direct.left().at(tax));
            prop_assert_eq!(graph.right().at(tax), direct.right().at(tax));
        }
        prop_assert_eq!(graph.left_stop(), Ok(games.left_stop(form)));
        prop_assert_eq!(graph.right_stop(), Ok(games.right_stop(form)));
        prop_assert_eq!(&*graph, &Tree::of_form(games, form).thermograph());
        prop_assert_eq!(games.temperature(form).unwrap(), graph.temperature());
        prop_assert_eq!(games.mean(form).unwrap(), graph.mean());
    }

    /// The stops of the cooled game are the walls, and cooling is additive.
    #[test]
    fn cooling(a in hot(), b in hot(), quarters in 0i128..12) {
        let games = &mut Games::new();
        let (g, h, tax) = (a.form(games), b.form(games), number(quarters, 2));
        let cooled = games.cool(g, tax).unwrap();
        let graph = games.thermograph(g).unwrap();
        prop_assert_eq!(Ok(games.left_stop(cooled)), graph.left().at(tax));
        prop_assert_eq!(Ok(games.right_stop(cooled)), graph.right().at(tax));
        if games.temperature(g).unwrap() < tax {
            prop_assert_eq!(games.as_number(cooled), Some(graph.mean()));
        }
        let (sum, other) = (games.plus(g, h).unwrap(), games.cool(h, tax).unwrap());
        let (cooled_sum, sum_of_cooled) = (games.cool(sum, tax).unwrap(), games.plus(cooled, other).unwrap());
        prop_assert_eq!(cooled_sum, sum_of_cooled);
    }

    #[test]
    fn incentives(a in hot()) {
        let games = &mut Games::new();
        let form = a.form(games);
        for side in Side::BOTH {
            let options = games.options(form, side).unwrap();
            let incentives = games.incentives(form, side).unwrap();
            for (&option, &incentive) in options.iter().zip(&incentives) {
                let sum = games.plus(if side == Side::Left { form } else { option }, incentive).unwrap();
                prop_assert_eq!(sum, if side == Side::Left { option } else { form });
                // An incentive is never >= 0: a move uses up the right to move.
                prop_assert!(!games.at_least(incentive, Form::ZERO).unwrap());
            }
            let best = games.best_incentives(form, side).unwrap();
            for &incentive in &incentives {
                prop_assert!(best.iter().any(|&best| games.at_least(best, incentive).unwrap()));
            }
        }
    }
}

/// Plain games have the options, the order, the sums and the thermographs that their trees have.
#[test]
fn number_up_star() {
    let games = &mut Games::new();
    let mut forms = Vec::new();
    for (numerator, exponent) in [(0, 0), (1, 0), (-1, 1)] {
        for ups in -3..=3 {
            for nimber in 0..4 {
                forms.push(games.number_up_star(number(numerator, exponent), ups, nimber).unwrap());
            }
        }
    }
    let trees: Vec<Tree> = forms.iter().map(|&form| Tree::of_form(games, form)).collect();
    for (form, tree) in forms.iter().zip(&trees) {
        assert_eq!(tree.form(games), *form);
        assert_eq!(games.birthday(*form).unwrap(), tree.birthday());
        assert_eq!(*games.thermograph(*form).unwrap(), tree.thermograph());
        for (other, other_tree) in forms.iter().zip(&trees) {
            assert_eq!(games.relation(*form, *other).unwrap(), tree.relation(other_tree));
        }
    }
    // Sums, of those small enough for brute force.
    let small: Vec<_> = forms.iter().zip(&trees).filter(|(_, tree)| tree.size() < 12).collect();
    assert!(small.len() > 10);
    for (form, tree) in &small {
        for (other, other_tree) in &small {
            assert_eq!(games.plus(**form, **other).unwrap(), tree.plus(other_tree).form(games));
        }
    }
}

#[test]
fn known_values() {
    let games = &mut Games::new();
    let (star, up) = (games.nimber(1).unwrap(), games.up(1).unwrap());
    let zero = Form::ZERO;
    assert_eq!(games.from_options(&[zero], &[star]).unwrap(), up);
    let up_star = games.plus(up, star).unwrap();
    assert_eq!(games.from_options(&[zero, star], &[zero]).unwrap(), up_star);
    let (two_up, two_up_star) = (games.up(2).unwrap(), games.number_up_star(Dyadic::ZERO, 2, 1).unwrap());
    assert_eq!(games.from_options(&[zero], &[up_star]).unwrap(), two_up);
    assert_eq!(games.from_options(&[zero], &[up]).unwrap(), two_up_star);
    let switch = games.switch(number(1, 0), number(-1, 0)).unwrap();
    assert_eq!(games.plus(switch, switch).unwrap(), zero);
    assert_eq!(games.outcome(switch).unwrap(), Outcome::First);
    let (two, three) = (games.nimber(2).unwrap(), games.nimber(3).unwrap());
    assert_eq!(games.plus(two, three).unwrap(), star);
    assert_eq!(games.relation(up, star).unwrap(), Relation::Confused);
    assert_eq!(games.relation(two_up, star).unwrap(), Relation::Greater);
    // Tiny, {0||0|-2}: positive, and below every up.
    let threat = games.switch(Dyadic::ZERO, number(-2, 0)).unwrap();
    let tiny = games.from_options(&[zero], &[threat]).unwrap();
    assert_eq!(games.outcome(tiny).unwrap(), Outcome::Left);
    assert_eq!(games.relation(up, tiny).unwrap(), Relation::Greater);
    let many = games.times(tiny, 20).unwrap();
    assert_eq!(games.relation(up, many).unwrap(), Relation::Greater);
    // +-1 cooled by 1 is *, and * heated by 1 is +-1.
    assert_eq!(games.cool(switch, Dyadic::ONE).unwrap(), star);
    assert_eq!(games.cool(switch, number(3, 1)).unwrap(), zero);
    assert_eq!(games.heat(star, Dyadic::ONE).unwrap(), switch);
    assert_eq!(games.cool(switch, number(-1, 0)), Err(GameError::BelowZero(number(-1, 0))));
}

/// Large numbers, fine ones and many ups take no memory.
#[test]
fn large_plain_games() {
    let games = &mut Games::new();
    let fine = games.number(number(1, 100)).unwrap();
    let large = games.number(number(1_000_000_000, 0)).unwrap();
    let ups = games.up(1_000_000_000).unwrap();
    assert_eq!(games.relation(fine, ups).unwrap(), Relation::Greater);
    assert_eq!(games.birthday(large), Ok(1_000_000_000));
    let sum = games.plus(large, ups).unwrap();
    assert_eq!(games.temperature(sum), Ok(Dyadic::ZERO));
    assert_eq!(games.minus(sum, ups), Ok(large));
    assert_eq!(games.times(ups, 3), Err(GameError::Ups));
    assert!(games.count() < 20);
    // Its neighbours on both sides are fine too.
    let fine = games.number(number(0x5555_5555_5555_5555_5555, 80)).unwrap();
    assert_eq!(games.thermograph(fine).unwrap().temperature(), number(-1, 80));
    assert!(games.count() < 400);
}

/// A ladder of threats that is too deep is an error; a shallower one is computed within a small stack.
#[test]
fn deep_games() {
    let games = &mut Games::new();
    let mut form = Form::ZERO;
    let mut ladder = |games: &mut Games, rungs: i128| -> Result<Form, GameError> {
        for rung in 1..=rungs {
            let threat = games.number(number(2 * rung, 0))?;
            let hot = games.from_options(&[threat], &[form])?;
            form = games.from_options(&[hot], &[form])?;
        }
        Ok(form)
    };
    let deep = ladder(games, 150).unwrap();
    let negative = games.negative(deep).unwrap();
    assert!(games.birthday(negative).is_ok() && games.thermograph(negative).is_ok());
    let one = games.number(Dyadic::ONE).unwrap();
    assert!(games.plus(negative, one).is_ok());
    let ups = games.up(1_000_000).unwrap();
    let tiny = {
        let threat = games.switch(Dyadic::ZERO, number(-2, 0)).unwrap();
        games.from_options(&[Form::ZERO], &[threat]).unwrap()
    };
    assert_eq!(games.plus(ups, tiny), Err(GameError::Depth));
    assert_eq!(games.heat(ups, Dyadic::ONE), Err(GameError::Depth));
    // After the error the games still work.
    assert_eq!(games.plus(one, Form::ZERO), Ok(one));
}
