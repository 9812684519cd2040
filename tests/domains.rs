//! Isolation domains: no byte of one is ever another's, on the host and on the simulated device.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;
use gpu_graph::__private::DeclaredGraph;
use gpu_graph::__private::table::{Class, Program, Slot};
use gpu_graph::__private::verify::{Violation, turns};
use gpu_graph::explain::Storage;

gpu_graph::gpu_graph! {
    kernel twice(x: &[f32; n]) -> [f32; n] { host host::twice }
    /// `x`, as often as there is room; it looks for what is not to be there before.
    kernel spread(x: &[f32; n], other: f32) -> [f32; m] { host host::spread }

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

    /// Each arm is the work of one tenant, and the other does little then.
    graph Turns {
        dim n in 1..=64;
        dim m in 1..=640;
        variant of { red, blue }
        input x: [f32; n] in domain red;
        input y: [f32; n] in domain blue;
        output p: [f32; n] in domain red;
        output q: [f32; n] in domain blue;
        match of {
            red => {
                let t: [f32; m] in domain red = spread(&x, 5.0);
                let u: [f32; m] in domain red = spread(&t, 5.0);
                p = spread(&u, 5.0);
                q = spread(&y, 3.0);
            }
            blue => {
                let t: [f32; m] in domain blue = spread(&y, 3.0);
                let u: [f32; m] in domain blue = spread(&t, 3.0);
                q = spread(&u, 3.0);
                p = spread(&x, 5.0);
            }
        }
    }

    /// What is in a domain is named in the arms alone, and some of it is staging.
    graph Arms {
        dim n in 1..=64;
        variant of { red, blue }
        input x: [f32; n];
        output p: [f32; n];
        match of {
            red => {
                let t: [f32; 4 * n] in domain red = spread(&x, 5.0);
                staging s: [f32; 4 * n] in domain red = download(&t);
                staging m: [f32; 4 * n] in domain red = fill(&s, 5.0);
                let u: [f32; 4 * n] in domain red = upload(&m);
                p = spread(&u, -1.0);
            }
            blue => {
                let t: [f32; 8 * n] in domain blue = spread(&x, 3.0);
                staging s: [f32; 8 * n] in domain blue = download(&t);
                staging m: [f32; 8 * n] in domain blue = fill(&s, 3.0);
                let u: [f32; 8 * n] in domain blue = upload(&m);
                p = spread(&u, -1.0);
            }
        }
    }
    callback fill(x: &[f32; n], other: f32) -> [f32; n] { host host::fill }
}

/// What the tenants write; each looks for what the other wrote.
const RED: f32 = 3.0;
const BLUE: f32 = 5.0;

mod host {
    /// It overwrites all of `out`, and finds nothing there that another domain wrote.
    pub fn spread<D>(x: &[f32], other: f32, out: &mut [f32], _: D) {
        assert!(!out.contains(&other), "a byte of another domain");
        for (i, out) in out.iter_mut().enumerate() {
            *out = x[i % x.len()];
        }
    }

    pub fn fill<D>(x: &[f32], other: f32, out: &mut [f32], d: D) {
        spread(x, other, out, d);
    }

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

/// What a run of one variant wrote in one domain is not there for another domain in the next run, at the
/// dims' maxima and where slots are moved closer together.
#[test]
fn tenants_take_turns_and_never_find_what_the_other_left() {
    on_each_device(|device| {
        for (n, m) in [(64, 640), (64, 13), (1, 640), (1, 1)] {
            let mut graph = Turns::load(device, turns::Dims { n, m }).unwrap();
            let kept = graph.memory().kept();
            assert_eq!(kept.is_none(), m < 640, "{kept:?}");
            let (x, y) = (&vec![RED; n][..], &vec![BLUE; n][..]);
            for of in [turns::Of::Red, turns::Of::Blue, turns::Of::Red] {
                let run = graph.run(turns::Inputs { of, x, y }).unwrap();
                assert_eq!(run.p().unwrap().to_vec().unwrap(), x);
                assert_eq!(run.q().unwrap().to_vec().unwrap(), y);
            }
        }
        for n in [64, 9, 1] {
            let mut graph = Arms::load(device, arms::Dims { n }).unwrap();
            let kept = graph.memory().kept();
            assert_eq!(kept.is_none(), n < 64, "{kept:?}");
            for (of, x) in [
                (arms::Of::Red, RED),
                (arms::Of::Blue, BLUE),
                (arms::Of::Red, RED),
            ] {
                let x = &vec![x; n][..];
                let run = graph.run(arms::Inputs { of, x }).unwrap();
                assert_eq!(run.p().unwrap().to_vec().unwrap(), x);
            }
        }
    });
}

/// The programs of the graphs above as they are, and with each slot where another one is, in the same
/// program or in the other.
#[test]
fn a_byte_in_two_domains_of_two_variants_is_refused() {
    for images in [Turns::IMAGES, Arms::IMAGES] {
        let all = || images.iter().map(|image| (image.source, image.program));
        assert_eq!(turns(&all().collect::<Vec<_>>()), Ok(()));
        let mut refused = 0;
        let resources = |i: usize| images[i].source.resources.iter().enumerate();
        let pairs = (0..images.len()).flat_map(|i| (0..images.len()).map(move |j| (i, j)));
        for (i, j) in pairs {
            let (own, other) = (images[i].program, images[j].program);
            let each = resources(i).flat_map(|a| resources(j).map(move |b| (a, b)));
            for ((a, of), (b, taken)) in each {
                let staged = |class| matches!(class, Class::Staging);
                if staged(of.class) != staged(taken.class) {
                    continue;
                }
                // From where staging begins.
                let base = |program: &Program<'_>| match staged(of.class) {
                    true => program.arena + program.store,
                    false => 0,
                };
                let mut slots: Vec<Slot> = own.slots.to_vec();
                slots[a].offset = other.slots[b].offset - base(other) + base(own);
                let moved = Program {
                    slots: &slots,
                    ..*own
                };
                let mut all: Vec<_> = all().collect();
                all[i].1 = &moved;
                let found = turns(&all);
                if of.domain != taken.domain {
                    let at = matches!(found, Err((_, Violation::Domain { .. })));
                    assert!(at, "{} at {}: {found:?}", of.name, taken.name);
                    refused += 1;
                }
            }
        }
        assert!(refused > 10, "{refused}");
    }
}

/// Each record tells the place that is left to the other tenant, and no more than that.
#[test]
fn the_record_says_what_is_reserved_for_other_combinations() {
    let text = |name: &str| Turns::RECORD.variant(name).unwrap().text();
    // What is red lies below, so that a run of red lacks nothing behind it but what is blue.
    let (red, blue) = (text("of=red"), text("of=blue"));
    let said = "  reserved       4.5 KiB (4608 bytes) of the arena for isolation domains in other combinations";
    assert!(blue.contains(said) && !red.contains("  reserved"), "{blue}");
    assert!(
        blue.contains("the arena meets the bound, but for what is reserved"),
        "{blue}"
    );
}
