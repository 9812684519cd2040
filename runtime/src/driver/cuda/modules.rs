//! Code of kernels on the device: each text is compiled and loaded once, as long as a graph has it.

use std::collections::BTreeMap;
use std::ffi::{CString, c_int};
use std::sync::{Arc, Mutex, Weak};

use cudarc::driver::sys::{CUfunction, CUfunction_attribute};

use super::super::DriverError;
use super::compile::{Options, images};
use super::context::{Context, Raw};
use super::core::{Core, lock};
use super::objects::Module;
use super::status::NOT_FOUND;
use crate::exec::{CudaCode, CudaSource, Executable};
use crate::table::{Op, TaskKind};

/// Loaded modules, by what they are made from.
#[derive(Debug, Default)]
pub(super) struct Modules {
    loaded: Mutex<BTreeMap<CudaCode, Weak<Module>>>,
}

/// One function of a module, which has to stay loaded.
#[derive(Clone, Copy, Debug)]
pub(super) struct Function {
    pub(super) raw: Raw<CUfunction>,
    /// Threads of a block at most.
    pub(super) threads: u32,
}

/// A kernel without code for this device.
pub(super) fn none(kernel: &'static str, why: String) -> DriverError {
    DriverError::NoCode { kernel, why }
}

/// What became of code that kernels have, by that code.
pub(super) type Loaded = BTreeMap<CudaCode, Result<Arc<Module>, DriverError>>;

impl Modules {
    /// The code of all kernels that the program launches.
    pub(super) fn of(core: &Core, exec: &Executable) -> Loaded {
        Self::load(core, &launched(exec))
    }

    /// The code of kernels, loaded, each with the first kernel that has it: what is not loaded yet is
    /// compiled side by side.
    pub(super) fn load(core: &Core, kernels: &[(&'static str, &CudaSource)]) -> Loaded {
        let mut modules = lock(&core.modules.loaded);
        modules.retain(|_, module| module.strong_count() > 0);
        let mut found = Loaded::new();
        let mut missing = BTreeMap::new();
        for &(kernel, source) in kernels {
            match modules.get(&source.code).and_then(Weak::upgrade) {
                Some(module) => drop(found.insert(source.code, Ok(module))),
                None => drop(missing.entry(source.code).or_insert((kernel, source))),
            }
        }
        let sources: Vec<_> = missing.values().map(|(_, source)| *source).collect();
        let images = images(&sources, &Options::new(core.arch));
        for ((code, (kernel, _)), image) in missing.into_iter().zip(images) {
            let image = image.map_err(|why| none(kernel, why.to_string()));
            let module = image.and_then(|image| module(core, kernel, &image));
            if let Ok(module) = &module {
                modules.insert(code, Arc::downgrade(module));
            }
            found.insert(code, module);
        }
        found
    }
}

/// The kernels that the program launches on the device, in the order of the launches.
fn launched(exec: &Executable) -> Vec<(&'static str, &'static CudaSource)> {
    let image = exec.image();
    let kernel = |op: &Op| {
        let Op::Launch { task, .. } = *op else {
            return None;
        };
        let TaskKind::Kernel(k) = image.source.tasks[task as usize].kind else {
            return None;
        };
        let kernel = &image.source.kernels[k as usize];
        let source = image.code[k as usize].cuda.as_ref();
        source
            .filter(|_| !kernel.callback)
            .map(|source| (kernel.name, source))
    };
    image.program.issue.iter().filter_map(kernel).collect()
}

/// An image, loaded.
fn module(core: &Core, kernel: &'static str, image: &[u8]) -> Result<Arc<Module>, DriverError> {
    let context = &core.context;
    let mut raw = std::ptr::null_mut();
    // SAFETY: an image that says itself how long it is, or a text that ends with a zero.
    let code = unsafe {
        let image = image.as_ptr().cast();
        context.api.cuModuleLoadData(&raw mut raw, image)
    };
    let answer = context.answer("cuModuleLoadData", code);
    answer.map_err(|error| match error {
        DriverError::Refused { call, status, .. } => none(kernel, format!("{call}: {status}")),
        other => other,
    })?;
    Ok(Arc::new(Module::of(context, raw)))
}

impl Function {
    /// The function of that name, if the module has it. It is loaded now: a launch then has nothing
    /// left to load, and nothing to wait for.
    pub(super) fn find(
        context: &Context,
        module: &Module,
        name: &str,
    ) -> Result<Option<Self>, DriverError> {
        let Ok(text) = CString::new(name) else {
            return Ok(None);
        };
        let mut raw = std::ptr::null_mut();
        // SAFETY: the module is loaded; the name ends with a zero; one handle is written.
        let code = unsafe {
            let api = context.api;
            api.cuModuleGetFunction(&raw mut raw, module.raw().0, text.as_ptr())
        };
        match code {
            NOT_FOUND => return Ok(None),
            code => context.answer("cuModuleGetFunction", code)?,
        }
        let mut threads: c_int = 0;
        // SAFETY: the function is there; one number is written.
        let code = unsafe {
            let attribute = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
            let api = context.api;
            api.cuFuncGetAttribute(&raw mut threads, attribute, raw)
        };
        context.answer("cuFuncGetAttribute", code)?;
        Ok(Some(Self {
            raw: Raw(raw),
            threads: u32::try_from(threads).unwrap_or(0),
        }))
    }
}
