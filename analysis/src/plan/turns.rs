//! The plans of all combinations of a graph's variants, which take turns in one arena.
//!
//! A loaded graph takes the largest arena and the most staging that any combination needs, so that the
//! budget is held against these, and each isolation domain has one place for all.

use super::Plan;
use super::make::{Places, Weighed};
use crate::fault::Fault;
use crate::layout::{fits_budget, sizes::amount};
use crate::model::{Model, Region, RegionBytes};
use crate::policy::{Kind, Metric, Minimize};
use crate::record::Record;

/// Plans `model`, which the other checks of this crate have accepted.
///
/// The same model gives the same plan on every machine: searches count steps, never seconds.
///
/// # Errors
/// All faults of the first phase that finds any: a cyclic order; then demanded aliases that no proof
/// supports; then a budget that the graph exceeds, or an objective that rests on what is not known.
pub fn plan(model: &Model) -> Result<(Plan, Record), Vec<Fault>> {
    let mut all = plans(&[("", model)])?;
    all.pop().ok_or_else(Vec::new)
}

/// Plans all combinations of one graph, each under its name.
///
/// # Errors
/// As [`plan`], of each.
pub(crate) fn plans(named: &[(&str, &Model)]) -> Result<Vec<(Plan, Record)>, Vec<Fault>> {
    let models: Vec<&Model> = named.iter().map(|(_, model)| *model).collect();
    let (mut all, mut faults) = (Vec::new(), Vec::new());
    for model in &models {
        match Weighed::new(model) {
            Ok(weighed) => all.push((*model, weighed)),
            Err(found) => faults.extend(found),
        }
    }
    if !faults.is_empty() {
        for (model, mut one) in all {
            let none = RegionBytes::default();
            let found = (!fits_budget(model, one.layout())).then(|| asked_for_less(&[model]));
            faults.extend(found.and_then(|found| one.refused(&none, found)));
        }
        return Err(faults);
    }
    let mut all: Vec<Weighed> = all.into_iter().map(|(_, one)| one).collect();
    make_room(&models, &mut all)?;
    if !fit(&models, &all) {
        return Err(refused(named, &models, &mut all));
    }
    let mut places = Places::default();
    all.iter().for_each(|one| places.join(one));
    Ok(all.into_iter().map(|one| one.finish(&places)).collect())
}

/// What all but `own` of them take.
fn beside(all: &[Weighed], own: usize) -> RegionBytes {
    let others = all.iter().enumerate().filter(|(i, _)| *i != own);
    taken(others.map(|(_, other)| other))
}

/// Room for each of these.
fn taken<'a>(of: impl Iterator<Item = &'a Weighed>) -> RegionBytes {
    let mut taken = RegionBytes::default();
    of.for_each(|one| taken.join(&one.layout().regions));
    taken
}

/// The graph where others take `beside`.
fn among(model: &Model, beside: RegionBytes) -> Model {
    let mut model = model.clone();
    if let Some(budget) = &mut model.budget {
        budget.beside = beside;
    }
    model
}

/// Whether the budget has room for what a loaded graph takes.
fn fit(models: &[&Model], all: &[Weighed]) -> bool {
    let (Some(model), Some(one)) = (models.first(), all.first()) else {
        return true;
    };
    model.budget.is_none() || fits_budget(&among(model, beside(all, 0)), one.layout())
}

/// Weighs those anew for which the budget has room alone and not beside the others: they may do with
/// less.
fn make_room(models: &[&Model], all: &mut [Weighed]) -> Result<(), Vec<Fault>> {
    let alone = |(model, one): (&&Model, &Weighed)| fits_budget(model, one.layout());
    if fit(models, all) || !models.iter().zip(&*all).all(alone) {
        return Ok(());
    }
    for (i, model) in models.iter().enumerate() {
        let model = among(model, beside(all, i));
        if !fits_budget(&model, all[i].layout()) {
            all[i] = Weighed::new(&model)?;
        }
    }
    Ok(())
}

/// The faults of plans that the budget has no room for: of those that are too large alone, or of all.
fn refused(named: &[(&str, &Model)], models: &[&Model], all: &mut [Weighed]) -> Vec<Fault> {
    let found = asked_for_less(models);
    let fits = |(model, one): (&&Model, &Weighed)| fits_budget(model, one.layout());
    let alone: Vec<bool> = models.iter().zip(&*all).map(fits).collect();
    let together = alone.iter().all(|fits| *fits);
    let parts = together.then(|| parts(named, all));
    let mut faults = Vec::new();
    for i in 0..all.len() {
        let beside = beside(all, i);
        if together || !alone[i] {
            let fault = all[i].refused(&beside, found.clone());
            let noted = fault.map(|fault| parts.iter().fold(fault, |f, note| f.note(note.clone())));
            faults.extend(noted);
        }
    }
    faults
}

/// Which combination needs the most of what all have in common.
fn parts(named: &[(&str, &Model)], all: &[Weighed]) -> String {
    let taken = taken(all.iter());
    let arenas = taken.iter().filter(|(region, _)| !region.staging).count();
    let of = |(region, bytes): (Region, u64)| {
        let needs = |one: &&(&(&str, &Model), &Weighed)| one.1.layout().regions.of(region) == bytes;
        let all: Vec<_> = named.iter().zip(all).collect();
        let ((name, model), _) = all.iter().find(needs)?;
        let domain = model.domains.get(usize::from(region.domain));
        let domain = match domain {
            Some(domain) if region.domain > 0 => format!(" in the domain `{domain}`"),
            Some(_) if arenas > 1 => " in no domain".to_owned(),
            _ => String::new(),
        };
        let what = if region.staging {
            "staging"
        } else {
            "an arena"
        };
        Some(format!(
            "`{name}` needs {what} of {}{domain}",
            amount(bytes)
        ))
    };
    let each: Vec<String> = taken
        .iter()
        .filter(|(_, bytes)| *bytes > 0)
        .filter_map(of)
        .collect();
    format!(
        "a loaded graph takes the largest of each, whatever a run chooses: {}",
        each.join(", ")
    )
}

/// What `minimize peak` does and takes, which searches for more, where nothing is minimised and the budget
/// has room for that in all combinations.
fn asked_for_less(models: &[&Model]) -> Option<(Kind, u64)> {
    let asked = |model: &&Model| {
        let mut asked = (*model).clone();
        asked.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, model.site)]));
        asked
    };
    let budget = models.iter().all(|model| model.budget.is_some());
    if !budget || models.iter().any(|model| model.declared.minimize.is_some()) {
        return None;
    }
    let asked: Vec<Model> = models.iter().map(asked).collect();
    let asked: Vec<&Model> = asked.iter().collect();
    let all = asked.iter().map(|model| Weighed::new(model));
    let mut all = all.collect::<Result<Vec<_>, _>>().ok()?;
    make_room(&asked, &mut all).ok()?;
    if !fit(&asked, &all) {
        return None;
    }
    let taken = taken(all.iter());
    // What changes is said, if anything does.
    let does = all.iter().map(Weighed::does);
    let kind = does.reduce(|kind, other| match kind {
        Kind::Baseline => other,
        kind => kind,
    });
    Some((kind?, taken.all(false)))
}
