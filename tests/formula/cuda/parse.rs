//! Functions, statements, expressions.

use super::lex::{Token, tokens};
use super::value::Ty;

pub struct Function {
    pub name: String,
    /// `None` for `void`.
    pub result: Option<Ty>,
    pub params: Vec<(String, ParamTy)>,
    pub body: Vec<Stmt>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub enum ParamTy {
    Value(Ty),
    Pointer { to: Ty, writable: bool },
}

pub enum Stmt {
    Declare(Ty, String, Expr),
    Assign(String, Expr),
    Store(String, Expr, Expr),
    For(Box<Stmt>, Expr, Box<Stmt>, Vec<Stmt>),
    If(Expr, Box<Stmt>),
    Return(Option<Expr>),
}

pub enum Expr {
    Number(Ty, u64),
    Name(String),
    Member(String, usize),
    Load(String, Box<Expr>),
    Call(String, Vec<Expr>),
    Unary(&'static str, Box<Expr>),
    Binary(Box<Expr>, &'static str, Box<Expr>),
    Cast(Ty, Box<Expr>),
    Choose(Box<Expr>, Box<Expr>, Box<Expr>),
}

pub fn functions(text: &str) -> Vec<Function> {
    let mut p = Parser {
        tokens: tokens(text),
        at: 0,
    };
    let mut functions = Vec::new();
    while p.at < p.tokens.len() {
        functions.push(p.function());
    }
    functions
}

struct Parser {
    tokens: Vec<Token>,
    at: usize,
}

/// Operators between two operands, loosest first.
const LEVELS: [&[&str]; 10] = [
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Parser {
    fn sign(&mut self, sign: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Sign(s)) if *s == sign);
        self.at += usize::from(is);
        is
    }

    fn expect(&mut self, sign: &str) {
        let found = self.sign(sign);
        assert!(found, "`{sign}`, not {:?}", self.tokens.get(self.at));
    }

    fn word(&mut self, word: &str) -> bool {
        let is = matches!(self.tokens.get(self.at), Some(Token::Word(w)) if w == word);
        self.at += usize::from(is);
        is
    }

    fn name(&mut self) -> String {
        let Some(Token::Word(name)) = self.tokens.get(self.at) else {
            panic!("a name, not {:?}", self.tokens.get(self.at));
        };
        self.at += 1;
        name.clone()
    }

    fn text(&mut self) -> String {
        let Some(Token::Text(text)) = self.tokens.get(self.at) else {
            panic!("a text, not {:?}", self.tokens.get(self.at));
        };
        self.at += 1;
        text.clone()
    }

    fn ty(&mut self) -> Option<Ty> {
        let unsigned = self.word("unsigned");
        let signed = self.word("signed");
        for (word, of_unsigned, plain) in [
            ("char", Ty::U8, signed.then_some(Ty::I8)),
            ("short", Ty::U16, Some(Ty::I16)),
            ("int", Ty::U32, Some(Ty::I32)),
            ("long", Ty::U64, Some(Ty::I64)),
            ("float", Ty::F32, Some(Ty::F32)),
            ("double", Ty::F64, Some(Ty::F64)),
        ] {
            if self.word(word) {
                if word == "long" {
                    assert!(
                        self.word("long"),
                        "`long` has another size on other systems"
                    );
                }
                let ty = if unsigned { Some(of_unsigned) } else { plain };
                return Some(ty.expect("the sign of `char` is written"));
            }
        }
        None
    }

    fn function(&mut self) -> Function {
        if self.word("extern") {
            self.at += 1;
            assert!(self.word("__global__"), "only kernels are extern");
        } else {
            let helper = self.word("static") && self.word("__device__");
            assert!(helper && self.word("__forceinline__"), "a helper is static");
        }
        let result = if self.word("void") { None } else { self.ty() };
        let name = self.name();
        self.expect("(");
        let mut params = Vec::new();
        while !self.sign(")") {
            let constant = self.word("const");
            let to = self.ty().expect("a type of a parameter");
            let pointer = self.sign("*");
            let _ = self.word("__restrict__");
            let ty = match pointer {
                true => ParamTy::Pointer {
                    to,
                    writable: !constant,
                },
                false => ParamTy::Value(to),
            };
            params.push((self.name(), ty));
            let _ = self.sign(",");
        }
        let body = self.block();
        Function {
            name,
            result,
            params,
            body,
        }
    }

    fn block(&mut self) -> Vec<Stmt> {
        self.expect("{");
        let mut body = Vec::new();
        while !self.sign("}") {
            body.push(self.statement());
        }
        body
    }

    fn statement(&mut self) -> Stmt {
        if self.word("for") {
            self.expect("(");
            let first = self.simple();
            self.expect(";");
            let condition = self.expr();
            self.expect(";");
            let step = self.simple();
            self.expect(")");
            return Stmt::For(Box::new(first), condition, Box::new(step), self.block());
        }
        if self.word("if") {
            self.expect("(");
            let condition = self.expr();
            self.expect(")");
            return Stmt::If(condition, Box::new(self.statement()));
        }
        if self.word("asm") {
            return self.instruction();
        }
        if self.word("return") {
            let value = (!self.sign(";")).then(|| self.expr());
            if value.is_some() {
                self.expect(";");
            }
            return Stmt::Return(value);
        }
        let statement = self.simple();
        self.expect(";");
        statement
    }

    /// `("cvt.f32.f16 %0, %1;" : "=f"(b) : "h"(a));`: an instruction is a function of its operand.
    fn instruction(&mut self) -> Stmt {
        self.expect("(");
        let instruction = self.text();
        let mut operand = |constraints: [&str; 2]| {
            self.expect(":");
            let constraint = self.text();
            assert!(constraints.contains(&&*constraint), "{constraint}");
            self.expect("(");
            let name = self.name();
            self.expect(")");
            name
        };
        let result = operand(["=f", "=h"]);
        let argument = operand(["f", "h"]);
        self.expect(")");
        self.expect(";");
        Stmt::Assign(result, Expr::Call(instruction, vec![Expr::Name(argument)]))
    }

    /// A declaration or an assignment, without its semicolon.
    fn simple(&mut self) -> Stmt {
        let constant = self.word("const");
        if let Some(ty) = self.ty() {
            let name = self.name();
            if self.sign("=") {
                return Stmt::Declare(ty, name, self.expr());
            }
            assert!(!constant, "a constant has a value");
            return Stmt::Declare(ty, name, Expr::Number(ty, 0));
        }
        assert!(!constant, "only declarations are const");
        if self.sign("++") {
            let name = self.name();
            let one = Expr::Number(Ty::I32, 1);
            let sum = Expr::Binary(Box::new(Expr::Name(name.clone())), "+", Box::new(one));
            return Stmt::Assign(name, sum);
        }
        let name = self.name();
        if self.sign("[") {
            let index = self.expr();
            self.expect("]");
            self.expect("=");
            return Stmt::Store(name, index, self.expr());
        }
        for (sign, operator) in [("+=", "+"), ("/=", "/")] {
            if self.sign(sign) {
                let old = Box::new(Expr::Name(name.clone()));
                let value = Expr::Binary(old, operator, Box::new(self.expr()));
                return Stmt::Assign(name, value);
            }
        }
        self.expect("=");
        Stmt::Assign(name, self.expr())
    }

    fn expr(&mut self) -> Expr {
        let condition = self.level(0);
        if !self.sign("?") {
            return condition;
        }
        let yes = self.expr();
        self.expect(":");
        let no = self.expr();
        Expr::Choose(Box::new(condition), Box::new(yes), Box::new(no))
    }

    fn level(&mut self, level: usize) -> Expr {
        let Some(signs) = LEVELS.get(level) else {
            return self.unary();
        };
        let mut left = self.level(level + 1);
        while let Some(sign) = signs.iter().find(|sign| self.sign(sign)) {
            left = Expr::Binary(Box::new(left), sign, Box::new(self.level(level + 1)));
        }
        left
    }

    fn unary(&mut self) -> Expr {
        for sign in ["-", "!", "~"] {
            if self.sign(sign) {
                return Expr::Unary(sign, Box::new(self.unary()));
            }
        }
        if self.sign("(") {
            if let Some(ty) = self.ty() {
                self.expect(")");
                return Expr::Cast(ty, Box::new(self.unary()));
            }
            let inside = self.expr();
            self.expect(")");
            return inside;
        }
        if let Some(Token::Number(text)) = self.tokens.get(self.at) {
            let number = number(text);
            self.at += 1;
            return number;
        }
        let name = self.name();
        if self.sign("(") {
            let mut args = Vec::new();
            while !self.sign(")") {
                args.push(self.expr());
                let _ = self.sign(",");
            }
            return Expr::Call(name, args);
        }
        if self.sign("[") {
            let index = self.expr();
            self.expect("]");
            return Expr::Load(name, Box::new(index));
        }
        if self.sign(".") {
            let axis = ["x", "y", "z"].iter().position(|axis| self.word(axis));
            return Expr::Member(name, axis.expect("x, y or z"));
        }
        Expr::Name(name)
    }
}

fn number(text: &str) -> Expr {
    if let Some(float) = text.strip_suffix('f')
        && !text.starts_with("0x")
    {
        let value: f32 = float.parse().expect("a float");
        return Expr::Number(Ty::F32, value.to_bits().into());
    }
    if text.contains('.') {
        let value: f64 = text.parse().expect("a double");
        return Expr::Number(Ty::F64, value.to_bits());
    }
    let digits = text.trim_end_matches(['u', 'l']);
    let value = match digits.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => digits.parse(),
    };
    let value = value.expect("an integer");
    // Hexadecimal and decimal literals take the first type that holds them; decimal ones are signed.
    let hex = digits.starts_with("0x");
    let ty = match &text[digits.len()..] {
        "" if value <= i32::MAX as u64 => Ty::I32,
        "" if hex && value <= u32::MAX.into() => Ty::U32,
        "u" if value <= u32::MAX.into() => Ty::U32,
        "ll" if value <= i64::MAX as u64 => Ty::I64,
        "ll" if hex => Ty::U64,
        "ull" => Ty::U64,
        _ => panic!("no type for {text}"),
    };
    Expr::Number(ty, value)
}
