//! Tokens.

#[derive(Clone, Debug, PartialEq)]
pub enum Token {
    Word(String),
    /// Digits with whatever suffix.
    Number(String),
    Text(String),
    /// An operator or a bracket.
    Sign(&'static str),
}

const SIGNS: [&str; 36] = [
    "<<=", ">>=", "++", "+=", "/=", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+", "-", "*",
    "/", "%", "&", "|", "^", "~", "!", "<", ">", "=", "?", ":", ";", ",", ".", "(", ")", "[", "]",
    "{",
];

pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    let mut rest = text.trim_start();
    while let Some(first) = rest.chars().next() {
        if let Some(comment) = rest.strip_prefix("//") {
            rest = comment.split_once('\n').map_or("", |(_, rest)| rest);
        } else if let Some(quoted) = rest.strip_prefix('"') {
            let (text, behind) = quoted.split_once('"').expect("a string ends");
            tokens.push(Token::Text(text.to_owned()));
            rest = behind;
        } else if first.is_ascii_digit() {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '.');
            let (number, behind) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push(Token::Number(number.to_owned()));
            rest = behind;
        } else if first.is_ascii_alphabetic() || first == '_' {
            let end = rest.find(|c: char| !c.is_ascii_alphanumeric() && c != '_');
            let (word, behind) = rest.split_at(end.unwrap_or(rest.len()));
            tokens.push(Token::Word(word.to_owned()));
            rest = behind;
        } else {
            let sign = SIGNS.iter().chain(&["}"]).find(|s| rest.starts_with(**s));
            let sign = sign.unwrap_or_else(|| panic!("no token begins {rest:?}"));
            tokens.push(Token::Sign(sign));
            rest = &rest[sign.len()..];
        }
        rest = rest.trim_start();
    }
    tokens
}
