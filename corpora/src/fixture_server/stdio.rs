//! How is one client served over standard input and output?

use std::sync::Arc;

use rmcp::ServiceExt;
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader};

use super::handler::{Fixture, Shared};
use super::{FixtureError, NAME, raw};

/// Serves until the input ends.
pub(super) async fn serve(shared: Shared) -> Result<(), FixtureError> {
    let mut out = tokio::io::stdout();
    if shared.options.banner {
        out.write_all(format!("{NAME} is ready to serve.\n").as_bytes()).await?;
        out.flush().await?;
    }
    let number = shared.options.session.unwrap_or_else(|| std::process::id().into());
    let fixture = Fixture::new(Arc::new(shared), Some(number));
    // What the protocol writes passes through here line by line, and gets its definitions.
    let (written, lines) = tokio::io::duplex(1 << 16);
    let copied = tokio::spawn(async move {
        let mut lines = BufReader::new(lines);
        let mut line = Vec::new();
        while lines.read_until(b'\n', &mut line).await? > 0 {
            let restored = raw::restore(&line);
            out.write_all(restored.as_ref().unwrap_or(&line)).await?;
            out.flush().await?;
            line.clear();
        }
        Ok::<(), std::io::Error>(())
    });
    let session = |e: String| FixtureError::Session(e);
    let running = fixture.serve((tokio::io::stdin(), written)).await.map_err(|e| session(e.to_string()))?;
    running.waiting().await.map_err(|e| session(e.to_string()))?;
    match copied.await.map_err(|e| session(e.to_string()))? {
        // A client that has gone is no error.
        Err(e) if e.kind() != std::io::ErrorKind::BrokenPipe => Err(e.into()),
        _ => Ok(()),
    }
}
