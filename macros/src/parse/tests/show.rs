//! Syntax trees as text, every group in parentheses.

use gpu_graph_analysis::model::Class;
use quote::ToTokens;

use crate::ast::*;

fn join<T>(items: &[T], show: impl Fn(&T) -> String) -> String {
    items.iter().map(show).collect::<Vec<_>>().join(", ")
}

fn path(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

fn elem(ty: &ElemType) -> String {
    format!("{:?}", ty.elem).to_lowercase()
}

pub fn extent(e: &Extent) -> String {
    match &e.kind {
        ExtentKind::Int(int) => int.value.to_string(),
        ExtentKind::Name(name) => name.to_string(),
        ExtentKind::Neg(inner) => format!("(-{})", extent(inner)),
        ExtentKind::Binary(a, operator, b) => {
            let sign = match operator {
                Binary::Add => '+',
                Binary::Sub => '-',
                Binary::Mul => '*',
                Binary::Div => '/',
            };
            format!("({} {sign} {})", extent(a), extent(b))
        }
    }
}

fn tensor(t: &Tensor) -> String {
    format!("[{}; {}]", elem(&t.elem), join(&t.extents, extent))
}

fn effect(e: &Effect) -> &'static str {
    if e.mutable { "&mut " } else { "&" }
}

fn view(v: &View) -> String {
    let bound = |e: &Option<Extent>| e.as_ref().map(extent).unwrap_or_default();
    let range = |rows: &Option<RowRange>| match rows {
        Some(rows) => format!("[{}..{}]", bound(&rows.start), bound(&rows.end)),
        None => String::new(),
    };
    let mut text = v.name.to_string() + &range(&v.rows);
    if let Some(seen) = &v.seen {
        text += &format!(" as {}{}", tensor(&seen.shape), range(&seen.rows));
    }
    text
}

fn arg(a: &Arg) -> String {
    match &a.kind {
        ArgKind::Ref(e, v) => format!("{}{}", effect(e), view(v)),
        ArgKind::Extent(e) => extent(e),
        ArgKind::Literal(literal) => {
            let suffix = literal.suffix.as_ref().map(elem).unwrap_or_default();
            match &literal.value {
                Value::Int {
                    negative,
                    magnitude,
                } => {
                    let sign = if *negative { "-" } else { "" };
                    format!("#{sign}{magnitude}{suffix}")
                }
                Value::Float(text) => format!("#{text}{suffix}f"),
            }
        }
    }
}

fn call(c: &Call) -> String {
    let retains = join(&c.retains, |r| format!("{} until {}", r.name, r.until));
    let retains = match retains.is_empty() {
        true => retains,
        false => format!(" retains {retains}"),
    };
    format!("{}({}){retains}", path(&c.path), join(&c.args, arg))
}

fn head(attrs: &[Attr], label: &Option<syn::Lifetime>) -> String {
    let attrs: String = attrs.iter().map(|a| format!("@{} ", a.name)).collect();
    let label = label.as_ref().map(|l| format!("{l}: ")).unwrap_or_default();
    attrs + &label
}

fn constant(c: &Const) -> String {
    let head = head(&c.attrs, &None);
    let (ty, value) = c.is.as_ref().expect("it could be read");
    format!("{head}const {}: {} = {}", c.name, ty.name, extent(value))
}

fn stmt(stmt: &Stmt) -> String {
    match stmt {
        Stmt::Declare(d) => {
            let word = match d.class {
                Class::Input => "input",
                Class::InputMut => "input mut",
                Class::Transient => "let",
                Class::Output => "output",
                Class::Resident => "resident input",
                Class::Inout => "inout",
                Class::Workspace => "workspace",
                Class::Staging => "staging",
                Class::Escape => "escape",
                Class::Reconstructable => "recompute let",
            };
            let from = d.call.as_ref().map(|c| format!(" = {}", call(c)));
            let (head, mut ty) = (head(&d.attrs, &d.label), tensor(&d.tensor));
            if let Some(w) = &d.workspace {
                ty += &format!(" {:?} {:?}", w.content.0, w.sharing.0);
            }
            if let Some(domain) = &d.domain {
                ty += &format!(" in {domain}");
            }
            let ring = d.ring.map(|c| format!(" ring {}", c.count.value));
            let rest = ring.unwrap_or_default() + &from.unwrap_or_default();
            format!("{head}{word} {}: {ty}{rest}", d.name)
        }
        Stmt::Task(t) => {
            let place = t.place.as_ref().map(|p| format!("{} = ", view(p)));
            let head = head(&[], &t.label);
            format!("{head}{}{}", place.unwrap_or_default(), call(&t.call))
        }
        Stmt::Tail(t) => format!("{}{} !", head(&[], &t.label), call(&t.call)),
        Stmt::View(v) => format!("view {} = {}", v.name, view(&v.of)),
        Stmt::For(f) => {
            let dots = if f.range.inclusive { "..=" } else { ".." };
            let (start, end) = (extent(&f.range.start), extent(&f.range.end));
            let body = body(&f.body).replace('\n', "; ");
            format!("for {} in {start}{dots}{end} {{ {body} }}", f.var)
        }
        Stmt::Match(m) => {
            let arms = m.arms.iter().map(|arm| {
                let body = body(&arm.body).replace('\n', "; ");
                let value = arm.value.as_ref().map_or("_".to_owned(), |v| v.to_string());
                format!("{value} => {{ {body} }}")
            });
            format!(
                "match {} {{ {} }}",
                m.variant,
                arms.collect::<Vec<_>>().join(" ")
            )
        }
    }
}

pub fn body(b: &Body) -> String {
    let mut lines: Vec<_> = b.consts.iter().map(constant).collect();
    lines.extend(b.stmts.iter().map(stmt));
    for o in &b.orders {
        lines.push(format!("order {}", join(&o.labels, ToString::to_string)));
    }
    lines.extend(b.aliases.iter().map(|p| format!("alias {} {}", p.a, p.b)));
    lines.extend(
        b.separate
            .iter()
            .map(|p| format!("separate {} {}", p.a, p.b)),
    );
    lines.join("\n")
}

fn params(params: &[Param]) -> String {
    join(params, |p| {
        let ty = match &p.ty {
            ParamType::Scalar(ty) => elem(ty),
            ParamType::Ref(e, t) => format!("{}{}", effect(e), tensor(t)),
        };
        format!("{}: {ty}", p.name)
    })
}

pub fn stage(s: &Stage) -> String {
    let mut text = format!("stage {}({})", s.name, params(&s.params));
    if let Some(result) = &s.result {
        text += &format!(" -> {}", tensor(result));
    }
    format!("{text}\n{}", body(&s.body))
}

pub fn graph(g: &Graph) -> String {
    let mut lines = Vec::new();
    for d in &g.dims {
        let bound = |bound: &Option<Extent>| bound.as_ref().map(extent).unwrap_or_default();
        let dots = if d.inclusive { "..=" } else { ".." };
        let range = format!("{}{dots}{}", bound(&d.min), bound(&d.end));
        lines.push(format!("{}dim {} {range}", head(&d.attrs, &None), d.name));
    }
    for s in &g.scalars {
        lines.push(format!(
            "{}scalar {} {}{}",
            head(&s.attrs, &None),
            s.name,
            elem(&s.ty),
            if s.finite { " finite" } else { "" }
        ));
    }
    for v in &g.variants {
        let values = join(&v.values, |value| {
            format!("{}{}", head(&value.attrs, &None), value.name)
        });
        lines.push(format!(
            "{}variant {} {{ {values} }}",
            head(&v.attrs, &None),
            v.name
        ));
    }
    lines.extend(Some(body(&g.body)).filter(|body| !body.is_empty()));
    for e in &g.escapes {
        let owner = e
            .owner
            .as_ref()
            .map(|(_, word)| format!(" owned by {word}"));
        let owner = owner.unwrap_or_default();
        lines.push(format!("escape {} as {}{owner}", e.name, e.pointer));
    }
    lines.extend(g.stable.iter().map(|x| format!("stable address {x}")));
    lines.extend(g.budget.map(|b| format!("budget {}", b.bytes)));
    lines.extend(g.pipelined.map(|c| format!("pipelined {}", c.count.value)));
    let declared = &g.declared;
    lines.extend(declared.minimize.iter().map(|(m, _)| match m {
        Minimize::Order(list) => {
            let names: Vec<_> = list.iter().map(|(_, word)| word.to_string()).collect();
            format!("minimize {}", names.join(", then "))
        }
        Minimize::Weights(list) => {
            let each = list
                .iter()
                .map(|w| format!("{} ({} per {})", w.text, w.each, w.per));
            format!("minimize {}", each.collect::<Vec<_>>().join(" + "))
        }
    }));
    let profile = declared.profile.iter();
    lines.extend(profile.map(|p| format!("profile {}", p.value())));
    lines.extend(
        declared
            .scope
            .iter()
            .map(|s| format!("scope {}", s.value())),
    );
    lines.extend(
        declared
            .target
            .map(|(target, _)| format!("target {target}")),
    );
    lines.extend(declared.issue.map(|(issue, _)| format!("issue {issue}")));
    let tolerances = declared.tolerances.iter();
    lines.extend(tolerances.map(|t| format!("tolerance {} {}", t.output, t.text)));
    lines.extend(g.streams.map(|c| format!("streams {}", c.count.value)));
    lines.join("\n")
}

pub fn item_const(c: &Const) -> String {
    let vis = c.vis.to_token_stream().to_string();
    format!("{vis} {}", constant(c)).trim_start().to_owned()
}

pub fn kernel(k: &Kernel) -> String {
    let vis = k.vis.to_token_stream().to_string();
    let head = format!("{}{vis}", head(&k.attrs, &None));
    let word = match k.kind {
        KernelKind::Kernel => "",
        KernelKind::Callback => " callback",
        KernelKind::Collective => " collective",
        KernelKind::Opaque => " opaque",
    };
    let mut text = format!("{head}{word} {}({})", k.name, params(&k.params));
    if let Some(result) = &k.result {
        text += &format!(" -> {}", tensor(result));
    }
    if let Some(over) = &k.over {
        text += &format!("\nover {}", join(&over.extents, extent));
        if let Some(block) = &over.block {
            text += &format!(" block {}", join(&block.threads, |t| t.value.to_string()));
        }
    }
    match &k.cuda {
        Some(Cuda::File(file)) => text += &format!("\nfile {}", file.value()),
        Some(Cuda::Text(source)) => text += &format!("\ntext {}", source.value()),
        None => {}
    }
    if let Some(host) = &k.host {
        text += &format!("\nhost {}", path(&host.path));
    }
    if let Some(form) = &k.in_place {
        text += &format!("\nin place {} {}", form.operand, path(&form.path));
    }
    if let Some((cost, _)) = &k.cost {
        text += &format!("\ncost {}", cost.nanos);
    }
    for param in &k.zeroed {
        text += &format!("\nzeroed {param}");
    }
    if let Some(shared) = &k.shared {
        text += &format!("\nshared {}", shared.bytes);
    }
    for name in &k.retains {
        text += &format!("\nretains {name}");
    }
    if k.completion.is_some() {
        text += "\ncompletion unknown";
    }
    text.trim_start().to_owned()
}
