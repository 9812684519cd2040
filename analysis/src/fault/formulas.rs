//! 07xx: expression kernels.

use super::{
    DIM_OUTSIDE, Edit, FORMULA_EXTENT, FREE_DIM, Fault, NOT_PARAMETER, OPERAND_TYPE, OUTSIDE,
    TARGET, UNSUFFIXED, UNUSED, VALUE_RANGE, closest, list, raw,
};
use crate::formula::{Function, Reduce, Ty};
use crate::model::{Elem, Site};

/// `what` is no part of an expression kernel; it is shown as it was written.
pub fn outside(site: Site, what: &str) -> Fault {
    Fault::new(
        OUTSIDE,
        site,
        format!("{what} is not part of expression kernels"),
    )
}

/// The method `name`, which there is none; `whole` is its call, `receiver` what stands before it, and
/// `mend` what can stand instead of the call.
pub fn unknown_method(
    site: Site,
    name: &str,
    whole: Site,
    receiver: &str,
    mend: Option<String>,
) -> Fault {
    let fault = outside(site, &format!("the method `{name}`"));
    if Reduce::of(name).is_some() {
        return fault.fix(
            "write `{}`",
            [Edit::replace(whole, format!("{name}({receiver})"))],
        );
    }
    if let Some(mend) = mend {
        return fault.fix("write `{}`", [Edit::replace(whole, mend)]);
    }
    // Its argument is of another type.
    match closest(name, Function::names()).filter(|_| name != "powi") {
        Some(near) => fault.fix("did you mean `{}`?", [Edit::replace(site, near)]),
        None => fault.note(format!(
            "methods are {}",
            list(Function::names(), usize::MAX)
        )),
    }
}

/// The reduction `name`, which there is none; `whole` is its call, and `mend` how a method of that
/// name would be called.
pub fn unknown_function(site: Site, name: &str, whole: Site, mend: Option<String>) -> Fault {
    let fault = outside(site, &format!("the function `{name}`"));
    match (mend, closest(name, Reduce::names())) {
        (Some(mend), _) => fault.fix("write `{}`", [Edit::replace(whole, mend)]),
        (None, Some(near)) => fault.fix("did you mean `{}`?", [Edit::replace(site, near)]),
        (None, None) => fault.note(format!("reductions are {}", list(Reduce::names(), 8))),
    }
}

/// A method or a reduction with another number of arguments; `whole` is its call, and `mend` what may
/// have been meant.
pub fn arguments(
    site: Site,
    name: &str,
    [wanted, found]: [usize; 2],
    whole: Site,
    mend: Option<String>,
) -> Fault {
    let plural = if wanted == 1 { "" } else { "s" };
    let message = format!("`{name}` takes {wanted} argument{plural}, {found} given");
    let fault = Fault::new(OUTSIDE, site, message);
    match mend {
        Some(mend) => fault.fix("write `{}`", [Edit::replace(whole, mend)]),
        None => fault,
    }
}

/// A literal without a suffix; `mend` is it with one.
pub fn unsuffixed(site: Site, text: &str, mend: &str) -> Fault {
    Fault::new(
        UNSUFFIXED,
        site,
        format!("the literal `{text}` has no suffix"),
    )
    .note("types are not inferred in an expression kernel")
    .fix("write `{}`", [Edit::replace(site, mend)])
}

/// A literal that its type cannot hold; `nearest` is one that it holds.
pub fn literal_range(site: Site, text: &str, elem: Elem, nearest: Option<i128>) -> Fault {
    let fault = Fault::new(VALUE_RANGE, site, format!("`{text}` does not fit `{elem}`"));
    match (elem.int_range(), nearest) {
        (Some((min, max)), Some(nearest)) => {
            fault.note(format!("`{elem}` holds {min} to {max}")).fix(
                "write `{}`",
                [Edit::replace(site, format!("{nearest}{elem}"))],
            )
        }
        _ => fault.help("use a wider type, or a value that it holds"),
    }
}

/// Something with its place and its type.
#[derive(Clone, Copy, Debug)]
pub struct Typed {
    /// Its type.
    pub ty: Ty,
    /// Its place.
    pub site: Site,
}

/// Two operands of one operator, or of a method, that have different types. `mend` is one of them in
/// the type of the other, where it stands.
pub fn operand_types(
    site: Site,
    what: &str,
    first: Typed,
    second: Typed,
    mend: Option<(Site, String)>,
) -> Fault {
    let message = format!("{what} has operands of `{}` and `{}`", first.ty, second.ty);
    let mut fault = Fault::new(OPERAND_TYPE, site, message);
    for operand in [first, second] {
        if operand.site != site {
            fault = fault.label(operand.site, format!("`{}`", operand.ty));
        } else {
            fault = fault.here(format!("`{}`", operand.ty));
        }
    }
    match mend {
        Some((site, mend)) => fault.fix("write `{}`", [Edit::replace(site, mend)]),
        None => fault,
    }
}

/// An operator or a method that is not there for the type of its operand.
pub fn operand_type(site: Site, what: &str, operand: Typed, note: &str) -> Fault {
    let message = format!("{what} is not defined for `{}`", operand.ty);
    let fault = Fault::new(OPERAND_TYPE, site, message);
    let fault = if operand.site == site {
        fault
    } else {
        fault.label(operand.site, format!("`{}`", operand.ty))
    };
    fault.note(note)
}

/// An expression of another type than its target; `mend` is it in the type of that.
pub fn value_type(value: Typed, wanted: Ty, declared: Site, mend: String) -> Fault {
    let message = format!("the target is `{wanted}`, the expression `{}`", value.ty);
    Fault::new(OPERAND_TYPE, value.site, message)
        .here(format!("`{}`", value.ty))
        .label(declared, format!("`{wanted}` is needed for this"))
        .fix("write `{}`", [Edit::replace(value.site, mend)])
}

/// A number where a condition is needed; `mend` is the comparison that Rust's `if` does not make.
pub fn condition(value: Typed, mend: String) -> Fault {
    let message = format!("a condition is a comparison, and this is `{}`", value.ty);
    Fault::new(OPERAND_TYPE, value.site, message)
        .fix("write `{}`", [Edit::replace(value.site, mend)])
}

/// A name that is no parameter, but perhaps a dim; what it stands for is of type `elem`, where that is
/// known.
pub fn not_parameter<'a>(
    site: Site,
    name: &str,
    dim: Option<Site>,
    elem: Option<Elem>,
    params: impl IntoIterator<Item = &'a str>,
) -> Fault {
    if let Some(dim) = dim {
        return Fault::new(
            NOT_PARAMETER,
            site,
            format!("`{name}` is a dim, and an expression is made of parameters"),
        )
        .label(dim, format!("`{name}` is an extent here"))
        .help(format!(
            "add a parameter, as in `count: u64`, and pass `{name}` where the kernel is called"
        ));
    }
    let params: Vec<_> = params.into_iter().collect();
    let fault = Fault::new(
        NOT_PARAMETER,
        site,
        format!("no parameter is called `{name}`"),
    );
    match closest(name, params.iter().copied()) {
        Some(near) => fault.fix("did you mean `{}`?", [Edit::replace(site, raw(near))]),
        None => {
            let fault = match params.len() {
                0 => fault.note("the kernel has no parameters"),
                1 => fault.note(format!("the parameter is {}", list(params, 8))),
                _ => fault.note(format!("the parameters are {}", list(params, 8))),
            };
            let (name, elem) = (raw(name), elem.unwrap_or(Elem::F32));
            fault.help(format!(
                "declare it as a parameter, as in `{name}: {elem}`, and pass it where the kernel is called"
            ))
        }
    }
}

/// How a part is reduced.
#[derive(Clone, Debug)]
pub enum Mend {
    /// By its sum.
    Sum {
        /// Its sum.
        part: String,
        /// The sum of what is made of it, and where that stands.
        outer: Option<(Site, String)>,
        /// The sums of the dividend and the divisor that it is.
        split: Option<[(Site, String); 2]>,
    },
    /// By this instead of it.
    Instead(String),
    /// As only the user knows.
    Advice,
}

/// An expression outside of a reduction that has dims which the target lacks.
pub fn dim_outside(site: Site, expression: &str, dims: &[&str], target: Site, mend: Mend) -> Fault {
    let plural = if dims.len() == 1 { "dim" } else { "dims" };
    let lacks = list(dims.iter().copied(), 8);
    let message = if expression.len() > 40 {
        format!("the {plural} {lacks} of this expression must be reduced")
    } else {
        format!("the {plural} {lacks} of `{expression}` must be reduced")
    };
    let fault = Fault::new(DIM_OUTSIDE, site, message)
        .label(target, format!("the target has no {lacks}"))
        .note("an element of the target is computed from the elements at its own indices");
    let replace = |(site, text)| Edit::replace(site, text);
    match mend {
        Mend::Sum { part, outer, split } => {
            let fault = fault.fix("reduce it: `{}`", [Edit::replace(site, part)]);
            let fault = match split {
                Some(two) => fault.fix("each: `{}` and `{}`", two.map(replace)),
                None => fault,
            };
            match outer {
                Some(outer) => fault.fix("what is made of it: `{}`", [replace(outer)]),
                None => fault,
            }
        }
        Mend::Instead(text) => fault.fix("write `{}`", [Edit::replace(site, text)]),
        Mend::Advice => fault
            .help(format!("give the target the {plural} {lacks}"))
            .help("write the reduction that is meant"),
    }
}

/// A reduction whose argument, of type `ty`, has no dim that the target lacks.
pub fn nothing_reduced(site: Site, name: &str, argument: &str, ty: Ty, target: Site) -> Fault {
    Fault::new(DIM_OUTSIDE, site, format!("`{name}` has no dim to reduce"))
        .label(target, format!("the target has every dim of `{argument}`"))
        .note("a reduction runs over the dims of its argument that the target lacks")
        .help(format!(
            "reduce all of `{argument}` in a kernel of its own, into `[{ty}; 1]`, and pass that"
        ))
        .help("take a dim from the target")
}

/// A reduction whose argument has no dim at all; `whole` is its call, and `argument` can stand
/// instead of it.
pub fn no_dim(site: Site, name: &str, whole: Site, argument: &str) -> Fault {
    Fault::new(DIM_OUTSIDE, site, format!("`{name}` has no dim to reduce"))
        .note(format!("`{argument}` is one value"))
        .fix("write `{}`", [Edit::replace(whole, argument)])
}

/// An extent that is no dim.
pub fn extent(site: Site, text: &str) -> Fault {
    Fault::new(
        FORMULA_EXTENT,
        site,
        format!("the extent `{text}` is not a dim of the kernel"),
    )
    .note("an expression kernel indexes each tensor by the dims of its own extents")
    .help("write a name, whose value each call gives, or `1`")
}

/// A tensor that has one dim twice.
pub fn diagonal(site: Site, dim: &str) -> Fault {
    Fault::new(
        FORMULA_EXTENT,
        site,
        format!("the dim `{dim}` stands twice in one tensor"),
    )
    .note("an expression kernel indexes each tensor by the dims of its own extents")
    .help("give this extent a name of its own")
}

/// A parameter with dims that the target lacks.
#[derive(Clone, Debug)]
pub struct Lost<'a> {
    /// The parameter.
    pub param: &'a str,
    /// Those of its dims.
    pub dims: Vec<&'a str>,
    /// Its declaration.
    pub site: Site,
}

/// The target has the dim `dim`, which no operand has, and lacks dims that operands have. `target` is
/// the parameter that is written, unless it is the result; `meant` is what could stand instead, and
/// `near` the name of which `dim` is a slip.
pub fn free_dim(
    site: Site,
    target: Option<&str>,
    dim: &str,
    lost: &[Lost<'_>],
    meant: &[&str],
    near: Option<&str>,
) -> Fault {
    let target = target.map_or("the result".to_owned(), |name| format!("`{name}`"));
    let message = format!("no operand has the dim `{dim}` of {target}");
    let mut fault = Fault::new(FREE_DIM, site, message);
    for Lost { param, dims, site } in lost.iter().take(3) {
        let text = format!(
            "`{param}` has {}, which {target} lacks",
            list(dims.iter().copied(), 8)
        );
        fault = fault.label(*site, text);
    }
    fault = fault.note(format!(
        "along a dim that no operand has a value is repeated, and what {target} lacks is reduced"
    ));
    match meant {
        [] => fault.help(format!(
            "give {target} the dims of what it is computed from"
        )),
        // Its calls have to have such places.
        [one] if *one == "1" => fault.help("write `1`, and call it with a place of one element"),
        [one] => {
            let words = match near == Some(*one) {
                true => "did you mean `{}`?",
                false => "write `{}`",
            };
            fault.fix(words, [Edit::replace(site, raw(one))])
        }
        // Which one the calls tell.
        several => {
            let several: Vec<_> = several.iter().map(|text| format!("`{text}`")).collect();
            fault.help(format!("write what is meant: {}", several.join(" or ")))
        }
    }
}

/// A kernel that has neither a result nor a `&mut` parameter.
pub fn no_target(site: Site, kernel: &str) -> Fault {
    Fault::new(
        TARGET,
        site,
        format!("the expression of `{kernel}` goes nowhere"),
    )
    .note("an expression kernel has a result, or one parameter that is `&mut`")
    .help("declare its result behind `->`")
}

/// A second thing that would be written, beside `first`.
pub fn two_targets(site: Site, kernel: &str, first: Site) -> Fault {
    Fault::new(
        TARGET,
        site,
        format!("`{kernel}` has one expression and two targets"),
    )
    .here("a second target")
    .label(first, "the first one")
    .help("declare the parameter as `&`, or drop the result")
}

/// A parameter that the expression does not name.
pub fn unused_parameter(site: Site, name: &str) -> Fault {
    Fault::new(
        UNUSED,
        site,
        format!("the parameter `{name}` is never used"),
    )
    .note("the kernel would be said to read what it does not")
    .help("drop it")
}
