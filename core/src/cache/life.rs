//! Is something that was written still there?

use super::profile::{Profile, Readable, Setting, Since, Unknown};
use super::request::Request;

/// When something was written and last used, by request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Stamp {
    pub written: usize,
    pub used: usize,
}

impl Stamp {
    pub fn new(request: usize) -> Self {
        Self { written: request, used: request }
    }
}

/// True where what the stamp tells of can be read by request `now`.
pub(super) fn alive(profile: &Profile, requests: &[Request], stamp: Stamp, now: usize) -> Result<bool, Unknown> {
    if !readable(profile, &requests[stamp.written], &requests[now])? {
        return Ok(false);
    }
    let young = |by: usize| young(profile, &requests[by], &requests[now]);
    match profile.refresh_on_read {
        Some(true) => young(stamp.used),
        Some(false) => young(stamp.written),
        None => match (young(stamp.written)?, young(stamp.used)?) {
            (written, used) if written == used => Ok(used),
            _ => Err(Unknown("refresh_on_read")),
        },
    }
}

/// A request that starts before the answer of the writer streams cannot read what it wrote.
fn readable(profile: &Profile, writer: &Request, reader: &Request) -> Result<bool, Unknown> {
    let after = |delay: u64| reader.at_s >= writer.at_s.saturating_add(delay);
    match profile.readable {
        Some(Readable::FirstToken) => Ok(after(writer.first_token_s)),
        Some(Readable::End) => Ok(after(writer.done_s)),
        None if after(writer.done_s.max(writer.first_token_s)) => Ok(true),
        None => Err(Unknown("readable")),
    }
}

fn young(profile: &Profile, by: &Request, reader: &Request) -> Result<bool, Unknown> {
    let age = |since: Since| match since {
        Since::Start => reader.at_s.saturating_sub(by.at_s),
        Since::End => reader.at_s.saturating_sub(by.at_s.saturating_add(by.done_s)),
    };
    let ttl = match profile.ttl_s {
        Some(Setting::Off) => return Ok(true),
        Some(Setting::At(ttl)) => ttl,
        // Without a pause nothing can have expired.
        None if age(Since::Start) == 0 => return Ok(true),
        None => return Err(Unknown("ttl_s")),
    };
    match profile.ttl_since {
        Some(since) => Ok(age(since) < ttl),
        None => match (age(Since::Start) < ttl, age(Since::End) < ttl) {
            (start, end) if start == end => Ok(start),
            _ => Err(Unknown("ttl_since")),
        },
    }
}

/// True where the writer is still at work: its entry comes, but not yet for request `now`.
pub(super) fn pending(profile: &Profile, requests: &[Request], stamp: Stamp, now: usize) -> bool {
    readable(profile, &requests[stamp.written], &requests[now]) == Ok(false)
}
