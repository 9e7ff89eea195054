//! A game of self-play as samples, and samples as bytes. Ascending numbers are stored as differences, seven bits a
//! byte, and probabilities in 16 bits.

use aji_net::Sample;
use aji_search::Shape;
use serde::{Deserialize, Serialize};
use std::ops::AddAssign;

/// The most copies of a sample.
pub const COPIES_MAX: u8 = 16;

/// One position to learn from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Position {
    /// The features that are on, ascending.
    pub features: Vec<u32>,
    /// The numbers of the legal actions, ascending, each with its target probability.
    pub policy: Vec<(u16, f32)>,
    /// The target value: the expected reward of the player to act.
    pub value: f32,
    /// How often the window holds it.
    pub copies: u8,
}

/// Counts of some games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counts {
    /// Games.
    pub games: u64,
    /// Plies that were searched, without random openings.
    pub plies: u64,
    /// Positions to learn from.
    pub positions: u64,
    /// Games that player 0 won.
    pub first_wins: u64,
    /// Games that nobody won.
    pub draws: u64,
    /// Positions whose value was proven.
    pub proven: u64,
    /// Games in which a player resigned.
    pub resigned: u64,
    /// Games in which a player would have resigned, but which were played on to check.
    pub checked: u64,
    /// Checked games that this player did not lose.
    pub wrongly: u64,
    /// The sum of the entropies of the target policies.
    pub entropy: f64,
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.games += other.games;
        self.plies += other.plies;
        self.positions += other.positions;
        self.first_wins += other.first_wins;
        self.draws += other.draws;
        self.proven += other.proven;
        self.resigned += other.resigned;
        self.checked += other.checked;
        self.wrongly += other.wrongly;
        self.entropy += other.entropy;
    }
}

/// A finished game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRecord {
    /// Its number.
    pub number: u64,
    /// The positions, as [`Position::write`] writes them.
    pub bytes: Vec<u8>,
    /// Its counts.
    pub counts: Counts,
}

impl Position {
    /// Appends the position to some bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        write_number(self.features.len() as u32, out);
        let mut last = 0;
        for &feature in &self.features {
            write_number(feature - last, out);
            last = feature;
        }
        write_number(self.policy.len() as u32, out);
        let mut last = 0;
        for &(action, share) in &self.policy {
            write_number(u32::from(action) - last, out);
            last = action.into();
            out.extend(((share.clamp(0.0, 1.0) * 65_535.0 + 0.5) as u16).to_le_bytes());
        }
        out.extend(self.value.to_le_bytes());
        out.push(self.copies);
    }
}

/// Reads a position from the front of some bytes into a sample, and advances past it. Returns its copies; `None` if the
/// bytes are not a position of a game of this shape.
pub(crate) fn read_position(bytes: &mut &[u8], shape: &Shape, sample: &mut Sample) -> Option<u8> {
    sample.features.clear();
    sample.actions.clear();
    sample.policy.clear();
    let (count, mut last) = (read_number(bytes)?, 0u32);
    if count as usize > shape.features() {
        return None;
    }
    for place in 0..count {
        let step = read_number(bytes)?;
        last = last.checked_add(step).filter(|&feature| (feature as usize) < shape.features())?;
        if place > 0 && step == 0 {
            return None;
        }
        sample.features.push(last);
    }
    let (count, mut last, mut sum) = (read_number(bytes)?, 0u32, 0u32);
    if count as usize > shape.actions {
        return None;
    }
    for place in 0..count {
        let step = read_number(bytes)?;
        last = last.checked_add(step).filter(|&action| (action as usize) < shape.actions)?;
        if place > 0 && step == 0 {
            return None;
        }
        let share = u16::from_le_bytes(*bytes.split_off(..2)?.first_chunk()?);
        sum += u32::from(share);
        sample.actions.push(last as u16);
        sample.policy.push(share.into());
    }
    if count > 0 && sum == 0 {
        return None;
    }
    sample.policy.iter_mut().for_each(|share| *share /= sum as f32);
    sample.value = f32::from_le_bytes(*bytes.split_off(..4)?.first_chunk()?);
    sample.weights = [1.0; 2];
    let copies = *bytes.split_off_first()?;
    ((0.0..=1.0).contains(&sample.value) && copies <= COPIES_MAX).then_some(copies)
}

fn write_number(mut number: u32, out: &mut Vec<u8>) {
    while number >= 128 {
        out.push(number as u8 | 128);
        number >>= 7;
    }
    out.push(number as u8);
}

fn read_number(bytes: &mut &[u8]) -> Option<u32> {
    let mut number = 0u64;
    for shift in (0..35).step_by(7) {
        let byte = *bytes.split_off_first()?;
        number |= u64::from(byte & 127) << shift;
        if byte < 128 {
            return number.try_into().ok();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use aji_bandit::Rng;

    const SHAPE: Shape = Shape { planes: 40, rows: 19, columns: 19, actions: 362 };

    fn position(rng: &mut Rng) -> Position {
        let features = (0..SHAPE.features() as u32).filter(|_| rng.below(50) == 0).collect();
        let actions: Vec<u16> = (0..SHAPE.actions as u16).filter(|_| rng.below(3) == 0).collect();
        let share = 1.0 / actions.len() as f32;
        let policy = actions.into_iter().map(|action| (action, share)).collect();
        Position { features, policy, value: rng.unit(), copies: rng.below(4) as u8 }
    }

    #[test]
    fn positions_are_written_and_read() {
        let (mut rng, mut sample) = (Rng::seeded(1), Sample::default());
        for _ in 0..100 {
            let position = position(&mut rng);
            let mut bytes = Vec::new();
            position.write(&mut bytes);
            bytes.push(7);
            let mut rest = &bytes[..];
            assert_eq!(read_position(&mut rest, &SHAPE, &mut sample), Some(position.copies));
            assert_eq!(rest, [7]);
            assert_eq!((&sample.features, sample.value), (&position.features, position.value));
            let actions: Vec<u16> = position.policy.iter().map(|&(action, _)| action).collect();
            assert_eq!(sample.actions, actions);
            assert!(
                sample
                    .policy
                    .iter()
                    .zip(&position.policy)
                    .all(|(found, (_, share))| (found - share).abs() < 1e-4)
            );
        }
    }

    /// Whatever the bytes are, reading does not panic, and its result fits the shape.
    #[test]
    fn damaged_positions_are_refused() {
        let (mut rng, mut sample) = (Rng::seeded(2), Sample::default());
        let mut refused = 0;
        for _ in 0..20_000 {
            let mut bytes = Vec::new();
            let full = position(&mut rng);
            let few =
                Position { features: full.features[..3].to_vec(), policy: full.policy[..3].to_vec(), ..full };
            few.write(&mut bytes);
            let place = rng.below(bytes.len());
            bytes[place] = rng.below(256) as u8;
            bytes.truncate(1 + rng.below(bytes.len()));
            match read_position(&mut &bytes[..], &SHAPE, &mut sample) {
                Some(_) => {
                    assert!(sample.features.iter().all(|&feature| (feature as usize) < SHAPE.features()));
                    assert!(sample.actions.iter().all(|&action| usize::from(action) < SHAPE.actions));
                }
                None => refused += 1,
            }
        }
        assert!(refused > 10_000);
    }
}
