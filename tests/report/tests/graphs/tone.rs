//! Tone mapping: a chain in place beside what it is live with, and much to order.

gpu_graph::gpu_graph! {
    kernel flatten(x: &[u16; h, w], gain: &[f32; w]) -> [f32; h, w] { host host::flatten, cost 15 us }
    kernel blur(x: &[f32; h, w]) -> [f32; h, w] { host host::same, cost 40 us }
    kernel dx(x: &[f32; h, w]) -> [f32; h, w] { host host::dx, cost 25 us }
    kernel dy(x: &[f32; h, w]) -> [f32; h, w] { host host::dy, cost 25 us }
    kernel magnitude(x: &[f32; h, w], y: &[f32; h, w]) -> [f32; h, w] {
        in place x host host::magnitude_in_place,
        host host::magnitude,
        cost 18 us,
    }
    kernel lack(x: &[f32; h, w], y: &[f32; h, w]) -> [f32; h, w] = x - y, cost 12 us;
    kernel shrink(x: &[f32; h, w]) -> [f32; p, q] { host host::shrink, cost 10 us }
    kernel grow(x: &[f32; p, q]) -> [f32; h, w] { host host::grow, cost 16 us }
    kernel boost(x: &mut [f32; h, w], d: &[f32; h, w], m: &[f32; h, w]) = x + d * m, cost 14 us;
    kernel mix(x: &[f32; h, w], y: &[f32; h, w]) -> [f32; h, w] = x + y, cost 13 us;

    /// Tone mapping.
    #[allow(dead_code)]
    pub graph Tone {
        dim h in 16..=1024;
        dim w in 16..=2048;
        minimize peak, then critical_path;
        input raw: [u16; h, w];
        resident input gain: [f32; w];
        let flat: [f32; h, w] = flatten(&raw, &gain);
        let ground: [f32; h, w] = blur(&flat);
        let detail: [f32; h, w] = lack(&flat, &ground);
        let gx: [f32; h, w] = dx(&flat);
        let gy: [f32; h, w] = dy(&flat);
        let mag: [f32; h, w] = magnitude(&gx, &gy);
        let half: [f32; h / 2, w / 2] = shrink(&ground);
        let small: [f32; h / 2, w / 2] = blur(&half);
        let up: [f32; h, w] = grow(&small);
        'boost: boost(&mut flat, &detail, &mag);
        output toned: [f32; h, w] = mix(&flat, &up);
    }
}

mod host {
    pub fn flatten(x: &[u16], gain: &[f32], out: &mut [f32], d: super::flatten::Dims) {
        let each = x.iter().enumerate();
        let each = each.map(|(i, x)| f32::from(*x) * gain[i % d.w]);
        out.iter_mut().zip(each).for_each(|(o, x)| *o = x);
    }
    pub fn same(x: &[f32], out: &mut [f32], _: super::blur::Dims) {
        out.copy_from_slice(x);
    }
    pub fn dx(x: &[f32], out: &mut [f32], _: super::dx::Dims) {
        out.copy_from_slice(x);
    }
    pub fn dy(x: &[f32], out: &mut [f32], _: super::dy::Dims) {
        out.copy_from_slice(x);
    }
    pub fn magnitude(x: &[f32], y: &[f32], out: &mut [f32], _: super::magnitude::Dims) {
        let each = x.iter().zip(y).map(|(x, y)| x.hypot(*y));
        out.iter_mut().zip(each).for_each(|(o, x)| *o = x);
    }
    pub fn magnitude_in_place(x: &mut [f32], y: &[f32], _: super::magnitude::Dims) {
        x.iter_mut().zip(y).for_each(|(x, y)| *x = x.hypot(*y));
    }
    pub fn shrink(x: &[f32], out: &mut [f32], d: super::shrink::Dims) {
        let at = |i: usize| x[2 * (i / d.q) * d.w + 2 * (i % d.q)];
        out.iter_mut().enumerate().for_each(|(i, o)| *o = at(i));
    }
    pub fn grow(x: &[f32], out: &mut [f32], d: super::grow::Dims) {
        let at = |i: usize| x[(i / d.w / 2).min(d.p - 1) * d.q + (i % d.w / 2).min(d.q - 1)];
        out.iter_mut().enumerate().for_each(|(i, o)| *o = at(i));
    }
}
