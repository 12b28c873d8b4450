//! Where does a request part from the one before?

use deferbench_reports::record::Divergence;

use crate::layout::{Kind, Layout, Rendered};

/// The first segment of the new request that is not the same in the one before; the old segment where the new request
/// ends earlier; scaffolding where all segments agree and the text does not; none where the old text is the beginning
/// of the new one. The offset counts inside that segment, against the old one in its place if that is of the same kind.
pub(super) fn divergence(before: &Rendered, now: &Rendered, layout: &Layout) -> Option<Divergence> {
    if now.text.starts_with(&before.text) {
        return None;
    }
    let unit = layout.unit;
    for i in 0..before.segments.len().max(now.segments.len()) {
        let (old, new) = (before.segments.get(i), now.segments.get(i));
        let facing = old.zip(new).filter(|(a, b)| a.kind == b.kind);
        let texts = facing.map(|(a, b)| (&before.text[a.range.clone()], &now.text[b.range.clone()]));
        if facing.is_some_and(|(a, b)| a.tool == b.tool) && texts.is_some_and(|(a, b)| a == b) {
            continue;
        }
        let (shown, home) = new.map(|s| (s, now)).or(old.map(|s| (s, before)))?;
        let name = match shown.kind {
            Kind::Tool | Kind::Definition => shown.tool.to_string(),
            kind => home.segments[..i].iter().filter(|s| s.kind == kind).count().to_string(),
        };
        let offset = texts.map_or(0, |(a, b)| unit.common_prefix(a, b));
        return Some(Divergence { kind: shown.kind.name().to_string(), name, offset });
    }
    let offset = unit.common_prefix(&before.text, &now.text);
    Some(Divergence { kind: "scaffolding".to_string(), name: String::new(), offset })
}
