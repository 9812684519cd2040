//! What the tasks of one instance are on the device: found out once, before anything is issued.

use std::ops::Range;
use std::sync::Arc;

use cudarc::driver::sys::CUfunction;

use super::super::{Culprit, DriverError, invalid};
use super::context::Raw;
use super::core::Core;
use super::geometry::{Geometry, geometry};
use super::graph::Scalars;
use super::modules::{Function, Loaded, Modules, none};
use super::objects::Module;
use super::pack::{Packing, Param, order, scalar};
use crate::exec::{CudaSource, Executable};
use crate::table::{Class, Form, Op, Scalar, TaskKind};

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

/// Where scalars lie that a graph's kernels read from the device: first those of the run by number,
/// then what never changes of the tasks that read any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Block {
    /// Its content, but for the scalars of a run.
    pub(super) values: Vec<u64>,
    /// Where it starts on the device.
    pub(super) at: u64,
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

/// Whether a task reads scalars that each run is given, in a kernel on the device.
pub(super) fn reads_scalars(exec: &Executable, task: u32) -> bool {
    let source = exec.image().source;
    let TaskKind::Kernel(k) = source.tasks[task as usize].kind else {
        return false;
    };
    let mut scalars = exec.scalars(task).iter();
    !source.kernels[k as usize].callback && scalars.any(|s| matches!(s, Scalar::Param(_)))
}

/// The block that a graph of this instance needs, if one of its kernels reads scalars of the run.
pub(super) fn block(exec: &Executable) -> Option<Vec<u64>> {
    let mut values = vec![0; exec.image().source.params as usize];
    let mut any = false;
    for op in exec.image().program.issue {
        let Op::Launch { task, .. } = *op else {
            continue;
        };
        if reads_scalars(exec, task) {
            any = true;
            values.extend(exec.scalars(task).iter().filter_map(|s| match *s {
                Scalar::Const(bits) => Some(bits),
                _ => None,
            }));
        }
    }
    any.then_some(values)
}

/// Finds out what every launch of the program is. With a block, scalars of the run come from there.
fn prepare(core: &Core, exec: &Executable, block: Option<&Block>) -> Result<Prepared, DriverError> {
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
        let at = scalars.map(Scalars::device);
        let block = block(exec).zip(at).map(|(values, at)| Block { values, at });
        prepare(core, exec, block.as_ref())
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
        block: Option<&Block>,
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
        block: Option<&Block>,
        constant: &mut u32,
    ) -> Result<Work, DriverError> {
        let image = exec.image();
        let kernel = &image.source.kernels[k as usize];
        let code = image.code[k as usize].cuda.as_ref();
        let mut scalars: Vec<Param> = exec.scalars(task).iter().map(|&s| scalar(s)).collect();
        let indirect = block.filter(|_| reads_scalars(exec, task));
        if let Some(block) = indirect {
            for scalar in &mut scalars {
                let slot = match *scalar {
                    Param::Scalar(index) => index,
                    Param::Fixed(_) => {
                        *constant += 1;
                        *constant - 1
                    }
                };
                *scalar = Param::Fixed(block.at + 8 * u64::from(slot));
            }
        }
        // Found also where there is nothing to launch: what is missing does not depend on the dims.
        let Some(code) = code else {
            return Err(none(kernel.name, "it has no `cuda` clause".to_owned()));
        };
        let module = self.module(core, kernel.name, code)?;
        let mut name = code.function.to_owned();
        if form == Form::InPlace {
            name.push_str("_in_place");
        }
        let entry = match indirect {
            Some(_) => format!("{name}_indirect"),
            None => name,
        };
        let found = Function::find(&core.context, &module, &entry)?;
        let missing = || match indirect {
            Some(_) => format!(
                "scalar {} of it changes from run to run, which under `issue graph` it has to read \
                 with a function `{entry}`; write it with `KERNEL`, or let the graph `issue streams`",
                changing(exec, task)
            ),
            None => format!("it has no `extern \"C\"` function `{entry}`"),
        };
        let found = found.ok_or_else(|| none(kernel.name, missing()))?;
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

/// The position, among its own, of the first scalar that each run is given.
fn changing(exec: &Executable, task: u32) -> usize {
    let mut scalars = exec.scalars(task).iter();
    scalars
        .position(|s| matches!(s, Scalar::Param(_)))
        .unwrap_or(0)
}
