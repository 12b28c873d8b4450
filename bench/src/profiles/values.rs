//! How is a value of a field read?

use deferbench_core::cache::Setting;
use toml::Value;

/// Puts a value, or the lack of one, in its place; false where it is none of the kind.
pub(super) fn fill<T>(slot: &mut Option<T>, value: Option<&Value>, read: impl Fn(&Value) -> Option<T>) -> bool {
    *slot = value.and_then(read);
    value.is_none() || slot.is_some()
}

pub(super) fn ratio(value: &Value) -> Option<f64> {
    value.as_float().or_else(|| value.as_integer().map(|n| n as f64)).filter(|n| n.is_finite() && *n >= 0.0)
}

pub(super) fn whole(value: &Value) -> Option<u64> {
    value.as_integer().and_then(|n| u64::try_from(n).ok())
}

/// A number, or "none".
pub(super) fn setting(value: &Value) -> Option<Setting> {
    if value.as_str() == Some("none") { Some(Setting::Off) } else { whole(value).map(Setting::At) }
}

pub(super) fn truth(value: &Value) -> Option<bool> {
    value.as_bool()
}

/// One of some words.
pub(super) fn choice<T: Copy>(value: &Value, kinds: &[(&str, T)]) -> Option<T> {
    kinds.iter().find(|(name, _)| value.as_str() == Some(name)).map(|(_, kind)| *kind)
}
