//! 03xx: calls and types.

use super::{
    ARGUMENT_COUNT, ARGUMENT_KIND, COLLECTIVE_LANES, EFFECT, ELEM, EXTENT, Edit, Fault, Fix,
    IN_PLACE_FORM, NOT_AFFINE, Part, RANK, RESHAPE, RESULT, SPACE, UNBOUND_DIM, VIEW_BOUNDS, raw,
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

/// An extent that does not equal the kernel's. `kernel_extent` is it as the kernel declares it,
/// `wanted` its value at this call; `bound` says where dims got their values: text and place. `mend`
/// makes it equal.
pub fn extent(
    site: Site,
    d: Declared<'_>,
    kernel_extent: &str,
    wanted: &str,
    found: &str,
    bound: &[(Site, String)],
    mend: Option<Fix>,
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
    let fault = fault.note("extents must be equal for all admitted dims");
    match (mend, d.param) {
        (Some(mend), None) => fault.with(mend),
        (mend, _) => fault.fix_or(
            mend,
            format!("use a resource or a view whose extent there is `{wanted}`"),
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
        .label(declared, format!("`{name}` has `{extent}` rows"))
        .note("a view lies within its resource for all admitted dims")
        .fix_or(mend, "take fewer rows")
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
    let message = format!("`{shown}` has `{own}` elements, this shape `{other}`");
    let fault = Fault::new(RESHAPE, site, message).label(declared, "declared here");
    match differ {
        Some(differ) => fault.note(differ),
        None => fault.note("they are not known to be as many for all admitted dims"),
    }
}

/// A kernel with a result is called without a place for it. `mend` declares one before the call,
/// where its type is known.
pub fn result_dropped(site: Site, d: Declared<'_>, ty: &str, mend: Option<Fix>) -> Fault {
    let fault = Fault::new(
        RESULT,
        site,
        format!("the result of `{}` goes nowhere", d.kernel),
    )
    .label(d.site, format!("it returns `{ty}`"));
    match mend {
        Some(mend) => fault.with(mend),
        None => fault.help("give it a place"),
    }
}

/// The one parameter that a kernel changes, at a call.
#[derive(Clone, Debug)]
pub struct Changes {
    /// Its declaration.
    pub declared: Site,
    /// Its type.
    pub ty: String,
    /// It, declared as `&`.
    pub read: String,
    /// What is passed for it.
    pub passed: Site,
    /// The place that is passed.
    pub place: String,
}

/// A kernel without a result is called with a place for one. `site` is the place, `ty` its type in
/// the words of the kernel, if it has any for it, and `changes` what it changes instead.
pub fn no_result(
    site: Site,
    d: Declared<'_>,
    ty: Option<String>,
    changes: Option<Changes>,
) -> Fault {
    let fault = Fault::new(
        RESULT,
        site,
        format!("`{}` returns nothing to assign", d.kernel),
    )
    .label(
        d.site,
        format!("`{}` is declared without a result", d.kernel),
    );
    if let Some(changes) = changes {
        let alone = format!("call it without a place: it changes `{}`", changes.place);
        // What it changed becomes its result, which is of the same type.
        let mend = ty.filter(|ty| *ty == changes.ty).map(|ty| {
            let edits = [
                Edit::replace(changes.declared, changes.read),
                Edit::behind(d.site, format!(" -> {ty}")).of(Part::Parameters),
                Edit::replace(changes.passed, format!("&{}", changes.place)),
            ];
            let words = format!(
                "declare `{{}}` and `{}(…) {{}}`, and pass `{{}}`",
                raw(d.kernel)
            );
            Fix::new(&words, edits)
        });
        return fault.fix_or(mend, alone);
    }
    let mend = ty.map(|ty| {
        let edit = Edit::behind(d.site, format!(" -> {ty}")).of(Part::Parameters);
        let words = format!("declare `{}(…) {{}}`", raw(d.kernel));
        Fix::new(&words, [edit])
    });
    let instead = "pass the resource to a `&mut` parameter";
    fault.fix_or(mend, instead)
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
    .fix(
        "drop the `in place` clause",
        [Edit::remove(site).of(Part::Entry)],
    )
    .help("declare both alike")
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
