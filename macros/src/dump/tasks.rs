//! Tasks, each with its kernel, its accesses and its scalars.

use std::fmt::{self, Formatter};

use gpu_graph_analysis::calls::{Kernel, ParamKind, ScalarArg, show_place};
use gpu_graph_analysis::expr::Expr;
use gpu_graph_analysis::formula::Value;
use gpu_graph_analysis::model::{Elem, Mode, Task, TaskKind};

use super::Dump;
use crate::ast::ScalarDecl;
use crate::lower::{Launched, TaskArgs, text};

impl Dump<'_> {
    pub(super) fn tasks(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let model = &self.graph.model;
        let mut before = vec![Vec::new(); model.tasks.len()];
        for (a, b) in &self.found.record.dependencies {
            before[b.0 as usize].push(a.0.to_string());
        }
        let again = self.found.plan.graph.as_ref();
        let again = again.map_or(Vec::new(), |graph| graph.again());
        writeln!(f, "\ntasks")?;
        for (i, task) in model.tasks.iter().enumerate() {
            write!(f, "  {i} `{}`", task.name)?;
            if !before[i].is_empty() {
                write!(f, ", after {}", before[i].join(", "))?;
            }
            writeln!(f)?;
            if let Some((_, of)) = again.iter().find(|(task, _)| task.0 as usize == i) {
                writeln!(f, "      does again what task {} does", of.0)?;
            }
            if let TaskKind::Hold { since } = task.kind {
                writeln!(f, "      as task {} left it", since.0)?;
            }
            let kernel = match &task.kind {
                TaskKind::Upload | TaskKind::Fill | TaskKind::Copy | TaskKind::Hold { .. } => None,
                TaskKind::Kernel(launch) => match &self.graph.kernels[launch.kernel as usize] {
                    Launched::Here(k) => self.kernels[*k].signature.as_ref(),
                    Launched::Elsewhere(_) => None,
                },
            };
            if let Some(kernel) = kernel {
                self.kernel(f, kernel, &self.graph.args[i])?;
            }
            self.accesses(f, task, kernel)?;
            if let Some(kernel) = kernel {
                self.scalars(f, kernel, &self.graph.args[i])?;
            }
        }
        Ok(())
    }

    /// `kernel blur, h = h / 4, w = w, over [h / 4, w] block [8, 32]`.
    fn kernel(&self, f: &mut Formatter<'_>, kernel: &Kernel, args: &TaskArgs) -> fmt::Result {
        write!(f, "      kernel {}", kernel.name)?;
        for (dim, value) in kernel.dims.iter().zip(&args.dims) {
            write!(f, ", {} = {}", dim.name, self.expr(value))?;
        }
        if let Some(over) = &kernel.over {
            let extents = over
                .extents
                .iter()
                .map(|e| e.display(&kernel.dims).to_string());
            let extents = extents.collect::<Vec<_>>().join(", ");
            write!(f, ", over [{extents}] block {:?}", over.block)?;
        }
        writeln!(f)
    }

    fn accesses(&self, f: &mut Formatter<'_>, task: &Task, kernel: Option<&Kernel>) -> fmt::Result {
        let model = &self.graph.model;
        let params = kernel.map_or(&[][..], |k| &k.params[..]).iter();
        let mut params = params.filter(|p| matches!(p.kind, ParamKind::Tensor { .. }));
        for access in &task.accesses {
            let does = match access.mode {
                Mode::Read => "reads",
                Mode::ReadWrite => "updates",
                Mode::Overwrite => "overwrites",
            };
            let name = &model.resources[access.resource.0 as usize].name;
            write!(
                f,
                "      {does} {}",
                show_place(name, &access.rows, &model.dims)
            )?;
            match (params.next(), kernel) {
                (Some(param), _) => writeln!(f, " as {}", param.name)?,
                (None, Some(_)) => writeln!(f, " as the result")?,
                (None, None) => writeln!(f)?,
            }
        }
        Ok(())
    }

    fn scalars(&self, f: &mut Formatter<'_>, kernel: &Kernel, args: &TaskArgs) -> fmt::Result {
        let scalars = kernel.params.iter().filter_map(|p| match p.kind {
            ParamKind::Scalar(elem) => Some((p, elem)),
            ParamKind::Tensor { .. } => None,
        });
        for ((param, elem), arg) in scalars.zip(&args.scalars) {
            let value = self.scalar(arg, elem);
            writeln!(f, "      takes {value} as {}: {elem}", param.name)?;
        }
        Ok(())
    }

    fn scalar(&self, arg: &ScalarArg, elem: Elem) -> String {
        match arg {
            ScalarArg::Const(bits) => value(*bits, elem),
            ScalarArg::Param(index) => {
                let declared: Option<&ScalarDecl> = self.graph.ast.scalars.get(*index as usize);
                declared.map_or_else(String::new, |s| text(&s.name))
            }
            ScalarArg::Extent(extent) => self.expr(extent),
        }
    }

    fn expr(&self, expr: &Expr) -> String {
        expr.display(&self.graph.model.dims).to_string()
    }
}

/// The constant of those bits, which are zero-extended to 64.
fn value(bits: u64, elem: Elem) -> String {
    match elem {
        Elem::F32 => format!("{:?}", f32::from_bits(bits as u32)),
        Elem::F64 => format!("{:?}", f64::from_bits(bits)),
        Elem::F16 | Elem::BF16 => match Value::from_bits(bits, elem).cast(Elem::F32) {
            Some(Value::F32(wide)) => format!("{wide:?}"),
            _ => String::new(),
        },
        Elem::I8 => (bits as u8 as i8).to_string(),
        Elem::I16 => (bits as u16 as i16).to_string(),
        Elem::I32 => (bits as u32 as i32).to_string(),
        Elem::I64 => (bits as i64).to_string(),
        Elem::U8 | Elem::U16 | Elem::U32 | Elem::U64 => bits.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::value;
    use gpu_graph_analysis::model::Elem;

    #[test]
    fn constants_are_shown_by_their_type() {
        assert_eq!(value(u64::from(1.5_f32.to_bits()), Elem::F32), "1.5");
        assert_eq!(value(0x3e00, Elem::F16), "1.5");
        assert_eq!(value(0xc040, Elem::BF16), "-3.0");
        assert_eq!(value(0xfffd, Elem::I16), "-3");
        assert_eq!(value(0xfffd, Elem::U16), "65533");
    }
}
