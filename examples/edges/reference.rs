//! Canny once more, from its definition: one pixel at a time, and a flood fill at the end.

/// The edges of a picture of `h` rows of `w` pixels.
pub fn edges(image: &[u16], h: usize, w: usize, low: u16, high: u16) -> Vec<u8> {
    let (h, w) = (h as i64, w as i64);
    let index = |y: i64, x: i64| (y.clamp(0, h - 1) * w + x.clamp(0, w - 1)) as usize;
    let map = |f: &dyn Fn(i64, i64) -> i64| -> Vec<i64> {
        (0..h * w).map(|at| f(at / w, at % w)).collect()
    };
    let binomial = |k: i64| (0..4 + k).fold(1, |c, i| c * (8 - i) / (i + 1));

    let across = map(&|y, x| {
        (-4..=4)
            .map(|k| binomial(k) * i64::from(image[index(y, x + k)]))
            .sum::<i64>()
            / 256
    });
    let smooth = map(&|y, x| {
        (-4..=4)
            .map(|k| binomial(k) * across[index(y + k, x)])
            .sum::<i64>()
            / 2048
    });
    let sobel = |y, x, along: &dyn Fn(i64, i64) -> (i64, i64)| -> i64 {
        let weights = [(-1, 1), (0, 2), (1, 1)];
        let side = |step: i64| -> i64 {
            let part = |(aside, weight)| {
                let (dy, dx) = along(step, aside);
                weight * smooth[index(y + dy, x + dx)]
            };
            weights.into_iter().map(part).sum()
        };
        side(1) - side(-1)
    };
    let gx = map(&|y, x| sobel(y, x, &|step, aside| (aside, step)));
    let gy = map(&|y, x| sobel(y, x, &|step, aside| (step, aside)));
    let mag = map(&|y, x| {
        let at = index(y, x);
        ((gx[at] * gx[at] + gy[at] * gy[at]) as f32).sqrt() as i64
    });

    let mag_at = |y: i64, x: i64| {
        if (0..h).contains(&y) && (0..w).contains(&x) {
            mag[index(y, x)]
        } else {
            0
        }
    };
    let class = map(&|y, x| {
        let (gx, gy) = (gx[index(y, x)], gy[index(y, x)]);
        let (dy, dx) = if 65536 * gy.abs() <= 27146 * gx.abs() {
            (0, 1)
        } else if 65536 * gx.abs() <= 27146 * gy.abs() {
            (1, 0)
        } else if (gx < 0) == (gy < 0) {
            (1, 1)
        } else {
            (1, -1)
        };
        let m = mag_at(y, x);
        let peak = m > mag_at(y - dy, x - dx) && m >= mag_at(y + dy, x + dx);
        i64::from(peak && m > i64::from(low)) + i64::from(peak && m > i64::from(high))
    });

    let mut edges = vec![0; class.len()];
    let mut todo: Vec<(i64, i64)> = (0..h * w)
        .filter(|&at| class[at as usize] == 2)
        .map(|at| (at / w, at % w))
        .collect();
    while let Some((y, x)) = todo.pop() {
        let inside = (0..h).contains(&y) && (0..w).contains(&x);
        if inside && class[index(y, x)] > 0 && edges[index(y, x)] == 0 {
            edges[index(y, x)] = 255;
            todo.extend((-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (y + dy, x + dx))));
        }
    }
    edges
}
