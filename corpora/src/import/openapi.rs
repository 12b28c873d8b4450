//! The operations of an OpenAPI document.

mod operation;
mod references;
mod yaml;

use std::path::Path;

use deferbench_core::{Limits, Tool};

use super::{Importer, Input};
use crate::error::{CorpusError, without_bom};
use crate::spelled::Node;

pub(super) static ENTRY: Importer = Importer {
    name: "openapi",
    summary: "an OpenAPI 3.0 or 3.1 document, JSON or YAML: each operation becomes a tool, its parameters and its body one schema",
    source: "OpenAPI Specification 3.0.4 and 3.1.1",
    input: Input::File,
    file: crate::bundle::FILES[0],
    read,
};

/// Bytes of all schemas: each tool brings the definitions it refers to, so that they can grow beyond the document.
const MAX_BYTES: usize = 256 << 20;

const METHODS: [&str; 8] = ["get", "put", "post", "delete", "options", "head", "patch", "trace"];

fn read(path: &Path, text: &str, limits: &Limits) -> Result<Vec<Tool>, CorpusError> {
    let fail = |problem: String| CorpusError::Import { path: path.to_path_buf(), problem };
    let document = parse(path, without_bom(text))?;
    // YAML reads an unquoted 3.0 as a number.
    let version =
        document.text_of("openapi").or_else(|| document.get("openapi").map(Node::to_string)).unwrap_or_default();
    let supported =
        |v: &str| ["3.0", "3.1"].iter().any(|s| v.strip_prefix(s).is_some_and(|t| t.is_empty() || t.starts_with('.')));
    if !supported(&version) {
        let found = match (version.is_empty(), document.get("swagger")) {
            (false, _) => format!("says openapi {version:?}"),
            (true, Some(_)) => "is a Swagger 2.0 document".to_string(),
            (true, None) => "has no member \"openapi\"".to_string(),
        };
        return Err(fail(format!("{found}; expected an OpenAPI document of version 3.0 or 3.1; convert it")));
    }
    let (mut tools, mut bytes): (Vec<Tool>, usize) = (Vec::new(), 0);
    for (route, item) in document.get("paths").unwrap_or(&Node::Array(Vec::new())).members() {
        let item = references::resolve(&document, item).map_err(|e| fail(format!("path {route}: {e}")))?;
        for (method, operation) in item.members().iter().filter(|(key, _)| METHODS.contains(&key.as_str())) {
            let place = || format!("operation {method} {route}");
            let json = operation::definition(&document, route, method, item, operation)
                .map_err(|e| fail(format!("{}: {e}", place())))?;
            bytes += json.len();
            if bytes > MAX_BYTES {
                let size = MAX_BYTES >> 20;
                return Err(fail(format!("{}: the schemas together are over {size} MiB; split the document", place())));
            }
            tools.push(Tool::from_json(&json, limits).map_err(|e| fail(format!("{}: {e}", place())))?);
        }
    }
    super::found(path, tools)
}

/// JSON where the text begins like it, else YAML.
fn parse(path: &Path, text: &str) -> Result<Node, CorpusError> {
    if text.trim_start().starts_with('{') {
        return Node::parse(text).map_err(|e| CorpusError::json(path, 1, &e, "an OpenAPI document"));
    }
    yaml::parse(text).map_err(|(line, detail)| CorpusError::Json {
        path: path.to_path_buf(),
        line,
        detail,
        expected: "an OpenAPI document, JSON or YAML",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PETS: &str = r##"{"openapi":"3.1.0","paths":{
      "/pets/{id}":{
        "parameters":[{"name":"id","in":"path","required":true,"schema":{"type":"string"}},{"$ref":"#/components/parameters/Lang"}],
        "get":{"operationId":"getPet","summary":"Get a pet.","description":"By its id.",
          "parameters":[{"name":"id","in":"path","required":true,"description":"The pet.","schema":{"type":"integer","maximum":1e3}},
                        {"name":"id","in":"query","schema":{"type":"string"}}]},
        "put":{"requestBody":{"required":true,"content":{"application/json":{"schema":{"$ref":"#/components/schemas/Pet"}}}}},
        "post":{"requestBody":{"content":{"application/json; charset=utf-8":{"schema":{"type":"array","items":{"$ref":"#/components/schemas/Pet"}}}}}}
      }},
      "components":{"parameters":{"Lang":{"name":"lang","in":"header","content":{"application/json":{"schema":{"enum":["de","en"]}}}}},
        "schemas":{"Pet":{"type":"object","required":["name"],"properties":{"name":{"type":"string","default":{"$ref":"kept"}},
          "parent":{"$ref":"#/components/schemas/Pet"}}}}}}"##;

    fn schema(tools: &[Tool], name: &str) -> String {
        tools.iter().find(|t| t.name() == name).unwrap().schema_json().to_string()
    }

    fn import(text: &str) -> Result<Vec<Tool>, String> {
        read(Path::new("api.json"), text, &Limits::default()).map_err(|e| e.to_string())
    }

    #[test]
    fn operations_become_tools() {
        let tools = import(PETS).unwrap();
        let names: Vec<&str> = tools.iter().map(Tool::name).collect();
        assert_eq!(names, ["getPet", "put_pets_id", "post_pets_id"]);
        assert_eq!(tools[0].description(), Some("Get a pet.\n\nBy its id."));
        assert_eq!(
            schema(&tools, "getPet"),
            r#"{"type":"object","properties":{"id":{"type":"integer","maximum":1e3,"description":"The pet."},"lang":{"enum":["de","en"]},"id_query":{"type":"string"}},"required":["id"]}"#
        );
        assert_eq!(
            schema(&tools, "put_pets_id"),
            r##"{"type":"object","properties":{"id":{"type":"string"},"lang":{"enum":["de","en"]},"name":{"type":"string","default":{"$ref":"kept"}},"parent":{"$ref":"#/$defs/Pet"}},"required":["id","name"],"$defs":{"Pet":{"type":"object","required":["name"],"properties":{"name":{"type":"string","default":{"$ref":"kept"}},"parent":{"$ref":"#/$defs/Pet"}}}}}"##
        );
        assert!(schema(&tools, "post_pets_id").contains(r##""body":{"type":"array","items":{"$ref":"#/$defs/Pet"}}"##));
    }

    #[test]
    fn wrong_documents_are_refused() {
        let says = |text: &str, part: &str| {
            let message = import(text).unwrap_err();
            assert!(message.starts_with("api.json: ") && message.contains(part), "{message}");
        };
        says(r#"{"swagger":"2.0"}"#, "Swagger 2.0");
        says(r#"{"openapi":"3.0.0","paths":{}}"#, "holds no tools");
        says("{\"openapi\":\n3", "line 2");
        says(
            &PETS.replace("schemas/Pet\"}}}}},", "schemas/Cat\"}}}}},"),
            "operation put /pets/{id}: $ref \"#/components/schemas/Cat\" leads nowhere",
        );
        says(&PETS.replace("#/components/parameters/Lang", "x.yaml#/Lang"), "another file");
        says(
            &PETS.replace("\"name\":\"lang\",\"in\"", "\"$ref\":\"#/components/parameters/Lang\",\"in\""),
            "leads over more than 64 references, or to itself",
        );
        says(&PETS.replace("\"post\":{", "\"post\":{\"operationId\":\"getPet\","), "both named \"getPet\"");
    }

    #[test]
    fn yaml_is_the_same_document() {
        let yaml = "openapi: 3.0.3\npaths:\n  /a/{x}:\n    get:\n      operationId: a\n      summary: |\n        Two\n        lines.\n      parameters:\n        - &x\n          name: x\n          in: path\n          schema: {type: number, maximum: 1e3, enum: [0x10, ~, yes, 'no', .5, 007]}\n  /b:\n    get:\n      operationId: b\n      parameters: [*x]\n";
        let tools = import(yaml).unwrap();
        let expected = r#"{"type":"object","properties":{"x":{"type":"number","maximum":1e3,"enum":[16,null,"yes","no",0.5,7]}},"required":["x"]}"#;
        assert_eq!((schema(&tools, "a").as_str(), schema(&tools, "b").as_str()), (expected, expected));
        assert_eq!(tools[0].description(), Some("Two\nlines."));
        assert!(import("openapi: 3.0.3\npaths: {a: [}\n").unwrap_err().contains("line 2"));
        let bomb: String = (1..40).map(|n| format!("k{n}: &a{n} [*a{0}, *a{0}]\n", n - 1)).collect();
        let message = import(&format!("openapi: 3.0.3\nk0: &a0 [1, 2]\n{bomb}")).unwrap_err();
        assert!(message.contains("more than"), "{message}");
    }
}
