//! Orders of least cost: the linear ordering problem (Kao et al. 2013, equations 23 to 25).
//!
//! The cost of an order is the sum of D(b, a) over all pairs where a comes before b although D(b, a) > 0. It differs
//! by a constant from the sum of D(b, a) over all pairs with a before b. So moving a key past others changes the cost
//! by a sum of D along the way.

use super::{Differences, Order};

/// The most keys for which [`exact`] works.
pub const EXACT_MAX: usize = 16;

/// The sum of D over misordered pairs.
pub fn cost(order: &Order, differences: &Differences) -> f64 {
    let keys = order.keys();
    let mut cost = 0.0;
    for (place, &before) in keys.iter().enumerate() {
        for &after in &keys[place + 1..] {
            cost += f64::from(differences.of(after as usize, before as usize).max(0.0));
        }
    }
    cost
}

/// The paper's update, after D(u, v) has risen while v comes before u. The cheapest of three: u moves right before v,
/// v moves right after u, or both stay. True if something moved.
pub fn update(order: &mut Order, differences: &Differences, u: usize, v: usize) -> bool {
    let (low, high) = (order.rank(v), order.rank(u));
    if low >= high {
        return false;
    }
    let between = &order.keys()[low..=high];
    let gain = |sum: f32, &key: &u32| sum + differences.of(u, key as usize);
    let up = between[..between.len() - 1].iter().fold(0.0, gain);
    let gain = |sum: f32, &key: &u32| sum + differences.of(key as usize, v);
    let down = between[1..].iter().fold(0.0, gain);
    if up <= 0.0 && down <= 0.0 {
        return false;
    }
    if up >= down {
        order.relocate(high, low)
    } else {
        order.relocate(low, high)
    }
    true
}

/// Moves each of these keys in turn to where it costs least. True if something moved.
pub fn improve(order: &mut Order, differences: &Differences, some: impl Iterator<Item = usize>) -> bool {
    let mut moved = false;
    for key in some {
        let from = order.rank(key);
        let keys = order.keys();
        let (mut best, mut to) = (0.0f32, from);
        let mut gain = 0.0f32;
        for place in (0..from).rev() {
            gain += differences.of(key, keys[place] as usize);
            if gain > best {
                (best, to) = (gain, place);
            }
        }
        gain = 0.0;
        for (place, &passed) in keys.iter().enumerate().skip(from + 1) {
            gain -= differences.of(key, passed as usize);
            if gain > best {
                (best, to) = (gain, place);
            }
        }
        // Gains from rounding are not real, and could cycle forever.
        if best > 1e-6 {
            order.relocate(from, to);
            moved = true;
        }
    }
    moved
}

/// Calls [`improve`] until no move gains, or this many times.
pub fn search(order: &mut Order, differences: &Differences, passes: usize) {
    for _ in 0..passes {
        if !improve(order, differences, 0..differences.keys()) {
            return;
        }
    }
}

/// An order of minimal cost, for at most [`EXACT_MAX`] keys; none for more. By Held and Karp: the best order of a set
/// of keys has some key last, and the others in their best order.
pub fn exact(differences: &Differences) -> Option<Order> {
    let keys = differences.keys();
    if keys > EXACT_MAX {
        return None;
    }
    let sets = 1usize << keys;
    let (mut costs, mut lasts) = (vec![f64::INFINITY; sets], vec![0u8; sets]);
    costs[0] = 0.0;
    for set in 1..sets {
        for last in (0..keys).filter(|last| set >> last & 1 == 1) {
            let others = set & !(1 << last);
            let past = (0..keys).filter(|key| others >> key & 1 == 1);
            let added: f64 = past.map(|key| f64::from(differences.of(last, key).max(0.0))).sum();
            if costs[others] + added < costs[set] {
                (costs[set], lasts[set]) = (costs[others] + added, last as u8);
            }
        }
    }
    let mut backwards = Vec::with_capacity(keys);
    let mut set = sets - 1;
    while set > 0 {
        backwards.push(u32::from(lasts[set]));
        set &= !(1 << lasts[set]);
    }
    backwards.reverse();
    Some(Order::of(backwards))
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_bandit::Rng;

    fn random_differences(keys: usize, rng: &mut Rng) -> Differences {
        let mut differences = Differences::new(keys);
        for one in 0..keys {
            let others: Vec<(usize, f32)> = (0..keys)
                .filter(|&other| other != one)
                .map(|other| (other, (one as f32 - other as f32) * 0.2 + 2.0 * rng.unit() - 1.0))
                .collect();
            differences.add_all(one, others.into_iter());
        }
        differences
    }

    /// For any pair, the paper's update never raises the cost; neither does a pass over all keys.
    #[test]
    fn updates_never_raise_the_cost() {
        let mut rng = Rng::seeded(1);
        let mut lowered = 0;
        for _ in 0..200 {
            let differences = random_differences(9, &mut rng);
            let mut order = Order::random(9, &mut rng);
            let mut before = cost(&order, &differences);
            for _ in 0..20 {
                let (u, v) = (rng.below(9), rng.below(9));
                let moved = update(&mut order, &differences, u, v);
                let after = cost(&order, &differences);
                assert!(after <= before + 1e-5, "{after} after {before}");
                assert!(moved == (after < before - 1e-9) || (after - before).abs() < 1e-5);
                lowered += u32::from(moved);
                before = after;
            }
            improve(&mut order, &differences, 0..9);
            assert!(cost(&order, &differences) <= before + 1e-5);
        }
        assert!(lowered > 500);
    }

    /// All orders of a few keys.
    fn permutations(keys: u32) -> Vec<Vec<u32>> {
        if keys == 0 {
            return vec![vec![]];
        }
        let shorter = permutations(keys - 1);
        let with = |order: &Vec<u32>, place: usize| {
            let mut order = order.clone();
            order.insert(place, keys - 1);
            order
        };
        shorter.iter().flat_map(|order| (0..keys as usize).map(move |place| with(order, place))).collect()
    }

    #[test]
    fn exact_orders_are_the_best_of_all() {
        let mut rng = Rng::seeded(2);
        for _ in 0..20 {
            let differences = random_differences(6, &mut rng);
            let found = cost(&exact(&differences).unwrap(), &differences);
            let costs = permutations(6).into_iter().map(|keys| cost(&Order::of(keys), &differences));
            let least = costs.fold(f64::INFINITY, f64::min);
            assert!((found - least).abs() < 1e-5, "{found} {least}");
        }
        assert_eq!(exact(&Differences::new(EXACT_MAX + 1)), None);
    }

    /// From one of several starts, moves of single keys reach the minimal cost.
    #[test]
    fn moves_of_single_keys_meet_the_optimum() {
        let mut rng = Rng::seeded(3);
        let mut at_once = 0;
        for _ in 0..100 {
            let differences = random_differences(10, &mut rng);
            let least = cost(&exact(&differences).unwrap(), &differences);
            let mut found = || {
                let mut order = Order::random(10, &mut rng);
                search(&mut order, &differences, 100);
                cost(&order, &differences)
            };
            let costs: Vec<f64> = (0..10).map(|_| found()).collect();
            assert!(costs.iter().all(|&cost| cost >= least - 1e-5));
            assert!(costs.iter().any(|&cost| cost <= least + 1e-5), "{least} {costs:?}");
            at_once += u32::from(costs[0] <= least + 1e-5);
        }
        assert!(at_once > 50, "{at_once} of 100 at the first start");
    }
}
