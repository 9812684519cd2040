//! Writes the graphs of the examples once more, as they are issued as graphs of the device's own.

use std::path::Path;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let out = std::env::var("OUT_DIR").expect("cargo sets it");
    for (example, graphs) in [
        ("edges", &["pub graph Edges {", "pub graph Whole {"][..]),
        ("story", &["pub graph Story {"]),
    ] {
        let path = format!("../../examples/{example}/graph.rs");
        println!("cargo::rerun-if-changed={path}");
        let text = std::fs::read_to_string(&path).expect("the graph of an example");
        // What is included has no documentation of a module.
        let lines = text.lines().filter(|line| !line.starts_with("//!"));
        let mut text = lines.collect::<Vec<_>>().join("\n");
        for graph in graphs {
            assert!(text.contains(graph), "{path} has no `{graph}`");
            text = text.replace(graph, &format!("{graph} issue graph;"));
        }
        let to = Path::new(&out).join(format!("{example}.rs"));
        std::fs::write(to, text).expect("a file of this build");
    }
}
