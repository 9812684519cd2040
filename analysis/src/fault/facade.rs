//! 06xx: the facade.

use super::{Edit, Fault, Fix, METHOD_CLASH, MODULE_CLASH};
use crate::model::Site;

/// What is at `site` under another name, said in `words`.
fn called(words: &str, site: Site, name: String) -> Fix {
    Fix::new(words, [Edit::replace(site, name.clone())]).inventing([name])
}

/// Methods that every run has; no output can be called so.
pub const RUN_METHODS: &[&str] = &["wait", "is_finished", "profile"];

/// Methods that a graph may have; no address that it owns can be called so.
pub const GRAPH_METHODS: &[&str] = &[
    "lanes", "load", "memory", "profile", "reset", "run", "try_run",
];

/// The address would hide a method of the `of`: run or graph.
pub fn address_clash(site: Site, pointer: &str, of: &str) -> Fault {
    let message = format!("the address `{pointer}` is called like a method of the {of}");
    Fault::new(METHOD_CLASH, site, message)
        .note("each address that escapes becomes a method")
        .with(called("call it `{}`", site, format!("{pointer}_address")))
}

/// The output would hide a method of the run.
pub fn method_clash(site: Site, output: &str) -> Fault {
    Fault::new(
        METHOD_CLASH,
        site,
        format!("the output `{output}` is called like a method of every run"),
    )
    .note("each output becomes a method of the run")
    .with(called("call it `{}`", site, format!("{output}_out")))
}

/// Two items of the macro expand to `mod module`; `first` is the earlier one.
pub fn module_clash(site: Site, name: &str, module: &str, first: Site, other: &str) -> Fault {
    let message = format!("`{name}` and `{other}` both expand to the module `{module}`");
    Fault::new(MODULE_CLASH, site, message)
        .here(format!("`{name}` is here"))
        .label(first, format!("`{other}` is here"))
        .note("a kernel's module has its name, a graph's module has its name in snake case")
        .with(called("call this one `{}`", site, format!("{name}2")))
}

/// A graph whose module would have the name of the graph itself.
pub fn own_module(site: Site, graph: &str) -> Fault {
    let mut letters = graph.chars();
    let first = letters.next().map(|c| c.to_uppercase().to_string());
    let better = first.unwrap_or_default() + letters.as_str();
    let message = format!("the graph `{graph}` and its module would have one name");
    let fault =
        Fault::new(MODULE_CLASH, site, message).note("a graph's module has its name in snake case");
    if better == graph {
        fault.help("begin its name with a capital letter")
    } else {
        // It stands in the place of the name that its module has.
        fault.fix("call it `{}`", [Edit::replace(site, better)])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clashes_are_named() {
        let fault = method_clash(Site(4), "wait");
        assert_eq!((fault.code, fault.site), (METHOD_CLASH, Site(4)));
        assert_eq!(fault.help.as_deref(), Some("call it `wait_out`"));
        let fault = module_clash(Site(4), "Blur", "blur", Site(1), "blur");
        assert_eq!(
            (fault.code, fault.site, fault.labels[0].site),
            (MODULE_CLASH, Site(4), Site(1))
        );
    }
}
