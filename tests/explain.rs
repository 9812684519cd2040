//! What `RECORD.explain` says of pairs of every kind, word for word.
#![forbid(unsafe_code)]

gpu_graph::gpu_graph! {
    kernel half(x: &[f32; n]) -> [f32; n] {
        host host::half,
        in place x host host::half_in_place,
    }
    kernel add(x: &[f32; n], y: &[f32; n]) -> [f32; n] { host host::add }

    #[allow(dead_code)]
    graph Kinds {
        dim n in 1..=1024;
        streams 2;
        input x: [f32; n];
        let a: [f32; n] = half(&x);
        let b: [f32; n] = half(&a);
        let c: [f32; n] = half(&b);
        let d: [f32; n] = add(&c, &x);
        let left: [f32; n] = half(&d);
        let right: [f32; n] = add(&d, &d);
        let sum: [f32; n] = add(&left, &right);
        let kept: [f32; n] = half(&sum);
        alias c with a;
        separate sum, kept;
        output y: [f32; n] = half(&kept);
        output other: [f32; n] = half(&x);
    }
}

mod host {
    pub fn half(x: &[f32], out: &mut [f32], _: super::half::Dims) {
        out.iter_mut().zip(x).for_each(|(o, x)| *o = x / 2.0);
    }
    pub fn half_in_place(x: &mut [f32], _: super::half::Dims) {
        x.iter_mut().for_each(|x| *x /= 2.0);
    }
    pub fn add(x: &[f32], y: &[f32], out: &mut [f32], _: super::add::Dims) {
        let sums = x.iter().zip(y).map(|(x, y)| x + y);
        out.iter_mut().zip(sums).for_each(|(o, sum)| *o = sum);
    }
}

#[test]
fn pairs_of_every_kind_are_explained() {
    let pairs = [
        ("a", "b"),
        ("a", "c"),
        ("x", "left"),
        ("left", "right"),
        ("sum", "kept"),
        ("y", "other"),
        ("other", "a"),
        ("d", "kept"),
        ("c", "sum"),
        ("x", "x"),
    ];
    let texts = pairs.map(|(a, b)| match Kinds::RECORD.explain(a, b) {
        Ok(found) => found.to_string(),
        Err(unknown) => panic!("{unknown}"),
    });
    insta::assert_snapshot!(texts.join("\n\n"));
}

#[test]
fn a_name_that_is_not_there_is_told_with_those_spelt_alike() {
    let unknown = Kinds::RECORD.explain("x", "rihgt").unwrap_err();
    assert_eq!(
        unknown.to_string(),
        "`Kinds` has no resource `rihgt`; there is `right`"
    );
    assert_eq!(unknown.near, ["right"]);
    let unknown = Kinds::RECORD.explain("frequency", "x").unwrap_err();
    assert_eq!(unknown.to_string(), "`Kinds` has no resource `frequency`");
}

#[test]
fn the_record_counts() {
    let record = Kinds::RECORD;
    assert_eq!((record.tasks(), record.streams()), (11, 2));
    assert!(record.waits() > 0 && record.lower_bound() <= record.arena_bytes());
    let (least, greatest) = (record.least_peak(), record.greatest_peak());
    assert!(0 < *least.start() && least.end() <= greatest.end());
    assert!(*greatest.end() <= record.arena_bytes());
    assert!(
        record
            .text()
            .contains(&format!("{} placed", record.waits()))
    );
}
