//! Words with identifiers taken apart.

use super::{Splitter, identifier_parts, is_cjk, is_letter_or_digit, runs_of};

pub(super) static ENTRY: Splitter = Splitter {
    name: "split",
    summary: "runs of letters and digits, cut at aA, AAa, a1 and 1a; lower case; each character of a CJK run is one word",
    source: "identifier splitting as in source-code search (Enslen et al., MSR 2009, doi:10.1109/MSR.2009.5069482)",
    example: ("getHTTPServer2 send_email 搜索", &["get", "http", "server", "2", "send", "email", "搜", "索"]),
    split: |text, each| {
        runs_of(text, is_letter_or_digit, |run| {
            identifier_parts(run, |part| {
                if part.contains(is_cjk) {
                    part.chars().for_each(|c| each(c.encode_utf8(&mut [0; 4])));
                } else {
                    each(&part.to_lowercase());
                }
            });
        });
    },
};
