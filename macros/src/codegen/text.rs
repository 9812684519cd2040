//! Tables as text: one string for thousands of entries is parsed by the compiler's own lexer, which
//! costs a small part of what building as many tokens one by one would.

use std::fmt::Write;

use proc_macro2::{Literal, TokenStream};

/// Rust text under construction.
#[derive(Default)]
pub struct Text(String);

impl Text {
    /// Appends formatted text.
    pub fn put(&mut self, text: std::fmt::Arguments<'_>) {
        // Writing to a string never fails.
        let _ = self.0.write_fmt(text);
    }

    /// `static NAME: &[ty] = &from(&[entries]);`, or without `from` where the entries are of that
    /// type as they stand. `entry` writes one entry.
    pub fn table<T>(
        &mut self,
        name: &str,
        ty: &str,
        from: Option<(&str, &str)>,
        entries: impl IntoIterator<Item = T>,
        mut entry: impl FnMut(&mut Text, T),
    ) {
        self.put(format_args!("static {name}:&[{ty}]=&"));
        if let Some((function, _)) = from {
            self.put(format_args!("p::{function}(&"));
        }
        self.0.push('[');
        for e in entries {
            entry(self, e);
            self.0.push(',');
        }
        self.0.push(']');
        if let Some((_, more)) = from {
            self.put(format_args!("{more})"));
        }
        self.0.push_str(";\n");
    }

    /// A table of numbers, written in hexadecimal, read back by `from`.
    pub fn numbers(
        &mut self,
        name: &str,
        ty: &str,
        from: &str,
        more: &str,
        entries: impl IntoIterator<Item = u64>,
    ) {
        self.table(name, ty, Some((from, more)), entries, |t, n| {
            t.put(format_args!("{n:#x}"));
        });
    }

    /// The text itself.
    pub fn into_string(self) -> String {
        self.0
    }

    /// The tokens of the text.
    pub fn tokens(&self) -> TokenStream {
        match self.0.parse() {
            Ok(tokens) => tokens,
            Err(error) => unreachable!("generated text is Rust: {error}"),
        }
    }
}

/// `s` as a literal of Rust.
pub fn quoted(s: &str) -> String {
    Literal::string(s).to_string()
}
