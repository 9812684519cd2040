//! Reserved ranges and the memory mapped into them.

use std::collections::BTreeMap;

use super::os::{File, GRANULARITY, Parked, Reservation};
use super::{DriverError, Protection, invalid};

/// Where the content of a memory is.
#[derive(Debug)]
enum Backing {
    /// Nowhere: zeros that have never been mapped.
    Fresh,
    /// In the one mapping that fills its range.
    Private,
    /// Aside, after that mapping ended.
    Parked(Parked),
    /// In a file, which any number of mappings share.
    Shared(File),
}

#[derive(Debug)]
struct Memory {
    bytes: u64,
    backing: Backing,
    /// Mappings at present.
    mapped: u32,
    /// The handle has been given back: goes with the last mapping.
    destroyed: bool,
}

#[derive(Debug)]
struct Piece {
    bytes: u64,
    memory: u64,
}

#[derive(Debug)]
struct Range {
    place: Reservation,
    bytes: u64,
    /// By offset; apart.
    pieces: BTreeMap<u64, Piece>,
}

/// All ranges and memories of a device, by id.
#[derive(Debug, Default)]
pub(super) struct Spaces {
    ranges: BTreeMap<u64, Range>,
    memories: BTreeMap<u64, Memory>,
}

/// Rounds up to whole units of mapping.
pub(super) fn round(call: &'static str, bytes: u64) -> Result<usize, DriverError> {
    if bytes == 0 {
        return Err(invalid(call, "a size of 0"));
    }
    bytes
        .checked_next_multiple_of(GRANULARITY)
        .and_then(|b| usize::try_from(b).ok())
        .filter(|&b| b <= isize::MAX as usize)
        .ok_or(DriverError::OutOfMemory {
            call,
            requested: bytes,
        })
}

fn whole(call: &'static str, offset: u64, bytes: u64) -> Result<u64, DriverError> {
    if bytes == 0 || !bytes.is_multiple_of(GRANULARITY) || !offset.is_multiple_of(GRANULARITY) {
        return Err(invalid(call, "a part that is not of whole units"));
    }
    offset.checked_add(bytes).ok_or(invalid(call, "the part"))
}

impl Spaces {
    pub(super) fn reserve(&mut self, id: u64, bytes: u64, align: u64) -> Result<(), DriverError> {
        const CALL: &str = "reserve";
        if !align.is_power_of_two() {
            return Err(invalid(CALL, "an alignment that is no power of two"));
        }
        let full = DriverError::OutOfMemory {
            call: CALL,
            requested: bytes,
        };
        let align = usize::try_from(align).map_err(|_| full)?;
        let rounded = round(CALL, bytes)?;
        let range = Range {
            place: Reservation::new(rounded, align)?,
            bytes: rounded as u64,
            pieces: BTreeMap::new(),
        };
        self.ranges.insert(id, range);
        Ok(())
    }

    /// Takes the range out; its addresses are given back when the answer is dropped.
    pub(super) fn unreserve(&mut self, id: u64) -> Result<Reservation, DriverError> {
        const CALL: &str = "unreserve";
        let range = self.ranges.get(&id).ok_or(invalid(CALL, "the range"))?;
        if !range.pieces.is_empty() {
            return Err(invalid(CALL, "a range with memory mapped"));
        }
        let range = self.ranges.remove(&id);
        range.map(|r| r.place).ok_or(invalid(CALL, "the range"))
    }

    pub(super) fn create(&mut self, id: u64, bytes: u64) -> Result<(), DriverError> {
        const CALL: &str = "create_memory";
        whole(CALL, 0, bytes)?;
        round(CALL, bytes)?;
        let memory = Memory {
            bytes,
            backing: Backing::Fresh,
            mapped: 0,
            destroyed: false,
        };
        self.memories.insert(id, memory);
        Ok(())
    }

    pub(super) fn destroy(&mut self, id: u64) -> Result<(), DriverError> {
        let memory = self.memories.get_mut(&id).filter(|m| !m.destroyed);
        let memory = memory.ok_or(invalid("destroy_memory", "the memory"))?;
        memory.destroyed = true;
        if memory.mapped == 0 {
            self.memories.remove(&id);
        }
        Ok(())
    }

    pub(super) fn map(&mut self, range: u64, offset: u64, id: u64) -> Result<(), DriverError> {
        const CALL: &str = "map";
        let range = self
            .ranges
            .get_mut(&range)
            .ok_or(invalid(CALL, "the range"))?;
        let memory = self.memories.get_mut(&id).filter(|m| !m.destroyed);
        let memory = memory.ok_or(invalid(CALL, "the memory"))?;
        let end = whole(CALL, offset, memory.bytes)?;
        if end > range.bytes {
            return Err(invalid(CALL, "a part outside the range"));
        }
        let before = range.pieces.range(..end).next_back();
        if before.is_some_and(|(&at, piece)| at + piece.bytes > offset) {
            return Err(invalid(CALL, "a part with memory mapped"));
        }
        // Both fit `usize`: `create` and `reserve` saw to it.
        let (at, bytes) = (offset as usize, memory.bytes as usize);
        let fills = bytes as u64 == range.bytes;
        memory.backing = match std::mem::replace(&mut memory.backing, Backing::Private) {
            // What fills its range needs no file: the reserved pages themselves are its zeros.
            Backing::Fresh if fills => Backing::Private,
            Backing::Fresh => {
                let file = File::new(bytes).inspect_err(|_| memory.backing = Backing::Fresh)?;
                if let Err(error) = range.place.map_file(at, bytes, &file) {
                    memory.backing = Backing::Fresh;
                    return Err(error);
                }
                Backing::Shared(file)
            }
            Backing::Private => return Err(DriverError::Unsupported { call: CALL }),
            Backing::Parked(parked) => match range.place.unpark(at, parked) {
                Ok(()) => Backing::Private,
                Err((parked, error)) => {
                    memory.backing = Backing::Parked(parked);
                    return Err(error);
                }
            },
            Backing::Shared(file) => {
                let mapped = range.place.map_file(at, bytes, &file);
                memory.backing = Backing::Shared(file);
                mapped?;
                memory.mapped += 1;
                range.pieces.insert(
                    offset,
                    Piece {
                        bytes: memory.bytes,
                        memory: id,
                    },
                );
                return Ok(());
            }
        };
        memory.mapped += 1;
        range.pieces.insert(
            offset,
            Piece {
                bytes: memory.bytes,
                memory: id,
            },
        );
        Ok(())
    }

    pub(super) fn set_access(
        &self,
        range: u64,
        offset: u64,
        bytes: u64,
        to: Protection,
    ) -> Result<(), DriverError> {
        const CALL: &str = "set_access";
        let range = self.ranges.get(&range).ok_or(invalid(CALL, "the range"))?;
        let end = whole(CALL, offset, bytes)?;
        let mut covered = offset;
        for (&at, piece) in range.pieces.range(..end) {
            if at <= covered {
                covered = covered.max(at + piece.bytes);
            }
        }
        if covered < end {
            return Err(invalid(CALL, "a part without memory"));
        }
        range.place.protect(offset as usize, bytes as usize, to)
    }

    pub(super) fn unmap(&mut self, range: u64, offset: u64, bytes: u64) -> Result<(), DriverError> {
        const CALL: &str = "unmap";
        let range = self
            .ranges
            .get_mut(&range)
            .ok_or(invalid(CALL, "the range"))?;
        let end = whole(CALL, offset, bytes)?;
        let mut covered = offset;
        for (&at, piece) in range.pieces.range(offset..end) {
            if at != covered {
                break;
            }
            covered += piece.bytes;
        }
        if covered != end {
            return Err(invalid(
                CALL,
                "a part that is not one or more whole mappings",
            ));
        }
        while let Some((&at, piece)) = range.pieces.range(offset..end).next() {
            let Some(memory) = self.memories.get_mut(&piece.memory) else {
                return Err(invalid(CALL, "the memory"));
            };
            let (from, len) = (at as usize, piece.bytes as usize);
            if matches!(memory.backing, Backing::Private) && !memory.destroyed {
                memory.backing = Backing::Parked(range.place.park(from, len)?);
            } else {
                range.place.clear(from, len)?;
            }
            memory.mapped -= 1;
            if memory.mapped == 0 && memory.destroyed {
                self.memories.remove(&piece.memory);
            }
            range.pieces.remove(&at);
        }
        Ok(())
    }

    pub(super) fn address(&self, range: u64) -> Option<*mut u8> {
        Some(self.ranges.get(&range)?.place.base())
    }
}
