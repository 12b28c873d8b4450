//! How are clients served over streamable HTTP?

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use http_body_util::BodyExt;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tower_service::Service;

use super::handler::{Fixture, Shared};
use super::{FixtureError, raw};

/// Serves until the process ends.
pub(super) async fn serve(shared: Shared, address: SocketAddr, ready: impl FnOnce(&str)) -> Result<(), FixtureError> {
    let listen = |source| FixtureError::Listen { address, source };
    let listener = TcpListener::bind(address).await.map_err(listen)?;
    let bound = listener.local_addr().map_err(listen)?;
    let shared = Arc::new(shared);
    let config = StreamableHttpServerConfig::default();
    let service = StreamableHttpService::new(
        move || Ok(Fixture::new(Arc::clone(&shared), None)),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    ready(&format!("http://{bound}/mcp"));
    loop {
        let (stream, _) = listener.accept().await?;
        let service = service.clone();
        tokio::spawn(async move {
            let answer = service_fn(move |request| {
                let mut service = service.clone();
                async move {
                    let response = service.call(request).await?;
                    // An event is one frame, so a stand-in is never cut.
                    Ok::<_, Infallible>(response.map(|body| {
                        body.map_frame(|frame| {
                            frame.map_data(|data| raw::restore(&data).map_or(data, bytes::Bytes::from))
                        })
                    }))
                }
            });
            // A client that goes away in the middle is its own affair.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}
