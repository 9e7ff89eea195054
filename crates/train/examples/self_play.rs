//! Measures the speed of self-play of Connect Four, with the game's own type and hidden: `cargo run --release -p
//! aji-train --example self_play -- "conv channels=32 blocks=3" "gumbel simulations=32" 256 2`.

use aji_games::ConnectFour;
use aji_net::Network;
use aji_search::{Abilities, AnyGame};
use aji_train::{CACHE_BYTES, Counter, Learnable, Lesson, Plan, Settings};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

fn main() -> Result<(), String> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let word = |place: usize, standard: &str| words.get(place).map_or(standard, |word| word).to_string();
    let number = |place: usize, standard: &str| {
        word(place, standard).parse::<u64>().map_err(|error| error.to_string())
    };
    let design = word(0, "conv channels=32 blocks=3").parse()?;
    let plan =
        Plan { search: word(1, "gumbel simulations=32").parse()?, settings: Settings::default(), seed: 1 };
    let (games, threads) = (number(2, "256")?, number(3, "2")?);
    let hidden = AnyGame::with(ConnectFour::new(), Abilities::none().hashed().symmetric());
    let lessons: [(&str, Box<dyn Learnable>); 2] = [
        ("own type", Box::new(Lesson::symmetric(ConnectFour::new()))),
        ("hidden", Box::new(Lesson::symmetric(hidden))),
    ];
    for (name, lesson) in lessons {
        let network = Arc::new(Network::new(lesson.shape(), design, 1)?);
        let stop = AtomicBool::new(false);
        let counter = Counter::new(0, games, &stop);
        let mut players: Vec<_> = (0..threads).map(|_| lesson.player(&plan, CACHE_BYTES)).collect();
        let begun = Instant::now();
        let plies: u64 = std::thread::scope(|scope| {
            let (counter, network) = (&counter, &network);
            let workers: Vec<_> =
                players.iter_mut().map(|player| scope.spawn(move || player.play(network, counter))).collect();
            workers
                .into_iter()
                .flat_map(|worker| worker.join().expect("a thread"))
                .map(|game| game.counts.plies)
                .sum()
        });
        let seconds = begun.elapsed().as_secs_f64();
        let (looks, remembered) = players
            .iter()
            .map(|player| player.looks())
            .fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        println!(
            "{name}: {:.1} games/s, {:.0} plies/s, {:.0} looks/s, {:.1}% remembered, {:.1} plies a game",
            games as f64 / seconds,
            plies as f64 / seconds,
            looks as f64 / seconds,
            100.0 * remembered as f64 / (looks + remembered) as f64,
            plies as f64 / games as f64
        );
    }
    Ok(())
}
