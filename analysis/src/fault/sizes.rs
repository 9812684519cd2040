//! 04xx: sizes and limits.

use super::narrow::{declared, joined, narrowed};
use super::{
    COUNT, EMPTY_DIM, Edit, Fault, Fix, LAUNCH_GEOMETRY, NEGATIVE_EXTENT, PARAMETER_BLOCK, RING,
    SHARED_MEMORY, SIZE_OVERFLOW, STREAMS, UNBOUNDED_DIM,
};
use crate::expr::Expr;
use crate::limits::{self, BYTES};
use crate::model::{Dim, Site};

/// A largest value for a dim that has none, where `from` is its smallest value, if written; halved so
/// often, as far as there are values left.
pub fn largest(from: Option<u64>, halvings: u32) -> u64 {
    let from = from.unwrap_or(1).max(1);
    let to = from.saturating_mul(2).max(8192);
    (to >> halvings.min(63)).max(from.saturating_add(1))
}

/// How often [`largest`] can be halved.
pub const HALVINGS: u32 = 12;

/// `dim h;` or `dim h in 16..;`: no largest value. `from` is the smallest value, if written, and `to` is
/// one that goes with the graph, as far as that is known.
pub fn unbounded_dim(site: Site, dim: &str, from: Option<u64>, to: u64) -> Fault {
    let from = from.unwrap_or(1);
    Fault::new(
        UNBOUNDED_DIM,
        site,
        format!("the dim `{dim}` has no largest value"),
    )
    .note("storage and proofs are made for the largest value")
    .with(ranged(site, dim, from, to))
}

/// A range that admits no value, as written.
pub fn empty_dim(site: Site, dim: &str, range: &str, min: u64, max: u64) -> Fault {
    let fault = Fault::new(
        EMPTY_DIM,
        site,
        format!("`{range}` admits no value for the dim `{dim}`"),
    );
    let (min, max) = match max < min.saturating_sub(1) {
        // The ends were taken for each other.
        true => (max, min),
        // The smallest value is one too many for the range, and the smallest that is meant.
        false => (min, min.max(1)),
    };
    fault.with(ranged(site, dim, min, max))
}

/// The dim whose statement `site` stands in, with these bounds.
fn ranged(site: Site, name: &str, min: u64, max: u64) -> Fix {
    let name = name.to_owned();
    declared(&Dim {
        name,
        min,
        max,
        product: Vec::new(),
        site,
    })
}

/// An extent whose numbers leave 64 bits.
pub fn extent_overflow(site: Site, text: &str) -> Fault {
    Fault::new(SIZE_OVERFLOW, site, format!("`{text}` overflows"))
        .note("extents are computed in 64 bits")
        .help("use smaller numbers")
}

/// Bytes of a resource at the largest sizes leave an address space. `extents` are its extents with
/// their largest values, such as `` `h` up to 4294967296 ``; `mend` makes it smaller.
pub fn size_overflow(
    site: Site,
    name: &str,
    ty: &str,
    extents: &[String],
    mend: Option<Fix>,
) -> Fault {
    let fault = Fault::new(
        SIZE_OVERFLOW,
        site,
        format!("the size of `{name}` overflows"),
    )
    .here(format!("`{ty}` can exceed {BYTES} bytes"));
    bounded(fault, extents, mend)
}

/// The sizes of all resources, `total` bytes for so many `lanes`, are more than an address space has; the
/// largest stands at `site`.
pub fn total_overflow(
    site: Site,
    total: u128,
    lanes: u32,
    extents: &[String],
    mend: Option<Fix>,
) -> Fault {
    let text = "the sizes of all resources overflow together".to_owned();
    let of = match lanes {
        1 => String::new(),
        lanes => format!(", with a copy for each of {lanes} lanes"),
    };
    let fault = Fault::new(SIZE_OVERFLOW, site, text)
        .here("this one is the largest")
        .note(format!(
            "they can take {total} bytes{of}, and {BYTES} are the most"
        ));
    bounded(fault, extents, mend)
}

/// With the `extents` at their largest, and a dim that is narrower.
fn bounded(fault: Fault, extents: &[String], mend: Option<Fix>) -> Fault {
    let fault = match extents {
        [] => fault,
        some => fault.note(format!("at the bounds of the dims: {}", some.join(", "))),
    };
    fault.fix_or(mend, "give several dims smaller bounds")
}

/// The range of a dim.
pub(crate) struct Range<'a> {
    /// Where the dim is declared.
    pub site: Site,
    /// The dim.
    pub dim: &'a str,
    /// Its largest value.
    pub max: u64,
}

/// Of one range the sizes that overflow, and the launches of too many blocks: faults, each of which a
/// smaller largest value mends, and the smallest of these all.
pub(crate) fn range(of: Range<'_>, large: &[&Fault], launches: &[&Fault]) -> Option<Fault> {
    let mut mends = large.iter().chain(launches).map(|fault| &fault.fixes[0]);
    let first = mends.next()?.clone();
    let mend = mends.try_fold(first, |all, mend| joined([&all, mend]))?;
    let message = format!("the range of `{}` admits sizes that overflow", of.dim);
    let mut fault = Fault::new(SIZE_OVERFLOW, of.site, message);
    for one in large.iter().take(2) {
        fault = fault.label(one.site, one.here.clone());
    }
    let more = large.len().saturating_sub(2);
    if more > 0 {
        let sizes = if more == 1 {
            "size overflows"
        } else {
            "sizes overflow"
        };
        fault = fault.note(format!("{more} more {sizes}"));
    }
    if !launches.is_empty() {
        fault = fault.note("launches over it are of too many blocks, too");
    }
    match large {
        [one] => fault.notes.extend(one.notes.clone()),
        _ => fault = fault.note(format!("`{}` is up to {}", of.dim, of.max)),
    }
    Some(fault.fix_or(Some(mend), "give several dims smaller bounds"))
}

/// `fault` of a dim without a largest value, with which the graph is beyond its budget however small
/// that is.
pub fn unbounded_beyond_budget(fault: Fault) -> Fault {
    let fault = fault.without(|_| true);
    fault
        .note("the budget has no room for the graph, however small that value is")
        .help("write one, and a budget that has room for it")
}

/// An extent of `name` that some admitted dims make negative; `mend` narrows a dim.
pub fn negative_extent(
    site: Site,
    name: &str,
    extent: &str,
    min: Option<i128>,
    mend: Option<Fix>,
) -> Fault {
    let why = match min.filter(|min| *min < 0) {
        Some(min) => format!("it can be as small as {min}"),
        None => "that it never is does not follow from its factors and their bounds".to_owned(),
    };
    Fault::new(
        NEGATIVE_EXTENT,
        site,
        format!("the extent `{extent}` of `{name}` may be negative"),
    )
    .note(why)
    .fix_or(mend, "declare a larger extent")
}

/// A factor of a product that some admitted dims make negative.
pub fn negative_factor(site: Site, factor: &Expr, dims: &[Dim]) -> Fault {
    let text = factor.display(dims).to_string();
    let natural = |dims: &[Dim]| Expr::constant(0).always_le(factor, dims);
    Fault::new(
        NEGATIVE_EXTENT,
        site,
        format!("the factor `{text}` may be negative"),
    )
    .note(format!("the dims admit {}", factor.min_over(dims)))
    .note("of a product of dims no factor is negative")
    .fix_or(narrowed(&[factor], dims, natural), "multiply it out")
}

/// A block or grid beyond the limits; `what` says which number is too large or too small.
pub fn geometry(
    site: Site,
    kernel: &str,
    what: impl Into<String>,
    limit: impl Into<String>,
) -> Fault {
    Fault::new(
        LAUNCH_GEOMETRY,
        site,
        format!("a launch of `{kernel}` {}", what.into()),
    )
    .note(limit.into())
}

/// A launch that some admitted dims take beyond what a device can do.
pub struct Misfit<'a> {
    /// The kernel.
    pub kernel: &'a str,
    /// What is wrong with its index space.
    pub text: &'a str,
    /// The launch.
    pub site: Site,
}

impl Misfit<'_> {
    /// The same of a launch that no range of one dim mends: it does `what`, and `help` does.
    fn alone(&self, what: &str, help: &str) -> Fault {
        geometry(self.site, self.kernel, what, self.text).help(help)
    }
}

const OTHER_SPACE: &str = "use another index space";
const OTHER_BLOCK: &str = "use a larger block there, or another order of extents";

/// The range of the dim `dim`, which is declared at `site`, admits `launches` without a thread; `mend`
/// narrows it.
pub fn no_thread(site: Site, dim: &str, launches: &[Misfit<'_>], mend: Fix) -> Fault {
    misfits(site, dim, launches, "without a thread", mend).help(OTHER_SPACE)
}

/// The range of the dim `dim`, which is declared at `site`, admits `launches` of more blocks than a grid
/// has; `mend` narrows it.
pub fn many_blocks(site: Site, dim: &str, launches: &[Misfit<'_>], mend: Fix) -> Fault {
    misfits(site, dim, launches, "of too many blocks", mend).help(OTHER_BLOCK)
}

/// `launch` may have no thread.
pub fn empty_launch(launch: &Misfit<'_>) -> Fault {
    launch.alone("may have no thread", OTHER_SPACE)
}

/// `launch` may have more blocks than a grid has.
pub fn large_launch(launch: &Misfit<'_>) -> Fault {
    launch.alone("may have too many blocks", OTHER_BLOCK)
}

fn misfits(site: Site, dim: &str, launches: &[Misfit<'_>], which: &str, mend: Fix) -> Fault {
    let what = match launches {
        [one] => format!("a launch of `{}`", one.kernel),
        _ => "launches".to_owned(),
    };
    let message = format!("the range of `{dim}` admits {what} {which}");
    let mut fault = Fault::new(LAUNCH_GEOMETRY, site, message);
    for launch in launches.iter().take(3) {
        fault = fault.label(launch.site, launch.text);
    }
    fault = match launches.len().saturating_sub(3) {
        0 => fault,
        1 => fault.note("one more launch is over such an index space"),
        more => fault.note(format!("{more} more launches are over such index spaces")),
    };
    fault.with(mend)
}

/// Parameter bytes beyond what a launch can carry.
pub fn parameter_block(site: Site, kernel: &str, bytes: u64, limit: u64) -> Fault {
    let message = format!("the parameters of `{kernel}` take {bytes} bytes, {limit} are possible");
    Fault::new(PARAMETER_BLOCK, site, message)
        .note("a tensor takes 8 bytes, a scalar its size, each dim of the kernel 8 bytes")
        .help("put scalars into a tensor, or split the kernel")
}

/// Static shared memory beyond what a block can have.
pub fn shared_memory(site: Site, kernel: &str, bytes: u64, limit: u64) -> Fault {
    let message =
        format!("`{kernel}` declares {bytes} bytes of shared memory, {limit} are possible");
    Fault::new(SHARED_MEMORY, site, message).fix(
        "declare at most `shared {}`",
        [Edit::replace(site, format!("{} KiB", limit >> 10))],
    )
}

/// More streams of all instances together than a program can have.
pub fn streams(site: Site, depth: u32, streams: u32, limit: u32) -> Fault {
    let product = u64::from(depth) * u64::from(streams);
    let message =
        format!("{depth} runs in flight on {streams} streams each need {product} streams");
    let fault =
        Fault::new(STREAMS, site, message).note(format!("a program has at most {limit} streams"));
    // Each run has at least one: `pipelined` is held against the same limit.
    let most = limit.checked_div(depth).unwrap_or(limit).max(1);
    fault.fix(
        "write `{}`",
        [Edit::replace(site, format!("streams {most}"))],
    )
}

/// A count outside `min..=max`, such as `pipelined 0`.
pub fn count(site: Site, word: &str, value: u64, min: u64, max: u64) -> Fault {
    let near = value.clamp(min, max);
    Fault::new(COUNT, site, format!("`{word} {value}` is out of range"))
        .note(format!("`{word}` takes {min} to {max}"))
        .fix(
            "write `{}`",
            [Edit::replace(site, format!("{word} {near}"))],
        )
}

/// More dims than an expression can tell apart.
pub fn too_many_dims(site: Site, limit: u32) -> Fault {
    Fault::new(COUNT, site, "too many dims").note(format!("a graph has at most {limit} dims"))
}

/// The staging `name` is a ring of `found` copies, and `depth` runs may be in flight; `pipelined`
/// says so, where anything does.
pub fn ring(site: Site, name: &str, found: u64, depth: u32, pipelined: Option<Site>) -> Fault {
    let fault = if found < depth.into() {
        let message = format!("the ring of `{name}` is shallower than `pipelined`");
        let note = format!("{depth} runs in flight would fill {found}");
        Fault::new(RING, site, message).note(note)
    } else {
        let message = format!("the ring of `{name}` is deeper than the runs in flight");
        let note = format!("{found} copies for {depth}: a run fills that of its own lane");
        Fault::new(RING, site, message).note(note)
    };
    let fault = match pipelined {
        Some(pipelined) => fault.label(pipelined, "as many runs are in flight"),
        None => fault.note("without `pipelined` one run is in flight"),
    };
    fault
        .fix("write `{}`", [Edit::replace(site, format!("ring {depth}"))])
        .help("drop the `ring`, which then is as deep as it must be")
}

/// More isolation domains than a graph can have; `name` would be the next.
pub fn domains(site: Site, name: &str) -> Fault {
    let most = limits::DOMAINS - 1;
    let message = format!("with `{name}`, there are more than {most} isolation domains");
    Fault::new(COUNT, site, message).help("declare the rest in graphs of their own")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dims_without_values_or_bounds_show_a_range() {
        let unbounded = |from, halvings| {
            let to = largest(from, halvings);
            unbounded_dim(Site(2), "h", from, to)
        };
        let fault = unbounded(Some(16), 0);
        assert_eq!((fault.code, fault.site), (UNBOUNDED_DIM, Site(2)));
        assert_eq!(fault.help.as_deref(), Some("write `dim h in 16..=8192;`"));
        let fault = unbounded(None, 0);
        assert_eq!(fault.help.as_deref(), Some("write `dim h in 1..=8192;`"));
        let fault = unbounded(Some(16), 6);
        assert_eq!(fault.help.as_deref(), Some("write `dim h in 16..=128;`"));
        assert_eq!(largest(Some(16), HALVINGS), 17);
        assert_eq!(largest(None, HALVINGS), 2);
        let fault = empty_dim(Site(2), "h", "64..=16", 64, 16);
        assert_eq!((fault.code, fault.site), (EMPTY_DIM, Site(2)));
        assert_eq!(fault.message, "`64..=16` admits no value for the dim `h`");
        assert_eq!(fault.help.as_deref(), Some("write `dim h in 16..=64;`"));
        // What is written as the smallest value stays that.
        for (min, max, mend) in [(1, 0, "1..=1"), (5, 4, "5..=5"), (0, 0, "0..=1")] {
            let help = empty_dim(Site(2), "h", "", min, max).help;
            assert_eq!(help, Some(format!("write `dim h in {mend};`")));
        }
    }

    #[test]
    fn counts_show_what_is_possible() {
        let fault = streams(Site(2), 5, 4, 16);
        assert_eq!(
            (fault.code, fault.help.as_deref()),
            (STREAMS, Some("write `streams 3`"))
        );
        let fault = count(Site(2), "pipelined", 0, 1, 16);
        assert_eq!(
            (fault.code, fault.help.as_deref()),
            (COUNT, Some("write `pipelined 1`"))
        );
        let message = "with `p`, there are more than 15 isolation domains";
        assert_eq!(domains(Site(2), "p").message, message);
        assert_eq!(extent_overflow(Site(1), "h * h").code, SIZE_OVERFLOW);
        assert_eq!(
            shared_memory(Site(1), "k", 99_999, 49_152).code,
            SHARED_MEMORY
        );
    }
}
