//! Random programs in which everything is in order.

use super::program::{Arg, Call, Len, Program, Stage, Stmt, VARIANTS, View};

/// Numbers that look random and are the same in every run.
pub struct Numbers(pub u64);

impl Numbers {
    pub fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) as usize % end
    }

    fn pick<'a, T>(&mut self, from: &'a [T]) -> &'a T {
        &from[self.below(from.len())]
    }
}

/// Rows that every dim and every parameter has at least.
const LEAST: i64 = 4;

/// A name, its rows, whether it can be written, and whether it is flat.
type Var = (String, Len, bool, bool);

struct Generator<'a> {
    numbers: &'a mut Numbers,
    stages: &'a [Stage],
    vars: Vec<Var>,
    /// Constants and variables, each below [`LEAST`].
    consts: Vec<String>,
    scalars: Vec<String>,
    dim: &'static str,
    depth: usize,
    /// What is settled of each variant, and cannot be matched again; empty without any.
    settled: Vec<bool>,
}

/// A random program.
pub fn random(numbers: &mut Numbers) -> Program {
    program(numbers, &[])
}

/// A random program with variants.
pub fn with_variants(numbers: &mut Numbers) -> Program {
    program(numbers, &[false; VARIANTS.len()])
}

fn program(numbers: &mut Numbers, settled: &[bool]) -> Program {
    let mut stages = Vec::new();
    for i in 0..numbers.below(4) {
        let stage = stage(numbers, &stages, i, settled);
        stages.push(stage);
    }
    let mut generator = Generator::new(numbers, &stages, "h");
    generator.settled = settled.to_vec();
    for name in ["a", "b"] {
        generator
            .vars
            .push((name.to_owned(), Len { dim: true, add: 0 }, true, false));
    }
    generator.scalars.push("s".to_owned());
    let count = 4 + generator.numbers.below(8);
    let graph = generator.block(count);
    let variants = !settled.is_empty();
    Program {
        stages,
        graph,
        variants,
    }
}

fn stage(numbers: &mut Numbers, before: &[Stage], index: usize, settled: &[bool]) -> Stage {
    let mut generator = Generator::new(numbers, before, "r");
    generator.settled = settled.to_vec();
    // The first one binds `r`.
    let mut tensors = vec![(
        "x".to_owned(),
        generator.numbers.below(2) == 0,
        Len { dim: true, add: 0 },
    )];
    if generator.numbers.below(2) == 0 {
        let len = match generator.numbers.below(2) {
            0 => Len { dim: true, add: 0 },
            _ => Len {
                dim: false,
                add: LEAST,
            },
        };
        tensors.push(("y".to_owned(), generator.numbers.below(2) == 0, len));
    }
    let scalar = (generator.numbers.below(2) == 0).then(|| "s".to_owned());
    generator.scalars.extend(scalar.clone());
    for (name, mutable, len) in &tensors {
        generator
            .vars
            .push((name.clone(), len.clone(), *mutable, false));
    }
    let count = 1 + generator.numbers.below(4);
    let mut body = generator.block(count);
    // What a stage takes it uses.
    for (name, _, len) in &tensors {
        let all = View::all(name.clone());
        let call = Call {
            name: "copy".to_owned(),
            args: vec![Arg::Ref(false, all)],
        };
        body.push(Stmt::Let(None, format!("{name}_copy"), len.clone(), call));
    }
    if let Some(scalar) = &scalar {
        let all = View::all("x_copy".to_owned());
        let call = Call {
            name: "bump".to_owned(),
            args: vec![Arg::Ref(true, all), Arg::Scalar(scalar.clone())],
        };
        body.push(Stmt::Call(None, call));
    }
    let mut result = None;
    if generator.numbers.below(2) == 0 {
        let (call, len) = generator.result();
        body.push(Stmt::Tail(call));
        result = Some(len);
    }
    Stage {
        name: format!("stage{index}"),
        tensors,
        scalar,
        result,
        body,
    }
}

impl<'a> Generator<'a> {
    fn new(numbers: &'a mut Numbers, stages: &'a [Stage], dim: &'static str) -> Self {
        let consts = vec![
            "0".to_owned(),
            "1".to_owned(),
            "TWO".to_owned(),
            "FOUR - 1".to_owned(),
        ];
        Self {
            numbers,
            stages,
            vars: Vec::new(),
            consts,
            scalars: Vec::new(),
            dim,
            depth: 0,
            settled: Vec::new(),
        }
    }

    /// A `match` over a variant that is not settled.
    fn choose(&mut self) -> Option<Stmt> {
        let open = (0..self.settled.len()).filter(|v| !self.settled[*v]);
        let open: Vec<_> = open.collect();
        if open.is_empty() {
            return None;
        }
        let variant = *self.numbers.pick(&open);
        let count = VARIANTS[variant].1.len();
        let own = self.numbers.below(count + 1);
        let values = (0..own).map(Some).chain((own < count).then_some(None));
        self.settled[variant] = true;
        let arms = values.map(|value| {
            let count = self.numbers.below(4);
            (value, self.block(count))
        });
        let arms = arms.collect();
        self.settled[variant] = false;
        Some(Stmt::Match(variant, arms))
    }

    fn block(&mut self, count: usize) -> Vec<Stmt> {
        let (vars, consts) = (self.vars.len(), self.consts.len());
        self.depth += 1;
        let (mut stmts, mut labels, mut used) = (Vec::new(), Vec::new(), 0);
        for i in 0..count {
            // No name that is visible is declared again, but siblings share names.
            let fresh = format!("v{}_{i}", self.depth);
            let label = (self.numbers.below(3) == 0).then(|| format!("'l{}_{i}", self.depth));
            if !self.settled.is_empty() && self.depth < 4 && self.numbers.below(4) == 0 {
                stmts.extend(self.choose());
                continue;
            }
            let stmt = match self.numbers.below(10) {
                0 => {
                    let value = self.numbers.pick(&self.consts).clone();
                    self.consts.push(fresh.to_uppercase());
                    stmts.push(Stmt::Const(fresh.to_uppercase(), value));
                    continue;
                }
                1 | 2 if self.depth < 4 => {
                    let (start, end, inclusive) = match self.numbers.below(4) {
                        0 => ("0", "TWO", false),
                        1 => ("1", "FOUR - TWO", true),
                        2 => ("TWO", "FOUR", false),
                        _ => ("1", "1", false),
                    };
                    self.consts.push(fresh.clone());
                    let count = 1 + self.numbers.below(3);
                    let body = self.block(count);
                    self.consts.pop();
                    stmts.push(Stmt::For(
                        fresh,
                        start.to_owned(),
                        end.to_owned(),
                        inclusive,
                        body,
                    ));
                    continue;
                }
                3 | 4 => {
                    let (call, len) = self.result();
                    self.vars.push((fresh.clone(), len.clone(), true, false));
                    Stmt::Let(label.clone(), fresh, len, call)
                }
                5 | 6 => {
                    let (call, len) = self.result();
                    let Some(place) = self.place(&len) else {
                        continue;
                    };
                    Stmt::Into(label.clone(), place, call)
                }
                7 => {
                    let Some((place, _)) = self.view(true) else {
                        continue;
                    };
                    let args = vec![Arg::Ref(true, place), self.scalar()];
                    Stmt::Call(
                        label.clone(),
                        Call {
                            name: "bump".to_owned(),
                            args,
                        },
                    )
                }
                8 if self.numbers.below(2) == 0 => {
                    let Some(view) = self.flat(&label, &fresh, &mut stmts) else {
                        continue;
                    };
                    view
                }
                _ => match self.stage(false) {
                    Some((call, _)) => Stmt::Call(label.clone(), call),
                    None => continue,
                },
            };
            stmts.push(stmt);
            labels.extend(label);
            if self.numbers.below(8) == 0 && self.vars.len() > 1 {
                let named = self.vars.iter().filter(|v| !v.3).map(|v| &v.0);
                let named: Vec<_> = named.collect();
                let (a, b) = (self.numbers.pick(&named), self.numbers.pick(&named));
                stmts.push(Stmt::Separate((*a).clone(), (*b).clone()));
            }
            if labels.len() > used + 1 {
                used = labels.len() - 1;
                stmts.push(Stmt::Order(labels[used - 1].clone(), labels[used].clone()));
            }
        }
        self.depth -= 1;
        self.vars.truncate(vars);
        self.consts.truncate(consts);
        stmts
    }

    /// A call with a result, and the rows of that.
    fn result(&mut self) -> (Call, Len) {
        if self.numbers.below(2) == 0
            && let Some((call, Some(len))) = self.stage(true)
        {
            return (call, len);
        }
        let (x, len) = self.view(false).expect("there is always something to read");
        let y = self.find(&len, false);
        let mut args = vec![Arg::Ref(false, x)];
        let name = match y {
            Some(y) if self.numbers.below(2) == 0 => {
                args.push(Arg::Ref(false, y));
                "add"
            }
            _ => "copy",
        };
        (
            Call {
                name: name.to_owned(),
                args,
            },
            len,
        )
    }

    /// A call of a stage, with a result or without.
    fn stage(&mut self, result: bool) -> Option<(Call, Option<Len>)> {
        let stages = self.stages.iter().filter(|s| s.result.is_some() == result);
        let stages: Vec<_> = stages.collect();
        if stages.is_empty() {
            return None;
        }
        let stage = *self.numbers.pick(&stages);
        let mut args = Vec::new();
        // What `r` is.
        let mut bound: Option<Len> = None;
        for (_, mutable, len) in &stage.tensors {
            let place = match (&bound, len.dim) {
                (None, true) => {
                    let (view, len) = self
                        .view(*mutable)
                        .filter(|(_, len)| len.least() >= LEAST)?;
                    bound = Some(len);
                    view
                }
                (Some(bound), true) => self.find(&bound.clone(), *mutable)?,
                (_, false) => self.find(len, *mutable)?,
            };
            args.push(Arg::Ref(*mutable, place));
        }
        if stage.scalar.is_some() {
            args.push(self.scalar());
        }
        let bound = bound?;
        let len = stage.result.as_ref().map(|len| match len.dim {
            true => Len {
                dim: bound.dim,
                add: bound.add + len.add,
            },
            false => len.clone(),
        });
        Some((
            Call {
                name: stage.name.clone(),
                args,
            },
            len,
        ))
    }

    fn scalar(&mut self) -> Arg {
        let mut all = self.consts.clone();
        all.extend(self.scalars.clone());
        all.push(format!("{} + 1", self.dim));
        all.push(self.dim.to_owned());
        Arg::Scalar(self.numbers.pick(&all).clone())
    }

    /// Names some rows, flat, and copies them from under that name.
    fn flat(&mut self, label: &Option<String>, name: &str, stmts: &mut Vec<Stmt>) -> Option<Stmt> {
        let (of, len) = self.view(false)?;
        let of = View { shape: None, ..of };
        if of.flat {
            return None; // it is
        }
        let writable = self.vars.iter().any(|v| v.0 == of.name && v.2);
        stmts.push(Stmt::Flat(name.to_owned(), of, len.clone()));
        self.vars
            .push((name.to_owned(), len.clone(), writable, true));
        let all = View {
            flat: true,
            shape: Some(len.text(self.dim)),
            ..View::all(name.to_owned())
        };
        let call = Call {
            name: "copy".to_owned(),
            args: vec![Arg::Ref(false, all)],
        };
        let copy = format!("{name}_copy");
        self.vars.push((copy.clone(), len.clone(), true, false));
        Some(Stmt::Let(label.clone(), copy, len, call))
    }

    /// Some rows of something, perhaps under other extents.
    fn view(&mut self, write: bool) -> Option<(View, Len)> {
        let (mut view, len) = self.rows(write, true)?;
        if view.flat || self.numbers.below(4) == 0 {
            view.shape = Some(len.text(self.dim));
        }
        Some((view, len))
    }

    /// Some rows of something, perhaps of what is flat.
    fn rows(&mut self, write: bool, flat: bool) -> Option<(View, Len)> {
        let vars = self.vars.iter();
        let vars: Vec<Var> = vars
            .filter(|v| (v.2 || !write) && (flat || !v.3))
            .cloned()
            .collect();
        if vars.is_empty() {
            return None;
        }
        let (name, len, _, flat) = self.numbers.pick(&vars).clone();
        let least = len.least();
        let (rows, len) = match self.numbers.below(5) {
            0 if least >= LEAST => {
                let start = self.numbers.pick(&self.consts).clone();
                let end = format!("{start} + 1");
                (Some((start, end)), Len { dim: false, add: 1 })
            }
            1 if least > 1 => {
                let (dim, add) = (len.dim, len.add - 1);
                (Some(("1".to_owned(), String::new())), Len { dim, add })
            }
            2 if least >= LEAST => {
                let (dim, add) = (false, LEAST);
                (Some((String::new(), "FOUR".to_owned())), Len { dim, add })
            }
            3 => (Some((String::new(), String::new())), len),
            _ => (None, len),
        };
        let view = View {
            rows,
            flat,
            ..View::all(name)
        };
        Some((view, len))
    }

    /// What can take a result of so many rows.
    fn place(&mut self, len: &Len) -> Option<View> {
        let mut found = (0..8).filter_map(|_| self.rows(true, false));
        found.find(|(_, found)| found == len).map(|(view, _)| view)
    }

    /// Something with as many rows.
    fn find(&mut self, len: &Len, write: bool) -> Option<View> {
        for _ in 0..8 {
            if let Some((view, found)) = self.view(write)
                && found == *len
            {
                return Some(view);
            }
        }
        None
    }
}

impl View {
    fn all(name: String) -> Self {
        Self {
            name,
            rows: None,
            flat: false,
            shape: None,
        }
    }
}

impl Len {
    fn least(&self) -> i64 {
        self.add + if self.dim { LEAST } else { 0 }
    }
}
