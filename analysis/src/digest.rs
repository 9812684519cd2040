//! Stable hashes that say whether two texts or programs are the same one.
//!
//! FNV-1a with 64 bits (Fowler, Noll and Vo; <http://www.isthe.com/chongo/tech/comp/fnv/>): a few
//! lines, the same on every machine, and well spread for what differs by accident. It is no guard
//! against one who looks for two texts of one hash.

use std::fmt;

/// A hash of 64 bits, shown and read as 16 hexadecimal digits.
///
/// ```
/// use gpu_graph_analysis::digest::{Digest, Digester};
/// let mut digester = Digester::default();
/// digester.bytes(b"foobar");
/// assert_eq!(digester.finish().to_string(), "85944171f73967e8");
/// assert_eq!(Digest::parse("85944171f73967e8"), Some(digester.finish()));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(u64);

impl Digest {
    /// Reads what is shown; `None` where it is something else.
    pub fn parse(text: &str) -> Option<Self> {
        let digits = text.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'));
        let value = u64::from_str_radix(text, 16).ok()?;
        (digits && text.len() == 16).then_some(Self(value))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Makes a [`Digest`] of what it is given, in order.
#[derive(Clone, Debug)]
pub struct Digester(u64);

impl Default for Digester {
    fn default() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

impl Digester {
    /// Bytes as they are; nothing marks their end.
    pub fn bytes(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.0 = (self.0 ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3);
        }
    }

    /// A number.
    pub fn number(&mut self, number: u64) {
        self.bytes(&number.to_le_bytes());
    }

    /// A text and its length, so that two texts in a row are not another two.
    pub fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.bytes(text.as_bytes());
    }

    /// The hash of all of it.
    pub fn finish(&self) -> Digest {
        Digest(self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the authors' page.
    #[test]
    fn hashes_are_those_of_the_published_vectors() {
        for (text, hash) in [
            ("", "cbf29ce484222325"),
            ("a", "af63dc4c8601ec8c"),
            ("foobar", "85944171f73967e8"),
        ] {
            let mut digester = Digester::default();
            digester.bytes(text.as_bytes());
            assert_eq!(digester.finish().to_string(), hash);
        }
    }

    #[test]
    fn texts_in_a_row_keep_their_borders() {
        let of = |texts: [&str; 2]| {
            let mut digester = Digester::default();
            texts.iter().for_each(|text| digester.text(text));
            digester.finish()
        };
        assert_ne!(of(["ab", "c"]), of(["a", "bc"]));
    }

    #[test]
    fn only_what_is_shown_is_read() {
        assert_eq!(Digest::parse("00000000000000ff"), Some(Digest(255)));
        for wrong in [
            "",
            "ff",
            "00000000000000FF",
            "+0000000000000ff",
            "00000000000000fg",
        ] {
            assert_eq!(Digest::parse(wrong), None, "{wrong}");
        }
    }
}
