//! 06xx: constants, stages and loops.

use super::{
    CONSTANT, Edit, Fault, GRAPH_ONLY, RECURSION, STAGE_EFFECT, STAGE_RESULT, UNROLLED, UNUSED, raw,
};
use crate::limits;
use crate::model::Site;

/// A stage calls itself through `cycle`, which begins and ends with it. `site` is the call that
/// closes the cycle; `calls` are the others, with the stage each of them calls.
pub fn recursion(site: Site, cycle: &[&str], calls: &[(Site, String)]) -> Fault {
    let (name, through) = (cycle.first().copied().unwrap_or_default(), cycle.len() > 2);
    let mut fault = Fault::new(RECURSION, site, format!("the stage `{name}` calls itself"));
    for (site, name) in calls {
        fault = fault.label(*site, format!("`{name}` is called here"));
    }
    if through {
        let path: Vec<_> = cycle.iter().map(|name| format!("`{name}`")).collect();
        fault = fault.note(format!("the calls are {}", path.join(" to ")));
    }
    fault
        .note("a stage is unrolled where it is called")
        .help("repeat statements with `for` over a constant range")
}

/// Stages call each other deeper than any graph may; `site` is the innermost call.
pub fn stage_depth(site: Site, name: &str) -> Fault {
    let most = limits::STAGE_DEPTH;
    let message = format!("the call of `{name}` is more than {most} stages deep");
    Fault::new(UNROLLED, site, message)
        .help("call kernels from stages that are nearer to the graph")
}

/// What a `&` parameter of `stage` refers to would be written. `declared` is the parameter, and
/// `overwritten` says that it is the place of a result.
pub fn stage_effect(
    site: Site,
    stage: &str,
    param: &str,
    overwritten: bool,
    declared: Site,
) -> Fault {
    let does = if overwritten {
        "overwrites"
    } else {
        "passes it on as `&mut`"
    };
    let message = if overwritten {
        format!("`{stage}` only reads `{param}`, but {does} it here")
    } else {
        format!("`{stage}` only reads `{param}`, but {does}")
    };
    Fault::new(STAGE_EFFECT, site, message)
        .label(declared, format!("`{param}` is declared as `&`"))
        .help(format!(
            "declare it as `{}: &mut […]`, or write into a `let` of the stage",
            raw(param)
        ))
}

/// No call in `stage` takes its parameter.
pub fn unused_param(site: Site, stage: &str, param: &str) -> Fault {
    let message = format!("the parameter `{param}` of `{stage}` is never used");
    Fault::new(UNUSED, site, message)
        .help("remove it, here and where the stage is called, or pass it to a kernel")
}

/// A stage with a result does not end with a call that gives it. `end` is its closing brace.
pub fn no_tail(end: Site, stage: &str, result: Site, ty: &str) -> Fault {
    Fault::new(
        STAGE_RESULT,
        end,
        format!("the stage `{stage}` ends without its result"),
    )
    .here("a call without a semicolon is missing here")
    .label(result, format!("the result is `{ty}`"))
    .help("end the stage with the call that makes the result, without a semicolon")
}

/// `text` at `site` has no value, because of `why`.
pub fn constant(site: Site, text: &str, why: &str) -> Fault {
    let message = match text.bytes().all(|letter| letter.is_ascii_digit()) {
        true => format!("the number `{text}` is too large"),
        false => format!("the constant `{text}` has no value"),
    };
    Fault::new(CONSTANT, site, message).here(why)
}

/// The value of a constant is none of its type.
pub fn constant_type(site: Site, name: &str, value: i128, ty: &str, range: (i128, i128)) -> Fault {
    let message = format!("`{name}` is `{value}`, which does not fit `{ty}`");
    Fault::new(CONSTANT, site, message)
        .note(format!("`{ty}` holds {} to {}", range.0, range.1))
        .help("use a wider type, or a smaller value")
}

/// A bound of a dim is negative: the largest value, which begins at `from`, or the smallest one.
pub fn negative_bound(site: Site, dim: &str, value: i64, from: Option<u64>) -> Fault {
    let which = from.map_or("smallest", |_| "largest");
    let message = format!("the {which} value of the dim `{dim}` is `{value}`");
    let fault =
        Fault::new(CONSTANT, site, message).note("a dim is a number of rows, columns or elements");
    let Some(from) = from else {
        return fault.help("begin at 0, or at a larger number");
    };
    let slip = value.unsigned_abs();
    match slip >= from.max(1) {
        true => fault.fix(
            "did you mean `{}`?",
            [Edit::replace(site, slip.to_string())],
        ),
        false => fault.help(format!("end at {}, or at a larger number", from.max(1))),
    }
}

/// With the statement at `site`, more statements than a graph may have once loops and stages are
/// unrolled. `what` says what stands there.
pub fn unrolled(site: Site, what: &str) -> Fault {
    let most = limits::STATEMENTS;
    Fault::new(
        UNROLLED,
        site,
        format!("with {what}, the graph has more than {most} statements"),
    )
    .note(
        "statements are counted as loops and stages unroll, and an iteration without one counts \
             as one",
    )
    .help("give more work to each kernel, and fewer calls to the graph")
}

/// Demands of order are of more pairs of tasks than a graph may have.
pub fn ordered(site: Site) -> Fault {
    let most = limits::ORDERS;
    let message = format!("with this demand, more than {most} pairs of tasks are ordered");
    Fault::new(UNROLLED, site, message)
        .note("the label of a stage stands for all its tasks")
        .help("label single calls inside the stages, and order those")
}

/// The statement `word` is said of a graph, and stands `inside` something else.
pub fn misplaced(site: Site, word: &str, inside: &str) -> Fault {
    Fault::new(GRAPH_ONLY, site, format!("`{word}` stands inside {inside}"))
        .here("this is said of a whole graph")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_named_whole() {
        let calls = [(Site(4), "b".to_owned())];
        let fault = recursion(Site(3), &["a", "b", "a"], &calls);
        assert_eq!((fault.code, fault.site), (RECURSION, Site(3)));
        assert_eq!(fault.message, "the stage `a` calls itself");
        assert_eq!(fault.notes[0], "the calls are `a` to `b` to `a`");
        assert_eq!(fault.labels[0].text, "`b` is called here");
        assert_eq!(recursion(Site(3), &["a", "a"], &[]).notes.len(), 1);
    }

    #[test]
    fn effects_and_results_point_to_what_is_declared() {
        let fault = stage_effect(Site(3), "layer", "x", false, Site(1));
        assert_eq!(
            fault.message,
            "`layer` only reads `x`, but passes it on as `&mut`"
        );
        let fault = stage_effect(Site(3), "layer", "x", true, Site(1));
        assert_eq!(
            fault.message,
            "`layer` only reads `x`, but overwrites it here"
        );
        assert_eq!((fault.code, fault.labels[0].site), (STAGE_EFFECT, Site(1)));
        let fault = no_tail(Site(9), "layer", Site(2), "[f32; n]");
        assert_eq!((fault.code, fault.labels[0].site), (STAGE_RESULT, Site(2)));
    }

    #[test]
    fn constants_say_their_value() {
        let fault = constant_type(Site(3), "N", 300, "u8", (0, 255));
        assert_eq!(fault.message, "`N` is `300`, which does not fit `u8`");
        let fault = constant(Site(3), "4 / 0", "this divides by `0`");
        assert_eq!(
            (fault.code, &*fault.here),
            (CONSTANT, "this divides by `0`")
        );
        assert_eq!(negative_bound(Site(3), "h", -1, None).code, CONSTANT);
    }

    #[test]
    fn limits_are_named() {
        let fault = unrolled(Site(3), "this loop");
        assert_eq!(fault.code, UNROLLED);
        assert_eq!(
            fault.message,
            "with this loop, the graph has more than 65536 statements"
        );
        assert_eq!(stage_depth(Site(3), "a").code, UNROLLED);
        assert_eq!(
            misplaced(Site(3), "dim", "a loop").message,
            "`dim` stands inside a loop"
        );
    }
}
