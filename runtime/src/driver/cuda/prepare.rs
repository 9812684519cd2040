//! What the tasks of one instance are on the device: found out once, before anything is issued.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::sys::CUfunction;

use super::super::{Culprit, DriverError, invalid};
use super::compile::Wanted;
use super::context::Raw;
use super::core::Core;
use super::geometry::{Geometry, geometry};
use super::modules::{Function, Loaded, Modules, none};
use super::objects::Module;
use super::pack::{Packing, Param, order, scalar};
use super::scalars::{Scalars, changing, reads};
use crate::exec::{CudaSource, Executable};
use crate::table::{Class, Form, Op, TaskKind};

/// What a launch of the program does.
#[derive(Clone, Debug)]
pub(super) enum Work {
    /// Nothing: there is no element, or nothing is to be done.
    Nothing,
    /// A kernel.
    Kernel {
        function: Raw<CUfunction>,
        geometry: Geometry,
        /// Its parameters among those of the instance.
        params: Range<usize>,
    },
    /// The input is copied from wherever it was set.
    Upload {
        to: u64,
        resource: u32,
        bytes: usize,
    },
    /// One range is copied to another. Each may lie on the host.
    Copy {
        to: (u64, Side),
        from: (u64, Side),
        bytes: usize,
    },
    /// A range becomes zero.
    Fill { to: u64, bytes: usize },
    /// Host code runs.
    Callback { form: Form },
}

/// Where an address lies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    /// In memory of the device.
    Device,
    /// In pinned memory.
    Host,
}

/// All launches of an instance.
pub(super) struct Prepared {
    /// By op of the program; nothing for what is no launch.
    pub(super) work: Vec<Work>,
    pub(super) packing: Packing,
    pub(super) modules: Vec<Arc<Module>>,
    /// What became of the code of kernels.
    loaded: Loaded,
}

/// The task, for errors.
pub(super) fn culprit(exec: &Executable, task: u32) -> Culprit {
    let source = exec.image().source;
    let what = match source.tasks[task as usize].kind {
        TaskKind::Kernel(k) => source.kernels[k as usize].name,
        TaskKind::Upload => "upload",
        TaskKind::Fill => "fill",
        TaskKind::Copy => "copy",
        TaskKind::Hold { .. } => "hold",
    };
    let graph = source.name;
    Culprit { graph, task, what }
}

/// Finds out what every launch of the program is. With a block on the device, scalars of the run come
/// from there.
fn prepare(core: &Core, exec: &Executable, block: Option<u64>) -> Result<Prepared, DriverError> {
    let mut prepared = Prepared {
        loaded: Modules::of(core, exec),
        ..Prepared::empty()
    };
    // Behind the scalars of the run, what never changes comes in the order of the launches.
    let mut constant = exec.image().source.params;
    for op in exec.image().program.issue {
        let work = match *op {
            Op::Launch { task, form, .. } => {
                prepared.launch(core, exec, (task, form), block, &mut constant)?
            }
            _ => Work::Nothing,
        };
        prepared.work.push(work);
    }
    Ok(prepared)
}

impl Prepared {
    /// The launches of an instance, whose kernels read scalars of the run from the device, if it has a
    /// place for them there.
    pub(super) fn of(
        core: &Core,
        exec: &Executable,
        scalars: Option<&Scalars>,
    ) -> Result<Self, DriverError> {
        prepare(core, exec, scalars.map(Scalars::device))
    }

    /// Nothing yet.
    pub(super) fn empty() -> Self {
        Self {
            work: Vec::new(),
            packing: Packing::default(),
            modules: Vec::new(),
            loaded: Loaded::new(),
        }
    }

    /// What one launch is.
    pub(super) fn launch(
        &mut self,
        core: &Core,
        exec: &Executable,
        (task, form): (u32, Form),
        block: Option<u64>,
        constant: &mut u32,
    ) -> Result<Work, DriverError> {
        let source = exec.image().source;
        let mut touches = exec.touches(task);
        let side = |resource: u32| match source.resources[resource as usize].class {
            Class::Staging => Side::Host,
            _ => Side::Device,
        };
        let number = |at: *mut u8| at.expose_provenance() as u64;
        Ok(match source.tasks[task as usize].kind {
            TaskKind::Hold { .. } => Work::Nothing,
            TaskKind::Upload => match touches.next() {
                Some(to) if to.bytes > 0 => Work::Upload {
                    to: number(to.start),
                    resource: to.resource,
                    bytes: to.bytes,
                },
                _ => Work::Nothing,
            },
            TaskKind::Fill => match touches.next() {
                Some(to) if to.bytes > 0 => Work::Fill {
                    to: number(to.start),
                    bytes: to.bytes,
                },
                _ => Work::Nothing,
            },
            TaskKind::Copy => match (touches.next(), touches.next()) {
                (Some(from), Some(to)) if to.bytes > 0 => Work::Copy {
                    to: (number(to.start), side(to.resource)),
                    from: (number(from.start), side(from.resource)),
                    bytes: to.bytes,
                },
                _ => Work::Nothing,
            },
            TaskKind::Kernel(k) if source.kernels[k as usize].callback => Work::Callback { form },
            TaskKind::Kernel(k) => {
                let mut tensors: Vec<u64> = touches.map(|t| number(t.start)).collect();
                if form == Form::InPlace {
                    // The result is the operand.
                    tensors.pop();
                }
                self.kernel(core, exec, (task, k, form), &tensors, block, constant)?
            }
        })
    }

    /// The module of a kernel, also of one that no other launch has.
    fn module(
        &mut self,
        core: &Core,
        kernel: &'static str,
        source: &CudaSource,
    ) -> Result<Arc<Module>, DriverError> {
        if !self.loaded.contains_key(&source.code) {
            self.loaded.extend(Modules::load(core, &[(kernel, source)]));
        }
        self.loaded[&source.code].clone()
    }

    fn kernel(
        &mut self,
        core: &Core,
        exec: &Executable,
        (task, k, form): (u32, u32, Form),
        tensors: &[u64],
        block: Option<u64>,
        constant: &mut u32,
    ) -> Result<Work, DriverError> {
        let image = exec.image();
        let kernel = &image.source.kernels[k as usize];
        let code = image.code[k as usize].cuda.as_ref();
        let mut scalars: Vec<Param> = exec.scalars(task).iter().map(|&s| scalar(s)).collect();
        let indirect = block.filter(|_| reads(exec, task));
        if let Some(block) = indirect {
            for scalar in &mut scalars {
                let slot = match *scalar {
                    Param::Scalar(index) => index,
                    Param::Fixed(_) => {
                        *constant += 1;
                        *constant - 1
                    }
                };
                *scalar = Param::Fixed(block + 8 * u64::from(slot));
            }
        }
        // Found also where there is nothing to launch: what is missing does not depend on the dims.
        let Some(code) = code else {
            return Err(none(kernel.name, "it has no `cuda` clause".to_owned()));
        };
        let module = self.module(core, kernel.name, code)?;
        let wanted = Wanted::of(code, form, indirect.map(|_| changing(exec, task)));
        let found = Function::find(&core.context, &module, &wanted.name)?;
        let found = found.ok_or_else(|| none(kernel.name, wanted.to_string()))?;
        let Some(geometry) = geometry(kernel, exec.dims(task))? else {
            return Ok(Work::Nothing);
        };
        if geometry.block.iter().product::<u32>() > found.threads {
            let why = format!("a block of it may have {} threads, not more", found.threads);
            return Err(none(kernel.name, why));
        }
        let positions = code.scalars;
        if positions.len() != scalars.len() {
            return Err(invalid("instantiate", "the scalars of a kernel"));
        }
        let params = order(tensors, &scalars, positions, exec.dims(task));
        if !self.modules.iter().any(|m| Arc::ptr_eq(m, &module)) {
            self.modules.push(module);
        }
        Ok(Work::Kernel {
            function: found.raw,
            geometry,
            params: self.packing.add(&params),
        })
    }
}
