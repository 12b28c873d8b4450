//! What can the server do wrong on request?

/// What a flag takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Takes {
    /// Nothing.
    Nothing,
    /// A number, and its name in the help.
    Number(&'static str),
    /// A number that may be left out, its name in the help, and what stands in.
    Optional(&'static str, u64),
}

/// One row: a misbehaviour with its flag.
#[derive(Debug)]
pub struct Misbehaviour {
    /// The flag without its dashes.
    pub name: &'static str,
    /// What the flag takes.
    pub takes: Takes,
    /// The smallest number that makes sense.
    pub least: u64,
    /// The largest number that makes sense.
    pub most: u64,
    /// One sentence: what the server then does.
    pub summary: &'static str,
    /// Switches it on; the number is 1 where the flag takes none.
    pub set: fn(&mut Options, u64),
}

/// The misbehaviours that are switched on.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Options {
    pub(super) page_size: Option<u64>,
    pub(super) list_changed_after: Option<u64>,
    pub(super) reorder: Option<u64>,
    pub(super) session: Option<u64>,
    pub(super) slow_list: Option<u64>,
    pub(super) broken_page: Option<u64>,
    pub(super) duplicate_names: bool,
    pub(super) banner: bool,
}

/// Every misbehaviour, in the order of the help.
pub static MISBEHAVIOURS: &[Misbehaviour] = &[
    Misbehaviour {
        name: "page-size",
        takes: Takes::Number("N"),
        least: 1,
        most: u64::MAX,
        summary: "list N tools a page, with cursors (this one is within the protocol)",
        set: |o, n| o.page_size = Some(n),
    },
    Misbehaviour {
        name: "list-changed-after",
        takes: Takes::Number("N"),
        least: 0,
        most: u64::MAX,
        summary: "say after N calls that the list changed; from then on its last tool is gone. With 0 it is said at the \
                  first listing, and the next one is shorter",
        set: |o, n| o.list_changed_after = Some(n),
    },
    Misbehaviour {
        name: "reorder",
        takes: Takes::Optional("SEED", 7),
        least: 0,
        most: u64::MAX,
        summary: "list the tools in another order in every session, drawn from SEED and the session's number. Sessions \
                  over HTTP are numbered from 0; over standard input and output the number is the process id",
        set: |o, n| o.reorder = Some(n),
    },
    Misbehaviour {
        name: "session",
        takes: Takes::Number("N"),
        least: 0,
        most: u64::MAX,
        summary: "the number of the first session, so that an order of --reorder can be repeated",
        set: |o, n| o.session = Some(n),
    },
    Misbehaviour {
        name: "slow-list",
        takes: Takes::Number("MS"),
        least: 0,
        most: 3_600_000,
        summary: "wait MS milliseconds before every page, at most an hour; the end of standard input ends the wait",
        set: |o, n| o.slow_list = Some(n),
    },
    Misbehaviour {
        name: "broken-page",
        takes: Takes::Number("N"),
        least: 1,
        most: u64::MAX,
        summary: "send page N, from 1, without the brace that ends its last tool: no JSON",
        set: |o, n| o.broken_page = Some(n),
    },
    Misbehaviour {
        name: "duplicate-names",
        takes: Takes::Nothing,
        least: 0,
        most: u64::MAX,
        summary: "list the first tool once more at the end",
        set: |o, _| o.duplicate_names = true,
    },
    Misbehaviour {
        name: "banner",
        takes: Takes::Nothing,
        least: 0,
        most: u64::MAX,
        summary: "write a line for people to standard output before the protocol begins; not over HTTP",
        set: |o, _| o.banner = true,
    },
];
