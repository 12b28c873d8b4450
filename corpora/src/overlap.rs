//! How many of a query's words does a needed tool have?

use std::collections::HashSet;

use deferbench_core::text::Splitter;
use deferbench_core::{Catalog, ToolId};

/// Share of the query's distinct stems, function words left out, that occur in the name or description of a needed
/// tool: the maximum over needed tools, 0 to 1. None: the query has no stem, or needs no tool.
///
/// A text in another script has stems too, and shares none:
/// ```
/// use deferbench_core::{Catalog, Tool, ToolId};
/// use deferbench_corpora::overlap;
/// let catalog = Catalog::new(vec![Tool::new("send_mail", Some("Sends letters."), "{}").unwrap()]).unwrap();
/// assert_eq!(overlap(&catalog, "lettre", &[vec![ToolId(0)]]), Some(0.0));
/// assert_eq!(overlap(&catalog, "mail", &[]), None);
/// ```
pub fn overlap(catalog: &Catalog, query: &str, needs: &[Vec<ToolId>]) -> Option<f64> {
    let splitter = Splitter::find("stem")?;
    let stems: HashSet<String> = splitter.words(query).into_iter().collect();
    if stems.is_empty() {
        return None;
    }
    let share = |tool: ToolId| {
        let tool = &catalog[tool];
        let text = format!("{} {}", tool.name(), tool.description().unwrap_or_default());
        let words: HashSet<String> = splitter.words(&text).into_iter().collect();
        stems.intersection(&words).count() as f64 / stems.len() as f64
    };
    needs.iter().flatten().map(|t| share(*t)).max_by(f64::total_cmp)
}

#[cfg(test)]
mod tests {
    use deferbench_core::Tool;

    use super::*;

    /// P21: overlap by hand: stems of the query are mail, quick, letter (the, a are left out); the tool has send, mail, letter.
    #[test]
    fn overlap_by_hand() {
        let catalog = Catalog::new(vec![Tool::new("send_mail", Some("Sends letters."), "{}").unwrap()]).unwrap();
        assert_eq!(overlap(&catalog, "the mails, a quick letter", &[vec![ToolId(0)]]), Some(2.0 / 3.0));
        assert_eq!(overlap(&catalog, "the", &[vec![ToolId(0)]]), None);
        assert_eq!(overlap(&catalog, "mail", &[]), None);
    }
}
