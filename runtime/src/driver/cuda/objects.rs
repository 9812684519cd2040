//! What the driver hands out, each given back once by its owner.

use std::sync::Arc;

use cudarc::driver::sys::{CUevent, CUgraphExec, CUmodule, CUstream};

use super::super::DriverError;
use super::context::{Context, Raw};
use super::status::{NOT_READY, SUCCESS};
use super::symbols::Api;
use crate::sync::Inside;

/// `CU_STREAM_NON_BLOCKING`: it takes no part in what the legacy stream orders.
const NON_BLOCKING: u32 = 1;
/// `CU_EVENT_DEFAULT`.
const DEFAULT: u32 = 0;
/// `CU_EVENT_DISABLE_TIMING`.
const DISABLE_TIMING: u32 = 2;

macro_rules! object {
    ($(#[$about:meta])* $name:ident($handle:ty), $gone:literal, $destroy:ident) => {
        $(#[$about])*
        #[derive(Debug)]
        pub(super) struct $name {
            context: Arc<Context>,
            raw: Raw<$handle>,
        }

        impl $name {
            /// The handle, valid as long as this lives.
            #[inline]
            pub(super) fn raw(&self) -> Raw<$handle> {
                self.raw
            }

            pub(super) fn of(context: &Arc<Context>, raw: $handle) -> Self {
                let context = Arc::clone(context);
                Self { context, raw: Raw(raw) }
            }
        }

        impl Drop for $name {
            fn drop(&mut self) {
                // SAFETY: made by the driver, owned by this alone, and not used behind this.
                give_back(&self.context, $gone, |api| unsafe { api.$destroy(self.raw.0) });
            }
        }
    };
}

object! {
    /// A stream. Work on it goes on to its end when it is given back.
    Stream(CUstream), "cuStreamDestroy", cuStreamDestroy_v2
}
object! {
    /// An event. Waits already issued still hold when it is given back.
    Event(CUevent), "cuEventDestroy", cuEventDestroy_v2
}
object! {
    /// Code that was loaded. Nothing of it runs any more when it is given back.
    Module(CUmodule), "cuModuleUnload", cuModuleUnload
}
object! {
    /// A graph that can be launched. No launch of it is under way when it is given back.
    GraphExec(CUgraphExec), "cuGraphExecDestroy", cuGraphExecDestroy
}

/// Gives something back, where the driver may be called. Nobody is left to be told of an error; what
/// a lost context held is gone with it.
pub(super) fn give_back(context: &Context, call: &'static str, destroy: impl FnOnce(&Api) -> u32) {
    if !Inside::is() && context.enter(call).is_ok() {
        let _ = context.answer(call, destroy(context.api));
    }
}

impl Stream {
    pub(super) fn new(context: &Arc<Context>) -> Result<Self, DriverError> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: the context is current, as the caller of the driver sees to; one handle is written.
        let code = unsafe { context.api.cuStreamCreate(&raw mut raw, NON_BLOCKING) };
        context.answer("cuStreamCreate", code)?;
        Ok(Self::of(context, raw))
    }

    /// Whether all that was issued to it is over; where the context is lost nothing runs any more.
    pub(super) fn idle(&self) -> bool {
        const CALL: &str = "cuStreamQuery";
        if self.context.reenter(CALL).is_err() {
            return self.context.lost().is_some();
        }
        // SAFETY: the stream is there.
        let code = unsafe { self.context.api.cuStreamQuery(self.raw.0) };
        over(&self.context, CALL, code)
    }
}

impl Event {
    /// One that keeps no time.
    pub(super) fn new(context: &Arc<Context>) -> Result<Self, DriverError> {
        Self::with(context, DISABLE_TIMING)
    }

    /// One that keeps when it was recorded.
    pub(super) fn timed(context: &Arc<Context>) -> Result<Self, DriverError> {
        Self::with(context, DEFAULT)
    }

    fn with(context: &Arc<Context>, flags: u32) -> Result<Self, DriverError> {
        let mut raw = std::ptr::null_mut();
        // SAFETY: as for a stream.
        let code = unsafe { context.api.cuEventCreate(&raw mut raw, flags) };
        context.answer("cuEventCreate", code)?;
        Ok(Self::of(context, raw))
    }

    /// Whether what it was last recorded for is over; where the context is lost nothing runs any
    /// more.
    pub(super) fn over(&self) -> bool {
        const CALL: &str = "cuEventQuery";
        if self.context.reenter(CALL).is_err() {
            return self.context.lost().is_some();
        }
        // SAFETY: the event is there.
        let code = unsafe { self.context.api.cuEventQuery(self.raw.0) };
        over(&self.context, CALL, code)
    }
}

/// Whether an answer to a question after some work says that it is over: it is, or nothing runs any
/// more. A question that was refused says nothing.
fn over(context: &Context, call: &'static str, code: u32) -> bool {
    match code {
        SUCCESS => true,
        NOT_READY => false,
        code => matches!(context.refused(call, code, None), DriverError::Lost { .. }),
    }
}
