//! Where does a local `$ref` lead, and what has to come along?

use deferbench_core::pointer::{escaped, percent_decoded, unescaped};

use crate::spelled::Node;

/// Hops from reference to reference.
const MAX_HOPS: usize = 64;

/// What stands behind a node that is a reference, or the node itself.
pub(super) fn resolve<'a>(document: &'a Node, node: &'a Node) -> Result<&'a Node, String> {
    let mut found = node;
    for _ in 0..MAX_HOPS {
        match found.text_of("$ref") {
            None => return Ok(found),
            Some(reference) => found = target(document, &reference)?,
        }
    }
    let first = node.text_of("$ref").unwrap_or_default();
    Err(format!(
        "$ref {first:?} leads over more than {MAX_HOPS} references, or to itself; let it lead to what is meant"
    ))
}

fn target<'a>(document: &'a Node, reference: &str) -> Result<&'a Node, String> {
    let Some(pointer) = reference.strip_prefix('#') else {
        return Err(format!("$ref {reference:?} leads to another file; bundle the document into one file first"));
    };
    let found = document.pointer(&decoded(pointer)).filter(|_| pointer.is_empty() || pointer.starts_with('/'));
    found.ok_or_else(|| format!("$ref {reference:?} leads nowhere; add what is missing, or correct it"))
}

/// Percent signs undone, as a pointer in a URI has them.
fn decoded(pointer: &str) -> String {
    String::from_utf8_lossy(&percent_decoded(pointer)).into_owned()
}

/// The definitions of one tool: what its schemas refer to, in the order in which it is met.
pub(super) struct Definitions<'a> {
    document: &'a Node,
    /// Reference and name.
    names: Vec<(String, String)>,
}

impl<'a> Definitions<'a> {
    pub(super) fn new(document: &'a Node) -> Self {
        Self { document, names: Vec::new() }
    }

    /// A schema whose references lead to definitions. Values that only look like references stay.
    pub(super) fn schema(&mut self, node: &Node) -> Result<Node, String> {
        let members = match node {
            Node::Scalar(_) => return Ok(node.clone()),
            Node::Array(items) => {
                return Ok(Node::Array(items.iter().map(|i| self.schema(i)).collect::<Result<_, _>>()?));
            }
            Node::Object(members) => members,
        };
        let mut out = Vec::with_capacity(members.len());
        for (key, value) in members {
            let value = match key.as_str() {
                "$ref" => match value.as_text() {
                    Some(reference) => Node::text(&self.reference(&reference)?),
                    None => self.schema(value)?,
                },
                "example" | "examples" | "default" | "enum" | "const" => value.clone(),
                "properties" | "patternProperties" | "dependentSchemas" | "$defs" | "definitions" => {
                    let each = |(name, schema): &(String, Node)| Ok((name.clone(), self.schema(schema)?));
                    match value {
                        Node::Object(schemas) => Node::Object(schemas.iter().map(each).collect::<Result<_, String>>()?),
                        other => other.clone(),
                    }
                }
                _ => self.schema(value)?,
            };
            out.push((key.clone(), value));
        }
        Ok(Node::Object(out))
    }

    /// The new reference; the name is the last step of the old one, with a number where it is taken.
    fn reference(&mut self, reference: &str) -> Result<String, String> {
        let known = self.names.iter().find(|(from, _)| from == reference);
        let name = match known {
            Some((_, name)) => name.clone(),
            None => {
                target(self.document, reference)?;
                let last = reference.rsplit('/').next().unwrap_or_default().trim_start_matches('#');
                let last = unescaped(&decoded(last));
                let last = if last.is_empty() { "document".to_string() } else { last };
                let taken = |name: &str| self.names.iter().any(|(_, taken)| taken == name);
                let mut name = last.clone();
                let mut count = 1;
                while taken(&name) {
                    count += 1;
                    name = format!("{last}_{count}");
                }
                self.names.push((reference.to_string(), name.clone()));
                name
            }
        };
        Ok(format!("#/$defs/{}", escaped(&name).replace('%', "%25").replace(' ', "%20")))
    }

    /// Every definition that is referred to, and what those refer to.
    pub(super) fn finish(mut self) -> Result<Vec<(String, Node)>, String> {
        let mut out = Vec::new();
        while let Some((reference, name)) = self.names.get(out.len()).cloned() {
            let found = target(self.document, &reference)?;
            out.push((name, self.schema(found)?));
        }
        Ok(out)
    }
}
