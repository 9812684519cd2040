//! Makes the kernels under `kernels`: every operator, cast and method at every type, and random
//! expressions of all of them. `UPDATE_KERNELS=1 cargo test --test formula` writes them anew.

use std::collections::BTreeMap;
use std::fmt::Write;

use super::operands::Numbers;

const INTEGERS: [&str; 8] = ["i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"];
const FLOATS: [&str; 4] = ["f32", "f64", "f16", "bf16"];
const EXACT: [&str; 6] = ["abs", "sqrt", "floor", "ceil", "trunc", "round"];
const ROUGH: [&str; 16] = [
    "exp", "exp2", "ln", "log2", "log10", "sin", "cos", "tan", "sinh", "cosh", "tanh", "asin",
    "acos", "atan", "atan2", "powf",
];

/// Every type.
pub fn types() -> impl Iterator<Item = &'static str> {
    INTEGERS.into_iter().chain(FLOATS)
}

fn is_float(ty: &str) -> bool {
    FLOATS.contains(&ty)
}

/// A file under construction.
struct File {
    kernels: String,
    cases: String,
    count: usize,
}

impl File {
    fn new() -> Self {
        Self {
            kernels: String::new(),
            cases: String::new(),
            count: 0,
        }
    }

    /// A kernel of `params`, each with a name, whether it is a tensor, and a type.
    fn kernel(&mut self, params: &[(String, bool, String)], result: &str, expression: &str) {
        let declared = params.iter().map(|(name, tensor, ty)| match tensor {
            true => format!("{name}: &[{ty}; n]"),
            false => format!("{name}: {ty}"),
        });
        let declared: Vec<_> = declared.collect();
        let kinds = params.iter().map(|(_, tensor, ty)| match tensor {
            true => format!("tensor {ty}"),
            false => format!("scalar {ty}"),
        });
        let kinds: Vec<_> = kinds.collect();
        let name = format!("k{}", self.count);
        self.count += 1;
        // Writing to a string never fails.
        let _ = writeln!(
            self.kernels,
            "    kernel {name}({}) -> [{result}; n] = {expression};",
            declared.join(", ")
        );
        let _ = writeln!(self.cases, "    {name}({}) -> {result};", kinds.join(", "));
    }

    fn tensors(&mut self, list: &[(&str, &str)], result: &str, expression: &str) {
        let params = list.iter();
        let params = params.map(|(name, ty)| ((*name).to_owned(), true, (*ty).to_owned()));
        let params: Vec<_> = params.collect();
        self.kernel(&params, result, expression);
    }

    fn text(&self, about: &str) -> String {
        format!(
            "//! {about} Made by `generate.rs`.\n\ngpu_graph::gpu_graph! {{\n{}}}\n\n\
             crate::case::cases! {{\n{}}}\n",
            self.kernels, self.cases
        )
    }
}

/// The text of each file by its name.
pub fn files() -> BTreeMap<String, String> {
    let mut files = BTreeMap::new();
    files.insert("operators".to_owned(), operators());
    files.insert("methods".to_owned(), methods());
    files.insert("casts".to_owned(), casts());
    files.insert("rough".to_owned(), rough());
    for part in 0..3 {
        files.insert(format!("random_{part}"), random(part));
    }
    files
}

fn operators() -> String {
    let mut file = File::new();
    for ty in types() {
        let all: &[&str] = if is_float(ty) {
            &["+", "-", "*", "/", "%"]
        } else {
            &["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"]
        };
        for operator in all {
            file.tensors(&[("x", ty), ("y", ty)], ty, &format!("x {operator} y"));
        }
        if !ty.starts_with('u') {
            file.tensors(&[("x", ty)], ty, "-x");
        }
        if !is_float(ty) {
            file.tensors(&[("x", ty)], ty, "!x");
        }
        let mut all = String::new();
        for (bit, operator) in ["==", "!=", "<", "<=", ">", ">="].iter().enumerate() {
            let join = if bit == 0 { "" } else { " | " };
            let value = 1 << bit;
            let _ = write!(
                all,
                "{join}if x {operator} y {{ {value}u8 }} else {{ 0u8 }}"
            );
        }
        file.tensors(&[("x", ty), ("y", ty)], "u8", &all);
        let joined = "if x < y && !(y == z) || z >= x { x } else { y }";
        file.tensors(&[("x", ty), ("y", ty), ("z", ty)], ty, joined);
    }
    file.text("Every operator at every type.")
}

fn methods() -> String {
    let mut file = File::new();
    for ty in types() {
        for method in ["min", "max"] {
            file.tensors(&[("x", ty), ("y", ty)], ty, &format!("x.{method}(y)"));
        }
        if is_float(ty) {
            for method in EXACT {
                file.tensors(&[("x", ty)], ty, &format!("x.{method}()"));
            }
            let three = [("x", ty), ("y", ty), ("z", ty)];
            file.tensors(&three, ty, "x.mul_add(y, z)");
        } else if ty.starts_with('i') {
            file.tensors(&[("x", ty)], ty, "x.abs()");
        }
    }
    file.text("Every exact method at every type.")
}

fn casts() -> String {
    let mut file = File::new();
    for from in types() {
        for to in types() {
            file.tensors(&[("x", from)], to, &format!("x as {to}"));
        }
    }
    file.text("Every cast.")
}

fn rough() -> String {
    let mut file = File::new();
    for ty in FLOATS {
        for method in ROUGH {
            if matches!(method, "atan2" | "powf") {
                file.tensors(&[("x", ty), ("y", ty)], ty, &format!("x.{method}(y)"));
            } else {
                file.tensors(&[("x", ty)], ty, &format!("x.{method}()"));
            }
        }
    }
    file.text("Every method with a tolerance.")
}

fn random(part: u64) -> String {
    let mut file = File::new();
    for ty in types() {
        for i in 0..4 {
            let seed = 1 + 1000 * part + 10 * file.count as u64 + i;
            let (params, expression) = expression(ty, 4, seed);
            file.kernel(&params, ty, &expression);
        }
    }
    file.text("Random expressions.")
}

/// Parameters of a kernel: the name, whether it is a tensor, the type.
pub type Params = Vec<(String, bool, String)>;

/// A random expression of type `ty`, at most `depth` deep, and the parameters that it names, of which
/// the first is a tensor.
pub fn expression(ty: &'static str, depth: usize, seed: u64) -> (Params, String) {
    let mut maker = Maker {
        numbers: Numbers::new(seed),
        params: Vec::new(),
    };
    loop {
        let expression = maker.number(ty, depth);
        if expression.len() >= 20 {
            return (maker.params, expression);
        }
        maker.params.clear();
    }
}

/// Makes one expression and the parameters that it names.
struct Maker {
    numbers: Numbers,
    params: Params,
}

impl Maker {
    fn ty(&mut self) -> &'static str {
        let types: Vec<_> = types().collect();
        types[self.numbers.below(types.len())]
    }

    fn leaf(&mut self, ty: &str) -> String {
        if self.numbers.below(6) == 0 && !self.params.is_empty() {
            return self.literal(ty);
        }
        let known = self.params.iter().filter(|(_, _, of)| of == ty);
        let known: Vec<_> = known.map(|(name, ..)| name.clone()).collect();
        if known.len() > 1 {
            return known[self.numbers.below(known.len())].clone();
        }
        // The first one is a tensor, so that there is a dim.
        let tensor = self.params.is_empty() || self.numbers.below(4) > 0;
        let name = format!("{}{}", if tensor { "x" } else { "s" }, self.params.len());
        self.params.push((name.clone(), tensor, ty.to_owned()));
        name
    }

    fn literal(&mut self, ty: &str) -> String {
        let small = self.numbers.below(100);
        let sign = if ty.starts_with('u') || self.numbers.below(2) == 0 {
            ""
        } else {
            "-"
        };
        match is_float(ty) {
            true => format!("({sign}{}.{}{ty})", small / 8, 125 * (small % 8)),
            false => format!("({sign}{small}{ty})"),
        }
    }

    /// An expression of type `ty`, with parentheses around it where it has operators.
    fn number(&mut self, ty: &'static str, depth: usize) -> String {
        if depth == 0 {
            return self.leaf(ty);
        }
        let float = is_float(ty);
        match self.numbers.below(12) {
            0 => self.leaf(ty),
            1 if !ty.starts_with('u') => format!("(-{})", self.number(ty, depth - 1)),
            2 if !float => format!("(!{})", self.number(ty, depth - 1)),
            3 | 4 => {
                let from = self.ty();
                format!("({} as {ty})", self.number(from, depth - 1))
            }
            5 => {
                let condition = self.condition(depth - 1);
                let (a, b) = (self.number(ty, depth - 1), self.number(ty, depth - 1));
                format!("(if {condition} {{ {a} }} else {{ {b} }})")
            }
            6 => {
                let method = if self.numbers.below(2) == 0 {
                    "min"
                } else {
                    "max"
                };
                let (a, b) = (self.number(ty, depth - 1), self.number(ty, depth - 1));
                format!("{a}.{method}({b})")
            }
            7 if float => {
                let method = EXACT[self.numbers.below(EXACT.len())];
                format!("{}.{method}()", self.number(ty, depth - 1))
            }
            8 if float => {
                let [a, b, c] = [0; 3].map(|_| self.number(ty, depth - 1));
                format!("{a}.mul_add({b}, {c})")
            }
            _ => {
                let all = ["+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>"];
                let all = if float { &all[..5] } else { &all[..] };
                let operator = all[self.numbers.below(all.len())];
                let (a, b) = (self.number(ty, depth - 1), self.number(ty, depth - 1));
                format!("({a} {operator} {b})")
            }
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        if depth > 0 && self.numbers.below(3) == 0 {
            let operator = if self.numbers.below(2) == 0 {
                "&&"
            } else {
                "||"
            };
            let (a, b) = (self.condition(depth - 1), self.condition(depth - 1));
            let not = if self.numbers.below(2) == 0 { "!" } else { "" };
            return format!("{not}({a} {operator} {b})");
        }
        let all = ["==", "!=", "<", "<=", ">", ">="];
        let operator = all[self.numbers.below(all.len())];
        let ty = self.ty();
        let depth = depth.saturating_sub(1);
        let (a, b) = (self.number(ty, depth), self.number(ty, depth));
        format!("({a} {operator} {b})")
    }
}
