//! An interpreter of programs that writes down each call it meets: the meaning of loops and stages
//! said a second time, over text.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::program::{Arg, Call, ITEMS, Program, Stage, Stmt, View, graph};

/// Rows of a flat resource, as text; all of them without.
#[derive(Clone)]
struct Place {
    flat: String,
    rows: Option<(String, String)>,
    /// How many rows that is.
    len: String,
}

/// What names stand for, innermost last. Text that a name is replaced by is in parentheses.
#[derive(Clone, Default)]
struct Scope {
    numbers: BTreeMap<String, String>,
    places: BTreeMap<String, Place>,
    labels: BTreeMap<String, Vec<usize>>,
    result: Option<Place>,
}

pub struct Flattened {
    pub text: String,
    pub tasks: usize,
    stages: BTreeMap<String, Stage>,
    declared: usize,
    demands: String,
    /// The value of each variant.
    choice: Vec<usize>,
}

/// The program as a graph without stages, loops, variants and constants of its own, where these
/// values of its variants are chosen.
pub fn flatten(program: &Program, choice: &[usize]) -> Flattened {
    let mut flat = Flattened {
        text: String::new(),
        tasks: 0,
        stages: program
            .stages
            .iter()
            .map(|s| (s.name.clone(), s.clone()))
            .collect(),
        declared: 0,
        demands: String::new(),
        choice: choice.to_vec(),
    };
    let mut scope = Scope::default();
    for (name, value) in [("TWO", "2"), ("FOUR", "4"), ("h", "h"), ("s", "s")] {
        scope.numbers.insert(name.to_owned(), value.to_owned());
    }
    for name in ["a", "b"] {
        let place = Place {
            flat: name.to_owned(),
            rows: None,
            len: "h".to_owned(),
        };
        scope.places.insert(name.to_owned(), place);
    }
    flat.block(&program.graph, scope);
    let statements = format!("{}{}", flat.text, flat.demands);
    flat.text = format!("{ITEMS}{}", graph(&statements));
    flat
}

impl Flattened {
    fn block(&mut self, stmts: &[Stmt], mut scope: Scope) {
        // Constants are in scope everywhere in their block.
        for stmt in stmts {
            if let Stmt::Const(name, value) = stmt {
                let value = scope.number(value);
                scope.numbers.insert(name.clone(), value);
            }
        }
        for stmt in stmts {
            match stmt {
                Stmt::Const(..) => {}
                Stmt::Let(label, name, len, call) => {
                    let len = scope.number(&len.text(if scope.numbers.contains_key("r") {
                        "r"
                    } else {
                        "h"
                    }));
                    let flat = format!("t{}", self.declared);
                    self.declared += 1;
                    let _ = writeln!(self.text, "let {flat}: [f32; {len}, w];");
                    let place = Place {
                        flat,
                        rows: None,
                        len,
                    };
                    scope.places.insert(name.clone(), place.clone());
                    self.labelled(label, call, Some(place), &mut scope);
                }
                Stmt::Into(label, view, call) => {
                    let place = scope.view(view);
                    self.labelled(label, call, Some(place), &mut scope);
                }
                Stmt::Call(label, call) => self.labelled(label, call, None, &mut scope),
                Stmt::Tail(call) => {
                    let place = scope.result.clone();
                    self.labelled(&None, call, place, &mut scope);
                }
                Stmt::For(var, start, end, inclusive, body) => {
                    let bound = |text: &str| eval(&scope.number(text));
                    let (start, end) = (bound(start), bound(end) + i64::from(*inclusive));
                    for value in start..end {
                        let mut inner = scope.clone();
                        inner.numbers.insert(var.clone(), value.to_string());
                        self.block(body, inner);
                    }
                }
                Stmt::Match(variant, arms) => {
                    let chosen = Some(self.choice[*variant]);
                    let arm = arms.iter().find(|(value, _)| *value == chosen);
                    let arm = arm.or_else(|| arms.iter().find(|(value, _)| value.is_none()));
                    let (_, body) = arm.expect("each value has an arm");
                    self.block(body, scope.clone());
                }
                Stmt::Flat(name, of, _) => {
                    let place = scope.view(of);
                    scope.places.insert(name.clone(), place);
                }
                Stmt::Order(..) | Stmt::Separate(..) => {}
            }
        }
        for stmt in stmts {
            match stmt {
                Stmt::Order(a, b) => {
                    for a in &scope.labels[a] {
                        for b in &scope.labels[b] {
                            let _ = writeln!(self.demands, "order 'k{a} -> 'k{b};");
                        }
                    }
                }
                Stmt::Separate(a, b) => {
                    let (a, b) = (&scope.places[a].flat, &scope.places[b].flat);
                    let _ = writeln!(self.demands, "separate {a}, {b};");
                }
                _ => {}
            }
        }
    }

    fn labelled(
        &mut self,
        label: &Option<String>,
        call: &Call,
        place: Option<Place>,
        scope: &mut Scope,
    ) {
        let first = self.tasks;
        self.call(call, place, scope);
        if let Some(label) = label {
            scope
                .labels
                .insert(label.clone(), (first..self.tasks).collect());
        }
    }

    fn call(&mut self, call: &Call, place: Option<Place>, scope: &Scope) {
        if let Some(stage) = self.stages.get(&call.name).cloned() {
            let mut inner = Scope {
                result: place,
                ..Scope::default()
            };
            for (name, value) in [("TWO", "2"), ("FOUR", "4")] {
                inner.numbers.insert(name.to_owned(), value.to_owned());
            }
            let names = stage.tensors.iter().map(|t| &t.0).chain(&stage.scalar);
            for (name, arg) in names.zip(&call.args) {
                match arg {
                    Arg::Ref(_, view) => {
                        let place = scope.view(view);
                        // The first tensor has `r` alone as its rows.
                        let len = inner.numbers.entry("r".to_owned());
                        len.or_insert(format!("({})", place.len));
                        inner.places.insert(name.clone(), place);
                    }
                    Arg::Scalar(text) => {
                        let value = scope.number(text);
                        inner.numbers.insert(name.clone(), value);
                    }
                }
            }
            return self.block(&stage.body, inner);
        }
        let args: Vec<_> = call
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Ref(mutable, view) => {
                    let effect = if *mutable { "&mut " } else { "&" };
                    format!("{effect}{}", scope.view(view).text())
                }
                Arg::Scalar(text) => scope.number(text),
            })
            .collect();
        let into = place.map_or(String::new(), |place| format!("{} = ", place.text()));
        let _ = writeln!(
            self.text,
            "'k{}: {into}{}({});",
            self.tasks,
            call.name,
            args.join(", ")
        );
        self.tasks += 1;
    }
}

impl Place {
    fn text(&self) -> String {
        match &self.rows {
            None => self.flat.clone(),
            Some((start, end)) => format!("{}[{start}..{end}]", self.flat),
        }
    }
}

impl Scope {
    /// The text with names replaced by what they stand for.
    fn number(&self, text: &str) -> String {
        let words = text.split(' ').map(|word| match self.numbers.get(word) {
            Some(value) if value.contains(' ') => format!("({value})"),
            Some(value) => value.clone(),
            None => word.to_owned(),
        });
        words.collect::<Vec<_>>().join(" ")
    }

    fn view(&self, view: &View) -> Place {
        let of = self.places[&view.name].clone();
        let Some((start, end)) = &view.rows else {
            return of;
        };
        if start.is_empty() && end.is_empty() {
            return of;
        }
        let start = if start.is_empty() {
            "0".to_owned()
        } else {
            self.number(start)
        };
        let end = if end.is_empty() {
            of.len.clone()
        } else {
            self.number(end)
        };
        let base = of.rows.as_ref().map_or("0", |(base, _)| base);
        Place {
            rows: Some((
                format!("({base}) + ({start})"),
                format!("({base}) + ({end})"),
            )),
            len: format!("({end}) - ({start})"),
            flat: of.flat,
        }
    }
}

/// The value of a sum.
fn eval(text: &str) -> i64 {
    let (mut sum, mut sign) = (0, 1);
    for word in text.replace(['(', ')'], "").split(' ') {
        match word {
            "+" => sign = 1,
            "-" => sign = -1,
            number => sum += sign * number.parse::<i64>().expect("a number"),
        }
    }
    sum
}
