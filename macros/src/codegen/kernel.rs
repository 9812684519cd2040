//! A kernel's module and the shims that call its host functions.

use gpu_graph_analysis::formula::Formula;
use gpu_graph_analysis::model::Elem;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use syn::spanned::Spanned;

use super::{cuda, doc};
use crate::ast::{Kernel, KernelKind, ParamType};
use crate::lower::KernelDecl;

/// The module `blur` with its `Dims`, and the code of the kernel as a constant of that type.
///
/// Files that its CUDA source includes are named, so that a change of one builds anew. A kernel that
/// was refused has no code: nothing launches it, and its function cannot be held against it.
///
/// `all` are the kernels of the same macro call that are expanded.
pub fn expand(decl: &KernelDecl<'_>, all: &[&KernelDecl<'_>]) -> TokenStream {
    let (kernel, dims) = (decl.ast, decl.dims.as_slice());
    let (name, vis) = (&kernel.name, &kernel.vis);
    let attrs = doc::attrs(&kernel.attrs, || format!("Kernel `{name}`."));
    let cfgs: Vec<_> = doc::cfgs(&kernel.attrs).collect();
    let about = format!("Actual dims of one launch of `{name}`, handed to its host function.");
    let fields = fields(dims);
    let formula = decl.formula.as_ref().zip(decl.signature.as_ref());
    let formula = formula.map(|(formula, signature)| {
        let shown = kernel.formula.as_ref().map(ToString::to_string);
        super::formula::expand(formula, signature, dims, &shown.unwrap_or_default())
    });
    let code = decl.signature.as_ref().map(|signature| {
        let signature = super::foreign::signature(signature, kernel.kind);
        let code = match &decl.formula {
            Some(formula) => formula_code(kernel, dims, formula),
            None => code(decl, all),
        };
        let includes = decl.files.iter().flatten().map(|file| in_crate(file));
        quote! {
            #(#cfgs)*
            impl ::gpu_graph::__private::DeclaredKernel for #name::Dims { #signature #code }
            #(const _: &[::core::primitive::u8] = ::core::include_bytes!(#includes);)*
        }
    });
    let signatures = kernel.formula.is_none().then(|| signatures(kernel));
    quote! {
        #attrs
        #signatures
        #vis mod #name {
            #[doc = #about]
            #[::core::prelude::v1::derive(
                ::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug,
                ::core::cmp::PartialEq, ::core::cmp::Eq,
            )]
            pub struct Dims { #fields }
            #formula
        }
        #code
    }
}

fn fields(dims: &[Ident]) -> TokenStream {
    let fields = dims.iter().map(|dim| {
        let about = format!("Value of `{dim}` at this launch.");
        quote!(#[doc = #about] pub #dim: ::core::primitive::usize)
    });
    quote!(#(#fields),*)
}

/// The dims of a kernel behind those of a refused graph whose module it would share: a function of
/// the kernel finds its dims there.
pub fn dims_behind(decl: &KernelDecl<'_>) -> TokenStream {
    let (fields, names) = (fields(&decl.dims), &decl.dims);
    quote! {
        /// Dims of the kernel of that name.
        pub struct KernelDims { #fields }
        impl ::core::ops::Deref for Dims {
            type Target = KernelDims;
            fn deref(&self) -> &KernelDims { &KernelDims { #(#names: 0),* } }
        }
    }
}

/// What the host functions have to look like, as the compiler's own words elide parts of it.
fn signatures(kernel: &Kernel) -> TokenStream {
    let host = format!("Host function: `{}`", signature(kernel, None));
    let in_place = kernel.in_place.as_ref().map(|form| {
        let text = signature(kernel, Some(&form.operand));
        let text = format!("In place of `{}`: `{text}`", form.operand);
        quote!(#[doc = ""] #[doc = #text])
    });
    quote!(#[doc = ""] #[doc = #host] #in_place)
}

/// `fn(&[f32], f32, &mut [f32], Dims)`.
fn signature(kernel: &Kernel, operand: Option<&Ident>) -> String {
    let params = kernel.params.iter().map(|param| match &param.ty {
        ParamType::Scalar(ty) => ty.elem.name().to_owned(),
        ParamType::Ref(effect, tensor) => {
            let writes = effect.mutable || operand == Some(&param.name);
            let effect = if writes { "&mut " } else { "&" };
            format!("{effect}[{}]", tensor.elem.elem.name())
        }
    });
    let result = kernel.result.as_ref().filter(|_| operand.is_none());
    let result = result.map(|tensor| format!("&mut [{}]", tensor.elem.elem.name()));
    let all: Vec<_> = params.chain(result).chain(["Dims".to_owned()]).collect();
    format!("fn({})", all.join(", "))
}

fn code(decl: &KernelDecl<'_>, all: &[&KernelDecl<'_>]) -> TokenStream {
    let (kernel, dims) = (decl.ast, decl.dims.as_slice());
    let host = match &kernel.host {
        Some(host) => shim(kernel, dims, &host.path, None),
        // Refused elsewhere; what stands here only has to be well formed.
        None => quote!(|_| ()),
    };
    let in_place = kernel.in_place.as_ref();
    let in_place = in_place.map(|form| shim(kernel, dims, &form.path, Some(&form.operand)));
    let function = crate::lower::text(&kernel.name);
    let cuda = kernel.cuda.as_ref().zip(decl.files.as_ref());
    let definitions = cuda::definitions(decl, all);
    let source = cuda.map(|(cuda, files)| {
        let kernels = definitions.as_ref().map(|d| &d.text);
        cuda::source((kernel, cuda), &function, kernels, files)
    });
    let own = definitions.and_then(|definitions| definitions.own);
    let own = own.map(|text| quote!(const CUDA_KERNELS: &'static ::core::primitive::str = #text;));
    let code = constant(&host, in_place, source);
    quote!(#own #code)
}

/// The code of an expression kernel, whose functions stand in its module.
fn formula_code(kernel: &Kernel, dims: &[Ident], formula: &Formula) -> TokenStream {
    let name = &kernel.name;
    let path = |function: &str| {
        let function = Ident::new(function, name.span());
        let segments = [name.clone(), function].map(syn::PathSegment::from);
        syn::Path {
            leading_colon: None,
            segments: segments.into_iter().collect(),
        }
    };
    let host = shim(kernel, dims, &path("host"), None);
    let operand = formula.in_place.map(|param| &kernel.params[param].name);
    let in_place = operand.map(|operand| shim(kernel, dims, &path("in_place"), Some(operand)));
    let function = super::formula::function(&crate::lower::text(name));
    let cuda = cuda::generated(kernel, &quote!(#name::CUDA), &function);
    constant(&host, in_place, Some(cuda))
}

fn constant(
    host: &TokenStream,
    in_place: Option<TokenStream>,
    cuda: Option<TokenStream>,
) -> TokenStream {
    let (in_place, cuda) = (option(in_place), option(cuda));
    quote! {
        const CODE: ::gpu_graph::__private::Code = ::gpu_graph::__private::Code {
            host: #host,
            in_place: #in_place,
            cuda: #cuda,
        };
    }
}

/// A closure that takes the arguments of a launch and calls the function at `path`.
///
/// The function is first given its full type, so that what is wrong with it is said of the user's
/// path and in the compiler's own words. Local names are hygienic, so `path` cannot meet them, and
/// no item in scope is called so, which a pattern would mean.
fn shim(kernel: &Kernel, dims: &[Ident], path: &syn::Path, operand: Option<&Ident>) -> TokenStream {
    let local = |name: &str| Ident::new(name, Span::mixed_site());
    let (args, host) = (local("__gpu_graph_args"), local("__gpu_graph_host"));
    let (mut types, mut values) = (Vec::new(), Vec::new());
    for param in &kernel.params {
        let (ty, method) = match &param.ty {
            ParamType::Scalar(ty) => {
                let ty = rust_type(ty.elem);
                (ty.clone(), quote!(scalar::<#ty>))
            }
            ParamType::Ref(effect, tensor) => {
                let elem = rust_type(tensor.elem.elem);
                if operand == Some(&param.name) {
                    (quote!(&mut [#elem]), quote!(update::<#elem>))
                } else if kernel.kind == KernelKind::Collective {
                    types.push(quote!(&[&[#elem]]));
                    values.push(quote!(&#args.gather::<#elem>()));
                    continue;
                } else if effect.mutable {
                    (quote!(&mut [#elem]), quote!(write::<#elem>))
                } else {
                    (quote!(&[#elem]), quote!(read::<#elem>))
                }
            }
        };
        types.push(ty);
        values.push(quote!(#args.#method()));
    }
    if let (Some(result), None) = (&kernel.result, operand) {
        let elem = rust_type(result.elem.elem);
        types.push(quote!(&mut [#elem]));
        values.push(quote!(#args.write::<#elem>()));
    }
    let name = &kernel.name;
    let indices = 0..dims.len() as u32;
    let values = quote!(#(#values,)* #name::Dims { #(#dims: #args.dim(#indices)),* });
    let span = path.span().resolved_at(Span::mixed_site());
    let ty = quote_spanned!(span=> fn(#(#types,)* #name::Dims));
    quote! {
        |#args: &mut ::gpu_graph::__private::Args<'_>| {
            let #host: #ty = #path;
            #host(#values)
        }
    }
}

/// The option as an expression.
pub fn option(value: Option<TokenStream>) -> TokenStream {
    match value {
        Some(value) => quote!(::core::option::Option::Some(#value)),
        None => quote!(::core::option::Option::None),
    }
}

/// An expression for the path of `file`, which is relative to the user's crate if to anything.
pub fn in_crate(file: &str) -> TokenStream {
    if std::path::Path::new(file).is_absolute() {
        return quote!(#file);
    }
    let file = format!("/{file}");
    quote!(::core::concat!(::core::env!("CARGO_MANIFEST_DIR"), #file))
}

/// The Rust type of an element.
pub fn rust_type(elem: Elem) -> TokenStream {
    let name = format_ident!("{}", elem.name());
    match elem {
        Elem::F16 | Elem::BF16 => quote!(::gpu_graph::__private::#name),
        _ => quote!(::core::primitive::#name),
    }
}

#[cfg(test)]
mod tests {
    use super::in_crate;

    #[test]
    fn a_path_from_the_root_is_taken_as_it_is() {
        let text = |file: &str| in_crate(file).to_string().replace(' ', "");
        let root = std::env::temp_dir().join("a.cu").display().to_string();
        assert_eq!(text(&root), format!("{root:?}"));
        assert!(text("kernels/a.cu").ends_with("\"CARGO_MANIFEST_DIR\"),\"/kernels/a.cu\")"));
    }
}
