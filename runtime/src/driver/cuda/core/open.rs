//! How a device is opened, and left.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, Weak};

use cudarc::driver::sys::CUdevice_attribute;

use super::super::context::Context;
use super::super::error::CudaError;
use super::super::memory::Spaces;
use super::super::modules::Modules;
use super::super::pool::Pool;
use super::super::retire::Retired;
use super::super::status::status;
use super::{Core, lock};
use crate::driver::{DriverError, Info};

/// Devices without a handle, of which work is still under way. Whoever opens one next looks after
/// them.
static LEFT: Mutex<Vec<Arc<Core>>> = Mutex::new(Vec::new());

impl Core {
    /// The device of that ordinal: the same one as long as anybody has it.
    pub(in crate::driver::cuda) fn open(ordinal: u32) -> Result<Arc<Self>, CudaError> {
        static OPEN: Mutex<BTreeMap<u32, Weak<Core>>> = Mutex::new(BTreeMap::new());
        let left = std::mem::take(&mut *lock(&LEFT));
        let mut open = lock(&OPEN);
        let core = match open.get(&ordinal).and_then(Weak::upgrade) {
            Some(core) => core,
            None => {
                let core = Arc::new(Self::new(ordinal)?);
                open.insert(ordinal, Arc::downgrade(&core));
                core
            }
        };
        drop(open);
        for core in left {
            core.leave();
        }
        if let Some(code) = core.context.lost() {
            let status = status(code);
            return Err(CudaError::Lost { ordinal, status });
        }
        core.reclaim();
        Ok(core)
    }

    fn new(ordinal: u32) -> Result<Self, CudaError> {
        use CUdevice_attribute as Attribute;
        let context = Arc::new(Context::open(ordinal)?);
        let name = context.name()?;
        for (attribute, what) in [
            (
                Attribute::CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                "virtual memory management",
            ),
            (
                Attribute::CU_DEVICE_ATTRIBUTE_MEMORY_POOLS_SUPPORTED,
                "stream-ordered memory pools",
            ),
        ] {
            if context.attribute(attribute)? == 0 {
                return Err(CudaError::Incapable {
                    ordinal,
                    name,
                    what,
                });
            }
        }
        let arch = (
            context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)?,
            context.attribute(Attribute::CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR)?,
        );
        const CALL: &str = "cuCtxSetCurrent";
        context.enter(CALL).map_err(|error| match error {
            DriverError::Refused { call, status, .. } => CudaError::Refused { call, status },
            DriverError::Lost { status, .. } => CudaError::Lost { ordinal, status },
            _ => CudaError::InsideKernel,
        })?;
        let spaces = Spaces::new(&context)?;
        Ok(Self {
            info: Info {
                name: format!("cuda {ordinal}: {name}"),
                unified: false,
                granularity: spaces.granularity(),
                stages: true,
            },
            arch,
            modules: Modules::default(),
            retired: Retired::default(),
            streams: Mutex::default(),
            spaces: Mutex::new(spaces),
            pool: Mutex::new(Pool::new(&context)?),
            pins: Mutex::default(),
            later: Mutex::default(),
            context,
        })
    }

    /// A handle goes. What is still under way keeps the device, until somebody opens one again.
    pub(in crate::driver::cuda) fn leave(self: &Arc<Self>) {
        self.reclaim();
        if self.retired.len() > 0 {
            lock(&LEFT).push(Arc::clone(self));
        }
    }
}
