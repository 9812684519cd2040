//! Known faults of other runtimes, planted at driver level: the simulated driver names each, and
//! says nothing of the mended form. Numbers are those of the collection of hazards.

use gpu_graph_runtime::driver::sim::{Report, SimDriver, What};
use gpu_graph_runtime::driver::{Address, Driver, DriverError, EventId, RangeId, StreamId};

const SEEDS: u64 = if cfg!(miri) { 3 } else { 100 };

fn stream(sim: &SimDriver) -> StreamId {
    sim.create_stream().expect("a stream")
}

fn event(sim: &SimDriver, after: StreamId) -> EventId {
    let event = sim.create_event().expect("an event");
    sim.record(event, after).expect("a record");
    event
}

fn block(sim: &SimDriver, stream: StreamId) -> (RangeId, Address) {
    let range = sim.allocate(stream, 256).expect("a block");
    (range, sim.address(range).expect("an address"))
}

/// As large as what the pool asks the system for, so that nothing else lies beside it.
fn large(sim: &SimDriver, stream: StreamId) -> (RangeId, Address) {
    let range = sim.allocate(stream, 2 << 20).expect("a block");
    (range, sim.address(range).expect("an address"))
}

fn fill(sim: &SimDriver, stream: StreamId, at: Address) {
    // SAFETY: the simulated driver judges the use before it touches anything.
    unsafe { sim.fill(stream, at, 1, 256) }.expect("a fill");
}

fn copy(sim: &SimDriver, stream: StreamId, to: Address, from: Address) {
    // SAFETY: as above.
    unsafe { sim.copy(stream, to, from, 256) }.expect("a copy");
}

fn race_or_release(reports: &[Report]) -> bool {
    reports
        .iter()
        .any(|r| matches!(r, Report::Race { .. } | Report::Released { .. }))
}

/// Plants a fault and its mended form for every seed. `case` gets `true` for the fault.
fn every_seed(case: impl Fn(&SimDriver, bool)) {
    for seed in 0..SEEDS {
        let sim = SimDriver::new(seed);
        case(&sim, false);
        sim.drain();
        assert_eq!(sim.reports(), [], "seed {seed}, mended");
        let sim = SimDriver::new(seed);
        case(&sim, true);
        sim.drain();
        assert!(
            race_or_release(&sim.reports()),
            "seed {seed}: {:?}",
            sim.reports()
        );
    }
}

#[test]
fn h04_a_free_on_the_stream_of_allocation_races_with_the_last_use_elsewhere() {
    every_seed(|sim, fault| {
        let (a, b) = (stream(sim), stream(sim));
        let (range, at) = block(sim, a);
        sim.wait(b, event(sim, a)).expect("a wait");
        fill(sim, b, at);
        if !fault {
            sim.wait(a, event(sim, b)).expect("a wait");
        }
        sim.free(a, range).expect("a free");
    });
    // The other order of streams: freed where it was last used.
    every_seed(|sim, fault| {
        let (a, b) = (stream(sim), stream(sim));
        let (range, at) = block(sim, a);
        if !fault {
            sim.wait(b, event(sim, a)).expect("a wait");
        }
        fill(sim, b, at);
        sim.free(b, range).expect("a free");
    });
}

#[test]
fn h05_a_trim_does_not_wait_for_a_peer_but_skips_what_it_may_write() {
    for seed in 0..SEEDS {
        let peers = SimDriver::peers(seed, 2);
        let (near, far) = (&peers[0], &peers[1]);
        let (s, t) = (stream(near), stream(far));
        let (from, source) = block(near, s);
        let (to, target) = block(far, t);
        near.wait(s, event(far, t)).expect("a wait");
        fill(near, s, source);
        copy(near, s, target, source);
        far.wait(t, event(near, s)).expect("a wait");
        far.free(t, to).expect("a free");
        near.free(s, from).expect("a free");
        assert_eq!(far.trim(), Ok(0), "the copy has not run");
        far.drain();
        assert!(far.trim().expect("a trim") > 0);
        assert_eq!(near.reports(), [], "seed {seed}");
        // Without the order, the free is reported on whichever device comes second.
        let peers = SimDriver::peers(seed, 2);
        let (near, far) = (&peers[0], &peers[1]);
        let (s, t) = (stream(near), stream(far));
        let (_, source) = block(near, s);
        let (to, target) = block(far, t);
        near.wait(s, event(far, t)).expect("a wait");
        fill(near, s, source);
        copy(near, s, target, source);
        far.free(t, to).expect("a free");
        far.drain();
        assert!(race_or_release(&near.reports()), "seed {seed}");
    }
}

#[test]
fn h07_a_free_on_a_stream_of_its_own_is_reported() {
    every_seed(|sim, fault| {
        let (s, dealloc, other) = (stream(sim), stream(sim), stream(sim));
        let (range, at) = block(sim, s);
        fill(sim, s, at);
        if !fault {
            sim.wait(dealloc, event(sim, s)).expect("a wait");
        }
        sim.free(dealloc, range).expect("a free");
        let (_, again) = block(sim, other);
        fill(sim, other, again);
    });
}

#[test]
fn h25_staging_refilled_before_its_copy_has_run_is_reported() {
    every_seed(|sim, fault| {
        let s = stream(sim);
        let (_, at) = block(sim, s);
        let staging = Box::leak(Box::new([0u8; 256]));
        let staging = Address(staging.as_mut_ptr());
        sim.host_access(staging, 256, true);
        copy(sim, s, at, staging);
        if !fault {
            sim.synchronize(event(sim, s)).expect("the copy ends");
        }
        sim.host_access(staging, 256, true);
        copy(sim, s, at, staging);
    });
}

#[test]
fn h28_only_the_join_of_both_readers_protects_a_free() {
    every_seed(|sim, fault| {
        let (a, b, c) = (stream(sim), stream(sim), stream(sim));
        let (range, at) = block(sim, a);
        let (_, copy_a) = block(sim, a);
        let (_, copy_b) = block(sim, b);
        fill(sim, a, at);
        sim.wait(b, event(sim, a)).expect("a wait");
        copy(sim, a, copy_a, at);
        let used = event(sim, a);
        copy(sim, b, copy_b, at);
        if fault {
            // One event, recorded again: what it stood for on `a` is lost.
            sim.record(used, b).expect("a record");
        } else {
            sim.wait(c, event(sim, b)).expect("a wait");
        }
        sim.wait(c, used).expect("a wait");
        sim.free(c, range).expect("a free");
    });
}

#[test]
fn m07_storage_of_another_stream_is_not_reused_before_it_is_complete() {
    for seed in 0..SEEDS {
        let sim = SimDriver::new(seed);
        let (a, b) = (stream(&sim), stream(&sim));
        let (range, first) = large(&sim, a);
        fill(&sim, a, first);
        sim.free(a, range).expect("a free");
        let (_, second) = large(&sim, b);
        assert_ne!(first, second);
        // Destroyed and made again, a stream is another one.
        sim.destroy_stream(a).expect("a stream");
        let again = stream(&sim);
        let (_, third) = large(&sim, again);
        assert_ne!(first, third);
        sim.drain();
        let (_, fourth) = large(&sim, again);
        assert_eq!(first, fourth);
        fill(&sim, again, fourth);
        sim.drain();
        assert_eq!(sim.reports(), [], "seed {seed}");
    }
}

#[test]
fn an_unmap_under_queued_work_is_reported_and_nothing_is_touched() {
    use gpu_graph_runtime::driver::Protection;
    for seed in 0..SEEDS {
        let sim = SimDriver::new(seed);
        let bytes = sim.info().granularity;
        let range = sim.reserve(bytes, 1).expect("a range");
        let memory = sim.create_memory(bytes).expect("memory");
        sim.map(range, 0, memory).expect("a mapping");
        let to = Protection::ReadWrite;
        sim.set_access(range, 0, bytes, to).expect("access");
        let at = sim.address(range).expect("an address");
        let s = stream(&sim);
        fill(&sim, s, at);
        sim.unmap(range, 0, bytes).expect("an unmap");
        sim.unreserve(range).expect("an unreserve");
        sim.drain();
        let [Report::Released { site, since, .. }] = sim.reports()[..] else {
            panic!("seed {seed}: {:?}", sim.reports());
        };
        assert_eq!(site.what, What::Fill);
        assert_eq!(since.map(|s| s.what), Some(What::Unmap));
    }
}

#[test]
fn a_read_of_what_nobody_wrote_is_reported() {
    let sim = SimDriver::new(0);
    let s = stream(&sim);
    let (_, from) = block(&sim, s);
    let (_, to) = block(&sim, s);
    copy(&sim, s, to, from);
    sim.drain();
    assert!(matches!(sim.reports()[..], [Report::Unwritten { .. }]));
    assert_eq!(
        sim.reports()[0].to_string(),
        "a copy on stream 1 of device 0 reads what nobody has written"
    );
}

#[test]
fn a_peer_does_not_take_another_device_s_stream() {
    let peers = SimDriver::peers(0, 2);
    let s = stream(&peers[0]);
    let answer = peers[1].allocate(s, 1);
    assert!(matches!(answer, Err(DriverError::Invalid { .. })));
}
