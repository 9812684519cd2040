//! 03xx: calls and types.

use super::{
    ARGUMENT_COUNT, ARGUMENT_KIND, EFFECT, ELEM, EXTENT, Fault, IN_PLACE_FORM, NOT_AFFINE, RANK,
    RESULT, SCALAR_TYPE, UNBOUND_DIM, VALUE_RANGE, VIEW_BOUNDS,
};
use crate::model::{Elem, Site};

/// The other side of a call: what the kernel declares, and where.
#[derive(Clone, Copy, Debug)]
pub struct Declared<'a> {
    /// The kernel.
    pub kernel: &'a str,
    /// The parameter; `None` for the result.
    pub param: Option<&'a str>,
    /// Its declaration.
    pub site: Site,
}

impl Declared<'_> {
    fn part(&self) -> String {
        self.param
            .map_or("the result".to_owned(), |p| format!("`{p}`"))
    }
}

/// More or fewer arguments than parameters. `site` is the first argument too many, or the end of the
/// argument list; `params` shows the parameters with their types.
pub fn argument_count(site: Site, d: Declared<'_>, found: usize, params: &[String]) -> Fault {
    let wanted = params.len();
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!(
        "`{}` takes {wanted} argument{plural}, {found} given",
        d.kernel
    );
    let here = match params.get(found) {
        Some(next) => format!("`{next}` is missing here"),
        None => "one too many".to_owned(),
    };
    Fault::new(ARGUMENT_COUNT, site, message)
        .here(here)
        .label(d.site, format!("`{}` is declared here", d.kernel))
        .help(format!("call `{}({})`", d.kernel, params.join(", ")))
}

/// `&` or `&mut` where the kernel declares the other. `place` is what stands behind it.
pub fn effect(site: Site, d: Declared<'_>, mutable: bool, place: &str) -> Fault {
    let (wanted, found, does) = if mutable {
        ("&mut ", "&", "writes")
    } else {
        ("&", "&mut ", "only reads")
    };
    let message = format!(
        "`{}` {does} {}, but the call passes `{found}{place}`",
        d.kernel,
        d.part()
    );
    Fault::new(EFFECT, site, message)
        .label(
            d.site,
            format!("declared as `{wanted}`", wanted = wanted.trim_end()),
        )
        .help(format!("write `{wanted}{place}`"))
}

/// Another kind of argument than the kernel declares: `wanted` and `found` in words. `help` is what
/// to write, if that is known.
pub fn argument_kind(
    site: Site,
    d: Declared<'_>,
    wanted: &str,
    found: &str,
    help: Option<String>,
) -> Fault {
    let fault = Fault::new(
        ARGUMENT_KIND,
        site,
        format!("{} is {wanted}, not {found}", d.part()),
    )
    .here(format!("this is {found}"))
    .label(d.site, format!("{} is declared here", d.part()));
    match help {
        Some(help) => fault.help(help),
        None => fault,
    }
}

/// Another element type; `name` is the resource.
pub fn elem(
    site: Site,
    d: Declared<'_>,
    wanted: Elem,
    name: &str,
    found: Elem,
    declared: Site,
) -> Fault {
    let message = format!(
        "{} of `{}` has elements of type `{wanted}`, `{name}` has `{found}`",
        d.part(),
        d.kernel
    );
    Fault::new(ELEM, site, message)
        .here(format!("`{found}` elements"))
        .label(d.site, format!("`{wanted}` is declared here"))
        .label(declared, format!("`{name}` is declared here"))
        .help(format!("declare one of them with elements of the other's type, or pass a resource of `{wanted}`"))
}

/// Another number of extents.
pub fn rank(
    site: Site,
    d: Declared<'_>,
    wanted: &str,
    name: &str,
    found: &str,
    declared: Site,
) -> Fault {
    let message = format!(
        "{} of `{}` is `{wanted}`, `{name}` is `{found}`",
        d.part(),
        d.kernel
    );
    Fault::new(RANK, site, message)
        .here("another number of extents")
        .label(d.site, "declared here")
        .label(declared, format!("`{name}` is declared here"))
        .help(format!(
            "pass a resource with as many extents as `{wanted}`"
        ))
}

/// An extent that does not equal the kernel's. `kernel_extent` is it as the kernel declares it,
/// `wanted` its value at this call; `bound` says where dims got their values: text and place.
pub fn extent(
    site: Site,
    d: Declared<'_>,
    kernel_extent: &str,
    wanted: &str,
    found: &str,
    bound: &[(Site, String)],
) -> Fault {
    let message = format!(
        "{} of `{}` needs `{wanted}` here, this is `{found}`",
        d.part(),
        d.kernel
    );
    let mut fault = Fault::new(EXTENT, site, message)
        .label(d.site, format!("`{kernel_extent}` is declared here"));
    for (site, text) in bound {
        fault = fault.label(*site, text.clone());
    }
    fault
        .note("extents must be equal for all admitted dims")
        .help(format!(
            "pass a resource or a view whose extent there is `{wanted}`"
        ))
}

/// A kernel extent that cannot be said over the graph's dims at this call.
pub fn extent_at_call(site: Site, d: Declared<'_>, text: &str, bound: &[(Site, String)]) -> Fault {
    let message = format!(
        "`{text}` of `{}` cannot be expressed over the dims of this call",
        d.kernel
    );
    let mut fault =
        Fault::new(NOT_AFFINE, site, message).label(d.site, format!("`{text}` is declared here"));
    for (site, text) in bound {
        fault = fault.label(*site, text.clone());
    }
    fault
        .note("an extent is a sum of floored fractions, each over one dim")
        .help("pass a resource whose extents are single dims")
}

/// An extent, as written, beyond sums of floored fractions of single dims.
pub fn not_affine(site: Site, text: &str) -> Fault {
    Fault::new(
        NOT_AFFINE,
        site,
        format!("`{text}` is not affine in the dims"),
    )
    .note(
        "products need a constant on one side, a division needs a positive constant, and a \
               fraction is over one dim",
    )
    .help("declare a dim of its own for it")
}

/// A scalar of another type; `found` is how the argument reads.
pub fn scalar_type(site: Site, d: Declared<'_>, wanted: Elem, text: &str, found: &str) -> Fault {
    let message = format!(
        "{} of `{}` is `{wanted}`, `{text}` is {found}",
        d.part(),
        d.kernel
    );
    Fault::new(SCALAR_TYPE, site, message).label(d.site, format!("`{wanted}` is declared here"))
}

/// A literal or an extent that does not fit its type; `range` is what it can be, if not one number.
pub fn value_range(
    site: Site,
    d: Declared<'_>,
    ty: Elem,
    text: &str,
    range: Option<(i128, i128)>,
) -> Fault {
    let fault = match range {
        None => Fault::new(VALUE_RANGE, site, format!("`{text}` does not fit `{ty}`")),
        Some((min, max)) if min < 0 => Fault::new(
            VALUE_RANGE,
            site,
            format!("the extent `{text}` may be negative"),
        )
        .note(format!("over the bounds of the dims it is {min} to {max}")),
        Some((min, max)) => Fault::new(VALUE_RANGE, site, format!("`{text}` may not fit `{ty}`"))
            .note(format!("over the bounds of the dims it is {min} to {max}")),
    };
    let fault = fault.label(d.site, format!("{} is declared here", d.part()));
    match (ty.int_range(), range) {
        (Some((_, max)), Some((min, _))) if min < 0 => fault
            .note(format!("an extent as an argument is 0 to {max}"))
            .help("raise the smallest value of a dim, or pass a scalar"),
        (Some((min, max)), _) => fault
            .note(format!("`{ty}` holds {min} to {max}"))
            .help("use a wider type, or a smaller value"),
        (None, _) => fault.help("use a wider type, or a smaller value"),
    }
}

/// A view that is not known to lie within its resource. `why` names the bound that is not met.
pub fn view_bounds(
    site: Site,
    view: &str,
    name: &str,
    extent: &str,
    why: &str,
    declared: Site,
) -> Fault {
    Fault::new(VIEW_BOUNDS, site, format!("`{view}` may leave `{name}`"))
        .here(why.to_owned())
        .label(declared, format!("`{name}` has `{extent}` rows"))
        .note("a view lies within its resource for all admitted dims")
        .help("move the bound, or raise the smallest value of a dim")
}

/// A kernel with a result is called without a place for it.
pub fn result_dropped(site: Site, d: Declared<'_>, ty: &str) -> Fault {
    Fault::new(
        RESULT,
        site,
        format!("the result of `{}` goes nowhere", d.kernel),
    )
    .label(d.site, format!("it returns `{ty}`"))
    .help(format!("give it a place: `let name: … = {}(…);`", d.kernel))
}

/// A kernel without a result is called with a place for one. `site` is the place.
pub fn no_result(site: Site, d: Declared<'_>) -> Fault {
    Fault::new(
        RESULT,
        site,
        format!("`{}` returns nothing to assign", d.kernel),
    )
    .label(
        d.site,
        format!("`{}` is declared without a result", d.kernel),
    )
    .help(format!(
        "pass the resource as `&mut` where `{}` has a parameter for it",
        d.kernel
    ))
}

/// No parameter, and not the result, has the dim as a bare extent.
pub fn unbound_dim(site: Site, kernel: &str, dim: &str) -> Fault {
    Fault::new(
        UNBOUND_DIM,
        site,
        format!("nothing binds the dim `{dim}` of `{kernel}`"),
    )
    .note("a dim gets its value from the first tensor that has it alone as an extent")
    .help(format!(
        "use `{dim}` alone as an extent of a parameter or of the result"
    ))
}

/// The operand of an `in place` clause cannot become the result; `why` is the reason.
pub fn in_place_form(site: Site, kernel: &str, operand: &str, why: &str, declared: Site) -> Fault {
    Fault::new(
        IN_PLACE_FORM,
        site,
        format!("`{operand}` of `{kernel}` cannot become the result in place"),
    )
    .here(why.to_owned())
    .label(declared, format!("`{operand}` is declared here"))
    .note("the operand is a `&` tensor with the element type and the extents of the result")
    .help("drop the `in place` clause, or declare both alike")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_beyond_the_language_is_shown_as_written() {
        let fault = not_affine(Site(4), "(h + w) / 2");
        assert_eq!((fault.code, fault.site), (NOT_AFFINE, Site(4)));
        assert_eq!(fault.message, "`(h + w) / 2` is not affine in the dims");
    }
}
