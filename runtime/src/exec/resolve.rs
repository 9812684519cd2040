//! Tables at actual dims: every expression becomes a number once, before anything is issued.
//!
//! The verifier has judged the same tables before; what is checked again here is what slices are
//! built from, so that no mistake in one place reaches memory.

use super::calls::{self, Call};
use super::{Image, Placement};
use crate::table::{Class, Elem, Mode, Resource, Rows, SLOT_ALIGN, Scalar};

/// An access at actual dims.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    pub(super) resource: u32,
    pub(super) mode: Mode,
    pub(super) elem: Elem,
    /// Bytes from the resource's start.
    pub(super) offset: usize,
    /// Elements.
    pub(super) len: usize,
}

impl Bound {
    pub(super) fn bytes(&self) -> usize {
        self.len * self.elem.size() as usize
    }
}

/// Tables that do not fit each other, or the dims.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the tables do not fit the dims: {what} {index}")]
pub struct ResolveError {
    /// Which table.
    pub what: &'static str,
    /// Which entry.
    pub index: usize,
}

/// A resource at actual dims.
#[derive(Clone, Copy, Debug)]
struct Extent {
    rows: usize,
    row_len: usize,
    bytes: usize,
}

/// A graph with all its tables at actual dims; every instance of the ring shares one.
pub struct Tables {
    pub(super) image: Image,
    pub(super) placement: Placement,
    pub(super) bounds: Box<[Bound]>,
    pub(super) scalars: Box<[Scalar]>,
    pub(super) bindings: Box<[usize]>,
    /// Bytes of each resource.
    pub(super) bytes: Box<[usize]>,
    /// Extents of each resource.
    shapes: Box<[Box<[usize]>]>,
    /// Where each resource starts in arena, store and pinned memory, laid end to end.
    pub(super) offsets: Box<[usize]>,
    /// What is called for each task.
    pub(super) calls: Box<[Call]>,
    /// Of each input, resident or not, the accesses of kernels.
    pub(super) reads: Box<[Box<[u32]>]>,
}

impl Tables {
    /// Resolves every table of `image` for `dims`, with the slots of its program.
    ///
    /// # Errors
    /// Where an expression has no value, a range leaves its resource or slot, or a table names what
    /// is not there.
    pub fn resolve(image: Image, dims: &[u64]) -> Result<Self, ResolveError> {
        Self::placed(image, dims, Placement::planned(image.program))
    }

    /// The same with the slots of `placement`.
    ///
    /// # Errors
    /// As [`resolve`](Self::resolve).
    pub fn placed(image: Image, dims: &[u64], placement: Placement) -> Result<Self, ResolveError> {
        let values = values(&image, dims)?;
        let (extents, offsets) = resources(&image, &placement, &values)?;
        let bounds = accesses(&image, &values, &extents)?;
        calls::check(&image, &bounds)?;
        Ok(Self {
            image,
            placement,
            bounds,
            scalars: scalars(&image, &values)?,
            bindings: bindings(&image, &values)?,
            bytes: extents.iter().map(|e| e.bytes).collect(),
            shapes: shapes(&image, &values)?,
            offsets,
            calls: calls::calls(&image),
            reads: calls::reads(&image),
        })
    }

    /// Where resources lie.
    pub fn placement(&self) -> &Placement {
        &self.placement
    }

    /// The graph they came from.
    pub fn image(&self) -> &Image {
        &self.image
    }

    /// Where an access starts, counted likewise.
    pub(super) fn offset(&self, bound: &Bound) -> usize {
        self.offsets[bound.resource as usize] + bound.offset
    }

    /// Type of a resource at these dims, as `[f32; 37, 23]`.
    pub fn shape(&self, resource: u32) -> String {
        let r = &self.image.source.resources[resource as usize];
        let extents = self.shapes[resource as usize].iter();
        let extents: Vec<_> = extents.map(usize::to_string).collect();
        format!("[{}; {}]", r.elem.name(), extents.join(", "))
    }

    /// The dims of a launch, in the order of its kernel's; none of what launches nothing.
    #[cfg(feature = "report")]
    pub fn dims_of(&self, task: &crate::table::Task) -> &[usize] {
        let (from, len) = (task.dims.start as usize, task.dims.len as usize);
        let after = self.bindings.get(from..).unwrap_or_default();
        after.get(..len).unwrap_or_default()
    }

    /// Size of a resource, in bytes.
    pub fn bytes(&self, resource: u32) -> usize {
        self.bytes[resource as usize]
    }
}

pub(super) fn fail<T>(what: &'static str, index: usize) -> Result<T, ResolveError> {
    Err(ResolveError { what, index })
}

/// Values of the expressions, by index.
struct Values(Vec<usize>);

impl Values {
    fn get(&self, index: u32) -> Result<usize, ResolveError> {
        let i = index as usize;
        self.0.get(i).copied().ok_or(ResolveError {
            what: "expression",
            index: i,
        })
    }
}

fn values(image: &Image, dims: &[u64]) -> Result<Values, ResolveError> {
    let mut numbers = vec![0; dims.len() + image.source.products.len()];
    if let Err(product) = image.source.numbers(dims, &mut numbers) {
        return fail("product", product as usize);
    }
    let mut values = Vec::with_capacity(image.source.exprs.len());
    for (i, e) in image.source.exprs.iter().enumerate() {
        match e.eval(&numbers).and_then(|v| usize::try_from(v).ok()) {
            Some(value) => values.push(value),
            None => return fail("expression", i),
        }
    }
    Ok(Values(values))
}

fn shapes(image: &Image, values: &Values) -> Result<Box<[Box<[usize]>]>, ResolveError> {
    let resources = image.source.resources.iter();
    resources
        .map(|r| r.shape.iter().map(|&e| values.get(e)).collect())
        .collect()
}

/// Bytes of each resource for `dims`.
pub(super) fn sizes(image: &Image, dims: &[u64]) -> Result<Vec<u64>, ResolveError> {
    let values = values(image, dims)?;
    if image.program.slots.len() != image.source.resources.len() {
        return fail("slot", image.program.slots.len());
    }
    let resources = image.source.resources.iter().enumerate();
    let bytes = resources.map(|(i, r)| Ok(extent(&values, i, r)?.bytes as u64));
    bytes.collect()
}

fn extent(values: &Values, i: usize, r: &Resource<'_>) -> Result<Extent, ResolveError> {
    let Some((&first, inner)) = r.shape.split_first() else {
        return fail("resource", i);
    };
    let rows = values.get(first)?;
    let mut row_len = 1usize;
    for &e in inner {
        let Some(product) = row_len.checked_mul(values.get(e)?) else {
            return fail("resource", i);
        };
        row_len = product;
    }
    let bytes = rows
        .checked_mul(row_len)
        .and_then(|n| n.checked_mul(r.elem.size() as usize));
    match bytes {
        Some(bytes) => Ok(Extent {
            rows,
            row_len,
            bytes,
        }),
        None => fail("resource", i),
    }
}

fn resources(
    image: &Image,
    placement: &Placement,
    values: &Values,
) -> Result<(Vec<Extent>, Box<[usize]>), ResolveError> {
    let (program, slots) = (placement, placement.slots());
    if slots.len() != image.source.resources.len() {
        return fail("slot", slots.len());
    }
    let mut extents = Vec::with_capacity(slots.len());
    let mut offsets = Vec::with_capacity(slots.len());
    for (i, (r, slot)) in image.source.resources.iter().zip(slots).enumerate() {
        let extent = extent(values, i, r)?;
        if extent.bytes as u64 > slot.bytes {
            return fail("resource", i);
        }
        let end = slot.offset.checked_add(slot.bytes);
        // Arena, store and pinned memory, end to end. An empty slot at a border is on either side.
        let kept = program.arena.checked_add(program.store);
        let (first, last) = match r.class {
            Class::Resident | Class::Inout => (program.arena, kept),
            Class::Staging => {
                let end = kept.and_then(|kept| kept.checked_add(program.pinned));
                (kept.unwrap_or(u64::MAX), end)
            }
            _ => (0, Some(program.arena)),
        };
        let inside = end.is_some_and(|end| slot.offset >= first && Some(end) <= last);
        if slot.offset % SLOT_ALIGN != 0 || !inside {
            return fail("slot", i);
        }
        let Ok(offset) = usize::try_from(slot.offset) else {
            return fail("slot", i);
        };
        extents.push(extent);
        offsets.push(offset);
    }
    Ok((extents, offsets.into()))
}

fn accesses(
    image: &Image,
    values: &Values,
    extents: &[Extent],
) -> Result<Box<[Bound]>, ResolveError> {
    let mut bounds = Vec::with_capacity(image.source.accesses.len());
    for (i, a) in image.source.accesses.iter().enumerate() {
        let Some(&extent) = extents.get(a.resource as usize) else {
            return fail("access", i);
        };
        let elem = image.source.resources[a.resource as usize].elem;
        let (lo, hi) = match a.rows {
            Rows::All => (0, extent.rows),
            Rows::Span(lo, hi) => (values.get(lo)?, values.get(hi)?),
        };
        if lo > hi || hi > extent.rows {
            return fail("access", i);
        }
        bounds.push(Bound {
            resource: a.resource,
            mode: a.mode,
            elem,
            // Neither product exceeds the resource's, which fits.
            offset: lo * extent.row_len * elem.size() as usize,
            len: (hi - lo) * extent.row_len,
        });
    }
    Ok(bounds.into())
}

fn scalars(image: &Image, values: &Values) -> Result<Box<[Scalar]>, ResolveError> {
    let mut scalars = Vec::with_capacity(image.source.scalars.len());
    for (i, s) in image.source.scalars.iter().enumerate() {
        scalars.push(match *s {
            Scalar::Extent(e) => Scalar::Const(values.get(e)? as u64),
            Scalar::Param(p) if p >= image.source.params => return fail("scalar", i),
            other => other,
        });
    }
    Ok(scalars.into())
}

fn bindings(image: &Image, values: &Values) -> Result<Box<[usize]>, ResolveError> {
    image
        .source
        .bindings
        .iter()
        .map(|&b| values.get(b))
        .collect()
}
