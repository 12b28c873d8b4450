//! Which requests can no tool of any size answer?

/// One thing nobody serves, with the ways people ask for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reserved {
    /// Name in snake case; no object or service has one of its words.
    pub name: &'static str,
    /// Nouns for it; none of their words stands in any tool.
    pub nouns: &'static [&'static str],
    /// Complete requests, each holding one of the nouns.
    pub ask: &'static [&'static str],
}

const fn reserved(name: &'static str, nouns: &'static [&'static str], ask: &'static [&'static str]) -> Reserved {
    Reserved { name, nouns, ask }
}

/// All reserved concepts.
#[rustfmt::skip]
pub const RESERVED: &[Reserved] = &[
    reserved("piano", &["piano"], &["tune the piano in the living area", "order a piano teacher for tuesday"]),
    reserved("volcano", &["volcano", "eruption"], &["how likely is an eruption this week", "list every active volcano"]),
    reserved("chess", &["chess"], &["suggest the best chess opening against black", "analyse my last chess match"]),
    reserved("recipe", &["recipe", "lasagna"], &["find a vegetarian lasagna recipe", "scale this recipe to eight people"]),
    reserved("genome", &["genome", "protein"], &["align two protein sequences", "annotate the genome of a fruit fly"]),
    reserved("telescope", &["telescope", "galaxy"], &["point the telescope at jupiter", "classify this galaxy by shape"]),
    reserved("passphrase", &["passphrase"], &["generate a strong passphrase", "how strong is my passphrase"]),
    reserved("crossword", &["crossword", "anagram"], &["solve the crossword clue with seven letters", "is this word an anagram"]),
    reserved("horoscope", &["horoscope", "zodiac"], &["read my horoscope for tomorrow", "which zodiac sign suits me"]),
    reserved("lottery", &["lottery"], &["check my lottery numbers", "buy a lottery slip for saturday"]),
    reserved("parking", &["parking"], &["pay for two hours of parking", "extend the parking near the theatre by an hour"]),
    reserved("pizza", &["pizza", "sushi"], &["order a pizza with extra cheese", "get sushi delivered at noon"]),
    reserved("aquarium", &["aquarium"], &["feed the fish in the aquarium", "clean the aquarium on sunday"]),
    reserved("tattoo", &["tattoo"], &["sketch a tattoo of a swallow", "how much does a small tattoo cost"]),
    reserved("beehive", &["beehive", "honey"], &["inspect the beehive for mites", "record the honey harvest of this summer"]),
    reserved("knitting", &["knitting", "sweater"], &["write a knitting pattern for socks", "how much wool does a sweater take"]),
];
