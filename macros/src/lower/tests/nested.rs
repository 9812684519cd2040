//! Random nested stages, loops and variants mean what an interpreter of their text writes down flat.

use super::flatten::flatten;
use super::generate::{Numbers, random, with_variants};
use super::{lower, meaning, model};

#[test]
fn nested_programs_mean_what_they_are_flattened_to() {
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    let (mut programs, mut tasks, mut nested, mut reshaped) = (0, 0, 0, 0);
    while programs < 1_000 {
        let program = random(&mut numbers);
        let flat = flatten(&program, &[]);
        if flat.tasks > 300 {
            continue;
        }
        let text = program.text();
        let (found, wanted) = (meaning(&model(&text)), meaning(&model(&flat.text)));
        assert_eq!(found, wanted, "\n{text}\n{}", flat.text);
        programs += 1;
        tasks += flat.tasks;
        nested += usize::from(text.contains("for ") && text.contains("= stage"));
        reshaped += usize::from(text.contains(") * w..") || text.contains("..("));
    }
    // The programs are no empty ones.
    assert!(tasks > 10_000 && nested > 200, "{tasks} {nested}");
    assert!(
        reshaped > 50,
        "{reshaped} programs take rows of what is flat"
    );
}

#[test]
fn nested_programs_with_variants_mean_in_each_combination_what_they_are_flattened_to() {
    let mut numbers = Numbers(0x9E6C_63D0_876A_3F1D);
    let (mut programs, mut differ) = (0, 0);
    while programs < 300 {
        let program = with_variants(&mut numbers);
        // The last one changes fastest.
        let choices = (0..2).flat_map(|mode| (0..3).map(move |sort| [mode, sort]));
        let flat: Vec<_> = choices.map(|choice| flatten(&program, &choice)).collect();
        if flat.iter().any(|flat| flat.tasks > 150) {
            continue;
        }
        let text = program.text();
        let lowered = lower(&text);
        assert!(lowered.faults.is_empty(), "{text}\n{:?}", lowered.faults);
        assert_eq!(lowered.models.len(), flat.len());
        for (found, flat) in lowered.models.iter().zip(&flat) {
            let wanted = meaning(&model(&flat.text));
            assert_eq!(meaning(found), wanted, "\n{text}\n{}", flat.text);
        }
        programs += 1;
        differ += usize::from(flat.iter().any(|one| one.text != flat[0].text));
    }
    assert!(differ > 150, "{differ} programs choose anything");
}
