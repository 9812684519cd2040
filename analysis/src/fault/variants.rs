//! 062x: variants and the `match` over them.

use super::{
    COMBINATIONS, Edit, Fault, MISSING_ARM, NOT_YET, Part, REPEATED_ARM, SETTLED, UNKNOWN_NAME,
    UNSTABLE, UNUSED, VARIANT_NAME, closest, list, raw,
};
use crate::limits;
use crate::model::Site;

/// An arm at `site` is for what `variant`, declared at `declared`, does not have.
pub fn unknown_value(
    site: Site,
    variant: &str,
    name: &str,
    known: &[&str],
    declared: Site,
) -> Fault {
    let message = format!("the variant `{variant}` has no value `{name}`");
    let fault = Fault::new(UNKNOWN_NAME, site, message);
    match closest(name, known.iter().copied()) {
        Some(close) => fault.fix("did you mean `{}`?", [Edit::replace(site, raw(close))]),
        None => fault.label(
            declared,
            format!("its values are {}", list(known.to_vec(), 8)),
        ),
    }
}

/// The `match` over `variant` at `site` has no arm for `missing`.
pub fn missing_arm(site: Site, variant: &str, missing: &[&str], declared: Site) -> Fault {
    let names = list(missing.to_vec(), 8);
    let fault = Fault::new(
        MISSING_ARM,
        site,
        format!("the `match` over `{variant}` has no arm for {names}"),
    )
    .label(declared, format!("`{variant}` is declared here"));
    let arm = match missing {
        [one] => format!("add the arm `{} => {{ … }}`", raw(one)),
        _ => "add the arms, or one for all of them, `_ => { … }`".to_owned(),
    };
    fault.help(arm)
}

/// The arm at `site`, all of which is `arm`, is for what the one at `first` is for; `name` is `None`
/// where it is for all other values, of which none is left.
pub fn repeated_arm(site: Site, arm: Site, name: Option<&str>, first: Site) -> Fault {
    let fault = match name {
        Some(name) => Fault::new(REPEATED_ARM, site, format!("`{name}` has an arm already"))
            .label(first, "its first arm"),
        None => Fault::new(REPEATED_ARM, site, "no value is left for `_`")
            .label(first, "each value has an arm of its own"),
    };
    fault.fix("drop this arm", [Edit::remove(arm)])
}

/// The `match` over `variant` at `site` stands inside the arm of another for `value`.
pub fn settled(site: Site, variant: &str, value: &str, outer: Site) -> Fault {
    let message = format!("`{variant}` is matched where it is settled");
    Fault::new(SETTLED, site, message)
        .label(outer, format!("here `{variant}` is `{value}`"))
        .help(format!(
            "write what the arm for `{value}` holds in its place"
        ))
}

/// No `match` is over the variant at `site`.
pub fn unmatched(site: Site, name: &str) -> Fault {
    Fault::new(
        UNUSED,
        site,
        format!("no `match` is over the variant `{name}`"),
    )
    .fix(
        &format!("remove `{name}`"),
        [Edit::remove(site).of(Part::Statement)],
    )
    .help("match it")
}

/// The collective `name` is called at `site`, in a graph with the variant at `declared`.
pub fn collective(site: Site, name: &str, declared: Site) -> Fault {
    let message =
        format!("the collective `{name}` in a graph with variants is not part of the language yet");
    Fault::new(NOT_YET, site, message)
        .label(declared, "each rank would choose its own")
        .note("a collective waits for all ranks of its group, which have to do the same")
}

/// `stable address name`, of what each combination of variants has in a place of its own.
pub fn unstable(site: Site, name: &str, variant: Site) -> Fault {
    Fault::new(
        UNSTABLE,
        site,
        format!("the address of `{name}` is not the same in every run"),
    )
    .label(variant, "each value has a layout of its own")
    .note("what outlives runs, an `inout`, is at one place for all")
    .fix("drop this", [Edit::remove(site).of(Part::Statement)])
}

/// With the variant at `site`, there are more combinations than a graph may have.
pub fn combinations(site: Site, name: &str, count: u64) -> Fault {
    let most = limits::COMBINATIONS;
    let message = format!("with `{name}`, the variants have {count} combinations");
    Fault::new(COMBINATIONS, site, message)
        .note(format!(
            "each combination has tables of its own, and a graph has at most {most}"
        ))
        .help("declare graphs of their own for what never runs on the same data")
}

/// The type or value `name` would become `becomes`, which is the name of `taken` already.
pub fn taken(site: Site, name: &str, becomes: &str, taken: &str) -> Fault {
    let message = format!("`{name}` would become `{becomes}`, which is the name of {taken}");
    Fault::new(VARIANT_NAME, site, message)
        .note("a variant becomes a type of the graph's module, in upper camel case")
        .help("give it another name")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arms_are_named() {
        let fault = unknown_value(Site(3), "mode", "decod", &["prefill", "decode"], Site(1));
        assert_eq!(fault.help.as_deref(), Some("did you mean `decode`?"));
        let fault = unknown_value(Site(3), "mode", "x", &["prefill", "decode"], Site(1));
        assert_eq!(
            fault.labels[0].text,
            "its values are `prefill` and `decode`"
        );
        let fault = missing_arm(Site(3), "mode", &["decode"], Site(1));
        assert_eq!((fault.code, fault.site), (MISSING_ARM, Site(3)));
        assert_eq!(
            fault.message,
            "the `match` over `mode` has no arm for `decode`"
        );
        let fault = repeated_arm(Site(3), Site(4), None, Site(1));
        assert_eq!(
            (fault.code, &*fault.message),
            (REPEATED_ARM, "no value is left for `_`")
        );
        let fault = settled(Site(3), "mode", "decode", Site(1));
        assert_eq!(fault.labels[0].text, "here `mode` is `decode`");
    }

    #[test]
    fn what_is_too_much_or_taken_is_said() {
        let fault = combinations(Site(3), "b", 32);
        assert_eq!(fault.message, "with `b`, the variants have 32 combinations");
        let fault = taken(Site(3), "run", "Run", "a type of every graph");
        assert_eq!(fault.code, VARIANT_NAME);
    }
}
