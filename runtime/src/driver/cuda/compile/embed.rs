//! Images that a program has in itself.
//!
//! A bundle is entries one behind another, with their bytes in front, so that one that is cut is none
//! wherever the cut is. Files of several graphs can be put one behind another, too. What is embedded is found before anything on disk, and before a compiler is looked for.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::cache::Entry;
use super::launched::{launched, made};
use super::{CompileError, Embedded, Form, Kept, Made, Options, arch, key};
use crate::exec::{CudaCode, CudaText};
use crate::graph::DeclaredGraph;

/// Images by what they were made from.
type Images = BTreeMap<&'static [u8], &'static [u8]>;

fn embedded() -> MutexGuard<'static, Images> {
    static EMBEDDED: Mutex<Images> = Mutex::new(BTreeMap::new());
    EMBEDDED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What a bundle begins with; another form has another number.
const MAGIC: &[u8; 16] = b"gpu-graph bundle";
/// Bytes before its entries: magic, and how many bytes they are.
const HEAD: usize = 16 + 8;

/// The entries of a bundle, as a file.
fn headed(entries: &[u8]) -> Vec<u8> {
    let bytes = (entries.len() as u64).to_le_bytes();
    [MAGIC, &bytes[..], entries].concat()
}

/// The entries of the first bundle, and what stands behind it.
fn first(all: &[u8]) -> Option<(&[u8], &[u8])> {
    let (head, rest) = all.split_at_checked(HEAD)?;
    let bytes = head.strip_prefix(MAGIC)?.try_into().ok()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(bytes)).ok()?)
}

/// The image that was made from that.
pub fn find(of: &[u8]) -> Option<&'static [u8]> {
    embedded().get(of).copied()
}

/// What is embedded where that of `text` and `options` is not. Images of one text are told by what they
/// were made from, which differs in nothing but what they are made for.
pub fn instead(text: &CudaText, options: &Options) -> Embedded {
    let made = |options: &Options| Made {
        arch: options.arch,
        form: options.form,
        checked: options.checked,
    };
    let all = embedded();
    let forms = [Form::Cubin, Form::Ptx];
    let kinds = forms.map(|form| [false, true].map(|checked| (form, checked)));
    let mut found = Vec::new();
    for arch in all
        .keys()
        .filter_map(|of| arch(of))
        .collect::<BTreeSet<_>>()
    {
        for (form, checked) in kinds.into_iter().flatten() {
            let other = Options {
                arch,
                form,
                checked,
                cache: None,
            };
            if all.contains_key(&key(text, &other).of[..]) {
                found.push(made(&other));
            }
        }
    }
    Embedded {
        images: all.len(),
        wanted: made(options),
        found,
    }
}

/// What `G` launches, compiled as each of `options` says: the content of a file to
/// [`embed`]. Such files can be put one behind another. The same kernels and compiler give the same
/// bytes.
///
/// # Errors
/// Those of [`image`](super::image), and an image is without a function that a load looks for:
/// [`CompileError::NoFunction`]. The first, by options and then by the sources' own order, where there
/// are several.
pub fn bundle<G: DeclaredGraph>(options: &[Options]) -> Result<Vec<u8>, CompileError> {
    let launched = launched::<G>();
    let mut all = Vec::new();
    for options in options {
        let made = made(&launched, options, &Kept::new(options));
        for (launched, image) in launched.iter().zip(made) {
            let image = image?;
            // What is compiled already is in the program.
            if let CudaCode::Text(text) = &launched.source.code {
                let key = key(text, options);
                let (of, toolkit) = (&key.of[..], &key.toolkit[..]);
                let image = &image[..];
                all.extend(Entry { of, toolkit, image }.bytes());
            }
        }
    }
    Ok(headed(&all))
}

/// Lets loads find the images of a [`bundle`], and says how many these are. To be called once, before
/// graphs are loaded, of what `include_bytes!` gives.
///
/// An image is taken for the text, architecture and options that it was made from, whatever the version
/// of the compiler was; all else is compiled as if nothing were embedded. A load asks for
/// [`Form::Cubin`] of its device's architecture, checked where `GPU_GRAPH_CHECKED` is 1.
///
/// # Errors
/// It is no bundle, or not all of one: [`CompileError::Bundle`]. Nothing of it is found then.
pub fn embed(bundle: &'static [u8]) -> Result<usize, CompileError> {
    let mut found = Vec::new();
    let mut rest = bundle;
    let at = |rest: &[u8]| bundle.len() - rest.len();
    // A file of nothing is no bundle either.
    loop {
        let fault = CompileError::Bundle { at: at(rest) };
        let (mut entries, behind) = first(rest).ok_or(fault)?;
        while !entries.is_empty() {
            let at = at(behind) - entries.len();
            let (entry, next) = Entry::first(entries).ok_or(CompileError::Bundle { at })?;
            found.push((entry.of, entry.image));
            entries = next;
        }
        rest = behind;
        if rest.is_empty() {
            break;
        }
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
        let (a, b) = (entry(b"embed a", b"image a"), entry(b"embed b", b"image b"));
        let c = entry(b"embed c", b"image c");
        let ab = headed(&[&a[..], &b].concat());
        let all = [&ab[..], &headed(&c), &headed(&[])].concat();
        // Of each byte, where that begins which is at fault.
        let parts = [HEAD, a.len(), b.len(), HEAD, c.len(), HEAD];
        let begin = |part: usize| parts[..part].iter().sum::<usize>();
        let part = |at: usize| (0..6).rev().find(|&part| begin(part) <= at).unwrap();
        let refused = |bytes: Vec<u8>, at: usize, what: &str| {
            assert_eq!(
                embed(bytes.leak()),
                Err(CompileError::Bundle { at }),
                "{what} at {at}"
            );
        };
        for at in 0..all.len() {
            // A cut inside of a bundle is a bundle that is not all there; one between bundles leaves
            // bundles.
            let bundle = [0, 3, 5]
                .into_iter()
                .rev()
                .find(|&p| begin(p) <= at)
                .unwrap();
            if at == 0 || at != begin(bundle) {
                refused(all[..at].to_vec(), begin(bundle), "cut");
            }
            // A length that is not the bundle's is noticed where it does not fit.
            let head = begin(part(at)) + 16..begin(part(at)) + HEAD;
            if parts[part(at)] != HEAD || !head.contains(&at) {
                let mut damaged = all.clone();
                damaged[at] ^= 1;
                refused(damaged, begin(part(at)), "damaged");
            }
        }
        for at in [16, 17, 23] {
            let mut damaged = all.clone();
            damaged[at] ^= 1;
            let damaged = embed(damaged.leak());
            assert!(matches!(damaged, Err(CompileError::Bundle { .. })));
        }
        assert_eq!(find(b"embed a"), None);
        assert_eq!(embed(all.leak()), Ok(3));
        assert_eq!(find(b"embed a"), Some(&b"image a"[..]));
        assert_eq!(find(b"embed b"), Some(&b"image b"[..]));
        assert_eq!(find(b"embed c"), Some(&b"image c"[..]));
        assert_eq!(find(b"embed"), None);
        assert_eq!(embed(headed(&[]).leak()), Ok(0));
    }
}
