//! Kernels as the analysis sees them.

use gpu_graph_analysis::calls::{self, InPlace, KernelDim, Over, Param, ParamKind, Shared, Tensor};
use gpu_graph_analysis::digest::Digest;
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::fault::escapes;
use gpu_graph_analysis::fault::names::{self, Kind};
use gpu_graph_analysis::fault::raw;
use gpu_graph_analysis::formula::Formula;
use gpu_graph_analysis::model::KernelKind;
use proc_macro2::Ident;

use super::cuda::{self, Files};
use super::cuda_text::{self, NoForm};
use super::names::Names;
use super::workspace::zeroed;
use super::{Cx, extent, formula, host, profile, text};
use crate::ast;

/// A kernel and what became of it.
pub struct KernelDecl<'a> {
    /// As it was written.
    pub ast: &'a ast::Kernel,
    /// Its dims in order of first use, each as it is first written.
    pub dims: Vec<Ident>,
    /// The files of its CUDA source; `None` where the source cannot be read.
    pub files: Option<Files>,
    /// What is wrong where a plan takes its in-place form, if its CUDA text has none.
    pub no_form: Option<NoForm>,
    /// What its code is known by.
    pub code: Digest,
    /// What calls are checked against; `None` where the kernel was refused.
    pub signature: Option<calls::Kernel>,
    /// The meaning of its expression, if it is one and was not refused.
    pub formula: Option<Formula>,
    /// The tensors that an opaque kernel keeps, counted among its tensors, the result last.
    pub retains: Vec<usize>,
}

/// All kernels of a macro call. Those that are refused stay in the list, so that calls of them are
/// not reported as well.
pub fn kernels<'a>(kernels: &'a [ast::Kernel], cx: &mut Cx) -> Vec<KernelDecl<'a>> {
    cx.functions = kernels.iter().flat_map(cuda_text::functions).collect();
    cx.hosts = host::folder(kernels);
    kernels.iter().map(|kernel| lower(kernel, cx)).collect()
}

fn lower<'a>(ast: &'a ast::Kernel, cx: &mut Cx) -> KernelDecl<'a> {
    let site = cx.sites.push(&ast.name);
    let mut dims = Dims::default();
    let kernel = signature(ast, site, &mut dims, cx);
    // A broken kernel may have had the clause in the part that was not read.
    if ast.host.is_none() && ast.formula.is_none() && !ast.broken {
        let name = text(&ast.name);
        let example = format!("host {}::{}", cx.hosts, raw(&name));
        let fault = names::missing_clause(site, &name, "host", &example);
        let function = kernel.as_ref().map(host::function);
        cx.errors.push(match function {
            Some(function) => fault.note(format!("it names a function of yours: `{function}`")),
            None => fault,
        });
    }
    if let (Some(_), None, false, Some(kernel)) = (&ast.cuda, &ast.over, ast.broken, &kernel) {
        let example = format!("over {}", index_space(kernel));
        cx.errors
            .push(names::missing_clause(site, &kernel.name, "over", &example));
    }
    let (kernel, formula) = match (kernel, &ast.formula) {
        (Some(mut kernel), Some(expression)) => {
            match formula::lower(ast, expression, &mut kernel, cx) {
                Some(formula) => (Some(kernel), Some(formula)),
                None => (None, None),
            }
        }
        (kernel, _) => (kernel, None),
    };
    let signature = kernel.filter(|kernel| {
        let faults = kernel.check();
        let passed = faults.is_empty() && !ast.broken;
        cx.errors.extend(faults);
        passed
    });
    let cuda::Seen { files, no_form } = cuda::seen(ast, cx);
    KernelDecl {
        retains: retains(ast, cx),
        ast,
        dims: dims.names,
        code: profile::code(ast, files.as_ref()),
        files,
        no_form,
        formula: formula.filter(|_| signature.is_some()),
        signature,
    }
}

/// An index space that a kernel could have: the last three extents of what it writes.
fn index_space(kernel: &calls::Kernel) -> String {
    let tensors = kernel.params.iter().filter_map(|param| match &param.kind {
        ParamKind::Tensor { tensor, .. } => Some(tensor),
        ParamKind::Scalar(_) => None,
    });
    let Some(tensor) = kernel.result.iter().chain(tensors).next() else {
        return "[1]".to_owned();
    };
    let last = &tensor.shape[tensor.shape.len().saturating_sub(3)..];
    let last = last.iter().map(|e| e.display(&kernel.dims).to_string());
    format!("[{}]", last.collect::<Vec<_>>().join(", "))
}

/// What a `retains` calls the result, unless a parameter is called so.
const RESULT: &str = "result";

/// The tensors that an opaque kernel keeps, counted among its tensors, the result last.
fn retains(ast: &ast::Kernel, cx: &mut Cx) -> Vec<usize> {
    let mut tensors = 0;
    let mut params = Vec::new();
    for param in &ast.params {
        let tensor = matches!(param.ty, ast::ParamType::Ref(..)).then_some(tensors);
        tensors += usize::from(tensor.is_some());
        params.push((text(&param.name), tensor));
    }
    let mut retains = Vec::new();
    for name in &ast.retains {
        let wanted = text(name);
        let site = cx.sites.push(name);
        match params.iter().find(|(name, _)| *name == wanted) {
            Some((_, Some(tensor))) => retains.push(*tensor),
            Some((_, None)) => cx.errors.push(escapes::kept_scalar(site, &wanted)),
            // The result is behind all parameters.
            None if wanted == RESULT && ast.result.is_some() => retains.push(tensors),
            None if wanted == RESULT => {
                let fault = escapes::kept_nothing(site, &text(&ast.name));
                cx.errors.push(fault);
            }
            None => {
                let known = params.iter().map(|(name, _)| name.as_str());
                let fault = names::unknown(site, Kind::Parameter, &wanted, known);
                cx.errors.push(fault);
            }
        }
    }
    retains
}

/// `None` where something was reported. All parts are looked at first.
fn signature(
    ast: &ast::Kernel,
    site: gpu_graph_analysis::model::Site,
    dims: &mut Dims,
    cx: &mut Cx,
) -> Option<calls::Kernel> {
    let mut scope = Names::default();
    let params = self::params(&ast.params, dims, &mut scope, cx);
    let result = ast.result.as_ref().map(|tensor| dims.tensor(tensor, cx));
    let over = ast.over.as_ref().map(|over| dims.over(over, cx));
    let in_place = ast.in_place.as_ref().map(|form| {
        let operand = scope.find(&text(&form.operand), Kind::Parameter, &form.operand, cx)?;
        Some(InPlace {
            param: operand.index as usize,
            site: cx.sites.push(&form.operand),
        })
    });
    // Where a parameter could not be read, it may be the one that is named.
    let zeroed = if ast.broken { None } else { zeroed(ast, cx) };
    let shared = ast.shared.map(|s| Shared {
        bytes: s.bytes,
        site: cx.sites.push(s.region),
    });
    Some(calls::Kernel {
        name: text(&ast.name),
        params: params?,
        result: none_if_refused(result)?,
        over: none_if_refused(over)?,
        shared,
        kind: match ast.kind {
            ast::KernelKind::Kernel => KernelKind::Kernel,
            ast::KernelKind::Callback => KernelKind::Callback,
            ast::KernelKind::Opaque => KernelKind::Opaque,
            ast::KernelKind::Collective => KernelKind::Collective,
        },
        zeroed: zeroed?,
        in_place: none_if_refused(in_place)?,
        dims: std::mem::take(&mut dims.declared),
        site,
    })
}

/// Parameters, with their names in `scope` and their dims in `dims`; `None` where one was refused.
pub fn params(
    list: &[ast::Param],
    dims: &mut Dims,
    scope: &mut Names,
    cx: &mut Cx,
) -> Option<Vec<Param>> {
    let mut params = Vec::with_capacity(list.len());
    for (i, param) in list.iter().enumerate() {
        scope.declare(Kind::Parameter, i, text(&param.name), &param.name, cx);
        let kind = match &param.ty {
            ast::ParamType::Scalar(ty) => Some(ParamKind::Scalar(ty.elem)),
            ast::ParamType::Ref(effect, tensor) => {
                let mutable = effect.mutable;
                dims.tensor(tensor, cx)
                    .map(|tensor| ParamKind::Tensor { tensor, mutable })
            }
        };
        let (name, site) = (text(&param.name), cx.sites.push(param.region));
        params.push(kind.map(|kind| Param { name, kind, site }));
    }
    params.into_iter().collect()
}

/// A clause that is there and was refused makes the whole refused.
fn none_if_refused<T>(clause: Option<Option<T>>) -> Option<Option<T>> {
    match clause {
        None => Some(None),
        Some(None) => None,
        Some(some) => Some(some),
    }
}

/// The dims of a kernel or a stage: its first use declares one, unless it names a constant.
#[derive(Default)]
pub struct Dims {
    /// Each as it is first written.
    pub names: Vec<Ident>,
    /// The same as the analysis sees them.
    pub declared: Vec<KernelDim>,
}

impl Dims {
    fn extents(&mut self, extents: &[ast::Extent], cx: &mut Cx) -> Option<Vec<Expr>> {
        // Each of them is looked at, so that all that is wrong is reported.
        let lowered: Vec<_> = extents.iter().map(|e| extent::lower(e, cx, self)).collect();
        lowered.into_iter().collect()
    }

    /// A tensor type.
    pub fn tensor(&mut self, tensor: &ast::Tensor, cx: &mut Cx) -> Option<Tensor> {
        let shape = self.extents(&tensor.extents, cx)?;
        Some(Tensor {
            elem: tensor.elem.elem,
            shape,
            site: cx.sites.push(tensor.region),
        })
    }

    fn over(&mut self, over: &ast::Over, cx: &mut Cx) -> Option<Over> {
        let extents = self.extents(&over.extents, cx)?;
        let site = cx.sites.push(over.region);
        let (block, block_site) = match &over.block {
            Some(block) => {
                let threads = block.threads.iter();
                let threads = threads.map(|t| u32::try_from(t.value).unwrap_or(u32::MAX));
                (threads.collect(), cx.sites.push(block.region))
            }
            None => (calls::default_block(extents.len()), site),
        };
        Some(Over {
            extents,
            block,
            site,
            block_site,
        })
    }
}

impl extent::Numbers for Dims {
    fn name(&mut self, name: &Ident, cx: &mut Cx) -> Option<Expr> {
        let wanted = text(name);
        if let Some(known) = cx.consts.iter().find(|known| known.name == wanted) {
            return known.value.map(Expr::constant);
        }
        let known = self.declared.iter().position(|d| d.name == wanted);
        let site = cx.sites.push(name);
        let index = known.unwrap_or_else(|| {
            self.names.push(name.clone());
            self.declared.push(KernelDim { name: wanted, site });
            self.declared.len() - 1
        });
        super::dims::expr(index, site, cx)
    }

    /// What binds the dims of a product is not known here.
    fn product(&mut self, _: [&Expr; 2], of: &ast::Extent, cx: &mut Cx) -> Option<Expr> {
        extent::not_affine(of, true, cx)
    }
}
