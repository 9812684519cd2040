//! What a program orders, and whether times keep to it.

use gpu_graph::__private::Image;
use gpu_graph::__private::table::{Mode, Op};
use gpu_graph::profile::Profile;

type Pairs = Vec<(usize, usize)>;

/// Tasks of which the first touches what the second touches, and one of them writes it.
fn dependencies(image: &Image) -> Pairs {
    let source = image.source;
    let tasks: Vec<_> = source.tasks.iter().map(|t| source.accesses_of(t)).collect();
    let mut pairs = Vec::new();
    for (after, of_after) in tasks.iter().enumerate() {
        for (before, of_before) in tasks[..after].iter().enumerate() {
            let clash = of_before.iter().any(|a| {
                let reads = |mode| mode == Mode::Read;
                let mut same = of_after.iter().filter(|b| b.resource == a.resource);
                same.any(|b| !(reads(a.mode) && reads(b.mode)))
            });
            pairs.extend(clash.then_some((before, after)));
        }
    }
    pairs
}

/// Tasks of which the first is over before the second begins: by the order of streams and by events.
fn ordered(image: &Image) -> Pairs {
    let (program, tasks) = (image.program, image.source.tasks.len());
    let mut known = vec![vec![false; tasks]; usize::from(program.streams)];
    let mut events = vec![vec![false; tasks]; program.events as usize];
    let mut pairs = Vec::new();
    for op in program.issue {
        match *op {
            Op::Launch { task, stream, .. } => {
                let (task, known) = (task as usize, &mut known[usize::from(stream)]);
                pairs.extend((0..tasks).filter(|&t| known[t]).map(|t| (t, task)));
                known[task] = true;
            }
            Op::Record { event, stream } => {
                events[event as usize].clone_from(&known[usize::from(stream)]);
            }
            Op::Wait { stream, event } => {
                let known = known[usize::from(stream)].iter_mut();
                let event = &events[event as usize];
                known.zip(event).for_each(|(known, event)| *known |= event);
            }
            _ => {}
        }
    }
    pairs
}

/// # Panics
/// Where a task of `profile` begins before one that the program of `image` has before it is over.
pub fn is_kept(image: &Image, profile: &Profile) {
    let (ordered, dependencies) = (ordered(image), dependencies(image));
    assert!(dependencies.len() > 2, "{dependencies:?}");
    assert!(dependencies.iter().all(|pair| ordered.contains(pair)));
    let tasks = profile.tasks();
    assert_eq!(tasks.len(), image.source.tasks.len());
    assert!(tasks.iter().all(|t| t.begin <= t.end), "{profile}");
    for (before, after) in ordered {
        let (before, after) = (&tasks[before], &tasks[after]);
        let kept = before.end <= after.begin;
        assert!(kept, "{} before {}:\n{profile}", before.name, after.name);
    }
}
