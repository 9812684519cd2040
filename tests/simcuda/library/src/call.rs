//! What every call goes through: the log, injected failures, and whether it may be made at all.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::status::{Answer, NOT_INITIALIZED, NOT_PERMITTED, UNKNOWN, is_sticky};
use crate::world::World;

/// Locks; a panic elsewhere is no reason to stop.
pub(crate) fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What cudarc declares a function as: by its own name, or by that of its next version, which is all
/// that newer headers have.
macro_rules! declared {
    ($name:ident) => {
        cudarc::driver::sys::$name
    };
    ($name:ident $next:ident) => {
        cudarc::driver::sys::$next
    };
}
pub(crate) use declared;

/// Exports functions of the driver. Each is of the type that cudarc declares for it, or for the one that
/// it is `like`.
macro_rules! calls {
    ($($(#[$doc:meta])* fn $name:ident $(like $next:ident)? ($($arg:ident: $type:ty),* $(,)?) $body:block)*) => {
        $(
            $(#[$doc])*
            ///
            /// # Safety
            /// As the driver API says of the function of this name.
            #[unsafe(no_mangle)]
            pub unsafe extern "C" fn $name($($arg: $type),*) -> u32 {
                $crate::call::enter(stringify!($name), move || -> $crate::status::Answer {
                    #[allow(unused_unsafe)]
                    // SAFETY: the caller keeps what the driver API asks of it: pointers are null
                    // or good for what is read and written there.
                    unsafe { $body }
                })
            }

            const _: unsafe fn($($type),*) -> cudarc::driver::sys::CUresult =
                $crate::call::declared!($name $($next)?);
        )*

        /// The functions of this file.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}
pub(crate) use calls;

static INITIALIZED: AtomicBool = AtomicBool::new(false);
static LOG: Mutex<Vec<String>> = Mutex::new(Vec::new());
/// By name of a call or a kernel: of how many from now on the last one fails, and how.
static FAILURES: Mutex<BTreeMap<String, (u64, u32)>> = Mutex::new(BTreeMap::new());
/// What is wrong and no report of the simulated device: what kind, and what.
static FAULTS: Mutex<Vec<String>> = Mutex::new(Vec::new());

thread_local! {
    static CALLBACK: Cell<bool> = const { Cell::new(false) };
    static NOTES: RefCell<String> = const { RefCell::new(String::new()) };
}

/// Runs code of the caller in which the driver must not be called.
pub(crate) fn inside_callback<T>(f: impl FnOnce() -> T) -> T {
    let before = CALLBACK.replace(true);
    let answer = f();
    CALLBACK.set(before);
    answer
}

/// A call.
pub(crate) fn enter(name: &'static str, body: impl FnOnce() -> Answer) -> u32 {
    let refused = CALLBACK.get().then_some(NOT_PERMITTED);
    let injected = || {
        let status = take_failure(name)?;
        if is_sticky(status) {
            World::with(|world| world.lose_current(status));
        }
        Some(status)
    };
    let ready = INITIALIZED.load(Ordering::Relaxed)
        || matches!(
            name,
            "cuInit" | "cuDriverGetVersion" | "cuGetErrorName" | "cuGetErrorString"
        );
    let early = || (!ready).then_some(NOT_INITIALIZED);
    NOTES.with_borrow_mut(String::clear);
    let status = match refused.or_else(injected).or_else(early) {
        Some(status) => status,
        None => catch_unwind(AssertUnwindSafe(body)).map_or(UNKNOWN, |a| a.err().unwrap_or(0)),
    };
    let mut line = name.to_owned();
    NOTES.with_borrow(|notes| line.push_str(notes));
    if status != 0 {
        line.push_str(&format!(" = {status}"));
    }
    lock(&LOG).push(line);
    status
}

pub(crate) fn initialize() {
    INITIALIZED.store(true, Ordering::Relaxed);
}

/// Adds a word to the log's line of the call that this thread makes.
pub(crate) fn note(word: &str) {
    NOTES.with_borrow_mut(|notes| {
        notes.push(' ');
        notes.push_str(word);
    });
}

/// Which call this is, for reports.
pub(crate) fn number() -> u64 {
    lock(&LOG).len() as u64
}

/// The log so far: a line a call, with its notes, and its status where that is no success.
pub(crate) fn log() -> Vec<String> {
    lock(&LOG).clone()
}

pub(crate) fn clear_log() {
    lock(&LOG).clear();
}

/// The `nth` call of that name from now on does nothing but answer `status`; of a kernel's name, its
/// `nth` execution ends so.
pub(crate) fn fail(name: &str, nth: u64, status: u32) {
    lock(&FAILURES).insert(name.to_owned(), (nth.max(1), status));
}

pub(crate) fn take_failure(name: &str) -> Option<u32> {
    let mut failures = lock(&FAILURES);
    let (left, status) = failures.get_mut(name)?;
    *left -= 1;
    let status = (*left == 0).then_some(*status)?;
    failures.remove(name);
    Some(status)
}

pub(crate) fn fault(kind: &str, text: &str) {
    let line = format!("{kind}: {text}");
    let mut faults = lock(&FAULTS);
    if !faults.contains(&line) {
        faults.push(line);
    }
}

pub(crate) fn faults() -> Vec<String> {
    lock(&FAULTS).clone()
}

/// Forgets log, faults, and failures that have not come.
pub(crate) fn reset() {
    clear_log();
    lock(&FAULTS).clear();
    lock(&FAILURES).clear();
}
