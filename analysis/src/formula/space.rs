//! The index space of an expression kernel on a device.

use super::{Axis, Formula, LANES};
use crate::calls::{Over, default_block};
use crate::expr::Expr;
use crate::model::Site;

/// Most axes of a grid.
const AXES: usize = 3;

/// How the elements of the target are spread over threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Space {
    /// Dims that each thread loops over, slowest first.
    pub looped: Vec<usize>,
    /// Dims that are axes of the grid, slowest first, at most three.
    pub grid: Vec<usize>,
    /// A warp computes one element, because there are reductions; else a thread does.
    pub warps: bool,
}

impl Formula {
    /// Its index space: the last three dims of the target are axes of the grid.
    pub fn space(&self) -> Space {
        let mut looped = self.target.dims();
        let grid = looped.split_off(looped.len().saturating_sub(AXES));
        let warps = !self.reductions.is_empty();
        Space {
            looped,
            grid,
            warps,
        }
    }

    /// The clause `over` that one would write for it.
    pub fn over(&self, site: Site) -> Over {
        let space = self.space();
        let dim = |d: &usize| u16::try_from(*d).map_or(Expr::constant(1), Expr::dim);
        let mut extents: Vec<Expr> = space.grid.iter().map(dim).collect();
        let mut block = default_block(extents.len());
        if extents.is_empty() {
            extents.push(Expr::constant(1));
            block = vec![1];
        }
        if space.warps
            && let Some(last) = extents.last_mut()
        {
            let lanes = LANES as i64;
            // A dim, or 1, times 32.
            *last = last.scale(lanes).unwrap_or(Expr::constant(lanes));
            if space.grid.is_empty() {
                block = vec![LANES as u32];
            }
        }
        Over {
            extents,
            block,
            site,
            block_site: site,
        }
    }

    /// All tensors are scanned as one list: each has the axes of the target, or one element.
    pub fn is_flat(&self) -> bool {
        let dims = self.target.dims();
        let alike = |axes: &Vec<Axis>| {
            let own: Vec<_> = axes.iter().filter_map(|axis| axis.dim()).collect();
            own.is_empty() || own == dims
        };
        self.reductions.is_empty() && self.operands.iter().flatten().all(alike)
    }
}
