//! What the example promises.

mod command;
mod kernels;
mod model;
mod reference;
mod sample;
mod teller;
mod vocabulary;
