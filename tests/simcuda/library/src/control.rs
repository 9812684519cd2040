//! How a test talks to the library: symbols of its own, beside those of the driver.

use std::ffi::c_void;

use gpu_graph_runtime::driver::sim::Report;
use gpu_graph_runtime::driver::{Address, Driver};

use crate::act::Registered;
use crate::memory::TAG;
use crate::world::World;
use crate::{call, module};
use simcuda::abi::Registration;

/// Copies as much of some lines as fits, and answers how long they are.
///
/// # Safety
/// `to` has `room` bytes.
unsafe fn give(lines: &[String], to: *mut u8, room: usize) -> usize {
    let text = lines.join("\n");
    // SAFETY: the caller's.
    unsafe { to.copy_from_nonoverlapping(text.as_ptr(), text.len().min(room)) };
    text.len()
}

/// # Safety
/// It has that many bytes.
unsafe fn name_at(at: *const u8, len: usize) -> String {
    // SAFETY: the caller's.
    let bytes = unsafe { std::slice::from_raw_parts(at, len) };
    String::from_utf8_lossy(bytes).into_owned()
}

fn drivers() -> Vec<std::sync::Arc<gpu_graph_runtime::driver::sim::SimDriver>> {
    World::with(|world| world.devices.clone())
}

/// Begins anew, with devices that no handle from before is known to, and no kernel.
#[unsafe(no_mangle)]
pub extern "C" fn simcuda_reset(seed: u64, devices: usize) {
    World::reset(seed, devices);
    module::forget_kernels();
    call::reset();
}

/// Bytes that each device has.
#[unsafe(no_mangle)]
pub extern "C" fn simcuda_capacity(bytes: u64) {
    World::with(|world| world.memory.capacity = bytes);
}

/// The `nth` call of that name from now on answers `status` and does nothing; of a kernel's name,
/// its `nth` execution ends so, and its context is lost.
///
/// # Safety
/// The name has `len` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simcuda_fail(name: *const u8, len: usize, nth: u64, status: u32) {
    // SAFETY: the caller's.
    call::fail(&unsafe { name_at(name, len) }, nth, status);
}

/// Makes a kernel known.
///
/// # Safety
/// The name has `len` bytes, and the registration is as it says.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simcuda_register(
    name: *const u8,
    len: usize,
    kernel: *const Registration,
) {
    // SAFETY: the caller's.
    let (name, kernel) = unsafe { (name_at(name, len), Registered::new(&*kernel)) };
    module::register(&name, kernel);
}

/// The calls so far: a line each, its notes behind the name, and its status if it did not succeed.
///
/// # Safety
/// `to` has `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simcuda_calls(to: *mut u8, room: usize) -> usize {
    // SAFETY: the caller's.
    unsafe { give(&call::log(), to, room) }
}

/// Forgets the calls so far.
#[unsafe(no_mangle)]
pub extern "C" fn simcuda_forget_calls() {
    call::clear_log();
}

/// Runs all that is queued. The host has seen none of it.
#[unsafe(no_mangle)]
pub extern "C" fn simcuda_drain() {
    drivers()[0].drain();
}

/// What is wrong: a line each, its kind first.
///
/// # Safety
/// `to` has `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simcuda_reports(to: *mut u8, room: usize) -> usize {
    let kind = |report: &Report| match report {
        Report::Race { .. } => "race",
        Report::Unwritten { .. } => "unwritten",
        Report::Stale { .. } => "stale",
        Report::Released { .. } => "released",
        Report::Stuck { .. } => "stuck",
        _ => "other",
    };
    let reports = drivers()[0].reports();
    let mut lines: Vec<String> = reports
        .iter()
        .map(|r| format!("{}: {r}", kind(r)))
        .collect();
    lines.extend(call::faults());
    // SAFETY: the caller's.
    unsafe { give(&lines, to, room) }
}

/// What is alive: a line each.
///
/// # Safety
/// `to` has `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simcuda_leaks(to: *mut u8, room: usize) -> usize {
    let leaks = World::with(|world| world.leaks());
    // SAFETY: the caller's.
    unsafe { give(&leaks, to, room) }
}

/// Tells that the host touches memory that devices touch too.
#[unsafe(no_mangle)]
pub extern "C" fn simcuda_host_access(at: *mut c_void, bytes: u64, write: u32) {
    let at = at.map_addr(|a| a & !(TAG as usize)).cast();
    drivers()[0].host_access(Address(at), bytes, write != 0);
}

/// The driver's functions that are there.
///
/// # Safety
/// `to` has `room` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn simcuda_symbols(to: *mut u8, room: usize) -> usize {
    let names: Vec<String> = crate::symbols().map(str::to_owned).collect();
    // SAFETY: the caller's.
    unsafe { give(&names, to, room) }
}
