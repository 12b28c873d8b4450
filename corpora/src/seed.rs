//! Which tools did the seed's published benchmark measure?
//!
//! First-party tools come first, the first `ceil(n / 2)` of them, then MCP fixtures up to `n`. The published texts are
//! read from a folder; without one, our own texts of the same shape stand in, and say so.

use std::path::{Path, PathBuf};

use deferbench_core::{Catalog, Limits, Tool};

use crate::bundle::{catalog_json, parse_queries, query_line};
use crate::corpus::{Corpus, Query, sha256_of};
use crate::error::{CorpusError, without_bom};
use crate::generated::{to_query, to_tools};
use crate::input::read_text;
use crate::{generate, own_seed, tools_list};

/// The texts behind the seed's benchmark.
#[derive(Debug, Clone)]
pub struct SeedTexts {
    first_party: Vec<Tool>,
    mcp: Vec<Tool>,
    /// The search tool.
    pub search: Tool,
    /// The capability queries.
    pub queries: Vec<Query>,
    /// Which tools are this project's own texts: first-party, MCP.
    own: (bool, bool),
    /// What a reader of the figures has to know.
    pub notes: Vec<String>,
    sha256: String,
}

/// The files that hold the published texts.
pub const FILES: [&str; 4] = ["first_party.json", "mcp_fixtures.json", "search_tool.json", "queries.jsonl"];

/// Said where our own texts are measured.
pub const OWN_TEXTS: &str = "These are this project's own texts in the shape of the seed's benchmark, not the published ones. \
    The published figures need the file docs/tool-catalog.md of deepseek-harness at commit 20651af6a6 for first_party.json \
    (`deferbench import dsh-catalog tool-catalog.md --out seed-data`), and beside it mcp_fixtures.json, search_tool.json and \
    queries.jsonl with the texts of dsh-tool-search; then `deferbench run seed --data seed-data`.";

impl SeedTexts {
    /// Our own texts.
    ///
    /// # Errors
    /// [`CorpusError`] when one of our own texts is not a valid tool, which a test excludes.
    pub fn own() -> Result<Self, CorpusError> {
        let origin = Path::new("own seed texts");
        let search = to_tools(&[own_seed::search_tool()], origin)?;
        let texts = Self {
            first_party: to_tools(&own_seed::first_party(), origin)?,
            mcp: to_tools(&own_seed::mcp_fixtures(), origin)?,
            search: search.into_iter().next().ok_or_else(|| CorpusError::Seed {
                path: origin.to_path_buf(),
                problem: "no search tool".to_string(),
            })?,
            queries: own_seed::capability_queries().into_iter().map(to_query).collect(),
            own: (true, true),
            notes: vec![OWN_TEXTS.to_string()],
            sha256: String::new(),
        };
        Ok(texts.hashed())
    }

    /// The texts of a folder. `first_party.json` has to be there; for each other file that is missing our own text
    /// stands in and a note says so.
    ///
    /// # Errors
    /// [`CorpusError`], with file, line and what helps.
    pub fn load(folder: &Path, limits: &Limits) -> Result<Self, CorpusError> {
        let mut texts = Self::own()?;
        texts.notes = Vec::new();
        let path = |name: &str| folder.join(name);
        if !path(FILES[0]).exists() {
            let problem = format!("no {}; make it with `deferbench import dsh-catalog FILE --out FOLDER`", FILES[0]);
            return Err(CorpusError::Seed { path: folder.to_path_buf(), problem });
        }
        let mut read = |name: &str| -> Result<Option<(PathBuf, String)>, CorpusError> {
            let path = path(name);
            if path.exists() {
                return Ok(Some((path.clone(), read_text(&path)?)));
            }
            texts.notes.push(format!(
                "{name} is missing: this project's own text stands in, so the published figures do not come out"
            ));
            Ok(None)
        };
        let (first, mcp, search) = (read(FILES[0])?, read(FILES[1])?, read(FILES[2])?);
        let queries = read(FILES[3])?;
        if let Some((path, text)) = first {
            texts.first_party = tools_list::parse(&path, &text, limits)?;
            texts.own.0 = false;
        }
        if let Some((path, text)) = mcp {
            texts.mcp = tools_list::parse(&path, &text, limits)?;
            texts.own.1 = false;
        }
        if let Some((path, text)) = search {
            texts.search = Tool::from_json(without_bom(&text), limits).map_err(|source| CorpusError::Tool {
                path,
                position: 0,
                name: None,
                source: Box::new(source),
            })?;
        }
        if let Some((path, text)) = queries {
            let all = texts.first_party.iter().chain(&texts.mcp).cloned().collect();
            let catalog = Catalog::with_limits(all, limits)
                .map_err(|source| CorpusError::Catalog { path: folder.to_path_buf(), source })?;
            texts.queries = parse_queries(&path, &text, &catalog)?;
            if texts.queries.is_empty() {
                let problem = "no query; delete the file to use this project's own queries".to_string();
                return Err(CorpusError::Seed { path, problem });
            }
        }
        Ok(texts.hashed())
    }

    /// Hashes the texts as they are spelled, file by file.
    fn hashed(mut self) -> Self {
        let search = catalog_json(std::slice::from_ref(&self.search));
        let queries: String = self.queries.iter().map(query_line).collect();
        let files = [catalog_json(&self.first_party), catalog_json(&self.mcp), search, queries];
        self.sha256 = sha256_of(files.iter().map(String::as_str));
        self
    }

    /// The mix of one size: exact as far as the texts reach (100 tools with the published ones), beyond that generated
    /// tools fill both halves and are counted as such.
    ///
    /// # Errors
    /// [`CorpusError`] for a size that the generator cannot fill.
    ///
    /// ```
    /// let texts = deferbench_corpora::SeedTexts::own().unwrap();
    /// let mix = texts.mix(7).unwrap();
    /// assert_eq!((mix.parts["first_party"], mix.parts["mcp"], mix.generated), (4, 3, 7));
    /// ```
    pub fn mix(&self, size: usize) -> Result<Corpus, CorpusError> {
        let origin = PathBuf::from(format!("seed({size})"));
        let taken = if size <= 100 { size.div_ceil(2).min(self.first_party.len()) } else { size.div_ceil(2) };
        let first: Vec<Tool> = self.first_party.iter().take(taken).cloned().collect();
        let mcp: Vec<Tool> = self.mcp.iter().take(size - taken).cloned().collect();
        let missing = size - first.len() - mcp.len();
        let (mut fill, fill_first) = (Vec::new(), taken - first.len());
        if missing > 0 {
            let made = generate::generate(missing, 0)
                .map_err(|e| CorpusError::Seed { path: origin.clone(), problem: e.to_string() })?;
            fill = to_tools(&made.tools, &origin)?;
        }
        let rest = fill.split_off(fill_first.min(fill.len()));
        let own = if self.own.0 { first.len() } else { 0 } + if self.own.1 { mcp.len() } else { 0 };
        let parts = [("first_party", first.len() + fill.len()), ("mcp", mcp.len() + rest.len())];
        let tools = first.into_iter().chain(fill).chain(mcp).chain(rest).collect();
        let catalog = Catalog::new(tools).map_err(|source| CorpusError::Catalog { path: origin, source })?;
        let present = |q: &&Query| q.relevant.iter().all(|r| catalog.find(r).is_some());
        let mut notes = Vec::new();
        if missing > 0 {
            notes.push(format!("{missing} of {size} tools are generated, because the seed's texts end before"));
        }
        let sha256 = sha256_of([self.sha256.as_str(), &size.to_string()]);
        Ok(Corpus {
            queries: self.queries.iter().filter(present).cloned().collect(),
            servers: None,
            parts: parts.into_iter().map(|(k, v)| (k.to_string(), v)).collect(),
            generated: missing + own,
            notes,
            ..Corpus::of(format!("seed({size})"), sha256, catalog)
        })
    }
}
