//! The kernels of graphs, from their tables: on this device they do what their host functions do.

use std::collections::BTreeMap;
use std::sync::Arc;

use gpu_graph_runtime::exec::{HostFn, Image, Loose, call_loose};
use gpu_graph_runtime::table::{Elem, Mode, Rows, Source, Task, TaskKind};

use super::Shim;
use super::kernel::{Args, Kernel, Param};
use crate::abi::Effect;

/// An operand at some dims of its kernel.
#[derive(Clone, Copy, Debug)]
struct Operand {
    elem: Elem,
    len: usize,
    mode: Mode,
}

/// One function of a GPU: what it is called, what stands where among its parameters, and its code.
#[derive(Clone, Debug)]
struct Entry {
    name: String,
    host: HostFn,
    /// Where scalars stand, among what the kernel declares and its result.
    scalars: &'static [u16],
    /// Scalars come as pointers.
    indirect: bool,
    /// The operand that is the result, too.
    in_place: Option<u32>,
    over: &'static [gpu_graph_runtime::table::Expr<'static>],
    dims: usize,
    operands: usize,
    /// By the kernel's dims.
    known: BTreeMap<Vec<u64>, Vec<Operand>>,
}

/// Elements of what a task touches, in the order of its kernel's parameters.
fn operands(source: &Source<'_>, task: &Task, numbers: &[u64]) -> Option<Vec<Operand>> {
    let value = |expr: u32| source.exprs.get(expr as usize)?.eval(numbers);
    let accesses = source.accesses_of(task).iter();
    let operand = |access: &gpu_graph_runtime::table::Access| {
        let resource = &source.resources[access.resource as usize];
        let extents: Option<Vec<u64>> = resource.shape.iter().map(|&e| value(e)).collect();
        let extents = extents?;
        let row: u64 = extents.iter().skip(1).product();
        let rows = match access.rows {
            Rows::All => extents.first().copied().unwrap_or(1),
            Rows::Span(from, to) => value(to)?.checked_sub(value(from)?)?,
        };
        Some(Operand {
            elem: resource.elem,
            len: usize::try_from(rows * row).ok()?,
            mode: access.mode,
        })
    };
    accesses.map(operand).collect()
}

impl Entry {
    /// What the parameters are, in order: tensors, scalars and the result, then dims.
    fn params(&self) -> Vec<Param> {
        let tensors = self.operands - usize::from(self.in_place.is_some());
        let scalar = match self.indirect {
            true => Param::Pointer,
            false => Param::Value(8),
        };
        let mut params = vec![Param::Pointer; tensors];
        for &at in self.scalars {
            params.insert(usize::from(at).min(params.len()), scalar);
        }
        params.extend(vec![Param::Value(8); self.dims]);
        params
    }

    fn is_scalar(&self, param: usize) -> bool {
        self.scalars.iter().any(|&s| usize::from(s) == param)
    }

    /// Parameters that are tensors.
    fn tensors(&self) -> Vec<usize> {
        let declared = self.params().len() - self.dims;
        (0..declared).filter(|&p| !self.is_scalar(p)).collect()
    }

    fn dims_of(&self, args: &Args<'_>) -> Vec<u64> {
        args.bits[args.bits.len() - self.dims..].to_vec()
    }

    /// What a launch touches, if it covers the index space and is at dims that are known.
    fn effects(&self, args: &Args<'_>) -> Option<Vec<Effect>> {
        let dims = self.dims_of(args);
        let operands = self.known.get(&dims)?;
        let mut over = [1; 3];
        for (i, extent) in self.over.iter().rev().enumerate() {
            over[i] = extent.eval(&dims)?;
        }
        if !args.covers(over) {
            return None;
        }
        let effect = |(param, (i, o)): (usize, (usize, &Operand))| {
            let bytes = o.len as u64 * o.elem.size();
            match o.mode {
                _ if self.in_place == Some(i as u32) => Effect::update(param, bytes),
                Mode::Read => Effect::read(param, bytes),
                Mode::Overwrite => Effect::overwrite(param, bytes),
                Mode::ReadWrite => Effect::update(param, bytes),
            }
        };
        let tensors = self.tensors().into_iter().zip(operands.iter().enumerate());
        let mut all: Vec<Effect> = tensors.map(effect).collect();
        if self.indirect {
            all.extend(self.scalars.iter().map(|&s| Effect::read(s.into(), 8)));
        }
        Some(all)
    }

    fn run(&self, args: &Args<'_>) {
        let dims = self.dims_of(args);
        let known = &self.known[&dims];
        let mut pointers: Vec<*mut u8> = self.tensors().iter().map(|&p| args.pointer(p)).collect();
        if let Some(operand) = self.in_place {
            pointers.push(pointers[operand as usize]);
        }
        let loose = |(&at, o): (&*mut u8, &Operand)| Loose {
            at,
            len: o.len,
            elem: o.elem,
            mode: o.mode,
        };
        let operands: Vec<Loose> = pointers.iter().zip(known).map(loose).collect();
        let scalar = |&param: &u16| match self.indirect {
            // SAFETY: eight bytes are read there, as the effects say.
            true => unsafe { args.slice::<u64>(param.into(), 1)[0] },
            false => args.bits[usize::from(param)],
        };
        let scalars: Vec<u64> = self.scalars.iter().map(scalar).collect();
        let dims: Vec<usize> = dims.iter().map(|&d| d as usize).collect();
        // SAFETY: the shim has seen that all of it is there and apart, and runs one piece of work
        // at a time.
        unsafe { call_loose(self.host, &operands, self.in_place, &scalars, &dims) }
    }
}

/// The functions of an image that a GPU may be asked for, at the dims of its tasks.
fn entries(image: &Image, dims: &[u64], all: &mut BTreeMap<String, Entry>) {
    let source = image.source;
    let mut numbers = vec![0; dims.len() + source.products.len()];
    source
        .numbers(dims, &mut numbers)
        .expect("dims that a graph takes");
    for task in source.tasks {
        let TaskKind::Kernel(k) = task.kind else {
            continue;
        };
        let (kernel, code) = (&source.kernels[k as usize], &image.code[k as usize]);
        let Some(cuda) = code.cuda else { continue };
        let operands = operands(source, task, &numbers).expect("extents at these dims");
        let span = task.dims.start as usize..(task.dims.start + task.dims.len) as usize;
        let bound = source.bindings[span].iter();
        let bound = bound.map(|&e| source.exprs[e as usize].eval(&numbers));
        let bound: Option<Vec<u64>> = bound.collect();
        let bound = bound.expect("dims of a kernel at these dims");
        let forms = [
            Some((code.host, None, "")),
            code.in_place
                .map(|host| (host, kernel.in_place.map(u32::from), "_in_place")),
        ];
        for (host, in_place, form) in forms.into_iter().flatten() {
            for (indirect, way) in [(false, ""), (true, "_indirect")] {
                let name = format!("{}{form}{way}", cuda.function);
                let entry = all.entry(name.clone()).or_insert_with(|| Entry {
                    name,
                    host,
                    scalars: cuda.scalars,
                    indirect,
                    in_place,
                    over: kernel.over,
                    dims: bound.len(),
                    operands: operands.len(),
                    known: BTreeMap::new(),
                });
                entry.known.insert(bound.clone(), operands.clone());
            }
        }
    }
}

impl Shim {
    /// Makes the kernels of graphs known, each at the dims that it will be loaded at: on this device
    /// they are their host functions, and touch what the tables say.
    ///
    /// # Panics
    /// Where a graph does not take the dims.
    pub fn register_graphs(&self, graphs: &[(&Image, &[u64])]) {
        let mut all = BTreeMap::new();
        for (image, dims) in graphs {
            entries(image, dims, &mut all);
        }
        for entry in all.into_values().map(Arc::new) {
            let (effects, body) = (Arc::clone(&entry), Arc::clone(&entry));
            self.register(Kernel::new(
                &entry.name,
                &entry.params(),
                move |args| effects.effects(args),
                move |args| body.run(args),
            ));
        }
    }
}
