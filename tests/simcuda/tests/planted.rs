//! Faults planted into a program of two streams, a ring of staging, a pool and a graph: the shim
//! reports each for every seed, and nothing of the program as it should be.

#![cfg(target_os = "linux")]

mod gpu;

use std::ffi::c_void;
use std::ptr::null_mut;

use cudarc::driver::sys::*;
use gpu::{Gpu, Packed, Side, allocate, copy_node, copy_params, kernel_node, launch, ok, seeds};
use simcuda::client::Shim;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Plant {
    Nothing,
    DroppedWait,
    DroppedRecord,
    ShiftedOffset,
    EarlyFree,
    RecordedAgain,
    ShortRing,
    LostEdge,
    TrimmedPool,
}

const N: usize = 64;
const BYTES: usize = 4 * N;
const RUNS: usize = 3;
const RING: usize = 2;

/// One lap of the ring: where the host puts input and finds output, and when the run is over.
#[derive(Debug)]
struct Lap {
    input: *mut c_void,
    output: *mut c_void,
    over: CUevent,
}

#[derive(Debug)]
struct Program {
    gpu: Gpu,
    laps: Vec<Lap>,
    arena: gpu::Arena,
    pool: CUmemoryPool,
    module: CUmodule,
    scale: CUfunction,
    add: CUfunction,
    streams: [CUstream; 2],
}

impl Program {
    fn new(shim: &Shim) -> Self {
        gpu::register(shim);
        let gpu = Gpu::new(0);
        let lap = |_| Lap {
            input: gpu.pinned(BYTES),
            output: gpu.pinned(BYTES),
            over: gpu.event(),
        };
        let module = gpu.module();
        Self {
            gpu,
            laps: (0..RING).map(lap).collect(),
            arena: gpu.arena(4 * BYTES),
            pool: gpu.pool(),
            module,
            scale: gpu::function(module, "scale"),
            add: gpu::function(module, "add"),
            streams: [gpu.stream(), gpu.stream()],
        }
    }

    /// The slot of that number in the arena.
    fn slot(&self, index: usize) -> CUdeviceptr {
        self.arena.at + (index * BYTES) as u64
    }

    fn fill(&self, shim: &Shim, lap: &Lap, run: usize) {
        shim.host_access(lap.input, BYTES as u64, true);
        let input = lap.input.cast::<f32>();
        for i in 0..N {
            // SAFETY: the pinned memory has that many elements, and the shim has judged the access.
            unsafe { input.add(i).write((run * N + i) as f32) };
        }
    }

    fn check(&self, shim: &Shim, plant: Plant, lap: &Lap, run: usize) {
        shim.host_access(lap.output, BYTES as u64, false);
        for i in (0..N).filter(|_| plant == Plant::Nothing) {
            // SAFETY: as above.
            let found = unsafe { lap.output.cast::<f32>().add(i).read() };
            assert_eq!(found, 5.0 * (run * N + i) as f32, "run {run}");
        }
    }

    /// Waits until a lap can be used again. `false` where the context is lost: a kernel has used what
    /// is not there.
    fn gate(&self, lap: &Lap) -> bool {
        gpu::status!(cuEventSynchronize(lap.over)) == CUresult::CUDA_SUCCESS
    }

    /// Two scaled copies of the input, one on each stream, and their sum. `false` where the context
    /// is lost.
    fn stream_run(&self, shim: &Shim, plant: Plant, run: usize) -> bool {
        let [s, t] = self.streams;
        let lap = match plant {
            Plant::ShortRing => &self.laps[0],
            _ => &self.laps[run % RING],
        };
        if plant != Plant::ShortRing {
            if !self.gate(lap) {
                return false;
            }
            if run >= RING {
                self.check(shim, plant, lap, run - RING);
            }
        }
        self.fill(shim, lap, run);
        let [copied, scaled] = [self.gpu.event(), self.gpu.event()];
        let n = N as u64;
        ok!(cuMemcpyAsync(
            self.slot(0),
            lap.input.expose_provenance() as u64,
            BYTES,
            s
        ));
        let extra = allocate(self.pool, BYTES, s);
        ok!(cuEventRecord(copied, s));
        if plant == Plant::RecordedAgain {
            // What it stood for on the one stream is lost.
            ok!(cuEventRecord(copied, t));
        }
        if plant != Plant::DroppedWait {
            ok!(cuStreamWaitEvent(t, copied, 0));
        }
        launch(
            self.scale,
            s,
            Packed::scale(self.slot(0), 2.0, self.slot(1), n),
        );
        let shift = if plant == Plant::ShiftedOffset {
            128
        } else {
            0
        };
        let at = self.slot(2) - shift;
        launch(self.scale, t, Packed::scale(self.slot(0), 1.5, extra, n));
        launch(self.scale, t, Packed::scale(extra, 2.0, at, n));
        if plant == Plant::EarlyFree {
            ok!(cuMemFreeAsync(extra, s));
        }
        if plant != Plant::DroppedRecord {
            ok!(cuEventRecord(scaled, t));
        }
        ok!(cuStreamWaitEvent(s, scaled, 0));
        launch(
            self.add,
            s,
            Packed::new(&[self.slot(1), self.slot(2), self.slot(3), n]),
        );
        if plant != Plant::EarlyFree {
            ok!(cuMemFreeAsync(extra, s));
        }
        ok!(cuMemcpyAsync(
            lap.output.expose_provenance() as u64,
            self.slot(3),
            BYTES,
            s
        ));
        ok!(cuEventRecord(lap.over, s));
        // The next run's copies to the other stream's operand come behind this one's reads.
        self.gpu.join(s, t);
        for event in [copied, scaled] {
            ok!(cuEventDestroy_v2(event));
        }
        true
    }

    /// The same as a graph of explicit nodes, with an intermediate value in pool memory that the
    /// graph owns; one executable for each lap.
    fn graph_runs(&self, shim: &Shim, plant: Plant) {
        let [s, _] = self.streams;
        let held = allocate(self.pool, 2 << 20, s);
        let n = N as u64;
        let build = |lap: &Lap| {
            let mut graph = null_mut();
            ok!(cuGraphCreate(&mut graph, 0));
            let device = |index| Side::Device(self.slot(index));
            let params = copy_params(device(0), Side::Host(lap.input), BYTES);
            let copy = copy_node(self.gpu, graph, &[], &params);
            let scale = |x, a, y| Packed::scale(x, a, y, n);
            let left = kernel_node(
                graph,
                &[copy],
                self.scale,
                scale(self.slot(0), 2.0, self.slot(1)),
            );
            let extra = kernel_node(graph, &[copy], self.scale, scale(self.slot(0), 1.5, held));
            let right = kernel_node(graph, &[extra], self.scale, scale(held, 2.0, self.slot(2)));
            let all = [left, right];
            let after = if plant == Plant::LostEdge {
                &all[..1]
            } else {
                &all[..]
            };
            let args = Packed::new(&[self.slot(1), self.slot(2), self.slot(3), n]);
            let sum = kernel_node(graph, after, self.add, args);
            let params = copy_params(Side::Host(lap.output), device(3), BYTES);
            copy_node(self.gpu, graph, &[sum], &params);
            let mut exec = null_mut();
            ok!(cuGraphInstantiateWithFlags(&mut exec, graph, 0));
            ok!(cuGraphDestroy(graph));
            exec
        };
        let execs: Vec<CUgraphExec> = self.laps.iter().map(build).collect();
        if plant == Plant::TrimmedPool {
            ok!(cuMemFreeAsync(held, s));
            ok!(cuStreamSynchronize(s));
            ok!(cuMemPoolTrimTo(self.pool, 0));
        }
        for run in 0..RUNS {
            let lap = &self.laps[run % RING];
            if !self.gate(lap) {
                return;
            }
            if run >= RING {
                self.check(shim, plant, lap, run - RING);
            }
            self.fill(shim, lap, run);
            let launched = gpu::status!(cuGraphLaunch(execs[run % RING], s));
            let recorded = gpu::status!(cuEventRecord(lap.over, s));
            assert_eq!(launched, recorded);
        }
        for exec in execs {
            let _ = gpu::status!(cuGraphExecDestroy(exec));
        }
        if plant != Plant::TrimmedPool {
            ok!(cuMemFreeAsync(held, s));
        }
    }

    /// Waits for the end, and gives everything back.
    fn end(self, shim: &Shim, plant: Plant) {
        for stream in self.streams {
            ok!(cuStreamSynchronize(stream));
            ok!(cuStreamDestroy_v2(stream));
        }
        for run in RUNS - RING..RUNS {
            self.check(shim, plant, &self.laps[run % RING], run);
        }
        for lap in &self.laps {
            ok!(cuEventDestroy_v2(lap.over));
            ok!(cuMemFreeHost(lap.input));
            ok!(cuMemFreeHost(lap.output));
        }
        ok!(cuMemPoolDestroy(self.pool));
        self.arena.free();
        ok!(cuModuleUnload(self.module));
        ok!(cuDevicePrimaryCtxRelease_v2(0));
    }
}

fn run(shim: &Shim, plant: Plant, graph: bool) {
    let program = Program::new(shim);
    if graph {
        program.graph_runs(shim, plant);
    } else {
        let _ = (0..RUNS).all(|run| program.stream_run(shim, plant, run));
    }
    if plant == Plant::Nothing {
        program.end(shim, plant);
    }
}

/// The fault is reported, as one of these kinds, whatever the seed.
fn always_reported(plant: Plant, graph: bool, kinds: &[&str]) {
    let shim = Shim::start(0);
    for seed in 0..seeds(100) {
        shim.restart(seed);
        run(&shim, plant, graph);
        let reports = shim.reports();
        let kind = |line: &String| kinds.iter().any(|k| line.starts_with(k));
        assert!(reports.iter().any(kind), "seed {seed}: {reports:?}");
    }
}

fn never_reported(graph: bool) {
    let shim = Shim::start(0);
    let count = seeds(1000);
    for seed in 0..count {
        shim.restart(seed);
        run(&shim, Plant::Nothing, graph);
        assert_eq!(shim.reports(), [""; 0], "seed {seed}");
        assert_eq!(shim.leaks(), [""; 0], "seed {seed}");
    }
    println!("nothing to report in {count} seeds");
}

#[test]
fn nothing_is_reported_of_the_program_on_streams() {
    never_reported(false);
}

#[test]
fn nothing_is_reported_of_the_program_as_a_graph() {
    never_reported(true);
}

#[test]
fn a_dropped_wait_is_reported() {
    always_reported(Plant::DroppedWait, false, &["race", "released"]);
}

#[test]
fn a_dropped_record_is_reported() {
    always_reported(Plant::DroppedRecord, false, &["race", "released"]);
}

#[test]
fn a_shifted_offset_is_reported() {
    always_reported(Plant::ShiftedOffset, false, &["race"]);
}

#[test]
fn an_early_free_is_reported() {
    always_reported(Plant::EarlyFree, false, &["race", "released"]);
}

#[test]
fn an_event_that_is_recorded_again_too_early_is_reported() {
    always_reported(Plant::RecordedAgain, false, &["race", "released"]);
}

#[test]
fn a_ring_of_staging_that_is_too_short_is_reported() {
    always_reported(Plant::ShortRing, false, &["race"]);
}

#[test]
fn a_lost_edge_of_a_graph_is_reported() {
    always_reported(Plant::LostEdge, true, &["race"]);
}

#[test]
fn a_pool_that_is_trimmed_under_a_graph_is_reported() {
    always_reported(Plant::TrimmedPool, true, &["released"]);
}
