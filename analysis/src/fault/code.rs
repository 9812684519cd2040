//! The registry of codes.

use std::fmt;

/// Code of a fault, as in `GG0203`. Each has a page in `docs/errors`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Code(pub u16);

impl Code {
    /// Whether faults of this code are there whatever the values of dims, constants and loop
    /// variables: names, kinds and effects.
    pub fn is_of_text(self) -> bool {
        const OTHERS: &[Code] = &[
            ARGUMENT_COUNT,
            EFFECT,
            ARGUMENT_KIND,
            ELEM,
            RANK,
            SCALAR_TYPE,
            RESULT,
            RETENTION,
            STAGE_EFFECT,
            GRAPH_ONLY,
            BLOCKED,
            VARIANT_NAME,
            MISSING_ARM,
            REPEATED_ARM,
            SETTLED,
            COMBINATIONS,
        ];
        (101..200).contains(&self.0) || OTHERS.contains(&self)
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GG{:04}", self.0)
    }
}

macro_rules! codes {
    ($($(#[$doc:meta])* $name:ident = $number:literal, $title:literal;)*) => {
        $($(#[$doc])* pub const $name: Code = Code($number);)*

        /// Every code with its title, in ascending order.
        pub const ALL: &[(Code, &str)] = &[$(($name, $title)),*];
    };
}

codes! {
    /// An index, a rank or a task of a model built by hand is wrong. Nothing that is written in
    /// `gpu_graph!` leads here.
    MALFORMED = 1, "the model names what it does not have";

    // 01xx: names and syntax
    /// The text is not of the grammar.
    SYNTAX = 101, "the text is not of the language";
    /// A word of the design that is not built yet.
    NOT_YET = 102, "a word is not part of the language yet";
    /// A name or label that nothing declares.
    UNKNOWN_NAME = 103, "a name is not declared";
    /// A name or label that is declared twice.
    DUPLICATE_NAME = 104, "a name is declared twice";
    /// A name of another kind than its place asks for.
    WRONG_KIND = 105, "a name is of another kind";
    /// A clause or a setting that stands twice.
    REPEATED = 106, "a clause or a setting stands twice";
    /// A clause that must stand and does not.
    MISSING_CLAUSE = 107, "a clause is missing";
    /// A file that a clause names and that cannot be read.
    FILE = 108, "a file cannot be read";
    /// A profile that is not of the form of one.
    PROFILE = 109, "a profile cannot be used";
    /// A CUDA text without a function that its kernel asks for, or with one that does not fit.
    CUDA_TEXT = 110, "a CUDA text does not fit its kernel";

    // 02xx: storage and liveness
    /// A task reads rows that nothing before it is known to write.
    READ_BEFORE_WRITE = 201, "a resource is read before it is written";
    /// An output has rows that nothing is known to write.
    OUTPUT_NOT_WRITTEN = 202, "an output is not fully written";
    /// `alias` of two resources that some execution has live at once.
    ALIAS_LIVE = 203, "two resources share storage but may be live at the same time";
    /// `alias` that would reuse an output's storage: the host reads it after the run.
    ALIAS_HOST = 204, "a resource shares storage that the host holds";
    /// A value, a resource, an input or a scalar that nothing reads.
    UNUSED = 205, "something is never used";
    /// Two accesses of one task overlap, and one of them writes.
    OVERLAP = 206, "two accesses of one task overlap and one writes";
    /// An in-place form was demanded, but the operand is still read elsewhere.
    IN_PLACE_READ = 207, "an operand is updated in place but still read";
    /// A pair of one resource with itself.
    PAIR_SELF = 208, "a resource is paired with itself";
    /// Resources that must share storage and must not.
    PAIR_CONTRADICTION = 209, "two resources must share storage and must not";
    /// A task writes an input.
    INPUT_WRITTEN = 210, "an input is written";

    /// An inout in a pipelined graph.
    SHARED_UPDATE = 211, "runs in flight together would update one resource";
    /// A write to what something still holds.
    RETAINED = 212, "a resource is used while it is retained";
    /// `alias` across isolation domains.
    ALIAS_DOMAIN = 213, "a resource shares storage with another isolation domain";
    /// `alias` of staging with memory of the device.
    ALIAS_SPACE = 214, "a resource shares storage with memory of the other side";
    /// Users of one exclusive workspace that no dependency orders.
    WORKSPACE_SHARED = 215, "users of one workspace are not ordered";
    /// A kernel needs zeros in what is no zeroed workspace.
    NOT_ZEROED = 216, "a kernel needs zeros that nothing makes";
    /// A workspace is read, or written for others to read.
    WORKSPACE_CONTENT = 217, "a workspace is used for what it holds";
    /// An address that is handed out, and nobody keeps what it points to.
    ESCAPE = 218, "an address escapes what it points to";
    /// `stable address` of what lies elsewhere in another run.
    UNSTABLE = 219, "an address is not the same in every run";
    /// `recompute` of what is not the result of one call that may be done again.
    NO_CONTRACT = 220, "nothing says how a value is made again";
    /// What makes a value changes something, or what is made is changed.
    NOT_SAME = 221, "made again, a value would not be the same";
    /// What a value is made of is overwritten, or its storage is given away, before it is made again.
    INPUT_GONE = 222, "what a value is made of is gone when it is made again";
    /// What a value is made of is updated before it is made again.
    INPUT_CHANGED = 223, "what a value is made of has changed when it is made again";
    /// A demanded reconstruction does not make the arena smaller.
    PEAK_RETURNS = 224, "making a value again saves no memory";
    /// A demanded reconstruction before what is no later reader.
    NOT_READ_AGAIN = 225, "a value is made again where nothing reads it again";

    // 03xx: calls and types
    /// More or fewer arguments than the kernel has parameters.
    ARGUMENT_COUNT = 301, "a call has the wrong number of arguments";
    /// `&`, `&mut` or a value where the kernel declares another effect.
    EFFECT = 302, "the effect at a call differs from the kernel's";
    /// A tensor where a scalar is needed, or the other way round.
    ARGUMENT_KIND = 303, "an argument is of the wrong kind";
    /// Another element type than the kernel's.
    ELEM = 304, "an element type differs from the kernel's";
    /// Another number of extents than the kernel's.
    RANK = 305, "a tensor has the wrong number of extents";
    /// An extent that does not equal the kernel's for all admitted dims.
    EXTENT = 306, "an extent differs from the kernel's";
    /// A scalar or a literal of another type.
    SCALAR_TYPE = 307, "a scalar is of the wrong type";
    /// A value that its type cannot hold.
    VALUE_RANGE = 308, "a value does not fit its type";
    /// A view that is not known to lie within its resource.
    VIEW_BOUNDS = 309, "a view leaves its resource";
    /// A call with a result and no place for it, or the other way round.
    RESULT = 310, "a result and its place do not go together";
    /// A kernel dim that no parameter binds.
    UNBOUND_DIM = 311, "nothing binds a dim of a kernel";
    /// An `in place` clause whose operand cannot become the result.
    IN_PLACE_FORM = 312, "an operand cannot become the result in place";
    /// An extent beyond sums of floored fractions of single dims.
    NOT_AFFINE = 313, "an extent is not affine in the dims";
    /// A kernel that is given staging, or a callback that is given memory of the device.
    SPACE = 314, "an argument lies in memory that the kernel cannot reach";
    /// A collective in a pipelined graph.
    COLLECTIVE_LANES = 315, "a collective in a pipelined graph";
    /// `retains` of what the call does not read, or until what is no later task.
    RETENTION = 316, "a retention does not go with its call";
    /// `as` with another type or number of elements.
    RESHAPE = 317, "a reshaped view has other elements than what it is of";

    // 04xx: sizes and limits
    /// A dim without a largest value.
    UNBOUNDED_DIM = 401, "a dim has no bound";
    /// A dim that admits no value.
    EMPTY_DIM = 402, "a dim admits no value";
    /// A resource, or an extent, larger than an address space.
    SIZE_OVERFLOW = 403, "a size overflows";
    /// An extent that some admitted dims make negative.
    NEGATIVE_EXTENT = 404, "an extent may be negative";
    /// A grid or a block beyond what a device can launch.
    LAUNCH_GEOMETRY = 405, "a launch is beyond the limits of a device";
    /// More parameter bytes than a launch can carry.
    PARAMETER_BLOCK = 406, "a parameter block is too large";
    /// More static shared memory than a block can have.
    SHARED_MEMORY = 407, "a kernel asks for too much shared memory";
    /// More memory than the declared budget.
    BUDGET = 408, "the budget is exceeded";
    /// More streams than a program can have.
    STREAMS = 409, "too many streams";
    /// A count that admits no sensible value.
    COUNT = 410, "a count is out of range";
    /// Staging with another number of copies than there are runs in flight.
    RING = 411, "a ring is not as deep as the runs in flight";

    // 05xx: order
    /// Demanded orders and dependencies form a cycle.
    ORDER_CYCLE = 501, "the order is cyclic";

    // 06xx: facade
    /// An output that is called like a method of every run.
    METHOD_CLASH = 601, "an output is called like a method";
    /// Two items that expand to modules of one name.
    MODULE_CLASH = 602, "two items expand to one module";

    /// Two variants, or two values of one, that expand to one name, or to one that is taken.
    VARIANT_NAME = 603, "a name of a variant is taken where it expands to";

    // 061x: constants, stages and loops
    /// A stage that calls itself, by whatever way.
    RECURSION = 611, "a stage calls itself";
    /// A stage writes what it takes as `&`.
    STAGE_EFFECT = 612, "a stage writes what it only reads";
    /// A stage with a result that does not end with a call that makes it.
    STAGE_RESULT = 613, "a stage ends without its result";
    /// A constant expression without a value, or with one that cannot stand there.
    CONSTANT = 614, "a constant has no value";
    /// More statements or deeper calls than a graph may have once it is unrolled.
    UNROLLED = 615, "a graph unrolls to too much";
    /// A statement that is said of a graph, inside a stage or a loop.
    GRAPH_ONLY = 616, "a statement of a graph stands inside something else";

    // 062x: variants
    /// A value of a variant without an arm in a `match` over it.
    MISSING_ARM = 621, "a `match` has no arm for a value";
    /// A value with two arms, or `_` where no value is left.
    REPEATED_ARM = 622, "an arm of a `match` can never be chosen";
    /// A `match` over a variant inside an arm of another over it.
    SETTLED = 623, "a `match` is over what is settled already";
    /// More combinations of variants than a graph may have.
    COMBINATIONS = 624, "variants have too many combinations";

    // 07xx: expression kernels
    /// An operator, a method or a form that expressions do not have.
    OUTSIDE = 701, "something is outside the grammar of expression kernels";
    /// A literal whose type is not written.
    UNSUFFIXED = 702, "a literal of an expression kernel has no suffix";
    /// Operands of different types, or of a type that the operator is not for.
    OPERAND_TYPE = 703, "the types of an expression do not go together";
    /// A name in an expression that is no parameter of the kernel.
    NOT_PARAMETER = 704, "a name in an expression is no parameter";
    /// A dim that the target lacks outside of a reduction, or a reduction without one.
    DIM_OUTSIDE = 705, "dims and reductions do not go together";
    /// An extent of an expression kernel that is no dim of its own.
    FORMULA_EXTENT = 706, "an extent of an expression kernel is not a dim";
    /// No target, or more than one.
    TARGET = 707, "an expression kernel does not write one tensor";
    /// A dim of a result that no operand has and that nothing tells the kernel, or that takes the place
    /// of one that an operand has.
    FREE_DIM = 708, "a result has a dim that no operand has";

    // 08xx: facts that are not known
    /// A size, a completion or a consumer that the text calls unknown.
    BLOCKED = 801, "the plan is blocked on a fact that is not known";
}

/// Codes that no text of the language leads to: of models built by hand alone.
pub const UNTOLD: &[Code] = &[MALFORMED];
