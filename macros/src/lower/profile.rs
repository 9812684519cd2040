//! The profile that a graph names, and what a kernel's code is known by.

use gpu_graph_analysis::digest::{Digest, Digester};
use gpu_graph_analysis::fault::Fault;
use gpu_graph_analysis::fault::profiles::{self, Named, Wrong};
use gpu_graph_analysis::policy::Metric;
use quote::ToTokens;

use super::cuda::Files;
use super::{Cx, KernelDecl, Launched, Lowered, file, text};
use crate::ast::{self, Cuda};
use crate::profile::{File, Of};

/// Reads the file that `graph` names; `None` where it names none, or something was reported.
pub fn profile(graph: &ast::Graph, cx: &mut Cx) -> Option<File> {
    let named = graph.declared.profile.as_ref()?;
    let (root, name) = (file::root()?, named.value());
    let fault = match file::text(&root.join(&name)) {
        Ok(text) => match File::read(&name, &text) {
            Ok(file) => return Some(file),
            Err(wrong) => profiles::wrong(self::named(graph, cx)?, &name, &wrong),
        },
        Err(error) => profiles::file(self::named(graph, cx)?, &name, &error.to_string()),
    };
    cx.errors.push(fault);
    None
}

/// What `lowered` is known by to a profile; `combinations` are all that its graph has.
pub fn of<'a>(
    lowered: &'a Lowered<'_>,
    source: Digest,
    combinations: &'a [String],
    kernels: &[KernelDecl<'_>],
) -> Of<'a> {
    let seen = lowered.kernels.iter().map(|kernel| match kernel {
        Launched::Here(k) => Some(text(&kernels[*k].ast.name)),
        Launched::Elsewhere(_) => None,
    });
    Of {
        source,
        combination: &lowered.combination,
        combinations,
        model: &lowered.model,
        args: &lowered.args,
        kernels: seen.collect(),
    }
}

/// The file that `graph` names contradicts it, or itself.
pub fn contradicts(graph: &ast::Graph, wrong: &Wrong, cx: &mut Cx) -> Option<Fault> {
    let path = graph.declared.profile.as_ref()?.value();
    Some(profiles::wrong(named(graph, cx)?, &path, wrong))
}

/// Where `graph` names a profile, if it does.
fn named(graph: &ast::Graph, cx: &mut Cx) -> Option<Named> {
    let declared = &graph.declared;
    let site = cx.sites.push(declared.profile.as_ref()?.span());
    let weighs = declared.minimize.as_ref().filter(|(minimize, _)| {
        let ast::Minimize::Weights(weights) = minimize else {
            return false;
        };
        weights.iter().any(|w| w.metric == Metric::CriticalPath)
    });
    Some(Named {
        site,
        weighs: weighs.map(|(_, word)| cx.sites.push(*word)),
    })
}

/// What the code of `kernel` is known by: its CUDA source with all that this includes, its
/// expression, and the paths of its host functions. What these do is not seen.
pub fn code(kernel: &ast::Kernel, includes: Option<&Files>) -> Digest {
    let mut digester = Digester::default();
    digester.text(kernel.kind.word());
    match &kernel.cuda {
        None => {}
        Some(Cuda::Text(text)) => digester.text(&text.value()),
        Some(Cuda::File(file)) => read(&mut digester, &file.value()),
    }
    for include in includes.into_iter().flatten() {
        read(&mut digester, include);
    }
    if let Some(formula) = &kernel.formula {
        digester.text(&formula.to_string());
    }
    let host = kernel.host.as_ref().map(|host| &host.path);
    let in_place = kernel.in_place.as_ref().map(|form| &form.path);
    for path in host.into_iter().chain(in_place) {
        // How tokens are spaced is the compiler's.
        let path = path.to_token_stream().to_string();
        digester.text(&path.split_whitespace().collect::<String>());
    }
    kernel
        .retains
        .iter()
        .for_each(|name| digester.text(&text(name)));
    digester.finish()
}

fn read(digester: &mut Digester, name: &str) {
    let path = file::root().map(|root| root.join(name));
    let path = path.filter(|path| file::plain(path).is_ok());
    // A file that cannot be read was reported, and nothing is built.
    let bytes = path.and_then(|path| std::fs::read(path).ok());
    let bytes = bytes.unwrap_or_default();
    digester.number(bytes.len() as u64);
    digester.bytes(&bytes);
}
