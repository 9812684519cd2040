//! What the compiler says, read.

use super::Message;

/// What stands in the place of a file and a line where the compiler was at the end of the text.
const END: &str = "At end of source: ";

/// Reads what the compiler says: `file(12): error: text`, and lines about it behind that. Of a fault
/// inside of the prelude the line is the user's that led there. What is found at the end of the text
/// stands where the compiler says that it began, or else at `end`, the last line of the user's.
pub fn messages(log: &str, prelude: &str, end: (&str, u32)) -> Vec<Message> {
    let mut found: Vec<Message> = Vec::new();
    let mut at_end = false;
    for line in log.lines() {
        if let Some(message) = head(line, end) {
            at_end = line.starts_with(END);
            found.push(message);
        } else if let Some((_, place)) = line.rsplit_once("\" at line ")
            && let Some((number, file)) = place.split_once(" of ")
            && let (Some(last), Ok(number)) = (found.last_mut(), number.parse())
            && last.file == prelude
            && file.trim_matches('"') != prelude
        {
            last.line = number;
            last.file = file.trim_matches('"').to_owned();
        } else if let Some((file, number, rest)) = placed(line)
            && let Some((_, note)) = rest.split_once(": ").filter(|_| rest.starts_with("note"))
            && let Some(last) = found.last_mut().filter(|_| at_end)
            && file != prelude
        {
            at_end = false;
            file.clone_into(&mut last.file);
            last.line = number;
            last.text = format!("{} {note}", last.text);
        }
    }
    found
}

/// The file, the line and what is said of them.
fn placed(line: &str) -> Option<(&str, u32, &str)> {
    let (place, rest) = line.split_once("): ")?;
    let (file, number) = place.rsplit_once('(')?;
    Some((file.trim_matches('"'), number.parse().ok()?, rest))
}

fn head(line: &str, end: (&str, u32)) -> Option<Message> {
    let (file, line, rest) = match line.strip_prefix(END) {
        Some(rest) => (end.0, end.1, rest),
        None => placed(line)?,
    };
    let (kind, text) = rest.split_once(": ")?;
    // A warning has its number behind the word.
    let error = match kind.split(' ').next()? {
        "error" | "catastrophic" | "fatal" => true,
        "warning" => false,
        _ => return None,
    };
    Some(Message {
        file: file.to_owned(),
        line,
        error,
        text: text.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::CompileError;
    use super::*;

    const LOG: &str = "a/b.cu(4): error: identifier \"foo\" is undefined
   foo(3);
   ^

p(62): error: static assertion failed with \"one index for each extent of the tensor\"
          static_assert(sizeof...(Index) == N);
          ^
p(62): note #3453-D: the final comparison was 1 == 2
          detected during instantiation of \"T &gpu_graph::Tensor<T, N>::operator()(Index...) const [with T=f32]\" at line 3 of a/b.cu

a/b.cu(2): warning #177-D: function \"g\" was declared but never referenced
\"a/b.cu\"(1): catastrophic error: cannot open source file \"x.cuh\"

4 errors detected in the compilation of \"a/b.cu\".
";

    #[test]
    fn messages_stand_at_the_users_lines() {
        let found = messages(LOG, "p", ("a/b.cu", 9));
        let said: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "a/b.cu:4: identifier \"foo\" is undefined",
                "a/b.cu:3: static assertion failed with \"one index for each extent of the tensor\"",
                "a/b.cu:2: warning: function \"g\" was declared but never referenced",
                "a/b.cu:1: cannot open source file \"x.cuh\"",
            ]
        );
        let refused = CompileError::Refused {
            file: "a/b.cu",
            messages: found,
            log: LOG.to_owned(),
        };
        let said = refused.to_string();
        assert!(
            said.starts_with("`a/b.cu` does not compile\n  a/b.cu:4: identifier"),
            "{said}"
        );
        assert_eq!(said.lines().count(), 4, "warnings are left out: {said}");
    }

    const OPEN: &str = "At end of source: error: expected a \"}\"
a/b.cu(41): note #3196-D: to match this \"{\"
   if (x) { x[0]=1;
          ^

At end of source: error: expected a declaration
p(7): note #3196-D: to match this \"{\"

At end of source: warning #12-D: parsing restarts here

3 errors detected in the compilation of \"a/b.cu\".
";

    #[test]
    fn what_is_found_at_the_end_of_a_text_stands_where_it_began_or_at_the_last_line() {
        let found = messages(OPEN, "p", ("a/b.cu", 43));
        let said: Vec<_> = found.iter().map(ToString::to_string).collect();
        assert_eq!(
            said,
            [
                "a/b.cu:41: expected a \"}\" to match this \"{\"",
                "a/b.cu:43: expected a declaration",
                "a/b.cu:43: warning: parsing restarts here",
            ]
        );
    }

    #[test]
    fn an_error_of_which_no_place_is_known_is_shown_as_it_was_said() {
        let log = "a/b.cu(1): warning #550-D: variable \"a\" was set but never used\n\n\
                   ptxas application ptx input, line 30; error   : Not a name of any known \
                   instruction: 'foo'\nptxas fatal   : Ptx assembly aborted due to errors\n";
        let refused = CompileError::Refused {
            file: "a/b.cu",
            messages: messages(log, "p", ("a/b.cu", 1)),
            log: log.to_owned(),
        };
        assert_eq!(
            refused.to_string(),
            "`a/b.cu` does not compile\n  \
             a/b.cu(1): warning #550-D: variable \"a\" was set but never used\n  \
             ptxas application ptx input, line 30; error   : Not a name of any known instruction: \
             'foo'\n  ptxas fatal   : Ptx assembly aborted due to errors"
        );
    }
}
