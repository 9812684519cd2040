//! How much memory a loaded graph takes, and why: as planned for the dims' maxima, or closer
//! together for the actual ones.

use std::fmt;

use super::LoadError;
use crate::exec::{Image, Placement};
use crate::verify::{Violation, verify};

/// What a loaded graph takes, in bytes, and how that was decided. [`Display`](fmt::Display) is the
/// text.
///
/// ```
/// # use gpu_graph_runtime::graph::Memory;
/// fn report(memory: &Memory) -> String {
///     let spared = memory.planned().arena - memory.actual().arena;
///     format!("{} instances, each {spared} bytes smaller than planned", memory.instances())
/// }
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Memory {
    of: Loaded,
    instances: u32,
    planned: Bytes,
    actual: Bytes,
    kept: Option<Kept>,
    variants: Box<[Guarded]>,
}

/// How one program fared: that of a graph, or of one combination of its variants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Guarded {
    /// Bytes of its arena as planned for the dims' maxima: the slots to fall back on, which the verifier
    /// judges at the actual dims before they are used.
    pub planned: u64,
    /// Bytes of its arena with its slots closer together at the actual dims.
    pub fitted: u64,
    /// What the verifier said of these; `None` where they would make nothing smaller, and it was not
    /// asked.
    pub guard: Option<Result<(), Violation>>,
}

/// Bytes of the three parts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Bytes {
    /// The arena of each instance.
    pub arena: u64,
    /// The store, one for all instances.
    pub store: u64,
    /// Pinned memory of each instance.
    pub staging: u64,
}

/// Why slots stayed where the program has them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Kept {
    /// Nothing would be smaller.
    NothingGained,
    /// The verifier found this at the other slots: the guard of a placement that is made at load.
    Refused(Violation),
}

/// A graph at the dims that it was loaded with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Loaded {
    pub(super) graph: &'static str,
    pub(super) dims: Box<[(&'static str, u64)]>,
}

#[cfg(feature = "report")]
impl Loaded {
    pub(super) fn graph(&self) -> &'static str {
        self.graph
    }

    pub(super) fn dims(&self) -> &[(&'static str, u64)] {
        &self.dims
    }
}

impl fmt::Display for Loaded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "graph {}", self.graph)?;
        for (i, (name, value)) in self.dims.iter().enumerate() {
            write!(f, "{} {name} = {value}", if i == 0 { ":" } else { "," })?;
        }
        Ok(())
    }
}

impl Memory {
    /// What it is of.
    pub(super) fn of(&self) -> &Loaded {
        &self.of
    }

    /// Instances, as many as runs may be in flight.
    pub fn instances(&self) -> u32 {
        self.instances
    }

    /// What the program asks for, enough for the dims' maxima.
    pub fn planned(&self) -> Bytes {
        self.planned
    }

    /// What was taken.
    pub fn actual(&self) -> Bytes {
        self.actual
    }

    /// Why it is what was planned; `None` where slots were placed anew for the actual dims.
    pub fn kept(&self) -> Option<Kept> {
        self.kept
    }

    /// How each program fared that the graph has: one, or one for each combination of its variants, in
    /// the order of [`Record::variants`](super::Record::variants). Where the guard of any fired, all of
    /// them run with the slots of their own plans.
    pub fn variants(&self) -> &[Guarded] {
        &self.variants
    }

    /// Bytes of all instances.
    pub fn total(&self) -> u64 {
        self.actual.total(self.instances)
    }

    /// Bytes of all instances at the dims' maxima.
    pub(super) fn planned_total(&self) -> u64 {
        self.planned.total(self.instances)
    }
}

impl Bytes {
    /// The most of each that any of `placements` asks for.
    fn most(placements: &[Placement]) -> Self {
        let mut most = Self::default();
        for placement in placements {
            most.arena = most.arena.max(placement.arena);
            most.store = most.store.max(placement.store);
            most.staging = most.staging.max(placement.pinned);
        }
        most
    }

    fn total(&self, instances: u32) -> u64 {
        let each = self.arena.saturating_add(self.staging);
        each.saturating_mul(u64::from(instances))
            .saturating_add(self.store)
    }
}

/// Where the resources of each image lie for `dims`: closer together where that is smaller and the
/// verifier agrees, and else as planned, which is verified for these dims, too.
///
/// # Errors
/// Where a program is not proved for these dims, or a table has no value for them.
pub(super) fn place(images: &[Image], dims: &[u64]) -> Result<(Vec<Placement>, Memory), LoadError> {
    let graph = images.first().map_or("", |image| image.source.name);
    let fitted = images.iter().map(|image| Placement::fitted(image, dims));
    let fitted: Vec<Placement> = fitted
        .collect::<Result<_, _>>()
        .map_err(|source| LoadError::Tables { graph, source })?;
    let planned = images.iter().map(|image| Placement::planned(image.program));
    let planned: Vec<Placement> = planned.collect();
    let instances = images.first().map_or(1, |image| image.program.ring);
    let (most, least) = (Bytes::most(&planned), Bytes::most(&fitted));
    let smaller = least.total(instances) < most.total(instances);
    let both = planned.iter().zip(&fitted).zip(images);
    let guarded = both.map(|((planned, fitted), image)| Guarded {
        planned: planned.arena,
        fitted: fitted.arena,
        guard: smaller.then(|| verify(image.source, &fitted.of(image.program), dims)),
    });
    let guarded: Box<[Guarded]> = guarded.collect();
    let mut refused = guarded.iter().filter_map(|g| g.guard?.err());
    let kept = match smaller {
        false => Some(Kept::NothingGained),
        true => refused.next().map(Kept::Refused),
    };
    let (placements, actual) = match kept {
        None => (fitted, least),
        Some(_) => {
            let unproved = |(image, violation): (&Image, Violation)| LoadError::Unproved {
                graph,
                violation,
                what: violation.named(image.source).to_string(),
            };
            verified(images, &planned, dims).map_err(unproved)?;
            (planned, most)
        }
    };
    let mut memory = memory(images, dims, (most, actual), kept);
    memory.variants = guarded;
    Ok((placements, memory))
}

/// The slots of the programs, of which nothing was verified.
pub(super) fn planned(images: &[Image], dims: &[u64]) -> (Vec<Placement>, Memory) {
    let planned = images.iter().map(|image| Placement::planned(image.program));
    let planned: Vec<Placement> = planned.collect();
    let most = Bytes::most(&planned);
    let memory = memory(images, dims, (most, most), Some(Kept::NothingGained));
    (planned, memory)
}

fn memory(
    images: &[Image],
    dims: &[u64],
    (planned, actual): (Bytes, Bytes),
    kept: Option<Kept>,
) -> Memory {
    let first = images.first();
    let names = first.map_or(&[][..], |image| image.source.dims);
    let dims = names.iter().zip(dims).map(|(d, &value)| (d.name, value));
    Memory {
        of: Loaded {
            graph: first.map_or("", |image| image.source.name),
            dims: dims.collect(),
        },
        instances: first.map_or(1, |image| image.program.ring),
        planned,
        actual,
        kept,
        variants: Box::default(),
    }
}

fn verified<'a>(
    images: &'a [Image],
    placements: &[Placement],
    dims: &[u64],
) -> Result<(), (&'a Image, Violation)> {
    for (image, placement) in images.iter().zip(placements) {
        let program = placement.of(image.program);
        verify(image.source, &program, dims).map_err(|violation| (image, violation))?;
    }
    Ok(())
}

impl fmt::Display for Memory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}", self.of)?;
        let rows = [
            ("arena", self.actual.arena, self.planned.arena, true),
            ("store", self.actual.store, self.planned.store, false),
            ("staging", self.actual.staging, self.planned.staging, true),
        ];
        for (what, actual, planned, each) in rows {
            if planned == 0 {
                continue;
            }
            write!(f, "  {what:<10}{actual} bytes")?;
            if each && self.instances > 1 {
                write!(f, " for each of {} lanes", self.instances)?;
            }
            match actual == planned {
                true => writeln!(f, ", as planned for the dims' maxima")?,
                false => writeln!(f, ", {planned} at the dims' maxima")?,
            }
        }
        match self.kept {
            None => writeln!(
                f,
                "  placed    anew at load: each slot as low as those below it let it"
            )?,
            Some(Kept::NothingGained) => writeln!(
                f,
                "  placed    as planned: nothing would be smaller at these dims"
            )?,
            Some(Kept::Refused(_)) => writeln!(
                f,
                "  placed    as planned: the verifier refused smaller slots"
            )?,
        }
        for (number, one) in (1..).zip(&self.variants) {
            let Some(guard) = one.guard else {
                continue;
            };
            write!(f, "  guard     `verify` at these dims")?;
            if self.variants.len() > 1 {
                write!(f, ", of combination {number}")?;
            }
            write!(f, ", with an arena of {} bytes: ", one.fitted)?;
            match guard {
                Ok(()) => writeln!(f, "it holds")?,
                Err(violation) => writeln!(f, "{violation}")?,
            }
            let planned = one.planned;
            let used = match self.kept {
                None => "not needed",
                Some(_) => "used, and verified at these dims",
            };
            writeln!(
                f,
                "  fallback  the same program with the slots of its plan, {planned} bytes: {used}"
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_guard_that_fires_is_told_with_its_variant_and_the_plan_that_is_used() {
        let violation = Violation::SlotSize { resource: 3 };
        let guarded = |guard| Guarded {
            planned: 4096,
            fitted: 512,
            guard: Some(guard),
        };
        let bytes = Bytes {
            arena: 4096,
            ..Bytes::default()
        };
        let memory = Memory {
            of: Loaded {
                graph: "Either",
                dims: Box::new([("n", 7)]),
            },
            instances: 1,
            planned: bytes,
            actual: bytes,
            kept: Some(Kept::Refused(violation)),
            variants: Box::new([guarded(Ok(())), guarded(Err(violation))]),
        };
        let text = memory.to_string();
        let fired = format!("of combination 2, with an arena of 512 bytes: {violation}\n");
        assert!(text.contains(&fired), "{text}");
        let used = "the slots of its plan, 4096 bytes: used, and verified at these dims";
        assert_eq!(text.matches(used).count(), 2, "{text}");
        assert!(text.contains("of combination 1, with an arena of 512 bytes: it holds"));
        assert_eq!(memory.total(), 4096);
    }
}
