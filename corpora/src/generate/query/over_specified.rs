//! A request with far more words than the search needs.

use super::{Asked, QueryClass, one};
use crate::generate::draw::Draw;
use crate::generate::parameters::Parameter;
use crate::generate::words::words_of;
use crate::lexicon::fields::Kind;

/// Most parameters that a request gives values for.
const SETTINGS: usize = 3;

pub(super) static ENTRY: QueryClass = QueryClass {
    name: "over-specified",
    summary: "a request of more than twenty words: values of parameters of its tool, reasons and manners around one need",
    source: "getsentry/junior issue 1351",
    pose: |front| {
        front.each("over", |draw, tool| {
            let start = tool.request(true);
            let Some(settings) = settings(draw, tool) else { return Vec::new() };
            let day = draw.pick(&["monday", "tuesday", "thursday", "friday"]).unwrap_or("monday");
            let texts = [
                format!(
                    "i have been waiting since {day} and now i really have to {start}, with {settings}, so that nobody has \
                     to ask me about it again"
                ),
                format!(
                    "before the end of {day} somebody should {start} for me, with {settings}, and tell me in one short \
                     sentence whether it worked"
                ),
                format!(
                    "my boss wants me to {start}, with {settings}, and it has to happen on {day} at the latest or there \
                     will be questions"
                ),
            ];
            let first = draw.index(texts.len());
            (0..texts.len()).map(|step| one(tool, texts[(first + step) % texts.len()].clone())).collect()
        })
    },
};

/// Some parameters of the tool with values; none where it takes no parameters.
fn settings(draw: &mut Draw, tool: &Asked<'_>) -> Option<String> {
    let mut parameters: Vec<_> = tool.written.parameters.iter().filter(|p| can_be_told(p)).collect();
    draw.shuffle(&mut parameters);
    parameters.truncate(SETTINGS);
    let mut all: Vec<String> = Vec::with_capacity(parameters.len());
    for parameter in parameters {
        all.push(format!("{} set to {}", words_of(&parameter.name).join(" "), value(draw, &parameter.kind)));
    }
    let last = all.pop()?;
    Some(if all.is_empty() { last } else { format!("{} and {last}", all.join(", ")) })
}

/// Whether a person would give such a parameter a value: no switch of the machinery, no past, nothing with a format of its own.
fn can_be_told(parameter: &Parameter) -> bool {
    let words = words_of(&parameter.name);
    let has = |word: &str| words.iter().any(|known| known == word);
    let formatted = [
        "fields",
        "key",
        "currency",
        "code",
        "latitude",
        "longitude",
        "rate",
        "percent",
        "percentage",
        "cursor",
        "filter",
    ];
    let machinery =
        ["dry", "retries", "timeout", "version", "region", "workspace", "behalf", "output", "bytes", "match"];
    let past = ["created", "updated", "spent", "birth", "taken"];
    !formatted.iter().chain(&machinery).chain(&past).any(|word| has(word))
}

fn day(draw: &mut Draw) -> &'static str {
    draw.pick(&["tomorrow", "the day after tomorrow", "next wednesday", "next sunday", "the end of the month"])
        .unwrap_or("tomorrow")
}

/// A value of a kind as a person would say it.
fn value(draw: &mut Draw, kind: &Kind) -> String {
    match kind {
        Kind::Integer(low, high) => draw.between(*low, *high).to_string(),
        Kind::Number | Kind::Id => draw.between(12, 980).to_string(),
        Kind::Flag => if draw.percent(50) { "yes" } else { "no" }.to_owned(),
        Kind::Choice(words) => draw.pick(words).unwrap_or("the default").replace('_', " "),
        Kind::DateTime => format!("{} at noon", day(draw)),
        Kind::Date => day(draw).to_owned(),
        Kind::Email => format!("person{}@example.org", draw.between(12, 980)),
        Kind::Link => format!("https://example.org/{}", draw.between(12, 980)),
        Kind::Text => "the same as last time".to_owned(),
        Kind::Texts | Kind::Object(_) | Kind::Objects(_) => "the ones we always use".to_owned(),
    }
}
