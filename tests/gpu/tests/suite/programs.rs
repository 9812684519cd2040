//! The graphs of the examples, as they are and as graphs of the device's own.

#![allow(dead_code, reason = "the suite needs the graphs alone")]

#[path = "../../../simcuda/tests/programs/edges.rs"]
pub mod edges;
#[path = "../../../simcuda/tests/programs/edges_as_graph.rs"]
pub mod edges_as_graph;
#[path = "../../../simcuda/tests/programs/run.rs"]
pub mod run;
#[path = "../../../simcuda/tests/programs/story.rs"]
pub mod story;
#[path = "../../../simcuda/tests/programs/story_as_graph.rs"]
pub mod story_as_graph;
