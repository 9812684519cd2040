//! Views in another shape: the same elements under other extents, without a copy.
#![forbid(unsafe_code)]

mod common;

use common::on_each_device;

mod other {
    gpu_graph::gpu_graph! {
        pub kernel negate(x: &[f32; n]) -> [f32; n] = -x;
    }
}

gpu_graph::gpu_graph! {
    kernel scale(x: &[f32; n], by: f32) -> [f32; n] = x * by;
    kernel add(y: &mut [f32; n], x: &[f32; n]) = y + x;
    kernel row_sums(x: &[f32; h, w]) -> [f32; h] = sum(x);
    kernel transpose(x: &[f32; h, w]) -> [f32; w, h] { host host::transpose }
    kernel numbered(first: u64) -> [f32; n] { host host::numbered }
    callback fill(first: u64) -> [f32; h, w] { host host::fill }

    /// A picture through kernels of one axis.
    pub graph Picture {
        dim h in 2..=9;
        dim w in 1..=7;
        input x: [f32; h, w];
        input wide: [f32; w, 2 * h];
        input tall: [f32; h * 2 * w];

        // Flat both ways: `b` takes the place of `a`.
        let a: [f32; h, w];
        view flat_a = &a as [f32; h * w];
        flat_a = scale(&x as [f32; h * w], 2f32);
        let b: [f32; h * w] = scale(&flat_a, 3f32);
        output whole: [f32; h, w];
        view flat = &whole as [f32; h * w];
        flat = scale(&b, 1f32);

        // Two halves of rows, written through one flat view.
        output halves: [f32; h, w];
        view flat_halves = &halves as [f32; w * h];
        flat_halves[..h / 2 * w] = scale(&x[..h / 2] as [f32; h / 2 * w], 10f32);
        flat_halves[w * (h / 2)..] = scale(&x[h / 2..] as [f32; (h - h / 2) * w], 100f32);

        // The same elements split anew, and one more axis.
        output sums: [f32; 2 * w];
        sums = row_sums(&wide as [f32; 2 * w, h]);
        output more: [f32; w, h * 2];
        view cube = &more as [f32; 1, w, 2, h];
        view back = &cube as [f32; w, 2 * h];
        back = transpose(&tall as [f32; 2 * h, w]);
    }

    stage doubled(y: &mut [f32; n], x: &[f32; n]) {
        add(&mut y[1..], &x[1..]);
        add(&mut y[..1], &x[..1]);
    }

    /// Rows of four, in a resource that is flat.
    pub graph Fours {
        dim m in 1..=5;
        input x: [f32; 4 * m];
        inout total: [f32; m, 4];
        view rows = &x as [f32; m, 4];
        doubled(&mut total as [f32; 4 * m], &rows as [f32; 4 * m]);
        view totals = &total as [f32; m, 4];
        view flat = &totals as [f32; m * 4];
        add(&mut flat[4 * (m / 2)..4 * m], &rows[m / 2..] as [f32; 4 * m - 4 * (m / 2)]);
        output sums: [f32; m] = row_sums(&rows);
        output first: [f32; 4] = scale(&rows[..1] as [f32; 4], 1f32);
        output seen: [f32; 4 * m] = scale(&totals as [f32; 4 * m], 1f32);
    }

    /// Ranges that begin and end within rows.
    pub graph Within {
        dim h in 2..=6;
        dim w in 2..=6;
        input x: [f32; h, w];
        let a: [f32; h, w];
        a[..h / 2] = copy(&x[..h / 2]);
        a[h / 2..] = copy(&x[h / 2..]);
        view flat = &a as [f32; h * w];
        view pixels = &x as [f32; h * w];
        add(&mut flat[1..], &pixels[1..]);
        output y: [f32; h, w];
        view halves = &y as [f32; h * w];
        halves[..h * w / 2] = scale(&flat[..h * w / 2], 10f32);
        halves[h * w / 2..] = scale(&flat[h * w / 2..], 100f32);
        output first: [f32; 1, w] = copy(&y[..1]);
    }
    kernel copy(x: &[f32; h, w]) -> [f32; h, w] = x;

    /// In one arm rows, in the other flat: what outlives runs is one for both.
    pub graph Either {
        dim h in 2..=4;
        dim w in 2..=4;
        variant how { rows, flat, unnamed }
        input x: [f32; h, w];
        inout s: [f32; h, w];
        match how {
            rows => { add(&mut s[1..] as [f32; (h - 1) * w], &x[1..] as [f32; (h - 1) * w]); }
            flat => {
                view all = &s as [f32; h * w];
                view pixels = &x as [f32; h * w];
                add(&mut all[1..], &pixels[1..]);
            }
            unnamed => { add(&mut s as [f32; h * w][1..3], &x[..2] as [f32; 2 * w][1..3]); }
        }
        output y: [f32; h, w] = copy(&s);
    }

    /// Staging in another shape than what it is copied to.
    pub graph Staged {
        dim h in 1..=4;
        dim w in 1..=4;
        staging s: [f32; h, w] = fill(7);
        let x: [f32; h * w] = upload(&s as [f32; h * w]);
        let y: [f32; h * w] = scale(&x, 2f32);
        staging back: [f32; h, w] = download(&y as [f32; h, w]);
        let z: [f32; h, w] = upload(&back);
        workspace room: [f32; h, w];
        inout out: [f32; h, w];
        use_room(&z as [f32; h * w], &mut room as [f32; w * h], &mut out as [f32; h * w]);
        output seen: [f32; h * w] = scale(&out as [f32; h * w], 1f32);
        output counted: [f32; h * w] = numbered(h * w + 1);
        output negated: [f32; h * w] = other::negate::<h * w>(&z as [f32; w * h]);
    }
    kernel use_room(x: &[f32; n], room: &mut [f32; n], y: &mut [f32; n]) { host host::use_room }
}

mod host {
    pub fn transpose(x: &[f32], out: &mut [f32], d: super::transpose::Dims) {
        for i in 0..d.h {
            for j in 0..d.w {
                out[j * d.h + i] = x[i * d.w + j];
            }
        }
    }
    pub fn numbered(first: u64, out: &mut [f32], d: super::numbered::Dims) {
        assert_eq!(out.len(), d.n);
        for (i, out) in out.iter_mut().enumerate() {
            *out = (first + i as u64) as f32;
        }
    }
    pub fn fill(first: u64, out: &mut [f32], d: super::fill::Dims) {
        assert_eq!(out.len(), d.h * d.w);
        for (i, out) in out.iter_mut().enumerate() {
            *out = (first + i as u64) as f32;
        }
    }
    pub fn use_room(x: &[f32], room: &mut [f32], y: &mut [f32], d: super::use_room::Dims) {
        assert_eq!((x.len(), room.len(), y.len()), (d.n, d.n, d.n));
        room.copy_from_slice(x);
        for (y, room) in y.iter_mut().zip(room) {
            *y += *room;
        }
    }
}

fn counted(first: usize, count: usize) -> Vec<f32> {
    (first..first + count).map(|i| i as f32).collect()
}

#[test]
fn a_picture_goes_through_kernels_of_one_axis() {
    on_each_device(|device| {
        for (h, w) in [(2, 1), (4, 3), (5, 7), (9, 2)] {
            let mut graph = Picture::load(device, picture::Dims { h, w }).unwrap();
            let (x, wide, tall) = (
                counted(1, h * w),
                counted(5, 2 * h * w),
                counted(3, 2 * h * w),
            );
            let inputs = picture::Inputs {
                x: &x,
                wide: &wide,
                tall: &tall,
            };
            let run = graph.run(inputs).unwrap();
            let of = |by: f32| x.iter().map(move |x| x * by);
            assert_eq!(
                run.whole().unwrap().to_vec().unwrap(),
                of(6.0).collect::<Vec<_>>()
            );
            let split = h / 2 * w;
            let halves = of(10.0).take(split).chain(of(100.0).skip(split));
            assert_eq!(
                run.halves().unwrap().to_vec().unwrap(),
                halves.collect::<Vec<_>>()
            );
            let sums: Vec<f32> = wide.chunks(h).map(|row| row.iter().sum()).collect();
            assert_eq!(run.sums().unwrap().to_vec().unwrap(), sums);
            let more: Vec<f32> = (0..2 * h * w)
                .map(|i| tall[i % (2 * h) * w + i / (2 * h)])
                .collect();
            assert_eq!(run.more().unwrap().to_vec().unwrap(), more);
        }
    });
}

#[test]
fn what_is_flat_is_seen_in_rows_and_what_has_rows_flat() {
    on_each_device(|device| {
        for m in 1..=5 {
            let mut graph = Fours::load(device, fours::Dims { m }).unwrap();
            let x = counted(1, 4 * m);
            let run = graph.run(fours::Inputs { x: &x }).unwrap();
            let sums: Vec<f32> = x.chunks(4).map(|row| row.iter().sum()).collect();
            assert_eq!(run.sums().unwrap().to_vec().unwrap(), sums);
            assert_eq!(run.first().unwrap().to_vec().unwrap(), x[..4]);
            let twice = |i: usize| if i < 4 * (m / 2) { 1.0 } else { 2.0 };
            let seen: Vec<f32> = x.iter().enumerate().map(|(i, x)| x * twice(i)).collect();
            assert_eq!(run.seen().unwrap().to_vec().unwrap(), seen);
        }
    });
}

#[test]
fn ranges_of_elements_begin_and_end_within_rows() {
    on_each_device(|device| {
        for (h, w) in [(2, 3), (3, 3), (6, 5)] {
            let mut graph = Within::load(device, within::Dims { h, w }).unwrap();
            let x = counted(1, h * w);
            let run = graph.run(within::Inputs { x: &x }).unwrap();
            let by = |i: usize| if i < h * w / 2 { 10.0 } else { 100.0 };
            let twice = |i: usize| if i == 0 { 1.0 } else { 2.0 };
            let y = x.iter().enumerate().map(|(i, x)| x * twice(i) * by(i));
            let y: Vec<f32> = y.collect();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), y);
            assert_eq!(run.first().unwrap().to_vec().unwrap(), y[..w]);
        }
    });
}

#[test]
fn variants_see_one_store_in_rows_and_flat() {
    on_each_device(|device| {
        let mut graph = Either::load(device, either::Dims { h: 3, w: 2 }).unwrap();
        let x = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0];
        for (how, wanted) in [
            (either::How::Rows, [0.0, 0.0, 3.0, 4.0, 5.0, 6.0]),
            (either::How::Flat, [0.0, 2.0, 6.0, 8.0, 10.0, 12.0]),
            (either::How::Unnamed, [0.0, 4.0, 9.0, 8.0, 10.0, 12.0]),
        ] {
            let run = graph.run(either::Inputs { x: &x, how }).unwrap();
            assert_eq!(run.y().unwrap().to_vec().unwrap(), wanted);
        }
    });
}

#[test]
fn copies_and_workspaces_are_of_any_shape() {
    on_each_device(|device| {
        let (h, w) = (3, 4);
        let mut graph = Staged::load(device, staged::Dims { h, w }).unwrap();
        let run = graph.run(staged::Inputs {}).unwrap();
        let twice: Vec<f32> = counted(7, 12).iter().map(|x| 2.0 * x).collect();
        assert_eq!(run.seen().unwrap().to_vec().unwrap(), twice);
        assert_eq!(run.counted().unwrap().to_vec().unwrap(), counted(13, 12));
        let negated: Vec<f32> = twice.iter().map(|x| -x).collect();
        assert_eq!(run.negated().unwrap().to_vec().unwrap(), negated);
    });
}

#[test]
fn an_operand_becomes_a_result_of_another_shape_in_place() {
    let record = Picture::RECORD.to_string();
    for line in [
        "a: transient [f32; h, w]",
        "b: transient [f32; h * w]",
        "`b` after `a`: in place, `b = scale` ends the one and begins the other",
        "`whole` after `b`: in place, `whole = scale` ends the one and begins the other",
    ] {
        assert!(record.contains(line), "{line}\n{record}");
    }
}
