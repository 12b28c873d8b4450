//! How is one figure printed? The only place where anything is rounded.

use crate::aggregate::Summary;

/// What stands for an undefined value.
pub(crate) const DASH: &str = "–";

/// The dash for `None`, else what `print` makes.
pub fn dash<T>(value: Option<T>, print: impl FnOnce(T) -> String) -> String {
    value.map_or_else(|| DASH.to_owned(), print)
}

/// A whole number with a comma between thousands.
pub fn whole(value: u64) -> String {
    let digits = value.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number with a fixed number of decimals, or the dash.
pub fn decimal(value: Option<f64>, decimals: usize) -> String {
    dash(value, |value| unsigned_zero(format!("{value:.decimals$}")))
}

/// A share as percent with one decimal, or the dash.
pub fn share(value: Option<f64>) -> String {
    dash(value, |value| {
        let text = unsigned_zero(format!("{:.1}", 100.0 * value));
        // Nearly all is not all.
        if value < 1.0 && text == "100.0" { "> 99.9 %".to_owned() } else { text + " %" }
    })
}

/// A change with its sign, or the dash.
pub(crate) fn change(value: Option<f64>, decimals: usize) -> String {
    dash(value, |value| {
        let text = unsigned_zero(format!("{value:.decimals$}"));
        if value > 0.0 { format!("+{text}") } else { text }
    })
}

/// A p-value: three decimals, never 0.
pub(crate) fn p_value(value: Option<f64>) -> String {
    dash(value, |value| if value < 0.0005 { "< 0.001".to_owned() } else { format!("{value:.3}") })
}

/// A mean and its interval, for example `0.95 [0.91, 0.98]`; the dash when there is no mean.
pub(crate) fn interval(summary: Option<&Summary>, decimals: usize) -> String {
    let Some(summary) = summary else { return DASH.to_owned() };
    let mean = decimal(summary.mean, decimals);
    match (summary.low, summary.high) {
        (Some(low), Some(high)) => {
            format!("{mean} [{}, {}]", decimal(Some(low), decimals), decimal(Some(high), decimals))
        }
        _ => mean,
    }
}

/// A text that rounding turned into `-0.0` loses its sign.
fn unsigned_zero(text: String) -> String {
    let is_zero = text.chars().all(|letter| matches!(letter, '-' | '0' | '.'));
    if is_zero { text.trim_start_matches('-').to_owned() } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted_by_commas() {
        let printed: Vec<String> = [0, 999, 1_000, 14_199, 1_000_000].into_iter().map(whole).collect();
        assert_eq!(printed, ["0", "999", "1,000", "14,199", "1,000,000"]);
    }

    #[test]
    fn undefined_is_a_dash_and_never_zero() {
        assert_eq!([decimal(None, 2), share(None), p_value(None), interval(None, 2)], [DASH; 4]);
        assert_eq!(share(Some(0.0)), "0.0 %");
        assert_eq!([share(Some(1.0)), share(Some(0.9999))], ["100.0 %", "> 99.9 %"]);
    }

    #[test]
    fn a_change_that_rounds_to_nothing_has_no_minus() {
        assert_eq!(change(Some(-0.0004), 2), "0.00");
        assert_eq!(change(Some(-0.04), 2), "-0.04");
        assert_eq!(change(Some(0.04), 2), "+0.04");
    }

    #[test]
    fn a_small_p_value_is_not_zero() {
        assert_eq!(p_value(Some(0.0001)), "< 0.001");
        assert_eq!(p_value(Some(0.25)), "0.250");
    }
}
