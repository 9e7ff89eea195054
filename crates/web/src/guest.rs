//! Which agents the page may ask for.
//!
//! A page asks for agents that search and nothing else: no programs, no files. Threads and memory have limits.

use crate::failure::Failure;
use crate::limits::AGENT_MAX;
use aji_catalog::{AgentName, Method, Workbench};

/// The agent of this name, if the page may have it.
pub fn guest(workbench: &Workbench, name: &str, threads: usize) -> Result<AgentName, Failure> {
    if name.len() > AGENT_MAX {
        return Err(Failure::too_long("bytes of the agent's name", name.len(), AGENT_MAX));
    }
    let agent = workbench.agent_name(name)?;
    check(&agent, threads)?;
    Ok(agent)
}

/// An error if the agent, or its victim, does what the page may not ask for.
fn check(agent: &AgentName, threads_max: usize) -> Result<(), Failure> {
    let threads = match &agent.method {
        Method::Program(_) => {
            return Err(Failure::wrong(format!(
                "agent {agent}: the page starts no programs; use `aji match` or `aji gtp`, or another agent"
            )));
        }
        Method::Response(victim) => return check(&victim.agent, threads_max),
        Method::Attack(attack) => {
            check(&attack.victim.agent, threads_max)?;
            attack.search.threads
        }
        Method::Divide(division) => division.threads,
        Method::Coupons(coupons) => coupons.threads,
        Method::Search(search) => search.threads,
        _ => 1,
    };
    if let Some(path) = agent.search().and_then(|search| search.net.as_ref()) {
        return Err(Failure::wrong(format!(
            "agent {agent}: net={path}: the page reads no files; leave net= out for the network that ships"
        )));
    }
    if threads > threads_max {
        return Err(Failure::wrong(format!(
            "agent {agent}: threads={threads}: expected at most {threads_max}; aji serve --threads {threads} allows more"
        )));
    }
    Ok(())
}
