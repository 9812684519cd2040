//! Random nested stages and loops mean what an interpreter of their text writes down flat.

use super::flatten::flatten;
use super::generate::{Numbers, random};
use super::{meaning, model};

#[test]
fn nested_programs_mean_what_they_are_flattened_to() {
    let mut numbers = Numbers(0x2545_F491_4F6C_DD1D);
    let (mut programs, mut tasks, mut nested) = (0, 0, 0);
    while programs < 1_000 {
        let program = random(&mut numbers);
        let flat = flatten(&program);
        if flat.tasks > 300 {
            continue;
        }
        let text = program.text();
        let (found, wanted) = (meaning(&model(&text)), meaning(&model(&flat.text)));
        assert_eq!(found, wanted, "\n{text}\n{}", flat.text);
        programs += 1;
        tasks += flat.tasks;
        nested += usize::from(text.contains("for ") && text.contains("= stage"));
    }
    // The programs are no empty ones.
    assert!(tasks > 10_000 && nested > 200, "{tasks} {nested}");
}
