//! Scalar arguments: their types and values.

use super::calls::Declared;
use super::{ARGUMENT_KIND, Edit, Fault, Fix, SCALAR_TYPE, VALUE_RANGE};
use crate::half::Half;
use crate::model::{Elem, Site};

/// A scalar of another type; `found` is how the argument reads.
pub fn scalar_type(site: Site, d: Declared<'_>, wanted: Elem, text: &str, found: &str) -> Fault {
    let message = format!(
        "{} of `{}` is `{wanted}`, `{text}` is {found}",
        d.part(),
        d.kernel
    );
    Fault::new(SCALAR_TYPE, site, message).label(d.site, format!("`{wanted}` is declared here"))
}

/// A literal for a kernel that is declared elsewhere, so that nothing here says its type.
pub fn unsuffixed(site: Site, text: &str, example: &str) -> Fault {
    let message = format!("the type of `{text}` is not known here");
    Fault::new(SCALAR_TYPE, site, message)
        .note("the kernel is declared in another macro call")
        .fix(
            "write its type, as in `{}`",
            [Edit::replace(site, format!("{text}{example}"))],
        )
}

/// An argument that is computed from a scalar, or from what only a scalar can be.
pub fn computed(site: Site) -> Fault {
    Fault::new(ARGUMENT_KIND, site, "a scalar cannot be computed here")
        .note("what an argument may compute is an extent, over dims and whole numbers")
        .help("pass it as it is, or compute it in the kernel")
}

/// A literal or an extent that does not fit its type; `range` is what it can be, if not one number,
/// and `mend` makes it fit.
pub fn value_range(
    site: Site,
    d: Declared<'_>,
    ty: Elem,
    text: &str,
    range: Option<(i128, i128)>,
    mend: Option<Fix>,
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
            .fix_or(mend, "pass a scalar"),
        (Some((min, max)), _) => fault
            .note(format!("`{ty}` holds {min} to {max}"))
            .fix_or(mend, "use a wider type"),
        (None, _) => fault.fix_or(mend, "use a wider type"),
    }
}

/// A float that is not zero and would become zero; `zero` is how that is written.
pub fn underflow(site: Site, d: Declared<'_>, ty: Elem, text: &str, zero: &str) -> Fault {
    let least = match (ty, Half::of(ty)) {
        (_, Some(half)) => format!("{:e}", half.smallest()),
        (Elem::F32, None) => format!("{:e}", f32::from_bits(1)),
        _ => format!("{:e}", f64::from_bits(1)),
    };
    Fault::new(VALUE_RANGE, site, format!("`{text}` rounds to 0 in `{ty}`"))
        .label(d.site, format!("{} is declared here", d.part()))
        .note(format!("the smallest `{ty}` above 0 is {least}"))
        .fix("write `{}`", [Edit::replace(site, zero)])
        .help("use a wider type")
}
