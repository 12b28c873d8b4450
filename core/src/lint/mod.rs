//! What will providers, caches and rankers stumble over in a listing of tools?
//!
//! A rule is a pure function over definitions as their servers list them, before any name clash is resolved. Some rules
//! ask a [`Profile`]: what one provider or client accepts. Every rule's time is linear in the size of the definitions;
//! references are followed once each, so that schemas which refer to themselves end.
//!
//! ```
//! use deferbench_core::Limits;
//! use deferbench_core::lint::{Definition, Lint, Profile};
//! let json = r##"{"name":"get user","inputSchema":{"type":"object","properties":{"a":{"$ref":"#/$defs/x"}}}}"##;
//! let definitions = [Definition::from_json(json, "mine", &Limits::default()).unwrap()];
//! let findings = Lint { definitions: &definitions, profiles: &[Profile::plain()], against: None }.findings();
//! let rules: Vec<_> = findings.iter().map(|f| (f.rule, f.pointer.as_str())).collect();
//! assert!(rules.contains(&("name-characters", "/name")));
//! assert!(rules.contains(&("ref-to-nowhere", "/inputSchema/properties/a/$ref")));
//! ```

use std::fmt;

use serde::Serialize;

pub mod counts;
pub mod definition;
pub mod mapping;
pub mod profile;
pub mod walk;

pub use counts::counts;
pub use definition::Definition;
pub use mapping::{MappingError, ProviderNames};
pub use profile::{Characters, Fact, Profile};

use walk::Walk;

crate::entries! {
    /// Every rule; those that an independent program counts come first, in the order of its rows.
    pub static RULES: [Rule] = {
        same_name, near_twins, prefixed_name, name_length, name_characters, description_missing, description_huge,
        root_type_missing, root_type_not_object, root_combinator, ref_present, ref_into_properties, ref_not_local,
        ref_cycle, default_null, enum_long, parameter_name, cjk_text, repeated_name, name_start, ref_to_nowhere,
        default_type, parameter_undescribed, open_object, volatile_text, too_many_tools, listing_order,
        listing_content,
    }
}

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// Worth knowing.
    Info,
    /// Works, and costs something: recall, tokens, a broken prefix.
    Warning,
    /// Somebody refuses the tool, or the request that holds it.
    Error,
}

impl fmt::Display for Severity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Info => "info",
            Self::Warning => "warning",
            Self::Error => "error",
        })
    }
}

/// Whether an independent program counts the rule, and as what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Counted {
    /// Tools with at least one finding.
    Tools(&'static str),
    /// Findings: one for each name.
    Names(&'static str),
    /// Not counted by it.
    No,
}

/// Takes what a rule finds in a listing, with the position of the tool where it is about one.
pub type Found<'f> = dyn FnMut(Option<usize>, Point) + 'f;

/// What a rule looks at.
pub enum Check {
    /// One tool at a time.
    Each(fn(&Subject, &mut dyn FnMut(Point))),
    /// The listing as a whole.
    All(fn(&Lint, &mut Found)),
}

/// The declaration of a rule.
pub struct Rule {
    /// The name in results and flags.
    pub name: &'static str,
    /// How much it matters.
    pub severity: Severity,
    /// One sentence: what is found.
    pub summary: &'static str,
    /// What it costs.
    pub why: &'static str,
    /// What helps.
    pub remedy: &'static str,
    /// A document or a public issue.
    pub source: &'static str,
    /// Its row in the counts.
    pub counted: Counted,
    /// The check.
    pub check: Check,
}

/// One tool under examination.
pub struct Subject<'a> {
    /// The tool.
    pub definition: &'a Definition,
    /// Who shall accept it.
    pub profiles: &'a [Profile],
    /// Its input schema, place by place.
    pub schema: &'a Walk<'a>,
}

/// What a check found, and where.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Point {
    /// JSON pointer into the definition; empty for the whole.
    pub pointer: String,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: String,
    /// The profiles that refuse it; empty where the rule asks none.
    pub profiles: Vec<String>,
}

impl Point {
    /// A point that no profile is asked about.
    pub fn new(pointer: impl Into<String>, found: impl Into<String>, expected: impl Into<String>) -> Self {
        Self { pointer: pointer.into(), found: found.into(), expected: expected.into(), profiles: Vec::new() }
    }
}

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The rule's name.
    pub rule: &'static str,
    /// The rule's severity.
    pub severity: Severity,
    /// The file the tool was listed in, where there is one.
    pub file: Option<String>,
    /// The server's label; none for a finding about the listing.
    pub server: Option<String>,
    /// The tool's name; none for a finding about the listing.
    pub tool: Option<String>,
    /// Position of the tool in the listing, from 0.
    pub position: Option<usize>,
    /// JSON pointer into the definition; empty for the whole.
    pub pointer: String,
    /// What stands there.
    pub found: String,
    /// What should.
    pub expected: String,
    /// What helps.
    pub remedy: &'static str,
    /// The profiles that refuse it.
    pub profiles: Vec<String>,
}

impl Finding {
    /// Found, expected, remedy in one line.
    pub fn message(&self) -> String {
        let who = if self.profiles.is_empty() { String::new() } else { format!(" ({})", self.profiles.join(", ")) };
        format!("found {}, expected {}{who}; {}", self.found, self.expected, self.remedy)
    }
}

/// What is examined.
#[derive(Clone, Copy)]
pub struct Lint<'a> {
    /// The tools, in the order of the listing.
    pub definitions: &'a [Definition],
    /// Who shall accept them.
    pub profiles: &'a [Profile],
    /// A second listing of the same servers.
    pub against: Option<&'a [Definition]>,
}

impl Lint<'_> {
    /// Every finding, by position in the listing, then in the order of [`RULES`], then by place in the definition;
    /// findings about the listing as a whole come last.
    pub fn findings(&self) -> Vec<Finding> {
        let mut found: Vec<(usize, usize, Finding)> = Vec::new();
        let mut add = |rule: usize, position: Option<usize>, point: Point| {
            let definition = position.map(|p| &self.definitions[p]);
            let finding = Finding {
                rule: RULES[rule].name,
                severity: RULES[rule].severity,
                file: definition.and_then(|d| d.file().map(str::to_string)),
                server: definition.map(|d| d.server().to_string()),
                tool: definition.map(|d| d.name().to_string()),
                position,
                pointer: point.pointer,
                found: point.found,
                expected: point.expected,
                remedy: RULES[rule].remedy,
                profiles: point.profiles,
            };
            found.push((position.unwrap_or(usize::MAX), rule, finding));
        };
        for (position, definition) in self.definitions.iter().enumerate() {
            let schema = Walk::new(definition.schema());
            let subject = Subject { definition, profiles: self.profiles, schema: &schema };
            for (i, rule) in RULES.iter().enumerate() {
                if let Check::Each(check) = rule.check {
                    check(&subject, &mut |point| add(i, Some(position), point));
                }
            }
        }
        for (i, rule) in RULES.iter().enumerate() {
            if let Check::All(check) = rule.check {
                check(self, &mut |position, point| add(i, position, point));
            }
        }
        // Stable: within a rule the order of the document stays.
        found.sort_by_key(|(position, rule, _)| (*position, *rule));
        found.into_iter().map(|(_, _, finding)| finding).collect()
    }
}

/// The names of the profiles that refuse something.
fn refusing(profiles: &[Profile], refuses: impl Fn(&Profile) -> bool) -> Vec<String> {
    profiles.iter().filter(|p| refuses(p)).map(|p| p.name.clone()).collect()
}

/// The first characters of a text, in quotation marks, on one line.
fn quoted(text: &str) -> String {
    let mut chars = text.chars();
    let head: String = chars.by_ref().take(60).collect();
    format!("\"{}{}\"", head.escape_debug(), if chars.next().is_some() { "…" } else { "" })
}

#[cfg(test)]
mod tests;
