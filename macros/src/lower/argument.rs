//! Arguments of calls.

use gpu_graph_analysis::calls::{Arg, ArgKind, Literal, Value};
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::model::ResourceId;
use proc_macro2::Ident;

use super::scope::Scope;
use super::{Cx, text};
use crate::ast::{self, ExtentKind};

/// What `arg` is; `None` where something was reported.
pub fn lower(arg: &ast::Arg, scope: &Scope, cx: &mut Cx) -> Option<Arg> {
    let kind = match &arg.kind {
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
            ExtentKind::Name(name) => self::name(name, scope, cx)?,
            _ => ArgKind::Extent(scope.extent(extent, cx)?),
        },
    };
    Some(Arg {
        kind,
        site: cx.sites.push(arg.region),
    })
}

fn name(name: &Ident, scope: &Scope, cx: &mut Cx) -> Option<ArgKind> {
    let name_text = text(name);
    let Some(named) = scope.get(&name_text) else {
        let site = cx.sites.push(name);
        // A scalar is what a bare name most often means; any other name may be the slip.
        let all = [
            Kind::Scalar,
            Kind::Dim,
            Kind::Const,
            Kind::Variable,
            Kind::Resource,
        ];
        let all = all.into_iter().flat_map(|kind| scope.of(kind));
        cx.errors
            .push(names::unknown(site, Kind::Scalar, &name_text, all));
        return None;
    };
    Some(match named.kind {
        Kind::Scalar => ArgKind::Scalar {
            elem: scope.scalars[named.index as usize].elem,
            index: named.index,
            declared: named.site,
            name: name_text,
        },
        Kind::Resource => ArgKind::Bare(ResourceId(named.index)),
        _ => ArgKind::Extent(scope.value(named)?),
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
