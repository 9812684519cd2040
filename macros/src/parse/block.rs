//! What statements are read into, and what the last of them gives a value.

use crate::ast::{Body, Graph, Stmt, Task, View};

/// What statements are read into.
pub enum Block<'a> {
    /// A graph, where all of them can stand.
    Graph(&'a mut Graph),
    /// A stage, whose last call may stand without a semicolon.
    Stage(&'a mut Body),
    /// One iteration of a loop.
    For(&'a mut Body),
    /// An arm of a `match`, whose last call may give a value.
    Arm(&'a mut Body, Value<'a>),
}

/// What the last call of each arm of a `match`, without a semicolon, gives its result to.
#[derive(Clone, Copy)]
pub enum Value<'a> {
    /// Nothing: the arms are statements.
    Nothing,
    /// That place.
    Place(&'a View),
    /// The result of the stage.
    Result,
}

impl Block<'_> {
    /// What its statements are read into.
    pub fn body(&mut self) -> &mut Body {
        match self {
            Block::Graph(graph) => &mut graph.body,
            Block::Stage(body) | Block::For(body) | Block::Arm(body, _) => body,
        }
    }

    /// What its last call gives its result to.
    pub fn value(&self) -> Value<'_> {
        match self {
            Block::Graph(_) | Block::For(_) => Value::Nothing,
            Block::Stage(_) => Value::Result,
            Block::Arm(_, value) => *value,
        }
    }

    /// It gives a value, and `task` at its end would make it.
    pub fn is_valued_by(&self, task: &Task) -> bool {
        task.place.is_none() && !matches!(self.value(), Value::Nothing)
    }

    /// Ends it with `task`, which makes its value, if it gives one.
    pub fn end_with(&mut self, task: Task) {
        let valued = self.is_valued_by(&task);
        let last = match self.value() {
            Value::Result if valued => Stmt::Tail(task),
            Value::Place(place) if valued => Stmt::Task(Task {
                place: Some(place.clone()),
                ..task
            }),
            _ => Stmt::Task(task),
        };
        let body = self.body();
        body.stmts.push(last);
        body.valued = valued;
    }

    /// What it is, in words.
    pub fn what(&self) -> &'static str {
        match self {
            Block::Graph(_) => "a graph",
            Block::Stage(_) => "a stage",
            Block::For(_) => "a loop",
            Block::Arm(..) => "an arm",
        }
    }
}
