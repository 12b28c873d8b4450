//! Which built-in tools look at and change files and versions?

use super::build::Is::{Flag, OneOf, Records, Text, Texts, Whole};
use super::build::{Own, own};

#[rustfmt::skip]
pub(super) const TOOLS: &[Own] = &[
    own("read", "Reads a file and returns its content with line numbers. Images and PDF pages come back as pictures.", &[
        ("path", Text, true, "Path of the file"),
        ("first_line", Whole(1, 10_000_000), false, "Where to begin"),
        ("lines", Whole(1, 5_000), false, "How many lines to return"),
    ]),
    own("write_file", "Stores text as a file, with missing folders. An existing file must have been opened before in this session, otherwise the call is refused.", &[
        ("path", Text, true, "Where to store it"),
        ("text", Text, true, "Whole new text"),
        ("executable", Flag, false, "Sets the executable bit"),
    ]),
    own("replace_in_file", "Replaces one passage of a file. The old passage must occur exactly once, white space included; add neighbouring lines until it does, or set everywhere.", &[
        ("path", Text, true, "Path of the file"),
        ("old", Text, true, "Passage as it stands now"),
        ("new", Text, true, "Passage that takes its place"),
        ("everywhere", Flag, false, "Replaces all occurrences"),
    ]),
    own("apply_patch", "Applies a unified diff to several files at once. Either all hunks fit or nothing is changed. Context lines are matched exactly; line numbers may be off by up to 50. New files use /dev/null as their old side and removed files as their new side.\n\nIf a hunk does not fit, the answer names the file, the hunk and the nearest similar lines. Read the file again before the next attempt; do not shorten the context until it fits by chance. Binary files cannot be patched. Line ends of the existing file are kept. For a single small change replace_in_file is the better choice, for a whole new file write_file.", &[
        ("patch", Text, true, "Unified diff with at least three lines of context"),
        ("check_only", Flag, false, "Reports whether it would apply and changes nothing"),
    ]),
    own("find_files", "Finds files by a glob such as src/**/*.rs, newest first. Ignored files are left out.", &[
        ("glob", Text, true, "Pattern relative to the folder"),
        ("folder", Text, false, "Where to begin; the workspace root if omitted"),
        ("include_ignored", Flag, false, "Also looks at ignored files"),
    ]),
    own("search_text", "Searches file contents with a regular expression and returns matching lines, file names or counts. Much faster than starting grep in a shell. Escape braces that are meant literally. For open-ended questions that need many rounds start a helper agent instead. Ignored files, files above two megabytes and binary files are skipped; how many is said at the end of the answer. Results are sorted by modification time of the file, then by line.", &[
        ("pattern", Text, true, "Regular expression; no look-around"),
        ("folder", Text, false, "File or folder to search"),
        ("glob", Text, false, "Only files that match this glob"),
        ("answer", OneOf(&["lines", "files", "counts"]), false, "What to return"),
        ("before", Whole(0, 50), false, "Lines of context before a match"),
        ("after", Whole(0, 50), false, "Lines of context after a match"),
        ("ignore_case", Flag, false, "Treats upper and lower case alike"),
        ("multiline", Flag, false, "Lets a match run over line ends"),
        ("max_matches", Whole(1, 10_000), false, "Stops after this many matches"),
    ]),
    own("list_folder", "Lists a folder with sizes.", &[
        ("path", Text, true, "Folder to list"),
        ("depth", Whole(1, 8), false, "How many levels to descend"),
    ]),
    own("move_path", "Moves or renames a file or folder; imports that point to it are not changed.", &[
        ("from", Text, true, "Present path"),
        ("to", Text, true, "New path"),
    ]),
    own("trash_path", "Moves a file or folder to the session's trash, from which the user can take it back.", &[
        ("path", Text, true, "What to remove"),
    ]),
    own("lsp", "Asks the language server about the code: definition, references, hover text, symbols, diagnostics, call hierarchy, or a rename over all files. Positions are one-based and stand on the first character of a name. The first request after a start may take a while, because the server indexes the project; an empty answer then means that indexing has not ended.", &[
        ("request", OneOf(&["definition", "references", "hover", "symbols", "diagnostics", "callers", "callees", "rename"]), true, "What to ask"),
        ("path", Text, false, "Source file; not needed for symbols of the whole project"),
        ("line", Whole(1, 10_000_000), false, "Line of the name"),
        ("column", Whole(1, 100_000), false, "Column of the name"),
        ("query", Text, false, "Part of a symbol name"),
        ("new_name", Text, false, "Name after a rename"),
    ]),
    own("format_code", "Formats source files with the formatter of the project.", &[
        ("paths", Texts, true, "Files to format"),
    ]),
    own("run_tests", "Runs the tests of the project with its own runner and returns failures with their messages, passed tests only as a number.", &[
        ("filter", Text, false, "Part of a test name"),
        ("paths", Texts, false, "Test files or packages"),
        ("repeat", Whole(1, 50), false, "Runs them several times to find unstable ones"),
        ("coverage", Flag, false, "Adds line coverage per file"),
    ]),
    own("git_status", "Shows branch, staged, changed and untracked files.", &[]),
    own("git_diff", "Shows differences between the work tree, the index or two revisions.", &[
        ("from", Text, false, "Older revision; the index if omitted"),
        ("to", Text, false, "Newer revision; the work tree if omitted"),
        ("paths", Texts, false, "Restricts the diff"),
    ]),
    own("git_commit", "Commits files with a message. Hooks run as usual; when one of them changes files, the commit is not repeated by itself. Never commits files that look like credentials.\n\nOnly commit when the user asked for it. Look at the status, the diff and the last ten messages first, and write the message in the manner of the project: what changes for a reader of the log, and why. Do not amend commits that were pushed, do not skip hooks, do not change the configured author, and leave files alone that belong to somebody else's work in progress.", &[
        ("message", Text, true, "First line up to 72 characters, then a blank line and details"),
        ("paths", Texts, false, "Files to include; everything staged if omitted"),
        ("trailers", Records(&[("key", "Such as Reviewed-by"), ("value", "Its value")]), false, "Lines at the end of the message"),
    ]),
];
