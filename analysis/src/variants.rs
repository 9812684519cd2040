//! Graphs with variants: one model for each combination of what is chosen at a run.
//!
//! Each is analysed by itself, so all that holds of a graph holds in each. What is not used in one
//! of them is no fault, unless it is used in none. Runs of all of them take turns in one memory: the
//! budget has room for the most that any of them takes of each, and isolation domains lie at one place
//! in all.

use std::collections::{BTreeMap, BTreeSet};

use crate::fault::{Fault, UNUSED};
use crate::model::{Model, Site};
use crate::plan::{plan, plans};
use crate::{Analysis, check, sound};

/// What one combination came to before it is analysed.
pub struct Combination<'a> {
    /// What is chosen, as in `mode=decode`.
    pub name: &'a str,
    /// The graph as it is then; `None` where what was found leaves none.
    pub model: Option<&'a Model>,
    /// What was found so far.
    pub faults: Vec<Fault>,
}

/// Checks and plans all combinations of a graph. `place` says which sites are one place: what is
/// written once has a site in each combination.
///
/// # Errors
/// The faults of all of them, in their order, each as [`analyse`](crate::analyse) gives them.
pub fn analyse<K: Ord>(
    combinations: Vec<Combination<'_>>,
    place: impl Fn(Site) -> K,
) -> Result<Vec<Analysis>, Vec<Fault>> {
    let mut all = combinations;
    let mut begun = Vec::with_capacity(all.len());
    for one in &mut all {
        begun.push(one.faults.len());
        one.faults
            .extend(one.model.map_or(Vec::new(), check::check));
    }
    let key = |fault: &Fault| (place(fault.site), fault.message.clone());
    let mut unused = BTreeMap::new();
    for one in &all {
        let found = one.faults.iter().filter(|fault| fault.code == UNUSED);
        for key in found.map(key).collect::<BTreeSet<_>>() {
            *unused.entry(key).or_insert(0) += 1;
        }
    }
    let (count, mut faults, mut models) = (all.len(), Vec::new(), Vec::with_capacity(all.len()));
    for (one, begun) in all.into_iter().zip(begun) {
        let everywhere = |fault: &Fault| {
            fault.code != UNUSED || unused.get(&key(fault)).is_some_and(|n| *n == count)
        };
        let mut of_lowering = one.faults;
        let mut of_checks = of_lowering.split_off(begun);
        of_lowering.retain(everywhere);
        of_checks.retain(everywhere);
        faults.extend(of_lowering);
        match one.model.map(|model| (model, sound(model, of_checks))) {
            Some((model, Ok(()))) => models.push((one.name, model)),
            Some((_, Err(found))) => faults.extend(found),
            None => {}
        }
    }
    if !faults.is_empty() || models.len() < count {
        let found = models.iter().filter_map(|(_, model)| plan(model).err());
        faults.extend(found.flatten());
        return Err(faults);
    }
    let done = plans(&models)?.into_iter();
    Ok(done
        .map(|(plan, record)| Analysis { plan, record })
        .collect())
}
