//! From faults to compiler errors.

mod errors;
mod site;

pub use errors::Errors;
pub use site::SiteTable;

use gpu_graph_analysis::fault::Fault;
use proc_macro2::TokenStream;
use quote::quote_spanned;

/// One `compile_error!` for each fault, at its site.
pub fn compile_errors(faults: &[Fault], sites: &SiteTable) -> TokenStream {
    let errors = faults.iter().map(|fault| {
        let span = sites.region(fault.site).first;
        let text = format!("{} [{}]", fault.message, fault.code);
        quote_spanned!(span=> ::core::compile_error! { #text })
    });
    errors.collect()
}
