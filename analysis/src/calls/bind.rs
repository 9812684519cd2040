//! From a call to a task.

mod mends;

use super::count;
use super::extents::view_shape;
use super::{Arg, ArgKind, Bound, Call, Kernel, Param, ParamKind, Place, ScalarArg, Tensor};
use super::{scalar, show_place, show_type};
use crate::expr::Expr;
use crate::fault::calls::{self as texts, Declared};
use crate::fault::{self, Fault, raw};
use crate::model::{Access, Class, Dim, Elem, Launch, Mode, Resource, Rows, Site};

/// Checks `call` of `kernel` (of that index in the caller's list) and binds the kernel's dims.
///
/// The kernel has passed [`Kernel::check`]. What a call does to order and liveness is checked later,
/// on the whole model.
///
/// # Errors
/// Everything that is wrong with the call: argument count and kinds, effects, element types, ranks,
/// extents, values that do not fit, views that may leave their resource, a missing or needless place
/// for the result.
pub fn bind(
    kernel: &Kernel,
    kernel_index: u32,
    call: &Call,
    resources: &[Resource],
    dims: &[Dim],
) -> Result<Bound, Vec<Fault>> {
    if call.args.len() != kernel.params.len() {
        return Err(vec![count::fault(kernel, call, resources, dims)]);
    }
    let mut binder = Binder::new(kernel, resources, dims);
    let mut scalars = Vec::new();
    for (param, arg) in kernel.params.iter().zip(&call.args) {
        scalars.extend(binder.argument(param, arg));
    }
    binder.result(call);
    binder.reread();
    binder.extents();
    binder.finish(kernel_index, scalars)
}

/// What is wrong with each of `args` by itself, of a call of `kernel` of which another argument, or the
/// place, was refused: kinds, effects, element types, ranks and values.
pub fn each(
    kernel: &Kernel,
    args: &[Option<Arg>],
    resources: &[Resource],
    dims: &[Dim],
) -> Vec<Fault> {
    let mut binder = Binder::new(kernel, resources, dims);
    if args.len() == kernel.params.len() {
        for (param, arg) in kernel.params.iter().zip(args) {
            let _value = arg.as_ref().and_then(|arg| binder.argument(param, arg));
        }
    }
    binder.faults
}

/// A tensor of the kernel and what stands for it in the call.
pub(super) struct Use<'a> {
    pub(super) param: Option<&'a str>,
    pub(super) tensor: &'a Tensor,
    pub(super) access: Access,
    /// Extents of what the call passes; `None` where the rank is wrong already.
    pub(super) shape: Option<Vec<Expr>>,
    /// What the call passes.
    pub(super) place: Place,
}

/// The value of a kernel dim, and the argument that gave it.
#[derive(Clone)]
pub(super) struct DimValue {
    pub(super) value: Expr,
    pub(super) site: Site,
}

pub(super) struct Binder<'a> {
    pub(super) kernel: &'a Kernel,
    pub(super) resources: &'a [Resource],
    pub(super) dims: &'a [Dim],
    pub(super) values: Vec<Option<DimValue>>,
    pub(super) uses: Vec<Use<'a>>,
    pub(super) faults: Vec<Fault>,
}

impl<'a> Binder<'a> {
    fn new(kernel: &'a Kernel, resources: &'a [Resource], dims: &'a [Dim]) -> Self {
        Self {
            kernel,
            resources,
            dims,
            values: vec![None; kernel.dims.len()],
            uses: Vec::new(),
            faults: Vec::new(),
        }
    }

    /// `arg` stands for `param`; the value of a scalar.
    fn argument(&mut self, param: &'a Param, arg: &Arg) -> Option<ScalarArg> {
        let elem = match &param.kind {
            ParamKind::Tensor { tensor, mutable } => {
                self.tensor(param, tensor, *mutable, arg);
                return None;
            }
            ParamKind::Scalar(elem) => *elem,
        };
        let slot = scalar::Slot {
            elem,
            declared: self.declared(Some(&param.name), param.site),
            resources: self.resources,
            dims: self.dims,
        };
        slot.bind(arg)
            .map_err(|fault| self.faults.push(*fault))
            .ok()
    }

    pub(super) fn declared(&self, param: Option<&'a str>, site: Site) -> Declared<'a> {
        Declared {
            kernel: &self.kernel.name,
            param,
            site,
        }
    }

    fn tensor(&mut self, param: &'a Param, tensor: &'a Tensor, mutable: bool, arg: &Arg) {
        let declared = self.declared(Some(&param.name), param.site);
        let effect = if mutable { "&mut " } else { "&" };
        let wanted = format!("a `{}` tensor", effect.trim_end());
        if let ArgKind::Ref {
            mutable: found,
            place,
        } = &arg.kind
        {
            if *found != mutable
                && let Some(r) = self.resources.get(place.resource.0 as usize)
            {
                let place = show_place(&raw(&r.name), &place.rows, self.dims);
                self.faults
                    .push(texts::effect(arg.site, declared, mutable, &place));
            }
            let mode = if mutable { Mode::ReadWrite } else { Mode::Read };
            return self.pass(Some(&param.name), tensor, place, mode, arg.site);
        }
        let found = arg.kind.described(self.resources);
        let mend = arg.kind.bare(self.resources);
        let mend = mend.map(|name| format!("{effect}{name}"));
        let bare = mend.is_some();
        let fault = texts::argument_kind(arg.site, declared, &wanted, &found, mend);
        self.faults.push(match bare {
            true => fault,
            false => fault.help(format!(
                "pass `{}` and the name of a resource",
                effect.trim_end()
            )),
        });
    }

    fn result(&mut self, call: &Call) {
        match (&self.kernel.result, &call.place) {
            (Some(tensor), Some(place)) => {
                self.pass(None, tensor, place, Mode::Overwrite, place.site);
            }
            (Some(tensor), None) => {
                let ty = show_type(tensor.elem, &tensor.shape, &self.kernel.dims);
                let declared = self.declared(None, tensor.site);
                let place = self.place_for(tensor, call.site);
                self.faults
                    .push(texts::result_dropped(call.site, declared, &ty, place));
            }
            (None, Some(place)) => {
                let declared = self.declared(None, self.kernel.site);
                let ty = self.kernel_type(place);
                let changes = self.changes(call);
                self.faults
                    .push(texts::no_result(place.site, declared, ty, changes));
            }
            (None, None) => {}
        }
    }

    /// `place` stands for `tensor`: element type, rank, bounds of the view, and dims that it binds.
    fn pass(
        &mut self,
        param: Option<&'a str>,
        tensor: &'a Tensor,
        place: &Place,
        mode: Mode,
        site: Site,
    ) {
        let Some(resource) = self.resources.get(place.resource.0 as usize) else {
            let text = format!("there is no resource {}", place.resource.0);
            return self.faults.push(Fault::new(fault::MALFORMED, site, text));
        };
        let declared = self.declared(param, tensor.site);
        if resource.elem != tensor.elem {
            let fault = self.elem(declared, tensor.elem, resource, &resource.shape, site);
            self.faults.push(fault);
        }
        let shape = if resource.shape.len() == tensor.shape.len() {
            view_shape(place, resource)
        } else {
            let wanted = show_type(tensor.elem, &tensor.shape, &self.kernel.dims);
            let found = show_type(resource.elem, &resource.shape, self.dims);
            let whole = param.is_none() && place.rows == Rows::All;
            let mend = whole.then(|| self.type_at_call(tensor)).flatten();
            let mend = mend.map(|ty| texts::redeclared(resource.site, &resource.name, &ty));
            let mend = mend.or_else(|| param.and_then(|_| self.flat(tensor, place, resource)));
            let fault = texts::rank(
                site,
                declared,
                &wanted,
                &resource.name,
                &found,
                resource.site,
                mend,
            );
            self.faults.push(fault);
            None
        };
        for (extent, value) in tensor.shape.iter().zip(shape.iter().flatten()) {
            if let Some(dim) = extent.as_dim()
                && let Some(slot) = self.values.get_mut(usize::from(dim))
                && slot.is_none()
            {
                *slot = Some(DimValue {
                    value: value.clone(),
                    site,
                });
            }
        }
        let access = Access {
            resource: place.resource,
            mode,
            rows: place.rows.clone(),
            site,
        };
        self.uses.push(Use {
            param,
            tensor,
            access,
            shape,
            place: place.clone(),
        });
    }

    /// The fault of `resource`, of other elements than `wanted`, which would have to be of that `shape`.
    pub(super) fn elem(
        &self,
        declared: Declared<'_>,
        wanted: Elem,
        resource: &Resource,
        shape: &[Expr],
        site: Site,
    ) -> Fault {
        let (name, place) = (&resource.name, resource.site);
        let ty = show_type(wanted, shape, self.dims);
        // What a task makes has the elements of its kernel's result.
        let made = matches!(
            resource.class,
            Class::Transient | Class::Output | Class::Escape | Class::Staging
        );
        let free = declared.param.is_none() || !made;
        let ty = free.then_some(&*ty);
        texts::elem(site, declared, wanted, name, resource.elem, place, ty)
    }

    fn finish(mut self, kernel_index: u32, scalars: Vec<ScalarArg>) -> Result<Bound, Vec<Fault>> {
        let mut dims = Vec::with_capacity(self.values.len());
        for (dim, value) in self
            .kernel
            .dims
            .iter()
            .zip(std::mem::take(&mut self.values))
        {
            match value {
                Some(value) => dims.push(value.value),
                None if self.faults.is_empty() => {
                    self.faults.push(texts::unbound_dim(
                        dim.site,
                        &self.kernel.name,
                        &dim.name,
                        None,
                    ));
                }
                None => {}
            }
        }
        if !self.faults.is_empty() {
            return Err(self.faults);
        }
        let kernel = self.kernel;
        let launch = Launch {
            kernel: kernel_index,
            name: kernel.name.clone(),
            in_place: self.in_place(),
            over: self.over(&dims),
            block: kernel.over.as_ref().map_or(Vec::new(), |o| o.block.clone()),
            shared: kernel
                .shared
                .map_or(0, |s| u32::try_from(s.bytes).unwrap_or(u32::MAX)),
            params: u32::try_from(kernel.parameter_bytes()).unwrap_or(u32::MAX),
            kind: kernel.kind,
        };
        let accesses = self.uses.into_iter().map(|u| u.access).collect();
        Ok(Bound {
            accesses,
            scalars,
            dims,
            launch,
        })
    }

    /// Position of the operand, if this call passes all of it and overwrites all of the result's
    /// resource.
    fn in_place(&self) -> Option<usize> {
        let operand = self.kernel.tensors_before(self.kernel.in_place?.param);
        let whole = |u: &Use<'_>| {
            let resource = self.resources.get(u.access.resource.0 as usize)?;
            Some(u.access.rows.is_all(resource.shape.first()?, self.dims))
        };
        let all = whole(self.uses.get(operand)?)? && whole(self.uses.last()?)?;
        all.then_some(operand)
    }
}
