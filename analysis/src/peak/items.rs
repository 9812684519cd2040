//! The items of a model: what its arena holds.

use super::instance::Item;
use crate::alias::Merge;
use crate::frontier::Frontiers;
use crate::model::{Class, Model, ResourceId};

/// Each resource of `bytes` that lives in the arena is an item, and those that `merges` make one
/// another, in one slot, are one item together. What outlives runs and what is memory of the host
/// is apart. Uploads are users of inputs, so that an input is live from its upload on.
pub fn items(model: &Model, live: &Frontiers, bytes: &[u64], merges: &[Merge]) -> Vec<Item> {
    let mut home: Vec<usize> = (0..model.resources.len()).collect();
    let root = |home: &[usize], mut r: usize| {
        while home[r] != r {
            r = home[r];
        }
        r
    };
    for merge in merges {
        let x = root(&home, merge.operand.0 as usize);
        let y = root(&home, merge.result.0 as usize);
        home[x.max(y)] = x.min(y);
    }
    let mut at = vec![usize::MAX; model.resources.len()];
    let mut items: Vec<Item> = Vec::new();
    for (r, resource) in model.resources.iter().enumerate() {
        let id = ResourceId(r as u32);
        if resource.class.persists() || resource.region().staging {
            continue;
        }
        let root = root(&home, r);
        if at[root] == usize::MAX {
            at[root] = items.len();
            items.push(Item {
                workspace: resource.class == Class::Workspace,
                ..Item::default()
            });
        }
        let item = &mut items[at[root]];
        item.bytes = item.bytes.max(bytes[r]);
        item.users.extend_from_slice(live.users(id));
        item.to_end |= live.of(id).host;
        item.parts.push(id);
    }
    for item in &mut items {
        item.users.sort_unstable();
        item.users.dedup();
    }
    items
}
