//! One range of a dim that several sizes and launches cannot bear.

use crate::fault::narrow::bounds;
use crate::fault::sizes::{self, Range};
use crate::fault::{Fault, LAUNCH_GEOMETRY, SIZE_OVERFLOW};
use crate::model::{Dim, Model};

/// Makes one fault of those that ask that one dim end earlier, where sizes are among them.
pub(super) fn merge(model: &Model, faults: &mut Vec<Fault>) {
    for dim in model.dims.iter().filter(|dim| dim.is_declared()) {
        let (of_range, rest): (Vec<_>, Vec<_>) =
            faults.drain(..).partition(|fault| ends_earlier(fault, dim));
        *faults = rest;
        let (large, launches): (Vec<_>, Vec<_>) =
            (of_range.iter()).partition(|fault| fault.code == SIZE_OVERFLOW);
        if large.is_empty() || of_range.len() < 2 {
            faults.extend(of_range);
            continue;
        }
        let range = Range {
            site: dim.site,
            dim: &dim.name,
            max: dim.max,
        };
        faults.extend(sizes::range(range, &large, &launches));
    }
}

/// What mends `fault` gives `dim` a smaller largest value, and nothing else.
fn ends_earlier(fault: &Fault, dim: &Dim) -> bool {
    let mend = fault.fixes.first().and_then(bounds);
    let of_dim =
        mend.is_some_and(|(at, _, min, max)| at == dim.site && min == dim.min && max < dim.max);
    of_dim && [SIZE_OVERFLOW, LAUNCH_GEOMETRY].contains(&fault.code)
}
