//! What can be seen of a CUDA text without a compiler, which is only asked when it is loaded.
//!
//! Nothing is refused that a compiler could accept: a text that makes names by pasting, or that
//! includes what is not there, is left to it.

use std::collections::BTreeMap;

use gpu_graph_analysis::fault::{Edit, Fault, Part, closest, cuda};
use gpu_graph_analysis::model::Site;

use proc_macro2::Ident;

use super::{Cx, text};
use crate::ast::{self, Cuda, Extent, ParamType};
use crate::codegen::ascii;

/// An in-place form that a text cannot define, which is wrong where a plan takes it.
pub struct NoForm {
    /// The fault; with its mend where the text has a slip of the form.
    fault: Fault,
    /// What the form is called in the text.
    function: String,
    /// The operand of the form.
    operand: String,
    /// `in place x`.
    clause: Site,
}

impl NoForm {
    /// The fault of a plan that takes the form for the call at `task`, demanded by `aliases` there and
    /// wherever else it is.
    pub fn taken(&self, task: Site, aliases: &[Site]) -> Fault {
        let taken = match aliases {
            [] => "planned in place",
            _ => "in place, as `alias` demands",
        };
        let fault = self.fault.clone().label(task, taken);
        if !fault.fixes.is_empty() {
            return fault;
        }
        let (function, operand) = (&self.function, &self.operand);
        let define = format!("define `KERNEL({function}) {{ … }}` in it");
        let clause = Edit::remove(self.clause).of(Part::Entry);
        match aliases {
            [] => fault.fix(&format!("{define}, or drop `in place {operand}`"), [clause]),
            // Without the form no storage is shared.
            [alias] => {
                let words = format!("{define}, or drop `in place {operand}` and the `alias`");
                let alias = Edit::remove(*alias).of(Part::Statement);
                fault.fix(&words, [clause, alias])
            }
            _ => fault.help(define),
        }
    }
}

/// What texts call the functions of `kernel`.
pub fn functions(kernel: &ast::Kernel) -> impl Iterator<Item = String> {
    let name = ascii(&text(&kernel.name));
    let form = kernel.in_place.is_some().then(|| in_place(&name));
    [name].into_iter().chain(form)
}

fn in_place(name: &str) -> String {
    format!("{name}_in_place")
}

/// Reports that neither the text `own` of `kernel` nor what that includes, together `all`, can
/// define its function, and an `INDEX` of another number of indices than the index space has extents.
/// Gives what is wrong where a plan takes an in-place form that cannot be defined there either: one
/// that takes none needs none.
pub fn check(kernel: &ast::Kernel, own: &str, all: &str, cx: &mut Cx) -> Option<NoForm> {
    let (Cuda::File(literal) | Cuda::Text(literal)) = kernel.cuda.as_ref()?;
    let all = all.replace("\\\r\n", "").replace("\\\n", "");
    if kernel.broken || all.contains("##") {
        return None;
    }
    let name = ascii(&text(&kernel.name));
    if let Some(fault) = missing(kernel, &name, [own, &all], cx) {
        let mended = !fault.fixes.is_empty();
        cx.errors.push(match mended {
            true => fault,
            false => fault.help(format!("define `KERNEL({name}) {{ … }}` in it")),
        });
        return None;
    }
    if let Some((over, found)) = kernel.over.as_ref().zip(indices(own, &name))
        && found != over.extents.len()
    {
        let (site, declared) = (cx.sites.push(literal.span()), cx.sites.push(over.region));
        let name = text(&kernel.name);
        let wanted = over.extents.len();
        let fault = cuda::indices(site, &name, found, wanted, declared);
        cx.errors
            .push(fault.help(format!("name {wanted} in `INDEX(…)`")));
    }
    untold(kernel, &all, &name, cx);
    let form = kernel.in_place.as_ref()?;
    let function = in_place(&name);
    let fault = missing(kernel, &function, [own, &all], cx)?;
    let clause = cx.sites.push(form.region);
    Some(NoForm {
        fault: fault.label(clause, "of this form"),
        function,
        operand: text(&form.operand),
        clause,
    })
}

/// Reports each dim that the result alone has, where `function` in the text `all` cannot know it: its
/// index space has none of it, no word of the text is it, and no integer that it takes may be it.
fn untold(kernel: &ast::Kernel, all: &str, function: &str, cx: &mut Cx) {
    let scalar = |param: &ast::Param| match &param.ty {
        ParamType::Scalar(ty) => ty.elem.int_range().is_some(),
        ParamType::Ref(..) => false,
    };
    let written = named(all).any(|found| found == function);
    let (Some(result), Some(over), true) = (&kernel.result, &kernel.over, written) else {
        return;
    };
    if kernel.params.iter().any(scalar) {
        return;
    }
    let tensors = kernel.params.iter().filter_map(|param| match &param.ty {
        ParamType::Ref(_, tensor) => Some(tensor),
        ParamType::Scalar(_) => None,
    });
    let had = names(tensors.flat_map(|tensor| &tensor.extents));
    let constant = |name: &String, cx: &Cx| cx.consts.iter().any(|known| known.name == *name);
    let told = names(&over.extents);
    for (dim, at) in names(&result.extents) {
        // A name that C++ keeps for itself has `_` behind it.
        let word = ascii(&dim);
        let mut said = words(all).map(|found| found.strip_suffix('_').unwrap_or(found));
        if had.contains_key(&dim)
            || told.contains_key(&dim)
            || constant(&dim, cx)
            || said.any(|found| found == word)
        {
            continue;
        }
        let (site, over) = (cx.sites.push(&at), cx.sites.push(over.region));
        let known = had.keys().filter(|name| !constant(name, cx));
        let known: Vec<_> = known.map(String::as_str).collect();
        let fault = cuda::untold_dim(site, &text(&kernel.name), &dim, over, known);
        cx.errors.push(fault);
    }
}

/// The names in `extents`, each where it stands first.
fn names<'a>(extents: impl IntoIterator<Item = &'a Extent>) -> BTreeMap<String, Ident> {
    let mut found = BTreeMap::new();
    for extent in extents {
        extent.names(&mut |name| {
            found.entry(text(name)).or_insert_with(|| name.clone());
        });
    }
    found
}

/// The fault of a text without `function`: with its mend where the text has a slip of that.
fn missing(
    kernel: &ast::Kernel,
    function: &str,
    [own, all]: [&str; 2],
    cx: &mut Cx,
) -> Option<Fault> {
    let (Cuda::File(literal) | Cuda::Text(literal)) = kernel.cuda.as_ref()?;
    if words(all).any(|word| word == function) {
        return None;
    }
    let site = cx.sites.push(literal.span());
    let found: Vec<_> = named(own).collect();
    let fault = cuda::no_function(site, function, &found);
    // What is called like another kernel, or a form of one, is that.
    let free = found.iter().copied();
    let slip = closest(function, free.filter(|name| !cx.functions.contains(*name)));
    Some(match (slip, &kernel.cuda) {
        (Some(slip), Some(Cuda::Text(literal))) => {
            renamed(fault, site, &literal.token().to_string(), slip, function)
        }
        _ => fault,
    })
}

/// `fault`, mended by calling `slip` in the literal `written` what it should be called.
fn renamed(fault: Fault, site: Site, written: &str, slip: &str, function: &str) -> Fault {
    let parts: Vec<_> = written.split(slip).collect();
    let whole = |at: usize| {
        let letter = |c: char| c.is_alphanumeric() || c == '_';
        !parts[at].ends_with(letter) && !parts[at + 1].starts_with(letter)
    };
    let mut text = parts[0].to_owned();
    for (at, part) in parts.iter().enumerate().skip(1) {
        text.push_str(if whole(at - 1) { function } else { slip });
        text.push_str(part);
    }
    let words = format!("write `KERNEL({function})`");
    fault.fix(&words, [Edit::replace(site, text)])
}

/// Words as C++ reads them.
fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|c: char| !c.is_alphanumeric() && c != '_')
}

/// The names in `KERNEL(name)`.
fn named(text: &str) -> impl Iterator<Item = &str> {
    let behind = text.split("KERNEL(").skip(1);
    let names = behind.filter_map(|rest| rest.split_once(')'));
    names.map(|(name, _)| name.trim()).filter(|name| {
        let mut letters = name.chars();
        !name.is_empty() && letters.all(|c| c.is_alphanumeric() || c == '_')
    })
}

/// How many indices are declared where `KERNEL(name) { INDEX(…)` stands once, and for certain.
fn indices(text: &str, name: &str) -> Option<usize> {
    let odd = ["#if", "# if", "define INDEX", "//", "/*"];
    if odd.iter().any(|odd| text.contains(odd)) {
        return None;
    }
    let (_, rest) = text.split_once(&format!("KERNEL({name})"))?;
    if rest.contains(&format!("KERNEL({name})")) {
        return None;
    }
    let rest = rest.trim_start().strip_prefix('{')?.trim_start();
    let (list, _) = rest.strip_prefix("INDEX(")?.split_once(')')?;
    let plain = |c: char| c.is_alphanumeric() || c == '_' || c == ',' || c.is_whitespace();
    list.chars().all(plain).then(|| list.split(',').count())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_counted_where_they_cannot_be_mistaken() {
        assert_eq!(indices("KERNEL(f) {\n INDEX(i, j);", "f"), Some(2));
        assert_eq!(indices("KERNEL(f) { u32 k = 0; INDEX(i, j);", "f"), None);
        assert_eq!(indices("KERNEL(g) { INDEX(i); }", "f"), None);
        assert_eq!(indices("/* KERNEL(f) { INDEX(i); */", "f"), None);
        assert_eq!(indices("#if A\nKERNEL(f) { INDEX(i); }\n#endif", "f"), None);
    }

    #[test]
    fn functions_are_those_that_are_named() {
        let text = "KERNEL( f ) {} KERNEL(g){} #define K(x) KERNEL(x(1))";
        assert_eq!(named(text).collect::<Vec<_>>(), ["f", "g"]);
    }

    #[test]
    fn a_text_is_told_each_dim_that_only_its_result_has() {
        let faults = |rest: &str, over: &str, body: &str| -> Vec<String> {
            let program = format!(
                "const SIZE: usize = 8;
                kernel f(x: &[f32; n]{rest} {{
                    over [{over}], cuda r#\"KERNEL(f) {{ INDEX(i); {body} }}\"#, host host::f
                }}"
            );
            let tokens = program.parse().expect("the test's text is made of tokens");
            let (_, faults) = crate::expansion(&tokens, &mut Cx::default());
            faults.into_iter().map(|fault| fault.message).collect()
        };
        let copy = "out(i) = x(i);";
        let untold = ["nothing tells `f` the extent `m` of its result"];
        assert_eq!(faults(") -> [f32; m]", "n", copy), untold);
        assert_eq!(faults(", a: f32) -> [f32; m, n]", "n", copy), untold);
        for (rest, over, body) in [
            (") -> [f32; m]", "m", copy),
            (") -> [f32; m]", "n", "if (i < m) out(i) = x(i);"),
            (") -> [f32; float]", "n", "if (i < float_) out(i) = x(i);"),
            (", most: u32) -> [f32; m]", "n", copy),
            (", y: &[f32; m]) -> [f32; m]", "n", copy),
            (") -> [f32; SIZE]", "n", copy),
            (
                ") -> [f32; 2 * n]",
                "n",
                "out(2 * i) = out(2 * i + 1) = x(i);",
            ),
        ] {
            assert_eq!(faults(rest, over, body), [""; 0], "{rest} {over} {body}");
        }
    }
}
