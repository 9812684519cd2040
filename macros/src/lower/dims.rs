//! Dims and their bounds.

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::names::Kind;
use gpu_graph_analysis::fault::{sizes, stages};
use gpu_graph_analysis::model::{Dim, Site};

use super::scope::Scope;
use super::{Cx, text};
use crate::ast::{self, Extent};

/// The dim of that index, unless there are too many of them.
pub fn expr(index: usize, site: Site, cx: &mut Cx) -> Option<Expr> {
    match u16::try_from(index) {
        Ok(index) => Some(Expr::dim(index)),
        Err(_) => {
            cx.errors.push(sizes::too_many_dims(site, 1 << 16));
            None
        }
    }
}

/// Declares a dim of the graph.
pub fn declare(dim: &ast::Dim, scope: &mut Scope, cx: &mut Cx) {
    let name = text(&dim.name);
    let index = scope.dims.len();
    let site = cx.sites.push(&dim.name);
    let value = expr(index, site, cx);
    scope.sound &= value.is_some();
    let site = scope.number(Kind::Dim, &dim.name, value, cx);
    // A dim that was refused stays with some bounds, so that its uses are not reported too.
    let (min, max) = bounds(dim, &name, scope, cx).unwrap_or_else(|min| {
        scope.sound = false;
        (min, min)
    });
    scope.dims.push(Dim {
        name,
        min,
        max,
        product: Vec::new(),
        site,
    });
}

/// The smallest and the largest value, or the former alone where the rest was refused.
fn bounds(dim: &ast::Dim, name: &str, scope: &Scope, cx: &mut Cx) -> Result<(u64, u64), u64> {
    let mut number = |bound: &Extent, from: Option<u64>| {
        let value = scope.constant(bound, cx).ok_or(0u64)?;
        u64::try_from(value).map_err(|_| {
            let site = cx.sites.push(bound.region);
            let fault = stages::negative_bound(site, name, value, from);
            cx.errors.push(fault);
            0u64
        })
    };
    let min = dim.min.as_ref().map(|min| number(min, None));
    let from = min.unwrap_or(Ok(0)).unwrap_or(0);
    let end = dim.end.as_ref().map(|end| number(end, Some(from)));
    let from = min.transpose()?;
    let min = from.unwrap_or(0);
    let Some(end) = end.transpose()? else {
        let most = sizes::largest(from, cx.halvings);
        if cx.assumed {
            return Ok((from.unwrap_or(1), most));
        }
        let at = cx.sites.push(dim.range);
        cx.errors.push(sizes::unbounded_dim(at, name, from, most));
        return Err(min);
    };
    let max = if dim.inclusive {
        Some(end)
    } else {
        end.checked_sub(1)
    };
    match max {
        Some(max) if min <= max => Ok((min, max)),
        max => {
            let sign = if dim.inclusive { "..=" } else { ".." };
            let range = format!("{min}{sign}{end}");
            let at = cx.sites.push(dim.range);
            let fault = sizes::empty_dim(at, name, &range, min, max.unwrap_or(0));
            cx.errors.push(fault);
            Err(min)
        }
    }
}
