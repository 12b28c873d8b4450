//! Measures deferred tool loading: what it saves, whether the search finds the tool, how many extra turns it costs, and
//! how much of the previous request survives as a prompt-cache prefix.
//!
//! | module | question |
//! |---|---|
//! | [`scenario`] | Which grid is measured? |
//! | [`run`] | How does a scenario become scores? |
//! | [`retrieval`] | Does the search find the tool? |
//! | [`session`], [`script`] | What does the model see, request by request? |
//! | [`synthetic`] | What does a session of token sizes cost? |
//! | [`lifecycle`] | Does an engine keep its selection through the life of a session? |
//! | [`layout`] | How does a request become prompt text? |
//! | [`counter`] | How many model tokens is a text? |
//! | [`metric`] | Which numbers are reported, and what does each mean? |
//! | [`prompt`] | How does a rendered request become what a cache sees? |
//! | [`caching`] | What would each prefix cache make of a played session? |
//! | [`profiles`] | Which prefix caches are known, and who says so? |
//! | [`lint`], [`providers`] | What will providers stumble over, and what does each accept? |
//! | [`log`] | How much of each recorded request lives on in the next? |
//! | [`cost`] | Where do the bytes and tokens of the definitions go? |
//! | [`check`] | What should the author of a server change first? |
//! | [`cli`] | What can be asked on the command line? |

pub mod caching;
pub mod check;
pub mod cli;
pub mod clock;
pub mod cost;
pub mod counter;
pub mod layout;
pub mod lifecycle;
pub mod lint;
pub mod log;
pub mod metric;
pub mod profiles;
pub mod prompt;
pub mod providers;
pub mod retrieval;
pub mod run;
pub mod scenario;
pub mod script;
pub mod session;
pub mod synthetic;
