//! Stages that no graph calls.

use gpu_graph_analysis::calls::{Arg, ArgKind, Call, Kernel, ParamKind, Place, ScalarArg, Tensor};
use gpu_graph_analysis::model::{Class, Dim, Resource, ResourceId, Rows, Site};

use super::scope::{Scalar, Scope};
use super::stage::StageDecl;
use super::task::Tasks;
use super::{Cx, Decls};

/// Reports what is wrong with stages that no graph calls, whatever they would be called with.
pub fn uncalled(decls: &Decls<'_>, cx: &mut Cx) {
    cx.sites.unrolled(false);
    for (index, stage) in decls.stages.iter().enumerate() {
        let called = cx.called.contains(&index);
        let Some(signature) = stage.signature.as_ref().filter(|_| !called) else {
            continue;
        };
        let outside = cx.errors.take();
        try_out(stage, signature, decls, cx);
        let found = cx.errors.take();
        cx.errors.extend(outside);
        let found = found.into_iter().filter(|fault| fault.code.is_of_text());
        cx.errors.extend(found);
    }
    cx.sites.unrolled(true);
}

/// Lowers a call of `stage` by itself, with dims of any size; the stages that it calls have their own.
fn try_out(stage: &StageDecl<'_>, signature: &Kernel, decls: &Decls<'_>, cx: &mut Cx) {
    let mut scope = Scope::new(cx);
    let dims = signature.dims.iter().map(|dim| Dim {
        name: dim.name.clone(),
        min: 0,
        max: u32::MAX.into(),
        product: Vec::new(),
        site: dim.site,
    });
    scope.dims = dims.collect();
    let mut args = Vec::new();
    for param in &signature.params {
        let kind = match &param.kind {
            ParamKind::Tensor { tensor, mutable } => ArgKind::Ref {
                mutable: *mutable,
                place: own(&mut scope, &param.name, tensor),
            },
            ParamKind::Scalar(elem) => {
                let value = ScalarArg::Const(0);
                scope.scalars.push(Scalar { elem: *elem, value });
                ArgKind::Scalar {
                    name: param.name.clone(),
                    index: scope.scalars.len() as u32 - 1,
                    elem: *elem,
                    declared: param.site,
                }
            }
        };
        let site = param.site;
        args.push(Arg { kind, site });
    }
    let result = signature.result.as_ref();
    let call = Call {
        name: String::new(),
        args,
        place: result.map(|tensor| own(&mut scope, &signature.name, tensor)),
        idle: Vec::new(),
        end: signature.site,
        site: signature.site,
    };
    let mut tasks = Tasks::new(scope, decls, 0);
    tasks.shallow = true;
    if let Some(bound) = tasks.bind_stage(stage, &call, cx) {
        tasks.stage(stage, &call, bound, cx);
    }
}

/// All of a resource of that type.
fn own(scope: &mut Scope, name: &str, tensor: &Tensor) -> Place {
    let site: Site = tensor.site;
    let local = scope.own(Resource {
        name: name.to_owned(),
        class: Class::Transient,
        elem: tensor.elem,
        domain: 0,
        shape: tensor.shape.clone(),
        site,
    });
    Place {
        resource: ResourceId(local as u32),
        rows: Rows::All,
        site,
        rows_site: site,
    }
}
