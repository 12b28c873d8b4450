//! Which things do people pass around at work: messages, pages, tasks, media?

use super::Object;

const fn object(
    name: &'static str,
    describe: &'static [&'static str],
    ask: &'static [&'static str],
    actions: &'static [&'static str],
    fields: &'static [&'static str],
) -> Object {
    Object { name, describe, ask, actions, fields }
}

/// The objects of this file.
#[rustfmt::skip]
pub(super) const OBJECTS: &[Object] = &[
    object("message", &["message", "direct message"], &["jotting to a colleague", "speech bubble"], &["send", "pin", "schedule", "restore", "summarize", "translate", "acknowledge"], &["body", "recipient", "channel_id", "urgent", "attachments"]),
    object("text_message", &["text message", "SMS"], &["cellphone blurb", "pager greeting"], &["send", "schedule", "cancel", "validate"], &["body", "recipient", "sender", "send_at"]),
    object("channel", &["channel"], &["conversation lobby", "discussion corner"], &["archive", "rename", "watch", "pin", "lock"], &["title", "description", "private", "member_ids", "language"]),
    object("thread", &["thread", "message thread"], &["back-and-forth dialogue", "reply sequence"], &["summarize", "archive", "lock", "move", "watch"], &["subject", "member_ids", "channel_id", "urgent"]),
    object("reminder", &["reminder"], &["nudge", "memory jogger"], &["schedule", "cancel", "assign", "send"], &["body", "due_at", "recipient", "repeat"]),
    object("member", &["member", "team member"], &["crew mate", "participant"], &["assign", "import", "export", "count"], &["email", "full_name", "role", "time_zone", "active"]),
    object("file", &["file", "stored file"], &["saved blob", "uploaded item"], &["share", "move", "rename", "duplicate", "lock", "restore", "summarize", "convert", "preview"], &["title", "folder_id", "content_type", "content", "overwrite"]),
    object("folder", &["folder"], &["directory", "binder"], &["share", "move", "rename", "lock", "restore"], &["title", "parent_id", "color", "private"]),
    object("poll", &["poll"], &["quick vote", "show of hands"], &["send", "stop", "pin", "export", "close"], &["question_text", "options", "anonymous", "closes_at"]),
    object("draft", &["draft", "mail draft"], &["unsent letter", "half-written text"], &["send", "schedule", "duplicate", "validate"], &["subject", "body", "recipients", "attachments"]),
    object("label", &["label"], &["colour sticker", "badge"], &["merge", "rename", "assign", "count"], &["title", "color", "description", "parent_id"]),
    object("attachment", &["attachment"], &["enclosed paper", "appended item"], &["validate", "move", "export", "rename"], &["title", "content", "content_type", "parent_id"]),
    object("rule", &["rule", "automatic rule"], &["if-then instruction", "sorting policy"], &["run", "stop", "validate", "duplicate", "enable", "disable", "sort"], &["title", "condition", "target", "active", "priority"]),
    object("contact", &["contact"], &["acquaintance", "rolodex card"], &["merge", "import", "export", "tag", "share", "sync", "link"], &["full_name", "email", "phone", "company_name", "address", "notes"]),
    object("signature", &["signature", "mail signature"], &["closing greeting", "sign-off block"], &["validate", "duplicate"], &["title", "body", "active"]),
    object("call", &["call", "phone call"], &["buzz", "spoken conversation"], &["schedule", "cancel", "move", "summarize", "stop"], &["recipient", "sender", "record_audio", "max_minutes", "notes"]),
    object("voicemail", &["voicemail"], &["answering machine babble", "spoken notice"], &["summarize", "archive", "share", "restore"], &["recipient", "body", "urgent", "created_after"]),
    object("phone_number", &["phone number"], &["dialable digit string", "extension"], &["assign", "move", "validate", "lock"], &["phone", "country", "title", "monthly_limit"]),
    object("recording", &["recording", "call recording"], &["taped audio", "sound capture"], &["share", "summarize", "archive", "export"], &["title", "content_type", "created_after", "private"]),
    object("event", &["event", "calendar event"], &["gathering", "happening"], &["cancel", "move", "schedule", "duplicate", "share", "sync"], &["title", "starts_at", "ends_at", "attendees", "location", "repeat", "notes"]),
    object("attendee", &["attendee"], &["invited guest", "invitee"], &["approve", "reject", "import", "count"], &["email", "full_name", "optional", "notes"]),
    object("room", &["room"], &["chamber", "walled space"], &["lock", "schedule", "validate", "rename"], &["title", "capacity", "location", "equipment"]),
    object("schedule", &["schedule", "weekly schedule"], &["timetable", "rota"], &["run", "stop", "validate", "publish", "compare"], &["title", "starts_at", "time_zone", "repeat", "active"]),
    object("task", &["task"], &["errand", "piece of homework"], &["assign", "move", "archive", "tag", "duplicate", "watch", "close", "reopen", "link", "sort"], &["title", "description", "due_at", "priority", "assignee_id", "status", "parent_id"]),
    object("project", &["project"], &["undertaking", "initiative"], &["archive", "share", "summarize", "lock", "watch"], &["title", "description", "starts_at", "owner_id", "status", "color"]),
    object("milestone", &["milestone"], &["big target date", "checkpoint"], &["move", "compare", "watch", "assign"], &["title", "due_at", "description", "status"]),
    object("comment", &["comment"], &["remark", "margin scribble"], &["approve", "reject", "pin", "lock"], &["body", "parent_id", "author_id", "private"]),
    object("time_entry", &["time entry"], &["logged hour", "stopwatch line"], &["approve", "reject", "export", "move", "stop"], &["minutes", "starts_at", "notes", "billable", "assignee_id"]),
    object("page", &["page", "wiki page"], &["write-up", "explainer"], &["publish", "move", "archive", "duplicate", "summarize", "lock", "watch", "translate", "print", "preview", "link"], &["title", "content", "parent_id", "labels", "language"]),
    object("template", &["template"], &["boilerplate", "ready-made skeleton"], &["duplicate", "publish", "validate", "share", "rename", "preview", "translate"], &["title", "content", "language", "variables"]),
    object("revision", &["revision"], &["older edition", "past version"], &["compare", "restore", "approve", "tag"], &["notes", "author_id", "created_after", "content"]),
    object("permission", &["permission", "access permission"], &["right of entry", "privilege"], &["approve", "reject", "compare", "validate"], &["role", "member_ids", "expires_at", "inherit"]),
    object("share_link", &["share link"], &["public URL", "guest hyperlink"], &["send", "lock", "stop", "validate"], &["expires_at", "password", "target", "max_uses"]),
    object("row", &["row"], &["horizontal line", "sheet record"], &["move", "duplicate", "validate", "import", "lock", "sort"], &["values", "position", "parent_id", "overwrite"]),
    object("column", &["column"], &["vertical strip", "attribute heading"], &["move", "rename", "validate", "lock", "sort", "split", "convert"], &["title", "data_type", "position", "required_value"]),
    object("chart", &["chart"], &["plot", "pie graphic"], &["export", "duplicate", "share", "compare"], &["title", "chart_type", "source_range", "color"]),
    object("worksheet", &["worksheet"], &["ledger leaf", "extra sheet"], &["duplicate", "rename", "move", "lock", "export"], &["title", "row_count", "column_count", "position"]),
    object("video", &["video"], &["film clip", "moving picture"], &["publish", "share", "schedule", "summarize", "tag", "convert", "rate", "preview"], &["title", "description", "source_url", "language", "private"]),
    object("playlist", &["playlist"], &["mixtape", "listening queue"], &["share", "merge", "duplicate", "publish", "sort"], &["title", "description", "item_ids", "private"]),
    object("caption", &["caption", "caption track"], &["subtitle", "on-screen text line"], &["validate", "import", "publish", "export", "translate", "sync"], &["language", "content", "starts_at", "content_type"]),
    object("thumbnail", &["thumbnail"], &["preview still", "tiny cover"], &["validate", "compare", "duplicate"], &["source_url", "width", "height", "content_type"]),
    object("track", &["track", "music track"], &["song", "tune"], &["share", "tag", "compare", "pin", "rate", "convert"], &["title", "artist_name", "minutes", "language", "explicit"]),
    object("album", &["album"], &["LP", "set of snaps"], &["share", "merge", "publish", "duplicate"], &["title", "description", "item_ids", "private", "released_on"]),
    object("artist", &["artist"], &["band", "singer"], &["watch", "compare", "merge"], &["full_name", "genre", "country", "active"]),
    object("podcast", &["podcast", "podcast episode"], &["radio show", "talk programme"], &["watch", "publish", "summarize", "schedule"], &["title", "description", "source_url", "minutes", "language"]),
    object("photo", &["photo"], &["portrait", "shot"], &["share", "tag", "move", "duplicate", "restore", "convert", "print", "rate"], &["title", "source_url", "taken_on", "location", "width"]),
    object("layer", &["layer"], &["overlay", "stacked sheet"], &["move", "merge", "duplicate", "lock", "rename"], &["title", "position", "opacity", "visible", "parent_id"]),
    object("component", &["component", "design component"], &["building block", "reusable widget"], &["publish", "duplicate", "compare", "move"], &["title", "width", "height", "variables", "description"]),
    object("board", &["board", "design board"], &["mood collage", "whiteboard"], &["share", "duplicate", "export", "archive", "lock"], &["title", "width", "height", "color", "private"]),
    object("asset", &["asset", "media asset"], &["brand material", "logo original"], &["approve", "tag", "share", "export", "archive"], &["title", "source_url", "content_type", "labels", "expires_at"]),
    object("post", &["post", "social post"], &["timeline announcement", "public shout"], &["publish", "schedule", "pin", "duplicate", "share", "translate", "preview"], &["body", "send_at", "attachments", "audience", "language"]),
];
