//! What would mend a call that does not bind, as far as its dims are bound.

use super::super::extents::view_shape;
use super::super::{ArgKind, Call, ParamKind, Place, Tensor, show_place, show_type};
use super::{Binder, DimValue};
use crate::expr::{Expr, product};
use crate::fault::calls::Changes;
use crate::fault::{Edit, Fix, raw};
use crate::model::{Resource, Site};

impl Binder<'_> {
    /// The one parameter that the kernel changes, and what the call passes for it.
    pub(super) fn changes(&self, call: &Call) -> Option<Changes> {
        let pairs = self.kernel.params.iter().zip(&call.args);
        let mut changes = pairs.filter_map(|(param, arg)| match (&param.kind, &arg.kind) {
            (
                ParamKind::Tensor {
                    tensor,
                    mutable: true,
                },
                ArgKind::Ref { place, .. },
            ) => Some((param, tensor, place, arg.site)),
            _ => None,
        });
        let ((param, tensor, place, passed), None) = (changes.next()?, changes.next()) else {
            return None;
        };
        let name = &self.resources.get(place.resource.0 as usize)?.name;
        let ty = show_type(tensor.elem, &tensor.shape, &self.kernel.dims);
        Some(Changes {
            declared: param.site,
            read: format!("{}: &{ty}", raw(&param.name)),
            ty,
            passed,
            place: show_place(&raw(name), &place.rows, self.dims),
        })
    }

    /// The declaration of an output for a result of that type, before the call at `site`.
    pub(super) fn place_for(&self, tensor: &Tensor, site: Site) -> Option<Fix> {
        let ty = self.type_at_call(tensor)?;
        let name = format!("{}_out", self.kernel.name);
        let place = format!("output {name}: {ty} = ");
        let words = format!("give it a place: `{{}} {}(…);`", raw(&self.kernel.name));
        Some(Fix::new(&words, [Edit::before(site, place)]).inventing([name]))
    }

    /// The type that `tensor` has at this call, as far as its dims are bound.
    pub(super) fn type_at_call(&self, tensor: &Tensor) -> Option<String> {
        let bound = |dim: &u16| {
            self.values
                .get(usize::from(*dim))
                .is_some_and(Option::is_some)
        };
        let mut terms = tensor.shape.iter().flat_map(|extent| extent.terms());
        if !terms.all(|term| bound(&term.dim)) {
            return None;
        }
        // What nothing bound is not mentioned.
        let value =
            |v: &Option<DimValue>| v.as_ref().map_or(Expr::constant(0), |v| v.value.clone());
        let values: Vec<_> = self.values.iter().map(value).collect();
        let shape = tensor.shape.iter().map(|e| e.substitute(&values));
        let shape: Vec<_> = shape.collect::<Option<_>>()?;
        Some(show_type(tensor.elem, &shape, self.dims))
    }

    /// The type of all of what `place` names, over the dims of the kernel.
    pub(super) fn kernel_type(&self, place: &Place) -> Option<String> {
        let resource = self.resources.get(place.resource.0 as usize)?;
        let of = |extent: &Expr| {
            if extent.as_constant().is_some() {
                return Some(extent.clone());
            }
            let is = |v: &Option<DimValue>| v.as_ref().is_some_and(|v| v.value == *extent);
            let dim = self.values.iter().position(is)?;
            u16::try_from(dim).ok().map(Expr::dim)
        };
        let shape = view_shape(place, resource)?;
        let shape: Vec<_> = shape.iter().map(of).collect::<Option<_>>()?;
        Some(show_type(resource.elem, &shape, &self.kernel.dims))
    }

    /// `place` seen as one axis, where `tensor` has any one.
    pub(super) fn flat(&self, tensor: &Tensor, place: &Place, resource: &Resource) -> Option<Fix> {
        let [axis] = &tensor.shape[..] else {
            return None;
        };
        let _any: u16 = axis.as_dim()?;
        let mut dims = self.dims.to_vec();
        let all = product(&view_shape(place, resource)?, &mut dims, place.site).ok()?;
        let shown = show_place(&raw(&resource.name), &place.rows, self.dims);
        // What is seen in another shape already.
        let shown = shown.split(" as ").next()?;
        let ty = show_type(resource.elem, &[all], &dims);
        let edit = Edit::replace(place.site, format!("{shown} as {ty}"));
        Some(Fix::new("write `{}`", [edit]))
    }
}
