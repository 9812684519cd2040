//! 03xx: calls and types.

mod extents;
mod results;

pub use extents::{
    Extents, extent, extent_at_call, not_affine, reshaped_count, reshaped_elem, unbound_dim,
    view_bounds, view_turned,
};
pub use results::{Changes, in_place_form, no_result, result_dropped};

use super::{
    ARGUMENT_COUNT, ARGUMENT_KIND, COLLECTIVE_LANES, EFFECT, ELEM, Edit, Fault, Fix, Part, RANK,
    SPACE, raw,
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
    pub(super) fn part(&self) -> String {
        self.param
            .map_or("the result".to_owned(), |p| format!("`{p}`"))
    }
}

/// More or fewer arguments than parameters. `site` is the first argument too many, or the end of the
/// argument list; `params` shows the parameters with their types, `mend` is a call that binds.
pub fn argument_count(
    site: Site,
    d: Declared<'_>,
    found: usize,
    params: &[String],
    mend: Option<Fix>,
) -> Fault {
    let wanted = params.len();
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!(
        "`{}` takes {wanted} argument{plural}, {found} given",
        d.kernel
    );
    let here = match params.get(found) {
        Some(next) => format!("`{next}` is missing here"),
        None if found == wanted + 1 => "one too many".to_owned(),
        None => format!("{} too many", found - wanted),
    };
    let fault = Fault::new(ARGUMENT_COUNT, site, message)
        .here(here)
        .label(d.site, format!("`{}` is declared here", d.kernel));
    match (mend, params.get(found..)) {
        (Some(mend), _) => fault.with(mend),
        (None, Some(missing)) => fault.help(format!("pass `{}` too", missing.join(", "))),
        (None, None) => fault,
    }
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
        .fix(
            "write `{}`",
            [Edit::replace(site, format!("{wanted}{place}"))],
        )
}

/// Another kind of argument than the kernel declares: `wanted` and `found` in words. `write` is what
/// to write instead, if that is known.
pub fn argument_kind(
    site: Site,
    d: Declared<'_>,
    wanted: &str,
    found: &str,
    write: Option<String>,
) -> Fault {
    let fault = Fault::new(
        ARGUMENT_KIND,
        site,
        format!("{} is {wanted}, not {found}", d.part()),
    )
    .here(format!("this is {found}"))
    .label(d.site, format!("{} is declared here", d.part()));
    match write {
        Some(text) => fault.fix("write `{}`", [Edit::replace(site, text)]),
        None => fault,
    }
}

/// Another element type; `name` is the resource, and `ty` its type with the kernel's elements where
/// it is what is to be declared otherwise: a task that writes it does not follow.
pub fn elem(
    site: Site,
    d: Declared<'_>,
    wanted: Elem,
    name: &str,
    found: Elem,
    declared: Site,
    ty: Option<&str>,
) -> Fault {
    let message = format!(
        "{} of `{}` has elements of type `{wanted}`, `{name}` has `{found}`",
        d.part(),
        d.kernel
    );
    let fault = Fault::new(ELEM, site, message)
        .here(format!("`{found}` elements"))
        .label(d.site, format!("`{wanted}` is declared here"));
    let fault = named(fault, name, declared);
    let fault = match ty {
        Some(ty) => fault.with(redeclared(declared, name, ty)),
        None => fault,
    };
    match d.param {
        Some(_) if ty.is_none() => fault.help(format!(
            "convert it first, by `kernel convert(x: &[{found}; n]) -> [{wanted}; n] = x as {wanted};`, \
             or use a resource of `{wanted}` elements"
        )),
        Some(_) => fault.help(format!("use a resource of `{wanted}` elements")),
        None => fault,
    }
}

/// Points to the declaration of `name`, unless the fault is there already.
pub(super) fn named(fault: Fault, name: &str, declared: Site) -> Fault {
    match fault.site == declared {
        true => fault,
        false => fault.label(declared, format!("`{name}` is declared here")),
    }
}

/// The resource `name` with another type.
pub(crate) fn redeclared(declared: Site, name: &str, ty: &str) -> Fix {
    let words = format!("declare `{name}` as `{{}}`");
    Fix::new(&words, [Edit::replace(declared, ty).of(Part::TypeBehind)])
}

/// Another number of extents; `mend` declares as many.
pub fn rank(
    site: Site,
    d: Declared<'_>,
    wanted: &str,
    name: &str,
    found: &str,
    declared: Site,
    mend: Option<Fix>,
) -> Fault {
    let message = format!(
        "{} of `{}` is `{wanted}`, `{name}` is `{found}`",
        d.part(),
        d.kernel
    );
    let fault = Fault::new(RANK, site, message)
        .here("another number of extents")
        .label(d.site, "declared here");
    let fault = named(fault, name, declared);
    match (mend, d.param) {
        (Some(mend), _) => fault.with(mend),
        (None, Some(_)) => fault.help(format!("use a resource with as many extents as `{wanted}`")),
        (None, None) => fault.help(format!("declare it with as many extents as `{wanted}`")),
    }
}

/// `name` lies in memory that the kernel does not reach.
pub fn space(
    site: Site,
    kernel: &str,
    callback: bool,
    name: &str,
    declared: Site,
    read: bool,
) -> Fault {
    let (runs, lies) = match callback {
        true => ("is a callback of the host", "memory of the device"),
        false => ("runs on the device", "staging, memory of the host"),
    };
    let fault = Fault::new(SPACE, site, format!("`{kernel}` cannot reach `{name}`"))
        .label(declared, format!("`{name}` is {lies}"))
        .note(format!("`{kernel}` {runs}"));
    let name = raw(name);
    fault.help(match (callback, read) {
        (true, true) => format!("pass a `staging` resource that is `download(&{name})`"),
        (true, false) => format!("write to a `staging` resource, and `upload` that to `{name}`"),
        (false, true) => format!("pass a `let` that is `upload(&{name})`"),
        (false, false) => format!("write to a `let`, and `download` that to `{name}`"),
    })
}

/// `kernel` is a collective, and its graph has `depth` runs in flight.
pub fn collective_lanes(site: Site, kernel: &str, depth: u32, declared: Site) -> Fault {
    let message = format!("the collective `{kernel}` is called in lanes");
    Fault::new(COLLECTIVE_LANES, site, message)
        .label(declared, format!("`pipelined {depth}` is declared here"))
        .note("lanes run in any order, so the ranks would meet in different runs")
        .fix(
            "drop `pipelined`",
            [Edit::remove(declared).of(Part::Statement)],
        )
}
