//! An image as it is kept: with all that it was made from, its own lengths and a checksum.

use super::hash;

/// What an entry begins with; another form has another number.
const MAGIC: &[u8; 16] = b"gpu-graph image2";
/// Bytes before what an entry was made from: magic, checksum, and three lengths.
const HEAD: usize = 16 + 4 * 8;

/// An image, and what it was made from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry<'a> {
    /// Text, headers, options, architecture and form.
    pub of: &'a [u8],
    /// Where headers of the toolkit were found.
    pub toolkit: &'a [u8],
    /// The image.
    pub image: &'a [u8],
}

impl<'a> Entry<'a> {
    /// As it is kept.
    pub fn bytes(&self) -> Vec<u8> {
        let parts = [self.of, self.toolkit, self.image];
        let mut all = vec![0; HEAD];
        all[..16].copy_from_slice(MAGIC);
        for (i, part) in parts.into_iter().enumerate() {
            all[24 + 8 * i..32 + 8 * i].copy_from_slice(&(part.len() as u64).to_le_bytes());
            all.extend(part);
        }
        let sum = hash(&all[24..], 2);
        all[16..24].copy_from_slice(&sum.to_le_bytes());
        all
    }

    /// What was kept; `None` where that is cut, damaged or of another form.
    pub fn read(all: &'a [u8]) -> Option<Self> {
        let (entry, behind) = Self::first(all)?;
        behind.is_empty().then_some(entry)
    }

    /// The first of entries one behind another, and what stands behind it.
    pub fn first(all: &'a [u8]) -> Option<(Self, &'a [u8])> {
        let (head, rest) = all.split_at_checked(HEAD)?;
        let word = |i: usize| {
            let bytes = head.get(16 + 8 * i..24 + 8 * i)?;
            Some(u64::from_le_bytes(bytes.try_into().ok()?))
        };
        let length = |i| usize::try_from(word(i)?).ok();
        let (of, rest) = rest.split_at_checked(length(1)?)?;
        let (toolkit, rest) = rest.split_at_checked(length(2)?)?;
        let (image, behind) = rest.split_at_checked(length(3)?)?;
        let own = &all[..all.len() - behind.len()];
        let whole = head.starts_with(MAGIC) && word(0)? == hash(&own[24..], 2);
        whole.then_some((Self { of, toolkit, image }, behind))
    }
}
