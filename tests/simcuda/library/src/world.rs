//! Everything that there is: devices, contexts, and what handles stand for.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::ffi::c_void;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex};

use cudarc::driver::sys::CUcontext;
use gpu_graph_runtime::driver::sim::SimDriver;

use crate::call::lock;
use crate::graph::Graphs;
use crate::memory::Memory;
use crate::module::Modules;
use crate::queue::{Event, Stream};
use crate::status::{
    Answer, CONTEXT_IS_DESTROYED, INVALID_CONTEXT, INVALID_DEVICE, INVALID_HANDLE,
};

/// Handles are numbers that were never given before, so that what is gone is known to be gone.
static NEXT: AtomicU64 = AtomicU64::new(1);

pub(crate) fn fresh() -> usize {
    // Apart from the numbers that stand for streams of their own.
    16 * NEXT.fetch_add(1, Ordering::Relaxed) as usize
}

/// What handles of one kind stand for.
#[derive(Debug)]
pub(crate) struct Table<T>(pub(crate) BTreeMap<usize, T>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<T> Table<T> {
    pub(crate) fn insert(&mut self, item: T) -> usize {
        let handle = fresh();
        self.0.insert(handle, item);
        handle
    }

    pub(crate) fn get<H>(&self, handle: *mut H) -> Answer<&T> {
        self.0.get(&handle.addr()).ok_or(INVALID_HANDLE)
    }

    pub(crate) fn get_mut<H>(&mut self, handle: *mut H) -> Answer<&mut T> {
        self.0.get_mut(&handle.addr()).ok_or(INVALID_HANDLE)
    }

    pub(crate) fn remove<H>(&mut self, handle: *mut H) -> Answer<T> {
        self.0.remove(&handle.addr()).ok_or(INVALID_HANDLE)
    }
}

/// A handle, as its caller holds it.
pub(crate) fn handle<H>(number: usize) -> *mut H {
    std::ptr::without_provenance_mut(number)
}

/// The status with which a context was lost, or 0.
#[derive(Clone, Debug, Default)]
pub(crate) struct Lost(Arc<AtomicU32>);

impl Lost {
    pub(crate) fn set(&self, status: u32) {
        let _ = self
            .0
            .compare_exchange(0, status, Ordering::Relaxed, Ordering::Relaxed);
    }

    pub(crate) fn check(&self) -> Answer {
        match self.0.load(Ordering::Relaxed) {
            0 => Ok(()),
            status => Err(status),
        }
    }
}

#[derive(Debug)]
pub(crate) struct Context {
    pub(crate) device: usize,
    /// How often it is retained.
    pub(crate) count: u32,
    pub(crate) lost: Lost,
    /// The legacy stream, once it was used.
    pub(crate) legacy: Option<gpu_graph_runtime::driver::StreamId>,
}

#[derive(Debug)]
pub(crate) struct World {
    pub(crate) devices: Vec<Arc<SimDriver>>,
    /// By handle: primary contexts that are retained.
    pub(crate) contexts: BTreeMap<usize, Context>,
    pub(crate) streams: Table<Stream>,
    pub(crate) events: Table<Event>,
    pub(crate) modules: Modules,
    pub(crate) memory: Memory,
    pub(crate) graphs: Graphs,
    /// What was alive when its context was given back.
    pub(crate) left: Vec<String>,
}

static WORLD: LazyLock<Mutex<World>> = LazyLock::new(|| Mutex::new(World::new(0, 2)));

thread_local! {
    /// Contexts of this thread, the current one last.
    static CURRENT: RefCell<Vec<usize>> = const { RefCell::new(Vec::new()) };
}

impl World {
    fn new(seed: u64, devices: usize) -> Self {
        let devices: Vec<_> = SimDriver::peers(seed, devices)
            .into_iter()
            .map(Arc::new)
            .collect();
        Self {
            memory: Memory::new(&devices),
            devices,
            contexts: BTreeMap::new(),
            streams: Table::default(),
            events: Table::default(),
            modules: Modules::default(),
            graphs: Graphs::default(),
            left: Vec::new(),
        }
    }

    /// Begins anew: nothing of before is left, and its handles stand for nothing.
    pub(crate) fn reset(seed: u64, devices: usize) {
        let new = Self::new(seed, devices.max(1));
        let old = std::mem::replace(&mut *lock(&WORLD), new);
        drop(old);
    }

    /// Does something with the world. Nothing in it may run work of the device, which may call back.
    pub(crate) fn with<T>(f: impl FnOnce(&mut Self) -> T) -> T {
        f(&mut lock(&WORLD))
    }

    /// As [`with`](Self::with), of what may be refused.
    pub(crate) fn ask<T>(f: impl FnOnce(&mut Self) -> Answer<T>) -> Answer<T> {
        Self::with(f)
    }

    pub(crate) fn device(&self, ordinal: i32) -> Answer<usize> {
        let index = usize::try_from(ordinal).map_err(|_| INVALID_DEVICE)?;
        (index < self.devices.len())
            .then_some(index)
            .ok_or(INVALID_DEVICE)
    }

    /// The context that is current on this thread, which is not lost.
    pub(crate) fn current(&self) -> Answer<(usize, &Context)> {
        let handle = CURRENT
            .with_borrow(|all| all.last().copied())
            .filter(|&c| c != 0);
        let handle = handle.ok_or(INVALID_CONTEXT)?;
        let context = self.contexts.get(&handle).ok_or(CONTEXT_IS_DESTROYED)?;
        context.lost.check()?;
        Ok((handle, context))
    }

    /// The context of that handle, which is not lost.
    pub(crate) fn context(&self, handle: usize) -> Answer<&Context> {
        let context = self.contexts.get(&handle).ok_or(CONTEXT_IS_DESTROYED)?;
        context.lost.check()?;
        Ok(context)
    }

    /// The context of that handle, or the current one where it is null.
    pub(crate) fn context_or_current(&self, handle: CUcontext) -> Answer<usize> {
        match handle.is_null() {
            true => Ok(self.current()?.0),
            false => {
                self.contexts.get(&handle.addr()).ok_or(INVALID_CONTEXT)?;
                Ok(handle.addr())
            }
        }
    }

    pub(crate) fn lose_current(&self, status: u32) {
        if let Ok((_, context)) = self.current() {
            context.lost.set(status);
        }
    }

    pub(crate) fn retain(&mut self, device: usize) -> usize {
        let found = self.contexts.iter_mut().find(|(_, c)| c.device == device);
        if let Some((&handle, context)) = found {
            context.count += 1;
            return handle;
        }
        let handle = fresh();
        let context = Context {
            device,
            count: 1,
            lost: Lost::default(),
            legacy: None,
        };
        self.contexts.insert(handle, context);
        handle
    }

    /// Gives a primary context back. With the last count all that it holds goes.
    pub(crate) fn release(&mut self, device: usize) -> Answer {
        let found = self.contexts.iter_mut().find(|(_, c)| c.device == device);
        let (&handle, context) = found.ok_or(INVALID_CONTEXT)?;
        context.count -= 1;
        if context.count == 0 {
            let alive = self.of_context(handle);
            self.left.extend(alive);
            self.contexts.remove(&handle);
            self.streams.0.retain(|_, s| s.context != handle);
            self.events.0.retain(|_, e| e.context != handle);
            self.modules.drop_context(handle);
        }
        Ok(())
    }

    fn of_context(&self, context: usize) -> Vec<String> {
        let streams = self.streams.0.values().filter(|s| s.context == context);
        let events = self.events.0.values().filter(|e| e.context == context);
        let streams = streams.map(|_| "a stream, when its context went".to_owned());
        let events = events.map(|_| "an event, when its context went".to_owned());
        let modules = self.modules.of_context(context);
        let modules = modules.map(|_| "a module, when its context went".to_owned());
        streams.chain(events).chain(modules).collect()
    }

    /// All that is alive.
    pub(crate) fn leaks(&self) -> Vec<String> {
        let mut all = self.left.clone();
        let mut many = |count: usize, what: &str| {
            if count > 0 {
                all.push(format!("{count} x {what}"));
            }
        };
        many(
            self.contexts.values().map(|c| c.count as usize).sum(),
            "a context's retention",
        );
        many(self.streams.0.len(), "a stream");
        many(self.events.0.len(), "an event");
        many(self.modules.count(), "a module");
        let (graphs, execs) = self.graphs.counts();
        many(graphs, "a graph");
        many(execs, "an executable graph");
        for (count, what) in self.memory.counts() {
            many(count, what);
        }
        all
    }
}

/// Makes a context the current one of this thread.
pub(crate) fn set_current(handle: usize) {
    CURRENT.with_borrow_mut(|all| {
        all.pop();
        all.push(handle);
    });
}

pub(crate) fn push_current(handle: usize) {
    CURRENT.with_borrow_mut(|all| all.push(handle));
}

pub(crate) fn pop_current() -> Option<usize> {
    CURRENT.with_borrow_mut(Vec::pop)
}

/// Whatever is current on this thread, 0 where nothing is.
pub(crate) fn peek_current() -> usize {
    CURRENT.with_borrow(|all| all.last().copied().unwrap_or(0))
}

/// Writes an answer to where the caller wants it.
///
/// # Safety
/// `to` is null or can be written.
pub(crate) unsafe fn put<T>(to: *mut T, value: T) -> Answer {
    if to.is_null() {
        return Err(crate::status::INVALID_VALUE);
    }
    // SAFETY: the caller's, and it is not null.
    unsafe { to.write(value) };
    Ok(())
}

/// A pointer that crosses threads as the number that it is.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opaque(pub(crate) *mut c_void);

// SAFETY: a number here; whoever follows it carries the argument.
unsafe impl Send for Opaque {}
// SAFETY: as above.
unsafe impl Sync for Opaque {}
