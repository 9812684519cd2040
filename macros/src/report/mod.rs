//! From faults to compiler errors.

mod compiler;
mod emptied;
mod errors;
mod excerpt;
#[cfg(test)]
mod mends;
mod merge;
mod render;
mod site;
mod taken;
#[cfg(test)]
mod tests;
mod variants;
mod view;

pub use errors::Errors;
#[cfg(test)]
pub use mends::Located;
#[cfg(test)]
pub use merge::merged;
pub use site::SiteTable;

use gpu_graph_analysis::fault::Fault;
use proc_macro2::{Span, TokenStream};
use quote::quote_spanned;

use compiler::Compiler;

/// Fits the mends of `faults` to the rest of `input`, the macro's.
pub fn settle(faults: &mut [Fault], input: &TokenStream, sites: &mut SiteTable) {
    taken::settle(faults, input);
    emptied::settle(faults, input, sites);
}

/// One `compile_error!` for each fault, at its site; `input` is the macro's.
pub fn compile_errors(faults: &[Fault], sites: &SiteTable, input: &TokenStream) -> TokenStream {
    if faults.is_empty() {
        return TokenStream::new();
    }
    let view = Compiler::new(sites, input);
    let faults = merge::merged(faults, &view);
    let errors = faults.iter().map(|fault| {
        let region = sites.region(fault.site);
        compile_error(region.first, region.last, &render::render(fault, &view))
    });
    errors.collect()
}

/// An error from `first` to `last`: rustc takes the span of a macro call from its first token to its
/// last one. The spans stay as the user's, so that rustc says nothing of an expansion.
fn compile_error(first: Span, last: Span, text: &str) -> TokenStream {
    let path = quote_spanned!(first=> ::core::compile_error!);
    let body = quote_spanned!(last=> { #text });
    TokenStream::from_iter([path, body])
}
