//! A game of your own in the workbench: every command of `aji` plays, searches and measures it by name.
//!
//! ```sh
//! cargo run --release -p aji --features cli --example own_game -- search "stones stones=21"
//! ```

use aji::{Game, Named, Own, Payoff, Player, Turn, Workbench};

/// A heap of stones. A player takes one, two or three; who takes the last one wins.
#[derive(Clone, Debug, PartialEq)]
struct Stones(usize, Player);

impl Game for Stones {
    type Action = usize;

    fn turn(&self) -> Turn {
        if self.0 == 0 { Turn::Over } else { Turn::Player(self.1) }
    }

    fn actions(&self, out: &mut Vec<usize>) {
        out.extend(1..=self.0.min(3));
    }

    fn play(&mut self, taken: usize) {
        *self = Stones(self.0 - taken, 1 - self.1);
    }

    fn payoff(&self) -> Payoff {
        Payoff::win(1 - self.1)
    }
}

impl Named for Stones {
    fn action_name(&self, taken: usize) -> String {
        format!("take{taken}")
    }

    fn text(&self) -> String {
        format!("{}/{}", self.0, self.1)
    }

    fn read(&self, text: &str) -> Result<Stones, String> {
        let stones = text.split_once('/').and_then(|(left, mover)| Some((left.parse().ok()?, mover)));
        let mover = |mover: &str| ["0", "1"].iter().position(|known| *known == mover);
        let found = stones.and_then(|(left, text)| Some(Stones(left, mover(text)? as Player)));
        found.ok_or_else(|| format!("\"{text}\": expected the stones and who is to move, such as 9/0"))
    }

    fn board(&self) -> String {
        "o".repeat(self.0) + "\n"
    }
}

fn main() -> std::process::ExitCode {
    let workbench = Workbench::new().game("stones", |options| {
        Ok(Own::new(Stones(options.count("stones", 1..=1000)?.unwrap_or(10), 0)).named().compared())
    });
    aji::cli::main_with(workbench.about("take one to three stones; the last wins", "stones=1..1000 (10)"))
}
