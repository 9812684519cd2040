//! Canny's method as a graph, twice: in one piece, and cut into four bands of rows that run side by
//! side. What looks at the rows next to its own reads them from the neighbouring band, and only that
//! makes one band wait for another.

use super::{filters, labels};
use gpu_graph::gpu_graph;

gpu_graph! {
    /// Gaussian blur along the rows.
    pub kernel blur_x(src: &[u16; h, w]) -> [u16; h, w] {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host filters::blur_x,
    }
    /// Gaussian blur along the columns. The first `top` rows lie above the result.
    pub kernel blur_y(src: &[u16; r, w], top: u32) -> [i16; h, w] {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host filters::blur_y,
    }
    /// Gradient from left to right.
    pub kernel sobel_x(src: &[i16; r, w], top: u32) -> [i16; h, w] {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host filters::sobel_x,
    }
    /// Gradient from top to bottom.
    pub kernel sobel_y(src: &[i16; r, w], top: u32) -> [i16; h, w] {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host filters::sobel_y,
    }
    /// Length of the gradient.
    pub kernel magnitude(gx: &[i16; h, w], gy: &[i16; h, w]) -> [u16; h, w] {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host filters::magnitude,
    }
    /// Non-maximum suppression, and the two thresholds.
    pub kernel suppress(
        mag: &[u16; r, w], gx: &[i16; h, w], gy: &[i16; h, w], top: u32, low: u16, high: u16,
    ) -> [u8; h, w] {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host filters::suppress,
    }
    /// A component for each pixel of rows that begin with row `first` of the picture.
    pub kernel label(thin: &[u8; h, w], first: u32) -> [u32; h, w] {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host labels::label,
    }
    /// Joins neighbours within the rows.
    pub kernel merge(labels: &mut [u32; h, w], first: u32) {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host labels::merge,
    }
    /// Lets each pixel point to the root of its component.
    pub kernel flatten(labels: &mut [u32; h, w], first: u32) {
        over [h, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host labels::flatten,
    }
    /// Joins neighbours across the seam above `row`.
    pub kernel stitch(labels: &mut [u32; h, w], row: u32) {
        over [w] block [256],
        cuda "examples/edges/edges.cu",
        host labels::stitch,
    }
    /// Marks the pixels of components that contain a strong one.
    pub kernel mark(labels: &[u32; h, w], first: u32) -> [u8; n, w] {
        over [n, w] block [8, 32],
        cuda "examples/edges/edges.cu",
        host labels::mark,
    }

    /// Edges of a picture, found in one piece on one stream.
    pub graph Whole {
        dim h in 1..=32_768;                        // the index of a pixel has to fit in 31 bits
        dim w in 1..=32_768;
        streams 1;

        input image: [u16; h, w];
        scalar low: u16;
        scalar high: u16;

        let across: [u16; h, w] = blur_x(&image);
        let smooth: [i16; h, w] = blur_y(&across, 0);
        let gx: [i16; h, w] = sobel_x(&smooth, 0);
        let gy: [i16; h, w] = sobel_y(&smooth, 0);
        let mag: [u16; h, w] = magnitude(&gx, &gy);
        let thin: [u8; h, w] = suppress(&mag, &gx, &gy, 0, low, high);
        let labels: [u32; h, w] = label(&thin, 0);
        merge(&mut labels, 0);
        flatten(&mut labels, 0);
        output edges: [u8; h, w] = mark(&labels, 0);
    }

    /// The same in four bands of rows, side by side.
    pub graph Edges {
        dim h in 32..=32_768;                       // and four bands that are larger than the halos
        dim w in 1..=32_768;
        budget 16 GiB;

        input image: [u16; h, w];
        scalar low: u16;
        scalar high: u16;

        let across: [u16; h, w];
        across[0..h/4]     = blur_x(&image[0..h/4]);
        across[h/4..h/2]   = blur_x(&image[h/4..h/2]);
        across[h/2..3*h/4] = blur_x(&image[h/2..3*h/4]);
        across[3*h/4..h]   = blur_x(&image[3*h/4..h]);

        let smooth: [i16; h, w];
        smooth[0..h/4]     = blur_y(&across[0..h/4+4], 0);
        smooth[h/4..h/2]   = blur_y(&across[h/4-4..h/2+4], 4);
        smooth[h/2..3*h/4] = blur_y(&across[h/2-4..3*h/4+4], 4);
        smooth[3*h/4..h]   = blur_y(&across[3*h/4-4..h], 4);

        let gx: [i16; h, w];
        gx[0..h/4]     = sobel_x(&smooth[0..h/4+1], 0);
        gx[h/4..h/2]   = sobel_x(&smooth[h/4-1..h/2+1], 1);
        gx[h/2..3*h/4] = sobel_x(&smooth[h/2-1..3*h/4+1], 1);
        gx[3*h/4..h]   = sobel_x(&smooth[3*h/4-1..h], 1);

        let gy: [i16; h, w];
        gy[0..h/4]     = sobel_y(&smooth[0..h/4+1], 0);
        gy[h/4..h/2]   = sobel_y(&smooth[h/4-1..h/2+1], 1);
        gy[h/2..3*h/4] = sobel_y(&smooth[h/2-1..3*h/4+1], 1);
        gy[3*h/4..h]   = sobel_y(&smooth[3*h/4-1..h], 1);

        let mag: [u16; h, w];
        mag[0..h/4]     = magnitude(&gx[0..h/4], &gy[0..h/4]);
        mag[h/4..h/2]   = magnitude(&gx[h/4..h/2], &gy[h/4..h/2]);
        mag[h/2..3*h/4] = magnitude(&gx[h/2..3*h/4], &gy[h/2..3*h/4]);
        mag[3*h/4..h]   = magnitude(&gx[3*h/4..h], &gy[3*h/4..h]);

        let thin: [u8; h, w];
        thin[0..h/4]     = suppress(&mag[0..h/4+1], &gx[0..h/4], &gy[0..h/4], 0, low, high);
        thin[h/4..h/2]   = suppress(&mag[h/4-1..h/2+1], &gx[h/4..h/2], &gy[h/4..h/2], 1, low, high);
        thin[h/2..3*h/4] = suppress(&mag[h/2-1..3*h/4+1], &gx[h/2..3*h/4], &gy[h/2..3*h/4], 1, low, high);
        thin[3*h/4..h]   = suppress(&mag[3*h/4-1..h], &gx[3*h/4..h], &gy[3*h/4..h], 1, low, high);

        let labels: [u32; h, w];
        labels[0..h/4]     = label(&thin[0..h/4], 0);
        labels[h/4..h/2]   = label(&thin[h/4..h/2], h/4);
        labels[h/2..3*h/4] = label(&thin[h/2..3*h/4], h/2);
        labels[3*h/4..h]   = label(&thin[3*h/4..h], 3*h/4);

        merge(&mut labels[0..h/4], 0);
        merge(&mut labels[h/4..h/2], h/4);
        merge(&mut labels[h/2..3*h/4], h/2);
        merge(&mut labels[3*h/4..h], 3*h/4);

        flatten(&mut labels[0..h/4], 0);
        flatten(&mut labels[h/4..h/2], h/4);
        flatten(&mut labels[h/2..3*h/4], h/2);
        flatten(&mut labels[3*h/4..h], 3*h/4);

        stitch(&mut labels, h/4);
        stitch(&mut labels, h/2);
        stitch(&mut labels, 3*h/4);

        output edges: [u8; h, w];
        edges[0..h/4]     = mark(&labels, 0);
        edges[h/4..h/2]   = mark(&labels, h/4);
        edges[h/2..3*h/4] = mark(&labels, h/2);
        edges[3*h/4..h]   = mark(&labels, 3*h/4);
    }
}
