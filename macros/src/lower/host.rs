//! Host functions that are still to be written.

use gpu_graph_analysis::calls::{self, ParamKind};
use gpu_graph_analysis::fault::raw;
use gpu_graph_analysis::model::KernelKind;
use quote::ToTokens;

use crate::ast;

/// Where the host functions of other kernels are, or else where they could be.
pub fn folder(kernels: &[ast::Kernel]) -> String {
    let mut paths = kernels.iter().filter_map(|kernel| kernel.host.as_ref());
    let folder = paths.find_map(|host| {
        let path = host.path.to_token_stream().to_string().replace(' ', "");
        path.rsplit_once("::").map(|(folder, _)| folder.to_owned())
    });
    folder.unwrap_or_else(|| "host".to_owned())
}

/// The host function of `kernel`, as one would write it in a module beside the macro call.
pub fn function(kernel: &calls::Kernel) -> String {
    let mut params = Vec::new();
    for param in &kernel.params {
        let name = raw(&param.name);
        params.push(match &param.kind {
            ParamKind::Scalar(elem) => format!("{name}: {elem}"),
            ParamKind::Tensor { tensor, mutable } => {
                let elem = match kernel.kind {
                    KernelKind::Collective => format!("&[{}]", tensor.elem),
                    _ => tensor.elem.to_string(),
                };
                let effect = if *mutable { "&mut " } else { "&" };
                format!("{name}: {effect}[{elem}]")
            }
        });
    }
    params.extend(
        kernel
            .result
            .iter()
            .map(|t| format!("out: &mut [{}]", t.elem)),
    );
    let name = raw(&kernel.name);
    params.push(format!("dims: super::{name}::Dims"));
    format!("pub fn {name}({})", params.join(", "))
}
