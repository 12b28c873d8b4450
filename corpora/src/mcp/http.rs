//! How is a server spoken to that runs already?

use std::io::{BufRead, BufReader, Read};
use std::time::{Duration, Instant};

use ureq::http::Response;
use ureq::{Agent, Body};

use super::client::Wire;
use super::error::{Problem, excerpt};
use super::message::{self, Message};
use super::stdio::Stray;
use super::{MAX_BYTES, MAX_MESSAGE, MAX_STRAY, Options};

/// How long a server may take to hear our answer to a request of its own.
const REPLY: Duration = Duration::from_secs(1);

/// A server behind an address.
pub(super) struct Http {
    agent: Agent,
    url: String,
    session: Option<String>,
    protocol: Option<String>,
    deadline: Instant,
    timeout: Duration,
    bytes: usize,
    stray: Stray,
}

impl Http {
    pub(super) fn new(url: &str, options: &Options, deadline: Instant) -> Result<Self, Problem> {
        let secure = url.starts_with("https://");
        if !secure && !url.starts_with("http://") {
            return Err(Problem::Address("an address begins with http:// or https://".to_string()));
        }
        if secure && !cfg!(feature = "tls") {
            let problem = "this program was built without TLS; build it with `--features tls`, or use http://";
            return Err(Problem::Address(problem.to_string()));
        }
        // A status is looked at here, where the body can still be read; a server on this machine needs no proxy.
        let mut config = Agent::config_builder().http_status_as_error(false).max_redirects(0);
        let host = url.split("://").nth(1).unwrap_or_default();
        if ["127.", "localhost", "[::1]"].iter().any(|local| host.starts_with(local)) {
            config = config.proxy(None);
        }
        let (agent, timeout) = (config.build().into(), options.timeout);
        let url = url.to_string();
        Ok(Self { agent, url, session: None, protocol: None, deadline, timeout, bytes: 0, stray: Stray::default() })
    }

    fn post(&mut self, body: &str, asked: &str, most: Duration) -> Result<Response<Body>, Problem> {
        let left = self.deadline.saturating_duration_since(Instant::now()).max(Duration::from_millis(1)).min(most);
        let mut request = self.agent.post(&self.url).config().timeout_global(Some(left)).build();
        request = request.header("content-type", "application/json");
        request = request.header("accept", "application/json, text/event-stream");
        if let Some(session) = &self.session {
            request = request.header("mcp-session-id", session);
        }
        if let Some(protocol) = &self.protocol {
            request = request.header("mcp-protocol-version", protocol);
        }
        let mut response = request.send(body).map_err(|e| self.failed(asked, &e))?;
        let header = |name: &str| Some(response.headers().get(name)?.to_str().ok()?.to_string());
        if let Some(session) = header("mcp-session-id") {
            self.session = Some(session);
        }
        let status = response.status().as_u16();
        if !(200..300).contains(&status) {
            let place = header("location").map(|l| format!("it has moved to {l}"));
            let mut text = String::new();
            let _ = response.body_mut().as_reader().take(4096).read_to_string(&mut text);
            let body = place.unwrap_or_else(|| excerpt(&text));
            return Err(Problem::Status { asked: asked.to_string(), status, body });
        }
        Ok(response)
    }

    fn failed(&self, asked: &str, error: &ureq::Error) -> Problem {
        let asked = asked.to_string();
        match error {
            ureq::Error::Timeout(_) => self.late(asked),
            ureq::Error::Io(e) => self.failed_reading(asked, e),
            other => Problem::Connection { asked, detail: other.to_string() },
        }
    }

    fn failed_reading(&self, asked: String, error: &std::io::Error) -> Problem {
        let timed_out = error.kind() == std::io::ErrorKind::TimedOut
            || error
                .get_ref()
                .and_then(|e| e.downcast_ref::<ureq::Error>())
                .is_some_and(|e| matches!(e, ureq::Error::Timeout(_)));
        if timed_out { self.late(asked) } else { Problem::Connection { asked, detail: error.to_string() } }
    }

    fn late(&self, asked: String) -> Problem {
        Problem::NoAnswer { asked, seconds: self.timeout.as_secs_f64(), stray: self.stray.note() }
    }

    /// True: this is the answer.
    fn take(&mut self, text: &str, id: u64, asked: &str) -> Result<bool, Problem> {
        let nonsense = |detail| Problem::Nonsense { asked: asked.to_string(), expected: "a JSON-RPC message", detail };
        match message::classify(text, id) {
            Message::Answer => return Ok(true),
            Message::Foreign(found) => {
                return Err(Problem::Id { asked: asked.to_string(), found: excerpt(&found), expected: id });
            }
            Message::Request(id, method) => {
                self.stray.request();
                // A server that hears nobody while it answers has to be left to answer.
                let _ = self.post(&message::reply(&id, &method), &method, REPLY);
            }
            Message::Notification(method) => self.stray.notification(&method),
            Message::Broken(Some(detail)) => return Err(nonsense(detail)),
            Message::Broken(None) => return Err(nonsense(excerpt(text))),
            Message::Stray => self.stray.add(text),
        }
        Ok(false)
    }

    /// Reads events until the answer comes.
    fn events(&mut self, body: impl Read, id: u64, asked: &str) -> Result<String, Problem> {
        let mut reader = BufReader::new(body);
        let (mut data, mut lines): (Option<String>, usize) = (None, 0);
        loop {
            let mut line = Vec::new();
            let limited = reader.by_ref().take(MAX_MESSAGE as u64 + 1).read_until(b'\n', &mut line);
            let read = limited.map_err(|e| self.failed_reading(asked.to_string(), &e))?;
            lines += 1;
            self.bytes += read;
            if read > MAX_MESSAGE || data.as_ref().is_some_and(|d| d.len() > MAX_MESSAGE) {
                return Err(Problem::TooLong { asked: asked.to_string() });
            }
            if self.bytes > MAX_BYTES || self.stray.is_flood() || lines > 10 * MAX_STRAY {
                return Err(Problem::Flood { asked: asked.to_string(), stray: self.stray.note() });
            }
            let text = utf8(line, asked)?;
            let text = text.trim_end_matches(['\n', '\r']);
            if let Some(rest) = text.strip_prefix("data:") {
                let rest = rest.strip_prefix(' ').unwrap_or(rest);
                data = Some(data.map_or_else(|| rest.to_string(), |d| format!("{d}\n{rest}")));
            } else if text.is_empty()
                && let Some(event) = data.take().filter(|d| !d.trim().is_empty())
                && self.take(&event, id, asked)?
            {
                return Ok(event);
            }
            if read == 0 {
                return Err(Problem::Ended { asked: asked.to_string(), status: None, stray: self.stray.note() });
            }
        }
    }
}

fn utf8(bytes: Vec<u8>, asked: &str) -> Result<String, Problem> {
    String::from_utf8(bytes).map_err(|e| Problem::Utf8 { asked: asked.to_string(), byte: e.utf8_error().valid_up_to() })
}

impl Wire for Http {
    fn ask(&mut self, id: u64, body: &str, asked: &str) -> Result<String, Problem> {
        let mut response = self.post(body, asked, self.timeout)?;
        let kind = response.headers().get("content-type").and_then(|v| v.to_str().ok()).unwrap_or_default();
        if kind.starts_with("text/event-stream") {
            return self.events(response.into_body().into_reader(), id, asked);
        }
        if !kind.starts_with("application/json") {
            let expected = "application/json or text/event-stream";
            return Err(Problem::Nonsense {
                asked: asked.to_string(),
                expected,
                detail: format!("content type {kind:?}"),
            });
        }
        let mut bytes = Vec::new();
        let limited = response.body_mut().as_reader().take(MAX_MESSAGE as u64 + 1).read_to_end(&mut bytes);
        limited.map_err(|e| self.failed_reading(asked.to_string(), &e))?;
        if bytes.len() > MAX_MESSAGE {
            return Err(Problem::TooLong { asked: asked.to_string() });
        }
        let text = utf8(bytes, asked)?;
        match self.take(&text, id, asked)? {
            true => Ok(text),
            false => {
                Err(Problem::Nonsense { asked: asked.to_string(), expected: "an answer to it", detail: excerpt(&text) })
            }
        }
    }

    fn tell(&mut self, body: &str) -> Result<(), Problem> {
        self.post(body, "notifications/initialized", self.timeout).map(drop)
    }

    fn agreed(&mut self, protocol: &str) {
        self.protocol = Some(protocol.to_string());
    }

    fn warnings(&mut self) -> Vec<String> {
        self.stray.warnings()
    }
}

impl Drop for Http {
    /// Ends the session, where there is one; a server may refuse that.
    fn drop(&mut self) {
        if let Some(session) = &self.session {
            let request = self.agent.delete(&self.url).config().timeout_global(Some(Duration::from_secs(1))).build();
            let _ = request.header("mcp-session-id", session).call();
        }
    }
}
