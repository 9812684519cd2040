//! A warp in step.

use std::collections::BTreeMap;

use super::parse::{Expr, Function, ParamTy, Stmt};
use super::value::{Ty, Value};
use super::{Arg, Buffer, WARP, intrinsic};

/// A number in each lane.
type Lanes = [Value; WARP];
/// The lanes that take part.
type Mask = [bool; WARP];

#[derive(Clone)]
#[allow(clippy::large_enum_variant, reason = "nearly all are numbers")]
enum Variable {
    Lanes(Lanes),
    Pointer { buffer: usize, writable: bool },
}

type Scope = BTreeMap<String, Variable>;

pub struct Warp<'a> {
    functions: &'a [Function],
    buffers: &'a mut [Buffer],
    block: [usize; 3],
    first: usize,
    width: usize,
}

impl<'a> Warp<'a> {
    /// The warp whose first thread has index `first` in a block of `width` threads at `block`.
    pub fn new(
        functions: &'a [Function],
        buffers: &'a mut [Buffer],
        block: [usize; 3],
        first: usize,
        width: usize,
    ) -> Self {
        Self {
            functions,
            buffers,
            block,
            first,
            width,
        }
    }

    pub fn kernel(&mut self, kernel: &Function, args: &[Arg]) {
        assert_eq!(kernel.params.len(), args.len(), "as many arguments");
        let mut scope = Scope::new();
        for ((name, ty), arg) in kernel.params.iter().zip(args) {
            let variable = match (ty, arg) {
                (ParamTy::Pointer { to, writable }, Arg::Pointer(buffer)) => {
                    assert_eq!(
                        *to,
                        self.buffers[*buffer].ty.stored(),
                        "a pointer to its type"
                    );
                    Variable::Pointer {
                        buffer: *buffer,
                        writable: *writable,
                    }
                }
                (ParamTy::Value(ty), Arg::Number(found, bits)) => {
                    assert_eq!(*ty, found.stored(), "a number of its type");
                    Variable::Lanes([Value::new(*ty, *bits); WARP])
                }
                _ => panic!("`{name}` is {ty:?}, and is given {arg:?}"),
            };
            scope.insert(name.clone(), variable);
        }
        self.block(&kernel.body, &mut scope, [true; WARP], None);
    }

    fn call(&mut self, function: &Function, args: Vec<Lanes>, mask: &Mask) -> Lanes {
        let mut scope = Scope::new();
        for ((name, ty), arg) in function.params.iter().zip(args) {
            let ParamTy::Value(ty) = ty else {
                panic!("a helper takes numbers");
            };
            let arg = arg.map(|value| value.convert(*ty));
            scope.insert(name.clone(), Variable::Lanes(arg));
        }
        let value = self.block(&function.body, &mut scope, *mask, function.result);
        value.expect("a helper returns something")
    }

    /// Runs statements in the lanes of `mask`, and gives what they return, of type `ty`.
    fn block(
        &mut self,
        body: &[Stmt],
        scope: &mut Scope,
        mask: Mask,
        ty: Option<Ty>,
    ) -> Option<Lanes> {
        let mut running = mask;
        let mut value = None;
        for stmt in body {
            match stmt {
                Stmt::Return(None) => running = [false; WARP],
                Stmt::Return(Some(expr)) => {
                    let ty = ty.expect("the function has a result");
                    let result = self.expr(expr, scope, &running);
                    value = Some(result.map(|v| v.convert(ty)));
                    running = [false; WARP];
                }
                Stmt::If(condition, then) => {
                    let holds = self.expr(condition, scope, &running);
                    let taken = both(&running, |lane| holds[lane].is_true());
                    match &**then {
                        Stmt::Return(None) => running = both(&running, |lane| !taken[lane]),
                        other => self.simple(other, scope, &taken),
                    }
                }
                Stmt::For(first, condition, step, body) => {
                    self.simple(first, scope, &running);
                    let mut looping = running;
                    loop {
                        let holds = self.expr(condition, scope, &looping);
                        looping = both(&looping, |lane| holds[lane].is_true());
                        if !looping.contains(&true) {
                            break;
                        }
                        self.block(body, scope, looping, None);
                        self.simple(step, scope, &looping);
                    }
                }
                other => self.simple(other, scope, &running),
            }
        }
        value
    }

    fn simple(&mut self, stmt: &Stmt, scope: &mut Scope, mask: &Mask) {
        match stmt {
            Stmt::Declare(ty, name, expr) => {
                let value = self.expr(expr, scope, mask).map(|v| v.convert(*ty));
                scope.insert(name.clone(), Variable::Lanes(value));
            }
            Stmt::Assign(name, expr) => {
                let new = self.expr(expr, scope, mask);
                let Some(Variable::Lanes(old)) = scope.get_mut(name) else {
                    panic!("`{name}` is no variable");
                };
                for lane in (0..WARP).filter(|lane| mask[*lane]) {
                    old[lane] = new[lane].convert(old[lane].ty);
                }
            }
            Stmt::Store(name, index, expr) => {
                let index = self.expr(index, scope, mask);
                let new = self.expr(expr, scope, mask);
                let Some(Variable::Pointer {
                    buffer,
                    writable: true,
                }) = scope.get(name)
                else {
                    panic!("`{name}` is not written through");
                };
                let buffer = &mut self.buffers[*buffer];
                for lane in (0..WARP).filter(|lane| mask[*lane]) {
                    let at = usize::try_from(index[lane].int()).expect("an index");
                    buffer.bits[at] = new[lane].convert(buffer.ty.stored()).bits;
                }
            }
            _ => panic!("not a simple statement"),
        }
    }

    fn expr(&mut self, expr: &Expr, scope: &mut Scope, mask: &Mask) -> Lanes {
        match expr {
            Expr::Number(ty, bits) => [Value::new(*ty, *bits); WARP],
            Expr::Name(name) => match scope.get(name) {
                Some(Variable::Lanes(lanes)) => *lanes,
                _ => panic!("`{name}` is no number"),
            },
            Expr::Member(name, axis) => {
                let x = *axis == 0;
                std::array::from_fn(|lane| {
                    let value = match name.as_str() {
                        "threadIdx" if x => self.first + lane,
                        "threadIdx" => 0,
                        "blockIdx" => self.block[*axis],
                        "blockDim" if x => self.width,
                        "blockDim" => 1,
                        _ => panic!("`{name}` is not emitted"),
                    };
                    Value::new(Ty::U32, value as u64)
                })
            }
            Expr::Load(name, index) => {
                let index = self.expr(index, scope, mask);
                let Some(Variable::Pointer { buffer, .. }) = scope.get(name) else {
                    panic!("`{name}` is no pointer");
                };
                let buffer = &self.buffers[*buffer];
                let ty = buffer.ty.stored();
                each(mask, ty, |lane| {
                    let at = usize::try_from(index[lane].int()).expect("an index");
                    Value::new(ty, buffer.bits[at])
                })
            }
            Expr::Cast(ty, of) => {
                let of = self.expr(of, scope, mask);
                each(mask, *ty, |lane| of[lane].cast(*ty))
            }
            Expr::Unary(sign, of) => {
                let of = self.expr(of, scope, mask);
                of.map(|value| value.unary(sign))
            }
            Expr::Binary(left, sign, right) => {
                let a = self.expr(left, scope, mask);
                if matches!(*sign, "&&" | "||") {
                    let wanted = *sign == "&&";
                    let goes_on = both(mask, |lane| a[lane].is_true() == wanted);
                    let b = self.expr(right, scope, &goes_on);
                    return std::array::from_fn(|lane| {
                        let by = if goes_on[lane] { b[lane] } else { a[lane] };
                        Value::new(Ty::I32, by.is_true().into())
                    });
                }
                let b = self.expr(right, scope, mask);
                let ty = Value::new(a[0].ty, 1)
                    .binary(sign, Value::new(b[0].ty, 1))
                    .ty;
                each(mask, ty, |lane| a[lane].binary(sign, b[lane]))
            }
            Expr::Choose(condition, yes, no) => {
                let holds = self.expr(condition, scope, mask);
                let a = self.expr(yes, scope, &both(mask, |lane| holds[lane].is_true()));
                let b = self.expr(no, scope, &both(mask, |lane| !holds[lane].is_true()));
                let ty = if a[0].ty == b[0].ty {
                    a[0].ty
                } else {
                    a[0].ty.common(b[0].ty)
                };
                each(mask, ty, |lane| {
                    let value = if holds[lane].is_true() {
                        a[lane]
                    } else {
                        b[lane]
                    };
                    value.convert(ty)
                })
            }
            Expr::Call(name, args) => {
                let args: Vec<_> = args.iter().map(|arg| self.expr(arg, scope, mask)).collect();
                let functions = self.functions;
                if let Some(function) = functions.iter().find(|f| f.name == *name) {
                    return self.call(function, args, mask);
                }
                if name.starts_with("__shfl") {
                    // Where all have ended, none is there to be missed.
                    let all = mask.iter().all(|lane| *lane == mask[0]);
                    assert!(all, "a shuffle needs every lane");
                    return shuffle(name, &args);
                }
                let lane = |lane: usize| -> Vec<Value> { args.iter().map(|a| a[lane]).collect() };
                let ty = intrinsic::call(name, &lane(0)).ty;
                each(mask, ty, |l| intrinsic::call(name, &lane(l)))
            }
        }
    }
}

fn shuffle(name: &str, args: &[Lanes]) -> Lanes {
    let [members, value, by] = args else {
        panic!("a shuffle takes three arguments");
    };
    assert_eq!(members[0], Value::new(Ty::U32, u32::MAX.into()));
    assert!(
        value[0].ty.bits() >= 32,
        "no shuffle takes less than an `int`"
    );
    std::array::from_fn(|lane| {
        let by = by[lane].int() as usize;
        match name {
            "__shfl_down_sync" if lane + by < WARP => value[lane + by],
            "__shfl_down_sync" => value[lane],
            "__shfl_sync" => value[by % WARP],
            _ => panic!("`{name}` is not emitted"),
        }
    })
}

fn both(mask: &Mask, holds: impl Fn(usize) -> bool) -> Mask {
    std::array::from_fn(|lane| mask[lane] && holds(lane))
}

/// Lanes that take part get a value, the others 0.
fn each(mask: &Mask, ty: Ty, value: impl Fn(usize) -> Value) -> Lanes {
    std::array::from_fn(|lane| {
        if mask[lane] {
            value(lane)
        } else {
            Value::new(ty, 0)
        }
    })
}
