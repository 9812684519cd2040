//! Known faults of other runtimes, by direct calls of the driver: the shim names each, and says
//! nothing of the mended form. Numbers are those of the collection of hazards.

#![cfg(target_os = "linux")]

mod gpu;

use std::ptr::null_mut;

use cudarc::driver::sys::*;
use gpu::{Gpu, Packed, Side, allocate, copy_node, copy_params, launch, ok, seeds};
use simcuda::client::Shim;

/// What makes pool memory go back whole.
const SEGMENT: usize = 2 << 20;
const BYTES: usize = 256;

/// Runs a fault and its mended form for every seed: the one is reported, the other is not.
fn every_seed(case: impl Fn(&Shim, bool)) {
    let shim = Shim::start(0);
    for seed in 0..seeds(100) {
        for fault in [true, false] {
            shim.restart(seed);
            gpu::register(&shim);
            case(&shim, fault);
            let reports = shim.reports();
            let found =
                |line: &String| line.starts_with("race: ") || line.starts_with("released: ");
            if fault {
                assert!(reports.iter().any(found), "seed {seed}: {reports:?}");
            } else {
                assert_eq!(reports, [""; 0], "seed {seed}");
            }
        }
    }
}

/// A peer copies into memory of another device's pool, which is freed and trimmed before the copy
/// has run.
#[test]
fn h05_a_trim_does_not_take_what_a_peer_still_writes() {
    every_seed(|_, fault| {
        let (near, far) = (Gpu::new(0), Gpu::new(1));
        let (s, t, pool) = (near.stream(), far.stream(), far.pool());
        let source = near.arena(BYTES);
        let target = allocate(pool, SEGMENT, t);
        far.join(t, s);
        near.enter();
        ok!(cuMemsetD8Async(source.at, 1, BYTES, s));
        ok!(cuMemcpyPeerAsync(
            target,
            far.context,
            source.at,
            near.context,
            BYTES,
            s
        ));
        if !fault {
            near.join(s, t);
        }
        far.enter();
        ok!(cuMemFreeAsync(target, t));
        // Ordered or not, nothing is known to have completed: the trim takes nothing.
        ok!(cuMemPoolTrimTo(pool, 0));
        let mut held = 0u64;
        let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
        ok!(cuMemPoolGetAttribute(
            pool,
            attribute,
            (&raw mut held).cast()
        ));
        assert_eq!(held, SEGMENT as u64);
    });
}

/// An unmap is no trim: it waits for nobody. The one that is mended waits itself.
#[test]
fn h05_an_unmap_under_a_peer_s_queued_copy_is_reported() {
    every_seed(|_, fault| {
        let (near, far) = (Gpu::new(0), Gpu::new(1));
        let s = near.stream();
        let (source, target) = (near.arena(BYTES), far.arena(BYTES));
        near.enter();
        ok!(cuMemsetD8Async(source.at, 1, BYTES, s));
        ok!(cuMemcpyPeerAsync(
            target.at,
            far.context,
            source.at,
            near.context,
            BYTES,
            s
        ));
        if !fault {
            ok!(cuStreamSynchronize(s));
        }
        ok!(cuMemUnmap(target.at, target.bytes));
    });
}

/// The trim is called while another device is current: what counts is the pool's own device.
#[test]
fn m04_a_trim_waits_for_its_own_device_whichever_is_current() {
    let shim = Shim::start(0);
    for seed in 0..seeds(100) {
        shim.restart(seed);
        let (near, far) = (Gpu::new(0), Gpu::new(1));
        let (t, pool) = (far.stream(), far.pool());
        let block = allocate(pool, SEGMENT, t);
        ok!(cuMemsetD8Async(block, 1, BYTES, t));
        ok!(cuMemFreeAsync(block, t));
        let held = || {
            let mut held = 0u64;
            let attribute = CUmemPool_attribute::CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT;
            ok!(cuMemPoolGetAttribute(
                pool,
                attribute,
                (&raw mut held).cast()
            ));
            held
        };
        near.enter();
        ok!(cuMemPoolTrimTo(pool, 0));
        assert_eq!(held(), SEGMENT as u64, "seed {seed}");
        ok!(cuStreamSynchronize(t));
        ok!(cuMemPoolTrimTo(pool, 0));
        assert_eq!(held(), 0, "seed {seed}");
        assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    }
}

/// A graph copies from memory of the host that is freed before it is launched.
#[test]
fn h10_what_a_graph_copies_from_has_to_stay() {
    every_seed(|shim, fault| {
        let gpu = Gpu::new(0);
        let (s, arena, input) = (gpu.stream(), gpu.arena(BYTES), gpu.pinned(BYTES));
        shim.host_access(input, BYTES as u64, true);
        let (mut graph, mut exec) = (null_mut(), null_mut());
        ok!(cuGraphCreate(&mut graph, 0));
        let params = copy_params(Side::Device(arena.at), Side::Host(input), BYTES);
        copy_node(gpu, graph, &[], &params);
        ok!(cuGraphInstantiateWithFlags(&mut exec, graph, 0));
        ok!(cuGraphLaunch(exec, s));
        if !fault {
            ok!(cuStreamSynchronize(s));
        }
        ok!(cuMemFreeHost(input));
    });
}

/// A graph uses pool memory that has been given back to the system since.
#[test]
fn h14_and_m08_a_pool_that_is_flushed_under_a_graph_is_reported() {
    every_seed(|_, fault| {
        let gpu = Gpu::new(0);
        let (s, pool) = (gpu.stream(), gpu.pool());
        let block = allocate(pool, SEGMENT, s);
        let (mut graph, mut exec, mut node) = (null_mut(), null_mut(), null_mut());
        ok!(cuGraphCreate(&mut graph, 0));
        let params = CUDA_MEMSET_NODE_PARAMS {
            dst: block,
            pitch: 0,
            value: 0,
            elementSize: 1,
            width: BYTES,
            height: 1,
        };
        let (none, context) = (std::ptr::null(), gpu.context);
        ok!(cuGraphAddMemsetNode(
            &mut node, graph, none, 0, &params, context
        ));
        ok!(cuGraphInstantiateWithFlags(&mut exec, graph, 0));
        ok!(cuGraphLaunch(exec, s));
        if fault {
            ok!(cuMemFreeAsync(block, s));
        }
        ok!(cuStreamSynchronize(s));
        ok!(cuMemPoolTrimTo(pool, 0));
        ok!(cuGraphLaunch(exec, s));
    });
}

/// One executable on two streams is not two.
#[test]
fn h18_two_launches_of_one_executable_run_one_after_the_other_and_the_log_says_so() {
    let shim = Shim::start(4);
    let gpu = Gpu::new(0);
    let (s, t, arena) = (gpu.stream(), gpu.stream(), gpu.arena(BYTES));
    let (mut graph, mut node) = (null_mut(), null_mut());
    ok!(cuGraphCreate(&mut graph, 0));
    let params = CUDA_MEMSET_NODE_PARAMS {
        dst: arena.at,
        pitch: 0,
        value: 0,
        elementSize: 1,
        width: BYTES,
        height: 1,
    };
    ok!(cuGraphAddMemsetNode(
        &mut node,
        graph,
        std::ptr::null(),
        0,
        &params,
        gpu.context
    ));
    let mut execs = [null_mut(); 2];
    for exec in &mut execs {
        ok!(cuGraphInstantiateWithFlags(exec, graph, 0));
    }
    let serialized = || {
        let calls = shim.calls();
        calls
            .iter()
            .filter(|c| *c == "cuGraphLaunch serialized")
            .count()
    };
    ok!(cuGraphLaunch(execs[0], s));
    ok!(cuGraphLaunch(execs[0], t));
    assert_eq!(serialized(), 1);
    // Both write the same bytes, and there is an order: that of the executable.
    assert_eq!(shim.reports(), [""; 0]);
    ok!(cuGraphLaunch(execs[0], s));
    ok!(cuGraphLaunch(execs[1], t));
    assert_eq!(serialized(), 1);
    assert!(shim.reports()[0].starts_with("race: "));
}

/// The synchronous copy from memory that is not pinned returns while the rest is under way.
#[test]
fn h27_a_copy_from_pageable_memory_is_not_over_when_it_returns() {
    every_seed(|shim, fault| {
        let gpu = Gpu::new(0);
        let (s, arena) = (gpu.stream(), gpu.arena(2 * BYTES));
        let scale = gpu::function(gpu.module(), "scale");
        let input = [1f32; BYTES / 4];
        if fault {
            ok!(cuMemcpyHtoD_v2(arena.at, input.as_ptr().cast(), BYTES));
        } else {
            // On the stream that uses it, from memory that stays.
            let pinned = gpu.pinned(BYTES);
            ok!(cuMemcpyAsync(
                arena.at,
                pinned.expose_provenance() as u64,
                BYTES,
                s
            ));
        }
        launch(
            scale,
            s,
            Packed::scale(arena.at, 1.0, arena.at + BYTES as u64, 64),
        );
        let pageable = shim
            .calls()
            .iter()
            .any(|c| c == "cuMemcpyHtoD_v2 legacy pageable");
        assert_eq!(pageable, fault);
    });
}
