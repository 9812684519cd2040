//! 01xx: names and syntax.

use std::fmt;

use super::{
    DUPLICATE_NAME, Edit, FILE, Fault, Fix, MISSING_CLAUSE, NOT_YET, Part, REPEATED, SYNTAX,
    UNKNOWN_NAME, WRONG_KIND, closest, list, raw, shortened,
};
use crate::model::{Elem, Site};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A kernel.
    Kernel,
    /// A graph.
    Graph,
    /// A stage.
    Stage,
    /// A constant.
    Const,
    /// The variable of a loop.
    Variable,
    /// An input, a transient or an output.
    Resource,
    /// A name for rows of a resource.
    View,
    /// A dim of a graph or of a kernel.
    Dim,
    /// A scalar of a graph, or a scalar parameter.
    Scalar,
    /// A parameter of a kernel.
    Parameter,
    /// A label of a task; its name is given with the quote.
    Label,
    /// A variant of a graph.
    Variant,
    /// A value of a variant.
    Value,
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Kind::Kernel => "kernel",
            Kind::Graph => "graph",
            Kind::Stage => "stage",
            Kind::Const => "constant",
            Kind::Variable => "loop variable",
            Kind::Resource => "resource",
            Kind::View => "view",
            Kind::Dim => "dim",
            Kind::Scalar => "scalar",
            Kind::Parameter => "parameter",
            Kind::Label => "label",
            Kind::Variant => "variant",
            Kind::Value => "value",
        })
    }
}

/// The text is not of the grammar. `message` says what was expected.
pub fn syntax(site: Site, message: impl Into<String>) -> Fault {
    Fault::new(SYNTAX, site, message)
}

/// A file that a clause names cannot be read; `why` is what the system says.
pub fn file(site: Site, path: &str, why: &str) -> Fault {
    Fault::new(FILE, site, format!("the file `{path}` cannot be read"))
        .note(why.to_lowercase())
        .help("paths are relative to the folder of the crate's `Cargo.toml`")
}

/// `word` is designed, but not built yet.
pub fn not_yet(site: Site, word: &str) -> Fault {
    Fault::new(
        NOT_YET,
        site,
        format!("`{word}` is not part of the language yet"),
    )
}

/// Nothing of that kind is called `name`; `known` are those that are there, in order.
pub fn unknown<'a>(
    site: Site,
    kind: Kind,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Fault {
    unknown_as(site, kind, name, known, |_| "")
}

/// No label is called `name`, in an order of it and of `beside`, none of which it can be a slip of.
pub fn unknown_label<'a>(
    site: Site,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    beside: impl Fn(&str) -> bool,
) -> Fault {
    among(
        site,
        Kind::Label,
        name,
        known,
        |_| "",
        |known| !beside(known),
    )
}

/// The same of a name that is declared at `declared`, in a block that is over; `inside` says what
/// that is.
pub fn local(site: Site, kind: Kind, name: &str, declared: Site, inside: &str) -> Fault {
    let (block, one) = match inside {
        "a loop" => ("loop", "one iteration"),
        _ => ("`match`", "it"),
    };
    let fault = Fault::new(UNKNOWN_NAME, site, format!("no {kind} is called `{name}`"))
        .label(
            declared,
            format!("`{name}` is declared here, inside {inside}"),
        )
        .note(format!("what {inside} declares is local to {one}"));
    match kind {
        Kind::Resource => fault.help(format!(
            "declare `{}` before the {block}, and give it its value there",
            raw(name)
        )),
        _ => fault,
    }
}

/// The same, where `before` stands before the name that was meant.
pub fn unknown_as<'a>(
    site: Site,
    kind: Kind,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    before: impl Fn(&str) -> &'static str,
) -> Fault {
    among(site, kind, name, known, before, |_| true)
}

/// The same, where only `meant` ones are suggested.
fn among<'a>(
    site: Site,
    kind: Kind,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
    before: impl Fn(&str) -> &'static str,
    meant: impl Fn(&str) -> bool,
) -> Fault {
    let known: Vec<_> = known.into_iter().collect();
    let fault = Fault::new(UNKNOWN_NAME, site, format!("no {kind} is called `{name}`"));
    // The tick of a label is no letter that was hit.
    let hit = |known: &&str| {
        let letters = kind != Kind::Label || known[1..].contains(|c| name[1..].contains(c));
        letters && meant(known)
    };
    match closest(name, known.iter().copied().filter(hit)) {
        Some(close) => {
            let text = format!("{}{}", before(close), raw(close));
            fault.fix("did you mean `{}`?", [Edit::replace(site, text)])
        }
        None if known.is_empty() => fault.note(format!("no {kind} is declared here")),
        None => {
            let plural = if known.len() == 1 { " is" } else { "s are" };
            fault.note(format!("the declared {kind}{plural} {}", list(known, 8)))
        }
    }
}

/// `fault`, which has no help yet, of the dim `name` that is not there: how to declare it, and before that
/// the one of `known` of which it is a longer form, or a shorter one.
pub fn declare_dim<'a>(
    fault: Fault,
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Fault {
    let fault = match shortened(name, known) {
        Some(of) => {
            let edit = Edit::replace(fault.site, raw(of));
            fault.fix("write `{}`", [edit])
        }
        None => fault,
    };
    let name = raw(name);
    fault.help(format!("declare it, as in `dim {name} in 1..=1024;`"))
}

/// The same for the scalar `name` of type `elem`.
pub fn declare_scalar(fault: Fault, name: &str, elem: Elem) -> Fault {
    let name = raw(name);
    fault.help(format!("declare it, as in `scalar {name}: {elem};`"))
}

fn twice(site: Site, kind: Kind, name: &str, first: Site) -> Fault {
    let message = format!("the {kind} `{name}` is declared twice");
    Fault::new(DUPLICATE_NAME, site, message)
        .here("declared again here")
        .label(first, "first declared here")
}

/// `name` is declared at `first` already, and nothing is called `meant`, which is used.
pub fn misnamed(site: Site, kind: Kind, name: &str, first: Site, meant: &str) -> Fault {
    twice(site, kind, name, first)
        .note(format!("a {kind} `{meant}` is used, and none is declared"))
        .fix("call this one `{}`", [Edit::replace(site, raw(meant))])
}

/// `name` is declared at `first` already.
pub fn duplicate(site: Site, kind: Kind, name: &str, first: Site) -> Fault {
    let fault = twice(site, kind, name, first);
    match kind {
        // Whatever names it means the first one.
        Kind::Resource | Kind::Dim | Kind::Scalar | Kind::Const => fault
            .fix(
                "drop this declaration",
                [Edit::remove(site).of(Part::Statement)],
            )
            .help("give one of them another name"),
        Kind::Kernel | Kind::Graph | Kind::Stage | Kind::Parameter | Kind::Label => {
            let other = format!("{name}_2");
            let edit = Edit::replace(site, other.clone());
            fault.with(Fix::new("call this one `{}`", [edit]).inventing([other]))
        }
        Kind::Value => fault.fix("drop this one", [Edit::remove(site).of(Part::Entry)]),
        // What the body means by the name has to be changed, too.
        Kind::Variable | Kind::View | Kind::Variant => fault.help("give one of them another name"),
    }
}

/// The resource `name` is declared, but only at `declared`, after this statement.
pub fn declared_later(site: Site, name: &str, declared: Site) -> Fault {
    let message = format!("`{name}` is used before it is declared");
    Fault::new(UNKNOWN_NAME, site, message)
        .here("not declared yet")
        .label(declared, format!("`{name}` is declared only here"))
        .note("statements have sequential meaning")
        .fix(
            "move its declaration before this statement",
            [Edit::move_statement(declared, site)],
        )
}

/// `name` is there, but it is a `found` where a `wanted` is needed.
pub fn wrong_kind(site: Site, name: &str, found: Kind, wanted: Kind, declared: Site) -> Fault {
    Fault::new(
        WRONG_KIND,
        site,
        format!("`{name}` is a {found}, not a {wanted}"),
    )
    .here(format!("a {wanted} is needed here"))
    .label(declared, format!("`{name}` is declared here"))
}

/// `name` is a resource, but no output, for which alone `word` can be said.
pub fn not_output(site: Site, word: &str, name: &str, declared: Site) -> Fault {
    let message = format!("`{name}` is no output, and has no `{word}`");
    Fault::new(WRONG_KIND, site, message)
        .label(declared, format!("`{name}` is declared here"))
        .note(format!("a `{word}` is that of what the host reads"))
        .help("name an output")
}

/// The clause or setting `word` stands at `first` already; both are a `part`.
pub fn repeated(site: Site, word: &str, first: Site, part: Part) -> Fault {
    Fault::new(REPEATED, site, format!("`{word}` stands twice"))
        .here("repeated here")
        .label(first, "first written here")
        .fix("drop this one", [Edit::remove(site).of(part)])
        .fix("drop the first", [Edit::remove(first).of(part)])
}

/// The kernel has no clause `word`, and `example` would be one.
pub fn missing_clause(site: Site, kernel: &str, word: &str, example: &str) -> Fault {
    Fault::new(
        MISSING_CLAUSE,
        site,
        format!("the kernel `{kernel}` has no `{word}` clause"),
    )
    .fix("add `{}`", [Edit::before(site, example).of(Part::Body)])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_unknown_name_suggests_a_close_one_or_lists_what_is_there() {
        let fault = unknown(Site(3), Kind::Kernel, "blurr", ["sobel", "blur"]);
        assert_eq!((fault.code, fault.site), (UNKNOWN_NAME, Site(3)));
        assert_eq!(fault.message, "no kernel is called `blurr`");
        assert_eq!(fault.help.as_deref(), Some("did you mean `blur`?"));
        let fault = unknown(Site(3), Kind::Dim, "rows", ["h", "w"]);
        assert_eq!(fault.help, None);
        assert_eq!(fault.notes, ["the declared dims are `h` and `w`"]);
        let fault = unknown(Site(3), Kind::Label, "'a", []);
        assert_eq!(fault.notes, ["no label is declared here"]);
        let fault = unknown_label(Site(3), "'d", ["'a", "'b"], |beside| beside == "'b");
        assert_eq!(fault.notes, ["the declared labels are `'a` and `'b`"]);
        let fault = unknown_label(Site(3), "'bb", ["'a", "'b"], |beside| beside == "'b");
        assert_eq!(fault.help, None);
    }

    #[test]
    fn a_name_of_a_block_that_is_over_says_that_it_is_local() {
        let fault = local(Site(3), Kind::Resource, "t", Site(1), "a loop");
        assert_eq!((fault.code, fault.labels[0].site), (UNKNOWN_NAME, Site(1)));
        assert_eq!(
            fault.notes,
            ["what a loop declares is local to one iteration"]
        );
        let help = "declare `t` before the loop, and give it its value there";
        assert_eq!(fault.help.as_deref(), Some(help));
        let fault = local(Site(3), Kind::Label, "'t", Site(1), "an arm");
        assert_eq!(fault.notes, ["what an arm declares is local to it"]);
    }

    #[test]
    fn a_name_that_is_declared_later_points_to_its_declaration() {
        let fault = declared_later(Site(3), "x", Site(7));
        assert_eq!((fault.code, fault.site), (UNKNOWN_NAME, Site(3)));
        assert_eq!(fault.labels[0].site, Site(7));
    }

    #[test]
    fn syntax_says_what_was_expected() {
        let fault = syntax(Site(3), "expected `;`, found `}`");
        assert_eq!((fault.code, fault.site), (SYNTAX, Site(3)));
    }

    #[test]
    fn a_duplicate_points_to_both() {
        let fault = duplicate(Site(9), Kind::Label, "'blur", Site(2));
        assert_eq!((fault.code, fault.site), (DUPLICATE_NAME, Site(9)));
        assert_eq!(fault.labels[0].site, Site(2));
        assert_eq!(fault.message, "the label `'blur` is declared twice");
    }

    #[test]
    fn words_of_the_design_are_refused_by_name() {
        let fault = not_yet(Site(1), "workspace");
        assert_eq!((fault.code, fault.site), (NOT_YET, Site(1)));
        assert_eq!(fault.message, "`workspace` is not part of the language yet");
    }

    #[test]
    fn clauses_are_named() {
        let fault = repeated(Site(5), "budget", Site(4), Part::Statement);
        assert_eq!(
            (fault.code, fault.site, fault.labels[0].site),
            (REPEATED, Site(5), Site(4))
        );
        let fault = missing_clause(Site(5), "blur", "host", "host kernels::blur");
        assert_eq!((fault.code, fault.site), (MISSING_CLAUSE, Site(5)));
        let fault = wrong_kind(Site(6), "low", Kind::Scalar, Kind::Resource, Site(1));
        assert_eq!(fault.message, "`low` is a scalar, not a resource");
        assert_eq!((fault.code, fault.labels[0].site), (WRONG_KIND, Site(1)));
        let fault = not_output(Site(6), "tolerance", "x", Site(1));
        assert_eq!(fault.message, "`x` is no output, and has no `tolerance`");
    }
}
