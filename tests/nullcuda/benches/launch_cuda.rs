//! What a launch costs the host, beside a loop that calls `cuLaunchKernel` by hand.
//!
//! `cargo bench -p nullcuda --bench launch_cuda`: over a driver whose calls succeed at once.
//! `cargo bench -p nullcuda --bench launch_cuda -- gpu`: on the first GPU of this machine.
//!
//! A run of one launch and a run of many are issued in turns with as many calls by hand, whose functions and
//! parameters stand in a table. The cost of a launch is what the many take more, so that neither the rest
//! of a run nor the clock is in it. Only the issue is timed; on a GPU each run is waited for behind that.

mod chain;

use std::ffi::{c_char, c_int, c_uint, c_void};
use std::hint::black_box;
use std::process::ExitCode;
use std::ptr::null_mut;
use std::time::{Duration, Instant};

use cudarc::driver::sys::{CUfunction, CUmodule, CUstream};
use gpu_graph::driver::StreamId;
use gpu_graph::{Device, RunError};

use chain::{LEN, MORE, Many, One, many, one};

const ROUNDS: usize = 401;

type LoadData = unsafe extern "C" fn(*mut CUmodule, *const c_void) -> u32;
type GetFunction = unsafe extern "C" fn(*mut CUfunction, CUmodule, *const c_char) -> u32;
type StreamCreate = unsafe extern "C" fn(*mut CUstream, c_uint) -> u32;
type Synchronize = unsafe extern "C" fn(CUstream) -> u32;
type LaunchKernel = unsafe extern "C" fn(
    CUfunction,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    c_uint,
    CUstream,
    *mut *mut c_void,
    *mut *mut c_void,
) -> u32;

/// A launch as a careful hand would keep it.
struct Launch {
    function: CUfunction,
    grid: [c_uint; 3],
    block: [c_uint; 3],
    params: *mut *mut c_void,
}

/// Calls by hand.
struct ByHand {
    launches: Vec<Launch>,
    stream: CUstream,
    launch: LaunchKernel,
    synchronize: Synchronize,
}

impl ByHand {
    /// The launches of the graph, on the device whose context is current.
    fn new(device: &Device) -> Self {
        // SAFETY: the library is there already.
        let library = unsafe { cudarc::driver::sys::culib() };
        macro_rules! function {
            ($name:literal, $type:ty) => {
                // SAFETY: the driver API declares it so.
                *unsafe { library.get::<$type>($name) }.expect("a function of the driver")
            };
        }
        let load = function!(b"cuModuleLoadData\0", LoadData);
        let get = function!(b"cuModuleGetFunction\0", GetFunction);
        let create = function!(b"cuStreamCreate\0", StreamCreate);
        let (mut module, mut function, mut stream) = (null_mut(), null_mut(), null_mut());
        let text = concat!(include_str!("chain/add.ptx"), "\0");
        // SAFETY: the text ends with 0, and so does the name; each writes one handle.
        let codes = unsafe {
            [
                load(&mut module, text.as_ptr().cast()),
                get(&mut function, module, c"add".as_ptr()),
                create(&mut stream, 1),
            ]
        };
        assert_eq!(codes, [0; 3]);
        let launch = |_| {
            let values = [memory(device), memory(device), LEN as u64].map(|v| Box::leak(v.into()));
            let pointers = values.map(|v: &mut u64| (&raw mut *v).cast::<c_void>());
            Launch {
                function,
                grid: [1; 3],
                block: [LEN as c_uint, 1, 1],
                params: Box::leak(Box::new(pointers)).as_mut_ptr(),
            }
        };
        Self {
            launches: (0..=MORE).map(launch).collect(),
            stream,
            launch: function!(b"cuLaunchKernel\0", LaunchKernel),
            synchronize: function!(b"cuStreamSynchronize\0", Synchronize),
        }
    }

    /// The first so many.
    fn issue(&self, count: usize) -> Result<(), u32> {
        let (call, stream) = (self.launch, self.stream);
        for launch in &self.launches[..count] {
            let ([gx, gy, gz], [bx, by, bz]) = (launch.grid, launch.block);
            // SAFETY: the function takes two pointers and a number, which live as long as this.
            let code = unsafe {
                call(
                    launch.function,
                    gx,
                    gy,
                    gz,
                    bx,
                    by,
                    bz,
                    0,
                    stream,
                    launch.params,
                    null_mut(),
                )
            };
            if code != 0 {
                return Err(code);
            }
        }
        Ok(())
    }

    fn wait(&self) {
        // SAFETY: the stream lives.
        assert_eq!(unsafe { (self.synchronize)(self.stream) } as c_int, 0);
    }
}

/// Where the device has room for the elements of one operand.
fn memory(device: &Device) -> u64 {
    let driver = device.driver();
    let taken = driver.create_stream().and_then(|stream: StreamId| {
        let range = driver.allocate(stream, 4 * LEN as u64)?;
        driver.address(range)
    });
    taken.expect("some bytes").0.expose_provenance() as u64
}

/// How often what is timed is done before it is waited for, and what a round of it took.
struct Clock {
    batch: u32,
}

impl Clock {
    fn time(&self, mut issue: impl FnMut(), wait: impl FnOnce()) -> f64 {
        let start = Instant::now();
        for _ in 0..self.batch {
            issue();
        }
        let took: Duration = start.elapsed();
        wait();
        took.as_nanos() as f64 / f64::from(self.batch)
    }
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

fn main() -> ExitCode {
    match measure() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("launch_cuda: {error}");
            ExitCode::FAILURE
        }
    }
}

fn measure() -> Result<(), Box<dyn std::error::Error>> {
    let gpu = std::env::args().any(|arg| arg == "gpu");
    if !gpu {
        simcuda::client::open("libnullcuda.so");
    }
    let device = gpu_graph::cuda(0)?;
    // Only over nothing may many runs be issued without a wait: a GPU takes a thousand launches or so.
    let clock = Clock {
        batch: if gpu { 1 } else { 100 },
    };
    let hand = ByHand::new(&device);
    let mut one = One::load(&device, one::Dims {})?;
    let mut many = Many::load(&device, many::Dims {})?;
    one.set_x(&[1.0; LEN])?;
    many.set_x(&[1.0; LEN])?;
    let mut last: Option<RunError> = None;
    // Of a run of one and of many launches, by hand and as a graph: what each took, by round.
    let mut took: [Vec<f64>; 4] = Default::default();
    for _ in 0..ROUNDS {
        for (at, count) in [(0, 1), (1, 1 + MORE)] {
            took[at].push(clock.time(
                || hand.issue(black_box(count)).expect("it is taken"),
                || hand.wait(),
            ));
        }
        let mut keep = |failed: Result<(), RunError>| last = failed.err().or(last.take());
        took[2].push(clock.time(|| keep(one.run(one::Inputs {}).map(drop)), || ()));
        keep(one.run(one::Inputs {}).and_then(|run| run.wait()));
        took[3].push(clock.time(|| keep(many.run(many::Inputs {}).map(drop)), || ()));
        keep(many.run(many::Inputs {}).and_then(|run| run.wait()));
    }
    if let Some(error) = last {
        return Err(error.into());
    }
    let slope = |one: &[f64], many: &[f64]| -> Vec<f64> {
        let pairs = one.iter().zip(many);
        pairs
            .map(|(one, many)| (many - one) / MORE as f64)
            .collect()
    };
    let (by_hand, graph) = (slope(&took[0], &took[1]), slope(&took[2], &took[3]));
    let ratios = graph.iter().zip(&by_hand).map(|(g, h)| g / h).collect();
    let whole = took[3].iter().zip(&took[1]).map(|(g, h)| g / h).collect();
    println!("{}, medians of {ROUNDS} rounds", device.info().name);
    println!("a launch by hand    {:7.2} ns", median(by_hand));
    println!("a launch in a graph {:7.2} ns", median(graph));
    println!("of that by hand     {:7.3}", median(ratios));
    println!(
        "a run of {} launches with its query and record: {:.3} of the calls by hand",
        1 + MORE,
        median(whole)
    );
    Ok(())
}
