//! Words as `dsh-tool-search` cuts them.

use unicode_normalization::UnicodeNormalization;

use super::{Splitter, is_letter_or_digit, runs_of};

pub(super) static ENTRY: Splitter = Splitter {
    name: "runs",
    summary: "NFKC, lower case; runs of letters and digits; camelCase and CJK runs stay whole",
    source: "dsh-tool-search",
    example: ("read_file ﬁle getUser 搜索", &["read", "file", "file", "getuser", "搜索"]),
    split: |text, each| {
        let normal = text.nfkc().collect::<String>().to_lowercase();
        runs_of(&normal, is_letter_or_digit, each);
    },
};
