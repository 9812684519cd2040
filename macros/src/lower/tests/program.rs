//! Programs of nested stages, loops and variants, as trees and as text.

use std::fmt::Write;

/// Rows: `r + add`, or `add` alone.
#[derive(Clone, Debug, PartialEq)]
pub struct Len {
    pub dim: bool,
    pub add: i64,
}

/// `x[start..end]`, or all of `x`; text over constants, variables and dims.
#[derive(Clone, Debug)]
pub struct View {
    pub name: String,
    pub rows: Option<(String, String)>,
    /// `x` is flat, and each row of it `w` elements.
    pub flat: bool,
    /// The rows that it is seen as, text likewise.
    pub shape: Option<String>,
}

#[derive(Clone, Debug)]
pub enum Arg {
    Ref(bool, View),
    Scalar(String),
}

#[derive(Clone, Debug)]
pub struct Call {
    pub name: String,
    pub args: Vec<Arg>,
}

#[derive(Clone, Debug)]
pub enum Stmt {
    Const(String, String),
    Let(Option<String>, String, Len, Call),
    Into(Option<String>, View, Call),
    Call(Option<String>, Call),
    Tail(Call),
    /// Variable, start, end, whether it includes the end.
    For(String, String, String, bool, Vec<Stmt>),
    /// A variant, and for each arm its value, or `None` for `_`.
    Match(usize, Vec<(Option<usize>, Vec<Stmt>)>),
    /// A name for a view, flat, and its rows.
    Flat(String, View, Len),
    Order(String, String),
    Separate(String, String),
}

#[derive(Clone, Debug)]
pub struct Stage {
    pub name: String,
    /// Name, whether `&mut`, rows.
    pub tensors: Vec<(String, bool, Len)>,
    pub scalar: Option<String>,
    pub result: Option<Len>,
    pub body: Vec<Stmt>,
}

/// Stages, each calling those before it, and the statements of the graph.
pub struct Program {
    pub stages: Vec<Stage>,
    pub graph: Vec<Stmt>,
    /// The graph has [`VARIANTS`].
    pub variants: bool,
}

/// Variants and their values.
pub const VARIANTS: [(&str, &[&str]); 2] = [("mode", &["p", "q"]), ("sort", &["u", "v", "w"])];

pub const ITEMS: &str = "
const TWO: usize = 2;
const FOUR: usize = 2 * TWO;
kernel copy(x: &[f32; r, w]) -> [f32; r, w] { host k::copy }
kernel add(x: &[f32; r, w], y: &[f32; r, w]) -> [f32; r, w] { host k::add, in place x host k::add_to }
kernel bump(x: &mut [f32; r, w], by: u32) { over [r], host k::bump }
";

impl Program {
    pub fn text(&self) -> String {
        let mut text = ITEMS.to_owned();
        for stage in &self.stages {
            let mut params: Vec<_> = stage
                .tensors
                .iter()
                .map(|(name, mutable, len)| {
                    let effect = if *mutable { "&mut " } else { "&" };
                    format!("{name}: {effect}[f32; {}, w]", len.text("r"))
                })
                .collect();
            params.extend(stage.scalar.as_ref().map(|name| format!("{name}: u32")));
            let result = stage
                .result
                .as_ref()
                .map(|len| format!(" -> [f32; {}, w]", len.text("r")));
            let (params, result) = (params.join(", "), result.unwrap_or_default());
            let _ = writeln!(text, "stage {}({params}){result} {{", stage.name);
            print(&mut text, &stage.body, "r");
            text += "}\n";
        }
        text + &graph(&{
            let mut body = String::new();
            for (name, values) in VARIANTS.iter().filter(|_| self.variants) {
                let _ = writeln!(body, "variant {name} {{ {} }}", values.join(", "));
            }
            print(&mut body, &self.graph, "h");
            // None is left without a `match`.
            for (name, _) in VARIANTS.iter().filter(|_| self.variants) {
                let _ = writeln!(body, "match {name} {{ _ => {{}} }}");
            }
            body
        })
    }
}

/// The graph with these statements.
pub fn graph(statements: &str) -> String {
    format!(
        "graph G {{ dim h in FOUR..=64; dim w in 1..=8; scalar s: u32;\n\
         let a: [f32; h, w]; let b: [f32; h, w];\n{statements}bump(&mut a, s); }}"
    )
}

impl Len {
    /// Over the dim called so.
    pub fn text(&self, dim: &str) -> String {
        match (self.dim, self.add) {
            (true, add) => format!("{dim} + {add}").replace("+ -", "- "),
            (false, add) => add.to_string(),
        }
    }
}

fn print(text: &mut String, stmts: &[Stmt], dim: &str) {
    let head = |label: &Option<String>| label.as_ref().map_or(String::new(), |l| format!("{l}: "));
    for stmt in stmts {
        let _ = match stmt {
            Stmt::Const(name, value) => writeln!(text, "const {name}: u32 = {value};"),
            Stmt::Let(label, name, len, call) => {
                let (label, len) = (head(label), len.text(dim));
                writeln!(text, "{label}let {name}: [f32; {len}, w] = {call};")
            }
            Stmt::Into(label, place, call) => writeln!(text, "{}{place} = {call};", head(label)),
            Stmt::Call(label, call) => writeln!(text, "{}{call};", head(label)),
            Stmt::Tail(call) => writeln!(text, "{call}"),
            Stmt::For(var, start, end, inclusive, body) => {
                let dots = if *inclusive { "..=" } else { ".." };
                let _ = writeln!(text, "for {var} in {start}{dots}{end} {{");
                print(text, body, dim);
                writeln!(text, "}}")
            }
            Stmt::Match(variant, arms) => {
                let (name, values) = VARIANTS[*variant];
                let _ = writeln!(text, "match {name} {{");
                for (value, body) in arms {
                    let _ = writeln!(text, "{} => {{", value.map_or("_", |value| values[value]));
                    print(text, body, dim);
                    text.push_str("}\n");
                }
                writeln!(text, "}}")
            }
            Stmt::Flat(name, of, len) => {
                let len = len.text(dim);
                writeln!(text, "view {name} = &{of} as [f32; ({len}) * w];")
            }
            Stmt::Order(a, b) => writeln!(text, "order {a} -> {b};"),
            Stmt::Separate(a, b) => writeln!(text, "separate {a}, {b};"),
        };
    }
}

impl std::fmt::Display for View {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let bound = |text: &str| match self.flat && !text.is_empty() {
            true => format!("({text}) * w"),
            false => text.to_owned(),
        };
        f.write_str(&self.name)?;
        if let Some((start, end)) = &self.rows {
            write!(f, "[{}..{}]", bound(start), bound(end))?;
        }
        match &self.shape {
            Some(rows) => write!(f, " as [f32; {rows}, w]"),
            None => Ok(()),
        }
    }
}

impl std::fmt::Display for Call {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let args: Vec<_> = self
            .args
            .iter()
            .map(|arg| match arg {
                Arg::Ref(true, view) => format!("&mut {view}"),
                Arg::Ref(false, view) => format!("&{view}"),
                Arg::Scalar(text) => text.clone(),
            })
            .collect();
        write!(f, "{}({})", self.name, args.join(", "))
    }
}
