//! Isolation domains: no byte of one is ever another's, on the host and on the simulated device.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;
use gpu_graph::explain::Storage;

gpu_graph::gpu_graph! {
    kernel twice(x: &[f32; n]) -> [f32; n] { host host::twice }

    /// Two tenants, one behind the other: without domains, all of the second would fit into what the
    /// first is done with.
    graph Tenants {
        dim n in 1..=1024;
        input x: [f32; n] in domain red;
        let a: [f32; n] in domain red = twice(&x);
        let b: [f32; n] in domain red = twice(&a);
        'red: output c: [f32; n] in domain red = twice(&b);
        input y: [f32; n] in domain blue;
        'blue: let d: [f32; n] in domain blue = twice(&y);
        let e: [f32; n] in domain blue = twice(&d);
        output f: [f32; n] in domain blue = twice(&e);
        order 'red -> 'blue;
    }

    /// The same in one domain.
    graph One {
        dim n in 1..=1024;
        input x: [f32; n];
        let a: [f32; n] = twice(&x);
        let b: [f32; n] = twice(&a);
        'red: output c: [f32; n] = twice(&b);
        input y: [f32; n];
        'blue: let d: [f32; n] = twice(&y);
        let e: [f32; n] = twice(&d);
        output f: [f32; n] = twice(&e);
        order 'red -> 'blue;
    }
}

mod host {
    pub fn twice(x: &[f32], out: &mut [f32], _: super::twice::Dims) {
        for (out, x) in out.iter_mut().zip(x) {
            *out = x + x;
        }
    }
}

#[test]
fn no_byte_is_used_in_two_domains() {
    for red in ["x", "a", "b", "c"] {
        for blue in ["y", "d", "e", "f"] {
            let found = Tenants::RECORD.explain(red, blue).unwrap();
            let [(from, to), (from_2, to_2)] = found
                .slots
                .map(|slot| (slot.offset, slot.offset + slot.bytes));
            assert!(to <= from_2 || to_2 <= from, "{found}");
        }
    }
    // Without domains the planner does share there.
    let shared = |(a, b)| {
        let found = One::RECORD.explain(a, b).unwrap();
        matches!(found.storage, Storage::Shared { .. })
    };
    let pairs = [("a", "d"), ("a", "e"), ("b", "d"), ("b", "e")];
    assert!(pairs.into_iter().any(shared));
    assert!(One::RECORD.arena_bytes() < Tenants::RECORD.arena_bytes());
}

#[test]
fn the_record_names_the_domain_of_each_resource() {
    let text = Tenants::RECORD.text();
    assert!(
        text.contains("  a: transient [f32; n] in domain red\n"),
        "{text}"
    );
    assert!(
        text.contains("  f: output [f32; n] in domain blue\n"),
        "{text}"
    );
}

#[test]
fn tenants_run_side_by_side_in_one_graph() {
    on_each_device(|device| {
        let mut graph = Tenants::load(device, tenants::Dims { n: 3 }).unwrap();
        let inputs = tenants::Inputs {
            x: &[1.0; 3],
            y: &[2.0; 3],
        };
        let run = graph.run(inputs).unwrap();
        assert_eq!(run.c().unwrap().to_vec().unwrap(), [8.0; 3]);
        assert_eq!(run.f().unwrap().to_vec().unwrap(), [16.0; 3]);
    });
}
