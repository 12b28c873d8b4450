//! A registry with a disclosure, and what a test asks of them.

use deferbench_core::Tool;
use deferbench_core::disclosure::{
    Caller, Disclosed, Disclosure, DisclosureConfig, DisclosureError, Pattern, Status, Subagent,
};
use deferbench_core::policy::Cumulative;
use deferbench_core::registry::{GLOBAL, Owner, Registry, ScopeId};
use deferbench_core::transcript::{Call, Event, Output, Snapshot};

/// A registry with a disclosure whose agents find tools by exact names, and by single words of several.
pub struct Harness {
    pub registry: Registry,
    pub host: Owner,
    pub disclosure: Disclosure,
}

pub fn tool(name: &str) -> Tool {
    Tool::new(name, Some("Works."), r#"{"type":"object"}"#).unwrap()
}

pub fn config(always: &[&str], policy: Cumulative) -> DisclosureConfig {
    DisclosureConfig { always_visible: Pattern::all(always).unwrap(), policy, ranker: "phrase".to_string() }
}

pub fn names(tools: &[(String, Status)]) -> Vec<(&str, Status)> {
    tools.iter().map(|(name, status)| (name.as_str(), *status)).collect()
}

pub fn selection(query: &str, selected: &[&str], added: &[&str]) -> Event {
    let owned = |names: &[&str]| names.iter().map(|n| n.to_string()).collect::<Vec<_>>();
    Event::Selection { snapshot: Snapshot::new(query, owned(selected)), added: owned(added) }
}

pub fn call(arguments: &str) -> Call {
    Call::new("c1", "tool_search", arguments)
}

impl Harness {
    pub fn new(globals: &[&str], config: DisclosureConfig) -> Self {
        let mut registry = Registry::new();
        let host = registry.owner();
        for name in globals {
            registry.register(&host, GLOBAL, tool(name)).unwrap();
        }
        let disclosure = Disclosure::new(&mut registry, config).unwrap();
        Self { registry, host, disclosure }
    }

    pub fn plain(globals: &[&str]) -> Self {
        Self::new(globals, config(&[], Cumulative::default()))
    }

    pub fn attach(&mut self, scope: ScopeId, history: &[Event]) -> Result<(), DisclosureError> {
        self.disclosure.attach(&mut self.registry, scope, history, Subagent::Alone, &mut |_| Ok(()))
    }

    pub fn agent(&mut self) -> ScopeId {
        let scope = self.registry.open(GLOBAL).unwrap();
        self.attach(scope, &[]).unwrap();
        scope
    }

    pub fn call(&mut self, agent: ScopeId, caller: Caller, arguments: &str, fails: bool) -> (Disclosed, Vec<Event>) {
        let mut log = Vec::new();
        let mut append = |event: &Event| match fails {
            true => Err("the disk is full".to_string()),
            false => {
                log.push(event.clone());
                Ok(())
            }
        };
        let answer = self.disclosure.search(&mut self.registry, agent, caller, &call(arguments), &mut append);
        (answer, log)
    }

    pub fn search(&mut self, agent: ScopeId, query: &str) -> (Disclosed, Vec<Event>) {
        let arguments = serde_json::json!({ "query": query }).to_string();
        self.call(agent, Caller::agent(agent), &arguments, false)
    }

    pub fn sees(&self, agent: ScopeId) -> Vec<&str> {
        self.registry.schemas(agent).unwrap().into_iter().map(Tool::name).collect()
    }

    /// The call is an ordinary error with these words, and nothing has changed.
    pub fn refuses(&mut self, agent: ScopeId, caller: Caller, arguments: &str, words: &str) {
        let state = |h: &Self| format!("{:?} {:?}", h.sees(agent), h.disclosure.selected(agent));
        let before = state(self);
        let (answer, log) = self.call(agent, caller, arguments, false);
        assert!(matches!(&answer.output, Output::Error(why) if why.contains(words)), "{arguments}: {answer:?}");
        assert_eq!((answer.tools, answer.remaining, log), (vec![], None, vec![]));
        assert_eq!(state(self), before, "{arguments}");
    }
}
