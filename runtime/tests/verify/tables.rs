//! Sources and programs that own their tables, so that tests can change every field.

use gpu_graph_runtime::table::*;

/// An expression with its terms.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnedExpr {
    pub constant: i64,
    pub terms: Vec<Term>,
}

impl OwnedExpr {
    fn borrow(&self) -> Expr<'_> {
        Expr {
            constant: self.constant,
            terms: &self.terms,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct OwnedKernel {
    pub over: Vec<OwnedExpr>,
    pub block: Vec<u32>,
    pub shared: u32,
    pub params: u32,
    pub callback: bool,
    pub in_place: Option<u8>,
}

#[derive(Clone, Debug, PartialEq)]
pub struct OwnedResource {
    pub class: Class,
    pub elem: Elem,
    pub domain: u8,
    pub shape: Vec<u32>,
}

/// A source, a program and the dims to check them for.
#[derive(Clone, Debug, PartialEq)]
pub struct Owned {
    pub at: Vec<u64>,
    pub dims: Vec<Dim<'static>>,
    pub products: Vec<Vec<OwnedExpr>>,
    pub exprs: Vec<OwnedExpr>,
    pub resources: Vec<OwnedResource>,
    pub kernels: Vec<OwnedKernel>,
    pub tasks: Vec<Task>,
    pub accesses: Vec<Access>,
    pub scalars: Vec<Scalar>,
    pub bindings: Vec<u32>,
    pub params: u32,
    pub orders: Vec<(u32, u32)>,
    pub aliases: Vec<(u32, u32)>,
    pub separate: Vec<(u32, u32)>,
    pub again: Vec<(u32, u32)>,
    pub depth: u32,
    pub budget: Option<u64>,
    pub ring: u32,
    pub streams: u8,
    pub events: u32,
    pub arena: u64,
    pub store: u64,
    pub pinned: u64,
    pub slots: Vec<Slot>,
    pub issue: Vec<Op>,
    pub collect: Vec<HostOp>,
}

impl Owned {
    /// Nothing: no task, one stream, one instance.
    pub fn new() -> Self {
        Self {
            at: vec![],
            dims: vec![],
            products: vec![],
            exprs: vec![],
            resources: vec![],
            kernels: vec![],
            tasks: vec![],
            accesses: vec![],
            scalars: vec![],
            bindings: vec![],
            params: 0,
            orders: vec![],
            aliases: vec![],
            separate: vec![],
            again: vec![],
            depth: 1,
            budget: None,
            ring: 1,
            streams: 1,
            events: 0,
            arena: 0,
            store: 0,
            pinned: 0,
            slots: vec![],
            issue: vec![],
            collect: vec![],
        }
    }

    /// Calls `f` with the tables as a graph holds them.
    pub fn with<R>(&self, f: impl FnOnce(&Source<'_>, &Program<'_>) -> R) -> R {
        let exprs: Vec<_> = self.exprs.iter().map(OwnedExpr::borrow).collect();
        let products = self.products.iter();
        let products: Vec<Vec<_>> = products
            .map(|factors| factors.iter().map(OwnedExpr::borrow).collect())
            .collect();
        let products: Vec<_> = products.iter().map(Vec::as_slice).collect();
        let resources: Vec<_> = self
            .resources
            .iter()
            .map(|r| Resource {
                name: "r",
                class: r.class,
                elem: r.elem,
                domain: r.domain,
                shape: &r.shape,
            })
            .collect();
        let overs: Vec<Vec<_>> = self
            .kernels
            .iter()
            .map(|k| k.over.iter().map(OwnedExpr::borrow).collect())
            .collect();
        let kernels: Vec<_> = std::iter::zip(&self.kernels, &overs)
            .map(|(k, over)| Kernel {
                name: "k",
                over,
                block: &k.block,
                shared: k.shared,
                params: k.params,
                callback: k.callback,
                in_place: k.in_place,
            })
            .collect();
        let source = Source {
            name: "G",
            dims: &self.dims,
            products: &products,
            exprs: &exprs,
            resources: &resources,
            kernels: &kernels,
            tasks: &self.tasks,
            accesses: &self.accesses,
            scalars: &self.scalars,
            bindings: &self.bindings,
            params: self.params,
            orders: &self.orders,
            aliases: &self.aliases,
            separate: &self.separate,
            again: &self.again,
            depth: self.depth,
            budget: self.budget,
        };
        let program = Program {
            ring: self.ring,
            streams: self.streams,
            events: self.events,
            arena: self.arena,
            store: self.store,
            pinned: self.pinned,
            issue_as: Issue::Streams,
            slots: &self.slots,
            issue: &self.issue,
            collect: &self.collect,
        };
        f(&source, &program)
    }

    /// What the verifier says.
    pub fn verify(&self) -> Result<(), gpu_graph_runtime::verify::Violation> {
        self.with(|s, p| gpu_graph_runtime::verify::verify(s, p, &self.at))
    }

    /// Values of dims and products.
    pub fn numbers(&self) -> Vec<u64> {
        let mut numbers = vec![0; self.at.len() + self.products.len()];
        self.with(|s, _| s.numbers(&self.at, &mut numbers)).unwrap();
        numbers
    }

    /// Adds an expression and returns its index.
    pub fn expr(&mut self, constant: i64, terms: &[Term]) -> u32 {
        let e = OwnedExpr {
            constant,
            terms: terms.to_vec(),
        };
        if let Some(i) = self.exprs.iter().position(|x| *x == e) {
            return i as u32;
        }
        self.exprs.push(e);
        self.exprs.len() as u32 - 1
    }

    /// Adds a resource and returns its index.
    pub fn resource(&mut self, class: Class, elem: Elem, shape: &[u32]) -> u32 {
        self.resources.push(OwnedResource {
            class,
            elem,
            domain: 0,
            shape: shape.to_vec(),
        });
        self.resources.len() as u32 - 1
    }

    /// Adds an upload of an input.
    pub fn upload(&mut self, resource: u32) -> u32 {
        self.task(TaskKind::Upload, &[(resource, Mode::Overwrite, Rows::All)])
    }

    /// Adds a kernel, a callback where it touches staging, and a task that launches it.
    pub fn launch(&mut self, in_place: Option<u8>, accesses: &[(u32, Mode, Rows)]) -> u32 {
        let params = 8 * accesses.len() as u32;
        self.kernels.push(OwnedKernel {
            over: vec![],
            block: vec![],
            shared: 0,
            params,
            callback: accesses
                .iter()
                .any(|a| self.resources[a.0 as usize].class == Class::Staging),
            in_place,
        });
        self.task(TaskKind::Kernel(self.kernels.len() as u32 - 1), accesses)
    }

    /// Adds a task.
    pub fn task(&mut self, kind: TaskKind, accesses: &[(u32, Mode, Rows)]) -> u32 {
        let start = self.accesses.len() as u32;
        for &(resource, mode, rows) in accesses {
            self.accesses.push(Access {
                resource,
                mode,
                rows,
            });
        }
        self.tasks.push(Task {
            kind,
            accesses: Span::new(start, accesses.len() as u32),
            scalars: Span::new(0, 0),
            dims: Span::new(0, 0),
        });
        self.tasks.len() as u32 - 1
    }
}
