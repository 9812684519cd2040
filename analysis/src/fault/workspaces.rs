//! 02xx: workspaces, as far as they are found before a plan is made.

use super::{Edit, Fault, NOT_ZEROED, WORKSPACE_CONTENT, raw};
use crate::model::{Mode, Site};
use crate::workspace::{Content, Workspace};

/// A call of `kernel`, which needs zeros in its parameter at entry, passes `shown` for it at `site`.
/// `declared` is the declaration of the resource, which is `workspace` if it is one; `dirty` is an
/// earlier use of it, and the task.
pub fn not_zeroed(
    site: Site,
    kernel: &str,
    shown: &str,
    declared: Site,
    workspace: Option<&Workspace>,
    dirty: Option<(Site, &str)>,
) -> Fault {
    let message = format!("`{kernel}` needs zeros in `{shown}`, and nothing makes it zero");
    let fault = Fault::new(NOT_ZEROED, site, message);
    let fault = match dirty {
        Some((site, task)) => fault.label(site, format!("`{task}` leaves it dirty here")),
        None => fault,
    };
    let Some(workspace) = workspace else {
        return fault
            .label(declared, "this is no workspace")
            .help("pass a workspace that is declared `zeroed`");
    };
    let kept = workspace.content == Content::Preserved;
    let says = if kept {
        "`preserved`"
    } else {
        "without `zeroed`"
    };
    let fault = fault.label(declared, format!("it is declared {says}"));
    match kept {
        true => fault.help("declare it `zeroed` instead"),
        false => fault.fix("declare it `{}`", [Edit::behind(workspace.end, " zeroed")]),
    }
}

/// The clause `zeroed` of `kernel` names `param`, to which no workspace can be passed. `other` is the
/// only parameter that it can be passed for.
pub fn not_workspace(
    site: Site,
    kernel: &str,
    param: &str,
    declared: Site,
    other: Option<&str>,
) -> Fault {
    let message = format!("`{kernel}` needs zeros in `{param}`, which takes no workspace");
    let fault = Fault::new(NOT_ZEROED, site, message)
        .label(declared, format!("`{param}` is no `&mut` tensor"));
    match other {
        Some(other) => fault.fix("name `{}`", [Edit::replace(site, raw(other))]),
        None => fault.help("name a parameter that is `&mut`"),
    }
}

/// A workspace is read, or is the place of a result or a copy.
pub fn workspace_content(site: Site, name: &str, declared: Site, mode: Mode) -> Fault {
    let (does, why) = match mode {
        Mode::Read => ("read", "nothing is left in it to read"),
        _ => ("written", "nothing of it is left to be read"),
    };
    let message = format!("the workspace `{name}` is {does} for its content");
    Fault::new(WORKSPACE_CONTENT, site, message)
        .here(why)
        .label(declared, format!("`{name}` is declared here"))
        .note("a workspace is room for one task at a time, and is passed as `&mut`")
        .help("declare it as a `let`, and write it before it is read")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::ResourceId;
    use crate::workspace::Sharing;

    fn workspace(content: Content) -> Workspace {
        Workspace {
            name: "ws".to_owned(),
            site: Site(1),
            content,
            sharing: Sharing::Exclusive,
            exclusive: None,
            end: Site(2),
            resource: ResourceId(0),
            uses: Vec::new(),
        }
    }

    #[test]
    fn zeros_come_from_a_zeroed_workspace_alone() {
        let dead = workspace(Content::Dead);
        let fault = not_zeroed(
            Site(5),
            "count",
            "ws",
            Site(1),
            Some(&dead),
            Some((Site(4), "a")),
        );
        assert_eq!((fault.code, fault.site), (NOT_ZEROED, Site(5)));
        assert_eq!(fault.labels[0].text, "`a` leaves it dirty here");
        assert_eq!(fault.fixes[0].edits, [Edit::behind(Site(2), " zeroed")]);
        let kept = workspace(Content::Preserved);
        let fault = not_zeroed(Site(5), "count", "ws", Site(1), Some(&kept), None);
        assert!(fault.fixes.is_empty());
        let fault = not_zeroed(Site(5), "count", "x", Site(1), None, None);
        assert_eq!(fault.labels[0].text, "this is no workspace");
        assert_eq!(
            not_workspace(Site(3), "f", "x", Site(1), None).code,
            NOT_ZEROED
        );
    }

    #[test]
    fn a_workspace_has_no_content() {
        let fault = workspace_content(Site(3), "ws", Site(1), Mode::Read);
        assert_eq!((fault.code, fault.site), (WORKSPACE_CONTENT, Site(3)));
        assert_eq!(fault.message, "the workspace `ws` is read for its content");
    }
}
