//! Which tools are registered, where, and who may see them?
//!
//! Scopes form a tree below [`GLOBAL`]. A scope sees its own tools, and what it inherits from the scopes above it as far as
//! every restriction on the way lets through. Restrictions only take away: they intersect, and each is lifted by its owner
//! alone.

mod parts;

use std::collections::{BTreeMap, BTreeSet};

use crate::tool::Tool;

pub use parts::{Allow, Change, GLOBAL, Owner, RegistrationId, RegistryError, RestrictionId, ScopeId};
use parts::{Registered, Restriction, Scope};

/// Called after every change with the registry as it is then.
pub type Observer = Box<dyn FnMut(&Registry, &Change) + Send>;

/// Tools, scopes and restrictions that come and go.
///
/// ```
/// use deferbench_core::{Tool, registry::{Allow, GLOBAL, Registry}};
/// let tool = |name| Tool::new(name, None, "{}").unwrap();
/// let mut registry = Registry::new();
/// let (host, guard) = (registry.owner(), registry.owner());
/// registry.register(&host, GLOBAL, tool("read")).unwrap();
/// registry.register(&host, GLOBAL, tool("drop")).unwrap();
/// let agent = registry.open(GLOBAL).unwrap();
/// registry.register(&host, agent, tool("note")).unwrap();
/// let names = |r: &Registry| r.schemas(agent).unwrap().iter().map(|t| t.name().to_string()).collect::<Vec<_>>();
///
/// // A restriction filters what is inherited; the scope's own tools stay. Two of them intersect.
/// let one = registry.restrict(&guard, agent, Allow::names(["read", "drop"])).unwrap();
/// assert_eq!(names(&registry), ["read", "drop", "note"]);
/// registry.restrict(&host, agent, Allow::names(["read"])).unwrap();
/// assert_eq!(names(&registry), ["read", "note"]);
/// assert!(registry.lift(&host, one).unwrap_err().to_string().contains("another owner"));
/// ```
#[derive(Default)]
pub struct Registry {
    scopes: BTreeMap<ScopeId, Scope>,
    tools: BTreeMap<RegistrationId, Registered>,
    /// The registrations of each name.
    by_name: BTreeMap<String, Vec<RegistrationId>>,
    restrictions: BTreeMap<RestrictionId, Restriction>,
    next: u64,
    generation: u64,
    observers: Vec<Observer>,
}

impl Registry {
    /// A registry with the global scope and nothing in it.
    pub fn new() -> Self {
        let mut registry = Self::default();
        registry.scopes.insert(GLOBAL, Scope { parent: None });
        registry
    }

    /// A new owner.
    pub fn owner(&mut self) -> Owner {
        Owner(self.id())
    }

    /// Number of changes to the tools so far. An index that was built at another generation is stale.
    pub fn generation(&self) -> u64 {
        self.generation
    }

    /// Adds an observer of every change.
    pub fn observe(&mut self, observer: Observer) {
        self.observers.push(observer);
    }

    /// Opens a scope below another one.
    ///
    /// # Errors
    /// [`RegistryError::NoScope`].
    pub fn open(&mut self, parent: ScopeId) -> Result<ScopeId, RegistryError> {
        self.known(parent)?;
        let scope = ScopeId(self.id());
        self.scopes.insert(scope, Scope { parent: Some(parent) });
        self.tell(Change::Opened { scope });
        Ok(scope)
    }

    /// Closes a scope with everything below it: tools and restrictions there are gone, whoever owns them.
    ///
    /// # Errors
    /// [`RegistryError::NoScope`]; the global scope cannot be closed.
    pub fn close(&mut self, scope: ScopeId) -> Result<(), RegistryError> {
        if scope == GLOBAL {
            return Err(RegistryError::NoScope);
        }
        self.known(scope)?;
        let below: Vec<ScopeId> = self.scopes.keys().copied().filter(|s| self.path(*s).contains(&scope)).collect();
        let gone: Vec<RegistrationId> =
            self.tools.iter().filter(|(_, t)| below.contains(&t.scope)).map(|(id, _)| *id).collect();
        gone.into_iter().for_each(|id| {
            self.remove(id);
        });
        self.restrictions.retain(|_, r| !below.contains(&r.scope));
        self.scopes.retain(|s, _| !below.contains(s));
        self.generation += 1;
        self.tell(Change::Closed { scope });
        Ok(())
    }

    /// True while a scope is open.
    pub fn is_open(&self, scope: ScopeId) -> bool {
        self.scopes.contains_key(&scope)
    }

    /// Registers a tool in a scope.
    ///
    /// # Errors
    /// [`RegistryError::NameTaken`] when some scope would see two tools of the name; [`RegistryError::NoScope`].
    pub fn register(&mut self, owner: &Owner, scope: ScopeId, tool: Tool) -> Result<RegistrationId, RegistryError> {
        self.known(scope)?;
        if self.named(tool.name()).any(|other| self.meet(scope, other.scope)) {
            return Err(RegistryError::NameTaken { name: tool.name().to_string() });
        }
        let (id, name) = (RegistrationId(self.id()), tool.name().to_string());
        self.by_name.entry(name.clone()).or_default().push(id);
        self.tools.insert(id, Registered { owner: owner.clone(), scope, tool });
        self.generation += 1;
        self.tell(Change::Registered { scope, name });
        Ok(id)
    }

    /// Puts a list of tools in the place of what an owner has registered in a scope, as an MCP server's `list_changed`
    /// asks for: one owner for each server. Names of several servers that clash are refused here; resolve them before
    /// ([`crate::resolve_names`]). A definition that is the same keeps its registration; one that changed is another tool.
    /// The generation moves only when something did.
    ///
    /// # Errors
    /// [`RegistryError::NameTaken`], [`RegistryError::NoScope`]: nothing changed.
    ///
    /// ```
    /// use deferbench_core::{Tool, registry::{GLOBAL, Registry}};
    /// let tool = |name, text| Tool::new(name, Some(text), "{}").unwrap();
    /// let mut registry = Registry::new();
    /// let server = registry.owner();
    /// registry.list_changed(&server, GLOBAL, vec![tool("a", "Old."), tool("b", "Same.")]).unwrap();
    /// let before = registry.generation();
    /// registry.list_changed(&server, GLOBAL, vec![tool("b", "Same."), tool("a", "Old.")]).unwrap();
    /// assert_eq!(registry.generation(), before);
    /// registry.list_changed(&server, GLOBAL, vec![tool("a", "New."), tool("b", "Same.")]).unwrap();
    /// assert!(registry.generation() > before);
    /// ```
    pub fn list_changed(&mut self, owner: &Owner, scope: ScopeId, list: Vec<Tool>) -> Result<(), RegistryError> {
        self.known(scope)?;
        let mut names = BTreeSet::new();
        let own = |r: &Registered| r.owner == *owner && r.scope == scope;
        for tool in &list {
            let meets = self.named(tool.name()).any(|other| !own(other) && self.meet(scope, other.scope));
            if meets || !names.insert(tool.name()) {
                return Err(RegistryError::NameTaken { name: tool.name().to_string() });
            }
        }
        // Whole definitions are compared: annotations decide about approvals, and no fingerprint covers them.
        let by_name: BTreeMap<&str, &Tool> = list.iter().map(|t| (t.name(), t)).collect();
        let listed = |tool: &Tool| by_name.get(tool.name()).is_some_and(|l| *l == tool);
        let gone: Vec<RegistrationId> =
            self.tools.iter().filter(|(_, r)| own(r) && !listed(&r.tool)).map(|(id, _)| *id).collect();
        for id in gone {
            self.unregister(owner, id)?;
        }
        for tool in list {
            if !self.named(tool.name()).any(own) {
                self.register(owner, scope, tool)?;
            }
        }
        Ok(())
    }

    /// Ends a registration.
    ///
    /// # Errors
    /// [`RegistryError::Gone`], [`RegistryError::NotOwner`].
    pub fn unregister(&mut self, owner: &Owner, id: RegistrationId) -> Result<(), RegistryError> {
        may_end("registration", self.tools.get(&id).map(|r| &r.owner), owner)?;
        if let Some(Registered { scope, tool, .. }) = self.remove(id) {
            self.generation += 1;
            self.tell(Change::Unregistered { scope, name: tool.name().to_string() });
        }
        Ok(())
    }

    /// Lets a scope see nothing else of what it inherits.
    ///
    /// # Errors
    /// [`RegistryError::NoScope`].
    pub fn restrict(&mut self, owner: &Owner, scope: ScopeId, allow: Allow) -> Result<RestrictionId, RegistryError> {
        self.known(scope)?;
        let id = RestrictionId(self.id());
        self.restrictions.insert(id, Restriction { owner: owner.clone(), scope, allow });
        self.tell(Change::Restricted { scope });
        Ok(id)
    }

    /// Lifts a restriction.
    ///
    /// # Errors
    /// [`RegistryError::Gone`], [`RegistryError::NotOwner`].
    pub fn lift(&mut self, owner: &Owner, id: RestrictionId) -> Result<(), RegistryError> {
        may_end("restriction", self.restrictions.get(&id).map(|r| &r.owner), owner)?;
        if let Some(Restriction { scope, .. }) = self.restrictions.remove(&id) {
            self.tell(Change::Lifted { scope });
        }
        Ok(())
    }

    /// What the request of a scope carries: inherited tools in registration order, then the scope's own.
    ///
    /// # Errors
    /// [`RegistryError::NoScope`].
    pub fn schemas(&self, scope: ScopeId) -> Result<Vec<&Tool>, RegistryError> {
        let (own, inherited): (Vec<_>, Vec<_>) = self.seen_by(scope)?.partition(|(_, _, own)| *own);
        Ok(inherited.into_iter().chain(own).map(|(_, tool, _)| tool).collect())
    }

    /// The inherited tools that a scope sees, in registration order.
    ///
    /// # Errors
    /// [`RegistryError::NoScope`].
    pub fn inherited(&self, scope: ScopeId) -> Result<Vec<(RegistrationId, &Tool)>, RegistryError> {
        Ok(self.seen_by(scope)?.filter(|(_, _, own)| !own).map(|(id, tool, _)| (id, tool)).collect())
    }

    /// Whether a scope sees a tool; false for a scope or a tool that is gone.
    pub fn sees(&self, scope: ScopeId, tool: RegistrationId) -> bool {
        self.sees_without(scope, tool, None)
    }

    /// Whether a scope would see a tool if one restriction were not there.
    pub(crate) fn sees_without(&self, scope: ScopeId, tool: RegistrationId, without: Option<RestrictionId>) -> bool {
        let Some(registered) = self.tools.get(&tool) else { return false };
        let path = self.path(scope);
        let Some(distance) = path.iter().position(|s| *s == registered.scope) else { return false };
        let denies =
            |r: &Restriction| path[..distance].contains(&r.scope) && !r.allow.passes(tool, registered.tool.name());
        !self.restrictions.iter().any(|(id, r)| Some(*id) != without && denies(r))
    }

    /// Every tool that a scope inherits, restricted or not, in registration order, with the scope it is registered in.
    ///
    /// # Errors
    /// [`RegistryError::NoScope`].
    pub fn above(&self, scope: ScopeId) -> Result<Vec<(RegistrationId, ScopeId, &Tool)>, RegistryError> {
        self.known(scope)?;
        let path = self.path(scope);
        let above = self.tools.iter().filter(|(_, t)| t.scope != scope && path.contains(&t.scope));
        Ok(above.map(|(id, t)| (*id, t.scope, &t.tool)).collect())
    }

    /// Registration, tool, and whether it is the scope's own.
    fn seen_by(&self, scope: ScopeId) -> Result<impl Iterator<Item = (RegistrationId, &Tool, bool)>, RegistryError> {
        self.known(scope)?;
        let path = self.path(scope);
        // By distance from the scope: a restriction filters what comes from further up.
        let mut filters: Vec<Vec<&Allow>> = vec![Vec::new(); path.len()];
        for restriction in self.restrictions.values() {
            if let Some(at) = path.iter().position(|s| *s == restriction.scope) {
                filters[at].push(&restriction.allow);
            }
        }
        Ok(self.tools.iter().filter_map(move |(id, registered)| {
            let distance = path.iter().position(|s| *s == registered.scope)?;
            let name = registered.tool.name();
            let passes = filters[..distance].iter().flatten().all(|allow| allow.passes(*id, name));
            passes.then_some((*id, &registered.tool, distance == 0))
        }))
    }

    /// The scope and those above it, nearest first.
    fn path(&self, scope: ScopeId) -> Vec<ScopeId> {
        let parent = |s: &ScopeId| self.scopes.get(s).and_then(|s| s.parent);
        std::iter::successors(Some(scope), parent).collect()
    }

    /// What is registered under a name.
    fn named(&self, name: &str) -> impl Iterator<Item = &Registered> {
        self.by_name.get(name).into_iter().flatten().filter_map(|id| self.tools.get(id))
    }

    /// Whether one of two scopes lies above the other, or they are one: then some scope sees what stands in both.
    fn meet(&self, a: ScopeId, b: ScopeId) -> bool {
        self.path(a).contains(&b) || self.path(b).contains(&a)
    }

    fn known(&self, scope: ScopeId) -> Result<(), RegistryError> {
        if self.is_open(scope) { Ok(()) } else { Err(RegistryError::NoScope) }
    }

    fn remove(&mut self, id: RegistrationId) -> Option<Registered> {
        let registered = self.tools.remove(&id)?;
        if let Some(ids) = self.by_name.get_mut(registered.tool.name()) {
            ids.retain(|other| *other != id);
            if ids.is_empty() {
                self.by_name.remove(registered.tool.name());
            }
        }
        Some(registered)
    }

    fn id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    fn tell(&mut self, change: Change) {
        let mut observers = std::mem::take(&mut self.observers);
        observers.iter_mut().for_each(|observer| observer(self, &change));
        self.observers = observers;
    }
}

/// Whether somebody may end what an owner began; none: it is gone.
fn may_end(what: &'static str, began: Option<&Owner>, ends: &Owner) -> Result<(), RegistryError> {
    match began {
        None => Err(RegistryError::Gone { what }),
        Some(owner) if owner != ends => Err(RegistryError::NotOwner { what }),
        Some(_) => Ok(()),
    }
}
