//! Axes: an expression kernel indexes each tensor by the dims of its own extents.

use crate::calls::{Kernel, ParamKind, Tensor};
use crate::fault::{Fault, formulas};
use crate::model::Site;

/// An axis of a tensor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Axis {
    /// It runs over that dim of the kernel.
    Dim(usize),
    /// Its extent is 1.
    One,
}

impl Axis {
    /// Its dim.
    pub fn dim(self) -> Option<usize> {
        match self {
            Axis::Dim(dim) => Some(dim),
            Axis::One => None,
        }
    }
}

/// The kernel that a formula belongs to.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    /// Its parameters, its result and their dims.
    pub kernel: &'a Kernel,
    /// Where the extents of each parameter are written, and behind those the extents of the result;
    /// none for a scalar.
    pub extents: &'a [Vec<Site>],
}

impl Declared<'_> {
    /// Axes of each parameter, `None` for a scalar, and of the result.
    pub(super) fn axes(&self, faults: &mut Vec<Fault>) -> (Vec<Option<Vec<Axis>>>, Vec<Axis>) {
        let params = self.kernel.params.iter().enumerate();
        let params = params.map(|(i, param)| match &param.kind {
            ParamKind::Tensor { tensor, .. } => Some(self.tensor(i, tensor, faults)),
            ParamKind::Scalar(_) => None,
        });
        let params = params.collect();
        let result = &self.kernel.result;
        let count = self.kernel.params.len();
        let result = result.as_ref().map(|t| self.tensor(count, t, faults));
        (params, result.unwrap_or_default())
    }

    fn tensor(&self, index: usize, tensor: &Tensor, faults: &mut Vec<Fault>) -> Vec<Axis> {
        let mut axes = Vec::with_capacity(tensor.shape.len());
        for (i, extent) in tensor.shape.iter().enumerate() {
            let site = self.extents.get(index).and_then(|sites| sites.get(i));
            let site = site.copied().unwrap_or(tensor.site);
            let axis = match (extent.as_dim(), extent.as_constant()) {
                (Some(dim), _) => Axis::Dim(usize::from(dim)),
                (None, Some(1)) => Axis::One,
                (None, _) => {
                    let text = extent.display(&self.kernel.dims).to_string();
                    faults.push(formulas::extent(site, &text));
                    continue;
                }
            };
            if let Some(dim) = axis.dim()
                && axes.contains(&axis)
            {
                let name = self.kernel.dims.get(dim).map_or("", |d| d.name.as_str());
                faults.push(formulas::diagonal(site, name));
            }
            axes.push(axis);
        }
        axes
    }
}
