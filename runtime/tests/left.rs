//! Plans that leave in-place updates are proved, and are not where one is done all the same.

#[path = "../../analysis/tests/common/mod.rs"]
mod common;
mod explain_support;
mod report_support;

use common::rng::Rng;
use common::updates::stages;
use gpu_graph_analysis::model::Site;
use gpu_graph_analysis::policy::{Kind, Metric, Minimize};
use gpu_graph_runtime::report::Report;
use gpu_graph_runtime::table::{Form, Op, Program};
use gpu_graph_runtime::verify::verify;

#[test]
fn what_a_plan_leaves_is_proved_and_no_update_of_it_is() {
    let (mut proved, mut refused) = (0, 0);
    for seed in 0..60 {
        let mut model = stages(&mut Rng(seed));
        model.declared.minimize = Some(Minimize::Order(vec![(Metric::Peak, Site(0))]));
        let case = report_support::case(model).unwrap_or_else(|| panic!("seed {seed}: refused"));
        let (model, plan, record) = (&case.model, &case.plan, &case.found);
        let Kind::Leaving(..) = record.policy.rivals[record.policy.plan].kind else {
            continue;
        };
        let report = case.record.report();
        assert_eq!(Report::from_json(&report.to_json()).as_ref(), Ok(&report));
        let said = &report.plans[0].left;
        assert_eq!(said.len(), record.left.len(), "seed {seed}");
        assert!(
            said.iter()
                .all(|left| left.reason.contains("a plan without it"))
        );
        let image = explain_support::image(model, plan);
        let (source, program) = (image.source, image.program);
        assert_eq!(verify(source, program, &[]), Ok(()), "seed {seed}");
        proved += 1;
        for left in &record.left {
            let mut issue = program.issue.to_vec();
            for op in &mut issue {
                if let Op::Launch { task, form, .. } = op
                    && *task == left.merge.task.0
                {
                    assert_eq!(*form, Form::Apart, "seed {seed}");
                    *form = Form::InPlace;
                }
            }
            let issue = &issue[..];
            let done = Program { issue, ..*program };
            assert!(verify(source, &done, &[]).is_err(), "seed {seed}");
            refused += 1;
        }
    }
    assert!(proved > 10 && refused >= proved, "{proved} {refused}");
}
