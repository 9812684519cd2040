//! Kernels as tests describe them.

use std::cell::Cell;
use std::ffi::c_void;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::abi::{Effect, Launch, OVERWRITE, POINTER, READ, Registration, Sink, UPDATE};

/// A parameter of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Param {
    /// A pointer.
    Pointer,
    /// A value of that many bytes, 8 at most.
    Value(u32),
}

/// The arguments of a launch.
#[derive(Clone, Copy, Debug)]
pub struct Args<'a> {
    /// Each zero-extended to 64 bits.
    pub bits: &'a [u64],
    /// Blocks in x, y and z.
    pub grid: [u32; 3],
    /// Threads of a block in x, y and z.
    pub block: [u32; 3],
}

impl Args<'_> {
    /// Where a pointer points.
    pub fn pointer(&self, param: usize) -> *mut u8 {
        std::ptr::with_exposed_provenance_mut(self.bits[param] as usize)
    }

    /// Elements behind a pointer.
    ///
    /// # Safety
    /// The kernel says of so many that it reads or writes them, and nothing else of it overlaps
    /// them while this is used, if it is to write.
    pub unsafe fn slice<'s, T>(&self, param: usize, len: usize) -> &'s mut [T] {
        // SAFETY: the caller's; the shim runs a kernel where what it says it touches is there.
        unsafe { std::slice::from_raw_parts_mut(self.pointer(param).cast(), len) }
    }

    /// Whether the threads are as many in each direction, x first.
    pub fn covers(&self, over: [u64; 3]) -> bool {
        let threads = |i: usize| u64::from(self.grid[i]) * u64::from(self.block[i]);
        (0..3).all(|i| threads(i) >= over[i])
    }
}

type Effects = dyn Fn(&Args<'_>) -> Option<Vec<Effect>> + Send + Sync;
type Body = dyn Fn(&Args<'_>) + Send + Sync;

/// A kernel: its name, its parameters, what it touches and what it does.
pub struct Kernel {
    name: String,
    sizes: Vec<u32>,
    effects: Box<Effects>,
    body: Box<Body>,
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

impl Effect {
    /// Reads the first bytes behind a pointer.
    pub fn read(param: usize, bytes: u64) -> Self {
        Self::of(param, READ, bytes)
    }

    /// Writes all of the first bytes behind a pointer, and reads none.
    pub fn overwrite(param: usize, bytes: u64) -> Self {
        Self::of(param, OVERWRITE, bytes)
    }

    /// Reads and writes the first bytes behind a pointer.
    pub fn update(param: usize, bytes: u64) -> Self {
        Self::of(param, UPDATE, bytes)
    }

    fn of(param: usize, mode: u32, bytes: u64) -> Self {
        Self {
            param: param as u32,
            mode,
            offset: 0,
            bytes,
        }
    }
}

impl Kernel {
    /// A kernel. `effects` answers `None` where a launch does not cover its index space.
    pub fn new(
        name: &str,
        params: &[Param],
        effects: impl Fn(&Args<'_>) -> Option<Vec<Effect>> + Send + Sync + 'static,
        body: impl Fn(&Args<'_>) + Send + Sync + 'static,
    ) -> Self {
        let size = |param: &Param| match param {
            Param::Pointer => 8 | POINTER,
            Param::Value(bytes) => *bytes,
        };
        Self {
            name: name.to_owned(),
            sizes: params.iter().map(size).collect(),
            effects: Box::new(effects),
            body: Box::new(body),
        }
    }

    /// Hands it over. It is kept for ever: the library may run it whenever it likes.
    pub(super) fn hand_to(self, to: impl FnOnce(&str, *const Registration)) {
        let kept: &'static Self = Box::leak(Box::new(self));
        let registration = Registration {
            sizes: kept.sizes.as_ptr(),
            count: kept.sizes.len(),
            effects,
            body,
            user: (&raw const *kept).cast(),
        };
        to(&kept.name, &raw const registration);
    }
}

thread_local! {
    static AT_WORK: Cell<bool> = const { Cell::new(false) };
}

/// A kernel of a test is at work on this thread, or says what it touches: neither is done by what is
/// tested.
pub fn at_work() -> bool {
    AT_WORK.get()
}

/// What a kernel does, or says; `None` where that panics.
fn work<T>(what: impl FnOnce() -> T) -> Option<T> {
    let before = AT_WORK.replace(true);
    let done = catch_unwind(AssertUnwindSafe(what));
    AT_WORK.set(before);
    done.ok()
}

/// The kernel and the launch behind two pointers.
///
/// # Safety
/// They are the `user` of a registration that was made here, and a launch of it.
unsafe fn both<'a>(user: *const c_void, launch: *const Launch) -> (&'static Kernel, Args<'a>) {
    // SAFETY: the caller's; kernels are kept for ever, and a launch has its arguments.
    let (kernel, launch) = unsafe { (&*user.cast::<Kernel>(), &*launch) };
    let bits = match launch.count {
        0 => &[][..],
        // SAFETY: as above.
        count => unsafe { std::slice::from_raw_parts(launch.args, count as usize) },
    };
    let args = Args {
        bits,
        grid: launch.grid,
        block: launch.block,
    };
    (kernel, args)
}

unsafe extern "C" fn effects(
    user: *const c_void,
    launch: *const Launch,
    sink: Sink,
    into: *mut c_void,
) -> u32 {
    // SAFETY: the library hands back what was registered with a launch of it.
    let (kernel, args) = unsafe { both(user, launch) };
    let handed = work(|| {
        let all = (kernel.effects)(&args)?;
        for effect in all {
            // SAFETY: the sink takes what `into` is.
            unsafe { sink(into, effect) };
        }
        Some(())
    });
    u32::from(handed.flatten().is_none())
}

unsafe extern "C" fn body(user: *const c_void, launch: *const Launch) -> u32 {
    // SAFETY: as above.
    let (kernel, args) = unsafe { both(user, launch) };
    u32::from(work(|| (kernel.body)(&args)).is_none())
}
