//! Figures of bytes where no product of dims grows with all of them: a record names the dims at which
//! resources are at their largest, and a load at these takes what it says.
#![forbid(unsafe_code)]

use gpu_graph::gpu_graph;
use gpu_graph::report::{Plan, Report, Sizes};
use serde_json::json;

gpu_graph! {
    kernel double(x: &[f32; n]) -> [f32; n] = x * 2.0f32;
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] = x + y;

    /// Its buffers are largest in the middle.
    graph Between {
        dim n in 1..=1024;
        input x: [f32; n * (1025 - n)];
        let t: [f32; n * (1025 - n)] = double(&x);
        let u: [f32; n, 1025 - n] = shaped(&t);
        output y: [f32; n * (1025 - n)] = flat(&u);
    }
    kernel shaped(x: &[f32; m]) -> [f32; r, c] { host host::copy }
    kernel flat(x: &[f32; r, c]) -> [f32; m] { host host::copy }

    /// Two that are so, each by a dim of its own.
    graph Two {
        dim n in 1..=1024;
        dim m in 1..=1024;
        input x: [f32; n * (1025 - n)];
        input z: [f32; m * (1025 - m)];
        output y: [f32; n * (1025 - n)] = double(&x);
        output v: [f32; m * (1025 - m)] = double(&z);
    }

    /// The rows behind the first `n` of `n * n`.
    graph Rest {
        dim n in 33..=1024;
        input x: [f32; n * n];
        let t: [f32; n * n - n] = double(&x[n..]);
        output y: [f32; n * n - n] = add(&t, &x[n..]);
    }

    /// One grows as the other falls.
    graph Apart {
        dim n in 1..=1024;
        input x: [f32; 1025];
        let t: [f32; n] = double(&x[..n]);
        let u: [f32; 1025 - n] = double(&x[n..]);
        output y: [f32; n] = double(&t);
        output z: [f32; 1025 - n] = double(&u);
    }
}

mod host {
    pub fn copy<D>(x: &[f32], out: &mut [f32], _: D) {
        out.copy_from_slice(x);
    }
}

fn sizes(plan: &Plan) -> &Sizes {
    plan.storage.sizes.as_ref().unwrap()
}

fn payload(plan: &Plan, name: &str) -> u64 {
    let mut resources = plan.resources.iter();
    resources.find(|of| of.name == name).unwrap().payload
}

#[test]
fn products_have_the_bytes_of_the_dims_at_which_these_are_largest() {
    let between = &Between::RECORD.report().plans[0];
    let most = (1..=1024u64).map(|n| n * (1025 - n) * 4).max().unwrap();
    for name in ["x", "t", "u", "y"] {
        assert_eq!(payload(between, name), most, "{name}");
    }
    let at = sizes(between).at.clone().unwrap();
    assert_eq!(at[0] * (1025 - at[0]) * 4, most);
    assert_eq!(
        sizes(between).means,
        format!("each resource at its largest, which is at `n = {}`", at[0])
    );
    let two = &Two::RECORD.report().plans[0];
    assert_eq!((payload(two, "y"), payload(two, "v")), (most, most));
    for value in sizes(two).at.clone().unwrap() {
        assert_eq!(value * (1025 - value) * 4, most);
    }
    let rest = &Rest::RECORD.report().plans[0];
    assert_eq!(payload(rest, "t"), (1024 * 1024 - 1024) * 4);
    assert_eq!(sizes(rest).at, Some(vec![1024]));
}

#[test]
fn a_load_takes_what_the_record_says_at_the_dims_that_it_names_and_no_more_elsewhere() {
    let device = gpu_graph::host();
    let plan = &Between::RECORD.report().plans[0];
    let arena = |n: usize| {
        let graph = Between::load(&device, between::Dims { n }).unwrap();
        graph.memory().report().actual.arena_bytes
    };
    let named = sizes(plan).at.as_ref().unwrap()[0] as usize;
    assert_eq!(arena(named), plan.storage.arena);
    let others = [1, 2, 300, 800, 1023, 1024].map(arena);
    assert!(
        others.iter().all(|bytes| *bytes < plan.storage.arena),
        "{others:?}"
    );
}

#[test]
fn where_no_dims_give_all_sizes_the_record_says_so() {
    let text = Apart::RECORD.to_string();
    let plan = &Apart::RECORD.report().plans[0];
    assert_eq!(sizes(plan).at, None);
    assert_eq!(payload(plan, "t"), 4096);
    assert_eq!(payload(plan, "u"), 4096);
    assert!(
        sizes(plan).means.contains("no dims are known"),
        "{}",
        sizes(plan).means
    );
    assert!(text.contains(", exact for these sizes: "), "{text}");
    assert!(
        text.contains("optimal        yes for these sizes, "),
        "{text}"
    );
    let other = Rest::RECORD.to_string();
    assert!(!other.contains("for these sizes"), "{other}");
}

#[test]
fn dims_that_a_record_names_and_does_not_admit_are_refused() {
    let report = Rest::RECORD.report();
    let whole: serde_json::Value = serde_json::from_str(&report.to_json()).unwrap();
    for (at, place) in [
        (json!([1025]), "storage.sizes.at[0]"),
        (json!([32]), "dims[0].min"),
        (json!([1024, 1]), "storage.sizes.at"),
    ] {
        let mut json = whole.clone();
        json["plans"][0]["storage"]["sizes"]["at"] = at;
        let error = Report::from_json(&json.to_string())
            .unwrap_err()
            .to_string();
        assert!(error.contains(place), "{error}");
    }
}
