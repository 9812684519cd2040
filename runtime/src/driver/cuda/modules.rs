//! Code of kernels on the device: each text is compiled and loaded once, as long as a graph has it.

use std::collections::BTreeMap;
use std::ffi::{CString, c_int};
use std::sync::{Arc, Mutex, Weak};

use cudarc::driver::sys::{CUfunction, CUfunction_attribute};

use super::super::DriverError;
use super::compile::{Options, image};
use super::context::{Context, Raw};
use super::core::{Core, lock};
use super::objects::Module;
use super::status::NOT_FOUND;
use crate::exec::{CudaCode, CudaSource};

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

impl Modules {
    /// The code of a kernel, loaded.
    pub(super) fn load(
        core: &Core,
        kernel: &'static str,
        source: Option<&CudaSource>,
    ) -> Result<Arc<Module>, DriverError> {
        let Some(source) = source else {
            return Err(none(kernel, "it has no `cuda` clause".to_owned()));
        };
        let mut loaded = lock(&core.modules.loaded);
        if let Some(module) = loaded.get(&source.code).and_then(Weak::upgrade) {
            return Ok(module);
        }
        loaded.retain(|_, module| module.strong_count() > 0);
        let image = image(source, &Options::new(core.arch));
        let image = image.map_err(|why| none(kernel, why.to_string()))?;
        let context = &core.context;
        let mut raw = std::ptr::null_mut();
        // SAFETY: an image that says itself how long it is, or a text that ends with a zero.
        let code = unsafe {
            let image = image.as_ptr().cast();
            context.api.cuModuleLoadData(&raw mut raw, image)
        };
        context
            .answer("cuModuleLoadData", code)
            .map_err(|e| match e {
                DriverError::Refused { call, status, .. } => {
                    none(kernel, format!("{call}: {status}"))
                }
                other => other,
            })?;
        let module = Arc::new(Module::of(context, raw));
        loaded.insert(source.code, Arc::downgrade(&module));
        Ok(module)
    }
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
