//! Names in text that is to be written.

use std::borrow::Cow;

/// Keywords of Rust that are names behind `r#`, sorted.
const KEYWORDS: &[&str] = &[
    "abstract", "as", "async", "await", "become", "box", "break", "const", "continue", "do", "dyn",
    "else", "enum", "extern", "false", "final", "fn", "for", "gen", "if", "impl", "in", "let",
    "loop", "macro", "match", "mod", "move", "mut", "override", "priv", "pub", "ref", "return",
    "static", "struct", "trait", "true", "try", "type", "typeof", "unsafe", "unsized", "use",
    "virtual", "where", "while", "yield",
];

/// Names are kept and told without `r#`, but a mend has to compile: the name as code has it.
pub fn raw(name: &str) -> Cow<'_, str> {
    match KEYWORDS.binary_search(&name) {
        Ok(_) => Cow::Owned(format!("r#{name}")),
        Err(_) => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_keyword_is_a_name_behind_its_mark_alone() {
        assert!(KEYWORDS.is_sorted());
        assert_eq!(raw("type"), "r#type");
        assert_eq!(raw("types"), "types");
        // These have no such form, and are never names.
        assert_eq!(raw("self"), "self");
    }
}
