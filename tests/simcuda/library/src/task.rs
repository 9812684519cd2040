//! From what a call asks for to a piece of work of the simulated device.

use std::ffi::c_void;
use std::sync::{Arc, Mutex};

use gpu_graph_runtime::driver::sim::{RawAccess, RawTask};
use gpu_graph_runtime::table::Mode;

use crate::act::{Callback, Copy, Copying, Geometry, Kernel, Registered, Set, Writes};
use crate::call::{fault, note};
use crate::memory::TAG;
use crate::status::{Answer, INVALID_VALUE};
use crate::world::{Opaque, World};
use simcuda::abi::{Effect, OVERWRITE, POINTER, READ};

/// What a call asks for, on a stream or as a node of a graph.
#[derive(Clone, Debug)]
pub(crate) enum Spec {
    Kernel {
        kernel: Arc<Registered>,
        name: &'static str,
        geometry: Geometry,
        args: Vec<u64>,
        /// Where the code of its module is.
        code: usize,
    },
    Copy {
        name: &'static str,
        to: u64,
        from: u64,
        bytes: usize,
        /// The devices through whose mappings they go.
        via: (usize, usize),
    },
    Set {
        name: &'static str,
        to: u64,
        value: u32,
        size: usize,
        count: usize,
    },
    Callback {
        name: &'static str,
        function: unsafe extern "C" fn(*mut c_void),
        data: Opaque,
    },
}

/// A piece of work that can be issued.
pub(crate) struct Task {
    pub(crate) raw: RawTask,
    /// To be told of each issue.
    pub(crate) copy: Option<Arc<Copy>>,
}

/// Where a pointer points.
struct Place {
    at: usize,
    kind: Kind,
}

enum Kind {
    Device,
    Pinned(Writes),
    Pageable,
}

impl Place {
    fn access(&self, bytes: usize, mode: Mode, via: usize) -> RawAccess {
        RawAccess {
            start: self.at,
            bytes,
            mode,
            via: matches!(self.kind, Kind::Device).then_some(via),
            strict: !matches!(self.kind, Kind::Pageable),
        }
    }

    fn writes(&self) -> Option<Writes> {
        match &self.kind {
            Kind::Pinned(writes) => Some(Arc::clone(writes)),
            _ => None,
        }
    }
}

unsafe extern "C" fn collect(into: *mut c_void, effect: Effect) {
    // SAFETY: `effects_of` hands over its own list, and nobody else touches it meanwhile.
    unsafe { (*into.cast::<Vec<Effect>>()).push(effect) }
}

fn effects_of(kernel: &Registered, name: &str, geometry: Geometry, args: &[u64]) -> Vec<Effect> {
    let mut all = Vec::<Effect>::new();
    let launch = geometry.launch(args);
    // SAFETY: it was registered with its own `user`, and the launch has its arguments.
    let covers = unsafe {
        (kernel.effects)(
            kernel.user.0,
            &raw const launch,
            collect,
            (&raw mut all).cast(),
        )
    };
    if covers != 0 {
        let Geometry { grid, block, .. } = geometry;
        let text =
            format!("`{name}` in {grid:?} blocks of {block:?} does not cover its index space");
        fault("geometry", &text);
    }
    all
}

impl World {
    fn place(&self, pointer: u64) -> Place {
        let at = (pointer & !TAG) as usize;
        let kind = match pointer & TAG {
            0 => self
                .memory
                .pinned_at(at)
                .map_or(Kind::Pageable, Kind::Pinned),
            _ => Kind::Device,
        };
        Place { at, kind }
    }

    /// Whether an address is of host memory that the driver does not know.
    pub(crate) fn is_pageable(&self, pointer: u64) -> bool {
        matches!(self.place(pointer).kind, Kind::Pageable)
    }

    /// The work that `spec` asks for in a context.
    pub(crate) fn task(&self, spec: &Spec, context: usize, number: u64) -> Answer<Task> {
        let found = self.context(context)?;
        let (device, lost) = (found.device, found.lost.clone());
        let task = |name, accesses, tells_host, act| RawTask {
            name,
            number,
            accesses,
            in_place: false,
            tells_host,
            act,
        };
        match spec {
            Spec::Copy {
                name,
                to,
                from,
                bytes,
                via,
            } => {
                let (to, from) = (self.place(*to), self.place(*from));
                if matches!(to.kind, Kind::Pageable) || matches!(from.kind, Kind::Pageable) {
                    note("pageable");
                }
                let accesses = vec![
                    from.access(*bytes, Mode::Read, via.1),
                    to.access(*bytes, Mode::Overwrite, via.0),
                ];
                let act = Arc::new(Copy {
                    to: to.at,
                    from: from.at,
                    bytes: *bytes,
                    lost,
                    number,
                    source: from.writes(),
                    target: to.writes(),
                    issued: Mutex::default(),
                });
                let copy = Some(Arc::clone(&act));
                let raw = task(name, accesses, false, Box::new(Copying(act)));
                Ok(Task { raw, copy })
            }
            Spec::Set {
                name,
                to,
                value,
                size,
                count,
            } => {
                let to = self.place(*to);
                let accesses = vec![to.access(size * count, Mode::Overwrite, device)];
                let act = Set {
                    to: to.at,
                    value: *value,
                    size: *size,
                    count: *count,
                    lost,
                    target: to.writes(),
                };
                let raw = task(name, accesses, false, Box::new(act));
                Ok(Task { raw, copy: None })
            }
            Spec::Callback {
                name,
                function,
                data,
            } => {
                let act = Callback {
                    function: *function,
                    data: *data,
                    lost,
                };
                let raw = task(name, Vec::new(), true, Box::new(act));
                Ok(Task { raw, copy: None })
            }
            Spec::Kernel {
                kernel,
                name,
                geometry,
                args,
                code,
            } => {
                let strip = |(size, &arg): (&u32, &u64)| match size & POINTER {
                    0 => arg,
                    _ => arg & !TAG,
                };
                let real: Vec<u64> = kernel.sizes.iter().zip(args).map(strip).collect();
                let mut act = Kernel {
                    kernel: Arc::clone(kernel),
                    name,
                    number,
                    geometry: *geometry,
                    args: real,
                    overwrites: Vec::new(),
                    updates: false,
                    pinned: Vec::new(),
                    lost,
                };
                let mut accesses = vec![RawAccess {
                    start: *code,
                    bytes: 1,
                    mode: Mode::Read,
                    via: None,
                    strict: true,
                }];
                for effect in effects_of(kernel, name, *geometry, &act.args) {
                    let param = effect.param as usize;
                    let is_pointer = |size: &&u32| **size & POINTER != 0;
                    kernel
                        .sizes
                        .get(param)
                        .filter(is_pointer)
                        .ok_or(INVALID_VALUE)?;
                    let place = self.place(args[param].wrapping_add(effect.offset));
                    let mode = match effect.mode {
                        READ => Mode::Read,
                        OVERWRITE => Mode::Overwrite,
                        _ => Mode::ReadWrite,
                    };
                    let bytes = usize::try_from(effect.bytes).map_err(|_| INVALID_VALUE)?;
                    // A kernel does not reach memory that is not made known to the driver.
                    let access = place.access(bytes, mode, device);
                    accesses.push(RawAccess {
                        strict: true,
                        ..access
                    });
                    match mode {
                        Mode::Overwrite => act.overwrites.push((place.at, bytes)),
                        Mode::ReadWrite => act.updates = true,
                        Mode::Read => {}
                    }
                    if mode != Mode::Read {
                        act.pinned.extend(place.writes());
                    }
                }
                let raw = task(name, accesses, false, Box::new(act));
                Ok(Task { raw, copy: None })
            }
        }
    }
}
