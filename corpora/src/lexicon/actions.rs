//! What can be done to an object, and how do people ask for it?

use super::{Action, Effect};

/// Actions that every object allows, in the order servers like to register them.
pub const FAMILY: &[&str] = &["create", "get", "list", "update", "delete", "search"];

/// Actions that join two objects or set one against another.
pub const PAIRS: &[&str] = &["merge", "compare", "link"];

const fn action(
    name: &'static str,
    effect: Effect,
    many: bool,
    describe: &'static [&'static str],
    ask: &'static [&'static str],
) -> Action {
    Action { name, describe, ask, many, effect }
}

/// All actions. Append only.
#[rustfmt::skip]
pub const ACTIONS: &[Action] = &[
    action("create", Effect::Create, false, &["create", "add"], &["make a {one}", "draw up a {one}"]),
    action("get", Effect::Read, false, &["get", "retrieve", "fetch"], &["show me the {one}", "pull up one {one}"]),
    action("list", Effect::List, true, &["list"], &["walk through all {many}", "display every {one}"]),
    action("update", Effect::Change, false, &["update", "modify"], &["amend the {one}", "edit the {one}", "rework the {one}"]),
    action("delete", Effect::Remove, false, &["delete", "remove"], &["throw away the {one}", "wipe out the {one}"]),
    action("search", Effect::List, true, &["search", "query"], &["look for {many}", "hunt down {many}"]),
    action("archive", Effect::Change, false, &["archive"], &["shelve the {one}", "mothball the {one}"]),
    action("restore", Effect::Change, false, &["restore", "recover"], &["bring the lost {one} back", "undo losing the {one}"]),
    action("share", Effect::Change, false, &["share"], &["let other people see the {one}", "give teammates a glance at the {one}"]),
    action("assign", Effect::Change, false, &["assign"], &["put somebody in charge of the {one}", "hand the {one} to a colleague"]),
    action("send", Effect::Create, false, &["send", "deliver"], &["fire off a {one}", "shoot over a {one}"]),
    action("export", Effect::List, true, &["export"], &["dump all {many}", "take home the {many}"]),
    action("import", Effect::Create, true, &["import", "ingest"], &["bulk load some {many}", "slurp in {many}"]),
    action("duplicate", Effect::Create, false, &["duplicate", "clone"], &["copy the {one}", "have a second identical {one}"]),
    action("move", Effect::Change, false, &["move", "transfer"], &["shift the {one} elsewhere", "relocate the {one}"]),
    action("merge", Effect::Change, true, &["merge"], &["combine two {many}", "fold two {many} together"]),
    action("approve", Effect::Change, false, &["approve", "accept"], &["green light the {one}", "say yes to the {one}"]),
    action("reject", Effect::Change, false, &["reject", "decline"], &["turn down the {one}", "refuse the {one}"]),
    action("schedule", Effect::Change, false, &["schedule"], &["choose a time for the {one}", "plan the {one} for later"]),
    action("cancel", Effect::Remove, false, &["cancel"], &["call off the {one}", "abort the {one}"]),
    action("run", Effect::Change, false, &["run", "execute"], &["kick off the {one}", "set the {one} going"]),
    action("stop", Effect::Change, false, &["stop", "halt"], &["shut down the {one}", "switch off the {one}"]),
    action("watch", Effect::Change, false, &["watch", "follow"], &["keep an eye on the {one}", "ping me about the {one}"]),
    action("tag", Effect::Change, false, &["tag", "categorize"], &["stick keywords on the {one}", "mark the {one} with a topic"]),
    action("count", Effect::Read, true, &["count"], &["how many {many} are there", "tally the {many}"]),
    action("summarize", Effect::Read, false, &["summarize", "condense"], &["tell me the gist of the {one}", "boil down the {one}"]),
    action("validate", Effect::Read, false, &["validate", "verify"], &["is the {one} correct", "double check the {one}"]),
    action("compare", Effect::Read, true, &["compare", "contrast"], &["spot differences between two {many}", "weigh two {many}"]),
    action("publish", Effect::Change, false, &["publish"], &["go live with the {one}", "unveil the {one}"]),
    action("lock", Effect::Change, false, &["lock", "freeze"], &["prevent anyone touching the {one}", "seal the {one}"]),
    action("pin", Effect::Change, false, &["pin"], &["fasten the {one} at the top", "nail up the {one}"]),
    action("rename", Effect::Change, false, &["rename"], &["rechristen the {one}", "retitle the {one}"]),
    action("enable", Effect::Change, false, &["enable", "activate"], &["wake up the {one}", "bring the {one} to life"]),
    action("disable", Effect::Change, false, &["disable", "deactivate"], &["put the {one} to sleep", "mute the {one}"]),
    action("sync", Effect::Change, false, &["sync", "synchronize"], &["harmonise the {one} with its source", "line up both sides of the {one}"]),
    action("convert", Effect::Change, false, &["convert", "transform"], &["recast the {one} in a new shape", "change the {one} into a different kind"]),
    action("split", Effect::Change, false, &["split", "divide"], &["break the {one} in half", "cut the {one} into pieces"]),
    action("sort", Effect::Change, true, &["sort", "reorder"], &["put the {many} in sequence", "arrange the {many} alphabetically"]),
    action("rate", Effect::Change, false, &["rate", "score"], &["give the {one} four stars", "say what I think of the {one}"]),
    action("print", Effect::Read, false, &["print"], &["put the {one} on paper", "have the {one} in ink"]),
    action("preview", Effect::Read, false, &["preview"], &["peek at the {one} before it is final", "let me glimpse the {one}"]),
    action("acknowledge", Effect::Change, false, &["acknowledge", "confirm"], &["say I have seen the {one}", "nod at the {one}"]),
    action("close", Effect::Change, false, &["close", "resolve"], &["wrap up the {one}", "be done with the {one}"]),
    action("reopen", Effect::Change, false, &["reopen"], &["take up the {one} again", "have another go at the {one}"]),
    action("link", Effect::Change, true, &["link", "connect"], &["tie two {many}", "hook up two {many}"]),
    action("estimate", Effect::Read, false, &["estimate", "calculate"], &["how much would the {one} cost", "guess what the {one} is worth"]),
    action("translate", Effect::Change, false, &["translate"], &["put the {one} into French", "say the {one} in a foreign tongue"]),
];
