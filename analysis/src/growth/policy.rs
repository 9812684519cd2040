//! Growth policies: what capacity follows from what is needed and from what is there.

use std::fmt;
use std::str::FromStr;

use super::Resource;

/// A fraction of two whole numbers, the lower one not 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Ratio {
    over: u32,
    under: u32,
}

impl Ratio {
    /// `over / under`; `None` where `under` is 0.
    pub fn new(over: u32, under: u32) -> Option<Self> {
        (under > 0).then_some(Self { over, under })
    }

    /// `bytes` times the fraction, rounded up.
    fn of(self, bytes: u64) -> u128 {
        let product = u128::from(bytes) * u128::from(self.over);
        product.div_ceil(self.under.into())
    }
}

/// The capacities that a [`Rule::Bucketed`] knows.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Buckets {
    /// Multiples of so many bytes; at least 1.
    Multiples(u64),
    /// Powers of two.
    Powers,
}

/// What capacity is taken where what is there does not do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Rule {
    /// What is needed.
    Exact,
    /// The least of these that is enough.
    Bucketed(Buckets),
    /// So many times what is there, or what is needed where that is more. The factor is above 1.
    Geometric(Ratio),
}

/// When capacity is given back.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Release {
    /// As soon as the rule, with nothing there, would take less.
    Follow,
    /// Never.
    Keep,
    /// Where less than this share of it, at most 1, is needed: it becomes what the rule takes with
    /// nothing there.
    Below(Ratio),
}

/// A growth policy. [`FromStr`] reads what [`Display`](fmt::Display) writes.
///
/// ```
/// use gpu_graph_analysis::growth::Policy;
/// for text in ["exact", "exact,keep", "bucketed:4096", "bucketed:powers,keep", "geometric:3/2,below:1/4"] {
///     let policy: Policy = text.parse()?;
///     assert_eq!(policy.to_string(), text);
/// }
/// // When a geometric policy gives back is not for this crate to say.
/// assert!("geometric:2/1".parse::<Policy>().is_err());
/// # Ok::<(), gpu_graph_analysis::growth::Misspelt>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Policy {
    /// What is taken.
    pub rule: Rule,
    /// When it is given back.
    pub release: Release,
}

impl Policy {
    /// The bytes that are held where `needed` are, and `held` were before (0 at first): a multiple of
    /// the alignment, and no less than what is needed. `None` where there is no such number.
    pub(super) fn next(&self, resource: &Resource, needed: u64, held: u64) -> Option<u64> {
        let enough = needed <= held;
        let released = match self.release {
            Release::Follow => true,
            Release::Keep => false,
            Release::Below(share) => u128::from(needed) < share.of(held),
        };
        if enough && !released {
            return Some(held);
        }
        let wanted = match self.rule {
            Rule::Exact => u128::from(needed),
            Rule::Bucketed(Buckets::Multiples(step)) => {
                u128::from(needed).next_multiple_of(step.max(1).into())
            }
            Rule::Bucketed(Buckets::Powers) => match needed {
                0 => 0,
                some => u128::from(some).next_power_of_two(),
            },
            Rule::Geometric(_) if enough => u128::from(needed),
            Rule::Geometric(factor) => factor.of(held).max(needed.into()),
        };
        let most = resource.maximum.map_or(u128::MAX, u128::from);
        let wanted = wanted.min(most).max(needed.into());
        let taken = resource.aligned(u64::try_from(wanted).ok()?)?;
        // Nothing is given back by taking more.
        Some(if enough { taken.min(held) } else { taken })
    }
}

impl fmt::Display for Ratio {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.over, self.under)
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rule {
            Rule::Exact => f.write_str("exact")?,
            Rule::Bucketed(Buckets::Multiples(step)) => write!(f, "bucketed:{step}")?,
            Rule::Bucketed(Buckets::Powers) => f.write_str("bucketed:powers")?,
            Rule::Geometric(factor) => write!(f, "geometric:{factor}")?,
        }
        match (self.release, self.rule) {
            (Release::Follow, Rule::Geometric(_)) => f.write_str(",follow"),
            (Release::Follow, _) => Ok(()),
            (Release::Keep, _) => f.write_str(",keep"),
            (Release::Below(share), _) => write!(f, ",below:{share}"),
        }
    }
}

/// What is wrong with the text of a policy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Misspelt(String);

impl fmt::Display for Misspelt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Misspelt {}

impl FromStr for Ratio {
    type Err = Misspelt;

    fn from_str(text: &str) -> Result<Self, Misspelt> {
        let (over, under) = text.split_once('/').unwrap_or((text, "1"));
        let number = |text: &str| natural(text).and_then(|n| u32::try_from(n).ok());
        let found = number(over).zip(number(under));
        let ratio = found.and_then(|(over, under)| Self::new(over, under));
        ratio.ok_or_else(|| Misspelt(format!("`{text}` is no fraction: write one like `3/2`")))
    }
}

impl FromStr for Policy {
    type Err = Misspelt;

    fn from_str(text: &str) -> Result<Self, Misspelt> {
        let (rule, release) = match text.split_once(',') {
            None => (text, None),
            Some((rule, release)) => (rule, Some(release)),
        };
        let rule = match rule.split_once(':') {
            None if rule == "exact" => Rule::Exact,
            Some(("bucketed", "powers")) => Rule::Bucketed(Buckets::Powers),
            Some(("bucketed", step)) => match natural(step) {
                Some(step) if step > 0 => Rule::Bucketed(Buckets::Multiples(step)),
                _ => {
                    let wanted = "write bytes, as in `bucketed:4096`, or `bucketed:powers`";
                    return Err(Misspelt(format!("`{step}` is no bucket: {wanted}")));
                }
            },
            Some(("geometric", factor)) => {
                let factor: Ratio = factor.parse()?;
                if factor.over <= factor.under {
                    let message = format!("`{factor}` does not grow: a factor is above 1");
                    return Err(Misspelt(message));
                }
                Rule::Geometric(factor)
            }
            _ => {
                let wanted = "`exact`, `bucketed:BYTES`, `bucketed:powers` or `geometric:P/Q`";
                return Err(Misspelt(format!("`{rule}` is no policy: write {wanted}")));
            }
        };
        let release = match release {
            Some("follow") => Release::Follow,
            Some("keep") => Release::Keep,
            Some(other) => match other.strip_prefix("below:") {
                Some(share) => {
                    let share: Ratio = share.parse()?;
                    if share.over > share.under {
                        let message = format!("`{share}` is no share: one is at most 1");
                        return Err(Misspelt(message));
                    }
                    Release::Below(share)
                }
                None => {
                    let wanted = "`follow`, `keep` or `below:P/Q`";
                    let message =
                        format!("`{other}` does not say when to give back: write {wanted}");
                    return Err(Misspelt(message));
                }
            },
            None if matches!(rule, Rule::Geometric(_)) => {
                let wanted = "add `,follow`, `,keep` or `,below:P/Q`";
                let message = format!("`{text}` does not say when it gives back: {wanted}");
                return Err(Misspelt(message));
            }
            None => Release::Follow,
        };
        Ok(Self { rule, release })
    }
}

/// Digits alone.
fn natural(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|b| b.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}
