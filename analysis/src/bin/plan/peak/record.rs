//! What `plan peak` reads of an exported record: the order of its tasks, what lives in its arena, and the
//! peaks that it has.

use gpu_graph_analysis::json::{Node, Wrong, parse};
use gpu_graph_analysis::model::{ResourceId, TaskId};
use gpu_graph_analysis::order::Precedence;
use gpu_graph_analysis::peak::{Item, joined};

/// The version of the form that is read.
const VERSION: u64 = 7;

/// One plan of a record: of one combination of variants, which is all of most graphs.
pub struct Plan {
    /// The combination.
    pub variant: Option<String>,
    /// Names of tasks.
    pub tasks: Vec<String>,
    /// Names of resources.
    pub resources: Vec<String>,
    /// What every execution has.
    pub order: Precedence,
    /// What is said of the sizes, where no dims are known that give all of them at once: figures are then
    /// of more than any load takes.
    pub sizes: Option<String>,
    /// What takes room in the arena.
    pub items: Vec<Item>,
    /// The least peak, the greatest, and that of workspaces, as far as the record has them.
    pub said: [Option<Said>; 3],
}

/// A peak as the record has it.
pub struct Said {
    /// It is no less, in bytes.
    pub at_least: u64,
    /// It is no more.
    pub at_most: u64,
    /// The tasks of its execution, in the sequence in which they start.
    pub execution: Vec<TaskId>,
    /// How many of these are completed at its cut, and how many run there.
    pub cut: [usize; 2],
    /// What proves the end that the execution does not show.
    pub bound: Option<String>,
    /// Where it stands: line and column.
    pub at: [usize; 2],
}

/// The plans of a record.
///
/// # Errors
/// The first thing that is wrong.
pub fn read(text: &str) -> Result<Vec<Plan>, Wrong> {
    let root = parse(text)?;
    let root = Node::new(&root, text);
    let version = root.field("version")?;
    match version.number()? {
        VERSION => {}
        other => {
            let what = format!("the record is of version {other}, and version {VERSION} is read");
            return Err(version.wrong(what));
        }
    }
    let plans = root.field("plans")?;
    let read: Vec<Plan> = plans.list()?.map(plan).collect::<Result<_, _>>()?;
    match read.is_empty() {
        true => Err(plans.wrong("the record has no plan")),
        false => Ok(read),
    }
}

fn plan(node: Node<'_>) -> Result<Plan, Wrong> {
    let [tasks, resources] = [node.field("tasks")?, node.field("resources")?];
    let names = |list: Node<'_>| -> Result<Vec<String>, Wrong> {
        let names = list.list()?.map(|one| one.field("name")?.text());
        names.map(|name| Ok(name?.to_owned())).collect()
    };
    let variant = node.field("variant")?;
    let plan = Plan {
        variant: match variant.is_null() {
            true => None,
            false => Some(variant.text()?.to_owned()),
        },
        tasks: names(tasks)?,
        resources: names(resources)?,
        order: order(node, tasks.list()?.count())?,
        sizes: sizes(node)?,
        items: Vec::new(),
        said: [None, None, None],
    };
    let items = items(node, &plan)?;
    let said = said(node, plan.tasks.len())?;
    Ok(Plan {
        items,
        said,
        ..plan
    })
}

fn sizes(plan: Node<'_>) -> Result<Option<String>, Wrong> {
    let sizes = plan.field("storage")?.field("sizes")?;
    if sizes.is_null() || !sizes.field("at")?.is_null() {
        return Ok(None);
    }
    Ok(Some(sizes.field("means")?.text()?.to_owned()))
}

/// The dependencies and what the plan adds; the order of streams counts where proofs rest on it.
fn order(plan: Node<'_>, tasks: usize) -> Result<Precedence, Wrong> {
    let order = plan.field("order")?;
    let [stated, added] = [order.field("dependencies")?, order.field("added")?];
    let mut before = vec![Vec::new(); tasks];
    let mut put = |edge: Node<'_>| -> Result<(), Wrong> {
        let [from, to] = [edge.field("before")?, edge.field("after")?];
        let from = from.index("task", tasks)?;
        let to: &mut Vec<u32> = &mut before[to.index("task", tasks)? as usize];
        to.push(from);
        Ok(())
    };
    stated.list()?.try_for_each(&mut put)?;
    let streams = streams_count(plan)?;
    for edge in added.list()? {
        let by = edge.field("by")?;
        let counts = match by.text()? {
            "policy" => true,
            "stream" => streams,
            _ => return Err(by.wrong("expected `stream` or `policy`")),
        };
        if counts {
            put(edge)?;
        }
    }
    for list in &mut before {
        list.sort_unstable();
        list.dedup();
    }
    Precedence::of(before).map_err(|(_, stuck)| {
        let first = stuck.iter().position(|&stuck| stuck).unwrap_or(0);
        order.wrong(format!("task {first} comes before itself"))
    })
}

/// Whether proofs may rest on the order of streams.
fn streams_count(plan: Node<'_>) -> Result<bool, Wrong> {
    for one in plan.field("candidates")?.list()? {
        if one.field("accepted")?.flag()? && one.field("policy")?.text()? != "alias" {
            return Ok(true);
        }
    }
    for alias in plan.field("aliases")?.list()? {
        let proof = alias.field("proof")?;
        let rests = match proof.field("kind")?.text()? {
            "unconditional" => false,
            _ => proof.field("missing")?.list()?.next().is_some(),
        };
        if rests {
            return Ok(true);
        }
    }
    Ok(false)
}

/// What lives in the arena, by the accesses of the tasks.
fn items(node: Node<'_>, plan: &Plan) -> Result<Vec<Item>, Wrong> {
    let count = plan.resources.len();
    let mut users = vec![Vec::new(); count];
    for (t, task) in (0u32..).zip(node.field("tasks")?.list()?) {
        for access in task.field("accesses")?.list()? {
            let resource = access.field("resource")?.index("resource", count)?;
            users[resource as usize].push(TaskId(t));
        }
    }
    let mut parts = Vec::new();
    for (r, resource) in (0u32..).zip(node.field("resources")?.list()?) {
        let region = resource.field("region")?;
        let arena = match region.text()? {
            "arena" => true,
            "store" | "staging" => false,
            _ => return Err(region.wrong("expected `arena`, `store` or `staging`")),
        };
        let item = Item {
            bytes: resource.field("bytes")?.number()?,
            users: std::mem::take(&mut users[r as usize]),
            to_end: resource.field("host")?.flag()?,
            workspace: resource.field("class")?.text()? == "workspace",
            parts: vec![ResourceId(r)],
            ..Item::default()
        };
        parts.push(arena.then_some(item));
    }
    let mut pairs = Vec::new();
    for alias in node.field("aliases")?.list()? {
        if alias.field("proof")?.field("kind")?.text()? == "in_place" {
            let [earlier, later] = [alias.field("earlier")?, alias.field("later")?];
            let of = |node: Node<'_>| node.index("resource", count).map(ResourceId);
            pairs.push([of(earlier)?, of(later)?]);
        }
    }
    Ok(joined(parts, pairs))
}

/// The peaks that the record has.
fn said(plan: Node<'_>, tasks: usize) -> Result<[Option<Said>; 3], Wrong> {
    let peaks = plan.field("peaks")?;
    let mut found = [None, None, None];
    if peaks.is_null() {
        return Ok(found);
    }
    for (place, name) in found.iter_mut().zip(["least", "greatest", "workspaces"]) {
        let peak = peaks.field(name)?;
        if peak.is_null() {
            continue;
        }
        let bytes = peak.field("bytes")?;
        let high = bytes.field("high")?;
        let list = |name: &str| -> Result<Vec<TaskId>, Wrong> {
            let all = peak.field(name)?.list()?;
            all.map(|t| t.index("task", tasks).map(TaskId)).collect()
        };
        let bound = peak.field("bound")?;
        *place = Some(Said {
            at_least: bytes.field("low")?.number()?,
            at_most: match high.is_null() {
                true => u64::MAX,
                false => high.number()?,
            },
            execution: list("execution")?,
            cut: [list("completed")?.len(), list("running")?.len()],
            bound: match bound.is_null() {
                true => None,
                false => Some(bound.text()?.to_owned()),
            },
            at: peak.at(),
        });
    }
    Ok(found)
}
