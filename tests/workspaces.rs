//! Workspaces: what tasks find in them, and who shares their storage, on the host and on the
//! simulated device.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;
use gpu_graph::explain::Storage;

gpu_graph::gpu_graph! {
    /// Sums `x` through a tree in `scratch`.
    kernel sum(x: &[f32; n], scratch: &mut [f32; n]) -> [f32; 1] { host host::sum }
    /// Counts in `seen` what it finds there, and leaves it dirty.
    kernel count(x: &[f32; n], seen: &mut [u8; m]) -> [u32; 1] { zeroed seen, host host::count }
    /// Adds `x` to what is in `kept`.
    kernel accumulate(x: &[f32; n], kept: &mut [f32; n]) -> [f32; n] { host host::accumulate }

    /// Two users side by side, each with room of its own.
    graph Beside {
        dim n in 1..=64;
        streams 2;
        input x: [f32; n];
        input y: [f32; n];
        workspace scratch: [f32; n] per_task;
        output a: [f32; 1] = sum(&x, &mut scratch);
        output b: [f32; 1] = sum(&y, &mut scratch);
    }

    /// Users one behind the other in one storage.
    graph Behind {
        dim n in 1..=64;
        streams 2;
        input x: [f32; n];
        input y: [f32; n];
        workspace scratch: [f32; n];
        'a: output a: [f32; 1] = sum(&x, &mut scratch);
        'b: output b: [f32; 1] = sum(&y, &mut scratch);
        'c: output c: [f32; 1] = sum(&y, &mut scratch);
        order 'a -> 'b -> 'c;
    }

    /// Zeros before each use, whatever the user before left.
    graph Zeroed {
        dim n in 1..=64;
        streams 2;
        input x: [f32; n];
        workspace seen: bytes(4 * n) zeroed;
        workspace other: bytes(n + 3) zeroed per_task;
        'a: output a: [u32; 1] = count(&x, &mut seen);
        'b: output b: [u32; 1] = count(&x, &mut seen);
        order 'a -> 'b;
        output c: [u32; 1] = count(&x, &mut other);
        output d: [u32; 1] = count(&x, &mut other[..n]);
    }

    /// What is kept from use to use and from run to run.
    graph Kept {
        dim n in 1..=64;
        input x: [f32; n];
        workspace kept: [f32; n] preserved;
        output a: [f32; n] = accumulate(&x, &mut kept);
        output b: [f32; n] = accumulate(&x, &mut kept);
    }

    stage layer(x: &[f32; n], room: &mut [f32; n]) -> [f32; 1] {
        workspace own: [u8; n] zeroed;
        let total: [f32; 1] = sum(&x, &mut room);
        let seen: [u32; 1] = count(&x, &mut own);
        merge(&total, &seen)
    }
    kernel merge(x: &[f32; n], y: &[u32; n]) -> [f32; n] = x + y as f32;
    kernel add(x: &[f32; n], sum: &mut [f32; n]) = sum + x;

    /// Workspaces of stages, and those that are passed on to them.
    graph Nested {
        dim n in 1..=64;
        input x: [f32; n];
        input zero: [u32; 1];
        workspace room: [f32; n] per_task;
        let total: [f32; 1] = layer(&x, &mut room);
        for l in 0..3 {
            workspace inner: [f32; n];
            let more: [f32; 1] = sum(&x, &mut inner);
            add(&more, &mut total);
            let again: [f32; 1] = layer(&x, &mut room);
            add(&again, &mut total);
        }
        output y: [f32; 1] = merge(&total, &zero);
    }
}

mod host {
    pub fn sum(x: &[f32], scratch: &mut [f32], out: &mut [f32], _: super::sum::Dims) {
        scratch.copy_from_slice(x);
        let mut len = scratch.len();
        while len > 1 {
            let half = len.div_ceil(2);
            for i in half..len {
                scratch[i - half] += scratch[i];
            }
            len = half;
        }
        out[0] = scratch[0];
        scratch.fill(f32::NAN);
    }

    pub fn count(_x: &[f32], seen: &mut [u8], out: &mut [u32], _: super::count::Dims) {
        out[0] = seen.iter().filter(|byte| **byte != 0).count() as u32;
        seen.fill(0xff);
    }

    pub fn accumulate(x: &[f32], kept: &mut [f32], out: &mut [f32], _: super::accumulate::Dims) {
        for (kept, x) in kept.iter_mut().zip(x) {
            *kept += x;
        }
        out.copy_from_slice(kept);
    }
}

#[test]
fn users_beside_each_other_do_not_disturb_each_other() {
    on_each_device(|device| {
        let mut graph = Beside::load(device, beside::Dims { n: 33 }).unwrap();
        for round in 0..3 {
            let (x, y) = ([1.0 + round as f32; 33], [2.0; 33]);
            let run = graph.run(beside::Inputs { x: &x, y: &y }).unwrap();
            assert_eq!(run.a().unwrap().to_vec().unwrap(), [33.0 * x[0]]);
            assert_eq!(run.b().unwrap().to_vec().unwrap(), [66.0]);
        }
    });
    // Nothing orders the two, so no byte is shared.
    let found = Beside::RECORD.explain("scratch", "scratch#2").unwrap();
    assert_eq!(found.storage, Storage::NotEligible);
}

/// What is dead before a use is written by it, and what is zero or preserved is read, too.
#[test]
fn a_workspace_counts_as_read_where_a_task_finds_something_in_it() {
    let x = 64 * 4;
    let (dead, zeroed) = (3 * x, 4 * x + 2 * 256 + 67 + 64);
    for (record, read) in [(Behind::RECORD, dead), (Zeroed::RECORD, zeroed)] {
        let text = record.text();
        let told = match read {
            1024.. => format!("({read} bytes) read and "),
            _ => format!(" {read} B read and "),
        };
        assert!(text.contains(&told), "{told}: {text}");
    }
}

#[test]
fn users_of_an_exclusive_workspace_share_one_storage() {
    on_each_device(|device| {
        let mut graph = Behind::load(device, behind::Dims { n: 8 }).unwrap();
        let (x, y) = ([1.0; 8], [2.0; 8]);
        let run = graph.run(behind::Inputs { x: &x, y: &y }).unwrap();
        assert_eq!(run.a().unwrap().to_vec().unwrap(), [8.0]);
        assert_eq!(run.b().unwrap().to_vec().unwrap(), [16.0]);
        assert_eq!(run.c().unwrap().to_vec().unwrap(), [16.0]);
    });
    for other in ["scratch#2", "scratch#3"] {
        let found = Behind::RECORD.explain("scratch", other).unwrap();
        assert!(matches!(
            found.storage,
            Storage::Shared { demanded: true, .. }
        ));
    }
    let record = Behind::RECORD.text();
    let said = "  scratch: content dead between uses\n    \
                size      4 * n bytes for each use, at most 256 B\n    \
                uses      3: `'a`, `'b` and `'c`\n    \
                exclusive one storage of 256 B, its users ordered\n";
    assert!(record.contains(said), "{record}");
}

#[test]
fn a_zeroed_workspace_is_zero_at_each_use_of_each_run() {
    on_each_device(|device| {
        let mut graph = Zeroed::load(device, zeroed::Dims { n: 9 }).unwrap();
        for _ in 0..3 {
            let run = graph.run(zeroed::Inputs { x: &[1.0; 9] }).unwrap();
            assert_eq!(run.a().unwrap().to_vec().unwrap(), [0]);
            assert_eq!(run.b().unwrap().to_vec().unwrap(), [0]);
            assert_eq!(run.c().unwrap().to_vec().unwrap(), [0]);
            assert_eq!(run.d().unwrap().to_vec().unwrap(), [0]);
        }
    });
    let found = Zeroed::RECORD.explain("seen", "seen#2").unwrap();
    assert!(matches!(
        found.storage,
        Storage::Shared { demanded: true, .. }
    ));
}

#[test]
fn a_preserved_workspace_survives_uses_and_runs_until_it_is_reset() {
    on_each_device(|device| {
        let mut graph = Kept::load(device, kept::Dims { n: 2 }).unwrap();
        let run = |graph: &mut Kept, x: f32| {
            let run = graph.run(kept::Inputs { x: &[x, 2.0 * x] }).unwrap();
            let a = run.a().unwrap().to_vec().unwrap();
            (a, run.b().unwrap().to_vec().unwrap())
        };
        assert_eq!(run(&mut graph, 1.0), (vec![1.0, 2.0], vec![2.0, 4.0]));
        assert_eq!(run(&mut graph, 1.0), (vec![3.0, 6.0], vec![4.0, 8.0]));
        graph.reset().unwrap();
        assert_eq!(run(&mut graph, 3.0), (vec![3.0, 6.0], vec![6.0, 12.0]));
    });
}

#[test]
fn stages_and_loops_have_workspaces_and_are_passed_them() {
    on_each_device(|device| {
        let mut graph = Nested::load(device, nested::Dims { n: 4 }).unwrap();
        let inputs = nested::Inputs {
            x: &[1.0; 4],
            zero: &[0],
        };
        let run = graph.run(inputs).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), [28.0]);
    });
    let record = Nested::RECORD.text();
    assert!(
        record.contains("  l=1.layer.own: zeroed before each use\n"),
        "{record}"
    );
    assert!(record.contains("    uses      4: "), "{record}");
}
