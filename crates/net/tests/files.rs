//! Files of networks: they are read as written, and rejected if they are torn, foreign or hostile.

use aji_bandit::Rng;
use aji_net::{Description, Design, Network, Workspace};
use aji_search::Shape;

fn network(design: Design) -> Network {
    let shape = Shape { planes: 3, rows: 4, columns: 5, actions: 11 };
    let mut network = Network::new(shape, design, 1).unwrap();
    let mut parameters = network.parameters().to_vec();
    let mut rng = Rng::seeded(8);
    network.used_parameters().into_iter().for_each(|index| parameters[index] = rng.unit() - 0.5);
    network.set_parameters(&parameters);
    network
}

fn description() -> Description {
    let commit = "0123abc".to_string();
    Description { game: "mnk m=4 n=5 k=4".into(), steps: 7, games: 100, seed: u64::MAX, commit }
}

const DESIGNS: [Design; 2] =
    [Design::Conv { channels: 16, blocks: 2 }, Design::Perceptron { hidden: [32, 16] }];

#[test]
fn files_are_read_as_they_were_written() {
    for design in DESIGNS {
        let network = network(design);
        let bytes = network.to_bytes(&description()).unwrap();
        let (read, said) = Network::from_bytes(&bytes).unwrap();
        assert_eq!(
            (read.parameters(), read.shape(), read.design()),
            (network.parameters(), network.shape(), design)
        );
        assert_eq!(said, description());
        assert_eq!(read.to_bytes(&said).unwrap(), bytes, "the same network gives the same bytes");
    }
}

#[test]
fn torn_and_hostile_files_are_refused() {
    let bytes = network(DESIGNS[0]).to_bytes(&description()).unwrap();
    for length in (0..bytes.len()).step_by(97) {
        assert!(Network::from_bytes(&bytes[..length]).is_err());
    }
    let mut rng = Rng::seeded(2);
    for _ in 0..3_000 {
        let mut changed = bytes.clone();
        for _ in 0..1 + rng.below(3) {
            let place = rng.below(bytes.len().min(2_000));
            changed[place] = rng.bits() as u8;
        }
        // Anything that can be read is a whole network. Most changes are rejected, in one line.
        match Network::from_bytes(&changed) {
            Ok((network, _)) => assert!(network.parameters().iter().all(|number| number.is_finite())),
            Err(error) => assert!(!error.is_empty() && !error.contains('\n'), "{error}"),
        }
    }
    let check = |bytes: &[u8], expect: &str| {
        let error = Network::from_bytes(bytes).unwrap_err();
        assert!(error.contains(expect), "{error}");
    };
    check(b"", "no safetensors file");
    check(b"PK\x03\x04 a zip file that is no network at all", "no safetensors file");
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let replaced = |from: &str, to: &str| {
        assert_eq!(from.len(), to.len());
        let place = text.find(from).expect("there");
        let mut changed = bytes.clone();
        changed[place..place + to.len()].copy_from_slice(to.as_bytes());
        changed
    };
    check(
        &replaced("channels=16", "channels=24"),
        "expected F32 of sizes [24, 3, 3, 3], found F32 of [16, 3, 3, 3]",
    );
    check(&replaced("channels=16", "channels=17"), "expected a multiple of 8");
    check(&replaced("blocks=2", "blocks=3"), "tensor block2.first.weight is missing");
    check(&replaced("blocks=2", "blocks=1"), "20 tensors: expected 16");
    let mut infinite = bytes.clone();
    let end = bytes.len();
    infinite[end - 4..].copy_from_slice(&f32::INFINITY.to_le_bytes());
    check(&infinite, "expected a finite one");
}

/// Compares with the outputs of the same network in PyTorch. `twin.py` wrote its weights and outputs.
#[test]
fn a_twin_in_pytorch_says_the_same() {
    for name in ["conv", "perceptron"] {
        let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/twin");
        let bytes = std::fs::read(folder.join(format!("{name}.safetensors"))).unwrap();
        let network = Network::from_bytes(&bytes).unwrap().0;
        let text = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
        let mut lines = 0;
        for line in text.lines() {
            let [features, logits, value] = line.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{line}")
            };
            let features: Vec<u32> = features.split(' ').map(|number| number.parse().unwrap()).collect();
            let logits: Vec<f32> = logits.split(' ').map(|number| number.parse().unwrap()).collect();
            let value: f32 = value.parse().unwrap();
            let mut workspace = Workspace::new(&network, 1);
            workspace.add(&features);
            network.look(&mut workspace);
            let off = |(found, expect): (&f32, &f32)| (found - expect).abs() > 1e-4;
            assert!(
                !workspace.logits(0).iter().zip(&logits).any(off),
                "{:?} is not {logits:?}",
                workspace.logits(0)
            );
            assert_eq!(workspace.logits(0).len(), logits.len());
            assert!((workspace.value(0) - value).abs() < 1e-4);
            lines += 1;
        }
        assert_eq!(lines, 20);
    }
}
