//! CUDA texts that do not fit what is declared of their kernels.

use super::{CUDA_TEXT, Edit, FREE_DIM, Fault, closest, raw};
use crate::model::Site;

/// The text has no function `function`; `found` are those that it says to have.
pub fn no_function(site: Site, function: &str, found: &[&str]) -> Fault {
    let message = format!("the CUDA text has no `KERNEL({function})`");
    let fault = Fault::new(CUDA_TEXT, site, message);
    match found {
        [] => fault.note("nothing in it is called so, and a driver would find nothing to launch"),
        _ => {
            let found: Vec<_> = found.iter().map(|f| format!("`KERNEL({f})`")).collect();
            fault.note(format!("it has {}", found.join(", ")))
        }
    }
}

/// `KERNEL(kernel)` begins with an `INDEX` of `found` indices, and the index space has `wanted`
/// extents.
pub fn indices(site: Site, kernel: &str, found: usize, wanted: usize, over: Site) -> Fault {
    let count =
        |n: usize, one: &str, more: &str| format!("{n} {}", if n == 1 { one } else { more });
    let (found, wanted) = (
        count(found, "index", "indices"),
        count(wanted, "extent", "extents"),
    );
    let message = format!("`INDEX` of `{kernel}` has {found}, `over` {wanted}");
    Fault::new(CUDA_TEXT, site, message)
        .label(over, format!("{wanted} here"))
        .note("there is one index for each extent of `over`")
}

/// The dim `dim` at `site`, which the result of `kernel` alone has, is neither in the index space `over`
/// nor in the text; `dims` are those that the parameters have.
pub fn untold_dim<'a>(
    site: Site,
    kernel: &str,
    dim: &str,
    over: Site,
    dims: impl IntoIterator<Item = &'a str>,
) -> Fault {
    let message = format!("nothing tells `{kernel}` the extent `{dim}` of its result");
    let fault = Fault::new(FREE_DIM, site, message)
        .label(over, format!("the index space has no `{dim}`"))
        .note("each call gives it a value, and neither the text nor a scalar is told of it");
    let dims: Vec<&str> = dims.into_iter().collect();
    if let Some(near) = closest(dim, dims.iter().copied()) {
        return fault.fix("did you mean `{}`?", [Edit::replace(site, raw(near))]);
    }
    let fault = fault.help(format!(
        "take `{dim}` into the index space, or bound what the text writes by it"
    ));
    match dims.first() {
        Some(of) => fault.help(format!("declare how it follows, as in `2 * {of}`")),
        None => fault,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_text_has_instead_is_said() {
        let fault = no_function(Site(3), "grad", &["grd"]);
        assert_eq!((fault.code, fault.site), (CUDA_TEXT, Site(3)));
        assert_eq!(fault.notes, ["it has `KERNEL(grd)`"]);
        let help = |dims: &[&str]| {
            let fault = untold_dim(Site(3), "grad", "m", Site(2), dims.iter().copied());
            fault.help.unwrap_or_default()
        };
        let take = "take `m` into the index space, or bound what the text writes by it";
        let follows = format!("{take}, or declare how it follows, as in `2 * n`");
        assert_eq!(help(&["n"]), follows);
        assert_eq!(help(&[]), take);
        assert_eq!(help(&["n", "mm"]), "did you mean `mm`?");
        let fault = indices(Site(3), "grad", 2, 1, Site(2));
        assert_eq!(
            fault.message,
            "`INDEX` of `grad` has 2 indices, `over` 1 extent"
        );
    }
}
