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
    reserved("umbrella", &["umbrella"], &["mend the broken umbrella in the hallway", "which umbrella survives a storm"]),
    reserved("guitar", &["guitar"], &["restring my guitar before the party", "teach me three chords on the guitar"]),
    reserved("haircut", &["haircut"], &["give me a haircut with short sides", "how often does anyone need a haircut"]),
    reserved("laundry", &["laundry"], &["fold the laundry from the basket", "get the ketchup out of my laundry"]),
    reserved("meteorite", &["meteorite"], &["where did the meteorite come down", "is this stone a meteorite"]),
    reserved("dinosaur", &["dinosaur"], &["which dinosaur had the longest neck", "name a dinosaur that could swim"]),
    reserved("origami", &["origami"], &["fold an origami crane from one square", "how hard is an origami frog"]),
    reserved("juggling", &["juggling"], &["teach me juggling with three balls", "how long until juggling feels easy"]),
    reserved("snowman", &["snowman"], &["roll a snowman with the kids", "keep the snowman from melting until sunday"]),
    reserved("tent", &["tent"], &["pitch the tent behind the dunes", "dry a wet tent overnight"]),
    reserved("kayak", &["kayak"], &["paddle the kayak across the lake", "patch a leaking kayak"]),
    reserved("sourdough", &["sourdough"], &["why is my sourdough so flat", "feed the sourdough starter twice today"]),
    reserved("espresso", &["espresso"], &["brew a double espresso without sugar", "how fine should i grind for espresso"]),
    reserved("lipstick", &["lipstick"], &["which lipstick goes with green eyes", "rub the lipstick off my collar"]),
    reserved("necktie", &["necktie"], &["knot a necktie for the wedding", "is a necktie too formal for a barbecue"]),
    reserved("riddle", &["riddle"], &["tell the children a funny riddle", "how does the riddle of the sphinx end"]),
    reserved("yodelling", &["yodel"], &["teach me to yodel like a shepherd", "how far away can people hear a yodel"]),
    reserved("mushroom", &["mushroom"], &["is this brown mushroom safe to eat", "fry a mushroom in butter with parsley"]),
    reserved("squirrel", &["squirrel"], &["chase the squirrel off my balcony", "how does a squirrel find its nuts in winter"]),
    reserved("dandelion", &["dandelion"], &["pull every dandelion out of the lawn", "how far does a dandelion seed fly"]),
    reserved("wallpaper", &["wallpaper"], &["hang the striped wallpaper in the nursery", "scrape old wallpaper off the ceiling"]),
    reserved("saxophone", &["saxophone"], &["polish my saxophone until it shines", "how heavy is a saxophone"]),
    reserved("ghost", &["ghost"], &["is there a ghost in the attic", "frighten the ghost away from the cellar"]),
    reserved("lullaby", &["lullaby"], &["sing a lullaby to the baby", "hum me the lullaby my grandmother knew"]),
    reserved("pancake", &["pancake"], &["flip the pancake without dropping it", "how thick should a pancake be"]),
    reserved("lemonade", &["lemonade"], &["squeeze a jug of lemonade", "how sour is proper lemonade"]),
    reserved("candle", &["candle"], &["dip a candle in hot wax", "blow out the candle by the bed"]),
    reserved("sandcastle", &["sandcastle"], &["dig a sandcastle with a moat", "rescue the sandcastle from the tide"]),
    reserved("shoelace", &["shoelace"], &["tie my shoelace with a double knot", "thread a new shoelace into my boots"]),
    reserved("mosquito", &["mosquito"], &["catch the mosquito in my bedroom", "why does a mosquito prefer my ankles"]),
    reserved("hiccups", &["hiccup"], &["cure my hiccup without holding my breath", "why did that hiccup hurt"]),
    reserved("submarine", &["submarine"], &["steer the submarine under the ice", "how deep can a submarine dive"]),
    reserved("palindrome", &["palindrome"], &["is this sentence a palindrome", "invent a palindrome about winter"]),
    reserved("sudoku", &["sudoku"], &["fill in the sudoku on the last leaf", "how few digits can a sudoku begin with"]),
];
