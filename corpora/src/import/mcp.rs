//! A live MCP server.

use super::{Importer, Input};
use crate::error::CorpusError;

pub(super) static ENTRY: Importer = Importer {
    name: "mcp",
    summary: "a live MCP server, as `mcp -- CMD ARGS` or `mcp URL`: listed twice, with every page, and compared",
    source: "Model Context Protocol 2025-11-25, tools/list over stdio and streamable HTTP",
    input: Input::Server,
    file: crate::bundle::FILES[0],
    read: |path, _, _| {
        let problem = "is a file, and `import mcp` lists a server: write `import mcp -- CMD ARGS` or `import mcp URL`; \
                       for a file with tools/list JSON write `import json FILE`";
        Err(CorpusError::Import { path: path.to_path_buf(), problem: problem.to_string() })
    },
};
