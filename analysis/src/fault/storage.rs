//! 02xx: storage and liveness, as far as they are found before a plan is made.

use super::{
    Edit, Fault, Fix, INPUT_WRITTEN, OUTPUT_NOT_WRITTEN, OVERLAP, PAIR_CONTRADICTION, PAIR_SELF,
    Part, READ_BEFORE_WRITE, RETAINED, SHARED_UPDATE, UNUSED, list, raw,
};
use crate::model::{Class, Mode, Site};

/// An access as a user reads it.
#[derive(Clone, Debug)]
pub struct Shown {
    /// Resource and rows: `x[0..h / 2]`.
    pub text: String,
    /// How it is touched.
    pub mode: Mode,
    /// Where.
    pub site: Site,
}

impl Shown {
    fn verb(&self) -> &'static str {
        match self.mode {
            Mode::Read => "read",
            Mode::ReadWrite => "updated",
            Mode::Overwrite => "overwritten",
        }
    }
}

/// A task reads what nothing before it is known to write. `written` are the writes before it, `later`
/// is the first write after it; `only_read` says that no task so much as updates it.
pub fn read_before_write(
    resource: &str,
    declared: Site,
    read: &Shown,
    written: &[Shown],
    later: Option<&Shown>,
    only_read: bool,
) -> Fault {
    let message = if written.is_empty() {
        format!("`{resource}` is read before anything writes it")
    } else {
        format!(
            "`{}` is read, but only part of it is known to be written",
            read.text
        )
    };
    let fault = Fault::new(READ_BEFORE_WRITE, read.site, message).here(format!(
        "`{}` is {} here",
        read.text,
        read.verb()
    ));
    let mut fault = written_so_far(fault, written);
    if written.is_empty() && later.is_none() {
        let fault = fault.label(
            declared,
            format!("`{resource}` is declared here, without a value"),
        );
        let word = Edit::replace(declared, "input").of(Part::WordBefore);
        let mend = only_read.then(|| Fix::new("declare it as an `{}`", [word]));
        return fault.fix_or(mend, "give it a value where it is declared");
    }
    if let Some(later) = later {
        fault = fault
            .label(
                later.site,
                format!("`{}` is {} only here", later.text, later.verb()),
            )
            .note("statements have sequential meaning");
        let edit = Edit::move_statement(later.site, read.site);
        return fault.fix("move the statement that writes it before this one", [edit]);
    }
    fault.help("write the rest before this statement, or read a view of what is written")
}

/// A task reads staging that nothing fills. `copied` is what is declared as a copy of all of it by
/// that task, where nothing else names it.
pub fn never_filled(staging: &str, declared: Site, read: &Shown, copied: Option<&str>) -> Fault {
    let message = format!("`{staging}` is read before anything writes it");
    let mend = copied.map(|copied| {
        let name = raw(copied);
        let edits = [
            Edit::replace(declared, "input").of(Part::WordBefore),
            Edit::replace(declared, name.clone()),
            Edit::remove(read.site).of(Part::Statement),
        ];
        let words = format!("declare `{name}` as an `input` instead of both");
        Fix::new(&words, edits)
    });
    Fault::new(READ_BEFORE_WRITE, read.site, message)
        .here(format!("`{}` is read here", read.text))
        .label(
            declared,
            format!("`{staging}` is declared here, without a value"),
        )
        .note("the caller fills inputs, and a `callback` or a `download` fills staging")
        .fix_or(mend, "let a `callback` fill it where it is declared")
}

/// Labels for at most three writes, and a note for the rest.
fn written_so_far(mut fault: Fault, written: &[Shown]) -> Fault {
    for w in written.iter().take(3) {
        fault = fault.label(w.site, format!("`{}` is written here", w.text));
    }
    if written.len() > 3 {
        let rest = written[3..].iter().map(|w| w.text.as_str());
        fault = fault.note(format!("also written: {}", list(rest, 5)));
    }
    fault
}

/// Rows of an output that nothing is known to write.
pub fn output_not_written(output: &str, site: Site, written: &[Shown]) -> Fault {
    let message = if written.is_empty() {
        format!("nothing writes the output `{output}`")
    } else {
        format!("the output `{output}` is not known to be fully written")
    };
    let fault = written_so_far(Fault::new(OUTPUT_NOT_WRITTEN, site, message), written)
        .note("the host reads all of an output after the run");
    if written.is_empty() {
        fault.help(format!("assign to it: `{} = kernel(…);`", raw(output)))
    } else {
        fault.help("write all of its rows, or declare it smaller")
    }
}

/// Rows of what escapes that nothing is known to write.
pub fn escape_not_written(name: &str, site: Site, written: &[Shown]) -> Fault {
    let message = format!("`{name}` escapes and is not known to be fully written");
    let fault = written_so_far(Fault::new(OUTPUT_NOT_WRITTEN, site, message), written);
    fault
        .note("whoever has its address may read all of it")
        .help("write all of its rows, or declare it smaller")
}

/// Nothing reads the resource at all. `what` says how it is declared: `resource` or `input`.
pub fn unused(site: Site, what: &str, name: &str) -> Fault {
    Fault::new(UNUSED, site, format!("the {what} `{name}` is never used"))
        .fix(
            &format!("remove `{name}`"),
            [Edit::remove(site).of(Part::Statement)],
        )
        .help("pass it to a kernel")
}

/// A scalar that no call takes.
pub fn unused_scalar(site: Site, name: &str) -> Fault {
    unused(site, "scalar", name)
}

/// A dim that no extent, no view and no argument mentions.
pub fn unused_dim(site: Site, name: &str) -> Fault {
    Fault::new(UNUSED, site, format!("the dim `{name}` is never used"))
        .fix(
            &format!("remove `{name}`"),
            [Edit::remove(site).of(Part::Statement)],
        )
        .help("use it in an extent")
}

/// `write` comes while the task at `holder` still uses `name`, up to what is said at `until`.
pub fn retained(name: &str, write: &Shown, holder: Site, until: Site) -> Fault {
    let message = format!("`{name}` is {} while it is retained", write.verb());
    Fault::new(RETAINED, write.site, message)
        .here(format!("`{}` is {} here", write.text, write.verb()))
        .label(holder, format!("`{name}` is retained from here on"))
        .label(until, "up to here".to_owned())
        .help("write it after that, or write to another resource")
}

/// `access` comes while the task at `writer` still writes `name`, up to what is said at `until`.
pub fn unfinished(name: &str, access: &Shown, writer: Site, until: Site) -> Fault {
    let message = format!(
        "`{name}` is {} while it is still being written",
        access.verb()
    );
    Fault::new(RETAINED, access.site, message)
        .here(format!("`{}` is {} here", access.text, access.verb()))
        .label(writer, format!("`{name}` is written from here on"))
        .label(until, "up to the end of this")
        .note("what is retained and written is finished when the task of the label completes")
        .help("use it behind that task")
}

/// An inout that stays as it is at load.
pub fn never_written(site: Site, name: &str) -> Fault {
    let message = format!("the inout `{name}` is never written, so it stays zero");
    Fault::new(UNUSED, site, message)
        .fix(
            "declare it as a `{}`",
            [Edit::replace(site, "resident input").of(Part::WordBefore)],
        )
        .help("update it")
}

/// Runs that may be in flight together would update `name`.
pub fn shared_update(site: Site, name: &str, depth: u32) -> Fault {
    let message = format!("`{name}` is updated by runs of which {depth} may be in flight");
    Fault::new(SHARED_UPDATE, site, message)
        .here(format!(
            "what a run leaves in `{name}` is what the next one finds"
        ))
        .note("lanes run in any order, so there is no next one")
        .help("drop `pipelined`, or pass it in as an `input` and out as an `output`")
}

/// A resource that is written and that nothing reads.
pub fn never_read(site: Site, name: &str) -> Fault {
    Fault::new(
        UNUSED,
        site,
        format!("`{name}` is written, but nothing reads it"),
    )
    .note("work whose result nobody sees is most often a slip")
    .fix(
        "declare it as an `{}`",
        [Edit::replace(site, "output").of(Part::WordBefore)],
    )
    .help(format!(
        "pass `&{}` to a later call, or remove this one",
        raw(name)
    ))
}

/// A call whose place has no rows; `mend` gives it some.
pub fn no_rows(write: &Shown, mend: Option<Fix>) -> Fault {
    let message = format!("`{}` has no rows for any admitted dims", write.text);
    Fault::new(UNUSED, write.site, message)
        .note("a call that writes nothing is most often a slip")
        .fix_or(mend, "remove the call")
}

/// One value of the resource `name`, declared at `declared`, that nothing reads. `by` overwrites it
/// unread, if anything does.
pub fn dead_value(name: &str, declared: Site, write: &Shown, by: Option<&Shown>) -> Fault {
    let message = format!("the value that `{}` gets here is never read", write.text);
    let fault = Fault::new(UNUSED, write.site, message);
    // The call of a declaration cannot go without the declaration.
    let edit = Edit::remove(write.site).of(Part::Statement);
    let alone = write.site != declared;
    let mend = |words: &str| alone.then(|| Fix::new(words, [edit]));
    match by {
        Some(by) => fault
            .label(
                by.site,
                format!("`{}` is overwritten here, unread", by.text),
            )
            .fix_or(
                mend("remove the first of the two calls"),
                "read its result between them",
            ),
        None => fault.fix_or(mend("remove the call"), format!("read `{name}` after it")),
    }
}

/// What the caller gives for the input `name` is overwritten, by `by`, before anything reads it.
pub fn dead_input(name: &str, declared: Site, by: Option<&Shown>) -> Fault {
    let message = format!("what the caller gives for `{name}` is never read");
    let fault = Fault::new(UNUSED, declared, message);
    let fault = by.into_iter().fold(fault, |fault, by| {
        let text = format!("`{}` is overwritten here, unread", by.text);
        fault.label(by.site, text)
    });
    fault.help(format!("read `{name}` before that, or make it a `let`"))
}

/// Two accesses of one call of `kernel` overlap, and one of them writes. `second` is the later argument.
pub fn overlap(kernel: &str, first: &Shown, second: &Shown) -> Fault {
    let message = if first.text == second.text {
        format!(
            "`{}` is {} and {} by one call",
            first.text,
            first.verb(),
            second.verb()
        )
    } else {
        format!(
            "`{}` and `{}` may overlap in one call, and one is written",
            first.text, second.text
        )
    };
    Fault::new(OVERLAP, second.site, message)
        .here(format!("`{}` is {} here", second.text, second.verb()))
        .label(
            first.site,
            format!("`{}` is {} here", first.text, first.verb()),
        )
        .note(format!(
            "a write of `{kernel}` may overlap nothing else that the call touches"
        ))
        .help("use another resource for one of them, or pass it once as `&mut`")
}

/// A task writes an input.
pub fn input_written(input: &str, class: Class, declared: Site, write: &Shown) -> Fault {
    let fault = Fault::new(
        INPUT_WRITTEN,
        write.site,
        format!("the input `{input}` cannot be written"),
    )
    .here(format!("`{}` is {} here", write.text, write.verb()))
    .label(declared, format!("`{input}` is an input"))
    .note("an input may stay in the caller's memory");
    let fault = match class {
        Class::Input => {
            let own = Edit::replace(declared, "input mut").of(Part::WordBefore);
            fault.fix("let each run copy it: declare it with `{}`", [own])
        }
        _ => fault,
    };
    fault.help("write to a `let` instead")
}

/// `alias x with x`, `separate x, x`.
pub fn pair_self(site: Site, word: &str, name: &str) -> Fault {
    Fault::new(PAIR_SELF, site, format!("`{word}` names `{name}` twice"))
        .fix(
            &format!("drop the `{word}`"),
            [Edit::remove(site).of(Part::Statement)],
        )
        .help("name two different resources")
}

/// `separate a, b` at `site`, while `alias` demands at `aliases` make the two share storage.
pub fn pair_contradiction(site: Site, a: &str, b: &str, aliases: &[Site]) -> Fault {
    let message = format!("`{a}` and `{b}` must share storage and must not");
    let mut fault = Fault::new(PAIR_CONTRADICTION, site, message).here("kept apart here");
    for &alias in aliases {
        fault = fault.label(alias, "shared here");
    }
    if aliases.len() > 1 {
        fault = fault.note("`alias` is transitive: all of them start at one address");
    }
    let drop = |site| [Edit::remove(site).of(Part::Statement)];
    let fault = fault.fix("drop the `separate`", drop(site));
    match aliases {
        [alias] => fault.fix("drop the `alias`", drop(*alias)),
        _ => fault,
    }
}
