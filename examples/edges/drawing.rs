//! A picture to try it on: sharp shapes, soft ones, faint ones, strokes of letters, a little noise.

/// Pixels per row.
pub const WIDTH: usize = 960;
/// Rows.
pub const HEIGHT: usize = 640;

type Point = [f32; 2];
/// How far a point lies outside of a shape, in pixels; negative within it.
type Shape = Box<dyn Fn(Point) -> f32>;

/// Draws the picture, 8 bits of grey a pixel; the same on every machine.
pub fn draw() -> Vec<u8> {
    let shapes = shapes();
    let mut noise = 1_u32;
    let mut pixels = Vec::with_capacity(WIDTH * HEIGHT);
    for y in 0..HEIGHT {
        for x in 0..WIDTH {
            let at = [x as f32, y as f32];
            let mut shade = 70.0 + 60.0 * at[0] / WIDTH as f32;
            for (shape, tone, softness) in &shapes {
                let cover = (0.5 - shape(at) / softness).clamp(0.0, 1.0);
                shade += (tone - shade) * cover;
            }
            noise = noise.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            pixels.push((shade + (noise >> 24) as f32 / 64.0) as u8);
        }
    }
    pixels
}

/// What to draw, the lowest first: a shape, its tone, and how many pixels its border takes.
fn shapes() -> Vec<(Shape, f32, f32)> {
    let mut shapes: Vec<(Shape, f32, f32)> = vec![
        (disc([190.0, 180.0], 120.0), 225.0, 1.0),
        (disc([230.0, 150.0], 45.0), 20.0, 1.0),
        (disc([780.0, 470.0], 130.0), 235.0, 120.0),
        (ring([470.0, 190.0], 110.0, 14.0), 30.0, 1.0),
        (ring([470.0, 190.0], 60.0, 8.0), 200.0, 2.0),
        (
            stroke(
                &[
                    [660.0, 300.0],
                    [760.0, 80.0],
                    [880.0, 280.0],
                    [660.0, 300.0],
                ],
                4.0,
            ),
            240.0,
            1.0,
        ),
        // Faint all around: dropped. Strong at its left end only: kept as far as it can be seen.
        (disc([560.0, 510.0], 60.0), 130.0, 1.0),
        (stroke(&[[60.0, 606.0], [900.0, 606.0]], 6.0), 128.0, 1.0),
    ];
    let letters: [&[Point]; 3] = [
        &[
            [4.0, 1.0],
            [3.0, 0.0],
            [1.0, 0.0],
            [0.0, 1.0],
            [0.0, 5.0],
            [1.0, 6.0],
            [3.0, 6.0],
            [4.0, 5.0],
            [4.0, 3.0],
            [2.0, 3.0],
        ],
        &[
            [0.0, 6.0],
            [0.0, 0.0],
            [3.0, 0.0],
            [4.0, 1.0],
            [4.0, 2.0],
            [3.0, 3.0],
            [0.0, 3.0],
        ],
        &[
            [0.0, 0.0],
            [0.0, 5.0],
            [1.0, 6.0],
            [3.0, 6.0],
            [4.0, 5.0],
            [4.0, 0.0],
        ],
    ];
    for (k, letter) in letters.iter().enumerate() {
        let place = |p: &Point| [70.0 + 130.0 * k as f32 + 22.0 * p[0], 400.0 + 26.0 * p[1]];
        let path: Vec<Point> = letter.iter().map(place).collect();
        shapes.push((stroke(&path, 7.0), 245.0, 1.0));
    }
    shapes
}

fn disc(centre: Point, radius: f32) -> Shape {
    Box::new(move |p| length([p[0] - centre[0], p[1] - centre[1]]) - radius)
}

fn ring(centre: Point, radius: f32, width: f32) -> Shape {
    Box::new(move |p| (length([p[0] - centre[0], p[1] - centre[1]]) - radius).abs() - width)
}

/// A pen of a radius drawn along a path.
fn stroke(path: &[Point], radius: f32) -> Shape {
    let path = path.to_vec();
    Box::new(move |p| {
        path.windows(2)
            .map(|line| distance(p, line[0], line[1]))
            .fold(f32::MAX, f32::min)
            - radius
    })
}

/// From a point to a line from `a` to `b`.
fn distance(p: Point, a: Point, b: Point) -> f32 {
    let (line, way) = ([b[0] - a[0], b[1] - a[1]], [p[0] - a[0], p[1] - a[1]]);
    let along = (way[0] * line[0] + way[1] * line[1]) / (line[0] * line[0] + line[1] * line[1]);
    let along = along.clamp(0.0, 1.0);
    length([way[0] - along * line[0], way[1] - along * line[1]])
}

fn length(v: Point) -> f32 {
    (v[0] * v[0] + v[1] * v[1]).sqrt()
}
