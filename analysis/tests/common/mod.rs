//! Models for tests: a builder, random graphs, and an oracle that tries every execution.

#![allow(dead_code, reason = "each test binary uses a part")]

pub mod again;
pub mod executions;
pub mod judge;
pub mod large;
pub mod oracle;
pub mod orders;
pub mod packing;
pub mod peaks;
pub mod random;
pub mod replay;
pub mod rng;
pub mod updates;

use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::model::{
    Access, Budget, Class, Dim, Elem, KernelKind, Launch, Mode, Model, Order, Pair, Resource,
    ResourceId, Rows, Site, Task, TaskId, TaskKind,
};

/// A model under construction. Each thing gets a site of its own, in order.
pub struct Graph {
    pub model: Model,
    sites: u32,
}

/// `Read` of all rows.
pub fn read(resource: ResourceId) -> (ResourceId, Mode, Rows) {
    (resource, Mode::Read, Rows::All)
}

/// `ReadWrite` of all rows.
pub fn update(resource: ResourceId) -> (ResourceId, Mode, Rows) {
    (resource, Mode::ReadWrite, Rows::All)
}

/// `Overwrite` of all rows.
pub fn write(resource: ResourceId) -> (ResourceId, Mode, Rows) {
    (resource, Mode::Overwrite, Rows::All)
}

/// Rows `from..to`, both constants.
pub fn rows(from: i64, to: i64) -> Rows {
    Rows::Span(Expr::constant(from), Expr::constant(to))
}

impl Graph {
    pub fn new(name: &str) -> Self {
        let model = Model {
            name: name.to_owned(),
            site: Site(0),
            dims: Vec::new(),
            domains: Vec::new(),
            resources: Vec::new(),
            extents: Default::default(),
            tasks: Vec::new(),
            orders: Vec::new(),
            again: Vec::new(),
            aliases: Vec::new(),
            separate: Vec::new(),
            stable: Vec::new(),
            budget: None,
            depth: 1,
            streams: 4,
            workspaces: Vec::new(),
            declared: Default::default(),
        };
        Self { model, sites: 0 }
    }

    fn site(&mut self) -> Site {
        self.sites += 1;
        Site(self.sites)
    }

    pub fn dim(&mut self, name: &str, min: u64, max: u64) -> Expr {
        let site = self.site();
        let name = name.to_owned();
        self.model.dims.push(Dim {
            name,
            min,
            max,
            product: Vec::new(),
            site,
        });
        Expr::dim(self.model.dims.len() as u16 - 1)
    }

    pub fn resource(&mut self, name: &str, class: Class, elem: Elem, shape: &[Expr]) -> ResourceId {
        let site = self.site();
        self.model.resources.push(Resource {
            name: name.to_owned(),
            class,
            elem,
            domain: 0,
            shape: shape.to_vec(),
            site,
        });
        ResourceId(self.model.resources.len() as u32 - 1)
    }

    /// A transient of `bytes` rows of one byte.
    pub fn transient(&mut self, name: &str, bytes: i64) -> ResourceId {
        self.resource(name, Class::Transient, Elem::U8, &[Expr::constant(bytes)])
    }

    pub fn output(&mut self, name: &str, bytes: i64) -> ResourceId {
        self.resource(name, Class::Output, Elem::U8, &[Expr::constant(bytes)])
    }

    pub fn input(&mut self, name: &str, bytes: i64) -> ResourceId {
        let r = self.resource(name, Class::Input, Elem::U8, &[Expr::constant(bytes)]);
        self.upload(r);
        r
    }

    pub fn upload(&mut self, r: ResourceId) -> TaskId {
        let name = format!("upload {}", self.model.resources[r.0 as usize].name);
        let task = self.task(&name, &[write(r)]);
        self.model.tasks[task.0 as usize].kind = TaskKind::Upload;
        task
    }

    pub fn task(&mut self, name: &str, accesses: &[(ResourceId, Mode, Rows)]) -> TaskId {
        let site = self.site();
        let accesses = accesses
            .iter()
            .map(|(resource, mode, rows)| Access {
                resource: *resource,
                mode: *mode,
                rows: rows.clone(),
                site: self.site(),
            })
            .collect();
        self.model.tasks.push(Task {
            name: name.to_owned(),
            kind: TaskKind::Kernel(Launch {
                kernel: 0,
                name: name.to_owned(),
                in_place: None,
                over: Vec::new(),
                block: Vec::new(),
                shared: 0,
                kind: KernelKind::Kernel,
                params: 0,
            }),
            accesses,
            site,
        });
        TaskId(self.model.tasks.len() as u32 - 1)
    }

    /// Declares that the kernel of `task` can update that access into its result.
    pub fn in_place(&mut self, task: TaskId, access: usize) {
        if let TaskKind::Kernel(launch) = &mut self.model.tasks[task.0 as usize].kind {
            launch.in_place = Some(access);
        }
    }

    pub fn order(&mut self, before: TaskId, after: TaskId) {
        let site = self.site();
        self.model.orders.push(Order {
            before,
            after,
            site,
        });
    }

    pub fn alias(&mut self, a: ResourceId, b: ResourceId) -> Site {
        let site = self.site();
        self.model.aliases.push(Pair { a, b, site });
        site
    }

    pub fn separate(&mut self, a: ResourceId, b: ResourceId) {
        let site = self.site();
        self.model.separate.push(Pair { a, b, site });
    }

    pub fn budget(&mut self, bytes: u64) -> Site {
        let site = self.site();
        self.model.budget = Some(Budget {
            bytes,
            beside: Default::default(),
            site,
        });
        site
    }
}

/// Two values that are filled, and then used: never both at once in another order.
pub fn rooms() -> Graph {
    let mut g = Graph::new("Rooms");
    let x = g.input("x", 256);
    let rooms = ["room0", "room1"].map(|name| g.transient(name, 4096));
    for (i, room) in rooms.into_iter().enumerate() {
        g.task(&format!("fill{i}"), &[read(x), write(room)]);
    }
    for (i, room) in rooms.into_iter().enumerate() {
        let y = g.output(&format!("y{i}"), 256);
        g.task(&format!("use{i}"), &[read(room), write(y)]);
    }
    g
}
