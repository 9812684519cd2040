//! 03xx: copies between the host and the device.

use super::calls::{named, redeclared};
use super::{
    ARGUMENT_COUNT, ARGUMENT_KIND, EFFECT, ELEM, EXTENT, Edit, Fault, Fix, Part, RANK, RESULT,
    SPACE,
};
use crate::calls::Transfer;
use crate::model::Site;

/// One side of a copy as a user reads it.
#[derive(Clone, Copy, Debug)]
pub struct End<'a> {
    /// The resource.
    pub name: &'a str,
    /// The resource and its rows: `x[0..h / 2]`.
    pub text: &'a str,
    /// Its type there, as in `[f32; h / 2]`.
    pub ty: &'a str,
    /// It is staging.
    pub staging: bool,
    /// Where it is written.
    pub site: Site,
    /// Its declaration.
    pub declared: Site,
}

/// Another number of arguments than one; `site` is the second one, or where one is missing.
pub fn one_argument(site: Site, copy: Transfer, found: usize) -> Fault {
    let message = format!("`{copy}` takes 1 argument, {found} given");
    Fault::new(ARGUMENT_COUNT, site, message).help(format!("pass {}", copy.wanted()))
}

/// The argument is no resource behind a `&`; `mend` is what it should be, where that is known.
pub fn argument(site: Site, copy: Transfer, found: &str, mend: Option<String>) -> Fault {
    let message = format!("`{copy}` takes {}, found {found}", copy.wanted());
    let fault = Fault::new(ARGUMENT_KIND, site, message);
    match mend {
        Some(mend) => fault.fix("write `{}`", [Edit::replace(site, mend)]),
        None => fault,
    }
}

/// The argument is `&mut`.
pub fn only_reads(site: Site, copy: Transfer, place: &str) -> Fault {
    Fault::new(EFFECT, site, format!("`{copy}` only reads `{place}`"))
        .fix("write `{}`", [Edit::replace(site, format!("&{place}"))])
}

/// Nothing takes what is copied.
pub fn no_place(site: Site, copy: Transfer) -> Fault {
    let message = format!("nothing takes what `{copy}` copies");
    let (word, of) = match copy {
        Transfer::Upload => ("let x", "upload(&s)"),
        Transfer::Download => ("staging s", "download(&x)"),
    };
    Fault::new(RESULT, site, message).help(format!("write `{word}: [f32; n] = {of};`"))
}

/// The two ends are not of one type; `mend` declares the second like the first.
fn unlike(code: super::Code, copy: Transfer, from: End<'_>, to: End<'_>, mend: bool) -> Fault {
    let message = format!(
        "`{copy}` copies what it is given as it is: `{}` is `{}`, `{}` is `{}`",
        from.text, from.ty, to.text, to.ty
    );
    let mut fault = Fault::new(code, from.site, message);
    for end in [from, to] {
        fault = named(fault, end.name, end.declared);
    }
    let fix: Option<Fix> = mend.then(|| redeclared(to.declared, to.name, from.ty));
    fault.fix_or(fix, "copy between equal types")
}

/// Other elements at one end than at the other.
pub fn elements(copy: Transfer, from: End<'_>, to: End<'_>, mend: bool) -> Fault {
    unlike(ELEM, copy, from, to, mend)
}

/// Another number of extents at one end than at the other.
pub fn ranks(copy: Transfer, from: End<'_>, to: End<'_>, mend: bool) -> Fault {
    unlike(RANK, copy, from, to, mend)
}

/// An extent at one end is not known to equal that at the other.
pub fn extents(copy: Transfer, from: End<'_>, to: End<'_>, mend: bool) -> Fault {
    unlike(EXTENT, copy, from, to, mend)
}

/// The ends of the copy at `call` lie where it does not copy from and to.
pub fn sides(call: Site, copy: Transfer, from: End<'_>, to: End<'_>) -> Fault {
    let upload = copy == Transfer::Upload;
    let lies = |end: End<'_>| match end.staging {
        true => format!("`{}` is staging, memory of the host", end.name),
        false => format!("`{}` is memory of the device", end.name),
    };
    let ways = match copy {
        Transfer::Upload => "from staging to the device",
        Transfer::Download => "from the device to staging",
    };
    let wrong = if from.staging != upload { from } else { to };
    let message = format!("`{copy}` copies {ways}, and {}", lies(wrong));
    let fault = Fault::new(SPACE, wrong.site, message);
    let mut fault = named(fault, wrong.name, wrong.declared);
    if (from.staging, to.staging) == (!upload, upload) {
        let other = format!("{}(&{})", copy.reverse(), from.text);
        return fault.fix("write `{}`", [Edit::replace(call, other)]);
    }
    if wrong.name == to.name {
        let word = if upload { "let" } else { "staging" };
        let edit = Edit::replace(to.declared, word).of(Part::WordBefore);
        fault = fault.fix(&format!("declare `{}` as `{{}}`", to.name), [edit]);
    }
    fault.help(match from.staging {
        true => "copy it with a `callback`",
        false => "copy it with a kernel",
    })
}
