//! How is a server spoken to that we start ourselves?

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::client::Wire;
use super::error::{Problem, excerpt};
use super::message::{self, Message};
use super::{MAX_BYTES, MAX_MESSAGE, MAX_STRAY, Options};

/// How long an ended server may take to hand over its last lines, and a closed one to end by itself.
const GRACE: Duration = Duration::from_millis(500);

/// What the reading thread hands over.
enum Line {
    Text(String),
    /// Not UTF-8 from this byte on.
    Utf8(usize),
    TooLong,
}

/// A started server.
pub(super) struct Stdio {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<Line>,
    stderr: (Arc<Mutex<String>>, Option<JoinHandle<()>>),
    deadline: Instant,
    timeout: Duration,
    bytes: usize,
    stray: Stray,
}

/// What came that nobody asked for.
#[derive(Default)]
pub(super) struct Stray {
    count: usize,
    first: String,
    /// Requests of the server, which are legal.
    requests: usize,
    list_changed: bool,
}

impl Stray {
    pub(super) fn add(&mut self, text: &str) {
        self.count += 1;
        if self.first.is_empty() {
            self.first = excerpt(text);
        }
    }

    pub(super) fn request(&mut self) {
        self.requests += 1;
    }

    /// True: more than a server that means to answer would send.
    pub(super) fn is_flood(&self) -> bool {
        self.count + self.requests > MAX_STRAY
    }

    pub(super) fn notification(&mut self, method: &str) {
        self.list_changed |= method == "notifications/tools/list_changed";
    }

    pub(super) fn note(&self) -> Option<String> {
        let lines = if self.count == 1 { "1 line was" } else { &format!("{} lines were", self.count) };
        (self.count > 0).then(|| format!("{lines} no JSON-RPC answer and skipped, the first: {:?}", self.first))
    }

    pub(super) fn warnings(&self) -> Vec<String> {
        let changed =
            self.list_changed.then(|| "the server said while it was listed that its list changed".to_string());
        self.note().into_iter().chain(changed).collect()
    }
}

impl Stdio {
    pub(super) fn start(words: &[OsString], options: &Options, deadline: Instant) -> Result<Self, Problem> {
        let missing = || std::io::Error::new(std::io::ErrorKind::InvalidInput, "no program is named");
        let (program, arguments) = words.split_first().ok_or_else(|| Problem::Start(missing()))?;
        let mut command = Command::new(program);
        command.args(arguments);
        let piped = std::process::Stdio::piped;
        command.stdin(piped()).stdout(piped()).stderr(piped());
        // A group of its own, so that what the server starts ends with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn().map_err(Problem::Start)?;
        let (sender, lines) = sync_channel(4);
        if let Some(out) = child.stdout.take() {
            std::thread::spawn(move || forward(BufReader::new(out), &sender));
        }
        let last = Arc::new(Mutex::new(String::new()));
        let reader = child.stderr.take().map(|err| {
            let last = Arc::clone(&last);
            std::thread::spawn(move || keep_last(BufReader::new(err), &last))
        });
        let (stdin, timeout) = (child.stdin.take(), options.timeout);
        Ok(Self { child, stdin, lines, stderr: (last, reader), deadline, timeout, bytes: 0, stray: Stray::default() })
    }

    /// The last line on standard error.
    pub(super) fn last_words(&mut self) -> Option<String> {
        let until = Instant::now() + GRACE;
        let ended = matches!(self.child.try_wait(), Ok(Some(_)));
        while ended && Instant::now() < until && self.stderr.1.as_ref().is_some_and(|reader| !reader.is_finished()) {
            std::thread::sleep(Duration::from_millis(5));
        }
        let last = self.stderr.0.lock().map(|text| text.clone()).unwrap_or_default();
        (!last.is_empty()).then_some(last)
    }

    /// How the process ended, when it does so within the grace.
    fn status(&mut self) -> Option<ExitStatus> {
        let until = Instant::now() + GRACE;
        loop {
            match self.child.try_wait() {
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(5)),
                found => return found.ok().flatten(),
            }
        }
    }

    fn write(&mut self, body: &str) -> std::io::Result<()> {
        match &mut self.stdin {
            Some(stdin) => stdin.write_all(format!("{body}\n").as_bytes()).and_then(|()| stdin.flush()),
            None => Ok(()),
        }
    }

    fn ended(&mut self, asked: &str) -> Problem {
        let status = self.status().map(|s| s.to_string());
        Problem::Ended { asked: asked.to_string(), status, stray: self.stray.note() }
    }
}

impl Wire for Stdio {
    fn ask(&mut self, id: u64, body: &str, asked: &str) -> Result<String, Problem> {
        // A server that has ended is noticed below, by the end of its output.
        let _ = self.write(body);
        loop {
            let left = self.deadline.saturating_duration_since(Instant::now());
            let text = match self.lines.recv_timeout(left) {
                Ok(Line::Text(text)) => text,
                Ok(Line::Utf8(byte)) => return Err(Problem::Utf8 { asked: asked.to_string(), byte }),
                Ok(Line::TooLong) => return Err(Problem::TooLong { asked: asked.to_string() }),
                Err(RecvTimeoutError::Disconnected) => return Err(self.ended(asked)),
                Err(RecvTimeoutError::Timeout) => {
                    let (seconds, stray) = (self.timeout.as_secs_f64(), self.stray.note());
                    return Err(Problem::NoAnswer { asked: asked.to_string(), seconds, stray });
                }
            };
            self.bytes += text.len();
            match message::classify(&text, id) {
                Message::Answer => return Ok(text),
                Message::Foreign(found) => {
                    return Err(Problem::Id { asked: asked.to_string(), found: excerpt(&found), expected: id });
                }
                Message::Request(id, method) => {
                    self.stray.request();
                    let _ = self.write(&message::reply(&id, &method));
                }
                Message::Notification(method) => self.stray.notification(&method),
                Message::Broken(Some(detail)) => {
                    let expected = "a JSON-RPC message";
                    return Err(Problem::Nonsense { asked: asked.to_string(), expected, detail });
                }
                Message::Stray | Message::Broken(None) => self.stray.add(&text),
            }
            if self.stray.is_flood() || self.bytes > MAX_BYTES {
                return Err(Problem::Flood { asked: asked.to_string(), stray: self.stray.note() });
            }
        }
    }

    fn tell(&mut self, body: &str) -> Result<(), Problem> {
        let _ = self.write(body);
        Ok(())
    }

    fn warnings(&mut self) -> Vec<String> {
        self.stray.warnings()
    }
}

impl Drop for Stdio {
    /// The end of its input asks the server to end; then its whole group is ended.
    fn drop(&mut self) {
        drop(self.stdin.take());
        self.status();
        #[cfg(unix)]
        if let Some(group) = i32::try_from(self.child.id()).ok().and_then(rustix::process::Pid::from_raw) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Hands over line by line, until the end or a line that is too long.
fn forward(mut reader: impl BufRead, sender: &SyncSender<Line>) {
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(MAX_MESSAGE as u64 + 1).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(n) if n > MAX_MESSAGE => {
                let _ = sender.send(Line::TooLong);
                return;
            }
            Ok(_) => {}
        }
        let text = match String::from_utf8(line) {
            Ok(text) => text,
            // A line for people may be in any encoding, and is skipped; a message may not.
            Err(e) if e.as_bytes().trim_ascii_start().starts_with(b"{") => {
                let _ = sender.send(Line::Utf8(e.utf8_error().valid_up_to()));
                return;
            }
            Err(e) => String::from_utf8_lossy(e.as_bytes()).into_owned(),
        };
        let text = text.trim_end_matches(['\n', '\r']);
        if !text.trim().is_empty() && sender.send(Line::Text(text.to_string())).is_err() {
            return;
        }
    }
}

/// Keeps the last line that is not blank; what goes beyond 4 KiB of a line counts as the next one.
fn keep_last(mut reader: impl BufRead, last: &Mutex<String>) {
    loop {
        let mut line = Vec::new();
        match reader.by_ref().take(4096).read_until(b'\n', &mut line) {
            Ok(0) | Err(_) => return,
            Ok(_) => {}
        }
        let text = excerpt(&String::from_utf8_lossy(&line));
        if let (false, Ok(mut last)) = (text.is_empty(), last.lock()) {
            *last = text;
        }
    }
}
