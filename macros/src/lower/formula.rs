//! Expressions of kernels.

use gpu_graph_analysis::calls::{self, InPlace};
use gpu_graph_analysis::formula::{self, Declared, Formula};
use gpu_graph_analysis::model::Site;

use super::Cx;
use crate::ast::{self, ParamType};

/// The meaning of `expression`, which is the body of `ast`. The kernel gets the index space and the
/// in-place form that follow from it.
///
/// `None` where something was reported.
pub fn lower(
    ast: &ast::Kernel,
    expression: &ast::Formula,
    kernel: &mut calls::Kernel,
    cx: &mut Cx,
) -> Option<Formula> {
    let params = ast.params.iter().map(|param| match &param.ty {
        ParamType::Ref(_, tensor) => Some(tensor),
        ParamType::Scalar(_) => None,
    });
    let tensors = params.chain([ast.result.as_ref()]);
    let extents: Vec<Vec<Site>> = tensors
        .map(|tensor| {
            let extents = tensor.map_or(&[][..], |tensor| &tensor.extents);
            extents.iter().map(|e| cx.sites.push(e.region)).collect()
        })
        .collect();
    let written = expression.clone().map(&mut |region| cx.sites.push(region));
    let declared = Declared {
        kernel,
        extents: &extents,
    };
    match formula::check(declared, &written) {
        Ok(formula) => {
            kernel.over = Some(formula.over(kernel.site));
            kernel.in_place = formula.in_place.map(|param| InPlace {
                param,
                site: kernel.site,
            });
            Some(formula)
        }
        Err(faults) => {
            cx.errors.extend(faults);
            None
        }
    }
}
