//! What is asserted of kernels that another macro call declares, and what this one tells others.

use gpu_graph_analysis::calls::{self, ParamKind};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::Elem;
use proc_macro2::{Delimiter, Group, Span, TokenStream, TokenTree};
use quote::{format_ident, quote, quote_spanned};

use super::kernel::option;
use crate::ast::KernelKind;
use crate::lower::{Claim, Claims, Foreign, KernelInfo};
use crate::span::Region;

/// The signature of a kernel, as a constant of the trait that its `Dims` implement.
pub fn signature(kernel: &calls::Kernel, kind: KernelKind) -> TokenStream {
    let info = KernelInfo::from(kernel);
    let over = info.over.iter().map(expr);
    let (name, block, callback) = (info.name, info.block, info.callback);
    let (shared, params) = (narrow(info.shared), narrow(info.params));
    let in_place = info.in_place.and_then(|i| u8::try_from(i).ok());
    let in_place = option(in_place.map(|position| quote!(#position)));
    let dims = kernel.dims.len();
    let (collective, opaque) = (kind == KernelKind::Collective, kind == KernelKind::Opaque);
    let zeroed = &kernel.zeroed;
    let list = kernel.params.iter().map(|param| match &param.kind {
        ParamKind::Scalar(elem) => {
            let elem = self::elem(*elem);
            quote!(::gpu_graph::__private::foreign::Param::Scalar(#elem))
        }
        ParamKind::Tensor { tensor, mutable } => {
            let tensor = self::tensor(tensor.elem, &tensor.shape);
            quote!(::gpu_graph::__private::foreign::Param::Tensor(#tensor, #mutable))
        }
    });
    let result = kernel.result.as_ref();
    let result = option(result.map(|t| tensor(t.elem, &t.shape)));
    quote! {
        const SIGNATURE: ::gpu_graph::__private::foreign::Signature =
            ::gpu_graph::__private::foreign::Signature {
                kernel: ::gpu_graph::__private::table::Kernel {
                    name: #name,
                    over: &[#(#over),*],
                    block: &[#(#block),*],
                    shared: #shared,
                    params: #params,
                    callback: #callback,
                    in_place: #in_place,
                },
                collective: #collective,
                opaque: #opaque,
                dims: #dims,
                params: &[#(#list),*],
                result: #result,
                zeroed: &[#(#zeroed),*],
            };
    }
}

/// A kernel from elsewhere, and what a profile calls it, with the place that names the profile.
type Named<'a> = (&'a Foreign, Option<(Region, &'a str)>);

/// What all calls of kernels from elsewhere take for granted, each asserted at the place that says
/// it, and what a profile does. Whether all of it is so is in `__GPU_GRAPH_HOLDS` then.
pub fn asserted<'a>(kernels: impl IntoIterator<Item = Named<'a>>) -> TokenStream {
    let mut answers = Vec::new();
    for (kernel, measured) in kernels {
        let path = &kernel.path;
        let signature = quote! {
            &<#path::Dims as ::gpu_graph::__private::DeclaredKernel>::SIGNATURE
        };
        for claims in &kernel.claims {
            one(claims, &signature, &mut answers);
        }
        if let Some((region, name)) = measured {
            let answer = quote!(::gpu_graph::__private::foreign::measured(#signature, #name));
            answers.push((region, answer));
        }
    }
    let count = answers.len();
    let told = answers
        .iter()
        .enumerate()
        .map(|(i, (region, _))| at(*region, "told", quote!(&__GPU_GRAPH_ANSWERS[#i])));
    let answers = answers.iter().map(|(_, answer)| answer);
    quote! {
        const __GPU_GRAPH_ANSWERS: [::gpu_graph::__private::foreign::Answer; #count] =
            [#(#answers),*];
        #(#told)*
        const __GPU_GRAPH_HOLDS: ::core::primitive::bool =
            ::gpu_graph::__private::foreign::all(&__GPU_GRAPH_ANSWERS);
    }
}

/// The answers to what one call takes for granted, each with the place that says it.
fn one(claims: &Claims, signature: &TokenStream, out: &mut Vec<(Region, TokenStream)>) {
    let ask = |function: &str, args: TokenStream| {
        let function = format_ident!("{function}");
        quote!(::gpu_graph::__private::foreign::#function(#args))
    };
    let dims = claims.dims.iter().map(expr);
    let dims = quote!(&[#(#dims),*]);
    let (count, bound, place) = (
        claims.args.len(),
        claims.dims.len(),
        claims.result.is_some(),
    );
    let callback = claims.callback;
    let binds = quote!(#signature, #bound, #place, #callback);
    out.push((claims.path, ask("binds", binds)));
    out.push((claims.call, ask("takes", quote!(#signature, #count))));
    for (index, (region, claim)) in claims.args.iter().enumerate() {
        let answer = match claim {
            Claim::Scalar(elem) => {
                let elem = self::elem(*elem);
                ask("scalar", quote!(#signature, #index, #elem))
            }
            Claim::Tensor(elem, shape, mutable, zero) => {
                let tensor = tensor(*elem, shape);
                let args = quote!(#signature, #index, #tensor, (#mutable, #zero), #dims);
                ask("tensor", args)
            }
        };
        out.push((*region, answer));
    }
    if let Some((region, elem, shape)) = &claims.result {
        let tensor = tensor(*elem, shape);
        let answer = ask("result", quote!(#signature, #tensor, #dims));
        out.push((*region, answer));
    }
}

/// `const _: () = function(args);` of which rustc says what is wrong with it at `region`: an
/// expression spans from its first token to its last one.
fn at(region: Region, function: &str, args: TokenStream) -> TokenStream {
    let [first, last] = [region.first, region.last].map(|s| s.resolved_at(Span::mixed_site()));
    let function = format_ident!("{function}");
    let path = quote_spanned!(first=> ::gpu_graph::__private::foreign::#function);
    let mut args = Group::new(Delimiter::Parenthesis, args);
    args.set_span(last);
    let args = TokenTree::from(args);
    quote!(const _: () = #path #args;)
}

fn tensor(elem: Elem, shape: &[Expr]) -> TokenStream {
    let (elem, shape) = (self::elem(elem), shape.iter().map(expr));
    quote! {
        ::gpu_graph::__private::foreign::Tensor { elem: #elem, shape: &[#(#shape),*] }
    }
}

fn elem(elem: Elem) -> TokenStream {
    let name = format_ident!("{}", elem.name().to_uppercase());
    quote!(::gpu_graph::__private::table::Elem::#name)
}

fn expr(expr: &Expr) -> TokenStream {
    let constant = narrow_signed(expr.constant_part());
    let terms = expr.terms().iter().map(|t| {
        let (scale, dim, mul, add, div) = (
            narrow_signed(t.scale),
            t.dim,
            narrow_signed(t.mul),
            narrow_signed(t.add),
            narrow_signed(t.div),
        );
        quote! {
            ::gpu_graph::__private::table::Term {
                scale: #scale, dim: #dim, mul: #mul, add: #add, div: #div,
            }
        }
    });
    quote! {
        ::gpu_graph::__private::table::Expr { constant: #constant, terms: &[#(#terms),*] }
    }
}

/// A size beyond the limits was refused; what stands here only has to be well formed.
fn narrow(bytes: u64) -> u32 {
    u32::try_from(bytes).unwrap_or(u32::MAX)
}

fn narrow_signed(value: i64) -> TokenStream {
    match value {
        0.. => quote!(#value),
        _ => {
            let positive = value.unsigned_abs();
            // The smallest has no positive counterpart.
            let positive = i64::try_from(positive).unwrap_or(i64::MAX);
            quote!(-#positive)
        }
    }
}
