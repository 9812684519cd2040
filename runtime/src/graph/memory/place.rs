//! Where resources lie at actual dims: as planned for the largest sizes, or placed anew where that is
//! smaller and the verifier agrees.

use super::super::LoadError;
use super::{Bytes, Guarded, Kept, Loaded, Memory};
use crate::exec::{Image, Placement};
use crate::verify::{Violation, turns, verify};

/// Where the resources of each image lie for `dims`: placed anew where that is smaller and the verifier
/// agrees, and else as planned, which is verified for these dims, too.
///
/// # Errors
/// Where a program is not proved for these dims, or a table has no value for them.
pub(in crate::graph) fn place(
    images: &[Image],
    dims: &[u64],
) -> Result<(Vec<Placement>, Memory), LoadError> {
    let graph = images.first().map_or("", |image| image.source.name);
    let fitted = Placement::fitted(images, dims);
    let fitted = fitted.map_err(|source| LoadError::Tables { graph, source })?;
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
    let together = || apart(images, &fitted).err().map(|(_, violation)| violation);
    let kept = match smaller {
        false => Some(Kept::NothingGained),
        true => refused.next().or_else(together).map(Kept::Refused),
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
    let mut memory = memory(images, dims, [most, least, actual], kept);
    memory.variants = guarded;
    Ok((placements, memory))
}

/// The slots of the programs, of which nothing was verified.
pub(in crate::graph) fn planned(images: &[Image], dims: &[u64]) -> (Vec<Placement>, Memory) {
    let planned = images.iter().map(|image| Placement::planned(image.program));
    let planned: Vec<Placement> = planned.collect();
    let most = Bytes::most(&planned);
    let memory = memory(images, dims, [most; 3], Some(Kept::NothingGained));
    (planned, memory)
}

fn memory(
    images: &[Image],
    dims: &[u64],
    [planned, needed, actual]: [Bytes; 3],
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
        needed,
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
    apart(images, placements)
}

/// Whether the programs, proved each by itself, may take turns in one memory.
fn apart<'a>(images: &'a [Image], placements: &[Placement]) -> Result<(), (&'a Image, Violation)> {
    let programs = images.iter().zip(placements);
    let programs: Vec<_> = programs.map(|(image, p)| p.of(image.program)).collect();
    let sources = images.iter().map(|image| image.source);
    let all: Vec<_> = sources.zip(&programs).collect();
    turns(&all).map_err(|(i, violation)| (&images[i], violation))
}
