//! Modules, their functions, and the kernels that tests register for them.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{CStr, c_char, c_int, c_uint, c_void};
use std::sync::{Arc, Mutex};

use cudarc::driver::sys::{CUfunction, CUfunction_attribute, CUjit_option, CUmodule};
use gpu_graph_runtime::driver::Address;

use crate::act::Registered;
use crate::call::{calls, lock, note};
use crate::status::{Answer, INVALID_IMAGE, INVALID_VALUE, NOT_FOUND};
use crate::world::{Table, World, handle, put};

/// By name of the function.
static KERNELS: Mutex<BTreeMap<String, Arc<Registered>>> = Mutex::new(BTreeMap::new());

pub(crate) fn register(name: &str, kernel: Registered) {
    lock(&KERNELS).insert(name.to_owned(), Arc::new(kernel));
}

pub(crate) fn forget_kernels() {
    lock(&KERNELS).clear();
}

/// The name for as long as the process lives, kept once.
pub(crate) fn intern(name: &str) -> &'static str {
    static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());
    let mut names = lock(&NAMES);
    if let Some(known) = names.get(name) {
        return known;
    }
    let kept = String::leak(name.to_owned());
    names.insert(kept);
    kept
}

#[derive(Debug)]
struct Module {
    context: usize,
    image: Vec<u8>,
    /// Stands for its code in memory: what runs it reads this.
    code: Box<[u8; 64]>,
}

#[derive(Clone, Debug)]
pub(crate) struct Function {
    module: usize,
    pub(crate) context: usize,
    pub(crate) name: &'static str,
    pub(crate) kernel: Arc<Registered>,
    pub(crate) code: usize,
}

#[derive(Debug, Default)]
pub(crate) struct Modules {
    modules: Table<Module>,
    pub(crate) functions: Table<Function>,
    /// Code that is gone: nothing else gets its place.
    gone: Vec<Module>,
}

impl Modules {
    pub(crate) fn of_context(&self, context: usize) -> impl Iterator<Item = ()> {
        let mine = self
            .modules
            .0
            .values()
            .filter(move |m| m.context == context);
        mine.map(|_| ())
    }

    pub(crate) fn count(&self) -> usize {
        self.modules.0.len()
    }

    pub(crate) fn drop_context(&mut self, context: usize) {
        self.functions.0.retain(|_, f| f.context != context);
        self.modules.0.retain(|_, m| m.context != context);
    }
}

/// The image behind a pointer: text that ends with a zero, or an ELF file, which says how long it is.
///
/// # Safety
/// It is one of these.
unsafe fn image_at(at: *const c_void) -> Answer<Vec<u8>> {
    if at.is_null() {
        return Err(INVALID_VALUE);
    }
    // SAFETY: the caller's.
    let text = unsafe { CStr::from_ptr(at.cast()) }.to_bytes();
    if text.is_empty() {
        return Err(INVALID_IMAGE);
    }
    if !text.starts_with(b"\x7fELF") {
        return match std::str::from_utf8(text) {
            Ok(_) => Ok(text.to_vec()),
            Err(_) => Err(INVALID_IMAGE),
        };
    }
    let at = at.cast::<u8>();
    // SAFETY: a file of this kind has a header of 64 bytes, in which the section table is told.
    let header = unsafe { std::slice::from_raw_parts(at, 64) };
    let number = |from: usize, len: usize| {
        let bytes = header[from..from + len].iter().rev();
        bytes.fold(0usize, |sum, &byte| sum << 8 | usize::from(byte))
    };
    let end = number(0x28, 8) + number(0x3a, 2) * number(0x3c, 2);
    // SAFETY: the section table is the last of it.
    Ok(unsafe { std::slice::from_raw_parts(at, end) }.to_vec())
}

/// Whether an image has a function. Macros write the second entry and the in-place form of one that
/// is named.
fn names(image: &[u8], function: &str) -> bool {
    let plain = function
        .trim_end_matches("_indirect")
        .trim_end_matches("_in_place");
    [function, plain].iter().any(|name| {
        let word =
            |byte: Option<&u8>| byte.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let mut windows = image.windows(name.len()).enumerate();
        windows.any(|(at, found)| {
            found == name.as_bytes()
                && !word(at.checked_sub(1).and_then(|before| image.get(before)))
                && !word(image.get(at + name.len()))
        })
    })
}

/// # Safety
/// As [`image_at`].
unsafe fn load(module: *mut CUmodule, image: *const c_void) -> Answer {
    // SAFETY: the caller's.
    let image = unsafe { image_at(image) }?;
    let made = World::ask(|world| {
        let (context, found) = world.current()?;
        let code = Box::new([0; 64]);
        let at = Address(code.as_ptr().cast_mut());
        world.devices[found.device].lend(at, 64, true);
        let module = Module {
            context,
            image,
            code,
        };
        Ok(world.modules.modules.insert(module))
    })?;
    // SAFETY: the caller's.
    unsafe { put(module, handle(made)) }
}

calls! {
    /// The image names the functions that it has; what they do is registered by the test.
    fn cuModuleLoadData(module: *mut CUmodule, image: *const c_void) {
        load(module, image)
    }

    /// As [`cuModuleLoadData`]; options are taken and ignored.
    fn cuModuleLoadDataEx(
        module: *mut CUmodule,
        image: *const c_void,
        _count: c_uint,
        _options: *mut CUjit_option,
        _values: *mut *mut c_void,
    ) {
        load(module, image)
    }

    /// Kernels of it that have not ended are reported.
    fn cuModuleUnload(module: CUmodule) {
        World::ask(|world| {
            let gone = world.modules.modules.remove(module)?;
            let device = world.context(gone.context)?.device;
            let at = Address(gone.code.as_ptr().cast_mut());
            world.devices[device].lend(at, 64, false);
            world.modules.functions.0.retain(|_, f| f.module != module.addr());
            world.modules.gone.push(gone);
            Ok(())
        })
    }

    /// A function that the image names and a test has registered.
    fn cuModuleGetFunction(function: *mut CUfunction, module: CUmodule, name: *const c_char) {
        if name.is_null() {
            return Err(INVALID_VALUE);
        }
        let name = CStr::from_ptr(name).to_str().map_err(|_| INVALID_VALUE)?;
        note(name);
        let found = World::ask(|world| {
            let of = world.modules.modules.get(module)?;
            let kernel = lock(&KERNELS).get(name).cloned();
            let kernel = kernel.filter(|_| names(&of.image, name)).ok_or(NOT_FOUND)?;
            let function = Function {
                module: module.addr(),
                context: of.context,
                name: intern(name),
                kernel,
                code: of.code.as_ptr().addr(),
            };
            Ok(world.modules.functions.insert(function))
        })?;
        put(function, handle(found))
    }

    /// Most threads a block can have, and 0 of all else.
    fn cuFuncGetAttribute(value: *mut c_int, attribute: CUfunction_attribute, function: CUfunction) {
        World::ask(|world| world.modules.functions.get(function).map(|_| ()))?;
        let most = CUfunction_attribute::CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK;
        put(value, if attribute == most { 1024 } else { 0 })
    }

    /// Taken and ignored.
    fn cuFuncSetAttribute(function: CUfunction, _attribute: CUfunction_attribute, _value: c_int) {
        World::ask(|world| world.modules.functions.get(function).map(|_| ()))
    }
}
