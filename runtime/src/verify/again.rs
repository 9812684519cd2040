//! Tasks that are there to make a value again: the source says them twice and means them once.
//!
//! The first of each pair of [`Source::again`] is a *repetition* of the second, the *original*. What
//! it writes are *copies*, each of what the original writes as the same argument. Without the
//! repetitions, and with each copy called what it is a copy of, the source is the graph as it was
//! written. That both mean the same is shown here:
//! - an original is before its repetitions and is none itself; both launch one kernel, or both fill,
//!   or both copy, and are passed the same scalars, dims and bytes of tensors of the same type;
//! - a copy is written by repetitions alone, all of them of writers of one resource, and neither
//!   begins before a run nor is seen behind it;
//! - whoever wrote last what a repetition reads is who wrote last what the original read;
//! - where another task reads a copy, what it is a copy of has the same content then.
//!
//! By induction over the statements each task reads what it reads in the graph as it was written,
//! if kernels are functions of what they are passed, as `recompute let` relies on. The other walks
//! prove that in every execution each access finds the version that the source says, so nothing is
//! said of the program here. A repetition that is in no pair is a task of the graph like any other.

mod content;

use super::cut::Cuts;
use super::in_place::range;
use super::{Table, Violation};
use crate::table::{Class, Mode, Scalar, Source, Task, TaskKind};
use content::Walk;

/// Words that [`check`] needs for a source of so many pieces.
pub(super) const fn words(source: &Source<'_>, pieces: usize) -> usize {
    match source.again.is_empty() {
        true => 0,
        false => source.tasks.len() + source.resources.len() + pieces,
    }
}

/// Checks all pairs. `expect` is what the walk over the source left of all accesses that read;
/// `words` are zero and as many as [`words`] says.
pub(super) const fn check(
    source: &Source<'_>,
    cuts: &Cuts<'_>,
    expect: &[u64],
    words: &mut [u64],
) -> Result<(), Violation> {
    if source.again.is_empty() {
        return Ok(());
    }
    let (original, rest) = words.split_at_mut(source.tasks.len());
    let (copied, now) = rest.split_at_mut(source.resources.len());
    tri!(pairs(source, original));
    let mut t = 0;
    while t < original.len() {
        if original[t] != 0 {
            tri!(alike(source, cuts, t, original[t] as usize - 1, copied));
        }
        t += 1;
    }
    Walk {
        source,
        cuts,
        expect,
        original,
        copied,
    }
    .check(now)
}

/// Sets `original` of each repetition to its original, counted from 1.
const fn pairs(source: &Source<'_>, original: &mut [u64]) -> Result<(), Violation> {
    let (again, count) = (source.again, source.again.len());
    let mut i = 0;
    while i < count {
        let (task, of) = (again[i].0 as usize, again[i].1 as usize);
        let entry = i as u32;
        if task >= original.len() || of >= original.len() {
            let table = Table::Again;
            return Err(Violation::Dangling { table, entry });
        }
        if of >= task || original[task] != 0 {
            return Err(Violation::Original { entry });
        }
        original[task] = of as u64 + 1;
        i += 1;
    }
    let mut i = 0;
    while i < count {
        if original[again[i].1 as usize] != 0 {
            return Err(Violation::Original { entry: i as u32 });
        }
        i += 1;
    }
    Ok(())
}

/// Task `t` is passed what `of` is passed, and `copied` says what the resources that it writes are
/// copies of, counted from 1.
const fn alike(
    source: &Source<'_>,
    cuts: &Cuts<'_>,
    t: usize,
    of: usize,
    copied: &mut [u64],
) -> Result<(), Violation> {
    let (a, b) = (&source.tasks[t], &source.tasks[of]);
    let (task, of) = (t as u32, of as u32);
    let another = Err(Violation::NotAgain { task, of });
    let same = match (a.kind, b.kind) {
        (TaskKind::Kernel(a), TaskKind::Kernel(b)) => a == b,
        (TaskKind::Fill, TaskKind::Fill) | (TaskKind::Copy, TaskKind::Copy) => true,
        _ => false,
    };
    if !same || !arguments(source, cuts, a, b) || a.accesses.len != b.accesses.len {
        return another;
    }
    let mut k = 0;
    while k < a.accesses.len {
        let (x, y) = (
            (a.accesses.start + k) as usize,
            (b.accesses.start + k) as usize,
        );
        let (own, other) = (&source.accesses[x], &source.accesses[y]);
        let resource = own.resource;
        let (r, s) = (resource as usize, other.resource as usize);
        let (of_r, of_s) = (&source.resources[r], &source.resources[s]);
        let ((at, len), (at_of, len_of)) = (range(source, cuts, x), range(source, cuts, y));
        if own.mode as u8 != other.mode as u8
            || of_r.elem as u8 != of_s.elem as u8
            || at != at_of
            || len != len_of
        {
            return another;
        }
        if !matches!(own.mode, Mode::Read) {
            let within = matches!(
                of_r.class,
                Class::Transient | Class::Workspace | Class::Staging
            );
            let known = copied[r];
            if !within
                || of_r.domain != of_s.domain
                || r == s
                || known != 0 && known != s as u64 + 1
            {
                return Err(Violation::NotOwn { task, resource });
            }
            copied[r] = s as u64 + 1;
        }
        k += 1;
    }
    Ok(())
}

/// Both tasks are passed the same scalars and dims.
const fn arguments(source: &Source<'_>, cuts: &Cuts<'_>, a: &Task, b: &Task) -> bool {
    if a.scalars.len != b.scalars.len || a.dims.len != b.dims.len {
        return false;
    }
    let mut i = 0;
    while i < a.scalars.len {
        let x = source.scalars[(a.scalars.start + i) as usize];
        let same = match (x, source.scalars[(b.scalars.start + i) as usize]) {
            (Scalar::Const(x), Scalar::Const(y)) => x == y,
            (Scalar::Param(x), Scalar::Param(y)) => x == y,
            (Scalar::Extent(x), Scalar::Extent(y)) => {
                cuts.values[x as usize] == cuts.values[y as usize]
            }
            _ => false,
        };
        if !same {
            return false;
        }
        i += 1;
    }
    let mut i = 0;
    while i < a.dims.len {
        let x = source.bindings[(a.dims.start + i) as usize];
        let y = source.bindings[(b.dims.start + i) as usize];
        if cuts.values[x as usize] != cuts.values[y as usize] {
            return false;
        }
        i += 1;
    }
    true
}
