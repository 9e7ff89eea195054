//! Numbers, sizes and times as they are written in names.

use aji_catalog::{AgentName, show_bytes, thousands};
use std::time::Duration;

fn agent(text: &str) -> Result<AgentName, String> {
    text.parse().map_err(|error: aji_catalog::Error| error.to_string())
}

#[test]
fn values_by_hand() {
    assert_eq!(agent("uct simulations=10k").unwrap().simulations, Some(10_000));
    assert!(agent("uct wave=0").unwrap_err().contains("expected a whole number from 1 to"));
    for bad in ["99999999999999999999", "18446744073709551615M"] {
        assert!(agent(&format!("uct simulations={bad}")).is_err(), "{bad}");
    }
    for text in ["1000000", "1e6", "1M", "1_000_000", "1,000,000", "1000k"] {
        assert_eq!(agent(&format!("uct simulations={text}")).unwrap().simulations, Some(1_000_000), "{text}");
        assert_eq!(agent(&format!("uct memory={text}kB")).unwrap().memory, 1_000_000_000, "{text}");
        let time = Some(Duration::from_secs(1_000));
        assert_eq!(agent(&format!("uct time={text}ms")).unwrap().time, time, "{text}");
        assert_eq!(agent(&format!("uct c={text}")).unwrap().to_string(), "uct c=1000000", "{text}");
    }
    assert_eq!(agent("uct memory=512MB").unwrap().memory, 512_000_000);
    for bad in ["12", "-3GB", "GB", "0MB"] {
        assert!(agent(&format!("uct memory={bad}")).is_err(), "{bad}");
    }
    assert_eq!(show_bytes(1_500_000), "1500kB");
    assert_eq!([0, 999, 1_000, 5_952_380].map(thousands), ["0", "999", "1,000", "5,952,380"]);
    for (text, milliseconds) in [("1.5s", 1500), ("250ms", 250), ("2min", 120_000)] {
        let expect = Some(Duration::from_millis(milliseconds));
        assert_eq!(agent(&format!("uct time={text}")).unwrap().time, expect);
    }
    for bad in ["", "s", "-1s", "nans", "infs", "1e300s", "0s", "5"] {
        assert!(agent(&format!("uct time={bad}")).is_err(), "{bad}");
    }
    for bad in ["nan", "inf"] {
        assert!(agent(&format!("uct root=epsilon(epsilon={bad})")).is_err(), "{bad}");
    }
    assert!(agent("uct root=epsilon(epsilon=0.5)").is_ok());
}
