//! Random graphs of several variants over bytes, with a resident input and an inout.

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{
    Access, Class, Elem, Launch, Mode, Model, Resource, ResourceId, Rows, Site, Task, TaskKind,
};
use gpu_graph_analysis::plan::{HostOp, plan};
use gpu_graph_runtime::exec::{Args, Code, HostFn, Image};
use gpu_graph_runtime::table as t;

use crate::common::Rng;
use crate::explain_support::image;

/// Reads of one kernel, at most.
const READS: usize = 3;

/// What all variants have in common, and each of them.
pub struct Family {
    pub seed: u64,
    /// Bytes of each input.
    pub inputs: Vec<usize>,
    /// Bytes of each output.
    pub outputs: Vec<usize>,
    /// Bytes of the resident input and of the inout.
    pub resident: usize,
    pub variants: Vec<Variant>,
}

pub struct Variant {
    model: Model,
    lens: Vec<usize>,
}

impl Family {
    /// `reversed` declares the inout before the resident input.
    pub fn random(seed: u64, reversed: bool) -> Self {
        let mut rng = Rng(seed ^ 0x9e37);
        let mut len = |most: usize| 1 + rng.below(most);
        let inputs = (0..len(2)).map(|_| len(40)).collect();
        let outputs = (0..len(2)).map(|_| len(40)).collect();
        let mut family = Self {
            seed,
            inputs,
            outputs,
            // More than a slot's alignment, so that the order of the two shows.
            resident: 300 + len(40),
            variants: Vec::new(),
        };
        let (count, streams) = (2 + rng.below(3), 1 + rng.below(4) as u32);
        for _ in 0..count {
            let variant = Variant::random(&family, &mut rng, streams, reversed);
            family.variants.push(variant);
        }
        family
    }

    /// The tables, proved when they are loaded.
    pub fn images(&self) -> Vec<Image> {
        self.variants.iter().map(Variant::image).collect()
    }

    /// What the inout holds at first.
    pub fn zeros(&self) -> Vec<u8> {
        vec![0; self.resident]
    }

    pub fn bytes(&self, rng: &mut Rng, len: usize) -> Vec<u8> {
        (0..len).map(|_| rng.next() as u8).collect()
    }

    /// The outputs of a run that begins with `state`, which becomes what it leaves.
    pub fn sequential(
        &self,
        variant: usize,
        inputs: &[Vec<u8>],
        resident: &[u8],
        state: &mut Vec<u8>,
    ) -> Vec<Vec<u8>> {
        let Variant { model, lens } = &self.variants[variant];
        let mut values: Vec<Vec<u8>> = lens.iter().map(|len| vec![0; *len]).collect();
        let mut inputs = inputs.iter();
        for (value, r) in values.iter_mut().zip(&model.resources) {
            match r.class {
                Class::Input | Class::InputMut => {
                    value.clone_from(inputs.next().expect("an input each"))
                }
                Class::Resident => *value = resident.to_vec(),
                Class::Inout => value.clone_from(state),
                _ => {}
            }
        }
        for task in model.tasks.iter().filter(|t| t.kind != TaskKind::Upload) {
            let (result, operands) = task.accesses.split_last().expect("a result");
            let read = |a: &Access| {
                let (from, to) = span(a, lens);
                values[a.resource.0 as usize][from..to].to_vec()
            };
            let read: Vec<_> = operands.iter().map(read).collect();
            let operands: Vec<&[u8]> = read.iter().map(Vec::as_slice).collect();
            let (from, to) = span(result, lens);
            let out = &mut values[result.resource.0 as usize][from..to];
            fill(out, &operands, result.mode == Mode::ReadWrite);
        }
        let outputs = model.resources.iter().zip(&mut values);
        let mut results = Vec::new();
        for (r, value) in outputs {
            match r.class {
                Class::Output => results.push(std::mem::take(value)),
                Class::Inout => *state = std::mem::take(value),
                _ => {}
            }
        }
        results
    }
}

/// Every other input is the graph's own copy.
fn input_class(i: usize) -> Class {
    match i % 2 {
        0 => Class::InputMut,
        _ => Class::Input,
    }
}

impl Variant {
    fn random(family: &Family, rng: &mut Rng, streams: u32, reversed: bool) -> Self {
        let site = Site(0);
        let mut variant = Self {
            model: Model {
                name: "Random".to_owned(),
                site,
                dims: Vec::new(),
                domains: Vec::new(),
                resources: Vec::new(),
                extents: Default::default(),
                tasks: Vec::new(),
                orders: Vec::new(),
                again: Vec::new(),
                aliases: Vec::new(),
                separate: Vec::new(),
                workspaces: Vec::new(),
                stable: Vec::new(),
                declared: Default::default(),
                budget: None,
                depth: 1,
                streams,
            },
            lens: Vec::new(),
        };
        // Resources of its own stand between those of all.
        let own = rng.below(3);
        for (i, len) in family.inputs.iter().enumerate() {
            let input = variant.resource(format!("input{i}"), input_class(i), *len);
            let access = whole(input, Mode::Overwrite);
            variant.task(TaskKind::Upload, vec![access]);
        }
        let mut written: Vec<usize> = (0..family.inputs.len()).collect();
        for i in 0..own {
            // Never used in this variant.
            variant.resource(format!("unused{i}"), Class::Transient, 1 + rng.below(40));
        }
        let mut kept = [Class::Resident, Class::Inout];
        if reversed {
            kept.reverse();
        }
        for class in kept {
            // Of different sizes, so that the order of the two shows.
            let len = family.resident;
            written.push(variant.resource(format!("{class:?}"), class, len));
        }
        let state = written[written.len() - if reversed { 2 } else { 1 }];
        for i in 0..3 + rng.below(10) {
            let reads = reads(rng, &variant.lens, &written, None);
            let any = written[rng.below(written.len())];
            let fixed = variant.model.resources[any].class.is_callers();
            match rng.below(5) {
                0 if !fixed => {
                    let reads = self::reads(rng, &variant.lens, &written, Some(any));
                    let place = some_rows(rng, &variant.lens, any, Mode::ReadWrite);
                    variant.launch(reads, place, None);
                }
                1 => {
                    let reads = self::reads(rng, &variant.lens, &written, Some(state));
                    let place = some_rows(rng, &variant.lens, state, Mode::ReadWrite);
                    variant.launch(reads, place, None);
                }
                2 => {
                    let len = variant.lens[any];
                    let made = variant.resource(format!("t{i}"), Class::Transient, len);
                    written.push(made);
                    let (read, place) = (whole(any, Mode::Read), whole(made, Mode::Overwrite));
                    variant.launch(vec![read], place, Some(0));
                }
                _ => {
                    let len = 1 + rng.below(40);
                    let made = variant.resource(format!("t{i}"), Class::Transient, len);
                    written.push(made);
                    variant.launch(reads, whole(made, Mode::Overwrite), None);
                }
            }
        }
        for (i, len) in family.outputs.iter().enumerate() {
            let reads = reads(rng, &variant.lens, &written, None);
            let made = variant.resource(format!("output{i}"), Class::Output, *len);
            written.push(made);
            variant.launch(reads, whole(made, Mode::Overwrite), None);
        }
        let reads = reads(rng, &variant.lens, &written, Some(state));
        variant.launch(reads, whole(state, Mode::ReadWrite), None);
        variant
    }

    fn resource(&mut self, name: String, class: Class, len: usize) -> usize {
        self.model.resources.push(Resource {
            name,
            class,
            elem: Elem::U8,
            domain: 0,
            shape: vec![Expr::constant(len as i64)],
            site: Site(0),
        });
        self.lens.push(len);
        self.lens.len() - 1
    }

    fn task(&mut self, kind: TaskKind, accesses: Vec<Access>) {
        self.model.tasks.push(Task {
            name: format!("task{}", self.model.tasks.len()),
            kind,
            accesses,
            site: Site(0),
        });
    }

    fn launch(&mut self, mut accesses: Vec<Access>, place: Access, in_place: Option<usize>) {
        accesses.push(place);
        let launch = Launch {
            kernel: 0,
            name: "kernel".to_owned(),
            in_place,
            over: Vec::new(),
            block: Vec::new(),
            shared: 0,
            params: 64,
            kind: gpu_graph_analysis::model::KernelKind::Kernel,
        };
        self.task(TaskKind::Kernel(launch), accesses);
    }

    fn image(&self) -> Image {
        let (plan, _) = plan(&self.model).expect("nothing is demanded");
        let image = image(&self.model, &plan);
        let collect = plan.collect.iter().map(|op| match *op {
            HostOp::Wait { event } => t::HostOp::Wait { event },
            HostOp::Read { resource } => t::HostOp::Read { resource },
        });
        let program = t::Program {
            collect: collect.collect::<Vec<_>>().leak(),
            ..*image.program
        };
        // Every kernel takes the one scalar.
        let mut tasks = image.source.tasks.to_vec();
        for task in &mut tasks {
            if matches!(task.kind, t::TaskKind::Kernel(_)) {
                task.scalars = t::Span::new(0, 1);
            }
        }
        let mut kernels = image.source.kernels.to_vec();
        for kernel in &mut kernels {
            kernel.params = 64;
        }
        let source = t::Source {
            kernels: kernels.leak(),
            tasks: tasks.leak(),
            scalars: &[t::Scalar::Param(0)],
            params: 1,
            ..*image.source
        };
        let launched = self.model.tasks.iter().filter_map(|task| match &task.kind {
            TaskKind::Kernel(launch) => Some((launch, &task.accesses)),
            _ => None,
        });
        let code = launched.map(|(launch, accesses)| {
            let (last, reads) = accesses.split_last().expect("a result");
            Code {
                host: HOST[usize::from(last.mode == Mode::ReadWrite)][reads.len()],
                in_place: launch.in_place.map(|_| in_place as HostFn),
                cuda: None,
            }
        });
        Image {
            source: Box::leak(Box::new(source)),
            program: Box::leak(Box::new(program)),
            code: code.collect::<Vec<_>>().leak(),
        }
    }
}

fn whole(resource: usize, mode: Mode) -> Access {
    Access {
        resource: ResourceId(resource as u32),
        mode,
        rows: Rows::All,
        site: Site(0),
    }
}

fn some_rows(rng: &mut Rng, lens: &[usize], resource: usize, mode: Mode) -> Access {
    let mut access = whole(resource, mode);
    if rng.one_in(2) {
        let from = rng.below(lens[resource]);
        let to = from + 1 + rng.below(lens[resource] - from);
        let at = |row: usize| Expr::constant(row as i64);
        access.rows = Rows::Span(at(from), at(to));
    }
    access
}

/// Some reads, none of `except`.
fn reads(rng: &mut Rng, lens: &[usize], from: &[usize], except: Option<usize>) -> Vec<Access> {
    let count = rng.below(READS + 1);
    let picked = (0..count)
        .map(|_| from[rng.below(from.len())])
        .collect::<Vec<_>>();
    let picked = picked.into_iter().filter(|r| Some(*r) != except);
    picked
        .map(|r| some_rows(rng, lens, r, Mode::Read))
        .collect()
}

fn span(access: &Access, lens: &[usize]) -> (usize, usize) {
    let number = |e: &Expr| e.as_constant().expect("no dims") as usize;
    match &access.rows {
        Rows::All => (0, lens[access.resource.0 as usize]),
        Rows::Span(from, to) => (number(from), number(to)),
    }
}

/// What a kernel does: each element depends on its place and on all operands.
fn fill(out: &mut [u8], operands: &[&[u8]], update: bool) {
    for (i, out) in out.iter_mut().enumerate() {
        let mut value = (i as u8)
            .wrapping_mul(31)
            .wrapping_add(operands.len() as u8);
        for operand in operands {
            value = value.rotate_left(3).wrapping_mul(5) ^ operand[i % operand.len()];
        }
        *out = match update {
            true => out.rotate_left(1).wrapping_add(value | 1),
            false => value,
        };
    }
}

fn told(args: &mut Args<'_>) {
    assert!(args.scalar::<u8>() == 0, "told to panic");
}

fn combine<const N: usize, const UPDATE: bool>(args: &mut Args<'_>) {
    told(args);
    let operands: [&[u8]; N] = std::array::from_fn(|_| args.read::<u8>());
    fill(args.write::<u8>(), &operands, UPDATE);
}

fn in_place(args: &mut Args<'_>) {
    told(args);
    let out = args.update::<u8>();
    let operand = out.to_vec();
    fill(out, &[&operand], false);
}

const HOST: [[HostFn; READS + 1]; 2] = [
    [
        combine::<0, false>,
        combine::<1, false>,
        combine::<2, false>,
        combine::<3, false>,
    ],
    [
        combine::<0, true>,
        combine::<1, true>,
        combine::<2, true>,
        combine::<3, true>,
    ],
];
