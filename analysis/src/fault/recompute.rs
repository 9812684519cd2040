//! Values that are to be made again, and cannot be.

use super::{
    Edit, Fault, INPUT_CHANGED, INPUT_GONE, NO_CONTRACT, NOT_READ_AGAIN, NOT_SAME, PEAK_RETURNS,
    Part, counted, raw,
};
use crate::layout::sizes::amount;
use crate::model::{Class, Site};

/// A `recompute let`.
#[derive(Clone, Copy, Debug)]
pub struct Remade<'a> {
    /// The value.
    pub name: &'a str,
    /// Its declaration.
    pub declared: Site,
    /// Where it is demanded to be made again.
    pub demanded: &'a [Site],
}

impl Remade<'_> {
    /// Drops the word `recompute` of the declaration, and what demands it.
    fn plain(&self, fault: Fault) -> Fault {
        let word = Edit::replace(self.declared, "let").of(Part::WordsBefore);
        let drop = |site: &Site| Edit::remove(*site).of(Part::Statement);
        let words = match self.demanded {
            [] => "declare it with `{}` alone",
            _ => "declare it with `{}` alone, and do not demand to `recompute` it",
        };
        let edits = self.demanded.iter().map(drop);
        fault.fix(words, [word].into_iter().chain(edits))
    }
}

/// Drops the demand at `site` that `name` is made again before `label`.
fn dropped(fault: Fault, site: Site, name: &str, label: &str) -> Fault {
    let drop = Edit::remove(site).of(Part::Statement);
    // What is declared in a loop or in a stage has a longer name.
    let name = raw(name.rsplit('.').next().unwrap_or(name));
    fault.fix(&format!("drop `recompute {name} before {label}`"), [drop])
}

/// `value` is filled at `writes`, not by one call of a kernel.
pub fn not_one_call(value: Remade<'_>, writes: &[Site]) -> Fault {
    let (name, declared) = (value.name, value.declared);
    let message = match writes.len() {
        1 => format!("`{name}` is not made by a kernel"),
        n => format!("`{name}` is made in {}", counted(n, "part")),
    };
    let mut fault = Fault::new(NO_CONTRACT, declared, message)
        .note("what may be made again is the whole result of one call of a kernel");
    for &write in writes {
        fault = fault.label(write, format!("`{name}` is filled here"));
    }
    value.plain(fault)
}

/// `name`, of that class, is demanded to be made again before `label` at `site`, and is no `recompute let`.
/// `by_call` says that it could be one.
pub fn not_declared(
    site: Site,
    name: &str,
    label: &str,
    class: Class,
    declared: Site,
    by_call: bool,
) -> Fault {
    let what = match class {
        Class::Input | Class::InputMut => "is an input, which the caller fills",
        Class::Resident => "is a resident input, which the caller fills",
        Class::Inout => "is an inout, which holds what runs leave",
        Class::Workspace => "is a workspace, which holds nothing between tasks",
        Class::Staging => "is staging, which the host fills or reads",
        Class::Output => "is an output, which the host reads after the run",
        Class::Escape => "escapes: its address is used after the run",
        Class::Transient | Class::Reconstructable => "is declared here, without `recompute`",
    };
    let message = format!("nothing says how `{name}` is made again");
    let fault = Fault::new(NO_CONTRACT, site, message)
        .label(declared, format!("`{name}` {what}"))
        .note("only a `recompute let` may be dropped and made again");
    match by_call {
        true => {
            let word = Edit::replace(declared, "recompute let").of(Part::WordBefore);
            fault.fix("declare it with `{}`", [word])
        }
        false => dropped(fault, site, name, label),
    }
}

/// The address of `value` is handed out at `site`.
pub fn handed_out(site: Site, value: Remade<'_>) -> Fault {
    let (name, declared) = (value.name, value.declared);
    let fault = Fault::new(
        NO_CONTRACT,
        site,
        format!("`{name}` escapes, and may be made again elsewhere"),
    )
    .label(declared, format!("`{name}` may be dropped and made again"))
    .note("whoever has the address would find another value there");
    value.plain(fault)
}

/// The call of `kernel` that makes `value` also changes `other`, at `site`.
pub fn changes_other(site: Site, value: Remade<'_>, kernel: &str, other: &str) -> Fault {
    let (name, declared) = (value.name, value.declared);
    let message = format!("`{kernel}` changes `{other}`, too, each time that it makes `{name}`");
    let fault = Fault::new(NOT_SAME, site, message)
        .label(declared, format!("`{name}` may be made again"))
        .note("what is made again is made of the same inputs, and nothing else is written");
    value.plain(fault)
}

/// `value` is changed at `site`, by `task`, after it was made.
pub fn changed_later(site: Site, value: Remade<'_>, task: &str) -> Fault {
    let (name, declared) = (value.name, value.declared);
    let message = format!("`{task}` changes `{name}`, which may be made again");
    let fault = Fault::new(NOT_SAME, site, message)
        .label(declared, format!("`{name}` is declared so"))
        .note("made again, it would be what it was before the change");
    value.plain(fault)
}

/// `value` is made by the call at `site` of `kernel`, which is `what`: an opaque kernel, a collective.
pub fn not_a_function(site: Site, value: Remade<'_>, kernel: &str, what: &str) -> Fault {
    let (name, declared) = (value.name, value.declared);
    let message = format!("`{kernel}` is {what}, so `{name}` cannot be made again by it");
    let fault = Fault::new(NOT_SAME, site, message)
        .label(declared, format!("`{name}` may be made again"))
        .note("a second call of a kernel alone is known to do the same");
    value.plain(fault)
}

/// Where a demanded reconstruction stands, and what it is of.
pub struct Demanded<'a> {
    /// The value.
    pub name: &'a str,
    /// Its name in the demand.
    pub site: Site,
    /// The label, as it is written.
    pub label: &'a str,
    /// The label in the demand.
    pub at: Site,
    /// The call that makes it.
    pub maker: Site,
}

impl Demanded<'_> {
    /// `input` is overwritten at `by`.
    pub fn overwritten(&self, input: &str, by: Site) -> Fault {
        let (name, label) = (self.name, self.label);
        let message =
            format!("`{input}` is overwritten before `{label}`, and `{name}` is made of it");
        self.lost(Fault::new(INPUT_GONE, self.at, message), input)
            .label(by, "it is overwritten here")
    }

    /// The storage of `input` is demanded for `other`, at `by`.
    pub fn given_away(&self, input: &str, other: &str, by: Site) -> Fault {
        let (name, label) = (self.name, self.label);
        let message = format!(
            "the storage of `{input}` is given to `{other}` before `{label}`, and `{name}` is made of it"
        );
        self.lost(Fault::new(INPUT_GONE, self.at, message), input)
            .label(by, "it is demanded here")
    }

    /// `input` is updated at `by`.
    pub fn updated(&self, input: &str, by: Site) -> Fault {
        let (name, label) = (self.name, self.label);
        let message = format!("`{input}` is changed before `{label}`, and `{name}` is made of it");
        self.lost(Fault::new(INPUT_CHANGED, self.at, message), input)
            .label(by, "it is changed here")
    }

    fn lost(&self, fault: Fault, input: &str) -> Fault {
        let fault = fault
            .label(
                self.maker,
                format!("`{}` is made of `{input}` here", self.name),
            )
            .note("what is made again is made of what is there by then");
        dropped(fault, self.site, self.name, self.label)
    }

    /// Where `name` lies is demanded, at `by`.
    pub fn placed(&self, by: Site) -> Fault {
        let message = format!(
            "where `{}` lies is demanded, so it is not made elsewhere",
            self.name
        );
        let fault = Fault::new(NO_CONTRACT, self.site, message)
            .label(by, "it is demanded here")
            .note("what is made again lies where there is room then");
        dropped(fault, self.site, self.name, self.label)
    }

    /// The smallest arena of the plans that were weighed takes `with` bytes with the demand, and
    /// `without` it as few or fewer; the plan that is taken may need more. `longer` lives on for it.
    pub fn returns(&self, with: u64, without: u64, longer: &[&str]) -> Fault {
        let (name, label) = (self.name, self.label);
        let message = format!("making `{name}` again before `{label}` saves no memory");
        let fault = Fault::new(PEAK_RETURNS, self.site, message).note(format!(
            "of all plans that were weighed, the smallest arena takes {} with it, and {} without",
            amount(with),
            amount(without)
        ));
        let fault = match longer {
            [] => fault,
            _ => fault.note(format!(
                "{} must live until then",
                super::list(longer.iter().copied(), 4)
            )),
        };
        dropped(fault, self.site, self.name, self.label)
    }

    /// What the label stands for does not read the value, or is the `first` to.
    pub fn not_read_again(&self, first: bool) -> Fault {
        let (name, label) = (self.name, self.label);
        let message = match first {
            true => format!("nothing reads `{name}` before `{label}`"),
            false => format!("`{label}` does not read `{name}`"),
        };
        let fault = Fault::new(NOT_READ_AGAIN, self.at, message)
            .label(self.maker, format!("`{name}` is made here"))
            .note("a value is made again for a second reader");
        dropped(fault, self.site, self.name, self.label)
    }
}
