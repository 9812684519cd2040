//! What words of a record mean to somebody who reads one for the first time.

use std::fmt::{self, Formatter};

/// Words of a record, each with what it means. `docs/record.md` and the page have the same.
pub const WORDS: [(&str, &str); 23] = [
    (
        "arena",
        "the memory that the resources of one run share; it is allocated once, at the load",
    ),
    (
        "instance",
        "what one run takes: an arena, streams and events of its own; `pipelined 2` has two",
    ),
    (
        "lane",
        "an instance as the caller runs it, where there is more than one",
    ),
    (
        "store",
        "the memory of what outlives runs, one copy for all instances, behind the arena",
    ),
    (
        "slot",
        "the range of bytes in which a resource lies: in the arena, in the store or in staging",
    ),
    (
        "padding",
        "bytes between slots that hold nothing, so that slots of whole pages begin on different cache sets",
    ),
    (
        "as it stands",
        "the graph as it is written, with nothing added: the baseline of all differences",
    ),
    (
        "live",
        "from the first task that uses a resource to the last; one range with what it becomes in place",
    ),
    (
        "transient",
        "a value between tasks of one run: nothing of it is left after its last task",
    ),
    (
        "reconstructable",
        "a transient value that may be dropped, and made again before a later task that reads it",
    ),
    (
        "dependency",
        "an order of two tasks that what they access has, or a demanded `order`, and not the plan",
    ),
    (
        "execution",
        "an order in which tasks may start and complete: any that dependencies admit, and what the plan orders where proofs rest on that",
    ),
    (
        "beside",
        "of tasks, at the same time; of orders, of bytes and of plans, in addition to",
    ),
    (
        "peak cut",
        "a moment in some order of execution at which the most is live",
    ),
    (
        "slack",
        "the arena less the most that is live at once where tasks run one at a time, as they are issued",
    ),
    (
        "conditioned",
        "it rests on an order of tasks that no dependency has, and that the plan adds",
    ),
    ("guard", "a check that has to hold for the plan to be used"),
    (
        "fallback",
        "the program, proved as well, that runs where a guard does not hold",
    ),
    (
        "hold",
        "a task that does nothing: up to it, code that no task shows may still use what it names",
    ),
    (
        "guarded policy",
        "proved under guards; no gain is claimed that would have to be measured",
    ),
    (
        "measured finding",
        "profiles of the baseline and of the plan show the predicted gain beyond their uncertainty",
    ),
    (
        "need more evidence",
        "it is for a target of which no measurement, or too few, says anything",
    ),
    (
        "rejected",
        "as a verdict, measurements show the plan worse than its baseline; of a plan that was weighed, it is not taken",
    ),
];

pub(super) fn words(f: &mut Formatter<'_>) -> fmt::Result {
    writeln!(f, "\nwords")?;
    let mut words = WORDS.iter();
    words.try_for_each(|(word, means)| writeln!(f, "  {word:<18} {means}"))
}
