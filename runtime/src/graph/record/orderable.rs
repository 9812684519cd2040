//! What an `order` can name: tasks that have a label.

/// Tasks that are written out; the others are counted.
const SHOWN: usize = 3;

/// Whether an `order` of `tasks`, called `these` in the text, would admit something: there is none of a
/// task without a label, and none of what no statement is, as the upload of an input.
pub(crate) fn admits<'a>(these: &str, tasks: impl IntoIterator<Item = &'a str>) -> String {
    let mut bare: Vec<&str> = tasks.into_iter().filter(|name| !labelled(name)).collect();
    bare.sort_unstable();
    bare.dedup();
    if let Some(never) = bare.iter().find(|name| unwritten(name)) {
        return format!("no `order` can name `{never}`");
    }
    let admits = format!("an `order` {these} would admit it");
    let mut names: Vec<String> = bare
        .iter()
        .take(SHOWN)
        .map(|name| format!("`{name}`"))
        .collect();
    if bare.len() > SHOWN {
        names.push(format!("{} more", bare.len() - SHOWN));
    }
    match &names[..] {
        [] => admits,
        [one] => format!("{admits}, once {one} has a label"),
        [first @ .., last] => format!("{admits}, once {} and {last} have labels", first.join(", ")),
    }
}

/// `'edge`, `l=3.'edge`; other names of tasks have no tick.
fn labelled(name: &str) -> bool {
    name.contains('\'')
}

/// What stands for no call: that has no blank behind its first word, or `=` there.
fn unwritten(name: &str) -> bool {
    name.starts_with("upload ") || name.starts_with("zero ") || name.contains(" retains ")
}

#[cfg(test)]
mod tests {
    use super::admits;

    #[test]
    fn an_order_is_of_tasks_with_labels() {
        let of = |tasks: &[&str]| admits("between the two", tasks.iter().copied());
        let order = "an `order` between the two would admit it";
        assert_eq!(of(&["'a", "l=3.'b"]), order);
        let one = format!("{order}, once `y = f` has a label");
        assert_eq!(of(&["'a", "y = f", "y = f"]), one);
        let two = format!("{order}, once `shift(&mut y)` and `y = f` have labels");
        assert_eq!(of(&["y = f", "shift(&mut y)"]), two);
        let more = format!("{order}, once `a = f`, `b = f`, `c = f` and 2 more have labels");
        assert_eq!(of(&["a = f", "b = f", "c = f", "d = f", "e = f"]), more);
        for never in ["upload x", "zero layer.w", "h = keep retains x"] {
            let never_named = format!("no `order` can name `{never}`");
            assert_eq!(of(&["y = f", never]), never_named);
        }
    }
}
