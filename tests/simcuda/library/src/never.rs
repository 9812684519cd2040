//! Calls that nothing in this project makes: they are there to be seen in the log if it did.

macro_rules! never {
    ($($name:ident)*) => {
        $(
            /// Answers that it is not supported.
            #[unsafe(no_mangle)]
            pub extern "C" fn $name() -> u32 {
                $crate::call::enter(stringify!($name), || Err($crate::status::NOT_SUPPORTED))
            }
        )*

        /// The functions of this file.
        pub(crate) const NAMES: &[&str] = &[$(stringify!($name)),*];
    };
}

// Whatever arguments a caller passes, a function that takes none leaves alone.
never! {
    cuStreamBeginCapture_v2 cuStreamBeginCaptureToGraph cuStreamEndCapture
    cuGraphAddMemAllocNode cuGraphAddMemFreeNode cuGraphClone cuGraphExecUpdate_v2
    cuGraphExecKernelNodeSetParams_v2 cuGraphExecMemcpyNodeSetParams
    cuMemAlloc_v2 cuMemFree_v2 cuMemAllocManaged cuCtxCreate_v4
}
