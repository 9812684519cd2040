//! Names that stand in a macro call, so that no help makes one up that is there.

use std::collections::BTreeSet;

use gpu_graph_analysis::fault::Fault;
use proc_macro2::{Ident, Spacing, Span, TokenStream, TokenTree};

use crate::lower::text;
use crate::naming::module;

/// Gives what the mends of `faults` make up names that stand nowhere in `input`, the macro's, and
/// whose modules are those of no name there.
pub fn settle(faults: &mut [Fault], input: &TokenStream) {
    let mut fixes = faults.iter().flat_map(|fault| &fault.fixes);
    if fixes.all(|fix| fix.invented.is_empty()) {
        return;
    }
    let mut names = BTreeSet::new();
    collect(input.clone(), &mut names);
    for fault in faults {
        fault.settle(&|name| {
            let module = Some(name).filter(|name| !name.starts_with('\''));
            let module = module.map(|name| text(&module_of(name)));
            names.contains(name) || module.is_some_and(|module| names.contains(&module))
        });
    }
}

/// All names and labels, and the modules that names would have.
fn collect(tokens: TokenStream, names: &mut BTreeSet<String>) {
    let mut tick = false;
    for token in tokens {
        let begins = matches!(&token, TokenTree::Punct(p)
            if p.as_char() == '\'' && p.spacing() == Spacing::Joint);
        match token {
            TokenTree::Group(group) => collect(group.stream(), names),
            TokenTree::Ident(name) if tick => drop(names.insert(format!("'{}", text(&name)))),
            TokenTree::Ident(name) => {
                names.insert(text(&module(&name)));
                names.insert(text(&name));
            }
            _ => {}
        }
        tick = begins;
    }
}

fn module_of(name: &str) -> Ident {
    module(&Ident::new(name, Span::call_site()))
}

#[cfg(test)]
mod tests {
    use gpu_graph_analysis::fault::facade::{method_clash, module_clash};
    use gpu_graph_analysis::model::Site;

    use super::*;

    fn settled(fault: Fault, input: &str) -> String {
        let mut faults = [fault];
        let input = input.parse().expect("the test's text is made of tokens");
        settle(&mut faults, &input);
        let [fault] = faults;
        fault.help.expect("it has a help")
    }

    #[test]
    fn a_name_is_made_up_that_stands_nowhere() {
        let help = |input| settled(method_clash(Site(0), "wait"), input);
        assert_eq!(help("output wait: [f32; n];"), "call it `wait_out`");
        let label = "'wait_out: output wait: [f32; n] = scale(&x);";
        assert_eq!(help(label), "call it `wait_out`");
        let taken = "{ input wait_out: [f32; n]; kernel wait_out_2() }";
        assert_eq!(help(taken), "call it `wait_out_3`");
    }

    #[test]
    fn the_module_of_what_is_made_up_is_free_too() {
        let clash = || module_clash(Site(1), "edges", "edges", Site(0), "Edges");
        let (free, taken) = ("graph Edges kernel edges", "graph Edges2 kernel edges");
        assert_eq!(settled(clash(), free), "call this one `edges2`");
        assert_eq!(settled(clash(), taken), "call this one `edges_2`");
    }
}
