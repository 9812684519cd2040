//! What pieces of work do when their turn comes.

use std::collections::VecDeque;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use gpu_graph_runtime::driver::sim::Act;

use crate::call::{fault, inside_callback, lock, take_failure};
use crate::status::{ILLEGAL_ADDRESS, LAUNCH_FAILED};
use crate::world::{Lost, Opaque};
use simcuda::abi::{Launch, Registration};

/// Larger outputs are not looked at for bytes that nobody wrote.
const LOOK_UP_TO: usize = 1 << 20;

/// Functions of the host that have run: what they wrote is not known.
static CALLBACKS: AtomicU64 = AtomicU64::new(0);

/// How often the device wrote a piece of pinned memory.
pub(crate) type Writes = Arc<AtomicU64>;

/// Whether the piece of work goes on: its context is there, and so is what it touches.
fn goes_on(lost: &Lost, usable: bool) -> bool {
    if lost.check().is_err() {
        return false;
    }
    if !usable {
        lost.set(ILLEGAL_ADDRESS);
    }
    usable
}

fn bytes_at<'a>(at: usize, len: usize) -> &'a mut [u8] {
    // SAFETY: callers have been told that these bytes are there; one piece of work runs at a time,
    // and what orders the host is that it waits before it looks.
    unsafe { std::slice::from_raw_parts_mut(std::ptr::with_exposed_provenance_mut(at), len) }
}

/// What pinned memory held when a copy of it was issued.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Seen {
    content: u64,
    writes: u64,
}

#[derive(Debug)]
pub(crate) struct Copy {
    pub(crate) to: usize,
    pub(crate) from: usize,
    pub(crate) bytes: usize,
    pub(crate) lost: Lost,
    pub(crate) number: u64,
    /// Of pinned memory that it reads, and writes.
    pub(crate) source: Option<Writes>,
    pub(crate) target: Option<Writes>,
    pub(crate) issued: Mutex<VecDeque<u128>>,
}

impl Copy {
    fn seen(&self, writes: &Writes) -> Seen {
        let mut content = 0xcbf2_9ce4_8422_2325;
        for &byte in bytes_at(self.from, self.bytes).iter() {
            content = (content ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        let writes = writes.load(Ordering::Relaxed) + CALLBACKS.load(Ordering::Relaxed);
        Seen { content, writes }
    }

    /// It has been issued: until it has run, nobody but the device may write what it reads.
    pub(crate) fn issue(&self) {
        if let Some(writes) = &self.source {
            let Seen { content, writes } = self.seen(writes);
            let both = u128::from(content) << 64 | u128::from(writes);
            lock(&self.issued).push_back(both);
        }
    }
}

/// A copy that others tell of its issues.
#[derive(Debug)]
pub(crate) struct Copying(pub(crate) Arc<Copy>);

impl Act for Copying {
    fn act(&self, usable: bool) {
        let copy = &*self.0;
        let before = lock(&copy.issued).pop_front();
        if !goes_on(&copy.lost, usable) {
            return;
        }
        if let (Some(both), Some(writes)) = (before, &copy.source) {
            let now = copy.seen(writes);
            let before = Seen {
                content: (both >> 64) as u64,
                writes: both as u64,
            };
            if now.writes == before.writes && now.content != before.content {
                let number = copy.number;
                fault(
                    "changed",
                    &format!("the host wrote what the copy of call {number} had not read yet"),
                );
            }
        }
        // Ranges that overlap have been reported, and are not usable.
        bytes_at(copy.to, copy.bytes).copy_from_slice(bytes_at(copy.from, copy.bytes));
        if let Some(writes) = &copy.target {
            writes.fetch_add(1, Ordering::Relaxed);
        }
    }
}

#[derive(Debug)]
pub(crate) struct Set {
    pub(crate) to: usize,
    pub(crate) value: u32,
    /// Bytes of a value.
    pub(crate) size: usize,
    pub(crate) count: usize,
    pub(crate) lost: Lost,
    pub(crate) target: Option<Writes>,
}

impl Act for Set {
    fn act(&self, usable: bool) {
        if goes_on(&self.lost, usable) {
            let value = self.value.to_le_bytes();
            for one in bytes_at(self.to, self.size * self.count).chunks_exact_mut(self.size) {
                one.copy_from_slice(&value[..self.size]);
            }
            if let Some(writes) = &self.target {
                writes.fetch_add(1, Ordering::Relaxed);
            }
        }
    }
}

/// A function of the host.
#[derive(Debug)]
pub(crate) struct Callback {
    pub(crate) function: unsafe extern "C" fn(*mut c_void),
    pub(crate) data: Opaque,
    pub(crate) lost: Lost,
}

impl Act for Callback {
    fn act(&self, _: bool) {
        if self.lost.check().is_ok() {
            // SAFETY: who issued it keeps what the function needs until it has run.
            inside_callback(|| unsafe { (self.function)(self.data.0) });
            CALLBACKS.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// A kernel that was registered.
#[derive(Debug)]
pub(crate) struct Registered {
    pub(crate) sizes: Vec<u32>,
    pub(crate) effects:
        unsafe extern "C" fn(*const c_void, *const Launch, simcuda::abi::Sink, *mut c_void) -> u32,
    body: unsafe extern "C" fn(*const c_void, *const Launch) -> u32,
    pub(crate) user: Opaque,
}

impl Registered {
    /// # Safety
    /// `from` holds what it says.
    pub(crate) unsafe fn new(from: &Registration) -> Self {
        let sizes = match from.count {
            0 => &[][..],
            // SAFETY: the caller's.
            count => unsafe { std::slice::from_raw_parts(from.sizes, count) },
        };
        Self {
            sizes: sizes.to_vec(),
            effects: from.effects,
            body: from.body,
            user: Opaque(from.user.cast_mut()),
        }
    }
}

/// One execution of a kernel.
#[derive(Debug)]
pub(crate) struct Kernel {
    pub(crate) kernel: Arc<Registered>,
    pub(crate) name: &'static str,
    pub(crate) number: u64,
    pub(crate) geometry: Geometry,
    pub(crate) args: Vec<u64>,
    /// What it is to write all of, and whether it updates anything.
    pub(crate) overwrites: Vec<(usize, usize)>,
    pub(crate) updates: bool,
    pub(crate) pinned: Vec<Writes>,
    pub(crate) lost: Lost,
}

/// Grid, block and dynamic shared memory of a launch.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    pub(crate) grid: [u32; 3],
    pub(crate) block: [u32; 3],
    pub(crate) shared: u32,
}

impl Geometry {
    pub(crate) fn launch(self, args: &[u64]) -> Launch {
        Launch {
            grid: self.grid,
            block: self.block,
            shared: self.shared,
            count: args.len() as u32,
            args: args.as_ptr(),
        }
    }
}

impl Kernel {
    fn run(&self) {
        let launch = self.geometry.launch(&self.args);
        // SAFETY: it was registered with its own `user`; the arguments are as many as it has, and
        // what it says it touches is there, and nobody else is at it.
        let status = unsafe { (self.kernel.body)(self.kernel.user.0, &raw const launch) };
        if status != 0 {
            self.lost.set(LAUNCH_FAILED);
        }
    }

    fn looked_at(&self) -> impl Iterator<Item = (usize, usize)> {
        let all = self.overwrites.iter().copied();
        all.filter(|&(_, bytes)| bytes <= LOOK_UP_TO)
    }

    fn paint(&self, with: u8) {
        for (at, bytes) in self.looked_at() {
            bytes_at(at, bytes).fill(with);
        }
    }

    /// Bytes that hold what they were painted with.
    fn unpainted(&self, with: u8) -> Vec<usize> {
        let all = self.looked_at().flat_map(|(at, bytes)| at..at + bytes);
        all.filter(|&at| bytes_at(at, 1)[0] == with).collect()
    }
}

impl Act for Kernel {
    fn act(&self, usable: bool) {
        if !goes_on(&self.lost, usable) {
            return;
        }
        if let Some(status) = take_failure(self.name) {
            return self.lost.set(status);
        }
        // Painted in two colours, a byte that has both was never written.
        self.paint(0xa5);
        self.run();
        if !self.updates {
            let suspects = self.unpainted(0xa5);
            if !suspects.is_empty() {
                self.paint(0x5a);
                self.run();
                let left = self.unpainted(0x5a);
                if let Some(at) = suspects.iter().find(|at| left.binary_search(at).is_ok()) {
                    let first = self
                        .overwrites
                        .iter()
                        .find(|(a, n)| (*a..a + n).contains(at));
                    let offset = at - first.map_or(*at, |f| f.0);
                    let (name, number) = (self.name, self.number);
                    let text =
                        format!("`{name}`, call {number}, leaves byte {offset} of an output");
                    fault("unfilled", &text);
                }
            }
        }
        for writes in &self.pinned {
            writes.fetch_add(1, Ordering::Relaxed);
        }
    }
}
