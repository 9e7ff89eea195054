//! The server: what all requests share, and its life from the first to the last request.

use crate::failure::Failure;
use crate::limits::{IDLE_MAX, READERS_MAX, RUNNING_MAX, STUDIES_MAX, WATCHERS_MAX};
use crate::searches::Searches;
use crate::{guard, page, routes};
use aji_catalog::Workbench;
use axum::Router;
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
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
        }
    }
}

/// What all requests share.
pub struct Shared {
    pub(crate) workbench: Workbench,
    pub(crate) options: Options,
    pub(crate) searches: Searches,
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
    /// The address of the page, without the token.
    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
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
        let listener = TcpListener::bind((options.address, options.port))?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let token = if options.address.is_loopback() { None } else { Some(random_token()?) };
        let shared = Arc::new(Shared {
            workbench,
            searches: Searches::new(options.memory, options.idle),
            options,
            address,
            token,
            watchers: Arc::new(Semaphore::new(WATCHERS_MAX)),
            studies: Arc::new(Semaphore::new(STUDIES_MAX)),
            is_over: AtomicBool::new(false),
            readers: Semaphore::new(READERS_MAX),
        });
        let runtime = Builder::new_multi_thread()
            .worker_threads(ASYNC_THREADS)
            .max_blocking_threads(RUNNING_MAX + READERS_MAX + STUDIES_MAX + 1)
            .enable_all()
            .build()?;
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
        let done = runtime.block_on(async move {
            let listener = tokio::net::TcpListener::from_std(listener)?;
            let tidying = tokio::spawn(tidy(shared.clone()));
            let closing = shared.clone();
            let over = async move {
                while !is_over() {
                    tokio::time::sleep(LOOK_EVERY).await;
                }
                closing.is_over.store(true, Ordering::Relaxed);
                closing.searches.close();
            };
            let (end, ended) = tokio::sync::oneshot::channel();
            let served = axum::serve(listener, router).with_graceful_shutdown(async move {
                over.await;
                let _ = end.send(());
            });
            let mut serving = tokio::spawn(async move { served.await });
            // A connection that stays open must not keep the server.
            let late = async move {
                let _ = ended.await;
                tokio::time::sleep(END_MAX).await;
            };
            tokio::pin!(late);
            let first = futures_util::future::select(&mut serving, late).await;
            tidying.abort();
            match first {
                futures_util::future::Either::Left((served, _)) => served.map_err(io::Error::other)?,
                futures_util::future::Either::Right(_) => Ok(()),
            }
        });
        runtime.shutdown_timeout(END_MAX);
        done
    }
}

/// All addresses of the server.
fn router(shared: Arc<Shared>) -> Router {
    let guarded = axum::middleware::from_fn_with_state(shared.clone(), guard::guard);
    Router::new()
        .merge(page::routes())
        .nest("/api", routes::all())
        .fallback(routes::unknown)
        .method_not_allowed_fallback(routes::wrong_method)
        .layer(guarded)
        .with_state(shared)
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
