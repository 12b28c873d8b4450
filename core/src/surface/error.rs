//! Why can a surface not be built, or a request not be made?

use thiserror::Error;

use crate::entry::SeamError;
use crate::policy::PolicyError;

/// Why a surface cannot be built.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SurfaceError {
    /// An always-on name is not in the catalog.
    #[error("always-on tool \"{name}\" is not in the catalog; give names of its tools, exactly as they are spelled")]
    UnknownAlwaysOn {
        /// The name.
        name: String,
    },
    /// An always-on name is given twice.
    #[error("always-on tool \"{name}\" is named twice")]
    RepeatedAlwaysOn {
        /// The name.
        name: String,
    },
    /// The search tool has the name of a tool of the catalog.
    #[error("the search tool's name \"{name}\" is taken by a tool of the catalog; give the search tool another name")]
    SearchNameTaken {
        /// The name.
        name: String,
    },
    /// The entry makes no sense beside the policy or the order.
    #[error(transparent)]
    Seam(#[from] SeamError),
    /// The policy refuses.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

/// Why a request cannot be made: nothing is sent, and the run ends.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum StepError {
    /// A pin is not in the catalog.
    #[error("pin \"{name}\" is not in the catalog; pin names of its tools, exactly as they are spelled")]
    UnknownPin {
        /// The name.
        name: String,
    },
    /// A pin is given twice.
    #[error("pin \"{name}\" is named twice")]
    RepeatedPin {
        /// The name.
        name: String,
    },
    /// The policy refuses.
    #[error(transparent)]
    Policy(#[from] PolicyError),
}

impl StepError {
    /// The reason for which a run ends, as the published system names it: `context_overflow` for tools that do not fit or
    /// do not exist, `provider_failure` for anything else.
    ///
    /// ```
    /// use deferbench_core::surface::StepError;
    /// assert_eq!(StepError::UnknownPin { name: "clack".into() }.terminal_reason(), "context_overflow");
    /// ```
    pub fn terminal_reason(&self) -> &'static str {
        match self {
            Self::Policy(PolicyError::Snapshot { .. } | PolicyError::Spec(_)) => "provider_failure",
            _ => "context_overflow",
        }
    }
}
