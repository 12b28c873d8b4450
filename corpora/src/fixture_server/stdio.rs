//! How is one client served over standard input and output?
//!
//! rmcp hears of the end of the input only when everything received is answered: it would wait for handlers that wait for
//! it, and give up their answers.

use std::collections::HashSet;
use std::io::ErrorKind;
use std::sync::Arc;
use std::time::Duration;

use rmcp::ServiceExt;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, DuplexStream, Stdout};
use tokio::sync::{Mutex, watch};

use super::handler::{Fixture, Shared};
use super::incoming::{self, Incoming};
use super::{FixtureError, NAME, raw};
use crate::mcp::MAX_MESSAGE;

/// How long answers may take behind the end of the input, when no pause is made any more.
const GRACE: Duration = Duration::from_secs(10);

/// Bytes between the streams and the protocol.
const BUFFER: usize = 1 << 16;

/// What the two directions share.
struct Client {
    out: Mutex<Stdout>,
    /// The requests that wait for an answer.
    open: watch::Sender<HashSet<Value>>,
}

impl Client {
    /// Writes a line. A client that has gone is no error.
    async fn say(&self, line: &[u8]) -> std::io::Result<()> {
        let mut out = self.out.lock().await;
        let written = async {
            out.write_all(line).await?;
            out.flush().await
        };
        written.await.or_else(|e| if e.kind() == ErrorKind::BrokenPipe { Ok(()) } else { Err(e) })
    }

    fn closed(&self, id: &Value) {
        self.open.send_modify(|open| open.retain(|other| other != id));
    }
}

/// Serves until the input ends.
pub(super) async fn serve(shared: Shared) -> Result<(), FixtureError> {
    let client = Arc::new(Client { out: Mutex::new(tokio::io::stdout()), open: watch::Sender::default() });
    if shared.options.banner {
        client.say(format!("{NAME} is ready to serve.\n").as_bytes()).await?;
    }
    let number = shared.options.session.unwrap_or_else(|| std::process::id().into());
    let shared = Arc::new(shared);
    let fixture = Fixture::new(Arc::clone(&shared), Some(number));
    let (written, answers) = tokio::io::duplex(BUFFER);
    let (requests, read) = tokio::io::duplex(BUFFER);
    let sending = tokio::spawn(send(answers, Arc::clone(&client)));
    let receiving = tokio::spawn(async move { receive(requests, &client, &shared).await });
    let session = async {
        // Lines are bounded before they come here.
        let transport = AsyncRwTransport::new_server(read, written).with_max_line_length(usize::MAX);
        let running = fixture.serve(transport).await.map_err(|e| FixtureError::Session(e.to_string()))?;
        running.waiting().await.map_err(|e| FixtureError::Session(e.to_string()))
    };
    let ended = session.await;
    let sent = sending.await.map_err(|e| FixtureError::Session(e.to_string()))?;
    // Where the session failed, more input may never come.
    if receiving.is_finished() {
        receiving.await.map_err(|e| FixtureError::Session(e.to_string()))??;
    }
    ended?;
    Ok(sent?)
}

/// Hands lines of the client to the protocol.
async fn receive(mut requests: DuplexStream, client: &Client, shared: &Shared) -> Result<(), FixtureError> {
    let received = forward(&mut requests, client).await;
    shared.ended.send_replace(true);
    let _ = tokio::time::timeout(GRACE, client.open.subscribe().wait_for(HashSet::is_empty)).await;
    received
}

async fn forward(requests: &mut DuplexStream, client: &Client) -> Result<(), FixtureError> {
    let mut input = BufReader::new(tokio::io::stdin());
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(MAX_MESSAGE as u64 + 1).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        if line.len() > MAX_MESSAGE {
            client.say(format!("{}\n", incoming::too_long(&FixtureError::TooLong.to_string())).as_bytes()).await?;
            return Err(FixtureError::TooLong);
        }
        match incoming::read(&line) {
            Incoming::Nothing => continue,
            Incoming::Refused { answer, .. } => {
                client.say(format!("{answer}\n").as_bytes()).await?;
                continue;
            }
            Incoming::Request(id) => client.open.send_modify(|open| drop(open.replace(id))),
            Incoming::Cancelled(id) => client.closed(&id),
            Incoming::Other => {}
        }
        if !line.ends_with(b"\n") {
            line.push(b'\n');
        }
        // A session that has ended says itself why.
        if requests.write_all(&line).await.is_err() {
            return Ok(());
        }
    }
}

/// What the protocol writes passes through here line by line, and gets its definitions.
async fn send(answers: DuplexStream, client: Arc<Client>) -> std::io::Result<()> {
    #[derive(Deserialize)]
    struct Envelope {
        id: Option<Value>,
        method: Option<IgnoredAny>,
    }
    let mut answers = BufReader::new(answers);
    let mut line = Vec::new();
    while answers.read_until(b'\n', &mut line).await? > 0 {
        client.say(raw::restore(&line).as_ref().unwrap_or(&line)).await?;
        if let Ok(Envelope { id: Some(id), method: None }) = serde_json::from_slice(&line) {
            client.closed(&id);
        }
        line.clear();
    }
    Ok(())
}
