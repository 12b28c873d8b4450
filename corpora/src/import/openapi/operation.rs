//! What tool is one operation?

use super::references::{Definitions, resolve};
use crate::spelled::Node;

/// The arguments as they are put together.
#[derive(Default)]
struct Arguments {
    properties: Vec<(String, Node)>,
    required: Vec<String>,
}

impl Arguments {
    fn has(&self, name: &str) -> bool {
        self.properties.iter().any(|(known, _)| known == name)
    }

    fn add(&mut self, name: String, schema: Node, required: bool) {
        if required {
            self.required.push(name.clone());
        }
        self.properties.push((name, schema));
    }
}

/// The operation as the text of a tool definition.
pub(super) fn definition(
    document: &Node,
    route: &str,
    method: &str,
    item: &Node,
    operation: &Node,
) -> Result<String, String> {
    let (mut arguments, mut definitions) = (Arguments::default(), Definitions::new(document));
    for parameter in parameters(document, item, operation)? {
        add_parameter(parameter, &mut arguments, &mut definitions)?;
    }
    if let Some(body) = operation.get("requestBody") {
        add_body(document, resolve(document, body)?, &mut arguments, &mut definitions)?;
    }
    let mut schema = vec![("type".to_string(), Node::text("object"))];
    schema.push(("properties".to_string(), Node::Object(arguments.properties)));
    if !arguments.required.is_empty() {
        let names = arguments.required.iter().map(|name| Node::text(name)).collect();
        schema.push(("required".to_string(), Node::Array(names)));
    }
    let definitions = definitions.finish()?;
    if !definitions.is_empty() {
        schema.push(("$defs".to_string(), Node::Object(definitions)));
    }
    let name = operation.text_of("operationId").filter(|n| !n.is_empty()).unwrap_or_else(|| name_of(method, route));
    let mut tool = vec![("name".to_string(), Node::text(&name))];
    tool.extend(description(item, operation).map(|text| ("description".to_string(), Node::text(&text))));
    tool.push(("inputSchema".to_string(), Node::Object(schema)));
    Ok(Node::Object(tool).to_string())
}

/// `get /pets/{id}` is `get_pets_id`.
fn name_of(method: &str, route: &str) -> String {
    let words = route.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    std::iter::once(method).chain(words).collect::<Vec<_>>().join("_")
}

/// Summary and description, of the operation or else of its path.
fn description(item: &Node, operation: &Node) -> Option<String> {
    let text = |key: &str| {
        let found = operation.text_of(key).or_else(|| item.text_of(key))?;
        Some(found.trim().to_string()).filter(|t| !t.is_empty())
    };
    match (text("summary"), text("description")) {
        (Some(summary), Some(more)) if summary != more => Some(format!("{summary}\n\n{more}")),
        (summary, more) => more.or(summary),
    }
}

/// The parameters of the path, replaced by those of the operation with the same name and place, and then the others.
fn parameters<'a>(document: &'a Node, item: &'a Node, operation: &'a Node) -> Result<Vec<&'a Node>, String> {
    let mut out: Vec<(Option<String>, Option<String>, &Node)> = Vec::new();
    for source in [item, operation] {
        for parameter in source.get("parameters").map(Node::items).unwrap_or_default() {
            let found = resolve(document, parameter)?;
            let (name, place) = (found.text_of("name"), found.text_of("in"));
            match out.iter_mut().find(|(n, p, _)| (n, p) == (&name, &place)) {
                Some(slot) => slot.2 = found,
                None => out.push((name, place, found)),
            }
        }
    }
    Ok(out.into_iter().map(|(_, _, found)| found).collect())
}

fn add_parameter(parameter: &Node, arguments: &mut Arguments, definitions: &mut Definitions) -> Result<(), String> {
    let missing = |key: &str| format!("a parameter has no {key:?}; give it one");
    let name = parameter.text_of("name").ok_or_else(|| missing("name"))?;
    let place = parameter.text_of("in").ok_or_else(|| missing("in"))?;
    let content = || parameter.get("content")?.members().first()?.1.get("schema");
    let mut schema = match parameter.get("schema").or_else(content) {
        Some(schema) => definitions.schema(schema)?,
        None => Node::Object(Vec::new()),
    };
    if let (Some(text), Node::Object(members)) = (parameter.get("description"), &mut schema)
        && members.iter().all(|(key, _)| key != "description")
    {
        members.push(("description".to_string(), text.clone()));
    }
    let required = place == "path" || is_true(parameter.get("required"));
    // The same name in two places: the later one says where it belongs.
    let name = if arguments.has(&name) { format!("{name}_{place}") } else { name };
    if arguments.has(&name) {
        return Err(format!("two parameters need the name {name:?}; rename one"));
    }
    arguments.add(name, schema, required);
    Ok(())
}

/// The members of a body that is a plain object stand among the parameters; any other body, and one whose members have
/// names of parameters, is the argument `body`.
fn add_body(
    document: &Node,
    body: &Node,
    arguments: &mut Arguments,
    definitions: &mut Definitions,
) -> Result<(), String> {
    let contents = body.get("content").map(Node::members).unwrap_or_default();
    let of_kind = |wanted: &dyn Fn(&str) -> bool| contents.iter().find(|(kind, _)| wanted(kind));
    let json = of_kind(&|kind| kind.starts_with("application/json") || kind.contains("+json"));
    let form = || of_kind(&|kind| kind.contains("form"));
    let Some((kind, media)) = json.or_else(form).or_else(|| contents.first()) else { return Ok(()) };
    let required = is_true(body.get("required"));
    let about = || Node::text(&format!("Request body, {kind}."));
    let text = || Node::Object(vec![("type".to_string(), Node::text("string")), ("description".to_string(), about())]);
    let Some(schema) = media.get("schema") else {
        // JSON without a schema is any value; what is not JSON is a text to the model.
        let any = || Node::Object(vec![("description".to_string(), about())]);
        arguments.add(body_name(arguments)?, if json.is_some() { any() } else { text() }, required);
        return Ok(());
    };
    let found = resolve(document, schema)?;
    let members = found.get("properties").map(Node::members).unwrap_or_default();
    let plain = |key: &str| PLAIN.contains(&key) || key.starts_with("x-");
    let merges = !members.is_empty()
        && found.members().iter().all(|(key, _)| plain(key))
        && members.iter().all(|(name, _)| !arguments.has(name));
    if !merges {
        let schema = definitions.schema(schema)?;
        arguments.add(body_name(arguments)?, schema, required);
        return Ok(());
    }
    let needed: Vec<String> =
        found.get("required").map(Node::items).unwrap_or_default().iter().filter_map(Node::as_text).collect();
    for (name, schema) in members {
        arguments.add(name.clone(), definitions.schema(schema)?, required && needed.contains(name));
    }
    Ok(())
}

/// Members of a schema that say nothing about a value beyond its properties.
const PLAIN: [&str; 7] = ["type", "properties", "required", "title", "description", "example", "examples"];

fn body_name(arguments: &Arguments) -> Result<String, String> {
    let free = ["body", "request_body"].into_iter().find(|name| !arguments.has(name));
    free.map(str::to_string)
        .ok_or_else(|| "parameters take the names \"body\" and \"request_body\"; rename one".to_string())
}

fn is_true(node: Option<&Node>) -> bool {
    node.is_some_and(|n| *n == Node::Scalar("true".to_string()))
}
