//! What tasks and kernels must fulfil whatever the order: indices, classes and launch limits.

use super::cut::Cuts;
use super::{Table, Violation};
use crate::table::{Class, Kernel, Mode, Rows, Scalar, Source, Span, Task, TaskKind};

/// Bytes of a parameter block at most.
pub const MAX_PARAMS: u32 = 4096;
/// Bytes of statically declared shared memory at most.
pub const MAX_SHARED: u32 = 49_152;
/// Threads of a block at most.
pub const MAX_THREADS: u64 = 1024;
/// Threads of a block along z, y and x at most.
pub const MAX_BLOCK: [u64; 3] = [64, 1024, 1024];
/// Blocks of a grid along z, y and x at most.
pub const MAX_GRID: [u64; 3] = [65_535, 65_535, 0x7fff_ffff];

/// Words that [`check`] needs.
pub(super) const fn words(source: &Source<'_>) -> usize {
    let mut most = 0;
    let mut t = 0;
    while t < source.tasks.len() {
        let len = source.tasks[t].dims.len as usize;
        if len > most {
            most = len;
        }
        t += 1;
    }
    // A span longer than its table is refused before it is used.
    let bindings = source.bindings.len();
    source.resources.len() + if most < bindings { most } else { bindings }
}

/// Checks every task and kernel. `words` are zero and as many as [`words`] says.
pub(super) const fn check(
    source: &Source<'_>,
    cuts: &Cuts<'_>,
    words: &mut [u64],
) -> Result<(), Violation> {
    let (uploads, dims) = words.split_at_mut(source.resources.len());
    let mut k = 0;
    while k < source.kernels.len() {
        tri!(kernel(&source.kernels[k], k as u32));
        k += 1;
    }
    tri!(entries(source));
    let mut next = 0;
    let mut t = 0;
    while t < source.tasks.len() {
        let task = &source.tasks[t];
        let id = t as u32;
        if !inside(task.accesses, source.accesses.len())
            || !inside(task.scalars, source.scalars.len())
            || !inside(task.dims, source.bindings.len())
        {
            return Err(Violation::Dangling {
                table: Table::Tasks,
                entry: id,
            });
        }
        if task.accesses.start < next {
            return Err(Violation::SharedAccesses { task: id });
        }
        next = task.accesses.start + task.accesses.len;
        match task.kind {
            TaskKind::Upload => {
                let r = tri!(upload(source, task, id));
                uploads[r as usize] += 1;
            }
            TaskKind::Kernel(k) => {
                if k as usize >= source.kernels.len() {
                    return Err(Violation::Dangling {
                        table: Table::Tasks,
                        entry: id,
                    });
                }
                let kernel = &source.kernels[k as usize];
                tri!(arguments(source, kernel, task, id));
                tri!(grid(source, cuts, kernel, task, id, dims));
            }
        }
        t += 1;
    }
    let mut r = 0;
    while r < uploads.len() {
        let expected = matches!(source.resources[r].class, Class::Input) as u64;
        if uploads[r] != expected {
            return Err(Violation::Uploads { resource: r as u32 });
        }
        r += 1;
    }
    Ok(())
}

const fn inside(span: Span, len: usize) -> bool {
    span.start as u64 + span.len as u64 <= len as u64
}

/// Entries of the small tables name what is there.
const fn entries(source: &Source<'_>) -> Result<(), Violation> {
    let mut i = 0;
    while i < source.scalars.len() {
        let there = match source.scalars[i] {
            Scalar::Const(_) => true,
            Scalar::Param(p) => p < source.params,
            Scalar::Extent(e) => (e as usize) < source.exprs.len(),
        };
        if !there {
            return Err(Violation::Dangling {
                table: Table::Scalars,
                entry: i as u32,
            });
        }
        i += 1;
    }
    let mut i = 0;
    while i < source.bindings.len() {
        if source.bindings[i] as usize >= source.exprs.len() {
            return Err(Violation::Dangling {
                table: Table::Bindings,
                entry: i as u32,
            });
        }
        i += 1;
    }
    Ok(())
}

const fn kernel(kernel: &Kernel<'_>, id: u32) -> Result<(), Violation> {
    if kernel.shared > MAX_SHARED {
        return Err(Violation::Shared { kernel: id });
    }
    if kernel.params > MAX_PARAMS {
        return Err(Violation::Params { kernel: id });
    }
    let axes = kernel.over.len();
    if axes > 3 || kernel.block.len() != axes {
        return Err(Violation::Block { kernel: id });
    }
    let mut threads = 1;
    let mut i = 0;
    while i < axes {
        let extent = kernel.block[i] as u64;
        if extent < 1 || extent > MAX_BLOCK[3 - axes + i] {
            return Err(Violation::Block { kernel: id });
        }
        threads *= extent;
        i += 1;
    }
    if threads > MAX_THREADS {
        return Err(Violation::Block { kernel: id });
    }
    Ok(())
}

/// The resource that an upload fills.
const fn upload(source: &Source<'_>, task: &Task, id: u32) -> Result<u32, Violation> {
    if task.accesses.len == 1 {
        let access = &source.accesses[task.accesses.start as usize];
        let class = source.resources[access.resource as usize].class;
        if matches!(
            (access.mode, access.rows, class),
            (Mode::Overwrite, Rows::All, Class::Input)
        ) {
            return Ok(access.resource);
        }
    }
    Err(Violation::Upload { task: id })
}

/// A kernel writes no input, and its parameter block has room: 8 bytes for each pointer and each
/// dim, at least one for each scalar.
const fn arguments(
    source: &Source<'_>,
    kernel: &Kernel<'_>,
    task: &Task,
    id: u32,
) -> Result<(), Violation> {
    let passed = 8 * (task.accesses.len as u64 + task.dims.len as u64) + task.scalars.len as u64;
    if passed > kernel.params as u64 {
        return Err(Violation::Arguments { task: id });
    }
    let mut a = task.accesses.start as usize;
    let end = a + task.accesses.len as usize;
    while a < end {
        let access = &source.accesses[a];
        let class = source.resources[access.resource as usize].class;
        if matches!(class, Class::Input) && !matches!(access.mode, Mode::Read) {
            return Err(Violation::InputWritten {
                task: id,
                resource: access.resource,
            });
        }
        a += 1;
    }
    Ok(())
}

/// The grid that a task's index space and block make is within the limits. An empty index space
/// is an empty launch, which every driver skips.
const fn grid(
    source: &Source<'_>,
    cuts: &Cuts<'_>,
    kernel: &Kernel<'_>,
    task: &Task,
    id: u32,
    scratch: &mut [u64],
) -> Result<(), Violation> {
    let axes = kernel.over.len();
    if axes == 0 {
        return Ok(());
    }
    let dims = scratch.split_at_mut(task.dims.len as usize).0;
    let mut d = 0;
    while d < dims.len() {
        let binding = source.bindings[task.dims.start as usize + d];
        dims[d] = cuts.values[binding as usize];
        d += 1;
    }
    let mut i = 0;
    while i < axes {
        let blocks = match kernel.over[i].eval(dims) {
            Some(extent) => extent.div_ceil(kernel.block[i] as u64),
            None => return Err(Violation::Grid { task: id }),
        };
        if blocks > MAX_GRID[3 - axes + i] {
            return Err(Violation::Grid { task: id });
        }
        i += 1;
    }
    Ok(())
}
