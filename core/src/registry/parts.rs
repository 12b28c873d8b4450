//! What is a registry made of?

use std::collections::BTreeSet;

use thiserror::Error;

use crate::tool::Tool;

/// The scope above all others.
pub const GLOBAL: ScopeId = ScopeId(0);

/// A scope of a registry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ScopeId(pub(super) u64);

/// A registered tool, from its registration to its end: a tool that comes back has another one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RegistrationId(pub(super) u64);

/// An installed restriction.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct RestrictionId(pub(super) u64);

/// Who registered or restricted something. Only a registry makes one, so nobody can end what another one began.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Owner(pub(super) u64);

/// What changed in a registry.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Change {
    /// A tool was registered.
    Registered {
        /// Where.
        scope: ScopeId,
        /// Its name.
        name: String,
    },
    /// A tool is gone.
    Unregistered {
        /// Where it was.
        scope: ScopeId,
        /// Its name.
        name: String,
    },
    /// A restriction was installed.
    Restricted {
        /// What it restricts.
        scope: ScopeId,
    },
    /// A restriction was lifted.
    Lifted {
        /// What it restricted.
        scope: ScopeId,
    },
    /// A scope was opened.
    Opened {
        /// The scope.
        scope: ScopeId,
    },
    /// A scope was closed, and with it everything below it.
    Closed {
        /// The scope.
        scope: ScopeId,
    },
}

/// Why a registry refuses.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RegistryError {
    /// A name is taken where it would be seen.
    #[error(
        "a scope that sees tool \"{name}\" would see two of that name; unregister the other one, or rename this one"
    )]
    NameTaken {
        /// The name.
        name: String,
    },
    /// There is no such scope any more.
    #[error("the scope is closed; open a new one")]
    NoScope,
    /// Nothing of that id is there.
    #[error("there is no such {what}: it was ended before")]
    Gone {
        /// `registration` or `restriction`.
        what: &'static str,
    },
    /// Somebody else began it.
    #[error("the {what} belongs to another owner, who alone can end it")]
    NotOwner {
        /// `registration` or `restriction`.
        what: &'static str,
    },
}

pub(super) struct Scope {
    pub(super) parent: Option<ScopeId>,
}

pub(super) struct Registered {
    pub(super) owner: Owner,
    pub(super) scope: ScopeId,
    pub(super) tool: Tool,
}

pub(super) struct Restriction {
    pub(super) owner: Owner,
    pub(super) scope: ScopeId,
    pub(super) allow: Allow,
}

/// What a restriction lets through: a tool whose name or whose registration stands here.
///
/// A name lets through whatever is registered under it, now or later; a registration nothing but that one tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Allow {
    /// Names.
    pub names: BTreeSet<String>,
    /// Registrations.
    pub registrations: BTreeSet<RegistrationId>,
}

impl Allow {
    /// Lets these names through.
    pub fn names<S: Into<String>>(names: impl IntoIterator<Item = S>) -> Self {
        Self { names: names.into_iter().map(Into::into).collect(), ..Self::default() }
    }

    pub(super) fn passes(&self, id: RegistrationId, name: &str) -> bool {
        self.names.contains(name) || self.registrations.contains(&id)
    }
}
