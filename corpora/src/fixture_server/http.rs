//! How are clients served over streamable HTTP?

use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::{BodyExt, Full, Limited};
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Method, Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use tokio::net::TcpListener;
use tower_service::Service;

use super::handler::{Fixture, Shared};
use super::incoming::{self, Incoming};
use super::{FixtureError, raw};
use crate::mcp::MAX_MESSAGE;

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
                    let request = match readable(request).await {
                        Ok(request) => request,
                        Err(refusal) => return Ok(refusal.map(BodyExt::boxed)),
                    };
                    let response = service.call(request).await?;
                    // An event is one frame, so a stand-in is never cut.
                    let restored = |data: Bytes| raw::restore(&data).map_or(data, Bytes::from);
                    Ok::<_, Infallible>(response.map(|b| b.map_frame(move |f| f.map_data(restored)).boxed()))
                }
            });
            // A client that goes away in the middle is its own affair.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), answer).await;
        });
    }
}

/// A request whose message the protocol can read, or what is answered in its place.
async fn readable(request: Request<hyper::body::Incoming>) -> Result<Request<Full<Bytes>>, Box<Response<Full<Bytes>>>> {
    let (head, body) = request.into_parts();
    let refused = |status, answer: String| {
        let mut response = Response::new(Full::from(answer));
        *response.status_mut() = status;
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        Err(Box::new(response))
    };
    let Ok(body) = Limited::new(body, MAX_MESSAGE).collect().await else {
        let answer = incoming::too_long(&FixtureError::TooLong.to_string());
        return refused(StatusCode::PAYLOAD_TOO_LARGE, answer);
    };
    let body = body.to_bytes();
    match incoming::read(&body) {
        Incoming::Refused { answer, named } if head.method == Method::POST => {
            // The transport is refused only where no request can be answered.
            refused(if named { StatusCode::OK } else { StatusCode::BAD_REQUEST }, answer)
        }
        _ => Ok(Request::from_parts(head, Full::new(body))),
    }
}
