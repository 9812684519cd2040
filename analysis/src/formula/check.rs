//! From what was written to what it means.

use super::carry::{carried, kept};
use super::node::Walk;
use super::{Axis, Declared, Formula, Reduction, Syntax, Target, Ty, free};
use crate::calls::{Kernel, ParamKind, Tensor};
use crate::fault::Fault;
use crate::fault::formulas::{self, Typed};
use crate::model::Site;

/// The meaning of `expression` as the body of a kernel.
///
/// # Errors
/// All that is wrong with it: its extents, its target, names, types, dims and reductions, and
/// parameters that it does not use.
pub fn check(declared: Declared<'_>, expression: &Syntax) -> Result<Formula, Vec<Fault>> {
    let kernel = declared.kernel;
    let mut faults = Vec::new();
    let (operands, result) = declared.axes(&mut faults);
    let shaped = faults.is_empty();
    let target = target(kernel, &operands, result, &mut faults);
    let known = target.as_ref().filter(|_| shaped);
    let free = known.map_or(Vec::new(), |(target, tensor)| {
        free::faults(declared, &operands, target, tensor, expression)
    });
    // Whether a dim must be reduced is only known where all shapes are.
    let dims = known.filter(|_| free.is_empty()).map(|(t, _)| t.dims());
    faults.extend(free);
    let target_site = target
        .as_ref()
        .map_or(kernel.site, |(_, tensor)| tensor.site);
    let mut walk = Walk::new(kernel, &operands, dims, target_site);
    let hint = target.as_ref().map(|(t, _)| t.elem);
    walk.unreduced(expression);
    let value = walk.node(expression, hint);
    if let (Some(value), Some((target, tensor))) = (&value, &target)
        && value.ty != Ty::Elem(target.elem)
    {
        walk.faults.push(result_type(expression, value.ty, tensor));
    }
    faults.append(&mut walk.faults);
    // A name that was refused may have been meant as one of them.
    let whole = faults.is_empty();
    let written = target.as_ref().and_then(|(t, _)| t.param);
    for (i, param) in kernel.params.iter().enumerate() {
        if whole && !walk.used[i] && written != Some(i) {
            faults.push(formulas::unused_parameter(param.site, &param.name));
        }
    }
    let reductions = walk.reductions.into_iter();
    let reductions = reductions.map(|reduction| Reduction {
        of: carried(reduction.of),
        ..reduction
    });
    let reductions = reductions.collect();
    match (value, target) {
        (Some(value), Some((target, _))) if faults.is_empty() => Ok(Formula {
            in_place: in_place(kernel, &operands, &target),
            value: kept(carried(value), target.elem),
            target,
            operands,
            reductions,
        }),
        _ => Err(faults),
    }
}

fn result_type(expression: &Syntax, found: Ty, target: &Tensor) -> Fault {
    let value = Typed {
        ty: found,
        site: expression.site,
    };
    let wanted = Ty::Elem(target.elem);
    let mend = match found {
        Ty::Elem(_) => format!("{} as {wanted}", expression.before_cast()),
        Ty::Bool => format!("if {expression} {{ 1{wanted} }} else {{ 0{wanted} }}"),
    };
    formulas::value_type(value, wanted, target.site, mend)
}

/// What the kernel writes: its result or its one `&mut` parameter.
fn target<'a>(
    kernel: &'a Kernel,
    operands: &[Option<Vec<Axis>>],
    result: Vec<Axis>,
    faults: &mut Vec<Fault>,
) -> Option<(Target, &'a Tensor)> {
    let mut found: Option<(Target, &Tensor)> = None;
    let mut take = |param: Option<usize>, tensor: &'a Tensor, axes: Vec<Axis>, site: Site| {
        if let Some((_, first)) = &found {
            faults.push(formulas::two_targets(site, &kernel.name, first.site));
            return;
        }
        let target = Target {
            param,
            elem: tensor.elem,
            axes,
        };
        found = Some((target, tensor));
    };
    for (i, param) in kernel.params.iter().enumerate() {
        if let ParamKind::Tensor { tensor, mutable } = &param.kind
            && *mutable
            && let Some(Some(axes)) = operands.get(i)
        {
            take(Some(i), tensor, axes.clone(), param.site);
        }
    }
    if let Some(tensor) = &kernel.result {
        take(None, tensor, result, tensor.site);
    }
    if found.is_none() {
        faults.push(formulas::no_target(kernel.site, &kernel.name));
    }
    found
}

/// The first operand that is read as the result is written: at the index of the element, by all of
/// its dims.
fn in_place(kernel: &Kernel, operands: &[Option<Vec<Axis>>], target: &Target) -> Option<usize> {
    if target.param.is_some() {
        return None;
    }
    let alike = |(param, axes): (&crate::calls::Param, &Option<Vec<Axis>>)| {
        let ParamKind::Tensor { tensor, mutable } = &param.kind else {
            return false;
        };
        !mutable && tensor.elem == target.elem && axes.as_ref() == Some(&target.axes)
    };
    let found = kernel.params.iter().zip(operands).position(alike)?;
    // The tables count the tensors before it in one byte.
    (kernel.tensors_before(found) <= usize::from(u8::MAX)).then_some(found)
}
