//! What `KERNEL(blur)` stands for: the functions that a driver launches, with their parameters as the
//! declaration has them, and the head of the function that the user's braces are the body of.

use std::fmt::Write;

use gpu_graph_analysis::calls::{Kernel, ParamKind, Tensor};
use gpu_graph_analysis::model::Elem;

use super::extent::extent;
use super::names::{Names, ascii};

/// A tensor of a kernel in one of its forms.
struct View<'a> {
    name: String,
    tensor: &'a Tensor,
    written: bool,
    /// It may be the storage of another tensor, too.
    shared: bool,
}

enum Param<'a> {
    Tensor(View<'a>),
    Scalar(String, Elem),
}

/// Definitions for `KERNEL(kernel)`, and for `KERNEL(kernel_in_place)` where there is such a form, as
/// lines of the preprocessor.
pub fn define(kernel: &Kernel) -> String {
    let mut text = form(kernel, None);
    if let Some(in_place) = &kernel.in_place {
        text += &form(kernel, Some(in_place.param));
    }
    text
}

fn form(kernel: &Kernel, operand: Option<usize>) -> String {
    let suffix = if operand.is_some() { "_in_place" } else { "" };
    let name = format!("{}{suffix}", ascii(&kernel.name));
    let mut names = Names::default();
    let (params, dims) = parts(kernel, operand, &mut names);
    let own = body(&name, kernel, &params, &dims);
    let mut text = format!(
        "#define GPU_GRAPH_KERNEL_{name} ~, GPU_GRAPH_DEFINE_{name}\n\
         #define GPU_GRAPH_DEFINE_{name}(_) {own}; "
    );
    text += &entry(&name, kernel, &params, &dims, false);
    // Without scalars it would be the same function again.
    if params.iter().any(|p| matches!(p, Param::Scalar(..))) {
        text += &entry(&name, kernel, &params, &dims, true);
    }
    text + &own + "\n"
}

fn parts<'a>(
    kernel: &'a Kernel,
    operand: Option<usize>,
    names: &mut Names,
) -> (Vec<Param<'a>>, Vec<String>) {
    let params = kernel.params.iter().enumerate().map(|(i, param)| {
        let name = names.give(&param.name);
        match &param.kind {
            ParamKind::Scalar(elem) => Param::Scalar(name, *elem),
            ParamKind::Tensor { tensor, mutable } => Param::Tensor(View {
                name,
                tensor,
                written: *mutable || operand == Some(i),
                shared: operand == Some(i),
            }),
        }
    });
    let mut params: Vec<_> = params.collect();
    if let (Some(tensor), None) = (&kernel.result, operand) {
        params.push(Param::Tensor(View {
            name: names.give("out"),
            tensor,
            written: true,
            shared: false,
        }));
    }
    let dims = kernel.dims.iter().map(|dim| names.give(&dim.name));
    (params, dims.collect())
}

/// The head of the function that the user writes, which a kernel of either kind is compiled into.
fn body(name: &str, kernel: &Kernel, params: &[Param<'_>], dims: &[String]) -> String {
    let axes = kernel.over.as_ref().map_or(0, |over| over.extents.len());
    let mut list = vec![format!("const gpu_graph::Space<{axes}> gpu_graph_over")];
    list.extend(params.iter().map(|param| match param {
        Param::Tensor(view) => {
            let (ty, rank) = (element(view), view.tensor.shape.len());
            format!("const gpu_graph::Tensor<{ty}, {rank}> {}", view.name)
        }
        Param::Scalar(name, elem) => format!("const {} {name}", elem.name()),
    }));
    list.extend(dims.iter().map(|dim| format!("const u64 {dim}")));
    format!(
        "static __device__ __forceinline__ void gpu_graph_{name}({})",
        list.join(", ")
    )
}

/// A function that a driver launches. In the `indirect` one scalars are read where pointers lead, so
/// that a launch whose parameters never change has other scalars in each run.
fn entry(
    name: &str,
    kernel: &Kernel,
    params: &[Param<'_>],
    dims: &[String],
    indirect: bool,
) -> String {
    let suffix = if indirect { "_indirect" } else { "" };
    let bounds = kernel.over.as_ref().map_or(String::new(), |over| {
        let threads: u64 = over.block.iter().map(|&t| u64::from(t)).product();
        format!("__launch_bounds__({threads}) ")
    });
    let space = kernel.over.iter().flat_map(|over| &over.extents);
    let space: Vec<_> = space.map(|e| extent(e, dims)).collect();
    let (mut list, mut args) = (Vec::new(), vec![format!("{{{{{}}}}}", space.join(", "))]);
    for param in params {
        match param {
            Param::Tensor(view) => {
                let restrict = if view.shared { "" } else { " __restrict__" };
                list.push(format!("{}*{restrict} {}", element(view), view.name));
                let shape = view.tensor.shape.iter();
                let shape: Vec<_> = shape.map(|e| extent(e, dims)).collect();
                args.push(format!(
                    "{{{}, {{{}}} GPU_GRAPH_NAMED(\"`{}` of `{name}`\")}}",
                    view.name,
                    shape.join(", "),
                    view.name
                ));
            }
            Param::Scalar(name, elem) if indirect => {
                list.push(format!("const {}* __restrict__ {name}", elem.name()));
                args.push(format!("*{name}"));
            }
            Param::Scalar(name, elem) => {
                list.push(format!("{} {name}", elem.name()));
                args.push(name.clone());
            }
        }
    }
    for dim in dims {
        list.push(format!("u64 {dim}"));
        args.push(dim.clone());
    }
    let mut text = String::new();
    // Writing to a string never fails.
    let _ = write!(
        text,
        "extern \"C\" __global__ void {bounds}{name}{suffix}({}) {{ gpu_graph_{name}({}); }} ",
        list.join(", "),
        args.join(", ")
    );
    text
}

fn element(view: &View<'_>) -> String {
    let constant = if view.written { "" } else { "const " };
    format!("{constant}{}", view.tensor.elem.name())
}
