//! What is read of a profile, and what is refused, with its place.

mod agree;
mod form;
mod graph;
mod source;

use super::*;

fn digest(text: &str) -> Digest {
    Digest::parse(text).unwrap()
}

/// Line and column of what `at` begins with.
fn place(text: &str, at: &str) -> [usize; 2] {
    let (mut line, mut column) = (1, 1);
    for (i, letter) in text.char_indices() {
        if text[i..].starts_with(at) {
            return [line, column];
        }
        match letter {
            '\n' => (line, column) = (line + 1, 1),
            _ => column += 1,
        }
    }
    panic!("{at} is not there")
}
