//! Launches that update an operand into the result.

use super::Violation;
use super::cut::Cuts;
use crate::table::{Kernel, Mode, Program, Rows, Source, TaskKind};

/// The access that an in-place launch updates into its result, the last access.
pub(super) const fn operand(
    source: &Source<'_>,
    program: &Program<'_>,
    cuts: &Cuts<'_>,
    task: u32,
) -> Result<usize, Violation> {
    let refused = Err(Violation::InPlace { task });
    let span = source.tasks[task as usize].accesses;
    let TaskKind::Kernel(kernel) = source.tasks[task as usize].kind else {
        return refused;
    };
    let Kernel {
        in_place: Some(index),
        ..
    } = source.kernels[kernel as usize]
    else {
        return refused;
    };
    if index as u32 + 1 >= span.len {
        return refused;
    }
    let (a, b) = (
        span.start as usize + index as usize,
        (span.start + span.len - 1) as usize,
    );
    let (operand, result) = (&source.accesses[a], &source.accesses[b]);
    let (x, y) = (operand.resource as usize, result.resource as usize);
    let (from, to) = (&source.resources[x], &source.resources[y]);
    let (at_a, len_a) = place(source, program, cuts, a);
    let (at_b, len_b) = place(source, program, cuts, b);
    // An input may stay in the caller's memory, which is not ours to write.
    if !matches!((operand.mode, result.mode), (Mode::Read, Mode::Overwrite))
        || from.class.is_callers()
        || from.elem as u8 != to.elem as u8
        || x == y
        || at_a != at_b
        || len_a != len_b
    {
        return refused;
    }
    Ok(a)
}

/// First byte in the arena and length of an access.
const fn place(
    source: &Source<'_>,
    program: &Program<'_>,
    cuts: &Cuts<'_>,
    access: usize,
) -> (u64, u64) {
    let resource = source.accesses[access].resource as usize;
    let (start, len) = range(source, cuts, access);
    (program.slots[resource].offset + start, len)
}

/// Length of an access in bytes.
pub(super) const fn bytes(source: &Source<'_>, cuts: &Cuts<'_>, access: usize) -> u64 {
    range(source, cuts, access).1
}

/// First byte in its resource and length of an access.
pub(super) const fn range(source: &Source<'_>, cuts: &Cuts<'_>, access: usize) -> (u64, u64) {
    let r = source.accesses[access].resource as usize;
    let bytes = cuts.bytes[r];
    match source.accesses[access].rows {
        Rows::Span(lo, hi) if bytes > 0 => {
            let row = bytes / cuts.values[source.resources[r].shape[0] as usize];
            let (lo, hi) = (cuts.values[lo as usize], cuts.values[hi as usize]);
            (lo * row, (hi - lo) * row)
        }
        Rows::Span(..) => (0, 0),
        Rows::All => (0, bytes),
    }
}
