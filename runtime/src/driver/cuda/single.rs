//! One task by itself, as the driver trait has it.

use std::sync::Arc;

use super::super::{DriverError, invalid};
use super::core::Core;
use super::objects::{Event, Stream};
use super::prepare::{Prepared, Work, culprit};
use super::retire::Over;
use crate::exec::Executable;
use crate::table::Form;

/// Issues one task to a stream. Host code is left to graphs: what it would be given has nobody to
/// own it here.
///
/// # Safety
/// As [`Driver::launch`](super::super::Driver::launch).
pub(super) unsafe fn launch(
    core: &Core,
    stream: &Arc<Stream>,
    exec: &Arc<Executable>,
    task: u32,
    form: Form,
) -> Result<(), DriverError> {
    const CALL: &str = "launch";
    let context = &core.context;
    context.enter(CALL)?;
    core.reclaim();
    if task as usize >= exec.image().source.tasks.len() {
        return Err(invalid(CALL, "the task"));
    }
    let mut prepared = Prepared::empty();
    let work = prepared.launch(core, exec, (task, form), None, &mut 0)?;
    let Prepared {
        packing, modules, ..
    } = prepared;
    let packed = packing.finish(exec);
    let (api, raw) = (context.api, stream.raw().0);
    // Made before anything is issued: what is issued has somebody who knows its end.
    let event = Event::new(context)?;
    // SAFETY: as for the steps of a run; parameters are copied by the call.
    let (call, code) = unsafe {
        match &work {
            Work::Nothing => return Ok(()),
            Work::Callback { .. } => return Err(DriverError::Unsupported { call: CALL }),
            Work::Kernel {
                function,
                geometry,
                params,
            } => {
                let ([gx, gy, gz], [bx, by, bz]) = (geometry.grid, geometry.block);
                let (params, none) = (packed.of(params), std::ptr::null_mut());
                let code =
                    api.cuLaunchKernel(function.0, gx, gy, gz, bx, by, bz, 0, raw, params, none);
                ("cuLaunchKernel", code)
            }
            &Work::Upload {
                to,
                resource,
                bytes,
            } => {
                let from = exec.source(resource).expose_provenance() as u64;
                ("cuMemcpyAsync", api.cuMemcpyAsync(to, from, bytes, raw))
            }
            &Work::Copy {
                to: (to, _),
                from: (from, _),
                bytes,
            } => ("cuMemcpyAsync", api.cuMemcpyAsync(to, from, bytes, raw)),
            &Work::Fill { to, bytes } => {
                ("cuMemsetD8Async", api.cuMemsetD8Async(to, 0, bytes, raw))
            }
        }
    };
    if code != 0 {
        return Err(context.refused(call, code, Some(culprit(exec, task))));
    }
    // SAFETY: both are there.
    let code = unsafe { api.cuEventRecord(event.raw().0, raw) };
    let recorded = context.answer("cuEventRecord", code);
    let over = match recorded {
        Ok(()) => Over::Event(event),
        Err(_) => Over::Streams(vec![Arc::clone(stream)]),
    };
    core.retired
        .push(over, Box::new((modules, Arc::clone(exec))));
    recorded
}
