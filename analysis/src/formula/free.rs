//! Dims of the target that no operand has, where operands have dims that the target lacks.
//!
//! Along a dim of no operand all elements are alike, and its extent is that of the place which a call
//! gives the result. Alone that is a value that is repeated. Beside a dim that is lost it is a slip: the
//! one was meant for the other, and what is computed would be reduced over too much.

use super::{Axis, Declared, Syntax, SyntaxKind, Target, check};
use crate::calls::{Kernel, ParamKind, Tensor};
use crate::expr::Expr;
use crate::fault::formulas::{self, Lost};
use crate::fault::{DIM_OUTSIDE, FORMULA_EXTENT, FREE_DIM, Fault, closest};
use crate::model::Site;

/// A fault for each dim of `target` that no operand has, if what `expression` reads has dims that the
/// target lacks; `tensor` is the target's type.
pub(super) fn faults(
    declared: Declared<'_>,
    operands: &[Option<Vec<Axis>>],
    target: &Target,
    tensor: &Tensor,
    expression: &Syntax,
) -> Vec<Fault> {
    let kernel = declared.kernel;
    let read = |index: usize| expression.names(&kernel.params[index].name);
    let read: Vec<usize> = (0..kernel.params.len()).filter(|&i| read(i)).collect();
    let axes = |index: &usize| operands.get(*index).and_then(Option::as_deref);
    let dims = |axes: &[Axis]| axes.iter().filter_map(|a| a.dim()).collect::<Vec<_>>();
    let own = target.dims();
    // A parameter that is not read is refused for that, unless it is the target.
    let operand = |i: &usize| target.param != Some(*i) || read.contains(i);
    let had: Vec<usize> = (0..kernel.params.len()).filter(operand).collect();
    let had: Vec<usize> = had.iter().filter_map(axes).flat_map(dims).collect();
    let free: Vec<usize> = own.iter().copied().filter(|d| !had.contains(d)).collect();
    let lost = read.iter().filter_map(axes).flat_map(dims);
    let mut lost: Vec<usize> = lost.filter(|d| !own.contains(d)).collect();
    lost.sort_unstable();
    lost.dedup();
    if free.is_empty() || lost.is_empty() {
        return Vec::new();
    }
    let name = |dim: &usize| kernel.dims.get(*dim).map_or("", |d| d.name.as_str());
    let lacking = read.iter().filter_map(|index| {
        let of: Vec<_> = dims(axes(index)?);
        let dims: Vec<_> = of.iter().filter(|d| lost.contains(d)).map(name).collect();
        let param = kernel.params.get(*index)?;
        (!dims.is_empty()).then_some(Lost {
            param: &param.name,
            dims,
            site: param.site,
        })
    });
    let lacking: Vec<Lost<'_>> = lacking.collect();
    let what = target.param.and_then(|param| kernel.params.get(param));
    let what = what.map(|param| param.name.as_str());
    let meant = meant(declared, target, expression, &free, &lost);
    let each = free.iter().enumerate().map(|(at, dim)| {
        let index = target.param.unwrap_or(kernel.params.len());
        let axis = target.axes.iter().position(|a| a.dim() == Some(*dim));
        let site = declared.extents.get(index).zip(axis);
        let site = site.and_then(|(sites, axis)| sites.get(axis).copied());
        let site: Site = site.unwrap_or(tensor.site);
        let meant: Vec<&str> = meant.iter().map(|each| each[at].as_str()).collect();
        let near = closest(name(dim), lost.iter().map(name));
        formulas::free_dim(site, what, name(dim), &lacking, &meant, near)
    });
    each.collect()
}

/// What could stand in the places of `free`, so that dims and reductions go together: the nearest of
/// `lost` alone; else each of them, and one element.
fn meant(
    declared: Declared<'_>,
    target: &Target,
    expression: &Syntax,
    free: &[usize],
    lost: &[usize],
) -> Vec<Vec<String>> {
    let kernel = declared.kernel;
    let name = |dim: &usize| kernel.dims.get(*dim).map_or("", |d| d.name.as_str());
    let of_name = |near: &str| lost.iter().copied().find(|dim| name(dim) == near);
    let near = |dim: &usize| closest(name(dim), lost.iter().map(name)).and_then(of_name);
    let near: Option<Vec<Axis>> = free.iter().map(|dim| near(dim).map(Axis::Dim)).collect();
    let fits = |axes: &Vec<Axis>| {
        let mended = with(kernel, target, free, axes);
        let declared = Declared {
            kernel: &mended,
            ..declared
        };
        let codes = [DIM_OUTSIDE, FORMULA_EXTENT, FREE_DIM];
        let shaped = |faults: Vec<Fault>| !faults.iter().any(|f| codes.contains(&f.code));
        check(declared, expression).err().is_none_or(shaped)
    };
    let shown = |axes: Vec<Axis>| {
        let text = |axis: Axis| {
            axis.dim()
                .map_or("1".to_owned(), |dim| name(&dim).to_owned())
        };
        axes.into_iter().map(text).collect()
    };
    if let Some(near) = near.filter(fits) {
        return vec![shown(near)];
    }
    let alone = free.len() == 1;
    let each = lost
        .iter()
        .filter(|_| alone)
        .map(|dim| vec![Axis::Dim(*dim)]);
    let in_order = lost.iter().map(|dim| Axis::Dim(*dim)).collect();
    let in_order = [in_order]
        .into_iter()
        .filter(|all: &Vec<_>| !alone && all.len() == free.len());
    let ones = [vec![Axis::One; free.len()]];
    let all = each.chain(in_order).chain(ones).filter(fits);
    all.map(shown).collect()
}

/// `kernel` with `axes` in the places of the dims `free` of its target.
fn with(kernel: &Kernel, target: &Target, free: &[usize], axes: &[Axis]) -> Kernel {
    let mut mended = kernel.clone();
    let tensor = match target.param {
        Some(param) => match mended.params.get_mut(param).map(|p| &mut p.kind) {
            Some(ParamKind::Tensor { tensor, .. }) => Some(tensor),
            _ => None,
        },
        None => mended.result.as_mut(),
    };
    for (axis, extent) in target
        .axes
        .iter()
        .zip(tensor.into_iter().flat_map(|t| &mut t.shape))
    {
        let at = axis
            .dim()
            .and_then(|dim| free.iter().position(|f| *f == dim));
        let Some(written) = at.and_then(|at| axes.get(at)) else {
            continue;
        };
        let dim = written.dim().and_then(|dim| u16::try_from(dim).ok());
        *extent = dim.map_or(Expr::constant(1), Expr::dim);
    }
    mended
}

impl Syntax {
    /// The parameter of that name stands somewhere in it.
    fn names(&self, name: &str) -> bool {
        let here = matches!(&self.kind, SyntaxKind::Name(found) if found == name);
        here || self.inside().into_iter().any(|of| of.names(name))
    }
}
