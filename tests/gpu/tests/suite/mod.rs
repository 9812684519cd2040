//! What holds on every device that stands for a GPU: a real one, and the simulated ones.

#![allow(
    clippy::duplicate_mod,
    reason = "host functions name the graph that stands beside them"
)]

mod examples;
pub mod graphs;
mod memory;
mod order;
mod profiles;
pub mod programs;
mod runs;
pub mod wide;

use gpu_graph::__private::Image;
use gpu_graph::Device;

/// Where the tests run.
pub trait Gpu {
    /// The device. One that is simulated is told which graphs will be loaded, and at which dims.
    fn device(&self, graphs: &[(&Image, &[u64])]) -> Device;
}

/// A test, and what it shows.
pub type Test = (&'static str, fn(&dyn Gpu));

macro_rules! tests {
    ($($module:ident::{$($name:ident),* $(,)?})*) => {
        /// All of them.
        pub const TESTS: &[Test] = &[$($((stringify!($name), $module::$name)),*),*];
    };
}

tests! {
    examples::{
        edges_are_those_of_the_host_bit_for_bit,
        edges_as_a_graph_are_those_of_the_host_bit_for_bit,
        a_story_is_that_of_the_host,
        a_story_as_a_graph_is_that_of_the_host,
    }
    runs::{
        runs_on_streams_and_as_a_graph_are_those_of_the_host,
        inputs_that_tasks_update_are_copied_in_each_run,
        floats_are_within_the_tolerance_that_is_declared,
        callbacks_and_what_outlives_runs_are_those_of_the_host,
        a_panic_in_a_callback_is_an_error_of_its_run,
        lanes_run_at_once,
    }
    profiles::{
        times_of_a_run_keep_to_the_order_of_its_program_and_change_no_result,
        callbacks_copies_and_fills_are_timed_like_kernels,
        a_plan_that_holds_less_is_a_measured_finding,
    }
    memory::{
        several_loads_at_several_dims_run_in_turns,
        a_graph_that_is_dropped_in_flight_disturbs_no_other,
        no_room_is_an_error_behind_which_all_goes_on,
        what_is_detached_outlives_its_graph,
    }
}
