//! One place, one code, one error.

use std::collections::{BTreeMap, BTreeSet};

use gpu_graph_analysis::fault::{Edit, Fault};
use gpu_graph_analysis::model::Site;

use super::site::Origin;
use super::variants;
use super::view::{Place, SourceView};

/// A fault that others may be made into.
struct Kept {
    place: Option<Place>,
    fault: Fault,
    from: From,
    origin: Origin,
    /// From where else it was found.
    more: BTreeSet<From>,
    /// In which combinations of variants, by their numbers; `None` where it is outside of any, too.
    combinations: Option<BTreeSet<usize>>,
}

impl Kept {
    fn seen(&mut self, origin: &Origin) {
        match (origin.combination, &mut self.combinations) {
            (Some(one), Some(all)) => drop(all.insert(one)),
            _ => self.combinations = None,
        }
    }
}

/// From where a place was looked at: the iteration or call, and the call of a stage around it.
type From = (String, Option<Result<Place, Site>>);

/// The faults in the order of the source, those without a place last. Those of one place and one
/// code are made into the first of them, which keeps what the others add. What loops, calls of
/// stages and combinations of variants find again is one fault, and said once.
pub fn merged(faults: &[Fault], view: &dyn SourceView) -> Vec<Fault> {
    let mut out: Vec<Kept> = Vec::new();
    let mut first = BTreeMap::new();
    for fault in faults {
        let place = view.place(fault.site);
        let origin = view.origin(fault.site).cloned().unwrap_or_default();
        let call = origin.call.map(|call| view.place(call).ok_or(call));
        let from = (origin.path.clone(), call);
        // Without a place, a site is equal to itself only.
        let site = place.is_none().then_some(fault.site);
        let index = *first
            .entry((place.clone(), site, fault.code))
            .or_insert(out.len());
        match out.get_mut(index) {
            Some(kept) => {
                kept.seen(&origin);
                if from != kept.from && !from.0.is_empty() {
                    kept.more.insert(from);
                    kept.fault.also(fault);
                } else if origin.combination == kept.origin.combination {
                    add(&mut kept.fault, fault);
                }
            }
            None => out.push(Kept {
                place,
                fault: fault.clone(),
                from,
                combinations: origin.combination.map(|one| BTreeSet::from([one])),
                origin,
                more: BTreeSet::new(),
            }),
        }
    }
    out.sort_by(|a, b| (a.place.is_none(), &a.place).cmp(&(b.place.is_none(), &b.place)));
    out.into_iter().map(|kept| traced(kept, view)).collect()
}

/// The fault, and in which iteration, call or combination it was found, where that matters.
fn traced(kept: Kept, view: &dyn SourceView) -> Fault {
    let mut fault = kept.fault;
    // What another iteration of a loop does, it does at the same place.
    if !fault.here.is_empty() {
        let at = view.place(fault.site);
        fault
            .labels
            .retain(|label| at.is_none() || view.place(label.site) != at);
    }
    // So do tasks that it repeats.
    let mut said = BTreeSet::new();
    fault.labels.retain(|label| match view.place(label.site) {
        Some(place) => said.insert((place, label.text.clone())),
        None => true,
    });
    if fault.code.is_of_text() {
        return fault;
    }
    let origin_of = |edit: &Edit| view.origin(edit.at).cloned().unwrap_or_default();
    let mut edits = fault.fixes.iter().flat_map(|fix| &fix.edits);
    // What is written in a body would have to be right wherever else it is met.
    if !kept.origin.path.is_empty() && edits.any(|edit| !origin_of(edit).path.is_empty()) {
        fault.fixes.clear();
        fault.help = None;
    }
    let combinations = kept.combinations.as_ref();
    let note = combinations.and_then(|all| variants::note(all, view));
    // Other combinations have to stay right, and what stands in an arm is not seen outside of it.
    let mut edits = fault.fixes.iter().flat_map(|fix| &fix.edits);
    if note.is_some() || edits.any(|edit| origin_of(edit).arm != kept.origin.arm) {
        variants::keep_harmless(&mut fault);
    }
    if !kept.origin.path.is_empty() {
        let place = |site| view.place(site);
        if let Some(call) = kept.origin.call
            && !fault.labels.iter().any(|l| place(l.site) == place(call))
        {
            fault = fault.label(call, "in this call");
        }
        let more = match kept.more.len() {
            0 => String::new(),
            more => format!(", and in {more} more"),
        };
        fault = fault.note(format!("this is in `{}`{more}", kept.origin.path));
    }
    match note {
        Some(note) => fault.note(note),
        None => fault,
    }
}

fn add(kept: &mut Fault, other: &Fault) {
    let mut notes = vec![&other.message];
    notes.extend(&other.notes);
    for note in notes {
        if *note != kept.message && !kept.notes.contains(note) {
            kept.notes.push(note.clone());
        }
    }
    for label in &other.labels {
        if !kept.labels.contains(label) {
            kept.labels.push(label.clone());
        }
    }
    if kept.help.is_none() {
        kept.help.clone_from(&other.help);
        kept.fixes.clone_from(&other.fixes);
    }
}
