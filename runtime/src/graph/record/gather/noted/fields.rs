//! What stands between the tabs of a line.

use crate::report::Dependency;

/// Text as it was before it was made one line.
pub(in super::super) fn line(text: &str) -> String {
    let (mut whole, mut letters) = (String::new(), text.chars());
    while let Some(letter) = letters.next() {
        whole.push(match letter {
            '\\' => match letters.next() {
                Some('t') => '\t',
                Some('n') => '\n',
                Some('r') => '\r',
                _ => '\\',
            },
            letter => letter,
        });
    }
    whole
}

/// `1 2 1 3`: each two of them are a pair.
pub(super) fn pairs(text: &str) -> Vec<Dependency> {
    let numbers = numbers(text);
    let pairs = numbers.chunks_exact(2);
    let pairs = pairs.map(|pair| Dependency {
        before: pair[0],
        after: pair[1],
    });
    pairs.collect()
}

/// `1 2,5`: what lies in one slot as one.
pub(super) fn slots(text: &str) -> Vec<Vec<u32>> {
    let slots = text.split(' ').filter(|slot| !slot.is_empty());
    let slots = slots.map(|slot| slot.split(',').flat_map(str::parse).collect());
    slots.collect()
}

/// `4096 10 12`.
pub(in super::super) fn figures(text: &str) -> Vec<u64> {
    text.split(' ').flat_map(str::parse).collect()
}

/// `0 2-4`, or numbers in any order.
pub(super) fn numbers(text: &str) -> Vec<u32> {
    let mut found = Vec::new();
    for run in text.split(' ').filter(|run| !run.is_empty()) {
        let (from, to) = run.split_once('-').unwrap_or((run, run));
        if let (Ok(from), Ok(to)) = (from.parse::<u32>(), to.parse()) {
            found.extend(from..=to);
        }
    }
    found
}
