//! What a graph launches on a device, compiled: its texts, and the functions that a load looks for.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use super::entries::entries;
use super::{CompileError, Kept, Options, one, side};
use crate::exec::{CudaSource, Image};
use crate::graph::DeclaredGraph;
use crate::table::{Form, Issue, Op, Scalar, Task, TaskKind};

/// A function that a load looks for. Shown, it is what is said where it is not there.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Wanted {
    /// Its name.
    pub name: String,
    /// The first scalar that it reads where a pointer leads, if it reads scalars so.
    pub scalar: Option<usize>,
}

impl Wanted {
    /// That of a kernel's form, which reads scalars where pointers lead if it is told of one.
    pub fn of(source: &CudaSource, form: Form, scalar: Option<usize>) -> Self {
        let form = if form == Form::InPlace {
            "_in_place"
        } else {
            ""
        };
        let indirect = scalar.map_or("", |_| "_indirect");
        let name = format!("{}{form}{indirect}", source.function);
        Self { name, scalar }
    }
}

impl fmt::Display for Wanted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = &self.name;
        match self.scalar {
            Some(scalar) => write!(
                f,
                "scalar {scalar} of it changes from run to run, which under `issue graph` it has to read \
                 with a function `{name}`; write it with `KERNEL`, or let the graph `issue streams`"
            ),
            None => write!(f, "it has no `extern \"C\"` function `{name}`"),
        }
    }
}

/// A source, and the functions of it that are launched, with the first kernel that each is of.
pub struct Launched {
    /// The source.
    pub source: &'static CudaSource,
    functions: BTreeMap<Wanted, &'static str>,
}

/// What `G` launches, one of each that are the same.
pub fn launched<G: DeclaredGraph>() -> Vec<Launched> {
    let mut found = BTreeMap::new();
    for image in G::IMAGES {
        for source in image.code.iter().filter_map(|code| code.cuda.as_ref()) {
            found.entry(source.code).or_insert_with(|| Launched {
                source,
                functions: BTreeMap::new(),
            });
        }
        for op in image.program.issue {
            if let Op::Launch { task, form, .. } = *op
                && let Some((kernel, source, wanted)) = function(image, task, form)
                && let Some(launched) = found.get_mut(&source.code)
            {
                launched.functions.entry(wanted).or_insert(kernel);
            }
        }
    }
    found.into_values().collect()
}

/// What a task launches on a device, if it does.
fn function(
    image: &Image,
    task: u32,
    form: Form,
) -> Option<(&'static str, &'static CudaSource, Wanted)> {
    let task = &image.source.tasks[task as usize];
    let TaskKind::Kernel(k) = task.kind else {
        return None;
    };
    let kernel = &image.source.kernels[k as usize];
    let source = image.code[k as usize].cuda.as_ref();
    let source = source.filter(|_| !kernel.callback)?;
    let graph = image.program.issue_as == Issue::Graph;
    let scalar = graph.then(|| changing(image, task)).flatten();
    Some((kernel.name, source, Wanted::of(source, form, scalar)))
}

/// The first scalar of a task that each run is given.
fn changing(image: &Image, task: &Task) -> Option<usize> {
    let scalars = &image.source.scalars[task.scalars.start as usize..];
    let mut scalars = scalars.iter().take(task.scalars.len as usize);
    scalars.position(|scalar| matches!(scalar, Scalar::Param(_)))
}

impl Launched {
    /// That the image has what is launched; of what cannot be read the driver judges.
    fn are_in(&self, image: &[u8]) -> Result<(), CompileError> {
        let Some(has) = entries(image) else {
            return Ok(());
        };
        let mut functions = self.functions.iter();
        match functions.find(|(wanted, _)| !has.contains(&wanted.name)) {
            Some((wanted, kernel)) => Err(CompileError::NoFunction {
                kernel,
                function: wanted.name.clone(),
                why: wanted.to_string(),
                has: has.into_iter().collect(),
            }),
            None => Ok(()),
        }
    }
}

/// What comes of each, side by side and in their order: an image that can be launched.
pub fn made(
    launched: &[Launched],
    options: &Options,
    kept: &Kept<'_>,
) -> Vec<Result<Arc<[u8]>, CompileError>> {
    side::by_side(launched.len(), |i| {
        let image = one(launched[i].source, options, kept)?;
        launched[i].are_in(&image)?;
        Ok(image)
    })
}

/// Compiles what `G` launches, and says how many images that is. What is in the folder of `options`
/// then serves to load `G` on a machine without a compiler, which is told of the folder by
/// `GPU_GRAPH_CACHE`. What a program has [in itself](super::embed()) is not put there.
///
/// # Errors
/// Those of [`image`](super::image); an image is without a function that a load looks for:
/// [`CompileError::NoFunction`]; the folder takes no image: [`CompileError::Folder`]. The first, by the
/// sources' own order, where there are several.
pub fn kernels<G: DeclaredGraph>(options: &Options) -> Result<usize, CompileError> {
    let mut kept = Kept::new(options);
    kept.must = true;
    let made: Result<Vec<_>, _> = made(&launched::<G>(), options, &kept).into_iter().collect();
    Ok(made?.len())
}
