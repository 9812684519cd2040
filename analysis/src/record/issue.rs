//! What runs where, and what waits for what.

use std::fmt::{self, Formatter};

use super::text::{LONG, SHORT, list, more};
use super::{Issued, Record};
use crate::model::KernelKind;

impl Record {
    /// Each task with its kernel, its stream, and what its stream waits for right before it.
    pub(super) fn issue(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let count = self.tasks.len();
        let how = match self.issued {
            Issued::Stated => "in statement order",
            Issued::Demanded => "in statement order as far as `order` admits",
            Issued::Planned => "in the order that the plan has found",
        };
        writeln!(f, "\ntasks: {count}, issued {how}")?;
        for &t in self.sequence.iter().take(LONG) {
            let t = t as usize;
            write!(f, "  {}:", self.tasks[t])?;
            let kind = self.kernels[t].as_ref().map(|of| of.1);
            match (kind.filter(|k| *k != KernelKind::Kernel), self.unnamed(t)) {
                (Some(kind), Some(kernel)) => write!(f, " {} {kernel},", kind.word())?,
                (Some(kind), None) => write!(f, " {},", kind.word())?,
                (None, Some(kernel)) => write!(f, " {kernel},")?,
                (None, None) => {}
            }
            write!(f, " stream {}", self.stream_of[t])?;
            if !self.awaited[t].is_empty() {
                let awaited = self.awaited[t].iter().map(|&w| self.task(w));
                write!(f, ", after a wait for {}", list(awaited, SHORT))?;
            }
            writeln!(f)?;
        }
        more(f, count, LONG, "task")
    }

    /// The kernel of a task whose name does not say it.
    pub(super) fn unnamed(&self, task: usize) -> Option<&str> {
        let kernel = &*self.kernels[task].as_ref()?.0;
        let name = &self.tasks[task];
        let mut words = name.split(|c: char| !c.is_alphanumeric() && c != '_');
        (!words.any(|word| word == kernel)).then_some(kernel)
    }

    pub(super) fn schedule(&self, f: &mut Formatter<'_>) -> fmt::Result {
        writeln!(f, "\nschedule")?;
        let (streams, events) = (self.streams, self.events);
        writeln!(
            f,
            "  streams        {streams}, events {events}: at the end of each stream, and behind each task \
             that another stream or the host waits for"
        )?;
        let (waits, saved) = (self.waits, self.saved);
        writeln!(f, "  waits          {waits} placed, {saved} saved")?;
        let dependencies = self.dependencies.len();
        writeln!(
            f,
            "  dependencies   {dependencies}, without those that others imply; the graph in DOT draws them"
        )?;
        let (orders, edges) = (self.orders.len(), self.stream_order.len());
        let again = self.orders.iter().filter(|order| order.again).count();
        match (orders, again) {
            (0, _) => writeln!(f, "  orders         none demanded")?,
            (_, 0) => writeln!(f, "  orders         {orders} demanded")?,
            _ => writeln!(
                f,
                "  orders         {orders} demanded, {again} of them by `recompute`"
            )?,
        }
        for order in self.orders.iter().take(LONG / 2) {
            let (before, after) = (self.task(order.before), self.task(order.after));
            let anyway = if order.alone {
                ""
            } else {
                ", as their accesses do anyway"
            };
            let by = match order.again {
                true => ", so that what is made again comes late",
                false => "",
            };
            writeln!(f, "    `{before}` before `{after}`{by}{anyway}")?;
        }
        more(f, orders, LONG / 2, "order")?;
        match self.added.len() {
            0 => writeln!(f, "  added edges    none by the policy")?,
            added => writeln!(f, "  added edges    {added} by the policy")?,
        }
        for &(a, b) in self.added.iter().take(LONG / 2) {
            let (a, b) = (self.task(a), self.task(b));
            writeln!(
                f,
                "    `{a}` before `{b}`, which could run at the same time"
            )?;
        }
        more(f, self.added.len(), LONG / 2, "added edge")?;
        let justifies = match self.policy.conditional() {
            true => "which counts in the proofs of aliases",
            false => "none of which justifies an alias",
        };
        match edges {
            0 => writeln!(f, "  stream order   adds no other edge")?,
            _ => writeln!(f, "  stream order   adds {edges} beside these, {justifies}")?,
        }
        for &(a, b) in self.stream_order.iter().take(LONG / 2) {
            let stream = self.stream_of[b.0 as usize];
            let (a, b) = (self.task(a), self.task(b));
            writeln!(f, "    `{a}` before `{b}` on stream {stream}")?;
        }
        more(f, edges, LONG / 2, "edge")?;
        self.serialised(f)
    }
}
