//! Extents at calls: those that differ, cannot be said, or that nothing binds.

use super::super::{
    EXTENT, Edit, Fault, Fix, NOT_AFFINE, RESHAPE, UNBOUND_DIM, VIEW_BOUNDS, numbered, raw,
};
use super::Declared;
use crate::model::{Elem, Site};

/// One extent, or the types where there are `several`, in text.
#[derive(Clone, Copy, Debug)]
pub struct Extents<'a> {
    /// As the kernel declares it.
    pub declared: &'a str,
    /// Its value at this call.
    pub wanted: &'a str,
    /// What the call has instead.
    pub found: &'a str,
    /// There are several, and these are all of both types.
    pub several: bool,
}

/// Extents that do not equal the kernel's. `bound` says where dims got their values: text and place.
/// `mend` makes them equal.
pub fn extent(
    site: Site,
    d: Declared<'_>,
    shown: Extents<'_>,
    bound: &[(Site, String)],
    mend: Option<Fix>,
) -> Fault {
    let Extents {
        declared,
        wanted,
        found,
        several,
    } = shown;
    let message = format!(
        "{} of `{}` needs `{wanted}` here, this is `{found}`",
        d.part(),
        d.kernel
    );
    let mut fault =
        Fault::new(EXTENT, site, message).label(d.site, format!("`{declared}` is declared here"));
    for (site, text) in bound {
        fault = fault.label(*site, text.clone());
    }
    let fault = fault.note("extents must be equal for all admitted dims");
    match (mend, d.param) {
        (Some(mend), None) => fault.with(mend),
        (mend, _) => fault.fix_or(
            mend,
            match several {
                true => format!("use a resource or a view that is `{wanted}`"),
                false => format!("use a resource or a view whose extent there is `{wanted}`"),
            },
        ),
    }
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
        .note("an extent is a sum of floored fractions, each over one dim or product")
        .help("pass a resource whose extents are single dims")
}

/// An extent, as written, beyond sums of floored fractions of single dims: a product of dims in the
/// signature of a kernel or a stage, or else a division.
pub fn not_affine(site: Site, text: &str, signature: bool) -> Fault {
    let message = format!("`{text}` is not affine in the dims");
    let note = match signature {
        true => "what a call binds is a dim: in a signature, products need a constant on one side",
        false => "a division needs a positive constant, and a fraction is over one dim or product",
    };
    Fault::new(NOT_AFFINE, site, message)
        .note(note)
        .help("declare a dim of its own for it")
}

/// A view that is not known to lie within its resource. `why` names the bound that is not met,
/// `mend` meets it.
pub fn view_bounds(
    site: Site,
    view: &str,
    name: &str,
    extent: &str,
    why: &str,
    declared: Site,
    mend: Option<Fix>,
) -> Fault {
    Fault::new(VIEW_BOUNDS, site, format!("`{view}` may leave `{name}`"))
        .here(why.to_owned())
        .label(
            declared,
            format!("`{name}` has {}", numbered(extent, "row")),
        )
        .note("a view lies within its resource for all admitted dims")
        .fix_or(mend, "take fewer rows")
}

/// A view that ends before it begins, for all admitted dims; `mend` turns its ends.
pub fn view_turned(site: Site, view: &str, mend: Option<Fix>) -> Fault {
    let fault = Fault::new(VIEW_BOUNDS, site, format!("`{view}` ends before it begins"))
        .note("a view is from its first row to behind its last one");
    match mend {
        Some(mend) => fault.with(mend),
        None => fault.help("write the smaller end first"),
    }
}

/// `shown` is seen as elements of type `wanted`; `site` is that type, and `declared` says `found`.
pub fn reshaped_elem(site: Site, shown: &str, found: Elem, wanted: Elem, declared: Site) -> Fault {
    let message = format!("`{shown}` has elements of type `{found}`, not `{wanted}`");
    Fault::new(RESHAPE, site, message)
        .label(declared, "declared here")
        .note("another shape has the same elements in the same order")
        .fix("write `{}`", [Edit::replace(site, found.name())])
}

/// `shown` is seen in a shape with another number of elements: `counts` are its own and that of the
/// shape, `differ` says where they differ, if that is known.
pub fn reshaped_count(
    site: Site,
    shown: &str,
    counts: &[String; 2],
    differ: Option<&str>,
    declared: Site,
) -> Fault {
    let [own, other] = counts;
    let element = numbered(own, "element");
    let message = format!("`{shown}` has {element}, this shape `{other}`");
    let fault = Fault::new(RESHAPE, site, message).label(declared, "declared here");
    match differ {
        Some(differ) => fault.note(differ),
        None => fault.note("they are not known to be as many for all admitted dims"),
    }
}

/// No parameter, and not the result, has the dim as a bare extent. `other` is one that is bound and
/// could stand there.
pub fn unbound_dim(site: Site, kernel: &str, dim: &str, other: Option<&str>) -> Fault {
    let fault = Fault::new(
        UNBOUND_DIM,
        site,
        format!("nothing binds the dim `{dim}` of `{kernel}`"),
    )
    .note("a dim gets its value from the first tensor that has it alone as an extent");
    let mend = other.map(|dim| Fix::new("write `{}`", [Edit::replace(site, raw(dim))]));
    fault.fix_or(
        mend,
        format!("use `{dim}` alone as an extent of a parameter or of the result"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_extent_beyond_the_language_is_shown_as_written() {
        let fault = not_affine(Site(4), "(h + w) / 2", false);
        assert_eq!((fault.code, fault.site), (NOT_AFFINE, Site(4)));
        assert_eq!(fault.message, "`(h + w) / 2` is not affine in the dims");
    }
}
