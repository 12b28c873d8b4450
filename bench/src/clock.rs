//! What time is it?

use std::time::{Instant, SystemTime};

/// A clock: the real one, or one that tests can foresee.
pub trait Clock: Send + Sync {
    /// The time of day, RFC 3339, UTC, whole seconds.
    fn wall(&self) -> String;

    /// Milliseconds since an arbitrary moment; never runs backwards.
    fn milliseconds(&self) -> f64;
}

/// The system's clock.
pub struct RealClock(Instant);

impl RealClock {
    /// Starts at 0 milliseconds.
    pub fn start() -> Self {
        Self(Instant::now())
    }
}

impl Clock for RealClock {
    fn wall(&self) -> String {
        humantime::format_rfc3339_seconds(SystemTime::now()).to_string()
    }

    fn milliseconds(&self) -> f64 {
        self.0.elapsed().as_secs_f64() * 1000.0
    }
}

/// A clock that stands still.
pub struct FakeClock;

impl Clock for FakeClock {
    fn wall(&self) -> String {
        "2026-01-01T00:00:00Z".to_string()
    }

    fn milliseconds(&self) -> f64 {
        0.0
    }
}
