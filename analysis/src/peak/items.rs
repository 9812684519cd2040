//! The items of a model: what its arena holds.

use super::instance::Item;
use crate::alias::Merge;
use crate::frontier::Frontiers;
use crate::model::{Class, Model, ResourceId};

/// Each resource of `bytes` that lives in the arena is an item, and those that `merges` make one
/// another, in one slot, are one item together. What outlives runs and what is memory of the host
/// is apart. Uploads are users of inputs, so that an input is live from its upload on.
pub fn items(model: &Model, live: &Frontiers, bytes: &[u64], merges: &[Merge]) -> Vec<Item> {
    let parts = (0u32..).zip(&model.resources).map(|(r, resource)| {
        let id = ResourceId(r);
        let apart = resource.class.persists() || resource.region().staging;
        (!apart).then(|| Item {
            bytes: bytes[r as usize],
            users: live.users(id).to_vec(),
            to_end: live.of(id).host,
            workspace: resource.class == Class::Workspace,
            parts: vec![id],
            ..Item::default()
        })
    });
    joined(parts, merges.iter().map(|m| [m.operand, m.result]))
}

/// One item for each of `parts` that is there, and one for all that are in one slot, as the one of a
/// pair becomes the other.
pub fn joined(
    parts: impl IntoIterator<Item = Option<Item>>,
    pairs: impl IntoIterator<Item = [ResourceId; 2]>,
) -> Vec<Item> {
    let parts: Vec<Option<Item>> = parts.into_iter().collect();
    let mut home: Vec<usize> = (0..parts.len()).collect();
    let root = |home: &[usize], mut r: usize| {
        while home[r] != r {
            r = home[r];
        }
        r
    };
    for [operand, result] in pairs {
        let x = root(&home, operand.0 as usize);
        let y = root(&home, result.0 as usize);
        home[x.max(y)] = x.min(y);
    }
    let mut at = vec![usize::MAX; parts.len()];
    let mut items: Vec<Item> = Vec::new();
    for (r, part) in parts.into_iter().enumerate() {
        let Some(part) = part else {
            continue;
        };
        let root = root(&home, r);
        if at[root] == usize::MAX {
            at[root] = items.len();
            items.push(part);
            continue;
        }
        let item = &mut items[at[root]];
        item.bytes = item.bytes.max(part.bytes);
        item.users.extend(part.users);
        item.to_end |= part.to_end;
        item.parts.extend(part.parts);
    }
    for item in items.iter_mut().filter(|item| item.parts.len() > 1) {
        item.users.sort_unstable();
        item.users.dedup();
    }
    items
}
