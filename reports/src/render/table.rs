//! What does a person see in the terminal after a run? `report.txt`.

use super::{OutputFile, RenderError, Renderer};
use crate::Run;
use crate::plain::plain;
use crate::report::{Detail, blocks};

pub(super) static RENDERER: Renderer = Renderer {
    name: "table",
    summary: "report.txt: the report of the terminal, limits first, at most 100 columns wide.",
    names: &["report.txt"],
    files,
};

fn files(run: &Run) -> Result<Vec<OutputFile>, RenderError> {
    Ok(vec![OutputFile { name: "report.txt".to_owned(), bytes: report_text(run)?.into_bytes() }])
}

/// The content of `report.txt`.
///
/// # Errors
/// A run of the scenario `seed` that lacks a part of the published table.
pub fn report_text(run: &Run) -> Result<String, RenderError> {
    Ok(plain(&blocks(run, Detail::Screen)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;

    #[test]
    fn the_report_can_be_read() {
        insta::assert_snapshot!(report_text(&testing::run()).unwrap());
    }

    #[test]
    fn no_line_is_wider_than_a_hundred_columns() {
        let wide = testing::changed(|scores| {
            for (place, cell) in scores.sessions.iter_mut().enumerate() {
                cell.script = format!("a-script-with-a-long-name-{place}");
                cell.layout = format!("a-layout-with-a-long-name-{place}");
                cell.limit = Some(place as u64);
            }
            scores.retrieval[0].ranker = "bm25(text=split,k1=1.2,b=0.75)".to_owned();
            scores.retrieval[1].ranker = "bm25(text=stem,k1=1.2,b=0.75)".to_owned();
        });
        for run in [testing::run(), wide] {
            for line in report_text(&run).unwrap().lines() {
                assert!(line.chars().count() <= 100, "{line}");
            }
        }
    }

    #[test]
    fn the_limits_stand_before_the_first_table() {
        let text = report_text(&testing::run()).unwrap();
        let limits = text.find("No language model takes part").unwrap();
        assert!(limits < text.find('─').unwrap() && limits < text.find(" %").unwrap());
    }

    #[test]
    fn a_run_of_nothing_still_has_its_limits() {
        let empty = testing::changed(|scores| {
            scores.corpora.clear();
            scores.retrieval.clear();
            scores.sessions.clear();
        });
        let text = report_text(&empty).unwrap();
        assert!(text.contains("What this does not show") && !text.contains("Is the tool found"), "{text}");
    }
}
