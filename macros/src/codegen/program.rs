//! `PROGRAM` as text: the plan, one to one.

use gpu_graph_analysis::declared::Issue;
use gpu_graph_analysis::plan::{HostOp, Op, Plan};

use super::text::Text;

/// Writes `PROGRAM` and the tables it is made of.
pub fn write(text: &mut Text, plan: &Plan, issue: Issue) {
    let slots = plan.slots.iter();
    text.table("SLOTS", "t::Slot", Some(("slots", "")), slots, |t, s| {
        t.put(format_args!("({},{})", s.offset, s.bytes));
    });
    text.numbers("ISSUE", "t::Op", "ops", "", plan.issue.iter().map(op));
    let collect = plan.collect.iter().map(|op| match *op {
        HostOp::Wait { event } => u64::from(event) << 1,
        HostOp::Read { resource } => u64::from(resource) << 1 | 1,
    });
    text.numbers("COLLECT", "t::HostOp", "host_ops", "", collect);
    text.put(format_args!(
        "pub(super) static PROGRAM:t::Program<'static>=t::Program{{ring:{},streams:{},events:{},\
         arena:{},store:{},pinned:{},issue_as:t::Issue::{},slots:SLOTS,issue:ISSUE,collect:COLLECT}};\n",
        plan.ring, plan.streams, plan.events, plan.arena, plan.store, plan.pinned,
        match issue {
            Issue::Streams => "Streams",
            Issue::Graph => "Graph",
        }
    ));
}

fn op(op: &Op) -> u64 {
    let bits =
        |kind: u64, stream: u8, index: u32| u64::from(index) << 8 | u64::from(stream) << 3 | kind;
    match *op {
        Op::Gate { event } => bits(0, 0, event),
        Op::Launch {
            task,
            stream,
            in_place,
        } => bits(1, stream, task) | u64::from(in_place) << 7,
        Op::Record { event, stream } => bits(2, stream, event),
        Op::Wait { stream, event } => bits(3, stream, event),
        Op::Acquire { resource } => bits(5, 0, resource),
        Op::Release { resource } => bits(6, 0, resource),
    }
}
