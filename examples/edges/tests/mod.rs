//! What the example promises.

mod by_hand;
mod command;
mod files;
mod graph;
mod random;
mod seen;
