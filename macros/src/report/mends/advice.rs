//! Refused programs whose faults no edit mends.

/// Programs that rustc refuses after the expansion, where the macro has nothing to say.
pub const RUSTC: &[&str] = &[
    "calls/elsewhere_claims",
    "calls/elsewhere_dims",
    "facade/h09_output_across_the_next_run",
    "facade/input_of_another_type",
    "facade/kernel_keeps_its_operand",
    "facade/kernel_of_another_signature",
    "facade/output_outlives_its_graph",
    "facade/run_without_a_lane",
];

/// Programs with a help that no edit stands for, and what only the user can decide.
pub const ADVICE: &[(&str, &str)] = &[
    ("calls/gg0303_argument_kind", "which resource is meant"),
    (
        "calls/gg0303_computed",
        "what the kernel computes, or who else",
    ),
    (
        "calls/gg0303_scalar_wanted",
        "what the scalar is called, and its value",
    ),
    ("calls/gg0303_tensor_wanted", "which resource is meant"),
    ("calls/gg0304_written", "where the conversion is declared"),
    (
        "calls/gg0305_rank",
        "which extents the resource or the kernel is to have",
    ),
    (
        "calls/gg0313_bound_of_a_view",
        "how large the dim that stands for the quotient may be",
    ),
    (
        "calls/gg0313_not_affine",
        "how large the dim that stands for the product may be",
    ),
    ("calls/gg0314_callback", "which staging the copy fills"),
    ("calls/gg0314_space", "what takes the copy"),
    ("calls/gg0316_not_later", "which call waits for it"),
    (
        "calls/gg0316_twice",
        "which of the two tasks is the later one",
    ),
    (
        "formulas/gg0704_dim",
        "what the parameter is called, and its type",
    ),
    (
        "formulas/gg0704_undeclared",
        "what calls pass for the parameter",
    ),
    ("formulas/gg0705_nothing_reduced", "which kernel reduces it"),
    ("formulas/gg0706_diagonal", "the name of the other dim"),
    ("formulas/gg0706_extent", "the name of the dim"),
    ("formulas/gg0707_no_target", "the type of the result"),
    ("formulas/gg0707_two_targets", "which of them is written"),
    ("formulas/gg0708_total", "whether one element is meant"),
    ("formulas/gg0708_update", "which of the dims is meant"),
    (
        "names/five_faults_in_order",
        "whether the dim is declared, or another one meant",
    ),
    (
        "names/gg0101_item_in_a_graph",
        "where in the macro the kernel is to stand",
    ),
    (
        "names/gg0101_mut_input_filled",
        "what the caller would not give then",
    ),
    (
        "names/gg0103_unknown_scalar",
        "whether the scalar is declared, or another one meant",
    ),
    (
        "names/gg0103_unknown_scalar_beside_resources",
        "whether the scalar is declared, or another one meant",
    ),
    ("names/gg0105_wrong_output", "which output is meant"),
    ("names/gg0108_file", "where the file is"),
    ("names/gg0110_indices", "which indices the body means"),
    ("names/gg0110_of_another_kernel", "what the function does"),
    (
        "sizes/gg0401_without_room",
        "how large the dim may be, and the budget",
    ),
    (
        "sizes/gg0405_four_extents",
        "which loop moves into the kernel",
    ),
    (
        "sizes/gg0406_parameter_block",
        "which scalars become a tensor, or how to split the kernel",
    ),
    ("sizes/gg0410_domains", "which graph the rest moves to"),
    (
        "stages/gg0205_unused_parameter",
        "whether the stage forgets it or takes it in vain",
    ),
    (
        "stages/gg0316_keeps_nothing",
        "whether the call in the stage keeps it",
    ),
    (
        "stages/gg0611_recursion",
        "which loop the recursion stands for",
    ),
    (
        "stages/gg0612_stage_effect",
        "whether the stage may write, or what it writes instead",
    ),
    ("stages/gg0613_stage_result", "which call makes the result"),
    (
        "stages/gg0613_value_of_an_arm",
        "which call makes the result",
    ),
    (
        "stages/gg0615_unrolled",
        "which statements become work of a kernel",
    ),
    (
        "storage/five_faults_of_several_phases",
        "what writes the output",
    ),
    ("storage/gg0201_half_written", "what the other rows hold"),
    (
        "storage/gg0202_output_not_written",
        "what the other rows hold",
    ),
    (
        "storage/gg0205_input_overwritten",
        "what reads the input before that",
    ),
    (
        "storage/gg0205_unused_parameter",
        "what calls pass for it goes with it",
    ),
    (
        "storage/gg0206_overlap",
        "which resource takes the result instead",
    ),
    ("storage/gg0206_same", "which resource is meant"),
    (
        "storage/gg0206_where_another_is_meant",
        "which resource is meant",
    ),
    (
        "storage/gg0210_resident_written",
        "which kernel copies the input",
    ),
    (
        "storage/gg0211_shared_update",
        "whether runs overlap or the content is passed on",
    ),
    (
        "storage/gg0212_retained",
        "whether it is written later, or something else is",
    ),
    (
        "storage/gg0212_unfinished",
        "what else moves behind the wait",
    ),
    (
        "storage/gg0216_no_workspace",
        "which workspace is passed instead",
    ),
    ("storage/gg0217_workspace_read", "what it is to hold"),
    ("storage/gg0217_workspace_written", "who reads it"),
    (
        "unknown/gg0801_completion",
        "what the library keeps, and until when",
    ),
    ("unknown/gg0801_retained_until", "which call waits for it"),
    ("unknown/gg0801_size_bound", "how large it may be"),
    ("unknown/gg0801_weighed_cost", "how long a launch takes"),
    (
        "variants/gg0101_arm_without_value",
        "which call makes the value",
    ),
    ("variants/gg0202_not_in_one_arm", "what the other rows hold"),
    (
        "variants/gg0603_variant_name",
        "what it is called wherever it is matched",
    ),
    ("variants/gg0621_missing_arm", "what is done for the value"),
    ("variants/gg0623_settled", "which statements are meant"),
    ("variants/gg0624_combinations", "which graphs it becomes"),
];
