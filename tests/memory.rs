//! What a loaded graph takes at dims below the maxima.

use std::sync::Arc;

use gpu_graph::Device;
use gpu_graph::driver::host::HostDriver;
use gpu_graph::gpu_graph;
use gpu_graph::memory::Kept;

gpu_graph! {
    kernel double(x: &[u32; h, w]) -> [u32; h, w] {
        host host::double,
        in place x host host::double_in_place,
    }
    kernel rows(x: &[u32; h, w]) -> [u32; h] { host host::rows }
    kernel spread(x: &[u32; h], y: &[u32; h, w], kept: &mut [u32; h]) -> [u32; h, w] { host host::spread }
    callback fill(seed: u32) -> [u32; h] { host host::fill }

    graph Image {
        dim h in 1..=4096;
        dim w in 1..=4096;
        scalar seed: u32;
        input x: [u32; h, w];
        resident input bias: [u32; h];
        inout kept: [u32; h];
        staging s: [u32; h] = fill(seed);
        let up: [u32; h] = upload(&s);
        let a: [u32; h, w] = double(&x);
        let b: [u32; h, w] = double(&a);
        let sums: [u32; h] = rows(&b);
        let c: [u32; h, w] = spread(&sums, &x, &mut kept);
        let d: [u32; h, w] = spread(&up, &c, &mut kept);
        output y: [u32; h, w] = spread(&bias, &d, &mut kept);
    }

    graph Lanes {
        dim n in 1..=1_000_000;
        pipelined 2;
        input x: [u32; n, 1];
        let a: [u32; n, 1] = double(&x);
        output y: [u32; n, 1] = double(&a);
    }

    graph Either {
        dim n in 1..=100_000;
        variant how { once, twice }
        inout count: [u32; n];
        resident input count_up: [u32; n];
        input x: [u32; n, 1];
        output y: [u32; n, 1];
        match how {
            once => { y = spread(&count_up, &x, &mut count); }
            twice => {
                let t: [u32; n, 1] = double(&x);
                y = spread(&count_up, &t, &mut count);
            }
        }
    }
}

mod host {
    pub fn double<D>(x: &[u32], out: &mut [u32], _: D) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = 2 * x);
    }
    pub fn double_in_place<D>(x: &mut [u32], _: D) {
        x.iter_mut().for_each(|x| *x *= 2);
    }
    pub fn rows(x: &[u32], out: &mut [u32], dims: super::rows::Dims) {
        for (o, row) in out.iter_mut().zip(x.chunks(dims.w)) {
            *o = row.iter().sum();
        }
    }
    pub fn spread(
        x: &[u32],
        y: &[u32],
        kept: &mut [u32],
        out: &mut [u32],
        dims: super::spread::Dims,
    ) {
        for (r, row) in out.chunks_mut(dims.w).enumerate() {
            kept[r] += x[r];
            for (c, o) in row.iter_mut().enumerate() {
                *o = y[r * dims.w + c] + kept[r];
            }
        }
    }
    pub fn fill<D>(seed: u32, out: &mut [u32], _: D) {
        out.iter_mut().zip(seed..).for_each(|(o, v)| *o = v);
    }
}

/// What `Image` computes, run by run.
fn image(x: &[u32], (h, w): (usize, usize), bias: &[u32], kept: &mut [u32], seed: u32) -> Vec<u32> {
    let mut y = x.to_vec();
    let sums: Vec<u32> = (0..h)
        .map(|r| x[r * w..(r + 1) * w].iter().map(|x| 4 * x).sum())
        .collect();
    for add in [sums, (seed..).take(h).collect(), bias.to_vec()] {
        for r in 0..h {
            kept[r] += add[r];
            y[r * w..(r + 1) * w].iter_mut().for_each(|y| *y += kept[r]);
        }
    }
    y
}

#[test]
fn a_graph_takes_what_its_actual_dims_need_and_computes_the_same() {
    for (h, w) in [(1, 1), (3, 5), (64, 64), (17, 4096), (200, 1000)] {
        let device = gpu_graph::host();
        let mut graph = Image::load(&device, image::Dims { h, w }).unwrap();
        let memory = graph.memory();
        let (planned, actual) = (memory.planned(), memory.actual());
        assert_eq!((memory.kept(), memory.instances()), (None, 1), "{memory}");
        assert_eq!(planned.arena, Image::RECORD.arena_bytes());
        // Three of the size of `x` are there at once; small ones, alignment and padding come on top.
        let most = 4 * (4 * h * w + 256) as u64 + 8 * (4 * h as u64 + 256) + 300_000;
        assert!(
            actual.arena <= most && actual.arena < planned.arena,
            "{memory}"
        );
        assert!(
            actual.store >= 8 * h as u64 && actual.store < planned.store,
            "{memory}"
        );
        assert!(
            actual.staging >= 4 * h as u64 && actual.staging < planned.staging,
            "{memory}"
        );
        assert_eq!(memory.total(), actual.arena + actual.store + actual.staging);
        assert!(memory.to_string().contains("anew at load"), "{memory}");

        let bias: Vec<u32> = (0..h as u32).collect();
        graph.set_bias(&bias).unwrap();
        let mut kept = vec![0; h];
        for seed in 1..4 {
            let x: Vec<u32> = (0..(h * w) as u32).map(|i| i % 97 + seed).collect();
            let run = graph.run(image::Inputs { x: &x, seed }).unwrap();
            let expected = image(&x, (h, w), &bias, &mut kept, seed);
            assert!(
                run.y().unwrap().to_vec().unwrap() == expected,
                "{h} x {w}, seed {seed}"
            );
        }
    }
}

#[test]
fn at_the_maxima_the_plan_is_kept() {
    let graph = Lanes::load(&gpu_graph::host(), lanes::Dims { n: 1_000_000 }).unwrap();
    let memory = graph.memory();
    assert_eq!(memory.kept(), Some(Kept::NothingGained));
    assert!(
        memory.variants().iter().all(|one| one.guard.is_none()),
        "{memory}"
    );
    assert_eq!((memory.actual(), memory.instances()), (memory.planned(), 2));
    assert_eq!(memory.total(), 2 * memory.planned().arena);
}

#[test]
fn lanes_and_variants_are_placed_alike() {
    let device = gpu_graph::host();
    let mut graph = Lanes::load(&device, lanes::Dims { n: 1000 }).unwrap();
    assert!(graph.memory().actual().arena <= 3 * 4096 && graph.memory().kept().is_none());
    let x: Vec<u32> = (0..1000).collect();
    let [mut a, mut b] = graph.lanes();
    for lane in [&mut a, &mut b] {
        let run = lane.run(lanes::Inputs { x: &x }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap()[999], 3996);
    }

    let mut graph = Either::load(&device, either::Dims { n: 2 }).unwrap();
    let memory = graph.memory();
    assert!(memory.total() < 4096, "{memory}");
    // Each combination has a guard of its own, and its own plan to fall back on.
    assert_eq!(memory.variants().len(), Either::RECORD.variants().len());
    for ((_, record), one) in Either::RECORD.variants().iter().zip(memory.variants()) {
        assert_eq!(
            (one.guard, one.planned),
            (Some(Ok(())), record.arena_bytes())
        );
        assert!(one.fitted <= memory.actual().arena && one.fitted < one.planned);
        let said = format!("the slots of its plan, {} bytes: not needed", one.planned);
        assert!(memory.to_string().contains(&said), "{memory}");
    }
    graph.set_count_up(&[1, 10]).unwrap();
    for (how, x, expected) in [
        (either::How::Once, [5, 6], [6, 16]),
        (either::How::Twice, [5, 6], [12, 32]),
        (either::How::Once, [0, 0], [3, 30]),
    ] {
        let run = graph.run(either::Inputs { x: &x, how }).unwrap();
        assert_eq!(run.y().unwrap().to_vec().unwrap(), expected);
    }
}

#[test]
fn loads_are_kept_where_somebody_asks_as_a_history_of_sizes() {
    let device = Device::with(Arc::new(HostDriver::new()));
    let load = |n| Lanes::load(&device, lanes::Dims { n }).map(|g| g.memory().total());
    load(7).unwrap();
    let loads = device.log_loads();
    let sizes = [1000, 300_000, 300_000, 500].map(|n| (n, load(n).unwrap()));
    load(1_000_001).unwrap_err();
    Image::load(&device, image::Dims { h: 3, w: 5 }).unwrap();
    // One that is asked for again is the same.
    let again = device.log_loads();
    assert_eq!((loads.all().len(), again.all()), (5, loads.all()));

    let most = 2 * Lanes::RECORD.arena_bytes();
    let text = loads.csv("Lanes");
    let mut lines = text.lines();
    let header = "id,size,alignment,maximum,nanos,dim n";
    assert_eq!(lines.next(), Some(header), "{text}");
    for ((n, size), load) in sizes.into_iter().zip(loads.all()) {
        let (nanos, begin) = (load.took().as_nanos(), format!("Lanes,{size},256,{most}"));
        assert!(nanos > 0);
        assert_eq!(
            lines.next(),
            Some(&*format!("{begin},{nanos},{n}")),
            "{text}"
        );
    }
    assert_eq!(lines.next(), None, "{text}");
    assert!(loads.csv("Image").contains(",dim h,dim w\nImage,"));
    assert_eq!(loads.csv("Other"), "id,size,alignment,maximum,nanos\n");
    // Nobody asks any more, so the next one begins anew.
    drop((loads, again));
    load(9).unwrap();
    assert_eq!(device.log_loads().all(), []);
}
