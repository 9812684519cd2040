//! What crosses the border between the library and the test that loaded it: plain C.

use std::ffi::c_void;

/// A launch, as a registered kernel sees it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Launch {
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
    /// Dynamic shared memory, in bytes.
    pub shared: u32,
    /// Number of arguments.
    pub count: u32,
    /// The arguments, each zero-extended to 64 bits; pointers can be followed by the host.
    pub args: *const u64,
}

/// What a launch does to what a pointer argument points to.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effect {
    /// Index of the parameter.
    pub param: u32,
    /// [`READ`], [`OVERWRITE`] or [`UPDATE`].
    pub mode: u32,
    /// First byte behind the pointer.
    pub offset: u64,
    /// Bytes.
    pub bytes: u64,
}

/// It reads.
pub const READ: u32 = 0;
/// It writes every byte and reads none.
pub const OVERWRITE: u32 = 1;
/// It reads and writes.
pub const UPDATE: u32 = 2;

/// Set in the size of a parameter that is a pointer.
pub const POINTER: u32 = 1 << 31;

/// Takes one effect.
pub type Sink = unsafe extern "C" fn(into: *mut c_void, effect: Effect);

/// A kernel, handed over by `simcuda_register`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct Registration {
    /// Bytes of each parameter, 8 at most, with [`POINTER`] where it is one.
    pub sizes: *const u32,
    /// Number of parameters.
    pub count: usize,
    /// Hands each effect of a launch to the sink. Answers another number than 0 where the launch
    /// does not cover the kernel's index space.
    pub effects: unsafe extern "C" fn(*const c_void, *const Launch, Sink, *mut c_void) -> u32,
    /// Runs it. Answers another number than 0 where it failed.
    pub body: unsafe extern "C" fn(*const c_void, *const Launch) -> u32,
    /// Handed to both, on any thread, until the next reset and beyond.
    pub user: *const c_void,
}

/// Where text goes: as much of it as fits, and how long it is.
pub type Text = unsafe extern "C" fn(*mut u8, usize) -> usize;
