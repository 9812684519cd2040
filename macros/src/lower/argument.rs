//! Arguments of calls.

use gpu_graph_analysis::calls::{Arg, ArgKind, Literal, ParamKind, Value};
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::{Edit, Fault, closest, raw, scalars};
use gpu_graph_analysis::model::{ResourceId, Site};
use proc_macro2::Ident;

use super::scope::Scope;
use super::{Cx, extent, text};
use crate::ast::{self, ExtentKind};

/// What `arg` is, which is passed for `param`, if that is known; `None` where something was
/// reported.
pub fn lower(
    arg: &ast::Arg,
    param: Option<&ParamKind>,
    scope: &mut Scope,
    cx: &mut Cx,
) -> Option<Arg> {
    let kind = match &arg.kind {
        ast::ArgKind::Ref(_, view)
            if matches!(param, Some(ParamKind::Scalar(_))) && scope.is_scalar(&view.name) =>
        {
            let name = text(&view.name);
            let named = scope.get(&name)?;
            let site = cx.sites.push(arg.region);
            scope.names(named);
            let fault = names::wrong_kind(site, &name, Kind::Scalar, Kind::Resource, named.site);
            let fault = fault.here("a scalar is passed by value");
            cx.errors
                .push(fault.fix("write `{}`", [Edit::replace(site, raw(&name))]));
            return None;
        }
        ast::ArgKind::Ref(effect, view) => {
            let writes = effect.mutable.then_some(false);
            let place = scope.place(view, writes, cx)?;
            ArgKind::Ref {
                mutable: effect.mutable,
                place,
            }
        }
        ast::ArgKind::Literal(literal) => ArgKind::Literal(self::literal(literal)),
        ast::ArgKind::Extent(extent) => match &extent.kind {
            ExtentKind::Name(name) => self::name(name, param, scope, cx)?,
            _ if computed(extent, scope) => {
                let site = cx.sites.push(arg.region);
                cx.errors.push(scalars::computed(site));
                return None;
            }
            _ => ArgKind::Extent {
                value: scope.extent(extent, cx)?,
                text: extent::show(extent),
            },
        },
    };
    Some(Arg {
        kind,
        site: cx.sites.push(arg.region),
    })
}

/// Some name in `extent` is that of a scalar.
fn computed(extent: &ast::Extent, scope: &Scope) -> bool {
    match &extent.kind {
        ExtentKind::Int(_) => false,
        ExtentKind::Name(name) => {
            let named = scope
                .get(&text(name))
                .filter(|named| named.kind == Kind::Scalar);
            named.map(|named| scope.names(named)).is_some()
        }
        ExtentKind::Neg(of) => computed(of, scope),
        // Both sides are looked at: no scalar in them is an unused one.
        ExtentKind::Binary(left, _, right) => computed(left, scope) | computed(right, scope),
    }
}

/// A scalar that nothing else names may be what `name`, which is none, was to be: the nearest, or any.
fn meant(name: &str, scope: &Scope) {
    let scalars: Vec<_> = scope.of(Kind::Scalar).collect();
    let near = closest(name, scalars.iter().copied());
    for scalar in scalars {
        if near.is_none_or(|near| near == scalar)
            && let Some(named) = scope.get(scalar)
        {
            scope.names(named);
        }
    }
}

/// What could be meant by a name that nothing has, where `param` is passed.
fn fitting<'s>(param: Option<&ParamKind>, scope: &'s Scope) -> Vec<&'s str> {
    // A scalar is what a bare name most often means; any other name may be the slip.
    let kinds: &[Kind] = match param {
        Some(ParamKind::Tensor { .. }) => &[Kind::Resource, Kind::View],
        // An extent is a whole number.
        Some(ParamKind::Scalar(elem)) if elem.int_range().is_none() => &[Kind::Scalar],
        Some(ParamKind::Scalar(_)) => &[Kind::Scalar, Kind::Dim, Kind::Const, Kind::Variable],
        None => &[
            Kind::Scalar,
            Kind::Dim,
            Kind::Const,
            Kind::Variable,
            Kind::Resource,
            Kind::View,
        ],
    };
    let typed = |name: &&str| match (param, scope.get(name)) {
        (Some(ParamKind::Scalar(elem)), Some(named)) if named.kind == Kind::Scalar => {
            scope.scalars[named.index as usize].elem == *elem
        }
        _ => true,
    };
    let all = kinds.iter().flat_map(|kind| scope.before(*kind));
    all.filter(typed).collect()
}

fn unknown(site: Site, name: &str, param: Option<&ParamKind>, scope: &Scope) -> Fault {
    const NAMES: &[Kind] = &[Kind::Resource, Kind::View, Kind::Const, Kind::Variable];
    if let Some(fault) = scope.local(site, name, NAMES) {
        return fault;
    }
    // A resource is passed with its effect.
    let effect = |close: &str| match param {
        _ if !scope.of(Kind::Resource).any(|known| known == close) => "",
        Some(ParamKind::Tensor { mutable: true, .. }) => "&mut ",
        _ => "&",
    };
    let wanted = match param {
        Some(ParamKind::Tensor { .. }) => Kind::Resource,
        _ => Kind::Scalar,
    };
    let fit = fitting(param, scope);
    let fault = names::unknown_as(site, wanted, name, fit.iter().copied(), effect);
    if fault.help.is_some() {
        return fault;
    }
    // What is near may be of any kind; what is listed can stand here.
    let listed: &[Kind] = match wanted {
        Kind::Resource => &[Kind::Resource, Kind::View],
        _ => &[Kind::Scalar, Kind::Const],
    };
    let listed = listed.iter().flat_map(|kind| scope.before(*kind));
    let fault = names::unknown(site, wanted, name, listed);
    match param {
        Some(ParamKind::Scalar(elem)) => names::declare_scalar(fault, name, *elem),
        _ => fault,
    }
}

fn name(name: &Ident, param: Option<&ParamKind>, scope: &Scope, cx: &mut Cx) -> Option<ArgKind> {
    let name_text = text(name);
    let Some(named) = scope.get(&name_text) else {
        let site = cx.sites.push(name);
        cx.errors.push(unknown(site, &name_text, param, scope));
        if !matches!(param, Some(ParamKind::Tensor { .. })) {
            meant(&name_text, scope);
        }
        return None;
    };
    scope.names(named);
    Some(match named.kind {
        Kind::Scalar => ArgKind::Scalar {
            elem: scope.scalars[named.index as usize].elem,
            index: named.index,
            declared: named.site,
            name: name_text,
        },
        Kind::Resource | Kind::View => ArgKind::Bare(ResourceId(named.index)),
        Kind::Variant => {
            let site = cx.sites.push(name);
            let fault = names::wrong_kind(site, &name_text, named.kind, Kind::Scalar, named.site);
            cx.errors.push(fault);
            return None;
        }
        _ => ArgKind::Extent {
            value: scope.value(named)?,
            text: raw(&name_text).into_owned(),
        },
    })
}

fn literal(literal: &ast::Literal) -> Literal {
    Literal {
        value: match &literal.value {
            ast::Value::Int {
                negative,
                magnitude,
            } => {
                let value = i128::from(*magnitude);
                Value::Int(if *negative { -value } else { value })
            }
            ast::Value::Float(text) => Value::Float(text.clone()),
        },
        suffix: literal.suffix.map(|ty| ty.elem),
    }
}
