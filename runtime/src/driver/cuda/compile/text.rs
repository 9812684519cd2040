//! From the text of kernels to what the compiler is given.

use std::borrow::Cow;
use std::fmt::Write;

use crate::exec::CudaText;

/// What kernels are written with; see the file.
const PRELUDE: &str = include_str!("prelude.cuh");
/// What the compiler calls it.
pub const PRELUDE_NAME: &str = "gpu_graph prelude";

/// A source and its headers.
#[derive(Debug, PartialEq, Eq)]
pub struct Input {
    /// What the compiler calls the source.
    pub name: &'static str,
    /// The source.
    pub source: String,
    /// The file that the source's lines are of, as it is named there.
    pub file: String,
    /// The last line of it that the source has.
    pub last: u32,
    /// Names and texts of what it includes.
    pub headers: Vec<(&'static str, String)>,
}

impl Input {
    /// The prelude, what `KERNEL` stands for, and the text with the lines of its own file. A text that
    /// is generated stands alone.
    pub fn new(text: &CudaText) -> Self {
        let mut source = String::new();
        if !text.kernels.is_empty() {
            let kernels = text.kernels;
            // Writing to a string never fails.
            let _ = write!(source, "#line 1 \"{PRELUDE_NAME}\"\n{PRELUDE}{kernels}\n");
        }
        let file = text.file.replace('\\', "/");
        let _ = writeln!(source, "#line {} \"{file}\"", text.line);
        source.push_str(&included_by_path(text.text, text.folder, text));
        source.push('\n');
        let headers = text.headers.iter();
        let headers = headers.map(|(name, own)| {
            (
                *name,
                included_by_path(own, folder(name), text).into_owned(),
            )
        });
        let lines = text.text.matches('\n').count();
        let last = text
            .line
            .saturating_add(u32::try_from(lines).unwrap_or(u32::MAX));
        // What is behind the last line's end is none.
        let last = last - u32::from(text.text.ends_with('\n'));
        Self {
            name: text.file,
            source,
            file,
            last,
            headers: headers.collect(),
        }
    }

    /// The last line of the user's.
    pub fn end(&self) -> (&str, u32) {
        (&self.file, self.last)
    }
}

/// The folder of a file, with what separates it from a name in it.
fn folder(file: &str) -> &str {
    file.rfind('/').map_or("", |at| &file[..=at])
}

/// `own` with the headers that are known named by their paths in the crate: the compiler finds them by
/// the name that stands in the text. Lines stay where they are.
fn included_by_path<'a>(own: &'a str, folder: &str, text: &CudaText) -> Cow<'a, str> {
    if text.headers.is_empty() {
        return Cow::Borrowed(own);
    }
    let mut named = String::with_capacity(own.len());
    for line in own.split_inclusive('\n') {
        let header = quoted(line).filter(|header| {
            let path = format!("{folder}{header}");
            text.headers.iter().any(|(name, _)| *name == path)
        });
        match header {
            Some(header) => {
                let (quote, path) = (format!("\"{header}\""), format!("\"{folder}{header}\""));
                named.push_str(&line.replacen(&quote, &path, 1));
            }
            None => named.push_str(line),
        }
    }
    Cow::Owned(named)
}

/// `x.h` of `#include "x.h"`.
fn quoted(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest
        .strip_prefix("include")?
        .trim_start()
        .strip_prefix('"')?;
    rest.split_once('"').map(|(header, _)| header)
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: CudaText = CudaText {
        file: "a/b.cu",
        line: 1,
        folder: "a/",
        kernels: "#define K\n",
        text: "# include \"c/d.cuh\"\n#include <e.h>\n#include \"f.h\"\n",
        headers: &[
            ("a/c/d.cuh", "#include \"../g.cuh\" // both\n"),
            ("a/c/../g.cuh", ""),
        ],
    };

    #[test]
    fn a_text_keeps_its_lines_and_its_headers_are_named_from_the_crate() {
        let input = Input::new(&TEXT);
        let own = "#define K\n\n#line 1 \"a/b.cu\"\n# include \"a/c/d.cuh\"\n#include <e.h>\n#include \"f.h\"\n";
        assert!(input.source.contains(own), "{}", input.source);
        assert_eq!(input.end(), ("a/b.cu", 3));
        assert!(input.source.starts_with("#line 1 \"gpu_graph prelude\"\n"));
        let d = "#include \"a/c/../g.cuh\" // both\n".to_owned();
        assert_eq!(
            input.headers,
            [("a/c/d.cuh", d), ("a/c/../g.cuh", String::new())]
        );
    }

    #[test]
    fn a_generated_text_stands_alone() {
        let input = Input::new(&CudaText {
            kernels: "",
            line: 7,
            headers: &[],
            ..TEXT
        });
        assert_eq!(input.end(), ("a/b.cu", 9));
        assert_eq!(input.source, format!("#line 7 \"a/b.cu\"\n{}\n", TEXT.text));
    }
}
