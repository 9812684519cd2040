//! The nodes of a graph, each added behind those that it waits for.

use std::ffi::c_void;

use cudarc::driver::sys::{
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS,
    CUevent, CUfunction, CUgraph, CUgraphNode, CUmemorytype,
};

use super::super::{Culprit, DriverError};
use super::callback::call_back;
use super::context::Context;
use super::geometry::Geometry;
use super::prepare::Side;

/// One node about to be added.
pub(super) struct Adding<'a> {
    pub(super) context: &'a Context,
    pub(super) graph: CUgraph,
    pub(super) after: &'a [CUgraphNode],
}

impl Adding<'_> {
    pub(super) fn kernel(
        &self,
        function: CUfunction,
        geometry: Geometry,
        params: *mut *mut c_void,
        of: Option<Culprit>,
    ) -> Result<CUgraphNode, DriverError> {
        let ([gx, gy, gz], [bx, by, bz]) = (geometry.grid, geometry.block);
        let params = CUDA_KERNEL_NODE_PARAMS {
            func: function,
            gridDimX: gx,
            gridDimY: gy,
            gridDimZ: gz,
            blockDimX: bx,
            blockDimY: by,
            blockDimZ: bz,
            sharedMemBytes: 0,
            kernelParams: params,
            extra: std::ptr::null_mut(),
            kern: std::ptr::null_mut(),
            ctx: std::ptr::null_mut(),
        };
        self.add("cuGraphAddKernelNode", of, |node| {
            // SAFETY: graph, nodes and function are there; parameters are as the function takes them,
            // and are copied.
            unsafe {
                let (api, after) = (self.context.api, self.after);
                let at = after.as_ptr();
                api.cuGraphAddKernelNode_v2(node, self.graph, at, after.len(), &raw const params)
            }
        })
    }

    pub(super) fn copy(
        &self,
        (to, to_side): (u64, Side),
        (from, from_side): (u64, Side),
        bytes: usize,
        of: Option<Culprit>,
    ) -> Result<CUgraphNode, DriverError> {
        let kind = |side: Side| match side {
            Side::Host => CUmemorytype::CU_MEMORYTYPE_HOST,
            Side::Device => CUmemorytype::CU_MEMORYTYPE_DEVICE,
        };
        let host = |at: u64, side: Side| match side {
            Side::Host => std::ptr::with_exposed_provenance_mut::<c_void>(at as usize),
            Side::Device => std::ptr::null_mut(),
        };
        let device = |at: u64, side: Side| match side {
            Side::Host => 0,
            Side::Device => at,
        };
        let none = std::ptr::null_mut();
        let params = CUDA_MEMCPY3D {
            srcXInBytes: 0,
            srcY: 0,
            srcZ: 0,
            srcLOD: 0,
            srcMemoryType: kind(from_side),
            srcHost: host(from, from_side),
            srcDevice: device(from, from_side),
            srcArray: std::ptr::null_mut(),
            reserved0: none,
            srcPitch: 0,
            srcHeight: 0,
            dstXInBytes: 0,
            dstY: 0,
            dstZ: 0,
            dstLOD: 0,
            dstMemoryType: kind(to_side),
            dstHost: host(to, to_side),
            dstDevice: device(to, to_side),
            dstArray: std::ptr::null_mut(),
            reserved1: none,
            dstPitch: 0,
            dstHeight: 0,
            WidthInBytes: bytes,
            Height: 1,
            Depth: 1,
        };
        self.add("cuGraphAddMemcpyNode", of, |node| {
            // SAFETY: graph and nodes are there; both ranges are, as long as the graph is.
            unsafe {
                let (api, context, after) = (self.context.api, self.context.raw(), self.after);
                let at = after.as_ptr();
                let params = &raw const params;
                api.cuGraphAddMemcpyNode(node, self.graph, at, after.len(), params, context)
            }
        })
    }

    pub(super) fn fill(
        &self,
        to: u64,
        bytes: usize,
        of: Option<Culprit>,
    ) -> Result<CUgraphNode, DriverError> {
        let params = CUDA_MEMSET_NODE_PARAMS {
            dst: to,
            pitch: 0,
            value: 0,
            elementSize: 1,
            width: bytes,
            height: 1,
        };
        self.add("cuGraphAddMemsetNode", of, |node| {
            // SAFETY: as for a copy.
            unsafe {
                let (api, context, after) = (self.context.api, self.context.raw(), self.after);
                let at = after.as_ptr();
                let params = &raw const params;
                api.cuGraphAddMemsetNode(node, self.graph, at, after.len(), params, context)
            }
        })
    }

    pub(super) fn call(
        &self,
        data: *mut c_void,
        of: Option<Culprit>,
    ) -> Result<CUgraphNode, DriverError> {
        let params = CUDA_HOST_NODE_PARAMS {
            fn_: Some(call_back),
            userData: data,
        };
        self.add("cuGraphAddHostNode", of, |node| {
            // SAFETY: graph and nodes are there; the callback is, as long as the graph is.
            unsafe {
                let (api, after) = (self.context.api, self.after);
                let at = after.as_ptr();
                api.cuGraphAddHostNode(node, self.graph, at, after.len(), &raw const params)
            }
        })
    }

    pub(super) fn record(
        &self,
        event: CUevent,
        of: Option<Culprit>,
    ) -> Result<CUgraphNode, DriverError> {
        self.add("cuGraphAddEventRecordNode", of, |node| {
            // SAFETY: graph and nodes are there; the event is, as long as the graph is.
            unsafe {
                let (api, after) = (self.context.api, self.after);
                let at = after.as_ptr();
                api.cuGraphAddEventRecordNode(node, self.graph, at, after.len(), event)
            }
        })
    }

    fn add(
        &self,
        call: &'static str,
        of: Option<Culprit>,
        make: impl FnOnce(*mut CUgraphNode) -> u32,
    ) -> Result<CUgraphNode, DriverError> {
        let mut node = std::ptr::null_mut();
        match make(&raw mut node) {
            0 => Ok(node),
            code => Err(self.context.refused(call, code, of)),
        }
    }
}
