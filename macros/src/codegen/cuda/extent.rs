//! Extents as expressions of CUDA C++ over a kernel's dims.

use std::fmt::Write;

use gpu_graph_analysis::expr::Expr;

/// `expr` as an `unsigned long long`, where `dims` are the names of the dims. It is computed in signed
/// numbers, as a part of it may be negative where the whole is not.
pub fn extent(expr: &Expr, dims: &[String]) -> String {
    let name = |dim: u16| dims.get(usize::from(dim)).map_or("0", String::as_str);
    if let Some(dim) = expr.as_dim() {
        return name(dim).to_owned();
    }
    let mut text = format!("(u64)({}ll", expr.constant_part());
    for t in expr.terms() {
        let dim = name(t.dim);
        let inner = match (t.mul, t.add) {
            (1, 0) => format!("(i64){dim}"),
            (mul, add) => format!("{mul}ll * (i64){dim} + {add}ll"),
        };
        // Writing to a string never fails.
        let _ = match t.is_linear() {
            true => write!(text, " + {}ll * ({inner})", t.scale),
            false => write!(
                text,
                " + {}ll * gpu_graph::floor_of({inner}, {}ll)",
                t.scale, t.div
            ),
        };
    }
    text + ")"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extents_are_sums_over_dims() {
        let dims = ["h".to_owned(), "w".to_owned()];
        let h = Expr::dim(0);
        assert_eq!(extent(&Expr::dim(1), &dims), "w");
        assert_eq!(extent(&Expr::constant(4), &dims), "(u64)(4ll)");
        let one = Expr::constant(1);
        let half = h.add(&one).and_then(|e| e.floor_div(2)).unwrap();
        let sum = half.add(&Expr::dim(1).scale(-2).unwrap()).unwrap();
        assert_eq!(
            extent(&sum, &dims),
            "(u64)(0ll + 1ll * gpu_graph::floor_of(1ll * (i64)h + 1ll, 2ll) + -2ll * ((i64)w))"
        );
    }
}
