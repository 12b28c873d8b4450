//! Which parameters can a tool take, of which kind, and what do they mean?

/// What values a field takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Any text.
    Text,
    /// A whole number between two bounds.
    Integer(u32, u32),
    /// A number that may have a fraction.
    Number,
    /// Yes or no.
    Flag,
    /// One of the listed words.
    Choice(&'static [&'static str]),
    /// A point in time.
    DateTime,
    /// A calendar day.
    Date,
    /// An e-mail address.
    Email,
    /// A web address.
    Link,
    /// An opaque identifier.
    Id,
    /// A list of texts.
    Texts,
    /// An object with these text members.
    Object(&'static [&'static str]),
    /// A list of objects with these text members.
    Objects(&'static [&'static str]),
}

/// One parameter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Field {
    /// Name in snake case.
    pub name: &'static str,
    /// Kind of its values.
    pub kind: Kind,
    /// What it means, without a final stop.
    pub about: &'static str,
}

const fn field(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, about }
}

/// The field of that name.
#[must_use]
pub fn field_named(name: &str) -> Option<&'static Field> {
    FIELDS.iter().find(|field| field.name == name)
}

/// The fields that one action needs, and whether they are required.
#[must_use]
pub fn needed(action: &str) -> &'static [(&'static str, bool)] {
    match action {
        "share" => &[("member_ids", true), ("role", false), ("expires_at", false)],
        "assign" => &[("assignee_id", true)],
        "move" => &[("parent_id", true), ("position", false)],
        "duplicate" | "rename" => &[("title", true)],
        "schedule" => &[("starts_at", true), ("repeat", false)],
        "tag" => &[("labels", true), ("overwrite", false)],
        "watch" => &[("events", false), ("recipients", false)],
        "reject" => &[("reason", true)],
        "run" => &[("variables", false), ("timeout_ms", false)],
        "publish" => &[("audience", false), ("send_at", false)],
        "convert" => &[("content_type", true)],
        "translate" => &[("language", true)],
        "rate" => &[("rating", true)],
        _ => &[],
    }
}

use Kind::{Choice, Date, DateTime, Email, Flag, Id, Integer, Link, Number, Object, Objects, Text, Texts};

/// Parameters that tools reading one thing may take, whatever the object.
#[rustfmt::skip]
pub const READ: &[Field] = &[
    field("fields", Texts, "Names of the properties to include; leave empty for all of them"),
    field("depth", Integer(0, 5), "Levels of linked records that are embedded instead of referenced"),
    field("include_history", Flag, "Adds the list of earlier states"),
    field("format", Choice(&["json", "markdown", "text"]), "Shape of the answer"),
    field("locale", Text, "Language code used for dates and numbers"),
];

/// Parameters that tools reading several things may take.
#[rustfmt::skip]
pub const LIST: &[Field] = &[
    field("limit", Integer(1, 100), "Maximum number of entries per page"),
    field("cursor", Text, "Opaque marker from the previous page"),
    field("page", Integer(1, 10_000), "Page number, counted from 1"),
    field("sort_by", Choice(&["created_at", "updated_at", "title"]), "Property that decides the order"),
    field("sort_order", Choice(&["asc", "desc"]), "Direction of the order"),
    field("filter", Text, "Expression such as status = 'open', combined with AND or OR"),
    field("created_after", DateTime, "Leaves out entries older than this moment"),
    field("updated_before", DateTime, "Leaves out entries changed after this moment"),
    field("include_archived", Flag, "Also returns entries that were archived"),
    field("fields", Texts, "Names of the properties to include; leave empty for all of them"),
    field("owner_id", Id, "Restricts the result to one owner"),
];

/// Parameters that tools changing something may take.
#[rustfmt::skip]
pub const WRITE: &[Field] = &[
    field("dry_run", Flag, "Reports what would happen without storing anything"),
    field("comment", Text, "Remark that stands beside the entry in the history"),
    field("idempotency_key", Text, "Any unique text; a second call with the same key has no effect"),
    field("timeout_ms", Integer(0, 120_000), "Gives up after this many milliseconds"),
    field("reason", Text, "Short explanation stored in the audit log"),
    field("if_match", Text, "Version tag from an earlier answer; protects against lost updates"),
];

/// Parameters that servers with many options add to every tool.
#[rustfmt::skip]
pub const COMMON: &[Field] = &[
    field("workspace", Text, "Workspace in which the call takes place; the default workspace if omitted"),
    field("on_behalf_of", Id, "Account whose rights apply instead of those of the connection"),
    field("max_bytes", Integer(1_000, 1_000_000), "Size at which the response is cut off"),
    field("max_retries", Integer(0, 10), "How many times a failed call is repeated before the error is reported"),
    field("request_timeout", Integer(1, 600), "Seconds until the call is given up"),
    field("api_version", Choice(&["v1", "v2", "v3"]), "Version of the interface; older versions have fewer properties"),
    field("region", Text, "Data region that serves the call"),
    field("output", Object(&["format", "path", "encoding"]), "Where and how the response is written; omit to return it directly"),
];

/// All object fields, by name.
#[rustfmt::skip]
pub const FIELDS: &[Field] = &[
    field("account_id", Id, "Ledger account or bank account the amount belongs to"),
    field("account_type", Choice(&["asset", "liability", "income", "expense", "equity"]), "Side of the books on which the account stands"),
    field("active", Flag, "Whether it takes effect right away"),
    field("address", Object(&["street", "city", "postal_code", "country"]), "Postal address in separate parts"),
    field("amount", Number, "Amount in the main unit of the currency, for example 12.50"),
    field("anonymous", Flag, "Hides who answered"),
    field("answers", Objects(&["question_id", "value"]), "One entry per answered question"),
    field("artist_name", Text, "Performer as printed on the cover"),
    field("assignee_id", Id, "Person who is responsible"),
    field("attachments", Texts, "Identifiers of uploaded files to attach"),
    field("attendees", Texts, "Addresses of the people to invite"),
    field("audience", Choice(&["everyone", "followers", "customers", "internal"]), "Who gets to see it"),
    field("author_id", Id, "Person who wrote it"),
    field("authors", Texts, "Family name and initials of each author, in print order"),
    field("auto_renew", Flag, "Extends it automatically before it runs out"),
    field("avoid", Texts, "Road types to avoid, such as tolls or ferries"),
    field("base_ref", Text, "Branch, tag or commit to start from"),
    field("billable", Flag, "Whether the customer is charged for it"),
    field("birth_date", Date, "Date of birth"),
    field("body", Text, "Main text; Markdown is allowed"),
    field("brightness", Integer(0, 100), "Light level in percent"),
    field("budget", Number, "Spending ceiling for the whole period"),
    field("cabin", Choice(&["economy", "premium", "business", "first"]), "Cabin class"),
    field("candidate_id", Id, "Applicant concerned"),
    field("capacity", Integer(1, 10000), "How many fit in at most"),
    field("capture", Flag, "Takes the money now instead of only reserving it"),
    field("category", Choice(&["travel", "meals", "software", "office", "other"]), "Cost category used for reporting"),
    field("channel_id", Id, "Channel in which it appears"),
    field("chart_type", Choice(&["bar", "line", "pie", "scatter", "area"]), "Kind of drawing"),
    field("checksum", Text, "SHA-256 of the content in lower-case hexadecimal digits"),
    field("city", Text, "City or town"),
    field("closes_at", DateTime, "Moment after which no more input is taken"),
    field("color", Text, "Colour as six hexadecimal digits with a leading #"),
    field("column_count", Integer(1, 500), "Number of columns to prepare"),
    field("column_defs", Objects(&["name", "data_type", "description"]), "Columns in order, each with a name and a data type"),
    field("company_id", Id, "Company it belongs to"),
    field("company_name", Text, "Employer of the person"),
    field("condition", Text, "Boolean expression that has to hold; see the guide for the grammar"),
    field("content", Text, "Complete content as text"),
    field("content_type", Text, "Media type such as text/plain or image/png"),
    field("country", Text, "Two-letter country code"),
    field("coupon_code", Text, "Code that customers type at checkout"),
    field("course_id", Id, "Course it belongs to"),
    field("created_after", DateTime, "Only considers entries made after this moment"),
    field("currency", Text, "Three-letter currency code"),
    field("customer_id", Id, "Customer concerned"),
    field("data_type", Choice(&["text", "number", "date", "boolean", "json"]), "Type of the values"),
    field("days", Integer(1, 16), "How many days ahead"),
    field("definition", Object(&["version", "source", "entrypoint"]), "Machine-readable definition"),
    field("department_id", Id, "Department it belongs to"),
    field("departs_at", DateTime, "Planned departure"),
    field("description", Text, "Longer explanation for people, shown below the title"),
    field("destination", Text, "Where it ends"),
    field("device_ids", Texts, "Devices that take part"),
    field("device_type", Choice(&["light", "plug", "thermostat", "blind", "speaker"]), "Kind of device"),
    field("direction", Choice(&["inbound", "outbound"]), "Direction of the traffic"),
    field("doi", Text, "Digital object identifier without the resolver prefix"),
    field("domain_name", Text, "Fully qualified name without a trailing dot"),
    field("dose", Text, "Dose per intake, with its unit"),
    field("draft_state", Flag, "Opens it as a draft that cannot be merged yet"),
    field("driver_id", Id, "Driver in charge"),
    field("due_at", DateTime, "Deadline; without a time zone the workspace zone is used"),
    field("elevation_m", Number, "Metres above sea level"),
    field("email", Email, "E-mail address"),
    field("employee_count", Integer(1, 1000000), "Approximate head count"),
    field("encrypted", Flag, "Whether the data is encrypted at rest"),
    field("ends_at", DateTime, "End of the period"),
    field("environment_name", Choice(&["development", "staging", "production"]), "Target environment"),
    field("equipment", Texts, "Equipment such as projector or phone"),
    field("events", Texts, "Event names that trigger it; a star stands for all"),
    field("evidence", Object(&["text", "file_id", "link"]), "Material that supports your side"),
    field("expires_at", DateTime, "Moment at which it becomes invalid; omit for never"),
    field("explicit", Flag, "Marks explicit lyrics"),
    field("filesystem", Choice(&["ext4", "xfs", "none"]), "How the space is formatted"),
    field("filters", Objects(&["field", "operator", "value"]), "Conditions that are combined with AND"),
    field("folder_id", Id, "Folder that receives it"),
    field("force", Flag, "Overrides safety checks"),
    field("full_name", Text, "First and last name as displayed"),
    field("full_page", Flag, "Captures beyond the visible part"),
    field("genre", Text, "Musical style"),
    field("group_by", Choice(&["day", "week", "month", "owner", "status"]), "How the lines are grouped"),
    field("guests", Integer(1, 30), "Number of persons"),
    field("head_ref", Text, "Branch that contains the changes"),
    field("headers", Object(&["name", "value"]), "Extra HTTP headers sent along"),
    field("height", Integer(1, 20000), "Height in pixels"),
    field("image_id", Id, "System image to boot"),
    field("inclusive", Flag, "Whether prices already contain it"),
    field("industry", Text, "Line of business"),
    field("inherit", Flag, "Also applies to everything below"),
    field("insured", Flag, "Adds transport insurance"),
    field("interval_seconds", Integer(10, 86400), "Seconds between two attempts"),
    field("item_ids", Texts, "Identifiers of the members, in order"),
    field("labels", Texts, "Labels to attach; unknown ones are made on the fly"),
    field("language", Text, "Language code such as en or pt-BR"),
    field("latitude", Number, "Latitude in decimal degrees, north positive"),
    field("leave_type", Choice(&["paid", "unpaid", "sick", "parental"]), "Kind of absence"),
    field("licence_number", Text, "Number on the driving licence"),
    field("line_items", Objects(&["description", "quantity", "unit_price"]), "Lines with description, quantity and unit price"),
    field("location", Text, "Free text or the identifier of a known location"),
    field("longitude", Number, "Longitude in decimal degrees, east positive"),
    field("low_limit", Integer(0, 100000), "Quantity below which a warning is raised"),
    field("manager_id", Id, "Person who leads it"),
    field("max_copies", Integer(1, 365), "How many copies are kept before the oldest is dropped"),
    field("max_jobs", Integer(1, 64), "How many jobs may run side by side"),
    field("max_minutes", Integer(1, 1440), "Time limit in minutes"),
    field("max_points", Number, "Highest score that can be reached"),
    field("max_price", Number, "Upper price limit per night"),
    field("max_uses", Integer(1, 100000), "How many times it can be used"),
    field("medicine", Text, "Active substance or trade name"),
    field("member_id", Id, "Person concerned"),
    field("member_ids", Texts, "Identifiers of the people or groups concerned"),
    field("metric_ids", Texts, "Measures that decide the result"),
    field("metric_unit", Text, "Unit of measurement"),
    field("mileage_km", Integer(0, 2000000), "Odometer in kilometres"),
    field("minutes", Integer(1, 1440), "Length in minutes"),
    field("monthly_limit", Number, "Highest monthly cost before it is blocked"),
    field("name_servers", Texts, "Authoritative name servers, at least two"),
    field("notes", Text, "Internal remarks, never shown to outsiders"),
    field("notify", Flag, "Whether the people concerned receive a notification"),
    field("opacity", Number, "From 0 for transparent to 1 for solid"),
    field("optional", Flag, "Attendance is not required"),
    field("options", Texts, "Answers to choose from, between two and ten"),
    field("origin", Text, "Where it begins"),
    field("overwrite", Flag, "Replaces what is already there"),
    field("owner_id", Id, "Person or group that owns it"),
    field("parameters", Objects(&["name", "type", "default"]), "Placeholders with their types"),
    field("parent_id", Id, "Element one level up; omit for the top level"),
    field("passengers", Integer(1, 9), "Number of passengers"),
    field("passport_number", Text, "Number as printed in the passport"),
    field("password", Text, "Protects it; at least eight characters"),
    field("payment_id", Id, "Payment it refers to"),
    field("payment_method", Choice(&["card", "bank_transfer", "wallet", "cash"]), "How the money is transferred"),
    field("percentage", Number, "Value between 0 and 100"),
    field("permanent", Flag, "Answers 301 instead of 302"),
    field("phone", Text, "Phone number in international form with a leading +"),
    field("place_type", Choice(&["restaurant", "shop", "park", "station", "other"]), "Kind of place"),
    field("plan_id", Id, "Price plan"),
    field("plate", Text, "Licence plate"),
    field("platform", Choice(&["linux/amd64", "linux/arm64"]), "Operating system and processor"),
    field("port", Integer(1, 65535), "TCP or UDP port"),
    field("position", Integer(0, 10000), "Place in the sequence, counted from 0"),
    field("postal_code", Text, "Postal code"),
    field("power_state", Choice(&["on", "off"]), "Wanted power state"),
    field("prerelease", Flag, "Marks it as not ready for production"),
    field("priority", Choice(&["low", "normal", "high", "urgent"]), "How soon it should be handled"),
    field("private", Flag, "Only invited people can see it"),
    field("protocol", Choice(&["tcp", "udp", "icmp"]), "Network protocol"),
    field("public_key", Text, "Key in OpenSSH format"),
    field("published_year", Integer(1400, 2100), "Year of publication"),
    field("quantity", Integer(0, 100000), "Number of pieces"),
    field("query_text", Text, "Query in the dialect of the service; read-only statements only"),
    field("question_text", Text, "Wording of the question"),
    field("questions", Objects(&["text", "type", "options"]), "Questions in order, with type and options"),
    field("radius_m", Integer(10, 100000), "Radius in metres"),
    field("rating", Integer(1, 5), "From 1 for poor to 5 for excellent"),
    field("reason", Text, "Short explanation stored in the audit log"),
    field("recipient", Text, "Address, number or identifier of the receiver"),
    field("recipients", Texts, "Everyone who receives it"),
    field("record_audio", Flag, "Records the conversation after an announcement"),
    field("record_type", Choice(&["A", "AAAA", "CNAME", "MX", "TXT", "SRV"]), "Type of the record"),
    field("record_value", Text, "Value as text, units left out"),
    field("refresh_seconds", Integer(5, 3600), "Seconds between two refreshes"),
    field("region", Choice(&["eu-north", "eu-west", "us-east", "us-west", "ap-south"]), "Data centre region"),
    field("regions", Texts, "Regions from which it is tried"),
    field("released_on", Date, "Date of the first release"),
    field("repeat", Choice(&["none", "daily", "weekly", "monthly", "yearly"]), "How often it recurs"),
    field("repeat_count", Integer(0, 99), "How many times it recurs"),
    field("required_value", Flag, "Empty values are refused"),
    field("reviewers", Texts, "Accounts asked for a review"),
    field("role", Choice(&["viewer", "commenter", "editor", "admin"]), "Access level"),
    field("room_id", Id, "Room in which it stands"),
    field("row_count", Integer(1, 1000000), "Number of rows to prepare"),
    field("salary_range", Object(&["minimum", "maximum", "currency"]), "Lower and upper yearly salary"),
    field("seat_preference", Choice(&["window", "aisle", "none"]), "Preferred seat"),
    field("secret_value", Text, "Secret text; stored encrypted and never returned"),
    field("send_at", DateTime, "Moment of delivery; omit to deliver at once"),
    field("sender", Text, "Registered sender"),
    field("service_level", Choice(&["economy", "standard", "express"]), "Speed of the transport"),
    field("severity", Choice(&["info", "minor", "major", "critical"]), "How serious it is"),
    field("signer_ids", Texts, "People who have to sign, in order"),
    field("size", Choice(&["small", "medium", "large", "xlarge"]), "Processor and memory class"),
    field("size_gb", Integer(1, 16000), "Size in gigabytes"),
    field("sku", Text, "Stock keeping code, unique per product variant"),
    field("source_path", Text, "Path that visitors request"),
    field("source_range", Text, "Range in the usual notation, for example A1:D20 or 10.0.0.0/16"),
    field("source_url", Link, "Where the original is read from"),
    field("spent_on", Date, "Date on the receipt"),
    field("ssh_key_ids", Texts, "Keys that may log in as root"),
    field("stage", Choice(&["lead", "qualified", "proposal", "won", "lost"]), "Step of the sales process"),
    field("starts_at", DateTime, "Beginning of the period"),
    field("status", Choice(&["open", "in_progress", "blocked", "done"]), "Current state in the workflow"),
    field("step_seconds", Integer(1, 86400), "Resolution in seconds"),
    field("steps", Objects(&["type", "target", "delay_minutes"]), "Steps in order; each waits for the one before"),
    field("stops", Texts, "Places between origin and destination"),
    field("street", Text, "Street and house number"),
    field("subject", Text, "Subject line"),
    field("taken_on", Date, "Day on which it was taken"),
    field("target", Text, "Path or identifier of the thing concerned"),
    field("target_url", Link, "Address that is called or opened"),
    field("template_id", Id, "Template to begin with"),
    field("time_zone", Text, "Time zone name such as Europe/Oslo"),
    field("timeout_ms", Integer(0, 120000), "Gives up after this many milliseconds"),
    field("title", Text, "Title as displayed"),
    field("traveler_ids", Texts, "People who travel"),
    field("trial_days", Integer(0, 90), "Free days before the first charge"),
    field("ttl", Integer(60, 86400), "Cache lifetime in seconds"),
    field("units", Choice(&["metric", "imperial"]), "System of units"),
    field("urgent", Flag, "Bypasses quiet hours"),
    field("values", Texts, "Cell values from left to right"),
    field("variables", Object(&["key", "value"]), "Key and value pairs handed to the process"),
    field("variations", Objects(&["key", "value", "weight"]), "Variants with their share of the traffic"),
    field("vehicle_id", Id, "Vehicle concerned"),
    field("vehicle_type", Choice(&["car", "van", "truck", "bike"]), "Vehicle class"),
    field("visible", Flag, "Whether it is drawn"),
    field("wait_for", Choice(&["load", "idle", "selector"]), "What to wait for before the call returns"),
    field("website", Link, "Home page"),
    field("weight_kg", Number, "Weight in kilograms"),
    field("widgets", Objects(&["type", "query", "width"]), "Panels from top left to bottom right"),
    field("width", Integer(1, 20000), "Width in pixels"),
    field("years", Integer(1, 10), "Registration period in years"),
];
