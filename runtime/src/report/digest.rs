//! What a source or a program is known by.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A stable hash, FNV-1a of 64 bits: 16 hexadecimal digits.
///
/// ```
/// use gpu_graph_runtime::report::Digest;
/// let digest: Digest = "85944171f73967e8".parse().unwrap();
/// assert_eq!(digest.to_string(), "85944171f73967e8");
/// assert_eq!(format!("{digest:?}"), "Digest(85944171f73967e8)");
/// assert!("85944171F73967E8".parse::<Digest>().is_err());
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Digest(u64);

/// A text that is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("expected 16 hexadecimal digits")]
pub struct NoDigest;

impl FromStr for Digest {
    type Err = NoDigest;

    fn from_str(text: &str) -> Result<Self, NoDigest> {
        let digit = |b| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        match u64::from_str_radix(text, 16) {
            Ok(value) if text.len() == 16 && text.bytes().all(digit) => Ok(Self(value)),
            _ => Err(NoDigest),
        }
    }
}

impl TryFrom<String> for Digest {
    type Error = NoDigest;

    fn try_from(text: String) -> Result<Self, NoDigest> {
        text.parse()
    }
}

impl From<Digest> for String {
    fn from(digest: Digest) -> String {
        digest.to_string()
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}
