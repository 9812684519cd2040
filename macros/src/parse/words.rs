//! Words: those that are reserved for what is not built yet, and those of Rust.

use gpu_graph_analysis::fault::{Edit, closest};
use proc_macro2::Ident;
use syn::parse::ParseStream;

use super::fail::{Fail, Result};
use super::stream::next_word;
use crate::span::Region;

/// Words of the language that cannot be used yet, where they stand for a notion of their own.
const RESERVED: &[&str] = &["state"];

/// Words of other languages, and what is written for them here.
const MEANT: &[(&str, &str)] = &[
    ("fn", "kernel"),
    ("func", "kernel"),
    ("in", "input"),
    ("out", "output"),
    ("param", "scalar"),
    ("var", "let"),
];

/// A word that stands where the language has words.
pub struct Word {
    /// The token.
    pub name: Ident,
    /// Its text.
    pub text: String,
}

impl Word {
    /// Takes the next word, if one is next.
    pub fn take(input: ParseStream) -> Option<Word> {
        let text = next_word(input)?;
        let name = super::stream::any_ident(input)?;
        Some(Word { name, text })
    }

    /// Says why a word that is none of `known` cannot stand here.
    pub fn refuse(&self, kind: &str, known: &[&str]) -> Fail {
        match self.reserved() {
            Some(fail) => fail,
            None => self.unknown(kind, known),
        }
    }

    /// Says that the word is none of `known`.
    pub fn unknown(&self, kind: &str, known: &[&str]) -> Fail {
        let fail = Fail::new(&self.name, format!("unknown {kind} `{}`", self.text));
        let meant = MEANT.iter().find(|(word, _)| *word == self.text);
        let meant = meant.map(|(_, meant)| *meant).filter(|m| known.contains(m));
        match meant.or_else(|| closest(&self.text, known.iter().copied())) {
            Some(near) => fail.fix(
                "did you mean `{}`?",
                [Edit::replace((&self.name).into(), near)],
            ),
            None => fail.note(format!("expected {}", list(known))),
        }
    }

    /// Refuses the word, if it is reserved.
    pub fn reserved(&self) -> Option<Fail> {
        let said = RESERVED.iter().find(|word| **word == self.text)?;
        Some(Fail::not_yet(Region::from(&self.name), *said))
    }
}

/// Takes the word `expected`, which `why` asks for.
pub fn keyword(input: ParseStream, expected: &str) -> Result<Ident> {
    if next_word(input).as_deref() == Some(expected)
        && let Some(word) = super::stream::any_ident(input)
    {
        return Ok(word);
    }
    Err(Fail::expected(input.cursor(), &format!("`{expected}`")))
}

/// `` `a`, `b` or `c` ``.
pub fn list(words: &[&str]) -> String {
    let mut text = String::new();
    for (i, word) in words.iter().enumerate() {
        let before = match i {
            0 => "",
            _ if i + 1 == words.len() => " or ",
            _ => ", ",
        };
        text.push_str(before);
        text.push_str(&format!("`{word}`"));
    }
    text
}

/// A word that Rust keeps for itself, so that it can be no name.
pub fn is_keyword(word: &str) -> bool {
    matches!(
        word,
        "_" | "Self"
            | "abstract"
            | "as"
            | "async"
            | "await"
            | "become"
            | "box"
            | "break"
            | "const"
            | "continue"
            | "crate"
            | "do"
            | "dyn"
            | "else"
            | "enum"
            | "extern"
            | "false"
            | "final"
            | "fn"
            | "for"
            | "gen"
            | "if"
            | "impl"
            | "in"
            | "let"
            | "loop"
            | "macro"
            | "match"
            | "mod"
            | "move"
            | "mut"
            | "override"
            | "priv"
            | "pub"
            | "ref"
            | "return"
            | "self"
            | "static"
            | "struct"
            | "super"
            | "trait"
            | "true"
            | "try"
            | "type"
            | "typeof"
            | "unsafe"
            | "unsized"
            | "use"
            | "virtual"
            | "where"
            | "while"
            | "yield"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_reads_as_a_sentence() {
        assert_eq!(list(&["a"]), "`a`");
        assert_eq!(list(&["a", "b", "c"]), "`a`, `b` or `c`");
    }
}
