//! Which requests does a listing need?

use std::collections::HashSet;

use deferbench_core::{Limits, Tool};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::error::{Problem, excerpt};
use super::{Listing, MAX_PAGES, PROTOCOL, ServerInfo, message};

/// One connection.
pub(super) trait Wire {
    /// Sends a request and waits for its answer, which comes as it was spelled. `asked` is the request's name in errors.
    fn ask(&mut self, id: u64, body: &str, asked: &str) -> Result<String, Problem>;
    /// Sends a notification.
    fn tell(&mut self, body: &str) -> Result<(), Problem>;
    /// The protocol version that was agreed on.
    fn agreed(&mut self, _protocol: &str) {}
    /// What was odd, and did no harm.
    fn warnings(&mut self) -> Vec<String>;
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Initialized {
    protocol_version: String,
    #[serde(default)]
    server_info: Info,
    #[serde(default)]
    capabilities: Value,
}

#[derive(Deserialize, Default)]
#[serde(default, expecting = "an object")]
struct Info {
    name: String,
    version: String,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Page<'a> {
    #[serde(borrow)]
    tools: Vec<&'a RawValue>,
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Named {
    name: Option<String>,
}

/// Handshake, then every page.
pub(super) fn list(wire: &mut dyn Wire, limits: &Limits) -> Result<Listing, Problem> {
    let (server, meta) = match handshake(wire) {
        Ok(server) => (server, None),
        // A server of the newest protocol knows no handshake. When it does not know that either, the refusal stands.
        Err(refusal @ Problem::Refused { .. }) => (discover(wire).ok_or(refusal)?, Some(meta())),
        Err(problem) => return Err(problem),
    };
    let (mut pages, mut tools, mut cursors) = (Vec::new(), Vec::new(), HashSet::new());
    let mut cursor: Option<String> = None;
    loop {
        let page = pages.len() + 1;
        if page > MAX_PAGES {
            return Err(Problem::Pages);
        }
        let asked = if page == 1 { "tools/list".to_string() } else { format!("tools/list (page {page})") };
        let cursor_member = cursor.as_ref().map(|c| format!("\"cursor\":{}", Value::from(c.as_str())));
        let params = cursor_member.into_iter().chain(meta.clone()).collect::<Vec<_>>().join(",");
        let id = page as u64 + 1;
        let answer = wire.ask(id, &request(id, "tools/list", &format!("{{{params}}}")), &asked)?;
        let next = read_page(&answer, &asked, limits, &mut tools)?;
        pages.push(answer);
        match next.filter(|c| !c.is_empty()) {
            None => break,
            Some(next) if !cursors.insert(next.clone()) => return Err(Problem::Circle { page, cursor: next }),
            Some(next) => cursor = Some(next),
        }
    }
    Ok(Listing { server, pages, tools, warnings: wire.warnings() })
}

fn request(id: u64, method: &str, params: &str) -> String {
    format!("{{\"jsonrpc\":\"2.0\",\"id\":{id},\"method\":\"{method}\",\"params\":{params}}}")
}

fn handshake(wire: &mut dyn Wire) -> Result<ServerInfo, Problem> {
    let params = format!(
        "{{\"protocolVersion\":\"{PROTOCOL}\",\"capabilities\":{{}},\"clientInfo\":{{\"name\":\"deferbench\",\"version\":\"{}\"}}}}",
        env!("CARGO_PKG_VERSION")
    );
    let answer = wire.ask(1, &request(1, "initialize", &params), "initialize")?;
    let result = message::result(&answer, "initialize")?;
    let found: Initialized = serde_json::from_str(result.get()).map_err(|e| Problem::Nonsense {
        asked: "initialize".to_string(),
        expected: "a protocolVersion and a serverInfo",
        detail: e.to_string(),
    })?;
    wire.agreed(&found.protocol_version);
    wire.tell("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}")?;
    Ok(ServerInfo {
        labels_kept: found.capabilities.pointer(KEPT).is_some_and(|v| v == true),
        name: found.server_info.name,
        version: found.server_info.version,
        protocol: found.protocol_version,
    })
}

/// The protocol version without a handshake: every request says who asks.
const INLINE: &str = "2026-07-28";

fn meta() -> String {
    let about = format!("{{\"name\":\"deferbench\",\"version\":\"{}\"}}", env!("CARGO_PKG_VERSION"));
    let key = "io.modelcontextprotocol";
    format!(
        "\"_meta\":{{\"{key}/protocolVersion\":\"{INLINE}\",\"{key}/clientInfo\":{about},\"{key}/clientCapabilities\":{{}}}}"
    )
}

/// What a server without a handshake says about itself; none: it does not know that protocol.
fn discover(wire: &mut dyn Wire) -> Option<ServerInfo> {
    const ID: u64 = 1 << 32;
    wire.agreed(INLINE);
    let answer = wire.ask(ID, &request(ID, "server/discover", &format!("{{{}}}", meta())), "server/discover").ok()?;
    let found: Value = serde_json::from_str(message::result(&answer, "server/discover").ok()?.get()).ok()?;
    found.get("supportedVersions")?.as_array()?.iter().find(|version| **version == INLINE)?;
    let about =
        |key| found.pointer(&format!("/_meta/io.modelcontextprotocol~1serverInfo/{key}")).and_then(Value::as_str);
    Some(ServerInfo {
        name: about("name").unwrap_or_default().to_string(),
        version: about("version").unwrap_or_default().to_string(),
        protocol: INLINE.to_string(),
        labels_kept: found.get("capabilities").and_then(|c| c.pointer(KEPT)).is_some_and(|v| v == true),
    })
}

/// Where a server says that its tools bear their labels.
const KEPT: &str = "/experimental/deferbench/labelsKept";

fn read_page(answer: &str, asked: &str, limits: &Limits, tools: &mut Vec<Tool>) -> Result<Option<String>, Problem> {
    let result = message::result(answer, asked)?;
    let page: Page = serde_json::from_str(result.get()).map_err(|e| Problem::Nonsense {
        asked: asked.to_string(),
        expected: "an object with the array \"tools\"",
        detail: excerpt(&e.to_string()),
    })?;
    for item in page.tools {
        let position = tools.len();
        if position >= limits.tools {
            return Err(Problem::TooMany { limit: limits.tools });
        }
        let tool = Tool::from_json(item.get(), limits).map_err(|source| Problem::Tool {
            position,
            name: serde_json::from_str::<Named>(item.get()).ok().and_then(|n| n.name),
            source: Box::new(source),
        })?;
        tools.push(tool);
    }
    Ok(page.next_cursor)
}
