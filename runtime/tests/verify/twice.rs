//! Whether what makes values again changes nothing, by running the source twice: as it stands, and as
//! it was written, without that. What is found in each byte is who wrote it, as which argument.

use std::collections::BTreeMap;

use gpu_graph_runtime::table::*;

use crate::oracle::{Bytes, Verdict, must};

/// A byte of a resource.
type Place = (u32, u64);

/// The task of the graph as it was written, its argument and the byte in that; or a byte that was
/// there before the run.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Content {
    Written(u32, usize, u64),
    Before(Place),
}

fn accesses(s: &Source<'_>, task: u32) -> std::ops::Range<usize> {
    let span = s.tasks[task as usize].accesses;
    span.start as usize..(span.start + span.len) as usize
}

/// Whether every task of the graph as it was written reads the same in both, and every repetition
/// what its original reads. `values` and `ranges` are those of expressions and accesses.
pub fn judge(s: &Source<'_>, values: &[u64], ranges: &[Bytes]) -> Verdict {
    let mut originals = BTreeMap::new();
    for &(task, of) in s.again {
        must((task.max(of) as usize) < s.tasks.len(), "no such task")?;
        must(of < task, "made again before it is made")?;
        must(originals.insert(task, of).is_none(), "two originals")?;
    }
    for of in originals.values() {
        must(!originals.contains_key(of), "an original is made again")?;
    }
    let mut copies = BTreeMap::new();
    for (&task, &of) in &originals {
        passed_alike(s, values, task, of)?;
        must(
            accesses(s, task).len() == accesses(s, of).len(),
            "another number of arguments",
        )?;
        for (a, b) in accesses(s, task).zip(accesses(s, of)) {
            let (x, y) = (&s.accesses[a], &s.accesses[b]);
            let (r, of) = (
                &s.resources[x.resource as usize],
                &s.resources[y.resource as usize],
            );
            must(x.mode == y.mode, "another mode")?;
            must(ranges[a] == ranges[b], "another range")?;
            must(r.elem == of.elem, "another type")?;
            if x.mode != Mode::Read {
                let seen = match r.class {
                    Class::Input
                    | Class::InputMut
                    | Class::Output
                    | Class::Resident
                    | Class::Inout => true,
                    Class::Transient | Class::Workspace | Class::Staging => false,
                };
                must(!seen && x.resource != y.resource, "no copy of its own")?;
                must(r.domain == of.domain, "a copy in another domain")?;
                let known = copies.insert(x.resource, y.resource);
                must(known.is_none_or(|r| r == y.resource), "a copy of two")?;
            }
        }
    }
    let begun = || {
        let resources = s.resources.iter().zip(0..);
        let kept = resources.filter(|(r, _)| matches!(r.class, Class::Resident | Class::Inout));
        // More bytes than any access has.
        kept.flat_map(|(_, r)| (0..4096).map(move |byte| ((r, byte), Content::Before((r, byte)))))
            .collect::<BTreeMap<Place, Content>>()
    };
    let (mut stands, mut written) = (begun(), begun());
    let mut read_by: BTreeMap<u32, Vec<Option<Content>>> = BTreeMap::new();
    for task in 0..s.tasks.len() as u32 {
        let original = originals.get(&task).copied();
        let reads = |memory: &BTreeMap<Place, Content>, named: &dyn Fn(u32) -> u32| {
            let of = accesses(s, task).filter(|&a| s.accesses[a].mode != Mode::Overwrite);
            let bytes = of.flat_map(|a| {
                let r = named(s.accesses[a].resource);
                ranges[a].clone().map(move |byte| (r, byte))
            });
            bytes
                .map(|place| memory.get(&place).copied())
                .collect::<Vec<_>>()
        };
        let found = reads(&stands, &|r| r);
        match original {
            Some(of) => must(found == read_by[&of], "made again of something else")?,
            None => {
                let root = |r: u32| copies.get(&r).copied().unwrap_or(r);
                must(found == reads(&written, &root), "reads something else")?;
                read_by.insert(task, found);
            }
        }
        for (argument, a) in accesses(s, task).enumerate() {
            let Access { resource, mode, .. } = s.accesses[a];
            if mode == Mode::Read {
                continue;
            }
            let copy = copies.contains_key(&resource);
            must(copy == original.is_some(), "another writes a copy")?;
            let by = original.unwrap_or(task);
            for (byte, at) in ranges[a].clone().zip(0..) {
                let content = Content::Written(by, argument, at);
                stands.insert((resource, byte), content);
                if original.is_none() {
                    written.insert((resource, byte), content);
                }
            }
        }
    }
    Ok(())
}

/// Both are the same but for where tensors are.
fn passed_alike(s: &Source<'_>, values: &[u64], task: u32, of: u32) -> Verdict {
    let (a, b) = (s.tasks[task as usize], s.tasks[of as usize]);
    must(a.kind == b.kind, "another kind")?;
    let repeatable = !matches!(a.kind, TaskKind::Upload | TaskKind::Hold { .. });
    must(repeatable, "nothing that can be done again")?;
    let scalars = |t: Task| {
        let of = s.scalars.iter().skip(t.scalars.start as usize);
        let of = of.take(t.scalars.len as usize);
        of.map(|scalar| match *scalar {
            Scalar::Const(bits) => (0, bits),
            Scalar::Param(p) => (1, p.into()),
            Scalar::Extent(e) => (2, values[e as usize]),
        })
        .collect::<Vec<_>>()
    };
    must(scalars(a) == scalars(b), "other scalars")?;
    let dims = |t: Task| {
        let of = s.bindings.iter().skip(t.dims.start as usize);
        let of = of.take(t.dims.len as usize);
        of.map(|&e| values[e as usize]).collect::<Vec<_>>()
    };
    must(dims(a) == dims(b), "other dims")
}
