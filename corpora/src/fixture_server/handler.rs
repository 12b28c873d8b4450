//! How is each request answered?

use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use deferbench_core::canonical::canonical;
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, Implementation, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig,
};
use rmcp::service::RequestContext;
use rmcp::{ErrorData, RoleServer, ServerHandler};
use tokio::sync::watch;

use super::{NAME, Options, raw};
use crate::generate::draw::Draw;

/// What all sessions of a process share.
pub(super) struct Shared {
    corpus: String,
    names: HashSet<String>,
    definitions: Vec<(String, String)>,
    pub(super) options: Options,
    /// True: no more requests come, so nobody is made to wait.
    pub(super) ended: watch::Sender<bool>,
    calls: AtomicU64,
    listed: AtomicBool,
    sessions: AtomicU64,
}

impl Shared {
    pub(super) fn new(
        corpus: String,
        names: HashSet<String>,
        definitions: Vec<(String, String)>,
        options: Options,
    ) -> Self {
        let sessions = options.session.unwrap_or(0).into();
        let ended = watch::Sender::new(false);
        Self { corpus, names, definitions, options, ended, calls: 0.into(), listed: false.into(), sessions }
    }

    /// True from the call on after which the list is another one.
    fn changed(&self) -> bool {
        match self.options.list_changed_after {
            Some(0) => self.listed.load(Ordering::SeqCst),
            Some(after) => self.calls.load(Ordering::SeqCst) >= after,
            None => false,
        }
    }
}

/// One session.
pub(super) struct Fixture {
    shared: Arc<Shared>,
    order: Vec<usize>,
}

impl Fixture {
    /// The next session; over standard input and output `number` is given.
    pub(super) fn new(shared: Arc<Shared>, number: Option<u64>) -> Self {
        let number = number.unwrap_or_else(|| shared.sessions.fetch_add(1, Ordering::SeqCst));
        let mut order: Vec<usize> = (0..shared.definitions.len()).collect();
        if let Some(seed) = shared.options.reorder {
            Draw::new(seed, "fixture order", number).shuffle(&mut order);
        }
        if shared.options.duplicate_names {
            order.extend(order.first().copied());
        }
        Self { shared, order }
    }

    /// What is listed now.
    fn listed(&self) -> &[usize] {
        let gone = usize::from(self.shared.changed());
        &self.order[..self.order.len().saturating_sub(gone)]
    }

    /// A page as text, and the cursor of the next one.
    fn page(&self, cursor: Option<&str>) -> Result<(String, Option<String>), ErrorData> {
        let listed = self.listed();
        let size = self.shared.options.page_size.map_or(usize::MAX, |n| usize::try_from(n).unwrap_or(usize::MAX));
        let number = match cursor {
            None => 0,
            Some(cursor) => cursor.strip_prefix("page-").and_then(|n| n.parse::<usize>().ok()).ok_or_else(|| {
                ErrorData::invalid_params(format!("{cursor:?} is no cursor that this server gave"), None)
            })?,
        };
        let start = number.saturating_mul(size).min(listed.len());
        let end = start.saturating_add(size).min(listed.len());
        let definitions = listed[start..end].iter().filter_map(|at| self.shared.definitions.get(*at));
        let mut text = definitions.map(|(_, definition)| definition.as_str()).collect::<Vec<_>>().join(",");
        if self.shared.options.broken_page == Some(number as u64 + 1) {
            text.pop();
        }
        Ok((text, (end < listed.len()).then(|| format!("page-{}", number + 1))))
    }

    fn is_listed(&self, name: &str) -> bool {
        let listed = |at: &usize| self.shared.definitions.get(*at).is_some_and(|(listed, _)| listed == name);
        self.shared.names.contains(name) && (!self.shared.changed() || self.listed().iter().any(listed))
    }
}

impl ServerHandler for Fixture {
    fn get_info(&self) -> ServerConfig {
        let kept = rmcp::object!({ "labelsKept": true });
        let experimental = [("deferbench".to_string(), kept)].into();
        let capabilities = ServerCapabilities::builder()
            .enable_experimental_with(experimental)
            .enable_tools()
            .enable_tool_list_changed()
            .build();
        let about = Implementation::new(NAME, env!("CARGO_PKG_VERSION")).with_title(self.shared.corpus.clone());
        ServerConfig::new(capabilities).with_server_info(about)
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        context: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        if let Some(ms) = self.shared.options.slow_list {
            let mut ended = self.shared.ended.subscribe();
            let _ = tokio::time::timeout(Duration::from_millis(ms), ended.wait_for(|ended| *ended)).await;
        }
        let (text, next) = self.page(request.and_then(|r| r.cursor).as_deref())?;
        let first = !self.shared.listed.swap(true, Ordering::SeqCst);
        if first && self.shared.options.list_changed_after == Some(0) {
            // A client that does not listen misses it, as it would with any server.
            let _ = context.peer.notify_tool_list_changed().await;
        }
        let stand_ins = if text.is_empty() { Vec::new() } else { vec![raw::stand_in(&text)] };
        let mut page = ListToolsResult::with_all_items(stand_ins);
        page.next_cursor = next;
        Ok(page)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if !self.is_listed(&request.name) {
            return Err(ErrorData::invalid_params(format!("unknown tool {:?}", request.name), None));
        }
        let arguments = serde_json::Value::Object(request.arguments.unwrap_or_default()).to_string();
        let arguments = canonical(&arguments).map_err(|e| ErrorData::invalid_params(e.to_string(), None))?;
        let calls = self.shared.calls.fetch_add(1, Ordering::SeqCst) + 1;
        if self.shared.options.list_changed_after == Some(calls) {
            let _ = context.peer.notify_tool_list_changed().await;
        }
        let text = format!("{} {arguments}", request.name);
        Ok(CallToolResult::success(vec![ContentBlock::text(text)]).into())
    }
}
