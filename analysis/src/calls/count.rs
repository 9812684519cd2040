//! Calls with more or fewer arguments than the kernel has parameters.

use std::borrow::Cow;

use super::{Arg, ArgKind, Call, Kernel, Literal, Param, ParamKind, Place, Value};
use super::{bind, show_place, show_type};
use crate::fault::calls::{self as texts, Declared};
use crate::fault::{Edit, Fault, Fix, Part, raw};
use crate::model::{Class, Dim, Resource, ResourceId, Rows};

/// Calls that are tried as a mend, at most.
const TRIED: usize = 64;

/// The fault of a call with the wrong number of arguments.
pub(super) fn fault(kernel: &Kernel, call: &Call, resources: &[Resource], dims: &[Dim]) -> Fault {
    let show = |param: &Param| match &param.kind {
        ParamKind::Tensor { tensor, mutable } => {
            let effect = if *mutable { "&mut " } else { "&" };
            let ty = show_type(tensor.elem, &tensor.shape, &kernel.dims);
            format!("{}: {effect}{ty}", raw(&param.name))
        }
        ParamKind::Scalar(elem) => format!("{}: {elem}", raw(&param.name)),
    };
    let params: Vec<_> = kernel.params.iter().map(show).collect();
    let extra = call.args.get(params.len()..).unwrap_or_default();
    let site = extra.first().map_or(call.end, |extra| extra.site);
    let declared = Declared {
        kernel: &kernel.name,
        param: None,
        site: kernel.site,
    };
    let mend = match extra {
        [] => fewer(kernel, call, resources, dims),
        [one] => Some(Fix::new("drop it", [dropped(one)])),
        more => {
            let words = format!("drop the last {} arguments", more.len());
            Some(Fix::new(&words, more.iter().map(dropped)))
        }
    };
    texts::argument_count(site, declared, call.args.len(), &params, mend)
}

fn dropped(arg: &Arg) -> Edit {
    Edit::remove(arg.site).of(Part::Entry)
}

/// The call with arguments for the parameters that have none, if such a call binds.
fn fewer(kernel: &Kernel, call: &Call, resources: &[Resource], dims: &[Dim]) -> Option<Fix> {
    let missing = kernel.params.get(call.args.len()..)?;
    let choices = missing
        .iter()
        .map(|param| candidates(param, call, resources));
    let choices: Vec<Vec<ArgKind>> = choices.collect();
    let all: usize = choices.iter().map(Vec::len).product();
    let tried = |mut index: usize, apart: bool| {
        let mut full = call.clone();
        for kinds in &choices {
            let kind = kinds[index % kinds.len()].clone();
            index /= kinds.len();
            full.args.push(Arg {
                kind,
                site: call.end,
            });
        }
        let added = &full.args[call.args.len()..];
        let mut others = added.iter().enumerate();
        if apart && others.any(|(i, arg)| added[..i].iter().any(|other| other.kind == arg.kind)) {
            return None;
        }
        bind(kernel, 0, &full, resources, dims).ok()?;
        Some(full.args)
    };
    // One resource for two parameters is the last that is meant.
    let most = all.min(TRIED);
    let chosen = (0..most).find_map(|index| tried(index, true));
    let chosen = chosen.or_else(|| (0..most).find_map(|index| tried(index, false)))?;
    let show = |arg: &Arg| shown(arg, resources, dims);
    let (given, added) = chosen.split_at(call.args.len());
    let [given, added] = [given, added].map(|args| args.iter().map(show).collect::<Vec<_>>());
    let (given, added) = (given.join(", "), added.join(", "));
    let edit = match call.args.last() {
        Some(last) => Edit::behind(last.site, format!(", {added}")),
        None => Edit::before(call.end, added),
    };
    let words = format!("call `{}({given}{{}})`", raw(&kernel.name));
    Some(Fix::new(&words, [edit]))
}

/// What could stand for `param`, first what nothing takes yet. Of the other resources it is not known
/// here which are declared before the call, but those are that stand before another one of the same
/// call.
fn candidates(param: &Param, call: &Call, resources: &[Resource]) -> Vec<ArgKind> {
    let mutable = match &param.kind {
        ParamKind::Tensor { mutable, .. } => *mutable,
        ParamKind::Scalar(elem) => {
            let value = match elem {
                float if float.int_range().is_none() => Value::Float("1.0".to_owned()),
                _ => Value::Int(1),
            };
            let suffix = None;
            return vec![ArgKind::Literal(Literal { value, suffix })];
        }
    };
    let passed = call.args.iter().filter_map(|arg| match &arg.kind {
        ArgKind::Ref { place, .. } => Some(place.resource.0),
        _ => None,
    });
    let passed: Vec<_> = passed.collect();
    let before = passed.iter().copied().max().map_or(0, |last| last + 1);
    let place = call.place.as_ref().map_or(0, |place| place.resource.0);
    let fits = |id: &u32| {
        let class = resources.get(*id as usize).map(|r| r.class);
        match mutable {
            false => class.is_some_and(Class::is_input) || passed.contains(id),
            true => class == Some(Class::Transient) && !passed.contains(id) && *id != place,
        }
    };
    let mut ids: Vec<u32> = (0..before.max(place)).filter(fits).collect();
    ids.sort_by_key(|id| (passed.contains(id), *id));
    if !mutable {
        let idle = call.idle.iter().map(|id| id.0);
        let own = call.place.as_ref().map(|place| place.resource.0);
        let idle = idle.filter(|id| Some(*id) != own && !passed.contains(id));
        let idle: Vec<_> = idle.collect();
        ids.retain(|id| !idle.contains(id));
        ids.splice(0..0, idle);
    }
    let reference = |id| ArgKind::Ref {
        mutable,
        place: Place {
            resource: ResourceId(id),
            rows: Rows::All,
            site: call.end,
            rows_site: call.end,
        },
    };
    ids.into_iter().map(reference).collect()
}

/// The argument as one would write it.
fn shown(arg: &Arg, resources: &[Resource], dims: &[Dim]) -> String {
    let name = |id: ResourceId| {
        let of = resources.get(id.0 as usize);
        of.map_or(Cow::Borrowed(""), |r| raw(&r.name))
    };
    match &arg.kind {
        ArgKind::Ref { mutable, place } => {
            let effect = if *mutable { "&mut " } else { "&" };
            let place = show_place(&name(place.resource), &place.rows, dims);
            format!("{effect}{place}")
        }
        ArgKind::Bare(id) => name(*id).into_owned(),
        ArgKind::Literal(literal) => literal.to_string(),
        ArgKind::Scalar { name, .. } => raw(name).into_owned(),
        ArgKind::Extent { text, .. } => text.clone(),
    }
}
