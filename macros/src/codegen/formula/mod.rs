//! Both sides of an expression kernel as text: a host function and CUDA C++.
//!
//! Names in it are made up, so that no name of the user's can be one of them: `p0` is the first
//! parameter, `d0` the first dim of the kernel, `i0` the index in it, `r0` the first reduction.

mod cuda;
mod cuda_ops;
mod half;
mod helper;
mod host;
mod host_ops;
mod index;
mod reduce;
#[cfg(test)]
mod tests;

pub use cuda::function;

use gpu_graph_analysis::calls::{Kernel, ParamKind};
use gpu_graph_analysis::formula::Formula;
use gpu_graph_analysis::model::Elem;
use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::text::Text;

/// A formula with the kernel that it is the body of.
#[derive(Clone, Copy)]
struct Body<'a> {
    formula: &'a Formula,
    kernel: &'a Kernel,
    /// Names of the kernel's dims in Rust.
    dims: &'a [Ident],
    /// The parameter that becomes the result, in the in-place form.
    operand: Option<usize>,
}

impl Body<'_> {
    /// The parameter whose elements are those of the target.
    fn written(&self) -> Option<usize> {
        self.formula.target.param.or(self.operand)
    }

    /// The type of a parameter's elements, or of a scalar.
    fn elem(&self, param: usize) -> Elem {
        match &self.kernel.params[param].kind {
            ParamKind::Tensor { tensor, .. } => tensor.elem,
            ParamKind::Scalar(elem) => *elem,
        }
    }
}

/// The CUDA text of an expression kernel.
pub fn text(formula: &Formula, kernel: &Kernel, dims: &[Ident], shown: &str) -> String {
    let plain = Body {
        formula,
        kernel,
        dims,
        operand: None,
    };
    cuda::text(plain, formula.in_place, shown)
}

/// What stands in the module of an expression kernel beside its `Dims`: `host`, `in_place` where it
/// has such a form, and `CUDA`.
pub fn expand(formula: &Formula, kernel: &Kernel, dims: &[Ident], shown: &str) -> TokenStream {
    let plain = Body {
        formula,
        kernel,
        dims,
        operand: None,
    };
    let in_place = formula.in_place.map(|param| Body {
        operand: Some(param),
        ..plain
    });
    let mut text = Text::default();
    host::write(&mut text, plain);
    let host = text.tokens();
    let doc = format!(
        "`{shown}` on the host: takes the parameters in order, and the result behind them."
    );
    let in_place = in_place.map(|body| {
        let mut text = Text::default();
        host::write(&mut text, body);
        let in_place = text.tokens();
        let operand = &kernel.params[body.operand.unwrap_or_default()].name;
        let doc = format!("The same, where `{operand}` becomes the result.");
        quote!(#[doc = #doc] #in_place)
    });
    let cuda = self::text(formula, kernel, dims, shown);
    let about = format!(
        "The same as CUDA C++: a function `{}`, which takes pointers and scalars in order, the result, \
         then each dim; and one called `…_in_place` where there is such a form. It is not to be \
         compiled with fast mathematics.",
        function(&kernel.name)
    );
    quote! {
        #[doc = #doc]
        #host
        #in_place
        #[doc = #about]
        pub const CUDA: &::core::primitive::str = #cuda;
    }
}
