//! Offsets of elements, in text that is Rust and C++ alike.

use gpu_graph_analysis::formula::Axis;

/// Dims of `axes`, slowest first.
pub fn dims(axes: &[Axis]) -> Vec<usize> {
    axes.iter().filter_map(|axis| axis.dim()).collect()
}

/// `(i0 * d1 + i1) * d2 + i2`, where `index` says what the index in a dim is.
pub fn offset(dims: &[usize], index: &dyn Fn(usize) -> String) -> String {
    let Some((first, rest)) = dims.split_first() else {
        return "0".to_owned();
    };
    let mut text = index(*first);
    let mut atom = true;
    for dim in rest {
        text = match atom {
            true => format!("{text} * d{dim} + {}", index(*dim)),
            false => format!("({text}) * d{dim} + {}", index(*dim)),
        };
        atom = false;
    }
    text
}

/// The same without the last index: where the innermost row begins.
pub fn row(dims: &[usize], index: &dyn Fn(usize) -> String) -> String {
    let Some((last, rest)) = dims.split_last() else {
        return "0".to_owned();
    };
    match rest {
        [] => "0".to_owned(),
        [only] => format!("{} * d{last}", index(*only)),
        rest => format!("({}) * d{last}", offset(rest, index)),
    }
}
