//! Collectives on the host: the ranks of a group meet at a task, read each other's operands, and
//! part.
//!
//! Each rank is one loaded graph, run by a thread of its own. All ranks run one program, so their
//! tasks meet in one partial order and none waits for ever unless a rank stops running. A rank that
//! fails or goes ends the group: whoever waits for it, then or later, is told.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::Image;

/// Why a group or a rank of it is not to be had.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GroupError {
    /// The group has fewer ranks.
    #[error("there is no rank {rank} in a group of {size}")]
    NoRank {
        /// Asked for.
        rank: usize,
        /// Ranks of the group.
        size: usize,
    },
    /// The rank was given away before.
    #[error("rank {rank} of the group is taken")]
    Taken {
        /// Asked for.
        rank: usize,
    },
    /// Another rank loaded another graph, or the same one at other dims.
    #[error("rank {rank} of the group runs another graph, or the same at other dims")]
    OtherGraph {
        /// A rank that was loaded before.
        rank: usize,
    },
    /// A run of that rank failed.
    #[error("rank {rank} of the group failed")]
    Failed {
        /// The first that did.
        rank: usize,
    },
    /// The graph of that rank is gone, or the rank was never loaded and is gone.
    #[error("rank {rank} of the group is gone")]
    Gone {
        /// The first that went.
        rank: usize,
    },
}

/// Graphs whose collectives meet, each loaded with one rank and run by a thread of its own.
///
/// ```
/// use gpu_graph_runtime::exec::{Group, GroupError};
/// let group = Group::new(2);
/// let first = group.rank(0).unwrap();
/// assert_eq!(group.rank(0).unwrap_err(), GroupError::Taken { rank: 0 });
/// assert_eq!(group.rank(2).unwrap_err(), GroupError::NoRank { rank: 2, size: 2 });
/// drop(first);
/// assert_eq!(group.ended(), Some(GroupError::Gone { rank: 0 }));
/// ```
#[derive(Clone, Debug)]
pub struct Group {
    shared: Arc<Shared>,
}

/// One place in a [`Group`], for the graph that is loaded with it. When it goes, with that graph,
/// the group ends.
#[derive(Debug)]
pub struct Rank {
    shared: Arc<Shared>,
    index: usize,
}

struct Shared {
    size: usize,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    taken: Vec<bool>,
    /// Address of the source that all ranks run, their dims, and the rank that came first.
    runs: Option<(usize, Vec<u64>, usize)>,
    /// Why no further meeting takes place.
    ended: Option<GroupError>,
    /// By task.
    meetings: BTreeMap<u32, Meeting>,
}

/// Ranks at one task.
#[derive(Default)]
struct Meeting {
    /// Meetings at this task that are over.
    round: u64,
    arrived: usize,
    parted: usize,
    /// By rank.
    operands: Vec<Vec<Operand>>,
}

/// What a rank reads at a task: address, elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operand {
    pub(super) at: *const u8,
    pub(super) len: usize,
}

// SAFETY: an address; whoever reads there carries the argument.
unsafe impl Send for Operand {}

impl Group {
    /// A group of `size` ranks.
    pub fn new(size: usize) -> Self {
        let state = State {
            taken: vec![false; size],
            ..State::default()
        };
        Self {
            shared: Arc::new(Shared {
                size,
                state: Mutex::new(state),
                changed: Condvar::new(),
            }),
        }
    }

    /// Rank number `rank`, once.
    ///
    /// # Errors
    /// [`GroupError::NoRank`], [`GroupError::Taken`].
    pub fn rank(&self, rank: usize) -> Result<Rank, GroupError> {
        let mut state = self.shared.state();
        let size = self.shared.size;
        match state.taken.get_mut(rank) {
            None => Err(GroupError::NoRank { rank, size }),
            Some(taken) if *taken => Err(GroupError::Taken { rank }),
            Some(taken) => {
                *taken = true;
                Ok(Rank {
                    shared: Arc::clone(&self.shared),
                    index: rank,
                })
            }
        }
    }

    /// Number of ranks.
    pub fn size(&self) -> usize {
        self.shared.size
    }

    /// Why no collective of the group completes any more, if that is so.
    pub fn ended(&self) -> Option<GroupError> {
        self.shared.state().ended
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, State>) -> MutexGuard<'s, State> {
        self.changed
            .wait(state)
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, why: GroupError) {
        self.state().ended.get_or_insert(why);
        self.changed.notify_all();
    }
}

impl Rank {
    /// Its number, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Number of ranks of its group.
    pub fn size(&self) -> usize {
        self.shared.size
    }

    /// This rank runs `image` at `dims`, as all of its group do.
    ///
    /// # Errors
    /// [`GroupError::OtherGraph`].
    pub(crate) fn runs(&self, image: &Image, dims: &[u64]) -> Result<(), GroupError> {
        let source = std::ptr::from_ref(image.source).addr();
        let mut state = self.shared.state();
        match &state.runs {
            Some((other, at, rank)) if (*other, at.as_slice()) != (source, dims) => {
                Err(GroupError::OtherGraph { rank: *rank })
            }
            Some(_) => Ok(()),
            None => {
                state.runs = Some((source, dims.to_vec(), self.index));
                Ok(())
            }
        }
    }

    /// A run of this rank failed.
    pub(super) fn fail(&self) {
        self.shared.end(GroupError::Failed { rank: self.index });
    }

    /// Meets all other ranks at `task` with what this one reads there.
    pub(super) fn meet(&self, task: u32, mine: Vec<Operand>) -> Result<Met<'_>, GroupError> {
        let size = self.shared.size;
        let mut state = self.shared.state();
        if let Some(why) = state.ended {
            return Err(why);
        }
        let meeting = state.meetings.entry(task).or_default();
        meeting.operands.resize(size, Vec::new());
        meeting.operands[self.index] = mine;
        meeting.arrived += 1;
        let round = meeting.round;
        if meeting.arrived == size {
            self.shared.changed.notify_all();
        }
        loop {
            let meeting = state.meetings.entry(task).or_default();
            if meeting.arrived == size {
                let operands = meeting.operands.clone();
                return Ok(Met {
                    rank: self,
                    task,
                    round,
                    operands,
                });
            }
            // Whoever came so far reads nothing: not all came.
            if let Some(why) = state.ended {
                return Err(why);
            }
            state = self.shared.wait(state);
        }
    }
}

impl Drop for Rank {
    fn drop(&mut self) {
        self.shared.end(GroupError::Gone { rank: self.index });
    }
}

/// All ranks are at one task, and none leaves it before this is dropped everywhere.
pub(super) struct Met<'a> {
    rank: &'a Rank,
    task: u32,
    round: u64,
    operands: Vec<Vec<Operand>>,
}

impl Met<'_> {
    /// What each rank reads as its operand of that position.
    pub(super) fn operands(&self, position: usize) -> impl Iterator<Item = Operand> + '_ {
        self.operands
            .iter()
            .filter_map(move |rank| rank.get(position).copied())
    }
}

impl Drop for Met<'_> {
    /// Waits until every rank has read what it wants to, also while this one unwinds.
    fn drop(&mut self) {
        let shared = &self.rank.shared;
        let mut state = shared.state();
        let meeting = state.meetings.entry(self.task).or_default();
        meeting.parted += 1;
        if meeting.parted == shared.size {
            *meeting = Meeting {
                round: self.round + 1,
                ..Meeting::default()
            };
            shared.changed.notify_all();
            return;
        }
        while state.meetings.get(&self.task).map(|m| m.round) == Some(self.round) {
            state = shared.wait(state);
        }
    }
}

impl fmt::Debug for Shared {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shared")
            .field("size", &self.size)
            .finish_non_exhaustive()
    }
}
