//! Connections: how many there are at once, and how slow a client may be.
//!
//! A client that sends its request byte by byte, keeps a connection that it does not use, or does not read its answer
//! holds a place that others need. Each such wait has a limit, and the connection ends at it. A connection past the last
//! place is told that the server is full.

use crate::failure::Failure;
use crate::limits::{
    BODY_TIME_MAX, CONNECTIONS_MAX, HEAD_MAX, HEAD_TIME_MAX, REFUSED_MAX, REFUSED_TIME_MAX, SEND_BUFFER,
    STALLED_MAX, WRITTEN_MAX,
};
use axum::Router;
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::{IntoResponse, Response};
use futures_util::future::{Either, select};
use hyper::rt::{Read, ReadBufCursor, Write};
use hyper::server::conn::http1::Builder;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use std::future::Future;
use std::io::{self, IoSlice};
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{Sleep, sleep};

/// How many connections a server has, and how long it waits for their clients.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// Connections at the same time.
    pub connections: usize,
    /// The time for the head of a request. The next request on the same connection has as long to come.
    pub head: Duration,
    /// The time for the body of a request.
    pub body: Duration,
    /// The time in which a client must read a part of its answer.
    pub stalled: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        Patience {
            connections: CONNECTIONS_MAX,
            head: HEAD_TIME_MAX,
            body: BODY_TIME_MAX,
            stalled: STALLED_MAX,
        }
    }
}

/// Connections that wait until they are accepted.
const BACKLOG: u32 = 128;

/// How long the server waits after the system gave it no connection, as when it has no more files.
const ACCEPT_PAUSE: Duration = Duration::from_millis(500);

/// Listens. The buffers of its connections are small, so a client that does not read is noticed soon.
pub fn listen(address: SocketAddr) -> io::Result<TcpListener> {
    let socket = if address.is_ipv4() { TcpSocket::new_v4() } else { TcpSocket::new_v6() }?;
    // Elsewhere this would let two servers share a port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.set_send_buffer_size(SEND_BUFFER)?;
    socket.bind(address)?;
    socket.listen(BACKLOG)
}

/// Answers requests until `over`. Then it waits for those under way.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    patience: Patience,
    over: impl Future<Output = ()>,
) {
    let places = Arc::new(Semaphore::new(patience.connections));
    let refusals = Arc::new(Semaphore::new(REFUSED_MAX));
    let full = Router::new().fallback(move || std::future::ready(full(patience.connections)));
    let (end, ended) = watch::channel(false);
    let mut over = pin!(over);
    while let Either::Left((accepted, _)) = select(pin!(listener.accept()), over.as_mut()).await {
        let Ok((stream, _)) = accepted else {
            sleep(ACCEPT_PAUSE).await;
            continue;
        };
        // Snapshots are small, and should not wait for each other.
        let _ = stream.set_nodelay(true);
        if let Ok(place) = places.clone().try_acquire_owned() {
            tokio::spawn(converse(stream, router.clone(), patience, ended.clone(), place));
        } else if let Ok(place) = refusals.clone().try_acquire_owned() {
            let brief = Patience { head: REFUSED_TIME_MAX, stalled: REFUSED_TIME_MAX, ..patience };
            tokio::spawn(converse(stream, full.clone(), brief, ended.clone(), place));
        }
    }
    end.send_replace(true);
    drop(ended);
    end.closed().await;
}

/// The answer on a connection past the last place.
fn full(most: usize) -> Response {
    let message = format!("{most} connections are open, the most at a time; close a page, or try again");
    let mut response = Failure::full(message).into_response();
    response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
    response
}

/// Answers the requests of a connection until the client leaves, waits too long, or the server ends.
async fn converse(
    stream: TcpStream,
    router: Router,
    patience: Patience,
    mut ended: watch::Receiver<bool>,
    _place: OwnedSemaphorePermit,
) {
    let stream = Impatient { stream: TokioIo::new(stream), limit: patience.stalled, stalled: None };
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(patience.head);
    builder.max_header_size(HEAD_MAX).max_buf_size(WRITTEN_MAX);
    let mut connection = pin!(builder.serve_connection(stream, TowerToHyperService::new(router)));
    if let Either::Right(_) = select(connection.as_mut(), pin!(ended.changed())).await {
        connection.as_mut().graceful_shutdown();
        let _ = connection.await;
    }
}

/// A connection that fails if its client takes nothing of what is written for some time.
struct Impatient {
    stream: TokioIo<TcpStream>,
    limit: Duration,
    /// Runs while the client takes nothing.
    stalled: Option<Pin<Box<Sleep>>>,
}

impl Impatient {
    /// Does a part of writing. An error if none was possible for too long.
    fn write<T>(
        &mut self,
        context: &mut Context<'_>,
        write: impl FnOnce(Pin<&mut TokioIo<TcpStream>>, &mut Context<'_>) -> Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if let Poll::Ready(done) = write(Pin::new(&mut self.stream), context) {
            self.stalled = None;
            return Poll::Ready(done);
        }
        let limit = self.limit;
        ready!(self.stalled.get_or_insert_with(|| Box::pin(sleep(limit))).as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl Read for Impatient {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: ReadBufCursor<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl Write for Impatient {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        self.write(context, |stream, context| stream.poll_write(context, bytes))
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        self.write(context, |stream, context| stream.poll_write_vectored(context, parts))
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write(context, TokioIo::poll_flush)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.write(context, TokioIo::poll_shutdown)
    }
}
