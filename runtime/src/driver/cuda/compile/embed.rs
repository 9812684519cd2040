//! Images that a program has in itself.
//!
//! A bundle is entries one behind another, so that files of several graphs can be put together. What
//! is embedded is found before anything on disk, and before a compiler is looked for.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cache::Entry;
use super::{CompileError, Options, images, key, sources};
use crate::exec::CudaCode;
use crate::graph::DeclaredGraph;

/// Images by what they were made from.
type Embedded = BTreeMap<&'static [u8], &'static [u8]>;

fn embedded() -> MutexGuard<'static, Embedded> {
    static EMBEDDED: Mutex<Embedded> = Mutex::new(BTreeMap::new());
    EMBEDDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The image that was made from that.
pub fn find(of: &[u8]) -> Option<&'static [u8]> {
    embedded().get(of).copied()
}

/// What `G` launches, compiled as each of `options` says: the content of a file to
/// [`embed`]. Such files can be put one behind another. The same kernels and compiler give the same
/// bytes.
///
/// # Errors
/// Those of [`image`](super::image); the first, by options and then by the sources' own order, where
/// there are several.
pub fn bundle<G: DeclaredGraph>(options: &[Options]) -> Result<Vec<u8>, CompileError> {
    let sources = sources::<G>();
    let mut all = Vec::new();
    for options in options {
        for (source, image) in sources.iter().zip(images(&sources, options)) {
            let image = image?;
            // What is compiled already is in the program.
            if let CudaCode::Text(text) = &source.code {
                let key = key(text, options);
                let (of, toolkit) = (&key.of[..], &key.toolkit[..]);
                let image = &image[..];
                all.extend(Entry { of, toolkit, image }.bytes());
            }
        }
    }
    Ok(all)
}

/// Lets loads find the images of a [`bundle`], and says how many these are. To be called once, before
/// graphs are loaded, of what `include_bytes!` gives.
///
/// An image is taken for the text, architecture and options that it was made from, whatever the version
/// of the compiler was; all else is compiled as if nothing were embedded.
///
/// # Errors
/// It is no bundle: [`CompileError::Bundle`]. Nothing of it is found then.
pub fn embed(bundle: &'static [u8]) -> Result<usize, CompileError> {
    let mut found = Vec::new();
    let mut rest = bundle;
    while !rest.is_empty() {
        let at = bundle.len() - rest.len();
        let (entry, behind) = Entry::first(rest).ok_or(CompileError::Bundle { at })?;
        found.push((entry.of, entry.image));
        rest = behind;
    }
    let count = found.len();
    embedded().extend(found);
    Ok(count)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(of: &'static [u8], image: &'static [u8]) -> Vec<u8> {
        let toolkit = b"somewhere";
        Entry { of, toolkit, image }.bytes()
    }

    #[test]
    fn bundles_one_behind_another_are_one_and_a_damaged_one_is_none() {
        let both = [entry(b"embed a", b"image a"), entry(b"embed b", b"image b")].concat();
        let first = entry(b"embed a", b"image a").len();
        for at in 1..both.len() {
            let at_fault = if at < first { 0 } else { first };
            if at != first {
                let cut = embed(both[..at].to_vec().leak());
                assert_eq!(
                    cut,
                    Err(CompileError::Bundle { at: at_fault }),
                    "cut at {at}"
                );
            }
            let mut damaged = both.clone();
            damaged[at] ^= 1;
            let damaged = embed(damaged.leak());
            assert_eq!(
                damaged,
                Err(CompileError::Bundle { at: at_fault }),
                "damaged at {at}"
            );
        }
        assert_eq!(find(b"embed a"), None);
        assert_eq!(embed(both.leak()), Ok(2));
        assert_eq!(find(b"embed a"), Some(&b"image a"[..]));
        assert_eq!(find(b"embed b"), Some(&b"image b"[..]));
        assert_eq!(find(b"embed"), None);
        assert_eq!(embed(&[]), Ok(0));
    }
}
