//! What runs are measured to take, as a file that `profile "…";` in a graph can name.

use std::error::Error;
use std::path::Path;

use gpu_graph::Device;
use gpu_graph::report::ProfileLog;

use super::graph::{Edges, edges};
use super::picture::Picture;
use super::{HIGH, LOW};

/// Runs the graph on `picture` so often, and writes what was seen.
pub fn measure(
    device: &Device,
    picture: &Picture,
    runs: usize,
    path: &Path,
) -> Result<String, Box<dyn Error>> {
    let Picture { h, w, luminance } = picture;
    let mut graph = Edges::load(device, edges::Dims { h: *h, w: *w })?;
    graph.profile(true)?;
    let mut log = ProfileLog::new();
    for _ in 0..runs {
        let (image, low, high) = (luminance.as_slice(), LOW, HIGH);
        let run = graph.run(edges::Inputs { image, low, high })?;
        log.add(&run.profile()?.ok_or("the run was not timed")?)?;
    }
    let measured = log.measured().ok_or("nothing was run")?;
    measured.write(path)?;
    let program = measured.programs.first().ok_or("nothing was run")?;
    let time = std::time::Duration::from_nanos(program.run_nanoseconds.median);
    let live = program.live_bytes.most as f64 / f64::from(1 << 20);
    let path = path.display();
    Ok(format!(
        "{w} x {h} pixels, {runs} runs: {time:.1?} in the median, at most {live:.1} MiB live at once\n\
         wrote {path}"
    ))
}
