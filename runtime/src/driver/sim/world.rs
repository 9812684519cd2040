//! Lanes with queued work, and the one step at a time that runs it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use super::super::os::Reservation;
use super::super::pool::{Complete, Pool};
use super::super::spaces::Spaces;
use super::super::{Address, DriverError, Protection};
use super::clock::Clock;
use super::reach::Reach;
use super::report::{Report, Site, What};
use super::shadow::{Access, Fate, Mark, Owner, Shadow};
use super::step::{Done, Step, Work, accesses};
use crate::exec::Executable;
use crate::rng::Rng;
use crate::table::{Form, Mode};

#[derive(Debug)]
struct Item {
    work: Work,
    /// What the host knew when it issued this.
    issued: Clock,
}

#[derive(Debug)]
struct Lane {
    device: usize,
    clock: Clock,
    queue: VecDeque<Item>,
    failed: Option<DriverError>,
}

/// Everything that a simulated driver and its peers share.
#[derive(Debug)]
pub(super) struct World {
    random: Rng,
    next: u64,
    /// Lane 0 is the host.
    lanes: Vec<Lane>,
    pub(super) streams: BTreeMap<u64, usize>,
    pub(super) events: BTreeMap<u64, Option<Arc<Done>>>,
    pub(super) shadow: Shadow,
    pub(super) spaces: Spaces,
    /// Size of each memory, and whether it has never been mapped.
    pub(super) memories: BTreeMap<u64, (u64, bool)>,
    /// One of each device, and then those that were made.
    pub(super) pools: Vec<Pool<Reservation, Arc<Done>>>,
    /// Memory of the host that streams reach, and its bytes.
    pub(super) pins: BTreeMap<u64, (Reservation, usize)>,
    /// By pool: who may touch what is allocated there.
    pub(super) reaches: Vec<Reach>,
    /// Steps so far.
    taken: u64,
    /// Addresses given back. Nothing else gets them, so a late use is seen for what it is.
    pub(super) limbo: Vec<Reservation>,
}

impl World {
    pub(super) fn new(seed: u64, devices: usize) -> Self {
        let host = Lane {
            device: 0,
            clock: Clock::default(),
            queue: VecDeque::new(),
            failed: None,
        };
        Self {
            random: Rng(seed),
            next: 1,
            lanes: vec![host],
            streams: BTreeMap::new(),
            events: BTreeMap::new(),
            shadow: Shadow::default(),
            spaces: Spaces::default(),
            memories: BTreeMap::new(),
            pools: (0..devices).map(|_| Pool::default()).collect(),
            pins: BTreeMap::new(),
            reaches: vec![Reach::all(Protection::ReadWrite); devices],
            taken: 0,
            limbo: Vec::new(),
        }
    }

    /// An id that was never given before.
    pub(super) fn id(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// A random number below `n`.
    pub(super) fn below(&mut self, n: usize) -> usize {
        self.random.below(n)
    }

    pub(super) fn lane(&mut self, device: usize) -> usize {
        self.lanes.push(Lane {
            device,
            clock: Clock::default(),
            queue: VecDeque::new(),
            failed: None,
        });
        self.lanes.len() - 1
    }

    pub(super) fn device(&self, lane: usize) -> usize {
        self.lanes[lane].device
    }

    /// Queues work. It starts after all that the host knows now, and after `evidence`.
    pub(super) fn issue(&mut self, lane: usize, work: Work, evidence: &[Arc<Done>]) {
        let mut issued = self.lanes[0].clock.clone();
        for clock in evidence.iter().filter_map(|done| done.at.get()) {
            issued.join(clock);
        }
        self.lanes[lane].queue.push_back(Item { work, issued });
    }

    /// The host has seen `done`, which has happened.
    pub(super) fn seen(&mut self, done: &Done) {
        if let Some(clock) = done.at.get() {
            self.lanes[0].clock.join(clock);
        }
    }

    /// Whether a lane has nothing left; the host has then seen all of it.
    pub(super) fn see_idle(&mut self, lane: usize) -> bool {
        let idle = self.lanes[lane].queue.is_empty();
        if idle {
            let clock = self.lanes[lane].clock.clone();
            self.lanes[0].clock.join(&clock);
        }
        idle
    }

    /// The host touches bytes.
    pub(super) fn host(&mut self, device: usize, start: usize, bytes: usize, mode: Mode) {
        let (clock, mark) = self.host_step(device, What::Host);
        let access = Access::plain(start, bytes, mode);
        self.shadow.step(&clock, &mark, &[access], false);
    }

    /// Whether all that `done` stands for is known to the host.
    pub(super) fn has_seen(&self, done: &Done) -> bool {
        let known = |clock: &Clock| clock.is_within(&self.lanes[0].clock);
        done.at.get().is_some_and(known)
    }

    /// The host reads an output of a run.
    pub(super) fn read_output(
        &mut self,
        device: usize,
        exec: &Arc<Executable>,
        resource: u32,
        run: u64,
    ) {
        let (clock, mark) = self.host_step(device, What::Host);
        let access = Access {
            start: exec.base(resource).addr(),
            bytes: exec.bytes(resource),
            mode: Mode::Read,
            owner: Some(Owner {
                exec: Arc::as_ptr(exec).addr(),
                resource,
                run,
            }),
            via: None,
            strict: false,
        };
        self.shadow.step(&clock, &mark, &[access], false);
    }

    /// The host gives or takes bytes.
    pub(super) fn hand(&mut self, device: usize, what: What, at: (usize, usize), fate: Fate) {
        let (clock, mark) = self.host_step(device, what);
        self.shadow.transfer(&clock, &mark, at, fate, true);
    }

    fn host_step(&mut self, device: usize, what: What) -> (Clock, Mark) {
        let step = self.lanes[0].clock.tick(0);
        let site = Site {
            device,
            lane: 0,
            step,
            what,
        };
        (self.lanes[0].clock.clone(), Mark::by(site))
    }

    /// Takes a random step that can be taken. What it answers is still to be run, outside the lock.
    pub(super) fn pick(&mut self) -> Option<Step> {
        let ready = |lane: &Lane| match lane.queue.front().map(|item| &item.work) {
            None => false,
            Some(Work::Wait(done)) => done.is_complete(),
            Some(_) => true,
        };
        let ready: Vec<usize> = (1..self.lanes.len())
            .filter(|&l| ready(&self.lanes[l]))
            .collect();
        if ready.is_empty() {
            return None;
        }
        let index = ready[self.below(ready.len())];
        self.taken += 1;
        let lane = &mut self.lanes[index];
        let Item { work, issued } = lane.queue.pop_front()?;
        lane.clock.join(&issued);
        let step = lane.clock.tick(index);
        let site = |what| Site {
            device: lane.device,
            lane: index,
            step,
            what,
        };
        let (mut runs, mut told) = (false, None);
        match &work {
            Work::Record(done) => {
                if let Some(error) = &lane.failed {
                    let _ = done.error.set(error.clone());
                }
                let _ = done.moment.set(self.taken);
                let _ = done.at.set(lane.clock.clone());
            }
            Work::Wait(done) => {
                if let Some(clock) = done.at.get() {
                    lane.clock.join(clock);
                }
                lane.failed = lane.failed.take().or(done.error.get().cloned());
            }
            Work::Launch {
                exec,
                task,
                form,
                run,
            } => {
                let failed = run
                    .as_ref()
                    .map_or(lane.failed.is_some(), |r| r.failed.get().is_some());
                if !failed {
                    let generation = run.as_ref().map_or(0, |r| r.generation);
                    let what = What::Task {
                        graph: exec.image().source.name,
                        task: *task,
                        run: generation,
                    };
                    let mark = Mark {
                        site: site(what),
                        exec: Some(Arc::downgrade(exec)),
                    };
                    let all = accesses(exec, *task, generation);
                    let in_place = *form == Form::InPlace;
                    runs = self.shadow.step(&lane.clock, &mark, &all, in_place);
                }
            }
            Work::Raw(task) => {
                let (name, number) = (task.name, task.number);
                let mark = Mark::by(site(What::Call { name, number }));
                let all: Vec<Access> = task.accesses.iter().map(|a| a.judged()).collect();
                runs = self.shadow.step(&lane.clock, &mark, &all, task.in_place);
                // Where it runs on the host, the host knows what it comes after.
                told = task.tells_host.then(|| lane.clock.clone());
            }
            _ if lane.failed.is_some() => {}
            Work::Copy { to, from, bytes } => {
                let access = |at: &Address, mode| Access::plain(at.0.addr(), *bytes, mode);
                let both = [access(from, Mode::Read), access(to, Mode::Overwrite)];
                runs = self
                    .shadow
                    .step(&lane.clock, &Mark::by(site(What::Copy)), &both, false);
            }
            Work::Fill { to, bytes, .. } => {
                let access = Access::plain(to.0.addr(), *bytes, Mode::Overwrite);
                runs = self
                    .shadow
                    .step(&lane.clock, &Mark::by(site(What::Fill)), &[access], false);
            }
            Work::Allocate { .. } | Work::Free { .. } => {}
        }
        // The pool's own book-keeping does not stop where a stream has failed.
        match &work {
            Work::Allocate { at, bytes, pool } => {
                let fate = Fate {
                    reach: self.reaches[*pool],
                    written: false,
                };
                let mark = Mark::by(site(What::Allocate));
                self.shadow
                    .transfer(&lane.clock, &mark, (at.0.addr(), *bytes), fate, false);
                runs = true;
            }
            Work::Free { at, bytes, done } => {
                let mark = Mark::by(site(What::Free));
                self.shadow
                    .transfer(&lane.clock, &mark, (at.0.addr(), *bytes), Fate::GONE, false);
                let _ = done.at.set(lane.clock.clone());
                runs = true;
            }
            _ => {}
        }
        if let Some(clock) = told {
            self.lanes[0].clock.join(&clock);
        }
        Some(Step {
            lane: index,
            work,
            runs,
        })
    }

    /// Whether any lane has work left that cannot start; reports it.
    pub(super) fn stuck(&mut self) -> bool {
        let mut any = false;
        for index in 1..self.lanes.len() {
            let lane = &self.lanes[index];
            if lane.queue.is_empty() {
                continue;
            }
            any = true;
            let site = Site {
                device: lane.device,
                lane: index,
                step: lane.clock.get(index) + 1,
                what: What::Wait,
            };
            self.shadow.report(Report::Stuck { site });
        }
        any
    }

    pub(super) fn fail(&mut self, lane: usize, error: DriverError) {
        self.lanes[lane].failed.get_or_insert(error);
    }
}
