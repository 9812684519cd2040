//! Results: one that goes nowhere, none that is given a place, and operands that become it.

use super::super::{Edit, Fault, Fix, IN_PLACE_FORM, Part, RESULT, raw};
use super::Declared;
use crate::model::Site;

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
