//! What was decided, in a compact form that is kept beside the tables of a graph, so that questions
//! about it can be answered when they are asked.

use std::fmt::{self, Write};

use super::{Record, ResourceRecord, Rival};
use crate::layout::At;
use crate::model::{Class, KernelKind, ResourceId, TaskId};
use crate::policy::Kind;
use crate::workspace::{Content, Sharing};

impl Record {
    /// Names, dependencies, live ranges and what was decided as lines of text, for the runtime's
    /// `Record::explain` and its report:
    ///
    /// ```text
    /// blur<TAB>0 2-4          each task, in statement order: its name, the tasks right before it
    /// 1<TAB>5 7<TAB>host<TAB>h, w + 1<TAB><TAB>500
    ///                         each resource: first frontier, last frontier, what else is true of
    ///                         it (`host` reads it after the run, it is `kept`, an `escape`,
    ///                         `reconstructable`, `stable`), its extents, its domain, and its bytes
    ///                         before alignment where they are fewer
    /// left<TAB>3 4 9<TAB>why  each in-place update that was left: operand, result, task, and why
    /// alias<TAB>3 4 9<TAB>demanded<TAB>1 2 1 3
    ///                         an occupant of storage and the next, the task that updates the one
    ///                         into the other if one does, whether that is demanded, and the pairs of
    ///                         tasks whose order it needs beside the dependencies
    /// added<TAB>1 2 1 3       pairs of tasks that the policy orders
    /// kind<TAB>opaque<TAB>3 5 tasks whose kernel is `opaque`, or a `collective`
    /// bound<TAB>tenant<TAB>768 512<TAB>7<TAB>1 2,5
    ///                         the lower bound of each isolation domain: its name, its bytes, those of
    ///                         what is listed, the task at which that is live, or `host`, or `pairs`
    ///                         for any two of it at some time, and what it is, that of one slot as one
    /// layout<TAB>4096<TAB>swept
    ///                         bytes of padding, and whether one pass was made
    /// reserved<TAB>512        bytes for isolation domains in other combinations of variants
    /// ordered<TAB>3 4 5 6     what the plan orders beside the dependencies, where that counts in the
    ///                         proofs of aliases: a task and one after it
    /// largest<TAB>1080 1920   values of the dims at which each resource is at its largest
    /// serialised<TAB>3 4 1     pairs of tasks that edges of the policy serialise, that streams do, and of
    ///                         all that an alias needs
    /// serial<TAB>3 4<TAB>stream<TAB>3 5<TAB>2
    ///                         one of them, by a `stream` or the `policy`, the edge by which it is, if
    ///                         the two are not on the one stream that does it, and the alias that needs it
    /// saved<TAB>10            waits between streams that others made needless
    /// order<TAB>3 4<TAB>alone a demanded order, and whether nothing else orders the two
    /// workspace<TAB>scratch<TAB>5<TAB>zeroed<TAB>per task<TAB>9 5<TAB>11 6
    ///                         a workspace: name, resource, content, sharing, and of each use the
    ///                         task and its resource
    /// cost<TAB>blur<TAB>12000 nanoseconds of a launch, where they are declared
    /// scope<TAB>one frame     and `minimize`, `target`, `tolerance`, `finite`: what is declared
    /// peak<TAB>least<TAB>512 768<TAB>4<TAB>0-3<TAB>1 0 2-5<TAB>1 2,5<TAB>why
    ///                         a figure of the peak, `greatest` and `workspaces` likewise: its two
    ///                         ends, the tasks that run at the cut of its witness, those that are
    ///                         completed, all in the sequence in which they start, what is live, two
    ///                         of one slot as one, and what proves the end that the witness does not
    ///                         show
    /// rival<TAB>words<TAB>kind<TAB>outcome<TAB>numbers
    ///                         a plan that was weighed: arena, nanoseconds of its critical path, 1 if
    ///                         that is all of it, launches, added edges, streams, waits, events,
    ///                         nanoseconds of all launches that have a cost, bytes read and written,
    ///                         slack, bytes below which no layout is, live ranges that begin and
    ///                         that end in a run, both ends of the least peak and of the greatest, and
    ///                         workspaces where that is worked out
    /// adds<TAB>2<TAB>1 2 1 9<TAB>t again
    ///                         pairs of tasks that the rival of that number orders; numbers behind those
    ///                         of the tasks are of the names that follow
    /// blocked<TAB>why         a metric that does not decide between plans
    /// cut                     the search for plans ended by its limit
    /// again<TAB>3<TAB>t<TAB>z<TAB>t#2<TAB>t again<TAB>blur<TAB>numbers<TAB>x
    ///                         a value that is made again in that rival, or by demand: the value,
    ///                         the reader, what is made, by which task, of which kernel; 1 if that
    ///                         has a cost, the cost, waits and events more, 1 if a workspace is made
    ///                         zero, bytes read again, bytes of workspaces, tasks beside it, the
    ///                         arena without and with it; and each input that lives longer for it
    /// refused<TAB>t<TAB>z<TAB>why
    ///                         a value that cannot be made again before that reader
    /// action<TAB>delay<TAB>512<TAB>done<TAB>why<TAB>? -512..-512 ?
    ///                         a kind of policy, the bytes that it gives, and of each
    ///                         [`Term`](super::Term) what it changes, between two ends
    /// digest<TAB>source<TAB>program<TAB>baseline
    ///                         what the source, the plan and the graph as it stands are known by
    /// predicted<TAB>chosen<TAB>4096 10 12
    ///                         of the `chosen` plan and the `baseline`: arena, and, where no cost is
    ///                         unknown, the least and the most nanoseconds of the critical path
    /// stale<TAB>file          a profile that is of other sources alone, or else
    /// profile<TAB>file<TAB>device<TAB>runs<TAB>program<TAB>n 64
    ///                         one that is of this source: what was run, and each dim
    /// launch<TAB>blur<TAB>64 64<TAB>9 10 11 12
    ///                         launches of a kernel at its dims: how many, and in nanoseconds the
    ///                         median between two ends
    /// timed<TAB>- 0 0 1       of each task which of these it is
    /// ```
    ///
    /// Tasks are numbers; `2-4` is all from 2 to 4. Without runs, tasks that all read what many
    /// others wrote would take a square of them.
    pub fn facts(&self) -> String {
        let mut before: Vec<Vec<u32>> = vec![Vec::new(); self.tasks.len()];
        for (a, b) in &self.dependencies {
            before[b.0 as usize].push(a.0);
        }
        let mut out = String::new();
        for (name, before) in self.tasks.iter().zip(&mut before) {
            before.sort_unstable();
            out += name;
            out.push('\t');
            list(&mut out, before);
            out.push('\n');
        }
        for r in &self.resources {
            r.facts(&mut out);
        }
        // Writing to a string cannot fail.
        let _ = self.decided(&mut out);
        out
    }

    fn decided(&self, out: &mut String) -> fmt::Result {
        for left in &self.left {
            let m = left.merge;
            let (x, y, t) = (m.operand.0, m.result.0, m.task.0);
            writeln!(out, "left\t{x} {y} {t}\t{}", self.why_left(left))?;
        }
        for alias in &self.aliases {
            write!(out, "alias\t{} {}", alias.earlier.0, alias.later.0)?;
            if let Some(TaskId(t)) = alias.in_place {
                write!(out, " {t}")?;
            }
            write!(out, "\t{}\t", word(alias.demanded, "demanded"))?;
            pairs(out, &alias.condition);
            out.push('\n');
        }
        *out += "added\t";
        pairs(out, &self.added);
        out.push('\n');
        if self.policy.conditional() {
            let streams = &self.stream_order;
            *out += "ordered\t";
            pairs(out, &[&self.added[..], streams].concat());
            out.push('\n');
        }
        for kind in [KernelKind::Opaque, KernelKind::Collective] {
            let of = (0..).zip(&self.kernels).filter(|(_, kernel)| {
                let of = kernel.as_ref().map(|of| of.1);
                of == Some(kind)
            });
            let tasks: Vec<u32> = of.map(|(t, _)| t).collect();
            if !tasks.is_empty() {
                write!(out, "kind\t{}\t", kind.word())?;
                list(out, &tasks);
                out.push('\n');
            }
        }
        for part in &self.bound.parts {
            let domain = self.domain_of(part).unwrap_or("");
            let at = match part.at {
                At::Task(t) => t.0.to_string(),
                At::Host => "host".to_owned(),
                At::Pairs => "pairs".to_owned(),
            };
            let (bytes, listed) = (part.bytes, part.listed);
            writeln!(
                out,
                "bound\t{domain}\t{bytes} {listed}\t{at}\t{}",
                slots(&part.live)
            )?;
        }
        let swept = word(self.swept, "swept");
        writeln!(out, "layout\t{}\t{swept}", self.padding)?;
        if self.reserved > 0 {
            writeln!(out, "reserved\t{}", self.reserved)?;
        }
        if let Some(values) = &self.largest_at {
            let values: Vec<String> = values.iter().map(u64::to_string).collect();
            writeln!(out, "largest\t{}", values.join(" "))?;
        }
        self.serial_facts(out)?;
        writeln!(out, "saved\t{}", self.saved)?;
        for order in &self.orders {
            let (a, b) = (order.before.0, order.after.0);
            writeln!(out, "order\t{a} {b}\t{}", word(order.alone, "alone"))?;
        }
        for w in &self.workspaces {
            let content = match w.content {
                Content::Dead => "dead",
                Content::Zeroed => "zeroed",
                Content::Preserved => "preserved",
            };
            let sharing = match w.sharing {
                Sharing::Exclusive => "exclusive",
                Sharing::PerTask => "per task",
            };
            let (name, r) = (&w.name, w.resource.0);
            write!(out, "workspace\t{name}\t{r}\t{content}\t{sharing}")?;
            for u in &w.uses {
                write!(out, "\t{} {}", u.task.0, u.resource.0)?;
            }
            out.push('\n');
        }
        self.purpose(out)?;
        self.peak_facts(out)?;
        for rival in &self.policy.rivals {
            self.rival(out, rival)?;
        }
        self.edge_facts(out)?;
        for blocked in self.undecided() {
            writeln!(out, "blocked\t{blocked}")?;
        }
        if self.policy.cut {
            writeln!(out, "cut")?;
        }
        self.again_facts(out)?;
        self.action_facts(out)?;
        self.identity_facts(out)
    }

    fn purpose(&self, out: &mut String) -> fmt::Result {
        let declared = &self.declared;
        if let Some(scope) = &declared.scope {
            writeln!(out, "scope\t{}", line(scope))?;
        }
        if let Some(target) = declared.target {
            writeln!(out, "target\t{target}")?;
        }
        if let Some(minimize) = &declared.minimize {
            writeln!(out, "minimize\t{minimize}")?;
        }
        for tolerance in &declared.tolerances {
            writeln!(out, "tolerance\t{}\t{}", tolerance.output, tolerance.text)?;
        }
        for scalar in &declared.finite {
            writeln!(out, "finite\t{scalar}")?;
        }
        let known = declared.costs.iter();
        for (kernel, cost) in known.filter_map(|(name, cost)| Some((name, cost.as_ref()?))) {
            writeln!(out, "cost\t{kernel}\t{}", cost.nanos)?;
        }
        Ok(())
    }

    fn rival(&self, out: &mut String, rival: &Rival) -> fmt::Result {
        let kind = word_of(&rival.kind);
        let f = &rival.figures;
        let (words, outcome) = (&rival.name, self.outcome(rival));
        let (arena, path, known) = (f.arena, f.critical_path, u8::from(!f.at_least));
        let (launches, added, streams, waits) = (f.launches, f.added, f.streams, f.waits);
        write!(out, "rival\t{words}\t{kind}\t{outcome}\t{arena} {path}")?;
        write!(out, " {known} {launches} {added} {streams} {waits}")?;
        let (events, compute, slack) = (f.events, f.compute, f.slack());
        let (read, written) = (f.traffic.read, f.traffic.written);
        let (bound, begins, ends) = (f.bound, f.begins, f.ends);
        write!(
            out,
            " {events} {compute} {read} {written} {slack} {bound} {begins} {ends}"
        )?;
        let [[a, b], [c, d]] = rival.peaks;
        write!(out, " {a} {b} {c} {d}")?;
        match f.rooms {
            Some(rooms) => writeln!(out, " {rooms}"),
            None => writeln!(out),
        }
    }
}

fn word_of(kind: &Kind) -> &'static str {
    match kind {
        Kind::Again(_) => "recompute",
        Kind::Baseline | Kind::Packed => "baseline",
        Kind::StreamOrder | Kind::After(_) => "conditioned",
        Kind::Streams(_) | Kind::InTurn => "streams",
        Kind::Leaving(_, with) => word_of(with),
    }
}

impl ResourceRecord {
    fn facts(&self, out: &mut String) {
        for tasks in [&self.frontier.first, &self.frontier.last] {
            let mut tasks: Vec<u32> = tasks.iter().map(|&TaskId(t)| t).collect();
            tasks.sort_unstable();
            list(out, &tasks);
            out.push('\t');
        }
        let words = [
            (self.frontier.host, "host"),
            (self.frontier.kept, "kept"),
            (self.class == Class::Escape, "escape"),
            (self.class == Class::Reconstructable, "reconstructable"),
            (self.stable, "stable"),
        ];
        let words: Vec<_> = words.iter().filter(|w| w.0).map(|w| w.1).collect();
        *out += &words.join(" ");
        out.push('\t');
        *out += &self.shape.join(", ");
        out.push('\t');
        *out += self.domain.as_deref().unwrap_or("");
        out.push('\t');
        if self.payload < self.slot.bytes {
            *out += &self.payload.to_string();
        }
        out.push('\n');
    }
}

/// `1 2,5`: what lies in one slot as one.
pub(super) fn slots(live: &[Vec<ResourceId>]) -> String {
    let slots = live.iter().map(|parts| {
        let parts = parts.iter().map(|r| r.0.to_string());
        parts.collect::<Vec<_>>().join(",")
    });
    slots.collect::<Vec<_>>().join(" ")
}

/// Text of any kind in one line, without a tab.
pub(super) fn line(text: &str) -> String {
    let text = text.replace('\\', "\\\\").replace('\t', "\\t");
    text.replace('\n', "\\n").replace('\r', "\\r")
}

/// `1 2 1 3`: each two of them are a pair.
fn pairs(out: &mut String, pairs: &[(TaskId, TaskId)]) {
    let numbers = pairs.iter().map(|(a, b)| format!("{} {}", a.0, b.0));
    *out += &numbers.collect::<Vec<_>>().join(" ");
}

fn word(is: bool, word: &str) -> &str {
    if is { word } else { "" }
}

/// `0 2-4`: numbers that grow by one are a run.
pub(super) fn list(out: &mut String, numbers: &[u32]) {
    let mut runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let mut gap = "";
    while let Some([first, rest @ ..]) = runs.next() {
        let _ = match rest.last() {
            None => write!(out, "{gap}{first}"),
            Some(last) => write!(out, "{gap}{first}-{last}"),
        };
        gap = " ";
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn neighbours_become_runs() {
        let list = |numbers: &[u32]| {
            let mut out = String::new();
            super::list(&mut out, numbers);
            out
        };
        assert_eq!(list(&[]), "");
        assert_eq!(list(&[7]), "7");
        assert_eq!(list(&[0, 2, 3, 4, 6]), "0 2-4 6");
    }
}
