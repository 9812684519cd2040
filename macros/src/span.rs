//! Places in the macro's input: a region is what one part of the syntax tree spans.

use proc_macro2::Span;

/// From the first token of something to its last one.
///
/// Two spans, because stable Rust cannot join the spans of a procedural macro's input.
#[derive(Clone, Copy, Debug)]
pub struct Region {
    /// The first token.
    pub first: Span,
    /// The last token; the same as `first` where there is only one.
    pub last: Span,
}

impl Region {
    /// From the start of `self` to the end of `other`.
    pub fn to(self, other: impl Into<Region>) -> Region {
        Region {
            first: self.first,
            last: other.into().last,
        }
    }
}

/// Where a region is, for comparison: file, and line and column of both ends.
pub type Key = (String, [usize; 4]);

impl Region {
    /// The same for regions of one place, however often the text is looked at.
    pub fn key(self) -> Key {
        if proc_macro::is_available() {
            let (first, last) = (self.first.unwrap(), self.last.unwrap());
            let (from, to) = (first.start(), last.end());
            return (
                first.file(),
                [from.line(), from.column(), to.line(), to.column()],
            );
        }
        outside(self)
    }
}

/// Tests read text without a compiler.
#[cfg(test)]
fn outside(region: Region) -> Key {
    let (from, to) = (region.first.start(), region.last.end());
    (String::new(), [from.line, from.column, to.line, to.column])
}

#[cfg(not(test))]
fn outside(_: Region) -> Key {
    Key::default()
}

impl From<Span> for Region {
    fn from(span: Span) -> Self {
        Region {
            first: span,
            last: span,
        }
    }
}

impl From<&proc_macro2::Ident> for Region {
    fn from(name: &proc_macro2::Ident) -> Self {
        name.span().into()
    }
}

impl From<&syn::Lifetime> for Region {
    fn from(label: &syn::Lifetime) -> Self {
        Region {
            first: label.apostrophe,
            last: label.ident.span(),
        }
    }
}

impl From<&syn::Path> for Region {
    fn from(path: &syn::Path) -> Self {
        let first = match (&path.leading_colon, path.segments.first()) {
            (Some(colon), _) => colon.spans[0],
            (None, Some(segment)) => segment.ident.span(),
            (None, None) => Span::call_site(),
        };
        let last = match path.segments.last() {
            None => first,
            Some(segment) => match &segment.arguments {
                syn::PathArguments::None => segment.ident.span(),
                syn::PathArguments::AngleBracketed(args) => args.gt_token.span,
                syn::PathArguments::Parenthesized(args) => args.paren_token.span.close(),
            },
        };
        Region { first, last }
    }
}

/// `last` ends a line: `next`, which follows it, is on a later one. False where lines are unknown.
pub fn ends_line(last: Span, next: Span) -> bool {
    proc_macro::is_available() && last.unwrap().end().line() < next.unwrap().start().line()
}
