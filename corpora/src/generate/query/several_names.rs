//! The names of two or three tools.

use super::{Posed, QueryClass};

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "several-names",
    summary: "the names of two or three tools in one query; all of them are needed",
    source: "",
    pose: |front| {
        front.each("several", |draw, tool| {
            // Only earlier tools stand beside a tool, so that the query is valid as soon as its last tool is there.
            let earlier: Vec<_> = front.tools.iter().take_while(|other| other.at < tool.at).collect();
            let Some(first) = draw.pick(&earlier) else { return Vec::new() };
            let second = draw.pick(&earlier).filter(|other| other.at != first.at && draw.percent(40));
            let (text, mut needed) = match second {
                Some(second) => {
                    (format!("{}, {} and {}", first.name, second.name, tool.name), vec![first.at, second.at])
                }
                None if draw.percent(50) => (format!("{} and {}", first.name, tool.name), vec![first.at]),
                None => (format!("{} {}", first.name, tool.name), vec![first.at]),
            };
            needed.push(tool.at);
            vec![Posed { text, needed, ..Posed::default() }]
        })
    },
};
