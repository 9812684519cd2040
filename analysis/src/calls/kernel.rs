//! Whether a kernel is well formed by itself.

use super::{Kernel, Param, ParamKind, Tensor, show_type};
use crate::expr::Expr;
use crate::fault::{self, Edit, Fault};
use crate::limits;
use crate::model::Dim;

impl Kernel {
    /// What is wrong with the kernel, whoever calls it: dims that nothing binds, an in-place form
    /// whose operand cannot become the result, a block, shared memory or parameters beyond what a
    /// device can launch.
    pub fn check(&self) -> Vec<Fault> {
        let mut faults = self.unbound_dims();
        self.check_in_place(&mut faults);
        if let Some(over) = &self.over {
            let rank = over.extents.len();
            if let Some((what, limit)) = limits::block_fault(rank, &over.block) {
                let site = if (1..=3).contains(&rank) {
                    over.block_site
                } else {
                    over.site
                };
                let fault = fault::sizes::geometry(site, &self.name, what, limit);
                faults.push(match limits::fitting_block(rank, &over.block) {
                    Some(block) if over.block_site != over.site => fault.fix(
                        "declare another block, such as `block {}`",
                        [Edit::replace(over.block_site, format!("{block:?}"))],
                    ),
                    _ => fault.help("declare up to three extents, and loop over the others"),
                });
            }
        }
        if let Some(shared) = self.shared
            && shared.bytes > limits::SHARED_BYTES
        {
            let (bytes, limit) = (shared.bytes, limits::SHARED_BYTES);
            faults.push(fault::sizes::shared_memory(
                shared.site,
                &self.name,
                bytes,
                limit,
            ));
        }
        let (bytes, limit) = (self.parameter_bytes(), limits::PARAMETER_BYTES);
        if bytes > limit {
            faults.push(fault::sizes::parameter_block(
                self.site, &self.name, bytes, limit,
            ));
        }
        faults
    }

    /// Size of the parameter block: parameters in order (8 bytes for a tensor, scalars at their size
    /// and alignment), the result, and 8 bytes for each dim.
    pub fn parameter_bytes(&self) -> u64 {
        let mut bytes = 0u64;
        for param in &self.params {
            let size = match &param.kind {
                ParamKind::Tensor { .. } => 8,
                ParamKind::Scalar(elem) => elem.size(),
            };
            bytes = bytes.next_multiple_of(size) + size;
        }
        let words = u64::from(self.result.is_some()) + self.dims.len() as u64;
        if words > 0 {
            bytes = bytes.next_multiple_of(8) + 8 * words;
        }
        bytes
    }

    /// Whether the tensor of that position, among tensors, has to be zero at entry.
    pub fn needs_zero(&self, position: usize) -> bool {
        let mut zeroed = self.zeroed.iter();
        zeroed.any(|&param| self.tensors_before(param) == position)
    }

    /// The tensor parameters before the one of that index.
    pub(crate) fn tensors_before(&self, param: usize) -> usize {
        let before = self.params.iter().take(param);
        before
            .filter(|p| matches!(p.kind, ParamKind::Tensor { .. }))
            .count()
    }

    /// A fault for each dim that no tensor has alone as an extent.
    pub fn unbound_dims(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        let mut bound = vec![false; self.dims.len()];
        let params = self.params.iter().filter_map(Param::tensor);
        for extent in params.chain(&self.result).flat_map(|t| &t.shape) {
            if let Some(bound) = extent.as_dim().and_then(|d| bound.get_mut(usize::from(d))) {
                *bound = true;
            }
        }
        for (dim, bound) in self.dims.iter().zip(bound) {
            if !bound {
                let other = self.instead_of(&dim.name);
                let fault = fault::calls::unbound_dim(dim.site, &self.name, &dim.name, other);
                faults.push(fault);
            }
        }
        faults
    }

    /// The type of the result, as in `[f32; h, w]`; empty without one.
    pub fn show_result(&self) -> String {
        let result = self.result.as_ref();
        result.map_or(String::new(), |t| show_type(t.elem, &t.shape, &self.dims))
    }

    /// A dim that is bound and could stand for `unbound`, if that stands only once.
    fn instead_of(&self, unbound: &str) -> Option<&str> {
        let params = self.params.iter().filter_map(Param::tensor);
        let tensors = params.chain(&self.result).flat_map(|t| &t.shape);
        let over = self.over.iter().flat_map(|o| &o.extents);
        let terms = tensors.clone().chain(over).flat_map(Expr::terms);
        let name = |dim: u16| self.dims.get(usize::from(dim)).map(|d| d.name.as_str());
        let once = terms.filter(|t| name(t.dim) == Some(unbound)).count() == 1;
        let mut bound = tensors.filter_map(Expr::as_dim).filter_map(name);
        bound.next().filter(|_| once)
    }

    fn check_in_place(&self, faults: &mut Vec<Fault>) {
        let Some(form) = self.in_place else { return };
        let param = self.params.get(form.param);
        let (why, declared) = match (param, &self.result) {
            (None, _) => ("it is no parameter".to_owned(), self.site),
            (Some(p), None) => (format!("`{}` has no result", self.name), p.site),
            (Some(p), Some(result)) => match self.operand_fault(p, form.param, result) {
                Some(why) => (why, p.site),
                None => return,
            },
        };
        let operand = param.map_or("", |p| p.name.as_str());
        let fault = fault::calls::in_place_form(form.site, &self.name, operand, &why, declared);
        faults.push(match &self.result {
            Some(result) => fault.label(result.site, "the result is declared here"),
            None => fault,
        });
    }

    fn operand_fault(&self, param: &Param, index: usize, result: &Tensor) -> Option<String> {
        let (tensor, mutable) = match &param.kind {
            ParamKind::Scalar(_) => return Some("it is a scalar".to_owned()),
            ParamKind::Tensor { tensor, mutable } => (tensor, *mutable),
        };
        // Whatever dims are bound to, they are natural numbers.
        let any: &[Dim] = &[];
        let same = |(a, b): (&Expr, &Expr)| a.always_eq(b, any);
        if mutable {
            Some("it is `&mut`, and so updated anyway".to_owned())
        } else if tensor.elem != result.elem {
            Some(format!(
                "its elements are `{}`, those of the result `{}`",
                tensor.elem, result.elem
            ))
        } else if tensor.shape.len() != result.shape.len()
            || !tensor.shape.iter().zip(&result.shape).all(same)
        {
            let [a, b] = [tensor, result].map(|t| show_type(t.elem, &t.shape, &self.dims));
            Some(format!("it is `{a}`, the result `{b}`"))
        } else if self.tensors_before(index) > usize::from(u8::MAX) {
            Some("it stands behind more than 255 tensors".to_owned())
        } else {
            None
        }
    }
}

impl Param {
    /// Its type, if it is a tensor.
    pub(super) fn tensor(&self) -> Option<&Tensor> {
        match &self.kind {
            ParamKind::Tensor { tensor, .. } => Some(tensor),
            ParamKind::Scalar(_) => None,
        }
    }
}
