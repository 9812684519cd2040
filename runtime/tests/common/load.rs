//! Loads a hand-made graph on a driver and runs it.

use std::any::Any;
use std::sync::Arc;

use gpu_graph_runtime::driver::{
    Address, Driver, DriverError, EventId, Exec, MemoryId, Protection, RangeId, StreamId,
};
use gpu_graph_runtime::exec::{Executable, Storage, Tables};
use gpu_graph_runtime::table::Class;

use super::graph::Graph;

/// An arena: unmapped and given back when the last who may use it is gone.
#[derive(Debug)]
pub struct Arena {
    pub driver: Arc<dyn Driver>,
    pub range: RangeId,
    memory: MemoryId,
    bytes: u64,
}

impl Arena {
    pub fn new(driver: &Arc<dyn Driver>, bytes: u64) -> Self {
        let bytes = bytes.max(1).next_multiple_of(driver.info().granularity);
        let range = driver.reserve(bytes, 256).expect("addresses");
        let memory = driver.create_memory(bytes).expect("memory");
        driver.map(range, 0, memory).expect("a mapping");
        let to = Protection::ReadWrite;
        driver.set_access(range, 0, bytes, to).expect("access");
        Self {
            driver: Arc::clone(driver),
            range,
            memory,
            bytes,
        }
    }

    pub fn start(&self) -> *mut u8 {
        self.driver.address(self.range).expect("an address").0
    }
}

impl Drop for Arena {
    fn drop(&mut self) {
        let _ = self.driver.unmap(self.range, 0, self.bytes);
        let _ = self.driver.destroy_memory(self.memory);
        let _ = self.driver.unreserve(self.range);
    }
}

/// A graph on a driver.
#[derive(Debug)]
pub struct Loaded {
    pub driver: Arc<dyn Driver>,
    pub instances: Vec<Arc<Executable>>,
    pub exec: Box<dyn Exec>,
    pub graph: Graph,
    places: Vec<(RangeId, u64)>,
    stream: StreamId,
    event: EventId,
}

impl Loaded {
    pub fn new(driver: &Arc<dyn Driver>, graph: &Graph) -> Self {
        Self::with_keep(driver, graph, Arc::new(()))
    }

    /// `keep` is dropped with the arena.
    pub fn with_keep(
        driver: &Arc<dyn Driver>,
        graph: &Graph,
        keep: Arc<dyn Any + Send + Sync>,
    ) -> Self {
        let tables = Arc::new(Tables::resolve(graph.image(), &[]).expect("tables that fit"));
        let (mut instances, mut places) = (Vec::new(), Vec::new());
        for i in 0..graph.ring {
            let arena = Arena::new(driver, graph.arena);
            let start = arena.start();
            places.push((arena.range, arena.bytes));
            let keep = Arc::new((arena, Arc::clone(&keep)));
            let unified = driver.info().unified;
            // SAFETY: the arena is as long as the program says, mapped, zeroed and lives in `keep`;
            // the program is right by construction, or runs on the simulated driver, which runs one
            // task at a time on memory that stays.
            let one = unsafe {
                Executable::new(Arc::clone(&tables), i, Storage::arena(start), unified, keep)
            };
            instances.push(Arc::new(one));
        }
        // SAFETY: as above; these are all instances in order.
        let exec = unsafe { driver.instantiate(instances.clone()) }.expect("an executable");
        Self {
            driver: Arc::clone(driver),
            instances,
            exec,
            graph: graph.clone(),
            places,
            stream: driver.create_stream().expect("a stream"),
            event: driver.create_event().expect("an event"),
        }
    }

    /// Starts a run with inputs that are kept with it.
    pub fn start(
        &self,
        instance: u32,
        generation: u64,
        inputs: &[Vec<u64>],
        param: u64,
    ) -> Result<(), DriverError> {
        let one = &self.instances[instance as usize];
        for (resource, data) in self.graph.inputs().into_iter().zip(inputs) {
            // Never freed: a graph that is dropped in flight still reads it.
            let data: &'static [u64] = data.clone().leak();
            // SAFETY: callers have waited for the last run of this instance; the data stays.
            unsafe { one.set_input(resource, data.as_ptr().cast(), None) };
        }
        one.set_param(0, param);
        // SAFETY: the gates are `last`, which callers have waited for; inputs are set.
        unsafe { self.exec.start(instance, generation) }
    }

    /// Takes the arena of an instance away, whatever goes on.
    pub fn unmap_under(&self, instance: u32) {
        let (range, bytes) = self.places[instance as usize];
        self.driver.unmap(range, 0, bytes).expect("an unmap");
    }

    /// Waits until a run is over.
    pub fn finish(&self, instance: u32, generation: u64) -> Result<(), DriverError> {
        for &event in &self.graph.last {
            self.exec.wait(instance, generation, event)?;
            assert!(self.exec.query(instance, generation, event));
        }
        self.exec.failure(instance).map_or(Ok(()), Err)
    }

    /// Reads a resource through a copy on a stream.
    pub fn read(&self, instance: u32, resource: u32) -> Vec<u64> {
        let one = &self.instances[instance as usize];
        let mut out = vec![0u64; one.bytes(resource) / 8];
        let (to, from) = (
            Address(out.as_mut_ptr().cast()),
            Address(one.base(resource)),
        );
        let bytes = one.bytes(resource) as u64;
        // SAFETY: both are that long; the run is over, and `out` is read after the wait only.
        unsafe { self.driver.copy(self.stream, to, from, bytes) }.expect("a copy");
        self.driver
            .record(self.event, self.stream)
            .expect("a record");
        self.driver.synchronize(self.event).expect("the copy ends");
        out
    }

    /// Whether every output of a finished run is what the tasks give one after another.
    pub fn check(&self, instance: u32, inputs: &[Vec<u64>], param: u64) -> bool {
        let expected = self.graph.sequential(inputs, param);
        let outputs = self.graph.of(Class::Output);
        outputs
            .into_iter()
            .all(|r| self.read(instance, r) == expected[r as usize])
    }
}

impl Drop for Loaded {
    fn drop(&mut self) {
        let _ = self.driver.destroy_stream(self.stream);
        let _ = self.driver.destroy_event(self.event);
    }
}

/// Inputs of a graph, from a seed.
pub fn inputs(graph: &Graph, seed: u64) -> Vec<Vec<u64>> {
    let mut rng = super::Rng(seed);
    let all = graph.inputs();
    let lens = all.iter().map(|&r| graph.resources[r as usize].len);
    lens.map(|len| (0..len).map(|_| rng.next()).collect())
        .collect()
}
