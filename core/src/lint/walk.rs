//! Which places does a schema have, and where do its references lead?
//!
//! Every object and array of a schema is visited once and gets a number in the order of the document; so a rule is a loop,
//! a reference is a look-up, and a schema that refers to itself is as harmless as any other.

use std::collections::{HashMap, HashSet};

use serde_json::{Map, Value};

use crate::pointer::{escaped, percent_decoded};

/// What a place of a schema is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A schema.
    Schema,
    /// Names with a schema each: `properties`, `$defs`.
    Names,
    /// Several schemas: `anyOf`, `prefixItems`.
    Schemas,
    /// A value: what stands below `default`, `enum`, `const`, `examples`.
    Data,
}

#[derive(Debug, Clone, Copy)]
enum Key<'a> {
    Root,
    Member(&'a str),
    Index(usize),
}

/// An object or array of a schema.
#[derive(Debug)]
pub struct Node<'a> {
    /// What it is.
    pub kind: Kind,
    /// The value.
    pub value: &'a Value,
    parent: usize,
    key: Key<'a>,
}

impl<'a> Node<'a> {
    /// The object, where the place is a schema.
    pub fn schema(&self) -> Option<&'a Map<String, Value>> {
        if self.kind == Kind::Schema { self.value.as_object() } else { None }
    }
}

/// Where a reference leads.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// To a place of this schema.
    Node(usize),
    /// To a value of this schema that is neither object nor array.
    Scalar,
    /// Into this schema, where nothing is.
    Nowhere,
    /// To another document.
    Elsewhere,
}

/// The places of a schema, in the order of the document.
#[derive(Debug)]
pub struct Walk<'a> {
    root: &'a Value,
    nodes: Vec<Node<'a>>,
    children: Vec<Vec<usize>>,
    by_address: HashMap<*const Value, usize>,
    anchors: HashMap<&'a str, usize>,
    refs: Vec<(usize, &'a str, Target)>,
}

/// Keywords whose value maps names to schemas.
const NAMES: [&str; 6] =
    ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

/// Keywords whose value is no schema.
const DATA: [&str; 8] =
    ["default", "const", "enum", "examples", "example", "required", "dependentRequired", "$vocabulary"];

impl<'a> Walk<'a> {
    /// Visits a schema; its nesting is limited when a definition is read.
    pub fn new(root: &'a Value) -> Self {
        let mut walk = Self {
            root,
            nodes: Vec::new(),
            children: Vec::new(),
            by_address: HashMap::new(),
            anchors: HashMap::new(),
            refs: Vec::new(),
        };
        walk.visit(root, Kind::Schema, 0, Key::Root);
        walk.refs = walk
            .nodes
            .iter()
            .enumerate()
            .filter_map(|(i, node)| Some((i, node.schema()?.get("$ref")?.as_str()?)))
            .map(|(i, reference)| (i, reference, walk.resolve(reference)))
            .collect();
        walk
    }

    fn visit(&mut self, value: &'a Value, kind: Kind, parent: usize, key: Key<'a>) {
        if !value.is_object() && !value.is_array() {
            return;
        }
        let id = self.nodes.len();
        self.nodes.push(Node { kind, value, parent, key });
        self.children.push(Vec::new());
        self.by_address.insert(std::ptr::from_ref(value), id);
        if id > 0 {
            self.children[parent].push(id);
        }
        match value {
            Value::Object(map) => {
                if let Some(Value::String(anchor)) = map.get("$anchor").filter(|_| kind == Kind::Schema) {
                    self.anchors.entry(anchor).or_insert(id);
                }
                for (name, child) in map {
                    self.visit(child, below(kind, name, shape(child)), id, Key::Member(name));
                }
            }
            Value::Array(items) => {
                let of = if kind == Kind::Schemas { Kind::Schema } else { Kind::Data };
                for (i, child) in items.iter().enumerate() {
                    let of = if child.is_object() { of } else { Kind::Data };
                    self.visit(child, of, id, Key::Index(i));
                }
            }
            _ => {}
        }
    }

    /// Every place.
    pub fn nodes(&self) -> &[Node<'a>] {
        &self.nodes
    }

    /// Every schema with its number.
    pub fn schemas(&self) -> impl Iterator<Item = (usize, &'a Map<String, Value>)> {
        self.nodes.iter().enumerate().filter_map(|(i, n)| Some((i, n.schema()?)))
    }

    /// Every `$ref`: the schema that holds it, its text, and where it leads.
    pub fn refs(&self) -> &[(usize, &'a str, Target)] {
        &self.refs
    }

    /// JSON pointer into the definition, of a place and a key below it.
    ///
    /// ```
    /// use deferbench_core::lint::walk::Walk;
    /// let schema = serde_json::json!({"properties": {"a/b": {"items": [{}, {"type": "string"}]}}});
    /// let walk = Walk::new(&schema);
    /// assert_eq!(walk.pointer(0, ""), "/inputSchema");
    /// assert_eq!(walk.pointer(walk.nodes().len() - 1, "type"), "/inputSchema/properties/a~1b/items/1/type");
    /// ```
    pub fn pointer(&self, node: usize, key: &str) -> String {
        let (mut parts, mut at) = (Vec::new(), node);
        loop {
            match self.nodes[at].key {
                Key::Root => break,
                Key::Member(name) => parts.push(escaped(name)),
                Key::Index(i) => parts.push(i.to_string()),
            }
            at = self.nodes[at].parent;
        }
        parts.push("inputSchema".to_string());
        parts.reverse();
        if !key.is_empty() {
            parts.push(escaped(key));
        }
        format!("/{}", parts.join("/"))
    }

    fn resolve(&self, reference: &str) -> Target {
        // A reference may spell out the address that the root gives itself.
        let own = self.root.get("$id").and_then(Value::as_str).unwrap_or_default().trim_end_matches('#');
        let local = reference.strip_prefix(own).and_then(|rest| rest.strip_prefix('#'));
        match local.or_else(|| reference.strip_prefix('#')) {
            Some(fragment) => self.fragment(fragment),
            None => Target::Elsewhere,
        }
    }

    fn fragment(&self, fragment: &str) -> Target {
        if !fragment.is_empty() && !fragment.starts_with('/') {
            return self.anchors.get(fragment).map_or(Target::Nowhere, |&id| Target::Node(id));
        }
        let found = self.root.pointer(fragment).or_else(|| self.root.pointer(&decoded(fragment)?));
        match found {
            Some(value) => {
                self.by_address.get(&std::ptr::from_ref(value)).map_or(Target::Scalar, |&id| Target::Node(id))
            }
            None => Target::Nowhere,
        }
    }

    /// The schemas whose `$ref` closes a circle that the root can reach, in the order in which they are met.
    ///
    /// Containment and references are the edges of a graph, each followed once, without recursion.
    ///
    /// ```
    /// use deferbench_core::lint::walk::Walk;
    /// let tree = serde_json::json!({"properties": {"n": {"$ref": "#/$defs/n"}},
    ///     "$defs": {"n": {"properties": {"child": {"$ref": "#/$defs/n"}}}}});
    /// let walk = Walk::new(&tree);
    /// assert_eq!(walk.circles().iter().map(|&n| walk.pointer(n, "$ref")).collect::<Vec<_>>(),
    ///     ["/inputSchema/$defs/n/properties/child/$ref"]);
    /// // A definition that nobody refers to is no argument.
    /// let unused = serde_json::json!({"$defs": {"n": {"$ref": "#/$defs/n"}}});
    /// assert!(Walk::new(&unused).circles().is_empty());
    /// ```
    pub fn circles(&self) -> Vec<usize> {
        #[derive(Clone, Copy, PartialEq)]
        enum State {
            New,
            Open,
            Done,
        }
        if self.refs.is_empty() {
            return Vec::new();
        }
        let leads: HashMap<usize, usize> = self
            .refs
            .iter()
            .filter_map(|&(from, _, target)| if let Target::Node(to) = target { Some((from, to)) } else { None })
            .collect();
        let enters = |id: &usize| {
            let node = &self.nodes[*id];
            let stored = matches!(node.key, Key::Member("$defs" | "definitions"));
            !(stored && self.nodes[node.parent].kind == Kind::Schema) && node.kind != Kind::Data
        };
        let mut state = vec![State::New; self.nodes.len()];
        // A node, its next edge, and the last reference on the way to it.
        let mut path: Vec<(usize, usize, Option<usize>)> = vec![(0, 0, None)];
        let (mut out, mut said) = (Vec::new(), HashSet::new());
        state[0] = State::Open;
        while let Some((from, edge, last)) = path.last_mut() {
            let (from, last) = (*from, *last);
            let children = &self.children[from];
            let (next, last) = match children.get(*edge) {
                Some(child) => (Some(*child).filter(enters), last),
                // The reference is the edge after the children.
                None if *edge == children.len() => (leads.get(&from).copied(), leads.get(&from).map(|_| from).or(last)),
                None => {
                    state[from] = State::Done;
                    path.pop();
                    continue;
                }
            };
            *edge += 1;
            let Some(to) = next else { continue };
            match state[to] {
                State::Done => {}
                State::New => {
                    state[to] = State::Open;
                    path.push((to, 0, last));
                }
                // Containment alone makes no circle: the last reference of the way lies in this one.
                State::Open => out.extend(last.filter(|closing| said.insert(*closing))),
            }
        }
        out
    }
}

/// What a value looks like, however it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Shape {
    Object,
    Array,
    Scalar,
}

fn shape(value: &Value) -> Shape {
    match value {
        Value::Object(_) => Shape::Object,
        Value::Array(_) => Shape::Array,
        _ => Shape::Scalar,
    }
}

/// What a member of a place is.
pub(crate) fn below(kind: Kind, name: &str, child: Shape) -> Kind {
    match (kind, child) {
        (Kind::Schema, Shape::Object) if NAMES.contains(&name) => Kind::Names,
        (Kind::Schema, _) if DATA.contains(&name) || name.starts_with("x-") => Kind::Data,
        (Kind::Schema, Shape::Array) => Kind::Schemas,
        (Kind::Schema | Kind::Names, Shape::Object) => Kind::Schema,
        _ => Kind::Data,
    }
}

/// A fragment with its percent signs resolved; none where the bytes are no text.
pub(crate) fn decoded(fragment: &str) -> Option<String> {
    String::from_utf8(percent_decoded(fragment)).ok()
}
