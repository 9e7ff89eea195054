//! The server: what all requests share, and its life from the first to the last request.

use crate::connections::{self, Patience};
use crate::failure::Failure;
use crate::lab::{LabOptions, Runs};
use crate::limits::{CONTESTS_MAX, IDLE_MAX, READERS_MAX, RUNNING_MAX, STUDIES_MAX, WATCHERS_MAX};
use crate::searches::Searches;
use crate::{guard, page, routes};
use aji_catalog::Workbench;
use axum::Router;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::runtime::{Builder, Runtime};
use tokio::sync::Semaphore;

/// How a server begins.
#[derive(Clone, Debug)]
pub struct Options {
    /// The address it listens on. Any but this machine's own needs a token.
    pub address: IpAddr,
    /// The port; 0 for any free one.
    pub port: u16,
    /// The memory of all searches together, in bytes.
    pub memory: u64,
    /// The most threads of one search.
    pub threads: usize,
    /// How long the server keeps a search that nobody asks for.
    pub idle: Duration,
    /// How many connections it has, and how long it waits for their clients.
    pub patience: Patience,
    /// Where contests and reports are kept.
    pub lab: LabOptions,
}

impl Default for Options {
    /// Port 7700 of this machine alone, 1 GB, and a thread for each core.
    fn default() -> Options {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        Options {
            address: Ipv4Addr::LOCALHOST.into(),
            port: 7700,
            memory: 1_000_000_000,
            threads,
            idle: IDLE_MAX,
            patience: Patience::default(),
            lab: LabOptions::default(),
        }
    }
}

/// What all requests share.
pub struct Shared {
    pub(crate) workbench: Workbench,
    pub(crate) options: Options,
    pub(crate) searches: Searches,
    pub(crate) runs: Runs,
    pub(crate) address: SocketAddr,
    pub(crate) token: Option<String>,
    /// Places for watchers.
    pub(crate) watchers: Arc<Semaphore>,
    /// Places for studies.
    pub(crate) studies: Arc<Semaphore>,
    /// Whether the server ends.
    pub(crate) is_over: AtomicBool,
    /// Places for positions that are read.
    readers: Semaphore,
}

impl Shared {
    /// What requests to this address share. With a token, each must bring it.
    pub(crate) fn new(
        workbench: Workbench,
        options: Options,
        address: SocketAddr,
        token: Option<String>,
    ) -> Shared {
        Shared {
            workbench,
            searches: Searches::new(options.memory, options.idle),
            runs: Runs::new(&options.lab),
            options,
            address,
            token,
            watchers: Arc::new(Semaphore::new(WATCHERS_MAX)),
            studies: Arc::new(Semaphore::new(STUDIES_MAX)),
            is_over: AtomicBool::new(false),
            readers: Semaphore::new(READERS_MAX),
        }
    }

    /// Ends all searches, studies and contests.
    pub(crate) fn close(&self) {
        self.is_over.store(true, Ordering::Relaxed);
        self.searches.close();
        self.runs.close();
    }

    /// The address of the page, without the token.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", reachable(self.address))
    }

    /// Does some work with games on a thread that may block.
    pub(crate) async fn work<T: Send + 'static>(
        self: &Arc<Shared>,
        work: impl FnOnce(&Shared) -> Result<T, Failure> + Send + 'static,
    ) -> Result<T, Failure> {
        let _place = self.readers.acquire().await.map_err(Failure::bug)?;
        let shared = self.clone();
        tokio::task::spawn_blocking(move || work(&shared)).await.map_err(Failure::bug)?
    }
}

/// A server that listens.
pub struct Server {
    listener: TcpListener,
    shared: Arc<Shared>,
    runtime: Runtime,
}

/// How often the server looks whether it should end.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// How often it looks for searches that nobody watches or uses.
const TIDY_EVERY: Duration = Duration::from_millis(500);

/// How long it waits for running requests at its end.
const END_MAX: Duration = Duration::from_secs(2);

/// Threads that answer requests. They only read, write and wait.
const ASYNC_THREADS: usize = 2;

/// The random bytes of a token.
const TOKEN_BYTES: usize = 16;

impl Server {
    /// Begins to listen. Requests wait until [`run`](Server::run).
    pub fn bind(workbench: Workbench, options: Options) -> io::Result<Server> {
        let runtime = runtime()?;
        let entered = runtime.enter();
        let listener = connections::listen(SocketAddr::new(options.address, options.port))?;
        drop(entered);
        let address = listener.local_addr()?;
        let token = if options.address.is_loopback() { None } else { Some(random_token()?) };
        let shared = Arc::new(Shared::new(workbench, options, address, token));
        Ok(Server { listener, shared, runtime })
    }

    /// The address of the page, with the token if one is needed.
    pub fn url(&self) -> String {
        let token = self.shared.token.as_ref().map_or(String::new(), |token| format!("/?token={token}"));
        self.shared.url() + &token
    }

    /// Whether requests need a token.
    pub fn has_token(&self) -> bool {
        self.shared.token.is_some()
    }

    /// Answers requests until `is_over`. Then it stops all searches, and ends.
    pub fn run(self, is_over: impl Fn() -> bool + Send + 'static) -> io::Result<()> {
        let Server { listener, shared, runtime } = self;
        let router = router(shared.clone());
        runtime.block_on(async move {
            let tidying = tokio::spawn(tidy(shared.clone()));
            let (end, ended) = tokio::sync::oneshot::channel();
            let patience = shared.options.patience;
            let over = async move {
                while !is_over() {
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                shared.close();
                let _ = end.send(());
            };
            let serving = connections::serve(listener, router, patience, over);
            // A connection that stays open must not keep the server.
            let late = async move {
                let _ = ended.await;
                tokio::time::sleep(END_MAX).await;
            };
            futures_util::future::select(pin!(serving), pin!(late)).await;
            tidying.abort();
        });
        runtime.shutdown_timeout(END_MAX);
        Ok(())
    }
}

/// The threads that answer requests, and those that may block.
pub(crate) fn runtime() -> io::Result<Runtime> {
    Builder::new_multi_thread()
        .worker_threads(ASYNC_THREADS)
        .max_blocking_threads(RUNNING_MAX + READERS_MAX + STUDIES_MAX + CONTESTS_MAX + 1)
        .enable_all()
        .build()
}

/// All addresses of the server.
pub(crate) fn router(shared: Arc<Shared>) -> Router {
    let guarded = axum::middleware::from_fn_with_state(shared.clone(), guard::guard);
    Router::new()
        .merge(page::routes())
        .nest("/api", routes::all())
        .fallback(routes::unknown)
        .method_not_allowed_fallback(routes::wrong_method)
        .layer(guarded)
        .with_state(shared)
}

/// The address by which others reach a server that listens on it. For all addresses of this machine, it is the one that
/// the machine has in its network.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Connecting by UDP sends nothing; it only chooses the own address. The other one is for documentation.
    let (other, loopback): (&str, IpAddr) = match address {
        SocketAddr::V4(_) => ("192.0.2.1:9", Ipv4Addr::LOCALHOST.into()),
        SocketAddr::V6(_) => ("[2001:db8::1]:9", Ipv6Addr::LOCALHOST.into()),
    };
    let own = UdpSocket::bind((address.ip(), 0)).and_then(|socket| {
        socket.connect(other)?;
        socket.local_addr()
    });
    SocketAddr::new(own.map_or(loopback, |own| own.ip()), address.port())
}

async fn tidy(shared: Arc<Shared>) {
    loop {
        tokio::time::sleep(TIDY_EVERY).await;
        shared.searches.tidy();
    }
}

fn random_token() -> io::Result<String> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
