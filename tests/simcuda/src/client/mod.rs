//! The side of a test: finds the library, opens it before anybody looks for the driver, and talks to
//! it.
//!
//! There is one library in a process, so one test at a time holds a [`Shim`].

mod image;
mod kernel;

use std::ffi::c_void;
use std::path::PathBuf;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};

use crate::abi::{Registration, Text};

pub use kernel::{Args, Kernel, Param, at_work};

/// The library's own symbols.
#[derive(Debug)]
struct Control {
    reset: extern "C" fn(u64, usize),
    capacity: extern "C" fn(u64),
    fail: unsafe extern "C" fn(*const u8, usize, u64, u32),
    register: unsafe extern "C" fn(*const u8, usize, *const Registration),
    calls: Text,
    forget_calls: extern "C" fn(),
    drain: extern "C" fn(),
    reports: Text,
    leaks: Text,
    host_access: extern "C" fn(*mut c_void, u64, u32),
    symbols: Text,
}

/// Where a shared library of this workspace is: cargo puts it where it puts the executables of tests
/// that depend on it, or a folder above.
///
/// # Panics
/// Where it is not.
pub fn beside(file: &str) -> PathBuf {
    let exe = std::env::current_exe().expect("an executable knows where it is");
    let folders = exe.ancestors().skip(1).take(3);
    let places: Vec<PathBuf> = folders
        .flat_map(|f| [f.join(file), f.join("deps").join(file)])
        .collect();
    let found = places.iter().find(|p| p.exists());
    found
        .unwrap_or_else(|| panic!("`{file}` is in none of {places:?}"))
        .clone()
}

/// Opens a library for as long as the process lives.
///
/// # Panics
/// Where it cannot be opened.
pub fn open(file: &str) -> &'static Library {
    let path = beside(file);
    // SAFETY: it is built from this workspace; loading it runs nothing.
    let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) };
    Box::leak(Box::new(
        library.unwrap_or_else(|e| panic!("{}: {e}", path.display())),
    ))
}

fn control() -> &'static Control {
    static CONTROL: OnceLock<Control> = OnceLock::new();
    CONTROL.get_or_init(|| {
        let library = open("libsimcuda_library.so");
        macro_rules! symbol {
            ($name:literal) => {
                // SAFETY: the library exports it with the type of the field, which stands in the
                // same crate.
                *unsafe { library.get($name) }.expect("a symbol of the shim")
            };
        }
        Control {
            reset: symbol!(b"simcuda_reset\0"),
            capacity: symbol!(b"simcuda_capacity\0"),
            fail: symbol!(b"simcuda_fail\0"),
            register: symbol!(b"simcuda_register\0"),
            calls: symbol!(b"simcuda_calls\0"),
            forget_calls: symbol!(b"simcuda_forget_calls\0"),
            drain: symbol!(b"simcuda_drain\0"),
            reports: symbol!(b"simcuda_reports\0"),
            leaks: symbol!(b"simcuda_leaks\0"),
            host_access: symbol!(b"simcuda_host_access\0"),
            symbols: symbol!(b"simcuda_symbols\0"),
        }
    })
}

fn lines(from: Text) -> Vec<String> {
    let mut text = Vec::new();
    loop {
        // SAFETY: that many bytes are there.
        let len = unsafe { from(text.as_mut_ptr(), text.len()) };
        if len <= text.len() {
            text.truncate(len);
            break;
        }
        text = vec![0; len];
    }
    let text = String::from_utf8(text).expect("lines are text");
    text.lines().map(str::to_owned).collect()
}

/// The simulated devices, for one test at a time.
#[derive(Debug)]
pub struct Shim {
    control: &'static Control,
    _turn: MutexGuard<'static, ()>,
}

impl Shim {
    /// Two devices on which nothing has happened, for as long as the answer lives. Waits for others
    /// that hold them.
    pub fn start(seed: u64) -> Self {
        static TURN: Mutex<()> = Mutex::new(());
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let shim = Self {
            control: control(),
            _turn: turn,
        };
        shim.restart(seed);
        shim
    }

    /// Begins anew. Handles of before stand for nothing.
    pub fn restart(&self, seed: u64) {
        (self.control.reset)(seed, 2);
    }

    /// Lets kernels compile to their own texts, which nothing keeps: no compiler is asked for.
    pub fn compile_nothing(&self) {
        static ONCE: OnceLock<()> = OnceLock::new();
        ONCE.get_or_init(|| {
            open("libsimnvrtc.so");
            // SAFETY: Rust's own readers of the environment wait for this, and no test has others.
            unsafe { std::env::set_var("GPU_GRAPH_CACHE", "") };
        });
    }

    /// Bytes that each device has from now on.
    pub fn capacity(&self, bytes: u64) {
        (self.control.capacity)(bytes);
    }

    /// The `nth` call of that name from now on answers `status` and does nothing else, also where that
    /// is success; of a kernel's name, its `nth` execution ends so; of the name `edge`, the `nth` node
    /// that has edges loses one.
    pub fn fail(&self, name: &str, nth: u64, status: u32) {
        // SAFETY: the name is as long as it is.
        unsafe { (self.control.fail)(name.as_ptr(), name.len(), nth, status) }
    }

    /// Makes a kernel known.
    pub fn register(&self, kernel: Kernel) {
        kernel.hand_to(|name, registration| {
            // SAFETY: the registration is whole, and what it points to is kept for ever.
            unsafe { (self.control.register)(name.as_ptr(), name.len(), registration) }
        });
    }

    /// The calls so far: of each its name, its notes, and its status where that is no success.
    pub fn calls(&self) -> Vec<String> {
        lines(self.control.calls)
    }

    /// How many calls of that name there were.
    pub fn count(&self, name: &str) -> usize {
        let named = |line: &String| line.split(' ').next() == Some(name);
        self.calls().into_iter().filter(named).count()
    }

    /// Forgets the calls so far.
    pub fn forget_calls(&self) {
        (self.control.forget_calls)();
    }

    /// Runs all that is queued, and says what is wrong: a line each, its kind first.
    pub fn reports(&self) -> Vec<String> {
        (self.control.drain)();
        lines(self.control.reports)
    }

    /// What is alive.
    pub fn leaks(&self) -> Vec<String> {
        lines(self.control.leaks)
    }

    /// Tells that the host touches memory that devices touch too.
    pub fn host_access(&self, at: *mut c_void, bytes: u64, write: bool) {
        (self.control.host_access)(at, bytes, u32::from(write));
    }

    /// The driver's functions that are there.
    pub fn symbols(&self) -> Vec<String> {
        lines(self.control.symbols)
    }
}
