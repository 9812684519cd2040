//! What tasks and kernels must fulfil whatever the order: indices, classes and launch limits.

use super::cut::Cuts;
use super::in_place::bytes;
use super::{Table, Violation};
use crate::table::{
    Access, Class, Expr, Kernel, Mode, Resource, Rows, Scalar, Source, Task, TaskKind, Term,
};

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

/// Checks every task and kernel. `uploads` has a zero for each resource.
pub(super) const fn check(
    source: &Source<'_>,
    cuts: &Cuts<'_>,
    uploads: &mut [u64],
) -> Result<(), Violation> {
    let mut k = 0;
    while k < source.kernels.len() {
        tri!(kernel(&source.kernels[k], k as u32));
        k += 1;
    }
    tri!(entries(source));
    let (tasks, accesses, resources) = (source.tasks, source.accesses, source.resources);
    let (count, all_kernels) = (tasks.len(), source.kernels.len());
    let (all_accesses, all_scalars) = (accesses.len() as u64, source.scalars.len() as u64);
    let all_bindings = source.bindings.len() as u64;
    let (values, bindings, grid) = (cuts.values, source.bindings, MAX_GRID);
    let mut next = 0;
    let mut t = 0;
    while t < count {
        let task = tasks[t];
        let (scalars, dims) = (task.scalars, task.dims);
        let mut a = task.accesses.start as u64;
        let end = a + task.accesses.len as u64;
        if end > all_accesses
            || scalars.start as u64 + scalars.len as u64 > all_scalars
            || dims.start as u64 + dims.len as u64 > all_bindings
            || matches!(task.kind, TaskKind::Kernel(k) if k as usize >= all_kernels)
        {
            return Err(Violation::Dangling {
                table: Table::Tasks,
                entry: t as u32,
            });
        }
        if a < next {
            return Err(Violation::SharedAccesses { task: t as u32 });
        }
        next = end;
        match task.kind {
            TaskKind::Upload => {
                let r = tri!(upload(source, &task, t as u32));
                uploads[r as usize] += 1;
            }
            TaskKind::Fill => {
                if task.accesses.len != 1 || !matches!(accesses[a as usize].mode, Mode::Overwrite) {
                    return Err(Violation::Fill { task: t as u32 });
                }
                tri!(written(resources, &accesses[a as usize], t as u32));
            }
            TaskKind::Copy => {
                let id = t as u32;
                if task.accesses.len != 2 {
                    return Err(Violation::Copy { task: id });
                }
                let (from, to) = (&accesses[a as usize], &accesses[a as usize + 1]);
                let alike = bytes(source, cuts, a as usize) == bytes(source, cuts, a as usize + 1);
                let modes = matches!((from.mode, to.mode), (Mode::Read, Mode::Overwrite));
                if !alike || !modes {
                    return Err(Violation::Copy { task: id });
                }
                tri!(written(resources, to, id));
            }
            TaskKind::Hold { since } => {
                let mut held = since < t as u32;
                while a < end {
                    held = held && !matches!(accesses[a as usize].mode, Mode::Overwrite);
                    a += 1;
                }
                if !held {
                    return Err(Violation::Hold { task: t as u32 });
                }
            }
            TaskKind::Kernel(k) => {
                let kernel = &source.kernels[k as usize];
                // 8 bytes for each pointer and each dim, at least one for each scalar.
                let passed = 8 * (end - a + dims.len as u64) + scalars.len as u64;
                if passed > kernel.params as u64 {
                    return Err(Violation::Arguments { task: t as u32 });
                }
                while a < end {
                    let Access { resource, mode, .. } = accesses[a as usize];
                    let class = resources[resource as usize].class;
                    if class.is_callers() && !matches!(mode, Mode::Read) {
                        return Err(Violation::InputWritten {
                            task: t as u32,
                            resource,
                        });
                    }
                    if matches!(class, Class::Staging) != kernel.callback {
                        return Err(Violation::Space {
                            task: t as u32,
                            resource,
                        });
                    }
                    a += 1;
                }
                // An empty index space is an empty launch, which every driver skips.
                let (over, axes) = (kernel.over, kernel.over.len());
                let mut i = 0;
                while i < axes {
                    let extent = match over[i] {
                        // Mostly an extent is one of the kernel's dims.
                        Expr {
                            constant: 0,
                            terms:
                                &[
                                    Term {
                                        scale: 1,
                                        dim,
                                        mul: 1,
                                        add: 0,
                                        div: 1,
                                    },
                                ],
                        } if (dim as u32) < dims.len => {
                            Some(values[bindings[dims.start as usize + dim as usize] as usize])
                        }
                        other => other.eval_bound(values, bindings, dims),
                    };
                    let most = kernel.block[i] as u64 * grid[3 - axes + i];
                    match extent {
                        Some(extent) if extent <= most => {}
                        _ => return Err(Violation::Grid { task: t as u32 }),
                    }
                    i += 1;
                }
            }
        }
        t += 1;
    }
    let count = resources.len();
    let mut r = 0;
    while r < count {
        let expected = resources[r].class.is_input() as u64;
        if uploads[r] != expected {
            return Err(Violation::Uploads { resource: r as u32 });
        }
        r += 1;
    }
    Ok(())
}

/// What may be in the caller's memory is not written, but by uploads.
const fn written(resources: &[Resource<'_>], access: &Access, task: u32) -> Result<(), Violation> {
    let resource = access.resource;
    match resources[resource as usize].class.is_callers() {
        true => Err(Violation::InputWritten { task, resource }),
        false => Ok(()),
    }
}

/// Entries of the small tables name what is there.
const fn entries(source: &Source<'_>) -> Result<(), Violation> {
    let (scalars, bindings) = (source.scalars, source.bindings);
    let (count, exprs) = (scalars.len(), source.exprs.len());
    let mut i = 0;
    while i < count {
        let there = match scalars[i] {
            Scalar::Const(_) => true,
            Scalar::Param(p) => p < source.params,
            Scalar::Extent(e) => (e as usize) < exprs,
        };
        if !there {
            return Err(Violation::Dangling {
                table: Table::Scalars,
                entry: i as u32,
            });
        }
        i += 1;
    }
    let count = bindings.len();
    let mut i = 0;
    while i < count {
        if bindings[i] as usize >= exprs {
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
            (Mode::Overwrite, Rows::All, Class::Input | Class::InputMut)
        ) {
            return Ok(access.resource);
        }
    }
    Err(Violation::Upload { task: id })
}
