//! Orders that agents learn.

use aji_catalog::{AgentName, LearnedAction, LearnedOrder, MatchRate, study_order};
use aji_cgt::Dyadic;

fn action(heap: usize, counters: usize, temperature: i32) -> LearnedAction {
    LearnedAction { heap, counters, top_weight: 1, temperature: Dyadic::from(temperature) }
}

#[test]
fn pairs_by_hand() {
    let actions = vec![action(1, 2, 5), action(2, 1, 7), action(1, 1, 7), action(3, 1, 2)];
    let rate = LearnedOrder { actions, simulations: 0 }.match_rate();
    // 5 before 7 is wrong; 7 and 7 tie; 5, 7 and 7 before 2 are right; 5 and 7 of one heap do not count.
    assert_eq!(rate, MatchRate { matched: 3, pairs: 4, ties: 1 });
    assert_eq!((rate.excluding_ties(), rate.strict()), (Some(0.75), Some(0.6)));
}

#[test]
fn agents_learn_what_is_hot() {
    let rate = |agent: &str| {
        let agent: AgentName = agent.parse().expect("an agent");
        let mut total = MatchRate::default();
        for seed in 1..=10 {
            let game = format!("heap-go heaps=4 counters=4 seed={seed}");
            let rate = study_order(&game, None, &agent).expect("an order").match_rate();
            (total.matched, total.pairs) = (total.matched + rate.matched, total.pairs + rate.pairs);
        }
        total.excluding_ties().expect("pairs")
    };
    // Over 70 to 90 of 100 games' pairs match; ten games stray by a few.
    assert!(rate("uct c=15 unit=points playout=maxi simulations=2000") > 0.75);
    assert!(rate("uct c=15 unit=points learn=ride read=squares simulations=2000") > 0.75);
    assert!(rate("uct c=15 unit=points playout=potential simulations=2000") > 0.72);
    assert!(rate("divide simulations=2000") > 0.8);
}

/// The same seed, the same order.
#[test]
fn orders_by_seed() {
    let order = |agent: &str| {
        let agent: AgentName = agent.parse().expect("an agent");
        let order = study_order("heap-go heaps=3 counters=2 seed=7", None, &agent).expect("an order");
        order.actions.iter().map(|action| action.heap * 10 + action.counters).collect::<Vec<_>>()
    };
    let by_ride = order("uct c=15 unit=points playout=maxi simulations=200");
    assert_eq!(by_ride, RIDE_GOLDEN);
    assert_eq!(order("uct c=15 unit=points playout=maxi simulations=200"), by_ride);
    assert_eq!(order("uct c=15 unit=points playout=potential simulations=200"), POTENTIAL_GOLDEN);
    assert_eq!(order("uct c=15 unit=points playout=maxi learn=rave simulations=200"), AMAF_GOLDEN);
    assert_eq!(order("divide simulations=200"), DIVIDE_GOLDEN);
    assert_eq!(order("divide simulations=200 threads=3"), DIVIDE_GOLDEN);
}

/// Heap and counters, two digits an action.
const RIDE_GOLDEN: [usize; 6] = [22, 12, 21, 32, 11, 31];
const POTENTIAL_GOLDEN: [usize; 6] = [22, 12, 21, 11, 32, 31];
const AMAF_GOLDEN: [usize; 6] = [22, 21, 12, 11, 32, 31];
const DIVIDE_GOLDEN: [usize; 6] = [12, 32, 22, 21, 11, 31];

#[test]
fn what_cannot_be_learned_is_said() {
    let error = |game: &str, agent: &str| {
        study_order(game, None, &agent.parse().expect("an agent")).expect_err("a mistake").to_string()
    };
    assert!(error("heap-go", "uct").contains("learns no order: give a search with playout=maxi"));
    assert!(error("hex", "uct playout=maxi").contains("known: heap-go"));
    assert!(error("heap-go heaps=x", "uct playout=maxi").contains("heaps=x: expected"));
}
