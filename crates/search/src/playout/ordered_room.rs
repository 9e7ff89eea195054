//! Buffers for ordered playouts.

use crate::learn::Order;

/// Buffers for ordered playouts: bits, and a table that a game builds once per order and uses for many playouts.
#[derive(Clone, Debug, Default)]
pub struct OrderedRoom {
    bits: Vec<u64>,
    table: Vec<[u64; 2]>,
    /// The order and the game that the table was made for.
    made_for: (u64, u64),
}

impl OrderedRoom {
    /// The bits, whose content has no meaning, and the table for this order and game. `make` rebuilds the table if it
    /// was made for another pair. Each game chooses its [`identity`](crate::identity); games with the same table
    /// share one.
    #[inline]
    pub fn table(
        &mut self,
        order: &Order,
        game: u64,
        make: impl FnOnce(&mut Vec<[u64; 2]>),
    ) -> (&mut Vec<u64>, &[[u64; 2]]) {
        let wanted = (order.identity(), game);
        if self.made_for != wanted {
            self.table.clear();
            make(&mut self.table);
            self.made_for = wanted;
        }
        (&mut self.bits, &self.table)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_made_once_for_an_order() {
        let (mut order, mut room, mut made) = (Order::of(vec![1, 0]), OrderedRoom::default(), 0);
        let mut look = |order: &Order, game| {
            room.table(order, game, |table| {
                made += 1;
                table.push([order.key_at(0) as u64, game]);
            });
            (made, room.table(order, game, |_| unreachable!()).1.to_vec())
        };
        assert_eq!(look(&order, 7), (1, vec![[1, 7]]));
        assert_eq!(look(&order.clone(), 7), (1, vec![[1, 7]]));
        order.relocate(0, 1);
        assert_eq!(look(&order, 7), (2, vec![[0, 7]]));
        assert_eq!(look(&order, 8), (3, vec![[0, 8]]));
    }
}
