//! `upload` and `download`: copies between staging and memory of the device.

use std::fmt;

use super::extents::view_shape;
use super::within::out_of_bounds;
use super::{ArgKind, Call, Place, show_place, show_type};
use crate::expr::Expr;
use crate::fault::moves::{self, End};
use crate::fault::{Fault, MALFORMED, raw};
use crate::model::{Access, Class, Dim, Mode, Resource, Rows};

/// Which way something is copied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Transfer {
    /// From staging to the device.
    Upload,
    /// From the device to staging.
    Download,
}

impl Transfer {
    /// What is called so, if it is one of them.
    pub fn called(name: &str) -> Option<Self> {
        match name {
            "upload" => Some(Transfer::Upload),
            "download" => Some(Transfer::Download),
            _ => None,
        }
    }

    /// The other way.
    pub fn reverse(self) -> Self {
        match self {
            Transfer::Upload => Transfer::Download,
            Transfer::Download => Transfer::Upload,
        }
    }

    /// What it takes.
    pub(crate) fn wanted(self) -> &'static str {
        match self {
            Transfer::Upload => "`&` and a staging resource",
            Transfer::Download => "`&` and a resource of the device",
        }
    }

    /// Checks a call of it. The accesses are what it reads and what it overwrites.
    ///
    /// # Errors
    /// Everything that is wrong with the call: arguments, a missing place, ends of different types
    /// or sizes or on the wrong side, views that may leave their resource.
    pub fn bind(
        self,
        call: &Call,
        resources: &[Resource],
        dims: &[Dim],
    ) -> Result<[Access; 2], Vec<Fault>> {
        let [arg] = &call.args[..] else {
            let site = call.args.get(1).map_or(call.end, |arg| arg.site);
            return Err(vec![moves::one_argument(site, self, call.args.len())]);
        };
        let of = |place: &Place| resources.get(place.resource.0 as usize);
        let ArgKind::Ref { place, mutable } = &arg.kind else {
            let found = arg.kind.described(resources);
            let mend = arg.kind.bare(resources).map(|name| format!("&{name}"));
            return Err(vec![moves::argument(arg.site, self, &found, mend)]);
        };
        let Some(to) = &call.place else {
            return Err(vec![moves::no_place(call.site, self)]);
        };
        let (Some(a), Some(b)) = (of(place), of(to)) else {
            return Err(vec![Fault::new(MALFORMED, arg.site, "no such resource")]);
        };
        let mut faults = self.ends(call, (place, a), (to, b), dims);
        if *mutable {
            let text = show_place(&raw(&a.name), &place.rows, dims);
            faults.push(moves::only_reads(arg.site, self, &text));
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        let access = |place: &Place, mode, site| Access {
            resource: place.resource,
            mode,
            rows: place.rows.clone(),
            site,
        };
        Ok([
            access(place, Mode::Read, arg.site),
            access(to, Mode::Overwrite, to.site),
        ])
    }

    fn ends(
        self,
        call: &Call,
        (from, a): (&Place, &Resource),
        (to, b): (&Place, &Resource),
        dims: &[Dim],
    ) -> Vec<Fault> {
        let bounds = [(from, a), (to, b)].map(|(place, of)| out_of_bounds(place, of, dims));
        let mut faults: Vec<_> = bounds.into_iter().flatten().collect();
        // Of rows that are none, the type is none.
        if !faults.is_empty() {
            return faults;
        }
        let shape = |place, of: &Resource| view_shape(place, of).unwrap_or_default();
        let shapes = [shape(from, a), shape(to, b)];
        let types = [(a, &shapes[0]), (b, &shapes[1])].map(|(r, s)| show_type(r.elem, s, dims));
        let texts = [(from, a), (to, b)].map(|(p, r)| show_place(&raw(&r.name), &p.rows, dims));
        let end = |place: &Place, of, at: usize| -> End<'_> {
            let of: &Resource = of;
            End {
                name: &of.name,
                text: &texts[at],
                ty: &types[at],
                staging: of.class == Class::Staging,
                site: place.site,
                declared: of.site,
            }
        };
        let (source, dest) = (end(from, a, 0), end(to, b, 1));
        let mend = to.rows == Rows::All;
        let same = |(a, b): (&Expr, &Expr)| a.always_eq(b, dims);
        if a.elem != b.elem {
            faults.push(moves::elements(self, source, dest, mend));
        } else if shapes[0].len() != shapes[1].len() {
            faults.push(moves::ranks(self, source, dest, mend));
        } else if !shapes[0].iter().zip(&shapes[1]).all(same) {
            faults.push(moves::extents(self, source, dest, mend));
        }
        let upload = self == Transfer::Upload;
        if (source.staging, dest.staging) != (upload, !upload) {
            faults.push(moves::sides(call.site, self, source, dest));
        }
        faults
    }
}

impl fmt::Display for Transfer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Transfer::Upload => "upload",
            Transfer::Download => "download",
        })
    }
}
