//! JSON with the place of each value.

pub use crate::fault::profiles::Wrong;
use jsonc_parser::ast::Value;
use jsonc_parser::common::Ranged;
use jsonc_parser::{CollectOptions, ParseOptions, parse_to_ast};

/// Nothing but JSON as RFC 8259 has it.
const STRICT: ParseOptions = ParseOptions {
    allow_comments: false,
    allow_loose_object_property_names: false,
    allow_trailing_commas: false,
    allow_missing_commas: false,
    allow_single_quoted_strings: false,
    allow_hexadecimal_numbers: false,
    allow_unary_plus_numbers: false,
    allow_bare_decimal_point_numbers: false,
    allow_non_finite_numbers: false,
    allow_extended_string_escapes: false,
};

/// The value that `text` is.
///
/// # Errors
/// Where it is no JSON.
pub fn parse(text: &str) -> Result<Value<'_>, Wrong> {
    let parsed = parse_to_ast(text, &CollectOptions::default(), &STRICT);
    let parsed = parsed.map_err(|error| Wrong {
        at: [error.line_display(), error.column_display()],
        what: error.kind().to_string().to_lowercase(),
    })?;
    parsed.value.ok_or_else(|| Wrong {
        at: [1, 1],
        what: "there is nothing in it".to_owned(),
    })
}

/// A value, and the text that it stands in.
#[derive(Clone, Copy)]
pub struct Node<'a> {
    value: &'a Value<'a>,
    text: &'a str,
}

impl<'a> Node<'a> {
    /// The value of `text`.
    pub fn new(value: &'a Value<'a>, text: &'a str) -> Self {
        Self { value, text }
    }

    /// Line and column.
    pub fn at(&self) -> [usize; 2] {
        let before = &self.text[..self.value.start()];
        let line = before.rsplit('\n').next().unwrap_or("");
        [before.split('\n').count(), line.chars().count() + 1]
    }

    /// `what` is wrong where this stands.
    pub fn wrong(&self, what: impl Into<String>) -> Wrong {
        Wrong {
            at: self.at(),
            what: what.into(),
        }
    }

    /// Nothing is said.
    pub fn is_null(&self) -> bool {
        matches!(self.value, Value::NullKeyword(_))
    }

    /// A number that counts something.
    ///
    /// # Errors
    /// Where it is none, and so for all that is expected below.
    pub fn number(&self) -> Result<u64, Wrong> {
        let number = match self.value {
            Value::NumberLit(number) => number.value.parse().ok(),
            _ => None,
        };
        number.ok_or_else(|| self.wrong("expected a whole number of 64 bits"))
    }

    /// A number of what was seen, which is seen once at least.
    pub fn count(&self) -> Result<u64, Wrong> {
        match self.number()? {
            0 => Err(self.wrong("nothing was seen")),
            number => Ok(number),
        }
    }

    /// A position among `count` of `what`.
    pub fn index(&self, what: &str, count: usize) -> Result<u32, Wrong> {
        let number = self.number()?;
        match u32::try_from(number) {
            Ok(index) if (index as usize) < count => Ok(index),
            _ => Err(self.wrong(format!("there is no {what} {number}, but {count}"))),
        }
    }

    /// Yes or no.
    pub fn flag(&self) -> Result<bool, Wrong> {
        match self.value {
            Value::BooleanLit(flag) => Ok(flag.value),
            _ => Err(self.wrong("expected `true` or `false`")),
        }
    }

    /// A string.
    pub fn text(&self) -> Result<&'a str, Wrong> {
        match self.value {
            Value::StringLit(text) => Ok(&text.value),
            _ => Err(self.wrong("expected a string")),
        }
    }

    /// The entries of a list.
    pub fn list(&self) -> Result<impl Iterator<Item = Node<'a>> + use<'a>, Wrong> {
        let text = self.text;
        match self.value {
            Value::Array(list) => Ok(list.elements.iter().map(move |v| Node::new(v, text))),
            _ => Err(self.wrong("expected a list")),
        }
    }

    /// One field, whatever others there are.
    pub fn field(&self, name: &str) -> Result<Node<'a>, Wrong> {
        let Value::Object(object) = self.value else {
            return Err(self.wrong("expected an object"));
        };
        match object.get(name) {
            Some(field) => Ok(Node::new(&field.value, self.text)),
            None => Err(self.wrong(format!("the field `{name}` is missing"))),
        }
    }

    /// These fields, and no others.
    pub fn fields<const N: usize>(&self, names: [&str; N]) -> Result<[Node<'a>; N], Wrong> {
        let mut found = [*self; N];
        for (node, name) in found.iter_mut().zip(names) {
            *node = self.field(name)?;
        }
        if let Value::Object(object) = self.value {
            for (i, field) in object.properties.iter().enumerate() {
                let name = field.name.as_str();
                let at = Node::new(&field.value, self.text);
                if !names.contains(&name) {
                    return Err(at.wrong(format!("the field `{name}` is not known")));
                }
                let mut before = object.properties[..i].iter();
                if before.any(|other| other.name.as_str() == name) {
                    return Err(at.wrong(format!("the field `{name}` is there twice")));
                }
            }
        }
        Ok(found)
    }
}
