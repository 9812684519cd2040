//! Everything under `fail` is refused with the message in its `.stderr`, everything under `pass`
//! compiles and runs.
//!
//! `TRYBUILD=overwrite cargo test -p gpu-graph-ui-tests` writes the messages anew.

mod profiles;

#[test]
fn refused_programs_say_why_and_their_twins_run() {
    profiles::write();
    let cases = trybuild::TestCases::new();
    cases.compile_fail("fail/*/*.rs");
    cases.pass("pass/*/*.rs");
}
