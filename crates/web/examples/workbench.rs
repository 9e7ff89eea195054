//! The workbench in the browser over your own games and agents: `cargo run -p aji-web --example workbench`.

use aji_catalog::Workbench;
use aji_web::{Options, Server};

fn main() -> std::io::Result<()> {
    let port = std::env::args().nth(1).and_then(|port| port.parse().ok()).unwrap_or(7700);
    // Games of your own are added here: `Workbench::new().game(..)`.
    let server = Server::bind(Workbench::new(), Options { port, ..Options::default() })?;
    println!("the workbench is at {}", server.url());
    server.run(|| false)
}
