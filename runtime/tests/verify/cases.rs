//! Programs with a name: those that hazards in the field were made of, and their right twins.

use gpu_graph_runtime::table::*;
use gpu_graph_runtime::verify::Violation;

use crate::agree;
use crate::tables::Owned;

const READ: Mode = Mode::Read;
const UPDATE: Mode = Mode::ReadWrite;
const WRITE: Mode = Mode::Overwrite;

fn launch(task: u32, stream: u8) -> Op {
    Op::Launch {
        task,
        stream,
        form: Form::Apart,
    }
}

fn record(event: u32, stream: u8) -> Op {
    Op::Record { event, stream }
}

fn wait(stream: u8, event: u32) -> Op {
    Op::Wait { stream, event }
}

fn gate(event: u32) -> Op {
    Op::Gate { event }
}

fn refused(g: &Owned) -> Violation {
    assert!(!agree("refused", g));
    g.verify().unwrap_err()
}

fn accepted(g: &Owned) {
    assert!(agree("accepted", g), "{:?}", g.verify());
}

/// Slots one after another, all of 256 bytes.
fn apart(g: &mut Owned) {
    g.slots = (0..g.resources.len() as u64)
        .map(|i| Slot {
            offset: 256 * i,
            bytes: 256,
        })
        .collect();
    g.arena = 256 * g.resources.len() as u64;
}

/// `x = f(); scale(&mut x); y = g(&x)` on one stream.
fn scaled() -> Owned {
    let mut g = Owned::new();
    let n = g.expr(16, &[]);
    let x = g.resource(Class::Transient, Elem::F32, &[n]);
    let y = g.resource(Class::Output, Elem::F32, &[n]);
    g.launch(None, &[(x, WRITE, Rows::All)]);
    g.launch(None, &[(x, UPDATE, Rows::All)]);
    g.launch(None, &[(x, READ, Rows::All), (y, WRITE, Rows::All)]);
    apart(&mut g);
    g.events = 1;
    g.issue = vec![
        gate(0),
        launch(0, 0),
        launch(1, 0),
        launch(2, 0),
        record(0, 0),
    ];
    g.collect = vec![HostOp::Wait { event: 0 }, HostOp::Read { resource: y }];
    g
}

/// `x = f() retains x until 'w; z = g(); 'w: h(); y = k(&x, &z)` on one stream.
fn unfinished() -> Owned {
    let mut g = Owned::new();
    let n = g.expr(16, &[]);
    let x = g.resource(Class::Transient, Elem::F32, &[n]);
    let z = g.resource(Class::Transient, Elem::F32, &[n]);
    let y = g.resource(Class::Output, Elem::F32, &[n]);
    let since = g.launch(None, &[(x, WRITE, Rows::All)]);
    g.launch(None, &[(z, WRITE, Rows::All)]);
    g.launch(None, &[(z, READ, Rows::All)]);
    g.task(TaskKind::Hold { since }, &[(x, UPDATE, Rows::All)]);
    let last = [
        (x, READ, Rows::All),
        (z, READ, Rows::All),
        (y, WRITE, Rows::All),
    ];
    g.launch(None, &last);
    apart(&mut g);
    g.events = 1;
    g.issue = vec![gate(0)];
    g.issue.extend((0..5).map(|task| launch(task, 0)));
    g.issue.push(record(0, 0));
    g.collect = vec![HostOp::Wait { event: 0 }, HostOp::Read { resource: y }];
    g
}

/// An input read by two tasks on two streams, their results joined on a third task.
fn forked() -> Owned {
    let mut g = Owned::new();
    let n = g.expr(16, &[]);
    let x = g.resource(Class::Input, Elem::F32, &[n]);
    let a = g.resource(Class::Transient, Elem::F32, &[n]);
    let b = g.resource(Class::Transient, Elem::F32, &[n]);
    let y = g.resource(Class::Output, Elem::F32, &[n]);
    g.upload(x);
    g.launch(None, &[(x, READ, Rows::All), (a, WRITE, Rows::All)]);
    g.launch(None, &[(x, READ, Rows::All), (b, WRITE, Rows::All)]);
    g.launch(
        None,
        &[
            (a, READ, Rows::All),
            (b, READ, Rows::All),
            (y, WRITE, Rows::All),
        ],
    );
    apart(&mut g);
    g.streams = 2;
    g.events = 3;
    g.issue = vec![
        gate(2),
        launch(0, 0),
        record(0, 0),
        wait(1, 0),
        launch(1, 0),
        launch(2, 1),
        record(1, 1),
        wait(0, 1),
        launch(3, 0),
        record(2, 0),
    ];
    g.collect = vec![HostOp::Wait { event: 2 }, HostOp::Read { resource: y }];
    g
}

fn position(g: &Owned, op: Op) -> usize {
    g.issue.iter().position(|o| *o == op).unwrap()
}

#[test]
fn a_reader_before_the_update_it_must_see_is_refused_on_one_stream() {
    let mut g = scaled();
    accepted(&g);
    g.issue.swap(2, 3);
    let violation = refused(&g);
    assert_eq!(
        violation,
        Violation::WrongVersion {
            task: 2,
            resource: 0,
            expected: 1,
            found: 0
        }
    );
    assert_eq!(
        g.with(|s, _| violation.named(s).to_string()),
        "`k` (task 2) reads `r` as `k` (task 0) left it, not as `k` (task 1) did"
    );
    assert_eq!(
        violation.to_string(),
        "task 2 reads resource 0 as task 0 left it, not as task 1 did"
    );
}

#[test]
fn two_streams_that_write_disjoint_halves_of_one_buffer_are_accepted() {
    let mut g = Owned::new();
    let half = Term {
        scale: 1,
        dim: 0,
        mul: 1,
        add: 0,
        div: 2,
    };
    g.dims = vec![Dim {
        name: "h",
        min: 0,
        max: 63,
    }];
    let (zero, mid) = (g.expr(0, &[]), g.expr(0, &[half]));
    let all = g.expr(0, &[Term { div: 1, ..half }]);
    let y = g.resource(Class::Output, Elem::F32, &[all]);
    g.launch(None, &[(y, WRITE, Rows::Span(zero, mid))]);
    g.launch(None, &[(y, WRITE, Rows::Span(mid, all))]);
    apart(&mut g);
    g.streams = 2;
    g.events = 2;
    g.issue = vec![
        gate(0),
        gate(1),
        launch(0, 0),
        launch(1, 1),
        record(0, 0),
        record(1, 1),
    ];
    g.collect = vec![
        HostOp::Wait { event: 0 },
        HostOp::Wait { event: 1 },
        HostOp::Read { resource: y },
    ];
    // With one row a half is empty, with none both are.
    for h in [0, 1, 2, 63] {
        g.at = vec![h];
        accepted(&g);
    }
    let mut overlapping = g.clone();
    overlapping.accesses[1].rows = Rows::Span(zero, all);
    assert_eq!(
        refused(&overlapping),
        Violation::Race {
            task: 1,
            resource: 0,
            other: 0
        }
    );
    g.collect.remove(0);
    assert_eq!(
        refused(&g),
        Violation::OutputRace {
            resource: 0,
            writer: 0
        }
    );
}

#[test]
fn a_dropped_wait_is_refused() {
    let mut g = forked();
    accepted(&g);
    g.issue.remove(position(&g, wait(0, 1)));
    assert_eq!(
        refused(&g),
        Violation::Race {
            task: 3,
            resource: 2,
            other: 2
        }
    );
}

#[test]
fn a_dropped_record_is_refused() {
    let mut g = forked();
    let at = position(&g, record(1, 1));
    g.issue.remove(at);
    assert_eq!(
        refused(&g),
        Violation::WaitBeforeRecord {
            op: at as u32,
            event: 1
        }
    );
}

#[test]
fn what_is_still_being_written_is_used_by_no_other() {
    accepted(&unfinished());
    // Instead of what the third task reads.
    let early = |mode| {
        let mut g = unfinished();
        g.accesses[2] = Access {
            resource: 0,
            mode,
            rows: Rows::All,
        };
        refused(&g)
    };
    let found = Violation::Unfinished {
        hold: 3,
        resource: 0,
    };
    for mode in [READ, UPDATE, WRITE] {
        assert_eq!(early(mode), found);
    }
    // The hold of what another task wrote.
    let mut g = unfinished();
    g.tasks[3].kind = TaskKind::Hold { since: 1 };
    assert_eq!(refused(&g), found);
    // A hold does not write by itself.
    let mut g = unfinished();
    g.accesses[3].mode = WRITE;
    assert_eq!(refused(&g), Violation::Hold { task: 3 });
    // Its storage goes to others behind the hold alone.
    let mut g = unfinished();
    g.slots[1].offset = g.slots[0].offset;
    assert!(matches!(refused(&g), Violation::Absent { task: 3, .. }));
}

#[test]
fn a_shifted_offset_is_refused() {
    let mut g = forked();
    g.slots[3].offset = g.slots[2].offset;
    assert!(matches!(
        refused(&g),
        Violation::Overlap {
            task: 3,
            resource: 3,
            other: 2
        }
    ));
    g.slots[3].offset = 256 * 3 + 64;
    assert_eq!(refused(&g), Violation::SlotAlign { resource: 3 });
}

#[test]
fn storage_reused_before_its_last_reader_is_done_is_refused() {
    // `b` over `x` right away: the other branch may still read `x`.
    let mut g = forked();
    g.launch(None, &[(1, READ, Rows::All)]);
    let z = g.expr(16, &[]);
    let late = g.resource(Class::Transient, Elem::F32, &[z]);
    g.launch(None, &[(late, WRITE, Rows::All)]);
    g.slots.push(Slot {
        offset: 0,
        bytes: 64,
    });
    g.issue.insert(position(&g, record(1, 1)) + 1, launch(5, 1));
    g.issue.insert(position(&g, record(2, 0)), launch(4, 0));
    g.issue.push(record(3, 1));
    g.issue.insert(0, gate(3));
    g.events = 4;
    let early = Violation::EarlyReuse {
        task: 5,
        resource: 4,
        previous: 0,
        other: 1,
    };
    assert_eq!(refused(&g), early);
    // Behind an event of the reader it is right.
    g.issue.insert(position(&g, launch(1, 0)) + 1, record(4, 0));
    g.issue.insert(position(&g, launch(5, 1)), wait(1, 4));
    g.events = 5;
    accepted(&g);
}

#[test]
fn fewer_instances_than_runs_in_flight_are_refused() {
    let mut g = forked();
    g.depth = 2;
    assert_eq!(refused(&g), Violation::Ring { ring: 1, depth: 2 });
    g.ring = 2;
    accepted(&g);
    g.ring = 3;
    assert_eq!(refused(&g), Violation::Ring { ring: 3, depth: 2 });
}

#[test]
fn gates_that_leave_a_stream_out_are_refused() {
    let mut g = forked();
    g.launch(None, &[(1, READ, Rows::All)]);
    g.issue.insert(position(&g, record(2, 0)), wait(1, 2));
    g.issue.swap(9, 10);
    g.issue.push(launch(4, 1));
    // The host has seen the output, and task 4 may still read its arguments.
    assert_eq!(refused(&g), Violation::StillRunning { stream: 1 });
    g.issue.push(record(3, 1));
    g.events = 4;
    g.issue.insert(0, gate(3));
    accepted(&g);
}

#[test]
fn waits_of_the_collection_free_nothing() {
    let mut g = forked();
    g.issue.remove(0);
    assert_eq!(refused(&g), Violation::StillRunning { stream: 0 });
}

#[test]
fn waits_for_one_output_count_for_that_output_only() {
    let mut g = scaled();
    let n = g.expr(16, &[]);
    let z = g.resource(Class::Output, Elem::F32, &[n]);
    g.launch(None, &[(0, READ, Rows::All), (z, WRITE, Rows::All)]);
    apart(&mut g);
    g.issue.insert(4, launch(3, 0));
    g.collect.push(HostOp::Read { resource: z });
    assert_eq!(
        refused(&g),
        Violation::OutputRace {
            resource: 2,
            writer: 3
        }
    );
    g.collect.insert(2, HostOp::Wait { event: 0 });
    accepted(&g);
}

#[test]
fn h28_an_event_recorded_again_for_a_second_reader_is_refused() {
    // K1@0 r{x}; rec(e, 0); K2@1 r{x}; rec(e, 1); reuse of x after wait(e) alone.
    let mut g = Owned::new();
    let n = g.expr(16, &[]);
    let x = g.resource(Class::Transient, Elem::F32, &[n]);
    let y = g.resource(Class::Output, Elem::F32, &[n]);
    g.launch(None, &[(x, WRITE, Rows::All)]);
    g.launch(None, &[(x, READ, Rows::All)]);
    g.launch(None, &[(x, READ, Rows::All)]);
    g.launch(None, &[(y, WRITE, Rows::All)]);
    g.slots = vec![
        Slot {
            offset: 0,
            bytes: 64
        };
        2
    ];
    g.arena = 256;
    (g.streams, g.events) = (3, 3);
    g.issue = vec![
        gate(2),
        launch(0, 0),
        record(0, 0),
        wait(1, 0),
        launch(1, 0),
        record(1, 0),
        launch(2, 1),
        record(1, 1),
        wait(2, 1),
        launch(3, 2),
        record(2, 2),
    ];
    g.collect = vec![HostOp::Wait { event: 2 }, HostOp::Read { resource: y }];
    assert_eq!(refused(&g), Violation::RecordedTwice { op: 7, event: 1 });
    // One event for each reader; with only one of them waited for it is the hazard itself.
    g.issue[7] = record(3, 1);
    g.events = 4;
    let early = Violation::EarlyReuse {
        task: 3,
        resource: 1,
        previous: 0,
        other: 2,
    };
    assert_eq!(refused(&g), early);
    g.issue.insert(9, wait(2, 3));
    accepted(&g);
}

#[test]
fn h29_an_event_reused_by_the_next_run_before_its_waiter_saw_it_is_refused() {
    // With one instance the next run records the event anew; the wait would see that one.
    let mut g = scaled();
    let prev = Op::WaitPrev {
        stream: 0,
        event: 0,
    };
    g.issue.push(prev);
    assert_eq!(refused(&g), Violation::Overtaken { op: 5, event: 0 });
    g.issue.pop();
    g.issue.insert(1, prev);
    accepted(&g);
    // Two runs in flight on one instance: the gate of the third is for an event of the first that
    // the second has recorded anew.
    g.depth = 2;
    assert_eq!(refused(&g), Violation::Ring { ring: 1, depth: 2 });
}

#[test]
fn an_operand_is_updated_in_place_only_where_nobody_reads_it_later() {
    let mut g = Owned::new();
    let n = g.expr(16, &[]);
    let x = g.resource(Class::Transient, Elem::F32, &[n]);
    let y = g.resource(Class::Output, Elem::F32, &[n]);
    g.launch(None, &[(x, WRITE, Rows::All)]);
    g.launch(Some(0), &[(x, READ, Rows::All), (y, WRITE, Rows::All)]);
    g.slots = vec![
        Slot {
            offset: 0,
            bytes: 64
        };
        2
    ];
    g.arena = 256;
    g.events = 1;
    let in_place = Op::Launch {
        task: 1,
        stream: 0,
        form: Form::InPlace,
    };
    g.issue = vec![gate(0), launch(0, 0), in_place, record(0, 0)];
    g.collect = vec![HostOp::Wait { event: 0 }, HostOp::Read { resource: y }];
    accepted(&g);
    let mut undeclared = g.clone();
    undeclared.kernels[1].in_place = None;
    assert_eq!(refused(&undeclared), Violation::InPlace { task: 1 });
    let mut apart = g.clone();
    apart.issue[2] = launch(1, 0);
    assert_eq!(
        refused(&apart),
        Violation::Overlap {
            task: 1,
            resource: 1,
            other: 0
        }
    );
    g.launch(None, &[(x, READ, Rows::All)]);
    g.issue.insert(3, launch(2, 0));
    assert_eq!(
        refused(&g),
        Violation::Absent {
            task: 2,
            resource: 0
        }
    );
}

/// H35: the upload is made anew in each run, behind all that the run before did there.
#[test]
fn h35_an_input_is_updated_only_where_each_run_copies_it() {
    let mut g = Owned::new();
    let n = g.expr(16, &[]);
    let x = g.resource(Class::InputMut, Elem::F32, &[n]);
    let y = g.resource(Class::Output, Elem::F32, &[n]);
    g.upload(x);
    g.launch(None, &[(x, UPDATE, Rows::All)]);
    g.launch(Some(0), &[(x, READ, Rows::All), (y, WRITE, Rows::All)]);
    let one = Slot {
        offset: 0,
        bytes: 64,
    };
    g.slots = vec![one; 2];
    g.arena = 256;
    g.events = 1;
    let in_place = Op::Launch {
        task: 2,
        stream: 0,
        form: Form::InPlace,
    };
    g.issue = vec![gate(0), launch(0, 0), launch(1, 0), in_place, record(0, 0)];
    g.collect = vec![HostOp::Wait { event: 0 }, HostOp::Read { resource: y }];
    accepted(&g);
    let mut callers = g.clone();
    callers.resources[0].class = Class::Input;
    let written = Violation::InputWritten {
        task: 1,
        resource: x,
    };
    assert_eq!(refused(&callers), written);
    callers.accesses[1].mode = READ;
    assert_eq!(refused(&callers), Violation::InPlace { task: 2 });
    let mut unlike = g.clone();
    unlike.tasks[0].kind = TaskKind::Fill;
    assert_eq!(refused(&unlike), Violation::Uploads { resource: x });
    // In the next run nothing orders the copy behind what this run still does there.
    let mut early = g.clone();
    early.issue.remove(0);
    assert_eq!(refused(&early), Violation::StillRunning { stream: 0 });
    // A task is there before the copy.
    let mut late = g;
    late.issue.swap(1, 2);
    assert_eq!(
        refused(&late),
        Violation::Absent {
            task: 1,
            resource: x
        }
    );
}
