//! Floors of sections and first offsets of blocks, kept up while blocks are placed and taken back.

use super::Blocks;

/// What is undone, last first.
#[derive(Clone, Copy, Debug)]
enum Change {
    Floor {
        section: u32,
        floor: u64,
        count: u32,
    },
    Least {
        block: u32,
        least: u64,
    },
    Placed {
        block: u32,
    },
}

/// A partial placement, with what follows from it.
///
/// `floor[s]` is the least of `least[i]` over the unplaced blocks of section `s`, and `least[i]` is
/// the largest floor below block `i`, aligned.
pub(super) struct State<'a> {
    blocks: &'a Blocks<'a>,
    /// Blocks of each section, unplaced ones first.
    members: Vec<Vec<u32>>,
    /// How many of them are unplaced.
    live: Vec<u32>,
    pub(super) floor: Vec<u64>,
    /// Height of what is unplaced.
    pub(super) rest: Vec<u64>,
    /// Unplaced blocks that can lie on the floor.
    pub(super) count: Vec<u32>,
    /// Unplaced blocks that cross from each section to the next.
    pub(super) cross: Vec<u32>,
    pub(super) placed: Vec<bool>,
    pub(super) offset: Vec<u64>,
    pub(super) least: Vec<u64>,
    /// How often each section was found too full by a run that learns; never undone.
    pub(super) weight: Vec<u64>,
    /// Whether this run learns.
    pub(super) learns: bool,
    trail: Vec<Change>,
    raised: Vec<u32>,
    dirty: Vec<u32>,
    is_dirty: Vec<bool>,
    touched: Vec<u32>,
    is_touched: Vec<bool>,
    list: Vec<(u64, u64)>,
    /// Blocks and sections looked at.
    pub(super) steps: u64,
}

impl<'a> State<'a> {
    pub(super) fn new(blocks: &'a Blocks<'a>) -> Self {
        let (n, sections) = (blocks.height.len(), blocks.sections.count);
        let mut members = vec![Vec::new(); sections];
        let mut rest = vec![0u64; sections];
        let mut cross = vec![0; sections];
        for (i, span) in blocks.sections.span.iter().enumerate() {
            for s in span.0 as usize..span.1 as usize {
                members[s].push(i as u32);
                rest[s] = rest[s].saturating_add(blocks.height[i]);
                cross[s] += u32::from(s + 1 < span.1 as usize);
            }
        }
        let live: Vec<u32> = members.iter().map(|m| m.len() as u32).collect();
        Self {
            blocks,
            members,
            count: live.clone(),
            live,
            floor: vec![0; sections],
            rest,
            cross,
            placed: vec![false; n],
            offset: vec![0; n],
            least: vec![0; n],
            weight: vec![1; sections],
            learns: false,
            trail: Vec::new(),
            raised: Vec::new(),
            dirty: Vec::new(),
            is_dirty: vec![false; sections],
            touched: Vec::new(),
            is_touched: vec![false; sections],
            list: Vec::new(),
            steps: 0,
        }
    }

    pub(super) fn span(&self, block: u32) -> (usize, usize) {
        let (from, to) = self.blocks.sections.span[block as usize];
        (from as usize, to as usize)
    }

    /// The unplaced blocks of a section.
    pub(super) fn unplaced(&self, section: usize) -> &[u32] {
        &self.members[section][..self.live[section] as usize]
    }

    /// Whether something in the section may still lie above nothing.
    pub(super) fn slack(&self, section: usize) -> u64 {
        let used = self.floor[section].saturating_add(self.rest[section]);
        self.blocks.capacity.saturating_sub(used)
    }

    pub(super) fn mark(&self) -> usize {
        self.trail.len()
    }

    /// Takes back all that was done since `mark`.
    pub(super) fn undo(&mut self, mark: usize) {
        while self.trail.len() > mark {
            match self.trail.pop() {
                Some(Change::Floor {
                    section,
                    floor,
                    count,
                }) => {
                    self.floor[section as usize] = floor;
                    self.count[section as usize] = count;
                }
                Some(Change::Least { block, least }) => self.least[block as usize] = least,
                Some(Change::Placed { block }) => {
                    self.placed[block as usize] = false;
                    let (from, to) = self.span(block);
                    for s in from..to {
                        self.live[s] += 1;
                        self.rest[s] += self.blocks.height[block as usize];
                        self.cross[s] += u32::from(s + 1 < to);
                    }
                }
                None => {}
            }
        }
    }

    /// Puts `block` on the floor of its sections, which is the same in all; false if something has
    /// no room then.
    pub(super) fn place(&mut self, block: u32) -> bool {
        let k = block as usize;
        let (from, to) = self.span(block);
        let (at, height) = (self.least[k], self.blocks.height[k]);
        self.placed[k] = true;
        self.offset[k] = at;
        for s in from..to {
            let last = self.live[s] as usize - 1;
            let found = self.members[s][..=last].iter().position(|&m| m == block);
            self.members[s].swap(found.unwrap_or(last), last);
            self.live[s] -= 1;
            self.rest[s] -= height;
            self.cross[s] -= u32::from(s + 1 < to);
        }
        self.trail.push(Change::Placed { block });
        let mut fits = true;
        for s in from..to {
            fits &= self.raise(s, at.saturating_add(height));
        }
        fits && self.settle()
    }

    /// Says that nothing more lies in `section` below `floor`; false if that leaves no room.
    pub(super) fn waste(&mut self, section: usize, floor: u64) -> bool {
        self.raise(section, floor) && self.settle()
    }

    fn raise(&mut self, s: usize, floor: u64) -> bool {
        self.record(s);
        self.floor[s] = floor;
        self.raised.push(s as u32);
        self.soil(s);
        self.fits(s)
    }

    fn record(&mut self, s: usize) {
        self.trail.push(Change::Floor {
            section: s as u32,
            floor: self.floor[s],
            count: self.count[s],
        });
    }

    fn fits(&mut self, s: usize) -> bool {
        let fits = self.floor[s].saturating_add(self.rest[s]) <= self.blocks.capacity;
        self.weight[s] += u64::from(!fits && self.learns);
        fits
    }

    fn soil(&mut self, s: usize) {
        if !self.is_dirty[s] {
            self.is_dirty[s] = true;
            self.dirty.push(s as u32);
        }
        if !self.is_touched[s] {
            self.is_touched[s] = true;
            self.touched.push(s as u32);
        }
    }

    /// Draws all conclusions from raised floors.
    fn settle(&mut self) -> bool {
        let mut fits = true;
        while let Some(s) = self.raised.pop() {
            let s = s as usize;
            self.steps += u64::from(self.live[s]);
            for k in 0..self.live[s] as usize {
                let i = self.members[s][k];
                if fits && self.least[i as usize] < self.floor[s] {
                    fits = self.lift(i, self.floor[s]);
                    self.weight[s] += u64::from(!fits && self.learns);
                }
            }
        }
        while let Some(s) = self.dirty.pop() {
            let s = s as usize;
            self.is_dirty[s] = false;
            if !fits || self.live[s] == 0 {
                continue;
            }
            self.steps += u64::from(self.live[s]);
            let (mut least, mut count) = (u64::MAX, 0);
            for &i in &self.members[s][..self.live[s] as usize] {
                let l = self.least[i as usize];
                if l < least {
                    (least, count) = (l, 1);
                } else {
                    count += u32::from(l == least);
                }
            }
            self.record(s);
            self.floor[s] = least;
            self.count[s] = count;
            fits = self.fits(s);
        }
        while let Some(s) = self.touched.pop() {
            self.is_touched[s as usize] = false;
            fits = fits && self.released(s as usize);
        }
        fits
    }

    /// Raises the first offset of a block.
    fn lift(&mut self, i: u32, floor: u64) -> bool {
        let k = i as usize;
        let old = self.least[k];
        let align = self.blocks.align[k];
        let least = match align {
            1 => floor,
            _ => match floor.checked_next_multiple_of(align) {
                Some(least) => least,
                None => return false,
            },
        };
        self.trail.push(Change::Least {
            block: i,
            least: old,
        });
        self.least[k] = least;
        let (from, to) = self.span(i);
        self.steps += (to - from) as u64;
        for s in from..to {
            if !self.is_dirty[s] && self.floor[s] == old {
                self.record(s);
                self.count[s] -= 1;
                if self.count[s] == 0 {
                    self.soil(s);
                }
            }
            if !self.is_touched[s] {
                self.is_touched[s] = true;
                self.touched.push(s as u32);
            }
        }
        least <= self.blocks.latest[k]
    }

    /// Whether the blocks of a section have room one upon the other, none below its first offset:
    /// the bound of one machine with release dates.
    fn released(&mut self, s: usize) -> bool {
        let (mut last, live) = (0, self.live[s] as usize);
        self.steps += live as u64;
        for &i in &self.members[s][..live] {
            last = last.max(self.least[i as usize]);
        }
        if last.saturating_add(self.rest[s]) <= self.blocks.capacity {
            return true;
        }
        self.steps += 2 * live as u64;
        self.list.clear();
        for &i in &self.members[s][..live] {
            self.list
                .push((self.least[i as usize], self.blocks.height[i as usize]));
        }
        self.list.sort_unstable();
        let mut end = 0u64;
        for &(least, height) in &self.list {
            end = end.max(least).saturating_add(height);
        }
        let fits = end <= self.blocks.capacity;
        self.weight[s] += u64::from(!fits && self.learns);
        fits
    }
}
