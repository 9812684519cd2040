//! Graphs of explicit nodes, and what else the planted program does not use.

#![cfg(target_os = "linux")]

mod gpu;

use std::collections::BTreeSet;
use std::ffi::c_void;
use std::ptr::null_mut;
use std::sync::Mutex;

use cudarc::driver::sys::*;
use gpu::{Gpu, Packed, Side, copy_node, copy_params, kernel_node, launch, ok, status};
use simcuda::client::Shim;

use CUresult::*;

const BYTES: usize = 256;

fn graph() -> CUgraph {
    let mut graph = null_mut();
    ok!(cuGraphCreate(&mut graph, 0));
    graph
}

fn exec(graph: CUgraph) -> CUgraphExec {
    let mut exec = null_mut();
    ok!(cuGraphInstantiateWithFlags(&mut exec, graph, 0));
    exec
}

fn host_node(graph: CUgraph, after: &[CUgraphNode], data: *mut c_void) -> CUgraphNode {
    let params = CUDA_HOST_NODE_PARAMS {
        fn_: Some(noted),
        userData: data,
    };
    let mut node = null_mut();
    ok!(cuGraphAddHostNode(
        &mut node,
        graph,
        after.as_ptr(),
        after.len(),
        &params
    ));
    node
}

fn fill_node(gpu: Gpu, graph: CUgraph, after: &[CUgraphNode], to: u64, value: f32) -> CUgraphNode {
    let params = CUDA_MEMSET_NODE_PARAMS {
        dst: to,
        pitch: 0,
        value: value.to_bits(),
        elementSize: 4,
        width: BYTES / 4,
        height: 1,
    };
    let (mut node, context) = (null_mut(), gpu.context);
    ok!(cuGraphAddMemsetNode(
        &mut node,
        graph,
        after.as_ptr(),
        after.len(),
        &params,
        context
    ));
    node
}

static NOTED: Mutex<Vec<usize>> = Mutex::new(Vec::new());

unsafe extern "C" fn noted(data: *mut c_void) {
    NOTED.lock().expect("no panic").push(data.addr());
}

fn tag(n: usize) -> *mut c_void {
    std::ptr::without_provenance_mut(n)
}

#[test]
fn nodes_run_in_every_order_that_edges_admit_and_in_no_other() {
    let shim = Shim::start(0);
    let mut seen = BTreeSet::new();
    for seed in 0..300 {
        shim.restart(seed);
        let gpu = Gpu::new(0);
        let (s, g) = (gpu.stream(), graph());
        let a = host_node(g, &[], tag(1));
        let _b = host_node(g, &[a], tag(2));
        let c = host_node(g, &[a], tag(3));
        host_node(g, &[c], tag(4));
        let exec = exec(g);
        NOTED.lock().expect("no panic").clear();
        ok!(cuGraphLaunch(exec, s));
        ok!(cuStreamSynchronize(s));
        seen.insert(NOTED.lock().expect("no panic").clone());
    }
    let all = [vec![1, 2, 3, 4], vec![1, 3, 2, 4], vec![1, 3, 4, 2]];
    assert_eq!(seen, BTreeSet::from(all));
}

#[test]
fn a_launch_is_joined_to_its_stream_at_both_ends_and_to_the_one_before() {
    for seed in 0..gpu::seeds(100) {
        let shim = Shim::start(seed);
        gpu::register(&shim);
        let gpu = Gpu::new(0);
        let (s, t, arena, out) = (
            gpu.stream(),
            gpu.stream(),
            gpu.arena(3 * BYTES),
            gpu.pinned(BYTES),
        );
        let scale = gpu::function(gpu.module(), "scale");
        let slot = |i: usize| arena.at + (i * BYTES) as u64;
        let g = graph();
        let fill = fill_node(gpu, g, &[], slot(1), 3.0);
        let first = kernel_node(g, &[], scale, Packed::scale(slot(0), 2.0, slot(2), 64));
        let mut empty = null_mut();
        let both = [fill, first];
        ok!(cuGraphAddEmptyNode(&mut empty, g, both.as_ptr(), 2));
        let exec = exec(g);
        ok!(cuGraphDestroy(g));
        ok!(cuMemsetD32Async(slot(0), 1f32.to_bits(), 64, s));
        ok!(cuGraphLaunch(exec, s));
        let end = gpu.event();
        ok!(cuEventRecord(end, s));
        // Ordered behind the last launch, also on another stream.
        ok!(cuGraphLaunch(exec, t));
        ok!(cuStreamWaitEvent(t, end, 0));
        ok!(cuMemcpyAsync(
            out.expose_provenance() as u64,
            slot(2),
            BYTES,
            t
        ));
        // Destroyed in flight, it goes on to its end.
        ok!(cuGraphExecDestroy(exec));
        ok!(cuStreamSynchronize(t));
        // SAFETY: the copy has ended.
        assert_eq!(unsafe { out.cast::<f32>().read() }, 2.0);
        assert_eq!(shim.reports(), [""; 0], "seed {seed}");
    }
}

#[test]
fn arguments_are_those_of_when_a_node_was_added() {
    let shim = Shim::start(0);
    gpu::register(&shim);
    let gpu = Gpu::new(0);
    let (s, arena, input) = (gpu.stream(), gpu.arena(2 * BYTES), gpu.pinned(BYTES));
    let scale = gpu::function(gpu.module(), "scale");
    let g = graph();
    // SAFETY: the pinned memory has that many elements.
    unsafe { std::slice::from_raw_parts_mut(input.cast(), 64) }.fill(1f32);
    let params = copy_params(Side::Device(arena.at), Side::Host(input), BYTES);
    let copy = copy_node(gpu, g, &[], &params);
    let args = Packed::scale(arena.at, 4.0, arena.at + BYTES as u64, 64);
    let node = kernel_node(g, &[copy], scale, args);
    let params = copy_params(
        Side::Host(input),
        Side::Device(arena.at + BYTES as u64),
        BYTES,
    );
    let exec_before = exec(g);
    // What is added afterwards is not in it.
    copy_node(gpu, g, &[node], &params);
    let exec_after = exec(g);
    ok!(cuGraphLaunch(exec_before, s));
    ok!(cuStreamSynchronize(s));
    // SAFETY: nothing is queued.
    assert_eq!(unsafe { input.cast::<f32>().read() }, 1.0);
    ok!(cuGraphLaunch(exec_after, s));
    ok!(cuStreamSynchronize(s));
    // SAFETY: as above.
    assert_eq!(unsafe { input.cast::<f32>().read() }, 4.0);
    assert_eq!(shim.reports(), [""; 0]);
}

#[test]
fn graphs_that_make_no_sense_are_refused() {
    let _shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let (g, other) = (graph(), graph());
    let (a, b) = (host_node(g, &[], tag(1)), host_node(g, &[], tag(2)));
    let (mut node, mut exec) = (null_mut(), null_mut());
    let add = |after: &[CUgraphNode], node: &mut CUgraphNode| {
        status!(cuGraphAddEmptyNode(
            node,
            other,
            after.as_ptr(),
            after.len()
        ))
    };
    assert_eq!(add(&[a], &mut node), CUDA_ERROR_INVALID_VALUE);
    ok!(cuGraphAddDependencies_v2(g, &a, &b, std::ptr::null(), 1));
    let twice = status!(cuGraphAddDependencies_v2(g, &a, &b, std::ptr::null(), 1));
    assert_eq!(twice, CUDA_ERROR_INVALID_VALUE);
    ok!(cuGraphAddDependencies_v2(g, &b, &a, std::ptr::null(), 1));
    let circle = status!(cuGraphInstantiateWithFlags(&mut exec, g, 0));
    assert_eq!(circle, CUDA_ERROR_INVALID_VALUE);
    let mut params = copy_params(Side::Device(0), Side::Device(0), BYTES);
    params.Height = 0;
    let context = gpu.context;
    let none = std::ptr::null();
    let refused = status!(cuGraphAddMemcpyNode(
        &mut node, other, none, 0, &params, context
    ));
    assert_eq!(refused, CUDA_ERROR_INVALID_VALUE);
    ok!(cuGraphDestroy(g));
    assert_eq!(status!(cuGraphDestroy(g)), CUDA_ERROR_INVALID_VALUE);
}

#[test]
fn events_of_nodes_are_those_of_the_launch() {
    let shim = Shim::start(5);
    let gpu = Gpu::new(0);
    let (s, t, event, arena) = (gpu.stream(), gpu.stream(), gpu.event(), gpu.arena(BYTES));
    let g = graph();
    let fill = fill_node(gpu, g, &[], arena.at, 1.0);
    let mut node = null_mut();
    ok!(cuGraphAddEventRecordNode(&mut node, g, &fill, 1, event));
    let exec = exec(g);
    ok!(cuEventQuery(event));
    ok!(cuGraphLaunch(exec, s));
    ok!(cuStreamWaitEvent(t, event, 0));
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, t));
    ok!(cuStreamSynchronize(t));
    assert_eq!(shim.reports(), [""; 0]);
}

#[test]
fn the_legacy_stream_is_ordered_with_blocking_streams_and_with_no_others() {
    let order = |flags: u32| {
        let shim = Shim::start(1);
        let gpu = Gpu::new(0);
        let arena = gpu.arena(BYTES);
        let (mut s, legacy) = (null_mut(), null_mut());
        ok!(cuStreamCreate(&mut s, flags));
        ok!(cuMemsetD8Async(arena.at, 1, BYTES, s));
        ok!(cuMemsetD8Async(arena.at, 2, BYTES, legacy));
        ok!(cuMemsetD8Async(arena.at, 3, BYTES, s));
        ok!(cuStreamSynchronize(s));
        assert!(shim.calls().contains(&"cuMemsetD8Async legacy".to_owned()));
        shim.reports()
    };
    assert_eq!(order(0), [""; 0]);
    assert!(order(1).iter().all(|r| r.starts_with("race: ")));
    assert_ne!(order(1), [""; 0]);
}

#[test]
fn a_device_reaches_what_it_was_given() {
    for given in [true, false] {
        let shim = Shim::start(0);
        gpu::register(&shim);
        let (near, far) = (Gpu::new(0), Gpu::new(1));
        let (arena, pool) = (near.arena(BYTES), near.pool());
        let (s, t) = (near.stream(), far.stream());
        ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
        let block = gpu::allocate(pool, BYTES, s);
        near.join(s, t);
        if given {
            arena.admit(far);
            let desc = CUmemAccessDesc {
                location: far.location(),
                flags: CUmemAccess_flags::CU_MEM_ACCESS_FLAGS_PROT_READWRITE,
            };
            ok!(cuMemPoolSetAccess(pool, &desc, 1));
        }
        far.enter();
        let scale = gpu::function(far.module(), "scale");
        launch(scale, t, Packed::scale(arena.at, 1.0, block, 64));
        let expected = if given {
            CUDA_SUCCESS
        } else {
            CUDA_ERROR_ILLEGAL_ADDRESS
        };
        assert_eq!(status!(cuStreamSynchronize(t)), expected);
        assert_eq!(shim.reports().is_empty(), given);
    }
}

#[test]
fn what_is_unloaded_or_freed_under_work_is_reported() {
    let shim = Shim::start(0);
    for early in [true, false] {
        shim.restart(9);
        gpu::register(&shim);
        let gpu = Gpu::new(0);
        let (s, arena, out) = (gpu.stream(), gpu.arena(2 * BYTES), gpu.pinned(BYTES));
        let module = gpu.module();
        let scale = gpu::function(module, "scale");
        let to = arena.at + BYTES as u64;
        ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
        launch(scale, s, Packed::scale(arena.at, 1.0, to, 64));
        ok!(cuMemcpyAsync(out.expose_provenance() as u64, to, BYTES, s));
        if !early {
            ok!(cuStreamSynchronize(s));
        }
        ok!(cuModuleUnload(module));
        ok!(cuMemFreeHost(out));
        let reports = shim.reports();
        let of = |name: &str| reports.iter().any(|r| r.contains(name));
        assert_eq!(of("`scale`"), early, "{reports:?}");
        assert_eq!(reports.is_empty(), !early, "{reports:?}");
    }
    // A copy to pinned memory that is no more, by itself.
    shim.restart(9);
    let gpu = Gpu::new(0);
    let (s, arena, out) = (gpu.stream(), gpu.arena(BYTES), gpu.pinned(BYTES));
    ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
    ok!(cuMemcpyAsync(
        out.expose_provenance() as u64,
        arena.at,
        BYTES,
        s
    ));
    ok!(cuMemFreeHost(out));
    let reports = shim.reports();
    assert!(
        reports[0].starts_with("released: `cuMemcpyAsync`"),
        "{reports:?}"
    );
}

#[test]
fn memory_can_be_mapped_again_elsewhere_and_keeps_what_it_holds() {
    let shim = Shim::start(0);
    let gpu = Gpu::new(0);
    let (s, out, arena) = (gpu.stream(), gpu.pinned(BYTES), gpu.arena(BYTES));
    ok!(cuMemsetD8Async(arena.at, 7, BYTES, s));
    ok!(cuStreamSynchronize(s));
    ok!(cuMemUnmap(arena.at, arena.bytes));
    let mut at = 0;
    ok!(cuMemAddressReserve(&mut at, arena.bytes, 0, 0, 0));
    ok!(cuMemMap(at, arena.bytes, 0, arena.memory, 0));
    let moved = gpu::Arena { at, ..arena };
    moved.admit(gpu);
    ok!(cuMemcpyAsync(out.expose_provenance() as u64, at, BYTES, s));
    ok!(cuStreamSynchronize(s));
    // SAFETY: the copy has ended.
    assert_eq!(unsafe { out.cast::<u8>().read() }, 7);
    assert_eq!(shim.reports(), [""; 0]);
    // Where it was, there is nothing.
    ok!(cuMemsetD8Async(arena.at, 7, BYTES, s));
    assert_eq!(status!(cuStreamSynchronize(s)), CUDA_ERROR_ILLEGAL_ADDRESS);
}

#[test]
fn a_copy_of_pool_memory_wants_its_stream_s_context_to_be_current() {
    for current in [true, false] {
        let shim = Shim::start(0);
        let (near, far) = (Gpu::new(0), Gpu::new(1));
        let (s, arena, pool) = (near.stream(), near.arena(BYTES), near.pool());
        let block = gpu::allocate(pool, BYTES, s);
        ok!(cuMemsetD8Async(arena.at, 0, BYTES, s));
        if current { near } else { far }.enter();
        ok!(cuMemcpyAsync(block, arena.at, BYTES, s));
        let reports = shim.reports();
        assert_eq!(reports.is_empty(), current, "{reports:?}");
        assert!(
            reports.iter().all(|r| r.starts_with("context: ")),
            "{reports:?}"
        );
    }
}
