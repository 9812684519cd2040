//! CUDA sources that users write: what stands before their text, and the constant that holds them.
//!
//! Kernels that name one text are compiled as one image, so each of them has the definitions of all:
//! they stand with the first kernel that is not left out by a `cfg`.

mod entry;
mod extent;
mod names;
#[cfg(test)]
mod tests;

pub use names::ascii;

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::kernel::in_crate;
use crate::ast::{Cuda, Kernel, ParamType};
use crate::lower::{Files, KernelDecl};
use crate::span::Region;

/// The definitions that a kernel's text is compiled with.
pub struct Definitions {
    /// The text, where it stands with this kernel.
    pub own: Option<String>,
    /// An expression for it.
    pub text: TokenStream,
}

/// What kernels of one text are called by.
#[derive(PartialEq, Eq)]
enum Text {
    File(String),
    Inline(String),
}

fn text(decl: &KernelDecl<'_>) -> Option<Text> {
    decl.signature.as_ref().zip(decl.files.as_ref())?;
    Some(match decl.ast.cuda.as_ref()? {
        Cuda::File(file) if is_image(&file.value()) => return None,
        Cuda::File(file) => Text::File(file.value()),
        Cuda::Text(text) => Text::Inline(text.value()),
    })
}

/// The definitions for `decl`, which is one of `all`; `None` without a text.
pub fn definitions(decl: &KernelDecl<'_>, all: &[&KernelDecl<'_>]) -> Option<Definitions> {
    let wanted = text(decl)?;
    let same = || {
        let all = all.iter().copied();
        all.filter(|other| text(other).as_ref() == Some(&wanted))
    };
    let whole = || {
        let kernels = same().filter_map(|decl| decl.signature.as_ref());
        kernels.map(entry::define).collect::<String>()
    };
    let always = |decl: &&KernelDecl<'_>| super::doc::cfgs(&decl.ast.attrs).next().is_none();
    Some(match same().find(always) {
        Some(first) => {
            let name = &first.ast.name;
            let here = std::ptr::eq(first.ast, decl.ast);
            Definitions {
                own: here.then(whole),
                text: quote!(<#name::Dims as ::gpu_graph::__private::DeclaredKernel>::CUDA_KERNELS),
            }
        }
        None => Definitions {
            own: Some(whole()),
            text: quote!(Self::CUDA_KERNELS),
        },
    })
}

/// Files that are the driver's as they stand, by what their names end with.
const IMAGES: &[&str] = &[".ptx", ".cubin", ".fatbin"];

/// The file is compiled already.
pub fn is_image(file: &str) -> bool {
    IMAGES.iter().any(|end| file.ends_with(end))
}

/// Where the scalars of a kernel stand among its parameters.
fn scalars(kernel: &Kernel) -> TokenStream {
    let params = kernel.params.iter().enumerate();
    let scalars = params.filter(|(_, param)| matches!(param.ty, ParamType::Scalar(_)));
    let positions = scalars.map(|(at, _)| Literal::usize_unsuffixed(at));
    quote!(&[#(#positions),*])
}

/// A `CudaSource` for what a user writes.
pub fn source(
    (kernel, cuda): (&Kernel, &Cuda),
    function: &str,
    kernels: Option<&TokenStream>,
    included: &Files,
) -> TokenStream {
    let scalars = scalars(kernel);
    let (file, line, folder, text) = match cuda {
        Cuda::Text(text) => {
            let (_, [line, ..]) = Region::from(text.span()).key();
            // What is not read from a file has no line.
            let line = u32::try_from(line).unwrap_or(1).max(1);
            (quote!(::core::file!()), line, "".to_owned(), quote!(#text))
        }
        Cuda::File(file) => {
            let file = file.value();
            let path = in_crate(&file);
            if is_image(&file) {
                return quote! {
                        ::gpu_graph::__private::CudaSource {
                            function: #function,
                scalars: #scalars,
                            code: ::gpu_graph::__private::CudaCode::Image {
                                file: #file,
                                bytes: ::core::include_bytes!(#path),
                            },
                        }
                    };
            }
            let folder = file.rfind('/').map_or("", |at| &file[..=at]).to_owned();
            (
                quote!(#file),
                1,
                folder,
                quote!(::core::include_str!(#path)),
            )
        }
    };
    let kernels = kernels.map_or(quote!(""), TokenStream::clone);
    let headers = included.iter().map(|file| {
        let path = in_crate(file);
        quote!((#file, ::core::include_str!(#path)))
    });
    quote! {
        ::gpu_graph::__private::CudaSource {
            function: #function,
            scalars: #scalars,
            code: ::gpu_graph::__private::CudaCode::Text(::gpu_graph::__private::CudaText {
                file: #file,
                line: #line,
                folder: #folder,
                kernels: #kernels,
                text: #text,
                headers: &[#(#headers),*],
            }),
        }
    }
}

/// The `CudaSource` of an expression kernel, whose text is whole by itself.
pub fn generated(kernel: &Kernel, text: &TokenStream, function: &str) -> TokenStream {
    let scalars = scalars(kernel);
    quote! {
        ::gpu_graph::__private::CudaSource {
            function: #function,
            scalars: #scalars,
            code: ::gpu_graph::__private::CudaCode::Text(::gpu_graph::__private::CudaText {
                file: ::core::file!(),
                line: 1,
                folder: "",
                kernels: "",
                text: #text,
                headers: &[],
            }),
        }
    }
}
