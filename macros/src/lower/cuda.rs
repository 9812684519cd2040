//! Files that a kernel's CUDA source is made of.

use std::collections::BTreeSet;
use std::path::Path;

use gpu_graph_analysis::fault::names;

use super::{Cx, file};
use crate::ast::{self, Cuda};

/// Files that the build depends on beside the source itself: what it includes with quotes, and what
/// that includes, as paths from the user's crate.
pub type Files = Vec<String>;

/// What the CUDA source of `kernel` includes; a header that is not there is the toolkit's. `None`
/// where the source itself cannot be read, which is reported.
pub fn files(kernel: &ast::Kernel, cx: &mut Cx) -> Option<Files> {
    // Without cargo, rustc says itself which variable the path of a file needs.
    let Some(root) = file::root() else {
        return Some(Files::new());
    };
    let mut found = BTreeSet::new();
    match &kernel.cuda {
        None => {}
        Some(Cuda::Text(text)) => follow(&root, Path::new(""), &text.value(), &mut found),
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
                    follow(&root, folder, &text, &mut found);
                }
                Err(error) => {
                    let site = cx.sites.push(named.span());
                    cx.errors.push(names::file(site, &name, &error.to_string()));
                    return None;
                }
            }
        }
    }
    Some(found.into_iter().collect())
}

fn follow(root: &Path, folder: &Path, text: &str, found: &mut BTreeSet<String>) {
    for header in text.lines().filter_map(quoted) {
        let path = folder.join(header);
        let Some(name) = path.to_str().map(str::to_owned) else {
            continue;
        };
        if let Ok(text) = file::text(&root.join(&path))
            && found.insert(name)
        {
            follow(root, path.parent().unwrap_or(Path::new("")), &text, found);
        }
    }
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

    #[test]
    fn quoted_includes_are_seen_and_others_are_not() {
        assert_eq!(quoted("  #  include \"a/b.h\" // x"), Some("a/b.h"));
        assert_eq!(quoted("#include <cuda.h>"), None);
        assert_eq!(quoted("// #include \"a.h\""), None);
    }
}
