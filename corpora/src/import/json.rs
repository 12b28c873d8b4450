//! What `tools/list` answers.

use super::{Importer, Input};
use crate::tools_list;

pub(super) static ENTRY: Importer = Importer {
    name: "json",
    summary: "tools/list JSON: the result, the whole JSON-RPC answer, or the bare array of tools",
    source: "Model Context Protocol, tools/list",
    input: Input::File,
    file: crate::bundle::FILES[0],
    read: |path, text, limits| super::found(path, tools_list::parse(path, text, limits)?),
};
