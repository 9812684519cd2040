//! What is used beyond a call or a run: retentions, escapes, stable addresses.

use super::unknown::blocked;
use super::{ESCAPE, Edit, Fault, Part, RETENTION, UNSTABLE, raw};
use crate::model::{Class, Site};

/// An `opaque` kernel retains the parameter `name`, which is a scalar.
pub fn kept_scalar(site: Site, name: &str) -> Fault {
    Fault::new(RETENTION, site, format!("`{name}` is a scalar"))
        .note("a scalar is passed by value, so that nobody needs it behind the call")
        .fix("drop the `retains`", [Edit::remove(site).of(Part::Entry)])
}

/// An `opaque` kernel retains a result that it does not have.
pub fn kept_nothing(site: Site, kernel: &str) -> Fault {
    Fault::new(
        RETENTION,
        site,
        format!("`{kernel}` has no result to retain"),
    )
    .fix("drop the `retains`", [Edit::remove(site).of(Part::Entry)])
}

/// A call retains what it does not touch.
pub fn not_passed(site: Site, name: &str, call: &str) -> Fault {
    let message = format!("`{name}` is not passed to `{call}`");
    Fault::new(RETENTION, site, message)
        .note("a call retains what it reads or writes")
        .help(format!("name what `{call}` reads or writes"))
}

/// A call retains one resource a second time; `first` says so first.
pub fn retained_twice(site: Site, name: &str, first: Site) -> Fault {
    Fault::new(
        RETENTION,
        site,
        format!("`{name}` is retained twice by one call"),
    )
    .label(first, "first retained here")
    .help("name the label of the later task alone")
}

/// A call of `stage` retains `name`, which no call in it keeps.
pub fn stage_keeps_nothing(site: Site, name: &str, stage: &str) -> Fault {
    Fault::new(RETENTION, site, format!("no call in `{stage}` keeps `{name}`"))
        .note("at the call of a stage it is said of the `opaque` calls in it that retain what they are passed")
        .help("drop the `retains`, or say it at the call in the stage")
}

/// `label` is no task behind the call of `call`, which is to retain `name` until then.
pub fn not_later(site: Site, label: &str, name: &str, call: Site) -> Fault {
    let message = format!("`{label}` is no later task than the call that retains `{name}`");
    Fault::new(RETENTION, site, message)
        .label(call, format!("`{name}` is retained from here on"))
        .note("statements have sequential meaning")
        .help("name the label of a call that comes later, and waits for this one")
}

/// A call of the opaque kernel `kernel` does not say until when it keeps `name`.
pub fn until_unknown(site: Site, kernel: &str, name: &str, declared: Site) -> Fault {
    blocked(
        site,
        &format!("the completion of `{kernel}`, which keeps `{name}`"),
    )
    .label(declared, format!("`{kernel}` retains it"))
    .help(format!(
        "say until when, behind the call: `retains {} until 'task`",
        raw(name)
    ))
}

/// The opaque kernel `kernel` is called, and when it completes is not known.
pub fn completion_unknown(site: Site, kernel: &str, declared: Site) -> Fault {
    blocked(
        site,
        &format!("the completion of `{kernel}`, which is unknown"),
    )
    .label(declared, "it is declared so")
    .help("declare what it `retains`, and say at the call until when")
}

/// What is handed out as `pointer` has no owner; `owner` could be one.
pub fn no_owner(site: Site, name: &str, pointer: &str, owner: &str) -> Fault {
    Fault::new(ESCAPE, site, format!("`{name}` escapes without an owner"))
        .note(format!(
            "whoever has `{pointer}` has to know how long it points to something"
        ))
        .fix(
            "write `{}` behind it",
            [Edit::behind(site, format!(" owned by {owner}"))],
        )
}

/// Who uses `pointer`, and until when, is not known.
pub fn consumer_unknown(site: Site, pointer: &str, owner: &str) -> Fault {
    blocked(
        site,
        &format!("the consumer of `{pointer}`, which is unknown"),
    )
    .fix("name its owner: `{}`", [Edit::replace(site, owner)])
}

/// `name`, of that class, cannot escape as the property of `owner`: `run` or `graph`.
pub fn cannot_escape(site: Site, name: &str, class: Class, owner: &str, declared: Site) -> Fault {
    let what = match class {
        Class::Input => "is an input: it is where the caller keeps it",
        Class::InputMut => "is an input: each run fills it anew",
        Class::Resident => "is a resident input: it is where it was last set, and may be replaced",
        Class::Inout => "is an inout: it lives as long as the loaded graph",
        Class::Workspace => "is a workspace: it holds nothing between tasks",
        Class::Staging => "is staging: lanes refill it",
        Class::Reconstructable => "may be made again elsewhere",
        Class::Transient | Class::Output | Class::Escape => "lives as long as its run",
    };
    let message = match (class, owner) {
        (Class::Transient | Class::Output | Class::Escape, _) => {
            format!("`{name}` escapes for longer than it lives")
        }
        _ => format!("`{name}` cannot be owned by the {owner}"),
    };
    let fault = Fault::new(ESCAPE, site, message).label(declared, format!("`{name}` {what}"));
    match class {
        Class::Inout => fault.fix("write `{}`", [Edit::replace(site, "graph")]),
        Class::Transient | Class::Output | Class::Escape => fault
            .note("its storage is used by others in the same run, and by every run after it")
            .fix("write `{}`", [Edit::replace(site, "run")])
            .help("declare it as an `inout`, which stays where it is"),
        _ => fault.help("let a task write it to a `let`, which can escape"),
    }
}

/// The address of `name` is to be the same in every run, and is not.
pub fn unstable(site: Site, name: &str, class: Class, declared: Site) -> Fault {
    let why = match class {
        Class::Resident => "is where it was last set, and may be replaced",
        _ => "is where the caller keeps it",
    };
    Fault::new(UNSTABLE, site, format!("`{name}` has no stable address"))
        .label(declared, format!("`{name}` {why}"))
        .fix("drop the demand", [Edit::remove(site).of(Part::Statement)])
        .help("let a task write it to a `let`, or to an `inout`")
}

/// Each lane has a resource `name` of its own.
pub fn unstable_lanes(site: Site, name: &str, pipelined: Site) -> Fault {
    Fault::new(UNSTABLE, site, format!("`{name}` has no stable address"))
        .label(pipelined, format!("each lane has a `{name}` of its own"))
        .fix("drop the demand", [Edit::remove(site).of(Part::Statement)])
        .help("drop `pipelined`")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fault::BLOCKED;

    #[test]
    fn what_blocks_a_plan_is_named() {
        let fault = completion_unknown(Site(3), "lib", Site(1));
        assert_eq!((fault.code, fault.site), (BLOCKED, Site(3)));
        let what = "the plan is blocked on the completion of `lib`, which is unknown";
        assert_eq!(fault.message, what);
        let fault = consumer_unknown(Site(3), "p", "run");
        assert_eq!(fault.help.as_deref(), Some("name its owner: `run`"));
    }

    #[test]
    fn an_escape_is_kept_by_what_lives_as_long() {
        let fault = cannot_escape(Site(3), "x", Class::Transient, "graph", Site(1));
        assert_eq!((fault.code, fault.labels[0].site), (ESCAPE, Site(1)));
        assert_eq!(fault.message, "`x` escapes for longer than it lives");
        let fault = cannot_escape(Site(3), "x", Class::Inout, "run", Site(1));
        assert_eq!(fault.help.as_deref(), Some("write `graph`"));
    }
}
