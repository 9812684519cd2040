//! Variants: which combinations there are, and the arm of a `match` that is there in each.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::variants;
use gpu_graph_analysis::limits;
use gpu_graph_analysis::model::Site;
use proc_macro2::Ident;

use super::task::Tasks;
use super::{Cx, text};
use crate::ast::{self, Arm, Match, Variant};
use crate::codegen::TYPES;
use crate::naming::camel;

/// What a run chooses: of each variant of a graph, by its position, the position of a value.
#[derive(Clone, Debug, Default)]
pub struct Choice(Vec<usize>);

impl Choice {
    /// Names of each variant and of the value that is chosen.
    pub fn names(&self, graph: &ast::Graph) -> Vec<(String, String)> {
        let chosen = graph.variants.iter().zip(&self.0);
        let names = chosen
            .map(|(variant, value)| (text(&variant.name), text(&variant.values[*value].name)));
        names.collect()
    }
}

/// `mode=decode, cache=off`.
pub fn shown(names: &[(String, String)]) -> String {
    let shown = names.iter().map(|(name, value)| format!("{name}={value}"));
    shown.collect::<Vec<_>>().join(", ")
}

/// Every combination of the variants of `graph`, the last one changing fastest; the only one where
/// there are none. `None` where something is wrong with them.
pub fn combinations(graph: &ast::Graph, cx: &mut Cx) -> Option<Vec<Choice>> {
    let before = cx.errors.len();
    let mut types = BTreeMap::new();
    for name in TYPES {
        types.insert(name.to_owned(), "a type of the module".to_owned());
    }
    let mut count = 1;
    for variant in &graph.variants {
        expands_to(&variant.name, &mut types, cx);
        values(variant, cx);
        count *= variant.values.len() as u64;
        if count > limits::COMBINATIONS {
            let site = cx.sites.push(&variant.name);
            let fault = variants::combinations(site, &text(&variant.name), count);
            cx.errors.push(fault);
            break;
        }
    }
    if cx.errors.len() > before {
        return None;
    }
    let mut all = vec![Choice::default()];
    for variant in &graph.variants {
        let longer = all.iter().flat_map(|choice| {
            (0..variant.values.len()).map(|value| {
                let mut choice = choice.clone();
                choice.0.push(value);
                choice
            })
        });
        all = longer.collect();
    }
    Some(all)
}

/// Reports values of one name.
fn values(variant: &Variant, cx: &mut Cx) {
    let (mut declared, mut types) = (BTreeMap::new(), BTreeMap::new());
    for value in &variant.values {
        let (name, site) = (text(&value.name), cx.sites.push(&value.name));
        if let Some(first) = declared.get(&name) {
            let fault = names::duplicate(site, Kind::Value, &name, *first);
            cx.errors.push(fault);
            continue;
        }
        declared.insert(name, site);
        expands_to(&value.name, &mut types, cx);
    }
}

/// Reports a name that would expand to a type that is there.
fn expands_to(name: &Ident, types: &mut BTreeMap<String, String>, cx: &mut Cx) {
    let (name_text, becomes) = (text(name), text(&camel(name)));
    match types.get(&becomes) {
        // Of two equal names the second is reported as such.
        Some(taken) if *taken != format!("`{name_text}`") => {
            let site = cx.sites.push(name);
            let fault = variants::taken(site, &name_text, &becomes, taken);
            cx.errors.push(fault);
        }
        _ => {
            types.insert(becomes, format!("`{name_text}`"));
        }
    }
}

impl<'a> Tasks<'a> {
    /// Appends what the arm does that is there, or what each does where a stage is looked at by
    /// itself.
    pub(super) fn choose(&mut self, choice: &'a Match, cx: &mut Cx) {
        let variant = text(&choice.variant);
        let site = cx.sites.push(&choice.variant);
        // A stage, or the variable of a loop, may be called like it.
        let instance = self.scope.instance(&format!("{variant}=="));
        let instance = instance.replace('=', "");
        let arms: Vec<_> = match self.graph {
            Some((graph, chosen)) => {
                let Some(arm) = self.arm(choice, site, graph, chosen, cx) else {
                    // What stands inside may use any scalar.
                    self.done.complete = false;
                    self.done.unseen = true;
                    return;
                };
                vec![arm]
            }
            None => {
                let named = |arm: &'a Arm| (arm.value.as_ref().map_or("_".to_owned(), text), arm);
                choice.arms.iter().map(named).collect()
            }
        };
        for (value, arm) in arms {
            let name = format!("{instance}={value}");
            self.scope.enter_arm(&name, &variant, &value, site, cx);
            self.body(&arm.body, cx);
            self.scope.leave(cx);
        }
    }

    /// The arm for what is chosen, and that value.
    fn arm(
        &mut self,
        choice: &'a Match,
        site: Site,
        graph: &'a ast::Graph,
        chosen: &'a Choice,
        cx: &mut Cx,
    ) -> Option<(String, &'a Arm)> {
        let name = text(&choice.variant);
        let mut known = graph.variants.iter();
        let Some(index) = known.position(|variant| text(&variant.name) == name) else {
            let fault = match self.scope.get(&name) {
                Some(other) => {
                    names::wrong_kind(site, &name, other.kind, Kind::Variant, other.site)
                }
                None => {
                    let known: Vec<_> = graph.variants.iter().map(|v| text(&v.name)).collect();
                    let known = known.iter().map(String::as_str);
                    names::unknown(site, Kind::Variant, &name, known)
                }
            };
            cx.errors.push(fault);
            return None;
        };
        if let Some(matched) = self.done.matched.get_mut(index) {
            *matched = true;
        }
        let variant = &graph.variants[index];
        let before = cx.errors.len();
        if let Some((value, outer)) = self.scope.settled(&name) {
            cx.errors.push(variants::settled(site, &name, value, outer));
        }
        let values: Vec<_> = variant.values.iter().map(|v| text(&v.name)).collect();
        let declared = cx.sites.push(&variant.name);
        let found = arms(choice, site, &name, &values, declared, cx);
        if cx.errors.len() > before {
            return None;
        }
        let value = &values[*chosen.0.get(index)?];
        Some((value.clone(), found.get(value)?))
    }
}

/// The arm of each value; reported where one has none or several.
fn arms<'a>(
    choice: &'a Match,
    site: Site,
    variant: &str,
    values: &[String],
    declared: Site,
    cx: &mut Cx,
) -> BTreeMap<String, &'a Arm> {
    let mut found: BTreeMap<String, &Arm> = BTreeMap::new();
    let mut rest: Option<&Arm> = None;
    let mut faults = Vec::new();
    for arm in &choice.arms {
        let at = cx.sites.push(arm.pattern);
        let name = arm.value.as_ref().map(text);
        let first = match &name {
            Some(name) if !values.contains(name) => {
                let known: Vec<_> = values.iter().map(String::as_str).collect();
                faults.push(variants::unknown_value(at, variant, name, &known, declared));
                continue;
            }
            Some(name) => found.get(name).copied().or(rest),
            None => rest,
        };
        let left = values.iter().any(|value| !found.contains_key(value));
        let first = first.or_else(|| choice.arms.first().filter(|_| name.is_none() && !left));
        if let Some(first) = first {
            let (all, first) = (cx.sites.push(arm.region), cx.sites.push(first.pattern));
            faults.push(variants::repeated_arm(at, all, name.as_deref(), first));
            continue;
        }
        match name {
            Some(name) => drop(found.insert(name, arm)),
            None => rest = Some(arm),
        }
    }
    if let Some(rest) = rest {
        for value in values {
            found.entry(value.clone()).or_insert(rest);
        }
    }
    let missing = values.iter().filter(|value| !found.contains_key(*value));
    let missing: Vec<_> = missing.map(String::as_str).collect();
    // What was meant for one of them may be what is unknown.
    if faults.is_empty() && !missing.is_empty() {
        faults.push(variants::missing_arm(site, variant, &missing, declared));
    }
    cx.errors.extend(faults);
    found
}

/// Reports variants that no `match` of this combination is over.
pub fn unmatched(graph: &ast::Graph, matched: &[bool], cx: &mut Cx) {
    for (variant, matched) in graph.variants.iter().zip(matched) {
        if !matched {
            let site = cx.sites.push(&variant.name);
            cx.errors
                .push(variants::unmatched(site, &text(&variant.name)));
        }
    }
}
