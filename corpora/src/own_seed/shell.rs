//! Which built-in tools run programs and organise the agent's own work?

use super::build::Is::{Flag, OneOf, Records, Text, Texts, Whole};
use super::build::{Own, own};

#[rustfmt::skip]
pub(super) const TOOLS: &[Own] = &[
    own("bash", "Executes a shell command in the workspace and returns its exit code, standard output and standard error. Each call starts in the workspace root with a clean environment; variables and the working directory do not survive. Prefer the dedicated file tools over cat, sed or echo. Output beyond 30,000 characters is cut in the middle.\n\nNotes:\n- put quotation marks around paths that hold spaces\n- join commands that depend on each other with &&, and send independent ones as separate calls of one step\n- never start an editor or a pager; nothing can be typed into a running command\n- do not wait in loops with sleep: start the command in the background and read its output later\n- before creating files, list the parent folder to be sure it is the right one\n- a command that reaches the network may be refused by the sandbox; say so to the user instead of trying again", &[
        ("command", Text, true, "Command line handed to the shell"),
        ("timeout_seconds", Whole(1, 900), false, "Stops the command after this time; 120 if omitted"),
        ("directory", Text, false, "Working directory relative to the workspace root"),
        ("background", Flag, false, "Returns at once with a job number instead of waiting for the end"),
    ]),
    own("terminal_start", "Opens an interactive terminal that keeps its state between calls. Returns its number.", &[
        ("shell", OneOf(&["bash", "zsh", "fish", "pwsh"]), false, "Shell to run"),
        ("columns", Whole(20, 400), false, "Width in characters"),
        ("rows", Whole(5, 200), false, "Height in lines"),
    ]),
    own("terminal_input", "Types keys into an open terminal. Write \\n for the return key and \\u0003 to interrupt.", &[
        ("terminal", Whole(1, 64), true, "Number from terminal_start"),
        ("keys", Text, true, "Characters to type"),
    ]),
    own("terminal_output", "Returns what an open terminal has printed since the last call.", &[
        ("terminal", Whole(1, 64), true, "Number from terminal_start"),
        ("wait_ms", Whole(0, 60_000), false, "Waits this long for more output"),
        ("strip_colors", Flag, false, "Removes colour codes"),
    ]),
    own("terminal_close", "Ends an open terminal and everything running in it.", &[
        ("terminal", Whole(1, 64), true, "Number from terminal_start"),
    ]),
    own("job_list", "Lists background jobs.", &[]),
    own("job_output", "Returns the output of a background job so far, and its exit code once it has ended.", &[
        ("job", Whole(1, 9_999), true, "Number of the job"),
        ("from_line", Whole(0, 1_000_000), false, "First line to return"),
    ]),
    own("job_stop", "Stops a background job: first politely, after five seconds by force.", &[
        ("job", Whole(1, 9_999), true, "Number of the job"),
    ]),
    own("python_cell", "Runs Python source in a persistent interpreter. Names defined in one cell are known in the next. The value of the last expression is returned, figures as images. Use it for calculations and for data that is too large to read. Installed packages are those of the project's virtual environment; a missing one is reported and not installed. Tables longer than 60 rows are shortened, so print the part that matters.", &[
        ("source", Text, true, "Python source of the cell"),
        ("reset", Flag, false, "Starts a new interpreter first"),
        ("timeout_seconds", Whole(1, 600), false, "Interrupts the cell after this time"),
    ]),
    own("subagent", "Delegates a task to a helper agent with its own context and returns its final report. The helper sees none of this conversation, so write down everything it has to know: the goal, the files concerned, what has been tried, and the form of the report. Several helpers started in one step work side by side. Do not use it for a single search or for reading one file.\n\nRoles:\n- general: all tools, may change files\n- explore: reads and searches, changes nothing; cheap and fast\n- review: reads a diff and reports defects with file and line\n- test: runs the tests and narrows a failure down\n\nThe report is visible to you only; tell the user what matters in it. A helper cannot start helpers. If it stops at max_steps, its report says what is left, and a second helper may go on from there.", &[
        ("task", Text, true, "Complete instructions for the helper"),
        ("label", Text, true, "Three to six words shown to the user while the helper works"),
        ("role", OneOf(&["general", "explore", "review", "test"]), false, "Which set of tools and which instructions the helper starts with"),
        ("model", OneOf(&["same", "small", "large"]), false, "Model that runs the helper"),
        ("max_steps", Whole(1, 200), false, "The helper must report after this many steps"),
        ("files", Texts, false, "Files whose content is put before the instructions"),
    ]),
    own("helper_list", "Shows running helper agents with label, age and last step.", &[]),
    own("helper_cancel", "Cancels a helper agent. What it has written stays on disk.", &[
        ("helper", Text, true, "Identifier of the helper"),
        ("reason", Text, false, "Stored in the session log"),
    ]),
    own("plan_update", "Replaces the list of steps that the user sees. Use it for work of three or more steps; keep exactly one step active and mark a step as done as soon as it is. Skip it for questions and for small edits.\n\nA step is done only if its result was checked: tests pass, the program starts, the file is in place. When something blocks a step, leave it active and add a new step that names the obstacle. Drop steps that turned out to be needless instead of marking them as done. Write steps as results (\"Parser accepts empty lists\") rather than as activities (\"Work on the parser\").", &[
        ("steps", Records(&[("text", "What is to be done, in the imperative"), ("state", "pending, active or done"), ("note", "Shown below the step; may be empty")]), true, "All steps in order, finished ones too"),
        ("title", Text, false, "Headline above the list"),
    ]),
    own("plan_show", "Returns the current list of steps.", &[]),
    own("ask_user", "Puts a question to the user and waits for the answer. Use it when two readings of the request lead to different work and the workspace does not settle which is meant; never to ask for permission to continue. Put the choice you would take first and say so in its label. The session waits up to a day; after that the first choice counts as taken and the log says that nobody answered.", &[
        ("question", Text, true, "One question, ending with a question mark"),
        ("choices", Records(&[("label", "A few words"), ("consequence", "What follows from this choice")]), false, "Two to four answers to choose from; free text stays possible"),
        ("several", Flag, false, "Allows more than one choice"),
    ]),
    own("notify_user", "Shows a desktop notification.", &[
        ("message", Text, true, "Up to 120 characters"),
    ]),
    own("memory_store", "Keeps a fact beyond this session. Store decisions and preferences of the user, not what can be read from the workspace.", &[
        ("key", Text, true, "Short name such as test-command"),
        ("fact", Text, true, "One or two sentences"),
        ("scope", OneOf(&["workspace", "user"]), false, "Where the fact holds"),
    ]),
    own("memory_find", "Finds stored facts by words.", &[
        ("words", Text, true, "Words that have to occur"),
        ("scope", OneOf(&["workspace", "user", "both"]), false, "Where to look"),
    ]),
    own("session_search", "Searches earlier sessions of this workspace and returns matching passages with session, turn and date.", &[
        ("words", Text, true, "Words or a phrase in quotation marks"),
        ("after", Text, false, "Oldest date, as YYYY-MM-DD"),
        ("who", OneOf(&["user", "assistant", "tool", "any"]), false, "Whose text is searched"),
        ("max_passages", Whole(1, 50), false, "Upper limit of passages"),
    ]),
];
