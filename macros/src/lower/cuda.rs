//! Files that a kernel's CUDA source is made of.

use std::collections::BTreeSet;
use std::path::Path;

use gpu_graph_analysis::fault::names;

use super::cuda_text::NoForm;
use super::{Cx, cuda_text, file};
use crate::ast::{self, Cuda};

/// Files that the build depends on beside the source itself: what it includes with quotes, and what
/// that includes, as paths from the user's crate.
pub type Files = Vec<String>;

/// What was seen of a CUDA source.
#[derive(Default)]
pub struct Seen {
    /// What it includes; `None` where the source itself cannot be read.
    pub files: Option<Files>,
    /// What is wrong where a plan takes the in-place form, if its text cannot define that.
    pub no_form: Option<NoForm>,
}

/// Looks at the CUDA source of `kernel`; a header that is not there is the toolkit's. Of a source that
/// cannot be read that is reported.
pub fn seen(kernel: &ast::Kernel, cx: &mut Cx) -> Seen {
    // Without cargo, rustc says itself which variable the path of a file needs.
    let Some(root) = file::root() else {
        return Seen {
            files: Some(Files::new()),
            no_form: None,
        };
    };
    let mut no_form = None;
    let mut found = Source::new();
    match &kernel.cuda {
        None => {}
        Some(Cuda::Text(text)) => {
            let text = text.value();
            found.follow(&root, Path::new(""), &text);
            no_form = found.check(kernel, &text, cx);
        }
        Some(Cuda::File(named)) => {
            let name = named.value();
            let image = crate::codegen::is_image(&name);
            let text = match image {
                true => file::plain(&root.join(&name)).map(|()| String::new()),
                false => file::text(&root.join(&name)),
            };
            match text {
                Ok(text) => {
                    let folder = Path::new(&name).parent().unwrap_or(Path::new(""));
                    found.follow(&root, folder, &text);
                    if !image {
                        no_form = found.check(kernel, &text, cx);
                    }
                }
                Err(error) => {
                    let site = cx.sites.push(named.span());
                    cx.errors.push(names::file(site, &name, &error.to_string()));
                    return Seen::default();
                }
            }
        }
    }
    Seen {
        files: Some(found.files.into_iter().collect()),
        no_form,
    }
}

/// What a text is made of.
struct Source {
    /// The files that it includes.
    files: BTreeSet<String>,
    /// All of them and the text itself.
    text: String,
    /// Nothing is known to be missing in `text`, but what the toolkit has.
    whole: bool,
}

impl Source {
    fn new() -> Self {
        Self {
            files: BTreeSet::new(),
            text: String::new(),
            whole: true,
        }
    }

    fn follow(&mut self, root: &Path, folder: &Path, text: &str) {
        self.text.push_str(text);
        self.text.push('\n');
        for included in text.lines().filter_map(included) {
            let Some(header) = quoted(included) else {
                self.whole &= included.starts_with('<');
                continue;
            };
            let path = folder.join(header);
            let name = path.to_str().map(str::to_owned);
            match (name, file::text(&root.join(&path))) {
                (Some(name), Ok(text)) => {
                    if self.files.insert(name) {
                        self.follow(root, path.parent().unwrap_or(Path::new("")), &text);
                    }
                }
                _ => self.whole = false,
            }
        }
    }

    fn check(&self, kernel: &ast::Kernel, own: &str, cx: &mut Cx) -> Option<NoForm> {
        match self.whole {
            true => cuda_text::check(kernel, own, &self.text, cx),
            false => None,
        }
    }
}

/// What stands behind `#include`.
fn included(line: &str) -> Option<&str> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    rest.strip_prefix("include").map(str::trim_start)
}

/// `x.h` of `"x.h"`.
fn quoted(included: &str) -> Option<&str> {
    let rest = included.strip_prefix('"')?;
    rest.split_once('"').map(|(header, _)| header)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_includes_are_seen_and_others_are_not() {
        let quoted = |line| included(line).and_then(quoted);
        assert_eq!(quoted("  #  include \"a/b.h\" // x"), Some("a/b.h"));
        assert_eq!(quoted("#include <cuda.h>"), None);
        assert_eq!(quoted("// #include \"a.h\""), None);
    }
}
