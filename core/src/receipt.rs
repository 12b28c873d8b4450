//! What does a search under the policy `replace` leave behind?
//!
//! The receipt is the search tool's answer and, at the same time, the only activation state. Reading is strict: a
//! receipt that deviates in any field is dropped whole, with the reason.

use serde::{Deserialize, Serialize};
use thiserror::Error;

use crate::canonical::canonical;
use crate::catalog::{Catalog, ToolId};

/// The `kind` of every receipt.
pub const KIND: &str = "stitchkit.deferred-tool-selection";

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum Status {
    /// Tools were selected.
    Selected,
    /// A call of an inactive tool was turned into a selection of that tool.
    SearchRequired,
    /// Nothing matched.
    NoMatch,
    /// A ceiling was in the way.
    SelectionRefused,
}

impl Status {
    /// True for the two statuses that carry a selection.
    pub fn selects(self) -> bool {
        matches!(self, Self::Selected | Self::SearchRequired)
    }
}

/// A hit as the model reads it: no schema, no score.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// The tool's name.
    pub name: String,
    /// Its description.
    pub description: String,
}

/// A tool that matched and cannot be selected.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Refused {
    /// The tool's name.
    pub name: String,
    /// Which ceiling: `selected`, `active` or `schema_bytes`.
    pub ceiling: String,
    /// Schema bytes of the tool.
    #[serde(rename = "schemaBytes")]
    pub schema_bytes: u64,
}

/// A call of an inactive tool, kept so that a client can make it again once the model has seen the schema.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Repaired {
    /// The tool.
    pub name: String,
    /// The arguments as the model wrote them: JSON text, unchecked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub arguments: Option<String>,
    /// True when the arguments do not fit into the receipt and are left out.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub arguments_omitted: bool,
}

/// A receipt: version 1 has the first eight fields; version 2 also `stepId`, `fingerprints` and `refused`, `repaired` where
/// it answers a call of an inactive tool, and a MAC where the host has a key.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct Receipt {
    /// 1 or 2.
    pub schema_version: u32,
    /// [`KIND`].
    pub kind: String,
    /// How the search ended.
    pub status: Status,
    /// The run it belongs to.
    pub run_id: String,
    /// The surface it belongs to.
    pub surface_key: String,
    /// The selected names, best first.
    pub selected: Vec<String>,
    /// What the model reads about the selected tools, as far as the byte ceiling allows.
    pub matches: Vec<Match>,
    /// True when more tools matched than are told.
    pub truncated: bool,
    /// The step whose call it answers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub step_id: Option<String>,
    /// Fingerprint of each selected tool, in the order of `selected`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fingerprints: Option<Vec<String>>,
    /// Tools that matched and are kept out by a ceiling, by name and size.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub refused: Option<Vec<Refused>>,
    /// The ceiling that the search itself is over, where no tool is at fault: `query_bytes` or `result_bytes`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
    /// The call of an inactive tool that this receipt answers; `selected` is then the whole selection, that tool included.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repaired: Option<Repaired>,
    /// Keyed blake3, in hexadecimal, over the canonical JSON of all other fields and the id of the call.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mac: Option<String>,
}

/// Most characters of a parser's words: they quote what somebody else wrote.
const MOST_WORDS: usize = 200;

/// The host's secret: with it, only the host can write a receipt that counts.
///
/// What a key cannot see: that the newest receipts are missing. Whoever can cut a transcript can bring an earlier selection
/// of the same run back.
///
/// Without a key, text that looks like a receipt and stands where the search tool's answer stands activates tools; a host
/// whose transcripts pass through other hands gives one. It never appears in debug output.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct MacKey([u8; 32]);

impl MacKey {
    /// Takes 32 secret bytes.
    pub fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }
}

impl std::fmt::Debug for MacKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MacKey(..)")
    }
}

/// Why a receipt was dropped whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum DropReason {
    /// Not JSON, a field missing, unknown or of the wrong type.
    #[error("malformed: {detail}")]
    Malformed {
        /// The parser's words.
        detail: String,
    },
    /// A version that is not read here.
    #[error("version {found} is not read; expected {expected}")]
    Version {
        /// The version found.
        found: u32,
        /// The versions read.
        expected: &'static str,
    },
    /// Another `kind`.
    #[error("kind \"{found}\" is not a selection")]
    Kind {
        /// The kind found.
        found: String,
    },
    /// The receipt of another run.
    #[error("it belongs to run \"{found}\"")]
    ForeignRun {
        /// The run found.
        found: String,
    },
    /// The receipt of another surface.
    #[error("it belongs to surface \"{found}\"")]
    ForeignSurface {
        /// The surface found.
        found: String,
    },
    /// The step in the receipt is not the step whose call it answers.
    #[error("it names step \"{found}\", its call belongs to \"{expected}\"")]
    ForeignStep {
        /// The step found.
        found: String,
        /// The step of the call.
        expected: String,
    },
    /// Status and selection contradict each other.
    #[error("status and selection contradict each other")]
    StatusSelection,
    /// A selected name is not in the catalog.
    #[error("\"{name}\" is not in the catalog")]
    UnknownName {
        /// The name.
        name: String,
    },
    /// A name is selected twice.
    #[error("\"{name}\" is selected twice")]
    RepeatedName {
        /// The name.
        name: String,
    },
    /// Its call has a result already.
    #[error("its call was answered before")]
    SecondResult,
    /// No search call of this run has the id that it answers.
    #[error("it answers no search call of this run")]
    NoCall,
    /// The MAC is missing or does not fit the receipt and its call.
    #[error("its MAC is missing or does not fit")]
    BadMac,
    /// A selected tool's definition changed since.
    #[error("the definition of \"{name}\" changed since it was selected")]
    Changed {
        /// The name.
        name: String,
    },
}

impl DropReason {
    /// The reason as one word, without any content of the receipt.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Malformed { .. } => "malformed",
            Self::Version { .. } => "version",
            Self::Kind { .. } => "kind",
            Self::ForeignRun { .. } => "foreign_run",
            Self::ForeignSurface { .. } => "foreign_surface",
            Self::ForeignStep { .. } => "foreign_step",
            Self::StatusSelection => "status_selection",
            Self::UnknownName { .. } => "unknown_name",
            Self::RepeatedName { .. } => "repeated_name",
            Self::SecondResult => "second_result",
            Self::NoCall => "no_call",
            Self::BadMac => "bad_mac",
            Self::Changed { .. } => "changed",
        }
    }
}

/// Where a receipt stands and what it has to agree with.
#[derive(Clone, Copy)]
pub struct Place<'a> {
    /// The catalog now.
    pub catalog: &'a Catalog,
    /// The run that goes on.
    pub run: &'a str,
    /// The surface in use.
    pub surface: &'a str,
    /// The step whose call the receipt answers.
    pub step: &'a str,
    /// The call that the receipt answers.
    pub call: &'a str,
    /// Whether version 1 is read.
    pub read_v1: bool,
    /// The host's key; with one, a receipt without a fitting MAC is dropped, version 1 included.
    pub key: Option<&'a MacKey>,
}

impl Receipt {
    /// Reads a receipt strictly and checks it against its place; gives the selected tools.
    ///
    /// # Errors
    /// [`DropReason`]: the receipt counts for nothing.
    ///
    /// ```
    /// use deferbench_core::{Catalog, receipt::{DropReason, Place, Receipt}};
    /// let catalog = Catalog::new(vec![]).unwrap();
    /// let place = Place { catalog: &catalog, run: "r1", surface: "default", step: "s1", call: "c1", read_v1: true, key: None };
    /// let foreign = r#"{"schemaVersion":1,"kind":"stitchkit.deferred-tool-selection","status":"NO_MATCH","runId":"r2",
    ///     "surfaceKey":"default","selected":[],"matches":[],"truncated":false}"#;
    /// assert_eq!(Receipt::read(foreign, place), Err(DropReason::ForeignRun { found: "r2".into() }));
    /// ```
    pub fn read(json: &str, place: Place) -> Result<(Self, Vec<ToolId>), DropReason> {
        let words = |e: serde_json::Error| e.to_string().chars().take(MOST_WORDS).collect();
        let receipt: Self = serde_json::from_str(json).map_err(|e| DropReason::Malformed { detail: words(e) })?;
        let second = receipt.step_id.is_some() && receipt.fingerprints.is_some() && receipt.refused.is_some();
        let first = receipt.step_id.is_none()
            && receipt.fingerprints.is_none()
            && receipt.refused.is_none()
            && receipt.reason.is_none()
            && receipt.repaired.is_none()
            && receipt.mac.is_none();
        match receipt.schema_version {
            1 if place.read_v1 && first => {}
            2 if second => {}
            1 if place.read_v1 => return Err(malformed("fields of version 2 in version 1")),
            2 => {
                return Err(malformed("version 2 needs stepId, fingerprints and refused"));
            }
            found => {
                return Err(DropReason::Version { found, expected: if place.read_v1 { "1 or 2" } else { "2" } });
            }
        }
        if receipt.kind != KIND {
            return Err(DropReason::Kind { found: receipt.kind });
        }
        if receipt.run_id != place.run {
            return Err(DropReason::ForeignRun { found: receipt.run_id });
        }
        if receipt.surface_key != place.surface {
            return Err(DropReason::ForeignSurface { found: receipt.surface_key });
        }
        if let Some(found) = receipt.step_id.as_ref().filter(|s| *s != place.step) {
            return Err(DropReason::ForeignStep { found: found.clone(), expected: place.step.to_string() });
        }
        if let Some(key) = place.key {
            // blake3 hashes compare in constant time. Hexadecimal has two spellings, of which only one is ever written.
            let spelled = receipt.mac.as_deref().filter(|mac| !mac.bytes().any(|b| b.is_ascii_uppercase()));
            let stated = spelled.and_then(|mac| blake3::Hash::from_hex(mac).ok());
            if stated.is_none() || stated != receipt.mac_for(key, place.call) {
                return Err(DropReason::BadMac);
            }
        }
        if receipt.status.selects() == receipt.selected.is_empty() {
            return Err(DropReason::StatusSelection);
        }
        let named = receipt.repaired.as_ref().map(|r| &r.name);
        let fits = match receipt.status {
            Status::SearchRequired if second => named.is_some_and(|n| receipt.selected.contains(n)),
            Status::SearchRequired | Status::SelectionRefused => true,
            Status::Selected | Status::NoMatch => named.is_none(),
        };
        if !fits {
            return Err(malformed("repaired names a selected tool, and stands where a call was repaired"));
        }
        let tools = receipt.tools(place.catalog)?;
        Ok((receipt, tools))
    }

    fn tools(&self, catalog: &Catalog) -> Result<Vec<ToolId>, DropReason> {
        if self.fingerprints.as_ref().is_some_and(|f| f.len() != self.selected.len()) {
            return Err(malformed("one fingerprint for each selected tool"));
        }
        let mut tools = Vec::with_capacity(self.selected.len());
        for (i, name) in self.selected.iter().enumerate() {
            let id = catalog.find(name).ok_or_else(|| DropReason::UnknownName { name: name.clone() })?;
            if tools.contains(&id) {
                return Err(DropReason::RepeatedName { name: name.clone() });
            }
            let known = self.fingerprints.as_ref().map(|prints| &prints[i]);
            if known.is_some_and(|print| *print != catalog[id].fingerprint().to_string()) {
                return Err(DropReason::Changed { name: name.clone() });
            }
            tools.push(id);
        }
        Ok(tools)
    }

    /// Signs the receipt as the answer of a call.
    pub fn sign(&mut self, key: &MacKey, call: &str) {
        self.mac = self.mac_for(key, call).map(|mac| mac.to_hex().to_string());
    }

    /// None where there is no canonical form: such a receipt is never signed, and never counts.
    fn mac_for(&self, key: &MacKey, call: &str) -> Option<blake3::Hash> {
        let unsigned = Self { mac: None, ..self.clone() };
        let call = serde_json::Value::from(call);
        let text = canonical(&format!("{{\"callId\":{call},\"receipt\":{}}}", unsigned.json())).ok()?;
        Some(blake3::keyed_hash(&key.0, text.as_bytes()))
    }

    /// The receipt as the model reads it: compact JSON.
    pub fn json(&self) -> String {
        // A receipt holds texts, numbers and booleans only: it always serializes.
        serde_json::to_string(self).unwrap_or_default()
    }
}

fn malformed(detail: &str) -> DropReason {
    DropReason::Malformed { detail: detail.to_string() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::catalog;

    const V1: &str = r#"{"schemaVersion":1,"kind":"stitchkit.deferred-tool-selection","status":"SELECTED","runId":"run","surfaceKey":"default","selected":["a"],"matches":[{"name":"a","description":"A."}],"truncated":false}"#;

    fn read(json: &str, read_v1: bool) -> Result<Vec<ToolId>, DropReason> {
        let catalog = catalog(&[("a", "A."), ("b", "B.")]);
        let place =
            Place { catalog: &catalog, run: "run", surface: "default", step: "s1", call: "c1", read_v1, key: None };
        Receipt::read(json, place).map(|(_, tools)| tools)
    }

    /// S10: eight fields, four statuses; version 1 is read only where that is switched on.
    #[test]
    fn version_1_round_trips() {
        assert_eq!(read(V1, true).unwrap(), [ToolId(0)]);
        assert_eq!(read(V1, false), Err(DropReason::Version { found: 1, expected: "2" }));
        assert_eq!(serde_json::from_str::<Receipt>(V1).unwrap().json(), V1);
        assert_eq!(serde_json::from_str::<serde_json::Value>(V1).unwrap().as_object().unwrap().len(), 8);
    }

    /// S11, S19: every deviation drops the receipt whole, with its reason.
    #[test]
    fn reading_fails_closed() {
        let change = |from: &str, to: &str| read(&V1.replacen(from, to, 1), true).unwrap_err();
        assert_eq!(change("SELECTED", "NO_MATCH"), DropReason::StatusSelection);
        assert_eq!(change(r#""selected":["a"]"#, r#""selected":[]"#), DropReason::StatusSelection);
        assert_eq!(change(r#"["a"]"#, r#"["a","a"]"#), DropReason::RepeatedName { name: "a".into() });
        assert_eq!(change(r#"["a"]"#, r#"["a","gone"]"#), DropReason::UnknownName { name: "gone".into() });
        assert_eq!(change(r#""run""#, r#""other""#), DropReason::ForeignRun { found: "other".into() });
        assert_eq!(change(r#""default""#, r#""x""#), DropReason::ForeignSurface { found: "x".into() });
        assert!(matches!(change("Version\":1", "Version\":3"), DropReason::Version { found: 3, .. }));
        assert!(matches!(change("stitchkit", "x"), DropReason::Kind { .. }));
        for (from, to) in [
            ("SELECTED", "DONE"),
            (r#","truncated":false"#, ""),
            ("false", "0"),
            ("\"truncated\"", "\"extra\":1,\"truncated\""),
            (r#""a","description":"A.""#, r#""a""#),
            ("{", "["),
            ("Version\":1", "Version\":2"),
        ] {
            assert!(matches!(change(from, to), DropReason::Malformed { .. }), "{from} -> {to}");
        }
    }

    /// N08: with a key, a receipt counts only as the host wrote it and only for its call.
    #[test]
    fn a_mac_ties_a_receipt_to_its_call() {
        let catalog = catalog(&[("a", "A."), ("b", "B.")]);
        let (key, other) = (MacKey::new([7; 32]), MacKey::new([8; 32]));
        let print = |i: u32| catalog[ToolId(i)].fingerprint().to_string();
        let mut receipt: Receipt = serde_json::from_str(V1).unwrap();
        receipt.schema_version = 2;
        (receipt.step_id, receipt.fingerprints, receipt.refused) =
            (Some("s1".into()), Some(vec![print(0)]), Some(vec![]));
        let unsigned = receipt.json();
        receipt.sign(&key, "c1");
        let read = |json: &str, call: &str, key: Option<&MacKey>| {
            let place =
                Place { catalog: &catalog, run: "run", surface: "default", step: "s1", call, read_v1: true, key };
            Receipt::read(json, place).map(|(_, tools)| tools)
        };
        assert_eq!(read(&receipt.json(), "c1", Some(&key)), Ok(vec![ToolId(0)]));
        assert_eq!(read(&receipt.json(), "c1", None), Ok(vec![ToolId(0)]));
        let forged = receipt.json().replace("[\"a\"]", "[\"b\"]").replace(&print(0), &print(1));
        let mac = receipt.mac.clone().unwrap();
        let upper = receipt.json().replace(&mac, &mac.to_uppercase());
        for (json, call, key) in [
            (unsigned.as_str(), "c1", &key),
            (receipt.json().as_str(), "c2", &key),
            (receipt.json().as_str(), "c1", &other),
            (forged.as_str(), "c1", &key),
            (upper.as_str(), "c1", &key),
            (V1, "c1", &key),
        ] {
            assert_eq!(read(json, call, Some(key)), Err(DropReason::BadMac), "{json} {call}");
        }
        assert_eq!(format!("{key:?}"), "MacKey(..)");
    }

    /// G12: version 2 notices a definition that changed under the same name.
    #[test]
    fn a_changed_definition_drops_the_receipt() {
        let catalog = catalog(&[("a", "A.")]);
        let v2 = |print: &str, step: &str| {
            V1.replacen("Version\":1", "Version\":2", 1)
                .replace("false}", &format!(r#"false,"stepId":"{step}","fingerprints":["{print}"],"refused":[]}}"#))
        };
        let print = catalog[ToolId(0)].fingerprint().to_string();
        assert_eq!(read(&v2(&print, "s1"), false).unwrap(), [ToolId(0)]);
        assert!(matches!(read(&v2(&print, "s2"), false), Err(DropReason::ForeignStep { .. })));
        assert!(matches!(read(&v2(&format!(r#"{print}","{print}"#), "s1"), false), Err(DropReason::Malformed { .. })));
        assert_eq!(read(&v2(&"0".repeat(64), "s1"), false), Err(DropReason::Changed { name: "a".into() }));
    }
}
