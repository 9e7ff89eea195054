//! Handwritten names of agents: how they print, and the errors of wrong ones.

use aji_catalog::{AgentName, Method};
use aji_search::{Budget, exact};

#[test]
fn names_are_read_and_printed() {
    let check = |text: &str, printed: &str| {
        let agent: AgentName = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        assert_eq!(agent.to_string(), printed);
        assert_eq!(printed.parse(), Ok(agent));
    };
    check("uct", "uct");
    check(" uct   c=1.4 ", "uct");
    check("uct seed=7 c=0.7 simulations=20k", "uct c=0.7 simulations=20000 seed=7");
    check("uct transpositions=on c=0.7 seed=2", "uct c=0.7 transpositions=on seed=2");
    check("uct transpositions=off", "uct");
    check("uct root=epsilon below=ucb_sqrt(c=0.5)", "uct below=ucb_sqrt(c=0.5) root=epsilon(epsilon=0.5)");
    check("flat time=1500ms memory=64MB", "flat time=1.5s memory=64MB");
    check("flat root=ucb1 recommend=posterior", "flat root=ucb1(c=1.4) recommend=posterior");
    check(
        "uct playout=epsilon cutoff=40 eval=on unit=points",
        "uct playout=epsilon(epsilon=0.1) cutoff=40 eval=on unit=points",
    );
    check("uct unit=win", "uct unit=win");
    check("uct c=15 unit=points playout=maxi", "uct c=15 playout=maxi learn=ride unit=points");
    check("uct c=1.4 unit=points", "uct c=1.4 unit=points");
    check("uct below=ucb1(c=0.7) unit=points", "uct below=ucb1(c=0.7) unit=points");
    check("uct learn=ride repair=0 read=squares", "uct learn=ride repair=0 read=squares");
    check("uct playout=potential repair=50", "uct playout=maxi learn=potential repair=50");
    check("uct playout=random", "uct");
    check("uct learn=rave read=mover", "uct learn=rave read=mover");
    check("uct learn=bouzy repair=9", "uct learn=bouzy repair=9");
    check("uct playout=mast", "uct playout=mast(temperature=0.2)");
    check("uct playout=mast(epsilon=0.4)", "uct playout=mast(epsilon=0.4)");
    check(
        "uct playout=lgr below=rave(k=300) ref=50",
        "uct below=rave(c=0,k=300,every=64) playout=lgr ref=50",
    );
    check("uct below=rave", "uct below=rave(c=0,bias=0.1,every=64)");
    check("rave", "rave");
    check("rave playout=atari simulations=50", "rave playout=atari simulations=50");
    check("rave playout=atari(care=off,answers=on,shapes=off)", "rave playout=atari(shapes=off,care=off)");
    check("rave below=rave(k=300)", "rave below=rave(c=0,k=300,every=64)");
    check("rave below=ucb1(c=0.5)", "rave below=ucb1(c=0.5)");
    check("rave c=0.5 unit=points", "rave below=rave(c=0.5,bias=0.1,every=64) unit=points");
    check("flat reuse=off solver=on", "flat solver=on reuse=off");
    check("uct wave=8 c=0.5", "uct c=0.5 wave=8");
    check("uct full=recycle memory=1MB", "uct full=recycle memory=1MB");
    check("uct threads=4 wave=2", "uct wave=2 threads=4");
    check("uct share=off threads=2", "uct threads=2 share=off");
    check("alphazero", "alphazero");
    check("alphazero c=1.25 lambda=0 symmetries=off", "alphazero");
    check(
        "alphazero simulations=600 net=a/b.safetensors c=2",
        "alphazero c=2 net=a/b.safetensors simulations=600",
    );
    check("alphazero below=puct(c=2)", "alphazero c=2");
    check("alphazero below=puct(untried=0)", "alphazero below=puct(c=1.25,untried=0)");
    check("alphazero root=voi wave=8 solver=on", "alphazero root=voi solver=on wave=8");
    check("gumbel", "gumbel");
    check("gumbel below=gumbel(noise=0)", "gumbel");
    check("gumbel root=gumbel below=puct", "gumbel below=puct(c=1.25,untried=0.5) root=gumbel");
    check("gumbel lambda=0.25 playout=net", "gumbel playout=net(temperature=1) lambda=0.25");
    check("uct playout=net(temperature=0.5) net=x", "uct playout=net(temperature=0.5) net=x");
    check("uct lambda=1", "uct");
    check("uct lambda=0 net=x symmetries=on", "uct net=x symmetries=on lambda=0");
    check("random seed=3", "random seed=3");
    check(" gtp:gnugo --mode gtp", "gtp: gnugo --mode gtp");
    check("gtp(timeout=5s): gnugo seed=3", "gtp(timeout=5s): gnugo seed=3");
    check("alphabeta", "alphabeta");
    check("alphabeta eval=off time=2s depth=8", "alphabeta depth=8 eval=off time=2s");
    check("alphabeta eval=on memory=64MB", "alphabeta eval=on memory=64MB");
    check("exact memory=2GB", "exact memory=2GB");
    check("ams stages=2", "ams samples=16 stages=2");
    check("divide", "divide group=2");
    check("coupons levels=32 ahead=on", "coupons");
    check("coupons threads=2 ahead=off levels=8 seed=4", "coupons levels=8 ahead=off threads=2 seed=4");
    check("divide rounds=9 c=20 read=list threads=2", "divide group=2 rounds=9 c=20 read=list threads=2");
}

#[test]
fn errors_say_what_would_be_right() {
    let check = |text: &str, expect: &str| {
        let error = text.parse::<AgentName>().unwrap_err().to_string();
        assert!(error.contains(expect) && !error.contains('\n'), "{text}: {error}");
    };
    check("", "the name of the agent is empty");
    check("gtp gnugo", "expected a colon and a command");
    check(
        "utc",
        "unknown agent \"utc\"; did you mean uct? known: uct, rave, flat, alphazero, gumbel, alphabeta,",
    );
    check("uct cc=1", "unknown option of agent uct: \"cc\"; did you mean c?");
    check("uct 7", "expected key=value, found \"7\"");
    check("uct c=1 c=2", "c= is given twice");
    check("uct c=-1", "agent uct: c=-1: expected a number from 0 to 1000000");
    check("uct c=1 below=ucb1", "c= is the constant of the usual rule");
    check("uct simulations=0", "simulations=0: expected a whole number from 1");
    check("uct simulations=1e30", "simulations=1e30: expected a whole number from 1 to 18446744073709551615");
    check("uct time=0s", "expected a time such as");
    check("uct memory=12", "expected an amount of memory such as 512MB");
    check("uct root=ucb2", "unknown rule \"ucb2\"; did you mean ucb1?");
    check("uct root=ucb1(c=x)", "rule ucb1: c=x: expected a number");
    check("uct root=ucb1(c=1", "expected ) at the end");
    check("uct playout=epsilon(3)", "expected key=value, found \"3\"");
    check("uct eval=on", "give cutoff=PLIES");
    check("uct playout=maxi wave=8", "learning does not work with wave=");
    check("uct playout=maxi cutoff=8", "searches that learn play to the end");
    check("uct playout=lgr learn=ride", "learn= works with playout=maxi or uniform");
    check("uct below=rave learn=ride", "the rule rave works with the playouts uniform, atari, mast and lgr");
    check("uct below=rave(k=3,bias=1)", "bias= and k= are two schedules");
    check("uct below=rave wave=8", "learning does not work with wave=");
    check("uct ref=8", "ref= belongs to the rule rave");
    check("uct playout=mast(epsilon=1,temperature=1)", "not both");
    check("uct repair=8", "give learn=ride with them");
    check("uct learn=potential read=list", "read= belongs to learn=ride");
    check("uct learn=rider", "learn=rider: expected ride or potential or rave or bouzy");
    check("uct full=on", "full=on: expected leave or recycle");
    check("uct transpositions=on solver=on", "transpositions=on does not work with solver=on");
    check("uct wave=8 transpositions=on", "transpositions=on does not work with wave=");
    check("uct full=recycle transpositions=on", "transpositions=on does not work with full=recycle");
    check("uct transpositions=on threads=2", "transpositions=on does not work with threads=");
    check("uct threads=0", "threads=0: expected a whole number from 1 to 256");
    check("uct parallel=tree", "unknown option of agent uct: \"parallel\"");
    check("uct wave=0", "wave=0: expected a whole number from 1 to 1024");
    check("uct net=x", "net= and symmetries= need a search with a network");
    check("rave symmetries=on", "net= and symmetries= need a search with a network");
    check("alphazero net=", "net=: expected the path of a file");
    check("alphazero playout=net", "with lambda=0 there are no playouts");
    check("alphazero playout=mast", "a network does not work with learning");
    for agent in ["alphazero", "gumbel", "uct lambda=0.5", "amcts victim=(uct) by=alphazero"] {
        check(&format!("{agent} unit=points"), "the values of a network, which are chances of winning");
    }
    check("alphazero cutoff=4", "with lambda=0 there are no playouts");
    check("alphazero lambda=0.5 playout=net cutoff=4", "playout=net plays to the end");
    check("alphazero lambda=2", "lambda=2: expected a number from 0 to 1");
    check("gumbel c=2", "gumbel has no constant c=");
    check("gumbel learn=ride lambda=1", "a network does not work with learning");
    check("rave playout=net", "a network does not work with learning or the rule rave");
    check("uct playout=net(temperature=0)", "temperature=0: expected a number from 0.001 to 1000");
    check("alphazero transpositions=on wave=4", "transpositions=on does not work with wave=");
    check("random c=1", "unknown option of agent random: \"c\"");
    check("alphabeta depth=0", "depth=0: expected a whole number from 1 to 16382");
    check("alphabeta eval=yes", "eval=yes: expected on or off");
    check("alphabeta c=1", "unknown option of agent alphabeta: \"c\"");
    check("divide group=0", "group=0: expected a whole number from 1");
    check("coupons levels=65", "levels=65: expected a whole number from 1 to 64");
    check("exact depth=3", "unknown option of agent exact: \"depth\"");
}

#[test]
fn exact_play_has_its_own_limits() {
    let check = |text: &str, depth: usize, simulations: Option<u64>| {
        let agent: AgentName = text.parse().unwrap_or_else(|error| panic!("{text}: {error}"));
        let Method::AlphaBeta(name) = &agent.method else { panic!("{text} is alpha-beta") };
        assert_eq!(
            (agent.alpha_beta_depth(name), agent.budget().simulations),
            (depth, simulations),
            "{text}"
        );
    };
    check("alphabeta", 6, None);
    check("alphabeta time=1s", exact::DEPTH_MAX, None);
    check("alphabeta time=1s depth=4", 4, None);
    check("alphabeta simulations=9", exact::DEPTH_MAX, Some(9));
    assert_eq!("exact".parse().map(|agent: AgentName| agent.budget()), Ok(Budget::default()));
}
