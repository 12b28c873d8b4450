use super::*;
use crate::registry::GLOBAL;

/// P15: an index of another generation is an error that names both, never an answer.
#[test]
fn a_stale_index_does_not_answer() {
    let mut registry = Registry::new();
    let host = registry.owner();
    let tool = |name| Tool::new(name, None, "{}").unwrap();
    registry.register(&host, GLOBAL, tool("a")).unwrap();
    let agent = registry.open(GLOBAL).unwrap();
    let mut disclosure = Disclosure::new(&mut registry, DisclosureConfig::default()).unwrap();
    disclosure.attach(&mut registry, agent, &[], Subagent::Alone, &mut |_| Ok(())).unwrap();
    let index = disclosure.index(&registry, agent).unwrap();
    let built_at = registry.generation();
    assert_eq!(index.search(built_at, "a", 5).unwrap().tools.len(), 1);
    registry.register(&host, GLOBAL, tool("b")).unwrap();
    let stale = index.search(registry.generation(), "b", 5).unwrap_err();
    assert_eq!(stale, StaleIndex { built_at, now: built_at + 1 });
    assert_eq!(disclosure.index(&registry, agent).unwrap().search(built_at + 1, "b", 5).unwrap().tools.len(), 1);
}
