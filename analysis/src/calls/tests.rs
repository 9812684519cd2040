//! Each fault of a call with its place and code, and the call that is accepted.

use super::*;
use crate::fault::{self, Code, Fault};
use crate::model::{Access, Class, Dim, KernelKind, Mode, Resource, ResourceId};

fn n(value: i64) -> Expr {
    Expr::constant(value)
}

fn d(index: u16) -> Expr {
    Expr::dim(index)
}

fn half(e: Expr) -> Expr {
    e.floor_div(2).unwrap()
}

fn plus(e: Expr, value: i64) -> Expr {
    e.add(&n(value)).unwrap()
}

/// Sites of a kernel are 100 and up, those of a graph 200 and up, those of a call below.
fn kernel(dims: &[&str], params: Vec<(&str, ParamKind)>, result: Option<Tensor>) -> Kernel {
    let dim = |(i, name): (usize, &&str)| KernelDim {
        name: (*name).to_owned(),
        site: Site(120 + i as u32),
    };
    let param = |(i, (name, kind)): (usize, (&str, ParamKind))| Param {
        name: name.to_owned(),
        kind,
        site: Site(101 + i as u32),
    };
    Kernel {
        name: "blur".to_owned(),
        dims: dims.iter().enumerate().map(dim).collect(),
        params: params.into_iter().enumerate().map(param).collect(),
        result,
        over: None,
        shared: None,
        kind: KernelKind::Kernel,
        zeroed: vec![],
        in_place: None,
        site: Site(100),
    }
}

fn of(elem: Elem, shape: &[Expr]) -> Tensor {
    Tensor {
        elem,
        shape: shape.to_vec(),
        site: Site(110),
    }
}

fn read(elem: Elem, shape: &[Expr]) -> ParamKind {
    ParamKind::Tensor {
        tensor: of(elem, shape),
        mutable: false,
    }
}

fn update(elem: Elem, shape: &[Expr]) -> ParamKind {
    ParamKind::Tensor {
        tensor: of(elem, shape),
        mutable: true,
    }
}

/// `kernel blur(src: &[f32; h, w], sigma: f32) -> [f32; h, w]`.
fn blur() -> Kernel {
    let shape = [d(0), d(1)];
    let params = vec![
        ("src", read(Elem::F32, &shape)),
        ("sigma", ParamKind::Scalar(Elem::F32)),
    ];
    let mut kernel = kernel(&["h", "w"], params, Some(of(Elem::F32, &shape)));
    kernel.over = Some(Over {
        extents: shape.to_vec(),
        block: vec![8, 32],
        site: Site(130),
        block_site: Site(131),
    });
    kernel
}

/// `dim rows in 16..=64; dim cols in 16..=64;`.
fn graph_dims() -> Vec<Dim> {
    let dim = |(i, name): (usize, &str)| Dim {
        name: name.to_owned(),
        min: 16,
        max: 64,
        product: Vec::new(),
        site: Site(200 + i as u32),
    };
    ["rows", "cols"].into_iter().enumerate().map(dim).collect()
}

const IMAGE: u32 = 0;
const SMOOTH: u32 = 1;
const BYTES: u32 = 2;
const LINE: u32 = 3;
const HALF: u32 = 4;

fn resources() -> Vec<Resource> {
    let (r, c) = (d(0), d(1));
    let list = [
        ("image", Elem::F32, vec![r.clone(), c.clone()]),
        ("smooth", Elem::F32, vec![r.clone(), c.clone()]),
        ("bytes", Elem::U8, vec![r.clone(), c.clone()]),
        ("line", Elem::F32, vec![c.clone()]),
        ("half", Elem::F32, vec![half(r), c]),
    ];
    let resource = |(i, (name, elem, shape)): (usize, (&str, Elem, Vec<Expr>))| Resource {
        name: name.to_owned(),
        class: Class::Transient,
        elem,
        domain: 0,
        shape,
        site: Site(210 + i as u32),
    };
    list.into_iter().enumerate().map(resource).collect()
}

fn view(resource: u32, rows: Rows, site: u32) -> Place {
    Place {
        resource: ResourceId(resource),
        rows,
        site: Site(site),
        rows_site: Site(site + 50),
    }
}

fn arg(kind: ArgKind, site: u32) -> Arg {
    Arg {
        kind,
        site: Site(site),
    }
}

fn reference(mutable: bool, resource: u32, rows: Rows, site: u32) -> Arg {
    arg(
        ArgKind::Ref {
            mutable,
            place: view(resource, rows, site),
        },
        site,
    )
}

fn shared_ref(resource: u32, site: u32) -> Arg {
    reference(false, resource, Rows::All, site)
}

fn int(value: i128, suffix: Option<Elem>) -> ArgKind {
    ArgKind::Literal(Literal {
        value: Value::Int(value),
        suffix,
    })
}

fn float(text: &str, suffix: Option<Elem>) -> ArgKind {
    ArgKind::Literal(Literal {
        value: Value::Float(text.to_owned()),
        suffix,
    })
}

fn call(args: Vec<Arg>, place: Option<u32>) -> Call {
    Call {
        name: "blur".to_owned(),
        args,
        place: place.map(|r| view(r, Rows::All, 9)),
        idle: Vec::new(),
        end: Site(8),
        site: Site(7),
    }
}

/// `smooth = blur(&image, 1.4)`.
fn blurred() -> Call {
    call(
        vec![shared_ref(IMAGE, 1), arg(float("1.4", None), 2)],
        Some(SMOOTH),
    )
}

fn bound(kernel: &Kernel, call: &Call) -> Bound {
    assert_eq!(kernel.check(), []);
    bind(kernel, 3, call, &resources(), &graph_dims()).unwrap()
}

fn only(faults: Vec<Fault>) -> Fault {
    assert_eq!(faults.len(), 1, "{faults:#?}");
    faults.into_iter().next().unwrap()
}

fn refused(kernel: &Kernel, call: &Call) -> (Code, Site, String) {
    let fault = only(bind(kernel, 3, call, &resources(), &graph_dims()).unwrap_err());
    (fault.code, fault.site, fault.message)
}

fn code(kernel: &Kernel, call: &Call) -> (Code, Site) {
    let (code, site, _) = refused(kernel, call);
    (code, site)
}

#[test]
fn a_call_in_order_becomes_accesses_scalars_dims_and_a_launch() {
    let b = bound(&blur(), &blurred());
    let access = |r, mode, site| Access {
        resource: ResourceId(r),
        mode,
        rows: Rows::All,
        site: Site(site),
    };
    assert_eq!(
        b.accesses,
        [
            access(IMAGE, Mode::Read, 1),
            access(SMOOTH, Mode::Overwrite, 9)
        ]
    );
    assert_eq!(b.scalars, [ScalarArg::Const(1.4f32.to_bits().into())]);
    assert_eq!(b.dims, [d(0), d(1)]);
    assert_eq!(b.launch.over, [d(0), d(1)]);
    assert_eq!(
        (b.launch.kernel, b.launch.params, b.launch.in_place),
        (3, 40, None)
    );
}

#[test]
fn the_number_of_arguments_is_that_of_the_parameters() {
    let few = call(vec![shared_ref(IMAGE, 1)], Some(SMOOTH));
    let (code, site, message) = refused(&blur(), &few);
    assert_eq!((code, site), (fault::ARGUMENT_COUNT, Site(8)));
    assert_eq!(message, "`blur` takes 2 arguments, 1 given");
    let mut many = blurred();
    many.args.push(arg(int(1, None), 5));
    assert_eq!(self::code(&blur(), &many), (fault::ARGUMENT_COUNT, Site(5)));
}

#[test]
fn effects_at_the_call_are_those_of_the_kernel() {
    let mut c = blurred();
    c.args[0] = reference(true, IMAGE, Rows::All, 1);
    let (code, site, message) = refused(&blur(), &c);
    assert_eq!((code, site), (fault::EFFECT, Site(1)));
    assert_eq!(
        message,
        "`blur` only reads `src`, but the call passes `&mut image`"
    );
    let scale = kernel(&["n"], vec![("x", update(Elem::F32, &[d(0)]))], None);
    let shared = call(vec![shared_ref(LINE, 1)], None);
    assert_eq!(self::code(&scale, &shared), (fault::EFFECT, Site(1)));
    let b = bound(
        &scale,
        &call(vec![reference(true, LINE, Rows::All, 1)], None),
    );
    assert_eq!(b.accesses[0].mode, Mode::ReadWrite);
    assert_eq!(b.dims, [d(1)]);
}

#[test]
fn arguments_are_of_the_kind_of_their_parameters() {
    let mut c = blurred();
    c.args[0] = arg(ArgKind::Bare(ResourceId(IMAGE)), 1);
    let fault = only(bind(&blur(), 0, &c, &resources(), &graph_dims()).unwrap_err());
    assert_eq!((fault.code, fault.site), (fault::ARGUMENT_KIND, Site(1)));
    assert_eq!(fault.help.as_deref(), Some("write `&image`"));
    c.args[0] = arg(int(1, None), 1);
    assert_eq!(code(&blur(), &c), (fault::ARGUMENT_KIND, Site(1)));
    let mut c = blurred();
    c.args[1] = shared_ref(LINE, 2);
    assert_eq!(code(&blur(), &c), (fault::ARGUMENT_KIND, Site(2)));
}

#[test]
fn element_types_are_equal() {
    let c = call(
        vec![shared_ref(BYTES, 1), arg(float("1.4", None), 2)],
        Some(SMOOTH),
    );
    let (code, site, message) = refused(&blur(), &c);
    assert_eq!((code, site), (fault::ELEM, Site(1)));
    assert_eq!(
        message,
        "`src` of `blur` has elements of type `f32`, `bytes` has `u8`"
    );
    let mut c = blurred();
    c.place = Some(view(BYTES, Rows::All, 9));
    assert_eq!(self::code(&blur(), &c), (fault::ELEM, Site(9)));
}

#[test]
fn ranks_are_equal() {
    let c = call(
        vec![shared_ref(LINE, 1), arg(float("1.4", None), 2)],
        Some(SMOOTH),
    );
    let (code, site, message) = refused(&blur(), &c);
    assert_eq!((code, site), (fault::RANK, Site(1)));
    assert_eq!(
        message,
        "`src` of `blur` is `[f32; h, w]`, `line` is `[f32; cols]`"
    );
}

#[test]
fn extents_are_equal_for_all_dims() {
    let mut c = blurred();
    c.place = Some(view(HALF, Rows::All, 9));
    let fault = only(bind(&blur(), 0, &c, &resources(), &graph_dims()).unwrap_err());
    assert_eq!((fault.code, fault.site), (fault::EXTENT, Site(9)));
    assert_eq!(
        fault.message,
        "the result of `blur` needs `rows` here, this is `rows / 2`"
    );
    assert_eq!(fault.labels[1].text, "`h` of `blur` is `rows` here");
    assert_eq!(fault.labels[1].site, Site(1));
    // The lower part has rows - rows / 2 rows, which is (rows + 1) / 2.
    let lower = Rows::Span(half(d(0)), d(0));
    let shape = [d(0), d(1)];
    let up = [half(plus(d(0), 1)), d(1)];
    let down = kernel(
        &["h", "w"],
        vec![
            ("whole", read(Elem::F32, &shape)),
            ("part", read(Elem::F32, &up)),
        ],
        None,
    );
    let c = call(
        vec![shared_ref(IMAGE, 1), reference(false, SMOOTH, lower, 2)],
        None,
    );
    assert_eq!(bound(&down, &c).accesses.len(), 2);
}

#[test]
fn an_extent_over_a_dim_bound_later_is_checked_once_it_is_bound() {
    let params = vec![
        ("a", read(Elem::F32, &[half(d(0)), d(1)])),
        ("b", read(Elem::F32, &[d(0), d(1)])),
    ];
    let k = kernel(&["h", "w"], params, None);
    let c = call(vec![shared_ref(HALF, 1), shared_ref(IMAGE, 2)], None);
    assert_eq!(bound(&k, &c).dims, [d(0), d(1)]);
    let c = call(vec![shared_ref(IMAGE, 1), shared_ref(SMOOTH, 2)], None);
    assert_eq!(code(&k, &c), (fault::EXTENT, Site(1)));
}

#[test]
fn a_dim_of_the_result_alone_is_bound_by_its_place() {
    let fill = kernel(&["n"], vec![], Some(of(Elem::F32, &[d(0)])));
    assert_eq!(bound(&fill, &call(vec![], Some(LINE))).dims, [d(1)]);
}

#[test]
fn an_extent_beyond_the_language_at_a_call_is_refused_and_an_index_space_bounded() {
    let mut list = resources();
    let sum = d(0).add(&d(1)).unwrap();
    list[LINE as usize].shape = vec![sum.clone()];
    let params = vec![
        ("a", read(Elem::F32, &[d(0)])),
        ("b", read(Elem::F32, &[half(d(0))])),
    ];
    let mut k = kernel(&["n"], params, None);
    let c = call(vec![shared_ref(LINE, 1), shared_ref(LINE, 2)], None);
    let fault = only(bind(&k, 0, &c, &list, &graph_dims()).unwrap_err());
    assert_eq!((fault.code, fault.site), (fault::NOT_AFFINE, Site(2)));
    assert_eq!(fault.labels[1].text, "`n` of `blur` is `rows + cols` here");
    k.params.pop();
    let site = Site(1);
    k.over = Some(Over {
        extents: vec![half(d(0))],
        block: vec![256],
        site,
        block_site: site,
    });
    let c = call(vec![shared_ref(LINE, 1)], None);
    let b = bind(&k, 0, &c, &list, &graph_dims()).unwrap();
    assert_eq!((b.dims, b.launch.over), (vec![sum], vec![n(64)]));
}

#[test]
fn literals_are_of_the_type_and_fit_it() {
    let take = |elem| kernel(&[], vec![("v", ParamKind::Scalar(elem))], None);
    let bits = |elem, kind| bound(&take(elem), &call(vec![arg(kind, 1)], None)).scalars[0].clone();
    assert_eq!(
        bits(Elem::I32, int(-2, None)),
        ScalarArg::Const(0xffff_fffe)
    );
    assert_eq!(
        bits(Elem::I8, int(-128, Some(Elem::I8))),
        ScalarArg::Const(0x80)
    );
    assert_eq!(
        bits(Elem::U64, int(u64::MAX.into(), None)),
        ScalarArg::Const(u64::MAX)
    );
    assert_eq!(bits(Elem::I64, int(-1, None)), ScalarArg::Const(u64::MAX));
    assert_eq!(
        bits(Elem::F64, float("0.1", None)),
        ScalarArg::Const(0.1f64.to_bits())
    );
    assert_eq!(
        bits(Elem::F32, int(1, Some(Elem::F32))),
        ScalarArg::Const(1f32.to_bits().into())
    );
    assert_eq!(
        bits(Elem::F16, float("-0.1", Some(Elem::F16))),
        ScalarArg::Const(0xae66)
    );
    assert_eq!(
        bits(Elem::BF16, int(2, Some(Elem::BF16))),
        ScalarArg::Const(0x4000)
    );
    let wrong = |elem, kind| code(&take(elem), &call(vec![arg(kind, 1)], None)).0;
    assert_eq!(wrong(Elem::U8, int(256, None)), fault::VALUE_RANGE);
    // Of two halves, one is of the range of an `f32`.
    assert_eq!(wrong(Elem::F16, float("65520.0", None)), fault::VALUE_RANGE);
    assert_eq!(wrong(Elem::F16, float("2.9e-8", None)), fault::VALUE_RANGE);
    assert_eq!(
        bits(Elem::F16, float("65519.99", None)),
        ScalarArg::Const(0x7bff)
    );
    assert_eq!(
        bits(Elem::BF16, float("3.3895314e38", None)),
        ScalarArg::Const(0x7f7f)
    );
    assert_eq!(wrong(Elem::BF16, float("3.4e38", None)), fault::VALUE_RANGE);
    assert_eq!(wrong(Elem::U32, int(-1, None)), fault::VALUE_RANGE);
    assert_eq!(wrong(Elem::F32, float("1e39", None)), fault::VALUE_RANGE);
    assert_eq!(wrong(Elem::F32, int(1, None)), fault::SCALAR_TYPE);
    assert_eq!(wrong(Elem::I32, float("1.5", None)), fault::SCALAR_TYPE);
    assert_eq!(
        wrong(Elem::I32, int(1, Some(Elem::I64))),
        fault::SCALAR_TYPE
    );
}

#[test]
fn scalars_of_the_graph_have_the_type_of_the_parameter() {
    let low = |elem| ArgKind::Scalar {
        name: "low".to_owned(),
        index: 4,
        elem,
        declared: Site(5),
    };
    let mut c = blurred();
    c.args[1] = arg(low(Elem::F32), 2);
    assert_eq!(bound(&blur(), &c).scalars, [ScalarArg::Param(4)]);
    c.args[1] = arg(low(Elem::F64), 2);
    let (code, site, message) = refused(&blur(), &c);
    assert_eq!((code, site), (fault::SCALAR_TYPE, Site(2)));
    assert_eq!(message, "`sigma` of `blur` is `f32`, `low` is `f64`");
}

#[test]
fn extents_as_arguments_fit_an_integer_type() {
    let take = |elem| kernel(&[], vec![("v", ParamKind::Scalar(elem))], None);
    let pass = |value: Expr| {
        let text = value.display(&graph_dims()).to_string();
        call(vec![arg(ArgKind::Extent { value, text }, 1)], None)
    };
    let rows = plus(d(0), -16);
    assert_eq!(
        bound(&take(Elem::U8), &pass(rows.clone())).scalars,
        [ScalarArg::Extent(rows)]
    );
    assert_eq!(
        bound(&take(Elem::I16), &pass(n(-7))).scalars,
        [ScalarArg::Const(0xfff9)]
    );
    let wrong = |elem, e| code(&take(elem), &pass(e));
    assert_eq!(
        wrong(Elem::U8, d(0).scale(4).unwrap()),
        (fault::VALUE_RANGE, Site(1))
    );
    assert_eq!(
        wrong(Elem::I32, plus(d(0), -17)),
        (fault::VALUE_RANGE, Site(1))
    );
    assert_eq!(wrong(Elem::U8, n(-1)), (fault::VALUE_RANGE, Site(1)));
    assert_eq!(wrong(Elem::F32, d(0)), (fault::SCALAR_TYPE, Site(1)));
}

#[test]
fn views_lie_within_their_resource_for_all_dims() {
    let k = kernel(
        &["h", "w"],
        vec![("x", read(Elem::F32, &[d(0), d(1)]))],
        None,
    );
    let pass = |a, b| call(vec![reference(false, IMAGE, Rows::Span(a, b), 1)], None);
    let b = bound(&k, &pass(half(d(0)), d(0)));
    assert_eq!(b.dims[0], d(0).sub(&half(d(0))).unwrap());
    bound(&k, &pass(n(0), n(16)));
    let wrong = |a, b| {
        let fault = only(bind(&k, 0, &pass(a, b), &resources(), &graph_dims()).unwrap_err());
        assert_eq!((fault.code, fault.site), (fault::VIEW_BOUNDS, Site(51)));
        fault.here
    };
    assert_eq!(wrong(n(0), n(17)), "`17` may exceed `rows`");
    assert_eq!(wrong(n(-1), n(4)), "`-1` may be negative");
    assert_eq!(wrong(n(9), half(d(0))), "`9` may exceed `rows / 2`");
}

#[test]
fn results_and_places_go_together() {
    let mut c = blurred();
    c.place = None;
    assert_eq!(code(&blur(), &c), (fault::RESULT, Site(7)));
    let k = kernel(&["n"], vec![("x", update(Elem::F32, &[d(0)]))], None);
    let c = call(vec![reference(true, LINE, Rows::All, 1)], Some(SMOOTH));
    assert_eq!(code(&k, &c), (fault::RESULT, Site(9)));
}

#[test]
fn all_that_is_wrong_with_a_call_is_said() {
    let mut c = blurred();
    c.args[0] = reference(true, BYTES, Rows::All, 1);
    c.args[1] = arg(int(1, None), 2);
    let faults = bind(&blur(), 0, &c, &resources(), &graph_dims()).unwrap_err();
    let codes: Vec<_> = faults.iter().map(|f| f.code).collect();
    assert_eq!(codes, [fault::EFFECT, fault::ELEM, fault::SCALAR_TYPE]);
}

/// `kernel scale(x: &[f32; n]) -> [f32; n] { in place x … }`.
fn scale(result: Tensor) -> Kernel {
    let params = vec![
        ("s", ParamKind::Scalar(Elem::F32)),
        ("x", read(Elem::F32, &[d(0)])),
    ];
    let mut k = kernel(&["n"], params, Some(result));
    k.in_place = Some(InPlace {
        param: 1,
        site: Site(140),
    });
    k
}

#[test]
fn an_in_place_form_is_of_whole_resources() {
    let k = scale(of(Elem::F32, &[d(0)]));
    let mut list = resources();
    list.push(Resource {
        name: "out".to_owned(),
        ..list[LINE as usize].clone()
    });
    let place = |rows| reference(false, LINE, rows, 2);
    let call = |rows| call(vec![arg(float("2.0", None), 1), place(rows)], Some(5));
    let b = bind(&k, 0, &call(Rows::All), &list, &graph_dims()).unwrap();
    assert_eq!(b.launch.in_place, Some(0));
    let b = bind(&k, 0, &call(Rows::Span(n(0), d(1))), &list, &graph_dims()).unwrap();
    assert_eq!(b.launch.in_place, Some(0));
    list[5].shape = vec![n(8)];
    let b = bind(&k, 0, &call(Rows::Span(n(0), n(8))), &list, &graph_dims()).unwrap();
    assert_eq!(b.launch.in_place, None);
}

#[test]
fn an_operand_is_a_shared_tensor_of_the_type_of_the_result() {
    let refuse = |k: &Kernel| {
        let fault = only(k.check());
        assert_eq!((fault.code, fault.site), (fault::IN_PLACE_FORM, Site(140)));
        fault.here
    };
    assert_eq!(
        refuse(&scale(of(Elem::U32, &[d(0)]))),
        "its elements are `f32`, those of the result `u32`"
    );
    assert_eq!(
        refuse(&scale(of(Elem::F32, &[half(d(0))]))),
        "it is `[f32; n]`, the result `[f32; n / 2]`"
    );
    let mut k = scale(of(Elem::F32, &[d(0)]));
    k.params[1].kind = update(Elem::F32, &[d(0)]);
    assert_eq!(refuse(&k), "it is `&mut`, and so updated anyway");
    k.in_place = Some(InPlace {
        param: 0,
        site: Site(140),
    });
    assert_eq!(refuse(&k), "it is a scalar");
    k.result = None;
    assert_eq!(refuse(&k), "`blur` has no result");
    k.in_place = Some(InPlace {
        param: 9,
        site: Site(140),
    });
    assert_eq!(refuse(&k), "it is no parameter");
}

#[test]
fn every_dim_of_a_kernel_is_bound() {
    let k = kernel(&["n"], vec![("x", read(Elem::F32, &[half(d(0))]))], None);
    let fault = only(k.check());
    assert_eq!((fault.code, fault.site), (fault::UNBOUND_DIM, Site(120)));
    let c = call(vec![shared_ref(LINE, 1)], None);
    assert_eq!(code(&k, &c), (fault::UNBOUND_DIM, Site(120)));
}

#[test]
fn blocks_shared_memory_and_parameters_keep_the_limits() {
    let block = |block: &[u32]| {
        let mut k = blur();
        k.over.as_mut().unwrap().block = block.to_vec();
        k.check()
            .iter()
            .map(|f| (f.code, f.site))
            .collect::<Vec<_>>()
    };
    let wrong = [(fault::LAUNCH_GEOMETRY, Site(131))];
    assert_eq!(block(&[32, 32]), []);
    assert_eq!(block(&[1, 1024]), []);
    assert_eq!(block(&[33, 32]), wrong);
    assert_eq!(block(&[1, 1025]), wrong);
    assert_eq!(block(&[0, 32]), wrong);
    assert_eq!(block(&[32]).len(), 1);
    let mut k = blur();
    k.shared = Some(Shared {
        bytes: 49_152,
        site: Site(150),
    });
    assert_eq!(k.check(), []);
    k.shared = Some(Shared {
        bytes: 49_153,
        site: Site(150),
    });
    let fault = only(k.check());
    assert_eq!((fault.code, fault.site), (fault::SHARED_MEMORY, Site(150)));
    let params = |count| {
        let list = vec![("v", ParamKind::Scalar(Elem::F64)); count];
        kernel(&[], list, None)
    };
    assert_eq!(params(512).check(), []);
    let fault = only(params(513).check());
    assert_eq!(
        (fault.code, fault.site),
        (fault::PARAMETER_BLOCK, Site(100))
    );
}

#[test]
fn parameters_are_laid_out_as_in_c() {
    let scalar = |elem| ("v", ParamKind::Scalar(elem));
    let k = kernel(
        &[],
        vec![scalar(Elem::U8), scalar(Elem::F32), scalar(Elem::U8)],
        None,
    );
    assert_eq!(k.parameter_bytes(), 9);
    let k = kernel(&["n"], vec![scalar(Elem::U8)], Some(of(Elem::F32, &[d(0)])));
    assert_eq!(k.parameter_bytes(), 24);
}

#[test]
fn default_blocks_keep_the_limits() {
    for rank in 1..=3 {
        assert_eq!(crate::limits::block_fault(rank, &default_block(rank)), None);
    }
}
