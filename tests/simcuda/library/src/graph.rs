//! Graphs of explicit nodes.

use std::ffi::{c_uint, c_ulonglong};
use std::sync::Arc;

use cudarc::driver::sys::{CUgraph, CUgraphExec, CUgraphNode, CUstream};
use gpu_graph_runtime::driver::sim::{RawGraph, RawNode, RawWork};

use crate::act::Copy;
use crate::call::{calls, note};
use crate::status::{Answer, INVALID_HANDLE, INVALID_VALUE, of};
use crate::task::Spec;
use crate::world::{Table, World, handle, put};

#[derive(Clone, Debug)]
pub(crate) enum Kind {
    /// Work in a context.
    Work(Spec, usize),
    Record(usize),
    Wait(usize),
    Empty,
}

#[derive(Clone, Debug)]
pub(crate) struct Node {
    pub(crate) handle: usize,
    pub(crate) kind: Kind,
    /// Indices of nodes.
    pub(crate) after: Vec<usize>,
    /// The call that added it.
    pub(crate) number: u64,
}

#[derive(Debug, Default)]
pub(crate) struct Graph {
    pub(crate) nodes: Vec<Node>,
}

#[derive(Debug)]
struct Exec {
    graph: RawGraph,
    device: usize,
    copies: Vec<Arc<Copy>>,
}

#[derive(Debug, Default)]
pub(crate) struct Graphs {
    pub(crate) graphs: Table<Graph>,
    execs: Table<Exec>,
}

impl Graphs {
    pub(crate) fn counts(&self) -> (usize, usize) {
        (self.graphs.0.len(), self.execs.0.len())
    }
}

impl Graph {
    pub(crate) fn index(&self, node: CUgraphNode) -> Answer<usize> {
        let found = self.nodes.iter().position(|n| n.handle == node.addr());
        found.ok_or(INVALID_VALUE)
    }

    /// # Safety
    /// There are `count` handles, or none.
    pub(crate) unsafe fn indices(
        &self,
        from: *const CUgraphNode,
        count: usize,
    ) -> Answer<Vec<usize>> {
        if count == 0 {
            return Ok(Vec::new());
        }
        if from.is_null() {
            return Err(INVALID_VALUE);
        }
        // SAFETY: the caller's.
        let all = unsafe { std::slice::from_raw_parts(from, count) };
        let mut found = all
            .iter()
            .map(|&n| self.index(n))
            .collect::<Answer<Vec<_>>>()?;
        let given = found.len();
        found.sort_unstable();
        found.dedup();
        (found.len() == given).then_some(found).ok_or(INVALID_VALUE)
    }
}

fn instantiate(graph: CUgraph) -> Answer<usize> {
    World::ask(|world| {
        let from = world.graphs.graphs.get(graph).map_err(|_| INVALID_VALUE)?;
        let (mut nodes, mut copies) = (Vec::new(), Vec::new());
        let mut device = None;
        for node in &from.nodes {
            let event = |event: &usize| {
                let found = world.events.0.get(event);
                found.map(|e| e.id).ok_or(INVALID_HANDLE)
            };
            let work = match &node.kind {
                Kind::Work(spec, context) => {
                    device.get_or_insert(world.context(*context)?.device);
                    let task = world.task(spec, *context, node.number)?;
                    copies.extend(task.copy);
                    RawWork::Task(Arc::new(task.raw))
                }
                Kind::Record(e) => RawWork::Record(event(e)?),
                Kind::Wait(e) => RawWork::Wait(event(e)?),
                Kind::Empty => RawWork::Nothing,
            };
            let after = node.after.clone();
            nodes.push(RawNode { work, after });
        }
        let device = match device {
            Some(device) => device,
            None => world.current()?.1.device,
        };
        let graph = world.devices[device].instantiate_raw(&nodes).map_err(of)?;
        let exec = Exec {
            graph,
            device,
            copies,
        };
        Ok(world.graphs.execs.insert(exec))
    })
}

calls! {
    /// Without nodes.
    fn cuGraphCreate(graph: *mut CUgraph, flags: c_uint) {
        if flags != 0 {
            return Err(INVALID_VALUE);
        }
        put(graph, handle(World::with(|world| world.graphs.graphs.insert(Graph::default()))))
    }

    /// What was instantiated from it stays.
    fn cuGraphDestroy(graph: CUgraph) {
        World::ask(|world| world.graphs.graphs.remove(graph).map(|_| ()).map_err(|_| INVALID_VALUE))
    }

    /// A copy of the graph as it is: what is added later is not in it.
    fn cuGraphInstantiateWithFlags(exec: *mut CUgraphExec, graph: CUgraph, _flags: c_ulonglong) {
        put(exec, handle(instantiate(graph)?))
    }

    /// Behind all that the stream has, and behind the launch before of the same executable.
    fn cuGraphLaunch(exec: CUgraphExec, stream: CUstream) {
        World::ask(|world| {
            let queue = world.queue(stream)?;
            let exec = world.graphs.execs.get(exec).map_err(|_| INVALID_VALUE)?;
            if exec.device != queue.device {
                return Err(INVALID_HANDLE);
            }
            for copy in &exec.copies {
                copy.issue();
            }
            let busy = world.issue(&queue, |driver, id| driver.launch_raw(id, &exec.graph))?;
            if busy {
                note("serialized");
            }
            Ok(())
        })
    }

    /// There is nothing to upload.
    fn cuGraphUpload(exec: CUgraphExec, stream: CUstream) {
        World::ask(|world| {
            world.queue(stream)?;
            world.graphs.execs.get(exec).map(|_| ()).map_err(|_| INVALID_VALUE)
        })
    }

    /// A launch that has not ended goes on to its end.
    fn cuGraphExecDestroy(exec: CUgraphExec) {
        World::ask(|world| world.graphs.execs.remove(exec).map(|_| ()).map_err(|_| INVALID_VALUE))
    }
}
