//! Nodes of graphs.

use std::ffi::c_void;

use cudarc::driver::sys::{
    CUDA_HOST_NODE_PARAMS, CUDA_KERNEL_NODE_PARAMS, CUDA_MEMCPY3D, CUDA_MEMSET_NODE_PARAMS,
    CUcontext, CUevent, CUgraph, CUgraphEdgeData, CUgraphNode, CUmemorytype,
};

use crate::act::Geometry;
use crate::call::{calls, note, number, take_failure};
use crate::graph::{Kind, Node};
use crate::launch::arguments;
use crate::status::{Answer, INVALID_HANDLE, INVALID_VALUE, NOT_SUPPORTED};
use crate::task::Spec;
use crate::world::{Opaque, World, handle, put};

/// The name of a fault in place of a failure: an edge that is lost, of the nodes that have one.
const EDGE: &str = "edge";

/// Adds a node.
///
/// # Safety
/// As the driver API says of the calls that add nodes.
unsafe fn add(
    node: *mut CUgraphNode,
    graph: CUgraph,
    (after, count): (*const CUgraphNode, usize),
    kind: impl FnOnce(&World) -> Answer<Kind>,
) -> Answer {
    if node.is_null() {
        return Err(INVALID_VALUE);
    }
    let number = number();
    let made = World::ask(|world| {
        let to = world.graphs.graphs.get(graph).map_err(|_| INVALID_VALUE)?;
        // SAFETY: the caller's.
        let mut after = unsafe { to.indices(after, count) }?;
        if !after.is_empty() && take_failure(EDGE).is_some() {
            after.pop();
        }
        let kind = kind(world)?;
        let handle = crate::world::fresh();
        let node = Node {
            handle,
            kind,
            after,
            number,
        };
        world.graphs.graphs.get_mut(graph)?.nodes.push(node);
        Ok(handle)
    })?;
    // SAFETY: the caller's.
    unsafe { put(node, handle(made)) }
}

/// One side of a copy: an address, and what lies before the range in it.
fn side(kind: CUmemorytype, host: *const c_void, device: u64, x: usize) -> Answer<u64> {
    let at = match kind {
        CUmemorytype::CU_MEMORYTYPE_HOST => host.expose_provenance() as u64,
        CUmemorytype::CU_MEMORYTYPE_DEVICE | CUmemorytype::CU_MEMORYTYPE_UNIFIED => device,
        CUmemorytype::CU_MEMORYTYPE_ARRAY => return Err(NOT_SUPPORTED),
    };
    Ok(at + x as u64)
}

calls! {
    /// Arguments are read now.
    fn cuGraphAddKernelNode_v2(
        node: *mut CUgraphNode,
        graph: CUgraph,
        after: *const CUgraphNode,
        count: usize,
        params: *const CUDA_KERNEL_NODE_PARAMS,
    ) {
        let params = params.as_ref().ok_or(INVALID_VALUE)?;
        add(node, graph, (after, count), |world| {
            let function = world.modules.functions.get(params.func)?;
            note(function.name);
            let geometry = Geometry {
                grid: [params.gridDimX, params.gridDimY, params.gridDimZ],
                block: [params.blockDimX, params.blockDimY, params.blockDimZ],
                shared: params.sharedMemBytes,
            };
            geometry.check()?;
            let context = match params.ctx.is_null() {
                true => function.context,
                false => world.context_or_current(params.ctx)?,
            };
            if context != function.context {
                return Err(INVALID_HANDLE);
            }
            let spec = Spec::Kernel {
                kernel: function.kernel.clone(),
                name: function.name,
                geometry,
                args: arguments(&function.kernel, params.kernelParams, params.extra)?,
                code: function.code,
            };
            Ok(Kind::Work(spec, context))
        })
    }

    /// One row of bytes.
    fn cuGraphAddMemcpyNode(
        node: *mut CUgraphNode,
        graph: CUgraph,
        after: *const CUgraphNode,
        count: usize,
        params: *const CUDA_MEMCPY3D,
        context: CUcontext,
    ) {
        let p = params.as_ref().ok_or(INVALID_VALUE)?;
        if p.Height != 1 || p.Depth != 1 || p.WidthInBytes == 0 {
            return Err(if p.Height > 1 || p.Depth > 1 { NOT_SUPPORTED } else { INVALID_VALUE });
        }
        if p.srcY != 0 || p.srcZ != 0 || p.dstY != 0 || p.dstZ != 0 {
            return Err(NOT_SUPPORTED);
        }
        let from = side(p.srcMemoryType, p.srcHost, p.srcDevice, p.srcXInBytes)?;
        let to = side(p.dstMemoryType, p.dstHost, p.dstDevice, p.dstXInBytes)?;
        add(node, graph, (after, count), |world| {
            let context = world.context_or_current(context)?;
            let device = world.context(context)?.device;
            let spec = Spec::Copy {
                name: "cuGraphAddMemcpyNode",
                to,
                from,
                bytes: p.WidthInBytes,
                via: (device, device),
            };
            if world.is_pageable(to) || world.is_pageable(from) {
                note("pageable");
            }
            Ok(Kind::Work(spec, context))
        })
    }

    /// One row of elements.
    fn cuGraphAddMemsetNode(
        node: *mut CUgraphNode,
        graph: CUgraph,
        after: *const CUgraphNode,
        count: usize,
        params: *const CUDA_MEMSET_NODE_PARAMS,
        context: CUcontext,
    ) {
        let p = params.as_ref().ok_or(INVALID_VALUE)?;
        if p.height != 1 || p.width == 0 || ![1, 2, 4].contains(&p.elementSize) {
            return Err(if p.height > 1 { NOT_SUPPORTED } else { INVALID_VALUE });
        }
        add(node, graph, (after, count), |world| {
            let context = world.context_or_current(context)?;
            let spec = Spec::Set {
                name: "cuGraphAddMemsetNode",
                to: p.dst,
                value: p.value,
                size: p.elementSize as usize,
                count: p.width,
            };
            Ok(Kind::Work(spec, context))
        })
    }

    /// Must not call the driver.
    fn cuGraphAddHostNode(
        node: *mut CUgraphNode,
        graph: CUgraph,
        after: *const CUgraphNode,
        count: usize,
        params: *const CUDA_HOST_NODE_PARAMS,
    ) {
        let p = params.as_ref().ok_or(INVALID_VALUE)?;
        let function = p.fn_.ok_or(INVALID_VALUE)?;
        add(node, graph, (after, count), |world| {
            let spec = Spec::Callback {
                name: "cuGraphAddHostNode",
                function,
                data: Opaque(p.userData),
            };
            Ok(Kind::Work(spec, world.current()?.0))
        })
    }

    /// Joins what it comes after.
    fn cuGraphAddEmptyNode(
        node: *mut CUgraphNode,
        graph: CUgraph,
        after: *const CUgraphNode,
        count: usize,
    ) {
        add(node, graph, (after, count), |_| Ok(Kind::Empty))
    }

    /// Records an event.
    fn cuGraphAddEventRecordNode(
        node: *mut CUgraphNode,
        graph: CUgraph,
        after: *const CUgraphNode,
        count: usize,
        event: CUevent,
    ) {
        add(node, graph, (after, count), |world| {
            world.events.get(event).map(|_| Kind::Record(event.addr()))
        })
    }

    /// Waits for an event as it was last recorded before the launch.
    fn cuGraphAddEventWaitNode(
        node: *mut CUgraphNode,
        graph: CUgraph,
        after: *const CUgraphNode,
        count: usize,
        event: CUevent,
    ) {
        add(node, graph, (after, count), |world| {
            world.events.get(event).map(|_| Kind::Wait(event.addr()))
        })
    }

    /// Of nodes that are there.
    fn cuGraphAddDependencies_v2(
        graph: CUgraph,
        from: *const CUgraphNode,
        to: *const CUgraphNode,
        data: *const CUgraphEdgeData,
        count: usize,
    ) {
        if !data.is_null() {
            return Err(NOT_SUPPORTED);
        }
        if count > 0 && (from.is_null() || to.is_null()) {
            return Err(INVALID_VALUE);
        }
        World::ask(|world| {
            let graph = world.graphs.graphs.get_mut(graph).map_err(|_| INVALID_VALUE)?;
            for i in 0..count {
                let (from, to) = (graph.index(*from.add(i))?, graph.index(*to.add(i))?);
                if graph.nodes[to].after.contains(&from) {
                    return Err(INVALID_VALUE);
                }
                graph.nodes[to].after.push(from);
            }
            Ok(())
        })
    }
}
