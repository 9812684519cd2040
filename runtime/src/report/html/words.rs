//! Numbers, names and sentences as the page has them.

use maud::{Markup, html};

use super::glossary::meaning;
use crate::report::{Range, amount};
use crate::time::time as short;

/// An amount with all its bytes behind it on hover.
pub(super) fn bytes(bytes: u64) -> Markup {
    html! { span.n title={ (bytes) " bytes" } { (amount(bytes)) } }
}

/// A time with all its nanoseconds behind it on hover.
pub(super) fn time(nanoseconds: u64) -> Markup {
    html! { span.n title={ (nanoseconds) " ns" } { (short(nanoseconds)) } }
}

/// A time that is known within a range, as far as it is known.
pub(super) fn times(range: Option<Range>) -> Markup {
    html! {
        @match range {
            Some(Range { low, high: Some(high) }) if low == high => (time(low)),
            Some(Range { low, high: Some(high) }) => { (time(low)) " to " (time(high)) }
            Some(Range { low, high: None }) => { "≥ " (time(low)) }
            None => span.unknown title="unknown" { "?" },
        }
    }
}

/// A word or more, with what `word` means on hover.
pub(super) fn means(word: &str, shown: &str) -> Markup {
    html! { span.means title=(meaning(word)) { (shown) } }
}

/// A number with a narrow space between each three digits.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut shown = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            shown.push('\u{202f}');
        }
        shown.push(digit);
    }
    shown
}

/// How much less `part` is than `whole`, in percent.
pub(super) fn less(part: u64, whole: u64) -> u128 {
    let saved = u128::from(whole.saturating_sub(part)) * 100;
    saved / u128::from(whole.max(1))
}

/// `1 pair`, `2 pairs`.
pub(super) fn count(number: usize, what: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {what}{plural}")
}

/// Text with what stands between backticks as code.
pub(super) fn text(text: &str) -> Markup {
    html! {
        @for (i, part) in text.split('`').enumerate() {
            @if i % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

/// Names, of which all but the first few are counted and shown on hover.
pub(super) fn names<'a>(names: impl Iterator<Item = &'a str>, most: usize) -> Markup {
    let all: Vec<&str> = names.collect();
    let shown = if all.len() == most + 1 {
        most + 1
    } else {
        most
    };
    html! {
        @for (i, name) in all.iter().take(shown).enumerate() {
            @if i > 0 { ", " }
            code { (name) }
        }
        @if all.len() > shown {
            " " span.more title=(all[shown..].join("\n")) { "+" (all.len() - shown) }
        }
    }
}

/// A part of a whole in percent, for coordinates.
pub(super) fn percent(part: usize, whole: usize) -> String {
    let thousandths = (part as u128 * 100_000) / whole.max(1) as u128;
    let (whole, rest) = (thousandths / 1000, thousandths % 1000);
    match rest {
        0 => format!("{whole}%"),
        _ => format!("{whole}.{rest:03}%"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digits_stand_in_groups_of_three() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1_234_567), "1\u{202f}234\u{202f}567");
    }

    #[test]
    fn what_stands_between_backticks_is_code_and_all_is_escaped() {
        let shown = text("`a<b>` & c").into_string();
        assert_eq!(shown, "<code>a&lt;b&gt;</code> &amp; c");
    }

    #[test]
    fn few_names_are_written_and_the_others_counted() {
        let shown = names(["a", "b", "c", "d\""].into_iter(), 2).into_string();
        let more = "<span class=\"more\" title=\"c\nd&quot;\">+2</span>";
        assert_eq!(shown, format!("<code>a</code>, <code>b</code> {more}"));
        let shown = names(["a", "b", "c"].into_iter(), 2).into_string();
        assert!(shown.ends_with("<code>c</code>"), "{shown}");
    }
}
