//! A request with far more words than the search needs.

use super::{QueryClass, one};

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "over-specified",
    summary: "a request of more than twenty words: values of parameters, reasons and manners around one need",
    source: "getsentry/junior issue 1351",
    pose: |front| {
        front.each("over", |draw, tool| {
            let start = tool.request(true);
            let field = draw.pick(tool.slot.object.fields).unwrap_or("title").replace('_', " ");
            let number = draw.between(12, 980);
            let day = draw.pick(&["monday", "tuesday", "thursday", "friday"]).unwrap_or("monday");
            let texts = [
                format!(
                    "i have been waiting since {day} and now i really have to {start}, number {number} to be exact, with \
                     the {field} as we said on the phone, so that nobody has to ask me again"
                ),
                format!(
                    "before the end of {day} somebody should {start} for me, keep in mind that the {field} has to be \
                     right this time, case {number}, and tell me briefly once it worked"
                ),
                format!(
                    "my boss wants me to {start}, she was quite clear about the {field} and about number {number}, and it \
                     has to happen on {day} at the latest or there will be questions"
                ),
            ];
            let first = draw.index(texts.len());
            (0..texts.len()).map(|step| one(tool, texts[(first + step) % texts.len()].clone())).collect()
        })
    },
};
