//! In which combinations of variants a fault is there.

use std::collections::BTreeSet;

use gpu_graph_analysis::fault::{
    ALIAS_HOST, ALIAS_LIVE, Change, Edit, Fault, IN_PLACE_READ, ORDER_CYCLE, PAIR_CONTRADICTION,
    Part,
};

use super::site::Combination;
use super::view::SourceView;

/// What is chosen where a fault was found in the combinations of these numbers; `None` where that
/// is all of its graph.
pub fn note(found: &BTreeSet<usize>, view: &dyn SourceView) -> Option<String> {
    let first = view.combination(*found.first()?)?;
    // Another graph has combinations of its own.
    let found = found.range(first.all.clone());
    let found: Vec<&Combination> = found.filter_map(|n| view.combination(*n)).collect();
    let count = found.len();
    if count == first.all.len() {
        return None;
    }
    let all: Vec<_> = first
        .all
        .clone()
        .filter_map(|n| view.combination(n))
        .collect();
    let (mut said, mut covered) = (Vec::new(), 1);
    for (i, (variant, _)) in first.choice.iter().enumerate() {
        let values = |of: &[&Combination]| -> BTreeSet<String> {
            let values = of.iter().filter_map(|c| c.choice.get(i));
            values.map(|(_, value)| value.clone()).collect()
        };
        let (here, everywhere) = (values(&found), values(&all));
        covered *= here.len();
        if here.len() < everywhere.len() {
            let here: Vec<_> = here.iter().map(|value| format!("`{value}`")).collect();
            said.push(format!("`{variant}` is {}", here.join(" or ")));
        }
    }
    // Where it depends on how values go together, one such case says more than all.
    if covered != count || said.is_empty() {
        let choice = first.choice.iter();
        let case = choice.map(|(variant, value)| format!("`{variant}` is `{value}`"));
        let case = case.collect::<Vec<_>>().join(" and ");
        return Some(format!(
            "this is so in {count} of {} combinations, as where {case}",
            all.len()
        ));
    }
    Some(format!("this is so where {}", said.join(" and ")))
}

/// Keeps of the mends of `fault`, if it has any, those that only drop the demand it is about.
pub fn keep_harmless(fault: &mut Fault) {
    if fault.fixes.is_empty() {
        return;
    }
    let demands = [
        ALIAS_LIVE,
        ALIAS_HOST,
        IN_PLACE_READ,
        PAIR_CONTRADICTION,
        ORDER_CYCLE,
    ];
    let (site, demand) = (fault.site, demands.contains(&fault.code));
    let drops = |edit: &Edit| {
        edit.at == site
            && edit.part == Part::Statement
            && edit.change == Change::Replace(String::new())
    };
    fault
        .fixes
        .retain(|fix| demand && fix.edits.iter().all(drops));
    let said: Vec<_> = fault.fixes.iter().map(|fix| fix.text.as_str()).collect();
    fault.help = (!said.is_empty()).then(|| said.join(", or "));
}

#[cfg(test)]
mod tests {
    use gpu_graph_analysis::model::Site;

    use super::super::site::Origin;
    use super::super::view::Place;
    use super::*;

    struct Known(Vec<Combination>);

    impl SourceView for Known {
        fn place(&self, _: Site) -> Option<Place> {
            None
        }
        fn line(&self, _: &str, _: usize) -> Option<String> {
            None
        }
        fn origin(&self, _: Site) -> Option<&Origin> {
            None
        }
        fn combination(&self, number: usize) -> Option<&Combination> {
            self.0.get(number)
        }
    }

    /// What is said of these of six combinations, behind two of another graph.
    fn said(found: &[usize]) -> Option<String> {
        let choice = |mode: &str, sort: &str| {
            let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
            vec![pair("mode", mode), pair("sort", sort)]
        };
        let mut all = vec![(choice("a", "b"), 0..2), (choice("a", "c"), 0..2)];
        for mode in ["p", "q"] {
            all.extend(["u", "v", "w"].map(|sort| (choice(mode, sort), 2..8)));
        }
        let all = all
            .into_iter()
            .map(|(choice, all)| Combination { choice, all });
        note(
            &found.iter().map(|n| n + 2).collect(),
            &Known(all.collect()),
        )
    }

    #[test]
    fn a_note_names_what_a_fault_depends_on() {
        assert_eq!(said(&[0, 1, 2, 3, 4, 5]), None);
        let only = |found: &[usize]| said(found).expect("it depends on something");
        assert_eq!(only(&[3, 4, 5]), "this is so where `mode` is `q`");
        assert_eq!(only(&[1, 2, 4, 5]), "this is so where `sort` is `v` or `w`");
        assert_eq!(
            only(&[4]),
            "this is so where `mode` is `q` and `sort` is `v`"
        );
        let mixed = "this is so in 2 of 6 combinations, as where `mode` is `p` and `sort` is `u`";
        assert_eq!(only(&[0, 4]), mixed);
    }
}
